//! `tavli rollout` of a roll in a game other than backgammon that has nets: which play to make.

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use serde::Serialize;
use tavli::game::{
    AnyDecision, AnyDecisionRequest, AnyPosition, AnyPreparedDecision, AnyRacedPlay, GameDecisionSettings,
    PlayableGame, default_net,
};
use tavli::rollout::{EndReason, Options};
use tavli::{NO_STOP, Stopped};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers::{counted, decimals, rate, seconds};
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use super::arguments::RolloutArguments;
use super::result::{DecisionJson, RacedPlays, print_decision, print_values_alone};
use crate::arguments::{first_given, given};
use crate::game_turn::{Turn, TurnJson};
use crate::run_description::RunDescription;

/// The JSON of a decision with its candidates.
#[derive(Serialize)]
pub(crate) struct GameDecisionJson<'a> {
    /// Absent in the answers of a server.
    #[serde(flatten)]
    header: Option<&'a RunDescription>,
    #[serde(flatten)]
    turn: TurnJson<'a>,
    seed: u64,
    policy: String,
    variance_reduction: bool,
    /// The most plies of a game; `None` for whole games.
    truncate: Option<u32>,
    trials: u64,
    ended_by: &'static str,
    complete: bool,
    seconds: f64,
    games_per_second: f64,
    pub(super) decision: DecisionJson,
    candidates: Vec<CandidateJson>,
    #[serde(skip)]
    text: TextOfDecision,
}

/// What the text output needs and JSON does not have.
struct TextOfDecision {
    found: AnyDecision,
    has_named_plays: bool,
}

/// The JSON of a play that raced.
#[derive(Serialize)]
pub(super) struct CandidateJson {
    rank: usize,
    pub(super) moves: String,
    position: String,
    pub(super) trials: u64,
    dropped: bool,
    /// Its value by the net before the race.
    evaluation: f64,
    /// `None` without trials; its error is before two.
    pub(super) equity: Option<f64>,
    pub(super) se_equity: Option<f64>,
    pub(super) low_equity: Option<f64>,
    pub(super) high_equity: Option<f64>,
    behind: Option<f64>,
}

