//! Rollouts as GNU Backgammon's command line sets and prints them.

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::sync::Arc;

use tavli::cube::CubeInPlay;
use tavli::engine::Engine;
use tavli::named;
use tavli::policies::PolicyPair;
use tavli::rollout::{
    CandidateResult, EndRulesRequest, PlayoutSettings, Rollout, RolloutProgress, RolloutRequest, Session, Statistic,
};
use tavli::{Context, NO_STOP, Position, Roll, TurnStage};
use tavli_terminal::numbers::{counted, decimals};

use super::gnubg_values::{pass_over, toggle};

/// The player that measures luck: a cheap one, since it values every roll of every game.
const LUCK: &str = "fast";
/// The most trials, as GNU Backgammon counts them.
pub(super) const MAX_TRIALS: u64 = i32::MAX as u64;

/// The settings of rollouts that a frontend has sent. Games are played by the engine's player, without looking ahead.
#[derive(Clone, Debug)]
pub(super) struct RolloutSettings {
    pub(super) trials: u64,
    pub(super) seed: u64,
    truncates: bool,
    truncation: NonZeroU32,
    is_cubeful: bool,
    reduces_variance: bool,
}

impl Default for RolloutSettings {
    /// GNU Backgammon's own settings, with a seed that makes rollouts repeatable.
    fn default() -> RolloutSettings {
        RolloutSettings {
            trials: 1296,
            seed: PlayoutSettings::default().seed,
            truncates: false,
            truncation: NonZeroU32::new(10).expect("ten"),
            is_cubeful: true,
            reduces_variance: true,
        }
    }
}

impl RolloutSettings {
    /// Obeys `set rollout WORDS`; settings that change no result here are checked and passed over.
    pub(super) fn set(&mut self, words: &[&str], output: &mut dyn Write) -> io::Result<()> {
        match *words {
            ["trials", number] => match number.parse() {
                Ok(trials @ 1..=MAX_TRIALS) => {
                    self.trials = trials;
                    let games = counted(trials, "game", "games").replace(',', "");
                    writeln!(output, "{games} will be played per rollout.")
                }
                _ => writeln!(output, "Error: trials are 1 to {MAX_TRIALS}, and not `{number}'"),
            },
            ["seed", number] => match number.parse() {
                Ok(seed) => {
                    self.seed = seed;
                    writeln!(output, "Rollout seed set to {seed}.")
                }
                Err(_) => writeln!(output, "Error: a seed is 0 to {}, and not `{number}'", u64::MAX),
            },
            ["truncation", "plies", number] => match number.parse::<u32>().map(NonZeroU32::new) {
                Ok(plies) => {
                    self.truncate(plies);
                    match plies {
                        Some(plies) => writeln!(output, "Rollouts will be truncated at {plies} plies."),
                        None => writeln!(output, "Rollouts will not be truncated."),
                    }
                }
                Err(_) => writeln!(output, "Error: plies are 0 to {}, and not `{number}'", u32::MAX),
            },
            ["truncation", "enable", ref switch @ ..] => {
                let truncates = toggle(switch, "rollout truncation enable", output)?;
                self.truncates = truncates.unwrap_or(self.truncates);
                Ok(())
            }
            ["cubeful", ref switch @ ..] => match toggle(switch, "rollout cubeful", output)? {
                None => Ok(()),
                Some(is_cubeful) => {
                    self.is_cubeful = is_cubeful;
                    let kind = if is_cubeful { "Cubeful" } else { "Cubeless" };
                    writeln!(output, "{kind} rollouts will be performed.")
                }
            },
            ["varredn", ref switch @ ..] => match toggle(switch, "rollout varredn", output)? {
                None => Ok(()),
                Some(reduces_variance) => {
                    self.reduces_variance = reduces_variance;
                    let will = if reduces_variance { "Will" } else { "Will not" };
                    writeln!(output, "{will} use lookahead during rollouts to reduce variance.")
                }
            },
            _ => pass_over(&[&["rollout"], words].concat(), output),
        }
    }

    /// Cuts games off after `plies`, or plays them to their end.
    pub(super) fn truncate(&mut self, plies: Option<NonZeroU32>) {
        self.truncates = plies.is_some();
        self.truncation = plies.unwrap_or(self.truncation);
    }

    /// After how many plies games are cut off.
    pub(super) fn truncation(&self) -> Option<NonZeroU32> {
        self.truncates.then_some(self.truncation)
    }

    /// Rolls out a position before the roll, or the plays of a roll that the player values near the best. If the engine
    /// is stopped, returns the trials so far.
    ///
    /// # Errors
    /// A message for the user.
    pub(super) fn play(
        &self,
        position: &Position,
        roll: Option<Roll>,
        engine: &Engine,
        report: impl FnMut(&RolloutProgress),
    ) -> Result<Rollout, String> {
        // Reading the player may take long: its table may be a large file.
        let stop = || engine.cancel().is_cancelled();
        let named = named::player(engine.player(), &stop).map_err(|error| error.to_string())?;
        let values = || named::evaluator(engine.player(), &stop).map_err(|error| error.to_string());
        let defaults = defaults(engine)?;
        // Without built-in nets the player measures luck itself.
        let luck = || named::evaluator(LUCK, NO_STOP).or_else(|_| values());
        let request = RolloutRequest {
            roll,
            filter: roll.and(defaults.filter),
            settings: PlayoutSettings {
                rules: engine.rules(),
                seed: self.seed,
                truncation: self.truncation(),
                ..PlayoutSettings::default()
            },
            end_rules: EndRulesRequest { trials: Some(self.trials), ..EndRulesRequest::default() },
            players: Some(PolicyPair::alike(named.policy)),
            cube: self.cube(position, engine)?,
            evaluator: self.truncates.then(values).transpose()?,
            luck: self.reduces_variance.then(luck).transpose()?,
            ..RolloutRequest::default()
        };
        roll_out(request, position, engine, report)
    }

