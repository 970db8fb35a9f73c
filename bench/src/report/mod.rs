//! Records as a page to view, and as a text to keep.

mod charts;
mod html;
mod markdown;
mod svg;

pub use html::page;
pub use markdown::text;

/// A rate with four digits: `2.854 M`.
fn short(value: f64) -> String {
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

/// The value as text, or `unknown`.
fn or_unknown<T: ToString>(value: Option<T>) -> String {
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
    }
}
