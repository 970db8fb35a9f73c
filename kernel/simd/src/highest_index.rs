//! The highest of some numbers, without a branch.

/// The index of the highest of eight numbers, the first of equal ones; some index below 8 if one is NaN.
///
/// ```
/// assert_eq!(tavli_simd::highest_of_eight(&[1.0, -3.0, 2.5, 0.0, 2.5, -0.0, 2.0, 1.0]), 2);
/// ```
#[inline(always)]
#[must_use]
pub fn highest_of_eight(numbers: &[f32; 8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{
            _mm_castps_si128, _mm_cmpeq_ps, _mm_max_ps, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32,
            _mm_set_ps, _mm_shuffle_ps,
        };
        let [a, b, c, d, e, f, g, h] = *numbers;
        // SAFETY: every CPU of x86-64 has these instructions, and they read no memory.
        let bytes = unsafe {
            let (low, high) = (_mm_set_ps(d, c, b, a), _mm_set_ps(h, g, f, e));
            let highest = _mm_max_ps(low, high);
            let highest = _mm_max_ps(highest, _mm_shuffle_ps::<0b01_00_11_10>(highest, highest));
            let highest = _mm_max_ps(highest, _mm_shuffle_ps::<0b10_11_00_01>(highest, highest));
            let low = _mm_castps_si128(_mm_cmpeq_ps(low, highest));
            let high = _mm_castps_si128(_mm_cmpeq_ps(high, highest));
            let words = _mm_packs_epi32(low, high);
            _mm_movemask_epi8(_mm_packs_epi16(words, words)) as u32
        };
        bytes.trailing_zeros() as usize & 7
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let mut best = 0;
        for index in 1..numbers.len() {
            if numbers[index] > numbers[best] {
                best = index;
            }
        }
        best
    }
}
