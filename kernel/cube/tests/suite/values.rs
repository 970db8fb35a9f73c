//! Values, actions and points.

use std::sync::LazyLock;

use tavli_backgammon::{Board, NO_STOP, Position, Side};
use tavli_cube::{
    Action, CubeModel, CubeState, CubeStateError, CubeValues, Efficiency, ExactEquities, MatchEquityTable, MoneyPoints,
    OutcomeProbabilities, PreparedScore, Score, Stakes, Turn,
};
use tavli_players::bearoff::{Holder, TwoSided};

use crate::golden::{Row, rows};

fn probabilities(row: &Row) -> OutcomeProbabilities {
    let columns = ["win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"];
    OutcomeProbabilities::new(columns.map(|column| row.number(column))).expect("probabilities")
}

/// The money equities of a bear-off of at most six checkers a side, by the table that GNU Backgammon has.
fn exact(board: &Board) -> ExactEquities {
    static TABLE: LazyLock<TwoSided> =
        LazyLock::new(|| TwoSided::new(6, 6, NO_STOP, &mut |_| ()).expect("there is memory"));
    let index = |counts: [u8; 26]| TABLE.positions().index(&counts[1..7]).expect("is in the table");
    let (own, opponent) = (index(board.own().counts()), index(board.opponent().counts()));
    let equity = |holder| TABLE.equity(holder, own, opponent);
    ExactEquities {
        cubeless: equity(Holder::None),
        owned: equity(Holder::OnRoll),
        centred: equity(Holder::Both),
        opponent_owns: equity(Holder::Opponent),
    }
}

/// GNU Backgammon values these positions in single precision.
const TOLERANCE: f64 = 1e-5;

#[test]
fn values_and_actions_are_those_of_gnu_backgammon() {
    let rows = rows("eval_0ply.tsv.gz");
    assert_eq!(rows.len(), 4192);
    let (mut compared, mut close, mut impossible) = (0, 0, 0);
    for row in &rows {
        let text = format!("{}:{}", row.text("position_id"), row.text("match_id"));
        let Ok(position) = text.parse::<Position>() else {
            impossible += 1;
            continue;
        };
        let mut state = CubeState::from_context(position.context()).unwrap_or_else(|error| panic!("{text}: {error}"));
        // A Match ID does not hold beavers.
        if let Stakes::Money { beavers, .. } = &mut state.stakes {
            *beavers = row.text("beavers") == "1";
        }
        let model = CubeModel {
            efficiency: Efficiency::default().for_board(position.board()),
            exact: (row.text("class") == "bearoff2").then(|| exact(position.board())),
            ..CubeModel::default()
        };
        let values = model.values(&probabilities(row), &state);
        for (name, found) in [("nd", values.no_double), ("dt", values.double_take), ("dp", values.double_pass)] {
            let expected = row.number(name);
            let scale = expected.abs().max(1.0);
            assert!((found - expected).abs() < TOLERANCE * scale, "{text} {name}: {found}, not {expected}");
        }
        // The turn is the right action, except for beavers that the cube's limit forbids.
        let turn = model.turn(&probabilities(row), &state);
        let doubles = values.action.doubles() && state.is_double_allowed();
        assert_eq!(turn != Turn::Roll, doubles, "{text}: {turn:?} {values:?}");
        if let Turn::Take(taken) = turn {
            let is_beavered = matches!(values.action, Action::DoubleBeaver | Action::RedoubleBeaver);
            let times = if is_beavered { 4 } else { 2 };
            assert_eq!((taken.cube(), taken.owner), (times * state.cube(), Some(Side::Opponent)));
        }
        let alternatives = [values.no_double, values.double_take, values.double_pass];
        let is_close = |a: f64, b: f64| (a - b).abs() < 1e-4;
        let [nd, dt, dp] = alternatives;
        if is_close(nd, dt) || is_close(nd, dp) || is_close(dt, dp) {
            close += 1;
            continue;
        }
        compared += 1;
        assert_eq!(values.action.text(), row.text("action"), "{text}: {values:?}");
        let optimal = row.number("optimal");
        assert!((values.best() - optimal).abs() < TOLERANCE * optimal.abs().max(1.0), "{text}: {values:?}");
    }
    // In one position, in 16 situations, both sides hold a point.
    assert_eq!(impossible, 16);
    assert!(compared > 3000 && close < 600, "{compared} actions compared, {close} passed over");
}

