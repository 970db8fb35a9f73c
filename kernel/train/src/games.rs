//! Games of a player against itself, with all their positions.

use core::ops::Range;

use tavli_backgammon::board::Planes;
use tavli_backgammon::games::Games;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{Outcome, Playouts};

/// Fractions of a throw are below this.
const FRACTIONS: f64 = (1_u64 << 32) as f64;

/// A game: its positions, each seen by the player on roll, and the outcome for the player who made the last play.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) positions: Vec<Planes>,
    /// For each position whether the play made there was drawn at random.
    pub(crate) strayed: Vec<bool>,
    pub(crate) outcome: Outcome,
}

/// Plays games by number, all side by side, and returns them in order. A share `strays` of the plays, 0..=1, is drawn at
/// random in place of the policy's.
pub(crate) fn play(
    playouts: &Playouts,
    policy: &dyn Policy,
    strays: f64,
    numbers: Range<u64>,
) -> Vec<Played> {
    let first = numbers.start;
    let side_by_side = (numbers.end - first) as usize;
    let mut played: Vec<Option<Played>> = vec![None; side_by_side];
    let mut positions = vec![Vec::with_capacity(64); side_by_side];
    let mut strayed = vec![Vec::with_capacity(64); side_by_side];
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
        for (decision, pick) in picks.iter_mut().enumerate() {
            let drawn = f64::from(decisions.fractions()[decision]) / FRACTIONS;
            let strays_here = drawn < strays;
            if strays_here {
                *pick = (drawn / strays * decisions.plays_of(decision) as f64) as u32;
            }
            strayed[numbers[decision]].push(strays_here);
        }
        let ended = games.make(&picks).expect("the policy picks plays");
        for end in ended {
            let number = (end.record.game - first) as usize;
            let outcome = end.record.outcome.expect("no game is cut off");
            let by_first = end.record.plies % 2 == 1;
            played[number] = Some(Played {
                positions: core::mem::take(&mut positions[number]),
                strayed: core::mem::take(&mut strayed[number]),
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

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_backgammon::policies::{Pubeval, Uniform};
    use tavli_backgammon::{FirstRoll, RuleSet};

    fn positions(policy: &dyn Policy, strays: f64) -> Vec<Planes> {
        let rules = RuleSet::Backgammon;
        let playouts = Playouts::new(rules.start(), rules, 4).expect("the start");
        let playouts = playouts.with_first_roll(FirstRoll::Open);
        let played = play(&playouts, policy, strays, 0..20);
        played.into_iter().flat_map(|game| game.positions).collect()
    }

    /// All plays that stray are those of uniform play; with none the policy plays.
    #[test]
    fn strays_are_uniform() {
        assert_eq!(positions(&Pubeval, 1.0), positions(&Uniform, 0.0));
        let some = positions(&Pubeval, 0.1);
        assert_ne!(some, positions(&Pubeval, 0.0));
        // Games with a few bad plays are as short as games with none: those of uniform play are half as long again.
        assert!(some.len() < positions(&Uniform, 0.0).len());
    }
}
