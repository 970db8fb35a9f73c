//! Looking ahead, and picking by values: against plain loops over the plays of the rules word for word, and exact
//! tables.

use core::num::NonZeroU32;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use tavli_backgammon::evaluators::{
    self, EvaluationConditions, Evaluator, KnownValues, OutcomeSet, PlayValue, Probabilities,
};
use tavli_backgammon::playout::Throw;
use tavli_backgammon::plays::{View, reference};
use tavli_backgammon::policies::{Observer, Policy, Pubeval};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{
    Board, FirstRoll, NO_STOP, Outcome, Planes, Playouts, Plays, Roll, RuleSet, SideCheckers, Stopped, Tier,
};
use tavli_players::bearoff::{ExactWins, TwoSidedValues};
use tavli_players::named::{self, NamedPlayer, player};
use tavli_players::{Greedy, LookAhead, Luck, MoveFilters, with_known_values};

/// The odds of the pips, with some gammons.
#[derive(Debug)]
struct Pips(u64);

impl Pips {
    fn of(&self, board: &Board) -> Probabilities {
        // By pips, with a small addition for checkers far from home, so that few positions have the same value.
        let far = |side: &SideCheckers| -> u64 {
            (1..=25).map(|point| u64::from(side.count(point) * point) * point as u64).sum()
        };
        let size = |side: &SideCheckers| 1000 * u64::from(side.pips()) + far(side);
        let (own, other) = (size(board.own()), size(board.opponent()));
        // Sides with blots lose gammons.
        let blots = (1..=24).filter(|&point| board.own().count(point) == 1).count() as u64;
        let gammons = [self.0 * other, (self.0 + blots) * own].map(|gammons| 1000 * gammons);
        let weights = [other * other, gammons[0], 0, own * own, gammons[1], own];
        let value = Probabilities::from_weights(weights).expect("somebody has checkers");
        value.restricted_to(OutcomeSet::possible(RuleSet::Backgammon, &(*board).into()))
    }
}

impl Evaluator for Pips {
    fn name(&self) -> &str {
        if self.0 == 0 { "pips" } else { "gammons" }
    }

    fn estimate(
        &self,
        _: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        for (value, position) in values.iter_mut().zip(positions) {
            *value = self.of(&Board::from(*position));
        }
        Ok(())
    }
}

/// The shares of the outcomes for the player on roll.
type Shares = [f64; Outcome::COUNT];

fn shares(value: &Probabilities) -> Shares {
    let mut shares = [0.0; Outcome::COUNT];
    for &outcome in Outcome::ALL {
        shares[outcome as usize] = value.probability(outcome);
    }
    shares
}

fn reversed([a, b, c, d, e, f]: Shares) -> Shares {
    [d, e, f, a, b, c]
}

fn equity([a, b, c, d, e, f]: Shares) -> f64 {
    a - d + 2.0 * (b - e) + 3.0 * (c - f)
}

/// The positions after the plays of a roll.
fn plays(board: &Board, roll: Roll) -> Vec<Board> {
    reference::plays(board, roll, RuleSet::Backgammon)
}

/// [`plays`], in the order in which the first of equal plays counts.
fn in_order(board: &Board, roll: Roll) -> Vec<Board> {
    let plays = Plays::new(board, roll, RuleSet::Backgammon).to_vec();
    let boards: Vec<Board> = plays.iter().map(|play| play.board()).collect();
    boards
}

/// How a game is over in a position after a play, for the player next on roll.
fn over(board: &Board) -> Option<Shares> {
    let outcome = RuleSet::Backgammon.outcome_of_play(board.opponent(), board.own())?;
    Some(shares(&Probabilities::certain(outcome.reversed())))
}

/// The value of a position for the player next on roll, without looking ahead.
fn here(board: &Board, values: &Pips) -> Shares {
    over(board).unwrap_or_else(|| shares(&values.of(board)))
}

