//! The doubling cube: values with it, and what is right to do.

use std::ffi::c_char;

use tavli::Position;
use tavli::cube::{self, Chances, CubeValues as KernelValues};

use crate::failure::Failure;
use crate::guard::guarded;
use crate::pointer::{self, Place};
use crate::status::Status;
use crate::text;

/// Bytes for the words of an action. The longest are "Never redouble, take (dead cube)", and a zero.
pub const TAVLI_ACTION_SIZE: usize = 40;

/// The values of a position with the cube for the player on roll, before the roll: in money games as shares of the cube
/// before a double, in matches equivalent to that, where -1 is a lost and +1 a won single game.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeValues {
    /// The player on roll does not double.
    pub no_double: f64,
    /// He doubles and the opponent takes, whether he may double or not.
    pub double_take: f64,
    /// He doubles and the opponent passes: 1.
    pub double_pass: f64,
    /// Without a cube, or with one that is never turned.
    pub cubeless: f64,
    /// What is right, in GNU Backgammon's words, such as "Double, take", ended by a zero.
    pub action: [c_char; 40],
}

const _: () = assert!(TAVLI_ACTION_SIZE == 40, "as written for cbindgen");

impl From<KernelValues> for CubeValues {
    fn from(values: KernelValues) -> CubeValues {
        let text = values.action.text();
        assert!(text.len() < TAVLI_ACTION_SIZE, "'{text}' is longer than actions are");
        let mut action = [0; TAVLI_ACTION_SIZE];
        for (to, byte) in action.iter_mut().zip(text.bytes()) {
            *to = c_char::from_ne_bytes([byte]);
        }
        CubeValues {
            no_double: values.no_double,
            double_take: values.double_take,
            double_pass: values.double_pass,
            cubeless: values.cubeless,
            action,
        }
    }
}

/// Values a position with the cube and the score of its text, such as "PositionID:MatchID" or an XGID, and decides what is
/// right to do with the cube.
///
/// The chances are those of the player on roll before the roll, to win, win a gammon, win a backgammon, lose a gammon and
/// lose a backgammon, each counting those behind it: sums of the probabilities that tavli_evaluate gives. The values are
/// those of Janowski's model with the efficiencies and the match equity table of GNU Backgammon; bear-offs of at most six
/// checkers a side have exact equities in money games.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_cube_values(
    chances: *const f64,
    position: *const c_char,
    values: *mut CubeValues,
) -> Status {
    guarded(|| {
        // SAFETY: until this call returns the caller leaves to it the room for values at `values`, and does not change
        // the five numbers at `chances` and the bytes at `position`, of which one is a zero.
        let (place, chances, text) = unsafe {
            (
                Place::new("values", values)?,
                pointer::reference("chances", chances.cast::<[f64; 5]>())?,
                text::read("position", position)?,
            )
        };
        let chances = Chances::new(*chances).map_err(|error| Failure::new(Status::Settings, error))?;
        let position: Position = text.parse()?;
        let found = cube::values(&position, &chances).map_err(|error| Failure::new(Status::Position, error))?;
        place.store(found.into());
        Ok(())
    })
}
