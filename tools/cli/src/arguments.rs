//! Arguments that several commands share, and how their values are read.

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tavli::file::{Existing, Target};
use tavli::games::{NAMES, PlayableGame, Visitor, visit};
use tavli::rollout::Rollout;
use tavli::run::{Cpus, Pinning, Placement, Workers, remark_on_cube};
use tavli::text::{self, Quoted};
use tavli::{Board, Position, RuleSet, Tier};
use tavli_terminal::failure::Failure;
use tavli_terminal::line_reader;
use tavli_terminal::numbers;
use tavli_terminal::output;
use tavli_terminal::remarks;

use crate::run_header::RunHeader;

/// The default seed: a run without --seed can be repeated.
pub(crate) const DEFAULT_SEED: u64 = 1;

/// The help of a position, which each game reads in its own way.
pub(crate) const POSITION: &str = "start, where a game begins; or a GNU Position ID, Position ID:Match ID, XGID, OGID, \
    FIBS board line or 26 numbers; in other games as tavli position --game prints it";

/// A list of built-in players as lines of a long help, one player a line.
pub(crate) fn player_lines(list: &str) -> String {
    format!("  {}", list.replace("), ", "),\n  "))
}

/// A text as one word of a shell, for commands that people copy.
pub(crate) fn shell_word(text: &str) -> String {
    // No argument of a process has a NUL, the only character that cannot be quoted.
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), Cow::into_owned)
}

/// The long help of `--pin`.
const PIN: &str = "CPUs that workers are bound to: auto, none, a place, or a list of CPUs\n\n  \
    auto: one worker per core; they are bound only if the run takes every core, and otherwise left to the operating \
    system, so that several runs can share the machine\n  \
    none: one worker per CPU, where the operating system puts it\n  \
    cores: one worker per core\n  \
    threads: one worker per CPU; a core with SMT has several\n  \
    l3: one worker per group of cores with the same cache of level 3\n  \
    numa: one worker per memory node\n  \
    sockets: one worker per socket\n  \
    0,2-5: one worker on each CPU of this list\n\n\
    A place may be followed by:\n\n  \
    :spread: alternate sockets, then memory nodes, then caches; without it the nearest places are filled first\n  \
    :no-smt: use one CPU of each core\n\n\
    compact and spread are short for threads and threads:spread. Workers beyond the number of places take the \
    other cores of each place, and then the cores' other CPUs (SMT siblings).";

/// How many workers there are, the CPUs that they are bound to, and their tier.
#[derive(Args, Clone, Debug)]
pub struct WorkerOptions {
    /// Number of worker threads [default: one per place of --pin, within the grant of control groups]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = numbers::threads)]
    threads: Option<NonZeroUsize>,
    /// CPUs that workers are bound to: auto, none, a place such as cores, or a list such as 0,2-5
    #[arg(long, value_name = "P", default_value_t, allow_negative_numbers = true, long_help = PIN)]
    pin: Pinning,
    #[command(flatten)]
    isa: TierOption,
}

impl WorkerOptions {
    /// Refuses these options together with `option`, whose work they do not change.
    pub(crate) fn refuse_beside(&self, option: &str) -> Result<(), Failure> {
        let given = [
            ("--threads", self.threads.is_some()),
            ("--pin", self.pin != Pinning::default()),
            ("--isa", self.isa.isa.is_some()),
        ];
        match first_given(&given) {
            None => Ok(()),
            Some(name) => Err(Failure::usage(format_args!(
                "{name} is for work on many threads, but {option} needs only one: leave {name} out"
            ))),
        }
    }
}