/// The value of a position `plies` plies ahead. Plays are chosen without looking ahead.
fn plain(board: &Board, plies: u32, values: &Pips) -> Shares {
    if plies == 0 || over(board).is_some() {
        return here(board, values);
    }
    let mut sum = [0.0; Outcome::COUNT];
    for throw in Roll::THROWS {
        // Equal plays lead to different values, so the first in the order of the plays counts.
        let equity_after = |after: &Board| match RuleSet::Backgammon.outcome(after) {
            Some(over) => Probabilities::certain(over).equity(),
            None => values.of(after).equity(),
        };
        let best = in_order(board, throw).into_iter().min_by(|a, b| equity_after(a).total_cmp(&equity_after(b)));
        let value = plain(&best.expect("a play"), plies - 1, values);
        for (sum, share) in sum.iter_mut().zip(reversed(value)) {
            *sum += share / 36.0;
        }
    }
    sum
}

/// The position after the best play of a roll, looking `plies` plies ahead. Before each ply the plays pass a filter of
/// `filters`: at most its count, each within its points of the best. `rank` ranks them first.
fn plain_play(board: &Board, roll: Roll, plies: u32, [values, rank]: [&Pips; 2], filters: &[(usize, f64)]) -> Board {
    let (mut left, ended): (Vec<Board>, Vec<Board>) =
        in_order(board, roll).into_iter().partition(|after| over(after).is_none());
    let by_equity = |boards: &mut Vec<Board>, equity_of: &dyn Fn(&Board) -> f64| {
        boards.sort_by(|a, b| equity_of(a).total_cmp(&equity_of(b)));
    };
    for (before, &(most, margin)) in (0..plies).zip(filters) {
        let equity_of = |after: &Board| match before {
            0 => equity(here(after, rank)),
            _ => equity(plain(after, before, values)),
        };
        by_equity(&mut left, &equity_of);
        left.truncate(most);
        let least = left.first().map(equity_of);
        left.retain(|after| equity_of(after) - least.expect("it is one") <= margin);
    }
    let mut all = [ended, left].concat();
    by_equity(&mut all, &|after| equity(plain(after, plies, values)));
    all[0]
}

fn close(found: &Probabilities, expected: Shares) -> bool {
    let pairs = shares(found).into_iter().zip(expected);
    // Each ply rounds to 2^-30.
    pairs.into_iter().all(|(found, expected)| (found - expected).abs() < 1e-8)
}

/// Positions of games of pubeval, `every` plies apart.
fn positions(every: u32, from: u32, number: usize) -> Vec<Board> {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 4).expect("a start");
    let policy: Arc<dyn Policy> = Arc::new(Pubeval);
    let players = tavli_backgammon::policies::PolicyPair::alike(policy);
    (0..)
        .filter_map(|game| {
            let plies = NonZeroU32::new(from + game as u32 % 8 * every).expect("not 0");
            let mut records = Vec::new();
            let playouts = playouts.truncated_after(plies);
            let recording = Observer::collecting(&mut records);
            let played = players.run_observed(&playouts, Tier::best(), game..game + 1, recording, NO_STOP);
            played.unwrap();
            records[0].outcome.is_none().then_some(records[0].board)
        })
        .take(number)
        .collect()
}

fn values(evaluator: &dyn Evaluator, boards: &[Board]) -> Vec<Probabilities> {
    let positions: Vec<Planes> = boards.iter().map(|&board| board.into()).collect();
    let valued = evaluator.evaluated(&EvaluationConditions::new(RuleSet::Backgammon, Tier::best()), &positions);
    valued.expect("nothing stops it")
}

fn plies(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("not 0")
}

