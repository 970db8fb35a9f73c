//! Policies: pubeval against its plain description, uniform play against the playouts, and a player for each side.

use core::num::NonZeroU32;
use core::ops::Range;
use std::sync::Arc;

use crate::support::specification::{self, Position};
use crate::support::specified;
use tavli_backgammon::playout::{ManyPlayouts, Throw};
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::{
    NAMES, Observer, Policy, PolicyPair, PolicyStage, PolicyTimes, Pubeval, PubevalHeuristic, Uniform, built_in,
    recorded_signature,
};
use tavli_backgammon::stepping::{Games, RollBatch, SteppedGame};
use tavli_backgammon::{
    Board, FirstRoll, GameEnd, NO_STOP, Outcome, Planes, Playouts, Results, Roll, RuleSet, Side, Stopped, Tier,
};
use tavli_game::Heuristic;

/// The published weights as text, one to a line: of the contact and of the race function.
const WEIGHTS: [&str; 2] = [include_str!("../data/pubeval_contact.txt"), include_str!("../data/pubeval_race.txt")];

/// Pubeval by its description, on positions of the plain specification: `pos` has the mover's checkers at 1 to 24 above
/// 0 and the opponent's below 0, the opponent's bar at 0, the mover's bar at 25, and checkers borne off at 26.
struct Description {
    weights: [Vec<f64>; 2],
}

impl Description {
    fn new() -> Description {
        let read = |text: &str| -> Vec<f64> {
            let weights = text.lines().map(|line| line.parse().expect("a weight"));
            weights.collect()
        };
        let weights = WEIGHTS.map(read);
        assert!(weights.iter().all(|weights| weights.len() == 122));
        Description { weights }
    }

    /// The value of a position after a play. The next player is the mover of `after`.
    fn value(&self, race: bool, after: &Position) -> f64 {
        let mut pos = [0_i32; 27];
        for point in 1..=25 {
            pos[point] += i32::from(after.other[point]);
            pos[25 - point] -= i32::from(after.mover[point]);
        }
        pos[26] = 15 - after.other.iter().map(|&number| i32::from(number)).sum::<i32>();
        if pos[26] == 15 {
            return 99_999_999.0;
        }
        let mut x = [0.0; 122];
        for j in 1..=24 {
            let n = pos[25 - j];
            let x = &mut x[5 * (j - 1)..];
            if n == -1 {
                x[0] = 1.0;
            }
            if n == 1 {
                x[1] = 1.0;
            }
            if n >= 2 {
                x[2] = 1.0;
            }
            if n == 3 {
                x[3] = 1.0;
            }
            if n >= 4 {
                x[4] = f64::from(n - 3) / 2.0;
            }
        }
        x[120] = -f64::from(pos[0]) / 2.0;
        x[121] = f64::from(pos[26]) / 15.0;
        let weights = &self.weights[usize::from(race)];
        x.iter().zip(weights).map(|(x, weight)| x * weight).sum()
    }

    /// The index of the play it picks, the play's value, and the values of the plays before it.
    fn pick(&self, before: &Position, dice: [usize; 2], rules: specification::Rules) -> usize {
        let last = |side: &[u8; 26]| (1..26).rev().find(|&point| side[point] > 0).expect("a checker");
        let race = last(&before.mover) + last(&before.other) < 25;
        let plays = specification::plays(before, dice, rules);
        let mut best = (0, f64::NEG_INFINITY);
        for (index, after) in plays.iter().enumerate() {
            let value = self.value(race, after);
            // Values that are exactly equal differ here by rounding, far less than any two weights do.
            if value > best.1 + 1e-9 {
                best = (index, value);
            }
        }
        best.0
    }
}

