//! Searches, on every core or on one thread.

use core::cell::Cell;
use core::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tavli_run::{Cancel, Workers};

use crate::budget::Budget;
use crate::flat_allocation::FlatAllocation;
use crate::pending_playouts::PendingPlayouts;
use crate::progressive_bias::{PositionBias, ProgressiveBias};
use crate::root_counts::RootCounts;
use crate::search_report::{SearchProgress, SearchReport, WorkerResult};
use crate::search_settings::{MAX_FACTOR, Method, SearchSettings, SelectionBound, SettingsError};
use crate::simulation_allocator::SimulationAllocator;
use crate::stage::{SearchStage, StageTimer, Untimed};
use crate::tree::{Tree, TreeStart};
use crate::worker_trees::{WorkerTrees, sum_of};
use tavli_base::has_memory;
use tavli_game::{Game, Heuristic};

/// The time between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// Bytes of a tree, and of each of its playouts in flight, besides its positions: more than any game takes.
// Upper bounds: trees without room are refused before they take memory, since the system may end a program that it
// refuses memory.
const TREE_OVERHEAD_BYTES: u64 = 2048;
const PLAYOUT_OVERHEAD_BYTES: u64 = 256;
/// The bytes that a search leaves to the rest of the program when its trees reserve room. The program ends if the
/// system refuses it memory.
const BYTES_LEFT_FOR_OTHERS: u64 = 1 << 27;

/// A search for the best choice after a chance in a position.
///
/// Trees are numbered. Each is a pure function of its number, the game, the root and the settings, whatever the
/// threads, the tier and the timing; and the [`RootCounts`]s of trees add up exactly.
///
/// ```
/// use std::sync::Arc;
/// use tavli_backgammon::policies::PolicyPair;
/// use tavli_backgammon::{BackgammonGame, Board, RuleSet, Tier};
/// use tavli_run::{Cpus, Pinning, Placement, Workers};
/// use tavli_search::{Budget, Search, SearchSettings};
///
/// let settings = SearchSettings::default();
/// let game = BackgammonGame::new(RuleSet::Backgammon, PolicyPair::default(), Tier::best(), settings.seed)?;
/// let root = game.root(&Board::START)?;
/// let chance = BackgammonGame::chance("31".parse()?);
/// let search = Search::new(Arc::new(game), root, chance, settings, Budget::simulations(20_000))?;
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let report = search.run(&workers, |_| ());
/// assert_eq!(report.root.simulations(), 20_000);
/// let best = report.root.ranking(settings.best_by)[0];
/// assert!(report.root.choices[best].value() > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search<G: Game> {
    game: Arc<G>,
    root: G::Position,
    chance: usize,
    settings: SearchSettings,
    progressive_bias: Option<PositionBias<G::Position>>,
    bound: SelectionBound,
    proves: bool,
    budget: Budget,
    trees: Range<u32>,
    cancel: Cancel,
}

impl<G: Game> Search<G> {
    /// A search from a position with its chance.
    ///
    /// # Errors
    /// [`SettingsError`] if the settings are invalid, the number of simulations is not in its range or is missing for
    /// halving, the game is over, or the roots do not fit the memory.
    pub fn new(
        game: Arc<G>,
        root: G::Position,
        chance: usize,
        settings: SearchSettings,
        budget: Budget,
    ) -> Result<Search<G>, SettingsError> {
        settings.check()?;
        if game.points(&root).is_some() {
            return Err(SettingsError::Over);
        }
        let most = max_per_tree(&*game) * u64::from(settings.trees);
        if let Some(simulations) = budget.simulations
            && !(1..=most).contains(&simulations)
        {
            return Err(SettingsError::Simulations { simulations, most });
        }
        if settings.method == Method::Halving && budget.simulations.is_none() {
            return Err(SettingsError::Endless);
        }
        let search = Search {
            game,
            root,
            chance,
            settings,
            progressive_bias: None,
            bound: SelectionBound::Ucb1,
            proves: false,
            budget,
            trees: 0..settings.trees,
            cancel: Cancel::new(),
        };
        search.check_memory()?;
        Ok(search)
    }

