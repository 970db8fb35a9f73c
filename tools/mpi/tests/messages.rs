//! The messages between ranks, with threads in their place.

#[path = "../../../kernel/rollout/tests/support/ranks.rs"]
mod processes;

use std::num::NonZeroUsize;
use std::thread;

use tavli::rollout::Communicator;
use tavli::run::{CpuList, Cpus, Pinning, Placement, Topology, Workers};
use tavli::search::{Budget, SearchRequest};
use tavli::{Board, Position, Tier};
use tavli_mpi::{agree_on_result, broadcast_rollout, merge_searches, share_of_cpus, share_of_trees};
use tavli_terminal::failure::Failure;

/// The values that `count` ranks make.
fn each<T: Send>(count: usize, make: impl Fn(&processes::Thread) -> T + Sync) -> Vec<T> {
    let make = &make;
    thread::scope(|scope| {
        let processes = processes::threads(count).into_iter().map(|ranks| scope.spawn(move || make(&ranks)));
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
        agree_on_result(ranks, made)
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
    let made = each(2, |ranks| agree_on_result(ranks, Ok(ranks.rank())).ok());
    assert_eq!(made, [Some(0), Some(1)]);
}

#[test]
fn all_have_the_rollout_of_the_first() {
    let request = tavli::rollout::RolloutRequest {
        roll: Some("65".parse().expect("a roll")),
        ..tavli::rollout::RolloutRequest::default()
    };
    let rollout = request.rollout(&Board::START.into()).expect("a rollout");
    let handed = each(3, |ranks| {
        let own = (ranks.rank() == 0).then_some(&rollout);
        broadcast_rollout(ranks, own).to_json()
    });
    assert_eq!(handed, [rollout.to_json(), rollout.to_json(), rollout.to_json()]);
}

#[test]
fn ranks_find_what_one_process_finds() {
    let request = |shard| SearchRequest {
        roll: Some("65".parse().expect("a roll")),
        budget: Budget::simulations(2_003),
        shard,
        ..SearchRequest::default()
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
        let found = each(count, |ranks| merge_searches(ranks, &find(Some(share_of_trees(ranks)))));
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
        let own = share_of_cpus(ranks, node, &allowed);
        (own.list().to_string(), own.granted().expect("a grant"))
    });
    let lists: Vec<&str> = cpus.iter().map(|(list, _)| &**list).collect();
    assert_eq!(lists, ["0", "1", "2-3", "0-1", "2-3"]);
    assert_eq!(cpus[0].1, 2.0 / 3.0);
    assert_eq!(cpus[4].1, 2.0);
}
