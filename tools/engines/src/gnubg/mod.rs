//! `tavli gnubg`: the commands of GNU Backgammon's command line that scripts send, answered in its form.

mod answers;
mod export;
mod matches;
mod position_commands;
mod python;
mod session;
mod stakes_commands;
mod texts;

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use tavli::run::Cancel;

use super::frontend::{Frontend, LineAction, Stops};
use crate::EngineSettings;
use session::Session;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::output;

/// A `quit` within this time of a command's start belongs to the same piped script, and lets the command finish. A
/// later `quit` ends the command early.
const IN_ONE_PIECE: Duration = Duration::from_millis(200);

/// Where commands come from.
#[derive(Clone, Copy, Debug)]
pub enum Commands<'a> {
    /// The lines of a file; `-` is standard input.
    Lines(&'a Path),
    /// A Python script with the module `gnubg`.
    Script(&'a Path),
    /// The calls of the module of a script, on standard input.
    Calls,
}

/// Runs a session.
pub fn run(commands: Commands<'_>, settings: &EngineSettings) -> Result<(), Failure> {
    let banner = format!("tavli {}, which answers GNU Backgammon's commands\n\n\n\n", env!("CARGO_PKG_VERSION"));
    if let Commands::Script(script) = commands {
        return python::run(script, &banner);
    }
    let cancel = interrupt::cancel_on_interrupt()?;
    let (engine, workers) = settings.start_when_needed(&cancel)?;
    let mut session = Session::new(engine, workers);
    let Commands::Lines(path) = commands else {
        return python::answer(&mut session, &cancel);
    };
    let mut output = output::stdout();
    output.write_all(banner.as_bytes())?;
    let mut frontend = Frontend::open(path, &cancel)?;
    while let Some(line) = frontend.next()? {
        let goes_on = listening(&mut session, &line.text, &mut frontend, &cancel)?;
        output.write_all(&session.take_output())?;
        output.flush()?;
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// Obeys a line while reading lines: `quit` that comes meanwhile ends the work, and other lines wait. `false` if the
/// session ends.
fn listening(session: &mut Session, line: &str, frontend: &mut Frontend, cancel: &Cancel) -> Result<bool, Failure> {
    let (stop, begun) = (cancel.child(), Instant::now());
    session.engine.set_cancel(&stop);
    let stops = Stops { after: None, at_end: false };
    let action = |line: &str| match texts::words(line).next().map(str::to_lowercase).as_deref() {
        Some("quit" | "exit") if begun.elapsed() >= IN_ONE_PIECE => LineAction::Quit,
        _ => LineAction::Queue,
    };
    let obeyed = frontend.listen(&stop, stops, action, || session.obey_line(line, &stop));
    session.engine.set_cancel(cancel);
    Ok(obeyed??)
}
