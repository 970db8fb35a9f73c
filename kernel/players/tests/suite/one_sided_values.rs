//! Values of one-sided tables: against plain sums over the rolls of both sides, exact two-sided values, and the rules
//! word for word.

use tavli_backgammon::evaluators::{EvaluationConditions, KnownValues, Probabilities};
use tavli_backgammon::playout::Throw;
use tavli_backgammon::plays::{View, reference};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, NO_STOP, Outcome, Planes, Roll, RuleSet, Tier};
use tavli_players::bearoff::{
    BearOffError, ExactWins, OneSided, OneSidedValues, RollDistribution, SidePositions, TwoSidedValues,
};
use tavli_players::named::{self, player};

/// Checkers of both sides, the ace point first.
fn board(own: &[u8], other: &[u8]) -> Board {
    let mut points = [0; 26];
    for (point, &checkers) in (1..).zip(own) {
        points[point] += checkers as i8;
    }
    for (point, &checkers) in (1..).zip(other) {
        points[25 - point] -= checkers as i8;
    }
    Board::from_points(&points).expect("a position")
}

fn value(ends: &dyn KnownValues, board: &Board) -> Probabilities {
    let value = ends.value(RuleSet::Backgammon, &Planes::from(*board));
    value.expect("is in the table")
}

/// Numbers of some positions, including positions of 15 checkers.
fn some(positions: &SidePositions, checkers: u8) -> Vec<u32> {
    let all = (1..positions.count()).step_by(97);
    let of_a_game = |index: &u32| positions.position(*index).iter().sum::<u8>() == checkers;
    let of_games = (1..positions.count()).filter(of_a_game).step_by(211);
    all.chain(of_games).collect()
}

#[test]
fn values_are_sums_over_the_rolls_of_both_sides() {
    let (ends, table) =
        (OneSidedValues::new(6, NO_STOP).expect("a table"), OneSided::new(6, NO_STOP, &mut |_| ()).expect("a table"));
    let positions = table.positions();
    let sides = some(&positions, 15);
    let (mut wins, mut losses) = (0, 0);
    // Few checkers against whole sides win gammons.
    let whole = |&index: &u32| positions.position(index).iter().sum::<u8>() == 15;
    let wholes = sides.iter().copied().filter(whole);
    let gammons = wholes.zip((1..60).cycle());
    let others = sides.iter().copied().zip(sides.iter().copied().skip(3));
    let pairs = gammons.flat_map(|(whole, few)| [(whole, few), (few, whole)]);
    for (own, other) in pairs.chain(others) {
        let [own_left, other_left] = [own, other].map(|index| positions.position(index));
        let found = value(&ends, &board(&own_left, &other_left));
        let is_whole = |left: &[u8]| left.iter().sum::<u8>() == 15;
        // With equal numbers of rolls the player on roll is done first.
        let (mut win, mut win_gammon, mut lose_gammon) = (0.0, 0.0, 0.0);
        for own_rolls in 0..32 {
            for other_rolls in 0..32 {
                let both = |of_own: &RollDistribution, of_other: &RollDistribution| {
                    of_own.probability(own_rolls) * of_other.probability(other_rolls)
                };
                if own_rolls <= other_rolls {
                    win += both(table.all_off(own), table.all_off(other));
                    if is_whole(&other_left) {
                        win_gammon += both(table.all_off(own), table.first_off(other));
                    }
                } else if is_whole(&own_left) {
                    lose_gammon += both(table.first_off(own), table.all_off(other));
                }
            }
        }
        wins += usize::from(win_gammon > 0.01);
        losses += usize::from(lose_gammon > 0.01);
        for (outcome, expected) in [
            (Outcome::WinSingle, win - win_gammon),
            (Outcome::WinGammon, win_gammon),
            (Outcome::LoseSingle, 1.0 - win - lose_gammon),
            (Outcome::LoseGammon, lose_gammon),
        ] {
            let error = (found.probability(outcome) - expected).abs();
            assert!(error < 1e-8, "{own_left:?} {other_left:?}: {error}");
        }
    }
    assert!(wins > 20 && losses > 20, "{wins} {losses}");
}

