//! The work of a repetition.

use core::fmt;
use core::ops::Range;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use tavli::plays::Plays;
use tavli::policies::{Observer, PolicyPair, PolicyTimes};
use tavli::profile;
use tavli::run::{BackgammonPlayouts, Cancel, GameNumbersError, Limit, PlayoutReport, Run, thread_cpu_time};
use tavli::{Playouts, RuleSet, Tally, Tier};

use super::choices::{self, Choices, PickedPlay};
use super::searches::{Roots, Searches};
use super::worker_set::WorkerSet;
use crate::recipe::{Expected, ExpectedChoices, ExpectedRoots, Operation};
use crate::record::{Repetition, WorkerShare};
use crate::situations::{Situation, pick};
use crate::stages::{self, StageTime};

/// Situations for an operation on plays: enough that the branch predictor does not learn them, few enough to stay in
/// the first-level cache.
pub(super) const SITUATIONS: usize = 256;

/// The results of a repetition, which do not depend on speed.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Results {
    Games(Tally),
    /// The results of each worker's trees.
    Searches(Vec<Roots>),
    /// The plays chosen, in the order of the decisions; the list is shorter if the work was cancelled.
    Choices(Vec<PickedPlay>),
    Plays {
        /// The plays counted, made or enumerated by each worker.
        made: Vec<u64>,
        /// Their number by the rules.
        wanted: u64,
    },
}

impl Results {
    /// Whether they are those of the reference, if there is one.
    pub(super) fn are_right(&self) -> bool {
        match self {
            Results::Plays { made, wanted } => made.iter().all(|made| made == wanted),
            Results::Games(_) | Results::Searches(_) | Results::Choices(_) => true,
        }
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Results::Games(Tally { games, plies, plays, .. }) => {
                write!(f, "{games} games, {plies} plies, {plays} plays")
            }
            Results::Searches(found) => write!(
                f,
                "{} simulations of the first worker, {} plies, roots {}",
                found[0].simulations(),
                found[0].plies,
                found[0].checksum()
            ),
            Results::Choices(chosen) => write!(
                f,
                "{} games in {} decisions, plays {}",
                chosen.iter().map(|choice| choice.games).sum::<u64>(),
                chosen.len(),
                choices::checksum(chosen)
            ),
            Results::Plays { made, wanted } => {
                write!(f, "{} plays by each worker, {wanted} by the rules", made[0])
            }
        }
    }
}

/// Whole games from some positions.
#[derive(Clone)]
pub(super) struct Games {
    pub(super) playouts: Vec<Playouts>,
    pub(super) players: PolicyPair,
    pub(super) tier: Tier,
}

/// The kind of work of a case.
pub(super) enum Work {
    Games {
        games: Games,
        batch: Option<u64>,
        expected: Option<Expected>,
    },
    Search {
        searches: Searches,
        expected: Option<ExpectedRoots>,
    },
    Choices {
        choices: Box<Choices>,
        expected: Option<ExpectedChoices>,
    },
    /// Games with the time of each stage.
    Stages(Games),
    Plays {
        operation: Operation,
        rules: RuleSet,
        situations: Arc<Vec<Situation>>,
        /// Plays of all situations, by the reference generator.
        plays: u64,
    },
}

impl Repetition {
    /// Adds the units of each worker.
    fn count(&mut self, units: impl Iterator<Item = u64>) {
        for (part, units) in self.workers.iter_mut().zip(units) {
            part.units = units;
            self.units += units;
        }
    }
}

/// The work of a case, and its workers.
pub(super) struct Job {
    pub(super) work: Work,
    /// Sets of workers that take turns; at least one.
    pub(super) worker_sets: Vec<WorkerSet>,
    /// The number of the piece of work, which selects the set of workers.
    pub(super) turn: usize,
    pub(super) cancel: Cancel,
}

impl Job {
    /// The workers whose turn it is.
    pub(super) fn worker_set(&self) -> &WorkerSet {
        &self.worker_sets[self.turn % self.worker_sets.len()]
    }

    /// [`worker_set`](Self::worker_set), to read its counts.
    pub(super) fn worker_set_mut(&mut self) -> &mut WorkerSet {
        let turn = self.turn % self.worker_sets.len();
        &mut self.worker_sets[turn]
    }

