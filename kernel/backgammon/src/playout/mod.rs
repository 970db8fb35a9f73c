//! Playouts: games played to their end by uniform random play.
//!
//! Every ply, the player on roll throws the dice and makes one of his plays, each distinct resulting
//! position being equally likely. A playout is a pure function of the starting position, the rules, the
//! first-roll mode, the seed and the number of the game: [`Playouts::play`] gives the same [`Record`] on
//! every machine, and [`Playouts::run`] the same [`Results`] on every [`Tier`].
//!
//! # The draw of a ply
//! A ply takes one 32-bit word `w` of the game's stream. Of the product `36 w`, the high word is the
//! throw `t`, whose dice are `t / 6 + 1` and `t % 6 + 1`, and the low word `f` is a fraction of 2^32 that
//! draws the play: of `n` plays in the order of [`Plays`](crate::Plays), that of index `f n / 2^32`. If
//! the first roll is `open`, it is drawn by `15 w` from the non-doubles in ascending order;
//! if it is given, `f` is `w`. If the first rolls are `stratified`, the throws of the first two plies follow from
//! the seed and the number of the game ([`FirstRoll::Stratified`]), and in both `f` is `w`. This is part of the
//! value-stability promise. `specification.rs`, beside the sources of this package, has all of it in one file of
//! plain loops, and the tests hold every tier to it.
//!
//! Roll and play together are `floor(36 n w / 2^32)`: each of the `36 n` pairs gets a share of the words
//! that differs from the ideal by less than one word, so its probability is off by less than `2^-32`, a
//! relative bias below `36 n / 2^32` (1.6e-7 at the mean of 19 plays, 1.6e-5 at the largest known number
//! of plays, 1896).

mod batch;
mod capacity;
mod dice;
mod game;
mod game_queue;
mod many;
mod occupancy;
mod plain_plies;
mod pool;
pub mod profile;
mod queues;
mod scalar;
mod selected_delta;
mod signature;
mod source;
mod stages;
mod start;
mod stratified;
mod tally;
mod throws;

pub use batch::Batch;
pub use dice::{Dice, Throw, Throws};
pub use game::End;
pub use many::{ManyPlayouts, MixedRowsError, Row};
pub use occupancy::Occupancy;
pub(crate) use signature::signature_of;
pub use signature::{RECORDED_SIGNATURE, signature};
pub use source::Source;
pub use start::{Start, StartPosition};
pub use tally::Tally;
pub use tavli_game::Estimate;

pub use stratified::StratifiedThrows;

use core::fmt;
use core::num::NonZeroU32;
use core::ops::Range;
use core::str::FromStr;

use thiserror::Error;

use crate::board::{Board, Player};
use crate::dice::{Roll, RollError};
use crate::outcome::Outcome;
use crate::rules::{AllHome, BearOff, RuleSet};
use stages::{BatchTimes, Stopwatch};
use tavli_game::streams;
use tavli_simd::{Scalar, Tier};

/// How a playout begins: how its first roll is thrown, or its first two. All later ones are any of the 36
/// throws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum FirstRoll {
    /// Any of the 36 throws.
    #[default]
    Any,
    /// One of the 15 non-doubles, equally likely, as a game begins.
    Open,
    /// This roll.
    Given(Roll),
    /// The throws of the first two plies are spread evenly over the games: any 36 consecutive games begin with each
    /// of the 36 throws once, and any 1,296 with each pair of throws. Of 36 games from a multiple of 36 on, the second
    /// throws are the 36 throws too. Which game has which throws depends on the seed, so that over the seeds each
    /// game's pair is uniform and the mean of any number of games unbiased.
    ///
    /// The seed shuffles the 36 throws twice, into `p` and `q`. Game number `g` begins with the throw `p[g mod 36]`,
    /// and its second ply has the throw `q[(g / 36 + g) mod 36]`, the quotient rounded down. The shuffles are those of
    /// Fisher and Yates. They start from the throws in order. For `i` from 35 down to 1 the throws at `i` and at
    /// `floor((i + 1) u / 2^32)` change places, where `u` is the high half of the next output of SplitMix64 started at
    /// the seed. Its first two outputs are those that the [streams](crate::playout) take; the next 35 make `p`, and 35
    /// more make `q`.
    Stratified,
}

impl fmt::Display for FirstRoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FirstRoll::Any => f.pad("any"),
            FirstRoll::Open => f.pad("open"),
            FirstRoll::Given(roll) => roll.fmt(f),
            FirstRoll::Stratified => f.pad("stratified"),
        }
    }
}

