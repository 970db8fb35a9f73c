//! Many positions at a time, on an instruction set.

use tavli_backgammon::RuleSet;
use tavli_backgammon::board::Planes;
use tavli_backgammon::games::Decisions;
use tavli_simd::{I16Isa, I16Vector};

use super::IntegerNetwork;
use super::activations::{Activate, Activations, CacheLine as Line, LINE};
use super::dense_layer::TOGETHER;
use super::feature_deltas::{BIAS as BEGIN, ZERO as NOTHING, borne_off};
use super::feature_transformer::{DecisionPosition as Before, MoveRows as Moves};
use super::output_layer::OutputSums;
use crate::net::move_filter::Selection;

/// Positions whose hidden layers are worked on one after another, so that weights stay near.
const BLOCK: usize = 4 * TOGETHER;

impl IntegerNetwork {
    /// What positions give under some rules, one after another.
    #[inline(always)]
    pub(super) fn value_positions<I: I16Isa>(&self, isa: I, rules: RuleSet, positions: &[Planes]) -> OutputSums {
        let mut work = Work::new(self, positions.len());
        for position in positions {
            let start = work.begin(isa, [position.own(), position.opponent()]);
            work.value(isa, start, [Moves::NOTHING; 4]);
        }
        let mut sums = work.finish(isa);
        self.decide(rules, positions, &mut sums);
        sums
    }

    /// What some plays of decisions lead to, seen by the player next on roll.
    #[inline(always)]
    pub(super) fn value_plays<I: I16Isa>(&self, isa: I, decisions: &Decisions, some: &Selection) -> OutputSums {
        let mut work = Work::new(self, some.len());
        let positions = decisions.positions().iter();
        for (decision, (position, plays)) in positions.zip(some.of_decisions()).enumerate() {
            if plays.is_empty() {
                continue;
            }
            let changes = decisions.changes_of(decision);
            let start = work.begin(isa, [position.opponent(), position.own()]);
            let before = Before::new(&self.first, position);
            let is_double = decisions.rolls()[decision].is_double();
            work.set_doubles(isa, is_double);
            let (mut hits, mut after_hits) = (0, start);
            for &play in plays {
                let change = &changes[play as usize];
                // Plays that hit the same blots follow one another.
                if change.hit_mask() != hits {
                    hits = change.hit_mask();
                    after_hits = work.hit(isa, start, before.hits(hits));
                }
                let moves = if is_double {
                    before.moves::<4>(change)
                } else {
                    before.moves::<2>(change)
                };
                work.value(isa, after_hits, moves);
            }
        }
        let mut sums = work.finish(isa);
        self.decide_after_plays(decisions, some, &mut sums);
        sums
    }
}

/// The most positions that are valued together.
const MOST_TOGETHER: usize = 4;

/// How many positions are valued together: as many as the registers have room for.
#[inline(always)]
const fn together<I: I16Isa>() -> usize {
    if I::I16Vector::REGISTERS >= 32 {
        MOST_TOGETHER
    } else {
        1
    }
}

/// From where sums of the first layer come that are kept.
#[derive(Clone, Copy)]
enum Kind {
    /// The position that plays start from.
    Start,
    /// After hits.
    Hits,
}

/// Sums of each kind that are kept. At most this many are made before positions are valued that wait for the first.
const KEPT: usize = MOST_TOGETHER + 1;

/// Positions being valued.
struct Work<'a> {
    net: &'a IntegerNetwork,
    /// Sums of the first layer of each kind.
    kept: Vec<Line>,
    /// Which of each kind was made last.
    made: [usize; 2],
    /// Positions that are to be valued together.
    waiting: [Waiting; MOST_TOGETHER],
    number: usize,
    /// Whether those that wait are plays of doubles, of up to four moves; of others there are two at most.
    doubles: bool,
    /// The activations of the first layer of the positions of a block, if there are other hidden layers.
    block: Vec<Line>,
    in_block: usize,
    /// The activations of a layer, and of the next.
    layers: [Vec<Line>; 2],
    sums: OutputSums,
    valued: usize,
}

