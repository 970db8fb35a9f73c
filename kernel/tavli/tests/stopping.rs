//! Every kind of look-ahead stops in the middle of a batch, and keeps the results that were finished before.

use core::num::{NonZeroU32, NonZeroUsize};
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use tavli::cube::{CubeInPlay, CubeState};
use tavli::duel::Duel;
use tavli::engine::{Engine, EngineError};
use tavli::evaluation::Evaluation;
use tavli::evaluators::{EvaluationConditions, Evaluator, Probabilities};
use tavli::named::NamedPlayer;
use tavli::playout::ManyPlayouts;
use tavli::policies::PolicyPair;
use tavli::rollout::{EndReason, EndRulesRequest, PlayoutSettings, RolloutRequest, Session};
use tavli::run::{BackgammonPlayouts, Cancel, Cpus, Limit, Pinning, Placement, Run, Workers};
use tavli::{Board, MoveFilters, Planes, Playouts, Plays, Roll, RuleSet, Stopped, Tier};

const THREADS: usize = 2;

fn workers() -> Workers {
    let threads = NonZeroUsize::new(THREADS);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads);
    Workers::start(&placement.expect("a placement")).expect("workers")
}

/// Throws a switch when it is asked for the time of a number, and counts the calls that begin after that.
#[derive(Debug)]
struct Throwing {
    cancel: Cancel,
    at: u64,
    calls: AtomicU64,
    after: AtomicU64,
}

impl Throwing {
    fn at(at: u64) -> Arc<Throwing> {
        Arc::new(Throwing { cancel: Cancel::new(), at, calls: AtomicU64::new(0), after: AtomicU64::new(0) })
    }

    /// The player that looks ahead by this evaluator.
    fn ahead(self: &Arc<Throwing>, plies: u32) -> NamedPlayer {
        let plies = NonZeroU32::new(plies).expect("not 0");
        NamedPlayer::looking_ahead(Arc::clone(self) as Arc<dyn Evaluator>, plies, MoveFilters::default())
    }

    fn evaluator(self: &Arc<Throwing>, plies: u32) -> Arc<dyn Evaluator> {
        self.ahead(plies).evaluator.expect("it values positions")
    }

    /// Each worker that was in the middle of a call ends it, and asks no more.
    fn assert_heard(&self, workers: Workers, what: &str) {
        drop(workers);
        let after = self.after.load(Ordering::Relaxed);
        assert!(self.cancel.is_cancelled(), "{what}");
        assert!(after < THREADS as u64, "{what}: {after} calls after it");
    }
}

impl Evaluator for Throwing {
    fn name(&self) -> &str {
        "throwing"
    }

    fn estimate(
        &self,
        _: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        let is_late = self.cancel.is_cancelled();
        self.after.fetch_add(u64::from(is_late), Ordering::Relaxed);
        for (position, value) in positions.iter().zip(values) {
            let board = Board::from(*position);
            let [own, other] = [board.own(), board.opponent()].map(|side| u64::from(side.pips()));
            let value_of = Probabilities::from_weights([other, 0, 0, own, 0, 0]);
            *value = value_of.expect("somebody has pips");
        }
        if self.calls.fetch_add(1, Ordering::Relaxed) + 1 == self.at {
            self.cancel.cancel();
        }
        Ok(())
    }
}

fn playouts() -> Playouts {
    Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("a game")
}

#[test]
fn playouts_of_a_player_who_looks_ahead_are_stopped() {
    let (throwing, workers) = (Throwing::at(50), workers());
    let players = PolicyPair::alike(throwing.ahead(2).policy);
    let run = Run::new(BackgammonPlayouts::new(playouts(), players, Tier::best()), Limit::Items(1 << 40));
    let report = run.cancelled_by(&throwing.cancel).play(&workers, |_| ());
    assert!(report.cancelled && report.results.tally.games == 0);
    throwing.assert_heard(workers, "playouts");

    let (throwing, workers) = (Throwing::at(50), self::workers());
    let players = PolicyPair::alike(throwing.ahead(2).policy);
    let many = ManyPlayouts::new([playouts(); 3]).expect("alike");
    let run = Run::from_rows(BackgammonPlayouts::new(many, players, Tier::best()), 0, 1000).expect("numbers");
    let run = run.cancelled_by(&throwing.cancel);
    assert_eq!(run.play(&workers, |_| ()).results, []);
    throwing.assert_heard(workers, "playouts of many positions");
}

