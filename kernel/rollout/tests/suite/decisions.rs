//! Decisions: the plays that race, the verdicts of a race of fixed confidence, and its looks.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::playing::{opening, played, workers};
use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator};
use tavli_backgammon::plays::View;
use tavli_backgammon::plays::notation::parse_play;
use tavli_backgammon::policies::{Policy, PolicyPair, Uniform};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, NO_STOP, Plays, Position, RuleSet, Stopped, Tier};
use tavli_cube::{CubeInPlay, CubeState};
use tavli_players::named;
use tavli_rollout::{
    Allocation, Candidate, EndReason, EndRules, EndRulesRequest, PlayFilter, PlayoutSettings, Rollout, RolloutError,
    RolloutRequest, Session, SuppliedPlayers, Verdict,
};

fn position(text: &str) -> Position {
    text.parse().expect("a position")
}

/// Races are looked at after 36 trials, 72, 144, and so on.
fn is_look(trials: u64) -> bool {
    trials.is_multiple_of(36) && (trials / 36).is_power_of_two()
}

/// The values of nets are far off there: whole games decide, among all plays.
#[test]
fn rules_that_no_net_has_learned_are_decided_by_whole_games_of_all_plays() {
    for rules in [RuleSet::McGammon, RuleSet::Hypergammon, RuleSet::Longgammon] {
        let request = RolloutRequest {
            roll: Some("21".parse().expect("a roll")),
            ..RolloutRequest::decision(rules, NO_STOP).expect("built in")
        };
        assert!(request.filter.is_none() && request.evaluator.is_none() && request.luck.is_none(), "{rules}");
        assert_eq!((request.settings.rules, request.settings.truncation), (rules, None));
        let rollout = request.rollout(&rules.start().into()).expect("a rollout");
        assert!(rollout.decision().is_some(), "{rules}");
        let plays = Plays::new(&rules.start(), "21".parse().expect("a roll"), rules);
        assert_eq!(rollout.candidates().len(), plays.len(), "{rules}");
    }
}

#[test]
fn a_decision_finds_the_best_play_of_those_near_it() {
    let request = RolloutRequest {
        roll: Some("31".parse().expect("a roll")),
        ..RolloutRequest::decision(RuleSet::Backgammon, NO_STOP).expect("built in")
    };
    let rollout = request.rollout(&position("4HPwATDgc/ABMA")).expect("a rollout");
    assert_eq!(rollout.players().to_string(), "strong+bearoff:6x6");
    assert_eq!(rollout.luck().map(|luck| luck.name()), Some("fast+bearoff:6x6"));
    assert_eq!(rollout.allocation().to_string(), "race:95%:0.01");
    let evaluator = rollout.evaluator().map(|evaluator| evaluator.name());
    let plies = rollout.settings().truncation.map(std::num::NonZeroU32::get);
    assert_eq!((evaluator, plies), (Some("strong+bearoff:6x6"), Some(5)));
    let racing = rollout.candidates().len();
    assert!((2..16).contains(&racing), "{racing}");
    let mut rollout = rollout;
    let reason = Session::default().play(&mut rollout, &workers(2), |_| ());
    assert_eq!(reason.expect("nothing is saved"), EndReason::Decided);
    let decision = rollout.decision().expect("a race");
    let play = rollout.candidates()[decision.candidate].moves.as_ref();
    assert_eq!(play.map(ToString::to_string).as_deref(), Some("8/5 6/5"));
    assert_eq!((decision.verdict, decision.left_out), (Verdict::Best, 16 - racing));
    assert!(decision.sure >= 0.95 && decision.rivals.is_empty(), "{decision:?}");
    assert_eq!(decision.at_most_better, 0.0);
    let games = decision.equivalent_games.expect("luck is subtracted");
    assert!(games > 4.0 * rollout.summary().trials as f64, "{games}");
    for result in &rollout.summary().standings {
        assert!(is_look(result.trials), "{}", result.trials);
    }
    // A finished rollout plays nothing, even when it is read again.
    let mut again = Rollout::from_json(&rollout.to_json()).expect("a record");
    let reason = Session::default().play(&mut again, &workers(1), |_| ());
    assert_eq!(reason.expect("nothing is saved"), EndReason::Decided);
    assert_eq!(again.decision(), Some(decision));
}

