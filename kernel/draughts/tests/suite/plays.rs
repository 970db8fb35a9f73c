//! The plays of positions against the reference data and the specification.

use std::collections::BTreeMap;

use crate::support::effort::by_effort;
use crate::support::{golden, positions, specification, specified};
use tavli_draughts::{Captures, Draughts, Draw, Play, Position, Rules, move_sequences, plays};
use tavli_game::Game;
use tavli_simd::Tier;

const MUST_FINISH: Rules = Rules::OPTIONAL;
const MAY_STOP: Rules = Rules { captures: Captures::OptionalMayStop, draw: Draw::Quiet(80) };

/// The files of positions with their rules, and the rows of their copies.
const FILES: [(&str, Rules); 3] = [
    ("positions_english.tsv", Rules::ENGLISH),
    ("positions_optional_must_finish.tsv", MUST_FINISH),
    ("positions_optional_may_stop.tsv", MAY_STOP),
];

#[test]
fn golden_positions_have_their_results() {
    for (name, rules) in FILES {
        let rows = golden::rows(&golden::best(name));
        assert!(rows.len() > 40, "{name}");
        for row in rows {
            let position: Position = row[1].parse().expect("a position");
            let found = plays(&position, rules);
            assert_eq!(found.len().to_string(), row[3], "{name}: {}", row[1]);
            let results = row.get(4).map(String::as_str).unwrap_or_default();
            let expected: BTreeMap<&str, &str> = results
                .split_whitespace()
                .map(|result| result.split_once('=').expect("a result and its moves"))
                .collect();
            assert_eq!(expected.len(), found.len(), "{name}: {}", row[1]);
            for play in found {
                // The reference data have no counts of quiet plies.
                let text = play.position.with_quiet(0).to_string();
                let ways = expected.get(text.as_str());
                let moves = play.moves.to_string();
                assert!(
                    ways.is_some_and(|ways| ways.split('/').any(|way| way == moves)),
                    "{name}: {}: {moves} leads to {text}",
                    row[1]
                );
            }
        }
    }
}

/// Compares the list with the specification's, index by index, and returns the most pieces taken.
fn check_list(position: &Position, rules: Rules) -> usize {
    let specified = specification::plays(&specified::position(position), specified::rules(rules));
    let listed = plays(position, rules);
    let numbers = |play: &tavli_draughts::Play| -> Vec<usize> {
        let squares = play.moves.squares().iter();
        squares.map(|square| square.number() as usize).collect()
    };
    assert!(
        listed
            .iter()
            .map(|play| (specified::position(&play.position), numbers(play)))
            .eq(specified.iter().map(|play| (play.after.clone(), play.squares.clone()))),
        "{rules}: {position}: {:?}\nspecified: {:?}",
        listed.iter().map(|play| play.moves.to_string()).collect::<Vec<_>>(),
        specified.iter().map(|play| &play.squares).collect::<Vec<_>>()
    );
    // Counted, not listed.
    let game = Draughts::new(rules, Tier::Portable, 1);
    assert_eq!(game.choices(position, 0), listed.len(), "{rules}: {position}");
    let captures = listed.iter().filter(|play| play.moves.is_capture());
    captures.map(|play| play.moves.squares().len() - 1).max().unwrap_or(0)
}

#[test]
fn golden_positions_have_the_specified_lists() {
    for (name, _) in FILES {
        for row in golden::rows(&golden::data(name)) {
            let position: Position = row[1].parse().expect("a position");
            for rules in [Rules::ENGLISH, MUST_FINISH, MAY_STOP, Rules::REPORT] {
                check_list(&position, rules);
            }
        }
    }
}

#[test]
fn varied_positions_have_the_specified_lists() {
    // By the most pieces that a play takes.
    let mut taken = [0; 13];
    for position in positions::varied(1).take(by_effort(6_000, 200_000) as usize) {
        for rules in [Rules::ENGLISH, MUST_FINISH, MAY_STOP] {
            taken[check_list(&position, rules)] += 1;
        }
    }
    assert!(taken[..7].iter().all(|&number| number > 20), "{taken:?}");
}

#[test]
fn quiet_plies_are_counted_as_the_rules_say() {
    let position: Position = "B:WK30,21:BK5,10:H7".parse().expect("a position");
    let quiet = |rules: Rules| -> Vec<(String, u8)> {
        let plays = plays(&position, rules);
        let pairs = plays.iter().map(|play| (play.moves.to_string(), play.position.quiet()));
        pairs.collect()
    };
    let expected = |of_men| {
        [("10-15", of_men), ("5-9", 8), ("10-14", of_men), ("5-1", 8)].map(|(moves, quiet)| (moves.to_owned(), quiet))
    };
    assert_eq!(quiet(Rules::ENGLISH), expected(0));
    assert_eq!(quiet(Rules::REPORT), expected(8));
    let most = position.with_quiet(255);
    let highest = plays(&most, Rules::REPORT).iter().map(|play| play.position.quiet()).max();
    assert_eq!(highest, Some(255), "the count stays at its end");
}

