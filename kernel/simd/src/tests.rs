//! Every operation of a vector against its definition: on every tier that this CPU has, in every lane,
//! over the whole of small domains, and over edges and random words of large ones.

use std::io::Write;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use super::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::Simd128;
use super::vector::{Isa, LaneArray, Lanes, Schedule, Vector};
#[cfg(target_arch = "x86_64")]
use super::{Avx2, Avx512, X86V4};
use super::{Bmi2, Scalar};

/// The number of random operands of each operation; fewer under Miri, which is slow.
const RANDOM: usize = if cfg!(miri) { 6 } else { 20_000 };

/// The step through a domain that is tested as a whole; larger under Miri.
const STRIDE: usize = if cfg!(miri) { 997 } else { 1 };

/// Bits that stand for points or the bar.
const POINTS_AND_BAR: u32 = (1 << 26) - 1;

/// Each power of two with its neighbours, and the ends.
fn edges() -> Vec<u32> {
    let powers = (0..32).map(|bit| 1_u32 << bit);
    let neighbours = powers.flat_map(|power| [power - 1, power, power + 1]);
    let edges = neighbours.chain([u32::MAX - 1, u32::MAX]);
    edges.step_by(if cfg!(miri) { 13 } else { 1 }).collect()
}

/// Edges and random words, some of few bits and some of many.
fn words() -> Vec<u32> {
    let mut random = SplitMix64::seed_from_u64(1);
    let random = core::iter::repeat_with(move || {
        let [word, mask, kind] = core::array::from_fn(|_| random.next_u32());
        match kind % 4 {
            0 => word & mask,
            1 => word | mask,
            2 => word >> (mask % 32),
            _ => word,
        }
    });
    edges().into_iter().chain(random.take(RANDOM)).collect()
}

/// Masks of points and the bar.
fn masks() -> Vec<u32> {
    words().into_iter().map(|word| word & POINTS_AND_BAR).collect()
}

/// All pairs of edges, and random ones.
fn pairs() -> Vec<[u32; 2]> {
    let edges = edges();
    let of_edges = edges.iter().flat_map(|&a| edges.iter().map(move |&b| [a, b]));
    let words = words();
    let others = words.iter().rev();
    let random = words.iter().zip(others).map(|(&a, &b)| [a, b]);
    of_edges.step_by(STRIDE).chain(random).collect()
}

/// Vectors of one operand per lane.
#[inline(always)]
fn vectors<I: Isa, const N: usize>(isa: I, operands: &[[u32; N]]) -> [I::Vector; N] {
    core::array::from_fn(|at| {
        let mut words = isa.splat(0).store();
        // Lanes after the last operand repeat the first.
        for (lane, word) in words.as_mut().iter_mut().enumerate() {
            *word = operands.get(lane).unwrap_or(&operands[0])[at];
        }
        isa.load(&words)
    })
}

/// An operation on lanes against its definition on words.
#[inline(always)]
fn check<I: Isa, const N: usize>(
    isa: I,
    name: &str,
    operands: impl IntoIterator<Item = [u32; N]>,
    operation: impl Fn([I::Vector; N]) -> I::Vector,
    definition: impl Fn([u32; N]) -> u32,
) {
    let operands: Vec<[u32; N]> = operands.into_iter().collect();
    assert!(!operands.is_empty(), "{name}: no operands");
    for operands in operands.chunks(I::Vector::LANES) {
        let found = operation(vectors(isa, operands)).store();
        for (lane, operands) in operands.iter().enumerate() {
            let defined = definition(*operands);
            assert_eq!(found.as_ref()[lane], defined, "{name} of {operands:#x?}, lane {lane}");
        }
    }
}

/// A comparison of lanes against its definition on words.
#[inline(always)]
fn check_lanes<I: Isa, const N: usize>(
    isa: I,
    name: &str,
    operands: impl IntoIterator<Item = [u32; N]>,
    operation: impl Fn([I::Vector; N]) -> <I::Vector as Vector>::Lanes,
    definition: impl Fn([u32; N]) -> bool,
) {
    let number = |is: bool| u32::from(is);
    // Checks both the bits of the set and the lanes that it keeps.
    check(
        isa,
        name,
        operands,
        |operands| {
            let lanes = operation(operands);
            let kept = isa.splat(1).zero_unless(lanes).store();
            let bits = (0..I::Vector::LANES).map(|lane| lanes.to_bits() >> lane & 1);
            assert!(kept.as_ref().iter().copied().eq(bits), "{name}: bits");
            assert_eq!(lanes.to_bits() >> (I::Vector::LANES - 1) >> 1, 0, "{name}: lanes");
            isa.load(&kept)
        },
        |operands| number(definition(operands)),
    );
}

