//! Rolls, outcomes and the formats of positions: what is read and written, what is refused, and drawings.

mod bits;
mod diagram;
mod dice;
mod fibs;
mod match_id;
mod outcome;
mod planes;
mod points;
mod position;
mod position_id;
mod properties;
mod svg;
mod vectors;
mod xgid;
