//! A training run.

use core::time::Duration;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{FirstRoll, Playouts, Tier};
use tavli_players::net::{IntegerError, IntegerNetwork, MoveFilter, NetPlayer, Network, PlayerFile};
use tavli_run::{Cancel, Workers};
use thiserror::Error;

use crate::example_builder::{ExampleBuilder, Source, TargetEvaluators};
use crate::examples::Examples;
use crate::games::Exploration;
use crate::initial::draw;
use crate::inputs::{InputError, Inputs, read_net};
use crate::minibatch_plan::{Halt, Learned, LearningResult, Minibatch, MinibatchPlan};
use crate::net::{Learner, PaddedNet};
use crate::online::OnlineLearner;
use crate::progress::{Progress, Step};
use crate::recipe::{self, Phase, Recipe, SelfPlay, Supervised, Targets};
use crate::rounds::{self, RoundGames};
use crate::strength::{Opponent, Strength};
use crate::teachers::{OnePlyAhead, ShortRollouts, Teacher};

/// Set in the seeds of the games that measure strength, and in no seed of a recipe.
pub(crate) const STRENGTH: u64 = 1 << 63;
/// Games of an online phase between two calls of `watch`.
pub(crate) const ONLINE_GAMES: u64 = 16;
/// About the positions of a supervised phase between two calls of `watch`.
const POSITIONS: usize = 1 << 15;

/// The beginning of the recipe in a player's file whose training is not done.
pub(crate) const UNDONE: &str = "# This training";

/// A training: a net, and how far it is in its recipe.
#[derive(Clone, Debug)]
pub struct Training {
    pub(crate) recipe: Recipe,
    pub(crate) inputs: Inputs,
    pub(crate) learner: Learner,
    pub(crate) cursor: RecipeCursor,
    /// The examples that the phase learns from now; `None` if they are still to be made.
    pub(crate) examples: Option<Arc<Examples>>,
    /// The examples of a supervised phase while they are made.
    pub(crate) builder: Option<ExampleBuilder>,
    pub(crate) learned: Learned,
    pub(crate) reports: Vec<Report>,
}

/// Where in its recipe a training is.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecipeCursor {
    /// Phases that are over.
    pub(crate) phases: usize,
    /// Games of the phases that are over.
    pub(crate) games: u64,
    /// Games played in this phase, or minibatches learned from.
    pub(crate) done: u64,
    /// What `done` counts to in this phase; 0 until it is known.
    pub(crate) all: u64,
    /// The net that plays the games that are learned from next.
    pub(crate) player: Option<Arc<PaddedNet>>,
    /// The time of this phase, without the measurements of strength.
    pub(crate) elapsed: Duration,
}

/// How far a training was, and how strong its net was.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The phase, from 1 on.
    pub phase: usize,
    /// Games played in the phase, or positions learned from if it is a supervised one.
    pub done: u64,
    /// What `done` counts to in the phase.
    pub of: u64,
    /// What is counted.
    pub unit: Unit,
    /// Wall-clock time of the phase, without the measurements of strength.
    pub elapsed: Duration,
    /// The mean loss of a position since the report before; `None` if nothing was learned.
    pub loss: Option<f64>,
    /// Points per game against fixed opponents.
    pub strengths: Vec<Strength>,
}

/// A net that is weaker than its recipe demands.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("the net makes {points:+.3} points per game against pubeval; its recipe demands {least:+.3}")]
pub struct MissedDemand {
    /// Points per game against pubeval at the end.
    pub points: f64,
    /// What the recipe demands.
    pub least: f64,
}

/// What the progress of a phase is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Games played.
    Games,
    /// Positions learned from.
    Positions,
}

/// Why a training cannot begin or go on.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// Something that the recipe names cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The net to start from has another shape.
    #[error("the net to start from has {found}; the recipe asks for {expected}")]
    Shape {
        /// What it has.
        found: String,
        /// What the recipe asks for.
        expected: String,
    },
    /// The weights or the loss have grown beyond all bounds.
    #[error("phase {phase}, step {step}: {reason}; a lower rate may help")]
    Diverged {
        /// The phase, from 1 on.
        phase: usize,
        /// The steps of the phase so far: minibatches learned from, or plies in a phase that learns after each.
        step: u64,
        /// The reason.
        reason: Divergence,
    },
}

