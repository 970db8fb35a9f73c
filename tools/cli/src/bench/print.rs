//! A record as text.

use std::io::{self, Write};

use tavli_bench::binding;
use tavli_bench::record::{CaseRecord, PAPER_GAMES_PER_SECOND, Record, Repetition, Verdict};
use tavli_bench::statistics::Summary;

use crate::numbers::{grouped, rate};

/// Prints a record.
pub(super) fn record(record: &Record, output: &mut dyn Write) -> io::Result<()> {
    header(record, output)?;
    let width = record
        .cases
        .iter()
        .map(|case| case.name.len())
        .max()
        .unwrap_or(0)
        .max(4);
    writeln!(
        output,
        "\n{:<width$} {:>21}  {:<17} {:>6} {:>8} {:>8} {:>7} {:>11}",
        "case", "median", "interval", "spread", "ns/ply", "cycles", "busy", "usr+sys"
    )?;
    for case in &record.cases {
        row(case, width, output)?;
    }
    writeln!(
        output,
        "  median of the repetitions, where it lies with at least 95 % confidence (* with less: too few\n  \
         repetitions), distance of the quartiles; of one worker: time and estimated cycles of a ply; busy:\n  \
         share of the workers' time in which they worked, the rest being what measuring costs; usr+sys:\n  \
         processor time in user code and in the system, over the workers' wall-clock time"
    )?;
    let mut alike: Vec<Vec<&CaseRecord>> = Vec::new();
    let measured = record.cases.iter();
    for case in measured.filter(|case| !case.repetitions.is_empty()) {
        let seats = |other: &Vec<&CaseRecord>| {
            (&other[0].placement, &other[0].workers) == (&case.placement, &case.workers)
        };
        match alike.iter_mut().find(|cases| seats(cases)) {
            Some(cases) => cases.push(case),
            None => alike.push(vec![case]),
        }
    }
    for cases in alike {
        workers(&cases, output)?;
    }
    for scaling in record.scalings() {
        writeln!(output, "\nscaling of {}", scaling.family)?;
        for (threads, ratio) in &scaling.steps {
            let efficiency = |times: f64| 100.0 * times / *threads as f64;
            writeln!(
                output,
                "  {:>12}: {:>8.3} times one worker, {:>5.1} % of linear ({:.1} to {:.1})",
                binding::number(*threads),
                ratio.ratio,
                efficiency(ratio.ratio),
                efficiency(ratio.interval.low),
                efficiency(ratio.interval.high),
            )?;
        }
        if let Some(serial) = scaling.serial_fraction {
            writeln!(
                output,
                "  serial fraction by Amdahl's law, up to one worker per core: {:.3} %",
                100.0 * serial
            )?;
        }
    }
    for case in record.cases.iter().filter(|case| case.paper) {
        if let Some(summary) = case.summary(Repetition::rate) {
            let times = rate(summary.median / f64::from(PAPER_GAMES_PER_SECOND));
            writeln!(
                output,
                "\n{}: the same simplified rule as McGammon 1.0, {} games/s on a\nquad-Opteron 2.6 GHz \
                 (paper of 2007): {times} times as many here, {}",
                case.name,
                grouped(PAPER_GAMES_PER_SECOND),
                binding::number(case.workers.len())
            )?;
        }
    }
    writeln!(output)?;
    for check in &record.checks {
        let verdict = if check.passed { "passed" } else { "FAILED" };
        writeln!(output, "{verdict}  {}: {}", check.what, check.found)?;
    }
    let verdict = match record.verdict() {
        Verdict::Passed => "verification PASSED",
        Verdict::Failed => "verification FAILED",
        Verdict::NothingMeasured => "nothing measured, nothing verified",
    };
    writeln!(output, "{verdict}")
}

