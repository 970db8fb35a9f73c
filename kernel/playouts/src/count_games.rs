//! Games by number, which workers play and count.

use core::ops::Range;

use tavli_base::Stopped;

/// Games by number, whose counts add up. A [`Run`](crate::Run) has workers play them.
pub trait CountGames: Send + Sync + 'static {
    /// The counts of some games.
    type Counts: Default + Send + 'static;

    /// The games that a worker plays in some milliseconds. This many are handed out to each worker at once, before the
    /// rate is known ([`Scheduler::with_first_items`](tavli_run::Scheduler::with_first_items)).
    fn first_games_a_worker(&self) -> u64;

    /// Plays the games of these numbers.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` returned `true`.
    fn count(&self, games: Range<u64>, stop: &dyn Fn() -> bool) -> Result<Self::Counts, Stopped>;

    /// Adds the counts of the games from number `first` on, which follow those counted before.
    fn merge(&self, counts: &mut Self::Counts, first: u64, part: Self::Counts);

    /// Completes the counts after the last game, such as by dropping a row that is not whole. `games` are all that were
    /// counted.
    fn complete(&self, _counts: &mut Self::Counts, _games: &Range<u64>) {}
}

/// Games of one position, whose ends can also be told one by one.
pub trait CountGamesWithEnds: CountGames {
    /// How a game ended.
    type End;

    /// Plays the games of these numbers, and then calls `each` with the end of each, in the order of the numbers.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` returned `true`.
    fn count_with_ends(
        &self,
        games: Range<u64>,
        each: &mut dyn FnMut(&Self::End),
        stop: &dyn Fn() -> bool,
    ) -> Result<Self::Counts, Stopped>;
}

/// Games of many positions, the rows.
pub trait CountRows: Send + Sync + 'static {
    /// The results of a row.
    type Tally: Clone + Default + Send + 'static;

    /// How many rows there are.
    fn rows(&self) -> usize;

    /// As [`CountGames::first_games_a_worker`].
    fn first_games_a_worker(&self) -> u64;

    /// Plays a part of the trials, which are numbered row by row: with `n` games of each row, trial `t` is a game of
    /// row `t / n`. Returns the tallies from the row of the first trial to the row of the last.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` returned `true`.
    fn count_rows(
        &self,
        games: Range<u64>,
        trials: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Self::Tally>, Stopped>;

    /// Adds a tally of the same row.
    fn merge(tally: &mut Self::Tally, more: &Self::Tally);
}
