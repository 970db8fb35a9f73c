//! Positions and plays valued on every core.

use core::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use tavli_analysis::cube::{Action, CubeInPlay, CubeState, Score, Stakes};
use tavli_analysis::evaluation::Evaluation;
use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Probabilities};
use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, NO_STOP, Outcome, Planes, Position, Roll, RuleSet, Side, Tier};
use tavli_players::{LookAhead, MoveFilters, named};
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};

fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads);
    Workers::start(&placement.expect("a placement")).expect("workers")
}

fn value(evaluator: &dyn Evaluator, board: &Board) -> Probabilities {
    let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::best());
    let valued = evaluator.evaluated(&conditions, &[Planes::from(*board)]);
    valued.expect("nothing stops it")[0]
}

fn sampled(games: u32) -> Arc<dyn Evaluator> {
    named::evaluator(&format!("sampled:{games}"), NO_STOP).expect("an evaluator")
}

#[test]
fn values_are_those_of_the_evaluator_one_by_one() {
    let rolls = Roll::ALL.into_iter();
    let mut boards: Vec<Board> = rolls
        .flat_map(|roll| Plays::new(&Board::START, roll, RuleSet::Backgammon).to_vec())
        .map(|play| play.board())
        .collect();
    let mut over = [0; 26];
    over[20] = -1;
    boards.insert(3, Board::from_points(&over).expect("a position"));
    let evaluation = Evaluation::new(sampled(2), RuleSet::Backgammon);
    for threads in [1, 3] {
        let values =
            evaluation.values(&boards, Tier::best(), &workers(threads), &Cancel::new()).expect("they can be valued");
        assert_eq!(values[3], Probabilities::certain(Outcome::WinSingle));
        for (index, board) in boards.iter().enumerate().filter(|&(index, _)| index != 3) {
            assert_eq!(values[index], value(sampled(2).as_ref(), board));
        }
    }
    let cancel = Cancel::new();
    cancel.cancel();
    let values = evaluation.values(&boards, Tier::best(), &workers(2), &cancel);
    assert_eq!(values.expect("they can be valued"), []);
}

#[test]
fn plays_are_ranked_and_those_not_kept_follow() {
    let roll: Roll = "61".parse().expect("a roll");
    let plays = Plays::new(&Board::START, roll, RuleSet::Backgammon).to_vec();
    let kept = MoveFilters::keeping(NonZeroU32::new(4).expect("not 0"), Some(sampled(9)));
    let ahead = LookAhead::new(sampled(2), NonZeroU32::MIN, kept.clone());
    for (plies, kept, first) in [(0, MoveFilters::default(), plays.len()), (1, kept, 4)] {
        let evaluation = Evaluation::new(sampled(2), RuleSet::Backgammon).with_look_ahead(plies, kept);
        let evaluation = evaluation.expect("it does not look ahead by its name");
        let found =
            evaluation.plays(&Board::START, roll, Tier::best(), &workers(2), &Cancel::new()).expect("it goes on");
        assert!(!found.cancelled);
        let found = found.plays;
        assert_eq!(found.len(), plays.len());
        for (rank, play) in found.iter().enumerate() {
            assert!(plays.iter().any(|of_roll| of_roll.board() == play.board));
            let (by, ahead_of): (Arc<dyn Evaluator>, u32) = match (plies, rank < first) {
                (0, _) => (sampled(2), 0),
                (_, true) => (Arc::new(ahead.clone()), 1),
                // The evaluator that keeps plays does not value them.
                (_, false) => (sampled(2), 0),
            };
            assert_eq!(play.plies, ahead_of);
            assert_eq!(play.value, value(by.as_ref(), &play.board).reversed());
        }
        for part in [&found[..first], &found[first..]] {
            assert!(part.is_sorted_by(|one, next| one.value.equity() >= next.value.equity()));
        }
        let ranks = |part: &[tavli_analysis::evaluation::ValuedPlay]| -> Vec<f64> {
            part.iter().map(|play| value(sampled(9).as_ref(), &play.board).reversed().equity()).collect()
        };
        let worst = ranks(&found[..first]).into_iter().fold(f64::INFINITY, f64::min);
        if plies > 0 {
            assert!(ranks(&found[first..]).iter().all(|&rank| rank <= worst), "the best four are kept");
        }
    }
}

