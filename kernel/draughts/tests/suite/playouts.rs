//! Random games: equal to the specification's game by game, and with the known statistics.

use std::collections::BTreeMap;

use crate::support::effort::by_effort;
use crate::support::tiers::tiers;
use crate::support::{golden, positions, specification, specified};
use tavli_base::{NO_STOP, Stopped};
use tavli_draughts::{Captures, Draughts, Draw, Position, Rules};
use tavli_game::{Game, GameSource, GameStart, PlayoutStart};
use tavli_simd::Tier;

/// Starts that are all handed out at once, and how their games ended, by tag.
struct Listed {
    starts: Vec<GameStart<Position>>,
    ends: BTreeMap<u64, (i32, u32)>,
}

impl GameSource<Position> for Listed {
    fn next(&mut self) -> Option<GameStart<Position>> {
        self.starts.pop()
    }

    fn end(&mut self, tag: u64, points: i32, plies: u32) {
        let before = self.ends.insert(tag, (points, plies));
        assert_eq!(before, None, "a game ends once");
    }
}

/// Plays games from these positions on every tier and by the specification.
fn check(rules: Rules, seed: u64, starts: &[GameStart<Position>]) {
    let specified: BTreeMap<u64, (i32, u32)> = starts
        .iter()
        .map(|game_start| {
            let start = specified::position(&game_start.position);
            let game = specification::play(&start, specified::rules(rules), seed, game_start.game);
            (game_start.tag, (game.points, game.plies))
        })
        .collect();
    for tier in tiers() {
        let mut listed = Listed { starts: starts.to_vec(), ends: BTreeMap::new() };
        Draughts::new(rules, tier, seed).play_out(&mut listed, NO_STOP);
        assert_eq!(listed.ends.len(), specified.len());
        for game_start in starts {
            let (found, specified) = (listed.ends[&game_start.tag], specified[&game_start.tag]);
            assert_eq!(
                found, specified,
                "tier {tier}, {rules}: points and plies of game {} from {}",
                game_start.game, game_start.position
            );
        }
    }
}

/// Starts of these positions, with numbers of games beyond 32 bits.
fn starts(positions: impl Iterator<Item = Position>) -> Vec<GameStart<Position>> {
    let game_start = |(number, position): (usize, Position)| GameStart {
        position,
        chance: None,
        game: (number as u64) << (number % 40),
        tag: u64::MAX - number as u64,
    };
    positions.enumerate().map(game_start).collect()
}

fn with_draw(captures: Captures, draw: Draw) -> Rules {
    Rules { captures, draw }
}

/// Men that block each other, and a king on either side of them that never meets the other.
#[test]
fn no_game_goes_on_for_ever() {
    let locked = "B:WK6,17,18,19,20,21,22,23,24,25:B8,9,10,11,12,13,14,15,16,K30";
    let position: Position = locked.parse().expect("a position");
    for (rules, plies) in [(Rules::REPORT, 255), (Rules::ENGLISH, 80)] {
        for tier in tiers() {
            let game = Draughts::new(rules, tier, 1);
            let tally = PlayoutStart::new(position).run(&game, 0..20, NO_STOP).expect("nothing stops it");
            assert_eq!((tally.count(0), tally.longest, tally.plies), (20, plies, 20 * u128::from(plies)));
        }
        check(rules, 1, &starts(core::iter::repeat_n(position.with_quiet(plies as u8 - 5), 3)));
    }
}

#[test]
fn games_from_the_start_are_the_specified_ones() {
    let start = || core::iter::repeat(Position::START);
    let games = by_effort(1_000, 10_000) as usize;
    check(Rules::ENGLISH, 1, &starts(start().take(games)));
    check(Rules::ENGLISH, 2, &starts(start().take(3)));
    check(Rules::REPORT, 3, &starts(start().take(games / 10)));
    check(Rules::OPTIONAL, 4, &starts(start().take(games / 20)));
}

