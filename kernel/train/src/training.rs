//! A training run, whatever learns.

use core::time::Duration;
use std::time::Instant;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tavli_run::{Cancel, Workers};
use tavli_simd::Tier;

use crate::error::{CheckpointError, Divergence, MissedDemand, TrainingError};
use crate::minibatch_plan::Learned;
use crate::progress::{TrainingProgress, TrainingStep};
use crate::strength::Strength;

/// Set in the seeds of the games that measure strength, and in no seed of a recipe.
pub(crate) const STRENGTH_SEED_BIT: u64 = 1 << 63;

/// Games of a phase that learns after each ply between two calls of `progress`.
pub(crate) const ONLINE_GAMES_PER_REPORT: u64 = 16;

/// The beginning of the recipe in the file of a net with an unfinished training.
const UNFINISHED_MARK: &str = "# This training";

/// The properties of a training in a recipe of any nets.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The text of the recipe.
    pub text: &'a str,
    /// The purpose of the net, in a line.
    pub description: &'a str,
    /// The seed of the weights and the games.
    pub seed: u64,
    /// The number of phases.
    pub phases: usize,
    /// The number of reports of a phase.
    pub reports: u64,
}

/// A net in training, with everything that its recipe asks for. [`TrainingRun`] leads it through the phases.
pub trait TrainableNet: Sized {
    /// The recipe of such a net.
    type Recipe;
    /// The file of its net.
    type File;
    /// The part of a saved training besides the weights and the [`TrainingState`].
    type Saved: Serialize + DeserializeOwned;

    /// The first line of a saved training. It ends in a number, which rises with every change of the values that train
    /// nets: a training continued with other values would give the weights of neither version.
    const MAGIC: &[u8];

    /// The properties of the training in a recipe.
    fn plan(recipe: &Self::Recipe) -> Plan<'_>;

    /// Begins a recipe, with drawn weights or the weights of the net that it names.
    ///
    /// # Errors
    /// [`TrainingError`] if something that the recipe names cannot be used.
    fn begin(recipe: Self::Recipe, tier: Tier) -> Result<Self, TrainingError>;

    /// The recipe.
    fn recipe(&self) -> &Self::Recipe;

    /// How far the present phase is.
    fn progress(&self, state: &TrainingState) -> TrainingProgress;

    /// Remarks: players under rules that they have not learned; and, once the present phase's number of games or
    /// positions is known, settings that have little or no effect with it.
    fn remarks(&self, _: &TrainingState) -> Vec<String> {
        Vec::new()
    }

    /// True if no played game still waits to be learned from.
    fn has_learned_all(&self) -> bool {
        true
    }

    /// Trains for about a second, by self-play or by steps of the optimiser. Returns whether there is anything new to
    /// save.
    ///
    /// # Errors
    /// [`Divergence`] if the weights or the loss have grown beyond all bounds.
    fn step(&mut self, state: &mut TrainingState, workers: &Workers, cancel: &Cancel) -> Result<bool, Divergence>;

    /// The steps of the phase so far: minibatches learned from, or plies in a phase that learns after each.
    fn steps(&self) -> u64;

    /// Points per game against fixed opponents; `None` if it is cancelled before the end.
    ///
    /// # Errors
    /// [`Divergence`] if the weights are too large to play with.
    fn strengths(&self, workers: &Workers, cancel: &Cancel) -> Result<Option<Vec<Strength>>, Divergence>;

    /// Ends the phase that came before the state's present one.
    fn end_phase(&mut self, _: &mut TrainingState) {}

    /// The demand of the recipe that the net misses at the end; the report is the last one.
    fn missed_demand(&self, _: &TrainingReport) -> Option<MissedDemand> {
        None
    }

    /// How far an unfinished training is, for the file of its net.
    fn stage(progress: &TrainingProgress) -> String;

    /// The file of the net as it is now, with `recipe` as the text of its recipe.
    fn file(&self, recipe: String) -> Self::File;

    /// The text of the recipe in a file.
    fn recipe_in(file: &Self::File) -> &str;

    /// Appends the weights to `weights`, and returns the rest of the state that a restored training needs.
    fn save(&self, weights: &mut Vec<u8>) -> Self::Saved;

    /// Restores a training from its parts as saved after a number of steps.
    ///
    /// # Errors
    /// [`CheckpointError`] if the saved training is not whole, or something that the recipe names has changed.
    fn restore(
        begin: (Self::Recipe, Tier),
        saved: (Self::Saved, u64),
        weights: &[u8],
        state: &mut TrainingState,
    ) -> Result<Self, CheckpointError>;
}

