//! Rolls, outcomes, the formats of positions with their errors, and drawings.

mod bits;
mod diagram;
mod dice;
mod fibs;
mod match_id;
mod ogid;
mod outcome;
mod pasted;
mod planes;
mod points;
mod position;
mod position_id;
mod properties;
mod svg;
mod vectors;
mod xgid;
