//! Reciprocals of small divisors: the vector tiers multiply by them.

/// `2^15 / d`, rounded up: twice a dividend below 2^8 times this, over 2^16, is its quotient, since the
/// rounding adds less than `2^8 * 14 / 2^15` of a divisor's share.
pub(super) static RECIPROCALS: [u32; 16] = {
    let mut reciprocals = [0; 16];
    let mut divisor = 1;
    while divisor < 16 {
        reciprocals[divisor] = (1_u32 << 15).div_ceil(divisor as u32);
        divisor += 1;
    }
    reciprocals
};
