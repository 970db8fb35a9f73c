//! Bear-offs of Plakoto and Fevga, which have the values of backgammon's tables.

use std::collections::BTreeSet;
use std::sync::Arc;

use tavli_backgammon::{BackgammonGame, Board, NO_STOP, Planes, Stopped, Tier};
use tavli_games::streams::seed_of_game;
use tavli_games::{BothHome, ChoiceEvaluator, Game, POINT, PlayableGame, ReadAgentError, default_evaluator, named_net};
use tavli_variants::{Fevga, Plakoto, Position};

/// The drawn checkers of a side in its home board, at most `most`, at least one.
fn drawn_side(seed: &mut u64, most: u64) -> [u8; 6] {
    let mut draw = |below: u64| {
        *seed = seed_of_game(*seed, below);
        *seed % below
    };
    let mut side = [0; 6];
    for _ in 0..=draw(most) {
        side[draw(6) as usize] += 1;
    }
    side
}

/// The position of a game in which both sides have the given checkers.
fn position<G: PlayableGame<Position = Position>>(game: &G, [own, opponent]: BothHome) -> Position {
    let mut text = vec!['-'; 24];
    for point in 1..=6 {
        let letter = |first: char, checkers: u8| char::from(first as u8 - 1 + checkers);
        if own[point - 1] > 0 {
            text[point - 1] = letter('A', own[point - 1]);
        }
        if opponent[point - 1] > 0 {
            let across = if G::NAME == "plakoto" { 25 - point } else { point + 12 };
            text[across - 1] = letter('a', opponent[point - 1]);
        }
    }
    game.read(&String::from_iter(text)).expect("a position")
}

/// The same position of backgammon.
fn in_backgammon([own, opponent]: BothHome) -> Planes {
    let mut points = [0; 26];
    for point in 1..=6 {
        points[point] = own[point - 1] as i8;
        points[25 - point] = -(opponent[point - 1] as i8);
    }
    Board::from_points(&points).expect("a position").into()
}

/// The rules have the plays and the points of backgammon for drawn sides of at most `most` checkers.
fn check_plays<G: PlayableGame<Position = Position>>(rules: &str, most: u64) {
    let game = G::by_rules(rules, Tier::Portable, 1).expect("rules");
    let backgammon = BackgammonGame::by_rules("backgammon", Tier::Portable, 1).expect("rules");
    let mut seed = most;
    for _ in 0..60 {
        let sides = [drawn_side(&mut seed, most), drawn_side(&mut seed, most)];
        let (here, there) = (position(&game, sides), in_backgammon(sides));
        assert_eq!(G::both_home(&here), Some(sides));
        for chance in 0..game.chances().len() {
            let roll = game.chance_text(chance);
            let of_backgammon = backgammon.chance(&roll).expect("a roll");
            let after = |side: [u32; 6], points: Option<i32>| (side, points);
            let found: BTreeSet<_> = game
                .results(&here, chance)
                .iter()
                .map(|result| {
                    let side = core::array::from_fn(|point| result.opponent().free(point + 1));
                    after(side, game.points(result))
                })
                .collect();
            let expected: BTreeSet<_> = backgammon
                .results(&there, of_backgammon)
                .iter()
                .map(|result| {
                    // The player on roll is the other one now.
                    let points = Board::from(*result).points();
                    let side = core::array::from_fn(|point| u32::from(points[24 - point].unsigned_abs()));
                    after(side, backgammon.points(result))
                })
                .collect();
            assert_eq!(found, expected, "{} {rules} {} {roll}", G::NAME, game.text(&here));
        }
    }
}

#[test]
fn both_games_bear_off_as_backgammon_does() {
    for most in [3, 6, 15] {
        for rules in ["default", "mother=immediate", "pinned_blocks_bearoff=no"] {
            check_plays::<Plakoto>(rules, most);
        }
        for rules in ["default", "r1=step", "r1=off", "r2=occupied", "r2=off", "r3=duty", "r3=off", "passed=12"] {
            check_plays::<Fevga>(rules, most);
        }
    }
}

