//! Bear-off tables against GNU Backgammon's files, exact values of another program, and games played out.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::LazyLock;

use tavli_backgammon::evaluators::KnownValues;
use tavli_backgammon::plays::reference;
use tavli_backgammon::{Board, NO_STOP, Planes, Roll, RuleSet};
use tavli_players::bearoff::{
    BearOffError, ExactWins, FileError, Holder, OneSided, OneSidedValues, SidePositions, TwoSided, TwoSidedValues,
};

static ONE_SIDED: LazyLock<OneSided> = LazyLock::new(|| OneSided::new(6, NO_STOP, &mut |_| ()).expect("six points"));
static TWO_SIDED: LazyLock<TwoSided> = LazyLock::new(|| TwoSided::new(6, 6, NO_STOP, &mut |_| ()).expect("six points"));

/// Bytes of the first line of a file.
const HEADER: usize = 40;

/// The checkers of a side on its first six points; `None` if there are others.
fn home(board: &Board, own: bool) -> Option<Vec<u8>> {
    let side = if own { board.own() } else { board.opponent() };
    let by_point: Vec<u8> = (1..=6).map(|point| side.count(point)).collect();
    let all_home = side.checkers() == by_point.iter().sum::<u8>();
    all_home.then_some(by_point)
}

#[test]
fn positions_are_numbered_without_gaps_and_a_play_lowers_the_number() {
    for (points, checkers) in [(1, 1), (1, 15), (3, 4), (6, 15), (8, 5), (24, 1)] {
        let positions = SidePositions::new(points, checkers).expect("in range");
        for index in 0..positions.count() {
            let position = positions.position(index);
            assert_eq!(position.len(), usize::from(points));
            assert_eq!(positions.index(&position), Some(index), "{position:?}");
        }
    }
    for (points, checkers) in [(0, 5), (25, 1), (6, 0), (6, 16)] {
        assert_eq!(SidePositions::new(points, checkers), None);
    }
    // 39 over 15 are more than 2^32.
    assert_eq!(SidePositions::new(24, 15), None);
}

fn one_sided_file(table: &OneSided) -> Vec<u8> {
    let mut file = Vec::new();
    table.write_gnubg(&mut file).expect("memory is written");
    file
}

fn two_sided_file(table: &TwoSided) -> Vec<u8> {
    let mut file = Vec::new();
    table.write_gnubg(&mut file).expect("memory is written");
    file
}

#[test]
fn the_one_sided_file_is_gnu_backgammons_byte_for_byte() {
    let file = one_sided_file(&ONE_SIDED);
    assert_eq!(&file[..HEADER], b"gnubg-OS-06-15-1-1-0xxxxxxxxxxxxxxxxxxx\n");
    // gnubg_os0.bd as makebearoff 1.07 writes it: MD5 3dc7b833c4670849cee00479a9e21b49.
    assert_eq!((file.len(), crc32fast::hash(&file)), (1_465_788, 0x35c2_c59d));
    assert_eq!(OneSided::from_gnubg(&file, NO_STOP).as_ref(), Ok(&*ONE_SIDED));
}

#[test]
fn the_two_sided_file_is_gnu_backgammons_byte_for_byte() {
    let file = two_sided_file(&TWO_SIDED);
    assert_eq!(&file[..HEADER], b"gnubg-TS-06-06-1xxxxxxxxxxxxxxxxxxxxxxx\n");
    // gnubg_ts0.bd as makebearoff 1.07 writes it: MD5 44b6040b49b46cb9dd2ce8caa947044d.
    assert_eq!((file.len(), crc32fast::hash(&file)), (6_830_248, 0x4721_19a2));
    assert_eq!(TwoSided::from_gnubg(&file, NO_STOP).as_ref(), Ok(&*TWO_SIDED));
}

#[test]
fn mean_rolls_are_those_published() {
    for (by_point, mean) in
        [([15, 0, 0, 0, 0, 0], 6.97951), ([2, 2, 2, 2, 2, 2], 6.36033), ([0, 0, 0, 0, 0, 15], 12.26630)]
    {
        let index = ONE_SIDED.positions().index(&by_point).expect("is in the table");
        let rolls = ONE_SIDED.all_off(index);
        assert!((rolls.mean() - mean).abs() < 6e-6, "{by_point:?}: {}", rolls.mean());
    }
}

