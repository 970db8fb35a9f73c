//! The cube in hypergammon, in money games.

use tavli_backgammon::Side;
use tavli_cube::{CubeState, CubeValues, Stakes};

use crate::sweep::Equities;

/// The states of a cube that equities are found for, in the order of the fields of [`CubeEquities`].
pub(crate) const STATES: usize = 4;

/// The equities of perfect play in money games without beavers, as shares of the cube, for the player on roll, before
/// his decision about the cube.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeEquities {
    /// The player owns the cube.
    pub owned: f64,
    /// The cube is in the middle.
    pub centred: f64,
    /// The cube is in the middle, and gammons count only once it has been turned: the Jacoby rule.
    pub centred_jacoby: f64,
    /// The opponent owns the cube.
    pub opponent_owns: f64,
}

impl CubeEquities {
    /// The values of doubling or not in a money game, and the right action, given the equity without a cube and whether
    /// the player may win gammons; `None` in a match. Beavers are not among the answers.
    #[must_use]
    pub fn values(&self, cubeless: f64, wins_gammons: bool, state: &CubeState) -> Option<CubeValues> {
        let Stakes::Money { jacoby, .. } = state.stakes else {
            return None;
        };
        let no_double = match (state.owner, jacoby) {
            (None, false) => self.centred,
            (None, true) => self.centred_jacoby,
            (Some(Side::OnRoll), _) => self.owned,
            (Some(Side::Opponent), _) => self.opponent_owns,
        };
        let stakes = Stakes::Money { jacoby, beavers: false };
        let state = CubeState { stakes, ..*state };
        let double_take = 2.0 * self.opponent_owns;
        Some(CubeValues::from_equities([no_double, double_take], cubeless, wins_gammons, &state))
    }
}

impl From<[f64; STATES]> for CubeEquities {
    fn from([owned, centred, centred_jacoby, opponent_owns]: [f64; STATES]) -> CubeEquities {
        CubeEquities { owned, centred, centred_jacoby, opponent_owns }
    }
}

impl From<CubeEquities> for [f64; STATES] {
    fn from(of: CubeEquities) -> [f64; STATES] {
        [of.owned, of.centred, of.centred_jacoby, of.opponent_owns]
    }
}

impl Equities for [f64; STATES] {
    #[inline(always)]
    fn value_of_end(points: u32) -> [f64; STATES] {
        let points = f64::from(points);
        // By the Jacoby rule, with the cube in the middle, a gammon counts one point.
        [points, points, 1.0, points]
    }

    /// The player next on roll may double unless the other owns the cube.
    #[inline(always)]
    fn after_play(self) -> [f64; STATES] {
        let [owned, centred, centred_jacoby, opponent_owns] = self;
        let double_take = 2.0 * opponent_owns;
        let best = |no_double: f64| {
            // Above 1 the player on roll is too good to double: the opponent would pass.
            if double_take >= no_double && no_double <= 1.0 { double_take.min(1.0) } else { no_double }
        };
        // The next player sees the mover's cube as the opponent's, and the other way round.
        [-opponent_owns, -best(centred), -best(centred_jacoby), -best(owned)]
    }
}
