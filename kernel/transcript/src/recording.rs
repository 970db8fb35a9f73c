//! Matches written down step by step.

use tavli_backgammon::board::MAX_POINTS;
use tavli_backgammon::text::Quoted;
use tavli_backgammon::{Board, Context, Cube, Position, RuleSet, Side, Stakes, TurnStage};
use tavli_cube::{CubeState, Score};

use crate::error::StepError;
use crate::played::{Action, Match, MatchGame, Step};

/// The comment that limits the cube; 1 stands for games without one.
const CUBE_LIMIT: &str = "CubeLimit";
/// The comment which says that gammons count only once the cube has been turned.
const JACOBY: &str = "Jacoby";

/// A match of backgammon that is written down while it is played or read. It keeps track of the turn, the cube and the
/// points.
///
/// ```
/// use tavli_backgammon::{Board, Plays, RuleSet};
/// use tavli_transcript::{Action, Recording};
///
/// let mut recording = Recording::new(None, ["Ann".to_owned(), "Ben".to_owned()]).without_cube();
/// recording.begin()?;
/// let roll = "31".parse()?;
/// let after = Plays::new(&Board::START, roll, RuleSet::Backgammon).get(0).expect("a play").board();
/// recording.act(0, Action::Play { roll, after })?;
/// recording.give_up(1, 1);
/// assert!(recording.played().mat().ends_with(" Wins 1 point\n"));
/// assert_eq!(recording.begin().map(|()| recording.played().games[1].score), Ok([0, 1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recording {
    pub(crate) played: Match,
    in_play: Option<GameInPlay>,
    had_crawford: bool,
}

#[derive(Clone, Debug)]
struct GameInPlay {
    board: Board,
    on_roll: usize,
    log2: u8,
    owner: Option<usize>,
    /// Whether a double waits for its answer.
    is_doubled: bool,
}

impl Recording {
    /// A match to `length` points, or a money session without one, between players of these names, before its first
    /// game.
    #[must_use]
    pub fn new(length: Option<u16>, players: [String; 2]) -> Recording {
        Recording {
            played: Match { length, players, comments: Vec::new(), games: Vec::new() },
            in_play: None,
            had_crawford: false,
        }
    }

    /// Without a doubling cube.
    #[must_use]
    pub fn without_cube(mut self) -> Recording {
        self.comment(CUBE_LIMIT, "1");
        self
    }

    /// In a money session, gammons count only once the cube has been turned.
    #[must_use]
    pub fn with_jacoby(mut self) -> Recording {
        self.comment(JACOBY, "On");
        self
    }

    fn comment(&mut self, key: &str, value: &str) {
        self.played.comments.push((key.to_owned(), value.to_owned()));
    }

    /// The match recorded so far.
    #[must_use]
    pub fn played(&self) -> &Match {
        &self.played
    }

    /// Begins a game at the score that the games before have led to.
    ///
    /// # Errors
    /// [`StepError`] if the match is over, or the points of a session are too many.
    pub fn begin(&mut self) -> Result<(), StepError> {
        self.begin_at(self.played.games.last().map_or([0, 0], MatchGame::score_after))
    }

    pub(crate) fn begin_at(&mut self, score: [u16; 2]) -> Result<(), StepError> {
        let length = self.played.length;
        if let Some(length) = length
            && score.iter().any(|&points| points >= length)
        {
            return Err(StepError::MatchOver { score, length });
        }
        // No score has reached the length, so neither difference is below 0.
        let away = length.map(|length| score.map(|points| length - points));
        if score.iter().any(|&points| points > MAX_POINTS) {
            return Err(StepError::Points);
        }
        let crawford = away.is_some_and(|away| Score::in_game(away, self.had_crawford).crawford);
        self.had_crawford |= crawford;
        self.played.games.push(MatchGame { score, crawford, steps: Vec::new(), winner: None });
        self.in_play = Some(GameInPlay { board: Board::START, on_roll: 0, log2: 0, owner: None, is_doubled: false });
        Ok(())
    }

    /// Refuses the score of the game that has just begun if the game before does not lead to it. If that game breaks
    /// off, either player may have won it.
    pub(crate) fn check_score(&self) -> Result<(), String> {
        let [.., before, game] = &self.played.games[..] else {
            return Ok(());
        };
        // Some programs begin each game of a session at 0-0.
        let is_fresh = self.played.length.is_none() && game.score == [0, 0];
        let after = before.score_after();
        let follows = match before.winner {
            Some(_) => game.score == after,
            None => {
                (0..2).all(|player| game.score[player] >= after[player])
                    && (0..2).any(|player| game.score[player] == after[player])
            }
        };
        if follows || is_fresh {
            return Ok(());
        }
        let ([own, other], [own_after, other_after]) = (game.score, after);
        Err(format!(
            "the score {own}-{other} does not follow from the game before, which led to \
             {own_after}-{other_after}: correct the score or the result of that game, or give another match its \
             own file"
        ))
    }

