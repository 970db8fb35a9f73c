//! The plays of many rolls, listed one after another into arrays.

use super::change::Change;
use super::masks::Masks;
use super::packed_side;
use super::planes::{self, mirror};
use super::play_set::{CountPlays, PlaySet, Visit, visit_plays};
use crate::board::{Planes, SideCheckers};
use crate::dice::Roll;
use crate::rules::{AllHome, BearOff, RuleSet};
use tavli_base::Stopped;
use tavli_simd::{Bmi2, Isa, Scalar, ScalarIsa, Vector, Word};

/// The lists about each play, beside the number of a roll's plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct View {
    /// The position after each play.
    pub results: bool,
    /// The change of each play.
    pub changes: bool,
}

impl View {
    /// The number of plays alone, which is counted without listing them.
    pub const NUMBERS: View = View { results: false, changes: false };
    /// The positions after the plays.
    pub const RESULTS: View = View { results: true, changes: false };
    /// The changes of the plays.
    pub const CHANGES: View = View { results: false, changes: true };
}

/// The most places that are made blank at once beyond those that are needed. Doubling gigabytes would take the better
/// part of a second, in which `stop` is not called.
// Some tens of megabytes, made blank within some hundredths of a second: an interrupt is heard within 0.3 s.
const MAX_BLANK: usize = 1 << 20;

/// A reused array: filling it overwrites the items from before.
#[derive(Clone, Debug)]
pub(crate) struct Reused<T> {
    room: Vec<T>,
    used: usize,
}

impl<T: Copy> Reused<T> {
    pub(crate) const fn new() -> Reused<T> {
        Reused { room: Vec::new(), used: 0 }
    }

    /// The items that it was filled with.
    pub(crate) fn filled(&self) -> &[T] {
        &self.room[..self.used]
    }

    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    /// A copy, unless `stop` returns true.
    fn clone_unless(&self, stop: &dyn Fn() -> bool) -> Result<Reused<T>, Stopped> {
        Ok(Reused { room: copied_unless(self.filled(), stop)?, used: self.used })
    }

    /// Fills `number` more places, which hold `blank` or something from before.
    #[inline(always)]
    fn more(&mut self, number: usize, blank: T) -> &mut [T] {
        let from = self.used;
        self.used += number;
        if self.used > self.room.len() {
            let most = self.used + MAX_BLANK;
            self.room.resize(self.used.next_power_of_two().min(most), blank);
        }
        &mut self.room[from..self.used]
    }
}

/// The items that are copied between two calls of `stop`.
const COPIED_AT_ONCE: usize = 1 << 16;

/// A copy of the items, unless `stop` returns true, which is called every so many items.
pub(crate) fn copied_unless<T: Clone>(items: &[T], stop: &dyn Fn() -> bool) -> Result<Vec<T>, Stopped> {
    let mut copy = Vec::with_capacity(items.len());
    for items in items.chunks(COPIED_AT_ONCE) {
        if stop() {
            return Err(Stopped);
        }
        copy.extend_from_slice(items);
    }
    Ok(copy)
}

/// The plays of the rolls of some positions, as ragged arrays.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    view: View,
    /// Where the plays of each roll begin, and where the last one's end.
    pub(crate) offsets: Vec<usize>,
    pub(crate) results: Reused<Planes>,
    pub(crate) changes: Reused<Change>,
}

impl Listing {
    pub(crate) fn new() -> Listing {
        Listing { view: View::NUMBERS, offsets: vec![0], results: Reused::new(), changes: Reused::new() }
    }

    /// A copy, unless `stop` returns true.
    pub(crate) fn clone_unless(&self, stop: &dyn Fn() -> bool) -> Result<Listing, Stopped> {
        Ok(Listing {
            view: self.view,
            offsets: copied_unless(&self.offsets, stop)?,
            results: self.results.clone_unless(stop)?,
            changes: self.changes.clone_unless(stop)?,
        })
    }

    /// The view of the last listing.
    pub(crate) fn view(&self) -> View {
        self.view
    }

    /// Begins a new listing without rolls, with this view.
    pub(crate) fn begin(&mut self, view: View) {
        self.view = view;
        self.offsets.clear();
        self.offsets.push(0);
        self.results.clear();
        self.changes.clear();
    }

    /// Lists the plays of further positions' rolls. Both sides of each position must have checkers.
    pub(crate) fn add(&mut self, rules: RuleSet, positions: &[Planes], rolls: &[Roll]) {
        match Bmi2::detect() {
            Some(isa) => self.add_on::<_, true>(isa, rules, positions, rolls),
            None => self.add_on_any_cpu(rules, positions, rolls),
        }
    }

    /// Lists plays in the code for any CPU. Results are made from changes, so a small program has the code once.
    pub(crate) fn add_on_any_cpu(&mut self, rules: RuleSet, positions: &[Planes], rolls: &[Roll]) {
        let (view, before) = (self.view, self.offsets.len() - 1);
        // If only results were asked for, the changes of the rolls before are gone.
        let first = if view.changes { 0 } else { self.offsets[before] };
        self.add_on::<_, false>(Scalar, rules, positions, rolls);
        if view.results {
            let plays = positions.iter().zip(self.offsets[before..].windows(2));
            for (position, offsets) in plays {
                let changes = &self.changes.filled()[offsets[0] - first..offsets[1] - first];
                let results = self.results.more(changes.len(), *position);
                for (result, change) in results.iter_mut().zip(changes) {
                    *result = change.made_in(position);
                }
            }
        }
        if !view.changes {
            self.changes.clear();
        }
    }