/// The `options` that are given. Each is a name and whether it is given.
pub(crate) fn given(options: &[(&'static str, bool)]) -> Vec<&'static str> {
    let given = options.iter().filter(|(_, is_given)| *is_given);
    given.map(|(name, _)| *name).collect()
}

/// The first of `options` that is [given].
pub(crate) fn first_given(options: &[(&'static str, bool)]) -> Option<&'static str> {
    given(options).first().copied()
}

/// The tier that code runs on.
#[derive(Args, Clone, Debug)]
pub(crate) struct TierOption {
    /// Instruction-set tier; it changes the speed only [default: the environment variable TAVLI_ISA, or the fastest
    /// that this CPU has]
    #[arg(long, value_name = "TIER")]
    isa: Option<Tier>,
}

/// The tier that the option names, else the one that the environment names. The parser of arguments does not read the
/// environment, since it would fail for commands without a tier, too.
pub(crate) fn tier_or_environment<T>(option: Option<T>) -> Result<Option<T>, Failure>
where
    T: FromStr<Err: fmt::Display>,
{
    match option {
        Some(tier) => Ok(Some(tier)),
        None => tavli::tier_variable().map_err(Failure::usage),
    }
}

/// How the result is written.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Format {
    /// Write JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

impl Format {
    /// Writes a result as JSON, or as text by `print`.
    pub(crate) fn write<D: Serialize>(
        self,
        document: &D,
        print: impl FnOnce(&D, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut output = BufWriter::new(output::stdout());
        match self.json {
            true => output::json(&mut output, document)?,
            false => print(document, &mut output)?,
        }
        Ok(output.flush()?)
    }
}

/// Whether a file that exists is replaced.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Overwrite {
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

impl Overwrite {
    /// Opens a file that is to be written.
    pub(crate) fn open(self, path: &Path) -> Result<Target, Failure> {
        let existing = match self.force {
            true => Existing::Replace,
            false => Existing::Refuse,
        };
        check_file(path)?;
        if self.force {
            refuse_named_twice(path)?;
        }
        output::continue_without_output();
        Target::open(path, existing).map_err(Failure::unwritable)
    }

    /// [`Overwrite::open`] of a file, if one is named.
    pub(crate) fn open_named(self, path: Option<&Path>) -> Result<Option<Target>, Failure> {
        self.check(path.is_some())?;
        path.map(|path| self.open(path)).transpose()
    }

    /// Refuses --force if no file is written.
    pub(crate) fn check(self, writes_file: bool) -> Result<(), Failure> {
        match self.force && !writes_file {
            true => Err(Failure::usage(
                "--force has no effect here, since no file is written: leave --force out, or name a file",
            )),
            false => Ok(()),
        }
    }
}

/// Refuses to replace a file that several arguments name: as their value, or as a part of it, such as FILE of
/// FILE+2ply. The input would be lost.
pub(crate) fn refuse_named_twice(path: &Path) -> Result<(), Failure> {
    if !path.is_file() {
        return Ok(());
    }
    let names = |argument: &String| {
        let starts = argument.match_indices(['=', ':']).map(|(at, _)| at + 1);
        let ends = argument.match_indices(['+', '#', ':']).map(|(at, _)| at);
        let ends = ends.chain([argument.len()]);
        starts
            .chain([0])
            .flat_map(|start| ends.clone().filter_map(move |end| argument.get(start..end)))
            .any(|part| !part.is_empty() && line_reader::is_same(path, Path::new(part)))
    };
    let arguments = env::args_os().skip(1).filter_map(|argument| argument.into_string().ok());
    let named: Vec<String> = arguments.filter(names).collect();
    let other = match &named[..] {
        [one, other, ..] if one == other => String::new(),
        [one, other, ..] => format!(": '{}' and '{}'", Quoted::new(one), Quoted::new(other)),
        _ => return Ok(()),
    };
    Err(Failure::usage(format_args!(
        "the output {} would replace a file that another argument names{other}; name another file",
        path.display()
    )))
}

/// Refuses an output that is also an input, under any name; `what` names the inputs.
pub(crate) fn refuse_input(target: &Target, what: &str, inputs: &[PathBuf]) -> Result<(), Failure> {
    match inputs.iter().find(|&input| target.is(input)) {
        Some(input) => Err(Failure::usage(format_args!(
            "the output {} is the {what} {}; name another file",
            target.path().display(),
            input.display()
        ))),
        None => Ok(()),
    }
}

/// The rules of backgammon.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RulesOption {
    #[arg(long, value_name = "RULES", default_value_t)]
    #[arg(help = format!("Rules: {}", names_of_rules(NAMES[0])), long_help = format!(
        "Rules: {}\n\n{RULES_OF_BACKGAMMON}",
        names_of_rules(NAMES[0])
    ))]
    pub(crate) rules: RuleSet,
}

/// What a name in the list of backgammon's rules does not say.
const RULES_OF_BACKGAMMON: &str = "In mcgammon, the first version of the McGammon paper, the player wins who first has \
    all checkers home. In portes a backgammon counts as a gammon. nackgammon, hypergammon and longgammon differ from \
    backgammon in the start.";

/// The rules of the game that it visits.
struct RulesOfGame;

impl Visitor for RulesOfGame {
    type Output = &'static [&'static str];

    fn visit<G: PlayableGame>(self) -> &'static [&'static str] {
        G::RULES
    }
}

/// The names of a game's rules, the default first.
fn names_of_rules(game: &str) -> String {
    visit(game, RulesOfGame).expect("a name from the list of games").join(", ")
}

/// The long help of `--rules`: a line for each game.
fn rules_help() -> String {
    let games = NAMES.iter().map(|game| format!("  {game}: {}", names_of_rules(game)));
    format!(
        "Rules of the game [default: the first of its line]\n\n{}\n\n{RULES_OF_BACKGAMMON}\n\nOptions of plakoto and \
         fevga combine, as in r1=step,r3=duty:\n\n  \
         mother=immediate: who pins the mother wins at once\n  \
         pinned_blocks_bearoff=no: checkers are borne off while one is pinned in the home board\n  \
         r1=step: no checker lands on the last empty point of the own start; r1=off: no rule\n  \
         r2=occupied: the six points before the other start are free when it is left; r2=off: always\n  \
         r3=duty: only a stack behind six points must leave the other side a move; r3=off: no rule\n  \
         passed=12: the runner has passed when it stands on the other side's emptied start",
        games.collect::<Vec<_>>().join("\n")
    )
}

// What the words mean, in helps as in the guide and the glossary.
/// What a policy is.
pub(crate) const POLICY_MEANS: &str = "A policy picks plays";
/// What an evaluator is.
pub(crate) const EVALUATOR_MEANS: &str = "An evaluator values positions";
/// What a player is.
pub(crate) const PLAYER_MEANS: &str = "A player picks plays and values positions";

/// The heading of the options that only backgammon has. clap keeps a heading for all options that follow a flattened
/// struct, so structs flattened under it come last.
pub(crate) const BACKGAMMON_HEADING: &str = "Options of backgammon";
/// The heading of the options of the doubling cube, which only backgammon has.
pub(crate) const CUBE_AND_SCORE: &str = "Cube and score, of backgammon";
/// The heading of the options that backgammon lacks.
pub(crate) const OTHER_GAMES_HEADING: &str = "Options of other games";

/// The game.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameName {
    #[arg(long, value_name = "GAME", default_value = NAMES[0], value_parser = game_name)]
    #[arg(help = format!("Game: {}", NAMES.join(", ")))]
    game: String,
}

