//! The `tavli` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    tavli_cli::main()
}
