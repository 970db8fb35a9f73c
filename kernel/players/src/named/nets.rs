//! The files of the built-in nets: part of the program, or given to it at run time where they would make a download too
//! large.

#[cfg(not(feature = "nets"))]
use std::sync::OnceLock;

use super::error::NamedError;
use crate::net::PlayerFile;
use crate::player::NamedPlayer;

/// A net of a built-in player.
pub(super) struct Net {
    name: &'static str,
    /// The CRC-32 in the last four bytes of the file.
    checksum: u32,
    #[cfg(feature = "nets")]
    file: &'static [u8],
    /// The player read from the given file.
    #[cfg(not(feature = "nets"))]
    given: OnceLock<NamedPlayer>,
}

macro_rules! net {
    ($name:literal, $checksum:literal) => {
        Net {
            name: $name,
            checksum: $checksum,
            #[cfg(feature = "nets")]
            file: include_bytes!(concat!("../../players/", $name, ".player")),
            #[cfg(not(feature = "nets"))]
            given: OnceLock::new(),
        }
    };
}

pub(super) static ALL: [Net; 3] = [net!("td80", 0x89ab_f496), net!("fast", 0x254a_75cc), net!("strong", 0xcf40_e0b8)];

impl Net {
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// The player; an error if its file is neither part of the program nor given.
    pub(super) fn player(&self) -> Result<NamedPlayer, NamedError> {
        #[cfg(feature = "nets")]
        return self.read(self.file);
        #[cfg(not(feature = "nets"))]
        self.given.get().cloned().ok_or(NamedError::NetMissing(self.name))
    }

    /// Takes the file, if it is this net's and whole. It is read here, once, and not each time that the player is
    /// named.
    pub(super) fn give(&self, file: &[u8]) -> Result<(), NamedError> {
        if !self.has(file) {
            return Err(NamedError::OtherNet(self.name));
        }
        #[cfg(not(feature = "nets"))]
        {
            let player = self.read(file)?;
            // A player given before is the same player: both files had the checksum.
            self.given.get_or_init(|| player);
        }
        Ok(())
    }

    /// The player of the net's file.
    fn read(&self, file: &[u8]) -> Result<NamedPlayer, NamedError> {
        let name = self.name;
        let damaged = |reason: String| NamedError::Damaged { path: format!("{name}.player"), reason };
        // The module for JavaScript has no room for the lazy player, which is one more way to read a file.
        if cfg!(target_family = "wasm") {
            return read_player(name, file).map(|(player, _)| player).map_err(damaged);
        }
        let file = PlayerFile::read(file).map_err(|error| damaged(error.to_string()))?;
        let player = file.known_player(name).map_err(|error| damaged(error.to_string()))?;
        Ok(NamedPlayer::from_policy_and_evaluator(player))
    }

    /// Whether this is the net's file, by the checksum at its end. The reader compares the checksum with the rest.
    fn has(&self, file: &[u8]) -> bool {
        let sum = file.last_chunk().map(|&sum| u32::from_le_bytes(sum));
        sum == Some(self.checksum)
    }
}

/// Reads a [`PlayerFile`]: the player, and the recipe that trained it.
pub(super) fn read_player(name: &str, file: &[u8]) -> Result<(NamedPlayer, String), String> {
    let file = PlayerFile::read(file).map_err(|error| error.to_string())?;
    let player = file.player(name).map_err(|error| error.to_string())?;
    Ok((NamedPlayer::from_policy_and_evaluator(player), file.recipe))
}

#[cfg(all(test, feature = "nets"))]
mod tests {
    use super::*;

    #[test]
    fn recorded_checksums_are_those_of_the_files() {
        for net in &ALL {
            assert!(net.has(net.file), "{}", net.name);
            assert_eq!(net.give(net.file), Ok(()));
            let other = NamedError::OtherNet(net.name);
            assert_eq!(net.give(&net.file[..100]), Err(other.clone()));
            assert_eq!(net.give(&[]), Err(other));
        }
    }
}

#[cfg(all(test, not(feature = "nets")))]
mod given {
    use super::*;

    #[test]
    fn a_file_is_read_where_it_is_given() {
        let net = &ALL[0];
        let mut file = include_bytes!("../../players/td80.player").to_vec();
        let middle = file.len() / 2;
        file[middle] ^= 0x40;
        let is_damaged = |given: Result<(), NamedError>| matches!(given, Err(NamedError::Damaged { .. }));
        assert!(is_damaged(net.give(&file)));
        assert_eq!(net.player().err(), Some(NamedError::NetMissing("td80")));
        file[middle] ^= 0x40;
        assert_eq!(net.give(&file), Ok(()));
        file[middle] ^= 0x40;
        assert!(is_damaged(net.give(&file)));
        assert_eq!(net.player().expect("a player").policy.name(), "td80");
    }
}
