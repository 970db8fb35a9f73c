//! How a game ends, and what it is worth.

use core::fmt;

/// What a won game is worth: single, gammon or backgammon.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Win {
    /// The loser has borne off at least one checker: 1 point.
    Single = 1,
    /// The loser has borne off none: 2 points.
    Gammon = 2,
    /// The loser has borne off none and still has a checker on the bar or in the winner's home: 3 points.
    Backgammon = 3,
}

/// The end of a game, for the player who was on roll in its first position.
///
/// The discriminants index the outcome counts of a [`Tally`](crate::Tally).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// Won a single game: +1.
    WinSingle = 0,
    /// Won a gammon: +2.
    WinGammon = 1,
    /// Won a backgammon: +3.
    WinBackgammon = 2,
    /// Lost a single game: -1.
    LoseSingle = 3,
    /// Lost a gammon: -2.
    LoseGammon = 4,
    /// Lost a backgammon: -3.
    LoseBackgammon = 5,
}

impl Outcome {
    /// All six, in the order of their discriminants.
    pub const ALL: [Outcome; 6] = [
        Outcome::WinSingle,
        Outcome::WinGammon,
        Outcome::WinBackgammon,
        Outcome::LoseSingle,
        Outcome::LoseGammon,
        Outcome::LoseBackgammon,
    ];

    /// The outcome when `win` went to the first player on roll (`first_won`) or to the other.
    #[must_use]
    pub const fn new(win: Win, first_won: bool) -> Outcome {
        Outcome::ALL[win as usize - 1 + if first_won { 0 } else { 3 }]
    }

    /// The name used in records: `win_single` ... `lose_backgammon`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "win_single",
            "win_gammon",
            "win_backgammon",
            "lose_single",
            "lose_gammon",
            "lose_backgammon",
        ][self as usize]
    }

    /// Cubeless points for the first player on roll: -3..=3, never 0.
    #[must_use]
    pub const fn points(self) -> i32 {
        [1, 2, 3, -1, -2, -3][self as usize]
    }

    /// The same end seen by the other player.
    #[must_use]
    pub const fn reversed(self) -> Outcome {
        Outcome::ALL[(self as usize + 3) % 6]
    }

    /// Whether the first player on roll won.
    #[must_use]
    pub const fn is_win(self) -> bool {
        (self as usize) < 3
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
