//! Every rule set: its start, its games and their values, against the specification and GNU Backgammon.

use core::num::NonZeroU32;

use crate::support::boards::three_a_side;
use crate::support::statistics::Draws;
use crate::support::tiers::tiers;
use crate::support::{golden, specified, threads};
use tavli_backgammon::plays::{Plays, perft, reference};
use tavli_backgammon::{BAR, Board, FirstRoll, NO_STOP, Outcome, PlayoutError, Playouts, Roll, RuleSet, Side, Tier};

/// A board from the points of both sides' checkers, each in its own frame.
fn board(own: &[u8], opponent: &[u8]) -> Board {
    let counts = |points: &[u8]| {
        let mut counts = [0; 26];
        for &point in points {
            counts[usize::from(point)] += 1;
        }
        counts
    };
    Board::new(&counts(own), &counts(opponent)).expect("a position")
}

/// Plays a range on every tier, and each of its games by the specification.
fn check_games(playouts: &Playouts, games: u64) {
    let expected = specified::games(playouts, 0..games);
    for tier in tiers() {
        let mut records = Vec::new();
        playouts.run_with_ends(tier, 0..games, &mut records, NO_STOP).unwrap();
        for (record, expected) in records.iter().zip(&expected) {
            assert!(
                specified::agree(record, expected),
                "tier {tier}, {playouts:?}:\n{record:?}\nspecified: {expected:?}"
            );
        }
    }
}

#[test]
fn games_begin_as_specified() {
    for &rules in RuleSet::ALL {
        let start = rules.start();
        assert_eq!(specified::position(&start), specified::rules(rules).start());
        assert_eq!(start, start.swapped(), "{rules}");
        assert_eq!(start.own().checkers(), rules.checkers(), "{rules}");
        assert_eq!(rules.name().parse(), Ok(rules));
        assert!(!rules.is_over(&start));
    }
    assert_eq!(RuleSet::default(), RuleSet::ALL[0]);
    let error = "chess".parse::<RuleSet>().expect_err("another game");
    assert_eq!(
        error.to_string(),
        "'chess' is not a rule set: choose backgammon, mcgammon, portes, nackgammon, hypergammon or longgammon"
    );
}

#[test]
fn games_of_every_rule_set_are_as_specified() {
    let mut runs = Vec::new();
    for &rules in RuleSet::ALL {
        for (i, first_roll) in [FirstRoll::Any, FirstRoll::Open, FirstRoll::Given(Roll::ALL[20]), FirstRoll::Stratified]
            .into_iter()
            .enumerate()
        {
            let playouts = Playouts::new(rules.start(), rules, i as u64).expect("a game");
            let playouts = playouts.with_first_roll(first_roll);
            let cut_off = NonZeroU32::new(30).expect("not 0");
            runs.push((playouts, 200));
            runs.push((playouts.truncated_after(cut_off), 70));
        }
    }
    threads::for_each(runs, |(playouts, games)| check_games(&playouts, games));
}

#[test]
fn hypergammon_is_played_as_specified_from_anywhere() {
    let boards = three_a_side();
    assert!(boards.len() >= 250, "{} boards", boards.len());
    threads::for_each(boards, |board| {
        let Ok(playouts) = Playouts::new(board, RuleSet::Hypergammon, 3) else {
            panic!("no game starts from {board:?}");
        };
        check_games(&playouts, 5);
        check_games(&playouts, 70);
        for roll in Roll::ALL {
            let plays = Plays::new(&board, roll, RuleSet::Hypergammon).to_vec();
            let mut ids: Vec<_> = plays.iter().map(|play| play.board().points()).collect();
            ids.sort_unstable();
            let plays = reference::plays(&board, roll, RuleSet::Hypergammon);
            let mut expected: Vec<_> = plays.iter().map(Board::points).collect();
            expected.sort_unstable();
            assert_eq!(ids, expected, "{roll} in {board:?}");
        }
    });
}

