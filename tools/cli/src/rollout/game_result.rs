//! The result of a rollout in a game other than backgammon, as text and JSON.

use std::io::{self, Write};

use serde::Serialize;
use tavli::game::{GameRollout, PlayableGame};
use tavli::rollout::{EndReason, ResumableRollout};
use tavli_terminal::numbers::{counted, decimals, rate, seconds};

use crate::game_turn::{PositionJson, Turn, TurnJson};
use crate::ordered_map::OrderedMap;
use crate::run_description::RunDescription;

#[derive(Serialize)]
pub(crate) struct GameRolloutJson<'a> {
    /// Absent in the answers of a server.
    #[serde(flatten)]
    header: Option<&'a RunDescription>,
    #[serde(flatten)]
    turn: TurnJson<'a>,
    seed: u64,
    policy: &'a str,
    variance_reduction: bool,
    /// Absent where the whole rollout is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    first_trial: u64,
    trials: u64,
    /// Why its session ended; after a merge, that all trials are played.
    ended_by: &'static str,
    complete: bool,
    /// Time of playing, over all sessions and shards.
    seconds: f64,
    games_per_second: f64,
    candidates: Vec<CandidateJson>,
    #[serde(skip)]
    ended_by_rule: EndReason,
}

/// The JSON of a play, or of the position.
#[derive(Serialize)]
struct CandidateJson {
    rank: usize,
    /// Absent where the position itself is rolled out.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    #[serde(flatten)]
    position: PositionJson,
    trials: u64,
    outcomes: OrderedMap<&'static str, u64>,
    equity: f64,
    se_equity: f64,
    low_equity: f64,
    high_equity: f64,
    win: f64,
    se_win: f64,
    low_win: f64,
    high_win: f64,
    behind: f64,
}

impl<'a> GameRolloutJson<'a> {
    /// The JSON of a rollout, and why its session ended.
    pub(crate) fn new<G: PlayableGame>(
        header: Option<&'a RunDescription>,
        rollout: &'a GameRollout<G>,
        reason: EndReason,
    ) -> GameRolloutJson<'a> {
        let game = &**rollout.game();
        let turn = Turn { position: *rollout.position(), chance: rollout.chance() };
        let (trials, seconds) = (rollout.trials(), rollout.elapsed().as_secs_f64());
        let candidates = (1..).zip(rollout.standings()).map(|(rank, result)| {
            let candidate = &rollout.candidates()[result.candidate];
            let (equity, win) = (result.equity, result.win);
            let outcomes = G::OUTCOMES.iter().zip(result.outcomes);
            CandidateJson {
                rank,
                moves: candidate.moves.clone(),
                position: PositionJson::of(game, &candidate.position),
                trials: result.trials,
                outcomes: OrderedMap::new(outcomes.map(|(outcome, games)| (outcome.name, games))),
                equity: equity.mean,
                se_equity: equity.standard_error,
                low_equity: equity.low,
                high_equity: equity.high,
                win: win.mean,
                se_win: win.standard_error,
                low_win: win.low,
                high_win: win.high,
                behind: result.behind,
            }
        });
        GameRolloutJson {
            header,
            turn: TurnJson::new(game, &turn, rollout.rules()),
            seed: rollout.seed(),
            policy: rollout.policy(),
            variance_reduction: rollout.variance_reduction(),
            shard: rollout.shard().map(|shard| shard.to_string()),
            first_trial: trials.start,
            trials: trials.end - trials.start,
            ended_by: reason.name(),
            complete: rollout.is_complete(),
            seconds,
            games_per_second: rollout.total_games() as f64 / seconds,
            candidates: candidates.collect(),
            ended_by_rule: reason,
        }
    }

    /// The games of all candidates.
    fn games(&self) -> u64 {
        self.candidates.iter().map(|candidate| candidate.trials).sum()
    }
}

impl GameRolloutJson<'_> {
    pub(crate) fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let luck = match self.variance_reduction {
            true => ", luck subtracted",
            false => "",
        };
        if let Some(header) = self.header {
            writeln!(output, "{header}\n")?;
        }
        let shard = self.shard.as_ref().map_or_else(String::new, |shard| format!(", shard {shard}"));
        writeln!(
            output,
            "{}, both sides by {}{luck}, seed {}{shard}\n",
            self.turn.heading_of_roll(),
            self.policy,
            self.seed
        )?;
        match self.ended_by_rule {
            EndReason::Cancelled => writeln!(output, "interrupted; the trials before it\n")?,
            EndReason::StandardError => writeln!(output, "the standard error is as small as asked\n")?,
            _ => {}
        }
        if self.trials == 0 {
            return writeln!(output, "no trials were played");
        }
        let name = |candidate: &CandidateJson| candidate.moves.clone().unwrap_or_else(|| "position".to_owned());
        let width = self.candidates.iter().map(|candidate| name(candidate).len()).max().unwrap_or(0).max(4);
        writeln!(
            output,
            "       {:<width$}  {:>9}  {:>7}  {:>18}  {:>8}",
            "play", "equity", "± se", "95 % interval", "wins"
        )?;
        for candidate in &self.candidates {
            let CandidateJson { rank, equity, win, .. } = candidate;
            let error = decimals(candidate.se_equity, 4);
            let interval = format!("{:+.4}...{:+.4}", candidate.low_equity, candidate.high_equity);
            let share = 100.0 * win;
            writeln!(
                output,
                "  {rank:>3}. {:<width$}  {equity:>+9.4}  {error:>7}  {interval:>18}  {share:>7.2}%",
                name(candidate)
            )?;
        }
        if self.variance_reduction {
            writeln!(output, "       luck is subtracted from the equity, not from the games won")?;
        }
        let games = counted(self.games(), "game", "games");
        writeln!(output, "\n  {games} in {}, {} games/s", seconds(self.seconds), rate(self.games_per_second))
    }
}
