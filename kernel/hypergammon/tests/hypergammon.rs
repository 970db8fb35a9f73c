//! Solved positions against the equations they must satisfy, by the rules word for word.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use tavli_backgammon::plays::reference;
use tavli_backgammon::{Board, Outcome, Roll, RuleSet};
use tavli_cube::{CubeState, Score, Stakes};
use tavli_hypergammon::{CubeEquities, Solution, SolutionError, Solver, SolverStage};
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};

fn workers(count: usize) -> Workers {
    let count = NonZeroUsize::new(count);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, count).expect("a placement");
    Workers::start(&placement).expect("workers")
}

fn solve(more: u8, fewer: u8, workers: &Workers) -> Solver {
    let mut solver = Solver::with_at_most(more, fewer).expect("memory");
    assert!(solver.run(workers, &Cancel::new(), |_, _| ()));
    solver
}

/// The points of the player whose play led to a position, if it ended the game.
fn points_won(after: &Board) -> Option<f64> {
    let outcome = RuleSet::Hypergammon.outcome_of_play(after.opponent(), after.own())?;
    Some(f64::from(outcome.points()))
}

/// The equity of a position from the equities after the plays of each roll.
fn equity(board: &Board, after: impl Fn(&Board) -> f64) -> f64 {
    let best = |roll| {
        let plays = reference::plays(board, roll, RuleSet::Hypergammon).into_iter();
        let values = plays.map(|play| points_won(&play).unwrap_or_else(|| -after(&play)));
        values.fold(f64::NEG_INFINITY, f64::max)
    };
    Roll::ALL.into_iter().map(|roll| f64::from(roll.weight()) / 36.0 * best(roll)).sum()
}

/// A position from the checkers of the player on roll and of the opponent, each by that side's own points.
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
    let positions: Vec<Board> =
        (1..=25).flat_map(|own| (1..=25).filter_map(move |other| board(&[own], &[other]))).collect();
    let mut equities: HashMap<Board, f64> = positions.iter().map(|&board| (board, 0.0)).collect();
    loop {
        let new: HashMap<Board, f64> =
            positions.iter().map(|position| (*position, equity(position, |after| equities[after]))).collect();
        let change = positions.iter().map(|position| (new[position] - equities[position]).abs()).fold(0.0, f64::max);
        equities = new;
        if change < 1e-14 {
            break;
        }
    }
    let solver = solve(1, 1, &workers(2));
    for (position, equity) in equities {
        let found = solver.equity(&position);
        assert!((found - equity).abs() < 1e-11, "{position:?}: {found} {equity}");
    }
}

/// Positions of three checkers against one, and of one against three.
fn three_against_one() -> impl Iterator<Item = (usize, Board)> {
    (0..4000).flat_map(|at| {
        let one = [at % 25 + 1];
        let three = [at * 7 % 25 + 1, at * 11 / 3 % 25 + 1, at * 5 / 7 % 25 + 1];
        let boards = [(1, board(&one, &three)), (3, board(&three, &one))];
        boards.into_iter().filter_map(|(own, board)| Some((own, board?)))
    })
}

#[test]
fn any_number_of_workers_finds_the_same() {
    let (one, three) = (solve(2, 1, &workers(1)), solve(2, 1, &workers(3)));
    assert_eq!(one.sweeps(), three.sweeps());
    for at in 0..2000 {
        let (single, pair) = ([at % 25 + 1], [at * 7 % 25 + 1, at * 5 / 7 % 25 + 1]);
        for board in [board(&single, &pair), board(&pair, &single)].into_iter().flatten() {
            assert_eq!(one.equity(&board).to_bits(), three.equity(&board).to_bits(), "{board:?}");
        }
    }
}

#[test]
fn three_checkers_against_one_satisfy_their_equations() {
    let workers = workers(2);
    let mut solver = solve(3, 1, &workers);
    for (_, board) in three_against_one().step_by(20) {
        let (found, equity) = (solver.equity(&board), equity(&board, |after| solver.equity(after)));
        assert!((found - equity).abs() < 1e-11, "{board:?}: {found} {equity}");
    }
    let solution = solver.solution(&workers, &Cancel::new(), |_, _| ());
    let solution = solution.expect("memory");
    outcomes_are_worth_equities(&solution.expect("nobody cancels it"));
}

