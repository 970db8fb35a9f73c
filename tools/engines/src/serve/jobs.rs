//! Work that takes longer than a request: jobs, which report their progress.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde::Serialize;
use tavli::run::{self, Cancel};
use tokio::sync::watch;
use tracing::info;

use super::refusal::Refusal;

/// The jobs that have ended and are kept, the last ones.
// Their results are kept whole, so the number bounds the memory of a server that runs for weeks.
const MAX_KEPT: usize = 64;

#[derive(Debug)]
pub struct Jobs {
    max_running: usize,
    max_time: Duration,
    cancel: Cancel,
    table: Mutex<JobTable>,
}

#[derive(Default, Debug)]
struct JobTable {
    last: u64,
    jobs: BTreeMap<u64, Arc<Job>>,
}

#[derive(Debug)]
pub struct Job {
    id: u64,
    kind: &'static str,
    cancel: Cancel,
    state: watch::Sender<JobState>,
}

/// How far a job is.
#[derive(Clone, Debug)]
pub(super) struct JobState {
    status: JobStatus,
    has_progress: bool,
    /// Why it failed.
    failure: Option<Arc<str>>,
    /// The state of the job as clients see it.
    pub(super) json: Arc<str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
enum JobStatus {
    Running,
    /// The job came to its own end.
    Done,
    /// The job was ended early, with the result so far.
    Cancelled,
    Failed,
}

/// How far work is.
#[derive(Serialize, Debug)]
pub struct JobProgress {
    /// The share that is done, 0 to 1.
    pub fraction: f64,
    /// Trials of a rollout, games of playouts.
    pub done: u64,
    pub per_second: f64,
    pub seconds: f64,
    /// Null until it is known.
    pub seconds_left: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<BestCandidate>,
}

/// The best candidate of a rollout so far.
#[derive(Serialize, Debug)]
pub struct BestCandidate {
    pub moves: Option<String>,
    pub equity: f64,
    pub standard_error: f64,
}

#[derive(Serialize)]
struct JobJson<'a, R> {
    id: u64,
    kind: &'a str,
    status: JobStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<&'a JobProgress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<R>,
    /// Why it failed, or why the server ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// A job in the list of all.
#[derive(Serialize, Debug)]
pub(super) struct ListedJob {
    id: u64,
    kind: &'static str,
    status: JobStatus,
}

/// A job, as its own thread sees it.
#[derive(Debug)]
pub struct RunningJob {
    job: Arc<Job>,
    max_time: Duration,
    start: Instant,
}

impl JobState {
    pub(super) fn is_finished(&self) -> bool {
        self.status != JobStatus::Running
    }

    /// Whether the job has reported progress.
    pub(super) fn has_progress(&self) -> bool {
        self.has_progress
    }

    /// Why the job failed, if it did.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

impl Job {
    /// The JSON of a state.
    fn json<R: Serialize>(
        &self,
        status: JobStatus,
        progress: Option<&JobProgress>,
        result: Option<R>,
        message: Option<String>,
    ) -> JobState {
        let failure = message.as_deref().filter(|_| status == JobStatus::Failed).map(Arc::from);
        let document = JobJson { id: self.id, kind: self.kind, status, progress, result, message };
        let json = serde_json::to_string(&document).expect("its members are numbers, texts and lists of them");
        JobState { status, has_progress: progress.is_some(), failure, json: json.into() }
    }

    /// Ends the job with its result so far.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    pub(super) fn watch(&self) -> watch::Receiver<JobState> {
        self.state.subscribe()
    }

    pub(super) fn state(&self) -> JobState {
        self.state.borrow().clone()
    }
}

impl RunningJob {
    pub fn cancel(&self) -> &Cancel {
        &self.job.cancel
    }

    /// Publishes the progress; cancels the job when its time is up.
    pub fn show(&self, progress: &JobProgress) {
        if self.is_late() {
            self.job.cancel();
        }
        let state = self.job.json::<()>(JobStatus::Running, Some(progress), None, None);
        self.job.state.send_replace(state);
    }

    /// Publishes how far games are.
    pub fn show_games(&self, progress: &run::Progress) {
        self.show_trials(progress, progress.items, None);
    }

    /// Publishes how far `done` trials of games are, and the best candidate so far.
    pub fn show_trials(&self, progress: &run::Progress, done: u64, best: Option<BestCandidate>) {
        self.show(&JobProgress {
            fraction: progress.fraction(),
            done,
            per_second: progress.items_per_second(),
            seconds: progress.elapsed.as_secs_f64(),
            seconds_left: progress.time_left().map(|time| time.as_secs_f64()),
            best,
        });
    }

    /// Publishes the result, whole or so far.
    pub fn finish(&self, result: &impl Serialize, cancelled: bool) {
        let status = if cancelled { JobStatus::Cancelled } else { JobStatus::Done };
        let message = (cancelled && self.is_late())
            .then(|| format!("ended after {} s, the longest that this server gives a job", self.max_time.as_secs()));
        let state = self.job.json(status, None, Some(result), message);
        self.job.state.send_replace(state);
        let how = if cancelled { "is cancelled" } else { "is done" };
        info!("job {} {how} after {:.1} s", self.job.id, self.start.elapsed().as_secs_f64());
    }

