//! The arguments of `tavli rollout`.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args};
use tavli::FirstRoll;
use tavli::evaluators::Evaluator;
use tavli::named::{self, NamedError};
use tavli::rollout::{Allocation, OptionValue, Shard};

use super::save_options::SaveOptions;
use crate::arguments::{self, BACKGAMMON_HEADING, Format, GameOptions, WorkerOptions, player_lines};
use crate::cube::CubeOptions;
use crate::evaluator_options::named_evaluator;
use crate::layout::Style;
use crate::player_options::Policies;
use crate::slurm;

/// Play many games from a position, or from each play of a roll, and print the results
///
/// With a roll, tavli decides which play to make; without one, it estimates the equity of the position.
///
/// tavli rollout 4HPwATDgc/ABMA 31
///
/// Decisions: a roll is decided in backgammon and in the games with a net (--policy lists them). Plays that strong
/// values more than 0.16 points behind the best are left out. The others race on the same dice until one is the best
/// with 95 % confidence, or until none is better by more than 0.01 points. Each line of --positions with a roll is
/// decided, too. No net has learned the rules mcgammon, hypergammon and longgammon: there all plays race, in whole
/// games, as if --filter all and --truncate none were given.
///
/// Plain rollouts: all plays of the roll are compared on the same dice and ranked by equity. The net fast picks the
/// plays of the games, in plakoto and fevga strong; --policy names another policy. In backgammon these options ask for
/// a plain rollout:
///
/// * --allocate, --shard, --extend, and --play given once: always
///
/// * --policy, --policy-opponent, --trials, --stop-se, --stop-jsd, --evaluator, --truncate and --variance-reduction:
///   unless --within is given, too
///
/// The cube: a position that names a cube or a score (XGID, Match ID, --cube, --match ..) is rolled out with the cube.
/// Without a roll, "no double" is compared with "double, take". Players decide about the cube by their own values.
/// Equities include the cube; in matches they are converted to those of money games. --cubeless turns the cube off.
///
/// A rollout ends by the first of its end rules that holds: --trials, --stop-se, --stop-jsd, --seconds, or the rule of
/// a decision. Its results do not depend on threads, tier, shards or interruptions. Ctrl-C ends a rollout with the
/// result so far (exit status 0; 1 before its first trial); with --save or --resume it can be continued.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("valued").args(["truncate", "variance_reduction", "within"]).multiple(true))]
pub struct RolloutArguments {
    #[arg(value_name = "POSITION", help = arguments::POSITION, required_unless_present_any = ["resume", "positions"])]
    pub(crate) position: Option<String>,
    /// Roll whose plays are compared, such as 31, in a game with dice [default: the dice of the position, if it has
    /// some]
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    pub(crate) roll: Option<String>,
    /// Compare only this play, such as '13/8 6/5', or the position after it; repeat the option for more plays
    #[arg(long = "play", value_name = "MOVES", requires = "position")]
    pub(super) plays: Vec<String>,
    /// Roll out each line of FILE and write a table; - is standard input
    ///
    /// A line has a position, and optionally a tab and a roll; dice in the position count as its roll. --json writes a
    /// document for each line, as soon as it is answered, instead of a table. --within and --filter apply to lines with
    /// a roll. --seconds is the time for each line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "plays", "shard", "extend", "layout"])]
    pub positions: Option<PathBuf>,
    /// End after N trials, which are N games of each play [default: 46656; 2304 in decisions; unlimited if another end
    /// rule is given]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = arguments::trials)]
    pub(crate) trials: Option<NonZeroU64>,
    /// End when the standard error of every equity is at most POINTS
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = arguments::bound)]
    pub(super) stop_se: Option<f64>,
    /// End when every other play is at least NUMBER joint standard deviations behind the best
    ///
    /// Lines of --positions without a roll have no plays to compare: they end by the other rules, or after 46656
    /// trials.
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = arguments::deviations)]
    #[arg(help_heading = BACKGAMMON_HEADING)]
    pub(super) stop_jsd: Option<f64>,
    /// End after S seconds of playing
    ///
    /// The seconds of all sessions of a saved rollout are added up. Games that are not finished a tenth of a second
    /// after the end are not counted.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = arguments::seconds)]
    pub(super) seconds: Option<Duration>,
    /// How the games are divided among the plays: even, race or halving [default: even]
    #[arg(long_help = "How the games are divided among the plays\n\n  \
        even: the same number for each play\n  \
        race: drop each play that is known to be worse than another; end when one is the best with 95 % confidence\n  \
        race:99%: the same, with 99 % confidence\n  \
        race:95%:0.005: end also when no other play is better than the best by more than 0.005 points\n  \
        race:2.5: drop each play that is 2.5 joint standard deviations behind the best\n  \
        halving: play several rounds and drop the worse half after each; the best plays get all --trials\n\n\
        [default: even]")]
    #[arg(long, value_name = "HOW", help_heading = BACKGAMMON_HEADING)]
    pub(super) allocate: Option<Allocation>,
    /// Make a decision: end when no other play is better than the best by more than POINTS, with 95 % confidence
    /// [default in decisions: 0.01]
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = within)]
    #[arg(conflicts_with = "allocate")]
    pub(super) within: Option<f64>,
    /// Leave out plays that strong (in mcgammon sampled) values more than POINTS below the best; all leaves none out
    /// [default: all; in decisions 0.16]
    ///
    /// The best two plays always stay.
    #[arg(long, value_name = "POINTS|all", allow_negative_numbers = true, value_parser = margin)]
    #[arg(conflicts_with = "plays")]
    pub(super) filter: Option<OptionValue<f64>>,
    /// Play N trials more than the saved rollout has, whichever rule ended it; merge shards before you extend
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = arguments::trials)]
    #[arg(requires = "resume", conflicts_with_all = ["trials", "stop_se", "stop_jsd", "seconds"])]
    pub(super) extend: Option<NonZeroU64>,
    /// Seed of the random numbers, 0 to 18446744073709551615 [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) game: GameOptions,
    /// First roll of each game; if plays are compared, the roll after the play [default: any]
    #[arg(long_help = "First roll of each game; if plays are compared, the roll after the play\n\n  \
        any: any of the 36 throws\n  \
        open: any throw but a double, as a game begins\n  \
        31: this roll\n  \
        stratified: the first two throws spread evenly, in an order that the seed shuffles\n\n\
        [default: any]")]
    #[arg(long, value_name = "ROLL", allow_negative_numbers = true, help_heading = BACKGAMMON_HEADING)]
    pub(super) first_roll: Option<FirstRoll>,
    /// Cut every game off after D plies, and value its last position by --evaluator; none plays games to their end
    /// [default: none; in decisions 5, or 11 in plakoto and fevga]
    #[arg(long, value_name = "D|none", allow_negative_numbers = true, value_parser = truncation)]
    pub(super) truncate: Option<OptionValue<NonZeroU32>>,
    /// --plies D is now --truncate D --evaluator none
    #[arg(long, hide = true, value_name = "D", allow_negative_numbers = true, value_parser = arguments::plies)]
    #[arg(conflicts_with = "truncate", help_heading = BACKGAMMON_HEADING)]
    pub(super) plies: Option<NonZeroU32>,
    #[arg(long, value_name = "none|NAME|FILE", value_parser = valuer, requires = "valued")]
    #[arg(help_heading = BACKGAMMON_HEADING)]
    #[arg(help = "Evaluator of --truncate and --variance-reduction [default: the player of --policy, or sampled]")]
    #[arg(long_help = format!(
        "Evaluator of games that --truncate cuts off, and of luck that --variance-reduction subtracts\n\n{},\n  \
         or the file of a player\n  \
         none: games that are cut off count 0 points; not possible with a cube or --variance-reduction\n\n\
         The policy pubeval gives no probabilities, so it is not an evaluator; sampled:36:pubeval plays by it.\n\n\
         Default:\n  \
         in plain rollouts: the player of --policy if it values positions, otherwise sampled\n  \
         in decisions: strong+bearoff:6x6, with luck by fast+bearoff:6x6",
        player_lines(&named::list_of_evaluators())
    ))]
    pub(super) evaluator: Option<OptionValue<Arc<dyn Evaluator>>>,
    /// Subtract the luck of the rolls from each game (luck-adjusted results)
    ///
    /// The luck of a roll is the value of its best play minus the mean value of the best plays of all rolls.
    /// --evaluator gives the values, in other games the net of --policy without looking ahead. Subtracting luck changes
    /// no mean, however wrong the evaluator is, and a good evaluator makes the standard errors many times smaller. It
    /// takes time: at each ply all plays of all rolls are valued.
    #[arg(long, alias = "luck-adjusted")]
    pub(crate) variance_reduction: bool,
    #[command(flatten)]
    pub(crate) policies: Policies,
    #[command(flatten)]
    pub machine: WorkerOptions,
    #[command(flatten)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(super) save: SaveOptions,
    /// Play shard I of N, for tavli merge; slurm/N takes I from SLURM_ARRAY_TASK_ID
    ///
    /// A shard has whole blocks of 1,296 trials, so N is at most the number of blocks. For slurm/N, submit the job
    /// array as 1-N.
    #[arg(long, value_name = "I/N|slurm/N", value_parser = slurm::shard_or_slurm, requires = "file")]
    #[arg(conflicts_with_all = ["stop_se", "stop_jsd", "seconds", "extend", "allocate", "within"])]
    pub(super) shard: Option<Shard>,
    #[command(flatten, next_help_heading = BACKGAMMON_HEADING)] // and of what follows
    pub(super) style: Style,
    #[command(flatten)]
    pub(super) cube: CubeOptions,
}

fn truncation(text: &str) -> Result<OptionValue<NonZeroU32>, String> {
    match text {
        "none" => Ok(OptionValue::Off),
        plies => arguments::plies(plies).map(OptionValue::Set).map_err(|error| format!("{error}, or none")),
    }
}

fn margin(text: &str) -> Result<OptionValue<f64>, String> {
    match text {
        "all" => Ok(OptionValue::Off),
        points => match points.parse() {
            Ok(points) if points >= 0.0 => Ok(OptionValue::Set(points)),
            _ => Err("write points, 0 or more, such as 0.16, or all".to_owned()),
        },
    }
}

fn within(text: &str) -> Result<f64, String> {
    let points = arguments::number(text).filter(|points| *points >= 0.0 && points.is_finite());
    points.ok_or_else(|| "write points, 0 or more, such as 0.01".to_owned())
}

fn valuer(text: &str) -> Result<OptionValue<Arc<dyn Evaluator>>, NamedError> {
    match text {
        "none" => Ok(OptionValue::Off),
        name => named_evaluator(name).map(OptionValue::Set),
    }
}
