//! A training run.

use core::time::Duration;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{FirstRoll, Playouts, Tier};
use tavli_players::named::{self, NamedError};
use tavli_players::net::{IntegerError, IntegerNetwork, NetPlayer, Network, PlayerFile, Stages};
use tavli_run::{Cancel, Workers};
use thiserror::Error;

use crate::course::{Course, Learned, Minibatch};
use crate::examples::Examples;
use crate::games::Strays;
use crate::initial::draw;
use crate::labels::{Labels, Source, Valuers};
use crate::net::{Learner, Padded};
use crate::online::Online;
use crate::progress::{Progress, Step};
use crate::recipe::{self, Phase, Recipe, SelfPlay, Supervised, Targets};
use crate::rounds::{self, Games};
use crate::strength::{Opponent, Strength};
use crate::teachers::{OnePlyAhead, ShortRollouts, Teacher};

/// Seeds from here on are those of the games that measure strength.
const STRENGTH: u64 = 1 << 63;
/// Games that are learned from while they go on, between two looks at the switch.
const ONLINE_GAMES: u64 = 16;
/// Positions that are learned from between two looks at the switch, about.
const POSITIONS: usize = 1 << 15;

/// A net on its way through a recipe.
#[derive(Clone, Debug)]
pub struct Training {
    pub(crate) recipe: Recipe,
    pub(crate) learner: Learner,
    pub(crate) place: Place,
    /// The examples that the phase learns from now, unless they are still to be made.
    pub(crate) examples: Option<Arc<Examples>>,
    /// Positions that become examples, while they do.
    pub(crate) labels: Option<Labels>,
    pub(crate) learned: Learned,
    /// The net that ranks plays first in the player's file.
    pub(crate) first: Option<Network>,
    pub(crate) reports: Vec<Report>,
}

/// How far a training is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// Phases that are over.
    pub(crate) phases: usize,
    /// Games of those.
    pub(crate) games: u64,
    /// Games played in this phase, or minibatches learned from.
    pub(crate) done: u64,
    /// The net that plays the games whose examples are learned from next.
    pub(crate) player: Option<Arc<Padded>>,
    /// The time of this phase, without the measurements of strength.
    pub(crate) elapsed: Duration,
}

/// How far a training was, and how good.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The phase, from 1 on.
    pub phase: usize,
    /// Games played in the phase, or positions learned from if it is a supervised one.
    pub done: u64,
    /// All that the phase has.
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

/// What the progress of a phase is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Games played.
    Games,
    /// Positions learned from.
    Positions,
}

/// Why a training cannot begin.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// The net to start from has another shape.
    #[error("the net to start from has {found}; the recipe asks for {expected}")]
    Shape {
        /// What it has.
        found: String,
        /// What the recipe asks for.
        expected: String,
    },
    /// The weights have grown beyond all bounds.
    #[error("phase {phase} after {done}: {reason}; a lower rate may help")]
    Diverged {
        /// The phase, from 1 on.
        phase: usize,
        /// Games played in the phase, or minibatches learned from.
        done: u64,
        /// The reason.
        reason: IntegerError,
    },
    /// A player whom the recipe names is not there, or values no positions.
    #[error("phase {phase}: {reason}")]
    Teacher {
        /// The phase, from 1 on.
        phase: usize,
        /// Why there is none.
        reason: NamedError,
    },
}

impl Training {
    /// The beginning of a recipe: with drawn weights, or with those of a net.
    ///
    /// # Errors
    /// [`TrainingError`] if the net has another shape than the recipe asks for, or a player that is to teach is not
    /// there.
    pub fn new(
        recipe: Recipe,
        tier: Tier,
        from: Option<Network>,
    ) -> Result<Training, TrainingError> {
        let drawn = draw(&recipe.net, recipe.seed);
        let network = match from {
            None => drawn,
            Some(network) => {
                let [expected, found] = [&drawn, &network].map(shape);
                if expected != found {
                    return Err(TrainingError::Shape { found, expected });
                }
                network
            }
        };
        for (phase, of_recipe) in (1..).zip(&recipe.phases) {
            if let Phase::Supervised(Supervised {
                teacher,
                evaluator,
                strayer,
                ..
            }) = of_recipe
            {
                let wrong = |reason| TrainingError::Teacher { phase, reason };
                for player in [teacher, strayer].into_iter().flatten() {
                    named::policy(player).map_err(wrong)?;
                }
                evaluator
                    .as_deref()
                    .map(named::evaluator)
                    .transpose()
                    .map_err(wrong)?;
            }
        }
        let (method, loss) = recipe.phases[0].optimiser();
        Ok(Training {
            learner: Learner::new(tier, method, loss, &network),
            recipe,
            place: Place::default(),
            examples: None,
            labels: None,
            learned: Learned::default(),
            first: None,
            reports: Vec::new(),
        })
    }

