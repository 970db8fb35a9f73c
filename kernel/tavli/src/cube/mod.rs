//! The doubling cube: what is right to do with it, and what positions are worth with it.
//!
//! [`values`] applies the [model](tavli_cube) to a [`Position`] with its cube and score. [`CubePosition`] looks ahead.
//! The other items are the parts of the model.
//!
//! ```
//! use tavli::Position;
//! use tavli::cube::{self, Action, Chances};
//!
//! // The opening at 0-0 in a match to 7, the cube at 1 in the middle.
//! let position: Position = "4HPwATDgc/ABMA:cAngAAAAAAAE".parse()?;
//! let chances = Chances::new([0.55, 0.15, 0.01, 0.12, 0.0])?;
//! let values = cube::values(&position, &chances)?;
//! assert_eq!(values.action, Action::NoDoubleTake);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ahead;

use std::sync::LazyLock;

use tavli_backgammon::evaluators::{Conditions, Evaluator};
use tavli_backgammon::{Board, Position, Side, Stopped};
use tavli_players::bearoff::{Holder, TwoSided};

pub use tavli_cube::*;

/// The values of a position before the roll by its cube and score, from the chances of its outcomes, and the right action.
///
/// The cube's efficiency is that of the position's class. Bear-offs of at most six checkers a side have the exact equities of
/// a two-sided table, which is made at the first of them, in half a second.
///
/// # Errors
/// [`CubeStateError`] if the match is over, or the Crawford game cannot be.
pub fn values(position: &Position, chances: &Chances) -> Result<CubeValues, CubeStateError> {
    let state = CubeState::from_context(position.context())?;
    Ok(model(position.board()).values(chances, &state))
}

/// The model of a position: its efficiency by [`Efficiency::default`], and exact equities where they are known.
#[must_use]
pub fn model(board: &Board) -> CubeModel<'static> {
    CubeModel {
        efficiency: Efficiency::default().of(board),
        exact: exact(board),
        ..CubeModel::default()
    }
}

/// A position that is valued with the cube.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubePosition {
    /// The checkers, as the player on roll sees them.
    pub board: Board,
    /// The cube and what is played for, as he sees them; they must [be possible](CubeState::check).
    pub state: CubeState,
    /// The chances of the position, looked ahead for as many plies.
    pub chances: Chances,
    /// How many plies are looked ahead, 0 for none.
    pub plies: u32,
    /// The efficiency of the cube in all positions, 0 to 1; by [`model`] if it is `None`.
    pub efficiency: Option<f64>,
}

impl CubePosition {
    /// The values before the roll, and the right action. An evaluator values what the search reaches; it is not asked without
    /// looking ahead.
    ///
    /// Each position below the first has the value of the right decision of its player on roll. Plays are chosen by their
    /// values without looking ahead, for the cube as it lies. Money games end where equities are exact.
    ///
    /// # Errors
    /// [`Stopped`] if the conditions say so before the end.
    pub fn values(&self, evaluator: &dyn Evaluator, conditions: &Conditions<'_>) -> Result<CubeValues, Stopped> {
        let is_over = conditions.rules().outcome(&self.board).is_some();
        if self.plies == 0 || is_over {
            return Ok(self.values_here());
        }
        let tree = ahead::Tree::new(evaluator, conditions, |board: &Board| self.model(board));
        let worths = tree.worths(
            &self.board,
            &self.chances,
            [self.state, self.state.doubled()],
            self.plies,
        )?;
        Ok(self.model(&self.board).values_of(worths, &self.chances, &self.state))
    }

    /// The values without looking ahead.
    #[must_use]
    pub fn values_here(&self) -> CubeValues {
        self.model(&self.board).values(&self.chances, &self.state)
    }

    fn model(&self, board: &Board) -> CubeModel<'static> {
        match self.efficiency {
            // Exact equities are those of players who know the perfect moments.
            Some(efficiency) => CubeModel {
                efficiency,
                ..CubeModel::default()
            },
            None => model(board),
        }
    }
}

/// The money equities of a bear-off of at most six checkers a side.
fn exact(board: &Board) -> Option<ExactEquities> {
    // Of GNU Backgammon's own size, so that values are those of its default.
    static TABLE: LazyLock<Option<TwoSided>> = LazyLock::new(|| TwoSided::new(6, 6).ok());
    let is_small = |side: &Side| side.occupied() >> 7 == 0 && side.checkers() <= 6;
    if !is_small(board.own()) || !is_small(board.opponent()) {
        return None;
    }
    let table = TABLE.as_ref()?;
    let index = |side: &Side| table.positions().index(&side.counts()[1..7]);
    let (own, opponent) = (index(board.own())?, index(board.opponent())?);
    let equity = |holder| table.equity(holder, own, opponent);
    Some(ExactEquities {
        cubeless: equity(Holder::None),
        owned: equity(Holder::OnRoll),
        centred: equity(Holder::Both),
        opponent_owns: equity(Holder::Opponent),
    })
}
