//! The arguments of `tavli-mpi`, and what each rank does with them.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tavli::games::NAMES;
use tavli::rollout::{Checkpoint, Communicator, Rollout, Session, play_by_ranks};
use tavli::run::{Cancel, Cpus, Workers};
use tavli_cli::VERSION;
use tavli_cli::shared_with_mpi::{
    BackgammonRequest, RolloutArguments, RunHeader, SearchArguments, Task, WorkerOptions, game_of_command,
    protect_negative_position, remark_on_old_names,
};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::progress::Bar;

use crate::messages::{agree_on_result, broadcast_rollout, gather, merge_searches, share_of_cpus, share_of_trees};

/// Backgammon rollouts and searches by the processes of an MPI job
///
/// Each process (MPI calls it a rank) plays its share of the games, or grows its share of the trees, with its own
/// worker threads. Ranks of a node that may use the same CPUs divide them by cores. Only rank 0 reads and writes files
/// and prints.
#[derive(Parser, Debug)]
#[command(
    name = "tavli-mpi",
    version = VERSION,
    after_help = "Exit status: as tavli's, on every rank. If a rank dies, the job ends; the saved rollout can be \
                  continued by any number of ranks, or by tavli."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Rollout(Box<RolloutArguments>),
    Search(Box<SearchArguments>),
}

/// Runs the command as one of several ranks with the same arguments. Ranks of the same `node` share its CPUs. Every
/// rank has the same exit status.
#[must_use]
pub fn run(ranks: &impl Communicator, node: &str, arguments: impl Iterator<Item = OsString>) -> ExitCode {
    interrupt::ignore_file_size_signal();
    interrupt::exit_on_abort();
    match interrupt::listen_from_the_start().and_then(|()| run_on_ranks(ranks, node, arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run_on_ranks(
    ranks: &impl Communicator,
    node: &str,
    arguments: impl Iterator<Item = OsString>,
) -> Result<(), Failure> {
    let given: Vec<_> = arguments.map(protect_negative_position).collect();
    let parsed = read(&given);
    if parsed.is_ok() && ranks.rank() == 0 {
        remark_on_old_names(&Cli::command(), &given);
    }
    match agree_on_result(ranks, parsed)?.command {
        Command::Rollout(arguments) => roll_out_on_ranks(ranks, node, &arguments),
        Command::Search(arguments) => search_on_ranks(ranks, node, &arguments),
    }
}

/// Reads the arguments; the only game is backgammon.
fn read(given: &[OsString]) -> Result<Cli, Failure> {
    let mut program = Cli::command();
    let found = program.try_get_matches_from_mut(given).map_err(Failure::arguments)?;
    match game_of_command(&program, given, &found)? {
        game if game == NAMES[0] => Cli::from_arg_matches(&found).map_err(Failure::arguments),
        game => Err(Failure::usage(format_args!("tavli-mpi is for backgammon: {game} is played by tavli"))),
    }
}

fn roll_out_on_ranks(ranks: &impl Communicator, node: &str, arguments: &RolloutArguments) -> Result<(), Failure> {
    let is_first = ranks.rank() == 0;
    let begun = if is_first { begin(arguments).map(Some) } else { Ok(None) };
    let begun = agree_on_result(ranks, begun)?;
    let (task, first, checkpoint) = match begun {
        Some((task, rollout, checkpoint)) => (Some(task), Some(rollout), checkpoint),
        None => (None, None, None),
    };
    let mut rollout = broadcast_rollout(ranks, first.as_ref());
    let (cancel, workers, header) = start(ranks, node, &arguments.machine)?;
    let bar = Bar::new();
    let session = Session { tier: arguments.machine.tier()?, cancel, checkpoint };
    let played = play_by_ranks(&mut rollout, ranks, &workers, &session, |far| bar.show_rollout(far));
    drop(bar);
    let written = task.map_or(Ok(()), |task| task.finish(&rollout, played, &header));
    agree_on_result(ranks, written)
}

/// Searches: each rank grows a share of the trees.
fn search_on_ranks(ranks: &impl Communicator, node: &str, arguments: &SearchArguments) -> Result<(), Failure> {
    let is_first = ranks.rank() == 0;
    let begun = match arguments.shard {
        Some(_) => Err(Failure::usage("the ranks divide the trees: leave --shard out")),
        None => arguments.task(Some(share_of_trees(ranks))),
    };
    let begun = begun.and_then(|task| {
        let target = match is_first {
            true => arguments.target()?,
            false => None,
        };
        Ok((task, target))
    });
    let (task, target) = agree_on_result(ranks, begun)?;
    let (cancel, workers, header) = start(ranks, node, &arguments.machine)?;
    let found = arguments.search(task.cancelled_by(&cancel), &workers);
    let written = match merge_searches(ranks, &found) {
        Some(whole) => {
            arguments.print_head(&whole, &header).and_then(|()| arguments.finish(&whole, target.as_ref(), &header))
        }
        None => Ok(()),
    };
    agree_on_result(ranks, written)
}

/// The switch that ends this rank, its workers, and the machine of all ranks.
fn start(
    ranks: &impl Communicator,
    node: &str,
    machine: &WorkerOptions,
) -> Result<(Cancel, Workers, RunHeader), Failure> {
    let cpus = share_of_cpus(ranks, node, &Cpus::allowed());
    let started = interrupt::cancel_on_interrupt().and_then(|cancel| Ok((cancel, machine.start_on(&cpus)?)));
    let (cancel, (workers, header)) = agree_on_result(ranks, started)?;
    let header = header.with_ranks(gather(ranks, workers.count() as u64));
    if ranks.rank() == 0 {
        header.remark();
    }
    Ok((cancel, workers, header))
}

/// The task of the arguments, its rollout, and the checkpoint.
fn begin(arguments: &RolloutArguments) -> Result<(Task<BackgammonRequest>, Rollout, Option<Checkpoint>), Failure> {
    if arguments.positions.is_some() {
        return Err(Failure::usage("tavli-mpi cannot play a table of positions: use tavli rollout --positions"));
    }
    let task = Task::read(arguments)?;
    let (rollout, checkpoint) = task.begin()?;
    Ok((task, rollout, checkpoint))
}
