//! The tree in plain code: nodes in boxes, one playout after the other. The fast tree equals it bit for bit.

use std::collections::{BTreeMap, VecDeque};
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{BackgammonGame, Board, FirstRoll, Planes, Playouts, Plays, Roll, RuleSet, Stopped, Tier};
use tavli_run::{Cpus, Pinning, Placement, Workers};
use tavli_search::{
    Budget, ChanceSampling, Heuristic, Method, POINT, ProgressiveBias, Reward, RootChoice, RootCounts, Search,
    SearchSettings,
};

/// SplitMix64, as published.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Output number `number` of a generator.
fn output(mut state: u64, number: u64) -> u64 {
    for _ in 0..number {
        split_mix(&mut state);
    }
    split_mix(&mut state)
}

fn below(state: &mut u64, bound: usize) -> usize {
    (((split_mix(state) >> 32) * bound as u64) >> 32) as usize
}

/// After a roll: the plays, with their visits and sums.
struct Choices {
    visits: u32,
    first: usize,
    edges: Vec<Edge>,
    /// With progressive bias: the plays, best first, each with its value in points.
    ranked: Vec<(usize, f64)>,
}

/// Progressive bias in plain code, with values by the race.
#[derive(Clone, Copy, Debug)]
struct PlainBias {
    bias: f64,
    unprunes: bool,
}

/// A point for 32 pips.
#[derive(Debug)]
struct Race;

impl Race {
    fn value(board: &Board) -> i64 {
        let [own, other] = [board.own(), board.opponent()].map(|side| i64::from(side.pips()));
        (POINT / 32 * (other - own)).clamp(-3 * POINT, 3 * POINT)
    }
}

impl Heuristic<Planes> for Race {
    fn most(&self) -> i64 {
        3 * POINT
    }

    fn values(&self, positions: &[Planes], values: &mut [i64], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        for (value, &position) in values.iter_mut().zip(positions) {
            *value = Race::value(&Board::from(position));
        }
        Ok(())
    }
}

impl PlainBias {
    /// How many plays are unpruned.
    fn unpruned(self, visits: u32) -> usize {
        if !self.unprunes {
            return usize::MAX;
        }
        let more = 2.67 * (f64::from(visits) / 40.0).log2();
        (5.0 + more.max(0.0)).floor() as usize
    }
}

#[derive(Default)]
struct Edge {
    visits: u32,
    sum: i32,
    child: Option<Box<Node>>,
}

/// After a play.
struct Node {
    board: Board,
    visits: u32,
    /// The first throw and the stride, once it has been visited twice.
    order: Option<(usize, usize)>,
    rolls: BTreeMap<Roll, (u32, Option<Choices>)>,
}

fn new_choices(number: usize, first: usize) -> Choices {
    Choices { visits: 0, first, edges: (0..number).map(|_| Edge::default()).collect(), ranked: Vec::new() }
}

/// The plays of a roll by the race after them, best first.
fn ranked(board: &Board, roll: Roll, rules: RuleSet) -> Vec<(usize, f64)> {
    let plays = Plays::new(board, roll, rules).to_vec();
    let value = |after: Board| match rules.outcome(&after) {
        Some(outcome) => -f64::from(outcome.points()),
        None => -Race::value(&after) as f64 / POINT as f64,
    };
    let values = plays.iter().map(|play| value(play.board()));
    let mut ranked: Vec<(usize, f64)> = values.enumerate().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked
}

/// The throws in the order of the rolls.
fn throws() -> Vec<Roll> {
    let twice = |roll: Roll| std::iter::repeat_n(roll, roll.weight() as usize);
    Roll::ALL.into_iter().flat_map(twice).collect()
}