/// The progress of a training through its recipe, and its reports, as they are saved.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TrainingState {
    /// The number of phases that are over. Older files of trainings for Plakoto and Fevga, which have one phase, lack
    /// it.
    #[serde(default)]
    pub(crate) phases: usize,
    /// Games of the phases that are over.
    #[serde(default)]
    pub(crate) games: u64,
    /// Games played in this phase, or minibatches learned from.
    pub(crate) done: u64,
    /// The final value of `done` in this phase; 0 until it is known.
    #[serde(default)]
    pub(crate) all: u64,
    /// The time of this phase, without the measurements of strength.
    pub(crate) elapsed: Duration,
    /// The learning since the last report.
    #[serde(flatten)]
    pub(crate) learned: Learned,
    pub(crate) reports: Vec<TrainingReport>,
}

/// How far a training was, and how strong its net was.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingReport {
    /// The phase, from 1 on.
    pub phase: usize,
    /// Games played in the phase, or positions learned from if it is a supervised one.
    pub done: u64,
    /// The final value of `done` in the phase.
    pub of: u64,
    /// The unit of `done` and `of`.
    #[serde(rename = "in_positions")]
    pub unit: Unit,
    /// Wall-clock time of the phase, without the measurements of strength.
    pub elapsed: Duration,
    /// The mean loss of a position since the report before; `None` if nothing was learned.
    pub loss: Option<f64>,
    /// Points per game against fixed opponents.
    pub strengths: Vec<Strength>,
}

/// The unit of the progress of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum Unit {
    /// Games played.
    Games,
    /// Positions learned from.
    Positions,
}

impl From<bool> for Unit {
    fn from(in_positions: bool) -> Unit {
        if in_positions { Unit::Positions } else { Unit::Games }
    }
}

impl From<Unit> for bool {
    fn from(unit: Unit) -> bool {
        unit == Unit::Positions
    }
}

/// A training: a net, and how far it is in its recipe.
#[derive(Clone, Debug)]
pub struct TrainingRun<T> {
    pub(crate) trainee: T,
    pub(crate) state: TrainingState,
}

impl<T: TrainableNet> TrainingRun<T> {
    /// Begins a recipe, with drawn weights or the weights of the net that it names. All players and nets that the
    /// recipe names are read here.
    ///
    /// # Errors
    /// [`TrainingError`] if a player or net that the recipe names cannot be used, or the net to start from has
    /// another shape than the recipe asks for.
    pub fn begin(recipe: T::Recipe, tier: Tier) -> Result<TrainingRun<T>, TrainingError> {
        Ok(TrainingRun { trainee: T::begin(recipe, tier)?, state: TrainingState::default() })
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &T::Recipe {
        self.trainee.recipe()
    }

    /// The properties of the training in its recipe.
    #[must_use]
    pub fn plan(&self) -> Plan<'_> {
        T::plan(self.recipe())
    }

    /// The net as it is now, as a file. The file has the recipe; unless the training [is done](TrainingRun::is_done), a
    /// line before the recipe says how far it was.
    #[must_use]
    pub fn file(&self) -> T::File {
        let text = self.plan().text;
        self.trainee.file(match (self.progress(), self.missed_demand()) {
            (None, None) => text.to_owned(),
            (None, Some(missed)) => format!("{UNFINISHED_MARK} ended, and {missed}.\n{text}"),
            (Some(progress), _) => format!("{UNFINISHED_MARK} has not ended: it {}.\n{text}", T::stage(&progress)),
        })
    }

    /// Whether a file is the net of a training by this recipe that [is done](TrainingRun::is_done).
    #[must_use]
    pub fn made(recipe: &T::Recipe, file: &T::File) -> bool {
        T::recipe_in(file) == T::plan(recipe).text
    }

    /// Whether the file holds the unfinished net of a training by this recipe.
    #[must_use]
    pub fn began(recipe: &T::Recipe, file: &T::File) -> bool {
        let line = T::recipe_in(file).strip_suffix(T::plan(recipe).text);
        line.is_some_and(|line| line.starts_with(UNFINISHED_MARK) && line.matches('\n').count() == 1)
    }

    /// The reports so far.
    #[must_use]
    pub fn reports(&self) -> &[TrainingReport] {
        &self.state.reports
    }