#[test]
fn values_ahead_are_those_of_plain_loops() {
    let late = |board: &Board| board.own().checkers() + board.opponent().checkers() < 9;
    // Late positions have few plays.
    let late: Vec<Board> = positions(2, 58, 60).into_iter().filter(late).take(6).collect();
    assert!(!late.is_empty());
    for (number, boards) in [(1, positions(6, 3, 45)), (2, positions(9, 3, 8)), (3, late)] {
        let ahead = LookAhead::new(Arc::new(Pips(3)), plies(number), MoveFilters::default());
        for (board, found) in boards.iter().zip(values(&ahead, &boards)) {
            let expected = plain(board, number, &Pips(3));
            assert!(close(&found, expected), "{board:?}: {found:?} {expected:?}");
        }
    }
}

#[test]
fn plays_ahead_are_those_of_plain_loops() {
    let usual = || (MoveFilters::default(), 3, vec![(8, 0.16), (3, 0.04)]);
    let keeping = |keep: u32, rank| {
        let by: Option<Arc<dyn Evaluator>> = Some(Arc::new(Pips(rank)));
        (MoveFilters::keeping(plies(keep), by), rank, vec![(keep as usize, f64::INFINITY)])
    };
    let boards = positions(7, 3, 24);
    for (number, (filters, rank, plain_filters)) in [(1, usual()), (2, usual()), (1, keeping(3, 0)), (2, keeping(2, 0))]
    {
        let ahead = LookAhead::new(Arc::new(Pips(3)), plies(number), filters);
        let mut decisions = RollBatch::new(RuleSet::Backgammon);
        for (board, roll) in boards.iter().zip(Roll::ALL.into_iter().cycle()) {
            decisions.push(board, Throw { roll, fraction: 0 }).expect("it goes on");
        }
        decisions.list(ahead.view());
        let mut picks = vec![0; boards.len()];
        ahead.pick(&decisions, &mut picks, NO_STOP).expect("nothing stops it");
        let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::best());
        let best = ahead.best_plays(&conditions, &decisions).expect("nothing stops it");
        for (index, (board, roll)) in boards.iter().zip(Roll::ALL.into_iter().cycle()).enumerate() {
            let expected = plain_play(board, roll, number, [&Pips(3), &Pips(rank)], &plain_filters);
            let picked = Board::from(decisions.result_of(index, picks[index]));
            let value = |board: &Board| plain(board, number, &Pips(3));
            // Two plays may have the same value.
            let [found, wanted] = [&picked, &expected].map(|board| equity(value(board)));
            assert!((found - wanted).abs() < 1e-8, "{board:?} {roll}: {picked:?} {expected:?}");
            assert_eq!(best[index].index, picks[index]);
            let (best, expected) = (best[index].value, value(&picked));
            assert!(close(&best, expected), "{board:?} {roll}: {best:?} {expected:?}");
        }
    }
}

#[test]
fn the_best_play_leaves_the_opponent_least() {
    let boards = positions(6, 3, 40);
    let greedy = Greedy::new(Arc::new(Pips(3)));
    for (board, roll) in boards.iter().zip(Roll::ALL.into_iter().cycle()) {
        let mut decisions = RollBatch::new(RuleSet::Backgammon);
        decisions.push(board, Throw { roll, fraction: 0 }).expect("it goes on");
        decisions.list(greedy.view());
        let mut picks = [0];
        greedy.pick(&decisions, &mut picks, NO_STOP).expect("nothing stops it");
        let picked = Board::from(decisions.results_of(0)[picks[0] as usize]);
        let value = |board: &Board| equity(here(board, &Pips(3)));
        let least = plays(board, roll).iter().map(value).fold(f64::INFINITY, f64::min);
        assert_eq!(value(&picked), least, "{board:?} {roll}");
    }
}

/// Pairs of positions of three checkers a side.
fn bear_offs(table: &ExactWins) -> Vec<(Board, f64)> {
    let count = table.positions().count();
    let pairs = (1..count).flat_map(|own| (1..count).map(move |other| (own, other)));
    pairs
        .step_by(7)
        .map(|(own, other)| {
            let mut points = [0; 26];
            for (point, checkers) in (1..).zip(table.positions().position(own)) {
                points[point] += checkers as i8;
            }
            for (point, checkers) in (1..).zip(table.positions().position(other)) {
                points[25 - point] -= checkers as i8;
            }
            (Board::from_points(&points).expect("a position"), table.win(own, other))
        })
        .collect()
}

