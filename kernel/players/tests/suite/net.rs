//! Nets in integers: every tier against the plain specification, and that against the net in floats.

use core::num::NonZeroU32;
use std::sync::Arc;

use crate::support::{play, random_net};
use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, OutcomeSet, Probabilities};
use tavli_backgammon::{Board, FirstRoll, NO_STOP, Outcome, Planes, RuleSet, Stopped, Tier, Win};
use tavli_players::net::{Activation, Encoder, IntegerError, IntegerNetwork, NetPlayer, Network, Outputs, PlayerFile};
use tavli_players::{LookAhead, Luck, MoveFilters, named};

/// Nets of all kinds, with sizes below and above a vector's.
fn nets() -> Vec<Network> {
    use Activation::{Clipped, Logistic};
    use Encoder::{Raw196, Raw198};
    use Outputs::{Cumulative, Doubles};
    let kinds: [(_, _, _, &[usize]); 8] = [
        (Raw198, Logistic, Cumulative, &[80]),
        (Raw196, Clipped, Cumulative, &[128]),
        (Raw198, Clipped, Doubles, &[33]),
        (Raw196, Logistic, Doubles, &[1]),
        (Raw196, Clipped, Cumulative, &[64, 40]),
        (Raw196, Clipped, Cumulative, &[31, 97, 65]),
        (Raw198, Logistic, Doubles, &[40, 20]),
        (Raw196, Logistic, Cumulative, &[16, 33, 1]),
    ];
    (1..)
        .zip(kinds)
        .map(|(seed, (encoder, activation, outputs, hidden))| random_net(encoder, activation, outputs, hidden, seed))
        .collect()
}

/// The equity of outputs among the possible outcomes, by a formula independent of the crate's.
fn equity(outputs: Outputs, possible: OutcomeSet, values: &[f32]) -> f32 {
    let (win, win_gammon, win_backgammon, lose_gammon, lose_backgammon) = match outputs {
        Outputs::Cumulative => (values[0], values[1], values[2], values[3], values[4]),
        _ => (values[0], values[1], 0.0, values[2], 0.0),
    };
    use Outcome::{LoseBackgammon, LoseGammon, WinBackgammon, WinGammon, WinSingle};
    let among = |outcomes: &[Outcome], value: f32| {
        let others = Outcome::ALL.iter().filter(|outcome| !outcomes.contains(outcome));
        match outcomes.iter().any(|&outcome| possible.contains(outcome)) {
            true if others.into_iter().any(|&outcome| possible.contains(outcome)) => value,
            true => 1.0,
            false => 0.0,
        }
    };
    let win = among(&[WinSingle, WinGammon, WinBackgammon], win);
    let win_gammon = among(&[WinGammon, WinBackgammon], win_gammon.min(win));
    let lose_gammon = among(&[LoseGammon, LoseBackgammon], lose_gammon.min(1.0 - win));
    let win_backgammon = among(&[WinBackgammon], win_backgammon.min(win_gammon));
    let lose_backgammon = among(&[LoseBackgammon], lose_backgammon.min(lose_gammon));
    2.0 * win - 1.0 + (win_gammon - lose_gammon) + (win_backgammon - lose_backgammon)
}

/// The value of each play of a decision for its player, from scratch.
fn plain_values(net: &IntegerNetwork, rules: RuleSet, results: &[Planes]) -> Vec<f32> {
    let value = |result: &Planes| {
        let board = Board::from(*result);
        match rules.outcome(&board) {
            Some(end) => -end.points() as f32,
            None => {
                let possible = OutcomeSet::possible(rules, result);
                -equity(net.outputs(), possible, &net.outputs_of(result))
            }
        }
    };
    results.iter().map(value).collect()
}

#[test]
fn every_tier_ranks_as_the_specification() {
    for (number, net) in nets().iter().enumerate() {
        let net = IntegerNetwork::new(net).expect("it fits");
        let (mut values, mut picks) = (Vec::new(), Vec::new());
        for &rules in RuleSet::ALL {
            play(rules, 2, |decisions| {
                picks.resize(decisions.len(), 0);
                for &tier in Tier::available() {
                    net.rank(tier, decisions, &mut values);
                    net.pick(tier, decisions, &mut picks);
                    for decision in 0..decisions.len() {
                        let results = decisions.results_of(decision);
                        let plain = plain_values(&net, rules, results);
                        let plays = decisions.offsets()[decision]..decisions.offsets()[decision + 1];
                        let place = || format!("net {number}, {rules}, {tier}, {results:?}");
                        assert_eq!(values[plays], plain, "{}", place());
                        let largest = plain.iter().copied().fold(f32::MIN, f32::max);
                        let first = plain.iter().position(|&value| value == largest);
                        assert_eq!(Some(picks[decision] as usize), first, "{}", place());
                    }
                }
            });
        }
    }
}

