//! Policies, which pick the plays.
//!
//! A [`Policy`] looks at many [decisions](crate::stepping::RollBatch) at a time and picks a play in each. A
//! [`PolicyPair`] has the policies of both sides, and plays whole games.
//!
//! | name | how it plays |
//! |---|---|
//! | `uniform` | [`Uniform`]: each distinct play is as likely as any other |
//! | `pubeval` | [`Pubeval`]: Tesauro's linear evaluation of 1993 |

mod built_in;
mod policy;
mod policy_pair;
mod pubeval;
mod stages;
mod uniform;

pub use built_in::{NAMES, PolicyError, built_in, recorded_signature};
pub use policy::{Policy, title};
pub use policy_pair::{BeforePly, Observer, PolicyPair};
pub use pubeval::{Pubeval, PubevalHeuristic};
pub use stages::{PolicyStage, PolicyTimes};
pub use uniform::Uniform;
