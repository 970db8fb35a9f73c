//! Games of many positions in one batch: each equals the game of its position alone, on every tier, whatever the source
//! hands out and when.

use core::num::NonZeroU32;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::boards::varied_boards;
use crate::support::tiers::tiers;
use tavli_backgammon::playout::{Batch, BatchEnd, BatchSource, BatchStart, Dice, ManyPlayouts, Row, StartPosition};
use tavli_backgammon::{Board, FirstRoll, GameEnd, NO_STOP, Outcome, Playouts, Roll, RuleSet, Stopped, Tally, Tier};

const SEEDS: [u64; 3] = [1, 0x1_0000_0001, u64::MAX];

fn first_rolls() -> impl Iterator<Item = FirstRoll> {
    let rolls = Roll::ALL.into_iter().cycle().map(FirstRoll::Given);
    rolls.flat_map(|given| [FirstRoll::Any, given, FirstRoll::Open, FirstRoll::Stratified])
}

/// Playouts of varied positions, with every way to begin and several seeds; fewer by rules with few checkers, which not
/// every position has.
fn varied(rules: RuleSet, positions: usize) -> Vec<Playouts> {
    let boards = varied_boards().take(20 * positions).zip(first_rolls());
    let boards = boards.enumerate();
    let playouts = boards.filter_map(|(i, (board, first_roll))| {
        let playouts = Playouts::new(board, rules, SEEDS[i / 5 % 3]).ok()?;
        Some(playouts.with_first_roll(first_roll))
    });
    playouts.take(positions).collect()
}

/// A position in which both sides bear off.
fn late() -> Board {
    Board::from_position_id("7e4OAABtdw8AAA").expect("a position")
}

/// The tally of a row, without the count of plays.
fn alone(playouts: &Playouts, tier: Tier, games: core::ops::Range<u64>) -> Tally {
    let mut tally = playouts.run(tier, games, NO_STOP).unwrap().tally;
    tally.plays = 0;
    tally
}

#[test]
fn a_row_of_many_is_that_position_alone() {
    for &rules in RuleSet::ALL {
        for (positions, games) in [(1, 0..500), (7, 3..4), (150, 0..36), (2500, 5..6)] {
            let rows = varied(rules, positions);
            let expected: Vec<Tally> = rows.iter().map(|row| alone(row, Tier::Portable, games.clone())).collect();
            let many = ManyPlayouts::new(rows.iter().copied()).expect("one kind of rows");
            for tier in tiers() {
                let tallies = many.run(tier, games.clone(), NO_STOP).unwrap();
                assert!(tallies == expected, "tier {tier}, {rules}, {positions} positions");
            }
        }
    }
}

#[test]
fn rows_that_are_cut_off_or_over_are_counted() {
    let plies = NonZeroU32::new(3).expect("not 0");
    let rows: Vec<Playouts> =
        varied(RuleSet::Backgammon, 60).into_iter().map(|row| row.truncated_after(plies)).collect();
    let mut mixed: Vec<Row> = rows.iter().copied().map(Row::from).collect();
    for at in [60, 31, 30, 0] {
        mixed.insert(at, Row::Over(Outcome::LoseGammon));
    }
    let many = ManyPlayouts::new(mixed.iter().copied()).expect("one kind of rows");
    for tier in tiers() {
        for (row, tally) in mixed.iter().zip(many.run(tier, 10..50, NO_STOP).unwrap()) {
            let expected = match row {
                Row::Played(playouts) => alone(playouts, tier, 10..50),
                Row::Over(_) => {
                    let mut tally = Tally::default();
                    tally.games = 40;
                    tally.outcomes[Outcome::LoseGammon as usize] = 40;
                    tally
                }
            };
            assert_eq!(tally, expected, "tier {tier}, {row:?}");
        }
        assert_eq!(many.run(tier, 5..5, NO_STOP).unwrap(), vec![Tally::default(); mixed.len()]);
    }
    let none = ManyPlayouts::new(Vec::<Row>::new()).expect("no rows");
    assert_eq!(none.run(Tier::Portable, 0..36, NO_STOP).unwrap(), []);
    let whole = Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("a game");
    let other_rules = Playouts::new(Board::START, RuleSet::McGammon, 1).expect("a game");
    for other in [whole.truncated_after(plies), other_rules] {
        let error = ManyPlayouts::new([whole, whole, other]).expect_err("a mixture");
        assert_eq!(error.row, 2);
    }
}

#[test]
fn parts_of_the_trials_add_up() {
    let rows = varied(RuleSet::Backgammon, 20);
    let many = ManyPlayouts::new(rows.iter().copied()).expect("one kind of rows");
    let (tier, games) = (Tier::best(), 7..20);
    let expected = many.run(tier, games.clone(), NO_STOP).unwrap();
    for step in [1, 12, 13, 14, 100, 260] {
        let mut sums = vec![Tally::default(); rows.len()];
        for first in (0..260).step_by(step) {
            let trials = first..(first + step as u64).min(260);
            let part = many.run_part(tier, games.clone(), trials, NO_STOP);
            for (sum, tally) in sums[(first / 13) as usize..].iter_mut().zip(part.expect("whole")) {
                sum.merge(&tally);
            }
        }
        assert_eq!(sums, expected, "parts of {step}");
    }
    assert_eq!(many.run_part(tier, games, 0..260, &|| true), Err(Stopped));
}

/// A game asked for.
#[derive(Clone, Copy)]
struct Asked {
    playouts: Playouts,
    game: u64,
}

