//! Recipes: what to measure and how, as data.

use core::num::NonZeroUsize;
use std::collections::BTreeSet;

use serde::Deserialize;
use tavli::policies::{Players, built_in};
use tavli::run::{Cpus, Pinning, Placement, PlacementError};
use tavli::{Board, Playouts, Position, RuleSet};
use thiserror::Error;

use crate::situations::Category;
use crate::statistics::Ratio;

/// The recipes that are part of the program: name and text.
pub const BUILT_IN: [(&str, &str); 8] = [
    ("quick", include_str!("../../profiles/bench/quick.toml")),
    ("node", include_str!("../../profiles/bench/node.toml")),
    ("scaling", include_str!("../../profiles/bench/scaling.toml")),
    ("sockets", include_str!("../../profiles/bench/sockets.toml")),
    ("movegen", include_str!("../../profiles/bench/movegen.toml")),
    ("policy", include_str!("../../profiles/bench/policy.toml")),
    ("rollout", include_str!("../../profiles/bench/rollout.toml")),
    ("soak", include_str!("../../profiles/bench/soak.toml")),
];

/// What to measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Recipe {
    /// Its name.
    pub name: String,
    /// Its purpose, in a line.
    pub description: String,
    /// The signature that the build must have, as 16 hexadecimal digits; empty if it is not checked.
    pub signature: String,
    /// Seconds of work before each case is measured, which also set the work of a repetition.
    pub warm_up_seconds: f64,
    /// The number of times that each case is measured.
    pub repetitions: usize,
    /// The approximate time of a repetition, in seconds.
    pub seconds: f64,
    /// The seed of the games.
    pub seed: u64,
    /// The cases, which take turns.
    pub cases: Vec<Case>,
}

/// One thing to measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// Its name, which no other case has.
    pub name: String,
    /// The work.
    pub workload: Workload,
    /// The rules.
    pub rules: RuleSet,
    /// How workers are bound.
    pub placement: Pinning,
    /// The number of workers.
    pub threads: Threads,
}

/// Work to be measured.
#[derive(Clone, PartialEq, Debug)]
pub enum Workload {
    /// Whole games: one run over all workers in a repetition.
    Playouts {
        /// Where the games start; each position gets an equal share.
        positions: Vec<Board>,
        /// Who plays them.
        players: Players,
        /// The expected results of the first games from the first position.
        expected: Option<Expected>,
    },
    /// Whole games in short runs, as a search or a rollout of many candidates plays them.
    Rollout {
        /// Where the games start, in turns.
        positions: Vec<Board>,
        /// Games of each run.
        batch: u64,
        /// The expected results of the first games from the first position.
        expected: Option<Expected>,
    },
    /// Whole games with the time of each stage. Each worker plays one batch. Clock readings take part of the time.
    Stages {
        /// Where the games start; each position gets an equal share.
        positions: Vec<Board>,
        /// Who plays them.
        players: Players,
    },
    /// Plays of situations of random play; each worker does all of them.
    Plays {
        /// The operation.
        operation: Operation,
        /// The situations.
        category: Category,
    },
}

/// An operation of the move generator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// Counts the plays of a roll.
    Count,
    /// Makes one play from its index.
    Unrank,
    /// Makes every play.
    Enumerate,
}

/// The expected results of the first games of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The number of games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Plays offered, over all their plies.
    pub plays: u64,
}

/// The number of workers of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// One per place of the placement.
    All,
    /// This number.
    Number(NonZeroUsize),
    /// A case each for 1, 2, 4, ... and all cores, and for all CPUs where cores have several.
    Doubling,
    /// One per core of the first socket.
    Socket,
}

/// Why a text is not a recipe.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// It is not TOML, or does not have the form of a recipe.
    #[error("{0}")]
    Form(String),
    /// An invalid value.
    #[error("{place}: {message}")]
    Value {
        /// The value and its case.
        place: String,
        /// The fault.
        message: String,
    },
}

/// A recipe as written in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    description: String,
    #[serde(default)]
    signature: String,
    warm_up_seconds: f64,
    repetitions: usize,
    seconds: f64,
    seed: u64,
    case: Vec<WrittenCase>,
}