#[test]
fn every_tier_evaluates_as_the_specification() {
    let unknown = Probabilities::certain(Outcome::WinSingle);
    for net in &nets() {
        let net = IntegerNetwork::new(net).expect("it fits");
        for &rules in RuleSet::ALL {
            play(rules, 1, |decisions| {
                let positions = decisions.positions();
                let mut values = vec![unknown; positions.len()];
                for &tier in Tier::available() {
                    net.evaluate(rules, tier, positions, &mut values);
                    for (position, value) in positions.iter().zip(&values) {
                        let outputs = net.outputs_of(position);
                        let possible = OutcomeSet::possible(rules, position);
                        let plain = net.outputs().probabilities_among(possible, &outputs);
                        assert_eq!(*value, plain, "{rules}, {tier}");
                        // Outputs without backgammons count a certain backgammon as a gammon.
                        let value = value.restricted_to(possible);
                        assert_eq!(value, plain.restricted_to(possible));
                        let equity = equity(net.outputs(), possible, &outputs);
                        assert!((value.equity() - f64::from(equity)).abs() < 1e-5);
                    }
                }
            });
        }
    }
}

#[test]
fn integers_are_near_the_floats() {
    for (number, net) in nets().iter().enumerate() {
        let integer = IntegerNetwork::new(net).expect("it fits");
        let (mut largest, mut squares, mut positions) = (0.0_f32, 0.0, 0);
        for &rules in RuleSet::ALL {
            play(rules, 4, |decisions| {
                for position in decisions.positions() {
                    let (found, exact) = (integer.outputs_of(position), net.outputs_of(position));
                    for (found, exact) in found.iter().zip(exact) {
                        let error = (found - exact).abs();
                        largest = largest.max(error);
                        squares += f64::from(error * error);
                        positions += 1;
                    }
                }
            });
        }
        let rms = (squares / f64::from(positions)).sqrt();
        println!("net {number}: at most {largest}, rms {rms}");
        assert!(largest < 0.005 && rms < 0.001, "net {number}: at most {largest}, rms {rms}");
    }
}

