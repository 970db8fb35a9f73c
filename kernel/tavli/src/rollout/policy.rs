//! Who plays the games of a rollout.

use core::fmt;
use core::ops::Range;

use tavli_backgammon::Tier;
use tavli_backgammon::playout::{Playouts, Record};

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

    /// Plays the games of these numbers from each of several positions and gives the index of the position and the
    /// record of each game to `take`, in any order. It ends early, with some of the games, when `stop` says so.
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
        take: &mut dyn FnMut(usize, &Record),
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
            records.iter().for_each(|record| take(position, record));
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
}
