//! The `tavli` command: playouts, rollouts, values, searches and games of backgammon and others, and engines. It is a
//! library so that `tavli-mpi` shares its arguments and output, by [`shared_with_mpi`]; other programs link the library
//! `tavli`.

mod analyze;
mod arguments;
mod bearoff;
mod bench;
mod cube;
mod default_command;
mod duel;
mod engines;
mod evaluate;
mod evaluator_options;
mod game_arguments;
mod game_dispatch;
mod game_turn;
mod layout;
mod manual;
mod mcgammon_rate;
mod merge;
mod met;
mod old_names;
mod ordered_map;
mod perft;
mod play;
mod player_options;
mod playout;
mod plays;
mod position;
mod profile;
mod record_kind;
mod rollout;
mod run_header;
mod saved_games;
mod search;
mod serve;
mod signature;
mod slurm;
mod solve;
mod solve_draughts;
mod topology;
mod train;
mod tune;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tavli::games::{PlayableGame, Visitor, visit};
use tavli_terminal::failure::Failure;
use tavli_terminal::{interrupt, output};

/// The version, and the commit that the command is built from.
pub const VERSION: &str = env!("TAVLI_VERSION");

/// What `tavli-mpi` shares with the command.
pub mod shared_with_mpi {
    pub use crate::arguments::{WorkerOptions, protect_negative_position};
    pub use crate::game_dispatch::game_of_command;
    pub use crate::old_names::remark_on_old_names;
    pub use crate::rollout::{BackgammonRequest, RolloutArguments, Task};
    pub use crate::run_header::RunHeader;
    pub use crate::search::SearchArguments;
}

/// Backgammon and other games: random playouts, rollouts, decisions, searches and players, exactly and fast
///
/// Without a command, plays random games from the opening position on all cores, for three seconds under each of two
/// rules: full backgammon, and the simplified rule of the McGammon paper, whose rate is printed for comparison.
#[derive(Parser, Debug)]
#[command(
    name = "tavli",
    version = VERSION,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Exit status:\n  \
                  0: success, also of a run ended by Ctrl-C or by a closed pipe\n  \
                  1: a failure while running, a run ended by Ctrl-C before it had a result, or a bad line of the \
                  input\n  \
                  2: invalid arguments, or a file named by them that cannot be used\n  \
                  3: a comparison that does not show whether its bound holds\n  \
                  130: a second Ctrl-C"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    default_command: default_command::DefaultArguments,
}

/// Runs a command for the game `$game`: one way for every game, or one for backgammon and one for the others. A command
/// without `--game` has one function.
macro_rules! run_for {
    ($game:ident, $arguments:ident, {every: $($run:ident)::+}) => {
        $($run)::+::<$game>($arguments)
    };
    ($game:ident, $arguments:ident, {gameless: $run:path}) => {
        $run($arguments)
    };
    ($game:ident, $arguments:ident, {backgammon: $run:path, others: $($other:ident)::+}) => {
        match game_turn::is_backgammon::<$game>() {
            true => $run($arguments),
            false => $($other)::+::<$game>($arguments),
        }
    };
}

/// The commands, each with its arguments and its function.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident($arguments:ty) => $way:tt,)+) => {
        #[derive(Subcommand, Debug)]
        enum Command {
            $($(#[$attribute])* $name($arguments),)+
        }

        impl Visitor for &Command {
            type Output = Result<(), Failure>;

            fn visit<G: PlayableGame>(self) -> Result<(), Failure> {
                match self {
                    $(Command::$name(arguments) => run_for!(G, arguments, $way),)+
                }
            }
        }
    };
}

commands! {
    Playout(playout::PlayoutArguments) => {every: playout::run},
    Rollout(Box<rollout::RolloutArguments>) => {backgammon: rollout::run, others: rollout::run_other_game},
    Merge(merge::MergeArguments) => {gameless: merge::run},
    #[command(alias = "match")] // its old name; matches to N points are --match N
    Duel(duel::DuelArguments) => {backgammon: duel::run, others: duel::other_games::run},
    Evaluate(Box<evaluate::EvaluateArguments>) => {backgammon: evaluate::run, others: evaluate::other_games::run},
    Met(met::MetArguments) => {gameless: met::run},
    Search(Box<search::SearchArguments>) => {backgammon: search::run, others: search::other_games::run},
    Play(play::PlayArguments) => {backgammon: play::run, others: play::other_games::run},
    Plays(plays::PlaysArguments) => {every: plays::run},
    Perft(perft::PerftArguments) => {every: perft::run},
    Position(position::PositionArguments) => {backgammon: position::run, others: position::run_other_game},
    Bearoff(bearoff::BearoffArguments) => {gameless: bearoff::run},
    Solve(solve::SolveArguments) => {gameless: solve::run},
    Train(train::TrainArguments) => {gameless: train::run},
    Tune(tune::TuneArguments) => {gameless: tune::run},
    Signature(signature::SignatureArguments) => {backgammon: signature::run, others: signature::run_other_game},
    Topology(topology::TopologyArguments) => {gameless: topology::run},
    Bench(bench::BenchArguments) => {gameless: bench::run},
    Profile(profile::ProfileArguments) => {gameless: profile::run},
    Analyze(analyze::AnalyzeArguments) => {gameless: analyze::run},
    Ubgi(engines::Ubgi) => {gameless: engines::ubgi},
    Hub(engines::Hub) => {gameless: engines::hub},
    Gnubg(engines::Gnubg) => {gameless: engines::gnubg},
    External(engines::External) => {gameless: engines::external},
    Serve(serve::Serve) => {gameless: serve::serve},
    Jsonrpc(serve::JsonRpc) => {gameless: serve::jsonrpc},
    Completions(manual::Completions) => {gameless: manual::complete},
    Man(manual::Page) => {gameless: manual::page},
}

/// Runs the command with the arguments of this process, and returns its exit status.
#[must_use]
pub fn main() -> ExitCode {
    interrupt::ignore_file_size_signal();
    interrupt::exit_on_abort();
    let mut arguments: Vec<_> = std::env::args_os().map(arguments::protect_negative_position).collect();
    old_names::replace_first_game(&mut arguments);
    engines::prepend_gnubg(&mut arguments);
    match interrupt::listen_from_the_start().and_then(|()| dispatch(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Reads the arguments and runs their command, for the game that they name.
fn dispatch(arguments: &[OsString]) -> Result<(), Failure> {
    let mut tavli = Cli::command();
    let found = tavli.try_get_matches_from_mut(arguments);
    let found = found.map_err(|error| game_dispatch::explain_parse_error(&tavli, arguments, error))?;
    let game = game_dispatch::game_of_command(&tavli, arguments, &found)?;
    let cli = Cli::from_arg_matches(&found).map_err(|error| Failure::arguments(error.format(&mut tavli)))?;
    old_names::remark_on_old_names(&tavli, arguments);
    match &cli.command {
        Some(command) => visit(game, command).expect("it was found among the names"),
        None => default_command::run(&cli.default_command),
    }?;
    // A last line without an end would otherwise be written, or fail to be, after the exit status is known.
    Ok(output::finish()?)
}
