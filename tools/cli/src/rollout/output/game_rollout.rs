//! The result of a rollout in a game other than backgammon: as text, as JSON, and as the row of a table.

use std::io::{self, Write};

use serde::Serialize;
use tavli::games::{GameRollout, PlayableGame};
use tavli::rollout::{EndReason, ResumableRollout, Statistic};
use tavli_terminal::numbers::{counted, decimals, rate, seconds};

use super::cells::{Cells, UNKNOWN, mean_and_errors};
use super::decision::{DecisionJson, add_decision};
use super::form::{Columns, PlayedJson};
use crate::game_turn::{PositionJson, Turn, TurnJson};
use crate::layout::csv_cell;
use crate::ordered_map::OrderedMap;
use crate::run_header::RunHeader;

#[derive(Serialize)]
struct GameRolloutJson<'a> {
    /// Absent in the answers of a server.
    #[serde(flatten)]
    header: Option<&'a RunHeader>,
    #[serde(flatten)]
    turn: TurnJson<'a>,
    seed: u64,
    policy: &'a str,
    variance_reduction: bool,
    /// Absent where the whole rollout is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    #[serde(flatten)]
    played: PlayedJson,
    candidates: Vec<CandidateJson>,
}

/// The JSON of a play, or of the position.
#[derive(Serialize)]
struct CandidateJson {
    rank: usize,
    /// Absent where the position itself is rolled out.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    #[serde(flatten)]
    position: PositionJson,
    trials: u64,
    outcomes: OrderedMap<&'static str, u64>,
    #[serde(flatten)]
    numbers: OrderedMap<String, f64>,
    behind: f64,
}

/// The position and the roll of a rollout.
fn turn<G: PlayableGame>(rollout: &GameRollout<G>) -> TurnJson<'_> {
    let turn = Turn { position: *rollout.position(), chance: rollout.chance() };
    TurnJson::new(&**rollout.game(), &turn, rollout.rules())
}

/// The JSON of a rollout, and why its session ended.
pub(crate) fn json<'a, G: PlayableGame>(
    rollout: &'a GameRollout<G>,
    reason: EndReason,
    header: Option<&'a RunHeader>,
) -> impl Serialize + use<'a, G> {
    let candidates = (1..).zip(rollout.standings()).map(|(rank, result)| {
        let candidate = &rollout.candidates()[result.candidate];
        let outcomes = G::OUTCOMES.iter().zip(result.outcomes);
        let numbers = [("equity", result.equity), ("win", result.win)];
        let numbers = numbers.iter().flat_map(|(name, statistic)| mean_and_errors(name, statistic));
        CandidateJson {
            rank,
            moves: candidate.moves.clone(),
            position: PositionJson::new(&**rollout.game(), &candidate.position),
            trials: result.trials,
            outcomes: OrderedMap::new(outcomes.map(|(outcome, games)| (outcome.name, games))),
            numbers: OrderedMap::new(numbers),
            behind: result.behind,
        }
    });
    GameRolloutJson {
        header,
        turn: turn(rollout),
        seed: rollout.seed(),
        policy: rollout.policy(),
        variance_reduction: rollout.variance_reduction(),
        shard: rollout.plan().shard.map(|shard| shard.to_string()),
        played: PlayedJson::new(rollout, reason),
        candidates: candidates.collect(),
    }
}

/// Prints a rollout, and why its session on the machine of `header` ended.
pub(crate) fn print<G: PlayableGame>(
    rollout: &GameRollout<G>,
    reason: EndReason,
    header: Option<&RunHeader>,
    output: &mut dyn Write,
) -> io::Result<()> {
    if let Some(header) = header {
        writeln!(output, "{header}\n")?;
    }
    write!(output, "{}, both sides by {}", turn(rollout).heading_of_roll(), rollout.policy())?;
    if rollout.variance_reduction() {
        write!(output, ", luck subtracted")?;
    }
    write!(output, ", seed {}", rollout.seed())?;
    if let Some(shard) = rollout.plan().shard {
        write!(output, ", shard {shard}")?;
    }
    writeln!(output, "\n")?;
    match reason {
        EndReason::Cancelled => writeln!(output, "interrupted; the trials before it\n")?,
        EndReason::StandardError => writeln!(output, "the standard error is as small as asked\n")?,
        _ => {}
    }
    let standings = rollout.standings();
    if standings.is_empty() {
        return writeln!(output, "no trials were played");
    }
    let plays = standings.iter().map(|result| PlayLine {
        moves: rollout.candidates()[result.candidate].moves.as_deref().unwrap_or("position"),
        equity: result.equity,
        rest: format!("{:>7.2}%", 100.0 * result.win.mean),
    });
    print_plays(&plays.collect::<Vec<_>>(), &format!("{:>8}", "wins"), output)?;
    if rollout.variance_reduction() {
        writeln!(output, "       luck is subtracted from the equity, not from the games won")?;
    }
    let time = rollout.elapsed().as_secs_f64();
    print_speed(rollout.total_games(), time, output)
}