#[inline(always)]
fn check_bits<I: Isa>(isa: I) {
    let one = || words().into_iter().map(|word| [word]);
    check(isa, "&", pairs(), |[a, b]| a & b, |[a, b]| a & b);
    check(isa, "|", pairs(), |[a, b]| a | b, |[a, b]| a | b);
    check(isa, "^", pairs(), |[a, b]| a ^ b, |[a, b]| a ^ b);
    check(isa, "!", one(), |[a]| !a, |[a]| !a);
    for constant in edges() {
        check(isa, "splat", [[constant]], |_| isa.splat(0).splat(constant), |[a]| a);
        check(isa, "& constant", [[!0]], |[a]| a & constant, |[a]| a & constant);
        check(isa, "| constant", [[0]], |[a]| a | constant, |[a]| a | constant);
    }
    let threes: Vec<[u32; 3]> = pairs()
        .into_iter()
        .zip(words())
        .map(|([a, b], c)| [a, b, c])
        .chain((0..8).map(|three: u32| core::array::from_fn(|at| 0_u32.wrapping_sub(three >> at & 1))))
        .collect();
    check(
        isa,
        "subtract_borrows",
        threes.clone(),
        |[a, b, c]| a.subtract_borrows(b, c),
        |[a, b, c]| (!a & b) | (!a & c) | (b & c),
    );
    check(isa, "majority", threes, |[a, b, c]| a.majority(b, c), |[a, b, c]| (a & b) | (a & c) | (b & c));
    check(isa, "count_ones", one(), |[a]| a.count_ones(), |[a]| a.count_ones());
    check(
        isa,
        "count_ones_with",
        pairs().into_iter().chain([[!0, !0], [0, 0]]),
        |[a, b]| {
            let mut others = [a; 30];
            others[..15].fill(b);
            a.count_ones_with(others)
        },
        |[a, b]| 16 * a.count_ones() + 15 * b.count_ones(),
    );
    check(
        isa,
        "highest_bit",
        words().into_iter().map(|word| [word & i32::MAX as u32]),
        |[a]| a.highest_bit(),
        |[a]| (0..31).rev().map(|bit| 1 << bit).find(|bit| a & bit != 0).unwrap_or(0),
    );
    check(
        isa,
        "nth_bit",
        words()
            .into_iter()
            .zip((0..32).cycle())
            .map(|(mask, rank)| [mask, rank])
            .chain((0..32).flat_map(|rank| [[POINTS_AND_BAR, rank], [!0, rank], [0, rank]]))
            .chain(
                words().into_iter().flat_map(|mask| {
                    [0, mask.count_ones().saturating_sub(1), mask.count_ones()].map(|rank| [mask, rank])
                }),
            ),
        |[mask, rank]| mask.nth_bit(rank),
        |[mask, rank]| {
            let mut bits = (0..32).map(|bit| 1 << bit).filter(|bit| mask & bit != 0);
            bits.nth(rank as usize).unwrap_or(0)
        },
    );
    fn reversed<const BITS: u32>(mask: u32) -> u32 {
        (0..BITS).fold(0, |bits, p| bits | (mask >> p & 1) << (BITS - 1 - p))
    }
    let mask = || masks().into_iter().map(|mask| [mask]);
    let short = || masks().into_iter().map(|mask| [mask & 0xf_ffff]);
    check(isa, "reverse", mask(), |[a]| a.reverse::<26>(), |[a]| reversed::<26>(a));
    check(isa, "reverse", short(), |[a]| a.reverse::<20>(), |[a]| reversed::<20>(a));
    let two_masks = || masks().into_iter().zip(masks().into_iter().rev());
    check(
        isa,
        "nth_bits",
        two_masks().zip((0..32).cycle()).map(|((a, b), rank)| [a, b, rank]),
        |[a, b, rank]| {
            let [of_a, of_b] = Vector::nth_bits([a, b], [rank, rank]);
            of_a.wrapping_add(of_b)
        },
        |[a, b, rank]| {
            let nth = |mask: u32| (0..26).map(|bit| 1 << bit).filter(|bit| mask & bit != 0).nth(rank as usize);
            nth(a).unwrap_or(0) + nth(b).unwrap_or(0)
        },
    );
}

