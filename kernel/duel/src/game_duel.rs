//! Two agents against each other at any game.

use core::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use rand_xoshiro::rand_core::Rng;
use tavli_backgammon::Tier;
use tavli_game::streams::{StreamKey, generator, mixed};
use tavli_game::{PairScore, PlayableGame, RulesError, SolvedPositions, Tally, draw, pick};
use tavli_run::{Cancel, Progress, RunStats, Workers};
use tavli_search::{Agent, AgentContext, Nets};

use super::pairs::Pairs;

/// Pairs of games of two agents. Both games of a pair have the same dice and the same opening, with the sides
/// exchanged.
///
/// An opening is a number of random plies. Without it, agents that use no random numbers would play the same game every
/// time.
///
/// ```
/// use tavli_duel::GameDuel;
/// use tavli_run::{Cpus, Pinning, Placement, Workers};
/// use tavli_search::Agent;
/// use tavli_tictactoe::TicTacToe;
///
/// let agents = ["minimax:9", "random"].map(|text| Agent::read::<TicTacToe>(text).expect("an agent"));
/// let duel = GameDuel::<TicTacToe>::new("standard", tavli_backgammon::Tier::best(), agents, 1, 20)?.with_opening(1);
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let score = duel.play(&workers, |_| ());
/// assert_eq!((score.tally.games, score.tally.count(-1)), (40, 0)); // the game is a draw, and minimax never loses
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameDuel<G: PlayableGame> {
    settings: DuelSettings<G::Position>,
    pairs: u64,
}

/// Both games of a pair.
pub type PairOfGames = [DuelGameRecord; 2];

/// The settings of each game.
#[derive(Clone, Debug)]
struct DuelSettings<P> {
    context: AgentContext<P>,
    pairings: Vec<[Agent; 2]>,
    seed: u64,
    opening: u32,
    /// Games of pairs below this number are kept.
    kept_pairs: u64,
    cancel: Cancel,
}

/// A game of a duel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DuelGame {
    /// Which agent was the first to play.
    pub first_agent: usize,
    /// The chance and the choice of each ply, from the start of the game on.
    pub turns: Vec<(usize, usize)>,
}

/// The end of a game, and its course if games are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DuelGameRecord {
    /// The points of the first agent.
    pub points: i32,
    /// The plies.
    pub plies: u32,
    /// The course.
    pub game: Option<DuelGame>,
}

/// The results of pairs of games for the first agent, as exact integers that add up in any order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameScore {
    /// Points of the first agent.
    pub points: PairScore,
    /// The games, with the points of the first agent.
    pub tally: Tally,
    /// The games that are kept, in order; the first agent begins the first game of a pair.
    pub games: Vec<DuelGame>,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Whether the duel was cancelled before its end.
    pub cancelled: bool,
}

impl GameScore {
    fn add(&mut self, games: PairOfGames) {
        self.points.add(games.iter().map(|game| i64::from(game.points)).sum());
        for DuelGameRecord { points, plies, game } in games {
            self.tally.add(points, plies);
            self.games.extend(game);
        }
    }
}

impl<G: PlayableGame> GameDuel<G> {
    /// A duel of `pairs` pairs of games from the start, without an opening.
    ///
    /// # Errors
    /// [`RulesError`] if the game has no rules named `rules`.
    pub fn new(rules: &str, tier: Tier, agents: [Agent; 2], seed: u64, pairs: u64) -> Result<GameDuel<G>, RulesError> {
        GameDuel::with_pairings(rules, tier, vec![agents], seed, pairs)
    }

    /// A duel of each of these pairings of agents: `pairs` pairs of games each, all on the same dice and openings.
    ///
    /// # Errors
    /// [`RulesError`] if the game has no rules named `rules`.
    pub fn with_pairings(
        rules: &str,
        tier: Tier,
        pairings: Vec<[Agent; 2]>,
        seed: u64,
        pairs: u64,
    ) -> Result<GameDuel<G>, RulesError> {
        // Only for its error: each game is made again by these rules.
        G::by_rules(rules, tier, seed)?;
        Ok(GameDuel {
            settings: DuelSettings {
                context: AgentContext { rules: rules.to_owned(), tier, tables: None, nets: Nets::new() },
                pairings,
                seed,
                opening: 0,
                kept_pairs: 0,
                cancel: Cancel::new(),
            },
            pairs,
        })
    }

    /// With this number of random plies at the start of each game.
    #[must_use]
    pub fn with_opening(mut self, plies: u32) -> GameDuel<G> {
        self.settings.opening = plies;
        self
    }

    /// Keeps the games of the first `pairs` pairs in the score.
    #[must_use]
    pub fn with_games(mut self, pairs: u64) -> GameDuel<G> {
        self.settings.kept_pairs = pairs;
        self
    }

