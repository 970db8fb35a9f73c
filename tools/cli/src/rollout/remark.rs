//! The remark on values by an evaluator that has not learned the rules.

use std::sync::Arc;

use tavli::evaluators::Evaluator;
use tavli::rollout::Settings;
use tavli_terminal::output;

use super::line_requests::LineRequests;

/// Remarks on standard error if the evaluator of truncated games has not learned the rules.
pub(super) fn remark_on(settings: &Settings, evaluator: Option<&Arc<dyn Evaluator>>) {
    say(settings.remark_on(evaluator.map(|evaluator| &**evaluator)));
}

/// [`remark_on`] both kinds of lines, whose evaluators may differ. An equal remark is made once.
pub(super) fn remark_on_each(requests: &LineRequests) {
    let remarks = requests
        .each()
        .map(|request| request.settings.remark_on(request.evaluator.as_deref()));
    let mut remarks: Vec<Option<String>> = remarks.collect();
    remarks.dedup();
    remarks.into_iter().for_each(say);
}

fn say(remark: Option<String>) {
    if let Some(remark) = remark {
        output::remark(format_args!("remark: {remark}"));
    }
}
