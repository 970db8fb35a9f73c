//! Instructions that some CPUs have but run slowly.

/// Whether this CPU runs PDEP and PEXT in microcode, which takes hundreds of cycles.
pub(crate) fn pdep_is_microcoded() -> bool {
    use core::arch::x86_64::__cpuid;
    if cfg!(miri) {
        return false; // it has no CPUID, and no microcode
    }
    let vendor = __cpuid(0);
    is_microcoded([vendor.ebx, vendor.edx, vendor.ecx], __cpuid(1).eax)
}

/// Whether `vendor` (three words of four letters) and `signature` (EAX of CPUID leaf 1) belong to an AMD CPU before Zen
/// 3 (family 19h), or to a Hygon CPU, which has the core of Zen 1.
///
/// The times are from <https://uops.info/html-instr/PDEP_R32_R32_R32.html>, the families from the CPUID entry of AMD's
/// Architecture Programmer's Manual, volume 3.
fn is_microcoded(vendor: [u32; 3], signature: u32) -> bool {
    const AMD: [u32; 3] = words(b"AuthenticAMD");
    const HYGON: [u32; 3] = words(b"HygonGenuine");
    let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    match vendor {
        AMD => family < 0x19,
        HYGON => true,
        _ => false,
    }
}

/// Four letters to a word, as CPUID gives them.
const fn words(name: &[u8; 12]) -> [u32; 3] {
    let ([a, b, c], []) = name.as_chunks::<4>() else {
        panic!("twelve letters are three words");
    };
    [u32::from_le_bytes(*a), u32::from_le_bytes(*b), u32::from_le_bytes(*c)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signatures of CPUs with BMI2, from <https://en.wikichip.org/wiki/amd/cpuid>,
    /// <https://en.wikichip.org/wiki/intel/cpuid> and the drivers of the Linux kernel.
    #[test]
    fn microcoded_pdep_is_known_by_the_family() {
        for (name, vendor, signature, microcoded) in [
            ("Excavator", b"AuthenticAMD", 0x0066_0f01, true),
            ("Zen", b"AuthenticAMD", 0x0080_0f11, true),
            ("Zen+", b"AuthenticAMD", 0x0080_0f82, true),
            ("Zen 2, Rome", b"AuthenticAMD", 0x0083_0f10, true),
            ("Zen 2, Matisse", b"AuthenticAMD", 0x0087_0f10, true),
            ("Dhyana", b"HygonGenuine", 0x0090_0f02, true),
            ("Zen 3, Milan", b"AuthenticAMD", 0x00a0_0f11, false),
            ("Zen 3, Vermeer", b"AuthenticAMD", 0x00a2_0f10, false),
            ("Zen 4, Genoa", b"AuthenticAMD", 0x00a1_0f11, false),
            ("Zen 5, Granite Ridge", b"AuthenticAMD", 0x00b4_0f40, false),
            ("Haswell", b"GenuineIntel", 0x0003_06c3, false),
            ("Ice Lake", b"GenuineIntel", 0x0006_06a6, false),
        ] {
            assert_eq!(is_microcoded(words(vendor), signature), microcoded, "{name}");
        }
    }
}
