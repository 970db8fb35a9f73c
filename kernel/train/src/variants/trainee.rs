//! Nets for Plakoto and Fevga in training: self-play game by game.

use serde::{Deserialize, Serialize};
use tavli_game::PlayableGame;
use tavli_game::streams::StreamKey;
use tavli_run::{Cancel, Workers};
use tavli_simd::Tier;
use tavli_variants::nets::{Net, NetFile};
use tavli_variants::{Fevga, Plakoto};

use super::learner::{Bounds, ChoiceRule, LearningSettings, VariantLearner};
use super::recipe::VariantRecipe;
use super::strength::{Tavli3dGame, measure};
use crate::error::{CheckpointError, Divergence, LARGEST_WEIGHT, TrainingError};
use crate::initial_weights::random_variant_net;
use crate::one_by_one;
use crate::progress::{TrainingProgress, TrainingStep};
use crate::strength::Strength;
use crate::training::{ONLINE_GAMES_PER_REPORT, Plan, STRENGTH_SEED_BIT, TrainableNet, TrainingRun, TrainingState};

/// A training of a net for Plakoto or Fevga.
pub type VariantTraining = TrainingRun<VariantNet>;

/// A net for Plakoto or Fevga in training.
#[derive(Clone, Debug)]
pub struct VariantNet {
    recipe: VariantRecipe,
    tier: Tier,
    net: Net,
    /// Positions learned from.
    steps: u64,
}

/// A saved training of these nets holds nothing besides the net and the state.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoExtraState {}

/// Whether a weight is too large to be meaningful: the weights of trained nets are below a hundred.
fn has_large_weight(net: &Net) -> bool {
    let mut weights = net.hidden().iter().chain(net.outputs());
    weights.any(|weight| weight.abs() > LARGEST_WEIGHT)
}

impl VariantTraining {
    /// Begins a recipe, with drawn weights.
    #[must_use]
    pub fn new(recipe: VariantRecipe, tier: Tier) -> VariantTraining {
        TrainingRun { trainee: VariantNet::new(recipe, tier), state: TrainingState::default() }
    }
}

impl TrainableNet for VariantNet {
    type Recipe = VariantRecipe;
    type File = NetFile;
    type Saved = NoExtraState;

    // A word that differs from the crate's: saved trainings begin with it.
    const MAGIC: &[u8] = b"tavli tables training 2\n";

    fn plan(recipe: &VariantRecipe) -> Plan<'_> {
        Plan {
            text: recipe.text(),
            description: &recipe.description,
            seed: recipe.seed,
            phases: 1,
            reports: recipe.report.times.get(),
        }
    }

    fn begin(recipe: VariantRecipe, tier: Tier) -> Result<VariantNet, TrainingError> {
        Ok(VariantNet::new(recipe, tier))
    }

    fn recipe(&self) -> &VariantRecipe {
        &self.recipe
    }

    fn progress(&self, state: &TrainingState) -> TrainingProgress {
        TrainingProgress {
            phase: 1,
            phases: 1,
            step: TrainingStep::Play,
            done: state.done,
            of: self.recipe.self_play.games.get(),
        }
    }

    fn step(&mut self, state: &mut TrainingState, workers: &Workers, cancel: &Cancel) -> Result<bool, Divergence> {
        match self.recipe.game() {
            Fevga::NAME => self.play::<Fevga>(state, workers, cancel)?,
            _ => self.play::<Plakoto>(state, workers, cancel)?,
        }
        Ok(true)
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn strengths(&self, workers: &Workers, cancel: &Cancel) -> Result<Option<Vec<Strength>>, Divergence> {
        let strength = match self.recipe.game() {
            Fevga::NAME => self.strength::<Fevga>(workers, cancel),
            _ => self.strength::<Plakoto>(workers, cancel),
        };
        Ok(strength.map(|strength| vec![strength]))
    }

    fn stage(TrainingProgress { done, of, .. }: &TrainingProgress) -> String {
        format!("has played {done} games of {of}")
    }

    fn file(&self, recipe: String) -> NetFile {
        let net = self.net.clone();
        NetFile { net, recipe }
    }

    fn recipe_in(file: &NetFile) -> &str {
        &file.recipe
    }

    /// The net as in its own file.
    fn save(&self, weights: &mut Vec<u8>) -> NoExtraState {
        weights.extend(self.file(self.recipe.text().to_owned()).write());
        NoExtraState {}
    }

    fn restore(
        (recipe, tier): (VariantRecipe, Tier),
        (_, steps): (NoExtraState, u64),
        weights: &[u8],
        state: &mut TrainingState,
    ) -> Result<VariantNet, CheckpointError> {
        let file = NetFile::read(weights).map_err(|error| CheckpointError::Form(error.to_string()))?;
        if (file.net.encoder(), file.net.units()) != (recipe.net.encoder, recipe.net.hidden) {
            return Err(CheckpointError::Recipe);
        }
        // Files of earlier versions do not name the phase: the last report ends it.
        let of = recipe.self_play.games.get();
        state.phases = usize::from(state.reports.last().is_some_and(|report| report.done == of));
        state.all = of;
        Ok(VariantNet { recipe, tier, net: file.net, steps })
    }
}

