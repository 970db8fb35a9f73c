//! Games whose plays are kept.

use core::ops::Range;

use tavli_backgammon::policies::{Observer, PolicyPair};
use tavli_backgammon::{Board, GameEnd, Playouts, Roll, Stopped, Tier};
use tavli_transcript::Action;

/// The actions of a game in order, each with its player, 0 or 1.
pub type GameActions = Vec<(usize, Action)>;

/// Plays games, appends their records, and returns the actions of each. The player of the index `begins` is on roll
/// first.
///
/// # Errors
/// [`Stopped`] if `stop` returns `true` before the end.
pub(super) fn play_with_actions(
    players: &PolicyPair,
    playouts: &Playouts,
    tier: Tier,
    games: Range<u64>,
    records: &mut Vec<GameEnd>,
    begins: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<GameActions>, Stopped> {
    if games.is_empty() {
        return Ok(Vec::new());
    }
    // The position and the roll of each ply of each game.
    let mut plies: Vec<Vec<(Board, Roll)>> = vec![Vec::new(); (games.end - games.start) as usize];
    let before = records.len();
    let first = games.start;
    let mut look = |decisions: &tavli_backgammon::stepping::RollBatch, numbers: &[(u64, u32)]| {
        let positions = decisions.positions().iter().zip(decisions.rolls());
        for ((&position, &roll), (game, _)) in positions.zip(numbers) {
            plies[(game - first) as usize].push((position.into(), roll));
        }
        Ok(())
    };
    let observer = Observer { before_ply: Some(&mut look), ..Observer::collecting(records) };
    players.run_observed(playouts, tier, games, observer, stop)?;
    let of_game = |(plies, record): (Vec<(Board, Roll)>, &GameEnd)| {
        let last = record.board;
        // The position after a ply is the position before the next, and after the last ply the record's.
        let afters = plies.iter().skip(1).map(|(board, _)| *board).chain([last]);
        let steps = plies.iter().zip(afters).enumerate();
        steps.map(|(ply, (&(_, roll), after))| ((begins + ply) % 2, Action::Play { roll, after })).collect()
    };
    Ok(plies.into_iter().zip(&records[before..]).map(of_game).collect())
}
