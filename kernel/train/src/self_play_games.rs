//! Games of a player against itself, with all their positions.

use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::board::Planes;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::stepping::Games;
use tavli_backgammon::{Outcome, Playouts, Tier};

use crate::net::PaddedNet;

/// The most games that a worker plays side by side. Results do not depend on the number.
// Not measured, unlike the 64 of policies (`GAMES_SIDE_BY_SIDE` of tavli-backgammon), where 128 was 1.5 % slower.
// Smaller ranges spread the games of a phase over more workers.
pub(crate) const GAMES_SIDE_BY_SIDE: u64 = 32;
/// About the most weights that a ply of all games side by side multiplies: some hundredths of a second.
const WEIGHTS_PER_PLY: u64 = 1 << 30;
/// About the number of plays of a roll.
const PLAYS_PER_ROLL: u64 = 32;

/// Fractions of throws are below this number.
const FRACTIONS: f64 = (1_u64 << 32) as f64;

#[derive(Clone, Debug)]
pub(crate) struct SelfPlayGame {
    /// The positions, each seen by the player on roll.
    pub(crate) positions: Vec<Planes>,
    /// For each position whether the play made there was exploratory.
    pub(crate) explored: Vec<bool>,
    /// The outcome for the player who made the last play.
    pub(crate) outcome: Outcome,
}

/// Exploratory plays, which the policy would not pick: a net has to see the positions after other plays, too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exploration {
    /// The share of exploratory plays, 0..=1.
    pub(crate) share: f64,
    /// The player who picks them; without a player they are drawn at random.
    pub(crate) explorer: Option<Arc<dyn Policy>>,
}

/// How many games of a net a worker plays side by side. A net values all plays of a ply between two calls of `stop`,
/// and has up to 250 million weights.
pub(crate) fn games_side_by_side(net: &PaddedNet) -> u64 {
    let weights = (net.weights() as u64).max(1);
    (WEIGHTS_PER_PLY / (weights * PLAYS_PER_ROLL)).clamp(1, GAMES_SIDE_BY_SIDE)
}

/// Plays the games with the given numbers, all side by side, and returns them in order; `None` if `stop` returned true.
pub(crate) fn play(
    playouts: &Playouts,
    tier: Tier,
    policy: &dyn Policy,
    exploration: &Exploration,
    numbers: Range<u64>,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<SelfPlayGame>> {
    debug_assert!((0.0..=1.0).contains(&exploration.share), "a share");
    let first = numbers.start;
    let side_by_side = (numbers.end - first) as usize;
    let mut played: Vec<Option<SelfPlayGame>> = vec![None; side_by_side];
    // Games of `strong` take 54.3 plies in the mean (profiles/LOG.md, 2026-11-24).
    let mut positions = vec![Vec::with_capacity(64); side_by_side];
    let mut explored = vec![Vec::with_capacity(64); side_by_side];
    let mut games = Games::new(playouts, numbers, side_by_side).with_tier(tier);
    let (mut picks, mut other_picks, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    let mut view = policy.view();
    if let Some(other) = &exploration.explorer {
        // One listing serves both players, so it holds what either needs.
        view.results |= other.view().results;
        view.changes |= other.view().changes;
    }
    while !games.is_empty() {
        if stop() {
            return None;
        }
        numbers.clear();
        numbers.extend(games.numbers().map(|number| (number - first) as usize));
        let decisions = games.roll_for(view);
        for (&number, &position) in numbers.iter().zip(decisions.positions()) {
            positions[number].push(position);
        }
        picks.clear();
        picks.resize(decisions.len(), 0);
        policy.pick(decisions, &mut picks, stop).ok()?;
        if let Some(other) = &exploration.explorer {
            other_picks.clear();
            other_picks.resize(decisions.len(), 0);
            other.pick(decisions, &mut other_picks, stop).ok()?;
        }
        for (decision, pick) in picks.iter_mut().enumerate() {
            let drawn = f64::from(decisions.fractions()[decision]) / FRACTIONS;
            let picked = *pick;
            let mut explores = drawn < exploration.share;
            if explores {
                *pick = match other_picks.get(decision) {
                    Some(&other) => other,
                    // The fraction of the ply, which decided that it is exploratory, draws the play too: below the
                    // share it is evenly distributed.
                    None => (drawn / exploration.share * decisions.plays_of(decision) as f64) as u32,
                };
                // A play that both players pick is not exploratory.
                explores = exploration.explorer.is_none() || *pick != picked;
            }
            explored[numbers[decision]].push(explores);
        }
        let ended = games.make(&picks).expect("the policy picks plays");
        for end in ended {
            let number = (end.end.game - first) as usize;
            let outcome = end.end.outcome.expect("no game is cut off");
            let by_first = end.end.plies % 2 == 1;
            played[number] = Some(SelfPlayGame {
                positions: core::mem::take(&mut positions[number]),
                explored: core::mem::take(&mut explored[number]),
                outcome: if by_first { outcome } else { outcome.reversed() },
            });
        }
    }
    played.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_backgammon::policies::{Pubeval, Uniform};
    use tavli_backgammon::{FirstRoll, NO_STOP, RuleSet};

    fn played(policy: &dyn Policy, share: f64, explorer: Option<Arc<dyn Policy>>) -> Vec<SelfPlayGame> {
        let rules = RuleSet::Backgammon;
        let playouts = Playouts::new(rules.start(), rules, 4).expect("the start");
        let playouts = playouts.with_first_roll(FirstRoll::Open);
        play(&playouts, Tier::best(), policy, &Exploration { share, explorer }, 0..20, NO_STOP)
            .expect("nothing stops it")
    }

    fn positions(played: Vec<SelfPlayGame>) -> Vec<Planes> {
        played.into_iter().flat_map(|game| game.positions).collect()
    }

    /// With a share of 1 play is uniform, with a share of 0 the policy's.
    #[test]
    fn exploration_is_uniform() {
        let exploring = |share| positions(played(&Pubeval, share, None));
        let uniform = positions(played(&Uniform, 0.0, None));
        assert_eq!(exploring(1.0), uniform);
        let some = exploring(0.1);
        assert_ne!(some, exploring(0.0));
        // Games with a few bad plays are as short as games with none; games of uniform play are half as long again.
        assert!(some.len() < uniform.len());
    }

    /// The explorer picks exploratory plays. They count as exploratory only if the policy would pick another play.
    #[test]
    fn an_explorer_makes_its_own_plays() {
        let other: Arc<dyn Policy> = Arc::new(Pubeval);
        let exploring = |share| played(&Uniform, share, Some(Arc::clone(&other)));
        let all = exploring(1.0);
        let explored = all.iter().flat_map(|game| &game.explored);
        let explored = explored.filter(|&&explored| explored).count();
        let all = positions(all);
        assert_eq!(all, positions(played(&Pubeval, 0.0, None)));
        assert!((all.len() / 2..all.len()).contains(&explored), "{explored}");
        let same = positions(exploring(0.0));
        assert_eq!(same, positions(played(&Uniform, 0.0, None)));
        let none = played(&Pubeval, 0.5, Some(Arc::clone(&other)));
        assert!(none.iter().all(|game| !game.explored.contains(&true)));
    }
}
