//! The committed copies of the reference data are rows of the full set, where that is present.

use std::collections::HashSet;

use crate::support::golden;

#[test]
fn copies_are_rows_of_the_full_files() {
    let files = std::fs::read_dir(golden::data("")).expect("the copies");
    let mut copies = 0;
    for file in files {
        let name = file.expect("a file").file_name().into_string().expect("a name");
        if name == "README.md" {
            continue;
        }
        copies += 1;
        let rows = golden::lines(&golden::data(&name));
        assert!(!rows.is_empty(), "{name}");
        let Some(full) = golden::full(&name) else {
            continue;
        };
        let all: HashSet<String> = golden::lines(&full).into_iter().collect();
        for row in rows {
            assert!(all.contains(&row), "{name}: {row:?} is not a row of {}", full.display());
        }
    }
    assert_eq!(copies, 8);
}
