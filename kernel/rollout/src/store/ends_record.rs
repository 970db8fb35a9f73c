//! How the games of a candidate ended, by name, as a saved rollout has them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tavli_backgammon::Outcome;

use crate::game_value::{ENDS, UNFINISHED};

/// The name of games that were cut off.
const CUT_OFF: &str = "unfinished";

/// Games by the name of their [`Outcome`], or `unfinished`, and then by stratum. A name that is missing counts no
/// games, so a record that was written before there was such an outcome is read like any other.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct EndsRecord(BTreeMap<String, Vec<u64>>);

impl EndsRecord {
    /// The counts by stratum. Names that no game has are left out.
    pub(crate) fn new(ends: &[[u64; ENDS]]) -> EndsRecord {
        let of_end = |end: usize| -> Vec<u64> { ends.iter().map(|ends| ends[end]).collect() };
        let counts = (0..ENDS).map(|end| (name(end).to_owned(), of_end(end)));
        EndsRecord(counts.filter(|(_, counts)| counts.iter().any(|&count| count > 0)).collect())
    }

    /// The counts by stratum.
    ///
    /// # Errors
    /// The reason.
    pub(crate) fn by_stratum(&self, strata: usize) -> Result<Vec<[u64; ENDS]>, String> {
        let mut ends = vec![[0; ENDS]; strata];
        for (name, counts) in &self.0 {
            let end = end_of(name)
                .ok_or_else(|| format!("this program does not know the outcome '{name}': use a newer one"))?;
            if counts.len() != strata {
                return Err(format!("'{name}' has {} counts, not one for each of {strata} strata", counts.len()));
            }
            for (ends, &count) in ends.iter_mut().zip(counts) {
                ends[end] = count;
            }
        }
        Ok(ends)
    }
}

fn name(end: usize) -> &'static str {
    Outcome::ALL.get(end).map_or(CUT_OFF, |outcome| outcome.name())
}

fn end_of(name: &str) -> Option<usize> {
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
        for end in 0..ENDS {
            let mut ends = [[0; ENDS]; 3];
            (ends[0][end], ends[2][end]) = (7, 5);
            let record = EndsRecord::new(&ends);
            assert_eq!(record.0.len(), 1);
            assert_eq!(record.by_stratum(3), Ok(ends.to_vec()));
        }
    }

    #[test]
    fn an_outcome_that_a_record_does_not_name_counts_no_games() {
        // A record from a version that counted no backgammons.
        let old = r#"{"lose_gammon":[1],"lose_single":[2],"win_gammon":[3],"win_single":[4]}"#;
        let record: EndsRecord = serde_json::from_str(old).expect("a record");
        let ends = record.by_stratum(1).expect("known names");
        assert_eq!(ends[0].iter().sum::<u64>(), 10);
        assert_eq!(ends[0][Outcome::WinBackgammon as usize], 0);
        assert_eq!(serde_json::to_string(&EndsRecord::new(&ends)).expect("text"), old);
    }

    #[test]
    fn an_outcome_of_a_newer_program_is_named() {
        let newer: EndsRecord = serde_json::from_str(r#"{"tie":[1]}"#).expect("a record");
        let error = newer.by_stratum(1).expect_err("no tie");
        assert!(error.contains("'tie'"), "{error}");
    }
}