#[test]
fn a_decision_in_a_bear_off_has_no_error() {
    let request = RolloutRequest {
        roll: Some("21".parse().expect("a roll")),
        ..RolloutRequest::decision(RuleSet::Backgammon, NO_STOP).expect("built in")
    };
    let mut points = [0; 26];
    (points[6], points[4], points[19], points[21]) = (1, 1, -1, -1);
    let position = Position::from(Board::from_points(&points).expect("a position"));
    let mut rollout = request.rollout(&position).expect("a rollout");
    let reason = Session::default().play(&mut rollout, &workers(1), |_| ());
    assert_eq!(reason.expect("nothing is saved"), EndReason::Decided);
    assert_eq!(rollout.summary().trials, 36);
    let table = named::evaluator("strong+bearoff:6x6", NO_STOP).expect("built in");
    for result in &rollout.summary().standings {
        let value = result.value();
        assert!(value.standard_error < 1e-6, "{result:?}");
        let candidate = &rollout.candidates()[result.candidate];
        let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::best());
        let after = table.evaluated(&conditions, &[candidate.board.into()]).expect("no stop");
        assert!((value.mean + after[0].equity()).abs() < 1e-6, "{result:?}");
    }
}

/// A roll whose plays all lose to any roll of an opponent with two checkers on his ace point, and one that loses less
/// by one play than by the others.
#[test]
fn known_values_differ_by_no_error() {
    let defaults = RolloutRequest::decision(RuleSet::Backgammon, NO_STOP).expect("built in");
    let decided = |points: &[(usize, i8)], within: f64| {
        let request = RolloutRequest {
            roll: Some("21".parse().expect("a roll")),
            allocation: defaults.allocation.within(Some(within)),
            ..defaults.clone()
        };
        let mut board = [0; 26];
        points.iter().for_each(|&(point, checkers)| board[point] = checkers);
        let position = Position::from(Board::from_points(&board).expect("a position"));
        played(request.rollout(&position).expect("a rollout"), &workers(1))
    };
    for within in [0.01, 0.0] {
        let rollout = decided(&[(5, 1), (6, 1), (24, -2)], within);
        let decision = rollout.decision().expect("a race");
        assert_eq!((decision.verdict, rollout.summary().trials), (Verdict::NoneBetter, 36));
        assert_eq!((decision.at_most_better, decision.sure, decision.rivals.len()), (0.0, 1.0, 2));
        for other in &rollout.summary().standings[1..] {
            let behind = (other.behind.mean, other.behind.standard_error, other.behind.high);
            assert_eq!((behind, other.jsd), ((0.0, 0.0, 0.0), 0.0));
        }
        assert!(rollout.differences().all(|difference| difference.equity.high == 0.0));
    }
    let rollout = decided(&[(6, 1), (4, 1), (19, -1), (21, -1)], 0.0);
    assert_eq!(rollout.decision().map(|decision| decision.verdict), Some(Verdict::Best));
    let table = named::known_values("6x6", NO_STOP).expect("a table");
    let again = Rollout::from_json(&rollout.to_json()).expect("a record");
    for result in rollout.summary().standings.iter().chain(&again.summary().standings) {
        let board = rollout.candidates()[result.candidate].board;
        let known = table.value(RuleSet::Backgammon, &board.into()).expect("in the table");
        let value = result.value();
        assert_eq!((value.standard_error, value.low, value.high), (0.0, value.mean, value.mean));
        assert!((value.mean + known.equity()).abs() < 1e-12, "{result:?}");
        assert_eq!((result.behind.standard_error, result.behind.low), (0.0, result.behind.mean));
    }
}

/// A player that takes no play until it is stopped.
#[derive(Debug)]
struct Endless;

impl Policy for Endless {
    fn name(&self) -> &str {
        "endless"
    }

    fn view(&self) -> View {
        Uniform.view()
    }

    fn pick(&self, _: &RollBatch, _: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        while !stop() {
            thread::sleep(Duration::from_millis(1));
        }
        Err(Stopped)
    }
}

/// The plain rollout of the plays of a decision.
fn plain(decision: &RolloutRequest) -> Rollout {
    let request = RolloutRequest { allocation: Allocation::Even, ..decision.clone() };
    request.rollout(&position("4HPwATDgc/ABMA")).expect("a rollout")
}

#[test]
fn any_time_is_kept() {
    let request = RolloutRequest { players: Some(PolicyPair::default()), ..RolloutRequest::default() };
    let rollout = request.rollout(&position("4HPwATDgc/ABMA")).expect("a rollout");
    let end_rules = EndRules { time: Some(Duration::MAX), ..EndRules::after_trials(36) };
    let mut rollout = rollout.until(end_rules).expect("a rule");
    let ended = Session::default().play(&mut rollout, &workers(1), |_| ());
    assert_eq!(ended.expect("nothing is saved"), EndReason::Trials);
}

