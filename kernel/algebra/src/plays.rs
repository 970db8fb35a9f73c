//! The plays of a double: their number, and any one by its index.
//!
//! Tested by `tests/doubles.rs`.

use tavli_simd::{Schedule, Vector};

use crate::double_masks::DoubleMasks;
use crate::larger_die::with_larger_die;
use crate::pattern::{PATTERNS, Pattern};
use crate::planes::{self, Steps};
use crate::subsets::{CHOOSE_3, CHOOSE_4, SUBSETS};
use crate::tower_uses::{TowerUses, with_others};

/// The plays of a double.
#[derive(Clone, Copy)]
pub struct DoublePlays<V: Vector> {
    masks: DoubleMasks<V>,
    patterns: [PatternPlays<V>; PATTERNS],
    /// The index after the last play of each pattern.
    cumulative: [V; PATTERNS],
}

/// The plays of a double that follow one pattern.
#[derive(Clone, Copy)]
pub struct PatternPlays<V> {
    /// The special points, or none.
    pub special: V,
    /// The number of choices of other towers beside each special point; 1 if there is none.
    pub choices: V,
    /// The number of plays.
    pub count: V,
}

impl<V: Vector> PatternPlays<V> {
    /// Plays that differ in the choice of towers only.
    #[inline(always)]
    fn without_special(count: V) -> Self {
        PatternPlays { special: count.splat(0), choices: count.splat(1), count }
    }

    /// Plays that choose other towers beside each special point.
    #[inline(always)]
    fn with_special(special: V, choices: V) -> Self {
        PatternPlays { special, choices, count: special.count_ones().mul_lo16(choices) }
    }

    /// Plays that leave no choice beside each special point, in some lanes.
    #[inline(always)]
    fn special_only(special: V, lanes: V::Lanes) -> Self {
        PatternPlays { special, choices: special.splat(1), count: special.count_ones().zero_unless(lanes) }
    }
}

/// The place of a play among the plays of its pattern.
#[derive(Clone, Copy)]
pub struct DoubleSlot<V: Vector> {
    masks: DoubleMasks<V>,
    range: PatternRange<V>,
    /// The index among the plays of the pattern.
    index: V,
}

/// The plays of the pattern that an index falls on.
#[derive(Clone, Copy)]
struct PatternRange<V> {
    /// The index of the first.
    start: V,
    /// The pattern as a number.
    pattern: V,
    /// The special points of the pattern, and the number of choices beside each.
    special: V,
    choices: V,
}

