//! A search tree in two arenas.
//!
//! Choices and chances take turns. A choice leads to a position, whose statistics are those of the choice; there the
//! throws of the chance lead to choices again. One position at most joins the tree per simulation.

use core::hint::black_box;
use core::mem;
use core::ops::Range;
use std::sync::Arc;

use crate::branch::{Replies, Reply};
use crate::chances::{Order, Throws};
use crate::game::Game;
use crate::progressive_bias::ProgressiveBias;
use crate::random::{Random, Streams};
use crate::root::Root;
use crate::settings::{ChanceSampling, Settings};
use crate::simulations::{Landing, Simulations};
use crate::stage::{Clock, SearchStage};
use crate::step::Step;

/// No child yet.
const NONE: u32 = u32::MAX;

/// A position of the tree, in which a chance comes next.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))] // a cache line, of positions of 32 bytes
struct Node<P> {
    position: P,
    next: Next,
}

/// What comes after the position of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// Nothing in the tree yet.
    Nothing,
    /// The [chances](Chances) at this word.
    Chances(u32),
    /// The game is over, with these points for the player whose turn it would be.
    Over(i32),
}

/// Where the words of a position's chances are: the visits, the [order](Order), and for each chance the word of its
/// choices and its visits.
#[derive(Clone, Copy, Debug)]
struct Chances(usize);

impl Chances {
    const HEAD: usize = 2;

    const fn words(chances: usize) -> usize {
        Chances::HEAD + 2 * chances
    }

    const fn visits(self) -> usize {
        self.0
    }

    const fn order(self) -> usize {
        self.0 + 1
    }

    const fn choices(self, chance: usize) -> usize {
        self.0 + Chances::HEAD + 2 * chance
    }

    const fn visits_of(self, chance: usize) -> usize {
        self.choices(chance) + 1
    }
}

/// Where the words of choices are: their number, the visits, the choices tried, and the first one to try; then for each
/// choice its visits, for each the sum of its values, and for each its node. In a tree with a [`ProgressiveBias`] there follow the
/// choices from the best on, and what each of these adds to its bound.
#[derive(Clone, Copy, Debug)]
struct Choices(usize);

impl Choices {
    const HEAD: usize = 4;

    const fn words(choices: usize, is_guided: bool) -> usize {
        Choices::HEAD + if is_guided { 5 } else { 3 } * choices
    }

    const fn number(self) -> usize {
        self.0
    }

    const fn visits(self) -> usize {
        self.0 + 1
    }

    const fn tried(self) -> usize {
        self.0 + 2
    }

    const fn first(self) -> usize {
        self.0 + 3
    }

    const fn edges(self) -> usize {
        self.0 + Choices::HEAD
    }

    const fn ranks(self, choices: usize) -> usize {
        self.edges() + 3 * choices
    }
}

/// A tree that UCT grows.
///
/// A playout in flight counts as a visit with a loss of 1, until its value is taken back.
#[derive(Debug)]
pub(crate) struct Tree<G: Game> {
    game: Arc<G>,
    throws: Throws,
    streams: Streams,
    root: G::Position,
    chance: usize,
    draw: ChanceSampling,
    /// The square of C.
    c_squared: f64,
    expand: u32,
    bias: Option<ProgressiveBias<G::Position>>,
    nodes: Vec<Node<G::Position>>,
    words: Vec<u32>,
    /// The bytes that the arenas may have.
    memory: u64,
    counts: Root,
    depth: u32,
    /// Whether the search was stopped while choices were valued, which then have no ranks.
    is_stopped: bool,
    room: Room<G::Position>,
}

/// What a tree grows by with a simulation, about: 14 words in a million simulations of an opening roll.
const WORDS_PER_SIMULATION: u64 = 16;

/// An empty arena with room for this many elements, at most for those that fit half of the memory. The system gives memory
/// when it is first used, so unused room costs nothing. An arena that does not move makes a search 6 % faster. If the system
/// refuses the room, the arena grows as it is filled.
fn arena<T>(length: u64, memory: u64) -> Vec<T> {
    let most = memory / 2 / size_of::<T>() as u64;
    let mut arena = Vec::new();
    let length = usize::try_from(length.min(most)).unwrap_or(usize::MAX);
    let _ = arena.try_reserve_exact(length);
    arena
}

