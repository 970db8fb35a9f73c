//! Expectimax: values by looking ahead.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{Conditions, Evaluator, Probabilities};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::playout::Throw;
use tavli_backgammon::{Board, Outcome, Planes, Roll, Stopped};

use crate::choice::{self, EvaluatorMoveFilter};

/// Positions whose plays are listed together: enough to fill an evaluator's batches, few enough for memory.
const AT_ONCE: usize = 32;

/// Expectimax to a fixed depth: a position has the mean value, over the 21 rolls, of the position after each roll's
/// best play. Leaves are valued by another evaluator.
///
/// An [`EvaluatorMoveFilter`] limits the plays of a roll to a few. One ply ahead it saves time only if it ranks by
/// another evaluator than the one that values leaves. A net with a
/// [move filter of its own](crate::net::NetPlayer::after) values only the plays that pass it.
///
/// ```
/// use core::num::NonZeroU32;
/// use std::sync::Arc;
/// use tavli_backgammon::evaluators::{Evaluator, Sampled};
/// use tavli_players::LookAhead;
/// let evaluator: Arc<dyn Evaluator> = Arc::new("sampled:6".parse::<Sampled>()?);
/// let ahead = LookAhead::new(evaluator, NonZeroU32::MIN, None);
/// assert_eq!(ahead.name(), "sampled:6:uniform+1ply");
/// # Ok::<(), tavli_backgammon::evaluators::EvaluatorError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LookAhead {
    name: String,
    /// Values the positions after the plays.
    evaluator: Arc<dyn Evaluator>,
    filter: Option<EvaluatorMoveFilter>,
}

impl LookAhead {
    /// Looks `plies` plies ahead, and values the positions there by `evaluator`.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, plies: NonZeroU32, filter: Option<EvaluatorMoveFilter>) -> LookAhead {
        let mut name = format!("{}+{plies}ply", evaluator.name());
        if let Some(EvaluatorMoveFilter { plays, by }) = &filter {
            name.push_str(&format!(":{plays}"));
            if by.name() != evaluator.name() {
                name.push_str(&format!(":{}", by.name()));
            }
        }
        // One ply ahead, a filter that ranks by the evaluator of the leaves cannot change the best play.
        let ranks_otherwise = |filter: &EvaluatorMoveFilter| filter.by.name() != evaluator.name();
        let last = LookAhead {
            name: String::new(),
            filter: filter.clone().filter(ranks_otherwise),
            evaluator,
        };
        let further = (1..plies.get()).fold(last, |ahead, _| LookAhead {
            name: String::new(),
            evaluator: Arc::new(ahead),
            filter: filter.clone(),
        });
        LookAhead { name, ..further }
    }

    /// The values of a few positions, at most [`AT_ONCE`].
    fn value(
        &self,
        conditions: &Conditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        debug_assert!(positions.len() <= AT_ONCE);
        debug_assert_eq!(positions.len(), values.len());
        let mut decisions = Decisions::new(conditions.rules()).on(conditions.tier());
        for &position in positions {
            let board = Board::from(position);
            for roll in Roll::ALL {
                let throw = Throw { roll, fraction: 0 };
                let pushed = decisions.push(&board, throw);
                pushed.unwrap_or_else(|error| panic!("the position cannot be valued: {error}"));
            }
        }
        let (evaluator, filter) = (self.evaluator.as_ref(), self.filter.as_ref());
        decisions.list(choice::view(evaluator, filter));
        // All decisions of a position have its seed, so that its plays are compared on the same dice.
        let of_rolls = 0..decisions.len();
        let seeds = conditions.seeds_at(of_rolls.map(|decision| decision / Roll::ALL.len()));
        let conditions = conditions.seeded(seeds.as_deref());
        let best = choice::best(&conditions, &decisions, evaluator, filter)?;
        for (value, of_rolls) in values.iter_mut().zip(best.chunks(Roll::ALL.len())) {
            let mut sums = [0; Outcome::COUNT];
            for (roll, best) in Roll::ALL.into_iter().zip(of_rolls) {
                let of_roll = best.value.reversed().numbers();
                for (sum, number) in sums.iter_mut().zip(of_roll) {
                    *sum += u64::from(roll.weight()) * u64::from(number);
                }
            }
            *value = Probabilities::of_weights(sums).expect("each roll has a value");
        }
        Ok(())
    }
}

impl Evaluator for LookAhead {
    fn name(&self) -> &str {
        &self.name
    }

    /// Asks `conditions` whether to stop before every 32 positions.
    ///
    /// # Panics
    /// If in one of the positions the game is over.
    fn estimate(
        &self,
        conditions: &Conditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        let parts = positions.chunks(AT_ONCE).zip(values.chunks_mut(AT_ONCE));
        for (part, (positions, values)) in parts.enumerate() {
            conditions.check()?;
            let places = (part * AT_ONCE..).take(positions.len());
            let seeds = conditions.seeds_at(places);
            self.value(&conditions.seeded(seeds.as_deref()), positions, values)?;
        }
        Ok(())
    }
}
