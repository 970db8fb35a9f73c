//! How rollouts are kept: saved, saved while they are played, and put together from their parts.

pub(crate) mod checkpoint;
pub(crate) mod corrections_record;
pub(crate) mod cube_record;
pub(crate) mod ends_record;
pub(crate) mod merge;
pub(crate) mod record;
