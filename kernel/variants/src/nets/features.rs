//! The expert features of the authors, as numbers.

use tavli_simd::{Isa, Scalar, set_bits};

use crate::fevga::FevgaRules;
use crate::plakoto::PlakotoRules;
use crate::position::{ON_BOARD, POINTS, Position, SideCheckers};
use crate::rolls::{ROLLS, THROWS, WEIGHTS};
use crate::variant::Variant;

/// The points of a prime.
const PRIME: u32 = 6;
/// The last point of a side's first two quadrants, in its numbers.
const LAST_OF_TWO: u32 = 13;

/// The rolls, padded to whole vectors by rolls that no throw gives.
const LANES: usize = ROLLS.len().next_multiple_of(8);

struct RollLanes {
    high: [u32; LANES],
    low: [u32; LANES],
    /// All bits of a double, else none.
    double: [u32; LANES],
    /// How many throws give the roll.
    weight: [u32; LANES],
}

static ROLL_LANES: RollLanes = {
    let [mut high, mut low, mut double, mut weight] = [[0; LANES]; 4];
    let mut roll = 0;
    while roll < ROLLS.len() {
        [high[roll], low[roll]] = [ROLLS[roll][0] as u32, ROLLS[roll][1] as u32];
        double[roll] = if high[roll] == low[roll] { u32::MAX } else { 0 };
        weight[roll] = WEIGHTS[roll];
        roll += 1;
    }
    RollLanes { high, low, double, weight }
};

/// The primes of a side in Fevga, six points in a row, that have a checker of the other side behind them.
///
/// Rows follow the way of the other side, on which the owner's points 24 and 1 are neighbours, and 13 and 12 are its
/// two ends.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Primes {
    /// Whether one is wholly in the owner's first two quadrants, the last two of the other side.
    pub early: bool,
    /// Whether there is another one.
    pub late: bool,
}

impl Primes {
    /// The primes of the owner.
    #[must_use]
    pub fn new(owner: &SideCheckers, other: &SideCheckers) -> Primes {
        // In the numbers of the other side, bit by bit the lowest of six points in a row.
        let held = across::<FevgaRules>(owner.occupied());
        let two = held & held >> 1;
        let runs = two & two >> 2 & two >> 4;
        // A checker is behind a run if it is above all its points.
        let last = other.occupied().checked_ilog2().unwrap_or(0);
        let passable = runs & ((1 << last.saturating_sub(PRIME - 1)) - 1);
        let late = u32::MAX << (LAST_OF_TWO + 1 - PRIME);
        Primes { early: passable & !late != 0, late: passable & late != 0 }
    }
}

/// Whether a side of Fevga has passed the opponent, who has no checker where this side has still to land, and none that
/// will come there.
#[must_use]
pub fn is_past(side: &SideCheckers, opponent: &SideCheckers) -> bool {
    let below = |word: u32| match word.checked_ilog2() {
        Some(highest) => ((1_u32 << highest) - 1) & ON_BOARD,
        None => 0,
    };
    let way = below(side.occupied());
    let taken = opponent.occupied();
    way & across::<FevgaRules>(taken | below(taken)) == 0
}

/// For each point of the player who has just played Plakoto, how many of the 36 throws allow the player on roll to pin
/// a checker there; 36 where one is pinned. A throw allows it if one checker can go there by it, on points that are
/// open. Index 0 is no point.
///
/// A throw counts even if other rules about dice forbid the play.
#[must_use]
pub fn pinning_chances(position: &Position) -> [u8; POINTS + 1] {
    let player = &position.opponent;
    let mut throws = [0; POINTS + 1];
    for point in set_bits(player.pinned) {
        throws[point] = THROWS as u8;
    }
    visit_pinning_throws(player, &position.own, |point, of_point| throws[point] = of_point as u8);
    throws
}

/// Calls `visit` with each point on which a single checker of a player can be pinned by a player on roll, and how many
/// throws allow it; returns how many allow any of these pins.
#[inline(always)]
pub(super) fn visit_pinning_throws(
    player: &SideCheckers,
    roller: &SideCheckers,
    mut visit: impl FnMut(usize, u32),
) -> u32 {
    let [ones, twos, fours, eights] = player.counts;
    let many = twos | fours | eights;
    // In the numbers of the player on roll.
    let single = across::<PlakotoRules>(ones & !many);
    if single == 0 {
        return 0;
    }
    let open = !(across::<PlakotoRules>(many) | roller.pinned) & ON_BOARD;
    let from = roller.occupied();
    // Roll by roll, so that rolls are lanes.
    let mut landings = [0; LANES];
    for roll in 0..LANES {
        let [high, low] = [ROLL_LANES.high[roll], ROLL_LANES.low[roll]];
        let [by_high, by_low] = [from >> high & open, from >> low & open];
        let [high_low, low_high] = [by_high >> low & open, by_low >> high & open];
        // A double has two steps more, and both its orders are the same.
        let third = high_low >> low & open & ROLL_LANES.double[roll];
        let fourth = third >> low & open;
        landings[roll] = by_high | by_low | high_low | low_high | third | fourth;
    }
    let throws = |points: u32| {
        let mut throws = 0;
        for roll in 0..LANES {
            throws += if landings[roll] & points == 0 { 0 } else { ROLL_LANES.weight[roll] };
        }
        throws
    };
    for point in set_bits(single) {
        let of_point = throws(1 << point);
        if of_point > 0 {
            visit(PlakotoRules::point_across(point), of_point);
        }
    }
    throws(single)
}

/// Whether the owner has four and five points in a row on the way of the other side in Fevga, with a checker of the
/// other side behind them.
#[inline(always)]
pub(super) fn has_runs(owner: &SideCheckers, other: &SideCheckers) -> [bool; 2] {
    let held = across::<FevgaRules>(owner.occupied());
    let last = other.occupied().checked_ilog2().unwrap_or(0);
    let two = held & held >> 1;
    let four = two & two >> 2;
    let below = |points: u32| (1_u32 << last.saturating_sub(points - 1)) - 1;
    [four & below(4) != 0, four & held >> 4 & below(5) != 0]
}

/// For each die, from how many points of a side in Fevga a checker can move by it, if any may move.
#[inline(always)]
pub(super) fn mobile_points(side: &SideCheckers, opponent: &SideCheckers) -> [u32; 6] {
    let from = side.occupied();
    let open = !across::<FevgaRules>(opponent.occupied()) & ON_BOARD;
    core::array::from_fn(|die| (from >> (die + 1) & open).count_ones())
}

/// Points in the numbers of the other side.
fn across<R: Variant>(points: u32) -> u32 {
    R::across(Scalar.splat(points)).get()
}
