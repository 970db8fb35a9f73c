use tavli_backgammon::*;

#[test]
fn the_text_beside_the_board_shows_the_context() {
    let beside = |xgid: &str| {
        let drawing = Position::from_xgid(xgid).unwrap().diagram().to_string();
        let texts = [0, 1, 6, 10, 11, 12].map(|line| {
            let line = drawing.lines().nth(line).unwrap();
            line[49..].to_owned()
        });
        texts.join("; ")
    };
    assert_eq!(
        beside("-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:1:0:3:8"),
        "O: 132 pips; 0 points; Cube 2, owned by O, match to 3; Rolled 63; 1 point; X: 142 pips"
    );
    assert_eq!(
        beside("-a-B--E-B-a-dDB--b-bcb----:0:0:1:00:4:2:1:5:8"),
        "O: 142 pips; 2 points; Cube 1, match to 5, Crawford game; To roll; 4 points; X: 132 pips"
    );
    assert_eq!(
        beside("-a-B--E-B-a-dDB--b-bcb----:2:1:1:R:0:0:3:0:8"),
        "O: 142 pips; 0 points; Cube 4, owned by X, Jacoby rule, beavers; Doubled, beavered and raccooned; 0 points; X: 132 pips"
    );
}

/// The checkers right of the board, the upper player's and the lower one's.
fn borne_off(drawing: Diagram) -> [usize; 2] {
    let drawing = drawing.to_string();
    let right = drawing.lines().filter(|line| line.starts_with(" |"));
    let right: String = right.flat_map(|line| line.chars().skip(45).take(3)).collect();
    ['O', 'X'].map(|letter| right.matches(letter).count())
}

#[test]
fn checkers_borne_off_are_those_that_the_rules_began_with() {
    for &rules in RuleSet::ALL {
        let checkers = rules.checkers();
        let opening = Position::from(rules.start()).diagram();
        assert_eq!(borne_off(opening.with_checkers(checkers)), [0, 0], "{rules}");
        assert_eq!(borne_off(opening), [15 - usize::from(checkers); 2]);
    }
    // Two of the player on roll on his 3 point, one of the opponent on his 1 point.
    let end = "---B--------------------a-:0:0:1:00:0:0:0:0:10";
    let end = Position::from_xgid(end).unwrap().diagram();
    assert_eq!(borne_off(end), [14, 13]);
    assert_eq!(borne_off(end.with_checkers(3)), [2, 1]);
    // More checkers than the game has leave none to bear off.
    assert_eq!(borne_off(end.with_checkers(1)), [0, 0]);
}
