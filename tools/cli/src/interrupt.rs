//! Signals that ask the program to end: the first ends the run with its result so far.

use std::io;
use std::process;
#[cfg(unix)]
use std::sync::Arc;
use std::time::{Duration, Instant};

use tavli::run::Cancel;

use crate::failure::Failure;

/// What a command says that was ended before it had anything to print.
pub(crate) const NO_RESULT: &str = "interrupted before the end: there is no result";

/// The exit status of a program ended by Ctrl-C: 128 plus the number of SIGINT.
const INTERRUPTED: i32 = 130;
/// The time after the first request in which Ctrl-C counts as the same request: a terminal, `timeout` and `mpirun`
/// signal both the process and its group, a moment apart.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// A request to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Request {
    /// Ctrl-C, by a person who can repeat it.
    Interrupt,
    /// A request to terminate, or the end of the terminal.
    Terminate,
}

/// The requests so far.
#[derive(Debug, Default)]
struct Requests {
    first: Option<Instant>,
}

impl Requests {
    /// Whether a request ends the program at once, without a result: Ctrl-C does, some time after the first request.
    fn end_at_once(&mut self, request: Request, now: Instant) -> bool {
        let first = *self.first.get_or_insert(now);
        request == Request::Interrupt && now.duration_since(first) >= SAME_REQUEST
    }
}

/// A switch that Ctrl-C, a request to terminate, or the end of the terminal throws. Call it once.
pub(crate) fn cancel_on_interrupt() -> Result<Cancel, Failure> {
    let cancel = Cancel::new();
    let switch = cancel.clone();
    let mut requests = Requests::default();
    listen(move |request| {
        if requests.end_at_once(request, Instant::now()) {
            process::exit(INTERRUPTED);
        }
        switch.cancel();
    })
    .map_err(|error| Failure::run(format_args!("cannot listen for Ctrl-C: {error}")))?;
    Ok(cancel)
}

/// Has a file that grows beyond the limit of the process (`ulimit -f`) fail to be written, as on a full disk. Without
/// this the system would kill the program, and what it has with it.
pub(crate) fn outlive_large_files() {
    #[cfg(unix)]
    {
        // A handler that only notes the signal, which nobody reads. If it cannot be set, all is as before.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}

/// Calls `hear` with each request, on a separate thread.
#[cfg(unix)]
fn listen(mut hear: impl FnMut(Request) + Send + 'static) -> io::Result<()> {
    use nix::sys::signal::{SigSet, SigmaskHow};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU};
    use signal_hook::iterator::Signals;

    // `nohup` makes a program ignore the end of its terminal, and a script makes a background job ignore Ctrl-C: a
    // signal that is ignored at the start stays ignored.
    let heard = match ignored_signals() {
        // Job queues send SIGXCPU, too, some time before they kill.
        Some(ignored) => [SIGHUP, SIGTERM, SIGINT, SIGXCPU]
            .into_iter()
            .filter(|signal| ignored >> (signal - 1) & 1 == 0)
            .collect(),
        // Where nothing tells, the end of the terminal is left as it is, for the sake of `nohup`.
        None => vec![SIGTERM, SIGINT, SIGXCPU],
    };
    // A signal between the system's and signal-hook's note of its handler would be lost, so signals wait meanwhile.
    let mask_before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
    let signals = Signals::new(heard);
    mask_before.thread_set_mask()?;
    let mut signals = signals?;
    let listen = move || {
        for signal in signals.forever() {
            hear(match signal {
                SIGINT => Request::Interrupt,
                _ => Request::Terminate,
            });
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
    Ok(())
}

/// The signals that this process ignores, a bit each; `None` where the system does not report them.
#[cfg(unix)]
fn ignored_signals() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Calls `hear` with each request, on a separate thread.
#[cfg(not(unix))]
fn listen(mut hear: impl FnMut(Request) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || hear(Request::Interrupt)).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_late_interrupt_ends_the_program_at_once() {
        use Request::{Interrupt, Terminate};
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        for first in [Interrupt, Terminate] {
            let mut requests = Requests::default();
            for (request, milliseconds, ends) in [
                (first, 0, false),
                (Interrupt, 1, false),
                (Terminate, 2, false),
                (Interrupt, 999, false),
                (Terminate, 5000, false),
                (Interrupt, 1000, true),
            ] {
                let ended = requests.end_at_once(request, after(milliseconds));
                assert_eq!(ended, ends, "{request:?} after {milliseconds} ms");
            }
        }
    }
}
