//! The checksums of files.

/// The bytes summed between two calls of `stop`: some milliseconds.
const BYTES_AT_ONCE: usize = 1 << 20;

#[cfg(not(target_family = "wasm"))]
fn hasher() -> crc32fast::Hasher {
    crc32fast::Hasher::new()
}

#[cfg(target_family = "wasm")]
fn hasher() -> crc::Digest<'static, u32, crc::Table<1>> {
    // A table of one kilobyte only: a WebAssembly module is downloaded before it runs.
    static CRC: crc::Crc<u32, crc::Table<1>> = crc::Crc::<u32, crc::Table<1>>::new(&crc::CRC_32_ISO_HDLC);
    CRC.digest()
}

/// The CRC-32 of the bytes.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let mut hasher = hasher();
    hasher.update(bytes);
    hasher.finalize()
}

/// The CRC-32 of the bytes from the last to the first, or `None` if `stop`, which is called every so often, returns
/// true.
// Not from the first to the last: a player's file ends with the CRC-32 of the bytes before, so all such files would
// have the same checksum.
pub(crate) fn crc32_from_last(bytes: &[u8], stop: &dyn Fn() -> bool) -> Option<u32> {
    let mut hasher = hasher();
    let mut reversed = Vec::new();
    for chunk in bytes.rchunks(BYTES_AT_ONCE) {
        if stop() {
            return None;
        }
        reversed.clear();
        reversed.extend(chunk.iter().rev());
        hasher.update(&reversed);
    }
    Some(hasher.finalize())
}
