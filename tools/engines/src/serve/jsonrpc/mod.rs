//! `tavli jsonrpc`: the answers of `tavli serve`, by JSON-RPC 2.0 on standard input and output.

mod calls;
mod frames;
mod members;

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tokio::sync::mpsc::channel;

use self::calls::Calls;
use self::frames::Frame;
use super::refusal::MAX_BYTES;
use super::server::{Limits, Server};
use super::{Paths, listener};
use crate::EngineSettings;

/// Frames read ahead.
const FRAMES_AHEAD: usize = 16;

/// Answers calls on standard input: methods are the paths of requests that send JSON.
pub fn run(limits: &Limits, settings: &EngineSettings, paths: Paths) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    let server = Server::start(limits, settings, None, &cancel)?;
    let cannot = |error: io::Error| Failure::run(format_args!("cannot serve: {error}"));
    let runtime = listener::runtime(server.workers.count()).map_err(cannot)?;
    let (sender, receiver) = channel(FRAMES_AHEAD);
    let read = move || {
        let mut input = io::stdin().lock();
        loop {
            let frame = frames::read(&mut input, MAX_BYTES);
            let is_last = !matches!(frame, Ok(Some(Frame::Body(_) | Frame::TooLong(_))));
            let Some(frame) = frame.transpose() else {
                break;
            };
            if sender.blocking_send(frame).is_err() || is_last {
                break;
            }
        }
    };
    let reader = thread::Builder::new().name("frames".to_owned());
    reader.spawn(read).map_err(cannot)?;
    let (answers, mut messages) = channel::<Option<String>>(FRAMES_AHEAD);
    let write = move || {
        let mut output = io::stdout().lock();
        while let Some(Some(message)) = messages.blocking_recv() {
            frames::write(&mut output, &message)?;
        }
        Ok(())
    };
    // A client that does not read blocks this thread alone.
    let writer = thread::Builder::new().name("answers".to_owned());
    let writer: JoinHandle<io::Result<()>> = writer.spawn(write).map_err(cannot)?;
    let calls = Arc::new(Calls::new(server, paths, answers));
    let answered = runtime.block_on(calls.answer(receiver, &writer, &cancel));
    // Nobody waits for what is left.
    runtime.shutdown_background();
    if !writer.is_finished() {
        // The writer waits, with standard output locked, for a client that does not read and so counts as gone.
        return Err(Failure::ClosedPipe);
    }
    match writer.join() {
        Ok(Err(error)) => Err(Failure::writing("standard output", &error)),
        _ => answered,
    }
}
