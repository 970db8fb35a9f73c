//! The search window: bounds between which a value matters.

/// An alpha-beta window. A value at or below `alpha`, or at or above `beta`, need not be known exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SearchWindow {
    pub(crate) alpha: i128,
    pub(crate) beta: i128,
}

impl SearchWindow {
    /// The window that holds every value with an absolute value of at most `most`.
    pub(crate) const fn holding_all(most: i128) -> SearchWindow {
        SearchWindow { alpha: -most - 1, beta: most + 1 }
    }

    /// The window for the other player.
    pub(crate) const fn reversed(self) -> SearchWindow {
        SearchWindow { alpha: -self.beta, beta: -self.alpha }
    }

    /// The window with `alpha` raised to a value that is already reached.
    pub(crate) fn above(self, value: i128) -> SearchWindow {
        SearchWindow { alpha: self.alpha.max(value), ..self }
    }

    /// The window of the value of one chance (Star1), if this is the window of the weighted sum over all chances, and
    /// the other chances add between `least` and `greatest` to it.
    pub(crate) const fn for_chance(self, weight: i128, least: i128, greatest: i128) -> SearchWindow {
        // `value * weight <= number` if `value` is at most the quotient rounded down, and `>= number` if it is at least
        // the quotient rounded up.
        SearchWindow {
            alpha: (self.alpha - greatest).div_euclid(weight),
            beta: -(least - self.beta).div_euclid(weight),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_outside_its_window_puts_the_sum_outside_its_own() {
        for alpha in -40..40_i128 {
            let window = SearchWindow { alpha, beta: alpha + 9 };
            for weight in [1, 2, 3, 7] {
                let (least, greatest) = (-11, 5);
                let of_chance = window.for_chance(weight, least, greatest);
                for value in -60..60 {
                    let sum = weight * value;
                    assert_eq!(value <= of_chance.alpha, sum + greatest <= window.alpha);
                    assert_eq!(value >= of_chance.beta, sum + least >= window.beta);
                }
            }
        }
    }
}
