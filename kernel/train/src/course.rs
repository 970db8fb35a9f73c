//! Examples in the order in which a net learns from them.

use std::sync::{Arc, RwLock};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tavli_run::Workers;

use crate::examples::Examples;
use crate::meeting::Meeting;
use crate::net::{Gradient, LOSS, Learner, Part, share};

/// Minibatches of examples.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) examples: Arc<Examples>,
    /// The numbers of the examples.
    pub(crate) order: Vec<u32>,
    /// Examples of a minibatch; the last one may have fewer.
    pub(crate) minibatch: usize,
    /// The rate of each minibatch.
    pub(crate) rates: Vec<f64>,
}

/// What was learned from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Learned {
    pub(crate) positions: u64,
    /// The sum of the losses, in units of [`LOSS`].
    pub(crate) loss: u64,
}

impl Learned {
    pub(crate) fn add(&mut self, more: Learned) {
        self.positions += more.positions;
        self.loss += more.loss;
    }

    /// The mean loss of a position; `None` of none.
    pub(crate) fn mean_loss(&self) -> Option<f64> {
        (self.positions > 0).then(|| self.loss as f64 * LOSS / self.positions as f64)
    }
}

/// Why locks are never poisoned.
const NO_PANIC: &str = "no worker panics";

/// What workers of a team know of each other.
struct Team {
    parts: Vec<RwLock<Part>>,
    gradients: Vec<RwLock<Gradient>>,
    meeting: Meeting,
}

impl Course {
    /// The numbers of some examples in an order that the seed decides (Fisher and Yates).
    pub(crate) fn shuffled(examples: usize, seed: u64) -> Vec<u32> {
        let mut order: Vec<u32> = (0..examples as u32).collect();
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
        for last in (1..order.len()).rev() {
            let draw = u64::from(generator.next_u32()) * (last as u64 + 1);
            order.swap(last, (draw >> 32) as usize);
        }
        order
    }

    fn minibatches(&self) -> impl Iterator<Item = (&[u32], f64)> {
        let rates = self.rates.iter().copied();
        self.order.chunks(self.minibatch).zip(rates)
    }

    /// Goes through the course on this thread.
    pub(crate) fn learn_alone(&self, learner: &mut Learner) -> Learned {
        let mut room = (Part::default(), Gradient::default());
        let mut learned = Learned::default();
        for (numbers, rate) in self.minibatches() {
            learned.add(Learned {
                positions: numbers.len() as u64,
                loss: learner.step(&mut room, &self.examples, numbers, rate),
            });
        }
        learned
    }

    /// Goes through the course on all workers; the weights are the same. Of each minibatch each worker studies some
    /// positions, then sums the gradients of some rows of weights over all positions, and then makes the step.
    pub(crate) fn learn_together(self, workers: &Workers, learner: &mut Learner) -> Learned {
        let of = workers.count();
        let team = Team {
            parts: (0..of).map(|_| RwLock::default()).collect(),
            gradients: (0..of).map(|_| RwLock::default()).collect(),
            meeting: Meeting::new(of),
        };
        let begun = learner.clone();
        let shares = workers.each(move |worker| {
            let mut learner = begun.clone();
            let learned = team.work(worker, &self, &mut learner);
            ((worker == 0).then_some(learner), learned)
        });
        let mut sum = Learned::default();
        for (all_learned, learned) in shares {
            sum.add(learned);
            if let Some(all_learned) = all_learned {
                *learner = all_learned;
            }
        }
        sum
    }
}

impl Team {
    /// A worker's part of a course. Each has the whole net and makes every step, so that none waits for weights.
    fn work(&self, worker: usize, course: &Course, learner: &mut Learner) -> Learned {
        let of = self.parts.len();
        let _leaving = self.meeting.leaving();
        let mut learned = Learned::default();
        for (numbers, rate) in course.minibatches() {
            let own = &numbers[share(numbers.len(), worker, of)];
            {
                let mut part = self.parts[worker].write().expect(NO_PANIC);
                let examples = &course.examples;
                let loss = part.study(learner.tier, learner.net(), learner.loss, examples, own);
                learned.add(Learned {
                    positions: own.len() as u64,
                    loss,
                });
            }
            self.meeting.wait();
            {
                let parts: Vec<_> = self
                    .parts
                    .iter()
                    .map(|part| part.read().expect(NO_PANIC))
                    .collect();
                let mut gradient = self.gradients[worker].write().expect(NO_PANIC);
                gradient.sum(
                    learner.tier,
                    learner.net(),
                    (worker, of),
                    parts.iter().map(|part| &**part),
                );
            }
            self.meeting.wait();
            let gradients: Vec<_> = self
                .gradients
                .iter()
                .map(|gradient| gradient.read().expect(NO_PANIC))
                .collect();
            learner.descend(
                gradients.iter().map(|gradient| &**gradient),
                numbers.len(),
                rate,
            );
        }
        learned
    }
}
