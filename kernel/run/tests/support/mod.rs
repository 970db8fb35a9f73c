//! Shared by the tests of machines.

pub(crate) mod machines;
