//! The arguments of `tavli rollout`, and the rollout that they begin, continue and write.

use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args};
use tavli::cube::CubeInPlay;
use tavli::evaluators::Evaluator;
use tavli::file::{Existing, FileError, Target};
use tavli::named::{self, Defaults, NamedError};
use tavli::policies::Players;
use tavli::rollout::{
    Allocation, Checkpoint, Options, Request, RequestError, Rollout, RolloutError, SaveError, Session, Setting, Shard,
    Stop, StopReason, StopRequest,
};
use tavli::run::Cancel;
use tavli::{FirstRoll, Position, Reading, Roll, RuleSet};

use super::result;
use crate::arguments::{self, Machine, OfBackgammon};
use crate::cube::{CubeOptions, WithCube};
use crate::failure::Failure;
use crate::header::Header;
use crate::layout::{Layout, Style};
use crate::policies::Policies;
use crate::slurm;

/// Play many games from a position, or from each play of a roll, and print the results
///
/// With a roll, which may be the dice of the position, tavli decides which play to make. The player strong discards
/// plays that it values more than 0.16 points behind the best. The others are rolled out on the same dice for five
/// plies by strong, with variance reduction by fast, until one is the best with 95 % confidence, or no other is better
/// by more than 0.01 points, for at most 2,304 trials. Where both sides have at most six checkers to bear off, games
/// end with exact values. --seconds, --seed, --rules, --first-roll, --filter and two or more --play keep it a decision.
/// Options that shape the games or end them, such as --policy, --trials or --allocate, ask for a plain rollout of all
/// plays, with as many games of each; --within makes any rollout a decision.
///
/// Otherwise the net fast picks the plays unless --policy names another player, and the plays of a roll are compared on
/// the same dice and ranked by equity. Each game begins with any throw unless --first-roll says otherwise. With
/// stratified first rolls any 36 consecutive trials begin with each throw once, and any 1,296 with each pair of throws,
/// in an order that the seed shuffles: the standard error becomes up to a third smaller in short bear-offs, and less
/// than 1 % in the opening.
///
/// A position that names a cube or a score (XGID, Match ID, --cube, --match ..) is rolled out with the cube: without a
/// roll, no double and double, take are compared on the same dice and plays. The players decide about the cube before
/// each roll by their own values, a pass ends a game, and values are equities with the cube, in matches equivalent to
/// money. --cubeless turns that off. So is each line of --positions, with its own cube.
///
/// A rollout ends by the first rule that holds. Races of a given confidence, and decisions, are looked at after 36
/// trials, 72, 144, and so on. Rules on standard errors, and races by joint standard deviations, are looked at after
/// 1,296 trials, and then at steps of an eighth. The results depend only on position, roll, candidates, seed, rules,
/// first roll, truncation, policies, evaluators and trials: not on threads, tier, shards or interruptions.
///
/// Ctrl-C ends a rollout with the result so far (exit status 0); saved, it can be continued.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("file").args(["save", "resume"]))]
#[command(group = ArgGroup::new("valued").args(["truncate", "plies", "variance_reduction", "within"]).multiple(true))]
pub(crate) struct Arguments {
    /// GNU Position ID, Position ID:Match ID, XGID, FIBS board line or 26 numbers
    #[arg(value_name = "POSITION", value_parser = arguments::reading, required_unless_present_any = ["resume", "positions"])]
    position: Option<Reading>,
    /// Two digits 1 to 6, such as 31: compare its plays [default: the dice of the position, if it has some]
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    roll: Option<Roll>,
    /// Compare only this play, such as '13/8 6/5' or the Position ID after it; repeat the option for more plays
    #[arg(long = "play", value_name = "MOVES", requires = "position")]
    plays: Vec<String>,
    /// Roll out each line of FILE (a position, and optionally a tab and a roll), and write a table, or with --json a
    /// line for each; - is standard input. The dice of a position are its roll
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "plays", "shard", "extend", "layout"])]
    pub(crate) positions: Option<PathBuf>,
    /// End after N trials [default: 46656, or no bound where another rule is given]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = arguments::games)]
    trials: Option<NonZeroU64>,
    /// End when the standard error of every equity is at most this
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    stop_se: Option<f64>,
    /// End when every other play is at least NUMBER joint standard deviations behind the best; a line of --positions
    /// with nothing to compare ends by the other rules, or after 46656 trials
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    stop_jsd: Option<f64>,
    /// End after S seconds of playing, over all sessions of a saved rollout
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = arguments::seconds)]
    seconds: Option<Duration>,
    /// How the games are divided among the plays. even: as many for each. race, race:99% or race:95%:0.005: drop plays
    /// that are known to be worse than another, and end when one is the best with 95 % (99 %) confidence, or when none
    /// is better by more than 0.005 points. race:2.5: drop plays 2.5 joint standard deviations behind the best.
    /// halving: drop the worse half after each of several rounds; the best get N trials [default: even]
    #[arg(long, value_name = "HOW")]
    allocate: Option<Allocation>,
    /// Decide: end when no other play is better than the best by more than POINTS, with 95 % confidence [default in
    /// decisions: 0.01]
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["allocate", "positions"])]
    within: Option<f64>,
    /// Leave out plays that strong (in mcgammon sampled) values more than POINTS below the best play; the best two
    /// always stay, and all keeps every play [default in decisions: 0.16; otherwise all]
    #[arg(long, value_name = "POINTS|all", allow_negative_numbers = true, value_parser = margin)]
    #[arg(conflicts_with = "plays")]
    filter: Option<Setting<f64>>,
    /// Play N trials more than the saved rollout has, whichever rule ended it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = arguments::games)]
    #[arg(requires = "resume", conflicts_with_all = ["trials", "stop_se", "stop_jsd", "seconds"])]
    extend: Option<NonZeroU64>,
    /// Seed of the random streams, 0 to 18446744073709551615 [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Rules: backgammon, mcgammon (the paper's first version: bringing all checkers home wins), portes (no
    /// triple game), nackgammon, hypergammon or longgammon [default: backgammon]
    #[arg(long, value_name = "RULES")]
    rules: Option<RuleSet>,
    #[command(flatten)]
    game: OfBackgammon,
    /// First roll, after the play where plays are compared: any of the 36 throws, open (no double), a roll such as 31,
    /// or stratified [default: any]
    #[arg(long, value_name = "ROLL", allow_negative_numbers = true)]
    first_roll: Option<FirstRoll>,
    /// Cut every game off after D plies; --evaluator values its last position. With none games are played to their end
    /// [default in decisions: 5; otherwise none]
    #[arg(long, value_name = "D|none", allow_negative_numbers = true, value_parser = truncation)]
    truncate: Option<Setting<NonZeroU32>>,
    /// --plies D is now --truncate D --evaluator none
    #[arg(long, hide = true, value_name = "D", allow_negative_numbers = true, value_parser = arguments::plies)]
    #[arg(conflicts_with = "truncate")]
    plies: Option<NonZeroU32>,
    // Its help lists every evaluator that is built in.
    #[arg(long, value_name = "none|NAME|FILE", value_parser = valuer, requires = "valued")]
    #[arg(help = format!(
        "The evaluator of --truncate and --variance-reduction: {}, or the file of a player. With none a game that is cut \
         off counts 0 points, and luck is measured by the default. The policy pubeval is not an evaluator, since it gives \
         no probabilities; sampled:36:pubeval plays by it [default: the player of --policy if it values positions, or \
         sampled]",
        named::list_of_evaluators()
    ))]
    evaluator: Option<Setting<Arc<dyn Evaluator>>>,
    /// Subtract the luck of the rolls from each game (luck-adjusted results)
    ///
    /// The luck of a roll is how much better its best play is than the mean of the best plays of all rolls, as
    /// --evaluator values them. Subtracting it changes no mean, however wrong the evaluator is, and a good evaluator
    /// makes the standard errors many times smaller. At each ply all plays of all rolls are valued.
    #[arg(long, alias = "luck-adjusted")]
    variance_reduction: bool,
    #[command(flatten)]
    pub(crate) cube: CubeOptions,
    #[command(flatten)]
    policies: Policies,
    /// Save the rollout, or the table of --positions, as FILE, which must not exist yet
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Replace the file of --save if it exists
    #[arg(long, requires = "save", conflicts_with = "resume")]
    force: bool,
    /// Continue the rollout or table saved as FILE, to its own end unless another is given; with a position or
    /// --positions, begin FILE if it does not exist
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Save every S seconds
    #[arg(long, value_name = "S", default_value = "10", allow_negative_numbers = true)]
    #[arg(value_parser = arguments::seconds)]
    pub(crate) checkpoint: Duration,
    /// Play part I of N, for tavli merge: whole blocks of 1,296 trials, so N is at most the trials divided by 1,296,
    /// rounded up; slurm/N takes I from SLURM_ARRAY_TASK_ID, of a job array that was submitted as 1-N
    #[arg(long, value_name = "I/N|slurm/N", value_parser = slurm::shard_or_slurm, requires = "file")]
    #[arg(conflicts_with_all = ["stop_se", "stop_jsd", "seconds", "extend", "allocate", "within"])]
    shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) machine: Machine,
    #[command(flatten)]
    pub(crate) style: Style,
}

