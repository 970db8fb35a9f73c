//! The paper's if-cascade as a table: which towers are used, by the index of the combination.

/// Most towers a side can have: 15 checkers on 15 points.
const TOWERS: usize = 15;

/// A rank that no set bit has, in a combination of fewer than four towers.
const NONE: u16 = 15;

/// Every combination of up to four of 15 towers: four ranks of four bits each, descending, with 15 for
/// none. Combinations of one size are in colexicographic order, so those of the lowest `n` towers come
/// first, whatever `n` is: one table serves every number of towers.
pub(crate) static SUBSETS: [u16; LENGTH] = subsets();

/// The combinations of [`SUBSETS`], each as a mask of its ranks.
pub(crate) static SUBSET_RANKS: [u16; LENGTH] = {
    let mut masks = [0; LENGTH];
    let mut at = 0;
    while at < LENGTH {
        let mut ranks = SUBSETS[at];
        while ranks != 0xffff {
            masks[at] |= 1 << (ranks >> 12);
            ranks = ranks << 4 | NONE;
        }
        at += 1;
    }
    masks
};

/// Where the combinations of 0 to 4 towers start in [`SUBSETS`]; entries behind are unused.
pub(crate) static SUBSET_STARTS: [u32; 16] = {
    let mut starts = [0; 16];
    let (mut size, mut start) = (0, 0);
    while size <= 4 {
        starts[size] = start;
        start += binomial(TOWERS as u32, size as u32);
        size += 1;
    }
    starts
};

/// Combinations of two, three and four out of 0 to 15.
pub(crate) static CHOOSE_2: [u32; 16] = binomials(2);
pub(crate) static CHOOSE_3: [u32; 16] = binomials(3);
pub(crate) static CHOOSE_4: [u32; 16] = binomials(4);

/// 1 + 15 + 105 + 455 + 1365 combinations, and one unused entry: vectors read two entries at a time.
const LENGTH: usize = 1942;

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

const fn subsets() -> [u16; LENGTH] {
    let mut table = [0xffff; LENGTH];
    let (mut at, mut size) = (1, 1);
    while size <= 4 {
        // Each combination of `size` is its highest rank over one of `size - 1` lower ranks.
        let mut highest = 0;
        while highest < TOWERS as u16 {
            let lower_count = binomial(highest as u32, size - 1);
            let mut lower_start = 0;
            let mut smaller = 0;
            while smaller < size - 1 {
                lower_start += binomial(TOWERS as u32, smaller);
                smaller += 1;
            }
            let mut i = 0;
            while i < lower_count {
                let lower = table[(lower_start + i) as usize];
                table[at] = lower >> 4 | highest << 12;
                at += 1;
                i += 1;
            }
            highest += 1;
        }
        size += 1;
    }
    assert!(at == LENGTH - 1 && table[0] == NONE * 0x1111);
    table
}
