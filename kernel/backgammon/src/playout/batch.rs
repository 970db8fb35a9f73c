//! Many games at a time: the playouts of the vector tiers.
//!
//! ```text
//! BatchSource -> GameQueue -> early lanes -> GameQueue -> late lanes -> BatchSource::end
//!                        (pool)   |     (moving)     (pool)   |
//!                                 +----> Queues <-------------+
//!                                     (doubles, bear-ins)
//! ```
//!
//! Games are played in [pools](super::pool), one ply of every game at a time. Where checkers are borne off there are
//! two pools. A game begins in the early pool, whose code for two different dice cannot bear off. Once a side has at
//! most one checker outside its home board, the game moves to the late pool for good; a game in which that is so from
//! the start begins there. The late pool plays a ply when there are games for all its lanes. When no more come, a pool
//! is compacted; when more come after all, it grows again.
//!
//! Every game draws from its own stream, so its course depends neither on its company nor on its pool.

use core::num::NonZeroU32;

use super::game_queue::GameQueue;
use super::pool::Pool;
use super::queues::Queues;
use super::scalar;
use super::source::BatchSource;
use super::stages::BatchStopwatch;
use crate::rules::{AllHome, BearOff, Goal, RuleSet};
use tavli_lanes::BLOCKS;
use tavli_simd::{Bmi2, Isa, Scalar, ScalarIsa, Tier, Vector, Word, on_tier};

/// Games from any positions, played many at a time by the same rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batch {
    rules: RuleSet,
    truncation: Option<NonZeroU32>,
}

impl Batch {
    /// Games that are played to their ends.
    #[must_use]
    pub fn new(rules: RuleSet) -> Batch {
        Batch { rules, truncation: None }
    }

    /// Cuts games off after this many plies.
    #[must_use]
    pub fn truncated_after(self, plies: NonZeroU32) -> Batch {
        Batch { truncation: Some(plies), ..self }
    }

    /// Plays the games of a source until it has no more, and returns how many plays they offered, as
    /// [`Tally::plays`](super::Tally::plays) counts them. The tier changes the speed and the order in which games end,
    /// never the games. Polls `stop` every few microseconds. When it returns `true`, returns without passing the
    /// unfinished games to the source.
    ///
    /// # Panics
    /// If this CPU lacks the tier; see [`Tier::available`]. If the source hands out a position by other rules.
    pub fn play(&self, tier: Tier, source: &mut dyn BatchSource, stop: &dyn Fn() -> bool) -> u128 {
        let mut stopwatch = BatchStopwatch::stopped();
        u128::from(self.play_timed(tier, source, stop, &mut stopwatch))
    }

    /// Plays the games; `stopwatch` notes the end of each stage, if the tier has stages.
    pub(super) fn play_timed(
        &self,
        tier: Tier,
        source: &mut dyn BatchSource,
        stop: &dyn Fn() -> bool,
        stopwatch: &mut BatchStopwatch,
    ) -> u64 {
        // Once for all plies: code for an instruction set is called, not inlined.
        on_tier!(
            tier,
            isa => self.play_in_lanes(isa, source, stop, stopwatch),
            portable => match Bmi2::detect() {
                Some(isa) => self.play_one_by_one(isa, source, stop),
                None => self.play_one_by_one(Scalar, source, stop),
            }
        )
    }

    fn play_in_lanes<I: Isa>(
        &self,
        isa: I,
        source: &mut dyn BatchSource,
        stop: &dyn Fn() -> bool,
        stopwatch: &mut BatchStopwatch,
    ) -> u64 {
        let Batch { rules, truncation } = *self;
        // A function of its own for each, since compilers take long over large ones.
        if rules.bears_off() {
            isa.with_features(
                #[inline(always)]
                || run::<BearOff, I>(isa, rules, truncation, source, stop, stopwatch),
            )
        } else {
            isa.with_features(
                #[inline(always)]
                || run::<AllHome, I>(isa, rules, truncation, source, stop, stopwatch),
            )
        }
    }

    fn play_one_by_one<B: ScalarIsa + Isa<Vector = Word<B>>>(
        &self,
        isa: B,
        source: &mut dyn BatchSource,
        stop: &dyn Fn() -> bool,
    ) -> u64 {
        let Batch { rules, truncation } = *self;
        let mut offered = 0;
        isa.with_features(
            #[inline(always)]
            || {
                while let Some(start) = source.next() {
                    start.check(rules);
                    let game = &start.game;
                    let (end, plays) = if rules.bears_off() {
                        scalar::play::<BearOff, B>(isa, rules, truncation, game)
                    } else {
                        scalar::play::<AllHome, B>(isa, rules, truncation, game)
                    };
                    source.end(&end);
                    offered += plays;
                    if stop() {
                        break;
                    }
                }
            },
        );
        offered
    }
}

/// Plays the games of a source and returns the number of plays offered. `stop` is asked after each ply; once it returns
/// `true`, the games that are not over are left.
#[inline(always)]
fn run<G: Goal, I: Isa>(
    isa: I,
    rules: RuleSet,
    truncation: Option<NonZeroU32>,
    source: &mut dyn BatchSource,
    stop: &dyn Fn() -> bool,
    stopwatch: &mut BatchStopwatch,
) -> u64 {
    let max_plies = truncation.map(NonZeroU32::get);
    let mut game_queue = GameQueue::<G>::new(source, rules, max_plies, BLOCKS * I::Vector::LANES);
    let mut early = Pool::new(isa, max_plies);
    let mut late = Pool::new(isa, max_plies);
    let mut queues = Queues::reuse_or_new();
    // A ply of each pool is a function of its own, which is compiled in less time and to better code.
    while let Some(is_late) = game_queue.is_turn_of_late(early.games(), late.games()) {
        if G::BEAR_OFF && is_late {
            // Idle lanes wait for games of the early pool. Where the source waits for ends, the late pool plays before
            // it is full, and is compacted.
            let later = early.games() > 0 && !game_queue.has_revived();
            isa.with_features(
                #[inline(always)]
                || late.play_ply::<G, true>(&mut queues, later, game_queue.late_lanes(), stopwatch),
            );
        } else {
            isa.with_features(
                #[inline(always)]
                || early.play_ply::<G, false>(&mut queues, false, game_queue.early_lanes(), stopwatch),
            );
        }
        if stop() {
            break;
        }
    }
    queues.return_to_thread();
    early.plays() + late.plays()
}
