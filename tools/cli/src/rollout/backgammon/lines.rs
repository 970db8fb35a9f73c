//! The lines of `tavli rollout --positions` in backgammon.

use std::cell::RefCell;

use tavli::Roll;
use tavli::rollout::{Allocation, OptionValue, Options, RolloutRequest};
use tavli_terminal::answered_lines;
use tavli_terminal::failure::Failure;
use tavli_terminal::output;
use tavli_terminal::remarks::reading;

use super::request::{BackgammonRequest, request_of};
use crate::cube::WithCube;
use crate::rollout::output::backgammon::table_row;
use crate::rollout::output::form::Columns;
use crate::rollout::question::Question;
use crate::rollout::table::each_line::Lines;

/// How lines are rolled out.
pub(crate) struct BackgammonLines<'a> {
    request: &'a BackgammonRequest,
    /// For a line with a roll.
    of_roll: RolloutRequest,
    /// For a line without a roll, which has no plays to decide about or to filter; or why it is not rolled out.
    of_position: Result<RolloutRequest, String>,
    /// The remarks that were made: one that another line has had is not repeated.
    remarks: RefCell<Vec<String>>,
}

impl<'a> BackgammonLines<'a> {
    /// Remarks on the evaluators of both kinds of lines, which may differ.
    pub(crate) fn new(request: &'a BackgammonRequest) -> Result<BackgammonLines<'a>, Failure> {
        let options = &request.options;
        let of_roll = request_of(options, true);
        let of_roll = of_roll.map_err(|error| Failure::usage(request.in_terms_of_options(error)))?;
        let of_position = Options { within: None, filter: OptionValue::LeftOut, ..options.clone() };
        let of_position = of_position.request().map_err(|error| request.in_terms_of_options(error));
        let lines = BackgammonLines { request, of_roll, of_position, remarks: RefCell::default() };
        for request in lines.requests() {
            lines.remark(request.settings.remark_on(request.evaluator.as_deref()));
        }
        Ok(lines)
    }

    /// The request for each kind of line, or for the one that can be asked for.
    fn requests(&self) -> impl Iterator<Item = &RolloutRequest> {
        [Some(&self.of_roll), self.of_position.as_ref().ok()].into_iter().flatten()
    }

    /// Remarks on standard error, if there is a new remark.
    fn remark(&self, remark: Option<String>) {
        let mut made = self.remarks.borrow_mut();
        if let Some(remark) = remark.filter(|remark| !made.contains(remark)) {
            output::remark(format_args!("remark: {remark}"));
            made.push(remark);
        }
    }
}

impl Lines for BackgammonLines<'_> {
    fn settings(&self) -> Result<String, Failure> {
        let kinds: Vec<String> = self.requests().map(settings).collect::<Result<_, _>>()?;
        let mut text = kinds[0].clone();
        if let Some(without_roll) = kinds.get(1)
            && *without_roll != kinds[0]
        {
            text.push_str(&format!("; without a roll: {without_roll}"));
        }
        Ok(text)
    }

    fn columns(&self) -> (Columns, String) {
        let columns = Columns {
            cube: !self.request.cube.is_off(),
            decision: matches!(self.of_roll.allocation, Allocation::FixedConfidence { .. }),
        };
        (columns, table_row(None, columns).names())
    }

    fn read(&self, line: &str) -> Result<Box<dyn Question>, String> {
        let (position, given) = answered_lines::position_and_roll(line)?;
        let reading = reading(position, self.of_roll.settings.rules).map_err(|error| error.to_string())?;
        let roll = given.map(str::parse::<Roll>).transpose();
        let roll = roll.map_err(|error| error.to_string())?;
        let WithCube { position, cube } = self.request.with_cube(&reading)?;
        let request = match roll.is_some() || position.roll().is_some() {
            true => &self.of_roll,
            false => self.of_position.as_ref().map_err(Clone::clone)?,
        };
        let rollout = RolloutRequest { roll, cube, ..request.clone() }.rollout_of_many(&position);
        let rollout = rollout.map_err(|error| self.request.in_terms_of_options(error))?;
        self.remark(rollout.remark());
        Ok(Box::new(rollout))
    }
}

/// The settings of a request that decide its values, as text.
fn settings(request: &RolloutRequest) -> Result<String, Failure> {
    let players = request.players().map_err(Failure::usage)?;
    let RolloutRequest { settings, allocation, end_rules, evaluator, luck, filter, .. } = request;
    let end_rules = end_rules.resolve(*allocation).map_err(Failure::usage)?;
    let mut text = format!(
        "values {}, rules {}, seed {}, first roll {}, trials {}",
        tavli::named::signature_of_policies(players.names()),
        settings.rules,
        settings.seed,
        settings.first_roll,
        end_rules.trials
    );
    let is_even = *allocation == Allocation::Even;
    let bounds = [
        ("allocation", (!is_even).then(|| allocation.to_string())),
        ("plies", settings.truncation.map(|plies| plies.to_string())),
        ("evaluator", evaluator.as_ref().map(|evaluator| evaluator.name().to_owned())),
        ("luck", luck.as_ref().map(|luck| luck.name().to_owned())),
        ("filter", filter.as_ref().map(|filter| filter.margin.to_string())),
        ("standard error", end_rules.standard_error.map(|bound| bound.to_string())),
        ("jsd", end_rules.jsd.map(|bound| bound.to_string())),
        ("seconds", end_rules.time.map(|time| time.as_secs_f64().to_string())),
        ("policy", (!players.are_uniform()).then(|| players.to_string())),
    ];
    for (name, bound) in bounds {
        if let Some(bound) = bound {
            text.push_str(&format!(", {name} {bound}"));
        }
    }
    Ok(text)
}
