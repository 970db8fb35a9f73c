//! The built-in policies by name.

use std::sync::Arc;

use thiserror::Error;

use super::policy::Policy;
use super::pubeval::Pubeval;
use super::uniform::Uniform;
use crate::playout::RECORDED_SIGNATURE;
use tavli_base::text::Quoted;

/// A name that no built-in policy has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown policy '{}'; choose one of: {names}", Quoted::new(.0), names = NAMES.join(", "))]
pub struct PolicyError(pub String);

/// The names of the built-in policies.
pub const NAMES: &[&str] = &[Uniform::NAME, Pubeval::NAME];

/// The built-in policy of a name.
///
/// ```
/// use tavli_backgammon::policies::built_in;
/// assert_eq!(built_in("pubeval")?.name(), "pubeval");
/// let error = built_in("td-gammon").unwrap_err().to_string();
/// assert_eq!(error, "unknown policy 'td-gammon'; choose one of: uniform, pubeval");
/// # Ok::<(), tavli_backgammon::policies::PolicyError>(())
/// ```
///
/// # Errors
/// [`PolicyError`], which lists the names, if none has this one.
pub fn built_in(name: &str) -> Result<Arc<dyn Policy>, PolicyError> {
    match name {
        Uniform::NAME => Ok(Arc::new(Uniform)),
        Pubeval::NAME => Ok(Arc::new(Pubeval)),
        _ => Err(PolicyError(name.to_owned())),
    }
}

/// The recorded [signature](crate::policies::PolicyPair::signature) of a built-in policy's games against itself. It
/// names their values, in saved results as well.
///
/// # Errors
/// [`PolicyError`] if no built-in policy has the name.
pub fn recorded_signature(name: &str) -> Result<u64, PolicyError> {
    match name {
        Uniform::NAME => Ok(RECORDED_SIGNATURE),
        Pubeval::NAME => Ok(Pubeval::RECORDED_SIGNATURE),
        _ => Err(PolicyError(name.to_owned())),
    }
}
