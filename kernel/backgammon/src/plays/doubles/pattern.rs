//! The patterns in which a double uses towers.

use core::ops::{Index, IndexMut};

/// How the steps of a double are spread over towers.
///
/// Most patterns have a *special point* `x`: they use `x`, and perhaps `y = x - d` and the two points below it, in a
/// fixed way. The remaining steps are taken from *other towers*, each used once unless the pattern says otherwise.
/// Plays come in the order of the patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pattern {
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

use Pattern::{
    FourTimes, Joins, LoneJoins, LoneRunAndTwice, LongRun, Once, Run, RunAndTwice, Thrice, ThriceAndRun, Through,
    Twice, TwoRuns, TwoTowersRun, TwoTwice,
};

impl Pattern {
    /// Every pattern, in order.
    pub(super) const ALL: [Pattern; 15] = [
        Once,
        Twice,
        Run,
        LoneRunAndTwice,
        RunAndTwice,
        Thrice,
        LoneJoins,
        Joins,
        LongRun,
        Through,
        FourTimes,
        TwoRuns,
        ThriceAndRun,
        TwoTwice,
        TwoTowersRun,
    ];

    /// What the plays of this pattern have in common.
    const fn shape(self) -> Shape {
        match self {
            Once => Shape::of(Special::None),
            Twice => Shape::of(Special::ByCheckers {
                lone: [1, 1, 0, 0],
                several: [2, 0, 0, 0],
            })
            .without_x(),
            Run => Shape::of(Special::Always([1, 1, 0, 0])),
            LoneRunAndTwice => Shape::of(Special::Always([1, 1, 0, 0])).others(Others::Twice),
            RunAndTwice => Shape::of(Special::Always([1, 1, 0, 0]))
                .others(Others::Twice)
                .without_x(),
            Thrice => Shape::of(Special::ByCheckers {
                lone: [1, 1, 1, 0],
                several: [3, 0, 0, 0],
            })
            .without_x(),
            LoneJoins => Shape::of(Special::Always([1, 2, 0, 0])).without_x().without_y(),
            Joins => Shape::of(Special::Always([1, 2, 0, 0])).without_y(),
            LongRun => Shape::of(Special::Always([1, 1, 1, 0])),
            Through => Shape::of(Special::ByCheckersBelow {
                none: [1, 1, 1, 1],
                one_two_steps_below: [1, 1, 2, 0],
                one_on_y: [1, 2, 1, 0],
                two_on_y: [1, 3, 0, 0],
            }),
            FourTimes => Shape::of(Special::Always([4, 0, 0, 0])),
            TwoRuns => Shape::of(Special::Always([2, 2, 0, 0])),
            ThriceAndRun => Shape::of(Special::Always([3, 1, 0, 0])),
            TwoTwice => Shape::of(Special::None).others(Others::Twice),
            TwoTowersRun => Shape::of(Special::None).others(Others::Run),
        }
    }

    /// Whether the entry of this pattern in [`TRAITS`] has a bit.
    #[inline(always)]
    pub(super) fn has(self, bit: u32) -> bool {
        TRAITS[self as usize] & bit != 0
    }

    /// Calls `body` with this pattern as a constant, so that it is compiled for each pattern separately.
    #[inline(always)]
    pub(super) fn as_constant<R>(self, body: impl FnOnce(Pattern) -> R) -> R {
        match self {
            Once => body(Once),
            Twice => body(Twice),
            Run => body(Run),
            LoneRunAndTwice => body(LoneRunAndTwice),
            RunAndTwice => body(RunAndTwice),
            Thrice => body(Thrice),
            LoneJoins => body(LoneJoins),
            Joins => body(Joins),
            LongRun => body(LongRun),
            Through => body(Through),
            FourTimes => body(FourTimes),
            TwoRuns => body(TwoRuns),
            ThriceAndRun => body(ThriceAndRun),
            TwoTwice => body(TwoTwice),
            TwoTowersRun => body(TwoTowersRun),
        }
    }
}

/// What the plays of a pattern have in common.
#[derive(Clone, Copy)]
struct Shape {
    special: Special,
    others: Others,
    /// Whether `x` may be one of the other towers.
    x_again: bool,
    /// Whether `y` may be one of the other towers.
    y_again: bool,
}

/// How often `x` and each of the three points below it are used.
type PointUses = [u8; 4];

/// How a special point is used, by the checkers that stand there and below.
#[derive(Clone, Copy)]
enum Special {
    /// There is no special point.
    None,
    /// In one way.
    Always(PointUses),
    /// By a lone checker on `x`, or by several.
    ByCheckers { lone: PointUses, several: PointUses },
    /// By what stands on `y` and on the point below `y`; the other one of the two is empty.
    ByCheckersBelow {
        none: PointUses,
        one_two_steps_below: PointUses,
        one_on_y: PointUses,
        two_on_y: PointUses,
    },
}

/// How each of the other towers is used.
#[derive(Clone, Copy)]
enum Others {
    /// Once.
    Once,
    /// Twice.
    Twice,
    /// By one checker that runs two steps.
    Run,
}

impl Shape {
    const fn of(special: Special) -> Shape {
        Shape {
            special,
            others: Others::Once,
            x_again: true,
            y_again: true,
        }
    }

    const fn others(self, others: Others) -> Shape {
        Shape { others, ..self }
    }

    const fn without_x(self) -> Shape {
        Shape { x_again: false, ..self }
    }

