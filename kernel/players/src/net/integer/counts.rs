//! The checkers of a side by place.

/// The points of a side, its bar, and in the place of a point 0 what it has borne off.
pub(super) const PLACES_A_SIDE: usize = 26;
/// The most checkers of a side.
pub(super) const CHECKERS: usize = 15;

/// The checkers on each point of a side, and at 0 those that it has borne off.
pub(super) fn counts(planes: [u32; 4]) -> [u8; PLACES_A_SIDE] {
    let mut counts = [0; PLACES_A_SIDE];
    for point in points(planes) {
        counts[point] = count(planes, point);
    }
    counts[0] = borne_off(planes);
    counts
}

/// The checkers that a side has borne off.
#[inline(always)]
pub(super) fn borne_off([ones, twos, fours, eights]: [u32; 4]) -> u8 {
    let on_board = ones.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones() + 8 * eights.count_ones();
    (CHECKERS as u8).saturating_sub(on_board as u8)
}

/// The checkers on a point.
#[inline(always)]
pub(super) fn count([ones, twos, fours, eights]: [u32; 4], point: usize) -> u8 {
    let bit = |plane: u32| (plane >> point & 1) as u8;
    bit(ones) | bit(twos) << 1 | bit(fours) << 2 | bit(eights) << 3
}

/// The points that have checkers.
#[inline(always)]
pub(super) fn points([ones, twos, fours, eights]: [u32; 4]) -> impl Iterator<Item = usize> {
    bits(ones | twos | fours | eights)
}

/// The bits of a mask, from the lowest.
#[inline(always)]
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(
        #[inline(always)]
        move || {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask.wrapping_sub(1);
            (bit < 32).then_some(bit)
        },
    )
}
