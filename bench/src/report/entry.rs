//! A record in a report, and its machine.

use std::collections::BTreeMap;

use crate::record::Record;

/// A record, and the name of its machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The folder of the machine, as in `MACHINE/DATE/RECIPE.json`; `None` for a record outside such a folder.
    pub folder: Option<String>,
    /// The record.
    pub record: Record,
}

impl Entry {
    /// The name of the machine: its folder, or its processor and the distinction from others of the same name.
    #[must_use]
    pub fn machine(&self) -> String {
        self.folder.clone().unwrap_or_else(|| self.record.machine.name())
    }

    /// The machine, its cores, the tier and the day, for a heading.
    #[must_use]
    pub fn title(&self) -> String {
        let record = &self.record;
        let cores = crate::printed_numbers::counted(record.machine.cores, "core", "cores");
        let (isa, day) = (&record.program.isa, record.day());
        match &self.folder {
            Some(folder) => {
                let cpu = record.machine.name();
                format!("{folder}: {cpu}, {cores}, {isa}, {day}")
            }
            None => format!("{}, {cores}, {isa}, {day}", record.machine.name()),
        }
    }
}

impl From<Record> for Entry {
    fn from(record: Record) -> Entry {
        Entry { folder: None, record }
    }
}

/// The entries of each machine, by its name.
pub(super) fn by_machine(entries: &[Entry]) -> BTreeMap<String, Vec<&Entry>> {
    let mut machines: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        machines.entry(entry.machine()).or_default().push(entry);
    }
    machines
}
