//! The tests of the command in one program, which is compiled and linked once: `cargo test --test commands rollout::`
//! runs the tests of a file.

mod bearoff;
mod bench;
mod cube;
mod duel;
mod engines;
mod evaluate;
mod external;
mod files;
mod game_playouts;
#[cfg(unix)]
mod game_rollouts;
mod games;
mod gnubg;
mod gnubg_scripts;
mod hub;
#[cfg(unix)]
mod interrupts;
mod jsonrpc;
#[cfg(unix)]
mod killed_rollouts;
#[cfg(unix)]
mod little_memory;
mod pasted;
#[cfg(unix)]
mod pipes;
mod play;
mod playout;
mod plays;
mod policies;
mod positions;
mod profile;
mod rollout;
mod rollout_decisions;
mod rollout_layouts;
mod rollout_refusals;
mod rollout_tables;
mod rollout_truncation;
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
mod ubgi;
#[cfg(unix)]
mod unfinished_tables;
#[cfg(unix)]
mod unfinished_values;
mod usage;
mod variance_reduction;
