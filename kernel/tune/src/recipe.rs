//! Recipes: they decide what is tuned, and to which numbers.

use core::fmt;
use std::collections::BTreeMap;

use libm::{exp, log, pow};
use serde::{Deserialize, Deserializer};
use tavli_file::recipe::{self, RecipeError, wrong};
use tavli_games::NAMES;

/// How the numbers in the text of an agent are tuned. The same recipe gives the same numbers, whatever the number of
/// threads and the interruptions.
///
/// ```
/// use tavli_tune::Recipe;
/// let recipe = Recipe::parse(r#"
///     description = "Exploration at tic-tac-toe"
///     game = "tictactoe"
///     seed = 1
///     agent = "uct:50:{c}"
///     games = 2000
///     parameters.c = { start = 1, least = 0.1, most = 4, logarithmic = true }
/// "#)?;
/// assert_eq!(recipe.methods.len(), 3);
/// assert_eq!(recipe.text_of(&[0.5]), "uct:50:0.5");
/// # Ok::<(), tavli_tune::RecipeError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The purpose, in a line.
    pub description: String,
    /// The name of the game.
    pub game: String,
    /// The name of the game's rules; `None` for its usual rules.
    pub rules: Option<String>,
    /// The seed of the dice, of the openings and of the methods, 0 to 2^63 - 1. Larger seeds verify.
    pub seed: u64,
    /// The agent as a text, such as `uct:500:{c}`, with the name of a parameter in braces instead of each number.
    pub agent: String,
    /// The agent that all agents play against while they are tuned, such as `minimax:3`; `None` for the agent with the
    /// start values.
    pub opponent: Option<String>,
    /// The random plies that begin a game; `None`: as many as in a duel.
    pub random_plies: Option<u32>,
    /// The games of each method. A generation that they do not fill is not played.
    pub games: u64,
    /// The methods, in order.
    #[serde(default = "all_methods")]
    pub methods: Vec<MethodName>,
    /// The parameters by name.
    // Sorted: a point has its numbers in this order, which must be the same in each run.
    pub parameters: BTreeMap<String, Parameter>,
    /// The settings of the genetic algorithm.
    #[serde(default)]
    pub ga: GeneticSettings,
    /// The settings of SPSA.
    #[serde(default)]
    pub spsa: SpsaSettings,
    /// The settings of CMA-ES.
    #[serde(default, rename = "cma-es")]
    pub cma_es: CmaEsSettings,
    /// How the results are verified.
    #[serde(default)]
    pub verification: Verification,
    /// The text that it was read from.
    #[serde(skip)]
    text: String,
}

/// A number in the text of an agent.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its value before it is tuned.
    pub start: f64,
    /// The least value that is tried.
    pub least: f64,
    /// The greatest value that is tried.
    pub most: f64,
    /// Whether equal steps are equal ratios, as suits a factor whose size is unknown.
    #[serde(default)]
    pub logarithmic: bool,
    /// The decimals of values, 0 for whole numbers.
    #[serde(default = "three", deserialize_with = "decimals")]
    pub decimals: u32,
}

impl Parameter {
    /// The value at a share of the way from the least to the greatest, rounded to its decimals.
    #[must_use]
    pub fn value(&self, share: f64) -> f64 {
        let value = match self.logarithmic {
            true => exp(log(self.least) + share * (log(self.most) - log(self.least))),
            false => self.least + share * (self.most - self.least),
        };
        let units = pow(10.0, f64::from(self.decimals));
        // Logarithms and the division may pass an end by the last bit.
        ((value * units).round() / units).clamp(self.least, self.most)
    }

    /// The place of a value in the range, as a share of it.
    pub(crate) fn share(&self, value: f64) -> f64 {
        let [value, least, most] = [value, self.least, self.most].map(|value| match self.logarithmic {
            true => log(value),
            false => value,
        });
        (value - least) / (most - least)
    }
}