#[test]
fn games_from_varied_positions_are_the_specified_ones() {
    let games = by_effort(1_500, 40_000) as usize;
    let all = |captures| {
        let draws = [Draw::Quiet(255), Draw::Quiet(80), Draw::Quiet(7), Draw::KingsOnly(20)];
        draws.map(|draw| with_draw(captures, draw))
    };
    for (seed, rules) in all(Captures::Compulsory).into_iter().enumerate() {
        check(rules, 5, &starts(positions::varied(10 + seed as u64).take(games / 4)));
    }
    for captures in [Captures::Optional, Captures::OptionalMayStop] {
        for draw in [Draw::Quiet(7), Draw::KingsOnly(20)] {
            let positions = positions::varied(20).take(games / 20);
            check(with_draw(captures, draw), 6, &starts(positions));
        }
    }
}

/// Reference positions have rare captures: closed loops, and several ways to one result.
#[test]
fn games_from_golden_positions_are_the_specified_ones() {
    let rows = golden::rows(&golden::data("positions_english.tsv"));
    let each = by_effort(4, 200) as usize;
    let position = |row: &Vec<String>| -> Position { row[1].parse().expect("a position") };
    let positions = rows.iter().map(position);
    let many: Vec<Position> = positions.flat_map(|position| core::iter::repeat_n(position, each)).collect();
    check(Rules::ENGLISH, 7, &starts(many.iter().copied()));
    check(Rules::REPORT, 8, &starts(many.iter().step_by(8).copied()));
}

/// A source that has its next game only when a game has ended, as a search does.
struct OneByOne {
    left: u64,
    is_playing: bool,
    sum: u64,
}

impl GameSource<Position> for OneByOne {
    fn next(&mut self) -> Option<GameStart<Position>> {
        if self.is_playing || self.left == 0 {
            return None;
        }
        self.left -= 1;
        self.is_playing = true;
        let position = if self.left.is_multiple_of(3) { Position::START.turned() } else { Position::START };
        Some(GameStart { position, chance: None, game: self.left, tag: self.left })
    }

    fn end(&mut self, tag: u64, points: i32, plies: u32) {
        assert!(core::mem::take(&mut self.is_playing));
        assert_eq!(tag, self.left);
        self.sum = self.sum.wrapping_mul(31).wrapping_add(u64::from(plies)).wrapping_add(points as u64);
    }
}

#[test]
fn a_source_may_wait_for_the_end_of_a_game() {
    let sum = |tier| {
        let mut source = OneByOne { left: 25, is_playing: false, sum: 0 };
        Draughts::new(Rules::ENGLISH, tier, 9).play_out(&mut source, NO_STOP);
        assert_eq!(source.left, 0);
        source.sum
    };
    for tier in tiers() {
        assert_eq!(sum(tier), sum(Tier::Portable), "{tier}");
    }
}

#[test]
fn a_batch_stops_when_asked() {
    for tier in tiers() {
        let game = Draughts::new(Rules::ENGLISH, tier, 1);
        assert_eq!(PlayoutStart::new(Position::START).run(&game, 0..u64::MAX, &|| true), Err(Stopped));
    }
}

/// The rules of a row of `playouts.jsonl`.
fn rules(row: &serde_json::Value) -> Rules {
    let captures = match row["variant"].as_str() {
        Some("english") => Captures::Compulsory,
        Some("optional, must finish") => Captures::Optional,
        Some("optional, may stop") => Captures::OptionalMayStop,
        other => panic!("variant {other:?}"),
    };
    let draw = row["draw_rule"].as_str().expect("a draw rule");
    let number = || draw[1..].parse().expect("a number of plies");
    let draw = match &draw[..1] {
        // Without a draw rule: in games of random play that end, the count does not come so far.
        "N" => Draw::Quiet(255),
        "P" => Draw::Quiet(number()),
        "K" => Draw::KingsOnly(number()),
        other => panic!("draw rule {other}"),
    };
    Rules { captures, draw }
}

