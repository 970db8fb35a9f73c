//! The values of positions and plays.

use core::convert::Infallible;
use core::num::NonZeroU32;
use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Probabilities};
use tavli_backgammon::plays::Moves;
use tavli_backgammon::{Board, Outcome, Planes, PlayoutError, Playouts, Roll, RuleSet, Stopped, Tier};
use tavli_players::named::{NamedError, check_look_ahead};
use tavli_players::{LookAhead, MoveFilters};
use tavli_run::{Cancel, Limit, Scheduler, Workers};

use crate::cube::{CubeInPlay, CubePosition, CubeValues, SearchCache};

/// The most positions that a worker values at a time.
const MAX_POSITIONS_PER_RANGE: u64 = 4096;
/// The weight of a position for the scheduler: with look-ahead, it may take as long as 64 games.
const SLOW: u64 = 64;

/// An evaluator, and how far ahead it looks.
///
/// ```
/// use tavli_analysis::evaluation::Evaluation;
/// use tavli_backgammon::{Board, NO_STOP, RuleSet, Tier};
/// use tavli_players::named;
/// use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
///
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let evaluation = Evaluation::new(named::evaluator("sampled:144", NO_STOP)?, RuleSet::Backgammon);
/// let (tier, cancel) = (Tier::best(), Cancel::new());
/// let plays = evaluation.plays(&Board::START, "31".parse()?, tier, &workers, &cancel)?;
/// assert!(!plays.cancelled);
/// let plays = plays.plays;
/// assert_eq!(plays.len(), 16);
/// assert!(plays.is_sorted_by(|one, next| one.value.equity() >= next.value.equity()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluation {
    pub(super) rules: RuleSet,
    /// Values positions as they are.
    pub(super) without_look_ahead: Arc<dyn Evaluator>,
    /// Evaluators that look ahead with it: one ply, two plies, and so on.
    ahead: Vec<Arc<dyn Evaluator>>,
    pub(super) filters: MoveFilters,
    /// The cached results of looking ahead with the cube.
    pub(super) cache: Arc<SearchCache>,
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
    /// The plies of look-ahead that the value is from.
    pub plies: u32,
}

/// The plays of a roll, the best first.
#[derive(Clone, Debug)]
pub struct ValuedPlays {
    /// All plays, unless the switch was thrown. Plays that were not looked ahead from follow the others.
    pub plays: Vec<ValuedPlay>,
    /// Whether the switch was thrown before the end. In that case, plays that were not looked ahead from have their
    /// value without look-ahead, and plays without a value are missing.
    pub cancelled: bool,
}

