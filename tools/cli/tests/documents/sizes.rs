//! No part of the project grows unnoticed: CONTRIBUTING.md names the lines of each.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::document::{files, repository};

/// The lines of a source file that are code: without blank ones, comments, and the unit tests at its end.
fn lines_of_code(text: &str) -> usize {
    let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = code.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

/// The lines of code of a package, or of several in one folder, by the name of the folder.
fn lines_of_package(files: &BTreeSet<PathBuf>, name: &str) -> usize {
    let folders = ["kernel", "tools", ""].map(|above| Path::new(above).join(name));
    let is_source = |path: &&PathBuf| {
        let is_in = |folder: &str| path.iter().any(|part| part == folder);
        let is_test = is_in("tests") || is_in("peers") || path.ends_with("tests.rs");
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        is_rust && is_in("src") && !is_test && folders.iter().any(|folder| path.starts_with(folder))
    };
    let sources = files.iter().filter(is_source);
    sources.map(|path| lines_of_code(&fs::read_to_string(repository().join(path)).unwrap())).sum()
}

#[test]
fn parts_have_as_many_lines_as_the_table_says() {
    let guide = fs::read_to_string(repository().join("CONTRIBUTING.md")).unwrap();
    let (_, table) = guide.split_once("\n## Who each part is for\n").expect("the section");
    let rows = table.split("\n## ").next().unwrap().lines().filter(|line| line.starts_with("| ")).skip(1);
    let files = files();
    let (mut named, mut wrong) = (BTreeSet::new(), Vec::new());
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [part, _, packages, thousands] = cells[..] else {
            panic!("no row of four cells: {row}");
        };
        let packages: Vec<&str> = packages.split(", ").collect();
        let lines: usize = packages.iter().map(|name| lines_of_package(&files, name)).sum();
        if thousands.parse() != Ok(lines.div_ceil(1000)) {
            wrong.push(format!("{part}: {lines} lines, so {} thousand, not {thousands}", lines.div_ceil(1000)));
        }
        named.extend(packages);
    }
    assert!(named.len() > 20, "only {} packages are named", named.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn comments_blanks_and_unit_tests_are_not_code() {
    assert_eq!(
        lines_of_code("//! A.\n\nfn a() {}\n    // why\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n}\n"),
        1
    );
}
