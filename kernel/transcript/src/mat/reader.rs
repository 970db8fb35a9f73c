//! Matches in the text form of Jellyfish, `.mat`.
//!
//! The form has no definition. This reader takes comments `; [Key "value"]`; `N point match`, with N 0 for a money
//! session; then for each game `Game N`, a line of both names and scores, and numbered lines of two columns. An action
//! is `31: 8/5 6/5`, `Doubles => 2`, `Takes`, `Drops` or `Passes`. Spaces do not matter, except that a lone action in
//! the right half of its line is the second player's. A player who gives a game up `Concedes`, or leaves out the play
//! of a roll. A number without an action, and `00: ????` for a roll that was not thrown, are ignored. Other text in a
//! game is an error, and all games have the same players.

use tavli_backgammon::board::MAX_POINTS;
use tavli_backgammon::plays::notation::parse_play;
use tavli_backgammon::text::Quoted;
use tavli_backgammon::{Board, Plays, Roll, RuleSet, Stopped};

use crate::error::MatError;
use crate::played::{Action, Match};
use crate::recording::Recording;

/// A lone action that begins at this column or further right is the second player's.
const RIGHT: usize = 22;

impl Match {
    /// Reads a match. After each line it calls `stop`: a large session takes seconds.
    ///
    /// # Errors
    /// [`MatError`] names the line: it is not of the form, or its action is impossible. [`MatError::Stopped`] if `stop`
    /// returned true.
    pub fn read(text: &str, stop: &dyn Fn() -> bool) -> Result<Match, MatError> {
        let mut reader = MatReader {
            recording: Recording::new(None, Default::default()),
            names_a_length: false,
            has_players: false,
            awaits_names: false,
            game: None,
            turn: 0,
            unplayed: None,
            last_line: 0,
        };
        for (index, line) in lines(text).enumerate() {
            if stop() {
                return Err(Stopped.into());
            }
            let read = reader.line(line, index + 1);
            let line = reader.last_line;
            read.map_err(|message| MatError::Line { line, message })?;
        }
        reader.finish()
    }
}

struct MatReader {
    recording: Recording,
    names_a_length: bool,
    has_players: bool,
    /// Whether a game has begun and its names come next.
    awaits_names: bool,
    /// The number of the last game that has begun.
    game: Option<u32>,
    /// The number of the last line of its turns.
    turn: u32,
    /// A roll without a play in the last line that has a roll: its player has given the game up.
    unplayed: Option<Unplayed>,
    last_line: usize,
}

/// A roll whose play is not written, although it has plays.
struct Unplayed {
    line: usize,
    message: String,
}

