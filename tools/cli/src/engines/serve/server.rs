//! The state that all requests share: the engine, the jobs and the limits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use tavli::engine::Engine;
use tavli::run::{Cancel, Workers};
use tavli::{Tier, named};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::jobs::Jobs;
use super::refusal::Refusal;

/// The most games of a sampled evaluator that a client may name.
// The name of a player must not let a client ask for any amount of work.
const MOST_SAMPLED: u32 = 144;

/// The limits of the requests of a server.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) request_time: Duration,
    /// The trials of a rollout.
    pub(super) trials: u64,
    /// The token that a client must send; without one, everybody may ask.
    pub(super) token: Option<String>,
}

/// The state that all requests share.
pub(super) struct Server {
    pub(super) engine: Engine,
    /// Whether the engine answers in less time than it takes to hand a question to another thread and back.
    pub(super) is_quick: bool,
    pub(super) tier: Tier,
    pub(super) workers: Arc<Workers>,
    pub(super) cancel: Cancel,
    pub(super) jobs: Jobs,
    pub(super) limits: Limits,
    /// Permits for long computations: as many requests as there are workers may compute at a time.
    pub(super) permits: Arc<Semaphore>,
}

/// Throws a switch when it is dropped: with the request that waited for the result.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Server {
    /// Asks the engine.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(Engine) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        if !self.is_quick {
            return self.compute(question).await;
        }
        // On the thread of the connection: handing it over took longer than the answer (profiles/LOG.md, 2026-11-26).
        let engine = self.engine.clone();
        catch_unwind(AssertUnwindSafe(|| question(engine))).unwrap_or_else(|_| Err(Refusal::internal()))
    }

    /// Computes an answer on a thread that may take its time. The computation is cancelled with its request: by its
    /// client, its time limit, or the end of the server.
    pub(super) async fn compute<T: Send + 'static>(
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
    pub(super) fn player<'a>(&self, name: &'a str) -> Result<&'a str, Refusal> {
        let mut names: Vec<&str> = named::names().chain(["sampled"]).collect();
        if !names.contains(&self.engine.player()) {
            names.push(self.engine.player());
        }
        match names.contains(&name) || is_sampled(name) {
            true => Ok(name),
            false => Err(Refusal::invalid(format_args!(
                "'{name}' is no player of this server: choose one of {}, sampled:GAMES:POLICY of at most {MOST_SAMPLED} \
                 games",
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
    let is_few = games
        .parse()
        .is_ok_and(|games: u32| (1..=MOST_SAMPLED).contains(&games));
    is_few && named::names().any(|built_in| built_in == policy)
}
