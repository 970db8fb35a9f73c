//! Plays of doubles: the paper's towers, counted in closed form and picked by index.
//!
//! A *tower* is a point with own checkers. A play of doubles uses each point `x` some number of times
//! `f(x)`, each use taking one checker from `x` to `x - d`; points may be used that only fill during the
//! play. Different uses give different results, so plays are the functions `f` with
//! `f(x) <= count(x) + f(x + d)` on points whose landing point is open, of the largest total that can be
//! played. Such a total is at most four, and the functions fall into the fifteen [kinds](super::kind); that these
//! are complete and disjoint is shown in [`algebra`](super::algebra).

use super::flips::{Flips, landings};
use super::sliced::{self, Counts, Steps};
use super::subsets::{CHOOSE_2, CHOOSE_3, CHOOSE_4, SUBSET_STARTS, SUBSETS};
use super::{Moved, Transfer, kind, not_below, side};
use crate::board::{BAR_BIT, HOME, POINTS};
use tavli_simd::{Bits, Vector, Word};

/// The masks that plays of doubles are counted from. They and the counts are apart so that a batch can select the
/// plays of some lanes while it counts those of others.
#[derive(Clone, Copy)]
pub(crate) struct TowerMasks<V: Vector> {
    die: V,
    /// Counts after the entry from the bar.
    counts: Counts<V>,
    /// Steps that every play has: the entry from the bar.
    entry: Steps<V>,
    /// Steps left to play after the entry.
    allowed: V,
    /// Steps that are played after the entry, borne off by a larger die apart.
    used: V,
    home: V::Lanes,
    /// Points with at least one, two, three, four checkers.
    at_least: [V; 4],
    /// Points from which a checker can step.
    step: V,
    /// Those of them with checkers from which one can step on over an empty point.
    run: V,
}

/// The uses of towers that a double can be played by.
#[derive(Clone, Copy)]
pub(crate) struct Towers<V: Vector> {
    masks: TowerMasks<V>,
    /// The special points of kinds 1 to 12.
    special: [V; 13],
    /// Choices of other towers by kind, for kinds 1 to 8.
    choices: [V; 9],
    /// Index behind the last play of each kind.
    ends: [V; kind::NUMBER],
}

/// The values, of those of each kind, that belong to the kind an index falls on.
#[inline(always)]
fn of_kind<V: Vector, const N: usize>(
    index: V,
    ends: &[V; kind::NUMBER],
    mut values: [[V; N]; kind::ROOM],
) -> [V; N] {
    if V::ONE_LANE {
        let mut found = values[0];
        for this in 0..kind::NUMBER - 1 {
            if V::may_skip(!index.less(ends[this])) {
                break;
            }
            found = values[this + 1];
        }
        return found;
    }
    // Halved until one is left: the kinds of a node are told apart by the end in their middle.
    let mut half = 1;
    while half < kind::ROOM {
        let mut node = 0;
        while node * half * 2 < kind::ROOM {
            let middle = (2 * node + 1) * half - 1;
            let (before, behind) = (values[2 * node], values[2 * node + 1]);
            values[node] = before;
            if middle < kind::NUMBER - 1 {
                let past = !index.less(ends[middle]);
                for of in 0..N {
                    values[node][of] = behind[of].or_else(past, before[of]);
                }
            }
            node += 1;
        }
        half *= 2;
    }
    values[0]
}

/// Where the traits of a kind stand in a choice, behind the index of a subset.
const TRAITS_SHIFT: u32 = 16;

/// Where a play stands among those of its kind.
#[derive(Clone, Copy)]
pub(crate) struct TowerSlot<V: Vector> {
    masks: TowerMasks<V>,
    kind: V,
    /// The special points of the kind.
    special: V,
    /// How many choices of other towers there are beside each.
    choices: V,
    /// The index among the plays of the kind.
    index: V,
}

