//! The report as a page: one self-contained file.

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{charts, or_unknown, short};
use crate::binding;
use crate::record::{CaseRecord, PAPER_GAMES_PER_SECOND, Record, Repetition, Verdict};

/// The style sheet.
const STYLE: &str = include_str!("style.css");

/// The content security policy: a browser may apply the page's style, but run no script and load nothing.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A page of records: the figures and charts of each, then records of one recipe side by side. It is a single file
/// without scripts, loads nothing, and follows the reader's colour scheme.
#[must_use]
pub fn page(command: &str, records: &[Record]) -> String {
    let title = match records {
        [record] => format!("tavli bench {}", record.recipe),
        _ => format!("tavli bench: {} records", records.len()),
    };
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            "\n"
            body {
                main {
                    h1 { (title) }
                    p { code { (command) } }
                    (side_by_side(records))
                    @for record in records { (section(record)) }
                }
            }
        }
        "\n"
    };
    page.into_string()
}

/// Cases that several records of a recipe have.
fn side_by_side(records: &[Record]) -> Markup {
    let recipes: BTreeSet<&str> = records
        .iter()
        .map(|record| record.recipe.as_str())
        .collect();
    let of_recipe = |recipe| {
        let records: Vec<&Record> = records.iter().filter(|one| one.recipe == recipe).collect();
        let mut names: Vec<&str> = Vec::new();
        for case in records.iter().flat_map(|record| &record.cases) {
            if !names.contains(&case.name.as_str()) {
                names.push(&case.name);
            }
        }
        let chart = |name: &&str| charts::machines(name, &records);
        names.iter().filter_map(chart).collect::<Vec<Markup>>()
    };
    html! {
        @for recipe in recipes {
            @let charts = of_recipe(recipe);
            @if !charts.is_empty() {
                section {
                    h2 { "Machines side by side: " (recipe) }
                    div.charts { @for chart in charts { (chart) } }
                }
                "\n"
            }
        }
    }
}

fn section(record: &Record) -> Markup {
    let (class, verdict) = match record.verdict() {
        Verdict::Passed => ("passed", "verification passed"),
        Verdict::Failed => ("failed", "verification FAILED"),
        Verdict::NothingMeasured => ("failed", "nothing measured, nothing verified"),
    };
    html! {
        section {
            h2 {
                (record.recipe)
                @if record.interrupted { " (interrupted)" }
                " " span class=(class) { (verdict) }
            }
            p { (record.description) }
            p.machine { (record.title()) }
            @if let Some(note) = record.note_on_others() {
                p.failed {
                    "The machine was busy: " (note)
                    ". Rates are too low by that share; cycles count processor time."
                }
            }
            (table(record))
            div.charts { @for chart in charts_of(record) { (chart) } }
            (facts(record))
        }
        "\n"
    }
}

fn charts_of(record: &Record) -> Vec<Markup> {
    let scalings = record.scalings();
    let scalings = scalings.iter();
    let mut charts: Vec<Markup> = scalings
        .map(|scaling| charts::scaling(scaling, record.machine.cores))
        .collect();
    let measured: Vec<&CaseRecord> = record
        .cases
        .iter()
        .filter(|case| !case.repetitions.is_empty())
        .collect();
    if !measured.is_empty() {
        charts.push(charts::repetitions(&measured));
    }
    // The case with the most workers shows more of the machine than the others.
    let most = measured
        .iter()
        .map(|case| case.workers.len())
        .max()
        .unwrap_or(0);
    let telling = most.min(record.machine.cores).max(2);
    for case in measured.iter().filter(|case| case.workers.len() >= telling) {
        charts.push(charts::workers(case));
    }
    charts.extend(charts::categories(record));
    charts.extend(charts::stages(record));
    charts
}

fn table(record: &Record) -> Markup {
    html! {
        div.wide {
            table {
                thead {
                    tr {
                        th { "case" } th { "median rate" } th { "95 % interval" }
                        th { "ns per ply, worker" } th { "cycles per ply" } th { "workers" }
                        th { "rules" } th { "times the paper" }
                    }
                }
                "\n"
                tbody { @for case in &record.cases { (row(case)) } }
            }
        }
        p.note {
            "An interval with * is of too few repetitions to be 95 % sure. Cycles are estimates. The paper is \
             McGammon's of 2007: 6,500 games/s under the same simplified rule, on a quad-Opteron."
        }
    }
}

/// The row of a case; nothing before its first repetition.
fn row(case: &CaseRecord) -> Markup {
    let median = |value: fn(&Repetition) -> f64| {
        case.summary(value)
            .map_or("-".to_owned(), |summary| short(summary.median))
    };
    let Some(rates) = case.summary(Repetition::rate) else {
        return Markup::default();
    };
    let percent = |value: f64| format!("{:+.2}", 100.0 * (value / rates.median - 1.0));
    let (low, high) = (percent(rates.interval.low), percent(rates.interval.high));
    html! {
        tr {
            th { (case.name) }
            td { (short(rates.median)) " " (case.unit) "/s" }
            td { (low) " " (high) " %" @if rates.interval.confidence < 0.95 { " *" } }
            td { (median(Repetition::ns_per_ply)) }
            td { (median(Repetition::cycles_per_ply)) }
            td { (case.workers.len()) }
            td { (case.rules) }
            td { @if case.paper { (short(rates.median / f64::from(PAPER_GAMES_PER_SECOND))) } }
        }
        "\n"
    }
}

