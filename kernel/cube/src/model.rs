//! Cubeful values from chances.

use tavli_backgammon::Player;

use crate::chances::Chances;
use crate::decision::{Action, CubeValues};
use crate::decision::{Alternatives, Circumstances};
use crate::efficiency::Efficiency;
use crate::match_equity::MatchEquityTable;
use crate::match_play::Ends;
use crate::match_play::{GammonValues, MatchPoints};
use crate::money;
use crate::state::{CubeState, Score, Stakes};

/// What cubeful values follow from beside the chances.
#[derive(Clone, Copy, Debug)]
pub struct CubeModel<'a> {
    /// The cube's efficiency in the position, 0 to 1; see [`Efficiency`].
    pub efficiency: f64,
    /// What scores of matches are worth.
    pub table: &'a MatchEquityTable,
    /// The money equities of perfect play with a cube, where they are known.
    pub exact: Option<ExactEquities>,
}

/// The equities of perfect play in money games without the Jacoby rule, as shares of the cube, for the player on roll, who has
/// not doubled yet: those of a two-sided table of bear-offs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExactEquities {
    /// Without a cube.
    pub cubeless: f64,
    /// The player owns the cube.
    pub owned: f64,
    /// The cube is in the middle.
    pub centred: f64,
    /// The opponent owns the cube.
    pub opponent_owns: f64,
}

impl ExactEquities {
    fn of(&self, owner: Option<Player>) -> f64 {
        match owner {
            None => self.centred,
            Some(Player::OnRoll) => self.owned,
            Some(Player::Opponent) => self.opponent_owns,
        }
    }
}

impl Default for CubeModel<'_> {
    /// A position with contact, and the Kazaross-XG2 table.
    fn default() -> Self {
        CubeModel {
            efficiency: Efficiency::default().contact,
            table: MatchEquityTable::kazaross_xg2(),
            exact: None,
        }
    }
}

