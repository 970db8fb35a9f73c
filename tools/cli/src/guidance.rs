//! Options by which an evaluator guides the trees of a search.

use clap::Args;
use tavli::search::{Guiding, Judge};

/// The progressive strategies.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Guidance {
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
        .map_err(|_| "a bias is a number from 0 to 1000, such as 1; --evaluator names the evaluator".to_owned())
}

impl Guidance {
    /// The first of these options that is given.
    pub(crate) fn option(&self) -> Option<&'static str> {
        let bias = self.bias.map(|_| "--bias");
        bias.or(self.unprune.then_some("--unprune"))
    }

    /// What these options ask of a judge.
    pub(crate) fn by(&self, judge: Judge) -> Guiding {
        Guiding {
            judge,
            bias: self.bias.unwrap_or(0.0),
            unprunes: self.unprune,
        }
    }
}
