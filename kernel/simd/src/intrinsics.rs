//! Operations that are the same on every instruction set but for the name of an intrinsic.

/// Calls intrinsics that a value of the module proves to exist.
macro_rules! proven {
    ($($call:tt)*) => {
        // SAFETY: a token, or a vector, which it takes one to make, proves the instructions.
        unsafe { $($call)* }
    };
}
pub(crate) use proven;

/// Methods of two vectors, of one intrinsic each.
macro_rules! methods_by_intrinsic {
    ($($method:ident: $intrinsic:ident,)*) => {$(
        #[inline(always)]
        #[allow(unused_unsafe, reason = "WebAssembly's intrinsics are safe functions")]
        fn $method(mut self, other: Self) -> Self {
            self.0 = $crate::intrinsics::proven!($intrinsic(self.0, other.0));
            self
        }
    )*};
}
pub(crate) use methods_by_intrinsic;

/// An operator of a type, of one intrinsic. The names in brackets are the type's parameters.
macro_rules! operator_by_intrinsic {
    ([$($parameters:tt)*] $type:ty, $operator:ident, $method:ident: $intrinsic:ident) => {
        impl<$($parameters)*> core::ops::$operator for $type {
            type Output = Self;
            $crate::intrinsics::methods_by_intrinsic! { $method: $intrinsic, }
        }
    };
}
pub(crate) use operator_by_intrinsic;

/// The operator `!` of a type, by one intrinsic, which x86 lacks.
#[cfg(not(target_arch = "x86_64"))]
macro_rules! not_by_intrinsic {
    ($type:ty: $intrinsic:ident) => {
        impl core::ops::Not for $type {
            type Output = Self;
            #[inline(always)]
            #[allow(unused_unsafe, reason = "WebAssembly's intrinsics are safe functions")]
            fn not(mut self) -> Self {
                self.0 = $crate::intrinsics::proven!($intrinsic(self.0));
                self
            }
        }
    };
}
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use not_by_intrinsic;

/// A bit operator of a vector: with another one, by one intrinsic, and with a word in every lane.
macro_rules! bit_operator_of_vector {
    ([$($parameters:tt)*] $vector:ty, $operator:ident, $method:ident: $intrinsic:ident) => {
        $crate::intrinsics::operator_by_intrinsic!([$($parameters)*] $vector, $operator, $method: $intrinsic);

        impl<$($parameters)*> core::ops::$operator<u32> for $vector {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: u32) -> Self {
                self.$method(self.splat(other))
            }
        }
    };
}
pub(crate) use bit_operator_of_vector;

/// The method that loads a vector from the front of a slice, by an intrinsic that reads at any alignment.
macro_rules! load_by_intrinsic {
    ($value:ty, $lanes:literal, $intrinsic:ident) => {
        #[inline(always)]
        fn load_slice(mut self, values: &[$value]) -> Self {
            let values: &[$value; $lanes] = values.first_chunk().expect("a value for each lane");
            // SAFETY: `values` has the bytes that are read; `self` proves the instruction.
            self.0 = unsafe { $intrinsic(values.as_ptr().cast()) };
            self
        }
    };
}
pub(crate) use load_by_intrinsic;

/// The method that stores a vector at the front of a slice, by an intrinsic that writes at any alignment.
macro_rules! store_by_intrinsic {
    ($value:ty, $lanes:literal, $intrinsic:ident) => {
        #[inline(always)]
        fn store_slice(self, values: &mut [$value]) {
            let values: &mut [$value; $lanes] = values.first_chunk_mut().expect("a place for each lane");
            // SAFETY: `values` has the bytes that are written; `self` proves the instruction.
            unsafe { $intrinsic(values.as_mut_ptr().cast(), self.0) }
        }
    };
}
pub(crate) use store_by_intrinsic;

/// The lanes of a vector in memory, as `LaneArray`, which is aligned to the vector's size.
macro_rules! words_of_lanes {
    ($lanes:literal, $bytes:literal) => {
        /// The lanes in memory.
        #[derive(Clone, Copy, Default, Debug)]
        #[repr(align($bytes))]
        pub struct LaneArray([u32; $lanes]);

        impl AsRef<[u32]> for LaneArray {
            #[inline(always)]
            fn as_ref(&self) -> &[u32] {
                &self.0
            }
        }

        impl AsMut<[u32]> for LaneArray {
            #[inline(always)]
            fn as_mut(&mut self) -> &mut [u32] {
                &mut self.0
            }
        }
    };
}
pub(crate) use words_of_lanes;