#[inline(always)]
fn check_shifts<I: Isa>(isa: I) {
    let counted = |words: Vec<u32>| {
        let words = words.into_iter().zip((0..7).cycle());
        words.map(|(word, count)| [word, count])
    };
    check(isa, "shl", counted(words()), |[a, n]| a.shl(n), |[a, n]| a << n);
    check(isa, "shr", counted(masks()), |[a, n]| a.shr(n), |[a, n]| a >> n);
    check(
        isa,
        "rotate",
        words().into_iter().zip((0..32).cycle()).map(|(word, count)| [word, count]),
        |[a, n]| a.rotate(n),
        |[a, n]| a.rotate_left(n),
    );
    macro_rules! by_constants {
        ($($count:literal)*) => {
            $(
                let one = || words().into_iter().map(|word| [word]);
                check(isa, "shl_by", one(), |[a]| a.shl_by::<$count>(), |[a]| a << $count);
                check(isa, "shr_by", one(), |[a]| a.shr_by::<$count>(), |[a]| a >> $count);
                check(
                    isa,
                    "rotate_by",
                    one(),
                    |[a]| a.rotate_by::<$count>(),
                    |[a]| a.rotate_left($count),
                );
            )*
        };
    }
    by_constants!(1 2 4 6 7 8 9 11 12 16 23 24 25 28 31);
}

#[inline(always)]
fn check_arithmetic<I: Isa>(isa: I) {
    check(isa, "wrapping_add", pairs(), |[a, b]| a.wrapping_add(b), |[a, b]| a.wrapping_add(b));
    check(isa, "wrapping_sub", pairs(), |[a, b]| a.wrapping_sub(b), |[a, b]| a.wrapping_sub(b));
    check(isa, "min", pairs(), |[a, b]| a.min(b), |[a, b]| a.min(b));
    check(isa, "max", pairs(), |[a, b]| a.max(b), |[a, b]| a.max(b));
    let product = |a: u32, b: u32| u64::from(a) * u64::from(b);
    check(isa, "mul_wide, high", pairs(), |[a, b]| a.mul_wide(b).0, |[a, b]| (product(a, b) >> 32) as u32);
    check(isa, "mul_wide, low", pairs(), |[a, b]| a.mul_wide(b).1, |[a, b]| a.wrapping_mul(b));
    check(isa, "mul_wide_by, high", pairs(), |[a, _]| a.mul_wide_by::<36>().0, |[a, _]| (product(a, 36) >> 32) as u32);
    check(isa, "mul_wide_by, low", pairs(), |[a, _]| a.mul_wide_by::<36>().1, |[a, _]| a.wrapping_mul(36));
    let small = pairs().into_iter().filter(|&[a, b]| product(a, b) < 1 << 16);
    let bytes = (0..1 << 16).step_by(STRIDE).map(|both: u32| [both & 0xff, both >> 8]);
    check(isa, "mul_lo16", small.chain(bytes), |[a, b]| a.mul_lo16(b), |[a, b]| a * b);
    check(isa, "pairs", (0..16).map(|number| [number]), |[a]| a.choose_2(), |[a]| (0..a).sum());
    let quotients = |dividends: u32, largest_divisor: u32| {
        let pairs = (0..dividends * largest_divisor).step_by(STRIDE);
        pairs.map(move |i| [i % dividends, i / dividends + 1])
    };
    check(isa, "div", quotients(1 << 11, 1 << 7), |[a, b]| a.div(b), |[a, b]| a / b);
    check(isa, "div_small", quotients(1 << 8, 15), |[a, b]| a.div_small(b), |[a, b]| a / b);
}

