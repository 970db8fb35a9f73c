//! The games of all candidates in one batch.
//!
//! Tested by `tests/suite/playing.rs`; with cut-off games by `tests/suite/truncation.rs`.

use core::ops::Range;

use crate::ask::evaluators::Evaluators;
use crate::game_value::seen_by_first_player;
use tavli_backgammon::playout::{Batch, BatchEnd, BatchSource, BatchStart, Dice, Playouts, StartPosition};
use tavli_backgammon::policies::{BeforePly, Observer, PolicyPair};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{FirstRoll, Outcome, Planes, Tier};
use tavli_players::LuckShares;

/// Before this ply the games of a candidate are in few positions, so that hundreds of trials share the values of their
/// luck: players that make one play for a roll reach 1, then 21, then at most 441. After the next roll there are 9,261.
const SHARED_LUCK_PLIES: u32 = 3;

/// Returns the last position of a game, seen by the player next on roll. A call, since few games need it.
pub(crate) type LastPosition<'a> = &'a dyn Fn() -> Planes;

pub(crate) struct FinishedGame {
    /// The index of its position.
    pub(crate) position: usize,
    /// The number of its trial.
    pub(crate) trial: u64,
    /// The game's outcome for the player on roll in the position; `None` if it was cut off.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) plies: u32,
    /// The luck of that player, if it is measured.
    pub(crate) luck: Option<LuckShares>,
}

pub(crate) type TakeGame<'a> = &'a mut dyn FnMut(&FinishedGame, LastPosition<'_>);

/// A position with the players of its games: first the player on roll, then the other.
pub(crate) struct PlayedPosition {
    pub(crate) playouts: Playouts,
    pub(crate) players: PolicyPair,
}

/// Plays the games of these numbers from each of several positions, which have the same rules and truncation, and
/// passes them to `take` in any order. Returns `None`, with some of the games played, if `stop` returns `true` before
/// the end. Games end at positions with known values; their luck is measured for variance reduction.
///
/// Uniform games are one batch, so that its lanes are full until the last games of the last position.
pub(crate) fn play_each(
    positions: &[PlayedPosition],
    evaluators: &Evaluators,
    tier: Tier,
    games: Range<u64>,
    stop: &dyn Fn() -> bool,
    take: TakeGame<'_>,
) -> Option<()> {
    let is_uniform = |position: &PlayedPosition| position.players.are_uniform();
    if let Some(first) = positions.first()
        && evaluators.luck.is_none()
        && positions.iter().all(is_uniform)
    {
        // Uniform players know no values, so games end by the rules or the truncation alone.
        let batch = Batch::new(first.playouts.rules());
        let batch = match first.playouts.truncation() {
            Some(plies) => batch.truncated_after(plies),
            None => batch,
        };
        let starts = positions.iter().map(|PlayedPosition { playouts, .. }| {
            let start = StartPosition::new(playouts.start(), playouts.rules());
            let dice = Dice::new(playouts.seed(), playouts.first_roll());
            (start.expect("playouts have games"), dice)
        });
        let mut source = TrialSource {
            starts: starts.collect(),
            games_each: games.end - games.start,
            first: games.start,
            next: 0,
            take,
        };
        batch.play(tier, &mut source, stop);
        // The batch leaves games out when it is stopped, and does not say so.
        return (!stop()).then_some(());
    }
    let mut records = Vec::new();
    for (position, played) in positions.iter().enumerate() {
        records.clear();
        let PlayedPosition { playouts, players } = played;
        let mut sums = match evaluators.luck {
            Some(_) => vec![LuckShares::default(); (games.end - games.start) as usize],
            None => Vec::new(),
        };
        let mut look = |decisions: &RollBatch, of_games: &[(u64, u32)]| {
            let luck = evaluators.luck.as_ref().expect("it is measured");
            let thrown = of_games.iter().map(|&(_, plies)| match plies {
                0 => playouts.first_roll(),
                _ => FirstRoll::Any,
            });
            let thrown: Vec<FirstRoll> = thrown.collect();
            let is_early = |index: usize| of_games[index].1 < SHARED_LUCK_PLIES;
            let lucks = luck.measure(decisions, &thrown, &is_early, tier, stop)?;
            for (&(trial, plies), luck) in of_games.iter().zip(lucks) {
                sums[(trial - games.start) as usize] += LuckShares(seen_by_first_player(luck.0, plies));
            }
            Ok(())
        };
        let observer = Observer {
            known_values: evaluators.known_values.as_deref(),
            before_ply: evaluators.luck.is_some().then_some(&mut look as BeforePly<'_>),
            ..Observer::collecting(&mut records)
        };
        let range = games.clone();
        let played = players.run_observed(playouts, tier, range, observer, stop);
        played.ok()?;
        for record in &records {
            let game = FinishedGame {
                position,
                trial: record.game,
                outcome: record.outcome,
                plies: record.plies,
                luck: sums.get((record.game - games.start) as usize).copied(),
            };
            take(&game, &|| record.board.into());
        }
    }
    Some(())
}

/// Games of several positions, position by position. The tag of the `n`-th game of the `p`-th position is
/// `p * games_each + n`.
struct TrialSource<'a> {
    starts: Vec<(StartPosition, Dice)>,
    /// How many games each position has.
    games_each: u64,
    /// The number of the first game.
    first: u64,
    /// The tag of the next game.
    next: u64,
    take: TakeGame<'a>,
}

impl TrialSource<'_> {
    /// The position and the number of the game of a tag.
    fn position_and_game(&self, tag: u64) -> (usize, u64) {
        ((tag / self.games_each) as usize, self.first + tag % self.games_each)
    }
}

impl BatchSource for TrialSource<'_> {
    fn next(&mut self) -> Option<BatchStart> {
        let (position, game) = self.position_and_game(self.next);
        let (start, dice) = self.starts.get(position)?;
        let begun = BatchStart::new(start, dice, game, self.next);
        self.next += 1;
        Some(begun)
    }

    fn end(&mut self, end: &BatchEnd) {
        let (position, game) = self.position_and_game(end.tag());
        let game = FinishedGame { position, trial: game, outcome: end.outcome(), plies: end.plies(), luck: None };
        (self.take)(&game, &|| end.board().into());
    }
}
