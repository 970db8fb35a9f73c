//! Arithmetic on counts in bit planes: plane `k` holds bit `k` of the count of every point.

use tavli_simd::Vector;

use crate::points::OFF_BIT;

/// The planes of one side's counts.
pub type CheckerPlanes<V> = [V; 4];

/// The planes of how often checkers are taken from each point, or land on it, in one play: at most 4 times.
pub type Steps<V> = [V; 3];

/// Occupied and made points of a side.
#[inline(always)]
pub fn occupied_and_made<V: Vector>(counts: &CheckerPlanes<V>) -> (V, V) {
    let made = counts[1] | counts[2] | counts[3];
    (counts[0] | made, made)
}

/// Points of a side with at least one, two, three and four checkers.
#[inline(always)]
pub fn at_least<V: Vector>(counts: &CheckerPlanes<V>) -> [V; 4] {
    let (occupied, made) = occupied_and_made(counts);
    let four = counts[2] | counts[3];
    [occupied, made, four | (counts[0] & counts[1]), four]
}

/// Adds steps to counts.
#[inline(always)]
pub fn add<V: Vector>(counts: &mut CheckerPlanes<V>, steps: &Steps<V>) {
    let carry = counts[0] & steps[0];
    counts[0] = counts[0] ^ steps[0];
    let carry_2 = counts[1].majority(steps[1], carry);
    counts[1] = counts[1] ^ steps[1] ^ carry;
    let carry_3 = counts[2].majority(steps[2], carry_2);
    counts[2] = counts[2] ^ steps[2] ^ carry_2;
    counts[3] = counts[3] ^ carry_3;
}

/// One step from each of four points, of which some may be the same, or none.
#[inline(always)]
pub fn four<V: Vector>([a, b, c, d]: [V; 4]) -> Steps<V> {
    let (ones, others) = (a ^ b, c ^ d);
    let (twos, other_twos) = (a & b, c & d);
    [ones ^ others, twos ^ other_twos ^ (ones & others), twos & other_twos]
}

/// Adds steps to steps. The sums are at most 4.
#[inline(always)]
pub fn join<V: Vector>(a: &Steps<V>, b: &Steps<V>) -> Steps<V> {
    let carry = a[0] & b[0];
    let carry_2 = a[1].majority(b[1], carry);
    [a[0] ^ b[0], a[1] ^ b[1] ^ carry, a[2] | b[2] | carry_2]
}

/// Where steps of one die end. Steps that leave the board end on bit 0.
#[inline(always)]
pub fn landings<V: Vector>(steps: &Steps<V>, die: V) -> Steps<V> {
    [steps[0].shr(die), steps[1].shr(die), steps[2].shr(die)]
}

/// Steps without those that end off the board.
#[inline(always)]
pub fn on_board<V: Vector>(landings: &Steps<V>) -> Steps<V> {
    [landings[0] & !OFF_BIT, landings[1] & !OFF_BIT, landings[2] & !OFF_BIT]
}

/// Moves the mover's checkers from `sources` to `landings`. Checkers borne off are in `sources` only.
#[inline(always)]
pub fn move_checkers<V: Vector>(counts: &mut CheckerPlanes<V>, sources: &Steps<V>, landings: &Steps<V>) {
    add_difference(counts, &difference(sources, landings));
}

/// The planes of landings less sources in two's complement.
#[inline(always)]
pub fn difference<V: Vector>(sources: &Steps<V>, landings: &Steps<V>) -> CheckerPlanes<V> {
    let [s0, s1, s2] = *sources;
    let [l0, l1, l2] = *landings;
    let e0 = l0 ^ s0;
    let borrow = s0 & !l0;
    let e1 = l1 ^ s1 ^ borrow;
    let borrow = l1.subtract_borrows(s1, borrow);
    let e2 = l2 ^ s2 ^ borrow;
    let e3 = l2.subtract_borrows(s2, borrow);
    [e0, e1, e2, e3]
}

/// Adds a difference in two's complement to counts, modulo 16.
#[inline(always)]
pub fn add_difference<V: Vector>(counts: &mut CheckerPlanes<V>, difference: &CheckerPlanes<V>) {
    let [e0, e1, e2, e3] = *difference;
    add(counts, &[e0, e1, e2]);
    counts[3] = counts[3] ^ e3;
}
