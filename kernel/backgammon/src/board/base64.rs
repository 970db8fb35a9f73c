//! Bit strings written as base64 text, the way GNU Backgammon writes its IDs.

use core::fmt;
use core::ops::Deref;

use thiserror::Error;

/// The standard base64 alphabet (RFC 4648, section 4).
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The value 0 to 63 of each base64 character, [`NO_VALUE`] for other bytes.
const VALUES: [u8; 256] = {
    let mut values = [NO_VALUE; 256];
    let mut value = 0;
    while value < 64 {
        values[ALPHABET[value] as usize] = value as u8;
        value += 1;
    }
    values
};

const NO_VALUE: u8 = 0xff;

/// `N` base64 characters: plain text that is copied, compared and ordered as its ASCII bytes, without
/// allocation. [`PositionId`](super::PositionId) has 14 of them, [`MatchId`](super::MatchId) 12.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Base64<const N: usize>([u8; N]);

/// Why text is not `N` base64 characters.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Base64Error {
    /// The wrong number of characters.
    #[error("it must have {expected} characters, not {found}")]
    Length {
        /// The number needed.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// A character outside the alphabet.
    #[error("character {position} is '{}'; it must be A-Z, a-z, 0-9, + or /", character.escape_debug())]
    Character {
        /// The character.
        character: char,
        /// Which one it is, from 1.
        position: usize,
    },
    /// The last character has bits beyond the last byte.
    #[error("its last character is '{character}': the low {unused} bits are unused and must be zero")]
    UnusedBits {
        /// The last character.
        character: char,
        /// How many of its low bits are unused.
        unused: u32,
    },
}

impl<const N: usize> Base64<N> {
    /// The number of characters.
    pub(super) const CHARACTERS: usize = N;
    /// The whole bytes that `N` characters hold.
    const BYTES: u32 = N as u32 * 6 / 8;
    /// The bits of the last character beyond those bytes.
    const UNUSED: u32 = N as u32 * 6 % 8;

    /// The text of a bit string that fills bytes from the least significant bit on.
    pub(super) fn from_bits(bits: u128) -> Base64<N> {
        // The first byte is the most significant one in base64.
        let value = bits.swap_bytes() >> (128 - 8 * Self::BYTES) << Self::UNUSED;
        Base64(core::array::from_fn(|i| ALPHABET[(value >> (6 * (N - 1 - i))) as usize & 63]))
    }

    /// The bit string that `text` stands for.
    pub(super) fn read_bits(text: &str) -> Result<u128, Base64Error> {
        let Ok(digits) = <&[u8; N]>::try_from(text.as_bytes()) else {
            return Err(Self::not_digits(text));
        };
        let mut value = 0;
        for &digit in digits {
            let digit = VALUES[usize::from(digit)];
            if digit == NO_VALUE {
                return Err(Self::not_digits(text));
            }
            value = value << 6 | u128::from(digit);
        }
        if value & ((1 << Self::UNUSED) - 1) != 0 {
            return Err(Base64Error::UnusedBits {
                character: text.chars().next_back().unwrap_or_default(),
                unused: Self::UNUSED,
            });
        }
        Ok((value >> Self::UNUSED << (128 - 8 * Self::BYTES)).swap_bytes())
    }

    /// Why text is not `N` characters of the alphabet.
    fn not_digits(text: &str) -> Base64Error {
        let found = text.chars().count();
        let wrong = |c: &char| u8::try_from(*c).map_or(NO_VALUE, |b| VALUES[usize::from(b)]) == NO_VALUE;
        match text.chars().zip(1..).find(|(c, _)| wrong(c)) {
            Some((character, position)) if found == N => Base64Error::Character { character, position },
            _ => Base64Error::Length { expected: N, found },
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).expect("the base64 alphabet is ASCII")
    }

    /// The ASCII bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> Deref for Base64<N> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> fmt::Display for Base64<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl<const N: usize> fmt::Debug for Base64<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
