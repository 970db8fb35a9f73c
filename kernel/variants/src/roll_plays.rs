//! The plays of a roll in a position by the rules: counted, picked, listed.

use core::ops::Range;

use tavli_simd::{Isa, Scalar, ScalarIsa, Vector, Word};

use crate::end_test::EndTest;
use crate::plays::{
    Counts, MoverMasks, PlaySet, StepRules, Visit, counts_of, reached, reached_by_double, sequences, visit_plays,
};
use crate::position::{Position, SideCheckers, SideVectors};
use crate::rolls::ROLLS;
use crate::variant::Variant;
use tavli_algebra::planes::occupied_and_made;

/// Evaluates an expression with the proof of the fastest words of this CPU.
macro_rules! on_words {
    ($isa:ident => $work:expr) => {
        match tavli_simd::Bmi2::detect() {
            Some($isa) => tavli_simd::Isa::with_features($isa, || $work),
            None => {
                let $isa = tavli_simd::Scalar;
                $work
            }
        }
    };
}
pub(crate) use on_words;

/// How many plays a roll has.
pub(crate) fn count<G: Variant>(game: &G, position: &Position, roll: usize) -> usize {
    let number = on_words!(isa => visit(game, isa, position, roll, 0..0, Visited::AllOrNone, &mut |_| ()));
    number.map_or_else(|| list(game, position, roll).len(), |number| number as usize)
}

/// The position after the play of an index below [`count`], seen by the other player.
pub(crate) fn result<G: Variant>(game: &G, position: &Position, roll: usize, index: usize) -> Position {
    let mut picked = position.own.counts;
    let only = index as u32..index as u32 + 1;
    let is_picked = on_words!(isa => {
        let mut pick = |counts| picked = counts;
        visit(game, isa, position, roll, only, Visited::AllOrNone, &mut pick).is_some()
    });
    if !is_picked {
        picked = list(game, position, roll)[index];
    }
    after::<G>(position, picked)
}

/// The positions after all plays, in the order of their indices, seen by the other player.
pub(crate) fn results<G: Variant>(game: &G, position: &Position, roll: usize) -> Vec<Position> {
    visited_results(game, position, roll, Visited::AllOrNone).unwrap_or_else(|| {
        let plays = list(game, position, roll).into_iter();
        plays.map(|counts| after::<G>(position, counts)).collect()
    })
}

/// Which of the plays that the closed forms count are visited.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visited {
    /// None, if one of them may be forbidden.
    AllOrNone,
    /// All, forbidden or not.
    WithForbidden,
}

/// The positions after the plays that the closed forms count, seen by the other player; `None` if they are not visited.
// Not inlined: a copy of the closed forms takes 6 kB of a module of WebAssembly.
#[inline(never)]
fn visited_results<G: Variant>(game: &G, position: &Position, roll: usize, visited: Visited) -> Option<Vec<Position>> {
    let mut results = Vec::new();
    let mut add = |counts| results.push(after::<G>(position, counts));
    on_words!(isa => visit(game, isa, position, roll, 0..u32::MAX, visited, &mut add)).map(|_| results)
}

/// The position with these free checkers of the mover's, seen by the other player.
fn after<G: Variant>(position: &Position, counts: [u32; 4]) -> Position {
    let mover = SideCheckers { counts, ..position.own };
    let mut other = SideVectors::splat(Scalar, &position.opponent);
    G::pin(Scalar.splat(mover.occupied()), &mut other);
    Position { own: side_of(&other), opponent: mover }
}

/// The side of words of one lane.
pub(crate) fn side_of<B: ScalarIsa>(words: &SideVectors<Word<B>>) -> SideCheckers {
    SideCheckers { counts: words.counts.map(Word::get), pinned: words.pinned.get() }
}

/// Calls `take` with the mover's counts after the plays of these indices, and returns how many plays there are. `None`
/// if they are not visited.
#[inline(always)]
fn visit<G: Variant, B: ScalarIsa + Isa<Vector = Word<B>>>(
    game: &G,
    isa: B,
    position: &Position,
    roll: usize,
    indices: Range<u32>,
    visited: Visited,
    take: &mut dyn FnMut([u32; 4]),
) -> Option<u32> {
    let dice = ROLLS[roll].map(|die| isa.splat(u32::from(die)));
    let mover = SideVectors::splat(isa, &position.own);
    let other = SideVectors::splat(isa, &position.opponent);
    let turn = MoverMasks::new(game, &mover, &other);
    if visited == Visited::AllOrNone {
        let is_listed = game.goes_step_by_step(position) || game.duty(position) != 0;
        // A coarse test: where it finds no danger, plays need not be listed and tested one by one.
        if is_listed || (G::HAS_RUNNER && is_at_risk(&turn, &game.end_test(&other, turn.occupied), dice)) {
            return None;
        }
    }
    Some(visit_plays(&turn, dice, VisitIndices { isa, indices, take }))
}

