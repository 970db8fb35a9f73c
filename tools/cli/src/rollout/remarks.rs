//! The remarks on values by evaluators that have not learned the rules.

use std::cell::RefCell;

use tavli_terminal::output;

use super::line_requests::LineRequests;

/// The remarks that the lines of a file have had.
#[derive(Default)]
pub(super) struct Remarks(RefCell<Vec<String>>);

impl Remarks {
    /// Remarks on the evaluators of both kinds of lines, which may differ.
    pub(super) fn on_each(requests: &LineRequests) -> Remarks {
        let remarks = Remarks::default();
        for request in requests.each() {
            remarks.add(request.settings.remark_on(request.evaluator.as_deref()));
        }
        remarks
    }

    /// Remarks on standard error, if there is a remark. One that another line has had is not repeated.
    pub(super) fn add(&self, remark: Option<String>) {
        let mut made = self.0.borrow_mut();
        if let Some(remark) = remark.filter(|remark| !made.contains(remark)) {
            output::remark(format_args!("remark: {remark}"));
            made.push(remark);
        }
    }
}
