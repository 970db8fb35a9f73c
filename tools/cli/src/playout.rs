//! `tavli playout`: random games from a position.

use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tavli::policies::Players;
use tavli::run::{Limit, Report, Run, Workers};
use tavli::{Estimate, FirstRoll, Outcome, Playouts, Position, Tally};

use crate::arguments::{self, DEFAULT_SEED, Format, Machine, Overwrite, Rule};
use crate::failure::Failure;
use crate::header::Header;
use crate::interrupt;
use crate::many;
use crate::named::Named;
use crate::numbers::{counted, decimals, grouped, rate, seconds};
use crate::output;
use crate::paper;
use crate::policies::Policies;
use crate::progress::Bar;
use crate::records::Records;

/// The time of a run that names no end.
const DEFAULT_TIME: Duration = Duration::from_secs(3);

/// Play games from a position, every play equally likely unless a policy picks it
///
/// Each game's course is decided by the position, the rules, the first roll, the policies, the seed and the game's
/// number alone; threads, CPUs and instruction set only decide how fast it is played. Without --games
/// and --seconds a run takes 3 seconds. Ctrl-C ends it with the result so far (exit status 0), which
/// says what games were played; a Ctrl-C a second later ends it at once.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// GNU Position ID, Position ID:Match ID, XGID, FIBS board line or 26 numbers [default: the start of a game]
    #[arg(value_name = "POSITION")]
    position: Option<Position>,
    /// Play games from each position of a file, one a line, in any of these formats; - is standard input
    ///
    /// Empty lines and lines that begin with # are skipped. Each position has a line of the table, or of JSON: what
    /// playout prints of that position alone with the same seed and numbers, but for times, rates and the plays of a
    /// ply. A bad line is reported with its number, the others are played, and the exit status is 1.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "seconds", "occupancy", "per_game"])]
    positions: Option<PathBuf>,
    /// Play N games; with --positions from each position [default: 36]
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "seconds",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = arguments::games)]
    pub(crate) games: Option<NonZeroU64>,
    /// Play for S seconds; the games played are one unbroken range of numbers [default: 3]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = arguments::seconds)]
    seconds: Option<Duration>,
    /// Seed of the random streams, 0 to 18446744073709551615
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, allow_negative_numbers = true)]
    seed: u64,
    /// Number of the first game
    #[arg(
        long,
        value_name = "G",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(crate) first_game: u64,
    #[command(flatten)]
    rule: Rule,
    /// First roll: any of the 36 throws, open (no double, as a game begins), a roll such as 31, or stratified
    /// (the first two throws spread evenly, in an order that the seed shuffles) [default: the dice of the position,
    /// or any]
    #[arg(long, value_name = "ROLL", allow_negative_numbers = true)]
    first_roll: Option<FirstRoll>,
    /// Cut every game off after D plies
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    #[arg(value_parser = arguments::plies)]
    plies: Option<NonZeroU32>,
    #[command(flatten)]
    pub(crate) policies: Policies,
    /// Report where the checkers stand when games are cut off
    #[arg(long, requires = "plies")]
    occupancy: bool,
    /// Write each game's outcome and plies as CSV to a file, which must not exist yet, in order of game numbers; - is
    /// standard output, and the result then goes to standard error
    #[arg(long, value_name = "FILE.csv")]
    per_game: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) machine: Machine,
    #[command(flatten)]
    pub(crate) format: Format,
}

impl Arguments {
    /// How games from a position begin: as given, or with the dice of the position.
    fn first_roll(&self, position: Option<&Position>) -> Result<FirstRoll, String> {
        let dice = position.and_then(|position| position.roll());
        match (dice.map(FirstRoll::Given), self.first_roll) {
            (Some(dice), Some(given)) if dice != given => Err(format!(
                "the position has the roll {dice}, and --first-roll is {given}; leave --first-roll out, or write the \
                 position without dice"
            )),
            (dice, given) => Ok(given.or(dice).unwrap_or_default()),
        }
    }

