//! Parts add up; switches and clocks end a search with the result so far.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tavli_backgammon::plays::View;
use tavli_backgammon::policies::{Policy, PolicyPair, PubevalHeuristic, Uniform, built_in};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{BackgammonGame, Board, Planes, RuleSet, Stopped, Tier};
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli_search::{Budget, Heuristic, LineAndReplies, Method, ProgressiveBias, Search, SearchReport, SearchSettings};

fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    Workers::start(&Placement::new(&Cpus::allowed(), Pinning::None, threads).unwrap()).unwrap()
}

fn search(settings: SearchSettings, policy: &str, budget: Budget) -> Search<BackgammonGame> {
    search_by(settings, built_in(policy).unwrap(), budget)
}

fn search_by(settings: SearchSettings, policy: Arc<dyn Policy>, budget: Budget) -> Search<BackgammonGame> {
    let players = PolicyPair::alike(policy);
    let game = BackgammonGame::new(RuleSet::Backgammon, players, Tier::best(), settings.seed).unwrap();
    let root = game.root(&Board::START).unwrap();
    let chance = BackgammonGame::chance("42".parse().unwrap());
    Search::new(Arc::new(game), root, chance, settings, budget).unwrap()
}

/// The first levels of the trees have the counts of the roots.
fn check_branches(report: &SearchReport, method: Method) {
    let root_choices = report.root.choices.iter().zip(&report.lines_and_replies);
    for (choice, (root_choice, line_and_replies)) in root_choices.enumerate() {
        assert_eq!(line_and_replies.line[0].choice, choice);
        if method != Method::Uct {
            assert_eq!((line_and_replies.line.len(), &line_and_replies.replies[..]), (1, &[][..]));
            continue;
        }
        assert!(line_and_replies.replies.is_sorted_by(|a, b| a.chance < b.chance));
        let of_chances: u64 = line_and_replies.replies.iter().map(|replies| replies.visits).sum();
        // In each of 5 trees the first visit to a choice ends before the chance.
        assert_eq!(of_chances, root_choice.visits - 5);
        let mut sum = 0;
        for replies in &line_and_replies.replies {
            let visits: u64 = replies.choices.iter().map(|reply| reply.visits).sum();
            // In each tree the first visit to a chance ends before the choices.
            assert!((1..=5).contains(&(replies.visits - visits)));
            sum += replies.choices.iter().map(|reply| reply.sum).sum::<i64>();
        }
        // The sum of a choice is the opposite of its replies' sums, except for playouts that began before the replies,
        // of at most 3 points each.
        let others = root_choice.visits - replied(line_and_replies);
        assert!((root_choice.sum + sum).unsigned_abs() <= 3 * others);
    }
}

/// The number of simulations that made a reply.
fn replied(line_and_replies: &LineAndReplies) -> u64 {
    let choices = line_and_replies.replies.iter().flat_map(|replies| &replies.choices);
    choices.map(|reply| reply.visits).sum()
}

#[test]
fn parts_of_a_search_add_up_to_all_of_it() {
    for &method in Method::ALL {
        let settings = SearchSettings { method, trees: 5, ..SearchSettings::default() };
        let new = || search(settings, "uniform", Budget::simulations(30_003));
        let whole = new().run(&workers(2), |_| ());
        let first = new().of_trees(0..2).run(&workers(1), |_| ());
        let (mut sum, mut lines_and_replies) = (first.root, first.lines_and_replies);
        for trees in [2..3, 3..5] {
            let part = new().of_trees(trees).run(&workers(2), |_| ());
            sum.merge(&part.root);
            for (line_and_replies, other) in lines_and_replies.iter_mut().zip(&part.lines_and_replies) {
                line_and_replies.merge(other);
            }
        }
        assert_eq!(sum, whole.root, "{method:?}");
        assert_eq!(lines_and_replies, whole.lines_and_replies, "{method:?}");
        assert_eq!(whole.root.simulations(), 30_003);
        let here = new().run_here();
        let elapsed = whole.elapsed;
        assert_eq!(SearchReport { elapsed, ..here }, whole, "{method:?}");
        assert!(!whole.interrupted);
        check_branches(&whole, method);
    }
}

#[test]
fn other_policies_play_the_playouts_the_same_on_any_threads() {
    let settings = SearchSettings { trees: 3, ..SearchSettings::default() };
    let new = || search(settings, "pubeval", Budget::simulations(1500));
    let one = new().run(&workers(1), |_| ());
    let three = new().run(&workers(3), |_| ());
    assert_eq!(one.root, three.root);
    assert_eq!(one.plies, three.plies);
    assert_ne!(one.root, search(settings, "uniform", Budget::simulations(1500)).run(&workers(1), |_| ()).root);
}