/// Prints the recipe, the program and the machine.
fn header(record: &Record, output: &mut dyn Write) -> io::Result<()> {
    let (program, machine) = (&record.program, &record.machine);
    let unknown = "unknown";
    let number = |number: Option<usize>| number.map_or(unknown.to_owned(), |n| n.to_string());
    let commit = program.commit.as_deref().unwrap_or(unknown);
    writeln!(output, "{}: {}", record.recipe, record.description)?;
    writeln!(output, "$ {}", record.command)?;
    writeln!(
        output,
        "tavli {}, commit {commit}, {}",
        program.version, program.compiler
    )?;
    writeln!(
        output,
        "{}; instruction set tier: {}",
        program.flags, program.isa
    )?;
    let is_virtual = match machine.virtual_machine {
        Some(true) => " (virtual machine)",
        _ => "",
    };
    writeln!(
        output,
        "{}{is_virtual}, microcode {}, {:.3} GHz by a chain of additions",
        machine.cpu,
        machine.microcode.as_deref().unwrap_or(unknown),
        machine.clock / 1e9
    )?;
    writeln!(
        output,
        "sockets {}, memory nodes {}, L3 caches {}, cores {}, CPUs {}; allowed: {}",
        number(machine.sockets),
        number(machine.nodes),
        number(machine.l3_caches),
        machine.cores,
        machine.cpus,
        machine.cpus_allowed
    )?;
    let memory = machine.memory.map_or(unknown.to_owned(), |bytes| {
        format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))
    });
    let load = machine
        .load
        .map_or(unknown.to_owned(), |load| format!("{load:.2}"));
    let others = record.others.map_or(unknown.to_owned(), |share| {
        format!("{:.1} %", 100.0 * share)
    });
    writeln!(
        output,
        "{}, governor {}, load {load}, others used {others}, memory {memory}, timer steps of {:.0} ns",
        machine.system,
        machine.governor.as_deref().unwrap_or(unknown),
        machine.timer_ns
    )?;
    if let Some(note) = record.note_on_others() {
        writeln!(
            output,
            "note: {note}, so rates are too low by that share; cycles count processor time"
        )?;
    }
    if record.interrupted {
        writeln!(output, "interrupted; the repetitions before it")?;
    }
    Ok(())
}

fn row(case: &CaseRecord, width: usize, output: &mut dyn Write) -> io::Result<()> {
    let median = |value: fn(&Repetition) -> f64| case.summary(value).map(|summary| summary.median);
    let (Some(rates), Some(ns), Some(cycles), Some(busy)) = (
        case.summary(Repetition::rate),
        median(Repetition::ns_per_ply),
        median(Repetition::cycles_per_ply),
        median(Repetition::busy),
    ) else {
        return writeln!(output, "{:<width$} no repetition was done", case.name);
    };
    let percent = 100.0 / case.workers.len() as f64;
    let used = case
        .processors_used()
        .map_or("unknown".to_owned(), |(user, system)| {
            format!("{:.0}+{:.0} %", percent * user, percent * system)
        });
    writeln!(
        output,
        "{:<width$} {:>21}  {:<17} {:>4.1} % {:>8} {:>8} {:>5.1} % {:>11}",
        case.name,
        format!("{} {}/s", rate(rates.median), case.unit),
        interval(&rates),
        100.0 * rates.spread(),
        rate(ns),
        rate(cycles),
        100.0 * busy,
        used
    )
}

/// The interval of a median, relative to it.
fn interval(summary: &Summary) -> String {
    let percent = |value: f64| 100.0 * (value / summary.median - 1.0);
    let star = if summary.interval.confidence < 0.95 {
        "*"
    } else {
        ""
    };
    let (low, high) = (
        percent(summary.interval.low),
        percent(summary.interval.high),
    );
    format!("{low:+.2} {high:+.2} %{star}")
}

/// Prints what the workers of cases with the same placement were bound to, and how evenly they worked.
fn workers(cases: &[&CaseRecord], output: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    let names = match names[..] {
        [first, second, _, _, ..] => format!("{first}, {second} and {} more", names.len() - 2),
        _ => names.join(", "),
    };
    writeln!(output, "\n{names}: placement {}", cases[0].placement)?;
    for line in binding::describe(&cases[0].workers) {
        writeln!(output, "  {line}")?;
    }
    for case in cases.iter().filter(|case| case.workers.len() > 1) {
        let rates = case.worker_rates();
        let known: Vec<f64> = rates.iter().copied().flatten().collect();
        let what = format!("{}: {}/s of each worker", case.name, case.unit);
        if rates.len() <= 4 {
            let text = |one: &Option<f64>| one.map_or("no games".to_owned(), rate);
            let rates: Vec<String> = rates.iter().map(text).collect();
            writeln!(output, "  {what}: {}", rates.join(", "))?;
        } else if let Some(summary) = Summary::of(&known) {
            let values = [summary.least, summary.median, summary.most];
            let [least, median, most] = values.map(rate);
            let without = match rates.len() - known.len() {
                0 => String::new(),
                several => format!(", {} without games", binding::number(several)),
            };
            writeln!(
                output,
                "  {what}: least {least}, median {median}, most {most}{without}"
            )?;
        }
    }
    Ok(())
}
