//! The log of a server, if it is asked for: by `tracing`, to standard error.

use std::io;

use clap::{Args, ValueEnum};
use tracing::Level;

/// Whether and what a server logs.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct LogOptions {
    /// Log to standard error: info (connections, requests, jobs, shutdown) or debug (also each line in and out)
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "info")]
    log: Option<LogLevel>,
}

/// How much is logged.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogLevel {
    Info,
    Debug,
}

impl LogOptions {
    /// Logs from here on, if asked.
    pub(crate) fn start(self) {
        let Some(level) = self.log else {
            return;
        };
        let level = match level {
            LogLevel::Info => Level::INFO,
            LogLevel::Debug => Level::DEBUG,
        };
        // A closed standard error must not end the server, and there is nowhere else to report it.
        tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(io::stderr)
            .with_ansi(false)
            .with_target(false)
            .log_internal_errors(false)
            .init();
    }
}
