//! The instruction-set tiers under test.

use std::sync::Once;

use tavli_simd::Tier;

use crate::notice::notice;

/// The tier that the environment variable `TAVLI_ISA` names, or else every tier that this CPU can run. Prints once
/// which tiers are left untested.
///
/// # Panics
/// If `TAVLI_ISA` names no tier, or one that this CPU lacks: a forced test never tests something else.
#[must_use]
pub fn tiers() -> Vec<Tier> {
    let tiers = match std::env::var("TAVLI_ISA") {
        Ok(name) => vec![name.parse().unwrap_or_else(|error| panic!("TAVLI_ISA: {error}"))],
        Err(std::env::VarError::NotPresent) => Tier::available().to_vec(),
        Err(error) => panic!("TAVLI_ISA: {error}"),
    };
    static SAY: Once = Once::new();
    SAY.call_once(|| {
        for tier in Tier::ALL.iter().filter(|tier| !tiers.contains(tier)) {
            let why = if Tier::available().contains(tier) { "TAVLI_ISA names another" } else { "this CPU lacks it" };
            notice(&format!("SKIPPED: tier {tier}: {why}"));
        }
    });
    tiers
}