    /// With progressive bias, progressive unpruning or both.
    ///
    /// # Errors
    /// [`SettingsError`] if the factor is not in its range, the method grows no trees, or the roots do not fit the
    /// memory: they take more bytes with a heuristic.
    pub fn with_progressive_bias(
        self,
        bias: ProgressiveBias<Arc<dyn Heuristic<G::Position>>>,
    ) -> Result<Search<G>, SettingsError> {
        if !(0.0..=MAX_FACTOR).contains(&bias.bias) {
            return Err(SettingsError::Bias(bias.bias));
        }
        if self.settings.method != Method::Uct {
            return Err(SettingsError::OfTrees {
                setting: "progressive bias or unpruning",
                method: self.settings.method,
            });
        }
        if self.proves || self.bound != SelectionBound::Ucb1 {
            return Err(SettingsError::Biased);
        }
        let search = Search { progressive_bias: Some(bias), ..self };
        search.check_memory()?;
        Ok(search)
    }

    /// With another bound of the choices in its trees.
    ///
    /// # Errors
    /// [`SettingsError`] if the method grows no trees, or the search has progressive bias.
    pub fn with_selection_bound(self, bound: SelectionBound) -> Result<Search<G>, SettingsError> {
        self.check_selection(bound != SelectionBound::Ucb1, "bound")?;
        Ok(Search { bound, ..self })
    }

    /// With proofs: known values go up the trees. A tree whose root is proven ends.
    ///
    /// # Errors
    /// [`SettingsError`] if the method grows no trees, the game has dice, or the search has progressive bias.
    pub fn with_proofs(self) -> Result<Search<G>, SettingsError> {
        self.check_selection(true, "proofs")?;
        match self.game.chances().len() {
            1 => Ok(Search { proves: true, ..self }),
            _ => Err(SettingsError::Dice),
        }
    }

    fn check_selection(&self, is_set: bool, setting: &'static str) -> Result<(), SettingsError> {
        match (is_set, self.settings.method) {
            (false, _) => Ok(()),
            (true, Method::Uct) if self.progressive_bias.is_some() => Err(SettingsError::Biased),
            (true, Method::Uct) => Ok(()),
            (true, method) => Err(SettingsError::OfTrees { setting, method }),
        }
    }

    fn check_memory(&self) -> Result<(), SettingsError> {
        let choices = self.game.choices(&self.root, self.chance);
        let SearchSettings { memory, trees, .. } = self.settings;
        let least =
            Tree::bytes_of_root(&*self.game, choices, self.progressive_bias.is_some(), self.proves) * u64::from(trees);
        if self.settings.method == Method::Uct && memory < least {
            return Err(SettingsError::Memory { memory, trees, least });
        }
        // Otherwise the system would end the program at one of the trees' small allocations.
        let in_flight = self.simulations_of(0).min(self.settings.in_flight.into());
        let needed = least + (TREE_OVERHEAD_BYTES + PLAYOUT_OVERHEAD_BYTES * in_flight) * u64::from(trees);
        match has_memory(needed) {
            true => Ok(()),
            false => Err(SettingsError::NoMemory { trees, needed }),
        }
    }

