//! Playouts of backgammon, as workers count them.

use core::ops::Range;

use tavli_backgammon::playout::ManyPlayouts;
use tavli_backgammon::policies::{Observer, PolicyPair};
use tavli_backgammon::{GameEnd, Playouts, Position, Results, Stakes, Tally, Tier};
use tavli_base::Stopped;

use crate::count_games::{CountGames, CountGamesWithEnds, CountRows};

/// Playouts of a position of backgammon, or of [many](ManyPlayouts).
#[derive(Clone, Debug)]
pub struct BackgammonPlayouts<P = Playouts> {
    pub(crate) playouts: P,
    players: PolicyPair,
    pub(crate) tier: Tier,
}

impl<P> BackgammonPlayouts<P> {
    /// Playouts in which `players` pick the plays: the policy of the player on roll in each position, and the policy of
    /// the opponent. Counting them panics if this CPU lacks the tier; see [`Tier::available`].
    #[must_use]
    pub fn new(playouts: P, players: PolicyPair, tier: Tier) -> BackgammonPlayouts<P> {
        BackgammonPlayouts { playouts, players, tier }
    }
}

/// The games that a worker plays in some milliseconds ([`CountGames::first_games_a_worker`]).
#[must_use]
pub fn first_games_a_worker(tier: Tier, players: &PolicyPair) -> u64 {
    // The portable tier plays one game after the other.
    if players.are_uniform() && tier != Tier::Portable { 1 << 14 } else { players.first_games() }
}

/// A remark for people on the cube and the score of a position, if playouts or searches ignore one: a cube above 1, or
/// a match.
#[must_use]
pub fn remark_on_cube(position: &Position) -> Option<&'static str> {
    let context = position.context();
    let ignores = context.cube.log2 > 0 || matches!(context.stakes, Stakes::Match { .. });
    ignores.then_some("the position's cube and score are ignored: its games count points without them")
}

impl CountGames for BackgammonPlayouts {
    type Counts = Results;

    fn first_games_a_worker(&self) -> u64 {
        first_games_a_worker(self.tier, &self.players)
    }

    fn count(&self, games: Range<u64>, stop: &dyn Fn() -> bool) -> Result<Results, Stopped> {
        self.players.run(&self.playouts, self.tier, games, stop)
    }

    fn merge(&self, results: &mut Results, _first: u64, part: Results) {
        results.merge(&part);
    }
}

impl CountGamesWithEnds for BackgammonPlayouts {
    type End = GameEnd;

    fn count_with_ends(
        &self,
        games: Range<u64>,
        each: &mut dyn FnMut(&GameEnd),
        stop: &dyn Fn() -> bool,
    ) -> Result<Results, Stopped> {
        let mut records = Vec::with_capacity((games.end - games.start) as usize);
        let (players, recording) = (&self.players, Observer::collecting(&mut records));
        let results = players.run_observed(&self.playouts, self.tier, games, recording, stop)?;
        records.iter().for_each(each);
        Ok(results)
    }
}

/// The tallies are those of [`ManyPlayouts::run`]: [`Tally::plays`] is 0.
impl CountRows for BackgammonPlayouts<ManyPlayouts> {
    type Tally = Tally;

    fn rows(&self) -> usize {
        self.playouts.rows().len()
    }

    fn first_games_a_worker(&self) -> u64 {
        first_games_a_worker(self.tier, &self.players)
    }

    fn count_rows(
        &self,
        games: Range<u64>,
        trials: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Tally>, Stopped> {
        self.players.run_part(&self.playouts, self.tier, games, trials, stop)
    }

    fn merge(tally: &mut Tally, more: &Tally) {
        tally.merge(more);
    }
}
