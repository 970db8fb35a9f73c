//! The result of a rollout, in the layouts of other programs, as JSON and as CSV.

use std::io::{self, Write};

use serde::Serialize;
use tavli::Outcome;
use tavli::rollout::{
    Allocation, Candidate, CandidateResult, CubeChoice, CubeDecision, Decision, EndReason, Rollout, Statistic,
    Statistics, Summary, Verdict,
};
use tavli_terminal::numbers::{counted, decimals, grouped, rate, seconds};
use tavli_terminal::output;

use crate::cube;
use crate::layout::{Layout, Text};
use crate::ordered_map::OrderedMap;
use crate::run_description::RunDescription;

/// Writes the result of a rollout, and why its session on the machine of `header` ended.
pub(crate) fn write(
    rollout: &Rollout,
    reason: EndReason,
    header: Option<&RunDescription>,
    layout: Layout,
    output: &mut dyn Write,
) -> io::Result<()> {
    let summary = rollout.summary();
    match layout {
        Layout::Json => {
            let document = RolloutJson {
                differences: differences(rollout, summary),
                ..RolloutJson::new(rollout, summary, reason, header)
            };
            output::json(output, &document)
        }
        Layout::Csv => {
            write!(output, "rank,moves,position_id,trials,dropped")?;
            write_names(output)?;
            if rollout.cube().is_some() {
                for (name, _) in cubeful_numbers(&Statistic::default()) {
                    write!(output, ",{name}")?;
                }
                write!(output, ",cube")?;
            }
            writeln!(output)?;
            for (rank, result) in (1..).zip(&summary.standings) {
                let candidate = candidate(rollout, result);
                write!(
                    output,
                    "{rank},{},{},{},{}",
                    moves(candidate),
                    candidate.board.position_id(),
                    result.trials,
                    result.is_dropped
                )?;
                write_values(result, output)?;
                if let Some(cubeful) = &result.cubeful {
                    for (_, number) in cubeful_numbers(cubeful) {
                        write!(output, ",{}", cell(number))?;
                    }
                    write!(output, ",{}", candidate.cube_choice().map_or("", CubeChoice::name))?;
                }
                writeln!(output)?;
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

fn candidate<'a>(rollout: &'a Rollout, result: &CandidateResult) -> &'a Candidate {
    &rollout.candidates()[result.candidate]
}

/// The moves of a candidate; empty if the position itself is rolled out.
pub(crate) fn moves(candidate: &Candidate) -> String {
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

/// The numbers of statistics by name: each mean with its standard deviation, standard error and 95 % interval, and its
/// value before clamping to its range; and a difference of equities in joint standard deviations.
fn numbers(
    statistics: impl IntoIterator<Item = (&'static str, Statistic)>,
    jsd: f64,
) -> impl Iterator<Item = (String, f64)> {
    let numbers = statistics.into_iter().flat_map(|(name, statistic)| {
        [
            (name.to_owned(), statistic.mean),
            (format!("sd_{name}"), statistic.standard_deviation),
            (format!("se_{name}"), statistic.standard_error),
            (format!("low_{name}"), statistic.low),
            (format!("high_{name}"), statistic.high),
            (format!("raw_{name}"), statistic.raw_mean),
        ]
    });
    numbers.chain([("jsd".to_owned(), jsd)])
}

/// The numbers of the value with the cube by name.
fn cubeful_numbers(cubeful: &Statistic) -> [(&'static str, f64); 6] {
    [
        ("cubeful", cubeful.mean),
        ("sd_cubeful", cubeful.standard_deviation),
        ("se_cubeful", cubeful.standard_error),
        ("low_cubeful", cubeful.low),
        ("high_cubeful", cubeful.high),
        ("raw_cubeful", cubeful.raw_mean),
    ]
}

/// [`cubeful_numbers`], if there is a cube.
fn cubeful_of(cubeful: Option<Statistic>) -> OrderedMap<&'static str, f64> {
    OrderedMap::new(cubeful.as_ref().map(cubeful_numbers).into_iter().flatten())
}

/// The counts of a candidate by name.
fn counts(result: &CandidateResult) -> impl Iterator<Item = (&'static str, u64)> {
    let outcomes = tavli::Outcome::ALL.iter();
    outcomes
        .map(|&outcome| (outcome.name(), result.outcomes[outcome as usize]))
        .chain([("unfinished", result.unfinished)])
}

/// Continues a line of the names of CSV columns.
pub(crate) fn write_names(output: &mut dyn Write) -> io::Result<()> {
    let nothing = CandidateResult::default();
    for (name, _) in counts(&nothing) {
        write!(output, ",games_{name}")?;
    }
    for (name, _) in numbers(statistics(&nothing), nothing.jsd) {
        write!(output, ",{name}")?;
    }
    Ok(())
}

/// A number in a cell of CSV, which is empty if there is none yet.
pub(super) fn cell(number: f64) -> String {
    if number.is_nan() { String::new() } else { number.to_string() }
}

/// Continues a line of CSV with the values of those columns.
pub(crate) fn write_values(result: &CandidateResult, output: &mut dyn Write) -> io::Result<()> {
    for (_, count) in counts(result) {
        write!(output, ",{count}")?;
    }
    for (_, number) in numbers(statistics(result), result.jsd) {
        write!(output, ",{}", cell(number))?;
    }
    Ok(())
}

/// The result of a rollout in a table: the best play's, or the position's. Before a cube decision it is the result
/// without a double.
pub(crate) fn of_table<'a>(rollout: &Rollout, summary: &'a Summary) -> &'a CandidateResult {
    let mut standings = summary.standings.iter();
    let kept = standings.find(|result| candidate(rollout, result).cube_choice() == Some(CubeChoice::NoDouble));
    kept.unwrap_or_else(|| summary.best())
}

/// The columns of the cube in a table, and what a rollout has there: nothing without a cube, and no decision with a
/// roll. `None` stands for the names alone.
pub(crate) fn cube_columns(rollout: Option<&Rollout>) -> Vec<(&'static str, String)> {
    let result = rollout.map(|rollout| of_table(rollout, rollout.summary()));
    let cubeful = result.and_then(|result| result.cubeful);
    let decision = rollout.and_then(Rollout::cube_decision);
    let decision = decision.as_ref().map(CubeDecisionJson::new);
    let number = |of: fn(&CubeDecisionJson) -> Option<f64>| {
        let number = decision.as_ref().and_then(of);
        number.map_or_else(String::new, |number| number.to_string())
    };
    let quoted = |text: &str| format!("\"{text}\"");
    let cube = rollout.and_then(Rollout::cube);
    let mut columns = vec![(PLAYED_WITH, cube.map_or_else(String::new, |cube| quoted(&cube.to_string())))];
    let of_cubeful = cubeful_numbers(&cubeful.unwrap_or_default());
    columns.extend(of_cubeful.map(|(name, number)| {
        let text = cubeful.map_or_else(String::new, |_| cell(number));
        (name, text)
    }));
    columns.extend([
        ("no_double", number(|decision| Some(decision.no_double))),
        ("double_take", number(|decision| decision.double_take)),
        ("double_pass", number(|decision| Some(decision.double_pass))),
        ("action", decision.as_ref().map_or_else(String::new, |decision| quoted(decision.action))),
        ("se_no_double", number(|decision| Some(decision.se_no_double))),
        ("se_double_take", number(|decision| decision.se_double_take)),
    ]);
    columns
}

/// The columns of a decision in a table, and their cells, which are empty if nothing was decided.
pub(super) fn decision_columns(decision: Option<&DecisionJson>) -> Vec<(&'static str, String)> {
    let cell = |of: fn(&DecisionJson) -> String| decision.map_or_else(String::new, of);
    let number = |of: fn(&DecisionJson) -> Option<f64>| {
        let number = decision.and_then(of);
        number.map_or_else(String::new, |number| number.to_string())
    };
    vec![
        ("verdict", cell(|decision| decision.verdict.to_owned())),
        ("sure", number(|decision| Some(decision.sure))),
        ("within", number(|decision| Some(decision.within))),
        ("at_most_better", number(|decision| decision.at_most_better)),
        ("equal_plays", cell(|decision| decision.equal_plays.join("; "))),
        ("left_out", cell(|decision| decision.left_out.to_string())),
        ("games", cell(|decision| decision.games.to_string())),
        ("equivalent_games", number(|decision| decision.equivalent_games)),
    ]
}

/// The column of a table that has the cube and the score, in words.
pub(crate) const PLAYED_WITH: &str = "played_with";

#[derive(Serialize)]
struct RolloutJson<'a> {
    #[serde(flatten)]
    header: Option<&'a RunDescription>,
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
    first_trial: u64,
    trials: u64,
    /// Why its session ended; after a merge, that all trials are played.
    ended_by: &'static str,
    complete: bool,
    /// Time of playing, over all sessions and shards.
    seconds: f64,
    games_per_second: f64,
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
#[derive(Serialize)]
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
pub(super) struct DecisionJson {
    play: Option<String>,
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
    pub(super) fn from_rollout(rollout: &Rollout, decision: &Decision) -> DecisionJson {
        let candidates = rollout.candidates();
        let mut json = DecisionJson::new(decision, |candidate| moves(&candidates[candidate]), rollout.total_games());
        json.play = candidates[decision.candidate].moves.as_ref().map(ToString::to_string);
        json
    }

    /// A decision between the candidates that `play` names, after `games` games.
    pub(super) fn new(decision: &Decision, play: impl Fn(usize) -> String, games: u64) -> DecisionJson {
        DecisionJson {
            play: Some(play(decision.candidate)),
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
    #[serde(flatten)]
    cubeful: OrderedMap<&'static str, f64>,
}

/// The JSON of the difference of two candidates.
#[derive(Serialize)]
struct DifferenceJson {
    rank: usize,
    less_rank: usize,
    trials: u64,
    #[serde(flatten)]
    numbers: OrderedMap<String, f64>,
    #[serde(flatten)]
    cubeful: OrderedMap<&'static str, f64>,
}

impl<'a> RolloutJson<'a> {
    fn new(
        rollout: &'a Rollout,
        summary: &Summary,
        reason: EndReason,
        header: Option<&'a RunDescription>,
    ) -> RolloutJson<'a> {
        let settings = rollout.settings();
        let seconds = summary.elapsed.as_secs_f64();
        let standings = summary.standings.iter().enumerate();
        RolloutJson {
            header,
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
            first_trial: rollout.trials().start,
            trials: summary.trials,
            ended_by: reason.name(),
            complete: rollout.is_complete(),
            seconds,
            games_per_second: summary.games() as f64 / seconds,
            decision: rollout.decision().map(|decision| DecisionJson::from_rollout(rollout, &decision)),
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
                        numbers: OrderedMap::new(numbers(statistics(result), result.jsd)),
                        cubeful: cubeful_of(result.cubeful),
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
        numbers: OrderedMap::new(numbers(named(&difference.statistics), difference.jsd)),
        cubeful: cubeful_of(difference.cubeful),
    });
    differences.collect()
}

/// The JSON of a rollout of a line of the input.
#[derive(Serialize)]
pub(super) struct LineJson<Rest> {
    pub(super) line: u64,
    #[serde(flatten)]
    pub(super) rest: Rest,
}

/// [`of_candidates`] with the number of its line.
pub(crate) fn of_line(line: u64, rollout: &Rollout, reason: EndReason) -> impl Serialize + '_ {
    LineJson { line, rest: of_candidates(rollout, reason) }
}

/// The JSON of a rollout without the machine and without the differences of pairs: 300 plays have 45,000.
pub(crate) fn of_candidates(rollout: &Rollout, reason: EndReason) -> impl Serialize + '_ {
    RolloutJson::new(rollout, rollout.summary(), reason, None)
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
    if let Some(plies) = settings.truncation {
        let plies = counted(plies.get(), "ply", "plies");
        write!(output, ", cut off after {plies}")?;
    }
    if let Some(evaluator) = rollout.evaluator() {
        write!(output, ", valued by {}", evaluator.name())?;
    }
    if let Some(ends) = rollout.known_values() {
        write!(output, ", ended by {}", ends.name())?;
    }
    if let Some(luck) = rollout.luck() {
        write!(output, ", luck-adjusted by {}", luck.name())?;
    }
    if !rollout.players().are_uniform() {
        write!(output, ", played by {}", rollout.players())?;
    }
    if rollout.allocation() != Allocation::Even {
        write!(output, ", {}", rollout.allocation())?;
    }
    if let Some(shard) = rollout.shard() {
        write!(output, ", shard {shard}")?;
    }
    writeln!(output, "\n")?;
    match reason {
        EndReason::Cancelled => writeln!(output, "interrupted; the trials before it\n")?,
        EndReason::Time if summary.trials == 0 => writeln!(output, "the time was up before a trial had ended\n")?,
        EndReason::StandardError => writeln!(output, "the standard error is as small as asked\n")?,
        EndReason::Jsd => writeln!(output, "the best play is as far ahead as asked\n")?,
        _ => {}
    }
    let play = |candidate: usize| moves(&rollout.candidates()[candidate]);
    if summary.trials == 0 {
        return match rollout.decision() {
            Some(decision) => print_values_alone(&decision, play, output),
            None => writeln!(output, "no trials were played"),
        };
    }
    if let Some(decision) = rollout.decision() {
        let raced = RacedPlays { number: summary.standings.len(), are_named: rollout.has_named_plays() };
        print_decision(&decision, raced, play, output)?;
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

/// Prints a decision that has no trials: the plays as their values rank them.
pub(super) fn print_values_alone(
    decision: &Decision,
    play: impl Fn(usize) -> String,
    output: &mut dyn Write,
) -> io::Result<()> {
    let best = play(decision.candidate);
    writeln!(output, "{best}, but not for sure: no trials were played")?;
    if !decision.rivals.is_empty() {
        writeln!(output, "  the others, the best first by their values without trials:")?;
    }
    for chunk in decision.rivals.chunks(4) {
        let others: Vec<String> = chunk.iter().map(|&other| play(other)).collect();
        writeln!(output, "    {}", others.join(", "))?;
    }
    print_left_out(decision, output)
}

/// Prints how many plays a filter left out.
fn print_left_out(decision: &Decision, output: &mut dyn Write) -> io::Result<()> {
    match decision.left_out {
        0 => Ok(()),
        left_out => {
            let plays = counted(left_out as u64, "play", "plays");
            writeln!(output, "  left out by their value: {plays}")
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct RacedPlays {
    pub(super) number: usize,
    /// Whether the user named them.
    pub(super) are_named: bool,
}

/// Prints the decision of a race of fixed confidence: the play, its confidence, the other candidates, and how many
/// games without variance reduction would show as much.
pub(super) fn print_decision(
    decision: &Decision,
    RacedPlays { number, are_named }: RacedPlays,
    play: impl Fn(usize) -> String,
    output: &mut dyn Write,
) -> io::Result<()> {
    let best = play(decision.candidate);
    // A confidence that is rounded up to 100 % would promise more than there is.
    let sure = (decision.sure * 1000.0).floor() / 10.0;
    match decision.verdict {
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
    for chunk in decision.rivals.chunks(4) {
        let rivals: Vec<String> = chunk.iter().map(|&rival| play(rival)).collect();
        writeln!(output, "  may be as good: {}", rivals.join(", "))?;
    }
    print_left_out(decision, output)?;
    if let Some(games) = decision.equivalent_games {
        let games = grouped(games.round() as u64);
        writeln!(output, "  {best} is as certain as from {games} games without variance reduction")?;
    }
    writeln!(output)
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
