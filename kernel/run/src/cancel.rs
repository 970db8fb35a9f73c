//! Ending a run early, from any thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that ends the runs it was given to. Clones share the switch.
///
/// A cancelled run ends within a few hundredths of a second. It abandons the items that its workers have not done. It
/// reports the unbroken range of items before them, like any other run.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    thrown: Arc<AtomicBool>,
    /// Another switch that throws this one.
    by: Option<Arc<Cancel>>,
}

impl Cancel {
    /// A switch that is not thrown.
    #[must_use]
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A switch that is thrown with this one. Throwing it alone does not throw this one.
    ///
    /// ```
    /// use tavli_run::Cancel;
    /// let all = Cancel::new();
    /// let (one, other) = (all.child(), all.child());
    /// one.cancel();
    /// assert!(one.is_cancelled() && !other.is_cancelled() && !all.is_cancelled());
    /// all.cancel();
    /// assert!(other.is_cancelled());
    /// ```
    #[must_use]
    pub fn child(&self) -> Cancel {
        Cancel { thrown: Arc::default(), by: Some(Arc::new(self.clone())) }
    }

    /// Ends the runs that look at this switch. It stays thrown.
    pub fn cancel(&self) {
        // The flag carries no data, so no ordering with other memory is needed.
        self.thrown.store(true, Ordering::Relaxed);
    }

    /// Whether this switch was thrown, or one that throws it: the switch whose [child](Cancel::child) it is.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.thrown.load(Ordering::Relaxed) || self.by.as_ref().is_some_and(|by| by.is_cancelled())
    }
}
