//! Answers that are errors.

/// An answer that is an error: its code and its text.
pub(super) struct Refusal(pub(super) &'static str, pub(super) String);

impl Refusal {
    /// The line of the answer.
    pub(super) fn line(self) -> String {
        let Refusal(code, text) = self;
        format!("error {code} {text}")
    }
}

pub(super) fn bad_value(text: impl ToString) -> Refusal {
    Refusal("bad_value", text.to_string())
}