/// The machine, the program and the checks.
fn facts(record: &Record) -> Markup {
    let (machine, program) = (&record.machine, &record.program);
    let memory = machine
        .memory
        .map(|bytes| format!("{:.1} GiB", bytes as f64 / (1 << 30) as f64));
    let parts = format!(
        "{} sockets, {} memory nodes, {} L3 caches, {} cores, {} CPUs; allowed: {}",
        or_unknown(machine.sockets),
        or_unknown(machine.nodes),
        or_unknown(machine.l3_caches),
        machine.cores,
        machine.cpus,
        machine.cpus_allowed
    );
    let version = format!(
        "tavli {}, commit {}",
        program.version,
        or_unknown(program.commit.as_ref())
    );
    let others = record
        .others
        .map(|share| format!("{:.1} % of the CPUs allowed", 100.0 * share));
    let facts = [
        ("command", record.command.clone()),
        ("started", record.started.clone()),
        ("CPU", machine.cpu.clone()),
        ("microcode", or_unknown(machine.microcode.as_ref())),
        ("virtual machine", or_unknown(machine.virtual_machine)),
        ("parts", parts),
        ("memory", or_unknown(memory)),
        ("system", machine.system.clone()),
        ("governor", or_unknown(machine.governor.as_ref())),
        ("load at the start", or_unknown(machine.load)),
        ("used by others", or_unknown(others)),
        (
            "clock",
            format!("{:.3} GHz by a chain of additions", machine.clock / 1e9),
        ),
        ("timer", format!("steps of {:.0} ns", machine.timer_ns)),
        ("program", version),
        (
            "compiler",
            format!("{}; {}", program.compiler, program.flags),
        ),
        ("tier", program.isa.clone()),
    ];
    html! {
        details {
            summary { "Machine, program, placement and checks" }
            "\n"
            dl {
                @for (name, value) in facts { dt { (name) } dd { (value) } "\n" }
                @for case in &record.cases {
                    dt { (case.name) }
                    dd { "placement " (case.placement) "\n" (binding::describe(&case.workers).join("\n")) }
                    "\n"
                }
                @for check in &record.checks {
                    @let class = if check.passed { "passed" } else { "failed" };
                    dt { (check.what) }
                    dd { span class=(class) { (class) } " " (check.found) }
                    "\n"
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;
    use crate::stages::StageTime;

    #[test]
    fn a_page_has_every_chart_and_loads_nothing() {
        let rates = [100.0, 101.0, 99.0, 103.0, 98.0, 102.0];
        let doubled = rates.map(|rate| 1.9 * rate);
        let mut first = record(&[("games/1", 1, &rates), ("games/2", 2, &doubled)]);
        let mut plays = first.cases[0].clone();
        plays.name = "count/double".to_owned();
        plays.workload = "count".to_owned();
        plays.positions = vec!["double".to_owned()];
        first.cases.push(plays);
        let mut stages = first.cases[0].clone();
        stages.workload = "stages".to_owned();
        for (number, repetition) in stages.repetitions.iter_mut().enumerate() {
            repetition.stages = ["choose", "make"]
                .map(|stage| StageTime {
                    pool: "early".to_owned(),
                    stage: stage.to_owned(),
                    plies: 1000,
                    seconds: 1e-6 * (number + 1) as f64,
                })
                .to_vec();
        }
        first.cases.push(stages);
        let mut second = first.clone();
        second.machine.cpu = "another CPU".to_owned();
        second.checks[0].passed = false;
        let page = page("tavli bench report a b", &[first, second]);
        for part in [
            "Machines side by side: test",
            "Scaling of games: times one worker; serial fraction 5.",
            ">ideal<",
            "Repetitions: each",
            "games/2: games/s of each worker",
            "socket 0",
            "node 1",
            "Cycles to count the plays",
            "Cycles of a ply by stage",
            "early: choose",
            "50.0 % of the time",
            "verification passed",
            "verification FAILED",
            "a &lt;made up&gt; CPU",
            "prefers-color-scheme",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert!(
            page.contains(&format!("content=\"{POLICY}\"").replace('\'', "'")),
            "{page}"
        );
        for part in [
            "http:", "https:", "<script", "src=", "@import", "url(", "NaN", "inf\"",
        ] {
            assert!(!page.contains(part), "{part}");
        }
        // Every element that is opened is closed.
        for name in [
            "section", "figure", "svg", "table", "details", "dl", "div", "main", "text",
        ] {
            let opened = page.matches(&format!("<{name}>")).count()
                + page.matches(&format!("<{name} ")).count();
            assert_eq!(
                opened,
                page.matches(&format!("</{name}>")).count(),
                "{name}"
            );
        }
    }

    #[test]
    fn an_interrupted_record_has_a_page() {
        let mut record = record(&[("games", 2, &[])]);
        record.interrupted = true;
        let page = page("", &[record]);
        assert!(page.contains("test (interrupted)"), "{page}");
        assert!(
            page.contains("nothing measured, nothing verified"),
            "{page}"
        );
        assert!(!page.contains("verification passed"), "{page}");
    }

    #[test]
    fn a_worker_without_games_has_a_page_without_nan() {
        let mut record = record(&[("games", 2, &[100.0, 110.0])]);
        for repetition in &mut record.cases[0].repetitions {
            repetition.workers[0].units = repetition.units;
            repetition.workers[1].units = 0;
            repetition.workers[1].busy_seconds = 0.0;
        }
        let page = page("", &[record]);
        assert!(page.contains("worker 0, CPU 0: ") && !page.contains("worker 1, CPU 1: "));
        assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
    }
}
