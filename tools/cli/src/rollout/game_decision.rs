//! `tavli rollout` of a roll in a game other than backgammon that has nets: which play to make.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tavli::game::{
    DecisionSettings, GameDecision, NamedGame, NamedNet, NamedPlay, RacedChoice, default_net, named_net,
};
use tavli::rollout::{Decision, OptionValue, StopReason};
use tavli::text::Quoted;

use super::arguments::Arguments;
use super::result::{DecisionJson, RacedPlays, print_decision, print_values_alone};
use crate::evaluator_options::remark_on_net;
use crate::failure::Failure;
use crate::game_turn::{Turn, TurnJson};
use crate::header::Header;
use crate::interrupt;
use crate::numbers::{counted, decimals, rate, seconds};
use crate::progress::Bar;

/// The JSON of a decision with its candidates.
#[derive(Serialize)]
struct GameDecisionJson<'a> {
    #[serde(flatten)]
    header: &'a Header,
    #[serde(flatten)]
    turn: TurnJson<'a>,
    seed: u64,
    policy: &'a str,
    variance_reduction: bool,
    /// The most plies of a game; `None` for whole games.
    truncate: Option<u32>,
    trials: u64,
    ended_by: &'static str,
    complete: bool,
    seconds: f64,
    games_per_second: f64,
    decision: DecisionJson,
    candidates: Vec<CandidateJson>,
    #[serde(skip)]
    text: TextOfDecision,
}

/// What the text says of the decision.
struct TextOfDecision {
    ended_by: StopReason,
    decision: Decision,
    moves: Vec<String>,
}

/// The JSON of a play that raced.
#[derive(Serialize)]
struct CandidateJson {
    rank: usize,
    moves: String,
    position: String,
    trials: u64,
    dropped: bool,
    /// Its value by the net before the race.
    evaluation: f64,
    /// `None` without trials; its error is before two.
    equity: Option<f64>,
    se_equity: Option<f64>,
    low_equity: Option<f64>,
    high_equity: Option<f64>,
    behind: Option<f64>,
}

/// How to decide, if the arguments ask for a decision.
pub(super) fn asked<G: NamedGame>(
    arguments: &Arguments,
    has_roll: bool,
    seed: u64,
) -> Result<Option<DecisionSettings>, Failure> {
    let Arguments {
        within,
        filter,
        truncate,
        seconds: time,
        trials,
        ..
    } = arguments;
    let of_decisions = [
        ("--within", within.is_some()),
        ("--filter", filter.is_some()),
        ("--truncate", truncate.is_some()),
        ("--seconds", time.is_some()),
    ];
    let named = of_decisions
        .iter()
        .find(|(_, is_given)| *is_given)
        .map(|(name, _)| name);
    let is_plain = trials.is_some() || arguments.policies.policy.is_some() || arguments.variance_reduction;
    let is_decision = default_net(G::NAME).is_some() && has_roll && (within.is_some() || !is_plain);
    match named {
        _ if is_decision => {}
        None => return Ok(None),
        Some(option) if default_net(G::NAME).is_none() => {
            return Err(Failure::usage(format_args!(
                "{option} needs a player that values positions, and {} has none: leave it out",
                G::NAME
            )));
        }
        Some(option) if !has_roll => {
            return Err(Failure::usage(format_args!(
                "{option} is for decisions: write the ROLL after the position"
            )));
        }
        Some(option) => {
            return Err(Failure::usage(format_args!(
                "{option} is for decisions in {}: add --within, or leave out --policy, --trials and --variance-reduction",
                G::NAME
            )));
        }
    }
    if within.is_some_and(|within| !(within >= 0.0 && within.is_finite())) {
        return Err(Failure::usage(format_args!(
            "invalid --within {}: write points, 0 or more, such as 0.01",
            within.unwrap_or_default()
        )));
    }
    let usual = DecisionSettings::default();
    Ok(Some(DecisionSettings {
        within: within.unwrap_or(usual.within),
        filter: or_usual(*filter, usual.filter),
        plies: or_usual(*truncate, usual.plies),
        trials: trials.map_or(usual.trials, |trials| trials.get()),
        time: *time,
        seed,
    }))
}

/// The value of an option that may be turned off.
fn or_usual<T>(given: Option<OptionValue<T>>, usual: Option<T>) -> Option<T> {
    match given {
        None | Some(OptionValue::LeftOut) => usual,
        Some(OptionValue::Off) => None,
        Some(OptionValue::Set(value)) => Some(value),
    }
}