    const fn without_y(self) -> Shape {
        Shape { y_again: false, ..self }
    }

    /// How many more steps are played than other towers are chosen.
    const fn steps_beyond_others(&self) -> u32 {
        let [x, y, y_2, y_3] = self.special.uses(CountingMethod::First);
        let special = (x + y + y_2 + y_3) as u32;
        match self.others {
            Others::Once => special,
            // Two steps of each other tower, and four in all.
            Others::Twice | Others::Run => 4 - (4 - special) / 2,
        }
    }

    /// The bits of this shape in [`TRAITS`].
    const fn traits(&self) -> u32 {
        let mut traits = self.steps_beyond_others();
        match self.others {
            Others::Once => {}
            Others::Twice => traits |= TWICE_EACH,
            Others::Run => traits |= RUN_EACH,
        }
        if !self.x_again {
            traits |= WITHOUT_X;
        }
        if !self.y_again {
            traits |= WITHOUT_Y;
        }
        match self.special {
            Special::None => traits |= NO_SPECIAL_POINT,
            Special::Always(_) => {}
            Special::ByCheckers { .. } | Special::ByCheckersBelow { .. } => traits |= SEVERAL_WAYS,
        }
        if self.steps_beyond_others() == 4 {
            traits |= NO_OTHERS;
        }
        traits
    }
}

/// One of up to four ways to use a special point, in the order of the fields of [`Special`].
#[derive(Clone, Copy)]
pub(super) enum CountingMethod {
    First,
    Second,
    Third,
    Fourth,
}

impl CountingMethod {
    const ALL: [CountingMethod; 4] = [
        CountingMethod::First,
        CountingMethod::Second,
        CountingMethod::Third,
        CountingMethod::Fourth,
    ];

    /// The bits of this way in an index of [`POINT_USES`].
    pub(super) const fn index_bits(self) -> u32 {
        (self as u32) << 4
    }
}

impl Special {
    /// How often `x` and the points below it are used in this way.
    const fn uses(&self, way: CountingMethod) -> PointUses {
        match *self {
            Special::None => [0; 4],
            Special::Always(uses) => uses,
            Special::ByCheckers { lone, several } => match way {
                CountingMethod::First => lone,
                _ => several,
            },
            Special::ByCheckersBelow {
                none,
                one_two_steps_below,
                one_on_y,
                two_on_y,
            } => match way {
                CountingMethod::First => none,
                CountingMethod::Second => one_two_steps_below,
                CountingMethod::Third => one_on_y,
                CountingMethod::Fourth => two_on_y,
            },
        }
    }
}

/// Bits of an entry of [`TRAITS`]: how many more steps are played than other towers are chosen.
pub(super) const STEPS_BEYOND_OTHERS: u32 = 7;
/// Each of the other towers is used twice.
pub(super) const TWICE_EACH: u32 = 1 << 3;
/// A checker of each of the other towers runs two steps.
pub(super) const RUN_EACH: u32 = 1 << 4;
/// `x` is not among the other towers.
pub(super) const WITHOUT_X: u32 = 1 << 5;
/// `y` is not among the other towers.
pub(super) const WITHOUT_Y: u32 = 1 << 6;
/// The special point is used in one of several ways.
pub(super) const SEVERAL_WAYS: u32 = 1 << 7;
/// There is no special point.
pub(super) const NO_SPECIAL_POINT: u32 = 1 << 8;
/// The special point takes all steps, so that no other towers are chosen.
pub(super) const NO_OTHERS: u32 = 1 << 9;

/// The [shape](Shape) of each pattern as bits, for lanes to look up.
pub(super) static TRAITS: [u32; 16] = {
    let mut traits = [0; 16];
    let mut this = 0;
    while this < Pattern::ALL.len() {
        traits[this] = Pattern::ALL[this].shape().traits();
        this += 1;
    }
    traits
};

/// How often `x` and the three points below it are used, in [bits](point_bits), for lanes to look up. The index is a
/// pattern and the [bits](CountingMethod::index_bits) of a way.
pub(super) static POINT_USES: [u8; 64] = {
    let mut uses = [0; 64];
    let mut way = 0;
    while way < CountingMethod::ALL.len() {
        let mut this = 0;
        while this < Pattern::ALL.len() {
            let special = Pattern::ALL[this].shape().special;
            let index = CountingMethod::ALL[way].index_bits() as usize | this;
            uses[index] = point_bits(special.uses(CountingMethod::ALL[way]));
            this += 1;
        }
        way += 1;
    }
    uses
};

/// The uses of `x` and the points below it in as many bits as each can need: 3, 2, 2 and 1.
const fn point_bits([x, y, y_2, y_3]: PointUses) -> u8 {
    assert!(x < 8 && y < 4 && y_2 < 4 && y_3 < 2);
    x | y << 3 | y_2 << 5 | y_3 << 7
}

/// One value for each pattern.
#[derive(Clone, Copy)]
pub(super) struct ByPattern<T>(pub(super) [T; Pattern::ALL.len()]);

impl<T> Index<Pattern> for ByPattern<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, pattern: Pattern) -> &T {
        &self.0[pattern as usize]
    }
}

impl<T> IndexMut<Pattern> for ByPattern<T> {
    #[inline(always)]
    fn index_mut(&mut self, pattern: Pattern) -> &mut T {
        &mut self.0[pattern as usize]
    }
}
