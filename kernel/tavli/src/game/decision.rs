//! Decisions: which choice after a chance to make, in any game with a net.

use core::convert::Infallible;
use core::num::NonZeroU32;
use core::ops::Range;
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use tavli_game::{Game, Heuristic, POINT, Stopped};
use tavli_rollout::{Decision, PairedRace, Request, Statistic, StopReason, Verdict};
use tavli_run::{Cancel, Limit, Progress, Scheduler, Workers};
use tavli_search::{GreedyPlayouts, LookAhead, LookedAhead};

use super::rollout::FIRST_GAMES_A_WORKER_OF_A_PLAYER;

/// The confidence of decisions, in percent.
const PERCENT: f64 = 95.0;

/// The most plies of [short games](PairedRace::of_short_games).
// In 9,600 races by differences of Plakoto after eleven plies, and as many of Fevga, between plays that are equal on
// average, 1.7 and 1.3 % dropped the first play, of the races of one position at most 5.5 % of 400
// (tavli_rollout::statistics).
const SHORT: u32 = 11;

/// How a decision is made.
///
/// The choices that the net values more than [`filter`](DecisionSettings::filter) points behind the best are left out.
/// The others race: games of each, of the same numbers and so with the same dice, are cut off after
/// [`plies`](DecisionSettings::plies), valued by the net, with variance reduction, until one choice is the best with 95
/// % confidence, or none of the others is better by more than [`within`](DecisionSettings::within).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecisionSettings {
    /// Choices that differ by at most this many points count as equally good; 0 or more.
    pub within: f64,
    /// How many points a choice may be below the best by the net to be in the race, 0 or more; `None` for all. The best
    /// two always are.
    pub filter: Option<f64>,
    /// The plies of a game; `None` for games that are played to their ends.
    pub plies: Option<NonZeroU32>,
    /// The most trials: games of each choice.
    pub trials: u64,
    /// The most time.
    pub time: Option<Duration>,
    /// The seed of the dice.
    pub seed: u64,
}

impl Default for DecisionSettings {
    /// Within 0.01 points, of choices within 0.16, eleven plies, 2,304 trials, and seed 1.
    fn default() -> DecisionSettings {
        DecisionSettings {
            within: 0.01,
            filter: Some(Request::DECISION_MARGIN),
            // In 20 decisions the differences after 5 plies were 0.024 from those of whole games in the median, after
            // 11 0.018, after 21 0.016, of which some 0.012 are errors of the whole games (profiles/variants).
            plies: NonZeroU32::new(11),
            trials: Request::DECISION_TRIALS,
            time: None,
            seed: 1,
        }
    }
}

/// A choice that raced.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RacedChoice {
    /// The index of the choice.
    pub choice: usize,
    /// Its value by the net without trials, in points.
    pub evaluation: f64,
    /// The mean value of its games, for the player who chooses; NaN without games.
    pub equity: Statistic,
    /// Its games.
    pub trials: u64,
    /// Whether it was dropped for being worse than another.
    pub is_dropped: bool,
}

/// Which choice to make.
#[derive(Clone, PartialEq, Debug)]
pub struct GameDecision {
    /// The choices that raced, the best by the net first.
    pub choices: Vec<RacedChoice>,
    /// How the race stands. Candidates are the places of [`GameDecision::choices`].
    pub decision: Decision,
    /// What ended it: [`StopReason::Decided`], `Trials`, `Time` or `Cancelled`.
    pub ended_by: StopReason,
}

