//! Many games at a time: the playouts of the vector tiers.
//!
//! Games are played in [pools](super::pool), a ply of every game in one sweep. Where checkers are borne off
//! there are two: a game begins in the early one, whose code for two different dice knows nothing of it, and
//! as soon as a side has at most one checker left outside its home board it moves to the late one and stays
//! there; where that is so from the start, it begins there. The late pool sweeps when there are games for all its
//! lanes. When no more come, a pool closes ranks; when more come after all, it grows again.
//!
//! Every game draws from its own stream, so its course depends neither on its company nor on its pool.

use core::num::NonZeroU32;

use super::Batch;
use super::feed::Feed;
use super::pool::{BLOCKS, Pool};
use super::queues::Queues;
use super::source::Source;
use super::stages::Stopwatch;
use crate::rules::Goal;
use tavli_simd::{Isa, Vector};

/// So few games are played in the late pool from beginning to end.
pub(super) const FEW: usize = 64;

/// Plays the games of a source and returns the number of plays offered. `stop`, which is asked after each sweep, has it
/// leave the games that are not over.
#[inline(always)]
pub(super) fn run<G: Goal, I: Isa>(
    isa: I,
    batch: &Batch,
    source: &mut dyn Source,
    stop: &dyn Fn() -> bool,
    watch: &mut Stopwatch,
) -> u64 {
    let most_plies = batch.truncation.map(NonZeroU32::get);
    let mut feed = Feed::<G>::new(batch, source, BLOCKS * I::Vector::LANES);
    let mut early = Pool::new(isa, most_plies);
    let mut late = Pool::new(isa, most_plies);
    let mut queues = Queues::spare();
    // Each sweep is a function of its own, which is compiled in less time and to better code.
    while let Some(is_late) = feed.is_turn_of_late(early.games(), late.games()) {
        if G::BEAR_OFF && is_late {
            let later = early.games() > 0 && !feed.revives();
            isa.call(
                #[inline(always)]
                || late.sweep::<G, true>(&mut queues, later, feed.of_late(), watch),
            );
        } else {
            isa.call(
                #[inline(always)]
                || early.sweep::<G, false>(&mut queues, false, feed.of_early(), watch),
            );
        }
        if stop() {
            break;
        }
    }
    queues.keep();
    early.plays() + late.plays()
}