/// The values of positions by a net, in points.
fn values<G: PlayableGame<Position = Position>>(game: &G, net: &str, positions: &[Position]) -> Vec<f64> {
    let named = named_net(game, net, NO_STOP).expect("a net").expect("a net");
    let mut found = vec![0; positions.len()];
    named.net.values(positions, &mut found, NO_STOP).expect("nothing stops it");
    found.iter().map(|&value| value as f64 / POINT as f64).collect()
}

/// Tables value only bear-offs, and each value follows from the values one ply ahead.
fn check_values<G: PlayableGame<Position = Position>>() {
    let game = G::by_rules(G::RULES[0], Tier::best(), 1).expect("rules");
    let mut seed = 5;
    let drawn = (0..40).map(|_| position(&game, [drawn_side(&mut seed, 6), drawn_side(&mut seed, 6)]));
    let mut positions: Vec<Position> = drawn.collect();
    positions.insert(20, game.start());
    let plain = values(&game, "strong", &positions);
    let exact = values(&game, "strong+bearoff:6+bearoff:6x6", &positions);
    assert_eq!(exact[20], plain[20], "a net values what no table knows");
    assert_eq!(exact, values(&game, "strong+bearoff:6x6", &positions));
    let rounded = values(&game, "strong+bearoff:6", &positions);
    for (at, (exact, position)) in exact.iter().zip(&positions).enumerate().filter(|(at, _)| *at != 20) {
        assert!((rounded[at] - exact).abs() < 0.03, "{}: {exact}, {}", game.text(position), rounded[at]);
        let ahead = game.chances().iter().enumerate().map(|(chance, &weight)| {
            let results = game.results(position, chance);
            let ends = results.iter().map(|result| game.points(result).map(f64::from));
            let going_on: Vec<Position> =
                results.iter().copied().filter(|result| game.points(result).is_none()).collect();
            let mut valued = values(&game, "strong+bearoff:6x6", &going_on).into_iter();
            let all = ends.map(|points| -points.unwrap_or_else(|| valued.next().expect("a value")));
            f64::from(weight) / 36.0 * all.fold(f64::NEG_INFINITY, f64::max)
        });
        let ahead: f64 = ahead.sum();
        assert!((exact - ahead).abs() < 1e-6, "{}: {exact}, {ahead}", game.text(position));
    }
}

#[test]
fn bear_offs_have_the_exact_values_of_tables() {
    check_values::<Plakoto>();
    check_values::<Fevga>();
}

#[test]
fn fifteen_checkers_in_a_bear_off_have_nearly_exact_values() {
    let game = Arc::new(Plakoto::by_rules("default", Tier::best(), 1).expect("rules"));
    let stopped = named_net(&*game, "strong+bearoff:9x6", &|| true);
    assert_eq!(stopped.err(), Some(ReadAgentError::Stopped(Stopped)));
    let named = named_net(&*game, default_evaluator("plakoto").expect("a net"), NO_STOP);
    let net = named.expect("a net").expect("a net").net;
    let evaluator = ChoiceEvaluator::with_net(Arc::clone(&game), net, 0);
    let before = game.read("---------A-----------o--").expect("a position");
    let ranked = evaluator.ranked(&before, game.chance("31").expect("a roll"), NO_STOP).expect("plays");
    // After 10/6 the other side bears a checker off first unless it rolls 22, after which 27 of 36 rolls win doubly.
    // The game goes on after the other 9, and is won singly unless the other side rolls 22 again.
    let exact = (35.0 + (27.0 * 2.0 + 9.0 * (1.0 + 1.0 / 36.0)) / 36.0) / 36.0;
    assert!((ranked[0].value - exact).abs() < 1e-3, "{:?}, exactly {exact}", ranked[0]);
}
