//! `tavli bench table`: machines side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::iter;
use std::path::{Path, PathBuf};

use clap::Args;
use tavli_bench::report::{self, Entry, MachineRates, Rank, Table, machines_table};
use tavli_terminal::failure::Failure;
use tavli_terminal::output;

use super::files;
use super::inputs::command_line;
use crate::arguments::Overwrite;

/// Write a table of machines, by how fast they play
///
/// There is a line for each machine and tier. Each figure is from the latest record of the machine that has it; the
/// recipes quick, node and scaling have all of them. The columns are:
///
/// * games per second of the whole machine, of a core, and of one worker alone
///
/// * the ratio to the fastest machine, or to a chosen one
///
/// * efficiency, the gain by SMT, the serial fraction, and how many times the rate of the McGammon paper
#[derive(Args, Debug)]
pub(crate) struct BenchTableArguments {
    /// Records, or folders that have them as MACHINE/DATE/RECIPE.json
    #[arg(value_name = "DIR", required = true)]
    records: Vec<PathBuf>,
    /// Sort and compare by the rate of the whole machine, or by the rate of a core
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
    /// Write index.html and a page for each machine, to which it links, into FOLDER
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["details", "output"])]
    pages: Option<PathBuf>,
    /// Write to a new FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

fn rank(text: &str) -> Result<Rank, String> {
    let found = Rank::ALL.iter().find(|rank| rank.name() == text);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = Rank::ALL.iter().map(|rank| rank.name()).collect();
        format!("machines are sorted by {}", names.join(" or "))
    })
}

pub(super) fn run(arguments: &BenchTableArguments) -> Result<(), Failure> {
    let (files, target) = files::collect_for(&arguments.records, arguments.output.as_deref(), arguments.overwrite)?;
    let entries = files::read(&files)?;
    let machines = MachineRates::from_entries(&entries, arguments.by);
    if machines.is_empty() {
        return Err(Failure::usage(
            "no record has games of backgammon from the opening on every core: measure tavli bench quick, node or \
             scaling, without --threads",
        ));
    }
    let chosen = match &arguments.relative_to {
        None => None,
        Some(name) => Some(chosen(&machines, name)?),
    };
    let table = machines_table(&machines, chosen, arguments.by, arguments.csv);
    let command = command_line();
    if let Some(folder) = &arguments.pages {
        return pages(folder, arguments.overwrite, &command, &table, &machines, &entries);
    }
    let written = match (arguments.csv, arguments.details) {
        (true, _) => table.csv(),
        (_, true) => report::text(&command, &table, &entries),
        (_, false) => table.markdown(),
    };
    match target {
        Some(target) => target.replace(written.as_bytes()).map_err(Failure::unwritten),
        None => Ok(output::stdout().write_all(written.as_bytes())?),
    }
}

/// The machine of a name, on its fastest tier.
fn chosen<'a>(machines: &'a [MachineRates], name: &str) -> Result<&'a MachineRates, Failure> {
    let found = machines.iter().find(|one| one.machine == name);
    found.ok_or_else(|| {
        let names: BTreeSet<&str> = machines.iter().map(|one| one.machine.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        Failure::usage(format_args!("'{name}' is not one of the machines: choose from {}", names.join(", ")))
    })
}

/// Writes the page of the table and the pages of the machines.
fn pages(
    folder: &Path,
    overwrite: Overwrite,
    command: &str,
    table: &Table,
    machines: &[MachineRates],
    entries: &[Entry],
) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::usage(format_args!("cannot make the folder {}: {error}", folder.display())))?;
    let names: BTreeSet<&str> = machines.iter().map(|one| one.machine.as_str()).collect();
    let pages = page_names(&names);
    let links: Vec<String> = machines.iter().map(|one| pages[one.machine.as_str()].clone()).collect();
    let mut written = vec![(INDEX.to_owned(), report::index(command, table, &links))];
    // A machine with several tiers has several lines and one page.
    for (machine, page) in &pages {
        let own: Vec<Entry> = entries.iter().filter(|entry| entry.machine() == *machine).cloned().collect();
        written.push((page.clone(), report::page(command, &own)));
    }
    // Every file is opened before the first is written, so that none is replaced if one is refused.
    let targets = written.iter().map(|(name, _)| overwrite.open(&folder.join(name)));
    let targets: Vec<_> = targets.collect::<Result<_, _>>()?;
    for (target, (_, page)) in targets.into_iter().zip(&written) {
        target.replace(page.as_bytes()).map_err(Failure::unwritten)?;
    }
    Ok(())
}

/// The page of the table.
const INDEX: &str = "index.html";

/// The name of the page of each machine: letters, digits, dots and dashes of its own name, and a number if another page
/// has that name, in any case of letters.
fn page_names<'a>(machines: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    let plain = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' => character,
        _ => '-',
    };
    let mut taken = BTreeSet::from([INDEX.to_owned()]);
    let mut page = |machine: &str| {
        let name: String = machine.chars().map(plain).take(LONGEST_NAME).collect();
        let name = match name.trim_matches(['-', '.']) {
            "" => "machine",
            name => name,
        };
        let numbered = (2_u64..).map(|number| format!("{name}-{number}.html"));
        let mut names = iter::once(format!("{name}.html")).chain(numbered);
        let free = names.find(|name| taken.insert(name.to_lowercase()));
        free.expect("there are more numbers than machines")
    };
    machines.iter().map(|&machine| (machine, page(machine))).collect()
}

/// Characters of the name of a page at most, before its number: file systems take 255 bytes.
const LONGEST_NAME: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_machine_has_a_page_of_its_own_whose_name_is_a_file() {
        let long = "x".repeat(300);
        let names = [
            ("../../x", "x.html"),
            ("AMD EPYC (Zen 4, model 17)", "AMD-EPYC--Zen-4--model-17.html"),
            ("Epyc", "Epyc.html"),
            ("a b", "a-b.html"),
            ("a-b", "a-b-2.html"),
            ("a-b-2", "a-b-2-2.html"),
            ("a_b", "a-b-3.html"),
            ("epyc", "epyc-2.html"),
            ("epyc-7742.two", "epyc-7742.two.html"),
            ("index", "index-2.html"),
            (&long, &format!("{}.html", "x".repeat(100))),
            ("象", "machine.html"),
        ];
        let machines = names.iter().map(|(machine, _)| *machine).collect();
        let pages = page_names(&machines);
        for (machine, page) in names {
            assert_eq!(pages[machine], page, "{machine}");
        }
    }
}