#[test]
fn pubeval_picks_what_its_description_says() {
    let description = Description::new();
    let rules = RuleSet::Backgammon;
    let mut decisions = RollBatch::new(rules);
    let mut described = Vec::new();
    let mut races = 0;
    // Half of the positions are pubeval's own, half of uniform play.
    for (policy, games) in [("pubeval", 95), ("uniform", 55)] {
        let playouts = Playouts::new(Board::START, rules, 5).expect("a game");
        let players = PolicyPair::alike(built_in(policy).expect("a policy"));
        for number in 0..games {
            let mut game = SteppedGame::new(&playouts, number);
            let mut one = RollBatch::new(rules);
            while let Some(throw) = game.roll() {
                decisions.push(game.board(), throw).expect("a game in play");
                races += usize::from(game.board().is_race());
                let position = specified::position(game.board());
                let dice = specified::dice(throw.roll);
                described.push(description.pick(&position, dice, specified::rules(rules)) as u32);
                one.clear();
                one.push(game.board(), throw).expect("a game in play");
                let policy = players.policy(game.turn());
                one.list(policy.view());
                let mut picks = [0];
                policy.pick(&one, &mut picks, NO_STOP).expect("nothing stops it");
                game.make(picks[0] as usize).expect("a play");
            }
        }
    }
    assert!(described.len() >= 10_000, "{} decisions", described.len());
    assert!(races > 1_000, "{races} races");
    decisions.list(View::RESULTS);
    let mut picks = vec![0; decisions.len()];
    Pubeval.pick(&decisions, &mut picks, NO_STOP).expect("nothing stops it");
    for (decision, (pick, described)) in picks.iter().zip(&described).enumerate() {
        assert_eq!(
            pick,
            described,
            "{} in {:?}",
            decisions.rolls()[decision],
            Board::from(decisions.positions()[decision])
        );
    }
}

#[test]
fn pubeval_wins_when_it_can() {
    let pick = |points: [i8; 26], roll: &str, rules: RuleSet| {
        let board = Board::from_points(&points).expect("a position");
        let mut decisions = RollBatch::new(rules);
        let roll: Roll = roll.parse().expect("a roll");
        decisions.push(&board, Throw { roll, fraction: 0 }).expect("in play");
        decisions.list(View::RESULTS);
        let mut picks = [99];
        Pubeval.pick(&decisions, &mut picks, NO_STOP).expect("nothing stops it");
        (picks[0] as usize, decisions.results_of(0).to_vec())
    };
    // The mover has two checkers, and some plays leave one behind.
    for (rules, own) in [(RuleSet::Backgammon, [2, 1]), (RuleSet::McGammon, [7, 6])] {
        let mut points = [0; 26];
        own.into_iter().for_each(|point| points[point] = 1);
        points[15] = -2;
        let (picked, results) = pick(points, "21", rules);
        let won = |result: &Planes| rules.is_over(&Board::from(*result));
        assert!(won(&results[picked]), "{rules}: {:?}", results[picked]);
        assert!(!results.iter().all(won), "{rules}");
    }
    // On the bar against six points.
    let mut points = [0; 26];
    points[25] = 1;
    (19..25).for_each(|point| points[point] = -2);
    let (picked, results) = pick(points, "64", RuleSet::Backgammon);
    assert_eq!((picked, results.len()), (0, 1), "a pass is the only play");
}

/// Uniform play as a type that the fused kernel does not know, so it goes through decisions.
#[derive(Debug)]
struct Listed(View);

impl Policy for Listed {
    fn name(&self) -> &str {
        "uniform"
    }

    fn view(&self) -> View {
        self.0
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        assert_eq!(decisions.view(), self.0);
        Uniform.pick(decisions, picks, stop)
    }
}

/// Uniform play that accepts decisions on one tier only.
#[derive(Debug)]
struct OnTier(Tier);

impl Policy for OnTier {
    fn name(&self) -> &str {
        "uniform on a tier"
    }

    fn view(&self) -> View {
        View::NUMBERS
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        assert_eq!(decisions.tier(), self.0);
        Uniform.pick(decisions, picks, stop)
    }
}

#[test]
fn policies_pick_on_the_tier_that_games_are_played_on() {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("a game");
    let many = ManyPlayouts::new([playouts]).expect("one row");
    for &tier in Tier::available() {
        let players = PolicyPair::alike(Arc::new(OnTier(tier)));
        let results = players.run(&playouts, tier, 0..3, NO_STOP).unwrap();
        let mut times = PolicyTimes::default();
        let timing = Observer::timing(&mut times);
        let timed = players.run_observed(&playouts, tier, 0..3, timing, NO_STOP);
        assert_eq!(timed.as_ref(), Ok(&results));
        let rows = players.run_part(&many, tier, 0..3, 0..3, NO_STOP).unwrap();
        assert_eq!(rows[0].games, 3);
        let mut records = Vec::new();
        let recording = Observer::collecting(&mut records);
        assert_eq!(players.run_observed(&playouts, tier, 0..3, recording, NO_STOP), Ok(results));
        assert_eq!(records.len(), 3);
        let mut games = Games::new(&playouts, 0..1, 1).with_tier(tier);
        assert_eq!(games.roll().tier(), tier);
    }
}

