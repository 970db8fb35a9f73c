//! Playouts against the specification, game by game and bit by bit, and invariants of every run, on every tier.

use core::cell::Cell;
use core::num::NonZeroU32;
use core::ops::Range;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::boards::{boards, varied_boards};
use crate::support::effort::by_effort;
use crate::support::specified;
use crate::support::statistics::Draws;
use crate::support::tiers::tiers;
use proptest::prelude::*;
use tavli_backgammon::playout::ManyPlayouts;
use tavli_backgammon::plays::reference;
use tavli_backgammon::{
    Board, FirstRoll, GameEnd, NO_STOP, Outcome, PlayoutError, Playouts, Results, Roll, RuleSet, SideCheckers, Stopped,
    Tally, Tier,
};

/// Seeds and first game numbers, some beyond 32 bits.
const SEEDS: [u64; 4] = [0, 1, 0x1_0000_0001, u64::MAX];
const FIRST_GAMES: [u64; 4] = [0, 0xffff_fffe, 0x7_ffff_fff0, u64::MAX - 40];

fn plies(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("not 0")
}

/// The records and results of a range.
fn recorded(playouts: &Playouts, tier: Tier, games: Range<u64>) -> (Vec<GameEnd>, Results) {
    let mut records = Vec::new();
    let results = playouts.run_with_ends(tier, games, &mut records, NO_STOP).unwrap();
    (records, results)
}

/// Playouts of varied positions under every rule set, with every way to begin and to be cut off.
fn varied_playouts() -> impl Iterator<Item = Playouts> {
    let rolls = Roll::ALL.into_iter().cycle();
    let settings = varied_boards().zip(rolls).enumerate().flat_map(|(i, (board, roll))| {
        RuleSet::ALL.iter().copied().filter_map(move |rules| {
            let playouts = Playouts::new(board, rules, SEEDS[i % 4]).ok()?;
            let first_roll =
                [FirstRoll::Any, FirstRoll::Open, FirstRoll::Given(roll), FirstRoll::Stratified][i / 2 % 4];
            Some((i, playouts.with_first_roll(first_roll)))
        })
    });
    settings.map(|(i, playouts)| match i % 5 {
        0 => playouts.truncated_after(plies(1 + i as u32 % 9)),
        _ => playouts,
    })
}

#[test]
fn every_game_is_as_specified() {
    let positions = by_effort(600, 6_000) as usize;
    let (mut games, mut cut_off) = (0, 0);
    for (i, playouts) in varied_playouts().take(positions).enumerate() {
        let first = FIRST_GAMES[i / 4 % 4];
        let expected = specified::games(&playouts, first..first + 5);
        let offered: u64 = expected.iter().map(|game| game.offered).sum();
        for tier in tiers() {
            let (records, results) = recorded(&playouts, tier, first..first + 5);
            assert!(
                records.len() == expected.len()
                    && records.iter().zip(&expected).all(|(record, expected)| specified::agree(record, expected)),
                "tier {tier}, {playouts:?}:\n{records:?}\nspecified: {expected:?}"
            );
            assert_eq!(results.tally.plays, u128::from(offered), "{playouts:?}");
        }
        for (game, expected) in (first..).zip(&expected) {
            assert!(specified::agree(&playouts.play(game), expected), "{playouts:?}");
            games += 1;
            cut_off += usize::from(expected.points.is_none());
        }
    }
    assert!(games >= 2_900 && cut_off >= 150, "{games} games, {cut_off} cut off");
    let last = Playouts::new(Board::START, RuleSet::Backgammon, 7).expect("a game");
    let specified = specified::playouts(&last).play(u64::MAX);
    assert!(specified::agree(&last.play(u64::MAX), &specified));
}

