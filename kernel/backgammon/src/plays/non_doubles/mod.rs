//! Plays of non-doubles: counted in closed form, and picked by index.
//!
//! A play moves one checker from `x` by the high die `a` and one from `y` by the low die `b`. It is
//! drawn from a table whose rows are the sources `x` and whose columns are the sources `y`. The table holds every
//! distinct result exactly once; [`algebra`](super::algebra) has the proof.

mod list;
mod masks;
mod non_double_plays;

pub(crate) use masks::NonDoubleMasks;
pub(crate) use non_double_plays::NonDoublePlays;