impl GameDecision {
    /// Decides what to choose after a chance in a position, by the best choices of a net that looks `plies` plies
    /// ahead. The result depends on neither the workers nor their number, and on the time by the number of trials
    /// alone.
    ///
    /// # Errors
    /// [`Stopped`] if `cancel` was thrown before the net had valued the choices.
    ///
    /// # Panics
    /// If `plies` are more than [`LookAhead::MOST_PLIES`], or if one of these workers calls this.
    pub fn of<G: Game>(
        game: &Arc<G>,
        (position, chance): (&G::Position, usize),
        (net, plies): (&Arc<dyn Heuristic<G::Position>>, u32),
        settings: &DecisionSettings,
        workers: &Workers,
        cancel: &Cancel,
        mut progress: impl FnMut(&Progress),
    ) -> Result<GameDecision, Stopped> {
        let start = Instant::now();
        let player = || LookAhead::new(Arc::clone(game), Arc::clone(net), plies);
        let ranked = player().ranked(position, chance, &|| cancel.is_cancelled())?;
        let candidates = near_the_best(&ranked, settings.filter);
        let results = game.results(position, chance);
        let playouts = GreedyPlayouts::new(Arc::clone(game), player(), settings.seed).measuring_luck(true);
        let games = RacedGames {
            positions: candidates.iter().map(|candidate| results[candidate.choice]).collect(),
            playouts: Arc::new(playouts),
            most_plies: settings.plies.map_or(u32::MAX, NonZeroU32::get),
            stop: cancel.part(),
        };
        let mut race = PairedRace::new(candidates.len(), POINT, PERCENT, settings.within);
        if settings.plies.is_some_and(|plies| plies.get() <= SHORT) {
            race = race.of_short_games();
        }
        let ended_by = loop {
            let time_left = settings.time.map(|time| time.saturating_sub(start.elapsed()));
            if cancel.is_cancelled() {
                break StopReason::Cancelled;
            } else if race.decision(0).verdict != Verdict::Open {
                break StopReason::Decided;
            } else if race.trials() >= settings.trials {
                break StopReason::Trials;
            } else if time_left.is_some_and(|left| left.is_zero()) {
                break StopReason::Time;
            }
            let trials = race.trials()..race.next_look().min(settings.trials);
            let played = games.play(race.playing(), trials, time_left, workers, &mut progress);
            for (place, candidate) in race.playing().to_vec().into_iter().enumerate() {
                let whole_trials = played.chunks_exact(race.playing().len());
                race.add(candidate, whole_trials.map(|trial| trial[place]).collect::<Vec<_>>());
            }
            race.drop_worse();
        };
        // The result of a choice has its points for the other player.
        let range = |result: &G::Position| {
            let [least, most] = match game.points(result) {
                Some(points) => [points; 2],
                None => game.possible_points(result),
            };
            [-most, -least].map(f64::from)
        };
        let raced = candidates.iter().enumerate().map(|(place, candidate)| RacedChoice {
            choice: candidate.choice,
            evaluation: points(candidate.value),
            equity: race.equity(place, range(&results[candidate.choice])),
            trials: race.trials_of(place),
            is_dropped: !race.playing().contains(&place),
        });
        Ok(GameDecision {
            choices: raced.collect(),
            decision: race.decision(ranked.len() - candidates.len()),
            ended_by,
        })
    }
}

/// The games of a race.
struct RacedGames<G: Game> {
    /// The position after each candidate.
    positions: Arc<[G::Position]>,
    playouts: Arc<GreedyPlayouts<G>>,
    most_plies: u32,
    stop: Cancel,
}

impl<G: Game> RacedGames<G> {
    /// The values of these trials for the player who chooses: of each trial those of the candidates, in their order.
    /// Fewer if the games were stopped.
    fn play(
        &self,
        playing: &[usize],
        trials: Range<u64>,
        longest: Option<Duration>,
        workers: &Workers,
        mut progress: impl FnMut(&Progress),
    ) -> Vec<i64> {
        let RacedGames {
            positions,
            playouts,
            most_plies,
            stop,
        } = self;
        let (positions, playouts, stopped) = (Arc::clone(positions), Arc::clone(playouts), stop.clone());
        let (playing, first, most_plies) = (playing.to_vec(), trials.start, *most_plies);
        let candidates = playing.len() as u64;
        let value = move |item: u64| {
            let candidate = playing[(item % candidates) as usize];
            let value = playouts.value(&positions[candidate], first + item / candidates, most_plies, &|| {
                stopped.is_cancelled()
            });
            Some(-value.ok()?)
        };
        let mut values = Vec::new();
        let Ok(_) = Scheduler::new(workers, 0, Limit::Items((trials.end - trials.start) * candidates), stop)
            .with_first_items(FIRST_GAMES_A_WORKER_OF_A_PLAYER)
            .at_longest(longest)
            .each(
                move |items| items.map(&value).collect::<Option<Vec<i64>>>(),
                |part| {
                    values.extend(part);
                    Ok::<(), Infallible>(())
                },
                &mut progress,
            );
        values
    }
}

/// The points of a net's value.
fn points(value: i64) -> f64 {
    value as f64 / POINT as f64
}

/// The choices that race, the best by the net first: of those that are looked ahead from as far as the best, the ones
/// near it, and the second of all in any case.
fn near_the_best(ranked: &[LookedAhead], filter: Option<f64>) -> Vec<LookedAhead> {
    let best = ranked[0];
    let is_near = |choice: &LookedAhead| {
        filter.is_none_or(|filter| choice.plies == best.plies && points(best.value - choice.value) <= filter)
    };
    let near = ranked.iter().enumerate();
    let near = near.filter(|(rank, choice)| *rank < 2 || is_near(choice));
    near.map(|(_, choice)| *choice).collect()
}
