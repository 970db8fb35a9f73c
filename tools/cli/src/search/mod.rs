//! `tavli search`: the best play of a roll, by random games or by expectimax.

mod expectimax;
pub(crate) mod other_games;
mod progressive_bias;
pub(crate) mod result;

use std::io::Write;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args};
use tavli::file::Target;
use tavli::named::{self, Defaults};
use tavli::policies::{Policy, Uniform};
use tavli::rollout::Shard;
use tavli::run::Workers;
use tavli::search::{
    BestChoice, Budget, ChanceSampling, Method, PreparedSearch, Pruning, RequestError, Reward, RootCounts,
    SearchRequest, SearchResult, SearchSettings, SelectionBound,
};
use tavli::{Position, Roll};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers::counted;
use tavli_terminal::output;
use tavli_terminal::progress::Bar;
use tavli_terminal::remarks::{self, remark_on_values};

use self::expectimax::{ExpectimaxOptions, PositionAndRoll, SearchMethod};
use self::progressive_bias::ProgressiveBiasOptions;
use crate::arguments::{
    self, BACKGAMMON_HEADING, DEFAULT_SEED, Format, GameOptions, OTHER_GAMES_HEADING, Overwrite, WorkerOptions,
    first_given, player_lines, seconds,
};
use crate::game_arguments::Endgames;
use crate::game_turn::no_roll;
use crate::run_header::RunHeader;
use crate::slurm;

