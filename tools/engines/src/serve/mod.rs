//! A server of HTTP for the clients of wildbg, bgweb-api and Nodots, with jobs and further paths of the program; and
//! the same paths by JSON-RPC.

mod bgweb;
mod connections;
mod jobs;
pub mod jsonrpc;
mod listener;
mod nodots;
mod refusal;
mod routes;
mod server;
mod views;
mod wildbg;

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};

use tavli::text::Quoted;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::output;
use tracing::info;

use crate::engine_settings::{EngineSettings, cannot_listen};

pub use jobs::{BestCandidate, Job, JobProgress, RunningJob};
pub use refusal::{Body, JSON, Refusal};
pub use routes::{OPENAPI, Paths, paths};
pub use server::{Limits, Server};
pub use views::started;

/// Where a server listens, and for whom.
#[derive(Clone, Copy, Debug)]
pub struct Listening<'a> {
    /// HOST:PORT, or a port of this machine.
    pub address: &'a str,
    /// The token that a client must send; without one, everybody on this machine may ask.
    pub token: Option<&'a str>,
}

/// Serves the requests of the protocols, about jobs, and of `paths`.
pub fn run(listening: Listening<'_>, limits: &Limits, settings: &EngineSettings, paths: Paths) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    let listener = listen(listening.address, listening.token.is_some())?;
    let server = Server::start(limits, settings, listening.token, &cancel)?;
    let cannot = |error: io::Error| Failure::run(format_args!("cannot serve at {}: {error}", listening.address));
    let address = listener.local_addr().map_err(cannot)?;
    let runtime = listener::runtime(server.workers.count()).map_err(cannot)?;
    let mut output = output::stdout();
    writeln!(output, "listening at http://{address}")?;
    output.flush()?;
    info!("listening at {address}");
    let router = routes::router(&server, paths);
    let served = listener::serve(runtime, listener, &router, &server.jobs, &cancel).map_err(cannot);
    info!("no longer listening");
    served
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
