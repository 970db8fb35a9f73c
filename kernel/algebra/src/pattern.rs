//! The patterns in which a double uses towers.

/// How the steps of a double are spread over towers, the points from which a checker can step.
///
/// Most patterns have a *special point* `x`: they use `x`, and perhaps `y = x - die` and the two points below it, in a
/// fixed way. The remaining steps are taken from *other towers*, each used once unless the pattern says otherwise.
/// Plays come in the order of the patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Towers used once each.
    Once,
    /// `x` twice by two checkers, or a lone checker that runs from `x` over an empty `y`.
    Twice,
    /// A run from a tower of two or more over an empty `y`; `x` may be used again.
    Run,
    /// A lone checker's run, and another tower twice.
    LoneRunAndTwice,
    /// A run from two or more, and another tower twice.
    RunAndTwice,
    /// `x` three times, or a lone checker that runs three steps.
    Thrice,
    /// A lone checker joins one on `y`, which is used twice.
    LoneJoins,
    /// A checker of two or more joins one on `y`, which is used twice; `x` may be used again.
    Joins,
    /// Three steps of one checker from a tower of two or more; `x` may be used again.
    LongRun,
    /// Four uses from `x` on through `y`. The checkers below `x` leave one way.
    Through,
    /// `x` four times.
    FourTimes,
    /// Two checkers of one tower run two steps each.
    TwoRuns,
    /// `x` three times, and one of the checkers runs two steps.
    ThriceAndRun,
    /// Two towers twice each.
    TwoTwice,
    /// Two towers, and a checker of each runs two steps.
    TwoTowersRun,
}

impl Pattern {
    /// Every pattern, in order.
    pub const ALL: [Pattern; PATTERNS] = {
        let mut all = [Pattern::Once; PATTERNS];
        let mut index = 0;
        while index < PATTERNS {
            all[SHAPES[index].pattern as usize] = SHAPES[index].pattern;
            index += 1;
        }
        all
    };

    /// Whether the plays of this pattern have a trait, such as [`TWICE_EACH`].
    #[inline(always)]
    pub const fn has(self, bit: u32) -> bool {
        FLAGS[self as usize] & bit != 0
    }

    /// Whether its plays have a special point.
    #[inline(always)]
    pub const fn has_special_point(self) -> bool {
        !matches!(self, Pattern::Once | Pattern::TwoTwice | Pattern::TwoTowersRun)
    }

    /// Whether its plays choose other towers: not if the special point takes all steps.
    #[inline(always)]
    pub const fn has_others(self) -> bool {
        FLAGS[self as usize] & STEPS_BEYOND_OTHERS != 4
    }
}

/// The number of patterns.
pub(crate) const PATTERNS: usize = Pattern::TwoTowersRun as usize + 1;

/// How often `x` and each of the three points below it are used.
type PointUses = [u8; 4];

/// The most ways to use the special point of a pattern.
const WAYS: usize = 4;

/// Bits of an entry of [`FLAGS`]: the number of steps, minus the number of other towers that are chosen.
pub(crate) const STEPS_BEYOND_OTHERS: u32 = 7;
/// Each of the other towers is used twice.
pub const TWICE_EACH: u32 = 1 << 3;
/// A checker of each of the other towers runs two steps.
pub const RUN_EACH: u32 = 1 << 4;
/// `x` is not among the other towers.
pub(crate) const WITHOUT_X: u32 = 1 << 5;
/// `y` is not among the other towers.
pub(crate) const WITHOUT_Y: u32 = 1 << 6;
/// The special point is used in one of several ways.
pub(crate) const SEVERAL_WAYS: u32 = 1 << 7;

/// The flags that the plays of a pattern share.
struct Shape {
    pattern: Pattern,
    /// The ways to use the special point: for most patterns one. Two or three steps from `x` are a run of one checker,
    /// or steps of several checkers. `Through` has a way for each arrangement below `x`: nothing, one checker two steps
    /// below, one on `y`, two on `y`.
    ways: [PointUses; WAYS],
    flags: u32,
}

const SHAPES: [Shape; PATTERNS] = [
    shape(Pattern::Once, [[0; 4]; WAYS], 0, 0),
    shape(Pattern::Twice, by_checkers([1, 1, 0, 0], [2, 0, 0, 0]), 2, WITHOUT_X | SEVERAL_WAYS),
    shape(Pattern::Run, [[1, 1, 0, 0]; WAYS], 2, 0),
    shape(Pattern::LoneRunAndTwice, [[1, 1, 0, 0]; WAYS], 3, TWICE_EACH),
    shape(Pattern::RunAndTwice, [[1, 1, 0, 0]; WAYS], 3, TWICE_EACH | WITHOUT_X),
    shape(Pattern::Thrice, by_checkers([1, 1, 1, 0], [3, 0, 0, 0]), 3, WITHOUT_X | SEVERAL_WAYS),
    shape(Pattern::LoneJoins, [[1, 2, 0, 0]; WAYS], 3, WITHOUT_X | WITHOUT_Y),
    shape(Pattern::Joins, [[1, 2, 0, 0]; WAYS], 3, WITHOUT_Y),
    shape(Pattern::LongRun, [[1, 1, 1, 0]; WAYS], 3, 0),
    shape(Pattern::Through, THROUGH, 4, SEVERAL_WAYS),
    shape(Pattern::FourTimes, [[4, 0, 0, 0]; WAYS], 4, 0),
    shape(Pattern::TwoRuns, [[2, 2, 0, 0]; WAYS], 4, 0),
    shape(Pattern::ThriceAndRun, [[3, 1, 0, 0]; WAYS], 4, 0),
    shape(Pattern::TwoTwice, [[0; 4]; WAYS], 2, TWICE_EACH),
    shape(Pattern::TwoTowersRun, [[0; 4]; WAYS], 2, RUN_EACH),
];

/// The ways of [`Pattern::Through`].
const THROUGH: [PointUses; WAYS] = [[1, 1, 1, 1], [1, 1, 2, 0], [1, 2, 1, 0], [1, 3, 0, 0]];

const fn by_checkers(lone: PointUses, several: PointUses) -> [PointUses; WAYS] {
    [lone, several, [0; 4], [0; 4]]
}

const fn shape(pattern: Pattern, ways: [PointUses; WAYS], steps_beyond_others: u32, flags: u32) -> Shape {
    Shape { pattern, ways, flags: flags | steps_beyond_others }
}

/// The flags of each pattern as bits, for lanes to look up.
pub(crate) const FLAGS: [u32; 16] = {
    let mut flags = [0; 16];
    let mut index = 0;
    while index < PATTERNS {
        flags[SHAPES[index].pattern as usize] = SHAPES[index].flags;
        index += 1;
    }
    flags
};

/// How often `x` and the three points below it are used, in 3, 2, 2 and 1 bits, for lanes to look up. The index is a
/// pattern and, above its four bits, the number of the way.
pub(crate) const POINT_USES: [u8; 64] = {
    let mut uses = [0; 64];
    let mut way = 0;
    while way < WAYS {
        let mut index = 0;
        while index < PATTERNS {
            let [x, y, y_2, y_3] = SHAPES[index].ways[way];
            uses[way << 4 | SHAPES[index].pattern as usize] = x | y << 3 | y_2 << 5 | y_3 << 7;
            index += 1;
        }
        way += 1;
    }
    uses
};
