//! What playouts are played, in any game.

use std::num::NonZeroU32;

use serde::Serialize;
use tavli::Playouts;
use tavli::games::{PlayableGame, PlayoutStart};
use tavli::policies::PolicyPair;

use crate::game_turn::PositionJson;

/// The games to play and their players.
pub(crate) struct PlayoutDescription {
    pub(super) start: StartJson,
    pub(super) manner: Manner,
    /// The rules and the position in words.
    pub(super) title: String,
}

/// Where games begin.
#[derive(Serialize)]
pub(super) struct StartJson {
    #[serde(flatten)]
    pub(super) position: PositionJson,
    /// Absent in backgammon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<&'static str>,
}

/// How games are played.
#[derive(Serialize)]
pub(super) struct Manner {
    pub(super) seed: u64,
    pub(super) rules: String,
    /// Absent in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_roll: Option<String>,
    /// The ply after which games are cut off.
    pub(super) truncated_after: Option<u32>,
    /// The policy of the player on roll in the position.
    pub(super) policy: String,
    pub(super) opponent_policy: String,
}

impl PlayoutDescription {
    pub(crate) fn for_backgammon(playouts: &Playouts, players: &PolicyPair) -> PlayoutDescription {
        let (rules, start) = (playouts.rules(), playouts.start());
        let from =
            if *start == rules.start() { "the opening position".to_owned() } else { start.position_id().to_string() };
        let [policy, opponent] = players.names();
        PlayoutDescription {
            start: StartJson { position: PositionJson::from_board(*start), game: None },
            manner: Manner {
                seed: playouts.seed(),
                rules: rules.name().to_owned(),
                first_roll: Some(playouts.first_roll().to_string()),
                truncated_after: playouts.truncation().map(NonZeroU32::get),
                policy: policy.to_owned(),
                opponent_policy: opponent.to_owned(),
            },
            title: format!("{rules} from {from}"),
        }
    }

    /// The settings of another game's playouts: by its rules and seed, and the names of the two policies.
    pub(crate) fn for_game<G: PlayableGame>(
        game: &G,
        start: &PlayoutStart<G::Position>,
        (rules, seed): (&str, u64),
        [policy, opponent_policy]: [String; 2],
    ) -> PlayoutDescription {
        let position = PositionJson::new(game, &start.position);
        let from = match start.position == game.start() {
            true => "the start",
            false => &*position,
        };
        let title = format!("{}, {rules} rules, from {from}", G::NAME);
        let first_roll = || start.chance.map_or_else(|| "any".to_owned(), |chance| game.chance_text(chance));
        PlayoutDescription {
            start: StartJson { position, game: Some(G::NAME) },
            manner: Manner {
                seed,
                rules: rules.to_owned(),
                first_roll: (game.chances().len() > 1).then(first_roll),
                truncated_after: start.truncation.map(NonZeroU32::get),
                policy,
                opponent_policy,
            },
            title,
        }
    }
}
