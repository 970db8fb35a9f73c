//! What `tavli rollout` is to do: its arguments, read once.

use std::num::NonZeroU64;
use std::path::PathBuf;

use tavli::rollout::{EndRulesRequest, OptionValue, Options};

use super::arguments::RolloutArguments;
use super::save_options::SaveOptions;
use crate::arguments::WorkerOptions;
use crate::layout::Layout;

/// A rollout, or a table of rollouts, that is to be played and written.
#[derive(Debug)]
pub struct Task<Request> {
    /// What is asked, as the game reads it.
    pub(super) request: Request,
    pub(super) machine: WorkerOptions,
    pub(super) save: SaveOptions,
    pub(super) layout: Layout,
    /// The file whose lines a table answers.
    pub(super) positions: Option<PathBuf>,
    /// Whether a rule on time may end a rollout before it has a result.
    pub(super) has_time_limit: bool,
}

impl<Request> Task<Request> {
    pub(super) fn new(arguments: &RolloutArguments, request: Request) -> Task<Request> {
        let RolloutArguments { machine, save, format, style, positions, seconds, .. } = arguments;
        Task {
            request,
            machine: machine.clone(),
            save: save.clone(),
            layout: Layout::new(*format, *style),
            positions: positions.clone(),
            has_time_limit: seconds.is_some(),
        }
    }
}

/// The options that are read alike in every game, each as it is named or left out.
pub(super) fn options(arguments: &RolloutArguments) -> Options {
    let named = arguments.evaluator.clone().unwrap_or_default();
    let (truncation, evaluator, luck) = match arguments.plies {
        Some(plies) => (OptionValue::Set(plies), OptionValue::Off, named.set()),
        None => (arguments.truncate.unwrap_or_default(), named, None),
    };
    let plays = arguments.plays.iter().map(|play| play.as_str().into());
    Options {
        plays: (!arguments.plays.is_empty()).then(|| plays.collect()),
        filter: arguments.filter.unwrap_or_default(),
        seed: arguments.seed,
        first_roll: arguments.first_roll,
        truncation,
        allocation: arguments.allocate,
        within: arguments.within,
        end_rules: EndRulesRequest {
            trials: arguments.trials.map(NonZeroU64::get),
            standard_error: arguments.stop_se,
            jsd: arguments.stop_jsd,
            seconds: arguments.seconds.map(|time| time.as_secs_f64()),
        },
        shard: arguments.shard,
        known_values: arguments.policies.known_values(),
        evaluator,
        variance_reduction: arguments.variance_reduction,
        luck: luck.filter(|_| arguments.variance_reduction),
        ..Options::default()
    }
}
