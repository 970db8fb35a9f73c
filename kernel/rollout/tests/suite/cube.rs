//! Rollouts with the cube: exact where values are, equal to plain games decided one by one, and the same however they
//! are played.

use core::num::NonZeroU32;
use std::sync::Arc;

use super::playing::{facts, played, position, stratified, workers};
use super::variance_reduction::Wrong;
use crate::support::{begun, request};
use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator};
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::stepping::{RollBatch, SteppedGame};
use tavli_backgammon::{Board, NO_STOP, Planes, RuleSet, Side, Tier};
use tavli_cube::{Action, CubeInPlay, CubeState, OutcomeProbabilities, Score, Stakes, Turn};
use tavli_players::bearoff::{Holder, TwoSided};
use tavli_players::named;
use tavli_rollout::{
    Allocation, CubeChoice, EndRules, PlayoutSettings, Rollout, RolloutError, RolloutRequest, Shard, cube_model,
};

/// A race of some rolls that the table of exact equities does not have.
const RACE: &str = "1e4AAFDbHQAAAA";

fn cube(state: CubeState) -> CubeInPlay {
    CubeInPlay { state, efficiency: None }
}

fn match_to(away: u16, opponent_away: u16) -> CubeState {
    CubeState { stakes: Stakes::Match(Score { away, opponent_away, crawford: false }), ..CubeState::default() }
}

fn alike(player: &str) -> PolicyPair {
    PolicyPair::alike(named::policy(player).expect("a player"))
}

fn request_by(player: &str, state: CubeState, settings: PlayoutSettings, trials: u64) -> RolloutRequest {
    RolloutRequest { players: Some(alike(player)), cube: Some(cube(state)), ..request(settings, trials) }
}

fn rollout(board: &Board, state: CubeState, settings: PlayoutSettings, trials: u64) -> Rollout {
    begun(*board, &request_by("fast", state, settings, trials))
}

fn values(rollout: &Rollout) -> [f64; 2] {
    let decision = rollout.cube_decision().expect("a cube decision");
    [decision.no_double.mean, decision.double_take.expect("a double").mean]
}

/// Bear-offs of at most six checkers have the equities of perfect play, without error.
#[test]
fn two_sided_positions_have_the_values_of_the_table() {
    let table = TwoSided::new(6, 6, NO_STOP, &mut |_| ()).expect("a table");
    for (own, other) in [([0, 1, 0, 0, 1, 0], [1, 0, 0, 0, 0, 0]), ([1, 2, 1, 1, 0, 1], [2, 1, 1, 1, 1, 0])] {
        let mut points = [0; 26];
        for (point, (own, other)) in (1..).zip(own.into_iter().zip(other)) {
            (points[point], points[25 - point]) = (own, -other);
        }
        let board = Board::from_points(&points).expect("a position");
        let index = |side: [i8; 6]| table.positions().index(&side.map(|checkers| checkers as u8)).expect("few");
        let equity = |holder| table.equity(holder, index(own), index(other));
        for (owner, holder) in [(None, Holder::Both), (Some(Side::OnRoll), Holder::OnRoll)] {
            let state = CubeState { log2: u8::from(owner.is_some()), owner, ..CubeState::default() };
            let played = played(rollout(&board, state, PlayoutSettings::default(), 36), &workers(1));
            let decision = played.cube_decision().expect("a cube decision");
            let expected = [equity(holder), 2.0 * equity(Holder::Opponent)];
            for (value, expected) in [decision.no_double, decision.double_take.expect("a double")].iter().zip(expected)
            {
                // The unit of values is 2^-24.
                assert!((value.mean - expected).abs() < 6e-8, "{} {expected}", value.mean);
                assert_eq!((value.standard_error, value.low, value.high), (0.0, value.mean, value.mean));
            }
        }
    }
}

