//! The steps of a play as it is listed.

use super::planes::Steps;
use tavli_simd::{ScalarIsa, Vector, Word};

/// Where steps that are not made start and end.
pub(super) const NOWHERE: u8 = 31;

/// Up to four steps, in an order in which they can be played. The rest are not made.
#[derive(Clone, Copy)]
pub(crate) struct StepList {
    /// Two bytes each, the first lowest: the point that a checker leaves, and above it the one that it reaches.
    bytes: u64,
    number: u32,
}

impl StepList {
    /// No steps.
    pub(crate) const NONE: StepList = StepList { bytes: u64::from_le_bytes([NOWHERE; 8]), number: 0 };

    /// The list with a step added, from the point of a bit. It is the last to be played.
    #[inline(always)]
    pub(crate) fn and<B: ScalarIsa>(self, source: Word<B>, die: Word<B>) -> StepList {
        let from = source.get().trailing_zeros();
        // A checker that a larger die bears off leaves the mask, which then has 32 zeros.
        let to = source.shr(die).get().trailing_zeros() % 32;
        const NONE: u32 = u16::from_le_bytes([NOWHERE; 2]) as u32;
        let step = u64::from((from | to << 8) ^ NONE);
        StepList {
            // A step that is not made stands here. The fourth is shifted by 48.
            bytes: self.bytes ^ step << (16 * self.number),
            number: self.number + 1,
        }
    }

    /// The list with all of these steps of a die added, the rearmost first.
    #[inline(always)]
    pub(crate) fn and_all<B: ScalarIsa>(
        mut self,
        [mut ones, mut twos, mut fours]: Steps<Word<B>>,
        die: Word<B>,
    ) -> StepList {
        loop {
            let source = (ones | twos | fours).highest_bit();
            if source.lanes_zero() {
                return self;
            }
            self = self.and(source, die);
            // The point has one step less left.
            let lower = source & !ones;
            ones = ones ^ source;
            let lowest = lower & !twos;
            twos = twos ^ lower;
            fours = fours ^ lowest;
        }
    }

    /// The points that each of four steps leaves and reaches.
    #[inline(always)]
    pub(super) fn points(self) -> [[u8; 2]; 4] {
        bytemuck::cast(self.bytes.to_le_bytes())
    }
}
