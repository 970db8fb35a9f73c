//! Searches. Each worker has trees of its own.

use std::sync::Arc;

use tavli::policies::PolicyPair;
use tavli::run::Cancel;
use tavli::search::{Budget, RootCounts, Search, SearchSettings, SettingsError};
use tavli::{BackgammonGame, Board, Planes, PlayoutError, Roll, RuleSet, Tier};

use super::error::CaseError;

/// Searches for the best play of a roll from several positions, by several workers.
#[derive(Clone, Debug)]
pub(super) struct Searches {
    game: Arc<BackgammonGame>,
    roots: Vec<Planes>,
    chance: usize,
    /// The settings of the trees of all workers together.
    settings: SearchSettings,
    /// The trees of each worker.
    trees: u32,
    cancel: Cancel,
}

/// The results of a worker's trees, by position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Roots {
    pub(super) roots: Vec<RootCounts>,
    /// Plies of the playouts.
    pub(super) plies: u64,
}

impl Searches {
    /// Searches from boards with a roll. The trees and the memory of the settings are for each worker.
    pub(super) fn new(
        (boards, roll): (&[Board], Roll),
        (rules, tier): (RuleSet, Tier),
        settings: SearchSettings,
        workers: usize,
        cancel: &Cancel,
    ) -> Result<Searches, CaseError> {
        let game = BackgammonGame::new(rules, PolicyPair::default(), tier, settings.seed);
        let game = game.expect("both players are uniform");
        let roots: Result<_, PlayoutError> = boards.iter().map(|board| game.root(board)).collect();
        let number = u32::try_from(workers).unwrap_or(u32::MAX);
        let searches = Searches {
            roots: roots?,
            game: Arc::new(game),
            chance: BackgammonGame::chance(roll),
            settings: SearchSettings {
                trees: settings.trees.saturating_mul(number),
                memory: settings.memory.saturating_mul(number.into()),
                ..settings
            },
            trees: settings.trees,
            cancel: cancel.clone(),
        };
        for &root in &searches.roots {
            searches.search(root, 1)?;
        }
        Ok(searches)
    }

    /// Grows the trees of one worker from each position.
    ///
    /// # Panics
    /// If `worker` is not one of the workers.
    pub(super) fn run(&self, worker: usize, simulations_per_tree: u64) -> Roots {
        let first = self.trees * worker as u32;
        let mut found = Roots::default();
        for &root in &self.roots {
            let search = self.search(root, simulations_per_tree);
            let search = search.expect("its settings were checked");
            let search = search.cancelled_by(&self.cancel);
            let report = search.of_trees(first..first + self.trees).run_here();
            found.roots.push(report.root);
            found.plies += report.plies;
        }
        found
    }

    fn search(&self, root: Planes, simulations_per_tree: u64) -> Result<Search<BackgammonGame>, SettingsError> {
        let simulations = simulations_per_tree.clamp(1, Budget::MAX_PER_TREE);
        let budget = Budget::simulations(simulations * u64::from(self.settings.trees));
        let game = Arc::clone(&self.game);
        Search::new(game, root, self.chance, self.settings, budget)
    }
}

impl Roots {
    /// Simulations from all positions.
    pub(super) fn simulations(&self) -> u64 {
        self.roots.iter().map(RootCounts::simulations).sum()
    }

    /// The CRC-32 of the visits, sums and squares of all plays, as 8 hexadecimal digits.
    pub(super) fn checksum(&self) -> String {
        let mut hasher = crc32fast::Hasher::new();
        for root_choice in self.roots.iter().flat_map(|root| &root.choices) {
            hasher.update(&root_choice.visits.to_le_bytes());
            hasher.update(&root_choice.sum.to_le_bytes());
            hasher.update(&root_choice.squares.to_le_bytes());
        }
        format!("{:08x}", hasher.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli::Position;
    use tavli::run::{Cpus, Pinning, Placement, Workers};
    use tavli::search::SearchRequest;

    #[test]
    fn the_first_worker_finds_what_a_search_finds() {
        let settings = SearchSettings { trees: 4, ..SearchSettings::default() };
        let roll: Roll = "31".parse().unwrap();
        let of = |workers| {
            let what = (&[Board::START][..], roll);
            let how = (RuleSet::Backgammon, Tier::best());
            Searches::new(what, how, settings, workers, &Cancel::new()).unwrap()
        };
        let request = SearchRequest {
            roll: Some(roll),
            settings,
            budget: Budget::simulations(4 * 300),
            ..SearchRequest::default()
        };
        let position: Position = "4HPwATDgc/ABMA".parse().unwrap();
        let placement = Placement::new(&Cpus::allowed(), Pinning::None, None).unwrap();
        let workers = Workers::start(&placement).unwrap();
        let task = request.prepare(&position, Tier::best()).unwrap();
        let found = task.run(&workers, |_| ());
        let [alone, first, second] = [(1, 0), (3, 0), (3, 1)].map(|(workers, worker)| of(workers).run(worker, 300));
        assert_eq!((&alone.roots[0], alone.plies), (found.root(), found.plies()));
        assert_eq!(alone, first);
        assert_ne!(first.checksum(), second.checksum());
        assert_eq!((first.simulations(), second.simulations()), (1200, 1200));
    }
}
