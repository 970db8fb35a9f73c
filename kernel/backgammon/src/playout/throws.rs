//! The throws of many games at a time.

use super::pool::Block;
use super::pool::lanes_of;
use super::{FirstRoll, Playouts, StratifiedThrows};
use crate::dice::Roll;
use tavli_simd::{Isa, Lanes, Vector};

/// The throws of two dice, as a table that one random number looks up.
pub(super) struct Throws {
    /// The larger die in the low half of each byte and the smaller in the high half: the 36 throws, then
    /// those that begin a game.
    pub(super) dice: [u8; 64],
    /// How many throws begin a game; 36 if the first roll is like any other or stratified.
    first: u32,
    /// The throws that begin each game, if they are stratified.
    stratified: Option<StratifiedThrows>,
}

impl Throws {
    const ANY: u32 = Roll::THROWS.len() as u32;

    pub(super) fn new(playouts: &Playouts) -> Throws {
        let given;
        let first: &[Roll] = match playouts.first_roll {
            FirstRoll::Any | FirstRoll::Stratified => &[],
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
        Throws {
            dice,
            first: if first.is_empty() {
                Throws::ANY
            } else {
                first.len() as u32
            },
            stratified: playouts.stratified_throws(),
        }
    }

    /// The throw and the fraction that a word draws in each lane.
    #[inline(always)]
    pub(super) fn draw<I: Isa>(
        &self,
        isa: I,
        word: I::Vector,
        sweep: u32,
        block: &Block<I>,
    ) -> (I::Vector, I::Vector) {
        let any = isa.fill(Throws::ANY);
        let plies = || isa.fill(sweep).minus(isa.load(&block.begun));
        if let Some(stratified) = &self.stratified {
            let (first, second) = (plies().equals(isa.fill(0)), plies().equals(isa.fill(1)));
            let (throw, fraction) = word.product(any);
            let mut throws = throw.store();
            for (ply, lanes) in [first, second].into_iter().enumerate() {
                for lane in lanes_of(lanes.bits()) {
                    throws.as_mut()[lane] = stratified.of_game(block.numbers[lane])[ply] as u32;
                }
            }
            return (isa.load(&throws), word.or_else(first | second, fraction));
        }
        if self.first == Throws::ANY {
            return word.product(any);
        }
        let first = plies().equals(isa.fill(0));
        let throws = isa.fill(self.first).or_else(first, any);
        let (throw, fraction) = word.product(throws);
        (throw.plus(any.keep(first)), fraction)
    }
}