/// The documentation of [`OneSidedValues`] states these numbers.
#[test]
fn errors_against_exact_values_are_those_stated() {
    let ends = OneSidedValues::new(6, NO_STOP).expect("a table");
    let exact = ExactWins::new(6, 6, NO_STOP).expect("a table");
    let positions = exact.positions();
    let (mut sum, mut least, mut most) = (0.0, 0.0_f64, 0.0_f64);
    let mut pairs = 0;
    for own in 1..positions.count() {
        let by_point = positions.position(own);
        for other in (1 + own % 5..positions.count()).step_by(5) {
            let found = value(&ends, &board(&by_point, &positions.position(other)));
            let error = found.probability(Outcome::WinSingle) - exact.win(own, other);
            sum += error;
            (least, most) = (least.min(error), most.max(error));
            pairs += 1;
        }
    }
    let mean: f64 = sum / f64::from(pairs);
    assert!((0.0..0.000_2).contains(&mean), "{mean}");
    assert!((-0.014..-0.013).contains(&least), "{least}");
    assert!((0.011..0.014).contains(&most), "{most}");
}

/// Sides that are off after a known number of rolls: a gammon depends only on whether the other side bears off a
/// checker in time.
#[test]
fn gammons_are_those_of_the_rules() {
    let ends = OneSidedValues::new(6, NO_STOP).expect("a table");
    let positions = ends_positions();
    let count = |board: &Board| board.own().checkers();
    // The probability that some play of a roll bears off a checker.
    let first_off = |position: &Board| -> f64 {
        let bears_off = |roll: &Roll| {
            let plays = reference::plays(position, *roll, RuleSet::Backgammon);
            plays.iter().any(|after| after.opponent().checkers() < count(position))
        };
        let rolls = Roll::ALL.iter().filter(|roll| bears_off(roll));
        rolls.map(|roll| f64::from(roll.weight()) / 36.0).sum()
    };
    let of_games = (1..positions.count()).filter(|&index| positions.position(index).iter().sum::<u8>() == 15);
    let mut in_doubt = 0;
    for index in of_games.step_by(173) {
        let whole = positions.position(index);
        let off = first_off(&board(&whole, &[2]));
        in_doubt += usize::from(off < 1.0);
        // Four checkers on the ace point are off at once after a double, otherwise after the other's roll.
        let found = value(&ends, &board(&[4], &whole)).probability(Outcome::WinGammon);
        let expected = 1.0 / 6.0 + 5.0 / 6.0 * (1.0 - off);
        assert!((found - expected).abs() < 1e-4, "{whole:?}: {found} {expected}");
        let found = value(&ends, &board(&whole, &[2]));
        assert!((found.probability(Outcome::LoseGammon) - (1.0 - off)).abs() < 1e-4, "{whole:?}");
        assert!((found.probability(Outcome::LoseSingle) - off).abs() < 1e-4, "{whole:?}");
    }
    assert!(in_doubt > 10, "{in_doubt}");
}

fn ends_positions() -> SidePositions {
    SidePositions::new(6, 15).expect("a table")
}

#[test]
fn positions_outside_the_table_have_no_value() {
    let ends = OneSidedValues::new(6, NO_STOP).expect("a table");
    let is_known = |board: &Board, rules| ends.value(rules, &Planes::from(*board)).is_some();
    let whole = [15];
    assert!(is_known(&board(&whole, &whole), RuleSet::Backgammon));
    assert!(is_known(&board(&whole, &whole), RuleSet::Portes));
    assert!(!is_known(&board(&whole, &[0, 0, 0, 0, 0, 0, 1]), RuleSet::Backgammon));
    assert!(!is_known(&board(&[0, 0, 0, 0, 0, 0, 1], &whole), RuleSet::Backgammon));
    assert!(!is_known(&Board::START, RuleSet::Backgammon));
    assert!(!is_known(&board(&whole, &whole), RuleSet::McGammon));
    assert!(is_known(&board(&[2], &[2]), RuleSet::Hypergammon));
    // The table does not say when the first of three is off.
    assert!(!is_known(&board(&[3], &[2]), RuleSet::Hypergammon));
    assert!(!is_known(&board(&[2], &[3]), RuleSet::Hypergammon));
    let mut points = [0; 26];
    (points[25], points[24]) = (1, -2);
    let on_bar = Board::from_points(&points).expect("a position");
    assert!(!is_known(&on_bar, RuleSet::Backgammon));
}

