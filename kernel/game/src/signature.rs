//! One number over a fixed set of playouts.

use core::ops::Range;
use tavli_base::NO_STOP;

use tavli_simd::Tier;

use crate::game::{GameSource, GameStart};
use crate::playable_game::PlayableGame;
use crate::streams::mixed;

/// The seeds of the games, and their numbers: some beyond 32 bits.
const SEEDS: [u64; 2] = [1, 0xfeed_5eed_0123_4567];
const GAMES: [Range<u64>; 2] = [0..400, (1 << 40) - 100..(1 << 40) + 100];

/// One number over a fixed set of playouts of a game from its start, equal on every machine and tier: it covers all
/// named rules, two seeds, and numbers of games beyond 32 bits. It changes only if the playouts change.
///
/// # Panics
/// If this CPU lacks the tier.
#[must_use]
pub fn signature<G: PlayableGame>(tier: Tier) -> u64 {
    let mut sum = 0_u64;
    for rules in G::RULES {
        for seed in SEEDS {
            let game = G::by_rules(rules, tier, seed).expect("the game's own rules");
            for games in GAMES {
                let mut ends = Ends { start: game.start(), games, sum: 0 };
                game.play_out(&mut ends, NO_STOP);
                // Mixed each time, so that results of two seeds or sets of rules cannot change places unnoticed.
                sum = mixed(sum ^ ends.sum);
            }
        }
    }
    sum
}

/// The ends of games. They may come in any order, so their numbers are added up.
struct Ends<P> {
    start: P,
    games: Range<u64>,
    sum: u64,
}

impl<P: Copy> GameSource<P> for Ends<P> {
    fn next(&mut self) -> Option<GameStart<P>> {
        let game = self.games.next()?;
        Some(GameStart { position: self.start, chance: None, game, tag: game })
    }

    fn end(&mut self, tag: u64, points: i32, plies: u32) {
        // The number is mixed first, since it reaches into the bits of the points and the plies.
        let end = mixed(tag) ^ u64::from(points as u32) << 32 ^ u64::from(plies);
        self.sum = self.sum.wrapping_add(mixed(end));
    }
}
