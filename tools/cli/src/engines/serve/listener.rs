//! Connections: how many, how slow, and how they end.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tavli::run::Cancel;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Between two looks whether a signal came.
const PATIENCE: Duration = Duration::from_millis(20);
/// The time in which a client sends the head of a request; as long as it is silent after an answer.
const HEAD: Duration = Duration::from_secs(20);
/// The longest that a connection lasts: clients that read nothing hold their place no longer.
const LONGEST: Duration = Duration::from_secs(2 * 3600);
/// The time that connections have to end after a signal.
const LAST: Duration = Duration::from_millis(150);
/// Connections at a time.
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

/// Answers connections until the switch is thrown, and then those that are open.
pub(super) fn serve(runtime: Runtime, listener: TcpListener, router: &Router, cancel: &Cancel) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let served = runtime.block_on(accept(listener, router, cancel));
    // What is computed still was cancelled, and nobody waits for it.
    runtime.shutdown_background();
    served
}

async fn accept(listener: TcpListener, router: &Router, cancel: &Cancel) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
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
        // One connection too many is closed at once.
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            continue;
        };
        // An answer is one packet, which must not wait for more.
        let _ = stream.set_nodelay(true);
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(MOST_HEAD)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that goes away ends its own connection only.
            let _ = timeout(LONGEST, connection).await;
            drop(place);
        });
    }
    drop(listener);
    let _ = timeout(LAST, graceful.shutdown()).await;
    Ok(())
}
