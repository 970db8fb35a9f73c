//! Checks which code a tier runs, and plays a few games on each tier, few enough for Miri.

use core::cell::Cell;
use core::num::NonZeroU32;
use core::ops::Range;
use std::backtrace::Backtrace;

use tavli_backgammon::playout::{
    Batch, BatchEnd, BatchSource, BatchStart, Dice, RECORDED_SIGNATURE, StartPosition, signature,
};
use tavli_backgammon::profile::{self, BatchStage};
use tavli_backgammon::{Board, FirstRoll, GameEnd, NO_STOP, Playouts, RuleSet, Stopped, Tier};
use tavli_simd::Bmi2;

const FEW_PLIES: NonZeroU32 = NonZeroU32::new(3).expect("not 0");

/// Games from the start by number, and a call when one ends.
struct Games<F> {
    position: StartPosition,
    dice: Dice,
    numbers: Range<u64>,
    end: F,
}

impl<F: FnMut()> Games<F> {
    fn new(rules: RuleSet, numbers: Range<u64>, end: F) -> Games<F> {
        Games {
            position: StartPosition::new(&rules.start(), rules).expect("a game"),
            dice: Dice::new(1, FirstRoll::Any),
            numbers,
            end,
        }
    }
}

impl<F: FnMut()> BatchSource for Games<F> {
    fn next(&mut self) -> Option<BatchStart> {
        let game = self.numbers.next()?;
        Some(BatchStart::new(&self.position, &self.dice, game, game))
    }

    fn end(&mut self, _: &BatchEnd) {
        (self.end)();
    }
}

/// The calls in progress when a tier ends a game.
fn calls(rules: RuleSet, tier: Tier) -> String {
    let mut calls = None;
    let mut games = Games::new(rules, 0..40, || {
        calls.get_or_insert_with(|| Backtrace::force_capture().to_string());
    });
    let batch = Batch::new(rules).truncated_after(FEW_PLIES);
    batch.play(tier, &mut games, NO_STOP);
    calls.expect("a game")
}

/// The functions compiled for the features of an instruction set that are among the calls. They cannot be inlined into
/// code without the features, so the stack has them.
fn entered(calls: &str) -> Vec<&'static str> {
    let mut entered = vec!["with_avx512", "with_x86_v4", "with_avx2", "with_neon", "with_bmi2"];
    entered.retain(|name| calls.contains(name));
    entered
}

#[test]
#[cfg_attr(miri, ignore = "Miri inlines nothing and takes minutes for the stack")]
fn the_tier_that_plays_is_the_one_that_was_asked_for() {
    for &rules in RuleSet::ALL {
        for &tier in Tier::available() {
            let calls = calls(rules, tier);
            let expected: &[&str] = match tier {
                Tier::Avx512 => &["with_avx512"],
                Tier::X86V4 => &["with_x86_v4"],
                Tier::Avx2 => &["with_avx2"],
                Tier::Neon => &["with_neon"],
                Tier::Portable if Bmi2::detect().is_some() => &["with_bmi2"],
                _ => &[],
            };
            assert_eq!(entered(&calls), expected, "tier {tier}, {rules}:\n{calls}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "it fills all lanes, which takes Miri minutes")]
fn what_is_stopped_plays_no_further() {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("a game");
    let playouts = playouts.truncated_after(FEW_PLIES);
    // A sweep ends at most one game per lane.
    const LANES: u32 = 4096;
    for &tier in Tier::available() {
        let ended = Cell::new(0);
        let mut games = Games::new(RuleSet::Backgammon, 0..u64::MAX, || ended.set(ended.get() + 1));
        let batch = Batch::new(RuleSet::Backgammon).truncated_after(FEW_PLIES);
        batch.play(tier, &mut games, &|| ended.get() >= 100);
        assert!((100..100 + LANES).contains(&ended.get()), "tier {tier}: {} games", ended.get());
        assert_eq!(playouts.run(tier, 0..u64::MAX, &|| true), Err(Stopped));
        let recorded = playouts.run_with_ends(tier, 0..50, &mut Vec::new(), &|| true);
        assert_eq!(recorded, Err(Stopped));
        // Abandoned games do not affect the next run.
        let whole = playouts.run(tier, 0..200, NO_STOP).unwrap();
        assert_eq!(whole, playouts.run(Tier::Portable, 0..200, NO_STOP).unwrap(), "tier {tier}");
    }
}

#[test]
fn a_few_games_of_every_stage() {
    // The start, a checker on the bar, a bear-off, and last checkers that come home.
    for id in ["4HPwATDgc/ABMA", "tu0MAhBoz8EDQA", "7e4OAABtdw8AAA", "57xHAADO3SsAAA"] {
        let board = Board::from_position_id(id).expect("a position");
        for &rules in RuleSet::ALL {
            let Ok(playouts) = Playouts::new(board, rules, 5) else {
                continue; // the game is over by these rules
            };
            for roll in ["any", "66"] {
                let first_roll = roll.parse().expect("a first roll");
                let playouts = playouts.with_first_roll(first_roll).truncated_after(FEW_PLIES);
                let expected: Vec<GameEnd> = (0..10).map(|game| playouts.play(game)).collect();
                for &tier in Tier::available() {
                    let mut records = Vec::new();
                    playouts.run_with_ends(tier, 0..10, &mut records, NO_STOP).unwrap();
                    assert_eq!(records, expected, "tier {tier}, {playouts:?}");
                }
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "two pools need more games than Miri has time for")]
fn timed_runs_play_the_same_games() {
    let (start, late) = ("4HPwATDgc/ABMA", "7e4OAABtdw8AAA");
    let games = 3000;
    for (id, rules, has_early, has_late) in [
        (start, RuleSet::Backgammon, true, true),
        (start, RuleSet::McGammon, true, false),
        (late, RuleSet::Backgammon, false, true),
    ] {
        let board = Board::from_position_id(id).expect("a position");
        let all = Playouts::new(board, rules, 5).expect("a game");
        let max_plies = NonZeroU32::new(60).expect("not 0");
        for playouts in [all, all.truncated_after(max_plies)] {
            assert_eq!(profile::run(&playouts, Tier::Portable, 0..games), None);
            let batches = Tier::available().iter();
            for &tier in batches.filter(|&&tier| tier != Tier::Portable) {
                let (results, times) = profile::run(&playouts, tier, 0..games).expect("stages");
                assert_eq!(results, playouts.run(tier, 0..games, NO_STOP).unwrap());
                assert_eq!(times.early.plies + times.late.plies, results.tally.plies);
                for (pool, has_plies) in [(times.early, has_early), (times.late, has_late)] {
                    assert_eq!(pool.plies > 0, has_plies, "{tier}, {playouts:?}: {pool:?}");
                    assert_eq!(pool.plies_begun > 0, has_plies);
                    let choose = pool.time_of(BatchStage::Choose);
                    assert_eq!(!choose.is_zero(), has_plies);
                    assert!(choose < pool.total() || !has_plies);
                }
                if rules == RuleSet::McGammon {
                    assert!(times.early.time_of(BatchStage::BearIn).is_zero());
                }
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "thousands of games")]
fn every_tier_has_the_recorded_signature() {
    for &tier in Tier::available() {
        let found = signature(tier);
        assert_eq!(found, RECORDED_SIGNATURE, "tier {tier}: {found:#018x}");
    }
}
