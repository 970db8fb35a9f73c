//! A position of any game, for programs that learn the game at run time.

use core::any::Any;
use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::Tier;
use tavli_base::Stopped;
use tavli_base::text::{Quoted, bare};
use tavli_game::{
    GameOutcome, MovesError, NetError, Nodes, PlayableGame, PlayoutStart, PositionError, ReadTurn, RulesError, START,
    Tally,
};
use tavli_run::{Cancel, Workers};
use tavli_search::{Budget, GameLookAhead, RootCounts, Search, SearchReport, SearchSettings, SettingsError};
use thiserror::Error;

use super::any_net::AnyNet;
use super::choice_evaluator::{ChoiceEvaluator, RankedChoice, UnknownEvaluator, evaluator_index};
use super::files::read_net;
use super::list::{UnknownGame, Visitor, visit, visit_other};

/// A position of any game, with the game's rules: text in, text out.
///
/// ```
/// use tavli_games::AnyPosition;
/// let position = AnyPosition::read("tictactoe", None, "XX-/OO-/--- X")?;
/// let plays = position.plays(None)?;
/// assert_eq!((plays.len(), plays[0].moves.as_str()), (5, "c3"));
/// assert_eq!(plays[0].position.text(), "XXX/OO-/--- O");
/// assert_eq!(plays[0].position.points(), Some(-1));
/// # Ok::<(), tavli_games::AnyPositionError>(())
/// ```
#[derive(Clone)]
pub struct AnyPosition(Arc<dyn DynPosition>);

/// A play: its moves in notation, and the position after it, seen by the other player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyPlay {
    /// The moves.
    pub moves: String,
    /// The position.
    pub position: AnyPosition,
}

