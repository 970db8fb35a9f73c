//! Plays of doubles: counted in closed form by [`Pattern`], and picked by index.

use tavli_simd::{Schedule, Vector};

use super::bear_off::not_below;
use super::pattern::{
    PATTERNS, POINT_USES, Pattern, RUN_EACH, SEVERAL_WAYS, STEPS_BEYOND_OTHERS, TRAITS, TWICE_EACH, WITHOUT_X,
    WITHOUT_Y,
};
use super::planes::{self, CheckerPlanes, Steps};
use super::subsets::{CHOOSE_3, CHOOSE_4, SUBSET_STARTS, SUBSETS};
use super::turn::Turn;
use crate::position::{OFF_BIT, ON_BOARD};

/// The masks that the plays of a double are counted from. They are apart from the counts so that a batch can select
/// the plays of some lanes while it counts those of others.
#[derive(Clone, Copy)]
pub(crate) struct DoubleMasks<V: Vector> {
    pub(super) die: V,
    /// Counts after the steps that every play has.
    counts: CheckerPlanes<V>,
    /// The steps that every play has: those of the runner until it has passed.
    forced: Steps<V>,
    /// Steps left to play after these.
    allowed: V,
    /// Steps that are played after these, without those that a larger die bears off.
    pub(super) used: V,
    bears_off: V::Lanes,
    /// Points with at least one, two, three, four checkers.
    at_least: [V; 4],
    /// Points from which a checker can step.
    step: V,
    /// Those of them with checkers from which a checker can step over an empty point and on.
    run: V,
}

impl<V: Vector> DoubleMasks<V> {
    /// The masks of the plays of four times `die`. `RUNS` must be set if the runner of some lane may not have passed,
    /// and `BEAR_OFF` if some lane bears off before the roll.
    #[inline(always)]
    pub(crate) fn new<const RUNS: bool, const BEAR_OFF: bool>(turn: &Turn<V>, die: V) -> DoubleMasks<V> {
        let zero = die.splat(0);
        let mut bears_off = zero.lanes(0);
        if BEAR_OFF {
            bears_off = turn.bears_off();
        }
        let masks = DoubleMasks::of(turn.counts, turn.open, die, die.splat(4), bears_off);
        let starting = !turn.runner.is_zero();
        if !RUNS || V::may_skip(starting) {
            return masks;
        }
        // The runner goes until it has passed, is blocked, or no step is left.
        let landing_open = turn.open.shl(die);
        let mut forced = [zero; 3];
        let mut at = turn.runner;
        let mut left = die.splat(4);
        for _ in 0..4 {
            let goes = at & landing_open & !turn.passed;
            forced = planes::join(&forced, &[goes, zero, zero]);
            at = goes.shr(die).blend(!goes.is_zero(), at);
            left = left.wrapping_sub(goes.count_ones());
        }
        let left = left.zero_unless(turn.has_passed(at) | !starting);
        let mut counts = turn.counts;
        planes::Delta::from_steps(&forced, die).make(&mut counts);
        DoubleMasks {
            forced,
            ..DoubleMasks::of(counts, turn.open, die, left, bears_off)
        }
    }

    /// The masks of the plays of up to `steps` times `die`, with these counts and open points.
    #[inline(always)]
    pub(super) fn of(counts: CheckerPlanes<V>, open: V, die: V, steps: V, bears_off: V::Lanes) -> DoubleMasks<V> {
        let zero = die.splat(0);
        let step = (open | die.splat(OFF_BIT).zero_unless(bears_off)).shl(die) & ON_BOARD;
        let at_least = planes::at_least(&counts);
        let [at_least_1, at_least_2, at_least_3, at_least_4] = at_least;
        let step_2 = step & step.shl(die);
        let step_3 = step_2 & step.shl(die).shl(die);
        let step_4 = step_3 & step.shl(die).shl(die).shl(die);
        // Steps that can be played, exact up to four.
        let possible = (at_least_1 & step).count_ones_with([
            at_least_2 & step,
            at_least_3 & step,
            at_least_4 & step,
            at_least_1 & step_2,
            at_least_2 & step_2,
            at_least_1 & step_3,
            at_least_1 & step_4,
        ]);
        let through_empty = (step & !at_least_1).shl(die);
        DoubleMasks {
            die,
            counts,
            forced: [zero; 3],
            allowed: steps,
            used: steps.min(possible),
            bears_off,
            at_least,
            step,
            run: at_least_1 & step & through_empty,
        }
    }