    /// Whether the training has come to the end of its recipe.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.state.phases >= self.plan().phases
    }

    /// The demand of the recipe that the net misses; `None` if it misses no demand, or the training has not ended.
    #[must_use]
    pub fn missed_demand(&self) -> Option<MissedDemand> {
        let last = self.reports().last().filter(|_| self.has_ended())?;
        self.trainee.missed_demand(last)
    }

    /// Whether the training has ended, and the net is as strong as the recipe demands.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.has_ended() && self.missed_demand().is_none()
    }

    /// How far the present phase is; `None` if the training has ended.
    #[must_use]
    pub fn progress(&self) -> Option<TrainingProgress> {
        (!self.has_ended()).then(|| self.trainee.progress(&self.state))
    }

    /// Remarks in sentences: players under rules that they have not learned, and settings that have little or no effect
    /// with the present phase's number of games or positions. `progress` of [`TrainingRun::run`] finds the settings
    /// when the phase begins to learn.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        match self.has_ended() {
            true => Vec::new(),
            false => self.trainee.remarks(&self.state),
        }
    }

    /// Trains to the end of the recipe, or until it is cancelled. Returns whether it came to the end.
    ///
    /// When cancelled it stops within a fraction of a second, unless a player or evaluator of the recipe takes longer
    /// over a ply. `progress` is called at least every few seconds; there may be a new report then.
    ///
    /// # Errors
    /// [`TrainingError::Diverged`] if the loss or a weight is not a finite number, or the weights become too large to
    /// play with, as they do at too high a rate.
    ///
    /// # Panics
    /// If this CPU lacks the tier, or one of the workers calls this.
    pub fn run(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        mut progress: impl FnMut(&TrainingRun<T>),
    ) -> Result<bool, TrainingError> {
        while !self.has_ended() {
            let is_news = if self.report_is_due() {
                self.report(workers, cancel)?;
                true
            } else {
                let start = Instant::now();
                let is_news = self.trainee.step(&mut self.state, workers, cancel);
                let is_news = is_news.map_err(|reason| self.diverged(reason))?;
                self.state.elapsed += start.elapsed();
                is_news
            };
            if is_news {
                progress(self);
            }
            // After `progress`, which saves the work so far and may cancel.
            if cancel.is_cancelled() {
                return Ok(self.has_ended());
            }
        }
        Ok(true)
    }

    /// The error of weights that have grown beyond all bounds.
    fn diverged(&self, reason: Divergence) -> TrainingError {
        TrainingError::Diverged { phase: self.state.phases + 1, step: self.trainee.steps(), reason }
    }

    /// Whether the phase has come to its end, except for the last report.
    fn phase_is_over(&self) -> bool {
        let TrainingState { done, all, .. } = self.state;
        all > 0 && done >= all && self.trainee.has_learned_all()
    }

    /// Whether the strength of the net is to be measured now.
    fn report_is_due(&self) -> bool {
        let TrainingState { done, all, phases, .. } = self.state;
        let times = self.plan().reports;
        // In 128 bits: there may be 2^63 games and 10,000 reports.
        let due = |done: u64, of: u64| u128::from(done) * u128::from(times) / u128::from(of);
        let last = self.reports().last().filter(|report| report.phase == phases + 1);
        let reported = last.map_or(0, |report| due(report.done, report.of));
        let is_due = || {
            let TrainingProgress { done, of, .. } = self.trainee.progress(&self.state);
            due(done, of) > reported
        };
        self.phase_is_over() || done < all && is_due()
    }

    /// Makes a report, and begins the next phase if this one is over. If cancelled, the report stays due.
    fn report(&mut self, workers: &Workers, cancel: &Cancel) -> Result<(), TrainingError> {
        let strengths = self.trainee.strengths(workers, cancel);
        let Some(strengths) = strengths.map_err(|reason| self.diverged(reason))? else {
            return Ok(());
        };
        let is_over = self.phase_is_over();
        let TrainingProgress { step, done, of, .. } = self.trainee.progress(&self.state);
        let state = &mut self.state;
        state.reports.push(TrainingReport {
            phase: state.phases + 1,
            done,
            of,
            unit: match step {
                TrainingStep::Learn => Unit::Positions,
                TrainingStep::Play | TrainingStep::Value => Unit::Games,
            },
            elapsed: state.elapsed,
            loss: state.learned.mean_loss(),
            strengths,
        });
        state.learned = Learned::default();
        if is_over {
            state.phases += 1;
            (state.done, state.all, state.elapsed) = (0, 0, Duration::ZERO);
            self.trainee.end_phase(state);
        }
        Ok(())
    }
}
