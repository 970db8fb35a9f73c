//! Records hold only what games of their positions can have: crafted ones are refused, and no true one is.

use core::num::NonZeroU32;
use std::sync::Arc;

use super::playing::{played, stratified, workers};
use super::records::with_number;
use super::variance_reduction::Wrong;
use crate::support::effort::by_effort;
use crate::support::{begun, request};
use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{Board, NO_STOP, Playouts, Roll, RuleSet};
use tavli_cube::{CubeInPlay, CubeState, Score, Stakes};
use tavli_file::record::EnvelopeError;
use tavli_players::named;
use tavli_rollout::{PlayoutSettings, Rollout, RolloutRecordError, RolloutRequest, SuppliedPlayers};
use tavli_testing::random::Random;

fn read(text: &str) -> Result<Rollout, RolloutRecordError> {
    let wrong: Arc<dyn Evaluator> = Arc::new(Wrong);
    let is_wrong = |role: &str| text.contains(&format!("\"{role}\":\"wrong\"")).then(|| Arc::clone(&wrong));
    let supplied = SuppliedPlayers { players: None, evaluator: is_wrong("evaluator"), luck: is_wrong("luck") };
    Rollout::from_json_with(text, supplied, NO_STOP)
}

/// Why a changed record with a right checksum is refused.
fn refusal(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}: {text}");
    refusal_of(&text.replacen(from, to, 1))
}

fn refusal_of(changed: &str) -> String {
    match read(changed) {
        Err(RolloutRecordError::Envelope(EnvelopeError::Checksum { found, contents })) => {
            let signed = changed.replacen(&found, &contents, 1);
            read(&signed).map(|_| ()).expect_err("refused").to_string()
        }
        other => panic!("{other:?}"),
    }
}

/// A side has borne off eight checkers, and the other one three.
fn without_gammons() -> Board {
    let mut points = [0; 26];
    (points[1], points[2], points[6]) = (2, 2, 3);
    (points[19], points[20], points[24]) = (-2, -2, -3);
    Board::from_points(&points).expect("a position")
}

fn request_by(player: &str, settings: PlayoutSettings, trials: u64) -> RolloutRequest {
    RolloutRequest {
        players: Some(PolicyPair::alike(named::policy(player).expect("a player"))),
        ..request(settings, trials)
    }
}

#[test]
fn outcomes_that_the_rules_exclude_are_refused() {
    let wrong: Option<Arc<dyn Evaluator>> = Some(Arc::new(Wrong));
    let cut_off = PlayoutSettings { truncation: NonZeroU32::new(1), ..stratified() };
    let [whole, valued, plays] = [
        request_by("uniform", stratified(), 36),
        RolloutRequest { evaluator: wrong.clone(), luck: wrong.clone(), ..request_by("uniform", cut_off, 36) },
        RolloutRequest {
            roll: Some("21".parse().expect("a roll")),
            ..request_by("uniform", PlayoutSettings::default(), 36)
        },
    ]
    .map(|request| played(begun(without_gammons(), &request), &workers(1)).to_json());
    let cannot_end_so = "invalid ends: a game of the position cannot end so";
    for (text, from, to, reason) in [
        (&whole, "\"win_single\"", "\"win_gammon\"", cannot_end_so),
        (&whole, "\"lose_single\"", "\"lose_backgammon\"", cannot_end_so),
        (&whole, "\"win_single\"", "\"unfinished\"", "invalid ends: a game of the position is not cut off"),
        (&plays, "\"lose_single\"", "\"lose_gammon\"", cannot_end_so),
        (&plays, "\"win_single\"", "\"win_backgammon\"", cannot_end_so),
    ] {
        assert_eq!(refusal(text, from, to), reason, "{from} {to}");
    }
    // The sums of both outcomes change places, so that they still add up.
    let changed = valued.replacen("\"win_single\"", "\"changed\"", 1);
    let changed = changed.replacen("\"win_gammon\"", "\"win_single\"", 1);
    assert_eq!(
        refusal(&changed, "\"changed\"", "\"win_gammon\""),
        "invalid corrections: a game of the position cannot end so"
    );
}

