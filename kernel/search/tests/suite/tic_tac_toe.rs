//! Tic-tac-toe, with exact values found by minimax here.

use std::num::NonZeroUsize;
use std::sync::Arc;

use tavli_game::PlayableGame;
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli_search::{Budget, Game, GameSource, GameStart, Method, Reward, Search, SearchReport, SearchSettings};
use tavli_simd::Tier;
use tavli_tictactoe::{Board, TicTacToe};

/// The game, with playouts that end in another order than they began.
#[derive(Debug)]
pub(super) struct LastFirst(TicTacToe);

pub(super) fn game() -> LastFirst {
    LastFirst(TicTacToe::by_rules("standard", Tier::Portable, 1).expect("its rules"))
}

/// From nine characters, row by row, X to play.
pub(super) fn board(squares: &str) -> Board {
    let squares = squares.replace(' ', "-");
    let text = format!("{}/{}/{} X", &squares[..3], &squares[3..6], &squares[6..]);
    game().0.read(&text).expect("a position")
}

fn value(position: Board) -> i32 {
    match position.points() {
        Some(points) => points,
        None => values(position).into_iter().max().expect("it goes on"),
    }
}

/// The exact value of each choice for the player who makes it.
pub(super) fn values(position: Board) -> Vec<i32> {
    let results = game().results(&position, 0);
    results.into_iter().map(|result| -value(result)).collect()
}

impl Game for LastFirst {
    type Position = Board;

    fn chances(&self) -> &[u32] {
        self.0.chances()
    }

    fn choices(&self, position: &Board, chance: usize) -> usize {
        self.0.choices(position, chance)
    }

    fn result(&self, position: &Board, chance: usize, choice: usize) -> Board {
        self.0.result(position, chance, choice)
    }

    fn points(&self, position: &Board) -> Option<i32> {
        self.0.points(position)
    }

    fn max_points(&self) -> i32 {
        self.0.max_points()
    }

    fn play_out(&self, source: &mut dyn GameSource<Board>, stop: &dyn Fn() -> bool) {
        let mut waiting = Vec::new();
        loop {
            while waiting.len() < 100
                && let Some(start) = source.next()
            {
                waiting.push(start);
            }
            let Some(start) = waiting.pop() else { return };
            let mut one = One { start: Some(start), source: &mut *source };
            self.0.play_out(&mut one, stop);
        }
    }
}

/// A source of one game. Its end goes to the source of the game.
struct One<'a> {
    start: Option<GameStart<Board>>,
    source: &'a mut dyn GameSource<Board>,
}

impl GameSource<Board> for One<'_> {
    fn next(&mut self) -> Option<GameStart<Board>> {
        self.start.take()
    }

    fn end(&mut self, tag: u64, points: i32, plies: u32) {
        self.source.end(tag, points, plies);
    }
}

fn search(position: Board, settings: SearchSettings, simulations: u64) -> SearchReport {
    let threads = NonZeroUsize::new(2);
    let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::None, threads).unwrap());
    let search = Search::new(Arc::new(game()), position, 0, settings, Budget::simulations(simulations));
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
        " X  O  XO",
        "OX  X   O",
        "XOX O    ",
    ];
    for drawing in drawings {
        let position = board(drawing);
        let values = values(position);
        let best = *values.iter().max().unwrap();
        for &reward in Reward::ALL {
            let settings = SearchSettings { reward, trees: 4, ..SearchSettings::default() };
            let report = search(position, settings, 200_000);
            let choice = report.root.ranking(settings.best_by)[0];
            assert_eq!(values[choice], best, "'{drawing}': {:?} of {values:?}", report.root);
            // The mean of a tree approaches the value, from whichever side.
            let found = report.root.choices[choice].value();
            assert!((found - f64::from(best)).abs() < 0.12, "'{drawing}': {found} for {best}");
            assert_eq!(report.root.simulations(), 200_000);
        }
    }
}

