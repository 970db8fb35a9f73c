//! The results of the games: their counts, and the statistics that follow from these.

pub(crate) mod corrections;
pub(crate) mod counts;
pub(crate) mod cube_decision;
pub(crate) mod cubeful_sums;
pub(crate) mod difference;
pub(crate) mod doubles_class_order;
pub(crate) mod pairs;
pub(crate) mod rounds;
pub(crate) mod strata;
pub(crate) mod summary;
pub(crate) mod value_statistics;