    /// Towers: points with checkers from which a checker can step.
    #[inline(always)]
    fn towers(&self) -> V {
        self.at_least[0] & self.step
    }

    /// Towers of two or more checkers.
    #[inline(always)]
    fn towers_of_two(&self) -> V {
        self.at_least[1] & self.step
    }

    /// How many steps may remain for a die larger than the rearmost point after all others are played.
    #[inline(always)]
    pub(crate) fn by_larger_die(&self) -> V {
        self.allowed.wrapping_sub(self.used).zero_unless(self.bears_off)
    }
}

/// The plays of a double.
#[derive(Clone, Copy)]
pub(crate) struct DoublePlays<V: Vector> {
    pub(super) masks: DoubleMasks<V>,
    patterns: [PatternPlays<V>; PATTERNS],
    /// The index after the last play of each pattern.
    cumulative: [V; PATTERNS],
}

/// The plays of a double that follow one pattern.
#[derive(Clone, Copy)]
struct PatternPlays<V> {
    /// The special points, or none.
    special: V,
    /// The number of choices of other towers beside each special point; 1 if there is none.
    choices: V,
    /// The number of plays.
    number: V,
}

impl<V: Vector> PatternPlays<V> {
    /// Plays that differ in the choice of towers only.
    #[inline(always)]
    fn chosen(number: V) -> Self {
        PatternPlays {
            special: number.splat(0),
            choices: number.splat(1),
            number,
        }
    }

    /// Plays that choose other towers beside each special point.
    #[inline(always)]
    fn beside(special: V, choices: V) -> Self {
        PatternPlays {
            special,
            choices,
            number: special.count_ones().mul_lo16(choices),
        }
    }

    /// Plays that leave no choice beside each special point, in some lanes.
    #[inline(always)]
    fn alone(special: V, lanes: V::Lanes) -> Self {
        PatternPlays {
            special,
            choices: special.splat(1),
            number: special.count_ones().zero_unless(lanes),
        }
    }
}

/// Where a play stands among those of its pattern.
#[derive(Clone, Copy)]
pub(crate) struct DoubleSlot<V: Vector> {
    masks: DoubleMasks<V>,
    group: Group<V>,
    /// The index among the plays of the pattern.
    index: V,
}

/// The plays of the pattern that an index falls on.
#[derive(Clone, Copy)]
struct Group<V> {
    /// The index of the first.
    start: V,
    /// The pattern as a number.
    pattern: V,
    /// The special points of the pattern, and the number of choices beside each.
    special: V,
    choices: V,
}

impl<V: Vector> Group<V> {
    /// This in the given lanes, `other` elsewhere.
    #[inline(always)]
    fn blend(self, lanes: V::Lanes, other: Self) -> Self {
        Group {
            start: self.start.blend(lanes, other.start),
            pattern: self.pattern.blend(lanes, other.pattern),
            special: self.special.blend(lanes, other.special),
            choices: self.choices.blend(lanes, other.choices),
        }
    }
}

