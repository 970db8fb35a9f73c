//! The report as a page: one self-contained file.

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use tavli::text::printable_lines;

use super::cases::cases;
use super::charts;
use super::decisions;
use super::entry::Entry;
use super::events::events;
use super::facts::facts;
use super::headline::Headline;
use super::machines::{MachineRates, Rank, machines_table};
use super::plain::without_folders;
use super::searches::searches;
use super::svg::Figure;
use super::table::Table;
use crate::binding;
use crate::distinct::distinct;
use crate::printed_numbers::{counted, short};
use crate::record::{CaseRecord, Record, Repetition, Verdict};

/// The style sheet.
const STYLE: &str = include_str!("style.css");

/// The content security policy: a browser may apply the page's style, but run no script and load nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A page of records: their headline, machines side by side, then the figures and charts of each. It is a single file
/// without scripts, loads nothing, and follows the reader's colour scheme.
#[must_use]
pub fn page(command: &str, entries: &[Entry]) -> String {
    let title = match entries {
        [entry] => format!("tavli bench {}", entry.record.recipe),
        _ => format!("tavli bench: {}", counted(entries.len(), "record", "records")),
    };
    let machines = MachineRates::from_entries(entries, Rank::Machine);
    document(
        &title,
        html! {
            h1 { (title) }
            (headline(entries))
            @if machines.len() > 1 {
                section {
                    h2 { "Machines" }
                    (machines_table(&machines, None, Rank::Machine, false).html(&[]))
                }
                "\n"
            }
            (side_by_side(entries))
            @for entry in entries { (section(entry)) }
            p.note { "Written by " code { (without_folders(command)) } }
        },
    )
}

/// A page with a table of machines, each linked to a page of its own: `links` has a name of a file for each of them.
#[must_use]
pub fn index(command: &str, table: &Table, links: &[String]) -> String {
    document(
        "tavli bench: machines",
        html! {
            h1 { "tavli bench: machines" }
            (table.html(links))
            p.note {
                "Games per second of full backgammon from the opening, every play drawn evenly; medians. Efficiency is \
                 the rate of one worker per core over the rate of one worker alone and over the number of cores. The \
                 paper is McGammon's of 2007: 6,500 games/s under a simplified rule, on a quad-Opteron."
            }
            p.note { "Written by " code { (without_folders(command)) } }
        },
    )
}

/// A whole page.
pub(super) fn document(title: &str, contents: Markup) -> String {
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
            body { main { (contents) } }
        }
        "\n"
    };
    // Descriptions, commands and names of machines come from files: HTML allows no control characters.
    printable_lines(&page.into_string())
}

/// The headline of the most telling record: the fastest whole machine's.
fn headline(entries: &[Entry]) -> Markup {
    let best = entries.iter().filter_map(|entry| {
        let fastest = MachineRates::from_entries(core::slice::from_ref(entry), Rank::Machine);
        let whole = fastest.first().and_then(MachineRates::whole);
        Some((whole.unwrap_or(0.0), entry, Headline::from_record(&entry.record)?))
    });
    let Some((_, entry, headline)) = best.reduce(|a, b| if b.0 > a.0 { b } else { a }) else {
        return Markup::default();
    };
    html! {
        section.headline {
            p.score { (headline.score) }
            @for doubt in &headline.doubts { p.failed { (doubt) } }
            dl {
                @if let Some(folder) = &entry.folder { dt { "folder" } dd { (folder) } }
                @for (name, text) in &headline.facts { dt { (name) } dd { (text) } "\n" }
            }
        }
        "\n"
    }
}

/// The columns of the table of cases.
const CASES: [&str; 9] = [
    "case",
    "median rate",
    "95 % interval",
    "ns per ply",
    "cycles per ply",
    "workers",
    "tier",
    "rules",
    "times the paper",
];

/// The most cases of a recipe that are drawn; more of them become a table.
const MAX_CHARTS: usize = 8;

/// Cases that several records of a recipe have.
fn side_by_side(entries: &[Entry]) -> Markup {
    let recipes: BTreeSet<&str> = entries.iter().map(|entry| entry.record.recipe.as_str()).collect();
    let of_recipe = |recipe| {
        let entries: Vec<&Entry> = entries.iter().filter(|one| one.record.recipe == recipe).collect();
        let cases = entries.iter().flat_map(|entry| &entry.record.cases);
        let names = distinct(cases.map(|case| case.name.as_str()));
        if names.len() > MAX_CHARTS {
            let table = many_cases(&names, &entries);
            return table.map(|table| table.html(&[])).into_iter().collect();
        }
        let chart = |name: &&str| charts::machines(name, &entries);
        let charts: Vec<Figure> = names.iter().filter_map(chart).collect();
        match charts.is_empty() {
            true => Vec::new(),
            false => vec![html! { div.charts { @for chart in charts { (chart) } } }],
        }
    };
    html! {
        @for recipe in recipes {
            @let parts = of_recipe(recipe);
            @if !parts.is_empty() {
                section {
                    h2 { "Machines side by side: " (recipe) }
                    @for part in parts { (part) }
                }
                "\n"
            }
        }
    }
}

