//! The report as Markdown tables.

use core::fmt::Write;

use super::cases::cases;
use super::decisions;
use super::entry::Entry;
use super::events::events;
use super::intervals::share_of_linear;
use super::plain::{plain, without_folders};
use super::searches::searches;
use super::table::Table;
use crate::binding;
use crate::record::{Scaling, Verdict};

/// The columns of the table of cases.
const CASES: [&str; 8] =
    ["case", "workers", "median rate", "95 % interval", "spread", "ns per ply", "cycles per ply", "times the paper"];

/// Records as Markdown, after the table `machines`, which may be empty. The first line is the command that writes the
/// text.
#[must_use]
pub fn text(command: &str, machines: &Table, entries: &[Entry]) -> String {
    let command = without_folders(command);
    let machines = match machines.rows.is_empty() {
        true => String::new(),
        false => format!("{}\n", machines.markdown()),
    };
    let mut text = format!(
        "`{command}`\n\n# Recorded measurements\n\n{machines}Medians over the repetitions, with where the median lies \
         at 95 % confidence (`*`: less sure, too few repetitions).\nTime and cycles of a ply are those of one \
         worker; cycles are estimates. [README.md](README.md) says how all\nthis is measured, and what it \
         does not say.\n"
    );
    for entry in entries {
        section(&mut text, entry).expect("writing to a string succeeds");
    }
    text
}

fn section(text: &mut String, entry: &Entry) -> core::fmt::Result {
    let record = &entry.record;
    let program = &record.program;
    let commit = plain(program.commit.as_deref().unwrap_or("unknown"));
    let verdict = match record.verdict() {
        Verdict::Passed => "Verification passed",
        Verdict::Failed => "Verification **FAILED**",
        Verdict::NothingMeasured => "**Nothing measured, nothing verified**",
    };
    let interrupted = if record.interrupted { ", interrupted" } else { "" };
    writeln!(text, "\n## {}: {}{interrupted}\n", plain(&record.recipe), plain(&entry.title()))?;
    let ghz = record.machine.clock / 1e9;
    writeln!(
        text,
        "{}. Commit {commit}, {}; {}, {ghz:.2} GHz. {verdict}.\n",
        plain(&sentence(&record.description)),
        plain(&program.compiler),
        plain(&record.machine.system)
    )?;
    if let Some(note) = record.note_on_others() {
        writeln!(
            text,
            "**The machine was busy**: {note}. Rates are too low by that share; cycles count processor time.\n"
        )?;
    }
    text.write_str(&cases(record).named(&CASES).markdown())?;
    if let Some(searches) = searches(record) {
        write!(text, "\n{}", searches.markdown())?;
    }
    if let Some(decisions) = decisions::decisions(record) {
        write!(text, "\n{}\n{}\n", decisions.markdown(), decisions::NOTE)?;
    }
    if let Some(events) = events(record) {
        write!(text, "\n{}", events.markdown())?;
    }
    for scaling in record.scalings().into_iter().filter(Scaling::has_several) {
        writeln!(text)?;
        for (threads, ratio) in &scaling.steps {
            writeln!(
                text,
                "* {}, {}: {}",
                plain(&scaling.family),
                binding::number(*threads),
                share_of_linear(ratio, *threads)
            )?;
        }
        if let Some(serial) = scaling.serial_fraction {
            writeln!(text, "* serial fraction by Amdahl's law: {:.3} %", 100.0 * serial)?;
        }
    }
    Ok(())
}

/// A text with its first letter capitalised.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn the_first_line_is_the_command() {
        let mut record = record(&[("games/1", 1, &[100.0, 101.0]), ("games/2", 2, &[200.0, 202.0])]);
        record.cases[1].paper = true;
        let none = Table::default();
        assert!(!text("", &none, &[record.clone().into()]).contains("busy"));
        record.others = Some(0.34);
        let text = text("tavli bench report --markdown x", &none, &[record.into()]);
        assert_eq!(text.lines().next(), Some("`tavli bench report --markdown x`"));
        assert!(text.contains("Made up. Commit 0123456789ab"), "{text}");
        assert!(text.contains("| games/1 | 1 | 100.5 games/s | -0.50 +0.50 % \\* |"), "{text}");
        assert!(text.contains("games, 2 workers: 100.0 % of linear"), "{text}");
        assert!(text.contains("| 0.031 |"), "{text}");
        assert!(text.contains("busy**: others used 34 % of the CPUs."), "{text}");
    }

    #[test]
    fn one_worker_has_no_scaling() {
        let of = |workers| {
            let record = record(&[("games", workers, &[100.0, 100.0]), ("games/1", 1, &[100.0, 100.0])]);
            text("", &Table::default(), &[record.into()])
        };
        assert!(!of(1).contains("of linear"), "{}", of(1));
        assert!(of(2).contains("* games, 2 workers: 50.0 % of linear"), "{}", of(2));
    }

    #[test]
    fn nothing_is_markup() {
        let mut record = record(&[("<b>|`x`\n* y", 1, &[100.0])]);
        record.description = "[a](http://b) <script>".to_owned();
        let text = text("", &Table::default(), &[record.into()]);
        assert!(text.contains("| &lt;b&gt;\\|\\`x\\` \\* y | 1 |"), "{text}");
        assert!(text.contains("\\[a\\](http://b) &lt;script&gt;"), "{text}");
    }
}
