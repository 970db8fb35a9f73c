//! Many games at a time: the playouts of the vector tiers.
//!
//! Games are played in a [pool], a ply of every game in one sweep. A block of the pool holds one game in each lane of a
//! vector. Every lane is treated as a roll of two different dice that bears nothing off. Lanes for which this is not so
//! are [queued](queues) as well, so that their work is done in full vectors.
//!
//! Every game draws from its own stream, so its course does not depend on its company.

mod block;
mod game_queue;
mod pool;
mod queues;

use tavli_game::GameSource;
use tavli_game::streams::StreamKey;
use tavli_simd::{Isa, Tier, on_tier};

use crate::position::Position;
use crate::scalar::{self, Playout};
use crate::variant::Variant;
use game_queue::GameQueue;
use pool::Pool;
use queues::Queues;

/// Plays the games of a source until there are no more, or `stop`, which is asked now and then, returns `true`.
pub(crate) fn play_out<G: Variant>(
    game: &G,
    tier: Tier,
    key: &StreamKey,
    source: &mut dyn GameSource<Position>,
    stop: &dyn Fn() -> bool,
) {
    // Lanes know the closed forms alone.
    if !game.has_closed_forms() {
        return one_by_one(game, key, source, stop);
    }
    on_tier!(
        tier,
        isa => many(game, isa, key, source, stop),
        portable => one_by_one(game, key, source, stop)
    );
}

fn one_by_one<G: Variant>(game: &G, key: &StreamKey, source: &mut dyn GameSource<Position>, stop: &dyn Fn() -> bool) {
    let max_plies = source.max_plies();
    while let Some(start) = source.next() {
        let mut playout = Playout::new(key, &start);
        scalar::play(game, &mut playout, max_plies);
        source.record_end(start.tag, scalar::end(game, &playout));
        if stop() {
            break;
        }
    }
}

fn many<G: Variant, I: Isa>(
    game: &G,
    isa: I,
    key: &StreamKey,
    source: &mut dyn GameSource<Position>,
    stop: &dyn Fn() -> bool,
) {
    let max_plies = source.max_plies();
    let mut game_queue = GameQueue::new(game, key, source);
    let mut queues = Queues::new();
    let mut pool = Pool::new(isa, game, max_plies);
    while pool.play_ply(&mut queues, &mut game_queue) && !stop() {}
}