/// An action as it is written.
enum Written<'a> {
    Play(Roll, &'a str),
    /// To this value, if it is written.
    Double(Option<u32>),
    Take,
    Pass,
    /// A double back, as it is written.
    Beaver(&'a str),
    /// The player on roll gives the game up, or does nothing: the result decides.
    Nothing,
    Wins(u16),
}

impl MatReader {
    fn line(&mut self, line: &str, number: usize) -> Result<(), String> {
        self.last_line = number;
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return Ok(());
        }
        if let Some(comment) = trimmed.strip_prefix(';') {
            return self.comment(comment);
        }
        let lower = trimmed.to_lowercase();
        if let Some(length) = match_length(&lower) {
            self.recording.played.length = Some(length?).filter(|&length| length > 0);
            self.names_a_length = true;
            return Ok(());
        }
        let game = lower.strip_prefix("game").map(|rest| rest.trim().parse::<u32>());
        if let Some(Ok(game)) = game {
            self.recording.leave();
            self.unplayed = None;
            self.awaits_names = true;
            self.turn = 0;
            return match self.game.replace(game).map(|before| before.saturating_add(1)) {
                Some(next) if game != next => Err(format!(
                    "game {game} stands where game {next} should: add what is missing, or correct the numbers"
                )),
                _ => Ok(()),
            };
        }
        if self.awaits_names {
            return self.names(trimmed);
        }
        if self.recording.board().is_none() {
            // Text before the first game and between games is for people.
            return Ok(());
        }
        let (actions, columns) = actions(line)?;
        let is_number = |text: &str| text.trim().parse::<u32>().is_ok();
        if actions.is_empty() && !lower.strip_suffix(')').is_some_and(is_number) {
            return Err(not_an_action(trimmed));
        }
        let turn = lower.split_once(')').and_then(|(start, _)| start.trim().parse().ok());
        let says_nothing = |action: &Written<'_>| matches!(action, Written::Wins(_) | Written::Nothing);
        if let Some(turn) = turn {
            let next = std::mem::replace(&mut self.turn, turn).saturating_add(1);
            // Servers number the line of a result as they like.
            if turn != next && !actions.iter().all(says_nothing) {
                return Err(format!(
                    "turn {turn}) stands where turn {next}) should: add what is missing, or correct the numbers"
                ));
            }
        }
        let numbered = turn.is_some();
        for (place, (action, column)) in actions.iter().zip(columns).enumerate() {
            let player = match (actions.len(), numbered) {
                (1, true) => usize::from(column >= RIGHT),
                // A lone result belongs to the winner that it names, as does a result after a roll without a play.
                (_, false) => usize::from(column >= RIGHT),
                (_, true) if self.unplayed.is_some() => usize::from(column >= RIGHT),
                (_, true) => place.min(1),
            };
            self.act(player, action, number)?;
        }
        Ok(())
    }

    fn comment(&mut self, comment: &str) -> Result<(), String> {
        let inside = comment.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Some((key, value)) = inside.and_then(|inside| inside.split_once(' ')) {
            let value = value.trim().trim_matches('"');
            let rules = value.to_lowercase().parse::<RuleSet>();
            if key.eq_ignore_ascii_case("Variation") && rules.is_ok_and(|rules| rules != RuleSet::Backgammon) {
                return Err(format!("a match of {value} is not read, since only backgammon is: leave it out"));
            }
            self.recording.played.comments.push((key.to_owned(), value.to_owned()));
        }
        Ok(())
    }

    /// Reads `Ann : 0      Ben : 2`.
    fn names(&mut self, line: &str) -> Result<(), String> {
        let wrong = || {
            format!("'{}' is not both names with their points, such as Ann : 0   Ben : 2", Quoted::new(line).within(60))
        };
        let (first, rest) = line.split_once(" : ").ok_or_else(wrong)?;
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let score: u16 = rest[..end].parse().map_err(|_| wrong())?;
        // From the right, since the second name may itself have a colon.
        let (second, other) = rest[end..].trim().rsplit_once(':').ok_or_else(wrong)?;
        let other: u16 = other.trim().parse().map_err(|_| wrong())?;
        let players = [first, second].map(|name| name.trim().to_owned());
        let before = &self.recording.played.players;
        if self.has_players && *before != players {
            let [a, b, c, d] =
                [&players[0], &players[1], &before[0], &before[1]].map(|name| Quoted::new(name).within(40));
            return Err(format!(
                "the players are '{a}' and '{b}', and were '{c}' and '{d}' before: correct the names, or give each \
                 pair a file of its own"
            ));
        }
        self.recording.played.players = players;
        self.has_players = true;
        self.recording.begin_at([score, other]).map_err(|error| error.to_string())?;
        self.awaits_names = false;
        self.recording.check_score()
    }

    fn act(&mut self, player: usize, action: &Written<'_>, line: usize) -> Result<(), String> {
        let Some(board) = self.recording.board() else {
            return Ok(());
        };
        // GNU Backgammon writes the roll in this way if a player gave the game up after it.
        let is_end = matches!(action, Written::Wins(_) | Written::Nothing);
        if let Some(Unplayed { line, message }) = self.unplayed.take_if(|_| !is_end) {
            self.last_line = line;
            return Err(message);
        }
        let action = match *action {
            Written::Wins(points) => {
                let winner = self.winner(player);
                // The player who passes has lost already, and the result repeats it.
                return self.recording.give_up_as_written(winner, points);
            }
            Written::Nothing => return Ok(()),
            Written::Double(to) => {
                self.recording.check_double(to)?;
                Action::Double
            }
            Written::Beaver(text) => {
                let remedy = match self.recording.played.length {
                    Some(_) => "nobody beavers in a match; write Takes",
                    None => "beavers cannot be read; leave the game out",
                };
                return Err(format!("'{}': {remedy}", Quoted::new(text).within(40)));
            }
            Written::Take => Action::Take,
            Written::Pass => Action::Pass,
            Written::Play(roll, moves) => {
                // A play out of turn is reported as such, though it may not be a play of this board either.
                self.recording.check(player, false).map_err(|error| error.to_string())?;
                if let Some(message) = unplayed(board, roll, moves) {
                    self.unplayed = Some(Unplayed { line, message });
                    return Ok(());
                }
                Action::Play { roll, after: play(board, roll, moves)? }
            }
        };
        let acted = self.recording.act_at(player, action, line);
        acted.map_err(|error| error.to_string())
    }

    /// The winner of a result that stands in this column. After a pass it is the player who doubled, whatever the
    /// column.
    fn winner(&self, column: usize) -> usize {
        let steps = self.recording.played.games.last().map(|game| &game.steps);
        match steps.and_then(|steps| steps.last()) {
            Some(step) if step.action == Action::Pass => 1 - step.player,
            _ => column,
        }
    }

    fn finish(self) -> Result<Match, MatError> {
        let missing = |message: &str| MatError::Line { line: self.last_line.max(1), message: message.to_owned() };
        if !self.names_a_length {
            return Err(missing(
                "the file names no match, such as ' 7 point match', and is not a match in Jellyfish's form",
            ));
        }
        match self.has_players {
            true => Ok(self.recording.played),
            false => Err(missing("the file has no game")),
        }
    }
}