/// Decides, and writes the decision.
pub(super) fn run<G: NamedGame>(
    arguments: &Arguments,
    game: &Arc<G>,
    turn: &Turn<G::Position>,
    settings: &DecisionSettings,
) -> Result<(), Failure> {
    let chance = turn.chance.expect("a decision has a roll");
    let policy = arguments.policies.policy.as_deref().or(default_net(G::NAME));
    let policy = policy.expect("decisions are for games with nets");
    let Some(NamedNet { net, plies, .. }) = named_net(&**game, policy).map_err(Failure::usage)? else {
        return Err(Failure::usage(format_args!(
            "'{}' does not value positions of {}: a decision needs a --policy that does, such as strong",
            Quoted::new(policy),
            G::NAME
        )));
    };
    remark_on_net(&**game, policy, arguments.game.rules::<G>());
    let cancel = interrupt::cancel_on_interrupt()?;
    let (workers, header) = arguments.machine.start()?;
    let start = Instant::now();
    let bar = Bar::new();
    let found = GameDecision::of(
        game,
        (&turn.position, chance),
        (&net, plies),
        settings,
        &workers,
        &cancel,
        |progress| bar.show(progress),
    );
    let Ok(found) = found else {
        return Err(Failure::run(interrupt::NO_RESULT));
    };
    let elapsed = start.elapsed().as_secs_f64();
    let plays: Vec<NamedPlay<G::Position>> = game.plays(&turn.position, chance);
    let moves: Vec<String> = found
        .choices
        .iter()
        .map(|raced| plays[raced.choice].moves.clone())
        .collect();
    let games: u64 = found.choices.iter().map(|raced| raced.trials).sum();
    let GameDecision {
        choices,
        decision,
        ended_by,
    } = found;
    let candidates = ranked(&choices, decision.candidate, |raced| {
        let play = &plays[raced.choice];
        (play.moves.clone(), game.text(&play.result))
    });
    let document = GameDecisionJson {
        header: &header,
        turn: TurnJson::new(&**game, turn, arguments.game.rules::<G>()),
        seed: settings.seed,
        policy,
        variance_reduction: true,
        truncate: settings.plies.map(|plies| plies.get()),
        trials: settings.trials,
        ended_by: ended_by.name(),
        complete: !matches!(ended_by, StopReason::Time | StopReason::Cancelled),
        seconds: elapsed,
        games_per_second: games as f64 / elapsed,
        decision: DecisionJson::new(&decision, |candidate| moves[candidate].clone(), games),
        candidates,
        text: TextOfDecision {
            ended_by,
            decision,
            moves,
        },
    };
    arguments.format.write(&document, GameDecisionJson::print)?;
    match (ended_by, games) {
        (StopReason::Cancelled, 0) => Err(Failure::run(interrupt::NO_RESULT)),
        _ => Ok(()),
    }
}

/// The choices that raced: the best, those still played, and those dropped, each the best first.
fn ranked(
    choices: &[RacedChoice],
    best: usize,
    names: impl Fn(&RacedChoice) -> (String, String),
) -> Vec<CandidateJson> {
    let mut order: Vec<usize> = (0..choices.len()).collect();
    let value = |place: &usize| match choices[*place].equity.mean {
        mean if mean.is_nan() => choices[*place].evaluation,
        mean => mean,
    };
    order.sort_by(|a, b| {
        let is_later = |place: &usize| (*place != best, choices[*place].is_dropped);
        is_later(a).cmp(&is_later(b)).then(value(b).total_cmp(&value(a)))
    });
    let known = |number: f64| Some(number).filter(|number| number.is_finite());
    let candidate = |(rank, place): (usize, &usize)| {
        let raced = &choices[*place];
        let (moves, position) = names(raced);
        CandidateJson {
            rank,
            moves,
            position,
            trials: raced.trials,
            dropped: raced.is_dropped,
            evaluation: raced.evaluation,
            equity: known(raced.equity.mean),
            se_equity: known(raced.equity.standard_error),
            low_equity: known(raced.equity.low),
            high_equity: known(raced.equity.high),
            behind: known(choices[best].equity.mean - raced.equity.mean),
        }
    };
    (1..).zip(&order).map(candidate).collect()
}

impl GameDecisionJson<'_> {
    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let plies = match self.truncate {
            Some(plies) => format!("cut off after {}", counted(u64::from(plies), "ply", "plies")),
            None => "to the end".to_owned(),
        };
        writeln!(
            output,
            "{}\n\n{}, both sides by {}, {plies}, luck subtracted, seed {}\n",
            self.header,
            self.turn.heading_of_roll(),
            self.policy,
            self.seed
        )?;
        match self.text.ended_by {
            StopReason::Cancelled => writeln!(output, "interrupted; the games before it\n")?,
            StopReason::Time => writeln!(output, "the time is up; the games before it\n")?,
            _ => {}
        }
        let TextOfDecision { decision, moves, .. } = &self.text;
        let play = |candidate: usize| moves[candidate].clone();
        let raced = RacedPlays {
            number: moves.len(),
            are_named: false,
        };
        match self.candidates[0].trials {
            0 => print_values_alone(decision, play, output)?,
            _ => print_decision(decision, raced, play, output)?,
        }
        let width = moves.iter().map(String::len).max().unwrap_or(0).max(4);
        writeln!(
            output,
            "       {:<width$}  {:>9}  {:>7}  {:>18}  {:>6}",
            "play", "equity", "± se", "95 % interval", "trials"
        )?;
        for candidate in &self.candidates {
            let CandidateJson {
                rank, moves, trials, ..
            } = candidate;
            let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:+.4}"));
            let interval = format!("{}...{}", number(candidate.low_equity), number(candidate.high_equity));
            let equity = number(candidate.equity);
            let error = candidate
                .se_equity
                .map_or_else(|| "-".to_owned(), |error| decimals(error, 4));
            let dropped = if candidate.dropped { "  dropped" } else { "" };
            writeln!(
                output,
                "  {rank:>3}. {moves:<width$}  {equity:>9}  {error:>7}  {interval:>18}  {trials:>6}{dropped}"
            )?;
        }
        let games: u64 = self.candidates.iter().map(|candidate| candidate.trials).sum();
        writeln!(
            output,
            "\n  {} in {}, {} games/s",
            counted(games, "game", "games"),
            seconds(self.seconds),
            rate(self.games_per_second)
        )
    }
}
