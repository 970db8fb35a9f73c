//! The cube's model in a position.

use std::sync::OnceLock;

use tavli_backgammon::{Board, NO_STOP, SideCheckers};
use tavli_cube::{CubeModel, Efficiency, ExactEquities};
use tavli_players::bearoff::{Holder, TwoSided};

/// The model of a position: its efficiency by [`Efficiency::default`], and exact equities where they are known, in
/// bear-offs of at most six checkers a side: to 0.0001 of the cube, as their [table](TwoSided) rounds them. A given
/// `efficiency`, 0 to 1, holds in all positions, and nothing is exact then.
#[must_use]
pub fn cube_model(board: &Board, efficiency: Option<f64>) -> CubeModel<'static> {
    match efficiency {
        // Exact equities assume perfect cube action, which a given efficiency contradicts.
        Some(efficiency) => CubeModel { efficiency, ..CubeModel::default() },
        None => CubeModel {
            efficiency: Efficiency::default().for_board(board),
            exact: exact(board),
            ..CubeModel::default()
        },
    }
}

/// The money equities of a bear-off of at most six checkers a side.
fn exact(board: &Board) -> Option<ExactEquities> {
    // Up to the size of GNU Backgammon's own table, so that values equal its default ones. A position has the same
    // values in the smallest table that holds it, and that table is made sooner: with a checker on the six point 0.06 s
    // of processor time for six checkers, 0.01 s for five.
    const MAX_CHECKERS: usize = 6;
    static TABLES: [[OnceLock<Option<TwoSided>>; MAX_CHECKERS]; MAX_CHECKERS] =
        [const { [const { OnceLock::new() }; MAX_CHECKERS] }; MAX_CHECKERS];
    let sides = [board.own(), board.opponent()];
    // A checker beyond the six point, or on the bar, has a point above the tables' points: it is not a bear-off then.
    let points = sides.map(|side| side.occupied().checked_ilog2().unwrap_or(0)).into_iter().max()?;
    let checkers = sides.map(SideCheckers::checkers).into_iter().max()?;
    let of_points = TABLES.get((points as usize).checked_sub(1)?)?;
    let table = of_points.get(usize::from(checkers).checked_sub(1)?)?;
    let table = table.get_or_init(|| TwoSided::new(points as u8, checkers, NO_STOP, &mut |_| ()).ok()).as_ref()?;
    let index = |side: &SideCheckers| table.positions().index(&side.counts()[1..7]);
    let (own, opponent) = (index(board.own())?, index(board.opponent())?);
    let equity = |holder| table.equity(holder, own, opponent);
    Some(ExactEquities {
        cubeless: equity(Holder::None),
        owned: equity(Holder::OnRoll),
        centred: equity(Holder::Both),
        opponent_owns: equity(Holder::Opponent),
    })
}
