//! Recipes: everything that decides the weights of a trained net.

mod schedule;

pub use schedule::{Curve, Ramp, Schedule, StepSchedule};

use core::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use core::str::FromStr;

use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer};
use tavli_backgammon::RuleSet;
use tavli_file::recipe::{self, RecipeError, wrong};
use tavli_players::net::{Activation, Encoder, Outputs, PlayerFile};

/// How a net is trained. The same recipe gives the same weights, bit for bit, on every machine, tier and number of
/// threads.
///
/// ```
/// use tavli_train::Recipe;
/// let recipe = Recipe::parse(r#"
///     description = "A small one"
///     seed = 1
///     [net]
///     encoder = "raw196"
///     hidden = [20]
///     [[phase]]
///     kind = "self-play"
///     games = 1000
///     rate = 0.5
/// "#)?;
/// assert_eq!(recipe.phases.len(), 1);
/// # Ok::<(), tavli_train::RecipeError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The purpose of the net, in a line.
    pub description: String,
    /// The seed of the first weights, of the dice and of the order of the positions, 0 to 2^63 - 1. Strength is
    /// measured with larger seeds.
    pub seed: u64,
    /// The rules of the games.
    #[serde(default, deserialize_with = "by_name")]
    pub rules: RuleSet,
    /// The shape of the net.
    pub net: Shape,
    /// The net that ranks plays in the player's file, so that the trained net values only the plays that pass the move
    /// filter. Without it the trained net values all plays, as it always does during the training.
    #[serde(alias = "first")]
    pub prefilter: Option<RankingNet>,
    /// The phases of the training, in order.
    #[serde(rename = "phase")]
    pub phases: Vec<Phase>,
    /// How often the strength of the net is measured, and how precisely.
    #[serde(default)]
    pub report: Reporting,
    /// The text that it was read from.
    #[serde(skip)]
    text: String,
}

/// The shape of a net, and where its first weights come from.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// How positions become inputs.
    #[serde(deserialize_with = "by_name")]
    pub encoder: Encoder,
    /// The units of each hidden layer.
    pub hidden: Vec<usize>,
    /// The activation function of hidden units.
    #[serde(default = "logistic", deserialize_with = "by_name")]
    pub activation: Activation,
    /// The meaning of the outputs.
    #[serde(default = "cumulative", deserialize_with = "by_name")]
    pub outputs: Outputs,
    /// A file with a net of the same shape to start from; without it the weights are drawn.
    pub from: Option<String>,
}

/// A player with a net that ranks plays before the trained net values the best of them, and the move filter between the
/// two.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankingNet {
    /// The file of the player.
    pub player: String,
    /// The most plays that pass.
    pub plays: NonZeroU32,
    /// The points that they may be behind the best, at least 0.
    pub margin: f64,
}

/// A phase of a training. Recipes name the variant as its `kind`.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Phase {
    /// The net plays against itself, and learns from whole games.
    SelfPlay(SelfPlay),
    /// The net plays against itself, one game after another, and learns after each ply.
    Online(Online),
    /// The net, or a teacher, plays games, and the net learns the values of their positions by an evaluator.
    Supervised(Supervised),
}

impl Phase {
    /// The games of the phase.
    #[must_use]
    pub fn games(&self) -> u64 {
        match self {
            Phase::SelfPlay(phase) => phase.games.get(),
            Phase::Online(phase) => phase.games.get(),
            Phase::Supervised(phase) => phase.games.get(),
        }
    }

    #[must_use]
    pub(crate) fn optimiser(&self) -> (Method, Loss) {
        match self {
            Phase::SelfPlay(SelfPlay { learning, .. }) | Phase::Supervised(Supervised { learning, .. }) => {
                (learning.method, learning.loss)
            }
            Phase::Online(_) => (Method::Sgd, Loss::Squared),
        }
    }

    /// The learning rate of the phase.
    #[must_use]
    pub fn rate(&self) -> &Schedule {
        match self {
            Phase::SelfPlay(SelfPlay { learning, .. }) | Phase::Supervised(Supervised { learning, .. }) => {
                &learning.rate
            }
            Phase::Online(phase) => &phase.rate,
        }
    }
}

/// The keys of [`Learning`], which stand among the keys of the phase.
const LEARNING: [&str; 4] = ["rate", "method", "loss", "minibatch"];

