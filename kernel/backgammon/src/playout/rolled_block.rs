//! The draw of a play of two different dice in every lane of a block.
//!
//! Tested by `tests/suite/tiers.rs`, against the scalar path, and `tests/suite/playouts.rs`, against the specification.

use super::block::{Block, Rolls};
use super::queues::DoublesQueue;
use crate::plays::{CheckerPlanes, Masks, NonDoubleMasks};
use tavli_algebra::PairSlot;
use tavli_simd::{Isa, LaneArray, Lanes, Vector};

/// A block after its rolls, before its plays are counted.
pub(super) struct RolledBlock<V: Vector> {
    masks: Masks<V>,
    pub(super) rolls: Rolls<V>,
    pub(super) high: V,
    low: V,
    /// Lanes with two different dice.
    non_doubles: V::Lanes,
}

/// A rolled block together with the masks that its plays are counted from.
pub(super) struct MaskedBlock<V: Vector> {
    pub(super) masks: NonDoubleMasks<V>,
    pub(super) fraction: V,
    pub(super) non_doubles: V::Lanes,
}

impl<V: Vector> RolledBlock<V> {
    /// Rolls, and queues the lanes with doubles.
    #[inline(always)]
    pub(super) fn roll<I: Isa<Vector = V>>(
        isa: I,
        block: &mut Block<I>,
        preset: Option<&mut LaneArray<I>>,
        queue: &mut DoublesQueue<'_>,
    ) -> RolledBlock<V> {
        // In this order: AVX-512 took 2 % longer the other way (profiles/LOG.md, 2026-11-25, J).
        let sides = block.sides(isa);
        let rolls = block.roll(isa, preset);
        RolledBlock::from_rolls(rolls, block, sides, queue)
    }

    /// Queues the lanes with doubles of a block whose rolls are drawn.
    #[inline(always)]
    pub(super) fn from_rolls<I: Isa<Vector = V>>(
        rolls: Rolls<V>,
        block: &mut Block<I>,
        [own, other]: [CheckerPlanes<V>; 2],
        queue: &mut DoublesQueue<'_>,
    ) -> RolledBlock<V> {
        let Rolls { dice, fraction } = rolls;
        let (high, low) = faces(dice);
        let masks = Masks::new(&own, &other);
        let active = fraction.lanes_of_bits(block.active);
        let doubles = high.lanes_equal(low) & active;
        // At once: with doubles queued last, playouts ran at 0.97 (profiles/LOG.md, 2026-11-22, G).
        queue.push(doubles, &own, masks.blocked, high, fraction);
        block.doubles = doubles.to_bits();
        RolledBlock { masks, rolls, high, low, non_doubles: active & !doubles }
    }

    /// Draws a play of two different dice in each lane. Returns its slot, and how many plays were offered (0 in other
    /// lanes).
    #[inline(always)]
    pub(super) fn draw<const MAY_BEAR_OFF: bool>(&self) -> (PairSlot<V>, V) {
        let masked = self.masked::<MAY_BEAR_OFF>();
        let counted = masked.masks.count::<MAY_BEAR_OFF>();
        let (index, _) = masked.fraction.mul_wide(counted.plays());
        let slot = PairSlot { cells: masked.masks.cells(), place: counted.place::<MAY_BEAR_OFF>(index) };
        (slot, counted.plays().zero_unless(masked.non_doubles))
    }

    /// Makes the masks of the plays of two different dice.
    #[inline(always)]
    pub(super) fn masked<const MAY_BEAR_OFF: bool>(&self) -> MaskedBlock<V> {
        MaskedBlock {
            masks: NonDoubleMasks::new::<true, MAY_BEAR_OFF>(&self.masks, self.high, self.low),
            fraction: self.rolls.fraction,
            non_doubles: self.non_doubles,
        }
    }
}

/// The larger and the smaller die.
#[inline(always)]
pub(super) fn faces<V: Vector>(dice: V) -> (V, V) {
    (dice & 15, dice.shr_by::<4>())
}
