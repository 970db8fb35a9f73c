//! The memory of a tree: its positions in one vector, and the counters of chances and choices in another, as 32-bit
//! words.
//!
//! ```text
//! node     position | what follows it: nothing yet, chances, or the end of the game | node before it | proof
//! chances  visits | order of the throws | for each chance: its choices, its visits
//! choices  number n | visits | tried | first to try | n visits | n sums | n nodes
//!          with progressive bias also: n choices, the best first | n biases, in the same order
//! ```
//!
//! In a tree with shortcuts, once choices follow a node, the word that led to the node is the address of these choices
//! with the bit [`SHORTCUT`], and the word before the choices is the node.
//!
//! [`Choices`] and [`Chances`] are the addresses of such blocks of words. Only this file knows what is where in a
//! block.

use tavli_simd::prefetch;

use super::nodes::{Nodes, reserved};
use crate::chances::ThrowOrder;

/// The word of a child that has not joined the tree.
const NONE: u32 = u32::MAX;

/// The bit of a child's word that has the address of the choices behind the child, in place of its node.
const SHORTCUT: u32 = 1 << 31;

/// The proof of a node without one. Points are -127..=127.
const UNPROVEN: i8 = i8::MIN;

/// About the words by which a simulation grows a tree: 14, in a million simulations of an opening roll.
const WORDS_PER_SIMULATION: u64 = 16;

/// How many choices have their bounds computed side by side.
// Most positions of draughts have no more, and two vectors of four hold them on every CPU of x86-64.
pub(super) const LANES: usize = 8;

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
    next: Next,
    /// The node before it, or [`NONE`] behind the root.
    parent: u32,
    /// The points of the player whose turn it is if both play their best, once they are proven.
    proof: i8,
}

/// What follows the position of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// No chances have joined the tree.
    Unexpanded,
    Chances(Chances),
    /// The game is over, with these points for the player whose turn it would be.
    Over(i32),
}

/// The address of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeId(u32);

/// The address of the chances in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Chances(u32);

/// The address of the choices after a chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choices(u32);

impl Chances {
    const HEAD: usize = 2;

    const fn words(chances: usize) -> usize {
        Chances::HEAD + 2 * chances
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
        self.0 as usize + Chances::HEAD + 2 * chance
    }

    #[inline]
    const fn visits_of(self, chance: usize) -> usize {
        self.choices_after(chance) + 1
    }
}

impl Choices {
    const HEAD: usize = 4;
    const NUMBER: usize = 0;
    const VISITS: usize = 1;
    const TRIED: usize = 2;
    const FIRST: usize = 3;

    /// The root of a tree is its first block.
    pub(super) const ROOT: Choices = Choices(0);

    const fn words(choices: usize, is_biased: bool) -> usize {
        // Not a record for each choice: the bounds of 16 choices are computed side by side, from neighbouring words.
        Choices::HEAD + if is_biased { 5 } else { 3 } * choices
    }

    #[inline]
    const fn at(self) -> usize {
        self.0 as usize
    }
}

/// Where a choice leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Child {
    /// Nowhere yet.
    None,
    Node(NodeId),
    /// To the choices behind its node, by a shortcut.
    Choices(Choices),
}

/// Choices, read from their words.
#[derive(Clone, Copy)]
pub(super) struct ChoicesView<'a> {
    /// From the first word of the block to the end of the arena.
    words: &'a [u32],
}

impl<'a> ChoicesView<'a> {
    /// How many choices there are, at least 1.
    #[inline]
    pub(super) fn number(self) -> usize {
        self.words[Choices::NUMBER] as usize
    }

    /// The visits to all choices together.
    #[inline]
    pub(super) fn visits(self) -> u32 {
        self.words[Choices::VISITS]
    }

    /// How many choices have visits.
    #[inline]
    pub(super) fn tried(self) -> usize {
        self.words[Choices::TRIED] as usize
    }

    /// The choice that is tried first without progressive bias; the others follow in their order.
    #[inline]
    pub(super) fn first(self) -> usize {
        self.words[Choices::FIRST] as usize
    }

    /// The visits of each choice, and the sum of the values of each: an `i32` in two's complement.
    #[inline]
    pub(super) fn visits_and_sums(self) -> (&'a [u32], &'a [u32]) {
        let count = self.number();
        let edges = &self.words[Choices::HEAD..];
        edges[..2 * count].split_at(count)
    }

