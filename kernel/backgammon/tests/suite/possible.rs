//! The outcomes that positions can still have: none that happens is ever excluded.

use std::collections::HashMap;

use crate::support::effort::by_effort;
use tavli_backgammon::evaluators::OutcomeSet;
use tavli_backgammon::playout::Throw;
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::{Policy, Pubeval};
use tavli_backgammon::stepping::Games;
use tavli_backgammon::{Board, NO_STOP, Outcome, Planes, Playouts, Plays, Roll, RuleSet, Tier};

use Outcome::{LoseBackgammon, LoseGammon, LoseSingle, WinBackgammon, WinGammon, WinSingle};

/// A position: on each of these points of the player on roll, his checkers, or the opponent's as a negative number.
fn position(points: &[(usize, i8)]) -> Planes {
    let mut all = [0; 26];
    for &(point, checkers) in points {
        all[point] = checkers;
    }
    Board::from_points(&all).expect("a board").into()
}

/// Rules, the points of a position, and the outcomes that it can have.
type Case = (RuleSet, &'static [(usize, i8)], &'static [Outcome]);

#[test]
fn bounds_are_those_of_the_rules() {
    use RuleSet::{Backgammon, Hypergammon, McGammon, Portes};
    let cases: &[Case] = &[
        (Backgammon, &[(7, 15), (18, -15)], &[WinSingle, WinGammon, LoseSingle, LoseGammon]),
        // Fourteen checkers, and the opponent is sure to be too late: he needs four rolls at least.
        (Backgammon, &[(2, 1), (19, -14)], &[WinSingle]),
        (Backgammon, &[(1, 5), (24, -14)], &[WinSingle]),
        // Five checkers take two rolls at least, and the opponent bears off one in any roll from the ace point.
        (Backgammon, &[(1, 5), (24, -15)], &[WinSingle]),
        (Backgammon, &[(1, 4), (24, -15)], &[WinSingle, WinGammon]),
        // A checker in the winner's home: it may stay there for a roll, but not if the others have no pips to play.
        (Backgammon, &[(1, 5), (4, -1), (19, -14)], &[WinSingle, WinGammon, WinBackgammon]),
        (Hypergammon, &[(1, 2), (6, -1), (24, -2)], &[WinBackgammon]),
        (Backgammon, &[(1, 5), (6, -1), (24, -14)], &[WinSingle, WinGammon]),
        (Portes, &[(1, 5), (4, -1), (19, -14)], &[WinSingle, WinGammon]),
        // With three checkers a side, two are one less.
        (Hypergammon, &[(6, 1), (24, -3)], &[WinSingle, WinGammon, LoseSingle]),
        (Hypergammon, &[(6, 1), (24, -2)], &[WinSingle, LoseSingle]),
        (Hypergammon, &[(6, 3), (24, -2)], &[WinSingle, LoseSingle, LoseGammon]),
        // Two checkers on the ace point come off before one on the bar comes home: nobody hits them.
        (Backgammon, &[(1, 3), (3, 11), (25, 1), (24, -2)], &[LoseGammon, LoseBackgammon]),
        (Portes, &[(1, 3), (3, 11), (25, 1), (24, -2)], &[LoseGammon]),
        (Hypergammon, &[(1, 1), (25, 1), (24, -2)], &[LoseSingle]),
        // Off in the next roll, or in two at most: the points that the loser cannot save in time are certain.
        (Hypergammon, &[(1, 1), (2, -1), (12, -2)], &[WinBackgammon]),
        (Hypergammon, &[(1, 1), (12, -3)], &[WinGammon]),
        (Hypergammon, &[(1, 3), (12, -1), (7, -2)], &[WinGammon]),
        (Hypergammon, &[(1, 3), (13, -3)], &[WinSingle, WinGammon]),
        (Hypergammon, &[(13, 3), (24, -1)], &[LoseGammon]),
        (Hypergammon, &[(18, 2), (24, -1)], &[LoseSingle]),
        (Hypergammon, &[(1, 1), (24, -3)], &[WinGammon]),
        (Backgammon, &[(1, 1), (24, -15)], &[WinGammon]),
        (Backgammon, &[(1, 1), (2, 1), (17, -15)], &[WinGammon]),
        (Backgammon, &[(1, 2), (17, -14)], &[WinSingle]),
        (Backgammon, &[(1, 1), (0, -15)], &[WinBackgammon]),
        (Backgammon, &[(1, 2), (2, -15)], &[WinBackgammon]),
        (Portes, &[(1, 2), (2, -15)], &[WinGammon]),
        (Backgammon, &[(8, 15), (24, -2)], &[LoseGammon]),
        (Backgammon, &[(23, 15), (24, -2)], &[Outcome::LoseBackgammon]),
        (McGammon, &[(1, 15), (17, -15)], &[WinSingle, LoseSingle]),
        // With contact, too, where no checker can stop the last.
        (Hypergammon, &[(1, 2), (0, -1), (19, -2)], &[WinBackgammon]),
        (Hypergammon, &[(1, 2), (0, -1), (19, -1)], &[WinSingle]),
        (Hypergammon, &[(2, 1), (0, -1), (19, -2)], &[WinBackgammon]),
        (Backgammon, &[(3, 1), (0, -1), (1, -1), (2, -1), (19, -12)], &[WinBackgammon]),
        (Backgammon, &[(3, 1), (0, -2), (19, -12)], &[WinSingle]),
        // A point before the checker is blocked; a checker on the ace point waits for the other.
        (Backgammon, &[(3, 1), (2, -2), (19, -12)], &[WinSingle, LoseSingle]),
        (Backgammon, &[(3, 1), (1, -2), (19, -12)], &[WinSingle, LoseSingle]),
        (Backgammon, &[(2, 1), (1, -2), (19, -12)], &[WinSingle, LoseSingle]),
        (Backgammon, &[(1, 1), (2, 1), (0, -1), (19, -13)], &[WinSingle, LoseSingle]),
        (Backgammon, &[(2, 2), (0, -1), (19, -13)], &[WinSingle, LoseSingle]),
        // On roll is the other side, who may hit or block.
        (Backgammon, &[(24, 2), (6, 12), (23, -1)], &[WinSingle, LoseSingle]),
        (McGammon, &[(7, 15), (17, -15)], &[WinSingle, LoseSingle]),
        (McGammon, &[(7, 1), (1, 14), (17, -15)], &[WinSingle, LoseSingle]),
    ];
    for (rules, points, expected) in cases {
        let found = OutcomeSet::possible(*rules, &position(points));
        assert_eq!(found, OutcomeSet::from_outcomes(expected), "{rules} {points:?}");
    }
    // With contact, only what is borne off excludes anything: here one of the opponent's checkers, and then two.
    let contact = OutcomeSet::possible(RuleSet::Backgammon, &position(&[(24, 2), (13, 13), (19, -14)]));
    let expected = [WinSingle, LoseSingle, LoseGammon, Outcome::LoseBackgammon];
    assert_eq!(contact, OutcomeSet::from_outcomes(&expected));
    let on_bar = position(&[(0, -1), (6, 2), (13, 13), (19, -12)]);
    assert_eq!(OutcomeSet::possible(RuleSet::Backgammon, &on_bar), OutcomeSet::from_outcomes(&expected));
}

