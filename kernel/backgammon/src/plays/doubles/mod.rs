//! Plays of doubles: the paper's towers, counted in closed form and picked by index.
//!
//! A *tower* is a point with own checkers. A play of a double uses each point `x` some number of times
//! `f(x)`. Each use takes one checker from `x` to `x - d`. Points that fill only during the play may be used too.
//! Different uses give different results. So plays are the functions `f` with
//! `f(x) <= count(x) + f(x + d)` on points whose landing point is open, of the largest total that can be
//! played. That total is at most four, and every such function follows one of fifteen [patterns](pattern).
//! [`algebra`](super::algebra) proves that these are complete and disjoint.

mod larger_die;
mod list;
mod masks;
mod pattern;
mod plays;
mod subsets;
mod uses;

pub(crate) use larger_die::with_larger_die;
pub(crate) use masks::DoubleMasks;
pub(crate) use plays::{DoublePlays, DoubleSlot};
pub(crate) use subsets::ranks_of;
pub(crate) use uses::{TowerUses, with_others};
