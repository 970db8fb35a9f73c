//! Tables for four lanes of 32 bits: how bytes move when they are compressed or expanded, by the set of lanes, and more.

/// For the bytes of each lane, where its lowest byte is, and the one above.
pub(super) const LOW_BYTES: [u8; 16] = [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12];
pub(super) const HIGH_BYTES: [u8; 16] = [1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13];

/// For each set of lanes, where the bytes of the compressed vector come from.
pub(super) const COMPRESS: [[u8; 16]; 16] = moves(true);

/// For each set of lanes, where the bytes of its lanes come from when a vector is expanded into it.
pub(super) const EXPAND: [[u8; 16]; 16] = moves(false);

/// For each set, the lanes of the set in order beside the lanes from the first on, byte by byte.
const fn moves(compresses: bool) -> [[u8; 16]; 16] {
    let mut table = [[0; 16]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut lane, mut number) = (0, 0);
        while lane < 4 {
            if set >> lane & 1 == 1 {
                let (from, to) = if compresses {
                    (lane, number)
                } else {
                    (number, lane)
                };
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

/// The lanes of each set, byte by byte.
pub(super) const LANES_OF: [[u8; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut set = 0;
    while set < 16 {
        let mut byte = 0;
        while byte < 16 {
            if set >> (byte / 4) & 1 == 1 {
                table[set][byte] = u8::MAX;
            }
            byte += 1;
        }
        set += 1;
    }
    table
};

/// How many lanes each set has.
pub(super) const NUMBERS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
