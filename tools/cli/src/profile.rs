//! `tavli profile`: where move generation spends its time.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tavli::file::{self, Target};
use tavli::profile::BatchStage;
use tavli_bench::flame_stacks;
use tavli_bench::profile::{self, BatchCost, CategoryCost, Cost, PlainCost, Profile, StageCost};
use tavli_bench::search_stages::SearchCost;
use tavli_bench::situations::{Category, sample};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::{self, NO_RESULT};
use tavli_terminal::line_reader;
use tavli_terminal::numbers::{grouped, rate, whole_in};
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use crate::arguments::{self, Format, Overwrite, RulesOption, WorkerOptions};
use crate::run_header::RunHeader;

/// Samples of the stack per second: not a multiple of a clock that programs use.
const SAMPLES_PER_SECOND: &str = "997";

/// Show where move generation spends its time, by kind of situation
///
/// A situation is a position with a roll; situations come from random play or from a file. The first table has, for
/// each kind of situation, its frequency, the number of plays, and the time and the estimated cycles of counting the
/// plays of a roll, of making one play, and of making all plays.
///
/// Then come:
///
/// * the distribution of the number of plays, and the slowest positions
///
/// * the time of a ply of whole games on each tier, with its stages
///
/// * the stages of a search
///
/// Workers are bound, by default to cores.
#[derive(Args, Debug)]
pub(crate) struct ProfileArguments {
    /// File of situations, one a line: a position in any format, or start, and optionally a tab and a roll [default:
    /// situations of random play]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Take N situations from random play
    #[arg(long, value_name = "N", default_value_t = 20_000, conflicts_with = "file")]
    #[arg(value_parser = whole_in::<u32>(1..=1_000_000))]
    situations: u32,
    /// Take about S seconds, at least 0.5; below 6 the times are less exact, since fewer games are timed
    #[arg(long, value_name = "S", default_value = "6", allow_negative_numbers = true)]
    #[arg(value_parser = arguments::seconds)]
    seconds: Duration,
    /// Also sample playouts with perf, and write their stacks to FILE in the folded form for flame graphs
    #[arg(long, value_name = "FILE")]
    folded: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    rule: RulesOption,
    #[command(flatten)]
    machine: WorkerOptions,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct ProfileJson<'a> {
    #[serde(flatten)]
    header: &'a RunHeader,
    #[serde(flatten)]
    profile: &'a Profile,
}

pub(crate) fn run(arguments: &ProfileArguments) -> Result<(), Failure> {
    // Before the situations, which take a second on a busy machine.
    let cancel = interrupt::cancel_on_interrupt()?;
    let rules = arguments.rule.rules;
    let target = arguments.overwrite.open_named(arguments.folded.as_deref())?;
    if let Some(target) = &target {
        arguments::refuse_input(target, "input", arguments.file.as_slice())?;
    }
    let situations = match &arguments.file {
        None => {
            let number = arguments.situations as usize;
            sample(rules, Category::Any, number, &|| cancel.is_cancelled()).map_err(|_| Failure::run(NO_RESULT))?
        }
        Some(path) => {
            let name = path.display();
            let named = path.clone();
            let read =
                line_reader::unless(move || file::read_text(&named, file::MAX_RECORD_BYTES), || cancel.is_cancelled());
            let text = read
                .and_then(Option::transpose)
                .map_err(|error| Failure::unreadable(path, error))?
                .ok_or_else(|| Failure::run(NO_RESULT))?;
            profile::read_situations(&text, rules).map_err(|error| Failure::usage(format_args!("{name}: {error}")))?
        }
    };
    let (workers, header) = arguments.machine.bound().start()?;
    let bar = Bar::with_template("  {bar:24} {elapsed}");
    let time = arguments.seconds;
    let profile = profile::profile(&situations, rules, arguments.machine.tier()?, time, &workers, &cancel, |share| {
        bar.show_text(share, String::new())
    })
    .map_err(Failure::run)?;
    drop(bar);
    let document = ProfileJson { header: &header, profile: &profile };
    arguments.format.write(&document, |document, output| {
        writeln!(output, "{}\n", document.header)?;
        print(document.profile, arguments.file.as_deref(), output)
    })?;
    match &target {
        Some(target) if !cancel.is_cancelled() => fold(arguments, target),
        _ => Ok(()),
    }
}