/// A position to be valued: sums that are kept, and moves after them.
#[derive(Clone, Copy, Default)]
struct Waiting {
    sums: usize,
    moves: [u16; 4],
}

impl<'a> Work<'a> {
    fn new(net: &'a IntegerNetwork, positions: usize) -> Work<'a> {
        let widths = net.hidden.iter().map(|layer| layer.width());
        let widest = widths.max().map_or(0, |width| width.max(net.first.width));
        let block = || vec![Line::ZERO; BLOCK * widest];
        let outputs = net.outputs.count();
        // The last ones that are valued together may be fewer.
        let places = positions + MOST_TOGETHER;
        Work {
            net,
            kept: vec![Line::ZERO; 2 * KEPT * net.first.width],
            made: [0; 2],
            waiting: [Waiting::default(); MOST_TOGETHER],
            number: 0,
            doubles: false,
            block: block(),
            in_block: 0,
            layers: [block(), block()],
            sums: core::array::from_fn(|output| vec![0; if output < outputs { places } else { 0 }]),
            valued: 0,
        }
    }

    /// Where the next sums of a kind are kept.
    #[inline(always)]
    fn room(&mut self, kind: Kind) -> usize {
        let made = &mut self.made[kind as usize];
        *made = (*made + 1) % KEPT;
        (kind as usize * KEPT + *made) * self.net.first.width
    }

    /// Goes to another position that plays start from, given by its sides: its sums.
    #[inline(always)]
    fn begin<I: I16Isa>(&mut self, isa: I, [own, other]: [[u32; 4]; 2]) -> usize {
        let first = &self.net.first;
        // At most 26 places have checkers: points of either side, and two bars.
        let mut rows = [first.row(BEGIN); 32];
        rows[1] = first.place(0, 0, borne_off(own));
        rows[2] = first.place(1, 0, borne_off(other));
        let mut number = 3;
        // Both sides in one loop, since the CPU does not foresee where one ends.
        let both = |plane: usize| u64::from(own[plane]) | u64::from(other[plane]) << 32;
        let [ones, twos, fours, eights] = [both(0), both(1), both(2), both(3)];
        let mut left = ones | twos | fours | eights;
        while left != 0 {
            let at = left.trailing_zeros();
            let bit = |plane: u64| (plane >> at & 1) as u8;
            let checkers = bit(ones) | bit(twos) << 1 | bit(fours) << 2 | bit(eights) << 3;
            let (side, place) = (at as usize / 32, at as usize % 32);
            rows[number % 32] = first.place(side, place, checkers);
            number += 1;
            left &= left - 1;
        }
        let start = self.room(Kind::Start);
        add(isa, &rows[..number], &mut self.kept[start..][..first.width]);
        start
    }

    /// The sums after hits.
    #[inline(always)]
    fn hit<I: I16Isa>(&mut self, isa: I, before: usize, hits: impl Iterator<Item = [u16; 2]>) -> usize {
        let first = &self.net.first;
        let mut rows = [[first.row(NOTHING); 2]; 4];
        let mut number = 0;
        for [off, onto] in hits {
            rows[number % 4] = [first.row(off), first.row(onto)];
            number += 1;
        }
        let after = self.room(Kind::Hits);
        let both = [before..before + first.width, after..after + first.width];
        let [sums, changed] = self.kept.get_disjoint_mut(both).expect("of two kinds");
        for (line, (sums, changed)) in sums.iter().zip(changed).enumerate() {
            let mut at = 0;
            while at < LINE {
                let mut sum = isa.splat_i16(0).read(&sums.0[at..]);
                for [off, onto] in &rows[..number.min(4)] {
                    let onto = sum.read(&onto[line].0[at..]);
                    sum = sum.wrapping_add(onto.wrapping_sub(sum.read(&off[line].0[at..])));
                }
                sum.write(&mut changed.0[at..]);
                at += I::I16Vector::LANES;
            }
        }
        after
    }

    /// Whether those that are valued from now on are plays of doubles.
    #[inline(always)]
    fn set_doubles<I: I16Isa>(&mut self, isa: I, doubles: bool) {
        if doubles != self.doubles {
            if self.number > 0 {
                self.value_waiting(isa);
            }
            self.doubles = doubles;
        }
    }

    /// Values the position after moves.
    #[inline(always)]
    fn value<I: I16Isa>(&mut self, isa: I, sums: usize, moves: [u16; 4]) {
        self.waiting[self.number % MOST_TOGETHER] = Waiting { sums, moves };
        self.number += 1;
        if self.number == together::<I>() {
            self.value_waiting(isa);
        }
    }

    /// Values the positions that wait, in a function of its own: where it is called it would be copied.
    #[inline(always)]
    fn value_waiting<I: I16Isa>(&mut self, isa: I) {
        isa.call(
            #[inline(always)]
            || match (&self.net.first.activations, self.doubles) {
                (Activations::Clipped(clipped), false) => self.value_with::<I, 2>(isa, clipped),
                (Activations::Clipped(clipped), true) => self.value_with::<I, 4>(isa, clipped),
                (Activations::Squashed(squashed), false) => self.value_with::<I, 2>(isa, squashed),
                (Activations::Squashed(squashed), true) => self.value_with::<I, 4>(isa, squashed),
            },
        );
        self.number = 0;
    }

    #[inline(always)]
    fn value_with<I: I16Isa, const MOVES: usize>(&mut self, isa: I, activate: &impl Activate) {
        if !self.net.hidden.is_empty() {
            for position in 0..self.number {
                self.activate::<I, MOVES>(isa, activate, position);
            }
        } else if together::<I>() == MOST_TOGETHER {
            self.value_flat::<I, MOST_TOGETHER, MOVES>(isa, activate);
        } else {
            self.value_flat::<I, 1, MOVES>(isa, activate);
        }
    }

    /// The sums of the first layer of a position that waits.
    #[inline(always)]
    fn changed<const MOVES: usize>(&self, position: usize) -> Changed<'a, '_, MOVES> {
        let first = &self.net.first;
        let Waiting { sums, moves } = self.waiting[position];
        let mut changed = Changed {
            sums: &self.kept[sums..][..first.width],
            moves: [first.moves.row(Moves::NOTHING); MOVES],
        };
        let mut number = 0;
        while number < MOVES {
            changed.moves[number] = first.moves.row(moves[number]);
            number += 1;
        }
        changed
    }

    /// Values the positions that wait by a net of one hidden layer.
    #[inline(always)]
    fn value_flat<I: I16Isa, const POSITIONS: usize, const MOVES: usize>(&mut self, isa: I, activate: &impl Activate) {
        let net = self.net;
        let mut changed = [self.changed::<MOVES>(0); POSITIONS];
        for position in 1..POSITIONS {
            changed[position] = self.changed::<MOVES>(position);
        }
        let sums = net.last.sums::<I, POSITIONS>(
            isa,
            net.first.width,
            #[inline(always)]
            |position, line, at| activate.of(isa, changed[position].at(isa, line, at), line, at),
        );
        for (all, sums) in self.sums.iter_mut().zip(sums) {
            if let Some(places) = all.get_mut(self.valued..self.valued + POSITIONS) {
                places.copy_from_slice(&sums);
            }
        }
        self.valued += self.number;
    }

    /// Adds the activations of a position that waits to the block.
    #[inline(always)]
    fn activate<I: I16Isa, const MOVES: usize>(&mut self, isa: I, activate: &impl Activate, position: usize) {
        let width = self.net.first.width;
        let mut block = core::mem::take(&mut self.block);
        let changed = self.changed::<MOVES>(position);
        let lines = &mut block[self.in_block * width..][..width];
        for (line, activations) in lines.iter_mut().enumerate() {
            let mut at = 0;
            while at < LINE {
                let activation = activate.of(isa, changed.at(isa, line, at), line, at);
                activation.write(&mut activations.0[at..]);
                at += I::I16Vector::LANES;
            }
        }
        self.block = block;
        self.in_block += 1;
        if self.in_block == BLOCK {
            self.flush(isa);
        }
    }

    /// Runs the layers after the first for the positions of the block.
    #[inline(always)]
    fn flush<I: I16Isa>(&mut self, isa: I) {
        let padded = self.in_block.next_multiple_of(TOGETHER);
        let mut width = self.net.first.width;
        let [before, after] = &mut self.layers;
        before[..padded * width].copy_from_slice(&self.block[..padded * width]);
        for layer in &self.net.hidden {
            layer.run(isa, &before[..padded * width], after);
            width = layer.width();
            core::mem::swap(before, after);
        }
        for position in 0..self.in_block {
            let lines = &self.layers[0][position * width..][..width];
            let sums = self.net.last.sums::<I, 1>(
                isa,
                width,
                #[inline(always)]
                |_, line, at| isa.splat_i16(0).read(&lines[line].0[at..]),
            );
            for (all, [sum]) in self.sums.iter_mut().zip(sums) {
                if let Some(place) = all.get_mut(self.valued) {
                    *place = sum;
                }
            }
            self.valued += 1;
        }
        self.in_block = 0;
    }

    /// What all positions gave.
    #[inline(always)]
    fn finish<I: I16Isa>(mut self, isa: I) -> OutputSums {
        if self.number > 0 {
            self.value_waiting(isa);
        }
        if self.in_block > 0 {
            self.flush(isa);
        }
        for sums in &mut self.sums {
            sums.truncate(self.valued);
        }
        self.sums
    }
}

/// The most vectors that are summed side by side.
const SIDE_BY_SIDE: usize = 8;

/// Writes the sums of rows.
#[inline(always)]
fn add<I: I16Isa>(isa: I, rows: &[&[Line]], sums: &mut [Line]) {
    let zero = isa.splat_i16(0);
    let lanes = I::I16Vector::LANES;
    // Six vectors or eight, since 192 units are six of 32.
    let lines = (6 * lanes).div_ceil(LINE);
    let vectors = lines * LINE / lanes;
    let mut from = 0;
    while from + lines <= sums.len() {
        let mut sum = [zero; SIDE_BY_SIDE];
        for row in rows {
            let row = &row[from..][..lines];
            for (vector, sum) in sum[..vectors].iter_mut().enumerate() {
                let at = vector * lanes;
                *sum = sum.wrapping_add(zero.read(&row[at / LINE].0[at % LINE..]));
            }
        }
        for (vector, sum) in sum[..vectors].iter().enumerate() {
            let at = vector * lanes;
            sum.write(&mut sums[from + at / LINE].0[at % LINE..]);
        }
        from += lines;
    }
    for line in from..sums.len() {
        let mut at = 0;
        while at < LINE {
            let mut sum = zero;
            for row in rows {
                sum = sum.wrapping_add(zero.read(&row[line].0[at..]));
            }
            sum.write(&mut sums[line].0[at..]);
            at += lanes;
        }
    }
}

/// The sums of the first layer after moves.
#[derive(Clone, Copy)]
struct Changed<'a, 'b, const MOVES: usize> {
    sums: &'b [Line],
    moves: [&'a [Line]; MOVES],
}

impl<const MOVES: usize> Changed<'_, '_, MOVES> {
    /// Of some units: those from `at` on in a line.
    #[inline(always)]
    fn at<I: I16Isa>(&self, isa: I, line: usize, at: usize) -> I::I16Vector {
        let mut sum = isa.splat_i16(0).read(&self.sums[line].0[at..]);
        let mut number = 0;
        while number < MOVES {
            sum = sum.wrapping_add(sum.read(&self.moves[number][line].0[at..]));
            number += 1;
        }
        sum
    }
}
