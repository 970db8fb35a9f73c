//! The paper's if-cascade as a table: the combinations of towers that can be chosen, by index.

/// The most towers that a side can have: 15 checkers on 15 points.
const TOWERS: usize = 15;

/// Every combination of up to four of 15 towers, as a mask of their ranks. Combinations of one size are in
/// colexicographic order, so those of the lowest `n` towers come first for every `n`. One table serves every number
/// of towers.
pub static SUBSETS: [u16; 1 << 11] = subsets();

/// Where the combinations of 0 to 4 towers start in [`SUBSETS`]; the entries after them are unused.
pub const SUBSET_STARTS: [u32; 16] = {
    let mut starts = [0; 16];
    let (mut size, mut start) = (0, 0);
    while size <= 4 {
        starts[size] = start;
        start += binomial(TOWERS as u32, size as u32);
        size += 1;
    }
    starts
};

/// The ranks of the towers of a choice, whose low 16 bits are an index of [`SUBSETS`].
#[inline(always)]
pub fn ranks_of(choice: u32) -> u32 {
    u32::from(SUBSETS[choice as usize % SUBSETS.len()])
}

/// Combinations of three and four out of 0 to 15.
// Constants rather than statics, here and in `pattern`: a crate that uses them sees their values, so that they fold
// where an index is constant.
pub(crate) const CHOOSE_3: [u32; 16] = binomials(3);
pub(crate) const CHOOSE_4: [u32; 16] = binomials(4);

/// The number of ways to choose `k` of `n`.
const fn binomial(n: u32, k: u32) -> u32 {
    let (mut product, mut i) = (1, 0);
    while i < k {
        if n < i + 1 {
            return 0;
        }
        product = product * (n - i) / (i + 1);
        i += 1;
    }
    product
}

const fn binomials(k: u32) -> [u32; 16] {
    let mut row = [0; 16];
    let mut n = 0;
    while n < 16 {
        row[n] = binomial(n as u32, k);
        n += 1;
    }
    row
}

const fn subsets() -> [u16; 1 << 11] {
    // Masks of one size in ascending order are in colexicographic order.
    let mut table = [0; 1 << 11];
    let (mut at, mut size) = (0, 0);
    while size <= 4 {
        let mut mask = 0_u32;
        while mask < 1 << TOWERS {
            if mask.count_ones() == size {
                table[at] = mask as u16;
                at += 1;
            }
            mask += 1;
        }
        size += 1;
    }
    // 1 + 15 + 105 + 455 + 1365 combinations; the entries after them are unused.
    assert!(at == 1941);
    table
}
