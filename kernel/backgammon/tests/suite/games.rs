//! Games played ply by ply: with uniform picks they equal the playouts.

use core::num::NonZeroU32;

use tavli_backgammon::playout::{Dice, Throw};
use tavli_backgammon::plays::Step;
use tavli_backgammon::plays::View;
use tavli_backgammon::stepping::{Games, OngoingGame, PickError, PlayError, RollBatch, SteppedGame};
use tavli_backgammon::{Board, FirstRoll, GameEnd, NO_STOP, Planes, Playouts, Plays, Roll, RuleSet, Side};

use crate::support::specification;

/// The start, a checker on the bar, a bear-off, and last checkers that come home.
const POSITIONS: [&str; 4] = ["4HPwATDgc/ABMA", "tu0MAhBoz8EDQA", "7e4OAABtdw8AAA", "57xHAADO3SsAAA"];

/// Playouts of every rule set and first roll, whole and cut off.
fn all_playouts() -> Vec<Playouts> {
    let given: Roll = "31".parse().expect("a roll");
    let mut all = Vec::new();
    for &rules in RuleSet::ALL {
        let boards = POSITIONS.map(|id| Board::from_position_id(id).expect("a position"));
        for board in boards.into_iter().chain([rules.start()]) {
            let Ok(playouts) = Playouts::new(board, rules, 7) else {
                continue; // the game is over by these rules, or has fewer checkers
            };
            for first_roll in [FirstRoll::Any, FirstRoll::Open, FirstRoll::Given(given), FirstRoll::Stratified] {
                let playouts = playouts.with_first_roll(first_roll);
                let cut_off = NonZeroU32::new(9).expect("not 0");
                all.extend([playouts, playouts.truncated_after(cut_off)]);
            }
        }
    }
    all
}

/// The plays that the fractions draw.
fn uniform_picks(decisions: &RollBatch) -> Vec<u32> {
    let throws = decisions.rolls().iter().zip(decisions.fractions());
    let picks = throws
        .enumerate()
        .map(|(decision, (&roll, &fraction))| Throw { roll, fraction }.draw(decisions.plays_of(decision)) as u32);
    picks.collect()
}

#[test]
fn throws_are_as_specified() {
    let given: Roll = "52".parse().expect("a roll");
    let rolls_of = |number: usize| -> Vec<Roll> {
        match number {
            36 => (0..36).map(|throw| Roll::new(throw / 6 + 1, throw % 6 + 1).expect("dice")).collect(),
            _ => Roll::ALL.into_iter().filter(|roll| !roll.is_double()).collect(),
        }
    };
    for first_roll in [FirstRoll::Any, FirstRoll::Open, FirstRoll::Given(given), FirstRoll::Stratified] {
        for (seed, game) in [(1, 0), (0x1_2345_6789, 1 << 40), (7, 1295)] {
            let mut stream = specification::Stream::new(seed, game);
            let stratified = specification::stratified_throws(seed, game);
            let dice = Dice::new(seed, first_roll);
            for (ply, throw) in dice.of_game(game).take(50).enumerate() {
                let word = u64::from(stream.next_word());
                let rolls = match (first_roll, ply) {
                    (FirstRoll::Open, 0) => rolls_of(15),
                    (FirstRoll::Given(roll), 0) => vec![roll],
                    (FirstRoll::Stratified, 0 | 1) => vec![rolls_of(36)[stratified[ply]]],
                    _ => rolls_of(36),
                };
                let product = word * rolls.len() as u64;
                let specified = Throw { roll: rolls[(product >> 32) as usize], fraction: product as u32 };
                assert_eq!(throw, specified, "{first_roll}, ply {ply} of game {game}");
            }
        }
    }
}

