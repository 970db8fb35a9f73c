//! A candidate of a rollout: a position, or the position after a play.

use tavli_backgammon::evaluators::OutcomeSet;
use tavli_backgammon::playout::{PlayoutError, Playouts};
use tavli_backgammon::plays::{Moves, Plays};
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{Board, Outcome, Planes, Roll};
use tavli_cube::CubeInPlay;
use tavli_trials::MAX_CANDIDATES;

use crate::ask::cube::{CUBEFUL_UNIT, CandidateCube, CubeChoice, ExactValue};
use crate::ask::error::RolloutError;
use crate::ask::playout_settings::PlayoutSettings;
use crate::game_value::{GameValue, OutcomeShares, UNBOUNDED, reversed};

/// A position that is rolled out, and the play that leads to it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The moves of the play; `None` if the position itself is rolled out.
    pub moves: Option<Moves>,
    /// The position in which games begin; after a play, it is seen by the player next on roll.
    pub board: Board,
    pub(crate) games: CandidateGames,
    /// The cube of its games, if there is one.
    pub(crate) cube: Option<CandidateCube>,
    /// The value of its games for the first player on roll, if it is exact with the cube. Such games are not played.
    pub(crate) exact: Option<ExactValue>,
    /// Whether the players know its value exactly, without a cube. Such games are not played.
    pub(crate) is_known: bool,
    /// The outcomes that games can have, seen by the first player on roll.
    possible: OutcomeSet,
}

/// How the games of a candidate are played.
#[derive(Clone, Debug)]
pub(crate) enum CandidateGames {
    /// From this position on.
    Played(Playouts),
    /// No games, since the play wins: the end for the player who made it.
    Over(Outcome),
}

impl Candidate {
    /// The position of the player on roll.
    pub(crate) fn position(board: Board, settings: &PlayoutSettings) -> Result<Candidate, PlayoutError> {
        Ok(Candidate {
            moves: None,
            board,
            games: CandidateGames::Played(settings.playouts(board)?),
            cube: None,
            exact: None,
            is_known: false,
            possible: OutcomeSet::possible(settings.rules, &Planes::from(board)),
        })
    }

    /// The position after a play.
    fn play(moves: Moves, board: Board, settings: &PlayoutSettings) -> Result<Candidate, PlayoutError> {
        // The board is the next player's, so the player who made the play is its opponent.
        let games = match settings.rules.outcome_of_play(board.opponent(), board.own()) {
            Some(outcome) => CandidateGames::Over(outcome),
            None => CandidateGames::Played(settings.playouts(board)?),
        };
        let possible = match games {
            CandidateGames::Over(end) => OutcomeSet::from_outcomes(&[end.reversed()]),
            CandidateGames::Played(_) => OutcomeSet::possible(settings.rules, &Planes::from(board)),
        };
        Ok(Candidate { moves: Some(moves), board, possible, games, cube: None, exact: None, is_known: false })
    }

    /// These candidates with a cube, about which the players decide. Before the roll, the candidates are the cube
    /// actions of the player on roll.
    pub(crate) fn all_with_cube(candidates: Vec<Candidate>, cube: &CubeInPlay) -> Vec<Candidate> {
        match &candidates[..] {
            [position] if position.moves.is_none() => {
                let choices = [CubeChoice::NoDouble, CubeChoice::DoubleTake];
                let allowed = if cube.state.is_double_allowed() { 2 } else { 1 };
                let choices = choices[..allowed].iter();
                choices.map(|&choice| position.clone().with_cube(CandidateCube::before_roll(cube, choice))).collect()
            }
            _ => {
                let plays = candidates.into_iter();
                plays.map(|play| play.with_cube(CandidateCube::after_play(cube))).collect()
            }
        }
    }

    fn with_cube(mut self, cube: CandidateCube) -> Candidate {
        self.cube = Some(cube);
        self.exact = match self.games {
            CandidateGames::Played(_) => cube.exact(&self.board),
            CandidateGames::Over(_) => None,
        };
        self
    }

    /// The action of the player on roll with the cube; `None` after a play, and without a cube.
    #[must_use]
    pub fn cube_choice(&self) -> Option<CubeChoice> {
        self.cube?.choice
    }

    /// The positions of these boards, each after a play of a roll.
    pub(crate) fn plays_to(
        position: &Board,
        roll: Roll,
        boards: &[Board],
        settings: &PlayoutSettings,
    ) -> Result<Vec<Candidate>, RolloutError> {
        // Only for its error: a position that is over, or can never end, is not reported as plays that do not exist.
        settings.playouts(*position)?;
        if boards.is_empty() || boards.len() > MAX_CANDIDATES {
            return Err(RolloutError::Candidates(boards.len()));
        }
        let plays = Plays::new(position, roll, settings.rules);
        let mut moves_to = vec![None; boards.len()];
        for play in plays.to_vec() {
            let after = play.board();
            if let Some(at) = boards.iter().position(|&board| board == after) {
                // Only the first of equal boards gets the moves: a board without moves is not a play, or is named
                // twice.
                moves_to[at] = Some(plays.moves(&play));
            }
        }
        let mut candidates = Vec::with_capacity(boards.len());
        for (at, (&board, moves)) in boards.iter().zip(moves_to).enumerate() {
            let Some(moves) = moves else {
                if let Some(first) = boards[..at].iter().position(|&earlier| earlier == board) {
                    let first: &Candidate = &candidates[first];
                    let moves = first.moves.as_ref().map_or_else(String::new, ToString::to_string);
                    return Err(RolloutError::SameCandidateTwice { moves });
                }
                return Err(RolloutError::NoPlay {
                    position_id: board.position_id().to_string(),
                    roll,
                    from: position.position_id().to_string(),
                });
            };
            let text = moves.to_string();
            let candidate = Candidate::play(moves, board, settings)
                .map_err(|reason| RolloutError::Candidate { moves: text, reason })?;
            candidates.push(candidate);
        }
        Ok(candidates)
    }

