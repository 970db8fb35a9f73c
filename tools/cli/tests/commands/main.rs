//! The tests of the command in one program, which is compiled and linked once: `cargo test --test commands rollout::`
//! runs those of a file.

mod bearoff;
mod bench;
mod cube;
mod duel;
mod engines;
mod evaluate;
mod files;
mod games;
mod gnubg_scripts;
#[cfg(unix)]
mod interrupts;
mod jsonrpc;
#[cfg(unix)]
mod killed_rollouts;
mod pasted;
mod play;
mod playout;
mod plays;
mod policies;
mod positions;
mod profile;
mod rollout;
mod rollout_tables;
mod saved_games;
mod search;
mod serve;
#[cfg(unix)]
mod solve;
#[path = "../support/mod.rs"]
mod support;
mod topology;
#[cfg(unix)]
mod train;
#[cfg(unix)]
mod tune;
#[cfg(unix)]
mod turns;
mod usage;
mod variance_reduction;
