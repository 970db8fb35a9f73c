//! A play as a change of the position.

use core::fmt;

use bytemuck::NoUninit;
use tavli_simd::{Isa, Scalar, ScalarIsa, Word};

use super::packed_side::MovedSide;
use super::planes::{self, mirror};
use super::step::Step;
use super::step_list::NOWHERE;
use crate::board::{Planes, PointSet};

/// A play as a change of the position: up to four steps of checkers, and blots that are hit. 12 bytes.
///
/// ```
/// use tavli_backgammon::stepping::RollBatch;
/// use tavli_backgammon::playout::Throw;
/// use tavli_backgammon::plays::View;
/// use tavli_backgammon::{Board, Planes, RuleSet};
/// let mut decisions = RollBatch::new(RuleSet::Backgammon);
/// let throw = Throw { roll: "31".parse()?, fraction: 0 };
/// decisions.push(&Board::START, throw)?;
/// decisions.list(View::CHANGES);
/// let change = &decisions.changes_of(0)[0];
/// let steps: Vec<_> = change.steps().map(|step| (step.from, step.to)).collect();
/// assert_eq!(steps, [(6, 3), (6, 5)]);
/// let result = Board::from(change.made_in(&Planes::from(Board::START)));
/// assert_eq!(result.opponent().count(5), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, NoUninit)]
#[repr(C)]
pub struct Change {
    // Steps, from which a net finds its moves at once. Points that lose and gain had to be paired for that, and took 28
    // bytes (profiles/LOG.md, 2026-11-25).
    points: [[u8; 2]; 4],
    hits: u32,
}

impl Change {
    /// Where steps that are not made start and end: 31, where no checker can be.
    pub const NOWHERE: u8 = NOWHERE;

    /// The change of a play without steps.
    pub(super) const NOTHING: Change = Change { points: [[NOWHERE; 2]; 4], hits: 0 };

    /// The change of a play that leads to this side, with blots on these points.
    #[inline(always)]
    pub(super) fn from_sides<B: ScalarIsa>(moved: &MovedSide<B>, blots: Word<B>) -> Change {
        Change { points: moved.steps.points(), hits: (moved.landings & blots).get() }
    }

    /// The points that each of four steps leaves and reaches, in an order in which they can be played: 1 to 24, 25 for
    /// the mover's bar, and 0 where a checker is borne off. Steps that are not made come last, and have
    /// [`Change::NOWHERE`] twice.
    #[must_use]
    #[inline(always)]
    pub const fn points(&self) -> [[u8; 2]; 4] {
        self.points
    }

    /// The steps, in an order in which they can be played.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        let mut unhit = self.hits;
        let made = self.points.into_iter();
        made.filter(|&[from, _]| from != Change::NOWHERE).map(move |[from, to]| {
            // The first checker on a point hits.
            let hit = unhit & 1 << to;
            unhit ^= hit;
            Step { from, to, hit: hit != 0 }
        })
    }

    /// The points, in the mover's frame, on which a blot is hit, as a mask: bit `p` for point `p`.
    #[must_use]
    #[inline]
    pub const fn hit_mask(&self) -> u32 {
        self.hits
    }

    /// The points, in the mover's frame, on which a blot is hit.
    #[must_use]
    pub fn hits(&self) -> PointSet {
        PointSet::from_mask(self.hits)
    }

    /// The position after this play of a position, seen by the player next on roll.
    #[must_use]
    pub fn made_in(&self, position: &Planes) -> Planes {
        let words = |words: [u32; 4]| words.map(|word| Scalar.splat(word));
        let mut mover = words(position.own());
        let mut other = words(position.opponent());
        // Neither points off the board nor steps that are not made have a point.
        let mask = |point: u8| Scalar.splat(1 << point) & planes::POINTS_AND_BAR;
        let sources = planes::four(self.points.map(|[from, _]| mask(from)));
        let landings = planes::four(self.points.map(|[_, to]| mask(to)));
        planes::move_checkers(&mut mover, &sources, &landings);
        planes::send_to_bar(&mut other, mirror(Scalar.splat(self.hits)));
        Planes::from_sides(other.map(Word::get), mover.map(Word::get))
    }
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.steps()).finish()
    }
}

const _: () = assert!(size_of::<Change>() == 12);
