//! A search tree that UCT grows.
//!
//! Choices and chances take turns. A choice leads to a position, and both share their statistics; there the chance is
//! drawn, which leads to choices again. The four phases of a simulation are the literature's: selection of choices by
//! their bounds, expansion by one position, a playout from there, and backup of its value.
//!
//! Between selection and backup a simulation counts as a visit with a virtual loss, a value of -1, so that simulations
//! that begin in between prefer other choices.

mod arena;
mod backup;
mod choices;
mod descent_group;
mod expansion;
mod nodes;
mod proof;
mod replies;
mod selection;
mod uct;

use core::ops::Range;
use std::sync::Arc;

use self::arena::{Arena, NodeId};
use self::choices::ChoicesId;
use self::descent_group::DescentGroup;
use crate::chances::ChanceWeights;
use crate::line_and_replies::Replies;
use crate::line_step::LineStep;
use crate::paths::Paths;
use crate::progressive_bias::PositionBias;
use crate::random::Streams;
use crate::root_counts::RootCounts;
use crate::search_settings::{ChanceSampling, SearchSettings, SelectionBound};
use crate::simulation_allocator::{SelectionEnd, SimulationAllocator, SimulationResult};
use crate::stage::StageTimer;
use tavli_game::Game;

/// The number of the only chance, in a game that has one.
const ONLY_CHANCE: usize = 0;

#[derive(Debug)]
pub(crate) struct Tree<G: Game> {
    game: Arc<G>,
    chance_weights: ChanceWeights,
    streams: Streams,
    root: G::Position,
    root_chance: usize,
    sampling: ChanceSampling,
    /// The square of the factor of exploration.
    c_squared: f64,
    /// Choices join the tree after more visits than this.
    expand_after: u32,
    bias: Option<PositionBias<G::Position>>,
    bound: SelectionBound,
    proves: bool,
    /// Nodes whose points have become known, with parents that are not checked yet.
    newly_known: Vec<NodeId>,
    /// The points of the player at the root, once they are proven.
    proof: Option<i32>,
    arena: Arena<G::Position>,
    /// The counts of the simulations that were backed up. The arena's words at the root also count simulations in
    /// flight.
    counts: RootCounts,
    depth: u32,
    /// Whether the search was stopped while a heuristic valued choices, which then have no ranks.
    is_stopped: bool,
    group: DescentGroup,
}

/// What a tree begins with.
pub(crate) struct TreeStart<'a, P> {
    /// Its index among the trees of the search.
    pub(crate) index: u32,
    /// The position at the root.
    pub(crate) root: P,
    /// The chance that has fallen there.
    pub(crate) chance: usize,
    /// The settings of the search.
    pub(crate) settings: &'a SearchSettings,
    pub(crate) bias: Option<PositionBias<P>>,
    /// The bound by which choices are selected.
    pub(crate) bound: SelectionBound,
    /// Whether known values go up the tree.
    pub(crate) proves: bool,
    /// The simulations for which it reserves [capacity](Tree::bytes_of_capacity).
    pub(crate) simulations: u64,
}

impl<G: Game> Tree<G> {
    /// A tree without simulations. `stop` ends the valuing of the root's choices.
    pub(crate) fn new(game: &Arc<G>, start: TreeStart<'_, G::Position>, stop: &dyn Fn() -> bool) -> Tree<G> {
        let TreeStart { index, root, chance, settings, bias, bound, proves, simulations } = start;
        let choices = game.choices(&root, chance);
        let mut tree = Tree {
            game: Arc::clone(game),
            chance_weights: ChanceWeights::new(game.chances()),
            streams: Streams::new(settings.seed, index),
            root,
            root_chance: chance,
            sampling: settings.chance_sampling,
            // Squared, since it stands under the root of a bound.
            c_squared: settings.c * settings.c,
            expand_after: settings.expand.get(),
            bias,
            bound,
            proves,
            newly_known: Vec::new(),
            proof: None,
            arena: Arena::new(simulations, Tree::<G>::memory(settings), Tree::has_shortcuts(&**game, proves)),
            counts: RootCounts::new(choices),
            depth: 0,
            is_stopped: false,
            group: DescentGroup::default(),
        };
        let first = tree.push_choices(None, &root, chance, choices, 0, stop);
        debug_assert_eq!(first, ChoicesId::ROOT);
        tree
    }

    /// Whether trees of a game have shortcuts.
    // A shortcut leads past the node and its chances: proofs must read every node on the way, and where there are
    // several chances, the visits to each are counted.
    fn has_shortcuts(game: &G, proves: bool) -> bool {
        !proves && game.chances().len() == 1
    }

    pub(crate) fn bytes_of_root(game: &G, choices: usize, is_biased: bool, proves: bool) -> u64 {
        Arena::<G::Position>::bytes_of_root(choices, is_biased, Tree::has_shortcuts(game, proves))
    }

    /// The bytes that a tree may take.
    fn memory(settings: &SearchSettings) -> u64 {
        settings.memory / u64::from(settings.trees)
    }

    /// The bytes that a tree reserves for `simulations` simulations.
    pub(crate) fn bytes_of_capacity(settings: &SearchSettings, simulations: u64) -> u64 {
        Arena::<G::Position>::bytes_of_capacity(simulations, Tree::<G>::memory(settings))
    }

    /// The position of a node, or of the root.
    fn position(&self, node: Option<NodeId>) -> G::Position {
        node.map_or(self.root, |node| self.arena.position(node))
    }
}

impl<G: Game, C: StageTimer> SimulationAllocator<G::Position, C> for Tree<G> {
    fn begin(
        &mut self,
        simulations: Range<u64>,
        first_flight: usize,
        paths: &mut Paths,
        selection_ends: &mut Vec<SelectionEnd<G::Position>>,
        stop: &dyn Fn() -> bool,
        timer: &mut C,
    ) {
        self.descend(simulations, first_flight, paths, selection_ends, stop, timer);
    }

    fn back_up(&mut self, paths: &Paths, results: &[SimulationResult]) {
        // The sums of the whole group first, so that it waits for memory once.
        self.prefetch_sums(paths, results);
        self.add_to_sums(paths, results);
    }

    fn counts(&self) -> &RootCounts {
        &self.counts
    }

    fn nodes(&self) -> u64 {
        self.arena.nodes() as u64
    }

    fn bytes(&self) -> u64 {
        self.arena.bytes()
    }

    fn memory_refused(&self) -> bool {
        self.arena.memory_refused()
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn proof(&self, root_choice: usize) -> Option<i32> {
        self.known_points_after(ChoicesId::ROOT, root_choice).filter(|_| self.proves)
    }

    fn replies(&self, root_choice: usize) -> Vec<Replies> {
        self.replies_to(root_choice)
    }

    fn line(&self, root_choice: usize) -> Vec<LineStep> {
        self.expected_line(root_choice)
    }
}
