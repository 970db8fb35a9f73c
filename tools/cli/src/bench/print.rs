//! A record as text.

use std::io::{self, Write};

use tavli::run::CpuList;
use tavli_bench::binding;
use tavli_bench::record::{CaseRecord, Record, Repetition, Scaling, Verdict};
use tavli_bench::report::{self, Headline};
use tavli_bench::statistics::Summary;
use tavli_terminal::numbers::{plain, rate};

pub(super) fn record(record: &Record, output: &mut dyn Write) -> io::Result<()> {
    header(record, output)?;
    let width = record.cases.iter().map(|case| case.name.len()).max().unwrap_or(0).max(4);
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
        let seats =
            |other: &Vec<&CaseRecord>| (&other[0].placement, &other[0].workers) == (&case.placement, &case.workers);
        match alike.iter_mut().find(|cases| seats(cases)) {
            Some(cases) => cases.push(case),
            None => alike.push(vec![case]),
        }
    }
    for cases in alike {
        workers(&cases, output)?;
    }
    if let Some(searches) = report::searches(record) {
        write!(output, "\nsearches over plain playouts\n{}", searches.text())?;
        writeln!(output, "  simulations over games per second: the median of pairs of the same round")?;
    }
    if let Some(decisions) = report::decisions(record) {
        write!(output, "\ndecisions\n{}", decisions.text())?;
        writeln!(
            output,
            "  processor time of a decision; points that its play is behind the best by the stored values, and the\n  \
             standard error of their mean; other plays than the best; decisions that stayed open"
        )?;
    }
    if let Some(events) = report::events(record) {
        write!(output, "\nwhat went on\n{}", events.text())?;
        writeln!(
            output,
            "  medians of the repetitions, or sums; operations per cycle: of a probe after each repetition, fewer where\n  \
             another program works on the same core; stolen: by the host of a virtual machine"
        )?;
    }
    for scaling in record.scalings().into_iter().filter(Scaling::has_several) {
        scaled(&scaling, record.machine.cores, output)?;
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
    writeln!(output, "{verdict}")?;
    match Headline::from_record(record) {
        Some(headline) => headlined(&headline, output),
        None => Ok(()),
    }
}

/// Prints how the rate grows with the threads.
fn scaled(scaling: &Scaling, cores: usize, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "\nscaling of {}", scaling.family)?;
    for (threads, ratio) in &scaling.steps {
        // The steps are expected to reach the line up to one worker per core.
        let least = *threads as f64 * Scaling::LINE;
        let below = match *threads <= cores && ratio.interval.high < least {
            true => format!(", below {:.0} %", 100.0 * Scaling::LINE),
            false => String::new(),
        };
        writeln!(
            output,
            "  {:>12}: {:>8.3} times one worker, {:>5}{below}",
            binding::number(*threads),
            ratio.ratio,
            report::share_of_linear(ratio, *threads),
        )?;
    }
    match scaling.serial_fraction {
        None => Ok(()),
        Some(serial) => {
            writeln!(output, "  serial fraction by Amdahl's law, up to one worker per core: {:.3} %", 100.0 * serial)
        }
    }
}

/// Prints the lines that are quoted.
fn headlined(headline: &Headline, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "\nscore    {}", headline.score)?;
    for (name, text) in &headline.facts {
        writeln!(output, "{name:<8} {text}")?;
    }
    headline.doubts.iter().try_for_each(|doubt| writeln!(output, "note     {doubt}"))
}

/// Prints the recipe, the program and the machine.
fn header(record: &Record, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "{}: {}", record.recipe, record.description)?;
    for (name, text) in report::facts(record) {
        for (number, line) in text.lines().enumerate() {
            let name = if number == 0 { name } else { "" };
            writeln!(output, "{name:<17} {line}")?;
        }
    }
    if let Some(note) = record.note_on_others() {
        writeln!(output, "note: {note}, so rates are too low by that share; cycles count processor time")?;
    }
    if record.interrupted {
        let why = match record.ended_by_limit {
            Some(limit) => format!("ended by its limit of {} s", plain(limit)),
            None => "interrupted".to_owned(),
        };
        writeln!(output, "{why}; the repetitions before it")?;
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
        .map_or("unknown".to_owned(), |(user, system)| format!("{:.0}+{:.0} %", percent * user, percent * system));
    writeln!(
        output,
        "{:<width$} {:>21}  {:<17} {:>6} {:>8} {:>8} {:>5.1} % {:>11}",
        case.name,
        format!("{} {}/s", rate(rates.median), case.unit),
        report::relative_interval(&rates, 2),
        report::spread(&rates, 1),
        rate(ns),
        rate(cycles),
        100.0 * busy,
        used
    )
}

/// Prints the bindings of the workers of cases with one placement, and how evenly they worked.
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
    let turns: CpuList = cases.iter().flat_map(|case| case.turns()).collect();
    if !turns.as_slice().is_empty() {
        writeln!(output, "  repetitions in turn on CPUs {turns}")?;
    }
    for case in cases.iter().filter(|case| case.workers.len() > 1) {
        let rates = case.worker_rates();
        let known: Vec<f64> = rates.iter().copied().flatten().collect();
        let what = format!("{}: {}/s of each worker", case.name, case.unit);
        if rates.len() <= 4 {
            let text = |one: &Option<f64>| one.map_or("no games".to_owned(), rate);
            let rates: Vec<String> = rates.iter().map(text).collect();
            writeln!(output, "  {what}: {}", rates.join(", "))?;
        } else if let Some(summary) = Summary::from_samples(&known) {
            let values = [summary.least, summary.median, summary.most];
            let [least, median, most] = values.map(rate);
            let without = match rates.len() - known.len() {
                0 => String::new(),
                several => format!(", {} without games", binding::number(several)),
            };
            writeln!(output, "  {what}: least {least}, median {median}, most {most}{without}")?;
        }
    }
    Ok(())
}
