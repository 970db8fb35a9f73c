//! How the games are played: in batches, with a cube, by workers, in sessions, and by several processes.

pub(crate) mod batch;
pub(crate) mod count;
pub(crate) mod cubeful;
pub(crate) mod driver;
pub(crate) mod ended_games;
pub(crate) mod interim;
pub(crate) mod progress;
pub(crate) mod ranks;
pub(crate) mod session;
#[cfg(test)]
mod simulated_races;
pub(crate) mod trials;
pub(crate) mod values;
pub(crate) mod watch;
pub(crate) mod workers;
