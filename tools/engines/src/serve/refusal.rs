//! Refusals: error answers with their reason.

use std::borrow::Cow;
use std::error::Error;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, Query, Request};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;
use tavli::engine::EngineError;
use tavli::text::{Quoted, without_mark};
use tavli_terminal::interrupt::NO_RESULT;
use tavli_terminal::numbers::without_types_of_json;

/// The type of an answer's content.
pub const JSON: (HeaderName, &str) = (header::CONTENT_TYPE, "application/json");

/// The longest body of a request, in bytes.
pub(super) const MAX_BYTES: usize = 1 << 16;

/// The longest message.
const MAX_CHARACTERS: usize = 500;

/// The parameters of a request, in their order.
pub(super) type Parameters = Result<Query<Vec<(String, String)>>, QueryRejection>;

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
        Refusal { status, code, field: None, message: message.to_string() }
    }

    /// The refusal of a request that asks for the impossible.
    pub fn invalid(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, "invalid_request", message)
    }

    pub fn not_found(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// The refusal of a body that is too long.
    pub(super) fn too_long() -> Refusal {
        let message = format_args!("a body has at most {MAX_BYTES} bytes");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "invalid_request", message)
    }

    /// The refusal of a request that took longer than the server allows.
    pub fn timeout() -> Refusal {
        Refusal::new(
            StatusCode::GATEWAY_TIMEOUT,
            "timeout",
            "there was no answer within the time that this server gives a request",
        )
    }

    /// The refusal of a request that the end of the server interrupts.
    pub fn interrupted() -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "interrupted", NO_RESULT)
    }

    pub fn internal() -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "a fault of the engine")
    }

    /// Names the part of the request that is wrong.
    pub fn with_field(self, field: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { field: Some(field.into()), ..self }
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Refusal {
        Refusal::invalid(error)
    }
}

impl From<QueryRejection> for Refusal {
    fn from(rejection: QueryRejection) -> Refusal {
        Refusal::invalid(rejection.body_text())
    }
}

impl From<JsonRejection> for Refusal {
    fn from(rejection: JsonRejection) -> Refusal {
        // JSON of another form counts as invalid JSON.
        let status = match rejection.status() {
            StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
            status => status,
        };
        let (field, message) = match (&rejection, error_of_json(&rejection)) {
            (JsonRejection::JsonDataError(_), Some(error)) => {
                (field_of(error), without_types_of_json(&error.to_string()))
            }
            (JsonRejection::JsonSyntaxError(_), Some(error)) => (None, format!("the request is not JSON: {error}")),
            (JsonRejection::MissingJsonContentType(_), _) => {
                let message = "the request is not marked as JSON: send the header Content-Type: application/json";
                (None, message.to_owned())
            }
            (JsonRejection::BytesRejection(_), _) if status == StatusCode::PAYLOAD_TOO_LARGE => {
                return Refusal::too_long();
            }
            (JsonRejection::BytesRejection(_), _) => {
                let message = "the body of the request cannot be read to its end: it breaks off, or a chunk of it has \
                               no size in hexadecimal digits; send it whole, with the header Content-Length";
                (None, message.to_owned())
            }
            _ => (None, rejection.body_text()),
        };
        Refusal { field: field.map(Cow::Owned), ..Refusal::new(status, "invalid_request", message) }
    }
}

/// An error of serde with the path of the member that it is about.
type JsonError = serde_path_to_error::Error<serde_json::Error>;

/// The error of serde that caused a rejection.
fn error_of_json(rejection: &JsonRejection) -> Option<&JsonError> {
    let mut source = rejection.source();
    while let Some(error) = source {
        if let Some(error) = error.downcast_ref() {
            return Some(error);
        }
        source = error.source();
    }
    None
}

/// The member of a request that an error is about: the first name of its path; the option of a rollout, whose reader
/// begins its errors with the name; or the member that is missing, unknown or given twice.
fn field_of(error: &JsonError) -> Option<String> {
    let is_name =
        |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
    let of_path = error.path().iter().next().and_then(|segment| match segment {
        Segment::Map { key } => Some(&**key).filter(is_name),
        _ => None,
    });
    let text = error.inner().to_string();
    let of_option = || Some(text.split_once(": ")?.0).filter(is_name);
    // Serde names these members in its text alone.
    let named = || Some(text.split_once(" field `")?.1.split_once('`')?.0);
    of_path.or_else(of_option).or_else(named).map(str::to_owned)
}

impl Refusal {
    /// The body of the answer.
    pub fn json(&self) -> String {
        // Messages quote what was sent, which may be long, or have characters that a terminal obeys.
        let message = Quoted::new(&self.message).within(MAX_CHARACTERS).to_string();
        let document = RefusalJson {
            error: ErrorJson { code: self.code, message: &message, field: self.field.as_deref() },
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

/// The kind of JSON that is no object.
fn kind_of_other_json(json: &[u8]) -> Option<&'static str> {
    match json.trim_ascii_start().first()? {
        b'{' => None,
        // By its beginning: serde also reads a list as the members of an object, in the order of their fields.
        b'[' => Some("a list"),
        _ => match serde_json::from_slice(json).ok()? {
            Value::Null => Some("null"),
            Value::Bool(_) => Some("true or false"),
            Value::Number(_) => Some("a number"),
            Value::String(_) => Some("a text"),
            Value::Array(_) | Value::Object(_) => None,
        },
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
        if let Some(kind) = kind_of_other_json(json) {
            let message = format_args!("the request is {kind}: write an object, with a name for each value");
            return Err(Refusal::invalid(message));
        }
        let body = axum::body::Body::from(bytes.slice_ref(json));
        let Json(value) = Json::from_request(Request::from_parts(head, body), state).await?;
        Ok(Body(value))
    }
}
