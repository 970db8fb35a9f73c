//! `tavli analyze`: the loss of each decision of a match.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use maud::{DOCTYPE, PreEscaped, html};
use serde::Serialize;
use tavli::Roll;
use tavli::engine::Engine;
use tavli::text::Quoted;
use tavli::transcript::{Analysed, Analysis, DecisionKind, Match, Sums, ValuedBy};
use tavli_engines::match_file;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::{self, NO_RESULT};
use tavli_terminal::line_reader::is_same;
use tavli_terminal::numbers::counted;
use tavli_terminal::output::{self, Printable};
use tavli_terminal::progress::Bar;

use crate::arguments::Overwrite;
use crate::engines::PlayerOptions;

/// The worst mistakes that are printed.
const MISTAKES_PRINTED: usize = 10;
/// Analyze matches: what each play and each cube decision lost
///
/// Reads matches in the text form of Jellyfish (.mat) and values every decision by a player. Prints what both players
/// lost, their performance ratings and their luck, and the worst mistakes.
///
/// tavli analyze match.mat --html match.html
///
/// A loss is in equity: in money games in units of the cube, in matches converted to those of a money game. The rating
/// is 500 times the mean loss of a decision, as in eXtreme Gammon. A play counts as a decision if there are several
/// plays, and a cube decision if it is close or a mistake.
///
/// The luck of a roll is the value of its best play minus the mean over all rolls, without look-ahead. Ctrl-C ends an
/// analysis with the decisions so far.
#[derive(Args, Debug)]
pub(crate) struct AnalyzeArguments {
    /// Files of matches; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write a page with the boards of all mistakes, the worst first
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    player: PlayerOptions,
    /// How decisions are valued: by the player, looking 0 to 3 plies ahead, or by decide, which rolls plays out
    ///
    /// decide: plays are valued by rollouts, as tavli rollout decides, and cube decisions one ply ahead.
    #[arg(
        long,
        alias = "level",
        value_name = "N|decide",
        default_value = "0",
        allow_negative_numbers = true,
        hide_possible_values = true
    )]
    look_ahead: ValuedAs,
    /// Write JSON instead of text: a line for each file, if there are several
    #[arg(long)]
    json: bool,
}

/// How decisions are valued.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ValuedAs {
    #[value(name = "0", alias = "0ply")]
    Plies0,
    #[value(name = "1", alias = "1ply")]
    Plies1,
    #[value(name = "2", alias = "2ply")]
    Plies2,
    #[value(name = "3", alias = "3ply")]
    Plies3,
    #[value(name = "decide")]
    Decide,
}

impl ValuedAs {
    /// The plies that the player looks ahead, and how plays are valued.
    fn method(self) -> (u32, ValuedBy) {
        match self {
            ValuedAs::Plies0 => (0, ValuedBy::Player),
            ValuedAs::Plies1 => (1, ValuedBy::Player),
            ValuedAs::Plies2 => (2, ValuedBy::Player),
            ValuedAs::Plies3 => (3, ValuedBy::Player),
            ValuedAs::Decide => (1, ValuedBy::Rollouts),
        }
    }
}

#[derive(Serialize)]
struct AnalysisJson<'a> {
    file: String,
    /// The points that win the match; null in a money session.
    length: Option<u16>,
    player: &'a str,
    plies: u32,
    /// Whether plays were valued by rollouts.
    rollouts: bool,
    players: [PlayerJson; 2],
    games: Vec<GameJson>,
    interrupted: bool,
}

/// The JSON of a player's decisions.
#[derive(Serialize)]
struct PlayerJson {
    name: String,
    #[serde(flatten)]
    all: SumsJson,
    plays: SumsJson,
    doubles: SumsJson,
    takes: SumsJson,
}

#[derive(Serialize)]
struct SumsJson {
    decisions: u64,
    mistakes: u64,
    loss: f64,
    error_rate: f64,
    /// The performance rating of eXtreme Gammon.
    rating: f64,
    luck: f64,
}

#[derive(Serialize)]
struct GameJson {
    score: [u16; 2],
    crawford: bool,
    /// Who won, 0 or 1, and the points; null if the file ends before.
    winner: Option<usize>,
    points: Option<u16>,
    decisions: Vec<AnalysedDecisionJson>,
}

#[derive(Serialize)]
struct AnalysedDecisionJson {
    line: usize,
    player: usize,
    kind: &'static str,
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    done: String,
    best: String,
    equity: f64,
    loss: f64,
    counts: bool,
    luck: f64,
}

impl From<Sums> for SumsJson {
    fn from(sums: Sums) -> SumsJson {
        SumsJson {
            decisions: sums.decisions,
            mistakes: sums.mistakes,
            loss: sums.loss,
            error_rate: sums.error_rate(),
            rating: sums.rating(),
            luck: sums.luck,
        }
    }
}

