//! Matches and money games with the cube, against games played one by one, by hand.

use std::num::NonZeroUsize;

use tavli_backgammon::evaluators::{self, EvaluationConditions};
use tavli_backgammon::stepping::SteppedGame;
use tavli_backgammon::{Board, FirstRoll, NO_STOP, Planes, Playouts, RuleSet, Tier};
use tavli_cube::{CubeState, OutcomeProbabilities, Score, Stakes, Turn};
use tavli_duel::{CubeDuel, CubeDuelError, CubeScore, Prize};
use tavli_players::named;
use tavli_rollout::cube_model;
use tavli_run::{Cpus, Pinning, Placement, Workers};

use crate::duel::make_play;

const NAMES: [&str; 2] = ["fast", "td80"];

fn workers(threads: usize) -> Workers {
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, NonZeroUsize::new(threads));
    Workers::start(&placement.expect("a placement")).expect("workers")
}

fn probabilities(player: usize, board: &Board) -> OutcomeProbabilities {
    let evaluator = named::evaluator(NAMES[player], NO_STOP).expect("an evaluator");
    let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::Portable);
    let values = evaluators::values(&*evaluator, &conditions, &[Planes::from(*board)]);
    OutcomeProbabilities::from(values.expect("nothing stops it")[0])
}

/// The winner of a game and the points that he gets.
fn by_hand(number: u64, begins: usize, mut state: CubeState, score: &mut CubeScore) -> (usize, u32) {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 5).expect("a start");
    let mut game = SteppedGame::new(&playouts.with_first_roll(FirstRoll::Open), number);
    let mut player = begins;
    score.games += 1;
    loop {
        if let Some(outcome) = game.outcome() {
            let points = state.points(outcome.points()).unsigned_abs();
            let winner = if outcome.is_win() { begins } else { 1 - begins };
            return (winner, points);
        }
        let model = cube_model(game.board(), None);
        if game.plies() > 0 && model.turn(&probabilities(player, game.board()), &state) != Turn::Roll {
            let doubled = state.doubled();
            if model.cubeful_value(&probabilities(1 - player, game.board()), &doubled) >= model.value_of_pass(&state) {
                score.passes += 1;
                return (player, state.cube());
            }
            score.takes += 1;
            state = doubled;
        }
        let policy = named::policy(NAMES[player]).expect("a player");
        make_play(&mut game, RuleSet::Backgammon, &*policy);
        state = state.reversed();
        player = 1 - player;
    }
}

#[test]
fn a_score_is_that_of_the_matches_one_by_one() {
    for (prize, pairs) in [(Prize::Match(3), 3), (Prize::Points { jacoby: true }, 8)] {
        let mut expected = CubeScore::default();
        for pair in 0..pairs {
            let mut won = 0;
            for second in [false, true] {
                let (mut points, mut game, mut had_crawford) = ([0, 0], 0, false);
                loop {
                    let begins = usize::from((game % 2 == 0) == second);
                    let stakes = match prize {
                        Prize::Match(length) => {
                            let [away, opponent_away] = [begins, 1 - begins].map(|player| length - points[player]);
                            let crawford = !had_crawford && (away == 1) != (opponent_away == 1);
                            had_crawford |= crawford;
                            Stakes::Match(Score { away, opponent_away, crawford })
                        }
                        Prize::Points { jacoby } => Stakes::Money { jacoby, beavers: false },
                    };
                    let state = CubeState { stakes, ..CubeState::default() };
                    let (winner, more) = by_hand((pair << 16) + game, begins, state, &mut expected);
                    expected.games_won += u64::from(winner == 0);
                    game += 1;
                    match prize {
                        Prize::Points { .. } => {
                            won += if winner == 0 { i64::from(more) } else { -i64::from(more) };
                            break;
                        }
                        Prize::Match(length) => {
                            points[winner] += more as u16;
                            if points[winner] >= length {
                                won += i64::from(winner == 0);
                                break;
                            }
                        }
                    }
                }
            }
            expected.won.add(won);
        }
        for threads in [1, 2] {
            let players = NAMES.map(|name| named::policy(name).expect("a player"));
            let duel = CubeDuel::new(players, RuleSet::Backgammon, prize, 5, pairs).expect("a duel");
            let report = duel.play(Tier::best(), &workers(threads), |_| ());
            assert_eq!((report.score, report.cancelled), (expected, false), "{prize:?}");
        }
    }
}

#[test]
fn what_cannot_be_played_is_named() {
    let duel = |name: &str, rules, prize| {
        let player = named::policy(name).expect("a player");
        CubeDuel::new([player.clone(), player], rules, prize, 1, 1).expect_err("refused")
    };
    let money = Prize::Points { jacoby: false };
    assert_eq!(duel("pubeval", RuleSet::Backgammon, money), CubeDuelError::NoValues("pubeval".to_owned()));
    assert_eq!(duel("fast", RuleSet::Hypergammon, money), CubeDuelError::Rules(RuleSet::Hypergammon));
    assert_eq!(duel("fast", RuleSet::Backgammon, Prize::Match(0)), CubeDuelError::Length(0));
}