fn print(profile: &Profile, file: Option<&Path>, output: &mut dyn Write) -> io::Result<()> {
    let source = match file {
        None => "random play".to_owned(),
        Some(file) => file.display().to_string(),
    };
    writeln!(
        output,
        "{} situations of {source}, {}, one core at {:.2} GHz by a chain of additions",
        grouped(profile.situations as u64),
        profile.rules,
        profile.clock / 1e9
    )?;
    if profile.interrupted {
        writeln!(output, "interrupted; later parts are missing")?;
    }
    writeln!(
        output,
        "\n                  share   plays a ply        count           make one          make all\n\
         kind           of plies   mean  most     ns  cycles      ns  cycles       ns  cycles"
    )?;
    let parts = |kind: &&CategoryCost| kind.part;
    let (any, others): (Vec<&CategoryCost>, Vec<&CategoryCost>) =
        profile.categories.iter().filter(|kind| !kind.part).partition(|kind| kind.category == Category::Any.name());
    kinds(any, output)?;
    writeln!(output, "each ply has one of these kinds, which add up to 100 %:")?;
    kinds(profile.categories.iter().filter(parts), output)?;
    writeln!(output, "a ply may also have these:")?;
    kinds(others, output)?;
    writeln!(
        output,
        "  non-double, double: no checker on the bar, not all checkers home; bear-off: all checkers home.\n  \
         Portable code, through the library's interface"
    )?;
    plies(&profile.categories, output)?;
    writeln!(output, "\nplays of a ply")?;
    for bucket in &profile.histogram {
        let range = match bucket.from == bucket.to {
            true => bucket.from.to_string(),
            false => format!("{}-{}", bucket.from, bucket.to),
        };
        let bar = "#".repeat((bucket.share * 60.0).round() as usize);
        writeln!(output, "{range:>9} {:>8.3} % {bar}", 100.0 * bucket.share)?;
    }
    writeln!(output, "\nslowest situations (each repeated by itself)")?;
    for hot in &profile.hottest {
        let (ns, cycles) = (rate(hot.unrank.ns), rate(hot.unrank.cycles));
        writeln!(
            output,
            "  {} {}  {:>4} plays, to make one {ns:>6} ns {cycles:>6} cycles",
            hot.position_id, hot.roll, hot.plays
        )?;
    }
    writeln!(output, "\na ply of whole games from the opening, on one core")?;
    for tier in &profile.tiers {
        let (ns, cycles) = (rate(tier.ply.ns), rate(tier.ply.cycles));
        writeln!(output, "  {:<9} {ns:>7} ns {cycles:>7} cycles", tier.isa)?;
    }
    for tier in &profile.tiers {
        match &tier.batch {
            Some(batch) => stages(&tier.isa, batch, output)?,
            None => plain_stages(&tier.isa, &tier.plain, output)?,
        }
    }
    profile.search.as_ref().map_or(Ok(()), |search| searches(search, output))
}

/// The columns of a stage: its share of the time, and its cost.
fn columns(share: f64, cost: Cost) -> String {
    let (ns, cycles) = (rate(cost.ns), rate(cost.cycles));
    format!("{:>7.1} % {ns:>7} {cycles:>7}", 100.0 * share)
}

/// The sum of stages, each with its share of the time and its cost.
fn sum(stages: impl Iterator<Item = (f64, Cost)>) -> (f64, Cost) {
    let nothing = Cost { ns: 0.0, cycles: 0.0 };
    stages.fold((0.0, nothing), |(share, sum), (more, cost)| {
        let (ns, cycles) = (sum.ns + cost.ns, sum.cycles + cost.cycles);
        (share + more, Cost { ns, cycles })
    })
}

/// Prints the stages of a tier that plays one game at a time.
fn plain_stages(isa: &str, stages: &[PlainCost], output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "\nstages of {isa:<12}")?;
    writeln!(output, "  {:<12} {:>9} {:>7} {:>7}", "", "of time", "ns", "cycles")?;
    let is_hidden = |share: f64| !(0.0..=1.0).contains(&share);
    for PlainCost { stage, share, ply } in stages {
        match is_hidden(*share) {
            true => writeln!(output, "  {stage:<12} {:>9} {:>7} {:>7}", "-", "-", "-")?,
            false => writeln!(output, "  {stage:<12} {}", columns(*share, *ply))?,
        }
    }
    writeln!(
        output,
        "  {isa} plays one game at a time, and a stage is too short for a clock. The cost of a stage\n  \
         is the extra time that plies take if it is included; rest is what whole games take beyond\n  the stages."
    )?;
    match stages.iter().any(|stage| is_hidden(stage.share)) {
        true => writeln!(output, "  -: no cost from 0 to 100 % was measured; give more --seconds or --situations"),
        false => Ok(()),
    }
}

