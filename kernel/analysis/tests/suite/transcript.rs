//! Matches analysed.

use tavli_analysis::cube::PossibleRolls;
use tavli_analysis::engine::Engine;
use tavli_analysis::transcript::{Action, Analysis, DecisionKind, Match, ValuedBy};
use tavli_backgammon::{NO_STOP, Roll, RuleSet, Tier};
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};

/// Two games of a match between `strong` by the external player and GNU Backgammon 1.07.001, which wrote the file.
const TWO_GAMES: &str = include_str!("../../../transcript/tests/data/two_games.mat");

fn engine() -> Engine {
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, None).expect("a placement");
    let workers = Workers::start(&placement).expect("workers");
    Engine::new("strong", 0, RuleSet::Backgammon, Tier::best(), workers, &Cancel::new()).expect("a player")
}

/// Losses are differences of the engine's own values, and luck has the mean 0 over the rolls by construction.
#[test]
fn decisions_are_valued() {
    let mut played = Match::read(TWO_GAMES, NO_STOP).expect("a match");
    // In the second game the player was told the score the wrong way round.
    played.games.truncate(1);
    let engine = engine();
    let mut steps = (0, 0);
    let analysis = Analysis::new(&played, &engine, ValuedBy::Player, |done, all| steps = (done, all)).expect("valued");
    assert!(!analysis.cancelled && steps.0 == steps.1 && steps.0 == 44);
    let plays = analysis.decisions.iter().filter(|decision| decision.kind == DecisionKind::Play);
    assert_eq!(
        plays.count(),
        played
            .games
            .iter()
            .flat_map(|game| &game.steps)
            .filter(|step| matches!(step.action, Action::Play { .. }))
            .count()
    );
    for decision in &analysis.decisions {
        assert!(decision.loss >= 0.0 && decision.loss < 4.0, "{decision:?}");
        assert!(
            decision.done == decision.best
                || decision.kind == DecisionKind::Double
                || decision.loss > 0.0
                || decision.counts
        );
    }
    // `strong` played for the first player: it loses nothing by its own values without looking ahead.
    let own = analysis.sums(0, Some(DecisionKind::Play), None);
    let other = analysis.sums(1, Some(DecisionKind::Play), None);
    assert!(own.loss < 1e-9 && own.decisions > 15, "{own:?}");
    assert!(other.loss > 0.01, "{other:?}");
    assert_eq!(analysis.sums(1, None, Some(0)), analysis.sums(1, None, None));
    assert_eq!(analysis.sums(1, None, Some(1)).decisions, 0);
    engine.cancel().cancel();
    assert!(Analysis::new(&played, &engine, ValuedBy::Player, |_, _| ()).expect("valued").cancelled);
}

/// One die of each player decides who begins: at an even score the mean over both is 0, so a roll's luck is its value.
/// Nobody may double before it.
#[test]
fn the_opening_roll_is_a_throw_of_both_players() {
    let text = " 3 point match\n\n Game 1\n Ann : 0                        Ben : 0\n  1) 31: 8/5 6/5                 63: 24/15\n";
    let played = Match::read(text, NO_STOP).expect("a match");
    let engine = engine();
    let analysis = Analysis::new(&played, &engine, ValuedBy::Player, |_, _| ()).expect("valued");
    let [opening, double, _] = &analysis.decisions[..] else { panic!("{:?}", analysis.decisions) };
    assert_eq!((opening.kind, double.kind), (DecisionKind::Play, DecisionKind::Double));
    assert!((opening.luck - opening.equity).abs() < 1e-12, "{opening:?}");
    let mut mean = 0.0;
    for roll in Roll::ALL {
        let luck = engine.luck(&opening.position.before_roll(), roll, PossibleRolls::Any).expect("valued");
        mean += luck.expect("not stopped") * f64::from(roll.weight()) / 36.0;
    }
    assert!(mean.abs() < 1e-12, "{mean}");
}

/// Rollouts find an error of a tenth of a point, and a play that may be as good as the best loses nothing.
#[test]
fn plays_are_rolled_out() {
    let text = " 3 point match\n\n Game 1\n Ann : 0                        Ben : 0\n  1) 31: 24/20                   63: 24/15\n";
    let played = Match::read(text, NO_STOP).expect("a match");
    let analysis = Analysis::new(&played, &engine(), ValuedBy::Rollouts, |_, _| ()).expect("valued");
    let plays = analysis.decisions.iter().filter(|decision| decision.kind == DecisionKind::Play);
    let plays: Vec<_> = plays.collect();
    assert_eq!((plays[0].best.as_str(), plays[0].done.as_str()), ("8/5 6/5", "24/20"));
    assert!((0.05..0.4).contains(&plays[0].loss), "{:?}", plays[0]);
    for play in plays {
        assert_eq!(play.loss == 0.0, play.best == play.done, "{play:?}");
    }
}
