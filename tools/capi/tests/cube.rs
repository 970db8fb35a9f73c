//! The cube through C is that of the library.

mod support;

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use support::last_error;
use tavli::Position;
use tavli::cube::{self, Chances};
use tavli_capi::*;

fn values(chances: [f64; 5], position: &CStr) -> Result<CubeValues, Status> {
    let mut values = CubeValues {
        no_double: 9.0,
        double_take: 9.0,
        double_pass: 9.0,
        cubeless: 9.0,
        action: [b'?' as c_char; TAVLI_ACTION_SIZE],
    };
    // SAFETY: five numbers, a text, and room for values.
    match unsafe { tavli_cube_values(chances.as_ptr(), position.as_ptr(), &raw mut values) } {
        Status::Ok => Ok(values),
        status => Err(status),
    }
}

#[test]
fn values_and_actions_are_those_of_the_library() {
    let positions = [
        c"4HPwATDgc/ABMA:cAkAAAAAAAAE",
        c"XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10",
        c"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:0:0:7:10",
        c"4HPwATDgc/ABMA",
    ];
    for position in positions {
        for chances in [
            [0.7, 0.2, 0.01, 0.1, 0.0],
            [0.3, 0.05, 0.0, 0.2, 0.01],
            [1.0, 0.0, 0.0, 0.0, 0.0],
        ] {
            let found = values(chances, position).expect("a position with a cube");
            let text = position.to_str().expect("ASCII");
            let read: Position = text.parse().expect("a position");
            let expected = cube::values(&read, &Chances::new(chances).expect("chances")).expect("a cube");
            assert_eq!(found, CubeValues::from(expected), "{text}");
            // SAFETY: an action ends with a zero.
            let action = unsafe { CStr::from_ptr(found.action.as_ptr()) };
            assert_eq!(action.to_str(), Ok(expected.action.text()));
        }
    }
}

#[test]
fn what_cannot_be_valued_is_named() {
    assert_eq!(
        values([0.5, 0.6, 0.0, 0.0, 0.0], c"4HPwATDgc/ABMA"),
        Err(Status::Settings)
    );
    assert!(last_error().contains("are not chances"), "{}", last_error());
    assert_eq!(
        values([0.5, 0.0, 0.0, 0.0, 0.0], c"4HPwATDgc/ABM"),
        Err(Status::Position)
    );
    let mut room = values([0.5, 0.0, 0.0, 0.0, 0.0], c"4HPwATDgc/ABMA").expect("values");
    let chances = [0.5, 0.0, 0.0, 0.0, 0.0];
    let text = c"4HPwATDgc/ABMA";
    // SAFETY: five numbers, a text, and room for values, or NULL in place of one of them.
    let statuses = unsafe {
        [
            tavli_cube_values(null(), text.as_ptr(), &raw mut room),
            tavli_cube_values(chances.as_ptr(), null(), &raw mut room),
            tavli_cube_values(chances.as_ptr(), text.as_ptr(), null_mut()),
        ]
    };
    assert_eq!(statuses, [Status::Pointer; 3]);
}
