//! Rollouts of any game: random games, or those of a player, on every core.

use core::convert::Infallible;
use core::ops::Range;
use std::sync::Arc;

use tavli_game::{NamedGame, POINT, Tally};
use tavli_playouts::GameRun;
use tavli_rollout::{Statistic, ValueSums, WholeGames};
use tavli_run::{Cancel, Limit, Progress, Scheduler, Workers};
use tavli_search::GreedyPlayouts;

/// Games in a worker's first range: a player takes milliseconds for a game. Duels of agents in which the first worker
/// had up to 32 pairs at once took 1.8 times as long (profiles/LOG.md, 2026-11-27).
pub(super) const FIRST_GAMES_A_WORKER_OF_A_PLAYER: u64 = 1;

/// How the games of a rollout are played.
#[derive(Debug)]
pub enum RolloutPlayer<G: NamedGame> {
    /// All choices are equally likely: the game's own playouts.
    Random(Arc<G>),
    /// A player that makes the choices of both sides.
    Greedy(Arc<GreedyPlayouts<G>>),
}

impl<G: NamedGame> Clone for RolloutPlayer<G> {
    fn clone(&self) -> RolloutPlayer<G> {
        match self {
            RolloutPlayer::Random(game) => RolloutPlayer::Random(Arc::clone(game)),
            RolloutPlayer::Greedy(playouts) => RolloutPlayer::Greedy(Arc::clone(playouts)),
        }
    }
}

/// The games of a rollout, for the player whose turn it is in its position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameRollout {
    /// The outcomes of the games.
    pub tally: Tally,
    /// The sums of their points with their luck subtracted, if luck was measured.
    less_luck: Option<Sums>,
}

/// Sums of values, of their squares and of their cubes, which add up to the same in any order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sums {
    values: i128,
    squares: i128,
    cubes: i128,
}

impl GameRollout {
    /// Games 0 to `games` of a position in which the game goes on. Games of other positions have the same dice. If
    /// `cancel` ends the rollout, there are fewer.
    ///
    /// # Panics
    /// If one of these workers calls this.
    #[must_use]
    pub fn of<G: NamedGame>(
        position: &G::Position,
        by: &RolloutPlayer<G>,
        games: u64,
        workers: &Workers,
        cancel: &Cancel,
        mut progress: impl FnMut(&Progress),
    ) -> GameRollout {
        let limit = Limit::Items(games);
        let playouts = match by {
            RolloutPlayer::Random(game) => {
                let run = GameRun::new(Arc::clone(game), *position, limit).cancelled_by(cancel);
                let (tally, less_luck) = (run.play(workers, progress).results, None);
                return GameRollout { tally, less_luck };
            }
            RolloutPlayer::Greedy(playouts) => Arc::clone(playouts),
        };
        let mut found = GameRollout::default();
        let (position, stopped) = (*position, cancel.clone());
        let Ok(_) = Scheduler::new(workers, 0, limit, cancel)
            .with_first_items(FIRST_GAMES_A_WORKER_OF_A_PLAYER)
            .each(
                move |numbers| GameRollout::played(&playouts, &position, numbers, &stopped),
                |part| {
                    found.merge(&part);
                    Ok::<(), Infallible>(())
                },
                &mut progress,
            );
        found
    }

    /// The games of these numbers; `None` if they were cancelled.
    fn played<G: NamedGame>(
        playouts: &GreedyPlayouts<G>,
        position: &G::Position,
        numbers: Range<u64>,
        cancel: &Cancel,
    ) -> Option<GameRollout> {
        let mut found = GameRollout::default();
        for number in numbers {
            let game = playouts.play(position, number, &|| cancel.is_cancelled()).ok()?;
            found.tally.add(game.points, game.plies);
            if let Some(luck) = game.luck {
                let value = i128::from(i64::from(game.points) * POINT - luck);
                let sums = found.less_luck.get_or_insert_default();
                sums.values += value;
                sums.squares += value * value;
                sums.cubes += value * value * value;
            }
        }
        Some(found)
    }

    fn merge(&mut self, other: &GameRollout) {
        self.tally.merge(&other.tally);
        if let Some(more) = &other.less_luck {
            let sums = self.less_luck.get_or_insert_default();
            sums.values += more.values;
            sums.squares += more.squares;
            sums.cubes += more.cubes;
        }
    }

    /// The share of games won, and the mean points, for the player whose turn it is in the position, or with `is_other`
    /// for the other player. If luck was measured it is subtracted from the points. Both are within the range that the
    /// rules [allow](tavli_game::Game::possible_points).
    #[must_use]
    pub fn win_and_equity<G: NamedGame>(&self, game: &G, position: &G::Position, is_other: bool) -> [Statistic; 2] {
        let sign = if is_other { -1 } else { 1 };
        let [least, most] = game.possible_points(position);
        let points = G::OUTCOMES.iter().map(|outcome| outcome.points);
        let possible = points.filter(|points| (least..=most).contains(&(sign * points)));
        let games = WholeGames::new(possible.map(|points| (points, self.tally.count(sign * points))));
        let equity = match &self.less_luck {
            None => games.equity(),
            Some(sums) => games.equity_less_luck(ValueSums {
                sum: i128::from(sign) * sums.values,
                squares: sums.squares,
                cubes: i128::from(sign) * sums.cubes,
                unit: POINT,
            }),
        };
        [games.wins(), equity]
    }
}
