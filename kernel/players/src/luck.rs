//! The luck of the dice, by an evaluator.

use std::sync::Arc;

use tavli_backgammon::evaluators::{Conditions, Evaluator};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::playout::Throw;
use tavli_backgammon::{Board, FirstRoll, Outcome, Planes, Roll, Stopped, Tier};

/// Positions whose plays are listed together.
const AT_ONCE: usize = 32;

/// A probability of each outcome, or a difference of two, in units of which [`Luck::ONE`] make 1.
pub type Shares = [i64; Outcome::COUNT];

/// Measures the luck of rolls by an evaluator: how much better the best play of a roll leaves the player on roll than the
/// best plays of all rolls do on average.
///
/// The best play is the one that the evaluator's [`best_plays`](Evaluator::best_plays) finds: a net that picks after
/// [another one](crate::net::NetPlayer::after) looks at the plays that it picks from.
///
/// The mean of the luck over the rolls of a ply, each as often as it is thrown, is exactly 0 in each probability, whatever
/// the evaluator says and whoever plays. So the results of games less their luck have the same mean as the results, and
/// with a good evaluator a far smaller variance. The evaluator is asked without seeds: that mean is 0 since it says the
/// same of a position before whichever roll.
///
/// ```
/// use tavli_backgammon::playout::Throw;
/// use tavli_backgammon::games::Decisions;
/// use tavli_backgammon::{Board, FirstRoll, Roll, RuleSet, Tier};
/// use tavli_players::{Luck, named};
/// let luck = Luck::new(named::evaluator("sampled:1")?);
/// let mut decisions = Decisions::new(RuleSet::Backgammon);
/// for roll in Roll::THROWS {
///     decisions.push(&Board::START, Throw { roll, fraction: 0 })?;
/// }
/// let of_throws = luck.of(&decisions, &[FirstRoll::Any; 36], Tier::best(), &|| false)?;
/// assert_eq!(of_throws.iter().map(|luck| luck[0]).sum::<i64>(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Luck {
    evaluator: Arc<dyn Evaluator>,
}

impl Luck {
    /// What makes 1: as fine as the evaluators' values over 36 throws, and over the 15 non-doubles.
    pub const ONE: i64 = PARTS << 30;

    /// By this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>) -> Luck {
        Luck { evaluator }
    }

    /// Who values the positions.
    #[must_use]
    pub fn evaluator(&self) -> &Arc<dyn Evaluator> {
        &self.evaluator
    }

    /// The luck of the roll of each decision for the player on roll, each thrown as the other list says: a given roll is
    /// no luck, and the throws of stratified games are over all seeds any.
    ///
    /// # Errors
    /// [`Stopped`] if `stop`, which is asked before each few decisions, says so before the end.
    ///
    /// # Panics
    /// If there is not one way to throw for each decision.
    pub fn of(
        &self,
        decisions: &Decisions,
        thrown: &[FirstRoll],
        tier: Tier,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Shares>, Stopped> {
        assert_eq!(thrown.len(), decisions.len(), "one way for each decision");
        let conditions = Conditions::new(decisions.rules(), tier).unless(stop);
        let mut luck = vec![Shares::default(); decisions.len()];
        let is_luck = |place: &usize| !matches!(thrown[*place], FirstRoll::Given(_));
        let places: Vec<usize> = (0..decisions.len()).filter(is_luck).collect();
        for places in places.chunks(AT_ONCE) {
            conditions.check()?;
            let positions = places.iter().map(|&place| decisions.positions()[place]);
            let of_rolls = self.of_rolls(&conditions, positions)?;
            for (&place, of_rolls) in places.iter().zip(of_rolls.chunks(Roll::ALL.len())) {
                let roll = decisions.rolls()[place];
                luck[place] = less_mean(of_rolls, roll, thrown[place]);
            }
        }
        Ok(luck)
    }

    /// What the best play of each roll leaves the player on roll of each position, in units of 2^-30.
    fn of_rolls(
        &self,
        conditions: &Conditions<'_>,
        positions: impl Iterator<Item = Planes>,
    ) -> Result<Vec<Shares>, Stopped> {
        let mut all = Decisions::new(conditions.rules()).on(conditions.tier());
        for position in positions {
            let board = Board::from(position);
            for roll in Roll::ALL {
                let pushed = all.push(&board, Throw { roll, fraction: 0 });
                pushed.expect("a decision of a game that goes on");
            }
        }
        all.list(self.evaluator.view_of_plays());
        let best = self.evaluator.best_plays(conditions, &all)?;
        let values = best.iter().map(|best| best.value.reversed().numbers());
        Ok(values.map(|numbers| numbers.map(i64::from)).collect())
    }
}

/// A multiple of the throws of a roll, and of those of a first roll, which is not a double.
const PARTS: i64 = 180;

/// What a roll has more than the mean of all rolls that are thrown so.
fn less_mean(of_rolls: &[Shares], roll: Roll, thrown: FirstRoll) -> Shares {
    let weight = |of: Roll| match thrown {
        FirstRoll::Open if of.is_double() => 0,
        _ => i64::from(of.weight()),
    };
    let throws: i64 = Roll::ALL.into_iter().map(weight).sum();
    let mut luck = Shares::default();
    for (of, shares) in Roll::ALL.into_iter().zip(of_rolls) {
        let own = if of == roll { PARTS } else { 0 };
        for (luck, share) in luck.iter_mut().zip(shares) {
            *luck += (own - weight(of) * (PARTS / throws)) * share;
        }
    }
    luck
}
