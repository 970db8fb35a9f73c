//! An encoder as a table, which is faster than its rules.

use tavli_backgammon::Board;
use tavli_backgammon::board::Planes;
use tavli_players::net::{Encoder, Point};
use tavli_simd::loops::Sparse;

/// Numbers of checkers that the bit planes can tell apart.
const NUMBERS: usize = 16;
/// Bits of a plane in use: an unused one, the 24 points, and the bar.
const POINTS: usize = 26;

/// The inputs that an [`Encoder`] sets for each number of checkers on each point.
#[derive(Clone, Debug)]
pub(crate) struct Encoding {
    encoder: Encoder,
    /// Inputs and their values, for one point and number after another.
    all: Vec<(u32, f32)>,
    /// By side, point and number of checkers: the range of its inputs in `all`.
    on_points: Vec<(u16, u16)>,
    /// By side and number of checkers borne off: the range of its inputs in `all`.
    off: Vec<(u16, u16)>,
}

impl Encoding {
    pub(crate) fn new(encoder: Encoder) -> Encoding {
        let mut encoding = Encoding { encoder, all: Vec::new(), on_points: Vec::new(), off: Vec::new() };
        for side in [Point::Own, Point::Opponent] {
            // The unused bit has entries too, so that a point's number is its index.
            for point in 0..POINTS as u8 {
                for number in 0..NUMBERS as u8 {
                    let ends = encoding.add((point > 0).then(|| side(point)), number);
                    encoding.on_points.push(ends);
                }
            }
        }
        for point in [Point::OwnOff, Point::OpponentOff] {
            for number in 0..NUMBERS as u8 {
                let ends = encoding.add(Some(point), number);
                encoding.off.push(ends);
            }
        }
        encoding
    }

    /// Adds the inputs of a point and returns their range; `None` is the unused bit.
    fn add(&mut self, point: Option<Point>, number: u8) -> (u16, u16) {
        // It fits: 864 entries (2 sides of 26 points and the borne off, 16 numbers each) have at most four inputs.
        let first = self.all.len() as u16;
        if let Some(point) = point {
            let all = &mut self.all;
            let visit = |input, value| all.push((input as u32, value));
            self.encoder.point(point, number, visit);
        }
        (first, self.all.len() as u16)
    }

    pub(crate) fn inputs(&self) -> usize {
        self.encoder.inputs()
    }

    /// Adds a row with the inputs of a position.
    pub(crate) fn encode(&self, position: &Planes, inputs: &mut Sparse) {
        let sides = [position.own(), position.opponent()];
        let board = Board::from(*position);
        let off = [Point::OwnOff, Point::OpponentOff].map(|point| point.checkers(&board));
        for (side, [a, b, c, d]) in sides.into_iter().enumerate() {
            let of_side = &self.on_points[side * POINTS * NUMBERS..][..POINTS * NUMBERS];
            let mut occupied = a | b | c | d;
            while occupied != 0 {
                let point = occupied.trailing_zeros();
                occupied &= occupied - 1;
                let bit = |plane: u32| plane >> point & 1;
                let number = bit(a) | bit(b) << 1 | bit(c) << 2 | bit(d) << 3;
                let (first, end) = of_side[point as usize * NUMBERS + number as usize];
                inputs.extend(&self.all[usize::from(first)..usize::from(end)]);
            }
            let (first, end) = self.off[side * NUMBERS + usize::from(off[side])];
            inputs.extend(&self.all[usize::from(first)..usize::from(end)]);
        }
        for &(input, value) in self.encoder.constant() {
            inputs.extend(&[(input as u32, value)]);
        }
        inputs.end_row();
    }
}
