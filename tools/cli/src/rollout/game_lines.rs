//! The lines of `tavli rollout --positions` in games other than backgammon.

use std::time::Instant;

use tavli::Tier;
use tavli::game::{
    AnyDecisionRequest, AnyPreparedDecision, GameRollout, GameRolloutRequest, PlayableGame, default_net,
};
use tavli::rollout::{EndReason, ResumableRollout, Session};
use tavli::run::Workers;
use tavli_terminal::answered_lines;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use super::arguments::{RolloutArguments, has_trials};
use super::game_decision::{self, GameDecisionJson};
use super::game_result::GameRolloutJson;
use super::positions_file::{Answer, LineGame};
use super::result::{LineJson, cell, decision_columns};
use crate::game_turn::{Turn, goes_on};
use crate::layout::csv_cell;

/// How lines are rolled out.
pub(super) struct GameLines<'a, G: PlayableGame> {
    arguments: &'a RolloutArguments,
    game: G,
    tier: Tier,
    request: GameRolloutRequest,
    /// The request for a line with a roll, if it is decided.
    decision: Option<AnyDecisionRequest>,
    settings: String,
}

/// The rollout of a line.
pub(super) enum LineRollout<G: PlayableGame> {
    Plain(GameRollout<G>),
    Decision {
        turn: Turn<G::Position>,
        /// The plays of the roll.
        plays: usize,
        prepared: AnyPreparedDecision,
    },
}

/// The columns of a play's statistics.
const STATISTICS: [&str; 8] =
    ["equity", "se_equity", "low_equity", "high_equity", "win", "se_win", "low_win", "high_win"];

impl<'a, G: PlayableGame> GameLines<'a, G> {
    /// Checks the options by a rollout of the start.
    pub(super) fn new(
        arguments: &'a RolloutArguments,
        request: GameRolloutRequest,
    ) -> Result<GameLines<'a, G>, Failure> {
        let tier = arguments.machine.tier()?;
        let game: G = arguments.game.of_seed(tier, request.seed)?;
        let decision = game_decision::asked::<G>(arguments, true)?;
        let start = GameRollout::<G>::new(game.start(), None, &request, tier).map_err(Failure::usage)?;
        let mut settings = G::NAME.to_owned();
        for (what, has) in start.playing_settings() {
            settings.push_str(&format!(", {what} {has}"));
        }
        let end_rules = start.end_rules();
        let text = |bound: Option<f64>| bound.map_or_else(|| "none".to_owned(), |bound| bound.to_string());
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
                of.plies.map_or_else(|| "none".to_owned(), |plies| plies.to_string()),
                of.trials,
                text(of.time.map(|time| time.as_secs_f64()))
            ));
        }
        Ok(GameLines { arguments, game, tier, request, decision, settings })
    }

    fn turn(&self, line: &str) -> Result<Turn<G::Position>, Failure> {
        let (position, roll) = answered_lines::position_and_roll(line).map_err(Failure::usage)?;
        let turn = Turn::read_or_end(&self.game, position, roll)?;
        goes_on(&self.game, &turn.position)?;
        Ok(turn)
    }

    fn roll(&self, chance: Option<usize>) -> String {
        chance.map_or_else(String::new, |chance| self.game.chance_text(chance))
    }

    /// The first cells of a row: the position, the roll, the number of plays, the moves of the best and its trials.
    fn cells(
        &self,
        (position, chance): (&G::Position, Option<usize>),
        plays: usize,
        moves: &str,
        trials: u64,
    ) -> String {
        let (position, roll) = (self.game.state(position), self.roll(chance));
        format!("{},{roll},{plays},{moves},{trials}", csv_cell(&position))
    }

    /// The row of a rollout: its best play.
    fn row(&self, rollout: &GameRollout<G>) -> Vec<u8> {
        let best = rollout.standings().swap_remove(0);
        let candidates = rollout.candidates();
        let moves = candidates[best.candidate].moves.as_deref().unwrap_or_default();
        let turn = (rollout.position(), rollout.chance());
        let mut row = self.cells(turn, candidates.len(), moves, best.trials);
        for games in &best.outcomes {
            row.push_str(&format!(",{games}"));
        }
        for statistic in [best.equity, best.win] {
            let of = [statistic.mean, statistic.standard_error, statistic.low, statistic.high];
            for number in of {
                row.push_str(&format!(",{}", cell(number)));
            }
        }
        if self.decision.is_some() {
            for (_, value) in decision_columns(None) {
                row.push_str(&format!(",{value}"));
            }
        }
        row.into_bytes()
    }

    /// The row of a decision.
    fn row_of_decision(&self, turn: &Turn<G::Position>, plays: usize, decision: &GameDecisionJson<'_>) -> Vec<u8> {
        let best = decision.best();
        let mut row = self.cells((&turn.position, turn.chance), plays, &best.moves, best.trials);
        row.push_str(&",".repeat(G::OUTCOMES.len()));
        for number in [best.equity, best.se_equity, best.low_equity, best.high_equity] {
            row.push_str(&format!(",{}", cell(number.unwrap_or(f64::NAN))));
        }
        // Games that are cut off are neither won nor lost.
        row.push_str(&",".repeat(4));
        for (_, value) in decision_columns(Some(&decision.decision)) {
            row.push_str(&format!(",{value}"));
        }
        row.into_bytes()
    }
}

