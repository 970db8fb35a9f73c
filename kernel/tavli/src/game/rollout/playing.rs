//! Trials on a worker, and what a session needs of a rollout.

use core::num::NonZeroU32;
use core::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tavli_backgammon::Tier;
use tavli_file::{FileError, Target};
use tavli_game::{NamedGame, POINT, PlayoutStart, Stopped, playouts_of_rows};
use tavli_rollout::{CountTrials, PairedRace, Playable, Stop, StopReason, Verdict};
use tavli_search::LookedAhead;

use super::candidate::GameCandidate;
use super::player::RolloutPlayer;
use super::race::Race;
use super::rollout::GameRollout;
use super::sums::CandidateSums;

/// Games that take a worker some milliseconds at random.
const FIRST_RANDOM_GAMES: u64 = 1024;
/// Games in a worker's first range: a player takes milliseconds for a game. Duels of agents in which the first worker
/// had up to 32 pairs at once took 1.8 times as long (profiles/LOG.md, 2026-11-27).
const FIRST_GAMES_OF_A_PLAYER: u64 = 1;

/// Plays games of the candidates.
#[derive(Debug)]
pub struct GameCounter<G: NamedGame> {
    candidates: Arc<[GameCandidate<G::Position>]>,
    /// The candidates that are still played.
    playing: Vec<usize>,
    player: RolloutPlayer<G>,
    /// Sums without games.
    empty: CandidateSums,
    /// The most plies of the games of a race.
    race: Option<u32>,
}

/// The counts of some trials.
#[derive(Clone, PartialEq, Debug)]
pub struct GameCounts {
    /// The sums of each candidate; none in a race.
    sums: Vec<CandidateSums>,
    /// In a race, for each trial one value for each candidate that is still played, for the player who chooses.
    pub(in crate::game) values: Vec<i64>,
}

impl GameCounts {
    /// The counts of trials of a race.
    pub(in crate::game) fn of_values(values: Vec<i64>) -> GameCounts {
        let sums = Vec::new();
        GameCounts { sums, values }
    }
}

impl<G: NamedGame> Clone for GameCounter<G> {
    fn clone(&self) -> GameCounter<G> {
        GameCounter {
            candidates: Arc::clone(&self.candidates),
            playing: self.playing.clone(),
            player: self.player.clone(),
            empty: self.empty.clone(),
            race: self.race,
        }
    }
}

impl<G: NamedGame> GameCounter<G> {
    /// The same counter, of these candidates alone.
    pub(in crate::game) fn of_candidates(self, playing: Vec<usize>) -> GameCounter<G> {
        GameCounter { playing, ..self }
    }
}

impl<G: NamedGame> CountTrials for GameCounter<G> {
    type Counts = GameCounts;

    fn candidates(&self) -> usize {
        self.playing.len()
    }

    fn count(&self, trials: Range<u64>, stop: &dyn Fn() -> bool) -> Option<GameCounts> {
        if let (Some(most_plies), RolloutPlayer::Greedy { playouts, .. }) = (self.race, &self.player) {
            let games = trials.flat_map(|trial| self.playing.iter().map(move |&candidate| (trial, candidate)));
            let values = games.map(|(trial, candidate)| {
                let position = &self.candidates[candidate].position;
                Some(-playouts.value(position, trial, most_plies, stop).ok()?)
            });
            return values.collect::<Option<_>>().map(GameCounts::of_values);
        }
        let mut sums = vec![self.empty.clone(); self.candidates.len()];
        let played = self.candidates.iter().zip(&mut sums);
        let mut played: Vec<_> = played.filter(|(candidate, _)| candidate.end.is_none()).collect();
        match &self.player {
            RolloutPlayer::Random(game) => {
                let starts = played
                    .iter()
                    .map(|(candidate, _)| PlayoutStart::new(candidate.position));
                let starts: Vec<_> = starts.collect();
                let games = (trials.end - trials.start) * starts.len() as u64;
                let tallies = playouts_of_rows(&**game, &starts, trials, 0..games, stop).ok()?;
                for ((_, sums), tally) in played.iter_mut().zip(tallies) {
                    for outcome in G::OUTCOMES {
                        sums.add_games::<G>(outcome.points, tally.count(outcome.points));
                    }
                }
            }
            RolloutPlayer::Greedy { playouts, .. } => {
                for number in trials {
                    for (candidate, sums) in &mut played {
                        let game = playouts.play(&candidate.position, number, stop).ok()?;
                        sums.add_games::<G>(game.points, 1);
                        if let Some(luck) = game.luck {
                            sums.add_value(i64::from(game.points) * POINT - luck);
                        }
                    }
                }
            }
        }
        let values = Vec::new();
        Some(GameCounts { sums, values })
    }

