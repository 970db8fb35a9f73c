//! Many positions at a time, on an instruction set.

use tavli_backgammon::board::Planes;
use tavli_backgammon::games::Decisions;
use tavli_simd::{HalfIsa, Halves};

use super::IntegerNetwork;
use super::activations::{Activate, Activations};
use super::changes::{Exchange, Exchanges, Places};
use super::counts::{PLACES_A_SIDE, bits, counts};
use super::dense::TOGETHER;
use super::line::{LINE, Line};
use super::steps::{BEGIN, NOTHING};
use crate::net::Outputs;

/// The sums of the outputs of some positions: an array for each output.
pub(super) type OutputSums = [Vec<i32>; Outputs::MOST];

/// Positions whose hidden layers are worked on one after another, so that weights stay near.
const BLOCK: usize = 4 * TOGETHER;

impl IntegerNetwork {
    /// What positions give, one after another.
    #[inline(always)]
    pub(super) fn value_positions<I: HalfIsa>(&self, isa: I, positions: &[Planes]) -> OutputSums {
        let mut work = Work::new(self, positions.len());
        for position in positions {
            let sides = [position.own(), position.opponent()];
            work.begin(isa, sides, &[counts(sides[0]), counts(sides[1])]);
            work.value(isa, [[[NOTHING; 2]; 2]]);
        }
        work.finish(isa)
    }

    /// What the plays of decisions lead to, seen by the player next on roll.
    #[inline(always)]
    pub(super) fn value_plays<I: HalfIsa>(&self, isa: I, decisions: &Decisions) -> OutputSums {
        let mut work = Work::new(self, decisions.changes().len());
        for (decision, position) in decisions.positions().iter().enumerate() {
            let sides = [position.opponent(), position.own()];
            let counts = [counts(sides[0]), counts(sides[1])];
            work.begin(isa, sides, &counts);
            let [_, of_mover] = &counts;
            let places = Places::new(self.first.steps, position, of_mover);
            for change in decisions.changes_of(decision) {
                match places.exchanges(change) {
                    Exchanges::Two(exchanges) => work.value(isa, exchanges),
                    Exchanges::Four(exchanges) => work.value(isa, exchanges),
                    Exchanges::Eight(exchanges) => work.value_after(isa, exchanges),
                }
            }
        }
        work.finish(isa)
    }
}

/// Positions being valued.
struct Work<'a> {
    net: &'a IntegerNetwork,
    /// The sums of the first layer of the position that plays start from.
    base: Vec<Line>,
    /// The same after some changes.
    changed: Vec<Line>,
    /// The activations of the first layer of the positions of a block, if there are other hidden layers.
    block: Vec<Line>,
    in_block: usize,
    /// The activations of a layer, and of the next.
    layers: [Vec<Line>; 2],
    sums: OutputSums,
    valued: usize,
}

impl<'a> Work<'a> {
    fn new(net: &'a IntegerNetwork, positions: usize) -> Work<'a> {
        let widths = net.hidden.iter().map(|layer| layer.width());
        let widest = widths.max().map_or(0, |width| width.max(net.first.width));
        let block = || vec![Line::ZERO; BLOCK * widest];
        let outputs = net.outputs.count();
        Work {
            net,
            base: vec![Line::ZERO; net.first.width],
            changed: vec![Line::ZERO; net.first.width],
            block: block(),
            in_block: 0,
            layers: [block(), block()],
            sums: core::array::from_fn(|output| {
                vec![0; if output < outputs { positions } else { 0 }]
            }),
            valued: 0,
        }
    }

    /// Goes to another position that plays start from, given by its sides and the checkers on their places.
    #[inline(always)]
    fn begin<I: HalfIsa>(
        &mut self,
        isa: I,
        sides: [[u32; 4]; 2],
        counts: &[[u8; PLACES_A_SIDE]; 2],
    ) {
        let first = &self.net.first;
        // Fifteen checkers a side are on at most fifteen places, those off the board among them.
        let mut rows = [first.row(NOTHING); 32];
        rows[0] = first.row(BEGIN);
        let mut number = 1;
        for (side, ([ones, twos, fours, eights], counts)) in
            sides.into_iter().zip(counts).enumerate()
        {
            // Those off the board are at 0.
            for place in bits(ones | twos | fours | eights | 1) {
                rows[number % 32] = first.place(side, place, counts[place % PLACES_A_SIDE]);
                number += 1;
            }
        }
        add(isa, &rows[..number], &mut self.base);
    }

    /// Values the position after many exchanges in the one begun with.
    #[inline(always)]
    fn value_after<I: HalfIsa>(&mut self, isa: I, [before, last]: [[[Exchange; 2]; 2]; 2]) {
        ChangedSums::new(self.net, &self.base, before).write(isa, &mut self.changed);
        core::mem::swap(&mut self.base, &mut self.changed);
        self.value(isa, last);
        core::mem::swap(&mut self.base, &mut self.changed);
    }

    /// Values the position after some exchanges in the one begun with.
    #[inline(always)]
    fn value<I: HalfIsa, const PAIRS: usize>(&mut self, isa: I, exchanges: [[Exchange; 2]; PAIRS]) {
        match &self.net.first.activations {
            Activations::Clipped(clipped) => self.value_with(isa, clipped, exchanges),
            Activations::Squashed(squashed) => self.value_with(isa, squashed, exchanges),
        }
    }

    #[inline(always)]
    fn value_with<I: HalfIsa, const PAIRS: usize>(
        &mut self,
        isa: I,
        activate: &impl Activate,
        exchanges: [[Exchange; 2]; PAIRS],
    ) {
        let width = self.net.first.width;
        let sums = ChangedSums::new(self.net, &self.base, exchanges);
        if !self.net.hidden.is_empty() {
            let block = &mut self.block[self.in_block * width..][..width];
            for (line, activations) in block.iter_mut().enumerate() {
                let mut at = 0;
                while at < LINE {
                    let activation = activate.of(isa, sums.at(isa, line, at), line, at);
                    activation.write(&mut activations.0[at..]);
                    at += I::Halves::LANES;
                }
            }
            self.in_block += 1;
            if self.in_block == BLOCK {
                self.flush(isa);
            }
            return;
        }
        let sums = self.net.last.sums(
            isa,
            width,
            #[inline(always)]
            |line, at| activate.of(isa, sums.at(isa, line, at), line, at),
        );
        self.put(sums);
    }

    /// Adds the sums of a position's outputs.
    #[inline(always)]
    fn put(&mut self, sums: [i32; Outputs::MOST]) {
        for (all, sum) in self.sums.iter_mut().zip(sums) {
            if let Some(place) = all.get_mut(self.valued) {
                *place = sum;
            }
        }
        self.valued += 1;
    }

    /// Runs the layers after the first for the positions of the block.
    #[inline(always)]
    fn flush<I: HalfIsa>(&mut self, isa: I) {
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
            let sums = self.net.last.sums(
                isa,
                width,
                #[inline(always)]
                |line, at| isa.halves(0).read(&lines[line].0[at..]),
            );
            self.put(sums);
        }
        self.in_block = 0;
    }

