//! The meaning of a net's outputs.

use tavli_backgammon::Outcome;
use tavli_backgammon::evaluators::{OutcomeSet, Probabilities};

/// The meaning of a net's outputs. Each is a probability, the [logistic](tavli_simd::logistic) function of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Outputs {
    /// Five: the player on roll wins; wins at least a gammon; wins a backgammon; loses at least a gammon; loses a
    /// backgammon.
    Cumulative,
    /// Three, for games without backgammons: the player on roll wins; wins a gammon; loses a gammon. Papahristou and
    /// Refanidis's nets for Fevga and Plakoto (2011) have such outputs.
    Doubles,
}

tavli_backgammon::parsed_values!(Outputs, "outputs": Cumulative "cumulative", Doubles "doubles");

impl Outputs {
    /// The most outputs that a net has.
    pub const MAX_COUNT: usize = 5;

    /// The number of outputs.
    #[must_use]
    pub const fn count(self) -> usize {
        self.outcomes().len()
    }

    /// For each output, the outcomes that its probability adds up.
    #[must_use]
    pub const fn outcomes(self) -> &'static [&'static [Outcome]] {
        use Outcome::*;
        match self {
            Outputs::Cumulative => &[
                &[WinSingle, WinGammon, WinBackgammon],
                &[WinGammon, WinBackgammon],
                &[WinBackgammon],
                &[LoseGammon, LoseBackgammon],
                &[LoseBackgammon],
            ],
            Outputs::Doubles => {
                &[&[WinSingle, WinGammon, WinBackgammon], &[WinGammon, WinBackgammon], &[LoseGammon, LoseBackgammon]]
            }
        }
    }

    /// For each output, whether it must be 0 (`false`) or 1 (`true`) if only the outcomes in `possible` are
    /// [possible](OutcomeSet::possible); `None` if it is open.
    #[inline(always)]
    pub fn settled(self, possible: OutcomeSet) -> impl Iterator<Item = Option<bool>> {
        const CUMULATIVE: &[OutcomeSet] = &sets::<5>(Outputs::Cumulative);
        const DOUBLES: &[OutcomeSet] = &sets::<3>(Outputs::Doubles);
        let sets = match self {
            Outputs::Cumulative => CUMULATIVE,
            Outputs::Doubles => DOUBLES,
        };
        sets.iter().map(
            #[inline(always)]
            move |&set| {
                if set.is_disjoint(possible) {
                    Some(false)
                } else if possible.is_subset(set) {
                    Some(true)
                } else {
                    None
                }
            },
        )
    }

    /// Sets the outputs that are [settled](Outputs::settled) to 0 or 1.
    pub fn settle(self, possible: OutcomeSet, outputs: &mut [f32]) {
        for (output, settled) in outputs.iter_mut().zip(self.settled(possible)) {
            if let Some(certain) = settled {
                *output = f32::from(u8::from(certain));
            }
        }
    }

    /// The probabilities of the six outcomes if only some are possible. An impossible gammon counts as a single game.
    #[must_use]
    pub fn probabilities_among(self, possible: OutcomeSet, outputs: &[f32]) -> Probabilities {
        let mut known = [0.0; Outputs::MAX_COUNT];
        known[..self.count()].copy_from_slice(outputs);
        self.settle(possible, &mut known);
        self.probabilities(&known)
    }

    /// The probabilities of the six outcomes. A contained outcome is cut off at the probability of the containing one:
    /// a gammon cannot be more probable than a win.
    #[must_use]
    pub fn probabilities(self, outputs: &[f32]) -> Probabilities {
        let number = |output: f32| (f64::from(output) * f64::from(Probabilities::ONE)) as u64;
        let (win, win_gammon, win_backgammon, lose_gammon, lose_backgammon) = match self {
            Outputs::Cumulative => (outputs[0], outputs[1], outputs[2], outputs[3], outputs[4]),
            Outputs::Doubles => (outputs[0], outputs[1], 0.0, outputs[2], 0.0),
        };
        let one = u64::from(Probabilities::ONE);
        let win = number(win).min(one);
        let lose = one - win;
        let [win_gammon, lose_gammon] =
            [(win_gammon, win), (lose_gammon, lose)].map(|(part, all)| number(part).min(all));
        let [win_backgammon, lose_backgammon] =
            [(win_backgammon, win_gammon), (lose_backgammon, lose_gammon)].map(|(part, all)| number(part).min(all));
        let mut weights = [0; Outcome::COUNT];
        // Differences of whole numbers, so that the six add up to 1 exactly.
        for (outcome, weight) in [
            (Outcome::WinSingle, win - win_gammon),
            (Outcome::WinGammon, win_gammon - win_backgammon),
            (Outcome::WinBackgammon, win_backgammon),
            (Outcome::LoseSingle, lose - lose_gammon),
            (Outcome::LoseGammon, lose_gammon - lose_backgammon),
            (Outcome::LoseBackgammon, lose_backgammon),
        ] {
            weights[outcome as usize] = weight;
        }
        Probabilities::from_weights(weights).expect("they add up to 1")
    }
}

/// [`Outputs::outcomes`] as sets.
const fn sets<const COUNT: usize>(outputs: Outputs) -> [OutcomeSet; COUNT] {
    let mut sets = [OutcomeSet::ALL; COUNT];
    let mut output = 0;
    while output < COUNT {
        sets[output] = OutcomeSet::from_outcomes(outputs.outcomes()[output]);
        output += 1;
    }
    sets
}
