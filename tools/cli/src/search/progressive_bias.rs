//! The options of progressive bias and unpruning.

use clap::Args;
use tavli::search::{NamedHeuristic, ProgressiveBias};

use crate::arguments;

/// The progressive strategies, for which `--evaluator` names the heuristic.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ProgressiveBiasOptions {
    /// With uct: progressive bias, by which plays that --evaluator values highly are tried first; B is 0 to 1000
    ///
    /// It adds B E / (visits + 1) to the bound of a play, where E is the play's equity by --evaluator.
    #[arg(long, value_name = "B", allow_negative_numbers = true, value_parser = bias)]
    bias: Option<f64>,
    /// With uct: progressive unpruning: select only from the best plays by --evaluator, 5 at first, more with more
    /// visits
    #[arg(long)]
    unprune: bool,
}

/// Reads a factor of progressive bias; the search refuses those out of its range.
fn bias(text: &str) -> Result<f64, String> {
    let bias = arguments::number(text);
    bias.ok_or_else(|| "a bias is a number from 0 to 1000, such as 1; --evaluator names the evaluator".to_owned())
}

impl ProgressiveBiasOptions {
    /// The name of the first of these options that is given.
    pub(crate) fn option(&self) -> Option<&'static str> {
        let bias = self.bias.map(|_| "--bias");
        bias.or(self.unprune.then_some("--unprune"))
    }

    /// The request of the options, with a heuristic.
    pub(crate) fn request(&self, heuristic: NamedHeuristic) -> ProgressiveBias<NamedHeuristic> {
        ProgressiveBias { heuristic, bias: self.bias.unwrap_or(0.0), unprunes: self.unprune }
    }
}
