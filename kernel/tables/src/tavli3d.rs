//! The evaluation of Tavli3D 0.3, a program of 2008 that papers on these games measure their players against.
//!
//! The rating of a position is an integer, the higher the better for the side that has just played. A player that picks
//! a play of the highest rating makes 1.69 points a game against uniform play in Plakoto, and 0.97 in Fevga.

use crate::position::{CHECKERS, POINTS, Position, Side};
use crate::variant::Variant;

/// The points of the home board and the points that follow it, six each.
const QUADRANT: usize = 6;

/// A position as the side that has just played sees it.
#[derive(Debug)]
pub struct View {
    /// By point: its own checkers that own the point, and the other side's.
    own: [i64; POINTS + 1],
    other: [i64; POINTS + 1],
    /// Whether a checker is pinned beneath the owner.
    pins: [bool; POINTS + 1],
    /// Its own checkers that are borne off.
    off: i64,
}

impl View {
    pub(crate) fn new<G: Variant>(last: &Side, next: &Side) -> View {
        let mut view = View {
            own: [0; POINTS + 1],
            other: [0; POINTS + 1],
            pins: [false; POINTS + 1],
            off: i64::from(last.off()),
        };
        for point in 1..=POINTS {
            let across = G::point_across(point);
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
        rating -= sum(&mut (1..=QUADRANT).filter(|&point| self.is_single(point)), &|point| {
            10_i64.pow(8 - point as u32)
        });
        let pins = |point: &usize| self.own[*point] > 0 && self.pins[*point];
        rating += sum(&mut (19..=POINTS).filter(pins), &|point| {
            self.own[point] * 10_i64.pow(point as u32 - 17)
        });
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

/// The rating of a position for the side that has just played, which the other side sees.
pub(crate) fn rating<G: Variant>(game: &G, position: &Position) -> i64 {
    game.tavli3d(&View::new::<G>(&position.opponent, &position.own))
}

/// The highest rating of a play of a roll, and the indices of the plays that have it.
pub(crate) fn best<G: Variant>(game: &G, position: &Position, roll: usize) -> (i64, Vec<usize>) {
    let ratings: Vec<i64> = game
        .results(position, roll)
        .iter()
        .map(|after| rating(game, after))
        .collect();
    let highest = ratings.iter().copied().max().expect("a roll has a play");
    let plays = (0..ratings.len()).filter(|&play| ratings[play] == highest).collect();
    (highest, plays)
}

/// A position in the frame of the player on roll, by point.
#[derive(Clone, PartialEq)]
struct Board {
    own: [i64; POINTS + 1],
    other: [i64; POINTS + 1],
    own_pinned: [bool; POINTS + 1],
    other_pinned: [bool; POINTS + 1],
}

impl Board {
    fn new<G: Variant>(position: &Position) -> Board {
        let mut board = Board {
            own: [0; POINTS + 1],
            other: [0; POINTS + 1],
            own_pinned: [false; POINTS + 1],
            other_pinned: [false; POINTS + 1],
        };
        for point in 1..=POINTS {
            let across = G::point_across(point);
            board.own[point] = i64::from(position.own.free(point));
            board.other[point] = i64::from(position.opponent.free(across));
            board.own_pinned[point] = position.own.is_pinned(point);
            board.other_pinned[point] = position.opponent.is_pinned(across);
        }
        board
    }

    /// The position, seen by the other player.
    fn position<G: Variant>(&self) -> Position {
        let mut position = Position {
            own: Side::default(),
            opponent: Side::default(),
        };
        for point in 1..=POINTS {
            let across = G::point_across(point);
            position.opponent.put(point, self.own[point] as u32);
            position.own.put(across, self.other[point] as u32);
            position.opponent.pinned |= u32::from(self.own_pinned[point]) << point;
            position.own.pinned |= u32::from(self.other_pinned[point]) << across;
        }
        position
    }

    fn off(&self) -> i64 {
        let pinned = self.own_pinned.iter().filter(|&&pinned| pinned).count() as i64;
        i64::from(CHECKERS) - self.own.iter().sum::<i64>() - pinned
    }

    /// The rating for the player who has just moved here.
    fn rating<G: Variant>(&self, game: &G) -> i64 {
        let pins = core::array::from_fn(|point| self.own_pinned[point] || self.other_pinned[point]);
        game.tavli3d(&View {
            own: self.own,
            other: self.other,
            pins,
            off: self.off(),
        })
    }

    /// The boards after one step with one of these dice, and the number of the die, in the order of Tavli3D.
    fn steps<G: Variant>(&self, dice: &[usize]) -> Vec<(usize, Board)> {
        let mut steps = Vec::new();
        let rearmost = (1..=POINTS).rev().find(|&point| self.own[point] > 0).unwrap_or(0);
        if rearmost <= QUADRANT && !self.own_pinned.contains(&true) {
            for from in (1..=QUADRANT).filter(|&from| self.own[from] > 0) {
                let fits = |&die: &usize| die == from || (die > from && from == rearmost);
                if let Some(number) = dice.iter().position(fits) {
                    steps.push((number, self.moved(from, 0)));
                }
            }
        }
        let runner = (1..=POINTS).find(|&point| self.own[point] > 0).unwrap_or(0);
        let waits = G::RUNS && runner > POINTS / 2 && self.off() == 0;
        let sources = (2..=POINTS).filter(|&from| self.own[from] > 0 && (!waits || from == runner));
        for from in sources {
            for (number, &die) in dice.iter().enumerate().filter(|&(_, &die)| from > die) {
                let to = from - die;
                let enemies = if G::PINS { 1 } else { 0 };
                let is_open = self.other[to] <= enemies && !self.own_pinned[to];
                // The last empty point of the own start quadrant stays empty, even if the checker comes from there.
                let fills = G::RUNS && (19..=POINTS).all(|point| (self.own[point] == 0) == (point == to));
                if is_open && !fills {
                    steps.push((number, self.moved(from, to)));
                }
            }
        }
        steps
    }

    /// The board after a checker has gone from a point to another, or off.
    fn moved(&self, from: usize, to: usize) -> Board {
        let mut board = self.clone();
        board.own[from] -= 1;
        if board.own[from] == 0 && board.other_pinned[from] {
            board.other_pinned[from] = false;
            board.other[from] = 1;
        }
        if to > 0 {
            board.own[to] += 1;
            if board.other[to] == 1 {
                board.other[to] = 0;
                board.other_pinned[to] = true;
            }
        }
        board
    }
}

/// The position that Tavli3D moves to, seen by the other player. It need not be a play of the rules: Tavli3D does not
/// ask for the larger die, and knows no forbidden positions but a full start quadrant.
pub(crate) fn think<G: Variant>(game: &G, position: &Position, dice: [usize; 2]) -> Position {
    let mut board = Board::new::<G>(position);
    // A double is played in two stages, the first of which does not look at the second.
    for _ in 0..if dice[0] == dice[1] { 2 } else { 1 } {
        let first = board.steps::<G>(&dice);
        let both = first
            .iter()
            .flat_map(|(number, after)| after.steps::<G>(&[dice[1 - number]]));
        let mut candidates: Vec<Board> = both.map(|(_, after)| after).collect();
        if candidates.is_empty() {
            candidates = first.into_iter().map(|(_, after)| after).collect();
            // The first of several is left out, by a mistake that every game of Tavli3D was played with.
            if candidates.len() > 1 {
                candidates.remove(0);
            }
        }
        // The last of the highest.
        let rated = candidates.into_iter().max_by_key(|candidate| candidate.rating(game));
        board = rated.unwrap_or(board);
    }
    board.position::<G>()
}
