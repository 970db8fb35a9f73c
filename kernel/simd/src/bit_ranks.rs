//! The bits of each rank in nibbles, which the vector tiers without PDEP look up.

/// Only the set bit of a rank in a nibble, in both nibbles of a byte. The index is the nibble in its low bits and the
/// rank above it.
pub(super) static NTH_OF_FOUR: [u8; 64] = {
    let mut bits = [0; 64];
    let mut index = 0;
    while index < 64 {
        let (mut half, mut rank) = (index as u8 & 15, index >> 4);
        while rank > 0 {
            half &= half.wrapping_sub(1);
            rank -= 1;
        }
        bits[index] = (half & half.wrapping_neg()) * 0x11;
        index += 1;
    }
    bits
};
