//! The kinds of tower uses. In each, one special point `x` (with `y = x - d` and so on below it) is
//! combined with a choice of other towers, each used once unless said otherwise.

/// Towers used once each.
pub(super) const ONCE: usize = 0;
/// `x` twice by two checkers, or a lone checker running from `x` over an empty `y`.
pub(super) const TWICE: usize = 1;
/// A run from a tower of two or more over an empty `y`; `x` may be used again.
pub(super) const RUN: usize = 2;
/// A lone checker's run, and another tower twice.
pub(super) const LONE_RUN_AND_TWICE: usize = 3;
/// A run from two or more, and another tower twice.
pub(super) const RUN_AND_TWICE: usize = 4;
/// `x` three times, or a lone checker running three steps.
pub(super) const THRICE: usize = 5;
/// A lone checker joins one on `y`, which is used twice.
pub(super) const LONE_JOINS: usize = 6;
/// A checker of two or more joins one on `y`, which is used twice.
pub(super) const JOINS: usize = 7;
/// Three steps from a tower of two or more; `x` may be used again.
pub(super) const LONG_RUN: usize = 8;
/// Four uses that run through `y`, of which only one way exists.
pub(super) const THROUGH: usize = 9;
/// `x` four times.
pub(super) const FOUR_TIMES: usize = 10;
/// Two checkers running two steps each from one tower.
pub(super) const TWO_RUNS: usize = 11;
/// `x` three times, one of the checkers running two steps.
pub(super) const THRICE_AND_RUN: usize = 12;
/// Two towers twice each.
pub(super) const TWO_TWICE: usize = 13;
/// Two towers whose checkers run two steps.
pub(super) const TWO_TOWERS_RUN: usize = 14;
pub(super) const NUMBER: usize = 15;
/// The next power of two: so many are halved down to one.
pub(super) const ROOM: usize = NUMBER.next_power_of_two();

/// How many of the uses a kind has at `x` and below it; the others are of other towers.
pub(super) const USES: u32 = 7;
/// The other towers are used twice each.
pub(super) const TWICE_EACH: u32 = 1 << 3;
/// A checker of each of the other towers runs two steps.
pub(super) const RUN_EACH: u32 = 1 << 4;
/// `x` is not among the other towers.
pub(super) const WITHOUT_X: u32 = 1 << 5;
/// `y` is not among the other towers.
pub(super) const WITHOUT_Y: u32 = 1 << 6;
/// There are several ways to play it.
pub(super) const WAYS: u32 = 1 << 7;

/// What is true of each kind.
pub(super) static TRAITS: [u32; 16] = {
    let mut traits = [0; 16];
    traits[TWICE] = 2 | WITHOUT_X | WAYS;
    traits[RUN] = 2;
    traits[LONE_RUN_AND_TWICE] = 3 | TWICE_EACH;
    traits[RUN_AND_TWICE] = 3 | TWICE_EACH | WITHOUT_X;
    traits[THRICE] = 3 | WITHOUT_X | WAYS;
    traits[LONE_JOINS] = 3 | WITHOUT_X | WITHOUT_Y;
    traits[JOINS] = 3 | WITHOUT_Y;
    traits[LONG_RUN] = 3;
    traits[THROUGH] = 4 | WAYS;
    traits[FOUR_TIMES] = 4;
    traits[TWO_RUNS] = 4;
    traits[THRICE_AND_RUN] = 4;
    traits[TWO_TWICE] = 2 | TWICE_EACH;
    traits[TWO_TOWERS_RUN] = 2 | RUN_EACH;
    traits
};

/// From a kind's entry of [`POINT_USES`] to that of its next way.
pub(super) const WAY: u32 = 16;

/// How often `x` and the three points below it are used, for each kind and each way to play it. [`THROUGH`]
/// is played from `x` alone, or with a checker on the second point below `x`, one on `y`, or two there;
/// [`TWICE`] and [`THRICE`] by a lone checker, or with others on `x`.
pub(super) static POINT_USES: [u8; 64] = {
    let mut uses = [0; 64];
    let mut way = 0;
    while way < 4 {
        let of_kind = &mut uses.as_chunks_mut::<{ WAY as usize }>().0[way];
        let lone = way == 0;
        of_kind[TWICE] = if lone {
            points(1, 1, 0, 0)
        } else {
            points(2, 0, 0, 0)
        };
        of_kind[RUN] = points(1, 1, 0, 0);
        of_kind[LONE_RUN_AND_TWICE] = points(1, 1, 0, 0);
        of_kind[RUN_AND_TWICE] = points(1, 1, 0, 0);
        of_kind[THRICE] = if lone {
            points(1, 1, 1, 0)
        } else {
            points(3, 0, 0, 0)
        };
        of_kind[LONE_JOINS] = points(1, 2, 0, 0);
        of_kind[JOINS] = points(1, 2, 0, 0);
        of_kind[LONG_RUN] = points(1, 1, 1, 0);
        of_kind[THROUGH] = match way {
            0 => points(1, 1, 1, 1),
            1 => points(1, 1, 2, 0),
            2 => points(1, 2, 1, 0),
            _ => points(1, 3, 0, 0),
        };
        of_kind[FOUR_TIMES] = points(4, 0, 0, 0);
        of_kind[TWO_RUNS] = points(2, 2, 0, 0);
        of_kind[THRICE_AND_RUN] = points(3, 1, 0, 0);
        way += 1;
    }
    uses
};

/// The uses of four points in the bits that they need at most: 3, 2, 2 and 1.
const fn points(x: u8, y: u8, y_2: u8, y_3: u8) -> u8 {
    x | y << 3 | y_2 << 5 | y_3 << 7
}
