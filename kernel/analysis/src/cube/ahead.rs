//! Values with the cube by looking ahead.

use core::hash::Hash;
use core::slice;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Knowledge, OutcomeSet, Probabilities};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, Outcome, Planes, Roll, Stopped};
use tavli_cube::{CubeInPlay, CubeModel, CubeState, Stakes};
use tavli_rollout::best_plays_with_cube;

/// A cube that nobody may turn: with it, positions have their values without a cube.
pub(crate) const NO_CUBE: CubeInPlay = CubeInPlay {
    state: CubeState { log2: 0, max_log2: 0, owner: None, stakes: Stakes::Money { jacoby: false, beavers: false } },
    // A given efficiency also leaves out the exact equities of bear-offs, which assume a live cube.
    efficiency: Some(0.0),
};

/// A search that carries the value without a cube and some states of the cube down one tree.
///
/// In each position below the first, the player on roll doubles if that is right. The cubeful value of a position is
/// the mean, over the 21 rolls, of the cubeful value after the best play. As in GNU Backgammon, a play is chosen once
/// for all states: by its cubeful value without looking ahead, with the cube as in the first position, among the plays
/// that are [near](Evaluator::candidate_plays) the best without a cube.
pub(super) struct CubeLookAhead<'a> {
    pub(super) evaluator: &'a dyn Evaluator,
    pub(super) conditions: &'a EvaluationConditions<'a>,
    /// The efficiency of the cube in all positions, if it is given.
    pub(super) efficiency: Option<f64>,
    pub(super) cache: &'a SearchCache,
}

/// A position before the roll, with all that its values depend on except the plies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    position: Planes,
    state: CubeState,
    /// The bits of the efficiency of the cube, if it is given.
    efficiency: Option<u64>,
}

/// The results of searches by one evaluator under one set of rules. Searches meet the same positions again: the plays
/// of a roll and the cube decision before it, and successive decisions of a game. The cache changes no value.
// `tavli analyze --look-ahead 2` meets most positions before a roll a second time, after the play that led to them.
// With this cache and one tree for both values, four matches to 5 took 3.68 s of processor time instead of 13.70 s
// (2026-11-27, EPYC).
#[derive(Debug, Default)]
pub(crate) struct SearchCache {
    best_replies: ShardedCache<Key, Arc<[BestReply]>>,
    /// The plies are part of the key, too.
    cubeful_values: ShardedCache<(Key, u32), CubefulValues>,
}

/// A map that threads share, and that forgets when it is full.
#[derive(Debug)]
struct ShardedCache<K, V> {
    /// Each part has the keys of some hashes, so threads seldom wait for each other.
    parts: [Mutex<HashMap<K, V>>; CACHE_PARTS],
    hasher: RandomState,
}

/// More than the threads of most machines, so that two seldom want the same part.
const CACHE_PARTS: usize = 16;
/// The most entries of a part. The best replies of a position take 1.3 KiB: 11 MiB in all.
const MAX_ENTRIES: usize = 512;

/// The position after the best play of a roll, and its value for the player next on roll.
#[derive(Clone, Copy, Debug)]
struct BestReply {
    position: Planes,
    value: Probabilities,
    is_over: bool,
}

/// A position's value and its cubeful values, found by looking ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct CubefulValues {
    /// The value without a cube: of the plays that are best with it.
    pub(super) value: Probabilities,
    /// The [cubeful values](CubeModel::cubeful_value) without a double, and after a double that is taken.
    pub(super) cubeful_values: [f64; 2],
}

impl<K, V> Default for ShardedCache<K, V> {
    fn default() -> Self {
        ShardedCache { parts: core::array::from_fn(|_| Mutex::default()), hasher: RandomState::new() }
    }
}

impl<K: Copy + Eq + Hash, V: Clone> ShardedCache<K, V> {
    /// The value of a key: the cached one, or else the result of `find`. Other threads may compute it at the same time.
    fn get_or_find<E>(&self, key: K, find: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        let part = &self.parts[self.hasher.hash_one(key) as usize % CACHE_PARTS];
        // A thread that panicked left the map whole: the lock is held only for a look-up or an insertion.
        let lock = || part.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&key).cloned();
        if let Some(value) = known {
            return Ok(value);
        }
        // Without the lock, since this takes long: two threads that miss the same key find the same value.
        let value = find()?;
        let mut part = lock();
        if part.len() >= MAX_ENTRIES {
            part.clear();
        }
        part.insert(key, value.clone());
        Ok(value)
    }
}