    /// The playouts of its games, unless they are over.
    pub(crate) fn playouts(&self) -> Option<&Playouts> {
        match &self.games {
            CandidateGames::Played(playouts) => Some(playouts),
            CandidateGames::Over(_) => None,
        }
    }

    /// Whether games may have an outcome, seen by the player whose rollout it is.
    pub(crate) fn may_end(&self, outcome: Outcome) -> bool {
        self.possible.contains(self.for_player(outcome))
    }

    /// The value of all games, if the rules decide it.
    pub(crate) fn decided(&self, value: GameValue) -> Option<f64> {
        let possible = Outcome::ALL.iter().filter(|&&outcome| self.may_end(outcome));
        let mut values = possible.map(|&outcome| value.points_of_result(outcome as usize));
        let first = values.next()?;
        values.all(|value| value == first).then_some(f64::from(first))
    }

    /// The largest distance of a game's value from 0.
    pub(crate) fn largest(&self, value: GameValue) -> f64 {
        let possible = Outcome::ALL.iter().filter(|&&outcome| self.may_end(outcome));
        let values = possible.map(|&outcome| f64::from(value.points_of_result(outcome as usize)).abs());
        values.fold(0.0, f64::max)
    }

    /// The largest distance of a game's value with the cube from 0; `None` without a cube.
    pub(crate) fn largest_cubeful(&self) -> Option<f64> {
        Some(self.cube?.largest(self.largest(GameValue::Equity)))
    }

    /// The least and the most points of a game.
    pub(crate) fn points(&self) -> [f64; 2] {
        let possible = Outcome::ALL.iter().filter(|&&outcome| self.may_end(outcome));
        let points = possible.map(|outcome| f64::from(outcome.points()));
        points.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], points| [least.min(points), most.max(points)])
    }

    /// The least and the greatest possible value with the cube, for the player whose rollout it is.
    pub(crate) fn cubeful_range(&self) -> [f64; 2] {
        let Some(cube) = self.cube else {
            return UNBOUNDED;
        };
        let [least, most] = self.points().map(|points| points as i32);
        match self.moves {
            None => cube.range([least, most]),
            // After a play, the cube is seen by the opponent, who is on roll first.
            Some(_) => {
                let [least, most] = cube.range([-most, -least]);
                [-most, -least]
            }
        }
    }

    /// Moves the shares of impossible outcomes to the next lesser outcome: a gammon's to a single game's, an
    /// impossible win's to a loss. An evaluator that does not know the rules gives such outcomes, in values and in
    /// luck.
    pub(crate) fn clamp_to_possible_outcomes(&self, shares: &mut OutcomeShares) {
        // The largest outcomes first: what moves from a backgammon to a gammon may have to move on to a single game.
        for [outcome, lesser] in [
            [Outcome::WinBackgammon, Outcome::WinGammon],
            [Outcome::WinGammon, Outcome::WinSingle],
            [Outcome::LoseBackgammon, Outcome::LoseGammon],
            [Outcome::LoseGammon, Outcome::LoseSingle],
            [Outcome::WinSingle, Outcome::LoseSingle],
            [Outcome::LoseSingle, Outcome::WinSingle],
        ] {
            if !self.may_end(outcome) {
                shares[lesser as usize] += core::mem::take(&mut shares[outcome as usize]);
            }
        }
    }

    /// The players of its games; the first is on roll first. After a play this is the opponent.
    pub(crate) fn players(&self, of_rollout: &PolicyPair) -> PolicyPair {
        match self.moves {
            None => of_rollout.clone(),
            Some(_) => of_rollout.swapped(),
        }
    }

    /// Converts the value of a game from the first player on roll to the player whose rollout it is.
    pub(crate) fn value_for_player(&self, value: OutcomeShares) -> OutcomeShares {
        match self.moves {
            None => value,
            Some(_) => reversed(value),
        }
    }

    /// Converts a value with the cube from the first player on roll to the player whose rollout it is.
    pub(crate) fn cubeful_for_player(&self, value: i64) -> i64 {
        match self.moves {
            None => value,
            Some(_) => -value,
        }
    }

    /// The exact value with the cube for the player whose rollout it is, if it is known.
    pub(crate) fn exact_cubeful(&self) -> Option<f64> {
        let exact = self.exact.as_ref()?;
        Some(self.cubeful_for_player(exact.cubeful) as f64 / CUBEFUL_UNIT as f64)
    }

    /// Whether every trial has the same value, whatever is rolled.
    pub(crate) fn is_certain(&self) -> bool {
        self.is_known || self.exact.is_some() || matches!(self.games, CandidateGames::Over(_))
    }

    /// Converts an end from the first player on roll to the player whose rollout it is.
    pub(crate) fn for_player(&self, outcome: Outcome) -> Outcome {
        match self.moves {
            None => outcome,
            Some(_) => outcome.reversed(),
        }
    }
}
