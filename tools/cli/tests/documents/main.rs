//! The commands in every README.md, and in the pages of the command and of the library, print what is shown there.
//!
//! Each `$ command` of a `console` block is run by `sh`, in a folder of its document, with the command `tavli` that was
//! built for the tests. It must succeed, and print to standard output what the document shows:
//!
//! * a line `...` stands for any lines;
//! * the header of a run, from `tavli VERSION, ...` to the next empty line, describes another machine: any header will
//!   do;
//! * times and rates differ: a line is compared without its first time or rate and all numbers after it, and JSON
//!   without members named for them;
//! * everything else, above all every value of the game, is compared to the last character.
//!
//! `TAVLI_WRITE_README=1 cargo test --package tavli-cli --test documents` writes the outputs into the documents
//! instead. It keeps `...`, and fails if an output has changed its form, which must be edited by hand.
//!
//! Commands that need more than Rust and a shell are in `ELSEWHERE` with the place that runs them. Other commands, and
//! blocks of languages that nothing checks, are errors.
#![cfg(unix)]

mod document;
mod lists;
mod names;
mod options;
mod output;
mod paths;
mod sizes;
mod workflow;

use std::env;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use document::{Block, Document, repository};
use regex::Regex;
use tavli_testing::machines::Machine;

use Elsewhere::{In, Nowhere};

/// The variable that makes this test write outputs instead of comparing them.
const WRITE: &str = "TAVLI_WRITE_README";

/// Commands that this test does not run: how they begin, and the file that runs them with a part of it as proof, or the
/// reason why nothing runs them.
const ELSEWHERE: &[(&str, Elsewhere)] = &[
    (
        "cargo run --release -p tavli-bench --features instructions",
        In(".ci/run", "cargo run --release --package tavli-bench --features instructions"),
    ),
    ("cargo run --release", In(".ci/run", "cargo run --release\n")),
    ("tavli bench compare --run", In("tools/cli/tests/commands/turns.rs", "bench compare --run")),
    ("cargo test", In(".ci/run", "cargo test --workspace")),
    ("TAVLI_THOROUGH=1 cargo test", In(".ci/run", "TAVLI_THOROUGH=1")),
    ("TAVLI_GOLDEN=FOLDER cargo test", Nowhere("the full reference data is not in the repository")),
    (
        "cargo install --path tools/cli",
        Nowhere("it changes the user's folder, and builds what `cargo build --release` does"),
    ),
    ("cargo install --path tools/mpi", In("tools/mpi/check", "--features tavli-mpi/mpi")),
    ("tools/capi/install $HOME/.local", In("tools/capi/check", "./install \"$prefix\"")),
    ("export PKG_CONFIG_PATH=", In("tools/capi/check", "export PKG_CONFIG_PATH")),
    ("cc -o opening", In("tools/capi/check", "export PKG_CONFIG_PATH")),
    // Its output is also compared, without a C compiler, by tools/capi/tests/suite/readme.rs.
    ("./opening", In("tools/capi/check", "export PKG_CONFIG_PATH")),
    ("pip install ./tools/python", In("tools/python/check", "maturin\" build")),
    ("python dask_shards.py", In("tools/python/tests/test_documentation.py", "\"dask_shards.py\"")),
    ("python ray_shards.py", In("tools/python/tests/test_documentation.py", "\"ray_shards.py\"")),
    (".ci/arm", Nowhere("it builds for another machine, and imitates that for minutes")),
    ("profiles/draughts/report", Nowhere("it plays 320 games, an hour of a processor")),
    ("profiles/search/table1", Nowhere("it plays 640 million games")),
    ("profiles/search/regret", Nowhere("it needs a table that takes ten minutes to make")),
    ("profiles/search/plot", Nowhere("it draws what `regret` measured, by matplotlib")),
    ("profiles/search/bearoffs", Nowhere("it plays 700 million games")),
    ("python3 kernel/backgammon/tests/mutations.py", Nowhere("it builds and tests once for each planted fault")),
    ("tools/capi/check", In(".ci/run", "tools/capi/check")),
    ("tools/mpi/check", In(".ci/run", "tools/mpi/check")),
    ("tools/python/check", In(".ci/run", "tools/python/check")),
    ("tools/web/build && tools/web/site", In("tools/web/check-page", "./site")),
    ("tools/web/build", In("tools/web/check", "./build")),
    ("tools/web/check-page", In("tools/web/check", "./check-page")),
    ("tools/web/check", In(".ci/run", "tools/web/check")),
    ("tools/web/speed", Nowhere("timings need an idle machine, and take a minute")),
    ("curl -s", In("tools/cli/tests/commands/serve/document.rs", "strip_prefix(\"$ curl \")")),
    ("python3 -m http.server", Nowhere("it serves until somebody ends it")),
    ("(cd kernel/tavli && RUSTC_BOOTSTRAP=1 cargo fuzz run", In(".ci/run", "cargo fuzz run")),
    ("RUSTC_BOOTSTRAP=1 cargo fuzz run", In(".ci/run", "cargo fuzz run")),
    ("cargo bench", Nowhere("timings take minutes; `cargo test --workspace` runs each benchmark once")),
    ("cargo install gungraun-runner", In(".ci/run", "install_tool gungraun-runner")),
    (".ci/run", Nowhere("it runs this test")),
    ("(cd bench/peers/bkgm && cargo build", Nowhere("a peer, outside the workspace")),
    ("pip install open_spiel", Nowhere("peers, which few machines have")),
    ("apt-get install gnubg", Nowhere("a peer, which few machines have")),
    ("cargo build --release", In(".ci/run", "cargo build --release")),
    ("python3 bench/peers/run.py", Nowhere("it needs the peers, and an idle machine")),
    ("pip install gnubg-nn", Nowhere("a peer, which few machines have")),
    ("python3 bench/peers/gnubg_match.py", Nowhere("it needs a peer, and takes a minute")),
    ("python3 bench/peers/gnubg_external.py", Nowhere("it needs a peer, and takes minutes")),
    ("python3 bench/peers/match_analysis.py", Nowhere("it needs a peer, and takes minutes")),
    ("python3 bench/peers/wildbg.py", Nowhere("it needs a peer, and takes minutes")),
    ("pip install ankigammon", Nowhere("a frontend, which few machines have")),
    ("python3 bench/peers/ankigammon_check.py", Nowhere("a frontend, which few machines have")),
    ("pip install samuel pydraughts", Nowhere("peers, which few machines have")),
    ("python3 bench/peers/samuel_match.py", Nowhere("it needs a peer, and takes minutes")),
    ("profiles/draughts/regret", Nowhere("it takes minutes")),
];

