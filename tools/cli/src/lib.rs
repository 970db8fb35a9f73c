//! The `tavli` command: playouts, rollouts, values, searches and games of backgammon and others, and engines. It is a
//! library so that `tavli-mpi` shares its arguments and output; other programs link the library `tavli`.

mod analyze;
mod arguments;
mod bearoff;
mod bench;
mod cube;
mod duel;
mod engines;
mod evaluate;
mod evaluator_options;
mod expectimax;
mod failure;
mod games;
mod header;
mod input;
mod interrupt;
mod layout;
mod learning_curves;
mod lines;
mod manual;
mod merge;
mod met;
pub mod mpi;
mod numbers;
mod old_names;
mod ordered_map;
mod output;
mod paper;
mod perft;
mod play;
mod player_options;
mod playout;
mod plays;
mod position;
mod profile;
mod progress;
mod progressive_bias;
mod rollout;
mod saved_games;
mod search;
mod search_result;
mod signature;
mod slurm;
mod solve;
mod solve_draughts;
mod topology;
mod train;
mod tune;
mod tuning_page;
mod without_command;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tavli::game::{NAMES, visit};

use crate::failure::Failure;

/// Backgammon and other games: random playouts, rollouts, decisions, searches and players, exactly and fast
///
/// Without a command, plays random games from the opening position on all cores for three seconds under each rule: full
/// backgammon, and the simplified rule of the McGammon paper, with the paper's rate.
#[derive(Parser, Debug)]
#[command(
    name = "tavli",
    version = env!("TAVLI_VERSION"),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Exit status: 0 success, also of a run ended by Ctrl-C or of a closed pipe; 1 failure while \
                  running; 2 invalid arguments; 3 a comparison that does not show whether its bound holds; \
                  130 a second Ctrl-C."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    without_command: without_command::Arguments,
}

#[derive(Subcommand, Debug)]
enum Command {
    Playout(playout::Arguments),
    Rollout(Box<rollout::Arguments>),
    Merge(merge::Arguments),
    #[command(alias = "match")] // its old name; matches to N points are --match N
    Duel(duel::Arguments),
    Evaluate(Box<evaluate::Arguments>),
    Met(met::Arguments),
    Search(Box<search::Arguments>),
    Play(play::Arguments),
    Plays(plays::Arguments),
    Perft(perft::Arguments),
    Position(position::Arguments),
    Bearoff(bearoff::Arguments),
    Solve(solve::Arguments),
    Train(train::Arguments),
    Tune(tune::Arguments),
    Signature(signature::Arguments),
    Topology(topology::Arguments),
    Bench(bench::Arguments),
    Profile(profile::Arguments),
    Analyze(analyze::Arguments),
    Ubgi(engines::ubgi::Arguments),
    Hub(engines::hub::Arguments),
    Gnubg(engines::gnubg::Arguments),
    External(engines::external::Arguments),
    Serve(engines::serve::Arguments),
    Jsonrpc(engines::serve::jsonrpc::Arguments),
    Completions(manual::Completions),
    Man(manual::Page),
}

/// Runs the command with the arguments of this process, and returns its exit status.
#[must_use]
pub fn main() -> ExitCode {
    interrupt::outlive_large_files();
    let mut given: Vec<_> = std::env::args_os().map(arguments::shield_position).collect();
    old_names::replace_first_game(&mut given);
    engines::gnubg::as_called(&mut given);
    match interrupt::listen_from_the_start().and_then(|()| dispatch(&given)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Reads the arguments and runs their command, for the game that they name.
fn dispatch(given: &[OsString]) -> Result<(), Failure> {
    let mut tavli = Cli::command();
    let found = tavli.try_get_matches_from_mut(given);
    let found = found.map_err(|error| games::unread(&tavli, given, error))?;
    let game = games::of(&tavli, &found)?;
    let cli = Cli::from_arg_matches(&found).map_err(|error| Failure::Arguments(error.format(&mut tavli)))?;
    old_names::remark(&tavli, given);
    match &cli.command {
        Some(command) if game != NAMES[0] => visit(game, command).expect("it was found among the names"),
        _ => run(&cli),
    }
}

/// Runs a command. Its output is written when this returns: a last line without an end would otherwise be written, or
/// fail to be, after the exit status is known.
fn run(cli: &Cli) -> Result<(), Failure> {
    match &cli.command {
        None => without_command::run(&cli.without_command),
        Some(Command::Playout(arguments)) => playout::run(arguments),
        Some(Command::Rollout(arguments)) => rollout::run(arguments),
        Some(Command::Merge(arguments)) => merge::run(arguments),
        Some(Command::Duel(arguments)) => duel::run(arguments),
        Some(Command::Evaluate(arguments)) => evaluate::run(arguments),
        Some(Command::Met(arguments)) => met::run(arguments),
        Some(Command::Search(arguments)) => search::run(arguments),
        Some(Command::Play(arguments)) => play::run(arguments),
        Some(Command::Plays(arguments)) => plays::run(arguments),
        Some(Command::Perft(arguments)) => perft::run(arguments),
        Some(Command::Position(arguments)) => position::run(arguments),
        Some(Command::Bearoff(arguments)) => bearoff::run(arguments),
        Some(Command::Solve(arguments)) => solve::run(arguments),
        Some(Command::Train(arguments)) => train::run(arguments),
        Some(Command::Tune(arguments)) => tune::run(arguments),
        Some(Command::Signature(arguments)) => signature::run(arguments),
        Some(Command::Topology(arguments)) => topology::run(arguments),
        Some(Command::Bench(arguments)) => bench::run(arguments),
        Some(Command::Profile(arguments)) => profile::run(arguments),
        Some(Command::Analyze(arguments)) => analyze::run(arguments),
        Some(Command::Ubgi(arguments)) => engines::ubgi::run(arguments),
        Some(Command::Hub(arguments)) => engines::hub::run(arguments),
        Some(Command::Gnubg(arguments)) => engines::gnubg::run(arguments),
        Some(Command::External(arguments)) => engines::external::run(arguments),
        Some(Command::Serve(arguments)) => engines::serve::run(arguments),
        Some(Command::Jsonrpc(arguments)) => engines::serve::jsonrpc::run(arguments),
        Some(Command::Completions(arguments)) => manual::complete(arguments),
        Some(Command::Man(arguments)) => manual::page(arguments),
    }?;
    Ok(io::stdout().flush()?)
}
