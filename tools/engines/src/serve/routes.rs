//! The routes of requests, and the check of who may ask.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use tavli::text::Quoted;
use tokio::time::timeout;
use tracing::info;

use super::refusal::{JSON, MAX_BYTES, Refusal};
use super::server::Server;
use super::{bgweb, nodots, views, wildbg};

/// The document that describes all requests, the command's own included.
pub const OPENAPI: &str = include_str!("openapi.json");

/// Paths, each with its handlers.
pub type Paths = Vec<(&'static str, MethodRouter<Arc<Server>>)>;

/// The paths of the protocols and of jobs.
#[must_use]
pub fn paths() -> Paths {
    vec![
        ("/move", get(wildbg::plays)),
        ("/eval", get(wildbg::eval)),
        ("/api/v1/getmoves", post(bgweb::getmoves)),
        ("/v1/health", get(nodots::health)),
        ("/v1/move", post(nodots::plays)),
        ("/v1/double", post(nodots::double)),
        ("/v1/take", post(nodots::take)),
        ("/v1/resign", post(nodots::resign)),
        ("/jobs", get(views::list)),
        ("/jobs/{id}", get(views::show).delete(views::remove)),
        ("/jobs/{id}/events", get(views::events)),
        ("/openapi.json", get(openapi)),
    ]
}

/// The service of the paths above and of `more`.
pub(super) fn router(server: &Arc<Server>, more: Paths) -> Router {
    let router =
        paths().into_iter().chain(more).fold(Router::new(), |router, (path, methods)| router.route(path, methods));
    router
        .fallback(nowhere)
        .method_not_allowed_fallback(no_method)
        .layer(DefaultBodyLimit::max(MAX_BYTES))
        .layer(from_fn_with_state(Arc::clone(server), guard))
        .with_state(Arc::clone(server))
}

async fn openapi() -> Response {
    ([JSON], OPENAPI).into_response()
}

async fn nowhere() -> Refusal {
    Refusal::not_found("there is nothing here: /openapi.json lists the paths")
}

async fn no_method() -> Refusal {
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "invalid_request",
        "this path has other methods: /openapi.json lists them",
    )
}

/// Passes on requests that are allowed, for as long as a request may take.
async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let (start, method, path) = (Instant::now(), request.method().clone(), request.uri().path().to_owned());
    let headers = request.headers();
    let checked = check(headers, server.token.as_deref()).and_then(|()| check_length(headers));
    let response = match checked {
        Ok(()) => timeout(server.limits.request_time, next.run(request))
            .await
            .unwrap_or_else(|_| Refusal::timeout().into_response()),
        Err(refusal) => refusal.into_response(),
    };
    let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
    let (status, path) = (response.status().as_u16(), Quoted::new(&path));
    info!("{method} {path} {status} {milliseconds:.1} ms");
    response
}

/// Whether a request with `headers` is allowed.
fn check(headers: &HeaderMap, token: Option<&str>) -> Result<(), Refusal> {
    let Some(token) = token else {
        let host = headers.get(header::HOST).map(|host| host.to_str().unwrap_or_default());
        // DNS rebinding: a web page can give its own name the address of this machine; its browser then sends that
        // name.
        return match host.is_none_or(is_address) {
            true => Ok(()),
            false => Err(Refusal::new(
                StatusCode::FORBIDDEN,
                "unauthorized",
                "without a token only requests to localhost or an address are answered",
            )),
        };
    };
    let given = headers.get(header::AUTHORIZATION).map(|given| given.as_bytes());
    let given = given.and_then(|given| given.strip_prefix(b"Bearer "));
    match given.is_some_and(|given| is_same(given, token.as_bytes())) {
        true => Ok(()),
        false => Err(Refusal::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "this server needs the header 'Authorization: Bearer TOKEN'",
        )),
    }
}

/// Refuses a body that says it is too long, without waiting for it.
fn check_length(headers: &HeaderMap) -> Result<(), Refusal> {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let length = length.and_then(|length| length.parse::<u64>().ok());
    match length.is_some_and(|length| length > MAX_BYTES as u64) {
        true => Err(Refusal::too_long()),
        false => Ok(()),
    }
}

/// Whether two texts are the same, in a time that does not depend on where they differ.
fn is_same(given: &[u8], token: &[u8]) -> bool {
    let differs = given.iter().zip(token).fold(0, |differs, (a, b)| differs | (a ^ b));
    given.len() == token.len() && differs == 0
}

/// Whether a `Host` is `localhost` or an address, whatever its port.
fn is_address(host: &str) -> bool {
    let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, _)) => name,
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_web_are_no_addresses() {
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:8080", "192.168.1.2"] {
            assert!(is_address(host), "{host}");
        }
        for host in ["", "example.com", "localhost.example.com:80", "127.0.0.1.example.com", "[x]"] {
            assert!(!is_address(host), "{host}");
        }
    }

    #[test]
    fn a_token_is_the_whole_token() {
        let asked = |given: Option<&str>| {
            let mut headers = HeaderMap::new();
            if let Some(given) = given {
                headers.insert(header::AUTHORIZATION, given.parse().expect("a header"));
            }
            check(&headers, Some("0123456789abcdef")).is_ok()
        };
        assert!(asked(Some("Bearer 0123456789abcdef")));
        for given in [
            "0123456789abcdef",
            "Bearer ",
            "Bearer 0123456789abcde",
            "Bearer 0123456789abcdeg",
            "Bearer 0123456789abcdef0",
        ] {
            assert!(!asked(Some(given)), "{given}");
        }
        assert!(!asked(None));
    }
}