    /// The same with the net of the recipe's [first](Recipe::first) player.
    #[must_use]
    pub fn with_first(self, net: Network) -> Training {
        Training {
            first: Some(net),
            ..self
        }
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The net as it is.
    #[must_use]
    pub fn network(&self) -> Network {
        self.learner.net().to_network()
    }

    /// The net as it is, as the file of a player.
    #[must_use]
    pub fn player_file(&self) -> PlayerFile {
        let stages = self.recipe.first.as_ref().map(|first| Stages {
            plays: first.plays,
            margin: first.margin,
        });
        PlayerFile {
            net: self.network(),
            first: stages.zip(self.first.clone()),
            recipe: self.recipe.text().to_owned(),
        }
    }

    /// The reports so far.
    #[must_use]
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// Whether it has come to the end of the recipe.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.place.phases == self.recipe.phases.len()
    }

    /// How far the present phase is; `None` if the training has ended.
    #[must_use]
    pub fn progress(&self) -> Option<Progress> {
        let phase = self.recipe.phases.get(self.place.phases)?;
        let done = self.place.done;
        let (step, done, of) = match (phase, &self.examples, &self.labels) {
            (Phase::SelfPlay(_) | Phase::Online(_), _, _) => (Step::Play, done, phase.games()),
            (Phase::Supervised(phase), Some(examples), _) => {
                let of = examples.len() as u64 * phase.epochs.get();
                let done = done * phase.learning.minibatch.get() as u64;
                (Step::Learn, of.min(done), of)
            }
            (Phase::Supervised(_), None, Some(labels)) => labels.progress(),
            (Phase::Supervised(phase), None, None) => (Step::Play, 0, phase.games.get()),
        };
        Some(Progress {
            phase: self.place.phases + 1,
            phases: self.recipe.phases.len(),
            step,
            done,
            of,
        })
    }

    /// Goes on to the end of the recipe, or until it is cancelled. `watch` is called every few seconds or more often, when
    /// the training can be saved; there may be another report then. Returns whether it came to the end.
    ///
    /// # Errors
    /// [`TrainingError::Diverged`] if the weights become too large to play with, as they do at too high a rate.
    ///
    /// # Panics
    /// If this CPU lacks the tier, or one of the workers calls this.
    pub fn run(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        mut watch: impl FnMut(&Training),
    ) -> Result<bool, TrainingError> {
        while let Some(phase) = self.recipe.phases.get(self.place.phases) {
            let phase = phase.clone();
            let start = Instant::now();
            let before = self.place.done;
            let of = match &phase {
                Phase::SelfPlay(phase) => {
                    self.play_round(workers, phase)?;
                    (phase.games.get(), 1)
                }
                Phase::Online(phase) => {
                    self.play_online(workers, phase);
                    (phase.games.get(), 1)
                }
                Phase::Supervised(phase) if self.examples.is_some() => {
                    self.learn_some(workers, phase)
                }
                Phase::Supervised(phase) => {
                    self.prepare(workers, cancel, phase)?;
                    self.place.elapsed += start.elapsed();
                    if self.labels.is_some() {
                        watch(self);
                    }
                    if cancel.is_cancelled() {
                        return Ok(false);
                    }
                    continue;
                }
            };
            self.place.elapsed += start.elapsed();
            self.report(workers, &phase, before, of)?;
            watch(self);
            if cancel.is_cancelled() {
                return Ok(self.has_ended());
            }
        }
        Ok(true)
    }

