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

/// Time between two checks for a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The longest head of a request, in bytes. Hyper answers a longer one, or what is no HTTP, by a status without a body.
const MAX_HEAD: usize = 1 << 14;
/// The time in which a client sends the head of a request, and the time that it may be silent after an answer.
const HEAD_TIME: Duration = Duration::from_secs(20);
/// The longest that a connection lasts, so that clients that read nothing do not hold a place for ever.
const MAX_CONNECTION_TIME: Duration = Duration::from_secs(2 * 3600);
/// How often the open connections are looked at once all computation has ended. Those that are still open then are
/// closed: their clients read nothing.
const LAST_LOOKS: u32 = 15;
/// The time between two looks.
const LAST_LOOK: Duration = Duration::from_millis(10);
/// The time that an idle connection has to close for a new one.
const TIME_TO_CLOSE: Duration = Duration::from_millis(100);
/// Connections at a time. A new one takes the place of the one that has been idle the longest; if requests of all are
/// being answered, it is closed at once.
// Each is an open file, of which Linux grants a process 1,024 by default.
const MAX_CONNECTIONS: usize = 256;

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

/// Answers connections until the switch is thrown; then finishes the open ones, once all jobs have ended.
pub(super) fn serve(
    runtime: Runtime,
    listener: TcpListener,
    router: &Router,
    jobs: &Jobs,
    cancel: &Cancel,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let served = runtime.block_on(accept(listener, router, jobs, cancel));
    // Computations that still run were cancelled, and nobody waits for them.
    runtime.shutdown_background();
    served
}

async fn accept(listener: TcpListener, router: &Router, jobs: &Jobs, cancel: &Cancel) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut connections = Connections::default();
    let (places, graceful) = (Arc::new(Semaphore::new(MAX_CONNECTIONS)), GracefulShutdown::new());
    while !cancel.is_cancelled() {
        let Ok(accepted) = timeout(POLL_INTERVAL, listener.accept()).await else {
            continue;
        };
        let Ok((stream, _)) = accepted else {
            // An error such as too many open files, which takes a while to pass.
            sleep(POLL_INTERVAL).await;
            continue;
        };
        if places.available_permits() == 0 && !connections.close_an_idle_one() {
            continue;
        }
        let Ok(Ok(place)) = timeout(TIME_TO_CLOSE, Arc::clone(&places).acquire_owned()).await else {
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
                    let body = |body| AnswerBody { body, _answering: answering };
                    answer.await.map(|answer| answer.map(body))
                }
            })
        };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            // A client may end its side after a request, as `nc -N` does, and read the answer.
            .half_close(true)
            .max_buf_size(MAX_HEAD)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        let task = tokio::spawn(async move {
            // A client that goes away ends its own connection only.
            let _ = timeout(MAX_CONNECTION_TIME, connection).await;
            drop(place);
        });
        connections.add(activity, task.abort_handle());
    }
    drop(listener);
    // The switch ends the jobs; on a busy machine that may take longer than all else.
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
