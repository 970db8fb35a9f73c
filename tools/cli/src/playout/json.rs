//! The results of a run as JSON.

use serde::Serialize;
use tavli::run::{GameCounts, PlayoutReport};

use super::description::{Manner, PlayoutDescription, StartJson};
use super::summary::{MeanOccupancy, Summary};
use crate::ordered_map::OrderedMap;

/// The JSON of a run.
#[derive(Serialize)]
pub(crate) struct RunJson {
    /// The number of the line, from 1; absent if there is one position.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(flatten)]
    start: StartJson,
    games: u64,
    first_game: u64,
    #[serde(flatten)]
    manner: Manner,
    /// Absent if there are many positions.
    #[serde(flatten)]
    speed: Option<SpeedJson>,
    mean_plies: f64,
    se_plies: f64,
    longest_game: u32,
    /// Absent in games other than backgammon, and if there are many positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_plays: Option<f64>,
    /// Games by outcome for the player on roll or to move.
    outcomes: OrderedMap<&'static str, u64>,
    unfinished: u64,
    win: f64,
    se_win: f64,
    equity: f64,
    se_equity: f64,
    #[serde(flatten)]
    occupancy: Option<MeanOccupancy>,
}

/// How fast games were played.
#[derive(Serialize)]
struct SpeedJson {
    interrupted: bool,
    seconds: f64,
    cpu_seconds: Option<f64>,
    games_per_second: f64,
    plies_per_second: f64,
    ns_per_ply: f64,
    ns_per_ply_and_thread: f64,
    /// An estimate: the processor time of a ply, by the clock below.
    cycles_per_ply: f64,
    /// The clock of the cores after the run, in cycles per second, by a chain of additions.
    clock: f64,
}

impl RunJson {
    /// The results on cores with `clock` cycles per second.
    pub(crate) fn new(settings: PlayoutDescription, report: PlayoutReport<Summary>, clock: f64) -> RunJson {
        let speed = SpeedJson::new(&report, clock);
        let run = RunJson::from_settings(settings, report.games.start, &report.results);
        RunJson { speed: Some(speed), occupancy: report.results.occupancy, ..run }
    }

    /// The results of the position of a line, one of many.
    pub(super) fn from_line(line: u64, settings: PlayoutDescription, first_game: u64, summary: &Summary) -> RunJson {
        RunJson { line: Some(line), ..RunJson::from_settings(settings, first_game, summary) }
    }

    fn from_settings(settings: PlayoutDescription, first_game: u64, summary: &Summary) -> RunJson {
        let outcomes = summary.outcomes.iter().map(|outcome| (outcome.name, outcome.games));
        RunJson {
            line: None,
            start: settings.start,
            games: summary.games,
            first_game,
            manner: settings.manner,
            speed: None,
            mean_plies: summary.mean_plies.mean,
            se_plies: summary.mean_plies.standard_error,
            longest_game: summary.longest,
            mean_plays: summary.mean_plays,
            outcomes: OrderedMap::new(outcomes),
            unfinished: summary.unfinished,
            win: summary.win.mean,
            se_win: summary.win.standard_error,
            equity: summary.equity.mean,
            se_equity: summary.equity.standard_error,
            occupancy: None,
        }
    }
}

impl SpeedJson {
    fn new<R: GameCounts>(report: &PlayoutReport<R>, clock: f64) -> SpeedJson {
        SpeedJson {
            interrupted: report.cancelled,
            seconds: report.elapsed.as_secs_f64(),
            cpu_seconds: report.cpu_time.map(|time| time.as_secs_f64()),
            games_per_second: report.games_per_second(),
            plies_per_second: report.plies_per_second(),
            ns_per_ply: report.ns_per_ply(),
            ns_per_ply_and_thread: report.ns_per_ply_and_worker(),
            cycles_per_ply: report.cycles_per_ply(clock),
            clock,
        }
    }
}
