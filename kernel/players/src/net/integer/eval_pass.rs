//! Evaluation passes: many positions at a time, on an instruction set.
//!
//! Tested by `tests/suite/net.rs`.

use tavli_backgammon::RuleSet;
use tavli_backgammon::board::Planes;
use tavli_backgammon::stepping::RollBatch;
use tavli_simd::{I16Isa, I16Vector};

use super::activations::{Activate, Activations, CacheLine, LINE};
use super::dense_layer::POSITIONS_PER_LAYER_PASS;
use super::feature_deltas::{BIAS, ZERO, borne_off};
use super::feature_transformer::{DecisionPosition, MoveRows};
use super::network::IntegerNetwork;
use super::output_layer::OutputSums;
use crate::net::move_filter::Selection;

/// Positions that go through the dense layers together, layer by layer, so that weights stay in the cache.
const MAX_LAYER_POSITIONS: usize = 4 * POSITIONS_PER_LAYER_PASS;

impl IntegerNetwork {
    /// The output sums of positions; outcomes that the rules already settle have their fixed sums.
    #[inline(always)]
    pub(super) fn sum_positions<I: I16Isa>(&self, isa: I, rules: RuleSet, positions: &[Planes]) -> OutputSums {
        // The first row, which changes nothing, is all that positions need.
        let mut pass = EvalPass::new(self, self.transformer.row(ZERO), positions.len());
        for position in positions {
            let start = pass.refresh(isa, [position.own(), position.opponent()]);
            pass.push(isa, start, [MoveRows::NOTHING; 4]);
        }
        let mut sums = pass.finish(isa);
        self.settle(rules, positions, &mut sums);
        sums
    }

    /// The output sums of the positions after some plays, seen by the player next on roll.
    #[inline(always)]
    pub(super) fn sum_plays<I: I16Isa>(&self, isa: I, decisions: &RollBatch, selection: &Selection) -> OutputSums {
        let mut pass = EvalPass::new(self, &self.transformer.moves().rows, selection.len());
        let positions = decisions.positions().iter();
        let mut refreshed: Option<(&Planes, usize, DecisionPosition)> = None;
        for (decision, (position, plays)) in positions.zip(selection.plays_by_decision()).enumerate() {
            if plays.is_empty() {
                continue;
            }
            let changes = decisions.changes_of(decision);
            // Luck and looking ahead ask for all rolls of a position in a row: one refresh serves the plays of all 21.
            let (start, before) = match &mut refreshed {
                Some((of, start, before)) if *of == position => (*start, &*before),
                refreshed => {
                    let start = pass.refresh(isa, [position.opponent(), position.own()]);
                    let before = DecisionPosition::new(&self.transformer, position);
                    let (_, _, before) = refreshed.insert((position, start, before));
                    (start, &*before)
                }
            };
            let is_double = decisions.rolls()[decision].is_double();
            pass.set_by_doubles(isa, is_double);
            let (mut hits, mut after_hits) = (0, start);
            for &play in plays {
                let change = &changes[play as usize];
                // Plays that hit the same blots follow one another, so their accumulator is made once.
                if change.hit_mask() != hits {
                    hits = change.hit_mask();
                    after_hits = pass.update_hits(isa, start, before.hits(hits));
                }
                let moves = if is_double { before.moves::<4>(change) } else { before.moves::<2>(change) };
                pass.push(isa, after_hits, moves);
            }
        }
        let mut sums = pass.finish(isa);
        self.settle_after_plays(decisions, selection, &mut sums);
        sums
    }
}

/// The most positions that are evaluated together.
const MAX_PENDING: usize = 4;

/// How many positions are evaluated together: as many as the registers have room for.
// On AVX2 two at a time took longer than one (profiles/LOG.md, 2026-11-24).
#[inline(always)]
const fn positions_together<I: I16Isa>() -> usize {
    if I::I16Vector::REGISTERS >= 32 { MAX_PENDING } else { 1 }
}

/// A ring of cached accumulators.
#[derive(Clone, Copy)]
enum AccumulatorRing {
    /// A refreshed position: the one before a decision, seen by the player next on roll, or a position to be valued
    /// itself.
    Refreshed,
    /// The position before a decision, with the blots that some plays hit on the bar.
    AfterHits,
}

/// The size of the ring of cached accumulators, per ring: one more than the positions that can be queued, so that the
/// accumulator of a queued position is never overwritten.
const CACHED_ACCUMULATORS: usize = MAX_PENDING + 1;

