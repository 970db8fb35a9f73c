use tavli_backgammon::*;

#[test]
fn the_format_is_found_out() {
    let kind = |text: &str| match text.parse::<Position>() {
        Ok(_) => "a position",
        Err(PositionError::PositionId(_)) => "Position ID",
        Err(PositionError::MatchId(_)) => "Match ID",
        Err(PositionError::Xgid(_)) => "XGID",
        Err(PositionError::Fibs(_)) => "FIBS",
        Err(PositionError::Points(_)) => "points",
        Err(PositionError::Unknown(_)) => "unknown",
        Err(_) => "something new",
    };
    for (text, expected) in [
        (" 4HPwATDgc/ABMA\n", "a position"),
        ("4HPwATDgc/ABM*", "Position ID"),
        ("4HPwATDgc/ABM:cAkAAAAAAAAE", "Position ID"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAE", "a position"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAA", "Match ID"),
        ("XGID=", "XGID"),
        ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:x", "XGID"),
        ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "a position"),
        ("board:", "FIBS"),
        ("0 -2 0", "points"),
        ("-1,2", "points"),
        ("[0,-2,0]", "points"),
        ("[0, -2, the start]", "unknown"),
        ("", "unknown"),
        ("start", "unknown"),
        ("4HPwATDgc/ABMAA", "unknown"),
    ] {
        assert_eq!(kind(text), expected, "{text}");
    }
}

#[test]
fn a_json_list_of_points_is_read() {
    let list = format!("{:?}", Board::START.points());
    assert!(list.starts_with("[0, -2, 0, "), "{list}");
    for text in [
        &*list,
        &list.replace(' ', ""),
        &list.replace(", ", ",\n  "),
        &format!("\"points\": {list},"),
        &format!("{{\"points\":{list}}}"),
        &format!("{{\n  \"points\": {list}\n}}"),
    ] {
        assert_eq!(text.parse::<Position>(), Ok(Board::START.into()), "{text}");
    }
}

#[test]
fn an_unknown_text_is_answered_with_the_formats() {
    let message = "start".parse::<Position>().unwrap_err().to_string();
    for format in ["Position ID", "Match ID", "XGID", "FIBS", "26 numbers"] {
        assert!(message.contains(format), "{message}");
    }
}

#[test]
fn a_contradictory_context_is_refused() {
    let mut context = Context::default();
    context.cube.log2 = 11;
    let (log2, limit) = (11, 10);
    assert_eq!(Position::new(Board::START, context), Err(ContextError::Cube { log2, limit }));
}