/// The lines of a text. Old systems end them with only a carriage return.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    // Some programs write a byte order mark first.
    let text = text.trim_start_matches('\u{feff}');
    let end = if text.contains('\n') { '\n' } else { '\r' };
    text.strip_suffix(end).unwrap_or(text).split(end)
}

/// The length of ` 7 point match`, if the line is one.
fn match_length(lower: &str) -> Option<Result<u16, String>> {
    let (number, rest) = lower.split_once(' ')?;
    let rest = rest.trim();
    if !(rest.starts_with("point match") || rest.starts_with("points match")) {
        return if lower.starts_with("money session") || lower.starts_with("unlimited") { Some(Ok(0)) } else { None };
    }
    let length = number.parse().ok().filter(|&length| length <= MAX_POINTS);
    let wrong = || {
        let found = Quoted::new(number).within(20);
        format!("'{found}' is not a length of a match: write 1 to {MAX_POINTS}, or 0 for money games")
    };
    Some(length.ok_or_else(wrong))
}

/// The fault of a roll without a play in a game that goes on; `None` if a play is written, or no play can be made.
fn unplayed(board: &Board, roll: Roll, moves: &str) -> Option<String> {
    if !matches!(moves.trim(), "" | "????") {
        return None;
    }
    let plays = Plays::new(board, roll, RuleSet::Backgammon);
    let first = plays.get(0).filter(|play| play.board() != board.swapped())?;
    let others = match plays.len() - 1 {
        0 => String::new(),
        others => format!(" and {others} others"),
    };
    Some(format!(
        "no play is written after {roll}, and the game goes on, though {}{others} can be made: write the play",
        plays.moves(&first)
    ))
}

/// The position after moves that are written as `24/18 18/13*`, with 25 or bar and 0 or off.
fn play(board: &Board, roll: Roll, moves: &str) -> Result<Board, String> {
    let text = moves.trim().to_lowercase();
    let text = match text.as_str() {
        "" | "????" | "cannot move" | "can't move" | "dances" | "no move" => "cannot move".to_owned(),
        text => text.replace("/0", "/off"),
    };
    parse_play(board, roll, &text, RuleSet::Backgammon).map_err(|error| error.to_string())
}

