//! Which points the rules still allow in a position.

use crate::position::{POINTS, Position, START, SideCheckers};

/// The pips of the smallest roll, 21, which a side can play if nothing stands in its way.
const MIN_PIPS: u32 = 3;
/// The last point from which a side goes freely, if the other one is before [`PASSED`]: no rule about points that may
/// not all be held concerns it.
const FREE: u32 = 10;
/// If all checkers of the other side are on its points up to this one, none of them can meet a side on points up to
/// [`FREE`], in Plakoto as in Fevga.
const PASSED: u32 = 12;

impl Position {
    /// The least and the most points, -2..=2, that the game, which goes on, can still have for the player on roll.
    ///
    /// `has_pins` says whether the game has pins, as Plakoto does. A side that has borne off a checker loses no double
    /// game, unless its mother can be pinned. In a race each roll moves a side at least three pips, and the other side
    /// needs a known least number of rolls. A side that surely bears off a checker in that time loses no double game.
    /// One that surely bears off all wins, and doubly if the other side cannot have borne off a checker by then. A
    /// player whose checkers every roll bears off has won: two on the ace point, or one on points 1 to 3 with no point
    /// before it that the opponent holds.
    ///
    /// The range has all points that some dice and plays lead to, and may have a few more.
    #[must_use]
    pub fn possible_points(&self, has_pins: bool) -> [i32; 2] {
        let [own, opponent] = [&self.own, &self.opponent];
        let [mut least, mut most] = [-most_lost(own, has_pins), most_lost(opponent, has_pins)];
        if is_off_next(own, opponent, has_pins) {
            // No play that ends the game leaves a checker on a mother.
            return [most_lost(opponent, false); 2];
        }
        // The player on roll has one roll more than the opponent when he is off.
        if goes_freely(own, opponent) {
            least = least.max(-lost_after(own, least_rolls(opponent)));
            if is_off_after(own, MIN_PIPS * (dice_to_home(opponent) / 4 + 1)) {
                least = most;
            }
        }
        if goes_freely(opponent, own) {
            // The player on roll has a checker, so at least one roll.
            most = most.min(lost_after(opponent, least_rolls(own) - 1));
            if is_off_after(opponent, MIN_PIPS * (dice_to_home(own) / 4)) {
                most = least;
            }
        }
        [least, most]
    }
}

/// The most that a side can lose by its checkers on the board.
fn most_lost(side: &SideCheckers, has_pins: bool) -> i32 {
    // No play leads to a side with both a checker off and one on its start, but a text may have few checkers.
    let has_mother = has_pins && side.checkers(START) > 0;
    if side.off() == 0 || has_mother { 2 } else { 1 }
}

/// Whether any roll bears off all checkers of the side on roll, however it is played.
fn is_off_next(side: &SideCheckers, other: &SideCheckers, has_pins: bool) -> bool {
    points(side) >> 4 == 0 && is_off_by_any_roll(side, other, has_pins)
}

/// [`is_off_next`] for checkers on points 1 to 3: one or two on the ace point, or one that can step on every point
/// before it. A roll of 21 may step on point 1 or 2, whichever die is played first; 11 may step on both.
#[cold]
#[inline(never)]
fn is_off_by_any_roll(side: &SideCheckers, other: &SideCheckers, has_pins: bool) -> bool {
    let [ones, several @ ..] = other.counts;
    let several = several.into_iter().fold(0, |all, plane| all | plane);
    let held = match has_pins {
        // Plakoto's sides go to meet each other, and a single checker holds no point.
        true => several.reverse_bits() >> 6,
        // Fevga's are half a board apart.
        false => (ones | several) >> 12,
    };
    let occupied = side.occupied();
    let is_free = held & occupied.wrapping_sub(1) & !1 == 0;
    side.pinned == 0 && (side.on_board() == 1 && is_free || side.on_board() == 2 && occupied == 1 << 1)
}

/// The points on which a side has checkers.
fn points(side: &SideCheckers) -> u32 {
    side.occupied() | side.pinned
}

/// Whether a side can play any roll until it is off, whatever the other one does.
fn goes_freely(side: &SideCheckers, other: &SideCheckers) -> bool {
    points(side) >> (FREE + 1) == 0 && points(other) >> (PASSED + 1) == 0
}

/// The fewest dice that bring all checkers of a side home: a die moves a checker by a quarter of the board at most.
fn dice_to_home(side: &SideCheckers) -> u32 {
    (7..=POINTS).map(|point| side.checkers(point) * ((point as u32 - 1) / 6)).sum()
}

/// The fewest rolls in which a side bears off.
fn least_rolls(side: &SideCheckers) -> u32 {
    (dice_to_home(side) + side.on_board()).div_ceil(4)
}

/// Whether a side that goes freely is surely off after rolls of this many pips: each takes three at least from the sum
/// of pips and checkers, and where the sum is at most four, any roll bears off all.
fn is_off_after(side: &SideCheckers, played: u32) -> bool {
    side.pips() + side.on_board() <= played + 1
}

/// The most that a side that goes freely loses after this many rolls of its own; less than 0 if it is surely off.
fn lost_after(side: &SideCheckers, rolls: u32) -> i32 {
    let played = MIN_PIPS * rolls;
    if is_off_after(side, played) {
        -1
    } else if side.pips() < side.on_board() + played {
        // The first checker is borne off, at the latest, when all are on the ace point.
        1
    } else {
        2
    }
}
