//! Every tier against the scalar path, game by game, and against the reference, play by play.
//!
//! `TAVLI_THOROUGH=1` compares more than 20 million games on each tier, as CI does.

use core::num::NonZeroU32;
use core::ops::Range;
use std::collections::{BTreeMap, HashSet};

use crate::support::boards::{three_a_side, varied_boards};
use crate::support::effort::by_effort;
use crate::support::specification::Stream;
use crate::support::tiers::tiers;
use crate::support::{golden, threads};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tavli_backgammon::plays::reference;
use tavli_backgammon::{Board, FirstRoll, GameEnd, NO_STOP, Playouts, Roll, RuleSet, Tier};

/// Truncation after this number of plies.
fn plies(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("not 0")
}

/// Where games start, in kinds that are taken equally often.
fn starts() -> Vec<(&'static str, Vec<Board>)> {
    let position = |id| vec![Board::from_position_id(id).expect("a position")];
    let random = golden::plays(&golden::data("plays.tsv.gz"))
        .into_iter()
        .filter(|row| row.tags.iter().any(|tag| tag == "random"))
        .map(|row| row.board());
    // Anchors on the 22 and 24 points against a prime.
    let (mut own, mut opponent) = ([0; 26], [0; 26]);
    (own[24], own[22], own[8], own[6], own[5], own[4]) = (2, 3, 2, 3, 3, 2);
    (opponent[13], opponent[8], opponent[7], opponent[6], opponent[5], opponent[4]) = (3, 3, 2, 2, 2, 3);
    let back_game = Board::new(&own, &opponent).expect("a position");
    vec![
        ("start", vec![Board::START]),
        ("bar", position("tu0MAhBoz8EDQA")),
        ("both on the bar", position("4Dp4AGzgGTwgbA")),
        ("race", position("UQAAIAkAAAAAAA")),
        ("bear-off", position("7e4OAABtdw8AAA")),
        ("bear-off with contact", position("74AAAG4AAAIAAA")),
        ("back game", vec![back_game]),
        ("random golden positions", random.collect()),
        ("varied boards", varied_boards().take(2_000).collect()),
    ]
}

/// A range of games of some playouts, and the kinds that it counts for.
struct Run {
    playouts: Playouts,
    games: Range<u64>,
    kinds: [String; 5],
}

/// Runs of every kind of start, rules, first roll, truncation, seed, game numbers and length, mixed at
/// random, the same in each call.
fn runs(games: u64) -> Vec<Run> {
    const SEEDS: [u64; 4] = [0, 0x7461_766c_6900_0006, 0x1_0000_0001, u64::MAX];
    // Numbers of 32 bits, across their end, beyond it, and to the end of all numbers.
    const FIRST_GAMES: [u64; 4] = [0, 0xffff_ff00, 0x7_ffff_fff0, u64::MAX - LONGEST];
    const LONGEST: u64 = 5_000;
    // Around the lanes of a vector and the games in play at a time, and lengths that refill lanes often.
    const LENGTHS: [u64; 18] =
        [1, 2, 7, 8, 9, 15, 16, 17, 100, 511, 512, 513, 1_023, 1_024, 1_025, 1_296, 3_000, LONGEST];
    const TRUNCATIONS: [u32; 8] = [0, 0, 0, 0, 1, 2, 7, 30];
    let starts = starts();
    let small_start = ("three a side", three_a_side());
    let mut random = SplitMix64::seed_from_u64(7);
    let mut below = |end: usize| (random.next_u64() % end as u64) as usize;
    let mut runs = Vec::new();
    let mut planned = 0;
    while planned < games {
        let rules = RuleSet::ALL[below(RuleSet::ALL.len())];
        let (name, boards) = match rules.checkers() {
            3 => &small_start,
            _ => &starts[below(starts.len())],
        };
        let board = boards[below(boards.len())];
        let seed = SEEDS[below(SEEDS.len())];
        let first = FIRST_GAMES[below(FIRST_GAMES.len())];
        let length = LENGTHS[below(LENGTHS.len())];
        let roll = FirstRoll::Given(Roll::ALL[below(Roll::ALL.len())]);
        let first_roll = [FirstRoll::Any, FirstRoll::Open, FirstRoll::Stratified, roll][below(4)];
        let truncation = TRUNCATIONS[below(TRUNCATIONS.len())];
        let Ok(playouts) = Playouts::new(board, rules, seed) else {
            continue; // the game is over by these rules, or can never end
        };
        let mut playouts = playouts.with_first_roll(first_roll);
        if truncation > 0 {
            playouts = playouts.truncated_after(plies(truncation));
        }
        let mode = match first_roll {
            FirstRoll::Given(_) => "given".to_owned(),
            other => other.to_string(),
        };
        runs.push(Run {
            playouts,
            games: first..first + length,
            kinds: [
                format!("start: {name}"),
                format!("rules: {rules}"),
                format!("first roll: {mode}"),
                format!("truncation: {truncation}"),
                format!("first game: {first}"),
            ],
        });
        planned += length;
    }
    runs
}