/// The largest weight of a net for Plakoto and Fevga that goes on training.
pub(crate) const LARGEST_WEIGHT: f32 = 16_384.0;

/// How weights have grown beyond all bounds.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum Divergence {
    /// The loss is infinite or not a number.
    #[error("the loss is not a finite number")]
    Loss,
    /// A weight is infinite or not a number.
    #[error("a weight is not a finite number")]
    Weight,
    /// A weight has grown so large that the values of the net mean nothing.
    #[error("a weight has grown beyond {LARGEST_WEIGHT}, and the values of the net mean nothing")]
    LargeWeight,
    /// The weights are too large to play with.
    #[error(transparent)]
    Integers(#[from] IntegerError),
}

impl Training {
    /// Begins a recipe, with drawn weights or those of the net that it names. All players and nets that the recipe
    /// names are read here.
    ///
    /// # Errors
    /// [`TrainingError`] if a player or net that the recipe names cannot be used, or the net to start from has
    /// another shape than the recipe asks for.
    pub fn new(recipe: Recipe, tier: Tier) -> Result<Training, TrainingError> {
        let inputs = Inputs::read(&recipe)?;
        let drawn = draw(&recipe.net, recipe.seed);
        let network = match &recipe.net.from {
            None => drawn,
            Some(path) => {
                let (network, _) = read_net("net.from", path)?;
                let [expected, found] = [&drawn, &network].map(shape);
                if expected != found {
                    return Err(TrainingError::Shape { found, expected });
                }
                network
            }
        };
        let (method, loss) = recipe.phases[0].optimiser();
        Ok(Training {
            learner: Learner::new(tier, method, loss, &network),
            recipe,
            inputs,
            cursor: RecipeCursor::default(),
            examples: None,
            builder: None,
            learned: Learned::default(),
            reports: Vec::new(),
        })
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The net as it is now.
    #[must_use]
    pub fn network(&self) -> Network {
        self.learner.net().to_network()
    }

    /// The net as it is now, as the file of a player. The file has the recipe; unless the training [is
    /// done](Training::is_done), a line before the recipe says how far it was.
    #[must_use]
    pub fn player_file(&self) -> PlayerFile {
        let filter = self.recipe.first.as_ref().map(|first| MoveFilter {
            plays: first.plays,
            margin: first.margin,
        });
        let text = self.recipe.text();
        let recipe = match (self.progress(), self.missed_demand()) {
            (None, None) => text.to_owned(),
            (None, Some(missed)) => format!("{UNDONE} ended, and {missed}.\n{text}"),
            (Some(Progress { phase, phases, .. }), _) => {
                format!("{UNDONE} has not ended: it is in phase {phase} of {phases}.\n{text}")
            }
        };
        PlayerFile {
            net: self.network(),
            first: filter.zip(self.inputs.first.clone()),
            recipe,
        }
    }

    /// Whether a file is the net of a training by this recipe that [is done](Training::is_done).
    #[must_use]
    pub fn made(recipe: &Recipe, file: &PlayerFile) -> bool {
        file.recipe == recipe.text()
    }

    /// Whether a file is the net of a training by this recipe that is not done.
    #[must_use]
    pub fn began(recipe: &Recipe, file: &PlayerFile) -> bool {
        is_undone(&file.recipe, recipe.text())
    }

    /// The reports so far.
    #[must_use]
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// Whether the training has come to the end of its recipe.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.cursor.phases == self.recipe.phases.len()
    }

    /// The demand of the recipe that the net misses; `None` if it misses none, or the training has not ended.
    #[must_use]
    pub fn missed_demand(&self) -> Option<MissedDemand> {
        let least = self.recipe.report.pubeval_at_least?;
        let last = self.reports.last().filter(|_| self.has_ended())?;
        let mut strengths = last.strengths.iter();
        let pubeval = strengths.find(|strength| strength.opponent == Opponent::Pubeval)?;
        let points = pubeval.points.mean;
        (points < least).then_some(MissedDemand { points, least })
    }

