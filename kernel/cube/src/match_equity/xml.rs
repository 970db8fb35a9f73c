//! GNU Backgammon's files of match equity tables.

use std::fmt::Write;

use roxmltree::{Document, Node, ParsingOptions};
use thiserror::Error;

use super::table::MatchEquityTable;

/// Why text is not a table.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum MatchEquityError {
    /// It is not XML.
    #[error("it is not a match equity table: {0}; {REMEDY}")]
    Xml(String),
    /// Something is missing.
    #[error("it is not a match equity table: there is no <{0}>; {REMEDY}")]
    Missing(&'static str),
    /// The length of the matches is not 1 to 64 points.
    #[error("the <length> of the table is '{0}': it is 1 to 64 points")]
    Points(String),
    /// Entries are not written out.
    #[error("the table's <{element}> is of type '{kind}': write it out with type=\"explicit\", as `tavli met` does")]
    Kind {
        /// The element.
        element: &'static str,
        /// Its type.
        kind: String,
    },
    /// An entry that is not a chance.
    #[error("row {row}, entry {entry} of <{element}> is '{text}', not a chance of 0 to 1")]
    Entry {
        /// The element.
        element: &'static str,
        /// The number of the row, from 1.
        row: usize,
        /// The number of the entry, from 1.
        entry: usize,
        /// The entry as written.
        text: String,
    },
    /// Fewer or more entries than the length says.
    #[error("<{element}> has {found} entries in row {row} of a table of length {length}")]
    Length {
        /// The element.
        element: &'static str,
        /// The number of the row, from 1; 0 for the number of rows.
        row: usize,
        /// How many there are.
        found: usize,
        /// How many there should be.
        length: usize,
    },
    /// Chances of both players that do not add up to 1.
    #[error(
        "the chances at {away}-away {opponent_away}-away and the other way round add up to {sum}, not to 1: correct the \
             entries, or give a table for equal players"
    )]
    Sum {
        /// Points that a player needs.
        away: usize,
        /// Points that his opponent needs.
        opponent_away: usize,
        /// The sum.
        sum: f64,
    },
}

/// The remedy where there is no table.
const REMEDY: &str =
    "give a file in the XML form of GNU Backgammon, such as one of its folder met or of `tavli met --output FILE`";

/// The most by which the chances of both players may miss 1, as by rounding: both are then moved by half of it. A table of
/// GNU Backgammon, `ortega.xml`, misses it by 0.002 at 8-away 7-away.
const MAX_ROUNDING: f64 = 0.005;

const BEFORE: &str = "pre-crawford-table";
const AFTER: &str = "post-crawford-table";

impl MatchEquityTable {
    /// The longest table that is read.
    const MAX_LENGTH: usize = 64;

    /// Reads a table in the XML form of GNU Backgammon, its entries written out (`type="explicit"`). As in GNU
    /// Backgammon the last entry after the Crawford game follows the rule of scores beyond the table, whatever the file
    /// has there: a match of the table's length does not meet it.
    ///
    /// # Errors
    /// [`MatchEquityError`] names the element and the entry.
    pub fn from_xml(text: &str) -> Result<MatchEquityTable, MatchEquityError> {
        // The files name a document type. It is not fetched, and entities stay within the parser's bounds.
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let text = text.trim_start_matches('\u{feff}');
        let no_xml = |error: roxmltree::Error| {
            // For an empty text, the parser's error would speak of a root node.
            let is_empty = text.trim().is_empty();
            MatchEquityError::Xml(if is_empty { "it is empty".to_owned() } else { error.to_string() })
        };
        let document = Document::parse_with_options(text, options).map_err(no_xml)?;
        let root = document.root_element();
        let info = child(root, "info")?;
        let written = |name| child(info, name).ok().and_then(|node| node.text()).unwrap_or_default().trim().to_owned();
        // Before `written`, for which a missing element is an empty one.
        child(info, "length")?;
        let length = written("length");
        let is_length = |length: &usize| (1..=Self::MAX_LENGTH).contains(length);
        let length = length.parse().ok().filter(is_length).ok_or(MatchEquityError::Points(length))?;
        let mut before = rows(child(root, BEFORE)?, BEFORE)?;
        check_length(BEFORE, 0, before.len(), length)?;
        for (row, entries) in (1..).zip(&before) {
            check_length(BEFORE, row, entries.len(), length)?;
        }
        for away in 1..=length {
            for opponent_away in 1..=away {
                let sum = before[away - 1][opponent_away - 1] + before[opponent_away - 1][away - 1];
                if (sum - 1.0).abs() > MAX_ROUNDING {
                    return Err(MatchEquityError::Sum { away, opponent_away, sum });
                }
                // Exact up to the digits of most tables: there, nothing is moved.
                if (sum - 1.0).abs() > 1e-4 {
                    let share = before[away - 1][opponent_away - 1] + (1.0 - sum) / 2.0;
                    before[away - 1][opponent_away - 1] = share;
                    before[opponent_away - 1][away - 1] = 1.0 - share;
                }
            }
        }
        Ok(MatchEquityTable {
            name: written("name"),
            description: written("description"),
            before,
            after: after(root, length)?,
        })
    }