    /// The playouts of a position; without one, of the start of a game.
    pub(crate) fn playouts(&self, position: Option<&Position>) -> Result<Playouts, String> {
        let start = arguments::or_start(position.copied(), self.rule.rules);
        let playouts = Playouts::new(start, self.rule.rules, self.seed)
            .map_err(|error| error.to_string())?
            .with_first_roll(self.first_roll(position)?);
        Ok(match self.plies {
            Some(plies) => playouts.truncated_after(plies),
            None => playouts,
        })
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.positions {
        return many::run(arguments, path);
    }
    let playouts = arguments
        .playouts(arguments.position.as_ref())
        .map_err(Failure::usage)?;
    let limit = match arguments.games {
        Some(games) => Limit::Games(games.get()),
        None => Limit::Time(arguments.seconds.unwrap_or(DEFAULT_TIME)),
    };
    let cancel = interrupt::cancel_on_interrupt()?;
    let players = arguments.policies.players();
    let run = Run::new(playouts, arguments.machine.tier(), limit)
        .played_by(players.clone())
        .cancelled_by(&cancel)
        .from_game(arguments.first_game)
        .map_err(Failure::usage)?;
    let mut records = arguments
        .per_game
        .as_deref()
        .map(|path| Records::create(path, arguments.overwrite))
        .transpose()?;
    let (workers, header) = arguments.machine.start()?;
    let mut output: Box<dyn Write> = match &records {
        Some(records) if records.on_standard_output() => Box::new(io::stderr()),
        _ => Box::new(io::stdout()),
    };
    if !arguments.format.json {
        writeln!(output, "{header}\n")?;
        describe(&playouts, &players, &mut output)?;
        output.flush()?;
    }
    let (report, recorded) = match &mut records {
        None => (play(&run, &workers), Ok(())),
        Some(records) => records.play(&run, &cancel, &workers),
    };
    if let Err(Failure::ClosedPipe) = recorded {
        return recorded;
    }
    // The clock of the cores as they are now, warm from the run.
    let clock = workers.cycles_per_second();
    if arguments.format.json {
        let run = RunJson::new(&playouts, &players, &report, clock, arguments.occupancy);
        let header = &header;
        output::json(&mut output, &Document { header, run })?;
    } else {
        print(&report, clock, arguments.occupancy, &mut output)?;
        if paper::compares(&playouts, &players) && report.results.tally.games > 0 {
            writeln!(output)?;
            paper::print(&report, &mut output)?;
        }
    }
    output.flush()?;
    recorded
}

/// Plays the games of a run.
pub(crate) fn play(run: &Run, workers: &Workers) -> Report {
    let bar = Bar::new();
    run.play(workers, |progress| bar.show(progress))
}

/// Prints what will be played.
pub(crate) fn describe(
    playouts: &Playouts,
    players: &Players,
    output: &mut dyn Write,
) -> io::Result<()> {
    let (rules, start) = (playouts.rules(), playouts.start());
    let position = if *start == rules.start() {
        "the opening position".to_owned()
    } else {
        start.position_id().to_string()
    };
    let (first_roll, seed) = (playouts.first_roll(), playouts.seed());
    write!(
        output,
        "{rules} from {position}, first roll {first_roll}, seed {seed}"
    )?;
    if let Some(plies) = playouts.truncation() {
        let plies = counted(plies.get(), "ply", "plies");
        write!(output, ",\ncut off after {plies}")?;
    }
    if !players.are_uniform() {
        write!(output, ",\nplayed by {players}")?;
    }
    writeln!(output, "\n")
}

/// Prints what the games came to, on cores of a clock in cycles per second.
pub(crate) fn print(
    report: &Report,
    clock: f64,
    occupancy: bool,
    output: &mut dyn Write,
) -> io::Result<()> {
    let tally = &report.results.tally;
    if report.cancelled {
        writeln!(output, "  interrupted; the games before it\n")?;
    }
    if tally.games == 0 {
        return writeln!(output, "  no games were played");
    }
    writeln!(
        output,
        "  {:<16}{:>20}    share ± standard error",
        "outcome", "games"
    )?;
    for &outcome in Outcome::ALL {
        let count = tally.count(outcome);
        // Gammons that the rules do not know, or that did not happen, need no row.
        if count > 0 || matches!(outcome, Outcome::WinSingle | Outcome::LoseSingle) {
            share_row(
                output,
                &outcome.name().replace('_', " "),
                count,
                tally.share(outcome),
            )?;
        }
    }
    if tally.unfinished() > 0 {
        share_row(
            output,
            "unfinished",
            tally.unfinished(),
            tally.unfinished_share(),
        )?;
    }
    let wins = tally.wins();
    if wins > tally.count(Outcome::WinSingle) {
        share_row(output, "all wins", wins, tally.win())?;
    }
    writeln!(output)?;
    let equity = tally.equity();
    let plies = tally.mean_plies();
    let (mean, error) = (equity.mean, decimals(equity.standard_error, 5));
    writeln!(output, "  equity {mean:+.5} ± {error} points")?;
    let (mean, error) = (plies.mean, decimals(plies.standard_error, 3));
    let longest = grouped(tally.longest);
    writeln!(
        output,
        "  plies a game {mean:.3} ± {error}, the longest {longest}"
    )?;
    writeln!(output, "  plays a ply {:.3}", tally.mean_plays())?;
    if occupancy {
        writeln!(output)?;
        print_occupancy(report, output)?;
    }
    writeln!(output)?;
    let games = counted(tally.games, "game", "games");
    let (first, last) = (report.games.start, report.games.end - 1);
    let elapsed = seconds(report.elapsed.as_secs_f64());
    write!(output, "  {games} (numbers {first} to {last}) in {elapsed}")?;
    if let Some(cpu) = report.cpu_time {
        write!(output, ", {} of CPU", seconds(cpu.as_secs_f64()))?;
    }
    writeln!(output)?;
    writeln!(output, "  {:>16} games/s", rate(report.games_per_second()))?;
    writeln!(output, "  {:>16} plies/s", rate(report.plies_per_second()))?;
    writeln!(
        output,
        "  {:>16} ns per ply, all cores",
        rate(report.ns_per_ply())
    )?;
    writeln!(
        output,
        "  {:>16} ns per ply, per core (one thread)",
        rate(report.ns_per_ply_and_worker())
    )?;
    writeln!(
        output,
        "  {:>16} cycles per ply, estimated at {:.2} GHz",
        rate(report.cycles_per_ply(clock)),
        clock / 1e9
    )
}

/// A row of the table of outcomes.
fn share_row(output: &mut dyn Write, name: &str, count: u64, share: Estimate) -> io::Result<()> {
    let (mean, error) = (100.0 * share.mean, 100.0 * share.standard_error);
    let count = grouped(count);
    writeln!(output, "  {name:<16}{count:>20}{mean:>9.4} ± {error:.4} %")
}

/// Expected checkers on each point at truncation, in four rows of six points.
fn print_occupancy(report: &Report, output: &mut dyn Write) -> io::Result<()> {
    let tally = &report.results.tally;
    let over = 100.0 * tally.finished() as f64 / tally.games as f64;
    writeln!(output, "  over before the cut: {over:.4} %")?;
    let occupancy = &report.results.occupancy;
    for (player, sums) in [
        ("next player", &occupancy.next_player),
        ("other player", &occupancy.other_player),
    ] {
        writeln!(
            output,
            "  checkers of the {player}, a game, by his own points:"
        )?;
        let mean = |index: usize| sums[index] as f64 / tally.games as f64;
        for first in (0..24).step_by(6) {
            write!(output, "  {:>6}", format!("{}-{}", first + 1, first + 6))?;
            for index in first..first + 6 {
                write!(output, "{:>11.5}", mean(index))?;
            }
            writeln!(output)?;
        }
        writeln!(output, "  {:>6}{:>11.5}", "bar", mean(24))?;
    }
    Ok(())
}

/// The JSON of a run with its machine.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    header: &'a Header,
    #[serde(flatten)]
    run: RunJson,
}

