//! Where and how games are played.

use std::num::NonZeroUsize;
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tavli::Tier;
use tavli::run::{self, Cpus, Pinning, Placement};

use crate::arguments::{Word, whole};
use crate::errors::{bad_setting, raise};

/// The instruction-set tier that is named; without a name the environment's, or the fastest.
pub(crate) fn tier(named: Option<Word<Tier>>) -> PyResult<Tier> {
    match named {
        Some(Word(tier)) => Ok(tier),
        None => {
            let tier = tavli::tier_variable().map_err(bad_setting)?;
            Ok(tier.unwrap_or_else(Tier::best))
        }
    }
}

/// Where and how games are played.
pub(crate) struct Machine {
    threads: Threads,
    pub(crate) tier: Tier,
}

enum Threads {
    /// Threads of this call.
    Own(Placement),
    /// Threads of a `Workers`.
    Shared(Arc<run::Workers>),
}

impl Machine {
    /// Threads of one call.
    pub(crate) fn own(
        threads: Option<&Bound<'_, PyAny>>,
        pin: Word<Pinning>,
        isa: Option<Word<Tier>>,
    ) -> PyResult<Machine> {
        let most = Placement::MAX_WORKERS as u64;
        let threads = threads.map(|threads| whole(threads, "threads are", 1, most)).transpose()?;
        let threads = threads.and_then(|threads| NonZeroUsize::new(threads as usize));
        let placement = Placement::new(&Cpus::allowed(), pin.0, threads).map_err(bad_setting)?;
        Ok(Machine { threads: Threads::Own(placement), tier: tier(isa)? })
    }

    /// Threads that other calls share.
    pub(crate) fn shared(workers: Arc<run::Workers>, tier: Tier) -> Machine {
        Machine { threads: Threads::Shared(workers), tier }
    }

    /// The threads; the ones made for this call alone are started here.
    pub(crate) fn start(&self) -> PyResult<Arc<run::Workers>> {
        match &self.threads {
            Threads::Own(placement) => {
                run::Workers::start(placement).map(Arc::new).map_err(raise(PyRuntimeError::new_err))
            }
            Threads::Shared(workers) => Ok(Arc::clone(workers)),
        }
    }
}
