//! Who plays the games of a rollout.

use core::fmt;
use core::ops::Range;

use tavli_backgammon::playout::{Batch, Dice, End, Playouts, Record, Source, Start, StartPosition};
use tavli_backgammon::{Outcome, Tier};

/// Picks the plays of both sides.
///
/// A rollout asks its policy for whole ranges of games, so that a policy decides for itself how many games it
/// plays side by side. [`Uniform`] is the fused kernel of [`Playouts::run_recorded`], in which a play is drawn
/// without being listed. A policy that scores positions is to play all games of a range in step: a ply lists the
/// plays of every game's roll ([`Plays`](crate::Plays)), scores all their positions as one batch, and makes one
/// play in each game.
///
/// For results that do not depend on threads and ranges, a game must be a pure function of the playouts, the
/// policy and the game's number. For candidates to be compared on the same dice, the roll of a ply must depend
/// on the seed, the game's number and the number of the ply alone, and the first rolls must be as
/// [`FirstRoll`](crate::FirstRoll) says.
pub trait Policy: fmt::Debug + Send + Sync {
    /// Names the policy with all that decides its plays. It stands in saved rollouts, which are continued and
    /// merged only by a policy of the same name.
    fn name(&self) -> &str;

    /// Plays games and appends the record of each to `records`, in the order of the numbers. The tier is one
    /// that this CPU has; it may change the speed, never the records.
    fn play(&self, playouts: &Playouts, tier: Tier, games: Range<u64>, records: &mut Vec<Record>);

    /// Plays the games of these numbers from each of several positions, which have the same rules and truncation, and
    /// gives the index of the position, the number of the game and its outcome to `take`, in any order; `None` is a game
    /// that was cut off. It ends early, with some of the games, when `stop` says so.
    ///
    /// Unless it is written otherwise, the positions are played one after the other by [`Policy::play`].
    ///
    /// # Panics
    /// If the records of a position are not those of its games.
    fn play_each(
        &self,
        positions: &[Playouts],
        tier: Tier,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
        take: &mut dyn FnMut(usize, u64, Option<Outcome>),
    ) {
        let mut records = Vec::new();
        for (position, playouts) in positions.iter().enumerate() {
            if stop() {
                return;
            }
            records.clear();
            self.play(playouts, tier, games.clone(), &mut records);
            let number = games.end - games.start;
            assert!(
                records.len() as u64 == number,
                "policy {} gave {} records of {number} games",
                self.name(),
                records.len(),
            );
            for record in &records {
                take(position, record.game, record.outcome);
            }
        }
    }
}

/// Each distinct resulting position is equally likely.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uniform;

impl Policy for Uniform {
    fn name(&self) -> &str {
        "uniform"
    }

    fn play(&self, playouts: &Playouts, tier: Tier, games: Range<u64>, records: &mut Vec<Record>) {
        playouts.run_recorded(tier, games, records);
    }

    /// In one batch, so that its lanes are full until the last games of the last position.
    fn play_each(
        &self,
        positions: &[Playouts],
        tier: Tier,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
        take: &mut dyn FnMut(usize, u64, Option<Outcome>),
    ) {
        let Some(first) = positions.first() else {
            return;
        };
        let batch = Batch::new(first.rules());
        let batch = match first.truncation() {
            Some(plies) => batch.truncated_after(plies),
            None => batch,
        };
        let starts = positions.iter().map(|playouts| {
            assert!(
                playouts.rules() == first.rules() && playouts.truncation() == first.truncation(),
                "candidates are played by the same rules"
            );
            let start = StartPosition::new(playouts.start(), playouts.rules());
            let dice = Dice::new(playouts.seed(), playouts.first_roll());
            (start.expect("playouts have games"), dice)
        });
        let mut source = Games {
            starts: starts.collect(),
            number: games.end - games.start,
            first: games.start,
            next: 0,
            take,
        };
        batch.play_unless(tier, &mut source, stop);
    }
}

/// Games of several positions, position by position. The tag of the `n`-th game of the `p`-th position is `p` times
/// their number, and `n`.
struct Games<'a> {
    starts: Vec<(StartPosition, Dice)>,
    /// How many games each position has.
    number: u64,
    /// The number of the first game.
    first: u64,
    /// The tag of the next one.
    next: u64,
    take: &'a mut dyn FnMut(usize, u64, Option<Outcome>),
}

impl Games<'_> {
    /// The position and the number of the game of a tag.
    fn of_tag(&self, tag: u64) -> (usize, u64) {
        ((tag / self.number) as usize, self.first + tag % self.number)
    }
}

impl Source for Games<'_> {
    fn next(&mut self) -> Option<Start> {
        let (position, game) = self.of_tag(self.next);
        let (start, dice) = self.starts.get(position)?;
        let begun = Start::new(start, dice, game, self.next);
        self.next += 1;
        Some(begun)
    }

    fn end(&mut self, end: &End) {
        let (position, game) = self.of_tag(end.tag());
        (self.take)(position, game, end.outcome());
    }
}
