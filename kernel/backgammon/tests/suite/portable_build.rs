//! The code for any CPU lists the same plays as the code for this CPU.

use core::num::NonZeroU32;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tavli_backgammon::playout::Throw;
use tavli_backgammon::plays::View;
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, GameEnd, Playouts, Plays, Roll, RuleSet};

#[test]
#[cfg_attr(miri, ignore = "a hundred games take Miri minutes")]
fn each_roll_has_the_same_plays() {
    let mut random = SplitMix64::seed_from_u64(1);
    for _ in 0..100 {
        let mut board = Board::START;
        loop {
            for roll in Roll::ALL {
                let plays = Plays::new(&board, roll, RuleSet::Backgammon);
                let mut listed = Vec::new();
                plays.for_each_on_any_cpu(&mut |play| listed.push(play));
                assert_eq!(listed, plays.to_vec(), "{roll} in {board:?}");
                assert_eq!(listed, plays.to_vec_on_any_cpu(), "{roll} in {board:?}");
            }
            let roll = Roll::THROWS[random.next_u32() as usize % Roll::THROWS.len()];
            let plays = Plays::new(&board, roll, RuleSet::Backgammon);
            if plays.is_empty() {
                break;
            }
            let index = random.next_u32() as usize % plays.len();
            let play = plays.get(index).expect("an index below their number");
            board = play.board();
        }
    }
}

/// Positions of games, one after each number of plies.
fn positions(rules: RuleSet, number: u32) -> Vec<Board> {
    let playouts = Playouts::new(rules.start(), rules, 1).expect("a game");
    let after = |plies: u32| -> GameEnd {
        let plies = NonZeroU32::new(plies).expect("not 0");
        playouts.truncated_after(plies).play(u64::from(plies.get()))
    };
    let records = (1..=number).map(after);
    let in_play = records.filter(|record| record.outcome.is_none());
    in_play.map(|record| record.board).collect()
}

#[test]
#[cfg_attr(miri, ignore = "hundreds of positions take Miri minutes")]
fn decisions_have_the_same_plays() {
    for &rules in RuleSet::ALL {
        let mut positions = positions(rules, 150);
        positions.push(Board::START);
        for roll in Roll::ALL {
            let mut found = RollBatch::new(rules);
            for position in &positions {
                let throw = Throw { roll, fraction: 0 };
                found.push(position, throw).expect("it is not over");
            }
            let mut plain = found.clone();
            for view in [View::NUMBERS, View::RESULTS, View::CHANGES] {
                found.list(view);
                plain.list_on_any_cpu(view);
                assert_eq!(plain.view(), view);
                assert_eq!(plain.offsets(), found.offsets(), "{roll}");
                assert_eq!(plain.results(), found.results(), "{roll}");
                assert_eq!(plain.changes(), found.changes(), "{roll}");
            }
        }
    }
}
