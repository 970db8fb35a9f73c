//! The cube's model in a position.

use std::sync::LazyLock;

use tavli_backgammon::{Board, Side};
use tavli_cube::{CubeModel, Efficiency, ExactEquities};
use tavli_players::bearoff::{Holder, TwoSided};

/// The model of a position: its efficiency by [`Efficiency::default`], and exact equities where they are known, in
/// bear-offs of at most six checkers a side. A given `efficiency`, 0 to 1, holds in all positions, and nothing is exact
/// then.
#[must_use]
pub fn cube_model(board: &Board, efficiency: Option<f64>) -> CubeModel<'static> {
    match efficiency {
        // Exact equities are those of players who know the perfect moments.
        Some(efficiency) => CubeModel {
            efficiency,
            ..CubeModel::default()
        },
        None => CubeModel {
            efficiency: Efficiency::default().of(board),
            exact: exact(board),
            ..CubeModel::default()
        },
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
