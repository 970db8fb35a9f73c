//! A rollout that several processes play together, passing numbers to one another.

use core::ops::Range;
use std::time::{Duration, Instant};

use crate::estimate::counts::RolloutCounts;
use crate::estimate::rounds::{RolloutRound, RolloutRounds};
use crate::play::played_trials::PlayedTrials;
use crate::rollout::{Rollout, RolloutProgress};
use tavli_run::{Cancel, Workers};
use tavli_trials::{
    EndReason, MAX_CANDIDATES, ResumableRollout, SaveError, Session, TRIALS_PER_BLOCK,
    sessions::{
        Interruption, NextStep, NextTrials, Saver, SessionClock, decide_next, is_look, play_on_workers, scheduler,
    },
};

/// Processes that play a rollout together, each known by its rank, such as the ranks of MPI. Each process passes its
/// own value of this trait to [`play_by_ranks`].
///
/// All processes call the same methods in the same order, with slices of the same length, and none returns before its
/// numbers can be used. No method returns an error: the other processes cannot go on without a lost one, so the
/// implementation ends them.
pub trait Communicator {
    /// The number of this process, 0 to [`Communicator::count`] - 1.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn count(&self) -> usize;

    /// Adds up the numbers of all processes, place by place and modulo 2^64. The process of rank 0 gets the sums; the
    /// numbers of the other processes do not matter afterwards.
    fn sum(&self, numbers: &mut [u64]);

    /// Gives the numbers of the process of rank 0 to all.
    fn broadcast(&self, numbers: &mut [u64]);
}

/// The time that a slice is to take: after it the processes hear of an end, a checkpoint or an interruption.
/// Short enough to save the result before a job that was asked to end is killed; mpirun waits a second.
const SLICE: Duration = Duration::from_millis(250);

/// The equal ranges that a worker's part of a slice is divided into: few, since a range spends time on its ragged end,
/// but enough that a fast worker can take one from a slow one.
const RANGES_PER_WORKER: u64 = 3;

/// The largest growth from one slice to the next: the rate of a short slice misleads.
const GROWTH: f64 = 8.0;

/// The next step of all processes, decided by rank 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Instruction {
    /// Each plays its share of a slice: of the trials before number `until`.
    Play { until: u64 },
    /// All add up their counts.
    Sum,
    /// The session ends.
    End(EndReason),
}

impl Instruction {
    fn numbers(self) -> [u64; 2] {
        match self {
            Instruction::Play { until } => [0, until],
            Instruction::Sum => [1, 0],
            Instruction::End(reason) => [2, reason as u64],
        }
    }

    fn from_numbers([kind, number]: [u64; 2]) -> Instruction {
        match kind {
            0 => Instruction::Play { until: number },
            1 => Instruction::Sum,
            _ => Instruction::End(EndReason::ALL[number as usize]),
        }
    }
}

/// A process's share of the trials of a slice: ranges in the order of the ranks, of sizes in the ratio of their speeds.
fn share(trials: &Range<u64>, rank: usize, speeds: &[u64]) -> Range<u64> {
    let sum = |speeds: &[u64]| speeds.iter().copied().map(u128::from).sum::<u128>();
    let (all, whole) = (u128::from(trials.end - trials.start), sum(speeds));
    // In 128 bits: up to 2^56 trials times 2^20 for each rank.
    let bound = |rank: usize| trials.start + (all * sum(&speeds[..rank]) / whole) as u64;
    bound(rank)..bound(rank + 1)
}

/// The speeds of the processes. Slices are divided by them: a process that is slower than the others, on an older or a
/// busy machine, has fewer trials, so that all come to the end of a slice together.
struct RankSpeeds(Vec<f64>);

impl RankSpeeds {
    /// The weight of the latest slice. A process may be held up for a slice, and no longer.
    const LATEST: f64 = 0.5;
    /// The least speed, relative to the fastest process: with fewer trials it would take long to notice that a process
    /// is fast again.
    const LEAST: f64 = 1.0 / 32.0;
    /// The speed of the fastest process, as it is passed on.
    const UNITS: f64 = (1_u64 << 20) as f64;