    /// Whether the training has ended, and the net is as strong as the recipe demands.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.has_ended() && self.missed_demand().is_none()
    }

    /// How far the present phase is; `None` if the training has ended.
    #[must_use]
    pub fn progress(&self) -> Option<Progress> {
        let phase = self.recipe.phases.get(self.cursor.phases)?;
        let done = self.cursor.done;
        let (step, done, of) = match (phase, &self.examples, &self.builder) {
            (Phase::SelfPlay(_) | Phase::Online(_), _, _) => (Step::Play, done, phase.games()),
            (Phase::Supervised(phase), Some(examples), _) => {
                let of = examples.len() as u64 * phase.epochs.get();
                let done = done * phase.learning.minibatch() as u64;
                (Step::Learn, of.min(done), of)
            }
            (Phase::Supervised(_), None, Some(builder)) => builder.progress(),
            (Phase::Supervised(phase), None, None) => (Step::Play, 0, phase.games.get()),
        };
        Some(Progress {
            phase: self.cursor.phases + 1,
            phases: self.recipe.phases.len(),
            step,
            done,
            of,
        })
    }

    /// Trains to the end of the recipe, or until it is cancelled. Returns whether it came to the end.
    ///
    /// When cancelled it stops within a fraction of a second, unless a player or evaluator of the recipe takes longer
    /// over a ply. `watch` is called at least every few seconds; there may be a new report then.
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
        mut watch: impl FnMut(&Training),
    ) -> Result<bool, TrainingError> {
        while let Some(phase) = self.recipe.phases.get(self.cursor.phases) {
            let phase = phase.clone();
            let mut is_news = true;
            if self.report_is_due(&phase) {
                self.report(workers, cancel, &phase)?;
            } else {
                let start = Instant::now();
                match &phase {
                    Phase::SelfPlay(phase) => self.play_round(workers, cancel, phase)?,
                    Phase::Online(phase) => self.play_online(workers, cancel, phase)?,
                    Phase::Supervised(phase) if self.examples.is_some() => {
                        self.learn_some(workers, cancel, phase)?;
                    }
                    Phase::Supervised(phase) => {
                        self.prepare(workers, cancel, phase)?;
                        // Examples are not saved: whoever saves the training now would make them again.
                        is_news = self.builder.is_some();
                    }
                }
                self.cursor.elapsed += start.elapsed();
            }
            if is_news {
                watch(self);
            }
            if cancel.is_cancelled() {
                return Ok(self.has_ended());
            }
        }
        Ok(true)
    }

    /// How many games or positions a report counts for each step of [`RecipeCursor::done`].
    fn each(phase: &Phase) -> u64 {
        match phase {
            Phase::SelfPlay(_) | Phase::Online(_) => 1,
            Phase::Supervised(phase) => phase.learning.minibatch() as u64,
        }
    }

    /// Whether the strength of the net is to be measured now.
    fn report_is_due(&self, phase: &Phase) -> bool {
        let RecipeCursor { done, all, .. } = self.cursor;
        let times = self.recipe.report.times.get();
        let due = |done: u64| u128::from(done) * u128::from(times) / u128::from(all);
        let last = self.reports.last();
        let last = last.filter(|report| report.phase == self.cursor.phases + 1);
        let reported = last.map_or(0, |report| report.done / Training::each(phase));
        // Self-play counts a round's games when they are played, and learns from them in the round after.
        let is_over = all > 0 && done >= all && self.cursor.player.is_none();
        is_over || done < all && due(done) > due(reported)
    }

    /// Makes a report, and begins the next phase if this one is over. If cancelled, the report stays due.
    fn report(&mut self, workers: &Workers, cancel: &Cancel, phase: &Phase) -> Result<(), TrainingError> {
        let Some(strengths) = self.strengths(workers, cancel)? else {
            return Ok(());
        };
        let RecipeCursor { done, all, .. } = self.cursor;
        let each = Training::each(phase);
        let unit = match phase {
            Phase::SelfPlay(_) | Phase::Online(_) => Unit::Games,
            Phase::Supervised(_) => Unit::Positions,
        };
        self.reports.push(Report {
            phase: self.cursor.phases + 1,
            done: done * each,
            of: all * each,
            unit,
            elapsed: self.cursor.elapsed,
            loss: self.learned.mean_loss(),
            strengths,
        });
        self.learned = Learned::default();
        if done >= all && self.cursor.player.is_none() {
            self.cursor = RecipeCursor {
                phases: self.cursor.phases + 1,
                games: self.cursor.games + phase.games(),
                ..RecipeCursor::default()
            };
            self.examples = None;
            if let Some(next) = self.recipe.phases.get(self.cursor.phases) {
                let (method, loss) = next.optimiser();
                let network = self.learner.net().to_network();
                self.learner = Learner::new(self.learner.tier, method, loss, &network);
            }
        }
        Ok(())
    }

    /// The error of weights that have grown beyond all bounds.
    fn diverged(&self, reason: impl Into<Divergence>) -> TrainingError {
        TrainingError::Diverged {
            phase: self.cursor.phases + 1,
            step: self.learner.steps,
            reason: reason.into(),
        }
    }

    /// Adds what was learned, and fails if the loss or a weight is not a finite number.
    fn add(&mut self, LearningResult { learned, halt, .. }: LearningResult) -> Result<(), TrainingError> {
        self.learned.add(learned);
        match halt {
            // The loss is that of the weights after the last step.
            Some(Halt::LossNotFinite) => Err(self.diverged(Divergence::Loss)),
            _ if !self.learner.net().is_finite() => Err(self.diverged(Divergence::Weight)),
            _ => Ok(()),
        }
    }

    /// The player of a net.
    fn player(&self, net: &PaddedNet) -> Result<Arc<NetPlayer>, TrainingError> {
        let integers = IntegerNetwork::new(&net.to_network());
        let integers = integers.map_err(|reason| self.diverged(reason))?;
        Ok(Arc::new(NetPlayer::new("training", integers)))
    }

    /// Games of the recipe's rules, which begin without doubles.
    fn playouts(&self, seed: u64) -> Playouts {
        let rules = self.recipe.rules;
        Playouts::new(rules.start(), rules, seed)
            .expect("a game can start at the start of its rules")
            .with_first_roll(FirstRoll::Open)
    }

    /// A round of self-play: the net plays while it learns from the round before. If cancelled, nothing has changed.
    fn play_round(&mut self, workers: &Workers, cancel: &Cancel, phase: &SelfPlay) -> Result<(), TrainingError> {
        let SelfPlay {
            games: of,
            lambda,
            round,
            minibatch_games,
            learning,
        } = phase;
        let (of, round) = (of.get(), round.get());
        let tier = self.learner.tier;
        let playouts = self.playouts(self.recipe.seed);
        let first = self.cursor.games;
        let games = |from: u64, net: &Arc<PaddedNet>| -> Result<RoundGames, TrainingError> {
            Ok(RoundGames {
                playouts,
                numbers: first + from..first + of.min(from + round),
                player: self.player(net)?,
                net: Arc::clone(net),
                lambda: lambda.at(from as f64 / of as f64) as f32,
            })
        };
        let done = self.cursor.done;
        let mut plan = None;
        if let Some(net) = &self.cursor.player {
            let from = (done - 1) / round * round;
            let examples = match &self.examples {
                Some(examples) => Arc::clone(examples),
                None => {
                    let games = games(from, net)?;
                    match rounds::run(workers, tier, None, Some(games), cancel) {
                        Some((examples, _)) => Arc::new(examples),
                        None => return Ok(()),
                    }
                }
            };
            let seed = self.seed(first + from);
            let rate = learning.rate.at(from as f64 / of as f64);
            plan = Some(match minibatch_games {
                Some(games) => MinibatchPlan::from_games(examples, games.get(), seed, rate),
                None => MinibatchPlan::from_positions(examples, learning.minibatch(), seed, rate),
            });
        }
        let net = Arc::new(self.learner.net().clone());
        let to_play = (done < of).then(|| games(done, &net)).transpose()?;
        let player = to_play.is_some().then_some(net);
        let learner = Arc::new(Mutex::new(self.learner.clone()));
        let lesson = plan.map(|plan| (Arc::clone(&learner), plan));
        let Some((examples, result)) = rounds::run(workers, tier, lesson, to_play, cancel) else {
            return Ok(());
        };
        self.cursor.player = player;
        (self.cursor.done, self.cursor.all) = (of.min(done + round), of);
        self.learner = learner.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.examples = Some(Arc::new(examples));
        self.add(result)
    }

    /// Some games of an online phase.
    fn play_online(&mut self, workers: &Workers, cancel: &Cancel, phase: &recipe::Online) -> Result<(), TrainingError> {
        let done = self.cursor.done;
        let of = phase.games.get();
        let games = done..of.min(done + ONLINE_GAMES);
        let parts = games.map(|game| game as f64 / of as f64);
        let rates: Vec<(f32, f32)> = parts
            .map(|part| (phase.lambda.at(part) as f32, phase.rate.at(part) as f32))
            .collect();
        let (playouts, first) = (self.playouts(self.recipe.seed), self.cursor.games + done);
        let network = self.learner.net().to_network();
        let cancel = cancel.clone();
        let shares = workers.each(move |worker| {
            // Each game needs the weights after the one before, so other workers have nothing to do.
            (worker == 0).then(|| {
                let mut online = OnlineLearner::new(network.clone(), 0.0);
                let (mut result, mut played) = (LearningResult::default(), 0);
                for (game, &(lambda, rate)) in (first..).zip(&rates) {
                    if cancel.is_cancelled() {
                        break;
                    }
                    online.lambda = lambda;
                    let learned = online.play(&playouts, game, rate);
                    result.halt = learned.is_err().then_some(Halt::LossNotFinite);
                    result.learned.add(learned.unwrap_or_else(|learned| learned));
                    if result.halt.is_some() {
                        break;
                    }
                    played += 1;
                }
                (online.net, result, played)
            })
        });
        self.cursor.all = of;
        for (network, result, played) in shares.into_iter().flatten() {
            let Learner { tier, loss, steps, .. } = self.learner;
            self.learner = Learner::new(tier, recipe::Method::Sgd, loss, &network);
            // A step after each ply.
            self.learner.steps = steps + result.learned.positions;
            self.cursor.done += played;
            self.add(result)?;
        }
        Ok(())
    }

    /// A seed for shuffling, made from the recipe's seed and a number.
    fn seed(&self, number: u64) -> u64 {
        // The increment of SplitMix64, so that neighbouring numbers have distant seeds.
        let distant = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.recipe.seed.wrapping_add(distant)
    }

    /// Makes some of the examples of a supervised phase.
    fn prepare(&mut self, workers: &Workers, cancel: &Cancel, phase: &Supervised) -> Result<(), TrainingError> {
        let tier = self.learner.tier;
        let builder = match self.builder.take() {
            Some(builder) => builder,
            None => self.unlabelled(phase)?,
        };
        let builder = self.builder.insert(builder);
        if let Some(examples) = builder.go_on(workers, tier, cancel) {
            self.builder = None;
            self.examples = Some(Arc::new(examples));
        }
        Ok(())
    }

    /// A builder of the examples of a supervised phase.
    fn unlabelled(&mut self, phase: &Supervised) -> Result<ExampleBuilder, TrainingError> {
        let net = self.learner.net();
        let net = (self.cursor.player).get_or_insert_with(|| Arc::new(net.clone()));
        let net = Arc::clone(net);
        let player = self.player(&net)?;
        let policy = match &phase.teacher {
            None => Arc::<NetPlayer>::clone(&player),
            Some(name) => self.inputs.policy(name),
        };
        let explorer = phase.explorer.as_deref();
        let explorer = explorer.map(|name| self.inputs.policy(name));
        let evaluator = match &phase.evaluator {
            None => player,
            Some(name) => self.inputs.evaluator(name),
        };
        let source = Source {
            playouts: self.playouts(self.recipe.seed),
            policy: Arc::clone(&policy),
            exploration: Exploration {
                share: phase.exploration,
                explorer,
            },
            games: self.cursor.games..self.cursor.games + phase.games.get(),
            every: phase.every.get(),
        };
        let before = Arc::clone(&evaluator);
        let teacher = Teacher { policy, evaluator };
        // How many plies later the evaluator's value is from which a target is made.
        let ahead = match phase.targets {
            Targets::Evaluation {} => 0,
            Targets::LookAhead { .. } => 1,
            Targets::Rollout { plies, .. } => plies.get() as usize,
        };
        let targets: Arc<dyn Evaluator> = match phase.targets {
            Targets::Evaluation {} => teacher.evaluator,
            Targets::LookAhead { before } => Arc::new(OnePlyAhead { teacher, before }),
            Targets::Rollout { games, plies } => Arc::new(ShortRollouts {
                teacher,
                games,
                plies,
                seed: self.seed(self.cursor.games),
            }),
        };
        let valuers = TargetEvaluators {
            targets,
            before,
            lambda: phase.lambda,
            ahead,
        };
        Ok(ExampleBuilder::new(source, valuers, (net.outputs(), net.row())))
    }

    /// Learns from some minibatches of a supervised phase.
    fn learn_some(&mut self, workers: &Workers, cancel: &Cancel, phase: &Supervised) -> Result<(), TrainingError> {
        let examples = self.examples.as_ref().expect("they are prepared");
        let minibatch = phase.learning.minibatch();
        let of_epoch = examples.len().div_ceil(minibatch);
        let of = of_epoch as u64 * phase.epochs.get();
        let done = self.cursor.done;
        let (epoch, from) = (done / of_epoch as u64, (done % of_epoch as u64) as usize);
        let to = of_epoch.min(from + POSITIONS.div_ceil(minibatch));
        let mut order = MinibatchPlan::shuffled(examples.len(), self.seed(self.cursor.games + epoch));
        order.truncate(to * minibatch);
        order.drain(..from * minibatch);
        let rate = |number: usize| phase.rate_at(done + number as u64, of);
        let plan = MinibatchPlan {
            examples: Arc::clone(examples),
            minibatches: Minibatch::split(order.len(), minibatch, rate),
            order,
        };
        let result = plan.learn_together(workers, &mut self.learner, cancel);
        self.cursor.all = of;
        self.cursor.done += result.minibatches as u64;
        if self.cursor.done == of {
            self.cursor.player = None;
        }
        self.add(result)
    }

    /// Measures the net against fixed opponents; `None` if cancelled.
    fn strengths(&self, workers: &Workers, cancel: &Cancel) -> Result<Option<Vec<Strength>>, TrainingError> {
        let tier = self.learner.tier;
        let playouts = self.playouts(self.recipe.seed | STRENGTH);
        let policy: Arc<dyn Policy> = self.player(self.learner.net())?;
        let pairs = self.recipe.report.games.get().div_ceil(2);
        let measure = |&opponent| Strength::measure(workers, tier, &playouts, &policy, opponent, pairs, cancel);
        Ok(Opponent::OF_BACKGAMMON.iter().map(measure).collect())
    }
}

/// Whether the recipe in a file is this one with the line before it that says that the training is not done.
pub(crate) fn is_undone(in_file: &str, recipe: &str) -> bool {
    let rest = in_file.strip_suffix(recipe);
    rest.is_some_and(|line| line.starts_with(UNDONE) && line.matches('\n').count() == 1)
}

/// A net's shape in words.
fn shape(network: &Network) -> String {
    let hidden: Vec<String> = network.layers()[..network.layers().len() - 1]
        .iter()
        .map(|layer| layer.outputs().to_string())
        .collect();
    format!(
        "encoder {}, hidden units [{}], activation {}, outputs {}",
        network.encoder().name(),
        hidden.join(", "),
        network.activation().name(),
        network.outputs().name()
    )
}