#[test]
fn tiers_play_the_same_games() {
    let games = by_effort(300_000, 20_000_000);
    let runs = runs(games);
    let mut compared = BTreeMap::<&str, u64>::new();
    for run in &runs {
        for kind in &run.kinds {
            *compared.entry(kind).or_default() += run.games.end - run.games.start;
        }
    }
    assert_eq!(compared.len(), 9 + 1 + RuleSet::ALL.len() + 4 + 5 + 4);
    for (kind, number) in compared {
        assert!(number >= games / 50, "{number} of {games} games, {kind}");
    }

    threads::for_each(runs.iter().enumerate().collect(), |(i, run)| {
        let Run { playouts, games, .. } = run;
        let mut expected = Vec::new();
        let results = playouts.run_with_ends(Tier::Portable, games.clone(), &mut expected, NO_STOP).unwrap();
        assert_eq!(expected.len() as u64, games.end - games.start);
        // The scalar path for any CPU, which is slower.
        if i % 16 == 0 {
            for record in &expected {
                assert_eq!(*record, playouts.play(record.game), "{playouts:?}");
            }
        }
        for tier in tiers() {
            let mut records: Vec<GameEnd> = Vec::new();
            let of_tier = playouts.run_with_ends(tier, games.clone(), &mut records, NO_STOP).unwrap();
            assert_eq!(records.len(), expected.len(), "tier {tier}, {playouts:?}");
            for (record, expected) in records.iter().zip(&expected) {
                assert_eq!(record, expected, "tier {tier}, {playouts:?}, {games:?}");
            }
            assert_eq!(of_tier, results, "tier {tier}, {playouts:?}, {games:?}");
        }
    });
}

/// A roll, by the way its plays are counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Category {
    Entering,
    BearingOff,
    /// The last checkers may come home during the roll, with dice left to bear one off.
    BringingHome,
    Other,
}

impl Category {
    const ALL: [Category; 4] = [Category::Entering, Category::BearingOff, Category::BringingHome, Category::Other];

    fn of(board: &Board, roll: Roll) -> Category {
        let own = board.own();
        let outside = own.points().filter(|&point| point > 6);
        let steps_home = |point: u8| (point - 6).div_ceil(roll.high());
        let steps = outside.map(|point| u16::from(own.count(point)) * u16::from(steps_home(point)));
        if own.bar() > 0 {
            Category::Entering
        } else if own.all_home() {
            Category::BearingOff
        } else if steps.sum::<u16>() <= if roll.is_double() { 3 } else { 1 } {
            Category::BringingHome
        } else {
            Category::Other
        }
    }
}

/// The number of games, from the first on, whose first words pick each of `plays` plays at least once.
fn games_for_all(seed: u64, plays: usize) -> u64 {
    let mut picked = vec![false; plays];
    let mut left = plays;
    let mut game = 0;
    while left > 0 {
        let word = u64::from(Stream::new(seed, game).next_word());
        let index = ((word * plays as u64) >> 32) as usize;
        left -= usize::from(!picked[index]);
        picked[index] = true;
        game += 1;
    }
    game
}

/// Makes every play of a roll on a tier, and nothing else: the game that picks an index makes the play in
/// that slot.
fn check_slots(board: &Board, roll: Roll, rules: RuleSet, plays: &[Board]) {
    const SEED: u64 = 0x7461_766c_6900_0007;
    let Ok(playouts) = Playouts::new(*board, rules, SEED) else {
        return; // the game is over by these rules, or can never end
    };
    let playouts = playouts.with_first_roll(FirstRoll::Given(roll)).truncated_after(plies(1));
    let games = games_for_all(SEED, plays.len());
    let plays: HashSet<Board> = plays.iter().copied().collect();
    for tier in tiers() {
        let mut records = Vec::new();
        let results = playouts.run_with_ends(tier, 0..games, &mut records, NO_STOP).unwrap();
        let made: HashSet<Board> = records.iter().map(|record| record.board).collect();
        assert_eq!(made, plays, "tier {tier}, {rules}, {roll} in {board:?}");
        let offered = u128::from(games) * plays.len() as u128;
        assert_eq!(results.tally.plays, offered, "tier {tier}, {rules}, {roll} in {board:?}");
    }
}

#[test]
fn every_slot_is_a_play_of_the_reference() {
    // The number of each category, doubles and non-doubles: rare categories are searched for longer.
    let wanted = by_effort(400, 10_000);
    let mut rolls = BTreeMap::<(Category, bool), u64>::new();
    let mut cases = Vec::new();
    for board in varied_boards().take(wanted as usize * 40) {
        for roll in Roll::ALL {
            let category = Category::of(&board, roll);
            let number = rolls.entry((category, roll.is_double())).or_default();
            if *number < wanted {
                let plays = reference::plays(&board, roll, RuleSet::Backgammon);
                let before = board.own().checkers();
                let bears_off = plays.iter().any(|play| play.opponent().checkers() < before);
                *number += u64::from(bears_off || category != Category::BringingHome);
                cases.push((board, roll, plays));
            }
        }
    }
    for category in Category::ALL {
        for is_double in [false, true] {
            let number = rolls[&(category, is_double)];
            assert_eq!(number, wanted, "{category:?}, double: {is_double}");
        }
    }
    threads::for_each(cases, |(board, roll, plays)| {
        check_slots(&board, roll, RuleSet::Backgammon, &plays);
        let plays = reference::plays(&board, roll, RuleSet::McGammon);
        check_slots(&board, roll, RuleSet::McGammon, &plays);
    });
}