    /// The visits and sums of at most [`LANES`] choices, with any words behind them. `None` if there are
    /// more choices, or if the arena ends too soon.
    #[inline(always)]
    pub(super) fn lanes(self) -> Option<(&'a [u32; LANES], &'a [u32; LANES])> {
        let count = self.number();
        let sums = self.words.get(Choices::HEAD + count..)?.first_chunk()?;
        let visits = self.words[Choices::HEAD..].first_chunk()?;
        (count <= LANES).then_some((visits, sums))
    }

    /// With progressive bias: the choices by their heuristic values, the best first, and the bias of each as the bits
    /// of an `f32`.
    #[inline]
    pub(super) fn ranks_and_biases(self) -> (&'a [u32], &'a [u32]) {
        let count = self.number();
        let ranks = &self.words[Choices::HEAD + 3 * count..];
        ranks[..2 * count].split_at(count)
    }

    /// The word of the node after a choice.
    #[inline]
    fn child(self, choice: usize) -> u32 {
        self.words[Choices::HEAD + 2 * self.number() + choice]
    }
}

/// The words of a cache line.
const WORDS_OF_LINE: usize = 16;

/// The cache lines of choices that are prefetched.
const PREFETCHED_LINES: usize = 2;

impl<P: Copy> Arena<P> {
    /// An empty arena of at most `memory` bytes, with room for the nodes and words of this many simulations.
    pub(super) fn new(simulations: u64, memory: u64) -> Arena<P> {
        Arena {
            nodes: Nodes::with_room(simulations, memory),
            words: reserved(simulations.saturating_mul(WORDS_PER_SIMULATION), memory),
            memory,
            has_shortcuts: false,
            memory_refused: false,
        }
    }

    /// Makes shortcuts in an arena of no more than its root: a descent goes from choices to choices, and reads no
    /// node and no chances between them. For games with one chance, whose chances need no more counts then.
    pub(super) fn with_shortcuts(self) -> Arena<P> {
        debug_assert!(
            self.nodes.len() == 0,
            "the words of children are shortcuts from the first on"
        );
        Arena {
            has_shortcuts: true,
            ..self
        }
    }

