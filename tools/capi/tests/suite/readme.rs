//! The guides show the program that the check builds, and what it prints.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::support::{ok, opening_31, play, results, workers};
use tavli_capi::*;

/// The variable that has outputs written instead of compared.
const WRITE: &str = "TAVLI_WRITE_README";

/// The documents that show the program.
const DOCUMENTS: [&str; 2] = ["README.md", "tools/capi/README.md"];

fn path(document: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document)
}

#[test]
fn the_program_of_the_guides_is_the_consumer() {
    for document in DOCUMENTS {
        let text = fs::read_to_string(path(document)).expect("a document");
        let program = format!("```c\n{}```\n", include_str!("../../consumer/opening.c"));
        assert!(text.contains(&program), "{document}");
    }
}

#[test]
fn the_program_prints_what_the_guides_show() {
    let printed = what_the_program_prints();
    for document in DOCUMENTS {
        let text = fs::read_to_string(path(document)).expect("a document");
        let (before, after) = text.split_once("$ ./opening\n").expect("the program is run");
        let (shown, rest) = after.split_once("```\n").expect("the block ends");
        if env::var_os(WRITE).is_some() {
            let text = format!("{before}$ ./opening\n{printed}```\n{rest}");
            fs::write(path(document), text).expect("a place for the document");
        } else {
            assert_eq!(shown, printed, "{document}");
        }
    }
}

/// The calls of the program.
fn what_the_program_prints() -> String {
    let stop = Stop { trials: 1296, ..tavli_stop_default() };
    let rollout = opening_31(&tavli_settings_default(), &stop);
    play(&rollout, &workers(0, None)).expect("a rollout");
    let best = results(&rollout).expect("results")[0];
    let mut first = std::mem::MaybeUninit::uninit();
    // SAFETY: the rollout lives, and there is room for one play.
    ok(unsafe { tavli_rollout_candidate(rollout.get(), best.candidate, first.as_mut_ptr()) });
    // SAFETY: the call succeeded, so it wrote a play.
    let first: Play = unsafe { first.assume_init() };
    let moves = first.moves.iter().take_while(|&&unit| unit != 0);
    let moves: String = moves.map(|&unit| unit as u8 as char).collect();
    let (mean, error) = (best.equity.mean, best.equity.standard_error);
    format!("{moves}: {mean:+.4} [{error:.4}]\n")
}
