//! Decisions: which choice after a chance to make, in any game with a net.

use core::cell::{Cell, RefCell};
use core::convert::Infallible;
use core::num::NonZeroU32;
use core::ops::Range;
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use tavli_base::Stopped;

use tavli_game::{Game, Heuristic, POINT, in_points};
use tavli_rollout::{OptionValue, Options, RolloutError, RolloutRequest};
use tavli_run::{Cancel, Limit, Progress, Scheduler, Workers};
use tavli_search::{GameLookAhead, GreedyPlayouts, LookedAhead};
use tavli_trials::{Allocation, Decision, EndReason, EndRulesRequest, PairedRace, Plan, PlanError, Statistic, Verdict};

use super::rollout::FIRST_GAMES_OF_A_PLAYER;

/// The most plies of [short games](PairedRace::with_short_games).
// Measured on 9,600 simulated races each in Plakoto and Fevga, between plays of equal mean, by differences after eleven
// plies: the first play was dropped in 1.7 % and 1.3 %, in one position in 5.5 % of 400 (tavli_rollout::guide).
const SHORT_GAME_PLIES: u32 = 11;

/// How a decision is made.
///
/// The choices that the net values more than [`filter`](GameDecisionSettings::filter) points behind the best are left
/// out. The others race: games of each, of the same numbers and so with the same dice, are cut off after
/// [`plies`](GameDecisionSettings::plies), valued by the net, with variance reduction, until one choice is the best
/// with 95 % confidence, or none of the others is better by more than [`within`](GameDecisionSettings::within).
#[derive(Clone, PartialEq, Debug)]
pub struct GameDecisionSettings {
    /// The indices of the choices that race, whatever their values, at least one and each once; `None` for those that
    /// [`filter`](GameDecisionSettings::filter) leaves.
    pub choices: Option<Vec<usize>>,
    /// Choices that differ by at most this many points count as equally good; 0 or more.
    pub within: f64,
    /// How many points a choice may be below the best by the net to be in the race, 0 or more; `None` for all. The best
    /// two always are.
    pub filter: Option<f64>,
    /// The plies of a game; `None` for games that are played to their ends.
    pub plies: Option<NonZeroU32>,
    /// The most trials: games of each choice, [`MAX_TRIALS`](tavli_trials::MAX_TRIALS) for no bound.
    pub trials: u64,
    /// The most time.
    pub time: Option<Duration>,
    /// The seed of the dice.
    pub seed: u64,
}

impl Default for GameDecisionSettings {
    /// Within 0.01 points, of choices within 0.16, eleven plies, 2,304 trials, and seed 1.
    fn default() -> GameDecisionSettings {
        GameDecisionSettings {
            choices: None,
            within: RolloutRequest::DECISION_WITHIN,
            filter: Some(RolloutRequest::DECISION_MARGIN),
            // In 20 decisions the differences after 5 plies were 0.024 from those of whole games in the median, after
            // 11 0.018, after 21 0.016, of which some 0.012 are errors of the whole games (profiles/variants).
            plies: NonZeroU32::new(11),
            trials: RolloutRequest::DECISION_TRIALS,
            time: None,
            seed: 1,
        }
    }
}

impl GameDecisionSettings {
    /// The settings that these options name; others have their defaults. A time without a number of trials leaves the
    /// trials without bound. The options of the policies, the rules and the plays are the caller's.
    ///
    /// # Errors
    /// [`RolloutError::Margin`] or [`RolloutError::Plan`] of a number out of range.
    pub fn from_options(options: &Options) -> Result<GameDecisionSettings, RolloutError> {
        let defaults = GameDecisionSettings::default();
        let within = options.within.unwrap_or(defaults.within);
        if !(within >= 0.0 && within.is_finite()) {
            return Err(PlanError::Within(within).into());
        }
        let filter = or_default(options.filter, defaults.filter);
        if let Some(margin) = filter.filter(|margin| margin.is_nan() || *margin < 0.0) {
            return Err(RolloutError::Margin(margin));
        }
        let end_rules = match options.end_rules.is_empty() {
            true => EndRulesRequest::after_trials(defaults.trials),
            false => options.end_rules,
        };
        let allocation = Allocation::DEFAULT_RACE;
        let end_rules = end_rules.resolve(allocation)?;
        Plan { end_rules, allocation, shard: None }.check()?;
        Ok(GameDecisionSettings {
            choices: None,
            within,
            filter,
            plies: or_default(options.truncation, defaults.plies),
            trials: end_rules.trials,
            time: end_rules.time,
            seed: options.seed.unwrap_or(defaults.seed),
        })
    }
}

