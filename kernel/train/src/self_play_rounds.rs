//! Rounds of self-play: a net plays some games while another learns from the games of the round before.

use core::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use tavli_backgammon::evaluators::OutcomeSet;
use tavli_backgammon::{Playouts, Stopped};
use tavli_players::net::NetPlayer;
use tavli_run::{Cancel, Workers};
use tavli_simd::Tier;

use crate::examples::Examples;
use crate::minibatch_plan::{LearningResult, MinibatchPlan};
use crate::net::{ForwardPass, Learner, PaddedNet};
use crate::parallel_parts::{each_part, ranges};
use crate::returns::{SwappedOutputs, write_targets};
use crate::self_play_games::{Exploration, SelfPlayGame, games_side_by_side, play};

#[derive(Clone, Debug)]
pub(crate) struct RoundGames {
    pub(crate) playouts: Playouts,
    pub(crate) numbers: Range<u64>,
    pub(crate) player: Arc<NetPlayer>,
    /// The player's net in floats. Its values make the targets.
    pub(crate) net: Arc<PaddedNet>,
    pub(crate) lambda: f32,
}

enum RoundPart {
    // A mutex, since workers share the parts; only the worker that takes the lesson locks it.
    Lesson(Arc<Mutex<Learner>>, MinibatchPlan),
    /// The numbers of the games to play.
    Games(Range<u64>),
}

enum PartResult {
    Learned(LearningResult),
    Played(Examples),
}

/// Plays `games` and learns `lesson`, each if given, at the same time. `None` if cancelled before both end.
pub(crate) fn run(
    workers: &Workers,
    tier: Tier,
    lesson: Option<(Arc<Mutex<Learner>>, MinibatchPlan)>,
    games: Option<RoundGames>,
    cancel: &Cancel,
) -> Option<(Examples, LearningResult)> {
    let game_parts = games.as_ref().map(|games| {
        let ranges = ranges(games.numbers.clone(), games_side_by_side(&games.net));
        ranges.into_iter().map(RoundPart::Games)
    });
    // The lesson comes first: one worker needs as long for it as for many games.
    let lesson = lesson.map(|(learner, plan)| RoundPart::Lesson(learner, plan));
    let parts = lesson.into_iter().chain(game_parts.into_iter().flatten()).collect();
    let stop = cancel.clone();
    let results = each_part((workers, cancel), parts, move |part| match part {
        RoundPart::Lesson(learner, plan) => {
            let mut learner = learner.lock().unwrap_or_else(PoisonError::into_inner);
            Some(PartResult::Learned(plan.learn_alone(&mut learner, &stop)))
        }
        RoundPart::Games(numbers) => {
            let RoundGames { playouts, player, .. } = games.as_ref()?;
            let is_cancelled = || stop.is_cancelled();
            let exploration = Exploration::default();
            let played = play(playouts, tier, &**player, &exploration, numbers.clone(), &is_cancelled)?;
            let examples = to_examples(tier, games.as_ref()?, &played, &stop).ok()?;
            Some(PartResult::Played(examples))
        }
    });
    // A lesson that was cancelled has a result, with a halt: without this the round would count.
    if cancel.is_cancelled() {
        return None;
    }
    let mut examples = Examples::default();
    let mut learned = LearningResult::default();
    for result in results? {
        match result {
            PartResult::Learned(result) => learned = result,
            PartResult::Played(part) => examples.append(&part),
        }
    }
    Some((examples, learned))
}

/// The positions of games, with their targets by TD(lambda).
fn to_examples(tier: Tier, games: &RoundGames, played: &[SelfPlayGame], cancel: &Cancel) -> Result<Examples, Stopped> {
    let RoundGames { playouts, net, lambda, .. } = games;
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
        // Bounded as players bound them, so that no target teaches an outcome that the rules exclude.
        let possible = OutcomeSet::possible(playouts.rules(), position);
        outputs.settle(possible, &mut value[..outputs.count()]);
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

    use crate::initial_weights::random_network;
    use crate::recipe::Shape;

    #[test]
    fn targets_obey_the_rules() {
        for &outputs in Outputs::ALL {
            let net = random_network(
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
                outputs.settle(OutcomeSet::possible(rules, position), &mut bounded);
                assert_eq!(targets, bounded, "{outputs:?} {:?}", position.points());
                let all = outputs.settled(OutcomeSet::possible(rules, position));
                decided += all.flatten().count();
            }
            assert!(decided > 20, "{outputs:?}: {decided}");
        }
    }
}
