//! Plays of doubles, counted and picked by index, against every sequence of steps.

use std::collections::BTreeSet;

use tavli_algebra::{DoubleMasks, OFF_BIT, POINT_BITS, planes};
use tavli_simd::{Isa, Scalar};
use tavli_testing::random::Random;

/// Checkers by point; index 0 is off the board.
type Checkers = [u8; 25];

/// Adds the positions after as many steps as can be played, at most `steps`, and returns how many these are.
fn play(checkers: Checkers, lands: u32, die: usize, steps: u32, results: &mut BTreeSet<(u32, Checkers)>) -> u32 {
    let mut played = 0;
    if steps > 0 {
        for from in die..=24 {
            if checkers[from] > 0 && lands >> (from - die) & 1 == 1 {
                let mut after = checkers;
                after[from] -= 1;
                after[from - die] += 1;
                played = played.max(1 + play(after, lands, die, steps - 1, results));
            }
        }
    }
    if played == 0 {
        results.insert((steps, checkers));
    }
    played
}

/// How many steps there are from, or to, a point.
fn count(steps: [u32; 3], point: usize) -> u8 {
    (0..3).map(|bit| (steps[bit] >> point & 1) << bit).sum::<u32>() as u8
}

#[test]
fn plays_are_those_of_every_sequence_of_steps() {
    let mut numbers = Random(1);
    let mut counted = 0;
    for game in 0..3000 {
        let (die, steps) = (1 + numbers.below(6), 1 + numbers.below(4) as u32);
        let bears_off = numbers.below(3) == 0;
        let points = if bears_off { 6 } else { 24 };
        let mut checkers: Checkers = [0; 25];
        for _ in 0..1 + numbers.below(15) {
            checkers[1 + numbers.below(points)] += 1;
        }
        // Three quarters of the points, and those with own checkers, are open.
        let closed = (0..24).filter(|_| numbers.below(4) == 0).map(|point| 2 << point);
        let own = (1..25).filter(|&point| checkers[point] > 0).map(|point| 1 << point);
        let open = (POINT_BITS & !closed.sum::<u32>()) | own.sum::<u32>();

        let mut results = BTreeSet::new();
        play(checkers, if bears_off { open | OFF_BIT } else { open }, die, steps, &mut results);
        let fewest_left = results.first().expect("a pass is one").0;
        let expected: BTreeSet<Checkers> =
            results.into_iter().filter(|&(left, _)| left == fewest_left).map(|(_, after)| after).collect();

        let word = |bits: u32| Scalar.splat(bits);
        let counts =
            [0, 1, 2, 3].map(|bit| word((1..25).map(|point| u32::from(checkers[point] >> bit & 1) << point).sum()));
        let plays = DoubleMasks::new(counts, word(open), word(die as u32), word(steps), bears_off).count();
        let number = plays.plays().get();
        let picked: BTreeSet<Checkers> = (0..number)
            .map(|index| {
                let from = plays.steps::<false>(&plays.uses(word(index)));
                let to = planes::landings(&from, word(die as u32));
                let [from, to] = [from, to].map(|steps| steps.map(|plane| plane.get()));
                core::array::from_fn(|point| checkers[point] + count(to, point) - count(from, point))
            })
            .collect();
        assert_eq!(picked, expected, "game {game}: {checkers:?}, die {die}, {steps} steps, open {open:#x}");
        assert_eq!(number as usize, expected.len(), "game {game}: a play comes twice");
        counted += number;
    }
    assert!(counted > 30_000, "only {counted} plays");
}