/// A case as written in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCase {
    name: String,
    workload: String,
    rules: String,
    placement: String,
    threads: toml::Value,
    positions: Option<Vec<String>>,
    batch: Option<u64>,
    category: Option<String>,
    policy: Option<String>,
    expected: Option<Expected>,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Operation; 3] = [Operation::Count, Operation::Unrank, Operation::Enumerate];

    /// `count`, `unrank` or `enumerate`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Operation::Count => "count",
            Operation::Unrank => "unrank",
            Operation::Enumerate => "enumerate",
        }
    }
}

impl Workload {
    /// `playouts`, `rollout`, `stages`, or the name of an operation.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Workload::Playouts { .. } => "playouts",
            Workload::Rollout { .. } => "rollout",
            Workload::Stages { .. } => "stages",
            Workload::Plays { operation, .. } => operation.name(),
        }
    }

    /// The unit of its rate: `games`, `rolls` (counted), `plays` (made from an index) or `results` (enumerated).
    #[must_use]
    pub const fn unit(&self) -> &'static str {
        match self {
            Workload::Playouts { .. } | Workload::Rollout { .. } | Workload::Stages { .. } => {
                "games"
            }
            Workload::Plays { operation, .. } => match operation {
                Operation::Count => "rolls",
                Operation::Unrank => "plays",
                Operation::Enumerate => "results",
            },
        }
    }

    /// Its input: Position IDs, or a category of situations.
    #[must_use]
    pub fn positions(&self) -> Vec<String> {
        match self {
            Workload::Playouts { positions, .. }
            | Workload::Rollout { positions, .. }
            | Workload::Stages { positions, .. } => positions
                .iter()
                .map(|board| board.position_id().to_string())
                .collect(),
            Workload::Plays { category, .. } => vec![category.name().to_owned()],
        }
    }
}

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
        let written: Written =
            toml::from_str(text).map_err(|error| RecipeError::Form(error.to_string()))?;
        let bad = |place: &str, message: &str| RecipeError::Value {
            place: place.to_owned(),
            message: message.to_owned(),
        };
        for (place, seconds, least) in [
            ("warm_up_seconds", written.warm_up_seconds, 0.0),
            ("seconds", written.seconds, 0.001),
        ] {
            if !(least..=86_400.0).contains(&seconds) {
                return Err(bad(
                    place,
                    "a time must be 0.001 s to a day, and warming up may be 0",
                ));
            }
        }
        let hexadecimal = |text: &str| text.len() == 16 && u64::from_str_radix(text, 16).is_ok();
        if !written.signature.is_empty() && !hexadecimal(&written.signature) {
            return Err(bad("signature", "it must have 16 hexadecimal digits"));
        }
        if written.case.is_empty() {
            return Err(bad("case", "there must be at least one"));
        }
        let cases: Vec<Case> = written
            .case
            .into_iter()
            .map(WrittenCase::check)
            .collect::<Result<_, _>>()?;
        let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        if names.len() < cases.len() {
            return Err(bad("case", "two have the same name"));
        }
        let recipe = Recipe {
            name: name.to_owned(),
            description: written.description,
            signature: written.signature,
            warm_up_seconds: written.warm_up_seconds,
            repetitions: 1,
            seconds: written.seconds,
            seed: written.seed,
            cases,
        };
        recipe.with_repetitions(written.repetitions)
    }

    /// The same recipe with another number of repetitions.
    ///
    /// # Errors
    /// [`RecipeError`] if the number is 0, or above [`Ratio::MOST_SAMPLES`], the most that can be compared.
    pub fn with_repetitions(self, repetitions: usize) -> Result<Recipe, RecipeError> {
        if !(1..=Ratio::MOST_SAMPLES).contains(&repetitions) {
            return Err(RecipeError::Value {
                place: "repetitions".to_owned(),
                message: format!("it must be 1 to {}, not {repetitions}", Ratio::MOST_SAMPLES),
            });
        }
        Ok(Recipe {
            repetitions,
            ..self
        })
    }

    /// The approximate time of the recipe in seconds, with this number of cases on a machine.
    #[must_use]
    pub fn duration(&self, cases: usize) -> f64 {
        cases as f64 * (self.warm_up_seconds + self.repetitions as f64 * self.seconds)
    }
}

