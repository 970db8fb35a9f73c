//! What several tests share: golden rows, ranks, tiers and effort.

#![allow(dead_code, reason = "the tests of another package use the rest")]
#[path = "../../../backgammon/tests/support/effort.rs"]
pub(crate) mod effort;
#[path = "../../../backgammon/tests/support/golden.rs"]
pub(crate) mod golden;
#[path = "../../../backgammon/tests/support/notice.rs"]
pub(crate) mod notice;
#[path = "../../../backgammon/tests/support/position_id.rs"]
pub(crate) mod position_id;
pub(crate) mod ranks;
#[path = "../../../backgammon/tests/support/tiers.rs"]
pub(crate) mod tiers;

use tavli_rollout::Ranks;