impl Choices {
    fn pick(&mut self, c: f64, progressive: Option<PlainBias>) -> usize {
        let (number, log) = (self.edges.len(), (c * c) as f32 * libm::logf(self.visits as f32));
        let bound = |edge: &Edge| {
            let share = 1.0 / edge.visits as f32;
            edge.sum as f32 * share + (log * share).sqrt()
        };
        let first_highest = |bounds: &[f32]| {
            let highest = bounds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            bounds.iter().position(|&bound| bound == highest).unwrap()
        };
        let choice = if let Some(progressive) = progressive {
            let part = &self.ranked[..number.min(progressive.unpruned(self.visits))];
            let untried = part.iter().find(|(choice, _)| self.edges[*choice].visits == 0);
            let biased_bound = |&(choice, value): &(usize, f64)| {
                let edge = &self.edges[choice];
                let bias = progressive.bias as f32 * value as f32;
                bound(edge) + bias / (edge.visits as f32 + 1.0)
            };
            match untried {
                Some((choice, _)) => *choice,
                None => {
                    let bounds: Vec<f32> = part.iter().map(biased_bound).collect();
                    part[first_highest(&bounds)].0
                }
            }
        } else if (self.visits as usize) < number {
            (self.first + self.visits as usize) % number
        } else {
            let bounds: Vec<f32> = self.edges.iter().map(bound).collect();
            first_highest(&bounds)
        };
        self.visits += 1;
        self.edges[choice].visits += 1;
        self.edges[choice].sum -= 1;
        choice
    }
}

/// A simulation in flight: its choices, and the value for the player whose turn it is in its leaf.
struct Begun {
    path: Vec<(Roll, usize)>,
    value: i32,
}

struct Tree {
    rules: RuleSet,
    settings: SearchSettings,
    progressive: Option<PlainBias>,
    number: u32,
    board: Board,
    roll: Roll,
    root: Choices,
    choices: Vec<RootChoice>,
}

impl Tree {
    fn playout(&self, board: &Board, roll: Option<Roll>, simulation: u64) -> i32 {
        let playouts = Playouts::new(*board, self.rules, self.settings.seed).unwrap();
        let first = roll.map_or(FirstRoll::Any, FirstRoll::Given);
        let game = (u64::from(self.number) << 32) + simulation;
        let record = playouts.with_first_roll(first).play(game);
        record.outcome.unwrap().points()
    }

    fn points(&self, board: &Board) -> Option<i32> {
        self.rules.outcome(board).map(|outcome| outcome.points())
    }

    fn begin(&mut self, simulation: u64) -> Begun {
        let SearchSettings { seed, c, chance_sampling, expand, reward, .. } = self.settings;
        let mut random = output(output(output(seed, 2), u64::from(self.number)), simulation);
        let throws = throws();
        let mut path = Vec::new();
        let (mut board, mut roll) = (self.board, self.roll);
        let mut choices = std::mem::replace(&mut self.root, new_choices(0, 0));
        let mut at = &mut choices;
        let points = loop {
            let choice = at.pick(c, self.progressive);
            path.push((roll, choice));
            let edge = &mut at.edges[choice];
            let is_new = edge.child.is_none();
            let node = edge.child.get_or_insert_with(|| {
                let play = Plays::new(&board, roll, self.rules).to_vec()[choice];
                Box::new(Node { board: play.board(), visits: 0, order: None, rolls: BTreeMap::new() })
            });
            board = node.board;
            if let Some(points) = self.points(&board) {
                break points;
            }
            if is_new {
                break self.playout(&board, None, simulation);
            }
            let (first, stride) = *node.order.get_or_insert_with(|| {
                let first = below(&mut random, 36);
                let stride = 1 + below(&mut random, 36);
                let coprime = |stride: &usize| !stride.is_multiple_of(2) && !stride.is_multiple_of(3);
                (first, (stride..).find(coprime).unwrap() % 36)
            });
            roll = match chance_sampling {
                ChanceSampling::Random => throws[below(&mut random, 36)],
                ChanceSampling::Stratified => throws[(first + node.visits as usize * stride) % 36],
            };
            node.visits += 1;
            let (visits, next) = node.rolls.entry(roll).or_insert((0, None));
            *visits += 1;
            if *visits <= expand.get() {
                break self.playout(&board, Some(roll), simulation);
            }
            at = next.get_or_insert_with(|| {
                let number = Plays::new(&board, roll, self.rules).len();
                let mut choices = new_choices(number, below(&mut random, number));
                if self.progressive.is_some() {
                    choices.ranked = ranked(&board, roll, self.rules);
                }
                choices
            });
        };
        self.root = choices;
        let value = match reward {
            Reward::Points => points,
            Reward::Wins => points.signum(),
        };
        Begun { path, value }
    }

