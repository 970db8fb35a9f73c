//! Positions, rolls, rules and moves as text.

use tavli_game::{Game, PlayableGame};
use tavli_simd::Tier;
use tavli_variants::{BeforeStart, Blocking, Fevga, FevgaRules, Plakoto};

use crate::support::golden;
use crate::support::specified::{self, Specified, of_game};

fn plakoto() -> Plakoto {
    specified::game("default", Tier::Portable, 1)
}

fn fevga() -> Fevga {
    specified::game("default", Tier::Portable, 1)
}

/// The numbers of a golden row, by point.
fn numbers(text: &str) -> Vec<i32> {
    text.split(' ').map(|number| number.parse().expect("a number")).collect()
}

fn check_vector<G: Specified>(row: &[String]) {
    let game: G = specified::game("default", Tier::Portable, 1);
    let position = game.read(&row[1]).expect("a position");
    assert_eq!(game.text(&position), row[1]);
    assert_eq!(game.text(&position.swapped()), row[8]);
    assert_eq!(game.read(&row[8]).expect("a position"), position.swapped());
    let (own, opponent) = (position.own(), position.opponent());
    let across = |point: usize| {
        if G::NAME == "plakoto" { 25 - point } else { (point + 11) % 24 + 1 }
    };
    let top = (1..=24).map(|point| own.free(point) as i32 - opponent.free(across(point)) as i32);
    assert_eq!(top.collect::<Vec<i32>>(), numbers(&row[2]), "{}", row[1]);
    let pinned =
        (1..=24).map(|point| if own.is_pinned(point) || opponent.is_pinned(across(point)) { '1' } else { '0' });
    assert_eq!(pinned.collect::<String>(), row[3], "{}", row[1]);
    let sums = [own.off(), opponent.off(), own.pips(), opponent.pips()].map(|sum| sum.to_string());
    assert_eq!(sums[..], row[4..8], "{}", row[1]);
    let named = game.numbers(&position);
    let names: Vec<&str> = named.iter().map(|&(name, _)| name).collect();
    assert_eq!(names, ["points", "pinned", "off", "pips"]);
    assert_eq!(named[0].1, numbers(&row[2]));
    let flags: String = named[1].1.iter().map(i32::to_string).collect();
    assert_eq!(flags, row[3]);
    let sums: Vec<String> = named[2..].iter().flat_map(|(_, two)| two).map(i32::to_string).collect();
    assert_eq!(sums[..], row[4..8]);
    assert_eq!(game.drawing(&position).lines().count(), 13);
}

#[test]
fn positions_are_read_and_written_as_the_golden_ones() {
    for row in golden::rows("id_vectors.tsv") {
        of_game!(row[0].as_str(), check_vector(&row));
    }
}