/// A player who is far behind can win only a little, but this little decides.
#[test]
fn a_player_far_behind_is_not_indifferent() {
    let probabilities = OutcomeProbabilities::new([0.527, 0.143, 0.007, 0.121, 0.005]).expect("probabilities");
    for away in [24, 25, 26, 33, 40, 63, 64] {
        let score = Score { away, opponent_away: 1, crawford: false };
        let state = CubeState { stakes: Stakes::Match(score), ..CubeState::default() };
        let model = CubeModel::default();
        let values = model.values(&probabilities, &state);
        assert_eq!(values.action, Action::DoubleTake, "{away}: {values:?}");
        assert_eq!(model.turn(&probabilities, &state), Turn::Take(state.doubled()), "{away}");
    }
}

#[test]
fn money_points_are_those_of_gnu_backgammon() {
    for row in rows("points_money.tsv.gz") {
        // The mean points of won games, of the player who decides and of the other.
        let mean_points =
            |who: &str| 1.0 + row.number(&format!("gammon_rate_{who}")) + 2.0 * row.number(&format!("bg_rate_{who}"));
        let (own, other) = match row.text("who") {
            "player" => (mean_points("player"), mean_points("opponent")),
            _ => (mean_points("opponent"), mean_points("player")),
        };
        let points = MoneyPoints::new(own, other);
        let [dead, live] = match row.text("point") {
            "TP" => points.take,
            "BP" => points.beaver,
            "RP" => points.raccoon,
            "IDP" => points.double,
            "RDP" => points.redouble,
            "CP" => points.cash,
            "TGP" => points.too_good,
            other => panic!("{other}"),
        };
        for (name, found) in [("dead", dead), ("live", live)] {
            let expected = row.number(name);
            assert!((100.0 * found - expected).abs() < 6e-4, "{} {name}: {found}, not {expected}", row.text("point"));
        }
    }
}

/// The score and probabilities of a row of scores, seen by `who` decides.
fn at_score(row: &Row, away: &str, opponent_away: &str) -> CubeState {
    let points = |column: &str| row.number(column) as u16;
    CubeState {
        log2: (row.number("cube") as u32).trailing_zeros() as u8,
        stakes: Stakes::Match(Score { away: points(away), opponent_away: points(opponent_away), crawford: false }),
        ..CubeState::default()
    }
}

#[test]
fn match_points_are_those_of_gnu_backgammon() {
    for row in rows("points_match.tsv.gz") {
        let (own, other) = match row.text("who") {
            "player" => ("player", "opponent"),
            _ => ("opponent", "player"),
        };
        let state = at_score(&row, &format!("away_{own}"), &format!("away_{other}"));
        let rate = |kind: &str, who: &str| row.number(&format!("{kind}_rate_{who}"));
        let half = |who: &str| [0.5 * (rate("gammon", who) + rate("bg", who)), 0.5 * rate("bg", who)];
        let ([win_gammon, win_backgammon], [lose_gammon, lose_backgammon]) = (half(own), half(other));
        let probabilities = OutcomeProbabilities { win: 0.5, win_gammon, win_backgammon, lose_gammon, lose_backgammon };
        let points = CubeModel::default().match_points(&probabilities, &state).expect("a match");
        let check = |column: &str, found: f64| {
            let expected = row.number(column);
            assert!((100.0 * found - expected).abs() < 0.006, "{state:?} {column}: {found}, not {expected}");
        };
        check("dead_low", points.dead[0]);
        check("dead_high", points.dead[1]);
        if let Some([low, high]) = points.redoubled {
            assert_eq!(row.text("opponent_redoubles"), "1");
            check("dead_redouble_low", low);
            check("dead_redouble_high", high);
        }
        if !row.text("live_high").is_empty() {
            check("live_high", points.live_cash.expect("the doubled cube is not dead"));
        }
    }
}

#[test]
fn gammon_values_are_those_of_gnu_backgammon() {
    for row in rows("gammon_values.tsv.gz") {
        let mut state = at_score(&row, "away_player", "away_opponent");
        if let Stakes::Match(score) = &mut state.stakes {
            score.crawford = row.text("crawford") == "1";
        }
        let values = CubeModel::default().gammon_values(&state).expect("a match");
        for (column, found) in [
            ("mwc_win", values.win),
            ("mwc_lose", values.lose),
            ("gammon_value_player", values.own[0]),
            ("backgammon_value_player", values.own[1]),
            ("gammon_value_opponent", values.opponent[0]),
            ("backgammon_value_opponent", values.opponent[1]),
        ] {
            let expected = row.number(column);
            let tolerance = 1e-5 * expected.abs().max(1.0);
            assert!((found - expected).abs() < tolerance, "{state:?} {column}: {found}, not {expected}");
        }
    }
}

