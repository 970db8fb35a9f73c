//! The bits of a word, one by one.

/// The numbers of the bits of a word that are set, the lowest first.
///
/// ```
/// assert!(tavli_simd::set_bits(0b10_0101).eq([0, 2, 5]));
/// ```
#[inline(always)]
pub fn set_bits(mut word: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(
        #[inline(always)]
        move || {
            let bit = (word != 0).then_some(word.trailing_zeros() as usize);
            word &= word.wrapping_sub(1);
            bit
        },
    )
}
