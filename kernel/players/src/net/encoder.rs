//! Positions as inputs of a net.

use tavli_backgammon::board::Planes;
use tavli_backgammon::{Board, SideCheckers};

/// How a position becomes the inputs of a net. The encoding of a name never changes.
///
/// The inputs of a [point](Point) depend on the number of checkers there and on nothing else. So a play changes only
/// the inputs of the points that it changes, which makes incremental updates possible.
///
/// ```
/// use tavli_backgammon::{Board, board::Planes};
/// use tavli_players::net::Encoder;
/// let mut inputs = Vec::new();
/// Encoder::Raw196.encode(&Planes::from(Board::START), |input, value| inputs.push((input, value)));
/// // Two checkers on a point set two inputs, five set four, three set three; for both players.
/// assert_eq!(inputs.len(), 2 * (2 + 4 + 3 + 4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Encoder {
    /// The raw inputs of TD-Gammon without the two that name the player on roll, since positions are always seen by
    /// that player. Each point of each player has four inputs: at least one checker, at least two, at least three, and
    /// half the number above three. Each bar has half the number of its checkers; each player has the share of 15
    /// checkers borne off.
    Raw196,
    /// All 198 raw inputs of TD-Gammon (Tesauro 1992, as Sutton and Barto describe them): [`Encoder::Raw196`], then 1
    /// and 0 for the players on roll and not on roll.
    Raw198,
}

tavli_backgammon::parsed_values!(Encoder, "encoder": Raw196 "raw196", Raw198 "raw198");

/// Where checkers are. The bar and the checkers borne off count as points, as in most programs: 25 and 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Point {
    /// A point 1 to 24 of the player on roll, as that player counts, or 25, the bar.
    Own(u8),
    /// A point or the bar of the opponent, as the opponent counts.
    Opponent(u8),
    /// Checkers that the player on roll has borne off.
    OwnOff,
    /// Checkers that the opponent has borne off.
    OpponentOff,
}

/// The inputs of a player, without the two for the player on roll.
const INPUTS_A_SIDE: usize = 98;

/// The number of the bar.
const BAR: u8 = 25;

impl Point {
    /// Every point, from the player on roll's own to the checkers borne off.
    pub fn all() -> impl Iterator<Item = Point> {
        let own = (1..=BAR).map(Point::Own);
        let opponent = (1..=BAR).map(Point::Opponent);
        own.chain(opponent).chain([Point::OwnOff, Point::OpponentOff])
    }

    /// How many of fifteen checkers are there.
    #[must_use]
    pub fn checkers(self, board: &Board) -> u8 {
        match self {
            Point::Own(point) => board.own().count(point),
            Point::Opponent(point) => board.opponent().count(point),
            Point::OwnOff => board.own().borne_off(CHECKERS),
            Point::OpponentOff => board.opponent().borne_off(CHECKERS),
        }
    }
}

/// The checkers of a player. In games with fewer checkers the missing ones count as borne off.
const CHECKERS: u8 = 15;

impl Encoder {
    /// The number of inputs.
    #[must_use]
    pub const fn inputs(self) -> usize {
        match self {
            Encoder::Raw196 => 2 * INPUTS_A_SIDE,
            Encoder::Raw198 => 2 * INPUTS_A_SIDE + 2,
        }
    }

    /// The inputs that are the same in every position, if they are not 0.
    #[must_use]
    pub const fn constant(self) -> &'static [(usize, f32)] {
        match self {
            Encoder::Raw196 => &[],
            Encoder::Raw198 => &[(2 * INPUTS_A_SIDE, 1.0)],
        }
    }

    /// Calls `visit` with each input, and its value, that `checkers` checkers on a point set. An empty point sets none.
    #[inline]
    pub fn point(self, point: Point, checkers: u8, mut visit: impl FnMut(usize, f32)) {
        let number = f32::from(checkers);
        let (side, at) = match point {
            Point::Own(point) => (0, point),
            Point::OwnOff => (0, 0),
            Point::Opponent(point) => (INPUTS_A_SIDE, point),
            Point::OpponentOff => (INPUTS_A_SIDE, 0),
        };
        match (at, checkers) {
            (_, 0) => {}
            (0, _) => visit(side + INPUTS_A_SIDE - 1, number / f32::from(CHECKERS)),
            (BAR, _) => visit(side + INPUTS_A_SIDE - 2, number / 2.0),
            (point, _) => {
                let first = side + 4 * usize::from(point - 1);
                for unit in 0..checkers.min(3) {
                    visit(first + usize::from(unit), 1.0);
                }
                if checkers > 3 {
                    visit(first + 3, (number - 3.0) / 2.0);
                }
            }
        }
    }

    /// Calls `visit` with each input that is not 0, and its value, in a fixed order: own points from 1 on, own bar, the
    /// opponent's points and bar, checkers borne off, constant inputs.
    pub fn encode(self, position: &Planes, mut visit: impl FnMut(usize, f32)) {
        let board = Board::from(*position);
        let mut side = |side: &SideCheckers, of_side: fn(u8) -> Point| {
            for point in side.points() {
                self.point(of_side(point), side.count(point), &mut visit);
            }
        };
        side(board.own(), Point::Own);
        side(board.opponent(), Point::Opponent);
        for off in [Point::OwnOff, Point::OpponentOff] {
            self.point(off, off.checkers(&board), &mut visit);
        }
        for &(input, value) in self.constant() {
            visit(input, value);
        }
    }
}
