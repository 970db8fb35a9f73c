//! The points that decide where the mover's checkers may go.

use tavli_simd::Vector;

use crate::position::{HOME_AND_OFF, OFF_BIT, ON_BOARD, SideVectors};
use crate::variant::Variant;
use tavli_algebra::planes::{CheckerPlanes, occupied_and_made};

/// The points that decide where the mover's checkers may go during one play, in the mover's frame. Neither the open
/// points nor the pins of the mover's checkers change while it is made.
#[derive(Clone, Copy)]
pub(crate) struct MoverMasks<V: Vector> {
    /// The mover's free checkers.
    pub(crate) counts: CheckerPlanes<V>,
    /// Points with free checkers.
    pub(crate) occupied: V,
    /// Points with two free checkers or more.
    pub(crate) made: V,
    /// Points of the board that a checker may land on.
    pub(crate) open: V,
    /// Lanes in which none of the mover's checkers is pinned, so that some may be borne off.
    pub(crate) unpinned: V::Lanes,
    /// The point of the runner; 0 if it has passed, or the game has none.
    pub(crate) runner: V,
    /// The points on which a runner has passed.
    pub(crate) passed: u32,
}

impl<V: Vector> MoverMasks<V> {
    #[inline(always)]
    pub(crate) fn new<G: Variant>(game: &G, mover: &SideVectors<V>, other: &SideVectors<V>) -> MoverMasks<V> {
        let (occupied, made) = occupied_and_made(&mover.counts);
        MoverMasks {
            counts: mover.counts,
            occupied,
            made,
            open: game.open(mover, other),
            unpinned: if G::PINS { mover.pinned.lanes_zero() } else { !occupied.lanes_of_bits(0) },
            runner: game.runner(mover, occupied),
            passed: game.passed(),
        }
    }

    /// Lanes in which a runner on this point has passed.
    #[inline(always)]
    pub(crate) fn has_passed(&self, runner: V) -> V::Lanes {
        runner.test_any_bit(runner.splat(self.passed))
    }

    /// Lanes in which checkers may be borne off before the roll.
    #[inline(always)]
    pub(crate) fn bears_off(&self) -> V::Lanes {
        (self.occupied & !HOME_AND_OFF).lanes_zero() & self.unpinned
    }

    /// Lanes in which two different dice may bear a checker off: at most one checker is not home.
    #[inline(always)]
    pub(crate) fn may_bear_off(&self) -> V::Lanes {
        let outside = self.occupied & !HOME_AND_OFF;
        let all_but_last = outside & outside.wrapping_sub(outside.splat(1));
        (all_but_last | (self.made & !HOME_AND_OFF)).lanes_zero() & self.unpinned
    }
}

/// The open points of a turn, whether it may bear off, and its dice, in one word a lane.
#[derive(Clone, Copy)]
// In one word, since a queue compresses, stores and reads each word of a lane by itself.
pub(crate) struct PackedMasks<V>(pub(crate) V);

/// Where the dice begin in a word; the bit of the place off the board says that a lane may bear off.
// Points take the bits up to 24, and a die takes three.
const HIGH_SHIFT: u32 = 25;
const LOW_SHIFT: u32 = 28;
const DIE_BITS: u32 = 7;

impl<V: Vector> PackedMasks<V> {
    #[inline(always)]
    pub(crate) fn new(turn: &MoverMasks<V>, [high, low]: [V; 2]) -> PackedMasks<V> {
        let unpinned = high.splat(OFF_BIT).zero_unless(turn.unpinned);
        PackedMasks(turn.open | unpinned | high.shl_by::<HIGH_SHIFT>() | low.shl_by::<LOW_SHIFT>())
    }

    /// The points that may be landed on.
    #[inline(always)]
    pub(crate) fn open(self) -> V {
        self.0 & ON_BOARD
    }

    /// Lanes in which none of the mover's checkers is pinned.
    #[inline(always)]
    pub(crate) fn unpinned(self) -> V::Lanes {
        self.0.test_any_bit(self.0.splat(OFF_BIT))
    }

    /// The larger and the smaller die.
    #[inline(always)]
    pub(crate) fn dice(self) -> (V, V) {
        (self.0.shr_by::<HIGH_SHIFT>() & DIE_BITS, self.0.shr_by::<LOW_SHIFT>() & DIE_BITS)
    }
}
