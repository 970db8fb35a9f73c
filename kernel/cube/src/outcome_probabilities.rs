//! The probabilities of a game's outcomes.

use tavli_backgammon::evaluators::Probabilities;
use thiserror::Error;

/// The probabilities of the player on roll, before the roll: each of 0 to 1, a gammon counted among the wins, a
/// backgammon among the gammons.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OutcomeProbabilities {
    /// To win.
    pub win: f64,
    /// To win a gammon or a backgammon.
    pub win_gammon: f64,
    /// To win a backgammon.
    pub win_backgammon: f64,
    /// To lose a gammon or a backgammon.
    pub lose_gammon: f64,
    /// To lose a backgammon.
    pub lose_backgammon: f64,
}

/// Numbers that cannot be the probabilities of one position.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error(
    "{0:?} are not chances to win, win a gammon, win a backgammon, lose a gammon and lose a backgammon: each is 0 to 1, and \
     each loss or win contains its gammons, and these their backgammons"
)]
pub struct OutcomeProbabilitiesError(pub [f64; 5]);

impl OutcomeProbabilities {
    /// Probabilities printed by single-precision programs may contradict each other by this much.
    const ROUNDING: f64 = 1e-5;

    /// The probabilities to win, win a gammon, win a backgammon, lose a gammon and lose a backgammon. A number that
    /// exceeds its bound by single-precision rounding is cut to the bound.
    ///
    /// # Errors
    /// [`OutcomeProbabilitiesError`] if a number is not 0 to 1 or not a number, or exceeds the probability of the event
    /// that contains it.
    pub fn new(probabilities: [f64; 5]) -> Result<OutcomeProbabilities, OutcomeProbabilitiesError> {
        let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] = probabilities;
        let within = |chance: f64, bound: f64| {
            let is_chance =
                chance >= -OutcomeProbabilities::ROUNDING && chance <= bound + OutcomeProbabilities::ROUNDING;
            is_chance.then_some(chance.clamp(0.0, bound)).ok_or(OutcomeProbabilitiesError(probabilities))
        };
        // In this order: each number is a bound of later ones, and has to be cut before them.
        let win = within(win, 1.0)?;
        let win_gammon = within(win_gammon, win)?;
        let lose_gammon = within(lose_gammon, 1.0 - win)?;
        Ok(OutcomeProbabilities {
            win,
            win_gammon,
            win_backgammon: within(win_backgammon, win_gammon)?,
            lose_gammon,
            lose_backgammon: within(lose_backgammon, lose_gammon)?,
        })
    }

    /// Mean points without a cube, -3 to 3.
    #[must_use]
    pub fn equity(&self) -> f64 {
        2.0 * self.win - 1.0 + (self.win_gammon - self.lose_gammon) + (self.win_backgammon - self.lose_backgammon)
    }

    /// The probabilities of the other player.
    #[must_use]
    pub fn reversed(&self) -> OutcomeProbabilities {
        OutcomeProbabilities {
            win: 1.0 - self.win,
            win_gammon: self.lose_gammon,
            win_backgammon: self.lose_backgammon,
            lose_gammon: self.win_gammon,
            lose_backgammon: self.win_backgammon,
        }
    }

    /// Shares of won games that are single wins, gammons and backgammons; single wins alone if none is won.
    pub(crate) fn shares_of_wins(&self) -> [f64; 3] {
        if self.win <= 0.0 {
            return [1.0, 0.0, 0.0];
        }
        let [gammon, backgammon] = [self.win_gammon, self.win_backgammon].map(|chance| chance / self.win);
        [1.0 - gammon, gammon - backgammon, backgammon]
    }

    /// The mean points of a won game; 1 if none is won.
    pub(crate) fn points_of_wins(&self) -> f64 {
        let [single, gammon, backgammon] = self.shares_of_wins();
        single + 2.0 * gammon + 3.0 * backgammon
    }
}

impl From<Probabilities> for OutcomeProbabilities {
    fn from(probabilities: Probabilities) -> OutcomeProbabilities {
        OutcomeProbabilities {
            win: probabilities.at_least(1),
            win_gammon: probabilities.at_least(2),
            win_backgammon: probabilities.at_least(3),
            lose_gammon: probabilities.at_least(-2),
            lose_backgammon: probabilities.at_least(-3),
        }
    }
}
