//! Which package may use which: the arrows run one way, from the tools down to the vectors. Nor do files or folders of
//! a package import each other in a circle.

mod circles;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::process::Command;

use serde_json::Value;

/// Each package of the workspace, and the packages of the workspace that it may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("tavli-base", &[]),
    ("tavli-simd", &[]),
    ("tavli-run", &[]),
    ("tavli-testing", &["tavli-run", "tavli-simd"]),
    ("tavli-game", &["tavli-base", "tavli-simd"]),
    ("tavli-tictactoe", &["tavli-base", "tavli-game", "tavli-simd"]),
    ("tavli-draughts", &["tavli-base", "tavli-game", "tavli-simd"]),
    ("tavli-algebra", &["tavli-simd"]),
    ("tavli-lanes", &["tavli-algebra", "tavli-simd"]),
    ("tavli-variants", &["tavli-algebra", "tavli-base", "tavli-game", "tavli-lanes", "tavli-simd"]),
    ("tavli-backgammon", &["tavli-algebra", "tavli-base", "tavli-game", "tavli-lanes", "tavli-simd"]),
    ("tavli-file", &["tavli-base"]),
    ("tavli-playouts", &["tavli-backgammon", "tavli-base", "tavli-game", "tavli-run"]),
    ("tavli-players", &["tavli-backgammon", "tavli-file", "tavli-simd"]),
    ("tavli-cube", &["tavli-backgammon"]),
    ("tavli-transcript", &["tavli-backgammon", "tavli-cube"]),
    ("tavli-hypergammon", &["tavli-backgammon", "tavli-cube", "tavli-run"]),
    ("tavli-search", &["tavli-base", "tavli-game", "tavli-run", "tavli-simd"]),
    ("tavli-trials", &["tavli-base", "tavli-file", "tavli-game", "tavli-run", "tavli-simd"]),
    (
        "tavli-train",
        &[
            "tavli-backgammon",
            "tavli-base",
            "tavli-file",
            "tavli-game",
            "tavli-players",
            "tavli-run",
            "tavli-simd",
            "tavli-variants",
        ],
    ),
    (
        "tavli-rollout",
        &[
            "tavli-backgammon",
            "tavli-cube",
            "tavli-file",
            "tavli-players",
            "tavli-playouts",
            "tavli-run",
            "tavli-trials",
        ],
    ),
    (
        "tavli-games",
        &[
            "tavli-backgammon",
            "tavli-base",
            "tavli-draughts",
            "tavli-file",
            "tavli-game",
            "tavli-players",
            "tavli-rollout",
            "tavli-run",
            "tavli-search",
            "tavli-tictactoe",
            "tavli-trials",
            "tavli-variants",
        ],
    ),
    (
        "tavli-analysis",
        &[
            "tavli-backgammon",
            "tavli-cube",
            "tavli-file",
            "tavli-players",
            "tavli-rollout",
            "tavli-run",
            "tavli-search",
            "tavli-transcript",
            "tavli-trials",
        ],
    ),
    (
        "tavli-duel",
        &[
            "tavli-backgammon",
            "tavli-cube",
            "tavli-game",
            "tavli-players",
            "tavli-rollout",
            "tavli-run",
            "tavli-search",
            "tavli-transcript",
        ],
    ),
    (
        "tavli",
        &[
            "tavli-analysis",
            "tavli-backgammon",
            "tavli-base",
            "tavli-draughts",
            "tavli-duel",
            "tavli-file",
            "tavli-games",
            "tavli-hypergammon",
            "tavli-players",
            "tavli-playouts",
            "tavli-rollout",
            "tavli-run",
            "tavli-tictactoe",
            "tavli-trials",
            "tavli-variants",
        ],
    ),
    (
        "tavli-tune",
        &[
            "tavli-base",
            "tavli-duel",
            "tavli-file",
            "tavli-game",
            "tavli-games",
            "tavli-run",
            "tavli-search",
            "tavli-simd",
        ],
    ),
    ("tavli-bench", &["tavli"]),
    ("tavli-terminal", &["tavli"]),
    ("tavli-engines", &["tavli", "tavli-terminal"]),
    ("tavli-cli", &["tavli", "tavli-bench", "tavli-engines", "tavli-terminal", "tavli-train", "tavli-tune"]),
    ("tavli-capi", &["tavli"]),
    ("tavli-python", &["tavli"]),
    ("tavli-mpi", &["tavli", "tavli-cli", "tavli-terminal"]),
    ("tavli-web-module", &["tavli"]),
    ("tavli-web", &["tavli", "tavli-web-module"]),
    ("tavli-web-games", &["tavli", "tavli-web-module"]),
];

