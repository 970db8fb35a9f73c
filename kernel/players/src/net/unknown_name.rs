//! The error of an unknown name of a net's part.

use tavli_backgammon::text::Quoted;
use thiserror::Error;

/// An unknown name of an encoder, activation function or kind of outputs.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown {kind} '{}'; choose one of: {}", Quoted::new(name), names.join(", "))]
pub struct UnknownNameError {
    /// The kind of the name, such as `encoder`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// The names to choose from.
    pub names: Vec<&'static str>,
}

/// [Named values](tavli_backgammon::named_values) of a part of nets, which are also read.
macro_rules! names {
    ($type:ident, $kind:literal: $($value:ident $name:literal),+) => {
        tavli_backgammon::named_values!($type: $($value $name),+);

        impl core::str::FromStr for $type {
            type Err = $crate::net::UnknownNameError;

            fn from_str(name: &str) -> Result<$type, $crate::net::UnknownNameError> {
                let found = $type::ALL.iter().find(|one| one.name() == name);
                found.copied().ok_or_else(|| $crate::net::UnknownNameError {
                    kind: $kind,
                    name: name.to_owned(),
                    names: vec![$($name),+],
                })
            }
        }
    };
}

pub(crate) use names;
