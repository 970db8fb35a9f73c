//! Tic-tac-toe against its known numbers.

mod specified;

use std::collections::HashMap;

use tavli_base::{NO_STOP, Stopped};

use tavli_game::{Game, PlayableGame, PlayoutStart};
use tavli_simd::Tier;
use tavli_tictactoe::{Board, TicTacToe};

fn game(seed: u64) -> TicTacToe {
    TicTacToe::by_rules("standard", Tier::best(), seed).expect("its rules")
}

/// The known numbers of sequences of plies; finished games have no moves.
#[test]
fn perft_is_the_known_one() {
    let known = [1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872, 0];
    for (depth, nodes) in known.into_iter().enumerate() {
        let found = game(1).perft(&Board::START, depth as u32);
        assert_eq!((found.nodes, found.weighted), (nodes, nodes), "depth {depth}");
    }
}

/// The games from a position by their points for the player to move: won, drawn, lost.
fn games(game: &TicTacToe, position: &Board, known: &mut HashMap<Board, [u64; 3]>) -> [u64; 3] {
    if let Some(points) = game.points(position) {
        return [u64::from(points == 1), u64::from(points == 0), u64::from(points == -1)];
    }
    if let Some(&counts) = known.get(position) {
        return counts;
    }
    let mut counts = [0; 3];
    for result in game.results(position, 0) {
        let [won, drawn, lost] = games(game, &result, known);
        counts = [counts[0] + lost, counts[1] + drawn, counts[2] + won];
    }
    known.insert(*position, counts);
    counts
}

#[test]
fn all_games_are_255168() {
    let mut known = HashMap::new();
    assert_eq!(games(&game(1), &Board::START, &mut known), [131_184, 46_080, 77_904]);
    let over = 958; // positions in which the game is over
    assert_eq!(known.len(), 5478 - over);
}

/// X wins 737 of 1,260 random games, and 8 of 63 are drawn; after a mark in the centre 0.692857, as the first player
/// sees it.
#[test]
fn random_games_end_as_they_must() {
    let games = 200_000;
    let centre = game(1).read("---/-X-/--- O").expect("a position");
    for (position, shares) in
        [(Board::START, [737.0 / 1260.0, 8.0 / 63.0, 121.0 / 420.0]), (centre, [0.192_857, 0.114_286, 0.692_857])]
    {
        let tally = PlayoutStart::new(position).run(&game(7), 0..games, NO_STOP);
        let tally = tally.expect("nothing stops it");
        assert_eq!(tally.games, games);
        for (points, share) in [1, 0, -1].into_iter().zip(shares) {
            let found = tally.count(points) as f64 / games as f64;
            let error = (share * (1.0 - share) / games as f64).sqrt();
            assert!((found - share).abs() < 4.5 * error, "{points}: {found} for {share}");
        }
    }
}

#[test]
fn parts_of_the_games_add_up() {
    let (game, start) = (game(3), PlayoutStart::new(Board::START));
    let of = |games| start.run(&game, games, NO_STOP).expect("nothing stops it");
    let mut sum = of(0..1);
    sum.merge(&of(1..1000));
    assert_eq!(sum, of(0..1000));
    assert_eq!(start.run(&game, 0..9, &|| true), Err(Stopped));
}

#[test]
fn positions_are_read_as_they_are_written() {
    let game = game(1);
    for text in ["---/---/--- X", "X--/---/--- O", "XO-/-X-/--- O", "XXX/OO-/--- O", "XOX/XOO/OXX O"] {
        assert_eq!(game.text(&game.read(text).expect(text)), text);
    }
    assert_eq!(
        game.drawing(&game.read("XO-/-X-/--- O").expect("a position")),
        "3  X O .\n2  . X .\n1  . . .\n   a b c   O to move"
    );
    assert_eq!(game.chance("31"), None);
}

#[test]
fn what_is_no_position_is_refused() {
    let shape = "is not three rows of X, O and -";
    for (text, message) in [
        ("", shape),
        ("XO-/-X-/---", shape),
        ("XO-/-X-/--- Z", shape),
        ("XO-/-X-/--? O", shape),
        ("XO-/-X-- O", shape),
        ("\u{1b}[31m", shape),
        ("X--/---/--- X", "the marks are 1 of X and 0 of O with X to move"),
        ("XXX/OOO/--- X", "the game was over before"),
    ] {
        let error = game(1).read(text).expect_err(text).to_string();
        assert!(error.contains(message) && !error.contains('\u{1b}'), "{text}: {error}");
    }
    let error = TicTacToe::by_rules("misère", Tier::best(), 1).expect_err("no such rules");
    assert_eq!(error.to_string(), "'misère' is not a set of rules of tictactoe, which has: standard");
}

#[test]
fn the_recorded_games_are_played() {
    assert_eq!(tavli_game::signature::<TicTacToe>(Tier::best()), 0xfab3_d454_77e8_649c);
}