#[test]
fn time_ends_what_has_no_trial_yet() {
    let defaults = RolloutRequest::decision(RuleSet::Backgammon, NO_STOP).expect("built in");
    let request = RolloutRequest {
        roll: Some("31".parse().expect("a roll")),
        players: Some(PolicyPair::alike(Arc::new(Endless))),
        end_rules: EndRulesRequest { seconds: Some(0.05), ..defaults.end_rules },
        ..defaults
    };
    let named = RolloutRequest { plays: Some(vec!["24/20".into(), "6/2".into(), "8/5 6/5".into()]), ..request.clone() };
    let unfiltered = RolloutRequest { filter: None, ..request.clone() };
    for (request, plays) in [(&request, 2), (&named, 3), (&unfiltered, 16)] {
        let mut rollout = request.rollout(&position("4HPwATDgc/ABMA")).expect("a rollout");
        let start = Instant::now();
        let ended = Session::default().play(&mut rollout, &workers(2), |_| ());
        assert_eq!(ended.expect("nothing is saved"), EndReason::Time);
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        // The candidates stand in the request's order; the report has them in the order of their values.
        let ids = |plays: &[Candidate]| plays.iter().map(|play| play.board.position_id()).collect::<Vec<_>>();
        assert_eq!(ids(rollout.candidates()), ids(plain(request).candidates()));
        let saved = Rollout::from_json_with(
            &rollout.to_json(),
            SuppliedPlayers { players: request.players.clone(), ..SuppliedPlayers::default() },
            NO_STOP,
        );
        assert_eq!(saved.expect("its players").decision(), rollout.decision());
        let decision = rollout.decision().expect("a race");
        let play = rollout.candidates()[decision.candidate].moves.as_ref();
        assert_eq!(play.map(ToString::to_string).as_deref(), Some("8/5 6/5"));
        assert_eq!((rollout.summary().trials, decision.rivals.len()), (0, plays - 1));
        assert_eq!((decision.verdict, decision.sure), (Verdict::Open, 0.0));
    }
}

#[test]
fn plays_that_were_not_named_are_not_left_out_by_a_filter() {
    let decision = |plays: Option<&[&str]>| {
        let request = RolloutRequest {
            roll: Some("31".parse().expect("a roll")),
            plays: plays.map(|plays| plays.iter().map(|&play| play.into()).collect()),
            ..RolloutRequest::decision(RuleSet::Backgammon, NO_STOP).expect("built in")
        };
        request.rollout(&position("4HPwATDgc/ABMA")).expect("a rollout")
    };
    let named = decision(Some(&["6/2", "8/7 6/3"]));
    assert_eq!((named.left_out(), named.has_named_plays()), (0, true));
    // A record keeps it.
    let again = Rollout::from_json(&named.to_json()).expect("a record");
    assert_eq!((again.left_out(), again.has_named_plays()), (0, true));
    assert_eq!(again.decision().expect("a race").left_out, 0);
    let filtered = Rollout::from_json(&decision(None).to_json()).expect("a record");
    assert_eq!((filtered.left_out(), filtered.has_named_plays()), (14, false));
}

#[test]
fn a_play_that_is_the_only_one_is_decided() {
    let request = RolloutRequest {
        roll: Some("11".parse().expect("a roll")),
        ..RolloutRequest::decision(RuleSet::Backgammon, NO_STOP).expect("built in")
    };
    let rollout = request.rollout(&position("AQAAAAEAAAAAAA")).expect("a rollout");
    let rollout = played(rollout, &workers(1));
    let decision = rollout.decision().expect("a race");
    assert_eq!((decision.verdict, decision.sure), (Verdict::Best, 1.0));
    assert_eq!((rollout.summary().trials, decision.left_out), (36, 0));
    assert_eq!(rollout.summary().best().equity.mean, -1.0, "it loses to any roll");
    // Without a roll there is nothing to decide.
    let nothing = RolloutRequest { roll: None, ..request };
    let error = nothing.rollout(&position("AQAAAAEAAAAAAA")).expect_err("one candidate");
    assert!(error.to_string().contains("at least two candidates"), "{error}");
}

