//! Positions with the outputs that a net should give them: its targets.

use tavli_backgammon::board::Planes;

/// Positions, and the targets of a net's outputs there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Examples {
    pub(crate) positions: Vec<Planes>,
    /// A row for each position, as long as a padded row of the net's outputs; the padding is 0.
    pub(crate) targets: Vec<f32>,
    /// The number of positions of each game; empty unless these are whole games.
    pub(crate) games: Vec<usize>,
}

impl Examples {
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// A position and its row of targets.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> (&Planes, &[f32]) {
        let row = self.targets.len() / self.positions.len();
        (&self.positions[number], &self.targets[number * row..][..row])
    }

    pub(crate) fn append(&mut self, others: &Examples) {
        self.positions.extend_from_slice(&others.positions);
        self.targets.extend_from_slice(&others.targets);
        self.games.extend_from_slice(&others.games);
    }
}
