//! Numbers in a form easy to read.

/// A whole number with its digits in groups of three: `12,345,678`.
pub(crate) fn grouped(number: impl Into<u128>) -> String {
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

/// A whole number in groups and its noun, `one` or `many`: `1 trial`, `1,296 trials`.
pub(crate) fn counted(number: impl Into<u128>, one: &str, many: &str) -> String {
    let number = number.into();
    let name = if number == 1 { one } else { many };
    format!("{} {name}", grouped(number))
}

/// A number with this many decimals, or a dash for NaN.
pub(crate) fn decimals(number: f64, decimals: usize) -> String {
    if number.is_nan() {
        "-".to_owned()
    } else {
        format!("{number:.decimals$}")
    }
}

/// A rate of at least 0 as a whole number in groups, or with four digits where it is small.
pub(crate) fn rate(number: f64) -> String {
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
pub(crate) fn seconds(seconds: f64) -> String {
    let decimals = match seconds {
        ..0.1 => 4,
        ..100.0 => 2,
        _ => 0,
    };
    format!("{seconds:.decimals$} s")
}

/// A time left, without the digits that change too fast to read.
pub(crate) fn wait(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s:02} s"),
        (h, m, _) => format!("{h} h {m:02} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_threes() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (123_456, "123,456"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
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