    /// Equal speeds, before they are known.
    fn new(ranks: usize) -> RankSpeeds {
        RankSpeeds(vec![f64::NAN; ranks])
    }

    /// Learns how many nanoseconds each process took for its share of some trials; 0 if it had none.
    fn learn(&mut self, trials: &Range<u64>, by: &[u64], times: &[u64]) {
        for (rank, (speed, &time)) in self.0.iter_mut().zip(times).enumerate() {
            let share = share(trials, rank, by);
            if time > 0 && !share.is_empty() {
                let found = (share.end - share.start) as f64 / time as f64;
                *speed = if speed.is_nan() { found } else { *speed + RankSpeeds::LATEST * (found - *speed) };
            }
        }
    }

    /// The speeds in units, each above 0; equal ones until all are known.
    fn in_units(&self) -> Vec<u64> {
        let fastest = self.0.iter().copied().fold(0.0, f64::max);
        let is_known = self.0.iter().all(|speed| !speed.is_nan());
        let of = |&speed: &f64| {
            if is_known { (speed / fastest).max(RankSpeeds::LEAST) } else { 1.0 }
        };
        self.0.iter().map(|speed| (of(speed) * RankSpeeds::UNITS) as u64).collect()
    }
}

/// The size of slices.
struct SliceSize {
    /// The trials of the next slice.
    trials: u64,
    per_second: Option<f64>,
}

impl SliceSize {
    /// The first slice is short, whatever the candidates.
    fn new(ranks: usize, candidates: usize) -> SliceSize {
        let of_rank = (TRIALS_PER_BLOCK / candidates as u64).max(36);
        SliceSize { trials: of_rank * ranks as u64, per_second: None }
    }

    /// Learns how long a slice took.
    fn learn(&mut self, trials: u64, time: Duration) {
        let per_second = trials as f64 / time.as_secs_f64();
        let most = trials as f64 * GROWTH;
        self.trials = (per_second * SLICE.as_secs_f64()).min(most).max(1.0) as u64;
        self.per_second = Some(per_second);
    }

    /// The trials of the next slice, where `left` is the time that is left.
    fn trials(&self, left: Option<Duration>) -> u64 {
        match (left, self.per_second) {
            (Some(left), Some(per_second)) => {
                let in_time = per_second * left.as_secs_f64();
                self.trials.min((in_time as u64).max(1))
            }
            _ => self.trials,
        }
    }
}

/// The state from which the process of rank 0 decides.
struct Coordinator<'a> {
    clock: SessionClock,
    saver: Saver<'a>,
    /// Whether the rollout could be saved at the start.
    may_play: bool,
    /// The trials of the slice that is being played, and the time of the session at which it began.
    slice: Option<(u64, Duration)>,
    pace: SliceSize,
    speeds: RankSpeeds,
    expected_trials: f64,
}

