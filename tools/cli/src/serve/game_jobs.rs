//! Rollouts and playouts of any game as jobs of a server.

use std::fmt::Display;
use std::sync::Arc;

use axum::response::Response;
use serde::Serialize;

use tavli::rollout::{EndReason, ResumableRollout, Session, Statistic};
use tavli::run::{CountGamesWithEnds, PlayoutReport, Run};
use tavli_engines::serve::{BestCandidate, JobProgress, Refusal, RunningJob, Server, started};
use tavli_terminal::interrupt::NO_RESULT;
use tavli_terminal::output::Remarked;

use crate::playout::RunJson;

/// The work of a job.
pub(super) type Work = Box<dyn FnOnce(&RunningJob) -> Result<(), String> + Send>;

/// Begins a job with the work that `prepare` reads from a request.
pub(super) async fn begin(
    server: &Arc<Server>,
    kind: &'static str,
    prepare: impl FnOnce(&Arc<Server>) -> Result<Work, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    let of = Arc::clone(server);
    let work = server.compute(move |_| prepare(&of)).await?;
    let job = server.jobs.start(kind, work)?;
    Ok(started(&job))
}

/// The work of playing games. `result` makes their JSON, with the clock of the cores.
pub(super) fn play_games<S: CountGamesWithEnds>(
    server: &Server,
    run: Run<S>,
    remarks: impl IntoIterator<Item: Display> + Send + 'static,
    result: impl FnOnce(PlayoutReport<S::Counts>, f64) -> RunJson + Send + 'static,
) -> Work {
    let workers = Arc::clone(&server.workers);
    Box::new(move |running| {
        let run = run.cancelled_by(running.cancel());
        let report = run.play(&workers, |progress| running.show_games(progress));
        let (clock, is_cancelled) = (workers.cycles_per_second(), report.cancelled);
        running.finish(&Remarked::new(result(report, clock), remarks), is_cancelled);
        Ok(())
    })
}

/// A rollout that a server plays as a job.
pub(super) trait JobRollout: ResumableRollout + Send + 'static {
    /// Its JSON; `reason` says why it ended.
    fn result(&self, reason: EndReason) -> impl Serialize;

    /// The best candidate so far; `None` before the first trial.
    fn best(&self) -> Option<BestCandidate>;
}

/// A candidate with its moves and its equity.
pub(super) fn candidate(moves: Option<String>, equity: Statistic) -> BestCandidate {
    BestCandidate { moves, equity: equity.mean, standard_error: equity.standard_error }
}

/// Refuses more trials than a server plays.
pub(super) fn check_trials(trials: u64, most: u64) -> Result<(), Refusal> {
    match trials > most {
        false => Ok(()),
        true => {
            let message = format_args!("{trials} trials are more than the {most} that this server plays").to_string();
            Err(Refusal::invalid(message).with_field("trials"))
        }
    }
}

/// The work of the job that plays a rollout. It fails if it is cancelled before the first game.
pub(super) fn play_as_job<R: JobRollout>(
    server: &Arc<Server>,
    mut rollout: R,
    remarks: impl IntoIterator<Item: Display> + Send + 'static,
) -> Work {
    let server = Arc::clone(server);
    Box::new(move |running| {
        let session = Session { tier: server.tier, cancel: running.cancel().clone(), checkpoint: None };
        let played = session.play(&mut rollout, &server.workers, |progress| {
            running.show(&JobProgress {
                fraction: progress.fraction(),
                done: progress.trials,
                per_second: progress.trials_per_second(),
                seconds: progress.elapsed.as_secs_f64(),
                seconds_left: progress.time_left().map(|time| time.as_secs_f64()),
                best: progress.rollout.best(),
            });
        });
        let reason = played.map_err(|error| error.to_string())?;
        let is_cancelled = reason == EndReason::Cancelled;
        if is_cancelled && rollout.total_games() == 0 {
            return Err(NO_RESULT.to_owned());
        }
        running.finish(&Remarked::new(rollout.result(reason), remarks), is_cancelled);
        Ok(())
    })
}