/// Search for the best play by random games, or by looking ahead
///
/// tavli search 4HPwATDgc/ABMA 31
///
/// By random games (--method uct): Monte-Carlo tree search with chance nodes, as in the McGammon paper. A search grows
/// several trees, so that workers need not share one, and adds up their visits. Two baselines grow no tree: flat
/// divides the simulations evenly among the plays; halving plays rounds, each on the better half of the plays.
///
/// By looking ahead (--method expectimax): both sides play their best by an evaluator for a number of plays. star1 and
/// star2 find the same best play and the same value, but skip positions that cannot change them, so that other plays
/// have upper bounds instead of values. In games without dice expectimax is minimax, and star1 is alphabeta, which
/// deepens until --depth or --seconds is reached.
///
/// The result depends only on the position, the roll and the options; with --seconds or --gap also on the clock. Ctrl-C
/// ends a search and prints its result so far (exit status 0).
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("end").multiple(false)))]
pub struct SearchArguments {
    #[arg(value_name = "POSITION", help = arguments::POSITION)]
    pub(crate) position: String,
    /// Roll whose best play is searched for, such as 31, in a game with dice [default: the dice of the position]
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    pub(crate) roll: Option<String>,
    /// End after N simulations, in all trees together [default: 1000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = simulations, group = "end")]
    simulations: Option<u64>,
    /// End after about S seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds, group = "end")]
    pub(crate) seconds: Option<Duration>,
    /// End earlier, once the value of the best play is G standard errors ahead of the second
    #[arg(long, value_name = "G", allow_negative_numbers = true, value_parser = gap)]
    #[arg(help_heading = BACKGAMMON_HEADING)]
    gap: Option<f64>,
    /// How to search: uct, flat or halving by random games; expectimax, star1 or star2 by looking ahead
    #[arg(long, value_name = "M", default_value_t = SearchMethod::Playouts(Method::Uct))]
    #[arg(long_help = "How to search\n\nBy random games:\n  \
        uct: trees, which grow where plays are good\n  \
        flat: no tree; the simulations are divided evenly among the plays\n  \
        halving: no tree; rounds on the better half of the plays\n\n\
        By looking ahead, with an evaluator:\n  \
        expectimax, minimax: every position; minimax in games without dice\n  \
        star1, alphabeta: skip positions that cannot change the result; alphabeta in games without dice\n  \
        star2: as star1, after a look at one play of each roll")]
    pub(crate) method: SearchMethod,
    #[command(flatten)]
    pub(crate) expectimax: ExpectimaxOptions,
    #[arg(long, value_name = "NAME|FILE", value_parser = named::policy, help_heading = BACKGAMMON_HEADING)]
    #[arg(help = format!(
        "Policy of the playouts: {} or the file of a player [default: uniform]",
        named::names().collect::<Vec<_>>().join(", ")
    ))]
    #[arg(long_help = format!(
        "Policy of the playouts\n\n{},\n  or the file of a player\n\n[default: uniform]",
        player_lines(&named::list_of_policies())
    ))]
    policy: Option<Arc<dyn Policy>>,
    #[command(flatten)]
    pub(crate) game: GameOptions,
    #[command(flatten)]
    pub(crate) endgames: Endgames,
    /// With uct: the bound by which plays are selected, ucb1 or own-visits [default: ucb1]
    #[arg(long_help = "With uct: the bound by which plays are selected\n\n  \
        ucb1: v + C sqrt(ln n_p / n)\n  \
        own-visits: v + C sqrt(log2 n / n)\n\n\
        v is the mean value of a play, n are its visits, and n_p the visits of all plays.\n\n\
        [default: ucb1]")]
    #[arg(long, alias = "score", value_name = "B", help_heading = OTHER_GAMES_HEADING)]
    pub(crate) bound: Option<SelectionBound>,
    /// With uct in a game without dice: prove wins, draws and losses, and end when the result is proven
    #[arg(long, help_heading = OTHER_GAMES_HEADING)]
    pub(crate) proofs: bool,
    /// Make the play that EVALUATOR values highest, instead of a random one, in a share of the plies of playouts
    #[arg(long, value_name = "EVALUATOR", help_heading = OTHER_GAMES_HEADING)]
    pub(crate) heavy: Option<String>,
    /// With --heavy: the share of the plies, 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE", requires = "heavy", allow_negative_numbers = true, value_parser = arguments::fraction)]
    #[arg(help_heading = OTHER_GAMES_HEADING)]
    pub(crate) greed: Option<f64>,
    /// With alphabeta in a game without dice: search as textbooks do, for counts of positions that can be compared
    ///
    /// The search goes to --depth at once, takes the plays in their order, and keeps no table of positions.
    #[arg(long, help_heading = OTHER_GAMES_HEADING)]
    pub(crate) plain: bool,
    /// With uct: the factor of exploration, 0 to 1000: a larger C tries more plays [default: 1]
    ///
    /// Plays are selected by the bound v + C sqrt(ln n_p / n), unless --bound names another. v is the mean value of a
    /// play, n are its visits, and n_p the visits of all plays.
    #[arg(long = "c", value_name = "C", allow_negative_numbers = true, value_parser = exploration)]
    c: Option<f64>,
    /// Value of a game: points, or wins (1 for a win, -1 for a loss) [default: points]
    #[arg(long, alias = "value", value_name = "V")]
    reward: Option<Reward>,
    /// With uct: how trees draw rolls, random or stratified [default: random]
    ///
    /// stratified: the visits to a position get each of the 36 throws once before any throw repeats.
    #[arg(long, alias = "draw", value_name = "D")]
    chance_sampling: Option<ChanceSampling>,
    /// Which play is the best: by value, visits or visits-then-value [default: value]
    #[arg(long_help = "Which play is the best\n\n  \
        value: the play of the highest value\n  \
        visits: the play with the most visits, as in the McGammon paper\n  \
        visits-then-value: of the plays with the most visits, the play of the highest value\n\n\
        [default: value]")]
    #[arg(long, alias = "choice", value_name = "F")]
    best_by: Option<BestChoice>,
    /// With uct: add the plays of a roll to the tree once the position was visited more than N times with that roll
    /// [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    expand: Option<NonZeroU32>,
    /// Number of trees, whose visits are added up; workers beyond this number have nothing to do [default: 16]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    trees: Option<u32>,
    /// Playouts of one tree that may be played at the same time [default: 256]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    in_flight: Option<u32>,
    /// With uct: bytes for all trees; a tree that reaches its share stops growing, and the search goes on [default:
    /// 2000000000]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    memory: Option<u64>,
    /// Seed of the random numbers, 0 to 18446744073709551615 [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Grow the trees of shard I of N, for tavli merge; slurm/N takes I from SLURM_ARRAY_TASK_ID
    ///
    /// For slurm/N, submit the job array as 1-N.
    #[arg(long, value_name = "I/N|slurm/N", value_parser = slurm::shard_or_slurm, requires = "save", conflicts_with = "gap")]
    #[arg(help_heading = BACKGAMMON_HEADING)]
    pub shard: Option<Shard>,
    /// Save the result as a new FILE, for tavli merge
    #[arg(long, value_name = "FILE", alias = "output", help_heading = BACKGAMMON_HEADING)]
    save: Option<PathBuf>,
    /// Replace the file of --save if it exists
    #[arg(long, requires = "save", help_heading = BACKGAMMON_HEADING)]
    force: bool,
    #[command(flatten)]
    pub machine: WorkerOptions,
    #[command(flatten)]
    pub(crate) format: Format,
    #[command(flatten, next_help_heading = BACKGAMMON_HEADING)]
    progressive_bias: ProgressiveBiasOptions,
}

