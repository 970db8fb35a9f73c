//! Policies, which pick the plays.
//!
//! A [`Policy`] looks at many [decisions](crate::games::Decisions) at a time and picks a play in each. [`Players`] are
//! the policies of both sides, and play whole games.
//!
//! | name | how it plays |
//! |---|---|
//! | `uniform` | [`Uniform`]: each distinct play is as likely as any other |
//! | `pubeval` | [`Pubeval`]: Tesauro's linear evaluation of 1993 |

mod built_in;
mod players;
mod policy;
mod pubeval;
mod stages;
mod uniform;

pub use built_in::{NAMES, PolicyError, built_in, recorded_signature};
pub use players::{BeforePly, Observer, Players};
pub use policy::{Policy, title};
pub use pubeval::{Pubeval, PubevalHeuristic};
pub use stages::{PolicyStage, PolicyTimes};
pub use uniform::Uniform;
