//! Solved positions.

use core::fmt;

use super::index::{Index, Sizes};
use crate::board::squares::half_turn;
use crate::board::{Position, Side};
use crate::plays::plays;
use crate::rules::Rules;

/// The value of a position for the side to move if both sides play perfectly. As text `W7`, `D` or `L6`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndgameValue {
    /// It wins in this many plies.
    Win(u32),
    /// Neither side can win.
    Draw,
    /// It loses in this many plies; 0 if it has no play now.
    Loss(u32),
}

impl fmt::Display for EndgameValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndgameValue::Win(plies) => write!(f, "W{plies}"),
            EndgameValue::Draw => f.write_str("D"),
            EndgameValue::Loss(plies) => write!(f, "L{plies}"),
        }
    }
}

/// The byte of a position that is drawn. Other bytes are plies to the end: the side to move wins in odd numbers, and
/// loses in even ones.
pub(super) const DRAWN: u8 = u8::MAX;

/// Men and kings of a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Material {
    /// Men.
    pub men: u8,
    /// Kings.
    pub kings: u8,
}

/// The values of positions with the same material, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions that it loses.
    pub losses: u64,
    /// The plies of the longest win, if there is one.
    pub longest_win: Option<u32>,
    /// The plies of the longest loss, if there is one.
    pub longest_loss: Option<u32>,
}

/// The positions with a number of pieces.
#[derive(Debug)]
pub(super) struct EndgameTable {
    pub(super) index: Index,
    pub(super) bytes: Vec<u8>,
}

/// The values of all positions with up to two, three, four or five pieces, at least one of each side.
#[derive(Debug)]
pub struct Endgames {
    /// From two pieces on.
    pub(super) tables: Vec<EndgameTable>,
}

impl Endgames {
    /// The most pieces of positions with values.
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.tables.len() as u32 + 1
    }

    /// The value of a position, whatever its count of quiet plies; `None` if it has too many pieces. A side without
    /// pieces loses as soon as it is to move: its last piece has just been taken.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<EndgameValue> {
        let side = position.side();
        let sets = [position.pieces(side), position.pieces(side.other()), position.kings()];
        let sets = match side {
            Side::Black => sets,
            Side::White => sets.map(half_turn),
        };
        if sets[0] == 0 || sets[1] == 0 {
            let can_move = !plays(position, Rules::ENGLISH).is_empty();
            return Some(if can_move { EndgameValue::Win(1) } else { EndgameValue::Loss(0) });
        }
        // At least 2, as both sides have pieces here.
        let number = (sets[0] | sets[1]).count_ones() as usize;
        let table = self.tables.get(number - 2)?;
        Some(match table.bytes[table.index.number(sets) as usize] {
            DRAWN => EndgameValue::Draw,
            plies if plies % 2 == 1 => EndgameValue::Win(u32::from(plies)),
            plies => EndgameValue::Loss(u32::from(plies)),
        })
    }

    /// Counts the positions in which the side to move has the material `own` and the other side `other`; `None` if they
    /// are not solved.
    #[must_use]
    pub fn counts(&self, own: Material, other: Material) -> Option<Counts> {
        let sizes = Sizes { own_men: own.men, other_men: other.men, own_kings: own.kings, other_kings: other.kings };
        let pieces = [own.men, own.kings, other.men, other.kings].map(usize::from);
        let table = self.tables.get(pieces.iter().sum::<usize>().checked_sub(2)?)?;
        let slice = table.index.slice(sizes)?;
        let mut counts = Counts::default();
        for (number, _) in table.index.positions(slice) {
            let byte = table.bytes[number as usize];
            let (count, longest) = match byte {
                DRAWN => {
                    counts.draws += 1;
                    continue;
                }
                plies if plies % 2 == 1 => (&mut counts.wins, &mut counts.longest_win),
                _ => (&mut counts.losses, &mut counts.longest_loss),
            };
            *count += 1;
            *longest = (*longest).max(Some(u32::from(byte)));
        }
        Some(counts)
    }
}
