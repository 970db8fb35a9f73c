//! Where the time of playouts in batches goes, by stage.

use std::time::{Duration, Instant};

use tavli_base::time_of_reading;

/// A stage of a tier that plays many games side by side, ply by ply. While the stopwatch runs, each stage goes through
/// all games before the next begins; otherwise groups of games go through the stages from `Make` to `Choose`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum BatchStage {
    /// Games begin, come from the other pool, or move up so that no lane between them is idle.
    Fill,
    /// Rolls, masks and numbers of plays; the draw of a play, and its selection where the dice differ.
    Choose,
    /// The plays of doubles are counted, and one is drawn.
    Doubles,
    /// The plays of doubles that may bring the last checkers home and then bear off are counted, and one is drawn.
    BearIn,
    /// The plays are made, and the games found that leave the pool.
    Make,
    /// Games go to the other pool, or have ended and are recorded.
    Leave,
}

tavli_base::named_values!(
    BatchStage: Fill "fill", Choose "choose", Doubles "doubles", BearIn "bear-in", Make "make", Leave "leave",
);

/// The times of the stages of a run; see [`profile::run`](crate::profile::run).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchTimes {
    /// The early pool: plies before either side first had at most one checker outside its home board. All plies, if
    /// the rules have no bearing off.
    pub early: PoolTimes,
    /// The late pool: the other plies.
    pub late: PoolTimes,
    /// The time of a reading of the clock. There is one at the end of each stage, which the times exclude.
    pub reading: Duration,
}

/// The times of the stages of the games of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct PoolTimes {
    /// Plies played.
    pub plies: u128,
    /// Plies begun, each of every game in the pool.
    pub plies_begun: u64,
    times: [Duration; BatchStage::ALL.len()],
}

impl PoolTimes {
    /// Wall-clock time of a stage.
    #[must_use]
    pub fn time_of(&self, stage: BatchStage) -> Duration {
        self.times[stage as usize]
    }

    /// Wall-clock time of all stages.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.times.iter().sum()
    }
}

/// Takes the times of the stages, if it runs.
pub(super) struct BatchStopwatch(Option<Running>);

/// Reads the clock at the end of a stage: the time since the reading before is the stage's.
struct Running {
    last: Instant,
    pools: [Laps; 2],
}

/// The laps of a pool, by stage.
#[derive(Default)]
struct Laps {
    times: [Duration; BatchStage::ALL.len()],
    numbers: [u64; BatchStage::ALL.len()],
    /// Plies of the games that have left the pool, from their beginnings on.
    plies: u128,
}

impl BatchStopwatch {
    /// A stopwatch that is not running.
    pub(super) fn stopped() -> BatchStopwatch {
        BatchStopwatch(None)
    }

    pub(super) fn started() -> BatchStopwatch {
        BatchStopwatch(Some(Running { last: Instant::now(), pools: Default::default() }))
    }

    /// Whether the stopwatch takes times.
    #[inline(always)]
    pub(super) fn runs(&self) -> bool {
        self.0.is_some()
    }

    /// A stage of the early or the late pool ends.
    #[inline(always)]
    pub(super) fn end_of(&mut self, is_late: bool, stage: BatchStage) {
        if let Some(running) = &mut self.0 {
            running.end_of(is_late, stage);
        }
    }

    /// A game leaves the early or the late pool after a number of plies.
    #[inline(always)]
    pub(super) fn leaves(&mut self, is_late: bool, plies: u32) {
        if let Some(running) = &mut self.0 {
            running.pools[usize::from(is_late)].plies += u128::from(plies);
        }
    }

    /// The times, of `plies` in all, if it runs.
    pub(super) fn times(&self, plies: u128) -> Option<BatchTimes> {
        let running = self.0.as_ref()?;
        let reading = time_of_reading();
        let [early, late] = &running.pools;
        // Every game of the early pool has left it: it ended, was cut off, or went to the late one.
        let early_plies = early.plies;
        Some(BatchTimes {
            early: early.less(reading, early_plies),
            late: late.less(reading, plies - early_plies),
            reading,
        })
    }
}

impl Running {
    #[cold]
    fn end_of(&mut self, is_late: bool, stage: BatchStage) {
        let now = Instant::now();
        let laps = &mut self.pools[usize::from(is_late)];
        laps.times[stage as usize] += now - self.last;
        laps.numbers[stage as usize] += 1;
        self.last = now;
    }
}

impl Laps {
    /// The times minus the readings of the clock.
    fn less(&self, reading: Duration, plies: u128) -> PoolTimes {
        let mut times = self.times;
        for (time, number) in times.iter_mut().zip(self.numbers) {
            let readings = Duration::from_nanos(number.saturating_mul(reading.as_nanos() as u64));
            // A short stage may take less than the mean time of its readings.
            *time = time.saturating_sub(readings);
        }
        PoolTimes { plies, plies_begun: self.numbers[BatchStage::Choose as usize], times }
    }
}
