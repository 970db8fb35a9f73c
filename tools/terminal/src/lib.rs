//! How tavli's commands meet a terminal: lines in and out, remarks, numbers as people read them, progress, signals, and
//! failures with their exit status.

pub mod answered_lines;
pub mod batches;
pub mod failure;
pub mod interrupt;
pub mod line_reader;
pub mod numbers;
pub mod output;
pub mod progress;
pub mod remarks;
