//! Recipes as their files are written.

use core::fmt::Display;
use core::num::NonZeroUsize;
use core::str::FromStr;
use std::collections::BTreeSet;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tavli::named;
use tavli::policies::PolicyPair;
use tavli::run::{Pinning, Placement};
use tavli::search::{Method, SearchSettings};
use tavli::text::{BYTE_ORDER_MARK, Quoted, is_printable};
use tavli::{Board, Playouts, Position, Roll, RuleSet};

use crate::recipe::definition::{
    BUILT_IN, Case, Chooser, Expected, ExpectedChoices, ExpectedRoots, Operation, Recipe, RecipeError, Threads,
    Workload,
};
use crate::situations::Category;
use crate::stored_decisions::StoredDecision;

/// A recipe as written in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecipeToml {
    description: String,
    #[serde(default)]
    signature: String,
    warm_up_seconds: f64,
    repetitions: usize,
    seconds: f64,
    time_limit_seconds: Option<f64>,
    seed: u64,
    case: Vec<CaseToml>,
}

/// A case as written in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseToml {
    name: String,
    workload: String,
    rules: String,
    placement: String,
    threads: toml::Value,
    positions: Option<Vec<String>>,
    batch: Option<u64>,
    category: Option<String>,
    policy: Option<String>,
    roll: Option<String>,
    method: Option<String>,
    trees: Option<u32>,
    decisions: Option<usize>,
    within: Option<f64>,
    expected: Option<toml::Value>,
}

/// Why a text of a recipe is refused: it is printed with the record, and a terminal would obey it.
const ONE_LINE: &str = "it must be one line without control characters";

impl Recipe {
    /// The built-in recipe of a name, if there is one.
    ///
    /// ```
    /// let recipe = tavli_bench::Recipe::built_in("quick").expect("it is built in");
    /// assert_eq!(recipe.repetitions, 10);
    /// ```
    #[must_use]
    pub fn built_in(name: &str) -> Option<Recipe> {
        let (name, text) = BUILT_IN.into_iter().find(|recipe| recipe.0 == name)?;
        Some(Recipe::parse(name, text).expect("a test reads every built-in recipe"))
    }

    /// Reads a recipe.
    ///
    /// # Errors
    /// [`RecipeError`] if the text is not a recipe; it names the place.
    pub fn parse(name: &str, text: &str) -> Result<Recipe, RecipeError> {
        let text = text.trim_start_matches(BYTE_ORDER_MARK);
        let written: RecipeToml = toml::from_str(text).map_err(|error| RecipeError::Form(error.to_string()))?;
        let bad =
            |place: &str, message: &str| RecipeError::Value { place: place.to_owned(), message: message.to_owned() };
        let hexadecimal = |text: &str| text.len() == 16 && u64::from_str_radix(text, 16).is_ok();
        if !written.signature.is_empty() && !hexadecimal(&written.signature) {
            return Err(bad("signature", "it must have 16 hexadecimal digits"));
        }
        if written.case.is_empty() {
            return Err(bad("case", "there must be at least one"));
        }
        if !is_printable(&written.description) {
            return Err(bad("description", ONE_LINE));
        }
        let cases: Vec<Case> = written.case.into_iter().map(CaseToml::check).collect::<Result<_, _>>()?;
        check_names(&cases)?;
        let recipe = Recipe {
            name: Quoted::new(name).to_string(),
            description: written.description,
            signature: written.signature,
            warm_up_seconds: 0.0,
            repetitions: 1,
            seconds: 1.0,
            time_limit_seconds: None,
            seed: written.seed,
            cases,
        };
        let recipe = recipe
            .with_repetitions(written.repetitions)?
            .with_seconds(written.seconds)?
            .with_warm_up(written.warm_up_seconds)?;
        match written.time_limit_seconds {
            None => Ok(recipe),
            Some(seconds) => recipe.with_time_limit(seconds),
        }
    }
}

/// Checks that no two cases can have the same name on any machine.
fn check_names(cases: &[Case]) -> Result<(), RecipeError> {
    let bad = |place: String, message: String| Err(RecipeError::Value { place, message });
    let mut names = BTreeSet::new();
    for case in cases {
        if !names.insert(case.name.as_str()) {
            return bad("case".to_owned(), format!("two have the same name '{}'", case.name));
        }
    }
    for case in cases {
        let doubled = |family: &str| {
            let mut others = cases.iter().filter(|other| other.threads == Threads::Doubling);
            others.any(|other| other.name == family)
        };
        if let Some((family, _)) = Threads::in_name(&case.name)
            && doubled(family)
        {
            return bad(
                format!("name of case '{}'", case.name),
                format!(
                    "the case '{family}' doubles its threads and makes the names {family}/1, {family}/2 and so on: \
                     give this case another name"
                ),
            );
        }
    }
    Ok(())
}