impl<G: PlayableGame> LineGame for GameLines<'_, G> {
    type LineRollout = LineRollout<G>;

    fn settings(&self) -> Result<String, Failure> {
        Ok(self.settings.clone())
    }

    fn columns(&self) -> Vec<u8> {
        let mut columns = "position,roll,plays,moves,trials".to_owned();
        for outcome in G::OUTCOMES {
            columns.push_str(&format!(",games_{}", outcome.name));
        }
        for name in STATISTICS {
            columns.push_str(&format!(",{name}"));
        }
        if self.decision.is_some() {
            for (name, _) in decision_columns(None) {
                columns.push_str(&format!(",{name}"));
            }
        }
        columns.into_bytes()
    }

    fn read(&self, line: &str) -> Result<LineRollout<G>, String> {
        let turn = self.turn(line).map_err(|failure| failure.to_string())?;
        match &self.decision {
            Some(request) if turn.chance.is_some() => {
                let prepared = game_decision::prepared::<G>(self.arguments, &turn, request.clone());
                let plays = self.game.plays(&turn.position, turn.chance.unwrap_or_default()).len();
                Ok(LineRollout::Decision { prepared: prepared.map_err(|failure| failure.to_string())?, turn, plays })
            }
            Some(_) if self.arguments.truncate.is_some() => {
                Err("--truncate is for decisions: write a tab and a roll after the position".to_owned())
            }
            _ => {
                let rollout = GameRollout::new(turn.position, turn.chance, &self.request, self.tier);
                rollout.map(LineRollout::Plain).map_err(|error| error.to_string())
            }
        }
    }

    fn line_key(&self, line: &LineRollout<G>) -> String {
        let (position, chance) = match line {
            LineRollout::Plain(rollout) => (*rollout.position(), rollout.chance()),
            LineRollout::Decision { turn, .. } => (turn.position, turn.chance),
        };
        format!("{},{}", self.game.state(&position), self.roll(chance))
    }

    fn answer(
        &self,
        number: u64,
        line: LineRollout<G>,
        is_json: bool,
        workers: &Workers,
        session: &Session,
    ) -> Result<Answer, Failure> {
        let bar = Bar::new();
        let mut text = Vec::new();
        let reason = match line {
            LineRollout::Plain(mut rollout) => {
                let played =
                    session.play(&mut rollout, workers, |progress| bar.show_trials(progress, &|_| String::new()));
                let reason = played.map_err(Failure::run)?;
                if let Err(message) = has_trials(rollout.total_games(), reason) {
                    let text = Err(message);
                    return Ok(Answer { reason, text });
                }
                match is_json {
                    true => {
                        let rest = GameRolloutJson::new(None, &rollout, reason);
                        output::json_line(&mut text, &LineJson { line: number, rest })?;
                    }
                    false => text = self.row(&rollout),
                }
                reason
            }
            LineRollout::Decision { turn, plays, prepared } => {
                let start = Instant::now();
                let found = prepared.decide(workers, &session.cancel, |progress| bar.show(&progress.games));
                let Ok(found) = found else {
                    return Ok(Answer { reason: EndReason::Cancelled, text: Err(interrupt::NO_RESULT) });
                };
                let reason = found.ended_by;
                let rest = GameDecisionJson::new(None, &prepared, found, start.elapsed());
                match is_json {
                    true => output::json_line(&mut text, &LineJson { line: number, rest })?,
                    false => text = self.row_of_decision(&turn, plays, &rest),
                }
                reason
            }
        };
        Ok(Answer { reason, text: Ok(text) })
    }
}