impl<V: Vector> DoubleMasks<V> {
    /// Counts the plays.
    #[inline(always)]
    pub(crate) fn count(self) -> DoublePlays<V> {
        let DoubleMasks {
            die,
            used,
            at_least: [at_least_1, at_least_2, at_least_3, at_least_4],
            step,
            run,
            ..
        } = self;
        let one = die.splat(1);
        let towers = self.towers();
        let towers_of_two = self.towers_of_two();
        let number = towers.count_ones();
        let number_of_two = towers_of_two.count_ones();
        let four = used.equals(die.splat(4));
        let played = Played {
            two_or_more: one.less(used),
            three_or_more: die.splat(2).less(used),
            four,
        };

        // Steps through points with no, one, two own checkers.
        let through_empty = (step & !at_least_1).shl(die);
        let through_one = (step & at_least_1 & !at_least_2).shl(die);
        let through_two = (step & at_least_2 & !at_least_3).shl(die);
        let run_of_two = run & at_least_2;
        let lone_run = run & !at_least_2;
        let join = towers & through_one;
        let long_run = run & through_empty.shl(die);
        let through = (towers & through_two)
            | (join & through_empty.shl(die))
            | (run & through_one.shl(die))
            | (long_run & through_empty.shl(die).shl(die));

        let once = one.blend(used.is_zero(), number);
        let once = number.pairs().blend(used.equals(die.splat(2)), once);
        let once = number.look_up(&CHOOSE_3).blend(used.equals(die.splat(3)), once);
        let once = number.look_up(&CHOOSE_4).blend(four, once);

        let others = number.wrapping_sub(one);
        let other_two = number_of_two.wrapping_sub(one);
        let runs = run.count_ones();
        let lone_runs = runs.wrapping_sub(run_of_two.count_ones());
        // In the order of the patterns.
        let patterns = [
            PatternPlays::chosen(once),
            PatternPlays::beside((at_least_2 & step) | lone_run, played.beside_two(others)),
            PatternPlays::beside(run_of_two, played.beside_two(number)),
            PatternPlays {
                special: lone_run,
                choices: number_of_two.zero_unless(four),
                number: lone_runs.mul_lo16(number_of_two.zero_unless(four)),
            },
            PatternPlays::beside(run_of_two, other_two.zero_unless(four)),
            PatternPlays::beside(
                (at_least_3 & step) | (long_run & !at_least_2),
                played.beside_three(others),
            ),
            PatternPlays::beside(
                join & !at_least_2,
                played.beside_three(number.wrapping_sub(die.splat(2))),
            ),
            PatternPlays::beside(join & at_least_2, played.beside_three(others)),
            PatternPlays::beside(long_run & at_least_2, played.beside_three(number)),
            PatternPlays::alone(through, four),
            PatternPlays::alone(at_least_4 & step, four),
            PatternPlays::alone(run_of_two, four),
            PatternPlays::alone(run & at_least_3, four),
            PatternPlays::chosen(number_of_two.pairs().zero_unless(four)),
            PatternPlays::chosen(runs.pairs().zero_unless(four)),
        ];
        DoublePlays {
            masks: self,
            patterns,
            cumulative: cumulative(&patterns),
        }
    }
}

/// Lanes by how many steps are played.
struct Played<V: Vector> {
    two_or_more: V::Lanes,
    three_or_more: V::Lanes,
    four: V::Lanes,
}

impl<V: Vector> Played<V> {
    /// The number of choices among `towers`, each used once, for the steps beside a special point used twice.
    #[inline(always)]
    fn beside_two(&self, towers: V) -> V {
        let chosen = towers.blend(self.three_or_more, towers.splat(1));
        let chosen = towers.pairs().blend(self.four, chosen);
        chosen.zero_unless(self.two_or_more)
    }

    /// The ways to move the fourth checker, beside a special point that is used three times.
    #[inline(always)]
    fn beside_three(&self, towers: V) -> V {
        let chosen = towers.blend(self.four, towers.splat(1));
        chosen.zero_unless(self.three_or_more)
    }
}

/// The index after the last play of each pattern: running sums.
#[inline(always)]
fn cumulative<V: Vector>(patterns: &[PatternPlays<V>; PATTERNS]) -> [V; PATTERNS] {
    let mut cumulative = [patterns[0].number; PATTERNS];
    for this in 0..PATTERNS {
        cumulative[this] = patterns[this].number;
    }
    if V::SCHEDULE != Schedule::Interleaved {
        for this in 1..PATTERNS {
            cumulative[this] = cumulative[this].wrapping_add(cumulative[this - 1]);
        }
        return cumulative;
    }
    // Sums of two, four, eight patterns first, so that none waits for all before it.
    let mut reach = 1;
    while reach < PATTERNS {
        for this in (0..PATTERNS).rev() {
            if this & reach != 0 {
                cumulative[this] = cumulative[this].wrapping_add(cumulative[(this & !(reach - 1)) - 1]);
            }
        }
        reach *= 2;
    }
    cumulative
}

impl<V: Vector> DoublePlays<V> {
    /// The number of plays. A pass is one play.
    #[inline(always)]
    pub(crate) fn plays(&self) -> V {
        self.cumulative[PATTERNS - 1]
    }

    /// The die.
    #[inline(always)]
    pub(crate) fn die(&self) -> V {
        self.masks.die
    }

    /// The uses of towers in the play of this index, which must be below [`DoublePlays::plays`].
    #[inline(always)]
    pub(crate) fn uses(&self, index: V) -> TowerUses<V> {
        if V::may_skip(!index.less(self.cumulative[0])) {
            return TowerUses::once(&self.masks, index);
        }
        let slot = self.slot(index);
        let (point, number) = slot.point_and_number();
        slot.uses(point, number)
    }

