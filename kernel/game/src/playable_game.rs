//! The trait of games that people and programs read and write.

use core::fmt::Display;
use std::sync::Arc;

use tavli_simd::Tier;
use thiserror::Error;

use crate::game::Game;
use crate::heuristic::Heuristic;
use crate::solved_positions::{SolvedPositions, SolvedPositionsError};
use tavli_base::text::Quoted;

/// The text that programs take for the position in which a game begins, in every game.
pub const START: &str = "start";

/// A game as programs offer it to people: it has a name, its positions, chances and plays are read and written as text,
/// and its heuristics, players and nets are found by name.
///
/// A value of it is the game by a set of rules, with the seed of its playouts.
pub trait PlayableGame: Game + Sized {
    /// The name in commands and files, such as `draughts`.
    const NAME: &'static str;
    /// The names of its sets of rules, the default first.
    const RULES: &'static [&'static str];
    /// How a game can end, in the order of results; no two have the same points.
    const OUTCOMES: &'static [GameOutcome];
    /// The names of the game's heuristics, the default first. `ends` knows finished games only.
    const HEURISTICS: &'static [&'static str] = &["ends"];
    /// The names of the game's own players: programs that do not simply choose the position of the best value.
    const PLAYERS: &'static [&'static str] = &[];

    /// The game by rules of this name, with the playouts of this seed. The tier changes their speed only.
    ///
    /// # Errors
    /// [`RulesError`] if it has no rules of this name.
    fn by_rules(rules: &str, tier: Tier, seed: u64) -> Result<Self, RulesError>;

    /// The position in which a game begins.
    fn start(&self) -> Self::Position;

    /// Reads a position, in which the game may be over.
    ///
    /// # Errors
    /// [`PositionError`] if it is no position of the game, with the place and what is allowed.
    fn read(&self, text: &str) -> Result<Self::Position, PositionError>;

    /// Reads a position as [`PlayableGame::read`] does, with everything else in its text, such as the dice. Texts of
    /// most games have nothing else.
    ///
    /// # Errors
    /// As [`PlayableGame::read`].
    fn read_turn(&self, text: &str) -> Result<ReadTurn<Self::Position>, PositionError> {
        self.read(text).map(ReadTurn::from)
    }

    /// The text of a position in the game's usual notation, which [`PlayableGame::read`] takes.
    fn text(&self, position: &Self::Position) -> String;

    /// The lossless text of a position, for which [`PlayableGame::read`] returns the same position. Unlike
    /// [`PlayableGame::text`] it has, for example, the plies that a draw rule counts.
    fn state(&self, position: &Self::Position) -> String {
        self.text(position)
    }

    /// A drawing of a position in lines of text, without an end of the last line.
    fn drawing(&self, position: &Self::Position) -> String;

    /// Why the game is over in a position, in words, unless a look at the position tells that.
    fn reason_of_end(&self, position: &Self::Position) -> Option<String> {
        let _ = position;
        None
    }

    /// The lossless text of a position in which the game is over, with the reason behind it.
    fn text_of_end(&self, position: &Self::Position) -> String {
        let text = self.state(position);
        match self.reason_of_end(position) {
            Some(reason) => format!("{text}: {reason}"),
            None => text,
        }
    }

    /// The chance of this text, such as the roll 31. A game without chances has none.
    fn chance(&self, text: &str) -> Option<usize>;

    /// The text of a chance; empty in a game without chances.
    fn chance_text(&self, chance: usize) -> String;

    /// The moves of a choice in the game's notation, such as `24/23 13/10` or `9x18x25`.
    fn moves(&self, position: &Self::Position, chance: usize, choice: usize) -> String;

    /// The plays after a chance in a position in which the game goes on, in the order of the choices.
    fn plays(&self, position: &Self::Position, chance: usize) -> Vec<GamePlay<Self::Position>> {
        let results = self.results(position, chance).into_iter().enumerate();
        let play = |(choice, result)| GamePlay { moves: self.moves(position, chance, choice), result, hits: None };
        results.map(play).collect()
    }

    /// The choice that `moves` names: the moves of [`PlayableGame::plays`] in any order and letter case, or other moves
    /// in the game's notation that lead to the same position. The game must not be over.
    ///
    /// # Errors
    /// [`MovesError`] if it names none, or several.
    fn choice_named(&self, position: &Self::Position, chance: usize, moves: &str) -> Result<usize, MovesError> {
        let sorted = |text: &str| {
            let mut words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
            words.sort_unstable();
            words
        };
        let (wanted, plays) = (sorted(moves), self.plays(position, chance));
        let found = plays.iter().position(|play| sorted(&play.moves) == wanted);
        found.ok_or_else(|| {
            let (moves, number) = (Quoted::new(moves.trim()), plays.len());
            MovesError::new(format_args!("'{moves}' is none of the {number} plays"))
        })
    }

    /// The text of a game in the form in which files of the game have it; `None` if there is no such form.
    fn transcript(&self, played: &GameTranscript<'_, Self::Position>) -> Option<String> {
        let _ = played;
        None
    }

    /// Numbers of a position for programs, by name, such as the checkers on each point.
    fn numbers(&self, position: &Self::Position) -> Vec<(&'static str, Vec<i32>)> {
        let _ = position;
        Vec::new()
    }

    /// The value of a position in which the game goes on for the player on roll or to move, in points, by the heuristic
    /// of this index in [`PlayableGame::HEURISTICS`]. At most as far from 0 as the best end.
    fn value(&self, position: &Self::Position, heuristic: usize) -> f64 {
        let _ = (position, heuristic);
        0.0
    }

    /// The index of the choice that the player of this index in [`PlayableGame::PLAYERS`] makes after a chance in a
    /// position in which the game goes on. `fraction` / 2^32, uniform in [0, 1), picks one of several choices that the
    /// player rates equal.
    ///
    /// # Panics
    /// If the game has no such player.
    fn choice_of(&self, player: usize, position: &Self::Position, chance: usize, fraction: u32) -> usize {
        let _ = (position, chance, fraction);
        panic!("{} has no player {player} of its own", Self::NAME)
    }

    /// The counts by which backgammon's tables of bear-offs value a position. `Some` only if both sides have checkers
    /// left, all of them are home, no checker can meet one of the other side, and bearing off follows backgammon's
    /// rules.
    fn both_home(position: &Self::Position) -> Option<BothHome> {
        let _ = position;
        None
    }

    /// Whether the rules are those by which the nets of the game have learned. Games without nets have none.
    fn has_rules_of_nets(&self) -> bool {
        true
    }

    /// Reads solved positions from bytes in the game's own form, under the rules of `self`.
    /// `tavli::games::read_solved_positions` reads the files around them.
    ///
    /// # Errors
    /// [`SolvedPositionsError`] if the game has no solved positions, or the bytes are none of them.
    fn solved_positions(&self, bytes: &[u8]) -> Result<Arc<dyn SolvedPositions<Self::Position>>, SolvedPositionsError> {
        let _ = bytes;
        Err(SolvedPositionsError::new(format_args!("{} has no files of solved positions", Self::NAME)))
    }

    /// The evaluator of a trained net, from the bytes that its training wrote. `tavli::games::read_net` reads the files
    /// around them.
    ///
    /// # Errors
    /// [`NetError`] if the game has no nets, or the bytes are none of them.
    fn net(&self, bytes: &[u8]) -> Result<Arc<dyn Heuristic<Self::Position>>, NetError> {
        let _ = bytes;
        Err(NetError::new(format_args!("{} has no trained nets", Self::NAME)))
    }
}

