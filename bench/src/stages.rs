//! The time of playouts by stage of the batch, as records and profiles keep it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tavli::policies::{PolicyStage, PolicyTimes};
use tavli::profile::{BatchStage, BatchTimes};

/// The time of a stage in one of the two pools of a batch, or in games of policies.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageTime {
    /// `early` for games in which two different dice have not yet been able to bear off, else `late`; or the policies.
    pub pool: String,
    /// The name of the [stage](BatchStage).
    pub stage: String,
    /// Plies of the pool.
    pub plies: u64,
    /// Wall-clock time, without the time of reading the clock.
    pub seconds: f64,
}

impl StageTime {
    fn new(pool: &str, stage: &str, plies: u64, time: Duration) -> StageTime {
        StageTime { pool: pool.to_owned(), stage: stage.to_owned(), plies, seconds: time.as_secs_f64() }
    }

    /// The time for each ply of the pool, in seconds.
    #[must_use]
    pub(crate) fn per_ply(&self) -> f64 {
        self.seconds / self.plies as f64
    }
}

/// The stages of both pools. A pool without plies is left out. So is the stage of bear-ins if no roll could bear off,
/// as under rules without bearing off.
#[must_use]
pub fn stages(times: &BatchTimes) -> Vec<StageTime> {
    let bears_off = times.late.plies > 0;
    [("early", &times.early), ("late", &times.late)]
        .into_iter()
        .filter(|(_, times)| times.plies > 0)
        .flat_map(|(pool, times)| {
            BatchStage::ALL
                .iter()
                .copied()
                .filter(move |&stage| bears_off || stage != BatchStage::BearIn)
                .map(move |stage| StageTime::new(pool, stage.name(), times.plies as u64, times.time_of(stage)))
        })
        .collect()
}

/// The stages of games of policies.
#[must_use]
pub(crate) fn policy_stages(policies: &str, plies: u64, times: &PolicyTimes) -> Vec<StageTime> {
    let of_stage = |&stage: &PolicyStage| StageTime::new(policies, stage.name(), plies, times.time_of(stage));
    PolicyStage::ALL.iter().map(of_stage).collect()
}

/// The least times of runs of the same games, stage by stage, which nothing interrupted.
pub(crate) fn least(runs: &[Vec<StageTime>]) -> Vec<StageTime> {
    let mut runs = runs.iter();
    let mut least = runs.next().cloned().unwrap_or_default();
    for run in runs {
        for (one, other) in least.iter_mut().zip(run) {
            one.seconds = one.seconds.min(other.seconds);
        }
    }
    least
}

/// Adds the stages of another run.
pub(crate) fn add(sum: &mut Vec<StageTime>, more: Vec<StageTime>) {
    for one in more {
        let same = |other: &&mut StageTime| (&other.pool, &other.stage) == (&one.pool, &one.stage);
        match sum.iter_mut().find(same) {
            Some(other) => {
                other.plies += one.plies;
                other.seconds += one.seconds;
            }
            None => sum.push(one),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tavli::profile::{self, PoolTimes};
    use tavli::{Playouts, RuleSet, Tier};
    use tavli_testing::notice::notice;

    /// Times of these numbers of plies.
    fn times(early: u128, late: u128) -> BatchTimes {
        let pool = |plies| {
            let mut pool = PoolTimes::default();
            pool.plies = plies;
            pool
        };
        BatchTimes { early: pool(early), late: pool(late), reading: Duration::ZERO }
    }

    fn plies(stages: &[StageTime]) -> u64 {
        let makes = stages.iter().filter(|one| one.stage == "make");
        makes.map(|one| one.plies).sum()
    }

    #[test]
    fn stages_are_those_of_the_pools_with_plies() {
        let names = |early, late| -> Vec<(String, String)> {
            let stages = stages(&times(early, late)).into_iter();
            stages.map(|one| (one.pool, one.stage)).collect()
        };
        let of = |pool: &str, stages: &[&str]| -> Vec<(String, String)> {
            let named = |stage: &&str| (pool.to_owned(), (*stage).to_owned());
            stages.iter().map(named).collect()
        };
        let all = ["fill", "choose", "doubles", "bear-in", "make", "leave"];
        assert_eq!(names(7, 5), [of("early", &all), of("late", &all)].concat());
        assert_eq!(names(0, 5), of("late", &all));
        let no_bearing_off = ["fill", "choose", "doubles", "make", "leave"];
        assert_eq!(names(7, 0), of("early", &no_bearing_off));
        assert_eq!(plies(&stages(&times(7, 5))), 12);
    }

    #[test]
    fn stages_of_runs_are_added() {
        let mut once = stages(&times(8, 4));
        for (number, one) in once.iter_mut().enumerate() {
            one.seconds = 1.0 + number as f64;
        }
        assert_eq!(once[1].per_ply(), 2.0 / 8.0);
        let mut twice = once.clone();
        add(&mut twice, once.clone());
        assert_eq!(plies(&twice), 2 * plies(&once));
        assert!(twice.iter().zip(&once).all(|(two, one)| two.per_ply() == one.per_ply()));
        // New stages are appended.
        let mut sum = stages(&times(0, 4));
        add(&mut sum, once.clone());
        assert_eq!((sum.len(), sum[6].pool.as_str()), (12, "early"));
        let mut slow = once.clone();
        slow[0].seconds += 1.0;
        assert_eq!(least(&[slow, once.clone()]), once);
        assert_eq!(least(&[]), []);
    }

    #[test]
    fn tiers_that_play_in_batches_have_stages() {
        for &tier in Tier::ALL {
            if !Tier::available().contains(&tier) {
                notice(&format!("SKIPPED: stages of tier {tier}: this CPU lacks it"));
                continue;
            }
            for &rules in RuleSet::ALL {
                let playouts = Playouts::new(rules.start(), rules, 1).unwrap();
                let timed = profile::run(&playouts, tier, 0..2000);
                assert_eq!(timed.is_some(), tier != Tier::Portable, "{tier}");
                let Some((results, times)) = timed else {
                    continue;
                };
                let stages = stages(&times);
                assert_eq!(u128::from(plies(&stages)), results.tally.plies);
                let has = |pool: &str, stage: &str| stages.iter().any(|one| (&*one.pool, &*one.stage) == (pool, stage));
                assert!(has("early", "choose"));
                assert_eq!(has("late", "bear-in"), rules.bears_off());
            }
        }
    }
}
