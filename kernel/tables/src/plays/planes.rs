//! Arithmetic on counts in bit planes: plane `k` holds bit `k` of the count of every point.

use tavli_simd::Vector;

use crate::points::OFF_BIT;

/// The planes of one side's counts of free checkers.
pub(crate) type CheckerPlanes<V> = [V; 4];

/// The planes of how often checkers are taken from each point, or land on it, in one play: at most 4 times.
pub(crate) type Steps<V> = [V; 3];

/// Points with one free checker or more, and with two or more.
#[inline(always)]
pub(crate) fn occupied_and_made<V: Vector>(counts: &CheckerPlanes<V>) -> (V, V) {
    let made = counts[1] | counts[2] | counts[3];
    (counts[0] | made, made)
}

/// Points with at least one, two, three and four free checkers.
#[inline(always)]
pub(crate) fn at_least<V: Vector>(counts: &CheckerPlanes<V>) -> [V; 4] {
    let (occupied, made) = occupied_and_made(counts);
    let four = counts[2] | counts[3];
    [occupied, made, four | (counts[0] & counts[1]), four]
}

/// Adds steps to counts.
#[inline(always)]
pub(crate) fn add<V: Vector>(counts: &mut CheckerPlanes<V>, steps: &Steps<V>) {
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
pub(crate) fn four<V: Vector>([a, b, c, d]: [V; 4]) -> Steps<V> {
    let (ones, others) = (a ^ b, c ^ d);
    let (twos, other_twos) = (a & b, c & d);
    [ones ^ others, twos ^ other_twos ^ (ones & others), twos & other_twos]
}

/// Adds steps to steps. The sums are at most 4.
#[inline(always)]
pub(crate) fn join<V: Vector>(a: &Steps<V>, b: &Steps<V>) -> Steps<V> {
    let carry = a[0] & b[0];
    let carry_2 = a[1].majority(b[1], carry);
    [a[0] ^ b[0], a[1] ^ b[1] ^ carry, a[2] | b[2] | carry_2]
}

/// Where steps of one die end on the board.
#[inline(always)]
pub(crate) fn landings<V: Vector>(steps: &Steps<V>, die: V) -> Steps<V> {
    [
        steps[0].shr(die) & !OFF_BIT,
        steps[1].shr(die) & !OFF_BIT,
        steps[2].shr(die) & !OFF_BIT,
    ]
}

/// The change of the counts by a play: how many checkers each point gains, in two's complement, as bit planes.
#[derive(Clone, Copy)]
pub(crate) struct Delta<V>(pub(crate) CheckerPlanes<V>);

impl<V: Vector> Delta<V> {
    /// One checker by each of two dice, from single bits. The two highest planes are the same, since no point gains or
    /// loses more than two checkers.
    #[inline(always)]
    pub(crate) fn from_pair<const BEAR_OFF: bool>((by_high, by_low): (V, V), high: V, low: V) -> Delta<V> {
        let (mut to_high, mut to_low) = (by_high.shr(high), by_low.shr(low));
        if BEAR_OFF {
            (to_high, to_low) = (to_high & !OFF_BIT, to_low & !OFF_BIT);
        }
        // A point that one checker leaves and the other lands on keeps its count.
        let fewer = (by_high | by_low) & !(to_high | to_low);
        Delta([
            by_high ^ by_low ^ to_high ^ to_low,
            fewer | (to_high & to_low),
            fewer,
            fewer,
        ])
    }

    /// Steps of one die, by the points they start from.
    #[inline(always)]
    pub(crate) fn from_steps(steps: &Steps<V>, die: V) -> Delta<V> {
        let [s0, s1, s2] = *steps;
        let [l0, l1, l2] = landings(steps, die);
        let borrow = s0 & !l0;
        let borrow_2 = l1.borrow(s1, borrow);
        Delta([l0 ^ s0, l1 ^ s1 ^ borrow, l2 ^ s2 ^ borrow_2, l2.borrow(s2, borrow_2)])
    }

    /// Adds it to counts.
    #[inline(always)]
    pub(crate) fn make(&self, counts: &mut CheckerPlanes<V>) {
        let [e0, e1, e2, e3] = self.0;
        add(counts, &[e0, e1, e2]);
        counts[3] = counts[3] ^ e3;
    }
}
