//! The feature transformer: the first layer. Its sums are a position's accumulator.
//!
//! A refresh adds the rows of all points of a position. An incremental update adds to a cached accumulator one row for
//! each checker that a play moves, and two for each blot that it hits.
//!
//! Tested by `tests/suite/net.rs`.

use std::sync::OnceLock;

use tavli_backgammon::Planes;
use tavli_backgammon::plays::Change;
use tavli_simd::{Isa, Tier, on_tier, set_bits};

use super::activations::{Activations, CacheLine, LINE, ROOM, value};
use super::error::IntegerError;
use super::feature_deltas::{BIAS, CHECKERS, FeatureDeltas, POINTS_A_SIDE, ZERO, count, counts};
use crate::net::activation::Activation;
use crate::net::encoder::Encoder;
use crate::net::network::Layer;

/// The first layer in 16-bit integers: a row of weights for each delta.
///
/// Partial sums may wrap around; whole accumulators do not, since each unit's scale keeps the sums of all legal
/// positions in range.
#[derive(Clone, Debug)]
pub(super) struct FeatureTransformer {
    deltas: &'static FeatureDeltas,
    units: usize,
    /// The cache lines of a row.
    pub(super) lines_per_row: usize,
    /// By delta.
    rows: Vec<CacheLine>,
    /// By side, point and number of checkers there: the sum of the rows of those checkers.
    points: Vec<CacheLine>,
    /// Made when the first decision is valued: positions alone need none, and a command that values one ends sooner.
    moves: OnceLock<MoveRows>,
    pub(super) activations: Activations,
}

impl FeatureTransformer {
    pub(super) fn new(
        encoder: Encoder,
        activation: Activation,
        layer: &Layer,
    ) -> Result<FeatureTransformer, IntegerError> {
        let deltas = FeatureDeltas::cached(encoder);
        let units = layer.outputs();
        let exact = exact_rows(deltas, layer);
        let largest = largest_sums(deltas, &exact, units);
        for (unit, &largest) in (1..).zip(&largest) {
            IntegerError::check(1, unit, largest, ROOM)?;
        }
        let (activations, scales) = Activations::new(activation, &largest);
        let scaled = |row: &[f32]| {
            let values = row.iter().zip(&scales);
            let values: Vec<i16> = values.map(|(&weight, &scale)| (f64::from(weight) * scale).round() as i16).collect();
            CacheLine::pack(&values)
        };
        let lines_per_row = units.div_ceil(LINE);
        let rows: Vec<CacheLine> = exact.chunks(units).flat_map(scaled).collect();
        let mut transformer = FeatureTransformer {
            deltas,
            units,
            lines_per_row,
            moves: OnceLock::new(),
            rows,
            points: Vec::new(),
            activations,
        };
        transformer.points = transformer.point_rows();
        Ok(transformer)
    }

    fn point_rows(&self) -> Vec<CacheLine> {
        let mut rows = Vec::with_capacity(2 * POINTS_A_SIDE * (CHECKERS + 1) * self.lines_per_row);
        for side in 0..2 {
            for point in self.deltas.side(side) {
                let mut sum = vec![CacheLine::ZERO; self.lines_per_row];
                for &delta in point {
                    rows.extend_from_slice(&sum);
                    for (sum, more) in sum.iter_mut().zip(self.row(delta)) {
                        for (sum, more) in sum.0.iter_mut().zip(more.0) {
                            *sum = sum.wrapping_add(more);
                        }
                    }
                }
            }
        }
        rows
    }

    /// The row to add to an accumulator for this number of checkers on a point.
    #[inline(always)]
    pub(super) fn point(&self, side: usize, point: usize, checkers: u8) -> &[CacheLine] {
        let index = (side * POINTS_A_SIDE + point) * (CHECKERS + 1) + usize::from(checkers);
        &self.points[index * self.lines_per_row..][..self.lines_per_row]
    }