#[test]
fn rules_of_one_goal_play_the_same_games() {
    let records = |rules, tier| {
        let playouts = Playouts::new(Board::START, rules, 9).expect("a game");
        let mut records = Vec::new();
        playouts.run_with_ends(tier, 0..500, &mut records, NO_STOP).unwrap();
        records
    };
    for tier in tiers() {
        let backgammon = records(RuleSet::Backgammon, tier);
        assert_eq!(records(RuleSet::Nackgammon, tier), backgammon);
        let mut triples = 0;
        for (portes, backgammon) in records(RuleSet::Portes, tier).iter().zip(&backgammon) {
            assert_eq!(portes.board, backgammon.board);
            assert_eq!(portes.plies, backgammon.plies);
            let expected = match backgammon.outcome {
                Some(Outcome::WinBackgammon) => Some(Outcome::WinGammon),
                Some(Outcome::LoseBackgammon) => Some(Outcome::LoseGammon),
                other => other,
            };
            assert_eq!(portes.outcome, expected);
            triples += u32::from(portes.outcome != backgammon.outcome);
        }
        assert!(triples > 0, "no game of 500 was a backgammon");
    }
}

#[test]
fn a_win_is_worth_what_the_rules_say() {
    let fourteen = [6; 14];
    let with = |point: u8| [&fourteen[..], &[point]].concat();
    // The loser's checkers, and the points under the rules that bear off with 15 checkers a side.
    for (loser, full, portes) in [
        (fourteen.to_vec(), 1, 1),
        (vec![BAR], 1, 1),
        (with(6), 2, 2),
        (with(18), 2, 2),
        (with(19), 3, 2),
        (with(24), 3, 2),
        (with(BAR), 3, 2),
    ] {
        let lost = board(&loser, &[]);
        for (rules, points) in [
            (RuleSet::Backgammon, full),
            (RuleSet::Nackgammon, full),
            (RuleSet::Longgammon, full),
            (RuleSet::Portes, portes),
        ] {
            let worth = |board: &Board| rules.outcome(board).expect("over").points();
            assert_eq!(worth(&lost), -points, "{rules}, {loser:?}");
            assert_eq!(worth(&lost.swapped()), points, "{rules}, {loser:?}");
        }
        let mcgammon = RuleSet::McGammon.outcome(&lost).expect("over");
        assert_eq!(mcgammon, Outcome::LoseSingle);
    }
}

#[test]
fn starts_perft_and_worth_are_those_of_gnu_backgammon() {
    let rows = golden::rows(&golden::data("gnubg_variations.tsv"));
    assert_eq!(rows.len(), 20);
    for row in rows {
        let rules: RuleSet = row[1].parse().expect("a rule set");
        let board = Board::from_position_id(&row[2]).expect("a position");
        let number = |at: usize| row[at].parse::<u128>().expect("a number");
        match row[0].as_str() {
            "start" => assert_eq!(board, rules.start(), "{rules}"),
            "perft" => {
                let nodes = perft(&board, rules, row[3].parse().expect("a depth"));
                assert_eq!((nodes.nodes, nodes.weighted), (number(4), number(5)), "{rules}");
            }
            "worth" => {
                let plays = Plays::new(&board, "65".parse().expect("a roll"), rules);
                assert_eq!(plays.len(), 1, "both checkers are borne off");
                let over = plays.get(0).expect("a play").board();
                let outcome = rules.outcome(&over).expect("the game is over");
                assert_eq!(outcome.points(), -(number(4) as i32), "{rules}, {}", row[2]);
            }
            other => panic!("'{other}' is not in gnubg_variations.tsv"),
        }
    }
}

#[test]
fn a_game_takes_no_more_checkers_than_it_has() {
    let four = board(&[1, 2, 3, 4], &[1]);
    for (board, player) in [(four, Side::OnRoll), (four.swapped(), Side::Opponent)] {
        let error = Playouts::new(board, RuleSet::Hypergammon, 1).expect_err("too many checkers");
        let (rules, checkers) = (RuleSet::Hypergammon, 4);
        assert_eq!(error, PlayoutError::TooManyCheckers { rules, player, checkers });
        assert_eq!(error.to_string(), format!("{player} has 4 checkers; a side has at most 3 in hypergammon"));
        assert!(Playouts::new(board, RuleSet::Backgammon, 1).is_ok());
    }
}

/// A position of a race of up to three checkers a side, all home: the counts of the points 1 to 6 of the player on
/// roll, and of the other.
type Race = [[u8; 6]; 2];

