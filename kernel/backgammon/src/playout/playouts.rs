//! Playouts of a position.

use core::num::NonZeroU32;
use core::ops::Range;

use tavli_base::{NO_STOP, Stopped};

use tavli_game::streams;
use tavli_simd::{Scalar, Tier};

use super::batch::Batch;
use super::batch_game::BatchEnd;
use super::dice::Dice;
use super::first_roll::FirstRoll;
use super::game_end::GameEnd;
use super::playout_error::PlayoutError;
use super::results::Results;
use super::scalar;
use super::source::BatchSource;
use super::stages::{BatchStopwatch, BatchTimes};
use super::start::{BatchStart, StartPosition};
use crate::board::Board;
use crate::rules::{AllHome, BearOff, RuleSet};

/// The playouts of one position: settings that are known to work, from which any game can be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playouts {
    pub(super) start: Board,
    pub(super) rules: RuleSet,
    pub(super) first_roll: FirstRoll,
    pub(super) seed: u64,
    pub(super) truncation: Option<NonZeroU32>,
}

impl Playouts {
    /// Playouts from `start`, any first roll, to the end of the game.
    ///
    /// # Errors
    /// [`PlayoutError`] if the game is over in `start` or can never end, or a side has more checkers than the rules.
    pub fn new(start: Board, rules: RuleSet, seed: u64) -> Result<Playouts, PlayoutError> {
        StartPosition::new(&start, rules)?;
        Ok(Playouts { start, rules, first_roll: FirstRoll::Any, seed, truncation: None })
    }

    /// Sets how the first roll is thrown.
    #[must_use]
    pub fn with_first_roll(self, first_roll: FirstRoll) -> Playouts {
        Playouts { first_roll, ..self }
    }

    /// Cuts games off after this many plies.
    #[must_use]
    pub fn truncated_after(self, plies: NonZeroU32) -> Playouts {
        Playouts { truncation: Some(plies), ..self }
    }

    /// Plays one game.
    #[must_use]
    pub fn play(&self, game: u64) -> GameEnd {
        let start = BatchStart::new(&self.position(), &self.dice(), game, game);
        let BatchStart { game, rules, .. } = start;
        let (end, _) = if rules.bears_off() {
            scalar::play::<BearOff, _>(Scalar, rules, self.truncation, &game)
        } else {
            scalar::play::<AllHome, _>(Scalar, rules, self.truncation, &game)
        };
        end.game_end(start.game.tag)
    }

    /// Plays games by number. The tier changes the speed, never the results.
    ///
    /// # Errors
    /// [`Stopped`] if `stop`, which is asked every few microseconds, says so before the end.
    ///
    /// # Panics
    /// If this CPU lacks the tier; see [`Tier::available`].
    pub fn run(&self, tier: Tier, games: Range<u64>, stop: &dyn Fn() -> bool) -> Result<Results, Stopped> {
        self.visit(tier, games, |_| (), stop, &mut BatchStopwatch::stopped())
    }

