//! The options of progressive bias and unpruning.

use clap::Args;
use tavli::search::{NamedHeuristic, ProgressiveBiasRequest};

/// The progressive strategies, for which `--evaluator` names the heuristic.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ProgressiveBiasOptions {
    /// With uct: add B times the equity of a play by --evaluator, over its visits + 1, to its bound (progressive bias); 0
    /// to 1000
    #[arg(long, value_name = "B", allow_negative_numbers = true, value_parser = bias)]
    bias: Option<f64>,
    /// With uct: only the best plays by --evaluator take part, 5 at first and more with more visits (progressive unpruning)
    #[arg(long)]
    unprune: bool,
}

/// Reads a factor of progressive bias; the search refuses those out of its range.
fn bias(text: &str) -> Result<f64, String> {
    text.parse()
        .map_err(|_| "a bias is a number from 0 to 1000, such as 1; --evaluator names who values plays".to_owned())
}

impl ProgressiveBiasOptions {
    /// The first of these options that is given.
    pub(crate) fn option(&self) -> Option<&'static str> {
        let bias = self.bias.map(|_| "--bias");
        bias.or(self.unprune.then_some("--unprune"))
    }

    /// The request of these options, with a heuristic.
    pub(crate) fn request(&self, heuristic: NamedHeuristic) -> ProgressiveBiasRequest {
        ProgressiveBiasRequest {
            heuristic,
            bias: self.bias.unwrap_or(0.0),
            unprunes: self.unprune,
        }
    }
}
