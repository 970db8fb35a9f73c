//! The result of a rollout, in the layouts of other programs, as JSON and as CSV.

use std::io::{self, Write};

use serde::Serialize;
use tavli::Outcome;
use tavli::rollout::{
    Allocation, Candidate, CandidateResult, CubeChoice, CubeDecision, EndReason, Rollout, Statistic, Statistics,
    Summary,
};
use tavli_terminal::numbers::{counted, decimals, rate, seconds};

use super::cells::{Cells, UNKNOWN};
use super::decision::{DecisionJson, RacedPlays, add_decision, print_decision};
use super::form::{Columns, Form, PlayedJson, write_json};

use crate::cube;
use crate::layout::{Layout, Text};
use crate::ordered_map::OrderedMap;
use crate::run_header::RunHeader;

/// Writes the result of a rollout, and why its session ended.
pub(crate) fn write(rollout: &Rollout, reason: EndReason, form: Form<'_>, output: &mut dyn Write) -> io::Result<()> {
    let summary = rollout.summary();
    let (layout, header) = match form {
        Form::Line(_) => return write_json(form, &of_candidates(rollout, reason), output),
        Form::Whole(layout, header) => (layout, header),
    };
    match layout {
        Layout::Json => {
            let differences = differences(rollout, summary);
            let document = RolloutJson { header, differences, ..RolloutJson::new(rollout, summary, reason) };
            write_json(form, &document, output)
        }
        Layout::Csv => {
            for (rank, result) in (1..).zip(&summary.standings) {
                let row = row(rank, candidate(rollout, result), result);
                if rank == 1 {
                    writeln!(output, "{}", row.names())?;
                }
                writeln!(output, "{}", row.texts())?;
            }
            Ok(())
        }
        Layout::Text(text) => {
            if let Some(header) = header {
                writeln!(output, "{header}\n")?;
            }
            print(rollout, summary, reason, text, output)
        }
    }
}

/// The cells of a candidate.
fn row(rank: u64, candidate: &Candidate, result: &CandidateResult) -> Cells {
    let mut row = Cells::default();
    row.add("rank", rank);
    row.add("moves", moves(candidate));
    row.add("position_id", candidate.board.position_id());
    row.add("trials", result.trials);
    row.add("dropped", result.is_dropped);
    add_result(&mut row, result);
    if let Some(cubeful) = &result.cubeful {
        row.add_numbers(numbers_of(CUBEFUL, cubeful));
        row.add("cube", candidate.cube_choice().map_or("", CubeChoice::name));
    }
    row
}

fn candidate<'a>(rollout: &'a Rollout, result: &CandidateResult) -> &'a Candidate {
    &rollout.candidates()[result.candidate]
}

/// The moves of a candidate; empty if the position itself is rolled out.
fn moves(candidate: &Candidate) -> String {
    candidate.moves.as_ref().map_or_else(String::new, ToString::to_string)
}

