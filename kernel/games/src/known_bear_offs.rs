//! Nets of games that bear off as backgammon does, with its tables.

use core::fmt;
use std::sync::Arc;

use tavli_backgammon::evaluators::{KnownValues, Probabilities};
use tavli_backgammon::{Board, Planes, RuleSet};
use tavli_base::Stopped;
use tavli_game::{BothHome, Heuristic, POINT, PlayableGame, WinProbabilities};

/// A net that takes the values of bear-offs from a table.
struct WithKnownBearOffs<P> {
    net: Arc<dyn Heuristic<P>>,
    known: Arc<dyn KnownValues>,
    /// [`PlayableGame::both_home`].
    both_home: fn(&P) -> Option<BothHome>,
}

impl<P> fmt::Debug for WithKnownBearOffs<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}+{}", self.net, self.known.name())
    }
}

/// The net, with the table's value in positions that the table knows and in which both sides only [bear
/// off](PlayableGame::both_home).
pub(super) fn with_known_bear_offs<G: PlayableGame>(
    net: Arc<dyn Heuristic<G::Position>>,
    known: Arc<dyn KnownValues>,
) -> Arc<dyn Heuristic<G::Position>> {
    let both_home = G::both_home;
    Arc::new(WithKnownBearOffs { net, known, both_home })
}

/// Converts a bear-off of this game to backgammon's board.
fn in_backgammon([own, opponent]: BothHome) -> Planes {
    let mut points = [0; 26];
    for (point, (own, opponent)) in (1..).zip(own.into_iter().zip(opponent)) {
        points[point] = own.cast_signed();
        points[25 - point] = -opponent.cast_signed();
    }
    let board = Board::from_points(&points).expect("at most 15 checkers a side, in their home boards");
    board.into()
}

impl<P> WithKnownBearOffs<P> {
    /// The probabilities by the table for the player on roll.
    fn known(&self, position: &P) -> Option<Probabilities> {
        let bear_off = in_backgammon((self.both_home)(position)?);
        self.known.value(RuleSet::Backgammon, &bear_off)
    }
}

/// The probabilities of the table, in which no bear-off is a backgammon.
fn win_probabilities(value: Probabilities) -> WinProbabilities {
    let of_opponent = value.reversed();
    WinProbabilities {
        win: value.at_least(1),
        double_win: value.at_least(2),
        loss: of_opponent.at_least(1),
        double_loss: of_opponent.at_least(2),
    }
}

/// A value of the table in points.
fn points(value: Probabilities) -> i64 {
    (value.equity() * POINT as f64).round() as i64
}

impl<P: Copy> WithKnownBearOffs<P> {
    /// Writes the values that the table knows, converted by `of_table`, and lets `by_net` write the values of the other
    /// positions.
    fn write<V: Copy + Default>(
        &self,
        positions: &[P],
        values: &mut [V],
        of_table: fn(Probabilities) -> V,
        by_net: impl Fn(&[P], &mut [V]) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let known: Vec<Option<Probabilities>> = positions.iter().map(|position| self.known(position)).collect();
        // Most positions are not bear-offs. They are valued in place, without copies.
        if known.iter().all(Option::is_none) {
            return by_net(positions, values);
        }
        let unknown = positions.iter().zip(&known).filter(|(_, known)| known.is_none());
        let unknown: Vec<P> = unknown.map(|(position, _)| *position).collect();
        let mut valued = vec![V::default(); unknown.len()];
        if !unknown.is_empty() {
            by_net(&unknown, &mut valued)?;
        }
        let mut valued = valued.into_iter();
        for (value, known) in values.iter_mut().zip(known) {
            *value = known.map(of_table).or_else(|| valued.next()).expect("each position has a value");
        }
        Ok(())
    }
}

impl<P: Copy> Heuristic<P> for WithKnownBearOffs<P> {
    fn most(&self) -> i64 {
        self.net.most()
    }

    fn values(&self, positions: &[P], values: &mut [i64], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let by_net = |positions: &[P], values: &mut [i64]| self.net.values(positions, values, stop);
        self.write(positions, values, points, by_net)
    }

    fn values_of_results(
        &self,
        before: &P,
        results: &[P],
        values: &mut [i64],
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Stopped> {
        let by_net = |results: &[P], values: &mut [i64]| self.net.values_of_results(before, results, values, stop);
        self.write(results, values, points, by_net)
    }

    fn probabilities(
        &self,
        positions: &[P],
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<WinProbabilities>>, Stopped> {
        // Whether the net knows probabilities.
        if self.net.probabilities(&[], stop)?.is_none() {
            return Ok(None);
        }
        let by_net = |positions: &[P], values: &mut [WinProbabilities]| {
            let found = self.net.probabilities(positions, stop)?;
            values.copy_from_slice(&found.expect("it knows them"));
            Ok(())
        };
        let mut values = vec![WinProbabilities::default(); positions.len()];
        self.write(positions, &mut values, win_probabilities, by_net)?;
        Ok(Some(values))
    }

    fn likely(&self, position: &P, results: &[Vec<P>]) -> Vec<usize> {
        // Without the table: the play that is likely the best changes the time of a search, but no value.
        self.net.likely(position, results)
    }
}