    /// Rolls out the plays of a roll until one is known to be the best, as `tavli rollout` decides.
    ///
    /// # Errors
    /// A message for the user.
    pub(super) fn decide(
        &self,
        position: &Position,
        roll: Roll,
        engine: &Engine,
        report: impl FnMut(&RolloutProgress),
    ) -> Result<Rollout, String> {
        let defaults = defaults(engine)?;
        let request = RolloutRequest {
            roll: Some(roll),
            settings: PlayoutSettings { seed: self.seed, ..defaults.settings },
            cube: self.cube(position, engine)?,
            ..defaults
        };
        roll_out(request, position, engine, report)
    }

    fn cube(&self, position: &Position, engine: &Engine) -> Result<Option<CubeInPlay>, String> {
        match self.is_cubeful {
            true => engine.cube(position).map_err(|error| error.to_string()),
            false => Ok(None),
        }
    }

    /// The lines below a play that describe its rollout.
    pub(super) fn describe(&self, trials: u64, engine: &Engine) -> String {
        let kind = match self.truncates {
            true => format!("Truncated {} (depth {})", self.cube_word(), self.truncation),
            false => format!("Full {}", self.cube_word()),
        };
        let luck = if self.reduces_variance { " with var.redn." } else { "" };
        format!(
            "        {kind} rollout{luck}\n        {trials} games, dice of seed {}\n        Play: 0-ply [{}]",
            self.seed,
            engine.player()
        )
    }

    fn cube_word(&self) -> &'static str {
        if self.is_cubeful { "cubeful" } else { "cubeless" }
    }
}

/// The request of a decision by `tavli rollout`. Makes its table of exact bear-offs first, which a stop of the engine
/// ends.
fn defaults(engine: &Engine) -> Result<RolloutRequest, String> {
    let defaults = RolloutRequest::decision(engine.rules(), &|| engine.cancel().is_cancelled());
    defaults.map_err(|error| error.to_string())
}

/// Plays what is asked for on the engine's workers.
fn roll_out(
    request: RolloutRequest,
    position: &Position,
    engine: &Engine,
    report: impl FnMut(&RolloutProgress),
) -> Result<Rollout, String> {
    let roll = request.roll;
    let mut rollout = request.rollout(&rolling(position, roll)?).map_err(|error| error.to_string())?;
    let session = Session { tier: engine.tier(), cancel: engine.cancel().clone(), checkpoint: None };
    let workers = Arc::clone(engine.workers());
    let played = session.play(&mut rollout, &workers, report);
    played.map(|_| rollout).map_err(|error| error.to_string())
}

/// The position with this roll, or before its roll.
fn rolling(position: &Position, roll: Option<Roll>) -> Result<Position, String> {
    let mut context = Context { stage: roll.map_or(TurnStage::ToRoll, TurnStage::Rolled), ..*position.context() };
    context.decision = context.awaited();
    Position::new(*position.board(), context).map_err(|error| error.to_string())
}

/// Two rows of a candidate's chances and equities, and of their standard errors. `cubeful` is the equity with the cube.
pub(super) fn rows(result: &CandidateResult, cubeful: Option<&Statistic>, indent: &str) -> String {
    let [chances @ .., equity] = result.statistics.to_array();
    let row = |of: fn(&Statistic) -> f64, sign: bool| {
        // One trial has no standard error.
        let [w, wg, wb, l, lg, lb] = chances.each_ref().map(|chance| format!("{:>5}", decimals(of(chance), 3)));
        let signed = |value: f64| match sign {
            true => format!("{value:+.3}"),
            false => format!("{:>6}", decimals(value, 3)),
        };
        let cubeful = cubeful.map_or_else(String::new, |cubeful| format!(" CF {}", signed(of(cubeful))));
        let equity = signed(of(&equity));
        format!("{w} {wg} {wb} - {l} {lg} {lb} CL {equity}{cubeful}")
    };
    let means = row(|statistic| statistic.mean, true);
    let errors = row(|statistic| statistic.standard_error, false);
    format!("{indent}  {means}\n{indent} [{errors}]\n")
}

/// The rows of a position, whose cubeful equity is the equity of the right action.
pub(super) fn position_text(rollout: &Rollout, indent: &str) -> String {
    let standings = &rollout.summary().standings;
    let first = standings.iter().find(|result| result.candidate == 0);
    let first = first.unwrap_or(&standings[0]);
    let cubeful = rollout.cube_decision().map(|decision| decision.best());
    rows(first, cubeful.as_ref().or(first.cubeful.as_ref()), indent)
}