#[test]
fn a_player_picks_by_the_table_and_values_by_it_on_every_tier() {
    let ends = OneSidedValues::new(6, NO_STOP).expect("a table");
    let with = player("td80+bearoff:6", NO_STOP).expect("a player");
    assert_eq!(with.policy.name(), "td80+bearoff:6");
    let positions = ends_positions();
    let sides = some(&positions, 15);
    let mut boards: Vec<Board> = Vec::new();
    for (at, &own) in sides.iter().enumerate().step_by(9) {
        let other = sides[(at * 5 + 1) % sides.len()];
        boards.push(board(&positions.position(own), &positions.position(other)));
    }
    let mut decisions = RollBatch::new(RuleSet::Backgammon);
    for (board, roll) in boards.iter().zip(Roll::ALL.into_iter().cycle()) {
        let throw = Throw { roll, fraction: 0 };
        decisions.push(board, throw).expect("it goes on");
    }
    let view = with.policy.view();
    decisions.list(View { results: true, ..view });
    let mut picks = vec![0; decisions.len()];
    with.policy.pick(&decisions, &mut picks, NO_STOP).expect("nothing stops it");
    let after = decisions.make(&picks).expect("plays");
    let equity = |after: &Board| match after.opponent().checkers() {
        0 if after.own().checkers() == 15 => -2.0,
        0 => -1.0,
        _ => value(&ends, after).equity(),
    };
    for (at, (board, roll)) in boards.iter().zip(Roll::ALL.into_iter().cycle()).enumerate() {
        let plays = reference::plays(board, roll, RuleSet::Backgammon);
        let least = plays.iter().map(equity).fold(f64::INFINITY, f64::min);
        assert_eq!(equity(&Board::from(after[at])), least, "{board:?} {roll:?}");
    }
    // Other positions are valued by the net. All values are the same on every tier.
    boards.push(Board::START);
    let evaluator = with.evaluator.expect("it values positions");
    let planes: Vec<Planes> = boards.iter().map(|&board| board.into()).collect();
    let on_tier = |tier| {
        let valued = evaluator.evaluated(&EvaluationConditions::new(RuleSet::Backgammon, tier), &planes);
        valued.expect("nothing stops it")
    };
    let plain = on_tier(Tier::Portable);
    for (found, board) in plain.iter().zip(&boards[..boards.len() - 1]) {
        assert_eq!(*found, value(&ends, board));
    }
    for &tier in Tier::available() {
        assert_eq!(on_tier(tier), plain, "{tier:?}");
    }
}

#[test]
fn tables_of_both_kinds_are_added_to_one_player() {
    let both = named::policy("pubeval+bearoff:6+bearoff:6x2").expect("a player");
    assert_eq!(both.name(), "pubeval+bearoff:6+bearoff:6x2");
    let ends = both.known_values().expect("they are known");
    assert_eq!(ends.name(), "bearoff:6+bearoff:6x2");
    let exact = TwoSidedValues::new(6, 2, NO_STOP).expect("a table");
    let others = OneSidedValues::new(6, NO_STOP).expect("a table");
    let few = board(&[0, 0, 0, 0, 1, 1], &[0, 0, 0, 1, 0, 1]);
    assert_eq!(value(ends.as_ref(), &few), value(&exact, &few));
    assert_ne!(value(&exact, &few), value(&others, &few));
    let many = board(&[0, 0, 0, 0, 1, 2], &[0, 0, 0, 1, 0, 1]);
    assert_eq!(value(ends.as_ref(), &many), value(&others, &many));
}

#[test]
fn tables_are_of_points_or_of_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one.bd");
    let table = OneSided::new(3, NO_STOP, &mut |_| ()).expect("a table");
    let mut file = Vec::new();
    table.write_gnubg(&mut file).expect("memory is written");
    std::fs::write(&path, &file).expect("it is written");
    let path = path.to_str().expect("a text");
    let of_file = named::known_values(path, NO_STOP).expect("a table");
    assert!(of_file.name().starts_with(&format!("bearoff:{path}#")));
    assert_eq!(
        named::known_values(of_file.name().trim_start_matches("bearoff:"), NO_STOP).map(|ends| ends.name().to_owned()),
        Ok(of_file.name().to_owned())
    );
    let made = named::known_values("3", NO_STOP).expect("a table");
    assert_eq!(made.name(), "bearoff:3");
    let race = board(&[3, 9, 3], &[1, 2, 12]);
    assert_eq!(value(made.as_ref(), &race), value(of_file.as_ref(), &race));
    for (text, message) in [
        ("0", "invalid bear-off table '0': invalid table of 15 checkers on 0 points"),
        ("13", "the sides can meet in a one-sided table of 13 points: use one of 1 to 12 points"),
        ("6+6x6", "cannot read 6+6x6"),
    ] {
        let error = named::known_values(text, NO_STOP).expect_err(text).to_string();
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(OneSidedValues::new(13, NO_STOP).err(), Some(BearOffError::Meeting { points: 13 }));
    std::fs::write(path, "no table").expect("it is written");
    let error = named::known_values(path, NO_STOP).expect_err("no table").to_string();
    assert!(error.contains("not a bear-off table of GNU Backgammon"), "{error}");
}
