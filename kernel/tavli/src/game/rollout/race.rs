//! The race of a rollout that decides which play to make.

use core::num::NonZeroU32;

use tavli_game::{Game, POINT, in_points};
use tavli_rollout::{Allocation, Decision, PairedRace, Request, RolloutError};
use tavli_search::LookedAhead;

use super::candidate::{GameCandidate, GameCandidateResult, RaceResult};

/// The most plies of [short games](PairedRace::of_short_games).
// In 9,600 races by differences of Plakoto after eleven plies, and as many of Fevga, between plays that are equal on
// average, 1.7 and 1.3 % dropped the first play, of the races of one position at most 5.5 % of 400
// (tavli_rollout::statistics).
const SHORT: u32 = 11;

/// How the plays of a roll race.
///
/// The plays that the net values more than [`filter`](RaceSettings::filter) points behind the best are left out, unless
/// the request names the plays. The others race: games of each, of the same numbers and so with the same dice, are cut
/// off after [`truncation`](RaceSettings::truncation) plies and valued by the net, until one play is the best with 95 %
/// confidence, or none of the others is better by more than [`within`](RaceSettings::within).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RaceSettings {
    /// Plays that differ by at most this many points count as equally good; 0 or more.
    pub within: f64,
    /// How many points a play may be below the best by the net to be in the race, 0 or more; `None` for all. The best
    /// two always are.
    pub filter: Option<f64>,
    /// The plies of a game; `None` for games that are played to their ends.
    pub truncation: Option<NonZeroU32>,
}

impl Default for RaceSettings {
    /// Within 0.01 points, of plays within 0.16, and eleven plies.
    fn default() -> RaceSettings {
        RaceSettings {
            within: Request::DECISION_WITHIN,
            filter: Some(Request::DECISION_MARGIN),
            // In 20 decisions the differences after 5 plies were 0.024 from those of whole games in the median, after
            // 11 0.018, after 21 0.016, of which some 0.012 are errors of the whole games (profiles/variants).
            truncation: NonZeroU32::new(SHORT),
        }
    }
}

impl RaceSettings {
    /// The allocation of backgammon's rollouts that is such a race.
    pub(super) fn allocation(&self) -> Allocation {
        Allocation::DEFAULT_RACE.within(Some(self.within))
    }

    /// # Errors
    /// [`RolloutError::Within`], [`RolloutError::Margin`].
    pub(super) fn check(&self) -> Result<(), RolloutError> {
        if !(self.within >= 0.0 && self.within.is_finite()) {
            return Err(RolloutError::Within(self.within));
        }
        match self.filter {
            Some(margin) if margin.is_nan() || margin < 0.0 => Err(RolloutError::Margin(margin)),
            _ => Ok(()),
        }
    }
}

/// A race that has begun.
#[derive(Debug)]
pub(super) struct Race {
    pub(super) pairs: PairedRace,
    /// The values of the candidates by the net.
    evaluations: Vec<f64>,
    pub(super) left_out: usize,
}

impl Race {
    /// The race between the candidates that are near the best by the net, or all if they are named, and these
    /// candidates, the best by the net first. `ranked` has the values of all plays, the best first.
    pub(super) fn new<P: Copy>(
        settings: &RaceSettings,
        candidates: &[GameCandidate<P>],
        are_named: bool,
        ranked: &[LookedAhead],
    ) -> (Race, Vec<GameCandidate<P>>) {
        let of_choice = |look: &LookedAhead| candidates.iter().find(|candidate| candidate.choice == look.choice);
        let racing = match are_named {
            true => ranked.to_vec(),
            false => near_the_best(ranked, settings.filter),
        };
        let (evaluations, racing): (Vec<f64>, Vec<GameCandidate<P>>) = racing
            .iter()
            .filter_map(|look| Some((in_points(look.value), of_choice(look)?.clone())))
            .unzip();
        let pairs = PairedRace::new(racing.len(), POINT, Allocation::DEFAULT_PERCENT, settings.within);
        let race = Race {
            pairs: match settings.truncation.is_some_and(|plies| plies.get() <= SHORT) {
                true => pairs.of_short_games(),
                false => pairs,
            },
            evaluations,
            left_out: candidates.len() - racing.len(),
        };
        (race, racing)
    }

    /// How it stands.
    pub(super) fn decision(&self) -> Decision {
        self.pairs.decision(self.left_out)
    }

    /// Adds the values of the next trials: for each trial, one value for each candidate that is still played. An
    /// incomplete trial is left out.
    pub(super) fn add(&mut self, values: &[i64]) {
        let playing = self.pairs.playing().to_vec();
        for (place, &candidate) in playing.iter().enumerate() {
            let whole_trials = values.chunks_exact(playing.len());
            self.pairs.add(candidate, whole_trials.map(|trial| trial[place]));
        }
        self.pairs.drop_worse();
    }

    /// Plays the race again by the values of each candidate; `None` if a race does not have these.
    pub(super) fn replay(&mut self, values: &[&[i64]]) -> Option<()> {
        loop {
            let trials = self.pairs.trials();
            let left = (values[self.pairs.playing()[0]].len() as u64).checked_sub(trials)?;
            let end = PairedRace::next_look(trials).min(trials + left);
            for candidate in self.pairs.playing().to_vec() {
                let more = values[candidate].get(trials as usize..end as usize)?;
                self.pairs.add(candidate, more.iter().copied());
            }
            self.pairs.drop_worse();
            if left == 0 {
                break;
            }
        }
        let mut all = values.iter().enumerate();
        all.all(|(candidate, values)| self.pairs.values(candidate) == *values)
            .then_some(())
    }

    /// The result of a candidate, after which there is this position.
    pub(super) fn result<G: Game>(
        &self,
        game: &G,
        candidate: usize,
        position: &G::Position,
        best: usize,
    ) -> GameCandidateResult {
        // The position after a play has its points for the other player.
        let [least, most] = match game.points(position) {
            Some(points) => [points; 2],
            None => game.possible_points(position),
        };
        let behind = self.pairs.behind(best, candidate);
        GameCandidateResult {
            candidate,
            trials: self.pairs.values(candidate).len() as u64,
            outcomes: Vec::new(),
            win: None,
            equity: self.pairs.equity(candidate, [-most, -least].map(f64::from)),
            behind: behind.mean,
            race: Some(RaceResult {
                evaluation: self.evaluations[candidate],
                behind,
                is_dropped: !self.pairs.playing().contains(&candidate),
            }),
        }
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