#[test]
fn what_is_not_known_yet_is_open() {
    let race = opening(PlayoutSettings::default(), 100).allocated(Allocation::DEFAULT_RACE);
    let rollout = played(race.expect("a race"), &workers(1));
    assert_eq!(rollout.summary().trials, 100);
    let decision = rollout.decision().expect("a race");
    assert_eq!(decision.verdict, Verdict::Open);
    assert!(decision.sure < 0.95 && decision.at_most_better > 0.0, "{decision:?}");
    assert!(!decision.rivals.is_empty() && decision.equivalent_games.is_none());
    // With a `within` as large as the bound, the verdict is that no candidate is better.
    let within = decision.at_most_better * 2.0;
    let near = Allocation::FixedConfidence { percent: 95.0, within };
    let rollout = opening(PlayoutSettings::default(), 36 << 10).allocated(near);
    let rollout = played(rollout.expect("a race"), &workers(1));
    let decision = rollout.decision().expect("a race");
    assert_eq!(decision.verdict, Verdict::NoneBetter);
    assert!(decision.sure >= 0.95 && decision.at_most_better <= within);
    assert!(is_look(rollout.summary().trials) && rollout.summary().trials < 36 << 10);
    assert_eq!(opening(PlayoutSettings::default(), 36).decision(), None, "divided evenly");
}

/// In the Crawford game at one point against two, a gammon lost does not matter. Without the score 20/16 9/3* and 9/5
/// 9/3* are the best plays; with it 21/15 20/16 is, by 0.03 points.
#[test]
fn a_filter_compares_plays_with_the_cube() {
    let position = position("XGID=---aBBBbCD--c----cacAA-aa-:0:0:1:64:2:1:1:3:10");
    let roll = "64".parse().expect("a roll");
    let state = CubeState::from_context(position.context()).expect("a score");
    let strong = named::evaluator("strong", NO_STOP).expect("built in");
    let best = parse_play(position.board(), roll, "21/15 20/16", RuleSet::Backgammon).expect("a play");
    let is_kept = |cube| {
        let request = RolloutRequest {
            cube,
            filter: Some(PlayFilter { by: Arc::clone(&strong), margin: 0.0 }),
            ..RolloutRequest::default()
        };
        let rollout = request.rollout(&position).expect("a rollout");
        rollout.candidates().iter().any(|play| play.board == best)
    };
    let efficiency = None;
    assert!(is_kept(Some(CubeInPlay { state, efficiency })));
    assert!(!is_kept(None));
}

#[test]
fn a_filter_keeps_the_plays_near_the_best() {
    let fast: Arc<dyn Evaluator> = named::evaluator("fast", NO_STOP).expect("built in");
    let number = |margin: f64| {
        let request = RolloutRequest {
            roll: Some("31".parse().expect("a roll")),
            filter: Some(PlayFilter { by: Arc::clone(&fast), margin }),
            ..RolloutRequest::default()
        };
        let rollout = request.rollout(&position("4HPwATDgc/ABMA"))?;
        assert_eq!(rollout.left_out(), 16 - rollout.candidates().len());
        Ok::<usize, RolloutError>(rollout.candidates().len())
    };
    assert_eq!(number(0.0), Ok(2), "the best two always race");
    assert_eq!(number(10.0), Ok(16));
    let some = number(0.2).expect("a margin");
    assert!((2..16).contains(&some), "{some}");
    for margin in [-0.1, f64::NAN] {
        let error = number(margin).expect_err("no margin");
        assert!(error.to_string().contains("0 or more"), "{error}");
    }
    // There may be one play alone.
    let request = RolloutRequest {
        roll: Some("61".parse().expect("a roll")),
        filter: Some(PlayFilter { by: fast, margin: 0.0 }),
        end_rules: EndRulesRequest { trials: Some(36), ..EndRulesRequest::default() },
        ..RolloutRequest::default()
    };
    let rollout = request.rollout(&position("AQAAAAEAAAAAAA")).expect("a rollout");
    assert_eq!(rollout.candidates().len(), 1);
}

#[test]
fn what_a_race_cannot_promise_is_refused() {
    let race = |percent, within| {
        let race = opening(PlayoutSettings::default(), 36).allocated(Allocation::FixedConfidence { percent, within });
        race.map(|_| ()).map_err(|error| error.to_string())
    };
    assert!(race(99.9, 0.01).is_ok());
    for (percent, within, message) in
        [(100.0, 0.0, "below 100 %, not 100 %"), (f64::NAN, 0.0, "above 0 %"), (95.0, -0.01, "0 or more, not -0.01")]
    {
        let error = race(percent, within).expect_err("refused");
        assert!(error.contains(message), "{error}");
    }
}