#[test]
fn the_largest_sums_fit() {
    // All weights of a unit at their extremes, so that fifteen checkers on the best place reach the bound.
    let mut net = Network::zero(Encoder::Raw198, Activation::Clipped, Outputs::Cumulative, &[4]);
    let first = &mut net.layers_mut()[0];
    for (at, weight) in first.weights.iter_mut().enumerate() {
        *weight = [500.0, -500.0, 1e-6, 0.0][at % 4];
    }
    let net = IntegerNetwork::new(&net).expect("it fits");
    for board in [Board::START, RuleSet::Longgammon.start()] {
        assert_eq!(net.outputs_of(&Planes::from(board)), [0.5; 5]);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let net = || Network::zero(Encoder::Raw196, Activation::Clipped, Outputs::Cumulative, &[3, 4]);
    let refused = |layer: usize, at: usize, weight: f32| {
        let mut net = net();
        net.layers_mut()[layer].weights[at] = weight;
        IntegerNetwork::new(&net).expect_err("it does not fit")
    };
    for (layer, at, weight, place) in [
        (0, 2, 40_000.0, (1, 3)),
        (1, 5, 5_000.0, (2, 2)),
        (2, 0, -5_000.0, (3, 1)),
        (0, 0, f32::NAN, (1, 1)),
        (1, 0, f32::INFINITY, (2, 1)),
        (2, 1, f32::NAN, (3, 2)),
    ] {
        let error = refused(layer, at, weight);
        let IntegerError::Range { layer, unit, .. } = error else {
            panic!("{error}");
        };
        assert_eq!((layer, unit), place, "{error}");
    }
    let shallow = Network::zero(Encoder::Raw196, Activation::Clipped, Outputs::Cumulative, &[]);
    assert_eq!(IntegerNetwork::new(&shallow).unwrap_err(), IntegerError::NoHiddenLayer);
    assert!(IntegerNetwork::new(&net()).is_ok());
}

/// A player without its faster way to the best plays.
#[derive(Debug)]
struct Plainly(NetPlayer);

impl Evaluator for Plainly {
    fn name(&self) -> &str {
        "plainly"
    }

    fn estimate(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        self.0.evaluate(conditions, positions, values)
    }
}

#[test]
fn the_best_plays_are_those_of_all_values() {
    for net in &nets() {
        let net = IntegerNetwork::new(net).expect("it fits");
        let plainly = Plainly(NetPlayer::new("net", net));
        for &rules in RuleSet::ALL {
            play(rules, 1, |decisions| {
                for &tier in Tier::available() {
                    let conditions = EvaluationConditions::new(rules, tier);
                    let expected = plainly.best_plays(&conditions, decisions);
                    let found = plainly.0.best_plays(&conditions, decisions);
                    assert_eq!(found, expected, "{rules}, {tier}");
                }
            });
        }
    }
}

/// The bytes of the built-in players.
const BUILT_IN: [&[u8]; 3] = [
    include_bytes!("../../players/td80.player"),
    include_bytes!("../../players/fast.player"),
    include_bytes!("../../players/strong.player"),
];

/// The values of positions by a built-in player, by name.
fn values(name: &str, rules: RuleSet, positions: &[Planes]) -> Vec<Probabilities> {
    let player = named::evaluator(name, NO_STOP).expect("a built-in player");
    let valued = player.evaluated(&EvaluationConditions::new(rules, Tier::best()), positions);
    valued.expect("nothing stops it")
}

#[test]
fn values_of_positions_obey_the_rules() {
    let position = |id: &str| Planes::from(Board::from_position_id(id).expect("a position"));
    let positions = ["mxmAQ4PbAQAAAA", "6P0HAAABAAAAAA", "fM8DAKBtMwAZGA"].map(position);
    for name in ["td80", "fast", "strong", "fast+1ply"] {
        let values = values(name, RuleSet::Backgammon, &positions);
        // Both opponents have borne off, and are sure to be too late.
        let won = Probabilities::certain(Outcome::WinSingle);
        assert_eq!(values[..2], [won, won], "{name}");
        // The opponent has a checker on the bar and one off.
        assert_eq!(values[2].at_least(2), 0.0, "{name}");
        assert!(values[2].at_least(-2) > 0.0, "{name}");
    }
}

/// The outcomes that a position cannot have because of its borne-off checkers and of where the sides are: looked up in
/// its points, by the rules of the game.
fn excluded(rules: RuleSet, position: &Planes) -> Vec<Outcome> {
    let points = position.points();
    let of_side = |sign: i8| points.map(|checkers| (sign * checkers).max(0));
    let (own, opponent) = (of_side(1), of_side(-1));
    let all = rules.checkers();
    let on_board = |side: [i8; 26]| side.iter().sum::<i8>() as u8;
    let last = |side: &[i8; 26]| side.iter().rposition(|&checkers| checkers > 0);
    let first = |side: &[i8; 26]| side.iter().position(|&checkers| checkers > 0);
    let is_race = last(&own) < first(&opponent);
    let mut excluded = Vec::new();
    let sides = [
        (opponent, &opponent[..=6], Outcome::WinGammon, Outcome::WinBackgammon),
        (own, &own[19..], Outcome::LoseGammon, Outcome::LoseBackgammon),
    ];
    for (side, in_winners_home, gammon, backgammon) in sides {
        let no_gammon = on_board(side) < all || rules.largest_win() < Win::Gammon;
        if no_gammon {
            excluded.push(gammon);
        }
        let has_left = is_race && in_winners_home.iter().all(|&checkers| checkers == 0);
        if no_gammon || has_left || rules.largest_win() < Win::Backgammon {
            excluded.push(backgammon);
        }
    }
    excluded
}

#[test]
fn no_net_promises_what_the_rules_exclude() {
    for &rules in RuleSet::ALL {
        let mut positions = Vec::new();
        play(rules, 20, |decisions| {
            positions.extend_from_slice(decisions.positions());
            let ends = |result: &&Planes| rules.outcome(&Board::from(**result)).is_none();
            positions.extend(decisions.results().iter().filter(ends).step_by(7));
        });
        let mut restricted = 0;
        for name in ["td80", "fast", "strong"] {
            for (position, value) in positions.iter().zip(values(name, rules, &positions)) {
                for outcome in excluded(rules, position) {
                    restricted += 1;
                    let points = position.points();
                    assert_eq!(value.probability(outcome), 0.0, "{name}, {rules}: {outcome} from {points:?}");
                }
                let possible = OutcomeSet::possible(rules, position);
                assert_eq!(value.restricted_to(possible), value, "{name}, {rules}");
            }
        }
        assert!(positions.len() > 500 && restricted > 500, "{rules}: {restricted}");
    }
}

/// Values every position as a lost backgammon, as an evaluator of a user may.
#[derive(Debug)]
struct Wrong;

impl Evaluator for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn estimate(
        &self,
        _: &EvaluationConditions<'_>,
        _: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        values.fill(Probabilities::certain(Outcome::LoseBackgammon));
        Ok(())
    }
}