#[test]
fn moves_are_read_as_they_are_written() {
    for row in golden::rows(&golden::data("positions_english.tsv")) {
        let position: Position = row[1].parse().expect("a position");
        for play in plays(&position, Rules::ENGLISH) {
            assert_eq!(Play::read(&play.moves.to_string(), &position, Rules::ENGLISH), Ok(play));
        }
    }
}

/// A result may have several texts: two ways round a closed loop, or two kings that take the same pieces.
#[test]
fn every_text_of_a_golden_result_is_read() {
    let mut results_of_several = 0;
    for (name, rules) in FILES {
        for row in golden::rows(&golden::best(name)) {
            let position: Position = row[1].parse().expect("a position");
            let texts = |ways: &str| ways.split('/').map(str::to_owned).collect::<Vec<_>>();
            let results = row.get(4).map(String::as_str).unwrap_or_default().split_whitespace();
            let results: Vec<(&str, Vec<String>)> = results
                .map(|result| result.split_once('=').expect("a result and its moves"))
                .map(|(result, ways)| (result, texts(ways)))
                .collect();
            let sequences = move_sequences(&position, rules);
            assert_eq!(sequences.len().to_string(), row[2], "{name}: {}", row[1]);
            for (result, ways) in &results {
                results_of_several += usize::from(ways.len() > 1);
                for text in ways {
                    let read = Play::read(text, &position, rules).map(|play| play.position.with_quiet(0).to_string());
                    assert_eq!(read.as_deref(), Ok(*result), "{name}: {}: {text}", row[1]);
                    // The ends are enough, unless they belong to another result, too.
                    let numbers: Vec<&str> = text.split('x').collect();
                    let [first, .., last] = numbers[..] else { continue };
                    let is_of =
                        |way: &String| way.starts_with(&format!("{first}x")) && way.ends_with(&format!("x{last}"));
                    let short = format!("{first}x{last}");
                    let found = results.iter().filter(|(_, ways)| ways.iter().any(is_of)).count();
                    let is_whole = results.iter().any(|(_, ways)| ways.contains(&short));
                    let read = Play::read(&short, &position, rules);
                    assert_eq!(read.is_ok(), found == 1 || is_whole, "{name}: {}: {short}", row[1]);
                }
            }
        }
    }
    assert!(results_of_several > 10, "{results_of_several}");
}

#[test]
fn captures_are_read_by_their_ends_if_these_tell() {
    // From 1 over 6, 14 and 22 or over 6, 15 and 23 to 26: both ways end there.
    let position: Position = "B:W6,14,15,22,23:B1".parse().expect("a position");
    let read = |text: &str, position: &Position| {
        let play = Play::read(text, position, Rules::ENGLISH);
        play.map(|play| play.moves.to_string()).map_err(|error| error.to_string())
    };
    let moves: Vec<String> = plays(&position, Rules::ENGLISH).iter().map(|play| play.moves.to_string()).collect();
    assert_eq!(moves, ["1x10x17x26", "1x10x19x26"]);
    assert_eq!(read("1x10x17x26", &position), Ok(moves[0].clone()));
    assert_eq!(
        read("1x26", &position),
        Err("'1x26' is ambiguous, it may be 1x10x17x26 or 1x10x19x26: write all squares".to_owned())
    );
    let alone: Position = "B:W6,14,15,22:B1".parse().expect("a position");
    assert_eq!(read(" 1 X 26 ", &alone), Ok("1x10x17x26".to_owned()));
    assert_eq!(read("1x19", &alone), Ok("1x10x19".to_owned()));
    assert_eq!(read("1-5", &alone), Err("'1-5' is not a play here: choose one of 1x10x19, 1x10x17x26".to_owned()));
    let lost: Position = "B:W5,6,10:B1".parse().expect("a position");
    assert_eq!(read("1-5", &lost), Err("'1-5' is not a play here: the side to move has none".to_owned()));
    for text in ["9\u{2013}13", "9 \u{2212} 13", "9\u{2011}13"] {
        assert_eq!(read(text, &Position::START), Ok("9-13".to_owned()), "{text}");
    }
    assert_eq!(read("1\u{d7}10:19", &alone), Ok("1x10x19".to_owned()));
    for text in ["", "9", "9-", "9-33", "9x13-17", "x9", "pass", "9--13"] {
        let error = read(text, &Position::START).expect_err(text);
        assert!(error.starts_with(&format!("'{text}' is not a move: ")), "{error}");
    }
}
