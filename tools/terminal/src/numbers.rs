//! Numbers as people read and write them.

use std::error::Error;
use std::num::{IntErrorKind, NonZeroUsize, ParseFloatError, ParseIntError};
use std::ops::RangeInclusive;

use tavli::run::Placement;

/// A whole number with its digits in groups of three: `12,345,678`.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number as a person writes it: with an exponent rather than hundreds of zeros.
pub fn plain(number: f64) -> String {
    match number.abs() {
        size if size == 0.0 || (1e-5..1e16).contains(&size) => number.to_string(),
        _ => format!("{number:?}"),
    }
}

/// A whole number in groups and its noun, `one` or `many`: `1 trial`, `1,296 trials`.
pub fn counted(number: impl Into<u128>, one: &str, many: &str) -> String {
    let number = number.into();
    let name = if number == 1 { one } else { many };
    format!("{} {name}", grouped(number))
}

/// A reader's message about a file, with the types of numbers, lists and tables in plain words: `expected usize` and
/// the like are for the programmer of the reader.
pub fn without_types(message: &str) -> String {
    let lines = message.split('\n').map(|line| match line.split_once(", expected ") {
        // A file's whole numbers have 64 bits with a sign.
        Some((found, expected)) => format!("{found}, expected {}", plain_type(expected, i64::MAX as u64, "a table")),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// [`without_types`] of a message about JSON: one line, without the place at its end.
pub fn without_types_of_json(message: &str) -> String {
    let message = message.rsplit_once(" at line ").map_or(message, |(message, _)| message);
    // Searched from the end: the text before may quote a value from outside.
    match message.rsplit_once(", expected ") {
        Some((found, expected)) => format!("{found}, expected {}", plain_type(expected, u64::MAX, "an object")),
        None => message.to_owned(),
    }
}

/// The plain name of a type in serde's messages. `largest` is the largest whole number, and `object` the name of a set
/// of names with values.
fn plain_type(expected: &str, largest: u64, object: &str) -> String {
    let (least, name) = match expected.strip_prefix("a nonzero ") {
        Some(name) => (1, name),
        None => (0, expected),
    };
    let most = match name {
        "u8" => u64::from(u8::MAX),
        "u16" => u64::from(u16::MAX),
        "u32" => u64::from(u32::MAX),
        "u64" | "usize" => largest,
        "i8" | "i16" | "i32" | "i64" | "isize" => return "a whole number".to_owned(),
        "f32" | "f64" => return "a number".to_owned(),
        "a sequence" => return "a list".to_owned(),
        "a string" => return "a text".to_owned(),
        _ if name.starts_with("struct ") || name.starts_with("internally tagged enum ") => {
            return object.to_owned();
        }
        _ => return expected.to_owned(),
    };
    format!("a whole number from {least} to {}", grouped(most))
}

/// A number with `decimals` decimals, or a dash for NaN.
pub fn decimals(number: f64, decimals: usize) -> String {
    if number.is_nan() { "-".to_owned() } else { format!("{number:.decimals$}") }
}

/// A rate of at least 0 as a whole number in groups, or with four digits if it is small.
pub fn rate(number: f64) -> String {
    if !number.is_finite() {
        "-".to_owned()
    } else if number >= 1000.0 {
        grouped(number.round() as u128)
    } else {
        let whole_digits = number.max(1.0).log10() as usize + 1;
        format!("{number:.*}", 4 - whole_digits)
    }
}

/// Seconds with the decimals that matter.
pub fn seconds(seconds: f64) -> String {
    let decimals = match seconds {
        ..0.1 => 4,
        ..100.0 => 2,
        _ => 0,
    };
    format!("{seconds:.decimals$} s")
}

/// A time left, without the digits that change too fast to read.
pub fn wait(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s:02} s"),
        (h, m, _) => format!("{h} h {m:02} min"),
    }
}

/// The remedy for a text that std does not read as a number; `None` for other errors. All whole numbers of the command
/// line are 0 or more.
#[must_use]
pub fn remedy(error: &(dyn Error + 'static)) -> Option<&'static str> {
    if error.is::<ParseFloatError>() {
        return Some("write a number, such as 0.05");
    }
    Some(match error.downcast_ref::<ParseIntError>()?.kind() {
        IntErrorKind::Zero => "write a whole number, 1 or more",
        IntErrorKind::PosOverflow => "the number is too large",
        _ => "write a whole number, 0 or more",
    })
}

/// A reader of whole numbers in a range.
pub fn whole_in<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("write a whole number {} to {}", range.start(), range.end()))
    }
}

