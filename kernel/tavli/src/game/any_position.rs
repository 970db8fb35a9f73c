//! A position of any game, for programs that learn the game at run time.

use core::fmt;
use std::sync::Arc;

use tavli_backgammon::Tier;
use tavli_game::{NamedGame, Nodes, PositionError, RulesError, Tally, playouts};
use tavli_run::{Cancel, Workers};
use tavli_search::{Budget, Report, Search, Settings, SettingsError};
use thiserror::Error;

use super::list::{UnknownGame, Visitor, visit};

/// A position of any game, with the game's rules: text in, text out.
///
/// ```
/// use tavli::game::AnyPosition;
/// let position = AnyPosition::read("tictactoe", None, "XX-/OO-/--- X")?;
/// let plays = position.plays(None)?;
/// assert_eq!((plays.len(), plays[0].moves.as_str()), (5, "c3"));
/// assert_eq!(plays[0].position.text(), "XXX/OO-/--- O");
/// assert_eq!(plays[0].position.points(), Some(-1));
/// # Ok::<(), tavli::game::AnyPositionError>(())
/// ```
#[derive(Clone)]
pub struct AnyPosition(Arc<dyn Held>);

/// A play: its moves in notation, and the position after it, seen by the other player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyPlay {
    /// The moves.
    pub moves: String,
    /// The position.
    pub position: AnyPosition,
}

/// Why a position or its plays cannot be had.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum AnyPositionError {
    /// No game of this name.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// No rules of this name.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A text that is no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A roll for a game without dice.
    #[error("{0} has no dice: leave the roll out")]
    NoDice(&'static str),
    /// No roll for a game with dice.
    #[error("{0} has dice: name a roll, such as 31")]
    NoRoll(&'static str),
    /// A text that is no roll.
    #[error("'{0}' is no roll: write two digits 1 to 6, such as 31")]
    Roll(String),
    /// No play from a finished game.
    #[error("the game is over in the position {0}")]
    Over(String),
    /// Settings that a search refuses.
    #[error(transparent)]
    Search(#[from] SettingsError),
}

impl AnyPosition {
    /// Reads a position of a game, by the game's usual rules if none are named.
    ///
    /// # Errors
    /// [`AnyPositionError`] if there is no such game, or no such rules, or it is no position.
    pub fn read(game: &str, rules: Option<&str>, text: &str) -> Result<AnyPosition, AnyPositionError> {
        let text = Some(text);
        visit(game, GameReader { rules, text })?
    }

    /// The position in which a game begins.
    ///
    /// # Errors
    /// [`AnyPositionError`] if there is no such game, or no such rules.
    pub fn start(game: &str, rules: Option<&str>) -> Result<AnyPosition, AnyPositionError> {
        visit(game, GameReader { rules, text: None })?
    }

    /// The name of the game.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.0.game()
    }

    /// The name of its rules.
    #[must_use]
    pub fn rules(&self) -> &str {
        self.0.rules()
    }

    /// The text that [`AnyPosition::read`] takes.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// The text of all that the position holds, which [`AnyPosition::read`] takes too: with what the game's usual
    /// notation leaves out.
    #[must_use]
    pub fn state(&self) -> String {
        self.0.state()
    }

    /// A drawing in lines of text.
    #[must_use]
    pub fn drawing(&self) -> String {
        self.0.drawing()
    }

    /// If the game is over, the points of the player whose turn it would be.
    #[must_use]
    pub fn points(&self) -> Option<i32> {
        self.0.points()
    }

    /// Numbers of the position, by name.
    #[must_use]
    pub fn numbers(&self) -> Vec<(&'static str, Vec<i32>)> {
        self.0.numbers()
    }

    /// The plays of a roll, or of a turn in a game without dice.
    ///
    /// # Errors
    /// [`AnyPositionError`] if the game is over, or the roll is missing, no roll, or one too many.
    pub fn plays(&self, roll: Option<&str>) -> Result<Vec<AnyPlay>, AnyPositionError> {
        self.0.plays(roll)
    }

    /// The sequences of `depth` plies.
    #[must_use]
    pub fn perft(&self, depth: u32) -> Nodes {
        self.0.perft(depth)
    }

    /// Playouts of a seed from the position; `None` if `stop` returned `true`.
    ///
    /// # Errors
    /// [`AnyPositionError::Over`] if the game is over.
    pub fn playouts(
        &self,
        tier: Tier,
        seed: u64,
        games: core::ops::Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Tally>, AnyPositionError> {
        match self.points() {
            Some(_) => Err(AnyPositionError::Over(self.text())),
            None => Ok(self.0.playouts(tier, seed, games, stop)),
        }
    }

    /// Searches for the best of the [`plays`](AnyPosition::plays) of a roll: the choices of the report are their
    /// indices. The tier changes the speed only.
    ///
    /// # Errors
    /// [`AnyPositionError`] as in [`AnyPosition::plays`], or if settings are out of range.
    pub fn search(
        &self,
        roll: Option<&str>,
        tier: Tier,
        settings: Settings,
        budget: Budget,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<Report, AnyPositionError> {
        self.0.search(roll, tier, settings, budget, workers, cancel)
    }
}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.game(), self.state(), self.rules())
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &AnyPosition) -> bool {
        (self.game(), self.rules(), self.state()) == (other.game(), other.rules(), other.state())
    }
}