/// The error about text that is not an action.
fn not_an_action(text: &str) -> String {
    format!("'{}' is not an action", Quoted::new(text.trim()).within(60))
}

/// The action that a single word is; an error if more text follows the word.
fn alone<'a>(action: Written<'a>, text: &str) -> Result<Written<'a>, String> {
    match text.contains(char::is_whitespace) {
        true => Err(not_an_action(text)),
        false => Ok(action),
    }
}

/// The value that the cube is turned to, as in `Doubles => 4`, if it is written.
fn doubled_to(text: &str) -> Result<Option<u32>, String> {
    let (word, value) = text.split_once("=>").map_or((text, None), |(word, value)| (word, Some(value)));
    if word.trim().contains(char::is_whitespace) {
        return Err(not_an_action(text));
    }
    match value {
        None => Ok(None),
        Some(value) => match value.trim().parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(format!("'{}' names no value of the cube", Quoted::new(text).within(40))),
        },
    }
}

/// The actions of a line, and the columns where they begin.
fn actions(line: &str) -> Result<(Vec<Written<'_>>, Vec<usize>), String> {
    let mut starts = Vec::new();
    let bytes = line.as_bytes();
    let numbered = line.split_once(')').filter(|(start, _)| start.trim().parse::<u32>().is_ok());
    let begin = numbered.map_or(0, |(start, _)| start.len() + 1);
    let words = [
        "doubles",
        "redoubles",
        "takes",
        "accepts",
        "beavers",
        "drops",
        "passes",
        "rejects",
        "concedes",
        "00:",
        "wins",
    ];
    let mut at = begin;
    while at < bytes.len() {
        let is_start = at == begin || bytes[at - 1] == b' ' || bytes[at - 1] == b'\t';
        let is_roll =
            bytes.len() >= at + 3 && bytes[at..at + 2].iter().all(u8::is_ascii_digit) && bytes[at + 2] == b':';
        // The whole word, as it is found again below: DoublesX is not an action.
        let is_word = || {
            // `at` may lie within a character of several bytes, where no word begins.
            let word = line.get(at..).and_then(|rest| rest.split(char::is_whitespace).next());
            word.is_some_and(|word| words.contains(&word.to_ascii_lowercase().as_str()))
        };
        if is_start && (is_roll || is_word()) {
            starts.push(at);
        }
        at += 1;
    }
    if let Some(&first) = starts.first() {
        match line.get(begin..first) {
            Some(before) if !before.trim().is_empty() => return Err(not_an_action(before)),
            _ => (),
        }
    }
    let mut actions = Vec::new();
    for (place, &start) in starts.iter().enumerate() {
        let end = starts.get(place + 1).copied().unwrap_or(line.len());
        let text = line.get(start..end).ok_or_else(|| "it is not a text of columns".to_owned())?.trim();
        let word = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        actions.push(match word.as_str() {
            "doubles" | "redoubles" => Written::Double(doubled_to(text)?),
            "takes" | "accepts" => alone(Written::Take, text)?,
            "beavers" => Written::Beaver(text),
            "drops" | "passes" | "rejects" => alone(Written::Pass, text)?,
            "00:" if !matches!(text[3..].trim(), "" | "????") => {
                return Err(format!("'{}': no dice show 00; write the roll", Quoted::new(text).within(40)));
            }
            "concedes" | "00:" => Written::Nothing,
            "wins" => {
                let points = text.split_whitespace().nth(1).and_then(|points| points.parse().ok());
                Written::Wins(points.ok_or_else(|| format!("'{}' names no points", Quoted::new(text).within(40)))?)
            }
            _ => {
                let (dice, moves) = text.split_once(':').expect("a roll has a colon");
                Written::Play(dice.parse().map_err(|error| format!("{error}"))?, moves)
            }
        });
    }
    Ok((actions, starts))
}