impl CaseToml {
    fn check(self) -> Result<Case, RecipeError> {
        let texts = [("name", Some(&self.name)), ("policy", self.policy.as_ref())];
        for (key, text) in texts {
            if text.is_some_and(|text| !is_printable(text)) {
                return Err(RecipeError::Value {
                    place: format!("{key} of case '{}'", Quoted::new(&self.name)),
                    message: ONE_LINE.to_owned(),
                });
            }
        }
        let rules: RuleSet = self.read("rules", &self.rules)?;
        let placement: Pinning = self.read("placement", &self.placement)?;
        let threads = threads(&self.threads).ok_or_else(|| {
            let most = Placement::MAX_WORKERS;
            let value = match &self.threads {
                toml::Value::String(word) => format!("{word:?}"),
                toml::Value::Integer(number) => number.to_string(),
                other => format!("of type {}", other.type_str()),
            };
            let message =
                format!("invalid value {value}: it must be \"all\", \"doubling\", \"socket\" or a number 1 to {most}");
            self.bad("threads", message)
        })?;
        let board = |text: &String| {
            let position: Position = self.read("positions", text)?;
            let playouts = Playouts::new(*position.board(), rules, 0);
            playouts.map_err(|error| self.bad("positions", format!("{text}: {error}")))?;
            Ok(*position.board())
        };
        let positions = match &self.positions {
            None => vec![rules.start()],
            Some(texts) if texts.is_empty() => return Err(self.bad("positions", "there must be at least one")),
            Some(texts) => texts.iter().map(board).collect::<Result<_, _>>()?,
        };
        self.check_keys()?;
        let players = match &self.policy {
            Some(name) => PolicyPair::alike(named::policy(name).map_err(|error| self.bad("policy", error))?),
            None => PolicyPair::default(),
        };
        let mut operations = Operation::ALL.iter().copied();
        let operation = operations.find(|operation| operation.name() == self.workload);
        let of_games = |it: &Expected| fault(it.games, "games", None);
        let workload = match (self.workload.as_str(), operation) {
            ("playouts", _) => Workload::Playouts { positions, players, expected: self.expected(of_games)? },
            ("rollout", _) => {
                let Some(batch) = self.batch.filter(|&games| games > 0) else {
                    return Err(self.bad("batch", "the games of a run must be given, 1 at least"));
                };
                Workload::Rollout { positions, batch, expected: self.expected(of_games)? }
            }
            ("search", _) => self.search(positions)?,
            ("decide", _) => self.decide(rules, players)?,
            ("stages", _) => Workload::Stages { positions, players },
            (_, Some(operation)) => {
                let name = self.category.as_deref().unwrap_or(Category::Any.name());
                let category = Category::ALL
                    .iter()
                    .copied()
                    .find(|category| category.name() == name && category.occurs_in(rules))
                    .ok_or_else(|| {
                        let occurring = Category::ALL.iter().filter(|it| it.occurs_in(rules));
                        let names: Vec<&str> = occurring.map(|it| it.name()).collect();
                        let names = names.join(", ");
                        let message = format!("invalid value '{name}' under {rules}: choose from {names}");
                        self.bad("category", message)
                    })?;
                Workload::Plays { operation, category }
            }
            _ => {
                let message = "choose playouts, rollout, search, decide, stages, count, unrank or enumerate";
                return Err(self.bad("workload", format!("'{}': {message}", self.workload)));
            }
        };
        Ok(Case { name: self.name, workload, rules, placement, threads, tier: None })
    }
}

/// Why expected results verify nothing: they have 0 units, or a checksum that is none.
fn fault(number: u64, units: &str, checksum: Option<&str>) -> Option<String> {
    if number == 0 {
        return Some(format!("0 {units} verify nothing: it must be 1 or more"));
    }
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let text = checksum.filter(|text| text.len() != 8 || !text.bytes().all(is_digit))?;
    Some(format!("'{}' is not a checksum of 8 hexadecimal digits", Quoted::new(text).within(20)))
}

