//! Minibatches of examples, in the order in which a net learns from them, on one worker or on all.

use core::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, RwLock};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use tavli_backgammon::Stopped;
use tavli_run::{Cancel, Workers};

use crate::examples::Examples;
use crate::net::{Gradient, LOSS_UNIT, Learner, MinibatchPart, share};
use crate::panic_safe_barrier::PanicSafeBarrier;

/// Minibatches of examples, in order.
#[derive(Clone, Debug)]
pub(crate) struct MinibatchPlan {
    pub(crate) examples: Arc<Examples>,
    /// The numbers of the examples, minibatch after minibatch.
    // 32 bits: 2^32 positions would take 128 GiB.
    pub(crate) order: Vec<u32>,
    pub(crate) minibatches: Vec<Minibatch>,
}

/// How many examples a step learns from, and at what rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Minibatch {
    pub(crate) examples: usize,
    pub(crate) rate: f64,
}

impl Minibatch {
    /// Splits a number of examples into minibatches of `size`; the last may be smaller. `rate` gives the rate of each,
    /// by its number from 0 on.
    pub(crate) fn split(examples: usize, size: usize, rate: impl Fn(usize) -> f64) -> Vec<Minibatch> {
        let minibatch = |number: usize| Minibatch { examples: size.min(examples - number * size), rate: rate(number) };
        (0..examples.div_ceil(size)).map(minibatch).collect()
    }
}

/// How much was learned from, and the losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Learned {
    pub(crate) positions: u64,
    /// The sum of the losses, in units of [`LOSS_UNIT`].
    pub(crate) loss: u64,
}

impl Learned {
    pub(crate) fn add(&mut self, more: Learned) {
        self.positions += more.positions;
        self.loss += more.loss;
    }

    /// The mean loss of a position; `None` without positions.
    pub(crate) fn mean_loss(&self) -> Option<f64> {
        (self.positions > 0).then(|| self.loss as f64 * LOSS_UNIT / self.positions as f64)
    }
}

/// Why learning stops before the end of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Halt {
    /// The training was cancelled.
    Cancelled = 1,
    /// The loss of the next minibatch is not a number.
    LossNotFinite,
}

/// How far learning came, and why it stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LearningResult {
    pub(crate) learned: Learned,
    /// Minibatches learned from.
    pub(crate) minibatches: usize,
    /// Why learning stopped; `None` at the end of the plan.
    pub(crate) halt: Option<Halt>,
}

/// Why locks are never poisoned.
const NO_PANIC: &str = "no worker panics";

/// The shared state of the workers that learn together.
struct Team {
    // Locks since the crate forbids unsafe code. The barrier keeps a writer and the readers of a part apart, so no
    // worker waits for a lock.
    parts: Vec<RwLock<MinibatchPart>>,
    gradients: Vec<RwLock<Gradient>>,
    barrier: PanicSafeBarrier,
    /// For each [`MinibatchStage`] a [`Halt`] as a number, or 0. Relaxed, since the lock of the barrier orders it.
    // One for each stage. With one for both stages, a worker stopped in the second could set it before a slower worker,
    // just past the barrier, has read it for the first.
    halts: [AtomicU8; 2],
}

/// The part of a minibatch's work that workers do until they wait for each other.
#[derive(Clone, Copy)]
enum MinibatchStage {
    /// The errors of a worker's positions.
    Errors,
    /// The gradients of a worker's rows.
    Gradients,
}

impl MinibatchPlan {
    /// The numbers `0..things` in an order that the seed decides: the shuffle of Fisher and Yates.
    pub(crate) fn shuffled(things: usize, seed: u64) -> Vec<u32> {
        let mut order: Vec<u32> = (0..things as u32).collect();
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
        for last in (1..order.len()).rev() {
            let draw = u64::from(generator.next_u32()) * (last as u64 + 1);
            order.swap(last, (draw >> 32) as usize);
        }
        order
    }