impl<'a> Coordinator<'a> {
    /// Begins a session, and saves the rollout as it is.
    fn start(rollout: &Rollout, ranks: usize, session: &'a Session) -> Coordinator<'a> {
        let saver = Saver::start(session.checkpoint.as_ref(), rollout);
        Coordinator {
            clock: SessionClock::start(rollout.elapsed(), rollout.checked.plan.end_rules.time),
            may_play: saver.failure().is_none(),
            saver,
            slice: None,
            pace: SliceSize::new(ranks, rollout.checked.candidates.len()),
            speeds: RankSpeeds::new(ranks),
            expected_trials: (rollout.checked.plan.trials().end - rollout.trials().start) as f64,
        }
    }

    /// Whether it is time for a checkpoint.
    fn has_to_save(&self) -> bool {
        self.saver.is_due(self.clock.session())
    }

    fn save(&mut self, rollout: &Rollout) {
        self.saver.save(rollout, self.clock.session());
    }

    /// The next instruction. All trials before number `summed` are counted in the rollout.
    fn instruct(&mut self, rollout: &mut Rollout, summed: u64, cancelled: bool) -> Instruction {
        if let Some((trials, start)) = self.slice.take() {
            self.pace.learn(trials, self.clock.session() - start);
        }
        if !self.may_play {
            return Instruction::End(EndReason::Cancelled);
        }
        let trials = rollout.played.next_trial();
        let interruption = Interruption::from_flags(cancelled, self.clock.is_up(!rollout.played.is_empty()));
        // The counts are needed in one place as the result, and to look at the errors.
        let has_to_look = rollout.is_complete() || is_look(rollout, trials);
        if summed < trials && (interruption.is_some() || self.has_to_save() || has_to_look) {
            return Instruction::Sum;
        }
        let NextTrials { step, expected_trials: expected } = decide_next(rollout, interruption);
        self.expected_trials = expected.unwrap_or(self.expected_trials);
        match step {
            NextStep::Play { until } => {
                // Slices of equal size: the rate of a small remainder would mislead.
                let left = until - trials;
                let slices = left.div_ceil(self.pace.trials(self.clock.time_left()));
                let of_slice = left.div_ceil(slices);
                self.slice = Some((of_slice, self.clock.session()));
                Instruction::Play { until: trials + of_slice }
            }
            NextStep::End(reason) => Instruction::End(reason),
        }
    }
}

/// Plays a rollout as one of several processes. All have equal rollouts and call this at the same time; at the end each
/// has the trials of all. The result equals that of [`Session::play`] in one process, whatever the number of processes,
/// except for the time, which the process of rank 0 measures.
///
/// The trials are played in slices of about a quarter of a second, which are divided by the processes' speeds in
/// earlier slices: a process that is slower than the others has fewer trials. They wait for each other only at the end
/// of a slice, where no range of trials has a gap. Each process keeps its counts until they are needed in one place: at
/// a checkpoint, where a rule looks at the errors, and at the end. Then they are added up in one pass. The process of
/// rank 0 decides: it saves the rollout by its [`Session::checkpoint`], watches the time, and calls `progress` after
/// each slice; the others call nothing. If any process is cancelled, the session of all ends after the slice.
///
/// # Errors
/// [`SaveError`] in the process of rank 0 as by [`Session::play`]. If that process cannot save the rollout at the
/// start, the session of the other processes ends as if it was cancelled.
///
/// ```
/// use tavli_backgammon::policies::PolicyPair;
/// use tavli_rollout::{Communicator, RolloutRequest, Session, play_by_ranks};
/// use tavli_run::{Cpus, Pinning, Placement, Workers};
///
/// /// A process on its own.
/// struct Alone;
///
/// impl Communicator for Alone {
///     fn rank(&self) -> usize {
///         0
///     }
///     fn count(&self) -> usize {
///         1
///     }
///     fn sum(&self, _: &mut [u64]) {}
///     fn broadcast(&self, _: &mut [u64]) {}
/// }
///
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let session = Session::default();
/// let request = RolloutRequest { players: Some(PolicyPair::default()), ..RolloutRequest::default() };
/// let mut by_ranks = request.rollout(&"4HPwATDgc/ABMA".parse()?)?;
/// let mut alone = by_ranks.clone();
/// play_by_ranks(&mut by_ranks, &Alone, &workers, &session, |_| ())?;
/// session.play(&mut alone, &workers, |_| ())?;
/// assert_eq!(by_ranks.summary().standings, alone.summary().standings);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play_by_ranks(
    rollout: &mut Rollout,
    ranks: &impl Communicator,
    workers: &Workers,
    session: &Session,
    mut progress: impl FnMut(&RolloutProgress),
) -> Result<EndReason, SaveError> {
    let (origin, first) = (rollout.trials().start, rollout.trials().end);
    let games_before = rollout.total_games();
    let mut runner = rollout.runner(session.tier);
    let counted_values = runner.counted_values;
    // This process's counts of the trials from number `summed` on.
    let mut own = RolloutCounts::new(counted_values, runner.candidates.len());
    let mut summed = first;
    let mut lead = (ranks.rank() == 0).then(|| Coordinator::start(rollout, ranks.count(), session));
    // The last slice, and the speeds that it was divided by.
    let (mut slice, mut speeds) = (first..first, vec![1; ranks.count()]);
    // The time that this process took for its share.
    let mut time = Duration::ZERO;
    let reason = loop {
        // How many processes were cancelled, and the time of each.
        let mut states = vec![0; 1 + ranks.count()];
        states[0] = u64::from(session.cancel.is_cancelled());
        // Each process fills its own place, so the sum is the list of all. The time is taken out: an instruction that
        // plays nothing must not report it again.
        states[1 + ranks.rank()] = core::mem::take(&mut time).as_nanos() as u64;
        ranks.sum(&mut states);
        let mut instruction = [0; 2];
        let before = rollout.played.rounds().playing().len();
        if let Some(lead) = &mut lead {
            lead.speeds.learn(&slice, &speeds, &states[1..]);
            speeds = lead.speeds.in_units();
            instruction = lead.instruct(rollout, summed, states[0] != 0).numbers();
        }
        ranks.broadcast(&mut instruction);
        ranks.broadcast(&mut speeds);
        broadcast_dropped(&mut rollout.played, ranks);
        if rollout.played.rounds().playing().len() < before {
            // No counts are lost: candidates are dropped at looks, before which all counts are added up.
            runner = rollout.runner(session.tier);
            own = RolloutCounts::new(counted_values, runner.candidates.len());
        }
        match Instruction::from_numbers(instruction) {
            Instruction::Play { until } => {
                slice = rollout.played.next_trial()..until;
                let share = share(&slice, ranks.rank(), &speeds);
                let begun = Instant::now();
                let take = |_: Range<u64>, counts: RolloutCounts| own.merge(&counts);
                let size = (share.end - share.start).div_ceil(RANGES_PER_WORKER * workers.count() as u64);
                // The switches of all processes are added up between slices: a process that stopped within its share
                // would leave a gap in the range of trials.
                let never = Cancel::new();
                let scheduler = scheduler(&runner, workers, share, &never).with_sizes(size..=size);
                play_on_workers(&runner, &scheduler, &never, take, &mut |_| ());
                time = begun.elapsed();
                rollout.played.advance_to(until);
                if let Some(lead) = &lead {
                    progress(&RolloutProgress {
                        rollout,
                        trials: until - origin,
                        session_trials: until - first,
                        session_games: rollout.total_games() - games_before,
                        elapsed: lead.clock.session(),
                        expected_trials: lead.expected_trials,
                        time_limit_left: lead.clock.time_left(),
                        unsaved: lead.saver.failure(),
                    });
                }
            }
            Instruction::Sum => {
                let mut numbers = own.numbers();
                let candidates = runner.candidates.len();
                own = RolloutCounts::new(counted_values, candidates);
                ranks.sum(&mut numbers);
                summed = rollout.played.next_trial();
                if let Some(lead) = &mut lead {
                    let sums = RolloutCounts::from_numbers(counted_values, candidates, &numbers);
                    rollout.played.add(&sums, summed);
                    rollout.played.set_elapsed(lead.clock.total());
                    if lead.has_to_save() {
                        lead.save(rollout);
                    }
                }
            }
            Instruction::End(reason) => break reason,
        }
    };
    let saved = lead.map_or(Ok(reason), |mut lead| {
        let played = lead.may_play.then_some(reason);
        if lead.may_play {
            lead.save(rollout);
        }
        lead.saver.finish(played, reason)
    });
    broadcast_result(&mut rollout.played, ranks);
    saved
}