/// A position in a random game, often near its end.
fn random_position(random: &mut Random, rules: RuleSet) -> Board {
    let start = rules.start();
    let playouts = Playouts::new(start, rules, random.word()).expect("a start");
    let plies = playouts.play(0).plies as usize;
    let left = match random.below(2) {
        0 => plies,
        _ => plies.min(16),
    };
    let truncation = plies - 1 - random.below(left.max(2) - 1);
    match NonZeroU32::new(truncation as u32) {
        Some(truncation) => playouts.truncated_after(truncation).play(0).board,
        None => start,
    }
}

#[test]
fn no_true_record_is_refused() {
    type Chosen = Option<Arc<dyn Evaluator>>;
    let mut random = Random(53);
    let workers = workers(2);
    let evaluators: [fn() -> Chosen; 4] = [
        || None,
        || Some(Arc::new(Wrong)),
        || Some(named::evaluator("td80", NO_STOP).expect("an evaluator")),
        || Some(named::evaluator("sampled:3", NO_STOP).expect("an evaluator")),
    ];
    for number in 0..by_effort(80, 10_000) {
        let rules = match number % 2 {
            0 => RuleSet::Backgammon,
            _ => RuleSet::ALL[random.below(RuleSet::ALL.len())],
        };
        let is_usual = rules == RuleSet::Backgammon;
        let board = random_position(&mut random, rules);
        let truncation = NonZeroU32::new(random.below(6) as u32);
        let settings = PlayoutSettings {
            rules,
            seed: random.word(),
            truncation,
            ..match random.below(2) {
                0 => PlayoutSettings::default(),
                _ => stratified(),
            }
        };
        let player = ["uniform", "td80", "uniform+bearoff:6x4"][random.below(if is_usual { 3 } else { 1 })];
        let mut evaluator = |most: usize| evaluators[random.below(if is_usual { most } else { 2 })]();
        let (of_cut_off, luck) = (truncation.and_then(|_| evaluator(4)), evaluator(3));
        let stakes = match random.below(3) {
            0 => CubeState::default().stakes,
            _ => Stakes::Match(Score {
                away: 1 + random.below(5) as u16,
                opponent_away: 2 + random.below(5) as u16,
                crawford: false,
            }),
        };
        let cube = CubeInPlay { state: CubeState { stakes, ..CubeState::default() }, efficiency: None };
        let is_with_cube = is_usual && player == "td80" && (truncation.is_none() || of_cut_off.is_some());
        let roll = Roll::ALL[random.below(Roll::ALL.len())];
        // Luck takes a value for each play of each roll.
        let trials = if luck.is_some() { [1, 2, 36] } else { [1, 36, 100] };
        let request = RolloutRequest {
            roll: (random.below(4) == 0).then_some(roll),
            evaluator: of_cut_off,
            luck,
            cube: (is_with_cube && random.below(2) == 0).then_some(cube),
            ..request_by(player, settings, trials[random.below(3)])
        };
        // Some settings contradict each other, such as a score and a cube.
        let Ok(rollout) = request.rollout(&board.into()) else {
            continue;
        };
        let text = played(rollout, &workers).to_json();
        let again = read(&text).map(|again| again.to_json());
        assert_eq!(again.map_err(|error| error.to_string()), Ok(text), "{number}");
    }
}

/// The luck of whole games has no bound, but its squares are those of some plies.
#[test]
fn sums_beyond_all_games_are_refused() {
    let luck = Some(named::evaluator("td80", NO_STOP).expect("an evaluator"));
    let state = CubeState { max_log2: 1, ..CubeState::default() };
    let cube = Some(CubeInPlay { state, efficiency: None });
    let whole = RolloutRequest { luck, ..request_by("td80", PlayoutSettings::default(), 72) };
    let cubeful = RolloutRequest { cube, ..request_by("td80", PlayoutSettings::default(), 72) };
    let [whole, cubeful] = [whole, cubeful].map(|request| played(begun(Board::START, &request), &workers(2)).to_json());
    let huge = "1000000000000000000000000000000";
    // Of seven values with four classes each, the last one is the equity.
    for (text, member, index) in [(&whole, "corrections", 24), (&cubeful, "cubeful", 0)] {
        let changed = with_number(text, &[member, "\"squares\":"], index, huge);
        assert_eq!(
            refusal_of(&changed),
            format!("invalid {member}: games cannot have these sums of values and squares")
        );
    }
}
