//! One-sided tables as known values of positions.

use core::fmt;
use std::sync::OnceLock;

use tavli_backgammon::evaluators::{KnownValues, Probabilities};
use tavli_backgammon::{NO_STOP, Outcome, Planes, RuleSet};

use super::error::BearOffError;
use super::one_sided::{OneSided, RollDistribution, WHOLE};
use super::side_positions::{MAX_CHECKERS, SidePositions};

/// The most points of a table. On more points the sides could meet.
const MAX_POINTS: u8 = 12;

/// The values of a one-sided table, assuming both sides minimise rolls: each side's number of rolls has the
/// distribution in the table, whatever the other side does. A side of 15 checkers loses a gammon if its first is not
/// off in time.
///
/// Perfect play does better, since a side that is behind takes risks. Over the positions of up to 6 checkers a side on
/// 6 points the probability to win is 0.000 2 too high on average, and off by 0.014 at most.
/// [`TwoSidedValues`](super::TwoSidedValues) are exact, but have few checkers.
///
/// ```
/// use tavli_backgammon::evaluators::KnownValues;
/// use tavli_backgammon::{Board, NO_STOP, Outcome, RuleSet};
/// use tavli_players::bearoff::OneSidedValues;
/// let known = OneSidedValues::new(2, NO_STOP)?;
/// // Three checkers on the ace point against fifteen: a double wins a gammon.
/// let mut points = [0; 26];
/// (points[1], points[24]) = (3, -15);
/// let board = Board::from_points(&points)?;
/// let value = known.value(RuleSet::Backgammon, &board.into()).expect("is in the table");
/// assert!((value.probability(Outcome::WinGammon) - 1.0 / 6.0).abs() < 1e-4);
/// assert_eq!(value.probability(Outcome::LoseSingle), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct OneSidedValues {
    name: String,
    positions: SidePositions,
    /// Made on first use, or earlier.
    table: OnceLock<OneSided>,
}

impl fmt::Debug for OneSidedValues {
    /// Only the name, instead of all its numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OneSidedValues").field(&self.name).finish()
    }
}

impl OneSidedValues {
    /// Makes a table of up to 15 checkers a side on the first `points` points, 1 to 12.
    ///
    /// `stop` is called every so often.
    ///
    /// # Errors
    /// As [`OneSided::new`], and [`BearOffError::Meeting`] for more than 12 points.
    pub fn new(points: u8, stop: &dyn Fn() -> bool) -> Result<OneSidedValues, BearOffError> {
        // Before the table is made: with more points it takes gigabytes.
        check(points)?;
        let table = OneSided::new(points, stop, &mut |_| ())?;
        OneSidedValues::from_table(&points.to_string(), table)
    }

    /// The values of a table from a file. `name` must identify the contents of the file, for instance by a checksum.
    ///
    /// # Errors
    /// [`BearOffError::Meeting`] if it has more than 12 points.
    pub fn from_table(name: &str, table: OneSided) -> Result<OneSidedValues, BearOffError> {
        check(table.positions().points())?;
        Ok(OneSidedValues {
            name: format!("bearoff:{name}"),
            positions: table.positions(),
            table: OnceLock::from(table),
        })
    }

    /// [`OneSidedValues::new`], with the table made when a value is first asked for.
    ///
    /// # Errors
    /// [`BearOffError::Size`] or [`BearOffError::Meeting`]; [`BearOffError::Memory`] if no memory could hold it.
    pub(crate) fn when_needed(points: u8) -> Result<OneSidedValues, BearOffError> {
        check(points)?;
        Ok(OneSidedValues {
            name: format!("bearoff:{points}"),
            positions: OneSided::check_size(points)?,
            table: OnceLock::new(),
        })
    }

    fn table(&self) -> &OneSided {
        let make =
            || OneSided::new(self.positions.points(), NO_STOP, &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
        self.table.get_or_init(make)
    }

    /// The number of rolls until all checkers of a side are off, and, if the side may lose a gammon, until the first is
    /// off. `None` if the table lacks the position.
    fn rolls(&self, side: [u32; 4], rules: RuleSet) -> Option<(&RollDistribution, Option<&RollDistribution>)> {
        let (index, checkers) = self.positions.of_side(side)?;
        let first = if checkers < rules.checkers() {
            None
        } else if checkers == MAX_CHECKERS {
            Some(self.table().first_off(index))
        } else {
            // A side with all checkers of a game of fewer than 15: the table does not say when its first checker is
            // off.
            return None;
        };
        Some((self.table().all_off(index), first))
    }
}

impl KnownValues for OneSidedValues {
    fn name(&self) -> &str {
        &self.name
    }

    fn value(&self, rules: RuleSet, position: &Planes) -> Option<Probabilities> {
        if !rules.bears_off() {
            return None;
        }
        let (own, own_first) = self.rolls(position.own(), rules)?;
        let (other, other_first) = self.rolls(position.opponent(), rules)?;
        let win = own.end_before(other);
        let lose = CERTAIN - win;
        // Bounded, since each distribution is rounded by itself: a gammon might come out more probable than the win.
        let win_gammon = other_first.map_or(0, |first| own.end_before(first).min(win));
        let lose_gammon = own_first.map_or(0, |first| (CERTAIN - first.end_before(other)).min(lose));
        let mut weights = [0; Outcome::COUNT];
        weights[Outcome::WinSingle as usize] = win - win_gammon;
        weights[Outcome::WinGammon as usize] = win_gammon;
        weights[Outcome::LoseSingle as usize] = lose - lose_gammon;
        weights[Outcome::LoseGammon as usize] = lose_gammon;
        Some(Probabilities::from_weights(weights).expect("a side wins"))
    }

    fn may_know_after_play(&self, rules: RuleSet, position: &Planes) -> bool {
        // A play that hits does not lead to a bear-off, so the opponent's position stays as it is. If the player is far
        // from a bear-off, all plays would be valued in vain: looking two plies ahead took 6.7 s instead of 0.4.
        rules.bears_off()
            && self.positions.may_hold_after_play(position.own())
            && self.rolls(position.opponent(), rules).is_some()
    }
}

/// The probability 1 in the units of [`RollDistribution::end_before`].
const CERTAIN: u64 = WHOLE as u64 * WHOLE as u64;

/// Checks that the sides cannot meet in a table of `points` points.
fn check(points: u8) -> Result<(), BearOffError> {
    if points > MAX_POINTS {
        return Err(BearOffError::Meeting { points });
    }
    Ok(())
}
