//! Progressive bias and progressive unpruning.

use core::fmt;
use std::sync::Arc;

use tavli_base::Stopped;

use tavli_game::{Heuristic, POINT, in_points};

// The schedule of unpruning is from the authors' Go program, Mango.

/// The choices that are unpruned from the start.
const FIRST_UNPRUNED: u32 = 5;
/// The choices that are unpruned whenever the visits double.
const PER_DOUBLING: f32 = 2.67;
/// The number of visits from which doublings are counted.
const FROM: f32 = 40.0;

/// The progressive strategies of Chaslot and others (2007), progressive bias and progressive unpruning: a heuristic
/// directs the selection of choices, and counts less the more visits they have.
///
/// The heuristic values choices once, when they join the tree. Choices without visits are tried in the order of their
/// values, the best first. [`SearchSettings::expand`](crate::SearchSettings::expand) is the authors' T, which is 30 in
/// their program.
///
/// `H` is the [`Heuristic`] of a search, or stands for one: by its name in a request or in the result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgressiveBias<H> {
    /// Values the positions after the choices.
    pub heuristic: H,
    /// The factor of progressive bias, 0 to 1,000. The upper confidence bound of a choice gains `bias * H_i / (n_i +
    /// 1)`, where `H_i` is its heuristic value in points for the player who chooses, and `n_i` its visits.
    pub bias: f64,
    /// Progressive unpruning: after `n` visits to a position with its chance, only the best 5 + 2.67 log2(n / 40)
    /// choices by heuristic value may be selected, rounded down, and at least 5.
    pub unprunes: bool,
}

/// Progressive bias of a search among positions of this type.
pub(crate) type PositionBias<P> = ProgressiveBias<Arc<dyn Heuristic<P>>>;

impl<P: Copy + fmt::Debug> PositionBias<P> {
    /// The choices by heuristic value, best first, each with its bias before any visit. `results` has the position
    /// after each choice, and the points of the player whose turn it would be if the game is over there.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` returned `true` before all choices were valued.
    pub(crate) fn ranked(
        &self,
        results: &[(P, Option<i32>)],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<(u32, f32)>, Stopped> {
        let goes_on = results.iter().filter(|(_, points)| points.is_none());
        let goes_on: Vec<P> = goes_on.map(|(position, _)| *position).collect();
        let mut values = vec![0; goes_on.len()];
        self.heuristic.values(&goes_on, &mut values, stop)?;
        let mut values = values.into_iter();
        let value = |&(_, points): &(P, Option<i32>)| match points {
            Some(points) => -i64::from(points) * POINT,
            None => -values.next().expect("each has its value"),
        };
        let mut ranked: Vec<(u32, i64)> = (0..).zip(results.iter().map(value)).collect();
        ranked.sort_by_key(|&(choice, value)| (-value, choice));
        let bias = self.bias as f32;
        let of = |(choice, value)| (choice, bias * in_points(value) as f32);
        Ok(ranked.into_iter().map(of).collect())
    }
}

impl<H> ProgressiveBias<H> {
    /// The same strategies with another heuristic, or with a text or a name in place of one.
    pub fn with_heuristic<T>(&self, heuristic: T) -> ProgressiveBias<T> {
        let ProgressiveBias { bias, unprunes, .. } = *self;
        ProgressiveBias { heuristic, bias, unprunes }
    }

    /// How many of `number` choices are unpruned after `visits` to all of them together.
    pub(crate) fn unpruned(&self, visits: u32, number: usize) -> usize {
        if !self.unprunes {
            return number;
        }
        // By libm, so that trees are the same on any CPU.
        let doublings = libm::log2f(visits.max(1) as f32 / FROM).max(0.0);
        number.min((FIRST_UNPRUNED as f32 + PER_DOUBLING * doublings) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_base::NO_STOP;

    #[derive(Debug)]
    struct Nothing;

    impl Heuristic<u8> for Nothing {
        fn most(&self) -> i64 {
            POINT
        }

        fn values(&self, positions: &[u8], values: &mut [i64], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
            for (value, &position) in values.iter_mut().zip(positions) {
                *value = i64::from(position) * POINT / 4;
            }
            Ok(())
        }
    }

    #[test]
    fn unpruning_has_the_numbers_of_its_authors() {
        let bias = |unprunes| ProgressiveBias { heuristic: Nothing, bias: 0.0, unprunes };
        let counts = [0, 1, 30, 40, 51, 52, 80, 160, 640, 1 << 20].map(|n| bias(true).unpruned(n, 40));
        assert_eq!(counts, [5, 5, 5, 5, 5, 6, 7, 10, 15, 40]);
        assert_eq!(bias(true).unpruned(0, 3), 3);
        assert_eq!(bias(false).unpruned(0, 40), 40);
    }

    #[test]
    fn choices_are_ranked_by_their_value_for_the_player_who_chooses() {
        let bias: PositionBias<u8> = ProgressiveBias { heuristic: Arc::new(Nothing), bias: 2.0, unprunes: false };
        let results = [(3, None), (1, None), (9, Some(-2)), (1, None), (9, Some(1))];
        let ranked = bias.ranked(&results, NO_STOP);
        assert_eq!(ranked, Ok(vec![(2, 4.0), (1, -0.5), (3, -0.5), (0, -1.5), (4, -2.0)]));
    }
}
