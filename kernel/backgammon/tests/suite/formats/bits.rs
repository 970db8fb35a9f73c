//! Any bits as the text of an ID, whether or not they mean anything.

/// The lowest `6 N` bits as `N` base64 characters, the lowest byte first.
pub(crate) fn text<const N: usize>(bits: u128) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes = bits.to_le_bytes();
    let bit = |index: usize| bytes[index / 8] >> (7 - index % 8) & 1;
    let character = |at: usize| (0..6).fold(0, |value, k| value << 1 | bit(6 * at + k));
    (0..N).map(|at| char::from(ALPHABET[usize::from(character(at))])).collect()
}
