//! Dice: the 21 distinct rolls, and the 36 throws that give them.

/// The 21 distinct rolls, the larger die first: 11, 21, 22, 31, .. 66.
pub(crate) const ROLLS: [[u8; 2]; 21] = {
    let mut rolls = [[0; 2]; 21];
    // A constant has no iterators.
    let (mut at, mut high) = (0, 1);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            rolls[at] = [high, low];
            at += 1;
            low += 1;
        }
        high += 1;
    }
    rolls
};

/// How many of the 36 throws give each of the rolls: two, or one for a double.
pub(crate) const WEIGHTS: [u32; 21] = {
    let mut weights = [2; 21];
    let mut at = 0;
    while at < 21 {
        if ROLLS[at][0] == ROLLS[at][1] {
            weights[at] = 1;
        }
        at += 1;
    }
    weights
};

/// How many throws there are.
pub(crate) const THROWS: u32 = 36;

/// The larger die of each throw in the low half of a byte, and the smaller in the high half. Throw `t` has the dice
/// `t / 6 + 1` and `t % 6 + 1`.
pub(crate) static DICE: [u8; 64] = {
    let mut dice = [0; 64];
    let mut throw = 0;
    while throw < THROWS as usize {
        let (a, b) = (throw as u8 / 6 + 1, throw as u8 % 6 + 1);
        dice[throw] = if a < b { b | a << 4 } else { a | b << 4 };
        throw += 1;
    }
    dice
};

/// The roll of a text of two digits, in either order.
pub(crate) fn read(text: &str) -> Option<usize> {
    let &[a @ b'1'..=b'6', b @ b'1'..=b'6'] = text.as_bytes() else {
        return None;
    };
    let dice = [a.max(b) - b'0', a.min(b) - b'0'];
    ROLLS.iter().position(|&roll| roll == dice)
}