    /// [`Playouts::run`] that also appends the end of each game, in the order of the numbers.
    ///
    /// # Errors
    /// As [`Playouts::run`]; the ends then mean nothing.
    ///
    /// # Panics
    /// If this CPU lacks the tier; see [`Tier::available`]. If memory for a [`GameEnd`] of each game cannot be
    /// reserved; nothing is then played, and `ends` is as it was. A system that grants more memory than it has may
    /// instead end the process while the ends are written: play a large range in parts.
    pub fn run_with_ends(
        &self,
        tier: Tier,
        games: Range<u64>,
        ends: &mut Vec<GameEnd>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Results, Stopped> {
        let first = games.start;
        let behind = ends.len();
        let count = games.end.saturating_sub(first);
        let count = usize::try_from(count)
            .ok()
            .filter(|&count| ends.try_reserve(count).is_ok())
            .unwrap_or_else(|| panic!("no memory for the records of {count} games: play fewer at a time"));
        let blank = GameEnd { game: first, outcome: None, plies: 0, board: self.start };
        // Each is written at the place of its number, since games end in any order.
        ends.resize(behind + count, blank);
        let ends = &mut ends[behind..];
        let visit = |end: &BatchEnd| ends[(end.tag() - first) as usize] = end.game_end(end.tag());
        self.visit(tier, games, visit, stop, &mut BatchStopwatch::stopped())
    }

    /// [`Playouts::run`] with the time of each stage; see [`profile::run`](super::profile::run).
    pub(super) fn run_timed(&self, tier: Tier, games: Range<u64>) -> Option<(Results, BatchTimes)> {
        if tier == Tier::Portable {
            return None;
        }
        let mut stopwatch = BatchStopwatch::started();
        let results = self.visit(tier, games, |_| (), NO_STOP, &mut stopwatch).ok()?;
        let times = stopwatch.times(results.tally.plies)?;
        Some((results, times))
    }

    /// Plays games and calls `visit` with each as it ends, in any order. `stopwatch` notes the end of each stage, if
    /// the tier has stages.
    fn visit(
        &self,
        tier: Tier,
        games: Range<u64>,
        mut visit: impl FnMut(&BatchEnd),
        stop: &dyn Fn() -> bool,
        stopwatch: &mut BatchStopwatch,
    ) -> Result<Results, Stopped> {
        let mut results = Results::default();
        let count = games.end.saturating_sub(games.start);
        let mut source = OfPosition {
            position: self.position(),
            dice: self.dice(),
            games,
            visit: |end: &BatchEnd| {
                results.add(end);
                visit(end);
            },
        };
        let plays = self.batch().play_timed(tier, &mut source, stop, stopwatch);
        results.tally.plays += u128::from(plays);
        match results.tally.games == count {
            true => Ok(results),
            false => Err(Stopped),
        }
    }

    /// The first position.
    #[must_use]
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// How the first roll is thrown.
    #[must_use]
    pub fn first_roll(&self) -> FirstRoll {
        self.first_roll
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// A seed for evaluators of the positions of this game
    /// ([`EvaluationConditions::seeded`](crate::evaluators::EvaluationConditions::seeded)). The game's own dice do not
    /// depend on it. Games of one number from several positions have the same seed, as they have the same dice.
    #[must_use]
    pub fn seed_of_game(&self, game: u64) -> u64 {
        streams::seed_of_game(self.seed, game)
    }

    /// The dice of the games.
    #[must_use]
    pub fn dice(&self) -> Dice {
        Dice::new(self.seed, self.first_roll)
    }

    /// The position that games start from.
    pub(super) fn position(&self) -> StartPosition {
        // `new` has checked it.
        StartPosition::from_checked_board(&self.start, self.rules)
    }

    /// Whether the games have the dice of others, number by number.
    pub(super) fn has_dice_of(&self, other: &Playouts) -> bool {
        (self.seed, self.first_roll) == (other.seed, other.first_roll)
    }

    /// The settings of the games that other positions may share: the rules and the truncation.
    pub(super) fn batch(&self) -> Batch {
        let batch = Batch::new(self.rules);
        match self.truncation {
            Some(plies) => batch.truncated_after(plies),
            None => batch,
        }
    }

    /// The ply after which playouts are cut off.
    #[must_use]
    pub fn truncation(&self) -> Option<NonZeroU32> {
        self.truncation
    }
}

/// The games of a position by number.
struct OfPosition<F> {
    position: StartPosition,
    dice: Dice,
    games: Range<u64>,
    visit: F,
}

impl<F: FnMut(&BatchEnd)> BatchSource for OfPosition<F> {
    #[inline]
    fn next(&mut self) -> Option<BatchStart> {
        let game = self.games.next()?;
        Some(BatchStart::new(&self.position, &self.dice, game, game))
    }

    #[inline]
    fn end(&mut self, end: &BatchEnd) {
        (self.visit)(end);
    }
}
