//! Positions as people paste them.

use tavli_backgammon::*;

const ID_VECTORS: &str = include_str!("../../data/id_vectors.tsv");
const GNUBG_VECTORS: &str = include_str!("../../data/gnubg_vectors.tsv");

/// The text that eXtreme Gammon copies for a position with its analysis.
const XG: &str = "\
XGID=-b----E-C---eE---c-e----B-:0:0:1:52:4:2:0:7:10

X:Player 1   O:Player 2
Score is X:4 O:2 7 pt.(s) match.
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X           O    |   | O              X |
 | X           O    |   | O              X |
 | X           O    |   | O                |
 | X                |   | O                |
 | X                |   | O                |
 |                  |BAR|                  |
 | O                |   | X                |
 | O                |   | X                |
 | O           X    |   | X                |
 | O           X    |   | X              O |
 | O           X    |   | X              O |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 167  O: 167 X-O: 4-2/7
Cube: 1
X to play 52

    1. Rollout\u{b9}    13/11 13/8                   eq:-0.014
      Player:   49.36% (G:13.79% B:0.72%)
      Opponent: 50.64% (G:14.02% B:0.63%)
      Confidence: \u{b1}0.005 (-0.019..-0.009) - [98.7%]

eXtreme Gammon Version: 2.19.211.pre-release, MET: Kazaross XG2
";

/// The text that GNU Backgammon 1.07.001 prints for a position.
const GNUBG: &str = " GNU Backgammon  Position ID: bD3BAQyYd2cEAA
                 Match ID   : AgHgAEAAEAAE
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     O: gnubg (Cube: 4)
 | X     O     O  O |   | O     O  X       |     4 points
 | X     O     O  O |   | O     O  X       |     On roll
 | X           O  O |   | O                |     \n";

fn read(text: &str) -> Position {
    Position::read(text).unwrap_or_else(|error| panic!("{text}: {error}")).position
}

#[test]
fn ids_are_read_with_what_stands_around_them() {
    let board: Position = "4HPwATDgc/ABMA".parse().unwrap();
    let ids = read("4HPwATDgc/ABMA:cIkFAAAAAAAE");
    let xgid = read("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10");
    for (text, position) in [
        ("\u{feff}4HPwATDgc/ABMA", board),
        ("Position ID: 4HPwATDgc/ABMA", board),
        ("Position ID:\n4HPwATDgc/ABMA\n", board),
        ("my opening is (4HPwATDgc/ABMA), who wins?", board),
        ("POSITION ID=4HPwATDgc/ABMA==", board),
        ("GNUBG ID 4HPwATDgc/ABMA", board),
        ("- 4HPwATDgc/ABMA", board),
        ("12. 4HPwATDgc/ABMA", board),
        ("4HPwATDgc%2FABMA", board),
        ("Position:4HPwATDgc/ABMA", board),
        ("https://example.org/?gnuid=4HPwATDgc%2fABMA&lang=en", board),
        ("cIkFAAAAAAAE:4HPwATDgc/ABMA", ids),
        ("cIkFAAAAAAAE 4HPwATDgc/ABMA", ids),
        ("GNUID=4HPwATDgc/ABMA:cIkFAAAAAAAE", ids),
        ("gnuid: cIkFAAAAAAAE:4HPwATDgc/ABMA", ids),
        ("GNUID:4HPwATDgc/ABMA:cIkFAAAAAAAE", ids),
        ("Match ID: cIkFAAAAAAAE, Position ID: 4HPwATDgc/ABMA.", ids),
        ("set gnubgid 4HPwATDgc/ABMA:cIkFAAAAAAAE", ids),
        ("4HPwATDgc%2FABMA%3AcIkFAAAAAAAE", ids),
        ("4HPwATDgc/ABMA:cIkFAAAAAAAE 31", ids),
        ("xgid=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", xgid),
        ("\u{feff}XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\r\n", xgid),
        ("Xgid: -b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", xgid),
        ("position xgid -b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", xgid),
        ("What to play in XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10: 8/5 6/5?", xgid),
        ("<a href=\"?xgid=-b----E-C---eE---c-e----B-%3A0%3A0%3A1%3A31%3A0%3A0%3A0%3A0%3A10\">", xgid),
        ("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10 (4HPwATDgc/ABMA:cIkFAAAAAAAE)", xgid),
        ("4HPwATDgc/ABMA is -b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", xgid),
        (XG, read("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:4:2:0:7:10")),
        (GNUBG, read("bD3BAQyYd2cEAA:AgHgAEAAEAAE")),
    ] {
        assert_eq!(text.parse(), Ok(position), "{text}");
    }
    let all = format!("{}\n{}\n{}", xgid.xgid(), xgid.fibs(), xgid.match_id());
    assert_eq!(read(&all), xgid);
    let other = format!("{} {}", xgid.xgid(), board.fibs());
    assert!(matches!(other.parse::<Position>(), Err(PositionError::Several { .. })));
    let fibs = board.fibs();
    assert_eq!(read(&format!("fibs says {fibs} now")), board);
}

