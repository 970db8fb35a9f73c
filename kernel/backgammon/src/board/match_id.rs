//! GNU Backgammon's Match ID: the state of a game and its match in 12 characters.
//!
//! 67 bits fill nine bytes from the least significant bit on, written in base64; the other five are zero:
//!
//! | bits | meaning |
//! |---|---|
//! | 0-3 | the cube, as a power of 2 |
//! | 4-5 | its owner: seat 0 (top), 1 (bottom), or 3 in the middle |
//! | 6 | seat of the player on roll |
//! | 7 | Crawford game |
//! | 8-10 | state of the game: none, playing, over, resigned, dropped |
//! | 11 | seat whose decision is awaited |
//! | 12 | a double is offered |
//! | 13-14 | a resignation is offered: none, single, gammon, backgammon |
//! | 15-17, 18-20 | the dice, 0 0 before the roll |
//! | 21-35 | match length, 0 for money |
//! | 36-50, 51-65 | points of seat 0 and of seat 1 |
//! | 66 | no Jacoby rule (version 1.07; older IDs end at 65 and have 0 here) |
//!
//! It does not hold whether beavers are allowed or one was made (a beaver or raccoon is written as the double that is
//! answered), nor the largest cube. In a match bit 66 means nothing: it is written as 1, as GNU Backgammon does, and
//! ignored when read.

use thiserror::Error;

use super::base64::{Base64, Base64Error};
use super::context::{Context, ContextError, Cube, GameState, Seat, Stakes, TurnStage};
use crate::board::position::Position;
use crate::board::remark::Remark;
use crate::board::side::Side;
use crate::dice::{Roll, RollError};
use crate::outcome::Win;

/// The 12 characters of a Match ID.
pub type MatchId = Base64<12>;

/// Bits in use.
const BITS: u32 = 67;