impl FromStr for FirstRoll {
    type Err = RollError;

    /// Reads `any`, `open`, `stratified`, or a roll such as `31`.
    fn from_str(text: &str) -> Result<FirstRoll, RollError> {
        match text {
            "any" => Ok(FirstRoll::Any),
            "open" => Ok(FirstRoll::Open),
            "stratified" => Ok(FirstRoll::Stratified),
            roll => roll.parse().map(FirstRoll::Given),
        }
    }
}

/// Why no playouts start from a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PlayoutError {
    /// The game is over.
    #[error("the game is already over by the rules of {0}: one side has won")]
    GameOver(RuleSet),
    /// A side has more checkers than the game.
    #[error(
        "{player} has {checkers} checkers; a side has at most {most} in {rules}",
        most = rules.checkers()
    )]
    TooManyCheckers {
        /// The rules.
        rules: RuleSet,
        /// Whose checkers.
        player: Player,
        /// How many there are.
        checkers: u8,
    },
    /// Nobody can ever move.
    #[error("the game can never end: both sides have checkers on the bar against six closed home points")]
    Deadlock,
}

impl PlayoutError {
    /// Checks that the game of some rules goes on in a position.
    ///
    /// # Errors
    /// [`PlayoutError::GameOver`] or [`PlayoutError::TooManyCheckers`].
    pub fn check(board: &Board, rules: RuleSet) -> Result<(), PlayoutError> {
        for (player, side) in [(Player::OnRoll, board.own()), (Player::Opponent, board.opponent())] {
            let checkers = side.checkers();
            if checkers > rules.checkers() {
                return Err(PlayoutError::TooManyCheckers {
                    rules,
                    player,
                    checkers,
                });
            }
        }
        if rules.is_over(board) {
            return Err(PlayoutError::GameOver(rules));
        }
        Ok(())
    }
}

/// One playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The number of the game.
    pub game: u64,
    /// How it ended for the player on roll in the first position, or `None` if it was cut off.
    pub outcome: Option<Outcome>,
    /// Plies played, passes and the winning ply included.
    pub plies: u32,
    /// The last position, seen by the player who would be on roll next.
    pub board: Board,
}

/// What is collected over a set of playouts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// The exact counts.
    pub tally: Tally,
    /// Where the checkers stood at truncation.
    pub occupancy: Occupancy,
}

impl Results {
    /// Adds one playout.
    #[inline(always)]
    fn add(&mut self, end: &End) {
        self.tally.add(end.outcome(), end.plies());
        if end.outcome().is_none() {
            self.occupancy.add(&end.board());
        }
    }

    /// Adds another set.
    pub fn merge(&mut self, other: &Results) {
        self.tally.merge(&other.tally);
        self.occupancy.merge(&other.occupancy);
    }
}

/// The playouts of one position: settings that are known to work, from which any game can be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playouts {
    start: Board,
    rules: RuleSet,
    first_roll: FirstRoll,
    seed: u64,
    truncation: Option<NonZeroU32>,
}

impl Playouts {
    /// Playouts from `start`, any first roll, to the end of the game.
    ///
    /// # Errors
    /// [`PlayoutError`] if the game is over in `start`, can never end, or has fewer checkers than `start`.
    pub fn new(start: Board, rules: RuleSet, seed: u64) -> Result<Playouts, PlayoutError> {
        StartPosition::new(&start, rules)?;
        Ok(Playouts {
            start,
            rules,
            first_roll: FirstRoll::Any,
            seed,
            truncation: None,
        })
    }

    /// The same playouts with another way to throw the first roll.
    #[must_use]
    pub fn with_first_roll(self, first_roll: FirstRoll) -> Playouts {
        Playouts { first_roll, ..self }
    }

    /// The same playouts cut off after this many plies.
    #[must_use]
    pub fn truncated_after(self, plies: NonZeroU32) -> Playouts {
        Playouts {
            truncation: Some(plies),
            ..self
        }
    }

    /// Plays one game.
    #[must_use]
    pub fn play(&self, game: u64) -> Record {
        let start = Start::new(&self.position(), &self.dice(), game, game);
        let Start { game, rules, .. } = start;
        let (end, _) = if rules.bears_off() {
            scalar::play::<BearOff, _>(Scalar, rules, self.truncation, &game)
        } else {
            scalar::play::<AllHome, _>(Scalar, rules, self.truncation, &game)
        };
        end.record(start.game.tag)
    }

