//! How many games are in play, and how many go through the stages of a ply together.
//!
//! Measured for backgammon. Blocks of Plakoto and Fevga are as large, and other numbers gained nothing there.

/// Blocks in play: enough to fill the queues, few enough for the caches (profiles/LOG.md, 2026-11-21, G, and
/// 2026-11-25, J).
pub const BLOCKS: usize = 128;

/// Blocks that go through the stages together: few enough for the first cache (profiles/LOG.md, 2026-11-21, G).
pub const BLOCKS_PER_PASS: usize = 32;

/// Blocks whose plays are drawn before any is selected.
// 1.02 / 1.01 over eight drawn and then selected; thirty-two gained no more (profiles/LOG.md, 2026-11-22, G).
pub const DRAWN_TOGETHER: usize = 16;

/// Blocks whose bits are selected together, so that one is worked on while another waits.
// 1.02 / 1.01 over four; two and sixteen took 3 to 6 % longer (profiles/LOG.md, 2026-11-21, G).
pub const SELECTED_TOGETHER: usize = 8;
