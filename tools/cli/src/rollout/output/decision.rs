//! The decision of a race of fixed confidence, in any game: as JSON, as cells of a table, and in words.

use std::io::{self, Write};

use serde::Serialize;
use tavli::rollout::{Decision, Verdict};
use tavli_terminal::numbers::{counted, decimals, grouped};

use super::cells::Cells;

#[derive(Serialize)]
pub(super) struct DecisionJson {
    play: String,
    verdict: &'static str,
    sure: f64,
    within: f64,
    /// With the race's confidence, no other play is better by more points than this; `None` before it is known.
    at_most_better: Option<f64>,
    /// Other plays that may be as good.
    equal_plays: Vec<String>,
    /// Plays that a filter left out.
    left_out: usize,
    games: u64,
    equivalent_games: Option<f64>,
}

impl DecisionJson {
    /// A decision between the candidates that `play` names, after `games` games.
    pub(super) fn new(decision: &Decision, play: impl Fn(usize) -> String, games: u64) -> DecisionJson {
        DecisionJson {
            play: play(decision.candidate),
            verdict: decision.verdict.name(),
            sure: decision.sure,
            within: decision.within,
            at_most_better: Some(decision.at_most_better).filter(|points| points.is_finite()),
            equal_plays: decision.rivals.iter().map(|&rival| play(rival)).collect(),
            left_out: decision.left_out,
            games,
            equivalent_games: decision.equivalent_games,
        }
    }
}

/// Adds the cells of a decision, which are empty if nothing was decided.
pub(super) fn add_decision(cells: &mut Cells, decision: Option<&DecisionJson>) {
    cells.add_known("verdict", decision.map(|decision| decision.verdict));
    cells.add_known("sure", decision.map(|decision| decision.sure));
    cells.add_known("within", decision.map(|decision| decision.within));
    cells.add_known("at_most_better", decision.and_then(|decision| decision.at_most_better));
    cells.add_known("equal_plays", decision.map(|decision| decision.equal_plays.join("; ")));
    cells.add_known("left_out", decision.map(|decision| decision.left_out));
    cells.add_known("games", decision.map(|decision| decision.games));
    cells.add_known("equivalent_games", decision.and_then(|decision| decision.equivalent_games));
}

#[derive(Clone, Copy)]
pub(super) struct RacedPlays {
    pub(super) number: usize,
    /// Whether the user named them.
    pub(super) are_named: bool,
    /// The trials of the best.
    pub(super) trials: u64,
}

/// Prints the decision of a race of fixed confidence: the play, its confidence, the other candidates, and how many
/// games without variance reduction would show as much. Without trials, the plays are as their values rank them.
pub(super) fn print_decision(
    decision: &Decision,
    RacedPlays { number, are_named, trials }: RacedPlays,
    play: impl Fn(usize) -> String,
    output: &mut dyn Write,
) -> io::Result<()> {
    let best = play(decision.candidate);
    // A confidence that is rounded up to 100 % would promise more than there is.
    let sure = (decision.sure * 1000.0).floor() / 10.0;
    match decision.verdict {
        _ if trials == 0 => {
            writeln!(output, "{best}, but not for sure: no trials were played")?;
            if !decision.rivals.is_empty() {
                writeln!(output, "  the others, the best first by their values without trials:")?;
            }
        }
        _ if number == 1 && are_named => writeln!(output, "{best} is the only play named")?,
        _ if number == 1 => writeln!(output, "{best} is the only play")?,
        Verdict::Best if are_named => {
            writeln!(output, "{best} is the best of the {number} plays named: {sure:.1} % sure")?
        }
        Verdict::Best => writeln!(output, "{best} is the best play: {sure:.1} % sure")?,
        Verdict::NoneBetter => writeln!(
            output,
            "{best}: none{} is better by more than {} points: {sure:.1} % sure",
            if are_named { " of the plays named" } else { "" },
            decision.within
        )?,
        _ => writeln!(
            output,
            "{best}, but not for sure: another may be better by {} points",
            decimals(decision.at_most_better, 4)
        )?,
    }
    let start = if trials == 0 { "    " } else { "  may be as good: " };
    for chunk in decision.rivals.chunks(4) {
        let rivals: Vec<String> = chunk.iter().map(|&rival| play(rival)).collect();
        writeln!(output, "{start}{}", rivals.join(", "))?;
    }
    if decision.left_out > 0 {
        writeln!(output, "  left out by their value: {}", counted(decision.left_out as u64, "play", "plays"))?;
    }
    if trials == 0 {
        return Ok(());
    }
    if let Some(games) = decision.equivalent_games {
        let games = grouped(games.round() as u64);
        writeln!(output, "  {best} is as certain as from {games} games without variance reduction")?;
    }
    writeln!(output)
}
