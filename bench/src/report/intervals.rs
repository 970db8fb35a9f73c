//! Intervals as texts. One measurement has none.

use crate::statistics::{Interval, Ratio, Summary};

/// The interval of a median, relative to it, with a star if its confidence is below 95 %.
#[must_use]
pub fn relative_interval(summary: &Summary, decimals: usize) -> String {
    if summary.samples < 2 {
        return "-".to_owned();
    }
    let percent = |value: f64| 100.0 * (value / summary.median - 1.0);
    let Interval { low, high, confidence } = summary.interval;
    let (low, high) = (percent(low), percent(high));
    let star = if confidence < 0.95 { " *" } else { "" };
    format!("{low:+.decimals$} {high:+.decimals$} %{star}")
}

/// The [spread](Summary::spread) of samples.
#[must_use]
pub fn spread(summary: &Summary, decimals: usize) -> String {
    match summary.samples {
        1 => "-".to_owned(),
        _ => format!("{:.decimals$} %", 100.0 * summary.spread()),
    }
}

/// The rate of `threads` threads, as a share of `threads` times the rate of one.
#[must_use]
pub fn share_of_linear(ratio: &Ratio, threads: usize) -> String {
    let percent = |times: f64| 100.0 * times / threads as f64;
    let share = format!("{:.1} % of linear", percent(ratio.ratio));
    let Interval { low, high, confidence } = ratio.interval;
    match confidence > 0.0 {
        true => format!("{share} ({:.1} to {:.1})", percent(low), percent(high)),
        false => share,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_measurement_has_no_interval_and_no_spread() {
        let of = |samples: &[f64]| Summary::from_samples(samples).expect("samples");
        assert_eq!(relative_interval(&of(&[3.0]), 2), "-");
        assert_eq!(spread(&of(&[3.0]), 2), "-");
        assert_eq!(relative_interval(&of(&[1.0, 3.0]), 1), "-50.0 +50.0 % *");
        assert_eq!(spread(&of(&[1.0, 3.0]), 0), "50 %");
        let ratio = |new: &[f64]| share_of_linear(&Ratio::from_samples(new, &[1.0]).expect("rates"), 2);
        assert_eq!(ratio(&[1.5]), "75.0 % of linear");
        assert_eq!(ratio(&[1.5, 2.0]), "87.5 % of linear (75.0 to 100.0)");
    }
}