/// Every rule set and first roll, whole and cut off.
fn all_playouts() -> impl Iterator<Item = Playouts> {
    let rules = RuleSet::ALL.iter();
    rules.flat_map(|&rules| {
        let playouts = Playouts::new(rules.start(), rules, 9).expect("a game");
        ["any", "open", "66", "stratified"].into_iter().flat_map(move |first_roll| {
            let playouts = playouts.with_first_roll(first_roll.parse().expect("a first roll"));
            let plies = NonZeroU32::new(20).expect("not 0");
            [playouts, playouts.truncated_after(plies)]
        })
    })
}

fn recorded(players: &PolicyPair, playouts: &Playouts, games: Range<u64>) -> (Results, Vec<GameEnd>) {
    let mut records = Vec::new();
    let recording = Observer::collecting(&mut records);
    let played = players.run_observed(playouts, Tier::best(), games, recording, NO_STOP);
    (played.unwrap(), records)
}

#[test]
fn uniform_play_through_decisions_equals_the_fused_kernel() {
    for playouts in all_playouts() {
        for view in [View::NUMBERS, View::RESULTS, View::CHANGES] {
            let players = PolicyPair::alike(Arc::new(Listed(view)));
            assert!(!players.are_uniform());
            let apart = PolicyPair::new(Arc::new(Listed(view)), Arc::new(Uniform));
            assert!(!apart.are_uniform());
            for games in [0..150, 1 << 40..(1 << 40) + 30, 9..9] {
                let expected = recorded(&PolicyPair::default(), &playouts, games.clone());
                for players in [&players, &apart] {
                    assert_eq!(recorded(players, &playouts, games.clone()), expected, "{playouts:?}");
                    assert_eq!(players.run(&playouts, Tier::Portable, games.clone(), NO_STOP).unwrap(), expected.0);
                }
            }
        }
    }
}

/// A game played alone.
fn played_alone(playouts: &Playouts, players: &PolicyPair, number: u64) -> GameEnd {
    let mut game = SteppedGame::new(playouts, number);
    while let Some(throw) = game.roll() {
        let policy = players.policy(game.turn());
        let mut decision = RollBatch::new(playouts.rules());
        decision.push(game.board(), throw).expect("a game in play");
        decision.list(policy.view());
        let mut picks = [0];
        policy.pick(&decision, &mut picks, NO_STOP).expect("nothing stops it");
        game.make(picks[0] as usize).expect("a play");
    }
    game.so_far()
}

#[test]
fn a_game_is_the_same_in_any_company() {
    let built_in = |name: &str| built_in(name).expect("a policy");
    for playouts in all_playouts() {
        for [first, second] in [["pubeval", "pubeval"], ["pubeval", "uniform"], ["uniform", "pubeval"]] {
            let players = PolicyPair::new(built_in(first), built_in(second));
            let (all, records) = recorded(&players, &playouts, 0..130);
            for record in &records[..20] {
                assert_eq!(*record, played_alone(&playouts, &players, record.game));
            }
            let mut parts = players.run(&playouts, Tier::Portable, 0..1, NO_STOP).unwrap();
            parts.merge(&players.run(&playouts, Tier::best(), 1..70, NO_STOP).unwrap());
            parts.merge(&players.run(&playouts, Tier::best(), 70..130, NO_STOP).unwrap());
            assert_eq!(parts, all, "{players} in {playouts:?}");
        }
    }
}

