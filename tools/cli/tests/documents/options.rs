//! The pages of the command have a table of options for each command, with the options and defaults of its help.

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

/// An option in a help: its long name, and its default if that is a single word.
#[derive(Debug, PartialEq)]
struct HelpOption {
    name: String,
    default: Option<String>,
}

/// The options in a help, without those that every command has.
fn options(help: &str) -> Vec<HelpOption> {
    // Wrapped lines are indented further.
    let begin = Regex::new(r"(?m)^ {2,6}(?:-\w, )?--([a-z][a-z-]*)").unwrap();
    let begins: Vec<_> = begin.captures_iter(help).collect();
    let ends = begins.iter().skip(1).map(|next| next.get(0).unwrap().start());
    let ends = ends.chain([help.len()]);
    let default = Regex::new(r"\[default:\s+(\S+)\]").unwrap();
    let found = begins.iter().zip(ends).map(|(begin, end)| HelpOption {
        name: begin[1].to_owned(),
        default: default.captures(&help[begin.get(0).unwrap().end()..end]).map(|default| default[1].to_owned()),
    });
    found.filter(|option| option.name != "help" && option.name != "version").collect()
}

/// The section of a command: from its heading to the next of its level, or of another command.
fn section<'a>(pages: &'a [Document], command: &str) -> Option<Vec<&'a str>> {
    let heading = Regex::new(&format!(r"^(#+) tavli {command}(?: [A-Z\[].*)?$")).unwrap();
    let of_command = Regex::new("^#+ tavli ").unwrap();
    pages.iter().find_map(|page| {
        let mut lines = page.prose().map(|(_, line)| line);
        let found = lines.find_map(|line| heading.captures(line))?;
        let depth = found[1].len();
        let is_next = |line: &str| {
            let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
            hashes > 0 && (hashes <= depth || of_command.is_match(line))
        };
        Some(lines.take_while(|line| !is_next(line)).collect())
    })
}

/// The rows of a section's tables of options: the names of options, and the default.
fn rows<'a>(section: &[&'a str]) -> Vec<(Vec<&'a str>, &'a str)> {
    let name = Regex::new("--([a-z][a-z-]*)").unwrap();
    let tables = section.split(|line| !line.starts_with('|'));
    let of_options = tables.filter(|table| table.first() == Some(&"| option | default | meaning |"));
    let rows = of_options.flat_map(|table| &table[2..]);
    rows.map(|row| {
        // Values that a cell tells apart have `\|` between them.
        let bar = row.match_indices(" | ").next().expect("three cells").0;
        let names = name.captures_iter(&row[..bar]).map(|found| found.get(1).unwrap().as_str());
        let default = row[bar + 3..].split(" | ").next().expect("a cell");
        (names.collect(), default)
    })
    .collect()
}

/// How the tables of a command's section differ from its help.
fn differences(command: &str, help: &str, section: Option<&[&str]>) -> Vec<String> {
    let options = options(help);
    let Some(section) = section.filter(|_| !options.is_empty()) else {
        let lacking = options.iter().map(|option| format!("tavli {command} --{}", option.name));
        return lacking.collect();
    };
    let rows = rows(section);
    let named: Vec<&str> = rows.iter().flat_map(|(names, _)| names.iter().copied()).collect();
    let mut found = Vec::new();
    for HelpOption { name, default } in &options {
        if !named.contains(&name.as_str()) {
            found.push(format!("tavli {command} --{name} has no row"));
        }
        let own = rows.iter().find(|(names, _)| names[..] == [name.as_str()]);
        if let (Some((_, shown)), Some(default)) = (own, default)
            && !shown.contains(default.as_str())
        {
            found.push(format!("tavli {command} --{name} is {default} by default, not {shown}"));
        }
    }
    let is_option = |name: &&str| options.iter().any(|option| option.name == *name);
    let others = named.iter().filter(|name| !is_option(name));
    found.extend(others.map(|name| format!("tavli {command} has no --{name}")));
    found
}

#[test]
fn the_tables_of_a_command_have_its_options_and_their_defaults() {
    let pages = Document::all();
    let pages: Vec<Document> = pages.into_iter().filter(|page| page.path.starts_with("tools/cli/docs")).collect();
    let all = commands(&help(""));
    assert!(all.len() > 25, "{all:?}");
    let mut found = Vec::new();
    for command in all {
        let of_command = help(&command);
        for below in commands(&of_command) {
            let command = format!("{command} {below}");
            let section = section(&pages, &command);
            found.extend(differences(&command, &help(&command), section.as_deref()));
        }
        let section = section(&pages, &command);
        found.extend(differences(&command, &of_command, section.as_deref()));
    }
    assert!(found.is_empty(), "the tables differ from the helps:\n{}", found.join("\n"));
}

/// The sentences in the first paragraph of a help after its title.
fn first_sentences(help: &str) -> usize {
    let paragraph = help.split("\n\n").nth(1).unwrap_or_default();
    let words = paragraph.split_whitespace().filter(|word| !word.starts_with("Usage:"));
    words.filter(|word| word.ends_with(['.', '?']) && *word != "...").count()
}

#[test]
fn a_help_begins_with_a_short_paragraph() {
    for command in commands(&help("")) {
        let sentences = first_sentences(&help(&command));
        assert!(sentences <= 3, "tavli {command} --help begins with {sentences} sentences");
    }
    assert_eq!(first_sentences("Title\n\nOne, two, ... Three: four?\n\nFive."), 1);
}

#[test]
fn policy_evaluator_and_player_mean_the_same_in_helps_and_guides() {
    for (sentence, helps) in [
        ("A policy picks plays", &["playout", "rollout", "signature"][..]),
        ("An evaluator values positions", &["evaluate"]),
        ("A player picks plays and values positions", &["ubgi", "gnubg", "external", "serve", "jsonrpc", "analyze"]),
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
fn a_table_that_differs_from_its_help_is_found() {
    let help =
        "Options:\n  -c, --commands <FILE>\n      --look-ahead <N>\n          Plies [default: 2]\n      --look\n";
    let table = |rows: &str| {
        format!("## tavli gnubg [FILE]\n\n| option | default | meaning |\n|---|---|---|\n{rows}\n## Others")
    };
    for (rows, number) in [
        ("", 3),
        ("| `-c FILE`, `--commands FILE` | | commands |\n| `--look` | | |\n", 1),
        ("| `--commands`, `--look-ahead N`, `--look` | | |\n", 0),
        ("| `--commands`, `--look` | | |\n| `--look-ahead N\\|decide` | 2 | plies |\n", 0),
        ("| `--commands`, `--look` | | |\n| `--look-ahead N` | 3 | plies |\n", 1),
        ("| `--commands`, `--look-ahead N`, `--look`, `--old` | | |\n", 1),
    ] {
        let page = Document { path: String::new(), lines: table(rows).lines().map(str::to_owned).collect() };
        let pages = [page];
        let section = section(&pages, "gnubg");
        assert_eq!(differences("gnubg", help, section.as_deref()).len(), number, "{rows}");
    }
    assert_eq!(differences("gnubg", help, None).len(), 3);
}
