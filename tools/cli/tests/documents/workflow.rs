//! CI runs every step of `.ci/run`.

use std::fs;
use std::process::Command;

use crate::document::repository;

/// Whether a pattern of steps, which may end with `*`, names a step.
fn names(pattern: &str, step: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => step.starts_with(start),
        None => step == pattern,
    }
}

#[test]
fn the_jobs_of_ci_run_every_step() {
    let listed = Command::new(repository().join(".ci/run")).arg("--list").output().expect(".ci/run");
    let listed = String::from_utf8(listed.stdout).expect("names");
    let workflow = fs::read_to_string(repository().join(".github/workflows/ci.yml")).expect("the workflow");
    let jobs = workflow.lines().filter_map(|line| line.trim().strip_prefix("steps: "));
    let patterns: Vec<&str> = jobs.flat_map(str::split_whitespace).collect();
    // What a step needs is installed by the step, whatever is named.
    let steps: Vec<&str> = listed.lines().filter(|step| !step.starts_with("install-")).collect();
    assert!(steps.len() > 30, "only {} steps are listed", steps.len());
    let left_out = steps.iter().filter(|step| !patterns.iter().any(|pattern| names(pattern, step)));
    assert_eq!(left_out.collect::<Vec<_>>(), [] as [&&str; 0], "no job of ci.yml runs these");
}