/// The rate of each case on each machine, with its ratio to the first; `None` if there is but one machine.
fn many_cases(names: &[&str], entries: &[&Entry]) -> Option<Table> {
    let (first, others) = entries.split_first().filter(|(_, others)| !others.is_empty())?;
    let column = |entry: &Entry| {
        let mut parts = vec![entry.machine(), entry.record.program.isa.clone(), entry.record.day().to_owned()];
        parts.extend(entry.record.doubts());
        parts.join(", ")
    };
    let mut table = Table::new(&["case"]);
    table.head.extend(entries.iter().map(|entry| column(entry)));
    let rate = |entry: &Entry, name: &str| {
        let case = entry.record.cases.iter().find(|case| case.name == name)?;
        Some((case.summary(Repetition::rate)?.median, case.unit.clone()))
    };
    let text =
        |rate: Option<&(f64, String)>| rate.map_or(String::new(), |(rate, unit)| format!("{} {unit}/s", short(*rate)));
    for name in names {
        let base = rate(first, name);
        let mut cells = vec![(*name).to_owned(), text(base.as_ref())];
        cells.extend(others.iter().map(|entry| {
            let found = rate(entry, name);
            let times = found.as_ref().zip(base.as_ref());
            let times = times.map(|(found, base)| format!(", {:.2} times", found.0 / base.0));
            text(found.as_ref()) + &times.unwrap_or_default()
        }));
        table.rows.push(cells);
    }
    Some(table)
}

fn section(entry: &Entry) -> Markup {
    let record = &entry.record;
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
            p.machine { (entry.title()) }
            @if let Some(note) = record.note_on_others() {
                p.failed {
                    "The machine was busy: " (note)
                    ". Rates are too low by that share; cycles count processor time."
                }
            }
            (cases(record).named(&CASES).without_empty_columns().html(&[]))
            p.note {
                "An interval with * has too few repetitions to be 95 % sure. Time and cycles of a ply are one \
                 worker's; cycles are estimates unless the hardware counted them. The paper is McGammon's of 2007: \
                 6,500 games/s under the same simplified rule, on a quad-Opteron."
            }
            div.charts { @for chart in charts_of(record) { (chart) } }
            @if let Some(searches) = searches(record) {
                h3 { "Searches over plain playouts" }
                (searches.html(&[]))
                p.note {
                    "Simulations over games per second, the median of pairs of the same round."
                }
            }
            @if let Some(decisions) = decisions::decisions(record) {
                h3 { "Decisions" }
                (decisions.html(&[]))
                p.note { (decisions::NOTE) }
            }
            @if let Some(events) = events(record) {
                h3 { "What went on" }
                (events.html(&[]))
                p.note {
                    "Medians over the repetitions, or sums. Operations per cycle are measured by a probe after each \
                     repetition: they fall if another program works on the same core. Stolen is what the host of a virtual \
                     machine took."
                }
            }
            (all_facts(record))
        }
        "\n"
    }
}

/// The charts of a record. Each names the reasons to doubt its rates, since charts are shown without their page.
fn charts_of(record: &Record) -> Vec<Figure> {
    let scalings = record.scalings();
    let scalings = scalings.iter().filter(|scaling| scaling.has_several());
    let mut charts: Vec<Figure> = scalings.map(|scaling| charts::scaling(scaling, record.machine.cores)).collect();
    let measured: Vec<&CaseRecord> = record.cases.iter().filter(|case| !case.repetitions.is_empty()).collect();
    if !measured.is_empty() {
        charts.push(charts::repetitions(&measured));
    }
    // The case with the most workers shows more of the machine than the others.
    let most = measured.iter().map(|case| case.workers.len()).max().unwrap_or(0);
    let telling = most.min(record.machine.cores).max(2);
    for case in measured.iter().filter(|case| case.workers.len() >= telling) {
        charts.push(charts::workers(case));
    }
    charts.extend(charts::categories(record));
    charts.extend(charts::stages(record));
    let doubts = record.doubts();
    let doubted = charts.into_iter().map(|chart| chart.doubted(&doubts));
    doubted.collect()
}

/// The machine, the program, the placements and the checks.
fn all_facts(record: &Record) -> Markup {
    html! {
        details {
            summary { "Machine, program, placement and checks" }
            "\n"
            dl {
                @for (name, value) in facts(record) { dt { (name) } dd { (value) } "\n" }
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
    fn every_chart_of_a_doubtful_record_says_so() {
        let rates = [100.0, 101.0, 99.0, 103.0, 98.0, 102.0];
        let mut record = record(&[("games/1", 1, &rates), ("games/2", 2, &rates)]);
        let captions = |record: &Record| -> Vec<String> {
            let page = page("tavli bench report", &[record.clone().into()]);
            let captions = page.split("<figcaption>").skip(1);
            captions.map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
        };
        let sound = captions(&record);
        assert!(sound.len() >= 3, "{sound:?}");
        record.interrupted = true;
        record.others = Some(0.5);
        let doubted = sound.iter().map(|caption| format!("{caption} (interrupted, busy)"));
        assert_eq!(captions(&record), doubted.collect::<Vec<_>>());
    }

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
        let page = page("tavli bench report a b", &[first.into(), second.into()]);
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
        assert!(page.contains(&format!("content=\"{POLICY}\"").replace('\'', "'")), "{page}");
        for part in ["http:", "https:", "<script", "src=", "@import", "url(", "NaN", "inf\""] {
            assert!(!page.contains(part), "{part}");
        }
        // Every element that is opened is closed.
        for name in ["section", "figure", "svg", "table", "details", "dl", "div", "main", "text"] {
            let opened = page.matches(&format!("<{name}>")).count() + page.matches(&format!("<{name} ")).count();
            assert_eq!(opened, page.matches(&format!("</{name}>")).count(), "{name}");
        }
    }

    #[test]
    fn an_interrupted_record_has_a_page() {
        let mut record = record(&[("games", 2, &[])]);
        record.interrupted = true;
        let page = page("", &[record.into()]);
        assert!(page.contains("test (interrupted)"), "{page}");
        assert!(page.contains("nothing measured, nothing verified"), "{page}");
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
        let page = page("", &[record.into()]);
        assert!(page.contains("worker 0, CPU 0: ") && !page.contains("worker 1, CPU 1: "));
        assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
    }
}
