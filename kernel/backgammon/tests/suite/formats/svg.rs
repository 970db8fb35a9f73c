use tavli_backgammon::*;

fn count(xgid: &str, what: &str) -> usize {
    let picture = Position::from_xgid(xgid).unwrap().svg().to_string();
    picture.matches(what).count()
}

#[test]
fn the_picture_shows_the_whole_board() {
    let start = "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    let light = r##"fill="#f6efe0" stroke="##;
    // Two discs a checker, one before the text about the player.
    assert_eq!(count(start, light), 31);
    assert_eq!(count(start, "To roll"), 1);
    // A die and its marks.
    let rolled = "-b----E-C---eE---c-e----B-:0:0:1:63:0:0:0:0:10";
    assert_eq!(count(rolled, light), 33);
    assert_eq!(count(rolled, r#"r="3""#), 9);
    // Six on one point: the sixth is not drawn, and the fifth has a number instead of its ring.
    let six = "-b----F-B---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    assert_eq!(count(six, light), 31 - 3);
    assert_eq!(count(six, ">6<"), 2);
    // Thirteen borne off and two on points.
    let end = "-BB-------------b---------:0:0:1:00:0:0:0:0:10";
    assert_eq!(count(end, light), 1 + 2 * 4 + 11);
    // Of three checkers a side, the opponent has borne off one.
    let three = "---A-A-A----------------b-:0:0:1:00:0:0:0:0:10";
    let three = Position::from_xgid(three).unwrap().svg();
    let slabs = |picture: Svg| picture.to_string().matches(r#"rx="3""#).count();
    assert_eq!((slabs(three), slabs(three.with_checkers(3))), (13 + 12, 1));
}

#[test]
fn names_are_no_markup() {
    // The picture has no text from outside: only numbers, and words of the diagram.
    let fibs = "board:<b>:&:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:\
                1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";
    let picture = Position::from_fibs(fibs).unwrap().svg().to_string();
    assert!(!picture.contains("<b>") && !picture.contains('&'));
}