#[inline(always)]
fn check_tables<I: Isa>(isa: I) {
    let words: Vec<u32> = words();
    let table: [u32; 16] = core::array::from_fn(|at| words[at * 5 % words.len()]);
    check(
        isa,
        "look_up",
        words.iter().map(|&index| [index]),
        |[index]| index.look_up(&table),
        |[index]| table[(index % 16) as usize],
    );
    let table: [u8; 64] = core::array::from_fn(|at| (at as u8).wrapping_mul(37) ^ 0x80);
    check(
        isa,
        "look_up_byte",
        (0..64).map(|index| [index]),
        |[index]| index.look_up_byte(&table),
        |[index]| u32::from(table[index as usize]),
    );
    let table: [u16; 1 << 11] = core::array::from_fn(|at| (at as u16).wrapping_mul(40503) ^ 0x8001);
    let expected = |ranks: u16, mask: u32| {
        let bits = (0..32).filter(|bit| mask >> bit & 1 == 1);
        let chosen = bits.enumerate().filter(|(rank, _)| u32::from(ranks) >> rank & 1 == 1);
        chosen.map(|(_, bit)| 1 << bit).sum::<u32>()
    };
    check(
        isa,
        "deposit_from_table",
        pairs(),
        |[mask, index]| mask.deposit_from_table(&table, index),
        |[mask, index]| expected(table[(index % 2048) as usize], mask),
    );
    for [ranks, mask] in pairs() {
        let ranks = ranks & 0x7fff;
        assert_eq!(isa.deposit_word(ranks, mask), expected(ranks as u16, mask));
    }
}

#[inline(always)]
fn check_comparisons<I: Isa>(isa: I) {
    let equal = words().into_iter().map(|word| [word, word]);
    let either = || pairs().into_iter().chain(equal.clone());
    check_lanes(isa, "lanes_equal", either(), |[a, b]| a.lanes_equal(b), |[a, b]| a == b);
    let below_2_31 = either().filter(|pair| pair.iter().all(|&word| word < 1 << 31));
    check_lanes(isa, "lanes_less", below_2_31, |[a, b]| a.lanes_less(b), |[a, b]| a < b);
    check_lanes(isa, "test_any_bit", either(), |[a, b]| a.test_any_bit(b), |[a, b]| a & b != 0);
    let one = words().into_iter().map(|word| [word]);
    check_lanes(isa, "lanes_zero", one, |[a]| a.lanes_zero(), |[a]| a == 0);
    check_lanes(
        isa,
        "sets of lanes",
        (0..8).map(|three: u32| core::array::from_fn(|at| three >> at & 1)),
        |[a, b, c]| !a.lanes_zero() & !b.lanes_zero() | !!c.lanes_zero(),
        |[a, b, c]| a != 0 && b != 0 || c == 0,
    );
}

