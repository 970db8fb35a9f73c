//! A net as what values positions.

use tavli_game::{Heuristic, POINT, Stopped};
use tavli_simd::Tier;

use super::net::{Net, Values};
use crate::position::Position;

/// Positions that are valued between two questions whether to stop: less than a millisecond.
const PART: usize = 1024;

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
}

impl Heuristic<Position> for NetEvaluator {
    fn most(&self) -> i64 {
        2 * POINT
    }

    fn values(&self, positions: &[Position], values: &mut [i64], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let mut room = Values::default();
        for (positions, values) in positions.chunks(PART).zip(values.chunks_mut(PART)) {
            if stop() {
                return Err(Stopped);
            }
            let outputs = self.net.values(self.tier, positions, &mut room);
            for (value, outputs) in values.iter_mut().zip(outputs) {
                // The net values positions for the player who has just played.
                *value = (-f64::from(outputs.equity()) * POINT as f64) as i64;
            }
        }
        Ok(())
    }
}
