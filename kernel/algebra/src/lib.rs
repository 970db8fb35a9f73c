//! Plays of doubles on a board of points: counted in closed form and picked by index, for backgammon, Plakoto and
//! Fevga alike; and the [table of pairs](PairTable) in which their plays of two different dice stand.
//!
//! A side has up to 15 checkers on 24 points. Bit `p` of a mask is point `p` as the mover counts, and bit 0 the place
//! off the board; bit `p` of plane `k` is bit `k` of the number of checkers on point `p` ([`planes`]). The points that
//! may be landed on are a mask of *open* points, which does not change during a play.
//!
//! A *tower* is a point with own checkers from which a checker can step. A play of a double uses each point `x` some
//! number of times `f(x)`. Each use takes one checker from `x` to `x - d`. Points that fill only during the play may be
//! used too. Different uses give different results. So plays are the functions `f` with `f(x) <= count(x) + f(x + d)`
//! on points whose landing point is open, of the largest total that can be played. That total is at most four, and
//! every such function follows one of fifteen [patterns](Pattern). `kernel/backgammon/docs/algebra.md`, the page
//! `plays::algebra` of `tavli-backgammon`, proves that these are complete and disjoint.
//!
//! ```
//! use tavli_algebra::DoubleMasks;
//! use tavli_simd::{Isa, Scalar};
//! // Two checkers on point 8 and one on point 6; every point is open, and none may be borne off.
//! let word = |bits: u32| Scalar.splat(bits);
//! let counts = [word(1 << 6), word(1 << 8), word(0), word(0)];
//! let open = word(0x01ff_fffe);
//! let plays = DoubleMasks::new(counts, open, word(1), word(4), false).count();
//! assert_eq!(plays.plays().get(), 7);
//! ```
#![deny(missing_docs)]
#![expect(missing_debug_implementations, reason = "vectors of lanes have no text")]

mod bear_in;
mod double_masks;
mod larger_die;
mod pair_table;
mod pattern;
pub mod planes;
mod plays;
mod points;
mod second_die;
mod subsets;
mod tower_uses;

pub use bear_in::BearIn;
pub use double_masks::DoubleMasks;
pub use larger_die::{by_larger_die, not_below, with_larger_die};
pub use pair_table::{PairCells, PairPlace, PairSlot, PairTable, PairTableSize};
pub use pattern::{Pattern, RUN_EACH, TWICE_EACH};
pub use planes::{CheckerPlanes, Steps};
pub use plays::{DoublePlays, DoubleSlot, PatternPlays};
pub use points::{HOME_AND_OFF, OFF_BIT, POINT_BITS};
pub use second_die::{Checkers, SecondDieBearOff, SecondStep};
pub use subsets::{SUBSET_STARTS, SUBSETS, ranks_of};
pub use tower_uses::{TowerUses, with_others};