/// The value of an option that may be turned off.
fn or_default<T>(given: OptionValue<T>, default: Option<T>) -> Option<T> {
    match given {
        OptionValue::LeftOut => default,
        OptionValue::Off => None,
        OptionValue::Set(value) => Some(value),
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
    /// How many points it is behind the best choice, over the trials of both; 0 for the best.
    pub behind: Statistic,
    /// Its games.
    pub trials: u64,
    /// Whether it was dropped for being worse than another.
    pub is_dropped: bool,
}

/// How far a decision is.
#[derive(Clone, PartialEq, Debug)]
pub struct GameDecisionProgress {
    /// The choices so far, as in [`GameDecision::choices`]; none before the net has valued them. Trials of a round that
    /// is being played are not counted yet.
    pub choices: Vec<RacedChoice>,
    /// The index of the best of these choices.
    pub best: usize,
    /// The games of all choices, those of the round included.
    pub games: Progress,
}

/// The race of a decision, whose trials are played elsewhere.
#[derive(Clone, Debug)]
pub(super) struct DecisionRace {
    /// The choices that race, the best by the net first.
    candidates: Vec<LookedAhead>,
    /// The least and the most points of each.
    ranges: Vec<[f64; 2]>,
    left_out: usize,
    race: PairedRace,
    max_trials: u64,
}

impl DecisionRace {
    /// The race between the choices of these results, of which `ranked` has the values, the best first.
    pub(super) fn new<G: Game>(
        game: &G,
        results: &[G::Position],
        mut ranked: Vec<LookedAhead>,
        settings: &GameDecisionSettings,
    ) -> DecisionRace {
        if let Some(choices) = &settings.choices {
            ranked.retain(|candidate| choices.contains(&candidate.choice));
        }
        let candidates = match settings.choices {
            Some(_) => ranked.clone(),
            None => near_the_best(&ranked, settings.filter),
        };
        // The result of a choice has its points for the other player.
        let range = |candidate: &LookedAhead| {
            let result = &results[candidate.choice];
            let [least, most] = match game.points(result) {
                Some(points) => [points; 2],
                None => game.possible_points(result),
            };
            [-most, -least].map(f64::from)
        };
        let mut race = PairedRace::new(candidates.len(), POINT, Allocation::DEFAULT_PERCENT, settings.within);
        if settings.plies.is_some_and(|plies| plies.get() <= SHORT_GAME_PLIES) {
            race = race.with_short_games();
        }
        DecisionRace {
            ranges: candidates.iter().map(range).collect(),
            left_out: ranked.len() - candidates.len(),
            candidates,
            race,
            max_trials: settings.trials,
        }
    }

    /// The indices of the choices that race, in the order of the race.
    pub(super) fn raced(&self) -> impl Iterator<Item = usize> {
        self.candidates.iter().map(|candidate| candidate.choice)
    }

    /// The indices of the choices that are still played.
    pub(super) fn playing(&self) -> &[usize] {
        self.race.playing()
    }

    /// The next trials of these, or why there are none.
    pub(super) fn next_trials(&self) -> Result<Range<u64>, EndReason> {
        if self.race.decision(0).verdict != Verdict::Open {
            return Err(EndReason::Decided);
        }
        let trials = self.race.trials();
        if trials >= self.max_trials {
            return Err(EndReason::Trials);
        }
        Ok(trials..self.race.next_look().min(self.max_trials))
    }

    /// Adds the values of the next trials: for each trial, one value for each choice that is still played. An
    /// incomplete trial is left out.
    pub(super) fn add(&mut self, values: &[i64]) {
        let playing = self.playing().to_vec();
        for (index, &candidate) in playing.iter().enumerate() {
            let whole_trials = values.chunks_exact(playing.len());
            self.race.add(candidate, whole_trials.map(|trial| trial[index]));
        }
        self.race.drop_worse();
    }

    /// The choices so far, in the order of the race.
    pub(super) fn choices(&self) -> Vec<RacedChoice> {
        let (race, best) = (&self.race, self.race.decision(0).candidate);
        let of_candidate = |(index, candidate): (usize, &LookedAhead)| RacedChoice {
            choice: candidate.choice,
            evaluation: in_points(candidate.value),
            equity: race.equity(index, self.ranges[index]),
            behind: race.behind(best, index),
            trials: race.trials_of(index),
            is_dropped: !race.playing().contains(&index),
        };
        self.candidates.iter().enumerate().map(of_candidate).collect()
    }

    /// How it stands.
    pub(super) fn decision(&self) -> Decision {
        self.race.decision(self.left_out)
    }
}

/// The games of a decision.
pub(super) fn playouts<G: Game>(
    game: &Arc<G>,
    player: GameLookAhead<G>,
    settings: &GameDecisionSettings,
) -> GreedyPlayouts<G> {
    GreedyPlayouts::new(Arc::clone(game), player, settings.seed).measuring_luck(true)
}

/// The most plies of these games.
pub(super) fn max_plies(settings: &GameDecisionSettings) -> u32 {
    settings.plies.map_or(u32::MAX, NonZeroU32::get)
}

/// Which choice to make.
#[derive(Clone, PartialEq, Debug)]
pub struct GameDecision {
    /// The choices that raced, the best by the net first.
    pub choices: Vec<RacedChoice>,
    /// How the race stands. Candidates are the indices of [`GameDecision::choices`].
    pub decision: Decision,
    /// What ended it: [`EndReason::Decided`], `Trials`, `Time` or `Cancelled`.
    pub ended_by: EndReason,
}

impl GameDecision {
    /// Decides what to choose after a chance in a position, by the best choices of a net that looks `plies` plies
    /// ahead. The result depends on neither the workers nor their number, and on the time by the number of trials
    /// alone. Calls `progress` some ten times a second, on this thread, also while the net values the choices.
    ///
    /// # Errors
    /// [`Stopped`] if `cancel` was thrown before the net had valued the choices.
    ///
    /// # Panics
    /// If `plies` are more than [`GameLookAhead::MAX_PLIES`], if there is no choice of an index, or if one of these
    /// workers calls this.
    pub fn of<G: Game>(
        game: &Arc<G>,
        (position, chance): (&G::Position, usize),
        (net, plies): (&Arc<dyn Heuristic<G::Position>>, u32),
        settings: &GameDecisionSettings,
        workers: &Workers,
        cancel: &Cancel,
        mut progress: impl FnMut(&GameDecisionProgress),
    ) -> Result<GameDecision, Stopped> {
        let start = Instant::now();
        let player = || GameLookAhead::new(Arc::clone(game), Arc::clone(net), plies);
        let ranked = ranked(&player(), position, chance, cancel, &mut progress)?;
        let results = game.results(position, chance);
        let mut race = DecisionRace::new(&**game, &results, ranked, settings);
        let games = RacedGames {
            positions: race.candidates.iter().map(|candidate| results[candidate.choice]).collect(),
            playouts: Arc::new(playouts(game, player(), settings)),
            max_plies: max_plies(settings),
            stop: cancel.child(),
        };
        let mut games_before = 0_u64;
        let ended_by = loop {
            let time_left = settings.time.map(|time| time.saturating_sub(start.elapsed()));
            if cancel.is_cancelled() {
                break EndReason::Cancelled;
            }
            let trials = match race.next_trials() {
                Ok(trials) => trials,
                Err(reason) => break reason,
            };
            if time_left.is_some_and(|left| left.is_zero()) {
                break EndReason::Time;
            }
            let playing = race.playing().to_vec();
            let max_games =
                games_before.saturating_add((settings.trials - trials.start).saturating_mul(playing.len() as u64));
            let mut report = |race: &DecisionRace, games: u64| {
                progress(&GameDecisionProgress {
                    choices: race.choices(),
                    best: race.decision().candidate,
                    games: Progress {
                        items: games,
                        elapsed: start.elapsed(),
                        limit: settings.time.map_or(Limit::Items(max_games), Limit::Time),
                    },
                });
            };
            let played = games.play(&playing, trials, time_left, workers, |round| {
                report(&race, games_before + round.items);
            });
            games_before += played.len() as u64;
            race.add(&played);
            // Rounds may end before the scheduler reports.
            report(&race, games_before);
        };
        Ok(GameDecision { choices: race.choices(), decision: race.decision(), ended_by })
    }

    /// The indices of [`GameDecision::choices`]: the best, then those that were still played, then those dropped, each
    /// the best first.
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        ranking(&self.choices, self.decision.candidate)
    }
}

