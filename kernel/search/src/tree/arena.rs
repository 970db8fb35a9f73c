//! The memory of a tree: its positions in one vector, and the counters of chances and choices in another, as 32-bit
//! words.
//!
//! ```text
//! node     position | next: no chances, chances, or the end of the game | node before it | proof
//! chances  visits | order of the throws | for each chance: its choices, its visits
//! choices  see choices.rs
//! ```
//!
//! In a tree with shortcuts there are no chances. A shortcut replaces a choice's link to a node by a link to the
//! choices below that node: the choice's word becomes their address with the bit [`SHORTCUT`], and the word before them
//! holds the node's number.
//!
//! [`ChoicesId`] and [`ChancesId`] are the addresses of such blocks of words. Only this file and `choices.rs` know the
//! layout of a block.
//!
//! Tested by `tests/suite/specification.rs`; without dice by `tests/suite/without_dice.rs`.

use std::collections::TryReserveError;

use tavli_simd::prefetch;

use super::choices::{ChoicesId, ChoicesView, INLINE_CHOICES, InlineChoices, NONE, SHORTCUT, Selected, Visited};
use super::nodes::{BYTES_RESERVED_FOR_OTHERS, Nodes, reserved, try_reserve_bytes};
use crate::chances::ThrowOrder;

/// The proof of a node without one. Points are -127..=127.
const UNPROVEN: i8 = i8::MIN;

/// About how many words a simulation adds to a tree: 14 in a million simulations of an opening roll.
const WORDS_PER_SIMULATION: u64 = 16;

/// The arena of a tree, bounded in bytes.
#[derive(Debug)]
pub(super) struct Arena<P> {
    nodes: Nodes<Node<P>>,
    words: Vec<u32>,
    memory: u64,
    has_shortcuts: bool,
    /// Whether the system has refused memory.
    memory_refused: bool,
}

/// A position, before a chance.
#[derive(Clone, Copy, Debug)]
struct Node<P> {
    position: P,
    next: Continuation,
    /// The node before it, or [`NONE`] directly below the root.
    parent: u32,
    /// The points of the player whose turn it is if both play their best, once they are proven.
    proof: i8,
}

/// What follows a node's position in the tree: nothing yet, its chances, or the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Continuation {
    /// Not expanded. `arrivals` counts the simulations that reached this node after the one that created it, in trees
    /// with shortcuts, which store no chances.
    Unexpanded {
        arrivals: u32,
    },
    Chances(ChancesId),
    /// The game is over, with these points for the player whose turn it would be.
    Over(i32),
}

/// The address of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeId(u32);

/// The address of the chances in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChancesId(u32);

impl ChancesId {
    const HEAD: usize = 2;

    const fn words(chances: usize) -> usize {
        ChancesId::HEAD + 2 * chances
    }

    #[inline]
    const fn visits(self) -> usize {
        self.0 as usize
    }

    #[inline]
    const fn order(self) -> usize {
        self.0 as usize + 1
    }

    #[inline]
    const fn choices_after(self, chance: usize) -> usize {
        self.0 as usize + ChancesId::HEAD + 2 * chance
    }

    #[inline]
    const fn visits_of(self, chance: usize) -> usize {
        self.choices_after(chance) + 1
    }
}

/// Where a choice leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChildLink {
    /// Nowhere yet.
    None,
    Node(NodeId),
    /// By a shortcut to the choices below its node.
    Choices(ChoicesId),
}

/// The words of a cache line.
const WORDS_OF_LINE: usize = 16;

/// The cache lines of choices that are prefetched.
// One line, or three, make a difference of 1 % at most (profiles/LOG.md, 2026-11-27).
const PREFETCHED_LINES: usize = 2;

impl<P: Copy> Arena<P> {
    /// An empty arena of at most `memory` bytes, with [capacity](Arena::bytes_of_capacity) for `simulations`
    /// simulations. With shortcuts a descent goes from choices to choices, and reads no node between them: for games
    /// with one chance, without proofs.
    pub(super) fn new(simulations: u64, memory: u64, has_shortcuts: bool) -> Arena<P> {
        let (nodes, words) = Self::capacity(simulations, memory);
        Arena {
            nodes: Nodes::with_capacity(nodes),
            words: reserved(words),
            memory,
            has_shortcuts,
            memory_refused: false,
        }
    }

