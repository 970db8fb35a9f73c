//! The lines of `tavli rollout --positions` in backgammon.

use tavli::Roll;
use tavli::rollout::{Allocation, Rollout, RolloutRequest, Session};
use tavli::run::Workers;
use tavli_terminal::answered_lines;
use tavli_terminal::failure::Failure;
use tavli_terminal::output;
use tavli_terminal::remarks::reading;

use super::arguments::has_result;
use super::line_requests::LineRequests;
use super::positions_file::{Answer, LineGame};
use super::remarks::Remarks;
use super::resolved::ResolvedArguments;
use super::result::DecisionJson;
use super::{one_position, result};

/// How lines are rolled out.
pub(super) struct BackgammonLines<'a> {
    pub(super) resolved: &'a ResolvedArguments<'a>,
    pub(super) requests: LineRequests,
    pub(super) remarks: Remarks,
}

impl BackgammonLines<'_> {
    /// Whether rows have the columns of the cube.
    fn has_cube(&self) -> bool {
        !self.resolved.arguments.cube.is_off()
    }

    /// Whether lines with a roll are decided by a race of fixed confidence.
    fn decides(&self) -> bool {
        matches!(self.requests.of_roll.allocation, Allocation::FixedConfidence { .. })
    }

    /// The row of a rollout.
    fn row(&self, rollout: &Rollout) -> Vec<u8> {
        let summary = rollout.summary();
        let best = result::of_table(rollout, summary);
        let (roll, plays) = match rollout.roll() {
            Some(roll) => (roll.to_string(), summary.standings.len()),
            None => (String::new(), 1),
        };
        let mut row = format!(
            "{},{roll},{plays},{},{}",
            rollout.position().position_id(),
            result::moves(&rollout.candidates()[best.candidate]),
            summary.trials
        )
        .into_bytes();
        result::write_values(best, &mut row).expect("memory takes it");
        let of_cube = self.has_cube().then(|| result::cube_columns(Some(rollout)));
        let of_decision = self.decides().then(|| {
            let decision = rollout.decision();
            let decision = decision.map(|decision| DecisionJson::from_rollout(rollout, &decision));
            result::decision_columns(decision.as_ref())
        });
        for (_, value) in [of_cube, of_decision].into_iter().flatten().flatten() {
            row.extend(format!(",{value}").into_bytes());
        }
        row
    }
}

impl LineGame for BackgammonLines<'_> {
    type LineRollout = Rollout;

    fn settings(&self) -> Result<String, Failure> {
        let kinds: Vec<String> = self.requests.each().map(settings).collect::<Result<_, _>>()?;
        let mut text = kinds[0].clone();
        if let Some(without_roll) = kinds.get(1)
            && *without_roll != kinds[0]
        {
            text.push_str(&format!("; without a roll: {without_roll}"));
        }
        Ok(text)
    }

    fn columns(&self) -> Vec<u8> {
        let mut columns = b"position_id,roll,plays,moves,trials".to_vec();
        result::write_names(&mut columns).expect("memory takes it");
        let of_cube = self.has_cube().then(|| result::cube_columns(None));
        let of_decision = self.decides().then(|| result::decision_columns(None));
        for (name, _) in [of_cube, of_decision].into_iter().flatten().flatten() {
            columns.extend(format!(",{name}").into_bytes());
        }
        columns
    }

    fn read(&self, line: &str) -> Result<Rollout, String> {
        let (position, given) = answered_lines::position_and_roll(line)?;
        let reading = reading(position, self.requests.of_roll.settings.rules).map_err(|error| error.to_string())?;
        let given = given.map(str::parse::<Roll>).transpose();
        let given = given.map_err(|error| error.to_string())?;
        let rollout = self.resolved.rollout_of_many(&self.requests, &reading, given)?;
        self.remarks.add(rollout.remark());
        Ok(rollout)
    }

    fn line_key(&self, rollout: &Rollout) -> String {
        let roll = rollout.roll().map_or_else(String::new, |roll| roll.to_string());
        let cube = rollout.cube().map_or_else(String::new, |cube| format!(",{cube}"));
        format!("{},{roll}{cube}", rollout.position().position_id())
    }

    fn answer(
        &self,
        number: u64,
        mut rollout: Rollout,
        is_json: bool,
        workers: &Workers,
        session: &Session,
    ) -> Result<Answer, Failure> {
        let reason = one_position::play(&mut rollout, workers, session).map_err(Failure::run)?;
        let text = match has_result(&rollout, reason) {
            Err(message) => Err(message),
            Ok(()) if is_json => {
                let mut line = Vec::new();
                output::json_line(&mut line, &result::of_line(number, &rollout, reason))?;
                Ok(line)
            }
            Ok(()) => Ok(self.row(&rollout)),
        };
        Ok(Answer { reason, text })
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
