//! Matches in the text form of Jellyfish, `.mat`.
//!
//! The form has no definition. What is read here: comments `; [Key "value"]`; `N point match`, N 0 for a money session;
//! then for each game `Game N`, a line of both names and scores, and numbered lines of two columns. An action is `31: 8/5
//! 6/5`, `Doubles => 2`, `Takes`, `Drops` or `Passes`. Spaces do not matter, except that a lone action in the right half
//! of its line is the second player's.

use tavli_backgammon::plays::notation::parse_play_under;
use tavli_backgammon::text::Quoted;
use tavli_backgammon::{Board, Context, Cube, Player, Position, Roll, RuleSet, Stage, Stakes};

use super::super::error::MatError;
use super::super::played::{Action, Game, Match, Step};

/// A lone action that begins at this column or behind is the second player's.
const RIGHT: usize = 22;

impl Match {
    /// Reads a match.
    ///
    /// # Errors
    /// [`MatError`] names the line: it is not of the form, or what it says was not possible.
    pub fn read(text: &str) -> Result<Match, MatError> {
        let mut reader = Reader::default();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let number = index + 1;
            reader
                .line(line, number)
                .map_err(|message| MatError { line: number, message })?;
        }
        reader.finish()
    }
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    length: Option<Option<u16>>,
    players: Option<[String; 2]>,
    comments: Vec<(String, String)>,
    games: Vec<Game>,
    /// The game in play.
    table: Option<Table>,
    /// Whether a game has begun, whose names come next.
    awaits_names: bool,
    had_crawford: bool,
    last_line: usize,
}

/// The game in play.
struct Table {
    board: Board,
    /// Who is on roll.
    on_roll: usize,
    log2: u8,
    owner: Option<usize>,
    /// Whether a double waits for its answer.
    is_doubled: bool,
}

/// An action as it is written.
enum Written<'a> {
    Play(Roll, &'a str),
    Double,
    Take,
    Pass,
    Wins(u16),
}

