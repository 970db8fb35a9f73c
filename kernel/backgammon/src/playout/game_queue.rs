//! Games between their source and the lanes of the pools.
//!
//! Tested by `tests/suite/sources.rs`.

use core::marker::PhantomData;

use super::batch_game::BatchGame;
use super::source::BatchSource;
use super::start::BatchStart;
use crate::rules::{Goal, RuleSet};
use tavli_lanes::LaneFeed;

/// Up to this many games are played in the late pool from beginning to end: two pools would be half empty for most of
/// the time.
pub(super) const LATE_POOL_GAMES: usize = 64;

/// Whether the source of a batch may have more games. A source that had none may have some again whenever a game ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Supply {
    /// It has had games whenever it was asked.
    Flowing,
    /// It had none at least once, and none since.
    RanDry,
    /// It had games again after it had none, as a search does that waits for results.
    Revived,
}

/// The games of a source that are in no lane.
pub(super) struct GameQueue<'a, G> {
    source: &'a mut dyn BatchSource,
    rules: RuleSet,
    /// The ply after which games are cut off.
    max_plies: Option<u32>,
    /// The most games of a pool.
    room: usize,
    /// Games that will begin in the early pool.
    beginning: Vec<BatchGame>,
    /// Games on their way to the late pool.
    moving: Vec<BatchGame>,
    supply: Supply,
    /// Set when the source returns `None`, cleared when a game ends. While it is set, asking again is useless.
    is_source_empty: bool,
    /// Whether the last game of the source began in the late pool.
    last_began_late: bool,
    /// Games that have ended since the last ply of the early pool.
    ended: usize,
    goal: PhantomData<G>,
}

impl<'a, G: Goal> GameQueue<'a, G> {
    pub(super) fn new(
        source: &'a mut dyn BatchSource,
        rules: RuleSet,
        max_plies: Option<u32>,
        room: usize,
    ) -> GameQueue<'a, G> {
        GameQueue {
            source,
            rules,
            max_plies,
            room,
            beginning: Vec::new(),
            moving: Vec::new(),
            supply: Supply::Flowing,
            is_source_empty: false,
            last_began_late: false,
            ended: 0,
            goal: PhantomData,
        }
    }

    /// Whether the source had games again after it had none: it may have more whenever a game ends.
    pub(super) fn has_revived(&self) -> bool {
        self.supply == Supply::Revived
    }

    /// Whether the late pool plays the next ply, given the number of games in each pool; `None` if there are no games.
    ///
    /// The late pool plays when there are games for all its lanes, or no others. If the source waits for games to end,
    /// the late pool also plays if it has at least as many games as the early pool.
    #[inline(always)]
    pub(super) fn is_turn_of_late(&mut self, early: usize, late: usize) -> Option<bool> {
        if !G::BEAR_OFF {
            return (early > 0 || self.has_next()).then_some(false);
        }
        if early == 0 {
            self.refill(late);
        }
        let (early, late) = (early + self.beginning.len(), late + self.moving.len());
        if early == 0 {
            return (late > 0).then_some(true);
        }
        let enough = if self.has_revived() { self.room.min(early + self.ended) } else { self.room };
        Some(late >= enough)
    }

    /// Whether a game is waiting to begin; asks the source for one if none is.
    fn has_next(&mut self) -> bool {
        !self.beginning.is_empty() || self.ask(GameQueue::keep)
    }

    /// Asks the source for games for the empty early pool. If at most [`LATE_POOL_GAMES`] are left in all, with the
    /// `late` ones that the late pool has, all move there and are played there from beginning to end.
    fn refill(&mut self, late: usize) {
        while self.moving.is_empty() && self.beginning.len() <= LATE_POOL_GAMES && self.ask(GameQueue::keep) {}
        if self.is_source_empty && late + self.moving.len() + self.beginning.len() <= LATE_POOL_GAMES {
            self.moving.append(&mut self.beginning);
        }
    }

    /// Passes the next game of the source to `take`; returns false if there is none.
    #[inline(always)]
    fn ask(&mut self, take: impl FnOnce(&mut Self, &BatchStart)) -> bool {
        if self.is_source_empty {
            return false;
        }
        let Some(start) = &self.source.next() else {
            self.is_source_empty = true;
            if self.supply == Supply::Flowing {
                self.supply = Supply::RanDry;
            }
            return false;
        };
        start.check(self.rules);
        if self.supply == Supply::RanDry {
            self.supply = Supply::Revived;
        }
        self.last_began_late = G::BEAR_OFF && start.is_late;
        take(self, start);
        true
    }

    /// Queues a new game for its pool.
    #[inline(always)]
    fn keep(&mut self, start: &BatchStart) {
        if self.last_began_late {
            self.moving.push(start.game);
        } else {
            self.beginning.push(start.game);
        }
    }

    #[inline(always)]
    fn end(&mut self, game: &BatchGame) {
        self.source.end(&game.end(self.rules));
        self.is_source_empty = false;
        self.ended += 1;
    }

    /// The source and sink of the early pool's games.
    pub(super) fn early_lanes<'b>(&'b mut self) -> EarlyLanes<'a, 'b, G> {
        self.ended = 0;
        EarlyLanes(self)
    }

    /// The source and sink of the late pool's games.
    pub(super) fn late_lanes<'b>(&'b mut self) -> LateLanes<'a, 'b, G> {
        LateLanes(self)
    }
}

