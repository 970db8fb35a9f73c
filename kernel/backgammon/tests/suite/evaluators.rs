//! Values of games that are cut off at a horizon: exact sums, the same in any parts.

use crate::support::specification;
use core::cell::Cell;
use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{
    self, EvaluationConditions, Evaluator, Probabilities, Sampled, ValueSum, play_truncated,
};
use tavli_backgammon::policies::{PolicyPair, Uniform, built_in};
use tavli_backgammon::{Board, NO_STOP, Outcome, Planes, Playouts, RuleSet, Stopped, Tier};

const GAMES: u32 = 30;

fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("not 0")
}

#[test]
fn games_cut_off_are_worth_what_the_evaluator_says() {
    for &rules in RuleSet::ALL {
        let playouts = Playouts::new(rules.start(), rules, 4).expect("a game");
        let evaluator = Sampled::new(Arc::new(Uniform), number(GAMES), 11);
        // An odd horizon and an even one: who is on roll there differs.
        for plies in [21, 30] {
            let playouts = playouts.truncated_after(number(plies));
            let (results, values) =
                play_truncated(&playouts, &PolicyPair::default(), &evaluator, Tier::best(), 0..60, &|| false)
                    .expect("nothing stops it");
            assert_eq!(results, playouts.run(Tier::best(), 0..60, NO_STOP).unwrap());
            assert!(results.tally.unfinished() > 0, "{rules}");
            // The same by hand, game by game from the last to the first.
            let mut points = 0.0;
            let mut by_hand = ValueSum::default();
            for game in (0..60).rev() {
                let record = playouts.play(game);
                let Some(outcome) = record.outcome else {
                    let seed = specification::split_mix(11 ^ playouts.seed_of_game(game), 0);
                    let on = Playouts::new(record.board, rules, seed).expect("a game");
                    let tally = on.run(Tier::Portable, 0..u64::from(GAMES), NO_STOP).unwrap().tally;
                    let sign = if record.plies.is_multiple_of(2) { 1.0 } else { -1.0 };
                    points += sign * tally.equity().mean;
                    let weights = Outcome::ALL.iter().map(|&outcome| tally.count(outcome));
                    let weights: Vec<u64> = weights.collect();
                    let value = Probabilities::from_weights(weights.try_into().expect("outcomes"));
                    let value = value.expect("games");
                    by_hand.add(&if sign > 0.0 { value } else { value.reversed() });
                    continue;
                };
                points += f64::from(outcome.points());
                by_hand.add(&Probabilities::certain(outcome));
            }
            assert_eq!(values, by_hand, "{rules}, {plies} plies");
            assert!((values.equity().mean - points / 60.0).abs() < 1e-8);
        }
    }
}

#[test]
fn values_do_not_depend_on_the_parts() {
    let pubeval = PolicyPair::alike(built_in("pubeval").expect("a policy"));
    let evaluator = Sampled::new(built_in("pubeval").expect("a policy"), number(6), 3);
    let rules = RuleSet::Backgammon;
    let playouts = Playouts::new(rules.start(), rules, 8).expect("a game");
    let playouts = playouts.truncated_after(number(10));
    let value = |games| {
        let played = play_truncated(&playouts, &pubeval, &evaluator, Tier::best(), games, NO_STOP);
        played.expect("nothing stops it").1
    };
    let mut parts = value(90..100);
    parts.merge(&value(0..1));
    parts.merge(&value(1..90));
    assert_eq!(parts, value(0..100));
}

#[test]
fn an_evaluator_values_positions_by_themselves() {
    let evaluator = Sampled::new(Arc::new(Uniform), number(GAMES), 1);
    assert_eq!(evaluator.name(), "sampled:30:uniform:1");
    let rules = RuleSet::Hypergammon;
    let start = Planes::from(rules.start());
    let one =
        evaluator.evaluated(&EvaluationConditions::new(rules, Tier::Portable), &[start]).expect("nothing stops it");
    let three =
        evaluator.evaluated(&EvaluationConditions::new(rules, Tier::best()), &[start; 3]).expect("nothing stops it");
    assert_eq!(three, [one[0]; 3]);
    assert_ne!(one, [Probabilities::certain(Outcome::WinSingle)]);
}