/// Reads the value of `--truncate`.
fn truncation(text: &str) -> Result<Setting<NonZeroU32>, String> {
    match text {
        "none" => Ok(Setting::Off),
        plies => arguments::plies(plies)
            .map(Setting::Value)
            .map_err(|error| format!("{error}, or none")),
    }
}

/// Reads the value of `--filter`.
fn margin(text: &str) -> Result<Setting<f64>, String> {
    match text {
        "all" => Ok(Setting::Off),
        points => match points.parse() {
            Ok(points) if points >= 0.0 => Ok(Setting::Value(points)),
            _ => Err("write points, 0 or more, such as 0.16, or all".to_owned()),
        },
    }
}

/// Reads the value of `--evaluator`.
fn valuer(text: &str) -> Result<Setting<Arc<dyn Evaluator>>, NamedError> {
    match text {
        "none" => Ok(Setting::Off),
        name => named::evaluator(name).map(Setting::Value),
    }
}

/// Why there is no rollout, in terms of the options.
fn explained(error: RequestError) -> String {
    match error {
        RequestError::NoRoll => "--play names a play of a roll: write the ROLL after the position".to_owned(),
        RequestError::Rollout(error @ RolloutError::NoCubeValues(_)) => format!("{error}, with --cubeless"),
        error => error.to_string(),
    }
}