    /// The nodes and words of `simulations` simulations, or as many of each as half of the memory holds.
    fn capacity(simulations: u64, memory: u64) -> (u64, u64) {
        let most = |bytes: usize| memory / 2 / bytes as u64;
        (
            simulations.min(most(Nodes::<Node<P>>::BYTES)),
            simulations.saturating_mul(WORDS_PER_SIMULATION).min(most(size_of::<u32>())),
        )
    }

    /// The bytes that an arena of at most `memory` bytes reserves for `simulations` simulations.
    pub(super) fn bytes_of_capacity(simulations: u64, memory: u64) -> u64 {
        let (nodes, words) = Self::capacity(simulations, memory);
        nodes * Nodes::<Node<P>>::BYTES as u64 + words * size_of::<u32>() as u64
    }

    pub(super) fn has_shortcuts(&self) -> bool {
        self.has_shortcuts
    }

    pub(super) fn bytes_of_root(choices: usize, is_biased: bool, has_shortcuts: bool) -> u64 {
        (ChoicesId::words(choices, capacity(choices, has_shortcuts), is_biased) * size_of::<u32>()) as u64
    }

    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.nodes.len() * Nodes::<Node<P>>::BYTES + size_of_val(&self.words[..])) as u64
    }

    /// Whether `nodes` more nodes and `words` more words fit the arena's memory and the system's.
    fn has_room(&mut self, nodes: usize, words: usize) -> bool {
        let bytes = nodes * Nodes::<Node<P>>::BYTES + words * size_of::<u32>();
        let end_of_words = if self.has_shortcuts { SHORTCUT } else { NONE };
        let is_allowed = self.bytes() + bytes as u64 <= self.memory
            // In trees without shortcuts too: 2^31 nodes take 64 GB and more.
            && self.nodes.len() + nodes < SHORTCUT as usize
            && self.words.len() + words < end_of_words as usize;
        if !is_allowed {
            return false;
        }
        if nodes <= self.nodes.spare_capacity() && words <= self.words.capacity() - self.words.len() {
            return true;
        }
        // Once the system has refused, it is not asked again: otherwise every simulation would call it.
        let has_more = !self.memory_refused && self.grow(nodes, words).is_ok();
        self.memory_refused |= !has_more;
        has_more
    }

    /// Takes room for `nodes` more nodes and `words` more words, if enough stays for the rest of the program.
    fn grow(&mut self, nodes: usize, words: usize) -> Result<(), TryReserveError> {
        let for_others = try_reserve_bytes(BYTES_RESERVED_FOR_OTHERS)?;
        self.nodes.try_reserve(nodes)?;
        self.words.try_reserve(words)?;
        drop(for_others);
        Ok(())
    }

    /// Whether the system has refused memory that the arena might have taken.
    pub(super) fn memory_refused(&self) -> bool {
        self.memory_refused
    }

    pub(super) fn has_room_for_chances(&mut self, chances: usize) -> bool {
        self.has_room(0, ChancesId::words(chances))
    }

    pub(super) fn has_room_for_choices(&mut self, choices: usize, is_biased: bool) -> bool {
        let before = usize::from(self.has_shortcuts);
        let capacity = capacity(choices, self.has_shortcuts);
        self.has_room(0, before + ChoicesId::words(choices, capacity, is_biased))
    }

    /// Adds choices without visits, below a node or at the root. `ranked` has each choice with its bias, the best
    /// first; it is empty without progressive bias.
    pub(super) fn push_choices(
        &mut self,
        node: Option<NodeId>,
        count: usize,
        first: usize,
        ranked: &[(u32, f32)],
    ) -> ChoicesId {
        self.words.extend(node.filter(|_| self.has_shortcuts).map(|node| node.0));
        let capacity = capacity(count, self.has_shortcuts);
        ChoicesId::push(&mut self.words, count, capacity, first, ranked)
    }

    #[inline]
    pub(super) fn choices(&self, choices: ChoicesId) -> ChoicesView<'_> {
        choices.view(&self.words)
    }

    /// The choices with all of their words, if they are few, in a tree with shortcuts.
    #[inline(always)]
    pub(super) fn inline_choices(&mut self, choices: ChoicesId) -> Option<InlineChoices<'_>> {
        debug_assert!(self.has_shortcuts, "choices have a capacity of INLINE_CHOICES only in a tree with shortcuts");
        choices.inline(&mut self.words)
    }

    /// Counts a visit to a choice, with a virtual loss: a value of -1 until the simulation is [backed
    /// up](Arena::add_value).
    #[inline]
    pub(super) fn visit_with_virtual_loss(&mut self, choices: ChoicesId, selected: Selected) -> Visited {
        choices.visit_with_virtual_loss(&mut self.words, selected)
    }

    /// Adds the value of a simulation for the player who chose at this entry, and takes its virtual loss out.
    #[inline]
    pub(super) fn add_value(&mut self, entry: u32, value: i32) {
        let sum = &mut self.words[entry as usize];
        // Sums stay within 32 bits, since the simulations of a tree are bounded (`Budget::MAX_PER_TREE`).
        *sum = sum.wrapping_add((value + 1) as u32);
    }

    /// Prefetches the word that [`Arena::add_value`] changes.
    #[inline]
    pub(super) fn prefetch_sum(&self, entry: u32) {
        prefetch(&self.words, entry as usize);
    }

    /// Prefetches the first words of choices: for most choices, these are the visits and the sums.
    #[inline]
    pub(super) fn prefetch_choices(&self, choices: ChoicesId) {
        for line in 0..PREFETCHED_LINES {
            prefetch(&self.words, choices.at() + line * WORDS_OF_LINE);
        }
    }

    #[inline]
    pub(super) fn prefetch_node(&self, node: NodeId) {
        self.nodes.prefetch(node.0);
    }

    /// Prefetches the words that a visit to a chance reads and counts.
    #[inline]
    pub(super) fn prefetch_chance(&self, chances: ChancesId, chance: usize) {
        prefetch(&self.words, chances.visits_of(chance));
    }

    /// The choice at an entry of a path, which was made among these.
    #[inline]
    pub(super) fn choice_of_entry(&self, choices: ChoicesId, entry: u32) -> usize {
        choices.choice_of_entry(entry, self.choices(choices))
    }

    /// Where a choice leads.
    #[inline]
    pub(super) fn child(&self, choices: ChoicesId, choice: usize) -> ChildLink {
        match self.choices(choices).child_word(choice) {
            NONE => ChildLink::None,
            word if word & SHORTCUT != 0 => ChildLink::Choices(ChoicesId(word & !SHORTCUT)),
            node => ChildLink::Node(NodeId(node)),
        }
    }

    /// The node after a choice, if it has joined the tree.
    #[inline]
    pub(super) fn node(&self, choices: ChoicesId, choice: usize) -> Option<NodeId> {
        match self.child(choices, choice) {
            ChildLink::None => None,
            ChildLink::Node(node) => Some(node),
            ChildLink::Choices(choices) => self.node_before(choices),
        }
    }

    /// The node before choices, in a tree with shortcuts; `None` at the root.
    #[inline]
    pub(super) fn node_before(&self, choices: ChoicesId) -> Option<NodeId> {
        debug_assert!(self.has_shortcuts);
        (choices != ChoicesId::ROOT).then(|| NodeId(self.words[choices.at() - 1]))
    }

    /// In a tree with shortcuts, counts a simulation that has come to a node with nothing below it. Returns how many
    /// have come.
    #[inline]
    pub(super) fn count_arrival(&mut self, node: NodeId) -> u32 {
        debug_assert!(self.has_shortcuts);
        let Continuation::Unexpanded { arrivals } = &mut self.nodes[node.0].next else {
            unreachable!("a tree with shortcuts has no chances, and nothing comes after the end of a game");
        };
        *arrivals += 1;
        *arrivals
    }

    /// Lets the choice at `entry` of a path lead to the choices below its node.
    #[inline]
    pub(super) fn set_shortcut(&mut self, before: ChoicesId, entry: u32, choices: ChoicesId) {
        debug_assert!(self.has_shortcuts);
        let child = entry as usize + self.choices(before).capacity();
        self.words[child] = choices.0 | SHORTCUT;
    }

    /// Adds the node after a choice if there is room, and returns it. `parent` is the node before it, if it is not the
    /// root.
    pub(super) fn push_child(
        &mut self,
        parent: Option<NodeId>,
        choices: ChoicesId,
        choice: usize,
        position: P,
        points: Option<i32>,
    ) -> Option<NodeId> {
        debug_assert_eq!(self.child(choices, choice), ChildLink::None, "a node joins the tree once");
        if !self.has_room(1, 0) {
            return None;
        }
        let child = choices.child_address(choice, self.choices(choices));
        self.words[child] = self.nodes.len() as u32;
        self.nodes.push(Node {
            position,
            next: points.map_or(Continuation::Unexpanded { arrivals: 0 }, Continuation::Over),
            parent: parent.map_or(NONE, |parent| parent.0),
            proof: UNPROVEN,
        });
        Some(NodeId(self.words[child]))
    }

    /// The node before a node; `None` directly below the root.
    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.nodes[node.0].parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// The points of the player whose turn it is in a node, if they are known: the game is over, or they are proven.
    #[inline]
    pub(super) fn known_points(&self, node: NodeId) -> Option<i32> {
        let node = &self.nodes[node.0];
        match node.next {
            Continuation::Over(points) => Some(points),
            Continuation::Unexpanded { .. } | Continuation::Chances(_) => {
                (node.proof != UNPROVEN).then_some(node.proof.into())
            }
        }
    }

    /// Notes that the points of a node are proven.
    pub(super) fn set_proof(&mut self, node: NodeId, points: i32) {
        debug_assert_eq!(self.known_points(node), None, "a node is proven once");
        self.nodes[node.0].proof = i8::try_from(points).expect("points are -127 to 127");
    }

    #[inline]
    pub(super) fn position(&self, node: NodeId) -> P {
        self.nodes[node.0].position
    }

    #[inline]
    pub(super) fn next(&self, node: NodeId) -> Continuation {
        self.nodes[node.0].next
    }

    /// Adds the chances in a node, without visits.
    pub(super) fn push_chances(&mut self, node: NodeId, count: usize, order: ThrowOrder) -> ChancesId {
        debug_assert!(matches!(self.next(node), Continuation::Unexpanded { .. }), "chances join the tree once");
        let chances = ChancesId(self.words.len() as u32);
        self.words.extend([0, order.to_word()]);
        for _ in 0..count {
            self.words.extend([NONE, 0]);
        }
        self.nodes[node.0].next = Continuation::Chances(chances);
        chances
    }

    /// Counts a visit to all chances together. Returns the number of earlier visits.
    pub(super) fn count_draw(&mut self, chances: ChancesId) -> u32 {
        let visits = &mut self.words[chances.visits()];
        *visits += 1;
        *visits - 1
    }

    pub(super) fn order(&self, chances: ChancesId) -> ThrowOrder {
        ThrowOrder::from_word(self.words[chances.order()])
    }

    #[inline]
    pub(super) fn visits_of(&self, chances: ChancesId, chance: usize) -> u32 {
        self.words[chances.visits_of(chance)]
    }

    /// Counts a visit after a chance.
    #[inline]
    pub(super) fn count_visit(&mut self, chances: ChancesId, chance: usize) {
        self.words[chances.visits_of(chance)] += 1;
    }

    /// The choices after a chance, if they have joined the tree.
    #[inline]
    pub(super) fn choices_after(&self, chances: ChancesId, chance: usize) -> Option<ChoicesId> {
        let choices = self.words[chances.choices_after(chance)];
        (choices != NONE).then_some(ChoicesId(choices))
    }

    pub(super) fn set_choices_after(&mut self, chances: ChancesId, chance: usize, choices: ChoicesId) {
        debug_assert_eq!(self.choices_after(chances, chance), None, "choices join the tree once");
        self.words[chances.choices_after(chance)] = choices.0;
    }
}

/// The capacity of a number of choices.
// No extra capacity in trees without shortcuts, such as backgammon's: they have many blocks of few choices, which would
// only grow.
fn capacity(choices: usize, has_shortcuts: bool) -> usize {
    if has_shortcuts { choices.max(INLINE_CHOICES) } else { choices }
}
