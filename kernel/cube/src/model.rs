//! Cubeful values from probabilities of outcomes.

use tavli_backgammon::Side;

use crate::decision::{Action, Alternatives, CubeValues, Turn};
use crate::efficiency::Efficiency;
use crate::match_equity::MatchEquityTable;
use crate::match_play::{EndChances, GammonValues, MatchPoints, PreparedScore};
use crate::money;
use crate::outcome_probabilities::OutcomeProbabilities;
use crate::state::{CubeState, Stakes};

/// The model that computes cubeful values from the probabilities of a position.
#[derive(Clone, Copy, Debug)]
pub struct CubeModel<'a> {
    /// The cube's efficiency in the position, 0 to 1; see [`Efficiency`].
    pub efficiency: f64,
    /// The chances to win a match from each score.
    pub table: &'a MatchEquityTable,
    /// The money equities of perfect play with a cube, where they are known.
    pub exact: Option<ExactEquities>,
}

/// The equities of perfect play in money games without the Jacoby rule, as shares of the cube, for the player on roll,
/// before his decision about the cube. A two-sided table of bear-offs has them.
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
    fn for_owner(&self, owner: Option<Side>) -> f64 {
        match owner {
            None => self.centred,
            Some(Side::OnRoll) => self.owned,
            Some(Side::Opponent) => self.opponent_owns,
        }
    }
}

impl Default for CubeModel<'_> {
    /// A position with contact, and the Kazaross-XG2 table.
    fn default() -> Self {
        CubeModel { efficiency: Efficiency::default().contact, table: MatchEquityTable::kazaross_xg2(), exact: None }
    }
}

