//! Plays as changes of the first layer.

use tavli_backgammon::Planes;
use tavli_backgammon::plays::Change;

use super::counts::{PLACES_A_SIDE, bits, count, counts};
use super::first::First;
use super::moves::{Counts, Moves};
use super::steps::Steps;

/// The side, in what a play leads to, of the player about to roll.
const NEXT: usize = 0;

/// A position whose plays are compared.
pub(super) struct Before<'a> {
    steps: &'a Steps,
    moves: &'a Moves,
    /// The checkers on the bar of the player who is next.
    next_bar: u8,
    mover: Counts,
}

impl<'a> Before<'a> {
    /// Of a position.
    #[inline(always)]
    pub(super) fn new(first: &'a First, position: &Planes) -> Before<'a> {
        let mut mover = Counts::default();
        mover[..PLACES_A_SIDE].copy_from_slice(&counts(position.own()));
        Before {
            steps: first.steps,
            moves: &first.moves,
            next_bar: count(position.opponent(), PLACES_A_SIDE - 1),
            mover,
        }
    }

    /// The moves of a play that has at most `STEPS` steps, and the one that changes nothing after the last.
    #[inline(always)]
    pub(super) fn moves<const STEPS: usize>(&self, change: &Change) -> [u16; 4] {
        let mut counts = self.mover;
        let places = change.places();
        let mut moves = [Moves::NOTHING; 4];
        let mut step = 0;
        while step < STEPS {
            moves[step] = self.moves.next(&mut counts, places[step]);
            step += 1;
        }
        moves
    }

    /// The steps of the blots that are hit, off their points and onto the bar.
    #[inline(always)]
    pub(super) fn hits(&self, hits: u32) -> impl Iterator<Item = [u16; 2]> {
        let next = self.steps.of_side(NEXT);
        bits(hits).zip(self.next_bar..).map(
            #[inline(always)]
            move |(point, bar)| {
                let step = |place: usize, before: u8| next[place % PLACES_A_SIDE][usize::from(before) % 16];
                let point = (PLACES_A_SIDE - 1).wrapping_sub(point);
                [step(point, 0), step(PLACES_A_SIDE - 1, bar)]
            },
        )
    }
}