/// The game and its rules.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameOptions {
    #[command(flatten)]
    name: GameName,
    /// Rules, such as nackgammon: --help lists those of each game [default: the game's usual ones]
    #[arg(long, value_name = "RULES", long_help = rules_help())]
    rules: Option<String>,
}

impl GameOptions {
    pub(crate) fn rules<G: PlayableGame>(&self) -> &str {
        self.rules.as_deref().unwrap_or(G::RULES[0])
    }

    /// The rules, if they are named.
    pub(crate) fn given_rules(&self) -> Option<&str> {
        self.rules.as_deref()
    }

    /// The game with the playouts of a seed.
    pub(crate) fn with_seed<G: PlayableGame>(&self, tier: Tier, seed: u64) -> Result<G, Failure> {
        G::by_rules(self.rules::<G>(), tier, seed).map_err(Failure::usage)
    }

    /// The rules of backgammon.
    pub(crate) fn rule_set(&self) -> Result<RuleSet, Failure> {
        self.given_rule_set().map(Option::unwrap_or_default)
    }

    /// The rules of backgammon, if they are named.
    pub(crate) fn given_rule_set(&self) -> Result<Option<RuleSet>, Failure> {
        let rules = self.rules.as_deref().map(str::parse);
        rules.transpose().map_err(Failure::usage)
    }
}