    /// With solved positions, which searching agents use.
    #[must_use]
    pub fn with_tables(mut self, tables: Option<Arc<dyn SolvedPositions<G::Position>>>) -> GameDuel<G> {
        self.settings.context.tables = tables;
        self
    }

    /// With the nets that agents play by.
    #[must_use]
    pub fn with_nets(mut self, nets: Nets<G::Position>) -> GameDuel<G> {
        self.settings.context.nets = nets;
        self
    }

    /// Lets this switch end the duel.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &Cancel) -> GameDuel<G> {
        self.settings.cancel = cancel.clone();
        self
    }

    /// The default number of random plies that begin a game: as many as the ballots of draughts have, and none in a
    /// game with dice.
    pub fn default_opening(game: &G) -> u32 {
        match game.chances().len() {
            1 => 3,
            _ => 0,
        }
    }

    /// Plays the games of all pairings, and calls `progress` about ten times a second. The score of a cancelled duel
    /// has the pairs before the first unfinished one.
    ///
    /// # Panics
    /// If this CPU lacks the tier, or if called from one of these workers.
    #[must_use]
    pub fn play(&self, workers: &Workers, progress: impl FnMut(&Progress)) -> GameScore {
        let mut score = GameScore::default();
        let stats = self.play_from(0, workers, |_, games| score.add(games), progress);
        score.elapsed = stats.elapsed;
        score.cancelled = score.points.pairs < self.all_pairs();
        score
    }

    /// Plays all pairs except the first `played`, and passes the games of each to `take`, with the index of the
    /// pairing. The pairings take turns: pair `n` of each comes before pair `n + 1` of any.
    ///
    /// # Panics
    /// As [`GameDuel::play`].
    pub fn play_from(
        &self,
        played: u64,
        workers: &Workers,
        mut take: impl FnMut(usize, PairOfGames),
        progress: impl FnMut(&Progress),
    ) -> RunStats {
        let settings = self.settings.clone();
        let pairings = settings.pairings.len() as u64;
        let work = move |numbers: Range<u64>| {
            let pair = |number| {
                let (pairing, pair) = ((number % pairings) as usize, number / pairings);
                let game = |first_agent| settings.play::<G>(pairing, pair, first_agent);
                Some((pairing, [game(0)?, game(1)?]))
            };
            numbers.map(pair).collect::<Option<Vec<_>>>()
        };
        let all = Pairs { numbers: played..self.all_pairs(), first_games: 1, cancel: &self.settings.cancel };
        let take = |pairs: Vec<_>| pairs.into_iter().for_each(|(pairing, games)| take(pairing, games));
        all.play(workers, work, take, progress)
    }

    fn all_pairs(&self) -> u64 {
        self.pairs * self.settings.pairings.len() as u64
    }
}

impl<P: Copy> DuelSettings<P> {
    /// A game of a pair of a pairing. The agent of the index `first_agent` is on roll or to move in the first position.
    /// `None` if it was cancelled.
    fn play<G: PlayableGame<Position = P>>(
        &self,
        pairing: usize,
        pair: u64,
        first_agent: usize,
    ) -> Option<DuelGameRecord> {
        let game = G::by_rules(&self.context.rules, self.context.tier, self.seed).expect("they were checked");
        // Only by the pair, so that both of its games have these dice.
        let mut words = generator(StreamKey::new(self.seed).state(pair));
        let mut position = game.start();
        let mut plies = 0;
        let turns = Vec::new();
        let mut kept = (pair < self.kept_pairs).then_some(DuelGame { first_agent, turns });
        loop {
            let mover = (first_agent + plies as usize) % 2;
            if let Some(points) = game.points(&position) {
                let points = if mover == 0 { points } else { -points };
                let game = kept;
                return Some(DuelGameRecord { points, plies, game });
            }
            let (chance, fraction) = draw(game.chances(), words.next_u32());
            let choice = if plies < self.opening {
                pick(fraction, game.choices(&position, chance))
            } else {
                // Without the agent: against itself it chooses alike from both sides, and a pair comes to 0 points.
                let seed = mixed(self.seed ^ mixed(pair) ^ u64::from(fraction) << 32 ^ u64::from(plies));
                self.pairings[pairing][mover].choose::<G>(&self.context, &position, chance, seed, &self.cancel)?
            };
            // Agents that do not search never look at the switch.
            if self.cancel.is_cancelled() {
                return None;
            }
            if let Some(kept) = &mut kept {
                kept.turns.push((chance, choice));
            }
            position = game.result(&position, chance, choice);
            plies += 1;
        }
    }
}