/// Reads a number of standard errors.
fn gap(text: &str) -> Result<f64, String> {
    let gap: Option<f64> = text.parse().ok();
    gap.filter(|gap| *gap > 0.0 && gap.is_finite())
        .ok_or_else(|| "a gap is a number of standard errors above 0, such as 3".to_owned())
}

/// Reads a factor of exploration; the search refuses those out of its range.
fn exploration(text: &str) -> Result<f64, String> {
    let c = arguments::number(text);
    c.ok_or_else(|| "C is a number from 0 to 1000, such as 1".to_owned())
}

/// Reads a number of simulations; the search refuses those out of the range of its trees.
fn simulations(text: &str) -> Result<u64, String> {
    let most = Budget::MAX_PER_TREE;
    text.parse().map_err(|_| format!("simulations are a whole number 1 to {most} for each of the --trees"))
}

/// The remark if there are more workers than trees.
fn idle(trees: usize, workers: usize) -> Option<String> {
    let without = workers.checked_sub(trees).filter(|number| *number > 0)? as u64;
    let without = counted(without, "worker has", "workers have");
    let trees = counted(trees as u64, "tree", "trees");
    Some(format!("{trees} for {workers} workers: {without} no tree; raise --trees to use all (the result will differ)"))
}

/// A search that ended before its first simulation has no best play.
fn check_has_begun(root: &RootCounts) -> Result<(), Failure> {
    match root.simulations() {
        0 => Err(Failure::run(
            "the search ended before its first simulation: there is no result; give it more time, or fewer --trees",
        )),
        _ => Ok(()),
    }
}

/// Runs the command for backgammon.
pub(crate) fn run(arguments: &SearchArguments) -> Result<(), Failure> {
    if let SearchMethod::Expectimax(pruning, _) = arguments.method {
        return arguments.expectimax(pruning);
    }
    if arguments.shard.is_some() {
        arguments.check_trees_of_shards()?;
    }
    let task = arguments.task(arguments.shard)?;
    let target = arguments.target()?;
    let cancel = interrupt::cancel_on_interrupt()?;
    let (workers, header) = arguments.machine.start()?;
    let unsearched = task.unsearched();
    let (trees, plays) = (unsearched.trees().len(), unsearched.root().choices.len());
    arguments.remark_on_trees(unsearched.settings(), trees, plays, workers.count());
    arguments.print_head(unsearched, &header)?;
    let found = arguments.search(task.cancelled_by(&cancel), &workers);
    arguments.finish(&found, target.as_ref(), &header)
}