    /// Runs `work` on the first worker, and returns its result.
    pub(super) fn on_first<T: Send + 'static>(&self, work: impl Fn() -> T + Send + Sync + 'static) -> T {
        self.worker_set().workers.on_first(work)
    }

    /// Does the work of a repetition: `amount` games per position, rounds of runs, simulations of a tree, or rounds of
    /// decisions or situations.
    pub(super) fn repeat(&self, amount: u64) -> Result<(Repetition, Results), GameNumbersError> {
        let mut repetition = Repetition {
            cpu_seconds: Some(0.0),
            workers: vec![WorkerShare::default(); self.worker_set().workers.count()],
            ..Repetition::default()
        };
        let r = &mut repetition;
        let results = match &self.work {
            Work::Games { games, batch, .. } => Results::Games(self.games(games, *batch, amount, r)?),
            Work::Search { searches, .. } => Results::Searches(self.searches(searches, amount, r)),
            Work::Choices { choices, .. } => Results::Choices(self.choices(choices, amount, r)),
            Work::Stages(games) => Results::Games(self.stages(games, amount, r)),
            Work::Plays { operation, rules, situations, plays } => Results::Plays {
                made: self.plays(*operation, *rules, situations, amount, r),
                wanted: amount
                    * match operation {
                        // One play of each roll is made.
                        Operation::Unrank => SITUATIONS as u64,
                        Operation::Count | Operation::Enumerate => *plays,
                    },
            },
        };
        Ok((repetition, results))
    }

    /// Plays `amount` games from each position, or as many rounds of runs of `batch` games.
    fn games(
        &self,
        from: &Games,
        batch: Option<u64>,
        amount: u64,
        repetition: &mut Repetition,
    ) -> Result<Tally, GameNumbersError> {
        let (rounds, games) = match batch {
            None => (1, amount),
            Some(batch) => (amount, batch),
        };
        let mut tally = Tally::default();
        for round in 0..rounds {
            for &playouts in &from.playouts {
                let report = self.play(from.at(playouts), round.saturating_mul(games), games)?;
                tally.merge(&report.results.tally);
                repetition.add(&report);
            }
            if self.cancel.is_cancelled() {
                break;
            }
        }
        Ok(tally)
    }

    fn searches(&self, searches: &Searches, simulations: u64, repetition: &mut Repetition) -> Vec<Roots> {
        let searches = searches.clone();
        let found = self.each(repetition, move |worker| searches.run(worker, simulations));
        repetition.count(found.iter().map(|found| found.simulations()));
        repetition.plies = found.iter().map(|found| found.plies).sum();
        found
    }

    fn choices(&self, choices: &Choices, rounds: u64, repetition: &mut Repetition) -> Vec<PickedPlay> {
        let choices = choices.clone();
        let number = choices.decisions.len();
        let parts = self.each(repetition, move |worker| choices.run(worker, number, rounds));
        repetition.count(parts.iter().map(|chosen| rounds * chosen.len() as u64));
        repetition.plies = repetition.units;
        // The decisions were dealt to the workers in turn.
        let workers = parts.len();
        let chosen = (0..number).map_while(|at| parts[at % workers].get(at / workers));
        let (chosen, seconds): (Vec<PickedPlay>, Vec<Option<f64>>) = chosen.copied().unzip();
        repetition.decisions = seconds.into_iter().collect::<Option<_>>().unwrap_or_default();
        chosen
    }

    fn stages(&self, from: &Games, games: u64, repetition: &mut Repetition) -> Tally {
        let (from, cancel) = (from.clone(), self.cancel.clone());
        let parts = self.each(repetition, move |worker| {
            let first = games.saturating_mul(worker as u64);
            from.play_timed(first..first.saturating_add(games), &|| cancel.is_cancelled())
        });
        repetition.count(parts.iter().map(|(played, _)| played.games));
        let mut tally = Tally::default();
        for (played, times) in parts {
            tally.merge(&played);
            stages::add(&mut repetition.stages, times);
        }
        repetition.plies = tally.plies as u64;
        tally
    }

    fn plays(
        &self,
        operation: Operation,
        rules: RuleSet,
        situations: &Arc<Vec<Situation>>,
        rounds: u64,
        repetition: &mut Repetition,
    ) -> Vec<u64> {
        let situations = Arc::clone(situations);
        let parts = self.each(repetition, move |_| {
            // Each worker copies the situations, so they are in its memory.
            let situations = situations.as_ref().clone();
            (0..rounds).map(|_| operate(operation, rules, black_box(&situations))).sum()
        });
        let of_rolls = rounds * SITUATIONS as u64;
        repetition.plies = of_rolls * parts.len() as u64;
        repetition.count(parts.iter().map(|&made| match operation {
            Operation::Count | Operation::Unrank => of_rolls,
            Operation::Enumerate => made,
        }));
        parts
    }

    /// Runs `work` on each worker, adds its time to its part of the repetition, and returns the results.
    fn each<T: Send + 'static>(
        &self,
        repetition: &mut Repetition,
        work: impl Fn(usize) -> T + Send + Sync + 'static,
    ) -> Vec<T> {
        let done = self.worker_set().workers.each(move |worker| {
            let (start, used) = (Instant::now(), thread_cpu_time());
            let made = work(worker);
            let used = thread_cpu_time().zip(used);
            let used = used.map(|(after, before)| (after - before).as_secs_f64());
            (made, start.elapsed().as_secs_f64(), used)
        });
        repetition.cpu_seconds = done.iter().map(|one| one.2).sum();
        let parts = repetition.workers.iter_mut().zip(done);
        parts
            .map(|(part, (made, busy, _))| {
                part.busy_seconds = busy;
                made
            })
            .collect()
    }

    pub(super) fn play(
        &self,
        playouts: BackgammonPlayouts,
        first_game: u64,
        games: u64,
    ) -> Result<PlayoutReport, GameNumbersError> {
        let run = Run::new(playouts, Limit::Items(games)).from_game(first_game)?;
        let run = run.cancelled_by(&self.cancel);
        Ok(run.play(&self.worker_set().workers, |_| ()))
    }
}

