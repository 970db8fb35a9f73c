//! The time of playouts by stage of the batch, as records and profiles keep it.

use serde::{Deserialize, Serialize};
use tavli::playout::{BatchStage, BatchTimes};

/// The time of a stage in one of the two pools of a batch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageTime {
    /// `early`: plies whose roll can bear nothing off; `late`: the others.
    pub pool: String,
    /// The name of the [stage](BatchStage).
    pub stage: String,
    /// Plies of the pool.
    pub plies: u64,
    /// Wall-clock time, without that of reading the clock.
    pub seconds: f64,
}

impl StageTime {
    /// The time for each ply of the pool, in seconds.
    #[must_use]
    pub fn per_ply(&self) -> f64 {
        self.seconds / self.plies as f64
    }
}

/// The stages of both pools. A pool without plies is left out, and so is bringing home where no game came so far that
/// two dice bear off: under the rules that know no bearing off.
#[must_use]
pub fn stages(times: &BatchTimes) -> Vec<StageTime> {
    let bears_off = times.late.plies > 0;
    [("early", &times.early), ("late", &times.late)]
        .into_iter()
        .filter(|(_, times)| times.plies > 0)
        .flat_map(|(pool, times)| {
            BatchStage::ALL
                .into_iter()
                .filter(move |&stage| bears_off || stage != BatchStage::BringHome)
                .map(move |stage| StageTime {
                    pool: pool.to_owned(),
                    stage: stage.name().to_owned(),
                    plies: times.plies as u64,
                    seconds: times.of(stage).as_secs_f64(),
                })
        })
        .collect()
}

/// The least times of runs of the same games, stage by stage: what nothing disturbed.
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
    use tavli::{Board, Playouts, RuleSet, Tier};

    #[test]
    fn stages_of_runs_are_added() {
        for rules in RuleSet::ALL {
            let playouts = Playouts::new(Board::START, rules, 1).unwrap();
            let Some((results, times)) = playouts.run_timed(Tier::best(), 0..2000) else {
                eprintln!("skipped: this CPU has the portable tier alone, which has no stages");
                return;
            };
            let once = stages(&times);
            let all = BatchStage::ALL.len();
            let number = match rules {
                RuleSet::Backgammon => 2 * all,
                RuleSet::McGammon => all - 1,
            };
            assert_eq!(once.len(), number);
            let names: Vec<(&str, &str)> = once
                .iter()
                .map(|one| (one.pool.as_str(), one.stage.as_str()))
                .collect();
            assert!(names.contains(&("early", "choose")), "{names:?}");
            assert_eq!(
                names.contains(&("late", "bring-home")),
                rules == RuleSet::Backgammon
            );
            let plies = |stages: &[StageTime]| -> u64 {
                let makes = stages.iter().filter(|one| one.stage == "make");
                makes.map(|one| one.plies).sum()
            };
            assert_eq!(u128::from(plies(&once)), results.tally.plies);
            let mut twice = once.clone();
            add(&mut twice, once.clone());
            assert_eq!(plies(&twice), 2 * plies(&once));
            assert!((twice[0].per_ply() - once[0].per_ply()).abs() < 1e-12);
            let mut slow = once.clone();
            slow[0].seconds += 1.0;
            assert_eq!(least(&[slow, once.clone()]), once);
        }
    }
}
