//! Texts of means, with their standard errors if there are any, and with their numbers of games.

/// The standard error after a mean, to `digits` digits: ` ± 0.0652`; nothing if there is none, such as for one game.
pub(crate) fn plus_minus(standard_error: f64, digits: usize) -> String {
    if standard_error.is_nan() {
        return String::new();
    }
    format!(" ± {standard_error:.digits$}")
}

/// A mean with its sign and its standard error, to `digits` digits: `+0.0370 ± 0.0652`; `unknown` without any game.
pub(crate) fn signed(mean: f64, standard_error: f64, digits: usize) -> String {
    if mean.is_nan() {
        return "unknown".to_owned();
    }
    format!("{mean:+.digits$}{}", plus_minus(standard_error, digits))
}

/// A number of things: `1 trial`, `2 trials`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
