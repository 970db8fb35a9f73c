//! The steps of a double: the steps that a pattern fixes, and the steps from the other towers that are chosen.

use tavli_simd::Vector;

use crate::double_masks::DoubleMasks;
use crate::pattern::{
    FLAGS, POINT_USES, Pattern, RUN_EACH, SEVERAL_WAYS, STEPS_BEYOND_OTHERS, TWICE_EACH, WITHOUT_X, WITHOUT_Y,
};
use crate::planes::{self, Steps};
use crate::subsets::SUBSET_STARTS;

/// The uses of towers in one play. The plays of one pattern and special point differ in the choice of other towers
/// only.
#[derive(Clone, Copy)]
pub struct TowerUses<V: Vector> {
    /// The steps that do not depend on the choice.
    pub fixed: Steps<V>,
    /// The towers to choose from.
    pub from: V,
    /// How many towers are chosen.
    pub chosen: V,
    /// The index of the chosen towers in [`SUBSETS`](crate::SUBSETS) in the low 16 bits, the flags of the pattern
    /// above.
    pub packed_choice: V,
}

/// Where the flags of a pattern start in a packed choice.
const TRAITS_SHIFT: u32 = 16;

impl<V: Vector> TowerUses<V> {
    /// The uses of [`Pattern::Once`], with the choice of this number.
    #[inline(always)]
    pub(crate) fn once(masks: &DoubleMasks<V>, number: V) -> TowerUses<V> {
        TowerUses {
            fixed: masks.forced,
            from: masks.towers(),
            chosen: masks.steps_played,
            packed_choice: number.wrapping_add(masks.steps_played.look_up(&SUBSET_STARTS)),
        }
    }

    /// The uses of a pattern with the special point `x`, or 0 if it has none, and with the choice of this number. The
    /// forced steps are not among them.
    #[inline(always)]
    pub fn new(masks: &DoubleMasks<V>, pattern: V, x: V, number: V) -> TowerUses<V> {
        let y = x.shr(masks.die);
        let y_2 = y.shr(masks.die);
        let y_3 = y_2.shr(masks.die);

        // The other towers: how many, and out of which.
        let flags = pattern.look_up(&FLAGS);
        let chosen = masks.steps_played.wrapping_sub(flags & STEPS_BEYOND_OTHERS);
        let from = masks.towers_of_two().blend(has(flags, TWICE_EACH), masks.towers());
        let from = masks.can_run.blend(has(flags, RUN_EACH), from);
        let without_x = x.zero_unless(has(flags, WITHOUT_X));
        let without_y = y.zero_unless(has(flags, WITHOUT_Y));
        let subset = number.wrapping_add(chosen.look_up(&SUBSET_STARTS));

        // The uses of x and the points below it, by the checkers there.
        let [at_least_1, at_least_2, ..] = masks.at_least;
        let mut way = x.splat(0);
        if !V::skips_on_one_lane(has(flags, SEVERAL_WAYS)) {
            let [second, third, fourth] = [1, 2, 3].map(|way: u32| x.splat(way << 4));
            let through = second.zero_unless(y_2.test_any_bit(at_least_1));
            let through = third.blend(y.test_any_bit(at_least_1), through);
            let through = fourth.blend(y.test_any_bit(at_least_2), through);
            let is_through = pattern.lanes_equal(x.splat(Pattern::Through as u32));
            way = through.blend(is_through, second.zero_unless(x.test_any_bit(at_least_2)));
        }
        let uses = (pattern | way).look_up_byte(&POINT_USES);
        let of = |point: V, bit: u32| point.zero_unless(has(uses, 1 << bit));
        TowerUses {
            fixed: [of(x, 0) | of(y, 3) | of(y_2, 5) | of(y_3, 7), of(x, 1) | of(y, 4) | of(y_2, 6), of(x, 2)],
            from: from & !(without_x | without_y),
            chosen,
            packed_choice: subset | flags.shl_by::<TRAITS_SHIFT>(),
        }
    }
}

/// Adds the steps from the chosen towers to those that do not depend on the choice.
#[inline(always)]
pub fn with_others<V: Vector>(fixed: &Steps<V>, others: V, packed_choice: V, die: V) -> Steps<V> {
    let flags = packed_choice.shr_by::<TRAITS_SHIFT>();
    let twice = others.zero_unless(has(flags, TWICE_EACH));
    let once = (others | others.shr(die).zero_unless(has(flags, RUN_EACH))) & !twice;
    planes::join(fixed, &[once, twice, die.splat(0)])
}

/// Lanes in which a set of bits has this one.
#[inline(always)]
fn has<V: Vector>(bits: V, bit: u32) -> V::Lanes {
    bits.test_any_bit(bits.splat(bit))
}
