//! The lines of `tavli rollout --positions` in games other than backgammon.

use tavli::Tier;
use tavli::game::{GameRollout, GameRolloutRequest, NamedGame, default_net};
use tavli::rollout::{Allocation, Playable, Session};
use tavli::run::Workers;
use tavli_terminal::answered_lines;
use tavli_terminal::failure::Failure;
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use super::arguments::Arguments;
use super::game_decision;
use super::game_result::{GameRolloutJson, has_result};
use super::positions_file::{Answer, LineGame};
use super::result::{DecisionJson, LineJson, cell, decision_columns};
use crate::game_turn::{Turn, goes_on};
use crate::layout::csv_cell;

/// How lines are rolled out.
pub(super) struct GameLines<'a, G: NamedGame> {
    arguments: &'a Arguments,
    game: G,
    tier: Tier,
    request: GameRolloutRequest,
    /// The request for a line with a roll, if it is decided.
    decision: Option<GameRolloutRequest>,
    settings: String,
}

/// The columns of a play's statistics.
const STATISTICS: [&str; 8] = [
    "equity",
    "se_equity",
    "low_equity",
    "high_equity",
    "win",
    "se_win",
    "low_win",
    "high_win",
];

impl<'a, G: NamedGame> GameLines<'a, G> {
    /// Checks the options by a rollout of the start.
    pub(super) fn new(arguments: &'a Arguments, request: GameRolloutRequest) -> Result<GameLines<'a, G>, Failure> {
        let tier = arguments.machine.tier()?;
        let game: G = arguments.game.of_seed(tier, request.seed)?;
        let decision = game_decision::asked::<G>(arguments, true)?;
        let start = GameRollout::<G>::new(game.start(), None, &request, tier).map_err(Failure::usage)?;
        let mut settings = G::NAME.to_owned();
        for (what, has) in start.playing_settings() {
            settings.push_str(&format!(", {what} {has}"));
        }
        let text = |bound: Option<f64>| bound.map_or_else(|| "none".to_owned(), |bound| bound.to_string());
        let stop = start.stop();
        settings.push_str(&format!(
            ", trials {}, standard error {}, seconds {}",
            stop.trials,
            text(stop.standard_error),
            text(stop.time.map(|time| time.as_secs_f64()))
        ));
        if let Some(GameRolloutRequest {
            policy,
            race: Some(race),
            stop,
            ..
        }) = &decision
        {
            let stop = stop.resolve(Allocation::DEFAULT_RACE).map_err(Failure::usage)?;
            settings.push_str(&format!(
                "; with a roll: policy {}, within {}, filter {}, plies {}, trials {}, seconds {}",
                policy.as_deref().or(default_net(G::NAME)).unwrap_or_default(),
                race.within,
                text(race.filter),
                text(race.truncation.map(|plies| plies.get().into())),
                stop.trials,
                text(stop.time.map(|time| time.as_secs_f64()))
            ));
        }
        Ok(GameLines {
            arguments,
            game,
            tier,
            request,
            decision,
            settings,
        })
    }

    fn turn(&self, line: &str) -> Result<Turn<G::Position>, Failure> {
        let (position, roll) = answered_lines::position_and_roll(line).map_err(Failure::usage)?;
        let turn = Turn::read_or_end(&self.game, position, roll)?;
        goes_on(&self.game, &turn.position)?;
        Ok(turn)
    }

    fn roll(&self, rollout: &GameRollout<G>) -> String {
        let chance = rollout.chance();
        chance.map_or_else(String::new, |chance| self.game.chance_text(chance))
    }

    /// The row of a rollout: its best play.
    fn row(&self, rollout: &GameRollout<G>, decision: Option<&DecisionJson>) -> Vec<u8> {
        let best = rollout.standings().swap_remove(0);
        let candidates = rollout.candidates();
        let moves = candidates[best.candidate].moves.as_deref().unwrap_or_default();
        let plays = candidates.len() + rollout.left_out();
        let (position, roll) = (self.game.state(rollout.position()), self.roll(rollout));
        let mut row = format!("{},{roll},{plays},{moves},{}", csv_cell(&position), best.trials);
        match best.outcomes.is_empty() {
            true => row.push_str(&",".repeat(G::OUTCOMES.len())),
            false => best
                .outcomes
                .iter()
                .for_each(|games| row.push_str(&format!(",{games}"))),
        }
        for statistic in [Some(best.equity), best.win] {
            // Games that are cut off are neither won nor lost.
            let numbers = statistic.map_or([f64::NAN; 4], |of| [of.mean, of.standard_error, of.low, of.high]);
            for number in numbers {
                row.push_str(&format!(",{}", cell(number)));
            }
        }
        if self.decision.is_some() {
            for (_, value) in decision_columns(decision) {
                row.push_str(&format!(",{value}"));
            }
        }
        row.into_bytes()
    }
}

impl<G: NamedGame> LineGame for GameLines<'_, G> {
    type Question = GameRollout<G>;

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

    fn read(&self, line: &str) -> Result<GameRollout<G>, String> {
        let turn = self.turn(line).map_err(|failure| failure.to_string())?;
        let request = match &self.decision {
            Some(decision) if turn.chance.is_some() => decision,
            Some(_) if self.arguments.truncate.is_some() => {
                return Err("--truncate is for decisions: write a tab and a roll after the position".to_owned());
            }
            _ => &self.request,
        };
        GameRollout::new(turn.position, turn.chance, request, self.tier).map_err(|error| error.to_string())
    }

    fn question(&self, rollout: &GameRollout<G>) -> String {
        format!("{},{}", self.game.state(rollout.position()), self.roll(rollout))
    }

    fn answer(
        &self,
        number: u64,
        mut rollout: GameRollout<G>,
        is_json: bool,
        workers: &Workers,
        session: &Session,
    ) -> Result<Answer, Failure> {
        let bar = Bar::new();
        let mut text = Vec::new();
        let played = session.play(&mut rollout, workers, |progress| {
            bar.show_trials(progress, &|_| String::new())
        });
        let reason = played.map_err(Failure::run)?;
        if let Err(message) = has_result(&rollout, reason) {
            let text = Err(message);
            return Ok(Answer { reason, text });
        }
        let rest = GameRolloutJson::new(None, &rollout, reason);
        match is_json {
            true => output::json_line(&mut text, &LineJson { line: number, rest })?,
            false => text = self.row(&rollout, rest.decision.as_ref()),
        }
        Ok(Answer { reason, text: Ok(text) })
    }
}
