//! The board of the McGammon paper (Van Lishout, Chaslot, Uiterwijk 2007, section 2.2), transcribed plainly,
//! and driven beside [`Board`] through random games: its five operations must agree after every ply.
//!
//! The paper's cells are numbered 1 to 24. Black moves up, so that his home is 19 to 24, and is positive;
//! White moves down, so that his home is 1 to 6, and is negative. The paper has no cell for the bar, but
//! counts the checkers taken; those borne off are in none of its arrays.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tavli_backgammon::{BAR, Board, OFF};

const GAMES: u64 = 100_000;
/// The longest of the games with this seed has 429 plies.
const PLY_CAP: u32 = 2_000;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Colour {
    Black,
    White,
}

impl Colour {
    fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// The paper's cell of a point that this colour counts as `point`.
    fn cell(self, point: u8) -> usize {
        match self {
            Colour::Black => usize::from(25 - point),
            Colour::White => usize::from(point),
        }
    }

    fn sign(self) -> i8 {
        match self {
            Colour::Black => 1,
            Colour::White => -1,
        }
    }
}

/// The paper's data structure.
struct PaperBoard {
    /// Checkers in each cell, black positive, white negative; cell 0 is not used.
    points_content: [i8; 25],
    /// How many cells hold black checkers, then their numbers in increasing order.
    black_checkers: Vec<usize>,
    /// How many cells hold white checkers, then their numbers in decreasing order.
    white_checkers: Vec<usize>,
    black_checkers_taken: u8,
    white_checkers_taken: u8,
}

impl PaperBoard {
    fn start() -> PaperBoard {
        let mut points_content = [0; 25];
        for (cell, checkers) in [(1, 2), (12, 5), (17, 3), (19, 5)] {
            points_content[cell] = checkers;
            points_content[25 - cell] = -checkers;
        }
        PaperBoard {
            points_content,
            black_checkers: vec![4, 1, 12, 17, 19],
            white_checkers: vec![4, 24, 13, 8, 6],
            black_checkers_taken: 0,
            white_checkers_taken: 0,
        }
    }

    fn taken(&self, colour: Colour) -> u8 {
        match colour {
            Colour::Black => self.black_checkers_taken,
            Colour::White => self.white_checkers_taken,
        }
    }

    fn taken_mut(&mut self, colour: Colour) -> &mut u8 {
        match colour {
            Colour::Black => &mut self.black_checkers_taken,
            Colour::White => &mut self.white_checkers_taken,
        }
    }

    fn checkers_mut(&mut self, colour: Colour) -> &mut Vec<usize> {
        match colour {
            Colour::Black => &mut self.black_checkers,
            Colour::White => &mut self.white_checkers,
        }
    }

    /// Operation 1: the content of a cell.
    fn content(&self, cell: usize) -> i8 {
        self.points_content[cell]
    }

    /// Operation 2: where the checkers of a colour are.
    fn checkers(&self, colour: Colour) -> &[usize] {
        match colour {
            Colour::Black => &self.black_checkers[1..],
            Colour::White => &self.white_checkers[1..],
        }
    }

    /// Operation 3: whether a checker may enter a cell, which depends only on the cell being blocked.
    fn is_open(&self, colour: Colour, cell: usize) -> bool {
        self.points_content[cell] * colour.sign() >= -1
    }

    /// Operation 4: whether all checkers of a colour are in its home board.
    fn all_home(&self, colour: Colour) -> bool {
        let home = match colour {
            Colour::Black => self.black_checkers[0] == 0 || self.black_checkers[1] > 18,
            Colour::White => self.white_checkers[0] == 0 || self.white_checkers[1] < 7,
        };
        home && self.taken(colour) == 0
    }

    /// Operation 5: the update after a move, from the bar (`None`) or a cell, to a cell or off (`None`).
    fn move_checker(&mut self, colour: Colour, from: Option<usize>, to: Option<usize>) {
        match from {
            None => *self.taken_mut(colour) -= 1,
            Some(cell) => {
                self.points_content[cell] -= colour.sign();
                if self.points_content[cell] == 0 {
                    self.remove(colour, cell);
                }
            }
        }
        let Some(cell) = to else { return };
        let other = colour.other();
        if self.points_content[cell] == other.sign() {
            self.points_content[cell] = 0;
            self.remove(other, cell);
            *self.taken_mut(other) += 1;
        }
        if self.points_content[cell] == 0 {
            self.insert(colour, cell);
        }
        self.points_content[cell] += colour.sign();
    }

    fn remove(&mut self, colour: Colour, cell: usize) {
        let list = self.checkers_mut(colour);
        let at = 1 + list[1..].iter().position(|&c| c == cell).unwrap();
        list.remove(at);
        list[0] -= 1;
    }

