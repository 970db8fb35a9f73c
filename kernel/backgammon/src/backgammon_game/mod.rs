//! Backgammon, and its variants with the same moves, as a game that can be searched.

mod playable;

use core::fmt;
use core::num::NonZeroU32;

use thiserror::Error;

use tavli_game::{Game, GameSource, GameStart, Nodes};
use tavli_simd::Tier;

use crate::board::{Board, Planes, Side};
use crate::dice::Roll;
use crate::playout::{self, Batch, BatchEnd, Dice, FirstRoll, PlayoutError, StartPosition, Throws};
use crate::plays::{Plays, perft};
use crate::policies::PolicyPair;
use crate::rules::RuleSet;
use crate::stepping::RollBatch;

/// The weight of each roll: 2, or 1 for a double.
const WEIGHTS: [u32; Roll::ALL.len()] = {
    let mut weights = [0; Roll::ALL.len()];
    let mut roll = 0;
    while roll < weights.len() {
        weights[roll] = Roll::ALL[roll].weight();
        roll += 1;
    }
    weights
};

/// Playouts of a policy that are played side by side: as many as games of players ([`crate::policies::PolicyPair`]).
const GAMES_SIDE_BY_SIDE: u64 = 64;

/// Backgammon by one of the [`RuleSet`]s, with the policy of its playouts.
///
/// The chances are [`Roll::ALL`], and the choices after one are the [`Plays`] in their order. A playout is the game of
/// a number and a seed, as [`Playouts`](crate::Playouts) play it.
///
/// ```
/// use tavli_backgammon::policies::PolicyPair;
/// use tavli_backgammon::{BackgammonGame, Board, RuleSet, Tier};
/// use tavli_game::Game;
/// let game = BackgammonGame::new(RuleSet::Backgammon, PolicyPair::default(), Tier::best(), 1)?;
/// let chance = BackgammonGame::chance("31".parse()?);
/// assert_eq!(game.choices(&Board::START.into(), chance), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BackgammonGame {
    rules: RuleSet,
    players: PolicyPair,
    tier: Tier,
    /// The dice of games whose first roll is drawn.
    dice: Dice,
    /// The dice of games whose first roll is given, by its index in [`Roll::ALL`].
    given: Vec<Dice>,
}

/// The error of two different players: playouts have one policy for both sides.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("playouts have one policy for both sides, and these are {0}: name one, or roll out")]
pub struct PlayersError(String);

impl fmt::Debug for BackgammonGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackgammonGame")
            .field("rules", &self.rules)
            .field("players", &self.players)
            .field("tier", &self.tier)
            .finish_non_exhaustive()
    }
}

impl BackgammonGame {
    /// A game whose playouts have the same policy on both sides, and the dice of this seed. The tier changes the speed
    /// only.
    ///
    /// # Errors
    /// [`PlayersError`] if the players differ.
    pub fn new(rules: RuleSet, players: PolicyPair, tier: Tier, seed: u64) -> Result<BackgammonGame, PlayersError> {
        let [first, second] = players.names();
        if first != second {
            return Err(PlayersError(players.to_string()));
        }
        let given = Roll::ALL.map(|roll| Dice::new(seed, FirstRoll::Given(roll)));
        Ok(BackgammonGame { rules, players, tier, dice: Dice::new(seed, FirstRoll::Any), given: given.into() })
    }

