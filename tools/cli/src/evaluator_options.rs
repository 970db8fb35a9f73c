//! `--evaluator`, which values positions, and how far it looks ahead.

use std::num::NonZeroU32;
use std::sync::Arc;

use clap::Args;
use tavli::evaluation::Evaluation;
use tavli::evaluators::{Evaluator, KnownValues};
use tavli::named::{self, Defaults, NamedError, NamedPlayer};
use tavli::{MoveFilters, NO_STOP, RuleSet, with_known_values};
use tavli_terminal::failure::Failure;
use tavli_terminal::numbers::whole_in;

use crate::arguments::{BACKGAMMON_HEADING, EVALUATOR_MEANS, invalid, player_lines};
use crate::game_arguments::list_of_nets;

/// The options that name the evaluator of positions.
#[derive(Args, Clone, Debug)]
pub(crate) struct EvaluatorOptions {
    #[arg(long, alias = "player", value_name = "NAME|FILE")]
    #[arg(help = "Evaluator of positions: td80, fast, strong, sampled or the file of a player [default: strong]")]
    #[arg(long_help = format!(
        "{EVALUATOR_MEANS}. In backgammon it is one of:\n\n{},\n  or the file of a player\n\n\
         Other games have evaluators of their own, built-in nets ({}) and files of nets that tavli train wrote. A net \
         may be followed by +bearoff:SIZE, and by +1ply or +2ply.\n\n\
         Default:\n  \
         in backgammon: strong, with --bearoff 6 and 6x6; sampled in mcgammon, whose goal no net has learned\n  \
         in plakoto and fevga: strong+bearoff:6+bearoff:6x6\n  \
         in other games: the first evaluator of the game",
        player_lines(&named::list_of_evaluators()),
        list_of_nets()
    ))]
    pub(crate) evaluator: Option<String>,
    /// Look N plies ahead, 0 to 4
    ///
    /// A ply is the mean over the 21 rolls, weighted by how likely they are, each with the play that the evaluator
    /// picks.
    #[arg(
        long,
        alias = "plies",
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true,
        help_heading = BACKGAMMON_HEADING
    )]
    #[arg(value_parser = whole_in::<u32>(0..=named::MAX_PLIES.into()))]
    look_ahead: u32,
    /// Look ahead only from the N best plays of the roll, ranked by the evaluator without looking ahead
    ///
    /// Every ply then looks ahead from these N plays. Without --keep, each further ply keeps fewer:
    ///
    /// * before the first ply: the 8 best, within 0.16 points of the best
    ///
    /// * before the second and the third ply: the 3 best, within 0.04 points
    ///
    /// * before the fourth ply: the 2 best, within 0.03 points
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = plays)]
    #[arg(requires = "look_ahead", help_heading = BACKGAMMON_HEADING)]
    keep: Option<NonZeroU32>,
    /// Evaluator that ranks the plays for --keep; plays that are not kept have the evaluator's values without
    /// look-ahead [default: the evaluator itself]
    #[arg(long, value_name = "NAME|FILE", requires = "keep", value_parser = named_evaluator)]
    #[arg(help_heading = BACKGAMMON_HEADING)]
    keep_by: Option<Arc<dyn Evaluator>>,
    /// Take the values of positions in a bear-off table from the table [default: 6 and 6x6; no table with --evaluator]
    #[arg(long_help = "Take the values of positions in a bear-off table from the table\n\n  \
        6x6: a two-sided table, of 6 points and 6 checkers a side, or another size; its values are exact\n  \
        6: a one-sided table, of 6 points (or 1 to 12) and 15 checkers; it assumes that both sides minimise rolls\n  \
        FILE: a table of either kind in the form of GNU Backgammon\n\n\
        [default: 6 and 6x6; no table with --evaluator]")]
    #[arg(long, value_name = "SIZE|FILE", value_parser = bear_off_table, help_heading = BACKGAMMON_HEADING)]
    bearoff: Option<Arc<dyn KnownValues>>,
}

/// The evaluator, or the default one under some rules.
pub(crate) fn or_default(evaluator: Option<&Arc<dyn Evaluator>>, rules: RuleSet) -> Arc<dyn Evaluator> {
    let default = || named_evaluator(Defaults::for_rules(rules).evaluator).expect("it is built in");
    evaluator.map_or_else(default, Arc::clone)
}

/// The evaluator of a name or a file.
pub(crate) fn named_evaluator(text: &str) -> Result<Arc<dyn Evaluator>, NamedError> {
    // Its tables are solved before signals are handled, so a signal ends the process.
    named::evaluator(text, NO_STOP)
}

/// The bear-off table of a size or a file.
pub(crate) fn bear_off_table(text: &str) -> Result<Arc<dyn KnownValues>, NamedError> {
    // A table is solved before signals are handled, too.
    named::known_values(text, NO_STOP)
}

/// The evaluator that an option names, if it is given.
pub(crate) fn evaluator_of_option(option: &str, name: Option<&str>) -> Result<Option<Arc<dyn Evaluator>>, Failure> {
    let evaluator = name.map(|name| named_evaluator(name).map_err(|error| invalid(option, name, error)));
    evaluator.transpose()
}

/// Reads a number of plays.
fn plays(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| format!("plays are a whole number 1 to {}", u32::MAX))
}

impl EvaluatorOptions {
    /// Whether only the best plays are looked ahead from.
    pub(crate) fn keeps_plays(&self) -> bool {
        self.keep.is_some()
    }

    /// The evaluation under rules of backgammon.
    pub(crate) fn evaluation(&self, rules: RuleSet) -> Result<Evaluation, Failure> {
        let named = evaluator_of_option("--evaluator <NAME|FILE>", self.evaluator.as_deref())?;
        let evaluator = match &self.bearoff {
            None => or_default(named.as_ref(), rules),
            Some(known) => {
                // A named table takes the place of the default one.
                let default = || named_evaluator(Defaults::for_rules(rules).player).expect("it is built in");
                let player = NamedPlayer::from_evaluator(named.unwrap_or_else(default));
                let with_table = with_known_values(player, Arc::clone(known));
                with_table.evaluator.expect("a table leaves a player its values")
            }
        };
        if self.keep.is_some() && self.look_ahead == 0 {
            return Err(Failure::usage(
                "--keep limits the plays that --look-ahead looks on from, and --look-ahead 0 looks on from none: \
                 leave one out",
            ));
        }
        let filters = match self.keep {
            Some(plays) => MoveFilters::keeping(plays, self.keep_by.clone()),
            None => MoveFilters::default(),
        };
        let evaluation = Evaluation::new(evaluator, rules).with_look_ahead(self.look_ahead, filters);
        evaluation.map_err(|error| invalid("--look-ahead <N>", &self.look_ahead.to_string(), error))
    }
}
