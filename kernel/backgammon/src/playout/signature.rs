//! One number that shows whether playouts still have the values that are promised.

use core::num::NonZeroU32;
use core::ops::Range;

use tavli_base::NO_STOP;
use tavli_lanes::BLOCKS;
use tavli_simd::{MAX_LANES, Tier};

use super::game_queue::LATE_POOL_GAMES;
use crate::board::Board;
use crate::dice::Roll;
use crate::playout::first_roll::FirstRoll;
use crate::playout::game_end::GameEnd;
use crate::playout::playouts::Playouts;
use crate::rules::RuleSet;

/// The [`signature`] of this version, which the tests compare. It names the values of playouts, in saved results as
/// well.
pub const RECORDED_SIGNATURE: u64 = 0x5e44_11ba_37c6_78f2;

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

/// A seed and the number of the first game, small ones and such as need 64 bits.
const SERIES: [(u64, u64); 2] = [(1, 0), (0x1_2345_6789, 0x7_ffff_ffe0)];

/// The rules of the signature: one set for each goal. Other rules of the same goal play the same games and differ only
/// in their starts and in the points of an end.
const RULES: [RuleSet; 2] = [RuleSet::Backgammon, RuleSet::McGammon];

/// Games from each position with each variation: more than the vector tiers play without the early pool.
const GAMES: u64 = 100;

/// Games of a long run from the start: more than the lanes of any pool, so that lanes are given further games.
const LONG_RUN: u64 = 2_600;

/// The number in place of the outcome of a game that was cut off.
const CUT_OFF: u64 = 6;

// The runs are long enough for both pools and for all lanes.
const _: () = assert!(GAMES > LATE_POOL_GAMES as u64 && LONG_RUN > MAX_LANES as u64 * BLOCKS as u64);

/// A 64-bit number over the ends of a fixed set of playouts: several positions, rules of every goal, every mode of
/// first rolls, truncation, seeds and game numbers beyond 2^32, and runs long enough for everything that a batch
/// does. It is the same on every machine and tier; a change that alters it alters the value of playouts, which is a
/// breaking change.
#[must_use]
pub fn signature(tier: Tier) -> u64 {
    signature_of(|playouts, games, ends| {
        let played = playouts.run_with_ends(tier, games, ends, NO_STOP);
        played.expect("it is not stopped");
    })
}

/// The signature of the games that `play` appends to the ends, in the order of their numbers.
pub(crate) fn signature_of(mut play: impl FnMut(&Playouts, Range<u64>, &mut Vec<GameEnd>)) -> u64 {
    let mut ends = Vec::new();
    let mut take_in = |signature: u64, playouts: &Playouts, games: Range<u64>| {
        ends.clear();
        play(playouts, games, &mut ends);
        ends.iter().fold(signature, mix)
    };
    let given = FirstRoll::Given(Roll::ALL[4]);
    let variations = [
        (FirstRoll::Any, None),
        (FirstRoll::Open, None),
        (given, None),
        (FirstRoll::Stratified, None),
        (FirstRoll::Any, NonZeroU32::new(7)),
    ];
    let mut signature = 0;
    for rules in RULES {
        for id in POSITIONS {
            let board = Board::from_position_id(id).expect("the positions of the signature are valid");
            for (seed, first) in SERIES {
                let Ok(playouts) = Playouts::new(board, rules, seed) else {
                    continue; // The bear-offs are over by the rules of McGammon.
                };
                for (first_roll, truncation) in variations {
                    let playouts = Playouts { truncation, ..playouts.with_first_roll(first_roll) };
                    signature = take_in(signature, &playouts, first..first + GAMES);
                }
            }
        }
        let playouts = Playouts::new(Board::START, rules, 2).expect("a game begins from the start");
        signature = take_in(signature, &playouts, 0..LONG_RUN);
    }
    signature
}

/// Takes an end into the signature: FNV-1a over 64-bit words, each rotated so that high bits count.
fn mix(signature: u64, end: &GameEnd) -> u64 {
    let outcome = end.outcome.map_or(CUT_OFF, |outcome| outcome as u64);
    let words = [end.game, outcome, u64::from(end.plies)];
    words
        .iter()
        .chain(bytemuck::cast_ref::<Board, [u64; 8]>(&end.board))
        .fold(signature ^ 0xcbf2_9ce4_8422_2325, |hash, word| {
            (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
        })
}