#[test]
fn what_is_not_one_position_is_an_error_that_names_it() {
    let xgid = "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    let error = |text: &str| match text.parse::<Position>() {
        Ok(position) => panic!("{text} is read as {}", position.xgid()),
        Err(error) => error.to_string(),
    };
    for (text, part) in [
        // Two positions.
        ("4HPwATDgc/ABMA or jM/gDQDYzeAJIA", "'4HPwATDgc/ABMA' and 'jM/gDQDYzeAJIA'"),
        ("4HPwATDgc/ABMA cIkFAAAAAAAE cAkAAAAAAAAE", "'cIkFAAAAAAAE' and 'cAkAAAAAAAAE'"),
        (&format!("XGID={xgid} jM/gDQDYzeAJIA"), "'jM/gDQDYzeAJIA' are not of one"),
        (&format!("XGID={xgid} 4HPwATDgc/ABMA:cIkFAAAAAAAE"), "'cIkFAAAAAAAE' are not of one"),
        (&format!("{xgid} {}", xgid.replace(":00:", ":31:")), "are not of one position"),
        // Damaged IDs beside whole ones.
        ("4HPwATDgc/ABMA:cIkFAAAAAAA", "a Match ID: it must have 12 characters, not 11"),
        ("4HPwATDgc/ABMA: IkFAAAAAAAE", "a Match ID: it must have 12 characters, not 11"),
        ("4HPwATDgc/ABMA Match ID: cIkFAAAAAAA", "a Match ID: it must have 12 characters, not 11"),
        ("kcIkFAAAAAAAE:4HPwATDgc/ABMA", "a Match ID: it must have 12 characters, not 13"),
        ("cIkFAAAAAAAE:4HPwATDgc/ABM", "a Position ID: it must have 14 characters, not 13"),
        ("4HPwATDg /ABMA:cIkFAAAAAAAE", "a Position ID: it must have 14 characters, not 5"),
        ("Position ID: 4HPwATDgc_ABMA", "a Position ID: it must have 14 characters, not 9"),
        ("GNUID=4HPwATDgc/ABMA:cIkFAAAAAAAE:31", "is not a position"),
        (&format!("XGID={} XGID={xgid}", &xgid[1..]), "board field must have 26 characters, not 25"),
        (&format!("xgid={}", xgid.replace(":0:10", "")), "10 fields separated by ':'"),
        ("see XGID=-b----E-C---eE---c-e----P-:0:0:1:00:0:0:0:0:10", "character 25 of the board is 'P'"),
        // A roll that is neither given nor part of the ID.
        ("4HPwATDgc/ABMA 31", "write it apart from the position, as"),
        ("4HPwATDgc/ABMA 3-1", "write it apart from the position, as"),
        ("4HPwATDgc/ABMA 3 1", "write it apart from the position, as"),
        (&format!("XGID={xgid} 31"), "write it apart from the position, as"),
        ("4HPwATDgc/ABMA:cIkFAAAAAAAE 52", "write it apart from the position, as"),
        // A digit of another script right behind an ID makes the whole no ID.
        ("4HPwATDgc/ABMA\u{660}", "is not a position"),
        ("4HPwATDgc/ABMA²", "is not a position"),
        ("4HPwATDgc/ABMA:cIkFAAAAAAAE\u{660}", "a Match ID: it must have 12 characters"),
        // Other IDs.
        ("cIkFAAAAAAAE", "'cIkFAAAAAAAE' is a Match ID"),
        ("Match ID: cIkFAAAAAAAE", "'cIkFAAAAAAAE' is a Match ID"),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N:79:B", "the dice field is '79'"),
        ("OGID=11ccccchhhjjjjj:66666888dddddoo:N0", "the cube is 'N0'"),
        ("ogid: 11ccccchhhjjjjj:66666888dddddoo:XXX:31:B", "the cube is 'XXX'"),
        ("OGID=11ccccchhhjjjjj", "3 to 11 fields separated by ':'"),
        ("no position here", "'no position here' is not a position"),
        ("----------------------------------------", "is not a position"),
    ] {
        let error = error(text);
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn errors_quote_little_of_a_text_and_no_controls() {
    let text = format!("\u{1b}[31m{}\u{7}", "x".repeat(1_000_000));
    let error = text.parse::<Position>().unwrap_err().to_string();
    assert!(error.starts_with(r"'\u{1b}[31mxxx"), "{error}");
    assert!(error.contains(r"xxx\u{7}' is not a position"), "{error}");
    assert!(error.len() < 1000, "{}", error.len());
    for text in [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:\u{1b}[m:0:0:0:0:10",
        "XGID=\u{1b}b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        "4HPwATDgc/ABM\u{202e}",
        "0 1 \u{7} 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        "board:\u{7}::",
    ] {
        let error = text.parse::<Position>().unwrap_err().to_string();
        assert!(text::is_printable(&error), "{error:?}");
    }
}

/// GNU Backgammon 1.07.001 writes the same positions as `UgngACAAIAAE` and `AgHgAEAAEAAE`: not the Crawford game.
#[test]
fn a_false_mark_of_the_crawford_game_is_passed_over_with_a_remark() {
    let (length, crawford) = (7, false);
    for (text, match_id, score, opponent_score) in [
        ("XGID=---bB-DCC-B-cA---a-dabb---:2:1:1:00:4:2:1:7:10", "UgngACAAIAAE", 4, 2),
        ("bD3BAQyYd2cEAA:ggHgAEAAEAAE", "AgHgAEAAEAAE", 4, 2),
        ("Match ID: ggHgAEAAEAAE Position ID: bD3BAQyYd2cEAA", "AgHgAEAAEAAE", 4, 2),
    ] {
        let reading = Position::read(text).unwrap();
        let position = reading.position;
        assert_eq!(position.position_id().as_str(), "bD3BAQyYd2cEAA");
        assert_eq!(position.match_id().as_str(), match_id, "{text}");
        assert_eq!(position.context().stakes, Stakes::Match { length, crawford });
        assert_eq!(text.parse(), Ok(position));
        let remark = Remark::NotCrawford { score, opponent_score, length };
        assert_eq!(reading.remark, Some(remark));
        assert!(remark.to_string().starts_with("at 4-2 in a match of 7 there is no Crawford game"));
    }
    // The mark that the score allows stays, without a remark.
    let true_mark = "XGID=---bB-DCC-B-cA---a-dabb---:0:0:1:00:6:2:1:7:10";
    let reading = Position::read(true_mark).unwrap();
    assert!(reading.position.context().is_crawford());
    assert_eq!(reading.remark, None);
}

#[test]
fn the_golden_ids_are_read_in_any_decoration() {
    let encoded = |text: &str| text.replace('+', "%2B").replace('/', "%2F").replace(':', "%3A");
    let mut count = 0;
    for line in ID_VECTORS.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let position: Position = columns[0].parse().unwrap();
        for text in [
            format!("Position ID: {}", columns[0]),
            format!("GNUID={}", encoded(columns[0])),
            format!("\u{feff}see {}, please", columns[0]),
        ] {
            assert_eq!(text.parse(), Ok(position), "{text}");
        }
        for (field, turn) in [(columns[2], "1"), (columns[3], "-1")] {
            let xgid = format!("{field}:0:0:{turn}:31:0:0:0:0:10");
            let whole: Position = xgid.parse().unwrap();
            assert_eq!(whole.board(), position.board());
            for text in [
                format!("xgid={xgid} to play"),
                encoded(&format!("XGID={xgid}")),
                format!("{xgid}\n\nX to play 31\n{}\n", whole.diagram()),
                format!("{} = XGID={xgid}", columns[0]),
            ] {
                assert_eq!(text.parse(), Ok(whole), "{text}");
            }
        }
        count += 1;
    }
    assert_eq!(count, 420);
}

#[test]
fn the_ids_of_gnubg_are_read_in_either_order() {
    let mut count = 0;
    for line in GNUBG_VECTORS.lines().filter(|line| !line.starts_with('#')) {
        let [xgid, position_id, match_id, _] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let ids: Position = format!("{position_id}:{match_id}").parse().unwrap();
        for text in [
            format!("{match_id}:{position_id}"),
            format!("GNUID={match_id}:{position_id}"),
            format!(
                " GNU Backgammon  Position ID: {position_id}\n                 Match ID   : {match_id}\n{}",
                ids.diagram()
            ),
        ] {
            assert_eq!(text.parse(), Ok(ids), "{text}");
        }
        let both = format!("{xgid}\n{position_id}:{match_id}");
        assert_eq!(both.parse(), xgid.parse::<Position>(), "{both}");
        count += 1;
    }
    assert_eq!(count, 240);
}

#[test]
fn a_match_id_that_ends_like_a_label_is_no_label() {
    let ids: Position = "AQAABAAAAAAAAA:cAkAAAAAXgID".parse().unwrap();
    for text in ["cAkAAAAAXgID:AQAABAAAAAAAAA", "GNUID=cAkAAAAAXgID:AQAABAAAAAAAAA."] {
        assert_eq!(text.parse(), Ok(ids), "{text}");
    }
}
