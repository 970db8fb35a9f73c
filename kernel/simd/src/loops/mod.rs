//! Plain loops over floats that are compiled for each instruction set.
//!
//! ```
//! use tavli_simd::Tier;
//! use tavli_simd::loops::{Loops, run_on};
//!
//! /// `sums += factor * numbers`.
//! struct AddTimes<'a> {
//!     sums: &'a mut [f32],
//!     factor: f32,
//!     numbers: &'a [f32],
//! }
//!
//! impl Loops for AddTimes<'_> {
//!     #[inline(always)]
//!     fn run<const WIDE: usize>(self) {
//!         for (sum, number) in self.sums.iter_mut().zip(self.numbers) {
//!             *sum += self.factor * number;
//!         }
//!     }
//! }
//!
//! let mut sums = [1.0, 2.0];
//! run_on(Tier::best(), AddTimes { sums: &mut sums, factor: 0.5, numbers: &[4.0, 8.0] });
//! assert_eq!(sums, [3.0, 6.0]);
//! ```

mod sparse;
mod work;

pub use sparse::{AddSparseProduct, Sparse};
pub use work::{LANES, Loops, ROWS, run_on};
