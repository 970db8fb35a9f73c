//! The state of a match in version 0.1, which is sent apart from the position: stakes, score, cube, and whose turn it
//! is.

use tavli::board::{ContextError, MAX_CUBE_LOG2, MAX_POINTS};
use tavli::text::Quoted;
use tavli::{Board, Context, Cube, Position, Side, Stakes};

/// The end of errors about the words of `newsession`.
const NEW_SESSION: &str = ": send newsession type money|match, length N for a match, jacoby on|off, crawford on|off";

/// The state by `newsession`, `setscore`, `setcube` and `setturn`. Positions that name cube and score themselves have
/// their own.
#[derive(Clone, Debug)]
pub(super) struct MatchState {
    stakes: Stakes,
    has_crawford_rule: bool,
    /// The first score at which somebody was one point from winning: the score of the Crawford game.
    crawford: Option<[u16; 2]>,
    score: [u16; 2],
    log2: u8,
    owner: Option<usize>,
    turn: usize,
}

impl Default for MatchState {
    fn default() -> MatchState {
        MatchState {
            stakes: Stakes::default(),
            has_crawford_rule: true,
            crawford: None,
            score: [0; 2],
            log2: 0,
            owner: None,
            turn: 0,
        }
    }
}

/// A word as errors name it.
fn shown(word: &str) -> String {
    format!("'{}'", Quoted::new(word).within(40))
}

/// A player of the session.
fn player(name: &str) -> Option<usize> {
    match name {
        "p0" => Some(0),
        "p1" => Some(1),
        _ => None,
    }
}

impl MatchState {
    /// The session that `newsession WORDS` begins.
    ///
    /// # Errors
    /// A message says what the words may be.
    pub(super) fn session(words: &[&str]) -> Result<MatchState, String> {
        let mut match_state = MatchState::default();
        let (mut is_match, mut length, mut jacoby) = (false, None, None);
        let (pairs, rest) = words.as_chunks::<2>();
        if let [name] = rest {
            return Err(format!("newsession {} has no value{NEW_SESSION}", shown(name)));
        }
        for [name, value] in pairs {
            let wrong = |values: &str| format!("newsession {name} is {}: send {values}", shown(value));
            let switch = || match *value {
                "on" | "true" => Ok(true),
                "off" | "false" => Ok(false),
                _ => Err(wrong("on or off")),
            };
            match *name {
                "type" => match *value {
                    "money" => is_match = false,
                    "match" => is_match = true,
                    _ => return Err(wrong("money or match")),
                },
                "length" => {
                    let points = value.parse().ok().filter(|points| (1..=MAX_POINTS).contains(points));
                    length = Some(points.ok_or_else(|| wrong(&format!("1 to {MAX_POINTS} points")))?);
                }
                "jacoby" => jacoby = Some(switch()?),
                "crawford" => match_state.has_crawford_rule = switch()?,
                _ => return Err(format!("newsession has no {}{NEW_SESSION}", shown(name))),
            }
        }
        match (is_match, length, &mut match_state.stakes) {
            (true, Some(_), _) if jacoby == Some(true) => {
                return Err("newsession type is match, with jacoby on: send jacoby off, or type money".to_owned());
            }
            (true, Some(length), stakes) => *stakes = Stakes::Match { length, crawford: false },
            (true, None, _) => return Err(format!("newsession type is match, without a length{NEW_SESSION}")),
            (false, Some(length), _) => {
                return Err(format!(
                    "newsession length is {length}, and type is money: leave length out, or send type match"
                ));
            }
            (false, _, Stakes::Money { jacoby: is_on, .. }) => *is_on = jacoby.unwrap_or(*is_on),
            (false, ..) => {}
        }
        match_state.set_score([0; 2]);
        Ok(match_state)
    }

    /// Obeys `setscore`, `setcube` or `setturn`.
    ///
    /// # Errors
    /// A message says what the words may be.
    pub(super) fn set(&mut self, words: &[&str]) -> Result<(), String> {
        match *words {
            ["setscore", first, second] => {
                let read = |points: &str| {
                    let wrong = || format!("setscore is {}: send 0 to {MAX_POINTS} points", shown(points));
                    let read = points.parse().ok().filter(|points| *points <= MAX_POINTS);
                    read.ok_or_else(wrong)
                };
                let score = [read(first)?, read(second)?];
                if let Stakes::Match { length, .. } = self.stakes
                    && let Some(points) = score.iter().find(|&&points| points >= length)
                {
                    return Err(format!(
                        "setscore is {points} points in a match to {length}: send 0 to {}",
                        length - 1
                    ));
                }
                self.set_score(score);
                Ok(())
            }
            ["setcube", "value", value, "owner", owner] => {
                let log2 = value.parse().ok().filter(|value: &u32| value.is_power_of_two());
                let log2 = log2.map(u32::ilog2).filter(|&log2| log2 <= MAX_CUBE_LOG2.into());
                let most = 1_u32 << MAX_CUBE_LOG2;
                let log2 =
                    log2.ok_or_else(|| format!("setcube value is {}: send 1, 2, 4, ... {most}", shown(value)))?;
                self.owner = match owner {
                    "center" | "centre" => None,
                    name => Some(
                        player(name)
                            .ok_or_else(|| format!("setcube owner is {}: send center, p0 or p1", shown(name)))?,
                    ),
                };
                self.log2 = log2 as u8;
                Ok(())
            }
            ["setturn", name] => {
                self.turn = player(name).ok_or_else(|| format!("setturn is {}: send p0 or p1", shown(name)))?;
                Ok(())
            }
            _ => Err(format!(
                "{}: send setscore P0 P1, setcube value N owner center|p0|p1, or setturn p0|p1",
                Quoted::new(&words.join(" ")).within(80)
            )),
        }
    }

    fn set_score(&mut self, score: [u16; 2]) {
        self.score = score;
        let Stakes::Match { length, crawford } = &mut self.stakes else {
            return;
        };
        let is_one_away = score.iter().any(|points| points.saturating_add(1) == *length);
        if is_one_away && self.crawford.is_none() {
            self.crawford = Some(score);
        }
        *crawford = self.has_crawford_rule && self.crawford == Some(score);
    }

    /// A board in this session, seen by the player whose turn it is.
    ///
    /// # Errors
    /// [`ContextError`] if its parts contradict each other.
    pub(super) fn position(&self, board: Board) -> Result<Position, ContextError> {
        let defaults = Context::default();
        let owner = self.owner.map(|owner| match owner == self.turn {
            true => Side::OnRoll,
            false => Side::Opponent,
        });
        let mut context = Context {
            stakes: self.stakes,
            score: self.score[self.turn],
            opponent_score: self.score[1 - self.turn],
            cube: Cube { log2: self.log2, owner, ..defaults.cube },
            ..defaults
        };
        context.cube.raise_limit();
        Position::new(board, context)
    }
}
