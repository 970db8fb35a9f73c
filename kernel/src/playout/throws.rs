//! The throws of many games at a time.

use super::FirstRoll;
use super::pool::Block;
use super::pool::lanes_of;
use crate::dice::Roll;
use crate::simd::{Isa, Lanes, Vector};

/// The throws of two dice, as a table that one random number looks up.
pub(super) struct Throws {
    /// The larger die in the low half of each byte and the smaller in the high half: the 36 throws, then
    /// those that begin a game.
    pub(super) dice: [u8; 64],
    /// How many throws begin a game; 36 if the first roll is like any other, 0 if it is stratified.
    first: u32,
}

impl Throws {
    const ANY: u32 = Roll::THROWS.len() as u32;
    const STRATIFIED: u32 = 0;

    pub(super) fn new(first_roll: FirstRoll) -> Throws {
        let given;
        let first: &[Roll] = match first_roll {
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
        let first = match first_roll {
            FirstRoll::Any => Throws::ANY,
            FirstRoll::Stratified => Throws::STRATIFIED,
            FirstRoll::Open | FirstRoll::Given(_) => first.len() as u32,
        };
        Throws { dice, first }
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
        if self.first == Throws::ANY {
            return word.product(any);
        }
        let plies = isa.fill(sweep).minus(isa.load(&block.begun));
        let first = plies.equals(isa.fill(0));
        if self.first != Throws::STRATIFIED {
            let throws = isa.fill(self.first).or_else(first, any);
            let (throw, fraction) = word.product(throws);
            return (throw.plus(any.keep(first)), fraction);
        }
        let second = plies.equals(isa.fill(1));
        let (throw, fraction) = word.product(any);
        let mut throws = throw.store();
        for (ply, lanes) in [first, second].into_iter().enumerate() {
            for lane in lanes_of(lanes.bits()) {
                throws.as_mut()[lane] = FirstRoll::strata(block.numbers[lane])[ply] as u32;
            }
        }
        (isa.load(&throws), word.or_else(first | second, fraction))
    }
}