impl Reader {
    fn line(&mut self, line: &str, number: usize) -> Result<(), String> {
        self.last_line = number;
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return Ok(());
        }
        if let Some(comment) = trimmed.strip_prefix(';') {
            self.comment(comment);
            return Ok(());
        }
        let lower = trimmed.to_lowercase();
        if let Some(length) = match_length(&lower) {
            self.length = Some(Some(length?).filter(|&length| length > 0));
            return Ok(());
        }
        if lower
            .strip_prefix("game")
            .is_some_and(|rest| rest.trim().parse::<u32>().is_ok())
        {
            self.end_game();
            self.awaits_names = true;
            return Ok(());
        }
        if self.awaits_names {
            return self.names(trimmed);
        }
        if self.table.is_none() {
            // What stands before the first game and between games is for people.
            return Ok(());
        }
        let (actions, columns) = actions(line)?;
        if actions.is_empty() {
            return Err(format!("'{}' is no action", Quoted::new(trimmed).within(60)));
        }
        let numbered = lower
            .split_once(')')
            .is_some_and(|(start, _)| start.trim().parse::<u32>().is_ok());
        for (place, (action, column)) in actions.iter().zip(columns).enumerate() {
            let player = match (actions.len(), numbered) {
                (1, true) => usize::from(column >= RIGHT),
                (_, true) => place.min(1),
                // A result by itself is of whoever is said to win.
                (_, false) => usize::from(column >= RIGHT),
            };
            self.act(player, action, number)?;
        }
        Ok(())
    }

    fn comment(&mut self, comment: &str) {
        let inside = comment.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Some((key, value)) = inside.and_then(|inside| inside.split_once(' ')) {
            let value = value.trim().trim_matches('"');
            self.comments.push((key.to_owned(), value.to_owned()));
        }
    }

    /// Reads `Ann : 0      Ben : 2`.
    fn names(&mut self, line: &str) -> Result<(), String> {
        let wrong = || {
            format!(
                "'{}' is not both names with their points, such as Ann : 0   Ben : 2",
                Quoted::new(line).within(60)
            )
        };
        let (first, rest) = line.split_once(" : ").ok_or_else(wrong)?;
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let score: u16 = rest[..end].parse().map_err(|_| wrong())?;
        let (second, other) = rest[end..].trim().rsplit_once(':').ok_or_else(wrong)?;
        let other: u16 = other.trim().parse().map_err(|_| wrong())?;
        let length = self.length.flatten();
        if let Some(length) = length
            && (score >= length || other >= length)
        {
            return Err(format!("{score}-{other} ends a match to {length}: no game follows"));
        }
        self.players = Some([first.trim().to_owned(), second.trim().to_owned()]);
        let crawford =
            !self.had_crawford && length.is_some_and(|length| (score + 1 == length) != (other + 1 == length));
        self.had_crawford |= crawford;
        self.games.push(Game {
            score: [score, other],
            crawford,
            steps: Vec::new(),
            winner: None,
        });
        self.table = Some(Table {
            board: Board::START,
            on_roll: 0,
            log2: 0,
            owner: None,
            is_doubled: false,
        });
        self.awaits_names = false;
        Ok(())
    }

    fn end_game(&mut self) {
        self.table = None;
    }

    /// The position of the player on roll.
    fn position(&self, stage: Stage) -> Result<Position, String> {
        let (table, game) = (self.table.as_ref().expect("a game"), self.games.last().expect("a game"));
        let says = |key: &str| {
            let value = self.comments.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
            value.is_some_and(|(_, value)| matches!(value.to_lowercase().as_str(), "true" | "on" | "yes" | "1"))
        };
        let stakes = match self.length.flatten() {
            Some(length) => Stakes::Match {
                length,
                crawford: game.crawford,
            },
            None => Stakes::Money {
                jacoby: says("jacoby"),
                beavers: says("beaver") || says("beavers"),
            },
        };
        let owner = table.owner.map(|owner| match owner == table.on_roll {
            true => Player::OnRoll,
            false => Player::Opponent,
        });
        let mut context = Context {
            stage,
            cube: Cube {
                log2: table.log2,
                owner,
                ..Cube::default()
            },
            stakes,
            score: game.score[table.on_roll],
            opponent_score: game.score[1 - table.on_roll],
            ..Context::default()
        };
        context.decision = context.awaited();
        Position::new(table.board, context).map_err(|error| error.to_string())
    }

    fn act(&mut self, player: usize, action: &Written<'_>, line: usize) -> Result<(), String> {
        if self.games.last().is_some_and(|game| game.winner.is_some()) && !matches!(action, Written::Wins(_)) {
            return Err("the game was over before".to_owned());
        }
        let Some(table) = &mut self.table else {
            return Ok(());
        };
        let is_first = self.games.last().is_some_and(|game| game.steps.is_empty());
        if is_first {
            table.on_roll = player;
        }
        let (doubler, is_doubled) = (table.on_roll, table.is_doubled);
        let (stage, done) = match *action {
            Written::Wins(points) => {
                let winner = self.winner(player);
                let game = self.games.last_mut().expect("a game");
                // Whoever passes has lost already, and the result repeats it.
                game.winner = game.winner.or(Some((winner, points)));
                return Ok(());
            }
            Written::Double if is_doubled => return Err("a double waits for its answer".to_owned()),
            Written::Play(..) if is_doubled => return Err("a double waits for its answer".to_owned()),
            Written::Take | Written::Pass if !is_doubled => return Err("nobody has doubled".to_owned()),
            Written::Double => {
                let game = self.games.last().expect("a game");
                if game.crawford || table.owner.is_some_and(|owner| owner != doubler) {
                    let why = if game.crawford {
                        "in the Crawford game"
                    } else {
                        "with the opponent's cube"
                    };
                    return Err(format!("nobody may double {why}"));
                }
                (Stage::ToRoll, Action::Double)
            }
            Written::Take => (Stage::Doubled, Action::Take),
            Written::Pass => (Stage::Doubled, Action::Pass),
            Written::Play(roll, moves) => {
                let after = play(&table.board, roll, moves)?;
                (Stage::Rolled(roll), Action::Play { roll, after })
            }
        };
        let acts = match done {
            Action::Take | Action::Pass => 1 - doubler,
            _ => doubler,
        };
        if player != acts {
            let names = self.players.as_ref().expect("they come first");
            return Err(format!("it is the turn of {}", Quoted::new(&names[acts]).within(40)));
        }
        let position = self.position(stage)?;
        let game = self.games.last_mut().expect("a game");
        game.steps.push(Step {
            player,
            position,
            action: done,
            line,
        });
        let table = self.table.as_mut().expect("a game");
        match done {
            Action::Double => table.is_doubled = true,
            Action::Take => {
                table.log2 += 1;
                table.owner = Some(player);
                table.is_doubled = false;
            }
            Action::Pass => game.winner = Some((doubler, 1 << table.log2)),
            Action::Play { after, .. } => {
                table.board = after;
                table.on_roll = 1 - table.on_roll;
                if RuleSet::Backgammon.is_over(&after) {
                    let points = RuleSet::Backgammon
                        .outcome(&after)
                        .map_or(1, |outcome| outcome.points().unsigned_abs());
                    game.winner = Some((player, points as u16)).map(|(player, points)| (player, points << table.log2));
                }
            }
        }
        Ok(())
    }

    /// Who wins by a line of a result: where a game was given up, whoever's column it stands in.
    fn winner(&self, column: usize) -> usize {
        let steps = self.games.last().map(|game| &game.steps);
        match steps.and_then(|steps| steps.last()) {
            Some(step) if step.action == Action::Pass => 1 - step.player,
            _ => column,
        }
    }

    fn finish(self) -> Result<Match, MatError> {
        let missing = |message: &str| MatError {
            line: self.last_line.max(1),
            message: message.to_owned(),
        };
        let length = self.length.ok_or_else(|| {
            missing("the file names no match, such as ' 7 point match', and is none in Jellyfish's form")
        })?;
        let players = self.players.clone().ok_or_else(|| missing("the file has no game"))?;
        Ok(Match {
            length,
            players,
            comments: self.comments,
            games: self.games,
        })
    }
}

