//! The result of a rollout in a game other than backgammon, as text and JSON.

use std::io::{self, Write};
use std::num::NonZeroU32;

use serde::Serialize;
use tavli::game::{GameCandidate, GameCandidateResult, GameRollout, NamedGame};
use tavli::rollout::{Decision, Playable, Statistic, StopReason};
use tavli_terminal::numbers::{counted, decimals, rate, seconds};

use super::arguments::has_trials;
use super::result::{DecisionJson, RacedPlays, print_decision, print_values_alone};
use crate::game_turn::{PositionJson, Turn, TurnJson};
use crate::header::Header;
use crate::ordered_map::OrderedMap;

/// Fails, with a message, where a session ended without a result. A decision has one when its time is up: the play of
/// the highest value.
pub(super) fn has_result<G: NamedGame>(rollout: &GameRollout<G>, reason: StopReason) -> Result<(), &'static str> {
    match reason {
        StopReason::Time if rollout.decision().is_some() => Ok(()),
        _ => has_trials(rollout.total_games(), reason),
    }
}

#[derive(Serialize)]
pub(crate) struct GameRolloutJson<'a> {
    /// Absent in the answers of a server.
    #[serde(flatten)]
    header: Option<&'a Header>,
    #[serde(flatten)]
    turn: TurnJson<'a>,
    seed: u64,
    policy: &'a str,
    variance_reduction: bool,
    /// Absent where the whole rollout is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    /// The most plies of a game; `None` for whole games. Absent without a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncate: Option<Option<NonZeroU32>>,
    /// Absent in a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_trial: Option<u64>,
    trials: u64,
    /// Why its session ended; after a merge, that all trials are played.
    ended_by: &'static str,
    complete: bool,
    /// Time of playing, over all sessions and parts.
    seconds: f64,
    games_per_second: f64,
    /// Absent where the plays do not race.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<DecisionJson>,
    candidates: Vec<CandidateJson>,
    #[serde(skip)]
    text: Text<'a>,
}

/// What the text has beside the members of the JSON.
struct Text<'a> {
    reason: StopReason,
    games: u64,
    decision: Option<Decision>,
    plays_are_named: bool,
    /// The moves of each candidate by its index.
    moves: Vec<&'a str>,
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
    /// Absent in a decision, as is what is said of the games won.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<OrderedMap<&'static str, u64>>,
    /// Absent without a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped: Option<bool>,
    /// Its value by the net before the race. Absent without a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<f64>,
    /// `None` without trials; its error is before two.
    equity: Option<f64>,
    se_equity: Option<f64>,
    low_equity: Option<f64>,
    high_equity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    se_win: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    low_win: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high_win: Option<f64>,
    behind: Option<f64>,
}

impl CandidateJson {
    fn new<G: NamedGame>(
        game: &G,
        rank: usize,
        candidate: &GameCandidate<G::Position>,
        result: GameCandidateResult,
    ) -> CandidateJson {
        let known = |number: f64| Some(number).filter(|number| number.is_finite());
        let win = |of: fn(Statistic) -> f64| result.win.map(of);
        let outcomes = G::OUTCOMES.iter().zip(&result.outcomes);
        let outcomes = outcomes.map(|(outcome, &games)| (outcome.name, games));
        CandidateJson {
            rank,
            moves: candidate.moves.clone(),
            position: PositionJson::of(game, &candidate.position),
            trials: result.trials,
            outcomes: result.race.is_none().then(|| OrderedMap::new(outcomes)),
            dropped: result.race.map(|race| race.is_dropped),
            evaluation: result.race.map(|race| race.evaluation),
            equity: known(result.equity.mean),
            se_equity: known(result.equity.standard_error),
            low_equity: known(result.equity.low),
            high_equity: known(result.equity.high),
            win: win(|win| win.mean),
            se_win: win(|win| win.standard_error),
            low_win: win(|win| win.low),
            high_win: win(|win| win.high),
            behind: known(result.behind),
        }
    }
}