#[test]
fn a_match_of_a_player_who_looks_ahead_is_stopped() {
    let (throwing, workers) = (Throwing::at(50), workers());
    let players = [throwing.ahead(2).policy, throwing.ahead(1).policy];
    let duel = Duel::new(players, RuleSet::Backgammon, 1, 1 << 40);
    let duel = duel.cancelled_by(&throwing.cancel);
    let report = duel.play(Tier::best(), &workers, |_| ());
    assert!(report.cancelled && report.score.points.pairs == 0);
    throwing.assert_heard(workers, "match");
}

/// Plays a rollout that calls this evaluator, until the evaluator throws its switch.
fn roll_out(throwing: &Throwing, request: RolloutRequest, what: &str) {
    let workers = workers();
    let request = RolloutRequest {
        players: request.players.or(Some(PolicyPair::default())),
        end_rules: EndRulesRequest::after_trials(1 << 40),
        ..request
    };
    let mut rollout = request.rollout(&Board::START.into()).expect("a rollout");
    let session = Session { cancel: throwing.cancel.clone(), ..Session::default() };
    let ended = session.play(&mut rollout, &workers, |_| ());
    assert_eq!(ended.expect("nothing is saved"), EndReason::Cancelled);
    throwing.assert_heard(workers, what);
}

#[test]
fn rollouts_that_look_ahead_are_stopped() {
    let throwing = Throwing::at(50);
    let by_it =
        RolloutRequest { players: Some(PolicyPair::alike(throwing.ahead(2).policy)), ..RolloutRequest::default() };
    roll_out(&throwing, by_it, "played");

    let throwing = Throwing::at(50);
    let variance_reduced = RolloutRequest { luck: Some(throwing.evaluator(1)), ..RolloutRequest::default() };
    roll_out(&throwing, variance_reduced, "variance reduction");

    let throwing = Throwing::at(50);
    let cut_off = RolloutRequest {
        settings: PlayoutSettings { truncation: NonZeroU32::new(3), ..PlayoutSettings::default() },
        evaluator: Some(throwing.evaluator(2)),
        ..RolloutRequest::default()
    };
    roll_out(&throwing, cut_off, "cut off");
}

#[test]
fn values_before_the_stop_are_kept() {
    let roll = "31".parse().expect("a roll");
    let plays = Plays::new(&Board::START, roll, RuleSet::Backgammon).to_vec();
    let boards: Vec<Board> = plays.iter().map(|play| play.board()).collect();
    let never = Throwing::at(u64::MAX);
    let whole = Evaluation::new(never.evaluator(1), RuleSet::Backgammon);
    let all = whole.values(&boards, Tier::best(), &workers(), &Cancel::new());
    let all = all.expect("they go on");
    assert_eq!(all.len(), boards.len());

    let (throwing, workers) = (Throwing::at(4), workers());
    let evaluation = Evaluation::new(throwing.evaluator(1), RuleSet::Backgammon);
    let some = evaluation.values(&boards, Tier::best(), &workers, &throwing.cancel);
    let some = some.expect("they go on");
    assert!(some.len() < boards.len(), "{}", some.len());
    assert_eq!(some, all[..some.len()]);
    throwing.assert_heard(workers, "values");
}

