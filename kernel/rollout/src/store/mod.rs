//! How rollouts are kept: saved, saved while they are played, and put together from their parts.

pub(crate) mod corrections_record;
pub(crate) mod cube_record;
pub(crate) mod ends_record;
pub(crate) mod merge;
mod possible_sums;
pub(crate) mod record;

/// Sums of values in a record have fewer bits, so that they fit 128 bits where they are added up: over 512 rounds, 441
/// strata and six outcomes, whose points make 12, and over the parts that are merged. Those of games are far smaller.
const VALUE_BITS: u32 = 96;

/// Sums of squares, products and cubes in a record have fewer bits. They are added up over 512 rounds and four classes
/// of strata. Those of 2^50 games are smaller.
const POWER_BITS: u32 = 116;

/// Whether sums have fewer bits than these.
fn are_below<'a>(bits: u32, sums: impl IntoIterator<Item = &'a i128>) -> bool {
    sums.into_iter().all(|sum| sum.unsigned_abs() >> bits == 0)
}