impl Evaluation {
    /// An evaluation by this evaluator, under these rules.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, rules: RuleSet) -> Evaluation {
        Evaluation {
            rules,
            without_look_ahead: evaluator,
            ahead: Vec::new(),
            filters: MoveFilters::default(),
            cache: Arc::default(),
        }
    }

    /// This evaluation with values `plies` plies ahead; 0 values positions as they are. Only plays that pass `filters`
    /// are looked ahead from.
    ///
    /// # Errors
    /// The error of [`check_look_ahead`], if the evaluator's name looks ahead already.
    pub fn with_look_ahead(self, plies: u32, filters: MoveFilters) -> Result<Evaluation, NamedError> {
        if let Some(plies) = NonZeroU32::new(plies) {
            check_look_ahead(self.without_look_ahead.name(), plies)?;
        }
        let plies = (1..=plies).filter_map(NonZeroU32::new);
        let look = |plies| LookAhead::new(Arc::clone(&self.without_look_ahead), plies, filters.clone());
        let ahead = plies.map(|plies| Arc::new(look(plies)) as Arc<dyn Evaluator>);
        Ok(Evaluation { ahead: ahead.collect(), filters, ..self })
    }

    /// The evaluator, looking ahead.
    #[must_use]
    pub fn evaluator(&self) -> &Arc<dyn Evaluator> {
        self.ahead.last().unwrap_or(&self.without_look_ahead)
    }

    /// How many plies ahead it looks.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.ahead.len() as u32
    }

    /// The value of each position for its player on roll; a finished game has its exact value. If cancelled, the values
    /// up to the first position without one.
    ///
    /// # Errors
    /// [`PlayoutError`] of the first position that the rules do not know or in which the game can never end, with its
    /// index.
    ///
    /// # Panics
    /// If this CPU lacks the tier, or if called from one of `workers`.
    pub fn values(
        &self,
        boards: &[Board],
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<Vec<Probabilities>, (usize, PlayoutError)> {
        self.check(boards, cancel)?;
        Ok(self.values_by(self.evaluator(), boards, tier, workers, cancel))
    }

    /// Checks that the rules know every position in which the game goes on, and that its game can end. If cancelled,
    /// the last positions, which then have no values, are not checked.
    pub(super) fn check(&self, boards: &[Board], cancel: &Cancel) -> Result<(), (usize, PlayoutError)> {
        let mut open = (0..)
            .zip(boards)
            .take_while(|_| !cancel.is_cancelled())
            .filter(|(_, board)| self.rules.outcome(board).is_none());
        open.try_for_each(|(index, board)| match Playouts::new(*board, self.rules, 0) {
            Ok(_) => Ok(()),
            Err(error) => Err((index, error)),
        })
    }

    /// The value of each position, which the rules know, by an evaluator.
    pub(super) fn values_by(
        &self,
        evaluator: &Arc<dyn Evaluator>,
        boards: &[Board],
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Vec<Probabilities> {
        let mut values = Vec::with_capacity(boards.len());
        let (mut positions, mut indices) = (Vec::new(), Vec::new());
        for (index, board) in boards.iter().enumerate() {
            let over = self.rules.outcome(board);
            if over.is_none() {
                positions.push(Planes::from(*board));
                indices.push(index);
            }
            values.push(Probabilities::certain(over.unwrap_or(Outcome::WinSingle)));
        }
        let found = self.values_of_open(evaluator, positions, tier, workers, cancel);
        if let Some(&missing) = indices.get(found.len()) {
            values.truncate(missing);
        }
        for (index, value) in indices.into_iter().zip(found) {
            values[index] = value;
        }
        values
    }

    /// The plays of a roll as [`Evaluation::ranked`] has them without a cube.
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
    ) -> Result<ValuedPlays, PlayoutError> {
        let ranked = self.ranked(board, roll, None, tier, workers, cancel)?;
        Ok(ValuedPlays {
            plays: ranked.plays.into_iter().map(|ranked| ranked.play).collect(),
            cancelled: ranked.cancelled,
        })
    }

    /// The evaluator of plays `plies` plies ahead.
    pub(super) fn evaluator_at(&self, plies: u32) -> &Arc<dyn Evaluator> {
        match plies.checked_sub(1) {
            Some(index) => &self.ahead[index as usize],
            None => &self.without_look_ahead,
        }
    }

    /// The values of positions with the cube, and without one if they were looked ahead from. If cancelled, only the
    /// first positions have values.
    pub(super) fn with_cube(
        &self,
        positions: Vec<CubePosition>,
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Vec<(Option<Probabilities>, CubeValues)> {
        let (evaluator, cache) = (Arc::clone(&self.without_look_ahead), Arc::clone(&self.cache));
        let value = move |conditions: &EvaluationConditions<'_>, positions: &[CubePosition]| {
            let values = positions.iter().map(|position| position.look_ahead(&*evaluator, conditions, &cache));
            values.collect()
        };
        self.values_of_each(positions, value, tier, workers, cancel)
    }

    /// The values before the roll of positions in which the game goes on: without the cube, for the plays that are best
    /// with it, and with it. If cancelled, only the first positions have values.
    pub(super) fn before_roll(
        &self,
        positions: Vec<(Board, CubeInPlay)>,
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Vec<(Probabilities, CubeValues)> {
        let (evaluator, cache) = (Arc::clone(&self.without_look_ahead), Arc::clone(&self.cache));
        let plies = self.plies();
        // Part by part, not first all positions without the cube: a switch thrown in between would leave no values with
        // it.
        let value = move |conditions: &EvaluationConditions<'_>, positions: &[(Board, CubeInPlay)]| {
            let planes: Vec<Planes> = positions.iter().map(|(board, _)| Planes::from(*board)).collect();
            let here = evaluator.evaluated(conditions, &planes)?;
            let values = positions.iter().zip(here).map(|((board, cube), here)| {
                let position = CubePosition::before_roll(cube, board, here.into(), plies);
                let (ahead, values) = position.look_ahead(&*evaluator, conditions, &cache)?;
                Ok((ahead.unwrap_or(here), values))
            });
            values.collect()
        };
        self.values_of_each(positions, value, tier, workers, cancel)
    }

    /// An evaluator's values of positions in which the game goes on. If cancelled, only the first positions have
    /// values.
    pub(super) fn values_of_open(
        &self,
        evaluator: &Arc<dyn Evaluator>,
        positions: Vec<Planes>,
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Vec<Probabilities> {
        let evaluator = Arc::clone(evaluator);
        let value = move |conditions: &EvaluationConditions<'_>, positions: &[Planes]| {
            evaluator.evaluated(conditions, positions)
        };
        self.values_of_each(positions, value, tier, workers, cancel)
    }

    /// The values of positions, on every core. If cancelled, only the first positions have values.
    fn values_of_each<Position, Value>(
        &self,
        positions: Vec<Position>,
        value: impl Fn(&EvaluationConditions<'_>, &[Position]) -> Result<Vec<Value>, Stopped> + Send + Sync + 'static,
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Vec<Value>
    where
        Position: Send + Sync + 'static,
        Value: Send + 'static,
    {
        let number = positions.len();
        // Several parts for each worker, so that workers end together. One position may take seconds, so the first
        // parts have one.
        let most = number.div_ceil(4 * workers.count()) as u64;
        let scheduler = Scheduler::new(workers, 0, Limit::Items(number as u64), cancel)
            .with_sizes(1..=most.clamp(1, MAX_POSITIONS_PER_RANGE))
            .with_weight(SLOW)
            .with_first_items(1);
        let rules = self.rules;
        let switch = cancel.clone();
        let work = move |range: Range<u64>| {
            let stop = || switch.is_cancelled();
            let conditions = EvaluationConditions::new(rules, tier).with_stop(&stop);
            value(&conditions, &positions[range.start as usize..range.end as usize]).ok()
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
        values
    }
}
