//! Records in files and folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tavli::file::Target;
use tavli::text::Quoted;
use tavli_bench::Record;
use tavli_bench::report::Entry;
use tavli_terminal::failure::Failure;

use super::inputs;
use crate::arguments::{Overwrite, refuse_input};

/// The files named, and the `.json` files of the folders named and those below them, in the order of their names.
pub(super) fn collect(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        add(path, &mut files)?;
    }
    match files.is_empty() {
        true => Err(Failure::usage("the folders have no .json file: name a record, or a folder with records")),
        false => Ok(files),
    }
}

/// [`collect`], and the file that is to be written, if one is named: it must not be one of them.
pub(super) fn collect_for(
    paths: &[PathBuf],
    output: Option<&Path>,
    overwrite: Overwrite,
) -> Result<(Vec<PathBuf>, Option<Target>), Failure> {
    let target = overwrite.open_named(output)?;
    let files = collect(paths)?;
    if let Some(target) = &target {
        refuse_input(target, "record", &files)?;
    }
    Ok((files, target))
}

/// The records of a file, or of the `.json` files of a folder and those below it, in the order of their names.
pub(super) fn read_all(path: &Path) -> Result<Vec<Record>, Failure> {
    let files = collect(&[path.to_owned()])?;
    files.iter().map(|file| inputs::read(file)).collect()
}

fn add(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let failure = |error: io::Error| Failure::unreadable(path, error);
    let entries: io::Result<Vec<PathBuf>> =
        fs::read_dir(path).map_err(failure)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut entries = entries.map_err(failure)?;
    entries.sort_unstable();
    for entry in entries {
        if entry.is_dir() || entry.extension().is_some_and(|extension| extension == "json") {
            add(&entry, files)?;
        }
    }
    Ok(())
}

/// Reads the records, with the folders of their machines.
pub(super) fn read(files: &[PathBuf]) -> Result<Vec<Entry>, Failure> {
    let entry = |file: &PathBuf| Ok(Entry { folder: machine(file), record: inputs::read(file)? });
    files.iter().map(entry).collect()
}

/// The folder of the machine of a file `MACHINE/DATE/RECIPE.json`.
fn machine(file: &Path) -> Option<String> {
    let day = file.parent()?;
    let form = |text: &str| {
        let parts: Vec<&str> = text.split('-').collect();
        let digits = |part: &str, number: usize| part.len() == number && part.bytes().all(|byte| byte.is_ascii_digit());
        matches!(parts[..], [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2))
    };
    form(day.file_name()?.to_str()?).then_some(())?;
    let name = day.parent()?.file_name()?.to_str()?;
    Some(Quoted::new(name).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_has_the_name_of_its_folder() {
        let named = |file: &str| machine(Path::new(file));
        assert_eq!(named("machines/epyc-7742/2026-11-21/quick.json").as_deref(), Some("epyc-7742"));
        for file in ["quick.json", "x/quick.json", "2026-11-21/quick.json", "m/2026-1-21/a.json"] {
            assert_eq!(named(file), None, "{file}");
        }
    }
}