impl SearchArguments {
    /// The search, or a shard of it.
    pub fn task(&self, shard: Option<Shard>) -> Result<PreparedSearch, Failure> {
        let method = match self.method {
            SearchMethod::Playouts(method) => method,
            method @ SearchMethod::Expectimax(..) => {
                return Err(Failure::usage(format_args!(
                    "{method} plays no games that several processes could share: give uct, flat or halving"
                )));
            }
        };
        if method != Method::Uct
            && let Some(option) = first_given(&self.tree_options())
        {
            return Err(Failure::usage(format_args!(
                "{option} is for the method uct, not for {method}, which grows no trees"
            )));
        }
        let has_progressive_bias = self.progressive_bias.option().is_some();
        if let Some(option) = self.expectimax.misplaced(has_progressive_bias) {
            return Err(Failure::usage(format_args!(
                "{option} is for the methods expectimax, star1 and star2, and for --bias and --unprune, not for {method} by \
                 itself"
            )));
        }
        let progressive_bias = if has_progressive_bias {
            let heuristic = self.expectimax.heuristic(self.defaults()?.search_heuristic)?;
            Some(self.progressive_bias.request(heuristic))
        } else {
            None
        };
        let request = SearchRequest { shard, progressive_bias, ..self.request(method)? };
        let task = request.prepare(&self.position()?, self.machine.tier()?);
        task.map_err(|error| match error {
            RequestError::NoRoll => no_roll(),
            error => Failure::usage(error),
        })
    }

    /// Refuses shards of a search in which some tree has no simulation: a shard of such trees has no result to save.
    fn check_trees_of_shards(&self) -> Result<(), Failure> {
        let trees = self.trees.unwrap_or(SearchSettings::default().trees);
        match self.budget().simulations {
            Some(simulations @ 1..) if simulations < u64::from(trees) => Err(Failure::usage(format_args!(
                "--shard divides the trees, and {} leave some of {} without any: give --trees {simulations} or fewer, or \
                 more --simulations",
                counted(simulations, "simulation", "simulations"),
                counted(trees, "tree", "trees"),
            ))),
            _ => Ok(()),
        }
    }

