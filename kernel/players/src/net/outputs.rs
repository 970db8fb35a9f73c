//! What the outputs of a net mean.

use core::str::FromStr;

use tavli_backgammon::evaluators::Probabilities;
use tavli_backgammon::{Outcome, RuleSet};

use super::UnknownNameError;

/// The meaning of a net's outputs. Each is a probability, the [logistic](fn@super::logistic) function of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Outputs {
    /// Five: the player on roll wins; wins at least a gammon; wins a backgammon; loses at least a gammon; loses a
    /// backgammon.
    Cumulative,
    /// Three: the player on roll wins; wins at least a gammon; loses at least a gammon. There are no backgammons. The
    /// outputs of the players of Fevga and Plakoto (Papahristou and Refanidis, 2011).
    Doubles,
}

impl Outputs {
    /// All of them.
    pub const ALL: &[Outputs] = &[Outputs::Cumulative, Outputs::Doubles];
    /// The most outputs that a net has.
    pub const MOST: usize = 5;

    /// The name in files and recipes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Outputs::Cumulative => "cumulative",
            Outputs::Doubles => "doubles",
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn count(self) -> usize {
        self.outcomes().len()
    }

    /// The outcomes that each output is the probability of, together.
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
            Outputs::Doubles => &[
                &[WinSingle, WinGammon, WinBackgammon],
                &[WinGammon, WinBackgammon],
                &[LoseGammon, LoseBackgammon],
            ],
        }
    }

    /// The probabilities of the six outcomes under some rules: outcomes that they do not know count as the largest that
    /// they do.
    #[must_use]
    pub fn probabilities_under(self, rules: RuleSet, outputs: &[f32]) -> Probabilities {
        let mut known = [0.0; Outputs::MOST];
        for (known, (output, outcomes)) in known.iter_mut().zip(outputs.iter().zip(self.outcomes()))
        {
            // Every outcome of an output is at least as large as its first.
            if outcomes[0].points().abs() <= rules.most().points() {
                *known = *output;
            }
        }
        self.probabilities(&known)
    }

    /// The probabilities of the six outcomes. What is contained in another outcome is cut off at its probability: a
    /// gammon cannot be more probable than a win.
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
            [(win_backgammon, win_gammon), (lose_backgammon, lose_gammon)]
                .map(|(part, all)| number(part).min(all));
        let mut weights = [0; Outcome::COUNT];
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
        Probabilities::of_weights(weights).expect("they add up to 1")
    }
}

impl FromStr for Outputs {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Outputs, UnknownNameError> {
        let mut all = Outputs::ALL.iter().copied();
        all.find(|one| one.name() == name)
            .ok_or_else(|| UnknownNameError {
                kind: "outputs",
                name: name.to_owned(),
                names: Outputs::ALL.iter().map(|one| one.name()).collect(),
            })
    }
}