/// Uses of towers that are alike but for which of the other towers are chosen.
#[derive(Clone, Copy)]
pub(crate) struct Uses<V: Vector> {
    /// The steps that do not depend on the choice.
    pub(crate) fixed: Steps<V>,
    /// The towers chosen from.
    pub(crate) from: V,
    /// How many are chosen.
    chosen: V,
    /// Which are chosen, as an index of [`SUBSETS`], and behind it the [traits](kind::TRAITS) of the kind.
    pub(crate) choice: V,
}

impl<V: Vector> TowerMasks<V> {
    /// The masks of the plays of up to `steps` times `die`. `ENTERING` must be set if there may be checkers on
    /// the bar, `BEAR_OFF` if all checkers may be home.
    #[inline(always)]
    pub(crate) fn new<const ENTERING: bool, const BEAR_OFF: bool>(
        counts: &Counts<V>,
        blocked: V,
        die: V,
        steps: V,
    ) -> TowerMasks<V> {
        let one = die.fill(1);
        let (occupied, _) = sliced::occupied_and_made(counts);
        let mut open = !blocked & POINTS;
        let home = (occupied & !HOME).is_zero();
        if BEAR_OFF {
            open = open | one.keep(home);
        }
        let steppable = open.shl(die);

        // All checkers on the bar enter first; if some stay there, nothing else moves.
        let mut counts = *counts;
        let mut entry = [die.fill(0); 3];
        let mut allowed = steps;
        if ENTERING {
            // One bit, the bar's, tells each of these; of four and more checkers four enter.
            let can_enter = steppable & BAR_BIT;
            let over_three = can_enter & (counts[2] | counts[3]);
            let few = can_enter & !over_three;
            let some_stay = (occupied & !can_enter & BAR_BIT)
                | (over_three & (counts[0] | counts[1] | counts[3]));
            entry = [counts[0] & few, counts[1] & few, over_three];
            let entered = entry[0]
                .shr_by::<25>()
                .plus(entry[1].shr_by::<24>())
                .plus(entry[2].shr_by::<23>());
            allowed = steps.minus(entered).keep(some_stay.is_zero());
            sliced::add(&mut counts, &sliced::landings(&entry, die));
        }

        let at_least_2 = counts[1] | counts[2] | counts[3];
        let at_least_1 = at_least_2 | counts[0];
        let at_least_4 = counts[2] | counts[3];
        let at_least_3 = at_least_4 | (counts[0] & counts[1]);
        let step = steppable & POINTS;
        let step_2 = step & step.shl(die);
        let step_3 = step_2 & step.shl(die).shl(die);
        let step_4 = step_3 & step.shl(die).shl(die).shl(die);
        // Steps that can be played, exact up to four.
        let possible = (at_least_1 & step)
            .count_ones()
            .plus((at_least_2 & step).count_ones())
            .plus(
                (at_least_3 & step)
                    .count_ones()
                    .plus((at_least_4 & step).count_ones()),
            )
            .plus(
                (at_least_1 & step_2)
                    .count_ones()
                    .plus((at_least_2 & step_2).count_ones()),
            )
            .plus(
                (at_least_1 & step_3)
                    .count_ones()
                    .plus((at_least_1 & step_4).count_ones()),
            );
        let through_empty = (step & !at_least_1).shl(die);
        TowerMasks {
            die,
            counts,
            entry,
            allowed,
            used: allowed.min(possible),
            home,
            at_least: [at_least_1, at_least_2, at_least_3, at_least_4],
            step,
            run: at_least_1 & step & through_empty,
        }
    }

    /// These [in step](Vector::in_step) with another vector.
    #[inline(always)]
    pub(crate) fn in_step(mut self, other: V) -> (TowerMasks<V>, V) {
        let (used, other) = self.used.in_step(other);
        self.used = used;
        (self, other)
    }

