//! Plays of doubles: the paper's towers, counted in closed form and picked by index.
//!
//! A *tower* is a point with own checkers. A play of doubles uses each point `x` some number of times
//! `f(x)`, each use taking one checker from `x` to `x - d`; points may be used that only fill during the
//! play. Different uses give different results, so plays are the functions `f` with
//! `f(x) <= count(x) + f(x + d)` on points whose landing point is open, of the largest total that can be
//! played. Such a total is at most four, and the functions fall into the fifteen kinds below; that these
//! are complete and disjoint is shown in [`algebra`](super::algebra).

use super::flips::{Flips, landings};
use super::side;
use super::sliced::{self, Counts, Steps};
use super::subsets::{CHOOSE_2, CHOOSE_3, CHOOSE_4, SUBSET_RANKS, SUBSET_STARTS, SUBSETS};
use super::{Moved, Transfer};
use crate::board::{BAR_BIT, HOME, POINTS};
use crate::simd::{Bits, Lanes, Vector, Word};

/// The kinds of tower uses. In each, one special point `x` (with `y = x - d` and so on below it) is
/// combined with a choice of other towers, each used once unless said otherwise.
mod kind {
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
}

/// The uses of towers that a double can be played by.
#[derive(Clone, Copy)]
pub(crate) struct Towers<V: Vector> {
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
    four: V::Lanes,
    movable: V,
    movable_two: V,
    run: V,
    /// The special points of kinds 1 to 12.
    special: [V; 13],
    /// Choices of other towers by kind, for kinds 1 to 8.
    choices: [V; 9],
    /// Index behind the last play of each kind.
    ends: [V; kind::NUMBER],
}

/// Uses of towers that are alike but for which of the other towers are chosen.
#[derive(Clone, Copy)]
pub(crate) struct Uses<V: Vector> {
    /// The steps that do not depend on the choice, but for the entry from the bar.
    fixed: Steps<V>,
    /// The towers chosen from.
    from: V,
    /// How many are chosen.
    chosen: V,
    /// The choice, as an index of [`SUBSETS`].
    subset: V,
    twice_each: V::Lanes,
    two_towers_run: V::Lanes,
}

impl<V: Vector> Towers<V> {
    /// Counts the plays of up to `steps` times `die`. `ENTERING` must be set if there may be checkers on
    /// the bar, `BEAR_OFF` if all checkers may be home.
    #[inline(always)]
    pub(crate) fn new<const ENTERING: bool, const BEAR_OFF: bool>(
        counts: &Counts<V>,
        blocked: V,
        die: V,
        steps: V,
    ) -> Towers<V> {
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
            let bar = die.fill(BAR_BIT);
            let entering = occupied.meets(bar);
            let can_enter = entering & steppable.meets(bar);
            let over_three = can_enter & (counts[2] | counts[3]).meets(bar);
            let some_stay = (entering & !can_enter)
                | (over_three & (counts[0] | counts[1] | counts[3]).meets(bar));
            let few = can_enter & !over_three;
            entry = [
                (counts[0] & bar).keep(few),
                (counts[1] & bar).keep(few),
                bar.keep(over_three),
            ];
            let entered = entry[0]
                .shr_by::<25>()
                .plus(entry[1].shr_by::<24>())
                .plus(entry[2].shr_by::<23>());
            allowed = steps.minus(entered).keep(!some_stay);
            sliced::add(&mut counts, &sliced::landings(&entry, die));
        }

        // Points with at least one, two, three, four checkers; those of them that can step.
        let at_least_2 = counts[1] | counts[2] | counts[3];
        let at_least_1 = at_least_2 | counts[0];
        let at_least_4 = counts[2] | counts[3];
        let at_least_3 = at_least_4 | (counts[0] & counts[1]);
        let step = steppable & POINTS;
        let step_2 = step & step.shl(die);
        let step_3 = step_2 & step.shl(die).shl(die);
        let step_4 = step_3 & step.shl(die).shl(die).shl(die);
        let movable = at_least_1 & step;
        let movable_two = at_least_2 & step;
        let movable_three = at_least_3 & step;
        let movable_four = at_least_4 & step;
        let towers = movable.count_ones();
        let towers_two = movable_two.count_ones();
        let towers_four = movable_four.count_ones();
        // Steps that can be played, exact up to four.
        let possible = towers
            .plus(towers_two)
            .plus(movable_three.count_ones().plus(towers_four))
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
        let used = allowed.min(possible);
        let two_or_more = one.less(used);
        let three_or_more = die.fill(2).less(used);
        let four = used.equals(die.fill(4));

