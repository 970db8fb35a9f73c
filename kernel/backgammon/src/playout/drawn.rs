//! The plays drawn for some blocks, until they are selected.

use core::array;

use super::block::Block;
use super::rolled_block::faces;
use super::selected_delta::SelectedDelta;
use tavli_algebra::PairSlot;
use tavli_lanes::DRAWN_TOGETHER;
use tavli_simd::{Isa, Vector};

/// The plays of two different dice that are drawn for up to [`DRAWN_TOGETHER`] blocks.
pub(super) struct Drawn<V: Vector> {
    pub(super) dice: [V; DRAWN_TOGETHER],
    /// The fractions left of the words that drew these dice, if all rolls are drawn before the plays.
    pub(super) fractions: [V; DRAWN_TOGETHER],
    /// The slots of the plays in the order of plays.
    pub(super) slots: [PairSlot<V>; DRAWN_TOGETHER],
}

impl<V: Vector> Drawn<V> {
    /// No play is drawn. `zero` is a vector of zeros.
    #[inline(always)]
    pub(super) fn nothing(zero: V) -> Drawn<V> {
        Drawn {
            dice: [zero; DRAWN_TOGETHER],
            fractions: [zero; DRAWN_TOGETHER],
            slots: [PairSlot::empty(zero); DRAWN_TOGETHER],
        }
    }

    /// Selects the plays drawn for some blocks, `N` blocks together.
    #[inline(always)]
    pub(super) fn select<I: Isa<Vector = V>, const MAY_BEAR_OFF: bool, const N: usize>(&self, blocks: &mut [Block<I>]) {
        let (dice, slots) = (&self.dice[..blocks.len()], &self.slots[..blocks.len()]);
        let (groups, blocks) = blocks.as_chunks_mut::<N>();
        let (dice_of_groups, dice) = dice.as_chunks::<N>();
        let (slots_of_groups, slots) = slots.as_chunks::<N>();
        for ((group, dice), slots) in groups.iter_mut().zip(dice_of_groups).zip(slots_of_groups) {
            select_together::<I, MAY_BEAR_OFF, _>(group, dice, slots);
        }
        for ((block, dice), slot) in blocks.iter_mut().zip(dice).zip(slots) {
            select_together::<I, MAY_BEAR_OFF, 1>(array::from_mut(block), array::from_ref(dice), array::from_ref(slot));
        }
    }
}

/// Selects the plays drawn for `N` blocks.
#[inline(always)]
pub(super) fn select_together<I: Isa, const MAY_BEAR_OFF: bool, const N: usize>(
    blocks: &mut [Block<I>; N],
    dice: &[I::Vector; N],
    slots: &[PairSlot<I::Vector>; N],
) {
    // A loop: a closure of `map` falls back to SSE in code for AVX-512.
    let mut faces_of = [faces(dice[0]); N];
    for block in 0..N {
        faces_of[block] = faces(dice[block]);
    }
    let sources = PairSlot::sources_of::<N, true>(slots.each_ref(), faces_of);
    for block in 0..N {
        blocks[block].selected = SelectedDelta::new::<MAY_BEAR_OFF>(sources[block], faces_of[block]);
    }
}
