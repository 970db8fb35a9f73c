//! The players at the table.

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;

use tavli::cube::CubeState;
use tavli::evaluators::EvaluationConditions;
use tavli::named;
use tavli::policies::Policy;
use tavli::rollout::best_plays_with_cube;
use tavli::run::{Cancel, Workers};
use tavli::search::{Budget, Reward, SearchRequest, SearchSettings};
use tavli::stepping::{RollBatch, SteppedGame};
use tavli::text::Quoted;
use tavli::{Position, Throw, Tier, cubeful_evaluator};

/// The default number of simulations of a search for a play.
const SIMULATIONS: u64 = 20_000;

/// A person, a player, or a search.
#[derive(Clone, Debug)]
pub(super) enum Seat {
    /// Reads his plays from the input.
    Person,
    /// Picks by a policy.
    Player(Arc<dyn Policy>),
    /// Searches for each play by this number of simulations.
    Search(u64),
}

impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> Result<Seat, String> {
        match text.split_once(':') {
            _ if text == "me" => Ok(Seat::Person),
            _ if text == "search" => Ok(Seat::Search(SIMULATIONS)),
            Some(("search", number)) => {
                let most = Budget::max_simulations(&SearchSettings::default());
                let number = number.parse().ok();
                let number = number.filter(|number| (1..=most).contains(number));
                number.map(Seat::Search).ok_or_else(|| {
                    let text = Quoted::new(text);
                    format!("invalid search '{text}': write search:N, N simulations from 1 to {most}")
                })
            }
            _ => named::policy(text).map(Seat::Player).map_err(|error| format!("{error}; or me, search, search:N")),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Person => f.pad("you"),
            Seat::Player(policy) => f.pad(policy.name()),
            Seat::Search(number) => f.pad(&format!("search:{number}")),
        }
    }
}

impl Seat {
    /// A verb after the seat.
    pub(super) fn verb(&self, verb: &str) -> String {
        match self {
            Seat::Person => verb.to_owned(),
            _ if verb.ends_with("ss") => format!("{verb}es"),
            _ => format!("{verb}s"),
        }
    }
}

/// The index of the play that a policy picks, or has chosen with the cube, if there is one; `None` if it is cancelled
/// before, since a player that looks ahead may take hours.
pub(super) fn play_of_policy(
    policy: &dyn Policy,
    game: &SteppedGame,
    throw: Throw,
    cube: Option<CubeState>,
    tier: Tier,
    cancel: &Cancel,
) -> Option<usize> {
    let mut decisions = RollBatch::new(game.rules()).with_tier(tier);
    let pushed = decisions.push(game.board(), throw);
    pushed.expect("the game goes on");
    let stop = || cancel.is_cancelled();
    if let (Some(evaluator), Some(state)) = (cubeful_evaluator(policy), cube) {
        decisions.list(evaluator.view_of_plays());
        let conditions = EvaluationConditions::new(game.rules(), tier).with_stop(&stop);
        let best = best_plays_with_cube(&**evaluator, &conditions, &decisions, &[state.reversed()], None);
        return best.ok().map(|best| best[0].index as usize);
    }
    decisions.list(policy.view());
    let mut picks = [0];
    let picked = policy.pick(&decisions, &mut picks, &stop);
    picked.ok().map(|()| picks[0] as usize)
}

/// The index of the play that a search finds; `None` if it resigns, since its best play wins less than the share
/// `resign` of the games. With a share above 0 it counts wins instead of points.
#[expect(clippy::too_many_arguments, reason = "a table has all of these")]
pub(super) fn play_of_search(
    simulations: u64,
    seed: u64,
    resign: f64,
    game: &SteppedGame,
    throw: Throw,
    tier: Tier,
    workers: &Workers,
    cancel: &Cancel,
) -> Option<usize> {
    let reward = match resign > 0.0 {
        true => Reward::Wins,
        false => Reward::Points,
    };
    let request = SearchRequest {
        roll: Some(throw.roll),
        rules: game.rules(),
        settings: SearchSettings { seed, reward, ..SearchSettings::default() },
        budget: Budget::simulations(simulations),
        ..SearchRequest::default()
    };
    let task = request.prepare(&Position::from(*game.board()), tier);
    let task = task.expect("the game goes on, and the settings are the default");
    let found = task.cancelled_by(cancel).run(workers, |_| ());
    let resigns = found.share_of_wins().is_some_and(|share| share < resign);
    (!resigns).then(|| found.best().choice)
}
