//! Where searches spend their time, by stage.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tavli::policies::PolicyPair;
use tavli::search::profile::{self, SearchStage};
use tavli::search::{Budget, Search, SearchSettings};
use tavli::{BackgammonGame, Playouts, Roll, Tier};

use crate::profiled_core::{Cost, ProfiledCore};
use crate::statistics::Summary;

/// Simulations of a search for each second of a profile, and the bounds of their number. Trees of a few hundred
/// thousand are larger than most caches.
const PER_SECOND: f64 = 100_000.0;
const MIN_SIMULATIONS: f64 = 10_000.0;
const MAX_SIMULATIONS: f64 = 1_000_000.0;
/// Runs of a search without and with clock readings, in turns.
const PAIRS: usize = 5;

/// The cost of searches on a tier: UCT with uniform playouts, from the opening with a roll, on one core.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchCost {
    /// The tier.
    pub isa: String,
    /// The roll whose plays are searched, such as `31`.
    pub roll: String,
    /// The simulations of each search.
    pub simulations: u64,
    /// The trees of each search.
    pub trees: u32,
    /// Nanoseconds of a simulation, without clock readings: the least of several searches.
    pub simulation_ns: f64,
    /// Nanoseconds of a plain playout from the opening: the least of several runs.
    pub playout_ns: f64,
    /// The overhead of timing the stages: the median of pairs, 0.05 for 5 %. The times of the stages exclude it.
    pub timing: f64,
    /// The time of a clock reading, in nanoseconds.
    pub reading_ns: f64,
    /// The stages.
    pub stages: Vec<SearchStageCost>,
}

/// The cost of a stage of a search.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchStageCost {
    /// The name of the stage.
    pub stage: String,
    /// The share of the time of all stages, 0..=1.
    pub share: f64,
    /// The cost of a simulation: the least of several searches.
    #[serde(flatten)]
    pub simulation: Cost,
}

/// Times searches on a tier, on this thread, which is that of the core; the longer `time`, the longer they are. `None`
/// if it is cancelled.
pub(crate) fn search_cost(core: &ProfiledCore, tier: Tier, time: Duration) -> Option<SearchCost> {
    let ProfiledCore { rules, cancel, .. } = core;
    let rules = *rules;
    let simulations = (PER_SECOND * time.as_secs_f64()).clamp(MIN_SIMULATIONS, MAX_SIMULATIONS) as u64;
    let settings = SearchSettings::default();
    let roll: Roll = "31".parse().expect("a roll");
    let start = rules.start();
    let playouts = Playouts::new(start, rules, settings.seed).expect("a game starts there");
    let search = || {
        let game = BackgammonGame::new(rules, PolicyPair::default(), tier, settings.seed);
        let game = game.expect("both players are uniform");
        let root = game.root(&start).expect("a game starts there");
        let (chance, budget) = (BackgammonGame::chance(roll), Budget::simulations(simulations));
        let search = Search::new(Arc::new(game), root, chance, settings, budget).expect("there is a search");
        search.cancelled_by(cancel)
    };
    let seconds = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    let mut least = [f64::INFINITY; SearchStage::ALL.len()];
    let (mut simulation, mut playout) = (f64::INFINITY, f64::INFINITY);
    let (mut ratios, mut reading) = (Vec::new(), Duration::MAX);
    for _ in 0..PAIRS {
        let games = seconds(&mut || {
            let _ = playouts.run(tier, 0..simulations, &|| cancel.is_cancelled());
        });
        playout = playout.min(games);
        let plain = seconds(&mut || {
            let _ = search().run_here();
        });
        simulation = simulation.min(plain);
        let timed = seconds(&mut || {
            let (_, times) = profile::run(search());
            reading = reading.min(times.reading);
            for (least, &stage) in least.iter_mut().zip(SearchStage::ALL) {
                *least = least.min(times.time_of(stage).as_secs_f64());
            }
        });
        ratios.push(timed / plain);
        // Cancelled runs ended early, so their times mean nothing.
        if cancel.is_cancelled() {
            return None;
        }
    }
    let all: f64 = least.iter().sum();
    let ns = |seconds: f64| 1e9 * seconds / simulations as f64;
    let stages = SearchStage::ALL.iter().zip(least);
    Some(SearchCost {
        isa: tier.name().to_owned(),
        roll: roll.to_string(),
        simulations,
        trees: settings.trees,
        simulation_ns: ns(simulation),
        playout_ns: ns(playout),
        timing: Summary::from_samples(&ratios).map_or(0.0, |ratios| ratios.median - 1.0),
        reading_ns: 1e9 * reading.as_secs_f64(),
        stages: stages
            .map(|(stage, seconds)| SearchStageCost {
                stage: stage.name().to_owned(),
                share: seconds / all,
                simulation: core.cost(seconds / simulations as f64),
            })
            .collect(),
    })
}
