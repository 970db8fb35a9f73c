//! How bytes move when four lanes of 32 bits are compressed or expanded, by the set of lanes. Constants, since the
//! compiler reads a static of another crate again after each write.

/// For each set of lanes, where the bytes of the compressed vector come from.
pub(super) const COMPRESS: [[u8; 16]; 16] = moves(true);

/// For each set of lanes, where the bytes of its lanes come from when a vector is expanded into it.
pub(super) const EXPAND: [[u8; 16]; 16] = moves(false);

/// For each set, the lanes of the set in order, matched with the lanes from the first on, byte by byte.
const fn moves(compresses: bool) -> [[u8; 16]; 16] {
    let mut table = [[0; 16]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut lane, mut number) = (0, 0);
        while lane < 4 {
            if set >> lane & 1 == 1 {
                let (from, to) = if compresses { (lane, number) } else { (number, lane) };
                let mut byte = 0;
                while byte < 4 {
                    table[set][4 * to + byte] = (4 * from + byte) as u8;
                    byte += 1;
                }
                number += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
}
