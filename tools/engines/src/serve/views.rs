//! `/jobs`: how far jobs are, their results, and their end.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response, Sse};
use futures_util::stream::{self, Stream};
use serde::Serialize;
use tokio::time::timeout;

use super::jobs::{Job, JobState, ListedJob};
use super::refusal::{JSON, Parameters, Refusal};
use super::server::Server;

/// The longest that a request may wait for the end of a job, in seconds: less than clients and proxies wait themselves.
const MAX_WAIT: f64 = 20.0;

#[derive(Serialize)]
pub(super) struct List {
    jobs: Vec<ListedJob>,
}

/// The answer to the request that began a job.
pub fn started(job: &Job) -> Response {
    (StatusCode::ACCEPTED, [JSON], job.state().json.to_string()).into_response()
}

fn shown(state: &JobState) -> Response {
    ([JSON], state.json.to_string()).into_response()
}

fn job(server: &Server, id: Result<Path<u64>, PathRejection>) -> Result<Arc<Job>, Refusal> {
    let unnumbered = |_| {
        let most = u64::MAX;
        Refusal::not_found(format!("jobs have whole numbers, at most {most}: /jobs lists them"))
    };
    let Path(id) = id.map_err(unnumbered)?;
    server.jobs.get(id)
}

/// The seconds to wait for the end of a job: the parameter `wait`, or 0.
fn wait(parameters: Parameters) -> Result<f64, Refusal> {
    let Query(parameters) = parameters?;
    match &parameters[..] {
        [] => Ok(0.0),
        [(name, seconds)] if name == "wait" => {
            let seconds = seconds.parse();
            seconds.map_err(|_| Refusal::invalid("wait: write a number, such as 0.05"))
        }
        _ => Err(Refusal::invalid("the only parameter is wait, once: wait=SECONDS")),
    }
}

/// `GET /jobs`.
pub(super) async fn list(State(server): State<Arc<Server>>) -> Json<List> {
    Json(List { jobs: server.jobs.list() })
}

/// `GET /jobs/{id}`.
pub(super) async fn show(
    State(server): State<Arc<Server>>,
    id: Result<Path<u64>, PathRejection>,
    parameters: Parameters,
) -> Result<Response, Refusal> {
    let wait = wait(parameters)?;
    let job = job(&server, id)?;
    if !(0.0..=MAX_WAIT).contains(&wait) {
        let message = format_args!("a request waits 0 to {MAX_WAIT} seconds, not {wait}").to_string();
        return Err(Refusal::invalid(message).with_field("wait"));
    }
    let mut receiver = job.watch();
    // Either the job has ended, or the time to wait: the state says which.
    let _ = timeout(Duration::from_secs_f64(wait), receiver.wait_for(|state| state.is_finished())).await;
    Ok(shown(&job.state()))
}

/// `DELETE /jobs/{id}`.
pub(super) async fn remove(
    State(server): State<Arc<Server>>,
    id: Result<Path<u64>, PathRejection>,
) -> Result<Response, Refusal> {
    let job = job(&server, id)?;
    server.jobs.remove(&job);
    Ok(shown(&job.state()))
}

/// `GET /jobs/{id}/events`.
pub(super) async fn events(
    State(server): State<Arc<Server>>,
    id: Result<Path<u64>, PathRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let job = job(&server, id)?;
    let mut receiver = job.watch();
    receiver.mark_changed();
    // The stream keeps the job with its receiver, so that the job lasts as long.
    let events = stream::unfold(Some((job, receiver)), |next| async move {
        let (job, mut receiver) = next?;
        receiver.changed().await.ok()?;
        let state = receiver.borrow_and_update().clone();
        let name = if state.is_finished() { "end" } else { "progress" };
        let event = Event::default().event(name).data(&*state.json);
        Some((Ok(event), (!state.is_finished()).then_some((job, receiver))))
    });
    Ok(Sse::new(events))
}