#[test]
fn one_game_with_uniform_picks_is_the_playout() {
    for playouts in all_playouts() {
        for number in [0, 1, 17, 1 << 35] {
            let mut game = SteppedGame::new(&playouts, number);
            assert_eq!(game.make(0), Err(PlayError::NoRoll));
            while let Some(throw) = game.roll() {
                assert_eq!(game.roll(), Some(throw), "the dice lie there already");
                let plays = game.plays().expect("a roll").len();
                let error = PlayError::Index { index: plays, plays };
                assert_eq!(game.make(plays), Err(error));
                let mover = game.turn();
                game.make(throw.draw(plays)).expect("a play");
                assert_ne!(game.turn(), mover);
            }
            assert_eq!(game.so_far(), playouts.play(number), "{playouts:?}");
            assert_eq!(game.plays(), None);
        }
    }
}

#[test]
fn many_games_with_uniform_picks_are_the_playouts() {
    for playouts in all_playouts() {
        for (numbers, side_by_side) in [(0..50, 7), (1 << 33..(1 << 33) + 20, 100), (3..3, 5)] {
            let mut games = Games::new(&playouts, numbers.clone(), side_by_side);
            let mut records: Vec<GameEnd> = Vec::new();
            while !games.is_empty() {
                assert!(games.len() <= side_by_side);
                let listed = games.roll().clone();
                assert_eq!(games.roll().rolls(), listed.rolls(), "the dice lie there already");
                let numbers: Vec<u64> = games.numbers().collect();
                let ended = games.make(&uniform_picks(&listed)).expect("plays");
                for end in ended {
                    assert_eq!(end.end.game, numbers[end.place]);
                    records.push(end.end);
                }
            }
            records.sort_by_key(|record| record.game);
            let expected: Vec<GameEnd> = numbers.clone().map(|number| playouts.play(number)).collect();
            assert_eq!(records, expected, "{playouts:?}");
            let tally = playouts.run(tavli_backgammon::Tier::Portable, numbers, NO_STOP).unwrap().tally;
            assert_eq!(*games.tally(), tally);
        }
    }
}

#[test]
fn every_view_lists_the_plays_in_their_order_and_makes_them() {
    for playouts in all_playouts() {
        let mut games = Games::new(&playouts, 0..10, 10);
        let mut other = RollBatch::new(playouts.rules());
        while !games.is_empty() {
            let decisions = games.roll();
            let throws = decisions.rolls().iter().zip(decisions.fractions());
            other.clear();
            for (&position, (&roll, &fraction)) in decisions.positions().iter().zip(throws) {
                let throw = Throw { roll, fraction };
                other.push(&position.into(), throw).expect("a game in play");
            }
            let picks = uniform_picks(decisions);
            let mut made = Vec::new();
            for view in [View::NUMBERS, View::CHANGES, View::RESULTS] {
                other.list(view);
                assert_eq!(other.offsets(), decisions.offsets());
                made.push(other.make(&picks).expect("plays").to_vec());
            }
            assert!(made.iter().all(|results| *results == made[0]));
            other.list(View::CHANGES);
            for (decision, (&position, &roll)) in decisions.positions().iter().zip(decisions.rolls()).enumerate() {
                let before = Board::from(position);
                let plays = Plays::new(&before, roll, playouts.rules()).to_vec();
                let results: Vec<Board> = plays.iter().map(|play| play.board()).collect();
                let listed = decisions.results_of(decision).iter();
                assert!(listed.copied().map(Board::from).eq(results));
                for (play, change) in plays.iter().zip(other.changes_of(decision)) {
                    assert_eq!(change.made_in(&position), Planes::from(play.board()));
                    assert!(change.hits().eq(play.hits()));
                    let mut board = before;
                    let mut dice = if roll.is_double() { vec![roll.high(); 4] } else { vec![roll.high(), roll.low()] };
                    for Step { from, to, hit } in change.steps() {
                        let rearmost = board.own().rearmost();
                        assert_eq!(board.move_checker(from, to), Ok(hit), "{change:?}");
                        assert!(to > 0 || rearmost <= 6, "{change:?}");
                        let exact = dice.iter().position(|&die| die == from - to);
                        let larger = || dice.iter().position(|&die| die > from);
                        let larger = || larger().filter(|_| to == 0 && from == rearmost);
                        dice.remove(exact.or_else(larger).expect("a step of a die"));
                    }
                    assert_eq!(board.swapped(), play.board());
                }
            }
            games.make(&picks).expect("plays");
        }
    }
}

