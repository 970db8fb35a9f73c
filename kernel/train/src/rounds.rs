//! Rounds of self-play: a net plays some games while another learns from the games of the round before.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tavli_backgammon::evaluators::OutcomeSet;
use tavli_backgammon::{Playouts, Stopped};
use tavli_players::net::NetPlayer;
use tavli_run::{Cancel, Workers};
use tavli_simd::Tier;

use crate::examples::Examples;
use crate::games::{Exploration, SelfPlayGame, games_per_batch, play};
use crate::minibatch_plan::{LearningResult, MinibatchPlan};
use crate::net::{ForwardPass, Learner, PaddedNet};
use crate::returns::{SwappedOutputs, write_targets};

/// The games of a round.
#[derive(Clone, Debug)]
pub(crate) struct RoundGames {
    pub(crate) playouts: Playouts,
    pub(crate) numbers: Range<u64>,
    pub(crate) player: Arc<NetPlayer>,
    /// The player's net in floats, whose values make the targets.
    pub(crate) net: Arc<PaddedNet>,
    pub(crate) lambda: f32,
}

/// The work of a round, which its workers share.
struct RoundWork {
    tier: Tier,
    games: Option<RoundGames>,
    next: AtomicUsize,
    lesson: Option<(Arc<Mutex<Learner>>, MinibatchPlan)>,
    begun: AtomicBool,
    cancel: Cancel,
}

/// What a worker has done.
#[derive(Default)]
struct WorkerShare {
    played: Vec<(usize, Examples)>,
    result: Option<LearningResult>,
}

/// Plays `games` and learns `lesson`, each if given, at the same time. `None` if cancelled before both end.
pub(crate) fn run(
    workers: &Workers,
    tier: Tier,
    lesson: Option<(Arc<Mutex<Learner>>, MinibatchPlan)>,
    games: Option<RoundGames>,
    cancel: &Cancel,
) -> Option<(Examples, LearningResult)> {
    let work = RoundWork {
        tier,
        games,
        next: AtomicUsize::new(0),
        lesson,
        begun: AtomicBool::new(false),
        cancel: cancel.clone(),
    };
    let shares = workers.each(move |_| work.work());
    if cancel.is_cancelled() {
        return None;
    }
    let mut result = LearningResult::default();
    let mut parts = Vec::new();
    for share in shares {
        // Only the worker that took the lesson has a result.
        result = share.result.unwrap_or(result);
        parts.extend(share.played);
    }
    parts.sort_unstable_by_key(|part| part.0);
    let mut examples = Examples::default();
    for (_, part) in &parts {
        examples.append(part);
    }
    Some((examples, result))
}

impl RoundWork {
    fn work(&self) -> WorkerShare {
        let mut share = WorkerShare::default();
        if let Some((learner, plan)) = &self.lesson
            && !self.begun.swap(true, Ordering::Relaxed)
        {
            let mut learner = learner.lock().unwrap_or_else(PoisonError::into_inner);
            share.result = Some(plan.learn_alone(&mut learner, &self.cancel));
        }
        if let Some(games) = &self.games {
            let per_batch = games_per_batch(&games.net);
            loop {
                let part = self.next.fetch_add(1, Ordering::Relaxed);
                let first = games.numbers.start + part as u64 * per_batch;
                if first >= games.numbers.end {
                    break;
                }
                let numbers = first..games.numbers.end.min(first + per_batch);
                let player = &*games.player;
                let exploration = Exploration::default();
                let (playouts, tier) = (&games.playouts, self.tier);
                let stop = || self.cancel.is_cancelled();
                let Some(played) = play(playouts, tier, player, &exploration, numbers, &stop) else {
                    break;
                };
                let Ok(examples) = to_examples(self.tier, games, &played, &self.cancel) else {
                    break;
                };
                share.played.push((part, examples));
            }
        }
        share
    }
}

/// The positions of games, with their targets by TD(lambda).
fn to_examples(tier: Tier, games: &RoundGames, played: &[SelfPlayGame], cancel: &Cancel) -> Result<Examples, Stopped> {
    let RoundGames {
        playouts, net, lambda, ..
    } = games;
    let mut examples = Examples::default();
    for game in played {
        examples.positions.extend_from_slice(&game.positions);
        examples.games.push(game.positions.len());
    }
    let inputs = net.inputs(&examples.positions);
    let mut forward = ForwardPass::default();
    net.forward(tier, &inputs, &mut forward, cancel)?;
    let row = net.row();
    let outputs = net.outputs();
    let swapped = SwappedOutputs::new(outputs);
    let mut values = forward.outputs().to_vec();
    for (value, position) in values.chunks_exact_mut(row).zip(&examples.positions) {
        let possible = OutcomeSet::possible(playouts.rules(), position);
        outputs.decide(possible, &mut value[..outputs.count()]);
    }
    examples.targets = vec![0.0; examples.len() * row];
    let mut rest = (&values[..], &mut examples.targets[..]);
    for game in played {
        let (values, others) = rest.0.split_at(game.positions.len() * row);
        let (targets, free) = rest.1.split_at_mut(values.len());
        rest = (others, free);
        write_targets(outputs, &swapped, *lambda, row, values, game.outcome, targets);
    }
    Ok(examples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_backgammon::{FirstRoll, NO_STOP, RuleSet};
    use tavli_players::net::{Activation, Encoder, IntegerNetwork, Outputs};

    use crate::initial::draw;
    use crate::recipe::Shape;

    #[test]
    fn targets_obey_the_rules() {
        for &outputs in Outputs::ALL {
            let net = draw(
                &Shape {
                    encoder: Encoder::Raw198,
                    hidden: vec![4],
                    activation: Activation::Clipped,
                    outputs,
                    from: None,
                },
                3,
            );
            let player = NetPlayer::new("drawn", IntegerNetwork::new(&net).expect("small weights"));
            let rules = RuleSet::Hypergammon;
            let playouts = Playouts::new(rules.start(), rules, 2).expect("the start");
            let games = RoundGames {
                playouts: playouts.with_first_roll(FirstRoll::Open),
                numbers: 0..20,
                player: Arc::new(player),
                net: Arc::new(PaddedNet::new(&net)),
                lambda: 0.5,
            };
            let exploration = Exploration::default();
            let tier = Tier::best();
            let played = play(&games.playouts, tier, &*games.player, &exploration, 0..20, NO_STOP);
            let played = played.expect("nothing stops it");
            let examples = to_examples(tier, &games, &played, &Cancel::new()).expect("nothing stops it");
            let rows = examples.targets.chunks_exact(games.net.row());
            let mut decided = 0;
            for (position, targets) in examples.positions.iter().zip(rows) {
                let targets = &targets[..outputs.count()];
                let mut bounded = targets.to_vec();
                outputs.decide(OutcomeSet::possible(rules, position), &mut bounded);
                assert_eq!(targets, bounded, "{outputs:?} {:?}", position.points());
                let all = outputs.decided(OutcomeSet::possible(rules, position));
                decided += all.flatten().count();
            }
            assert!(decided > 20, "{outputs:?}: {decided}");
        }
    }
}