/// Positions of several lengths of game, under a rule set each.
fn lengths_of_game() -> [Playouts; 4] {
    let playouts = |id, rules| {
        let board = Board::from_position_id(id).expect("a position");
        Playouts::new(board, rules, 0x2_0000_0005).expect("a game")
    };
    [
        playouts("4HPwATDgc/ABMA", RuleSet::Backgammon),
        playouts("4HPwATDgc/ABMA", RuleSet::McGammon),
        playouts("7e4OAABtdw8AAA", RuleSet::Backgammon).truncated_after(plies(17)),
        playouts("BgAAmM0IwDYAAA", RuleSet::Backgammon).with_first_roll(FirstRoll::Open),
    ]
}

#[test]
fn a_range_may_be_split_anyhow() {
    for tier in tiers() {
        for playouts in lengths_of_game() {
            for first in [0, (1 << 32) - 50, u64::MAX - 120] {
                let (records, results) = recorded(&playouts, tier, first..first + 120);
                assert_eq!(results, playouts.run(tier, first..first + 120, NO_STOP).unwrap());
                for size in [1, 2, 7, 16, 33, 64, 119] {
                    let mut parts = Results::default();
                    let mut of_parts = Vec::new();
                    let mut from = first;
                    while from < first + 120 {
                        let to = from.saturating_add(size).min(first + 120);
                        parts.merge(&playouts.run_with_ends(tier, from..to, &mut of_parts, NO_STOP).unwrap());
                        from = to;
                    }
                    assert_eq!(parts, results, "tier {tier}, parts of {size}");
                    assert_eq!(of_parts, records, "tier {tier}, parts of {size}");
                }
            }
            assert_eq!(playouts.run(tier, 5..5, NO_STOP).unwrap(), Results::default());
        }
    }
}

#[test]
fn records_without_memory_are_refused() {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("a game");
    let record = playouts.play(0);
    // More bytes than a collection may have, and more than the addresses of a process.
    for games in [u64::MAX, 1 << 42] {
        let mut records = vec![record];
        let call = || playouts.run_with_ends(Tier::best(), 0..games, &mut records, NO_STOP).unwrap();
        let panic = catch_unwind(AssertUnwindSafe(call)).expect_err("no machine has the memory");
        let message = panic.downcast_ref::<String>().expect("a text");
        assert_eq!(*message, format!("no memory for the records of {games} games: play fewer at a time"));
        assert_eq!(records, [record]);
    }
}

#[test]
fn every_bit_of_a_seed_and_a_game_number_counts() {
    let start = |seed| Playouts::new(Board::START, RuleSet::Backgammon, seed).expect("a game");
    for tier in tiers() {
        let course = |seed, game| {
            let (records, _) = recorded(&start(seed), tier, game..game + 1);
            assert_eq!(records[0].game, game);
            (records[0].plies, records[0].board)
        };
        let expected = course(1, 1);
        for bit in 0..64 {
            assert_ne!(course(1 ^ 1 << bit, 1), expected, "bit {bit} of the seed");
            assert_ne!(course(1, 1 ^ 1 << bit), expected, "bit {bit} of the game");
        }
    }
}