/// The probability of 2, 1, -1 and -2 points for the player on roll of a race, if all plays are drawn evenly. It shares
/// no code with the library.
struct Solver(std::collections::HashMap<Race, [f64; 4]>);

impl Solver {
    fn solve(&mut self, race: Race) -> [f64; 4] {
        if let Some(&known) = self.0.get(&race) {
            return known;
        }
        let mut sum = [0.0; 4];
        for throw in 0..36 {
            let dice = [throw / 6 + 1, throw % 6 + 1];
            let plays = borne(race[0], dice);
            for after in &plays {
                let share = 1.0 / (36 * plays.len()) as f64;
                if after.iter().sum::<u8>() == 0 {
                    let gammon = race[1].iter().sum::<u8>() == 3;
                    sum[usize::from(!gammon)] += share;
                } else {
                    let mut other = self.solve([race[1], *after]);
                    other.reverse();
                    for (sum, part) in sum.iter_mut().zip(other) {
                        *sum += share * part;
                    }
                }
            }
        }
        self.0.insert(race, sum);
        sum
    }
}

/// The distinct results of a roll for a side whose checkers are all home, in a race.
fn borne(side: [u8; 6], dice: [usize; 2]) -> Vec<[u8; 6]> {
    let step = |side: [u8; 6], die: usize| -> Vec<[u8; 6]> {
        let highest = (1..=6).rev().find(|&point| side[point - 1] > 0).unwrap_or(0);
        let mut all = Vec::new();
        for point in (1..=6).filter(|&point| side[point - 1] > 0) {
            let mut after = side;
            after[point - 1] -= 1;
            if point > die {
                after[point - die - 1] += 1;
            } else if point < die && point != highest {
                continue;
            }
            all.push(after);
        }
        all
    };
    let orders =
        if dice[0] == dice[1] { vec![vec![dice[0]; 4]] } else { vec![vec![dice[0], dice[1]], vec![dice[1], dice[0]]] };
    let mut results = Vec::new();
    for order in orders {
        let mut sides = vec![side];
        for die in order {
            // A side that has borne off all its checkers has nothing more to play.
            sides =
                sides.into_iter().flat_map(|side| if side == [0; 6] { vec![side] } else { step(side, die) }).collect();
        }
        results.extend(sides);
    }
    results.sort_unstable();
    results.dedup();
    results
}

#[test]
fn hypergammon_bear_offs_end_with_their_exact_probabilities() {
    const GAMES: u64 = 100_000;
    let mut solver = Solver(std::collections::HashMap::new());
    let mut gammons = 0;
    for (own, opponent) in [
        ([6, 6, 6], vec![6, 6, 6]),
        ([6, 5, 4], vec![6, 6, 6]),
        ([3, 2, 1], vec![6, 5, 5]),
        ([6, 6, 6], vec![3, 2]),
        ([1, 1, 1], vec![6, 6, 6]),
        ([2, 2, 2], vec![4]),
    ] {
        let position = board(&own, &opponent);
        let counts = |points: &[u8]| {
            core::array::from_fn(|at| points.iter().filter(|&&point| usize::from(point) == at + 1).count() as u8)
        };
        let exact = solver.solve([counts(&own), counts(&opponent)]);
        assert!((exact.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let playouts = Playouts::new(position, RuleSet::Hypergammon, 77).expect("a game");
        let tally = playouts.run(Tier::best(), 0..GAMES, NO_STOP).unwrap().tally;
        for (outcome, exact) in [
            (Outcome::WinGammon, exact[0]),
            (Outcome::WinSingle, exact[1]),
            (Outcome::LoseSingle, exact[2]),
            (Outcome::LoseGammon, exact[3]),
            (Outcome::WinBackgammon, 0.0),
            (Outcome::LoseBackgammon, 0.0),
        ] {
            Draws::for_event(GAMES, tally.count(outcome), exact)
                .assert_mean(exact, 1e-12, || format!("{own:?} against {opponent:?}, {outcome}"));
        }
        gammons += tally.count(Outcome::WinGammon) + tally.count(Outcome::LoseGammon);
    }
    assert!(gammons > GAMES / 2, "{gammons} gammons");
}
