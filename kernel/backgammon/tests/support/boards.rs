//! Varied legal boards, which include many that random games rarely reach.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::{Union, ValueTree};
use proptest::test_runner::TestRunner;
use tavli_backgammon::{BAR, Board, Roll};

/// Where the checkers of one side stand, one number a checker, in its own frame.
type Layout = Vec<u8>;

fn within(points: core::ops::RangeInclusive<u8>, checkers: core::ops::RangeInclusive<usize>) -> BoxedStrategy<Layout> {
    prop::collection::vec(points, checkers).boxed()
}

fn joined(parts: Vec<BoxedStrategy<Layout>>) -> BoxedStrategy<Layout> {
    parts.prop_map(|parts| parts.concat().into_iter().take(15).collect()).boxed()
}

/// Few points with several checkers each, as in played games.
fn stacks() -> BoxedStrategy<Layout> {
    prop::collection::vec((1..=24_u8, 1..=5_usize), 1..=7)
        .prop_map(|stacks| {
            let checkers = stacks.into_iter().flat_map(|(point, n)| vec![point; n]);
            checkers.take(15).collect()
        })
        .boxed()
}

/// Five or all six home points made, and a few checkers elsewhere.
fn closed() -> BoxedStrategy<Layout> {
    // 0 leaves no point open.
    (prop_oneof![Just(0_u8), 1..=6_u8], prop::collection::vec(1..=24_u8, 0..=4))
        .prop_map(|(open, others)| {
            let made = (1..=6).filter(|&point| point != open);
            made.flat_map(|point| [point; 2]).chain(others).take(15).collect()
        })
        .boxed()
}

/// Nearly all checkers home and one to four on their way: a double can bring them home and bear off.
fn stragglers() -> BoxedStrategy<Layout> {
    joined(vec![prop_oneof![3 => within(7..=12, 1..=4), 1 => within(7..=BAR, 1..=2)].boxed(), within(1..=6, 0..=13)])
}

/// Checkers on the bar, sometimes more than any game has there.
fn entering() -> BoxedStrategy<Layout> {
    let on_bar = prop_oneof![3 => within(BAR..=BAR, 1..=5), 1 => within(BAR..=BAR, 6..=15)];
    joined(vec![on_bar.boxed(), within(1..=24, 0..=12)])
}

/// One or two anchors in the opponent's home, the rest in the player's own home.
fn back_game() -> BoxedStrategy<Layout> {
    (19..=24_u8, 19..=24_u8, prop::collection::vec(1..=8_u8, 5..=11))
        .prop_map(|(one, other, rest)| [vec![one, one, other, other], rest].concat())
        .boxed()
}

fn layouts() -> Union<BoxedStrategy<Layout>> {
    prop_oneof![
        within(1..=BAR, 1..=15),
        within(1..=24, 15..=15),
        stacks(),
        stacks(),
        closed(),
        stragglers(),
        entering(),
        back_game(),
        within(1..=6, 1..=15),  // bear-off
        within(1..=12, 1..=15), // with another such side, a race
        within(1..=9, 1..=3),   // near the end
        within(1..=BAR, 1..=2), // one or two blots
    ]
}

/// A board from two layouts. If both want a point, the first gets it, and the other's checkers move on to the next free
/// point, or off the board.
fn board(first: &[u8], second: &[u8], first_on_roll: bool) -> Board {
    let mut counts = [[0; 26]; 2];
    for &point in first {
        counts[0][usize::from(point)] += 1;
    }
    for &wanted in second {
        let free = |&point: &u8| point == BAR || counts[0][usize::from(BAR - point)] == 0;
        if let Some(point) = (1..=wanted).rev().find(free) {
            counts[1][usize::from(point)] += 1;
        }
    }
    if counts[1] == [0; 26] {
        counts[1][usize::from(BAR)] = 1; // the game is not over
    }
    let board = Board::new(&counts[0], &counts[1]).expect("no point is shared and both have checkers");
    if first_on_roll { board } else { board.swapped() }
}

/// Legal boards of every kind: spread, stacked, closed, entering, bearing off with and without contact,
/// races, back games, stragglers and the last few checkers. They shrink to fewer checkers.
pub(crate) fn boards() -> impl Strategy<Value = Board> {
    let pairs = prop_oneof![
        8 => (layouts(), layouts()).boxed(),
        1 => (closed(), entering()).boxed(),
        1 => (entering(), entering()).boxed(),
        1 => (stragglers(), within(1..=12, 1..=15)).boxed(),
    ];
    (pairs, any::<bool>()).prop_map(|((first, second), first_on_roll)| board(&first, &second, first_on_roll))
}

/// Any of the 21 rolls.
pub(crate) fn rolls() -> impl Strategy<Value = Roll> {
    select(Roll::ALL.to_vec())
}

/// The same varied boards at every call.
pub(crate) fn varied_boards() -> impl Iterator<Item = Board> {
    let mut runner = TestRunner::deterministic();
    let strategy = boards();
    core::iter::repeat_with(move || strategy.new_tree(&mut runner).expect("boards reject nothing").current())
}

/// Three checkers a side wherever they may stand: all that Hypergammon has.
pub(crate) fn three_a_side() -> Vec<Board> {
    let mut boards = Vec::new();
    let points = |seed: usize| [seed % 25 + 1, seed / 25 % 25 + 1, seed / 625 % 25 + 1];
    for seed in 0..400 {
        let mut counts = [[0; 26]; 2];
        // Multiples of numbers without common divisors visit all points of both sides.
        for (side, factor) in [7_919, 6_151].into_iter().enumerate() {
            for point in points((seed + 1) * factor) {
                counts[side][point] += 1;
            }
        }
        boards.extend(Board::new(&counts[0], &counts[1]));
    }
    boards
}
