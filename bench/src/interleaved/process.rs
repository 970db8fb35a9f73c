//! A process that ends in time, or is ended.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tavli::run::Cancel;

/// The most bytes that are read of a process's output. A record of a hundred cases takes a tenth of them.
const MAX_OUTPUT: u64 = 16 << 20;
/// How often a waiting process looks at the time and at Ctrl-C.
const GLANCE: Duration = Duration::from_millis(20);

/// How a process ended.
pub(super) enum Ended {
    /// By itself.
    Itself { status: ExitStatus, output: Vec<u8>, errors: Vec<u8> },
    /// Ended because its time was over.
    Late,
    /// Ended because the comparison was cancelled.
    Cancelled,
}

/// Runs a process until it ends, its time is over, or the comparison is cancelled.
pub(super) fn run(command: &mut Command, until: Instant, cancel: &Cancel) -> io::Result<Ended> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ctrl-C in a terminal goes to a whole group. The processes have a group of their own, so only this program ends
    // them.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn()?;
    let output = read(child.stdout.take());
    let errors = read(child.stderr.take());
    let limit = WaitLimit { until, cancel };
    let read = limit.receive(&output).and_then(|output| Ok((output, limit.receive(&errors)?)));
    let ended = read.and_then(|read| Ok((read, limit.wait(&mut child)?)));
    match ended {
        Ok(((output, errors), status)) => Ok(Ended::Itself { status: status?, output, errors }),
        Err(stopped) => {
            end(&mut child)?;
            Ok(stopped)
        }
    }
}

struct WaitLimit<'a> {
    until: Instant,
    cancel: &'a Cancel,
}

impl WaitLimit<'_> {
    /// The time until the next look; an error if the wait is over.
    fn glance(&self) -> Result<Duration, Ended> {
        if self.cancel.is_cancelled() {
            return Err(Ended::Cancelled);
        }
        let left = self.until.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(Ended::Late),
            false => Ok(left.min(GLANCE)),
        }
    }

    fn receive(&self, text: &Receiver<Vec<u8>>) -> Result<Vec<u8>, Ended> {
        loop {
            match text.recv_timeout(self.glance()?) {
                Ok(text) => return Ok(text),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
            }
        }
    }

    fn wait(&self, child: &mut Child) -> Result<io::Result<ExitStatus>, Ended> {
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(Ok(status)),
                Ok(None) => thread::sleep(self.glance()?.min(Duration::from_millis(1))),
                Err(error) => return Ok(Err(error)),
            }
        }
    }
}

/// Reads a stream to its end on a thread of its own, so that neither stream waits for the other.
fn read(stream: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    if let Some(stream) = stream {
        thread::spawn(move || {
            let mut text = Vec::new();
            // A broken stream yields what came before the break. After its process was ended, nobody waits for the
            // text.
            let _ = stream.take(MAX_OUTPUT).read_to_end(&mut text);
            let _ = sender.send(text);
        });
    }
    receiver
}

/// Ends a process and those it started.
fn end(child: &mut Child) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // They may have ended by themselves a moment ago.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    child.kill()?;
    child.wait().map(|_| ())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, time: Duration, cancel: &Cancel) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(&mut command, Instant::now() + time, cancel).unwrap()
    }

    const LONG: Duration = Duration::from_secs(3600);
    const SHORT: Duration = Duration::from_millis(50);

    #[test]
    fn a_process_ends_by_itself() {
        let Ended::Itself { status, output, errors } = shell("echo out; echo err >&2; exit 3", LONG, &Cancel::new())
        else {
            panic!("it ends");
        };
        assert_eq!(status.code(), Some(3));
        assert_eq!((&output[..], &errors[..]), (&b"out\n"[..], &b"err\n"[..]));
    }

    #[test]
    fn a_process_that_does_not_end_is_ended() {
        // The second keeps the pipe open by a process of its own; the third closes it and lives on.
        for script in ["sleep 3600", "sleep 3600 & sleep 3600", "exec >&- 2>&-; sleep 3600"] {
            assert!(matches!(shell(script, SHORT, &Cancel::new()), Ended::Late), "{script}");
            let cancel = Cancel::new();
            cancel.cancel();
            assert!(matches!(shell(script, LONG, &cancel), Ended::Cancelled));
        }
    }

    #[test]
    fn endless_output_is_cut() {
        let Ended::Itself { output, .. } = shell("yes", LONG, &Cancel::new()) else {
            panic!("its pipe is closed");
        };
        assert_eq!(output.len() as u64, MAX_OUTPUT);
    }
}
