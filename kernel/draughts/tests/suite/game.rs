//! Draughts as programs of any game see it.

use crate::support::positions;
use crate::support::tiers::tiers;
use tavli_draughts::{Draughts, Position, Rules, plays};
use tavli_game::{Game, PlayableGame, signature};
use tavli_simd::Tier;

fn game(rules: &str) -> Draughts {
    Draughts::by_rules(rules, Tier::Portable, 1).expect("its rules")
}

#[test]
fn rules_have_names() {
    for (name, rules) in [("english", Rules::ENGLISH), ("report", Rules::REPORT), ("optional", Rules::OPTIONAL)] {
        assert_eq!(game(name).rules(), rules);
        assert_eq!(rules.to_string(), name);
    }
    let error = Draughts::by_rules("polish", Tier::Portable, 1).unwrap_err();
    assert_eq!(error.to_string(), "'polish' is not a set of rules of draughts, which has: english, report, optional");
}

/// One number over 3,600 games.
#[test]
fn every_tier_has_the_same_signature() {
    for tier in tiers() {
        assert_eq!(signature::<Draughts>(tier), SIGNATURE, "{tier}");
    }
}

const SIGNATURE: u64 = 0x84df_084a_64b4_8534;

#[test]
fn choices_are_plays() {
    for name in Draughts::RULES {
        let game = game(name);
        for position in positions::varied(30).take(500) {
            let plays = plays(&position, game.rules());
            assert_eq!(game.choices(&position, 0), plays.len());
            assert!(game.results(&position, 0).iter().eq(plays.iter().map(|play| &play.position)));
            for (choice, play) in plays.iter().enumerate() {
                assert_eq!(game.result(&position, 0, choice), play.position);
                assert_eq!(game.moves(&position, 0, choice), play.moves.to_string());
            }
            assert_eq!(game.read(&game.state(&position)), Ok(position));
        }
    }
}

#[test]
fn games_end_as_the_rules_say() {
    let points = |rules: &str, text: &str| game(rules).points(&text.parse().expect("a position"));
    assert_eq!(points("english", "B:W21:B1"), None);
    assert_eq!(points("english", "B:W21:B"), Some(-1), "no pieces");
    assert_eq!(points("english", "B:W5,6,10:B1"), Some(-1), "no play");
    assert_eq!(points("english", "B:WK21:BK1:H79"), None);
    assert_eq!(points("english", "B:WK21:BK1:H80"), Some(0));
    assert_eq!(points("english", "B:W21:B1:H80"), Some(0), "with men, too");
    assert_eq!(points("english", "B:W5,6,10:B1:H80"), Some(-1), "without a play a side loses first");
    assert_eq!(points("report", "B:WK21:BK1:H19"), None);
    assert_eq!(points("report", "B:WK21:BK1:H20"), Some(0));
    assert_eq!(points("report", "B:WK21:B1:H20"), None, "a man is left");
    assert_eq!(points("report", "B:WK21:B1:H255"), Some(0));
    assert_eq!(game("english").chance("31"), None);
    assert_eq!(game("english").chances(), [1]);
}

#[test]
fn evaluators_see_both_sides_alike() {
    let game = game("english");
    for (index, name) in Draughts::HEURISTICS.iter().enumerate() {
        assert_eq!(game.value(&Position::START, index), 0.0, "{name}");
        let mut differ = 0;
        for position in positions::varied(40).take(500) {
            let value = game.value(&position, index);
            assert!(value.abs() <= 1.0, "{name}: {value} of {position}");
            assert_eq!(value, game.value(&position.turned(), index), "{name}: {position}");
            differ += i32::from(value != 0.0);
        }
        assert_eq!(differ > 200, *name != "ends", "{name}: {differ}");
    }
}

#[test]
fn evaluators_count_what_they_say() {
    let game = game("english");
    let position: Position = "B:W21,K30:B1,2,10,K15".parse().expect("a position");
    let values: Vec<(&str, f64)> =
        Draughts::HEURISTICS.iter().enumerate().map(|(index, &name)| (name, game.value(&position, index))).collect();
    let expected = [
        ("material", (9 - 5, 36)),
        ("rows", (5 + 5 + 7 + 15 - (7 + 15), 180)),
        ("edge", (2 - 2, 12)),
        ("movable", (4 - 2, 12)),
        ("promotion", (-(7 + 7 + 5) + 5, 84)),
        ("free-promotion", (3 - 2, 4)),
        ("defenders", (2 - 1, 8)),
        ("attackers", (0, 12)),
        ("centre", (1, 8)),
        ("ends", (0, 1)),
    ];
    let expected = expected.map(|(name, (difference, most))| (name, f64::from(difference) / f64::from(most)));
    assert_eq!(values, expected);
}

#[test]
fn numbers_show_the_board() {
    let position: Position = "W:W21,K30:B1,K7:H3".parse().expect("a position");
    let mut squares = vec![0; 32];
    (squares[20], squares[29], squares[0], squares[6]) = (-1, -2, 1, 2);
    let expected = vec![("squares", squares), ("side", vec![-1]), ("quiet", vec![3])];
    assert_eq!(game("english").numbers(&position), expected);
}
