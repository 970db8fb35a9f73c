//! The remark on values by evaluators that have not learned the rules.

use tavli_terminal::output;

use super::line_requests::LineRequests;

/// Remarks on standard error on the evaluators of both kinds of lines, which may differ. An equal remark is made once.
pub(super) fn remark_on_each(requests: &LineRequests) {
    let remarks = requests
        .each()
        .map(|request| request.settings.remark_on(request.evaluator.as_deref()));
    let mut remarks: Vec<Option<String>> = remarks.collect();
    remarks.dedup();
    for remark in remarks.into_iter().flatten() {
        output::remark(format_args!("remark: {remark}"));
    }
}