/// Checks that none of the outcomes that were found from a position is excluded.
fn check(rules: RuleSet, position: &Planes, outcomes: &[bool; Outcome::COUNT]) {
    let possible = OutcomeSet::possible(rules, position);
    for &outcome in Outcome::ALL {
        let place = || format!("{rules}: {outcome} from {:?}", position.points());
        assert!(!outcomes[outcome as usize] || possible.contains(outcome), "{}", place());
    }
}

/// The outcomes that any dice and plays lead to from a race, found by trying all.
fn reached(position: Planes, known: &mut HashMap<Planes, [bool; Outcome::COUNT]>) -> [bool; Outcome::COUNT] {
    if let Some(&reached) = known.get(&position) {
        return reached;
    }
    let rules = RuleSet::Hypergammon;
    let mut all = [false; Outcome::COUNT];
    for roll in Roll::ALL {
        for play in Plays::new(&Board::from(position), roll, rules).to_vec() {
            let board = play.board();
            match rules.outcome_of_play(board.opponent(), board.own()) {
                Some(outcome) => all[outcome as usize] = true,
                None => {
                    let next = reached(board.into(), known);
                    for &outcome in Outcome::ALL {
                        all[outcome as usize] |= next[outcome.reversed() as usize];
                    }
                }
            }
        }
    }
    known.insert(position, all);
    all
}

