//! Lists of the built-in players and of the rule sets, in guides and in what the interfaces say of themselves, have all
//! of them. The command's help is made from the list of players in the code.

use std::fs;
use std::path::Path;

use regex::Regex;
use tavli::{RuleSet, named};

use crate::document::{files, repository};

/// How far behind or before its beginning a list has a name, in bytes.
const LENGTH: usize = 500;

/// Whether a text is read by users of the packages.
fn is_read(path: &Path) -> bool {
    let is = |extension: &str| path.extension().is_some_and(|found| found == extension);
    let is_guide = is("md") && !path.ends_with("CHANGELOG.md") && !path.ends_with("LOG.md");
    let is_source = is("rs") || is("py") || is("pyi");
    let is_interface = path.starts_with("tools/python/src")
        || path.starts_with("tools/python/python")
        || path.starts_with("tools/capi/src");
    let is_schema = ["tavli.h", "index.d.ts", "openapi.json"].iter().any(|name| path.ends_with(name));
    is_guide || (is_source && is_interface) || is_schema
}

/// Collects the names that lists lack in the texts read by users, and counts the lists.
fn lacking_in_files(kinds: &[(&Regex, &[&str])]) -> (Vec<String>, usize) {
    let (mut wrong, mut lists) = (Vec::new(), 0);
    for path in files().iter().filter(|path| is_read(path)) {
        let text = fs::read_to_string(repository().join(path)).unwrap();
        for (begins, names) in kinds {
            lists += begins.find_iter(&text).count();
            let lacking = lacking(&text, begins, names);
            wrong.extend(lacking.iter().map(|what| format!("{}:{what}", path.display())));
        }
    }
    (wrong, lists)
}

/// The names that a text lacks near each beginning of a list.
fn lacking(text: &str, begins: &Regex, names: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for begin in begins.find_iter(text) {
        let from = text.floor_char_boundary(begin.start().saturating_sub(LENGTH));
        let to = text.ceil_char_boundary((begin.end() + LENGTH).min(text.len()));
        for name in names {
            let word = Regex::new(&format!(r"\b{name}\b")).unwrap();
            if !word.is_match(&text[from..to]) {
                let line = text[..begin.start()].lines().count();
                found.push(format!("{line}: '{}' is listed without {name}", begin.as_str()));
            }
        }
    }
    found
}

/// The beginnings of a list of policies, and of a list of evaluators.
fn begins() -> [Regex; 2] {
    // The first may have words about it in parentheses.
    let policies = Regex::new(r#"\buniform["`]?(?: \([^)]*\))?,[\s/*]*["`]?pubeval\b"#).unwrap();
    [policies, Regex::new("sampled:GAMES:POLICY").unwrap()]
}

#[test]
fn every_list_of_players_has_all() {
    let policies: Vec<&str> = named::names().collect();
    let evaluators = named::built_ins().iter().filter(|player| player.values_positions);
    let evaluators: Vec<&str> = evaluators.map(|player| player.name).collect();
    let [policies_begin, evaluators_begin] = begins();
    let (wrong, lists) = lacking_in_files(&[(&policies_begin, &policies), (&evaluators_begin, &evaluators)]);
    assert!(lists > 12, "only {lists} lists were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_list_of_rule_sets_has_all() {
    // With commas, or as a union in TypeScript.
    let begins = Regex::new(r#"\bbackgammon(?:["`]?,|" \|)\s*["`]?mcgammon\b"#).unwrap();
    let names: Vec<&str> = RuleSet::ALL.iter().map(|rules| rules.name()).collect();
    let (wrong, lists) = lacking_in_files(&[(&begins, &names)]);
    assert!(lists > 4, "only {lists} lists were found"); // Python's, JavaScript's, three of HTTP
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_list_that_lacks_a_player_is_found() {
    let [policies, evaluators] = begins();
    for (text, number) in [
        ("`uniform`, `pubeval`, `fast`", 1),
        ("\"uniform\" (each play\n    /// as likely),\n    /// \"pubeval\" or \"td80\"", 1),
        ("`uniform` against `pubeval`", 0),
        ("uniform, pubeval, td80, fast", 0),
    ] {
        assert_eq!(lacking(text, &policies, &["td80", "fast"]).len(), number, "{text}");
    }
    assert_eq!(lacking("sampled:GAMES:POLICY", &evaluators, &["strong"]).len(), 1);
}