/// Whether some play of a roll might be forbidden.
#[inline(always)]
fn is_at_risk<B: ScalarIsa>(turn: &MoverMasks<Word<B>>, end_test: &EndTest<Word<B>>, dice: [Word<B>; 2]) -> bool {
    let [high, low] = dice;
    if high.lanes_equal(low) {
        end_test.is_at_risk(turn.occupied, reached_by_double(turn, high), high.splat(4))
    } else {
        end_test.is_at_risk(turn.occupied, reached(turn, dice), high.splat(2))
    }
}

/// Calls a function with the mover's counts after the plays of some indices. Returns how many plays there are.
struct VisitIndices<'a, B> {
    isa: B,
    indices: Range<u32>,
    take: &'a mut dyn FnMut([u32; 4]),
}

impl<B: ScalarIsa + Isa<Vector = Word<B>>> Visit<Word<B>> for VisitIndices<'_, B> {
    type Output = u32;

    #[inline(always)]
    fn visit(self, set: &impl PlaySet<Word<B>>, turn: &MoverMasks<Word<B>>) -> u32 {
        let plays = set.plays().get();
        for index in self.indices.start..self.indices.end.min(plays) {
            let mut counts = turn.counts;
            set.delta(self.isa.splat(index)).make(&mut counts);
            (self.take)(counts.map(Word::get));
        }
        plays
    }
}

/// The mover's counts after every allowed play; never empty, since a pass is a play.
pub(crate) fn list<G: Variant>(game: &G, position: &Position, roll: usize) -> Vec<[u32; 4]> {
    list_of_drawn(game, position, roll).0
}

/// [`list`], and from how many plays, forbidden or not, the closed forms draw.
pub(crate) fn list_of_drawn<G: Variant>(game: &G, position: &Position, roll: usize) -> (Vec<[u32; 4]>, usize) {
    let dice = ROLLS[roll].map(u32::from);
    let mover = SideVectors::splat(Scalar, &position.own);
    let other = SideVectors::splat(Scalar, &position.opponent);
    let turn = MoverMasks::new(game, &mover, &other);
    let end_test = game.end_test(&other, turn.occupied);
    let results = match game.goes_step_by_step(position) {
        true => Vec::new(),
        false => visited_results(game, position, roll, Visited::WithForbidden).expect("forbidden plays are visited"),
    };
    let counts = results.iter().map(|result| result.opponent.counts);
    let mut allowed: Vec<[u32; 4]> = counts.filter(|counts| end_test.allows(occupied(counts))).collect();
    if allowed.is_empty() {
        allowed = shorter(game, position, &turn, &end_test, dice);
    }
    let duty = game.duty(position);
    let opens = |counts: &[u32; 4]| !occupied(counts).get() & duty != 0;
    if allowed.iter().any(opens) {
        allowed.retain(opens);
    }
    (allowed, results.len())
}

fn occupied(counts: &[u32; 4]) -> Word<Scalar> {
    let (occupied, _) = occupied_and_made(&counts.map(|plane| Scalar.splat(plane)));
    occupied
}

/// The allowed plays of the most dice, in positions where the closed forms give no allowed play.
fn shorter<G: Variant>(
    game: &G,
    position: &Position,
    turn: &MoverMasks<Word<Scalar>>,
    end_test: &EndTest<Word<Scalar>>,
    [high, low]: [u32; 2],
) -> Vec<[u32; 4]> {
    let rules = StepRules {
        game,
        open: turn.open.get(),
        unpinned: position.own.pinned & !game.may_stay_pinned() == 0,
        pinned: position.own.pinned,
    };
    let mover = counts_of(&position.own);
    let all = |dice: &[u32]| sequences(&rules, &mover, dice);
    let lists: Vec<Vec<Counts>> = if high == low {
        let of_steps = |steps| all(&vec![high; steps]).into_iter().collect();
        (1..=4).rev().map(of_steps).collect()
    } else {
        // A set of counts ascends by point 1, then by point 2, and so on: the order of `specification.rs`.
        let mut both = all(&[high, low]);
        both.extend(all(&[low, high]));
        vec![both.into_iter().collect(), rules.steps(&mover, high), rules.steps(&mover, low)]
    };
    let lists = lists.into_iter().map(|list| -> Vec<[u32; 4]> {
        let planes = list.iter().map(planes_of);
        planes.filter(|counts| end_test.allows(occupied(counts))).collect()
    });
    lists.into_iter().find(|list| !list.is_empty()).unwrap_or_else(|| vec![position.own.counts])
}

fn planes_of(counts: &Counts) -> [u32; 4] {
    core::array::from_fn(|bit| {
        let points = counts.iter().enumerate();
        points.fold(0, |plane, (point, &number)| plane | u32::from(number >> bit & 1) << point)
    })
}