// Not derived: a derived `Deserialize` of a tagged enum buffers the table, and its errors then name no key.
impl<'de> Deserialize<'de> for Phase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Phase, D::Error> {
        let mut keys = toml::Table::deserialize(deserializer)?;
        let kind = keys.remove("kind").ok_or_else(|| de::Error::missing_field("kind"))?;
        let phase = match kind.as_str() {
            Some("self-play") => with_learning(keys).map(Phase::SelfPlay),
            Some("online") => of_keys(keys).map(Phase::Online),
            Some("supervised") => with_learning(keys).map(Phase::Supervised),
            other => Err(format!(
                "kind is {}: write \"self-play\", \"online\" or \"supervised\"",
                other.map_or_else(|| kind.type_str().to_owned(), |name| format!("{name:?}"))
            )),
        };
        phase.map_err(de::Error::custom)
    }
}

/// Reads a phase that has [`Learning`].
fn with_learning<T: DeserializeOwned>(mut keys: toml::Table) -> Result<T, String> {
    const GROUP: &str = "learning";
    // A table with this name would be silently overwritten by the table that is made below.
    if keys.contains_key(GROUP) {
        return Err(format!("unknown field `{GROUP}`"));
    }
    let learning: toml::Table = LEARNING.iter().filter_map(|&key| keys.remove_entry(key)).collect();
    keys.insert(GROUP.to_owned(), learning.into());
    let quoted = |name: &str| format!("`{name}`");
    of_keys(keys).map_err(|message| {
        let message = message.replace(&quoted(GROUP), &LEARNING.map(quoted).join(", "));
        // The key of a group, or the group without its required key, is printed as a key of the phase.
        let of_group = message.strip_prefix("learning.").or(message.strip_prefix("learning: "));
        of_group.unwrap_or(&message).to_owned()
    })
}

/// Deserializes a table without its place in a file. The text of an error begins with the key at fault.
fn of_keys<T: DeserializeOwned>(keys: toml::Table) -> Result<T, String> {
    keys.try_into().map_err(|error: toml::de::Error| {
        let text = error.to_string();
        let text = text.trim_end();
        match text.rsplit_once("\nin `") {
            Some((message, key)) => format!("{}: {message}", key.trim_end_matches('`')),
            None => text.to_owned(),
        }
    })
}

/// TD(lambda) on whole games of the net against itself: a position's target lies between the next position's value and
/// the next position's target.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// The number of games.
    pub games: NonZeroU64,
    /// The share of the next position's target in the target, 0..=1; the rest is the next position's value.
    #[serde(default = "lambda")]
    pub lambda: Schedule,
    /// Games of a round. They are played with the weights that the net has when the round begins; meanwhile it learns
    /// from the round before.
    #[serde(default = "round")]
    pub round: NonZeroU64,
    /// Games of a step, which learns from all their positions. Without it a step learns from `minibatch` positions,
    /// drawn from all games of the round.
    pub minibatch_games: Option<NonZeroUsize>,
    /// How the net learns; in recipes these keys are keys of the phase.
    pub learning: Learning,
}

/// TD(lambda) as it was first done (Tesauro 1992): the net plays one game after another, and makes a step after each
/// ply, by stochastic gradient descent on half the squared difference, along eligibility traces. It runs on one thread,
/// at some hundred games a second.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Online {
    /// The number of games.
    pub games: NonZeroU64,
    /// The factor by which traces decay with each ply, 0..=1.
    #[serde(default = "lambda")]
    pub lambda: Schedule,
    /// The factor of the gradient in a step.
    pub rate: Schedule,
}

