//! `tavli serve` and `tavli jsonrpc`: one server for wildbg's, bgweb-api's and Nodots' clients, and for values,
//! rollouts, decisions and playouts, whose answers are the JSON of the commands.

mod game_jobs;
mod other_games;
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
use crate::engines::EngineOptions;

/// The shortest token.
const MIN_TOKEN_CHARACTERS: usize = 16;

/// Serve plays, values, decisions, rollouts and playouts over HTTP
///
/// /openapi.json describes all requests:
///
/// * as wildbg: /move, /eval; as bgweb-api: /api/v1/getmoves; as Nodots: /v1
///
/// * /evaluate values positions, /plays lists plays
///
/// * /rollout, /decide and /playouts play rollouts, decisions and games as jobs, which report their progress and can be
///   cancelled
///
/// Any client that reaches the address may ask; listening beyond this machine requires --token. Without a token,
/// requests with a Host other than localhost or an address are answered 403. Ctrl-C ends the server; its jobs keep
/// their results so far.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// Where to listen: HOST:PORT, or a port of this machine; port 0 takes a free one, which is printed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: String,
    /// Token of 16 characters or more, which clients must send in the header Authorization: Bearer TOKEN
    ///
    /// Give it by the environment, since other users see the arguments of programs.
    #[arg(long, value_name = "TOKEN", env = "TAVLI_TOKEN", hide_env_values = true, value_parser = token)]
    token: Option<String>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

/// Answer JSON-RPC 2.0 on standard input and output
///
/// Each message is a frame: Content-Length: N, an empty line, and N bytes of JSON. The methods are evaluate, plays,
/// rollout, decide and playouts, with the members that tavli serve has under these names.
///
/// Rollouts, decisions and playouts send the notification progress ten times a second. The notification cancel, with
/// the id of their request, ends them early.
///
/// The program ends at the end of the input once every request is answered. On shutdown and on Ctrl-C it ends at once,
/// and answers a request in progress with its result so far.
#[derive(Args, Debug)]
pub(crate) struct JsonRpc {
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

/// The limits of requests.
#[derive(Args, Clone, Debug)]
pub(crate) struct LimitOptions {
    /// Seconds that a request may take at most
    #[arg(long, value_name = "S", default_value = "30", allow_negative_numbers = true, value_parser = arguments::seconds)]
    request_seconds: Duration,
    /// Seconds that a job may take at most
    #[arg(long, value_name = "S", default_value = "3600", allow_negative_numbers = true, value_parser = arguments::seconds)]
    job_seconds: Duration,
    /// Jobs that may run at the same time
    #[arg(long, value_name = "N", default_value = "4", allow_negative_numbers = true)]
    most_jobs: NonZeroUsize,
    /// Trials that a rollout may have at most
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
    let listening = Listening { address: &arguments.listen, token: arguments.token.as_deref() };
    serve::run(listening, &arguments.limits.limits(), &arguments.engine.start(), paths())
}

pub(crate) fn jsonrpc(arguments: &JsonRpc) -> Result<(), Failure> {
    serve::jsonrpc::run(&arguments.limits.limits(), &arguments.engine.start(), paths())
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