/// Reads the name of a game.
fn game_name(text: &str) -> Result<String, String> {
    match NAMES.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(format!("'{text}' is not a game: --game is one of {}", NAMES.join(", "))),
    }
}

impl TierOption {
    pub(crate) fn tier(&self) -> Result<Tier, Failure> {
        Ok(tier_or_environment(self.isa)?.unwrap_or_else(Tier::best))
    }
}

impl WorkerOptions {
    /// The instruction-set tier.
    pub fn tier(&self) -> Result<Tier, Failure> {
        self.isa.tier()
    }

    /// Whether options say how many workers there are, or where.
    pub(crate) fn has_worker_options(&self) -> bool {
        self.threads.is_some() || self.pin != Pinning::default()
    }

    /// These options for a measurement, whose workers are bound even if they leave CPUs idle.
    pub(crate) fn bound(&self) -> WorkerOptions {
        let mut bound = self.clone();
        if bound.pin == Pinning::Auto {
            bound.pin = Pinning::CORES;
        }
        bound
    }

    /// With `threads` workers.
    pub(crate) fn with_threads(&self, threads: NonZeroUsize) -> WorkerOptions {
        WorkerOptions { threads: Some(threads), ..self.clone() }
    }

    /// Starts the workers and describes them; remarks go to standard error.
    pub(crate) fn start(&self) -> Result<(Workers, RunHeader), Failure> {
        let (workers, header) = self.start_on(&Cpus::allowed())?;
        header.remark();
        Ok((workers, header))
    }

    /// Starts the workers, and prints them and their task unless the result is to be JSON.
    pub(crate) fn start_on_task(
        &self,
        format: Format,
        task: impl fmt::Display,
    ) -> Result<(Workers, RunHeader), Failure> {
        let (workers, header) = self.start()?;
        if !format.json {
            let mut output = output::stdout();
            writeln!(output, "{header}\n\n{task}\n")?;
            output.flush()?;
        }
        Ok((workers, header))
    }

    /// Starts the workers on some of the CPUs that this process may use, and describes them.
    pub fn start_on(&self, cpus: &Cpus) -> Result<(Workers, RunHeader), Failure> {
        let tier = self.tier()?;
        let placement = placement(cpus, &self.pin, self.threads)?;
        let workers = Workers::start(&placement).map_err(Failure::run)?;
        let header = RunHeader::new(tier, &self.pin, &placement, cpus, &workers);
        Ok((workers, header))
    }
}

/// Places workers as the options say.
pub(crate) fn placement(cpus: &Cpus, pin: &Pinning, threads: Option<NonZeroUsize>) -> Result<Placement, Failure> {
    Placement::new(cpus, pin.clone(), threads).map_err(|error| Failure::usage(format_args!("--pin {pin}: {error}")))
}

/// The position in which a game begins, if none is given.
pub(crate) fn or_start(position: Option<Position>, rules: RuleSet) -> Board {
    position.map_or_else(|| rules.start(), |position| *position.board())
}