/// A pass over many positions: cached accumulators, a queue of positions, and the sums so far.
struct EvalPass<'a> {
    net: &'a IntegerNetwork,
    /// The rows of the [`MoveRows`] that the positions need, by number.
    move_rows: &'a [CacheLine],
    /// The cached accumulators, by ring.
    accumulators: Vec<CacheLine>,
    /// The place in each ring that was written last.
    last_written: [usize; 2],
    /// Positions queued to be evaluated together.
    pending: [PendingEval; MAX_PENDING],
    pending_count: usize,
    /// Whether the queued positions come by plays of doubles, of up to four moves; other plays have at most two.
    by_doubles: bool,
    /// For a net with dense layers: the activations of one layer for some positions, at first the feature
    /// transformer's, and room for the next layer's activations.
    layers: [Vec<CacheLine>; 2],
    layer_positions: usize,
    sums: OutputSums,
    evaluated: usize,
}

/// A queued position: a cached accumulator, and the moves to update it by.
#[derive(Clone, Copy, Default)]
struct PendingEval {
    accumulator: usize,
    moves: [u16; 4],
}

impl<'a> EvalPass<'a> {
    fn new(net: &'a IntegerNetwork, move_rows: &'a [CacheLine], positions: usize) -> EvalPass<'a> {
        let widths = net.dense.iter().map(|layer| layer.width());
        let widest = widths.max().map_or(0, |width| width.max(net.transformer.lines_per_row));
        // A net of one hidden layer goes from its activations to the outputs.
        let room = if net.dense.is_empty() { 0 } else { MAX_LAYER_POSITIONS };
        let layer = || vec![CacheLine::ZERO; room * widest];
        let outputs = net.outputs.count();
        // The last group may be smaller, but writes as many sums.
        let capacity = positions + MAX_PENDING;
        EvalPass {
            net,
            move_rows,
            accumulators: vec![CacheLine::ZERO; 2 * CACHED_ACCUMULATORS * net.transformer.lines_per_row],
            last_written: [0; 2],
            pending: [PendingEval::default(); MAX_PENDING],
            pending_count: 0,
            by_doubles: false,
            layers: [layer(), layer()],
            layer_positions: 0,
            sums: core::array::from_fn(|output| vec![0; if output < outputs { capacity } else { 0 }]),
            evaluated: 0,
        }
    }

    #[inline(always)]
    fn next_in_ring(&mut self, ring: AccumulatorRing) -> usize {
        let last = &mut self.last_written[ring as usize];
        *last = (*last + 1) % CACHED_ACCUMULATORS;
        (ring as usize * CACHED_ACCUMULATORS + *last) * self.net.transformer.lines_per_row
    }

    /// Refreshes an accumulator for a position, given by its sides, and returns where it starts.
    #[inline(always)]
    fn refresh<I: I16Isa>(&mut self, isa: I, [own, other]: [[u32; 4]; 2]) -> usize {
        let transformer = &self.net.transformer;
        // At most 26 points have checkers, points of either side and two bars, besides the biases and the checkers
        // borne off.
        let mut rows = [transformer.row(BIAS); 32];
        rows[1] = transformer.point(0, 0, borne_off(own));
        rows[2] = transformer.point(1, 0, borne_off(other));
        // `count` is below 32: `% 32` lets the compiler drop the bounds check, here and below.
        let mut count = 3;
        // Both sides in one loop: the CPU mispredicts its end once instead of twice.
        let both = |plane: usize| u64::from(own[plane]) | u64::from(other[plane]) << 32;
        let [ones, twos, fours, eights] = [both(0), both(1), both(2), both(3)];
        let mut left = ones | twos | fours | eights;
        while left != 0 {
            let bit_index = left.trailing_zeros();
            let bit = |plane: u64| (plane >> bit_index & 1) as u8;
            let checkers = bit(ones) | bit(twos) << 1 | bit(fours) << 2 | bit(eights) << 3;
            let (side, point) = (bit_index as usize / 32, bit_index as usize % 32);
            rows[count % 32] = transformer.point(side, point, checkers);
            count += 1;
            left &= left - 1;
        }
        let start = self.next_in_ring(AccumulatorRing::Refreshed);
        sum_rows(isa, &rows[..count], &mut self.accumulators[start..][..transformer.lines_per_row]);
        start
    }

    /// Updates an accumulator by hits, and returns where the result starts.
    #[inline(always)]
    fn update_hits<I: I16Isa>(&mut self, isa: I, before: usize, hits: impl Iterator<Item = [u16; 2]>) -> usize {
        let transformer = &self.net.transformer;
        // A play moves four checkers at most, so it hits four blots at most.
        let mut rows = [[transformer.row(ZERO); 2]; 4];
        let mut count = 0;
        for [off, onto] in hits {
            rows[count % 4] = [transformer.row(off), transformer.row(onto)];
            count += 1;
        }
        let after = self.next_in_ring(AccumulatorRing::AfterHits);
        let both = [before..before + transformer.lines_per_row, after..after + transformer.lines_per_row];
        let [sums, changed] = self.accumulators.get_disjoint_mut(both).expect("of two kinds");
        for (line, (sums, changed)) in sums.iter().zip(changed).enumerate() {
            let mut lane = 0;
            while lane < LINE {
                let mut sum = isa.splat_i16(0).load_slice(&sums.0[lane..]);
                for [off, onto] in &rows[..count.min(4)] {
                    let onto = sum.load_slice(&onto[line].0[lane..]);
                    sum = sum.wrapping_add(onto.wrapping_sub(sum.load_slice(&off[line].0[lane..])));
                }
                sum.store_slice(&mut changed.0[lane..]);
                lane += I::I16Vector::LANES;
            }
        }
        after
    }

    /// Sets whether the positions from now on come by plays of doubles, after evaluating the queued ones.
    #[inline(always)]
    fn set_by_doubles<I: I16Isa>(&mut self, isa: I, by_doubles: bool) {
        if by_doubles != self.by_doubles {
            if self.pending_count > 0 {
                self.evaluate(isa);
            }
            self.by_doubles = by_doubles;
        }
    }

    /// Queues the position after some moves, and evaluates the queue when it is full.
    #[inline(always)]
    fn push<I: I16Isa>(&mut self, isa: I, accumulator: usize, moves: [u16; 4]) {
        self.pending[self.pending_count % MAX_PENDING] = PendingEval { accumulator, moves };
        self.pending_count += 1;
        if self.pending_count == positions_together::<I>() {
            self.evaluate(isa);
        }
    }

    /// Evaluates the queued positions.
    #[inline(always)]
    fn evaluate<I: I16Isa>(&mut self, isa: I) {
        // `with_features` keeps it a function of its own, not inlined at each of its call sites: the module for
        // JavaScript has 377 kB instead of 404 kB, at the same speed (profiles/LOG.md, 2026-11-25).
        isa.with_features(
            #[inline(always)]
            || match (&self.net.transformer.activations, self.by_doubles) {
                (Activations::Clipped(clipped), false) => self.evaluate_with::<I, 2>(isa, clipped),
                (Activations::Clipped(clipped), true) => self.evaluate_with::<I, 4>(isa, clipped),
                (Activations::Squashed(squashed), false) => self.evaluate_with::<I, 2>(isa, squashed),
                (Activations::Squashed(squashed), true) => self.evaluate_with::<I, 4>(isa, squashed),
            },
        );
        self.pending_count = 0;
    }

    #[inline(always)]
    fn evaluate_with<I: I16Isa, const MOVES: usize>(&mut self, isa: I, activate: &impl Activate) {
        if !self.net.dense.is_empty() {
            for position in 0..self.pending_count {
                self.activate::<I, MOVES>(isa, activate, position);
            }
        } else if positions_together::<I>() == MAX_PENDING {
            self.evaluate_flat::<I, MAX_PENDING, MOVES>(isa, activate);
        } else {
            self.evaluate_flat::<I, 1, MOVES>(isa, activate);
        }
    }

    /// The updated accumulator of a queued position.
    #[inline(always)]
    fn updated<const MOVES: usize>(&self, position: usize) -> UpdatedAccumulator<'a, '_, MOVES> {
        let (width, rows) = (self.net.transformer.lines_per_row, self.move_rows);
        let PendingEval { accumulator, moves } = self.pending[position];
        let mut updated = UpdatedAccumulator {
            accumulator: &self.accumulators[accumulator..][..width],
            moves: [&rows[..width]; MOVES],
        };
        let mut index = 0;
        while index < MOVES {
            updated.moves[index] = &rows[usize::from(moves[index]) * width..][..width];
            index += 1;
        }
        updated
    }

    /// Evaluates the queued positions by a net without dense layers: activations go from registers to the output
    /// layer.
    #[inline(always)]
    fn evaluate_flat<I: I16Isa, const POSITIONS: usize, const MOVES: usize>(
        &mut self,
        isa: I,
        activate: &impl Activate,
    ) {
        let net = self.net;
        let mut updated = [self.updated::<MOVES>(0); POSITIONS];
        for position in 1..POSITIONS {
            updated[position] = self.updated::<MOVES>(position);
        }
        let sums = net.output.sums::<I, POSITIONS>(
            isa,
            net.transformer.lines_per_row,
            #[inline(always)]
            |position, line, at| activate.activate(isa, updated[position].vector(isa, line, at), line, at),
        );
        for (all, sums) in self.sums.iter_mut().zip(sums) {
            if let Some(values) = all.get_mut(self.evaluated..self.evaluated + POSITIONS) {
                values.copy_from_slice(&sums);
            }
        }
        self.evaluated += self.pending_count;
    }

    /// Appends the activations of a queued position to `layers`.
    #[inline(always)]
    fn activate<I: I16Isa, const MOVES: usize>(&mut self, isa: I, activate: &impl Activate, position: usize) {
        let width = self.net.transformer.lines_per_row;
        // Taken out, since the accumulators are read meanwhile.
        let mut layer = core::mem::take(&mut self.layers[0]);
        let updated = self.updated::<MOVES>(position);
        let lines = &mut layer[self.layer_positions * width..][..width];
        for (line, activations) in lines.iter_mut().enumerate() {
            let mut lane = 0;
            while lane < LINE {
                let activation = activate.activate(isa, updated.vector(isa, line, lane), line, lane);
                activation.store_slice(&mut activations.0[lane..]);
                lane += I::I16Vector::LANES;
            }
        }
        self.layers[0] = layer;
        self.layer_positions += 1;
        if self.layer_positions == MAX_LAYER_POSITIONS {
            self.flush(isa);
        }
    }

    /// Runs the dense layers and the output layer for the positions in `layers`.
    #[inline(always)]
    fn flush<I: I16Isa>(&mut self, isa: I) {
        // The sums after the last position hold old values: they are computed, but not read.
        let padded = self.layer_positions.next_multiple_of(POSITIONS_PER_LAYER_PASS);
        let mut width = self.net.transformer.lines_per_row;
        let [before, after] = &mut self.layers;
        for layer in &self.net.dense {
            layer.run(isa, &before[..padded * width], after);
            width = layer.width();
            core::mem::swap(before, after);
        }
        for position in 0..self.layer_positions {
            let lines = &self.layers[0][position * width..][..width];
            let sums = self.net.output.sums::<I, 1>(
                isa,
                width,
                #[inline(always)]
                |_, line, at| isa.splat_i16(0).load_slice(&lines[line].0[at..]),
            );
            for (all, [sum]) in self.sums.iter_mut().zip(sums) {
                if let Some(value) = all.get_mut(self.evaluated) {
                    *value = sum;
                }
            }
            self.evaluated += 1;
        }
        self.layer_positions = 0;
    }

    /// Evaluates the positions still queued, and returns the sums of all positions.
    #[inline(always)]
    fn finish<I: I16Isa>(mut self, isa: I) -> OutputSums {
        if self.pending_count > 0 {
            self.evaluate(isa);
        }
        if self.layer_positions > 0 {
            self.flush(isa);
        }
        for sums in &mut self.sums {
            sums.truncate(self.evaluated);
        }
        self.sums
    }
}