/// Whether both sides of a record's position could stand on one board, and the game is over as its
/// outcome says.
fn assert_consistent(playouts: &Playouts, record: &GameEnd) {
    let board = &record.board;
    let winner_is_home = |winner: &SideCheckers| match playouts.rules() {
        RuleSet::McGammon => winner.all_home(),
        _ => winner.checkers() == 0,
    };
    let shared = (1..=24).any(|p| board.own().count(p) > 0 && board.opponent().count(25 - p) > 0);
    assert!(!shared, "{record:?}");
    let mut before = [playouts.start().own(), playouts.start().opponent()];
    if record.plies % 2 == 1 {
        before.reverse();
    }
    for (before, after) in before.into_iter().zip([board.own(), board.opponent()]) {
        let stay = playouts.rules() == RuleSet::McGammon;
        assert!(after.checkers() <= before.checkers(), "{record:?}");
        assert!(!stay || after.checkers() == before.checkers(), "{record:?}");
    }

    let Some(outcome) = record.outcome else {
        let truncation = playouts.truncation().expect("only truncation cuts off").get();
        assert_eq!(record.plies, truncation);
        assert!(!playouts.rules().is_over(board), "{record:?}");
        return;
    };
    assert!(playouts.rules().is_over(board), "{record:?}");
    assert!(winner_is_home(board.opponent()), "{record:?}");
    assert!(!winner_is_home(board.own()), "{record:?}");
    assert_eq!(outcome.is_win(), record.plies % 2 == 1, "{record:?}");
    let loser = board.own();
    let beaten_at_home = loser.points().any(|point| point >= 19);
    let points = match playouts.rules() {
        RuleSet::McGammon => 1,
        rules if loser.checkers() < if rules == RuleSet::Hypergammon { 3 } else { 15 } => 1,
        RuleSet::Portes => 2,
        _ => 2 + i32::from(beaten_at_home),
    };
    assert_eq!(outcome.points().abs(), points, "{record:?}");
}

#[test]
fn records_are_consistent_and_add_up() {
    for playouts in varied_playouts().take(2_000) {
        for tier in tiers() {
            let (records, results) = recorded(&playouts, tier, 0..30);
            let mut occupancy = [[0; 25]; 2];
            for (game, record) in records.iter().enumerate() {
                assert_eq!(record.game, game as u64);
                assert_consistent(&playouts, record);
                let sides = [record.board.own(), record.board.opponent()];
                for (sums, side) in occupancy.iter_mut().zip(sides) {
                    for (sum, &count) in sums.iter_mut().zip(&side.counts()[1..]) {
                        *sum += u64::from(count) * u64::from(record.outcome.is_none());
                    }
                }
            }
            let tally = &results.tally;
            for &outcome in Outcome::ALL {
                let ended = records.iter().filter(|r| r.outcome == Some(outcome));
                assert_eq!(tally.count(outcome), ended.count() as u64);
            }
            let plies = records.iter().map(|record| u128::from(record.plies));
            assert_eq!(tally.games, 30);
            assert_eq!(tally.plies, plies.clone().sum::<u128>());
            assert_eq!(tally.plies_squared, plies.clone().map(|n| n * n).sum());
            assert_eq!(Some(u128::from(tally.longest)), plies.max());
            assert!(tally.plays >= tally.plies, "every ply offers a play");
            assert_eq!(results.occupancy.next_player, occupancy[0]);
            assert_eq!(results.occupancy.other_player, occupancy[1]);
        }
    }
}

/// Three checkers on the bar. A non-double enters two of them, a double all three, so the play shows the roll.
fn position_that_shows_the_roll() -> (Board, HashMap<Board, Roll>) {
    let (mut own, mut opponent) = ([0; 26], [0; 26]);
    (own[25], own[1], opponent[20]) = (3, 12, 15);
    let board = Board::new(&own, &opponent).expect("a position");
    let mut rolls = HashMap::new();
    for roll in Roll::ALL {
        for play in reference::plays(&board, roll, RuleSet::Backgammon) {
            assert_eq!(rolls.insert(play, roll), None, "one roll for each play");
        }
    }
    (board, rolls)
}