#[test]
fn the_better_policy_wins_on_either_side_and_dice_are_common() {
    let built_in = |name: &str| built_in(name).expect("a policy");
    let players = PolicyPair::new(built_in("pubeval"), built_in("uniform"));
    assert_eq!(players.to_string(), "pubeval against uniform");
    assert_eq!(players.swapped().to_string(), "uniform against pubeval");
    assert_eq!(players.swapped().policy(Side::Opponent).name(), "pubeval");
    let playouts =
        Playouts::new(Board::START, RuleSet::Backgammon, 2).expect("a game").with_first_roll(FirstRoll::Open);
    let tally = players.run(&playouts, Tier::best(), 0..500, NO_STOP).unwrap().tally;
    assert!(tally.wins() > 480, "{tally:?}");
    let tally = players.swapped().run(&playouts, Tier::best(), 0..500, NO_STOP).unwrap().tally;
    assert!(tally.wins() < 20, "{tally:?}");
    // Gammons are frequent against random play.
    assert!(tally.count(Outcome::LoseGammon) > tally.count(Outcome::LoseSingle) / 4);
}

#[test]
fn every_policy_has_its_recorded_signature() {
    for &name in NAMES {
        // Whatever the tier, as other tests show.
        let players = PolicyPair::alike(built_in(name).expect("a policy"));
        let found = players.signature(Tier::best());
        let recorded = recorded_signature(name).expect("a policy");
        assert_eq!(found, recorded, "{name}: {found:#018x}");
    }
}

#[test]
fn timed_runs_play_the_same_games() {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("a game");
    for name in NAMES {
        let players = PolicyPair::alike(built_in(name).expect("a policy"));
        let mut times = PolicyTimes::default();
        let timing = Observer::timing(&mut times);
        let timed = players.run_observed(&playouts, Tier::best(), 0..100, timing, NO_STOP);
        assert_eq!(timed, players.run(&playouts, Tier::best(), 0..100, NO_STOP));
        for &stage in PolicyStage::ALL {
            assert!(!times.time_of(stage).is_zero(), "{name}: {stage}");
        }
    }
}

#[test]
fn names_find_policies() {
    for name in NAMES {
        assert_eq!(built_in(name).expect("a policy").name(), *name);
    }
    let error = built_in("Pubeval").unwrap_err().to_string();
    assert!(NAMES.iter().all(|name| error.contains(name)), "{error}");
}

#[test]
#[should_panic(expected = "policy wrong: pick 15 is out of range: decision 0 has 15 plays, numbered from 0")]
fn a_policy_that_picks_no_play_is_named() {
    #[derive(Debug)]
    struct Wrong;
    impl Policy for Wrong {
        fn name(&self) -> &str {
            "wrong"
        }
        fn view(&self) -> View {
            View::NUMBERS
        }
        fn pick(&self, decisions: &RollBatch, picks: &mut [u32], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
            picks[0] = decisions.plays_of(0) as u32;
            Ok(())
        }
    }
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("a game");
    let playouts = playouts.with_first_roll("21".parse().expect("a roll"));
    let _ = PolicyPair::alike(Arc::new(Wrong)).run(&playouts, Tier::best(), 0..1, NO_STOP).unwrap();
}

/// From the opening, where the function is the same before and after the play.
#[test]
fn the_play_of_the_highest_score_is_pubevals() {
    let scores = PubevalHeuristic::new(RuleSet::Backgammon);
    let mut decisions = RollBatch::new(RuleSet::Backgammon);
    for roll in Roll::ALL {
        let pushed = decisions.push(&Board::START, Throw { roll, fraction: 0 });
        pushed.expect("the game goes on");
    }
    decisions.list(Pubeval.view());
    let mut picks = vec![0; Roll::ALL.len()];
    let picked = Pubeval.pick(&decisions, &mut picks, NO_STOP);
    picked.expect("nothing stops it");
    for (decision, (roll, pick)) in Roll::ALL.into_iter().zip(picks).enumerate() {
        let after = decisions.results_of(decision);
        let mut values = vec![0; after.len()];
        let valued = scores.values(after, &mut values, NO_STOP);
        valued.expect("nothing stops it");
        // Values of the player next on roll: the least is the best for the player who makes the play.
        assert_eq!(Some(&values[pick as usize]), values.iter().min(), "{roll}");
        assert!(values.iter().all(|value| value.abs() <= scores.most()));
    }
}