#[test]
fn a_state_that_cannot_be_is_refused_by_name() {
    let money = CubeState::default();
    let score = |away, opponent_away, crawford| CubeState {
        stakes: Stakes::Match(Score { away, opponent_away, crawford }),
        ..money
    };
    for (state, expected) in [
        (CubeState { log2: 11, ..money }, CubeStateError::Cube { cube: 2048, limit: 1024 }),
        (CubeState { owner: Some(Side::OnRoll), ..money }, CubeStateError::Owner),
        (score(0, 3, false), CubeStateError::Over { away: 0, opponent_away: 3 }),
        (score(2, 3, true), CubeStateError::Crawford { away: 2, opponent_away: 3 }),
        (score(1, 1, true), CubeStateError::Crawford { away: 1, opponent_away: 1 }),
        (CubeState { log2: 1, ..score(1, 3, true) }, CubeStateError::CrawfordCube { cube: 2 }),
    ] {
        assert_eq!(state.check(), Err(expected));
    }
    assert_eq!(score(1, 3, true).check(), Ok(()));
}

#[test]
fn chances_contain_each_other() {
    for wrong in [
        [1.1, 0.0, 0.0, 0.0, 0.0],
        [0.5, 0.6, 0.0, 0.0, 0.0],
        [0.5, 0.2, 0.3, 0.0, 0.0],
        [0.5, 0.2, 0.1, 0.6, 0.0],
        [0.5, 0.2, 0.1, 0.1, 0.2],
        [f64::NAN, 0.0, 0.0, 0.0, 0.0],
        [0.5, -0.1, 0.0, 0.0, 0.0],
    ] {
        assert!(OutcomeProbabilities::new(wrong).is_err(), "{wrong:?}");
    }
    let probabilities = OutcomeProbabilities::new([0.5, 0.5000001, 0.0, 0.2, 0.1]).expect("within rounding");
    assert_eq!(probabilities.win_gammon, 0.5);
    assert_eq!(probabilities.reversed().reversed(), probabilities);
}

