//! Plain loops over floats that are compiled for each instruction set.
//!
//! ```
//! use tavli_simd::Tier;
//! use tavli_simd::loops::call_on;
//!
//! /// `sums += factor * numbers`.
//! fn add_times(tier: Tier, sums: &mut [f32], factor: f32, numbers: &[f32]) {
//!     call_on(
//!         tier,
//!         #[inline(always)]
//!         move || {
//!             for (sum, number) in sums.iter_mut().zip(numbers) {
//!                 *sum += factor * number;
//!             }
//!         },
//!     );
//! }
//!
//! let mut sums = [1.0, 2.0];
//! add_times(Tier::best(), &mut sums, 0.5, &[4.0, 8.0]);
//! assert_eq!(sums, [3.0, 6.0]);
//! ```

mod sparse;
mod work;

pub use sparse::{AddSparseProduct, Sparse};
pub use work::{LANES, Loops, ROWS, call_on, run_on};
