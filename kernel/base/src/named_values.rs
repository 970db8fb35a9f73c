//! Names of the values of an enum.

/// The values of an enum, in a list and by name: `ALL`, `name` and `Display`.
///
/// ```
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// pub enum Colour {
///     White,
///     Black,
/// }
///
/// tavli_base::named_values!(Colour: White "white", Black "black");
///
/// assert_eq!(Colour::ALL, [Colour::White, Colour::Black]);
/// assert_eq!((Colour::Black.name(), format!("{:>6}", Colour::White)), ("black", " white".to_owned()));
/// ```
#[macro_export]
macro_rules! named_values {
    ($type:ident: $($value:ident $name:literal),+ $(,)?) => {
        impl $type {
            /// All values, in the order of their documentation.
            pub const ALL: &[$type] = &[$($type::$value),+];

            /// The name in tables, settings and files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name),+
                }
            }
        }

        impl ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                // `write_str` would ignore the width of a table's column.
                f.pad(self.name())
            }
        }
    };
}