/// A line of a table of plays.
pub(super) struct PlayLine<'a> {
    pub(super) moves: &'a str,
    pub(super) equity: Statistic,
    /// The text after the interval.
    pub(super) rest: String,
}

/// Prints a table of plays, the best first, under the heading `rest` of its last column.
pub(super) fn print_plays(plays: &[PlayLine<'_>], rest: &str, output: &mut dyn Write) -> io::Result<()> {
    let width = plays.iter().map(|play| play.moves.len()).max().unwrap_or(0).max(4);
    writeln!(output, "       {:<width$}  {:>9}  {:>7}  {:>18}  {rest}", "play", "equity", "± se", "95 % interval")?;
    for (rank, PlayLine { moves, equity, rest }) in (1..).zip(plays) {
        let number = |number: f64| if number.is_nan() { "-".to_owned() } else { format!("{number:+.4}") };
        let [mean, low, high] = [equity.mean, equity.low, equity.high].map(number);
        let (error, interval) = (decimals(equity.standard_error, 4), format!("{low}...{high}"));
        writeln!(output, "  {rank:>3}. {moves:<width$}  {mean:>9}  {error:>7}  {interval:>18}  {rest}")?;
    }
    Ok(())
}

/// Prints the games, their time in seconds, and their rate.
pub(super) fn print_speed(games: u64, time: f64, output: &mut dyn Write) -> io::Result<()> {
    let (all, per_second) = (counted(games, "game", "games"), rate(games as f64 / time));
    writeln!(output, "\n  {all} in {}, {per_second} games/s", seconds(time))
}

/// The complete text of the position, and the roll.
pub(crate) fn position_and_roll<G: PlayableGame>(rollout: &GameRollout<G>) -> [String; 2] {
    let game = rollout.game();
    let roll = rollout.chance().map_or_else(String::new, |chance| game.chance_text(chance));
    [game.state(rollout.position()), roll]
}

/// The row of a rollout that has trials: its best play.
pub(crate) fn table_row<G: PlayableGame>(rollout: &GameRollout<G>, columns: Columns) -> Cells {
    let best = rollout.standings().swap_remove(0);
    let moves = rollout.candidates()[best.candidate].moves.clone().unwrap_or_default();
    let [position, roll] = position_and_roll(rollout);
    let first = [position, roll, rollout.candidates().len().to_string(), moves, best.trials.to_string()];
    row_of::<G>(first, Some(&best.outcomes), [best.equity, best.win], None, columns)
}

/// The row of a rollout or a decision: the `first` five cells, and the results of the best play. Decisions do not count
/// games by outcome.
pub(super) fn row_of<G: PlayableGame>(
    first: [String; 5],
    outcomes: Option<&[u64]>,
    [equity, win]: [Statistic; 2],
    decision: Option<&DecisionJson>,
    columns: Columns,
) -> Cells {
    let mut row = Cells::default();
    for (name, text) in ["position", "roll", "plays", "moves", "trials"].into_iter().zip(first) {
        row.add(name, if name == "position" { csv_cell(&text) } else { text.into() });
    }
    for (index, outcome) in G::OUTCOMES.iter().enumerate() {
        row.add_known(format!("games_{}", outcome.name), outcomes.map(|games| games[index]));
    }
    row.add_numbers(mean_and_errors("equity", &equity));
    row.add_numbers(mean_and_errors("win", &win));
    if columns.decision {
        add_decision(&mut row, decision);
    }
    row
}

/// The names of the cells of a row.
pub(crate) fn table_columns<G: PlayableGame>(columns: Columns) -> String {
    row_of::<G>(Default::default(), None, [UNKNOWN; 2], None, columns).names()
}
