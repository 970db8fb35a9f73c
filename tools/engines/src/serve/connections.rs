//! Which of the open connections makes way for a new one.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use hyper::body::{Body, Frame, SizeHint};
use tokio::task::AbortHandle;

#[derive(Default)]
pub(super) struct Connections {
    open: Vec<Open>,
    /// Counts the moments at which connections became idle.
    moments: Arc<AtomicU64>,
}

struct Open {
    activity: Arc<Activity>,
    task: AbortHandle,
}

/// Whether a request of a connection is being answered.
pub(super) struct Activity {
    moments: Arc<AtomicU64>,
    /// The moment since which the connection is idle; [`ANSWERING`] if it is not.
    idle_since: AtomicU64,
}

const ANSWERING: u64 = u64::MAX;

impl Connections {
    /// The activity of a new connection, which is idle until its first request has been read.
    pub(super) fn idle(&self) -> Arc<Activity> {
        let moments = Arc::clone(&self.moments);
        let idle_since = AtomicU64::new(moments.fetch_add(1, Ordering::Relaxed));
        Arc::new(Activity { moments, idle_since })
    }

    /// Adds a connection and the task that serves it.
    pub(super) fn add(&mut self, activity: Arc<Activity>, task: AbortHandle) {
        self.open.retain(|open| !open.task.is_finished());
        self.open.push(Open { activity, task });
    }

    /// Closes the connection that has been idle the longest; `false` if requests of all are being answered.
    pub(super) fn close_an_idle_one(&mut self) -> bool {
        self.open.retain(|open| !open.task.is_finished());
        let since = |open: &Open| open.activity.idle_since.load(Ordering::Relaxed);
        let longest = (0..self.open.len()).min_by_key(|&index| since(&self.open[index]));
        match longest.filter(|&index| since(&self.open[index]) != ANSWERING) {
            Some(index) => {
                self.open.swap_remove(index).task.abort();
                true
            }
            None => false,
        }
    }
}

/// A request that is being answered, until its answer has been sent.
pub(super) struct Answering(Arc<Activity>);

impl Answering {
    pub(super) fn begin(activity: &Arc<Activity>) -> Answering {
        activity.idle_since.store(ANSWERING, Ordering::Relaxed);
        Answering(Arc::clone(activity))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let moment = self.0.moments.fetch_add(1, Ordering::Relaxed);
        self.0.idle_since.store(moment, Ordering::Relaxed);
    }
}

/// The body of an answer, which ends the answering when it has been sent.
pub(super) struct AnswerBody<B> {
    pub(super) body: B,
    pub(super) _answering: Answering,
}

impl<B: Body + Unpin> Body for AnswerBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