/// The most vectors that are summed side by side.
const MAX_UNROLLED_VECTORS: usize = 8;

/// Writes the sum of rows to an accumulator.
#[inline(always)]
fn sum_rows<I: I16Isa>(isa: I, rows: &[&[CacheLine]], sums: &mut [CacheLine]) {
    let zero = isa.splat_i16(0);
    let lanes = I::I16Vector::LANES;
    // As many lines as six vectors need, since 192 units are six vectors of AVX-512. With eight, each line went through
    // the rows alone: 668 ns a ply instead of 645 (profiles/LOG.md, 2026-11-25).
    let lines = (6 * lanes).div_ceil(LINE);
    let vectors = lines * LINE / lanes;
    let mut from = 0;
    while from + lines <= sums.len() {
        let mut sum = [zero; MAX_UNROLLED_VECTORS];
        for row in rows {
            let row = &row[from..][..lines];
            for (vector, sum) in sum[..vectors].iter_mut().enumerate() {
                let lane = vector * lanes;
                *sum = sum.wrapping_add(zero.load_slice(&row[lane / LINE].0[lane % LINE..]));
            }
        }
        for (vector, sum) in sum[..vectors].iter().enumerate() {
            let lane = vector * lanes;
            sum.store_slice(&mut sums[from + lane / LINE].0[lane % LINE..]);
        }
        from += lines;
    }
    for line in from..sums.len() {
        let mut lane = 0;
        while lane < LINE {
            let mut sum = zero;
            for row in rows {
                sum = sum.wrapping_add(zero.load_slice(&row[line].0[lane..]));
            }
            sum.store_slice(&mut sums[line].0[lane..]);
            lane += lanes;
        }
    }
}

/// An accumulator with an incremental update that is added while it is read.
#[derive(Clone, Copy)]
struct UpdatedAccumulator<'a, 'b, const MOVES: usize> {
    accumulator: &'b [CacheLine],
    moves: [&'a [CacheLine]; MOVES],
}

impl<const MOVES: usize> UpdatedAccumulator<'_, '_, MOVES> {
    /// A vector of sums that begins at unit `at` of a cache line.
    #[inline(always)]
    fn vector<I: I16Isa>(&self, isa: I, line: usize, at: usize) -> I::I16Vector {
        let mut sum = isa.splat_i16(0).load_slice(&self.accumulator[line].0[at..]);
        let mut index = 0;
        while index < MOVES {
            sum = sum.wrapping_add(sum.load_slice(&self.moves[index][line].0[at..]));
            index += 1;
        }
        sum
    }
}
