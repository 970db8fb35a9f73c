//! Refusals: error answers with their reason.

use std::borrow::Cow;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tavli::engine::EngineError;
use tavli::text::{Quoted, without_mark};
use tavli_terminal::numbers::{plain_reason, without_types_of_json};

/// The type of an answer's content.
pub const JSON: (HeaderName, &str) = (header::CONTENT_TYPE, "application/json");

/// The longest message.
const MOST_CHARACTERS: usize = 500;

/// Why a request has no other answer. In JSON it has the members that clients of each protocol look at: `error` as
/// Nodots defines it, and `message` for wildbg and bgweb-api.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    code: &'static str,
    field: Option<Cow<'static, str>>,
    message: String,
}

#[derive(Serialize)]
struct RefusalJson<'a> {
    error: ErrorJson<'a>,
    message: &'a str,
}

#[derive(Serialize)]
struct ErrorJson<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
}

impl Refusal {
    pub fn new(status: StatusCode, code: &'static str, message: impl ToString) -> Refusal {
        Refusal {
            status,
            code,
            field: None,
            message: message.to_string(),
        }
    }

    /// The refusal of a request that asks for the impossible.
    pub fn invalid(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, "invalid_request", message)
    }

    pub fn not_found(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// The refusal of a request that took longer than the server allows.
    pub fn timeout() -> Refusal {
        Refusal::new(
            StatusCode::GATEWAY_TIMEOUT,
            "timeout",
            "there was no answer within the time that this server gives a request",
        )
    }

    pub fn internal() -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "a fault of the engine")
    }

    /// Names the part of the request that is wrong.
    pub fn of_field(self, field: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal {
            field: Some(field.into()),
            ..self
        }
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Refusal {
        Refusal::invalid(error)
    }
}

impl From<QueryRejection> for Refusal {
    fn from(rejection: QueryRejection) -> Refusal {
        let text = rejection.body_text();
        // After axum's opening phrase.
        let reason = text.split_once(": ").map_or(&*text, |(_, reason)| reason);
        Refusal::invalid(match reason.split_once(": ") {
            Some((name, reason)) => match plain_reason(reason) {
                Some(plain) => format!("{name}: {plain}"),
                None => format!("{name}: {reason}"),
            },
            None => reason.to_owned(),
        })
    }
}

impl From<JsonRejection> for Refusal {
    fn from(rejection: JsonRejection) -> Refusal {
        // JSON of another form counts as invalid JSON.
        let status = match rejection.status() {
            StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
            status => status,
        };
        let text = rejection.body_text();
        // After axum's opening phrase, which speaks of its types.
        let reason = text.split_once(": ").map_or(&*text, |(_, reason)| reason);
        let field = match rejection {
            JsonRejection::JsonDataError(_) => field_of(reason).map(str::to_owned),
            _ => None,
        };
        let message = match rejection {
            JsonRejection::JsonDataError(_) => without_types_of_json(reason),
            JsonRejection::JsonSyntaxError(_) => format!("the request is not JSON: {reason}"),
            JsonRejection::MissingJsonContentType(_) => {
                "the request is not marked as JSON: send the header Content-Type: application/json".to_owned()
            }
            _ => text,
        };
        Refusal {
            field: field.map(Cow::Owned),
            ..Refusal::new(status, "invalid_request", message)
        }
    }
}

/// The member of a request that an error of serde is about: the first name of the path before it, or the name that is
/// missing, unknown or given twice.
fn field_of(reason: &str) -> Option<&str> {
    let is_name =
        |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
    let path = reason.split_once(": ").map(|(path, _)| path);
    let of_path = path.and_then(|path| path.split(['.', '[']).next()).filter(is_name);
    of_path.or_else(|| Some(reason.split_once(" field `")?.1.split_once('`')?.0))
}

impl Refusal {
    /// The body of the answer.
    pub fn json(&self) -> String {
        // Messages quote what was sent, which may be long, or have characters that a terminal obeys.
        let message = Quoted::new(&self.message).within(MOST_CHARACTERS).to_string();
        let document = RefusalJson {
            error: ErrorJson {
                code: self.code,
                message: &message,
                field: self.field.as_deref(),
            },
            message: &message,
        };
        serde_json::to_string(&document).expect("its members are texts")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, [JSON], self.json()).into_response()
    }
}

/// The JSON of a request. A byte order mark before it is passed over, as in files.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Refusal> {
        let (head, body) = request.into_parts();
        let bytes = Bytes::from_request(Request::from_parts(head.clone(), body), state).await;
        let bytes = bytes.map_err(JsonRejection::from)?;
        let json = without_mark(&bytes);
        // Serde also reads a list as the members of an object, in the order of their fields.
        if json.trim_ascii_start().starts_with(b"[") {
            return Err(Refusal::invalid(
                "the request is a list: write an object, with a name for each value",
            ));
        }
        let body = axum::body::Body::from(bytes.slice_ref(json));
        let Json(value) = Json::from_request(Request::from_parts(head, body), state).await?;
        Ok(Body(value))
    }
}