    /// The number that stands for 1 in each activation.
    pub(super) fn ones(&self) -> Vec<f64> {
        self.activations.ones(self.units)
    }

    /// The row to add to an accumulator for a delta.
    #[inline(always)]
    pub(super) fn row(&self, delta: u16) -> &[CacheLine] {
        &self.rows[usize::from(delta) * self.lines_per_row..][..self.lines_per_row]
    }

    pub(super) fn moves(&self) -> &MoveRows {
        self.moves.get_or_init(|| MoveRows::new(self.deltas, self.lines_per_row, &self.rows))
    }

    /// The activations of a position, given by its sides: the plain specification, in sums that cannot overflow.
    pub(super) fn plain(&self, sides: [[u32; 4]; 2]) -> Vec<i16> {
        let deltas = self.deltas.sum_to(sides);
        let activation = |unit| {
            let weights = deltas.iter().map(|&delta| i64::from(value(self.row(delta), unit)));
            let sum = i16::try_from(weights.sum::<i64>()).expect("the scale leaves room");
            self.activations.plain(sum, unit)
        };
        (0..self.units).map(activation).collect()
    }
}

/// The weights of each delta in floats, row by row.
fn exact_rows(deltas: &FeatureDeltas, layer: &Layer) -> Vec<f32> {
    let units = layer.outputs();
    let mut rows = vec![0.0; deltas.count() * units];
    for (delta, row) in rows.chunks_mut(units).enumerate() {
        if delta == usize::from(BIAS) {
            row.copy_from_slice(&layer.biases);
        }
        for &(input, value) in deltas.inputs(delta) {
            for (sum, &weight) in row.iter_mut().zip(layer.row(input)) {
                *sum += value * weight;
            }
        }
    }
    rows
}

/// For each unit the largest magnitude that its sum has over all ways to place fifteen checkers a side; NaN if a weight
/// is not a finite number.
///
/// The two sides are bounded independently, so the result may be a little more than any legal position reaches.
fn largest_sums(deltas: &FeatureDeltas, rows: &[f32], units: usize) -> Vec<f64> {
    // Asked first, since the comparisons below pass over NaN.
    if !rows.iter().all(|weight| weight.is_finite()) {
        return vec![f64::NAN; units];
    }
    #[inline(always)]
    fn sides(deltas: &FeatureDeltas, rows: &[f32], units: usize) -> [Vec<f32>; 2] {
        let begin = &rows[usize::from(BIAS) * units..][..units];
        let (mut least, mut most) = (begin.to_vec(), begin.to_vec());
        for side in 0..2 {
            let [low, high] = extremes(deltas, side, rows, units);
            for unit in 0..units {
                least[unit] += low[unit];
                most[unit] += high[unit];
            }
        }
        [least, most]
    }
    let [least, most] = on_tier!(Tier::best(), isa => isa.with_features(
        #[inline(always)]
        || sides(deltas, rows, units),
    ));
    let magnitudes = least.iter().zip(&most);
    magnitudes.map(|(&least, &most)| f64::from(most.max(-least))).collect()
}

