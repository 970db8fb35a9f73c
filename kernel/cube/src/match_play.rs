//! Matches: everything in match winning chances of the player on roll.

use tavli_backgammon::Side;

use crate::decision::Alternatives;
use crate::match_equity::MatchEquityTable;
use crate::outcome_probabilities::OutcomeProbabilities;
use crate::piecewise::interpolate;
use crate::state::{CubeState, Score};

/// The chances to win a match after the end of a game, by the points won or lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndChances<'a> {
    table: &'a MatchEquityTable,
    score: Score,
    /// The chances that were looked up before, and whether the player on roll is theirs (0) or the opponent (1).
    prepared: Option<(&'a PreparedScore<'a>, usize)>,
}

/// A score with the chance to win the match after each number of points, looked up once for many positions.
#[derive(Clone, Debug)]
pub struct PreparedScore<'a> {
    table: &'a MatchEquityTable,
    score: Score,
    /// By player (on roll, opponent) and points: the chance to win the match after winning that many points. The last
    /// entry stands for all greater numbers, since the match is over.
    won: [Vec<f64>; 2],
    /// By player and points: the chance to win the match after losing that many points.
    lost: [Vec<f64>; 2],
}

impl<'a> PreparedScore<'a> {
    /// Looks the chances of a score up.
    #[must_use]
    pub fn new(table: &'a MatchEquityTable, score: Score) -> PreparedScore<'a> {
        let ends = EndChances::new(table, score);
        let sides = [ends, ends.reversed()];
        PreparedScore {
            table,
            score,
            won: sides.map(|ends| (0..=ends.score.away.into()).map(|points| ends.win(points)).collect()),
            lost: sides.map(|ends| (0..=ends.score.opponent_away.into()).map(|points| ends.lose(points)).collect()),
        }
    }

    /// The score.
    #[must_use]
    pub fn score(&self) -> Score {
        self.score
    }

    pub(crate) fn ends(&self) -> EndChances<'_> {
        EndChances { table: self.table, score: self.score, prepared: Some((self, 0)) }
    }
}

/// The prices of gammons and backgammons at a score: their gain over a single win, in units of the difference between a
/// single win and a single loss. In money games they are 0.5 and 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GammonValues {
    /// The match winning chance after a single win, 0 to 1.
    pub win: f64,
    /// The match winning chance after a single loss, 0 to 1.
    pub lose: f64,
    /// A gammon and a backgammon of the player on roll.
    pub own: [f64; 2],
    /// A gammon and a backgammon of the opponent.
    pub opponent: [f64; 2],
}

/// The windows of a player who thinks of doubling in a match, as winning chances of that player: GNU Backgammon's
/// `show marketwindow`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MatchPoints {
    /// The chances from which a dead cube is doubled, and from which it is passed.
    pub dead: [f64; 2],
    /// The same chances if the opponent redoubles at once. This costs the opponent nothing if the doubled cube is
    /// enough for the doubler to win the match, but not for the opponent.
    pub redoubled: Option<[f64; 2]>,
    /// The chance from which a double of a live cube is passed; `None` if the doubled cube is dead.
    pub live_cash: Option<f64>,
}

impl<'a> EndChances<'a> {
    pub(crate) fn new(table: &'a MatchEquityTable, score: Score) -> EndChances<'a> {
        EndChances { table, score, prepared: None }
    }

    /// The ends as the opponent sees them.
    fn reversed(self) -> EndChances<'a> {
        let Score { away, opponent_away, crawford } = self.score;
        EndChances {
            score: Score { away: opponent_away, opponent_away: away, crawford },
            prepared: self.prepared.map(|(prepared, side)| (prepared, 1 - side)),
            ..self
        }
    }

    /// The chance to win the match after winning points.
    pub(crate) fn win(&self, points: u32) -> f64 {
        match self.prepared {
            Some((prepared, side)) => chance_at(&prepared.won[side], points),
            None => self.table.after_game(self.score, points, 0),
        }
    }

