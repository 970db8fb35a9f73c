//! Records: JSON objects with an envelope around their contents.
//!
//! ```text
//! {
//!   "format": "tavli rollout",
//!   "version": 10,                   // of the form of the contents
//!   "values": "...",                 // the signature of the games: tells whether another program plays the same games
//!   "checksum": "0a1b2c3d",          // CRC-32 of the JSON array of version, values and contents, as they are written
//!   "rollout": { .. }                // the contents, under their name
//! }
//! ```

use core::fmt;
use core::marker::PhantomData;
use core::ops::RangeInclusive;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tavli_base::text::{BYTE_ORDER_MARK, Quoted};
use thiserror::Error as ThisError;

use crate::error::EMPTY_PATH;
use crate::{FileError, Target, whole_file};

/// The contents of a record.
pub trait RecordContents: Serialize + DeserializeOwned {
    /// The `format` of its records.
    const FORMAT: &'static str;
    /// The name of the contents, such as `rollout`.
    const NAME: &'static str;
    /// The versions of its form that are read; the last is written.
    const VERSIONS: RangeInclusive<u32>;

    /// The signature of its games in this program.
    fn signature(&self) -> String;
}

/// Why a text is not a record whose contents can be used here.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum EnvelopeError {
    /// It is not JSON, or lacks a member.
    #[error("it is not a record of a {name}: {source}")]
    Json {
        /// [`RecordContents::NAME`].
        name: &'static str,
        /// The reason.
        source: serde_json::Error,
    },
    /// It is a record of something else.
    #[error("it is not a record of a {name}: its format is '{}', not '{expected}'", Quoted::new(.found))]
    Format {
        /// [`RecordContents::NAME`].
        name: &'static str,
        /// Its format.
        found: String,
        /// [`RecordContents::FORMAT`].
        expected: &'static str,
    },
    /// It has another version.
    #[error("it is a record of version {found}; this program reads {}: use the version that wrote it", versions(.read))]
    Version {
        /// Its version.
        found: u32,
        /// [`RecordContents::VERSIONS`].
        read: RangeInclusive<u32>,
    },
    /// Its games were played by a version of this program that gives games other values.
    #[error(
        "it was saved by a version whose games have other values (signature {found}, here {ours}): continue with that \
         version, or begin a new one"
    )]
    Values {
        /// The signature in the record.
        found: String,
        /// [`RecordContents::signature`].
        ours: String,
    },
    /// It was changed after it was written, or is damaged.
    #[error(
        "it is damaged: its checksum is {found}, its contents have {contents}; restore it from a copy, or begin a new \
         one"
    )]
    Checksum {
        /// The checksum in the record.
        found: String,
        /// The checksum of its contents.
        contents: String,
    },
}

/// A member of a record with an invalid value.
#[derive(Clone, PartialEq, Eq, Debug, ThisError)]
#[error("invalid {member}: {reason}")]
pub struct MemberError {
    /// The member.
    pub member: &'static str,
    /// Why the value is invalid.
    pub reason: String,
}

impl MemberError {
    /// The error of a member, for this reason.
    pub fn new(member: &'static str, reason: impl fmt::Display) -> MemberError {
        let reason = reason.to_string();
        MemberError { member, reason }
    }
}

/// The value that was read from a member.
///
/// # Errors
/// [`MemberError`] if it is invalid.
pub fn member<T>(member: &'static str, value: Result<T, impl fmt::Display>) -> Result<T, MemberError> {
    value.map_err(|error| MemberError::new(member, error))
}

/// Why a saved record cannot be used.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum LoadError<E: std::error::Error + 'static> {
    /// The file cannot be read.
    #[error("{}", unread(path, source))]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is not a record that can be used here.
    #[error("cannot use {path}: {source}", path = path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: E,
    },
}

fn unread(path: &Path, source: &io::Error) -> String {
    match path.as_os_str().is_empty() {
        true => EMPTY_PATH.to_owned(),
        false => format!("cannot read {}: {source}", path.display()),
    }
}

/// The result of `read` for the record in a file.
///
/// # Errors
/// [`LoadError`] if the file cannot be read, or `read` refuses it.
pub fn load<T, E>(path: &Path, read: impl FnOnce(&str) -> Result<T, E>) -> Result<T, LoadError<E>>
where
    E: std::error::Error + 'static,
{
    let path_buf = || path.to_owned();
    let text = whole_file::read_text(path, whole_file::MAX_RECORD_BYTES);
    let text = text.map_err(|source| LoadError::Read { path: path_buf(), source })?;
    read(&text).map_err(|source| LoadError::Record { path: path_buf(), source })
}

