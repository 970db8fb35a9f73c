//! One step of a checker.

/// A checker moved with one die.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Step {
    /// The point it leaves: 1 to 24, or 25 for the bar.
    pub from: u8,
    /// Where it lands: 1 to 24, or 0 when it is borne off.
    pub to: u8,
    /// Whether it hits a blot there.
    pub hit: bool,
}