fn word(kind: DecisionKind) -> &'static str {
    match kind {
        DecisionKind::Play => "play",
        DecisionKind::Double => "double",
        DecisionKind::Take => "take",
    }
}

/// A match and its analysis.
struct AnalysedMatch<'a> {
    path: &'a Path,
    played: &'a Match,
    analysis: &'a Analysis,
    engine: &'a Engine,
    by: ValuedBy,
}

pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    let mut matches = Vec::new();
    for (index, path) in arguments.files.iter().enumerate() {
        if arguments.files[..index].iter().any(|other| is_same(path, other)) {
            return Err(Failure::usage(format_args!("{} is named twice: name each match once", path.display())));
        }
        let played = match_file::read_or_input(path, &cancel)?.ok_or_else(|| Failure::run(NO_RESULT))?;
        matches.push((path, played));
    }
    if let Some(page) = &arguments.html
        && arguments.files.iter().any(|input| is_same(page, input))
    {
        return Err(Failure::usage(format_args!(
            "the page would replace a match, {}; name another file with --html",
            page.display()
        )));
    }
    let target = arguments.overwrite.open_named(arguments.html.as_deref())?;
    let (plies, by) = arguments.look_ahead.method();
    let engine = arguments.player.settings(plies).start(&cancel)?;
    let mut output = output::stdout();
    let mut analyses = Vec::new();
    for (index, (path, played)) in matches.iter().enumerate() {
        let bar = Bar::new();
        let start = std::time::Instant::now();
        let analysis = Analysis::new(played, &engine, by, |done, all| {
            bar.show_positions(done as u64, all as u64, start.elapsed());
        });
        drop(bar);
        let analysis = analysis.map_err(|error| Failure::run(format_args!("{}: {error}", path.display())))?;
        if analysis.cancelled && index == 0 && analysis.decisions.is_empty() {
            return Err(Failure::run(NO_RESULT));
        }
        let report = AnalysedMatch { path, played, analysis: &analysis, engine: &engine, by };
        match (arguments.json, matches.len()) {
            (true, 1) => output::json(&mut output, &report.document())?,
            (true, _) => output::json_line(&mut output, &report.document())?,
            (false, _) => {
                if index > 0 {
                    writeln!(output)?;
                }
                report.print(&mut output)?;
            }
        }
        output.flush()?;
        let (is_cancelled, decisions) = (analysis.cancelled, analysis.decisions.len() as u64);
        if target.is_some() {
            analyses.push(analysis);
        }
        if is_cancelled {
            let decisions = counted(decisions, "decision", "decisions");
            output::write_message(format_args!("interrupted after {decisions}"));
            break;
        }
    }
    if let Some(target) = target {
        let reports = matches.iter().zip(&analyses).map(|((path, played), analysis)| AnalysedMatch {
            path,
            played,
            analysis,
            engine: &engine,
            by,
        });
        target.replace_with(|page| write_page(reports, &mut Printable::new(page))).map_err(Failure::unwritten)?;
    }
    Ok(())
}

