//! Calls: their reading, their progress and their answers.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use futures_util::FutureExt;
use futures_util::future::{Either, select};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tavli::run::Cancel;
use tavli::text::{Quoted, without_mark};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::NO_RESULT;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::frames::Frame;
use super::members::Members;
use crate::serve::jobs::Job;
use crate::serve::refusal::MAX_BYTES;
use crate::serve::routes::{Paths, router};
use crate::serve::server::Server;

/// Between two looks whether a signal came.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The time that calls have to end after a signal.
const TIME_TO_END: Duration = Duration::from_millis(200);
/// Calls at a time; most of them wait for a worker.
const MAX_CALLS: usize = 256;

/// The codes of errors, as JSON-RPC 2.0 and its servers number them.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;
const BUSY: i32 = -32000;
const TIMEOUT: i32 = -32001;

/// The calls of a client.
pub(super) struct Calls {
    server: Arc<Server>,
    routes: TowerToHyperService<Router>,
    /// Messages to write, and at their end `None`.
    output: Sender<Option<String>>,
    /// Calls that wait for their answers, by their ids as JSON.
    waiting: Mutex<HashMap<String, Waiting>>,
    is_shut_down: AtomicBool,
}

/// A call without an answer yet.
#[derive(Default)]
struct Waiting {
    /// Notified when the call is cancelled.
    cancelled: Arc<Notify>,
    job: Option<Arc<Job>>,
}

impl Waiting {
    fn cancel(&self) {
        match &self.job {
            Some(job) => job.cancel(),
            // Kept until the call waits for it.
            None => self.cancelled.notify_one(),
        }
    }
}

/// A call that is well formed.
struct Call {
    /// The id as JSON; a notification has none.
    id: Option<String>,
    /// The id that the params name, as JSON.
    named_id: Option<String>,
    method: String,
    params: Map<String, Value>,
}

/// The ids of a call as they are written: a [`Value`] would change a number beyond 64 bits.
#[derive(Deserialize)]
struct Ids<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    params: Named<'a>,
}

#[derive(Deserialize, Default)]
struct Named<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

/// An id as JSON; `None` if it is neither a number nor a text.
fn id_text(id: &Value, written: Option<&RawValue>) -> Option<String> {
    match (id, written) {
        (Value::Number(_), Some(written)) => Some(written.get().to_owned()),
        (Value::Number(_) | Value::String(_), _) => Some(id.to_string()),
        _ => None,
    }
}

/// Why a call has no result.
struct Fault {
    code: i32,
    message: String,
    data: Option<Value>,
}

/// The server's answer to a request that it refuses.
#[derive(Deserialize)]
struct Refused {
    error: RefusedError,
}

#[derive(Deserialize)]
struct RefusedError {
    code: String,
    message: String,
    field: Option<String>,
}

/// The server's answer to a request that begins a job.
#[derive(Deserialize)]
struct Begun {
    id: u64,
}

impl Fault {
    fn new(code: i32, message: impl ToString) -> Fault {
        Fault { code, message: message.to_string(), data: None }
    }

    /// A fault of a member of the message or of its params.
    fn about_member(code: i32, name: &str, message: impl ToString) -> Fault {
        Fault { data: Some(json!({ "code": "invalid_request", "field": name })), ..Fault::new(code, message) }
    }

    /// The fault of a member that nothing reads; `all` says which members there are.
    fn unknown_member(code: i32, name: &str, all: &str) -> Fault {
        let quoted = Quoted::new(name).within(40);
        Fault::about_member(code, name, format_args!("there is no member '{quoted}': {all}"))
    }

    /// The fault of a call that was cancelled before it had a result.
    fn interrupted() -> Fault {
        Fault { data: Some(json!({ "code": "interrupted" })), ..Fault::new(INTERNAL_ERROR, NO_RESULT) }
    }

