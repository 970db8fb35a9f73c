//! `--player` and how far it looks ahead: the evaluator of positions.

use std::num::NonZeroU32;
use std::sync::{Arc, OnceLock};

use clap::Args;
use tavli::evaluation::Evaluation;
use tavli::evaluators::{Evaluator, KnownValues, Probabilities};
use tavli::named::{self, Defaults, NamedPlayer};
use tavli::{MoveFilters, Planes, RuleSet, with_known_values};

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

/// A two-sided table of a home board that is solved when a position is first in it: most positions never are.
#[derive(Debug)]
struct OnDemand {
    size: &'static str,
    name: String,
    table: OnceLock<Arc<dyn KnownValues>>,
}

impl OnDemand {
    fn new(size: &'static str) -> OnDemand {
        OnDemand {
            size,
            name: format!("bearoff:{size}"),
            table: OnceLock::new(),
        }
    }
}

impl KnownValues for OnDemand {
    fn name(&self) -> &str {
        &self.name
    }

    fn value(&self, rules: RuleSet, position: &Planes) -> Option<Probabilities> {
        let is_home = |side: [u32; 4]| side.iter().all(|plane| plane >> 7 == 0);
        if !is_home(position.own()) || !is_home(position.opponent()) {
            return None;
        }
        let solve = || named::known_values(self.size).expect("it needs no file");
        self.table.get_or_init(solve).value(rules, position)
    }
}

/// Reads a number of plays.
fn plays(text: &str) -> Result<NonZeroU32, String> {
    text.parse()
        .map_err(|_| format!("plays are a whole number 1 to {}", u32::MAX))
}

impl EvaluatorOptions {
    /// The evaluation under some rules.
    pub(crate) fn evaluation(&self, rules: RuleSet) -> Evaluation {
        let mut evaluator = or_default(self.player.as_ref(), rules);
        let usual = || {
            let table = Defaults::under(rules).known_values.filter(|_| self.player.is_none());
            table.map(|table| Arc::new(OnDemand::new(table)) as Arc<dyn KnownValues>)
        };
        if let Some(known) = self.bearoff.clone().or_else(usual) {
            let player = with_known_values(NamedPlayer::from_evaluator(evaluator), known);
            evaluator = player.evaluator.expect("a table leaves a player its values");
        }
        let filters = match self.keep {
            Some(plays) => MoveFilters::keeping(plays, self.keep_by.clone()),
            None => MoveFilters::default(),
        };
        Evaluation::new(evaluator, rules).ahead(self.look_ahead, filters)
    }
}
