//! Tesauro's pubeval: a linear evaluation, as a policy and as a heuristic.

mod heuristic;
mod policy;
mod weights;

pub use heuristic::PubevalHeuristic;
pub use policy::Pubeval;
