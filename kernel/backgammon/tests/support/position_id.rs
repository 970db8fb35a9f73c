//! GNU Position IDs, independent of the library's codec.
//!
//! 80 bits, least significant first: for the player not on roll and then for the player on roll, for
//! points 1 to 24 of that player and then his bar, one 1 for each checker and a 0. Fourteen characters
//! of standard base64 hold them.

use tavli_backgammon::Board;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The board of an ID.
pub(crate) fn decode(id: &str) -> Board {
    let digits = id.bytes().map(|c| BASE64.iter().position(|&b| b == c).expect("base64"));
    // Base64 fills each byte from the most significant bit.
    let stream: Vec<bool> = digits.flat_map(|d| (0..6).rev().map(move |bit| d >> bit & 1 == 1)).collect();
    let mut bits = stream.chunks_exact(8).flat_map(|byte| byte.iter().rev());
    let mut sides = [[0; 26]; 2];
    for side in &mut sides {
        for count in &mut side[1..] {
            *count = bits.by_ref().take_while(|&&bit| bit).count() as u8;
        }
    }
    let [opponent, own] = sides;
    Board::new(&own, &opponent).unwrap_or_else(|error| panic!("{id}: {error}"))
}

/// The ID of a board; unlike [`decode`] this knows finished games too.
pub(crate) fn encode(board: &Board) -> String {
    let mut bits = [false; 84];
    let mut at = 0;
    for side in [board.opponent(), board.own()] {
        for point in 1..=25 {
            bits[at..at + usize::from(side.count(point))].fill(true);
            at += usize::from(side.count(point)) + 1;
        }
    }
    (0..14)
        .map(|digit| {
            let value = (0..6).fold(0, |value, i| {
                let place = digit * 6 + i;
                let bit = place / 8 * 8 + 7 - place % 8;
                value << 1 | usize::from(bit < 80 && bits[bit])
            });
            char::from(BASE64[value])
        })
        .collect()
}