impl CaseToml {
    /// Refuses keys that the workload does not take. An unknown workload is refused elsewhere.
    fn check_keys(&self) -> Result<(), RecipeError> {
        let taken: &[&str] = match self.workload.as_str() {
            "playouts" => &["positions", "policy", "expected"],
            "rollout" => &["positions", "batch", "expected"],
            "search" => &["positions", "roll", "method", "trees", "expected"],
            "decide" => &["policy", "decisions", "within", "expected"],
            "stages" => &["positions", "policy"],
            "count" | "unrank" | "enumerate" => &["category"],
            _ => return Ok(()),
        };
        let given = [
            ("decisions", self.decisions.is_some()),
            ("within", self.within.is_some()),
            ("roll", self.roll.is_some()),
            ("method", self.method.is_some()),
            ("trees", self.trees.is_some()),
            ("batch", self.batch.is_some()),
            ("category", self.category.is_some()),
            ("positions", self.positions.is_some()),
            ("policy", self.policy.is_some()),
            ("expected", self.expected.is_some()),
        ];
        match given.into_iter().find(|(key, is_given)| *is_given && !taken.contains(key)) {
            None => Ok(()),
            Some((key, _)) => Err(self.bad(key, format_args!("the workload {} does not take it", self.workload))),
        }
    }

    /// Reads the text of a key.
    fn read<T: FromStr<Err: Display>>(&self, key: &str, text: &str) -> Result<T, RecipeError> {
        text.parse().map_err(|error| self.bad(key, error))
    }

    fn bad(&self, key: &str, error: impl ToString) -> RecipeError {
        RecipeError::Value { place: format!("{key} of case '{}'", self.name), message: error.to_string() }
    }

    /// The results that the workload expects, in its form, unless they have a `fault`.
    fn expected<T: DeserializeOwned>(&self, fault: fn(&T) -> Option<String>) -> Result<Option<T>, RecipeError> {
        let read = |value: toml::Value| -> Result<T, RecipeError> {
            let expected: T = value.try_into().map_err(|error| self.bad("expected", error))?;
            match fault(&expected) {
                Some(fault) => Err(self.bad("expected", fault)),
                None => Ok(expected),
            }
        };
        self.expected.clone().map(read).transpose()
    }

    /// Stored decisions, by `players` if the case names a policy.
    fn decide(&self, rules: RuleSet, players: PolicyPair) -> Result<Workload, RecipeError> {
        if rules != RuleSet::Backgammon {
            return Err(self.bad("rules", "the stored decisions are for backgammon"));
        }
        let stored = StoredDecision::all().len();
        let decisions = self.decisions.unwrap_or(stored);
        if !(1..=stored).contains(&decisions) {
            return Err(self.bad("decisions", format!("it must be 1 to {stored}, not {decisions}")));
        }
        let chooser = match (&self.policy, self.within) {
            (Some(_), None) => Chooser::Player(players),
            (Some(_), Some(_)) => return Err(self.bad("within", "a case with a policy does not roll out")),
            (None, Some(within)) if !(within >= 0.0 && within.is_finite()) => {
                return Err(
                    self.bad("within", format!("it must be a finite number of points, 0 or more, not {within}"))
                );
            }
            (None, within) => Chooser::Rollouts { within },
        };
        let expected =
            self.expected(|it: &ExpectedChoices| fault(it.decisions as u64, "decisions", Some(&it.plays)))?;
        if let Some(ExpectedChoices { decisions: first, .. }) = expected
            && first > decisions
        {
            let message = format!("the choices in {first} decisions are expected, and the case has {decisions}");
            return Err(self.bad("expected", message));
        }
        Ok(Workload::Decide { decisions, chooser, expected })
    }

    /// A search from these positions.
    fn search(&self, positions: Vec<Board>) -> Result<Workload, RecipeError> {
        let Some(roll) = &self.roll else {
            return Err(self.bad("roll", "a search has the roll of its first play, such as \"31\""));
        };
        let roll: Roll = self.read("roll", roll)?;
        let defaults = SearchSettings::default();
        let method = self.method.as_deref().unwrap_or(defaults.method.name());
        let method: Method = self.read("method", method)?;
        let settings = SearchSettings { method, trees: self.trees.unwrap_or(defaults.trees), ..defaults };
        settings.check().map_err(|error| self.bad("trees", error))?;
        let expected = self.expected(|it: &ExpectedRoots| fault(it.simulations, "simulations", Some(&it.roots)))?;
        Ok(Workload::Search { positions, roll, settings, expected })
    }
}