impl WrittenCase {
    fn check(self) -> Result<Case, RecipeError> {
        let bad = |key: &str, message: String| RecipeError::Value {
            place: format!("{key} of case '{}'", self.name),
            message,
        };
        let rules: RuleSet = self
            .rules
            .parse()
            .map_err(|error| bad("rules", format!("{error}")))?;
        let placement: Pinning = self
            .placement
            .parse()
            .map_err(|error| bad("placement", format!("{error}")))?;
        let threads = threads(&self.threads).ok_or_else(|| {
            let most = Placement::MOST;
            let message =
                format!("it must be \"all\", \"doubling\", \"socket\" or a number 1 to {most}");
            bad("threads", message)
        })?;
        let board = |text: &String| {
            let position: Position = text
                .parse()
                .map_err(|error| bad("positions", format!("{error}")))?;
            Playouts::new(*position.board(), rules, 0)
                .map_err(|error| bad("positions", format!("{text}: {error}")))?;
            Ok(*position.board())
        };
        let positions = match &self.positions {
            None => vec![Board::START],
            Some(texts) if texts.is_empty() => {
                return Err(bad("positions", "there must be at least one".to_owned()));
            }
            Some(texts) => texts.iter().map(board).collect::<Result<_, _>>()?,
        };
        let unused = |key: &str, is_there: bool| {
            let workload = &self.workload;
            match is_there {
                true => Err(bad(
                    key,
                    format!("the workload {workload} does not take it"),
                )),
                false => Ok(()),
            }
        };
        let players = match &self.policy {
            Some(name) => {
                Players::alike(built_in(name).map_err(|error| bad("policy", error.to_string()))?)
            }
            None => Players::default(),
        };
        let operation = Operation::ALL
            .into_iter()
            .find(|operation| operation.name() == self.workload);
        let workload = match (self.workload.as_str(), operation) {
            ("playouts", _) => {
                unused("batch", self.batch.is_some())?;
                unused("category", self.category.is_some())?;
                Workload::Playouts {
                    positions,
                    players,
                    expected: self.expected,
                }
            }
            ("rollout", _) => {
                unused("category", self.category.is_some())?;
                unused("policy", self.policy.is_some())?;
                let batch = self.batch.filter(|&games| games > 0);
                Workload::Rollout {
                    positions,
                    batch: batch.ok_or_else(|| {
                        bad("batch", "a run must have at least 1 game".to_owned())
                    })?,
                    expected: self.expected,
                }
            }
            ("stages", _) => {
                unused("batch", self.batch.is_some())?;
                unused("category", self.category.is_some())?;
                unused("expected", self.expected.is_some())?;
                Workload::Stages { positions, players }
            }
            (_, Some(operation)) => {
                unused("batch", self.batch.is_some())?;
                unused("positions", self.positions.is_some())?;
                unused("policy", self.policy.is_some())?;
                unused("expected", self.expected.is_some())?;
                let name = self.category.as_deref().unwrap_or(Category::Any.name());
                let category = Category::ALL
                    .into_iter()
                    .find(|category| category.name() == name && category.occurs_in(rules))
                    .ok_or_else(|| {
                        let names = Category::ALL.map(Category::name).join(", ");
                        let message =
                            format!("'{name}' does not occur under {rules}: choose from {names}");
                        bad("category", message)
                    })?;
                Workload::Plays {
                    operation,
                    category,
                }
            }
            _ => {
                let message = "choose playouts, rollout, stages, count, unrank or enumerate";
                return Err(bad("workload", format!("'{}': {message}", self.workload)));
            }
        };
        Ok(Case {
            name: self.name,
            workload,
            rules,
            placement,
            threads,
        })
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
            .filter(|&number| number <= Placement::MOST)
            .and_then(NonZeroUsize::new)
            .map(Threads::Number),
        _ => None,
    }
}

