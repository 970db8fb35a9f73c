//! What version 0.1 says about the game beside its position: stakes, score, cube, and whose turn it is.

use tavli::board::ContextError;
use tavli::{Board, Context, Cube, Player, Position, Stakes};

/// What was said. Positions that name cube and score themselves have their own.
#[derive(Clone, Debug)]
pub(super) struct Said {
    stakes: Stakes,
    has_crawford_rule: bool,
    /// The first score at which somebody was one point from winning, that of the Crawford game.
    crawford: Option<[u16; 2]>,
    score: [u16; 2],
    log2: u8,
    owner: Option<usize>,
    turn: usize,
}

impl Default for Said {
    fn default() -> Said {
        Said {
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

/// A player of the session.
fn player(name: &str) -> Option<usize> {
    match name {
        "p0" => Some(0),
        "p1" => Some(1),
        _ => None,
    }
}

impl Said {
    /// The session that `newsession WORDS` begins.
    ///
    /// # Errors
    /// A message says what the words may be.
    pub(super) fn session(words: &[&str]) -> Result<Said, String> {
        let form = || "newsession type money|match, length N for a match, jacoby on|off, crawford on|off".to_owned();
        let mut said = Said::default();
        let (mut is_match, mut length, mut jacoby) = (false, None, None);
        let (pairs, rest) = words.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(form());
        }
        let switch = |value: &str| match value {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err(form()),
        };
        for [name, value] in pairs {
            match (*name, *value) {
                ("type", kind @ ("money" | "match")) => is_match = kind == "match",
                ("length", points) => length = Some(points.parse().map_err(|_| form())?),
                ("jacoby", value) => jacoby = Some(switch(value)?),
                ("crawford", value) => said.has_crawford_rule = switch(value)?,
                _ => return Err(form()),
            }
        }
        match (is_match, length, &mut said.stakes) {
            (true, Some(length), stakes) => {
                *stakes = Stakes::Match {
                    length,
                    crawford: false,
                }
            }
            (true, None, _) => return Err(form()),
            (false, _, Stakes::Money { jacoby: is_on, .. }) => *is_on = jacoby.unwrap_or(*is_on),
            (false, ..) => {}
        }
        said.set_score([0; 2]);
        Ok(said)
    }

    /// Obeys `setscore`, `setcube` or `setturn`.
    ///
    /// # Errors
    /// A message says what the words may be.
    pub(super) fn set(&mut self, words: &[&str]) -> Result<(), String> {
        match *words {
            ["setscore", first, second] => {
                let score = [first, second].map(|points| points.parse().ok());
                let [Some(first), Some(second)] = score else {
                    return Err("setscore P0 P1, two numbers of points".to_owned());
                };
                self.set_score([first, second]);
                Ok(())
            }
            ["setcube", "value", value, "owner", owner] => {
                let value: Option<u32> = value.parse().ok().filter(|value: &u32| value.is_power_of_two());
                let owner = match owner {
                    "center" | "centre" => Some(None),
                    name => player(name).map(Some),
                };
                let (Some(value), Some(owner)) = (value, owner) else {
                    return Err("setcube value 1|2|4|... owner center|p0|p1".to_owned());
                };
                (self.log2, self.owner) = (value.ilog2() as u8, owner);
                Ok(())
            }
            ["setturn", name] => {
                self.turn = player(name).ok_or("setturn p0|p1")?;
                Ok(())
            }
            _ => Err("setscore P0 P1, setcube value N owner center|p0|p1, or setturn p0|p1".to_owned()),
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
    /// [`ContextError`] says what cannot be.
    pub(super) fn position(&self, board: Board) -> Result<Position, ContextError> {
        let usual = Context::default();
        let owner = self.owner.map(|owner| match owner == self.turn {
            true => Player::OnRoll,
            false => Player::Opponent,
        });
        let mut context = Context {
            stakes: self.stakes,
            score: self.score[self.turn],
            opponent_score: self.score[1 - self.turn],
            cube: Cube {
                log2: self.log2,
                owner,
                ..usual.cube
            },
            ..usual
        };
        context.cube.raise_limit();
        Position::new(board, context)
    }
}
