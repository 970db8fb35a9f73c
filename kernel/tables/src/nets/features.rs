//! What the authors' experts see in a position, as numbers.

use tavli_simd::{Isa, Scalar};

use crate::fevga::FevgaRules;
use crate::plakoto::PlakotoRules;
use crate::position::{ON_BOARD, POINTS, Position, Side};
use crate::rolls::{ROLLS, WEIGHTS};
use crate::variant::Variant;

/// The points of a prime.
const PRIME: u32 = 6;
/// The last point of a side's first two quadrants, in its numbers.
const LAST_OF_TWO: u32 = 13;

/// The primes of a side in Fevga, six points in a row, that have a checker of the other side behind them.
///
/// In a row on the way of the other side: six points around the owner's point 24 are a prime, and six around the
/// owner's point 13 are none, since the other side's way begins and ends there.
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
    pub fn new(owner: &Side, other: &Side) -> Primes {
        // In the numbers of the other side, bit by bit the lowest of six points in a row.
        let held = across::<FevgaRules>(owner.occupied());
        let two = held & held >> 1;
        let runs = two & two >> 2 & two >> 4;
        // A checker is behind a run if it is above all its points.
        let last = other.occupied().checked_ilog2().unwrap_or(0);
        let passable = runs & ((1 << last.saturating_sub(PRIME - 1)) - 1);
        let late = u32::MAX << (LAST_OF_TWO + 1 - PRIME);
        Primes {
            early: passable & !late != 0,
            late: passable & late != 0,
        }
    }
}

/// Whether no checker of the opponent in Fevga stands, or will come, where this side has still to land.
#[must_use]
pub fn is_past(side: &Side, opponent: &Side) -> bool {
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
/// It may be that other rules about dice forbid the play: then the throw counts all the same.
#[must_use]
pub fn pinning_chances(position: &Position) -> [u8; POINTS + 1] {
    let (player, roller) = (&position.opponent, &position.own);
    let mut throws = [0; POINTS + 1];
    let [ones, twos, fours, eights] = player.counts;
    let many = twos | fours | eights;
    // In the numbers of the player on roll.
    let single = across::<PlakotoRules>(ones & !many);
    let open = !(across::<PlakotoRules>(many) | roller.pinned) & ON_BOARD;
    let from = roller.occupied();
    for (&[high, low], &weight) in ROLLS.iter().zip(&WEIGHTS) {
        let step = |from: u32, die: u8| from >> die & open;
        let landings = if high == low {
            let mut all = 0;
            let mut last = from;
            for _ in 0..4 {
                last = step(last, high);
                all |= last;
            }
            all
        } else {
            let [by_high, by_low] = [high, low].map(|die| step(from, die));
            by_high | by_low | step(by_high, low) | step(by_low, high)
        };
        let mut pins = landings & single;
        while pins != 0 {
            let point = PlakotoRules::point_across(pins.trailing_zeros() as usize);
            throws[point] += weight as u8;
            pins &= pins - 1;
        }
    }
    for (point, throws) in throws.iter_mut().enumerate().skip(1) {
        if player.is_pinned(point) {
            *throws = 36;
        }
    }
    throws
}

/// Points in the numbers of the other side.
fn across<R: Variant>(points: u32) -> u32 {
    R::across(Scalar.splat(points)).get()
}