impl<V: Vector> PatternRange<V> {
    /// This in the given lanes, `other` elsewhere.
    #[inline(always)]
    fn blend(self, lanes: V::Lanes, other: Self) -> Self {
        PatternRange {
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
    pub fn count(self) -> DoublePlays<V> {
        let DoubleMasks {
            die,
            steps_played,
            at_least: [at_least_1, at_least_2, at_least_3, at_least_4],
            can_step,
            can_run,
            ..
        } = self;
        let one = die.one();
        let towers = self.towers();
        let towers_of_two = self.towers_of_two();
        let number = towers.count_ones();
        let number_of_two = towers_of_two.count_ones();
        let four = steps_played.lanes_equal(die.splat(4));
        let played = StepLanes {
            two_or_more: one.lanes_less(steps_played),
            three_or_more: die.splat(2).lanes_less(steps_played),
            four,
        };

        // Steps through points with no, one, two own checkers.
        let through_empty = (can_step & !at_least_1).shl(die);
        let through_one = (can_step & at_least_1 & !at_least_2).shl(die);
        let through_two = (can_step & at_least_2 & !at_least_3).shl(die);
        let run_of_two = can_run & at_least_2;
        let lone_run = can_run & !at_least_2;
        let join = towers & through_one;
        let long_run = can_run & through_empty.shl(die);
        let through = (towers & through_two)
            | (join & through_empty.shl(die))
            | (can_run & through_one.shl(die))
            | (long_run & through_empty.shl(die).shl(die));

        // Once: C(towers, steps_played), for 0 to 4 steps.
        let once = one.blend(steps_played.lanes_zero(), number);
        let once = number.choose_2().blend(steps_played.lanes_equal(die.splat(2)), once);
        let once = number.look_up(&CHOOSE_3).blend(steps_played.lanes_equal(die.splat(3)), once);
        let once = number.look_up(&CHOOSE_4).blend(four, once);

        // A special point that is a tower is not among the others to choose from, except after a run from a tower of
        // two or more, which may be used again. See "The fifteen patterns" in kernel/backgammon/docs/algebra.md.
        let others = number.wrapping_sub(one);
        let other_two = number_of_two.wrapping_sub(one);
        let runs = can_run.count_ones();
        let lone_runs = runs.wrapping_sub(run_of_two.count_ones());

        // Below, x is the special point, y, y2 and y3 are one, two and three steps on.
        let mut patterns = [PatternPlays::without_special(once); PATTERNS];
        // Twice from x, or a lone checker of x over an empty y, which leaves as many other towers.
        patterns[Pattern::Twice as usize] =
            PatternPlays::with_special((at_least_2 & can_step) | lone_run, played.beside_two(others));
        // Over an empty y; choosing x again is using it twice.
        patterns[Pattern::Run as usize] = PatternPlays::with_special(run_of_two, played.beside_two(number));
        // Two steps from x, and two from another tower of two. A lone checker on x is not a tower of two, so all of
        // them remain; with more checkers on x, x itself is left out.
        patterns[Pattern::LoneRunAndTwice as usize] = PatternPlays {
            special: lone_run,
            choices: number_of_two.zero_unless(four),
            count: lone_runs.mul_lo16(number_of_two.zero_unless(four)),
        };
        patterns[Pattern::RunAndTwice as usize] = PatternPlays::with_special(run_of_two, other_two.zero_unless(four));
        // Three times from x, or its lone checker over an empty y and y2.
        patterns[Pattern::Thrice as usize] =
            PatternPlays::with_special((at_least_3 & can_step) | (long_run & !at_least_2), played.beside_three(others));
        // One on y, used twice: neither y nor a lone x can be chosen again.
        patterns[Pattern::LoneJoins as usize] =
            PatternPlays::with_special(join & !at_least_2, played.beside_three(number.wrapping_sub(die.splat(2))));
        // With more on x only y is left out: x may be used again.
        patterns[Pattern::Joins as usize] = PatternPlays::with_special(join & at_least_2, played.beside_three(others));
        patterns[Pattern::LongRun as usize] =
            PatternPlays::with_special(long_run & at_least_2, played.beside_three(number));
        // These take all four steps, so that nothing is left to choose.
        patterns[Pattern::Through as usize] = PatternPlays::special_only(through, four);
        patterns[Pattern::FourTimes as usize] = PatternPlays::special_only(at_least_4 & can_step, four);
        patterns[Pattern::TwoRuns as usize] = PatternPlays::special_only(run_of_two, four);
        patterns[Pattern::ThriceAndRun as usize] = PatternPlays::special_only(can_run & at_least_3, four);
        // Pairs of towers on points without a case of their own.
        patterns[Pattern::TwoTwice as usize] =
            PatternPlays::without_special(number_of_two.choose_2().zero_unless(four));
        patterns[Pattern::TwoTowersRun as usize] = PatternPlays::without_special(runs.choose_2().zero_unless(four));
        DoublePlays { masks: self, patterns, cumulative: cumulative(&patterns) }
    }
}

/// Lanes by how many steps are played.
struct StepLanes<V: Vector> {
    two_or_more: V::Lanes,
    three_or_more: V::Lanes,
    four: V::Lanes,
}

impl<V: Vector> StepLanes<V> {
    /// The number of choices among `towers`, each used once, for the steps beside a special point used twice.
    #[inline(always)]
    fn beside_two(&self, towers: V) -> V {
        let chosen = towers.blend(self.three_or_more, towers.one());
        let chosen = towers.choose_2().blend(self.four, chosen);
        chosen.zero_unless(self.two_or_more)
    }

    /// The ways to move the fourth checker, beside a special point that is used three times.
    #[inline(always)]
    fn beside_three(&self, towers: V) -> V {
        let chosen = towers.blend(self.four, towers.one());
        chosen.zero_unless(self.three_or_more)
    }
}

/// The index after the last play of each pattern: running sums.
#[inline(always)]
fn cumulative<V: Vector>(patterns: &[PatternPlays<V>; PATTERNS]) -> [V; PATTERNS] {
    let mut cumulative = [patterns[Pattern::Once as usize].count; PATTERNS];
    for pattern in 0..PATTERNS {
        cumulative[pattern] = patterns[pattern].count;
    }
    if V::SCHEDULE != Schedule::Interleaved {
        for pattern in 1..PATTERNS {
            cumulative[pattern] = cumulative[pattern].wrapping_add(cumulative[pattern - 1]);
        }
        return cumulative;
    }
    // Sums of two, four, eight patterns first, so that none waits for all before it.
    let mut reach = 1;
    while reach < PATTERNS {
        for pattern in (0..PATTERNS).rev() {
            if pattern & reach != 0 {
                cumulative[pattern] = cumulative[pattern].wrapping_add(cumulative[(pattern & !(reach - 1)) - 1]);
            }
        }
        reach *= 2;
    }
    cumulative
}

impl<V: Vector> DoublePlays<V> {
    /// The masks that the plays are counted from.
    #[inline(always)]
    pub fn masks(&self) -> &DoubleMasks<V> {
        &self.masks
    }

    /// The plays of each pattern, in order.
    #[inline(always)]
    pub fn by_pattern(&self) -> impl Iterator<Item = (Pattern, &PatternPlays<V>)> {
        Pattern::ALL.into_iter().zip(&self.patterns)
    }

    /// The number of plays. A pass is one play.
    #[inline(always)]
    pub fn plays(&self) -> V {
        self.cumulative[Pattern::TwoTowersRun as usize]
    }

    /// The uses of towers in the play of this index, which must be below [`DoublePlays::plays`].
    #[inline(always)]
    pub fn uses(&self, index: V) -> TowerUses<V> {
        if V::skips_on_one_lane(!index.lanes_less(self.cumulative[Pattern::Once as usize])) {
            return TowerUses::once(&self.masks, index);
        }
        let slot = self.slot(index);
        let (point, number) = slot.point_and_number();
        slot.uses(point, number)
    }

    /// Where the play of this index stands. The index must be below [`DoublePlays::plays`].
    #[inline(always)]
    pub fn slot(&self, index: V) -> DoubleSlot<V> {
        let range = self.range_of(index);
        DoubleSlot { masks: self.masks, range, index: index.wrapping_sub(range.start) }
    }

    /// The plays of the pattern that an index falls on.
    #[inline(always)]
    fn range_of(&self, index: V) -> PatternRange<V> {
        let first = PatternRange {
            start: index.splat(0),
            pattern: index.splat(Pattern::Once as u32),
            special: self.patterns[Pattern::Once as usize].special,
            choices: self.patterns[Pattern::Once as usize].choices,
        };
        if V::SCHEDULE != Schedule::Interleaved {
            let mut found = first;
            for pattern in 1..PATTERNS {
                let past = !index.lanes_less(self.cumulative[pattern - 1]);
                if V::skips_on_one_lane(past) {
                    break;
                }
                let PatternPlays { special, choices, .. } = self.patterns[pattern];
                found = PatternRange {
                    start: self.cumulative[pattern - 1].blend(past, found.start),
                    // The next number needs no constant.
                    pattern: found.pattern.add_one(past),
                    special: special.blend(past, found.special),
                    choices: choices.blend(past, found.choices),
                };
            }
            return found;
        }
        // As many as can be halved down to one.
        let mut ranges = [first; PATTERNS.next_power_of_two()];
        for pattern in 1..PATTERNS {
            ranges[pattern] = PatternRange {
                start: self.cumulative[pattern - 1],
                pattern: index.splat(pattern as u32),
                special: self.patterns[pattern].special,
                choices: self.patterns[pattern].choices,
            };
        }
        // Neighbours are joined until one range is left. The index falls on the later one if it is past the end of
        // the last pattern of the earlier one.
        let mut half = 1;
        while half < ranges.len() {
            let mut node = 0;
            while node * half * 2 < ranges.len() {
                let last = (2 * node + 1) * half - 1;
                let (earlier, later) = (ranges[2 * node], ranges[2 * node + 1]);
                ranges[node] = if last < PATTERNS - 1 {
                    later.blend(!index.lanes_less(self.cumulative[last]), earlier)
                } else {
                    earlier
                };
                node += 1;
            }
            half *= 2;
        }
        ranges[0]
    }

    /// The steps of a play, by the points they start from.
    #[inline(always)]
    pub fn steps<const BEAR_OFF: bool>(&self, uses: &TowerUses<V>) -> Steps<V> {
        let DoubleMasks { die, counts, .. } = self.masks;
        let others = uses.from.deposit_from_table(&SUBSETS, uses.packed_choice);
        let steps = with_others(&uses.fixed, others, uses.packed_choice, die);
        if BEAR_OFF { with_larger_die(&counts, steps, self.masks.by_larger_die(), die) } else { steps }
    }
}

impl<V: Vector> DoubleSlot<V> {
    /// The special point of the play, or 0 if its pattern has none, and the number of its choice of other towers.
    #[inline(always)]
    pub fn point_and_number(&self) -> (V, V) {
        let PatternRange { special, choices, .. } = self.range;
        let rank = self.index.div(choices).zero_unless(!special.lanes_zero());
        let number = self.index.wrapping_sub(rank.mul_lo16(choices));
        (special.nth_bit(rank), number)
    }

    /// The uses of towers in the play, whose special point and number of a choice are these.
    #[inline(always)]
    pub fn uses(&self, point: V, number: V) -> TowerUses<V> {
        let uses = TowerUses::new(&self.masks, self.range.pattern, point, number);
        TowerUses { fixed: planes::join(&uses.fixed, &self.masks.forced), ..uses }
    }
}