/// The length of ` 7 point match`, if the line is one.
fn match_length(lower: &str) -> Option<Result<u16, String>> {
    let (number, rest) = lower.split_once(' ')?;
    let rest = rest.trim();
    if !(rest.starts_with("point match") || rest.starts_with("points match")) {
        return if lower.starts_with("money session") || lower.starts_with("unlimited") {
            Some(Ok(0))
        } else {
            None
        };
    }
    let length = number
        .parse()
        .ok()
        .filter(|&length| length <= tavli_backgammon::board::MAX_POINTS);
    Some(length.ok_or_else(|| format!("'{}' is no length of a match", Quoted::new(number).within(20))))
}

/// The position after moves that are written as `24/18 18/13*`, with 25 or bar and 0 or off.
fn play(board: &Board, roll: Roll, moves: &str) -> Result<Board, String> {
    let text = moves.trim().to_lowercase();
    let text = match text.as_str() {
        "" | "????" | "cannot move" | "can't move" | "dances" | "no move" => "cannot move".to_owned(),
        text => text.replace("/0", "/off"),
    };
    parse_play_under(board, roll, &text, RuleSet::Backgammon).map_err(|error| error.to_string())
}

/// The actions of a line, and the columns at which they begin.
fn actions(line: &str) -> Result<(Vec<Written<'_>>, Vec<usize>), String> {
    let mut starts = Vec::new();
    let bytes = line.as_bytes();
    let numbered = line
        .split_once(')')
        .filter(|(start, _)| start.trim().parse::<u32>().is_ok());
    let begin = numbered.map_or(0, |(start, _)| start.len() + 1);
    let lower = line.to_ascii_lowercase();
    let words = [
        "doubles",
        "redoubles",
        "takes",
        "accepts",
        "drops",
        "passes",
        "rejects",
        "wins",
    ];
    let mut at = begin;
    while at < bytes.len() {
        let is_start = at == begin || bytes[at - 1] == b' ' || bytes[at - 1] == b'\t';
        let is_roll = bytes.len() >= at + 3
            && bytes[at..at + 2].iter().all(|byte| (b'1'..=b'6').contains(byte))
            && bytes[at + 2] == b':';
        let is_word = lower.is_char_boundary(at) && words.iter().any(|word| lower[at..].starts_with(word));
        if is_start && (is_roll || is_word) {
            starts.push(at);
        }
        at += 1;
    }
    let mut actions = Vec::new();
    for (place, &start) in starts.iter().enumerate() {
        let end = starts.get(place + 1).copied().unwrap_or(line.len());
        let text = line
            .get(start..end)
            .ok_or_else(|| "it is no text of columns".to_owned())?
            .trim();
        let word = text.split_whitespace().next().unwrap_or_default().to_lowercase();
        actions.push(match word.as_str() {
            "doubles" | "redoubles" => Written::Double,
            "takes" | "accepts" => Written::Take,
            "drops" | "passes" | "rejects" => Written::Pass,
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
