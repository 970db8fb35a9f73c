//! A part of a rollout or a search, for one of many machines.

use core::fmt;
use core::ops::Range;
use core::str::FromStr;

use tavli_base::text::Quoted;
use thiserror::Error;

use crate::ask::limits::{MAX_TRIALS, TRIALS_PER_BLOCK};

/// The part of a rollout or a search that one machine plays: number `index` of `of`, counted from 1 and written `2/8`.
/// The shards of a rollout are ranges of trials of nearly equal size, in whole blocks of 1,296 except for the last;
/// those of a search are ranges of its trees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shard {
    index: u64,
    of: u64,
}

/// Why something is not a shard.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ShardError {
    /// Text that is not two numbers.
    #[error("'{}' is not a shard: write its number and how many there are, such as 2/8", Quoted::new(.0))]
    Text(String),
    /// A number that is not 1 to `of`.
    #[error("{}", no_shard(*index, *of))]
    Number {
        /// The number asked for.
        index: u64,
        /// How many shards there are.
        of: u64,
    },
    /// More shards than blocks.
    #[error("{}", too_many(*trials, *of))]
    TooMany {
        /// Trials of the whole rollout.
        trials: u64,
        /// How many shards were asked for.
        of: u64,
    },
}

/// The message for a number that is not 1 to `of`.
fn no_shard(index: u64, of: u64) -> String {
    match of {
        0 => "the number of shards is 1 or more, not 0".to_owned(),
        _ => format!("there is no shard {index} of {of}: the first is 1 and the last {of}"),
    }
}

/// The message for more shards than a number of trials has blocks.
fn too_many(trials: u64, of: u64) -> String {
    let blocks = trials.div_ceil(TRIALS_PER_BLOCK);
    let are = if trials == 1 { " is" } else { "s are" };
    let plural = if blocks == 1 { "" } else { "s" };
    let least = (of - 1).checked_mul(TRIALS_PER_BLOCK).map(|others| others + 1);
    let or_more = least
        .filter(|&least| least <= MAX_TRIALS)
        .map_or_else(String::new, |least| format!(", or at least {least} trials"));
    format!(
        "{trials} trial{are} {blocks} block{plural} of 1296, too few for {of} shards; ask for at most {blocks} \
         shard{plural}{or_more}"
    )
}

impl Shard {
    /// Number `index`, from 1 on, of `of`.
    ///
    /// # Errors
    /// [`ShardError::Number`] if `index` is not 1 to `of`.
    pub const fn new(index: u64, of: u64) -> Result<Shard, ShardError> {
        if index == 0 || index > of {
            return Err(ShardError::Number { index, of });
        }
        Ok(Shard { index, of })
    }

    /// The number, from 1 on.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.index
    }

    /// How many there are.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.of
    }

    /// The part of `trials` that this shard plays: whole blocks of 1,296; the last block may be shorter.
    ///
    /// # Errors
    /// [`ShardError::TooMany`] if the trials are fewer blocks of 1,296 than there are shards.
    pub fn trials(self, trials: u64) -> Result<Range<u64>, ShardError> {
        let blocks =
            self.share(trials.div_ceil(TRIALS_PER_BLOCK)).ok_or(ShardError::TooMany { trials, of: self.of })?;
        // The last block may be cut short, so its end may lie beyond 2^64.
        let game = |block: u64| block.saturating_mul(TRIALS_PER_BLOCK).min(trials);
        Ok(game(blocks.start)..game(blocks.end))
    }

    /// The part of `things` that this shard has, numbered from 0 on. Parts have nearly equal sizes and are not empty.
    /// `None` if there are fewer things than shards.
    ///
    /// ```
    /// use tavli_trials::Shard;
    /// assert_eq!(Shard::new(2, 3)?.share(16), Some(5..10));
    /// assert_eq!(Shard::new(2, 3)?.share(2), None);
    /// # Ok::<(), tavli_trials::ShardError>(())
    /// ```
    #[must_use]
    pub fn share(self, things: u64) -> Option<Range<u64>> {
        // The product of two 64-bit numbers needs 128 bits.
        let bound = |index: u64| (u128::from(things) * u128::from(index) / u128::from(self.of)) as u64;
        (things >= self.of).then(|| bound(self.index - 1)..bound(self.index))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    /// Reads `2/8`.
    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let numbers = text.split_once('/').and_then(|(index, of)| {
            // `parse` alone would take a sign.
            let number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()).then(|| text.parse().ok());
            Some((number(index)??, number(of)??))
        });
        // The error for a wrong number names the first and the last shard: there must be one.
        let numbers = numbers.filter(|&(_, of)| of > 0);
        let (index, of) = numbers.ok_or_else(|| ShardError::Text(text.to_owned()))?;
        Shard::new(index, of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_the_whole() {
        for (trials, of) in [(1, 1), (1296, 1), (1297, 2), (10_000, 7), (1 << 56, 1000)] {
            let mut next = 0;
            for index in 1..=of {
                let games = Shard::new(index, of).unwrap().trials(trials).unwrap();
                assert_eq!(games.start, next);
                assert!(games.end > games.start && games.start.is_multiple_of(TRIALS_PER_BLOCK));
                next = games.end;
            }
            assert_eq!(next, trials);
        }
    }

    #[test]
    fn too_many_shards_are_told_what_would_do() {
        for (trials, of, message) in [
            (
                2592,
                3,
                "2592 trials are 2 blocks of 1296, too few for 3 shards; ask for at most 2 shards, or at least \
                 2593 trials",
            ),
            (
                1,
                2,
                "1 trial is 1 block of 1296, too few for 2 shards; ask for at most 1 shard, or at least 1297 trials",
            ),
            // More trials than a rollout can have.
            (
                20_000,
                u64::MAX,
                "20000 trials are 16 blocks of 1296, too few for 18446744073709551615 shards; ask for at most 16 \
                 shards",
            ),
        ] {
            let error = Shard::new(1, of).unwrap().trials(trials).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn shards_are_read() {
        assert_eq!("2/8".parse(), Shard::new(2, 8));
        assert_eq!("2/8".parse::<Shard>().unwrap().to_string(), "2/8");
        for text in ["", "2", "/", "2/", "0/8", "9/8", "0/0", "+2/8", "2/-8", "2/8/3", "99999999999999999999/1"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