impl CubeModel<'_> {
    /// The largest efficiency that a two-sided table implies in a match: GNU Backgammon's.
    const MOST_IMPLIED: f64 = 0.6;

    /// The values of a position before the roll, and the right action. The state must [be possible](CubeState::check).
    #[must_use]
    pub fn values(&self, chances: &Chances, state: &CubeState) -> CubeValues {
        let worths = [*state, state.doubled()].map(|state| self.worth(chances, &state));
        self.values_of(worths, chances, state)
    }

    /// The worth of a position to the player on roll, before the roll, if nobody doubles this turn. In money games it is
    /// points, up to three times the cube; in matches it is the chance to win the match, 0 to 1.
    #[must_use]
    pub fn worth(&self, chances: &Chances, state: &CubeState) -> f64 {
        match state.stakes {
            Stakes::Money { jacoby, .. } => {
                let equity = match self.exact {
                    // The Jacoby rule changes nothing where no gammons are won.
                    Some(exact) => exact.of(state.owner),
                    None => money::equity(chances, state.owner, jacoby, self.efficiency),
                };
                equity * f64::from(state.cube())
            }
            Stakes::Match(score) => {
                let efficiency = self.efficiency_in_match(chances, state.owner);
                Ends::new(self.table, score).chance(chances, state.cube(), state.owner, efficiency)
            }
        }
    }

    /// The [worth](CubeModel::worth) of a passed double to the player on roll, who doubled.
    #[must_use]
    pub fn worth_of_pass(&self, state: &CubeState) -> f64 {
        match state.stakes {
            Stakes::Money { .. } => f64::from(state.cube()),
            Stakes::Match(score) => Ends::new(self.table, score).win(state.cube()),
        }
    }

    /// The [worth](CubeModel::worth) of a position to the player on roll if both players decide rightly. The arguments are
    /// its worths without a double, and after a double that is taken.
    #[must_use]
    pub fn worth_of_best(&self, [no_double, double_take]: [f64; 2], state: &CubeState) -> f64 {
        let double_pass = self.worth_of_pass(state);
        if state.is_double_allowed() && double_take >= no_double && double_pass >= no_double {
            double_take.min(double_pass)
        } else {
            no_double
        }
    }

    /// The values of a position and the right action, from its [worths](CubeModel::worth) without a double and after a
    /// double that is taken. A search finds such worths by looking ahead.
    #[must_use]
    pub fn values_of(&self, worths: [f64; 2], chances: &Chances, state: &CubeState) -> CubeValues {
        debug_assert!(state.check().is_ok(), "{state:?}");
        match state.stakes {
            Stakes::Money { beavers, .. } => self.in_money(worths, chances, state, beavers),
            Stakes::Match(score) => self.in_match(worths, chances, state, score),
        }
    }

    /// The chance to win the match before the roll if nobody doubles this turn; `None` in money games.
    #[must_use]
    pub fn match_chance(&self, chances: &Chances, state: &CubeState) -> Option<f64> {
        let Stakes::Match(score) = state.stakes else {
            return None;
        };
        let ends = Ends::new(self.table, score);
        Some(ends.chance(
            chances,
            state.cube(),
            state.owner,
            self.efficiency_in_match(chances, state.owner),
        ))
    }

    /// What gammons are worth at a score; `None` in money games.
    #[must_use]
    pub fn gammon_values(&self, state: &CubeState) -> Option<GammonValues> {
        let Stakes::Match(score) = state.stakes else {
            return None;
        };
        Some(Ends::new(self.table, score).gammon_values(state.cube()))
    }

    /// Where the player on roll doubles at a score, and where his opponent passes; `None` in money games.
    #[must_use]
    pub fn match_points(&self, chances: &Chances, state: &CubeState) -> Option<MatchPoints> {
        let Stakes::Match(score) = state.stakes else {
            return None;
        };
        Some(Ends::new(self.table, score).points(chances, state.cube()))
    }

    fn in_money(&self, worths: [f64; 2], chances: &Chances, state: &CubeState, beavers: bool) -> CubeValues {
        let [no_double, double_take] = worths.map(|worth| worth / f64::from(state.cube()));
        let alternatives = Alternatives {
            no_double,
            double_take,
            double_pass: 1.0,
        };
        let action = match state.may_double() {
            true => alternatives.action(Self::circumstances(chances, state, beavers)),
            false => Action::NotAvailable,
        };
        let cubeless = self.exact.map_or_else(|| chances.equity(), |exact| exact.cubeless);
        CubeValues {
            no_double,
            double_take,
            double_pass: 1.0,
            cubeless,
            action,
        }
    }

    fn in_match(&self, worths: [f64; 2], chances: &Chances, state: &CubeState, score: Score) -> CubeValues {
        let ends = Ends::new(self.table, score);
        let cube = state.cube();
        let [no_double, double_take] = worths;
        let alternatives = Alternatives {
            no_double,
            double_take,
            double_pass: ends.win(cube),
        };
        let owns = state.owner == Some(Player::OnRoll);
        let action = if state.owner == Some(Player::Opponent) {
            Action::NotAvailable
        } else if state.is_dead(score) {
            if owns { Action::DeadOwnCube } else { Action::DeadCube }
        } else if !state.may_double() {
            Action::NotAvailable
        } else {
            alternatives.action(Self::circumstances(chances, state, false))
        };
        let to_money = |chance| ends.to_money(chance, cube);
        CubeValues {
            no_double: to_money(alternatives.no_double),
            double_take: to_money(alternatives.double_take),
            double_pass: to_money(alternatives.double_pass),
            cubeless: to_money(ends.dead(chances, cube)),
            action,
        }
    }

    fn circumstances(chances: &Chances, state: &CubeState, beavers: bool) -> Circumstances {
        Circumstances {
            owns: state.owner == Some(Player::OnRoll),
            wins_gammons: chances.win_gammon > 0.0,
            beavers,
        }
    }

    /// The efficiency with which the formula for money gives the exact equity, where that is known.
    fn efficiency_in_match(&self, chances: &Chances, owner: Option<Player>) -> f64 {
        let Some(exact) = self.exact else {
            return self.efficiency;
        };
        let dead = money::equity(chances, owner, false, 0.0);
        let live = money::equity(chances, owner, false, 1.0);
        if (live - dead).abs() < 1e-4 {
            return Self::MOST_IMPLIED;
        }
        ((exact.of(owner) - dead) / (live - dead)).clamp(0.0, Self::MOST_IMPLIED)
    }
}