    fn insert(&mut self, colour: Colour, cell: usize) {
        let list = self.checkers_mut(colour);
        let at = 1 + list[1..]
            .iter()
            .filter(|&&c| match colour {
                Colour::Black => c < cell,
                Colour::White => c > cell,
            })
            .count();
        list.insert(at, cell);
        list[0] += 1;
    }

    /// Whether a checker may move, both points in the frame of its colour (25 the bar, 0 off).
    fn may_move(&self, colour: Colour, from: u8, to: u8) -> bool {
        let holds = match from {
            OFF => false,
            BAR => self.taken(colour) > 0,
            _ => self.content(colour.cell(from)) * colour.sign() > 0,
        };
        let bar_first = from == BAR || self.taken(colour) == 0;
        let open = match to {
            OFF => self.all_home(colour),
            _ => to < from && self.is_open(colour, colour.cell(to)),
        };
        holds && bar_first && open
    }
}

/// A random number below `bound`; the bias of 2^-32 does not matter here.
fn below(random: &mut Xoshiro256PlusPlus, bound: usize) -> usize {
    (((random.next_u64() >> 32) * bound as u64) >> 32) as usize
}

/// Where a die takes a checker, if that is legal.
fn target(board: &Board, from: u8, die: u8) -> Option<u8> {
    let exact = die <= from || from == board.own().rearmost();
    let to = from.saturating_sub(die);
    (exact && board.may_move(from, to)).then_some(to)
}

/// Plays a random legal move with a die on both boards, if there is one.
fn play_die(board: &mut Board, paper: &mut PaperBoard, colour: Colour, die: u8, random: &mut Xoshiro256PlusPlus) {
    let legal = |board: &Board| {
        let board = *board;
        board.own().points().filter_map(move |from| target(&board, from, die).map(|to| (from, to)))
    };
    let count = legal(board).count();
    if count == 0 {
        return;
    }
    let (from, to) = legal(board).nth(below(random, count)).unwrap();
    let hit = board.move_checker(from, to).unwrap();
    let taken = paper.taken(colour.other());
    paper.move_checker(colour, (from != BAR).then(|| colour.cell(from)), (to != OFF).then(|| colour.cell(to)));
    assert_eq!(hit, paper.taken(colour.other()) > taken);
}

/// Compares everything that the two boards report; `colour` is on roll.
fn compare(board: &Board, paper: &PaperBoard, colour: Colour, random: &mut Xoshiro256PlusPlus) {
    for point in 1..=24 {
        let content = paper.content(colour.cell(point)) * colour.sign();
        assert_eq!(board.content(point), content);
    }
    let sides = [(board.own(), colour), (board.opponent(), colour.other())];
    for (side, colour) in sides {
        assert_eq!(side.bar(), paper.taken(colour));
        assert_eq!(side.all_home(), paper.all_home(colour));
        // The paper's lists begin at the checker furthest from home; so does ours, with the bar in front.
        let cells = side.points().rev().filter(|&point| point != BAR);
        assert!(cells.map(|point| colour.cell(point)).eq(paper.checkers(colour).iter().copied()));
    }
    // Every step of a die from every point, and one pair of points at random.
    for from in board.own().points() {
        for die in 1..=6 {
            let to = from.saturating_sub(die);
            let may = board.may_move(from, to);
            assert_eq!(may, paper.may_move(colour, from, to), "{from}/{to}");
        }
    }
    let (from, to) = (below(random, 26) as u8, below(random, 26) as u8);
    let may = board.may_move(from, to);
    assert_eq!(may, paper.may_move(colour, from, to), "{from}/{to}");
}

#[test]
fn the_papers_board_agrees_through_100_000_games() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2007);
    let (mut plies, mut black_wins) = (0u64, 0u64);
    for game in 0..GAMES {
        let mut board = Board::START;
        let mut paper = PaperBoard::start();
        let mut colour = Colour::Black;
        compare(&board, &paper, colour, &mut random);
        for ply in 1.. {
            assert!(ply <= PLY_CAP, "game {game} does not end");
            let [a, b] = [(); 2].map(|()| 1 + below(&mut random, 6) as u8);
            let uses = if a == b { 4 } else { 2 };
            for die in [a, b].into_iter().cycle().take(uses) {
                play_die(&mut board, &mut paper, colour, die, &mut random);
            }
            board = board.swapped();
            colour = colour.other();
            compare(&board, &paper, colour, &mut random);
            plies += 1;
            if board.opponent().occupied() == 0 {
                black_wins += u64::from(colour == Colour::White);
                break;
            }
        }
    }
    // Random games are long, and the first player's advantage is small: a check that the games were real.
    assert!((40 * GAMES..200 * GAMES).contains(&plies), "{plies} plies");
    assert!((48 * GAMES / 100..56 * GAMES / 100).contains(&black_wins), "{black_wins} wins");
}
