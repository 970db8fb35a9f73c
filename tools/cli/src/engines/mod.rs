//! Tavli as the engine of frontends, by their own protocols.

mod answers;
pub(crate) mod external;
mod frontend;
pub(crate) mod gnubg;
mod gnubg_values;
pub(crate) mod hub;
mod log;
mod moves;
mod rollouts;
pub(crate) mod serve;
mod statistics;
pub(crate) mod ubgi;

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;

use clap::Args;
use tavli::RuleSet;
use tavli::engine::{Engine, EngineError};
use tavli::named::{self, Defaults};
use tavli::run::{Cancel, Workers};
use tavli::text::Quoted;

use crate::arguments::WorkerOptions;
use crate::failure::Failure;
use crate::interrupt::NO_RESULT;

/// The most plies that an engine looks ahead.
// One less than `evaluate`: a frontend waits for every play, and each ply takes some twenty times as long as the ply
// before.
const MOST_PLIES: u32 = 3;

/// The engine, as options name it.
#[derive(Args, Clone, Debug)]
pub(crate) struct EngineOptions {
    #[command(flatten)]
    player: PlayerOptions,
    /// Look N plies ahead, 0 to 3
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_PLIES)))]
    look_ahead: u32,
}

/// The player of an engine and its machine, as options name them.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlayerOptions {
    #[arg(long, value_name = "NAME|FILE", default_value = Defaults::under(RuleSet::Backgammon).values)]
    #[arg(help = format!(
        "The player that values positions: {}, or the file of a player",
        named::list_of_evaluators()
    ))]
    player: String,
    #[command(flatten)]
    machine: WorkerOptions,
}

/// Starts the workers; `None` once they have started.
pub(crate) type WorkersWhenNeeded = Option<Box<dyn FnOnce() -> Result<Workers, Failure> + Send>>;

impl EngineOptions {
    /// The engine. Its workers start when they are needed: without look-ahead it values a position in less time than
    /// threads take to start. If options name workers, they start at once, so that errors are reported.
    fn start_when_needed(&self, cancel: &Cancel) -> Result<(Engine, WorkersWhenNeeded), Failure> {
        let machine = self.player.machine.clone();
        if self.look_ahead > 0 || machine.says_workers() {
            return Ok((self.start(cancel)?, None));
        }
        let engine = self.player.start_on(Workers::here(), 0, cancel)?;
        let start = move || machine.start().map(|(workers, _)| workers);
        Ok((engine, Some(Box::new(start))))
    }

    /// The engine with its workers, which the switch ends.
    pub(crate) fn start(&self, cancel: &Cancel) -> Result<Engine, Failure> {
        self.player.start(self.look_ahead, cancel)
    }

    /// As many workers as a frontend asks for.
    fn workers(&self, threads: NonZeroUsize) -> Result<Workers, Failure> {
        let (workers, _) = self.player.machine.with_threads(threads).start()?;
        Ok(workers)
    }
}

impl PlayerOptions {
    /// An engine that looks `plies` ahead, with its workers, which the switch ends.
    pub(crate) fn start(&self, plies: u32, cancel: &Cancel) -> Result<Engine, Failure> {
        let (workers, _) = self.machine.start()?;
        self.start_on(workers, plies, cancel)
    }

    /// Starts the engine on these workers.
    fn start_on(&self, workers: impl Into<Arc<Workers>>, plies: u32, cancel: &Cancel) -> Result<Engine, Failure> {
        let tier = self.machine.tier()?;
        let engine = Engine::new(&self.player, plies, RuleSet::Backgammon, tier, workers, cancel);
        engine.map_err(|error| match error {
            EngineError::Stopped => Failure::run(NO_RESULT),
            error => Failure::usage(error),
        })
    }
}

/// The failure to listen at an address. A text that is not HOST:PORT is a usage error.
fn cannot_listen(at: &str, port: u16, error: &io::Error) -> Failure {
    let message = format!(
        "cannot listen at {}: {error}; give HOST:PORT, such as 127.0.0.1:{port}",
        Quoted::new(at)
    );
    match error.kind() {
        io::ErrorKind::AddrInUse | io::ErrorKind::AddrNotAvailable | io::ErrorKind::PermissionDenied => {
            Failure::Run(message)
        }
        _ => Failure::Usage(message),
    }
}
