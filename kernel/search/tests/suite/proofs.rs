//! Proven values against exact ones, and scores of choices in plain code.

use std::sync::Arc;

use tavli_backgammon::BackgammonGame;
use tavli_base::NO_STOP;
use tavli_draughts::{Draughts, EndgameValue, Endgames};
use tavli_game::{Game, Heuristic, PlayableGame};
use tavli_run::{Cpus, Pinning, Placement, Workers};
use tavli_search::{BestChoice, GameHeuristic};
use tavli_search::{
    Budget, Method, ProgressiveBias, Search, SearchReport, SearchSettings, SelectionBound, SettingsError,
};
use tavli_simd::Tier;

use crate::tic_tac_toe::{self, board};

fn proven(squares: &str, simulations: u64, settings: SearchSettings) -> SearchReport {
    let game = Arc::new(tic_tac_toe::game());
    let search = Search::new(game, board(squares), 0, settings, Budget::simulations(simulations));
    search.and_then(Search::with_proofs).expect("valid settings").run_here()
}

/// A single tree with few playouts in flight, close to one simulation after the other.
fn one_tree() -> SearchSettings {
    SearchSettings { trees: 1, in_flight: 8, ..SearchSettings::default() }
}

#[test]
fn what_is_proven_is_true() {
    let mut whole = 0;
    for squares in ["---------", "X-O------", "XO--X---O", "OX--O-X--", "X---O----", "XOXXO-O--", "O-X-X-O--"] {
        let exact = tic_tac_toe::values(board(squares));
        for simulations in [10, 100, 1_000, 30_000] {
            let report = proven(squares, simulations, one_tree());
            for (proof, exact) in report.proofs.iter().zip(&exact) {
                assert!(proof.is_none_or(|points| points == *exact), "{squares}: {:?}", report.proofs);
            }
            let best = report.ranking(BestChoice::Value)[0];
            if report.root.simulations() < simulations {
                // The root is proven: by a win, or by all choices.
                let most = exact.iter().max();
                assert_eq!(report.proofs[best].as_ref(), most, "{squares}");
                assert!(report.proofs[best] == Some(1) || !report.proofs.contains(&None), "{squares}");
                whole += 1;
            }
        }
    }
    assert!(whole >= 10, "only {whole} roots were proven");
}

#[test]
fn of_losses_that_are_proven_alike_the_hardest_to_prove_is_first() {
    // Every choice loses, and only the last square does not lose at once.
    let report = proven("XXO--O---", 20_000, SearchSettings::default());
    assert_eq!(report.proofs, [Some(-1); 5]);
    assert_eq!(report.ranking(BestChoice::Value)[0], 4);
}

#[test]
fn proofs_do_not_depend_on_threads_and_any_trees_are_all_trees() {
    let settings = SearchSettings { trees: 5, in_flight: 16, ..SearchSettings::default() };
    let here = proven("X-O------", 20_000, settings);
    for threads in [1, 3] {
        let placement = Placement::new(&Cpus::allowed(), Pinning::None, Some(threads.try_into().unwrap()));
        let workers = Workers::start(&placement.expect("CPUs")).expect("threads");
        let game = Arc::new(tic_tac_toe::game());
        let search = Search::new(game, board("X-O------"), 0, settings, Budget::simulations(20_000));
        let report = search.and_then(Search::with_proofs).expect("valid").run(&workers, |_| ());
        assert_eq!((&report.root, &report.proofs), (&here.root, &here.proofs));
    }
    assert!(here.proofs.iter().any(Option::is_some));
    // Without proofs nothing is proven, and the counts equal the counts of a search that has no proofs.
    let game = Arc::new(tic_tac_toe::game());
    let plain = Search::new(game, board("X-O------"), 0, settings, Budget::simulations(500));
    let plain = plain.expect("valid").run_here();
    assert_eq!(plain.proofs, [None; 7]);
    assert_eq!(plain.ranking(BestChoice::Value), plain.root.ranking(BestChoice::Value));
}