    fn first_trials_a_worker(&self) -> u64 {
        match &self.player {
            RolloutPlayer::Random(_) => FIRST_RANDOM_GAMES,
            RolloutPlayer::Greedy { .. } => FIRST_GAMES_OF_A_PLAYER,
        }
    }

    fn memory(&self) -> usize {
        self.candidates.len() * (size_of::<CandidateSums>() + size_of_val(&*self.empty.outcomes))
    }
}

impl<G: NamedGame> Playable for GameRollout<G> {
    type Counter = GameCounter<G>;
    /// The plays by the values of the net, the best first, of a race that is to begin.
    type Preparation = Option<Vec<LookedAhead>>;

    fn preparation(&self, stop: &dyn Fn() -> bool) -> Result<Option<Vec<LookedAhead>>, Stopped> {
        match (&self.race, self.race_settings, &self.player, self.chance) {
            (None, Some(_), RolloutPlayer::Greedy { playouts, .. }, Some(chance)) => {
                playouts.player().ranked(&self.position, chance, stop).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn begin(&mut self, ranked: Option<Vec<LookedAhead>>) {
        if let (Some(ranked), Some(settings)) = (ranked, &self.race_settings) {
            let (race, candidates) = Race::new(settings, &self.candidates, self.has_named_plays, &ranked);
            self.sums.truncate(candidates.len());
            (self.race, self.candidates) = (Some(race), candidates.into());
        }
    }

    fn planned_trials(&self) -> Range<u64> {
        self.stop.planned_trials(self.shard)
    }

    fn trials(&self) -> Range<u64> {
        self.trials.clone()
    }

    fn total_games(&self) -> u64 {
        match &self.race {
            Some(race) => {
                let games = (0..self.candidates.len()).map(|candidate| race.pairs.values(candidate).len() as u64);
                games.sum()
            }
            None => (self.trials.end - self.trials.start) * self.candidates.len() as u64,
        }
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn elapsed(&self) -> Duration {
        self.elapsed
    }

    fn set_elapsed(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
    }

    fn next_look(&self, trials: u64) -> Option<u64> {
        let by_error = self.stop.standard_error.map(|_| Stop::next_error_look(trials));
        // A race may be decided by its last trial, whatever its number.
        let last = self.stop.trials;
        let by_race = self.race.as_ref().map(|_| PairedRace::next_look(trials).min(last));
        [by_error, by_race].into_iter().flatten().min()
    }

    fn look(&mut self) -> Result<f64, StopReason> {
        let planned = self.planned_trials().end as f64;
        if self
            .decision()
            .is_some_and(|decision| decision.verdict != Verdict::Open)
        {
            return Err(StopReason::Decided);
        }
        let Some(bound) = self.stop.standard_error else {
            return Ok(planned);
        };
        let playing = self.standings().into_iter();
        let playing = playing.filter(|result| result.race.is_none_or(|race| !race.is_dropped));
        let errors = playing.map(|result| result.equity.error());
        let error = errors.fold(0.0, f64::max);
        match error <= bound {
            true => Err(StopReason::StandardError),
            // Errors fall with the square root of the number of trials.
            false => Ok(planned.min(self.trials.end as f64 * (error / bound).powi(2))),
        }
    }

    fn counter(&self, _: Tier) -> GameCounter<G> {
        GameCounter {
            candidates: Arc::clone(&self.candidates),
            playing: self.playing(),
            player: self.player.clone(),
            empty: CandidateSums::new::<G>(self.variance_reduction),
            race: self
                .race_settings
                .map(|race| race.truncation.map_or(u32::MAX, NonZeroU32::get)),
        }
    }

    fn add(&mut self, counts: &GameCounts, end: u64) {
        for (sums, more) in self.sums.iter_mut().zip(&counts.sums) {
            sums.merge(more);
        }
        if let Some(race) = &mut self.race {
            race.add(&counts.values);
        }
        self.trials.end = end;
    }

    fn save_to(&self, target: &Target) -> Result<(), FileError> {
        GameRollout::save_to(self, target)
    }
}
