//! One number that tells whether playouts still have the values they are promised to have.

use core::num::NonZeroU32;

use super::{FirstRoll, Playouts, Record};
use crate::board::Board;
use crate::dice::Roll;
use crate::rules::RuleSet;
use crate::simd::Tier;

/// The [`signature`] of this version, as the tests hold it to: what names the values of its playouts, in
/// saved results as well.
pub const RECORDED_SIGNATURE: u64 = 0xdac6_67e0_cf9b_3c25;

/// The positions of the signature: the start, one on the bar against five points, both on the bar, a
/// full bear-off, a bear-off with a shot, a race, and two on the bar.
const POSITIONS: [&str; 7] = [
    "4HPwATDgc/ABMA",
    "tu0MAhBoz8EDQA",
    "4Dp4AGzgGTwgbA",
    "7e4OAABtdw8AAA",
    "74AAAG4AAAIAAA",
    "BgAAmM0IwDYAAA",
    "z3cACQiHAzhiZA",
];

const SEEDS: [u64; 2] = [1, 0x1_2345_6789];
const FIRST_GAMES: [u64; 2] = [0, 0x7_ffff_ffe0];
const GAMES: u64 = 64;

/// A 64-bit number over the records of a fixed set of playouts: several positions, both rule sets, all
/// ways to throw the first roll, truncation, seeds and game numbers beyond 2^32. It is the same on every
/// machine and tier; a change that alters it alters the value of playouts, which is a breaking change.
#[must_use]
pub fn signature(tier: Tier) -> u64 {
    let given = FirstRoll::Given(Roll::ALL[4]);
    let variations = [
        (FirstRoll::Any, None),
        (FirstRoll::Open, None),
        (given, None),
        (FirstRoll::Any, NonZeroU32::new(7)),
    ];
    let mut signature = 0;
    let mut records = Vec::new();
    for id in POSITIONS {
        let board = Board::from_position_id(id).expect("the positions of the signature are valid");
        for (rules, seed) in RuleSet::ALL.into_iter().flat_map(|r| SEEDS.map(|s| (r, s))) {
            let Ok(playouts) = Playouts::new(board, rules, seed) else {
                continue; // The bear-offs are over by the rules of McGammon.
            };
            for (first_roll, truncation) in variations {
                let mut playouts = playouts.with_first_roll(first_roll);
                if let Some(plies) = truncation {
                    playouts = playouts.truncated_after(plies);
                }
                for first in FIRST_GAMES {
                    records.clear();
                    playouts.run_recorded(tier, first..first + GAMES, &mut records);
                    signature = records.iter().fold(signature, mix);
                }
            }
        }
    }
    signature
}

/// Takes a record into the signature: FNV-1a over 64-bit words, each rotated so that high bits count.
fn mix(signature: u64, record: &Record) -> u64 {
    let outcome = record.outcome.map_or(6, |outcome| outcome as u64);
    let words = [record.game, outcome, u64::from(record.plies)];
    words
        .iter()
        .chain(bytemuck::cast_ref::<Board, [u64; 8]>(&record.board))
        .fold(signature ^ 0xcbf2_9ce4_8422_2325, |hash, word| {
            (hash ^ word)
                .wrapping_mul(0x0000_0100_0000_01b3)
                .rotate_left(23)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tier_has_the_recorded_signature() {
        for &tier in Tier::available() {
            let found = signature(tier);
            assert_eq!(found, RECORDED_SIGNATURE, "tier {tier}: {found:#018x}");
        }
    }
}