#[test]
fn first_rolls_are_thrown_as_set() {
    let games = by_effort(90_000, 3_000_000);
    let (board, rolls) = position_that_shows_the_roll();
    for tier in tiers() {
        for (first_roll, rolls_of_all) in [
            (FirstRoll::Any, 36),
            (FirstRoll::Open, 15),
            (FirstRoll::Given(Roll::ALL[8]), 1),
            (FirstRoll::Given(Roll::ALL[9]), 1),
        ] {
            let playouts = Playouts::new(board, RuleSet::Backgammon, 0x7461_766c_6900_0004)
                .expect("a game")
                .with_first_roll(first_roll)
                .truncated_after(plies(1));
            let mut thrown = HashMap::<Roll, u64>::new();
            for record in recorded(&playouts, tier, 0..games).0 {
                *thrown.entry(rolls[&record.board]).or_default() += 1;
            }
            for roll in Roll::ALL {
                let share = match first_roll {
                    FirstRoll::Any => roll.weight(),
                    FirstRoll::Open => u32::from(!roll.is_double()),
                    FirstRoll::Given(given) => u32::from(roll == given),
                    other => unreachable!("{other} is not drawn"),
                };
                let exact = f64::from(share) / f64::from(rolls_of_all);
                let times = thrown.get(&roll).copied().unwrap_or(0);
                Draws::for_event(games, times, exact)
                    .assert_mean(exact, 0.0, || format!("tier {tier}, first roll {first_roll}: {roll}"));
            }
        }
    }
}

#[test]
fn stratified_first_rolls_come_up_evenly() {
    let (board, rolls) = position_that_shows_the_roll();
    let stratified =
        Playouts::new(board, RuleSet::Backgammon, 5).expect("a game").with_first_roll(FirstRoll::Stratified);
    for tier in tiers() {
        for first in [0, 17, (1 << 32) - 700, u64::MAX - 1300] {
            let (records, _) = recorded(&stratified.truncated_after(plies(1)), tier, first..first + 36);
            for roll in Roll::ALL {
                let times = records.iter().filter(|record| rolls[&record.board] == roll);
                assert_eq!(times.count() as u32, roll.weight(), "tier {tier}, {roll}");
            }
        }
    }
}

#[test]
fn truncation_cuts_the_same_games_off() {
    for playouts in varied_playouts().filter(|p| p.truncation().is_none()).take(200) {
        for tier in tiers() {
            let (whole, _) = recorded(&playouts, tier, 0..20);
            for most in [1, 2, 3, 10, 40] {
                let (cut, results) = recorded(&playouts.truncated_after(plies(most)), tier, 0..20);
                let mut unfinished = 0;
                for (cut, whole) in cut.iter().zip(&whole) {
                    if whole.plies <= most {
                        assert_eq!(cut, whole, "a game that ends in time is whole");
                    } else {
                        assert_eq!((cut.outcome, cut.plies), (None, most));
                        unfinished += 1;
                    }
                }
                assert_eq!(results.tally.unfinished(), unfinished);
            }
        }
    }
}

#[test]
fn every_game_ends() {
    // Far above the longest game of the golden statistics, which has 547 plies.
    const CAP: u32 = 100_000;
    let positions = by_effort(1_500, 30_000) as usize;
    let mut never = 0;
    for board in varied_boards().take(positions) {
        for &rules in RuleSet::ALL {
            let playouts = match Playouts::new(board, rules, 3) {
                Ok(playouts) => playouts.truncated_after(plies(CAP)),
                Err(PlayoutError::Deadlock) => {
                    never += 1;
                    continue;
                }
                Err(_) => continue,
            };
            for tier in tiers() {
                let tally = playouts.run(tier, 0..10, NO_STOP).unwrap().tally;
                assert_eq!(tally.unfinished(), 0, "an endless game: {playouts:?}");
            }
        }
    }
    assert!(never < positions / 20, "{never} positions refused");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_playout_is_as_specified(
        board in boards(),
        rules in prop::sample::select(RuleSet::ALL.to_vec()),
        seed: u64,
        game in 0..u64::MAX,
    ) {
        if let Ok(playouts) = Playouts::new(board, rules, seed) {
            let specified = specified::playouts(&playouts).play(game);
            for tier in tiers() {
                let (records, _) = recorded(&playouts, tier, game..game + 1);
                prop_assert_eq!((records.len(), records[0].game), (1, game));
                prop_assert!(specified::agree(&records[0], &specified), "{records:?}\n{specified:?}");
            }
        } else {
            let closed = |side: &SideCheckers| (1..=6).all(|point| side.count(point) >= 2);
            let stuck = |own: &SideCheckers, other: &SideCheckers| own.bar() > 0 && closed(other);
            let (own, opponent) = (board.own(), board.opponent());
            let deadlock = stuck(own, opponent) && stuck(opponent, own);
            let too_many = rules == RuleSet::Hypergammon && own.checkers().max(opponent.checkers()) > 3;
            prop_assert!(rules.is_over(&board) || deadlock || too_many, "refused for nothing");
        }
    }
}

