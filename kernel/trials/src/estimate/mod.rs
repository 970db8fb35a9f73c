//! What the values of trials say: means with their errors and intervals, races, decisions.

pub mod confidence;
pub(crate) mod decision;
pub mod interval;
pub(crate) mod paired_race;
pub mod power_sums;
pub(crate) mod statistic;
pub(crate) mod students_t;
pub(crate) mod whole_games;