    /// Plays games by number. The tier changes the speed, never the results.
    ///
    /// # Panics
    /// If this CPU lacks the tier; see [`Tier::available`].
    #[must_use]
    pub fn run(&self, tier: Tier, games: Range<u64>) -> Results {
        self.run_unless(tier, games, &|| false).expect("nothing stops it")
    }

    /// [`Playouts::run`]; `None` if `stop`, which is asked every few microseconds, says so before the end.
    pub fn run_unless(&self, tier: Tier, games: Range<u64>, stop: &dyn Fn() -> bool) -> Option<Results> {
        let mut results = Results::default();
        let visit = |end: &End| results.add(end);
        let plays = self.visit(tier, games, visit, stop, &mut Stopwatch::stopped());
        results.tally.plays += u128::from(plays);
        (!stop()).then_some(results)
    }

    /// [`Playouts::run`] that also appends the record of each game, in the order of the numbers.
    ///
    /// # Panics
    /// If this CPU lacks the tier; see [`Tier::available`]. If memory for a [`Record`] of each game cannot be reserved;
    /// nothing is then played, and `records` is as it was. A system that grants more memory than it has may instead
    /// end the process while the records are written: play a large range in parts.
    pub fn run_recorded(&self, tier: Tier, games: Range<u64>, records: &mut Vec<Record>) -> Results {
        self.run_recorded_unless(tier, games, records, &|| false)
            .expect("nothing stops it")
    }

    /// [`Playouts::run_recorded`]; `None` if `stop`, which is asked every few microseconds, says so before the end. The
    /// records then mean nothing.
    pub fn run_recorded_unless(
        &self,
        tier: Tier,
        games: Range<u64>,
        records: &mut Vec<Record>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Results> {
        let mut results = Results::default();
        let first = games.start;
        let behind = records.len();
        let number = games.end.saturating_sub(first);
        let number = usize::try_from(number)
            .ok()
            .filter(|&number| records.try_reserve(number).is_ok())
            .unwrap_or_else(|| panic!("no memory for the records of {number} games: play fewer at a time"));
        let blank = Record {
            game: first,
            outcome: None,
            plies: 0,
            board: self.start,
        };
        records.resize(behind + number, blank);
        let records = &mut records[behind..];
        let visit = |end: &End| {
            results.add(end);
            records[(end.tag() - first) as usize] = end.record(end.tag());
        };
        let plays = self.visit(tier, games, visit, stop, &mut Stopwatch::stopped());
        results.tally.plays += u128::from(plays);
        (!stop()).then_some(results)
    }

    /// [`Playouts::run`] with the time of each stage; see [`profile::run`].
    fn run_timed(&self, tier: Tier, games: Range<u64>) -> Option<(Results, BatchTimes)> {
        if tier == Tier::Portable {
            return None;
        }
        let mut results = Results::default();
        let mut watch = Stopwatch::started();
        let visit = |end: &End| results.add(end);
        let plays = self.visit(tier, games, visit, &|| false, &mut watch);
        results.tally.plays += u128::from(plays);
        let times = watch.times(results.tally.plies)?;
        Some((results, times))
    }

    /// Calls `visit` with each game as it ends, in any order, and returns the number of plays offered.
    /// `watch` notes the end of each stage, if the tier has stages. `stop` is called now and then, and has it leave
    /// the games that are not over.
    fn visit(
        &self,
        tier: Tier,
        games: Range<u64>,
        visit: impl FnMut(&End),
        stop: &dyn Fn() -> bool,
        watch: &mut Stopwatch,
    ) -> u64 {
        let mut source = OfPosition {
            position: self.position(),
            dice: self.dice(),
            games,
            visit,
        };
        self.batch().play_watched(tier, &mut source, stop, watch)
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

    /// A seed of the game of this number alone, for what values its positions
    /// ([`Conditions::seeded`](crate::evaluators::Conditions::seeded)). Its own dice do not depend on it. Games of one
    /// number from several positions have the same one, as they have the same dice.
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
    fn position(&self) -> StartPosition {
        StartPosition::of_checked(&self.start, self.rules)
    }

    /// Whether the games have the dice of others, number by number.
    fn has_dice_of(&self, other: &Playouts) -> bool {
        (self.seed, self.first_roll) == (other.seed, other.first_roll)
    }

    /// What the games have in common with those of other positions.
    fn batch(&self) -> Batch {
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

impl<F: FnMut(&End)> Source for OfPosition<F> {
    #[inline]
    fn next(&mut self) -> Option<Start> {
        let game = self.games.next()?;
        Some(Start::new(&self.position, &self.dice, game, game))
    }

    #[inline]
    fn end(&mut self, end: &End) {
        (self.visit)(end);
    }
}