/// The options that only decisions have in these games, and whether each is given.
pub(super) fn options_of_decisions(arguments: &RolloutArguments) -> [(&'static str, bool); 3] {
    [
        ("--within", arguments.within.is_some()),
        ("--filter", arguments.filter.is_some()),
        ("--truncate", arguments.truncate.is_some()),
    ]
}

/// The request for a decision, if the arguments ask for one.
pub(super) fn asked<G: PlayableGame>(
    arguments: &RolloutArguments,
    has_roll: bool,
) -> Result<Option<AnyDecisionRequest>, Failure> {
    // Every option by name: a new option does not compile until it is placed here.
    let RolloutArguments {
        plays,
        within,
        filter,
        truncate,
        seed,
        // Without `within` these ask for a plain rollout.
        trials,
        stop_se,
        shard,
        policies,
        variance_reduction,
        // These leave it a decision.
        positions,
        save,
        resume,
        seconds: _,
        position: _,
        roll: _,
        game: _,
        machine: _,
        format: _,
        force: _,
        extend: _,
        checkpoint: _,
        // Options of backgammon, which other games refuse (`BACKGAMMON_HEADING`).
        stop_jsd: _,
        allocate: _,
        first_roll: _,
        plies: _,
        evaluator: _,
        style: _,
        cube: _,
    } = arguments;
    let shaping = given(&[
        ("--policy", policies.policy.is_some()),
        ("--trials", trials.is_some()),
        ("--variance-reduction", *variance_reduction),
        ("--play", plays.len() == 1),
    ]);
    let ending = given(&[("--stop-se", stop_se.is_some()), ("--shard", shard.is_some())]);
    let is_plain = !shaping.is_empty() || !ending.is_empty();
    let is_decision = default_net(G::NAME).is_some() && has_roll && (within.is_some() || !is_plain);
    // The table of `positions` is saved, whatever its lines are.
    let is_one = positions.is_none();
    let saving = given(&[("--save", is_one && save.is_some()), ("--resume", is_one && resume.is_some())]);
    // What no decision has, whichever other options there are.
    let foreign = [ending, saving].concat();
    match first_given(&options_of_decisions(arguments)) {
        _ if is_decision => {}
        None => return Ok(None),
        Some(option) if default_net(G::NAME).is_none() => {
            return Err(Failure::usage(format_args!("{option} needs a net, and {} has none: leave it out", G::NAME)));
        }
        Some(option) => {
            let roll = (!has_roll).then(|| "write the ROLL after the position".to_owned());
            let others = match (foreign.is_empty(), within.is_some() || shaping.is_empty()) {
                (true, true) => None,
                (true, false) => Some(format!("add --within or leave out {}", shaping.join(" and "))),
                (false, true) => Some(format!("leave out {}", foreign.join(" and "))),
                (false, false) => Some(format!("leave out {}", [foreign, shaping].concat().join(" and "))),
            };
            let remedies: Vec<String> = roll.into_iter().chain(others).collect();
            return Err(Failure::usage(format_args!(
                "{option} is for decisions in {}: {}",
                G::NAME,
                remedies.join(", and ")
            )));
        }
    }
    if let Some(option) = foreign.first() {
        let of_decisions = given(&options_of_decisions(arguments));
        let left_out = match of_decisions.as_slice() {
            [] => None,
            options => Some(format!("leave out {}", options.join(" and "))),
        };
        let added = (!is_plain).then(|| "add --trials or --policy".to_owned());
        let remedies: Vec<String> = left_out.into_iter().chain(added).collect();
        return Err(Failure::usage(format_args!(
            "{option} is for plain rollouts in {}, and this is a decision: {}",
            G::NAME,
            remedies.join(", and ")
        )));
    }
    let options = Options {
        within: *within,
        filter: filter.unwrap_or_default(),
        truncation: truncate.unwrap_or_default(),
        end_rules: arguments.end_rules(),
        seed: *seed,
        ..Options::default()
    };
    let settings = GameDecisionSettings::from_options(&options).map_err(Failure::usage)?;
    Ok(Some(AnyDecisionRequest {
        plays: (!plays.is_empty()).then(|| plays.clone()),
        policy: arguments.policies.policy.clone(),
        settings,
        ..AnyDecisionRequest::default()
    }))
}

/// The decision of a turn with a roll.
pub(super) fn prepared<G: PlayableGame>(
    arguments: &RolloutArguments,
    turn: &Turn<G::Position>,
    request: AnyDecisionRequest,
) -> Result<AnyPreparedDecision, Failure> {
    let (tier, rules) = (arguments.machine.tier()?, arguments.game.rules::<G>());
    let game: G = arguments.game.of_seed(tier, request.settings.seed)?;
    let chance = turn.chance.expect("a decision has a roll");
    let request =
        AnyDecisionRequest { roll: Some(game.chance_text(chance)).filter(|roll| !roll.is_empty()), ..request };
    let position = AnyPosition::read(G::NAME, Some(rules), &game.state(&turn.position)).map_err(Failure::usage)?;
    request.prepare(&position, tier, NO_STOP).map_err(Failure::usage)
}

/// Decides, and writes the decision.
pub(super) fn run<G: PlayableGame>(
    arguments: &RolloutArguments,
    turn: &Turn<G::Position>,
    request: AnyDecisionRequest,
) -> Result<(), Failure> {
    let prepared = prepared::<G>(arguments, turn, request)?;
    if let Some(remark) = prepared.remark() {
        output::remark(format_args!("remark: {remark}"));
    }
    let cancel = interrupt::cancel_on_interrupt()?;
    let (workers, header) = arguments.machine.start()?;
    let start = Instant::now();
    let bar = Bar::new();
    let found = prepared.decide(&workers, &cancel, |progress| bar.show(&progress.games));
    drop(bar);
    let found = found.map_err(|Stopped| Failure::run(interrupt::NO_RESULT))?;
    let document = GameDecisionJson::new(Some(&header), &prepared, found, start.elapsed());
    arguments.format.write(&document, GameDecisionJson::print)?;
    match (document.text.found.ended_by, document.text.found.games()) {
        (EndReason::Cancelled, 0) => Err(Failure::run(interrupt::NO_RESULT)),
        _ => Ok(()),
    }
}

impl<'a> GameDecisionJson<'a> {
    /// The JSON of a decision that was made in this time.
    pub(crate) fn new(
        header: Option<&'a RunDescription>,
        prepared: &'a AnyPreparedDecision,
        found: AnyDecision,
        elapsed: Duration,
    ) -> GameDecisionJson<'a> {
        let games = found.games();
        let settings = prepared.settings();
        GameDecisionJson {
            header,
            turn: TurnJson::from_any_position(prepared.position(), prepared.roll()),
            seed: settings.seed,
            policy: prepared.policy().to_owned(),
            variance_reduction: true,
            truncate: settings.plies.map(NonZeroU32::get),
            trials: found.plays[0].raced.trials,
            ended_by: found.ended_by.name(),
            complete: !matches!(found.ended_by, EndReason::Time | EndReason::Cancelled),
            seconds: elapsed.as_secs_f64(),
            games_per_second: games as f64 / elapsed.as_secs_f64(),
            decision: DecisionJson::new(&found.decision, |candidate| moves(&found, candidate), games),
            candidates: (1..).zip(&found.plays).map(CandidateJson::new).collect(),
            text: TextOfDecision { found, has_named_plays: settings.choices.is_some() },
        }
    }
}

