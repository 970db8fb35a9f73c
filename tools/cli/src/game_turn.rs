//! The position and the roll that a command is asked about, in any game: read, checked, and in the results.

use std::ops::Deref;

use serde::Serialize;
use tavli::games::{AnyPosition, NAMES, PlayableGame, PositionError, ReadTurn, START};
use tavli::text::{Quoted, bare};
use tavli::{Board, Roll, RuleSet};
use tavli_terminal::failure::Failure;
use tavli_terminal::output;

use crate::arguments;

/// A position, and its chance.
pub(crate) struct Turn<P> {
    pub(crate) position: P,
    /// `None` before the roll of a game with dice; always there in a game without.
    pub(crate) chance: Option<usize>,
}

/// The position and the roll of a result, as JSON.
#[derive(Serialize)]
pub(crate) struct TurnJson<'a> {
    #[serde(flatten)]
    pub(crate) position: PositionJson,
    /// Absent before a roll, and in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) roll: Option<String>,
    /// Absent in backgammon.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    pub(crate) rules: &'a str,
}

/// The text of a position, under the keys that results of its game have for it. As text it is the complete one.
#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(untagged)]
pub(crate) enum PositionJson {
    /// A position of backgammon.
    Id { position_id: String },
    /// A position of another game.
    Text {
        position: String,
        /// The text of all that the position holds, if its usual text leaves something out.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<String>,
    },
}

impl PositionJson {
    pub(crate) fn from_board(board: Board) -> PositionJson {
        PositionJson::Id { position_id: board.position_id().to_string() }
    }

    pub(crate) fn new<G: PlayableGame>(game: &G, position: &G::Position) -> PositionJson {
        match is_backgammon::<G>() {
            true => PositionJson::Id { position_id: game.text(position) },
            false => PositionJson::from_texts(game.text(position), game.state(position)),
        }
    }

    /// The position of another game than backgammon with this usual text and this complete one.
    fn from_texts(position: String, state: String) -> PositionJson {
        PositionJson::Text { state: (state != position).then_some(state), position }
    }
}

impl Deref for PositionJson {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            PositionJson::Id { position_id } => position_id,
            PositionJson::Text { position, state } => state.as_ref().unwrap_or(position),
        }
    }
}

/// Whether a game is backgammon, whose results have members of their own, as they had before there were other games.
pub(crate) fn is_backgammon<G: PlayableGame>() -> bool {
    G::NAME == NAMES[0]
}

/// The game in JSON: absent in backgammon.
pub(crate) fn game_json<G: PlayableGame>() -> Option<&'static str> {
    (!is_backgammon::<G>()).then_some(G::NAME)
}

/// Reads a position, or takes the start of the game for [`START`]; a remark on it goes to standard error.
pub(crate) fn read<G: PlayableGame>(game: &G, text: &str) -> Result<ReadTurn<G::Position>, PositionError> {
    let text = bare(text);
    if text == START {
        return Ok(game.start().into());
    }
    let read = game.read_turn(text)?;
    if let Some(remark) = &read.remark {
        output::remark(format_args!("remark: '{}': {remark}", Quoted::new(text)));
    }
    Ok(read)
}

/// Reads a position, or takes the start of a game if there is none, or [`START`].
pub(crate) fn position<G: PlayableGame>(game: &G, text: Option<&str>) -> Result<G::Position, Failure> {
    let read = read(game, text.unwrap_or(START)).map_err(Failure::usage)?;
    Ok(read.position)
}

/// Reads a position of a command line, in which the game may be over.
pub(crate) fn read_argument<G: PlayableGame>(game: &G, text: &str) -> Result<ReadTurn<G::Position>, Failure> {
    read(game, text).map_err(|error| arguments::invalid_position(text, error))
}

/// Refuses a position in which the game is over.
pub(crate) fn check_goes_on<G: PlayableGame>(game: &G, position: &G::Position) -> Result<(), Failure> {
    match game.points(position) {
        None => Ok(()),
        Some(points) => Err(Failure::usage(format_args!(
            "the game is already over in the position {}, with {points:+} points for the player whose turn it would \
             be; name one in which it goes on",
            game.text_of_end(position)
        ))),
    }
}

/// The chance that a text names.
pub(crate) fn chance<G: PlayableGame>(game: &G, roll: &str) -> Result<usize, Failure> {
    if game.chances().len() == 1 {
        return Err(Failure::usage(format_args!(
            "{} has no dice: leave '{}' out, or write the whole position as one argument",
            G::NAME,
            Quoted::new(roll)
        )));
    }
    game.chance(roll.trim()).ok_or_else(|| {
        Failure::usage(format_args!("'{}' is not a roll: write two digits 1 to 6, such as 31", Quoted::new(roll)))
    })
}

