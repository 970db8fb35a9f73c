//! The games other than backgammon that requests name by the member `game`, and their turns.

use axum::http::StatusCode;
use tavli::Tier;
use tavli::games::{
    NAMES, OTHER_NAMES, PlayableGame, PositionError, START, UnknownGame, Visitor, built_in_nets, split_look_ahead,
    visit,
};
use tavli::text::Quoted;
use tavli_engines::serve::Refusal;

use crate::game_turn::{Turn, check_goes_on};

/// A game other than backgammon, as a request names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnyGame(&'static str);

/// What a request asks about.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnTexts<'a> {
    pub(super) position: &'a str,
    pub(super) rules: Option<&'a str>,
    /// The name and the text of the member with the roll.
    pub(super) roll: (&'static str, Option<&'a str>),
}

/// A turn of a game, read from a request.
pub(super) struct RequestedTurn<G: PlayableGame> {
    pub(super) game: G,
    pub(super) turn: Turn<G::Position>,
    pub(super) rules: String,
    /// What the text of the position says and cannot be.
    pub(super) remark: Option<String>,
}

impl AnyGame {
    /// The game of this name; `None` for backgammon.
    pub(super) fn named(name: Option<&str>) -> Result<Option<AnyGame>, Refusal> {
        match name {
            None => Ok(None),
            Some(name) if name == NAMES[0] => Ok(None),
            Some(name) => match OTHER_NAMES.iter().find(|other| **other == name) {
                Some(game) => Ok(Some(AnyGame(game))),
                None => Err(Refusal::invalid(UnknownGame(name.to_owned())).with_field("game")),
            },
        }
    }

    /// The name of the game.
    pub(super) fn name(self) -> &'static str {
        self.0
    }

    pub(super) fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        visit(self.0, visitor).expect("the name of a game")
    }

    /// Refuses a policy that is neither a net of the game that is built in, which may look ahead, nor one of `others`:
    /// files and tables of the machine are not for clients.
    pub(super) fn check_policy(self, policy: Option<&str>, others: &[&str]) -> Result<(), Refusal> {
        let Some(policy) = policy else {
            return Ok(());
        };
        let nets = built_in_nets().filter(|(game, _)| *game == self.0).map(|(_, name)| name);
        let names: Vec<&str> = nets.chain(others.iter().copied()).collect();
        let net = split_look_ahead(policy).map_or(policy, |(net, _)| net);
        match names.contains(&net) {
            true => Ok(()),
            false => Err(Refusal::invalid(format_args!(
                "'{}' is no player of {} of this server: choose one of {}",
                Quoted::new(policy),
                self.0,
                names.join(", ")
            ))
            .with_field("policy")),
        }
    }
}

/// The answer to an option of this name that is refused.
pub(super) fn refused_by(option: Option<&str>, error: &dyn ToString) -> Refusal {
    let refusal = Refusal::invalid(error.to_string());
    match option {
        Some(option) => refusal.with_field(option.to_owned()),
        None => refusal,
    }
}

/// The answer to a text that is no position.
pub(super) fn unreadable(error: PositionError) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, "invalid_position_id", error).with_field("position")
}

impl<G: PlayableGame> RequestedTurn<G> {
    /// Reads a turn of a game that goes on.
    pub(super) fn read(asked: TurnTexts<'_>, tier: Tier, seed: u64) -> Result<RequestedTurn<G>, Refusal> {
        let asked = RequestedTurn::<G>::read_or_end(asked, tier, seed)?;
        match check_goes_on(&asked.game, &asked.turn.position) {
            Ok(()) => Ok(asked),
            Err(failure) => Err(Refusal::invalid(failure).with_field("position")),
        }
    }

    /// Reads a turn, or a position in which the game is over.
    pub(super) fn read_or_end(asked: TurnTexts<'_>, tier: Tier, seed: u64) -> Result<RequestedTurn<G>, Refusal> {
        let rules = asked.rules.unwrap_or(G::RULES[0]);
        let game = G::by_rules(rules, tier, seed).map_err(|error| Refusal::invalid(error).with_field("rules"))?;
        let read = match asked.position.trim() {
            START => game.start().into(),
            text => game.read_turn(text).map_err(unreadable)?,
        };
        let remark = read.remark.clone();
        let (name, roll) = asked.roll;
        let turn =
            Turn::from_read_turn(&game, read, roll).map_err(|failure| Refusal::invalid(failure).with_field(name))?;
        let rules = rules.to_owned();
        Ok(RequestedTurn { game, turn, rules, remark })
    }
}