    /// The table in the XML form of GNU Backgammon.
    #[must_use]
    pub fn to_xml(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE met PUBLIC \"-//GNU Backgammon//DTD Match Equity Tables//EN\" \"met.dtd\">\n<met>\n",
        );
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let (name, description, length) = (escape(&self.name), escape(&self.description), self.length());
        let mut line = |written: String| writeln!(text, "{written}").expect("a string takes what is written");
        line(format!("  <info>\n    <name>{name}</name>\n    <description>{description}</description>"));
        line(format!("    <length>{length}</length>\n  </info>"));
        let mut table = |open: String, close: &str, rows: &[Vec<f64>]| {
            line(format!("  <{open}>"));
            for row in rows {
                let entries: Vec<String> = row.iter().map(|entry| format!("      <me>{entry:.6}</me>")).collect();
                line(format!("    <row>\n{}\n    </row>", entries.join("\n")));
            }
            line(format!("  </{close}>"));
        };
        table(format!("{BEFORE} type=\"explicit\""), BEFORE, &self.before);
        let away = 1..=length;
        let [own, opponent] = [0, 1].map(|player| away.clone().map(|away| self.after_crawford(player, away)).collect());
        if own == opponent {
            table(format!("{AFTER} type=\"explicit\" player=\"both\""), AFTER, &[own]);
        } else {
            for (player, entries) in [own, opponent].into_iter().enumerate() {
                table(format!("{AFTER} type=\"explicit\" player=\"{player}\""), AFTER, &[entries]);
            }
        }
        text + "</met>\n"
    }
}

fn child<'a, 'b>(node: Node<'a, 'b>, name: &'static str) -> Result<Node<'a, 'b>, MatchEquityError> {
    let mut children = node.children();
    children.find(|child| child.has_tag_name(name)).ok_or(MatchEquityError::Missing(name))
}

fn check_length(element: &'static str, row: usize, found: usize, length: usize) -> Result<(), MatchEquityError> {
    match found == length {
        true => Ok(()),
        false => Err(MatchEquityError::Length { element, row, found, length }),
    }
}

/// The chances after the Crawford game of both players.
fn after(root: Node<'_, '_>, length: usize) -> Result<[Vec<f64>; 2], MatchEquityError> {
    let mut found = [None, None];
    for table in root.children().filter(|child| child.has_tag_name(AFTER)) {
        let mut rows = rows(table, AFTER)?;
        check_length(AFTER, 0, rows.len(), 1)?;
        let mut entries = rows.remove(0);
        // Older files leave out the last score.
        if entries.len() + 1 != length {
            check_length(AFTER, 1, entries.len(), length)?;
            entries.pop();
        }
        match table.attribute("player") {
            Some("0") => found[0] = Some(entries),
            Some("1") => found[1] = Some(entries),
            _ => found = [Some(entries.clone()), Some(entries)],
        }
    }
    match found {
        [Some(own), Some(opponent)] => Ok([own, opponent]),
        _ => Err(MatchEquityError::Missing(AFTER)),
    }
}

fn rows(table: Node<'_, '_>, element: &'static str) -> Result<Vec<Vec<f64>>, MatchEquityError> {
    match table.attribute("type") {
        Some("explicit") => (),
        kind => {
            return Err(MatchEquityError::Kind { element, kind: kind.unwrap_or_default().to_owned() });
        }
    }
    let rows = table.children().filter(|child| child.has_tag_name("row"));
    let entries = |(row, node): (usize, Node<'_, '_>)| {
        let entries = node.children().filter(|child| child.has_tag_name("me"));
        let entry = |(entry, node): (usize, Node<'_, '_>)| {
            let text = node.text().unwrap_or_default().trim();
            let chance = text.parse().ok().filter(|chance: &f64| (0.0..=1.0).contains(chance));
            chance.ok_or_else(|| MatchEquityError::Entry { element, row, entry, text: text.to_owned() })
        };
        (1..).zip(entries).map(entry).collect()
    };
    (1..).zip(rows).map(entries).collect()
}