#[test]
fn what_is_proven_of_endgames_is_what_their_tables_say() {
    let solved = Endgames::solve(3, 2.try_into().expect("threads"), NO_STOP, &mut |_| ()).expect("nothing stops it");
    let game = Arc::new(Draughts::by_rules("english", Tier::best(), 3).expect("rules"));
    let (mut wins, mut losses) = (0, 0);
    for text in ["B:WK8:BK14,K15", "W:WK27:BK19,K20", "B:WK4:B3,K10", "W:WK5,K30:BK13", "B:W12,K29:BK4", "W:W7,11:BK12"]
    {
        let position = game.read(text).expect("a position");
        let search = Search::new(Arc::clone(&game), position, 0, one_tree(), Budget::simulations(20_000));
        let report = search.and_then(Search::with_proofs).expect("valid").run_here();
        for (choice, proof) in report.proofs.iter().enumerate() {
            let Some(points) = proof else { continue };
            let exact = match solved.value(&game.result(&position, 0, choice)).expect("few pieces") {
                EndgameValue::Win(_) => -1,
                EndgameValue::Draw => 0,
                EndgameValue::Loss(_) => 1,
            };
            assert_eq!(*points, exact, "{text}, choice {choice}");
            wins += u32::from(exact > 0);
            losses += u32::from(exact < 0);
        }
    }
    assert!(wins > 2 && losses > 2, "{wins} wins and {losses} losses were proven");
}

/// The choice of the report's bound among choices that all have visits, in plain code.
#[test]
fn the_score_of_own_visits_starves_a_choice_that_lost() {
    let game = Arc::new(tic_tac_toe::game());
    let root = board("---------");
    let of = |score| {
        let search = Search::new(Arc::clone(&game), root, 0, one_tree(), Budget::simulations(3_000));
        search.and_then(|search| search.with_selection_bound(score)).expect("valid").run_here()
    };
    let (ucb1, own) = (of(SelectionBound::Ucb1), of(SelectionBound::OwnVisits));
    let least = |report: &SearchReport| {
        report.root.choices.iter().map(|root_choice| root_choice.visits).min().expect("choices")
    };
    assert!(least(&ucb1) > 10, "every choice is explored: {:?}", ucb1.root);
    assert!(3 * least(&own) < least(&ucb1), "some choice is given up: {:?}", own.root);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let game = Arc::new(tic_tac_toe::game());
    let search = |method| {
        let settings = SearchSettings { method, ..SearchSettings::default() };
        Search::new(Arc::clone(&game), board("---------"), 0, settings, Budget::simulations(100)).expect("valid")
    };
    assert!(matches!(search(Method::Flat).with_proofs(), Err(SettingsError::OfTrees { setting: "proofs", .. })));
    assert!(matches!(
        search(Method::Halving).with_selection_bound(SelectionBound::OwnVisits),
        Err(SettingsError::OfTrees { setting: "bound", .. })
    ));
    assert!(search(Method::Flat).with_selection_bound(SelectionBound::Ucb1).is_ok());
    let backgammon = Arc::new(BackgammonGame::by_rules("backgammon", Tier::Portable, 1).expect("rules"));
    let start = backgammon.start();
    let heuristic: Arc<dyn Heuristic<_>> = Arc::new(GameHeuristic::new(Arc::clone(&backgammon), 0));
    let bias = ProgressiveBias { heuristic, bias: 1.0, unprunes: false };
    let search = || {
        let search = Search::new(Arc::clone(&backgammon), start, 1, SearchSettings::default(), Budget::simulations(10));
        search.expect("valid")
    };
    assert_eq!(search().with_proofs().err(), Some(SettingsError::Dice));
    let scored = search().with_selection_bound(SelectionBound::OwnVisits).expect("a tree");
    assert_eq!(scored.with_progressive_bias(bias.clone()).err(), Some(SettingsError::Biased));
    let biased = search().with_progressive_bias(bias).expect("a tree");
    assert_eq!(biased.with_selection_bound(SelectionBound::OwnVisits).err(), Some(SettingsError::Biased));
}
