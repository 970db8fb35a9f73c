//! The arguments of `tavli playout`.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tavli::FirstRoll;
use tavli::run::Limit;

use crate::arguments::{self, BACKGAMMON_HEADING, DEFAULT_SEED, Format, GameOptions, Overwrite, WorkerOptions};
use crate::game_arguments::Endgames;
use crate::player_options::Policies;

/// The time of a run that names no end.
const DEFAULT_TIME: Duration = Duration::from_secs(3);

/// Play games from a position, at random or by a policy
///
/// At random, every distinct result of a turn is as likely as any other. A game depends only on the position, the
/// rules, the first roll, the policies, the seed and the number of the game. Threads, CPUs and instruction set change
/// the speed only.
///
/// tavli playout --games 1000000
///
/// Without --games and --seconds, a run takes 3 seconds. Ctrl-C ends a run with the result so far (exit status 0),
/// which says which games were played. A second Ctrl-C, at least a second later, ends it at once.
#[derive(Args, Debug)]
#[command(mut_arg("policy_opponent", |option| option.help_heading(None::<&str>)))] // rollouts of other games lack it
pub(crate) struct PlayoutArguments {
    #[arg(value_name = "POSITION", help = format!("{} [default: start]", arguments::POSITION))]
    pub(super) position: Option<String>,
    /// Play games from each position of a file, one a line, and write a table; - is standard input
    ///
    /// The positions are in any of the formats of POSITION. Empty lines and lines that begin with # are skipped. Each
    /// position has a row of the table, or with --json a line, with the numbers that playout prints for that position
    /// alone, with the same seed and numbers of games. Times, rates and plays per ply are left out. A bad line is
    /// reported with its number, the other lines are played, and the exit status is then 1.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "seconds", "occupancy", "per_game"])]
    pub(super) positions: Option<PathBuf>,
    /// Play N games; with --positions, N from each position [default with --positions: 36]
    #[arg(long, value_name = "N", conflicts_with = "seconds", allow_negative_numbers = true)]
    #[arg(value_parser = arguments::games)]
    pub(super) games: Option<NonZeroU64>,
    /// Play for S seconds; the numbers of the games that were played have no gaps [default: 3]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = arguments::seconds)]
    pub(super) seconds: Option<Duration>,
    /// Seed of the random numbers, 0 to 18446744073709551615
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, allow_negative_numbers = true)]
    pub(super) seed: u64,
    /// Number of the first game; further games count on
    #[arg(long, value_name = "G", default_value_t = 0, allow_negative_numbers = true)]
    pub(super) first_game: u64,
    #[command(flatten)]
    pub(super) game: GameOptions,
    /// First roll: any, or a roll such as 31; in backgammon also open or stratified [default: the dice of the position,
    /// or any]
    #[arg(long_help = "First roll of the games\n\n  \
        any: any of the 36 throws\n  \
        31: this roll\n  \
        open: any throw but a double, as a game begins; in backgammon\n  \
        stratified: the first two throws spread evenly, in an order that the seed shuffles; in backgammon\n\n\
        [default: the dice of the position, or any]")]
    #[arg(long, value_name = "ROLL", allow_negative_numbers = true)]
    pub(super) first_roll: Option<FirstRoll>,
    /// Cut every game off after D plies; games that are cut off count 0 points
    #[arg(long, alias = "plies", value_name = "D", allow_negative_numbers = true)]
    #[arg(value_parser = arguments::plies)]
    pub(super) truncate: Option<NonZeroU32>,
    /// Print the mean number of checkers on each point when games are cut off
    #[arg(long, requires = "truncate", help_heading = BACKGAMMON_HEADING)]
    pub(super) occupancy: bool,
    /// Write the outcome and the plies of each game as CSV to a new file; - is standard output
    ///
    /// Games are in the order of their numbers. If they go to standard output, the result goes to standard error.
    #[arg(long, value_name = "FILE.csv")]
    pub(super) per_game: Option<PathBuf>,
    #[command(flatten)]
    pub(super) overwrite: Overwrite,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    #[command(flatten)]
    pub(super) machine: WorkerOptions,
    #[command(flatten)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) policies: Policies,
}

impl PlayoutArguments {
    /// When a run from one position ends.
    pub(super) fn limit(&self) -> Limit {
        match self.games {
            Some(games) => Limit::Items(games.get()),
            None => Limit::Time(self.seconds.unwrap_or(DEFAULT_TIME)),
        }
    }
}