    /// Counts the plays.
    #[inline(always)]
    pub(crate) fn count(self) -> Towers<V> {
        let TowerMasks {
            die,
            used,
            at_least: [at_least_1, at_least_2, at_least_3, at_least_4],
            step,
            run,
            ..
        } = self;
        let one = die.fill(1);
        let movable = at_least_1 & step;
        let movable_two = at_least_2 & step;
        let movable_three = at_least_3 & step;
        let movable_four = at_least_4 & step;
        let towers = movable.count_ones();
        let towers_two = movable_two.count_ones();
        let towers_four = movable_four.count_ones();
        let two_or_more = one.less(used);
        let three_or_more = die.fill(2).less(used);
        let four = used.equals(die.fill(4));

        // Steps through points with no, one, two own checkers.
        let through_empty = (step & !at_least_1).shl(die);
        let through_one = (step & at_least_1 & !at_least_2).shl(die);
        let through_two = (step & at_least_2 & !at_least_3).shl(die);
        let run_two = run & at_least_2;
        let lone_run = run & !at_least_2;
        let join = movable & through_one;
        let long_run = run & through_empty.shl(die);
        let through = (movable & through_two)
            | (join & through_empty.shl(die))
            | (run & through_one.shl(die))
            | (long_run & through_empty.shl(die).shl(die));

        let zero = die.fill(0);
        let mut special = [zero; 13];
        special[kind::TWICE] = movable_two | lone_run;
        special[kind::RUN] = run_two;
        special[kind::LONE_RUN_AND_TWICE] = lone_run;
        special[kind::RUN_AND_TWICE] = run_two;
        special[kind::THRICE] = movable_three | (long_run & !at_least_2);
        special[kind::LONE_JOINS] = join & !at_least_2;
        special[kind::JOINS] = join & at_least_2;
        special[kind::LONG_RUN] = long_run & at_least_2;
        special[kind::THROUGH] = through;
        special[kind::FOUR_TIMES] = movable_four;
        special[kind::TWO_RUNS] = run_two;
        special[kind::THRICE_AND_RUN] = run & at_least_3;

        // Other towers used once beside one special point: `used` less two or three, of those allowed.
        let others = towers.minus(one);
        let mut choices = [zero; 9];
        choices[kind::TWICE] = beside_two(others, two_or_more, three_or_more, four);
        choices[kind::RUN] = beside_two(towers, two_or_more, three_or_more, four);
        choices[kind::LONE_RUN_AND_TWICE] = towers_two.keep(four);
        choices[kind::RUN_AND_TWICE] = towers_two.minus(one).keep(four);
        choices[kind::THRICE] = beside_three(others, three_or_more, four);
        choices[kind::LONE_JOINS] = beside_three(towers.minus(die.fill(2)), three_or_more, four);
        choices[kind::JOINS] = choices[kind::THRICE];
        choices[kind::LONG_RUN] = beside_three(towers, three_or_more, four);

        let once = one.or_else(used.is_zero(), towers);
        let once = towers
            .look_up(&CHOOSE_2)
            .or_else(used.equals(die.fill(2)), once);
        let once = towers
            .look_up(&CHOOSE_3)
            .or_else(used.equals(die.fill(3)), once);
        let once = towers.look_up(&CHOOSE_4).or_else(four, once);
        let runs = run.count_ones();
        let runs_two = run_two.count_ones();
        let numbers = [
            once,
            special[kind::TWICE]
                .count_ones()
                .times(choices[kind::TWICE]),
            runs_two.times(choices[kind::RUN]),
            runs.minus(runs_two)
                .times(choices[kind::LONE_RUN_AND_TWICE]),
            runs_two.times(choices[kind::RUN_AND_TWICE]),
            special[kind::THRICE]
                .count_ones()
                .times(choices[kind::THRICE]),
            special[kind::LONE_JOINS]
                .count_ones()
                .times(choices[kind::LONE_JOINS]),
            special[kind::JOINS]
                .count_ones()
                .times(choices[kind::JOINS]),
            special[kind::LONG_RUN]
                .count_ones()
                .times(choices[kind::LONG_RUN]),
            through.count_ones().keep(four),
            towers_four.keep(four),
            runs_two.keep(four),
            special[kind::THRICE_AND_RUN].count_ones().keep(four),
            towers_two.look_up(&CHOOSE_2).keep(four),
            runs.look_up(&CHOOSE_2).keep(four),
        ];
        // Sums of two, four, eight kinds first, so that none waits for all before it.
        let mut ends = numbers;
        let mut reach = 1;
        while reach < kind::NUMBER {
            for this in (0..kind::NUMBER).rev() {
                if this & reach != 0 {
                    ends[this] = ends[this].plus(ends[(this & !(reach - 1)) - 1]);
                }
            }
            reach *= 2;
        }
        Towers {
            masks: self,
            special,
            choices,
            ends,
        }
    }

