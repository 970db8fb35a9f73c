//! How much a test plays: little by default, much with `TAVLI_THOROUGH=1`.

/// Whether `TAVLI_THOROUGH` is set to 1.
///
/// # Panics
/// If it is set to anything but 0 or 1.
#[must_use]
pub fn is_thorough() -> bool {
    match std::env::var("TAVLI_THOROUGH").as_deref() {
        Ok("1") => true,
        Ok("0") | Err(std::env::VarError::NotPresent) => false,
        other => panic!("TAVLI_THOROUGH is 1 (play much) or 0 (play little), not {other:?}"),
    }
}

/// The number for the effort of this run.
#[must_use]
pub fn by_effort(quick: u64, thorough: u64) -> u64 {
    if is_thorough() { thorough } else { quick }
}
