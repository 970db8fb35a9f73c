//! Players that know the values of some positions exactly.

use std::sync::Arc;

use tavli_backgammon::evaluators::{
    Conditions, Evaluator, KnownValues, PlayValue, Probabilities, value_if_over, values_with,
};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::playout::Throw;
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{Board, Planes, RuleSet, Stopped};

use crate::either_known_values::EitherKnownValues;
use crate::player::NamedPlayer;

/// A player with a table of known values.
#[derive(Debug)]
struct WithKnownValues {
    name: String,
    player: NamedPlayer,
    known_values: Arc<dyn KnownValues>,
}

/// Wraps a player with a table of known values. Where the table does not know a position, the player's own tables are
/// asked, and then the player.
///
/// ```
/// use std::sync::Arc;
/// use tavli_players::bearoff::TwoSidedValues;
/// use tavli_players::{named, with_known_values};
/// let player = with_known_values(named::player("pubeval")?, Arc::new(TwoSidedValues::new(6, 2)?));
/// assert_eq!(player.policy.name(), "pubeval+bearoff:6x2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn with_known_values(player: NamedPlayer, known_values: Arc<dyn KnownValues>) -> NamedPlayer {
    let has_evaluator = player.evaluator.is_some();
    let name = format!("{}+{}", player.policy.name(), known_values.name());
    let known_values = match player.policy.known_values() {
        Some(known) => Arc::new(EitherKnownValues::new(known, known_values)),
        None => known_values,
    };
    let with_known_values = Arc::new(WithKnownValues {
        name,
        player,
        known_values,
    });
    NamedPlayer {
        policy: Arc::clone(&with_known_values) as Arc<dyn Policy>,
        evaluator: has_evaluator.then_some(with_known_values),
    }
}

impl WithKnownValues {
    /// The decisions in positions that the table knows, by their places, and the best play of each by the table. A
    /// decision is left out if the table does not know the position after each of its plays.
    fn known_plays(&self, decisions: &Decisions) -> Vec<(usize, PlayValue)> {
        let rules = decisions.rules();
        let mut known = Decisions::new(rules);
        let mut places = Vec::new();
        let rolls = decisions.positions().iter().zip(decisions.rolls());
        for (place, (position, &roll)) in rolls.enumerate() {
            if self.known_values.value(rules, position).is_some() {
                let throw = Throw { roll, fraction: 0 };
                let pushed = known.push(&Board::from(*position), throw);
                pushed.expect("a decision of a game that goes on");
                places.push(place);
            }
        }
        // Few games at a time are in the table. Their plays are listed once more, in the same order, so that other
        // games need no results.
        known.list(View::RESULTS);
        let best = (0..known.len()).map(|decision| self.best_known(rules, known.results_of(decision)));
        let of_places = places.into_iter().zip(best);
        of_places.filter_map(|(place, best)| Some((place, best?))).collect()
    }

    /// The first play after which the next player has the least equity; `None` unless the table knows the position
    /// after each play.
    fn best_known(&self, rules: RuleSet, results: &[Planes]) -> Option<PlayValue> {
        let value = |result| value_if_over(rules, result).or_else(|| self.known_values.value(rules, result));
        let plays = (0..).zip(results);
        let plays: Option<Vec<PlayValue>> = plays
            .map(|(index, result)| {
                Some(PlayValue {
                    index,
                    value: value(result)?,
                })
            })
            .collect();
        PlayValue::best(plays?.into_iter())
    }

    /// Gives a play of a decision the value of the table, if that knows the position after it.
    fn replace_known(&self, decisions: &Decisions, decision: usize, play: &mut PlayValue) {
        let rules = decisions.rules();
        let after = decisions.result_of(decision, play.index);
        if value_if_over(rules, &after).is_none()
            && let Some(known) = self.known_values.value(rules, &after)
        {
            play.value = known;
        }
    }

    fn evaluator(&self) -> &dyn Evaluator {
        let evaluator = self.player.evaluator.as_ref();
        evaluator.expect("only a player with an evaluator is one").as_ref()
    }
}

impl Policy for WithKnownValues {
    fn name(&self) -> &str {
        &self.name
    }

    fn view(&self) -> View {
        self.player.policy.view()
    }

    fn pick(&self, decisions: &Decisions, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        self.player.policy.pick(decisions, picks, stop)?;
        for (place, best) in self.known_plays(decisions) {
            picks[place] = best.index;
        }
        Ok(())
    }

    fn known_values(&self) -> Option<&Arc<dyn KnownValues>> {
        Some(&self.known_values)
    }
}
impl Evaluator for WithKnownValues {
    fn name(&self) -> &str {
        &self.name
    }

    fn estimate(
        &self,
        conditions: &Conditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        let known = |position: &Planes| self.known_values.value(conditions.rules(), position);
        let found = values_with(self.evaluator(), conditions, positions, known)?;
        values.copy_from_slice(&found);
        Ok(())
    }
    fn view_of_plays(&self) -> View {
        self.evaluator().view_of_plays()
    }

    /// By the table where it knows the position; otherwise the player's best play, which has the table's value if that
    /// knows the position after it.
    fn best_plays(&self, conditions: &Conditions<'_>, decisions: &Decisions) -> Result<Vec<PlayValue>, Stopped> {
        let mut best = self.evaluator().best_plays(conditions, decisions)?;
        for (decision, best) in best.iter_mut().enumerate() {
            self.replace_known(decisions, decision, best);
        }
        for (place, known) in self.known_plays(decisions) {
            best[place] = known;
        }
        Ok(best)
    }

    fn near_plays(&self, conditions: &Conditions<'_>, decisions: &Decisions) -> Result<Vec<Vec<PlayValue>>, Stopped> {
        let mut near = self.evaluator().near_plays(conditions, decisions)?;
        for (decision, plays) in near.iter_mut().enumerate() {
            for play in plays {
                self.replace_known(decisions, decision, play);
            }
        }
        Ok(near)
    }
}
