//! `tavli ubgi`, `hub`, `gnubg` and `external`: an engine by the protocols of frontends, as options name it.

use std::ffi::OsString;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use tavli::draughts::{Draughts, Rules};
use tavli::games::evaluator_index;
use tavli::named::{self, Defaults};
use tavli::run::Workers;
use tavli::{RuleSet, Tier};
use tavli_engines::gnubg::Commands;
use tavli_engines::hub::HubSettings;
use tavli_engines::{EngineSettings, MAX_PLIES, Machine};
use tavli_terminal::failure::Failure;
use tavli_terminal::numbers::whole_in;
use tracing::Level;

use crate::arguments::{DEFAULT_SEED, PLAYER_MEANS, WorkerOptions, player_lines};
use crate::game_arguments::endgames;

/// The engine, as options name it, and what its server logs.
#[derive(Args, Clone, Debug)]
pub(crate) struct EngineOptions {
    #[command(flatten)]
    log: LogOptions,
    #[command(flatten)]
    player: PlayerOptions,
    /// Look N plies ahead, 0 to 3
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    #[arg(value_parser = whole_in::<u32>(0..=MAX_PLIES.into()))]
    look_ahead: u32,
}

/// The player of an engine and its machine, as options name them.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlayerOptions {
    #[arg(long, value_name = "NAME|FILE", default_value = Defaults::for_rules(RuleSet::Backgammon).evaluator)]
    #[arg(help = "Player that plays and values positions: td80, fast, strong, sampled or the file of a player")]
    #[arg(long_help = format!(
        "{PLAYER_MEANS}. It is one of:\n\n{},\n  or the file of a player",
        player_lines(&named::list_of_evaluators())
    ))]
    player: String,
    #[command(flatten)]
    machine: WorkerOptions,
}

/// Whether and what a server logs.
#[derive(Args, Clone, Copy, Debug)]
struct LogOptions {
    /// Log to standard error: --log alone logs connections, requests, jobs and shutdown; --log=debug also each line in
    /// and out
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "info")]
    log: Option<LogLevel>,
}

/// How much is logged.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogLevel {
    Info,
    Debug,
}

/// Serve UBGI, the Universal Backgammon Interface, on standard input and output
///
/// Serves versions 0.1 and 0.2, and the bare positions of 0.01. A frontend sends position, dice and go, and gets lines
/// of info, and then bestmove, bestcube or bestturn. The depth engine.ply counts from 1: at 1, positions are valued
/// without looking ahead.
///
/// The program ends on quit, on Ctrl-C, and at the end of the input once every request is answered. On quit and on
/// Ctrl-C a request in progress is answered with the best result so far.
#[derive(Args, Debug)]
pub(crate) struct Ubgi {
    #[command(flatten)]
    engine: EngineOptions,
}

/// Serve English draughts by the Hub protocol on standard input and output
///
/// Frontends such as pydraughts send pos, level and go, and get done with a move. The first limit that is reached ends
/// a search. The order level says how a move is found:
///
/// * level move-time, time or nodes: Monte-Carlo tree search with proven wins; nodes are simulations
///
/// * level depth: alpha-beta; nodes are positions that were valued
///
/// The program ends on quit, on Ctrl-C, and at the end of the input once every request is answered. On quit and on
/// Ctrl-C a search in progress plays its best move so far.
#[derive(Args, Debug)]
pub(crate) struct Hub {
    /// Evaluator of searches with level depth
    #[arg(long, value_name = "NAME", default_value = "material")]
    evaluator: String,
    /// File of solved endgames, which tavli solve draughts wrote
    #[arg(long, value_name = "FILE")]
    endgames: Option<PathBuf>,
    /// Seed of the searches, 0 to 18446744073709551615
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    log: LogOptions,
    #[command(flatten)]
    machine: WorkerOptions,
}

/// Answer GNU Backgammon's commands in its form
///
/// For programs that run gnubg -t -q and read what it prints. Commands come from -c FILE, from a Python script (-p
/// FILE), or from standard input.
///
/// It answers set xgid, set gnubgid, set dice, set evaluation, hint, eval, rollout, show board, import mat, analyse
/// match, show statistics match, export match text and others. The line quit ends the program, even during a command; a
/// rollout first prints its result so far. Closing the program's output ends it, too.
///
/// A program of the name gnubg, such as a link to tavli, is this command.
#[derive(Args, Debug)]
pub(crate) struct Gnubg {
    /// Run the commands in FILE, then exit
    #[arg(short = 'c', long = "commands", value_name = "FILE")]
    commands: Option<PathBuf>,
    /// Run a Python script with GNU Backgammon's module gnubg; needs Python 3 on the PATH
    #[arg(short = 'p', long = "python", value_name = "FILE")]
    python: Option<PathBuf>,
    /// Answer the calls of the module of a script
    // A short option, since `old_names.rs` takes every hidden long option with a help for an old name and prints the
    // help as a remark.
    #[arg(short = 'C', hide = true)]
    calls: bool,
    /// GNU Backgammon's option for no window; it changes nothing here
    #[arg(short = 't', long = "tty")]
    tty: bool,
    /// GNU Backgammon's option for no sound; it changes nothing here
    #[arg(short = 'q', long = "quiet")]
    quiet: bool,
    /// GNU Backgammon's option for no start-up files; it changes nothing here
    #[arg(short = 'r', long = "no-rc")]
    no_rc: bool,
    #[command(flatten)]
    engine: EngineOptions,
}