/// Refuses what is not `what` the saved rollout `has`.
fn contradiction(what: &str, given: &dyn ToString, has: &dyn ToString) -> Result<(), Failure> {
    let (given, has) = (given.to_string(), has.to_string());
    // The same net under two paths is the same.
    if named::identity(&given) == named::identity(&has) {
        return Ok(());
    }
    Err(Failure::usage(format_args!(
        "the saved rollout has {what} {has}, not {given}; leave the option out, or begin a new rollout"
    )))
}

/// The text of an option that is off.
fn none() -> String {
    "none".to_owned()
}

impl Arguments {
    /// The request of the arguments for a position, which may have dice.
    fn request_of(&self, asked: &WithCube) -> Result<Request, NamedError> {
        let options = Options {
            cube: asked.cube,
            ..self.options()?
        };
        match self.decides(&asked.position) {
            true => options.decision(),
            false => options.request(),
        }
    }

    /// The position of the arguments with its cube, if it has one.
    fn with_cube(&self, reading: &Reading) -> Result<WithCube, Failure> {
        let asked = self.cube.apply(reading, self.rules.unwrap_or_default());
        asked.map_err(Failure::usage)
    }

    /// The request of the arguments for a rollout that is no decision.
    pub(crate) fn request(&self) -> Result<Request, NamedError> {
        self.options()?.request()
    }