/// Every operation on a set of lanes, for every set.
#[inline(always)]
fn check_sets<I: Isa>(isa: I) {
    let lanes = I::Vector::LANES;
    let all = u32::MAX >> (32 - lanes);
    let number = |lane: usize, of: u32| of + lane as u32;
    let words = |of: u32| -> LaneArray<I> {
        let mut words = isa.splat(0).store();
        for (lane, word) in words.as_mut().iter_mut().enumerate() {
            *word = number(lane, of);
        }
        words
    };
    let (these, others) = (isa.load(&words(100)), isa.load(&words(200)));
    for bits in (0..=all).step_by(STRIDE) {
        // Bits beyond the lanes are ignored.
        let set = these.lanes_of_bits(bits | !all);
        assert_eq!(set.to_bits(), bits);
        assert_eq!((!set).to_bits(), all & !bits);
        assert_eq!(set.is_empty(), bits == 0);
        assert_eq!(I::Vector::skips_on_one_lane(set), I::Vector::ONE_LANE && bits == 0);
        let skips = I::Vector::skips_when_sequential(bits);
        match I::Vector::SCHEDULE {
            Schedule::Interleaved | Schedule::Staged => assert!(lanes > 1 && !skips),
            Schedule::Sequential => assert!(lanes <= 4 && skips == (bits == 0)),
        }
        assert_eq!(I::Vector::count_lanes(bits), bits.count_ones() as usize);
        let is_in = |lane: usize| bits >> lane & 1 == 1;
        let chosen: Vec<usize> = (0..lanes).filter(|&lane| is_in(lane)).collect();

        let (kept, mixed) = (these.zero_unless(set).store(), these.blend(set, others).store());
        let more = these.add_one(set).store();
        for lane in 0..lanes {
            let (this, other) = (number(lane, 100), number(lane, 200));
            assert_eq!(more.as_ref()[lane], this + u32::from(is_in(lane)), "{bits:#x}");
            assert_eq!(kept.as_ref()[lane], if is_in(lane) { this } else { 0 }, "{bits:#x}");
            assert_eq!(mixed.as_ref()[lane], if is_in(lane) { this } else { other }, "{bits:#x}");
        }

        let mut row = [7; 20];
        these.compress(set, &mut row);
        for (word, &lane) in row.iter().zip(&chosen) {
            assert_eq!(*word, number(lane, 100), "compress {bits:#x}");
        }
        assert!(row[lanes..].iter().all(|&word| word == 7), "compress writes too much");

        let row: [u32; 20] = core::array::from_fn(|at| number(at, 300));
        let expanded = these.expand(bits, &row).store();
        let mut next = row.iter();
        for lane in 0..lanes {
            let word = if is_in(lane) { *next.next().expect("a word") } else { number(lane, 100) };
            assert_eq!(expanded.as_ref()[lane], word, "expand {bits:#x}");
        }
    }
    for number in 0..=lanes + 3 {
        let first = these.first_lanes(number).to_bits();
        assert_eq!(first.count_ones() as usize, number.min(lanes));
        assert_eq!(first & first.wrapping_add(1), 0, "the first {number} lanes");
    }

    let row: [u32; 20] = core::array::from_fn(|at| number(at, 400));
    assert_eq!(others.load_slice(&row).store().as_ref(), &row[..lanes]);
    let mut written = [7; 20];
    these.store_slice(&mut written);
    assert_eq!(written[..lanes], *these.store().as_ref());
    assert!(written[lanes..].iter().all(|&word| word == 7), "write writes too much");
}

/// Checks every operation, or prints that this CPU lacks the features.
fn check_all<I: Isa>(name: &str, detected: Option<I>) {
    let Some(isa) = detected else {
        // Not `eprintln!`: the test harness would swallow it.
        writeln!(std::io::stderr(), "SKIPPED: operations of {name}: this CPU lacks its features")
            .expect("standard error");
        return;
    };
    isa.with_features(
        #[inline(always)]
        || {
            check_bits(isa);
            check_shifts(isa);
            check_arithmetic(isa);
            check_tables(isa);
            check_comparisons(isa);
            check_sets(isa);
        },
    );
}

#[test]
fn operations_of_the_portable_tier_on_any_cpu() {
    check_all("Scalar", Some(Scalar));
}

#[test]
fn operations_of_the_portable_tier_with_bit_instructions() {
    check_all("Bmi2", Bmi2::detect());
}

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
#[test]
fn operations_of_neon() {
    check_all("Neon", Neon::detect());
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[test]
fn operations_of_simd128() {
    check_all("Simd128", Simd128::detect());
}

#[cfg(target_arch = "x86_64")]
#[test]
fn operations_of_avx2() {
    check_all("Avx2", Avx2::detect());
}

#[cfg(target_arch = "x86_64")]
#[test]
fn operations_of_x86_v4() {
    check_all("X86V4", X86V4::detect());
}

#[cfg(target_arch = "x86_64")]
#[test]
fn operations_of_avx512() {
    check_all("Avx512", Avx512::detect());
}

#[test]
fn the_highest_of_eight_is_the_first_of_equal_ones() {
    let values = [f32::NEG_INFINITY, -2.5, -0.0, 0.0, 1e-40, 3.0, f32::INFINITY];
    let mut state = 1_u64;
    for _ in 0..RANDOM {
        let numbers: [f32; 8] = core::array::from_fn(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            values[(state >> 33) as usize % values.len()]
        });
        let plain = (1..8).fold(0, |best, index| if numbers[index] > numbers[best] { index } else { best });
        assert_eq!(crate::highest_of_eight(&numbers), plain, "{numbers:?}");
    }
}