/// The specification of a trial: one game, decided turn by turn, with plays by the cube if they are `cubeful`. Its
/// value for the first player on roll.
fn plain(game: &mut SteppedGame, choice: Option<CubeChoice>, unit: CubeState, cubeful: bool) -> f64 {
    let player = named::evaluator("fast", NO_STOP).expect("an evaluator");
    let policy = named::policy("fast").expect("a policy");
    let mut state = match choice {
        Some(CubeChoice::DoubleTake) => unit.doubled(),
        _ => unit,
    };
    let probabilities = |board: &Board| {
        let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::Portable);
        let valued = player.evaluated(&conditions, &[Planes::from(*board)]);
        OutcomeProbabilities::from(valued.expect("nothing stops it")[0])
    };
    let (model, cubeful_value) = loop {
        let model = cube_model(game.board(), None);
        if let Some(outcome) = game.outcome() {
            let outcome = if game.plies().is_multiple_of(2) { outcome } else { outcome.reversed() };
            break (model, model.value_of_end(outcome.points(), &state));
        }
        let is_money = matches!(unit.stakes, Stakes::Money { .. });
        let decides = choice.is_none() || game.plies() > 0;
        if decides || model.exact.is_some() && is_money {
            let probabilities = probabilities(game.board());
            match model.turn(&probabilities, &state) {
                Turn::Pass => break (model, model.value_of_pass(&state)),
                Turn::Take(taken) => state = taken,
                Turn::Roll => {}
            }
            if model.exact.is_some() && is_money || game.has_ended() {
                break (model, model.cubeful_value(&probabilities, &state));
            }
        }
        let throw = game.roll().expect("the game goes on");
        let mut decisions = RollBatch::new(RuleSet::Backgammon).with_tier(Tier::Portable);
        decisions.push(game.board(), throw).expect("the game goes on");
        decisions.list(policy.view());
        let mut picks = [0];
        policy.pick(&decisions, &mut picks, NO_STOP).expect("nothing stops it");
        if cubeful {
            decisions.list(View::RESULTS);
            // The next player's value with the cube, and without.
            let of_next = |after: &Planes| {
                let (after, next) = (Board::from(*after), state.reversed());
                let model = cube_model(&after, None);
                match RuleSet::Backgammon.outcome(&after) {
                    Some(outcome) => {
                        let points = outcome.points();
                        (model.equity_of(model.value_of_end(points, &next), &next), f64::from(points))
                    }
                    None => {
                        let probabilities = probabilities(&after);
                        (model.values(&probabilities, &next).best(), probabilities.equity())
                    }
                }
            };
            let results = decisions.results_of(0).iter().map(of_next).enumerate();
            let best = results.min_by(|(_, one), (_, other)| one.partial_cmp(other).expect("numbers"));
            picks[0] = best.expect("a play").0 as u32;
        }
        game.make(picks[0] as usize).expect("a play");
        state = state.reversed();
    };
    let cubeful_value = match (unit.stakes, game.plies().is_multiple_of(2)) {
        (_, true) => cubeful_value,
        (Stakes::Money { .. }, false) => -cubeful_value,
        (Stakes::Match(_), false) => 1.0 - cubeful_value,
    };
    let unit_value = model.equity_of(cubeful_value, &unit);
    (unit_value * f64::from(1 << 24)).round() / f64::from(1 << 24)
}