/// The statistics of a candidate, or of a difference, by name: the equity, which is the last, comes first.
fn named(statistics: &Statistics) -> [(&'static str, Statistic); Statistics::COUNT] {
    let mut named = statistics.named();
    named.rotate_right(1);
    named
}

/// The statistics of a candidate by name, and how far it is behind.
fn statistics(result: &CandidateResult) -> [(&'static str, Statistic); Statistics::COUNT + 1] {
    let mut all = [("behind", result.behind); Statistics::COUNT + 1];
    all[..Statistics::COUNT].copy_from_slice(&named(&result.statistics));
    all
}

/// The numbers of a statistic by name: its mean with standard deviation, standard error and 95 % interval, and its value
/// before clamping to its range.
fn numbers_of(name: &str, statistic: &Statistic) -> [(String, f64); 6] {
    [
        (name.to_owned(), statistic.mean),
        (format!("sd_{name}"), statistic.standard_deviation),
        (format!("se_{name}"), statistic.standard_error),
        (format!("low_{name}"), statistic.low),
        (format!("high_{name}"), statistic.high),
        (format!("raw_{name}"), statistic.raw_mean),
    ]
}

/// The numbers of statistics by name, and a difference of equities in joint standard deviations.
fn numbers(
    statistics: impl IntoIterator<Item = (&'static str, Statistic)>,
    jsd: f64,
) -> impl Iterator<Item = (String, f64)> {
    let numbers = statistics.into_iter().flat_map(|(name, statistic)| numbers_of(name, &statistic));
    numbers.chain([("jsd".to_owned(), jsd)])
}

/// [`numbers`], and those of the value with the cube if there is one.
fn all_numbers(
    statistics: impl IntoIterator<Item = (&'static str, Statistic)>,
    jsd: f64,
    cubeful: Option<&Statistic>,
) -> OrderedMap<String, f64> {
    let cubeful = cubeful.into_iter().flat_map(|cubeful| numbers_of(CUBEFUL, cubeful));
    OrderedMap::new(numbers(statistics, jsd).chain(cubeful))
}

/// The name of the value with the cube.
const CUBEFUL: &str = "cubeful";

/// The counts of a candidate by name.
fn counts(result: &CandidateResult) -> impl Iterator<Item = (&'static str, u64)> {
    let outcomes = tavli::Outcome::ALL.iter();
    outcomes
        .map(|&outcome| (outcome.name(), result.outcomes[outcome as usize]))
        .chain([("unfinished", result.unfinished)])
}

/// Adds the counts and the numbers of a candidate.
fn add_result(cells: &mut Cells, result: &CandidateResult) {
    for (name, count) in counts(result) {
        cells.add(format!("games_{name}"), count);
    }
    cells.add_numbers(numbers(statistics(result), result.jsd));
}

/// The result of a rollout in a table: the best play's, or the position's. Before a cube decision it is the result
/// without a double.
fn of_table<'a>(rollout: &Rollout, summary: &'a Summary) -> &'a CandidateResult {
    let mut standings = summary.standings.iter();
    let kept = standings.find(|result| candidate(rollout, result).cube_choice() == Some(CubeChoice::NoDouble));
    kept.unwrap_or_else(|| summary.best())
}

/// The row of a rollout in a table: its position, and its best play. `None` stands for the names of the columns alone.
pub(crate) fn table_row(rollout: Option<&Rollout>, columns: Columns) -> Cells {
    let summary = rollout.map(Rollout::summary);
    let best = rollout.zip(summary).map(|(rollout, summary)| of_table(rollout, summary));
    let has_roll = rollout.is_some_and(|rollout| rollout.roll().is_some());
    let mut row = Cells::default();
    row.add_known("position_id", rollout.map(|rollout| rollout.position().position_id()));
    row.add_known("roll", rollout.and_then(Rollout::roll));
    row.add_known("plays", summary.map(|summary| if has_roll { summary.standings.len() } else { 1 }));
    row.add_known("moves", rollout.zip(best).map(|(rollout, best)| moves(candidate(rollout, best))));
    row.add_known("trials", summary.map(|summary| summary.trials));
    add_result(&mut row, best.unwrap_or(&CandidateResult::default()));
    if columns.cube {
        add_cube(&mut row, rollout, best.and_then(|best| best.cubeful));
    }
    if columns.decision {
        add_decision(&mut row, rollout.and_then(decision_json).as_ref());
    }
    row
}

/// Adds the cells of the cube, which are empty without a cube; with a roll there is no cube decision.
fn add_cube(row: &mut Cells, rollout: Option<&Rollout>, cubeful: Option<Statistic>) {
    let quoted = |text: String| format!("\"{text}\"");
    row.add_known(PLAYED_WITH, rollout.and_then(Rollout::cube).map(|cube| quoted(cube.to_string())));
    row.add_numbers(numbers_of(CUBEFUL, &cubeful.unwrap_or(UNKNOWN)));
    let decision = rollout.and_then(Rollout::cube_decision);
    let decision = decision.as_ref().map(CubeDecisionJson::new);
    row.add_known("no_double", decision.map(|decision| decision.no_double));
    row.add_known("double_take", decision.and_then(|decision| decision.double_take));
    row.add_known("double_pass", decision.map(|decision| decision.double_pass));
    row.add_known("action", decision.map(|decision| quoted(decision.action.to_owned())));
    row.add_known("se_no_double", decision.map(|decision| decision.se_no_double));
    row.add_known("se_double_take", decision.and_then(|decision| decision.se_double_take));
}

/// The JSON of the decision of a race, if it is one.
fn decision_json(rollout: &Rollout) -> Option<DecisionJson> {
    let decision = rollout.decision()?;
    Some(DecisionJson::new(&decision, |index| moves(&rollout.candidates()[index]), rollout.total_games()))
}

/// The column of a table that has the cube and the score, in words.
pub(crate) const PLAYED_WITH: &str = "played_with";

#[derive(Serialize)]
struct RolloutJson<'a> {
    #[serde(flatten)]
    header: Option<&'a RunHeader>,
    position_id: String,
    roll: Option<String>,
    rules: &'static str,
    seed: u64,
    first_roll: String,
    truncated_after: Option<u32>,
    policy: &'a str,
    opponent_policy: &'a str,
    evaluator: Option<&'a str>,
    /// The evaluator of the luck that is subtracted from the games.
    luck: Option<&'a str>,
    /// The cube and the score of the games, in words; absent without a cube.
    #[serde(skip_serializing_if = "Option::is_none")]
    played_with: Option<String>,
    /// The right action with the cube; absent without a cube, and with a roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    cube: Option<CubeDecisionJson>,
    allocation: String,
    shard: Option<String>,
    #[serde(flatten)]
    played: PlayedJson,
    /// The decision of a race of fixed confidence; absent under another allocation.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<DecisionJson>,
    candidates: Vec<CandidateJson>,
    /// The difference of each pair of candidates, by rank; absent if there is one candidate, or if they are not asked
    /// for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<DifferenceJson>,
}

/// The JSON of a cube decision: the values are `None` if the player may not double.
#[derive(Clone, Copy, Serialize)]
struct CubeDecisionJson {
    no_double: f64,
    double_take: Option<f64>,
    double_pass: f64,
    action: &'static str,
    se_no_double: f64,
    se_double_take: Option<f64>,
}

impl CubeDecisionJson {
    fn new(decision: &CubeDecision) -> CubeDecisionJson {
        let CubeDecision { no_double, double_take, values } = decision;
        CubeDecisionJson {
            no_double: no_double.mean,
            double_take: double_take.map(|value| value.mean),
            double_pass: values.double_pass,
            action: values.action.text(),
            se_no_double: no_double.standard_error,
            se_double_take: double_take.map(|value| value.standard_error),
        }
    }
}

#[derive(Serialize)]
struct CandidateJson {
    rank: usize,
    moves: Option<String>,
    /// The action with the cube; absent without a cube, and after a play.
    #[serde(skip_serializing_if = "Option::is_none")]
    cube: Option<&'static str>,
    position_id: String,
    trials: u64,
    dropped: bool,
    outcomes: OrderedMap<&'static str, u64>,
    #[serde(flatten)]
    numbers: OrderedMap<String, f64>,
}

/// The JSON of the difference of two candidates.
#[derive(Serialize)]
struct DifferenceJson {
    rank: usize,
    less_rank: usize,
    trials: u64,
    #[serde(flatten)]
    numbers: OrderedMap<String, f64>,
}

impl<'a> RolloutJson<'a> {
    fn new(rollout: &'a Rollout, summary: &Summary, reason: EndReason) -> RolloutJson<'a> {
        let settings = rollout.settings();
        let standings = summary.standings.iter().enumerate();
        RolloutJson {
            header: None,
            position_id: rollout.position().position_id().to_string(),
            roll: rollout.roll().map(|roll| roll.to_string()),
            rules: settings.rules.name(),
            seed: settings.seed,
            first_roll: settings.first_roll.to_string(),
            truncated_after: settings.truncation.map(std::num::NonZeroU32::get),
            policy: rollout.players().names()[0],
            opponent_policy: rollout.players().names()[1],
            evaluator: rollout.evaluator().map(|evaluator| evaluator.name()),
            luck: rollout.luck().map(|luck| luck.name()),
            played_with: rollout.cube().map(ToString::to_string),
            cube: rollout.cube_decision().as_ref().map(CubeDecisionJson::new),
            allocation: rollout.allocation().to_string(),
            shard: rollout.shard().map(|shard| shard.to_string()),
            played: PlayedJson::new(rollout, reason),
            decision: decision_json(rollout),
            candidates: standings
                .map(|(index, result)| {
                    let candidate = candidate(rollout, result);
                    CandidateJson {
                        rank: index + 1,
                        moves: candidate.moves.as_ref().map(ToString::to_string),
                        cube: candidate.cube_choice().map(CubeChoice::name),
                        position_id: candidate.board.position_id().to_string(),
                        trials: result.trials,
                        dropped: result.is_dropped,
                        outcomes: OrderedMap::new(counts(result)),
                        numbers: all_numbers(statistics(result), result.jsd, result.cubeful.as_ref()),
                    }
                })
                .collect(),
            differences: Vec::new(),
        }
    }
}

/// The differences of each pair of candidates.
fn differences(rollout: &Rollout, summary: &Summary) -> Vec<DifferenceJson> {
    let rank = |candidate| {
        let mut standings = summary.standings.iter();
        let index = standings.position(|result| result.candidate == candidate);
        1 + index.expect("each candidate stands somewhere")
    };
    let differences = rollout.differences().map(|difference| DifferenceJson {
        rank: rank(difference.candidate),
        less_rank: rank(difference.other),
        trials: difference.trials,
        numbers: all_numbers(named(&difference.statistics), difference.jsd, difference.cubeful.as_ref()),
    });
    differences.collect()
}

/// The JSON of a rollout without the machine and without the differences of pairs: 300 plays have 45,000.
pub(crate) fn of_candidates(rollout: &Rollout, reason: EndReason) -> impl Serialize + '_ {
    RolloutJson::new(rollout, rollout.summary(), reason)
}

fn print(
    rollout: &Rollout,
    summary: &Summary,
    reason: EndReason,
    text: Text,
    output: &mut dyn Write,
) -> io::Result<()> {
    let settings = rollout.settings();
    write!(output, "{} from {}", settings.rules, rollout.position().position_id())?;
    if let Some(roll) = rollout.roll() {
        let plays = counted(summary.standings.len() as u64, "play", "plays");
        write!(output, ", {plays} of {roll}")?;
    }
    if let Some(cube) = rollout.cube() {
        write!(output, "\n{cube}")?;
    }
    write!(output, "\nfirst roll {}, seed {}", settings.first_roll, settings.seed)?;
    let players = Some(rollout.players()).filter(|players| !players.are_uniform());
    let allocation = Some(rollout.allocation()).filter(|&allocation| allocation != Allocation::Even);
    let details = [
        ("cut off after ", settings.truncation.map(|plies| counted(plies.get(), "ply", "plies"))),
        ("valued by ", rollout.evaluator().map(|evaluator| evaluator.name().to_owned())),
        ("ended by ", rollout.known_values().map(|known_values| known_values.name().to_owned())),
        ("luck-adjusted by ", rollout.luck().map(|luck| luck.name().to_owned())),
        ("played by ", players.map(ToString::to_string)),
        ("", allocation.map(|allocation| allocation.to_string())),
        ("shard ", rollout.shard().map(|shard| shard.to_string())),
    ];
    for (words, detail) in details {
        if let Some(detail) = detail {
            write!(output, ", {words}{detail}")?;
        }
    }
    writeln!(output, "\n")?;
    match reason {
        EndReason::Cancelled => writeln!(output, "interrupted; the trials before it\n")?,
        EndReason::Time if summary.trials == 0 => writeln!(output, "the time was up before a trial had ended\n")?,
        EndReason::StandardError => writeln!(output, "the standard error is as small as asked\n")?,
        EndReason::Jsd => writeln!(output, "the best play is as far ahead as asked\n")?,
        _ => {}
    }
    let decision = rollout.decision();
    if let Some(decision) = &decision {
        let play = |candidate: usize| moves(&rollout.candidates()[candidate]);
        let (number, are_named) = (summary.standings.len(), rollout.has_named_plays());
        print_decision(decision, RacedPlays { number, are_named, trials: summary.trials }, play, output)?;
    }
    if summary.trials == 0 {
        return if decision.is_none() { writeln!(output, "no trials were played") } else { Ok(()) };
    }
    if text != Text::Xg {
        print_gnubg(rollout, summary, output)?;
        writeln!(output)?;
    }
    if text != Text::Gnubg {
        print_xg(rollout, summary, output)?;
        writeln!(output)?;
    }
    if let Some(decision) = rollout.cube_decision() {
        cube::print(&decision.values, text, output)?;
        writeln!(output)?;
    }
    let time = summary.elapsed.as_secs_f64();
    writeln!(
        output,
        "{} rolled. Dice seed: {}. Duration: {}, {} games/s",
        counted(summary.games(), "game", "games"),
        settings.seed,
        seconds(time),
        rate(summary.games() as f64 / time)
    )
}

/// The width of the longest play, and a name for each candidate.
fn names(rollout: &Rollout, summary: &Summary) -> Vec<String> {
    let names = (1..).zip(&summary.standings).map(|(rank, result)| match &candidate(rollout, result).moves {
        Some(moves) => format!("{rank:>3}. {moves}"),
        None => match candidate(rollout, result).cube_choice() {
            None => "     rollout".to_owned(),
            Some(CubeChoice::NoDouble) => "     No double".to_owned(),
            Some(CubeChoice::DoubleTake) => "     Double, take".to_owned(),
        },
    });
    let names: Vec<String> = names.collect();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    names.iter().map(|name| format!("{name:<width$}")).collect()
}

/// The rows of GNU Backgammon: shares of the games won, won by gammon or better, won by backgammon, and lost in the
/// same ways, and the equity without cube; below, their standard errors.
fn print_gnubg(rollout: &Rollout, summary: &Summary, output: &mut dyn Write) -> io::Result<()> {
    for (name, result) in names(rollout, summary).iter().zip(&summary.standings) {
        write!(output, "{name}  Eq.: {:+.4}", result.value().mean)?;
        if result.candidate != summary.best().candidate {
            let (behind, error) = (-result.behind.mean, result.behind.standard_error);
            write!(output, "  ({behind:+.4} [{}]  JSD {})", decimals(error, 4), decimals(result.jsd, 2))?;
        }
        write_dropped(result, output)?;
        writeln!(output)?;
        let [_, w, wg, wb, l, lg, lb, _] = statistics(result).map(|(_, statistic)| statistic);
        for (open, close, number) in
            [(' ', "", (|s: &Statistic| s.mean) as fn(&Statistic) -> f64), ('[', "]", |s| s.standard_error)]
        {
            let [w, wg, wb, l, lg, lb] = [&w, &wg, &wb, &l, &lg, &lb].map(|share| decimals(number(share), 4));
            let equity = |statistic: &Statistic| match close {
                "" => format!("{:+.4}", number(statistic)),
                _ => format!("{:>7}", decimals(number(statistic), 4)),
            };
            let cubeless = equity(&result.equity);
            let cubeful = result.cubeful.as_ref();
            let cubeful = cubeful.map_or_else(String::new, |cubeful| format!("  CF {}", equity(cubeful)));
            writeln!(
                output,
                "    {open}{w:>6} {wg:>6} {wb:>6} - {l:>6} {lg:>6} {lb:>6}  CL {cubeless}{cubeful}{close}"
            )?;
        }
        if let Some((share, games)) = cut_off(rollout, result) {
            writeln!(output, "     {share:.4} cut off: {games}, neither won nor lost")?;
        }
        write_moved(result, output)?;
    }
    let trials = counted(summary.trials, "trial", "trials");
    let dropped = summary.standings.iter().filter(|result| result.is_dropped);
    let each = match dropped.count() {
        0 => "each".to_owned(),
        number => format!("each, fewer of {}", counted(number as u64, "dropped play", "dropped plays")),
    };
    writeln!(output, "     {trials} {each}, standard errors in brackets")
}

/// The share and the number of a candidate's games that were cut off and have no value, which the shares of games won
/// and lost lack; `None` if there are none.
fn cut_off(rollout: &Rollout, result: &CandidateResult) -> Option<(f64, String)> {
    let games = rollout.games_without_value(result);
    let share = games as f64 / result.trials as f64;
    (games > 0).then(|| (share, counted(games, "game", "games")))
}

/// Says that the equity does not follow from the shares, if variance reduction had left shares outside the range that
/// the rules allow, so that they were moved.
fn write_moved(result: &CandidateResult, output: &mut dyn Write) -> io::Result<()> {
    let shares = Outcome::ALL.iter().zip(result.probabilities);
    let of_shares: f64 = shares.map(|(outcome, share)| f64::from(outcome.points()) * share).sum();
    // Half of the last digit that is printed.
    if (of_shares - result.equity.mean).abs() >= 5e-5 {
        let without_cube = if result.cubeful.is_some() { " without the cube" } else { "" };
        writeln!(
            output,
            "     Shares outside the possible range were clamped; they imply an equity{without_cube} of {of_shares:+.4}. \
             The equity{without_cube} above is the unbiased mean"
        )?;
    }
    Ok(())
}

/// Continues the line of a candidate that was dropped.
fn write_dropped(result: &CandidateResult, output: &mut dyn Write) -> io::Result<()> {
    if result.is_dropped {
        let trials = counted(result.trials, "trial", "trials");
        write!(output, "  dropped after {trials}")?;
    }
    Ok(())
}

/// The lines of eXtreme Gammon: shares in percent, and the 95 % interval of the equity.
fn print_xg(rollout: &Rollout, summary: &Summary, output: &mut dyn Write) -> io::Result<()> {
    for (name, result) in names(rollout, summary).iter().zip(&summary.standings) {
        write!(output, "{name}  eq: {:+.4}", result.value().mean)?;
        if result.candidate != summary.best().candidate {
            write!(output, " ({:+.4})", -result.behind.mean)?;
        }
        write_dropped(result, output)?;
        writeln!(output)?;
        for (player, all, gammon, backgammon) in [
            ("Player:  ", result.win, result.win_gammon, result.win_backgammon),
            ("Opponent:", result.lose, result.lose_gammon, result.lose_backgammon),
        ] {
            let [all, gammon, backgammon] = [all, gammon, backgammon].map(|share| 100.0 * share.mean);
            writeln!(output, "     {player} {all:5.2}% (G:{gammon:.2}% B:{backgammon:.2}%)")?;
        }
        if let Some((share, games)) = cut_off(rollout, result) {
            let share = 100.0 * share;
            writeln!(output, "     Cut off:  {share:5.2}% ({games}, neither won nor lost)")?;
        }
        write_moved(result, output)?;
        let Statistic { low, high, .. } = *result.value();
        let half = (high - low) / 2.0;
        writeln!(output, "     Conf.: ±{half:.4} ({low:+.4}...{high:+.4})")?;
    }
    Ok(())
}
