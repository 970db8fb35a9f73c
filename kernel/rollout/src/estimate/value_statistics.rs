//! The statistics of all values of a game.

use tavli_trials::Statistic;

use crate::game_value::GameValue;

/// Calls another macro with the names of the fields of [`Statistics`], each after its documentation, and the remaining
/// arguments. Interfaces list the statistics with it; C's structs, which its header shows, and JavaScript's JSON list
/// them by hand.
///
/// ```
/// macro_rules! first {
///     ([$(#[$doc:meta])* $name:ident, $($rest:tt)*] after $text:literal) => {
///         concat!($text, stringify!($name))
///     };
/// }
/// let first = tavli_rollout::for_each_statistic!(first! after "The first is ");
/// assert_eq!(first, "The first is win");
/// ```
#[macro_export]
macro_rules! for_each_statistic {
    ($then:ident! $($more:tt)*) => {
        $then! {
            [
                /// The share of games won, gammons and backgammons included.
                win,
                /// The share of games won by a gammon or backgammon.
                win_gammon,
                /// The share of games won by a backgammon.
                win_backgammon,
                /// The share of games lost, gammons and backgammons included.
                lose,
                /// The share of games lost by a gammon or backgammon.
                lose_gammon,
                /// The share of games lost by a backgammon.
                lose_backgammon,
                /// Mean points of a game without cube.
                equity,
            ]
            $($more)*
        }
    };
}

macro_rules! statistics {
    ([$($(#[$doc:meta])* $name:ident,)+]) => {
        /// A statistic of each value of a game: of a candidate, with shares of 0..=1, or of the difference of two
        /// candidates, with shares of -1..=1.
        #[derive(Clone, Copy, PartialEq, Debug, Default)]
        pub struct Statistics {
            $($(#[$doc])* pub $name: Statistic,)+
        }

        impl Statistics {
            /// Each with its name, in the order of the fields.
            #[must_use]
            pub fn named(&self) -> [(&'static str, Statistic); Statistics::COUNT] {
                [$((stringify!($name), self.$name)),+]
            }

            /// All of them, in the order of the fields.
            #[must_use]
            pub fn to_array(&self) -> [Statistic; Statistics::COUNT] {
                [$(self.$name),+]
            }

            /// The statistics of [`Statistics::to_array`].
            #[must_use]
            pub fn from_array([$($name),+]: [Statistic; Statistics::COUNT]) -> Statistics {
                Statistics { $($name),+ }
            }
        }
    };
}

for_each_statistic!(statistics!);

impl Statistics {
    /// The number of statistics.
    pub const COUNT: usize = GameValue::ALL.len();

    pub(crate) fn of_values(of: impl FnMut(GameValue) -> Statistic) -> Statistics {
        Statistics::from_array(GameValue::ALL.map(of))
    }
}
