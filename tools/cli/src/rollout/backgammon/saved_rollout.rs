//! A saved rollout of backgammon, continued: it is loaded, and the options must not contradict it.

use std::path::Path;
use std::sync::Arc;

use tavli::evaluators::Evaluator;
use tavli::file::record;
use tavli::games::NAMES;
use tavli::rollout::{
    Allocation, LoadError, OptionValue, Options, Rollout, RolloutError, RolloutRecordError, RolloutRequest,
    SuppliedPlayers, Verdict,
};
use tavli::{NO_STOP, Side};
use tavli_terminal::failure::Failure;

use super::request::BackgammonRequest;
use crate::cube::WithCube;
use crate::record_kind::RecordKind;
use crate::rollout::saved::{contradiction, extended, text};
use crate::rollout::table::csv_table;

/// Fills a place with what `given` returns; whether it was empty and is not any more.
fn fill_if_empty<T>(place: &mut Option<T>, given: impl FnOnce() -> Option<T>) -> bool {
    let was_empty = place.is_none();
    *place = place.take().or_else(given);
    was_empty && place.is_some()
}

impl BackgammonRequest {
    /// The saved rollout, changed by the options.
    pub(super) fn saved_rollout(&self, path: &Path) -> Result<Rollout, Failure> {
        if let Ok(kind) = RecordKind::read(path) {
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
        let is_decided = || saved.decision().is_some_and(|decision| decision.verdict != Verdict::Open);
        if self.extend.is_some() && is_decided() {
            return Err(Failure::usage(
                "the saved race is decided, so --extend would play nothing: for more games of each play begin a rollout \
                 with --allocate even",
            ));
        }
        extended(saved, self.options.end_rules, self.extend, Rollout::until)
    }

    /// The saved rollout. Where a player of the record cannot be found, such as a net whose file has moved, the one of
    /// the options takes its place, if it is the same.
    fn load(&self, path: &Path) -> Result<Rollout, LoadError> {
        let Options { players, evaluator, luck, .. } = &self.options;
        let evaluator = || {
            let named = evaluator.clone().set().or_else(|| luck.clone());
            named.or_else(|| players.as_ref()?.evaluator(Side::OnRoll))
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
                "policy" | "opponent_policy" => fill_if_empty(&mut supplied.players, || players.clone()),
                "evaluator" => fill_if_empty(&mut supplied.evaluator, evaluator),
                "luck" => fill_if_empty(&mut supplied.luck, evaluator),
                _ => false,
            };
            if !is_supplied {
                return loaded;
            }
        }
    }

    /// Refuses options that contradict a saved rollout.
    fn check_same(&self, saved: &Rollout) -> Result<(), Failure> {
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
            rules,
            roll,
            // Compared through the position, the truncation and the luck.
            plays: _,
            cube: _,
            luck: _,
            known_values: _,
            // It may change.
            end_rules: _,
        } = &self.options;
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
            ..self.options.clone()
        };
        let decides = matches!(saved.allocation(), Allocation::FixedConfidence { .. });
        let request = match decides && self.options.are_for_decision() {
            true => asked.decision(),
            false => asked.request(),
        };
        let request = request.map_err(Failure::usage)?;
        if matches!(filter, OptionValue::Set(_)) && saved.roll().is_none() {
            return Err(Failure::usage(
                "--filter leaves out plays of a roll, and the saved rollout has none: leave it out",
            ));
        }
        let asked_with_cube = self.position.as_ref().map(|reading| self.with_cube(reading)).transpose();
        let asked_with_cube = asked_with_cube.map_err(Failure::usage)?;
        let cube = match &asked_with_cube {
            Some(WithCube { cube, .. }) => *cube,
            None => self.cube.apply_to_saved(saved.cube()).map_err(Failure::usage)?,
        };
        let lacks_cube = asked_with_cube.is_some() && cube.is_none() && !self.cube.cubeless;
        if let (true, Some(has)) = (lacks_cube, saved.cube()) {
            return Err(Failure::usage(format_args!(
                "the saved rollout has the cube {has}, and the position here has none: give that cube, or leave the \
                 position out"
            )));
        }
        contradiction("the cube", &text(cube), &text(saved.cube()))?;
        if let Some(WithCube { position, .. }) = asked_with_cube {
            let [given, has] = [position.position_id(), saved.position().position_id()].map(|id| id.to_string());
            contradiction("the position", &given, &has)?;
            let given = position.roll_or(*roll).map_err(Failure::usage)?;
            contradiction("the roll", &text(given), &text(saved.roll()))?;
        }
        let name = |evaluator: Option<&Arc<dyn Evaluator>>| text(evaluator.map(|evaluator| evaluator.name()));
        // Without games that are cut off, an evaluator that is named measures luck.
        let measures_luck = matches!(evaluator, OptionValue::Set(_));
        let given_evaluator = request.evaluator.as_ref().or(request.luck.as_ref().filter(|_| measures_luck));
        let its_evaluator = saved.evaluator().or(saved.luck().filter(|_| measures_luck));
        let names_evaluator = truncation.set().is_some() || !matches!(evaluator, OptionValue::LeftOut);
        let [policy, opponent] = [0, 1].map(|player| {
            let players = players.as_ref().filter(|_| self.names_policies[player]);
            players.map(|players| players.names()[player].to_owned())
        });
        let [its_policy, its_opponent] = saved.players().names().map(str::to_owned);
        let within = within.map(|within| RolloutRequest::DECISION_RACE.within(Some(within)));
        let its_allocation = saved.allocation().to_string();
        let compared = [
            ("the seed", seed.map(|seed| seed.to_string()), settings.seed.to_string()),
            ("the rules", self.names_rules.then(|| rules.to_string()), settings.rules.to_string()),
            ("the first roll", first_roll.map(|roll| roll.to_string()), settings.first_roll.to_string()),
            ("the truncation", Some(text(request.settings.truncation)), text(settings.truncation)),
            ("the evaluator of luck", variance_reduction.then(|| name(request.luck.as_ref())), name(saved.luck())),
            ("the evaluator", names_evaluator.then(|| name(given_evaluator)), name(its_evaluator)),
            ("the allocation", within.map(|within| within.to_string()), its_allocation.clone()),
            ("the allocation", allocation.map(|allocation| allocation.to_string()), its_allocation),
            ("the policy", policy, its_policy),
            ("the policy of the opponent", opponent, its_opponent),
            ("the shard", shard.map(|shard| shard.to_string()), text(saved.shard())),
        ];
        for (what, given, has) in compared {
            if let Some(given) = given {
                contradiction(what, &given, &has)?;
            }
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
            let rollout = self.begin_by(Ok(request), &(*saved.position()).into()).map_err(Failure::usage)?;
            Ok::<String, Failure>(ids(&rollout))
        };
        // A decision has the plays near the best, whatever other options say now; other rollouts have all of them.
        let mut named = of(options.request())?;
        if named != ids(saved) && matches!(saved.allocation(), Allocation::FixedConfidence { .. }) {
            named = of(options.decision())?;
        }
        contradiction("the candidates", &named, &ids(saved))
    }
}