impl AnalysedMatch<'_> {
    fn sums(&self, player: usize, kind: Option<DecisionKind>) -> Sums {
        self.analysis.sums(player, kind, None)
    }

    fn document(&self) -> AnalysisJson<'_> {
        let player = |index: usize| PlayerJson {
            name: self.played.players[index].clone(),
            all: self.sums(index, None).into(),
            plays: self.sums(index, Some(DecisionKind::Play)).into(),
            doubles: self.sums(index, Some(DecisionKind::Double)).into(),
            takes: self.sums(index, Some(DecisionKind::Take)).into(),
        };
        let games = self.played.games.iter().enumerate().map(|(number, game)| GameJson {
            score: game.score,
            crawford: game.crawford,
            winner: game.winner.map(|(winner, _)| winner),
            points: game.winner.map(|(_, points)| points),
            decisions: self
                .analysis
                .decisions
                .iter()
                .filter(|decision| decision.game == number)
                .map(|decision| AnalysedDecisionJson {
                    line: game.steps[decision.step].line,
                    player: decision.player,
                    kind: word(decision.kind),
                    position: decision.position.xgid(),
                    roll: decision.roll.map(|roll| roll.to_string()),
                    done: decision.done.clone(),
                    best: decision.best.clone(),
                    equity: decision.equity,
                    loss: decision.loss,
                    counts: decision.counts,
                    luck: decision.luck,
                })
                .collect(),
        });
        AnalysisJson {
            file: self.path.display().to_string(),
            length: self.played.length,
            player: self.engine.player(),
            plies: self.engine.plies(),
            rollouts: self.by == ValuedBy::Rollouts,
            players: [player(0), player(1)],
            games: games.collect(),
            interrupted: self.analysis.cancelled,
        }
    }

    fn mistakes(&self) -> Vec<&Analysed> {
        let decisions = self.analysis.decisions.iter();
        let mut mistakes: Vec<&Analysed> = decisions.filter(|one| one.is_mistake()).collect();
        mistakes.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        mistakes
    }

    fn title(&self) -> String {
        let [a, b] = self.played.players.each_ref().map(|name| Quoted::new(name).within(40).to_string());
        let stakes = match self.played.length {
            Some(length) => format!("match to {length}"),
            None => "money session".to_owned(),
        };
        let games = counted(self.played.games.len() as u64, "game", "games");
        format!("{a} against {b}, {stakes}, {games}")
    }

    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let (player, plies) = (self.engine.player(), self.engine.plies());
        writeln!(output, "{}: {}", self.path.display(), self.title())?;
        let plays = match self.by {
            ValuedBy::Player => "",
            ValuedBy::Rollouts => ", and plays by rollouts",
        };
        writeln!(output, "valued by {player}, {} ahead{plays}\n", counted(plies, "ply", "plies"))?;
        writeln!(
            output,
            "  {:<24}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}",
            "", "decisions", "mistakes", "loss", "a turn", "rating", "luck"
        )?;
        for (index, name) in self.played.players.iter().enumerate() {
            let name = Quoted::new(name).within(22).to_string();
            let kinds = [
                (name.as_str(), None),
                ("  plays", Some(DecisionKind::Play)),
                ("  doubles", Some(DecisionKind::Double)),
                ("  takes", Some(DecisionKind::Take)),
            ];
            for (name, kind) in kinds {
                let sums = self.sums(index, kind);
                write!(
                    output,
                    "  {name:<24}{:>10}{:>10}{:>10.3}{:>10.4}{:>10.2}",
                    sums.decisions,
                    sums.mistakes,
                    sums.loss,
                    sums.error_rate(),
                    sums.rating()
                )?;
                match kind {
                    None => writeln!(output, "{:>+10.3}", sums.luck)?,
                    Some(_) => writeln!(output)?,
                }
            }
        }
        let mistakes = self.mistakes();
        if mistakes.is_empty() {
            return Ok(());
        }
        writeln!(output, "\n  worst of {}:", counted(mistakes.len() as u64, "mistake", "mistakes"))?;
        for decision in mistakes.into_iter().take(MISTAKES_PRINTED) {
            let name = Quoted::new(&self.played.players[decision.player]).within(22).to_string();
            let line = self.played.games[decision.game].steps[decision.step].line;
            let roll = decision.roll.as_ref().map_or_else(String::new, |roll: &Roll| format!("{roll}: "));
            writeln!(
                output,
                "  {:>7.3}  line {line:<5} {name}: {roll}{}, better {}",
                -decision.loss, decision.done, decision.best
            )?;
            writeln!(output, "           {}", decision.position.xgid())?;
        }
        Ok(())
    }

    /// Writes the match's part of the page, board by board: the boards take many times the memory of the match.
    fn write_html(&self, output: &mut dyn Write) -> io::Result<()> {
        let head = html! {
            h2 { (self.title()) }
            table {
                tr { th { "player" } th { "decisions" } th { "mistakes" } th { "loss" } th { "rating" } th { "luck" } }
                @for (index, name) in self.played.players.iter().enumerate() {
                    @let sums = self.sums(index, None);
                    tr {
                        td { (name) }
                        td { (sums.decisions) }
                        td { (sums.mistakes) }
                        td { (format!("{:.3}", sums.loss)) }
                        td { (format!("{:.2}", sums.rating())) }
                        td { (format!("{:+.3}", sums.luck)) }
                    }
                }
            }
        };
        output.write_all(head.into_string().as_bytes())?;
        for decision in self.mistakes() {
            let board = html! {
                section {
                    (PreEscaped(decision.position.svg().to_string()))
                    p {
                        b { (format!("{:.3}", -decision.loss)) }
                        " " (self.played.players[decision.player]) ": "
                        @if let Some(roll) = decision.roll { (roll.to_string()) ": " }
                        (decision.done) ", better " (decision.best)
                        br;
                        code { (decision.position.xgid()) }
                    }
                }
            };
            output.write_all(board.into_string().as_bytes())?;
        }
        Ok(())
    }
}

fn write_page<'a>(reports: impl Iterator<Item = AnalysedMatch<'a>>, output: &mut dyn Write) -> io::Result<()> {
    let style = "body { font: 15px sans-serif; max-width: 60em; margin: 2em auto; } \
                 section { display: inline-block; width: 26em; vertical-align: top; } svg { width: 25em; height: auto; } \
                 td, th { padding: 0 1em; text-align: right; } code { font-size: 11px; }";
    let head = html! {
        head {
            meta charset="utf-8";
            title { "Analysis by tavli" }
            style { (style) }
        }
    };
    let (doctype, head) = (DOCTYPE.into_string(), head.into_string());
    write!(output, "{doctype}<html lang=\"en\">{head}<body><h1>Analysis</h1>")?;
    for report in reports {
        report.write_html(output)?;
    }
    write!(output, "</body></html>")
}
