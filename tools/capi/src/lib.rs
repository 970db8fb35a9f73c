//! The C interface: opaque handles, plain structs and status codes over the library `tavli`.
//!
//! A caller in C reads `include/tavli.h`, which cbindgen makes from the documentation here and from `cbindgen.toml`; a
//! test fails when the two differ. Each function reads and checks its arguments, calls the library and writes its
//! results, so the numbers are the library's.
//!
//! Three habits keep the interface safe, and each function follows them in the same order. Everything happens inside
//! `guarded`, which turns errors into a [`Status`] and lets no panic pass; only [`tavli_cancel_throw`], which a signal
//! handler may call, does without. Every pointer goes through `pointer` or `text`, which refuse NULL and misaligned
//! pointers; a pointer to a result becomes an `OutPointer` or a `Buffer` before anything is computed. Numbers from the
//! caller that stand for one of several things are plain integers until they have been compared, since C may put any
//! value into an enum.
#![deny(missing_docs)]
#![allow(clippy::missing_safety_doc, reason = "the header says once, at its head, what every pointer must be")]

mod any_decision;
mod any_position;
mod cancel;
mod candidate_result;
mod cube;
mod difference;
mod duel;
mod estimate;
mod evaluation;
mod failure;
mod files;
mod format;
mod games;
mod guard;
mod outcome;
mod play;
mod players;
mod playouts;
mod plays;
mod pointer;
mod position;
mod progress;
mod remarks;
mod rollout;
mod rollout_settings;
mod search;
mod settings;
mod shards;
mod status;
mod stop;
mod stop_reason;
mod summary;
mod tally;
mod text;
mod version;
mod workers;

pub use any_decision::{
    AnyDecision, AnyDecisionSettings, AnyRacedPlay, TAVLI_ANY_DECISION_SETTINGS_VERSION, Verdict, tavli_any_decide,
    tavli_any_decision_settings_default,
};
pub use any_position::{
    AnyPosition, AnySearchPlay, AnyTally, tavli_any_play, tavli_any_playouts, tavli_any_plays_count,
    tavli_any_position_free, tavli_any_position_points, tavli_any_position_read, tavli_any_position_write,
    tavli_any_search,
};
pub use cancel::{Cancel, tavli_cancel_free, tavli_cancel_new, tavli_cancel_throw};
pub use candidate_result::{CandidateResult, Statistic};
pub use cube::{
    CubeDecision, CubeEvaluation, CubeValues, TAVLI_ACTION_SIZE, tavli_cube_values, tavli_cube_values_many,
    tavli_evaluate_with_cube,
};
pub use difference::Difference;
pub use duel::{Score, tavli_duel};
pub use estimate::{Estimate, Estimates, tavli_tally_estimates};
pub use evaluation::{Evaluation, tavli_evaluate};
pub use files::{tavli_rollout_checkpoint, tavli_rollout_load, tavli_rollout_save};
pub use format::Format;
pub use games::{PlayedGame, tavli_playout_games};
pub use guard::tavli_last_error;
pub use outcome::{Outcome, TAVLI_OUTCOMES};
pub use play::{Play, TAVLI_MOVES_SIZE};
pub use playouts::{tavli_playouts, tavli_playouts_many};
pub use plays::{tavli_plays, tavli_plays_count};
pub use position::{tavli_position_convert, tavli_position_read, tavli_position_start, tavli_position_write};
pub use progress::{Progress, ProgressCallback};
pub use remarks::tavli_last_remarks;
pub use rollout::{
    Rollout, tavli_rollout_cancel, tavli_rollout_candidate, tavli_rollout_free, tavli_rollout_from_json,
    tavli_rollout_of_candidates, tavli_rollout_of_plays, tavli_rollout_of_position, tavli_rollout_play,
    tavli_rollout_poll, tavli_rollout_results, tavli_rollout_summary, tavli_rollout_to_json, tavli_rollout_until,
    tavli_rollout_with_cube,
};
pub use rollout_settings::{
    tavli_rollout_cube, tavli_rollout_difference, tavli_rollout_differences, tavli_rollout_policy,
    tavli_rollout_position, tavli_rollout_settings, tavli_rollout_stop,
};
pub use search::{
    Search, SearchPlay, SearchSettings, SearchSummary, TAVLI_SEARCH_SETTINGS_VERSION, tavli_search_free,
    tavli_search_from_json, tavli_search_line, tavli_search_merge, tavli_search_plays, tavli_search_run,
    tavli_search_settings_default, tavli_search_summary, tavli_search_svg, tavli_search_to_json,
};
pub use settings::{FirstRoll, Rules, Settings, TAVLI_SETTINGS_VERSION, tavli_settings_default};
pub use shards::{tavli_rollout_merge, tavli_rollout_shard};
pub use status::Status;
pub use stop::{Allocation, Stop, TAVLI_STOP_VERSION, tavli_stop_default};
pub use stop_reason::StopReason;
pub use summary::Summary;
pub use tally::Tally;
pub use version::tavli_version;
pub use workers::{Workers, tavli_workers_count, tavli_workers_free, tavli_workers_start, tavli_workers_tier};