impl<G: Game> Tree<G> {
    #[expect(clippy::too_many_arguments, reason = "its one caller names them all")]
    /// The tree of a number, with its root only: a position with its chance. Its arenas get room for `simulations`.
    /// `stop` ends the valuing of the root's choices.
    pub(crate) fn new(
        game: &Arc<G>,
        root: G::Position,
        chance: usize,
        settings: &Settings,
        bias: Option<ProgressiveBias<G::Position>>,
        number: u32,
        simulations: u64,
        stop: &dyn Fn() -> bool,
    ) -> Tree<G> {
        let choices = game.choices(&root, chance);
        let memory = settings.memory / u64::from(settings.trees);
        let mut tree = Tree {
            game: Arc::clone(game),
            throws: Throws::new(game.chances()),
            streams: Streams::new(settings.seed, number),
            root,
            chance,
            draw: settings.draw,
            c_squared: settings.c * settings.c,
            expand: settings.expand.get(),
            bias,
            nodes: arena(simulations, memory),
            words: arena(simulations.saturating_mul(WORDS_PER_SIMULATION), memory),
            memory,
            counts: Root::new(choices),
            depth: 0,
            is_stopped: false,
            room: Room::default(),
        };
        tree.push_choices(&root, chance, choices, 0, stop);
        tree
    }

    /// The bytes that the root of a tree takes.
    pub(crate) fn bytes_of_root(choices: usize, is_guided: bool) -> u64 {
        4 * Choices::words(choices, is_guided) as u64
    }

    fn bytes_of_arenas(&self) -> u64 {
        let nodes = self.nodes.len() * size_of::<Node<G::Position>>();
        (nodes + self.words.len() * size_of::<u32>()) as u64
    }

    /// The choices of the root.
    const ROOT: Choices = Choices(0);

    /// Whether the arenas may have so much more.
    fn has_room(&self, nodes: usize, words: usize) -> bool {
        let bytes = nodes * size_of::<Node<G::Position>>() + words * size_of::<u32>();
        let fits = |length: usize| length < NONE as usize;
        self.bytes_of_arenas() + bytes as u64 <= self.memory
            && fits(self.nodes.len() + nodes)
            && fits(self.words.len() + words)
    }

    /// Adds the choices after a chance, without children.
    fn push_choices(
        &mut self,
        position: &G::Position,
        chance: usize,
        number: usize,
        first: usize,
        stop: &dyn Fn() -> bool,
    ) -> u32 {
        let at = self.words.len();
        let edges = at + Choices::HEAD;
        self.words.resize(edges + 2 * number, 0);
        self.words.resize(edges + 3 * number, NONE);
        let choices = Choices(at);
        self.words[choices.number()] = number as u32;
        self.words[choices.first()] = first as u32;
        if let Some(bias) = &self.bias {
            let results = self.game.results(position, chance).into_iter();
            let results = results.map(|result| (result, self.game.points(&result)));
            let ranked = bias.ranked(&results.collect::<Vec<_>>(), stop);
            self.is_stopped |= ranked.is_err();
            // Ranks that mean nothing have their place too: simulations by them are not taken back.
            let ranked = ranked.unwrap_or_else(|_| (0..number as u32).map(|choice| (choice, 0.0)).collect());
            self.words.extend(ranked.iter().map(|(choice, _)| choice));
            let known = ranked.iter().map(|(_, known)| known.to_bits());
            self.words.extend(known);
        }
        at as u32
    }

    /// Adds chances without children.
    fn push_chances(&mut self, order: Order) -> Chances {
        let at = self.words.len();
        let chances = Chances(at);
        let number = self.game.chances().len();
        self.words.resize(at + Chances::words(number), 0);
        self.words[chances.order()] = order.to_word();
        for chance in 0..number {
            self.words[chances.choices(chance)] = NONE;
        }
        chances
    }

    /// Picks a choice, and counts a visit with a loss. Choices that are not tried come first.
    fn choose(&mut self, choices: Choices) -> usize {
        let number = self.words[choices.number()] as usize;
        let tried = self.words[choices.tried()] as usize;
        let visits = choices.edges();
        let sums = visits + number;
        let choice = if let Some(bias) = &self.bias {
            let parent = self.words[choices.visits()];
            let part = bias.choices(parent, number);
            if tried < part {
                self.words[choices.tried()] += 1;
                self.words[choices.ranks(number) + tried] as usize
            } else {
                let log = self.c_squared as f32 * libm::logf(parent as f32);
                highest_guided(&self.words[visits..], number, part, log)
            }
        } else if tried < number {
            self.words[choices.tried()] += 1;
            let choice = self.words[choices.first()] as usize + tried;
            if choice < number { choice } else { choice - number }
        } else {
            let parent = self.words[choices.visits()] as f32;
            let log = self.c_squared as f32 * libm::logf(parent);
            let edges = &self.words[visits..sums + number];
            let (visits, sums) = edges.split_at(number);
            highest_bound(visits, sums, log)
        };
        self.words[choices.visits()] += 1;
        self.words[visits + choice] += 1;
        let sum = &mut self.words[sums + choice];
        *sum = sum.wrapping_sub(1);
        choice
    }