/// Reads the position of a command line.
pub(crate) fn position_argument(text: &str, rules: RuleSet) -> Result<Position, Failure> {
    remarks::position(text, rules).map_err(|error| invalid_position(text, error))
}

/// Reads the position of a command line for games without a cube and a score; a remark on a cube or score in the
/// position goes to standard error.
pub(crate) fn position_without_cube(text: &str, rules: RuleSet) -> Result<Position, Failure> {
    let position = position_argument(text, rules)?;
    if let Some(remark) = remark_on_cube(&position) {
        output::remark(format_args!("remark: {remark}"));
    }
    Ok(position)
}

/// The failure of an argument that each game reads in its own way, worded as the parser's.
pub(crate) fn invalid(argument: &str, text: &str, error: impl fmt::Display) -> Failure {
    // Without the blank of `protect_negative_position`, which nobody typed.
    let text = text.strip_prefix(' ').filter(|rest| rest.starts_with('-')).unwrap_or(text);
    Failure::usage(format_args!("invalid value '{text}' for '{argument}': {error}"))
}

/// The failure of a position on the command line.
pub(crate) fn invalid_position(text: &str, error: impl fmt::Display) -> Failure {
    invalid("<POSITION>", text, error)
}

/// Puts a blank before an argument that begins with a dash and is a position (an XGID without its `XGID=`, 26 numbers
/// with a checker on the opponent's bar, or another game's drawing of points), so that it is not taken for an option;
/// the reader of positions passes over blanks.
pub fn protect_negative_position(argument: OsString) -> OsString {
    let is_position = argument.to_str().is_some_and(|text| {
        let mut characters = text.chars();
        let dash = characters.next() == Some('-');
        let number = characters.next().is_some_and(|c| c.is_ascii_digit());
        let list = text.contains([' ', ',']);
        let board = text.get(..26).is_some_and(|board| {
            let is_point = |byte| matches!(byte, b'-' | b'A'..=b'O' | b'a'..=b'o');
            board.bytes().all(is_point) && text[26..].starts_with([':', '%'])
        });
        let is_point = |byte| matches!(byte, b'-' | b'*' | b'/' | b'A'..=b'Z' | b'a'..=b'o' | b' ');
        // Names of options have no capitals, and two dashes only before them.
        let is_name = |text: &str| !text.contains("--") && !text.bytes().any(|byte| byte.is_ascii_uppercase());
        let points = text.len() > 9 && text.bytes().all(is_point) && !text.strip_prefix("--").is_some_and(is_name);
        dash && (number && list || board || points)
    });
    if is_position {
        let mut shielded = OsString::from(" ");
        shielded.push(argument);
        return shielded;
    }
    argument
}

/// Refuses `-`, which elsewhere is standard input or output, as the file of a saved result.
pub(crate) fn check_file(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Err(Failure::usage("a result is not saved as -, standard input or output: name a file"));
    }
    Ok(())
}

/// Refuses a file name that is not text: no policy or table could be named by it later.
pub(crate) fn check_nameable(path: &Path) -> Result<(), Failure> {
    match path.to_str() {
        Some(name) if text::is_printable(name) => Ok(()),
        _ => Err(Failure::usage(format_args!(
            "the name {} has characters that are not printable UTF-8 text, and could not be given as a player or a table: \
             name another file",
            path.display()
        ))),
    }
}

/// Reads a number of games.
pub(crate) fn games(text: &str) -> Result<NonZeroU64, String> {
    text.parse().map_err(|_| format!("games are a whole number 1 to {}", u64::MAX))
}

/// Reads a number of trials of a rollout.
pub(crate) fn trials(text: &str) -> Result<NonZeroU64, String> {
    let most = Rollout::MAX_TRIALS;
    let trials = text.parse().ok().filter(|trials: &NonZeroU64| trials.get() <= most);
    trials.ok_or_else(|| format!("trials are a whole number 1 to {most}"))
}