    /// The tower uses of a kind with a special point `x`, or 0 if it has none, and of the choice of this number;
    /// without the entry from the bar.
    #[inline(always)]
    fn uses_of(&self, kind: V, x: V, number: V) -> Uses<V> {
        let y = x.shr(self.die);
        let y_2 = y.shr(self.die);
        let y_3 = y_2.shr(self.die);

        // The other towers: how many, and out of which.
        let traits = kind.look_up(&kind::TRAITS);
        let chosen = self.used.minus(traits & kind::USES);
        let [at_least_1, at_least_2, ..] = self.at_least;
        let movable = at_least_1 & self.step;
        let movable_two = at_least_2 & self.step;
        let from = movable_two.or_else(has(traits, kind::TWICE_EACH), movable);
        let from = self.run.or_else(has(traits, kind::RUN_EACH), from);
        let without_x = x.keep(has(traits, kind::WITHOUT_X));
        let without_y = y.keep(has(traits, kind::WITHOUT_Y));
        let subset = number.plus(chosen.look_up(&SUBSET_STARTS));

        // The uses of x and the points below it, by what stands there.
        let mut way = x.fill(0);
        if !V::may_skip(has(traits, kind::WAYS)) {
            let first = x.fill(kind::WAY);
            let second = x.fill(2 * kind::WAY);
            let third = x.fill(3 * kind::WAY);
            let through = first.keep(y_2.meets(at_least_1));
            let through = second.or_else(y.meets(at_least_1), through);
            let through = third.or_else(y.meets(at_least_2), through);
            let is_through = kind.equals(x.fill(kind::THROUGH as u32));
            way = through.or_else(is_through, first.keep(x.meets(at_least_2)));
        }
        let uses = (kind | way).look_up_byte(&kind::POINT_USES);
        let of = |point: V, bit: u32| point.keep(has(uses, 1 << bit));
        Uses {
            fixed: [
                of(x, 0) | of(y, 3) | of(y_2, 5) | of(y_3, 7),
                of(x, 1) | of(y, 4) | of(y_2, 6),
                of(x, 2),
            ],
            from: from & !(without_x | without_y),
            chosen,
            choice: subset | traits.shl_by::<TRAITS_SHIFT>(),
        }
    }
}

impl<V: Vector> Towers<V> {
    /// Counts the plays; see [`TowerMasks::new`].
    #[inline(always)]
    pub(crate) fn new<const ENTERING: bool, const BEAR_OFF: bool>(
        counts: &Counts<V>,
        blocked: V,
        die: V,
        steps: V,
    ) -> Towers<V> {
        TowerMasks::new::<ENTERING, BEAR_OFF>(counts, blocked, die, steps).count()
    }

    /// The number of plays, a pass being one.
    #[inline(always)]
    pub(crate) fn plays(&self) -> V {
        self.ends[kind::NUMBER - 1]
    }

    /// The tower uses that the play of this index belongs to; the index must be below
    /// [`Towers::plays`].
    #[inline(always)]
    pub(crate) fn uses(&self, index: V) -> Uses<V> {
        if V::may_skip(!index.less(self.ends[kind::ONCE])) {
            let TowerMasks {
                entry,
                used,
                at_least,
                step,
                ..
            } = self.masks;
            return Uses {
                fixed: entry,
                from: at_least[0] & step,
                chosen: used,
                choice: index.plus(used.look_up(&SUBSET_STARTS)),
            };
        }
        let slot = self.slot(index);
        let (point, number) = slot.point_and_number();
        slot.uses(point, number)
    }

