//! Tic-tac-toe, whose exact values are found by minimax here.

use std::num::NonZeroUsize;
use std::sync::Arc;

use tavli_run::{Cpus, Pinning, Placement, Workers};
use tavli_search::{Budget, Game, Leaf, Leaves, Method, Report, Search, Settings, Value};

/// Both players' squares, the player whose turn it is first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Squares([u16; 2]);

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

#[derive(Debug)]
pub(super) struct TicTacToe;

impl Squares {
    fn empty(self) -> impl Iterator<Item = u16> {
        let Squares([own, other]) = self;
        (0..9)
            .map(|square| 1 << square)
            .filter(move |bit| (own | other) & bit == 0)
    }

    /// From drawings of nine characters, X to play.
    pub(super) fn read(text: &str) -> Squares {
        let of = |side| {
            text.chars()
                .enumerate()
                .filter(|(_, c)| *c == side)
                .map(|(i, _)| 1 << i)
                .sum()
        };
        Squares([of('X'), of('O')])
    }

    /// Lines without a mark of the other player, less those without one's own.
    pub(super) fn open_lines(self) -> i32 {
        let [own, other] = self.0.map(|side| {
            let without = LINES.iter().filter(|&line| side & line == 0);
            without.count() as i32
        });
        other - own
    }

    fn value(self) -> i32 {
        match TicTacToe.points(&self) {
            Some(points) => points,
            None => self.values().into_iter().max().expect("it goes on"),
        }
    }

    /// The exact value of each choice for the player who makes it.
    pub(super) fn values(self) -> Vec<i32> {
        (0..TicTacToe.choices(&self, 0))
            .map(|choice| -TicTacToe.result(&self, 0, choice).value())
            .collect()
    }
}

impl Game for TicTacToe {
    type Position = Squares;

    fn chances(&self) -> &[u32] {
        &[1]
    }

    fn choices(&self, position: &Squares, _: usize) -> usize {
        position.empty().count()
    }

    fn result(&self, position: &Squares, _: usize, choice: usize) -> Squares {
        let Squares([own, other]) = *position;
        let square = position.empty().nth(choice).expect("a choice");
        Squares([other, own | square])
    }

    fn points(&self, position: &Squares) -> Option<i32> {
        let Squares([_, other]) = *position;
        if LINES.iter().any(|line| other & line == *line) {
            return Some(-1);
        }
        position.empty().next().is_none().then_some(0)
    }

    /// The games end in another order than they began.
    fn play_out(&self, leaves: &mut dyn Leaves<Squares>, _: &dyn Fn() -> bool) {
        let mut waiting: Vec<Leaf<Squares>> = Vec::new();
        loop {
            while waiting.len() < 100
                && let Some(leaf) = leaves.next()
            {
                waiting.push(leaf);
            }
            let Some(leaf) = waiting.pop() else { return };
            let (mut position, mut state, mut plies) = (leaf.position, leaf.game + 1, 0);
            let points = loop {
                if let Some(points) = self.points(&position) {
                    break points;
                }
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let choice = (state >> 33) as usize % self.choices(&position, 0);
                position = self.result(&position, 0, choice);
                plies += 1;
            };
            leaves.end(leaf.tag, if plies % 2 == 0 { points } else { -points }, plies);
        }
    }
}

fn search(position: Squares, settings: Settings, simulations: u64) -> Report {
    let threads = NonZeroUsize::new(2);
    let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::None, threads).unwrap());
    let search = Search::new(
        Arc::new(TicTacToe),
        position,
        0,
        settings,
        Budget::simulations(simulations),
    );
    search.unwrap().run(&workers.unwrap(), |_| ())
}

#[test]
fn trees_find_best_play_and_its_value() {
    let drawings = [
        "         ",
        "X   O    ",
        "XO       ",
        "X O      ",
        "XX OO    ",
        "OO X X   ",
        " X  O  X ",
        "O   X   O",
        "XOX O    ",
    ];
    for drawing in drawings {
        let position = Squares::read(drawing);
        let values = position.values();
        let best = *values.iter().max().unwrap();
        for &value in Value::ALL {
            let settings = Settings {
                value,
                trees: 4,
                ..Settings::default()
            };
            let report = search(position, settings, 200_000);
            let choice = report.root.ranking(settings.choice)[0];
            assert_eq!(values[choice], best, "'{drawing}': {:?} of {values:?}", report.root);
            // The mean of a tree approaches the value, from whichever side.
            let found = report.root.arms[choice].value();
            assert!(
                (found - f64::from(best)).abs() < 0.12,
                "'{drawing}': {found} for {best}"
            );
            assert_eq!(report.root.simulations(), 200_000);
        }
    }
}

#[test]
fn flat_simulations_are_spread_evenly_and_halving_ends_on_one_pair() {
    let position = Squares::read("X   O    ");
    let flat = Settings {
        method: Method::Flat,
        ..Settings::default()
    };
    let report = search(position, flat, 7 * 1600);
    assert!(report.root.arms.iter().all(|arm| arm.visits == 1600));
    let halving = Settings {
        method: Method::Halving,
        trees: 1,
        ..flat
    };
    // Seven choices, then four, then two: three rounds.
    let report = search(position, halving, 3 * 84 * 100);
    let mut visits: Vec<u64> = report.root.arms.iter().map(|arm| arm.visits).collect();
    visits.sort_unstable();
    assert_eq!(visits, [1200, 1200, 1200, 3300, 3300, 7500, 7500]);
}

#[test]
fn a_full_memory_ends_the_growth_and_not_the_search() {
    let position = Squares::read("         ");
    let settings = Settings {
        trees: 2,
        memory: 4000,
        ..Settings::default()
    };
    let report = search(position, settings, 50_000);
    assert!(report.bytes <= 4000, "{report:?}");
    assert_eq!(report.root.simulations(), 50_000);
    let all = search(
        position,
        Settings {
            trees: 2,
            ..Settings::default()
        },
        50_000,
    );
    assert!(all.bytes > 4000);
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let new = |position, settings, budget| Search::new(Arc::new(TicTacToe), position, 0, settings, budget).map(|_| ());
    let start = Squares::read("         ");
    let error = |settings, budget| new(start, settings, budget).unwrap_err().to_string();
    let default = Settings::default();
    let budget = Budget::simulations(100);
    for c in [-0.5, f64::NAN, f64::INFINITY] {
        let text = error(Settings { c, ..default }, budget);
        assert_eq!(text, format!("invalid C {c}: give a number from 0 to 1000, such as 1"));
    }
    assert_eq!(
        error(default, Budget::simulations(0)),
        "invalid number of simulations 0: give 1 to 8589934592 with this number of trees"
    );
    let text = error(Settings { trees: 0, ..default }, budget);
    assert_eq!(text, "invalid number of trees 0: give 1 to 65536");
    let text = error(
        Settings {
            in_flight: 0,
            ..default
        },
        budget,
    );
    assert_eq!(text, "invalid number of playouts in flight 0: give 1 to 65536");
    let text = error(
        Settings {
            memory: 1000,
            ..default
        },
        budget,
    );
    assert!(
        text.ends_with("of 16 trees: give at least 1984, or fewer trees"),
        "{text}"
    );
    let halving = Settings {
        method: Method::Halving,
        ..default
    };
    assert!(error(halving, Budget::time(std::time::Duration::from_secs(1))).starts_with("halving divides"));
    let over = new(Squares::read("XX OOO X "), default, budget)
        .unwrap_err()
        .to_string();
    assert!(over.starts_with("the game is over"), "{over}");
}
