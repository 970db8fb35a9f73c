//! How well a player plays against fixed opponents.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};
use tavli_backgammon::policies::{Players, Policy, Pubeval, Uniform};
use tavli_backgammon::{Estimate, Playouts, Tally, Tier};
use tavli_run::{Cancel, Workers};

/// Games that a worker plays at a time.
const PART: u64 = 64;

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
    /// Mean points of a game without cube. In backgammon the standard error is as if the dice of all games were drawn
    /// anew; in Plakoto and Fevga it is that of the means of pairs.
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
        let players = Players::new(Arc::clone(policy), opponent.policy());
        let next = AtomicU64::new(0);
        let cancel = cancel.clone();
        let tallies = workers.each(move |_| {
            let sides = [players.clone(), players.swapped()];
            let mut tallies = [Tally::default(); 2];
            loop {
                let first = next.fetch_add(PART, Ordering::Relaxed);
                if first >= pairs {
                    return Some(tallies);
                }
                let games = first..pairs.min(first + PART);
                for (tally, players) in tallies.iter_mut().zip(&sides) {
                    let stop = || cancel.is_cancelled();
                    let results = players.run(&playouts, tier, games.clone(), &stop).ok()?;
                    tally.merge(&results.tally);
                }
            }
        });
        let mut sum = [Tally::default(); 2];
        for tallies in tallies {
            for (sum, tally) in sum.iter_mut().zip(&tallies?) {
                sum.merge(tally);
            }
        }
        let [first, second] = sum.map(|tally| tally.equity());
        let variance = first.standard_error.powi(2) + second.standard_error.powi(2);
        Some(Strength {
            opponent,
            games: 2 * pairs,
            points: Estimate {
                mean: (first.mean - second.mean) / 2.0,
                standard_error: variance.sqrt() / 2.0,
            },
        })
    }
}
