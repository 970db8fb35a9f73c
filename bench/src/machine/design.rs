//! Names of core designs, from the numbers by which processors report themselves.

use core::ops::RangeInclusive;

/// AMD's designs: name, family, and ranges of models; as Linux sorts them (`bsp_init_amd` in
/// `arch/x86/kernel/cpu/amd.c`).
const AMD: [(&str, u32, &[RangeInclusive<u32>]); 6] = [
    ("Zen", 0x17, &[0x00..=0x2f, 0x50..=0x5f]),
    ("Zen 2", 0x17, &[0x30..=0x4f, 0x60..=0x7f, 0x90..=0x91, 0xa0..=0xaf]),
    ("Zen 3", 0x19, &[0x00..=0x0f, 0x20..=0x5f]),
    ("Zen 4", 0x19, &[0x10..=0x1f, 0x60..=0xaf]),
    ("Zen 5", 0x1a, &[0x00..=0x2f, 0x40..=0x4f, 0x60..=0x7f]),
    ("Zen 6", 0x1a, &[0x50..=0x5f, 0x80..=0xaf, 0xc0..=0xcf]),
];

/// Intel's processors of family 6: name, models; from `arch/x86/include/asm/intel-family.h` of Linux.
const INTEL: [(&str, &[u32]); 22] = [
    ("Nehalem", &[0x1e, 0x1a, 0x2e]),
    ("Westmere", &[0x25, 0x2c, 0x2f]),
    ("Sandy Bridge", &[0x2a, 0x2d]),
    ("Ivy Bridge", &[0x3a, 0x3e]),
    ("Haswell", &[0x3c, 0x3f, 0x45, 0x46]),
    ("Broadwell", &[0x3d, 0x47, 0x4f, 0x56]),
    ("Skylake", &[0x4e, 0x5e]),
    ("Kaby Lake", &[0x8e, 0x9e]),
    ("Comet Lake", &[0xa5, 0xa6]),
    ("Cannon Lake", &[0x66]),
    ("Ice Lake", &[0x6a, 0x6c, 0x7d, 0x7e]),
    ("Rocket Lake", &[0xa7]),
    ("Tiger Lake", &[0x8c, 0x8d]),
    ("Sapphire Rapids", &[0x8f]),
    ("Emerald Rapids", &[0xcf]),
    ("Granite Rapids", &[0xad, 0xae]),
    ("Sierra Forest", &[0xaf]),
    ("Alder Lake", &[0x97, 0x9a]),
    ("Raptor Lake", &[0xb7, 0xba, 0xbf]),
    ("Meteor Lake", &[0xaa, 0xac]),
    ("Arrow Lake", &[0xc5, 0xc6]),
    ("Lunar Lake", &[0xbd]),
];

/// Cores of the Arm instruction set: implementer, part, name; the registers are from each maker's manual (`MIDR_EL1`),
/// the names from `lscpu`.
const ARM: [(u32, u32, &str); 53] = [
    (0x41, 0xd03, "Cortex-A53"),
    (0x41, 0xd04, "Cortex-A35"),
    (0x41, 0xd05, "Cortex-A55"),
    (0x41, 0xd07, "Cortex-A57"),
    (0x41, 0xd08, "Cortex-A72"),
    (0x41, 0xd09, "Cortex-A73"),
    (0x41, 0xd0a, "Cortex-A75"),
    (0x41, 0xd0b, "Cortex-A76"),
    (0x41, 0xd0c, "Neoverse-N1"),
    (0x41, 0xd0d, "Cortex-A77"),
    (0x41, 0xd40, "Neoverse-V1"),
    (0x41, 0xd41, "Cortex-A78"),
    (0x41, 0xd44, "Cortex-X1"),
    (0x41, 0xd46, "Cortex-A510"),
    (0x41, 0xd47, "Cortex-A710"),
    (0x41, 0xd48, "Cortex-X2"),
    (0x41, 0xd49, "Neoverse-N2"),
    (0x41, 0xd4a, "Neoverse-E1"),
    (0x41, 0xd4d, "Cortex-A715"),
    (0x41, 0xd4e, "Cortex-X3"),
    (0x41, 0xd4f, "Neoverse-V2"),
    (0x41, 0xd80, "Cortex-A520"),
    (0x41, 0xd81, "Cortex-A720"),
    (0x41, 0xd82, "Cortex-X4"),
    (0x41, 0xd83, "Neoverse-V3AE"),
    (0x41, 0xd84, "Neoverse-V3"),
    (0x41, 0xd85, "Cortex-X925"),
    (0x41, 0xd87, "Cortex-A725"),
    (0x41, 0xd8e, "Neoverse-N3"),
    (0x42, 0x516, "ThunderX2"),
    (0x43, 0x0a0, "ThunderX"),
    (0x43, 0x0af, "ThunderX2"),
    (0x43, 0x0b8, "ThunderX3"),
    (0x46, 0x001, "A64FX"),
    (0x46, 0x003, "MONAKA"),
    (0x48, 0xd01, "Kunpeng-920"),
    (0x48, 0xd06, "Kunpeng-950"),
    (0x4e, 0x004, "Carmel"),
    (0x4e, 0x010, "Olympus"),
    (0x50, 0x000, "X-Gene"),
    (0x51, 0x001, "Oryon"),
    (0x51, 0xc00, "Falkor"),
    (0x61, 0x022, "Icestorm-M1"),
    (0x61, 0x023, "Firestorm-M1"),
    (0x61, 0x024, "Icestorm-M1-Pro"),
    (0x61, 0x025, "Firestorm-M1-Pro"),
    (0x61, 0x028, "Icestorm-M1-Max"),
    (0x61, 0x029, "Firestorm-M1-Max"),
    (0x61, 0x032, "Blizzard-M2"),
    (0x61, 0x033, "Avalanche-M2"),
    (0x6d, 0xd49, "Azure-Cobalt-100"),
    (0xc0, 0xac3, "Ampere-1"),
    (0xc0, 0xac4, "Ampere-1a"),
];

