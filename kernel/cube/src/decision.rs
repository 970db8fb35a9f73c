//! The right action with the cube.

use core::fmt;

use tavli_backgammon::Side;

use crate::state::{CubeState, Stakes};

/// The values of a position before the roll, for each action with the cube, for the player on roll, in units of the
/// cube before a double. In matches the values are scaled so that losing a single game at that cube is -1 and winning
/// it +1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeValues {
    /// He does not double.
    pub no_double: f64,
    /// He doubles and the opponent takes, whether he may double or not.
    pub double_take: f64,
    /// He doubles and the opponent passes: 1.
    pub double_pass: f64,
    /// Without a cube, or with one that is never turned: by the probabilities of the outcomes, even where the equities
    /// with the cube are exact.
    pub cubeless: f64,
    /// The right action.
    pub action: Action,
}

impl CubeValues {
    /// The values and the right action from equities without a double and after a double that is taken, such as those
    /// of a rollout, in units of the cube or equivalent to that.
    #[must_use]
    pub fn from_equities(
        [no_double, double_take]: [f64; 2],
        cubeless: f64,
        wins_gammons: bool,
        state: &CubeState,
    ) -> CubeValues {
        let alternatives = Alternatives { no_double, double_take, double_pass: 1.0, equal: Alternatives::EQUAL };
        CubeValues {
            no_double,
            double_take,
            double_pass: 1.0,
            cubeless,
            action: alternatives.action_in(state, wins_gammons),
        }
    }

    /// The value with the right action.
    #[must_use]
    pub fn best(&self) -> f64 {
        // The opponent gives the answer that is worse for the doubler.
        let doubled = self.double_take.min(self.double_pass);
        match self.action.doubles() {
            true => doubled,
            false => self.no_double,
        }
    }

    /// The choices of the player on roll with their values, in the order of GNU Backgammon: the right one first.
    #[must_use]
    pub fn alternatives(&self) -> Vec<(&'static str, f64)> {
        let no_double = ("No double", self.no_double);
        let take = ("Double, take", self.double_take);
        let pass = ("Double, pass", self.double_pass);
        if !self.action.may_double() {
            return vec![no_double];
        }
        let [answered, misanswered] = if take.1 <= pass.1 { [take, pass] } else { [pass, take] };
        if self.action.doubles() {
            vec![answered, misanswered, no_double]
        } else if self.no_double > self.double_pass {
            // Too good to double.
            vec![no_double, answered, misanswered]
        } else {
            vec![no_double, misanswered, answered]
        }
    }

    /// How often the opponent has to answer a double wrongly, 0 to 1, before it is right: by a pass where a take is
    /// right, or by a take where a pass is. `None` where the player is right to double, or may not.
    #[must_use]
    pub fn wrong_answers(&self) -> Option<f64> {
        let (right, wrong) = match self.action {
            Action::NoDoubleTake | Action::NoRedoubleTake | Action::NoDoubleBeaver | Action::NoRedoubleBeaver => {
                (self.double_take, self.double_pass)
            }
            Action::TooGoodPass | Action::TooGoodToRedoublePass => (self.double_pass, self.double_take),
            _ => return None,
        };
        let needed = (self.no_double - right) / (wrong - right);
        // Answers of equal value give no finite number, which the range does not contain either.
        (0.0..=1.0).contains(&needed).then_some(needed)
    }
}

/// The action with the cube before a roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The player on roll does not double.
    Roll,
    /// He doubles and his opponent passes: the game is over.
    Pass,
    /// He doubles and his opponent takes or beavers: the state after that, as the player on roll sees it.
    Take(CubeState),
}