impl<'a> GameRolloutJson<'a> {
    /// The JSON of a rollout, and why its session ended.
    pub(crate) fn new<G: NamedGame>(
        header: Option<&'a Header>,
        rollout: &'a GameRollout<G>,
        reason: StopReason,
    ) -> GameRolloutJson<'a> {
        let game = &**rollout.game();
        let turn = Turn {
            position: *rollout.position(),
            chance: rollout.chance(),
        };
        let (trials, seconds) = (rollout.trials(), rollout.elapsed().as_secs_f64());
        let (decision, games) = (rollout.decision(), rollout.total_games());
        let moves = rollout.candidates().iter().map(|candidate| candidate.moves.as_deref());
        let moves: Vec<&str> = moves.map(Option::unwrap_or_default).collect();
        let candidates = (1..).zip(rollout.standings()).map(|(rank, result)| {
            let candidate = &rollout.candidates()[result.candidate];
            CandidateJson::new(game, rank, candidate, result)
        });
        GameRolloutJson {
            header,
            turn: TurnJson::new(game, &turn, rollout.rules()),
            seed: rollout.seed(),
            policy: rollout.policy(),
            variance_reduction: rollout.variance_reduction(),
            shard: rollout.shard().map(|shard| shard.to_string()),
            truncate: rollout.race().map(|race| race.truncation),
            first_trial: rollout.race().is_none().then_some(trials.start),
            trials: trials.end - trials.start,
            ended_by: reason.name(),
            complete: match rollout.race() {
                Some(_) => !matches!(reason, StopReason::Time | StopReason::Cancelled),
                None => rollout.is_complete(),
            },
            seconds,
            games_per_second: games as f64 / seconds,
            decision: decision
                .as_ref()
                .map(|decision| DecisionJson::new(decision, |candidate| moves[candidate].to_owned(), games)),
            candidates: candidates.collect(),
            text: Text {
                reason,
                games,
                decision,
                plays_are_named: rollout.has_named_plays(),
                moves,
            },
        }
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
        let shard = self
            .shard
            .as_ref()
            .map_or_else(String::new, |shard| format!(", shard {shard}"));
        let plies = match self.truncate {
            Some(Some(plies)) => format!(", cut off after {}", counted(u64::from(plies.get()), "ply", "plies")),
            Some(None) => ", to the end".to_owned(),
            None => String::new(),
        };
        writeln!(
            output,
            "{}, both sides by {}{plies}{luck}, seed {}{shard}\n",
            self.turn.heading_of_roll(),
            self.policy,
            self.seed
        )?;
        let Text {
            reason,
            games,
            decision,
            plays_are_named,
            moves,
        } = &self.text;
        match reason {
            StopReason::Cancelled if decision.is_some() => writeln!(output, "interrupted; the games before it\n")?,
            StopReason::Time if decision.is_some() => writeln!(output, "the time is up; the games before it\n")?,
            StopReason::Cancelled => writeln!(output, "interrupted; the trials before it\n")?,
            StopReason::StandardError => writeln!(output, "the standard error is as small as asked\n")?,
            _ => {}
        }
        let play = |candidate: usize| moves[candidate].to_owned();
        match decision {
            Some(decision) if self.trials == 0 => print_values_alone(decision, play, output)?,
            Some(decision) => {
                let raced = RacedPlays {
                    number: moves.len(),
                    are_named: *plays_are_named,
                };
                print_decision(decision, raced, play, output)?;
            }
            None if self.trials == 0 => return writeln!(output, "no trials were played"),
            None => {}
        }
        let name = |candidate: &CandidateJson| candidate.moves.clone().unwrap_or_else(|| "position".to_owned());
        let width = self
            .candidates
            .iter()
            .map(|candidate| name(candidate).len())
            .max()
            .unwrap_or(0)
            .max(4);
        writeln!(
            output,
            "       {:<width$}  {:>9}  {:>7}  {:>18}  {}",
            "play",
            "equity",
            "± se",
            "95 % interval",
            if decision.is_some() { "trials" } else { "    wins" }
        )?;
        let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:+.4}"));
        for candidate in &self.candidates {
            let CandidateJson { rank, trials, .. } = candidate;
            let equity = number(candidate.equity);
            let error = candidate.se_equity;
            let error = error.map_or_else(|| "-".to_owned(), |error| decimals(error, 4));
            let interval = format!("{}...{}", number(candidate.low_equity), number(candidate.high_equity));
            let last = match (candidate.win, candidate.dropped) {
                (Some(win), _) => format!("{:>7.2}%", 100.0 * win),
                (None, Some(true)) => format!("{trials:>6}  dropped"),
                (None, _) => format!("{trials:>6}"),
            };
            writeln!(
                output,
                "  {rank:>3}. {:<width$}  {equity:>9}  {error:>7}  {interval:>18}  {last}",
                name(candidate)
            )?;
        }
        if self.variance_reduction && decision.is_none() {
            writeln!(
                output,
                "       luck is subtracted from the equity, not from the games won"
            )?;
        }
        let games = counted(*games, "game", "games");
        writeln!(
            output,
            "\n  {games} in {}, {} games/s",
            seconds(self.seconds),
            rate(self.games_per_second)
        )
    }
}