    /// The options of the rollout, without a cube.
    fn options(&self) -> Result<Options, NamedError> {
        let plays = self.plays.iter().map(|play| play.as_str().into());
        let named = self.evaluator.clone().unwrap_or_default();
        let (truncation, evaluator, luck) = match self.plies {
            Some(plies) => (Setting::Value(plies), Setting::Off, named.set()),
            None => (self.truncate.unwrap_or_default(), named, None),
        };
        Ok(Options {
            roll: self.roll,
            plays: (!self.plays.is_empty()).then(|| plays.collect()),
            filter: self.filter.unwrap_or_default(),
            rules: self.rules.unwrap_or_default(),
            seed: self.seed,
            first_roll: self.first_roll.unwrap_or_default(),
            truncation,
            allocation: self.allocate.unwrap_or_default(),
            within: self.within,
            stop: self.stop(),
            shard: self.shard,
            cube: None,
            players: self.players()?,
            known_values: self.policies.known_values(),
            evaluator,
            variance_reduction: self.variance_reduction,
            luck: luck.filter(|_| self.variance_reduction),
        })
    }

    /// The rules that end the rollout, those that were named.
    fn stop(&self) -> StopRequest {
        StopRequest {
            trials: self.trials.map(NonZeroU64::get),
            standard_error: self.stop_se,
            jsd: self.stop_jsd,
            seconds: self.seconds.map(|time| time.as_secs_f64()),
        }
    }

    /// The players that pick the plays, if any is named.
    fn players(&self) -> Result<Option<Players>, NamedError> {
        if !self.policies.are_named() {
            return Ok(None);
        }
        let policy = named::policy(Defaults::under(self.rules.unwrap_or_default()).rollouts)?;
        Ok(Some(self.policies.or(|| policy).players()))
    }

    /// Whether the arguments ask which play to make, and leave it to the command how that is found.
    fn decides(&self, position: &Position) -> bool {
        // Every option by name: the compiler asks for a new one to be placed.
        let Arguments {
            roll,
            within,
            // These shape the games or end them.
            trials,
            stop_se,
            stop_jsd,
            allocate,
            truncate,
            plies,
            evaluator,
            variance_reduction,
            policies,
            shard,
            plays,
            // These leave it a decision.
            position: _,
            positions: _,
            seconds: _,
            filter: _,
            extend: _,
            seed: _,
            rules: _,
            first_roll: _,
            cube: _,
            save: _,
            force: _,
            resume: _,
            checkpoint: _,
            game: _,
            machine: _,
            style: _,
        } = self;
        let has_roll = roll.is_some() || position.roll().is_some();
        let is_shaped = trials.is_some()
            || stop_se.is_some()
            || stop_jsd.is_some()
            || allocate.is_some()
            || truncate.is_some()
            || plies.is_some()
            || evaluator.is_some()
            || *variance_reduction
            || policies.are_named()
            || shard.is_some()
            || plays.len() == 1;
        has_roll && (within.is_some() || !is_shaped)
    }

    /// The rollout that the arguments ask for, not begun.
    fn new_rollout(&self, reading: &Reading) -> Result<Rollout, Failure> {
        let asked = self.with_cube(reading)?;
        let request = self.request_of(&asked).map_err(Failure::usage)?;
        Arguments::begin_by(&request, &asked.position)
    }

    fn begin_by(request: &Request, position: &Position) -> Result<Rollout, Failure> {
        let rollout = request.rollout(position);
        rollout.map_err(|error| Failure::usage(explained(error)))
    }

    /// The rollout of a position that is one of many, with its own cube: of the plays of its roll, if it has one.
    pub(crate) fn rollout_of_many(
        &self,
        request: &Request,
        reading: &Reading,
        roll: Option<Roll>,
    ) -> Result<Rollout, String> {
        let WithCube { position, cube } = self.cube.apply(reading, request.settings.rules)?;
        let request = Request {
            roll,
            cube,
            ..request.clone()
        };
        request.rollout_of_many(&position).map_err(explained)
    }

    /// The rollout that was saved, with what the arguments change.
    fn saved_rollout(&self, path: &Path) -> Result<Rollout, Failure> {
        let saved = Rollout::load(path).map_err(Failure::run)?;
        self.check_same(&saved)?;
        let stop = match self.extend {
            Some(more) => {
                let trials = saved.games().end.saturating_add(more.get());
                Some(Stop::after(trials))
            }
            None => self.given_stop(saved.allocation())?,
        };
        match stop {
            Some(stop) => saved.until(stop).map_err(Failure::usage),
            None => Ok(saved),
        }
    }