#[test]
fn games_may_start_from_different_positions() {
    let boards: Vec<Board> = POSITIONS.iter().map(|id| Board::from_position_id(id).expect("a position")).collect();
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 3).expect("a game");
    let mut games = Games::from_starts(&playouts, &boards, 0..40).expect("games");
    let mut starts: Vec<usize> = (0..boards.len()).collect();
    let mut begun = 4;
    let mut counted = 0;
    while !games.is_empty() {
        let picks = uniform_picks(games.roll());
        let mut left = starts.clone();
        for end in games.make(&picks).expect("plays") {
            let start = boards[starts[end.place]];
            let playouts = Playouts::new(start, RuleSet::Backgammon, 3).expect("a game");
            assert_eq!(end.end, playouts.play(end.end.game));
            counted += 1;
            if begun < 40 {
                begun += 1;
            } else {
                left[end.place] = usize::MAX;
            }
        }
        left.retain(|&start| start != usize::MAX);
        starts = left;
    }
    assert_eq!((counted, games.tally().games), (40, 40));
    let over = Board::from_points(&{
        let mut points = [0; 26];
        points[19] = -2;
        points
    });
    assert!(Games::from_starts(&playouts, &[over.expect("a board")], 0..1).is_err());
}

#[test]
fn games_that_are_listed_in_parts_have_the_plays_of_all() {
    // Plays are listed a thousand games at a time. The code for any CPU lists changes first, for all games at once.
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 4).expect("a game");
    for view in [View::RESULTS, View::CHANGES, View::NUMBERS] {
        let mut games = Games::new(&playouts, 0..3000, 3000);
        let listed = games.roll_for(view).clone();
        let mut at_once = listed.clone();
        at_once.list_on_any_cpu(view);
        assert_eq!(listed.offsets(), at_once.offsets());
        assert_eq!(listed.results(), at_once.results());
        assert_eq!(listed.changes(), at_once.changes());
    }
}

#[test]
fn games_that_were_kept_go_on_as_they_would_have() {
    for playouts in all_playouts() {
        let mut games = Games::new(&playouts, 5..60, 9);
        for ply in 0..200 {
            let kept: Vec<OngoingGame> = games.ongoing().collect();
            let again = Games::resume(&playouts, &kept, games.waiting(), *games.tally());
            let mut again = again.expect("games in progress");
            let picks = uniform_picks(games.roll());
            // With its dice on the table a game is kept as it is without them.
            assert!(ply % 50 != 0 || games.ongoing().eq(kept.iter().copied()));
            assert_eq!(picks, uniform_picks(again.roll()));
            assert_eq!(games.make(&picks), again.make(&picks));
            assert_eq!(games.tally(), again.tally());
            assert!(games.numbers().eq(again.numbers()));
            if ply % 2 == 0 {
                games = again;
            }
        }
        assert!(games.tally().games > 0);
    }
}

#[test]
fn what_is_no_play_is_refused_and_nothing_played() {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("a game");
    let mut games = Games::new(&playouts, 0..2, 2);
    let plays = games.roll().plays_of(1);
    let error = PickError { decision: 1, pick: plays as u32, plays };
    assert_eq!(games.make(&[0, plays as u32]), Err(error));
    assert!(games.plies().eq([0, 0]));
    assert!(games.turns().eq([Side::OnRoll; 2]));
    assert_eq!(games.make(&[0, plays as u32 - 1]), Ok(&[][..]));
    assert!(games.turns().eq([Side::Opponent; 2]));
    let mut decisions = RollBatch::new(RuleSet::McGammon);
    let mut points = [0; 26];
    (points[1], points[24]) = (1, -1);
    let home = Board::from_points(&points).expect("a position");
    let throw = Dice::new(1, FirstRoll::Any).of_game(0).next().expect("a throw");
    assert!(decisions.push(&home, throw).is_err(), "both are home");
}
