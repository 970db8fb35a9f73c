//! Agents, which pick the choices of any game.

use core::fmt;
use std::collections::BTreeMap;
use std::sync::Arc;

use tavli_game::streams::mixed;
use tavli_game::{Game, Heuristic, PlayableGame, SolvedPositions, SolvedValue, pick};
use tavli_run::Cancel;
use tavli_simd::Tier;
use thiserror::Error;

use crate::alpha_beta::AlphaBeta;
use crate::budget::Budget;
use crate::expectimax::{Expectimax, Pruning};
use crate::game_heuristic::GameHeuristic;
use crate::game_with_tables::{GameWithTables, HeavyPlayouts, TablesAndHeavyPlayouts};
use crate::look_ahead::GameLookAhead;
use crate::search::Search;
use crate::search_settings::{MAX_FACTOR, Method, SearchSettings, SelectionBound};

/// The default number of simulations for a choice.
const SIMULATIONS: u64 = 20_000;
/// The default number of choices that minimax looks ahead: the mover's, the opponent's and the mover's again.
pub const MINIMAX_DEPTH: u32 = 3;
/// The greatest depth of an [`Expectimax`], and of an [`AlphaBeta`].
const MAX_DEPTHS: [u32; 2] = [11, 64];
/// The default share of greedy plies in heavy playouts: half of the plies still differ from game to game.
pub const HEAVY_SHARE: f64 = 0.5;
/// Playouts in flight: enough to fill the lanes of a batch, and few compared with the simulations of a choice.
const IN_FLIGHT: u32 = 32;