    /// The chance of a roll: its index in [`Roll::ALL`].
    #[must_use]
    pub fn chance(roll: Roll) -> usize {
        let index = Roll::ALL.iter().position(|&one| one == roll);
        index.expect("the list has all rolls")
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The players of the playouts.
    #[must_use]
    pub fn players(&self) -> &PolicyPair {
        &self.players
    }

    /// The position of a board, checked as the root of a search.
    ///
    /// # Errors
    /// [`PlayoutError`] if the game is over in it, can never end, or has other checkers than the rules.
    pub fn root(&self, board: &Board) -> Result<Planes, PlayoutError> {
        StartPosition::new(board, self.rules).map(|_| Planes::from(*board))
    }

    fn dice(&self, chance: Option<usize>) -> &Dice {
        chance.map_or(&self.dice, |chance| &self.given[chance])
    }

    /// Plays the games ply by ply, so that the policy picks from the plays of many games at a time.
    fn play_by_policy(&self, source: &mut dyn GameSource<Planes>, stop: &dyn Fn() -> bool) {
        let max_plies = source.max_plies();
        let policy = self.players.policy(Side::OnRoll);
        let mut decisions = RollBatch::new(self.rules).with_tier(self.tier);
        // A search that is stopped keeps the games that have ended: by a slow policy, few are played at a time.
        let side_by_side = self.players.first_games().min(GAMES_SIDE_BY_SIDE) as usize;
        let mut games: Vec<InPlay<'_>> = Vec::with_capacity(side_by_side);
        while !stop() {
            while games.len() < side_by_side
                && let Some(start) = source.next()
            {
                let dice = self.dice(start.chance);
                games.push(InPlay {
                    position: start.position,
                    throws: dice.of_game(start.game),
                    plies: 0,
                    tag: start.tag,
                });
            }
            if games.is_empty() {
                return;
            }
            decisions.clear();
            for game in &mut games {
                let throw = game.throws.next().expect("throws have no end");
                let position = game.position.into();
                let pushed = decisions.push(&position, throw);
                pushed.expect("games that are over have left");
            }
            let Ok(made) = policy.play(&mut decisions, stop) else {
                return;
            };
            for (game, &position) in games.iter_mut().zip(made) {
                game.position = position;
                game.plies += 1;
            }
            games.retain(|game| {
                let points = self.points(&game.position);
                if let Some(points) = points {
                    let sign = if game.plies.is_multiple_of(2) { 1 } else { -1 };
                    source.end(game.tag, sign * points, game.plies);
                } else if game.plies == max_plies {
                    source.cut_off(game.tag);
                }
                points.is_none() && game.plies < max_plies
            });
        }
    }
}

/// A game that a policy plays.
struct InPlay<'a> {
    position: Planes,
    throws: Throws<'a>,
    plies: u32,
    tag: u64,
}

impl Game for BackgammonGame {
    type Position = Planes;

    fn chances(&self) -> &[u32] {
        &WEIGHTS
    }

    fn choices(&self, position: &Planes, chance: usize) -> usize {
        Plays::new(&Board::from(*position), Roll::ALL[chance], self.rules).len()
    }

    fn result(&self, position: &Planes, chance: usize, choice: usize) -> Planes {
        let plays = Plays::new(&Board::from(*position), Roll::ALL[chance], self.rules);
        let play = plays.get(choice).expect("a choice is one of the plays");
        play.board().into()
    }

    fn results(&self, position: &Planes, chance: usize) -> Vec<Planes> {
        let plays = Plays::new(&Board::from(*position), Roll::ALL[chance], self.rules);
        let plays = plays.to_vec();
        plays.iter().map(|play| play.board().into()).collect()
    }

    fn points(&self, position: &Planes) -> Option<i32> {
        let outcome = self.rules.outcome(&Board::from(*position));
        outcome.map(|outcome| outcome.points())
    }

    fn max_points(&self) -> i32 {
        3
    }

    fn perft(&self, position: &Planes, depth: u32) -> Nodes {
        perft(&Board::from(*position), self.rules, depth)
    }

    /// Uniform playouts fill the lanes of one batch. Playouts by other policies are played ply by ply.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    fn play_out(&self, source: &mut dyn GameSource<Planes>, stop: &dyn Fn() -> bool) {
        if self.players.are_uniform() {
            let batch = match source.max_plies() {
                // Without a truncation the batch does not look how old its games are.
                u32::MAX => Batch::new(self.rules),
                most => Batch::new(self.rules).truncated_after(NonZeroU32::new(most).expect("at least one ply")),
            };
            let mut fused = Fused { game: self, source };
            batch.play(self.tier, &mut fused, stop);
        } else {
            self.play_by_policy(source, stop);
        }
    }
}

/// The source of a search as that of a batch.
struct Fused<'a> {
    game: &'a BackgammonGame,
    source: &'a mut dyn GameSource<Planes>,
}

impl playout::BatchSource for Fused<'_> {
    fn next(&mut self) -> Option<playout::BatchStart> {
        let GameStart { position, chance, game, tag } = self.source.next()?;
        let board = Board::from(position);
        debug_assert_eq!(StartPosition::new(&board, self.game.rules).map(drop), Ok(()), "the game goes on in a leaf");
        // Not checked: the root was, and plays lead from it to every leaf. The check took 2.8 % of a search
        // (profiles/LOG.md, 2026-11-28).
        let start = StartPosition::from_checked_board(&board, self.game.rules);
        Some(playout::BatchStart::new(&start, self.game.dice(chance), game, tag))
    }

    fn end(&mut self, end: &BatchEnd) {
        match end.outcome() {
            Some(outcome) => self.source.end(end.tag(), outcome.points(), end.plies()),
            None => self.source.cut_off(end.tag()),
        }
    }
}