    /// Adds the node behind a choice, if there is room.
    fn push_child(&mut self, edge: usize, position: G::Position, points: Option<i32>) {
        if self.has_room(1, 0) {
            self.words[edge] = self.nodes.len() as u32;
            let next = points.map_or(Next::Nothing, Next::Over);
            self.nodes.push(Node { position, next });
        }
    }

    /// The chances of a node, which join the tree if there is room.
    fn chances(&mut self, node: usize, random: &mut Random, clock: &mut impl Clock) -> Option<Chances> {
        match self.nodes[node].next {
            Next::Chances(at) => Some(Chances(at as usize)),
            Next::Nothing if self.has_room(0, Chances::words(self.game.chances().len())) => {
                clock.enter(SearchStage::Expand);
                let order = self.throws.order(random);
                let chances = self.push_chances(order);
                self.nodes[node].next = Next::Chances(chances.0 as u32);
                clock.enter(SearchStage::Select);
                Some(chances)
            }
            _ => None,
        }
    }

    /// The choices after a chance, which join the tree if they have been visited enough and there is room.
    fn choices(
        &mut self,
        node: Option<usize>,
        chances: Chances,
        chance: usize,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        clock: &mut impl Clock,
    ) -> Option<Choices> {
        let at = self.words[chances.choices(chance)];
        if at != NONE {
            return Some(Choices(at as usize));
        }
        // Simulations that begin together with the one that was stopped ask the guide no more: none is taken back.
        if self.is_stopped || self.words[chances.visits_of(chance)] <= self.expand {
            return None;
        }
        clock.enter(SearchStage::Expand);
        let number = self.game.choices(&self.position(node), chance);
        if !self.has_room(0, Choices::words(number, self.bias.is_some())) {
            return None;
        }
        let (position, first) = (self.position(node), random.below(number));
        let at = self.push_choices(&position, chance, number, first, stop);
        self.words[chances.choices(chance)] = at;
        clock.enter(SearchStage::Select);
        Some(Choices(at as usize))
    }
}

/// The index of the highest upper confidence bound, the first of equal ones. All have visits. Every operation is
/// rounded as IEEE 754 says, so that the index is the same on any CPU.
fn highest_bound(visits: &[u32], sums: &[u32], log: f32) -> usize {
    const TOGETHER: usize = 16;
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    let mut bounds = [0.0; TOGETHER];
    for (group, (visits, sums)) in visits.chunks(TOGETHER).zip(sums.chunks(TOGETHER)).enumerate() {
        for ((bound, &visits), &sum) in bounds.iter_mut().zip(visits).zip(sums) {
            let share = 1.0 / visits as i32 as f32;
            *bound = sum as i32 as f32 * share + (log * share).sqrt();
        }
        for (index, &bound) in bounds[..visits.len()].iter().enumerate() {
            if bound > highest {
                (best, highest) = (group * TOGETHER + index, bound);
            }
        }
    }
    best
}

/// The choice of the highest bound among the best so many by their values, the first of equal ones. The words are those of
/// the edges of choices and of their ranks. All of the part have visits.
fn highest_guided(words: &[u32], number: usize, part: usize, log: f32) -> usize {
    let (visits, rest) = words.split_at(number);
    let (sums, rest) = rest.split_at(number);
    let ranks = &rest[number..];
    let known = &ranks[number..];
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    for (&choice, &known) in ranks[..part].iter().zip(known) {
        let choice = choice as usize;
        let visits = visits[choice] as f32;
        let share = 1.0 / visits;
        let value = sums[choice] as i32 as f32 * share + (log * share).sqrt();
        let bound = value + f32::from_bits(known) / (visits + 1.0);
        if bound > highest {
            (best, highest) = (choice, bound);
        }
    }
    best
}

/// A simulation on its way down the tree.
#[derive(Debug)]
struct Descent {
    random: Random,
    /// Which of the simulations that begin together.
    which: usize,
    /// The node whose chance was drawn; `None` at the root.
    node: Option<usize>,
    chance: usize,
    choices: Choices,
}

/// Where a simulation is after a choice.
#[derive(Debug)]
struct Chosen {
    descent: Descent,
    node: usize,
}

/// Where it is after a chance.
#[derive(Debug)]
struct Drawn {
    descent: Descent,
    chances: Chances,
}