impl<P> Turn<P> {
    /// Reads the position of a command line, in which the game goes on, and the roll after it if there is one.
    pub(crate) fn from_arguments<G: PlayableGame<Position = P>>(
        game: &G,
        text: &str,
        roll: Option<&str>,
    ) -> Result<Self, Failure> {
        let read = read_argument(game, text)?;
        check_goes_on(game, &read.position)?;
        Turn::from_read_turn(game, read, roll)
    }

    /// As [`Turn::from_read_turn`], but the game may be over only without a roll; the position then has no chance.
    pub(crate) fn from_read_or_end<G: PlayableGame<Position = P>>(
        game: &G,
        read: ReadTurn<P>,
        roll: Option<&str>,
    ) -> Result<Self, Failure> {
        if roll.is_none() && game.points(&read.position).is_some() {
            return Ok(Turn { position: read.position, chance: None });
        }
        check_goes_on(game, &read.position)?;
        Turn::from_read_turn(game, read, roll)
    }

    /// Reads the position of a line, in which the game may be over, and the roll after it if there is one.
    pub(crate) fn read_or_end<G: PlayableGame<Position = P>>(
        game: &G,
        text: &str,
        roll: Option<&str>,
    ) -> Result<Self, Failure> {
        let read = read(game, text).map_err(Failure::usage)?;
        Turn::from_read_turn(game, read, roll)
    }

    /// The turn of a position that was read, in which the game may be over, and the roll beside it if there is one.
    pub(crate) fn from_read_turn<G: PlayableGame<Position = P>>(
        game: &G,
        read: ReadTurn<P>,
        roll: Option<&str>,
    ) -> Result<Self, Failure> {
        let position = read.position;
        let given = roll.map(|roll| chance(game, roll)).transpose()?;
        let chance = match (read.chance, given) {
            (Some(own), Some(given)) if own != given => {
                let [own, given] = [own, given].map(|chance| game.chance_text(chance));
                return Err(Failure::usage(format_args!(
                    "the position has the roll {own}, not {given}; leave one of them out"
                )));
            }
            (own, given) => given.or(own),
        };
        let chance = chance.or((game.chances().len() == 1).then_some(0));
        Ok(Turn { position, chance })
    }

    /// The chance of a turn whose plays are asked for.
    pub(crate) fn rolled(&self) -> Result<usize, Failure> {
        self.chance.ok_or_else(no_roll)
    }
}

/// The failure of a command whose position needs a roll.
pub(crate) fn no_roll() -> Failure {
    Failure::usage("the position has no dice: write the ROLL after it")
}

impl<'a> TurnJson<'a> {
    /// A position of another game than backgammon, and its roll.
    pub(crate) fn from_any_position(position: &'a AnyPosition, roll: Option<&str>) -> TurnJson<'a> {
        TurnJson {
            position: PositionJson::from_texts(position.text(), position.state()),
            roll: roll.map(str::to_owned),
            game: Some(position.game()),
            rules: position.rules(),
        }
    }

    /// A position of backgammon, and its roll.
    pub(crate) fn from_board(board: &Board, roll: Option<Roll>, rules: RuleSet) -> TurnJson<'static> {
        TurnJson {
            position: PositionJson::from_board(*board),
            roll: roll.map(|roll| roll.to_string()),
            game: None,
            rules: rules.name(),
        }
    }

    /// A position without a roll.
    pub(crate) fn from_position<G: PlayableGame>(game: &G, position: &G::Position, rules: &'a str) -> TurnJson<'a> {
        TurnJson { position: PositionJson::new(game, position), roll: None, game: game_json::<G>(), rules }
    }

    pub(crate) fn new<G: PlayableGame>(game: &G, turn: &Turn<G::Position>, rules: &'a str) -> TurnJson<'a> {
        let has_dice = game.chances().len() > 1;
        TurnJson {
            roll: turn.chance.filter(|_| has_dice).map(|chance| game.chance_text(chance)),
            ..TurnJson::from_position(game, &turn.position, rules)
        }
    }

    /// The game, its rules, and the position, in words.
    pub(crate) fn heading(&self) -> String {
        let game = self.game.unwrap_or(NAMES[0]);
        format!("{game}, {} rules, {}", self.rules, &*self.position)
    }

    /// The game, its rules, and the roll from the position, in words.
    pub(crate) fn heading_of_roll(&self) -> String {
        let game = self.game.unwrap_or(NAMES[0]);
        let roll = self.roll.as_ref().map_or_else(String::new, |roll| format!("{roll} from "));
        format!("{game}, {} rules, {roll}{}", self.rules, &*self.position)
    }
}
