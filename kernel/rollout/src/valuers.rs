//! Who gives games their values, where these are not the points of their ends.

use std::sync::Arc;

use tavli_backgammon::evaluators::{Ends, Evaluator};
use tavli_players::Luck;

/// Which games have other values than the points of their ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Valued {
    /// Those that are cut off.
    pub(super) cut_off: bool,
    /// All, less their luck.
    pub(super) luck: bool,
}

impl Valued {
    /// Whether any have.
    pub(super) fn is_any(self) -> bool {
        self.cut_off || self.luck
    }
}

/// Who values games.
#[derive(Clone, Debug, Default)]
pub(super) struct Valuers {
    /// Of those that are cut off after a number of plies.
    pub(super) evaluator: Option<Arc<dyn Evaluator>>,
    /// Of those that reach a position whose worth is known, where they are cut off.
    pub(super) ends: Option<Arc<dyn Ends>>,
    /// Of the luck of all.
    pub(super) luck: Option<Luck>,
}

impl Valuers {
    /// Which games they value.
    pub(super) fn valued(&self) -> Valued {
        Valued {
            cut_off: self.evaluator.is_some() || self.ends.is_some(),
            luck: self.luck.is_some(),
        }
    }
}