#[test]
fn games_have_the_known_statistics() {
    let lines = golden::lines(&golden::best("playouts.jsonl"));
    assert_eq!(lines.len(), 8);
    let tier = tiers()[0];
    for (seed, line) in lines.iter().enumerate() {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let start: Position = row["start"].as_str().expect("a position").parse().expect("a position");
        let rules = rules(&row);
        let games = by_effort(if rules.captures == Captures::Compulsory { 60_000 } else { 6_000 }, 600_000);
        let game = Draughts::new(rules, tier, 100 + seed as u64);
        let tally = PlayoutStart::new(start).run(&game, 0..games, NO_STOP).expect("nothing stops it");
        let number = |name: &str| row[name].as_f64().expect("a number");
        let is_black = row["start"].as_str().is_some_and(|text| text.starts_with('B'));
        let [black, white] = if is_black { [1, -1] } else { [-1, 1] };
        let plies = tally.mean_plies();
        let known = |points: i32, name: &str| {
            let share = tally.count(points) as f64 / games as f64;
            // The known share's spread, at least that of a single game.
            let spread = number(name).clamp(1e-4, 1.0 - 1e-4);
            let error = (spread * (1.0 - spread) / games as f64).sqrt();
            (name.to_owned(), share, error, number(name), number(&format!("{name}_se")))
        };
        let of_plies =
            ("plies_mean".to_owned(), plies.mean, plies.standard_error, number("plies_mean"), number("plies_se"));
        for (name, found, error, expected, expected_error) in
            [known(black, "black"), known(white, "white"), known(0, "draw"), of_plies]
        {
            let z = (found - expected) / error.hypot(expected_error);
            assert!(z.abs() < 4.5, "{rules}, {start}, {name}: {found}, known {expected}, z {z:.2}");
        }
    }
}

/// Random play of two and three pieces has exact probabilities.
#[test]
fn few_pieces_have_their_exact_probabilities() {
    let games = by_effort(6_000, 100_000);
    let (mut chi_square, mut shares) = (0.0, 0);
    for (number, row) in golden::rows(&golden::best("random_exact.tsv")).iter().enumerate() {
        let position: Position = row[0].parse().expect("a position");
        let numbers: Vec<f64> = row[1..].iter().map(|text| text.parse().expect("a number")).collect();
        let is_black = row[0].starts_with('B');
        let play = |draw| {
            let game = Draughts::new(with_draw(Captures::Compulsory, draw), tiers()[0], 1000 + number as u64);
            PlayoutStart::new(position).run(&game, 0..games, NO_STOP).expect("nothing stops it")
        };
        let (endless, drawn) = (play(Draw::Quiet(255)), play(Draw::Quiet(80)));
        let [black, white] = if is_black { [1, -1] } else { [-1, 1] };
        for (count, probability) in
            [(endless.count(black), numbers[0]), (drawn.count(black), numbers[2]), (drawn.count(white), numbers[3])]
        {
            let expected = probability * games as f64;
            // Results with fewer games expected are not near normal.
            if expected < 20.0 || expected > games as f64 - 20.0 {
                assert!((count as f64 - expected).abs() < 60.0, "{}: {count}, expected {expected}", row[0]);
                continue;
            }
            let z = (count as f64 - expected) / (expected * (1.0 - probability)).sqrt();
            assert!(z.abs() < 4.8, "{}: {count} games, expected {expected}, z {z:.2}", row[0]);
            chi_square += z * z;
            shares += 1;
        }
        let plies = endless.mean_plies();
        let z = (plies.mean - numbers[1]) / plies.standard_error.max(1e-9);
        assert!(z.abs() < 6.0, "{}: {} plies, exactly {}", row[0], plies.mean, numbers[1]);
    }
    let z = (chi_square - f64::from(shares)) / (2.0 * f64::from(shares)).sqrt();
    assert!(shares > 200 && z.abs() < 5.0, "chi-square {chi_square:.1} of {shares}");
}
