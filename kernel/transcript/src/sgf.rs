//! Matches in GNU Backgammon's form of the Smart Game Format, `.sgf`, written.

use std::fmt::Write;

use tavli_backgammon::Stakes;

use crate::played::{Action, Match, MatchGame, Step};

impl Match {
    /// The match in the Smart Game Format, one tree a game, as GNU Backgammon loads it by `load match`. The first
    /// player is white. It has only the games, no analysis.
    ///
    /// ```
    /// use tavli_backgammon::NO_STOP;
    /// use tavli_transcript::Match;
    /// let text = " 3 point match\n\n Game 1\n Ann : 0     Ben : 0\n  1) 31: 8/5 6/5                 63: 24/15\n";
    /// let sgf = Match::read(text, NO_STOP)?.sgf();
    /// assert!(sgf.starts_with("(;FF[4]GM[6]CA[UTF-8]AP[tavli:"), "{sgf}");
    /// assert!(sgf.ends_with("MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Ben]RU[Crawford]\n;W[31hefe]\n;B[63addj])\n"), "{sgf}");
    /// # Ok::<(), tavli_transcript::MatError>(())
    /// ```
    #[must_use]
    pub fn sgf(&self) -> String {
        let mut text = String::new();
        for (number, game) in self.games.iter().enumerate() {
            self.write_tree(number, game, &mut text);
        }
        text
    }

    fn write_tree(&self, number: usize, game: &MatchGame, text: &mut String) {
        let [white, black] = self.players.each_ref().map(|name| escaped(name));
        let [white_score, black_score] = game.score;
        let _ = write!(
            text,
            "(;FF[4]GM[6]CA[UTF-8]AP[tavli:{}]MI[length:{}][game:{number}][ws:{white_score}][bs:{black_score}]PW[{white}]PB[{black}]",
            env!("CARGO_PKG_VERSION"),
            self.length.unwrap_or(0),
        );
        let date = self.comments.iter().find(|(key, _)| key == "EventDate");
        if let Some((_, date)) = date {
            // Dates of SGF have dashes, and dates in comments of matches have dots.
            let _ = write!(text, "DT[{}]", escaped(&date.replace('.', "-")));
        }
        let is_jacoby = game
            .steps
            .first()
            .is_some_and(|step| matches!(step.position.context().stakes, Stakes::Money { jacoby: true, .. }));
        match self.length {
            Some(_) if game.crawford => text.push_str("RU[Crawford:CrawfordGame]"),
            Some(_) => text.push_str("RU[Crawford]"),
            None if is_jacoby => text.push_str("RU[Jacoby]"),
            None => {}
        }
        if let Some((winner, points)) = game.winner {
            let resigned = if game.is_resigned() { "R" } else { "" };
            let _ = write!(text, "RE[{}+{points}{resigned}]", color(winner));
        }
        for step in &game.steps {
            let _ = write!(text, "\n;{}[{}]", color(step.player), action(step));
        }
        text.push_str(")\n");
    }
}

fn color(player: usize) -> char {
    if player == 0 { 'W' } else { 'B' }
}

/// The text of an action: for a play, its roll and two letters for each step. Letters name points, which both players
/// count in the same way.
fn action(step: &Step) -> String {
    match step.action {
        Action::Double => "double".to_owned(),
        Action::Take => "take".to_owned(),
        Action::Pass => "drop".to_owned(),
        Action::Play { roll, .. } => {
            let letter = |point: u8| match (point, step.player) {
                (25, _) => 'y',
                (0, _) => 'z',
                (point, 0) => char::from(b'a' + point - 1),
                (point, _) => char::from(b'x' + 1 - point),
            };
            let moves = step.moves().unwrap_or_default();
            let steps = moves.steps().iter();
            let letters = steps.flat_map(|moved| [letter(moved.from), letter(moved.to)]);
            format!("{}{}{}", roll.high(), roll.low(), letters.collect::<String>())
        }
    }
}

/// A text without the characters that would end a value.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars().filter(|character| !character.is_control()) {
        if matches!(character, ']' | '\\' | ':') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
