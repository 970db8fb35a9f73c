//! The evaluation of Tavli3D 0.3, a program of 2008 that papers on these games measure their players against.
//!
//! The rating of a position is an integer, the higher the better for the side that has just played. A player that picks
//! a play of the highest rating makes 1.69 points a game against uniform play in Plakoto, and 0.97 in Fevga.

use crate::position::{CHECKERS, POINTS, Position, SideCheckers};
use crate::tavli3d_position::{QUADRANT, Tavli3dPosition};
use crate::variant::Variant;

/// The rating of a position for the side that has just played, which the other side sees.
pub(crate) fn rating<G: Variant>(game: &G, position: &Position) -> i64 {
    game.tavli3d(&Tavli3dPosition::new(&position.opponent, &position.own, G::point_across))
}

/// The highest rating of a play of a roll, and the indices of the plays that have it.
pub(crate) fn best<G: Variant>(game: &G, position: &Position, roll: usize) -> (i64, Vec<usize>) {
    let ratings: Vec<i64> = game.results(position, roll).iter().map(|after| rating(game, after)).collect();
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
        let mut position = Position { own: SideCheckers::default(), opponent: SideCheckers::default() };
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
        game.tavli3d(&Tavli3dPosition { own: self.own, other: self.other, pins, off: self.off() })
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
        let waits = G::HAS_RUNNER && runner > POINTS / 2 && self.off() == 0;
        // From point 1 a checker only goes off.
        let sources = (2..=POINTS).filter(|&from| self.own[from] > 0 && (!waits || from == runner));
        for from in sources {
            for (number, &die) in dice.iter().enumerate().filter(|&(_, &die)| from > die) {
                let to = from - die;
                let enemies = if G::PINS { 1 } else { 0 };
                let is_open = self.other[to] <= enemies && !self.own_pinned[to];
                // The last empty point of the own start quadrant stays empty, even if the checker comes from there.
                let fills = G::HAS_RUNNER && (19..=POINTS).all(|point| (self.own[point] == 0) == (point == to));
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
        let both = first.iter().flat_map(|(number, after)| after.steps::<G>(&[dice[1 - number]]));
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