#[test]
fn bounds_of_races_hold_against_every_play() {
    let mut known = HashMap::new();
    for own in [&[(1, 3)][..], &[(2, 1), (3, 2)], &[(3, 1), (6, 1)]] {
        for opponent in [&[(24, -3)][..], &[(18, -1), (23, -2)], &[(7, -1), (20, -1)], &[(6, -1), (22, -1), (24, -1)]] {
            let race = own.iter().all(|&(at, _)| opponent.iter().all(|&(other, _)| at < other));
            if race {
                reached(position(&[own, opponent].concat()), &mut known);
            }
        }
    }
    let (mut exact, mut certain, mut known_certain) = (0, 0, 0);
    for (position, outcomes) in &known {
        check(RuleSet::Hypergammon, position, outcomes);
        let possible = OutcomeSet::possible(RuleSet::Hypergammon, position);
        // The sets have all wins and losses up to the largest.
        let is_exact = |all: [Outcome; 3]| {
            let largest = |has: &dyn Fn(Outcome) -> bool| all.iter().rposition(|&one| has(one));
            largest(&|one| outcomes[one as usize]) == largest(&|one| possible.contains(one))
        };
        let wins = [WinSingle, WinGammon, WinBackgammon];
        exact += usize::from(is_exact(wins) && is_exact(wins.map(Outcome::reversed)));
        // A gammon that no play avoids, and one that is known to be such.
        let gammons = [WinGammon, WinBackgammon];
        let only = |gammons: [Outcome; 2], has: &dyn Fn(Outcome) -> bool| {
            Outcome::ALL.iter().all(|&one| !has(one) || gammons.contains(&one))
        };
        for gammons in [gammons, gammons.map(Outcome::reversed)] {
            certain += usize::from(only(gammons, &|one| outcomes[one as usize]));
            known_certain += usize::from(only(gammons, &|one| possible.contains(one)));
        }
    }
    println!("{exact} of {} are exact, {known_certain} of {certain} certain gammons", known.len());
    assert!(certain > 100 && known_certain * 2 > certain, "{known_certain} of {certain}");
    assert!(known.len() > 1000 && exact * 20 > known.len() * 19, "{exact} of {}", known.len());
}

