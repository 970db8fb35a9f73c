//! The form of a record in a file: its schema, the checksum of its contents, and the contents.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use tavli::text::{BYTE_ORDER_MARK, Quoted, is_printable};
use thiserror::Error;

use crate::record::definition::Record;

/// The version of the form of records. A reader refuses other versions.
const SCHEMA: u32 = 2;

/// Why a text cannot be read as a record.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It is not JSON, lacks a member, or has an unknown one.
    #[error("not a record of tavli bench: {0}; give a file that tavli bench --save wrote")]
    Form(#[from] serde_json::Error),
    /// The record has another schema.
    #[error(
        "the record has schema {found}, and this version reads schema {SCHEMA}; measure again with \
         this version, or use the version that wrote the record"
    )]
    Schema {
        /// The schema of the record.
        found: u64,
    },
    /// The record is damaged, or was changed after it was written.
    #[error(
        "the record was changed after it was measured: its checksum is '{found}', its contents have \
         '{contents}'; restore the file, or measure again"
    )]
    Checksum {
        /// The checksum in the record.
        found: String,
        /// The checksum of its contents.
        contents: String,
    },
    /// An impossible value.
    #[error("{place}: {reason}; restore the file, or measure again")]
    Value {
        /// Its place, such as `case 'games', repetition 3`.
        place: String,
        /// The value, and what it must be.
        reason: String,
    },
}

/// The contents of a file.
#[derive(Serialize)]
struct File<'a> {
    schema: u32,
    checksum: String,
    #[serde(flatten)]
    contents: Contents<'a>,
}

struct Contents<'a>(&'a Record);

impl Serialize for Contents<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The derived function; the trait's method would write a file.
        Record::serialize(self.0, serializer)
    }
}

impl Serialize for Record {
    /// Writes the record with its schema and checksum, as [`Record::parse`] reads it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let file = File { schema: SCHEMA, checksum: self.checksum(), contents: Contents(self) };
        file.serialize(serializer)
    }
}

impl Record {
    /// The checksum that a file of this record has: the CRC-32 of the contents, and of the schema by which they are
    /// read, as JSON without blanks; 8 hexadecimal digits.
    #[must_use]
    pub fn checksum(&self) -> String {
        let text = serde_json::to_vec(&(SCHEMA, Contents(self)));
        let text = text.expect("records have no keys but text");
        format!("{:08x}", crc32fast::hash(&text))
    }

    /// Reads a record.
    ///
    /// # Errors
    /// [`RecordError`] if the text is not a record of this schema, if it was changed after it was written, or if it has
    /// impossible values.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        #[derive(Deserialize)]
        struct Head {
            schema: Option<u64>,
            /// The name that the schema's member had before version 2.
            format: Option<u64>,
            checksum: Option<String>,
        }
        let text = text.trim_start_matches(BYTE_ORDER_MARK);
        let head: Head = serde_json::from_str(text)?;
        if let Some(found) = head.schema.or(head.format)
            && found != u64::from(SCHEMA)
        {
            return Err(RecordError::Schema { found });
        }
        let mut contents: Value = serde_json::from_str(text)?;
        check_text("the record", &contents)?;
        if let Some(members) = contents.as_object_mut() {
            members.remove("schema");
            members.remove("checksum");
        }
        let record = Record::deserialize(contents)?;
        let (found, contents) = (head.checksum.unwrap_or_default(), record.checksum());
        if found != contents {
            return Err(RecordError::Checksum { found, contents });
        }
        record.check()?;
        Ok(record)
    }
}

/// Fails if a text has an unprintable character, which a terminal may obey. Measured records have none: recipes with
/// such a character are refused, and in the command it is replaced.
fn check_text(place: &str, value: &Value) -> Result<(), RecordError> {
    let check = |text: &str| match is_printable(text) {
        false => Err(RecordError::Value {
            place: place.to_owned(),
            reason: format!("\"{}\" has a character that is not printable", Quoted::new(text)),
        }),
        true => Ok(()),
    };
    match value {
        Value::String(text) => check(text),
        Value::Array(values) => values.iter().try_for_each(|value| check_text(place, value)),
        Value::Object(members) => members.iter().try_for_each(|(member, value)| {
            check(member)?;
            check_text(member, value)
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    fn error(text: &str) -> String {
        Record::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn records_are_written_and_read() {
        let record = record(&[("games", 2, &[1000.0])]);
        for text in [serde_json::to_string(&record).unwrap(), serde_json::to_string_pretty(&record).unwrap()] {
            assert_eq!(Record::parse(&text).unwrap(), record);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let text = serde_json::to_string(&record(&[("games", 2, &[1000.0])])).unwrap();
        let other = text.replacen("\"schema\":2", "\"schema\":3", 1);
        assert!(error(&other).contains("schema 3, and this version reads schema 2; measure again"));
        let old = text.replacen("\"schema\":2", "\"format\":1", 1);
        assert!(error(&old).contains("schema 1, and this version reads schema 2"));
        let more = text.replacen("\"recipe\"", "\"colour\":1,\"recipe\"", 1);
        assert!(error(&more).contains("unknown field `colour`"));
        assert!(error("{}").contains("missing field `recipe`"));
        assert!(error("nonsense").contains("not a record"));
    }

    #[test]
    fn a_record_that_was_changed_is_refused() {
        let text = serde_json::to_string(&record(&[("games", 2, &[1000.0])])).unwrap();
        for (written, changed) in [
            // Halved times would make a record twice as fast.
            ("\"seconds\":2.0", "\"seconds\":1.0"),
            ("\"cores\":4", "\"cores\":8"),
            ("\"passed\":true", "\"passed\":false"),
            ("made up", "made down"),
            ("\"cpu\":1,", "\"cpu\":2,"),
        ] {
            let changed = text.replacen(written, changed, 1);
            assert_ne!(changed, text);
            let error = error(&changed);
            assert!(error.contains("was changed after it was measured"), "{error}");
            assert!(error.contains("restore the file, or measure again"), "{error}");
        }
        let without = text.replacen("\"checksum\"", "\"format\":2,\"checksum\"", 1);
        assert!(error(&without).contains("unknown field `format`"));
    }
}
