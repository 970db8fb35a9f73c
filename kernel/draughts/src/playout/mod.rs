//! Random games: each play of a position is as likely as any other.
//!
//! A ply takes one word `w` of the game's stream; of `n` plays it is the one of index `w n / 2^32`. The portable tier
//! plays [one game at a time](scalar), the others [a vector of games](batch).

mod batch;
mod block;
mod scalar;

use tavli_game::GameSource;
use tavli_game::streams::StreamKey;
use tavli_simd::{Bmi2, Isa, Scalar, Tier, on_tier};

use self::batch::Batch;
use crate::board::Position;
use crate::rules::Rules;

/// Plays the games of a source until there are no more, or `stop` returns `true`.
///
/// # Panics
/// If this CPU lacks the tier.
pub(crate) fn play_out(
    rules: Rules,
    tier: Tier,
    key: &StreamKey,
    source: &mut dyn GameSource<Position>,
    stop: &dyn Fn() -> bool,
) {
    on_tier!(
        tier,
        isa => Batch::new(isa, rules).play(key, source, stop),
        portable => match Bmi2::detect() {
            Some(isa) => isa.with_features(
                #[inline(always)]
                || scalar::play_out(isa, rules, key, source, stop),
            ),
            None => scalar::play_out(Scalar, rules, key, source, stop),
        }
    );
}