    /// Where the play of this index stands. The index must be below [`DoublePlays::plays`].
    #[inline(always)]
    pub(crate) fn slot(&self, index: V) -> DoubleSlot<V> {
        let group = self.group(index);
        DoubleSlot {
            masks: self.masks,
            group,
            index: index.wrapping_sub(group.start),
        }
    }

    /// The plays of the pattern that an index falls on.
    #[inline(always)]
    fn group(&self, index: V) -> Group<V> {
        let first = Group {
            start: index.splat(0),
            pattern: index.splat(Pattern::Once as u32),
            special: self.patterns[0].special,
            choices: self.patterns[0].choices,
        };
        if V::SCHEDULE != Schedule::Interleaved {
            let mut found = first;
            for this in 1..PATTERNS {
                let past = !index.less(self.cumulative[this - 1]);
                if V::may_skip(past) {
                    break;
                }
                let PatternPlays { special, choices, .. } = self.patterns[this];
                found = Group {
                    start: self.cumulative[this - 1].blend(past, found.start),
                    // The next number needs no constant.
                    pattern: found.pattern.add_one(past),
                    special: special.blend(past, found.special),
                    choices: choices.blend(past, found.choices),
                };
            }
            return found;
        }
        // As many as can be halved down to one.
        let mut groups = [first; PATTERNS.next_power_of_two()];
        for this in 1..PATTERNS {
            groups[this] = Group {
                start: self.cumulative[this - 1],
                pattern: index.splat(this as u32),
                special: self.patterns[this].special,
                choices: self.patterns[this].choices,
            };
        }
        // Neighbours are joined until one group is left. The index falls on the later one if it is past the end of
        // the last pattern of the earlier one.
        let mut half = 1;
        while half < groups.len() {
            let mut node = 0;
            while node * half * 2 < groups.len() {
                let last = (2 * node + 1) * half - 1;
                let (earlier, later) = (groups[2 * node], groups[2 * node + 1]);
                groups[node] = if last < PATTERNS - 1 {
                    later.blend(!index.less(self.cumulative[last]), earlier)
                } else {
                    earlier
                };
                node += 1;
            }
            half *= 2;
        }
        groups[0]
    }

    /// The steps of a play, by the points they start from.
    #[inline(always)]
    pub(crate) fn steps<const BEAR_OFF: bool>(&self, uses: &TowerUses<V>) -> Steps<V> {
        let DoubleMasks { die, counts, .. } = self.masks;
        let others = uses.from.deposit(&SUBSETS, uses.choice);
        let steps = with_others(&uses.fixed, others, uses.choice, die);
        if BEAR_OFF {
            with_larger_die(&counts, steps, self.masks.by_larger_die(), die)
        } else {
            steps
        }
    }
}

impl<V: Vector> DoubleSlot<V> {
    /// The special point of the play, or 0 if its pattern has none, and the number of its choice of other towers.
    #[inline(always)]
    pub(crate) fn point_and_number(&self) -> (V, V) {
        let Group { special, choices, .. } = self.group;
        let rank = self.index.div(choices).zero_unless(!special.is_zero());
        let number = self.index.wrapping_sub(rank.mul_lo16(choices));
        (special.nth_bit(rank), number)
    }

    /// The uses of towers in the play, whose special point and number of a choice are these.
    #[inline(always)]
    pub(crate) fn uses(&self, point: V, number: V) -> TowerUses<V> {
        TowerUses::new(&self.masks, self.group.pattern, point, number)
    }
}

/// The uses of towers in one play. The plays of one pattern and special point differ in the choice of other towers
/// only.
#[derive(Clone, Copy)]
pub(crate) struct TowerUses<V: Vector> {
    /// The steps that do not depend on the choice.
    pub(crate) fixed: Steps<V>,
    /// The towers that others are chosen from.
    pub(crate) from: V,
    /// The index of the chosen ones in [`SUBSETS`], and above it the [`TRAITS`] of the pattern.
    pub(crate) choice: V,
}

/// Where the traits of a pattern start in a choice.
const TRAITS_SHIFT: u32 = 16;

impl<V: Vector> TowerUses<V> {
    /// The uses of [`Pattern::Once`], with the choice of this number.
    #[inline(always)]
    fn once(masks: &DoubleMasks<V>, number: V) -> TowerUses<V> {
        TowerUses {
            fixed: masks.forced,
            from: masks.towers(),
            choice: number.wrapping_add(masks.used.look_up(&SUBSET_STARTS)),
        }
    }

