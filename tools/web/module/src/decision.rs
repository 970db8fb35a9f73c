//! How the trials of a rollout go on, and what they say.

use core::ops::Range;

use serde::Serialize;
use tavli::rollout::{Decision, EndReason, Statistic};

use crate::numbers::number;

/// The next trials of a rollout.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NextJson {
    /// The first of the next trials.
    first: u64,
    /// The trial after the last; equal to `first` if there are none.
    end: u64,
    /// Why the rollout is at its end.
    ended_by: Option<&'static str>,
}

impl From<Result<Range<u64>, EndReason>> for NextJson {
    fn from(next: Result<Range<u64>, EndReason>) -> NextJson {
        match next {
            Ok(Range { start, end }) => NextJson { first: start, end, ended_by: None },
            Err(reason) => NextJson { first: 0, end: 0, ended_by: Some(reason.name()) },
        }
    }
}

/// Which play to make, and how sure that is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionJson {
    play: Option<String>,
    verdict: &'static str,
    sure: f64,
    within: f64,
    /// Absent before it is known.
    at_most_better: Option<f64>,
    equal_plays: Vec<Option<String>>,
    left_out: usize,
    equivalent_games: Option<f64>,
}

/// A mean over the trials; absent if there are too few.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatisticJson {
    mean: Option<f64>,
    raw_mean: Option<f64>,
    standard_deviation: Option<f64>,
    standard_error: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl From<Statistic> for StatisticJson {
    fn from(statistic: Statistic) -> StatisticJson {
        StatisticJson {
            mean: number(statistic.mean),
            raw_mean: number(statistic.raw_mean),
            standard_deviation: number(statistic.standard_deviation),
            standard_error: number(statistic.standard_error),
            low: number(statistic.low),
            high: number(statistic.high),
        }
    }
}

impl DecisionJson {
    /// A decision between candidates, whose plays are in `moves`.
    pub fn new(decision: &Decision, moves: impl Fn(usize) -> Option<String>) -> DecisionJson {
        DecisionJson {
            play: moves(decision.candidate),
            verdict: decision.verdict.name(),
            sure: decision.sure,
            within: decision.within,
            at_most_better: number(decision.at_most_better),
            equal_plays: decision.rivals.iter().map(|&rival| moves(rival)).collect(),
            left_out: decision.left_out,
            equivalent_games: decision.equivalent_games,
        }
    }
}
