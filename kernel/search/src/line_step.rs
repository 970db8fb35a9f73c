//! A step of an expected line.

/// A chance and the choice after it, by their indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineStep {
    /// The chance.
    pub chance: usize,
    /// The choice.
    pub choice: usize,
}