/// Drops the candidates that the process of rank 0 has dropped.
fn broadcast_dropped(played: &mut PlayedTrials, ranks: &impl Communicator) {
    let mut playing = [0; MAX_CANDIDATES / 64];
    for &at in played.rounds().playing() {
        playing[at / 64] |= 1 << (at % 64);
    }
    ranks.broadcast(&mut playing);
    let is_played = |at: &usize| playing[at / 64] >> (at % 64) & 1 != 0;
    let left = played.rounds().playing().iter().copied().filter(is_played).collect();
    played.keep_candidates(left);
}

/// Broadcasts the played trials of rank 0.
fn broadcast_result(played: &mut PlayedTrials, ranks: &impl Communicator) {
    played.set_rounds(broadcast_rounds(played.rounds(), ranks));
    let elapsed = played.elapsed();
    let mut elapsed = [elapsed.as_secs(), elapsed.subsec_nanos().into()];
    ranks.broadcast(&mut elapsed);
    played.set_elapsed(Duration::new(elapsed[0], elapsed[1] as u32));
}

/// Broadcasts the counts of rank 0. All processes have the same rounds.
fn broadcast_rounds(rounds: &RolloutRounds, ranks: &impl Communicator) -> RolloutRounds {
    let counted_values = rounds.counted_values();
    let broadcast = |round: &RolloutRound| {
        let mut numbers = round.counts.numbers();
        ranks.broadcast(&mut numbers);
        RolloutRound {
            candidates: round.candidates.clone(),
            first_trial: round.first_trial,
            counts: RolloutCounts::from_numbers(counted_values, round.candidates.len(), &numbers),
        }
    };
    RolloutRounds::from_rounds(counted_values, rounds.as_slice().iter().map(broadcast).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_the_slice() {
        for (trials, count) in [(0..1, 1), (7..9, 4), (0..1296, 7), ((1 << 55)..(1 << 56), 192)] {
            let mut next = trials.start;
            for rank in 0..count {
                let share = share(&trials, rank, &vec![1; count]);
                assert_eq!(share.start, next);
                let even = (trials.end - trials.start) / count as u64;
                assert!((even..=even + 1).contains(&(share.end - share.start)));
                next = share.end;
            }
            assert_eq!(next, trials.end);
        }
    }

    /// One process of four has a quarter of the others' speed.
    #[test]
    fn a_slow_process_has_fewer_trials() {
        let mut speeds = RankSpeeds::new(4);
        let trials = 1000..14_000;
        let mut longest = Vec::new();
        for _ in 0..12 {
            let by = speeds.in_units();
            let shares = (0..4).map(|rank| share(&trials, rank, &by));
            let times = shares.zip([400, 100, 100, 100]).map(|(share, time)| (share.end - share.start) * time);
            let times: Vec<u64> = times.collect();
            longest.push(*times.iter().max().expect("four"));
            speeds.learn(&trials, &by, &times);
        }
        assert_eq!(longest[0], 3250 * 400);
        // 4,000 trials each of the fast ones, 1,000 of the slow one.
        assert!((398_000..402_000).contains(&longest[11]), "{longest:?}");
        // A process that was held up has more trials again, and one without trials keeps its speed.
        speeds.learn(&trials, &[1; 4], &[1 << 40, 325_000, 325_000, 0]);
        let by = speeds.in_units();
        assert!(by.iter().all(|&speed| speed >= 1 << 15), "{by:?}");
    }

    #[test]
    fn instructions_arrive() {
        let ends = EndReason::ALL.iter().copied().map(Instruction::End);
        for instruction in [Instruction::Play { until: 1 << 56 }, Instruction::Sum].into_iter().chain(ends) {
            assert_eq!(Instruction::from_numbers(instruction.numbers()), instruction);
        }
    }

    #[test]
    fn slices_take_their_time() {
        let mut pace = SliceSize::new(4, 16);
        assert_eq!(pace.trials(None), 4 * 81);
        for _ in 0..10 {
            let trials = pace.trials(None);
            pace.learn(trials, Duration::from_secs_f64(trials as f64 / 1e6));
        }
        assert_eq!(pace.trials(None), 250_000);
        assert_eq!(pace.trials(Some(Duration::from_millis(100))), 100_000);
        assert_eq!(pace.trials(Some(Duration::ZERO)), 1);
        pace.learn(36, Duration::ZERO);
        assert_eq!(pace.trials(None), 288);
    }
}
