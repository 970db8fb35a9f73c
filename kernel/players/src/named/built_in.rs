//! The built-in players.

use tavli_backgammon::playout::RECORDED_SIGNATURE;
use tavli_backgammon::policies::{Pubeval, Uniform};

/// A player that is part of the program.
#[derive(Debug)]
#[non_exhaustive]
pub struct BuiltIn {
    /// The name that it is found by.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub summary: &'static str,
    /// Whether it values positions, and so is also an evaluator.
    pub values_positions: bool,
    /// The recorded [signature](tavli_backgammon::policies::PolicyPair::signature) of its games against itself: another
    /// one means that its games have changed.
    pub(super) signature: u64,
}

const BUILT_IN: &[BuiltIn] = &[
    BuiltIn {
        name: Uniform::NAME,
        summary: "each distinct play as likely as any other",
        values_positions: false,
        signature: RECORDED_SIGNATURE,
    },
    BuiltIn {
        name: Pubeval::NAME,
        summary: "Tesauro's linear evaluation of 1993",
        values_positions: false,
        signature: Pubeval::RECORDED_SIGNATURE,
    },
    BuiltIn {
        name: "td80",
        summary: "a net of 80 hidden units, as TD-Gammon's of 1992",
        values_positions: true,
        signature: 0xeba8_5b1e_8970_cbd4,
    },
    BuiltIn {
        name: "fast",
        summary: "a net of 192 hidden units, the cheapest good player",
        values_positions: true,
        signature: 0xf688_b423_e28e_dcfe,
    },
    BuiltIn {
        name: "strong",
        summary: "a net of 384, 256 and 64 hidden units, the best player",
        values_positions: true,
        signature: 0xc797_f180_960b_d888,
    },
];

/// The built-in players. Guides and help texts list all of them.
#[must_use]
pub fn built_ins() -> &'static [BuiltIn] {
    BUILT_IN
}

/// The names of the built-in players.
///
/// ```
/// assert!(tavli_players::named::names().any(|name| name == "pubeval"));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|built_in| built_in.name)
}

/// The built-in players, each with its summary, for a help text.
///
/// ```
/// let policies = tavli_players::named::list_of_policies();
/// assert!(policies.starts_with("uniform (each distinct play as likely as any other), pubeval ("), "{policies}");
/// ```
#[must_use]
pub fn list_of_policies() -> String {
    list(BUILT_IN.iter())
}

/// The built-in players that value positions, each with its summary, and the forms of `sampled`, for a help text.
///
/// ```
/// let evaluators = tavli_players::named::list_of_evaluators();
/// assert!(evaluators.starts_with("td80 (a net of 80 hidden units,"), "{evaluators}");
/// ```
#[must_use]
pub fn list_of_evaluators() -> String {
    let players = list(evaluators());
    format!(
        "{players}, sampled (the ends of 36 games from the position, every play equally likely), sampled:GAMES or \
         sampled:GAMES:POLICY"
    )
}

/// The built-in players that value positions.
pub(super) fn evaluators() -> impl Iterator<Item = &'static BuiltIn> {
    BUILT_IN.iter().filter(|built_in| built_in.values_positions)
}

fn list(players: impl Iterator<Item = &'static BuiltIn>) -> String {
    let players = players.map(|BuiltIn { name, summary, .. }| format!("{name} ({summary})"));
    players.collect::<Vec<_>>().join(", ")
}

pub(super) fn built_in(name: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|built_in| built_in.name == name)
}