/// The least and the largest sum of each unit over all ways to place a side's fifteen checkers: dynamic programming
/// over the points, by the number of checkers placed so far.
#[inline(always)]
fn extremes(deltas: &FeatureDeltas, side: usize, rows: &[f32], units: usize) -> [Vec<f32>; 2] {
    // A row of units for each number of checkers placed so far.
    let mut least = vec![f32::INFINITY; (CHECKERS + 1) * units];
    let mut most = vec![f32::NEG_INFINITY; (CHECKERS + 1) * units];
    least[..units].fill(0.0);
    most[..units].fill(0.0);
    let mut sum = vec![0.0; (CHECKERS + 1) * units];
    for point in deltas.side(side) {
        for (checkers, &delta) in point[..CHECKERS].iter().enumerate() {
            let row = &rows[usize::from(delta) * units..][..units];
            let (before, after) = sum.split_at_mut((checkers + 1) * units);
            let before = &before[checkers * units..];
            for unit in 0..units {
                after[unit] = before[unit] + row[unit];
            }
        }
        for all in (1..=CHECKERS).rev() {
            let (least_before, least) = least.split_at_mut(all * units);
            let (most_before, most) = most.split_at_mut(all * units);
            let (least, most) = (&mut least[..units], &mut most[..units]);
            for here in 1..=all {
                let sum = &sum[here * units..][..units];
                let least_before = &least_before[(all - here) * units..][..units];
                let most_before = &most_before[(all - here) * units..][..units];
                for unit in 0..units {
                    let (low, high) = (least_before[unit] + sum[unit], most_before[unit] + sum[unit]);
                    // Not `f32::min`, which handles NaN, too: this form is one instruction a vector.
                    least[unit] = if low < least[unit] { low } else { least[unit] };
                    most[unit] = if high > most[unit] { high } else { most[unit] };
                }
            }
        }
    }
    [least, most].map(|sums| sums[CHECKERS * units..].to_vec())
}

/// The side of the player who made the play, in the position after it.
const MOVER: usize = 1;

/// The side of the player on roll next, in the position after a play.
const NEXT: usize = 0;

/// The most points that a checker moves at once.
const FURTHEST: usize = 6;

/// The checkers on each point of a side, and zeros, so that any byte below 32 is a point.
type Counts = [u8; 32];

/// A number for each point and number of checkers there.
type NumberByPlace = [[u16; CHECKERS + 1]; 32];

/// A row for each move of a checker: the delta of the point where it goes, minus the delta of the point it leaves.
///
/// The number of a row is the sum of two numbers: one by the point that is left, one by the point where the checker
/// goes, each with the checkers there before.
// A play reads two rows instead of four: a ply of `fast` took 978 ns instead of 1,162 (profiles/LOG.md, 2026-11-25).
#[derive(Clone, Debug)]
pub(super) struct MoveRows {
    /// By the point that a checker leaves, and the checkers there before.
    from: Box<NumberByPlace>,
    /// By the point where a checker goes, and the checkers there before.
    to: Box<NumberByPlace>,
    /// By number.
    pub(super) rows: Vec<CacheLine>,
}

impl MoveRows {
    /// The number of the row that changes nothing.
    pub(super) const NOTHING: u16 = 0;

    /// Makes the rows from the rows of the deltas, which have `lines_per_row` lines each.
    fn new(deltas: &FeatureDeltas, lines_per_row: usize, delta_rows: &[CacheLine]) -> MoveRows {
        debug_assert_eq!(delta_rows.len(), deltas.count() * lines_per_row, "a row for each delta");
        let row = |delta: u16| &delta_rows[usize::from(delta) * lines_per_row..][..lines_per_row];
        let number = |of: usize| u16::try_from(of).expect("few rows");
        let mut moves = MoveRows {
            from: Box::new([[MoveRows::NOTHING; CHECKERS + 1]; 32]),
            to: Box::new([[MoveRows::NOTHING; CHECKERS + 1]; 32]),
            rows: Vec::new(),
        };
        // The deltas of each row after the first. The rows follow in one allocation: copying rows as they grew took as
        // long as computing them.
        let mut pairs: Vec<[u16; 2]> = Vec::new();
        // The distinct deltas of the points so far, and where the deltas of each point begin.
        let mut before: Vec<u16> = Vec::new();
        let mut begins: Vec<usize> = Vec::new();
        for (point, deltas) in deltas.side(MOVER).iter().enumerate() {
            // Checkers go to lower points only, and at most six points: this halves the rows.
            let nearest = before.len();
            let furthest = begins.get(point.saturating_sub(FURTHEST)).copied();
            let furthest = furthest.unwrap_or(nearest);
            begins.push(nearest);
            let mut numbers: Vec<(u16, [u16; 2])> = Vec::new();
            for (checkers, &delta) in deltas[..CHECKERS].iter().enumerate() {
                let known = numbers.iter().find(|(known, _)| *known == delta);
                let [from, to] = match known {
                    Some(&(_, numbers)) => numbers,
                    None => {
                        // Minus the first target, so that adding the number of any target gives the number of a row.
                        let from = number(1 + pairs.len() - furthest);
                        pairs.extend(before[furthest..nearest].iter().map(|&go| [go, delta]));
                        let to = number(before.len());
                        before.push(delta);
                        numbers.push((delta, [from, to]));
                        [from, to]
                    }
                };
                moves.from[point][checkers + 1] = from;
                moves.to[point][checkers] = to;
            }
        }
        moves.rows.reserve_exact((1 + pairs.len()) * lines_per_row);
        moves.rows.extend_from_slice(row(ZERO));
        for [go, leave] in pairs {
            let lines = row(go).iter().zip(row(leave));
            moves.rows.extend(lines.map(|(go, leave)| go.wrapping_sub(leave)));
        }
        moves
    }

