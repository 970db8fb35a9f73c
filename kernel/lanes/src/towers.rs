//! The plays drawn for the doubles of a queue, from the choice of towers to their steps.

use bytemuck::Zeroable;
use tavli_algebra::{Steps, TowerUses, ranks_of, with_others};
use tavli_simd::{Isa, Vector};

use crate::columns::Column;

/// The uses of towers in the plays drawn for the lanes of a queue.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub struct TowerColumns {
    /// The steps that do not depend on the choice of other towers, by the points they start from.
    steps: [Column; 3],
    /// The towers to choose from, then the chosen ones.
    towers: Column,
    /// The choices among them, as for [`ranks_of`].
    choices: Column,
}

impl TowerColumns {
    /// Keeps the uses of towers in the lanes from `at` on.
    #[inline(always)]
    pub fn write<V: Vector>(&mut self, at: usize, uses: &TowerUses<V>) {
        for bit in 0..3 {
            uses.fixed[bit].store_slice(&mut self.steps[bit][at..]);
        }
        uses.from.store_slice(&mut self.towers[at..]);
        uses.packed_choice.store_slice(&mut self.choices[at..]);
    }

    /// Chooses the towers of the first `queued` lanes.
    // In stages over all lanes, so no load waits for a store of another width (store forwarding).
    #[inline(always)]
    pub fn choose<I: Isa>(&mut self, isa: I, queued: usize) {
        for (towers, &choice) in self.towers.iter_mut().zip(&self.choices).take(queued) {
            *towers = isa.deposit_word(ranks_of(choice), *towers);
        }
    }

    /// The steps of the plays in the lanes from `at` on, once their towers are chosen. `die` is the die of each lane.
    #[inline(always)]
    pub fn steps<V: Vector>(&self, at: usize, die: V) -> Steps<V> {
        let fixed = [
            die.load_slice(&self.steps[0][at..]),
            die.load_slice(&self.steps[1][at..]),
            die.load_slice(&self.steps[2][at..]),
        ];
        with_others(&fixed, die.load_slice(&self.towers[at..]), die.load_slice(&self.choices[at..]), die)
    }
}