    /// The options of trees, and whether each is given.
    fn tree_options(&self) -> [(&'static str, bool); 4] {
        [
            ("--c", self.c.is_some()),
            ("--chance-sampling", self.chance_sampling.is_some()),
            ("--expand", self.expand.is_some()),
            ("--memory", self.memory.is_some()),
        ]
    }

    /// Searches by an evaluator, without games; refuses options of the other methods.
    fn expectimax(&self, pruning: Pruning) -> Result<(), Failure> {
        self.check_plays_no_games(false)?;
        let position = self.position()?;
        let roll = position.roll_or(self.given_roll()?).map_err(Failure::usage)?;
        let decision =
            PositionAndRoll { board: *position.board(), roll: roll.ok_or_else(no_roll)?, rules: self.game.rule_set()? };
        let heuristic = self.expectimax.heuristic(self.defaults()?.evaluator)?;
        remark_on_values(heuristic.name(), decision.rules);
        self.expectimax.search(&decision, heuristic, pruning, &self.machine, self.format)
    }

    /// Refuses options of searches by games, which for a method that looks ahead have no meaning.
    pub(crate) fn check_plays_no_games(&self, has_clock: bool) -> Result<(), Failure> {
        let of_games = [
            ("--simulations", self.simulations.is_some()),
            ("--seconds", self.seconds.is_some() && !has_clock),
            ("--gap", self.gap.is_some()),
            ("--policy", self.policy.is_some()),
            ("--reward", self.reward.is_some()),
            ("--best-by", self.best_by.is_some()),
            ("--trees", self.trees.is_some()),
            ("--in-flight", self.in_flight.is_some()),
            ("--bound", self.bound.is_some()),
            ("--proofs", self.proofs),
            ("--heavy", self.heavy.is_some()),
            ("--seed", self.seed.is_some()),
            ("--shard", self.shard.is_some()),
            ("--save", self.save.is_some()),
        ];
        let of_games = first_given(&of_games).or(first_given(&self.tree_options()));
        match of_games.or(self.progressive_bias.option()) {
            None => Ok(()),
            Some(option) => {
                let or_alpha_beta =
                    if option == "--seconds" { ", and for alphabeta in games without dice" } else { "" };
                Err(Failure::usage(format_args!(
                    "{option} is for the methods uct, flat and halving{or_alpha_beta}, not for {}, which plays no games: \
                     leave it out",
                    self.method
                )))
            }
        }
    }

    fn position(&self) -> Result<Position, Failure> {
        arguments::position_without_cube(&self.position, self.game.rule_set()?)
    }

    /// The roll of backgammon, if one is given with the position.
    fn given_roll(&self) -> Result<Option<Roll>, Failure> {
        self.roll.as_deref().map(str::parse).transpose().map_err(Failure::usage)
    }

    /// The default players of backgammon.
    fn defaults(&self) -> Result<Defaults, Failure> {
        Ok(Defaults::for_rules(self.game.rule_set()?))
    }

    /// The file of --save, opened before anything is searched.
    pub fn target(&self) -> Result<Option<Target>, Failure> {
        let overwrite = Overwrite { force: self.force };
        overwrite.open_named(self.save.as_deref())
    }

    /// Prints the position, the method and the machine before the search. Remarks on a heuristic that has not learned
    /// the rules.
    pub fn print_head(&self, found: &SearchResult, header: &RunHeader) -> Result<(), Failure> {
        remarks::print(found.remark());
        let mut output = output::stdout();
        if !self.format.json {
            result::print_head(found, Some(header), &mut output)?;
            output.flush()?;
        }
        Ok(())
    }

    /// Searches with a progress bar.
    pub fn search(&self, task: PreparedSearch, workers: &Workers) -> SearchResult {
        let bar = Bar::new();
        let plays = task.unsearched().clone();
        let (budget, choice) = (self.budget(), plays.settings().best_by);
        task.run(workers, |progress| {
            let best = progress.root.ranking(choice)[0];
            bar.show_search(progress, &budget, plays.play(best).moves);
        })
    }

    /// Saves and prints the result. It is printed even if it cannot be saved.
    pub fn finish(&self, found: &SearchResult, target: Option<&Target>, header: &RunHeader) -> Result<(), Failure> {
        check_has_begun(found.root())?;
        let saved = target.map_or(Ok(()), |target| found.save_to(target));
        result::remark_on_memory(found.memory_refused(), found.bytes());
        let mut output = output::stdout();
        if self.format.json {
            result::write_json(found, Some(header), &mut output)?;
        } else {
            result::print(found, &mut output)?;
        }
        saved.map_err(Failure::unwritten)
    }

    /// Remarks on trees that have no worker to grow them, or too few simulations to try each play.
    fn remark_on_trees(&self, settings: &SearchSettings, trees: usize, plays: usize, workers: usize) {
        if let Some(remark) = idle(trees, workers) {
            output::remark(remark);
        }
        if let Some(remark) = self.budget().remark_on(settings, plays) {
            output::remark(remark);
        }
    }

    pub(crate) fn budget(&self) -> Budget {
        Budget {
            simulations: match self.seconds {
                Some(_) => None,
                None => Some(self.simulations.unwrap_or(SearchRequest::SIMULATIONS)),
            },
            time: self.seconds,
            gap: self.gap,
        }
    }

    pub(crate) fn settings(&self, method: Method) -> SearchSettings {
        let default = SearchSettings::default();
        SearchSettings {
            method,
            c: self.c.unwrap_or(default.c),
            reward: self.reward.unwrap_or(default.reward),
            chance_sampling: self.chance_sampling.unwrap_or(default.chance_sampling),
            best_by: self.best_by.unwrap_or(default.best_by),
            expand: self.expand.unwrap_or(default.expand),
            trees: self.trees.unwrap_or(default.trees),
            in_flight: self.in_flight.unwrap_or(default.in_flight),
            seed: self.seed.unwrap_or(DEFAULT_SEED),
            memory: self.memory.unwrap_or(default.memory),
        }
    }

    fn request(&self, method: Method) -> Result<SearchRequest, Failure> {
        let policy = self.policy.clone();
        Ok(SearchRequest {
            roll: self.given_roll()?,
            rules: self.game.rule_set()?,
            policy: policy.unwrap_or_else(|| Arc::new(Uniform)),
            settings: self.settings(method),
            progressive_bias: None,
            budget: self.budget(),
            shard: None,
        })
    }
}