/// Supervised learning: positions of a teacher's games against itself, and their values by an evaluator. By default
/// teacher and evaluator are the net as it is when the phase begins.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Supervised {
    /// The number of games.
    pub games: NonZeroU64,
    /// Take every n-th position, counted over all games.
    #[serde(default = "every")]
    pub every: NonZeroUsize,
    /// The player of the games, a name or a file; by default the net itself.
    pub teacher: Option<String>,
    /// The player that values positions, a name or a file; by default the net itself.
    pub evaluator: Option<String>,
    /// The share of exploratory plays, which the teacher would not pick, 0..=1: the net sees the results of other
    /// plays, too. An old name in recipes is `strays`.
    #[serde(alias = "strays", default)]
    pub exploration: f64,
    /// The player that picks exploratory plays, a name or a file; by default they are drawn at random. The plays of a
    /// weaker player are the ones that a net has to tell from the best. An old name in recipes is `strayer`.
    #[serde(alias = "strayer")]
    pub explorer: Option<String>,
    /// How targets are made.
    pub targets: Targets,
    /// The share, 0..=1, of a later position's correction that is added to a position's target, seen from its side. A
    /// correction is the later position's target, itself corrected, minus the evaluator's value there.
    ///
    /// The later position is the one that the evaluator values for the target: with look-ahead the next position, with
    /// rollouts the position after `plies` plies. So a net learns at once of errors many plies later, and without the
    /// luck of the dice if targets are means over all rolls. After an exploratory play nothing is added. Above 0 all
    /// positions are valued, whatever `every` is. Targets by evaluation have no corrections.
    #[serde(default)]
    pub lambda: f64,
    /// How often the net learns from all positions.
    #[serde(default = "one_epoch", deserialize_with = "epochs")]
    pub epochs: NonZeroU64,
    /// Steps of warm-up, in which the rate rises from 0 to its schedule. Adam's first steps are as large as the rate,
    /// whatever the gradients.
    #[serde(default)]
    pub warm_up: u64,
    /// How the net learns; in recipes these keys are keys of the phase.
    pub learning: Learning,
}

impl Supervised {
    /// Whether the rate is 0 in every step of a phase of `steps` steps.
    pub(crate) fn learns_nothing_in(&self, steps: u64) -> bool {
        self.learning.rate.is_zero_in_rounds(steps, 1)
    }

    /// The rate of step number `step`, from 0 on, of `of` steps.
    pub(crate) fn rate_at(&self, step: u64, of: u64) -> f64 {
        let rate = self.learning.rate.at(step as f64 / of as f64);
        if step < self.warm_up {
            // Not `step`: the first step would learn nothing at the rate 0.
            rate * (step + 1) as f64 / self.warm_up as f64
        } else {
            rate
        }
    }
}

/// The use of a player that a recipe names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// To play games.
    Plays,
    /// To value positions.
    Values,
}

/// How the targets of positions are made.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Targets {
    /// The evaluator's value of the position. The evaluator must be another player.
    // With braces: serde would ignore unknown keys of a unit variant.
    Evaluation {},
    /// The mean over the 21 rolls of the evaluator's value after the teacher's best play, mixed with its value before
    /// the roll. An evaluator that favours every player on roll favours the opponent one ply later. With half of each
    /// the two errors cancel; without the value before the roll, the error would only change its sign.
    // Six phases without `before`: the opening at +0.157, where rollouts have +0.08 (profiles/LOG.md, 2026-11-23).
    LookAhead {
        /// The share of the value before the roll, 0..=1.
        #[serde(default)]
        before: f64,
    },
    /// The mean of games that the teacher plays on from the position; the evaluator values truncated games.
    Rollout {
        /// The games from each position.
        games: NonZeroU32,
        /// Games are truncated after `plies` plies.
        plies: NonZeroU32,
    },
}

/// How a net learns from positions and targets.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Learning {
    /// The learning rate: the factor of a minibatch's mean gradient, or Adam's step size.
    pub rate: Schedule,
    /// The optimiser.
    #[serde(default)]
    pub method: Method,
    /// The function that is minimised.
    #[serde(default)]
    pub loss: Loss,
    /// Positions of a step; without a number, 32.
    #[serde(default, deserialize_with = "minibatch")]
    pub minibatch: Option<NonZeroUsize>,
}

impl Learning {
    /// Positions of a step, unless the recipe says how many.
    const MINIBATCH: usize = 32;

    /// Positions of a step.
    #[must_use]
    pub fn minibatch(&self) -> usize {
        self.minibatch.map_or(Learning::MINIBATCH, NonZeroUsize::get)
    }
}

/// An optimiser: how weights follow their gradients.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Stochastic gradient descent.
    #[default]
    Sgd,
    /// Adam (Kingma and Ba, 2015), with its authors' constants. After the first layer, gradients use activations minus
    /// their means in the minibatch (Schraudolph, Centering neural network gradient factors, 1998). Activations are
    /// never negative, so without centring the steps of all weights of a unit add up, and most units of deep layers end
    /// where they no longer respond.
    // Of 256 units in each layer, 256, 116 and 18 still responded without it (profiles/LOG.md, 2026-11-24).
    Adam,
}

