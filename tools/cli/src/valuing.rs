//! `--player` and how far it looks ahead: who values positions.

use std::num::NonZeroU32;
use std::sync::Arc;

use clap::Args;
use tavli::evaluation::Evaluation;
use tavli::evaluators::{Evaluator, KnownValues};
use tavli::named::{self, Defaults, Named};
use tavli::{Kept, RuleSet, with_ends};

/// Who values positions.
#[derive(Args, Clone, Debug)]
pub(crate) struct Valuing {
    #[arg(long, value_name = "NAME|FILE", value_parser = named::evaluator)]
    #[arg(help = format!(
        "A player that values positions: {}, or the file of a player [default: strong; sampled in mcgammon, whose goal \
         no net has learned]",
        named::list_of_evaluators()
    ))]
    player: Option<Arc<dyn Evaluator>>,
    /// Look P plies ahead, 0 to 4: the value of a position is the mean over the 21 rolls of that after the best play
    #[arg(long, value_name = "P", default_value_t = 0, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=4))]
    plies: u32,
    /// Look ahead from the best N plays of each roll only, as the player ranks them without looking ahead
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = plays)]
    #[arg(requires = "plies")]
    keep: Option<NonZeroU32>,
    /// Another player that ranks the plays for --keep
    #[arg(long, value_name = "NAME|FILE", requires = "keep", value_parser = named::evaluator)]
    keep_by: Option<Arc<dyn Evaluator>>,
    /// Value the positions of a bear-off table by it: exactly by a two-sided one, 6x6 for 6 points and 6 checkers of each
    /// side or another size; as if both sides hurried by a one-sided one of 15 checkers, 6 for 6 points or up to 12; or by
    /// a file of GNU Backgammon
    #[arg(long, value_name = "SIZE|FILE", value_parser = named::ends)]
    bearoff: Option<Arc<dyn KnownValues>>,
}

/// The evaluator, or the default one under some rules.
pub(crate) fn or_default(evaluator: Option<&Arc<dyn Evaluator>>, rules: RuleSet) -> Arc<dyn Evaluator> {
    let default = || named::evaluator(Defaults::under(rules).values).expect("it is built in");
    evaluator.map_or_else(default, Arc::clone)
}

/// Reads a number of plays.
fn plays(text: &str) -> Result<NonZeroU32, String> {
    text.parse()
        .map_err(|_| format!("plays are a whole number 1 to {}", u32::MAX))
}

impl Valuing {
    /// The evaluation under some rules.
    pub(crate) fn evaluation(&self, rules: RuleSet) -> Evaluation {
        let mut evaluator = or_default(self.player.as_ref(), rules);
        if let Some(ends) = &self.bearoff {
            let player = with_ends(Named::of_evaluator(evaluator), Arc::clone(ends));
            evaluator = player.evaluator.expect("who values positions still does");
        }
        let by = self.keep_by.as_ref().unwrap_or(&evaluator);
        let kept = self.keep.map(|plays| Kept {
            plays,
            by: Arc::clone(by),
        });
        Evaluation::new(evaluator, rules).ahead(self.plies, kept)
    }
}
