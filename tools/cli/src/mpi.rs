//! The command `tavli-mpi`: a rollout, or a search, by several ranks. The caller of [`run`] provides the messages
//! between them.

use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::hash::{Hash, Hasher};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tavli::game::NAMES;
use tavli::rollout::{Checkpoint, Ranks, Rollout, Shard, play_by_ranks};
use tavli::run::{Cancel, Cpus, Workers};
use tavli::search::SearchResult;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::progress::Bar;

use crate::arguments::{self, WorkerOptions};
use crate::game_dispatch;
use crate::header::Header;
use crate::old_names;
use crate::rollout::{self, BackgammonRollout};
use crate::search;

/// Backgammon rollouts and searches by the processes of an MPI job
///
/// Each process (MPI calls it a rank) plays its share of the games, or grows its share of the trees, with its own
/// worker threads. Ranks of a node that may use the same CPUs divide them by cores. Only rank 0 reads and writes files
/// and prints.
#[derive(Parser, Debug)]
#[command(
    name = "tavli-mpi",
    version = env!("TAVLI_VERSION"),
    after_help = "Exit status: that of tavli, on every rank. If a rank dies, the job ends; the saved rollout can be \
                  continued by any number of ranks, or by tavli."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Rollout(Box<rollout::Arguments>),
    Search(Box<search::Arguments>),
}

