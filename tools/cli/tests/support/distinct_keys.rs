//! JSON in which no object has a key twice: parsers keep one of both, and not all the same one.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Fails for an object with a key twice.
struct DistinctKeys;

impl<'de> Deserialize<'de> for DistinctKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DistinctKeys, D::Error> {
        deserializer.deserialize_any(DistinctKeys)
    }
}

impl<'de> Visitor<'de> for DistinctKeys {
    type Value = DistinctKeys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<DistinctKeys, A::Error> {
        let mut keys = HashSet::new();
        while let Some((key, DistinctKeys)) = map.next_entry::<String, DistinctKeys>()? {
            if let Some(twice) = keys.replace(key) {
                return Err(A::Error::custom(format_args!("{twice} comes twice")));
            }
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<DistinctKeys, A::Error> {
        while items.next_element::<DistinctKeys>()?.is_some() {}
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<DistinctKeys, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<DistinctKeys, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<DistinctKeys, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<DistinctKeys, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<DistinctKeys, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<DistinctKeys, E> {
        Ok(self)
    }
}

/// Fails the test if an object in the lines of JSON has a key twice.
pub(super) fn check(json: &[u8]) {
    for document in serde_json::Deserializer::from_slice(json).into_iter::<DistinctKeys>() {
        document.unwrap_or_else(|error| panic!("{error} in {}", String::from_utf8_lossy(json)));
    }
}