impl GameDecisionProgress {
    /// The indices of the choices, in the order of [`GameDecision::ranking`].
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        ranking(&self.choices, self.best)
    }

    /// The trials of each choice that is still played.
    #[must_use]
    pub fn trials(&self) -> u64 {
        self.choices.iter().map(|raced| raced.trials).max().unwrap_or(0)
    }
}

/// The indices of these choices, of which one is the best: the best, then those still played, then those dropped.
pub(super) fn ranking(choices: &[RacedChoice], best: usize) -> Vec<usize> {
    let value = |index: &usize| match choices[*index].equity.mean {
        mean if mean.is_nan() => choices[*index].evaluation,
        mean => mean,
    };
    let is_later = |index: &usize| (*index != best, choices[*index].is_dropped);
    let mut indices: Vec<usize> = (0..choices.len()).collect();
    indices.sort_by(|a, b| is_later(a).cmp(&is_later(b)).then(value(b).total_cmp(&value(a))));
    indices
}

/// A decision whose candidates are the ranks of these indices.
pub(super) fn by_rank(decision: Decision, ranking: &[usize]) -> Decision {
    let rank_of = |candidate: usize| {
        let rank = ranking.iter().position(|&index| index == candidate);
        rank.expect("every candidate has a rank")
    };
    Decision {
        candidate: rank_of(decision.candidate),
        rivals: decision.rivals.iter().map(|&rival| rank_of(rival)).collect(),
        ..decision
    }
}