impl Case {
    /// The placements of this case on a machine, each with its name: several if the threads are doubled.
    ///
    /// # Errors
    /// [`PlacementError`] if the workers cannot be placed.
    pub fn placements(&self, cpus: &Cpus) -> Result<Vec<(String, Placement)>, PlacementError> {
        let place = |threads| Placement::new(cpus, self.placement.clone(), threads);
        let number = NonZeroUsize::new;
        match self.threads {
            Threads::All => Ok(vec![(self.name.clone(), place(None)?)]),
            Threads::Number(threads) => Ok(vec![(self.name.clone(), place(Some(threads))?)]),
            Threads::Socket => {
                let first = cpus.list().as_slice().first().and_then(|&id| cpus.cpu(id));
                let socket = first.and_then(|cpu| cpu.socket);
                let cores: BTreeSet<usize> = cpus
                    .list()
                    .as_slice()
                    .iter()
                    .filter_map(|&id| cpus.cpu(id))
                    .filter(|cpu| cpu.socket == socket)
                    .map(|cpu| cpu.core)
                    .collect();
                Ok(vec![(self.name.clone(), place(number(cores.len()))?)])
            }
            Threads::Doubling => {
                let cores = Placement::new(cpus, Pinning::CORES, None)?.threads();
                let all = Placement::new(cpus, Pinning::COMPACT, None)?.threads();
                let doubled = (0..).map(|power| 1 << power);
                let mut steps: Vec<usize> = doubled.take_while(|&n| n < cores).collect();
                steps.push(cores);
                if all > cores {
                    steps.push(all);
                }
                let named = |threads: usize| {
                    let name = format!("{}/{threads}", self.name);
                    Ok((name, place(number(threads))?))
                };
                steps.into_iter().map(named).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    "#;

    #[test]
    fn a_recipe_is_read() {
        let recipe = Recipe::parse("test", RECIPE).unwrap();
        assert_eq!(
            (recipe.seed, recipe.repetitions, recipe.cases.len()),
            (7, 3, 3)
        );
        let expected = Some(Expected {
            games: 10,
            plies: 20,
            plays: 30,
        });
        let positions = vec![Board::START];
        assert_eq!(
            recipe.cases[0].workload,
            Workload::Playouts {
                positions,
                players: Players::default(),
                expected
            }
        );
        assert_eq!(recipe.cases[1].workload.positions()[1], "tu0MAhBoz8EDQA");
        assert_eq!(recipe.cases[1].placement.to_string(), "numa:spread");
        assert_eq!(recipe.cases[2].threads, Threads::Doubling);
        assert_eq!(recipe.cases[2].workload.unit(), "rolls");
        assert!((recipe.duration(3) - 3.0 * 0.7).abs() < 1e-9);
    }

    #[test]
    fn faults_name_their_place() {
        for (part, instead, message) in [
            ("seed = 7", "", "missing field `seed`"),
            ("seed = 7", "sead = 7", "unknown field `sead`"),
            ("seed = 7", "seed = ", "seed ="),
            (
                "repetitions = 3",
                "repetitions = 0",
                "repetitions: it must be 1 to 200",
            ),
            ("seconds = 0.2", "seconds = nan", "seconds: a time"),
            (
                "89abcdef",
                "89abcdeg",
                "signature: it must have 16 hexadecimal",
            ),
            ("\"games\"", "\"short\"", "two have the same name"),
            (
                "\"all\"",
                "\"every\"",
                "threads of case 'games': it must be \"all\"",
            ),
            ("\"all\"", "0", "threads of case 'games'"),
            (
                "\"cores\"",
                "\"core\"",
                "placement of case 'games': 'core' is not a way",
            ),
            ("\"mcgammon\"", "\"chess\"", "rules of case 'short'"),
            ("tu0MAhBoz8EDQA", "tu0", "positions of case 'short'"),
            (
                "tu0MAhBoz8EDQA",
                "7e4OAABtdw8AAA",
                "the game is already over",
            ),
            ("batch = 36", "", "batch of case 'short': a run must have"),
            (
                "\"count\"",
                "\"sort\"",
                "workload of case 'plays': 'sort': choose",
            ),
            (
                "category = \"double\"",
                "category = \"treble\"",
                "category of case 'plays'",
            ),
            (
                "category = \"double\"",
                "batch = 3",
                "the workload count does not take it",
            ),
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

    #[test]
    fn threads_double_up_to_the_cores() {
        let recipe = Recipe::parse("test", RECIPE).unwrap();
        let cpus = Cpus::allowed();
        let placements = recipe.cases[2].placements(&cpus).unwrap();
        assert_eq!(
            (placements[0].0.as_str(), placements[0].1.threads()),
            ("plays/1", 1)
        );
        let most = placements.last().unwrap().1.threads();
        assert!(most <= cpus.count().get());
        assert!(
            placements
                .windows(2)
                .all(|two| two[0].1.threads() < two[1].1.threads())
        );
    }
}