    /// Lets this switch end the search.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> Search<G> {
        Search { cancel: cancel.clone(), ..self }
    }

    /// Searches only the trees `trees`, as one of several processes that share a search. Their roots add up to the root
    /// of the whole search.
    ///
    /// # Panics
    /// If they are not trees of the search.
    #[must_use]
    pub fn of_trees(self, trees: Range<u32>) -> Search<G> {
        assert!(trees.end <= self.settings.trees, "the search has trees 0 to {}", self.settings.trees - 1);
        Search { trees, ..self }
    }

    /// The simulations of a tree.
    fn simulations_of(&self, tree: u32) -> u64 {
        let tree_simulations = self.budget.simulations_of(&self.settings, tree..tree + 1);
        tree_simulations.unwrap_or(max_per_tree(&*self.game))
    }

    /// The simulations of all trees before this one. They are unknown in a search that ends by time, which uses the
    /// tree's index, so that the trees start with different plays.
    fn simulations_before(&self, tree: u32) -> u64 {
        self.budget.simulations_of(&self.settings, 0..tree).unwrap_or(tree.into())
    }

    /// Whether the system has the room that all trees may reserve, besides the needs of the rest of the program. Under
    /// a limit of memory (`ulimit -v`) room counts as soon as it is reserved.
    // Asked once for all trees: asked for each, 20,000 simulations of draughts took 1.07 of the time.
    fn has_room(&self) -> bool {
        let rooms =
            self.trees.clone().map(|tree| Tree::<G>::bytes_of_capacity(&self.settings, self.simulations_of(tree)));
        self.settings.method == Method::Uct && has_memory(rooms.fold(BYTES_LEFT_FOR_OTHERS, u64::saturating_add))
    }

    /// A tree before its first simulation. It reserves room for its simulations if the system [has
    /// it](Search::has_room).
    fn tree<C: StageTimer>(
        &self,
        tree: u32,
        has_room: bool,
        stop: &dyn Fn() -> bool,
    ) -> PendingPlayouts<G::Position, C> {
        let Search { game, root, chance, settings, .. } = self;
        let (simulations, earlier) = (self.simulations_of(tree), self.simulations_before(tree));
        let allocator: Box<dyn SimulationAllocator<G::Position, C>> = match settings.method {
            Method::Uct => {
                let start = TreeStart {
                    index: tree,
                    root: *root,
                    chance: *chance,
                    settings,
                    bias: self.progressive_bias.clone(),
                    bound: self.bound,
                    proves: self.proves,
                    simulations: if has_room { simulations } else { 0 },
                };
                Box::new(Tree::new(game, start, stop))
            }
            Method::Flat => Box::new(FlatAllocation::flat(game, root, *chance, earlier)),
            Method::Halving => {
                let halving = FlatAllocation::halving(game, root, *chance, simulations, earlier);
                Box::new(halving)
            }
        };
        PendingPlayouts::new(allocator, settings, tree, simulations)
    }

    /// Searches, and calls `progress` about ten times a second.
    ///
    /// # Panics
    /// If called from one of `workers`, or if a playout panics.
    #[must_use]
    pub fn run(self, workers: &Workers, mut progress: impl FnMut(&SearchProgress<'_>)) -> SearchReport {
        let start = Instant::now();
        let (budget, choice) = (self.budget, self.settings.best_by);
        let choices = self.game.choices(&self.root, self.chance);
        let cancel = self.cancel.clone();
        // A child: a clock or a gap ends this search alone, not all that the caller's switch ends.
        let stop = cancel.child();
        let has_room = self.has_room();
        // One lock a worker, so that workers publish without waiting for each other.
        let counts: Arc<[Mutex<RootCounts>]> =
            (0..workers.count()).map(|_| Mutex::new(RootCounts::new(choices))).collect();
        let snapshot = || {
            let mut sum = RootCounts::new(choices);
            for counts in counts.iter() {
                sum.merge(&counts.lock().unwrap_or_else(PoisonError::into_inner));
            }
            sum
        };
        let work = {
            let (counts, stop, threads) = (Arc::clone(&counts), stop.clone(), workers.count());
            move |worker| self.part(worker, threads, has_room, &counts[worker], &stop)
        };
        let wait = || {
            let rest = budget.time.map(|time| time.saturating_sub(start.elapsed()));
            rest.map_or(PROGRESS_INTERVAL, |rest| rest.min(PROGRESS_INTERVAL))
        };
        // This thread reports and watches the clock.
        let parts = workers.each_with_progress(work, wait(), || {
            let root = snapshot();
            let elapsed = start.elapsed();
            progress(&SearchProgress { root: &root, elapsed });
            let is_clear = |gap| root.gap(choice).is_some_and(|found| found >= gap);
            if budget.time.is_some_and(|time| elapsed >= time) || budget.gap.is_some_and(is_clear) {
                stop.cancel();
            }
            wait()
        });
        SearchReport::new(&parts, choices, start.elapsed(), cancel.is_cancelled())
    }

    /// Searches on this thread alone: for programs without [`Workers`], or on one of them. The result equals
    /// [`Search::run`]'s.
    ///
    /// # Panics
    /// If a playout panics.
    #[must_use]
    pub fn run_here(self) -> SearchReport {
        self.run_with(&mut Untimed, &|_| ())
    }

    /// [`Search::run_here`], which calls `progress` with the counts so far every few thousand simulations.
    ///
    /// # Panics
    /// If a playout panics.
    #[must_use]
    pub fn run_here_with_progress(self, progress: &dyn Fn(&RootCounts)) -> SearchReport {
        self.run_with(&mut Untimed, progress)
    }

    /// [`Search::run_here`] with a timer for its stages.
    pub(crate) fn run_with(self, timer: &mut impl StageTimer, progress: &dyn Fn(&RootCounts)) -> SearchReport {
        let start = Instant::now();
        let choices = self.game.choices(&self.root, self.chance);
        let is_clear = Cell::new(false);
        let progress = |root: &RootCounts| {
            progress(root);
            let gap = self.budget.gap.zip(root.gap(self.settings.best_by));
            is_clear.set(gap.is_some_and(|(wanted, found)| found >= wanted));
        };
        let is_late = || self.budget.time.is_some_and(|time| start.elapsed() >= time);
        let stop = || self.cancel.is_cancelled() || is_clear.get() || is_late();
        let part = self.play(self.trees.clone(), self.has_room(), &progress, &stop, timer);
        let is_cancelled = self.cancel.is_cancelled();
        SearchReport::new(&[part], choices, start.elapsed(), is_cancelled)
    }

    /// Searches the trees of one of `workers` workers.
    fn part(
        &self,
        worker: usize,
        workers: usize,
        has_room: bool,
        counts: &Mutex<RootCounts>,
        stop: &Cancel,
    ) -> WorkerResult<G::Position, Untimed> {
        let publish = |root: &RootCounts| {
            counts.lock().unwrap_or_else(PoisonError::into_inner).clone_from(root);
        };
        let trees = self.trees.clone().skip(worker).step_by(workers);
        let part = self.play(trees, has_room, &publish, &|| stop.is_cancelled(), &mut Untimed);
        // The sum of no trees has no choices, and could not be merged.
        if !part.trees.is_empty() {
            publish(&sum_of(&part.trees));
        }
        part
    }

    /// Searches trees on this thread. Calls `progress` with their counts from time to time.
    fn play<C: StageTimer>(
        &self,
        mut trees: impl Iterator<Item = u32>,
        has_room: bool,
        progress: &dyn Fn(&RootCounts),
        stop: &dyn Fn() -> bool,
        timer: &mut C,
    ) -> WorkerResult<G::Position, C> {
        timer.enter(SearchStage::Expand);
        let mut made = Vec::new();
        // Tens of thousands of trees take seconds to make.
        let lacks_trees = trees.any(|tree| {
            let is_stopped = stop();
            if !is_stopped {
                made.push(self.tree(tree, has_room, stop));
            }
            is_stopped
        });
        let mut trees = WorkerTrees::new(made, progress, stop, timer);
        if !lacks_trees {
            self.game.play_out(&mut trees, stop);
        }
        let (mut trees, plies) = trees.into_parts();
        trees.iter_mut().for_each(|tree| tree.back_up_ended(timer));
        WorkerResult { trees, lacks_trees, plies }
    }
}

/// The most simulations of one tree: its sums of values have 32 bits.
fn max_per_tree<G: Game>(game: &G) -> u64 {
    Budget::MAX_PER_TREE.min((i32::MAX / game.max_points().max(1)) as u64)
}
