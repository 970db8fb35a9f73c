//! The doubling cube: what is right to do with it, and what positions are worth with it.
//!
//! [`values`] applies the [model](tavli_cube) to a [`Position`] with its cube and score. The rest are the parts of the model.
//!
//! ```
//! use tavli::Position;
//! use tavli::cube::{self, Action, Chances};
//!
//! // A race of 5-4 at 0-0 in a match to 7, the cube at 1 in the middle.
//! let position: Position = "4HPwATDgc/ABMA:cAngAAAAAAAE".parse()?;
//! let chances = Chances::new([0.55, 0.15, 0.01, 0.12, 0.0])?;
//! let values = cube::values(&position, &chances)?;
//! assert_eq!(values.action, Action::NoDoubleTake);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::LazyLock;

use tavli_backgammon::{Board, Position, Side};
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
