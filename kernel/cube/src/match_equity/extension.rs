//! Scores beyond a table.

use libm::{erf, sqrt};

/// The standard deviation of the points of a game by the points that a player needs, from 1 on; [`FAR`] beyond. By J.
/// Montgomery, as GNU Backgammon extends its tables.
const DEVIATIONS: [f64; 10] = [1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72];
const FAR: f64 = 1.77;
/// The share of gammons among the games of a trailer after the Crawford game.
const GAMMONS: f64 = 0.25;

/// The chance of a player who needs `away` points against one who needs `opponent_away`.
pub(super) fn before_crawford(away: u16, opponent_away: u16) -> f64 {
    // The difference of the points below is unsigned, so the trailer comes first.
    if away < opponent_away {
        return 1.0 - before_crawford(opponent_away, away);
    }
    let deviation = |away: u16| DEVIATIONS.get(usize::from(away) - 1).copied().unwrap_or(FAR);
    let (own, opponent) = (deviation(away), deviation(opponent_away));
    let games = f64::from(u32::from(away) + u32::from(opponent_away)) / 2.0;
    let sigma = sqrt(own * own + opponent * opponent) * sqrt(games);
    let distance = f64::from(away - opponent_away) / sigma;
    // The area from the distance on. GNU Backgammon's area ends at 6 standard deviations: a billionth is missing, so
    // two players who need the same number of points do not have half each.
    (1.0 - erf(distance / core::f64::consts::SQRT_2)) / 2.0
}

/// The chance of a trailer who needs `away` points after the Crawford game, beyond the entries of a table: he doubles
/// at once, so that a game gives two points, and a gammon four.
pub(super) fn after_crawford(entries: &[f64], away: u16) -> f64 {
    let mut entries = entries.to_vec();
    while entries.len() < usize::from(away) {
        let before = |points: usize| match (entries.len() + 1).checked_sub(points) {
            None | Some(0) => 1.0,
            Some(away) => entries[away - 1],
        };
        entries.push(0.5 * ((1.0 - GAMMONS) * before(2) + GAMMONS * before(4)));
    }
    entries[usize::from(away) - 1]
}
