//! What positions and plays are worth by an evaluator, worked out on every core.

use core::convert::Infallible;
use core::num::NonZeroU32;
use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, Probabilities};
use tavli_backgammon::plays::Moves;
use tavli_backgammon::{
    Board, Outcome, Planes, PlayoutError, Playouts, Plays, Roll, RuleSet, Tier,
};
use tavli_players::{Kept, LookAhead};
use tavli_run::{Cancel, Limit, Scheduler, Workers};

/// The most positions that a worker values at a time.
const AT_ONCE: u64 = 4096;

/// Who values positions, and how far ahead.
///
/// ```
/// use tavli::evaluation::Evaluation;
/// use tavli::run::{Cancel, Cpus, Pinning, Placement, Workers};
/// use tavli::{Board, RuleSet, Tier, named};
///
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let evaluation = Evaluation::new(named::evaluator("sampled:144")?, RuleSet::Backgammon);
/// let (tier, cancel) = (Tier::best(), Cancel::new());
/// let plays = evaluation.plays(&Board::START, "31".parse()?, tier, &workers, &cancel)?;
/// let plays = plays.expect("nothing cancels it");
/// assert_eq!(plays.len(), 16);
/// assert!(plays.is_sorted_by(|one, next| one.value.equity() >= next.value.equity()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluation {
    rules: RuleSet,
    evaluator: Arc<dyn Evaluator>,
    plies: u32,
    kept: Option<Kept>,
}

/// A play and its value.
#[derive(Clone, Debug)]
pub struct ValuedPlay {
    /// Its moves.
    pub moves: Moves,
    /// The position after it, seen by the player next on roll.
    pub board: Board,
    /// The probabilities of the outcomes for the player who makes it.
    pub value: Probabilities,
    /// How many plies ahead they were looked for.
    pub plies: u32,
}

impl Evaluation {
    /// By this evaluator, under some rules.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, rules: RuleSet) -> Evaluation {
        Evaluation {
            rules,
            evaluator,
            plies: 0,
            kept: None,
        }
    }

    /// The same, so many plies ahead: 0 values positions as they are. Of the plays of each roll all are looked at, or those
    /// that are kept.
    #[must_use]
    pub fn ahead(self, plies: u32, kept: Option<Kept>) -> Evaluation {
        let evaluator = match NonZeroU32::new(plies) {
            Some(plies) => Arc::new(LookAhead::new(self.evaluator, plies, kept.clone())),
            None => self.evaluator,
        };
        Evaluation {
            evaluator,
            plies,
            kept,
            ..self
        }
    }

    /// Who values the positions, looking ahead.
    #[must_use]
    pub fn evaluator(&self) -> &Arc<dyn Evaluator> {
        &self.evaluator
    }

    /// The value of each position for its player on roll; what is over is certain. `None` if the switch was thrown before
    /// the end.
    ///
    /// # Errors
    /// [`PlayoutError`] of the first position that the rules do not know, or whose game can never end, with its index.
    ///
    /// # Panics
    /// If this CPU lacks the tier, or one of these workers calls this.
    pub fn values(
        &self,
        boards: &[Board],
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<Option<Vec<Probabilities>>, (usize, PlayoutError)> {
        let mut values = Vec::with_capacity(boards.len());
        let (mut positions, mut places) = (Vec::new(), Vec::new());
        for (index, board) in boards.iter().enumerate() {
            let over = self.rules.outcome(board);
            let value = Probabilities::certain(over.unwrap_or(Outcome::WinSingle));
            if over.is_none() {
                Playouts::new(*board, self.rules, 0).map_err(|error| (index, error))?;
                positions.push(Planes::from(*board));
                places.push(index);
            }
            values.push(value);
        }
        let found = self.of_each(&self.evaluator, positions, tier, workers, cancel);
        Ok(found.map(|found| {
            for (place, value) in places.into_iter().zip(found) {
                values[place] = value;
            }
            values
        }))
    }

    /// The plays of a roll, the best first; those that are not kept follow as whoever ranked them values them. `None` if
    /// the switch was thrown before the end.
    ///
    /// # Errors
    /// [`PlayoutError`] if the game is over or can never end, or the rules do not know the position.
    ///
    /// # Panics
    /// As [`Evaluation::values`].
    pub fn plays(
        &self,
        board: &Board,
        roll: Roll,
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<Option<Vec<ValuedPlay>>, PlayoutError> {
        Playouts::new(*board, self.rules, 0)?;
        let plays = Plays::under(board, roll, self.rules);
        let (mut ends, mut others) = (Vec::new(), Vec::new());
        for play in plays.to_vec() {
            let board = play.board();
            let outcome = self.rules.outcome_of_play(board.opponent(), board.own());
            let valued = ValuedPlay {
                moves: plays.moves(&play),
                board,
                value: Probabilities::certain(outcome.unwrap_or(Outcome::WinSingle)),
                plies: self.plies,
            };
            match outcome {
                Some(_) => ends.push(valued),
                None => others.push(valued),
            }
        }
        let value = |evaluator: &Arc<dyn Evaluator>, plays: &mut [ValuedPlay]| {
            let positions = plays.iter().map(|play| play.board.into()).collect();
            let values = self.of_each(evaluator, positions, tier, workers, cancel)?;
            for (play, value) in plays.iter_mut().zip(values) {
                play.value = value.reversed();
            }
            plays.sort_by(|a, b| b.value.equity().total_cmp(&a.value.equity()));
            Some(())
        };
        let mut behind = Vec::new();
        if let Some(Kept { plays: most, by }) = self.kept.as_ref().filter(|_| self.plies > 0) {
            if value(by, &mut others).is_none() {
                return Ok(None);
            }
            behind = others.split_off(others.len().min(most.get() as usize));
            behind.iter_mut().for_each(|play| play.plies = 0);
        }
        if value(&self.evaluator, &mut others).is_none() {
            return Ok(None);
        }
        others.extend(ends);
        others.sort_by(|a, b| b.value.equity().total_cmp(&a.value.equity()));
        others.extend(behind);
        Ok(Some(others))
    }

    /// What an evaluator says of positions whose games go on.
    fn of_each(
        &self,
        evaluator: &Arc<dyn Evaluator>,
        positions: Vec<Planes>,
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Option<Vec<Probabilities>> {
        let number = positions.len();
        // Some parts for each worker, so that they end together.
        let most = number.div_ceil(4 * workers.count()) as u64;
        let scheduler = Scheduler::new(workers, 0, Limit::Games(number as u64), cancel)
            .with_sizes(1..=most.clamp(1, AT_ONCE));
        let (evaluator, rules) = (Arc::clone(evaluator), self.rules);
        let work = move |range: Range<u64>| {
            let positions = &positions[range.start as usize..range.end as usize];
            let mut values = vec![Probabilities::certain(Outcome::WinSingle); positions.len()];
            evaluator.evaluate(rules, tier, positions, &mut values);
            Some(values)
        };
        let mut values = Vec::with_capacity(number);
        let Ok(_) = scheduler.each(
            work,
            |part| {
                values.extend(part);
                Ok::<(), Infallible>(())
            },
            &mut |_| (),
        );
        (values.len() == number).then_some(values)
    }
}
