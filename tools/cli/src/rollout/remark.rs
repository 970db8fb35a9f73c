//! The remark on values by an evaluator that has not learned the rules.

use std::sync::Arc;

use tavli::evaluators::Evaluator;
use tavli::rollout::Settings;

use crate::output;

/// Remarks on standard error if the evaluator of truncated games has not learned the rules.
pub(super) fn remark_on(settings: &Settings, evaluator: Option<&Arc<dyn Evaluator>>) {
    if let Some(remark) = settings.remark_on(evaluator.map(|evaluator| &**evaluator)) {
        output::remark(format_args!("remark: {remark}"));
    }
}
