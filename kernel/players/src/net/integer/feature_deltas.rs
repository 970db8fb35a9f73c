//! Feature deltas: the change of the feature transformer's inputs by one more checker on a point.
//!
//! A position's inputs are a sum over its points. So its accumulator is the biases and a sum of deltas, one for each
//! checker, and a play changes the deltas of the checkers that it moves.

use std::sync::LazyLock;

use tavli_simd::set_bits;

use crate::net::encoder::{Encoder, Point};

/// The points of a side, its bar, and at 0 the checkers that it has borne off.
pub(super) const POINTS_A_SIDE: usize = 26;
/// The most checkers of a side.
pub(super) const CHECKERS: usize = 15;

/// The number of the delta that adds nothing.
pub(super) const ZERO: u16 = 0;
/// The number of the delta that every accumulator begins with: the biases, and the inputs that are constant.
pub(super) const BIAS: u16 = 1;

/// For each point of a side the deltas of its checkers, by the number of checkers there before. There is none after
/// fifteen.
pub(super) type SideDeltas = [[u16; CHECKERS + 1]; POINTS_A_SIDE];

/// The numbered deltas of an encoder. Most are the same for several numbers of checkers, so there are few.
#[derive(Debug)]
pub(super) struct FeatureDeltas {
    sides: [SideDeltas; 2],
    /// For each delta the inputs that it changes, and the number that it adds to each.
    inputs: Vec<Vec<(usize, f32)>>,
}

impl FeatureDeltas {
    pub(super) fn cached(encoder: Encoder) -> &'static FeatureDeltas {
        static ALL: LazyLock<Vec<(Encoder, FeatureDeltas)>> = LazyLock::new(|| {
            let all = Encoder::ALL.iter();
            all.map(|&encoder| (encoder, FeatureDeltas::new(encoder))).collect()
        });
        let (_, deltas) = ALL.iter().find(|(of, _)| *of == encoder).expect("all encoders are there");
        deltas
    }

    fn new(encoder: Encoder) -> FeatureDeltas {
        let mut inputs = vec![Vec::new(), encoder.constant().to_vec()];
        // The keys of the deltas from the third on. Equal deltas mostly belong to one point, so the search begins at
        // the end.
        let mut known: Vec<Vec<(usize, i64)>> = Vec::new();
        let mut sides: [SideDeltas; 2] = [[[ZERO; CHECKERS + 1]; POINTS_A_SIDE]; 2];
        for point in Point::all() {
            let (side, at) = match point {
                Point::OwnOff => (0, 0),
                Point::Own(point) => (0, point),
                Point::OpponentOff => (1, 0),
                Point::Opponent(point) => (1, point),
            };
            for checkers in 0..CHECKERS as u8 {
                let mut delta: Vec<(usize, f32)> = Vec::new();
                encoder.point(point, checkers + 1, |input, value| delta.push((input, value)));
                encoder.point(point, checkers, |input, value| {
                    match delta.iter_mut().find(|(other, _)| *other == input) {
                        Some((_, sum)) => *sum -= value,
                        None => delta.push((input, -value)),
                    }
                });
                // Deltas that differ only by the rounding of fractions, such as 3/15 - 2/15 and 2/15 - 1/15, are one.
                let millionths = |value: f32| (f64::from(value) * 1e6).round() as i64;
                let key: Vec<_> = delta
                    .iter()
                    .map(|&(input, value)| (input, millionths(value)))
                    .filter(|&(_, value)| value != 0)
                    .collect();
                delta.retain(|&(_, value)| millionths(value) != 0);
                let index = match known.iter().rposition(|other| *other == key) {
                    Some(at) => at + inputs.len() - known.len(),
                    None => {
                        known.push(key);
                        inputs.push(delta);
                        inputs.len() - 1
                    }
                };
                sides[side][usize::from(at)][usize::from(checkers)] = u16::try_from(index).expect("few deltas");
            }
        }
        FeatureDeltas { sides, inputs }
    }

    /// How many deltas there are, [`ZERO`] and [`BIAS`] among them.
    pub(super) fn count(&self) -> usize {
        self.inputs.len()
    }

    /// The inputs that a delta changes, and the number that it adds to each.
    pub(super) fn inputs(&self, delta: usize) -> &[(usize, f32)] {
        &self.inputs[delta]
    }

    /// The deltas of a side's points; side 0 is the player on roll.
    #[inline(always)]
    pub(super) fn side(&self, side: usize) -> &SideDeltas {
        &self.sides[side]
    }

    /// The deltas whose sum is a position's accumulator, [`BIAS`] first: the plain specification of a refresh.
    pub(super) fn sum_to(&self, sides: [[u32; 4]; 2]) -> Vec<u16> {
        let mut deltas = vec![BIAS];
        for (side, planes) in self.sides.iter().zip(sides) {
            for (point, count) in side.iter().zip(counts(planes)) {
                deltas.extend(&point[..usize::from(count)]);
            }
        }
        deltas
    }
}

/// The checkers on each point of a side, given by its bit planes.
pub(super) fn counts(planes: [u32; 4]) -> [u8; POINTS_A_SIDE] {
    let [ones, twos, fours, eights] = planes;
    let mut counts = [0; POINTS_A_SIDE];
    for point in set_bits(ones | twos | fours | eights) {
        counts[point] = count(planes, point);
    }
    counts[0] = borne_off(planes);
    counts
}

/// The checkers that a side has borne off.
#[inline(always)]
pub(super) fn borne_off([ones, twos, fours, eights]: [u32; 4]) -> u8 {
    let on_board = ones.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones() + 8 * eights.count_ones();
    (CHECKERS as u8).saturating_sub(on_board as u8)
}

/// The checkers on a point, or on the bar.
#[inline(always)]
pub(super) fn count([ones, twos, fours, eights]: [u32; 4], point: usize) -> u8 {
    let bit = |plane: u32| (plane >> point & 1) as u8;
    bit(ones) | bit(twos) << 1 | bit(fours) << 2 | bit(eights) << 3
}