    /// Reports if it is time, and goes to the next phase if this one is over. The phase counts to `of` in steps of `unit`.
    fn report(
        &mut self,
        workers: &Workers,
        phase: &Phase,
        before: u64,
        (of, each): (u64, u64),
    ) -> Result<(), TrainingError> {
        let done = self.place.done;
        let ends = done >= of && self.place.player.is_none();
        let times = self.recipe.report.times.get();
        let due = |done: u64| u128::from(done) * u128::from(times) / u128::from(of);
        // The last games of self-play are learned from after they are counted.
        if !ends && (due(done) == due(before) || done >= of) {
            return Ok(());
        }
        let unit = match phase {
            Phase::SelfPlay(_) | Phase::Online(_) => Unit::Games,
            Phase::Supervised(_) => Unit::Positions,
        };
        let report = Report {
            phase: self.place.phases + 1,
            done: done * each,
            of: of * each,
            unit,
            elapsed: self.place.elapsed,
            loss: self.learned.mean_loss(),
            strengths: self.strengths(workers)?,
        };
        self.reports.push(report);
        self.learned = Learned::default();
        if ends {
            self.place = Place {
                phases: self.place.phases + 1,
                games: self.place.games + phase.games(),
                ..Place::default()
            };
            self.examples = None;
            if let Some(next) = self.recipe.phases.get(self.place.phases) {
                let (method, loss) = next.optimiser();
                let network = self.learner.net().to_network();
                self.learner = Learner::new(self.learner.tier, method, loss, &network);
            }
        }
        Ok(())
    }

    /// The player who goes by a net.
    fn player(&self, net: &Padded) -> Result<Arc<NetPlayer>, TrainingError> {
        let integers = IntegerNetwork::new(&net.to_network());
        let integers = integers.map_err(|reason| TrainingError::Diverged {
            phase: self.place.phases + 1,
            done: self.place.done,
            reason,
        })?;
        let player = NetPlayer::new("training", integers);
        Ok(Arc::new(player))
    }

    /// The games of a phase of these rules, and how the first of them are thrown.
    fn playouts(&self, seed: u64) -> Playouts {
        let rules = self.recipe.rules;
        Playouts::new(rules.start(), rules, seed)
            .expect("a game can start at the start of its rules")
            .with_first_roll(FirstRoll::Open)
    }

    /// A round of self-play: the net plays, while it learns from the round before.
    fn play_round(&mut self, workers: &Workers, phase: &SelfPlay) -> Result<(), TrainingError> {
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
        let first = self.place.games;
        let games = |from: u64, net: &Arc<Padded>| -> Result<Games, TrainingError> {
            Ok(Games {
                playouts,
                numbers: first + from..first + of.min(from + round),
                player: self.player(net)?,
                net: Arc::clone(net),
                lambda: lambda.at(from as f64 / of as f64) as f32,
            })
        };
        let done = self.place.done;
        let mut course = None;
        if let Some(net) = &self.place.player {
            let from = (done - 1) / round * round;
            let examples = match &self.examples {
                Some(examples) => Arc::clone(examples),
                None => Arc::new(rounds::run(workers, tier, None, Some(games(from, net)?)).0),
            };
            let seed = self.seed(first + from);
            let rate = learning.rate.at(from as f64 / of as f64);
            course = Some(match minibatch_games {
                Some(games) => Course::of_games(examples, games.get(), seed, rate),
                None => Course::of_positions(examples, learning.minibatch.get(), seed, rate),
            });
        }
        let net = Arc::new(self.learner.net().clone());
        let to_play = (done < of).then(|| games(done, &net)).transpose()?;
        self.place.player = to_play.is_some().then_some(net);
        self.place.done = of.min(done + round);
        let learner = Arc::new(Mutex::new(self.learner.clone()));
        let lesson = course.map(|course| (Arc::clone(&learner), course));
        let (examples, learned) = rounds::run(workers, tier, lesson, to_play);
        self.learner = learner
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        self.learned.add(learned);
        self.examples = Some(Arc::new(examples));
        Ok(())
    }

    /// Some games that are learned from while they go on.
    fn play_online(&mut self, workers: &Workers, phase: &recipe::Online) {
        let done = self.place.done;
        let of = phase.games.get();
        let games = done..of.min(done + ONLINE_GAMES);
        let parts = games.clone().map(|game| game as f64 / of as f64);
        let rates: Vec<(f32, f32)> = parts
            .map(|part| (phase.lambda.at(part) as f32, phase.rate.at(part) as f32))
            .collect();
        let (playouts, first) = (self.playouts(self.recipe.seed), self.place.games + done);
        let network = self.learner.net().to_network();
        let shares = workers.each(move |worker| {
            // The games follow each other, so there is nothing for others.
            (worker == 0).then(|| {
                let mut online = Online::new(network.clone(), 0.0);
                let mut learned = Learned::default();
                for (game, &(lambda, rate)) in (first..).zip(&rates) {
                    online.lambda = lambda;
                    learned.add(online.play(&playouts, game, rate));
                }
                (online.net, learned)
            })
        });
        for (network, learned) in shares.into_iter().flatten() {
            let Learner { tier, loss, .. } = self.learner;
            self.learner = Learner::new(tier, recipe::Method::Sgd, loss, &network);
            self.learned.add(learned);
        }
        self.place.done = games.end;
    }