    /// Leaves the game in play as it is.
    pub(crate) fn leave(&mut self) {
        self.in_play = None;
    }

    /// The position of the game in play, seen by the player on roll.
    pub(crate) fn board(&self) -> Option<&Board> {
        self.in_play.as_ref().map(|in_play| &in_play.board)
    }

    /// Writes down an action of a player, 0 or 1. The player of a game's first action is on roll. Plays are not checked
    /// against their rolls.
    ///
    /// # Errors
    /// [`StepError`] if the action is not allowed; nothing is written then.
    pub fn act(&mut self, player: usize, action: Action) -> Result<(), StepError> {
        self.act_at(player, action, 0)
    }

    /// [`Recording::act`] in a line of a file.
    pub(crate) fn act_at(&mut self, player: usize, action: Action, line: usize) -> Result<(), StepError> {
        let is_answer = matches!(action, Action::Take | Action::Pass);
        let doubler = self.check(player, is_answer)?;
        let stage = match action {
            Action::Play { roll, .. } => TurnStage::Rolled(roll),
            Action::Double => TurnStage::ToRoll,
            Action::Take | Action::Pass => TurnStage::Doubled,
        };
        // Whatever may fail comes before the first change, so that a refused action leaves the record as it was.
        let position = self.position(stage, doubler)?;
        let (in_play, game) = (self.in_play.as_mut(), self.played.games.last_mut());
        let (in_play, game) = in_play.zip(game).ok_or(StepError::NoGame)?;
        let cube = position.context().cube;
        match action {
            Action::Double if game.steps.is_empty() => return Err(StepError::OpeningDouble),
            Action::Play { roll, .. } if game.steps.is_empty() && roll.is_double() => {
                return Err(StepError::OpeningRoll(roll));
            }
            Action::Double if game.crawford => return Err(StepError::Crawford),
            Action::Double if cube.owner == Some(Side::Opponent) => return Err(StepError::Cube),
            Action::Double if cube.log2 >= cube.max_log2 => return Err(StepError::CubeLimit(1 << cube.max_log2)),
            _ => in_play.on_roll = doubler,
        }
        game.steps.push(Step { player, position, action, line });
        match action {
            Action::Double => in_play.is_doubled = true,
            Action::Take => {
                in_play.log2 += 1;
                in_play.owner = Some(player);
                in_play.is_doubled = false;
            }
            // A cube has at most 2^15, which fits the points.
            Action::Pass => game.winner = Some((doubler, 1 << in_play.log2)),
            Action::Play { after, .. } => {
                in_play.board = after;
                in_play.on_roll = 1 - player;
                if let Some(outcome) = RuleSet::Backgammon.outcome(&after) {
                    game.winner = Some((player, worth(&position, outcome.points().unsigned_abs())));
                }
            }
        }
        Ok(())
    }

    /// Refuses a double to another value than twice the cube's. A double without a value passes.
    pub(crate) fn check_double(&self, to: Option<u32>) -> Result<(), String> {
        let doubled = self.in_play.as_ref().map_or(2, |in_play| 2 << in_play.log2);
        match to.filter(|&to| to != doubled) {
            None => Ok(()),
            Some(to) => Err(format!("the cube stands at {}, so a double turns it to {doubled}, not {to}", doubled / 2)),
        }
    }

    /// The player on roll, if a player may play or double, or, for `is_answer`, answer a double.
    ///
    /// # Errors
    /// [`StepError`] if the player may not act.
    pub(crate) fn check(&self, player: usize, is_answer: bool) -> Result<usize, StepError> {
        let (Some(in_play), Some(game)) = (&self.in_play, self.played.games.last()) else {
            return Err(StepError::NoGame);
        };
        if game.winner.is_some() {
            return Err(StepError::GameOver);
        }
        match (is_answer, in_play.is_doubled) {
            (false, true) => return Err(StepError::Doubled),
            (true, false) => return Err(StepError::NotDoubled),
            _ => {}
        }
        let on_roll = if game.steps.is_empty() { player } else { in_play.on_roll };
        if player != if is_answer { 1 - on_roll } else { on_roll } {
            let name = &self.played.players[1 - player];
            return Err(StepError::Turn(Quoted::new(name).within(40).to_string()));
        }
        Ok(on_roll)
    }