    /// The stop rule that is given, if any is, of a rollout with this allocation.
    fn given_stop(&self, allocation: Allocation) -> Result<Option<Stop>, Failure> {
        let given = self.stop();
        let stop = (!given.is_empty()).then(|| given.resolve(allocation));
        stop.transpose().map_err(Failure::usage)
    }

    /// Refuses arguments that contradict a saved rollout.
    fn check_same(&self, saved: &Rollout) -> Result<(), Failure> {
        // Every option by name: the compiler asks for a new one to be compared, or placed among the others.
        let Arguments {
            position,
            seed,
            rules,
            first_roll,
            truncate,
            variance_reduction,
            within,
            allocate,
            policies,
            shard,
            // Compared with the position, the truncation and the luck.
            roll: _,
            plays: _,
            filter: _,
            cube: _,
            plies: _,
            evaluator: _,
            // These may change.
            trials: _,
            stop_se: _,
            stop_jsd: _,
            seconds: _,
            extend: _,
            // These are no part of a rollout.
            positions: _,
            save: _,
            force: _,
            resume: _,
            checkpoint: _,
            game: _,
            machine: _,
            style: _,
        } = self;
        let settings = saved.settings();
        let options = self.options().map_err(Failure::usage)?;
        let request = options.request().map_err(Failure::usage)?;
        if let Some(reading) = position {
            self.check_same_position(reading, &options, &request, saved)?;
        }
        if let Some(seed) = seed {
            contradiction("the seed", seed, &settings.seed)?;
        }
        if let Some(rules) = rules {
            contradiction("the rules", rules, &settings.rules)?;
        }
        if let Some(first_roll) = first_roll {
            contradiction("the first roll", first_roll, &settings.first_roll)?;
        }
        let name = |evaluator: Option<&Arc<dyn Evaluator>>| {
            evaluator.map_or_else(none, |evaluator| evaluator.name().to_owned())
        };
        let plies = request.settings.truncation;
        if truncate.is_some() || plies.is_some() {
            let described = |plies: Option<NonZeroU32>| plies.map_or_else(none, |plies| plies.to_string());
            contradiction("the truncation", &described(plies), &described(settings.truncation))?;
        }
        if plies.is_some() {
            contradiction(
                "the evaluator",
                &name(request.evaluator.as_ref()),
                &name(saved.evaluator()),
            )?;
        }
        if *variance_reduction {
            contradiction(
                "the evaluator of luck",
                &name(request.luck.as_ref()),
                &name(saved.luck()),
            )?;
        }
        if let &Some(within) = within {
            let given = Allocation::FixedConfidence { percent: 95.0, within };
            contradiction("the allocation", &given, &saved.allocation())?;
        }
        if let Some(allocation) = allocate {
            contradiction("the allocation", allocation, &saved.allocation())?;
        }
        if let Some(players) = &options.players {
            let [given, has] = [players.names(), saved.players().names()];
            if policies.name_player() {
                contradiction("the policy", &given[0], &has[0])?;
            }
            if policies.name_opponent() {
                contradiction("the policy of the opponent", &given[1], &has[1])?;
            }
        }
        if let Some(shard) = shard {
            let has = saved.part().map_or_else(none, |shard| shard.to_string());
            contradiction("the shard", shard, &has)?;
        }
        Ok(())
    }