/// The packages for any target: they depend on no crate from outside for threads, files or serialisation.
const PLAIN: [&str; 9] = [
    "tavli-base",
    "tavli-simd",
    "tavli-game",
    "tavli-algebra",
    "tavli-lanes",
    "tavli-tictactoe",
    "tavli-draughts",
    "tavli-variants",
    "tavli-backgammon",
];

/// The packages from outside that those in [`PLAIN`] may use.
const OF_PLAIN: [&str; 3] = ["bytemuck", "rand_xoshiro", "thiserror"];

/// The packages of the workspace, as `cargo metadata` describes them.
fn packages() -> Vec<Value> {
    let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{output:?}");
    let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    match metadata["packages"].take() {
        Value::Array(packages) => packages,
        other => panic!("not packages: {other}"),
    }
}

/// The packages of the workspace, with the packages that each uses outside its tests.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let packages = packages();
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    let used = |package: &Value| {
        let all = package["dependencies"].as_array().expect("dependencies");
        all.iter().filter(|dependency| dependency["kind"].as_str() != Some("dev")).map(name).collect()
    };
    packages.iter().map(|package| (name(package), used(package))).collect()
}

#[test]
fn arrows_run_one_way() {
    let dependencies = dependencies();
    let members: BTreeSet<&str> = dependencies.keys().map(String::as_str).collect();
    let known: BTreeSet<&str> = ARROWS.iter().map(|&(package, _)| package).collect();
    assert_eq!(members, known, "each package of the workspace has its row");
    for (place, (package, allowed)) in ARROWS.iter().enumerate() {
        for used in *allowed {
            let above = ARROWS[..place].iter().any(|(earlier, _)| earlier == used);
            assert!(above, "{package} stands below {used}, which it may use");
        }
        let used = &dependencies[*package];
        let of_workspace = used.iter().filter(|used| members.contains(used.as_str()));
        let of_workspace: Vec<&str> = of_workspace.map(String::as_str).collect();
        for used in of_workspace {
            assert!(allowed.contains(&used), "{package} uses {used}");
        }
    }
}

#[test]
fn the_guide_has_the_arrows() {
    let rows = ARROWS.iter().map(|(package, allowed)| {
        let row = format!("{package:<18}{}", allowed.join(", "));
        row.trim_end().to_owned()
    });
    let block = format!("```text\n{}\n```", rows.collect::<Vec<_>>().join("\n"));
    let guide = include_str!("../../../../kernel/docs/sources.md");
    assert!(guide.contains(&block), "kernel/docs/sources.md lacks\n{block}");
}

/// The folder of a package.
fn folder(package: &str) -> String {
    match package {
        "tavli" => "kernel/tavli".to_owned(),
        "tavli-bench" => "bench".to_owned(),
        "tavli-web-module" => "tools/web/module".to_owned(),
        "tavli-web-games" => "tools/web/games".to_owned(),
        _ => {
            let name = package.trim_start_matches("tavli-");
            let is_tool = ["cli", "engines", "terminal", "capi", "python", "mpi", "web"].contains(&name);
            format!("{}/{name}", if is_tool { "tools" } else { "kernel" })
        }
    }
}

#[test]
fn crates_stand_above_those_that_they_use() {
    let guide = include_str!("../../../../CONTRIBUTING.md");
    let (_, picture) = guide.split_once("## The crates\n").expect("a heading");
    let (_, picture) = picture.split_once("```text\n").expect("a picture");
    let (picture, _) = picture.split_once("\n```").expect("its end");
    let floors = picture.lines().map(|line| line.get(..58).expect("a remark").split_whitespace());
    let floors: Vec<Vec<&str>> = floors.map(Iterator::collect).collect();
    let floor = |package: &str| {
        let folder = folder(package);
        let floor = floors.iter().position(|floor| floor.contains(&folder.as_str()));
        floor.unwrap_or_else(|| panic!("the picture lacks {folder}"))
    };
    for (package, used) in ARROWS {
        for used in *used {
            assert!(floor(package) < floor(used), "{package} is to stand above {used}");
        }
    }
    assert_eq!(floors.iter().flatten().count(), ARROWS.len(), "each crate stands there once");
}

#[test]
fn packages_for_any_target_use_little() {
    let dependencies = dependencies();
    for package in PLAIN {
        for used in &dependencies[package] {
            let plain = OF_PLAIN.contains(&used.as_str()) || PLAIN.contains(&used.as_str());
            assert!(plain, "{package} uses {used}");
        }
    }
}