#[test]
fn values_of_any_evaluator_obey_the_rules() {
    let wrong: Arc<dyn Evaluator> = Arc::new(Wrong);
    let ahead = LookAhead::new(Arc::clone(&wrong), NonZeroU32::MIN, MoveFilters::default());
    for &rules in RuleSet::ALL {
        play(rules, 1, |decisions| {
            for evaluator in [&*wrong, &ahead as &dyn Evaluator] {
                let conditions = EvaluationConditions::new(rules, Tier::best());
                let valued = evaluator.evaluated(&conditions, decisions.positions());
                let values = valued.expect("nothing stops it");
                for (position, value) in decisions.positions().iter().zip(&values) {
                    for outcome in excluded(rules, position) {
                        assert_eq!(value.probability(outcome), 0.0, "{rules}, {}", evaluator.name());
                    }
                }
            }
            let luck = Luck::new(Arc::clone(&wrong));
            let thrown = vec![FirstRoll::Any; decisions.len()];
            let luck = luck.measure(decisions, &thrown, &|_| false, Tier::best(), NO_STOP).expect("nothing stops it");
            for (position, luck) in decisions.positions().iter().zip(luck) {
                for outcome in excluded(rules, position) {
                    assert_eq!(luck.0[outcome as usize], 0, "{rules}");
                }
            }
        });
    }
}

/// The best of some plays by a net in floats.
fn best(net: &Network, rules: RuleSet, results: &[Planes]) -> usize {
    let value = |result: &Planes| match rules.outcome(&Board::from(*result)) {
        Some(end) => -f64::from(end.points()),
        None => -net.probabilities(rules, result).equity(),
    };
    let values = (0..).zip(results.iter().map(value));
    let best = values.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    best.expect("there is a play").0
}

/// The nets of the built-in players play the same in integers as in floats.
#[test]
fn nets_in_integers_play_as_those_in_floats() {
    for bytes in BUILT_IN {
        let net = PlayerFile::read(bytes).expect("a player").net;
        let integers = IntegerNetwork::new(&net).expect("it fits");
        let rules = RuleSet::Backgammon;
        let mut picks = Vec::new();
        let (mut decisions_seen, mut same, mut squares) = (0, 0, 0.0);
        play(rules, 2, |decisions| {
            picks.resize(decisions.len(), 0);
            integers.pick(Tier::best(), decisions, &mut picks);
            for (decision, &pick) in picks.iter().enumerate() {
                let results = decisions.results_of(decision);
                decisions_seen += 1;
                same += usize::from(pick as usize == best(&net, rules, results));
                let position = &decisions.positions()[decision];
                let exact = net.probabilities(rules, position).equity();
                let possible = OutcomeSet::possible(rules, position);
                let in_integers = integers.outputs().probabilities_among(possible, &integers.outputs_of(position));
                squares += (in_integers.equity() - exact).powi(2);
            }
        });
        let rms = (squares / decisions_seen as f64).sqrt();
        println!("{decisions_seen} decisions, the same {same}, rms of equities {rms}");
        assert!(rms < 0.002, "{rms}");
        assert!(same * 100 >= 97 * decisions_seen, "{same} of {decisions_seen}");
    }
}