/// The JSON of a run.
#[derive(Serialize)]
pub(crate) struct RunJson {
    #[serde(flatten)]
    playouts: PlayoutsJson,
    #[serde(flatten)]
    policies: PoliciesJson,
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
    #[serde(flatten)]
    lengths: LengthsJson,
    mean_plays: f64,
    #[serde(flatten)]
    ends: EndsJson,
    #[serde(flatten)]
    occupancy: Option<OccupancyJson>,
}

/// What games were played.
#[derive(Serialize)]
pub(crate) struct PlayoutsJson {
    position_id: String,
    games: u64,
    first_game: u64,
    seed: u64,
    rules: &'static str,
    first_roll: String,
    /// The ply after which games were cut off.
    truncated_after: Option<u32>,
}

/// Who played them.
#[derive(Serialize)]
pub(crate) struct PoliciesJson {
    policy: String,
    opponent_policy: String,
}

/// How long they were.
#[derive(Serialize)]
pub(crate) struct LengthsJson {
    mean_plies: f64,
    se_plies: f64,
    longest_game: u32,
}

/// How they ended.
#[derive(Serialize)]
pub(crate) struct EndsJson {
    /// Games by outcome for the player on roll.
    outcomes: Named<&'static str, u64>,
    unfinished: u64,
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
    pub(crate) fn new(
        playouts: &Playouts,
        players: &Players,
        report: &Report,
        clock: f64,
        occupancy: bool,
    ) -> RunJson {
        let tally = &report.results.tally;
        let games = tally.games as f64;
        let means = |sums: &[u64; 25]| sums.iter().map(|&sum| sum as f64 / games).collect();
        RunJson {
            playouts: PlayoutsJson::new(playouts, report.games.start, tally.games),
            policies: PoliciesJson::new(players),
            interrupted: report.cancelled,
            seconds: report.elapsed.as_secs_f64(),
            cpu_seconds: report.cpu_time.map(|time| time.as_secs_f64()),
            games_per_second: report.games_per_second(),
            plies_per_second: report.plies_per_second(),
            ns_per_ply: report.ns_per_ply(),
            ns_per_ply_and_thread: report.ns_per_ply_and_worker(),
            cycles_per_ply: report.cycles_per_ply(clock),
            clock,
            lengths: LengthsJson::new(tally),
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

impl PlayoutsJson {
    pub(crate) fn new(playouts: &Playouts, first_game: u64, games: u64) -> PlayoutsJson {
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
    pub(crate) fn new(players: &Players) -> PoliciesJson {
        let [policy, opponent] = players.names();
        PoliciesJson {
            policy: policy.to_owned(),
            opponent_policy: opponent.to_owned(),
        }
    }
}

impl LengthsJson {
    pub(crate) fn new(tally: &Tally) -> LengthsJson {
        let plies = tally.mean_plies();
        LengthsJson {
            mean_plies: plies.mean,
            se_plies: plies.standard_error,
            longest_game: tally.longest,
        }
    }
}

impl EndsJson {
    pub(crate) fn new(tally: &Tally) -> EndsJson {
        let (win, equity) = (tally.win(), tally.equity());
        EndsJson {
            outcomes: Named::new(
                Outcome::ALL
                    .iter()
                    .map(|&outcome| (outcome.name(), tally.count(outcome))),
            ),
            unfinished: tally.unfinished(),
            win: win.mean,
            se_win: win.standard_error,
            equity: equity.mean,
            se_equity: equity.standard_error,
        }
    }
}
