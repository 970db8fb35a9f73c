//! Games on their way to and from the pools of a batch.

use core::marker::PhantomData;

use super::capacity::FEW;
use super::game::Game;
use super::pool::Waiting;
use super::source::Source;
use super::start::Start;
use crate::rules::{Goal, RuleSet};

/// The games of a source that are in no lane.
pub(super) struct Feed<'a, G> {
    source: &'a mut dyn Source,
    rules: RuleSet,
    /// The ply after which games are cut off.
    most_plies: Option<u32>,
    /// The most games of a pool.
    room: usize,
    /// Those that begin in the early pool.
    beginning: Vec<Game>,
    /// Those on their way to the late pool.
    moving: Vec<Game>,
    /// Whether the source had none when it was last asked, and no game has ended since.
    is_dry: bool,
    /// Whether the source has ever had none.
    was_dry: bool,
    /// Whether it had some again.
    revives: bool,
    /// Whether the last of the source began in the late pool.
    was_late: bool,
    /// Games that have ended since the last sweep of the early pool.
    ended: usize,
    goal: PhantomData<G>,
}

impl<'a, G: Goal> Feed<'a, G> {
    pub(super) fn new(
        source: &'a mut dyn Source,
        rules: RuleSet,
        most_plies: Option<u32>,
        room: usize,
    ) -> Feed<'a, G> {
        Feed {
            source,
            rules,
            most_plies,
            room,
            beginning: Vec::new(),
            moving: Vec::new(),
            is_dry: false,
            was_dry: false,
            revives: false,
            was_late: false,
            ended: 0,
            goal: PhantomData,
        }
    }

    /// Whether the source had games again after it had none: it may have more whenever a game ends.
    pub(super) fn revives(&self) -> bool {
        self.revives
    }

    /// Which pool sweeps next, each with its number of games: the late one or not; `None` if there are no games.
    ///
    /// The late pool sweeps when there are games for all its lanes, or no others. If the source waits for games to end,
    /// it also sweeps if it has at least as many games as the early one would have.
    #[inline(always)]
    pub(super) fn is_turn_of_late(&mut self, early: usize, late: usize) -> Option<bool> {
        if !G::BEAR_OFF {
            return (early > 0 || self.has_next()).then_some(false);
        }
        if early == 0 {
            self.look(late);
        }
        let (early, late) = (early + self.beginning.len(), late + self.moving.len());
        if early == 0 {
            return (late > 0).then_some(true);
        }
        let enough = if self.revives {
            self.room.min(early + self.ended)
        } else {
            self.room
        };
        Some(late >= enough)
    }

    /// Whether a game begins, which then waits.
    fn has_next(&mut self) -> bool {
        !self.beginning.is_empty() || self.ask(Feed::keep)
    }

    /// Finds out whether games begin in the early pool, which is empty. A few in all are played in the late pool from
    /// beginning to end, which has so many games: two pools would be half empty for most of the time.
    fn look(&mut self, late: usize) {
        while self.moving.is_empty() && self.beginning.len() <= FEW && self.ask(Feed::keep) {}
        if self.is_dry && late + self.moving.len() + self.beginning.len() <= FEW {
            self.moving.append(&mut self.beginning);
        }
    }

    /// Calls `take` with the next of the source, having noted what follows from it. Returns whether there is one.
    #[inline(always)]
    fn ask(&mut self, take: impl FnOnce(&mut Self, &Start)) -> bool {
        if self.is_dry {
            return false;
        }
        let Some(start) = &self.source.next() else {
            self.is_dry = true;
            self.was_dry = true;
            return false;
        };
        start.check(self.rules);
        self.revives |= self.was_dry;
        self.was_late = G::BEAR_OFF && start.is_late;
        take(self, start);
        true
    }

    /// Has a game that begins wait for its pool.
    #[inline(always)]
    fn keep(&mut self, start: &Start) {
        if self.was_late {
            self.moving.push(start.game);
        } else {
            self.beginning.push(start.game);
        }
    }

    #[inline(always)]
    fn end(&mut self, game: &Game) {
        self.source.end(&game.end(self.rules));
        self.is_dry = false;
        self.ended += 1;
    }

    /// What the early pool sees of this.
    pub(super) fn of_early<'b>(&'b mut self) -> OfEarly<'a, 'b, G> {
        self.ended = 0;
        OfEarly(self)
    }

    /// What the late pool sees of this.
    pub(super) fn of_late<'b>(&'b mut self) -> OfLate<'a, 'b, G> {
        OfLate(self)
    }
}

/// Games that begin in the early pool, and leave it for the late one or because they are over.
pub(super) struct OfEarly<'a, 'b, G>(&'b mut Feed<'a, G>);

impl<G: Goal> Waiting for OfEarly<'_, '_, G> {
    #[inline(always)]
    fn next(&mut self, mut place: impl FnMut(&Game)) -> bool {
        let feed = &mut *self.0;
        if let Some(game) = feed.beginning.pop() {
            place(&game);
            return true;
        }
        // However many begin in the late pool, so few wait for it.
        let mut is_placed = false;
        while !is_placed
            && feed.moving.len() < feed.room
            && feed.ask(
                #[inline(always)]
                |feed, start| {
                    if feed.was_late {
                        feed.moving.push(start.game);
                    } else {
                        place(&start.game);
                        is_placed = true;
                    }
                },
            )
        {}
        is_placed
    }

    #[inline(always)]
    fn leave(&mut self, game: &Game) {
        let feed = &mut *self.0;
        let cut_off = feed.most_plies.is_some_and(|most| game.plies == most);
        // Where nothing is borne off there is no other pool to go to.
        if !G::BEAR_OFF || cut_off || game.is_over::<G>() {
            feed.end(game);
        } else {
            feed.moving.push(*game);
        }
    }
}

/// Games that come from the early pool or begin late, and leave because they are over.
pub(super) struct OfLate<'a, 'b, G>(&'b mut Feed<'a, G>);

impl<G: Goal> Waiting for OfLate<'_, '_, G> {
    #[inline(always)]
    fn next(&mut self, mut place: impl FnMut(&Game)) -> bool {
        let feed = &mut *self.0;
        if let Some(game) = feed.moving.pop() {
            place(&game);
            return true;
        }
        // Where games begin here they need not wait.
        let mut is_placed = false;
        if feed.was_late {
            feed.ask(
                #[inline(always)]
                |feed, start| {
                    if feed.was_late {
                        place(&start.game);
                        is_placed = true;
                    } else {
                        feed.beginning.push(start.game);
                    }
                },
            );
        }
        is_placed
    }

    #[inline(always)]
    fn leave(&mut self, game: &Game) {
        self.0.end(game);
    }
}
