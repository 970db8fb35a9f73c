//! The page: one file that needs nothing else.

use core::fmt::Write;
use std::collections::BTreeSet;

use super::svg::escaped;
use super::{charts, or_unknown, short};
use crate::placement;
use crate::record::{CaseRecord, PAPER_GAMES_PER_SECOND, Record, Repetition};

/// The look of the page.
const STYLE: &str = include_str!("style.css");

/// A page of records: of each its figures and charts, then those of one recipe side by side. It is a
/// single file without scripts, which loads nothing and follows the reader's colour scheme.
#[must_use]
pub fn page(command: &str, records: &[Record]) -> String {
    let mut page = String::new();
    let title = match records {
        [record] => format!("tavli bench {}", record.recipe),
        _ => format!("tavli bench: {} records", records.len()),
    };
    push(
        &mut page,
        format_args!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style></head>\n<body><main>\n<h1>{title}</h1>\n<p><code>{}</code></p>\n",
            escaped(command)
        ),
    );
    side_by_side(&mut page, records);
    for record in records {
        section(&mut page, record);
    }
    page.push_str("</main></body></html>\n");
    page
}

fn push(page: &mut String, text: core::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("writing to a string succeeds");
}

/// Cases that several records of a recipe have.
fn side_by_side(page: &mut String, records: &[Record]) {
    let recipes: BTreeSet<&str> = records
        .iter()
        .map(|record| record.recipe.as_str())
        .collect();
    for recipe in recipes {
        let records: Vec<&Record> = records.iter().filter(|one| one.recipe == recipe).collect();
        let mut names: Vec<&str> = Vec::new();
        for case in records.iter().flat_map(|record| &record.cases) {
            if !names.contains(&case.name.as_str()) {
                names.push(&case.name);
            }
        }
        let charts: Vec<String> = names
            .iter()
            .filter_map(|name| charts::machines(name, &records))
            .collect();
        if !charts.is_empty() {
            let charts = charts.concat();
            push(
                page,
                format_args!(
                    "<section><h2>Machines side by side: {}</h2>\n<div class=\"charts\">\n{charts}</div>\
                     </section>\n",
                    escaped(recipe)
                ),
            );
        }
    }
}

fn section(page: &mut String, record: &Record) {
    let verdict = if record.verified() {
        "<span class=\"passed\">verification passed</span>"
    } else {
        "<span class=\"failed\">verification FAILED</span>"
    };
    let interrupted = if record.interrupted {
        " (interrupted)"
    } else {
        ""
    };
    push(
        page,
        format_args!(
            "<section><h2>{}{interrupted} {verdict}</h2>\n<p>{}</p>\n<p class=\"machine\">{}</p>\n",
            escaped(&record.recipe),
            escaped(&record.description),
            escaped(&record.title())
        ),
    );
    if let Some(note) = record.note_on_others() {
        push(
            page,
            format_args!(
                "<p class=\"failed\">The machine was busy: {note}. Rates are those of what was left; cycles \
                 count processor time.</p>\n"
            ),
        );
    }
    table(page, record);
    page.push_str("<div class=\"charts\">\n");
    for scaling in record.scalings() {
        page.push_str(&charts::scaling(&scaling, record.machine.cores));
    }
    let measured: Vec<&CaseRecord> = record
        .cases
        .iter()
        .filter(|case| !case.repetitions.is_empty())
        .collect();
    if !measured.is_empty() {
        page.push_str(&charts::repetitions(&measured));
    }
    // A few workers tell nothing of the machine that all of them do not tell better.
    let most = measured
        .iter()
        .map(|case| case.workers.len())
        .max()
        .unwrap_or(0);
    let telling = most.min(record.machine.cores).max(2);
    for case in measured.iter().filter(|case| case.workers.len() >= telling) {
        page.push_str(&charts::workers(case));
    }
    page.push_str(&charts::categories(record).concat());
    page.push_str(&charts::stages(record).concat());
    page.push_str("</div>\n");
    facts(page, record);
    page.push_str("</section>\n");
}

fn table(page: &mut String, record: &Record) {
    page.push_str(
        "<div class=\"wide\"><table><thead><tr><th>case</th><th>median rate</th><th>95 % interval</th>\
         <th>ns per ply, worker</th><th>cycles per ply</th><th>workers</th><th>rules</th>\
         <th>times the paper</th></tr></thead>\n<tbody>\n",
    );
    for case in &record.cases {
        let median = |value: fn(&Repetition) -> f64| {
            case.summary(value)
                .map_or("-".to_owned(), |summary| short(summary.median))
        };
        let Some(rates) = case.summary(Repetition::rate) else {
            continue;
        };
        let percent = |value: f64| format!("{:+.2}", 100.0 * (value / rates.median - 1.0));
        let few = if rates.interval.confidence < 0.95 {
            " *"
        } else {
            ""
        };
        let times = rates.median / f64::from(PAPER_GAMES_PER_SECOND);
        let paper = if case.paper {
            short(times)
        } else {
            String::new()
        };
        push(
            page,
            format_args!(
                "<tr><th>{}</th><td>{} {}/s</td><td>{} {} %{few}</td><td>{}</td><td>{}</td>\
                 <td>{}</td><td>{}</td><td>{paper}</td></tr>\n",
                escaped(&case.name),
                short(rates.median),
                escaped(&case.unit),
                percent(rates.interval.low),
                percent(rates.interval.high),
                median(Repetition::ns_per_ply),
                median(Repetition::cycles_per_ply),
                case.workers.len(),
                escaped(&case.rules),
            ),
        );
    }
    page.push_str("</tbody></table></div>\n");
    let paper = "The paper is McGammon's of 2007: 6,500 games/s under the same simplified rule, on a quad-Opteron.";
    let few = "An interval with * is of too few repetitions to be 95 % sure.";
    push(
        page,
        format_args!("<p class=\"note\">{few} Cycles are estimates. {paper}</p>\n"),
    );
}

/// What the figures depend on, and what was checked.
fn facts(page: &mut String, record: &Record) {
    let (machine, program) = (&record.machine, &record.program);
    page.push_str("<details><summary>Machine, program, placement and checks</summary>\n<dl>\n");
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
    for (name, value) in [
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
    ] {
        push(
            page,
            format_args!("<dt>{name}</dt><dd>{}</dd>\n", escaped(&value)),
        );
    }
    for case in &record.cases {
        let lines = placement::describe(&case.workers).join("\n");
        let (name, placement) = (escaped(&case.name), escaped(&case.placement));
        push(
            page,
            format_args!(
                "<dt>{name}</dt><dd>placement {placement}\n{}</dd>\n",
                escaped(&lines)
            ),
        );
    }
    for check in &record.checks {
        let class = if check.passed { "passed" } else { "failed" };
        push(
            page,
            format_args!(
                "<dt>{}</dt><dd><span class=\"{class}\">{class}</span> {}</dd>\n",
                escaped(&check.what),
                escaped(&check.found)
            ),
        );
    }
    page.push_str("</dl></details>\n");
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
        for part in ["http", "<script", "src=", "@import", "url(", "NaN", "inf\""] {
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
        assert!(page("", &[record]).contains("test (interrupted)"));
    }
}
