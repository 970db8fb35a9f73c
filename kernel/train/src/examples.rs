//! Positions with the outputs that a net should give them.

use tavli_backgammon::board::Planes;

/// Positions, and the targets of a net's outputs there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Examples {
    pub(crate) positions: Vec<Planes>,
    /// For each position a row as long as a net's rows of outputs, padded with 0.
    pub(crate) targets: Vec<f32>,
    /// Positions of each game, if these are all positions of whole games.
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

    /// Adds others behind these.
    pub(crate) fn append(&mut self, others: &Examples) {
        self.positions.extend_from_slice(&others.positions);
        self.targets.extend_from_slice(&others.targets);
        self.games.extend_from_slice(&others.games);
    }
}
