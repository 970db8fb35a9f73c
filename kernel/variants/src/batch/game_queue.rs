//! Games between their source and the lanes of a pool.

use tavli_game::GameSource;
use tavli_game::streams::StreamKey;
use tavli_lanes::LaneFeed;

use crate::position::{CHECKERS, Position, SideCheckers};
use crate::scalar::{self, Playout};
use crate::variant::Variant;

/// A game outside the lanes of a pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchGame {
    pub(super) playout: Playout,
    /// The tag of the game.
    pub(super) tag: u64,
}

/// Hands out games, and takes those that are over.
pub(super) struct GameQueue<'a, G> {
    game: &'a G,
    key: &'a StreamKey,
    source: &'a mut dyn GameSource<Position>,
    /// The plies after which games are cut off.
    max_plies: u32,
    /// Whether asking is useless: there was no game when last asked, and no game has ended since.
    is_dry: bool,
}

impl<'a, G: Variant> GameQueue<'a, G> {
    pub(super) fn new(game: &'a G, key: &'a StreamKey, source: &'a mut dyn GameSource<Position>) -> GameQueue<'a, G> {
        GameQueue { game, key, max_plies: source.max_plies(), source, is_dry: false }
    }

    /// The next game; `None` if there is none before another ends.
    fn next(&mut self) -> Option<BatchGame> {
        while !self.is_dry {
            let Some(start) = self.source.next() else {
                self.is_dry = true;
                break;
            };
            let mut playout = Playout::new(self.key, &start);
            let game = self.game;
            if !is_plain(game, &start.position) {
                scalar::play(game, &mut playout, self.max_plies);
                self.source.record_end(start.tag, scalar::end(game, &playout));
                continue;
            }
            // A given roll is played here, so that lanes always draw.
            if playout.roll.is_some() && (scalar::play(game, &mut playout, 1) || self.max_plies == 1) {
                self.source.record_end(start.tag, scalar::end(game, &playout));
                continue;
            }
            return Some(BatchGame { playout, tag: start.tag });
        }
        None
    }
}

impl<G: Variant> LaneFeed<BatchGame> for GameQueue<'_, G> {
    #[inline(always)]
    fn next_into(&mut self, mut put: impl FnMut(&BatchGame)) -> bool {
        self.next().is_some_and(
            #[inline(always)]
            |game| {
                put(&game);
                true
            },
        )
    }

    /// Takes a game that is over, or is cut off.
    #[inline(always)]
    fn take_leaving(&mut self, ended: &BatchGame) {
        self.source.record_end(ended.tag, scalar::end(self.game, &ended.playout));
        self.is_dry = false;
    }
}

/// Whether lanes can play on from a position. A lane takes the runner for not passed as long as no checker of its side
/// on the board has passed. It does not see checkers borne off, which had passed. No game leads to such a position, but
/// a text may.
fn is_plain<G: Variant>(game: &G, position: &Position) -> bool {
    let is_plain = |side: &SideCheckers| side.on_board() == CHECKERS || side.occupied() & game.passed() != 0;
    !G::HAS_RUNNER || (is_plain(&position.own) && is_plain(&position.opponent))
}
