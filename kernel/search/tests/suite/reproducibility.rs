//! Parts add up; switches and clocks end a search with what it has.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use tavli_backgammon::policies::{Players, built_in};
use tavli_backgammon::{Board, RuleSet, Tier};
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli_search::{Backgammon, Ends, Method, Search, Settings};

fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    Workers::start(&Placement::new(&Cpus::allowed(), Pinning::None, threads).unwrap()).unwrap()
}

fn search(settings: Settings, policy: &str, ends: Ends) -> Search<Backgammon> {
    let players = Players::alike(built_in(policy).unwrap());
    let game = Backgammon::new(RuleSet::Backgammon, players, Tier::best(), settings.seed).unwrap();
    let root = game.root(&Board::START).unwrap();
    let chance = Backgammon::chance("42".parse().unwrap());
    Search::new(Arc::new(game), root, chance, settings, ends).unwrap()
}

#[test]
fn parts_of_a_search_add_up_to_all_of_it() {
    for &method in Method::ALL {
        let settings = Settings {
            method,
            trees: 5,
            ..Settings::default()
        };
        let new = || search(settings, "uniform", Ends::after(30_003));
        let whole = new().run(&workers(2), |_| ());
        let mut sum = new().of_trees(0..2).run(&workers(1), |_| ()).root;
        for trees in [2..3, 3..5] {
            sum.merge(&new().of_trees(trees).run(&workers(2), |_| ()).root);
        }
        assert_eq!(sum, whole.root, "{method:?}");
        assert_eq!(whole.root.simulations(), 30_003);
        assert!(!whole.interrupted);
        assert_eq!(whole.line[0].choice, whole.root.ranking(settings.choice)[0]);
    }
}

#[test]
fn other_policies_play_the_playouts_the_same_on_any_threads() {
    let settings = Settings {
        trees: 3,
        ..Settings::default()
    };
    let new = || search(settings, "pubeval", Ends::after(1500));
    let one = new().run(&workers(1), |_| ());
    let three = new().run(&workers(3), |_| ());
    assert_eq!(one.root, three.root);
    assert_eq!(one.plies, three.plies);
    assert_ne!(
        one.root,
        search(settings, "uniform", Ends::after(1500))
            .run(&workers(1), |_| ())
            .root
    );
}

#[test]
fn a_switch_and_a_clock_end_a_search_with_its_result_so_far() {
    let cancel = Cancel::new();
    let endless = search(
        Settings::default(),
        "uniform",
        Ends::within(Duration::from_secs(3600)),
    );
    let report = endless.cancelled_by(&cancel).run(&workers(2), |progress| {
        if progress.root.simulations() > 20_000 {
            cancel.cancel();
        }
    });
    assert!(report.interrupted);
    assert!(report.root.simulations() > 20_000);
    let timed = search(
        Settings::default(),
        "uniform",
        Ends::within(Duration::from_millis(100)),
    );
    let report = timed.run(&workers(2), |_| ());
    assert!(!report.interrupted && report.root.simulations() > 0);
    let gap = Ends {
        gap: Some(3.0),
        ..Ends::within(Duration::from_secs(3600))
    };
    let report = search(Settings::default(), "uniform", gap).run(&workers(2), |_| ());
    assert!(report.root.gap(Settings::default().choice).is_some());
}
