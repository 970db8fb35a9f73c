//! A net as an evaluator.

use tavli_base::Stopped;

use tavli_game::{Heuristic, POINT, WinProbabilities};
use tavli_simd::Tier;

use super::net::{Net, NetBuffers, Outputs};
use crate::position::Position;

/// Positions valued between two calls of `stop`: less than a millisecond.
const POSITIONS_PER_STOP_CALL: usize = 1024;

/// Values positions by a net.
#[derive(Clone, Debug)]
pub struct NetEvaluator {
    net: Net,
    tier: Tier,
}

impl NetEvaluator {
    /// The evaluator of a net. The tier changes its speed only.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    #[must_use]
    pub fn new(net: Net, tier: Tier) -> NetEvaluator {
        NetEvaluator { net, tier }
    }

    /// The possible outputs of a position. They are for the player who has just played.
    fn possible(&self, position: &Position, outputs: &Outputs) -> Outputs {
        // Logistic outputs give every outcome some chance, those that the rules exclude as well.
        let has_pins = self.net.encoder().has_pins();
        outputs.clamped(position.possible_points(has_pins))
    }

    /// Writes the equities for the player on roll.
    fn write(&self, positions: &[Position], outputs: &[Outputs], values: &mut [i64]) {
        for ((value, position), outputs) in values.iter_mut().zip(positions).zip(outputs) {
            let outputs = self.possible(position, outputs);
            *value = (-f64::from(outputs.equity()) * POINT as f64) as i64;
        }
    }
}

impl Heuristic<Position> for NetEvaluator {
    fn most(&self) -> i64 {
        2 * POINT
    }

    fn values(&self, positions: &[Position], values: &mut [i64], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let mut room = NetBuffers::default();
        for (positions, values) in
            positions.chunks(POSITIONS_PER_STOP_CALL).zip(values.chunks_mut(POSITIONS_PER_STOP_CALL))
        {
            if stop() {
                return Err(Stopped);
            }
            self.write(positions, self.net.values(self.tier, positions, &mut room), values);
        }
        Ok(())
    }

    fn probabilities(
        &self,
        positions: &[Position],
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<WinProbabilities>>, Stopped> {
        let mut room = NetBuffers::default();
        let mut probabilities = Vec::with_capacity(positions.len());
        for positions in positions.chunks(POSITIONS_PER_STOP_CALL) {
            if stop() {
                return Err(Stopped);
            }
            let outputs = self.net.values(self.tier, positions, &mut room);
            probabilities.extend(positions.iter().zip(outputs).map(|(position, outputs)| {
                let Outputs { win, double_win, double_loss } = self.possible(position, outputs);
                let of_opponent = WinProbabilities {
                    win: win.into(),
                    double_win: double_win.into(),
                    loss: 1.0 - f64::from(win),
                    double_loss: double_loss.into(),
                };
                of_opponent.reversed()
            }));
        }
        Ok(Some(probabilities))
    }

    fn values_of_results(
        &self,
        before: &Position,
        results: &[Position],
        values: &mut [i64],
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Stopped> {
        let mut room = NetBuffers::default();
        for (results, values) in results.chunks(POSITIONS_PER_STOP_CALL).zip(values.chunks_mut(POSITIONS_PER_STOP_CALL))
        {
            if stop() {
                return Err(Stopped);
            }
            let outputs = self.net.values_of_plays(self.tier, before, results, &mut room);
            self.write(results, outputs, values);
        }
        Ok(())
    }
}
