//! Names of the code that guides quote are in the code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::document::{Document, files, repository};
use crate::paths::{QUOTED, regex};

/// Guides whose code type is the code's, and the folders of that code.
const GUIDES: &[(&str, &[&str])] = &[
    ("CONTRIBUTING.md", ALL),
    ("kernel/docs/changes.md", ALL),
    ("kernel/docs/decisions.md", ALL),
    ("kernel/docs/sources.md", ALL),
    ("kernel/docs/words.md", ALL),
    ("kernel/backgammon/docs/algebra.md", &["kernel/algebra", "kernel/backgammon"]),
    ("kernel/rollout/docs/statistics.md", &["kernel/rollout", "kernel/trials"]),
    ("kernel/simd/README.md", &["kernel/simd"]),
    ("tools/capi/README.md", &["kernel/analysis", "kernel/duel", "kernel/games", "kernel/playouts", "tools/capi"]),
];

/// The folders of all code.
const ALL: &[&str] = &["kernel", "tools", "bench"];

/// Variables of formulas; the rule set that CONTRIBUTING adds as an example; a file of Python.
const NOT_IN_THE_CODE: [&str; 4] = ["c_j", "s_j", "Dmp", "_rollout"];

static COMMENT: LazyLock<Regex> = LazyLock::new(|| regex(r"//[^\n]*|(?s:/\*.*?\*/)"));
static WORD: LazyLock<Regex> = LazyLock::new(|| regex("[A-Za-z_][A-Za-z0-9_]*"));
static MEMBER: LazyLock<Regex> = LazyLock::new(|| regex("([A-Z][A-Za-z0-9]*)::([A-Za-z_][A-Za-z0-9_]*)"));

/// The words of each source, without its comments.
struct Code(Vec<BTreeSet<String>>);

impl Code {
    /// The sources below some folders.
    fn read(folders: &[&str]) -> Code {
        let mut sources = Vec::new();
        for path in files() {
            let is_code = path.extension().is_some_and(|extension| extension == "rs" || extension == "h");
            let is_source = is_code || path.ends_with("CMakeLists.txt");
            if is_source && folders.iter().any(|folder| path.starts_with(folder)) {
                let text = fs::read_to_string(repository().join(&path)).unwrap();
                let text = COMMENT.replace_all(&text, " ");
                sources.push(WORD.find_iter(&text).map(|word| word.as_str().to_owned()).collect());
            }
        }
        Code(sources)
    }

    /// Whether one source has all of these words.
    fn has(&self, words: &[&str]) -> bool {
        self.0.iter().any(|source| words.iter().all(|word| source.contains(*word)))
    }

    /// The names in the code type of a text that are not in the code: names by themselves, and members of types.
    fn lacks(&self, text: &str) -> Vec<String> {
        let mut lacking = Vec::new();
        for (_, [quoted]) in QUOTED.captures_iter(text).map(|quoted| quoted.extract()) {
            // Commands have capitals where a user writes something else.
            if quoted.starts_with("tavli ") {
                continue;
            }
            for word in WORD.find_iter(quoted) {
                if is_name(word.as_str()) && !self.has(&[word.as_str()]) {
                    lacking.push(word.as_str().to_owned());
                }
            }
            for (_, [of, member]) in MEMBER.captures_iter(quoted).map(|names| names.extract()) {
                if !NOT_IN_THE_CODE.contains(&member) && !self.has(&[of, member]) {
                    lacking.push(format!("{of}::{member}"));
                }
            }
        }
        lacking
    }
}

/// Whether a word looks like a name of the code: with capitals, as `PlaneDelta` and `SUBSETS`, or with an underscore.
fn is_name(word: &str) -> bool {
    let looks_like_one = word.contains('_') || word.contains(char::is_uppercase);
    word.len() > 2 && looks_like_one && !NOT_IN_THE_CODE.contains(&word)
}

#[test]
fn names_of_the_code_that_guides_quote_are_there() {
    let mut wrong = Vec::new();
    for (path, folders) in GUIDES {
        let guide = Document::read(Path::new(path));
        let lines = guide.prose().map(|(_, line)| line);
        // A name may stand where a line is broken; a fence is not code type.
        let lines: Vec<&str> = lines.filter(|line| !line.starts_with("```")).collect();
        let found = Code::read(folders).lacks(&lines.join("\n"));
        wrong.extend(found.iter().map(|name| format!("{path}: there is no {name}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_name_that_is_not_there_is_found() {
    let code = Code::read(&["kernel/algebra", "kernel/backgammon"]);
    for (text, expected) in [
        ("plane `k` of `Counts`", "Counts"),
        ("`SUBSETS` and `SUBSETS_OF_NONE`", "SUBSETS_OF_NONE"),
        ("`by_high`, and\n`by_none & 15`", "by_none"),
        ("the running sums `DoublePlays::ends`", "DoublePlays::ends"),
    ] {
        assert_eq!(code.lacks(text), [expected], "{text}");
    }
    for text in [
        "`CheckerPlanes`, and the running sums `DoublePlays::cumulative`",
        "`tavli rollout POSITION ROLL`, `c_j <= 8`, `V0 / n` and CamelCase",
    ] {
        assert!(code.lacks(text).is_empty(), "{text}");
    }
}
