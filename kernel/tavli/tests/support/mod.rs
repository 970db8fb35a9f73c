//! What several tests share: notices and tiers.

#[path = "../../../backgammon/tests/support/notice.rs"]
pub(crate) mod notice;
#[path = "../../../backgammon/tests/support/tiers.rs"]
pub(crate) mod tiers;