#[test]
fn exact_values_are_their_own_look_ahead() {
    let table = ExactWins::new(6, 3, NO_STOP).expect("a table");
    let (boards, wins): (Vec<Board>, Vec<f64>) = bear_offs(&table).into_iter().unzip();
    let exact = named::evaluator("sampled:1+bearoff:6x3", NO_STOP).expect("an evaluator");
    assert_eq!(exact.name(), "sampled:1:uniform+bearoff:6x3");
    let ahead = LookAhead::new(Arc::clone(&exact), plies(2), MoveFilters::default());
    let two_plies: Vec<Board> = boards.iter().copied().step_by(200).collect();
    for (evaluator, boards, every) in [(&*exact, &boards, 1), (&ahead, &two_plies, 200)] {
        let wins = wins.iter().step_by(every);
        for (found, win) in values(evaluator, boards).iter().zip(wins) {
            assert!((found.probability(Outcome::WinSingle) - win).abs() < 1e-8);
        }
    }
}

#[test]
fn a_player_with_a_table_wins_as_often_as_the_table_says() {
    let table = ExactWins::new(6, 3, NO_STOP).expect("a table");
    let perfect = player("uniform+bearoff:6x3", NO_STOP).expect("a player");
    assert!(perfect.evaluator.is_none());
    let ends = perfect.policy.known_values().expect("he knows them");
    let win = |board: &Board| match over(board) {
        Some(shares) => shares[Outcome::WinSingle as usize],
        None => ends
            .value(RuleSet::Backgammon, &Planes::from(*board))
            .expect("it stays in the table")
            .probability(Outcome::WinSingle),
    };
    for (board, expected) in bear_offs(&table).into_iter().step_by(5) {
        let mut decisions = RollBatch::new(RuleSet::Backgammon);
        for roll in Roll::ALL {
            decisions.push(&board, Throw { roll, fraction: 1 << 31 }).expect("it goes on");
        }
        decisions.list(perfect.policy.view());
        let mut picks = vec![0; Roll::ALL.len()];
        perfect.policy.pick(&decisions, &mut picks, NO_STOP).expect("nothing stops it");
        let after = decisions.make(&picks).expect("plays");
        let wins = after
            .iter()
            .zip(Roll::ALL)
            .map(|(after, roll)| f64::from(roll.weight()) * (1.0 - win(&Board::from(*after))));
        assert!((wins.sum::<f64>() / 36.0 - expected).abs() < 1e-8, "{board:?}");
    }
}

#[test]
fn elsewhere_a_player_with_a_table_plays_as_without() {
    let boards = positions(6, 3, 60);
    let mut decisions = RollBatch::new(RuleSet::Backgammon);
    for (board, roll) in boards.iter().zip(Roll::ALL.into_iter().cycle()) {
        decisions.push(board, Throw { roll, fraction: 7 }).expect("it goes on");
    }
    decisions.list(View::RESULTS);
    let with = named::policy("pubeval+bearoff:6x2").expect("a player");
    assert_eq!(with.name(), "pubeval+bearoff:6x2");
    let picks = [&*with, &Pubeval as &dyn Policy].map(|policy| {
        let mut picks = vec![0; decisions.len()];
        policy.pick(&decisions, &mut picks, NO_STOP).expect("nothing stops it");
        picks
    });
    assert_eq!(picks[0], picks[1]);
}

