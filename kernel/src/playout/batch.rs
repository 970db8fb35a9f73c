//! Many games at a time: the playouts of the vector tiers.
//!
//! A block holds one game in each lane of a vector, and a sweep plays one ply of every game of every
//! block. Each stage runs over all blocks before the next begins:
//!
//! 1. [`Batch::choose`]: roll, masks, count and draw. Every lane is treated as a roll of two different
//!    dice by a player who cannot bear off; the lanes for which this is wrong are queued.
//! 2. [`queues`]: the queued lanes, dense again, are given their plays: doubles, then plays that may bear
//!    off, then doubles that bring the last checkers home.
//! 3. [`Batch::make`]: the plays are made and the games that ended found.
//! 4. [`Batch::report`] and [`Batch::fill`]: ended games are reported, and others take their lanes: the
//!    next ones of the range, then, when it is used up, those of the last block, so that the blocks stay
//!    full.
//!
//! Every lane draws from its own game's stream, so a game's course does not depend on its company.

use core::ops::Range;

use super::queues::Queues;
use super::stream::StreamKey;
use super::{FirstRoll, Playouts, Record};
use crate::board::{Board, Side};
use crate::dice::Roll;
use crate::outcome::Outcome;
use crate::plays::{Counts, Masks, Pairs, Transfer, at_most_one_outside, occupied_and_made};
use crate::rules::Rules;
use crate::simd::{Isa, Lanes, Vector};

/// Blocks in play: enough to fill the queues, few enough for the caches.
pub(super) const BLOCKS: usize = 64;

/// The most lanes a vector has.
pub(super) const MOST_LANES: usize = 16;

/// The words of a vector.
type Words<I> = <<I as Isa>::Vector as Vector>::Words;

/// A set of the lanes of a vector.
type Set<I> = <<I as Isa>::Vector as Vector>::Lanes;

/// Sixteen or eight games, one in each lane.
struct Block<I: Isa> {
    /// Bit-sliced counts of the player on roll in even sweeps, and in odd ones.
    sides: [[Words<I>; 4]; 2],
    stream: [Words<I>; 4],
    /// The sweep in which the game of a lane began.
    begun: Words<I>,
    /// Lanes with a game.
    active: Set<I>,
    choice: Choice<I::Vector>,
}

/// The plays chosen for the games of a block.
#[derive(Clone, Copy)]
struct Choice<V: Vector> {
    by_high: V,
    by_low: V,
    high: V,
    low: V,
    blots: V,
    /// Lanes whose plays are in the queue of doubles.
    doubles: V::Lanes,
    /// Lanes whose plays are in the queue of plays that may bear off.
    bearing_off: V::Lanes,
}

/// A run of playouts over a range of game numbers.
struct Batch<'a, I: Isa> {
    isa: I,
    playouts: &'a Playouts,
    key: StreamKey,
    numbers: Range<u64>,
    blocks: Vec<Block<I>>,
    /// The number of the game in each lane of each block.
    games: Vec<[u64; MOST_LANES]>,
    sweep: u32,
    queues: Box<Queues>,
    /// Plays offered in this run.
    plays: u64,
    throws: Throws,
}

/// The throws of two dice, as a table that one random number looks up.
struct Throws {
    /// The larger die in the low half of each byte and the smaller in the high half: the 36 throws, then
    /// those that begin a game.
    dice: [u8; 64],
    /// How many throws begin a game; 36 if the first roll is like any other.
    first: u32,
}

/// Plays games and calls `visit` with the record of each as it ends. Returns the number of plays
/// offered.
#[inline(always)]
pub(super) fn run<R: Rules, I: Isa>(
    isa: I,
    playouts: &Playouts,
    numbers: Range<u64>,
    mut visit: impl FnMut(Record),
) -> u64 {
    let mut batch = Batch::new(isa, playouts, numbers);
    while !batch.blocks.is_empty() {
        batch.choose::<R>();
        batch.plays += batch.queues.play::<R, I>(isa);
        batch.make::<R>(&mut visit);
    }
    batch.plays
}

impl Throws {
    const ANY: u32 = Roll::THROWS.len() as u32;

    fn new(first_roll: FirstRoll) -> Throws {
        let given;
        let first: &[Roll] = match first_roll {
            FirstRoll::Any => &[],
            FirstRoll::Open => &Roll::OPENINGS,
            FirstRoll::Given(roll) => {
                given = [roll];
                &given
            }
        };
        let mut dice = [0; 64];
        for (byte, roll) in dice.iter_mut().zip(Roll::THROWS.iter().chain(first)) {
            *byte = roll.high() | roll.low() << 4;
        }
        let first = if first.is_empty() {
            Throws::ANY
        } else {
            first.len() as u32
        };
        Throws { dice, first }
    }
}

impl<'a, I: Isa> Batch<'a, I> {
    const LANES: usize = I::Vector::LANES;