/// The moves of a candidate.
fn moves(found: &AnyDecision, candidate: usize) -> String {
    found.plays[candidate].play.moves.clone()
}

impl CandidateJson {
    fn new((rank, AnyRacedPlay { play, raced }): (usize, &AnyRacedPlay)) -> CandidateJson {
        let known = |number: f64| Some(number).filter(|number| number.is_finite());
        CandidateJson {
            rank,
            moves: play.moves.clone(),
            position: play.position.text(),
            trials: raced.trials,
            dropped: raced.is_dropped,
            evaluation: raced.evaluation,
            equity: known(raced.equity.mean),
            se_equity: known(raced.equity.standard_error),
            low_equity: known(raced.equity.low),
            high_equity: known(raced.equity.high),
            behind: known(raced.behind.mean),
        }
    }
}

impl GameDecisionJson<'_> {
    /// The play to make.
    pub(super) fn best(&self) -> &CandidateJson {
        &self.candidates[0]
    }

    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let plies = match self.truncate {
            Some(plies) => format!("cut off after {}", counted(u64::from(plies), "ply", "plies")),
            None => "to the end".to_owned(),
        };
        if let Some(header) = self.header {
            writeln!(output, "{header}\n")?;
        }
        writeln!(
            output,
            "{}, both sides by {}, {plies}, luck subtracted, seed {}\n",
            self.turn.heading_of_roll(),
            self.policy,
            self.seed
        )?;
        let TextOfDecision { found, has_named_plays } = &self.text;
        match found.ended_by {
            EndReason::Cancelled => writeln!(output, "interrupted; the games before it\n")?,
            EndReason::Time => writeln!(output, "the time is up; the games before it\n")?,
            _ => {}
        }
        let play = |candidate: usize| moves(found, candidate);
        let raced = RacedPlays { number: self.candidates.len(), are_named: *has_named_plays };
        match self.candidates[0].trials {
            0 => print_values_alone(&found.decision, play, output)?,
            _ => print_decision(&found.decision, raced, play, output)?,
        }
        let widths = self.candidates.iter().map(|candidate| candidate.moves.len());
        let width = widths.max().unwrap_or(0).max(4);
        writeln!(
            output,
            "       {:<width$}  {:>9}  {:>7}  {:>18}  {:>6}",
            "play", "equity", "± se", "95 % interval", "trials"
        )?;
        for candidate in &self.candidates {
            let CandidateJson { rank, moves, trials, .. } = candidate;
            let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:+.4}"));
            let interval = format!("{}...{}", number(candidate.low_equity), number(candidate.high_equity));
            let equity = number(candidate.equity);
            let error = candidate.se_equity.map_or_else(|| "-".to_owned(), |error| decimals(error, 4));
            let dropped = if candidate.dropped { "  dropped" } else { "" };
            writeln!(
                output,
                "  {rank:>3}. {moves:<width$}  {equity:>9}  {error:>7}  {interval:>18}  {trials:>6}{dropped}"
            )?;
        }
        writeln!(
            output,
            "\n  {} in {}, {} games/s",
            counted(found.games(), "game", "games"),
            seconds(self.seconds),
            rate(self.games_per_second)
        )
    }
}
