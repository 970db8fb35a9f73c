//! The playouts of a tree that are in flight, and their order.

use crate::game::Leaf;
use crate::root::Root;
use crate::settings::Settings;
use crate::simulations::{Landing, Simulations};

/// A simulation that was begun and not taken back.
#[derive(Clone, Default, Debug)]
struct Slot {
    path: Vec<u32>,
    /// The points of the player whose turn it was where the simulation landed, once the game is over.
    points: Option<i32>,
}

/// A tree with its playouts in flight.
///
/// Whether the next step is to begin a simulation or to take one back depends on how many were begun and taken back,
/// and on nothing else. Where the one to be taken back has not ended, the tree waits for it. So the order of all steps
/// is fixed, and the tree is a pure function of its number and settings.
#[derive(Debug)]
pub(crate) struct Flight<P> {
    simulations: Box<dyn Simulations<P>>,
    settings: Settings,
    slots: Vec<Slot>,
    begun: u64,
    taken: u64,
    /// How many simulations there are.
    number: u64,
    /// The number of the first game.
    first_game: u64,
}

impl<P> Flight<P> {
    pub(crate) fn new(
        simulations: Box<dyn Simulations<P>>,
        settings: &Settings,
        tree: u32,
        number: u64,
    ) -> Flight<P> {
        let slots = number.min(u64::from(settings.in_flight)) as usize;
        Flight {
            simulations,
            settings: *settings,
            slots: vec![Slot::default(); slots],
            begun: 0,
            taken: 0,
            number,
            first_game: u64::from(tree) << 32,
        }
    }

    fn slot(&self, simulation: u64) -> usize {
        (simulation % self.slots.len() as u64) as usize
    }

    /// The next leaf, tagged with its slot; `None` if the tree waits for one to end, or has no more.
    pub(crate) fn next(&mut self) -> Option<Leaf<P>> {
        loop {
            let in_flight = self.begun - self.taken;
            if self.begun < self.number
                && in_flight < self.settings.in_flight_after(self.taken)
                && self.taken >= self.simulations.waits_for(self.begun)
            {
                let (simulation, at) = (self.begun, self.slot(self.begun));
                let slot = &mut self.slots[at];
                slot.path.clear();
                self.begun += 1;
                match self.simulations.begin(simulation, &mut slot.path) {
                    Landing::Over(points) => slot.points = Some(points),
                    Landing::Leaf(position, chance) => {
                        return Some(Leaf {
                            position,
                            chance,
                            game: self.first_game + simulation,
                            tag: at as u64,
                        });
                    }
                }
            } else {
                if in_flight == 0 {
                    return None;
                }
                let at = self.slot(self.taken);
                let points = self.slots[at].points.take()?;
                let value = self.settings.value.of(points);
                self.simulations.take(&self.slots[at].path, value);
                self.taken += 1;
            }
        }
    }

    /// Notes the end of the game of a slot. Returns whether the tree may go on by that.
    pub(crate) fn end(&mut self, slot: usize, points: i32) -> bool {
        self.slots[slot].points = Some(points);
        slot == self.slot(self.taken)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.taken == self.number
    }

    pub(crate) fn simulations(&self) -> &dyn Simulations<P> {
        &*self.simulations
    }

    pub(crate) fn counts(&self) -> &Root {
        self.simulations.counts()
    }
}