macro_rules! actions {
    ($($(#[$doc:meta])* $action:ident = $text:literal, doubles: $doubles:literal;)+) => {
        /// The right action with the cube, in GNU Backgammon's words.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Action {
            $($(#[$doc])* $action,)+
        }

        impl Action {
            /// Every action.
            pub const ALL: &[Action] = &[$(Action::$action),+];

            /// The action in words.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Action::$action => $text,)+
                }
            }

            /// Whether the player on roll doubles. An optional double is not made.
            #[must_use]
            pub const fn doubles(self) -> bool {
                match self {
                    $(Action::$action => $doubles,)+
                }
            }
        }
    };
}

actions! {
    /// Doubling is right, and so is taking.
    DoubleTake = "Double, take", doubles: true;
    /// Doubling is right, and so is passing.
    DoublePass = "Double, pass", doubles: true;
    /// Doubling is right, and so is beavering.
    DoubleBeaver = "Double, beaver", doubles: true;
    /// Doubling would be wrong, and taking right.
    NoDoubleTake = "No double, take", doubles: false;
    /// Doubling would be wrong, and beavering right.
    NoDoubleBeaver = "No double, beaver", doubles: false;
    /// Playing on for a gammon is right, and a double would be taken.
    TooGoodTake = "Too good to double, take", doubles: false;
    /// Playing on for a gammon is right, and a double would be passed.
    TooGoodPass = "Too good to double, pass", doubles: false;
    /// Doubling or not makes no difference.
    OptionalDouble = "Optional double, take", doubles: false;
    /// Redoubling is right, and so is taking.
    RedoubleTake = "Redouble, take", doubles: true;
    /// Redoubling is right, and so is passing.
    RedoublePass = "Redouble, pass", doubles: true;
    /// Redoubling is right, and so is beavering.
    RedoubleBeaver = "Redouble, beaver", doubles: true;
    /// Redoubling would be wrong, and taking right.
    NoRedoubleTake = "No redouble, take", doubles: false;
    /// Redoubling would be wrong, and beavering right.
    NoRedoubleBeaver = "No redouble, beaver", doubles: false;
    /// Playing on for a gammon is right, and a redouble would be taken.
    TooGoodToRedoubleTake = "Too good to redouble, take", doubles: false;
    /// Playing on for a gammon is right, and a redouble would be passed.
    TooGoodToRedoublePass = "Too good to redouble, pass", doubles: false;
    /// Redoubling or not makes no difference.
    OptionalRedouble = "Optional redouble, take", doubles: false;
    /// The player needs no more than the cube gives, or it is the Crawford game.
    DeadCube = "Never double, take (dead cube)", doubles: false;
    /// The owner of the cube needs no more than it gives.
    DeadOwnCube = "Never redouble, take (dead cube)", doubles: false;
    /// The player may not double: the opponent owns the cube, it is at its limit, or the game is over.
    NotAvailable = "Not available", doubles: false;
}

impl Action {
    /// Whether the player on roll may turn the cube, and the cube is not dead.
    #[must_use]
    pub const fn may_double(self) -> bool {
        !matches!(self, Action::NotAvailable | Action::DeadCube | Action::DeadOwnCube)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// A decision's values in one unit, by which they are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternatives {
    pub(crate) no_double: f64,
    pub(crate) double_take: f64,
    pub(crate) double_pass: f64,
    /// Values that differ by no more count as equal.
    pub(crate) equal: f64,
}

/// Facts of the position on which a decision depends, beside its values.
#[derive(Clone, Copy, Debug)]
struct Circumstances {
    /// Whether the player owns the cube.
    owns: bool,
    /// Whether a gammon can be won.
    wins_gammons: bool,
    /// Whether a taker may beaver.
    beavers: bool,
}

impl Alternatives {
    /// Values that differ by no more are equal: GNU Backgammon's bound, for points and for chances to win a match.
    pub(crate) const EQUAL: f64 = 1e-5;

    /// Whether a taker of money games gains by beavering: GNU Backgammon's bounds.
    fn is_beavered(self, beavers: bool) -> bool {
        beavers && (-2.0..=0.0).contains(&self.double_take)
    }

    /// The right action in a state.
    pub(crate) fn action_in(self, state: &CubeState, wins_gammons: bool) -> Action {
        let owns = state.owner == Some(Side::OnRoll);
        let (is_dead, beavers) = match state.stakes {
            Stakes::Match(score) => (state.is_dead(score), false),
            Stakes::Money { beavers, .. } => (false, beavers),
        };
        if state.owner != Some(Side::Opponent) && is_dead {
            return if owns { Action::DeadOwnCube } else { Action::DeadCube };
        }
        if !state.may_double() {
            return Action::NotAvailable;
        }
        self.action(Circumstances { owns, wins_gammons, beavers })
    }

    /// The right action of a player who may double.
    fn action(self, circumstances: Circumstances) -> Action {
        let Alternatives { no_double, double_take, double_pass, equal } = self;
        let Circumstances { owns, wins_gammons, beavers } = circumstances;
        let either = |first: Action, owned: Action| if owns { owned } else { first };
        let double_pass_action = || either(Action::DoublePass, Action::RedoublePass);
        let no_double_take = || either(Action::NoDoubleTake, Action::NoRedoubleTake);
        if double_take >= no_double && double_pass >= no_double {
            return if double_pass > double_take {
                if self.is_beavered(beavers) {
                    // Doubling gains although the position is lost: the Jacoby paradox.
                    return if 2.0 * double_take >= no_double {
                        either(Action::DoubleBeaver, Action::RedoubleBeaver)
                    } else {
                        either(Action::NoDoubleBeaver, Action::NoRedoubleBeaver)
                    };
                }
                if double_take - no_double <= equal {
                    either(Action::OptionalDouble, Action::OptionalRedouble)
                } else {
                    either(Action::DoubleTake, Action::RedoubleTake)
                }
            } else {
                double_pass_action()
            };
        }
        if no_double > double_pass {
            return match (double_take >= double_pass, wins_gammons) {
                (true, true) => either(Action::TooGoodPass, Action::TooGoodToRedoublePass),
                (true, false) => double_pass_action(),
                (false, true) => either(Action::TooGoodTake, Action::TooGoodToRedoubleTake),
                (false, false) => no_double_take(),
            };
        }
        if self.is_beavered(beavers) {
            either(Action::NoDoubleBeaver, Action::NoRedoubleBeaver)
        } else if no_double - double_take <= equal {
            either(Action::OptionalDouble, Action::OptionalRedouble)
        } else {
            no_double_take()
        }
    }
}
