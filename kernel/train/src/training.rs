//! A training run.

use core::time::Duration;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tavli_backgammon::policies::Policy;
use tavli_backgammon::{FirstRoll, Playouts, Tier};
use tavli_players::net::Network;
use tavli_run::{Cancel, Workers};
use thiserror::Error;

use crate::initial::draw;
use crate::net::{Learner, Padded};
use crate::player::FloatPlayer;
use crate::recipe::{Phase, Recipe, SelfPlay};
use crate::rounds::{self, Course, Games, Learned, Lessons};
use crate::strength::{Opponent, Strength};

/// Seeds from here on are those of the games that measure strength.
const STRENGTH: u64 = 1 << 63;

/// A net on its way through a recipe.
#[derive(Clone, Debug)]
pub struct Training {
    recipe: Recipe,
    network: Network,
}

/// How far a training is.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// The phase, from 1 on.
    pub phase: usize,
    /// Games played in the phase.
    pub games: u64,
    /// All games of the phase.
    pub of_games: u64,
    /// Wall-clock time of the phase, without the measurements of strength.
    pub elapsed: Duration,
    /// The mean loss of a position since the last report; NaN if nothing was learned.
    pub loss: f64,
    /// Points per game against fixed opponents.
    pub strengths: Vec<Strength>,
}

/// Why a training cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
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
    /// Games of these rules never end by the plays of a net that has learned nothing.
    #[error("{0}")]
    Rules(String),
}

impl Training {
    /// The beginning of a recipe: with drawn weights, or with those of a net.
    ///
    /// # Errors
    /// [`TrainingError`] if the net has another shape than the recipe asks for.
    pub fn new(recipe: Recipe, from: Option<Network>) -> Result<Training, TrainingError> {
        let network = match from {
            None => draw(&recipe.net, recipe.seed),
            Some(network) => {
                let [expected, found] = [
                    shape(&Network::zero(
                        recipe.net.encoder,
                        recipe.net.activation,
                        recipe.net.outputs,
                        &recipe.net.hidden,
                    )),
                    shape(&network),
                ];
                if expected != found {
                    return Err(TrainingError::Shape { found, expected });
                }
                network
            }
        };
        Ok(Training { recipe, network })
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The net as it is.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Goes through the phases. `report` is called some times in each. Returns whether it came to the end, and was not
    /// cancelled; the net is then what it had become.
    ///
    /// # Panics
    /// If this CPU lacks the tier, or one of the workers calls this.
    pub fn run(
        &mut self,
        workers: &Workers,
        tier: Tier,
        cancel: &Cancel,
        mut report: impl FnMut(&Training, &Progress),
    ) -> bool {
        let phases = self.recipe.phases.clone();
        let mut first_game = 0;
        for (number, phase) in (1..).zip(&phases) {
            let Phase::SelfPlay(phase) = phase;
            let ended = self.self_play(
                workers,
                tier,
                cancel,
                number,
                phase,
                first_game,
                &mut report,
            );
            if !ended {
                return false;
            }
            first_game += phase.games.get();
        }
        true
    }

    #[allow(clippy::too_many_arguments)]
    fn self_play(
        &mut self,
        workers: &Workers,
        tier: Tier,
        cancel: &Cancel,
        number: usize,
        phase: &SelfPlay,
        first_game: u64,
        report: &mut impl FnMut(&Training, &Progress),
    ) -> bool {
        let SelfPlay {
            lambda,
            round,
            learning,
            ..
        } = phase;
        let of_games = phase.games.get();
        let learner = Learner::new(tier, learning.method, learning.loss, &self.network);
        let learner = Arc::new(Mutex::new(learner));
        let playouts = Playouts::new(
            self.recipe.rules.start(),
            self.recipe.rules,
            self.recipe.seed,
        )
        .expect("a game can start at the start of its rules")
        .with_first_roll(FirstRoll::Open);
        let mut pending: Option<(Lessons, u64)> = None;
        let mut games = 0;
        let mut learned = Learned::default();
        let (mut start, mut elapsed) = (Instant::now(), Duration::ZERO);
        let mut reports = 0;
        loop {
            let part = games as f64 / of_games as f64;
            let net = Arc::new(lock(&learner).net().clone());
            let end = of_games.min(games + round.get());
            let to_play = (games < of_games).then(|| Games {
                playouts,
                numbers: first_game + games..first_game + end,
                net,
                lambda: lambda.at(part) as f32,
            });
            let course = pending.take().map(|(lessons, begin)| Course {
                lessons,
                seed: self
                    .recipe
                    .seed
                    .wrapping_add(first_game + begin)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15),
                minibatch: learning.minibatch.get(),
                rate: learning.rate.at(begin as f64 / of_games as f64),
            });
            let plays = to_play.is_some();
            let (lessons, now) = rounds::run(workers, tier, &learner, to_play, course);
            learned.positions += now.positions;
            learned.loss += now.loss;
            if plays {
                pending = Some((lessons, games));
                games = end;
            }
            let ended = !plays;
            let cancelled = cancel.is_cancelled();
            let due = games * self.recipe.report.times.get() / of_games;
            if ended || cancelled || (plays && due > reports && games < of_games) {
                reports = due;
                elapsed += start.elapsed();
                self.network = lock(&learner).net().to_network();
                let progress = Progress {
                    phase: number,
                    games,
                    of_games,
                    elapsed,
                    loss: learned.loss / learned.positions as f64,
                    strengths: self.strengths(workers, tier),
                };
                learned = Learned::default();
                report(self, &progress);
                start = Instant::now();
            }
            if ended || cancelled {
                return ended;
            }
        }
    }

    /// Points per game against fixed opponents, as far as the recipe's rules have them.
    fn strengths(&self, workers: &Workers, tier: Tier) -> Vec<Strength> {
        let Recipe {
            rules,
            seed,
            report,
            ..
        } = &self.recipe;
        let playouts = Playouts::new(rules.start(), *rules, seed | STRENGTH)
            .expect("a game can start at the start of its rules");
        let net = Padded::new(&self.network);
        let policy: Arc<dyn Policy> = Arc::new(FloatPlayer::new(tier, net));
        let pairs = report.games.get().div_ceil(2);
        let measure =
            |&opponent| Strength::measure(workers, tier, &playouts, &policy, opponent, pairs);
        Opponent::ALL.iter().map(measure).collect()
    }
}

fn lock(learner: &Mutex<Learner>) -> std::sync::MutexGuard<'_, Learner> {
    learner.lock().unwrap_or_else(PoisonError::into_inner)
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
