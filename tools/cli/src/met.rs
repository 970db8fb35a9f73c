//! `tavli met`: match equity tables.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tavli::cube::match_equity::MatchEquityError;
use tavli::cube::{GeneratedTable, MatchEquityTable};
use tavli::file;
use tavli_terminal::failure::Failure;
use tavli_terminal::numbers::whole_in;
use tavli_terminal::output;

use crate::arguments::{Format, Overwrite};

/// Print a match equity table, or make one
///
/// A table has the chance to win a match from each score. Without options, prints Kazaross-XG2, the default of GNU
/// Backgammon and eXtreme Gammon.
///
/// --gammons, --backgammons, --life and --free-drop make a table by the cube model, for rules without a published one:
/// both players win equally often, and win gammons at the given rates.
#[derive(Args, Debug)]
pub(crate) struct MetArguments {
    /// Print the table in FILE, which is in the XML form of GNU Backgammon
    #[arg(long, value_name = "FILE", conflicts_with_all = ["gammons", "backgammons", "life", "free_drop"])]
    table: Option<PathBuf>,
    /// Make a table: the share of won games that are gammons, 0 to 1 [default: 0.27]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    gammons: Option<f64>,
    /// Make a table: the share of won games that are backgammons, 0 to 1 [default: 0.01, or what --gammons leaves]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    backgammons: Option<f64>,
    /// Make a table: the cube's efficiency, 0 (never turned) to 1 (turned at the perfect moment) [default: 0.8]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    life: Option<f64>,
    /// Make a table: the value of the free drop, 0 to 0.1 [default: 0.012]
    ///
    /// After the Crawford game the leader may once pass a double at no cost. The value is how much that lowers the
    /// trailer's chance to win the match.
    #[arg(long, value_name = "CHANCE", allow_negative_numbers = true)]
    free_drop: Option<f64>,
    /// Print or make the scores up to N points away, 1 to 64 [default: 25; with --table all scores in FILE]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole_in::<u16>(1..=64))]
    length: Option<u16>,
    /// Write the table to a file in the XML form of GNU Backgammon
    #[arg(short, long, value_name = "FILE", conflicts_with = "json")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    format: Format,
}

/// The JSON of the command: chances of the player who needs `i + 1` points against one who needs `j + 1`.
#[derive(Serialize)]
struct MetJson<'a> {
    name: &'a str,
    description: &'a str,
    length: u16,
    /// Before the end of the Crawford game.
    pre: Vec<Vec<f64>>,
    /// After the Crawford game, against a player who needs 1.
    post: Vec<f64>,
}

pub(crate) fn run(arguments: &MetArguments) -> Result<(), Failure> {
    let table = arguments.table()?;
    arguments.overwrite.check(arguments.output.is_some())?;
    if arguments.makes() {
        remark_on_order(&table);
    }
    if let Some(path) = &arguments.output {
        if arguments.length.is_some() && !arguments.makes() {
            return Err(Failure::usage(format_args!(
                "--length is for a table that is printed or made, and this one is written as it is, with {} points: \
                 leave it out, or make a table by --gammons or --life",
                table.length()
            )));
        }
        let target = arguments.overwrite.open(path)?;
        return target.replace(table.to_xml().as_bytes()).map_err(Failure::unwritten);
    }
    let length = match (&arguments.table, arguments.length) {
        (Some(_), None) => table.length(),
        _ => arguments.length(),
    };
    if length > table.length() {
        output::remark(format_args!(
            "remark: the table has scores of up to {} points away; those beyond are extended from it",
            table.length()
        ));
    }
    let away = 1..=length;
    let document = MetJson {
        name: table.name(),
        description: table.description(),
        length,
        pre: away.clone().map(|own| away.clone().map(|other| table.before_crawford(own, other)).collect()).collect(),
        post: away.map(|own| table.after_crawford(0, own)).collect(),
    };
    arguments.format.write(&document, print)
}

/// Says where a table gives the player who needs more points the better chance.
fn remark_on_order(table: &MatchEquityTable) {
    let scores = (1..table.length()).flat_map(|own| (1..=table.length()).map(move |other| (own, other)));
    let mut chances = scores.map(|(own, other)| {
        let [fewer, more] = [own, own + 1].map(|own| table.before_crawford(own, other));
        (own, other, fewer, more)
    });
    let Some((own, other, fewer, more)) = chances.find(|&(_, _, fewer, more)| more > fewer + ROUNDING) else {
        return;
    };
    output::remark(format_args!(
        "remark: in this table chances rise with the points needed, as from {:.2} % at {own}-away {other}-away to {:.2} % at \
         {}-away {other}-away: with so many gammons and so idle a cube nearly every game gives two points, and the \
         Crawford game leaves the cube to the trailer; give fewer --gammons or a larger --life unless the rules are so",
        100.0 * fewer,
        100.0 * more,
        own + 1
    ));
}

/// Differences of chances below this come from rounding.
const ROUNDING: f64 = 1e-6;

/// Prints a table in per cent.
fn print(document: &MetJson<'_>, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "{}: chances to win the match in per cent\n", document.name)?;
    // 100.00 needs a column more.
    let is_certain = |chance: &f64| 100.0 * chance >= 99.995;
    let width = if document.pre.iter().flatten().chain(&document.post).any(is_certain) { 7 } else { 6 };
    write!(output, "away")?;
    for away in 1..=document.length {
        write!(output, "{away:>width$}")?;
    }
    writeln!(output)?;
    for (away, row) in (1..).zip(&document.pre) {
        line(output, &format!("{away:>4}"), row, width)?;
    }
    writeln!(output, "\nafter the Crawford game, against a player who needs 1 point")?;
    line(output, "    ", &document.post, width)
}

fn line(output: &mut dyn Write, name: &str, chances: &[f64], width: usize) -> io::Result<()> {
    write!(output, "{name}")?;
    for chance in chances {
        write!(output, "{:>width$.2}", 100.0 * chance)?;
    }
    writeln!(output)
}

impl MetArguments {
    /// The points of the scores.
    fn length(&self) -> u16 {
        self.length.unwrap_or(25)
    }

    /// Whether a table is made.
    fn makes(&self) -> bool {
        let asked = [self.gammons, self.backgammons, self.life, self.free_drop];
        asked.iter().any(Option::is_some)
    }

    fn table(&self) -> Result<MatchEquityTable, Failure> {
        if let Some(path) = &self.table {
            let of_file = |error: &dyn std::fmt::Display| Failure::usage(format_args!("{}: {error}", path.display()));
            let read = file::read_text(path, file::MAX_TEXT_BYTES);
            let text = read.map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData => of_file(&MatchEquityError::Xml(error.to_string())),
                _ => of_file(&error),
            })?;
            return MatchEquityTable::from_xml(&text).map_err(|error| of_file(&error));
        }
        if !self.makes() {
            return Ok(MatchEquityTable::kazaross_xg2().clone());
        }
        let default = GeneratedTable::default();
        let gammons = self.gammons.unwrap_or(default.gammons);
        let left = if (0.0..=1.0).contains(&gammons) { GeneratedTable::max_backgammons(gammons) } else { 1.0 };
        let made = GeneratedTable {
            length: self.length(),
            gammons,
            backgammons: self.backgammons.unwrap_or(default.backgammons.min(left)),
            efficiency: self.life.unwrap_or(default.efficiency),
            free_drop: self.free_drop.unwrap_or(default.free_drop),
        };
        made.make("made by tavli met").map_err(Failure::usage)
    }
}