/// The player looks ahead, or the evaluation does.
#[test]
fn values_with_the_cube_before_the_stop_are_kept() {
    let roll = "31".parse().expect("a roll");
    let plays = Plays::new(&Board::START, roll, RuleSet::Backgammon).to_vec();
    let cube = CubeInPlay { state: CubeState::default(), efficiency: None };
    let positions: Vec<_> = plays.iter().map(|play| (play.board(), Some(cube))).collect();
    for [of_player, of_evaluation] in [[1, 0], [0, 1]] {
        let find = |throwing: &Arc<Throwing>| {
            let evaluator = match of_player {
                0 => Arc::clone(throwing) as Arc<dyn Evaluator>,
                plies => throwing.evaluator(plies),
            };
            let evaluation = Evaluation::new(evaluator, RuleSet::Backgammon);
            let evaluation = evaluation.with_look_ahead(of_evaluation, MoveFilters::default());
            let evaluation = evaluation.expect("it looks ahead once");
            // One thread, for a known order of calls.
            let valued = evaluation.decisions(&positions, Tier::best(), &Workers::here(), &throwing.cancel);
            let valued = valued.expect("they go on").into_iter();
            valued.map(|valued| (valued.value, valued.cube)).collect::<Vec<_>>()
        };
        let all = find(&Throwing::at(u64::MAX));
        assert_eq!(all.len(), positions.len());
        let some = find(&Throwing::at(6));
        assert!((1..all.len()).contains(&some.len()), "{}", some.len());
        assert_eq!(some, all[..some.len()]);
    }
}

#[test]
fn plays_before_the_stop_are_kept_the_likely_best_first() {
    let roll: Roll = "31".parse().expect("a roll");
    let find = |throwing: &Arc<Throwing>, workers: &Workers| {
        let evaluation = Evaluation::new(Arc::clone(throwing) as Arc<dyn Evaluator>, RuleSet::Backgammon);
        let evaluation = evaluation.with_look_ahead(2, MoveFilters::keeping(NonZeroU32::new(16).expect("all"), None));
        let evaluation = evaluation.expect("it does not look ahead by its name");
        evaluation.plays(&Board::START, roll, Tier::best(), workers, &throwing.cancel).expect("it goes on")
    };
    let whole = find(&Throwing::at(u64::MAX), &workers());
    assert!(!whole.cancelled);
    let all = whole.plays.len();
    // One thread, for a known order of calls.
    let here = Workers::here();
    let throwing = Throwing::at(12);
    let found = find(&throwing, &here);
    assert!(found.cancelled);
    assert_eq!(throwing.after.load(Ordering::Relaxed), 0);
    assert_eq!(found.plays.len(), all);
    let ahead = found.plays.iter().take_while(|play| play.plies == 2).count();
    assert!((1..all).contains(&ahead), "{ahead}");
    for play in &found.plays[..ahead] {
        let same = whole.plays.iter().find(|other| other.board == play.board);
        assert_eq!(same.map(|same| same.value), Some(play.value));
    }
    let behind = &found.plays[ahead..];
    assert!(behind.iter().all(|play| play.plies == 0));
    let of = |play: &tavli::evaluation::ValuedPlay| {
        let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::best());
        let valued = throwing.evaluated(&conditions, &[Planes::from(play.board)]);
        valued.expect("nothing stops it")[0].reversed().equity()
    };
    let worst = found.plays[..ahead].iter().map(of).fold(f64::INFINITY, f64::min);
    assert!(behind.iter().all(|play| of(play) <= worst));
    assert!(behind.is_sorted_by(|one, next| of(one) >= of(next)));

    // If the switch is thrown before all plays have a value, plays without one are missing.
    let throwing = Throwing::at(1);
    let found = find(&throwing, &here);
    assert!(found.cancelled && found.plays.len() < all);
}

/// The table of 7 points and 9 checkers takes a minute.
#[test]
fn an_engine_stops_while_the_table_of_its_player_is_solved() {
    let start = |player, cancel: &Cancel| {
        let rules = RuleSet::Backgammon;
        Engine::new(player, 0, rules, Tier::best(), Workers::here(), cancel)
    };
    let (large, cancel) = ("fast+bearoff:7x9", Cancel::new());
    let mut engine = start("fast", &cancel).expect("a player");
    cancel.cancel();
    assert_eq!(start(large, &cancel).err(), Some(EngineError::Stopped));
    assert_eq!(engine.set_player(large), Err(EngineError::Stopped));
    assert_eq!(engine.player(), "fast");
    engine.set_cancel(&Cancel::new());
    assert_eq!(engine.set_player("strong"), Ok(()));
}