#[test]
fn a_play_that_wins_is_first_and_certain() {
    let mut points = [0; 26];
    (points[1], points[24], points[23]) = (2, -1, -1);
    let board = Board::from_points(&points).expect("a position");
    let evaluation = Evaluation::new(sampled(1), RuleSet::Backgammon);
    let plays = |board: &Board| {
        let roll: Roll = "21".parse().expect("a roll");
        evaluation.plays(board, roll, Tier::best(), &workers(1), &Cancel::new())
    };
    let found = plays(&board).expect("it goes on").plays;
    assert_eq!(found[0].value, Probabilities::certain(Outcome::WinSingle));
    let over = found[0].board;
    assert!(plays(&over).is_err(), "the game is over");
}

/// In a bear-off for money the equities with the cube are a table's. The value without it stays the player's with his
/// look-ahead, and a value that he knows exactly stays as it is.
#[test]
fn values_beside_exact_equities_with_the_cube_are_those_without_a_cube() {
    let position: Position = "XGID=-A-AAAB------------bbb----:1:1:1:00:0:0:2:0:10".parse().expect("a position");
    let (board, roll) = (*position.board(), "31".parse().expect("a roll"));
    let cube = CubeInPlay { state: CubeState::from_context(position.context()).expect("a cube"), efficiency: None };
    let (tier, workers, cancel) = (Tier::best(), workers(2), Cancel::new());
    for (player, is_exact) in [("fast", false), ("fast+bearoff:6x6", true)] {
        let evaluator = named::evaluator(player, NO_STOP).expect("a player");
        let here = value(evaluator.as_ref(), &board);
        let filters = || MoveFilters::keeping(NonZeroU32::new(50).expect("not 0"), None);
        for (plies, filters) in [(0, filters()), (1, filters()), (1, MoveFilters::default()), (2, filters())] {
            let evaluation =
                Evaluation::new(Arc::clone(&evaluator), RuleSet::Backgammon).with_look_ahead(plies, filters);
            let evaluation = evaluation.expect("it does not look ahead by its name");
            let valued = |cube: Option<CubeInPlay>| {
                let valued = evaluation.decisions(&[(board, cube)], tier, &workers, &cancel);
                valued.expect("it goes on")[0]
            };
            let (with, without) = (valued(Some(cube)), valued(None));
            assert_eq!(with.value, without.value, "{player}, {plies} plies");
            assert_eq!(with.value == here, plies == 0 || is_exact, "{player}, {plies} plies");
            let values = with.cube.expect("values with the cube");
            assert_eq!(values.cubeless, with.value.equity(), "{player}, {plies} plies");
            assert_eq!(values.action, Action::RedoublePass, "{player}, {plies} plies");
            assert!((values.no_double - 0.866).abs() < 0.001, "{player}, {plies} plies: {values:?}");
            let plays = |cube: Option<&CubeInPlay>| {
                let ranked = evaluation.ranked(&board, roll, cube, tier, &workers, &cancel);
                let mut plays = ranked.expect("it goes on").plays;
                plays.sort_by_key(|play| play.play.board.position_id().to_string());
                plays
            };
            for (with, without) in plays(Some(&cube)).iter().zip(plays(None)) {
                let name = format!("{player}, {plies} plies, {}", with.play.moves);
                assert_eq!(with.play.value, without.play.value, "{name}");
            }
        }
    }
}

#[test]
fn a_game_that_is_over_has_its_value_with_the_cube() {
    let mut points = [0; 26];
    points[24] = -15;
    let won = Board::from_points(&points).expect("a position");
    let lost = won.swapped();
    let money = |jacoby| Stakes::Money { jacoby, beavers: false };
    let at = |away, opponent_away| Stakes::Match(Score { away, opponent_away, crawford: false });
    let evaluation = Evaluation::new(sampled(1), RuleSet::Backgammon);
    for (log2, stakes, equity, cubeless) in [
        (0, money(false), 2.0, 2.0),
        (0, money(true), 1.0, 2.0),
        (2, money(true), 2.0, 2.0),
        (0, at(1, 3), 1.0, 1.0),
        (1, at(2, 2), 1.0, 1.0),
    ] {
        let state = CubeState { log2, owner: (log2 > 0).then_some(Side::OnRoll), stakes, ..CubeState::default() };
        for (board, state, sign) in [(won, state, 1.0), (lost, state.reversed(), -1.0)] {
            let cube = CubeInPlay { state, efficiency: None };
            let valued = evaluation.decisions(&[(board, Some(cube))], Tier::best(), &workers(1), &Cancel::new());
            let values = valued.expect("it is over")[0].cube.expect("a value with the cube");
            let found = [values.best(), values.no_double, values.double_take, values.cubeless];
            let expected = [equity, equity, equity, cubeless].map(|equity: f64| sign * equity);
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{state}: {values:?}");
            }
            assert_eq!(values.action, Action::NotAvailable, "{state}");
        }
    }
}
