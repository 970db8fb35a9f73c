//! The moves of a play in words: `13/8 6/5`, `bar/20*`, `6/off(2)`.
//!
//! A play is a position, so its text follows from the positions before and after it and the roll.
//! Points are numbered from the mover's side. They are written as GNU Backgammon writes them:
//!
//! * a checker that moves on is written once, `24/18`, and the points it passes are named only where it
//!   hits, `24/20*/18`;
//! * of several ways to share the steps among checkers, the rearmost checker goes furthest;
//! * moves go from the rear to the front; from one point, a non-double's smaller die and a double's
//!   longer move come first;
//! * equal moves are counted, `8/4*(2) 6/2(2)`, and a hit is marked on the first checker to land there;
//! * a roll that moves nothing is `cannot move`.

use core::fmt;

use super::step::Step;
use crate::board::{BAR, Board, OFF};
use crate::dice::Roll;

/// The text of a play without any move.
pub(super) const CANNOT_MOVE: &str = "cannot move";

/// The steps of one play: at most four, none if the roll cannot be played.
///
/// ```
/// use tavli_backgammon::{Board, Roll, plays::notation::Moves};
/// let mut board = Board::START;
/// board.move_checker(8, 5)?;
/// board.move_checker(6, 5)?;
/// let moves = Moves::between(&Board::START, Roll::new(3, 1)?, &board.swapped());
/// assert_eq!(moves.map(|m| m.to_string()).as_deref(), Some("8/5 6/5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Moves {
    steps: [Step; 4],
    len: u8,
}

impl Moves {
    /// The steps that lead from `before` to `after` with this roll, where `after` has the next player
    /// on roll; `None` if no steps do.
    ///
    /// Each step is one the rules allow. It is not checked that the roll is played to the full: see
    /// [`Plays`](crate::plays::Plays) for the plays of a roll.
    #[must_use]
    pub fn between(before: &Board, roll: Roll, after: &Board) -> Option<Moves> {
        let dice = if roll.is_double() {
            [roll.high(); 4]
        } else {
            // The smaller die first is the order of the text, and uses both dice where one checker
            // can be borne off with either one or two.
            [roll.low(), roll.high(), 0, 0]
        };
        let used = if roll.is_double() { 4 } else { 2 };
        Moves::default().reach(before, &dice[..used], &after.swapped())
    }

    /// Plays on with the dice until the mover's checkers stand as in `target`.
    ///
    /// Whatever play it is, the rearmost checkers can move first: nothing that moves behind them can
    /// open their way. So the next step starts from the rearmost point with checkers too many.
    fn reach(self, board: &Board, dice: &[u8], target: &Board) -> Option<Moves> {
        let surplus = |&point: &u8| board.own().count(point) > target.own().count(point);
        let Some(from) = (1..=BAR).rev().find(surplus) else {
            return (board == target).then_some(self);
        };
        for (i, &die) in dice.iter().enumerate() {
            // The same die again would lead to the same steps.
            if dice[..i].contains(&die) {
                continue;
            }
            // `move_checker` does not know the die: a larger one bears off from the rearmost point alone.
            if from < die && from != board.own().rearmost() {
                continue;
            }
            let to = from.saturating_sub(die);
            let mut next = *board;
            let Ok(hit) = next.move_checker(from, to) else {
                continue;
            };
            let mut moves = self;
            moves.steps[usize::from(moves.len)] = Step { from, to, hit };
            moves.len += 1;
            let mut rest = [0; 4];
            let rest = &mut rest[..dice.len() - 1];
            rest[..i].copy_from_slice(&dice[..i]);
            rest[i..].copy_from_slice(&dice[i + 1..]);
            if let Some(found) = moves.reach(&next, rest, target) {
                return Some(found);
            }
        }
        None
    }

    /// The steps in an order in which they can be played, the rearmost first.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }

    /// The same steps as moves of whole checkers, in the order of the text.
    pub fn checkers(&self) -> impl Iterator<Item = CheckerMove> + use<> {
        let mut left = *self;
        let mut next = left.take_checker();
        core::iter::from_fn(move || {
            let mut checker = next?;
            next = left.take_checker();
            while let Some(same) = next.filter(|other| other.same_path(&checker)) {
                checker.times += same.times;
                next = left.take_checker();
            }
            Some(checker)
        })
    }

    /// Takes out the first step and all that carry the same checker on.
    fn take_checker(&mut self) -> Option<CheckerMove> {
        let mut checker = CheckerMove { steps: [Step::default(); 4], len: 0, times: 1 };
        let mut kept = Moves::default();
        for &step in self.steps() {
            if checker.len == 0 || step.from == checker.to() {
                checker.steps[usize::from(checker.len)] = step;
                checker.len += 1;
            } else {
                kept.steps[usize::from(kept.len)] = step;
                kept.len += 1;
            }
        }
        *self = kept;
        (checker.len > 0).then_some(checker)
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.len == 0 {
            return f.pad(CANNOT_MOVE);
        }
        let words: Vec<String> = self.checkers().map(|checker| checker.to_string()).collect();
        f.pad(&words.join(" "))
    }
}

/// The whole way of one checker in a play, or of several that go the same way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CheckerMove {
    steps: [Step; 4],
    len: u8,
    times: u8,
}

impl CheckerMove {
    /// The point it leaves: 1 to 24, or 25 for the bar.
    #[must_use]
    pub fn from(&self) -> u8 {
        self.steps[0].from
    }

    /// Where it ends: 1 to 24, or 0 when it is borne off.
    #[must_use]
    pub fn to(&self) -> u8 {
        self.steps[usize::from(self.len) - 1].to
    }

    /// How many checkers go this way, 1 to 4.
    #[must_use]
    pub fn times(&self) -> u8 {
        self.times
    }

    /// Its steps, one a die. If several checkers go this way, these are the steps of the first: only it can hit.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }

    fn same_path(&self, other: &CheckerMove) -> bool {
        let ends = |step: &Step| (step.from, step.to);
        self.steps().iter().map(ends).eq(other.steps().iter().map(ends))
    }
}

impl fmt::Display for CheckerMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = match self.from() {
            BAR => String::from("bar"),
            point => point.to_string(),
        };
        for (i, step) in self.steps().iter().enumerate() {
            if step.hit || i + 1 == self.steps().len() {
                text.push('/');
                match step.to {
                    OFF => text.push_str("off"),
                    point => text.push_str(&point.to_string()),
                }
            }
            if step.hit {
                text.push('*');
            }
        }
        if self.times > 1 {
            text.push_str(&format!("({})", self.times));
        }
        f.pad(&text)
    }
}