/// The evaluator of positions and plays.
#[derive(Clone, Copy, Debug)]
pub enum AnyEvaluator<'a> {
    /// The game's evaluator by name; `None` is the game's first.
    OfGame(Option<&'a str>),
    /// A net, and how many plies it looks ahead.
    Net(&'a AnyNet, u32),
}

/// Why there is no such position, or no result for it.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum AnyPositionError {
    /// No game has the name.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// No rules of the game have the name.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A text that is not a position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A text with dice, which an [`AnyPosition`] does not have.
    #[error("the position has the roll {0}: leave its dice out, and name the roll when asking for plays")]
    Rolled(String),
    /// A roll for a game without dice.
    #[error("{0} has no dice: leave the roll out")]
    NoDice(&'static str),
    /// No roll for a game with dice.
    #[error("{0} has dice: name a roll, such as 31")]
    NoRoll(&'static str),
    /// A text that is not a roll.
    #[error("'{}' is not a roll: write two digits 1 to 6, such as 31", Quoted::new(.0))]
    Roll(String),
    /// A text that names no play.
    #[error(transparent)]
    Moves(#[from] MovesError),
    /// The game is over. Holds its position, with the reason if the position does not show it.
    #[error("the game is already over in the position {0}; name one in which it goes on")]
    Over(String),
    /// No evaluator of the game has the name.
    #[error(transparent)]
    Evaluator(#[from] UnknownEvaluator),
    /// A net of another game.
    #[error("a net of {net} values no positions of {game}: name a net of {game}")]
    OtherNet {
        /// The game of the net.
        net: &'static str,
        /// The game of the position.
        game: &'static str,
    },
    /// More plies than a net looks ahead.
    #[error("nets look at most {most} plies ahead, not {plies}")]
    Plies {
        /// The plies asked for.
        plies: u32,
        /// The most there may be.
        most: u32,
    },
    /// Settings that a search refuses.
    #[error(transparent)]
    Search(#[from] SettingsError),
    /// The caller stopped it before its end.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl AnyPosition {
    /// Reads a position of a game; `rules` of `None` are the game's usual ones. `start` is the position in which a game
    /// begins.
    ///
    /// # Errors
    /// [`AnyPositionError`] if there is no such game or no such rules, or if the text is not a position, or has dice.
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

    /// [`AnyPosition::read`], or without a text [`AnyPosition::start`], for the games of
    /// [`OTHER_NAMES`](super::OTHER_NAMES) only. A program that calls only this, and neither [`AnyPosition::perft`] nor
    /// [`AnyPosition::search`], has no code of backgammon.
    ///
    /// # Errors
    /// [`AnyPositionError`] as in those functions.
    pub fn read_other(game: &str, rules: Option<&str>, text: Option<&str>) -> Result<AnyPosition, AnyPositionError> {
        visit_other(game, GameReader { rules, text })?
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

    /// The complete text of the position, which [`AnyPosition::read`] also takes: it includes what the game's usual
    /// notation leaves out.
    #[must_use]
    pub fn state(&self) -> String {
        self.0.state()
    }

    /// A remark for people on the text that the position was read from, such as a game that was played by other rules.
    #[must_use]
    pub fn remark(&self) -> Option<&str> {
        self.0.remark()
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

    /// How its game can end, in the order of results.
    #[must_use]
    pub fn outcomes(&self) -> &'static [GameOutcome] {
        self.0.outcomes()
    }

    /// Whether its game has dice.
    #[must_use]
    pub fn has_dice(&self) -> bool {
        self.0.has_dice()
    }

    /// Numbers of the position, by name.
    #[must_use]
    pub fn numbers(&self) -> Vec<(&'static str, Vec<i32>)> {
        self.0.numbers()
    }

    /// The plays of a roll, or of a turn in a game without dice.
    ///
    /// # Errors
    /// [`AnyPositionError`] if the game is over, or the roll is missing, invalid, or given in a game without dice.
    pub fn plays(&self, roll: Option<&str>) -> Result<Vec<AnyPlay>, AnyPositionError> {
        self.0.plays(roll)
    }

    /// The position after the play that these moves name: as in [`AnyPosition::plays`], or any other moves of the
    /// game's notation that lead to the same position.
    ///
    /// # Errors
    /// [`AnyPositionError`] as in [`AnyPosition::plays`], and [`AnyPositionError::Moves`] if they name no play.
    pub fn play_named(&self, roll: Option<&str>, moves: &str) -> Result<AnyPosition, AnyPositionError> {
        self.0.play_named(roll, moves)
    }

    /// The sequences of `depth` plies.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` returned `true`.
    pub fn perft(&self, depth: u32, stop: &dyn Fn() -> bool) -> Result<Nodes, Stopped> {
        self.by_game(Count { of: self, depth, stop })
    }

    /// Playouts of a seed from the position.
    ///
    /// # Errors
    /// [`AnyPositionError::Over`] if the game is over, [`AnyPositionError::Stopped`] if `stop` returned `true`.
    pub fn playouts(
        &self,
        tier: Tier,
        seed: u64,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Tally, AnyPositionError> {
        match self.points() {
            Some(_) => Err(AnyPositionError::Over(self.0.text_of_end())),
            None => Ok(self.0.playouts(tier, seed, games, stop)?),
        }
    }

    /// Searches for the best of the [`plays`](AnyPosition::plays) of a roll: the choices of the report are their
    /// indices. The tier changes only the speed.
    ///
    /// # Errors
    /// [`AnyPositionError`] as in [`AnyPosition::plays`], or if settings are out of range.
    pub fn search(
        &self,
        roll: Option<&str>,
        tier: Tier,
        settings: SearchSettings,
        budget: Budget,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<SearchReport, AnyPositionError> {
        self.by_game(SearchOn { of: self, roll, tier, settings, budget, workers, cancel })
    }

    /// The trees with the numbers `trees` of [`AnyPosition::search`], on this thread: for programs without workers. The
    /// roots of all trees add up to the root of the whole search. Calls `progress` with the counts so far every few
    /// thousand simulations.
    ///
    /// # Errors
    /// As [`AnyPosition::search`].
    ///
    /// # Panics
    /// If the search has fewer trees.
    pub fn search_trees(
        &self,
        roll: Option<&str>,
        tier: Tier,
        settings: SearchSettings,
        budget: Budget,
        trees: Range<u32>,
        progress: &dyn Fn(&RootCounts),
    ) -> Result<SearchReport, AnyPositionError> {
        self.0.search_trees(roll, tier, settings, budget, trees, progress)
    }

    /// Reads the file of a net of the game, as [`read_net`] does.
    ///
    /// # Errors
    /// As [`read_net`].
    pub fn net(&self, tier: Tier, file: &[u8]) -> Result<AnyNet, NetError> {
        self.0.net(tier, file)
    }

    /// The value of the position in points for the player on roll or to move, before a roll.
    ///
    /// # Errors
    /// [`AnyPositionError`] if the game is over, or the game does not have the evaluator; [`AnyPositionError::Stopped`]
    /// if `stop` returned `true` while a net looked ahead.
    pub fn value(&self, by: AnyEvaluator<'_>, stop: &dyn Fn() -> bool) -> Result<f64, AnyPositionError> {
        self.0.value(by, stop)
    }

    /// The [`plays`](AnyPosition::plays) of a roll, the best first: their indices and their values.
    ///
    /// # Errors
    /// [`AnyPositionError`] as in [`AnyPosition::plays`] and [`AnyPosition::value`].
    pub fn ranked(
        &self,
        roll: Option<&str>,
        by: AnyEvaluator<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<RankedChoice>, AnyPositionError> {
        self.0.ranked(roll, by, stop)
    }
}

impl AnyPosition {
    /// Calls a visitor with the game of the position.
    fn by_game<V: Visitor>(&self, visitor: V) -> V::Output {
        visit(self.game(), visitor).expect("its own name")
    }

    /// The position of the game `G`, which is its own.
    pub(super) fn typed<G: PlayableGame>(&self) -> &TypedPosition<G> {
        self.0.any().downcast_ref().expect("a position of its game")
    }
}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.game(), self.state(), self.rules())
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &AnyPosition) -> bool {
        // By the state: the usual text may leave parts of a position out.
        (self.game(), self.rules(), self.state()) == (other.game(), other.rules(), other.state())
    }
}

impl Eq for AnyPosition {}

/// A position whose type is forgotten.
// The module of WebAssembly has every method of this trait, compiled for each game, so functions that pages never call
// are `Visitor`s below.
trait DynPosition: Send + Sync {
    fn any(&self) -> &dyn Any;
    fn game(&self) -> &'static str;
    fn rules(&self) -> &str;
    fn text(&self) -> String;
    fn state(&self) -> String;
    fn remark(&self) -> Option<&str>;
    fn text_of_end(&self) -> String;
    fn drawing(&self) -> String;
    fn points(&self) -> Option<i32>;
    fn outcomes(&self) -> &'static [GameOutcome];
    fn has_dice(&self) -> bool;
    fn numbers(&self) -> Vec<(&'static str, Vec<i32>)>;
    fn plays(&self, roll: Option<&str>) -> Result<Vec<AnyPlay>, AnyPositionError>;
    fn play_named(&self, roll: Option<&str>, moves: &str) -> Result<AnyPosition, AnyPositionError>;
    fn playouts(&self, tier: Tier, seed: u64, games: Range<u64>, stop: &dyn Fn() -> bool) -> Result<Tally, Stopped>;
    fn search_trees(
        &self,
        roll: Option<&str>,
        tier: Tier,
        settings: SearchSettings,
        budget: Budget,
        trees: Range<u32>,
        progress: &dyn Fn(&RootCounts),
    ) -> Result<SearchReport, AnyPositionError>;
    fn net(&self, tier: Tier, file: &[u8]) -> Result<AnyNet, NetError>;
    fn value(&self, by: AnyEvaluator<'_>, stop: &dyn Fn() -> bool) -> Result<f64, AnyPositionError>;
    fn ranked(
        &self,
        roll: Option<&str>,
        by: AnyEvaluator<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<RankedChoice>, AnyPositionError>;
}

/// A position of the game `G`.
pub(super) struct TypedPosition<G: PlayableGame> {
    game: Arc<G>,
    rules: Arc<str>,
    pub(super) position: G::Position,
    remark: Option<String>,
}

/// Reads a position of the game that it visits, or takes its start.
struct GameReader<'a> {
    rules: Option<&'a str>,
    text: Option<&'a str>,
}

impl Visitor for GameReader<'_> {
    type Output = Result<AnyPosition, AnyPositionError>;

    fn visit<G: PlayableGame>(self) -> Result<AnyPosition, AnyPositionError> {
        let rules = self.rules.unwrap_or(G::RULES[0]);
        // The best tier, since perft counts on it. No seed: playouts and searches have their own game, by `seeded`.
        let game = G::by_rules(rules, Tier::best(), 0)?;
        let read = match self.text {
            Some(text) if bare(text) != START => game.read_turn(text.trim())?,
            _ => game.start().into(),
        };
        let ReadTurn { position, chance, remark } = read;
        match chance {
            Some(chance) => Err(AnyPositionError::Rolled(game.chance_text(chance))),
            None => {
                Ok(AnyPosition(Arc::new(TypedPosition { game: Arc::new(game), rules: rules.into(), position, remark })))
            }
        }
    }
}

/// Counts the sequences of plies from a position of the game that it visits.
struct Count<'a> {
    of: &'a AnyPosition,
    depth: u32,
    stop: &'a dyn Fn() -> bool,
}

impl Visitor for Count<'_> {
    type Output = Result<Nodes, Stopped>;

    fn visit<G: PlayableGame>(self) -> Result<Nodes, Stopped> {
        let TypedPosition { game, position, .. } = self.of.typed::<G>();
        perft(&**game, position, self.depth, self.stop)
    }
}

/// Searches a position of the game that it visits on workers.
struct SearchOn<'a> {
    of: &'a AnyPosition,
    roll: Option<&'a str>,
    tier: Tier,
    settings: SearchSettings,
    budget: Budget,
    workers: &'a Workers,
    cancel: &'a Cancel,
}

impl Visitor for SearchOn<'_> {
    type Output = Result<SearchReport, AnyPositionError>;

    fn visit<G: PlayableGame>(self) -> Result<SearchReport, AnyPositionError> {
        let of = self.of.typed::<G>();
        let search = of.searching(self.roll, self.tier, self.settings, self.budget)?;
        Ok(search.cancelled_by(self.cancel).run(self.workers, |_| ()))
    }
}

/// The plies that [`perft`] counts before it looks for a stop, with dice and without. The games count several plies at
/// once faster than one by one, but three plies of a position in which a double has two thousand plays take a minute.
const COUNTED_AT_ONCE: [u32; 2] = [2, 6];

/// Counts the sequences of `depth` plies from a position, unless `stop` returns `true`.
fn perft<G: PlayableGame>(
    game: &G,
    position: &G::Position,
    depth: u32,
    stop: &dyn Fn() -> bool,
) -> Result<Nodes, Stopped> {
    if stop() {
        return Err(Stopped);
    }
    let [with_dice, without_dice] = COUNTED_AT_ONCE;
    let at_once = if game.chances().len() > 1 { with_dice } else { without_dice };
    if depth <= at_once {
        return Ok(game.perft(position, depth));
    }
    let mut sum = Nodes::default();
    if game.points(position).is_some() {
        return Ok(sum);
    }
    for (chance, &weight) in game.chances().iter().enumerate() {
        let mut below = Nodes::default();
        for result in game.results(position, chance) {
            below += perft(game, &result, depth - 1, stop)?;
        }
        sum += below.after_chance(weight);
    }
    Ok(sum)
}

impl<G: PlayableGame> TypedPosition<G> {
    /// Refuses a position in which the game is over.
    fn check_goes_on(&self) -> Result<(), AnyPositionError> {
        match self.points() {
            None => Ok(()),
            Some(_) => Err(AnyPositionError::Over(self.text_of_end())),
        }
    }

    /// Another position of the game by the same rules.
    fn with_position(&self, position: G::Position) -> AnyPosition {
        AnyPosition(Arc::new(TypedPosition {
            game: Arc::clone(&self.game),
            rules: Arc::clone(&self.rules),
            position,
            // The remark is on a text, and this position was not read from it.
            remark: None,
        }))
    }

    /// The chance of a roll, in a position in which the game goes on.
    pub(super) fn chance(&self, roll: Option<&str>) -> Result<usize, AnyPositionError> {
        self.check_goes_on()?;
        match (self.has_dice(), roll) {
            (false, None) => Ok(0),
            (false, Some(_)) => Err(AnyPositionError::NoDice(G::NAME)),
            (true, None) => Err(AnyPositionError::NoRoll(G::NAME)),
            (true, Some(roll)) => {
                let chance = self.game.chance(roll.trim());
                chance.ok_or_else(|| AnyPositionError::Roll(roll.to_owned()))
            }
        }
    }

    /// The search of a roll's plays.
    fn searching(
        &self,
        roll: Option<&str>,
        tier: Tier,
        settings: SearchSettings,
        budget: Budget,
    ) -> Result<Search<G>, AnyPositionError> {
        let chance = self.chance(roll)?;
        let game = Arc::new(self.seeded(tier, settings.seed));
        Ok(Search::new(game, self.position, chance, settings, budget)?)
    }

    /// Values by an evaluator of the game, or by a net.
    fn choice_evaluator(&self, by: AnyEvaluator<'_>) -> Result<ChoiceEvaluator<G>, AnyPositionError> {
        let game = Arc::clone(&self.game);
        match by {
            AnyEvaluator::OfGame(name) => Ok(ChoiceEvaluator::with_evaluator(game, evaluator_index::<G>(name)?)),
            // Refused here, since `GameLookAhead::new` panics.
            AnyEvaluator::Net(_, plies) if plies > GameLookAhead::<G>::MAX_PLIES => {
                Err(AnyPositionError::Plies { plies, most: GameLookAhead::<G>::MAX_PLIES })
            }
            AnyEvaluator::Net(net, plies) => match net.heuristic::<G>() {
                Some(net) => Ok(ChoiceEvaluator::with_net(game, net, plies)),
                None => Err(AnyPositionError::OtherNet { net: net.game(), game: G::NAME }),
            },
        }
    }

    /// The game with the playouts of a seed on a tier.
    pub(super) fn seeded(&self, tier: Tier, seed: u64) -> G {
        G::by_rules(&self.rules, tier, seed).expect("the rules of the position")
    }
}

impl<G: PlayableGame> DynPosition for TypedPosition<G> {
    fn any(&self) -> &dyn Any {
        self
    }

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

    fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    fn text_of_end(&self) -> String {
        self.game.text_of_end(&self.position)
    }

    fn drawing(&self) -> String {
        self.game.drawing(&self.position)
    }

    fn points(&self) -> Option<i32> {
        self.game.points(&self.position)
    }

    fn outcomes(&self) -> &'static [GameOutcome] {
        G::OUTCOMES
    }

    fn has_dice(&self) -> bool {
        self.game.chances().len() > 1
    }

    fn numbers(&self) -> Vec<(&'static str, Vec<i32>)> {
        self.game.numbers(&self.position)
    }

    fn plays(&self, roll: Option<&str>) -> Result<Vec<AnyPlay>, AnyPositionError> {
        let chance = self.chance(roll)?;
        let plays = self
            .game
            .plays(&self.position, chance)
            .into_iter()
            .map(|play| AnyPlay { moves: play.moves, position: self.with_position(play.result) });
        Ok(plays.collect())
    }

    fn play_named(&self, roll: Option<&str>, moves: &str) -> Result<AnyPosition, AnyPositionError> {
        let chance = self.chance(roll)?;
        let choice = self.game.choice_named(&self.position, chance, moves)?;
        Ok(self.with_position(self.game.result(&self.position, chance, choice)))
    }

    fn playouts(&self, tier: Tier, seed: u64, games: Range<u64>, stop: &dyn Fn() -> bool) -> Result<Tally, Stopped> {
        PlayoutStart::new(self.position).run(&self.seeded(tier, seed), games, stop)
    }

    fn search_trees(
        &self,
        roll: Option<&str>,
        tier: Tier,
        settings: SearchSettings,
        budget: Budget,
        trees: Range<u32>,
        progress: &dyn Fn(&RootCounts),
    ) -> Result<SearchReport, AnyPositionError> {
        let search = self.searching(roll, tier, settings, budget)?;
        Ok(search.of_trees(trees).run_here_with_progress(progress))
    }

    fn net(&self, tier: Tier, file: &[u8]) -> Result<AnyNet, NetError> {
        read_net(&self.seeded(tier, 0), file).map(AnyNet::new::<G>)
    }

    fn value(&self, by: AnyEvaluator<'_>, stop: &dyn Fn() -> bool) -> Result<f64, AnyPositionError> {
        self.check_goes_on()?;
        Ok(self.choice_evaluator(by)?.value(&self.position, stop)?)
    }

    fn ranked(
        &self,
        roll: Option<&str>,
        by: AnyEvaluator<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<RankedChoice>, AnyPositionError> {
        let chance = self.chance(roll)?;
        Ok(self.choice_evaluator(by)?.ranked(&self.position, chance, stop)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_base::NO_STOP;

    const PLAKOTO: &[u8] = include_bytes!("../players/plakoto-strong.player");

    fn start(game: &str) -> AnyPosition {
        AnyPosition::read_other(game, None, None).expect("a game")
    }

    #[test]
    fn backgammon_is_none_of_the_other_games() {
        let error = AnyPosition::read_other("backgammon", None, None).unwrap_err();
        assert!(matches!(error, AnyPositionError::Game(_)), "{error}");
        for text in [start("draughts").text().as_str(), " start ", "\u{feff}start"] {
            assert_eq!(Ok(start("draughts")), AnyPosition::read("draughts", Some("english"), text));
        }
    }

    #[test]
    fn what_a_text_has_beside_the_position_is_refused_or_remarked_on() {
        let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
        let error = AnyPosition::read("backgammon", None, xgid).unwrap_err();
        assert_eq!(error, AnyPositionError::Rolled("31".to_owned()));
        assert!(error.to_string().starts_with("the position has the roll 31: "), "{error}");
        assert!(AnyPosition::read("backgammon", None, &xgid.replace(":31:", ":00:")).is_ok());
        let game = "[Rules \"report\"]\n1. 11-15 23-19 2. 8-11";
        let read = |rules| AnyPosition::read("draughts", rules, game).expect("a game");
        let remark = "the game was played by report rules, and its last position is taken by english rules";
        assert_eq!(read(None).remark(), Some(remark));
        assert_eq!(read(None).plays(None).expect("plays")[0].position.remark(), None);
        assert_eq!(read(Some("report")).remark(), None);
    }

    #[test]
    fn a_net_values_positions_of_its_game_only() {
        let [plakoto, fevga] = ["plakoto", "fevga"].map(start);
        let net = plakoto.net(Tier::best(), PLAKOTO).expect("a net of plakoto");
        assert!(fevga.net(Tier::best(), PLAKOTO).is_err());
        let value = plakoto.value(AnyEvaluator::Net(&net, 0), NO_STOP).expect("a value");
        assert!((0.0..0.5).contains(&value), "the player on roll is ahead, {value}");
        let ranked = plakoto.ranked(Some("31"), AnyEvaluator::Net(&net, 1), NO_STOP).expect("plays");
        let stopped = plakoto.ranked(Some("31"), AnyEvaluator::Net(&net, 1), &|| true);
        assert_eq!(stopped, Err(AnyPositionError::Stopped(Stopped)));
        assert_eq!(ranked.len(), plakoto.plays(Some("31")).expect("plays").len());
        assert!(ranked.windows(2).all(|pair| pair[0].value >= pair[1].value));
        for (error, said) in [
            (fevga.value(AnyEvaluator::Net(&net, 0), NO_STOP), "a net of plakoto values no positions of fevga"),
            (plakoto.value(AnyEvaluator::Net(&net, 3), NO_STOP), "nets look at most 2 plies ahead, not 3"),
            (plakoto.value(AnyEvaluator::OfGame(Some("lines")), NO_STOP), "'lines' is not an evaluator of plakoto"),
        ] {
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }

    #[test]
    fn a_play_is_named_by_its_moves_in_any_order_or_by_others_to_its_position() {
        let plakoto = start("plakoto");
        let play = plakoto.plays(Some("31")).expect("plays").remove(0);
        let mut moves: Vec<&str> = play.moves.split(' ').collect();
        moves.reverse();
        assert_eq!(plakoto.play_named(Some("31"), &moves.join("  ")), Ok(play.position));
        let draughts = AnyPosition::read("draughts", None, "B:W18,19,26,27:BK31").expect("a position");
        let play = draughts.plays(None).expect("plays").remove(0);
        assert_eq!(play.moves, "31x24x15x22x31");
        for moves in ["31x24x15x22x31", "31x22x15x24x31", "31x31"] {
            assert_eq!(draughts.play_named(None, moves), Ok(play.position.clone()), "{moves}");
        }
        let error = plakoto.play_named(Some("31"), "zz").unwrap_err().to_string();
        assert!(error.starts_with("'zz' is none of the "), "{error}");
        assert!(matches!(draughts.play_named(None, "31x22"), Err(AnyPositionError::Moves(_))));
    }

    #[test]
    fn trees_add_up_to_their_search() {
        let position = start("tictactoe");
        let (settings, budget) = (SearchSettings::default(), Budget::simulations(1000));
        let search = |trees| position.search_trees(None, Tier::best(), settings, budget, trees, &|_| ());
        let whole = position.search(None, Tier::best(), settings, budget, &Workers::here(), &Cancel::new());
        let mut sum = search(0..1).expect("a search").root;
        sum.merge(&search(1..settings.trees).expect("a search").root);
        assert_eq!(sum, whole.expect("a search").root);
    }

    #[test]
    fn an_evaluator_of_the_game_values_positions_and_plays() {
        let position = AnyPosition::read("tictactoe", None, "XX-/OO-/--- X").expect("a position");
        let ranked = position.ranked(None, AnyEvaluator::OfGame(Some("ends")), NO_STOP).expect("plays");
        assert_eq!((ranked[0].choice, ranked[0].value), (0, 1.0));
        assert_eq!(position.value(AnyEvaluator::OfGame(None), NO_STOP), Ok(0.0));
    }
}
