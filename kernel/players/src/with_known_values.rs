//! Players that know the values of some positions exactly.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{
    EvaluationConditions, Evaluator, Knowledge, KnownValues, PlayValue, Probabilities, value_if_over,
    values_of_all_plays, values_with,
};
use tavli_backgammon::playout::Throw;
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, Planes, RuleSet, Stopped};

use crate::known_values_chain::KnownValuesChain;
use crate::player::NamedPlayer;

/// A player with a table of known values.
#[derive(Debug)]
struct WithKnownValues {
    name: String,
    player: NamedPlayer,
    known_values: Arc<dyn KnownValues>,
}

/// Wraps a player with a table of known values. If the table does not know a position, the player's own tables are
/// asked, then the player.
///
/// ```
/// use std::sync::Arc;
/// use tavli_backgammon::NO_STOP;
/// use tavli_players::bearoff::TwoSidedValues;
/// use tavli_players::{named, with_known_values};
/// let table = TwoSidedValues::new(6, 2, NO_STOP)?;
/// let player = with_known_values(named::player("pubeval", NO_STOP)?, Arc::new(table));
/// assert_eq!(player.policy.name(), "pubeval+bearoff:6x2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn with_known_values(player: NamedPlayer, known_values: Arc<dyn KnownValues>) -> NamedPlayer {
    let has_evaluator = player.evaluator.is_some();
    let name = format!("{}+{}", player.policy.name(), known_values.name());
    let known_values = match player.policy.known_values() {
        Some(known) => Arc::new(KnownValuesChain::new(known, known_values)),
        None => known_values,
    };
    let with_known_values = Arc::new(WithKnownValues { name, player, known_values });
    NamedPlayer {
        policy: Arc::clone(&with_known_values) as Arc<dyn Policy>,
        evaluator: has_evaluator.then_some(with_known_values),
    }
}

impl WithKnownValues {
    /// The evaluator of the player.
    fn of_player(&self) -> &dyn Evaluator {
        let evaluator = self.player.evaluator.as_deref();
        evaluator.expect("only a player with an evaluator is one")
    }

    /// Finds something for each decision: from the values of all its plays if one may lead into the table, otherwise by
    /// the player.
    fn by_table<Found>(
        &self,
        conditions: &EvaluationConditions<'_>,
        decisions: &RollBatch,
        from_all: impl Fn(Vec<PlayValue>) -> Found,
        of_player: &dyn Fn() -> Result<Vec<Found>, Stopped>,
    ) -> Result<Vec<Found>, Stopped> {
        let rules = decisions.rules();
        let may_be_known = |position: &Planes| self.known_values.may_know_after_play(rules, position);
        let (near, indices) = some_of(decisions, may_be_known);
        if near.is_empty() {
            return of_player();
        }
        let seeds = conditions.seeds_at(indices.iter().copied());
        let all = values_of_all_plays(self, &conditions.seeded(seeds.as_deref()), &near)?;
        let all = all.into_iter().map(from_all);
        if near.len() == decisions.len() {
            return Ok(all.collect());
        }
        let mut found = of_player()?;
        for (index, plays) in indices.into_iter().zip(all) {
            found[index] = plays;
        }
        Ok(found)
    }

    /// The first play that leaves the next player the least equity; `None` if the table lacks the position after any
    /// play.
    fn pick(&self, rules: RuleSet, results: &[Planes]) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        for (result, index) in results.iter().zip(0..) {
            let known = value_if_over(rules, result).or_else(|| self.known_values.value(rules, result));
            let value = known?;
            if best.is_none_or(|(least, _)| value.equity() < least) {
                best = Some((value.equity(), index));
            }
        }
        best.map(|(_, index)| index)
    }
}

/// The decisions in certain positions, with the results of their plays, and their indices among all.
fn some_of(decisions: &RollBatch, is_wanted: impl Fn(&Planes) -> bool) -> (RollBatch, Vec<usize>) {
    let mut some = RollBatch::new(decisions.rules()).with_tier(decisions.tier());
    let mut indices = Vec::new();
    let rolls = decisions.positions().iter().zip(decisions.rolls());
    for (index, (position, &roll)) in rolls.enumerate().filter(|(_, (position, _))| is_wanted(position)) {
        let pushed = some.push(&Board::from(*position), Throw { roll, fraction: 0 });
        pushed.expect("a decision of a game that goes on");
        indices.push(index);
    }
    some.list(View::RESULTS);
    (some, indices)
}

impl Policy for WithKnownValues {
    fn name(&self) -> &str {
        &self.name
    }

    fn view(&self) -> View {
        self.player.policy.view()
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        self.player.policy.pick(decisions, picks, stop)?;
        let rules = decisions.rules();
        // Few games at a time are in the table. Their plays are listed again, in the same order, so that the results of
        // plays in other games need not be listed.
        let is_known = |position: &Planes| self.known_values.value(rules, position).is_some();
        let (known, indices) = some_of(decisions, is_known);
        for (decision, index) in indices.into_iter().enumerate() {
            if let Some(pick) = self.pick(rules, known.results_of(decision)) {
                picks[index] = pick;
            }
        }
        Ok(())
    }

    fn first_games(&self) -> u64 {
        self.player.policy.first_games()
    }

    fn evaluator(self: Arc<Self>) -> Option<Arc<dyn Evaluator>> {
        self.player.evaluator.is_some().then_some(self as Arc<dyn Evaluator>)
    }

    fn known_values(&self) -> Option<&Arc<dyn KnownValues>> {
        Some(&self.known_values)
    }
}

impl Evaluator for WithKnownValues {
    fn name(&self) -> &str {
        &self.name
    }

    fn games(&self) -> Option<NonZeroU32> {
        self.of_player().games()
    }

    fn estimate(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        let known = |position: &Planes| self.known_values.value(conditions.rules(), position);
        let found = values_with(self.of_player(), conditions, positions, known)?;
        values.copy_from_slice(&found);
        Ok(())
    }

    fn knowledge(&self, rules: RuleSet, position: &Planes) -> Knowledge {
        match self.known_values.knowledge(rules, position) {
            Knowledge::Unknown => self.of_player().knowledge(rules, position),
            known => known,
        }
    }

    fn view_of_plays(&self) -> View {
        self.of_player().view_of_plays()
    }

    /// If no play leads into the table, the best play that the player itself finds.
    fn best_plays(
        &self,
        conditions: &EvaluationConditions<'_>,
        decisions: &RollBatch,
    ) -> Result<Vec<PlayValue>, Stopped> {
        let best = |plays: Vec<PlayValue>| PlayValue::best(plays.into_iter()).expect("a decision has a play");
        let of_player = || self.of_player().best_plays(conditions, decisions);
        self.by_table(conditions, decisions, best, &of_player)
    }

    fn candidate_plays(
        &self,
        conditions: &EvaluationConditions<'_>,
        decisions: &RollBatch,
    ) -> Result<Vec<Vec<PlayValue>>, Stopped> {
        let of_player = || self.of_player().candidate_plays(conditions, decisions);
        self.by_table(conditions, decisions, |plays| plays, &of_player)
    }
}
