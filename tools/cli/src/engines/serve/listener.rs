//! Connections: how many, how slow, and how they end.

use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tavli::run::Cancel;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};

use super::connections::{AnswerBody, Answering, Connections};
use super::jobs::Jobs;

/// Between two looks whether a signal came.
const PATIENCE: Duration = Duration::from_millis(20);
/// The time in which a client sends the head of a request; as long as it is silent after an answer.
const HEAD: Duration = Duration::from_secs(20);
/// The longest that a connection lasts: clients that read nothing hold their place no longer.
const LONGEST: Duration = Duration::from_secs(2 * 3600);
/// The times that an open connection is looked at before it is closed, once nothing is computed any more: its client
/// takes nothing.
const LAST_LOOKS: u32 = 15;
/// Between two of these.
const LAST_LOOK: Duration = Duration::from_millis(10);
/// The time that an idle connection has to make way for a new one.
const LEAVING: Duration = Duration::from_millis(100);
/// Connections at a time. A new one takes the place of the one that has been idle the longest; if requests of all are
/// being answered, it is closed at once.
const MOST_CONNECTIONS: usize = 256;
/// The longest head of a request, in bytes.
const MOST_HEAD: usize = 1 << 14;

/// The runtime of a server: connections on some threads, and long computations on as many others.
pub(super) fn runtime(threads: usize) -> io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_io()
        .enable_time()
        .thread_name("connections")
        .worker_threads(threads)
        .max_blocking_threads(threads)
        .build()
}

/// Answers connections until the switch is thrown, and then those that are open, with the ends of all jobs.
pub(super) fn serve(
    runtime: Runtime,
    listener: TcpListener,
    router: &Router,
    jobs: &Jobs,
    cancel: &Cancel,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let served = runtime.block_on(accept(listener, router, jobs, cancel));
    // What is computed still was cancelled, and nobody waits for it.
    runtime.shutdown_background();
    served
}

async fn accept(listener: TcpListener, router: &Router, jobs: &Jobs, cancel: &Cancel) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut connections = Connections::default();
    let (places, graceful) = (Arc::new(Semaphore::new(MOST_CONNECTIONS)), GracefulShutdown::new());
    while !cancel.is_cancelled() {
        let Ok(accepted) = timeout(PATIENCE, listener.accept()).await else {
            continue;
        };
        let Ok((stream, _)) = accepted else {
            // Such as too many open files, which takes a while to pass.
            sleep(PATIENCE).await;
            continue;
        };
        if places.available_permits() == 0 && !connections.close_an_idle_one() {
            continue;
        }
        let Ok(Ok(place)) = timeout(LEAVING, Arc::clone(&places).acquire_owned()).await else {
            continue;
        };
        // An answer is one packet, which must not wait for more.
        let _ = stream.set_nodelay(true);
        let activity = connections.idle();
        let service = {
            let (router, activity) = (TowerToHyperService::new(router.clone()), Arc::clone(&activity));
            service_fn(move |request: Request<Incoming>| {
                let answering = Answering::begin(&activity);
                let answer = router.call(request);
                async move {
                    let body = |body| AnswerBody {
                        body,
                        _answering: answering,
                    };
                    answer.await.map(|answer| answer.map(body))
                }
            })
        };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(MOST_HEAD)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        let task = tokio::spawn(async move {
            // A client that goes away ends its own connection only.
            let _ = timeout(LONGEST, connection).await;
            drop(place);
        });
        connections.add(activity, task.abort_handle());
    }
    drop(listener);
    // The switch ends them, but a busy machine may take longer over it than over all else.
    jobs.ended().await;
    let mut closed = pin!(graceful.shutdown());
    for _ in 0..LAST_LOOKS {
        if timeout(LAST_LOOK, &mut closed).await.is_ok() {
            break;
        }
        // A look counts only if the threads of the connections had their turn since the last.
        let _ = tokio::spawn(yield_now()).await;
    }
    Ok(())
}
