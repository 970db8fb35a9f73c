//! Rounds of self-play: a net plays some games while another learns from those of the round before.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tavli_backgammon::Playouts;
use tavli_run::Workers;
use tavli_simd::Tier;

use crate::examples::{Examples, encode};
use crate::games::{Played, play};
use crate::net::{Forward, Learner, Padded};
use crate::player::FloatPlayer;
use crate::returns::{Turned, write_targets};

/// Games that a worker plays side by side. What they become does not depend on it.
const SIDE_BY_SIDE: u64 = 32;

/// Games to be played.
#[derive(Clone, Debug)]
pub(crate) struct Games {
    pub(crate) playouts: Playouts,
    pub(crate) numbers: Range<u64>,
    pub(crate) net: Arc<Padded>,
    pub(crate) lambda: f32,
}

/// What the games of a round have become, in the order of their numbers.
pub(crate) type Lessons = Arc<Vec<Examples>>;

/// Lessons to be learned.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) lessons: Lessons,
    /// Decides their order.
    pub(crate) seed: u64,
    pub(crate) minibatch: usize,
    pub(crate) rate: f64,
}

/// What was learned from.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Learned {
    pub(crate) positions: u64,
    /// The sum over them.
    pub(crate) loss: f64,
}

/// What the workers of a round share.
struct Shared {
    tier: Tier,
    games: Option<Games>,
    next: AtomicUsize,
    course: Option<Course>,
    begun: AtomicBool,
    learner: Arc<Mutex<Learner>>,
}

/// What a worker has done.
#[derive(Default)]
struct Share {
    played: Vec<(usize, Examples)>,
    learned: Learned,
}

/// Plays the games, if there are any, while the learner learns, if there is something to learn.
pub(crate) fn run(
    workers: &Workers,
    tier: Tier,
    learner: &Arc<Mutex<Learner>>,
    games: Option<Games>,
    course: Option<Course>,
) -> (Lessons, Learned) {
    let shared = Shared {
        tier,
        games,
        next: AtomicUsize::new(0),
        course,
        begun: AtomicBool::new(false),
        learner: Arc::clone(learner),
    };
    let shares = workers.each(move |_| shared.work());
    let mut learned = Learned::default();
    let mut lessons = Vec::new();
    for share in shares {
        learned.positions += share.learned.positions;
        learned.loss += share.learned.loss;
        lessons.extend(share.played);
    }
    lessons.sort_unstable_by_key(|part| part.0);
    let lessons = lessons.into_iter().map(|part| part.1).collect();
    (Arc::new(lessons), learned)
}

impl Shared {
    fn work(&self) -> Share {
        let mut share = Share::default();
        if let Some(course) = &self.course
            && !self.begun.swap(true, Ordering::Relaxed)
        {
            let mut learner = self.learner.lock().unwrap_or_else(PoisonError::into_inner);
            share.learned = learn(&mut learner, course);
        }
        if let Some(games) = &self.games {
            let player = FloatPlayer::new(self.tier, (*games.net).clone());
            loop {
                let part = self.next.fetch_add(1, Ordering::Relaxed);
                let first = games.numbers.start + part as u64 * SIDE_BY_SIDE;
                if first >= games.numbers.end {
                    break;
                }
                let numbers = first..games.numbers.end.min(first + SIDE_BY_SIDE);
                let played = play(&games.playouts, &player, numbers);
                let examples = to_examples(self.tier, games, &played);
                share.played.push((part, examples));
            }
        }
        share
    }
}

/// The positions of games with their targets by TD(lambda).
fn to_examples(tier: Tier, games: &Games, played: &[Played]) -> Examples {
    let Games { net, lambda, .. } = games;
    let mut examples = Examples::default();
    for game in played {
        encode(net.encoder(), &game.positions, &mut examples.inputs);
    }
    let mut forward = Forward::default();
    net.forward(tier, &examples.inputs, &mut forward);
    let row = net.row();
    let outputs = net.outputs();
    let turned = Turned::new(outputs);
    examples.targets = vec![0.0; examples.len() * row];
    let mut rest = (forward.outputs(), &mut examples.targets[..]);
    for game in played {
        let (values, others) = rest.0.split_at(game.positions.len() * row);
        let (targets, free) = rest.1.split_at_mut(values.len());
        rest = (others, free);
        write_targets(
            outputs,
            &turned,
            *lambda,
            row,
            values,
            game.outcome,
            targets,
        );
    }
    examples
}

/// Learns from all positions of the lessons once.
fn learn(learner: &mut Learner, course: &Course) -> Learned {
    let mut order: Vec<(u32, u32)> = Vec::new();
    for (part, examples) in (0..).zip(&*course.lessons) {
        order.extend((0..examples.len() as u32).map(|number| (part, number)));
    }
    shuffle(&mut order, course.seed);
    let mut learned = Learned::default();
    let mut examples = Examples::default();
    for minibatch in order.chunks(course.minibatch) {
        examples.clear();
        for &(part, number) in minibatch {
            examples.push(&course.lessons[part as usize], number as usize);
        }
        learned.loss += learner.step(&examples.inputs, &examples.targets, course.rate);
        learned.positions += minibatch.len() as u64;
    }
    learned
}

/// Brings things in an order that only the seed decides (Fisher and Yates).
fn shuffle<T>(things: &mut [T], seed: u64) {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    for last in (1..things.len()).rev() {
        let draw = u64::from(generator.next_u32()) * (last as u64 + 1);
        things.swap(last, (draw >> 32) as usize);
    }
}
