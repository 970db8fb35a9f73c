//! The engine of a frontend, and the machine that it runs on.

use std::fmt::Debug;
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;

use tavli::engine::{Engine, EngineError};
use tavli::run::{Cancel, Workers};
use tavli::text::Quoted;
use tavli::{RuleSet, Tier};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::NO_RESULT;
use tavli_terminal::remarks;

/// The most plies that an engine looks ahead.
// One less than `evaluate`: a frontend waits for every play, and each ply takes some twenty times as long as the ply
// before.
pub const MAX_PLIES: u32 = 3;

/// The workers of an engine and their tier, as a program chooses them.
pub trait Machine: Debug + Send + Sync {
    /// The tier that code runs on.
    fn tier(&self) -> Result<Tier, Failure>;

    /// Whether somebody asked for workers: how many, or where.
    fn has_worker_options(&self) -> bool;

    /// Starts `threads` workers, by default as many as the machine has.
    fn start(&self, threads: Option<NonZeroUsize>) -> Result<Workers, Failure>;
}

/// The engine that a session or a server begins with.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// The player that values positions, by name or file.
    pub player: String,
    /// The plies that it looks ahead, at most [`MAX_PLIES`].
    pub look_ahead: u32,
    /// The machine that it runs on.
    pub machine: Arc<dyn Machine>,
}

/// Starts the workers; `None` once they have started.
pub(crate) type WorkersWhenNeeded = Option<Box<dyn FnOnce() -> Result<Workers, Failure> + Send>>;

impl EngineSettings {
    /// The engine with its workers, which the switch ends.
    pub fn start(&self, cancel: &Cancel) -> Result<Engine, Failure> {
        self.start_on(self.machine.start(None)?, cancel)
    }

    /// The engine. Its workers start when they are needed: without look-ahead it values a position in less time than
    /// threads take to start. Workers that somebody asked for start at once, so that errors are reported.
    pub(crate) fn start_when_needed(&self, cancel: &Cancel) -> Result<(Engine, WorkersWhenNeeded), Failure> {
        if self.look_ahead > 0 || self.machine.has_worker_options() {
            return Ok((self.start(cancel)?, None));
        }
        let engine = self.start_on(Workers::here(), cancel)?;
        let machine = Arc::clone(&self.machine);
        Ok((engine, Some(Box::new(move || machine.start(None)))))
    }

    /// Starts the engine on `workers`. Remarks on a player that has not learned backgammon.
    pub(crate) fn start_on(&self, workers: impl Into<Arc<Workers>>, cancel: &Cancel) -> Result<Engine, Failure> {
        let tier = self.machine.tier()?;
        let engine = Engine::new(&self.player, self.look_ahead, RuleSet::Backgammon, tier, workers, cancel);
        let engine = engine.map_err(|error| match error {
            EngineError::Stopped => Failure::run(NO_RESULT),
            error => Failure::usage(error),
        })?;
        remarks::print(engine.remark());
        Ok(engine)
    }
}

/// The failure to listen at an address. A text that is not HOST:PORT is a usage error.
pub(crate) fn cannot_listen(at: &str, port: u16, error: &io::Error) -> Failure {
    let message = format!("cannot listen at {}: {error}; give HOST:PORT, such as 127.0.0.1:{port}", Quoted::new(at));
    match error.kind() {
        io::ErrorKind::AddrInUse | io::ErrorKind::AddrNotAvailable | io::ErrorKind::PermissionDenied => {
            Failure::Run(message)
        }
        _ => Failure::Usage(message),
    }
}
