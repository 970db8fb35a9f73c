//! The guide to the command, with its pages, names every option that the help of a command has.

use std::process::Command;

use regex::Regex;

use crate::document::Document;

/// The help of a command, such as `bench table`.
fn help(command: &str) -> String {
    let mut tavli = Command::new(env!("CARGO_BIN_EXE_tavli"));
    let output = tavli.args(command.split_whitespace()).arg("--help").output().unwrap();
    assert!(output.status.success(), "{command}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands in a help, without those that every program has.
fn commands(help: &str) -> Vec<String> {
    let list = help.split_once("\nCommands:\n").map_or("", |(_, list)| list);
    let list = list.split_once("\n\n").map_or(list, |(list, _)| list);
    let name = Regex::new(r"(?m)^  ([a-z]+)  ").unwrap();
    let names = name.captures_iter(list).map(|name| name[1].to_owned());
    names.filter(|name| name != "help").collect()
}

/// The options of a help that the guide lacks: by their long names, or by the short one in a line with the command.
fn lacking(guide: &str, command: &str, help: &str) -> Vec<String> {
    let option = Regex::new(r"(?m)^\s+(?:-(\w), )?--([a-z][a-z-]*)").unwrap();
    let mut lacking = Vec::new();
    for option in option.captures_iter(help) {
        let long = &option[2];
        if ["help", "version"].contains(&long) {
            continue;
        }
        let mut names = vec![format!(r"--{long}(?:[^a-z-]|$)")];
        names.extend(
            option
                .get(1)
                .map(|short| format!(r"tavli {command}[^`\n]* -{}\b", short.as_str())),
        );
        if !names.iter().any(|name| Regex::new(name).unwrap().is_match(guide)) {
            lacking.push(format!("tavli {command} --{long}"));
        }
    }
    lacking
}

#[test]
fn the_guide_names_every_option() {
    let pages = Document::all()
        .into_iter()
        .filter(|page| page.path.starts_with("tools/cli/"));
    let guide: Vec<String> = pages.map(|page| page.lines.join("\n")).collect();
    let guide = guide.join("\n");
    let all = commands(&help(""));
    assert!(all.len() > 25, "{all:?}");
    let mut found = Vec::new();
    for command in all {
        let of_command = help(&command);
        for below in commands(&of_command) {
            let command = format!("{command} {below}");
            found.extend(lacking(&guide, &command, &help(&command)));
        }
        found.extend(lacking(&guide, &command, &of_command));
    }
    assert!(found.is_empty(), "the guide lacks:\n{}", found.join("\n"));
}

#[test]
fn policy_evaluator_and_player_mean_the_same_in_helps_and_guides() {
    for (sentence, helps) in [
        ("A policy picks plays", &["playout", "rollout", "signature"][..]),
        ("An evaluator values positions", &["evaluate"]),
        (
            "A player picks plays and values positions",
            &["ubgi", "gnubg", "external", "serve", "jsonrpc", "analyze"],
        ),
    ] {
        for command in helps {
            let help = help(command).split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(help.contains(sentence), "tavli {command} --help: {sentence}");
        }
        for path in ["tools/cli/README.md", "CONTRIBUTING.md"] {
            let mut lines = Document::read(path.as_ref()).lines.into_iter();
            assert!(lines.any(|line| line.contains(sentence)), "{path}: {sentence}");
        }
    }
}

#[test]
fn an_option_that_a_guide_lacks_is_found() {
    let help = "Options:\n  -c, --commands <FILE>\n      --look-ahead <N>\n      --look\n";
    for (guide, number) in [
        ("", 3),
        ("`tavli gnubg -t -c FILE`, `--look-ahead` and `--look`", 0),
        ("`--look-ahead 3`, `--commands`", 1),
        ("`tavli ubgi -c`, `--look-ahead-by` and `--look`", 2),
    ] {
        assert_eq!(lacking(guide, "gnubg", help).len(), number, "{guide}");
    }
}