    /// Where the play of this index stands; the index must be below [`Towers::plays`].
    #[inline(always)]
    pub(crate) fn slot(&self, index: V) -> TowerSlot<V> {
        let zero = index.fill(0);
        let one = index.fill(1);
        // Where each kind starts, its number, its special points and its choices of others.
        let mut of_kinds = [[zero, zero, zero, one]; kind::ROOM];
        for this in 0..kind::NUMBER {
            of_kinds[this][1] = index.fill(this as u32);
            if this > 0 {
                of_kinds[this][0] = self.ends[this - 1];
            }
            if this > 0 && this <= kind::THRICE_AND_RUN {
                of_kinds[this][2] = self.special[this];
            }
            if this > 0 && this <= kind::LONG_RUN {
                of_kinds[this][3] = self.choices[this];
            }
        }
        let [start, kind, special, choices] = of_kind(index, &self.ends, of_kinds);
        TowerSlot {
            masks: self.masks,
            kind,
            special,
            choices,
            index: index.minus(start),
        }
    }

    /// The steps of a play, by the points they start from.
    #[inline(always)]
    pub(crate) fn steps<const BEAR_OFF: bool>(&self, uses: &Uses<V>) -> Steps<V> {
        let TowerMasks { die, counts, .. } = self.masks;
        let others = uses.from.deposit(&SUBSETS, uses.choice);
        let steps = with_others(&uses.fixed, others, uses.choice, die);
        if BEAR_OFF {
            with_larger_die(&counts, steps, self.by_larger_die(), die)
        } else {
            steps
        }
    }

    /// How many steps may be left for a die larger than the rearmost point when all others have been played.
    #[inline(always)]
    pub(crate) fn by_larger_die(&self) -> V {
        let TowerMasks {
            allowed,
            used,
            home,
            ..
        } = self.masks;
        allowed.minus(used).keep(home)
    }

    /// How many steps every play has after the entry from the bar, those of a larger die apart.
    #[inline(always)]
    pub(crate) fn used(&self) -> V {
        self.masks.used
    }
}

/// Lanes in which a set of bits has this one.
#[inline(always)]
fn has<V: Vector>(bits: V, bit: u32) -> V::Lanes {
    bits.meets(bits.fill(bit))
}

/// The ranks of the towers chosen.
#[inline(always)]
pub(crate) fn ranks_of(choice: u32) -> u32 {
    u32::from(SUBSETS[choice as usize % SUBSETS.len()])
}

/// The steps that do not depend on the choice, and those from the towers chosen.
#[inline(always)]
pub(crate) fn with_others<V: Vector>(fixed: &Steps<V>, others: V, choice: V, die: V) -> Steps<V> {
    let traits = choice.shr_by::<TRAITS_SHIFT>();
    let twice = others.keep(has(traits, kind::TWICE_EACH));
    let once = (others | others.shr(die).keep(has(traits, kind::RUN_EACH))) & !twice;
    sliced::join(fixed, &[once, twice, die.fill(0)])
}

/// Adds the steps that bear off from the rearmost point by a die larger than it, of which `left` may be left.
/// They come only when every other step has been played, so they follow from the rest of the play.
#[inline(always)]
pub(crate) fn with_larger_die<V: Vector>(
    counts: &Counts<V>,
    steps: Steps<V>,
    left: V,
    die: V,
) -> Steps<V> {
    if V::may_skip(!left.is_zero()) {
        return steps;
    }
    let mut counts = *counts;
    let landings = sliced::on_board(&sliced::landings(&steps, die));
    sliced::move_checkers(&mut counts, &steps, &landings);
    sliced::join(&steps, &by_larger_die(&counts, left, die))
}

