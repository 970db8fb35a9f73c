//! The bear-off files of GNU Backgammon, as its program makebearoff writes them.
//!
//! A file begins with a line of 40 bytes that names kind and size. All numbers after it are little-endian.
//!
//! A one-sided file has an index of eight bytes a position, then the shares of the distributions, 16 bits each. An
//! entry of the index has the number of the position's first share in four bytes, then for each of its two
//! distributions (all checkers off, the first checker off) the number of shares and the number of rolls of the first
//! share, a byte each. Zeros before the first share and after the last are left out.
//!
//! A two-sided file has four equities of 16 bits for each pair of positions.

use std::io::{self, Write};

use super::error::{BearOffError, FileError};
use super::one_sided::{OneSided, ROLLS, RollDistribution, WHOLE};
use super::pairs::{PairValue, Pairs};
use super::side_positions::MAX_CHECKERS;
use super::two_sided::{Equities, TwoSided};

/// The bytes of the first line.
const HEADER: usize = 40;
/// The bytes of a position's entry in the index of a one-sided file.
const ENTRY: usize = 8;
/// The bytes of a pair in a two-sided file: equities without a cube, with the cube of the player on roll, with a
/// centred cube, and with the cube of the opponent.
const PAIR: usize = 8;
/// Added to an equity in a file, where -32,768 is written as 0.
const LOSS: u16 = 1 << 15;

const ONE_SIDED: &str = "gnubg-OS-";
const TWO_SIDED: &str = "gnubg-TS-";

