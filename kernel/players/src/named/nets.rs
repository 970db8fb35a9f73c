//! The files of the built-in nets: part of the program, or given to it at run time where they would make a download too
//! large.

use core::ops::Deref;
#[cfg(not(feature = "nets"))]
use std::collections::BTreeMap;
#[cfg(not(feature = "nets"))]
use std::sync::{Arc, PoisonError, RwLock};

use super::error::NamedError;

/// A net of a built-in player.
pub(super) struct Net {
    name: &'static str,
    /// The CRC-32 in the last four bytes of the file.
    checksum: u32,
    #[cfg(feature = "nets")]
    file: &'static [u8],
}

macro_rules! net {
    ($name:literal, $checksum:literal) => {
        Net {
            name: $name,
            checksum: $checksum,
            #[cfg(feature = "nets")]
            file: include_bytes!(concat!("../../players/", $name, ".player")),
        }
    };
}

pub(super) static ALL: [Net; 3] = [
    net!("td80", 0x89ab_f496),
    net!("fast", 0x254a_75cc),
    net!("strong", 0xcf40_e0b8),
];

#[cfg(not(feature = "nets"))]
static GIVEN: RwLock<BTreeMap<&'static str, Arc<[u8]>>> = RwLock::new(BTreeMap::new());

impl Net {
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// The file; an error if it is neither part of the program nor given.
    pub(super) fn file(&self) -> Result<impl Deref<Target = [u8]>, NamedError> {
        #[cfg(feature = "nets")]
        return Ok(self.file);
        #[cfg(not(feature = "nets"))]
        {
            let given = GIVEN.read().unwrap_or_else(PoisonError::into_inner);
            let file = given.get(self.name).cloned();
            file.ok_or(NamedError::NetMissing(self.name))
        }
    }

    /// Takes the file, if it is this net's.
    pub(super) fn give(&self, file: &[u8]) -> Result<(), NamedError> {
        if !self.has(file) {
            return Err(NamedError::OtherNet(self.name));
        }
        #[cfg(not(feature = "nets"))]
        {
            let mut given = GIVEN.write().unwrap_or_else(PoisonError::into_inner);
            given.insert(self.name, file.into());
        }
        Ok(())
    }

    /// Whether this is the net's file, by the checksum at its end, with which the reader compares the rest.
    fn has(&self, file: &[u8]) -> bool {
        let sum = file.last_chunk().map(|&sum| u32::from_le_bytes(sum));
        sum == Some(self.checksum)
    }
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