    /// A seed for an order, of the recipe's seed and a number.
    fn seed(&self, number: u64) -> u64 {
        // The increment of SplitMix64, so that neighbouring numbers have distant seeds.
        let distant = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.recipe.seed.wrapping_add(distant)
    }

    /// Goes on to make the examples of a supervised phase.
    fn prepare(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        phase: &Supervised,
    ) -> Result<(), TrainingError> {
        let tier = self.learner.tier;
        let labels = match self.labels.take() {
            Some(labels) => labels,
            None => self.unlabelled(phase)?,
        };
        let labels = self.labels.insert(labels);
        if let Some(examples) = labels.go_on(workers, tier, cancel) {
            self.labels = None;
            self.examples = Some(Arc::new(examples));
        }
        Ok(())
    }

    /// The examples of a supervised phase before any is made.
    fn unlabelled(&mut self, phase: &Supervised) -> Result<Labels, TrainingError> {
        let net = self.learner.net();
        let net = (self.place.player).get_or_insert_with(|| Arc::new(net.clone()));
        let net = Arc::clone(net);
        let player = self.player(&net)?;
        let number = self.place.phases + 1;
        let wrong = |reason| TrainingError::Teacher {
            phase: number,
            reason,
        };
        let policy = match &phase.teacher {
            None => Arc::<NetPlayer>::clone(&player),
            Some(name) => named::policy(name).map_err(wrong)?,
        };
        let strayer = phase.strayer.as_deref().map(named::policy);
        let strayer = strayer.transpose().map_err(wrong)?;
        let evaluator = match &phase.evaluator {
            None => player,
            Some(name) => named::evaluator(name).map_err(wrong)?,
        };
        let source = Source {
            playouts: self.playouts(self.recipe.seed),
            policy: Arc::clone(&policy),
            strays: Strays {
                share: phase.strays,
                by: strayer,
            },
            games: self.place.games..self.place.games + phase.games.get(),
            every: phase.every.get(),
        };
        let before = Arc::clone(&evaluator);
        let teacher = Teacher { policy, evaluator };
        let targets: Arc<dyn Evaluator> = match phase.targets {
            Targets::Evaluation => teacher.evaluator,
            Targets::LookAhead { before } => Arc::new(OnePlyAhead { teacher, before }),
            Targets::Rollout { games, plies } => Arc::new(ShortRollouts {
                teacher,
                games,
                plies,
                seed: self.seed(self.place.games),
            }),
        };
        let valuers = Valuers {
            targets,
            before,
            lambda: phase.lambda,
        };
        Ok(Labels::new(source, valuers, (net.outputs(), net.row())))
    }

    /// Learns from some minibatches of a supervised phase. Returns how many there are in all, and their positions.
    fn learn_some(&mut self, workers: &Workers, phase: &Supervised) -> (u64, u64) {
        let examples = self.examples.as_ref().expect("they are prepared");
        let minibatch = phase.learning.minibatch.get();
        let of_epoch = examples.len().div_ceil(minibatch);
        let of = of_epoch as u64 * phase.epochs.get();
        let done = self.place.done;
        let (epoch, from) = (done / of_epoch as u64, (done % of_epoch as u64) as usize);
        let to = of_epoch.min(from + POSITIONS.div_ceil(minibatch));
        let mut order = Course::shuffled(examples.len(), self.seed(self.place.games + epoch));
        order.truncate(to * minibatch);
        order.drain(..from * minibatch);
        let rate = |number: usize| phase.rate_at(done + number as u64, of);
        let course = Course {
            examples: Arc::clone(examples),
            minibatches: Minibatch::of(order.len(), minibatch, rate),
            order,
        };
        let learned = course.learn_together(workers, &mut self.learner);
        self.learned.add(learned);
        self.place.done += (to - from) as u64;
        if self.place.done == of {
            self.place.player = None;
        }
        (of, minibatch as u64)
    }

    /// Points per game against fixed opponents.
    fn strengths(&self, workers: &Workers) -> Result<Vec<Strength>, TrainingError> {
        let tier = self.learner.tier;
        let playouts = self.playouts(self.recipe.seed | STRENGTH);
        let policy: Arc<dyn Policy> = self.player(self.learner.net())?;
        let pairs = self.recipe.report.games.get().div_ceil(2);
        let measure =
            |&opponent| Strength::measure(workers, tier, &playouts, &policy, opponent, pairs);
        Ok(Opponent::ALL.iter().map(measure).collect())
    }
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