#[test]
fn the_first_checker_of_fifteen_is_off_after_the_rolls_that_can_bear_one_off() {
    let first_off = |by_point: &[u8]| {
        let index = ONE_SIDED.positions().index(by_point).expect("is in the table");
        *ONE_SIDED.first_off(index)
    };
    assert_eq!(first_off(&[15]).probability(1), 1.0);
    // Throws with a six; 22 and 33 take one checker all the way; 51 and 42 as well, in either order of the dice.
    let throws = 11 + 2 + 2 * 2;
    let all_on_six = first_off(&[0, 0, 0, 0, 0, 15]).probability(1);
    assert!((all_on_six - f64::from(throws) / 36.0).abs() < 1e-5, "{all_on_six}");
    assert_eq!(first_off(&[14]).probability(0), 1.0);
}

/// The probability that the player on roll wins, by the rules word for word and without a table.
fn win(board: &Board) -> f64 {
    Roll::ALL
        .iter()
        .map(|&roll| {
            let best = reference::plays(board, roll, RuleSet::Backgammon)
                .into_iter()
                .map(|after| match after.opponent().checkers() {
                    0 => 1.0,
                    _ => 1.0 - win(&after),
                })
                .fold(0.0, f64::max);
            f64::from(roll.weight()) / 36.0 * best
        })
        .sum()
}

#[test]
fn wins_are_those_of_games_played_to_their_ends() {
    let table = ExactWins::new(6, 3, NO_STOP).expect("in range");
    for (own, other) in [
        ([0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 1, 0]),
        ([0, 0, 1, 0, 1, 0], [0, 0, 0, 1, 0, 1]),
        ([1, 0, 0, 0, 0, 2], [0, 2, 0, 0, 0, 0]),
        ([3, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0]),
    ] {
        let mut points = [0; 26];
        for point in 1..=6 {
            points[point] = own[point - 1] as i8;
            points[25 - point] = -(other[point - 1] as i8);
        }
        let board = Board::from_points(&points).expect("a position");
        let index = |by_point: &[u8]| table.positions().index(by_point).expect("is in the table");
        let (exact, found) = (win(&board), table.win(index(&own), index(&other)));
        assert!((exact - found).abs() < 1e-12, "{own:?} {other:?}: {exact} {found}");
    }
}