#[test]
fn flat_simulations_are_spread_evenly_and_halving_ends_on_one_pair() {
    let position = board("X   O    ");
    let flat = SearchSettings { method: Method::Flat, ..SearchSettings::default() };
    let report = search(position, flat, 7 * 1600);
    assert!(report.root.choices.iter().all(|root_choice| root_choice.visits == 1600));
    // The trees of a search begin with different choices, so all trees together are even, too.
    for simulations in [7 * 1600 + 5, 160, 20, 5] {
        for trees in [1, 3, 16] {
            let trees = SearchSettings { trees, ..flat };
            let report = search(position, trees, simulations);
            let visits = || report.root.choices.iter().map(|root_choice| root_choice.visits);
            assert_eq!(visits().sum::<u64>(), simulations);
            let even = simulations / 7..=simulations / 7 + 1;
            assert!(visits().all(|visits| even.contains(&visits)), "{:?}", report.root);
        }
    }
    let halving = SearchSettings { method: Method::Halving, trees: 1, ..flat };
    // Seven choices, then four, then two: three rounds.
    let report = search(position, halving, 3 * 84 * 100);
    let mut visits: Vec<u64> = report.root.choices.iter().map(|root_choice| root_choice.visits).collect();
    visits.sort_unstable();
    assert_eq!(visits, [1200, 1200, 1200, 3300, 3300, 7500, 7500]);
    // The first rounds of all trees have every choice.
    let report = search(position, SearchSettings { trees: 7, ..halving }, 7 * 3);
    assert!(report.root.choices.iter().all(|root_choice| root_choice.visits > 0), "{:?}", report.root);
    // With fewer simulations than rounds no choice is dropped before its turn.
    let report = search(position, SearchSettings { trees: 7, ..halving }, 7);
    assert!(report.root.choices.iter().all(|root_choice| root_choice.visits == 1), "{:?}", report.root);
}

#[test]
fn a_full_memory_ends_the_growth_and_not_the_search() {
    let position = board("         ");
    let settings = SearchSettings { trees: 2, memory: 4000, ..SearchSettings::default() };
    let report = search(position, settings, 50_000);
    assert!(report.bytes <= 4000, "{report:?}");
    assert_eq!(report.root.simulations(), 50_000);
    let all = search(position, SearchSettings { trees: 2, ..SearchSettings::default() }, 50_000);
    assert!(all.bytes > 4000);
}

#[test]
fn simulations_too_few_to_try_each_choice_are_remarked_on() {
    let default = SearchSettings::default();
    let one = SearchSettings { trees: 1, ..default };
    let flat = SearchSettings { method: Method::Flat, ..default };
    let remark = |simulations, settings, choices| Budget::simulations(simulations).remark_on(&settings, choices);
    assert_eq!(
        remark(1, default, 9).as_deref(),
        Some(
            "1 simulation for 16 trees, each of which tries all of 9 plays before it prefers one: give fewer trees or \
             more simulations"
        )
    );
    assert_eq!(
        remark(8, one, 9).as_deref(),
        Some("8 simulations for 1 tree, which tries all of 9 plays before it prefers one: give more simulations")
    );
    for (simulations, settings, choices) in [(144, default, 9), (9, one, 9), (1, default, 1), (1, flat, 9)] {
        assert_eq!(remark(simulations, settings, choices), None);
    }
    let time = Budget::time(std::time::Duration::from_secs(1));
    assert_eq!(time.remark_on(&default, 9), None);
    let remark = Budget::simulations(1).remark_on_simulations(&default, 9).expect("a remark");
    assert!(remark.ends_with("before it prefers one: give more simulations"), "{remark}");
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let new = |position, settings, budget| Search::new(Arc::new(game()), position, 0, settings, budget).map(|_| ());
    let start = board("         ");
    let error = |settings, budget| new(start, settings, budget).unwrap_err().to_string();
    let default = SearchSettings::default();
    let budget = Budget::simulations(100);
    for c in [-0.5, f64::NAN, f64::INFINITY] {
        let text = error(SearchSettings { c, ..default }, budget);
        assert_eq!(text, format!("invalid C {c}: give a number from 0 to 1000, such as 1"));
    }
    assert_eq!(
        error(default, Budget::simulations(0)),
        "with this number of trees, simulations are a whole number 1 to 8589934592, not 0"
    );
    let text = error(SearchSettings { trees: 0, ..default }, budget);
    assert_eq!(text, "invalid number of trees 0: give 1 to 65536");
    let text = error(SearchSettings { in_flight: 0, ..default }, budget);
    assert_eq!(text, "invalid number of playouts in flight 0: give 1 to 65536");
    let text = error(SearchSettings { memory: 1000, ..default }, budget);
    assert!(text.ends_with("of 16 trees: give at least 1984, or fewer trees"), "{text}");
    let halving = SearchSettings { method: Method::Halving, ..default };
    assert!(error(halving, Budget::time(std::time::Duration::from_secs(1))).starts_with("halving divides"));
    let over = new(board("XX OOO X "), default, budget).unwrap_err().to_string();
    assert!(over.starts_with("the game is over"), "{over}");
}

/// After each of X's choices the game ends within two more, so the trees are soon whole and no playout is left.
#[test]
fn a_search_whose_simulations_all_end_in_the_tree_hears_a_stop() {
    let cancel = Cancel::new();
    let budget = Budget::simulations(1 << 33);
    let search = Search::new(Arc::new(game().0), board("XO OX OX "), 0, SearchSettings::default(), budget)
        .expect("valid settings")
        .cancelled_by(&cancel);
    let report = search.run_here_with_progress(&|_| cancel.cancel());
    assert!(report.interrupted && report.root.simulations() > 0, "{report:?}");
}
