//! The committed copies of the reference data are unchanged, and rows of the full set where that is present.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::support::golden;
use flate2::Crc;

/// How a copy relates to the full set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Full {
    /// The same rows.
    Same,
    /// These rows, and more.
    More,
    /// Nothing: `tests/data/README.md` says what the file was made with.
    Nothing,
}

/// Each copy, its rows, and the checksum of these: CRC-32 of the lines without comments, each ended by a newline.
const COPIES: [(&str, usize, u32, Full); 12] = [
    ("bearoff_random_exact.tsv", 300, 0x6783_1ca3, Full::Same),
    ("gnubg_boards.txt", 168, 0x7fda_ff92, Full::Nothing),
    ("gnubg_variations.tsv", 20, 0x684f_5949, Full::Nothing),
    ("gnubg_vectors.tsv", 240, 0x204e_19c6, Full::Nothing),
    ("id_vectors.tsv", 420, 0x193f_734d, Full::Same),
    ("moves_gnubg.tsv.gz", 2_055, 0x3ffd_ba8d, Full::Nothing),
    ("perft.tsv", 18, 0xcaf9_3e97, Full::Same),
    ("playout_stats.tsv", 16, 0x9427_a83d, Full::Same),
    ("plays.tsv.gz", 7_016, 0xd1b9_1be8, Full::More),
    ("pubeval_contact.txt", 122, 0x4000_e4cf, Full::Nothing),
    ("pubeval_race.txt", 122, 0x991a_2db4, Full::Nothing),
    ("uniform_exact.tsv", 15, 0x1537_60c2, Full::Same),
];

#[test]
fn every_copy_is_recorded() {
    let files = std::fs::read_dir(golden::data("")).expect("the copies");
    let paths = files.map(|file| file.expect("a file").path());
    let copies = paths.filter(|path| {
        let extension = path.extension().unwrap_or_default();
        ["tsv", "gz", "txt"].iter().any(|&one| one == extension)
    });
    let name = |path: PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    let mut names: Vec<String> = copies.map(name).collect();
    names.sort();
    assert_eq!(names, COPIES.map(|(name, ..)| name));
}

#[test]
fn copies_are_as_they_were_recorded() {
    for (name, number, checksum, _) in COPIES {
        let rows = golden::rows(&golden::data(name));
        let mut crc = Crc::new();
        for row in &rows {
            crc.update(row.join("\t").as_bytes());
            crc.update(b"\n");
        }
        let found = (rows.len(), crc.sum());
        assert!(
            found == (number, checksum),
            "{name}: {} rows with checksum {:#010x}, and {number} with {checksum:#010x} were recorded",
            found.0,
            found.1
        );
    }
}

#[test]
fn copies_are_rows_of_the_full_files() {
    for (name, _, _, of_full) in COPIES {
        if of_full == Full::Nothing {
            continue;
        }
        let Some(full) = golden::full(name) else {
            continue;
        };
        let (rows, all) = (golden::rows(&golden::data(name)), golden::rows(&full));
        if of_full == Full::Same {
            assert!(rows == all, "{name} is not the file {}", full.display());
            continue;
        }
        let all: HashSet<&Vec<String>> = all.iter().collect();
        for row in &rows {
            assert!(all.contains(row), "{name}: {row:?} is not a row of {}", full.display());
        }
    }
}
