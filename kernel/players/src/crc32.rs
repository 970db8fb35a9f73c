//! The checksum of a player's file.

/// The CRC-32 of the bytes.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The CRC-32 of the bytes.
#[cfg(target_family = "wasm")]
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    // One kilobyte of table: a module is fetched before it runs.
    static CRC: crc::Crc<u32, crc::Table<1>> = crc::Crc::<u32, crc::Table<1>>::new(&crc::CRC_32_ISO_HDLC);
    CRC.checksum(bytes)
}