impl CubeLookAhead<'_> {
    /// The value and the cubeful values of a position, looking at least one ply ahead.
    pub(super) fn cubeful_values(&self, board: &Board, state: CubeState, plies: u32) -> Result<CubefulValues, Stopped> {
        let position = Planes::from(*board);
        self.cache.cubeful_values.get_or_find((self.key(position, state), plies), || {
            let (value, cubeful_values) = self.look_further(&position, &[state, state.doubled()], state, plies - 1)?;
            let cubeful_values = [cubeful_values[0], cubeful_values[1]];
            Ok(CubefulValues { value, cubeful_values })
        })
    }

    /// The best play of each roll of [`Roll::ALL`], without looking ahead, by the `equity` after a play of the player
    /// who makes it.
    pub(super) fn best_by_roll(
        &self,
        board: &Board,
        state: CubeState,
        equity: impl Fn(&Board, &Probabilities) -> f64,
    ) -> Result<Vec<f64>, Stopped> {
        let best_replies = self.best_replies(&Planes::from(*board), state.reversed())?;
        let best = best_replies.iter().map(|reply| equity(&Board::from(reply.position), &reply.value));
        Ok(best.collect())
    }

    fn key(&self, position: Planes, state: CubeState) -> Key {
        Key { position, state, efficiency: self.efficiency.map(f64::to_bits) }
    }

    fn model(&self, board: &Board) -> CubeModel<'static> {
        tavli_rollout::cube_model(board, self.efficiency)
    }

    /// The value of a position without a cube, and its [cubeful value](CubeModel::cubeful_value) in each state, from
    /// its `value` without looking ahead. Plays are chosen for the state `cube_of_plays`.
    fn search(
        &self,
        position: &Planes,
        value: Probabilities,
        states: &[CubeState],
        cube_of_plays: CubeState,
        plies: u32,
    ) -> Result<(Probabilities, Vec<f64>), Stopped> {
        if plies == 0 {
            return Ok((value, self.cubeful_values_here(position, value, states)));
        }
        self.look_further(position, states, cube_of_plays, plies - 1)
    }

    /// The cubeful value of a position in each state, without looking ahead.
    fn cubeful_values_here(&self, position: &Planes, value: Probabilities, states: &[CubeState]) -> Vec<f64> {
        let (model, probabilities) = (self.model(&Board::from(*position)), value.into());
        let cubeful_values = states.iter().map(|state| model.cubeful_value(&probabilities, state));
        cubeful_values.collect()
    }

    /// The result of [`mean_over_rolls`](CubeLookAhead::mean_over_rolls). Exactly known values stay as they are: the
    /// value by the evaluator, and in money games the values with the cube by the model.
    fn look_further(
        &self,
        position: &Planes,
        states: &[CubeState],
        cube_of_plays: CubeState,
        further: u32,
    ) -> Result<(Probabilities, Vec<f64>), Stopped> {
        let known = match self.evaluator.knowledge(self.conditions.rules(), position) {
            Knowledge::Exact => self.evaluator.evaluated(self.conditions, slice::from_ref(position))?.pop(),
            _ => None,
        };
        let is_money = matches!(cube_of_plays.stakes, Stakes::Money { .. });
        let is_exact = is_money && self.model(&Board::from(*position)).exact.is_some();
        if let Some(value) = known.filter(|_| is_exact) {
            return Ok((value, self.cubeful_values_here(position, value, states)));
        }
        if is_exact {
            // Only the value is looked for, so its plays are the best ones without the cube.
            let without_cube = CubeLookAhead { efficiency: NO_CUBE.efficiency, ..*self };
            let (value, _) = without_cube.mean_over_rolls(position, &[], NO_CUBE.state, further)?;
            return Ok((value, self.cubeful_values_here(position, value, states)));
        }
        let (mean, cubeful_values) = self.mean_over_rolls(position, states, cube_of_plays, further)?;
        Ok((known.unwrap_or(mean), cubeful_values))
    }

    /// The mean over the 21 rolls of the result of [`search`](CubeLookAhead::search) after the best play, which looks
    /// `further` plies ahead.
    fn mean_over_rolls(
        &self,
        position: &Planes,
        states: &[CubeState],
        cube_of_plays: CubeState,
        further: u32,
    ) -> Result<(Probabilities, Vec<f64>), Stopped> {
        let cube_of_plays = cube_of_plays.reversed();
        // The undoubled states come first, in the order of `states`; a doubled one follows for each that allows it.
        let undoubled: Vec<CubeState> = states.iter().map(CubeState::reversed).collect();
        let doubled = undoubled.iter().filter(|state| state.is_double_allowed());
        let next: Vec<CubeState> = undoubled.iter().copied().chain(doubled.map(CubeState::doubled)).collect();
        let mut sums = vec![0.0; states.len()];
        let mut ranges = vec![[f64::INFINITY, f64::NEG_INFINITY]; states.len()];
        let mut outcomes = [0; Outcome::COUNT];
        for (roll, reply) in Roll::ALL.into_iter().zip(&*self.best_replies(position, cube_of_plays)?) {
            let model = self.model(&Board::from(reply.position));
            let (value, cubeful_values) = match reply.is_over {
                true => {
                    let probabilities = reply.value.into();
                    let cubeful_values = undoubled.iter().map(|state| model.cubeful_value(&probabilities, state));
                    (reply.value, cubeful_values.collect())
                }
                false => self.search(&reply.position, reply.value, &next, cube_of_plays, further)?,
            };
            for (sum, number) in outcomes.iter_mut().zip(value.reversed().numbers()) {
                *sum += u64::from(roll.weight()) * u64::from(number);
            }
            let (without, mut with) = (&cubeful_values[..states.len()], cubeful_values[states.len()..].iter());
            let sums = sums.iter_mut().zip(&mut ranges);
            for (((sum, [least, most]), state), &no_double) in sums.zip(&undoubled).zip(without) {
                // `with` has a value for each state that allows a double, in their order; none where the game is over.
                let double_take = if state.is_double_allowed() && !reply.is_over { with.next() } else { None };
                let best = match double_take {
                    Some(&double_take) => model.value_of_best([no_double, double_take], state),
                    None => no_double,
                };
                let value = reversed(best, state);
                *sum += f64::from(roll.weight()) / 36.0 * value;
                (*least, *most) = (least.min(value), most.max(value));
            }
        }
        // Rounding may lift a mean of equal values above them: 2e-16 was enough to make a position too good to double
        // under Jacoby's rule.
        for (sum, [least, most]) in sums.iter_mut().zip(ranges) {
            *sum = sum.clamp(least, most);
        }
        let mean = Probabilities::from_weights(outcomes).expect("each roll has a value");
        let possible = OutcomeSet::possible(self.conditions.rules(), position);
        Ok((mean.restricted_to(possible), sums))
    }

    /// The position after the best play of each of the 21 rolls. `state` is seen by the player next on roll.
    fn best_replies(&self, position: &Planes, state: CubeState) -> Result<Arc<[BestReply]>, Stopped> {
        let key = self.key(*position, state);
        self.cache.best_replies.get_or_find(key, || self.expand(position, state))
    }

    fn expand(&self, position: &Planes, state: CubeState) -> Result<Arc<[BestReply]>, Stopped> {
        self.conditions.check()?;
        let rules = self.conditions.rules();
        let mut decisions = RollBatch::new(rules).with_tier(self.conditions.tier());
        let pushed = decisions.push_rolls(&Board::from(*position));
        pushed.expect("a decision of a game that goes on");
        decisions.list(self.evaluator.view_of_plays());
        let states = [state; Roll::ALL.len()];
        let best = best_plays_with_cube(self.evaluator, self.conditions, &decisions, &states, self.efficiency)?;
        let best_replies = best.into_iter().enumerate().map(|(decision, play)| {
            let position = decisions.result_of(decision, play.index);
            BestReply { position, value: play.value, is_over: rules.outcome(&Board::from(position)).is_some() }
        });
        Ok(best_replies.collect())
    }
}

/// The cubeful value to the other player.
fn reversed(cubeful_value: f64, state: &CubeState) -> f64 {
    match state.stakes {
        Stakes::Money { .. } => -cubeful_value,
        Stakes::Match(_) => 1.0 - cubeful_value,
    }
}