/// The player who may not double, and who has won already, keep their values finite.
#[test]
fn values_are_numbers_at_every_score_and_chance() {
    let table = MatchEquityTable::kazaross_xg2();
    for win in [0.0, 1e-9, 0.02, 0.5, 0.98, 1.0] {
        for gammons in [0.0, 0.5, 1.0] {
            let probabilities = OutcomeProbabilities::new([win, gammons * win, 0.0, gammons * (1.0 - win), 0.0])
                .expect("probabilities");
            for away in 1..=9 {
                for opponent_away in 1..=9 {
                    for crawford in [false, true] {
                        for (log2, owner) in [(0, None), (1, Some(Side::OnRoll)), (2, Some(Side::Opponent)), (10, None)]
                        {
                            let stakes = Stakes::Match(Score { away, opponent_away, crawford });
                            let state = CubeState { log2, owner, stakes, ..CubeState::default() };
                            if state.check().is_err() {
                                continue;
                            }
                            let values = CubeModel { table, ..CubeModel::default() }.values(&probabilities, &state);
                            let all = [values.no_double, values.double_take, values.double_pass, values.cubeless];
                            assert!(
                                all.iter().all(|value| value.is_finite()),
                                "{state:?} {probabilities:?}: {values:?}"
                            );
                            if log2 == 10 {
                                assert!(matches!(values.action, Action::NotAvailable | Action::DeadCube), "{values:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_end_of_a_game_has_the_value_of_a_certain_outcome() {
    let money = |jacoby, owner: Option<Side>| CubeState {
        log2: if owner.is_some() { 2 } else { 0 },
        owner,
        stakes: Stakes::Money { jacoby, beavers: false },
        ..CubeState::default()
    };
    let score = CubeState {
        log2: 1,
        owner: Some(Side::OnRoll),
        stakes: Stakes::Match(Score { away: 5, opponent_away: 3, crawford: false }),
        ..CubeState::default()
    };
    let model = CubeModel::default();
    for (points, probabilities) in [
        (1, [1.0, 0.0, 0.0, 0.0, 0.0]),
        (2, [1.0, 1.0, 0.0, 0.0, 0.0]),
        (3, [1.0, 1.0, 1.0, 0.0, 0.0]),
        (-2, [0.0, 0.0, 0.0, 1.0, 0.0]),
    ] {
        let probabilities = OutcomeProbabilities::new(probabilities).expect("probabilities");
        for state in [money(false, None), money(true, None), money(true, Some(Side::Opponent)), score] {
            let (found, expected) = (model.value_of_end(points, &state), model.cubeful_value(&probabilities, &state));
            assert!((found - expected).abs() < 1e-12, "{points} {state}: {found}, not {expected}");
        }
    }
    let single = model.value_of_end(1, &score);
    assert!((model.equity_of(single, &score) - 1.0).abs() < 1e-12);
    assert_eq!(score.to_string(), "5-away 3-away, cube 2 of the player on roll");
}

/// A prepared score gives the same bits as the state it was made of, at scores beyond the end of the table too.
#[test]
fn a_prepared_score_has_the_values_of_the_state() {
    let model = CubeModel { efficiency: 0.6, ..CubeModel::default() };
    let probabilities = OutcomeProbabilities::new([0.58, 0.21, 0.02, 0.12, 0.004]).expect("probabilities");
    let aways = [1, 2, 3, 4, 5, 7, 9, 16, 25, 26, 31];
    for (away, opponent_away) in aways.into_iter().flat_map(|away| aways.map(|other| (away, other))) {
        let score = Score { away, opponent_away, crawford: false };
        let prepared = PreparedScore::new(MatchEquityTable::kazaross_xg2(), score);
        for owner in [None, Some(Side::OnRoll), Some(Side::Opponent)] {
            for log2 in u8::from(owner.is_some())..4 {
                let state = CubeState { log2, owner, stakes: Stakes::Match(score), ..CubeState::default() };
                let [found, expected] = [
                    model.values_at(&prepared, &probabilities, &CubeState { log2, owner, ..CubeState::default() }),
                    model.values(&probabilities, &state),
                ]
                .map(|values| {
                    let CubeValues { no_double, double_take, double_pass, cubeless, action } = values;
                    let bits = [no_double, double_take, double_pass, cubeless].map(f64::to_bits);
                    (bits, action)
                });
                assert_eq!(found, expected, "{state}");
            }
        }
    }
}

#[test]
fn a_cube_at_its_limit_is_dead_and_so_is_the_last_one_that_a_double_makes() {
    let probabilities = OutcomeProbabilities::new([0.6, 0.2, 0.01, 0.1, 0.005]).expect("probabilities");
    let game = Stakes::Match(Score { away: 20, opponent_away: 15, crawford: false });
    let money = Stakes::Money { jacoby: false, beavers: false };
    let (live, dead) = (CubeModel::default(), CubeModel { efficiency: 0.0, ..CubeModel::default() });
    for stakes in [money, game] {
        for owner in [None, Some(Side::OnRoll), Some(Side::Opponent)] {
            let state = |max_log2| CubeState { log2: 1, max_log2, owner, stakes };
            let at_limit = live.values(&probabilities, &state(1));
            assert_eq!(at_limit.action, Action::NotAvailable);
            assert!((at_limit.no_double - at_limit.cubeless).abs() < 1e-12, "{at_limit:?}");

            let last = live.values(&probabilities, &state(2));
            let double_take = dead.values(&probabilities, &state(10)).double_take;
            assert!((last.double_take - double_take).abs() < 1e-12, "{last:?} {double_take}");
            // The taker of the last double gets a dead cube, so the double is passed sooner, and owning the cube has a
            // higher value.
            let [last, live, dead] = [
                live.cubeful_value(&probabilities, &state(2)),
                live.cubeful_value(&probabilities, &state(10)),
                dead.cubeful_value(&probabilities, &state(10)),
            ];
            match owner {
                Some(Side::OnRoll) => assert!(dead < live && live < last, "{dead} {live} {last}"),
                Some(Side::Opponent) => assert!(dead > live && live > last, "{dead} {live} {last}"),
                None => assert!((last - dead).abs() > 1e-6, "{dead} {last}"),
            }
        }
    }
}

#[test]
fn a_known_bear_off_with_a_cube_at_its_limit_has_its_equity_without_one() {
    let exact = ExactEquities { cubeless: 0.25, owned: 0.5, centred: 0.375, opponent_owns: 0.125 };
    let model = CubeModel { exact: Some(exact), ..CubeModel::default() };
    let probabilities = OutcomeProbabilities::new([0.625, 0.0, 0.0, 0.0, 0.0]).expect("probabilities");
    let state = CubeState { max_log2: 0, ..CubeState::default() };
    assert_eq!(model.cubeful_value(&probabilities, &state), 0.25);
    let values = model.values(&probabilities, &CubeState { max_log2: 1, ..state });
    assert_eq!((values.no_double, values.double_take), (0.375, 0.5));
}
