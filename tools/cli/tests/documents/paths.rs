//! Paths and packages that the guides name are there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::document::{Document, files, repository};

/// Paths of other projects, or that commands of a guide make.
const ELSEWHERE: &[&str] = &[
    "pubeval.c",                                    // OpenBSD's
    "tests/ts/lscpu/dumps/x86_64-epyc_7451.tar.gz", // of util-linux
];

/// Endings of the names of sources.
const SOURCES: [&str; 12] = ["c", "d.ts", "gz", "h", "md", "mjs", "mts", "py", "pyi", "rs", "toml", "tsv"];

static FORM: LazyLock<Regex> = LazyLock::new(|| regex(r"^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*/?$"));
pub(crate) static QUOTED: LazyLock<Regex> = LazyLock::new(|| regex("`([^`]+)`"));
static LINK: LazyLock<Regex> = LazyLock::new(|| regex(r"\]\([^)]*\)"));
static PACKAGE: LazyLock<Regex> = LazyLock::new(|| regex(r"\btavli-[a-z]+\b"));
static ADDED: LazyLock<Regex> = LazyLock::new(|| regex(r"cargo add --path (?:PATH/TO/tavli/)?([^ `]+)"));

pub(crate) fn regex(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

/// What is in the repository.
struct Repository {
    /// Files and folders.
    paths: BTreeSet<PathBuf>,
    packages: BTreeSet<String>,
}

impl Repository {
    fn read() -> Repository {
        let files = files();
        let name = regex(r#"(?m)^name = "([^"]+)""#);
        let mut packages = BTreeSet::new();
        for manifest in files.iter().filter(|path| path.ends_with("Cargo.toml")) {
            let text = fs::read_to_string(repository().join(manifest)).unwrap();
            packages.extend(name.captures_iter(&text).map(|name| name[1].to_owned()));
        }
        let folders = files.iter().flat_map(|file| file.ancestors().skip(1));
        let folders: Vec<PathBuf> = folders.map(Path::to_owned).collect();
        Repository { paths: files.into_iter().chain(folders).collect(), packages }
    }

    /// Whether a text looks like a path of this repository, in a guide of a folder.
    fn may_have(&self, text: &str, folder: &Path) -> bool {
        // Capitals stand for what a user writes there, as in machines/MACHINE.
        let is_pattern = text
            .split('/')
            .any(|part| part.len() > 1 && !part.contains('.') && part.chars().all(|c| c.is_ascii_uppercase()));
        if !FORM.is_match(text) || is_pattern || ELSEWHERE.contains(&text) {
            return false;
        }
        match text.split_once('/') {
            Some((first, _)) => {
                folder.ancestors().take(2).chain([Path::new("")]).any(|above| self.paths.contains(&above.join(first)))
            }
            None => SOURCES.iter().any(|ending| text.strip_suffix(ending).is_some_and(|name| name.ends_with('.'))),
        }
    }

    /// Whether a path is there: from the folder of its guide, or as the last part of one. The guide of a package names
    /// the files of that package by their last parts; by the first part, any.
    fn has(&self, text: &str, folder: &Path) -> bool {
        let is_package = |folder: &&Path| self.paths.contains(&folder.join("Cargo.toml"));
        let own = match folder.ancestors().find(is_package) {
            Some(package) if !text.contains('/') => package,
            _ => Path::new(""),
        };
        let mut paths = self.paths.iter();
        self.paths.contains(&folder.join(text)) || paths.any(|path| path.starts_with(own) && path.ends_with(text))
    }

    /// What is wrong with a line of a guide.
    fn wrong_with(&self, line: &str, folder: &Path) -> Vec<String> {
        let mut wrong = Vec::new();
        for words in QUOTED.captures_iter(line) {
            for word in words[1].split_whitespace() {
                if self.may_have(word, folder) && !self.has(word, folder) {
                    wrong.push(format!("there is no {word}"));
                }
            }
        }
        for name in PACKAGE.find_iter(&LINK.replace_all(line, "]")) {
            if !self.packages.contains(name.as_str()) {
                wrong.push(format!("there is no package {}", name.as_str()));
            }
        }
        for folder in ADDED.captures_iter(line) {
            let manifest = Path::new(&folder[1]).join("Cargo.toml");
            if !self.paths.contains(&manifest) {
                wrong.push(format!("there is no package in {}", &folder[1]));
            }
        }
        wrong
    }
}

#[test]
fn paths_and_packages_that_guides_name_are_there() {
    let repository = Repository::read();
    let mut wrong = Vec::new();
    for guide in Document::guides() {
        let folder = Path::new(&guide.path).parent().unwrap();
        for (at, line) in (1..).zip(&guide.lines) {
            let found = repository.wrong_with(line, folder);
            wrong.extend(found.iter().map(|what| format!("{}:{at}: {what}", guide.path)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_not_there_is_found() {
    let repository = Repository::read();
    for (line, expected) in [
        ("`kernel/specification.rs`", "there is no kernel/specification.rs"),
        ("see `nowhere.rs`", "there is no nowhere.rs"),
        ("`cargo test --path tools/nothing`", "there is no tools/nothing"),
        ("the crate tavli-cards", "there is no package tavli-cards"),
        ("`cargo add --path PATH/TO/tavli/kernel`", "there is no package in kernel"),
    ] {
        assert_eq!(repository.wrong_with(line, Path::new("")), [expected], "{line}");
    }
    // Another package has a file with the same name.
    let found = repository.wrong_with("`pool.rs`", Path::new("kernel/game"));
    assert_eq!(found, ["there is no pool.rs"]);
    for line in [
        "`kernel/backgammon/specification.rs` and `specification.rs` in `kernel/`",
        "`cargo add --path PATH/TO/tavli/kernel/tavli`, `tavli-simd`",
        "[a section](README.md#tavli-playout) and `4/2`",
    ] {
        assert!(repository.wrong_with(line, Path::new("")).is_empty(), "{line}");
    }
}

/// The names of a package's modules that stand directly in its source.
fn modules(source: &Path) -> Vec<String> {
    let entries = fs::read_dir(repository().join(source)).unwrap();
    let names = entries.map(|entry| entry.unwrap().path().file_stem().unwrap().to_owned());
    let names = names.map(|name| name.into_string().unwrap());
    names.filter(|name| !["lib", "main", "tests"].contains(&&**name)).collect()
}

/// Beside each package the map of the guide has its folder, and below it every module.
#[test]
fn the_map_of_the_library_is_whole_and_true() {
    let guide = Document::read(Path::new("kernel/docs/sources.md"));
    let mut blocks = guide.blocks().into_iter().map(|block| guide.text(&block));
    let map = blocks.find(|text| text.starts_with("tools/cli ")).expect("the map");
    let repository = Repository::read();
    // Each package's folder, and the modules that stand below it.
    let mut packages: Vec<(PathBuf, BTreeSet<String>)> = Vec::new();
    let mut folder = PathBuf::new();
    let mut above = PathBuf::new();
    let mut wrong = Vec::new();
    for line in map.lines() {
        let text = line.trim_start();
        let names = text.split("  ").next().unwrap();
        if text.len() == line.len() {
            folder = PathBuf::from(names);
            let package = text[names.len()..].split_whitespace().next().unwrap();
            let manifest = fs::read_to_string(self::repository().join(&folder).join("Cargo.toml"));
            let is_there = manifest.is_ok_and(|text| text.contains(&format!("name = \"{package}\"")));
            if !is_there {
                wrong.push(format!("{names} has no package {package}"));
            }
            packages.push((folder.clone(), BTreeSet::new()));
            continue;
        }
        let is_module = line.len() - text.len() == 2;
        for name in names.split(", ") {
            let inside = match is_module {
                true => folder.join("src"),
                false => above.clone(),
            };
            let path = inside.join(name.trim_end_matches('/'));
            let candidates = [path.clone(), path.with_extension("rs"), folder.join(name)];
            if !candidates.iter().any(|path| repository.paths.contains(path)) {
                wrong.push(format!("there is no {}", path.display()));
            }
            if is_module {
                let (_, modules) = packages.last_mut().expect("a package");
                modules.insert(name.trim_end_matches('/').to_owned());
                above = path;
            }
        }
    }
    for (folder, mapped) in &packages {
        for module in modules(&folder.join("src")) {
            if !mapped.contains(&module) {
                wrong.push(format!("the map lacks {module} of {}", folder.display()));
            }
        }
    }
    let of_workspace = ["bench", "kernel", "tools"].map(Path::new);
    let manifests = repository.paths.iter().filter(|path| path.ends_with("Cargo.toml"));
    let members: BTreeSet<&Path> = manifests
        .filter_map(|path| path.parent())
        .filter(|folder| {
            of_workspace.contains(folder) || folder.parent().is_some_and(|above| of_workspace[1..].contains(&above))
        })
        .collect();
    let folders: BTreeSet<&Path> = packages.iter().map(|(folder, _)| folder.as_path()).collect();
    assert_eq!(folders, members);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
