//! A player who knows how games end.

use std::sync::Arc;

use tavli_backgammon::evaluators::{Ends, Evaluator, Probabilities};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::playout::Throw;
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{Board, Outcome, Planes, RuleSet, Tier};

use crate::choice;
use crate::either_ends::EitherEnds;
use crate::player::Named;

/// A player who plays and values positions by the ends of games where they are known; elsewhere another player does.
#[derive(Debug)]
struct WithEnds {
    name: String,
    player: Named,
    ends: Arc<dyn Ends>,
}

/// The same player, who plays and values positions as these say where they know their worth. What other ends the player
/// has is asked where they do not.
///
/// ```
/// use std::sync::Arc;
/// use tavli_players::bearoff::TableEnds;
/// use tavli_players::{named, with_ends};
/// let player = with_ends(named::player("pubeval")?, Arc::new(TableEnds::new(6, 2)?));
/// assert_eq!(player.policy.name(), "pubeval+bearoff:6x2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn with_ends(player: Named, ends: Arc<dyn Ends>) -> Named {
    let has_evaluator = player.evaluator.is_some();
    let name = format!("{}+{}", player.policy.name(), ends.name());
    let ends = match player.policy.ends() {
        Some(known) => Arc::new(EitherEnds::new(known, ends)),
        None => ends,
    };
    let with_ends = Arc::new(WithEnds { name, player, ends });
    Named {
        policy: Arc::clone(&with_ends) as Arc<dyn Policy>,
        evaluator: has_evaluator.then_some(with_ends),
    }
}

impl WithEnds {
    /// The first play after which the next player has least, if the end is known after each.
    fn pick(&self, rules: RuleSet, results: &[Planes]) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        for (result, index) in results.iter().zip(0..) {
            let value = match choice::over(rules, result) {
                Some(outcome) => Probabilities::certain(outcome),
                None => self.ends.value(rules, result)?,
            };
            if best.is_none_or(|(least, _)| value.equity() < least) {
                best = Some((value.equity(), index));
            }
        }
        best.map(|(_, index)| index)
    }
}

impl Policy for WithEnds {
    fn name(&self) -> &str {
        &self.name
    }

    fn view(&self) -> View {
        self.player.policy.view()
    }

    fn pick(&self, decisions: &Decisions, picks: &mut [u32]) {
        self.player.policy.pick(decisions, picks);
        let rules = decisions.rules();
        let mut known = Decisions::new(rules);
        let mut places = Vec::new();
        let rolls = decisions.positions().iter().zip(decisions.rolls());
        for (place, (position, &roll)) in rolls.enumerate() {
            if self.ends.value(rules, position).is_some() {
                let throw = Throw { roll, fraction: 0 };
                let pushed = known.push(&Board::from(*position), throw);
                pushed.expect("a decision of a game that goes on");
                places.push(place);
            }
        }
        // Few games at a time are in their ends: their plays are listed apart, in the same order.
        known.list(View::RESULTS);
        for (decision, place) in places.into_iter().enumerate() {
            if let Some(pick) = self.pick(rules, known.results_of(decision)) {
                picks[place] = pick;
            }
        }
    }

    fn ends(&self) -> Option<&Arc<dyn Ends>> {
        Some(&self.ends)
    }
}

impl Evaluator for WithEnds {
    fn name(&self) -> &str {
        &self.name
    }

    fn estimate(
        &self,
        rules: RuleSet,
        tier: Tier,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) {
        let (mut others, mut places) = (Vec::new(), Vec::new());
        for (place, (position, value)) in positions.iter().zip(&mut *values).enumerate() {
            match self.ends.value(rules, position) {
                Some(known) => *value = known,
                None => {
                    others.push(*position);
                    places.push(place);
                }
            }
        }
        let evaluator = self.player.evaluator.as_ref();
        let evaluator = evaluator.expect("only who has one is asked for values");
        let mut found = vec![Probabilities::certain(Outcome::WinSingle); others.len()];
        evaluator.evaluate(rules, tier, &others, &mut found);
        for (place, value) in places.into_iter().zip(found) {
            values[place] = value;
        }
    }
}