    fn back_up(&mut self, begun: &Begun) {
        let mut at = Some(&mut self.root);
        for (depth, &(_, choice)) in begun.path.iter().enumerate() {
            let edge = &mut at.unwrap().edges[choice];
            let turns = begun.path.len() - depth;
            let value = if turns.is_multiple_of(2) { begun.value } else { -begun.value };
            edge.sum += 1 + value;
            if depth == 0 {
                let root_choice = &mut self.choices[choice];
                root_choice.visits += 1;
                root_choice.sum += i64::from(value);
                root_choice.squares += (value * value) as u64;
            }
            at = begun.path.get(depth + 1).and_then(|(roll, _)| {
                let node = edge.child.as_mut().unwrap();
                node.rolls.get_mut(roll).unwrap().1.as_mut()
            });
        }
    }

    fn run(mut self, simulations: u64) -> Vec<RootChoice> {
        let (mut begun, mut backed_up, mut flying) = (0, 0, VecDeque::new());
        while backed_up < simulations {
            let in_flight = u64::from(self.settings.in_flight);
            let groups = backed_up - backed_up % in_flight.min(8);
            let most = groups + (groups / 4).max(8).min(in_flight);
            if begun < simulations.min(most) {
                flying.push_back(self.begin(begun));
                begun += 1;
            } else {
                let first = flying.pop_front().unwrap();
                self.back_up(&first);
                backed_up += 1;
            }
        }
        self.choices
    }
}

fn plain(
    board: &Board,
    roll: Roll,
    rules: RuleSet,
    settings: SearchSettings,
    progressive: Option<PlainBias>,
    simulations: u64,
) -> RootCounts {
    let number = Plays::new(board, roll, rules).len();
    let mut choices = vec![RootChoice::default(); number];
    for tree in 0..settings.trees {
        let trees = u64::from(settings.trees);
        let share = simulations / trees + u64::from(u64::from(tree) < simulations % trees);
        let mut root = new_choices(number, 0);
        root.ranked = ranked(board, roll, rules);
        let tree = Tree {
            rules,
            settings,
            progressive,
            number: tree,
            board: *board,
            roll,
            root,
            choices: vec![RootChoice::default(); number],
        };
        for (sum, root_choice) in choices.iter_mut().zip(tree.run(share)) {
            sum.merge(&root_choice);
        }
    }
    RootCounts { choices }
}

fn fast(
    board: &Board,
    roll: Roll,
    rules: RuleSet,
    settings: SearchSettings,
    progressive: Option<PlainBias>,
    simulations: u64,
    (tier, threads): (Tier, usize),
) -> RootCounts {
    let game = BackgammonGame::new(rules, PolicyPair::default(), tier, settings.seed).unwrap();
    let root = game.root(board).unwrap();
    let budget = Budget::simulations(simulations);
    let search = Search::new(Arc::new(game), root, BackgammonGame::chance(roll), settings, budget).unwrap();
    let search = match progressive {
        Some(PlainBias { bias, unprunes }) => {
            let heuristic: Arc<dyn Heuristic<_>> = Arc::new(Race);
            let bias = ProgressiveBias { heuristic, bias, unprunes };
            search.with_progressive_bias(bias).unwrap()
        }
        None => search,
    };
    let threads = NonZeroUsize::new(threads);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads).unwrap();
    search.run(&Workers::start(&placement).unwrap(), |_| ()).root
}

