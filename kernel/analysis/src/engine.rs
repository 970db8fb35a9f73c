//! An engine: one player, one set of rules, asked for plays and cube decisions position by position. Frontend protocols
//! are thin layers over it.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::text::Quoted;
use tavli_backgammon::{Board, PlayoutError, Playouts, Position, Roll, RuleSet, Tier};
use tavli_players::MoveFilters;
use tavli_players::named::{self, NamedError, check_look_ahead};
use tavli_rollout::{RequestedPlay, Rollout, RolloutError, RolloutRequest};
use tavli_run::{Cancel, Workers};
use thiserror::Error;

use crate::cube::{CubeInPlay, CubeState, CubeStateError, PossibleRolls};
use crate::evaluation::{Evaluation, PositionValue, RankedPlay, RankedPlays};

/// An engine. Its answers depend on the position, its player, plies and rules, and on whether it values with the cube.
/// A clone has the same player and the same workers, but its own settings.
///
/// ```
/// use tavli_analysis::engine::Engine;
/// use tavli_backgammon::{Position, RuleSet, Tier};
/// use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
///
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let engine = Engine::new("fast", 0, RuleSet::Backgammon, Tier::best(), workers, &Cancel::new())?;
/// let position: Position = "4HPwATDgc/ABMA".parse()?;
/// let plays = engine.plays(&position, "31".parse()?)?.plays;
/// assert_eq!(plays[0].play.moves.to_string(), "8/5 6/5");
/// let value = engine.value(&position)?.expect("nothing cancels it");
/// assert_eq!(value.cube.map(|cube| cube.action.doubles()), Some(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    player: String,
    /// The player's values, without looking ahead.
    values: Arc<dyn Evaluator>,
    plies: u32,
    rules: RuleSet,
    is_cubeful: bool,
    evaluation: Evaluation,
    tier: Tier,
    workers: Arc<Workers>,
    cancel: Cancel,
}

