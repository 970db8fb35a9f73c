//! Match equity tables.

use tavli_cube::GeneratedTable;
use tavli_cube::MatchEquityTable;
use tavli_cube::match_equity::MatchEquityError;

use crate::golden::rows;

#[test]
fn kazaross_xg2_is_the_table_of_gnu_backgammon() {
    let table = MatchEquityTable::kazaross_xg2();
    let mut compared = 0;
    for row in rows("met_tables.tsv.gz").iter().filter(|row| row.text("table") == "Kazaross-XG2") {
        let away = |column| row.number(column) as u16;
        let found = match row.text("kind") {
            "pre" => table.before_crawford(away("away_a"), away("away_b")),
            "post" => table.after_crawford(0, away("away_a")),
            kind => panic!("{kind}"),
        };
        assert!((found - row.number("chance_of_a")).abs() < 1e-6, "{} {}", away("away_a"), away("away_b"));
        compared += 1;
    }
    assert!(compared > 600, "{compared}");
}

#[test]
fn kazaross_xg2_has_the_numbers_of_its_file() {
    let file = include_str!("../data/Kazaross-XG2.xml");
    let read = MatchEquityTable::from_xml(file).expect("a table");
    assert_eq!(&read, MatchEquityTable::kazaross_xg2());
}

#[test]
fn scores_beyond_the_table_are_those_of_gnu_backgammon() {
    let table = MatchEquityTable::kazaross_xg2();
    for row in rows("met_extension.tsv.gz") {
        let away = |column| row.number(column) as u16;
        let found = match row.text("kind") {
            "pre" => table.before_crawford(away("away_a"), away("away_b")),
            _ => table.after_crawford(0, away("away_a")),
        };
        let expected = row.number("chance_of_a");
        let (a, b) = (row.text("away_a"), row.text("away_b"));
        assert!((found - expected).abs() < 2e-6, "{} {a} {b}: {found}, not {expected}", row.text("kind"));
    }
}

#[test]
fn who_need_as_much_have_half_each() {
    let table = MatchEquityTable::kazaross_xg2();
    for away in 1..=200 {
        assert_eq!(table.before_crawford(away, away), 0.5, "{away}");
    }
    for (one, other) in [(20, 26), (26, 64), (1, 200), (3, 32767)] {
        let probabilities = [table.before_crawford(one, other), table.before_crawford(other, one)];
        assert_eq!(probabilities[0] + probabilities[1], 1.0, "{one} {other}");
    }
}

#[test]
fn a_table_survives_its_file() {
    let table = MatchEquityTable::kazaross_xg2();
    assert_eq!(&MatchEquityTable::from_xml(&table.to_xml()).expect("what was written"), table);
}

/// Entries of three digits may miss 1 together; players who need as much have one entry for both.
#[test]
fn what_entries_miss_is_shared() {
    let good = MatchEquityTable::kazaross_xg2().to_xml();
    let read = |text: String| MatchEquityTable::from_xml(&text).expect("within rounding");
    assert_eq!(read(good.replacen("0.500000", "0.501", 1)).before_crawford(1, 1), 0.5);
    let table = read(good.replacen("0.677360", "0.679", 1));
    let chances = [table.before_crawford(1, 2), table.before_crawford(2, 1)];
    assert!((chances[0] - 0.67818).abs() < 1e-9, "{chances:?}");
    assert_eq!(chances[0] + chances[1], 1.0);
}

