//! The preset throws of the games of a pool.

use core::ops::Range;

use super::throws::Preset;
use tavli_lanes::BLOCKS;
use tavli_simd::{Isa, LaneArray, Vector};

/// The [preset](Preset) throws of each lane.
// Outside the blocks: inside them, with starts returned by value, copying a block stalled on words just stored, and
// playouts ran at 0.95 of the rate (profiles/LOG.md, 2026-11-22).
pub(super) struct Presets<I: Isa> {
    isa: I,
    /// By block, once there were some.
    throws: Vec<LaneArray<I>>,
    /// For how many more plies some game may have a preset throw.
    plies: u32,
}

impl<I: Isa> Presets<I> {
    /// No game has a preset throw.
    #[inline(always)]
    pub(super) fn new(isa: I) -> Presets<I> {
        Presets { isa, throws: Vec::new(), plies: 0 }
    }

    /// The throws of some blocks, or none at all if no game can have one in this ply.
    #[inline(always)]
    pub(super) fn of_blocks(&mut self, blocks: Range<usize>) -> &mut [LaneArray<I>] {
        match self.plies {
            0 => &mut [],
            _ => &mut self.throws[blocks],
        }
    }

    /// A ply ends.
    #[inline(always)]
    pub(super) fn end_ply(&mut self) {
        self.plies = self.plies.saturating_sub(1);
    }

    /// Forgets the throws of a block, which a pool may have dropped with some.
    pub(super) fn clear(&mut self, block: usize) {
        if let Some(throws) = self.throws.get_mut(block) {
            *throws = self.isa.splat(0).store();
        }
    }

    #[inline(always)]
    pub(super) fn of(&self, block: usize, lane: usize) -> Preset {
        match self.plies {
            0 => Preset::NONE,
            _ => Preset::from_word(self.throws[block].as_ref()[lane]),
        }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, block: usize, lane: usize, preset: Preset) {
        if self.plies > 0 || preset != Preset::NONE {
            self.write(block, lane, preset);
        }
    }

    fn write(&mut self, block: usize, lane: usize, preset: Preset) {
        if self.throws.is_empty() {
            self.throws.resize(BLOCKS, self.isa.splat(0).store());
        }
        self.throws[block].as_mut()[lane] = preset.word();
        if preset != Preset::NONE {
            self.plies = Preset::MAX_PLIES;
        }
    }
}
