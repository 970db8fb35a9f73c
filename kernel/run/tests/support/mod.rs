//! What the tests of machines share.

pub(crate) mod machines;
