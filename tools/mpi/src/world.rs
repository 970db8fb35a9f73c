//! The ranks of an MPI job.

use mpi::collective::SystemOperation;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Root};
use tavli::rollout;

/// The root rank of reductions and broadcasts.
const ROOT: mpi::Rank = 0;

/// The ranks of a job. MPI ends the job if a message cannot be passed.
pub(crate) struct World(SimpleCommunicator);

impl World {
    pub(crate) fn new(communicator: SimpleCommunicator) -> World {
        World(communicator)
    }

    /// Ends all ranks with an exit status.
    pub(crate) fn abort(&self, status: i32) -> ! {
        self.0.abort(status)
    }
}

impl rollout::Communicator for World {
    fn rank(&self) -> usize {
        self.0.rank() as usize
    }

    fn count(&self) -> usize {
        self.0.size() as usize
    }

    fn sum(&self, numbers: &mut [u64]) {
        let root = self.0.process_at_rank(ROOT);
        if self.0.rank() == ROOT {
            let own = numbers.to_vec();
            root.reduce_into_root(&own[..], numbers, SystemOperation::sum());
        } else {
            root.reduce_into(&*numbers, SystemOperation::sum());
        }
    }

    fn broadcast(&self, numbers: &mut [u64]) {
        self.0.process_at_rank(ROOT).broadcast_into(numbers);
    }
}
