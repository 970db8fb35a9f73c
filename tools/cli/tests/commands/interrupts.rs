//! Nothing is lost if signals come twice, as `timeout`, terminals and job queues send them.

use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::bearoff::run_within;
use crate::support::{
    OPENING, TERMINATE, errors, json, let_worker_use, read_meanwhile, scratch_file, tavli, wait_until_caught,
    wait_until_heard,
};
use serde_json::Value;

/// Starts the command, and waits until it hears signals.
fn start(arguments: &str) -> Child {
    let mut child = tavli()
        .args(arguments.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    wait_until_caught(&mut child);
    child
}

/// Sends signals one after the other, as fast as one process can.
fn signal_all(child: &Child, names: &[&str]) {
    let kills: String = names
        .iter()
        .map(|name| format!("kill -{name} {};", child.id()))
        .collect();
    // The process may be gone before the second one.
    let sent = Command::new("sh").args(["-c", &kills]).stderr(Stdio::null()).status();
    sent.expect("there is a shell");
}

/// Ends a command 20 times by two signals in quick succession, and calls `check` with the output of each.
fn interrupt_twice(arguments: impl Fn(usize) -> String, check: impl Fn(usize, &Output)) {
    let pairs = [
        ["TERM", "TERM"],
        ["INT", "INT"],
        ["TERM", "INT"],
        ["HUP", "TERM"],
        ["XCPU", "XCPU"],
    ];
    for round in 0..20 {
        let child = start(&arguments(round));
        signal_all(&child, &pairs[round % pairs.len()]);
        let output = child.wait_with_output().expect("it ends");
        check(round, &output);
    }
}

fn result(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn a_rollout_ended_twice_is_printed_and_saved() {
    let file = |round: usize| scratch_file(&format!("twice-{round}.json"));
    let arguments = |round| {
        let file = file(round);
        format!(
            "rollout --policy uniform {OPENING} 31 --trials 1000000000000 --threads 1 --json --resume {}",
            file.display()
        )
    };
    interrupt_twice(arguments, |round, output| {
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let printed = result(output);
        assert_eq!(printed["ended_by"], "cancelled");
        let saved = fs::read(file(round)).expect("it is saved");
        let saved: Value = serde_json::from_slice(&saved).expect("a whole record");
        assert_eq!(saved["rollout"]["games"][1], printed["trials"]);
        fs::remove_file(file(round)).expect("it is there");
    });
}

#[test]
fn a_playout_ended_twice_is_printed() {
    let arguments = |_| "playout --seconds 600 --threads 1 --json".to_owned();
    interrupt_twice(arguments, |_, output| {
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(result(output)["interrupted"], true);
    });
}

#[test]
fn a_search_ended_twice_is_printed_and_saved() {
    let file = |round: usize| scratch_file(&format!("search-twice-{round}.json"));
    let arguments = |round| {
        let file = file(round);
        format!(
            "search {OPENING} 31 --seconds 600 --threads 1 --json --save {}",
            file.display()
        )
    };
    interrupt_twice(arguments, |round, output| {
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let printed = result(output);
        assert_eq!(printed["interrupted"], true);
        let saved = fs::read(file(round)).expect("it is saved");
        let saved: Value = serde_json::from_slice(&saved).expect("a whole record");
        let visits = saved["search"]["plays"].as_array().expect("plays").iter();
        let visits: u64 = visits.map(|play| play["visits"].as_u64().expect("a count")).sum();
        assert_eq!(printed["simulations"], visits);
        fs::remove_file(file(round)).expect("it is there");
    });
}

#[test]
fn a_search_ended_by_one_signal_has_its_result_so_far() {
    let mut child = start(&format!("search {OPENING} 31 --seconds 600 --threads 1 --json"));
    let_worker_use(&mut child, Duration::from_millis(200));
    signal_all(&child, &["INT"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let printed = result(&output);
    assert_eq!(printed["interrupted"], true);
    let best = &printed["plays"][0];
    assert!(best["visits"].as_u64().is_some_and(|visits| visits > 1), "{printed}");
    assert_eq!(
        printed["line"][0],
        format!("31: {}", best["moves"].as_str().expect("moves"))
    );
}

#[test]
fn a_match_ended_twice_is_printed() {
    let arguments = |_| "duel pubeval uniform --games 1000000000 --threads 1 --json".to_owned();
    interrupt_twice(arguments, |_, output| {
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let printed = result(output);
        assert_eq!(printed["interrupted"], true);
        let games = printed["games"].as_u64().expect("a count");
        assert!(games.is_multiple_of(2) && games < 1_000_000_000, "{printed}");
    });
}

#[test]
fn a_measurement_ended_twice_is_printed_and_saved() {
    let file = |round: usize| scratch_file(&format!("bench-twice-{round}.json"));
    let arguments = |round| {
        let file = file(round);
        format!(
            "bench quick --repetitions 200 --seconds 0.02 --warm-up 0.01 --threads 1 --json --save {}",
            file.display()
        )
    };
    interrupt_twice(arguments, |round, output| {
        let printed = result(output);
        assert_eq!(printed["interrupted"], true);
        let saved = fs::read(file(round)).expect("it is saved");
        assert_eq!(serde_json::from_slice::<Value>(&saved).expect("a record"), printed);
        fs::remove_file(file(round)).expect("it is there");
    });
}

#[test]
fn an_interrupted_table_says_how_far_it_came() {
    let (positions, table) = (scratch_file("positions.tsv"), scratch_file("table.csv"));
    // Games that end with the first ply, and games that do not end in hours.
    let lines = format!("# quick\nAQAAAAEAAAAAAA\n{OPENING}\t31\n\n{OPENING}\t65\n");
    fs::write(&positions, lines).expect("a place to write");
    let arguments = format!(
        "rollout --policy uniform --positions {} --trials 2000000 --threads 1 --resume {}",
        positions.display(),
        table.display()
    );
    let mut child = start(&arguments);
    let rows = || fs::read_to_string(&table).map_or(0, |text| text.lines().count());
    while rows() < 3 {
        assert!(child.try_wait().expect("it is ours").is_none(), "it has ended");
        std::thread::yield_now();
    }
    signal_all(&child, &["INT", "INT"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        errors(&output).contains("interrupted; positions done: 1 of 3; "),
        "{}",
        errors(&output)
    );
    assert_eq!(rows(), 3);
    // An interrupted command waits for at most one more line of its pipe.
    let mut child = tavli()
        .args([
            "rollout",
            "--positions",
            "-",
            "--trials",
            "1000000000000",
            "--threads",
            "1",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "{OPENING}").expect("it is read");
    wait_until_caught(&mut child);
    let mut head = [0; 1];
    child
        .stdout
        .as_mut()
        .expect("a pipe")
        .read_exact(&mut head)
        .expect("the head");
    signal_all(&child, &["TERM", "TERM"]);
    let mut said = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut said)
        .expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{said}");
    assert!(said.contains("interrupted; positions done: 0; "), "{said}");
    drop(input);
    for file in [positions, table] {
        fs::remove_file(file).expect("it was there");
    }
}

#[test]
fn a_table_of_idle_input_is_ended() {
    let table = scratch_file("idle.csv");
    let mut child = tavli()
        .args(["rollout", "--positions", "-", "--trials", "36", "--save"])
        .arg(&table)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "{OPENING}").expect("it is read");
    let rows = || fs::read_to_string(&table).map_or(0, |text| text.lines().count());
    while rows() < 3 {
        assert!(child.try_wait().expect("it is ours").is_none(), "it has ended");
        std::thread::yield_now();
    }
    signal_all(&child, &["TERM"]);
    // The input stays open.
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        errors(&output).contains("interrupted; positions done: 1; "),
        "{}",
        errors(&output)
    );
    assert_eq!(rows(), 3);
    drop(input);
    fs::remove_file(table).expect("it was there");
}

/// Waits until a command ends with its result at a signal, and checks that it ignores SIGINT.
fn wait_until_interrupts_are_ignored(child: &mut Child) {
    let mask = |status: &str, name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        u64::from_str_radix(line.expect("a mask").trim(), 16).expect("a mask")
    };
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
        let status = status.expect("it runs");
        // SIGXCPU, which is heard last.
        if mask(&status, "SigCgt:") >> 23 & 1 == 1 {
            assert_eq!(mask(&status, "SigCgt:") >> 1 & 1, 0, "SIGINT is caught");
            assert_eq!(mask(&status, "SigIgn:") >> 1 & 1, 1, "SIGINT is ignored");
            return;
        }
        assert!(child.try_wait().expect("it is ours").is_none());
        std::thread::yield_now();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_background_job_of_a_script_ignores_ctrl_c() {
    // A shell without job control starts background jobs so.
    let mut child = Command::new("sh");
    child
        .args(["-c", "trap '' INT; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_tavli"))
        .args("playout --seconds 600 --threads 1 --json".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = child.spawn().expect("there is a shell");
    wait_until_interrupts_are_ignored(&mut child);
    signal_all(&child, &["INT", "TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert_eq!(result(&output)["interrupted"], true);
}

#[test]
fn a_game_at_the_terminal_ends_by_a_signal_with_what_it_has() {
    // Of a person who says nothing, and of what takes hours for a play, or for a decision about the cube.
    for (arguments, goes_on) in [
        ("play pubeval --seed 4", "tavli play --position "),
        (
            "play search:1000000000 uniform --seed 4 --threads 1",
            "tavli play --position ",
        ),
        (
            "play strong+4ply uniform --seed 4 --threads 1",
            "tavli play --position ",
        ),
        (
            "play strong+4ply fast --money --position OPENING --threads 1",
            "tavli play --money --position ",
        ),
    ] {
        let arguments = arguments.replace("OPENING", OPENING);
        let mut child = tavli()
            .args(arguments.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let input = child.stdin.take();
        wait_until_caught(&mut child);
        signal_all(&child, &["INT"]);
        let output = child.wait_with_output().expect("it ends");
        drop(input);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {output:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            said.contains(&format!("the game stops here; {goes_on}")),
            "{arguments}: {said}"
        );
    }
}

#[test]
fn a_command_under_nohup_outlives_its_terminal() {
    // A shell would not do: it may catch the interrupt itself, before it becomes the command.
    let mut child = Command::new("nohup");
    child
        .arg(env!("CARGO_BIN_EXE_tavli"))
        .args("playout --seconds 600 --threads 1 --json".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = child.spawn().expect("there is nohup");
    wait_until_caught(&mut child);
    signal_all(&child, &["HUP"]);
    let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
    if let Ok(status) = status {
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = u64::from_str_radix(ignored.expect("a mask").trim(), 16).expect("a mask");
        assert_eq!(ignored & 1, 1, "SIGHUP is ignored as it was");
    }
    signal_all(&child, &["INT"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert_eq!(result(&output)["interrupted"], true);
}

/// Whoever looks ahead takes seconds for a batch, and hours for the whole.
#[test]
fn what_looks_ahead_is_ended_with_its_result_so_far() {
    for (arguments, member, value) in [
        (
            "duel fast strong+2ply --games 1000000",
            "interrupted",
            Value::Bool(true),
        ),
        (
            "playout --policy strong+2ply --games 1000000",
            "interrupted",
            Value::Bool(true),
        ),
        (
            "rollout OPENING --policy strong+2ply --trials 10000",
            "ended_by",
            Value::from("cancelled"),
        ),
        (
            "rollout OPENING --policy sampled:100000000 --trials 10000",
            "ended_by",
            Value::from("cancelled"),
        ),
        (
            "rollout OPENING --truncate 1 --evaluator sampled:100000000 --trials 10000",
            "ended_by",
            Value::from("cancelled"),
        ),
        (
            "rollout OPENING --policy fast --variance-reduction --evaluator strong+2ply --trials 10000",
            "ended_by",
            Value::from("cancelled"),
        ),
        (
            "search OPENING 31 --evaluator strong+3ply --bias 1 --simulations 1000000",
            "interrupted",
            Value::Bool(true),
        ),
        (
            "evaluate OPENING 31 --player strong --look-ahead 4",
            "interrupted",
            Value::Bool(true),
        ),
    ] {
        let arguments = arguments.replace("OPENING", OPENING);
        let mut child = start(&format!("{arguments} --threads 1 --json"));
        let_worker_use(&mut child, Duration::from_millis(300));
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{arguments}: {output:?}");
        assert_eq!(result(&output)[member], value, "{arguments}");
    }
}

/// A pipe that nobody writes to is opened and read for ever.
#[cfg(unix)]
#[test]
fn what_waits_for_a_pipe_is_ended() {
    let pipe = scratch_file("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("there is a shell");
    assert!(made.success());
    for command in [
        "analyze",
        "gnubg --player fast -c",
        "playout --positions",
        "evaluate --player fast --positions",
        "rollout --policy uniform --positions",
    ] {
        let child = start(&format!("{command} {}", pipe.display()));
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert!(
            output.status.code().is_some_and(|status| status < 2),
            "{command}: {output:?}"
        );
    }
    // Nor does it matter whether somebody has opened it, who writes nothing.
    let held = fs::File::options().read(true).write(true).open(&pipe).expect("a pipe");
    let child = start(&format!("analyze {}", pipe.display()));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(
        errors(&output),
        "error: interrupted before the end: there is no result\n"
    );
    drop(held);
    fs::remove_file(pipe).expect("it was there");
}

/// Trees reserve room for all their simulations, which under a limit of memory left none for the rest of the program.
#[cfg(target_os = "linux")]
#[test]
fn a_search_within_little_memory_goes_on() {
    let search = format!("search {OPENING} 31 --simulations 1000000000 --threads 1 --json");
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v 400000; exec \"$0\" {search}")])
        .arg(env!("CARGO_BIN_EXE_tavli"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    wait_until_caught(&mut child);
    let_worker_use(&mut child, Duration::from_millis(300));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(result(&output)["interrupted"], true);
}

/// Tables are made while options are read, before there is a result that a signal could end.
#[cfg(target_os = "linux")]
#[test]
fn tables_are_made_until_a_signal_comes() {
    for command in [
        "rollout {} --bearoff 7x8",
        "evaluate {} --player fast+bearoff:7x8",
        "playout {} --policy fast+bearoff:7x8",
        "duel fast+bearoff:7x8 fast",
        "search {} 31 --policy fast+bearoff:7x8",
        "play fast+bearoff:7x8 fast",
    ] {
        let command = command.replace("{}", OPENING);
        let mut child = tavli()
            .args(command.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        wait_until_heard(&mut child, TERMINATE);
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
        assert_eq!(errors(&output), "error: interrupted before the end\n", "{command}");
    }
}

/// Many trees take memory before the first grows.
#[cfg(target_os = "linux")]
#[test]
fn trees_that_have_no_room_are_refused() {
    let search = format!("search {OPENING} 31 --simulations 1000 --threads 1 --trees 65536");
    let output = run_within(120_000, &search);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = "error: 65536 trees take 164626432 bytes of memory before they grow, more than there are: give fewer";
    assert!(errors(&output).starts_with(said), "{output:?}");
}

/// A tree that stops growing has other values than one that has its memory.
#[cfg(target_os = "linux")]
#[test]
fn a_search_that_is_refused_memory_says_so() {
    let of_backgammon = format!("search {OPENING} 31");
    for (search, simulations, limit, is_refused) in [
        (&*of_backgammon, 600_000, 110_000, true),
        ("search --game plakoto start 11", 600_000, 110_000, true),
        (&*of_backgammon, 1000, 800_000, false),
    ] {
        let search = format!("{search} --simulations {simulations}");
        let search = format!("{search} --threads 1 --trees 1 --json");
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -v {limit}; exec \"$0\" {search}")])
            .arg(env!("CARGO_BIN_EXE_tavli"))
            .output()
            .expect("there is a shell");
        assert_eq!(output.status.code(), Some(0), "{search}: {output:?}");
        assert_eq!(result(&output)["memory_refused"] == true, is_refused, "{search}");
        let said = errors(&output);
        assert_eq!(
            said.contains("warning: the system refused memory: trees stopped growing at "),
            is_refused,
            "{said}"
        );
    }
}

/// A saved rollout may name the table of 7 points and 9 checkers, which takes a minute to solve.
#[cfg(unix)]
#[test]
fn a_record_whose_table_is_being_solved_is_left() {
    let file = scratch_file("large.json");
    let play = format!(
        "rollout {OPENING} --policy pubeval+bearoff:6x3 --trials 36 --save {}",
        file.display()
    );
    assert!(
        tavli()
            .args(play.split(' '))
            .output()
            .expect("it runs")
            .status
            .success()
    );
    let small = fs::read_to_string(&file).expect("a record");
    let large = small.replace("6x3", "7x9");
    fs::write(&file, &large).expect("it can be written");
    let resume = format!("rollout --resume {}", file.display());
    let refused = tavli().args(resume.split(' ')).output().expect("it runs");
    let damaged = errors(&refused);
    let checksum = |before: &str| {
        let at = damaged.find(before).expect("a checksum") + before.len();
        damaged[at..at + 8].to_owned()
    };
    let (found, contents) = (checksum("its checksum is "), checksum("its contents have "));
    fs::write(&file, large.replace(&found, &contents)).expect("it can be written");
    let whole = scratch_file("whole.json");
    let merge = format!("merge {} -o {}", file.display(), whole.display());
    for (command, written) in [(resume, &file), (merge, &whole)] {
        let lock = format!(".{}.lock", written.file_name().expect("a name").display());
        let lock = written.with_file_name(lock);
        let _ = fs::remove_file(&lock);
        let mut child = tavli()
            .args(command.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        // The file that will be written is locked before the record is read.
        while !lock.exists() {
            assert!(child.try_wait().expect("it is ours").is_none(), "{command}");
            thread::yield_now();
        }
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert_eq!(errors(&output), "error: interrupted before the end\n", "{command}");
    }
    fs::remove_file(file).expect("it was there");
}

/// The table of 7 points and 9 checkers takes a minute, which nobody waits for who has named it by mistake.
#[test]
fn an_engine_whose_table_is_being_solved_is_ended() {
    for command in ["serve --listen 0", "jsonrpc", "external 0", "ubgi", "gnubg"] {
        let child = start(&format!("{command} --player fast+bearoff:7x9 --threads 1"));
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
        assert_eq!(
            errors(&output),
            "error: interrupted before the end: there is no result\n",
            "{command}"
        );
    }
}

/// A pipe that is full, and that nobody reads: what a command writes to it waits.
#[cfg(target_os = "linux")]
fn full_pipe() -> (std::io::PipeReader, std::io::PipeWriter) {
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    writer.write_all(&[b'x'; 1 << 16]).expect("what a pipe holds");
    (reader, writer)
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_nobody_reads_does_not_keep_a_command() {
    let positions = scratch_file("unread.tsv");
    fs::write(&positions, [OPENING; 40].join("\n")).expect("a place to write");
    // The second group has nothing to write if the signal comes before the first row, or result.
    for (command, writes) in [
        ("playout --games 1000 --threads 1 --per-game -", true),
        ("playout --games 1000 --threads 1", true),
        ("play uniform uniform --games 2", true),
        ("playout --positions {file} --games 4 --threads 1", false),
        ("rollout 4HPwATDgc/ABMA --policy uniform --trials 36 --threads 1", false),
        (
            "rollout --positions {file} --policy uniform --trials 36 --threads 1",
            false,
        ),
        ("evaluate --positions {file} --player fast --threads 1", false),
        ("search 4HPwATDgc/ABMA 31 --simulations 1000 --threads 1", false),
        ("duel pubeval uniform --games 10 --threads 1", false),
        ("solve draughts --pieces 2 --threads 1", false),
    ] {
        let arguments = command.replace("{file}", &positions.to_string_lossy());
        let (reader, writer) = full_pipe();
        let mut child = tavli()
            .args(arguments.split_whitespace())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        wait_until_caught(&mut child);
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        let said = "error: interrupted, and nobody reads the output: what was not yet written is lost\n";
        if writes || errors(&output).ends_with(said) {
            assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
            // A busy machine may leave no time for the words.
            let words = errors(&output);
            assert!(words.is_empty() || words.ends_with(said), "{command}: {words}");
        } else {
            assert!(errors(&output).contains("interrupted"), "{command}: {output:?}");
        }
        drop(reader);
    }
    fs::remove_file(positions).expect("it was there");
}

/// The last words are for standard error, which may be the same pipe.
#[cfg(target_os = "linux")]
#[test]
fn words_that_nobody_reads_do_not_keep_a_command() {
    for command in ["playout --games 1000 --threads 1", "playout --seconds 600 --threads 1"] {
        let (reader, writer) = full_pipe();
        let mut child = tavli()
            .args(command.split_whitespace())
            .stdout(writer.try_clone().expect("a pipe"))
            .stderr(writer)
            .spawn()
            .expect("it starts");
        wait_until_caught(&mut child);
        signal_all(&child, &["TERM"]);
        assert_eq!(child.wait().expect("it ends").code(), Some(1), "{command}");
        drop(reader);
    }
}

#[test]
fn rows_before_the_end_are_printed() {
    let positions = scratch_file("many-rows.tsv");
    let lines = [OPENING; 4000].join("\n");
    fs::write(&positions, lines).expect("a place to write");
    let mut child = start(&format!(
        "evaluate --positions {} --player strong --look-ahead 1 --threads 1",
        positions.display()
    ));
    let rows = read_meanwhile(&mut child);
    let_worker_use(&mut child, Duration::from_millis(500));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let rows = String::from_utf8_lossy(&rows.join().expect("rows")).lines().count();
    assert!((1..4000).contains(&rows), "{rows} rows");
    assert!(
        errors(&output)
            .replace(',', "")
            .contains(&format!("interrupted after {rows} lines")),
        "{}",
        errors(&output)
    );
    fs::remove_file(positions).expect("it was there");
}

#[test]
fn plays_that_were_not_looked_ahead_from_are_marked() {
    let mut child = start(&format!(
        "evaluate {OPENING} 31 --player strong --look-ahead 4 --keep 16 --threads 1 --layout gnubg"
    ));
    // Far less than the four plies after one play take.
    let_worker_use(&mut child, Duration::from_millis(100));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    let rows: Vec<&str> = said.lines().filter(|line| line.contains("Eq.:")).collect();
    assert_eq!(rows.len(), 16, "{said}");
    assert!(rows.iter().all(|row| row.ends_with("  0-ply")), "{said}");
    assert_eq!(errors(&output), "interrupted after 0 plays\n");
}

#[test]
fn a_position_that_was_not_looked_ahead_from_has_its_value() {
    let common = format!("evaluate {OPENING} --player strong --match 7 --threads 1 --json");
    let mut child = start(&format!("{common} --look-ahead 4 --keep 16"));
    let_worker_use(&mut child, Duration::from_millis(100));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        errors(&output),
        "interrupted: the value is that without looking ahead\n"
    );
    let mut found = result(&output);
    let interrupted = found.as_object_mut().expect("an object").remove("interrupted");
    assert_eq!(interrupted, Some(true.into()));
    assert_eq!(found, json(&common));
}

#[test]
fn a_count_that_takes_years_is_ended_with_its_depths() {
    for arguments in [&*format!("perft {OPENING} 12"), "perft start 12 --game plakoto"] {
        let child = start(&format!("{arguments} --json"));
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{arguments}: {output:?}");
        let counted = result(&output);
        assert_eq!(counted["interrupted"], true, "{arguments}");
        let depths = counted["depths"].as_array().expect("a list");
        assert!(depths.len() < 12, "{arguments}: {counted}");
        let next = format!("interrupted before depth {}\n", depths.len() + 1);
        assert_eq!(errors(&output), next, "{arguments}");
    }
}

#[test]
fn what_has_nothing_yet_is_ended() {
    let table = scratch_file("nothing.tab");
    let table = table.display();
    for arguments in [
        "profile --situations 1000000".to_owned(),
        format!("solve hypergammon --output {table}"),
    ] {
        let child = start(&arguments);
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{arguments}: {output:?}");
        assert_eq!(
            errors(&output),
            "error: interrupted before the end: there is no result\n"
        );
    }
    assert!(
        !fs::exists(table.to_string()).expect("a folder"),
        "no file of what was not begun"
    );
}

#[test]
fn bad_lines_without_end_are_ended() {
    for arguments in [
        "play",
        "play --match 3",
        "play --game draughts",
        "evaluate --threads 1",
        "playout --positions - --games 10 --threads 1",
        "rollout --positions - --trials 36 --threads 1",
    ] {
        let mut child = tavli()
            .args(arguments.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        // Until the command closes its end; so many at a time that the next line never has to be waited for.
        let lines = b"no position\n".repeat(4096);
        let writer = thread::spawn(move || while input.write_all(&lines).is_ok() {});
        wait_until_caught(&mut child);
        signal_all(&child, &["TERM"]);
        let status = child.wait().expect("it ends");
        // 0 if the signal came before the first line.
        assert!(matches!(status.code(), Some(0 | 1)), "{arguments}: {status:?}");
        writer.join().expect("the pipe is closed");
    }
}