    /// The chance to win the match after losing points.
    pub(crate) fn lose(&self, points: u32) -> f64 {
        match self.prepared {
            Some((prepared, side)) => chance_at(&prepared.lost[side], points),
            None => self.table.after_game(self.score, 0, points),
        }
    }

    /// The mean after a won game of this cube.
    fn mean_win(&self, probabilities: &OutcomeProbabilities, cube: u32) -> f64 {
        let shares = probabilities.shares_of_wins();
        (1..).zip(shares).map(|(points, share)| share * self.win(points * cube)).sum()
    }

    /// The mean after a lost game of this cube.
    fn mean_loss(&self, probabilities: &OutcomeProbabilities, cube: u32) -> f64 {
        1.0 - self.reversed().mean_win(&probabilities.reversed(), cube)
    }

    /// The means after a won and after a lost game of this cube.
    fn means(&self, probabilities: &OutcomeProbabilities, cube: u32) -> [f64; 2] {
        [self.mean_win(probabilities, cube), self.mean_loss(probabilities, cube)]
    }

    /// The chance to win the match with a cube that is not turned again.
    pub(crate) fn dead(&self, probabilities: &OutcomeProbabilities, cube: u32) -> f64 {
        dead(probabilities, self.means(probabilities, cube))
    }

    /// Chances equivalent to money: the share of the way from losing a single game of this cube (-1) to winning it
    /// (+1).
    pub(crate) fn to_money<const N: usize>(self, probabilities: [f64; N], cube: u32) -> [f64; N] {
        let (win, lose) = (self.win(cube), self.lose(cube));
        probabilities.map(|chance| (2.0 * chance - win - lose) / (win - lose))
    }

    /// Chances to win the match that differ by no more count as equal: at most 0.001 points of this cube. A player who
    /// is 40 points behind and one game from the end has a chance of 1e-6, and all of it is at stake.
    pub(crate) fn equal(self, cube: u32) -> f64 {
        Alternatives::EQUAL.min(0.0005 * (self.win(cube) - self.lose(cube)))
    }

    /// The chance to win the match with the cube of a state.
    pub(crate) fn chance(&self, probabilities: &OutcomeProbabilities, state: &CubeState, efficiency: f64) -> f64 {
        let cube = state.cube();
        let means = self.means(probabilities, cube);
        let dead = dead(probabilities, means);
        let Score { away, opponent_away, crawford } = self.score;
        let is_enough = |away: u16| u32::from(away) <= cube;
        // At 2-away 2-away the first double is the last one, and both know it: GNU Backgammon's rule.
        let both_need_two = (away, opponent_away) == (2, 2);
        let is_decided = !(1e-7..=1.0 - 1e-7).contains(&probabilities.win);
        let is_at_limit = state.turns_left() == 0;
        if is_at_limit || is_decided || crawford || both_need_two || is_enough(away) && is_enough(opponent_away) {
            return dead;
        }
        (1.0 - efficiency) * dead + efficiency * self.live(probabilities, state, means)
    }

    fn live(&self, probabilities: &OutcomeProbabilities, state: &CubeState, means: [f64; 2]) -> f64 {
        let (cube, turns_left) = (state.cube(), state.turns_left());
        let [won, lost] = means;
        let (won, lost) = ((1.0, won), (0.0, lost));
        // In a table where a player fares worse with fewer points needed, a pass may be worse than every lost game or
        // better than every won one, so that the chance at which both are as good is below 0 or above 1. If a lost game
        // is better than a won one, the chances have no window between them: it is empty.
        let take = || {
            let opponent_cash = self.reversed().live_cash(&probabilities.reversed(), cube, turns_left);
            ((1.0 - opponent_cash).clamp(0.0, 1.0), self.lose(cube))
        };
        let cash = || {
            let cash = self.live_cash(probabilities, cube, turns_left);
            (cash.clamp(0.0, 1.0), self.win(cube))
        };
        match state.owner {
            None => {
                let (take, cash) = (take(), cash());
                interpolate([lost, take, (cash.0.max(take.0), cash.1), won], probabilities.win)
            }
            Some(Side::OnRoll) => interpolate([lost, cash(), won], probabilities.win),
            Some(Side::Opponent) => interpolate([lost, take(), won], probabilities.win),
        }
    }