/// Reads a number of threads.
fn threads(value: &toml::Value) -> Option<Threads> {
    match value {
        toml::Value::String(word) => match word.as_str() {
            "all" => Some(Threads::All),
            "doubling" => Some(Threads::Doubling),
            "socket" => Some(Threads::Socket),
            _ => None,
        },
        toml::Value::Integer(number) => usize::try_from(*number)
            .ok()
            .filter(|&number| number <= Placement::MAX_WORKERS)
            .and_then(NonZeroUsize::new)
            .map(Threads::Number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::{Expected, ExpectedRoots};

    const RECIPE: &str = r#"
        description = "a test"
        signature = "0123456789abcdef"
        warm_up_seconds = 0.1
        repetitions = 3
        seconds = 0.2
        seed = 7
        [[case]]
        name = "games"
        workload = "playouts"
        rules = "backgammon"
        placement = "cores"
        threads = "all"
        expected = { games = 10, plies = 20, plays = 30 }
        [[case]]
        name = "short"
        workload = "rollout"
        rules = "mcgammon"
        placement = "numa:spread"
        threads = 2
        positions = ["4HPwATDgc/ABMA", "tu0MAhBoz8EDQA"]
        batch = 36
        [[case]]
        name = "plays"
        workload = "count"
        rules = "backgammon"
        placement = "none"
        threads = "doubling"
        category = "double"
        [[case]]
        name = "halving"
        workload = "search"
        rules = "backgammon"
        placement = "cores"
        threads = 1
        roll = "31"
        method = "halving"
        trees = 4
        expected = { simulations = 5, plies = 6, roots = "01234567" }
        [[case]]
        name = "choices"
        workload = "decide"
        rules = "backgammon"
        placement = "cores"
        threads = 1
        decisions = 7
        within = 0.02
        expected = { decisions = 2, games = 72, plays = "01234567" }
    "#;

    #[test]
    fn a_recipe_is_read() {
        let recipe = Recipe::parse("test", RECIPE).unwrap();
        assert_eq!((recipe.seed, recipe.repetitions, recipe.cases.len()), (7, 3, 5));
        let expected = Some(Expected { games: 10, plies: 20, plays: 30 });
        let positions = vec![Board::START];
        assert_eq!(
            recipe.cases[0].workload,
            Workload::Playouts { positions, players: PolicyPair::default(), expected }
        );
        assert_eq!(recipe.cases[1].workload.positions()[1], "tu0MAhBoz8EDQA");
        assert_eq!(recipe.cases[1].placement.to_string(), "numa:spread");
        assert_eq!(recipe.cases[2].threads, Threads::Doubling);
        assert_eq!(recipe.cases[2].workload.unit(), "rolls");
        let settings = SearchSettings { method: Method::Halving, trees: 4, ..SearchSettings::default() };
        let expected = Some(ExpectedRoots { simulations: 5, plies: 6, roots: "01234567".to_owned() });
        assert_eq!(
            recipe.cases[3].workload,
            Workload::Search { positions: vec![Board::START], roll: "31".parse().unwrap(), settings, expected }
        );
        let expected = Some(ExpectedChoices { decisions: 2, games: 72, plays: "01234567".to_owned() });
        assert_eq!(
            recipe.cases[4].workload,
            Workload::Decide { decisions: 7, chooser: Chooser::Rollouts { within: Some(0.02) }, expected }
        );
        assert!((recipe.duration(3) - 3.0 * 0.7).abs() < 1e-9);
    }

    #[test]
    fn games_begin_at_the_start_of_the_rules() {
        for &rules in RuleSet::ALL {
            let text = RECIPE.replacen("\"backgammon\"", &format!("\"{rules}\""), 1);
            let text = text.replacen("expected = { games = 10, plies = 20, plays = 30 }", "", 1);
            let case = &Recipe::parse("test", &text).unwrap().cases[0];
            assert_eq!(case.rules, rules);
            let start = Position::from(rules.start()).board().position_id();
            assert_eq!(case.workload.positions(), [start.to_string()]);
        }
    }

    #[test]
    fn faults_name_their_place() {
        for (part, instead, message) in [
            ("seed = 7", "", "missing field `seed`"),
            ("seed = 7", "sead = 7", "unknown field `sead`"),
            ("seed = 7", "seed = ", "seed ="),
            ("repetitions = 3", "repetitions = 0", "repetitions: it must be 1 to 200"),
            ("seconds = 0.2", "seconds = nan", "seconds: invalid value NaN"),
            ("seconds = 0.2", "seconds = 1e-9", "seconds: invalid value 0.000000001: a repetition takes 0.001 s"),
            ("up_seconds = 0.1", "up_seconds = -1", "warm_up_seconds: invalid value -1"),
            ("seed = 7", "seed = 7\ntime_limit_seconds = 0", "time_limit_seconds: invalid value 0"),
            ("89abcdef", "89abcdeg", "signature: it must have 16 hexadecimal"),
            ("\"games\"", "\"short\"", "two have the same name 'short'"),
            ("\"games\"", "\"plays/2\"", "name of case 'plays/2': the case 'plays' doubles"),
            ("\"all\"", "\"every\"", "threads of case 'games': invalid value \"every\": it must be \"all\""),
            ("\"all\"", "0", "threads of case 'games'"),
            ("\"games\"", "\"ga\\u001bmes\"", "name of case 'ga\\u{1b}mes': it must be one line"),
            ("description = \"", "description = \"a\\n", "description: it must be one line"),
            ("\"cores\"", "\"core\"", "placement of case 'games': 'core' is not a way"),
            ("\"mcgammon\"", "\"chess\"", "rules of case 'short'"),
            ("tu0MAhBoz8EDQA", "tu0", "positions of case 'short'"),
            ("tu0MAhBoz8EDQA", "7e4OAABtdw8AAA", "the game is already over"),
            ("batch = 36", "", "batch of case 'short': the games of a run must be given"),
            ("\"count\"", "\"sort\"", "workload of case 'plays': 'sort': choose"),
            ("category = \"double\"", "category = \"treble\"", "category of case 'plays'"),
            ("category = \"double\"", "batch = 3", "the workload count does not take it"),
            ("roll = \"31\"", "", "roll of case 'halving': a search has the roll"),
            ("\"31\"", "\"71\"", "roll of case 'halving'"),
            ("\"halving\"\n        trees", "\"half\"\n        trees", "method of case 'halving'"),
            ("trees = 4", "trees = 0", "invalid number of trees 0: give 1"),
            ("trees = 4", "batch = 4", "the workload search does not take it"),
            ("batch = 36", "batch = 36\nroll = \"31\"", "roll of case 'short'"),
            ("plays = 30", "rolls = 30", "expected of case 'games'"),
            (
                "decisions = 2, games = 72",
                "decisions = 0, games = 0",
                "expected of case 'choices': 0 decisions verify nothing",
            ),
            (
                "plays = \"01234567\"",
                "plays = \"0123456G\"",
                "expected of case 'choices': '0123456G' is not a checksum of 8 hexadecimal digits",
            ),
            ("simulations = 5", "simulations = 0", "0 simulations verify nothing"),
            ("roots = \"01234567\"", "roots = \"\"", "'' is not a checksum"),
            ("decisions = 7", "decisions = 1", "expected of case 'choices': the choices in 2 decisions are expected"),
            ("decisions = 7", "decisions = 0", "decisions of case 'choices': it must be 1 to"),
            ("decisions = 7", "roll = \"31\"", "roll of case 'choices'"),
            (
                "within = 0.02",
                "within = -1",
                "within of case 'choices': it must be a finite number of points, 0 or more, not -1",
            ),
            ("within = 0.02", "within = 0.02\npolicy = \"fast\"", "a case with a policy does not roll out"),
            ("batch = 36", "batch = 36\nwithin = 0", "the workload rollout does not take it"),
        ] {
            assert!(RECIPE.contains(part), "{part}");
            let text = RECIPE.replacen(part, instead, 1);
            let error = Recipe::parse("test", &text).unwrap_err().to_string();
            assert!(error.contains(message), "{instead}: {error}");
        }
    }

    #[test]
    fn every_built_in_recipe_is_read() {
        let signature = format!("{:016x}", tavli::playout::signature(tavli::Tier::best()));
        for (name, text) in BUILT_IN {
            let recipe = Recipe::parse(name, text).unwrap();
            assert_eq!(recipe.signature, signature, "{name}");
            assert!(!recipe.description.is_empty() && !recipe.cases.is_empty());
        }
        let quick = Recipe::built_in("quick").unwrap();
        assert!(quick.duration(quick.cases.len()) < 18.0);
        assert_eq!(Recipe::built_in("slow"), None);
    }
}
