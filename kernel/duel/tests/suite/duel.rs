//! Two players on the same dice, against games played one by one, by hand.

use core::num::NonZeroUsize;
use std::sync::Arc;

use tavli_backgammon::policies::Policy;
use tavli_backgammon::stepping::{RollBatch, SteppedGame};
use tavli_backgammon::{FirstRoll, NO_STOP, Outcome, Playouts, RuleSet, Tier};
use tavli_duel::{Duel, Score};
use tavli_players::named;
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli_testing::tiers::tiers;

fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads);
    Workers::start(&placement.expect("a placement")).expect("workers")
}

fn players(names: [&str; 2]) -> [Arc<dyn Policy>; 2] {
    names.map(|name| named::policy(name).expect("a player"))
}

/// Makes the play that a policy picks for the roll of a game.
pub(crate) fn make_play(game: &mut SteppedGame, rules: RuleSet, policy: &dyn Policy) {
    let mut decisions = RollBatch::new(rules);
    let throw = game.roll().expect("it goes on");
    decisions.push(game.board(), throw).expect("it goes on");
    decisions.list(policy.view());
    let mut picks = [0];
    policy.pick(&decisions, &mut picks, NO_STOP).expect("nothing stops it");
    game.make(picks[0] as usize).expect("a play");
}

/// The outcome of a game for the player who begins it, played ply by ply.
fn by_hand(playouts: &Playouts, number: u64, seats: [&Arc<dyn Policy>; 2]) -> Outcome {
    let mut game = SteppedGame::new(playouts, number);
    while game.roll().is_some() {
        let policy = seats[game.plies() as usize % 2];
        make_play(&mut game, playouts.rules(), &**policy);
    }
    game.outcome().expect("it is over")
}

#[test]
fn a_score_is_that_of_the_games_one_by_one() {
    for (names, rules, seed, pairs) in [
        (["pubeval", "uniform"], RuleSet::Backgammon, 5, 30),
        (["uniform", "pubeval"], RuleSet::Hypergammon, 6, 50),
        (["uniform", "uniform"], RuleSet::Backgammon, 7, 40),
    ] {
        let both = players(names);
        let [a, b] = &both;
        let playouts = Playouts::new(rules.start(), rules, seed).expect("a start");
        let playouts = playouts.with_first_roll(FirstRoll::Open);
        let (mut outcomes, mut means) = ([0; Outcome::COUNT], Vec::new());
        for pair in 0..pairs {
            let games = [by_hand(&playouts, pair, [a, b]), by_hand(&playouts, pair, [b, a]).reversed()];
            for game in games {
                outcomes[game as usize] += 1;
            }
            means.push(f64::from(games[0].points() + games[1].points()) / 2.0);
        }
        let mean = means.iter().sum::<f64>() / pairs as f64;
        let squares: f64 = means.iter().map(|of_pair| (of_pair - mean).powi(2)).sum();
        let error = (squares / (pairs - 1) as f64 / pairs as f64).sqrt();
        for (tier, threads) in tiers().into_iter().zip([1, 3, 2]) {
            let duel = Duel::new(both.clone(), rules, seed, pairs);
            assert_eq!(duel.names(), names);
            let report = duel.play(tier, &workers(threads), |_| ());
            assert!(!report.cancelled);
            assert_eq!((report.score.points.pairs, report.score.outcomes), (pairs, outcomes));
            let points = report.score.points.per_game();
            assert!((points.mean - mean).abs() < 1e-12, "{points:?} {mean}");
            assert!((points.standard_error - error).abs() < 1e-12, "{points:?} {error}");
        }
        if names[0] == names[1] {
            assert_eq!((mean, error), (0.0, 0.0), "the dice are the same from both sides");
        }
    }
}

#[test]
fn wins_and_losses_are_counted_by_their_points() {
    let both = players(["pubeval", "uniform"]);
    let duel = Duel::new(both, RuleSet::Backgammon, 1, 100);
    let score = duel.play(Tier::best(), &workers(1), |_| ()).score;
    let [single, gammon, backgammon, lost, lost_gammon, lost_backgammon] = score.outcomes;
    assert_eq!(score.points.games(), 200);
    assert_eq!(
        [1, 2, 3].map(|points| score.won_by(points)),
        [single + gammon + backgammon, gammon + backgammon, backgammon]
    );
    assert_eq!(
        [1, 2, 3].map(|points| score.lost_by(points)),
        [lost + lost_gammon + lost_backgammon, lost_gammon + lost_backgammon, lost_backgammon]
    );
}

/// Over many seeds the means scatter as their errors say.
#[test]
fn errors_are_honest() {
    let (seeds, pairs) = (400, 50);
    let workers = workers(1);
    let play = |seed| {
        let both = players(["pubeval", "uniform"]);
        let duel = Duel::new(both, RuleSet::Hypergammon, seed, pairs);
        duel.play(Tier::best(), &workers, |_| ()).score
    };
    let scores: Vec<Score> = (1000..1000 + seeds).map(play).collect();
    let mut all = Score::default();
    scores.iter().for_each(|score| all.merge(score));
    let truth = all.points.per_game().mean;
    let squares = scores.iter().map(|score| {
        let points = score.points.per_game();
        ((points.mean - truth) / points.standard_error).powi(2)
    });
    // Of 400 squares of t with 49 degrees of freedom the mean is 1.04, with a standard error of 0.08.
    let mean = squares.sum::<f64>() / seeds as f64;
    assert!((0.8..1.3).contains(&mean), "{mean}");
}

#[test]
fn a_cancelled_duel_has_the_pairs_before() {
    let both = || players(["pubeval", "uniform"]);
    let cancel = Cancel::new();
    let duel = Duel::new(both(), RuleSet::Hypergammon, 3, 1 << 40);
    let report = duel.cancelled_by(&cancel).play(Tier::best(), &workers(1), |progress| {
        if progress.items > 0 {
            cancel.cancel();
        }
    });
    assert!(report.cancelled);
    let pairs = report.score.points.pairs;
    assert!(pairs > 0 && pairs < 1 << 40);
    let again = Duel::new(both(), RuleSet::Hypergammon, 3, pairs);
    assert_eq!(again.play(Tier::best(), &workers(1), |_| ()).score, report.score);
}
