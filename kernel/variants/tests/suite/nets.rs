//! Encoders and nets against plain definitions, and against the plays themselves.

use tavli_base::NO_STOP;

use tavli_game::{Game, Heuristic, POINT, PlayableGame};
use tavli_simd::Tier;
use tavli_variants::nets::{
    Encoder, Net, NetBuffers, NetEvaluator, NetFile, Outputs, Primes, is_past, pinning_chances,
};
use tavli_variants::{Fevga, Plakoto, Position};

use crate::support::tiers::tiers;
use tavli_testing::random::Random;

fn fevga() -> Fevga {
    Fevga::by_rules("default", Tier::best(), 1).expect("rules")
}

fn plakoto() -> Plakoto {
    Plakoto::by_rules("default", Tier::best(), 1).expect("rules")
}

/// All inputs of a position, zeros included.
fn inputs(encoder: Encoder, position: &Position) -> Vec<f32> {
    let mut inputs = vec![0.0; encoder.inputs()];
    encoder.encode(position, |input, value| {
        assert!(inputs[input] == 0.0 && value != 0.0, "{encoder} input {input}");
        inputs[input] = value;
    });
    inputs
}

/// All positions of some random games.
fn positions<G: PlayableGame<Position = Position>>(game: &G, games: u32) -> Vec<Position> {
    let mut positions = Vec::new();
    let mut word = 1_u32;
    for _ in 0..games {
        let mut position = game.start();
        while game.points(&position).is_none() {
            positions.push(position);
            let mut draw = |of: usize| {
                word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((u64::from(word) * of as u64) >> 32) as usize
            };
            let chance = draw(game.chances().len());
            let choice = draw(game.choices(&position, chance));
            position = game.result(&position, chance, choice);
        }
    }
    positions
}

#[test]
fn encoders_have_their_inputs() {
    let counts = Encoder::ALL.iter().map(|encoder| (encoder.name(), encoder.game(), encoder.inputs()));
    let expected = [
        ("fevga-1", "fevga", 194),
        ("fevga-2", "fevga", 201),
        ("fevga-plus", "fevga", 259),
        ("plakoto-1", "plakoto", 242),
        ("plakoto-2", "plakoto", 242),
        ("plakoto-plus", "plakoto", 340),
    ];
    assert_eq!(counts.collect::<Vec<_>>(), expected);
    assert!(Encoder::ALL.iter().all(|&one| one.name().parse() == Ok(one)));
    assert!("plakoto-3".parse::<Encoder>().is_err());
}

/// The first 194 inputs, point by point.
#[test]
fn raw_inputs_are_thresholds_of_checkers() {
    let all = [
        (Encoder::Fevga1, positions(&fevga(), 4)),
        (Encoder::Fevga2, positions(&fevga(), 4)),
        (Encoder::FevgaPlus, positions(&fevga(), 4)),
        (Encoder::Plakoto1, positions(&plakoto(), 4)),
        (Encoder::Plakoto2, positions(&plakoto(), 4)),
        (Encoder::PlakotoPlus, positions(&plakoto(), 4)),
    ];
    for (encoder, positions) in all {
        for position in positions {
            let inputs = inputs(encoder, &position);
            for (first, side) in [(0, position.opponent()), (96, position.own())] {
                for point in 1..=24 {
                    for least in 1..=4 {
                        let input = inputs[first + 4 * (point - 1) + least as usize - 1];
                        assert_eq!(input, f32::from(u8::from(side.checkers(point) >= least)));
                    }
                }
            }
            assert_eq!(inputs[192], position.opponent().off() as f32 / 15.0);
            assert_eq!(inputs[193], position.own().off() as f32 / 15.0);
        }
    }
}

