//! A net that picks plays, in 32-bit floats.

use tavli_backgammon::Board;
use tavli_backgammon::RuleSet;
use tavli_backgammon::board::Planes;
use tavli_backgammon::games::Decisions;
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::Policy;
use tavli_players::net::Outputs;
use tavli_simd::Tier;

use crate::examples::encode;
use crate::net::{Forward, Padded, Sparse};

/// Picks the play whose position is worth least to the player next on roll. Of plays of equal value it picks the first.
#[derive(Clone, Debug)]
pub(crate) struct FloatPlayer {
    tier: Tier,
    net: Padded,
}

/// Points 1 to 6.
const HOME: u32 = 0x7e;
/// Plays that are valued at a time, or those of one decision more.
const TOGETHER: usize = 256;

impl FloatPlayer {
    pub(crate) fn new(tier: Tier, net: Padded) -> FloatPlayer {
        FloatPlayer { tier, net }
    }
}

impl Policy for FloatPlayer {
    fn name(&self) -> &str {
        "training"
    }

    fn view(&self) -> View {
        View::RESULTS
    }

    fn pick(&self, decisions: &Decisions, picks: &mut [u32]) {
        let offsets = decisions.offsets();
        let row = self.net.row();
        let (mut inputs, mut forward) = (Sparse::new(), Forward::default());
        let mut first = 0;
        while first < picks.len() {
            let mut end = first + 1;
            while end < picks.len() && offsets[end + 1] - offsets[first] <= TOGETHER {
                end += 1;
            }
            let results = &decisions.results()[offsets[first]..offsets[end]];
            inputs.clear();
            encode(self.net.encoder(), results, &mut inputs);
            self.net.forward(self.tier, &inputs, &mut forward);
            let values = results.iter().zip(forward.outputs().chunks_exact(row));
            let mut values = values.map(|(result, outputs)| {
                value_of_play(decisions.rules(), self.net.outputs(), result, outputs)
            });
            for decision in first..end {
                let plays = offsets[decision + 1] - offsets[decision];
                let mut best = f32::NEG_INFINITY;
                for (index, value) in (0..).zip(values.by_ref().take(plays)) {
                    if value > best {
                        (best, picks[decision]) = (value, index);
                    }
                }
            }
            first = end;
        }
    }
}

/// What a play is worth to the player who makes it, in points.
fn value_of_play(rules: RuleSet, outputs: Outputs, result: &Planes, values: &[f32]) -> f32 {
    let [a, b, c, d] = result.opponent();
    if (a | b | c | d) & !HOME == 0 {
        let board = Board::from(*result);
        if let Some(outcome) = rules.outcome_of_play(board.opponent(), board.own()) {
            return outcome.points() as f32;
        }
    }
    let worths = outputs.worth().iter().zip(values);
    1.0 - worths.map(|(worth, value)| worth * value).sum::<f32>()
}