/// A method of tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodName {
    /// A genetic algorithm.
    Ga,
    /// Simultaneous perturbation stochastic approximation.
    Spsa,
    /// Covariance matrix adaptation.
    CmaEs,
}

tavli_base::named_values!(MethodName: Ga "ga", Spsa "spsa", CmaEs "cma-es");

/// The settings of the genetic algorithm.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GeneticSettings {
    /// Individuals of a generation.
    #[serde(deserialize_with = "individuals")]
    pub population: usize,
    /// Individuals that stay, and are the parents of the others: at least 2.
    pub keep: usize,
    /// The games of an individual in a generation, an even number.
    pub games: u64,
    /// The share of children with a switched bit, 0..=1.
    pub mutation: f64,
}

impl Default for GeneticSettings {
    fn default() -> GeneticSettings {
        GeneticSettings { population: 10, keep: 4, games: 20, mutation: 0.2 }
    }
}

/// The settings of SPSA. Parameters are in units of their ranges.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SpsaSettings {
    /// The games of a step, an even number.
    pub games: u64,
    /// How far parameters are moved to compare two agents, at the end; at the beginning it is more.
    pub perturbation: f64,
    /// The sum of the rates of all steps: a step is its rate times the perturbation times the points of a game between
    /// the two agents, in standard deviations of a pair.
    pub rate: f64,
}

impl Default for SpsaSettings {
    fn default() -> SpsaSettings {
        SpsaSettings { games: 20, perturbation: 0.2, rate: 20.0 }
    }
}

/// The settings of CMA-ES.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CmaEsSettings {
    /// The points of a generation.
    #[serde(deserialize_with = "points")]
    pub population: usize,
    /// The games of a point in a generation, an even number.
    pub games: u64,
    /// The standard deviation of the first points, in units of the ranges.
    pub spread: f64,
}

impl Default for CmaEsSettings {
    fn default() -> CmaEsSettings {
        CmaEsSettings { population: 20, games: 10, spread: 0.3 }
    }
}

/// How the results are verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Verification {
    /// The games of each match, an even number from 100 on.
    pub games: u64,
}

impl Default for Verification {
    fn default() -> Verification {
        Verification { games: 1000 }
    }
}

/// The most parameters, points of a generation, and decimals of a value. More would be a typing error.
const MAX_PARAMETERS: usize = 50;
const MAX_POPULATION: u64 = 1000;
const MAX_DECIMALS: u64 = 9;
/// Rates beyond which all steps together hardly leave the start, or each step goes from one end of a range to the
/// other.
const MIN_RATE: f64 = 0.01;
const MAX_RATE: f64 = 10_000.0;
/// The least spread of the first points: with less, all points would be the start.
const MIN_SPREAD: f64 = 0.001;
/// The most games of a method, and of a match.
const MAX_GAMES: u64 = 1_000_000_000_000;

/// The fewest games of a match that verifies: an interval of normal theory is for many pairs.
const MIN_VERIFICATION: u64 = 100;

fn all_methods() -> Vec<MethodName> {
    MethodName::ALL.to_vec()
}

fn three() -> u32 {
    3
}

fn decimals<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    recipe::whole(deserializer, 0..=MAX_DECIMALS)
}

/// Reads the individuals of a generation: parents are two, and one is their child.
fn individuals<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    recipe::whole(deserializer, 3..=MAX_POPULATION)
}

/// Reads the points of a generation.
fn points<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    recipe::whole(deserializer, 4..=MAX_POPULATION)
}

/// Fails with the error of a value unless it is allowed.
pub(crate) fn check(
    is_allowed: bool,
    place: impl Into<String>,
    value: &dyn fmt::Debug,
    remedy: impl Into<String>,
) -> Result<(), RecipeError> {
    match is_allowed {
        true => Ok(()),
        false => wrong(place, value, remedy),
    }
}

