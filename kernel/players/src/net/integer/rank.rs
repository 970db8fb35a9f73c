//! Many positions at a time, on an instruction set.

use tavli_backgammon::board::Planes;
use tavli_backgammon::games::Decisions;
use tavli_simd::{HalfIsa, Halves};

use super::IntegerNetwork;
use super::activations::{Activate, Activations};
use super::changes::{Exchange, Places};
use super::counts::counts;
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
            work.begin(isa, [position.own(), position.opponent()]);
            work.value(isa, [[NOTHING; 2]; 2]);
        }
        work.finish(isa)
    }

    /// What the plays of decisions lead to, seen by the player next on roll.
    #[inline(always)]
    pub(super) fn value_plays<I: HalfIsa>(&self, isa: I, decisions: &Decisions) -> OutputSums {
        let mut work = Work::new(self, decisions.changes().len());
        for (decision, position) in decisions.positions().iter().enumerate() {
            work.begin(isa, [position.opponent(), position.own()]);
            let places = Places::new(self.first.steps, position);
            for change in decisions.changes_of(decision) {
                match places.few(change) {
                    Some(few) => work.value(isa, few),
                    None => work.value_after(isa, places.all(change).in_pairs()),
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

    /// Goes to another position that plays start from, given by its sides.
    #[inline(always)]
    fn begin<I: HalfIsa>(&mut self, isa: I, sides: [[u32; 4]; 2]) {
        let first = &self.net.first;
        // Fifteen checkers a side are on at most fifteen places, those off the board among them.
        let mut rows = [first.row(NOTHING); 32];
        rows[0] = first.row(BEGIN);
        let mut number = 1;
        for (side, planes) in sides.into_iter().enumerate() {
            let counts = counts(planes);
            let [ones, twos, fours, eights] = planes;
            // Those off the board are at 0.
            let mut places = ones | twos | fours | eights | 1;
            while places != 0 {
                let place = places.trailing_zeros() as usize % 32;
                rows[number % 32] = first.place(side, place, counts[place]);
                places &= places - 1;
                number += 1;
            }
        }
        let rows = &rows[..number];
        for (line, base) in self.base.iter_mut().enumerate() {
            let mut at = 0;
            while at < LINE {
                let mut sum = isa.halves(0);
                for row in rows {
                    sum = sum.plus(sum.read(&row[line].0[at..]));
                }
                sum.write(&mut base.0[at..]);
                at += I::Halves::LANES;
            }
        }
    }

    /// Values the position after these exchanges in the one begun with.
    #[inline(always)]
    fn value_after<I: HalfIsa>(&mut self, isa: I, exchanges: &[[Exchange; 2]]) {
        let Some((&last, before)) = exchanges.split_last() else {
            return self.value(isa, [[NOTHING; 2]; 2]);
        };
        let Some((&first, others)) = before.split_first() else {
            return self.value(isa, last);
        };
        let net = self.net;
        ChangedSums::new(net, &self.base, first).write(isa, &mut self.changed);
        for &exchanges in others {
            let sums = self.changed.clone();
            ChangedSums::new(net, &sums, exchanges).write(isa, &mut self.changed);
        }
        core::mem::swap(&mut self.base, &mut self.changed);
        self.value(isa, last);
        core::mem::swap(&mut self.base, &mut self.changed);
    }

    /// Values the position after two exchanges in the one begun with.
    #[inline(always)]
    fn value<I: HalfIsa>(&mut self, isa: I, exchanges: [Exchange; 2]) {
        match &self.net.first.activations {
            Activations::Clipped(clipped) => self.value_with(isa, clipped, exchanges),
            Activations::Squashed(squashed) => self.value_with(isa, squashed, exchanges),
        }
    }

    #[inline(always)]
    fn value_with<I: HalfIsa>(
        &mut self,
        isa: I,
        activate: &impl Activate,
        exchanges: [Exchange; 2],
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
        let last = &self.net.last;
        let sums = last.sums(
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
        let last = &self.net.last;
        for position in 0..self.in_block {
            let lines = &self.layers[0][position * width..][..width];
            let sums = last.sums(
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

/// The sums of the first layer after two exchanges.
struct ChangedSums<'a> {
    sums: &'a [Line],
    rows: [[&'a [Line]; 2]; 2],
}

impl<'a> ChangedSums<'a> {
    #[inline(always)]
    fn new(net: &'a IntegerNetwork, sums: &'a [Line], exchanges: [Exchange; 2]) -> Self {
        let [[out, put], [out_2, put_2]] = exchanges;
        let first = &net.first;
        ChangedSums {
            sums: &sums[..first.width],
            rows: [
                [first.row(out), first.row(put)],
                [first.row(out_2), first.row(put_2)],
            ],
        }
    }

    /// Of some units: those from `at` on in a line.
    #[inline(always)]
    fn at<I: HalfIsa>(&self, isa: I, line: usize, at: usize) -> I::Halves {
        let [[out, put], [out_2, put_2]] = self.rows;
        let zero = isa.halves(0);
        let sum = zero.read(&self.sums[line].0[at..]);
        let change = zero
            .read(&put[line].0[at..])
            .minus(zero.read(&out[line].0[at..]));
        let change_2 = zero
            .read(&put_2[line].0[at..])
            .minus(zero.read(&out_2[line].0[at..]));
        sum.plus(change.plus(change_2))
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
