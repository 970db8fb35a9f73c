//! `tavli serve` and `tavli jsonrpc`: one server for wildbg's, bgweb-api's and Nodots' clients, and for values,
//! rollouts, decisions and playouts, whose answers are the JSON of the commands.

mod any_game;
mod game_jobs;
mod playouts;
mod rollouts;
mod values;

use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use axum::routing::post;
use clap::Args;
use tavli_engines::serve::{self, Limits, Listening, Paths};
use tavli_terminal::failure::Failure;

use crate::arguments;
use crate::engines::{EngineOptions, LogOptions};

/// The shortest token.
const MIN_TOKEN_CHARACTERS: usize = 16;

/// Serve plays, values, decisions, rollouts and playouts over HTTP
///
/// Answers the requests of wildbg (/move, /eval), of bgweb-api (/api/v1/getmoves) and of Nodots (/v1), values positions
/// (/evaluate) and lists plays (/plays), and plays rollouts (/rollout), decisions (/decide) and games (/playouts) as
/// jobs, which report their progress and can be cancelled. /openapi.json describes all of them.
///
/// Any client that reaches the address may ask; listening beyond this machine requires a token. Ctrl-C ends the server;
/// its jobs keep their results so far.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// Where to listen: HOST:PORT, or a port of this machine; port 0 takes a free one, which is printed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: String,
    /// The token that clients must send in the header Authorization: Bearer TOKEN, 16 characters or more; better in the
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

/// Answer JSON-RPC 2.0 on standard input and output
///
/// Each message is a frame: Content-Length: N, an empty line, and N bytes of JSON. Methods are evaluate, plays,
/// rollout, decide and playouts, with the members that tavli serve has under these names. Rollouts, decisions and
/// playouts send the notification progress ten times a second, and end early by the notification cancel with the id of
/// their request.
///
/// The program ends at the end of the input once every request is answered, and on shutdown and Ctrl-C at once. A
/// request in progress is then answered with its result so far.
#[derive(Args, Debug)]
pub(crate) struct JsonRpc {
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    log: LogOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

/// The limits of requests.
#[derive(Args, Clone, Debug)]
pub(crate) struct LimitOptions {
    /// The most seconds that a request may take
    #[arg(long, value_name = "S", default_value = "30", allow_negative_numbers = true, value_parser = arguments::seconds)]
    request_seconds: Duration,
    /// The most seconds that a job may take
    #[arg(long, value_name = "S", default_value = "3600", allow_negative_numbers = true, value_parser = arguments::seconds)]
    job_seconds: Duration,
    /// Jobs at a time
    #[arg(long, value_name = "N", default_value = "4", allow_negative_numbers = true)]
    most_jobs: NonZeroUsize,
    /// The most trials of a rollout
    #[arg(long, value_name = "N", default_value = "10000000", allow_negative_numbers = true)]
    most_trials: NonZeroU64,
}

impl LimitOptions {
    fn limits(&self) -> Limits {
        Limits {
            request_time: self.request_seconds,
            job_time: self.job_seconds,
            jobs: self.most_jobs.get(),
            trials: self.most_trials.get(),
        }
    }
}

/// Reads a token.
fn token(text: &str) -> Result<String, String> {
    let is_sendable = text.bytes().all(|byte| byte.is_ascii_graphic());
    match text.len() >= MIN_TOKEN_CHARACTERS && is_sendable {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "a token has at least {MIN_TOKEN_CHARACTERS} characters: letters, digits and punctuation, no spaces"
        )),
    }
}

/// The paths besides those of the protocols and of jobs.
fn paths() -> Paths {
    vec![
        ("/evaluate", post(values::evaluate)),
        ("/plays", post(values::plays)),
        ("/rollout", post(rollouts::rollout)),
        ("/decide", post(rollouts::decide)),
        ("/playouts", post(playouts::playouts)),
    ]
}

pub(crate) fn serve(arguments: &Serve) -> Result<(), Failure> {
    arguments.log.start();
    let listening = Listening { address: &arguments.listen, token: arguments.token.as_deref() };
    let settings = arguments.engine.settings();
    serve::run(listening, &arguments.limits.limits(), &settings, paths())
}

pub(crate) fn jsonrpc(arguments: &JsonRpc) -> Result<(), Failure> {
    arguments.log.start();
    let settings = arguments.engine.settings();
    serve::jsonrpc::run(&arguments.limits.limits(), &settings, paths())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    #[test]
    fn the_document_describes_every_path() {
        let document: Value = serde_json::from_str(serve::OPENAPI).expect("JSON");
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
        let described: BTreeSet<&str> =
            document["paths"].as_object().expect("paths").keys().map(String::as_str).collect();
        let answered = serve::paths().into_iter().chain(paths());
        let answered: BTreeSet<&str> = answered.map(|(path, _)| path).collect();
        assert_eq!(described, answered);
    }
}
