//! Matches in the text form of Jellyfish, `.mat`, read and written.

mod reader;
mod writer;