/// Positions with contact and few checkers near the end, which stand anywhere: a win is certain where every play of
/// every roll bears off the last checkers, and nowhere else. What the next player can have after the plays is what is
/// found after each.
#[test]
fn wins_on_this_roll_are_certain_with_contact() {
    let (mut seed, mut certain) = (3_u64, [0; 4]);
    let mut below = |number: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % number
    };
    for _ in 0..by_effort(4000, 400_000) {
        let rules = RuleSet::ALL[below(RuleSet::ALL.len() as u64) as usize];
        let mut points = [0_i8; 26];
        for _ in 0..=below(3) {
            points[1 + below(4) as usize] += 1;
        }
        for _ in 0..=below(u64::from(rules.checkers())) {
            // Near the mover's last checkers as often as anywhere.
            let at = if below(2) == 0 { below(4) } else { below(25) } as usize;
            points[at] -= i8::from(points[at] <= 0);
        }
        let is_contact = (0..4).any(|at| points[at] < 0 && points[at + 1..].iter().any(|&checkers| checkers > 0));
        let Ok(board) = Board::from_points(&points) else {
            continue;
        };
        if !is_contact || !rules.bears_off() {
            continue;
        }
        let position = Planes::from(board);
        let ends = |roll| {
            let plays = Plays::new(&board, roll, rules).to_vec();
            let mut ends = plays.iter().map(|play| rules.outcome_of_play(play.board().opponent(), play.board().own()));
            ends.all(|outcome| outcome.is_some())
        };
        let wins = Roll::ALL.iter().all(|&roll| ends(roll));
        let possible = OutcomeSet::possible(rules, &position);
        let losses = OutcomeSet::from_outcomes(&[LoseSingle, LoseGammon, LoseBackgammon]);
        assert_eq!(possible.is_disjoint(losses), wins, "{rules} {points:?}");
        if wins {
            let rearmost = points.iter().rposition(|&checkers| checkers > 0).expect("a checker");
            certain[rearmost] += 1;
        }
        for side in [board, board.swapped()] {
            for roll in Roll::ALL {
                let Some(after) = OutcomeSet::possible_after_plays(rules, &side.into(), roll) else {
                    continue;
                };
                for play in Plays::new(&side, roll, rules).to_vec() {
                    let result = play.board();
                    if rules.outcome_of_play(result.opponent(), result.own()).is_none() {
                        assert_eq!(OutcomeSet::possible(rules, &result.into()), after, "{rules} {side:?} {roll}");
                    }
                }
            }
        }
    }
    assert!(certain[1..].iter().all(|&positions| positions > 20), "{certain:?}");
}

/// Races of fifteen checkers a side or fewer that stand anywhere, more of them close to the end than games reach.
#[test]
fn bounds_of_races_hold_against_playouts() {
    let (mut seed, mut certain, mut games) = (1_u64, 0, 0);
    let mut below = |number: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % number
    };
    let gammons = [WinGammon, WinBackgammon, LoseGammon, Outcome::LoseBackgammon];
    for _ in 0..by_effort(2000, 100_000) {
        let (front, rules) = (1 + below(23) as usize, RuleSet::ALL[below(RuleSet::ALL.len() as u64) as usize]);
        if !rules.bears_off() {
            continue;
        }
        let all = rules.checkers();
        let few = (1 + below(u64::from(all).min(4))) as i8;
        let many = if below(4) > 0 { all as i8 } else { 1 + below(u64::from(all)) as i8 };
        let mut points = [0_i8; 26];
        // The checkers of one side are below the front, those of the other at it and above, near each other or not.
        let [near, far] = [front as u64, 25 - front as u64].map(|width| 1 + below(width));
        let is_own = below(2) == 0;
        for _ in 0..if is_own { few } else { many } {
            points[(1 + below(near) as usize).min(front)] += 1;
        }
        for _ in 0..if is_own { many } else { few } {
            let at = (24 - below(far) as usize).max(front + 1);
            points[at] -= 1;
        }
        let Ok(board) = Board::from_points(&points) else {
            continue;
        };
        let Ok(playouts) = Playouts::new(board, rules, games) else {
            continue;
        };
        let position = Planes::from(board);
        let tally = playouts.run(Tier::best(), 0..64, NO_STOP).unwrap().tally;
        games += tally.games;
        check(rules, &position, &core::array::from_fn(|outcome| tally.outcomes[outcome] > 0));
        let possible = OutcomeSet::possible(rules, &position);
        certain += usize::from(Outcome::ALL.iter().all(|&one| !possible.contains(one) || gammons.contains(&one)));
    }
    println!("{games} games, {certain} positions with certain gammons");
    assert!(certain > 50, "{certain}");
}