/// The steps that bear off by a die larger than the rearmost point, of which `left` may be left.
#[inline(always)]
fn by_larger_die<V: Vector>(counts: &Counts<V>, left: V, die: V) -> Steps<V> {
    let (at_least_1, at_least_2) = sliced::occupied_and_made(counts);
    let at_least_4 = counts[2] | counts[3];
    let at_least_3 = at_least_4 | (counts[0] & counts[1]);
    let mut at_least = [at_least_1, at_least_2, at_least_3, at_least_4];
    let left = left.keep((at_least_1 & not_below(die)).is_zero());
    let mut rearmost = [die.fill(0); 4];
    for (number, source) in rearmost.iter_mut().enumerate() {
        let goes = die.fill(number as u32).less(left);
        if V::may_skip(goes) {
            break;
        }
        *source = at_least[0].highest_bit().keep(goes);
        for this in 0..3 {
            at_least[this] = at_least[this] & (at_least[this + 1] | !*source);
        }
        at_least[3] = at_least[3] & !*source;
    }
    let [a, b, c, d] = rearmost;
    let (ones, others) = (a ^ b, c ^ d);
    let (twos, other_twos) = (a & b, c & d);
    [
        ones ^ others,
        twos ^ other_twos ^ (ones & others),
        twos & other_twos,
    ]
}

impl<V: Vector> TowerSlot<V> {
    /// The slot of nothing.
    #[inline(always)]
    pub(crate) fn empty(zero: V) -> TowerSlot<V> {
        TowerSlot {
            masks: TowerMasks {
                die: zero,
                counts: [zero; 4],
                entry: [zero; 3],
                allowed: zero,
                used: zero,
                home: zero.lanes(0),
                at_least: [zero; 4],
                step: zero,
                run: zero,
            },
            kind: zero,
            special: zero,
            choices: zero,
            index: zero,
        }
    }

    /// The special point of the play, or 0 if its kind has none, and the number of its choice of other towers.
    #[inline(always)]
    pub(crate) fn point_and_number(&self) -> (V, V) {
        let rank = self.index.over(self.choices).keep(!self.special.is_zero());
        let number = self.index.minus(rank.times(self.choices));
        (self.special.nth_bit(rank), number)
    }

    /// The tower uses that the play belongs to, whose special point and number of a choice are these.
    #[inline(always)]
    pub(crate) fn uses(&self, point: V, number: V) -> Uses<V> {
        let uses = self.masks.uses_of(self.kind, point, number);
        Uses {
            fixed: sliced::join(&uses.fixed, &self.masks.entry),
            ..uses
        }
    }
}