    /// Refuses a position, a roll and plays that are not those of a saved rollout.
    fn check_same_position(
        &self,
        reading: &Reading,
        options: &Options,
        request: &Request,
        saved: &Rollout,
    ) -> Result<(), Failure> {
        let WithCube { position, cube } = &self.with_cube(reading)?;
        let described = |cube: Option<&CubeInPlay>| cube.map_or_else(none, ToString::to_string);
        contradiction("the cube", &described(cube.as_ref()), &described(saved.cube()))?;
        let roll = |roll: Option<Roll>| roll.map_or_else(none, |roll| roll.to_string());
        contradiction("the position", &position.position_id(), &saved.position().position_id())?;
        contradiction(
            "the roll",
            &roll(position.roll_or(self.roll).map_err(Failure::usage)?),
            &roll(saved.roll()),
        )?;
        let ids = |rollout: &Rollout| {
            let candidates = rollout.candidates().iter();
            let ids = candidates.map(|candidate| candidate.board.position_id().to_string());
            ids.collect::<Vec<_>>().join(" ")
        };
        let of = |request: &Request| {
            // The evaluator is compared below.
            let request = Request {
                cube: *cube,
                evaluator: None,
                ..request.clone()
            };
            Ok::<String, Failure>(ids(&Arguments::begin_by(&request, position)?))
        };
        // A decision has the plays near the best, whatever other options say now; other rollouts have all of them.
        let mut named = of(request)?;
        if named != ids(saved) && matches!(saved.allocation(), Allocation::FixedConfidence { .. }) {
            named = of(&options.decision().map_err(Failure::usage)?)?;
        }
        contradiction("the candidates", &named, &ids(saved))
    }

    /// The saved rollout if there is one, or a new one, and where it is saved meanwhile.
    pub(crate) fn begin(&self) -> Result<(Rollout, Option<Checkpoint>), Failure> {
        // Nobody else writes the file from before it is read on.
        let target = self.target()?;
        let checkpoint = target.map(|target| Checkpoint {
            target,
            interval: self.checkpoint,
        });
        Ok((self.rollout()?, checkpoint))
    }

    fn rollout(&self) -> Result<Rollout, Failure> {
        match (&self.resume, &self.position) {
            (Some(path), None) => self.saved_rollout(path),
            (Some(path), Some(_)) if path.exists() => self.saved_rollout(path),
            (_, Some(reading)) => self.new_rollout(reading),
            (None, None) => Err(Failure::usage("name a position, or a file with --resume")),
        }
    }

    /// A session of a rollout, ended by `cancel`.
    pub(crate) fn session(&self, cancel: Cancel, checkpoint: Option<Checkpoint>) -> Result<Session, Failure> {
        Ok(Session {
            tier: self.machine.tier()?,
            cancel,
            checkpoint,
        })
    }

    /// Writes the result of a session of the rollout, whether or not it could be saved.
    pub(crate) fn finish(
        &self,
        rollout: &Rollout,
        played: Result<StopReason, SaveError>,
        header: &Header,
    ) -> Result<(), Failure> {
        match played {
            Ok(reason) => self.write(rollout, reason, header),
            Err(error) => {
                if let Some(reason) = error.reason {
                    self.write(rollout, reason, header)?;
                }
                Err(Failure::run(error))
            }
        }
    }

    /// Writes the result of the rollout, and why its session ended.
    fn write(&self, rollout: &Rollout, reason: StopReason, header: &Header) -> Result<(), Failure> {
        let mut output = io::stdout();
        let layout = Layout::new(&self.style);
        result::write(rollout, reason, Some(header), layout, &mut output)?;
        output.flush()?;
        Ok(())
    }

    /// Where the rollout, or the table, is saved.
    pub(crate) fn target(&self) -> Result<Option<Target>, Failure> {
        let (path, existing) = match (&self.save, &self.resume) {
            (Some(path), _) if !self.force => (path, Existing::Refuse),
            (Some(path), _) | (None, Some(path)) => (path, Existing::Replace),
            (None, None) => return Ok(None),
        };
        arguments::check_file(path)?;
        match Target::open(path, existing) {
            Err(error @ FileError::Exists { .. }) => Err(Failure::usage(format_args!(
                "{error}; --resume continues it, --force replaces it"
            ))),
            opened => {
                let target = opened?;
                arguments::refuse_input(&target, "input", self.positions.as_slice())?;
                Ok(Some(target))
            }
        }
    }

    /// Whether the rollout, or the table, is saved.
    pub(crate) fn saves(&self) -> bool {
        self.save.is_some() || self.resume.is_some()
    }

    /// Whether what was saved is to be continued.
    pub(crate) fn resumes(&self) -> bool {
        self.resume.is_some()
    }
}