    fn json(&self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        error
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Fault {
        let RefusedError { code, message, field } = refused.error;
        let number = match code.as_str() {
            "invalid_request" | "invalid_position_id" => INVALID_PARAMS,
            "timeout" => TIMEOUT,
            "busy" => BUSY,
            _ => INTERNAL_ERROR,
        };
        let mut data = json!({ "code": code });
        if let Some(field) = field {
            data["field"] = field.into();
        }
        Fault { data: Some(data), ..Fault::new(number, message) }
    }
}

/// The path of the server that answers a method.
fn path(method: &str) -> Option<&'static str> {
    match method {
        "evaluate" => Some("/evaluate"),
        "plays" => Some("/plays"),
        "rollout" => Some("/rollout"),
        "decide" => Some("/decide"),
        "playouts" => Some("/playouts"),
        _ => None,
    }
}

/// Reads a call. An error comes with the id to answer to.
fn read(bytes: &[u8]) -> Result<Call, (String, Fault)> {
    let null = || "null".to_owned();
    let Members { value, twice } =
        serde_json::from_slice(without_mark(bytes)).map_err(|error| (null(), Fault::new(PARSE_ERROR, error)))?;
    let invalid = |id: String, message: &str| (id, Fault::new(INVALID_REQUEST, message));
    let mut members = match value {
        Value::Object(members) => members,
        Value::Array(_) => return Err(invalid(null(), "a message is one object; calls are not sent in lists")),
        value => {
            let value = value.to_string();
            let value = Quoted::new(&value).within(40);
            let message = format!("a message is an object with jsonrpc, id, method and params, not {value}");
            return Err(invalid(null(), &message));
        }
    };
    let (mut written, mut named) = (None, None);
    // A member given twice, or params that are not an object, have their own errors.
    if let Ok(ids) = serde_json::from_slice::<Ids<'_>>(without_mark(bytes)) {
        (written, named) = (ids.id, ids.params.id);
    }
    let id = match members.remove("id") {
        None => None,
        Some(id) => match id_text(&id, written) {
            Some(id) => Some(id),
            None => return Err(invalid(null(), "an id is a number or a text")),
        },
    };
    let or_null = id.clone().unwrap_or_else(null);
    if let Some(name) = twice {
        // If there are two ids, neither is the call's.
        let to = if name == "id" { null() } else { or_null };
        let message = format_args!("'{}' is given twice: name each member once", Quoted::new(&name).within(40));
        return Err((to, Fault::new(INVALID_REQUEST, message)));
    }
    if members.remove("jsonrpc") != Some("2.0".into()) {
        return Err(invalid(or_null, "a message has the member \"jsonrpc\": \"2.0\""));
    }
    let Some(Value::String(method)) = members.remove("method") else {
        return Err(invalid(or_null, "a call names a method"));
    };
    let params = match members.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => {
            return Err((or_null, Fault::new(INVALID_PARAMS, "params are an object of named members")));
        }
    };
    if let Some(name) = members.keys().next() {
        let all = "a message has jsonrpc, id, method and params";
        return Err((or_null, Fault::unknown_member(INVALID_REQUEST, name, all)));
    }
    let named_id = params.get("id").and_then(|id| id_text(id, named));
    Ok(Call { id, named_id, method, params })
}

/// The answer with an error.
fn refusal(id: &str, fault: &Fault) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{}}}"#, fault.json())
}

