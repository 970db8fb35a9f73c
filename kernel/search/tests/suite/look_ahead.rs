//! Look-ahead in any game, against the look-ahead of backgammon's players.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{EquityHeuristic, EvaluationConditions, Evaluator};
use tavli_backgammon::playout::Throw;
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{BackgammonGame, Board, NO_STOP, Planes, Roll, RuleSet, Stopped, Tier};
use tavli_players::named::evaluator;
use tavli_players::{LookAhead, MoveFilters};
use tavli_search::{Game, GameLookAhead, GreedyPlayout, GreedyPlayouts, POINT};

/// The same plays pass the same filters, and have the same values up to rounding.
#[test]
fn backgammon_is_looked_ahead_as_its_players_do() {
    let (rules, tier) = (RuleSet::Backgammon, Tier::best());
    let td80 = evaluator("td80", NO_STOP).expect("a player");
    let heuristic = Arc::new(EquityHeuristic::new(rules, tier, Arc::clone(&td80)));
    let game = Arc::new(BackgammonGame::new(rules, PolicyPair::default(), tier, 1).expect("alike"));
    let conditions = EvaluationConditions::new(rules, tier);
    let mut left_out = 0;
    for plies in 1..=GameLookAhead::<BackgammonGame>::MAX_PLIES {
        let ply = NonZeroU32::new(plies).expect("plies");
        let of_players = LookAhead::new(Arc::clone(&td80), ply, MoveFilters::default());
        let ahead = GameLookAhead::new(Arc::clone(&game), heuristic.clone(), plies);
        // A game by looking ahead, with all rolls in turn; a ply in seven with two plies, which take longer.
        let mut position = game.root(&Board::START).expect("it goes on");
        for (ply, &roll) in Roll::ALL.iter().cycle().take(60).enumerate() {
            if game.points(&position).is_some() {
                break;
            }
            let chance = BackgammonGame::chance(roll);
            let results = game.results(&position, chance);
            if plies == 2 && ply % 7 != 0 {
                position = results[ply % results.len()];
                continue;
            }
            let mut decisions = RollBatch::new(rules).with_tier(tier);
            let board = Board::from(position);
            decisions.push(&board, Throw { roll, fraction: 0 }).expect("a position");
            decisions.list(View::RESULTS);
            let near = of_players.candidate_plays(&conditions, &decisions).expect("nothing stops it");
            let of_decision = decisions.results_of(0);
            let ranked = ahead.ranked(&position, chance, NO_STOP).expect("nothing stops it");
            let passed = ranked.iter().take_while(|looked| looked.plies == plies);
            let mut found: Vec<(Planes, i64)> = passed.map(|looked| (results[looked.choice], looked.value)).collect();
            let value = |play: &tavli_backgammon::evaluators::PlayValue| (-play.value.equity() * POINT as f64) as i64;
            let mut expected: Vec<(Planes, i64)> =
                near[0].iter().map(|play| (of_decision[play.index as usize], value(play))).collect();
            left_out += results.len() - found.len();
            for list in [&mut found, &mut expected] {
                list.sort_by_key(|(position, _)| results.iter().position(|result| result == position));
            }
            assert_eq!(found.len(), expected.len(), "{}", board.position_id());
            for ((found, value), (expected, other)) in found.iter().zip(&expected) {
                assert_eq!(found, expected, "{}", board.position_id());
                assert!((value - other).abs() < 1000, "{}: {value} {other}", board.position_id());
            }
            let best = ahead.best(&position, chance, NO_STOP).expect("nothing stops it");
            assert_eq!(best, ranked[0].choice, "{}", board.position_id());
            position = results[best];
        }
    }
    assert!(left_out > 100, "{left_out}");
}

/// Games have the dice of their numbers, with their luck measured or not.
#[test]
fn greedy_playouts_depend_on_their_numbers_and_are_stopped() {
    let (rules, tier) = (RuleSet::Backgammon, Tier::best());
    let td80 = evaluator("td80", NO_STOP).expect("a player");
    let heuristic = Arc::new(EquityHeuristic::new(rules, tier, td80));
    let game = Arc::new(BackgammonGame::new(rules, PolicyPair::default(), tier, 1).expect("alike"));
    let start = game.root(&Board::START).expect("it goes on");
    let by = |plies| {
        let player = GameLookAhead::new(Arc::clone(&game), heuristic.clone(), plies);
        GreedyPlayouts::new(Arc::clone(&game), player, 7)
    };
    let (plain, measured) = (by(0), by(0).measuring_luck(true));
    let mut plies = 0;
    for number in 0..10 {
        let found = plain.play(&start, number, NO_STOP).expect("nothing stops it");
        let with_luck = measured.play(&start, number, NO_STOP).expect("nothing stops it");
        assert!(found.luck.is_none() && with_luck.luck.is_some_and(|luck| luck != 0));
        assert_eq!(GreedyPlayout { luck: None, ..with_luck }, found);
        plies += found.plies;
    }
    // Players by a net end games in some 50 plies, random ones in more than 100.
    assert!((350..700).contains(&plies), "{plies}");
    assert_eq!(by(1).play(&start, 0, &|| true), Err(Stopped));
}