/// The loss: the distance of outputs from their targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Half the sum of the squares.
    #[default]
    Squared,
    /// The cross-entropy of each output.
    CrossEntropy,
    /// Half the squared difference of the equities, in points, plus half the sum of the squares. Plays are picked by
    /// equities, and the cross-entropy weighs errors of rare outcomes more than equities do.
    Equity,
}

/// How often the strength of the net is measured, and how precisely.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reporting {
    /// Reports in a phase, at most 10,000.
    #[serde(deserialize_with = "reports")]
    pub times: NonZeroU64,
    /// Games against each opponent for a report, an even number: two on the same dice, with the sides exchanged.
    pub games: NonZeroU64,
    /// The points per game against pubeval, -3 to 3, that the training must reach at its end; the command fails if it
    /// does not.
    pub pubeval_at_least: Option<f64>,
}

impl Default for Reporting {
    fn default() -> Reporting {
        let number = |number| NonZeroU64::new(number).expect("not 0");
        Reporting { times: number(20), games: number(2000), pubeval_at_least: None }
    }
}

/// The points of a backgammon, the most of a game without the cube.
const MAX_POINTS: f64 = 3.0;

/// The most reports of a phase: more would be a typing error.
const MAX_REPORTS: u64 = 10_000;

/// The most epochs, and the most positions of a step. More would be a typing error.
const MAX_TIMES: u64 = 1_000_000_000;

fn logistic() -> Activation {
    Activation::Logistic
}

fn cumulative() -> Outputs {
    Outputs::Cumulative
}

fn lambda() -> Schedule {
    // TD-Gammon's (profiles/LOG.md, 2026-11-24).
    Schedule::Constant(0.7)
}

fn round() -> NonZeroU64 {
    NonZeroU64::new(512).expect("not 0")
}

fn every() -> NonZeroUsize {
    NonZeroUsize::MIN
}

fn one_epoch() -> NonZeroU64 {
    NonZeroU64::MIN
}

fn epochs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NonZeroU64, D::Error> {
    recipe::whole(deserializer, 1..=MAX_TIMES)
}

fn minibatch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroUsize>, D::Error> {
    recipe::whole(deserializer, 1..=MAX_TIMES).map(NonZeroUsize::new)
}

/// Reads how often strength is measured.
pub(crate) fn reports<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NonZeroU64, D::Error> {
    recipe::whole(deserializer, 1..=MAX_REPORTS)
}