    fn fail(&self, message: String) {
        info!("job {} failed: {message}", self.job.id);
        let state = self.job.json::<()>(JobStatus::Failed, None, None, Some(message));
        self.job.state.send_replace(state);
    }

    fn is_late(&self) -> bool {
        self.start.elapsed() > self.max_time
    }
}

impl Jobs {
    /// At most `max_running` jobs run at a time, each for `max_time`.
    pub(super) fn new(max_running: usize, max_time: Duration, cancel: &Cancel) -> Jobs {
        Jobs { max_running, max_time, cancel: cancel.clone(), table: Mutex::default() }
    }

    /// Begins a job, on a thread of its own.
    ///
    /// # Errors
    /// The [`Refusal`] of one job too many.
    pub fn start(
        &self,
        kind: &'static str,
        work: impl FnOnce(&RunningJob) -> Result<(), String> + Send + 'static,
    ) -> Result<Arc<Job>, Refusal> {
        let mut table = self.table();
        let is_finished = |job: &Arc<Job>| job.state.borrow().is_finished();
        let running = table.jobs.values().filter(|job| !is_finished(job)).count();
        if running >= self.max_running {
            return Err(Refusal::new(
                StatusCode::TOO_MANY_REQUESTS,
                "busy",
                format_args!("{running} jobs run, as many as this server runs at a time: wait, or cancel one"),
            ));
        }
        let finished: Vec<u64> = table.jobs.values().filter(|job| is_finished(job)).map(|job| job.id).collect();
        for id in &finished[..finished.len().saturating_sub(MAX_KEPT - 1)] {
            table.jobs.remove(id);
        }
        table.last += 1;
        let job = Job {
            id: table.last,
            kind,
            cancel: self.cancel.child(),
            state: watch::Sender::new(JobState {
                status: JobStatus::Running,
                has_progress: false,
                failure: None,
                json: "".into(),
            }),
        };
        job.state.send_replace(job.json::<()>(JobStatus::Running, None, None, None));
        let job = Arc::new(job);
        table.jobs.insert(job.id, Arc::clone(&job));
        drop(table);
        let running = RunningJob { job: Arc::clone(&job), max_time: self.max_time, start: Instant::now() };
        info!("job {} begins: {kind}", job.id);
        let thread = thread::Builder::new().name(format!("job {}", job.id));
        let started = thread.spawn(move || {
            let worked = catch_unwind(AssertUnwindSafe(|| work(&running)));
            if let Err(message) = worked.unwrap_or_else(|_| Err("a fault of the engine".to_owned())) {
                running.fail(message);
            }
        });
        match started {
            Ok(_) => Ok(job),
            Err(error) => {
                self.table().jobs.remove(&job.id);
                Err(Refusal::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "busy",
                    format_args!("the system starts no thread: {error}"),
                ))
            }
        }
    }

    /// The job of a number.
    ///
    /// # Errors
    /// The [`Refusal`] of a number that no job has, or that no job has any more.
    pub(super) fn get(&self, id: u64) -> Result<Arc<Job>, Refusal> {
        let job = self.table().jobs.get(&id).cloned();
        job.ok_or_else(|| {
            Refusal::not_found(format_args!("there is no job {id}: the last {MAX_KEPT} that have ended are kept"))
        })
    }

    /// Cancels a job, or forgets it if it has ended.
    pub(super) fn remove(&self, job: &Job) {
        if job.state().is_finished() {
            self.table().jobs.remove(&job.id);
        }
        job.cancel();
    }

    /// All jobs, the first begun first.
    pub(super) fn list(&self) -> Vec<ListedJob> {
        let table = self.table();
        let jobs =
            table.jobs.values().map(|job| ListedJob { id: job.id, kind: job.kind, status: job.state.borrow().status });
        jobs.collect()
    }

    /// Returns when no job runs any more.
    pub(super) async fn ended(&self) {
        let running: Vec<Arc<Job>> = self.table().jobs.values().cloned().collect();
        for job in running {
            // The watcher keeps the job alive, so its state is not lost.
            let _ = job.watch().wait_for(JobState::is_finished).await;
        }
    }

    fn table(&self) -> MutexGuard<'_, JobTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::FutureExt;

    use super::*;

    /// However long a job takes to hear the signal, its clients get its end.
    #[test]
    fn the_end_of_a_job_is_waited_for() {
        let cancel = Cancel::new();
        let jobs = Jobs::new(2, Duration::MAX, &cancel);
        assert!(jobs.ended().now_or_never().is_some());
        let (go_on, wait) = mpsc::channel::<()>();
        let work = move |running: &RunningJob| {
            wait.recv().expect("the test goes on");
            running.finish(&7, running.cancel().is_cancelled());
            Ok(())
        };
        let job = jobs.start("test", work).unwrap_or_else(|_| panic!("there is room"));
        cancel.cancel();
        let mut ended = Box::pin(jobs.ended());
        assert!(ended.as_mut().now_or_never().is_none());
        go_on.send(()).expect("the job goes on");
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(ended);
        assert!(job.state().json.contains("\"cancelled\""), "{}", job.state().json);
    }
}