/// The designs above with AMX: LLVM's CPU has the feature `amx-tile`.
const WITH_AMX: [&str; 3] = ["Sapphire Rapids", "Emerald Rapids", "Granite Rapids"];

/// The design of an x86 processor, such as `Zen 4`; `None` if it is not known here, or if the processor has
/// instructions that the design lacks: virtual machines may report numbers that are not their processor's.
pub(super) fn x86(vendor: &str, family: u32, model: u32, stepping: u32, flags: &str) -> Option<&'static str> {
    let design = name_by_numbers(vendor, family, model, stepping)?;
    let has_amx = flags.split(' ').any(|flag| flag == "amx_tile");
    (!has_amx || WITH_AMX.contains(&design)).then_some(design)
}

/// The design that has these numbers.
fn name_by_numbers(vendor: &str, family: u32, model: u32, stepping: u32) -> Option<&'static str> {
    match (vendor, family) {
        ("AuthenticAMD", _) => AMD
            .iter()
            .find(|one| one.1 == family && one.2.iter().any(|models| models.contains(&model)))
            .map(|one| one.0),
        // Three designs share this model; the steppings are from Intel's specification updates.
        ("GenuineIntel", 6) if model == 0x55 => Some(match stepping {
            0..=4 => "Skylake",
            5..=7 => "Cascade Lake",
            _ => "Cooper Lake",
        }),
        ("GenuineIntel", 6) => INTEL.iter().find(|one| one.1.contains(&model)).map(|one| one.0),
        _ => None,
    }
}

/// The design of a core of the Arm instruction set, such as `Neoverse-N1`; `None` if it is not known here.
pub(super) fn arm(implementer: u32, part: u32) -> Option<&'static str> {
    let mut known = ARM.iter();
    let found = known.find(|one| (one.0, one.1) == (implementer, part));
    found.map(|one| one.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_processors_of_one_name_have_two_designs() {
        let x86 = |vendor, family, model, stepping| x86(vendor, family, model, stepping, "sse2");
        // "AMD EPYC" of 2022 and of 2024, as virtual machines report them.
        assert_eq!(x86("AuthenticAMD", 25, 17, 1), Some("Zen 4"));
        assert_eq!(x86("AuthenticAMD", 26, 2, 1), Some("Zen 5"));
        assert_eq!(x86("GenuineIntel", 6, 0x55, 4), Some("Skylake"));
        assert_eq!(x86("GenuineIntel", 6, 0x55, 7), Some("Cascade Lake"));
        assert_eq!(x86("AuthenticAMD", 25, 0xff, 1), None);
        assert_eq!(x86("GenuineIntel", 15, 6, 1), None);
        assert_eq!(x86("HygonGenuine", 24, 1, 1), None);
        assert_eq!(arm(0x41, 0xd0c), Some("Neoverse-N1"));
        assert_eq!(arm(0x6d, 0xd49), Some("Azure-Cobalt-100"));
        assert_eq!(arm(0x41, 0xfff), None);
    }

    #[test]
    fn a_design_has_the_instructions_of_its_processor() {
        let of = |model, flags| x86("GenuineIntel", 6, model, 1, flags);
        assert_eq!(of(0xa7, "avx512f sha_ni"), Some("Rocket Lake"));
        // As a virtual machine on a Granite Rapids reports itself.
        assert_eq!(of(0xa7, "avx512f amx_bf16 amx_tile"), None);
        assert_eq!(of(0xad, "avx512f amx_bf16 amx_tile"), Some("Granite Rapids"));
        for design in WITH_AMX {
            assert!(INTEL.iter().any(|(name, _)| *name == design), "{design}");
        }
    }

    #[test]
    fn no_number_has_two_names() {
        let intel: Vec<u32> = INTEL.iter().flat_map(|one| one.1).copied().collect();
        for (at, one) in intel.iter().enumerate() {
            assert!(!intel[..at].contains(one), "{one:#x}");
        }
        for (at, one) in ARM.iter().enumerate() {
            let same = |other: &(u32, u32, &str)| (other.0, other.1) == (one.0, one.1);
            assert!(!ARM[..at].iter().any(same), "{one:?}");
        }
        let of_family = |(_, family, models): &(_, u32, &'static [RangeInclusive<u32>])| {
            let family = *family;
            models.iter().map(move |models| (family, models))
        };
        let amd: Vec<(u32, &RangeInclusive<u32>)> = AMD.iter().flat_map(of_family).collect();
        for (at, (family, models)) in amd.iter().enumerate() {
            let apart = |(other, others): &(u32, &RangeInclusive<u32>)| {
                other != family || others.end() < models.start() || models.end() < others.start()
            };
            assert!(!models.is_empty() && amd[..at].iter().all(apart), "{models:?}");
        }
    }
}