    /// The uses of a pattern with the special point `x`, or 0 if it has none, and with the choice of this number.
    #[inline(always)]
    fn new(masks: &DoubleMasks<V>, pattern: V, x: V, number: V) -> TowerUses<V> {
        let y = x.shr(masks.die);
        let y_2 = y.shr(masks.die);
        let y_3 = y_2.shr(masks.die);

        // The other towers: how many, and out of which.
        let traits = pattern.look_up(&TRAITS);
        let chosen = masks.used.wrapping_sub(traits & STEPS_BEYOND_OTHERS);
        let from = masks.towers_of_two().blend(has(traits, TWICE_EACH), masks.towers());
        let from = masks.run.blend(has(traits, RUN_EACH), from);
        let without_x = x.zero_unless(has(traits, WITHOUT_X));
        let without_y = y.zero_unless(has(traits, WITHOUT_Y));
        let subset = number.wrapping_add(chosen.look_up(&SUBSET_STARTS));

        // The uses of x and the points below it, by what stands there.
        let [at_least_1, at_least_2, ..] = masks.at_least;
        let mut way = x.splat(0);
        if !V::may_skip(has(traits, SEVERAL_WAYS)) {
            let [second, third, fourth] = [1, 2, 3].map(|way: u32| way << 4);
            let through = x.splat(second).zero_unless(y_2.test_any_bit(at_least_1));
            let through = x.splat(third).blend(y.test_any_bit(at_least_1), through);
            let through = x.splat(fourth).blend(y.test_any_bit(at_least_2), through);
            let is_through = pattern.equals(x.splat(Pattern::Through as u32));
            way = through.blend(is_through, x.splat(second).zero_unless(x.test_any_bit(at_least_2)));
        }
        let uses = (pattern | way).look_up_byte(&POINT_USES);
        let of = |point: V, bit: u32| point.zero_unless(has(uses, 1 << bit));
        let fixed = [
            of(x, 0) | of(y, 3) | of(y_2, 5) | of(y_3, 7),
            of(x, 1) | of(y, 4) | of(y_2, 6),
            of(x, 2),
        ];
        TowerUses {
            fixed: planes::join(&fixed, &masks.forced),
            from: from & !(without_x | without_y),
            choice: subset | traits.shl_by::<TRAITS_SHIFT>(),
        }
    }
}

/// Adds the steps from the chosen towers to those that do not depend on the choice.
#[inline(always)]
pub(crate) fn with_others<V: Vector>(fixed: &Steps<V>, others: V, choice: V, die: V) -> Steps<V> {
    let traits = choice.shr_by::<TRAITS_SHIFT>();
    let twice = others.zero_unless(has(traits, TWICE_EACH));
    let once = (others | others.shr(die).zero_unless(has(traits, RUN_EACH))) & !twice;
    planes::join(fixed, &[once, twice, die.splat(0)])
}

/// Lanes in which a set of bits has this one.
#[inline(always)]
fn has<V: Vector>(bits: V, bit: u32) -> V::Lanes {
    bits.test_any_bit(bits.splat(bit))
}

/// Adds to `steps` those that bear off by a die larger than the rearmost point, of which `left` may remain.
/// They are played only after every other step, so they follow from the rest of the play.
#[inline(always)]
pub(crate) fn with_larger_die<V: Vector>(counts: &CheckerPlanes<V>, steps: Steps<V>, left: V, die: V) -> Steps<V> {
    if V::may_skip(!left.is_zero()) {
        return steps;
    }
    let mut counts = *counts;
    planes::Delta::from_steps(&steps, die).make(&mut counts);
    let mut at_least = planes::at_least(&counts);
    let left = left.zero_unless((at_least[0] & not_below(die)).is_zero());
    let mut rearmost = [die.splat(0); 4];
    for (number, source) in rearmost.iter_mut().enumerate() {
        let goes = die.splat(number as u32).less(left);
        if V::may_skip(goes) {
            break;
        }
        *source = at_least[0].highest_bit().zero_unless(goes);
        for this in 0..3 {
            at_least[this] = at_least[this] & (at_least[this + 1] | !*source);
        }
        at_least[3] = at_least[3] & !*source;
    }
    planes::join(&steps, &planes::four(rearmost))
}