impl Games {
    /// The games from one of the positions.
    pub(super) fn at(&self, playouts: Playouts) -> BackgammonPlayouts {
        BackgammonPlayouts::new(playouts, self.players.clone(), self.tier)
    }

    /// Plays games from each position, and times the stages if the tier has any. If `stop` returned `true`, the games
    /// from the position that was being played and from later ones are left out.
    fn play_timed(&self, games: Range<u64>, stop: &dyn Fn() -> bool) -> (Tally, Vec<StageTime>) {
        let Games { players, tier, .. } = self;
        let (mut tally, mut times) = (Tally::default(), Vec::new());
        for playouts in &self.playouts {
            if !players.are_uniform() {
                let mut more = PolicyTimes::default();
                let timing = Observer::timing(&mut more);
                let Ok(results) = players.run_observed(playouts, *tier, games.clone(), timing, stop) else {
                    break;
                };
                let plies = results.tally.plies as u64;
                let more = stages::policy_stages(&players.to_string(), plies, &more);
                stages::add(&mut times, more);
                tally.merge(&results.tally);
            } else if let Some((results, more)) = profile::run(playouts, *tier, games.clone()) {
                stages::add(&mut times, stages::stages(&more));
                tally.merge(&results.tally);
            } else if let Ok(results) = playouts.run(*tier, games.clone(), stop) {
                tally.merge(&results.tally);
            }
        }
        (tally, times)
    }
}

/// Goes through situations once and returns the number of plays counted or made.
pub(crate) fn operate(operation: Operation, rules: RuleSet, situations: &[Situation]) -> u64 {
    let mut made = 0;
    for (number, Situation { board, roll }) in situations.iter().enumerate() {
        let plays = Plays::new(board, *roll, rules);
        match operation {
            Operation::Count => made += plays.len() as u64,
            Operation::Unrank => {
                let play = plays.get(pick(&plays, number));
                made += u64::from(black_box(play.map(|play| play.board())).is_some());
            }
            Operation::Enumerate => made += profile::enumerate(&plays) as u64,
        }
    }
    made
}
