//! Players of nets.

use core::fmt;
use core::num::NonZeroU32;
use std::sync::{Arc, LazyLock};

use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, PlayValue, Probabilities};
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Planes, Stopped, Tier};

use super::integer::IntegerNetwork;
use super::move_filter::{MoveFilter, Selection};

/// A player of a net: it picks the play that the net values most, and values positions by the net.
///
/// ```
/// use std::sync::Arc;
/// use tavli_backgammon::policies::PolicyPair;
/// use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};
/// use tavli_players::net::{Activation, Encoder, IntegerNetwork, NetPlayer, Network, Outputs};
/// let net = Network::zero(Encoder::Raw196, Activation::Clipped, Outputs::Cumulative, &[32]);
/// let player = NetPlayer::new("zeros", IntegerNetwork::new(&net)?);
/// // All plays that do not win have the same value, so the first is picked.
/// let players = PolicyPair::alike(Arc::new(player));
/// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
/// assert_eq!(players.run(&playouts, Tier::best(), 0..10, NO_STOP)?.tally.games, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct NetPlayer {
    name: String,
    net: IntegerNetwork,
    prefilter: Option<(MoveFilter, Arc<NetWhenNeeded>)>,
}

impl fmt::Debug for NetPlayer {
    /// Only the name, instead of all its numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NetPlayer").field(&self.name).finish()
    }
}

/// A net that is made when it is first asked.
type NetWhenNeeded = LazyLock<IntegerNetwork, Box<dyn FnOnce() -> IntegerNetwork + Send>>;

impl NetPlayer {
    /// A player that plays by `net`. The name must identify the net's weights.
    #[must_use]
    pub fn new(name: &str, net: IntegerNetwork) -> NetPlayer {
        NetPlayer { name: name.to_owned(), net, prefilter: None }
    }

    /// Adds a move filter: the net values only the plays that pass it, by the ranks of the net `ranking`. Positions are
    /// valued by the same net as before.
    #[must_use]
    pub fn after(self, filter: MoveFilter, ranking: IntegerNetwork) -> NetPlayer {
        self.with_lazy_move_filter(filter, || ranking)
    }

    /// [`after`](NetPlayer::after) by a net that is made when it is first asked.
    pub(super) fn with_lazy_move_filter(
        mut self,
        filter: MoveFilter,
        ranking: impl FnOnce() -> IntegerNetwork + Send + 'static,
    ) -> NetPlayer {
        self.prefilter = Some((filter, Arc::new(LazyLock::new(Box::new(ranking)))));
        self
    }

    /// The net that values positions.
    #[must_use]
    pub fn net(&self) -> &IntegerNetwork {
        &self.net
    }
}

/// A narrower filter than the player's own, used where only the value of the best play is wanted: looking ahead and
/// luck want hundreds of such values for one answer, and few depend on the third play.
// `strong+2ply` on 200 decisions: 3.6 ms each and 0.0009 points lost; with its move filter for picking plays, 5 plays
// within 0.12 points, 5.6 ms and 0.0011 (profiles/LOG.md, 2026-11-27, which has one play and three, too).
const BEST_VALUE_FILTER: MoveFilter = MoveFilter { plays: NonZeroU32::new(2).expect("not 0"), margin: 0.08 };

impl NetPlayer {
    /// The plays that pass the move filter and, if given, another one; all plays without a move filter.
    fn plays(&self, tier: Tier, decisions: &RollBatch, other: Option<MoveFilter>) -> Selection {
        let all = Selection::all(decisions);
        match &self.prefilter {
            None => all,
            Some((filter, ranking)) => {
                let filter = other.map_or(*filter, |other| filter.and(other));
                ranking.filter(tier, decisions, &all, filter)
            }
        }
    }
}

impl Policy for NetPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn view(&self) -> View {
        View::CHANGES
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let tier = decisions.tier();
        let plays = self.plays(tier, decisions, None);
        self.net.pick_selected(tier, decisions, &plays, picks);
        Ok(())
    }

    fn evaluator(self: Arc<Self>) -> Option<Arc<dyn Evaluator>> {
        Some(self)
    }
}

impl Evaluator for NetPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn estimate(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        let (rules, tier) = (conditions.rules(), conditions.tier());
        self.net.evaluate(rules, tier, positions, values);
        Ok(())
    }

    fn view_of_plays(&self) -> View {
        View::CHANGES
    }

    /// With a move filter, the best of the plays that pass it, two at most within 0.08 points.
    fn best_plays(
        &self,
        conditions: &EvaluationConditions<'_>,
        decisions: &RollBatch,
    ) -> Result<Vec<PlayValue>, Stopped> {
        let tier = conditions.tier();
        Ok(match &self.prefilter {
            None => self.net.best_plays(tier, decisions),
            Some(_) => {
                let plays = self.plays(tier, decisions, Some(BEST_VALUE_FILTER));
                self.net.best_selected(tier, decisions, &plays)
            }
        })
    }

    /// With a move filter, the plays among which the [best](Evaluator::best_plays) is found; all plays without one.
    fn candidate_plays(
        &self,
        conditions: &EvaluationConditions<'_>,
        decisions: &RollBatch,
    ) -> Result<Vec<Vec<PlayValue>>, Stopped> {
        let tier = conditions.tier();
        let plays = self.plays(tier, decisions, Some(BEST_VALUE_FILTER));
        let mut values = self.net.play_values(tier, decisions, &plays).into_iter();
        let values_by_decision = plays.plays_by_decision().map(|plays| values.by_ref().take(plays.len()).collect());
        Ok(values_by_decision.collect())
    }
}