        // Steps through points with no, one, two own checkers.
        let through_empty = (step & !at_least_1).shl(die);
        let through_one = (step & at_least_1 & !at_least_2).shl(die);
        let through_two = (step & at_least_2 & !at_least_3).shl(die);
        let run = movable & through_empty;
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
        let mut ends = numbers;
        for this in 1..kind::NUMBER {
            ends[this] = ends[this - 1].plus(numbers[this]);
        }
        Towers {
            die,
            counts,
            entry,
            allowed,
            used,
            home,
            four,
            movable,
            movable_two,
            run,
            special,
            choices,
            ends,
        }
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
        let zero = index.fill(0);
        let one = index.fill(1);
        let none = index.lanes(0);
        if V::may_skip(!index.less(self.ends[kind::ONCE])) {
            return Uses {
                fixed: [zero; 3],
                from: self.movable,
                chosen: self.used,
                subset: index.plus(self.used.look_up(&SUBSET_STARTS)),
                twice_each: none,
                two_towers_run: none,
            };
        }
        // past[k]: the kind comes behind k.
        let mut past = [none; kind::NUMBER - 1];
        for this in 0..kind::NUMBER - 1 {
            past[this] = !index.less(self.ends[this]);
        }
        let mut start = zero;
        for this in 0..kind::NUMBER - 1 {
            start = self.ends[this].or_else(past[this], start);
        }
        let index = index.minus(start);

