//! Timed searches have the same result, and their stages take the whole time.

use std::sync::Arc;

use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{BackgammonGame, Board, RuleSet, Tier};
use tavli_search::profile::{self, SearchStage};
use tavli_search::{Budget, Method, Search, SearchReport, SearchSettings};

fn search(method: Method, tier: Tier) -> Search<BackgammonGame> {
    let settings = SearchSettings { method, ..SearchSettings::default() };
    let rules = RuleSet::Backgammon;
    let game = BackgammonGame::new(rules, PolicyPair::default(), tier, settings.seed).unwrap();
    let root = game.root(&Board::START).unwrap();
    let chance = BackgammonGame::chance("31".parse().unwrap());
    let budget = Budget::simulations(40_000);
    Search::new(Arc::new(game), root, chance, settings, budget).unwrap()
}

#[test]
fn stages_of_a_search_take_its_whole_time() {
    for &tier in Tier::available() {
        for &method in Method::ALL {
            let (report, times) = profile::run(search(method, tier));
            let elapsed = report.elapsed;
            let plain = search(method, tier).run_here();
            assert_eq!(SearchReport { elapsed, ..plain }, report, "{method} on {tier}");
            for &stage in SearchStage::ALL {
                // The positions after the plays of the root are made before the search.
                let expands = stage != SearchStage::Expand || method == Method::Uct;
                let is_timed = !times.time_of(stage).is_zero();
                assert!(is_timed || !expands, "{stage} of {method} on {tier}");
            }
            // The clock is read at least once at the end of each group of simulations, and at most twice for each of
            // the three parts that join a tree.
            let simulations = report.root.simulations();
            assert!((simulations / 8..10 * simulations).contains(&times.readings));
            let readings = times.reading.as_secs_f64() * times.readings as f64;
            let whole = times.total().as_secs_f64() + readings;
            let elapsed = elapsed.as_secs_f64();
            assert!((0.75 * elapsed..=1.1 * elapsed).contains(&whole), "{whole} of {elapsed} s, {method} on {tier}");
        }
    }
}