#[test]
fn what_is_no_position_is_refused() {
    for (text, message) in [
        ("", "0 points, not 24: ''; write 24 characters"),
        ("o---------------------O", "23 points, not 24"),
        ("o-----------------------O", "more than 24 points"),
        ("o---------------------AO", "up to point 24, the player on roll has 16 checkers of 15"),
        ("oa---------------------O", "up to point 2, the opponent has 16 checkers of 15"),
        ("o-------------------A*--N", "up to point 21, the opponent has 16 checkers of 15"),
        ("n----a*-----------------O", "up to point 24, the player on roll has 16 checkers of 15"),
        ("n--*--------------------N", "point 3 is empty, so that nothing is pinned there"),
        ("n--A**-------------------N", "point 4 has a second '*': at most one checker is pinned there"),
        ("*-----------------------", "a '*' stands before point 1"),
        ("n---------------x-----O", "character 17, 'x', is none of a position"),
        ("n---------------P-----O", "character 17, 'P', is none of a position"),
        ("n---------\u{1b}", "character 11, '\\u{1b}', is none of a position"),
        ("o-----------------------", "the player on roll has no checker left"),
        ("A*--------------------NN-", "up to point 23, the player on roll has 29 checkers of 15"),
        (
            "A*N--------------------l-",
            "the mother on point 1 is pinned, and the player on roll, whose start is left, had won before",
        ),
    ] {
        let error = plakoto().read(text).expect_err(text).to_string();
        assert!(error.contains(message) && !error.contains('\u{1b}'), "{text}: {error}");
    }
    for (text, message) in [
        ("-----------o----------A*N", "point 23 has a '*', and no checkers are pinned in fevga"),
        (
            "-----------o--A----A---M",
            "of the player on roll, in that player's numbers, 2 checkers, on 15 and 20, have left the start and none \
             has passed point 12",
        ),
        (
            "--b--------m-----------O",
            "of the opponent, in that player's numbers, 2 checkers, on 15, have left the start",
        ),
    ] {
        let error = fevga().read(text).expect_err(text).to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let long = plakoto().read(&"-".repeat(10_000)).expect_err("long").to_string();
    assert!(long.len() < 500 && long.contains('…'), "{long}");
}

#[test]
fn games_that_are_over_are_read() {
    for (text, points) in [
        ("A*M--------------------ma*", Some(0)),
        ("-N--------------------na*", Some(-2)),
        ("aN--------------------ma*", None),
        ("------------A-----------", Some(-1)),
        ("------------O-----------", Some(-2)),
    ] {
        let position = match plakoto().read(text) {
            Ok(position) => position,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(plakoto().points(&position), points, "{text}");
        assert_eq!(plakoto().text(&position), text);
    }
}

#[test]
fn rules_have_names() {
    let names = |rules: &str| Fevga::by_rules(rules, Tier::Portable, 1).map(|game| *game.rules());
    assert_eq!(names("default"), Ok(FevgaRules::default()));
    assert_eq!(names("r1=end,r2=always,r3=legal,passed=11"), Ok(FevgaRules::default()));
    let published =
        FevgaRules { before_start: BeforeStart::Allowed, blocking: Blocking::Duty, ..FevgaRules::default() };
    assert_eq!(names("r2=off,r3=duty"), Ok(published));
    for rules in ["", "r2", "default,r2=off", "r2=off,", "mother=immediate", "r1=on,r1=on"] {
        let error = names(rules).expect_err(rules).to_string();
        assert!(error.starts_with(&format!(
            "'{rules}' is not a set of rules of fevga, which has: default, r1=end, r1=step, r1=off, r2=always"
        )));
        assert!(error.ends_with("; options of different rules combine, as in A=B,C=D"));
    }
    for &rules in Fevga::RULES {
        assert!(names(rules).is_ok(), "{rules}");
    }
    for &rules in Plakoto::RULES {
        assert!(Plakoto::by_rules(rules, Tier::Portable, 1).is_ok(), "{rules}");
    }
}

/// Every option that an error lists is one, and none may be given twice.
fn check_options<G: Specified>() {
    let error = G::by_rules("none", Tier::Portable, 1).expect_err("no rules");
    for &option in error.known {
        assert!(G::by_rules(option, Tier::Portable, 1).is_ok(), "{option}");
    }
    let options = error.known.iter().filter(|option| **option != "default");
    let rule = |option: &str| option.split('=').next().expect("a rule").to_owned();
    for (first, second) in options.clone().flat_map(|first| options.clone().map(move |second| (first, second))) {
        let rules = format!("{first},{second}");
        let read = G::by_rules(&rules, Tier::Portable, 1);
        if rule(first) != rule(second) {
            assert!(read.is_ok(), "{rules}");
            continue;
        }
        let error = read.expect_err(&rules).to_string();
        let said =
            format!("'{rules}' gives {} twice: give it once, of the rules of {}: default, ", rule(first), G::NAME);
        assert!(error.starts_with(&said), "{error}");
    }
}

#[test]
fn an_option_is_given_once() {
    check_options::<Plakoto>();
    check_options::<Fevga>();
}

#[test]
fn the_reason_of_an_end_by_mothers_is_told() {
    for (rules, text, reason) in [
        ("default", "N*----------------------n*", Some("both mothers, on points 1 and 24, are pinned: it is a tie")),
        ("default", "-N--------------------na*", Some("the mother on point 24 is pinned")),
        ("mother=immediate", "aN--------------------ma*", Some("the mother on point 24 is pinned")),
        ("default", "aN--------------------ma*", None),
        ("default", "------------A-----------", None),
    ] {
        let game: Plakoto = specified::game(rules, Tier::Portable, 1);
        let position = game.read(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(game.reason_of_end(&position).as_deref(), reason, "{text}");
    }
}

#[test]
fn rolls_are_two_digits() {
    let game = plakoto();
    let texts: Vec<String> = (0..21).map(|roll| game.chance_text(roll)).collect();
    assert_eq!(texts[..4], ["11", "21", "22", "31"]);
    for (roll, text) in texts.iter().enumerate() {
        let turned: String = text.chars().rev().collect();
        assert_eq!([game.chance(text), game.chance(&turned)], [Some(roll); 2]);
    }
    for text in ["", "1", "17", "70", "311", "3 1"] {
        assert_eq!(game.chance(text), None);
    }
}

/// The moves of all plays of a roll.
fn moves<G: PlayableGame>(game: &G, text: &str, roll: &str) -> Vec<String> {
    let position = game.read(text).unwrap_or_else(|error| panic!("{error}"));
    let roll = game.chance(roll).expect("a roll");
    (0..game.choices(&position, roll)).map(|choice| game.moves(&position, roll, choice)).collect()
}

#[test]
fn moves_are_written_in_the_notation_of_the_field() {
    let start = plakoto().text(&plakoto().start());
    assert_eq!(moves(&plakoto(), &start, "43"), ["24/21 24/20", "24/17"]);
    assert_eq!(moves(&plakoto(), &start, "66"), ["24/18 24/6", "24/18(4)", "24/12(2)", "24/18(2) 24/12"]);
    // A landing on a single checker pins it, one on a pinned checker no more, and none on the way.
    assert_eq!(moves(&plakoto(), "n-------------------a--O", "31"), ["24/23 24/21*", "24/20"]);
    assert_eq!(moves(&plakoto(), "n-------------------A*--N", "31"), ["21/17", "24/23 21/18", "24/20", "24/23 24/21"]);
    assert_eq!(moves(&plakoto(), "BA--------------------ab", "66"), ["2/off 1/off(2)"]);
    assert_eq!(moves(&plakoto(), "mO---------------------b", "66"), ["2/off(4)"]);
    assert_eq!(moves(&fevga(), "-----------o-----------O", "66"), ["24/18"]);
    assert_eq!(moves(&fevga(), "-----------o-----------O", "55"), ["24/4", "24/19 24/9"]);
    assert_eq!(moves(&fevga(), "AAABAa-A---n-----------H", "65"), ["cannot move"]);
}

/// Moves, played as they are written, lead to the play that they are of.
fn check_moves<G: Specified>(position: &str, roll: &str) -> usize {
    let game: G = specified::game("default", Tier::Portable, 1);
    let before = game.read(position).expect("a position");
    let roll = game.chance(roll).expect("a roll");
    let mut texts = std::collections::BTreeSet::new();
    for (choice, after) in game.results(&before, roll).iter().enumerate() {
        let text = game.moves(&before, roll, choice);
        let mut counts: Vec<i32> =
            (0..=24).map(|point| if point == 0 { 0 } else { before.own().free(point) as i32 }).collect();
        for part in text.split(' ').filter(|_| text != "cannot move") {
            let (way, times) =
                part.split_once('(').map_or((part, 1), |(way, times)| (way, times[..1].parse().expect("a number")));
            let (from, to) = way.trim_end_matches('*').split_once('/').expect("a way");
            counts[from.parse::<usize>().expect("a point")] -= times;
            if to != "off" {
                counts[to.parse::<usize>().expect("a point")] += times;
            }
        }
        let found = (1..=24).map(|point| after.opponent().free(point) as i32);
        assert!(found.eq(counts[1..].iter().copied()), "{position}: {text}");
        texts.insert(text);
    }
    assert_eq!(texts.len(), game.choices(&before, roll), "{position}: every play has its own text");
    texts.len()
}

#[test]
fn moves_lead_to_their_plays() {
    let rows = golden::plays();
    let default = rows.iter().filter(|row| row.rules == "default").step_by(7);
    let texts: usize = default.map(|row| of_game!(row.game.as_str(), check_moves(&row.position, &row.roll))).sum();
    assert!(texts > 400, "only {texts} texts");
}

/// The characters of a point in a drawing, from the edge of the board to its middle.
fn column(drawing: &str, point: usize) -> String {
    let at = if point > 12 { point - 13 } else { 12 - point };
    // Two characters stand before the points and between neighbours, and the bar is four wide.
    let at = 3 + 3 * at + if at < 6 { 0 } else { 4 };
    let lines: Vec<char> = drawing.lines().filter_map(|line| line.chars().nth(at)).collect();
    assert_eq!(lines.len(), 13);
    match point > 12 {
        true => lines[1..6].iter().collect(),
        false => lines[7..12].iter().rev().collect(),
    }
}

#[test]
fn every_stack_is_drawn_on_every_point() {
    fn check<G: Specified>(pins: bool) {
        let game: G = specified::game("default", Tier::Portable, 1);
        let mut drawings = 0;
        for (first, beneath, of, other) in [('A', 'o', 'X', 'a'), ('a', 'x', 'O', 'A')] {
            for (point, number) in (1..=24).flat_map(|point| (1..=15).map(move |number| (point, number))) {
                for pinned in 0..=u8::from(pins) {
                    let mut points = vec!["-".to_owned(); 24];
                    // The other side has a checker left, so that the game goes on.
                    points[if point == 11 { 9 } else { 10 }] = other.to_string();
                    let stack = char::from(first as u8 + number - 1);
                    points[point - 1] = format!("{stack}{}", if pinned > 0 { "*" } else { "" });
                    let text = points.concat();
                    // Not all may stand there: those of Fevga that a runner has left, and winners' mothers.
                    let Ok(position) = game.read(&text) else { continue };
                    let all = usize::from(number + pinned);
                    let mut expected: Vec<char> = vec![of; all.min(5)];
                    if pinned > 0 {
                        expected[0] = beneath;
                    }
                    if all > 5 {
                        expected[4] = char::from_digit(all as u32, 17).expect("a digit").to_ascii_uppercase();
                    }
                    let drawn = column(&game.drawing(&position), point);
                    assert_eq!(drawn.trim(), String::from_iter(expected), "{text}");
                    drawings += 1;
                }
            }
        }
        assert!(drawings > 600, "only {drawings} drawings");
    }
    check::<Plakoto>(true);
    check::<Fevga>(false);
}

#[test]
fn drawings_show_all_checkers() {
    let position = plakoto().read("k-------a---A*a*-B-a*--A--I").expect("a position");
    let drawing = plakoto().drawing(&position);
    assert_eq!(
        drawing,
        concat!(
            " +13-14-15-16-17-18------19-20-21-22-23-24-+     O: 310 pips, 0 off\n",
            " | o  x     X     x |  |       X        X |\n",
            " | X  O     X     O |  |                X |\n",
            " |                  |  |                X |\n",
            " |                  |  |                X |\n",
            " |                  |  |                9 |\n",
            "v|                  |  |                  |\n",
            " |                  |  |                B |\n",
            " |                  |  |                O |\n",
            " |                  |  |                O |\n",
            " |                  |  |                O |\n",
            " |          O       |  |                O |\n",
            " +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: 314 pips, 0 off",
        )
    );
}
