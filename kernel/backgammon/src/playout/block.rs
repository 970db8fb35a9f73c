//! A block of a pool, and how its rolls are drawn.

use super::batch_game::BatchGame;
use super::presets::Presets;
use super::selected_delta::SelectedDelta;
use super::throws;
use crate::plays::CheckerPlanes;
use tavli_game::streams::next_words;
use tavli_lanes::LaneBlock;
use tavli_simd::{Isa, LaneArray, MAX_LANES, Vector};

/// The games of a vector, one in each lane.
pub(super) struct Block<I: Isa> {
    /// Bit-sliced counts of the player on roll and of the other.
    pub(super) sides: [[LaneArray<I>; 4]; 2],
    stream: [LaneArray<I>; 4],
    /// For each lane, the pool's ply counter when its game began, so that the game has `ply - begun` plies. For a game
    /// that joined with plies played, the counter at that time minus those plies.
    pub(super) begun: LaneArray<I>,
    /// The tag of the game of each lane, by which its source knows it.
    tags: [u64; MAX_LANES],
    /// Lanes with a game, lane 0 lowest.
    pub(super) active: u32,
    /// Lanes whose plays are in the queue of doubles, lane 0 lowest.
    pub(super) doubles: u32,
    pub(super) selected: SelectedDelta<I::Vector>,
}

impl<I: Isa> Block<I> {
    /// The counts of the player on roll and of the other.
    #[inline(always)]
    pub(super) fn sides(&self, isa: I) -> [CheckerPlanes<I::Vector>; 2] {
        [load(isa, &self.sides[0]), load(isa, &self.sides[1])]
    }

    /// Draws the rolls of the next ply, of which some may be preset.
    #[inline(always)]
    pub(super) fn roll(&mut self, isa: I, preset: Option<&mut LaneArray<I>>) -> Rolls<I::Vector> {
        let (word, next) = next_words(load(isa, &self.stream));
        self.stream = store(next);
        let (throw, fraction) = match preset {
            Some(preset) => {
                let (throw, fraction) = draw_or_take(isa, &word.store(), preset);
                (isa.load(&throw), isa.load(&fraction))
            }
            None => throws::draw(word),
        };
        Rolls { dice: throw.look_up_byte(&throws::DICE), fraction }
    }
}

impl<I: Isa> LaneBlock for Block<I> {
    type Isa = I;
    type Game = BatchGame;
    type Extras = Presets<I>;

    fn idle(isa: I, index: usize, presets: &mut Presets<I>) -> Block<I> {
        presets.clear(index);
        let nothing = isa.splat(0);
        let zero = nothing.store();
        Block {
            sides: [[zero; 4]; 2],
            stream: [zero; 4],
            begun: zero,
            tags: [0; MAX_LANES],
            active: 0,
            doubles: 0,
            selected: SelectedDelta::nothing(nothing),
        }
    }

    #[inline(always)]
    fn active(&self) -> u32 {
        self.active
    }

    #[inline(always)]
    fn set_active(&mut self, lanes: u32) {
        self.active = lanes;
    }

    #[inline(always)]
    fn game(&self, index: usize, lane: usize, ply: u32, presets: &Presets<I>) -> BatchGame {
        BatchGame {
            sides: self.sides.each_ref().map(|side| side.each_ref().map(|words| words.as_ref()[lane])),
            stream: self.stream.each_ref().map(|words| words.as_ref()[lane]),
            plies: ply.wrapping_sub(self.begun.as_ref()[lane]),
            preset: presets.of(index, lane),
            tag: self.tags[lane],
        }
    }

    #[inline(always)]
    fn set_game(&mut self, index: usize, lane: usize, ply: u32, presets: &mut Presets<I>, game: &BatchGame) {
        for bit in 0..4 {
            self.sides[0][bit].as_mut()[lane] = game.sides[0][bit];
            self.sides[1][bit].as_mut()[lane] = game.sides[1][bit];
            self.stream[bit].as_mut()[lane] = game.stream[bit];
        }
        self.begun.as_mut()[lane] = ply.wrapping_sub(game.plies);
        self.tags[lane] = game.tag;
        presets.set(index, lane, game.preset);
    }
}

/// The rolls of a block.
#[derive(Clone, Copy)]
pub(super) struct Rolls<V> {
    /// The larger die, and four bits higher the smaller.
    pub(super) dice: V,
    /// The rest of each word that drew a roll, which picks the play.
    pub(super) fraction: V,
}

#[inline(always)]
fn load<I: Isa>(isa: I, planes: &[LaneArray<I>; 4]) -> CheckerPlanes<I::Vector> {
    [
        // Written out, since a closure of `map` falls back to SSE in code for AVX-512.
        isa.load(&planes[0]),
        isa.load(&planes[1]),
        isa.load(&planes[2]),
        isa.load(&planes[3]),
    ]
}

#[inline(always)]
pub(super) fn store<V: Vector>([a, b, c, d]: CheckerPlanes<V>) -> [V::LaneArray; 4] {
    [a.store(), b.store(), c.store(), d.store()]
}

/// [`throws::draw_or_take`] for the few plies with preset throws, apart from the code of all others.
#[cold]
fn draw_or_take<I: Isa>(isa: I, word: &LaneArray<I>, preset: &mut LaneArray<I>) -> (LaneArray<I>, LaneArray<I>) {
    isa.with_features(
        #[inline(always)]
        || {
            let (throw, fraction, next) = throws::draw_or_take(isa.load(word), isa.load(preset));
            *preset = next.store();
            (throw.store(), fraction.store())
        },
    )
}
