//! Every codec against vectors that other programs wrote: see `data/README.md`.

use tavli_backgammon::{Board, Context, Position, Stakes, TurnStage};

const ID_VECTORS: &str = include_str!("../../data/id_vectors.tsv");
const GNUBG_VECTORS: &str = include_str!("../../data/gnubg_vectors.tsv");
const GNUBG_BOARDS: &str = include_str!("../../data/gnubg_boards.txt");

/// The rows of a table without its comments, split into `N` columns.
fn rows<const N: usize>(table: &str) -> impl Iterator<Item = [&str; N]> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        columns.try_into().unwrap_or_else(|_| panic!("{line}"))
    })
}

#[test]
fn the_golden_ids_both_ways() {
    let mut count = 0;
    for [position_id, points, bottom, top] in rows(ID_VECTORS) {
        let position: Position = position_id.parse().unwrap();
        let board = *position.board();
        let numbers: Vec<String> = board.points().map(|n| n.to_string()).into();
        assert_eq!(board.position_id().as_str(), position_id);
        assert_eq!(numbers.join(" "), points);
        assert_eq!(points.parse(), Ok(position));
        assert_eq!(numbers.join(",").parse(), Ok(position));
        for (field, turn) in [(bottom, "1"), (top, "-1")] {
            let xgid = format!("XGID={field}:0:0:{turn}:31:0:0:0:0:10");
            let read: Position = xgid.parse().unwrap();
            assert_eq!(read.board(), &board, "{xgid}");
            assert_eq!(read.xgid(), xgid);
            assert_eq!(read.fibs().parse(), Ok(read));
        }
        count += 1;
    }
    assert_eq!(count, 420);
}

/// A FIBS line of GNU Backgammon as this library writes it: the names, the length of a money game, dice
/// of the player on roll only, and the checkers on the bar.
fn as_written_here(gnubg: &str) -> String {
    let mut fields: Vec<String> = gnubg.split(':').map(str::to_owned).collect();
    fields[1] = "You".to_owned();
    fields[2] = "Opponent".to_owned();
    if fields[3] == "0" {
        fields[3] = "9999".to_owned();
    }
    let other_dice = if fields[32] == "1" { 35 } else { 33 };
    fields[other_dice..other_dice + 2].fill("0".to_owned());
    fields[47] = fields[31].clone();
    fields[48] = fields[6].trim_start_matches('-').to_owned();
    fields.join(":")
}

#[test]
fn gnubg_ids_both_ways() {
    let (mut count, mut doubles, mut crawford) = (0, 0, 0);
    for [xgid, position_id, match_id, fibs] in rows(GNUBG_VECTORS) {
        let position: Position = xgid.parse().unwrap();
        assert_eq!(position.xgid(), xgid);
        assert_eq!(position.position_id().as_str(), position_id, "{xgid}");
        assert_eq!(position.match_id().as_str(), match_id, "{xgid}");
        assert_eq!(position.fibs(), as_written_here(fibs), "{xgid}");

        // The other formats are read as the parts of the position that they hold.
        let ids: Position = format!("{position_id}:{match_id}").parse().unwrap();
        assert_eq!(ids.board(), position.board());
        assert_eq!(ids.match_id().as_str(), match_id);
        let mut context = *position.context();
        if let Stakes::Money { beavers, .. } = &mut context.stakes {
            *beavers = false;
        }
        assert_eq!(ids.context(), &context, "{xgid}");
        if let Stakes::Money { jacoby, .. } = &mut context.stakes {
            *jacoby = false;
        }
        for line in [fibs, &position.fibs()] {
            let read: Position = line.parse().unwrap();
            assert_eq!(read.board(), position.board(), "{line}");
            assert_eq!(read.context(), &context, "{line}");
        }

        count += 1;
        doubles += usize::from(context.stage == TurnStage::Doubled);
        crawford += usize::from(context.is_crawford());
    }
    assert_eq!(count, 240);
    assert!(doubles >= 10 && crawford >= 10, "{doubles} {crawford}");
}

/// Match IDs that GNU Backgammon 1.07.001 wrote in states that an XGID does not hold: a gammon offered for a
/// resignation, a dropped double, and (as it begins one itself) a match of one point.
#[test]
fn gnubg_states_beyond_the_xgid() {
    for text in ["cEEAAAAAAAAA", "cAQAAAAACAAA", "cIkuAAAAAAAE"] {
        let context = Context::from_match_id(text).unwrap();
        let position = Position::new(Board::START, context).unwrap();
        assert_eq!(position.match_id().as_str(), text);
    }
}

#[test]
fn gnubg_draws_the_same_boards() {
    let mut count = 0;
    let mut lines = GNUBG_BOARDS.lines().filter(|line| !line.starts_with('#'));
    while let Some(position_id) = lines.next() {
        let position: Position = position_id.parse().unwrap();
        let drawing = position.diagram().to_string();
        for ours in drawing.lines() {
            let theirs = lines.next().unwrap();
            // The text beside the board begins in column 49.
            let board = |line: &str| line.get(..49).unwrap_or(line).trim_end().to_owned();
            assert_eq!(board(ours), board(theirs), "{drawing}");
        }
        count += 1;
    }
    assert_eq!(count, 12);
}