/// A side that has all its checkers may lose a gammon, which the table does not know.
#[test]
fn ends_without_gammons_are_known_alone() {
    let ends = TwoSidedValues::new(6, 3, NO_STOP).expect("a table");
    let value = |own: i8, rules| {
        let mut points = [0; 26];
        (points[1], points[24]) = (own, -2);
        let board = Board::from_points(&points).expect("a position");
        ends.value(rules, &Planes::from(board))
    };
    assert!(value(3, RuleSet::Backgammon).is_some());
    assert!(value(2, RuleSet::Hypergammon).is_some());
    assert_eq!(value(3, RuleSet::Hypergammon), None);
    assert_eq!(value(2, RuleSet::McGammon), None);
    assert_eq!(value(4, RuleSet::Backgammon), None);
}

#[test]
fn names_say_what_a_player_is() {
    for (text, name) in [
        ("sampled", "sampled:36:uniform"),
        ("sampled:6+1ply", "sampled:6:uniform+1ply"),
        ("sampled:6+2ply:8", "sampled:6:uniform+2ply:8"),
        ("sampled:6+2ply:8:sampled:1", "sampled:6:uniform+2ply:8:sampled:1:uniform"),
        ("sampled:6:pubeval+1ply+bearoff", "sampled:6:pubeval+1ply+bearoff:6x6"),
        ("pubeval+bearoff:6x6", "pubeval+bearoff:6x6"),
    ] {
        for text in [text, name] {
            assert_eq!(player(text, NO_STOP).expect(text).policy.name(), name);
        }
    }
    assert_eq!(named::signature_of_policies(["pubeval+bearoff:6x6", "sampled:6:pubeval+1ply"]), "1ce45f70cea56dc8");
    for (text, message) in [
        ("pubeval+1ply", "'pubeval' is a policy"),
        ("sampled+0ply", "invalid look-ahead '+0ply': write +1ply to +4ply"),
        ("sampled+5ply", "invalid look-ahead"),
        ("sampled+ply", "invalid look-ahead"),
        ("sampled+2ply:0", "invalid look-ahead"),
        ("sampled+2ply:8:pubeval", "'pubeval' is a policy"),
        ("pubeval+bearoff:13x1", "invalid bear-off table '13x1': "),
        ("pubeval+bearoff:./none.bd", "cannot read ./none.bd: "),
        ("pubeval+luck", "unknown policy 'pubeval+luck'"),
    ] {
        let error = player(text, NO_STOP).expect_err(text).to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_table_of_a_file_is_named_with_its_checksum() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("two.bd");
    let table = tavli_players::bearoff::TwoSided::new(6, 2, NO_STOP, &mut |_| ()).expect("a table");
    let mut file = Vec::new();
    table.write_gnubg(&mut file).expect("memory is written");
    std::fs::write(&path, &file).expect("it is written");
    let path = path.to_str().expect("a text");
    let with = player(&format!("sampled:1+bearoff:{path}"), NO_STOP).expect("a player");
    let reversed: Vec<u8> = file.into_iter().rev().collect();
    let checksum = crc32fast::hash(&reversed);
    assert_eq!(with.policy.name(), format!("sampled:1:uniform+bearoff:{path}#{checksum:08x}"));
    let exact = ExactWins::new(6, 2, NO_STOP).expect("a table");
    let (boards, wins): (Vec<Board>, Vec<f64>) = bear_offs(&exact).into_iter().unzip();
    let found = values(with.evaluator.as_deref().expect("it values"), &boards);
    for (found, win) in found.iter().zip(wins) {
        assert!((found.probability(Outcome::WinSingle) - win).abs() < 1e-4);
    }
    std::fs::write(path, "no table").expect("it is written");
    // A large file is not read again for the evaluator of a policy, say.
    let name = with.policy.name().to_owned();
    let again = player(&name, NO_STOP).expect("the table of the player");
    assert_eq!(values(again.evaluator.as_deref().expect("it values"), &boards), found);
    drop((with, again));
    let error = player(&name, NO_STOP).expect_err("another file").to_string();
    assert!(error.contains("it is not the named file"), "{error}");
    let error = player(&format!("uniform+bearoff:{path}"), NO_STOP).expect_err("no table").to_string();
    assert!(error.contains("gnubg-TS-"), "{error}");
}

/// Counts how often it is asked.
#[derive(Debug, Default)]
struct Counted(AtomicU64);

impl Counted {
    fn calls(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Evaluator for Counted {
    fn name(&self) -> &str {
        "counted"
    }

    fn estimate(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Pips(3).evaluate(conditions, positions, values)
    }
}

/// Looking ahead stops in the middle of a batch: the evaluator is asked at most once after `stop` returns true.
#[test]
fn looking_ahead_stops_in_the_middle_of_a_batch() {
    let boards = positions(9, 3, 90);
    let planes: Vec<Planes> = boards.iter().map(|&board| board.into()).collect();
    let rules = RuleSet::Backgammon;
    for (number, keeps, few) in [(1, false, 90), (1, true, 90), (2, false, 2), (2, true, 2)] {
        let counted = Arc::new(Counted::default());
        let evaluator: Arc<dyn Evaluator> = counted.clone();
        let filters = match keeps {
            true => MoveFilters::keeping(plies(3), Some(Arc::new(Pips(0)))),
            false => MoveFilters::default(),
        };
        let ahead = NamedPlayer::looking_ahead(evaluator, plies(number), filters);
        let has_ends = with_known_values(ahead.clone(), Arc::new(TwoSidedValues::new(6, 2, NO_STOP).expect("a size")));
        let mut decisions = RollBatch::new(rules);
        for board in &boards[..few] {
            let throw = Throw { roll: Roll::ALL[4], fraction: 0 };
            decisions.push(board, throw).expect("it goes on");
        }
        let luck = Luck::new(Arc::clone(ahead.evaluator.as_ref().expect("it values")));
        let thrown = vec![FirstRoll::Any; few];
        for at in [0, 1, 2] {
            let stop = || counted.calls() >= at;
            let conditions = EvaluationConditions::new(rules, Tier::best()).with_stop(&stop);
            for player in [&ahead, &has_ends] {
                let evaluator = player.evaluator.as_ref().expect("it values");
                counted.0.store(0, Ordering::Relaxed);
                let found = evaluator.evaluated(&conditions, &planes[..few]);
                assert_eq!(found, Err(Stopped), "{number} plies, {keeps}");
                assert!(counted.calls() <= at + 1, "{} calls", counted.calls());
                counted.0.store(0, Ordering::Relaxed);
                decisions.list(player.policy.view());
                let found = player.policy.pick(&decisions, &mut vec![0; few], &stop);
                assert_eq!(found, Err(Stopped), "{number} plies, {keeps}");
                assert!(counted.calls() <= at + 1, "{} calls", counted.calls());
            }
            counted.0.store(0, Ordering::Relaxed);
            let found = luck.measure(&decisions, &thrown, &|_| false, Tier::best(), &stop);
            assert_eq!(found, Err(Stopped), "{number} plies, {keeps}");
            assert!(counted.calls() <= at + 1, "{} calls", counted.calls());
        }
    }
}

/// The remembered values of a position depend on the rules, in all clones.
#[test]
fn remembered_luck_is_that_of_the_rules() {
    let evaluator: Arc<dyn Evaluator> = named::evaluator("sampled:1", NO_STOP).expect("an evaluator");
    let (anew, remembering) = (Luck::new(Arc::clone(&evaluator)), Luck::new(evaluator));
    // Late enough for gammons and backgammons, which the rules count differently.
    let boards = positions(20, 40, 60);
    for rules in [RuleSet::Backgammon, RuleSet::Portes, RuleSet::Backgammon] {
        let mut decisions = RollBatch::new(rules);
        // Also the same position twice in a call.
        for board in boards.iter().chain(&boards[..3]) {
            let throw = Throw { roll: Roll::ALL[7], fraction: 0 };
            decisions.push(board, throw).expect("it goes on");
        }
        let thrown = vec![FirstRoll::Any; decisions.len()];
        let of =
            |luck: &Luck, remembers: bool| luck.measure(&decisions, &thrown, &|_| remembers, Tier::best(), NO_STOP);
        let expected = of(&anew, false);
        for _ in 0..2 {
            assert_eq!(of(&remembering.clone(), true), expected, "{rules}");
        }
    }
}

/// All positions that a root leads to are valued by the root's own seed.
#[test]
fn looking_ahead_values_by_the_seeds_of_the_positions() {
    let sampled: Arc<dyn Evaluator> = named::evaluator("sampled:1", NO_STOP).expect("an evaluator");
    let boards = positions(3, 40, 6);
    let planes: Vec<Planes> = boards.iter().map(|&board| board.into()).collect();
    let seeds: Vec<u64> = (0..6).map(|index| index % 3).collect();
    let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::best());
    for number in [1, 2] {
        let ahead = LookAhead::new(Arc::clone(&sampled), plies(number), MoveFilters::default());
        let ends = Arc::new(TwoSidedValues::new(6, 2, NO_STOP).expect("a size"));
        let player = with_known_values(NamedPlayer::from_evaluator(Arc::new(ahead)), ends);
        let evaluator = player.evaluator.expect("it values");
        let of = |positions: &[Planes], seeds: &[u64]| {
            let conditions = conditions.seeded(Some(seeds));
            evaluators::values(&*evaluator, &conditions, positions).expect("nothing stops it")
        };
        let all = of(&planes, &seeds);
        for (index, value) in all.iter().enumerate() {
            assert_eq!(of(&planes[index..=index], &seeds[index..=index]), [*value]);
        }
        assert_ne!(all, of(&planes, &[7; 6]));
    }
}

/// A player with a table finds best plays as fast as without it, if no play leads into the table.
#[test]
fn best_plays_go_by_the_table_where_they_lead_into_it() {
    let rules = RuleSet::Backgammon;
    let conditions = EvaluationConditions::new(rules, Tier::best());
    let ends = bear_offs(&ExactWins::new(6, 2, NO_STOP).expect("a table"));
    let ends = ends.into_iter().map(|(board, _)| board).step_by(40);
    let near: Vec<Board> = ends.chain([Board::from_position_id("bgAAwAYAAAAAAA").expect("a position")]).collect();
    for name in ["td80", "strong", "sampled:1", "td80+bearoff:3"] {
        let without = named::evaluator(name, NO_STOP).expect("a player");
        let with = named::evaluator(&format!("{name}+bearoff:6x2"), NO_STOP).expect("a player");
        assert_eq!(with.view_of_plays(), without.view_of_plays(), "{name}");
        for boards in [positions(9, 3, 40), near.clone(), [positions(9, 3, 5), near.clone()].concat()] {
            let mut decisions = RollBatch::new(rules);
            for (board, roll) in boards.iter().zip(Roll::ALL.into_iter().cycle()) {
                decisions.push(board, Throw { roll, fraction: 0 }).expect("it goes on");
            }
            let best = |evaluator: &dyn Evaluator, view| {
                let mut decisions = decisions.clone();
                decisions.list(view);
                evaluator.best_plays(&conditions, &decisions).expect("nothing stops it")
            };
            let found = best(&*with, with.view_of_plays());
            let elsewhere = best(&*without, without.view_of_plays());
            let mut listed = decisions.clone();
            listed.list(View::RESULTS);
            let of_all = evaluators::values_of_all_plays(&*with, &conditions, &listed).expect("nothing stops it");
            for (index, board) in boards.iter().enumerate() {
                let expected = if near.contains(board) {
                    PlayValue::best(of_all[index].iter().copied()).expect("a play")
                } else {
                    elsewhere[index]
                };
                assert_eq!(found[index], expected, "{name}, {board:?}");
            }
        }
    }
}
