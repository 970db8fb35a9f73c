//! Numbers as they are printed.

/// A rate with four digits: `2.854 M`.
pub(crate) fn short(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        1e9.. => (value / 1e9, " G"),
        1e6.. => (value / 1e6, " M"),
        1e3.. => (value / 1e3, " k"),
        _ => (value, ""),
    };
    let decimals = match scaled.abs() {
        100.0.. => 1,
        10.0.. => 2,
        _ => 3,
    };
    format!("{scaled:.decimals$}{unit}")
}

/// A rate as a whole number with its digits in groups of three: `2,853,858`.
pub(crate) fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and its noun: `1 core`, `2 cores`.
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The value as text, or `unknown`.
pub(crate) fn or_unknown<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_four_digits() {
        for (value, text) in [
            (0.5, "0.500"),
            (12.345, "12.35"),
            (999.94, "999.9"),
            (2_853_858.0, "2.854 M"),
            (45_600.0, "45.60 k"),
            (7.1e9, "7.100 G"),
        ] {
            assert_eq!(short(value), text);
        }
        assert_eq!(grouped(2_853_858.4), "2,853,858");
        assert_eq!(grouped(999.6), "1,000");
        assert_eq!(grouped(0.4), "0");
        assert_eq!(
            (counted(1, "core", "cores"), counted(0, "core", "cores")),
            ("1 core".to_owned(), "0 cores".to_owned())
        );
    }
}