    /// The number of the row of a checker's move from one point to another, and makes the move in `counts`. Between
    /// points that a side does not have it is [`NOTHING`](MoveRows::NOTHING).
    // `%` instead of checks: the compiler sees that no index is out of bounds.
    #[inline(always)]
    fn next(&self, counts: &mut Counts, [from, to]: [u8; 2]) -> u16 {
        let (from, to) = (usize::from(from) % 32, usize::from(to) % 32);
        let at = |count: u8| usize::from(count) % (CHECKERS + 1);
        let number = self.from[from][at(counts[from])] + self.to[to][at(counts[to])];
        // Beyond the points of a side counts wrap around, and all numbers there are `NOTHING`.
        counts[from] = counts[from].wrapping_sub(1);
        counts[to] = counts[to].wrapping_add(1);
        number
    }
}

/// A position before a decision: it turns each play into an incremental update.
pub(super) struct DecisionPosition<'a> {
    deltas: &'a FeatureDeltas,
    moves: &'a MoveRows,
    /// The checkers on the bar of the player on roll next.
    next_bar: u8,
    mover: Counts,
}

impl<'a> DecisionPosition<'a> {
    #[inline(always)]
    pub(super) fn new(transformer: &'a FeatureTransformer, position: &Planes) -> DecisionPosition<'a> {
        let mut mover = Counts::default();
        mover[..POINTS_A_SIDE].copy_from_slice(&counts(position.own()));
        DecisionPosition {
            deltas: transformer.deltas,
            moves: transformer.moves(),
            next_bar: count(position.opponent(), POINTS_A_SIDE - 1),
            mover,
        }
    }

    /// The numbers of the [`MoveRows`] of a play of at most `STEPS` moves, padded with [`MoveRows::NOTHING`].
    #[inline(always)]
    pub(super) fn moves<const STEPS: usize>(&self, change: &Change) -> [u16; 4] {
        let mut counts = self.mover;
        let steps = change.points();
        let mut moves = [MoveRows::NOTHING; 4];
        let mut step = 0;
        // A loop by hand: arrays mapped by the standard library became calls through memory, 1,104 ns a ply
        // instead of 978 (profiles/LOG.md, 2026-11-25).
        while step < STEPS {
            moves[step] = self.moves.next(&mut counts, steps[step]);
            step += 1;
        }
        moves
    }

    /// For each blot that is hit the delta to take away, of its point, and the delta to add, of the bar.
    #[inline(always)]
    pub(super) fn hits(&self, hits: u32) -> impl Iterator<Item = [u16; 2]> {
        let next = self.deltas.side(NEXT);
        set_bits(hits).zip(self.next_bar..).map(
            #[inline(always)]
            move |(point, bar)| {
                let delta = |point: usize, before: u8| next[point % POINTS_A_SIDE][usize::from(before) % 16];
                let point = (POINTS_A_SIDE - 1).wrapping_sub(point);
                [delta(point, 0), delta(POINTS_A_SIDE - 1, bar)]
            },
        )
    }
}
