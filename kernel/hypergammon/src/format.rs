//! The frame of both kinds of files: a header before the values, and a checksum after them.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `tavlihyp` |
//! | 4 | the version |
//! | 4 | 1 if it is finished, or 0 |
//! | 4 | the sweeps done |
//! | | the values |
//! | 4 | the CRC-32 of all bytes before |
//!
//! Numbers are little-endian. Files that have equities with a cube have version 3, files without them version 2. In
//! version 1 the CRC-32 covered only the values, and came before them.

use std::io::{self, Read, Write};

use crc32fast::Hasher;

use crate::error::{SolutionError, WITH_CUBE};

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"tavlihyp";
/// The contents of a header.
pub(crate) struct Header {
    pub(crate) version: u32,
    pub(crate) is_whole: bool,
    pub(crate) sweeps: u32,
}

/// A file that is being written.
pub(crate) struct Writer<'a> {
    output: &'a mut dyn Write,
    checksum: Hasher,
}

impl<'a> Writer<'a> {
    pub(crate) fn begin(output: &'a mut dyn Write, header: &Header) -> io::Result<Writer<'a>> {
        let mut writer = Writer { output, checksum: Hasher::new() };
        writer.write(MAGIC)?;
        for word in [header.version, u32::from(header.is_whole), header.sweeps] {
            writer.write(&word.to_le_bytes())?;
        }
        Ok(writer)
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.update(bytes);
        self.output.write_all(bytes)
    }

    pub(crate) fn end(self) -> io::Result<()> {
        let checksum = self.checksum.finalize();
        self.output.write_all(&checksum.to_le_bytes())
    }
}

/// A file that is being read.
pub(crate) struct Reader<'a> {
    input: &'a mut dyn Read,
    checksum: Hasher,
    /// The expected checksum, if the file names it before the values.
    expected: Option<u32>,
}

impl<'a> Reader<'a> {
    pub(crate) fn begin(input: &'a mut dyn Read) -> Result<(Reader<'a>, Header), SolutionError> {
        let mut reader = Reader { input, checksum: Hasher::new(), expected: None };
        match reader.read() {
            Ok(magic) if magic == *MAGIC => {}
            // A file of fewer bytes than the first eight is another one, not a damaged one.
            Ok(_) | Err(SolutionError::Damaged) => return Err(SolutionError::Foreign),
            Err(error) => return Err(error),
        }
        let version = reader.word()?;
        if !(1..=WITH_CUBE).contains(&version) {
            return Err(SolutionError::Version(version));
        }
        let (is_whole, sweeps) = (reader.word()?, reader.word()?);
        if version == 1 {
            reader.expected = Some(reader.word()?);
            reader.checksum = Hasher::new();
        }
        let header = Header { version, is_whole: is_whole == 1, sweeps };
        match is_whole {
            0 | 1 => Ok((reader, header)),
            _ => Err(SolutionError::Damaged),
        }
    }

    /// The next bytes.
    pub(crate) fn read<const N: usize>(&mut self) -> Result<[u8; N], SolutionError> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => SolutionError::Damaged,
            _ => SolutionError::Unreadable(error.to_string()),
        })?;
        self.checksum.update(&bytes);
        Ok(bytes)
    }

    fn word(&mut self) -> Result<u32, SolutionError> {
        self.read().map(u32::from_le_bytes)
    }

    /// Checks the checksum, and that nothing follows.
    pub(crate) fn end(mut self) -> Result<(), SolutionError> {
        // Before the last word is read, since every read adds to the checksum.
        let found = self.checksum.clone().finalize();
        let expected = match self.expected {
            Some(expected) => expected,
            None => self.word()?,
        };
        // `Damaged` here says that there is no further byte, as there should not be.
        match (found == expected, self.read::<1>()) {
            (true, Err(SolutionError::Damaged)) => Ok(()),
            (_, Err(SolutionError::Unreadable(reason))) => Err(SolutionError::Unreadable(reason)),
            _ => Err(SolutionError::Damaged),
        }
    }
}
