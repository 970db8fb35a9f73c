//! A position as Tavli3D sees it, and its rating by the rules of both games.

use crate::position::{POINTS, SideCheckers};

/// The points of the home board and the points that follow it, six each.
pub(crate) const QUADRANT: usize = 6;

/// A position as the side that has just played sees it.
#[derive(Debug)]
pub struct Tavli3dPosition {
    /// By point: its own checkers that own the point, and the other side's.
    pub(crate) own: [i64; POINTS + 1],
    pub(crate) other: [i64; POINTS + 1],
    /// Whether a checker is pinned beneath the owner.
    pub(crate) pins: [bool; POINTS + 1],
    /// Its own checkers that are borne off.
    pub(crate) off: i64,
}

impl Tavli3dPosition {
    /// The view of both sides' checkers; `across` is the number that a point of one side has for the other.
    pub(crate) fn new(last: &SideCheckers, next: &SideCheckers, across: impl Fn(usize) -> usize) -> Tavli3dPosition {
        let mut view = Tavli3dPosition {
            own: [0; POINTS + 1],
            other: [0; POINTS + 1],
            pins: [false; POINTS + 1],
            off: i64::from(last.off()),
        };
        for point in 1..=POINTS {
            let across = across(point);
            view.own[point] = i64::from(last.free(point));
            view.other[point] = i64::from(next.free(across));
            view.pins[point] = last.is_pinned(point) || next.is_pinned(across);
        }
        view
    }

    /// Whether the own side holds a point with two checkers, of which one may be pinned.
    fn is_closed(&self, point: usize) -> bool {
        self.own[point] > 1 || (self.own[point] == 1 && self.pins[point])
    }

    /// Whether one own checker stands on a point, and pins none.
    fn is_single(&self, point: usize) -> bool {
        self.own[point] == 1 && !self.pins[point]
    }

    /// How much the other side threatens a single checker, by its distance and by closed points between.
    fn threat(&self, point: usize) -> i64 {
        let (mut blocks, mut threat) = (0, 0);
        for distance in 1..=(2 * QUADRANT).min(point - 1) {
            let from = point - distance;
            let is_near = distance <= QUADRANT;
            if is_near && self.own[from] > 1 {
                blocks += 1;
            }
            if self.other[from] > 0 && blocks < 6 {
                // Tavli3D's numbers, here and in the ratings: papers measure their players against just these.
                let (reach, base) = if is_near { (8, 1667) } else { (15, 0) };
                let chance = 278 * (reach - distance as i64 - blocks);
                if chance > 0 {
                    threat += base + chance;
                }
            }
        }
        threat
    }

    /// The rating by the rules of Plakoto.
    pub(crate) fn plakoto(&self) -> i64 {
        let all = || 1..=POINTS;
        let closed = all().filter(|&point| self.is_closed(point)).count() as i64;
        let neighbours = (1..POINTS).filter(|&point| self.is_closed(point) && self.is_closed(point + 1));
        let adjacent = 15 * neighbours.count() as i64;
        let against =
            (19..=POINTS).filter(|&point| self.other[point] > 1 || (self.other[point] == 1 && self.pins[point]));
        let against = against.count() as i64;
        let sum = |points: &mut dyn Iterator<Item = usize>, of: &dyn Fn(usize) -> i64| -> i64 { points.map(of).sum() };

        let mut rating = adjacent + 30 * closed;
        rating -=
            sum(&mut (1..=QUADRANT).filter(|&point| self.is_single(point)), &|point| 10_i64.pow(8 - point as u32));
        let pins = |point: &usize| self.own[*point] > 0 && self.pins[*point];
        rating += sum(&mut (19..=POINTS).filter(pins), &|point| self.own[point] * 10_i64.pow(point as u32 - 17));
        let is_pinned = |point: &usize| self.other[*point] > 0 && self.pins[*point];
        rating += (closed + adjacent + 1) * sum(&mut all().filter(is_pinned), &|point| point as i64 - 1);
        rating += 100 * sum(&mut all().filter(pins), &|point| 25 - point as i64);
        for (point, worth) in [(19, 100), (18, 150), (13, 200), (12, 250), (7, 300), (6, 350)] {
            rating += if self.is_closed(point) { worth } else { 0 };
        }
        rating
            - sum(&mut all().filter(|&point| self.is_single(point)), &|point| {
                (against + 1) * (self.threat(point) * point as i64 / 100 + 1)
            })
    }

    /// The rating by the rules of Fevga.
    pub(crate) fn fevga(&self) -> i64 {
        let is_held = |point: &usize| self.own[*point] > 0;
        let held = |first: usize| (first..first + QUADRANT).filter(is_held).count() as i64;
        let (home, outer, far) = (held(1), held(7), held(13));
        let points = || (1..=POINTS).filter(is_held);
        let mut rating = 20 * points().count() as i64 + points().map(|point| 25 - point as i64).sum::<i64>();
        rating += 100 * [19, 18, 13, 12, 7, 6].iter().filter(|&point| is_held(point)).count() as i64;
        rating += home * if home >= 2 { 30 } else { 90 };
        rating += outer * if far >= 3 { 130 } else { 110 };
        rating += far * if outer >= 3 { 120 } else { 100 };
        rating += 10 * self.off;
        let is_free = self.other[7..=12].iter().all(|&checkers| checkers == 0);
        if is_free {
            rating += 10_000 * self.off + 50 * self.own[1..=QUADRANT].iter().sum::<i64>();
        } else if home > 0 {
            rating += 1_000_000;
        }
        rating
    }
}
