//! Positions and choices of any game, valued by an evaluator of the game or by a net.

use std::sync::Arc;

use tavli_base::Stopped;
use tavli_base::text::Quoted;
use tavli_game::{Heuristic, PlayableGame, WinProbabilities, in_points};
use tavli_search::{GameLookAhead, LookedAhead};
use thiserror::Error;

use super::agents::names_of_nets;

/// The values of positions of a game, and of the choices after a chance.
#[derive(Debug)]
pub struct ChoiceEvaluator<G: PlayableGame> {
    game: Arc<G>,
    source: Source<G>,
}

/// Where the values of a [`ChoiceEvaluator`] come from.
#[derive(Debug)]
enum Source<G: PlayableGame> {
    /// A heuristic by its index in [`PlayableGame::HEURISTICS`].
    Evaluator(usize),
    /// A net, and how many plies it looks ahead.
    Net(GameLookAhead<G>, u32),
}

/// A choice with its value for the player who makes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RankedChoice {
    /// The index of the choice.
    pub choice: usize,
    /// The value, in points.
    pub value: f64,
    /// The plies of look-ahead from the position after the choice.
    pub plies: u32,
}

impl<G: PlayableGame> ChoiceEvaluator<G> {
    /// A heuristic by its index in [`PlayableGame::HEURISTICS`].
    ///
    /// # Panics
    /// If the game has fewer.
    #[must_use]
    pub fn with_evaluator(game: Arc<G>, evaluator: usize) -> ChoiceEvaluator<G> {
        assert!(evaluator < G::HEURISTICS.len(), "an evaluator of {}", G::NAME);
        let source = Source::Evaluator(evaluator);
        ChoiceEvaluator { game, source }
    }

    /// A net that looks `plies` plies ahead.
    ///
    /// # Panics
    /// If these are more than [`GameLookAhead::MAX_PLIES`].
    #[must_use]
    pub fn with_net(game: Arc<G>, net: Arc<dyn Heuristic<G::Position>>, plies: u32) -> ChoiceEvaluator<G> {
        let source = Source::Net(GameLookAhead::new(Arc::clone(&game), net, plies), plies);
        ChoiceEvaluator { game, source }
    }

    /// How many plies it looks ahead.
    #[must_use]
    pub fn plies(&self) -> u32 {
        match self.source {
            Source::Evaluator(_) => 0,
            Source::Net(_, plies) => plies,
        }
    }

    /// The value in points of a position in which the game goes on, for the player on roll or to move.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` returned `true` while a net looked ahead.
    pub fn value(&self, position: &G::Position, stop: &dyn Fn() -> bool) -> Result<f64, Stopped> {
        let value = match &self.source {
            Source::Evaluator(evaluator) => self.game.value(position, *evaluator),
            Source::Net(ahead, _) => in_points(ahead.value(position, stop)?),
        };
        // Turns -0 into 0: -0 would be printed with its sign, and sorted below 0.
        Ok(value + 0.0)
    }

    /// The probabilities of the outcomes of a position for the player whose turn it is, `plies` plies ahead; `None` if
    /// the evaluator knows values only.
    ///
    /// # Errors
    /// As [`ChoiceEvaluator::value`].
    pub fn probabilities(
        &self,
        position: &G::Position,
        plies: u32,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<WinProbabilities>, Stopped> {
        match (&self.source, self.game.points(position)) {
            (Source::Evaluator(_), _) => Ok(None),
            (Source::Net(..), Some(points)) => Ok(Some(WinProbabilities::from_points(points))),
            (Source::Net(ahead, _), None) => ahead.probabilities(position, plies, stop),
        }
    }

    /// The choices after a chance, the best first: each by the position after it, or by its points if the game is over
    /// there.
    ///
    /// # Errors
    /// As [`ChoiceEvaluator::value`].
    pub fn ranked(
        &self,
        position: &G::Position,
        chance: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<RankedChoice>, Stopped> {
        Ok(match &self.source {
            Source::Evaluator(evaluator) => {
                let value = |result| match self.game.points(result) {
                    Some(points) => f64::from(points),
                    None => self.game.value(result, *evaluator),
                };
                let results = self.game.results(position, chance);
                let valued = results.iter().enumerate().map(|(choice, result)| RankedChoice {
                    choice,
                    // Not `-value`, which would make -0 of 0.
                    value: 0.0 - value(result),
                    plies: 0,
                });
                let mut ranked: Vec<_> = valued.collect();
                ranked.sort_by(|a, b| b.value.total_cmp(&a.value));
                ranked
            }
            Source::Net(ahead, _) => {
                let ranked = ahead.ranked(position, chance, stop)?;
                let looked =
                    |LookedAhead { choice, value, plies }| RankedChoice { choice, value: in_points(value), plies };
                ranked.into_iter().map(looked).collect()
            }
        })
    }
}

/// A name that no evaluator of a game has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{}' is not an evaluator of {game}, which has: {known}", Quoted::new(name))]
pub struct UnknownEvaluator {
    name: String,
    game: &'static str,
    known: String,
}

/// The index of a heuristic in [`PlayableGame::HEURISTICS`]; the default is the first.
///
/// # Errors
/// [`UnknownEvaluator`] lists the evaluators and the nets of the game.
pub fn evaluator_index<G: PlayableGame>(name: Option<&str>) -> Result<usize, UnknownEvaluator> {
    let name = name.unwrap_or(G::HEURISTICS[0]);
    let index = G::HEURISTICS.iter().position(|&evaluator| evaluator == name);
    index.ok_or_else(|| {
        let nets = names_of_nets::<G>().map(|nets| format!(", {nets}"));
        UnknownEvaluator {
            name: name.to_owned(),
            game: G::NAME,
            known: G::HEURISTICS.join(", ") + &nets.unwrap_or_default(),
        }
    })
}