        let mut choices = one;
        for this in kind::TWICE..=kind::LONG_RUN {
            choices = self.choices[this].or_else(past[this - 1], choices);
        }
        let choices = one.or_else(past[kind::LONG_RUN], choices);
        let mut special = zero;
        for this in kind::TWICE..=kind::THRICE_AND_RUN {
            special = self.special[this].or_else(past[this - 1], special);
        }
        let has_special = past[kind::ONCE] & !past[kind::THRICE_AND_RUN];
        let special_rank = index.over(choices);
        let choice = index
            .minus(special_rank.times(choices))
            .or_else(has_special, index);
        let x = special.nth_bit(special_rank).keep(has_special);
        self.uses_of(&past, x, choice)
    }

    /// The tower uses of a kind with a special point `x`: `past` says of each kind whether this one comes
    /// behind it.
    #[inline(always)]
    fn uses_of(&self, past: &[V::Lanes; kind::NUMBER - 1], x: V, choice: V) -> Uses<V> {
        let one = x.fill(1);
        let mut of_kind = [x.lanes(0); kind::NUMBER];
        for this in kind::TWICE..kind::TWO_TOWERS_RUN {
            of_kind[this] = past[this - 1] & !past[this];
        }
        let y = x.shr(self.die);
        let y_2 = y.shr(self.die);
        let y_3 = y_2.shr(self.die);

        // The other towers: how many, out of which, and how often each is used.
        let chosen = self
            .used
            .minus(x.fill(2))
            .or_else(past[kind::ONCE], self.used);
        let chosen = one.or_else(past[kind::RUN], chosen);
        let chosen = self
            .used
            .minus(x.fill(3))
            .or_else(past[kind::RUN_AND_TWICE], chosen);
        let chosen = chosen.keep(!past[kind::LONG_RUN]);
        let chosen = x.fill(2).or_else(past[kind::THRICE_AND_RUN], chosen);
        let two_towers_run = past[kind::TWO_TWICE];
        let twice_each = of_kind[kind::LONE_RUN_AND_TWICE]
            | of_kind[kind::RUN_AND_TWICE]
            | of_kind[kind::TWO_TWICE];
        let joins = of_kind[kind::LONE_JOINS] | of_kind[kind::JOINS];
        let without_x = of_kind[kind::TWICE]
            | of_kind[kind::RUN_AND_TWICE]
            | of_kind[kind::THRICE]
            | of_kind[kind::LONE_JOINS];
        let from = self.movable_two.or_else(twice_each, self.movable);
        let from = self.run.or_else(two_towers_run, from);
        let from = from & !(x.keep(without_x) | y.keep(joins));

        // The uses of x and the points below it.
        let at_least_2 = self.counts[1] | self.counts[2] | self.counts[3];
        let at_least_1 = at_least_2 | self.counts[0];
        let of_two = x.meets(at_least_2);
        let twice = of_kind[kind::TWICE] & of_two;
        let thrice = of_kind[kind::THRICE] & of_two;
        let lone_run = of_kind[kind::TWICE] & !of_two;
        let long_run = (of_kind[kind::THRICE] & !of_two) | of_kind[kind::LONG_RUN];
        let joins_one = of_kind[kind::THROUGH] & y.meets(at_least_1);
        let joins_two = joins_one & y.meets(at_least_2);
        let run_joins = of_kind[kind::THROUGH] & !joins_one & y_2.meets(at_least_1);
        let four_steps = of_kind[kind::THROUGH] & !joins_one & !run_joins;
        let join_runs = joins_one & !joins_two;
        let run_and_more =
            of_kind[kind::RUN] | of_kind[kind::LONE_RUN_AND_TWICE] | of_kind[kind::RUN_AND_TWICE];
        let uses_y = lone_run
            | long_run
            | run_and_more
            | four_steps
            | run_joins
            | joins_two
            | of_kind[kind::THRICE_AND_RUN];
        let ones = x.keep(!(twice | of_kind[kind::FOUR_TIMES] | of_kind[kind::TWO_RUNS]))
            | y.keep(uses_y)
            | y_2.keep(long_run | four_steps | join_runs)
            | y_3.keep(four_steps);
        let twos = x.keep(twice | thrice | of_kind[kind::TWO_RUNS] | of_kind[kind::THRICE_AND_RUN])
            | y.keep(joins | joins_one | of_kind[kind::TWO_RUNS])
            | y_2.keep(run_joins);
        let fours = x.keep(of_kind[kind::FOUR_TIMES]);
        Uses {
            fixed: [ones, twos, fours],
            from,
            chosen,
            subset: choice.plus(chosen.look_up(&SUBSET_STARTS)),
            twice_each,
            two_towers_run,
        }
    }

    /// The steps of a play, by the points they start from.
    #[inline(always)]
    pub(crate) fn steps<const BEAR_OFF: bool>(&self, uses: &Uses<V>) -> Steps<V> {
        let subset = uses.subset.gather(&SUBSETS);
        let nibble = subset.fill(15);
        let others = uses.from.nth_bit(subset.shr_by::<12>())
            | uses.from.nth_bit(subset.shr_by::<8>() & nibble)
            | uses.from.nth_bit(subset.shr_by::<4>() & nibble)
            | uses.from.nth_bit(subset & nibble);
        self.steps_with::<BEAR_OFF>(uses, others)
    }

    /// The steps of a play with the given other towers.
    #[inline(always)]
    fn steps_with<const BEAR_OFF: bool>(&self, uses: &Uses<V>, others: V) -> Steps<V> {
        let twice = others.keep(uses.twice_each);
        let once = (others | others.shr(self.die).keep(uses.two_towers_run)) & !twice;
        let fixed = sliced::join(&uses.fixed, &self.entry);
        let steps = sliced::join(&fixed, &[once, twice, others.fill(0)]);
        if BEAR_OFF {
            self.with_larger_die(steps)
        } else {
            steps
        }
    }

    /// Adds the steps that bear off from the rearmost point by a die larger than it. They come only
    /// when every other step has been played, so they follow from the rest of the play.
    #[inline(always)]
    fn with_larger_die(&self, steps: Steps<V>) -> Steps<V> {
        if self.by_larger_die().is_empty() {
            return steps;
        }
        let mut counts = self.counts;
        let landings = sliced::on_board(&sliced::landings(&steps, self.die));
        sliced::move_checkers(&mut counts, &steps, &landings);
        sliced::join(&steps, &self.bear_off_by_larger_die(&mut counts))
    }

    /// Whether a die larger than the rearmost point may be left when every other step has been played.
    #[inline(always)]
    fn by_larger_die(&self) -> V::Lanes {
        self.home & !self.four & self.used.less(self.allowed)
    }

    /// Bears off from the rearmost point what a die larger than it can, and returns the steps.
    #[inline(always)]
    fn bear_off_by_larger_die(&self, counts: &mut Counts<V>) -> Steps<V> {
        let one = self.die.fill(1);
        let zero = self.die.fill(0);
        let mut going = self.by_larger_die();
        let mut steps = [zero; 3];
        let mut left = self.allowed.minus(self.used);
        for _ in 0..4 {
            let (occupied, _) = sliced::occupied_and_made(counts);
            let rearmost = occupied.highest_bit();
            going = going & !left.is_zero() & rearmost.less(one.shl(self.die));
            if going.is_empty() {
                break;
            }
            let source = [rearmost.keep(going), zero, zero];
            sliced::move_checkers(counts, &source, &[zero; 3]);
            steps = sliced::join(&steps, &source);
            left = left.minus(one);
        }
        steps
    }

    /// How many steps every play has after the entry from the bar, those of a larger die apart.
    #[inline(always)]
    pub(crate) fn used(&self) -> V {
        self.used
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
                        let mut past = [false; kind::NUMBER - 1];
                        past[..$kind].fill(true);
                        let uses = self.uses_of(&past, x, x.fill(0));
                        let fixed = match $kind {
                            kind::TWICE..=kind::LONG_RUN => {
                                self.stepped::<BEAR_OFF>(start, &uses.fixed)
                            }
                            kind::THROUGH..=kind::THRICE_AND_RUN => {
                                // No other towers are chosen.
                                let counts = side::counts(start.words(), x);
                                let fixed = Transfer::of_steps::<BEAR_OFF>(uses.fixed, self.die);
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
            side = side.stepped::<BEAR_OFF, _>(*ones, self.die);
        }
        if !twos.is_zero() {
            side = side.stepped::<BEAR_OFF, _>(*twos, self.die);
            side = side.stepped::<BEAR_OFF, _>(*twos, self.die);
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
        let entered =
            Transfer::of_steps::<false>(self.entry, self.die).moved(&side::counts(mover, self.die));
        let start = Flips::new(entered.words, self.die);
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
                _ => self.die.fill(0),
            };
            let choices = match this {
                kind::TWICE..=kind::LONG_RUN => self.choices[this].get(),
                kind::THROUGH..=kind::THRICE_AND_RUN => 1,
                _ => number,
            };
            loop {
                let x = special.take_lowest().unwrap_or(self.die.fill(0));
                let (uses, fixed) = self.uses_of_kind::<BEAR_OFF>(this, x, &start);
                let [ones, twos, fours] = uses.fixed;
                let fixed_landings =
                    entered.landings | landings::<BEAR_OFF, _>(ones | twos | fours, self.die);
                let second_step = self.die.keep(uses.two_towers_run);
                let first = SUBSET_STARTS[uses.chosen.get() as usize] as usize;
                for &ranks in &SUBSET_RANKS[first..first + choices as usize] {
                    let others = uses.from.deposit(u32::from(ranks));
                    let under_way = landings::<BEAR_OFF, _>(others, self.die);
                    let landings = landings::<BEAR_OFF, _>(under_way, second_step);
                    let (taken, put) = (others & !landings, landings & !others);
                    let mut words = fixed.exchanged(taken, put);
                    if uses.twice_each {
                        words = Flips::new(words, x).exchanged(taken, put);
                    }
                    if BEAR_OFF && self.by_larger_die() {
                        let mut counts = side::counts(words, x);
                        self.bear_off_by_larger_die(&mut counts);
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