impl OneSided {
    /// Writes the file of makebearoff, compressed and with the distributions of the first checker off.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn write_gnubg(&self, output: &mut dyn Write) -> io::Result<()> {
        let points = self.positions().points();
        let name = format!("{ONE_SIDED}{points:02}-{MAX_CHECKERS}-1-1-0");
        output.write_all(&header(&name))?;
        let mut before = 0_u32;
        for rolls in &self.rolls {
            output.write_all(&before.to_le_bytes())?;
            for rolls in rolls {
                let written = rolls.possible();
                output.write_all(&[written.len() as u8, written.start as u8])?;
                before += written.len() as u32;
            }
        }
        for rolls in self.rolls.iter().flatten() {
            for share in &rolls.0[rolls.possible()] {
                output.write_all(&share.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Reads a file of makebearoff in its default format: compressed, with the distributions of the first checker off.
    /// `stop` is called every so often.
    ///
    /// # Errors
    /// [`FileError`] if it is not such a file, or a damaged one; [`BearOffError::Stopped`] if `stop` returned true.
    pub fn from_gnubg(file: &[u8], stop: &dyn Fn() -> bool) -> Result<OneSided, FileError> {
        let (fields, body) = read_header(file, ONE_SIDED, "one-sided")?;
        let [points, checkers, gammons, compressed, normal] = fields;
        if checkers != Some(MAX_CHECKERS) {
            return Err(FileError::Kind { what: "for a number of checkers other than 15" });
        }
        if normal != Some(0) {
            return Err(FileError::Kind { what: "an approximation by normal distributions" });
        }
        if compressed != Some(1) {
            return Err(FileError::Kind { what: "not compressed" });
        }
        if gammons != Some(1) {
            return Err(FileError::Kind { what: "without gammons" });
        }
        let positions = OneSided::check_size(points.unwrap_or(0))?;
        let index_bytes = positions.count() as usize * ENTRY;
        let length = |expected: usize| FileError::Length {
            bytes: file.len() as u64,
            points: positions.points(),
            checkers: MAX_CHECKERS,
            expected: (HEADER + expected) as u64,
        };
        if body.len() < index_bytes {
            return Err(length(index_bytes));
        }
        // Memory is reserved for a file that has the positions, not for a header that names them.
        let mut table = OneSided::empty(positions.points())?;
        let (entries, shares) = body.split_at(index_bytes);
        let mut next = 0;
        for (index, entry) in (0..).zip(entries.as_chunks::<ENTRY>().0) {
            let damaged = |what| FileError::Damaged { index, what };
            let [a, b, c, d, counts @ ..] = *entry;
            if u32::from_le_bytes([a, b, c, d]) as usize != next {
                return Err(damaged("its distribution does not begin where the distribution before it ends"));
            }
            let mut rolls = [RollDistribution([0; ROLLS]); 2];
            for (RollDistribution(rolls), [count, first]) in
                rolls.iter_mut().zip(*counts.as_chunks::<2>().0.as_array::<2>().expect("two pairs"))
            {
                let (count, first) = (usize::from(count), usize::from(first));
                let place = rolls.get_mut(first..first + count).ok_or(damaged("it takes more than 31 rolls"))?;
                let bytes = shares.get(2 * next..2 * (next + count)).ok_or(length(index_bytes + 2 * (next + count)))?;
                for (share, bytes) in place.iter_mut().zip(bytes.as_chunks::<2>().0) {
                    *share = u16::from_le_bytes(*bytes);
                }
                if rolls.iter().copied().map(u32::from).sum::<u32>() != u32::from(WHOLE) {
                    return Err(damaged("its probabilities do not add up to 1"));
                }
                next += count;
            }
            table.check(index, &rolls).map_err(damaged)?;
            table.rolls.push(rolls);
            if index % 1024 == 0 && stop() {
                return Err(BearOffError::Stopped.into());
            }
        }
        if shares.len() != 2 * next {
            return Err(length(index_bytes + 2 * next));
        }
        Ok(table)
    }
}

impl TwoSided {
    /// Writes the file of makebearoff, with the equities of a cube.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn write_gnubg(&self, output: &mut dyn Write) -> io::Result<()> {
        let positions = self.positions();
        let (points, checkers) = (positions.points(), positions.checkers());
        output.write_all(&header(&format!("{TWO_SIDED}{points:02}-{checkers:02}-1")))?;
        for equities in &self.pairs.values {
            let Equities { none, on_roll, both, opponent } = *equities;
            for equity in [none, on_roll, both, opponent] {
                output.write_all(&(equity as u16 ^ LOSS).to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Reads a file of makebearoff in its default format, with the equities of a cube. `stop` is called every so often.
    ///
    /// # Errors
    /// [`FileError`] if it is not such a file, or a damaged one; [`BearOffError::Stopped`] if `stop` returned true.
    pub fn from_gnubg(file: &[u8], stop: &dyn Fn() -> bool) -> Result<TwoSided, FileError> {
        let (fields, body) = read_header(file, TWO_SIDED, "two-sided")?;
        let [points, checkers, cube, ..] = fields;
        let (points, checkers) = (points.unwrap_or(0), checkers.unwrap_or(0));
        if cube != Some(1) {
            return Err(FileError::Kind { what: "without a cube" });
        }
        // Of sizes that are no table the bytes may pass 64 bits.
        let (positions, number) = Pairs::<Equities>::check(points, checkers)?;
        let expected = number as u64 * PAIR as u64;
        if body.len() as u64 != expected {
            return Err(FileError::Length {
                bytes: file.len() as u64,
                points,
                checkers,
                expected: HEADER as u64 + expected,
            });
        }
        let equities = |bytes: &[u8; PAIR]| {
            let [none, on_roll, both, opponent]: [u16; PAIR / 2] =
                std::array::from_fn(|at| u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]));
            let read = |steps: u16| (steps ^ LOSS) as i16;
            Equities { none: read(none), on_roll: read(on_roll), both: read(both), opponent: read(opponent) }
        };
        let mut pairs = Pairs::filled(points, checkers, Equities::LOST, &mut |_| stop())?;
        let rows = positions.count() as usize;
        for (row, bytes) in pairs.values.chunks_mut(rows).zip(body.chunks(rows * PAIR)) {
            for (pair, bytes) in row.iter_mut().zip(bytes.as_chunks::<PAIR>().0) {
                *pair = equities(bytes);
            }
            if stop() {
                return Err(BearOffError::Stopped.into());
            }
        }
        if let Some(index) = pairs.first_wrong(Equities::is_nearly) {
            return Err(FileError::Damaged { index, what: "its equities differ from perfect play" });
        }
        Ok(TwoSided { pairs })
    }
}

/// The first line of a file: the name of its table, padded.
fn header(name: &str) -> Vec<u8> {
    let mut line = format!("{name:x<width$}", width = HEADER - 1).into_bytes();
    line.push(b'\n');
    line
}

/// Splits a file into the numbers of its first line, which stand between hyphens after `kind`, and the bytes after the
/// line.
fn read_header<'a>(
    file: &'a [u8],
    kind: &'static str,
    name: &'static str,
) -> Result<([Option<u8>; 5], &'a [u8]), FileError> {
    let wrong = FileError::Header { expected: kind, kind: name };
    let Some((line, body)) = file.split_at_checked(HEADER) else {
        return Err(wrong);
    };
    let Some(line) = str::from_utf8(line).ok().and_then(|line| line.strip_prefix(kind)) else {
        return Err(wrong);
    };
    let mut numbers = line.trim_end().trim_end_matches('x').split('-').map(|number| number.parse().ok());
    Ok((std::array::from_fn(|_| numbers.next().flatten()), body))
}