/// Play as GNU Backgammon's external player, and answer as its server
///
/// Listens for TCP connections. GNU Backgammon connects by set player 0 external ADDRESS, sends FIBS boards, and gets
/// plays, and cube decisions in money games and matches.
///
/// The command also answers boards, evaluation and version, as GNU Backgammon does after external ADDRESS. Ctrl-C ends
/// it.
#[derive(Args, Debug)]
pub(crate) struct External {
    /// Where to listen: HOST:PORT, or a port of this machine; port 0 takes a free one, which is printed
    #[arg(value_name = "ADDRESS", default_value = "127.0.0.1:1234")]
    address: String,
    #[command(flatten)]
    engine: EngineOptions,
}

impl EngineOptions {
    /// Logs from here on, if asked, and returns the settings of the engine.
    pub(crate) fn start(&self) -> EngineSettings {
        self.log.start();
        self.player.settings(self.look_ahead)
    }
}

impl PlayerOptions {
    /// An engine that looks `plies` ahead.
    pub(crate) fn settings(&self, plies: u32) -> EngineSettings {
        EngineSettings { player: self.player.clone(), look_ahead: plies, machine: Arc::new(self.machine.clone()) }
    }
}

impl Machine for WorkerOptions {
    fn tier(&self) -> Result<Tier, Failure> {
        self.tier()
    }

    fn has_worker_options(&self) -> bool {
        self.has_worker_options()
    }

    fn start(&self, threads: Option<NonZeroUsize>) -> Result<Workers, Failure> {
        let (workers, _) = match threads {
            Some(threads) => self.with_threads(threads).start()?,
            None => self.start()?,
        };
        Ok(workers)
    }
}

impl LogOptions {
    /// Logs from here on, if asked.
    fn start(self) {
        let Some(level) = self.log else {
            return;
        };
        let level = match level {
            LogLevel::Info => Level::INFO,
            LogLevel::Debug => Level::DEBUG,
        };
        // A closed standard error must not end the server, and there is nowhere else to report it.
        tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(io::stderr)
            .with_ansi(false)
            .with_target(false)
            .log_internal_errors(false)
            .init();
    }
}

/// Called by the name `gnubg`, through a link, the program is this command: tools find it as they find GNU Backgammon.
pub(crate) fn prepend_gnubg(arguments: &mut Vec<OsString>) {
    let name = arguments.first().map(Path::new).and_then(Path::file_stem);
    if name.is_some_and(|name| name == "gnubg") {
        arguments.insert(1, "gnubg".into());
    }
}

pub(crate) fn ubgi(arguments: &Ubgi) -> Result<(), Failure> {
    tavli_engines::ubgi::run(&arguments.engine.start())
}

pub(crate) fn hub(arguments: &Hub) -> Result<(), Failure> {
    arguments.log.start();
    let tier = arguments.machine.tier()?;
    let evaluator = evaluator_index::<Draughts>(Some(&arguments.evaluator)).map_err(Failure::usage)?;
    let game = Draughts::new(Rules::ENGLISH, tier, arguments.seed);
    tavli_engines::hub::run(HubSettings {
        evaluator,
        endgames: endgames(&game, arguments.endgames.as_deref())?,
        seed: arguments.seed,
        tier,
        machine: &arguments.machine,
    })
}

pub(crate) fn gnubg(arguments: &Gnubg) -> Result<(), Failure> {
    let commands = match (&arguments.commands, &arguments.python) {
        _ if arguments.calls => Commands::Calls,
        // As in GNU Backgammon, a script does not run if there is a file of commands.
        (Some(file), _) => Commands::Lines(file),
        (None, Some(script)) => Commands::Script(script),
        (None, None) => Commands::Lines(Path::new("-")),
    };
    tavli_engines::gnubg::run(commands, &arguments.engine.start())
}

pub(crate) fn external(arguments: &External) -> Result<(), Failure> {
    tavli_engines::external::run(&arguments.address, &arguments.engine.start())
}
