//! The command `tavli-mpi`: rollouts and searches by the ranks of an MPI job, equal to those of `tavli` in one process.
//!
//! ```sh
//! mpirun -n 4 tavli-mpi rollout 4HPwATDgc/ABMA 31 --trials 1000000 --save opening.json
//! ```
//!
//! Arguments, output and the division of CPUs are in the library next to it, rounds and sums in
//! `tavli::rollout::play_by_ranks`; this program passes the messages.

mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use mpi::Threading;
use mpi::environment;

use world::World;

/// The exit status of a rank that panics, as of any Rust program.
const PANICKED: i32 = 101;

fn main() -> ExitCode {
    // Worker threads do not send messages.
    let (universe, _) = mpi::initialize_with_threading(Threading::Funneled).expect("MPI starts once");
    let world = World::new(universe.world());
    let node = environment::processor_name().unwrap_or_default();
    let run = || tavli_mpi::run(&world, &node, std::env::args_os());
    // A rank that unwound past this point would wait for the others to end, and they for its numbers.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| world.abort(PANICKED))
}