/// Reads a number of worker threads.
pub fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let most = Placement::MAX_WORKERS;
    text.parse()
        .ok()
        .filter(|threads: &NonZeroUsize| threads.get() <= most)
        .ok_or_else(|| format!("threads are a whole number 1 to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;

    use serde::Deserialize;
    use serde::de::DeserializeOwned;

    #[test]
    fn types_are_described_in_plain_words() {
        for (message, text) in [
            (
                "7 | hidden = [-3]\n  | ^^\ninvalid value: integer `-3`, expected usize\n",
                "7 | hidden = [-3]\n  | ^^\ninvalid value: integer `-3`, expected a whole number from 0 to \
                 9,223,372,036,854,775,807",
            ),
            (
                "invalid type: string \"x\", expected a nonzero u32",
                "invalid type: string \"x\", expected a whole number from 1 to 4,294,967,295",
            ),
            ("invalid type: integer `3`, expected f64", "invalid type: integer `3`, expected a number"),
            ("invalid type: integer `3`, expected struct Net", "invalid type: integer `3`, expected a table"),
            ("unknown field `x`, expected one of `a`, `b`", "unknown field `x`, expected one of `a`, `b`"),
        ] {
            assert_eq!(without_types(message), text);
        }
    }

    /// Made by serde itself, so that other words of a new version are noticed.
    #[test]
    fn types_of_json_are_described_in_plain_words() {
        fn refused<T: DeserializeOwned + Debug>(json: &str) -> String {
            let error = serde_json::from_str::<T>(json).expect_err(json);
            without_types_of_json(&error.to_string())
        }

        #[derive(Deserialize, Debug)]
        struct Trials {
            #[expect(dead_code)]
            trials: u64,
        }

        let largest = "expected a whole number from 0 to 18,446,744,073,709,551,615";
        for (message, text) in [
            (refused::<u64>("-1"), format!("invalid value: integer `-1`, {largest}").as_str()),
            (refused::<usize>("1.5"), format!("invalid type: floating point `1.5`, {largest}").as_str()),
            (
                refused::<NonZeroUsize>("0"),
                "invalid value: integer `0`, expected a whole number from 1 to 18,446,744,073,709,551,615",
            ),
            (refused::<u8>("256"), "invalid value: integer `256`, expected a whole number from 0 to 255"),
            (refused::<i8>("\"x\""), "invalid type: string \"x\", expected a whole number"),
            (refused::<f64>("true"), "invalid type: boolean `true`, expected a number"),
            (refused::<Vec<u8>>("3"), "invalid type: integer `3`, expected a list"),
            (refused::<String>("3"), "invalid type: integer `3`, expected a text"),
            (
                refused::<Trials>("\"a, expected b at line 2\""),
                "invalid type: string \"a, expected b at line 2\", expected an object",
            ),
            (refused::<Trials>("{}"), "missing field `trials`"),
        ] {
            assert_eq!(message, text);
        }
    }

    #[test]
    fn numbers_that_are_refused_have_a_remedy() {
        let whole = |text: &str| text.parse::<u32>().expect_err(text);
        for (error, text) in [
            (whole("x"), "write a whole number, 0 or more"),
            (whole("-1"), "write a whole number, 0 or more"),
            (whole(""), "write a whole number, 0 or more"),
            (whole("4294967296"), "the number is too large"),
            ("0".parse::<NonZeroUsize>().expect_err("it is zero"), "write a whole number, 1 or more"),
        ] {
            assert_eq!(remedy(&error), Some(text));
        }
        let number = "x".parse::<f64>().expect_err("no number");
        assert_eq!(remedy(&number), Some("write a number, such as 0.05"));
        assert_eq!(remedy(&std::fmt::Error), None);
    }

    #[test]
    fn whole_numbers_are_in_their_range() {
        let read = whole_in::<u8>(1..=20);
        assert_eq!((read("1"), read("20")), (Ok(1), Ok(20)));
        for text in ["0", "21", "-1", "x", "", "1.5", "99999999999999999999"] {
            assert_eq!(read(text), Err("write a whole number 1 to 20".to_owned()), "{text}");
        }
    }

    #[test]
    fn digits_come_in_threes() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (u64::MAX, "18,446,744,073,709,551,615")]
        {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn names_are_of_one_or_many() {
        for (number, text) in [(0_u64, "0 plies"), (1, "1 ply"), (1296, "1,296 plies")] {
            assert_eq!(counted(number, "ply", "plies"), text);
        }
    }

    #[test]
    fn numbers_that_do_not_exist_are_dashes() {
        for (number, text) in [(0.12345, "0.1235"), (-2.0, "-2.0000"), (f64::NAN, "-")] {
            assert_eq!(decimals(number, 4), text);
        }
    }

    #[test]
    fn rates_keep_four_digits() {
        for (number, text) in [
            (0.0, "0.000"),
            (0.5, "0.500"),
            (9.87654, "9.877"),
            (45.678, "45.68"),
            (456.78, "456.8"),
            (1234.5, "1,235"),
            (f64::NAN, "-"),
            (f64::INFINITY, "-"),
        ] {
            assert_eq!(rate(number), text, "{number}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(seconds(0.01234), "0.0123 s");
        assert_eq!(seconds(3.0012), "3.00 s");
        assert_eq!(seconds(1234.5), "1234 s");
        assert_eq!(wait(59), "59 s");
        assert_eq!(wait(61), "1 min 01 s");
        assert_eq!(wait(7384), "2 h 03 min");
    }
}