    /// Ends a game that a player gave up, with its winner and the points with the cube. The result of a game that has
    /// ended stays.
    pub fn give_up(&mut self, winner: usize, points: u16) {
        if let Some(game) = self.played.games.last_mut() {
            game.winner = game.winner.or(Some((winner, points)));
        }
    }

    /// [`give_up`](Recording::give_up) with points from a file, which are refused if no game with this cube has them.
    /// Some programs count a win by no more points than the winner needs.
    pub(crate) fn give_up_as_written(&mut self, winner: usize, points: u16) -> Result<(), String> {
        let (Some(in_play), Some(game)) = (&self.in_play, self.played.games.last_mut()) else {
            return Ok(());
        };
        let cube = 1_u16 << in_play.log2;
        let needed = self.played.length.map_or(u16::MAX, |length| length.saturating_sub(game.score[winner]));
        let is_written = |worth: u16| points == worth || points == worth.min(needed);
        let Some((won_by, worth)) = game.winner else {
            // A backgammon with a cube of 2^15 passes 16 bits.
            let worths = [1, 2, 3].map(|times: u16| times.saturating_mul(cube));
            if !worths.into_iter().any(is_written) {
                let [single, gammon, backgammon] = worths;
                return Err(format!(
                    "a game that is given up with the cube at {cube} is worth {single}, {gammon} or {backgammon} \
                     points, not {points}"
                ));
            }
            game.winner = Some((winner, points));
            return Ok(());
        };
        if winner != won_by {
            let [winner, loser] = [won_by, winner].map(|player| Quoted::new(&self.played.players[player]).within(40));
            return Err(format!("'{winner}' has won this game, and the result stands in the column of '{loser}'"));
        }
        // By Jacoby's rule, which files seldom name.
        let is_by_jacoby = self.played.length.is_none() && in_play.owner.is_none() && points == cube;
        if !is_written(worth) && !is_by_jacoby {
            let unit = if worth == 1 { "point" } else { "points" };
            return Err(format!(
                "the game ended with the cube at {cube} and is worth {worth} {unit}, not {points}: write Wins {worth} \
                 {unit}"
            ));
        }
        game.winner = Some((won_by, points));
        Ok(())
    }

    /// The position of the player on roll.
    fn position(&self, stage: TurnStage, on_roll: usize) -> Result<Position, StepError> {
        let (Some(in_play), Some(game)) = (&self.in_play, self.played.games.last()) else {
            return Err(StepError::NoGame);
        };
        let stakes = match self.played.length {
            Some(length) => Stakes::Match { length, crawford: game.crawford },
            None => Stakes::Money { jacoby: self.says(JACOBY), beavers: self.says("beaver") || self.says("beavers") },
        };
        let owner = in_play.owner.map(|owner| match owner == on_roll {
            true => Side::OnRoll,
            false => Side::Opponent,
        });
        let mut context = Context {
            stage,
            cube: Cube { log2: in_play.log2, owner, max_log2: self.cube_limit() },
            stakes,
            score: game.score[on_roll],
            opponent_score: game.score[1 - on_roll],
            ..Context::default()
        };
        context.decision = context.awaited();
        Position::new(in_play.board, context).map_err(|error| StepError::Position(error.to_string()))
    }

    /// The name and the value in a comment.
    fn value(&self, key: &str) -> Option<&str> {
        let mut comments = self.played.comments.iter();
        let found = comments.find(|(name, _)| name.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.as_str())
    }

    /// Whether a comment says yes.
    fn says(&self, key: &str) -> bool {
        let value = self.value(key).map(str::to_lowercase);
        value.is_some_and(|value| matches!(value.as_str(), "true" | "on" | "yes" | "1"))
    }

    /// The largest cube, as a power of 2.
    fn cube_limit(&self) -> u8 {
        let limit = self.value(CUBE_LIMIT).and_then(|value| value.parse::<u32>().ok());
        let limit = limit.filter(|limit| limit.is_power_of_two()).map(u32::ilog2);
        let limit = limit.and_then(|log2| u8::try_from(log2).ok());
        // Programs write limits that their matches exceed. So only the limit that stands for no cube lowers the
        // default.
        limit.map_or(Cube::default().max_log2, |log2| match log2 {
            0 => 0,
            log2 => log2.clamp(Cube::default().max_log2, CubeState::MAX_LOG2),
        })
    }
}

/// The points of a game with the cube of its last position.
fn worth(position: &Position, points: u32) -> u16 {
    let points = points as i32;
    let worth = CubeState::from_context(position.context()).map_or(points, |state| state.points(points));
    u16::try_from(worth).unwrap_or(u16::MAX)
}
