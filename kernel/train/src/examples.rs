//! Positions with the values that a net should give them.

use tavli_backgammon::board::Planes;
use tavli_players::net::Encoder;

use crate::net::Sparse;

/// The inputs of positions, and the targets of a net's outputs there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Examples {
    pub(crate) inputs: Sparse,
    /// Rows as long as a net's rows of outputs, padded with 0.
    pub(crate) targets: Vec<f32>,
}

impl Examples {
    pub(crate) fn clear(&mut self) {
        self.inputs.clear();
        self.targets.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.inputs.rows()
    }

    /// Adds one of others.
    pub(crate) fn push(&mut self, others: &Examples, number: usize) {
        let row = others.targets.len() / others.len();
        self.inputs.extend(&others.inputs, number..number + 1);
        self.targets
            .extend_from_slice(&others.targets[number * row..][..row]);
    }
}

/// The inputs of positions.
pub(crate) fn encode<'a>(
    encoder: Encoder,
    positions: impl IntoIterator<Item = &'a Planes>,
    inputs: &mut Sparse,
) {
    for position in positions {
        encoder.encode(position, |input, value| inputs.push(input, value));
        inputs.end_row();
    }
}
