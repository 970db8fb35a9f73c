//! Values of an enum that are read by their names.

use thiserror::Error;

use crate::text::Quoted;

/// A text that names no value of an enum.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown {kind} '{}'; choose one of: {}", Quoted::new(name), names.join(", "))]
pub struct UnknownNameError {
    /// The kind of the value, such as `encoder`.
    pub kind: &'static str,
    /// The text.
    pub name: String,
    /// The names to choose from.
    pub names: Vec<&'static str>,
}

/// [Named values](crate::named_values!) that are also parsed: `FromStr` looks up a name. The text is the kind of the
/// values, which the error names.
///
/// ```
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// pub enum Colour {
///     White,
///     Black,
/// }
///
/// tavli_base::parsed_values!(Colour, "colour": White "white", Black "black");
///
/// assert_eq!("black".parse(), Ok(Colour::Black));
/// let error = "red".parse::<Colour>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown colour 'red'; choose one of: white, black");
/// ```
#[macro_export]
macro_rules! parsed_values {
    ($type:ident, $kind:literal: $($value:ident $name:literal),+ $(,)?) => {
        $crate::named_values!($type: $($value $name),+);

        impl ::core::str::FromStr for $type {
            type Err = $crate::UnknownNameError;

            fn from_str(name: &str) -> ::core::result::Result<$type, $crate::UnknownNameError> {
                let found = $type::ALL.iter().find(|one| one.name() == name);
                found.copied().ok_or_else(|| $crate::UnknownNameError {
                    kind: $kind,
                    name: name.to_owned(),
                    names: vec![$($name),+],
                })
            }
        }
    };
}