/// Room for simulations that go down side by side, empty between them.
#[derive(Debug)]
struct Room<P> {
    descents: Vec<Descent>,
    chosen: Vec<Chosen>,
    drawn: Vec<Drawn>,
    landed: Vec<Option<Landing<P>>>,
}

impl<P> Default for Room<P> {
    fn default() -> Room<P> {
        Room {
            descents: Vec::new(),
            chosen: Vec::new(),
            drawn: Vec::new(),
            landed: Vec::new(),
        }
    }
}

/// Has the memory of all of them fetched at the same time, so that what follows need not wait for one after the other.
fn fetch(words: impl Iterator<Item = u32>) {
    black_box(words.fold(0, |all, word| all ^ word));
}

impl<G: Game> Tree<G> {
    /// Where a simulation draws its chance and chooses.
    fn position(&self, node: Option<usize>) -> G::Position {
        node.map_or(self.root, |node| self.nodes[node].position)
    }

    /// Makes a choice. Returns the landing of a simulation that goes no further.
    fn step_to_node(
        &mut self,
        descent: Descent,
        path: &mut Vec<u32>,
        clock: &mut impl Clock,
    ) -> Result<Chosen, Landing<G::Position>> {
        let Descent { choices, chance, .. } = descent;
        let choice = self.choose(choices);
        let number = self.words[choices.number()] as usize;
        path.push((choices.edges() + number + choice) as u32);
        self.depth = self.depth.max(path.len() as u32);
        let edge = choices.edges() + 2 * number + choice;
        if self.words[edge] != NONE {
            let node = self.words[edge] as usize;
            return Ok(Chosen { descent, node });
        }
        clock.enter(SearchStage::Expand);
        let position = self.position(descent.node);
        let result = self.game.result(&position, chance, choice);
        let points = self.game.points(&result);
        self.push_child(edge, result, points);
        clock.enter(SearchStage::Select);
        Err(match points {
            Some(points) => Landing::Over(points),
            None => Landing::Leaf(result, None),
        })
    }

    /// Draws the chance in a node.
    fn step_to_chance(&mut self, chosen: Chosen, clock: &mut impl Clock) -> Result<Drawn, Landing<G::Position>> {
        let Chosen { mut descent, node } = chosen;
        if let Next::Over(points) = self.nodes[node].next {
            return Err(Landing::Over(points));
        }
        let Some(chances) = self.chances(node, &mut descent.random, clock) else {
            return Err(Landing::Leaf(self.nodes[node].position, None));
        };
        let chance = match self.draw {
            ChanceSampling::Random => self.throws.draw(&mut descent.random),
            ChanceSampling::Stratified => {
                let visit = self.words[chances.visits()];
                self.words[chances.visits()] += 1;
                let order = Order::of_word(self.words[chances.order()]);
                self.throws.in_order(order, visit)
            }
        };
        let descent = Descent {
            node: Some(node),
            chance,
            ..descent
        };
        Ok(Drawn { descent, chances })
    }

    /// Goes on to the choices after a chance.
    fn step_to_choices(
        &mut self,
        drawn: Drawn,
        stop: &dyn Fn() -> bool,
        clock: &mut impl Clock,
    ) -> Result<Descent, Landing<G::Position>> {
        let Drawn { mut descent, chances } = drawn;
        let Descent { node, chance, .. } = descent;
        self.words[chances.visits_of(chance)] += 1;
        match self.choices(node, chances, chance, &mut descent.random, stop, clock) {
            Some(choices) => Ok(Descent { choices, ..descent }),
            None => Err(Landing::Leaf(self.position(node), Some(chance))),
        }
    }
}

impl<G: Game> Tree<G> {
    /// The chances that the tree has behind a choice.
    fn chances_after(&self, choices: Choices, choice: usize) -> Option<Chances> {
        let number = self.words[choices.number()] as usize;
        let node = self.words[choices.edges() + 2 * number + choice];
        match self.nodes.get(node as usize)?.next {
            Next::Chances(at) => Some(Chances(at as usize)),
            _ => None,
        }
    }

    /// The counts of the choices at a word; none if there is no word.
    fn replies_after(&self, at: u32) -> Vec<Reply> {
        if at == NONE {
            return Vec::new();
        }
        let choices = Choices(at as usize);
        let number = self.words[choices.number()] as usize;
        let edges = &self.words[choices.edges()..choices.edges() + 2 * number];
        let (visits, sums) = edges.split_at(number);
        let replies = visits.iter().zip(sums).map(|(&visits, &sum)| Reply {
            visits: u64::from(visits),
            sum: i64::from(sum as i32),
        });
        replies.collect()
    }
}

