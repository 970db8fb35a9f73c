//! The throws of games: drawn from all 36, or preset for the first plies.

use tavli_simd::Vector;

use crate::dice::Roll;
use crate::playout::first_roll::FirstRoll;
use crate::playout::stratified::StratifiedThrows;

/// How many throws there are.
const ANY: u32 = Roll::THROWS.len() as u32;
/// How many rolls begin a game whose first roll is [open](FirstRoll::Open).
const OPENINGS: u32 = Roll::OPENINGS.len() as u32;

/// Bits of a preset throw.
const BITS: u32 = 8;
/// The byte of a throw that is drawn from the rolls that begin a game.
const OPEN: u32 = ANY + 1;

/// The larger die in the low half of each byte and the smaller in the high half: the 36 throws, then the rolls that
/// begin a game.
// One table, so that lanes of either kind look their dice up together.
pub(super) static DICE: [u8; 64] = {
    let mut dice = [0; 64];
    let mut at = 0;
    while at < (ANY + OPENINGS) as usize {
        let roll = if at < ANY as usize { Roll::THROWS[at] } else { Roll::OPENINGS[at - ANY as usize] };
        dice[at] = roll.high() | roll.low() << 4;
        at += 1;
    }
    dice
};

/// The throws of a game's next plies that are not drawn from all 36.
///
/// Each has a byte, the next ply's lowest: 0 for a throw drawn from all, [`OPEN`] for one drawn from the rolls
/// that begin a game, and otherwise the number of the throw in [`Roll::THROWS`], counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Preset(u32);

impl Preset {
    /// All throws are drawn from all 36.
    pub(super) const NONE: Preset = Preset(0);
    /// The most plies whose throws are preset.
    pub(super) const MAX_PLIES: u32 = 2;

    /// The preset throws of a game that begins; `stratified` are those of the game's seed.
    #[inline]
    pub(super) fn new(first_roll: FirstRoll, stratified: Option<&StratifiedThrows>, game: u64) -> Preset {
        let byte = |throw: usize| throw as u32 + 1;
        match (stratified, first_roll) {
            (Some(throws), _) => {
                let [first, second] = throws.of_game(game).map(byte);
                Preset(first | second << BITS)
            }
            (None, FirstRoll::Open) => Preset(OPEN),
            (None, FirstRoll::Given(roll)) => Preset(byte(roll.throw())),
            (None, _) => Preset::NONE,
        }
    }

    #[inline(always)]
    pub(super) fn from_word(word: u32) -> Preset {
        Preset(word)
    }

    #[inline(always)]
    pub(super) fn word(self) -> u32 {
        self.0
    }

    /// The rolls that each preset throw is drawn from.
    #[inline(always)]
    pub(super) fn rolls(self) -> [&'static [Roll]; Preset::MAX_PLIES as usize] {
        core::array::from_fn(|ply| match self.0 >> (ply as u32 * BITS) & ((1 << BITS) - 1) {
            0 => &Roll::THROWS[..],
            OPEN => &Roll::OPENINGS[..],
            throw => &Roll::THROWS[throw as usize - 1..throw as usize],
        })
    }
}

/// The throw that a word draws from all, as an index of [`DICE`], and the fraction that is left of the word.
#[inline(always)]
pub(super) fn draw<V: Vector>(word: V) -> (V, V) {
    word.mul_wide_by::<ANY>()
}

/// As [`draw`], but a lane with a [preset](Preset) throw takes that. Also returns the preset throws that remain.
#[inline(always)]
pub(super) fn draw_or_take<V: Vector>(word: V, preset: V) -> (V, V, V) {
    let byte = preset & ((1 << BITS) - 1);
    let open = byte.lanes_equal(word.splat(OPEN));
    let drawn = byte.lanes_zero() | open;
    let (throw, fraction) = word.mul_wide(word.splat(OPENINGS).blend(open, word.splat(ANY)));
    let throw = throw.wrapping_add(word.splat(ANY).zero_unless(open));
    (
        throw.blend(drawn, byte.wrapping_sub(word.splat(1))),
        // A given throw uses up nothing of the word.
        fraction.blend(drawn, word),
        preset.shr_by::<{ BITS }>(),
    )
}
