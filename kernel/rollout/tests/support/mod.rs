//! What several tests share: golden rows, ranks, tiers and effort.

pub(crate) mod golden;
pub(crate) mod ranks;

use tavli_rollout::Ranks;
pub(crate) use tavli_testing::{effort, tiers};
