//! The rollout that the arguments ask for, begun or continued.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use tavli::cube::CubeInPlay;
use tavli::evaluators::Evaluator;
use tavli::file::record;
use tavli::game::NAMES;
use tavli::named::{self, Defaults};
use tavli::policies::Players;
use tavli::rollout::{
    Allocation, Checkpoint, LoadError, OptionValue, Options, Rollout, RolloutError, RolloutRecordError, RolloutRequest,
    SuppliedPlayers, Verdict,
};
use tavli::{NO_STOP, Position, Reading, Roll, RuleSet, Side};
use tavli_terminal::failure::Failure;
use tavli_terminal::remarks::reading;

use super::arguments::RolloutArguments;
use super::csv_table;
use super::line_requests::LineRequests;
use crate::arguments::{invalid, invalid_position};
use crate::cube::{CubeOptions, WithCube, has_efficiency};
use crate::record_kind::RecordKind;

/// The arguments as backgammon reads them: the position, the roll, the rules and the players have their values.
#[derive(Debug)]
pub struct ResolvedArguments<'a> {
    pub(super) arguments: &'a RolloutArguments,
    position: Option<Reading>,
    roll: Option<Roll>,
    /// The rules, if they are named.
    rules: Option<RuleSet>,
    /// The players that pick the plays, if any is named.
    players: Option<Players>,
}

/// Why there is no rollout, in terms of the options; `cube` has the options of the cube.
fn in_terms_of_options(error: RolloutError, cube: &CubeOptions) -> String {
    match error {
        RolloutError::NoRoll => "--play names a play of a roll: write the ROLL after the position".to_owned(),
        RolloutError::PlainWithin => {
            "--within decides which play of a roll to make: write the ROLL after the position".to_owned()
        }
        RolloutError::FilteredPosition => {
            "--filter leaves out plays of a roll: write the ROLL after the position".to_owned()
        }
        RolloutError::NoCubeValues(_) => format!("{error}: {}", cube.remedy()),
        RolloutError::CubeNotValued => format!(
            "--evaluator none leaves games that are cut off without a value, which the cube needs: leave it out, \
             name an evaluator, or {}",
            cube.remedy()
        ),
        error => error.to_string(),
    }
}

/// Refuses the value of an option, `what`, that differs from the value that the saved rollout `has`.
pub(super) fn contradiction(what: &str, given: &dyn ToString, has: &dyn ToString) -> Result<(), Failure> {
    let (given, has) = (given.to_string(), has.to_string());
    // A net may be named by two paths.
    if named::identity(&given) == named::identity(&has) {
        return Ok(());
    }
    Err(Failure::usage(format_args!(
        "the saved rollout has {what} {has}, not {given}; leave the option out, or begin a new rollout"
    )))
}

/// Refuses a cube that differs from the saved rollout's.
fn check_same_cube(cube: Option<&CubeInPlay>, saved: &Rollout) -> Result<(), Failure> {
    let described = |cube: Option<&CubeInPlay>| cube.map_or_else(none, ToString::to_string);
    contradiction("the cube", &described(cube), &described(saved.cube()))
}

/// The request of `options` for a position with a roll: a decision, or the plain rollout that they ask for.
fn request_of_roll(options: &Options) -> Result<RolloutRequest, RolloutError> {
    match options.ask_for_decision() {
        true => options.decision(),
        false => options.request(),
    }
}

/// Fills a place with what `given` returns; whether it was empty and is not any more.
fn fill_if_empty<T>(place: &mut Option<T>, given: impl FnOnce() -> Option<T>) -> bool {
    let was_empty = place.is_none();
    *place = place.take().or_else(given);
    was_empty && place.is_some()
}

/// The text of an option that is off.
fn none() -> String {
    "none".to_owned()
}

