//! Rules of captures and of draws.

use core::fmt;

/// Which captures are to be made, and when a game is drawn. A side without a play loses, before any draw.
///
/// ```
/// use tavli_draughts::Rules;
/// assert_eq!(Rules::named("english"), Some(Rules::ENGLISH));
/// assert_eq!(Rules::REPORT.name(), Some("report"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Which captures are to be made.
    pub captures: Captures,
    /// When a game is drawn.
    pub draw: Draw,
}

/// Which captures are to be made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Captures {
    /// If a piece can jump, one must, and it goes on as long as it can.
    Compulsory,
    /// A step is allowed too, but a piece that jumps goes on as long as it can.
    Optional,
    /// A step is allowed too, and a piece that jumps may stop after any jump.
    OptionalMayStop,
}

/// When a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Draw {
    /// A game is drawn after this many plies in a row without a capture or a move of a man.
    Quiet(u8),
    /// A game is drawn after this many plies in a row without a capture if all pieces are kings; and after 255 in any
    /// case, since kings behind men that block each other could move for ever.
    KingsOnly(u8),
}

impl Draw {
    /// Whether a ply that takes pieces, or is a king's, counts towards a draw.
    pub(crate) fn counts(self, is_capture: bool, is_king: bool) -> bool {
        !is_capture && (is_king || matches!(self, Draw::KingsOnly(_)))
    }
}

/// The plies in a row without a capture after which every game is drawn.
// A position holds the count in a byte, and no game goes on past this.
pub(crate) const MAX_QUIET_PLIES: u32 = u8::MAX as u32;

impl Rules {
    /// English draughts: captures are compulsory, and a game is drawn after 80 plies without a capture or a move of a
    /// man.
    pub const ENGLISH: Rules = Rules { captures: Captures::Compulsory, draw: Draw::Quiet(80) };

    /// The rules by which the games of a report on Monte-Carlo search for draughts were played: captures are optional,
    /// a piece may stop after any jump, and a game is drawn after 20 plies without a capture if all pieces are kings.
    pub const REPORT: Rules = Rules { captures: Captures::OptionalMayStop, draw: Draw::KingsOnly(20) };

    /// Captures are optional, but go on to their ends; drawn as in English draughts.
    pub const OPTIONAL: Rules = Rules { captures: Captures::Optional, draw: Draw::Quiet(80) };

    /// The names of rules, the default first.
    pub const NAMES: &[&str] = &["english", "report", "optional"];

    /// The rules of this name, one of [`Rules::NAMES`].
    #[must_use]
    pub fn named(name: &str) -> Option<Rules> {
        let all = [Rules::ENGLISH, Rules::REPORT, Rules::OPTIONAL];
        all.into_iter().find(|rules| rules.name() == Some(name))
    }

    /// The name of these rules, if they have one.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Rules::ENGLISH => Some("english"),
            Rules::REPORT => Some("report"),
            Rules::OPTIONAL => Some("optional"),
            _ => None,
        }
    }

    /// Whether a game is drawn if the side to move has a play, by the count of quiet plies and whether a side has a
    /// man.
    #[inline(always)]
    pub(crate) fn is_drawn(self, quiet: u32, has_man: bool) -> bool {
        match self.draw {
            Draw::Quiet(most) => quiet >= u32::from(most),
            Draw::KingsOnly(most) => (!has_man && quiet >= u32::from(most)) || quiet >= MAX_QUIET_PLIES,
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.pad(name),
            None => write!(f, "{:?}, drawn {:?}", self.captures, self.draw),
        }
    }
}