/// Bytes that are no net of a game: one line that says why.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct NetError(String);

impl NetError {
    /// The error of this message.
    pub fn new(message: impl Display) -> NetError {
        NetError(message.to_string())
    }
}

/// A text that names none of the plays, or several: one line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct MovesError(String);

impl MovesError {
    /// The error of this message.
    pub fn new(message: impl Display) -> MovesError {
        MovesError(message.to_string())
    }
}

/// A position that was read from text, with everything else in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadTurn<P> {
    /// The position.
    pub position: P,
    /// The chance that the text names: the dice of a position that is written with them.
    pub chance: Option<usize>,
    /// A remark for people on the part of the text that the position leaves out.
    pub remark: Option<String>,
}

impl<P> From<P> for ReadTurn<P> {
    /// A position whose text has nothing else.
    fn from(position: P) -> ReadTurn<P> {
        ReadTurn { position, chance: None, remark: None }
    }
}

/// A play: a choice after a chance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePlay<P> {
    /// The moves in the game's notation.
    pub moves: String,
    /// The position after them, seen by the other player.
    pub result: P,
    /// The checkers that it hits, in a game that counts them.
    pub hits: Option<usize>,
}

/// A game that was played, for [`PlayableGame::transcript`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTranscript<'a, P> {
    /// The names of the players, first the one who plays first.
    pub players: [&'a str; 2],
    /// Where the game began.
    pub start: P,
    /// The chance and the choice of each ply.
    pub turns: &'a [(usize, usize)],
}

/// A way in which a game can end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameOutcome {
    /// The name in results, such as `win`.
    pub name: &'static str,
    /// The points of the player on roll or to move.
    pub points: i32,
}

impl GameOutcome {
    /// The outcomes of a game that is won, drawn or lost.
    pub const WIN_DRAW_LOSE: [GameOutcome; 3] =
        [GameOutcome::new("win", 1), GameOutcome::new("draw", 0), GameOutcome::new("lose", -1)];

    /// A way in which a game can end.
    #[must_use]
    pub const fn new(name: &'static str, points: i32) -> GameOutcome {
        GameOutcome { name, points }
    }
}

/// The number of checkers on points 1 to 6 of the player on roll, and of the other player, by each one's own numbers.
pub type BothHome = [[u8; 6]; 2];

/// A name that is none of a game's sets of rules.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "'{}' {}: {}{}",
    Quoted::new(name),
    match twice {
        Some(rule) => format!("gives {rule} twice: give it once, of the rules of {game}"),
        None => format!("is not a set of rules of {game}, which has"),
    },
    known.join(", "),
    if known.iter().any(|name| name.contains('=')) { Self::OPTIONS } else { "" }
)]
pub struct RulesError {
    /// The game.
    pub game: &'static str,
    /// The name given.
    pub name: String,
    /// The rule of which the name has two options.
    pub twice: Option<String>,
    /// The names it has.
    pub known: &'static [&'static str],
}

impl RulesError {
    /// The remark on names that are options of rules, such as `r1=off`.
    const OPTIONS: &str = "; options of different rules combine, as in A=B,C=D";

    /// The error of a game that has no rules of this name.
    #[must_use]
    pub fn for_game<G: PlayableGame>(name: &str) -> RulesError {
        RulesError { game: G::NAME, name: name.to_owned(), twice: None, known: G::RULES }
    }
}

/// A text that is no position of a game: one line that names the value, the place and what is allowed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PositionError(String);

impl PositionError {
    /// The error of this message.
    pub fn new(message: impl Display) -> PositionError {
        PositionError(message.to_string())
    }
}
