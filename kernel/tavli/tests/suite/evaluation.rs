//! Positions and plays valued on every core.

use core::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use tavli::evaluation::Evaluation;
use tavli::evaluators::{Conditions, Evaluator, Probabilities};
use tavli::plays::Plays;
use tavli::run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli::{Board, LookAhead, MoveFilters, NO_STOP, Outcome, Planes, Roll, RuleSet, Tier, named};

fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads);
    Workers::start(&placement.expect("a placement")).expect("workers")
}

fn value(evaluator: &dyn Evaluator, board: &Board) -> Probabilities {
    let conditions = Conditions::new(RuleSet::Backgammon, Tier::best());
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
        let values = evaluation
            .values(&boards, Tier::best(), &workers(threads), &Cancel::new())
            .expect("they can be valued");
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
        let evaluation = Evaluation::new(sampled(2), RuleSet::Backgammon).ahead(plies, kept);
        let evaluation = evaluation.expect("it does not look ahead by its name");
        let found = evaluation
            .plays(&Board::START, roll, Tier::best(), &workers(2), &Cancel::new())
            .expect("it goes on");
        assert!(!found.cancelled);
        let found = found.plays;
        assert_eq!(found.len(), plays.len());
        for (rank, play) in found.iter().enumerate() {
            assert!(plays.iter().any(|of_roll| of_roll.board() == play.board));
            let (by, ahead_of): (Arc<dyn Evaluator>, u32) = match (plies, rank < first) {
                (0, _) => (sampled(2), 0),
                (_, true) => (Arc::new(ahead.clone()), 1),
                (_, false) => (sampled(9), 0),
            };
            assert_eq!(play.plies, ahead_of);
            assert_eq!(play.value, value(by.as_ref(), &play.board).reversed());
        }
        for part in [&found[..first], &found[first..]] {
            assert!(part.is_sorted_by(|one, next| one.value.equity() >= next.value.equity()));
        }
        let least = |part: &[tavli::evaluation::ValuedPlay]| {
            let ranks = part.iter().map(|play| value(sampled(9).as_ref(), &play.board).equity());
            ranks.fold(f64::NEG_INFINITY, f64::max)
        };
        if first < found.len() {
            let next = value(sampled(9).as_ref(), &found[first].board).equity();
            assert!(least(&found[..first]) <= next, "the best four are kept");
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
