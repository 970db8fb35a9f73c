//! The lines of `tavli rollout --positions` in games other than backgammon.

use tavli::games::{AnyDecisionRequest, GameRolloutRequest, PlayableGame, default_net};
use tavli::rollout::{OptionValue, ResumableRollout};
use tavli_terminal::answered_lines;
use tavli_terminal::failure::Failure;

use super::request::GameRequest;
use crate::game_turn::{Turn, check_goes_on};
use crate::rollout::output::form::Columns;
use crate::rollout::output::game_rollout::table_columns;
use crate::rollout::question::Question;
use crate::rollout::saved::text;
use crate::rollout::table::each_line::Lines;

/// How lines are rolled out.
pub(crate) struct GameLines<'a, G> {
    request: &'a GameRequest,
    game: G,
    plain: GameRolloutRequest,
    /// The request for a line with a roll, if it is decided.
    decision: Option<AnyDecisionRequest>,
    settings: String,
}

impl<'a, G: PlayableGame> GameLines<'a, G> {
    /// Checks the options by a rollout of the start.
    pub(crate) fn new(request: &'a GameRequest) -> Result<GameLines<'a, G>, Failure> {
        let plain = request.plain(None);
        let game: G = request.game(plain.seed)?;
        let decision = request.decision::<G>(true)?;
        let start = request.rollout::<G>(&Turn { position: game.start(), chance: None }, &plain)?;
        let mut settings = G::NAME.to_owned();
        for (what, has) in start.playing_settings() {
            settings.push_str(&format!(", {what} {has}"));
        }
        let end_rules = start.plan().end_rules;
        settings.push_str(&format!(
            ", trials {}, standard error {}, seconds {}",
            end_rules.trials,
            text(end_rules.standard_error),
            text(end_rules.time.map(|time| time.as_secs_f64()))
        ));
        if let Some(AnyDecisionRequest { policy, settings: of, .. }) = &decision {
            settings.push_str(&format!(
                "; with a roll: policy {}, within {}, filter {}, plies {}, trials {}, seconds {}",
                policy.as_deref().or(default_net(G::NAME)).unwrap_or_default(),
                of.within,
                text(of.filter),
                text(of.plies),
                of.trials,
                text(of.time.map(|time| time.as_secs_f64()))
            ));
        }
        Ok(GameLines { request, game, plain, decision, settings })
    }

    fn turn(&self, line: &str) -> Result<Turn<G::Position>, Failure> {
        let (position, roll) = answered_lines::position_and_roll(line).map_err(Failure::usage)?;
        let turn = Turn::read_or_end(&self.game, position, roll)?;
        check_goes_on(&self.game, &turn.position)?;
        Ok(turn)
    }

    fn question(&self, turn: &Turn<G::Position>) -> Result<Box<dyn Question>, Failure> {
        match &self.decision {
            Some(request) if turn.chance.is_some() => Ok(Box::new(self.request.prepared::<G>(turn, request.clone())?)),
            Some(_) if !matches!(self.request.options.truncation, OptionValue::LeftOut) => {
                Err(Failure::usage("--truncate is for decisions: write a tab and a roll after the position"))
            }
            _ => Ok(Box::new(self.request.rollout::<G>(turn, &self.plain)?)),
        }
    }
}

impl<G: PlayableGame> Lines for GameLines<'_, G> {
    fn settings(&self) -> Result<String, Failure> {
        Ok(self.settings.clone())
    }

    fn columns(&self) -> (Columns, String) {
        let columns = Columns { cube: false, decision: self.decision.is_some() };
        (columns, table_columns::<G>(columns))
    }

    fn read(&self, line: &str) -> Result<Box<dyn Question>, String> {
        let question = self.turn(line).and_then(|turn| self.question(&turn));
        question.map_err(|failure| failure.to_string())
    }
}