    /// Shuffles all positions into minibatches of `size` positions.
    pub(crate) fn from_positions(examples: Arc<Examples>, size: usize, seed: u64, rate: f64) -> MinibatchPlan {
        MinibatchPlan {
            order: MinibatchPlan::shuffled(examples.len(), seed),
            minibatches: Minibatch::split(examples.len(), size, |_| rate),
            examples,
        }
    }

    /// Shuffles all games into minibatches of `size` games, each with all its positions.
    pub(crate) fn from_games(examples: Arc<Examples>, size: usize, seed: u64, rate: f64) -> MinibatchPlan {
        let lengths = &examples.games;
        let mut ends = Vec::with_capacity(lengths.len());
        let mut end = 0;
        for length in lengths {
            end += length;
            ends.push(end);
        }
        let games = MinibatchPlan::shuffled(lengths.len(), seed);
        let positions = |&game: &u32| {
            let game = game as usize;
            ends[game] - lengths[game]..ends[game]
        };
        let minibatches = games
            .chunks(size)
            .map(|games| Minibatch { examples: games.iter().map(|game| positions(game).len()).sum(), rate });
        let order = games.iter().flat_map(positions);
        MinibatchPlan {
            order: order.map(|position| position as u32).collect(),
            minibatches: minibatches.collect(),
            examples,
        }
    }

    fn minibatches(&self) -> impl Iterator<Item = (&[u32], f64)> {
        let mut rest = &self.order[..];
        self.minibatches.iter().map(move |minibatch| {
            let (numbers, others) = rest.split_at(minibatch.examples);
            rest = others;
            (numbers, minibatch.rate)
        })
    }

    /// Learns on this thread. A halt leaves the weights as after a minibatch.
    pub(crate) fn learn_alone(&self, learner: &mut Learner, cancel: &Cancel) -> LearningResult {
        let mut room = (MinibatchPart::default(), Gradient::default());
        let mut result = LearningResult::default();
        for (numbers, rate) in self.minibatches() {
            let step = match cancel.is_cancelled() {
                true => Err(Stopped),
                false => learner.step(&mut room, &self.examples, numbers, rate, cancel),
            };
            match step {
                Ok(Some(loss)) => result.add(numbers.len(), loss),
                Ok(None) => result.halt = Some(Halt::LossNotFinite),
                Err(Stopped) => result.halt = Some(Halt::Cancelled),
            }
            if result.halt.is_some() {
                break;
            }
        }
        result
    }

    /// Learns on all workers, to the same weights as on one. For each minibatch a worker first computes the errors
    /// of its share of the positions, then sums the gradients of its share of the weights' rows over all positions, and
    /// then makes the whole step.
    pub(crate) fn learn_together(self, workers: &Workers, learner: &mut Learner, cancel: &Cancel) -> LearningResult {
        let of = workers.count();
        let team = Team {
            parts: (0..of).map(|_| RwLock::default()).collect(),
            gradients: (0..of).map(|_| RwLock::default()).collect(),
            barrier: PanicSafeBarrier::new(of),
            halts: Default::default(),
        };
        let (begun, cancel) = (learner.clone(), cancel.clone());
        let shares = workers.each(move |worker| {
            let mut learner = begun.clone();
            let result = team.work(worker, &self, &mut learner, &cancel);
            // Each worker has made the same steps, so any learner would do.
            ((worker == 0).then_some(learner), result)
        });
        let mut sum = LearningResult::default();
        for (all_learned, result) in shares {
            // A worker counts the positions of its own share, but every minibatch.
            sum.learned.add(result.learned);
            if let Some(all_learned) = all_learned {
                *learner = all_learned;
                (sum.minibatches, sum.halt) = (result.minibatches, result.halt);
            }
        }
        sum
    }
}

impl LearningResult {
    /// Adds a minibatch, given by its positions and the sum of their losses.
    fn add(&mut self, positions: usize, loss: u64) {
        self.minibatches += 1;
        self.learned.add(Learned { positions: positions as u64, loss });
    }
}