    /// Without `RESULTS` changes are listed in place of the positions after plays.
    fn add_on<B: ScalarIsa + Isa<Vector = Word<B>>, const RESULTS: bool>(
        &mut self,
        isa: B,
        rules: RuleSet,
        positions: &[Planes],
        rolls: &[Roll],
    ) {
        let view = self.view;
        let mut end = self.offsets[self.offsets.len() - 1];
        // One call for all positions: code for an instruction set is not inlined into other code.
        isa.with_features(
            #[inline(always)]
            || {
                for (position, &roll) in positions.iter().zip(rolls) {
                    let mut number = 0;
                    if RESULTS && view.results {
                        let results = ListResults(&mut self.results, position);
                        number = visit(isa, rules, position, roll, results);
                    }
                    if view.changes || (!RESULTS && view.results) {
                        let changes = Changes(&mut self.changes, position);
                        number = visit(isa, rules, position, roll, changes);
                    }
                    if view == View::NUMBERS {
                        number = visit(isa, rules, position, roll, CountPlays);
                    }
                    end += number;
                    self.offsets.push(end);
                }
            },
        );
    }
}

/// The positions after plays that are picked by index, without listing the plays.
pub(crate) fn pick_results(
    rules: RuleSet,
    positions: &[Planes],
    rolls: &[Roll],
    picks: &[u32],
    results: &mut Vec<Planes>,
) {
    #[inline(always)]
    fn on<B: ScalarIsa + Isa<Vector = Word<B>>>(
        isa: B,
        rules: RuleSet,
        positions: &[Planes],
        rolls: &[Roll],
        picks: &[u32],
        results: &mut Vec<Planes>,
    ) {
        isa.with_features(
            #[inline(always)]
            || {
                for ((position, roll), &index) in positions.iter().zip(rolls).zip(picks) {
                    results.push(visit(isa, rules, position, *roll, Pick { position, index }));
                }
            },
        );
    }
    results.clear();
    match Bmi2::detect() {
        Some(isa) => on(isa, rules, positions, rolls, picks, results),
        None => on(Scalar, rules, positions, rolls, picks, results),
    }
}

/// Hands the table of a roll's plays to a visitor. The table depends on the rules only by whether they bear off.
#[inline(always)]
fn visit<B: ScalarIsa + Isa<Vector = Word<B>>, T: Visit<B>>(
    isa: B,
    rules: RuleSet,
    position: &Planes,
    roll: Roll,
    visitor: T,
) -> T::Output {
    let mover = position.own().map(|bits| isa.splat(bits));
    let other = position.opponent().map(|bits| isa.splat(bits));
    let masks = Masks::new(&mover, &other);
    let high = isa.splat(u32::from(roll.high()));
    let low = isa.splat(u32::from(roll.low()));
    if rules.bears_off() {
        visit_plays::<BearOff, B, T>(&mover, &masks, high, low, visitor)
    } else {
        visit_plays::<AllHome, B, T>(&mover, &masks, high, low, visitor)
    }
}

/// Makes the play of an index.
struct Pick<'a> {
    position: &'a Planes,
    index: u32,
}

impl<B: ScalarIsa> Visit<B> for Pick<'_> {
    type Output = Planes;
    #[inline(always)]
    fn visit(self, set: &impl PlaySet<B>, masks: &Masks<Word<B>>) -> Planes {
        let splat = |word: u32| masks.blots.splat(word);
        let mut mover = self.position.own().map(splat);
        let mut other = self.position.opponent().map(splat);
        let delta = set.delta(splat(self.index));
        delta.make(&mut mover, &mut other, masks.blots);
        Planes::from_sides(other.map(Word::get), mover.map(Word::get))
    }
}

/// Lists the positions after the plays of a position, and returns their number.
struct ListResults<'a>(&'a mut Reused<Planes>, &'a Planes);

impl<B: ScalarIsa> Visit<B> for ListResults<'_> {
    type Output = usize;
    #[inline(always)]
    fn visit(self, set: &impl PlaySet<B>, masks: &Masks<Word<B>>) -> usize {
        let ListResults(results, position) = self;
        let number = set.plays().get() as usize;
        let mut results = results.more(number, *position).iter_mut();
        let splat = |word: u32| masks.blots.splat(word);
        let mover = packed_side::words(&SideCheckers::from_planes(position.own()), masks.blots);
        let mut hits = splat(0);
        let mut other = position.opponent();
        set.for_each::<false>(
            mover,
            #[inline(always)]
            |moved| {
                let now = moved.landings & masks.blots;
                if !now.lanes_equal(hits) {
                    hits = now;
                    let mut counts = position.opponent().map(splat);
                    planes::send_to_bar(&mut counts, mirror(hits));
                    other = counts.map(Word::get);
                }
                if let Some(result) = results.next() {
                    let own = packed_side::counts(moved.words, now).map(Word::get);
                    *result = Planes::from_sides(other, own);
                }
            },
        );
        number
    }
}

/// Lists the changes of a position's plays, and returns their number.
struct Changes<'a>(&'a mut Reused<Change>, &'a Planes);

impl<B: ScalarIsa> Visit<B> for Changes<'_> {
    type Output = usize;
    #[inline(always)]
    fn visit(self, set: &impl PlaySet<B>, masks: &Masks<Word<B>>) -> usize {
        let Changes(changes, position) = self;
        let number = set.plays().get() as usize;
        let mut changes = changes.more(number, Change::NOTHING).iter_mut();
        let mover = packed_side::words(&SideCheckers::from_planes(position.own()), masks.blots);
        set.for_each::<true>(
            mover,
            #[inline(always)]
            |moved| {
                if let Some(change) = changes.next() {
                    *change = Change::from_sides(&moved, masks.blots);
                }
            },
        );
        number
    }
}