#[test]
fn trials_are_those_of_plain_games() {
    const TRIALS: u64 = 24;
    let owned = CubeState { log2: 2, owner: Some(Side::OnRoll), ..match_to(9, 7) };
    let jacoby = CubeState { stakes: Stakes::Money { jacoby: true, beavers: true }, ..CubeState::default() };
    for (board, state, truncation, cubeful) in [
        (Board::START, CubeState::default(), None, false),
        (Board::START, jacoby, NonZeroU32::new(7), false),
        (position(RACE), match_to(4, 2), None, false),
        (position("sOfgASTYboMBMA"), owned, None, false),
        (position("sOfgASTYboMBMA"), match_to(2, 4), None, true),
        (Board::START, jacoby, NonZeroU32::new(7), true),
    ] {
        let settings = PlayoutSettings { truncation, ..PlayoutSettings::default() };
        let player = if cubeful { "fast+cube" } else { "fast" };
        let request = RolloutRequest {
            evaluator: truncation.map(|_| named::evaluator("fast", NO_STOP).expect("built in")),
            ..request_by(player, state, settings, TRIALS)
        };
        let found = played(begun(board, &request), &workers(2));
        for (choice, found) in [CubeChoice::NoDouble, CubeChoice::DoubleTake].into_iter().zip(values(&found)) {
            let playouts = settings.playouts(board).expect("games");
            let games =
                (0..TRIALS).map(|number| plain(&mut SteppedGame::new(&playouts, number), Some(choice), state, cubeful));
            let expected = games.sum::<f64>() / TRIALS as f64;
            assert_eq!(found, expected, "{choice:?}");
        }
    }
    // After a play the opponent may double before his roll.
    let settings = PlayoutSettings::default();
    let request = RolloutRequest {
        roll: Some("64".parse().expect("a roll")),
        ..request_by("fast", match_to(5, 5), settings, TRIALS)
    };
    let found = played(begun(position("sOfgASTYboMBMA"), &request), &workers(1));
    for result in found.summary().standings.iter().take(3) {
        let playouts = settings.playouts(found.candidates()[result.candidate].board).expect("games");
        let unit = match_to(5, 5).reversed();
        let games = (0..TRIALS).map(|number| plain(&mut SteppedGame::new(&playouts, number), None, unit, false));
        let expected = games.sum::<f64>() / TRIALS as f64;
        assert_eq!(result.cubeful.expect("a cube").mean, -expected);
    }
}

#[test]
fn threads_shards_sessions_and_records_change_nothing() {
    let request = |state| request_by("fast", state, stratified(), 2 * 1296);
    let begin = || begun(position(RACE), &request(match_to(5, 4)));
    let shard = |state, index| {
        let shard = Some(Shard::new(index, 2).expect("a shard"));
        let part = begun(position(RACE), &RolloutRequest { shard, ..request(state) });
        played(part, &workers(2))
    };
    let whole = played(begin(), &workers(1));
    let parts: Vec<Rollout> = (1..=2)
        .map(|part| {
            let part = shard(match_to(5, 4), part);
            Rollout::from_json(&part.to_json()).expect("a record")
        })
        .collect();
    let merged = Rollout::merge(&parts).expect("both parts");
    assert_eq!(facts(&merged)["rollout"]["rounds"], facts(&whole)["rollout"]["rounds"]);
    assert_eq!(merged.summary().standings, whole.summary().standings);
    let fewer = begin().until(EndRules::after_trials(700)).expect("trials");
    let saved = played(fewer, &workers(2)).to_json();
    let saved = Rollout::from_json(&saved).expect("a record");
    assert_eq!(saved.cube(), whole.cube());
    let resumed = played(saved.until(EndRules::after_trials(2 * 1296)).expect("more"), &workers(2));
    assert_eq!(facts(&resumed), facts(&whole));
    let other = shard(match_to(5, 3), 2);
    let error = Rollout::merge(&[parts[0].clone(), other]).expect_err("two scores").to_string();
    assert!(error.contains("the cube is 5-away 4-away, cube 1 in the middle in one"), "{error}");
}