    /// What all positions gave.
    #[inline(always)]
    fn finish<I: HalfIsa>(mut self, isa: I) -> OutputSums {
        if self.in_block > 0 {
            self.flush(isa);
        }
        self.sums
    }
}

/// Vectors that are summed side by side.
const SIDE_BY_SIDE: usize = 8;

/// Writes the sums of rows.
#[inline(always)]
fn add<I: HalfIsa>(isa: I, rows: &[&[Line]], sums: &mut [Line]) {
    let zero = isa.halves(0);
    let lanes = I::Halves::LANES;
    let lines = SIDE_BY_SIDE * lanes / LINE;
    let mut from = 0;
    while from + lines <= sums.len() {
        let mut sum = [zero; SIDE_BY_SIDE];
        for row in rows {
            let row = &row[from..][..lines];
            for (vector, sum) in sum.iter_mut().enumerate() {
                let at = vector * lanes;
                *sum = sum.plus(zero.read(&row[at / LINE].0[at % LINE..]));
            }
        }
        for (vector, sum) in sum.into_iter().enumerate() {
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
                sum = sum.plus(zero.read(&row[line].0[at..]));
            }
            sum.write(&mut sums[line].0[at..]);
            at += lanes;
        }
    }
}

/// The sums of the first layer after some exchanges.
struct ChangedSums<'a, const PAIRS: usize> {
    sums: &'a [Line],
    rows: [[[&'a [Line]; 2]; 2]; PAIRS],
}

impl<'a, const PAIRS: usize> ChangedSums<'a, PAIRS> {
    #[inline(always)]
    fn new(net: &'a IntegerNetwork, sums: &'a [Line], exchanges: [[Exchange; 2]; PAIRS]) -> Self {
        let first = &net.first;
        let mut rows = [[[first.row(NOTHING); 2]; 2]; PAIRS];
        let mut pair = 0;
        while pair < PAIRS {
            let [[out, put], [out_2, put_2]] = exchanges[pair];
            rows[pair] = [
                [first.row(out), first.row(put)],
                [first.row(out_2), first.row(put_2)],
            ];
            pair += 1;
        }
        ChangedSums {
            sums: &sums[..first.width],
            rows,
        }
    }

    /// Of some units: those from `at` on in a line.
    #[inline(always)]
    fn at<I: HalfIsa>(&self, isa: I, line: usize, at: usize) -> I::Halves {
        let zero = isa.halves(0);
        let mut sum = zero.read(&self.sums[line].0[at..]);
        let mut pair = 0;
        while pair < PAIRS {
            let [[out, put], [out_2, put_2]] = self.rows[pair];
            let change = zero
                .read(&put[line].0[at..])
                .minus(zero.read(&out[line].0[at..]));
            let change_2 = zero
                .read(&put_2[line].0[at..])
                .minus(zero.read(&out_2[line].0[at..]));
            sum = sum.plus(change.plus(change_2));
            pair += 1;
        }
        sum
    }

    /// Writes them all.
    #[inline(always)]
    fn write<I: HalfIsa>(&self, isa: I, lines: &mut [Line]) {
        for (line, lines) in lines[..self.sums.len()].iter_mut().enumerate() {
            let mut at = 0;
            while at < LINE {
                self.at(isa, line, at).write(&mut lines.0[at..]);
                at += I::Halves::LANES;
            }
        }
    }
}