/// The checkers on points, by the points' numbers: capital letters are the player on roll.
type OnPoints<'a> = &'a [(usize, &'a str)];

/// The text of a position from the checkers on its points.
fn text(points: OnPoints<'_>) -> String {
    let on = |point| points.iter().find(|of| of.0 == point).map_or("-", |of| of.1);
    (1..=24).map(on).collect()
}

/// Six points in a row from `lowest` on, with 15 checkers.
fn six(lowest: usize, letters: [&'static str; 2]) -> Vec<(usize, &'static str)> {
    (0..6).map(|next| (lowest + next, letters[usize::from(next > 0)])).collect()
}

#[test]
fn primes_are_six_points_with_a_checker_behind() {
    let game = fevga();
    // The primes of the player who has just played, and of the player on roll.
    let of = |points: Vec<(usize, &str)>| {
        let text = text(&points);
        let position = game.read(&text).expect(&text);
        let [last, next] = [position.opponent(), position.own()];
        [Primes::new(last, next), Primes::new(next, last)].map(|primes| (primes.early, primes.late))
    };
    let with = |mut points: Vec<(usize, &'static str)>, others: &[(usize, &'static str)]| {
        points.extend(others);
        points
    };
    let (none, early, late) = ((false, false), (true, false), (false, true));
    let [small, large] = [["j", "a"], ["J", "A"]];
    assert_eq!(of(vec![(12, "o"), (24, "O")]), [none, none]);
    // Before the player on roll, whose numbers these are: in the third quadrant of the other player, around that
    // player's point 24, and in the first two quadrants.
    assert_eq!(of(with(six(13, small), &[(6, "A"), (24, "N")])), [late, none]);
    assert_eq!(of(with(six(10, small), &[(24, "O")])), [late, none]);
    assert_eq!(of(with(six(8, small), &[(24, "O")])), [late, none]);
    assert_eq!(of(with(six(7, ["a", "a"]), &[(20, "i"), (24, "O")])), [early, none]);
    assert_eq!(of(with(six(1, ["i", "a"]), &[(14, "a"), (24, "O")])), [early, none]);
    // Nobody is behind.
    assert_eq!(of(with(six(13, small), &[(6, "O")])), [none, none]);
    assert_eq!(of(with(six(13, small), &[(11, "O")])), [none, none]);
    // The prime of the player on roll, on the points 13 to 18 of the other one; and on that one's first six.
    assert_eq!(of(with(six(1, large), &[(12, "o")])), [none, late]);
    assert_eq!(of(with(six(7, large), &[(13, "o")])), [none, none]);
    // Around the end of the other player's way it is none, and five points are none.
    assert_eq!(of(with(six(10, large), &[(5, "n"), (20, "a")])), [none, none]);
    let mut five = six(1, small);
    five[2] = (19, "a");
    assert_eq!(of(with(five, &[(24, "O")])), [none, none]);
}

#[test]
fn a_race_is_without_contact() {
    let game = fevga();
    // For the player who has just played, and the one on roll.
    let cases: [(OnPoints<'_>, [bool; 2]); 5] = [
        (&[(12, "o"), (24, "O")], [false, false]),
        (&[(13, "o"), (1, "O")], [true, true]),
        (&[(18, "o"), (6, "O")], [true, true]),
        // One has come to the end of the way, where the other has still to pass.
        (&[(13, "o"), (5, "A"), (19, "N")], [true, false]),
        // The other player's checkers will come to where these are.
        (&[(18, "o"), (5, "A"), (19, "N")], [false, false]),
    ];
    for (points, past) in cases {
        let text = text(points);
        let position = game.read(&text).expect(&text);
        let (own, opponent) = (position.own(), position.opponent());
        assert_eq!([is_past(opponent, own), is_past(own, opponent)], past, "{text}");
    }
}

#[test]
fn the_inputs_of_fevga_2_stand_in_their_order() {
    let game = fevga();
    let of = |points: &[(usize, &str)]| {
        let text = text(points);
        inputs(Encoder::Fevga2, &game.read(&text).expect(&text))[194..].to_vec()
    };
    assert_eq!(of(&[(12, "o"), (24, "O")]), [0.0; 7]);
    // A checker on its point 1, and 15 of the other player on 1.
    assert_eq!(of(&[(13, "a"), (1, "O")]), [0.0, 0.0, 0.0, 0.0, 0.14, 1.0, 1.0]);
    let mut points = six(13, ["j", "a"]);
    points.push((24, "O"));
    // Pips: 10 + 2 + 3 + 4 + 5 + 6 against 360. The players' race: none of the other's checkers is before these.
    assert_eq!(of(&points), [0.0, 1.0, 0.0, 0.0, 3.3, 0.0, 0.0]);
}

#[test]
fn pins_have_inputs() {
    let text = text(&[(2, "A*"), (7, "a*"), (24, "L")]);
    let position = plakoto().read(&text).expect(&text);
    let set = |encoder| {
        let inputs = inputs(encoder, &position);
        (194..242).filter(|&input| inputs[input] != 0.0).collect::<Vec<usize>>()
    };
    // The player who has just played pins a checker on 18, and is pinned on 23.
    assert_eq!(set(Encoder::Plakoto1), [194 + 17, 218 + 22]);
    assert_eq!(set(Encoder::Plakoto2), [194 + 17, 218 + 22]);
    assert_eq!(pinning_chances(&position)[23], 36);
}

#[test]
fn chances_of_pins_are_counted_in_throws() {
    // A single checker on the other player's 20, four pips before 15 checkers, with the points between open: 4 directly
    // on 11 throws, 13 on two, 22 and 11.
    let four = text(&[(20, "a"), (24, "O")]);
    let position = plakoto().read(&four).expect(&four);
    let inputs = inputs(Encoder::Plakoto2, &position);
    assert_eq!(pinning_chances(&position)[5], 11 + 2 + 2);
    assert_eq!(inputs[218 + 4], 15.0 / 36.0);
    // A point with two checkers on the way stops 22, not 13 and 31.
    let blocked = text(&[(20, "a"), (22, "b"), (24, "O")]);
    let position = plakoto().read(&blocked).expect(&blocked);
    assert_eq!(pinning_chances(&position)[5], 11 + 2);
}

#[test]
fn large_stacks_runs_and_mobility_have_inputs_in_fevga() {
    let of = |points: &[(usize, &str)]| {
        let text = text(points);
        inputs(Encoder::FevgaPlus, &fevga().read(&text).expect(&text))
    };
    let start = of(&[(12, "o"), (24, "O")]);
    // 11 checkers above four on both starts, which are 24 for both, and a die moves from one point.
    let stacks: Vec<usize> = (194..242).filter(|&input| start[input] != 0.0).collect();
    assert_eq!((stacks, start[217], start[241]), (vec![217, 241], 2.75, 2.75));
    assert_eq!(start[242..253], [0.0; 11]);
    assert_eq!(start[253..], [0.125; 6]);
    // Five points in a row before the player on roll, who has a checker behind them: 2, 3, 4, 5 and 6 do not move it.
    let mut points = vec![(24, "O"), (10, "j")];
    points.extend((18..=22).map(|point| (point, "a")));
    let five = of(&points);
    assert_eq!(five[249..253], [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(five[253..], [0.125, 0.0, 0.0, 0.0, 0.0, 0.0]);
    // Four, and nobody behind.
    points[2] = (24, "O");
    assert_eq!(of(&points)[249..253], [1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn pins_of_both_sides_and_their_chances_have_inputs_in_plakoto() {
    // The player on roll has single checkers on 20 and 5, the other one on 1, 24 in own numbers, and on 8, which is 17.
    let text = text(&[(24, "L"), (20, "A"), (5, "A"), (2, "A*"), (8, "a"), (1, "l"), (9, "a")]);
    let position = plakoto().read(&text).expect(&text);
    let inputs = inputs(Encoder::PlakotoPlus, &position);
    let chances = pinning_chances(&position);
    let of_other = pinning_chances(&position.swapped());
    for point in 1..=24 {
        let is_pinned = position.opponent().is_pinned(point);
        assert_eq!(inputs[266 + point - 1], f32::from(u8::from(is_pinned)));
        let chance = if is_pinned { 0 } else { chances[point] };
        assert_eq!(inputs[290 + point - 1], f32::from(chance) / 36.0);
        assert_eq!(inputs[314 + point - 1], f32::from(of_other[point]) / 36.0);
    }
    assert!(chances[17] > 0 && chances[16] > 0 && of_other[20] > 0);
    let pips = |side: &tavli_variants::SideCheckers| side.pips() as f32;
    assert_eq!(inputs[338], (pips(position.own()) - pips(position.opponent())) / 100.0);
    // Any of the pins has as many throws as one of them at least, and not more than both.
    let [most, both] = [chances[17].max(chances[16]), chances[17] + chances[16]].map(|of| f32::from(of) / 36.0);
    assert!((most..=both).contains(&inputs[339]), "{}", inputs[339]);
}

/// A throw allows a pin if some play of it ends with one, but for the rules that force dice.
#[test]
fn chances_of_pins_are_those_of_the_plays() {
    let game = plakoto();
    let (mut differing, mut all) = (0, 0);
    for position in positions(&game, 6) {
        let chances = pinning_chances(&position);
        let mut exact = [0; 25];
        for (chance, &weight) in game.chances().iter().enumerate() {
            let results = game.results(&position, chance);
            for point in 1..=24 {
                if results.iter().any(|result| result.own().is_pinned(point)) {
                    exact[point] += weight as u8;
                }
            }
        }
        for point in 1..=24 {
            // The pinning checker may leave, so only points with a checker that is alone, or pinned already, are
            // compared.
            let side = position.opponent();
            if side.is_pinned(point) {
                assert_eq!(chances[point], 36);
            } else if side.checkers(point) != 1 {
                assert_eq!(chances[point], 0);
            } else {
                assert!(exact[point] <= chances[point], "{} {point}", game.text(&position));
                differing += u32::from(exact[point] < chances[point]);
                all += 1;
            }
        }
    }
    assert!(all > 100 && 20 * differing < all, "{differing} of {all}");
}

/// A net whose weights are all different.
fn net(encoder: Encoder, units: usize) -> Net {
    let mut net = Net::zero(encoder, units);
    let columns = net.columns();
    let [hidden, outputs] = net.weights_mut();
    for (rows, length) in [(hidden, units), (outputs, units + 1)] {
        for (number, row) in rows.chunks_exact_mut(columns).enumerate() {
            for (unit, weight) in row[..length].iter_mut().enumerate() {
                *weight = ((number * 37 + unit * 101) % 211) as f32 / 211.0 - 0.5;
            }
        }
    }
    net
}

/// Values by loops over all inputs, in 64-bit floats.
fn specified(net: &Net, position: &Position) -> [f64; 3] {
    let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
    let (columns, units) = (net.columns(), net.units());
    let inputs = inputs(net.encoder(), position);
    let hidden: Vec<f64> = (0..units)
        .map(|unit| {
            let weight = |input: usize| f64::from(net.hidden()[input * columns + unit]);
            let sum: f64 = (0..inputs.len()).map(|input| f64::from(inputs[input]) * weight(input)).sum();
            logistic(sum + weight(inputs.len()))
        })
        .collect();
    core::array::from_fn(|output| {
        let row = &net.outputs()[output * columns..];
        let sum: f64 = (0..units).map(|unit| hidden[unit] * f64::from(row[unit])).sum();
        logistic(sum + f64::from(row[units]))
    })
}

#[test]
fn nets_are_sums_of_products_on_every_tier() {
    for (encoder, positions) in
        [(Encoder::Fevga2, positions(&fevga(), 1)), (Encoder::Plakoto2, positions(&plakoto(), 1))]
    {
        for units in [1, 15, 16, 100] {
            let net = net(encoder, units);
            let mut first: Option<Vec<Outputs>> = None;
            for tier in tiers() {
                let mut values = NetBuffers::default();
                let values = net.values(tier, &positions, &mut values).to_vec();
                assert_eq!(first.get_or_insert_with(|| values.clone()), &values, "{tier}");
            }
            for (outputs, position) in first.expect("a tier").iter().zip(&positions) {
                for (output, exact) in outputs.to_array().iter().zip(specified(&net, position)) {
                    assert!((f64::from(*output) - exact).abs() < 1e-5, "{encoder} {units}");
                }
            }
        }
    }
}

/// Incrementally updated sums differ by rounding only, and a value does not depend on the other plays.
fn plays_are_valued_as_positions<G: PlayableGame<Position = Position>>(game: &G, encoders: &[Encoder]) {
    for &encoder in encoders {
        let net = net(encoder, 100);
        for (ply, before) in positions(game, 2).iter().enumerate() {
            let results = game.results(before, ply % game.chances().len());
            let mut room = NetBuffers::default();
            let direct = net.values(Tier::Portable, &results, &mut room).to_vec();
            let first = net.values_of_plays(Tier::Portable, before, &results, &mut room).to_vec();
            for (direct, updated) in direct.iter().zip(&first) {
                for (direct, updated) in direct.to_array().iter().zip(updated.to_array()) {
                    assert!((direct - updated).abs() < 1e-5, "{encoder} {}", game.text(before));
                }
            }
            for tier in tiers() {
                assert_eq!(net.values_of_plays(tier, before, &results, &mut room), first, "{tier}");
            }
            let last = [*results.last().expect("a play")];
            let alone = net.values_of_plays(Tier::Portable, before, &last, &mut room)[0];
            assert_eq!(Some(&alone), first.last());
        }
    }
}

#[test]
fn plays_of_fevga_are_valued_as_positions() {
    plays_are_valued_as_positions(&fevga(), &[Encoder::Fevga1, Encoder::Fevga2, Encoder::FevgaPlus]);
}

#[test]
fn plays_of_plakoto_are_valued_as_positions() {
    plays_are_valued_as_positions(&plakoto(), &[Encoder::Plakoto1, Encoder::Plakoto2, Encoder::PlakotoPlus]);
}

#[test]
fn nets_play_as_evaluators_of_their_game() {
    let (fevga, plakoto) = (fevga(), plakoto());
    let net = net(Encoder::Fevga1, 20);
    let file = NetFile { net: net.clone(), recipe: "a recipe".to_owned() };
    let evaluator = fevga.net(&file.write()).expect("a net of fevga");
    let positions = positions(&fevga, 1);
    let mut values = vec![0; positions.len()];
    evaluator.values(&positions, &mut values, NO_STOP).expect("nothing stops it");
    let direct = NetEvaluator::new(net.clone(), Tier::Portable);
    let mut again = vec![0; positions.len()];
    direct.values(&positions, &mut again, NO_STOP).expect("nothing stops it");
    assert_eq!(values, again);
    let mut room = NetBuffers::default();
    let outputs = net.values(Tier::Portable, &positions[..1], &mut room)[0];
    let outputs = outputs.clamped(fevga.possible_points(&positions[0]));
    // For the player on roll, who has not played last.
    assert_eq!(values[0], (-f64::from(outputs.equity()) * POINT as f64) as i64);
    let error = plakoto.net(&file.write()).unwrap_err().to_string();
    assert_eq!(error, "its net values positions of fevga");
}

/// A net of weights that were never trained promises double games everywhere.
#[test]
fn a_side_that_has_borne_off_loses_no_double_game() {
    fn most<G: PlayableGame<Position = Position>>(game: &G, net: &Net, text: &str) -> [f64; 2] {
        let position = game.read(text).expect(text);
        let [mut win, mut loss] = [net.clone(), net.clone()];
        // All outputs near 1, or the win and the double win near 0 and the double loss near 1.
        for (net, biases) in [(&mut win, [9.0, 9.0, -9.0]), (&mut loss, [-9.0, -9.0, 9.0])] {
            let (columns, units) = (net.columns(), net.units());
            let [_, outputs] = net.weights_mut();
            for (row, bias) in outputs.chunks_exact_mut(columns).zip(biases) {
                row.fill(0.0);
                row[units] = bias;
            }
        }
        [win, loss].map(|net| {
            let mut value = [0];
            let evaluator = NetEvaluator::new(net, Tier::Portable);
            evaluator.values(&[position], &mut value, NO_STOP).expect("nothing stops it");
            // For the player who has just played.
            -value[0] as f64 / POINT as f64
        })
    }
    let (of_fevga, of_plakoto) = (Net::zero(Encoder::Fevga1, 20), Net::zero(Encoder::Plakoto1, 20));
    for (text, win, loss) in [
        ("CCCCC-------------ccccc-", 2.0, -2.0),
        // The player on roll bears off the last checker next, the other one has all of his, or two.
        ("A-----------------ccccc-", -2.0, -2.0),
        ("A----------------------b", -1.0, -1.0),
        // Either may be off first; and all of the player's checkers are on the board, of which one is off in time.
        ("---------A---a----------", 1.0, -1.0),
        ("NA-----------------bbbb-", 1.0, -1.0),
    ] {
        for [a, b] in [most(&fevga(), &of_fevga, text), most(&plakoto(), &of_plakoto, text)] {
            assert!((a - win).abs() < 1e-3 && (b - loss).abs() < 1e-3, "{text}: {a} {b}");
        }
    }
    // Double games are games that are won.
    let outputs = Outputs { win: 0.25, double_win: 0.5, double_loss: 0.875 };
    let possible = outputs.clamped([-2, 2]);
    assert_eq!(possible.to_array(), [0.25, 0.25, 0.75]);
}

/// No game ends with points that were impossible before, and no points become possible again.
#[test]
fn games_end_within_the_possible_points() {
    fn check<G: PlayableGame<Position = Position>>(game: &G) {
        let (mut bounded, mut certain) = (0, 0);
        // From the end of each game back to its start.
        let mut after: Option<(Position, [i32; 2])> = None;
        for position in positions(game, 100).iter().rev() {
            let [least, most] = game.possible_points(position);
            if [least, most] == [-2, 2] {
                after = Some((*position, [least, most]));
                continue;
            }
            let results = (0..game.chances().len()).flat_map(|chance| game.results(position, chance));
            let follows = after.filter(|(next, _)| results.clone().any(|result| result == *next));
            let ends = results.filter_map(|result| game.points(&result));
            for points in ends.chain(follows.into_iter().flat_map(|(_, possible)| possible)) {
                assert!((least..=most).contains(&-points), "{}: {points} after {least}..={most}", game.text(position));
            }
            bounded += 1;
            certain += usize::from(least == most);
            after = Some((*position, [least, most]));
        }
        assert!(bounded > 100 && certain > 20, "{bounded} {certain}");
    }
    check(&fevga());
    check(&plakoto());
    // In the rolls that the opponent needs, one checker is surely borne off, or need not be where there are pips to
    // play.
    for (text, possible) in [
        ("NA-----------------bbbb-", [-1, 1]),
        ("EEE----------------bbbb-", [-2, 1]),
        ("MAA----------------bbbb-", [-1, 1]),
    ] {
        let found = [
            plakoto().possible_points(&plakoto().read(text).expect(text)),
            fevga().possible_points(&fevga().read(text).expect(text)),
        ];
        assert_eq!(found, [possible; 2], "{text}");
    }
    // A side that has borne off checkers, with one at its start: Fevga's loses one point, Plakoto's may be pinned
    // there.
    let (fevga, plakoto) = (fevga(), plakoto());
    let of_fevga = |text| fevga.possible_points(&fevga.read(text).expect(text));
    assert_eq!(of_fevga("A----------a------------"), [1, 1]);
    assert_eq!(of_fevga("---A-------a-----------b"), [-1, 1]);
    let text = "a--A-------------------b";
    assert_eq!(plakoto.possible_points(&plakoto.read(text).expect(text)), [-1, 2]);
}

/// A last checker on points 1 to 3 has won if, and only if, every play of every roll bears it off.
#[test]
fn a_last_checker_that_every_roll_bears_off_has_won() {
    fn check<G: PlayableGame<Position = Position>>(game: &G) {
        let mut random = Random(7);
        let (mut certain, mut open) = (0, 0);
        for _ in 0..3000 {
            let at = random.below(3);
            let mut points = ["-"; 24];
            for _ in 0..1 + random.below(6) {
                points[random.below(24)] = ["a", "b", "c"][random.below(3)];
            }
            points[at] = "A";
            // A position of other rules, or one in which the game is over.
            let text = points.concat();
            let Ok(position) = game.read(&text) else {
                continue;
            };
            if game.points(&position).is_some() {
                continue;
            }
            let results = (0..game.chances().len()).flat_map(|chance| game.results(&position, chance));
            let ends: Vec<_> = results.map(|result| game.points(&result)).collect();
            let possible = game.possible_points(&position);
            if ends.iter().all(Option::is_some) {
                assert!(
                    ends.iter().all(|&end| end.map(|points| [-points; 2]) == Some(possible)),
                    "{text}: {possible:?}, {ends:?}"
                );
                certain += 1;
            } else {
                assert!(possible[0] < 0, "{text}: {possible:?}, {ends:?}");
                open += 1;
            }
        }
        assert!(certain > 200 && open > 200, "{certain} {open}");
    }
    check(&fevga());
    check(&plakoto());
    for text in ["--Ab-ab---a----aba-a---d", "--A-----a-------------a-"] {
        let position = fevga().read(text).expect(text);
        let [least, most] = fevga().possible_points(&position);
        let net = Net::zero(Encoder::Fevga1, 20);
        let mut value = [0];
        let evaluator = NetEvaluator::new(net, Tier::Portable);
        evaluator.values(&[position], &mut value, NO_STOP).expect("nothing stops it");
        assert_eq!((least, value[0]), (most, i64::from(most) * POINT), "{text}");
    }
}

#[test]
fn bytes_that_are_no_net_say_why() {
    let file = NetFile { net: net(Encoder::Plakoto2, 3), recipe: "a recipe\nof two lines".to_owned() };
    let bytes = file.write();
    assert_eq!(NetFile::read(&bytes).as_ref(), Ok(&file));
    let error = |bytes: &[u8]| NetFile::read(bytes).unwrap_err().to_string();
    for length in 0..bytes.len() {
        error(&bytes[..length]);
    }
    for (text, start) in [
        ("net plakoto-2\n", "its first line is not 'net'"),
        ("net plakoto-9 3\n", "its encoder 'plakoto-9' is none of"),
        ("net plakoto-2 0\n", "its number of units"),
        ("net plakoto-2 5000\n", "its number of units"),
        ("net plakoto-2 3\nrecipes\n", "its second line"),
        ("net plakoto-2 3\nrecipe 9\nab", "it ends within its recipe"),
        ("net plakoto-2 3\nrecipe 2\nab", "it has 0 bytes of weights"),
        ("net", "it ends within its first lines"),
    ] {
        assert!(error(text.as_bytes()).starts_with(start), "{text}: {}", error(text.as_bytes()));
    }
    let mut infinite = bytes.clone();
    let end = infinite.len();
    infinite[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert_eq!(error(&infinite), "a weight is not a finite number");
}
