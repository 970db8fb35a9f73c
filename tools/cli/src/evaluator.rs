//! `--player` and how far it looks ahead: the evaluator of positions.

use std::num::NonZeroU32;
use std::sync::Arc;

use clap::Args;
use tavli::evaluation::Evaluation;
use tavli::evaluators::{Evaluator, KnownValues};
use tavli::named::{self, Defaults, NamedPlayer};
use tavli::{MoveFilters, RuleSet, with_known_values};

/// The options that name the evaluator of positions.
#[derive(Args, Clone, Debug)]
pub(crate) struct EvaluatorOptions {
    #[arg(long, value_name = "NAME|FILE", value_parser = named::evaluator)]
    #[arg(help = format!(
        "A player that values positions: {}, or the file of a player [default: strong, with --bearoff 6x6; sampled in \
         mcgammon, whose goal no net has learned]",
        named::list_of_evaluators()
    ))]
    player: Option<Arc<dyn Evaluator>>,
    /// Look N plies ahead, 0 to 4: the value of a position is the mean, over the 21 rolls, of its value after the play
    /// that the player would make
    #[arg(
        long,
        alias = "plies",
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(named::MOST_PLIES)))]
    look_ahead: u32,
    /// Look ahead from the best N plays of the roll, ranked by the player without looking ahead [default: 8 within 0.16
    /// points; before further plies 3 within 0.04]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = plays)]
    #[arg(requires = "look_ahead")]
    keep: Option<NonZeroU32>,
    /// The player that ranks the plays for --keep [default: that of --player]
    #[arg(long, value_name = "NAME|FILE", requires = "keep", value_parser = named::evaluator)]
    keep_by: Option<Arc<dyn Evaluator>>,
    /// Value the positions of a bear-off table by it
    ///
    /// A two-sided table is exact: 6x6, for 6 points and 6 checkers a side, or another size. A one-sided table of 15
    /// checkers assumes that both sides minimise rolls: 6, for 6 points, or up to 12. A file of GNU Backgammon is
    /// either. [default: 6x6 unless --player is given]
    #[arg(long, value_name = "SIZE|FILE", value_parser = named::known_values)]
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

impl EvaluatorOptions {
    /// The evaluation under some rules.
    pub(crate) fn evaluation(&self, rules: RuleSet) -> Evaluation {
        let evaluator = match &self.bearoff {
            None => or_default(self.player.as_ref(), rules),
            Some(known) => {
                // A table that is named takes the place of the default one.
                let player = || named::evaluator(Defaults::under(rules).plays).expect("it is built in");
                let player = NamedPlayer::from_evaluator(self.player.clone().unwrap_or_else(player));
                let with_table = with_known_values(player, Arc::clone(known));
                with_table.evaluator.expect("a table leaves a player its values")
            }
        };
        let filters = match self.keep {
            Some(plays) => MoveFilters::keeping(plays, self.keep_by.clone()),
            None => MoveFilters::default(),
        };
        Evaluation::new(evaluator, rules).ahead(self.look_ahead, filters)
    }
}