    fn new(isa: I, playouts: &'a Playouts, numbers: Range<u64>) -> Batch<'a, I> {
        let games = numbers.end.saturating_sub(numbers.start);
        let lanes = games.min((BLOCKS * Self::LANES) as u64) as usize;
        let zero = isa.fill(0).store();
        let nothing = isa.fill(0);
        let none = nothing.lanes(0);
        let mut batch = Batch {
            isa,
            playouts,
            key: StreamKey::new(playouts.seed),
            numbers,
            blocks: Vec::with_capacity(lanes.div_ceil(Self::LANES)),
            games: vec![[0; MOST_LANES]; lanes.div_ceil(Self::LANES)],
            sweep: 0,
            queues: Queues::new(),
            plays: 0,
            throws: Throws::new(playouts.first_roll),
        };
        for at in 0..lanes.div_ceil(Self::LANES) {
            batch.blocks.push(Block {
                sides: [[zero; 4]; 2],
                stream: [zero; 4],
                begun: zero,
                active: none,
                choice: Choice {
                    by_high: nothing,
                    by_low: nothing,
                    high: nothing,
                    low: nothing,
                    blots: nothing,
                    doubles: none,
                    bearing_off: none,
                },
            });
            batch.fill(at, nothing.first_lanes(Self::LANES).bits());
        }
        batch
    }

    /// Draws a roll and a play for every lane, or queues the lane.
    #[inline(always)]
    fn choose<R: Rules>(&mut self) {
        let isa = self.isa;
        let mover = (self.sweep % 2) as usize;
        let mut plays = isa.fill(0);
        self.queues.clear();
        for block in &mut self.blocks {
            let own = load(isa, &block.sides[mover]);
            let other = load(isa, &block.sides[1 - mover]);
            let word = next_word(isa, &mut block.stream);
            let any = isa.fill(Throws::ANY);
            let (throw, fraction) = if self.throws.first == Throws::ANY {
                word.product(any)
            } else {
                let first = isa.load(&block.begun).equals(isa.fill(self.sweep));
                let throws = isa.fill(self.throws.first).or_else(first, any);
                let (throw, fraction) = word.product(throws);
                (throw.plus(any.keep(first)), fraction)
            };
            let dice = throw.look_up_byte(&self.throws.dice);
            let high = dice & 15;
            let low = dice.shr_by::<4>();
            let masks = Masks::new(&own, &other);
            let doubles = high.equals(low) & block.active;
            self.queues
                .doubles
                .push(doubles, &own, masks.blocked, high, fraction);

            let table = Pairs::new::<true, false>(&masks, high, low);
            let (index, _) = fraction.product(table.plays());
            let (by_high, by_low) = table.sources::<true, false>(index);
            let mut in_place = block.active & !doubles;
            let mut bearing_off = high.lanes(0);
            if R::BEAR_OFF {
                bearing_off = at_most_one_outside(&masks) & in_place;
                self.queues
                    .bearing_off
                    .push(bearing_off, &masks, high, low, fraction);
                in_place = in_place & !bearing_off;
            }
            plays = plays.plus(table.plays().keep(in_place));
            block.choice = Choice {
                by_high,
                by_low,
                high,
                low,
                blots: masks.blots,
                doubles,
                bearing_off,
            };
        }
        self.plays += sum(plays);
    }

    /// Makes the chosen plays and reports the games that end.
    #[inline(always)]
    fn make<R: Rules>(&mut self, visit: &mut impl FnMut(Record)) {
        let isa = self.isa;
        let mover = (self.sweep % 2) as usize;
        self.sweep = self.sweep.wrapping_add(1);
        let most_plies = self.playouts.truncation.map(|plies| plies.get());
        let (mut doubles_made, mut bearing_off_made) = (0, 0);
        let mut ended = [0_u32; BLOCKS];
        for (block, ended) in self.blocks.iter_mut().zip(&mut ended) {
            let mut own = load(isa, &block.sides[mover]);
            let mut other = load(isa, &block.sides[1 - mover]);
            let mut choice = block.choice;
            if R::BEAR_OFF {
                self.queues.bearing_off.take(
                    &mut bearing_off_made,
                    choice.bearing_off,
                    &mut choice.by_high,
                    &mut choice.by_low,
                );
            }
            let mut transfer = if R::BEAR_OFF {
                Transfer::of_pair::<true>(choice.by_high, choice.by_low, choice.high, choice.low)
            } else {
                Transfer::of_pair::<false>(choice.by_high, choice.by_low, choice.high, choice.low)
            };
            self.queues.doubles.take::<R, I::Vector>(
                &mut doubles_made,
                choice.doubles,
                choice.high,
                &mut transfer,
            );
            transfer.make(&mut own, &mut other, choice.blots);
            block.sides[mover] = store(own);
            block.sides[1 - mover] = store(other);
            let (occupied, _) = occupied_and_made(&own);
            let mut over = (occupied & R::TO_CLEAR).is_zero();
            if let Some(most_plies) = most_plies {
                let plies = isa.fill(self.sweep).minus(isa.load(&block.begun));
                over = over | plies.equals(isa.fill(most_plies));
            }
            *ended = (over & block.active).bits();
        }
        for at in 0..self.blocks.len() {
            if ended[at] != 0 {
                self.report::<R>(at, ended[at], mover, visit);
            }
        }
        for (at, ended) in ended.into_iter().enumerate() {
            if ended != 0 {
                self.fill(at, ended);
            }
        }
    }

    /// Reports the games of some lanes, which have ended, and empties the lanes.
    #[inline(always)]
    fn report<R: Rules>(
        &mut self,
        at: usize,
        ended: u32,
        mover: usize,
        visit: &mut impl FnMut(Record),
    ) {
        let isa = self.isa;
        let block = &mut self.blocks[at];
        block.active = block.active & !isa.fill(0).lanes(ended);
        for lane in lanes_of(ended) {
            let side = |side: usize| {
                Side::from_sliced(block.sides[side].map(|words| words.as_ref()[lane]))
            };
            let board = Board::from_sides(side(1 - mover), side(mover));
            let plies = self.sweep.wrapping_sub(block.begun.as_ref()[lane]);
            visit(Record {
                game: self.games[at][lane],
                outcome: R::win(board.opponent(), board.own())
                    .map(|win| Outcome::new(win, plies % 2 == 1)),
                plies,
                board,
            });
        }
    }

    /// Gives lanes without a game (as bits) the next ones of the range, or else games of the last block.
    #[inline(always)]
    fn fill(&mut self, at: usize, idle: u32) {
        let any = self.isa.fill(0);
        let next_mover = (self.sweep % 2) as usize;
        for lane in lanes_of(idle) {
            if self.numbers.is_empty() {
                if !self.move_last_game(at, lane) {
                    break;
                }
            } else {
                let number = self.numbers.start;
                self.numbers.start += 1;
                let block = &mut self.blocks[at];
                let start = &self.playouts.start;
                let state = self.key.state(number);
                for bit in 0..4 {
                    block.sides[next_mover][bit].as_mut()[lane] = start.own().sliced()[bit];
                    block.sides[1 - next_mover][bit].as_mut()[lane] =
                        start.opponent().sliced()[bit];
                    block.stream[bit].as_mut()[lane] = state[bit];
                }
                block.begun.as_mut()[lane] = self.sweep;
                self.games[at][lane] = number;
                block.active = block.active | any.lanes(1 << lane);
            }
        }
    }

    /// Moves a game of the last block to an idle lane of an earlier one, and drops blocks that are
    /// empty. Returns whether a game was moved.
    fn move_last_game(&mut self, at: usize, lane: usize) -> bool {
        while self
            .blocks
            .last()
            .is_some_and(|last| last.active.is_empty())
        {
            self.blocks.pop();
        }
        let any = self.isa.fill(0);
        let last = self.blocks.len().saturating_sub(1);
        if at >= last {
            return false;
        }
        let (front, back) = self.blocks.split_at_mut(last);
        let (block, from) = (&mut front[at], &mut back[0]);
        let from_lane = from.active.bits().ilog2() as usize;
        let words = block
            .sides
            .as_flattened_mut()
            .iter_mut()
            .chain(&mut block.stream)
            .chain([&mut block.begun]);
        let from_words = from
            .sides
            .as_flattened()
            .iter()
            .chain(&from.stream)
            .chain([&from.begun]);
        for (to, from) in words.zip(from_words) {
            to.as_mut()[lane] = from.as_ref()[from_lane];
        }
        self.games[at][lane] = self.games[last][from_lane];
        block.active = block.active | any.lanes(1 << lane);
        from.active = from.active & !any.lanes(1 << from_lane);
        true
    }
}

/// The lanes of a set of bits, the lowest first.
fn lanes_of(mut bits: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lane = (bits != 0).then_some(bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        lane
    })
}

