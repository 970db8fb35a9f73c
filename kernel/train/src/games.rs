//! Games of a player against itself, with all their positions.

use core::ops::Range;

use tavli_backgammon::board::Planes;
use tavli_backgammon::games::Games;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{Outcome, Playouts};

/// A game: its positions, each seen by the player on roll, and the outcome for the player who made the last play.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) positions: Vec<Planes>,
    pub(crate) outcome: Outcome,
}

/// Plays games by number, all side by side, and returns them in order.
pub(crate) fn play(playouts: &Playouts, policy: &dyn Policy, numbers: Range<u64>) -> Vec<Played> {
    let first = numbers.start;
    let side_by_side = (numbers.end - first) as usize;
    let mut played: Vec<Option<Played>> = vec![None; side_by_side];
    let mut positions = vec![Vec::with_capacity(64); side_by_side];
    let mut games = Games::new(playouts, numbers, side_by_side);
    let (mut picks, mut numbers) = (Vec::new(), Vec::new());
    while !games.is_empty() {
        numbers.clear();
        numbers.extend(games.numbers().map(|number| (number - first) as usize));
        let decisions = games.roll_for(policy.view());
        for (&number, &position) in numbers.iter().zip(decisions.positions()) {
            positions[number].push(position);
        }
        picks.clear();
        picks.resize(decisions.len(), 0);
        policy.pick(decisions, &mut picks);
        let ended = games.make(&picks).expect("the policy picks plays");
        for end in ended {
            let number = (end.record.game - first) as usize;
            let outcome = end.record.outcome.expect("no game is cut off");
            let by_first = end.record.plies % 2 == 1;
            played[number] = Some(Played {
                positions: core::mem::take(&mut positions[number]),
                outcome: if by_first {
                    outcome
                } else {
                    outcome.reversed()
                },
            });
        }
    }
    let played = played.into_iter();
    played.map(|game| game.expect("all games end")).collect()
}
