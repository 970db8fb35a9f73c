//! How trials are played until a rule holds. A session is a loop around [`decide_next`], and so are the processes of a
//! job; a program that brings its own way to share work uses the same parts.

pub(crate) mod checkpoint;
mod driver;
mod looks;
mod on_workers;
pub(crate) mod progress;
pub(crate) mod resumable_rollout;
pub(crate) mod session;
mod session_clock;

pub use checkpoint::Saver;
pub use driver::{Interruption, NextStep, NextTrials, decide_next, is_look};
pub use on_workers::{play_on_workers, scheduler};
pub use session_clock::SessionClock;