#[inline(always)]
fn load<I: Isa>(isa: I, counts: &[Words<I>; 4]) -> Counts<I::Vector> {
    [
        isa.load(&counts[0]),
        isa.load(&counts[1]),
        isa.load(&counts[2]),
        isa.load(&counts[3]),
    ]
}

#[inline(always)]
fn store<V: Vector>([a, b, c, d]: Counts<V>) -> [V::Words; 4] {
    [a.store(), b.store(), c.store(), d.store()]
}

/// The next word of each lane's xoshiro128++ stream.
#[inline(always)]
fn next_word<I: Isa>(isa: I, stream: &mut [Words<I>; 4]) -> I::Vector {
    let [s0, s1, s2, s3] = load(isa, stream);
    let word = s0.plus(s3).rotate_by::<7>().plus(s0);
    let s2 = s2 ^ s0;
    let s3 = s3 ^ s1;
    let next = [
        s0 ^ s3,
        s1 ^ s2,
        s2 ^ s1.shl_by::<9>(),
        s3.rotate_by::<11>(),
    ];
    *stream = store(next);
    word
}

/// The sum of the lanes.
pub(super) fn sum<V: Vector>(vector: V) -> u64 {
    vector
        .store()
        .as_ref()
        .iter()
        .map(|&word| u64::from(word))
        .sum()
}