/// Prints the cost of games of one ply, a row for each kind and a column for each tier.
fn plies(kinds: &[CategoryCost], output: &mut dyn Write) -> io::Result<()> {
    let Some(first) = kinds.first() else {
        return Ok(());
    };
    write!(output, "\na game of one ply, by tier\n{:<14}", "kind")?;
    for tier in &first.plies {
        write!(output, "  {:>17}", tier.isa)?;
    }
    writeln!(output)?;
    for kind in kinds {
        write!(output, "{:<14}", kind.category)?;
        for tier in &kind.plies {
            let (ns, cycles) = (rate(tier.ply.ns), rate(tier.ply.cycles));
            write!(output, "  {:>17}", format!("{ns} ns {cycles:>6}"))?;
        }
        writeln!(output)?;
    }
    writeln!(
        output,
        "  time and cycles to begin a game, to play a ply of this kind, and to end it; the vector tiers play\n  \
         many side by side"
    )
}

/// Prints a row for each kind of situation.
fn kinds<'a>(kinds: impl IntoIterator<Item = &'a CategoryCost>, output: &mut dyn Write) -> io::Result<()> {
    for kind in kinds {
        let cost = |cost: Cost| (rate(cost.ns), rate(cost.cycles));
        let (count, unrank, enumerate) = (cost(kind.count), cost(kind.unrank), cost(kind.enumerate));
        writeln!(
            output,
            "{:<12} {:>8.3} % {:>6.2} {:>5} {:>6} {:>7} {:>7} {:>7} {:>8} {:>7}",
            kind.category,
            100.0 * kind.share,
            kind.plays,
            kind.most_plays,
            count.0,
            count.1,
            unrank.0,
            unrank.1,
            enumerate.0,
            enumerate.1
        )?;
    }
    Ok(())
}

/// Prints the stages of a batch, the two pools side by side.
fn stages(isa: &str, batch: &BatchCost, output: &mut dyn Write) -> io::Result<()> {
    let mut pools: Vec<&str> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for stage in &batch.stages {
        if !pools.contains(&stage.pool.as_str()) {
            pools.push(&stage.pool);
        }
        if !names.contains(&stage.stage.as_str()) {
            names.push(&stage.stage);
        }
    }
    // In the order of a ply, even if only one pool has a stage.
    names.sort_by_key(|name| BatchStage::ALL.iter().position(|stage| stage.name() == *name));
    let of = |pool: &str| -> Vec<&StageCost> {
        let stages = batch.stages.iter();
        stages.filter(|stage| stage.pool == pool).collect()
    };
    write!(output, "\nstages of {isa:<10}")?;
    for pool in &pools {
        let plies = 100.0 * of(pool)[0].plies;
        write!(output, "   {:>27}", format!("{pool}: {plies:.1} % of plies"))?;
    }
    writeln!(output)?;
    write!(output, "{:<20}", "")?;
    for _ in &pools {
        write!(output, "   {:>11} {:>7} {:>7}", "of time", "ns", "cycles")?;
    }
    writeln!(output)?;
    for name in names {
        write!(output, "  {name:<18}")?;
        for pool in &pools {
            match of(pool).iter().find(|stage| stage.stage == name) {
                Some(stage) => write!(output, "     {}", columns(stage.share, stage.ply))?,
                None => write!(output, "   {:>27}", "-")?,
            }
        }
        writeln!(output)?;
    }
    write!(output, "  {:<18}", "all")?;
    for pool in &pools {
        let (share, ply) = sum(of(pool).into_iter().map(|stage| (stage.share, stage.ply)));
        write!(output, "     {}", columns(share, ply))?;
    }
    writeln!(
        output,
        "\n  early: a non-double cannot bear off; late: it may. Times are per ply of the column, without clock\n  \
         readings ({:.0} ns each), which made games {:.1} % slower",
        batch.reading_ns,
        100.0 * batch.timing.max(0.0)
    )
}

