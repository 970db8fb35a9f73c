//! How the games of a candidate ended, by name, as a saved rollout has them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tavli_backgammon::Outcome;

use crate::game_value::{RESULTS, UNFINISHED};

/// The name of games that were cut off.
const CUT_OFF: &str = "unfinished";

/// Games by the name of their [`Outcome`], or `unfinished`, and then by stratum. A name that is missing counts no
/// games, so a record that was written before there was such an outcome is read like any other.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct EndsRecord(BTreeMap<String, Vec<u64>>);

impl EndsRecord {
    /// The counts by stratum. Names that no game has are left out.
    pub(crate) fn new(results: &[[u64; RESULTS]]) -> EndsRecord {
        let points_of_result = |result: usize| -> Vec<u64> { results.iter().map(|results| results[result]).collect() };
        let counts = (0..RESULTS).map(|result| (name(result).to_owned(), points_of_result(result)));
        EndsRecord(counts.filter(|(_, counts)| counts.iter().any(|&count| count > 0)).collect())
    }

    /// The counts by stratum.
    ///
    /// # Errors
    /// The reason.
    pub(crate) fn by_stratum(&self, strata: usize) -> Result<Vec<[u64; RESULTS]>, String> {
        let mut results = vec![[0; RESULTS]; strata];
        for (name, counts) in &self.0 {
            let result = result_of(name)
                .ok_or_else(|| format!("this program does not know the outcome '{name}': use a newer one"))?;
            if counts.len() != strata {
                return Err(format!("'{name}' has {} counts, not one for each of {strata} strata", counts.len()));
            }
            for (results, &count) in results.iter_mut().zip(counts) {
                results[result] = count;
            }
        }
        Ok(results)
    }
}

fn name(result: usize) -> &'static str {
    Outcome::ALL.get(result).map_or(CUT_OFF, |outcome| outcome.name())
}

fn result_of(name: &str) -> Option<usize> {
    if name == CUT_OFF {
        return Some(UNFINISHED);
    }
    Outcome::from_name(name).map(|outcome| outcome as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_comes_back_by_its_name() {
        for result in 0..RESULTS {
            let mut results = [[0; RESULTS]; 3];
            (results[0][result], results[2][result]) = (7, 5);
            let record = EndsRecord::new(&results);
            assert_eq!(record.0.len(), 1);
            assert_eq!(record.by_stratum(3), Ok(results.to_vec()));
        }
    }

    #[test]
    fn an_outcome_that_a_record_does_not_name_counts_no_games() {
        // A record from a version that counted no backgammons.
        let old = r#"{"lose_gammon":[1],"lose_single":[2],"win_gammon":[3],"win_single":[4]}"#;
        let record: EndsRecord = serde_json::from_str(old).expect("a record");
        let results = record.by_stratum(1).expect("known names");
        assert_eq!(results[0].iter().sum::<u64>(), 10);
        assert_eq!(results[0][Outcome::WinBackgammon as usize], 0);
        assert_eq!(serde_json::to_string(&EndsRecord::new(&results)).expect("text"), old);
    }

    #[test]
    fn an_outcome_of_a_newer_program_is_named() {
        let newer: EndsRecord = serde_json::from_str(r#"{"tie":[1]}"#).expect("a record");
        let error = newer.by_stratum(1).expect_err("no tie");
        assert!(error.contains("'tie'"), "{error}");
    }
}
