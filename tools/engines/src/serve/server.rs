//! The state that all requests share: the engine, the jobs and the limits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use tavli::engine::Engine;
use tavli::run::{Cancel, Workers};
use tavli::{Tier, named};
use tavli_terminal::failure::Failure;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::jobs::Jobs;
use super::refusal::Refusal;
use crate::EngineSettings;

/// The most games of a sampled evaluator that a client may name.
// The name of a player must not let a client ask for any amount of work.
const MAX_SAMPLED: u32 = 144;

/// What requests may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest that a request may take.
    pub request_time: Duration,
    /// The longest that a job may take.
    pub job_time: Duration,
    /// Jobs at a time.
    pub jobs: usize,
    /// The trials of a rollout.
    pub trials: u64,
}

/// The state that all requests share.
#[derive(Debug)]
pub struct Server {
    /// The engine that answers.
    pub engine: Engine,
    /// The tier that code runs on.
    pub tier: Tier,
    /// The workers of jobs, and of an engine that does not value at once.
    pub workers: Arc<Workers>,
    cancel: Cancel,
    /// The jobs that requests began.
    pub jobs: Jobs,
    /// What requests may take.
    pub limits: Limits,
    /// The token that a client must send; without one, everybody may ask.
    pub(super) token: Option<String>,
    /// Permits for long computations: as many requests as there are workers may compute at a time.
    permits: Arc<Semaphore>,
}

/// Throws a switch when it is dropped: with the request that waited for the result.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Server {
    /// A server with its engine and its workers.
    pub(super) fn start(
        limits: &Limits,
        settings: &EngineSettings,
        token: Option<&str>,
        cancel: &Cancel,
    ) -> Result<Arc<Server>, Failure> {
        let workers = Arc::new(settings.machine.start(None)?);
        let mut engine = settings.start_on(Workers::here(), cancel)?;
        // Handing the parts of an answer to workers takes longer than valuing at once.
        if !engine.values_at_once() {
            engine.set_workers(Arc::clone(&workers));
        }
        Ok(Arc::new(Server {
            tier: engine.tier(),
            engine,
            jobs: Jobs::new(limits.jobs, limits.job_time, cancel),
            cancel: cancel.clone(),
            limits: limits.clone(),
            token: token.map(str::to_owned),
            permits: Arc::new(Semaphore::new(workers.count())),
            workers,
        }))
    }

    /// Asks the engine.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(Engine) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        if !self.engine.values_at_once() {
            return self.compute(question).await;
        }
        // On the thread of the connection: handing it over took longer than the answer (profiles/LOG.md, 2026-11-26).
        let engine = self.engine.clone();
        catch_unwind(AssertUnwindSafe(|| question(engine))).unwrap_or_else(|_| Err(Refusal::internal()))
    }

    /// Computes an answer on a thread that may take its time. The computation is cancelled with its request: by its
    /// time limit, or the end of the server.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(Engine) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let cancel = CancelOnDrop(self.cancel.child());
        let mut engine = self.engine.clone();
        engine.set_cancel(&cancel.0);
        let computed = spawn_blocking(move || {
            let answer = work(engine);
            drop(permit);
            answer
        });
        // The only other failure is a panic.
        computed.await.unwrap_or_else(|_| Err(Refusal::internal()))
    }

    /// The name of a player that clients may ask for. Files and tables of the machine are not among them.
    ///
    /// # Errors
    /// The [`Refusal`] lists the names.
    pub fn player<'a>(&self, name: &'a str) -> Result<&'a str, Refusal> {
        let mut names: Vec<&str> = named::names().chain(["sampled"]).collect();
        if !names.contains(&self.engine.player()) {
            names.push(self.engine.player());
        }
        match names.contains(&name) || is_sampled(name) {
            true => Ok(name),
            false => Err(Refusal::invalid(format_args!(
                "'{name}' is not a player of this server: choose one of {}, sampled:GAMES:POLICY of at most \
                 {MAX_SAMPLED} games",
                names.join(", ")
            ))),
        }
    }
}

/// Whether a name stands for the sampled evaluator with few games, by a policy that is built in.
fn is_sampled(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("sampled:") else {
        return false;
    };
    let (games, policy) = rest.split_once(':').unwrap_or((rest, "uniform"));
    let is_few = games.parse().is_ok_and(|games: u32| (1..=MAX_SAMPLED).contains(&games));
    is_few && named::names().any(|built_in| built_in == policy)
}
