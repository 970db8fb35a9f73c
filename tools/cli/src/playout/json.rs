//! The results of a run as JSON.

use serde::Serialize;
use tavli::run::{GameCounts, PlayoutReport};

use super::description::{Manner, PlayoutDescription, Policies, StartJson};
use super::summary::{MeanOccupancy, Summary};
use crate::ordered_map::OrderedMap;

/// The JSON of a run.
#[derive(Serialize)]
pub(crate) struct RunJson {
    /// The number of the line, from 1; absent if there is one position.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(flatten)]
    place: StartJson,
    #[serde(flatten)]
    numbers: NumbersJson,
    #[serde(flatten)]
    manner: Manner,
    #[serde(flatten)]
    policies: Policies,
    /// Absent if there are many positions.
    #[serde(flatten)]
    speed: Option<SpeedJson>,
    #[serde(flatten)]
    lengths: LengthsJson,
    /// Absent in games other than backgammon, and if there are many positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_plays: Option<f64>,
    #[serde(flatten)]
    ends: EndsJson,
    #[serde(flatten)]
    occupancy: Option<OccupancyJson>,
}

/// The numbers of the games.
#[derive(Serialize)]
struct NumbersJson {
    games: u64,
    first_game: u64,
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

/// The lengths of the games.
#[derive(Serialize)]
struct LengthsJson {
    mean_plies: f64,
    se_plies: f64,
    longest_game: u32,
}

/// The outcomes of the games.
#[derive(Serialize)]
struct EndsJson {
    /// Games by outcome for the player on roll or to move.
    outcomes: OrderedMap<&'static str, u64>,
    unfinished: u64,
    win: f64,
    se_win: f64,
    equity: f64,
    se_equity: f64,
}

/// Expected checkers at truncation.
#[derive(Serialize)]
struct OccupancyJson {
    p_over: f64,
    next_player_occupancy: Vec<f64>,
    other_player_occupancy: Vec<f64>,
}

impl RunJson {
    /// The results on cores with `clock` cycles per second.
    pub(crate) fn new(settings: PlayoutDescription, report: PlayoutReport<Summary>, clock: f64) -> RunJson {
        let speed = SpeedJson::new(&report, clock);
        let run = RunJson::from_settings(settings, report.games.start, &report.results);
        RunJson { speed: Some(speed), occupancy: report.results.occupancy.map(OccupancyJson::new), ..run }
    }

    /// The results of the position of a line, one of many.
    pub(super) fn from_line(line: u64, settings: PlayoutDescription, first_game: u64, summary: &Summary) -> RunJson {
        RunJson { line: Some(line), ..RunJson::from_settings(settings, first_game, summary) }
    }

    fn from_settings(settings: PlayoutDescription, first_game: u64, summary: &Summary) -> RunJson {
        RunJson {
            line: None,
            place: settings.place,
            numbers: NumbersJson { games: summary.games, first_game },
            manner: settings.manner,
            policies: settings.policies,
            speed: None,
            lengths: LengthsJson::new(summary),
            mean_plays: summary.mean_plays,
            ends: EndsJson::new(summary),
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

impl LengthsJson {
    fn new(summary: &Summary) -> LengthsJson {
        LengthsJson {
            mean_plies: summary.mean_plies.mean,
            se_plies: summary.mean_plies.standard_error,
            longest_game: summary.longest,
        }
    }
}

impl EndsJson {
    fn new(summary: &Summary) -> EndsJson {
        let outcomes = summary.outcomes.iter();
        EndsJson {
            outcomes: OrderedMap::new(outcomes.map(|outcome| (outcome.name, outcome.games))),
            unfinished: summary.unfinished,
            win: summary.win.mean,
            se_win: summary.win.standard_error,
            equity: summary.equity.mean,
            se_equity: summary.equity.standard_error,
        }
    }
}

impl OccupancyJson {
    fn new(occupancy: MeanOccupancy) -> OccupancyJson {
        OccupancyJson {
            p_over: occupancy.over,
            next_player_occupancy: occupancy.next_player,
            other_player_occupancy: occupancy.other_player,
        }
    }
}