/// The solution with a cube of the positions of at most `more` checkers of one side and `fewer` of the other.
fn solve_with_cube(more: u8, fewer: u8) -> Solution {
    let workers = workers(2);
    let solver = Solver::with_at_most(more, fewer).and_then(Solver::with_cube);
    let mut solver = solver.expect("memory");
    assert!(solver.run(&workers, &Cancel::new(), |_, _| ()));
    let solution = solver.solution(&workers, &Cancel::new(), |_, _| ());
    solution.expect("memory").expect("nobody cancels it")
}

/// The equities with a cube from the equities after the plays of each roll, in the order of the fields.
fn with_cube(board: &Board, solution: &Solution) -> [f64; 4] {
    let after_play = |after: &Board| match points_won(after) {
        Some(points) => [points, points, 1.0, points],
        None => {
            let of_next = solution.cube_equities(after).expect("it is solved");
            let taken = 2.0 * of_next.opponent_owns;
            // A double is right if its value, taken or passed, is above the value of no double.
            let turn = |no_double: f64| no_double.max(taken.min(1.0));
            let CubeEquities { owned, centred, centred_jacoby, opponent_owns } = of_next;
            [opponent_owns, turn(centred), turn(centred_jacoby), turn(owned)].map(|equity| -equity)
        }
    };
    let mut mean = [0.0; 4];
    for roll in Roll::ALL {
        let mut best = [f64::NEG_INFINITY; 4];
        for after in reference::plays(board, roll, RuleSet::Hypergammon) {
            best.iter_mut().zip(after_play(&after)).for_each(|(best, value)| *best = best.max(value));
        }
        mean.iter_mut().zip(best).for_each(|(mean, best)| *mean += f64::from(roll.weight()) / 36.0 * best);
    }
    mean
}

fn satisfies_equations(board: &Board, solution: &Solution) {
    let equities = solution.cube_equities(board).expect("it is solved");
    let CubeEquities { owned, centred, centred_jacoby, opponent_owns } = equities;
    let found = [owned, centred, centred_jacoby, opponent_owns];
    for (found, expected) in found.into_iter().zip(with_cube(board, solution)) {
        assert!((found - expected).abs() < 1e-6, "{board:?}: {found} {expected}");
    }
    assert!(owned >= centred - 1e-6 && centred >= opponent_owns - 1e-6, "{board:?}: {found:?}");
}

#[test]
fn equities_with_a_cube_satisfy_their_equations() {
    // Three checkers against one, which can lose a gammon, take two minutes.
    let solution = solve_with_cube(2, 1);
    for own in 1..=25 {
        for board in (1..=25).filter_map(|other| board(&[own, own * 7 % 25 + 1], &[other])) {
            satisfies_equations(&board, &solution);
            let equities = solution.cube_equities(&board).expect("it is solved");
            assert_eq!(equities.centred, equities.centred_jacoby, "nobody wins a gammon: {board:?}");
        }
    }
    // 27 of 36 throws bear off from the six point, or the game is lost: a perfect double, and a take is as good as a
    // pass.
    let last_roll = solution.cube_equities(&board(&[6], &[1]).expect("a position"));
    let last_roll = last_roll.expect("it is solved");
    for equity in [last_roll.owned, last_roll.centred, last_roll.opponent_owns] {
        assert!((equity - 0.5).abs() < 1e-6, "{last_roll:?}");
    }
    let money = CubeState::default();
    let values = last_roll.values(0.5, false, &money).expect("money");
    assert!((values.double_take - 1.0).abs() < 1e-6, "{values:?}");
    let last_roll_board = board(&[6], &[1]).expect("a position");
    let of_solution = |state| solution.cube_values(&last_roll_board, state).expect("it is solved");
    assert_eq!(of_solution(&money), values);
    let of_match = Stakes::Match(Score { away: 3, opponent_away: 5, crawford: false });
    let at_score = CubeState { stakes: of_match, ..money };
    assert_eq!(last_roll.values(0.5, false, &at_score), None);
    // In a match the exact equities follow from an efficiency of the cube: nobody doubles after the last roll.
    let in_match = of_solution(&at_score);
    assert!((in_match.cubeless - in_match.no_double).abs() < 1e-3, "{in_match:?}");
    assert_eq!(in_match.double_pass, 1.0);
}