impl<G: Game, C: Clock> Simulations<G::Position, C> for Tree<G> {
    /// They go down side by side, level by level. That changes nothing: simulations meet in a node in the order of their
    /// numbers, as one after the other.
    fn begin(
        &mut self,
        simulations: Range<u64>,
        paths: &mut [Vec<u32>],
        landings: &mut Vec<Landing<G::Position>>,
        stop: &dyn Fn() -> bool,
        clock: &mut C,
    ) {
        if self.is_stopped {
            landings.extend(simulations.map(|_| Landing::Stopped));
            return;
        }
        let mut room = mem::take(&mut self.room);
        let Room {
            descents,
            chosen,
            drawn,
            landed,
        } = &mut room;
        landed.resize(paths.len(), None);
        descents.extend(simulations.enumerate().map(|(which, simulation)| Descent {
            random: self.streams.of(simulation),
            which,
            node: None,
            chance: self.chance,
            choices: Self::ROOT,
        }));
        while !descents.is_empty() {
            fetch(descents.iter().map(|one| self.words[one.choices.tried()]));
            for descent in descents.drain(..) {
                let which = descent.which;
                match self.step_to_node(descent, &mut paths[which], clock) {
                    Ok(one) => chosen.push(one),
                    Err(landing) => landed[which] = Some(landing),
                }
            }
            let is_over = |node: usize| matches!(self.nodes[node].next, Next::Over(_));
            fetch(chosen.iter().map(|one| u32::from(is_over(one.node))));
            for one in chosen.drain(..) {
                let which = one.descent.which;
                match self.step_to_chance(one, clock) {
                    Ok(one) => drawn.push(one),
                    Err(landing) => landed[which] = Some(landing),
                }
            }
            let visits = |one: &Drawn| self.words[one.chances.visits_of(one.descent.chance)];
            fetch(drawn.iter().map(visits));
            for one in drawn.drain(..) {
                let which = one.descent.which;
                match self.step_to_choices(one, stop, clock) {
                    Ok(one) => descents.push(one),
                    Err(landing) => landed[which] = Some(landing),
                }
            }
        }
        let is_stopped = self.is_stopped;
        let landed = landed.drain(..).flatten();
        landings.extend(landed.map(|landing| if is_stopped { Landing::Stopped } else { landing }));
        self.room = room;
    }

    fn fetch(&self, path: &[u32]) {
        fetch(path.iter().map(|&sum| self.words[sum as usize]));
    }

    fn take(&mut self, path: &[u32], value: i32) {
        let mut value = value;
        for &sum in path.iter().rev() {
            value = -value;
            let sum = &mut self.words[sum as usize];
            // The loss that was lent is given back.
            *sum = sum.wrapping_add((value + 1) as u32);
        }
        let first = path[0] as usize - Self::ROOT.edges() - self.counts.arms.len();
        self.counts.arms[first].add(value);
    }

    fn counts(&self) -> &Root {
        &self.counts
    }

    fn nodes(&self) -> u64 {
        self.nodes.len() as u64
    }

    fn bytes(&self) -> u64 {
        self.bytes_of_arenas()
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn replies(&self, first: usize) -> Vec<Replies> {
        let Some(chances) = self.chances_after(Self::ROOT, first) else {
            return Vec::new();
        };
        let of_chance = |chance| Replies {
            chance,
            visits: u64::from(self.words[chances.visits_of(chance)]),
            choices: self.replies_after(self.words[chances.choices(chance)]),
        };
        let replies = (0..self.game.chances().len()).map(of_chance);
        replies.filter(|replies| replies.visits > 0).collect()
    }

    fn line(&self, first: usize) -> Vec<Step> {
        let mut line = vec![Step {
            chance: self.chance,
            choice: first,
        }];
        let most_visited = |visits: &[u32]| {
            let visits = visits.iter().enumerate().rev();
            visits.max_by_key(|(_, visits)| **visits).map(|(i, _)| i)
        };
        let (mut choices, mut choice) = (Self::ROOT, first);
        loop {
            let Some(chances) = self.chances_after(choices, choice) else {
                return line;
            };
            let of_chances = 0..self.game.chances().len();
            let visits: Vec<u32> = of_chances.map(|chance| self.words[chances.visits_of(chance)]).collect();
            let chance = most_visited(&visits).expect("a game has chances");
            let next = self.words[chances.choices(chance)];
            if next == NONE {
                return line;
            }
            choices = Choices(next as usize);
            let number = self.words[choices.number()] as usize;
            let edges = choices.edges();
            choice = most_visited(&self.words[edges..edges + number]).expect("there is a choice");
            line.push(Step { chance, choice });
        }
    }
}