impl VariantNet {
    fn new(recipe: VariantRecipe, tier: Tier) -> VariantNet {
        VariantNet {
            net: random_variant_net(recipe.net.encoder, recipe.net.hidden, recipe.seed),
            recipe,
            tier,
            steps: 0,
        }
    }

    fn game<G: PlayableGame>(&self) -> G {
        G::by_rules(G::RULES[0], self.tier, self.recipe.seed).expect("its own rules")
    }

    fn bounds(&self) -> Bounds {
        match self.recipe.self_play.raw_targets {
            true => Bounds::Raw,
            false => Bounds::Rules,
        }
    }

    fn strength<G: Tavli3dGame + Clone>(&self, workers: &Workers, cancel: &Cancel) -> Option<Strength> {
        let seed = self.recipe.seed | STRENGTH_SEED_BIT;
        let pairs = self.recipe.report.games.get() / 2;
        // By points, whatever double games count in the choices of self-play: so strengths compare.
        let (game, player): (G, _) = (self.game(), (&self.net, ChoiceRule::by_points(self.bounds())));
        measure(workers, self.tier, (&game, seed), player, pairs, cancel)
    }

    /// Plays some games.
    fn play<G: Tavli3dGame + Clone>(
        &mut self,
        state: &mut TrainingState,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<(), Divergence> {
        let learning = self.recipe.self_play.clone();
        let choice = ChoiceRule { bounds: self.bounds(), double: learning.double as f32 };
        let of = learning.games.get();
        let (game, key): (G, _) = (self.game(), StreamKey::new(self.recipe.seed));
        let learner = VariantLearner::new(self.net.clone(), self.tier);
        let games = state.done..of.min(state.done + ONLINE_GAMES_PER_REPORT);
        let (learner, played, result) = one_by_one::play((workers, cancel), learner, games, move |learner, number| {
            let part = number as f64 / of as f64;
            let settings = LearningSettings {
                rate: learning.rate.at(part) as f32,
                lambda: learning.lambda.at(part) as f32,
                rewards_primes: learning.prime_reward,
                choice,
            };
            learner.play(&game, &key, number, &settings)
        });
        self.net = learner.net;
        self.steps += result.learned.positions;
        (state.done, state.all) = (state.done + played, of);
        state.learned.add(result.learned);
        match result.halt {
            Some(_) => Err(Divergence::Loss),
            None if !self.net.is_finite() => Err(Divergence::Weight),
            None if has_large_weight(&self.net) => Err(Divergence::LargeWeight),
            None => Ok(()),
        }
    }
}