/// Why an engine cannot answer.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The name of a player that does not exist, values no positions, or looks ahead already and was asked for plies.
    #[error("{0}")]
    Player(String),
    /// The engine was cancelled while the bear-off table of its player was solved.
    #[error("stopped before the player's bear-off table was solved")]
    Stopped,
    /// A position that the rules do not have, or in which the game is over or can never end.
    #[error(transparent)]
    Position(#[from] PlayoutError),
    /// An impossible cube or score.
    #[error(transparent)]
    Cube(#[from] CubeStateError),
    /// Plays that cannot be rolled out.
    #[error(transparent)]
    Rollout(#[from] RolloutError),
}

impl Engine {
    /// An engine whose player looks `plies` plies ahead, with the cube if the rules have one. `cancel` stops this call,
    /// even while the player's bear-off table is solved, and later all work of the engine.
    ///
    /// # Errors
    /// [`EngineError::Player`] if no player of the name values positions, or if it looks ahead by its name and `plies`
    /// are not 0, and [`EngineError::Stopped`].
    pub fn new(
        player: &str,
        plies: u32,
        rules: RuleSet,
        tier: Tier,
        workers: impl Into<Arc<Workers>>,
        cancel: &Cancel,
    ) -> Result<Engine, EngineError> {
        let values = values(player, cancel)?;
        Ok(Engine {
            player: player.to_owned(),
            evaluation: with_look_ahead(Evaluation::new(Arc::clone(&values), rules), player, plies)?,
            values,
            plies,
            rules,
            is_cubeful: true,
            tier,
            workers: workers.into(),
            cancel: cancel.clone(),
        })
    }

    /// The name of the player.
    #[must_use]
    pub fn player(&self) -> &str {
        &self.player
    }

    /// How many plies it looks ahead.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Whether it values a position at once, by a net or tables: its player plays no games, and neither the player, by
    /// its name, nor the engine looks ahead.
    ///
    /// ```
    /// use tavli_analysis::engine::Engine;
    /// use tavli_backgammon::{RuleSet, Tier};
    /// use tavli_run::{Cancel, Workers};
    ///
    /// let is_at_once = |player, plies| {
    ///     let engine = Engine::new(player, plies, RuleSet::Backgammon, Tier::best(), Workers::here(), &Cancel::new());
    ///     engine.map(|engine| engine.values_at_once())
    /// };
    /// assert!(is_at_once("fast", 0)? && !is_at_once("fast", 1)?);
    /// assert!(!is_at_once("sampled:36", 0)? && !is_at_once("strong+1ply", 0)?);
    /// # Ok::<(), tavli_analysis::engine::EngineError>(())
    /// ```
    #[must_use]
    pub fn values_at_once(&self) -> bool {
        let looks_ahead = self.plies > 0 || check_look_ahead(self.values.name(), NonZeroU32::MIN).is_err();
        !looks_ahead && self.values.games().is_none()
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// A remark for people, if the player [has not learned](named::remark_on_values) the rules.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        named::remark_on_values(self.values.name(), self.rules)
    }

    /// Takes another player.
    ///
    /// # Errors
    /// As [`Engine::new`]; the player stays as it was.
    pub fn set_player(&mut self, player: &str) -> Result<(), EngineError> {
        let values = values(player, &self.cancel)?;
        // A new evaluation: the cache of the old one has values of the other player.
        self.evaluation = with_look_ahead(Evaluation::new(Arc::clone(&values), self.rules), player, self.plies)?;
        self.values = values;
        player.clone_into(&mut self.player);
        Ok(())
    }

    /// Looks `plies` plies ahead.
    ///
    /// # Errors
    /// [`EngineError::Player`] if the player looks ahead by its name and `plies` is not 0; the plies stay as they were.
    pub fn set_plies(&mut self, plies: u32) -> Result<(), EngineError> {
        // The player and the rules are the same, so the cache stays valid.
        self.evaluation = with_look_ahead(self.evaluation.clone(), &self.player, plies)?;
        self.plies = plies;
        Ok(())
    }

    /// Plays by other rules.
    pub fn set_rules(&mut self, rules: RuleSet) {
        // Without the old cache, since its values are by the old rules.
        let evaluation = Evaluation::new(Arc::clone(&self.values), rules);
        self.evaluation =
            with_look_ahead(evaluation, &self.player, self.plies).expect("it looks as far ahead by other rules");
        self.rules = rules;
    }

    /// Takes other workers.
    pub fn set_workers(&mut self, workers: impl Into<Arc<Workers>>) {
        self.workers = workers.into();
    }

    /// Values with the cube, or without.
    pub fn set_cubeful(&mut self, is_cubeful: bool) {
        self.is_cubeful = is_cubeful;
    }

    /// A switch that stops the engine's current work and all later calls.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The tier that it computes on.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The workers, which clones share.
    #[must_use]
    pub fn workers(&self) -> &Arc<Workers> {
        &self.workers
    }

    /// The workers, and a copy of this engine that computes on the calling thread: for many positions that the workers
    /// share.
    pub(crate) fn by_question(&self) -> (&Arc<Workers>, Engine) {
        let alone = Engine {
            // A question has too few positions to share, and a worker that asks its own workers waits for itself.
            workers: Arc::new(Workers::here()),
            ..self.clone()
        };
        (&self.workers, alone)
    }

    /// Takes a new switch.
    pub fn set_cancel(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
    }

    /// The cube of a position, as the player on roll sees it; `None` in an engine that values without cube, and under
    /// rules that have none.
    ///
    /// # Errors
    /// [`EngineError::Cube`] if the cube or the score is impossible.
    pub fn cube(&self, position: &Position) -> Result<Option<CubeInPlay>, EngineError> {
        if !self.is_cubeful || !self.rules.has_cube_efficiency() {
            return Ok(None);
        }
        let state = CubeState::from_context(position.context())?;
        Ok(Some(CubeInPlay { state, efficiency: None }))
    }

    /// The plays of a roll, the best first.
    ///
    /// # Errors
    /// [`EngineError`] if the game is over, or the cube or the score is impossible.
    pub fn plays(&self, position: &Position, roll: Roll) -> Result<RankedPlays, EngineError> {
        let cube = self.cube(position)?;
        let (board, tier, workers) = (position.board(), self.tier, &self.workers);
        let ranked = self.evaluation.ranked(board, roll, cube.as_ref(), tier, workers, &self.cancel);
        Ok(ranked?)
    }

    /// A play of a position, valued as far ahead as the engine looks, even if a move filter dropped it; `None` if the
    /// engine was cancelled.
    ///
    /// # Errors
    /// [`EngineError`] if the cube or the score is impossible.
    pub fn at_full_depth(&self, position: &Position, play: &RankedPlay) -> Result<Option<RankedPlay>, EngineError> {
        let cube = self.cube(position)?;
        let (tier, workers) = (self.tier, &self.workers);
        Ok(self.evaluation.at_full_depth(play, cube.as_ref(), tier, workers, &self.cancel))
    }

    /// The rollout that [decides](RolloutRequest::decision) among these plays of a roll, named by the positions after
    /// them, played to its end in this thread; `None` if it was cancelled.
    ///
    /// # Errors
    /// [`EngineError`] if the game is over, the cube or the score is impossible, or no play leads to a position.
    pub fn decide(&self, position: &Position, roll: Roll, plays: &[Board]) -> Result<Option<Rollout>, EngineError> {
        let defaults = match RolloutRequest::decision(self.rules, &|| self.cancel.is_cancelled()) {
            Err(NamedError::Stopped) => return Ok(None),
            defaults => defaults.map_err(RolloutError::from)?,
        };
        let request = RolloutRequest {
            roll: Some(roll),
            plays: Some(plays.iter().copied().map(RequestedPlay::After).collect()),
            cube: self.cube(position)?,
            ..defaults
        };
        let mut rollout = request.rollout(position)?;
        let end = rollout.play_here(self.tier, &|| self.cancel.is_cancelled());
        Ok(end.is_ok().then_some(rollout))
    }

    /// The value of a position before the roll, and the right cube action; `None` if the engine was cancelled.
    ///
    /// # Errors
    /// As [`Engine::plays`]; a game that is over has a value, too.
    pub fn value(&self, position: &Position) -> Result<Option<PositionValue>, EngineError> {
        let cube = self.cube(position)?;
        let positions = [(*position.board(), cube)];
        let valued = self
            .evaluation
            .decisions(&positions, self.tier, &self.workers, &self.cancel)
            .map_err(|(_, error)| error)?;
        Ok(valued.first().copied())
    }

    /// How much better the best play of a roll is than the mean over all `rolls` that might have come, for the player
    /// on roll, without looking ahead; `None` if the engine was cancelled.
    ///
    /// # Errors
    /// [`EngineError`] if the game is over, or the cube or the score is impossible.
    pub fn luck(&self, position: &Position, roll: Roll, rolls: PossibleRolls) -> Result<Option<f64>, EngineError> {
        let cube = self.cube(position)?;
        let board = position.board();
        // Only for its error: a game that is over has no luck, and asking for it panics.
        Playouts::new(*board, self.rules, 0)?;
        Ok(self.evaluation.luck(board, (roll, rolls), cube.as_ref(), self.tier, &self.cancel))
    }
}

fn values(player: &str, cancel: &Cancel) -> Result<Arc<dyn Evaluator>, EngineError> {
    named::evaluator(player, &|| cancel.is_cancelled()).map_err(|error| match error {
        NamedError::Stopped => EngineError::Stopped,
        error => EngineError::Player(error.to_string()),
    })
}

/// An evaluation by the player of a name, looking ahead.
fn with_look_ahead(evaluation: Evaluation, player: &str, plies: u32) -> Result<Evaluation, EngineError> {
    let ahead = evaluation.with_look_ahead(plies, MoveFilters::default());
    ahead.map_err(|error| match error {
        NamedError::Plies { .. } => EngineError::Player(format!(
            "the player '{}' looks ahead by its name: ask it for 0 plies of look-ahead, not {plies}, or name a player \
             without +1ply",
            Quoted::new(player)
        )),
        error => EngineError::Player(error.to_string()),
    })
}