impl Eq for AnyPosition {}

/// A position whose type is forgotten.
trait Held: Send + Sync {
    fn game(&self) -> &'static str;
    fn rules(&self) -> &str;
    fn text(&self) -> String;
    fn state(&self) -> String;
    fn drawing(&self) -> String;
    fn points(&self) -> Option<i32>;
    fn numbers(&self) -> Vec<(&'static str, Vec<i32>)>;
    fn plays(&self, roll: Option<&str>) -> Result<Vec<AnyPlay>, AnyPositionError>;
    fn perft(&self, depth: u32) -> Nodes;
    fn playouts(&self, tier: Tier, seed: u64, games: core::ops::Range<u64>, stop: &dyn Fn() -> bool) -> Option<Tally>;
    fn search(
        &self,
        roll: Option<&str>,
        tier: Tier,
        settings: Settings,
        budget: Budget,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<Report, AnyPositionError>;
}

/// A position of the game `G`.
struct Of<G: NamedGame> {
    game: Arc<G>,
    rules: Arc<str>,
    position: G::Position,
}

/// Reads a position of the game that it visits, or takes its start.
struct GameReader<'a> {
    rules: Option<&'a str>,
    text: Option<&'a str>,
}

impl Visitor for GameReader<'_> {
    type Output = Result<AnyPosition, AnyPositionError>;

    fn visit<G: NamedGame>(self) -> Result<AnyPosition, AnyPositionError> {
        let rules = self.rules.unwrap_or(G::RULES[0]);
        let game = G::by_rules(rules, Tier::Portable, 0)?;
        let position = match self.text {
            Some(text) => game.read(text.trim())?,
            None => game.start(),
        };
        Ok(AnyPosition(Arc::new(Of {
            game: Arc::new(game),
            rules: rules.into(),
            position,
        })))
    }
}

impl<G: NamedGame> Of<G> {
    /// The chance of a roll, in a position in which the game goes on.
    fn chance(&self, roll: Option<&str>) -> Result<usize, AnyPositionError> {
        if self.points().is_some() {
            return Err(AnyPositionError::Over(self.text()));
        }
        match (self.game.chances().len(), roll) {
            (1, None) => Ok(0),
            (1, Some(_)) => Err(AnyPositionError::NoDice(G::NAME)),
            (_, None) => Err(AnyPositionError::NoRoll(G::NAME)),
            (_, Some(roll)) => {
                let chance = self.game.chance(roll.trim());
                chance.ok_or_else(|| AnyPositionError::Roll(roll.chars().take(20).collect()))
            }
        }
    }

    /// The game with the playouts of a seed on a tier.
    fn seeded(&self, tier: Tier, seed: u64) -> G {
        G::by_rules(&self.rules, tier, seed).expect("the rules of the position")
    }
}

impl<G: NamedGame> Held for Of<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn rules(&self) -> &str {
        &self.rules
    }

    fn text(&self) -> String {
        self.game.text(&self.position)
    }

    fn state(&self) -> String {
        self.game.state(&self.position)
    }

    fn drawing(&self) -> String {
        self.game.drawing(&self.position)
    }

    fn points(&self) -> Option<i32> {
        self.game.points(&self.position)
    }

    fn numbers(&self) -> Vec<(&'static str, Vec<i32>)> {
        self.game.numbers(&self.position)
    }

    fn plays(&self, roll: Option<&str>) -> Result<Vec<AnyPlay>, AnyPositionError> {
        let chance = self.chance(roll)?;
        let results = self.game.results(&self.position, chance);
        let plays = results.into_iter().enumerate().map(|(choice, position)| AnyPlay {
            moves: self.game.moves(&self.position, chance, choice),
            position: AnyPosition(Arc::new(Of {
                game: Arc::clone(&self.game),
                rules: Arc::clone(&self.rules),
                position,
            })),
        });
        Ok(plays.collect())
    }

    fn perft(&self, depth: u32) -> Nodes {
        self.game.perft(&self.position, depth)
    }

    fn playouts(&self, tier: Tier, seed: u64, games: core::ops::Range<u64>, stop: &dyn Fn() -> bool) -> Option<Tally> {
        playouts(&self.seeded(tier, seed), &self.position, None, games, stop)
    }

    fn search(
        &self,
        roll: Option<&str>,
        tier: Tier,
        settings: Settings,
        budget: Budget,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<Report, AnyPositionError> {
        let chance = self.chance(roll)?;
        let game = Arc::new(self.seeded(tier, settings.seed));
        let search = Search::new(game, self.position, chance, settings, budget)?;
        Ok(search.cancelled_by(cancel).run(workers, |_| ()))
    }
}
