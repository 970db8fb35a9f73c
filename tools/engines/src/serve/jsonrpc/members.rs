//! JSON with the members that its objects name twice, which a `Value` alone passes over.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A value, and the first member that one of its objects names twice.
#[derive(Default)]
pub(super) struct Members {
    pub(super) value: Value,
    pub(super) twice: Option<String>,
}

impl Members {
    /// A value without members.
    fn scalar(value: impl Into<Value>) -> Members {
        let value = value.into();
        Members { value, twice: None }
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Members, E> {
                Ok(Members::scalar(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Members, E> {
                Ok(Members::scalar(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Members, E> {
                Ok(Members::scalar(value))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Members, E> {
                Ok(Members::scalar(value))
            }

            fn visit_str<E>(self, value: &str) -> Result<Members, E> {
                Ok(Members::scalar(value))
            }

            fn visit_unit<E>(self) -> Result<Members, E> {
                Ok(Members::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Members, A::Error> {
                let (mut values, mut twice) = (Vec::new(), None);
                while let Some(element) = list.next_element::<Members>()? {
                    values.push(element.value);
                    twice = twice.or(element.twice);
                }
                let value = Value::Array(values);
                Ok(Members { value, twice })
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Members, A::Error> {
                let (mut members, mut twice) = (Map::new(), None);
                while let Some(name) = object.next_key::<String>()? {
                    let member: Members = object.next_value()?;
                    let again = members.insert(name.clone(), member.value).map(|_| name);
                    twice = twice.or(again).or(member.twice);
                }
                let value = Value::Object(members);
                Ok(Members { value, twice })
            }
        }

        deserializer.deserialize_any(Any)
    }
}
