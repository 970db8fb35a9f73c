//! Ending a run early, from any thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that ends the runs it was given to. Clones share the switch.
///
/// A cancelled run ends within a few hundredths of a second. It abandons the games that its workers are playing. It
/// reports the unbroken range of games before them, like any other run.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch that is not thrown.
    #[must_use]
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Ends the runs that look at this switch. It stays thrown.
    pub fn cancel(&self) {
        // The flag carries no data, so no ordering with other memory is needed.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`Cancel::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
