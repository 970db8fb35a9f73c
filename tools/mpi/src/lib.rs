//! The command `tavli-mpi` over any [`Communicator`](tavli::rollout::Communicator): a rollout, or a search, by several
//! processes. Its program, which passes their messages by MPI, is built with the feature `mpi`.

mod command;
mod messages;

pub use command::run;
pub use messages::{agree_on_result, broadcast_rollout, merge_searches, share_of_cpus, share_of_trees};