/// If each pair of throws is played once, the luck in values with the cube adds up to nothing, though some games have
/// ended by a pass.
#[test]
fn over_all_throws_the_luck_is_nothing() {
    let settings = PlayoutSettings { truncation: NonZeroU32::new(2), ..stratified() };
    let doubtful = position("sOfgASTYboMBMA");
    for state in [CubeState::default(), match_to(4, 3)] {
        let request = RolloutRequest {
            evaluator: Some(named::evaluator("fast", NO_STOP).expect("built in")),
            ..request_by("fast", state, settings, 1296)
        };
        let plain = played(begun(doubtful, &request), &workers(2));
        let luck: Option<Arc<dyn Evaluator>> = Some(Arc::new(Wrong));
        let less = played(begun(doubtful, &RolloutRequest { luck, ..request }), &workers(2));
        for (found, expected) in values(&less).into_iter().zip(values(&plain)) {
            // Each game is rounded to 2^-24.
            assert!((found - expected).abs() < 6e-8, "{found}, not {expected}");
        }
        let errors = |rollout: &Rollout| rollout.cube_decision().expect("values").no_double.standard_deviation;
        assert_ne!(errors(&less), errors(&plain));
    }
}

/// A good evaluator makes errors smaller, and moves no mean by more than they allow.
#[test]
fn luck_is_subtracted_with_the_cube() {
    let decision = |luck| {
        let request = request_by("fast", CubeState::default(), PlayoutSettings::default(), 720);
        let rollout = played(begun(position(RACE), &RolloutRequest { luck, ..request }), &workers(2));
        rollout.cube_decision().expect("values")
    };
    let (plain, less) = (decision(None), decision(Some(named::evaluator("fast", NO_STOP).expect("built in"))));
    for (less, plain) in
        [(less.no_double, plain.no_double), (less.double_take.expect("a double"), plain.double_take.expect("a double"))]
    {
        assert!(2.0 * less.standard_error < plain.standard_error, "{less:?} {plain:?}");
        let error = less.standard_error.hypot(plain.standard_error);
        assert!((less.mean - plain.mean).abs() < 4.0 * error, "{less:?} {plain:?}");
    }
}

/// At least nine of ten intervals hold the value of a long rollout, however few trials there are.
#[test]
fn intervals_hold_the_truth() {
    let settings = |seed| PlayoutSettings { seed, ..PlayoutSettings::default() };
    let long = played(rollout(&position(RACE), CubeState::default(), settings(1), 12_000), &workers(2));
    let truth = values(&long);
    for trials in [12, 60] {
        let held = (2..62).map(|seed| {
            let few = played(rollout(&position(RACE), CubeState::default(), settings(seed), trials), &workers(2));
            let decision = few.cube_decision().expect("values");
            let found = [decision.no_double, decision.double_take.expect("a double")];
            found.iter().zip(truth).filter(|(value, truth)| (value.low..=value.high).contains(truth)).count()
        });
        let held = held.sum::<usize>();
        assert!((106..=120).contains(&held), "{held} of 120 after {trials} trials");
    }
}

#[test]
fn a_dead_cube_leaves_no_double_alone() {
    for (state, action) in [
        (match_to(1, 3), Action::DeadCube),
        (CubeState { log2: 1, owner: Some(Side::Opponent), ..CubeState::default() }, Action::NotAvailable),
    ] {
        let played = played(rollout(&position(RACE), state, PlayoutSettings::default(), 36), &workers(1));
        let decision = played.cube_decision().expect("a value");
        assert_eq!((decision.double_take, decision.values.action), (None, action));
    }
}

#[test]
fn what_cannot_be_is_named() {
    let refused = |request: RolloutRequest| request.rollout(&Board::START.into()).expect_err("refused");
    let request = |player, state| request_by(player, state, PlayoutSettings::default(), 36);
    let over = refused(request("fast", match_to(0, 3)));
    assert!(matches!(over, RolloutError::Cube(_)), "{over}");
    let uniform = refused(request("uniform", CubeState::default()));
    assert_eq!(uniform, RolloutError::NoCubeValues("uniform".to_owned()));
    let race = RolloutRequest { allocation: Allocation::DEFAULT_RACE, ..request("fast", CubeState::default()) };
    assert_eq!(refused(race), RolloutError::CubeDecision);
    let mut cut_off = request("fast", CubeState::default());
    cut_off.settings.truncation = NonZeroU32::new(3);
    assert_eq!(refused(cut_off), RolloutError::CubeNotValued);
}