#[test]
fn no_playouts_start_from_a_game_that_is_over() {
    let mut home = [0; 26];
    home[6] = 15;
    let mut away = [0; 26];
    away[24] = 15;
    for (own, opponent, points) in [(&home, &away, 1), (&away, &home, -1)] {
        let board = Board::new(own, opponent).expect("a position");
        assert!(Playouts::new(board, RuleSet::Backgammon, 0).is_ok());
        let error = Playouts::new(board, RuleSet::McGammon, 0).expect_err("one side is home");
        let position = board.position_id();
        assert_eq!(error, PlayoutError::GameOver { position, points });
        assert_eq!(
            error.to_string(),
            format!(
                "the game is already over in the position {position}, with {points:+} points for the player whose turn \
                 it would be; name one in which it goes on"
            )
        );
    }
    let won = recorded(&Playouts::new(Board::START, RuleSet::Backgammon, 0).expect("a game"), Tier::Portable, 0..1);
    for board in [won.0[0].board, won.0[0].board.swapped()] {
        let outcome = RuleSet::Backgammon.outcome(&board).expect("the game is over");
        assert_eq!(
            Playouts::new(board, RuleSet::Backgammon, 0),
            Err(PlayoutError::GameOver { position: board.position_id(), points: outcome.points() })
        );
    }
}

#[test]
fn no_playouts_start_from_a_deadlock() {
    let mut closed = [0; 26];
    closed[1..=6].fill(2);
    closed[25] = 1;
    let board = Board::new(&closed, &closed).expect("a position");
    for &rules in RuleSet::ALL.iter().filter(|rules| rules.checkers() == 15) {
        let error = Playouts::new(board, rules, 0).expect_err("nobody can move");
        assert_eq!(error, PlayoutError::Deadlock);
        assert!(error.to_string().starts_with("the game can never end"));
    }
    // One open point, or one side in play, and the game goes on.
    let mut open = closed;
    open[3] = 1;
    let mut entered = closed;
    (entered[25], entered[7]) = (0, 1);
    for other in [open, entered] {
        for (own, opponent) in [(&closed, &other), (&other, &closed)] {
            let board = Board::new(own, opponent).expect("a position");
            assert!(Playouts::new(board, RuleSet::Backgammon, 0).is_ok());
        }
    }
}

/// A stop that comes when the last game has ended does not take the result away.
#[test]
fn a_complete_result_is_not_stopped() {
    type Run<'a> = &'a dyn Fn(&dyn Fn() -> bool) -> Result<Vec<Tally>, Stopped>;
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 5).expect("a game");
    let many = ManyPlayouts::new([playouts, playouts]).expect("rows of one kind");
    for tier in tiers() {
        let runs: [Run<'_>; 2] = [&|stop| playouts.run(tier, 0..3, stop).map(|results| vec![results.tally]), &|stop| {
            many.run(tier, 0..3, stop)
        }];
        for run in runs {
            let asked = Cell::new(0);
            let after = |most: u32| {
                asked.set(0);
                run(&|| {
                    asked.set(asked.get() + 1);
                    asked.get() > most
                })
            };
            let whole = after(u32::MAX);
            assert!(whole.is_ok());
            let all = asked.get();
            // Asked once more after the last game, it says stop.
            assert_eq!(after(all - 1), whole, "{tier}");
            assert_eq!(after(1), Err(Stopped), "{tier}");
        }
    }
}