#[test]
fn fast_trees_equal_plain_ones_on_every_tier_and_any_number_of_threads() {
    let plain_settings = SearchSettings { trees: 3, seed: 7, ..SearchSettings::default() };
    let varied = [
        plain_settings,
        SearchSettings {
            chance_sampling: ChanceSampling::Stratified,
            reward: Reward::Wins,
            c: 0.3,
            in_flight: 40,
            ..plain_settings
        },
        SearchSettings { expand: NonZeroU32::new(5).unwrap(), c: 0.0, in_flight: 1, trees: 1, ..plain_settings },
    ];
    // The opening; a bear-off with the end in reach; a position of few checkers.
    let end: Board = "YwAAwBgAAAAAAA".parse::<tavli_backgammon::Position>().map(|p| *p.board()).unwrap();
    let cases = [
        (Board::START, "31", RuleSet::Backgammon),
        (end, "64", RuleSet::Backgammon),
        (RuleSet::Hypergammon.start(), "21", RuleSet::Hypergammon),
        (Board::START, "65", RuleSet::McGammon),
    ];
    let [plainly, otherwise, slowly] = varied.map(|settings| (settings, None));
    let progressive = |bias, unprunes| Some(PlainBias { bias, unprunes });
    for (settings, progressive) in [
        plainly,
        otherwise,
        slowly,
        (otherwise.0, progressive(3.0, false)),
        (slowly.0, progressive(0.5, true)),
        (plain_settings, progressive(0.0, true)),
    ] {
        for (board, roll, rules) in &cases {
            let roll = roll.parse().unwrap();
            let expected = plain(board, roll, *rules, settings, progressive, 2001);
            assert_eq!(expected.simulations(), 2001);
            for &tier in Tier::available() {
                for threads in [1, 2, 5] {
                    let machine = (tier, threads);
                    let found = fast(board, roll, *rules, settings, progressive, 2001, machine);
                    assert!(
                        found == expected,
                        "{tier}, {threads} threads, {settings:?}, {progressive:?}: {found:?} is not {expected:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn progressive_bias_needs_a_tree_and_a_factor_in_range() {
    let game = BackgammonGame::new(RuleSet::Backgammon, PolicyPair::default(), Tier::best(), 1).unwrap();
    let game = Arc::new(game);
    let progressive = |method, bias, memory| {
        let root = game.root(&Board::START).unwrap();
        let settings = SearchSettings { method, memory, ..SearchSettings::default() };
        let budget = Budget::simulations(100);
        let search = Search::new(Arc::clone(&game), root, 0, settings, budget).unwrap();
        let heuristic: Arc<dyn Heuristic<_>> = Arc::new(Race);
        let bias = ProgressiveBias { heuristic, bias, unprunes: true };
        search.with_progressive_bias(bias).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(progressive(Method::Uct, 1.0, 1 << 20), Ok(()));
    for bias in [-1.0, f64::NAN, f64::INFINITY] {
        let error = progressive(Method::Uct, bias, 1 << 20).unwrap_err();
        assert!(error.starts_with(&format!("invalid bias {bias}: ")), "{error}");
    }
    for method in [Method::Flat, Method::Halving] {
        let error = progressive(method, 1.0, SearchSettings::default().memory).unwrap_err();
        assert_eq!(
            error,
            format!(
                "progressive bias or unpruning is for the method uct, not for {method}, which grows no trees: leave \
                 it out"
            )
        );
    }
    // Roots with the ranks and biases of their plays.
    let plays = Plays::new(&Board::START, Roll::ALL[0], RuleSet::Backgammon).len() as u64;
    let bytes = 16 * 4 * (4 + 5 * plays);
    assert_eq!(progressive(Method::Uct, 1.0, bytes), Ok(()));
    let error = progressive(Method::Uct, 1.0, bytes - 1).unwrap_err();
    assert!(error.contains(&format!("give at least {bytes}")), "{error}");
}
