//! Recipes of nets for Plakoto and Fevga.

use core::num::NonZeroU64;

use serde::Deserialize;
use tavli_base::text::BYTE_ORDER_MARK;
use tavli_file::recipe::{self, RecipeError, wrong};
use tavli_variants::nets::{Encoder, Net};
use toml::de::DeTable;

use crate::recipe::{Schedule, by_name, check_pairs, check_rounds, check_schedules, check_seed, reports};

/// How a net for Plakoto or Fevga is trained: by TD(lambda) while it plays against itself, one game after another. The
/// same recipe gives the same weights, bit for bit, on every machine, tier and number of threads.
///
/// ```
/// use tavli_train::VariantRecipe;
/// let recipe = VariantRecipe::parse(r#"
///     description = "A small one"
///     game = "fevga"
///     seed = 1
///     net = { encoder = "fevga-2", hidden = 10 }
///     self_play = { games = 1000, lambda = 0.7, rate = 0.1 }
/// "#)?;
/// assert_eq!(recipe.game(), "fevga");
/// # Ok::<(), tavli_train::RecipeError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantRecipe {
    /// The purpose of the net, in a line.
    pub description: String,
    /// The game of the encoder.
    game: String,
    /// The seed of the first weights and of the dice, 0 to 2^63 - 1. Strength is measured with larger seeds.
    pub seed: u64,
    /// The shape of the net.
    pub net: VariantShape,
    /// How it learns.
    pub self_play: VariantLearning,
    /// How often the strength of the net is measured, and how precisely.
    #[serde(default)]
    pub report: VariantReporting,
    /// The text that it was read from.
    #[serde(skip)]
    text: String,
}

/// The shape of a net.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantShape {
    /// How positions become inputs.
    #[serde(deserialize_with = "by_name")]
    pub encoder: Encoder,
    /// The hidden units.
    pub hidden: usize,
}

/// TD(lambda) while games go on: a step after each ply, by stochastic gradient descent on half the squared difference.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantLearning {
    /// The number of games.
    pub games: NonZeroU64,
    /// The factor by which the share of a position in later errors decays with each ply, 0..=1.
    pub lambda: Schedule,
    /// The factor of the gradient in a step.
    pub rate: Schedule,
    /// Whether a player who forms a prime of Fevga with a checker behind it learns that the game is won, and doubly if
    /// the prime is late, instead of learning the next value: the intermediate reward of Papahristou and Refanidis.
    #[serde(default)]
    pub prime_reward: bool,
    /// The points of a double game beyond a single game's when the net chooses its plays in training, 0 to 10. A net
    /// that plays for double games learns to value them. Papahristou and Refanidis do not say how they combine the
    /// outputs; with 2, plays are ordered by W + WD - LD.
    #[serde(default = "one")]
    pub double: f64,
    /// Whether the net plays and learns by its outputs as they are, as the net of Papahristou and Refanidis does.
    /// Otherwise they are bounded by the rules first: no double win against a side that has borne off a checker.
    #[serde(default)]
    pub raw_targets: bool,
}

/// How often the strength of a net is measured, and how precisely.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VariantReporting {
    /// Reports of the training, at most 10,000.
    #[serde(deserialize_with = "reports")]
    pub times: NonZeroU64,
    /// Games against Tavli3D for a report, an even number: two on the same dice, with the sides exchanged.
    pub games: NonZeroU64,
}

impl Default for VariantReporting {
    fn default() -> VariantReporting {
        let number = |number| NonZeroU64::new(number).expect("not 0");
        VariantReporting { times: number(20), games: number(2000) }
    }
}

fn one() -> f64 {
    1.0
}

impl VariantRecipe {
    /// Whether a text is meant as a recipe of such nets: it names a game.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        // Without the values: a number too large for its key must not make it a recipe of another kind.
        let table = DeTable::parse(text.trim_start_matches(BYTE_ORDER_MARK));
        table.is_ok_and(|table| table.get_ref().contains_key("game"))
    }

    /// Reads a recipe.
    ///
    /// # Errors
    /// [`RecipeError`] names the place.
    pub fn parse(text: &str) -> Result<VariantRecipe, RecipeError> {
        let (mut recipe, text): (VariantRecipe, String) = recipe::read(text)?;
        recipe.text = text;
        recipe.check()?;
        Ok(recipe)
    }

    /// The text that it was read from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of the game.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.net.encoder.game()
    }

    fn check(&self) -> Result<(), RecipeError> {
        check_seed(self.seed)?;
        let VariantShape { encoder, hidden } = self.net;
        if self.game != encoder.game() {
            let of: Vec<&str> =
                Encoder::ALL.iter().filter(|one| one.game() == self.game).map(|one| one.name()).collect();
            let remedy = match of.is_empty() {
                true => "write plakoto or fevga; recipes for backgammon name no game".to_owned(),
                false => format!("its encoders are {}, and {encoder} belongs to {}", of.join(", "), encoder.game()),
            };
            return wrong("game", &self.game, remedy);
        }
        if !(1..=Net::MAX_UNITS).contains(&hidden) {
            return wrong("net.hidden", &hidden, format!("write 1 to {} units", Net::MAX_UNITS));
        }
        let VariantLearning { games, lambda, rate, prime_reward, double, raw_targets: _ } = &self.self_play;
        if games.get() >= 1 << 63 {
            return wrong("self_play.games", games, "write fewer: there are 2^63 games of a seed");
        }
        if *prime_reward && encoder.game() != Encoder::Fevga2.game() {
            let remedy = "leave it out: primes are a matter of fevga";
            return wrong("self_play.prime_reward", prime_reward, remedy);
        }
        if !(0.0..=10.0).contains(double) {
            return wrong("self_play.double", double, "write 0 to 10 points");
        }
        check_pairs(self.report.games)?;
        let place = |name: &str| format!("self_play.{name}");
        check_schedules(Some(lambda), rate, &place)?;
        check_rounds(rate, (*games, NonZeroU64::MIN), &place)
    }
}