impl Team {
    /// A worker's share of a plan.
    // Each worker has the whole net and makes every step, so that no worker waits for weights.
    fn work(&self, worker: usize, plan: &MinibatchPlan, learner: &mut Learner, cancel: &Cancel) -> LearningResult {
        let of = self.parts.len();
        let _guard = self.barrier.guard();
        let mut result = LearningResult::default();
        for (numbers, rate) in plan.minibatches() {
            let own = &numbers[share(numbers.len(), worker, of)];
            let loss = {
                let mut part = self.parts[worker].write().expect(NO_PANIC);
                let examples = &plan.examples;
                part.forward_backward(learner.tier, (learner.net(), learner.loss), examples, own, cancel)
            };
            match loss {
                Ok(Some(_)) => (),
                Ok(None) => self.halt(MinibatchStage::Errors, Halt::LossNotFinite),
                Err(Stopped) => self.halt(MinibatchStage::Errors, Halt::Cancelled),
            }
            result.halt = self.wait(MinibatchStage::Errors);
            let (Ok(Some(loss)), None) = (loss, result.halt) else {
                break;
            };
            {
                let parts: Vec<_> = self.parts.iter().map(|part| part.read().expect(NO_PANIC)).collect();
                let mut gradient = self.gradients[worker].write().expect(NO_PANIC);
                let summed = gradient.sum(
                    learner.tier,
                    learner.net(),
                    (worker, of),
                    learner.is_centred(),
                    parts.iter().map(|part| &**part),
                    cancel,
                );
                if let Err(Stopped) = summed {
                    self.halt(MinibatchStage::Gradients, Halt::Cancelled);
                }
            }
            result.halt = self.wait(MinibatchStage::Gradients);
            if result.halt.is_some() {
                break;
            }
            result.add(own.len(), loss);
            let gradients: Vec<_> = self.gradients.iter().map(|gradient| gradient.read().expect(NO_PANIC)).collect();
            learner.descend(gradients.iter().map(|gradient| &**gradient), numbers.len(), rate);
        }
        result
    }

    /// Stops all workers before the next step. A loss that is not finite outranks being cancelled.
    fn halt(&self, stage: MinibatchStage, why: Halt) {
        self.halts[stage as usize].fetch_max(why as u8, Ordering::Relaxed);
    }

    /// Waits until all workers have come to the end of the stage. Returns why one of them stopped in it.
    fn wait(&self, stage: MinibatchStage) -> Option<Halt> {
        self.barrier.wait();
        // A worker enters this stage again only after all workers have finished the other stage, so all read the same
        // value.
        let halts = [Halt::Cancelled, Halt::LossNotFinite];
        let halt = self.halts[stage as usize].load(Ordering::Relaxed);
        halts.into_iter().find(|&why| why as u8 == halt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_has_all_positions_of_its_games() {
        let examples = Arc::new(Examples { games: vec![3, 1, 4, 2, 5], ..Examples::default() });
        let plan = MinibatchPlan::from_games(examples, 2, 7, 0.5);
        let games = [0..3, 3..4, 4..8, 8..10, 10..15].map(|game| game.collect::<Vec<u32>>());
        let mut seen = Vec::new();
        for (numbers, rate) in plan.minibatches() {
            assert_eq!(rate, 0.5);
            let mut rest = numbers;
            let mut of_step = 0;
            while let Some(first) = rest.first() {
                let game = games.iter().find(|game| game.first() == Some(first));
                let game = game.expect("a game begins here");
                assert_eq!(rest[..game.len()], game[..]);
                rest = &rest[game.len()..];
                of_step += 1;
                seen.push(*first);
            }
            assert!(of_step == 2 || seen.len() == games.len(), "{numbers:?}");
        }
        seen.sort_unstable();
        assert_eq!(seen, games.map(|game| game[0]));
    }

    #[test]
    fn the_last_minibatch_may_have_fewer_positions() {
        let sizes = |examples, size| {
            let minibatches = Minibatch::split(examples, size, |number| number as f64);
            let sizes = minibatches.iter().map(|minibatch| minibatch.examples);
            sizes.collect::<Vec<_>>()
        };
        assert_eq!(sizes(7, 3), [3, 3, 1]);
        assert_eq!(sizes(6, 3), [3, 3]);
        assert_eq!(sizes(0, 3), [0; 0]);
    }
}