#[test]
fn values_of_a_seed_are_those_of_its_own_games() {
    let evaluator = Sampled::new(Arc::new(Uniform), number(GAMES), 1);
    let rules = RuleSet::Hypergammon;
    let start = Planes::from(rules.start());
    let of = |tier, seeds: &[u64]| {
        let conditions = EvaluationConditions::new(rules, tier).seeded(Some(seeds));
        let positions = vec![start; seeds.len()];
        evaluators::values(&evaluator, &conditions, &positions).expect("nothing stops it")
    };
    let all = of(Tier::best(), &[7, 8, 7, 9]);
    assert_eq!(all[0], all[2]);
    assert!(all[0] != all[1] && all[1] != all[3] && all[0] != all[3]);
    for (&seed, value) in [7, 8, 7, 9].iter().zip(&all) {
        assert_eq!(of(Tier::Portable, &[seed]), [*value]);
    }
    // Games of a rollout have seeds that depend on its seed and their number.
    let playouts = |seed| Playouts::new(rules.start(), rules, seed).expect("a game");
    let seeds = [(1, 0), (1, 1), (2, 0)].map(|(seed, game)| playouts(seed).seed_of_game(game));
    assert!(seeds[0] != seeds[1] && seeds[0] != seeds[2] && seeds[1] != seeds[2]);
}

#[test]
fn a_value_by_millions_of_games_is_stopped() {
    for policy in ["uniform", "pubeval"] {
        let policy = built_in(policy).expect("a policy");
        let evaluator = Sampled::new(policy, NonZeroU32::MAX, 1);
        let calls = Cell::new(0);
        let stop = || {
            calls.set(calls.get() + 1);
            calls.get() >= 5
        };
        let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::best()).with_stop(&stop);
        let start = [Planes::from(RuleSet::Backgammon.start())];
        let found = evaluators::values(&evaluator, &conditions, &start);
        assert_eq!(found, Err(Stopped));
        // Little is played between two calls of `stop`, and nothing after the last.
        assert!(calls.get() <= 8, "{} calls", calls.get());
    }
}

#[test]
fn an_evaluator_is_not_asked_about_games_that_are_over() {
    #[derive(Debug)]
    struct GoesOn;
    impl Evaluator for GoesOn {
        fn name(&self) -> &str {
            "goes on"
        }
        fn estimate(
            &self,
            conditions: &EvaluationConditions<'_>,
            positions: &[Planes],
            values: &mut [Probabilities],
        ) -> Result<(), Stopped> {
            for (index, (position, value)) in positions.iter().zip(values).enumerate() {
                assert_eq!(evaluators::value_if_over(conditions.rules(), position), None);
                let seed = conditions.seeds().expect("they have some")[index];
                *value = Probabilities::certain(Outcome::ALL[seed as usize]);
            }
            Ok(())
        }
    }
    let rules = RuleSet::Backgammon;
    let mut over = [0; 26];
    over[20] = -1;
    let over = Planes::from(Board::from_points(&over).expect("a position"));
    let start = Planes::from(rules.start());
    let conditions = EvaluationConditions::new(rules, Tier::best()).seeded(Some(&[3, 0, 4]));
    let values = evaluators::values(&GoesOn, &conditions, &[start, over, start]);
    let expected = [Outcome::LoseSingle, Outcome::WinSingle, Outcome::LoseGammon];
    assert_eq!(values, Ok(expected.map(Probabilities::certain).to_vec()));
}

#[test]
fn evaluators_are_named_by_their_games() {
    for (text, name) in [
        ("sampled", "sampled:36:uniform"),
        ("sampled:7", "sampled:7:uniform"),
        ("sampled:7:pubeval", "sampled:7:pubeval"),
        ("sampled:7:pubeval:9", "sampled:7:pubeval:9"),
        ("sampled:7:uniform:18446744073709551615", "sampled:7:uniform"),
    ] {
        let evaluator = evaluators::built_in(text).expect("an evaluator");
        assert_eq!(evaluator.name(), name);
        let again = evaluators::built_in(name).expect("an evaluator");
        assert_eq!(again.name(), name);
    }
    for (text, expected) in [
        ("pubeval", "is a policy: it picks plays and gives no probabilities; write sampled:36:pubeval"),
        ("gnubg", "unknown evaluator 'gnubg'; write sampled,"),
        ("sampled:1:uniform:1:1", "unknown evaluator"),
        ("sampled:0", "GAMES is a number 1 to 4294967295"),
        ("sampled:4294967296", "GAMES is a number 1 to 4294967295"),
        ("sampled:-1", "GAMES is a number 1 to 4294967295"),
        ("sampled:9:chess", "choose one of: uniform, pubeval"),
        ("sampled:9:uniform:x", "SEED is a number 0 to"),
    ] {
        let error = evaluators::built_in(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }
}
