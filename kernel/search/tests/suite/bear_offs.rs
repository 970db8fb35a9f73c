//! Bear-offs, with exact values from tables of perfect play.

use std::num::NonZeroUsize;
use std::sync::Arc;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{BackgammonGame, Board, NO_STOP, Plays, Roll, RuleSet, Tier};
use tavli_players::bearoff::ExactWins;
use tavli_run::{Cpus, Pinning, Placement, Workers};
use tavli_search::{Budget, Method, Reward, Search, SearchSettings};

/// A bear-off with its roll, and the exact share of games that each play wins.
struct SolvedBearOff {
    board: Board,
    roll: Roll,
    wins: Vec<f64>,
}

fn counts(by_point: &[u8]) -> [u8; 26] {
    let mut counts = [0; 26];
    counts[1..=by_point.len()].copy_from_slice(by_point);
    counts
}

/// Random bear-offs of up to six checkers a side, in which the best play wins 2 % more games than the second.
fn decisions(number: usize) -> Vec<SolvedBearOff> {
    let table = ExactWins::new(6, 6, NO_STOP).expect("a small table");
    let positions = table.positions();
    let mut random = SplitMix64::seed_from_u64(18);
    let mut below = |bound: u64| random.next_u64() % bound;
    let mut found = Vec::new();
    while found.len() < number {
        let [own, other] = [0; 2].map(|_: u32| 1 + below(u64::from(positions.count()) - 1) as u32);
        let [own, other] = [own, other].map(|index| counts(&positions.position(index)));
        let board = Board::new(&own, &other).expect("home boards share no point");
        let roll = Roll::ALL[below(21) as usize];
        let win = |after: Board| {
            let [next, mover] = [after.own(), after.opponent()].map(|side| {
                let by_point: Vec<u8> = (1..=6).map(|point| side.count(point)).collect();
                positions.index(&by_point).expect("it has no more")
            });
            1.0 - table.win(next, mover)
        };
        let over = |after: &Board| RuleSet::Backgammon.is_over(after);
        let plays = Plays::new(&board, roll, RuleSet::Backgammon).to_vec();
        let wins: Vec<f64> =
            plays.iter().map(|play| play.board()).map(|after| if over(&after) { 1.0 } else { win(after) }).collect();
        let mut sorted = wins.clone();
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        if sorted.len() > 1 && sorted[0] - sorted[1] > 0.02 {
            found.push(SolvedBearOff { board, roll, wins });
        }
    }
    found
}

/// How many decisions are the best, and the mean share of games that the wrong ones lose.
fn searched(decisions: &[SolvedBearOff], method: Method, simulations: u64) -> (usize, f64) {
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, NonZeroUsize::new(2));
    let workers = Workers::start(&placement.expect("CPUs")).expect("workers");
    let settings = SearchSettings { method, reward: Reward::Wins, ..SearchSettings::default() };
    let (mut best, mut regret) = (0, 0.0);
    for SolvedBearOff { board, roll, wins } in decisions {
        let players = PolicyPair::default();
        let game = BackgammonGame::new(RuleSet::Backgammon, players, Tier::best(), 1).expect("alike");
        let root = game.root(board).expect("it goes on");
        let chance = BackgammonGame::chance(*roll);
        let budget = Budget::simulations(simulations);
        let search = Search::new(Arc::new(game), root, chance, settings, budget).expect("valid");
        let report = search.run(&workers, |_| ());
        let lost = wins.iter().copied().fold(0.0, f64::max) - wins[report.root.ranking(settings.best_by)[0]];
        best += usize::from(lost == 0.0);
        regret += lost / decisions.len() as f64;
    }
    (best, regret)
}

#[test]
fn trees_find_the_best_plays_of_bear_offs() {
    let (number, simulations) = (40, 50_000);
    let decisions = decisions(number);
    let [uct, flat] = [Method::Uct, Method::Flat].map(|method| searched(&decisions, method, simulations));
    println!("{number} bear-offs, {simulations} simulations: best plays and regret of uct {uct:?}, of flat {flat:?}");
    assert!(uct.0 * 100 >= number * 95, "{uct:?}");
    assert!(uct.1 <= flat.1 + 1e-4, "{uct:?}, {flat:?}");
}