/// Reads a number of plies.
pub(crate) fn plies(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| format!("plies are a whole number 1 to {}", u32::MAX))
}

/// Reads a time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "seconds are a number above 0 (0.000000001 to 1.8e19), such as 2.5".to_owned())
}

/// Reads a bound of errors.
pub(crate) fn bound(text: &str) -> Result<f64, String> {
    bound_such_as(text, 0.01)
}

/// Reads a number of joint standard deviations.
pub(crate) fn deviations(text: &str) -> Result<f64, String> {
    bound_such_as(text, 2.5)
}

fn bound_such_as(text: &str, example: f64) -> Result<f64, String> {
    let bound = text.parse().ok().filter(|&bound: &f64| bound > 0.0 && bound.is_finite());
    bound.ok_or_else(|| format!("write a number above 0, such as {example}"))
}

/// Reads a number. Results print it, so -0 is read as 0.
pub(crate) fn number(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    Some(number + 0.0)
}

/// Reads a share of a whole.
pub(crate) fn fraction(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share from 0 to 1, such as 0.05".to_owned())
}

/// Reads a share by which ratios may differ.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share: &f64| (1e-6..=1.0).contains(share))
        .ok_or_else(|| "a share is a number 0.000001 to 1, such as 0.02".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_zero_has_a_sign() {
        for (text, sign) in [("-0", 1.0), ("-0.0", 1.0), ("0", 1.0), ("-1e-9", -1.0)] {
            assert_eq!(number(text).map(f64::signum), Some(sign), "{text}");
        }
        assert_eq!(number("1,5"), None);
    }

    #[test]
    fn counts_are_positive_whole_numbers() {
        assert_eq!(games("18446744073709551615"), Ok(NonZeroU64::MAX));
        assert_eq!(plies("4294967295"), Ok(NonZeroU32::MAX));
        for text in ["", "0", "-1", "1.5", "1e6", "18446744073709551616", "nan"] {
            assert!(games(text).is_err(), "{text}");
            assert!(plies(text).is_err(), "{text}");
        }
    }

    #[test]
    fn positions_that_begin_with_a_dash_are_no_options() {
        let shielded = |text: &str| protect_negative_position(text.into()) != *text;
        let numbers = "-1 -2 0 0 0 0 5 0 3 0 0 0 -4 5 0 0 0 -3 0 -5 0 0 0 0 2 0";
        assert!(shielded(numbers));
        assert!(shielded(&numbers.replace(' ', ",")));
        assert!(shielded("-1 0 0"));
        assert!(shielded("-b----E-C---eE---c-e----B-%3A0%3A0%3A1%3A00%3A0%3A0%3A0%3A0%3A10"));
        assert!(shielded("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"));
        assert!(shielded("-----------o-----------O") && shielded("---/---/--- X"));
        assert!(shielded("--Aa--aa-bAiA-AABa-AAABC") && shielded("--a-a-a-a-a-a-a-a-a-a-aO"));
        for text in [
            "--truncate",
            "--random-plies",
            "--json",
            "o----------------------O",
            "-1",
            "--games",
            "--games=1,2",
            "--position=4HPwATDgc/ABMA",
            "--position=XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
            "-h",
            "-",
            "--",
            "4HPwATDgc/ABMA",
        ] {
            assert!(!shielded(text), "{text}");
        }
    }

    #[test]
    fn a_position_is_quoted_without_its_shield() {
        let given = protect_negative_position("------------------------".into());
        let text = given.to_str().expect("text");
        assert_eq!(
            invalid_position(text, "empty").to_string(),
            "invalid value '------------------------' for '<POSITION>': empty"
        );
    }

    #[test]
    fn times_are_positive() {
        assert_eq!(seconds("2.5"), Ok(Duration::from_millis(2500)));
        for text in ["", "0", "-0.0", "-1", "nan", "inf", "1e300", "1e-20", "3s"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
