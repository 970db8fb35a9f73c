//! Why something cannot be rolled out.

use tavli_backgammon::board::OtherRollError;
use tavli_backgammon::playout::PlayoutError;
use tavli_backgammon::plays::notation::NotationError;
use tavli_backgammon::text::Quoted;
use tavli_backgammon::{Roll, RuleSet};
use tavli_cube::CubeStateError;
use tavli_players::named::NamedError;
use tavli_trials::{MAX_CANDIDATES, PlanError};
use thiserror::Error;

/// Why something cannot be rolled out. A program may report it in its own terms.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// A roll that differs from the dice of the position.
    #[error(transparent)]
    Roll(#[from] OtherRollError),
    /// Plays without a roll.
    #[error("plays belong to a roll: name the roll too")]
    NoRoll,
    /// A text that names no play of the roll.
    #[error("invalid play '{}': {error}", Quoted::new(text).within(60))]
    Play {
        /// The text.
        text: String,
        /// Why it is not a play.
        error: NotationError,
    },
    /// A move filter whose margin is below 0, or not a number.
    #[error("the filter is a number of points, 0 or more, not {0}")]
    Margin(f64),
    /// The evaluator of a move filter gave up.
    #[error("{0} was stopped while it valued the plays")]
    Filter(String),
    /// Rules that cannot end it, or an allocation or a shard that it cannot have.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// No players are named, and the default ones are not part of this build.
    #[error(transparent)]
    Players(#[from] NamedError),
    /// No games start from the position.
    #[error(transparent)]
    Playout(#[from] PlayoutError),
    /// No games start from the position after a play.
    #[error("after {moves}: {reason}")]
    Candidate {
        /// The play.
        moves: String,
        /// Why no games start.
        reason: PlayoutError,
    },
    /// A candidate that is not a play of the roll.
    #[error("{position_id} is not the position after a play of {roll} from {from}: name one of the plays of the roll")]
    NoPlay {
        /// The Position ID of the candidate.
        position_id: String,
        /// The roll. None of its plays leads there.
        roll: Roll,
        /// The Position ID before the play.
        from: String,
    },
    /// A candidate that occurs twice.
    #[error("{moves} is given twice: name each play once")]
    SameCandidateTwice {
        /// The play.
        moves: String,
    },
    /// No candidate, or too many.
    #[error(
        "{0} candidates: a rollout compares 1 to {most}; name some of the plays, or filter them",
        most = MAX_CANDIDATES
    )]
    Candidates(usize),
    /// A rule that compares candidates, with only one candidate.
    #[error("joint standard deviations, races and halving need at least two candidates: name a roll, or two plays")]
    NothingToCompare,
    /// A change of the number of trials, although the rounds of halving depend on it.
    #[error(
        "games have been played in rounds of halving that end after {trials} trials: for another number begin a new \
         rollout"
    )]
    HalvingIsFixed {
        /// The trials that the rounds are made for.
        trials: u64,
    },
    /// An evaluator for cut-off games, in a rollout that cuts none off.
    #[error(
        "evaluator is for truncated games, and none is truncated: give truncate a number of plies, or let evaluator \
         measure luck, by variance reduction"
    )]
    NotTruncated,
    /// Variance reduction without an evaluator, or of games that are cut off and have no value.
    #[error("variance reduction needs an evaluator, and the evaluator is none: leave one of the two out")]
    NothingMeasuresLuck,
    /// A text that is not a value of an option.
    #[error("{option}: {reason}")]
    Option {
        /// The name of the option.
        option: String,
        /// Why the text is not a value of the option, or that there is no such option; and the texts allowed.
        reason: String,
    },
    /// `within` in a plain rollout, which decides nothing.
    #[error("within is for decisions: ask for a decision, or give the points with the allocation, as in race:95%:0.01")]
    PlainWithin,
    /// An allocation of a decision, which has its own.
    #[error("a decision always races its plays: leave the allocation out, or ask for a plain rollout")]
    AllocatedDecision,
    /// A move filter beside named plays.
    #[error("a filter does not apply to named plays: name either plays or a filter")]
    FilteredPlays,
    /// A move filter without a roll.
    #[error("a filter leaves out plays of a roll, and no roll is named: name one too")]
    FilteredPosition,
    /// An impossible cube or score.
    #[error(transparent)]
    Cube(#[from] CubeStateError),
    /// Rules without a known efficiency of the cube.
    #[error("no efficiency of the cube is known for {0}: roll the position out without cube")]
    CubeRules(RuleSet),
    /// A player that cannot decide about the cube.
    #[error(
        "{0} gives no outcome probabilities, which cube decisions need: name players that value positions, such as fast, or \
         roll the position out without cube"
    )]
    NoCubeValues(String),
    /// A rule that would drop or rank the candidates of a cube decision: no single player chooses among them.
    #[error(
        "a cube decision plays no double and double, take to the end, so neither can be dropped: divide the games evenly, \
         and end by trials, standard errors or time"
    )]
    CubeDecision,
    /// Games with a cube that are cut off without a value.
    #[error(
        "with a cube, a game that is cut off has the value of its last position, and the evaluator is none: leave that \
         out, or name an evaluator, or roll the position out without cube"
    )]
    CubeNotValued,
    /// A change of the allocation or the shard after the first trial.
    #[error("the allocation and the shard of a rollout that has played games cannot change: begin a new rollout")]
    AlreadyPlayed,
}

impl RolloutError {
    /// The invalid option, by its name in [`OptionTexts`](crate::OptionTexts); `None` if no single option is wrong.
    #[must_use]
    pub fn option(&self) -> Option<&str> {
        match self {
            RolloutError::Option { option, .. } => Some(option),
            RolloutError::Plan(error) => error.option(),
            RolloutError::Roll(_) => Some("roll"),
            RolloutError::NoRoll
            | RolloutError::Play { .. }
            | RolloutError::NoPlay { .. }
            | RolloutError::SameCandidateTwice { .. }
            | RolloutError::Candidates(_) => Some("plays"),
            RolloutError::Margin(_)
            | RolloutError::Filter(_)
            | RolloutError::FilteredPlays
            | RolloutError::FilteredPosition => Some("filter"),
            RolloutError::AllocatedDecision => Some("allocate"),
            RolloutError::PlainWithin => Some("within"),
            RolloutError::NotTruncated | RolloutError::NothingMeasuresLuck | RolloutError::CubeNotValued => {
                Some("evaluator")
            }
            RolloutError::Cube(_) | RolloutError::CubeRules(_) => Some("cube"),
            RolloutError::Players(_) | RolloutError::NoCubeValues(_) => Some("policy"),
            _ => None,
        }
    }
}