impl<'a> ResolvedArguments<'a> {
    /// Reads the arguments. Tables of players are solved here, before signals are handled: Ctrl-C still ends the
    /// process.
    pub fn of(arguments: &'a RolloutArguments) -> Result<ResolvedArguments<'a>, Failure> {
        let rules = arguments.game.given_rule_set()?;
        let read = |text| reading(text, rules.unwrap_or_default());
        let position = arguments.position.as_deref();
        let position = position.map(|text| read(text).map_err(|error| invalid_position(text, error)));
        let roll = arguments.roll.as_deref();
        let roll = roll.map(|text| text.parse().map_err(|error| invalid("[ROLL]", text, error)));
        let default = Defaults::under(rules.unwrap_or_default()).rollout_policy;
        let policies = &arguments.policies;
        let players = policies.are_named().then(|| policies.players(default));
        Ok(ResolvedArguments {
            arguments,
            position: position.transpose()?,
            roll: roll.transpose()?,
            rules,
            players: players.transpose()?,
        })
    }

    /// The request of the arguments for a position, which may have dice.
    fn request_of(&self, asked: &WithCube) -> Result<RolloutRequest, RolloutError> {
        let options = Options { cube: asked.cube, ..self.options() };
        match options.roll.is_some() || asked.position.roll().is_some() {
            true => request_of_roll(&options),
            false => options.request(),
        }
    }

    /// The position of the arguments with its cube, if it has one.
    fn with_cube(&self, reading: &Reading) -> Result<WithCube, Failure> {
        let asked = self.arguments.cube.apply(reading, has_efficiency(self.rules.unwrap_or_default()));
        asked.map_err(Failure::usage)
    }

    /// The requests of the arguments for the lines of a file.
    pub(super) fn requests_of_lines(&self) -> Result<LineRequests, Failure> {
        let options = self.options();
        let in_terms_of_options = |error| in_terms_of_options(error, &self.arguments.cube);
        let of_roll = request_of_roll(&options).map_err(|error| Failure::usage(in_terms_of_options(error)))?;
        let of_position = Options { within: None, filter: OptionValue::LeftOut, ..options };
        Ok(LineRequests { of_roll, of_position: of_position.request().map_err(in_terms_of_options) })
    }

    /// The options of the rollout, without a cube.
    fn options(&self) -> Options {
        // Every option by name, so that the compiler demands a place for a new one.
        let RolloutArguments {
            plays,
            seed,
            filter,
            first_roll,
            truncate,
            plies,
            allocate,
            within,
            evaluator,
            variance_reduction,
            policies,
            shard,
            // `RolloutArguments::end_rules` reads these.
            trials: _,
            stop_se: _,
            stop_jsd: _,
            seconds: _,
            // Read when this was made, or no part of the request.
            position: _,
            positions: _,
            roll: _,
            game: _,
            cube: _,
            extend: _,
            save: _,
            force: _,
            resume: _,
            checkpoint: _,
            machine: _,
            format: _,
            style: _,
        } = self.arguments;
        let named = evaluator.clone().unwrap_or_default();
        let (truncation, evaluator, luck) = match *plies {
            Some(plies) => (OptionValue::Set(plies), OptionValue::Off, named.set()),
            None => (truncate.unwrap_or_default(), named, None),
        };
        Options {
            roll: self.roll,
            plays: (!plays.is_empty()).then(|| plays.iter().map(|play| play.as_str().into()).collect()),
            filter: filter.unwrap_or_default(),
            rules: self.rules.unwrap_or_default(),
            seed: *seed,
            first_roll: *first_roll,
            truncation,
            allocation: *allocate,
            within: *within,
            end_rules: self.arguments.end_rules(),
            shard: *shard,
            cube: None,
            players: self.players.clone(),
            known_values: policies.known_values(),
            evaluator,
            variance_reduction: *variance_reduction,
            luck: luck.filter(|_| *variance_reduction),
        }
    }

    /// The rollout that the arguments ask for, not begun.
    fn new_rollout(&self, reading: &Reading) -> Result<Rollout, Failure> {
        let asked = self.with_cube(reading)?;
        let request = self.request_of(&asked);
        let request = request.map_err(|error| Failure::usage(in_terms_of_options(error, &self.arguments.cube)))?;
        self.begin_by(&request, &asked.position)
    }

    fn begin_by(&self, request: &RolloutRequest, position: &Position) -> Result<Rollout, Failure> {
        let rollout = request.rollout(position);
        rollout.map_err(|error| Failure::usage(in_terms_of_options(error, &self.arguments.cube)))
    }

    /// The rollout of a position that is one of many, with its own cube: of the plays of its roll, if it has one.
    pub(super) fn rollout_of_many(
        &self,
        requests: &LineRequests,
        reading: &Reading,
        roll: Option<Roll>,
    ) -> Result<Rollout, String> {
        let WithCube { position, cube } =
            self.arguments.cube.apply(reading, has_efficiency(self.rules.unwrap_or_default()))?;
        let request = match roll.is_some() || position.roll().is_some() {
            true => &requests.of_roll,
            false => requests.of_position.as_ref().map_err(Clone::clone)?,
        };
        let request = RolloutRequest { roll, cube, ..request.clone() };
        let rollout = request.rollout_of_many(&position);
        rollout.map_err(|error| in_terms_of_options(error, &self.arguments.cube))
    }

    /// The saved rollout. Where a player of the record cannot be found, such as a net whose file has moved, the one of
    /// the arguments takes its place, if it is the same.
    fn load(&self, path: &Path) -> Result<Rollout, LoadError> {
        let players = || self.players.clone();
        let evaluator = || {
            let named = self.arguments.evaluator.clone().unwrap_or_default().set();
            named.or_else(|| self.players.as_ref()?.evaluator(Side::OnRoll))
        };
        let mut supplied = SuppliedPlayers::default();
        loop {
            let load = |text: &str| Rollout::from_json_with(text, supplied.clone(), NO_STOP);
            let loaded = record::load(path, load);
            let missing = match &loaded {
                Err(LoadError::Record { source: RolloutRecordError::Named { member, .. }, .. }) => *member,
                _ => return loaded,
            };
            let is_supplied = match missing {
                "policy" | "opponent_policy" => fill_if_empty(&mut supplied.players, players),
                "evaluator" => fill_if_empty(&mut supplied.evaluator, evaluator),
                "luck" => fill_if_empty(&mut supplied.luck, evaluator),
                _ => false,
            };
            if !is_supplied {
                return loaded;
            }
        }
    }

    /// The saved rollout, changed by the arguments.
    fn saved_rollout(&self, path: &Path) -> Result<Rollout, Failure> {
        if let Ok(kind) = RecordKind::of(path) {
            kind.check_game(path, NAMES[0])?;
        }
        let saved = self.load(path).map_err(|error| match csv_table::is_table(path) {
            true => Failure::usage(format_args!(
                "{} is a table of positions: name their file, too, with --positions",
                path.display()
            )),
            false => Failure::usage(error),
        })?;
        self.check_same(&saved)?;
        let end_rules = self.arguments.changed_end_rules(saved.allocation(), saved.shard(), saved.trials().end)?;
        let is_decided = || saved.decision().is_some_and(|decision| decision.verdict != Verdict::Open);
        if self.arguments.extend.is_some() && is_decided() {
            return Err(Failure::usage(
                "the saved race is decided, so --extend would play nothing: for more games of each play begin a rollout \
                 with --allocate even",
            ));
        }
        match end_rules {
            Some(end_rules) => saved.until(end_rules).map_err(Failure::usage),
            None => Ok(saved),
        }
    }

    /// Refuses arguments that contradict a saved rollout.
    fn check_same(&self, saved: &Rollout) -> Result<(), Failure> {
        let options = self.options();
        // Every option by name, so that the compiler demands a place for a new one: compared, or among the others.
        let Options {
            seed,
            first_roll,
            truncation,
            variance_reduction,
            within,
            allocation,
            players,
            shard,
            filter,
            evaluator,
            // Compared through the position, the rules, the truncation and the luck.
            roll: _,
            plays: _,
            cube: _,
            rules: _,
            luck: _,
            known_values: _,
            // It may change.
            end_rules: _,
        } = &options;
        let settings = saved.settings();
        // The allocation is compared below. What the defaults of other options depend on is as in the saved rollout.
        let asked = Options {
            allocation: None,
            within: None,
            rules: settings.rules,
            truncation: match truncation {
                OptionValue::LeftOut => OptionValue::or_off(settings.truncation),
                given => *given,
            },
            ..options.clone()
        };
        let decides = matches!(saved.allocation(), Allocation::FixedConfidence { .. }) && options.ask_for_decision();
        let request = if decides { asked.decision() } else { asked.request() };
        let request = request.map_err(Failure::usage)?;
        if matches!(filter, OptionValue::Set(_)) && saved.roll().is_none() {
            return Err(Failure::usage(
                "--filter leaves out plays of a roll, and the saved rollout has none: leave it out",
            ));
        }
        if let Some(reading) = &self.position {
            let WithCube { position, cube } = self.with_cube(reading)?;
            if let (None, Some(has), false) = (&cube, saved.cube(), self.arguments.cube.cubeless) {
                return Err(Failure::usage(format_args!(
                    "the saved rollout has the cube {has}, and the position here has none: give that cube, or leave the \
                     position out"
                )));
            }
            check_same_cube(cube.as_ref(), saved)?;
            let roll = |roll: Option<Roll>| roll.map_or_else(none, |roll| roll.to_string());
            contradiction("the position", &position.position_id(), &saved.position().position_id())?;
            let given = position.roll_or(self.roll).map_err(Failure::usage)?;
            contradiction("the roll", &roll(given), &roll(saved.roll()))?;
        } else {
            let cube = self.arguments.cube.apply_to_saved(saved.cube());
            check_same_cube(cube.map_err(Failure::usage)?.as_ref(), saved)?;
        }
        if let Some(seed) = seed {
            contradiction("the seed", seed, &settings.seed)?;
        }
        if let Some(rules) = &self.rules {
            contradiction("the rules", rules, &settings.rules)?;
        }
        if let Some(first_roll) = first_roll {
            contradiction("the first roll", first_roll, &settings.first_roll)?;
        }
        let name = |evaluator: Option<&Arc<dyn Evaluator>>| {
            evaluator.map_or_else(none, |evaluator| evaluator.name().to_owned())
        };
        let described = |plies: Option<NonZeroU32>| plies.map_or_else(none, |plies| plies.to_string());
        contradiction("the truncation", &described(request.settings.truncation), &described(settings.truncation))?;
        if *variance_reduction {
            contradiction("the evaluator of luck", &name(request.luck.as_ref()), &name(saved.luck()))?;
        }
        let [given, has] = match evaluator {
            // Without games that are cut off, it measures luck.
            OptionValue::Set(_) => {
                [request.evaluator.as_ref().or(request.luck.as_ref()), saved.evaluator().or(saved.luck())]
            }
            _ => [request.evaluator.as_ref(), saved.evaluator()],
        };
        let is_named = truncation.set().is_some() || !matches!(evaluator, OptionValue::LeftOut);
        if is_named {
            contradiction("the evaluator", &name(given), &name(has))?;
        }
        if let &Some(within) = within {
            let given = RolloutRequest::DECISION_RACE.within(Some(within));
            contradiction("the allocation", &given, &saved.allocation())?;
        }
        if let Some(allocation) = allocation {
            contradiction("the allocation", allocation, &saved.allocation())?;
        }
        if let Some(players) = players {
            let policies = &self.arguments.policies;
            let [given, has] = [players.names(), saved.players().names()];
            if policies.name_player() {
                contradiction("the policy", &given[0], &has[0])?;
            }
            if policies.name_opponent() {
                contradiction("the policy of the opponent", &given[1], &has[1])?;
            }
        }
        if let Some(shard) = shard {
            let has = saved.shard().map_or_else(none, |shard| shard.to_string());
            contradiction("the shard", shard, &has)?;
        }
        match self.position.is_some() || !matches!(filter, OptionValue::LeftOut) {
            true => self.check_same_candidates(&asked, saved),
            false => Ok(()),
        }
    }

    /// Refuses plays that the saved rollout does not have; `options` are its own, apart from the plays.
    fn check_same_candidates(&self, options: &Options, saved: &Rollout) -> Result<(), Failure> {
        let ids = |rollout: &Rollout| {
            let candidates = rollout.candidates().iter();
            let ids = candidates.map(|candidate| candidate.board.position_id().to_string());
            ids.collect::<Vec<_>>().join(" ")
        };
        let of = |request: Result<RolloutRequest, RolloutError>| {
            let request = RolloutRequest {
                roll: saved.roll(),
                players: Some(saved.players().clone()),
                cube: saved.cube().copied(),
                evaluator: saved.evaluator().cloned(),
                ..request.map_err(Failure::usage)?
            };
            Ok::<String, Failure>(ids(&self.begin_by(&request, &(*saved.position()).into())?))
        };
        // A decision has the plays near the best, whatever other options say now; other rollouts have all of them.
        let mut named = of(options.request())?;
        if named != ids(saved) && matches!(saved.allocation(), Allocation::FixedConfidence { .. }) {
            named = of(options.decision())?;
        }
        contradiction("the candidates", &named, &ids(saved))
    }

    /// The saved rollout or a new one, and the place of its checkpoints.
    pub fn begin(&self) -> Result<(Rollout, Option<Checkpoint>), Failure> {
        let checkpoint = self.arguments.checkpoint()?;
        Ok((self.rollout()?, checkpoint))
    }

    fn rollout(&self) -> Result<Rollout, Failure> {
        match (self.arguments.saved(), &self.position) {
            (Some(path), _) => self.saved_rollout(path),
            (None, Some(reading)) => self.new_rollout(reading),
            (None, None) => Err(Failure::usage("name a position, or a file with --resume")),
        }
    }
}
