//! Signals that ask the program to end: the first ends the run with its result so far.

use std::io;
#[cfg(not(unix))]
use std::process;
#[cfg(unix)]
use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tavli::run::Cancel;

use crate::failure::Failure;
use crate::numbers::counted;
use crate::output;

/// The message of a command that was ended before it had a result.
pub const NO_RESULT: &str = "interrupted before the end: there is no result";

/// Fails if a run that may have been interrupted has no result: no games, pairs of games or positions.
pub fn check_has_result(played: u64) -> Result<(), Failure> {
    match played {
        0 => Err(Failure::run(NO_RESULT)),
        _ => Ok(()),
    }
}

/// Says after how many lines of answers a list was interrupted. Fails if there are none.
pub fn report_lines(answered: u64) -> Result<(), Failure> {
    check_has_result(answered)?;
    output::write_message(format_args!("interrupted after {}", counted(answered, "line", "lines")));
    Ok(())
}

/// The switch that a request throws. It is unset while the command reads its options, and in commands that only print.
static SWITCH: OnceLock<Cancel> = OnceLock::new();

/// The exit status of a program ended by Ctrl-C: 128 plus the number of SIGINT.
const INTERRUPTED: i32 = 130;
/// The time after the first request in which Ctrl-C counts as the same request: a terminal, `timeout` and `mpirun`
/// signal both the process and its group, a moment apart.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// The time that the last message may take: standard error may be a pipe that nobody reads.
const LAST_WORDS: Duration = Duration::from_millis(150);

/// A request to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Signal {
    /// Ctrl-C, by a person who can repeat it.
    Interrupt,
    /// A request to terminate, or the end of the terminal.
    Terminate,
}

/// The requests so far.
#[derive(Debug)]
struct Signals {
    first: Option<Instant>,
}

static SIGNALS: Mutex<Signals> = Mutex::new(Signals { first: None });

impl Signals {
    /// Notes a request, and returns whether it is the first.
    fn is_first(&mut self, now: Instant) -> bool {
        let is_first = self.first.is_none();
        self.first.get_or_insert(now);
        is_first
    }

    /// Whether a request ends the program at once, without a result: Ctrl-C does, some time after the first request.
    fn end_at_once(&self, request: Signal, now: Instant) -> bool {
        let is_another = |first| now.duration_since(first) >= SAME_REQUEST;
        request == Signal::Interrupt && self.first.is_some_and(is_another)
    }
}

/// Listens for requests from now on. Until the command has its [switch](cancel_on_interrupt), the first request ends
/// the program with a message: an option that names a large bear-off table takes minutes to read. Call this once,
/// before other threads begin.
pub fn listen_from_the_start() -> Result<(), Failure> {
    #[cfg(unix)]
    let listening = {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        listen(&[SIGHUP, SIGTERM, SIGINT])
    };
    #[cfg(not(unix))]
    let listening = ctrlc::set_handler(|| hear(Signal::Interrupt)).map_err(io::Error::other);
    listening.map_err(cannot_listen)
}

/// A switch that Ctrl-C, a request to terminate, or the end of the terminal throws. Call this once, where work begins
/// that can be stopped: until then a request ends the program.
pub fn cancel_on_interrupt() -> Result<Cancel, Failure> {
    let switch = SWITCH.get_or_init(Cancel::new).clone();
    // Job queues send SIGXCPU, too, some time before they kill, for the sake of results.
    #[cfg(unix)]
    listen(&[signal_hook::consts::SIGXCPU]).map_err(cannot_listen)?;
    Ok(switch)
}

fn cannot_listen(error: io::Error) -> Failure {
    Failure::run(format_args!("cannot listen for Ctrl-C: {error}"))
}

fn hear(request: Signal) {
    let Some(switch) = SWITCH.get() else {
        end_with("error: interrupted before the end");
    };
    let mut requests = SIGNALS.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    if requests.end_at_once(request, now) {
        end(INTERRUPTED);
    }
    switch.cancel();
    if requests.is_first(now) {
        let watch = || {
            output::wait_until_unread();
            end_with("error: interrupted, and nobody reads the output: what was not yet written is lost");
        };
        // If the system has no thread left, Ctrl-C twice ends the program.
        let _ = thread::Builder::new().name("patience".to_owned()).spawn(watch);
    }
}

/// Ends the program by an error, with a message if standard error takes it at once.
fn end_with(words: &'static str) -> ! {
    let (said, is_said) = channel();
    let say = move || {
        output::write_message(words);
        said.send(()).unwrap_or_default();
    };
    if thread::Builder::new().spawn(say).is_ok() {
        let _ = is_said.recv_timeout(LAST_WORDS);
    }
    end(Failure::Reported.status().into())
}

/// Ends the program at once. The rest of a line of standard output is not written: it would wait for its reader.
fn end(status: i32) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(status);
    #[cfg(not(unix))]
    process::exit(status)
}

/// Lets an abort end the program with the exit status of an error, and not as a crash. Rust's runtime aborts if the
/// system refuses memory, after it has said how many bytes. There should be no other aborts; they too write their own
/// words first.
pub fn exit_on_abort() {
    #[cfg(unix)]
    {
        let status = Failure::Reported.status().into();
        let always = Arc::new(AtomicBool::new(true));
        // If it cannot be set, all is as before.
        let _ = signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, status, always);
    }
}

/// Ignores the signal of a file that grows beyond the limit of the process (`ulimit -f`): the write fails instead, as
/// on a full disk. Without this the system would kill the program, whose results would be lost.
pub fn ignore_file_size_signal() {
    #[cfg(unix)]
    {
        // A handler that only notes the signal, which nobody reads. If it cannot be set, all is as before.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}

/// Listens for `signals` on a separate thread, which [obeys](hear) them.
#[cfg(unix)]
fn listen(signals: &[i32]) -> io::Result<()> {
    use nix::sys::signal::{SigSet, SigmaskHow};
    use signal_hook::consts::{SIGHUP, SIGINT};
    use signal_hook::iterator::Signals;

    // `nohup` makes a program ignore the end of its terminal, and a script makes a background job ignore Ctrl-C: a
    // signal that is ignored at the start stays ignored. If the system does not tell, the end of the terminal is
    // ignored, for the sake of `nohup`.
    let ignored = ignored_signals().unwrap_or(1 << (SIGHUP - 1));
    let heard = signals.iter().filter(|&signal| ignored >> (signal - 1) & 1 == 0);
    // A signal between the system's and signal-hook's note of its handler would be lost, so signals wait meanwhile.
    let mask_before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
    let signals = Signals::new(heard);
    mask_before.thread_set_mask()?;
    let mut signals = signals?;
    let listen = move || {
        for signal in signals.forever() {
            hear(match signal {
                SIGINT => Signal::Interrupt,
                _ => Signal::Terminate,
            });
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
    Ok(())
}

/// The signals that this process ignores, a bit each; `None` if the system does not report them.
#[cfg(unix)]
fn ignored_signals() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_late_interrupt_ends_the_program_at_once() {
        use Signal::{Interrupt, Terminate};
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        for first in [Interrupt, Terminate] {
            let mut requests = Signals { first: None };
            for (request, milliseconds, ends) in [
                (first, 0, false),
                (Interrupt, 1, false),
                (Terminate, 2, false),
                (Interrupt, 999, false),
                (Terminate, 5000, false),
                (Interrupt, 1000, true),
            ] {
                let now = after(milliseconds);
                let ended = requests.end_at_once(request, now);
                assert_eq!(ended, ends, "{request:?} after {milliseconds} ms");
                assert_eq!(requests.is_first(now), milliseconds == 0);
            }
        }
    }
}
