//! What the CPU is known to do slowly.

/// Whether this is an AMD CPU before Zen 3 (family 19h), which runs PDEP and PEXT in microcode.
pub(crate) fn pdep_is_microcoded() -> bool {
    use core::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let is_amd = (vendor.ebx, vendor.edx, vendor.ecx) == (0x6874_7541, 0x6974_6e65, 0x444d_4163);
    let signature = __cpuid(1).eax;
    let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    is_amd && family < 0x19
}