#[test]
fn a_switch_and_a_clock_end_a_search_with_its_result_so_far() {
    let cancel = Cancel::new();
    let endless = search(SearchSettings::default(), "uniform", Budget::time(Duration::from_secs(3600)));
    let report = endless.cancelled_by(&cancel).run(&workers(2), |progress| {
        if progress.root.simulations() > 20_000 {
            cancel.cancel();
        }
    });
    assert!(report.interrupted);
    assert!(report.root.simulations() > 20_000);
    let timed = search(SearchSettings::default(), "uniform", Budget::time(Duration::from_millis(100)));
    let report = timed.run(&workers(2), |_| ());
    assert!(!report.interrupted && report.root.simulations() > 0);
    let timed = Budget::time(Duration::from_millis(100));
    let report = search(SearchSettings::default(), "uniform", timed).run_here();
    assert!(!report.interrupted && report.root.simulations() > 0);
    let gap = Budget { gap: Some(3.0), ..Budget::time(Duration::from_secs(3600)) };
    let report = search(SearchSettings::default(), "uniform", gap).run(&workers(2), |_| ());
    assert!(report.root.gap(SearchSettings::default().best_by).is_some());
    let report = search(SearchSettings::default(), "uniform", gap).run_here();
    assert!(report.root.gap(SearchSettings::default().best_by) >= Some(0.0));
    // A switch that was thrown before the search lets nothing begin.
    let report = search(SearchSettings::default(), "uniform", gap).cancelled_by(&cancel).run_here();
    assert!(report.interrupted);
    assert_eq!((report.root.simulations(), report.bytes), (0, 0), "no tree is made");
}

#[test]
fn a_search_on_this_thread_shows_its_counts_as_they_grow() {
    let seen = RefCell::new(Vec::new());
    let new = || search(SearchSettings::default(), "uniform", Budget::simulations(50_000));
    let report = new().run_here_with_progress(&|root| seen.borrow_mut().push(root.simulations()));
    let seen = seen.into_inner();
    assert!(seen.len() > 3 && seen.is_sorted(), "{seen:?}");
    assert!(seen[0] > 0 && *seen.last().expect("a look") <= report.root.simulations(), "{seen:?}");
    assert_eq!(report.root, new().run_here().root);
}

/// Uniform plays as if they took long. A switch is thrown after some of them.
#[derive(Debug)]
struct Slow {
    left: AtomicU64,
    cancel: Cancel,
}

impl Policy for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn view(&self) -> View {
        Uniform.view()
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let picked = picks.len() as u64;
        if self.left.fetch_sub(picked, Ordering::Relaxed) <= picked {
            self.cancel.cancel();
        }
        Uniform.pick(decisions, picks, stop)
    }

    fn first_games(&self) -> u64 {
        1
    }
}

#[test]
fn a_search_by_a_slow_player_keeps_the_playouts_that_have_ended() {
    // Some games of a hundred plies: a part of the first group, and the first of the second.
    for (plies, most) in [(400, 7), (1000, 15)] {
        let settings = SearchSettings { trees: 1, ..SearchSettings::default() };
        let searched = |plies, simulations| {
            let slow = Arc::new(Slow { left: AtomicU64::new(plies), cancel: Cancel::new() });
            let search = search_by(settings, Arc::clone(&slow) as Arc<dyn Policy>, Budget::simulations(simulations));
            search.cancelled_by(&slow.cancel).run_here()
        };
        let report = searched(plies, 64);
        let simulations = report.root.simulations();
        assert!(report.interrupted && (1..=most).contains(&simulations), "{simulations}");
        assert_eq!(report.root, searched(u64::MAX, simulations).root);
    }
}

/// Throws a switch when it is asked for the time of a number, and is then stopped.
#[derive(Debug)]
struct Throwing {
    cancel: Cancel,
    at: u64,
    calls: AtomicU64,
}

impl Heuristic<Planes> for Throwing {
    fn most(&self) -> i64 {
        PubevalHeuristic::new(RuleSet::Backgammon).most()
    }

    fn values(&self, positions: &[Planes], values: &mut [i64], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        if self.calls.fetch_add(1, Ordering::Relaxed) + 1 == self.at {
            self.cancel.cancel();
        }
        if stop() {
            return Err(Stopped);
        }
        PubevalHeuristic::new(RuleSet::Backgammon).values(positions, values, stop)
    }
}

/// A slow heuristic is stopped in the middle of a call. The result so far equals that of a search of as many
/// simulations.
#[test]
fn a_switch_ends_a_search_while_a_heuristic_values_plays() {
    let settings = SearchSettings { trees: 1, ..SearchSettings::default() };
    let biased = |policy, at, simulations| {
        let throwing = Arc::new(Throwing { cancel: Cancel::new(), at, calls: AtomicU64::new(0) });
        let bias = ProgressiveBias {
            heuristic: Arc::clone(&throwing) as Arc<dyn Heuristic<Planes>>,
            bias: 1.0,
            unprunes: true,
        };
        let search = search(settings, policy, Budget::simulations(simulations));
        let search = search.with_progressive_bias(bias).unwrap();
        let report = search.cancelled_by(&throwing.cancel).run_here();
        (report, throwing.calls.load(Ordering::Relaxed))
    };
    for policy in ["uniform", "pubeval"] {
        for at in [1, 2, 3, 100] {
            let (report, calls) = biased(policy, at, 1 << 20);
            assert!(report.interrupted);
            assert_eq!(calls, at, "nothing is asked after it");
            let simulations = report.root.simulations();
            assert!(simulations < 1 << 20 && (at < 100 || simulations > 0));
            if simulations > 0 {
                let (shorter, _) = biased(policy, u64::MAX, simulations);
                assert_eq!(shorter.root, report.root, "{policy}, {at}");
            }
        }
    }
}