impl CubeModel<'_> {
    /// The largest efficiency that a two-sided table implies in a match: GNU Backgammon's.
    const MAX_IMPLIED: f64 = 0.6;

    /// The values of a position before the roll, and the right action. The state must [be possible](CubeState::check).
    #[must_use]
    pub fn values(&self, probabilities: &OutcomeProbabilities, state: &CubeState) -> CubeValues {
        // A take has its value where no double is allowed, too, as `CubeValues` promises.
        let cubeful_values = [*state, state.doubled()].map(|state| self.cubeful_value(probabilities, &state));
        self.values_of(cubeful_values, probabilities, state)
    }

    /// The [values](CubeModel::values) by a prepared score and its table, in place of the state's score and the model's
    /// table.
    #[must_use]
    pub fn values_at(
        &self,
        prepared: &PreparedScore<'_>,
        probabilities: &OutcomeProbabilities,
        state: &CubeState,
    ) -> CubeValues {
        let state = CubeState { stakes: Stakes::Match(prepared.score()), ..*state };
        let ends = prepared.ends();
        let cubeful_values = [state, state.doubled()].map(|state| self.chance(&ends, probabilities, &state));
        self.in_match(cubeful_values, probabilities, &state, &ends)
    }

    /// The cubeful value of a position to the player on roll, before the roll, if nobody doubles this turn. In money
    /// games it is points, up to three times the cube; in matches it is the chance to win the match, 0 to 1.
    #[must_use]
    pub fn cubeful_value(&self, probabilities: &OutcomeProbabilities, state: &CubeState) -> f64 {
        match state.stakes {
            Stakes::Money { jacoby, .. } => {
                let equity = match self.exact {
                    // The Jacoby rule changes nothing where no gammons are won.
                    Some(exact) if state.turns_left() == 0 => exact.cubeless,
                    Some(exact) => exact.for_owner(state.owner),
                    None => money::equity(probabilities, state.owner, jacoby, self.efficiency, state.turns_left()),
                };
                equity * f64::from(state.cube())
            }
            Stakes::Match(score) => self.chance(&EndChances::new(self.table, score), probabilities, state),
        }
    }

    /// The [cubeful value](CubeModel::cubeful_value) of a passed double to the player on roll, who doubled.
    #[must_use]
    pub fn value_of_pass(&self, state: &CubeState) -> f64 {
        match state.stakes {
            Stakes::Money { .. } => f64::from(state.cube()),
            Stakes::Match(score) => EndChances::new(self.table, score).win(state.cube()),
        }
    }

    /// The [cubeful value](CubeModel::cubeful_value) of a position to the player on roll if both players decide
    /// rightly. The arguments are its cubeful values without a double, and after a double that is taken.
    #[must_use]
    pub fn value_of_best(&self, [no_double, double_take]: [f64; 2], state: &CubeState) -> f64 {
        let double_pass = self.value_of_pass(state);
        if state.is_double_allowed() && double_take >= no_double && double_pass >= no_double {
            double_take.min(double_pass)
        } else {
            no_double
        }
    }

    /// The cube action of the player on roll before the roll, and the opponent's answer, if both decide by this model:
    /// the [right action](CubeModel::values). An optional double is not made.
    #[must_use]
    pub fn turn(&self, probabilities: &OutcomeProbabilities, state: &CubeState) -> Turn {
        if !state.is_double_allowed() {
            return Turn::Roll;
        }
        let doubled = state.doubled();
        let (cube, equal) = match state.stakes {
            Stakes::Money { .. } => (f64::from(state.cube()), Alternatives::EQUAL),
            Stakes::Match(score) => (1.0, EndChances::new(self.table, score).equal(state.cube())),
        };
        let alternatives = Alternatives {
            no_double: self.cubeful_value(probabilities, state) / cube,
            double_take: self.cubeful_value(probabilities, &doubled) / cube,
            double_pass: self.value_of_pass(state) / cube,
            equal,
        };
        match alternatives.action_in(state, probabilities.win_gammon > 0.0) {
            Action::DoublePass | Action::RedoublePass => Turn::Pass,
            // A beaver turns the cube once more, which its limit may forbid.
            Action::DoubleBeaver | Action::RedoubleBeaver if doubled.log2 < doubled.max_log2 => {
                Turn::Take(CubeState { log2: doubled.log2 + 1, ..doubled })
            }
            action if action.doubles() => Turn::Take(doubled),
            _ => Turn::Roll,
        }
    }

    /// The [cubeful value](CubeModel::cubeful_value) to the player on roll of the end of a game, by the points that it
    /// gives him without a cube: -3 to 3, below 0 if he has lost.
    #[must_use]
    pub fn value_of_end(&self, points: i32, state: &CubeState) -> f64 {
        let points = state.points(points);
        match state.stakes {
            Stakes::Money { .. } => f64::from(points),
            Stakes::Match(score) => {
                let ends = EndChances::new(self.table, score);
                let won = points.unsigned_abs();
                if points > 0 { ends.win(won) } else { ends.lose(won) }
            }
        }
    }

    /// The values of a game that is over, by the points that it gives the player on roll without a cube: nobody doubles
    /// any more, so the value after a double is the value without one.
    #[must_use]
    pub fn values_of_end(&self, points: i32, state: &CubeState) -> CubeValues {
        let equity = self.equity_of(self.value_of_end(points, state), state);
        let cubeless = match state.stakes {
            Stakes::Money { .. } => f64::from(points),
            Stakes::Match(_) => equity,
        };
        CubeValues { no_double: equity, double_take: equity, double_pass: 1.0, cubeless, action: Action::NotAvailable }
    }

    /// A [cubeful value](CubeModel::cubeful_value) to the player on roll in units of a state's cube, or equivalent to
    /// that in a match: as the numbers of [`CubeValues`].
    #[must_use]
    pub fn equity_of(&self, cubeful_value: f64, state: &CubeState) -> f64 {
        match state.stakes {
            Stakes::Money { .. } => cubeful_value / f64::from(state.cube()),
            Stakes::Match(score) => {
                let [equity] = EndChances::new(self.table, score).to_money([cubeful_value], state.cube());
                equity
            }
        }
    }

    /// The values of a position and the right action, from its [cubeful values](CubeModel::cubeful_value) without a
    /// double and after a double that is taken. A search finds such cubeful values by looking ahead.
    #[must_use]
    pub fn values_of(
        &self,
        cubeful_values: [f64; 2],
        probabilities: &OutcomeProbabilities,
        state: &CubeState,
    ) -> CubeValues {
        debug_assert!(state.check().is_ok(), "{state:?}");
        match state.stakes {
            Stakes::Money { .. } => self.in_money(cubeful_values, probabilities, state),
            Stakes::Match(score) => {
                self.in_match(cubeful_values, probabilities, state, &EndChances::new(self.table, score))
            }
        }
    }

    /// The prices of gammons at a score; `None` in money games.
    #[must_use]
    pub fn gammon_values(&self, state: &CubeState) -> Option<GammonValues> {
        let Stakes::Match(score) = state.stakes else {
            return None;
        };
        Some(EndChances::new(self.table, score).gammon_values(state.cube()))
    }

    /// The chances at which the player on roll doubles at a score, and at which the opponent passes; `None` in money
    /// games.
    #[must_use]
    pub fn match_points(&self, probabilities: &OutcomeProbabilities, state: &CubeState) -> Option<MatchPoints> {
        let Stakes::Match(score) = state.stakes else {
            return None;
        };
        Some(EndChances::new(self.table, score).points(probabilities, state.cube(), state.turns_left()))
    }

    fn in_money(
        &self,
        cubeful_values: [f64; 2],
        probabilities: &OutcomeProbabilities,
        state: &CubeState,
    ) -> CubeValues {
        let equities = cubeful_values.map(|cubeful_value| cubeful_value / f64::from(state.cube()));
        CubeValues::from_equities(equities, probabilities.equity(), probabilities.win_gammon > 0.0, state)
    }

    fn in_match(
        &self,
        cubeful_values: [f64; 2],
        probabilities: &OutcomeProbabilities,
        state: &CubeState,
        ends: &EndChances<'_>,
    ) -> CubeValues {
        let cube = state.cube();
        let [no_double, double_take] = cubeful_values;
        let alternatives =
            Alternatives { no_double, double_take, double_pass: ends.win(cube), equal: ends.equal(cube) };
        let cubeful_values = [no_double, double_take, alternatives.double_pass, ends.dead(probabilities, cube)];
        let [no_double, double_take, double_pass, cubeless] = ends.to_money(cubeful_values, cube);
        CubeValues {
            no_double,
            double_take,
            double_pass,
            cubeless,
            action: alternatives.action_in(state, probabilities.win_gammon > 0.0),
        }
    }

    /// The chance to win the match with these ends before the roll if nobody doubles this turn.
    fn chance(&self, ends: &EndChances<'_>, probabilities: &OutcomeProbabilities, state: &CubeState) -> f64 {
        let efficiency = self.efficiency_in_match(probabilities, state.owner);
        ends.chance(probabilities, state, efficiency)
    }

    /// The efficiency with which the formula for money gives the exact equity, where that is known.
    fn efficiency_in_match(&self, probabilities: &OutcomeProbabilities, owner: Option<Side>) -> f64 {
        let Some(exact) = self.exact else {
            return self.efficiency;
        };
        // The exact equities assume a cube without a limit.
        let dead = money::equity(probabilities, owner, false, 0.0, u8::MAX);
        let live = money::equity(probabilities, owner, false, 1.0, u8::MAX);
        // GNU Backgammon's rule: any efficiency gives nearly the same equity, and the quotient below would be noise.
        if (live - dead).abs() < 1e-4 {
            return Self::MAX_IMPLIED;
        }
        ((exact.for_owner(owner) - dead) / (live - dead)).clamp(0.0, Self::MAX_IMPLIED)
    }
}
