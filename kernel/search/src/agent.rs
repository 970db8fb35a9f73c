//! Who picks the choices of any game.

use core::fmt;
use std::sync::Arc;

use tavli_game::streams::mixed;
use tavli_game::{NamedGame, pick};
use tavli_run::Cancel;
use tavli_simd::Tier;
use thiserror::Error;

use crate::budget::Budget;
use crate::evaluator::NamedEvaluator;
use crate::expectimax::{Expectimax, Pruning};
use crate::search::Search;
use crate::settings::{MOST_FACTOR, Method, Settings};

/// Simulations for a choice, unless another number is named.
const SIMULATIONS: u64 = 20_000;
/// Choices looked ahead, unless another number is named.
const DEPTH: u32 = 3;
/// The greatest depth of an [`Expectimax`].
const MOST_DEPTH: u32 = 11;
/// Playouts in flight: enough to fill the lanes of a batch, and few beside the simulations of a choice.
const IN_FLIGHT: u32 = 32;

/// Who picks the choices of a game: at random, by a search of one tree, or by minimax.
///
/// ```
/// use tavli_search::Agent;
/// use tavli_tictactoe::TicTacToe;
/// for text in ["random", "uct:20000:1.4", "flat:100", "halving:100", "minimax:9:ends", "alphabeta:3:lines"] {
///     assert_eq!(Agent::read::<TicTacToe>(text)?.to_string(), text);
/// }
/// assert_eq!(Agent::read::<TicTacToe>("search")?.to_string(), "uct:20000:1");
/// assert_eq!(Agent::read::<TicTacToe>("minimax")?.to_string(), "minimax:3:ends");
/// # Ok::<(), tavli_search::AgentError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Agent {
    /// Each choice is as likely as any other.
    Random,
    /// The choice of the highest value after this number of simulations.
    Search {
        /// How they are allocated.
        method: Method,
        /// How many there are.
        simulations: u64,
        /// The factor of exploration of [`Method::Uct`].
        c: f64,
    },
    /// The best choice if both play their best for `depth` choices; of several equal ones any, at random.
    Minimax {
        /// How many choices it looks ahead.
        depth: u32,
        /// The index of its evaluator in [`NamedGame::EVALUATORS`], and the name.
        evaluator: (usize, &'static str),
        /// Which positions it leaves out.
        pruning: Pruning,
    },
}

/// A text that names no agent of a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "'{text}' is no player of {game}: give random, uct:N or uct:N:C (N simulations, exploration C), flat:N, halving:N, \
     minimax:D or alphabeta:D (1 to {MOST_DEPTH} choices ahead, also with :EVALUATOR, of {evaluators})"
)]
pub struct AgentError {
    text: String,
    game: &'static str,
    evaluators: String,
}

impl Agent {
    /// The agent of a text, such as `random`, `uct:20000`, `uct:20000:1.4` or `minimax:3:ends`.
    ///
    /// # Errors
    /// [`AgentError`] says what there is.
    pub fn read<G: NamedGame>(text: &str) -> Result<Agent, AgentError> {
        let error = || AgentError {
            text: text.chars().take(40).collect(),
            game: G::NAME,
            evaluators: G::EVALUATORS.join(", "),
        };
        let parts: Vec<&str> = text.split(':').collect();
        let number = |most: u64| match parts.get(1) {
            None => Ok(None),
            Some(number) => match number.parse::<u64>() {
                Ok(number) if (1..=most).contains(&number) => Ok(Some(number)),
                _ => Err(error()),
            },
        };
        let search = |method, c| {
            let simulations = number(Budget::MOST_PER_TREE)?.unwrap_or(SIMULATIONS);
            Ok(Agent::Search { method, simulations, c })
        };
        match (parts[0], parts.len()) {
            ("random", 1) => Ok(Agent::Random),
            ("uct" | "search", 1 | 2) => search(Method::Uct, 1.0),
            ("uct" | "search", 3) => match parts[2].parse() {
                Ok(c) if (0.0..=MOST_FACTOR).contains(&c) => search(Method::Uct, c),
                _ => Err(error()),
            },
            ("flat", 1 | 2) => search(Method::Flat, 1.0),
            ("halving", 1 | 2) => search(Method::Halving, 1.0),
            (name @ ("minimax" | "alphabeta"), 1..=3) => {
                let wanted = parts.get(2).copied().unwrap_or(G::EVALUATORS[0]);
                let index = G::EVALUATORS.iter().position(|&evaluator| evaluator == wanted);
                let index = index.ok_or_else(error)?;
                Ok(Agent::Minimax {
                    depth: number(u64::from(MOST_DEPTH))?.map_or(DEPTH, |depth| depth as u32),
                    evaluator: (index, G::EVALUATORS[index]),
                    pruning: match name {
                        "minimax" => Pruning::Expectimax,
                        _ => Pruning::Star1,
                    },
                })
            }
            _ => Err(error()),
        }
    }

    /// The index of the choice that the agent makes after a chance in a position in which the game goes on; `None` if
    /// `cancel` ended its search before there was one. A pure function of the rest.
    ///
    /// # Panics
    /// If the rules are not the game's, or this CPU lacks the tier.
    #[must_use]
    pub fn choose<G: NamedGame>(
        &self,
        rules: &str,
        tier: Tier,
        position: &G::Position,
        chance: usize,
        seed: u64,
        cancel: &Cancel,
    ) -> Option<usize> {
        let game = G::by_rules(rules, tier, seed).expect("rules of the game");
        let choices = game.choices(position, chance);
        let any = |of: usize| pick((mixed(seed) >> 32) as u32, of);
        if choices == 1 {
            return Some(0);
        }
        match *self {
            Agent::Random => Some(any(choices)),
            Agent::Search { method, simulations, c } => {
                let settings = Settings {
                    method,
                    c,
                    trees: 1,
                    in_flight: IN_FLIGHT,
                    seed,
                    ..Settings::default()
                };
                let budget = Budget::simulations(simulations);
                let search = Search::new(Arc::new(game), *position, chance, settings, budget);
                let search = search.expect("valid settings, and a game that goes on");
                let report = search.cancelled_by(cancel).run_here();
                let best = report.root.ranking(settings.choice)[0];
                (report.root.arms[best].visits > 0).then_some(best)
            }
            Agent::Minimax {
                depth,
                evaluator,
                pruning,
            } => {
                let game = Arc::new(game);
                let heuristic = Arc::new(NamedEvaluator::new(Arc::clone(&game), evaluator.0));
                let search = Expectimax::new(game, heuristic, depth, pruning);
                let found = search.expect("a depth").run(*position, chance, cancel)?;
                let best = found.choices[0].value;
                let equal = found
                    .choices
                    .iter()
                    .take_while(|choice| choice.is_exact && choice.value == best);
                let equal: Vec<usize> = equal.map(|choice| choice.choice).collect();
                Some(equal[any(equal.len())])
            }
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Agent::Random => "random".to_owned(),
            Agent::Search {
                method: Method::Uct,
                simulations,
                c,
            } => format!("uct:{simulations}:{c}"),
            Agent::Search {
                method, simulations, ..
            } => format!("{method}:{simulations}"),
            Agent::Minimax {
                depth,
                evaluator,
                pruning,
            } => {
                let name = match pruning {
                    Pruning::Expectimax => "minimax",
                    _ => "alphabeta",
                };
                format!("{name}:{depth}:{}", evaluator.1)
            }
        };
        f.pad(&text)
    }
}
