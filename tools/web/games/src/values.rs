//! Values of positions and plays.

use serde::Serialize;
use tavli::game::{AnyPosition, NamedGame, RankedChoice, Visitor, default_net, remark_on_values, visit_other};
use tavli::{NO_STOP, Tier};
use tavli_web_module::{Failure, remark};

use crate::nets::Player;
use crate::positions;
use crate::positions::PlayJson;

/// The value of a position, for the player on roll or to move.
#[derive(Debug, Serialize)]
pub(crate) struct ValueJson {
    equity: f64,
    /// The plies of look-ahead.
    plies: u32,
}

/// A play with its value for the player who makes it.
#[derive(Debug, Serialize)]
pub(crate) struct ValuedPlayJson {
    #[serde(flatten)]
    play: PlayJson,
    equity: f64,
    behind: f64,
    plies: u32,
}

/// Remarks on values by a net that it visits the game of, if it has not learned the rules.
struct RemarkOnValues<'a> {
    net: &'a str,
    rules: &'a str,
}

impl Visitor for RemarkOnValues<'_> {
    type Output = ();

    fn visit<G: NamedGame>(self) {
        let game = G::by_rules(self.rules, Tier::best(), 0);
        if let Some(found) = game.ok().and_then(|game| remark_on_values(&game, self.net, self.rules)) {
            remark(found);
        }
    }
}

/// The player of a text. Remarks on a net that has not learned the rules of the position.
fn player<'a>(position: &AnyPosition, text: Option<&'a str>) -> Result<Player<'a>, Failure> {
    let player = Player::read(position, text)?;
    if let (Player::Net(..), Some(net)) = (&player, text.or(default_net(position.game()))) {
        let rules = position.rules();
        visit_other(position.game(), RemarkOnValues { net, rules }).expect("a position is of one of the games");
    }
    Ok(player)
}

pub(crate) fn value(position: &AnyPosition, player: Option<&str>) -> Result<ValueJson, Failure> {
    let player = self::player(position, player)?;
    let value = position.value(player.evaluator(), NO_STOP);
    Ok(ValueJson {
        equity: value.map_err(|error| player.explain(position, error.into()))?,
        plies: player.plies(),
    })
}

/// The plays of a roll with their values by a player, the best first.
pub(crate) fn plays(
    position: &AnyPosition,
    roll: Option<&str>,
    player: Option<&str>,
) -> Result<Vec<ValuedPlayJson>, Failure> {
    let player = self::player(position, player)?;
    let ranked = position.ranked(roll, player.evaluator(), NO_STOP);
    let ranked = ranked.map_err(|error| player.explain(position, error.into()))?;
    let mut plays: Vec<Option<PlayJson>> = positions::plays(position, roll)?.into_iter().map(Some).collect();
    let best = ranked.first().map_or(0.0, |best| best.value);
    let valued = ranked
        .into_iter()
        .map(|RankedChoice { choice, value, plies }| ValuedPlayJson {
            play: plays[choice].take().expect("each choice is ranked once"),
            equity: value,
            behind: best - value,
            plies,
        });
    Ok(valued.collect())
}
