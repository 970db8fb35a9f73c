use tavli_backgammon::*;

/// Pairs of an OGID and the XGID of the same position. The first lines are those of OpenGammon's own tests, with the
/// field of the colour as its specification and codec have it; the others were written by libogxm 2.3.2, HedgeHog's
/// codec, for the plies of a match.
const PAIRS: [(&str, &str); 12] = [
    ("11jjjjjhhhccccc:ooddddd88866666:N0N::W:C:0:0:0", "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"),
    ("11jjjjjhhhccccc:ooddddd88866666:N0N::B:C:0:0:0", "-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10"),
    ("jjjkkklllmmnnoo:111222333445566:N0N::W:C:0:0:0", "-CCCBBB------------cccbbb-:0:0:1:00:0:0:0:0:10"),
    ("00jjj:ppp66:N0N::W:C:0:0:0", "b-----B------------c-----C:0:0:1:00:0:0:0:0:10"),
    ("jjjkkklllmmnnoo:111222333445566:N0N:63:W:R:0:0:0", "-CCCBBB------------cccbbb-:0:0:1:63:0:0:0:0:10"),
    ("11jjjjjhhhccccc:ooddddd88866666:W1N::W:C:0:0:0", "-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10"),
    ("11jjjjjhhhccccc:ooddddd88866666:N0N::W:C:3:5:7", "-b----E-C---eE---c-e----B-:0:0:1:00:5:3:0:7:10"),
    ("11ccccchhhjjjjj:66666888dddddoo:N0N:13:W:IB:0:0:5:0", "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10"),
    ("11ccccchhhjjjjj:55666688dddddoo:N0N::B:C:0:0:5:1", "-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:5:10"),
    ("11ccccchhhjjjjj:55666688dddddoo:N0O::W:D:0:0:5:1", "-b---BD-B---eE---c-e----B-:0:0:-1:D:0:0:0:5:10"),
    ("11ccccchhhjjjjj:55666688dddddoo:B1T::B:A:0:0:5:1", "-b---BD-B---eE---c-e----B-:1:1:-1:00:0:0:0:5:10"),
    // Where OpenGammon's reader takes White to begin, although the colour is W.
    ("11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:2:3:0", "-b----E-C---eE---c-e----B-:0:0:-1:00:2:0:0:3:10"),
];

#[test]
fn ogids_are_the_positions_of_their_xgids() {
    for (ogid, xgid) in PAIRS {
        let position: Position = xgid.parse().unwrap();
        for text in [ogid.to_owned(), format!("OGID={ogid}"), format!("ogid={ogid}"), format!("see ogid:{ogid}")] {
            assert_eq!(text.parse(), Ok(position), "{text}");
        }
        // The characters come in any order, and are written in one.
        let again = position.ogid();
        assert_eq!(again.parse(), Ok(position), "{again}");
        let sorted = |id: &str| {
            let [white, black] = [0, 1].map(|side| {
                let mut characters: Vec<char> = id.split(':').nth(side).unwrap().chars().collect();
                characters.sort_unstable();
                characters
            });
            (white, black)
        };
        assert_eq!(sorted(&again), sorted(ogid));
    }
}

#[test]
fn fields_may_be_left_out() {
    let full: Position = "11ccccchhhjjjjj:66666888dddddoo:N0N::W:C:0:0:0:0:15".parse().unwrap();
    for text in [
        "11ccccchhhjjjjj:66666888dddddoo:N0N",
        "11ccccchhhjjjjj:66666888dddddoo:D0N",
        "11ccccchhhjjjjj:66666888dddddoo:N0N:",
        "11ccccchhhjjjjj:66666888dddddoo:N0N:00:W",
        "11ccccchhhjjjjj:66666888dddddoo:N0N::W::0:0::",
        "11ccccchhhjjjjj:66666888dddddoo:N0N::W:C:0:0:0G9:12",
        "https://example.org/?id=11ccccchhhjjjjj%3A66666888dddddoo%3AN0N%3A%3AW/",
    ] {
        assert_eq!(text.parse(), Ok(full), "{text}");
    }
    // Checkers borne off may be named or left out, and a side may begin with fewer.
    let few = Position::from_ogid("jjqqqqqqqqqqqqq:66:N0N").unwrap();
    assert_eq!(Position::from_ogid("jj:66:N0N::W:C:0:0:0:0:3"), Ok(few));
}

#[test]
fn the_crawford_game_is_marked() {
    let id = |length: &str| format!("11ccccchhhjjjjj:66666888dddddoo:N0N:65:W::6:5:{length}:");
    for (length, crawford) in [("7C", true), ("7", false), ("7L", false), ("7G15", false)] {
        let position = Position::from_ogid(&id(length)).unwrap();
        assert_eq!(position.context().stakes, Stakes::Match { length: 7, crawford });
        assert_eq!((position.context().score, position.context().opponent_score), (5, 6));
    }
    let read = Position::read(&id("9C")).unwrap();
    assert!(matches!(read.remark, Some(Remark::NotCrawford { length: 9, .. })));
}

#[test]
fn every_field_is_checked() {
    let ogid = "11ccccchhhjjjjj:66666888dddddoo:N0N:31:W:R:0:0:5:0:15";
    for (field, texts, part) in [
        (0, &["111ccccchhhjjjjj"][..], "White has 16 checkers"),
        (0, &["11ccccchhhjjjjp", "z", "11ccccchhhjjjj!", "é"], "of the checkers of White is"),
        (1, &["0", "A"], "character 1 of the checkers of Black is"),
        (2, &["", "N0", "N16N", "X0N", "N-1N", "n0n", "N0NN", "NéN"], "the cube is"),
        (2, &["N0O"], "the dice field is"),
        (2, &["N0P"], "the state is 'P'"),
        (3, &["0", "7", "60", "311", "x"], "the dice field is"),
        (4, &["X", "w", "WB"], "the colour is"),
        (5, &["P", "ABC", "1"], "the state is"),
        (6, &["-1", "32768", "x"], "the score of White is"),
        (7, &["-1", "32768", "x"], "the score of Black is"),
        (8, &["x", "5X", "32768", "5Lx"], "the match length is"),
        (9, &["x", "-1"], "the number of the move is"),
        (10, &["16", "x"], "the number of checkers is"),
        (10, &["14"], "White has 15 checkers, and a side begins with 14"),
        (6, &["5"], "so the match is over"),
        (1, &["c"], "not a position"),
    ] {
        for text in texts {
            let mut fields: Vec<&str> = ogid.split(':').collect();
            fields[field] = text;
            let error = Position::from_ogid(&fields.join(":")).unwrap_err().to_string();
            assert!(error.contains(part), "{field} {text}: {error}");
        }
    }
    assert_eq!(Position::from_ogid("11:66"), Err(OgidError::Fields { found: 2 }));
    assert_eq!(Position::from_ogid(&format!("{ogid}:")), Err(OgidError::Fields { found: 12 }));
}
