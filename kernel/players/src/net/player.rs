//! The player who goes by a net.

use core::num::NonZeroU32;

use tavli_backgammon::evaluators::{BestPlay, Evaluator, Probabilities};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{Board, Planes, RuleSet, Tier};

use super::integer::{IntegerNetwork, first_largest};

/// Which plays of a decision the net that decides values: those that another one ranks first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stages {
    /// The most plays.
    pub plays: NonZeroU32,
    /// By how many points they may be behind the first, at least 0.
    pub margin: f32,
}

/// Picks the play that a net values most, and values positions by it.
///
/// ```
/// use std::sync::Arc;
/// use tavli_backgammon::policies::Players;
/// use tavli_backgammon::{Board, Playouts, RuleSet, Tier};
/// use tavli_players::net::{Activation, Encoder, IntegerNetwork, NetPlayer, Network, Outputs};
/// let net = Network::zero(Encoder::Raw196, Activation::Clipped, Outputs::Cumulative, &[32]);
/// let player = NetPlayer::new("zeros", IntegerNetwork::new(&net)?);
/// // It values all plays alike but those that win, so it picks the first.
/// let players = Players::alike(Arc::new(player));
/// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
/// assert_eq!(players.run(&playouts, Tier::best(), 0..10).tally.games, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NetPlayer {
    name: String,
    net: IntegerNetwork,
    first: Option<(Stages, IntegerNetwork)>,
    tier: Tier,
}

impl NetPlayer {
    /// A player of a name, which is to name the net's weights too. It runs on the best tier of this CPU.
    #[must_use]
    pub fn new(name: &str, net: IntegerNetwork) -> NetPlayer {
        NetPlayer::on(Tier::best(), name, net)
    }

    /// The same on a tier. It changes the speed, never the plays.
    #[must_use]
    pub fn on(tier: Tier, name: &str, net: IntegerNetwork) -> NetPlayer {
        NetPlayer {
            name: name.to_owned(),
            net,
            first: None,
            tier,
        }
    }

    /// The same, who values only the plays that another net ranks first. Positions are valued by the same net as before.
    #[must_use]
    pub fn after(mut self, stages: Stages, first: IntegerNetwork) -> NetPlayer {
        self.first = Some((stages, first));
        self
    }

    /// The net.
    #[must_use]
    pub fn net(&self) -> &IntegerNetwork {
        &self.net
    }
}

impl NetPlayer {
    /// Picks among the plays that another net ranks first. Of a decision with a single such play, none is valued.
    fn pick_in_two(
        &self,
        stages: Stages,
        first: &IntegerNetwork,
        decisions: &Decisions,
        picks: &mut [u32],
    ) {
        let mut ranks = Vec::new();
        first.rank(self.tier, decisions, &mut ranks);
        let mut kept = Vec::new();
        let mut ends = Vec::with_capacity(picks.len());
        for plays in decisions.offsets().windows(2) {
            stages.keep(&ranks[plays[0]..plays[1]], &mut kept);
            ends.push(kept.len());
        }
        // What is valued: plays that leave the game going on, where there is a choice.
        let rules = decisions.rules();
        let mut positions = Vec::with_capacity(kept.len());
        let mut valued = Vec::with_capacity(kept.len());
        let mut values = Vec::with_capacity(kept.len());
        let mut from = 0;
        for (decision, &end) in ends.iter().enumerate() {
            let (position, changes) = (
                &decisions.positions()[decision],
                decisions.changes_of(decision),
            );
            let ranks = &ranks[decisions.offsets()[decision]..];
            for &play in &kept[from..end] {
                let result = changes[play as usize].made_in(position);
                if end - from > 1 && !rules.is_over(&Board::from(result)) {
                    valued.push(values.len());
                    positions.push(result);
                }
                values.push(ranks[play as usize]);
            }
            from = end;
        }
        let mut equities = Vec::new();
        self.net
            .equities(rules, self.tier, &positions, &mut equities);
        for (place, equity) in valued.into_iter().zip(equities) {
            // It is that of the player next on roll.
            values[place] = -equity;
        }
        let mut from = 0;
        for (pick, end) in picks.iter_mut().zip(ends) {
            *pick = kept[from + first_largest(&values[from..end]) as usize];
            from = end;
        }
    }
}

impl Stages {
    /// Adds the plays that are kept, by their ranks, in their order.
    fn keep(self, ranks: &[f32], kept: &mut Vec<u32>) {
        let best = ranks[first_largest(ranks) as usize];
        let from = kept.len();
        let near = (0..)
            .zip(ranks)
            .filter(|&(_, &rank)| best - rank <= self.margin);
        kept.extend(near.map(|(play, _)| play));
        let most = self.plays.get() as usize;
        if kept.len() - from > most {
            let rank = |play: u32| ranks[play as usize];
            // Of equal ones the first, since the sort is stable.
            kept[from..].sort_by(|&a, &b| rank(b).total_cmp(&rank(a)));
            kept.truncate(from + most);
            kept[from..].sort_unstable();
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

    fn pick(&self, decisions: &Decisions, picks: &mut [u32]) {
        match &self.first {
            None => self.net.pick(self.tier, decisions, picks),
            Some((stages, first)) => self.pick_in_two(*stages, first, decisions, picks),
        }
    }
}

impl Evaluator for NetPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn evaluate(
        &self,
        rules: RuleSet,
        tier: Tier,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) {
        self.net.evaluate(rules, tier, positions, values);
    }

    fn view_of_plays(&self) -> View {
        View::CHANGES
    }

    fn best_plays(&self, tier: Tier, decisions: &Decisions) -> Vec<BestPlay> {
        self.net.best_plays(tier, decisions)
    }
}
