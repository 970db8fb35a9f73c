//! Positions valued by games.

use core::num::NonZeroU32;
use core::str::FromStr;
use std::sync::Arc;

use tavli_game::streams::mixed;

use crate::board::{Board, Planes};
use crate::evaluation_conditions::EvaluationConditions;
use crate::evaluator::Evaluator;
use crate::evaluators::evaluator_error::EvaluatorError;
use crate::playout::{ManyPlayouts, Playouts};
use crate::policies::{Policy, PolicyPair, Uniform, built_in};
use crate::probabilities::Probabilities;
use tavli_base::Stopped;

/// Values a position by the ends of some games from it: games 0, 1, 2 ... of a seed.
///
/// Its values have the sampling error of so few games. Without [seeds](EvaluationConditions::seeded) the games have the
/// same dice from every position, so plays are compared on the same dice. A position always has the same value, so
/// policies and searches get the same value whenever they ask. With seeds, each seed has its own dice: the sampling
/// errors of a rollout's trials are independent, and its standard error includes them.
///
/// ```
/// use tavli_backgammon::evaluators::{Evaluator, Sampled};
/// let evaluator: Sampled = "sampled:144:pubeval".parse()?;
/// assert_eq!(evaluator.name(), "sampled:144:pubeval");
/// assert_eq!("sampled".parse::<Sampled>()?.name(), "sampled:36:uniform");
/// # Ok::<(), tavli_backgammon::evaluators::EvaluatorError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampled {
    name: String,
    players: PolicyPair,
    games: NonZeroU32,
    seed: u64,
}

impl Sampled {
    /// `sampled`.
    pub const NAME: &str = "sampled";
    /// The default number of games from a position: one for each throw.
    pub const GAMES: NonZeroU32 = NonZeroU32::new(36).expect("not 0");
    /// The default seed of the games. Rollouts seldom have this seed, so their dice differ.
    pub const SEED: u64 = u64::MAX;

    /// Plays this many games of a policy against itself from each position.
    #[must_use]
    pub fn new(policy: Arc<dyn Policy>, games: NonZeroU32, seed: u64) -> Sampled {
        let mut name = format!("{}:{games}:{}", Sampled::NAME, policy.name());
        if seed != Sampled::SEED {
            name.push_str(&format!(":{seed}"));
        }
        Sampled { name, players: PolicyPair::alike(policy), games, seed }
    }
}

impl Default for Sampled {
    /// 36 games of uniform play.
    fn default() -> Sampled {
        Sampled::new(Arc::new(Uniform), Sampled::GAMES, Sampled::SEED)
    }
}

impl FromStr for Sampled {
    type Err = EvaluatorError;

    /// Reads a [`SampledName`] of a [built-in](built_in) policy.
    fn from_str(text: &str) -> Result<Sampled, EvaluatorError> {
        let name = SampledName::parse(text)?;
        let name = name.ok_or_else(|| EvaluatorError::Name(text.to_owned()))?;
        Ok(Sampled::new(built_in(name.policy)?, name.games, name.seed))
    }
}

/// The parts of a name `sampled`, `sampled:GAMES`, `sampled:GAMES:POLICY` or `sampled:GAMES:POLICY:SEED`.
///
/// ```
/// use tavli_backgammon::evaluators::SampledName;
/// let name = SampledName::parse("sampled:144")?.expect("it begins so");
/// assert_eq!((name.games.get(), name.policy), (144, "uniform"));
/// assert_eq!(SampledName::parse("pubeval")?, None);
/// # Ok::<(), tavli_backgammon::evaluators::EvaluatorError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SampledName<'a> {
    /// How many games are played from a position.
    pub games: NonZeroU32,
    /// The name of the policy that plays them.
    pub policy: &'a str,
    /// The seed of the games.
    pub seed: u64,
}

impl<'a> SampledName<'a> {
    /// Reads such a name; `None` if the text begins otherwise.
    ///
    /// # Errors
    /// [`EvaluatorError`] if the games or the seed are invalid, or more follows.
    pub fn parse(text: &'a str) -> Result<Option<SampledName<'a>>, EvaluatorError> {
        let mut parts = text.split(':');
        if parts.next() != Some(Sampled::NAME) {
            return Ok(None);
        }
        let games = parts
            .next()
            .map_or(Ok(Sampled::GAMES), |part| part.parse().map_err(|_| EvaluatorError::Games(text.to_owned())))?;
        let policy = parts.next().unwrap_or(Uniform::NAME);
        let seed = parts
            .next()
            .map_or(Ok(Sampled::SEED), |part| part.parse().map_err(|_| EvaluatorError::Seed(text.to_owned())))?;
        match parts.next() {
            Some(_) => Err(EvaluatorError::Name(text.to_owned())),
            None => Ok(Some(SampledName { games, policy, seed })),
        }
    }
}

impl Evaluator for Sampled {
    fn name(&self) -> &str {
        &self.name
    }

    fn games(&self) -> Option<NonZeroU32> {
        Some(self.games)
    }

    /// # Panics
    /// If in one of the positions the game is over, or can never end. If this CPU lacks the tier.
    fn estimate(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        let seed_of = |index: usize| match conditions.seeds() {
            Some(seeds) => mixed(self.seed ^ seeds[index]),
            None => self.seed,
        };
        let rows = positions.iter().enumerate().map(|(index, &position)| {
            Playouts::new(Board::from(position), conditions.rules(), seed_of(index))
                .unwrap_or_else(|error| panic!("the position cannot be valued: {error}"))
        });
        let many = ManyPlayouts::new(rows).expect("they have the same rules");
        let games = 0..u64::from(self.games.get());
        let trials = 0..games.end * positions.len() as u64;
        let (tier, stop) = (conditions.tier(), conditions.stop());
        let tallies = self.players.run_part(&many, tier, games, trials, stop);
        for (value, tally) in values.iter_mut().zip(tallies?) {
            // The games are at least one, and none is cut off.
            *value = Probabilities::from_weights(tally.outcomes).expect("games that ended");
        }
        Ok(())
    }
}
