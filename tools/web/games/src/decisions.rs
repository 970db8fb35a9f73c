//! Decisions, chunk by chunk.

use core::ops::Range;
use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tavli::Tier;
use tavli::games::{AnyPosition, AnyRacedPlay, DecisionChunks, GameDecisionSettings, default_net};
use tavli_web_module::{DecisionJson, Failure, Kind, NextJson, StatisticJson, seed};

use crate::nets::Player;
use crate::positions::{GamePosition, PlayJson, PositionJson};

thread_local! {
    static DECISIONS: RefCell<BTreeMap<u32, Begun>> = const { RefCell::new(BTreeMap::new()) };
}

/// A decision that has begun.
struct Begun {
    position: AnyPosition,
    seed: u64,
    chunks: DecisionChunks,
}

/// Which play of a roll to make.
#[derive(Debug, Deserialize)]
pub(crate) struct DecisionCall {
    position: GamePosition,
    roll: Option<String>,
    plays: Option<Vec<String>>,
    within: Option<f64>,
    trials: Option<u64>,
    seed: Option<String>,
}

/// The result of a decision so far.
#[derive(Debug, Serialize)]
pub(crate) struct ResultJson {
    position: PositionJson,
    roll: String,
    seed: String,
    policy: Option<&'static str>,
    trials: u64,
    /// The best first.
    candidates: Vec<CandidateJson>,
    decision: DecisionJson,
}

/// A play that raced, for the player who makes it.
#[derive(Debug, Serialize)]
struct CandidateJson {
    #[serde(flatten)]
    play: PlayJson,
    trials: u64,
    evaluation: f64,
    equity: StatisticJson,
    behind: StatisticJson,
    dropped: bool,
}

/// Begins a decision under a number that no other has.
pub(crate) fn begin(number: u32, asked: &DecisionCall) -> Result<(), Failure> {
    let (position, defaults) = (asked.position.read()?, GameDecisionSettings::default());
    let settings = GameDecisionSettings {
        within: asked.within.unwrap_or(defaults.within),
        trials: asked.trials.unwrap_or(defaults.trials),
        seed: seed(asked.seed.as_deref())?,
        ..defaults
    };
    let (roll, net) = (asked.roll.as_deref(), Player::default_net(&position)?);
    let chunks = DecisionChunks::begin(&position, roll, asked.plays.as_deref(), &net, &settings, Tier::best())?;
    let begun = Begun { position, seed: settings.seed, chunks };
    DECISIONS.with_borrow_mut(|decisions| decisions.insert(number, begun));
    Ok(())
}

/// Calls `work` with the decision of a number.
fn with<T>(number: u32, work: impl FnOnce(&mut Begun) -> T) -> Result<T, Failure> {
    DECISIONS.with_borrow_mut(|decisions| {
        let gone = || Failure::new(Kind::Settings, format_args!("there is no decision {number}"));
        Ok(work(decisions.get_mut(&number).ok_or_else(gone)?))
    })
}

/// The next trials. `playing` becomes the indices of the plays that are still played.
pub(crate) fn next(number: u32, playing: &mut Vec<u64>) -> Result<NextJson, Failure> {
    with(number, |Begun { chunks, .. }| {
        *playing = chunks.playing().iter().map(|&index| index as u64).collect();
        chunks.next_trials().into()
    })
}

/// The values of some trials of the plays in `playing`.
pub(crate) fn count(number: u32, trials: Range<u64>, playing: &[u64]) -> Result<Vec<u64>, Failure> {
    let playing: Vec<usize> = playing.iter().map(|&index| index as usize).collect();
    with(number, |Begun { chunks, .. }| {
        let values = chunks.values(&playing, trials).into_iter();
        values.map(i64::cast_unsigned).collect()
    })
}

/// Adds the values of the next trials.
pub(crate) fn add(number: u32, values: &[u64]) -> Result<(), Failure> {
    let values: Vec<i64> = values.iter().map(|value| value.cast_signed()).collect();
    with(number, |Begun { chunks, .. }| chunks.add(&values))
}

/// The result so far.
pub(crate) fn result(number: u32) -> Result<ResultJson, Failure> {
    with(number, |begun| {
        let (plays, decision) = begun.chunks.standing();
        ResultJson {
            position: PositionJson::new(&begun.position),
            roll: begun.chunks.roll().to_owned(),
            seed: begun.seed.to_string(),
            policy: default_net(begun.position.game()),
            trials: plays.iter().map(|play| play.raced.trials).max().unwrap_or(0),
            decision: DecisionJson::new(&decision, |index| Some(plays[index].play.moves.clone())),
            candidates: plays.into_iter().map(CandidateJson::from).collect(),
        }
    })
}

impl From<AnyRacedPlay> for CandidateJson {
    fn from(AnyRacedPlay { play, raced }: AnyRacedPlay) -> CandidateJson {
        CandidateJson {
            play: PlayJson::from(play),
            trials: raced.trials,
            evaluation: raced.evaluation,
            equity: raced.equity.into(),
            behind: raced.behind.into(),
            dropped: raced.is_dropped,
        }
    }
}

/// Forgets a decision.
pub(crate) fn end(number: u32) {
    DECISIONS.with_borrow_mut(|decisions| decisions.remove(&number));
}