/// An agent, which picks the choices of a game: at random, by a search of one tree, by minimax, by looking ahead with a
/// net, or like one of the game's own players.
///
/// ```
/// use tavli_search::Agent;
/// use tavli_tictactoe::TicTacToe;
/// for text in ["random", "uct:20000:1.4", "flat:100", "halving:100", "minimax:9:ends", "alphabeta:3:lines"] {
///     assert_eq!(Agent::read::<TicTacToe>(text)?.to_string(), text);
/// }
/// let text = "uct:500:2+own-visits+proofs+heavy:lines:0.3";
/// assert_eq!(Agent::read::<TicTacToe>(text)?.to_string(), text);
/// assert_eq!(Agent::read::<TicTacToe>("search")?.to_string(), "uct:20000:1");
/// assert_eq!(Agent::read::<TicTacToe>("minimax")?.to_string(), "minimax:3:ends");
/// let by_net = Agent::read::<TicTacToe>("minimax:2")?.by_net("some.player");
/// assert_eq!(by_net.map(|agent| agent.to_string()).as_deref(), Some("minimax:2:some.player"));
/// # Ok::<(), tavli_search::AgentError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Agent {
    /// Each choice is as likely as any other.
    Random,
    /// The choice of the highest value after this number of simulations.
    Search {
        /// How simulations are allocated.
        method: Method,
        /// How many simulations there are.
        simulations: u64,
        /// The factor of exploration of [`Method::Uct`].
        c: f64,
        /// The bound by which [`Method::Uct`] selects choices.
        bound: SelectionBound,
        /// Whether wins and losses are proven, by [`Method::Uct`] in a game without dice.
        proves: bool,
        /// Playouts by an evaluator, with its name.
        heavy: Option<(HeavyPlayouts, &'static str)>,
    },
    /// The best choice if both sides play their best for `depth` choices; a random one of several equal ones.
    Minimax {
        /// How many choices it looks ahead.
        depth: u32,
        /// The evaluator of positions.
        evaluator: AgentEvaluator,
        /// Which positions it leaves out.
        pruning: Pruning,
    },
    /// The choice of a player in [`PlayableGame::PLAYERS`], given by its index and name.
    OfGame(usize, &'static str),
    /// The choice that [`GameLookAhead`] finds best by a net; the first of several equal ones.
    Net {
        /// The name of the net in [`AgentContext::nets`].
        name: String,
        /// How many plies it looks ahead, at most [`GameLookAhead::MAX_PLIES`].
        plies: u32,
    },
}

/// The evaluator of an agent that looks ahead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AgentEvaluator {
    /// A heuristic in [`PlayableGame::HEURISTICS`], given by its index and name.
    OfGame(usize, &'static str),
    /// A net by its name in [`AgentContext::nets`].
    Net(String),
}

/// Nets by the names that agents have for them, such as their files' names.
pub type Nets<P> = BTreeMap<String, Arc<dyn Heuristic<P>>>;

/// The rules, the tier, the tables and the nets of agents.
#[derive(Clone, Debug)]
pub struct AgentContext<P> {
    /// The name of the game's rules.
    pub rules: String,
    /// The tier of playouts.
    pub tier: Tier,
    /// Solved positions, which are ends for searches.
    pub tables: Option<Arc<dyn SolvedPositions<P>>>,
    /// The nets that agents value positions by.
    pub nets: Nets<P>,
}

impl<P: Copy> AgentContext<P> {
    fn net(&self, name: &str) -> Arc<dyn Heuristic<P>> {
        Arc::clone(self.nets.get(name).expect("the net of the agent"))
    }

    /// The best choices after a chance by the tables, if these know the position. Only choices that lead to known
    /// positions are compared: the best ones do.
    pub fn best_known<G: Game<Position = P>>(&self, game: &G, position: &P, chance: usize) -> Option<Vec<usize>> {
        let tables = self.tables.as_ref()?;
        tables.known(position)?;
        let results = game.results(position, chance);
        let known = results.iter().map(|result| match game.points(result) {
            Some(points) => Some(SolvedValue { points, plies: 0 }),
            None => tables.known(result),
        });
        let ranks: Vec<_> = known.map(|known| known.map(SolvedValue::preference)).collect();
        let best = ranks.iter().flatten().max()?;
        let choices = (0..ranks.len()).filter(|&choice| ranks[choice].as_ref() == Some(best));
        Some(choices.collect())
    }
}

/// A text that names no agent of a game. `tavli::games::read_agent` reads agents that play by nets.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{text}' is not a player of {game}: give {remedy}")]
pub struct AgentError {
    text: String,
    game: &'static str,
    /// The form of the agent with whose name the text begins, or else all agents.
    remedy: String,
    may_be_net: bool,
}

impl AgentError {
    /// Whether a net might have been meant, since a net may take the place of an evaluator.
    #[must_use]
    pub fn may_be_net(&self) -> bool {
        self.may_be_net
    }

    fn new<G: PlayableGame>(text: &str, remedy: String, may_be_net: bool) -> AgentError {
        AgentError { text: text.chars().take(40).collect(), game: G::NAME, remedy, may_be_net }
    }
}

/// The form of the agents whose texts begin with `head`, or else all agents.
fn form<G: PlayableGame>(head: &str, has_dice: bool) -> String {
    let most = Budget::MAX_PER_TREE;
    match head {
        "uct" | "search" => {
            let proofs = if has_dice { "" } else { "+proofs, " };
            format!(
                "{head}:N or {head}:N:C, 1 to {most} simulations and exploration 0 to {MAX_FACTOR}; after it may come \
                 {proofs}+own-visits and +heavy:EVALUATOR:SHARE, with a share 0 to 1 (0.5 if left out)"
            )
        }
        "flat" | "halving" => format!(
            "{head}:N, 1 to {most} simulations; after it may come +heavy:EVALUATOR:SHARE, with a share 0 to 1 (0.5 if \
             left out)"
        ),
        "minimax" | "alphabeta" => {
            format!("{head}:D or {head}:D:EVALUATOR, 1 to {} choices ahead", max_depth(head, has_dice))
        }
        _ => {
            let players: String = G::PLAYERS.iter().map(|name| format!("{name}, ")).collect();
            format!(
                "random, {players}uct:N, flat:N, halving:N, minimax:D or alphabeta:D; tavli duel --help has their forms"
            )
        }
    }
}

/// The most choices that minimax or alphabeta looks ahead.
fn max_depth(head: &str, has_dice: bool) -> u32 {
    MAX_DEPTHS[usize::from(head == "alphabeta" && !has_dice)]
}

impl Agent {
    /// The agent of a text, such as `random`, `uct:20000`, `uct:20000:1.4` or `minimax:3:ends`, that plays by no net.
    ///
    /// # Errors
    /// [`AgentError`] lists all agents.
    pub fn read<G: PlayableGame>(text: &str) -> Result<Agent, AgentError> {
        let mut additions = text.split('+');
        let parts: Vec<&str> = additions.next().unwrap_or_default().split(':').collect();
        let has_dice = || G::by_rules(G::RULES[0], Tier::Portable, 0).is_ok_and(|game| game.chances().len() > 1);
        let error = || {
            let may_be_net = !matches!(parts[0], "random" | "uct" | "search" | "flat" | "halving");
            AgentError::new::<G>(text, form::<G>(parts[0], has_dice()), may_be_net)
        };
        let number = |most: u64| match parts.get(1) {
            None => Ok(None),
            Some(number) => match number.parse::<u64>() {
                Ok(number) if (1..=most).contains(&number) => Ok(Some(number)),
                _ => Err(error()),
            },
        };
        let evaluator = |name: &str| {
            let index = G::HEURISTICS.iter().position(|&evaluator| evaluator == name);
            index.map(|index| (index, G::HEURISTICS[index])).ok_or_else(|| {
                let remedy = format!("an evaluator of {}", G::HEURISTICS.join(", "));
                AgentError::new::<G>(text, remedy, matches!(parts[0], "minimax" | "alphabeta"))
            })
        };
        let of_game = |name: &str| evaluator(name).map(|(index, name)| AgentEvaluator::OfGame(index, name));
        let mut agent = match (parts[0], parts.len()) {
            ("random", 1) => Agent::Random,
            ("uct" | "search", 1 | 2) => Agent::search(Method::Uct, 1.0, number(Budget::MAX_PER_TREE)?),
            ("uct" | "search", 3) => match parts[2].parse() {
                Ok(c) if (0.0..=MAX_FACTOR).contains(&c) => {
                    Agent::search(Method::Uct, c, number(Budget::MAX_PER_TREE)?)
                }
                _ => return Err(error()),
            },
            ("flat", 1 | 2) => Agent::search(Method::Flat, 1.0, number(Budget::MAX_PER_TREE)?),
            ("halving", 1 | 2) => Agent::search(Method::Halving, 1.0, number(Budget::MAX_PER_TREE)?),
            (name @ ("minimax" | "alphabeta"), 1..=3) => {
                let most = u64::from(max_depth(name, has_dice()));
                Agent::Minimax {
                    depth: number(most)?.map_or(MINIMAX_DEPTH, |depth| depth as u32),
                    evaluator: of_game(parts.get(2).copied().unwrap_or(G::HEURISTICS[0]))?,
                    pruning: match name {
                        "minimax" => Pruning::Expectimax,
                        _ => Pruning::Star1,
                    },
                }
            }
            (name, 1) => {
                let index = G::PLAYERS.iter().position(|&player| player == name);
                index.map(|index| Agent::OfGame(index, G::PLAYERS[index])).ok_or_else(error)?
            }
            _ => return Err(error()),
        };
        for addition in additions {
            let Agent::Search { method, bound, proves, heavy, .. } = &mut agent else {
                return Err(error());
            };
            let is_tree = *method == Method::Uct;
            let parts: Vec<&str> = addition.split(':').collect();
            match parts[..] {
                ["proofs"] if is_tree && !*proves && !has_dice() => *proves = true,
                ["own-visits"] if is_tree && *bound == SelectionBound::Ucb1 => *bound = SelectionBound::OwnVisits,
                ["heavy", name] if heavy.is_none() => {
                    *heavy = Some(HeavyPlayouts::named(evaluator(name)?, HEAVY_SHARE))
                }
                ["heavy", name, share] if heavy.is_none() => match share.parse() {
                    Ok(share) if (0.0..=1.0).contains(&share) => {
                        *heavy = Some(HeavyPlayouts::named(evaluator(name)?, share));
                    }
                    _ => return Err(error()),
                },
                _ => return Err(error()),
            }
        }
        Ok(agent)
    }

    /// With a net of [`AgentContext::nets`] instead of its evaluator; `None` if it does not look ahead.
    #[must_use]
    pub fn by_net(self, name: &str) -> Option<Agent> {
        match self {
            Agent::Minimax { depth, pruning, .. } => {
                Some(Agent::Minimax { depth, evaluator: AgentEvaluator::Net(name.to_owned()), pruning })
            }
            _ => None,
        }
    }

    fn search(method: Method, c: f64, simulations: Option<u64>) -> Agent {
        Agent::Search {
            method,
            simulations: simulations.unwrap_or(SIMULATIONS),
            c,
            bound: SelectionBound::Ucb1,
            proves: false,
            heavy: None,
        }
    }

    /// The index of the choice that the agent makes after a chance in a position in which the game goes on; `None` if
    /// `cancel` ended its search before there was one. Without a cancel, a pure function of the arguments.
    ///
    /// In a position of the tables, the best choice by the tables: the one that wins soonest or loses latest.
    ///
    /// # Panics
    /// If the rules are not the game's, the context lacks the agent's net, or this CPU lacks the tier.
    #[must_use]
    pub fn choose<G: PlayableGame>(
        &self,
        context: &AgentContext<G::Position>,
        position: &G::Position,
        chance: usize,
        seed: u64,
        cancel: &Cancel,
    ) -> Option<usize> {
        let game = G::by_rules(&context.rules, context.tier, seed).expect("rules of the game");
        let choices = game.choices(position, chance);
        let stop = || cancel.is_cancelled();
        let fraction = (mixed(seed) >> 32) as u32;
        let any = |of: usize| pick(fraction, of);
        if choices == 1 {
            return Some(0);
        }
        let game = Arc::new(game);
        if *self != Agent::Random
            && let Some(best) = context.best_known(&*game, position, chance)
        {
            return Some(best[any(best.len())]);
        }
        let aided = |playouts: Option<HeavyPlayouts>| {
            let tables = context.tables.clone();
            Arc::new(GameWithTables::new(Arc::clone(&game), TablesAndHeavyPlayouts { tables, playouts }, seed))
        };
        match *self {
            Agent::Random => Some(any(choices)),
            Agent::OfGame(index, _) => Some(game.choice_of(index, position, chance, fraction)),
            Agent::Search { method, simulations, c, bound, proves, heavy } => {
                let settings =
                    SearchSettings { method, c, trees: 1, in_flight: IN_FLIGHT, seed, ..SearchSettings::default() };
                let budget = Budget::simulations(simulations);
                let game = aided(heavy.map(|(heavy, _)| heavy));
                let search = Search::new(game, *position, chance, settings, budget);
                let mut search = search.and_then(|search| search.with_selection_bound(bound));
                if proves {
                    search = search.and_then(Search::with_proofs);
                }
                let search = search.expect("valid settings, and a game that goes on");
                let report = search.cancelled_by(cancel).run_here();
                let best = report.ranking(settings.best_by)[0];
                // A search that was cancelled before its first backup ranks nothing.
                (report.root.choices[best].visits > 0).then_some(best)
            }
            Agent::Minimax { depth, ref evaluator, pruning } => {
                let heuristic: Arc<dyn Heuristic<G::Position>> = match evaluator {
                    AgentEvaluator::OfGame(index, _) => Arc::new(GameHeuristic::new(Arc::clone(&game), *index)),
                    AgentEvaluator::Net(name) => context.net(name),
                };
                let is_alpha_beta = pruning == Pruning::Star1 && game.chances().len() == 1;
                let game = aided(None);
                let found = if is_alpha_beta {
                    let search = AlphaBeta::new(game, heuristic, depth).expect("a depth, and no dice");
                    let found = search.run(*position, &stop)?;
                    // A shallower search is one that was cancelled: its choice would depend on timing.
                    (found.depth == depth).then_some(found.report)?
                } else {
                    let search = Expectimax::new(game, heuristic, depth, pruning);
                    search.expect("a depth").run(*position, chance, &stop)?
                };
                let best = found.choices[0].value;
                let equal = found
                    .choices
                    .iter()
                    // A bound may equal the best value where the choice is worse.
                    .take_while(|choice| choice.is_exact && choice.value == best);
                let equal: Vec<usize> = equal.map(|choice| choice.choice).collect();
                Some(equal[any(equal.len())])
            }
            Agent::Net { ref name, plies } => {
                let ahead = GameLookAhead::new(aided(None), context.net(name), plies);
                ahead.best(position, chance, &stop).ok()
            }
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Agent::Random => "random".to_owned(),
            Agent::OfGame(_, name) => (*name).to_owned(),
            Agent::Search { method, simulations, c, bound, proves, heavy } => {
                let mut text = format!("{method}:{simulations}");
                if *method == Method::Uct {
                    text += &format!(":{c}");
                }
                if *bound != SelectionBound::Ucb1 {
                    text += &format!("+{bound}");
                }
                if *proves {
                    text += "+proofs";
                }
                if let Some((HeavyPlayouts { share, .. }, name)) = heavy {
                    text += &format!("+heavy:{name}:{share}");
                }
                text
            }
            Agent::Minimax { depth, evaluator, pruning } => {
                let name = match pruning {
                    Pruning::Expectimax => "minimax",
                    _ => "alphabeta",
                };
                match evaluator {
                    AgentEvaluator::OfGame(_, evaluator) => format!("{name}:{depth}:{evaluator}"),
                    AgentEvaluator::Net(net) => format!("{name}:{depth}:{net}"),
                }
            }
            Agent::Net { name, plies: 0 } => name.clone(),
            Agent::Net { name, plies } => format!("{name}+{plies}ply"),
        };
        f.pad(&text)
    }
}
