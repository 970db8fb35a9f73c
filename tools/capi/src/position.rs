//! Positions: 26 numbers, and texts in any format.

use std::ffi::{c_char, c_int};

use tavli::{Board, PointsError, Position};

use crate::failure::Failure;
use crate::format::Format;
use crate::guard::guarded;
use crate::pointer::{self, Buffer, OutPointer};
use crate::remarks;
use crate::settings::Rules;
use crate::status::Status;
use crate::text;

/// How many numbers a position is.
pub(crate) const POINTS: usize = 26;

/// The 26 numbers of a board.
pub(crate) fn points(board: &Board) -> [c_int; POINTS] {
    board.points().map(c_int::from)
}

/// The board of 26 numbers.
pub(crate) fn board(points: &[c_int; POINTS]) -> Result<Board, Failure> {
    let mut small = [0; POINTS];
    for (index, (small, &number)) in small.iter_mut().zip(points).enumerate() {
        *small = i8::try_from(number).map_err(|_| PointsError::Number { index, text: number.to_string() })?;
    }
    Ok(Board::from_points(&small)?)
}

/// Reads the 26 numbers of a board.
///
/// # Safety
/// Unless the pointer is NULL or not aligned, it points to 26 numbers that nobody changes meanwhile.
pub(crate) unsafe fn read(name: &str, points: *const c_int) -> Result<Board, Failure> {
    // SAFETY: the caller guarantees, until this returns: at `points` are 26 unchanged numbers, which are an array,
    // since it is aligned as they are.
    board(unsafe { pointer::reference(name, points.cast::<[c_int; POINTS]>()) }?)
}

/// Stores the position in which a game of TavliRules begins as 26 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_position_start(rules: u32, points: *mut c_int) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `points` is room for 26 numbers.
        let points = unsafe { OutPointer::new("points", points.cast::<[c_int; POINTS]>()) }?;
        points.store(self::points(&Rules::read(rules)?.start()));
        Ok(())
    })
}

/// Reads a position in any format into 26 numbers. Cube, score and dice of a text are ignored; tavli_position_convert
/// keeps them. tavli_last_remarks has the contradictions in a text, such as the mark of the Crawford game at a score
/// that has none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_position_read(text: *const c_char, points: *mut c_int) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `text` is an unchanged text that ends with a zero; at
        // `points` is room for 26 numbers.
        let (points, text) =
            unsafe { (OutPointer::new("points", points.cast::<[c_int; POINTS]>())?, text::read("text", text)?) };
        let position = remarks::position(text)?;
        points.store(self::points(position.board()));
        Ok(())
    })
}

/// Writes a position in a TavliFormat: in a money game, cube in the middle, dice not rolled. The text ends with a zero;
/// its number of bytes, the zero included, is stored in size, which may be NULL. TAVLI_TEXT_SIZE bytes hold any format.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_position_write(
    points: *const c_int,
    format: u32,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `points` are 26 unchanged numbers; at `buffer` is room
        // for `capacity` bytes, and at `size`, unless it is NULL, for one number.
        let (board, buffer) = unsafe { (read("points", points)?, Buffer::new(buffer, capacity, "size", size)?) };
        let text = Format::new(format)?.text(&Position::from(board));
        text::write(&text, buffer)
    })
}

/// Writes a position that is given in one format in another TavliFormat, with the parts of cube, score and dice that
/// both formats hold. Buffer and size are as in tavli_position_write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_position_convert(
    text: *const c_char,
    format: u32,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `text` is an unchanged text that ends with a zero; at
        // `buffer` is room for `capacity` bytes, and at `size`, unless it is NULL, for one number.
        let (text, buffer) = unsafe { (text::read("text", text)?, Buffer::new(buffer, capacity, "size", size)?) };
        let position = remarks::position(text)?;
        let converted = Format::new(format)?.text(&position);
        text::write(&converted, buffer)
    })
}