/// Prints the stages of a search.
fn searches(search: &SearchCost, output: &mut dyn Write) -> io::Result<()> {
    writeln!(
        output,
        "\na search by uct for {} in the opening: {} simulations in {} trees, {}",
        search.roll,
        grouped(search.simulations),
        search.trees,
        search.isa
    )?;
    writeln!(output, "{:<20}   {:>11} {:>7} {:>7}", "", "of time", "ns", "cycles")?;
    for stage in &search.stages {
        let columns = columns(stage.share, stage.simulation);
        writeln!(output, "  {:<18}     {columns}", stage.stage)?;
    }
    let (share, simulation) = sum(search.stages.iter().map(|stage| (stage.share, stage.simulation)));
    writeln!(output, "  {:<18}     {}", "all", columns(share, simulation))?;
    writeln!(
        output,
        "  Times are per simulation, without clock readings ({:.0} ns each), which made searches {:.1} % slower.\n  \
         Without them a simulation takes {} ns, and a plain playout {} ns",
        search.reading_ns,
        100.0 * search.timing.max(0.0),
        rate(search.simulation_ns),
        rate(search.playout_ns)
    )
}

/// Samples playouts of this program, and writes the stacks.
fn fold(arguments: &ProfileArguments, target: &Target) -> Result<(), Failure> {
    let data = target.path().with_extension("perf-data");
    let itself = std::env::current_exe()
        .map_err(|error| Failure::run(format_args!("cannot find the program's own file: {error}")))?;
    let seconds = arguments.seconds.as_secs_f64().to_string();
    let mut record = Command::new("perf");
    record
        .args(["record", "--quiet", "--call-graph", "dwarf,4096"])
        .args(["--freq", SAMPLES_PER_SECOND, "--output"])
        .arg(&data)
        .arg("--")
        .arg(itself)
        .args(["playout", "--threads", "1", "--seconds", &seconds])
        .args(["--isa", arguments.machine.tier()?.name()])
        .args(["--rules", arguments.rule.rules.name()]);
    perf(&mut record)?;
    let mut script = Command::new("perf");
    script.args(["script", "--fields", "comm,ip,sym", "--input"]).arg(&data);
    let script = perf(&mut script);
    // No longer needed; a temporary file that stays is not a failure.
    let _ = fs::remove_file(&data);
    let script = script?;
    let folded = flame_stacks::folded(&script);
    if folded.is_empty() {
        return Err(Failure::run("perf took no samples: give more time with --seconds"));
    }
    if !flame_stacks::names_inlined(&script) {
        output::write_message(
            "note: the stacks name no inlined functions, so the stages of a batch are one frame: perf finds them with \
             addr2line (of the package binutils)",
        );
    }
    target.replace(folded.as_bytes()).map_err(Failure::unwritten)
}

fn perf(command: &mut Command) -> Result<String, Failure> {
    let done = command.stdin(Stdio::null()).output().map_err(|error| {
        Failure::run(format_args!(
            "no folded stacks: perf (of the package linux-perf or linux-tools) does not run here: {error}"
        ))
    })?;
    if !done.status.success() {
        let message = String::from_utf8_lossy(&done.stderr);
        let message = message.trim();
        return Err(Failure::run(format_args!("no folded stacks: perf failed: {message}")));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_that_are_no_costs_are_not_printed() {
        let stage =
            |stage: &str, share, ns| PlainCost { stage: stage.to_owned(), share, ply: Cost { ns, cycles: 2.0 * ns } };
        let printed = |stages: &[PlainCost]| {
            let mut output = Vec::new();
            plain_stages("portable", stages, &mut output).expect("memory");
            String::from_utf8(output).expect("text")
        };
        let plain = printed(&[stage("count", 0.6, 30.0), stage("rest", 0.4, 20.0)]);
        assert!(plain.contains("count           60.0 %") && !plain.contains("--seconds"), "{plain}");
        let hidden = printed(&[stage("throw", 2.978, 150.0), stage("rest", -1.978, -100.369)]);
        assert!(!hidden.contains("197.8") && !hidden.contains("100.369"), "{hidden}");
        assert!(hidden.contains("\n  rest                 -       -       -\n"), "{hidden}");
        assert!(hidden.contains("give more --seconds"), "{hidden}");
    }
}