/// Writes a record as a file of one line.
///
/// # Errors
/// [`FileError::Foreign`] if another program has put a file there meanwhile, [`FileError::Refused`] if the system fails
/// to write it.
pub fn save(mut record: String, target: &Target) -> Result<(), FileError> {
    record.push('\n');
    target.replace(record.as_bytes())
}

fn versions(read: &RangeInclusive<u32>) -> String {
    match (read.start(), read.end()) {
        (first, last) if first == last => format!("version {last}"),
        (first, last) => format!("versions {first} to {last}"),
    }
}

/// The record of some contents, as one line of JSON.
///
/// # Panics
/// If the contents have a map with keys that are not text.
#[must_use]
pub fn to_json<C: RecordContents>(contents: C) -> String {
    let (version, values) = (*C::VERSIONS.end(), contents.signature());
    let envelope = Envelope { version, checksum: checksum(version, &values, &contents), values, contents };
    serde_json::to_string(&envelope).expect("records have no keys but text")
}

/// The contents of a record.
///
/// # Errors
/// [`EnvelopeError`] if the text is not a record of such contents, or is damaged, or has another version or other
/// values.
pub fn from_json<C: RecordContents>(text: &str) -> Result<C, EnvelopeError> {
    let text = text.trim_start_matches(BYTE_ORDER_MARK);
    let json = |source| EnvelopeError::Json { name: C::NAME, source };
    // The record of another version may have another shape, but it has these members.
    let Head { format, version } = serde_json::from_str(text).map_err(json)?;
    if format != C::FORMAT {
        return Err(EnvelopeError::Format { name: C::NAME, found: format, expected: C::FORMAT });
    }
    if !C::VERSIONS.contains(&version) {
        return Err(EnvelopeError::Version { found: version, read: C::VERSIONS });
    }
    let envelope: Envelope<C> = serde_json::from_str(text).map_err(json)?;
    // Before the checksum, which covers these values: games of another program are whole, but do not mix with ours.
    let ours = envelope.contents.signature();
    if envelope.values != ours {
        let found = envelope.values;
        return Err(EnvelopeError::Values { found, ours });
    }
    let contents = checksum(version, &ours, &envelope.contents);
    match envelope.checksum == contents {
        true => Ok(envelope.contents),
        false => Err(EnvelopeError::Checksum { found: envelope.checksum, contents }),
    }
}

/// The CRC-32 of a record's version, values and contents.
fn checksum<C: RecordContents>(version: u32, values: &str, contents: &C) -> String {
    let text = serde_json::to_vec(&(version, values, contents)).expect("records have no keys but text");
    format!("{:08x}", crc32fast::hash(&text))
}

/// The members of every version of a record.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

/// A record of a version that is read.
struct Envelope<C> {
    version: u32,
    values: String,
    checksum: String,
    contents: C,
}

impl<C: RecordContents> Envelope<C> {
    const MEMBERS: &'static [&'static str] = &["format", "version", "values", "checksum", C::NAME];
}

// By hand: the contents stand under a name that their type decides, which no attribute of serde takes.
impl<C: RecordContents> Serialize for Envelope<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Self::MEMBERS.len()))?;
        map.serialize_entry("format", C::FORMAT)?;
        map.serialize_entry("version", &self.version)?;
        map.serialize_entry("values", &self.values)?;
        map.serialize_entry("checksum", &self.checksum)?;
        map.serialize_entry(C::NAME, &self.contents)?;
        map.end()
    }
}

impl<'de, C: RecordContents> Deserialize<'de> for Envelope<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Envelope<C>, D::Error> {
        deserializer.deserialize_map(Members(PhantomData))
    }
}

/// Reads the members of an envelope in any order, and no others.
struct Members<C>(PhantomData<C>);

impl<'de, C: RecordContents> Visitor<'de> for Members<C> {
    type Value = Envelope<C>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the record of a {}", C::NAME)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Envelope<C>, M::Error> {
        let (mut version, mut values, mut checksum, mut contents) = (None, None, None, None);
        while let Some(member) = map.next_key::<String>()? {
            match &*member {
                "format" => {
                    map.next_value::<IgnoredAny>()?;
                }
                "version" => version = Some(map.next_value()?),
                "values" => values = Some(map.next_value()?),
                "checksum" => checksum = Some(map.next_value()?),
                name if name == C::NAME => contents = Some(map.next_value()?),
                other => return Err(Error::unknown_field(other, Envelope::<C>::MEMBERS)),
            }
        }
        Ok(Envelope {
            version: version.ok_or_else(|| Error::missing_field("version"))?,
            values: values.ok_or_else(|| Error::missing_field("values"))?,
            checksum: checksum.ok_or_else(|| Error::missing_field("checksum"))?,
            contents: contents.ok_or_else(|| Error::missing_field(C::NAME))?,
        })
    }
}