    /// The bytes of the choices of a root.
    pub(super) fn bytes_of_root(choices: usize, is_biased: bool) -> u64 {
        (Choices::words(choices, is_biased) * size_of::<u32>()) as u64
    }

    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.nodes.len() * Nodes::<Node<P>>::BYTES + size_of_val(&self.words[..])) as u64
    }

    /// Whether this many more nodes and words have room in the memory of the arena, and in that of the system.
    fn has_room(&mut self, nodes: usize, words: usize) -> bool {
        let bytes = nodes * Nodes::<Node<P>>::BYTES + words * size_of::<u32>();
        let end = if self.has_shortcuts { !SHORTCUT } else { NONE };
        let fits = |length: usize| length < end as usize;
        let is_allowed = self.bytes() + bytes as u64 <= self.memory
            && fits(self.nodes.len() + nodes)
            && fits(self.words.len() + words);
        if !is_allowed {
            return false;
        }
        if nodes <= self.nodes.room() && words <= self.words.capacity() - self.words.len() {
            return true;
        }
        // The system is asked no more once it has refused: each question of every simulation would take a call of it.
        let has_more =
            !self.memory_refused && self.nodes.try_reserve(nodes).is_ok() && self.words.try_reserve(words).is_ok();
        self.memory_refused |= !has_more;
        has_more
    }

    /// Whether the system has refused memory that the arena might have taken.
    pub(super) fn memory_refused(&self) -> bool {
        self.memory_refused
    }

    pub(super) fn has_room_for_chances(&mut self, chances: usize) -> bool {
        self.has_room(0, Chances::words(chances))
    }

    pub(super) fn has_room_for_choices(&mut self, choices: usize, is_biased: bool) -> bool {
        let before = usize::from(self.has_shortcuts);
        self.has_room(0, before + Choices::words(choices, is_biased))
    }

    /// Adds choices without visits, those behind a node or those at the root. `ranked` has each choice with its bias,
    /// the best first; it is empty without progressive bias.
    pub(super) fn push_choices(
        &mut self,
        node: Option<NodeId>,
        number: usize,
        first: usize,
        ranked: &[(u32, f32)],
    ) -> Choices {
        debug_assert!(first < number, "the first choice to try is one of them");
        debug_assert!(ranked.is_empty() || ranked.len() == number, "each choice has its rank");
        self.words
            .extend(node.filter(|_| self.has_shortcuts).map(|node| node.0));
        let base = self.words.len();
        self.words.extend([number as u32, 0, 0, first as u32]);
        let edges = base + Choices::HEAD;
        self.words.resize(edges + 2 * number, 0);
        self.words.resize(edges + 3 * number, NONE);
        self.words.extend(ranked.iter().map(|(choice, _)| choice));
        self.words.extend(ranked.iter().map(|(_, bias)| bias.to_bits()));
        debug_assert_eq!(self.words.len() - base, Choices::words(number, !ranked.is_empty()));
        Choices(base as u32)
    }

    #[inline]
    pub(super) fn choices(&self, choices: Choices) -> ChoicesView<'_> {
        ChoicesView {
            words: &self.words[choices.at()..],
        }
    }

    /// Notes that a choice is tried that had no visits.
    #[inline]
    pub(super) fn count_tried(&mut self, choices: Choices) {
        self.words[choices.at() + Choices::TRIED] += 1;
        debug_assert!(self.choices(choices).tried() <= self.choices(choices).number());
    }

    /// Counts a visit to a choice, with a virtual loss: a value of -1 until the simulation is [backed
    /// up](Arena::back_up). Returns the step of the simulation's path: the address of the choice's sum.
    #[inline]
    pub(super) fn visit_with_virtual_loss(&mut self, choices: Choices, choice: usize) -> u32 {
        let count = self.choices(choices).number();
        debug_assert!(choice < count, "a choice is one of {count}");
        let visits = choices.at() + Choices::HEAD + choice;
        let sum = visits + count;
        self.words[choices.at() + Choices::VISITS] += 1;
        self.words[visits] += 1;
        self.words[sum] = self.words[sum].wrapping_sub(1);
        sum as u32
    }

    /// Adds the value of a simulation for the player who chose at this step, and takes its virtual loss out.
    #[inline]
    pub(super) fn back_up(&mut self, step: u32, value: i32) {
        let sum = &mut self.words[step as usize];
        *sum = sum.wrapping_add((value + 1) as u32);
    }

    /// Prefetches the word that [`Arena::back_up`] changes.
    #[inline]
    pub(super) fn prefetch_sum(&self, step: u32) {
        prefetch(&self.words, step as usize);
    }

    /// Prefetches the first words of choices: of most, the visits and the sums.
    #[inline]
    pub(super) fn prefetch_choices(&self, choices: Choices) {
        for line in 0..PREFETCHED_LINES {
            prefetch(&self.words, choices.at() + line * WORDS_OF_LINE);
        }
    }

    #[inline]
    pub(super) fn prefetch_node(&self, node: NodeId) {
        self.nodes.prefetch(node.0);
    }

    /// Prefetches what a visit to a chance reads and counts.
    #[inline]
    pub(super) fn prefetch_chance(&self, chances: Chances, chance: usize) {
        prefetch(&self.words, chances.visits_of(chance));
    }

    /// The choice at the root in the first step of a path.
    pub(super) fn choice_at_root(&self, step: u32) -> usize {
        let count = self.choices(Choices::ROOT).number();
        let choice = step as usize - (Choices::HEAD + count);
        debug_assert!(choice < count, "a path begins at the root");
        choice
    }

    /// Where a choice leads.
    #[inline]
    pub(super) fn child(&self, choices: Choices, choice: usize) -> Child {
        match self.choices(choices).child(choice) {
            NONE => Child::None,
            word if self.has_shortcuts && word & SHORTCUT != 0 => Child::Choices(Choices(word & !SHORTCUT)),
            node => Child::Node(NodeId(node)),
        }
    }

    /// The node after a choice, if it has joined the tree.
    #[inline]
    pub(super) fn node(&self, choices: Choices, choice: usize) -> Option<NodeId> {
        match self.child(choices, choice) {
            Child::None => None,
            Child::Node(node) => Some(node),
            Child::Choices(choices) => Some(self.node_before(choices)),
        }
    }

    /// The node before choices to which a shortcut leads.
    #[inline]
    pub(super) fn node_before(&self, choices: Choices) -> NodeId {
        debug_assert!(self.has_shortcuts && choices != Choices::ROOT);
        NodeId(self.words[choices.at() - 1])
    }

    /// Lets the choice at this step of a path lead to the choices behind its node, if the tree has shortcuts.
    #[inline]
    pub(super) fn shorten(&mut self, before: Choices, step: u32, choices: Choices) {
        if self.has_shortcuts {
            let child = step as usize + self.choices(before).number();
            self.words[child] = choices.0 | SHORTCUT;
        }
    }

    /// Adds the node after a choice if there is room, and returns it. `parent` is the node before it, if it is not the
    /// root.
    pub(super) fn push_child(
        &mut self,
        parent: Option<NodeId>,
        choices: Choices,
        choice: usize,
        position: P,
        points: Option<i32>,
    ) -> Option<NodeId> {
        debug_assert_eq!(self.child(choices, choice), Child::None, "a node joins the tree once");
        if !self.has_room(1, 0) {
            return None;
        }
        let child = choices.at() + Choices::HEAD + 2 * self.choices(choices).number() + choice;
        self.words[child] = self.nodes.len() as u32;
        self.nodes.push(Node {
            position,
            next: points.map_or(Next::Unexpanded, Next::Over),
            parent: parent.map_or(NONE, |parent| parent.0),
            proof: UNPROVEN,
        });
        Some(NodeId(self.words[child]))
    }

    /// The node before a node; `None` behind the root.
    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.nodes[node.0].parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// The points of the player whose turn it is in a node, if they are certain: the game is over, or they are proven.
    #[inline]
    pub(super) fn certain(&self, node: NodeId) -> Option<i32> {
        let node = &self.nodes[node.0];
        match node.next {
            Next::Over(points) => Some(points),
            Next::Unexpanded | Next::Chances(_) => (node.proof != UNPROVEN).then_some(node.proof.into()),
        }
    }

    /// Notes that the points of a node are proven.
    pub(super) fn set_proof(&mut self, node: NodeId, points: i32) {
        debug_assert_eq!(self.certain(node), None, "a node is proven once");
        self.nodes[node.0].proof = i8::try_from(points).expect("points are -127 to 127");
    }

    #[inline]
    pub(super) fn position(&self, node: NodeId) -> P {
        self.nodes[node.0].position
    }

    #[inline]
    pub(super) fn next(&self, node: NodeId) -> Next {
        self.nodes[node.0].next
    }

    /// Adds the chances in a node, without visits.
    pub(super) fn push_chances(&mut self, node: NodeId, number: usize, order: ThrowOrder) -> Chances {
        debug_assert_eq!(self.next(node), Next::Unexpanded, "chances join the tree once");
        let chances = Chances(self.words.len() as u32);
        self.words.extend([0, order.to_word()]);
        for _ in 0..number {
            self.words.extend([NONE, 0]);
        }
        self.nodes[node.0].next = Next::Chances(chances);
        chances
    }

    /// Counts a visit to all chances together. Returns the number of those before.
    pub(super) fn count_draw(&mut self, chances: Chances) -> u32 {
        let visits = &mut self.words[chances.visits()];
        *visits += 1;
        *visits - 1
    }

    pub(super) fn order(&self, chances: Chances) -> ThrowOrder {
        ThrowOrder::of_word(self.words[chances.order()])
    }

    #[inline]
    pub(super) fn visits_of(&self, chances: Chances, chance: usize) -> u32 {
        let visits = self.words[chances.visits_of(chance)];
        match self.choices_after(chances, chance) {
            // The visit with which the choices joined the tree is counted by both.
            Some(choices) if self.has_shortcuts => visits - 1 + self.choices(choices).visits(),
            _ => visits,
        }
    }

    /// Counts a visit after a chance. Behind a shortcut the choices alone count their visits.
    #[inline]
    pub(super) fn count_visit(&mut self, chances: Chances, chance: usize) {
        if !self.has_shortcuts || self.choices_after(chances, chance).is_none() {
            self.words[chances.visits_of(chance)] += 1;
        }
    }

    /// The choices after a chance, if they have joined the tree.
    #[inline]
    pub(super) fn choices_after(&self, chances: Chances, chance: usize) -> Option<Choices> {
        let choices = self.words[chances.choices_after(chance)];
        (choices != NONE).then_some(Choices(choices))
    }

    pub(super) fn set_choices_after(&mut self, chances: Chances, chance: usize, choices: Choices) {
        debug_assert_eq!(self.choices_after(chances, chance), None, "choices join the tree once");
        self.words[chances.choices_after(chance)] = choices.0;
    }
}