fn outcomes_are_worth_equities(solution: &Solution) {
    let mut seen = [0; Outcome::COUNT];
    for (own, board) in three_against_one() {
        let value = solution.value(&board).expect("it is solved");
        let worth = Outcome::ALL.iter().zip(value.outcomes);
        let worth: f64 = worth.map(|(outcome, share)| f64::from(outcome.points()) * share).sum();
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

/// The file of a solver or of a solution.
fn file(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> Vec<u8> {
    let mut file = Vec::new();
    write(&mut file).expect("memory is written");
    file
}

/// Solves the positions of one checker a side. After `every` reports the solver is cancelled, and a new one goes on
/// from its file. Returns the file of the solution, and the number of sessions.
fn solve_in_sessions(every: usize, with_cube: bool, workers: &Workers) -> (Vec<u8>, usize) {
    let mut solver = Solver::with_at_most(1, 1).expect("memory");
    if with_cube {
        solver = solver.with_cube().expect("memory");
    }
    let mut sessions = 1;
    loop {
        let (cancel, mut reports) = (Cancel::new(), 0);
        let mut report = |_: &Solver, _| {
            reports += 1;
            if reports == every {
                cancel.cancel();
            }
        };
        if solver.run(workers, &cancel, &mut report)
            && let Some(solution) = solver.solution(workers, &cancel, &mut report).expect("memory")
        {
            return (file(|output| solution.write(output)), sessions);
        }
        let saved = file(|output| solver.write(output));
        solver = Solver::read(&mut &saved[..]).expect("what was written");
        assert_eq!(file(|output| solver.write(output)), saved);
        sessions += 1;
    }
}

#[test]
fn short_sessions_come_to_the_same_bits_as_one() {
    let workers = workers(2);
    for with_cube in [false, true] {
        let (whole, sessions) = solve_in_sessions(usize::MAX, with_cube, &workers);
        assert_eq!(sessions, 1);
        // Sweeps have 151 numbers of pips: sessions end within them.
        for every in [601, 1009] {
            let (parts, sessions) = solve_in_sessions(every, with_cube, &workers);
            assert!(sessions > 3, "{sessions} sessions of {every}");
            assert!(parts == whole, "sessions of {every} numbers of pips, with a cube: {with_cube}");
        }
    }
}

/// The file of a solver of one checker a side with a cube, cancelled after `reports` reports of the stage with the
/// cube.
fn cancelled_with_cube(reports: usize, workers: &Workers) -> Vec<u8> {
    let solver = Solver::with_at_most(1, 1).and_then(Solver::with_cube);
    let (mut solver, cancel) = (solver.expect("memory"), Cancel::new());
    assert!(solver.run(workers, &cancel, |_, _| ()));
    let mut seen = 0;
    let solution = solver.solution(workers, &cancel, |_, progress| {
        seen += usize::from(progress.stage == SolverStage::WithCube);
        if seen == reports {
            cancel.cancel();
        }
    });
    assert_eq!(solution, Ok(None));
    file(|output| solver.write(output))
}

#[test]
fn an_unfinished_file_without_the_best_plays_by_cube_goes_on() {
    let workers = workers(2);
    let (whole, _) = solve_in_sessions(usize::MAX, true, &workers);
    // In the midst of the first sweep with the cube, which has 151 numbers of pips.
    let mut saved = cancelled_with_cube(70, &workers);
    // A header of 20 bytes, the plan, and each position: as versions before wrote them.
    let positions = (1..=25).flat_map(|own| (1..=25).filter_map(move |other| board(&[own], &[other])));
    let each = 2 * 8 + 21 * 4 + 2 * 5 * 4 + 2 * 4 * 8;
    saved.truncate(20 + 44 + each * positions.count());
    assert_eq!(saved[23], 7, "the flags of what the file has");
    saved[23] = 3;
    saved.extend(crc32fast::hash(&saved).to_le_bytes());
    let mut solver = Solver::read(&mut &saved[..]).expect("a file of a version before");
    let solution = solver.solution(&workers, &Cancel::new(), |_, _| ());
    let solution = solution.expect("memory").expect("nobody cancels it");
    assert!(file(|output| solution.write(output)) == whole);
}

#[test]
fn damage_of_a_file_with_a_cube_is_noticed() {
    let saved = cancelled_with_cube(500, &workers(1));
    let goes_on = |mut file: &[u8]| Solver::read(&mut file).err();
    assert_eq!(goes_on(&saved), None);
    for at in (20..60).chain((60..saved.len()).step_by(997)) {
        let mut damaged = saved.clone();
        damaged[at] ^= 1;
        assert_eq!(goes_on(&damaged), Some(SolutionError::Damaged), "byte {at}");
    }
}

/// The positions with one checker a side: 25 places each, except for 24 pairs on one point.
const ONE_EACH: usize = 601;

#[test]
fn a_cancelled_solver_goes_on_from_its_file() {
    let workers = workers(1);
    let mut solver = Solver::with_at_most(1, 1).expect("memory");
    let cancel = Cancel::new();
    assert!(!solver.run(&workers, &cancel, |_, progress| {
        if progress.sweeps == 5 {
            cancel.cancel();
        }
    }));
    assert_eq!(solver.sweeps(), 5);
    let saved = file(|output| solver.write(output));
    let solution = |mut file: &[u8]| Solution::read(&mut file).err();
    let goes_on = |mut file: &[u8]| Solver::read(&mut file).err();
    let unfinished = |positions_done| SolutionError::Unfinished { sweeps: 5, positions_done, positions: ONE_EACH };
    assert_eq!(solution(&saved), Some(unfinished(0)));
    let cancel = Cancel::new();
    let mut within = Solver::read(&mut &saved[..]).expect("the file of a solver");
    assert!(!within.run(&workers, &cancel, |_, progress| {
        if progress.positions_done > 300 {
            cancel.cancel();
        }
    }));
    let done = within.progress().positions_done;
    assert!((301..ONE_EACH).contains(&done), "{done}");
    let error = solution(&file(|output| within.write(output)));
    assert_eq!(error, Some(unfinished(done)));
    let text = format!("it is not finished, after 5 sweeps and {done} of {ONE_EACH} positions of the next: ");
    assert!(error.is_some_and(|error| error.to_string().starts_with(&text)));
    assert_eq!(solution(&[]), Some(SolutionError::Foreign));
    assert_eq!(solution(&[b'x'; 100]), Some(SolutionError::Foreign));
    assert_eq!(goes_on(&saved[..saved.len() - 1]), Some(SolutionError::Damaged));
    let longer = [&saved[..], b"x"].concat();
    assert_eq!(goes_on(&longer), Some(SolutionError::Damaged));
    // Every byte of the header and the plan, and some of the values, is noticed.
    for at in (0..60).chain((60..saved.len()).step_by(997)) {
        let mut damaged = saved.clone();
        damaged[at] ^= 1;
        let expected = match at {
            0..8 => SolutionError::Foreign,
            // The version of files with a cube, which have another length.
            8 => SolutionError::Damaged,
            9..12 => SolutionError::Version(2 | 1 << (8 * (at - 8))),
            12 => SolutionError::Finished,
            _ => SolutionError::Damaged,
        };
        assert_eq!(goes_on(&damaged), Some(expected), "byte {at}");
    }
}

#[test]
fn an_unfinished_file_of_version_1_is_read() {
    // The equities of all pairs of sides by number, after a checksum of the equities alone.
    const SIDES: usize = 3276;
    let mut equities = vec![0; 8 * SIDES * SIDES];
    let (own, other) = ([1], [2]);
    let board = board(&own, &other).expect("a position");
    // A checker on the ace point is number 1 of a side, one on the two point number 4.
    equities[8 * (SIDES + 4)..][..8].copy_from_slice(&0.25_f64.to_le_bytes());
    let mut saved = b"tavlihyp".to_vec();
    for word in [1, 0, 6, crc32fast::hash(&equities)] {
        saved.extend(word.to_le_bytes());
    }
    saved.extend(equities);
    let solver = Solver::read(&mut &saved[..]).expect("version 1");
    assert_eq!((solver.sweeps(), solver.equity(&board)), (6, 0.25));
    let last = saved.len() - 1;
    saved[last] ^= 1;
    assert_eq!(Solver::read(&mut &saved[..]).err(), Some(SolutionError::Damaged));
}
