//! `tavli serve`: one server of HTTP for wildbg's, bgweb-api's and Nodots' clients, and for rollouts, decisions and
//! playouts as jobs.

mod answered_stream;
mod bgweb;
mod connections;
mod jobs;
pub(crate) mod jsonrpc;
mod listener;
mod nodots;
mod other_games;
mod playouts;
mod refusal;
mod rollouts;
mod routes;
mod server;
mod values;
mod views;
mod wildbg;

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tavli::run::{Cancel, Workers};
use tavli::text::Quoted;
use tokio::sync::Semaphore;
use tracing::info;

use super::log::LogOptions;
use super::{EngineOptions, cannot_listen};
use crate::arguments;
use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use jobs::Jobs;
use server::{Limits, Server};

/// The shortest token.
const TOKEN: usize = 16;

/// Serve plays, values, decisions, rollouts and playouts over HTTP
///
/// Answers the requests of wildbg (/move, /eval), of bgweb-api (/api/v1/getmoves) and of Nodots (/v1), values positions
/// (/evaluate) and lists plays (/plays), and plays rollouts (/rollout), decisions (/decide) and games (/playouts) as
/// jobs, which tell how far they are and can be cancelled. /openapi.json describes all of them. Any client that reaches
/// the address may ask; listening beyond this machine requires a token. Ctrl-C ends it; jobs end with what they have.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Where to listen: HOST:PORT, or a port of this machine; port 0 takes a free one, which is printed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: String,
    /// What clients must send in the header Authorization: Bearer TOKEN, 16 characters or more; better in the
    /// environment, since other users see the arguments of programs
    #[arg(long, value_name = "TOKEN", env = "TAVLI_TOKEN", hide_env_values = true, value_parser = token)]
    token: Option<String>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    log: LogOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

/// What requests may take.
#[derive(Args, Clone, Debug)]
pub(crate) struct LimitOptions {
    /// The longest that a request may take
    #[arg(long, value_name = "S", default_value = "30", allow_negative_numbers = true, value_parser = arguments::seconds)]
    request_seconds: Duration,
    /// The longest that a job may take
    #[arg(long, value_name = "S", default_value = "3600", allow_negative_numbers = true, value_parser = arguments::seconds)]
    job_seconds: Duration,
    /// Jobs at a time
    #[arg(long, value_name = "N", default_value = "4", allow_negative_numbers = true)]
    most_jobs: NonZeroUsize,
    /// The most trials of a rollout
    #[arg(long, value_name = "N", default_value = "10000000", allow_negative_numbers = true)]
    most_trials: NonZeroU64,
}

/// Reads a token.
fn token(text: &str) -> Result<String, String> {
    let is_sendable = text.bytes().all(|byte| byte.is_ascii_graphic());
    match text.len() >= TOKEN && is_sendable {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "a token is {TOKEN} letters, digits and signs or more, without blanks"
        )),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    arguments.log.start();
    let listener = listen(&arguments.listen, arguments.token.is_some())?;
    let server = server(&arguments.limits, &arguments.engine, arguments.token.clone(), &cancel)?;
    let cannot = |error: io::Error| Failure::run(format_args!("cannot serve at {}: {error}", arguments.listen));
    let address = listener.local_addr().map_err(cannot)?;
    let runtime = listener::runtime(server.workers.count()).map_err(cannot)?;
    let mut output = output::stdout();
    writeln!(output, "listening at http://{address}")?;
    output.flush()?;
    info!("listening at {address}");
    let served = listener::serve(runtime, listener, &routes::router(&server), &server.jobs, &cancel).map_err(cannot);
    info!("no longer listening");
    served
}

/// A server with its engine and its workers.
fn server(
    limits: &LimitOptions,
    options: &EngineOptions,
    token: Option<String>,
    cancel: &Cancel,
) -> Result<Arc<Server>, Failure> {
    let (workers, _) = options.player.machine.start()?;
    let workers = Arc::new(workers);
    // Without looking ahead an answer takes less time than it takes to hand its parts to workers.
    let of_engine = match options.look_ahead {
        0 => Arc::new(Workers::here()),
        _ => Arc::clone(&workers),
    };
    let engine = options.player.start_on(of_engine, options.look_ahead, cancel)?;
    let permits = workers.count();
    Ok(Arc::new(Server {
        is_quick: options.look_ahead == 0,
        tier: engine.tier(),
        engine,
        workers,
        jobs: Jobs::new(limits.most_jobs.get(), limits.job_seconds, cancel),
        cancel: cancel.clone(),
        limits: Limits {
            request_time: limits.request_seconds,
            trials: limits.most_trials.get(),
            token,
        },
        permits: Arc::new(Semaphore::new(permits)),
    }))
}

/// Listens at an address; without a token, only at one of this machine.
fn listen(text: &str, has_token: bool) -> Result<TcpListener, Failure> {
    let cannot = |error: io::Error| cannot_listen(text, 8080, &error);
    let addresses: Vec<SocketAddr> = match text.parse::<u16>() {
        Ok(port) => vec![([127, 0, 0, 1], port).into()],
        Err(_) => text.to_socket_addrs().map_err(cannot)?.collect(),
    };
    if !has_token && !addresses.iter().all(|address| address.ip().is_loopback()) {
        return Err(Failure::usage(format_args!(
            "other machines may reach {}: give a token by --token or TAVLI_TOKEN, or listen at 127.0.0.1",
            Quoted::new(text)
        )));
    }
    TcpListener::bind(&addresses[..]).map_err(cannot)
}
