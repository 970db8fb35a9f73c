//! `tavli gnubg`: the commands of GNU Backgammon's command line that scripts send, answered in its form.

mod answers;
mod export;
mod matches;
mod position_commands;
mod python;
mod session;
mod stakes_commands;
mod texts;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use tavli::run::Cancel;

use super::EngineOptions;
use super::frontend::{Frontend, Meaning, Stops};
use super::log::LogOptions;
use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use session::Session;

/// The time after the beginning of a command in which `quit` counts as sent with it: a script that is piped in one
/// piece has its whole answers, which `quit` sent later ends early.
const IN_ONE_PIECE: Duration = Duration::from_millis(200);

/// Answer GNU Backgammon's commands in its form
///
/// For programs that run gnubg -t -q and read what it prints: set xgid, set gnubgid, set dice, set evaluation, hint,
/// eval, rollout, show board, import mat, analyse match, show statistics match, export match text and others. Commands
/// come from -c FILE, or by -p FILE from a Python script, or from standard input. quit that is sent while a command
/// runs ends it, a rollout with what it has, and so does an output that nobody reads any more. Called by the name gnubg,
/// tavli is this command.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Commands from FILE, after which it ends
    #[arg(short = 'c', long = "commands", value_name = "FILE")]
    commands: Option<PathBuf>,
    /// Run a Python script with GNU Backgammon's module gnubg; needs Python 3 on the PATH
    #[arg(short = 'p', long = "python", value_name = "FILE")]
    python: Option<PathBuf>,
    /// Answer the calls of the module of a script
    // Short: hidden long options are old names, which are remarked.
    #[arg(short = 'C', hide = true)]
    calls: bool,
    /// No window, as GNU Backgammon's option
    #[arg(short = 't', long = "tty")]
    tty: bool,
    /// No sound, as GNU Backgammon's option
    #[arg(short = 'q', long = "quiet")]
    quiet: bool,
    /// No start-up files, as GNU Backgammon's option
    #[arg(short = 'r', long = "no-rc")]
    no_rc: bool,
    #[command(flatten)]
    log: LogOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

/// Called by the name `gnubg`, through a link, the program is this command: tools find it as they find GNU Backgammon.
pub(crate) fn as_called(arguments: &mut Vec<OsString>) {
    let name = arguments.first().map(Path::new).and_then(Path::file_stem);
    if name.is_some_and(|name| name == "gnubg") {
        arguments.insert(1, "gnubg".into());
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let banner = format!(
        "tavli {}, which answers GNU Backgammon's commands\n\n\n\n",
        env!("CARGO_PKG_VERSION")
    );
    // As in GNU Backgammon, a script does not run if there is a file of commands.
    if let (Some(script), None, false) = (&arguments.python, &arguments.commands, arguments.calls) {
        return python::run(script, &banner);
    }
    arguments.log.start();
    let cancel = interrupt::cancel_on_interrupt()?;
    let (engine, workers) = arguments.engine.start_when_needed(&cancel)?;
    let mut session = Session::new(engine, workers);
    if arguments.calls {
        return python::answer(&mut session, &cancel);
    }
    let mut output = output::stdout();
    output.write_all(banner.as_bytes())?;
    let path = arguments.commands.as_deref().unwrap_or(Path::new("-"));
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
    let stops = Stops {
        after: None,
        at_end: false,
    };
    let meaning = |line: &str| match texts::words(line).next().map(str::to_lowercase).as_deref() {
        Some("quit" | "exit") if begun.elapsed() >= IN_ONE_PIECE => Meaning::Quit,
        _ => Meaning::Later,
    };
    let obeyed = frontend.listen(&stop, stops, meaning, || session.obey_line(line, &stop));
    session.engine.set_cancel(cancel);
    Ok(obeyed??)
}