impl Asked {
    fn start(&self, tag: u64) -> BatchStart {
        let playouts = &self.playouts;
        let position = StartPosition::new(playouts.start(), playouts.rules()).expect("a game");
        let dice = Dice::new(playouts.seed(), playouts.first_roll());
        BatchStart::new(&position, &dice, self.game, tag)
    }
}

/// Hands out games, at most a number of them at a time, and collects their ends.
struct Listed {
    games: Vec<Asked>,
    next: usize,
    max_at_a_time: usize,
    ended: HashMap<u64, GameEnd>,
    /// The largest number of games in play.
    most: usize,
}

impl Listed {
    fn new(games: Vec<Asked>, max_at_a_time: usize) -> Listed {
        Listed { games, next: 0, max_at_a_time, ended: HashMap::new(), most: 0 }
    }
}

impl BatchSource for Listed {
    fn next(&mut self) -> Option<BatchStart> {
        let in_play = self.next - self.ended.len();
        self.most = self.most.max(in_play);
        if in_play == self.max_at_a_time {
            return None;
        }
        let asked = self.games.get(self.next)?;
        // Tags are the source's own.
        let start = asked.start(!(self.next as u64));
        self.next += 1;
        Some(start)
    }

    fn end(&mut self, end: &BatchEnd) {
        let record = GameEnd {
            game: self.games[!end.tag() as usize].game,
            outcome: end.outcome(),
            plies: end.plies(),
            board: end.board(),
        };
        assert!(self.ended.insert(end.tag(), record).is_none(), "it ends once");
    }
}

/// Games of the given positions in turn.
fn asked(rows: &[Playouts], count: usize) -> Vec<Asked> {
    let games = (0..count).map(|i| Asked { playouts: rows[i % rows.len()], game: (i / rows.len()) as u64 });
    games.collect()
}

#[test]
fn a_source_may_have_no_more_until_a_game_ends() {
    for &rules in RuleSet::ALL {
        let rows = varied(rules, 400);
        for (at_a_time, count) in [(1, 30), (5, 200), (64, 700), (65, 700), (900, 4000), (7000, 6000)] {
            let games = asked(&rows, count);
            let mut offered = HashSet::new();
            for tier in tiers() {
                let mut source = Listed::new(games.clone(), at_a_time);
                offered.insert(Batch::new(rules).play(tier, &mut source, NO_STOP));
                for (tag, asked) in games.iter().enumerate() {
                    let record = source.ended[&!(tag as u64)];
                    assert_eq!(record, asked.playouts.play(asked.game), "tier {tier}, {rules}");
                }
            }
            assert_eq!(offered.len(), 1, "plays offered, {at_a_time} at a time");
        }
    }
}

/// Games that begin late skip the early pool, and only a few wait, however many there are.
#[test]
fn games_that_begin_late_do_not_pile_up() {
    /// The lanes of both pools, and as many that wait.
    const MOST: usize = 3 * 2048 + 65;
    let of = |board: Board| Playouts::new(board, RuleSet::Backgammon, 3).expect("a game");
    let (late, early) = (of(late()), of(Board::START));
    let mixtures: [&[Playouts]; 4] = [
        &[late],
        &[late, early],
        &[late, late, late, late, late, late, late, late, early],
        &[late, early, early, early],
    ];
    for rows in mixtures {
        let games = asked(rows, 20_000);
        let tallies: Vec<Tally> = tiers()
            .into_iter()
            .map(|tier| {
                let mut source = Listed::new(games.clone(), usize::MAX);
                Batch::new(RuleSet::Backgammon).play(tier, &mut source, NO_STOP);
                assert!(source.most <= MOST, "tier {tier}: {} games", source.most);
                assert_eq!(source.ended.len(), games.len());
                let mut tally = Tally::default();
                for record in source.ended.values() {
                    tally.games += 1;
                    tally.plies += u128::from(record.plies);
                    tally.longest = tally.longest.max(record.plies);
                    tally.outcomes[record.outcome.expect("it ends") as usize] += 1;
                }
                tally
            })
            .collect();
        assert!(tallies.iter().all(|tally| *tally == tallies[0]));
    }
}

#[test]
fn games_end_at_once_that_are_stopped_and_rules_are_checked() {
    let rows = varied(RuleSet::McGammon, 4);
    for tier in tiers() {
        let mut source = Listed::new(asked(&rows, 20_000), usize::MAX);
        let mut stops = core::cell::Cell::new(0);
        let stop = || {
            stops.set(stops.get() + 1);
            stops.get() == 40
        };
        let _ = Batch::new(RuleSet::McGammon).play(tier, &mut source, &stop);
        assert_eq!(*stops.get_mut(), 40);
        assert!(source.ended.len() < 20_000, "tier {tier}");
        let mut other = Listed::new(asked(&rows, 20_000), usize::MAX);
        let played = || Batch::new(RuleSet::Backgammon).play(tier, &mut other, NO_STOP);
        assert!(catch_unwind(AssertUnwindSafe(played)).is_err(), "tier {tier}");
    }
}

#[test]
fn games_of_a_source_are_cut_off() {
    let plies = NonZeroU32::new(5).expect("not 0");
    let rows: Vec<Playouts> =
        varied(RuleSet::Backgammon, 50).into_iter().map(|row| row.truncated_after(plies)).collect();
    let games = asked(&rows, 3000);
    for tier in tiers() {
        let mut source = Listed::new(games.clone(), 1000);
        Batch::new(RuleSet::Backgammon).truncated_after(plies).play(tier, &mut source, NO_STOP);
        for (tag, asked) in games.iter().enumerate() {
            let record = source.ended[&!(tag as u64)];
            assert_eq!(record, asked.playouts.play(asked.game), "tier {tier}");
        }
    }
}
