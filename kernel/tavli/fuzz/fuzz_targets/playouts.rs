//! Playouts on every tier: the same games, and one ply leads to a play of the reference.
#![no_main]

use core::num::NonZeroU32;

use libfuzzer_sys::fuzz_target;
use tavli::plays::reference;
use tavli::{FirstRoll, NO_STOP, Playouts, RuleSet, Tier};
use tavli_fuzz::board_and_roll;

fuzz_target!(|bytes: &[u8]| {
    let Some((board, roll, rest)) = board_and_roll(bytes) else {
        return;
    };
    let mut numbers = [0; 19];
    let length = rest.len().min(numbers.len());
    numbers[..length].copy_from_slice(&rest[..length]);
    let [seed, first] = [0, 8].map(|at| {
        let bytes = numbers[at..at + 8].try_into().expect("8 bytes");
        u64::from_le_bytes(bytes)
    });
    let plies = NonZeroU32::new(u32::from(numbers[16] % 16)).unwrap_or(NonZeroU32::MIN);
    let first_roll = match numbers[17] % 4 {
        0 => FirstRoll::Any,
        1 => FirstRoll::Open,
        2 => FirstRoll::Stratified,
        _ => FirstRoll::Given(roll),
    };
    // Mostly few games, which are fast; now and then more than are in play at a time.
    let number = match numbers[18] {
        few @ 0..=239 => u64::from(few % 40) + 1,
        many => u64::from(many - 239) * 150,
    };
    let first = first.min(u64::MAX - number);
    let games = first..first + number;
    for &rules in RuleSet::ALL {
        let Ok(playouts) = Playouts::new(board, rules, seed) else {
            continue;
        };
        let playouts = playouts.with_first_roll(first_roll).truncated_after(plies);
        let mut expected = Vec::new();
        let results = playouts.run_with_ends(Tier::Portable, games.clone(), &mut expected, NO_STOP);
        for &tier in Tier::available() {
            let mut records = Vec::new();
            assert_eq!(playouts.run_with_ends(tier, games.clone(), &mut records, NO_STOP), results);
            assert_eq!(records, expected, "tier {tier}");
        }
        if first_roll == FirstRoll::Given(roll) {
            let plays = reference::plays(&board, roll, rules);
            for record in expected.iter().filter(|record| record.plies == 1) {
                assert!(plays.contains(&record.board));
            }
        }
    }
});