    /// The winning chance of the player on roll from which his opponent passes a double of this cube, which can be
    /// turned `turns_left` times, this one included.
    fn live_cash(&self, probabilities: &OutcomeProbabilities, cube: u32, turns_left: u8) -> f64 {
        let pass = self.win(cube);
        let is_last = turns_left == 1;
        if is_last || self.doubled_is_dead(cube) {
            // A taker for whom the doubled cube is not yet enough redoubles at once: the doubler has won the match with
            // it.
            let is_redoubled = !is_last && self.is_redoubled(cube);
            let cube = if is_redoubled { 4 * cube } else { 2 * cube };
            let [won, lost] = self.means(probabilities, cube);
            return (lost - pass) / (lost - won);
        }
        // This ends: each call doubles the cube, until it is enough for one of the players or at its limit.
        let opponent_cash = self.reversed().live_cash(&probabilities.reversed(), 2 * cube, turns_left - 1);
        let won = self.mean_win(probabilities, 2 * cube);
        1.0 - opponent_cash * (pass - won) / (self.lose(2 * cube) - won)
    }

    /// Whether a doubled cube is dead: one of the players needs no more points than it gives. If only the doubler does,
    /// the taker redoubles at once, since he has nothing to lose.
    fn doubled_is_dead(&self, cube: u32) -> bool {
        let Score { away, opponent_away, .. } = self.score;
        u32::from(away.min(opponent_away)) <= 2 * cube
    }

    /// Whether the opponent redoubles a double of this cube at once.
    fn is_redoubled(&self, cube: u32) -> bool {
        let Score { away, opponent_away, .. } = self.score;
        u32::from(away) <= 2 * cube && u32::from(opponent_away) > 2 * cube
    }

    pub(crate) fn gammon_values(&self, cube: u32) -> GammonValues {
        let of = |ends: &EndChances<'_>| {
            let (win, lose) = (ends.win(cube), ends.lose(cube));
            let price = |more: f64, less: f64| if win > lose { (more - less) / (win - lose) } else { 0.0 };
            let gammon = ends.win(2 * cube);
            [price(gammon, win), price(ends.win(3 * cube), win)]
        };
        GammonValues { win: self.win(cube), lose: self.lose(cube), own: of(self), opponent: of(&self.reversed()) }
    }

    /// The windows of the player on roll, who may turn the cube.
    pub(crate) fn points(&self, probabilities: &OutcomeProbabilities, cube: u32, turns_left: u8) -> MatchPoints {
        let window = |doubled: u32| {
            let [won, lost] = self.means(probabilities, doubled);
            let [kept_won, kept_lost] = self.means(probabilities, cube);
            // Where doubling costs as much in lost games as it brings in won ones.
            let (risk, gain) = (kept_lost - lost, won - kept_won);
            [risk / (risk + gain), (lost - self.win(cube)) / (lost - won)]
        };
        MatchPoints {
            dead: window(2 * cube),
            redoubled: (turns_left > 1 && self.is_redoubled(cube)).then(|| window(4 * cube)),
            live_cash: (turns_left > 1 && !self.doubled_is_dead(cube))
                .then(|| self.live_cash(probabilities, cube, turns_left)),
        }
    }
}

/// The chance at a number of points; the last one holds for all greater numbers.
fn chance_at(probabilities: &[f64], points: u32) -> f64 {
    probabilities[(points as usize).min(probabilities.len() - 1)]
}

/// The chance with a cube that is not turned again, from the [means](EndChances::means).
fn dead(probabilities: &OutcomeProbabilities, [won, lost]: [f64; 2]) -> f64 {
    probabilities.win * won + (1.0 - probabilities.win) * lost
}
