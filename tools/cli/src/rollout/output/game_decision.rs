//! The decision which play of a roll to make, in a game other than backgammon that has nets: as text and JSON.

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::time::Duration;

use serde::Serialize;
use tavli::games::{AnyDecision, AnyPreparedDecision, AnyRacedPlay, PlayableGame};
use tavli::rollout::EndReason;
use tavli_terminal::numbers::counted;

use super::cells::{Cells, UNKNOWN, mean_and_errors};
use super::decision::{DecisionJson, RacedPlays, print_decision};
use super::form::Columns;
use super::game_rollout::{PlayLine, print_plays, print_speed, row_of};
use crate::game_turn::TurnJson;
use crate::ordered_map::OrderedMap;
use crate::run_header::RunHeader;

/// The JSON of a decision with its candidates.
#[derive(Serialize)]
struct GameDecisionJson<'a> {
    /// Absent in the answers of a server.
    #[serde(flatten)]
    header: Option<&'a RunHeader>,
    #[serde(flatten)]
    turn: TurnJson<'a>,
    seed: u64,
    policy: &'a str,
    variance_reduction: bool,
    /// The most plies of a game; `None` for whole games.
    truncate: Option<u32>,
    trials: u64,
    ended_by: &'static str,
    complete: bool,
    seconds: f64,
    games_per_second: f64,
    decision: DecisionJson,
    candidates: Vec<CandidateJson<'a>>,
}

/// The JSON of a play that raced.
#[derive(Serialize)]
struct CandidateJson<'a> {
    rank: usize,
    moves: &'a str,
    position: String,
    trials: u64,
    dropped: bool,
    /// Its value by the net before the race.
    evaluation: f64,
    /// Its equity; `null` without trials, and its error before two.
    #[serde(flatten)]
    numbers: OrderedMap<String, f64>,
    behind: f64,
}

/// The JSON of a decision that was made in this time.
pub(crate) fn json<'a>(
    prepared: &'a AnyPreparedDecision,
    found: &'a AnyDecision,
    elapsed: Duration,
    header: Option<&'a RunHeader>,
) -> impl Serialize + use<'a> {
    let settings = prepared.settings();
    let candidates = (1..).zip(&found.plays).map(|(rank, AnyRacedPlay { play, raced })| CandidateJson {
        rank,
        moves: &play.moves,
        position: play.position.text(),
        trials: raced.trials,
        dropped: raced.is_dropped,
        evaluation: raced.evaluation,
        numbers: OrderedMap::new(mean_and_errors("equity", &raced.equity).into_iter()),
        behind: raced.behind.mean,
    });
    GameDecisionJson {
        header,
        turn: TurnJson::from_any_position(prepared.position(), prepared.roll()),
        seed: settings.seed,
        policy: prepared.policy(),
        variance_reduction: true,
        truncate: settings.plies.map(NonZeroU32::get),
        trials: found.plays[0].raced.trials,
        ended_by: found.ended_by.name(),
        complete: !matches!(found.ended_by, EndReason::Time | EndReason::Cancelled),
        seconds: elapsed.as_secs_f64(),
        games_per_second: found.games() as f64 / elapsed.as_secs_f64(),
        decision: decision_json(found),
        candidates: candidates.collect(),
    }
}

fn decision_json(found: &AnyDecision) -> DecisionJson {
    DecisionJson::new(&found.decision, |candidate| found.plays[candidate].play.moves.clone(), found.games())
}

/// Prints a decision that was made in this time on the machine of `header`.
pub(crate) fn print(
    prepared: &AnyPreparedDecision,
    found: &AnyDecision,
    elapsed: Duration,
    header: Option<&RunHeader>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let settings = prepared.settings();
    let plies = match settings.plies {
        Some(plies) => format!("cut off after {}", counted(plies.get(), "ply", "plies")),
        None => "to the end".to_owned(),
    };
    if let Some(header) = header {
        writeln!(output, "{header}\n")?;
    }
    let turn = TurnJson::from_any_position(prepared.position(), prepared.roll()).heading_of_roll();
    let (policy, seed) = (prepared.policy(), settings.seed);
    writeln!(output, "{turn}, both sides by {policy}, {plies}, luck subtracted, seed {seed}\n")?;
    match found.ended_by {
        EndReason::Cancelled => writeln!(output, "interrupted; the games before it\n")?,
        EndReason::Time => writeln!(output, "the time is up; the games before it\n")?,
        _ => {}
    }
    let play = |candidate: usize| found.plays[candidate].play.moves.clone();
    let raced = RacedPlays {
        number: found.plays.len(),
        are_named: settings.choices.is_some(),
        trials: found.plays[0].raced.trials,
    };
    print_decision(&found.decision, raced, play, output)?;
    let plays = found.plays.iter().map(|AnyRacedPlay { play, raced }| PlayLine {
        moves: &play.moves,
        equity: raced.equity,
        rest: format!("{:>6}{}", raced.trials, if raced.is_dropped { "  dropped" } else { "" }),
    });
    print_plays(&plays.collect::<Vec<_>>(), "trials", output)?;
    print_speed(found.games(), elapsed.as_secs_f64(), output)
}

/// The row of a decision: the play to make. Games that are cut off are neither won nor lost.
pub(crate) fn table_row<G: PlayableGame>(
    prepared: &AnyPreparedDecision,
    found: &AnyDecision,
    columns: Columns,
) -> Cells {
    let (position, roll) = (prepared.position(), prepared.roll());
    let AnyRacedPlay { play, raced } = &found.plays[0];
    let plays = position.plays(roll).map_or(0, |plays| plays.len()).to_string();
    let roll = roll.unwrap_or_default().to_owned();
    let first = [position.state(), roll, plays, play.moves.clone(), raced.trials.to_string()];
    row_of::<G>(first, None, [raced.equity, UNKNOWN], Some(&decision_json(found)), columns)
}
