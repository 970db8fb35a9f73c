//! Positions and plays.

use serde::{Deserialize, Serialize, Serializer};
use tavli::games::{AnyPlay, AnyPosition, OTHER_NAMES};
use tavli::text::Quoted;
use tavli_web_module::{Failure, Kind, remark};

#[derive(Debug, Deserialize)]
pub(crate) struct GamePosition {
    game: String,
    rules: Option<String>,
    /// Absent for the start of a game.
    text: Option<String>,
}

impl GamePosition {
    pub(crate) fn read(&self) -> Result<AnyPosition, Failure> {
        is_here(&self.game)?;
        let position = AnyPosition::read_other(&self.game, self.rules.as_deref(), self.text.as_deref())?;
        if let (Some(text), Some(found)) = (&self.text, position.remark()) {
            remark(format_args!("'{}': {found}", Quoted::new(text.trim())));
        }
        Ok(position)
    }
}

/// Refuses the name of a game that the module does not have.
pub(crate) fn is_here(game: &str) -> Result<(), Failure> {
    if OTHER_NAMES.contains(&game) {
        return Ok(());
    }
    let remedy = match game {
        "backgammon" => " (load and Pool have backgammon)",
        _ => "",
    };
    let game = Quoted::new(game);
    let names = OTHER_NAMES.join(", ");
    Err(Failure::new(Kind::Settings, format_args!("'{game}' is not one of the games: {names}{remedy}")))
}

#[derive(Debug, Serialize)]
pub(crate) struct PositionJson {
    game: &'static str,
    rules: String,
    text: String,
    /// The text, with all that the usual notation leaves out.
    state: String,
    /// The outcome if the game is over, for the player whose turn it would be.
    outcome: Option<&'static str>,
    /// The points of that player.
    points: Option<i32>,
    numbers: Numbers,
}

/// Numbers by name.
#[derive(Debug)]
struct Numbers(Vec<(&'static str, Vec<i32>)>);

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, numbers)| (name, numbers)))
    }
}

impl PositionJson {
    pub(crate) fn new(position: &AnyPosition) -> PositionJson {
        let points = position.points();
        let mut outcomes = position.outcomes().iter();
        PositionJson {
            game: position.game(),
            rules: position.rules().to_owned(),
            text: position.text(),
            state: position.state(),
            outcome: points.and_then(|points| Some(outcomes.find(|outcome| outcome.points == points)?.name)),
            points,
            numbers: Numbers(position.numbers()),
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct PlayJson {
    moves: String,
    /// The position after it, seen by the other player.
    position: PositionJson,
}

/// The plays of a roll, in the library's order.
pub(crate) fn plays(position: &AnyPosition, roll: Option<&str>) -> Result<Vec<PlayJson>, Failure> {
    Ok(position.plays(roll)?.into_iter().map(PlayJson::from).collect())
}

impl From<AnyPlay> for PlayJson {
    fn from(play: AnyPlay) -> PlayJson {
        PlayJson { position: PositionJson::new(&play.position), moves: play.moves }
    }
}
