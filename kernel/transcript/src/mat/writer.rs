//! Writes matches as GNU Backgammon does.

use std::fmt::Write;

use crate::played::{Action, Match, MatchGame, Step};

/// The column where the second player's actions begin, after the number of the line.
const SECOND: usize = 33;

impl Match {
    /// The match in the text form of Jellyfish, in GNU Backgammon's layout: every step of a checker by itself, with 25
    /// for the bar and 0 for off. [`Match::read`] reads it as the same match, except for the line numbers.
    ///
    /// Text that the form cannot hold is left out: control characters of names and comments, and a colon between
    /// blanks, which would end a name. An illegal play has an empty text.
    ///
    /// ```
    /// use tavli_backgammon::NO_STOP;
    /// use tavli_transcript::Match;
    /// let text = "; [Site \"Corfu\"]
    ///
    ///  3 point match
    ///
    ///  Game 1
    ///  Ann : 0                        Ben : 0
    ///   1)                             63: 24/15
    ///   2)  Doubles => 2                Drops
    ///       Wins 1 point
    /// ";
    /// let written = Match::read(text, NO_STOP)?.mat();
    /// assert_eq!(written, text.replace("24/15", "24/21 21/15"));
    /// # Ok::<(), tavli_transcript::MatError>(())
    /// ```
    #[must_use]
    pub fn mat(&self) -> String {
        let mut text = String::new();
        for (key, value) in &self.comments {
            let _ = writeln!(text, "; [{} \"{}\"]", plain(key), plain(value));
        }
        if !self.comments.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, " {} point match", self.length.unwrap_or(0));
        for (number, game) in (1..).zip(&self.games) {
            let [first, second] = self.players.each_ref().map(|name| name_of(name));
            let [own, other] = game.score;
            let first = format!(" {first} : {own}");
            let _ = write!(text, "\n Game {number}\n{first:<31} {second} : {other}\n");
            self.write_game(game, &mut text);
        }
        text
    }

    fn write_game(&self, game: &MatchGame, text: &mut String) {
        let mut number = 1;
        let mut steps = game.steps.iter().peekable();
        let mut wins = game.winner.map(|(winner, points)| {
            let unit = if points == 1 { "point" } else { "points" };
            let is_last = self.length.is_some_and(|length| game.score[winner] + points >= length);
            let and_match = if is_last { " and the match" } else { "" };
            (winner, format!("Wins {points} {unit}{and_match}"))
        });
        while let Some(step) = steps.next() {
            let (left, right) = match step.player {
                0 => (action(step), steps.next_if(|next| next.player == 1).map(action)),
                _ => (String::new(), Some(action(step))),
            };
            // If the first player acted last and lost, the rest of his line has the result.
            let lost = |wins: &mut (usize, String)| wins.0 == 1 && right.is_none() && steps.peek().is_none();
            let right = match wins.take_if(lost) {
                Some((_, text)) => format!(" {text}"),
                None => right.unwrap_or_default(),
            };
            let left = format!("{number:>3}) {left}");
            // A double with hits may be longer than its column.
            let line = format!("{left:<width$} {right}", width = SECOND - 1);
            // GNU Backgammon 1.07 joins a line that ends within 15 columns and has no roll to the end of the line
            // before: "20)  Takes" after "Doubles => 8" becomes a beaver.
            let is_short = right.is_empty() && !line.contains(':');
            let _ = writeln!(text, "{}", if is_short { &line } else { line.trim_end() });
            number += 1;
        }
        if let Some((winner, wins)) = wins {
            let column = if winner == 0 { 6 } else { SECOND + 1 };
            let _ = writeln!(text, "{:column$}{wins}", "");
        }
    }
}

/// The text of an action.
fn action(step: &Step) -> String {
    match step.action {
        Action::Double => format!(" Doubles => {}", 2_u32 << step.position.context().cube.log2),
        Action::Take => " Takes".to_owned(),
        Action::Pass => " Drops".to_owned(),
        Action::Play { roll, .. } => {
            let mut text = format!("{}{}:", roll.high(), roll.low());
            for moved in step.moves().iter().flat_map(|moves| moves.steps()) {
                let hit = if moved.hit { "*" } else { "" };
                let _ = write!(text, " {}/{}{hit}", moved.from, moved.to);
            }
            text
        }
    }
}

/// A text as one line.
fn plain(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}

/// A name, which ends at a colon between blanks.
fn name_of(name: &str) -> String {
    let mut name = plain(name).trim().to_owned();
    // More than once: further blanks around a replaced colon make another one.
    while name.contains(" : ") {
        name = name.replace(" : ", ":");
    }
    name
}