/// Runs the command as one of several ranks with the same arguments. Ranks of the same `node` share its CPUs. Every
/// rank has the same exit status.
#[must_use]
pub fn run(ranks: &impl Ranks, node: &str, arguments: impl Iterator<Item = OsString>) -> ExitCode {
    interrupt::ignore_file_size_signal();
    interrupt::exit_on_abort();
    match interrupt::listen_from_the_start().and_then(|()| obey(ranks, node, arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn obey(ranks: &impl Ranks, node: &str, arguments: impl Iterator<Item = OsString>) -> Result<(), Failure> {
    let given: Vec<_> = arguments.map(arguments::shield_position).collect();
    let parsed = read(&given);
    if parsed.is_ok() && ranks.rank() == 0 {
        old_names::remark(&Cli::command(), &given);
    }
    match agree(ranks, parsed)?.command {
        Command::Rollout(arguments) => play(ranks, node, &arguments),
        Command::Search(arguments) => find(ranks, node, &arguments),
    }
}

/// Reads the arguments; the only game is backgammon.
fn read(given: &[OsString]) -> Result<Cli, Failure> {
    let mut program = Cli::command();
    let found = program.try_get_matches_from_mut(given).map_err(Failure::arguments)?;
    match game_dispatch::of(&program, given, &found)? {
        game if game == NAMES[0] => Cli::from_arg_matches(&found).map_err(Failure::arguments),
        game => Err(Failure::usage(format_args!(
            "tavli-mpi is for backgammon: {game} is played by tavli"
        ))),
    }
}

fn play(ranks: &impl Ranks, node: &str, arguments: &rollout::Arguments) -> Result<(), Failure> {
    let is_first = ranks.rank() == 0;
    let begun = if is_first {
        begin(arguments).map(|(rollout, checkpoint)| (Some(rollout), checkpoint))
    } else {
        Ok((None, None))
    };
    let (begun, checkpoint) = agree(ranks, begun)?;
    let mut rollout = hand_on(ranks, begun.as_ref());
    let (cancel, workers, header) = start(ranks, node, &arguments.machine)?;
    let bar = Bar::new();
    let session = arguments.session(cancel, checkpoint)?;
    let played = play_by_ranks(&mut rollout, ranks, &workers, &session, |far| bar.show_rollout(far));
    drop(bar);
    let written = if is_first {
        arguments.finish(&rollout, played, &header)
    } else {
        Ok(())
    };
    agree(ranks, written)
}

/// Searches: each rank grows a share of the trees.
fn find(ranks: &impl Ranks, node: &str, arguments: &search::Arguments) -> Result<(), Failure> {
    let is_first = ranks.rank() == 0;
    let begun = match arguments.shard {
        Some(_) => Err(Failure::usage("the ranks divide the trees: leave --shard out")),
        None => arguments.task(Some(share(ranks))),
    };
    let begun = begun.and_then(|task| {
        let target = match is_first {
            true => arguments.target()?,
            false => None,
        };
        Ok((task, target))
    });
    let (task, target) = agree(ranks, begun)?;
    let (cancel, workers, header) = start(ranks, node, &arguments.machine)?;
    let found = arguments.search(task.cancelled_by(&cancel), &workers);
    let written = match collect(ranks, &found) {
        Some(whole) => arguments
            .print_head(&whole, &header)
            .and_then(|()| arguments.finish(&whole, target.as_ref(), &header)),
        None => Ok(()),
    };
    agree(ranks, written)
}

fn share(ranks: &impl Ranks) -> Shard {
    let (rank, count) = (ranks.rank() as u64, ranks.count() as u64);
    Shard::new(rank + 1, count).expect("ranks are below their number")
}

/// The merged result of all ranks, on rank 0. Its time is the slowest rank's.
fn collect(ranks: &impl Ranks, found: &SearchResult) -> Option<SearchResult> {
    let text = found.to_json();
    let words = |length: u64| length.div_ceil(8) as usize;
    let lengths = gather(ranks, text.len() as u64);
    // Each rank has its text in its own section, and zeros elsewhere: the sum over ranks joins the texts.
    let ends = lengths.iter().scan(0, |end, &length| {
        *end += words(length);
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    let mut sum = vec![0; *ends.last()?];
    let own = ends[ranks.rank()] - words(text.len() as u64);
    for (word, bytes) in sum[own..].iter_mut().zip(text.as_bytes().chunks(8)) {
        let mut padded = [0; 8];
        padded[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(padded);
    }
    ranks.sum(&mut sum);
    if ranks.rank() > 0 {
        return None;
    }
    let parts = lengths.iter().zip(&ends).map(|(&length, &end)| {
        let words = &sum[end - words(length)..end];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let text = str::from_utf8(&bytes[..length as usize]).expect("ranks send text");
        SearchResult::from_json(text).expect("ranks send searches")
    });
    let parts: Vec<SearchResult> = parts.collect();
    let whole = SearchResult::sum(&parts).expect("ranks have the parts of one search");
    let longest = parts.iter().map(SearchResult::elapsed).max()?;
    Some(whole.taking(longest))
}

/// The switch that ends this rank, its workers, and the machine of all ranks.
fn start(ranks: &impl Ranks, node: &str, machine: &WorkerOptions) -> Result<(Cancel, Workers, Header), Failure> {
    let cpus = own_cpus(ranks, node, &Cpus::allowed());
    let started = interrupt::cancel_on_interrupt().and_then(|cancel| Ok((cancel, machine.start_on(&cpus)?)));
    let (cancel, (workers, header)) = agree(ranks, started)?;
    let header = header.of_ranks(gather(ranks, workers.count() as u64));
    if ranks.rank() == 0 {
        header.remark();
    }
    Ok((cancel, workers, header))
}

/// The rollout of the arguments, and its checkpoint.
fn begin(arguments: &rollout::Arguments) -> Result<(Rollout, Option<Checkpoint>), Failure> {
    if arguments.positions.is_some() {
        return Err(Failure::usage(
            "tavli-mpi cannot play a table of positions: use tavli rollout --positions",
        ));
    }
    BackgammonRollout::of(arguments)?.begin()
}

/// The numbers of all ranks, in order, on every rank.
fn gather(ranks: &impl Ranks, number: u64) -> Vec<u64> {
    let mut numbers = vec![0; ranks.count()];
    numbers[ranks.rank()] = number;
    ranks.sum(&mut numbers);
    ranks.broadcast(&mut numbers);
    numbers
}

/// The value of each rank; if any rank failed, a failure on every rank, reported by the first that failed.
fn agree<T>(ranks: &impl Ranks, made: Result<T, Failure>) -> Result<T, Failure> {
    let own = match &made {
        Ok(_) => 0,
        Err(failure) => 1 + u64::from(failure.status()),
    };
    let all = gather(ranks, own);
    match (made, all.iter().position(|&code| code != 0)) {
        (Err(failure), Some(first)) if first == ranks.rank() => Err(match failure {
            Failure::Usage(message) if first > 0 => Failure::usage(of_rank(first, &message)),
            Failure::Run(message) if first > 0 => Failure::run(of_rank(first, &message)),
            failure => failure,
        }),
        (_, Some(first)) => Err(Failure::Elsewhere((all[first] - 1) as u8)),
        (made, None) => made,
    }
}

fn of_rank(rank: usize, message: &str) -> String {
    format!("rank {rank}: {message}")
}

/// The rollout of rank 0 on every rank, whether or not they see the same files.
fn hand_on(ranks: &impl Ranks, rollout: Option<&Rollout>) -> Rollout {
    let text = rollout.map_or_else(String::new, Rollout::to_json);
    let mut length = [text.len() as u64];
    ranks.broadcast(&mut length);
    let [length] = length.map(|length| length as usize);
    let mut bytes = text.into_bytes();
    bytes.resize(length.next_multiple_of(8), b' ');
    let (words, _) = bytes.as_chunks();
    let mut words: Vec<u64> = words.iter().copied().map(u64::from_le_bytes).collect();
    ranks.broadcast(&mut words);
    let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
    let text = str::from_utf8(&bytes[..length]).expect("rank 0 sent text");
    Rollout::from_json(text).expect("rank 0 sent a rollout")
}

/// The share of the CPUs for this rank, divided with the ranks of its node that may use the same CPUs.
fn own_cpus(ranks: &impl Ranks, node: &str, allowed: &Cpus) -> Cpus {
    let mut hasher = DefaultHasher::new();
    (node, allowed.list()).hash(&mut hasher);
    let own = hasher.finish();
    let all = gather(ranks, own);
    let same = |homes: &[u64]| homes.iter().filter(|&&home| home == own).count();
    allowed.share(same(&all[..ranks.rank()]), same(&all))
}

#[cfg(test)]
#[path = "../../../kernel/rollout/tests/support/ranks.rs"]
mod processes;

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroUsize;
    use std::thread;
    use tavli::run::{CpuList, Pinning, Placement, Topology};
    use tavli::search::{Budget, Request};
    use tavli::{Board, Position, Tier};

    /// The values that `count` ranks make.
    fn each<T: Send>(count: usize, make: impl Fn(&processes::Thread) -> T + Sync) -> Vec<T> {
        let make = &make;
        thread::scope(|scope| {
            let processes = processes::threads(count)
                .into_iter()
                .map(|ranks| scope.spawn(move || make(&ranks)));
            let processes: Vec<_> = processes.collect();
            let made = processes.into_iter().map(|process| process.join());
            made.map(|made| made.expect("no process failed")).collect()
        })
    }

    #[test]
    fn the_first_failure_is_that_of_all() {
        let made = each(4, |ranks| {
            let rank = ranks.rank();
            let made = match rank {
                0 | 2 => Ok(rank),
                1 => Err(Failure::usage("no such CPU")),
                _ => Err(Failure::run("no more threads")),
            };
            agree(ranks, made)
        });
        for (rank, made) in made.into_iter().enumerate() {
            let failure = made.expect_err("rank 1 failed");
            assert_eq!(failure.status(), 2, "rank {rank}");
            match failure {
                Failure::Usage(message) => {
                    assert_eq!((rank, &*message), (1, "rank 1: no such CPU"))
                }
                failure => assert!(rank != 1 && matches!(failure, Failure::Elsewhere(2))),
            }
        }
        let made = each(2, |ranks| agree(ranks, Ok(ranks.rank())).ok());
        assert_eq!(made, [Some(0), Some(1)]);
    }

    #[test]
    fn all_have_the_rollout_of_the_first() {
        let request = tavli::rollout::Request {
            roll: Some("65".parse().expect("a roll")),
            ..tavli::rollout::Request::default()
        };
        let rollout = request.rollout(&Board::START.into()).expect("a rollout");
        let handed = each(3, |ranks| {
            let own = (ranks.rank() == 0).then_some(&rollout);
            hand_on(ranks, own).to_json()
        });
        assert_eq!(handed, [rollout.to_json(), rollout.to_json(), rollout.to_json()]);
    }

    #[test]
    fn ranks_find_what_one_process_finds() {
        let request = |shard| Request {
            roll: Some("65".parse().expect("a roll")),
            budget: Budget::simulations(2_003),
            shard,
            ..Request::default()
        };
        let position = Position::from(Board::START);
        let find = |shard| {
            let placement = Placement::new(&Cpus::allowed(), Pinning::None, NonZeroUsize::new(1));
            let workers = Workers::start(&placement.expect("a place")).expect("workers");
            let task = request(shard).prepare(&position, Tier::best());
            task.expect("a search").run(&workers, |_| ())
        };
        let whole = find(None);
        for count in [1, 3] {
            let found = each(count, |ranks| collect(ranks, &find(Some(share(ranks)))));
            let [Some(first), others @ ..] = &found[..] else {
                panic!("rank 0 has what all have found");
            };
            assert!(others.iter().all(Option::is_none));
            assert!(first.is_whole());
            let first = first.clone().taking(whole.elapsed());
            assert_eq!(first.to_json(), whole.to_json());
        }
    }

    #[test]
    fn ranks_of_a_node_divide_its_cpus() {
        // Two nodes of four cores; on the second the ranks are bound to halves of it.
        let cpus = each(5, |ranks| {
            let (node, allowed) = match ranks.rank() {
                3 => ("second", "0-1"),
                4 => ("second", "2-3"),
                _ => ("first", "0-3"),
            };
            let allowed: CpuList = allowed.parse().expect("a list");
            let allowed = Cpus::new(Topology::default(), &allowed, Some(2.0));
            let own = own_cpus(ranks, node, &allowed);
            (own.list().to_string(), own.granted().expect("a grant"))
        });
        let lists: Vec<&str> = cpus.iter().map(|(list, _)| &**list).collect();
        assert_eq!(lists, ["0", "1", "2-3", "0-1", "2-3"]);
        assert_eq!(cpus[0].1, 2.0 / 3.0);
        assert_eq!(cpus[4].1, 2.0);
    }
}
