//! Solved positions against the equations they must satisfy, by the rules word for word.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use tavli::hypergammon::{Solution, Solver, TableError};
use tavli::plays::reference;
use tavli::run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli::{Board, Hypergammon, Outcome, Roll, RuleSet};

fn workers(count: usize) -> Workers {
    let count = NonZeroUsize::new(count);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, count).expect("a placement");
    Workers::start(&placement).expect("workers")
}

fn solve(more: u8, fewer: u8, workers: &Workers) -> Solver {
    let mut solver = Solver::of_at_most(more, fewer);
    assert!(solver.run(workers, &Cancel::new(), |_, _| ()));
    solver
}

/// The points of whoever made a play that leads to a position, if it ended the game.
fn points_won(after: &Board) -> Option<f64> {
    let outcome = RuleSet::Hypergammon.outcome_of_play(after.opponent(), after.own())?;
    Some(f64::from(outcome.points()))
}

/// The equity of a position from those after the plays of each roll.
fn equity(board: &Board, after: impl Fn(&Board) -> f64) -> f64 {
    let best = |roll| {
        let plays = reference::plays::<Hypergammon>(board, roll).into_iter();
        let values = plays.map(|play| points_won(&play).unwrap_or_else(|| -after(&play)));
        values.fold(f64::NEG_INFINITY, f64::max)
    };
    Roll::ALL
        .into_iter()
        .map(|roll| f64::from(roll.weight()) / 36.0 * best(roll))
        .sum()
}

/// A position of the player on roll's checkers and the opponent's, each by his own points.
fn board(own: &[usize], other: &[usize]) -> Option<Board> {
    let mut points = [0i8; 26];
    for &point in own {
        points[point] += 1;
    }
    for &point in other {
        if points[25 - point] > 0 {
            return None;
        }
        points[25 - point] -= 1;
    }
    Board::from_points(&points).ok()
}

#[test]
fn one_checker_a_side_is_as_by_iteration_over_a_list() {
    let positions: Vec<Board> = (1..=25)
        .flat_map(|own| (1..=25).filter_map(move |other| board(&[own], &[other])))
        .collect();
    let mut equities: HashMap<Board, f64> = positions.iter().map(|&board| (board, 0.0)).collect();
    loop {
        let new: HashMap<Board, f64> = positions
            .iter()
            .map(|position| (*position, equity(position, |after| equities[after])))
            .collect();
        let change = positions
            .iter()
            .map(|position| (new[position] - equities[position]).abs())
            .fold(0.0, f64::max);
        equities = new;
        if change < 1e-14 {
            break;
        }
    }
    let solver = solve(1, 1, &workers(2));
    for (position, equity) in equities {
        let found = solver.equity(&position);
        assert!(
            (found - equity).abs() < 1e-11,
            "{position:?}: {found} {equity}"
        );
    }
}

/// Positions of three checkers against one, and of one against three.
fn three_against_one() -> impl Iterator<Item = (usize, Board)> {
    (0..4000).flat_map(|at| {
        let one = [at % 25 + 1];
        let three = [at * 7 % 25 + 1, at * 11 / 3 % 25 + 1, at * 5 / 7 % 25 + 1];
        let boards = [(1, board(&one, &three)), (3, board(&three, &one))];
        boards
            .into_iter()
            .filter_map(|(own, board)| Some((own, board?)))
    })
}

#[test]
fn any_number_of_workers_finds_the_same() {
    let (one, three) = (solve(2, 1, &workers(1)), solve(2, 1, &workers(3)));
    assert_eq!(one.sweeps(), three.sweeps());
    for at in 0..2000 {
        let (single, pair) = ([at % 25 + 1], [at * 7 % 25 + 1, at * 5 / 7 % 25 + 1]);
        for board in [board(&single, &pair), board(&pair, &single)]
            .into_iter()
            .flatten()
        {
            assert_eq!(
                one.equity(&board).to_bits(),
                three.equity(&board).to_bits(),
                "{board:?}"
            );
        }
    }
}

#[test]
fn three_checkers_against_one_satisfy_their_equations() {
    let workers = workers(2);
    let solver = solve(3, 1, &workers);
    for (_, board) in three_against_one().step_by(20) {
        let (found, equity) = (
            solver.equity(&board),
            equity(&board, |after| solver.equity(after)),
        );
        assert!(
            (found - equity).abs() < 1e-11,
            "{board:?}: {found} {equity}"
        );
    }
    let solution = solver.solution(&workers, &Cancel::new(), |_| ());
    outcomes_are_worth_equities(&solution.expect("nobody cancels it"));
}

fn outcomes_are_worth_equities(solution: &Solution) {
    let mut seen = [0; Outcome::COUNT];
    for (own, board) in three_against_one() {
        let value = solution.value(&board).expect("it is solved");
        let worth = Outcome::ALL.iter().zip(value.outcomes);
        let worth: f64 = worth
            .map(|(outcome, share)| f64::from(outcome.points()) * share)
            .sum();
        assert!((worth - value.equity).abs() < 1e-4, "{board:?}: {value:?}");
        assert!((value.outcomes.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        for (seen, share) in seen.iter_mut().zip(value.outcomes) {
            *seen += u32::from(share > 0.01);
        }
        // Only the side with three on the board can lose more than a single game.
        let impossible = match own {
            1 => [Outcome::LoseGammon, Outcome::LoseBackgammon],
            _ => [Outcome::WinGammon, Outcome::WinBackgammon],
        };
        let impossible = impossible.map(|outcome| value.outcomes[outcome as usize]);
        assert_eq!(impossible, [0.0; 2], "{board:?}: {value:?}");
    }
    assert!(seen.iter().all(|&seen| seen > 100), "{seen:?}");
    assert_eq!(solution.value(&RuleSet::Hypergammon.start()), None);
}

#[test]
fn a_cancelled_solver_goes_on_from_its_file() {
    let workers = workers(1);
    let (mut solver, cancel) = (Solver::of_at_most(1, 1), Cancel::new());
    assert!(!solver.run(&workers, &cancel, |_, progress| {
        if progress.sweeps == 5 {
            cancel.cancel();
        }
    }));
    assert_eq!(solver.sweeps(), 5);
    let file = solver.to_file();
    assert_eq!(Solution::from_file(&file), Err(TableError::Unfinished(5)));
    let again = Solver::from_file(&file).expect("what was written");
    assert_eq!(again.sweeps(), 5);
    assert_eq!(again.to_file(), file);

    assert_eq!(Solution::from_file(&[]), Err(TableError::Foreign));
    assert_eq!(Solution::from_file(&[b'x'; 100]), Err(TableError::Foreign));
    assert_eq!(
        Solver::from_file(&file[..file.len() - 1]).err(),
        Some(TableError::Damaged)
    );
    for (at, error) in [
        (8, TableError::Version(0)),
        (20, TableError::Damaged),
        (5000, TableError::Damaged),
    ] {
        let mut damaged = file.clone();
        damaged[at] ^= 1;
        assert_eq!(Solver::from_file(&damaged).err(), Some(error), "byte {at}");
    }
}
