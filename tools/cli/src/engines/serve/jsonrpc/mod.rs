//! `tavli jsonrpc`: the answers of `tavli serve`, by JSON-RPC 2.0 on standard input and output.

mod calls;
mod frames;
mod members;

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use clap::Args;
use tokio::sync::mpsc::channel;

use self::calls::Calls;
use self::frames::Frame;
use super::routes::MOST_BYTES;
use super::{LimitOptions, listener};
use crate::engines::EngineOptions;
use crate::engines::log::LogOptions;
use crate::failure::Failure;
use crate::interrupt;

/// Frames read ahead.
const AHEAD: usize = 16;

/// Answer JSON-RPC 2.0 on standard input and output
///
/// Each message is a frame: Content-Length: N, an empty line, and N bytes of JSON. Methods are evaluate, plays,
/// rollout, decide and playouts, with the members that tavli serve has under these names. Rollouts, decisions and
/// playouts send the notification progress ten times a second, and end early by the notification cancel with the id of
/// their request. The end of the input ends it once all is answered, shutdown and Ctrl-C at once: what runs then ends
/// with what it has.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    log: LogOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    arguments.log.start();
    let server = super::server(&arguments.limits, &arguments.engine, None, &cancel)?;
    let cannot = |error: io::Error| Failure::run(format_args!("cannot serve: {error}"));
    let runtime = listener::runtime(server.workers.count()).map_err(cannot)?;
    let (sender, receiver) = channel(AHEAD);
    let read = move || {
        let mut input = io::stdin().lock();
        loop {
            let frame = frames::read(&mut input, MOST_BYTES);
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
    let (answers, mut messages) = channel::<Option<String>>(AHEAD);
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
    let calls = Arc::new(Calls::new(server, answers));
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
