//! Hypergammon, begun, interrupted and gone on with.

use std::fs;
use std::process::{Command, Stdio};

#[cfg(target_os = "linux")]
use crate::bearoff::run_within;
use crate::support::{errors, let_work, parse, run, scratch_file, tavli, text};

#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_an_error() {
    let file = scratch_file("too-large.tab");
    let arguments = format!("solve hypergammon --threads 1 --output {}", file.display());
    // Too little for the equities, for the best plays, and for the probabilities.
    for kibibytes in [100_000, 400_000, 1_200_000] {
        let refused = run_within(kibibytes, &arguments);
        assert_eq!(refused.status.code(), Some(1), "{kibibytes}: {refused:?}");
        assert!(
            errors(&refused).contains("too little memory: solving takes about 1.5 GB"),
            "{kibibytes}: {refused:?}"
        );
        assert!(!file.exists());
    }
}

#[test]
fn an_interrupted_solver_leaves_a_file_that_it_goes_on_from() {
    let file = scratch_file("hyper.tab");
    let _ = fs::remove_file(&file);
    let arguments = format!(
        "solve hypergammon --json --threads 1 --pin none --output {}",
        file.display()
    );
    let begin = || {
        let mut child = tavli()
            .args(arguments.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let_work(&mut child);
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(killed.expect("there is kill").success());
        parse(&child.wait_with_output().expect("it ends"))
    };
    for _ in 0..2 {
        let document = begin();
        assert_eq!(document["interrupted"], true, "{document}");
        assert_eq!(document["file"], file.display().to_string());
    }
    let read = run(&format!("solve hypergammon --table {} --opening", file.display()));
    assert_eq!(read.status.code(), Some(1));
    assert!(errors(&read).contains("not finished"), "{read:?}");
    assert_eq!(text(&read), "");

    fs::write(&file, "something else").expect("it is written");
    let foreign = run(&arguments);
    assert_eq!(foreign.status.code(), Some(2));
    assert!(errors(&foreign).contains("not a table of hypergammon"), "{foreign:?}");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "something else");
    fs::remove_file(&file).expect("it is there");
}
