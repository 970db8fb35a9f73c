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
