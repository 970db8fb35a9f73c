//! Games of the same numbers from each of many positions.

use core::ops::Range;

use thiserror::Error;

use tavli_base::Stopped;

use crate::count_games::{CountGames, CountRows};
use crate::game_numbers::GameNumbersError;

/// The trials of many positions, numbered row by row.
#[derive(Clone, Debug)]
pub struct Rows<S> {
    source: S,
    /// The numbers of the games of each row.
    numbers: Range<u64>,
}

/// Games of many positions that cannot be numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RowsError {
    /// There are too many games altogether.
    #[error(
        "{games} games from each of {rows} positions are more than {most}: play fewer at a time",
        most = u64::MAX
    )]
    TooMany {
        /// Games of each position.
        games: u64,
        /// Positions.
        rows: usize,
    },
    /// The games pass the last game number.
    #[error(transparent)]
    Numbers(#[from] GameNumbersError),
}

impl<S: CountRows> Rows<S> {
    /// `games` games from `first_game` on of each position, and the number of all trials.
    pub(crate) fn new(source: S, first_game: u64, games: u64) -> Result<(Rows<S>, u64), RowsError> {
        let (numbers, rows) = (GameNumbersError::numbers(first_game, games)?, source.rows());
        let trials = games.checked_mul(rows as u64);
        let trials = trials.ok_or(RowsError::TooMany { games, rows })?;
        Ok((Rows { source, numbers }, trials))
    }

    fn games_of_row(&self) -> u64 {
        self.numbers.end - self.numbers.start
    }
}

impl<S: CountRows> CountGames for Rows<S> {
    type Counts = Vec<S::Tally>;

    fn first_games_a_worker(&self) -> u64 {
        self.source.first_games_a_worker()
    }

    fn count(&self, trials: Range<u64>, stop: &dyn Fn() -> bool) -> Result<Self::Counts, Stopped> {
        self.source.count_rows(self.numbers.clone(), trials, stop)
    }

    fn merge(&self, tallies: &mut Self::Counts, first: u64, part: Self::Counts) {
        // The counts begin without rows: their `Default` does not know how many there are.
        tallies.resize(self.source.rows(), S::Tally::default());
        // No division by zero: a part has trials, so its rows have games.
        let first_row = (first / self.games_of_row()) as usize;
        for (tally, more) in tallies[first_row..].iter_mut().zip(&part) {
            S::merge(tally, more);
        }
    }

    /// Leaves the tallies of the rows whose games were all played.
    fn complete(&self, tallies: &mut Self::Counts, trials: &Range<u64>) {
        let whole = trials.end.checked_div(self.games_of_row());
        // Rows without games are whole.
        let whole = whole.map_or(self.source.rows(), |whole| whole as usize);
        // Not `truncate`: without a part, as in rows without games, nothing has been resized before.
        tallies.resize(whole, S::Tally::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::num::NonZeroUsize;
    use tavli_backgammon::playout::ManyPlayouts;
    use tavli_backgammon::plays::Plays;
    use tavli_backgammon::policies::{PolicyPair, built_in};
    use tavli_backgammon::{Board, FirstRoll, NO_STOP, Playouts, Roll, RuleSet, Tally, Tier};
    use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};

    use crate::{BackgammonPlayouts, Run};

    fn workers(threads: usize) -> Workers {
        let threads = NonZeroUsize::new(threads);
        Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, threads).unwrap()).unwrap()
    }

    fn many(rows: &[Playouts], players: &PolicyPair) -> BackgammonPlayouts<ManyPlayouts> {
        let many = ManyPlayouts::new(rows.iter().copied()).unwrap();
        BackgammonPlayouts::new(many, players.clone(), Tier::best())
    }

    /// The positions after all plays of all rolls from the start.
    fn rows() -> Vec<Playouts> {
        let mut rows = Vec::new();
        for roll in Roll::ALL {
            for play in Plays::new(&Board::START, roll, RuleSet::Backgammon).to_vec() {
                let playouts = Playouts::new(play.board(), RuleSet::Backgammon, 7).unwrap();
                let first_roll = match rows.len() % 3 {
                    0 => FirstRoll::Stratified,
                    1 => FirstRoll::Given(roll),
                    _ => FirstRoll::Any,
                };
                rows.push(playouts.with_first_roll(first_roll));
            }
        }
        rows
    }

    /// The tally of a position by itself, without the plays, which are not counted by row.
    fn alone(row: &Playouts, games: Range<u64>) -> Tally {
        let mut tally = row.run(Tier::best(), games, NO_STOP).unwrap().tally;
        tally.plays = 0;
        tally
    }

    #[test]
    fn rows_do_not_depend_on_the_workers() {
        let rows = rows();
        let many = many(&rows, &PolicyPair::default());
        for games in [0..36, 50..51, 5..5] {
            let alone: Vec<Tally> = rows.iter().map(|row| alone(row, games.clone())).collect();
            for threads in [1, 2, 3, 16] {
                let workers = workers(threads);
                let run = Run::from_rows(many.clone(), games.start, games.end - games.start).unwrap();
                let report = run.play(&workers, |_| ());
                assert!(report.results == alone, "{threads} threads, {games:?}");
                assert!(!report.cancelled);
                let shares: u64 = report.workers.iter().map(|share| share.items).sum();
                assert_eq!(shares, (games.end - games.start) * rows.len() as u64);
            }
        }
    }

    #[test]
    fn rows_of_policies_are_those_of_the_positions_alone() {
        let rows: Vec<Playouts> = rows().into_iter().step_by(40).collect();
        let policies = ["pubeval", "uniform"].map(|name| built_in(name).unwrap());
        let [player, opponent] = policies;
        let players = PolicyPair::new(player, opponent);
        let games = 30..35;
        let alone: Vec<Tally> = rows
            .iter()
            .map(|row| {
                let mut tally = players.run(row, Tier::best(), games.clone(), NO_STOP).unwrap().tally;
                tally.plays = 0;
                tally
            })
            .collect();
        for threads in [1, 3] {
            let run = Run::from_rows(many(&rows, &players), 30, 5).unwrap();
            assert!(run.play(&workers(threads), |_| ()).results == alone);
        }
    }

    #[test]
    fn a_cancelled_run_keeps_whole_rows() {
        let rows = rows();
        let many = many(&rows, &PolicyPair::default());
        let cancel = Cancel::new();
        let run = Run::from_rows(many, 0, 1_000_000).unwrap().cancelled_by(&cancel);
        let report = run.play(&workers(2), |progress| {
            if progress.items > 2_500_000 {
                cancel.cancel();
            }
        });
        assert!(report.cancelled);
        assert!((2..rows.len()).contains(&report.results.len()));
        for tally in &report.results {
            assert_eq!(tally.games, 1_000_000);
        }
        assert_eq!(report.results[0], alone(&rows[0], 0..1_000_000));
        // Cancelled before it starts, it plays nothing.
        assert_eq!(run.play(&workers(2), |_| ()).results, []);
    }

    #[test]
    fn games_can_be_numbered_or_are_refused() {
        let many = many(&rows(), &PolicyPair::default());
        let error = Run::from_rows(many.clone(), 0, u64::MAX).unwrap_err();
        assert!(error.to_string().ends_with("play fewer at a time"), "{error}");
        let error = Run::from_rows(many.clone(), u64::MAX, 1).unwrap_err();
        assert!(matches!(error, RowsError::Numbers(_)), "{error}");
        let last = Run::from_rows(many, u64::MAX - 3, 3).unwrap();
        assert!(last.play(&workers(2), |_| ()).results.iter().all(|tally| tally.games == 3));
    }
}