/// Plays games, and calls `look` with the positions of each that ended, the last first, and how it ended for the player
/// on roll in each.
fn play(rules: RuleSet, games: u64, policy: Option<&dyn Policy>, mut look: impl FnMut(&Planes, Outcome)) {
    let playouts = Playouts::new(rules.start(), rules, 31).expect("a game");
    let mut running = Games::new(&playouts, 0..games, games as usize);
    let mut positions = vec![Vec::new(); games as usize];
    let view = View { results: true, changes: true };
    while !running.is_empty() {
        let numbers: Vec<usize> = running.numbers().map(|number| number as usize).collect();
        let decisions = running.roll_for(view);
        let mut picks = vec![0; decisions.len()];
        match policy {
            Some(policy) => policy.pick(decisions, &mut picks, NO_STOP).expect("nothing stops it"),
            None => {
                let throws = decisions.rolls().iter().zip(decisions.fractions());
                for (decision, (&roll, &fraction)) in throws.enumerate() {
                    let plays = decisions.plays_of(decision);
                    picks[decision] = Throw { roll, fraction }.draw(plays) as u32;
                }
            }
        }
        for (decision, (position, &roll)) in decisions.positions().iter().zip(decisions.rolls()).enumerate() {
            positions[numbers[decision]].push(*position);
            let before = OutcomeSet::possible(rules, position);
            let after = OutcomeSet::possible_after_plays(rules, position, roll);
            for result in decisions.results_of(decision) {
                let board = Board::from(*result);
                if rules.outcome_of_play(board.opponent(), board.own()).is_some() {
                    continue;
                }
                let possible = OutcomeSet::possible(rules, result);
                let place = || format!("{rules} {roll}: {:?} {:?}", position.points(), result.points());
                assert!(after.is_none_or(|after| after == possible), "{}", place());
                let excludes_more = Outcome::ALL
                    .iter()
                    .all(|&outcome| before.contains(outcome.reversed()) || !possible.contains(outcome));
                assert!(excludes_more, "{}", place());
            }
        }
        for end in running.make(&picks).expect("plays of the decisions") {
            let record = end.end;
            let mut outcome = record.outcome.expect("no game is cut off");
            if record.plies.is_multiple_of(2) {
                outcome = outcome.reversed();
            }
            for position in positions[record.game as usize].iter().rev() {
                look(position, outcome);
                outcome = outcome.reversed();
            }
        }
    }
}

#[test]
fn what_happens_is_possible_and_what_is_excluded_stays_so() {
    for &rules in RuleSet::ALL {
        for policy in [None, Some(&Pubeval as &dyn Policy)] {
            let mut restricted = 0;
            play(rules, by_effort(60, 3000), policy, |position, outcome| {
                let mut outcomes = [false; Outcome::COUNT];
                outcomes[outcome as usize] = true;
                check(rules, position, &outcomes);
                restricted += usize::from(OutcomeSet::possible(rules, position) != OutcomeSet::ALL);
            });
            assert!(restricted > 100, "{rules}: {restricted}");
        }
    }
}

#[test]
fn no_outcome_of_playouts_from_late_positions_is_excluded() {
    let mut games_seen = 0;
    for &rules in RuleSet::ALL {
        let mut late = Vec::new();
        play(rules, 12, Some(&Pubeval), |position, _| {
            if OutcomeSet::possible(rules, position) != OutcomeSet::ALL {
                late.push(*position);
            }
        });
        for position in late.iter().step_by(3) {
            let playouts = Playouts::new(Board::from(*position), rules, 77).expect("it goes on");
            let tally = playouts.run(Tier::best(), 0..by_effort(500, 20_000), NO_STOP).unwrap().tally;
            games_seen += tally.games;
            check(rules, position, &core::array::from_fn(|outcome| tally.outcomes[outcome] > 0));
        }
    }
    println!("{games_seen} games");
    assert!(games_seen > 50_000, "{games_seen}");
}