/// Lanes of the early pool: games begin in them, and leave when they are over or may bear off.
pub(super) struct EarlyLanes<'a, 'b, G>(&'b mut GameQueue<'a, G>);

impl<G: Goal> LaneFeed<BatchGame> for EarlyLanes<'_, '_, G> {
    #[inline(always)]
    fn next_into(&mut self, mut put: impl FnMut(&BatchGame)) -> bool {
        let queue = &mut *self.0;
        if let Some(game) = queue.beginning.pop() {
            put(&game);
            return true;
        }
        // The game is put into its lane by the callback, since a copy that is returned would wait for store forwarding
        // ([`LaneFeed::next_into`]). The bound keeps the queue of the late pool short even if every game begins there.
        let mut is_put = false;
        while !is_put
            && queue.moving.len() < queue.room
            && queue.ask(
                #[inline(always)]
                |queue, start| {
                    if queue.last_began_late {
                        queue.moving.push(start.game);
                    } else {
                        put(&start.game);
                        is_put = true;
                    }
                },
            )
        {}
        is_put
    }

    #[inline(always)]
    fn take_leaving(&mut self, game: &BatchGame) {
        let queue = &mut *self.0;
        let cut_off = queue.max_plies.is_some_and(|most| game.plies == most);
        // Where nothing is borne off there is no other pool to go to.
        if !G::BEAR_OFF || cut_off || game.is_over::<G>() {
            queue.end(game);
        } else {
            queue.moving.push(*game);
        }
    }
}

/// Lanes of the late pool: games come from the early pool or begin in them, and leave when they are over.
pub(super) struct LateLanes<'a, 'b, G>(&'b mut GameQueue<'a, G>);

impl<G: Goal> LaneFeed<BatchGame> for LateLanes<'_, '_, G> {
    #[inline(always)]
    fn next_into(&mut self, mut put: impl FnMut(&BatchGame)) -> bool {
        let queue = &mut *self.0;
        if let Some(game) = queue.moving.pop() {
            put(&game);
            return true;
        }
        // If a source's last game began here, its next games likely do so, too, and need not wait in the queue.
        let mut is_put = false;
        if queue.last_began_late {
            queue.ask(
                #[inline(always)]
                |queue, start| {
                    if queue.last_began_late {
                        put(&start.game);
                        is_put = true;
                    } else {
                        queue.beginning.push(start.game);
                    }
                },
            );
        }
        is_put
    }

    #[inline(always)]
    fn take_leaving(&mut self, game: &BatchGame) {
        self.0.end(game);
    }
}
