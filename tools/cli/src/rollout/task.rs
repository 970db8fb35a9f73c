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
    // Every option by name, so that the compiler demands a place for a new one.
    let RolloutArguments {
        plays,
        trials,
        stop_se,
        stop_jsd,
        seconds,
        allocate,
        within,
        filter,
        seed,
        first_roll,
        truncate,
        plies,
        evaluator,
        variance_reduction,
        policies,
        shard,
        // Each game reads these in its own way.
        position: _,
        roll: _,
        game: _,
        cube: _,
        extend: _,
        // Parts of the task.
        positions: _,
        machine: _,
        format: _,
        save: _,
        style: _,
    } = arguments;
    let named = evaluator.clone().unwrap_or_default();
    let (truncation, evaluator, luck) = match *plies {
        Some(plies) => (OptionValue::Set(plies), OptionValue::Off, named.set()),
        None => (truncate.unwrap_or_default(), named, None),
    };
    Options {
        plays: (!plays.is_empty()).then(|| plays.iter().map(|play| play.as_str().into()).collect()),
        filter: filter.unwrap_or_default(),
        seed: *seed,
        first_roll: *first_roll,
        truncation,
        allocation: *allocate,
        within: *within,
        end_rules: EndRulesRequest {
            trials: trials.map(NonZeroU64::get),
            standard_error: *stop_se,
            jsd: *stop_jsd,
            seconds: seconds.map(|time| time.as_secs_f64()),
        },
        shard: *shard,
        known_values: policies.known_values(),
        evaluator,
        variance_reduction: *variance_reduction,
        luck: luck.filter(|_| *variance_reduction),
        ..Options::default()
    }
}
