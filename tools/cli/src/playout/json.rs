//! The results of a run as JSON.

use std::num::NonZeroU32;

use serde::Serialize;
use tavli::policies::Players;
use tavli::run::{Played, Report};
use tavli::{Estimate, Outcome, Playouts, Tally};

use crate::ordered_map::OrderedMap;

/// The JSON of a run.
#[derive(Serialize)]
pub(crate) struct RunJson {
    #[serde(flatten)]
    playouts: PlayoutsJson,
    #[serde(flatten)]
    policies: PoliciesJson,
    #[serde(flatten)]
    speed: SpeedJson,
    #[serde(flatten)]
    lengths: LengthsJson,
    mean_plays: f64,
    #[serde(flatten)]
    ends: EndsJson,
    #[serde(flatten)]
    occupancy: Option<OccupancyJson>,
}

/// The settings of the games.
#[derive(Serialize)]
pub(super) struct PlayoutsJson {
    position_id: String,
    games: u64,
    first_game: u64,
    seed: u64,
    rules: &'static str,
    first_roll: String,
    /// The ply after which games were cut off.
    truncated_after: Option<u32>,
}

/// The players by the names of their policies.
#[derive(Serialize)]
pub(super) struct PoliciesJson {
    policy: String,
    opponent_policy: String,
}

/// How fast games were played.
#[derive(Serialize)]
pub(crate) struct SpeedJson {
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
pub(super) struct LengthsJson {
    mean_plies: f64,
    se_plies: f64,
    longest_game: u32,
}

/// The outcomes of the games.
#[derive(Serialize)]
pub(super) struct EndsJson {
    /// Games by outcome for the player on roll or to move.
    outcomes: OrderedMap<&'static str, u64>,
    /// Absent in games other than backgammon, which are not cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    unfinished: Option<u64>,
    win: f64,
    se_win: f64,
    equity: f64,
    se_equity: f64,
}

/// Expected checkers at truncation, defined as in [`tavli::Occupancy`].
#[derive(Serialize)]
struct OccupancyJson {
    p_over: f64,
    next_player_occupancy: Vec<f64>,
    other_player_occupancy: Vec<f64>,
}

impl RunJson {
    pub(crate) fn new(playouts: &Playouts, players: &Players, report: &Report, clock: f64, occupancy: bool) -> RunJson {
        let tally = &report.results.tally;
        let games = tally.games as f64;
        let means = |sums: &[u64; 25]| sums.iter().map(|&sum| sum as f64 / games).collect();
        RunJson {
            playouts: PlayoutsJson::new(playouts, report.games.start, tally.games),
            policies: PoliciesJson::new(players),
            speed: SpeedJson::new(report, clock),
            lengths: LengthsJson::new(tally.mean_plies(), tally.longest),
            mean_plays: tally.mean_plays(),
            ends: EndsJson::new(tally),
            occupancy: occupancy.then(|| OccupancyJson {
                p_over: tally.finished() as f64 / games,
                next_player_occupancy: means(&report.results.occupancy.next_player),
                other_player_occupancy: means(&report.results.occupancy.other_player),
            }),
        }
    }
}

impl SpeedJson {
    pub(crate) fn new<R: Played>(report: &Report<R>, clock: f64) -> SpeedJson {
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

impl PlayoutsJson {
    pub(super) fn new(playouts: &Playouts, first_game: u64, games: u64) -> PlayoutsJson {
        PlayoutsJson {
            position_id: playouts.start().position_id().to_string(),
            games,
            first_game,
            seed: playouts.seed(),
            rules: playouts.rules().name(),
            first_roll: playouts.first_roll().to_string(),
            truncated_after: playouts.truncation().map(NonZeroU32::get),
        }
    }
}

impl PoliciesJson {
    pub(super) fn new(players: &Players) -> PoliciesJson {
        let [policy, opponent] = players.names();
        PoliciesJson {
            policy: policy.to_owned(),
            opponent_policy: opponent.to_owned(),
        }
    }
}

impl LengthsJson {
    pub(super) fn new(plies: Estimate, longest: u32) -> LengthsJson {
        LengthsJson {
            mean_plies: plies.mean,
            se_plies: plies.standard_error,
            longest_game: longest,
        }
    }
}

impl EndsJson {
    pub(super) fn new(tally: &Tally) -> EndsJson {
        let outcomes = Outcome::ALL.iter();
        let outcomes = OrderedMap::new(outcomes.map(|&outcome| (outcome.name(), tally.count(outcome))));
        EndsJson::of(outcomes, Some(tally.unfinished()), tally.win(), tally.equity())
    }

    pub(super) fn of(
        outcomes: OrderedMap<&'static str, u64>,
        unfinished: Option<u64>,
        win: Estimate,
        equity: Estimate,
    ) -> EndsJson {
        EndsJson {
            outcomes,
            unfinished,
            win: win.mean,
            se_win: win.standard_error,
            equity: equity.mean,
            se_equity: equity.standard_error,
        }
    }
}