impl<B: Bits> Towers<Word<B>> {
    /// The tower uses of a kind with a special point `x`, and the side after those that do not depend on
    /// the choice. Each kind is compiled for itself.
    #[inline(always)]
    fn uses_of_kind<const BEAR_OFF: bool>(
        &self,
        this: usize,
        x: Word<B>,
        start: &Flips<B::Eight>,
    ) -> (Uses<Word<B>>, Flips<B::Eight>) {
        macro_rules! by_kind {
            ($($kind:literal)*) => {
                match this {
                    $($kind => {
                        let uses = self.masks.uses_of(x.fill($kind), x, x.fill(0));
                        let fixed = match $kind {
                            kind::TWICE..=kind::LONG_RUN => {
                                self.stepped::<BEAR_OFF>(start, &uses.fixed)
                            }
                            kind::THROUGH..=kind::THRICE_AND_RUN => {
                                // No other towers are chosen.
                                let counts = side::counts(start.words(), x);
                                let fixed = Transfer::of_steps::<BEAR_OFF>(uses.fixed, self.masks.die);
                                Flips::none(fixed.moved(&counts).words)
                            }
                            _ => *start,
                        };
                        (uses, fixed)
                    })*
                    _ => unreachable!("there are {} kinds", kind::NUMBER),
                }
            };
        }
        by_kind!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14)
    }

    /// The side after steps of which those from points used once can be played first, and no point is used
    /// four times.
    #[inline(always)]
    fn stepped<const BEAR_OFF: bool>(
        &self,
        start: &Flips<B::Eight>,
        [ones, twos, _]: &Steps<Word<B>>,
    ) -> Flips<B::Eight> {
        let mut side = *start;
        if !ones.is_zero() {
            side = side.stepped::<BEAR_OFF, _>(*ones, self.masks.die);
        }
        if !twos.is_zero() {
            side = side.stepped::<BEAR_OFF, _>(*twos, self.masks.die);
            side = side.stepped::<BEAR_OFF, _>(*twos, self.masks.die);
        }
        side
    }

    /// Calls `visit` with the mover's side, which is given in words, after every play, in the order of the
    /// indices.
    #[inline(always)]
    pub(crate) fn for_each<const BEAR_OFF: bool>(
        &self,
        mover: B::Eight,
        mut visit: impl FnMut(Moved<B>),
    ) {
        // Nothing is borne off from the bar.
        let TowerMasks { die, entry, .. } = self.masks;
        let entered = Transfer::of_steps::<false>(entry, die).moved(&side::counts(mover, die));
        let start = Flips::new(entered.words, die);
        let left = self.by_larger_die();
        for this in 0..kind::NUMBER {
            let before = if this == kind::ONCE {
                0
            } else {
                self.ends[this - 1].get()
            };
            let number = self.ends[this].get() - before;
            if number == 0 {
                continue;
            }
            // Uses of one kind and one special point differ in the choice of other towers alone.
            let mut special = match this {
                kind::TWICE..=kind::THRICE_AND_RUN => self.special[this],
                _ => die.fill(0),
            };
            let choices = match this {
                kind::TWICE..=kind::LONG_RUN => self.choices[this].get(),
                kind::THROUGH..=kind::THRICE_AND_RUN => 1,
                _ => number,
            };
            loop {
                let x = special.take_lowest().unwrap_or(die.fill(0));
                let (uses, fixed) = self.uses_of_kind::<BEAR_OFF>(this, x, &start);
                let [ones, twos, fours] = uses.fixed;
                let fixed_landings =
                    entered.landings | landings::<BEAR_OFF, _>(ones | twos | fours, die);
                let has = |kind_trait: u32| kind::TRAITS[this] & kind_trait != 0;
                let second_step = die.keep(has(kind::RUN_EACH));
                let first = SUBSET_STARTS[uses.chosen.get() as usize] as usize;
                for &ranks in &SUBSETS[first..first + choices as usize] {
                    let others = uses.from.with_ranks(u32::from(ranks));
                    let under_way = landings::<BEAR_OFF, _>(others, die);
                    let landings = landings::<BEAR_OFF, _>(under_way, second_step);
                    let (taken, put) = (others & !landings, landings & !others);
                    let mut words = fixed.exchanged(taken, put);
                    if has(kind::TWICE_EACH) {
                        words = Flips::new(words, x).exchanged(taken, put);
                    }
                    if BEAR_OFF && !left.is_zero() {
                        let mut counts = side::counts(words, x);
                        let steps = by_larger_die(&counts, left, die);
                        sliced::move_checkers(&mut counts, &steps, &[die.fill(0); 3]);
                        words = side::of_counts(&counts);
                    }
                    visit(Moved {
                        words,
                        landings: fixed_landings | under_way | landings,
                    });
                }
                if special.is_zero() {
                    break;
                }
            }
        }
    }
}

/// The number of ways to choose other towers, each used once, beside a special point used twice: `used`
/// less two, of `towers`.
#[inline(always)]
fn beside_two<V: Vector>(
    towers: V,
    two_or_more: V::Lanes,
    three_or_more: V::Lanes,
    four: V::Lanes,
) -> V {
    let chosen = towers.or_else(three_or_more, towers.fill(1));
    let chosen = towers.look_up(&CHOOSE_2).or_else(four, chosen);
    chosen.keep(two_or_more)
}

/// The number of ways to choose other towers beside a special point used three times.
#[inline(always)]
fn beside_three<V: Vector>(towers: V, three_or_more: V::Lanes, four: V::Lanes) -> V {
    towers.or_else(four, towers.fill(1)).keep(three_or_more)
}
