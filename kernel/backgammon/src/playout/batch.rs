//! Many games at a time: the playouts of the vector tiers.
//!
//! Games are played in [pools](super::pool), a ply of every game in one sweep. Where checkers are borne off
//! there are two: a game begins in the early one, whose code for two different dice knows nothing of it, and
//! as soon as a side has at most one checker left outside its home board it moves to the late one and stays
//! there. The late pool sweeps when there are games for all its lanes. When no more come, a pool closes ranks.
//!
//! Every game draws from its own stream, so its course depends neither on its company nor on its pool.

use core::ops::Range;

use super::Playouts;
use super::game::{End, Game};
use super::pool::Pool;
use super::queues::Queues;
use super::stages::Stopwatch;
use super::stream::StreamKey;
use crate::board::Side;
use crate::plays::at_most_one_outside;
use crate::rules::Goal;
use tavli_simd::{AnyCpu, Isa};

/// So few games are played in the late pool from beginning to end: two pools would be half empty for most of
/// the time.
pub(super) const FEW: u64 = 64;

/// Plays games and calls `visit` with each as it ends. Returns the number of plays
/// offered. `stop`, which is asked after each sweep, has it leave the games that are not over.
#[inline(always)]
pub(super) fn run<G: Goal, I: Isa>(
    isa: I,
    playouts: &Playouts,
    numbers: Range<u64>,
    visit: &mut dyn FnMut(&End),
    stop: &dyn Fn() -> bool,
    watch: &mut Stopwatch,
) -> u64 {
    let games = numbers.end.saturating_sub(numbers.start);
    if games == 0 {
        // Pools without lanes would count as full for ever.
        return 0;
    }
    let (start, rules) = (&playouts.start, playouts.rules);
    let is_late =
        |side: &Side| at_most_one_outside(AnyCpu.fill(side.occupied()), AnyCpu.fill(side.made()));
    let begins_late =
        G::BEAR_OFF && (games <= FEW || is_late(start.own()) || is_late(start.opponent()));
    let key = StreamKey::new(playouts.seed);
    let mut beginning = numbers.map(
        #[inline(always)]
        |number| Game::new(start, &key, number),
    );
    let mut moving = Vec::new();
    let mut early = Pool::new(isa, playouts, if begins_late { 0 } else { games });
    let mut late = Pool::new(isa, playouts, if G::BEAR_OFF { games } else { 0 });
    let mut queues = Queues::spare();
    // Each sweep is a function of its own, which is compiled in less time and to better code.
    loop {
        if G::BEAR_OFF && (early.is_empty() || moving.len() >= late.idle()) {
            let next = || {
                if begins_late {
                    beginning.next()
                } else {
                    moving.pop()
                }
            };
            let more = !early.is_empty();
            isa.call(
                #[inline(always)]
                || {
                    late.sweep::<G, true>(
                        &mut queues,
                        more,
                        next,
                        #[inline(always)]
                        |game| visit(&game.end(rules)),
                        watch,
                    );
                },
            );
        } else {
            isa.call(
                #[inline(always)]
                || {
                    early.sweep::<G, false>(
                        &mut queues,
                        false,
                        #[inline(always)]
                        || beginning.next(),
                        #[inline(always)]
                        |game| {
                            let cut_off = playouts
                                .truncation
                                .is_some_and(|most| game.plies == most.get());
                            // Where nothing is borne off there is no other pool to go to.
                            if !G::BEAR_OFF || cut_off || game.is_over::<G>() {
                                visit(&game.end(rules));
                            } else {
                                moving.push(game);
                            }
                        },
                        watch,
                    );
                },
            );
        }
        if early.is_empty() && late.is_empty() || stop() {
            break;
        }
    }
    queues.keep();
    early.plays() + late.plays()
}
