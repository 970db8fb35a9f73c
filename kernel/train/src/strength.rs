//! How well a player plays against fixed opponents.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};
use tavli_backgammon::policies::{Observer, Policy, PolicyPair, Pubeval, Uniform};
use tavli_backgammon::{Estimate, GameEnd, Playouts, Tier};
use tavli_game::PairScore;
use tavli_run::{Cancel, Workers};

use crate::parallel_parts::{each_part, ranges};

/// Pairs of games that a worker plays at a time.
const PAIRS_AT_A_TIME: u64 = 64;

/// A fixed opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Opponent {
    /// Plays at random.
    Uniform,
    /// Tesauro's [`Pubeval`].
    Pubeval,
    /// The highest rating of Tavli3D 0.3, in Plakoto and Fevga.
    Tavli3d,
}

impl Opponent {
    /// Every opponent, in the order of reports.
    pub const ALL: &[Opponent] = &[Opponent::Uniform, Opponent::Pubeval, Opponent::Tavli3d];

    /// The opponents of backgammon's nets.
    pub(crate) const OF_BACKGAMMON: &[Opponent] = &[Opponent::Uniform, Opponent::Pubeval];

    /// The name in tables and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Opponent::Uniform => Uniform::NAME,
            Opponent::Pubeval => Pubeval::NAME,
            Opponent::Tavli3d => "tavli3d",
        }
    }

    /// The policy of an opponent of backgammon's nets.
    fn policy(self) -> Arc<dyn Policy> {
        debug_assert!(Opponent::OF_BACKGAMMON.contains(&self), "an opponent in backgammon");
        match self {
            Opponent::Pubeval => Arc::new(Pubeval),
            _ => Arc::new(Uniform),
        }
    }
}

/// Points per game against an opponent.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Strength {
    /// The opponent.
    pub opponent: Opponent,
    /// Games, half of them with the opponent on roll first, on the same dice.
    pub games: u64,
    /// Mean points of a game without cube, with the standard error of the means of pairs.
    #[serde(flatten, with = "SavedEstimate")]
    pub points: Estimate,
}

/// The form of an estimate in saved trainings.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Estimate")]
struct SavedEstimate {
    mean: f64,
    /// `null` after a single pair of games, which has no standard error.
    #[serde(deserialize_with = "or_nan")]
    standard_error: f64,
}

/// The points of a game for the player who was on roll first.
fn points(record: GameEnd) -> i64 {
    let outcome = record.outcome.expect("games are played to their end");
    outcome.points().into()
}

fn or_nan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

impl Strength {
    /// Plays pairs of games on the same dice, with the sides exchanged; `None` if it is cancelled before the end.
    pub(crate) fn measure(
        workers: &Workers,
        tier: Tier,
        playouts: &Playouts,
        policy: &Arc<dyn Policy>,
        opponent: Opponent,
        pairs: u64,
        cancel: &Cancel,
    ) -> Option<Strength> {
        let playouts = *playouts;
        let players = PolicyPair::new(Arc::clone(policy), opponent.policy());
        let sides = [players.clone(), players.swapped()];
        let stopped = cancel.clone();
        let points_of_pairs = each_part((workers, cancel), ranges(0..pairs, PAIRS_AT_A_TIME), move |pairs| {
            let stop = || stopped.is_cancelled();
            let mut records = [Vec::new(), Vec::new()];
            for (players, records) in sides.iter().zip(&mut records) {
                let recording = Observer::collecting(records);
                players.run_observed(&playouts, tier, pairs.clone(), recording, &stop).ok()?;
            }
            let [own, of_opponent] = records.map(|records| records.into_iter().map(points));
            // Records count for the player on roll first; in the second game that is the opponent.
            Some(own.zip(of_opponent).map(|(own, other)| own - other).collect::<Vec<_>>())
        });
        Some(Strength::from_pairs(opponent, points_of_pairs?.into_iter().flatten()))
    }

    /// The strength from the points of both games of each pair.
    pub(crate) fn from_pairs(opponent: Opponent, points_of_pairs: impl Iterator<Item = i64>) -> Strength {
        let mut score = PairScore::default();
        points_of_pairs.for_each(|points| score.add(points));
        Strength { opponent, games: score.games(), points: score.per_game() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_backgammon::{FirstRoll, RuleSet};
    use tavli_run::{Cpus, Pinning, Placement};

    #[test]
    fn a_player_against_itself_has_no_luck_in_a_pair() {
        let placement = Placement::new(&Cpus::allowed(), Pinning::None, None).expect("CPUs");
        let workers = Workers::start(&placement).expect("threads");
        let rules = RuleSet::Backgammon;
        let playouts = Playouts::new(rules.start(), rules, 4).expect("the start");
        let playouts = playouts.with_first_roll(FirstRoll::Open);
        let policy: Arc<dyn Policy> = Arc::new(Pubeval);
        let opponent = Opponent::Pubeval;
        let strength = Strength::measure(&workers, Tier::best(), &playouts, &policy, opponent, 100, &Cancel::new());
        let Strength { games, points, .. } = strength.expect("nothing cancels it");
        assert_eq!((games, points.mean, points.standard_error), (200, 0.0, 0.0));
    }
}