/// Reads something by its name.
pub(crate) fn by_name<'de, D: Deserializer<'de>, T: FromStr<Err: core::fmt::Display>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let name = String::deserialize(deserializer)?;
    name.parse().map_err(de::Error::custom)
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

    /// The players that the phases name: their places in the recipe, their roles, and their names.
    pub(crate) fn players(&self) -> impl Iterator<Item = (String, Role, &str)> {
        (1..).zip(&self.phases).flat_map(|(number, phase)| {
            let players = match phase {
                Phase::Supervised(phase) => [
                    ("teacher", Role::Plays, &phase.teacher),
                    ("evaluator", Role::Values, &phase.evaluator),
                    ("explorer", Role::Plays, &phase.explorer),
                ]
                .to_vec(),
                Phase::SelfPlay(_) | Phase::Online(_) => Vec::new(),
            };
            players.into_iter().filter_map(move |(place, role, name)| {
                Some((format!("{place} of phase {number}"), role, name.as_deref()?))
            })
        })
    }

    /// Whether `is_file` is true for a file that the recipe names.
    ///
    /// ```
    /// # use tavli_train::Recipe;
    /// let recipe = Recipe::parse(r#"
    ///     description = "By the games of a player that looks ahead"
    ///     seed = 1
    ///     net = { encoder = "raw196", hidden = [20], from = "before.player" }
    ///     [[phase]]
    ///     kind = "supervised"
    ///     games = 1000
    ///     targets = { by = "look-ahead" }
    ///     teacher = "other.player#0123abcd+1ply"
    ///     rate = 0.5
    /// "#)?;
    /// let named = |file: &str| recipe.names(|path| path == file);
    /// assert!(named("before.player") && named("other.player") && !named("after.player"));
    /// # Ok::<(), tavli_train::RecipeError>(())
    /// ```
    #[must_use]
    pub fn names(&self, is_file: impl Fn(&str) -> bool) -> bool {
        // A file is named before a checksum, or after the last colon of an addition.
        let of_player = |name: &str| {
            name.split('+').any(|part| {
                let part = part.split_once('#').map_or(part, |(path, _)| path);
                is_file(part) || part.rsplit_once(':').is_some_and(|(_, path)| is_file(path))
            })
        };
        let prefilter = self.prefilter.iter().map(|prefilter| prefilter.player.as_str());
        prefilter.chain(self.net.from.as_deref()).any(&is_file) || self.players().any(|(_, _, name)| of_player(name))
    }

    fn check(&self) -> Result<(), RecipeError> {
        self.check_net()?;
        // In 128 bits, since each phase may have up to 2^64 - 1 games.
        let games = self.phases.iter().map(|phase| u128::from(phase.games()));
        let games: u128 = games.sum();
        if games >= 1 << 63 {
            let remedy = "write fewer: there are 2^63 games of a seed";
            return wrong("the number of games", &games, remedy);
        }
        if self.phases.is_empty() {
            return wrong("phase", &0, "write at least one");
        }
        for (number, phase) in (1..).zip(&self.phases) {
            phase.check(&|name| format!("{name} of phase {number}"))?;
        }
        Ok(())
    }

    /// Checks everything except the phases.
    fn check_net(&self) -> Result<(), RecipeError> {
        check_seed(self.seed)?;
        let sizes = &self.net.hidden;
        let (layers, units) = (PlayerFile::MAX_LAYERS, PlayerFile::MAX_UNITS);
        if !(1..=layers).contains(&sizes.len()) || sizes.iter().any(|size| !(1..=units).contains(size)) {
            let remedy = format!("write 1 to {layers} layers, each of 1 to {units} units");
            return wrong("net.hidden", sizes, remedy);
        }
        if let Some(RankingNet { margin, .. }) = &self.prefilter
            // The file of a player has the margin in 32 bits.
            && !(0.0..=f64::from(f32::MAX)).contains(margin)
        {
            return wrong("prefilter.margin", margin, "write a number of points, 0 to 3e38");
        }
        check_pairs(self.report.games)?;
        match self.report.pubeval_at_least {
            Some(points) if !(-MAX_POINTS..=MAX_POINTS).contains(&points) => {
                let remedy = "write points per game, -3 to 3";
                wrong("report.pubeval_at_least", &points, remedy)
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn check_seed(seed: u64) -> Result<(), RecipeError> {
    if seed >= 1 << 63 {
        let remedy = "write 0 to 9223372036854775807; larger seeds measure strength";
        return wrong("seed", &seed, remedy);
    }
    Ok(())
}

/// Checks by how many games strength is measured.
pub(crate) fn check_pairs(games: NonZeroU64) -> Result<(), RecipeError> {
    if !games.get().is_multiple_of(2) {
        let remedy = "write an even number: two games on the same dice, with the sides exchanged";
        return wrong("report.games", &games, remedy);
    }
    Ok(())
}

/// Checks the schedules of lambda, if there is one, and of the rate; `place` turns the name of a key into where it
/// stands in the recipe.
pub(crate) fn check_schedules(
    lambda: Option<&Schedule>,
    rate: &Schedule,
    place: &dyn Fn(&str) -> String,
) -> Result<(), RecipeError> {
    for lambda in lambda.iter().flat_map(|lambda| lambda.numbers()) {
        check_share(place("lambda"), lambda)?;
    }
    let lambda = lambda.map(|lambda| ("lambda", lambda));
    for (name, schedule) in lambda.into_iter().chain([("rate", rate)]) {
        if let Some(steps) = schedule.disorder() {
            let remedy = "write parts of the phase that rise from 0 and are below 1, such as [[0.0, 1.0], \
                          [0.8, 0.1]]";
            let steps: Vec<[f64; 2]> = steps.iter().map(|&step| step.into()).collect();
            return wrong(place(&format!("steps of the {name}")), &steps, remedy);
        }
    }
    for rate in rate.numbers() {
        if !(rate >= 0.0 && rate.is_finite()) {
            return wrong(place("rate"), &rate, "write a number above 0");
        }
    }
    if rate.numbers().iter().all(|&rate| rate == 0.0) {
        return wrong(place("rate"), &0.0, "write a number above 0: at a rate of 0 nothing is learned");
    }
    // Steps are computed in single precision.
    if rate.numbers().iter().all(|&rate| rate as f32 == 0.0) {
        let most = rate.numbers().into_iter().fold(0.0, f64::max);
        return wrong(
            place("rate"),
            &most,
            "write a larger number, such as 0.1: in single precision it is 0, and nothing is learned",
        );
    }
    Ok(())
}

/// Checks that the rate is above 0 at the start of some round of games, or of some game, where its schedule is read.
pub(crate) fn check_rounds(
    rate: &Schedule,
    (games, round): (NonZeroU64, NonZeroU64),
    place: &dyn Fn(&str) -> String,
) -> Result<(), RecipeError> {
    if rate.is_zero_in_rounds(games.get(), round.get()) {
        let begins = if round.get() == 1 { "a game" } else { "a round" };
        let remedy = format!("write a schedule that is above 0 where {begins} begins: nothing is learned");
        return wrong(place("rate"), &0.0, remedy);
    }
    Ok(())
}

/// Checks that a number is a share, 0 to 1.
fn check_share(place: String, share: f64) -> Result<(), RecipeError> {
    match (0.0..=1.0).contains(&share) {
        true => Ok(()),
        false => wrong(place, &share, "write 0 to 1"),
    }
}

impl Phase {
    /// Checks a phase; `place` turns the name of a key into where it stands in the recipe.
    fn check(&self, place: &dyn Fn(&str) -> String) -> Result<(), RecipeError> {
        let lambda = match self {
            Phase::SelfPlay(SelfPlay { lambda, .. }) | Phase::Online(Online { lambda, .. }) => Some(lambda),
            Phase::Supervised(_) => None,
        };
        check_schedules(lambda, self.rate(), place)?;
        match self {
            Phase::SelfPlay(phase) => phase.check(place),
            Phase::Online(Online { games, rate, .. }) => check_rounds(rate, (*games, NonZeroU64::MIN), place),
            Phase::Supervised(phase) => phase.check(place),
        }
    }
}

impl SelfPlay {
    fn check(&self, place: &dyn Fn(&str) -> String) -> Result<(), RecipeError> {
        match (self.minibatch_games, self.learning.minibatch) {
            (Some(games), Some(_)) => {
                let remedy = "name it or minibatch, not both: the positions or the games of a step";
                wrong(place("minibatch_games"), &games, remedy)
            }
            _ => check_rounds(&self.learning.rate, (self.games, self.round), place),
        }
    }
}

impl Supervised {
    fn check(&self, place: &dyn Fn(&str) -> String) -> Result<(), RecipeError> {
        check_share(place("lambda"), self.lambda)?;
        check_share(place("exploration"), self.exploration)?;
        if let Some(explorer) = &self.explorer
            && self.exploration == 0.0
        {
            let remedy = "write the share of its plays, exploration, above 0, or name no explorer";
            return wrong(place("explorer"), explorer, remedy);
        }
        match self.targets {
            Targets::LookAhead { before } => check_share(place("targets.before"), before),
            Targets::Evaluation {} if self.evaluator.is_none() => {
                let remedy = "name an evaluator, or write look-ahead or rollout: the net itself teaches nothing by \
                              its values";
                wrong(place("targets.by"), &"evaluation", remedy)
            }
            Targets::Evaluation {} if self.lambda > 0.0 => {
                let remedy = "leave it out: the evaluator's own values are not corrected";
                wrong(place("lambda"), &self.lambda, remedy)
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_while_it_warms_up() {
        let recipe = Recipe::parse(
            r#"
            description = "Warms up"
            seed = 1
            [net]
            encoder = "raw196"
            hidden = [2]
            [[phase]]
            kind = "supervised"
            games = 1
            targets = { by = "look-ahead" }
            warm_up = 4
            rate = { from = 8.0, to = 0.0 }
            "#,
        );
        let recipe = recipe.expect("a recipe");
        let Phase::Supervised(phase) = &recipe.phases[0] else {
            panic!("{:?}", recipe.phases);
        };
        let rates: Vec<f64> = (0..8).map(|step| phase.rate_at(step, 8)).collect();
        assert_eq!(rates, [2.0, 3.5, 4.5, 5.0, 4.0, 3.0, 2.0, 1.0]);
    }
}