#[derive(Clone, Copy, Debug)]
enum Elsewhere {
    /// A file of the repository, and a part of its text.
    In(&'static str, &'static str),
    /// Nothing runs it, for this reason.
    Nowhere(&'static str),
}

/// Programs that few machines have, and their stand-ins.
const STAND_INS: [(&str, &str); 2] = [
    // One process plays the same as several, and prints the same.
    ("mpirun", r#"while [ "$1" != tavli-mpi ]; do shift; done; shift; exec tavli "$@""#),
    // The tasks of a job array, one after the other.
    (
        "sbatch",
        r#"tasks=$(sed -n 's/^#SBATCH --array=1-\([0-9]*\).*/\1/p' "$1"); task=1
while [ $task -le $tasks ]; do SLURM_ARRAY_TASK_ID=$task sh "$1" >/dev/null || exit; task=$((task + 1)); done
echo Submitted batch job 1"#,
    ),
];

/// Checks that something tests a block: this test, or a file that names the document or holds the block.
fn checked(document: &Document, block: &Block) -> Result<(), String> {
    let text = document.text(block);
    let names = |file: &str, name: &str| {
        let file_text = fs::read_to_string(repository().join(file)).unwrap();
        let found = file_text.contains(name);
        found.then_some(()).ok_or(format!("{file} does not read {name}"))
    };
    match block.language.as_str() {
        "console" => Ok(()), // run by the test below
        "text" if !text.starts_with("$ ") => Ok(()),
        "toml" | "sh" if document.file(block).is_some() => Ok(()), // what commands read
        "sh" => text.lines().filter(|line| !line.is_empty()).try_for_each(|line| {
            let command = line.split(" #").next().unwrap_or(line).trim_end();
            elsewhere(command).map(drop).ok_or(format!("nothing runs `{command}`: see ELSEWHERE"))
        }),
        "rust" => names("kernel/tavli/src/lib.rs", &format!("include_str!(\"../../../{}\")", document.path)),
        "c" => names("tools/capi/consumer/opening.c", &text),
        "js" => names("tools/web/tests/readme.test.mjs", &format!("\"{}\"", document.path)),
        "pycon" | "python" => names("tools/python/tests/test_documentation.py", &format!("\"{}\"", document.path)),
        language => Err(format!("nothing checks a block of '{language}'")),
    }
}

/// The place that runs a command, if not this test.
fn elsewhere(command: &str) -> Option<Elsewhere> {
    let mut found = ELSEWHERE.iter().filter(|(begin, _)| command.starts_with(begin));
    found.next().map(|(_, place)| *place)
}

#[test]
fn every_block_is_checked() {
    let mut wrong = Vec::new();
    for document in Document::all() {
        for block in document.blocks() {
            if let Err(message) = checked(&document, &block) {
                wrong.push(format!("{}:{}: {message}", document.path, block.lines.start));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_first_page_is_short() {
    let lines = Document::read(Path::new("README.md")).lines.len();
    assert!(lines <= 250, "{lines} lines: move long parts into a guide");
}

#[test]
fn every_link_leads_somewhere() {
    let link = Regex::new(r"\]\(([^)#]*)#?([^)]*)\)").unwrap();
    let mut wrong = Vec::new();
    for document in Document::guides() {
        for (at, line) in document.prose() {
            for (_, [file, anchor]) in link.captures_iter(line).map(|found| found.extract()) {
                let target = match file {
                    "" => PathBuf::from(&document.path),
                    file => Path::new(&document.path).parent().unwrap().join(file),
                };
                let leads = file.starts_with("https://")
                    || repository().join(&target).exists()
                        && (anchor.is_empty() || Document::read(&target).has(anchor));
                if !leads {
                    wrong.push(format!("{}:{}: {file}#{anchor}", document.path, at + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "These links lead nowhere:\n{}", wrong.join("\n"));
}

#[test]
fn commands_run_elsewhere_are_run_there() {
    for (command, place) in ELSEWHERE {
        match place {
            In(file, part) => {
                let text = fs::read_to_string(repository().join(file)).unwrap();
                assert!(text.contains(part), "{file} does not run {command}: '{part}' is missing");
            }
            Nowhere(reason) => assert!(!reason.is_empty(), "{command}"),
        }
        let used = Document::all().iter().any(|document| {
            let mut lines = document.lines.iter();
            lines.any(|line| line.strip_prefix("$ ").unwrap_or(line).starts_with(command))
        });
        assert!(used, "no document has {command}");
    }
}

#[test]
fn every_command_prints_what_its_document_shows() {
    let write = env::var_os(WRITE).is_some();
    let machine = Machine::new("xeon-silver-4108-two-sockets");
    let mut wrong = Vec::new();
    let mut commands = 0;
    for mut document in Document::all() {
        let folder = Folder::new(&document.path);
        symlink(machine.root(), folder.0.join("xeon-silver-4108")).unwrap();
        let mut changes = Vec::new();
        for block in document.blocks() {
            if let Some(name) = document.file(&block) {
                fs::write(folder.0.join(name), document.text(&block)).unwrap();
            }
            if block.language != "console" {
                continue;
            }
            for command in document.commands(&block) {
                if elsewhere(&command.text).is_some() {
                    continue;
                }
                commands += 1;
                let shown = &document.lines[command.output.clone()];
                let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
                let place = format!("{}:{}: {}", document.path, command.output.start, command.text);
                match folder.run(&command.text) {
                    Err(message) => wrong.push(format!("{place}\n{message}")),
                    Ok(printed) => {
                        let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
                        if output::agrees(&shown, &lines) {
                            continue;
                        }
                        match output::rewritten(&shown, &lines).filter(|_| write) {
                            Some(lines) => changes.push((command.output, lines)),
                            None => wrong.push(format!("{place}\nprints\n{printed}")),
                        }
                    }
                }
            }
        }
        if !changes.is_empty() {
            for (lines, new) in changes.into_iter().rev() {
                document.lines.splice(lines, new);
            }
            document.save();
        }
    }
    assert!(commands > 20, "only {commands} commands were found");
    assert!(
        wrong.is_empty(),
        "{}\nThe documents differ. If they are stale, run\n    {WRITE}=1 cargo test --package tavli-cli \
         --test documents\nand read what has changed.",
        wrong.join("\n")
    );
}

/// The folder in which the commands of a document run; removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(document: &str) -> Folder {
        let name = format!("documents-{}-{}", std::process::id(), document.replace('/', "-"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(folder.join(".programs")).unwrap();
        for (name, script) in STAND_INS {
            let path = folder.join(".programs").join(name);
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Folder(folder)
    }

    /// The output of a command, or an error if it fails.
    fn run(&self, command: &str) -> Result<String, String> {
        let built = Path::new(env!("CARGO_BIN_EXE_tavli")).parent().unwrap();
        let path = env::var_os("PATH").unwrap_or_default();
        let path = [built.to_owned(), self.0.join(".programs")].into_iter().chain(env::split_paths(&path));
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(&self.0)
            .env("PATH", env::join_paths(path).unwrap())
            .env_remove("TAVLI_ISA")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let messages = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => Ok(printed),
            _ => Err(format!("fails, {}\n{printed}{messages}", output.status)),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Ignored, so that it does not hide the failure of a test.
        drop(fs::remove_dir_all(&self.0));
    }
}
