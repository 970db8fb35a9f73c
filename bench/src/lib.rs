//! Measurements of the tavli kernel.
