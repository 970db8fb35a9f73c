//! The board drawn as text, the way GNU Backgammon draws it.

use core::fmt;

use super::context::{Cube, Stakes, TurnStage};
use crate::board::position::Position;
use crate::board::side::Side;
use crate::board::side_checkers::{BAR, CHECKERS};

/// Rows of a point. The innermost shows the number of checkers if there are more.
pub(super) const ROWS: u8 = 5;
/// Columns of checkers borne off.
const TRAY: u8 = CHECKERS / ROWS;
/// The character of 6 to 15 checkers.
const DIGITS: &[u8; 10] = b"6789ABCDEF";

/// A drawing of a position: 13 lines, the last without a line break. The player on roll is X, sits at the
/// bottom, and moves from the upper right corner to the lower right one; checkers borne off stand
/// right of the board.
///
/// ```
/// use tavli_backgammon::{Board, Position};
/// assert_eq!(
///     Position::from(Board::START).diagram().to_string(),
///     concat!(
///         " +13-14-15-16-17-18------19-20-21-22-23-24-+     O: 167 pips\n",
///         " | X           O    |   | O              X |     0 points\n",
///         " | X           O    |   | O              X |\n",
///         " | X           O    |   | O                |\n",
///         " | X                |   | O                |\n",
///         " | X                |   | O                |\n",
///         "v|                  |BAR|                  |     Cube 1\n",
///         " | O                |   | X                |\n",
///         " | O                |   | X                |\n",
///         " | O           X    |   | X                |\n",
///         " | O           X    |   | X              O |     To roll\n",
///         " | O           X    |   | X              O |     0 points\n",
///         " +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: 167 pips",
///     )
/// );
/// ```
///
/// A position does not say how many checkers a side began with. If that is not 15, give it to
/// [`Diagram::with_checkers`]:
///
/// ```
/// use tavli_backgammon::{Position, RuleSet};
/// let opening = Position::from(RuleSet::Hypergammon.start()).diagram();
/// let fifteen = opening.to_string();
/// let three = opening.with_checkers(RuleSet::Hypergammon.checkers()).to_string();
/// // Twelve of fifteen are borne off, or none of three.
/// assert_eq!(fifteen.matches('O').count() - three.matches('O').count(), 12);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diagram {
    position: Position,
    checkers: u8,
}

impl Position {
    /// A drawing of the board, the player on roll at the bottom. Checkers that 15 a side lack are borne off.
    #[must_use]
    pub const fn diagram(&self) -> Diagram {
        Diagram { position: *self, checkers: CHECKERS }
    }
}

/// The upper or the lower half of the board.
#[derive(Clone, Copy)]
pub(super) struct Half {
    /// Its points, left to right.
    pub(super) points: [u8; 12],
    /// Whose bar and borne-off checkers it shows.
    pub(super) player: Side,
}

pub(super) const UPPER: Half =
    Half { points: [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24], player: Side::Opponent };

pub(super) const LOWER: Half = Half { points: [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], player: Side::OnRoll };

/// The letter of a player's checkers.
pub(super) const fn letter(player: Side) -> char {
    match player {
        Side::OnRoll => 'X',
        Side::Opponent => 'O',
    }
}

/// The character of a stack of checkers at a height; 0 is the edge of the board.
fn checker(player: Side, count: u8, height: u8) -> char {
    if count <= height {
        ' '
    } else if count > ROWS && height == ROWS - 1 {
        // A side has at most 15 checkers, the last of these characters.
        DIGITS[usize::from(count - ROWS - 1)].into()
    } else {
        letter(player)
    }
}

impl Diagram {
    /// Sets the number of checkers that a side begins a game with,
    /// [`RuleSet::checkers`](crate::RuleSet::checkers). Those that it lacks are borne off.
    #[must_use]
    pub const fn with_checkers(self, checkers: u8) -> Diagram {
        Diagram { checkers, ..self }
    }

    /// One row of a half, at a height above its edge, and the text beside it.
    fn row(&self, f: &mut fmt::Formatter<'_>, half: Half, height: u8, text: &str) -> fmt::Result {
        let side = self.position.player(half.player).0;
        let mut line = String::from(" |");
        for (i, point) in half.points.into_iter().enumerate() {
            if i == 6 {
                let bar = checker(half.player, side.count(BAR), height);
                line.extend(["| ", bar.encode_utf8(&mut [0; 4]), " |"]);
            }
            let own = self.position.player(Side::OnRoll).0.count(point);
            let opponent = self.position.player(Side::Opponent).0.count(BAR - point);
            let seen = match own {
                0 => checker(Side::Opponent, opponent, height),
                _ => checker(Side::OnRoll, own, height),
            };
            line.extend([' ', seen, ' ']);
        }
        line.push_str("| ");
        for column in 0..TRAY {
            let borne_off = side.borne_off(self.checkers) > ROWS * column + height;
            line.push(if borne_off { letter(half.player) } else { ' ' });
        }
        line.push(' ');
        line.push_str(text);
        writeln!(f, "{}", line.trim_end())
    }

    /// The cube and what is played for, in words.
    pub(super) fn cube(&self) -> String {
        let Cube { log2, owner, .. } = self.position.context().cube;
        let mut text = format!("Cube {}", 1u32 << log2);
        if let Some(owner) = owner {
            text.push_str(&format!(", owned by {}", letter(owner)));
        }
        match self.position.context().stakes {
            Stakes::Money { jacoby, beavers } => {
                for (rule, name) in [(jacoby, ", Jacoby rule"), (beavers, ", beavers")] {
                    text.push_str(if rule { name } else { "" });
                }
            }
            Stakes::Match { length, crawford } => {
                text.push_str(&format!(", match to {length}"));
                text.push_str(if crawford { ", Crawford game" } else { "" });
            }
        }
        text
    }

    /// The action of the player on roll, in words.
    pub(super) fn stage(&self) -> String {
        match self.position.context().stage {
            TurnStage::ToRoll => "To roll".to_owned(),
            TurnStage::Rolled(roll) => format!("Rolled {roll}"),
            TurnStage::Doubled => "Doubled".to_owned(),
            TurnStage::Beavered => "Doubled and beavered".to_owned(),
            TurnStage::Raccooned => "Doubled, beavered and raccooned".to_owned(),
        }
    }
}

pub(super) fn points(score: u16) -> String {
    format!("{score} point{}", if score == 1 { "" } else { "s" })
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let context = self.position.context();
        let pips = |player| format!("{}: {} pips", letter(player), self.position.player(player).0.pips());
        writeln!(f, " +13-14-15-16-17-18------19-20-21-22-23-24-+     {}", pips(Side::Opponent))?;
        let score = points(context.opponent_score);
        for height in 0..ROWS {
            self.row(f, UPPER, height, if height == 0 { &score } else { "" })?;
        }
        writeln!(f, "v|                  |BAR|                  |     {}", self.cube())?;
        let score = points(context.score);
        let stage = self.stage();
        for height in (0..ROWS).rev() {
            let text = match height {
                0 => &score,
                1 => &stage,
                _ => "",
            };
            self.row(f, LOWER, height, text)?;
        }
        write!(f, " +12-11-10--9--8--7-------6--5--4--3--2--1-+     {}", pips(Side::OnRoll))
    }
}