/// The time between two reports while the net values the choices.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The choices by the net, the best first. Meanwhile `progress` is called with no choices, so that a caller can stop:
/// two plies ahead the net takes seconds.
fn ranked<G: Game>(
    player: &GameLookAhead<G>,
    position: &G::Position,
    chance: usize,
    cancel: &Cancel,
    progress: &mut impl FnMut(&GameDecisionProgress),
) -> Result<Vec<LookedAhead>, Stopped> {
    let start = Instant::now();
    let (progress, reported) = (RefCell::new(progress), Cell::new(start));
    let stop = || {
        if reported.get().elapsed() >= PROGRESS_INTERVAL {
            reported.set(Instant::now());
            (progress.borrow_mut())(&GameDecisionProgress {
                choices: Vec::new(),
                best: 0,
                games: Progress { items: 0, elapsed: start.elapsed(), limit: Limit::Items(u64::MAX) },
            });
        }
        cancel.is_cancelled()
    };
    player.ranked(position, chance, &stop)
}

/// The games of a race.
struct RacedGames<G: Game> {
    /// The position after each candidate.
    positions: Arc<[G::Position]>,
    playouts: Arc<GreedyPlayouts<G>>,
    max_plies: u32,
    stop: Cancel,
}

impl<G: Game> RacedGames<G> {
    /// The values of these trials for the player who chooses: for each trial, one for each candidate in their order.
    /// Fewer if the games were stopped.
    fn play(
        &self,
        playing: &[usize],
        trials: Range<u64>,
        longest: Option<Duration>,
        workers: &Workers,
        mut progress: impl FnMut(&Progress),
    ) -> Vec<i64> {
        let RacedGames { positions, playouts, max_plies, stop } = self;
        let (positions, playouts, stopped) = (Arc::clone(positions), Arc::clone(playouts), stop.clone());
        let (playing, first, max_plies) = (playing.to_vec(), trials.start, *max_plies);
        let candidates = playing.len() as u64;
        let value = move |item: u64| {
            let candidate = playing[(item % candidates) as usize];
            let value =
                playouts.value(&positions[candidate], first + item / candidates, max_plies, &|| stopped.is_cancelled());
            Some(-value.ok()?)
        };
        let mut values = Vec::new();
        let Ok(_) = Scheduler::new(workers, 0, Limit::Items((trials.end - trials.start) * candidates), stop)
            .with_first_items(FIRST_GAMES_OF_A_PLAYER)
            .cancelled_after(longest)
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

/// The choices that race, the best by the net first: those valued by as many plies as the best and near it, and in any
/// case the second of all.
fn near_the_best(ranked: &[LookedAhead], filter: Option<f64>) -> Vec<LookedAhead> {
    let best = ranked[0];
    let is_near = |choice: &LookedAhead| {
        filter.is_none_or(|filter| choice.plies == best.plies && in_points(best.value - choice.value) <= filter)
    };
    let near = ranked.iter().enumerate();
    let near = near.filter(|(rank, choice)| *rank < 2 || is_near(choice));
    near.map(|(_, choice)| *choice).collect()
}
