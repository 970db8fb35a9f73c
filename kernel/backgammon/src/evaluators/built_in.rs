//! The built-in evaluators by name.

use std::sync::Arc;

use super::evaluator_error::EvaluatorError;
use super::sampled::Sampled;
use crate::evaluator::Evaluator;
use crate::policies::{self};

/// The built-in evaluator of a name.
///
/// ```
/// use tavli_backgammon::evaluators::built_in;
/// assert_eq!(built_in("sampled:100")?.name(), "sampled:100:uniform");
/// let error = built_in("pubeval").unwrap_err().to_string();
/// assert!(error.starts_with("'pubeval' is a policy"));
/// # Ok::<(), tavli_backgammon::evaluators::EvaluatorError>(())
/// ```
///
/// # Errors
/// [`EvaluatorError`] says what to write.
pub fn built_in(name: &str) -> Result<Arc<dyn Evaluator>, EvaluatorError> {
    if policies::NAMES.contains(&name) {
        return Err(EvaluatorError::Policy(name.to_owned()));
    }
    let sampled: Sampled = name.parse()?;
    Ok(Arc::new(sampled))
}
