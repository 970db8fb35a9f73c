//! The numbers of ways a game can go on.

use crate::support::effort::is_thorough;
use crate::support::golden;
use tavli_draughts::{Captures, Draughts, Draw, Position, Rules};
use tavli_game::Game;
use tavli_simd::Tier;

fn game(rules: Rules) -> Draughts {
    Draughts::new(rules, Tier::Portable, 1)
}

#[test]
fn golden_counts() {
    let most = if is_thorough() { u128::MAX } else { 20_000_000 };
    let mut rows = 0;
    for row in golden::rows(&golden::best("perft.tsv")) {
        let [name, fen, depth, _, nodes] = &row[..] else {
            panic!("a row of five columns: {row:?}");
        };
        let captures = match name.as_str() {
            "english" => Captures::Compulsory,
            "optional, must finish" => Captures::Optional,
            "optional, may stop" => Captures::OptionalMayStop,
            other => panic!("rules {other}"),
        };
        let nodes: u128 = nodes.parse().expect("a number");
        if nodes > most {
            continue;
        }
        let game = game(Rules { captures, draw: Draw::Quiet(255) });
        let position: Position = fen.parse().expect("a position");
        let found = game.perft(&position, depth.parse().expect("a number"));
        assert_eq!((found.nodes, found.weighted), (nodes, nodes), "{name}: {fen}, depth {depth}");
        rows += 1;
    }
    assert!(rows > 60, "{rows} rows");
}

/// Games that are drawn go no further, so near the end of the count there are fewer ways.
#[test]
fn draws_cut_ways_short() {
    let near: Position = "B:WK1,K2:BK31,K32:H77".parse().expect("a position");
    let counted = |position: &Position, depth| game(Rules::ENGLISH).perft(position, depth).nodes;
    for depth in 0..=3 {
        assert_eq!(counted(&near, depth), counted(&near.with_quiet(0), depth), "depth {depth}");
    }
    assert!(counted(&near.with_quiet(0), 4) > 0);
    assert_eq!(counted(&near, 4), 0, "no way is longer than the game");
}
