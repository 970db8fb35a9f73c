//! `tavli bench table`: machines side by side.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use tavli_bench::report::{self, Entry, MachineRates, Rank, Table, machines_table};

use super::files;
use crate::arguments::Overwrite;
use crate::failure::Failure;

/// Write a table of machines, by how fast they play
///
/// One line for each machine and tier: games per second of the whole machine, of a core and of one worker alone, the ratio
/// to the fastest or to a chosen one, efficiency, the gain by SMT, the serial fraction, and how many times the paper's
/// rate. Of several records of a machine the latest counts that has a figure: quick, node and scaling have all of them.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Folders of records as in MACHINE/DATE/RECIPE.json, or records
    #[arg(value_name = "DIR", required = true)]
    records: Vec<PathBuf>,
    /// Sort and compare by the rate of the whole machine, or of a core
    #[arg(long, value_name = "RANK", default_value_t, value_parser = rank)]
    by: Rank,
    /// Compare with this machine [default: the fastest]
    #[arg(long, value_name = "MACHINE")]
    relative_to: Option<String>,
    /// Write CSV with exact numbers instead of Markdown
    #[arg(long, conflicts_with_all = ["details", "pages"])]
    csv: bool,
    /// Also write the tables of every record; the first line is the command
    #[arg(long)]
    details: bool,
    /// Write a page into this folder, index.html, and one for each machine, which it links
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["details", "output"])]
    pages: Option<PathBuf>,
    /// Write to a file, which must not exist yet, instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

fn rank(text: &str) -> Result<Rank, String> {
    let mut ranks = Rank::ALL.into_iter();
    let found = ranks.find(|rank| rank.name() == text);
    found.ok_or_else(|| {
        let names = Rank::ALL.map(Rank::name).join(" or ");
        format!("machines are sorted by {names}")
    })
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (files, target) = files::collect_for(
        &arguments.records,
        arguments.output.as_deref(),
        arguments.overwrite,
    )?;
    let entries = files::read(&files)?;
    let machines = MachineRates::of(&entries, arguments.by);
    if machines.is_empty() {
        return Err(Failure::run(
            "no record has games of backgammon from the opening on every core: measure tavli bench quick, node or scaling",
        ));
    }
    let chosen = match &arguments.relative_to {
        None => None,
        Some(name) => Some(chosen(&machines, name)?),
    };
    let table = machines_table(&machines, chosen, arguments.by, arguments.csv);
    let command: Vec<String> = std::env::args().skip(1).collect();
    let command = format!("tavli {}", command.join(" "));
    if let Some(folder) = &arguments.pages {
        return pages(
            folder,
            arguments.overwrite,
            &command,
            &table,
            &machines,
            &entries,
        );
    }
    let written = match (arguments.csv, arguments.details) {
        (true, _) => table.csv(),
        (_, true) => report::text(&command, &table, &entries),
        (_, false) => table.markdown(),
    };
    match target {
        Some(target) => Ok(target.replace(written.as_bytes())?),
        None => Ok(io::stdout().write_all(written.as_bytes())?),
    }
}

/// The machine of a name, on its fastest tier.
fn chosen<'a>(machines: &'a [MachineRates], name: &str) -> Result<&'a MachineRates, Failure> {
    let found = machines.iter().find(|one| one.machine == name);
    found.ok_or_else(|| {
        let names: BTreeSet<&str> = machines.iter().map(|one| one.machine.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        Failure::usage(format_args!(
            "'{name}' is not one of the machines: choose from {}",
            names.join(", ")
        ))
    })
}

/// Writes the page of the table and those of the machines.
fn pages(
    folder: &Path,
    overwrite: Overwrite,
    command: &str,
    table: &Table,
    machines: &[MachineRates],
    entries: &[Entry],
) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| {
        Failure::run(format_args!(
            "cannot make the folder {}: {error}",
            folder.display()
        ))
    })?;
    let links: Vec<String> = machines.iter().map(|one| link(&one.machine)).collect();
    let mut written = vec![(
        "index.html".to_owned(),
        report::index(command, table, &links),
    )];
    for (number, (machine, link)) in machines.iter().zip(&links).enumerate() {
        // A machine with several tiers has several lines and one page.
        if links[..number].contains(link) {
            continue;
        }
        let own: Vec<Entry> = entries
            .iter()
            .filter(|entry| entry.machine() == machine.machine)
            .cloned()
            .collect();
        written.push((link.clone(), report::page(command, &own)));
    }
    // Every file is opened before the first is written, so that none is replaced if one is refused.
    let targets = written
        .iter()
        .map(|(name, _)| overwrite.open(&folder.join(name)));
    let targets: Vec<_> = targets.collect::<Result<_, _>>()?;
    for (target, (_, page)) in targets.into_iter().zip(&written) {
        target.replace(page.as_bytes())?;
    }
    Ok(())
}

/// The name of the page of a machine: letters, digits, dots and dashes of its own name.
fn link(machine: &str) -> String {
    let plain = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' => character,
        _ => '-',
    };
    let name: String = machine.chars().map(plain).collect();
    format!("{}.html", name.trim_matches(['-', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_a_name_that_is_a_file() {
        assert_eq!(link("epyc-7742.two"), "epyc-7742.two.html");
        assert_eq!(
            link("AMD EPYC (Zen 4, model 17)"),
            "AMD-EPYC--Zen-4--model-17.html"
        );
        assert_eq!(link("../../x"), "x.html");
    }
}
