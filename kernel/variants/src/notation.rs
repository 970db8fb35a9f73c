//! The moves of a play in the field's notation: `24/14`, `8/5* 6/5`, `6/off(2)`.

use std::collections::BTreeMap;

use crate::position::{POINTS, Position, SideCheckers};
use crate::variant::Variant;

/// A checker's way: from a point to a point, or to 0, off the board.
type CheckerMove = (usize, usize);

/// The moves of the play that leads from a position to another, which the other player sees. `*` marks a landing that
/// pins a checker, which was free before.
pub(crate) fn moves<G: Variant>(position: &Position, [high, low]: [u8; 2], after: &Position) -> String {
    let (before, moved) = (&position.own, &after.opponent);
    let steps = if high == low {
        steps_of_double(before, moved, usize::from(high))
    } else {
        steps_of_two_dice(before, moved, [high, low].map(usize::from))
    };
    let mut ways = BTreeMap::new();
    for way in joined(steps) {
        *ways.entry(way).or_insert(0) += 1;
    }
    let pins = |to: usize| {
        let across = G::point_across(to);
        after.own.is_pinned(across) && !position.opponent.is_pinned(across)
    };
    let mut texts = Vec::new();
    let mut pinned = 0;
    // The rearmost checkers first, and of those the shortest ways.
    for ((from, to), times) in ways.into_iter().rev() {
        let mut text = match to {
            0 => format!("{from}/off"),
            _ => format!("{from}/{to}"),
        };
        // Of several ways to a point only the first one pins.
        if to > 0 && pins(to) && pinned & 1 << to == 0 {
            pinned |= 1 << to;
            text.push('*');
        }
        if times > 1 {
            text.push_str(&format!("({times})"));
        }
        texts.push(text);
    }
    if texts.is_empty() {
        return "cannot move".into();
    }
    texts.join(" ")
}

/// The steps of a double: each point is left as often as it has and gets checkers, minus the checkers that stay.
fn steps_of_double(before: &SideCheckers, after: &SideCheckers, die: usize) -> Vec<CheckerMove> {
    let mut steps = Vec::new();
    let mut left = [0; POINTS + 1];
    // From the rear, so that what a point gets is known when its turn comes.
    for point in (1..=POINTS).rev() {
        let got = left.get(point + die).copied().unwrap_or(0);
        left[point] = before.free(point) + got - after.free(point);
        steps.extend((0..left[point]).map(|_| (point, point.saturating_sub(die))));
    }
    steps
}

/// The steps of two different dice, of one, or none. Among several ways that end alike, a run of one checker is
/// preferred.
fn steps_of_two_dice(before: &SideCheckers, after: &SideCheckers, [high, low]: [usize; 2]) -> Vec<CheckerMove> {
    let differs = |counts: &[u32; POINTS + 1]| (1..=POINTS).any(|point| counts[point] != after.free(point));
    let start: [u32; POINTS + 1] = core::array::from_fn(|point| if point == 0 { 0 } else { before.free(point) });
    let step = |counts: &[u32; POINTS + 1], (from, to): CheckerMove| {
        let mut next = *counts;
        next[from] = next[from].checked_sub(1)?;
        if to > 0 {
            next[to] += 1;
        }
        Some(next)
    };
    let ways = |die: usize| (1..=POINTS).map(move |from| (from, from.saturating_sub(die)));
    if !differs(&start) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (first, second) in [(high, low), (low, high)] {
        for one in ways(first) {
            let Some(under_way) = step(&start, one) else { continue };
            if !differs(&under_way) {
                found.push(vec![one]);
            }
            for other in ways(second) {
                if step(&under_way, other).is_some_and(|counts| !differs(&counts)) {
                    found.push(vec![one, other]);
                }
            }
        }
    }
    let is_run = |steps: &Vec<CheckerMove>| steps.len() == 2 && steps[0].1 == steps[1].0;
    // Some way is found, since a play leads here.
    let run = found.iter().position(is_run);
    found.swap_remove(run.unwrap_or(0))
}

/// Joins a step to the step that begins where it ends: both are one way.
fn joined(mut steps: Vec<CheckerMove>) -> Vec<CheckerMove> {
    let next = |steps: &[CheckerMove]| {
        (0..steps.len()).find_map(|at| {
            let goes_on = |&(from, _): &CheckerMove| from == steps[at].1;
            steps.iter().position(goes_on).map(|other| (at, other))
        })
    };
    while let Some((at, other)) = next(&steps) {
        steps[at].1 = steps[other].1;
        steps.remove(other);
    }
    steps
}
