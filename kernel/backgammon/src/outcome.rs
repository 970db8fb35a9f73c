//! How a game ends, and its points.

/// The value of a won game: single, gammon or backgammon.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Win {
    /// The loser has borne off at least one checker: 1 point.
    Single = 1,
    /// The loser has borne off none: 2 points.
    Gammon = 2,
    /// The loser has borne off none and still has a checker on the bar or in the winner's home: 3 points.
    Backgammon = 3,
}

impl Win {
    /// Cubeless points: 1 to 3.
    #[must_use]
    pub const fn points(self) -> i32 {
        self as i32
    }
}

/// The end of a game, for the player who was on roll in its first position.
///
/// The discriminants index the outcome counts of a [`Tally`](crate::Tally).
///
/// # Growth
/// No rule set of backgammon can be tied; a tie of Plakoto is an outcome of that game's own. A rule set with ties would
/// add a seventh outcome with the discriminant 6, named `tie`, worth 0 points and its own reverse. Nothing that is
/// written today would change its meaning: saved rollouts and JSON name their outcomes, counts in C have room for
/// eight, and code in Rust finds the number of outcomes in [`Outcome::COUNT`] and matches with a wildcard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
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

// New outcomes come at the end: the order is that of the discriminants.
tavli_base::named_values!(
    Outcome:
    WinSingle "win_single",
    WinGammon "win_gammon",
    WinBackgammon "win_backgammon",
    LoseSingle "lose_single",
    LoseGammon "lose_gammon",
    LoseBackgammon "lose_backgammon",
);

impl Outcome {
    /// How many outcomes there are: the length of arrays of counts.
    pub const COUNT: usize = Outcome::ALL.len();

    /// The outcome when `win` went to the first player on roll (`first_won`) or to the other.
    #[must_use]
    pub const fn new(win: Win, first_won: bool) -> Outcome {
        let won = match win {
            Win::Single => Outcome::WinSingle,
            Win::Gammon => Outcome::WinGammon,
            Win::Backgammon => Outcome::WinBackgammon,
        };
        if first_won { won } else { won.reversed() }
    }

    /// The outcome of a [name](Outcome::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Outcome> {
        let found = Outcome::ALL.iter().find(|outcome| outcome.name() == name);
        found.copied()
    }

    /// Cubeless points for the first player on roll: -3..=3, 0 for neither player.
    #[must_use]
    pub const fn points(self) -> i32 {
        match self {
            Outcome::WinSingle => 1,
            Outcome::WinGammon => 2,
            Outcome::WinBackgammon => 3,
            Outcome::LoseSingle => -1,
            Outcome::LoseGammon => -2,
            Outcome::LoseBackgammon => -3,
        }
    }

    /// The same end seen by the other player.
    #[must_use]
    pub const fn reversed(self) -> Outcome {
        match self {
            Outcome::WinSingle => Outcome::LoseSingle,
            Outcome::WinGammon => Outcome::LoseGammon,
            Outcome::WinBackgammon => Outcome::LoseBackgammon,
            Outcome::LoseSingle => Outcome::WinSingle,
            Outcome::LoseGammon => Outcome::WinGammon,
            Outcome::LoseBackgammon => Outcome::WinBackgammon,
        }
    }

    /// Whether the first player on roll won.
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.points() > 0
    }
}
