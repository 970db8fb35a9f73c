//! The committed header is the one that cbindgen makes of the source.

use std::path::Path;
use std::{env, fs};

/// The variable that has the header written instead of compared.
const WRITE: &str = "TAVLI_WRITE_HEADER";

#[test]
fn the_header_is_that_of_the_source() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut made = Vec::new();
    cbindgen::generate(package).expect("cbindgen reads the source").write(&mut made);
    let made = in_oldest_standards(String::from_utf8(made).expect("UTF-8"));
    let path = package.join("include/tavli.h");
    if env::var_os(WRITE).is_some() {
        fs::write(&path, made).expect("a place for the header");
        return;
    }
    let committed = fs::read_to_string(&path).expect("a header");
    let differing = made.lines().zip(committed.lines()).position(|(made, committed)| made != committed);
    assert!(
        made == committed,
        "include/tavli.h is not what cbindgen makes, from line {} on: run\n    {WRITE}=1 cargo test --package \
         tavli-capi --test suite header::",
        differing.map_or_else(|| made.lines().count().min(committed.lines().count()), |at| at + 1)
    );
}

/// The header without what C90 and C++98 lack: a comma after the last item of an enumeration, and comments after `//`.
fn in_oldest_standards(header: String) -> String {
    let lines = header.replace(",\n}", "\n}");
    let lines = lines.lines().map(|line| match line.split_once("// ") {
        Some((code, comment)) if code.starts_with('#') => format!("{code}/* {comment} */\n"),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

#[test]
fn the_header_states_the_version() {
    let header = include_str!("../../include/tavli.h");
    let version = format!("#define TAVLI_VERSION \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(header.contains(&version), "change cbindgen.toml");
}

#[test]
fn the_header_names_every_tier() {
    let header = include_str!("../../include/tavli.h");
    for tier in tavli::Tier::ALL {
        let name = format!("\"{tier}\"");
        assert!(header.contains(&name), "{name} is missing");
    }
}

#[test]
fn the_header_has_every_statistic_of_candidates_and_differences() {
    let header = include_str!("../../include/tavli.h");
    for structure in ["TavliCandidateResult", "TavliDifference"] {
        let (until, _) = header.split_once(&format!("}} {structure};")).expect("a struct");
        let (_, members) = until.rsplit_once("typedef struct").expect("its beginning");
        for (name, _) in tavli::rollout::Statistics::default().named() {
            let member = format!("TavliStatistic {name};");
            assert!(members.contains(&member), "{structure} lacks {name}");
        }
    }
}

#[test]
fn the_header_lists_every_player_and_every_evaluator() {
    let header = include_str!("../../include/tavli.h");
    let of_member = |member: &str| {
        let (until, _) = header.split_once("} TavliSettings;").expect("the settings");
        let (before, _) = until.rsplit_once(&format!("  const char *{member};")).expect("a member");
        let (_, comment) = before.rsplit_once("/**").expect("its comment");
        comment.to_owned()
    };
    let (policy, evaluator) = (of_member("policy"), of_member("evaluator"));
    for player in tavli::named::built_ins() {
        let name = format!("\"{}\"", player.name);
        assert!(policy.contains(&name), "{name} is missing: {policy}");
        assert_eq!(evaluator.contains(&name), player.values_positions, "{name}: {evaluator}");
    }
}