#[test]
fn a_table_that_is_none_is_refused_by_the_place() {
    let good = MatchEquityTable::kazaross_xg2().to_xml();
    for (text, expected) in [
        (String::new(), "it is not a match equity table: it is empty; give a file in the XML form"),
        ("\u{feff} \n".to_owned(), "it is empty; give a file"),
        ("<met>".to_owned(), "never closed; give a file"),
        ("<met/>".to_owned(), "there is no <info>; give a file"),
        (good.replacen("0.500000", "2", 1), "row 1, entry 1 of <pre-crawford-table> is '2'"),
        (good.replacen("0.677360", "nan", 1), "row 1, entry 2 of <pre-crawford-table> is 'nan'"),
        (good.replacen("0.677360", "0.7", 1), "not to 1: correct the entries, or give a table for equal players"),
        (good.replacen("      <me>0.677360</me>\n", "", 1), "has 24 entries in row 1"),
        (good.replacen("explicit", "zadeh", 1), "of type 'zadeh'"),
        (good.replace("post-crawford", "past-crawford"), "there is no <post-crawford-table>"),
        (good.replacen("<length>25", "<length>24", 1), "has 25 entries"),
        (good.replacen("<length>25", "<length>1000000", 1), "'1000000': it is 1 to 64 points"),
        (good.replacen("<length>25", "<length>a", 1), "the <length> of the table is 'a'"),
        (good.replacen("<length>25</length>", "", 1), "there is no <length>; give a file"),
    ] {
        let error = MatchEquityTable::from_xml(&text).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert!(matches!(MatchEquityTable::from_xml("<met>"), Err(MatchEquityError::Xml(_))));
}

/// A table that is made answers all its scores itself: its last ones do not depend on its length. Read from a file it
/// follows GNU Backgammon's rule in the last one, and its own file agrees with what it says.
#[test]
fn a_made_table_has_its_last_score() {
    let made = |length| {
        let of = GeneratedTable { length, gammons: 0.0, backgammons: 0.0, efficiency: 0.0, free_drop: 0.0 };
        of.make("made").expect("numbers in range")
    };
    let longest = made(64);
    for length in 1..=64 {
        let table = made(length);
        for away in 1..=length {
            let [found, expected] = [&table, &longest].map(|table| table.after_crawford(0, away));
            assert_eq!(found, expected, "{away} of {length}");
        }
    }
    let table = made(3);
    assert_eq!(table.after_crawford(0, 3), 0.25);
    assert!(table.to_xml().contains("<me>0.250000</me>\n    </row>\n  </post-crawford"));
    let read = MatchEquityTable::from_xml(&table.to_xml()).expect("a table");
    assert_eq!(read.after_crawford(0, 2), 0.5);
    assert_eq!(read.after_crawford(0, 3), 0.3125);
    assert!(read.to_xml().contains("<me>0.312500</me>\n    </row>\n  </post-crawford"));
    assert_eq!(MatchEquityTable::from_xml(&read.to_xml()).as_ref(), Ok(&read));
}

/// Needing more points never makes the chance larger, however far the end is.
#[test]
fn a_made_table_never_rises_with_the_points_needed() {
    for (gammons, backgammons, free_drop) in
        [(0.27, 0.01, 0.012), (0.27, 0.01, 0.1), (0.0, 0.0, 0.012), (0.0, 1.0, 0.012)]
    {
        let of = GeneratedTable { length: 64, gammons, backgammons, free_drop, ..GeneratedTable::default() };
        let table = of.make("made").expect("numbers in range");
        for opponent_away in 1..=64 {
            let probabilities: Vec<f64> = (1..=64).map(|away| table.before_crawford(away, opponent_away)).collect();
            let rises = probabilities.windows(2).any(|pair| pair[1] > pair[0] + 1e-12);
            assert!(!rises, "{of:?} against {opponent_away}: {probabilities:?}");
        }
        let after: Vec<f64> = (1..=64).map(|away| table.after_crawford(0, away)).collect();
        assert!(after.windows(2).all(|pair| pair[1] <= pair[0] && pair[1] > 0.0), "{of:?}: {after:?}");
    }
}

/// With many gammons and a cube that is turned seldom, points needed are sometimes better than points won.
#[test]
fn tables_are_made_of_all_shares_of_gammons() {
    for gammons in 0..=10 {
        for efficiency in 0..=10 {
            let of = GeneratedTable {
                length: 25,
                gammons: f64::from(gammons) / 10.0,
                backgammons: 0.0,
                efficiency: f64::from(efficiency) / 10.0,
                ..GeneratedTable::default()
            };
            let table = of.make("made").expect("numbers in range");
            for away in 1..=25 {
                for opponent_away in 1..=25 {
                    let chance = table.before_crawford(away, opponent_away);
                    assert!((0.0..=1.0).contains(&chance), "{of:?}: {chance} at {away}, {opponent_away}");
                }
            }
        }
    }
}

#[test]
fn a_generated_table_is_close_to_the_one_that_was_rolled_out() {
    let made = GeneratedTable::default().make("made").expect("numbers in range");
    let rolled_out = MatchEquityTable::kazaross_xg2();
    let mut worst: f64 = 0.0;
    for away in 1..=15 {
        for opponent_away in 1..=15 {
            let difference =
                made.before_crawford(away, opponent_away) - rolled_out.before_crawford(away, opponent_away);
            worst = worst.max(difference.abs());
        }
    }
    assert!(worst < 0.0046, "{worst}");
    let wrong = GeneratedTable { gammons: 1.5, ..GeneratedTable::default() };
    assert_eq!(wrong.make("").unwrap_err().to_string(), "the share of gammons is 1.5: write a number of 0 to 1");
}