#[test]
fn golden_bear_offs_have_their_exact_values() {
    let folder = std::env::var_os("TAVLI_GOLDEN")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/golden"), PathBuf::from);
    let Ok(golden) = std::fs::read_to_string(folder.join("bearoff_optimal_exact.tsv")) else {
        eprintln!("skipped: no golden data in {}", folder.display());
        return;
    };
    let exact = ExactWins::new(6, 6, NO_STOP).expect("in range");
    let mut compared = 0;
    for line in golden.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let board = Board::from_position_id(fields[0]).expect("an ID");
        let [own, other] = [true, false].map(|own| {
            let home = home(&board, own).expect("all home");
            exact.positions().index(&home).expect("is in the table")
        });
        let number = |at: usize| fields[at].parse::<f64>().expect("a number");
        let win = exact.win(own, other);
        assert!((win - number(1)).abs() < 1e-11, "{line}: {win}");
        let rounded = (TWO_SIDED.equity(Holder::None, own, other) + 1.0) / 2.0;
        assert!((rounded - number(2)).abs() < 1e-5, "{line}: {rounded}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_cube_is_worth_something_to_whoever_may_turn_it() {
    let count = TWO_SIDED.positions().count();
    for (own, other) in (0..count).step_by(7).flat_map(|own| (1..count).step_by(11).map(move |other| (own, other))) {
        let of = |holder| TWO_SIDED.equity(holder, own, other);
        let slack = 40.0 / 32_767.5; // of rounding, roll by roll
        assert!(of(Holder::OnRoll) >= of(Holder::None) - slack, "{own} {other}");
        assert!(of(Holder::Opponent) <= of(Holder::None) + slack, "{own} {other}");
        assert!(of(Holder::Both) <= of(Holder::OnRoll) + slack, "{own} {other}");
    }
}

#[test]
fn impossible_tables_are_refused() {
    for (points, checkers) in [(0, 6), (6, 0), (13, 1), (25, 6), (6, 16), (24, 15)] {
        let size = BearOffError::Size { points, checkers };
        assert_eq!(TwoSided::new(points, checkers, NO_STOP, &mut |_| ()).err(), Some(size));
        assert_eq!(ExactWins::new(points, checkers, NO_STOP).err(), Some(size));
    }
    assert!(matches!(OneSided::new(0, NO_STOP, &mut |_| ()), Err(BearOffError::Size { .. })));
    // 2^51 bytes.
    assert!(matches!(TwoSided::new(12, 15, NO_STOP, &mut |_| ()), Err(BearOffError::Memory { .. })));
}

#[test]
fn a_stop_ends_the_work() {
    let done = Cell::new(0);
    assert_eq!(
        OneSided::new(6, &|| done.get() > 2000, &mut |positions| done.set(positions)).err(),
        Some(BearOffError::Stopped)
    );
    assert_eq!(TwoSided::new(6, 6, &|| true, &mut |_| ()).err(), Some(BearOffError::Stopped));
    let one = OneSided::from_gnubg(&one_sided_file(&ONE_SIDED), &|| true).err();
    assert_eq!(one, Some(FileError::Table(BearOffError::Stopped)));
    // While the table is filled, and while the equities are read into it.
    for after in [0, 1, 500] {
        let looks = Cell::new(0);
        let two = TwoSided::from_gnubg(&two_sided_file(&TWO_SIDED), &|| {
            looks.update(|looks| looks + 1);
            looks.get() > after
        });
        let stopped = Some(FileError::Table(BearOffError::Stopped));
        assert_eq!((two.err(), looks.get()), (stopped, after + 1));
    }
    // Before the first pair is solved: large tables take seconds to fill, and to list the plays of.
    for after in [2, 800] {
        let (looks, done) = (Cell::new(0), Cell::new(0));
        let stop = || {
            looks.update(|looks| looks + 1);
            done.get() > 0 || looks.get() > after
        };
        let stopped = TwoSided::new(6, 6, &stop, &mut |pairs| done.set(pairs));
        assert_eq!((stopped.err(), looks.get()), (Some(BearOffError::Stopped), after + 1));
    }
    // While pairs of the same pips are solved: there are a thousand times as many in large tables.
    let mut last = 0;
    let table = TwoSided::new(6, 6, NO_STOP, &mut |done| {
        assert!(done <= last + 924, "{last} and {done}");
        last = done;
    });
    assert_eq!((table.map(drop), last), (Ok(()), 924 * 924));
}

#[test]
fn tables_that_no_game_has_are_refused() {
    let is_damaged = |read: Option<FileError>| matches!(read, Some(FileError::Damaged { .. }));
    for (points, checkers) in [(1, 1), (2, 2), (6, 2), (6, 4), (4, 6)] {
        let table = TwoSided::new(points, checkers, NO_STOP, &mut |_| ()).expect("in range");
        let file = two_sided_file(&table);
        assert_eq!(TwoSided::from_gnubg(&file, NO_STOP), Ok(table));
        // Every step is 0 (lost everywhere) or an equity of 0, then the first step alone is.
        let (zeros, halves) = ([0, 0], [0, 0x80]);
        for steps in [zeros, halves] {
            let mut wrong = file.clone();
            for pair in wrong[HEADER..].as_chunks_mut::<2>().0 {
                *pair = steps;
            }
            let read = TwoSided::from_gnubg(&wrong, NO_STOP).err();
            assert!(is_damaged(read.clone()), "{points}x{checkers}: {read:?}");
            let mut wrong = file.clone();
            wrong[HEADER..HEADER + 2].copy_from_slice(&steps);
            assert!(is_damaged(TwoSided::from_gnubg(&wrong, NO_STOP).err()));
        }
        // The sides of all pairs exchanged, except the pairs in which a side is off.
        let count = table_size(&file);
        let mut wrong = file.clone();
        for own in 1..count {
            for other in 1..count {
                let at = |own: usize, other: usize| HEADER + 8 * (own * count + other);
                let (to, from) = (at(own, other), at(other, own));
                wrong[to..to + 8].copy_from_slice(&file[from..from + 8]);
            }
        }
        assert_eq!(is_damaged(TwoSided::from_gnubg(&wrong, NO_STOP).err()), wrong != file);
    }
    // All positions are off in one roll.
    let mut table = one_sided_file(&OneSided::new(2, NO_STOP, &mut |_| ()).expect("in range"));
    let positions = OneSided::new(2, NO_STOP, &mut |_| ()).expect("in range").positions().count() as usize;
    table.truncate(HEADER);
    for index in 0..positions as u32 {
        table.extend((2 * index).to_le_bytes());
        table.extend([1, u8::from(index > 0), 1, 0]);
    }
    table.extend(vec![0xff; 4 * positions]);
    let read = OneSided::from_gnubg(&table, NO_STOP).err();
    assert!(is_damaged(read.clone()), "{read:?}");
}

/// The positions of a side in the file of a two-sided table.
fn table_size(file: &[u8]) -> usize {
    ((file.len() - HEADER) / 8).isqrt()
}

#[test]
fn damaged_files_are_refused() {
    let one = one_sided_file(&OneSided::new(2, NO_STOP, &mut |_| ()).expect("in range"));
    let two = two_sided_file(&TwoSided::new(2, 2, NO_STOP, &mut |_| ()).expect("in range"));
    assert!(matches!(OneSided::from_gnubg(&two, NO_STOP), Err(FileError::Header { .. })));
    assert!(matches!(TwoSided::from_gnubg(&one, NO_STOP), Err(FileError::Header { .. })));
    for end in 0..one.len() {
        assert!(OneSided::from_gnubg(&one[..end], NO_STOP).is_err(), "{end} bytes");
    }
    for end in 0..two.len() {
        assert!(TwoSided::from_gnubg(&two[..end], NO_STOP).is_err(), "{end} bytes");
    }
    // The first has so many positions that the bytes of their pairs pass 64 bits; the sides could meet in both.
    for size in ["20-15", "13-01"] {
        let mut file = two.clone();
        file[9..14].copy_from_slice(size.as_bytes());
        let error = TwoSided::from_gnubg(&file, NO_STOP).expect_err("no such table");
        assert!(matches!(error, FileError::Table(BearOffError::Size { .. })), "{size}: {error}");
    }
    for longer in [[&one[..], b"x"].concat(), [&one[..], b"xx"].concat()] {
        assert!(matches!(OneSided::from_gnubg(&longer, NO_STOP), Err(FileError::Length { .. })));
    }
    // Any changed byte is noticed, except in the padding.
    for at in 0..one.len() {
        let mut damaged = one.clone();
        damaged[at] ^= 0x21;
        let read = OneSided::from_gnubg(&damaged, NO_STOP);
        assert!(read.is_err() || (20..HEADER - 1).contains(&at), "byte {at}");
    }
    let with = |from: &str, to: &str| {
        let mut file = one.clone();
        let text = String::from_utf8(file[..HEADER].to_vec()).expect("text").replacen(from, to, 1);
        file[..HEADER].copy_from_slice(text.as_bytes());
        OneSided::from_gnubg(&file, NO_STOP)
    };
    for (from, to) in [("-15-", "-14-"), ("-1-1-0", "-0-1-0"), ("-1-1-0", "-1-0-0"), ("-1-1-0", "-1-0-1")] {
        assert!(matches!(with(from, to), Err(FileError::Kind { .. })), "{to}");
    }
    assert!(matches!(with("OS-02", "OS-99"), Err(FileError::Table(_))));
    assert!(matches!(with("OS-02", "OS-03"), Err(FileError::Length { .. })));
}

/// Players ask about the plays of a position only if this is true: it must be wherever a play leads into the table,
/// with checkers still to come home, too, and is false far from it.
#[test]
fn tables_that_may_know_a_play_say_so() {
    may_know_a_play(&TwoSidedValues::new(6, 3, NO_STOP).expect("a table"), [(6, 8), (1, 0)]);
    // This table has positions of up to 15 checkers.
    may_know_a_play(&OneSidedValues::new(6, NO_STOP).expect("a table"), [(6, 9), (20, 5)]);
}

/// Checks every position of up to four checkers, one `far` from the table's positions, and one with too many checkers
/// that are not home.
fn may_know_a_play(table: &impl KnownValues, far: [(usize, i8); 2]) {
    let rules = RuleSet::Backgammon;
    let (mut led, mut spared) = (0, 0);
    for own in
        SidePositions::new(8, 4).map(|sides| (1..sides.count()).map(move |at| sides.position(at))).expect("a size")
    {
        let mut points = [0_i8; 26];
        for (point, &checkers) in points[1..].iter_mut().zip(&own) {
            *point = checkers as i8;
        }
        // An opponent with two checkers, one on the ace point and one on the four point.
        (points[24], points[21]) = (-1, -1);
        let board = Board::from_points(&points).expect("a position");
        let may_know = table.may_know_after_play(rules, &Planes::from(board));
        for roll in Roll::ALL {
            for after in reference::plays(&board, roll, RuleSet::Backgammon) {
                let goes_on = after.own().checkers() > 0 && after.opponent().checkers() > 0;
                if goes_on && table.value(rules, &Planes::from(after)).is_some() {
                    assert!(may_know, "{board:?} {roll}");
                    led += 1;
                }
            }
        }
    }
    for far in [far, [(6, 2), (20, 5)]] {
        let mut points = [0_i8; 26];
        for (point, checkers) in far {
            points[point] = checkers;
        }
        (points[24], points[21]) = (-1, -1);
        let board = Board::from_points(&points).expect("a position");
        spared += usize::from(!table.may_know_after_play(rules, &Planes::from(board)));
    }
    assert!(led > 1000, "{led}");
    assert_eq!(spared, 2);
}
