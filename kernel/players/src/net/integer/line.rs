//! Memory of vectors: lines of a cache.

/// Units are padded to a multiple of this.
pub(super) const LINE: usize = 32;

/// A line of a cache as 16-bit integers.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Line(pub(super) [i16; LINE]);

impl Line {
    /// Zeros.
    pub(super) const ZERO: Line = Line([0; LINE]);

    /// The wrapping difference of each value.
    pub(super) fn wrapping_sub(&self, other: &Line) -> Line {
        let mut line = *self;
        for (value, other) in line.0.iter_mut().zip(other.0) {
            *value = value.wrapping_sub(other);
        }
        line
    }

    /// Lines that hold these values, and zeros after them.
    pub(super) fn of(values: &[i16]) -> Vec<Line> {
        let lines = values.chunks(LINE).map(|chunk| {
            let mut line = Line::ZERO;
            line.0[..chunk.len()].copy_from_slice(chunk);
            line
        });
        lines.collect()
    }
}

/// The value of a unit in lines.
pub(super) fn value(lines: &[Line], unit: usize) -> i16 {
    lines[unit / LINE].0[unit % LINE]
}
