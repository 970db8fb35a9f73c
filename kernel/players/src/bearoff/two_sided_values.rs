//! Two-sided tables as known values of positions.

use core::fmt;
use std::sync::OnceLock;

use tavli_backgammon::evaluators::{Knowledge, KnownValues, Probabilities};
use tavli_backgammon::{NO_STOP, Planes, RuleSet};

use super::error::BearOffError;
use super::exact_wins::ExactWins;
use super::side_positions::SidePositions;
use super::two_sided::{Holder, TwoSided};

/// The values of a two-sided table without a cube, by perfect play: both sides win as often as possible.
///
/// A side that has all checkers of the game may still lose a gammon, which the table leaves out. So positions in which
/// a side has borne off no checker have no value here.
///
/// ```
/// use tavli_backgammon::evaluators::KnownValues;
/// use tavli_backgammon::{Board, NO_STOP, Outcome, RuleSet};
/// use tavli_players::bearoff::TwoSidedValues;
/// let known = TwoSidedValues::new(6, 2, NO_STOP)?;
/// // Two checkers on the six point against one on the ace point: only 66 and 55, 44, 33 bear off both.
/// let mut points = [0; 26];
/// (points[6], points[24]) = (2, -1);
/// let board = Board::from_points(&points)?;
/// let value = known.value(RuleSet::Backgammon, &board.into()).expect("is in the table");
/// assert!((value.probability(Outcome::WinSingle) - 4.0 / 36.0).abs() < 1e-9);
/// assert_eq!(known.value(RuleSet::Backgammon, &Board::START.into()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TwoSidedValues {
    name: String,
    table: BearOffTable,
}

impl fmt::Debug for TwoSidedValues {
    /// Only the name, instead of all its numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TwoSidedValues").field(&self.name).finish()
    }
}

#[derive(Clone, Debug)]
enum BearOffTable {
    /// Solved in full precision, on first use or earlier.
    Exact(SidePositions, OnceLock<ExactWins>),
    /// Read from a file, which has 16 bits a value.
    Rounded(TwoSided),
}

impl TwoSidedValues {
    /// Solves the positions of up to `checkers` checkers a side on the first `points` points, in full precision.
    ///
    /// `stop` is called every so often.
    ///
    /// # Errors
    /// As [`ExactWins::new`].
    pub fn new(points: u8, checkers: u8, stop: &dyn Fn() -> bool) -> Result<TwoSidedValues, BearOffError> {
        let table = ExactWins::new(points, checkers, stop)?;
        Ok(TwoSidedValues::exact(table.positions(), OnceLock::from(table)))
    }

    /// [`TwoSidedValues::new`], with the table solved when one of its positions first comes up: most players never need
    /// it.
    ///
    /// # Errors
    /// [`BearOffError::Size`]; [`BearOffError::Memory`] if no memory could hold it.
    pub(crate) fn when_needed(points: u8, checkers: u8) -> Result<TwoSidedValues, BearOffError> {
        let positions = ExactWins::check(points, checkers)?;
        Ok(TwoSidedValues::exact(positions, OnceLock::new()))
    }

    fn exact(positions: SidePositions, table: OnceLock<ExactWins>) -> TwoSidedValues {
        TwoSidedValues {
            name: format!("bearoff:{}x{}", positions.points(), positions.checkers()),
            table: BearOffTable::Exact(positions, table),
        }
    }

    /// The values of a table from a file. `name` must identify the contents of the file, for instance by a checksum.
    #[must_use]
    pub fn from_table(name: &str, table: TwoSided) -> TwoSidedValues {
        TwoSidedValues { name: format!("bearoff:{name}"), table: BearOffTable::Rounded(table) }
    }

    /// The positions of either side.
    #[must_use]
    pub fn positions(&self) -> SidePositions {
        match &self.table {
            BearOffTable::Exact(positions, _) => *positions,
            BearOffTable::Rounded(table) => table.positions(),
        }
    }

    /// The number of a side's position; `None` if it is not in the table, or has all checkers of the game.
    fn index(&self, side: [u32; 4], rules: RuleSet) -> Option<u32> {
        let (index, checkers) = self.positions().of_side(side)?;
        (checkers < rules.checkers()).then_some(index)
    }
}

impl KnownValues for TwoSidedValues {
    fn name(&self) -> &str {
        &self.name
    }

    fn value(&self, rules: RuleSet, position: &Planes) -> Option<Probabilities> {
        if !rules.bears_off() {
            return None;
        }
        let own = self.index(position.own(), rules)?;
        let other = self.index(position.opponent(), rules)?;
        let win = match &self.table {
            BearOffTable::Exact(positions, table) => {
                let solve = || {
                    let solved = ExactWins::new(positions.points(), positions.checkers(), NO_STOP);
                    solved.unwrap_or_else(|error| panic!("{error}"))
                };
                table.get_or_init(solve).win(own, other)
            }
            BearOffTable::Rounded(table) => (table.equity(Holder::None, own, other) + 1.0) / 2.0,
        };
        let value = Probabilities::new([win, 0.0, 0.0, 1.0 - win, 0.0, 0.0]);
        Some(value.expect("a probability and its complement"))
    }

    fn knowledge(&self, rules: RuleSet, position: &Planes) -> Knowledge {
        let is_known = |side| self.index(side, rules).is_some();
        match rules.bears_off() && is_known(position.own()) && is_known(position.opponent()) {
            true => Knowledge::Exact,
            false => Knowledge::Unknown,
        }
    }

    fn may_know_after_play(&self, rules: RuleSet, position: &Planes) -> bool {
        // A play that hits does not lead to a bear-off, so the opponent's position stays as it is. If the player is far
        // from a bear-off, as in a back game against the opponent's last checkers, all plays would be valued in vain:
        // one decision took 18 s instead of 3 s (profiles/LOG.md, 2026-11-27).
        rules.bears_off()
            && self.positions().may_hold_after_play(position.own())
            && self.index(position.opponent(), rules).is_some()
    }
}