/// Why text is not a Match ID.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MatchIdError {
    /// It is not 12 base64 characters.
    #[error("not a Match ID: {0}")]
    Text(#[from] Base64Error),
    /// Unused bits are set.
    #[error("not a Match ID: bits after the first {BITS} are set; they must be zero")]
    TrailingBits,
    /// An invalid owner of the cube.
    #[error("not a Match ID: the cube's owner (bits 4-5) is 2; it must be 0, 1, or 3 for the middle")]
    CubeOwner,
    /// An invalid state of the game.
    #[error("not a Match ID: the state of the game (bits 8-10) is {0}; it must be 0 to 4")]
    State(u8),
    /// Invalid dice.
    #[error("not a Match ID: the dice (bits 15-20) are not a roll: {0}")]
    Dice(#[from] RollError),
    /// Dice on the table while a double is offered.
    #[error("not a Match ID: the dice show {0} while a double is offered")]
    DiceAndDouble(Roll),
    /// The Crawford rule in a money game.
    #[error("not a Match ID: a money game has no Crawford game (bit 7)")]
    CrawfordMoney,
    /// The state contradicts itself.
    #[error("not the state of a game: {0}")]
    Context(#[from] ContextError),
}

impl Context {
    /// The state that a GNU Backgammon Match ID stands for. The mark of the Crawford game does not count where nobody
    /// is one point from winning, as in GNU Backgammon; [`Position::read`] remarks on it.
    ///
    /// # Errors
    /// [`MatchIdError`] says which character or bits are wrong, or what they contradict.
    ///
    /// ```
    /// use tavli_backgammon::{Context, Stakes, TurnStage};
    /// let context = Context::from_match_id("8ImqAEAACAAE")?;
    /// assert_eq!(context.stakes, Stakes::Match { length: 5, crawford: true });
    /// assert_eq!((context.score, context.opponent_score), (1, 4));
    /// assert_eq!(context.stage, TurnStage::Rolled("52".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_match_id(text: &str) -> Result<Context, MatchIdError> {
        read(text).map(|(context, _)| context)
    }
}

/// The state of a Match ID, and a remark if the ID says something that the state cannot have.
pub(super) fn read(text: &str) -> Result<(Context, Option<Remark>), MatchIdError> {
    let mut bits = MatchId::read_bits(text)?;
    if bits >> BITS != 0 {
        return Err(MatchIdError::TrailingBits);
    }
    // The fields in order, each at most 15 bits.
    let mut field = |width: u32| {
        let value = (bits & ((1 << width) - 1)) as u16;
        bits >>= width;
        value
    };
    let seat_of = |bit| if bit == 0 { Seat::Top } else { Seat::Bottom };

    let log2 = field(4) as u8;
    let owner = match field(2) {
        2 => return Err(MatchIdError::CubeOwner),
        3 => None,
        bit => Some(seat_of(bit)),
    };
    let seat = seat_of(field(1));
    let crawford = field(1) == 1;
    let state = match field(3) {
        0 => GameState::NotStarted,
        1 => GameState::Playing,
        2 => GameState::Over,
        3 => GameState::Resigned,
        4 => GameState::Dropped,
        other => return Err(MatchIdError::State(other as u8)),
    };
    let decision = seat_of(field(1)).player(seat);
    let doubled = field(1) == 1;
    let resignation = match field(2) {
        0 => None,
        1 => Some(Win::Single),
        2 => Some(Win::Gammon),
        _ => Some(Win::Backgammon),
    };
    let stage = match ([field(3) as u8, field(3) as u8], doubled) {
        ([0, 0], false) => TurnStage::ToRoll,
        ([0, 0], true) => TurnStage::Doubled,
        ([a, b], false) => TurnStage::Rolled(Roll::new(a, b)?),
        ([a, b], true) => return Err(MatchIdError::DiceAndDouble(Roll::new(a, b)?)),
    };
    let length = field(15);
    let [top, bottom] = [field(15), field(15)];
    let jacoby = field(1) == 0;

    if crawford && length == 0 {
        return Err(MatchIdError::CrawfordMoney);
    }
    let (score, opponent_score) = match seat {
        Seat::Top => (top, bottom),
        Seat::Bottom => (bottom, top),
    };
    let mut context = Context {
        seat,
        stage,
        resignation,
        decision,
        state,
        cube: Cube { log2, owner: owner.map(|owner| owner.player(seat)), ..Cube::default() },
        stakes: if length == 0 { Stakes::Money { jacoby, beavers: false } } else { Stakes::Match { length, crawford } },
        score,
        opponent_score,
    };
    let remark = context.remark_on_text();
    context.cube.raise_limit();
    context.check()?;
    Ok((context, remark))
}

impl Position {
    /// The Match ID as GNU Backgammon writes it.
    ///
    /// ```
    /// use tavli_backgammon::{Board, Position};
    /// assert_eq!(Position::from(Board::START).match_id().as_str(), "cAkAAAAAAAAE");
    /// ```
    #[must_use]
    pub fn match_id(&self) -> MatchId {
        let context = self.context();
        let (high, low) = match context.stage {
            TurnStage::Rolled(roll) => (roll.high(), roll.low()),
            _ => (0, 0),
        };
        let doubled = matches!(context.stage, TurnStage::Doubled | TurnStage::Beavered | TurnStage::Raccooned);
        // A beaver is written as the double before it, which the opponent answers.
        let decision = match context.stage {
            TurnStage::Beavered => context.decision.other(),
            _ => context.decision,
        };
        let (length, crawford, no_jacoby) = match context.stakes {
            Stakes::Money { jacoby, .. } => (0, false, !jacoby),
            Stakes::Match { length, crawford } => (length, crawford, true),
        };
        let seat_bit = |player: Side| player.seat(context.seat) as u16;
        let mut bits = 0;
        let mut at = 0;
        let mut field = |width: u32, value: u16| {
            bits |= u128::from(value) << at;
            at += width;
        };
        field(4, context.cube.log2.into());
        field(2, context.cube.owner.map_or(3, seat_bit));
        field(1, context.seat as u16);
        field(1, crawford.into());
        field(3, context.state as u16);
        field(1, seat_bit(decision));
        field(1, doubled.into());
        field(2, context.resignation.map_or(0, |win| win as u16));
        field(3, high.into());
        field(3, low.into());
        field(15, length);
        field(15, context.score_at(Seat::Top));
        field(15, context.score_at(Seat::Bottom));
        field(1, no_jacoby.into());
        MatchId::from_bits(bits)
    }
}
