//! Every operation on 16-bit lanes against its definition, on every tier that this CPU has, over pairs of edges and of
//! random numbers.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{I16Isa, I16Vector, I32Accumulator};
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use crate::Neon;
use crate::Scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::Simd128;
#[cfg(target_arch = "x86_64")]
use crate::{Avx2, Avx512, Tier, X86V4};

/// The number of random pairs; fewer under Miri, which is slow.
const RANDOM: usize = if cfg!(miri) { 64 } else { 100_000 };

/// All pairs of edges, and random ones, without -2^15, which no product may meet twice. Their number is a multiple of
/// 32.
fn pairs() -> [Vec<i16>; 2] {
    let edges = [0, 1, -1, 2, 181, -182, 255, 256, 1 << 14, -(1 << 14), i16::MAX, -i16::MAX];
    let all = edges.iter().flat_map(|&a| edges.map(|b| (a, b)));
    let mut random = SplitMix64::seed_from_u64(3);
    let random = core::iter::repeat_with(move || {
        let word = random.next_u32();
        let [a, b] = [word as i16, (word >> 16) as i16];
        (a.max(-i16::MAX), b.max(-i16::MAX))
    });
    let (mut a, mut b): (Vec<_>, Vec<_>) = all.chain(random.take(RANDOM)).unzip();
    let number = a.len() / 32 * 32;
    a.truncate(number);
    b.truncate(number);
    [a, b]
}

/// An operation on lanes against its definition.
fn check<I: I16Isa>(
    isa: I,
    name: &str,
    operation: impl Fn(I::I16Vector, I::I16Vector) -> I::I16Vector,
    definition: impl Fn(i32, i32) -> i32,
) {
    let lanes = I::I16Vector::LANES;
    let [a, b] = pairs();
    let zero = isa.splat_i16(0);
    for (a, b) in a.chunks_exact(lanes).zip(b.chunks_exact(lanes)) {
        let mut found = vec![77; lanes + 1];
        operation(zero.load_slice(a), zero.load_slice(b)).store_slice(&mut found);
        assert_eq!(found.pop(), Some(77), "{name} writes too much");
        let both = a.iter().zip(b).zip(found);
        for ((&a, &b), found) in both {
            let defined = definition(i32::from(a), i32::from(b)) as i16;
            assert_eq!(found, defined, "{name} of {a} and {b}");
        }
    }
}

fn check_all<I: I16Isa>(isa: I) {
    check(isa, "wrapping_add", |a, b| a.wrapping_add(b), |a, b| a + b);
    check(isa, "wrapping_sub", |a, b| a.wrapping_sub(b), |a, b| a - b);
    check(isa, "mul_lo16", |a, b| a.mul_lo16(b), |a, b| a * b);
    check(isa, "mul_fraction", |a, b| a.mul_fraction(b), |a, b| (f64::from(a * b) / 32768.0 + 0.5).floor() as i32);
    check(isa, "min", |a, b| a.min(b), i32::min);
    check(isa, "max", |a, b| a.max(b), i32::max);
    check(isa, "sign_mask", |a, _| a.sign_mask(), |a, _| -i32::from(a < 0));
    check(isa, "xor", |a, b| a.xor(b), |a, b| a ^ b);
    check(isa, "splat_i16", |_, _| isa.splat_i16(-7), |_, _| -7);
    let [a, b] = pairs();
    let (lanes, zero) = (I::I16Vector::LANES, isa.splat_i16(0));
    type SumsOf<I> = <<I as I16Isa>::I16Vector as I16Vector>::I32Accumulator;
    assert_eq!(2 * SumsOf::<I>::LANES, lanes);
    for (a, b) in a.chunks_exact(lanes).zip(b.chunks_exact(lanes)) {
        let products: Vec<i32> = a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).collect();
        let defined: Vec<i32> = products.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        let sums = zero.load_slice(a).dot(zero.load_slice(b));
        let mut found = vec![77; lanes / 2 + 1];
        sums.store_slice(&mut found);
        assert_eq!(found.pop(), Some(77), "dot writes too much");
        assert_eq!(found, defined);
        sums.wrapping_add(sums).store_slice(&mut found);
        let twice: Vec<i32> = defined.iter().map(|sum| sum.wrapping_mul(2)).collect();
        assert_eq!(found, twice);
        let total = |sums: &[i32]| sums.iter().fold(0_i32, |sum, &more| sum.wrapping_add(more));
        let none = zero.dot(zero);
        let totals = SumsOf::<I>::reduce_add([sums, none, sums.wrapping_add(sums), sums]);
        assert_eq!(totals, [total(&defined), 0, total(&twice), total(&defined)]);
        let mut pairs = vec![0; lanes];
        zero.splat_pair(&[a[0], a[1]]).store_slice(&mut pairs);
        assert!(pairs.chunks(2).all(|pair| pair == &a[..2]));
    }
}

/// The lanes of SSE2 on x86-64; elsewhere plain lanes.
#[test]
fn operations_on_any_cpu() {
    check_all(Scalar);
}

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
#[test]
fn operations_of_neon() {
    check_all(Neon::detect().expect("almost every 64-bit ARM has it"));
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[test]
fn operations_of_simd128() {
    check_all(Simd128::detect().expect("this was compiled for it"));
}

#[cfg(target_arch = "x86_64")]
#[test]
fn operations_of_the_tiers_of_this_cpu() {
    let mut checked = vec![Tier::Portable];
    if let Some(isa) = Avx2::detect() {
        check_all(isa);
        checked.push(Tier::Avx2);
    }
    if let Some(isa) = X86V4::detect() {
        check_all(isa);
        checked.push(Tier::X86V4);
    }
    if let Some(isa) = Avx512::detect() {
        check_all(isa);
        checked.push(Tier::Avx512);
    }
    assert_eq!(checked.len(), Tier::available().len(), "every tier has halves");
}