/// The answer with a result, which is JSON.
fn reply(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

impl Calls {
    pub(super) fn new(server: Arc<Server>, paths: Paths, output: Sender<Option<String>>) -> Calls {
        Calls {
            routes: TowerToHyperService::new(router(&server, paths)),
            server,
            output,
            waiting: Mutex::default(),
            is_shut_down: AtomicBool::new(false),
        }
    }

    /// Answers calls until the input ends or the switch is thrown; then finishes the waiting ones.
    pub(super) async fn answer(
        self: &Arc<Self>,
        mut frames: Receiver<io::Result<Frame>>,
        writer: &JoinHandle<io::Result<()>>,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        // Everything that writes is a task, so that a client that does not read stops nothing here.
        let mut tasks = JoinSet::new();
        let mut ended = Ok(());
        while !self.ends(cancel) {
            while tasks.try_join_next().is_some() {}
            if tasks.len() >= MAX_CALLS {
                let _ = timeout(POLL_INTERVAL, tasks.join_next()).await;
                continue;
            }
            match timeout(POLL_INTERVAL, frames.recv()).await {
                Err(_) => {}
                Ok(None) => break,
                Ok(Some(Ok(Frame::Body(bytes)))) => match read(&bytes) {
                    Ok(call) => self.begin(call, &mut tasks),
                    Err((id, fault)) => self.write(refusal(&id, &fault), &mut tasks),
                },
                Ok(Some(Ok(Frame::TooLong(length)))) => {
                    let message = format_args!("a message of {length} bytes is longer than {MAX_BYTES}");
                    let fault = Fault::new(INVALID_REQUEST, message);
                    self.write(refusal("null", &fault), &mut tasks);
                }
                Ok(Some(Err(error))) => {
                    self.write(refusal("null", &Fault::new(PARSE_ERROR, &error)), &mut tasks);
                    ended = Err(Failure::run(format_args!("cannot read standard input: {error}")));
                    break;
                }
            }
        }
        let mut since = None;
        let mut is_late = || {
            self.ends(cancel) && {
                self.cancel_all();
                since.get_or_insert_with(Instant::now).elapsed() > TIME_TO_END
            }
        };
        while !tasks.is_empty() && !is_late() {
            let _ = timeout(POLL_INTERVAL, tasks.join_next()).await;
        }
        while !writer.is_finished() && !is_late() {
            // `None` ends the writer after the messages before it.
            let _ = self.output.try_send(None);
            sleep(POLL_INTERVAL / 10).await;
        }
        ended
    }

    fn ends(&self, cancel: &Cancel) -> bool {
        cancel.is_cancelled() || self.is_shut_down.load(Ordering::Relaxed) || self.output.is_closed()
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<String, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send(&self, message: String) {
        // If nobody reads, the loop ends everything.
        let _ = self.output.send(Some(message)).await;
    }

    fn write(self: &Arc<Self>, message: String, tasks: &mut JoinSet<()>) {
        let calls = Arc::clone(self);
        tasks.spawn(async move { calls.send(message).await });
    }

    /// Answers a call at once, or begins to.
    fn begin(self: &Arc<Self>, call: Call, tasks: &mut JoinSet<()>) {
        let Call { id, named_id, method, params } = call;
        let mut names = params.keys();
        let unknown = |name: &String, all| Fault::unknown_member(INVALID_PARAMS, name, all);
        let fault = match method.as_str() {
            "cancel" if named_id.is_none() => {
                let message = "cancel names the id of a call: a number or a text";
                Some(Fault::about_member(INVALID_PARAMS, "id", message))
            }
            "cancel" => names.find(|name| *name != "id").map(|name| unknown(name, "the params of cancel are id alone")),
            "shutdown" => names.next().map(|name| unknown(name, "shutdown has no params")),
            // The server reads the params of its paths.
            _ => None,
        };
        if let Some(fault) = fault {
            if let Some(id) = id {
                self.write(refusal(&id, &fault), tasks);
            }
            return;
        }
        let path = match method.as_str() {
            "cancel" => {
                let found = named_id.is_some_and(|id| self.cancel(&id));
                if let Some(id) = id {
                    self.write(reply(&id, &json!({ "cancelled": found }).to_string()), tasks);
                }
                return;
            }
            "shutdown" => {
                self.is_shut_down.store(true, Ordering::Relaxed);
                if let Some(id) = id {
                    self.write(reply(&id, "null"), tasks);
                }
                return;
            }
            method => path(method),
        };
        // A notification has no answer, and no call has another effect.
        let Some(id) = id else {
            return;
        };
        let Some(path) = path else {
            let message = format_args!(
                "there is no method '{}': evaluate, plays, rollout, decide, playouts, cancel and shutdown are",
                Quoted::new(&method).within(40)
            );
            return self.write(refusal(&id, &Fault::new(METHOD_NOT_FOUND, message)), tasks);
        };
        // Noted before the next frame is read, which may cancel the call.
        let cancelled = match self.waiting().entry(id.clone()) {
            Entry::Occupied(_) => None,
            Entry::Vacant(place) => Some(Arc::clone(&place.insert(Waiting::default()).cancelled)),
        };
        let Some(cancelled) = cancelled else {
            let fault = Fault::new(INVALID_REQUEST, "a call with this id waits");
            return self.write(refusal(&id, &fault), tasks);
        };
        let calls = Arc::clone(self);
        tasks.spawn(async move {
            let answer = calls.call(&id, path, params, &cancelled).await;
            calls.waiting().remove(&id);
            let answer = match answer {
                Ok(result) => reply(&id, &result),
                Err(fault) => refusal(&id, &fault),
            };
            calls.send(answer).await;
        });
    }

    /// Cancels the call of an id, if it waits.
    fn cancel(&self, id: &str) -> bool {
        let waiting = self.waiting();
        let call = waiting.get(id);
        call.inspect(|call| call.cancel());
        call.is_some()
    }

    fn cancel_all(&self) {
        self.waiting().values().for_each(Waiting::cancel);
    }

    /// The result of a call, as JSON: what the server answers to the same request by HTTP.
    async fn call(
        &self,
        id: &str,
        path: &str,
        params: Map<String, Value>,
        cancelled: &Notify,
    ) -> Result<String, Fault> {
        let fault = |error: &dyn std::fmt::Display| Fault::new(INTERNAL_ERROR, error);
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(Value::Object(params).to_string()))
            .map_err(|error| fault(&error))?;
        // Dropping the request cancels its computation. A job has a result so far, and is cancelled by itself.
        let response = match select(pin!(self.routes.call(request)), pin!(cancelled.notified())).await {
            Either::Left((response, _)) => response.map_err(|error| fault(&error))?,
            Either::Right(_) => return Err(Fault::interrupted()),
        };
        let status = response.status();
        let body = to_bytes(response.into_body(), usize::MAX).await;
        let body = body.map_err(|error| fault(&error))?;
        if status.is_client_error() || status.is_server_error() {
            let refused: Refused = serde_json::from_slice(&body).map_err(|error| fault(&error))?;
            return Err(refused.into());
        }
        if status != StatusCode::ACCEPTED {
            return Ok(String::from_utf8_lossy(&body).into_owned());
        }
        let begun: Begun = serde_json::from_slice(&body).map_err(|error| fault(&error))?;
        let job = self.server.jobs.get(begun.id);
        self.follow(id, &job.map_err(|_| Fault::new(INTERNAL_ERROR, "the job is gone"))?).await
    }

    /// Reports the progress of a job until it ends, and returns its result.
    async fn follow(&self, id: &str, job: &Arc<Job>) -> Result<String, Fault> {
        if let Some(call) = self.waiting().get_mut(id) {
            call.job = Some(Arc::clone(job));
            if call.cancelled.notified().now_or_never().is_some() {
                job.cancel();
            }
        }
        let mut states = job.watch();
        loop {
            let state = states.borrow_and_update().clone();
            if state.is_finished() {
                self.server.jobs.remove(job);
                return match state.failure() {
                    Some(message) => Err(Fault::new(INTERNAL_ERROR, message)),
                    None => Ok(state.json.to_string()),
                };
            }
            if state.has_progress() {
                let params = format!(r#"{{"id":{id},"job":{}}}"#, state.json);
                self.send(format!(r#"{{"jsonrpc":"2.0","method":"progress","params":{params}}}"#)).await;
            }
            // The job owns the sender, so it is not gone.
            let _ = states.changed().await;
        }
    }
}
