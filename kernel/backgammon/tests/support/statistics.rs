//! Sums of random draws against their exact expectation.

/// The probability that one comparison fails although nothing is wrong. A run of all tests makes about 3,000
/// comparisons per tier, and every tier plays the same games, so a new seed gives a false alarm in fewer than 3 of
/// 10,000 runs. The seeds of the tests are fixed, so a test that has passed passes again.
const FALSE_ALARM: f64 = 1e-7;

/// A sum of independent, equally distributed draws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draws {
    pub(crate) number: u64,
    pub(crate) sum: f64,
    /// The variance of one draw.
    pub(crate) variance: f64,
    /// The largest deviation of one draw from the mean.
    pub(crate) reach: f64,
}

impl Draws {
    /// `number` draws of an event of known probability, which happened in `hits` of them.
    pub(crate) fn for_event(number: u64, hits: u64, probability: f64) -> Draws {
        Draws { number, sum: hits as f64, variance: probability * (1.0 - probability), reach: 1.0 }
    }

    /// Asserts that the sum is plausible for draws of mean `exact`, rounded to within `rounding`.
    ///
    /// The bound is Bernstein's inequality, which holds for any number of draws of any distribution:
    /// `P(|sum - n mean| >= t) <= 2 exp(-t^2 / (2 (n variance + reach t / 3)))`. For large sums it is the
    /// test of a normal deviate at 5.8 standard errors; for rare events it leaves the room that their
    /// skewness needs. Without variance the sum must be exact.
    pub(crate) fn assert_mean(&self, exact: f64, rounding: f64, what: impl FnOnce() -> String) {
        let Draws { number, sum, variance, reach } = *self;
        let number = number as f64;
        let exponent = (2.0 / FALSE_ALARM).ln();
        let slack = exponent * reach / 3.0;
        let allowed =
            if variance > 0.0 { slack + (slack * slack + 2.0 * exponent * number * variance).sqrt() } else { 0.0 };
        let deviation = sum - number * exact;
        assert!(
            deviation.abs() <= allowed + number * rounding,
            "{}: {sum} over {number} draws deviates by {deviation} from {number} times {exact}; \
             {allowed} is allowed, {} is the standard error",
            what(),
            (number * variance).sqrt()
        );
    }
}
