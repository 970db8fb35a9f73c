//! Money games.

use tavli_backgammon::Side;

use crate::outcome_probabilities::OutcomeProbabilities;
use crate::piecewise::interpolate;

/// The points of money games at which a cube decision changes, as winning chances of the player who decides on a double
/// (take, beaver) or doubles (all others): with a dead cube and with a live one. GNU Backgammon's `show marketwindow`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoneyPoints {
    /// Above it a double is taken.
    pub take: [f64; 2],
    /// Above it a double is beavered.
    pub beaver: [f64; 2],
    /// Above it the doubler of a beavered cube raccoons, since the beaver was wrong.
    pub raccoon: [f64; 2],
    /// Above it a cube in the middle is doubled, without the Jacoby rule.
    pub double: [f64; 2],
    /// Above it a cube is redoubled.
    pub redouble: [f64; 2],
    /// Above it a double is passed.
    pub cash: [f64; 2],
    /// Above it one plays on for a gammon.
    pub too_good: [f64; 2],
}

impl MoneyPoints {
    /// The points of a player who wins `won` points in a won game on average, and loses `lost` points in a lost one.
    #[must_use]
    pub fn new(won: f64, lost: f64) -> MoneyPoints {
        let (dead, live) = (won + lost, won + lost + 0.5);
        MoneyPoints {
            take: [(lost - 0.5) / dead, (lost - 0.5) / live],
            beaver: [lost / dead, lost / live],
            raccoon: [lost / dead, (lost + 0.5) / live],
            double: [lost / dead, (lost + 1.0) / live],
            redouble: [lost / dead, (lost + 1.0) / live],
            cash: [(lost + 0.5) / dead, (lost + 1.0) / live],
            too_good: [(lost + 1.0) / dead, (lost + 1.0) / live],
        }
    }
}

/// The equity of the player on roll as a share of the cube, which `owner` may turn, and which has `turns_left` turns
/// before its limit.
pub(crate) fn equity(
    probabilities: &OutcomeProbabilities,
    owner: Option<Side>,
    jacoby: bool,
    efficiency: f64,
    turns_left: u8,
) -> f64 {
    let jacoby = jacoby && owner.is_none();
    let dead = if jacoby { 2.0 * probabilities.win - 1.0 } else { probabilities.equity() };
    // Means over no games are not defined; a decided game needs no cube.
    if turns_left == 0 || !(1e-7..=1.0 - 1e-7).contains(&probabilities.win) {
        return dead;
    }
    // Equities are interpolated, as in GNU Backgammon, whose values the tests compare. Janowski's general model
    // interpolates the points at which a decision changes.
    (1.0 - efficiency) * dead + efficiency * live(probabilities, owner, jacoby, turns_left)
}

/// The equity with a live cube: on straight lines from the lost game to the won one, through the points where doubles
/// are taken or passed. With one double left before its limit, the cube is dead after that double; with more, it counts
/// as live.
fn live(probabilities: &OutcomeProbabilities, owner: Option<Side>, jacoby: bool, turns_left: u8) -> f64 {
    let (won, lost) = (probabilities.points_of_wins(), probabilities.reversed().points_of_wins());
    // With gammons under the Jacoby rule, too: behind a double they count.
    let points = MoneyPoints::new(won, lost);
    let after = usize::from(turns_left > 1);
    let take = (points.take[after], -1.0);
    let cash = (points.cash[after], 1.0);
    let (lost, won) = ((0.0, -lost), (1.0, won));
    match owner {
        // Where gammons do not count, nobody plays on for one.
        None if jacoby => interpolate([(0.0, -1.0), take, cash, (1.0, 1.0)], probabilities.win),
        None => interpolate([lost, take, cash, won], probabilities.win),
        Some(Side::OnRoll) => interpolate([lost, cash, won], probabilities.win),
        Some(Side::Opponent) => interpolate([lost, take, won], probabilities.win),
    }
}
