//! Names of the values of settings.

use tavli_game::text::Quoted;
use thiserror::Error;

/// A text that names no value of a setting.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown {setting} '{}'; choose one of: {names}", Quoted::new(text))]
pub struct NameError {
    pub(crate) setting: &'static str,
    pub(crate) text: String,
    pub(crate) names: String,
}

/// [Named values](tavli_game::named_values) of a setting that can be parsed.
macro_rules! names {
    ($type:ident, $setting:literal: $($value:ident $name:literal),+) => {
        tavli_game::named_values!($type: $($value $name),+);

        impl core::str::FromStr for $type {
            type Err = $crate::NameError;

            /// Looks up a name.
            fn from_str(text: &str) -> Result<$type, $crate::NameError> {
                let found = $type::ALL.iter().find(|one| one.name() == text);
                found.copied().ok_or_else(|| $crate::NameError {
                    setting: $setting,
                    text: text.to_owned(),
                    names: [$($name),+].join(", "),
                })
            }
        }
    };
}

pub(crate) use names;