/// Whether a value is written in full with `decimals` decimals.
fn can_write(decimals: usize, value: f64) -> bool {
    format!("{value:.decimals$}").parse() == Ok(value)
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// [`RecipeError`] names the place.
    pub fn parse(text: &str) -> Result<Recipe, RecipeError> {
        let (mut recipe, text): (Recipe, String) = recipe::read(text)?;
        recipe.text = text;
        recipe.check()?;
        Ok(recipe)
    }

    /// The text that it was read from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of the agent with `values`, in the order of the parameters.
    #[must_use]
    pub fn text_of(&self, values: &[f64]) -> String {
        let parameters = self.parameters.keys().zip(values);
        parameters.fold(self.agent.clone(), |text, (name, value)| {
            // A number has no braces, so no value is taken for a name.
            text.replace(&format!("{{{name}}}"), &value.to_string())
        })
    }

    /// The values of a point.
    #[must_use]
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        let parameters = self.parameters.values().zip(point);
        parameters.map(|(parameter, share)| parameter.value(*share)).collect()
    }

    /// The start values.
    #[must_use]
    pub fn start(&self) -> Vec<f64> {
        self.parameters.values().map(|parameter| parameter.start).collect()
    }

    /// The games of a pairing in a generation of a method.
    pub(crate) fn games_of_pairing(&self, method: MethodName) -> u64 {
        match method {
            MethodName::Ga => self.ga.games,
            // Against an opponent a step has two pairings.
            MethodName::Spsa if self.opponent.is_some() => self.spsa.games / 2,
            MethodName::Spsa => self.spsa.games,
            MethodName::CmaEs => self.cma_es.games,
        }
    }

    /// The games of a generation of a method.
    #[must_use]
    pub fn games_of_generation(&self, method: MethodName) -> u64 {
        let pairings = match method {
            MethodName::Ga => self.ga.population as u64,
            MethodName::Spsa => return self.spsa.games,
            MethodName::CmaEs => self.cma_es.population as u64,
        };
        // The games of a pairing have no separate bound; a product beyond 64 bits is more than any budget.
        pairings.saturating_mul(self.games_of_pairing(method))
    }

    /// The generations of a method.
    #[must_use]
    pub fn generations(&self, method: MethodName) -> u64 {
        self.games / self.games_of_generation(method)
    }

    fn check(&self) -> Result<(), RecipeError> {
        let names = format!("write one of {}", NAMES.join(", "));
        check(NAMES.contains(&&*self.game), "game", &self.game, names)?;
        let remedy = "write 0 to 9223372036854775807; larger seeds verify";
        check(self.seed < 1 << 63, "seed", &self.seed, remedy)?;
        self.check_parameters()?;
        self.check_methods()?;
        let remedy = format!("write an even number from {MIN_VERIFICATION} to {MAX_GAMES}");
        let games = self.verification.games;
        let is_allowed = (MIN_VERIFICATION..=MAX_GAMES).contains(&games) && games.is_multiple_of(2);
        check(is_allowed, "verification.games", &games, remedy)
    }

    fn check_parameters(&self) -> Result<(), RecipeError> {
        let number = self.parameters.len();
        let remedy = format!("write 1 to {MAX_PARAMETERS} of them");
        check((1..=MAX_PARAMETERS).contains(&number), "the number of parameters", &number, remedy)?;
        for (name, parameter) in &self.parameters {
            let place = |key: &str| format!("parameters.{name}.{key}");
            let Parameter { start, least, most, logarithmic, decimals } = *parameter;
            let remedy = format!("write {{{name}}} in it, where the value belongs");
            check(self.agent.contains(&format!("{{{name}}}")), "agent", &self.agent, remedy)?;
            let is_allowed = least.is_finite() && (!logarithmic || least > 0.0);
            let remedy = if logarithmic { "write a number above 0" } else { "write a number" };
            check(is_allowed, place("least"), &least, remedy)?;
            let remedy = format!("write a number above the least, {least}");
            check(most.is_finite() && most > least, place("most"), &most, remedy)?;
            let remedy = format!("write a number from {least} to {most}");
            check((least..=most).contains(&start), place("start"), &start, remedy)?;
            let remedy = format!("write 0 to {MAX_DECIMALS}, so that there are several values from {least} to {most}");
            let is_allowed = parameter.value(0.0) < parameter.value(1.0);
            check(is_allowed, place("decimals"), &decimals, remedy)?;
            for (key, value) in [("start", start), ("least", least), ("most", most)] {
                let enough = (0..=MAX_DECIMALS as usize).find(|&decimals| can_write(decimals, value));
                let more = enough.map_or_else(String::new, |enough| format!(", or decimals = {enough}"));
                let remedy =
                    format!("decimals = {decimals} cannot write it: write a number with no more decimals{more}");
                check(can_write(decimals as usize, value), place(key), &value, remedy)?;
            }
        }
        let parts = self.agent.split('{').skip(1);
        let mut named = parts.map(|part| part.split_once('}').map_or(part, |(name, _)| name));
        match named.find(|name| !self.parameters.contains_key(*name)) {
            None => Ok(()),
            Some(name) => {
                let names: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
                let remedy = format!("{{{name}}} is not a parameter; the recipe has {}", names.join(", "));
                check(false, "agent", &self.agent, remedy)
            }
        }
    }

    fn check_methods(&self) -> Result<(), RecipeError> {
        let methods = &self.methods;
        let is_repeated = methods.iter().enumerate().any(|(place, name)| methods[..place].contains(name));
        let names: Vec<&str> = MethodName::ALL.iter().map(|name| name.name()).collect();
        let remedy = format!("write some of {}, each once", names.join(", "));
        let written: Vec<String> = methods.iter().map(MethodName::to_string).collect();
        check(!methods.is_empty() && !is_repeated, "methods", &written, remedy)?;
        let even = "write an even number from 2 on: two games on the same dice, with the sides exchanged";
        let is_even = |games: u64| games > 0 && games.is_multiple_of(2);
        let GeneticSettings { population, keep, games, mutation } = self.ga;
        let remedy = format!("write 2 to {}: parents are two, and some of the population are children", population - 1);
        check((2..population).contains(&keep), "ga.keep", &keep, remedy)?;
        check(is_even(games), "ga.games", &games, even)?;
        check((0.0..=1.0).contains(&mutation), "ga.mutation", &mutation, "write 0 to 1")?;
        let SpsaSettings { games, perturbation, rate } = self.spsa;
        match self.opponent {
            Some(_) => {
                let remedy = "write a multiple of 4: two agents play the opponent, each from both sides";
                check(games > 0 && games.is_multiple_of(4), "spsa.games", &games, remedy)?;
            }
            None => check(is_even(games), "spsa.games", &games, even)?,
        }
        let remedy = "write a share of the range of a parameter, above 0 to 0.5";
        let is_allowed = perturbation > 0.0 && perturbation <= 0.5;
        check(is_allowed, "spsa.perturbation", &perturbation, remedy)?;
        let is_seen = |parameter: &Parameter| parameter.value(0.5 - perturbation) < parameter.value(0.5 + perturbation);
        let remedy = "write a share of the range that changes a parameter: none has the decimals for this step";
        check(self.parameters.values().any(is_seen), "spsa.perturbation", &perturbation, remedy)?;
        let remedy = format!("write a number from {MIN_RATE} to {MAX_RATE}");
        check((MIN_RATE..=MAX_RATE).contains(&rate), "spsa.rate", &rate, remedy)?;
        let CmaEsSettings { games, spread, .. } = self.cma_es;
        check(is_even(games), "cma-es.games", &games, even)?;
        let remedy = format!("write a share of the range of a parameter, {MIN_SPREAD} to 1");
        check((MIN_SPREAD..=1.0).contains(&spread), "cma-es.spread", &spread, remedy)?;
        for &method in methods {
            let least = self.games_of_generation(method);
            let remedy = format!("write {least}, one generation of {method}, to {MAX_GAMES}");
            check((least..=MAX_GAMES).contains(&self.games), "games", &self.games, remedy)?;
        }
        Ok(())
    }
}
