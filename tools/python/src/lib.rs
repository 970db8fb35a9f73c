//! The Python package `tavli`: the library's positions, playouts, rollouts and searches, with NumPy arrays for many at
//! a time.
//!
//! Work runs without the interpreter's lock. Errors of the library become exceptions under `tavli.TavliError`, a
//! `ValueError`, with its messages; errors of the system become an `OSError`.

mod arguments;
mod batch;
mod boards;
mod callback;
mod candidate_result;
mod cube;
mod decision;
mod dice_and_picks;
mod draughts;
mod duel;
mod encoding;
mod ending;
mod errors;
mod evaluator;
mod exclusive;
mod game_decision;
mod games;
mod integers;
mod interrupt;
mod listener;
mod machine;
mod memory;
mod named;
mod pickled;
mod player;
mod playout;
mod position;
mod raced_play;
mod rollout;
mod rollout_arguments;
mod rows;
mod search;
mod tally;
mod uncertain;
mod warning;
mod workers;

use pyo3::prelude::*;

/// Python's allocator aligns objects to 8 bytes at least, and a class must not ask for more: a board, which is aligned
/// to 64, lies in a box.
const fn check_alignment<T>() {
    assert!(align_of::<T>() <= 8);
}

const _: () = {
    check_alignment::<draughts::DraughtsGames>();
    check_alignment::<draughts::DraughtsPlays>();
    check_alignment::<games::Games>();
    check_alignment::<games::Plays>();
    check_alignment::<listener::Progress>();
    check_alignment::<position::Play>();
    check_alignment::<player::Player>();
    check_alignment::<position::Position>();
    check_alignment::<rollout::Rollout>();
    check_alignment::<search::Search>();
    check_alignment::<candidate_result::Difference>();
    check_alignment::<candidate_result::CandidateResult>();
    check_alignment::<candidate_result::Statistic>();
    check_alignment::<decision::Decision>();
    check_alignment::<game_decision::GameDecision>();
    check_alignment::<raced_play::RacedPlay>();
    check_alignment::<tally::Estimate>();
    check_alignment::<tally::Tally>();
    check_alignment::<workers::Workers>();
};

/// The part of the package tavli that is written in Rust.
#[pymodule]
mod _tavli {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_export]
    use crate::batch::{playouts, probabilities};
    #[pymodule_export]
    use crate::candidate_result::{CandidateResult, Difference, Statistic};
    #[pymodule_export]
    use crate::cube::cube_values;
    #[pymodule_export]
    use crate::decision::Decision;
    #[pymodule_export]
    use crate::draughts::{DraughtsGames, DraughtsPlays, FinishedDraughts};
    #[pymodule_export]
    use crate::duel::duel;
    #[pymodule_export]
    use crate::encoding::encode;
    #[pymodule_export]
    use crate::errors::{
        MergeError, PlayError, PlayerWarning, PositionError, PositionWarning, RecordError, RollError, RolloutError,
        SearchWarning, SettingsError, TavliError,
    };
    #[pymodule_export]
    use crate::game_decision::{_decide, GameDecision};
    #[pymodule_export]
    use crate::games::{FinishedGames, Games, Plays};
    #[pymodule_export]
    use crate::listener::Progress;
    #[pymodule_export]
    use crate::player::Player;
    #[pymodule_export]
    use crate::playout::{playout, playout_games};
    #[pymodule_export]
    use crate::position::{Play, Position};
    #[pymodule_export]
    use crate::raced_play::RacedPlay;
    #[pymodule_export]
    use crate::rollout::Rollout;
    #[pymodule_export]
    use crate::search::{Search, find};
    #[pymodule_export]
    use crate::tally::{Estimate, Tally};
    #[pymodule_export]
    use crate::workers::Workers;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let atexit = module.py().import("atexit")?;
        atexit.call_method1("register", (wrap_pyfunction!(crate::ending::_end_calls, module)?,))?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let encoders = tavli::net::Encoder::ALL.iter().map(|encoder| encoder.name());
        module.add("ENCODERS", PyTuple::new(module.py(), encoders)?)?;
        module.add("GAMES", PyTuple::new(module.py(), tavli::games::NAMES)?)?;
        let outcomes = tavli::Outcome::ALL.iter().map(|outcome| outcome.name());
        module.add("OUTCOMES", PyTuple::new(module.py(), outcomes)?)?;
        let players: Vec<&str> = tavli::named::names().collect();
        module.add("PLAYERS", PyTuple::new(module.py(), players)?)?;
        let rules = tavli::RuleSet::ALL.iter().map(|rules| rules.name());
        module.add("RULES", PyTuple::new(module.py(), rules)?)?;
        Ok(())
    }

    /// Fingerprint the games of this version.
    ///
    /// One number over a fixed set of games, the same on every machine as long as no value changes.
    ///
    /// Args:
    ///     isa: The instruction-set tier that plays them: "avx512", "x86-64-v4", "avx2", "neon", "simd128" or
    ///         "portable"; None is the environment variable TAVLI_ISA, or the fastest that this CPU has.
    ///
    /// Returns:
    ///     16 hexadecimal digits.
    ///
    /// Raises:
    ///     SettingsError: This CPU lacks the tier.
    #[pyfunction]
    #[pyo3(signature = (*, isa=None))]
    fn signature(py: Python<'_>, isa: Option<crate::arguments::Word<tavli::Tier>>) -> PyResult<String> {
        let tier = crate::machine::tier(isa)?;
        crate::ending::detach(py, || format!("{:016x}", tavli::playout::signature(tier)))
    }
}
