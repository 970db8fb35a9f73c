//! A build to compare: programs that exist, or that are built from a revision.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use thiserror::Error;

/// A build of tavli, in one layout or several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Build {
    /// The name of the build: a path or a revision.
    pub name: String,
    /// Its programs, one for each layout; at least one.
    pub programs: Vec<PathBuf>,
}

/// Why a name has no build.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The name is neither a file's nor a revision's.
    #[error("'{0}' is neither a program nor a git revision of this folder; name a file, a tag or a commit")]
    Unknown(String),
    /// A program has the one layout that its linker gave it.
    #[error("the program '{0}' has one layout; compare git revisions, or leave out --layouts")]
    Layouts(String),
    /// Git or cargo failed.
    #[error("cannot build '{name}': {reason}")]
    Failed {
        /// The revision.
        name: String,
        /// The command, and its result.
        reason: String,
    },
}

impl Build {
    /// The program with the path `name`, or the git revision `name`, built with each of `layouts` orders of its
    /// functions.
    ///
    /// A revision is checked out below `compare` in cargo's target folder of the repository that contains the current
    /// folder, and built there by `cargo rustc --release`. Cargo writes its progress to standard error. Builds stay
    /// there, so that a second comparison with the same revision only links them.
    ///
    /// # Errors
    /// [`BuildError`] if there is neither such a file nor such a revision, or if it cannot be built.
    pub fn by_name(name: &str, layouts: usize) -> Result<Build, BuildError> {
        let path = Path::new(name);
        if path.is_file() {
            if layouts > 1 {
                return Err(BuildError::Layouts(name.to_owned()));
            }
            // A name without a folder would be looked up in PATH.
            let program = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            return Ok(Build { name: name.to_owned(), programs: vec![program] });
        }
        let failed = |reason: String| BuildError::Failed { name: name.to_owned(), reason };
        let commit = format!("{name}^{{commit}}");
        let commit = git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
            .map_err(|_| BuildError::Unknown(name.to_owned()))?;
        let top = git(&["rev-parse", "--show-toplevel"]).map_err(failed)?;
        let target = env::var_os("CARGO_TARGET_DIR").map_or(PathBuf::from(&top).join("target"), PathBuf::from);
        Ok(Build { name: name.to_owned(), programs: build(&commit, &target.join("compare"), layouts).map_err(failed)? })
    }
}

/// Builds a commit below a folder.
fn build(commit: &str, folder: &Path, layouts: usize) -> Result<Vec<PathBuf>, String> {
    let cannot = |error: io::Error| format!("cannot write below {}: {error}", folder.display());
    let short = &commit[..commit.len().min(12)];
    fs::create_dir_all(folder.join("bin")).map_err(cannot)?;
    let below = folder.canonicalize().map_err(cannot)?;
    let sources = below.join(short);
    check_out(commit, &sources)?;
    let target = below.join("build");
    let programs = (0..layouts).map(|layout| {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(&sources)
            .args(["rustc", "--release", "--locked"])
            .args(["--package", "tavli-cli", "--bin", "tavli"])
            .arg("--target-dir")
            .arg(&target);
        if layouts > 1 {
            // The linker of the Rust tool chain on Linux: it orders the functions by a number that is not 0.
            let order = format!("link-arg=-Wl,--shuffle-sections=.text.*={}", layout + 1);
            cargo.args(["--", "-C", &order]);
        }
        let status = cargo.status().map_err(|error| format!("cannot run cargo: {error}"))?;
        if !status.success() {
            return Err(format!("cargo rustc in {} failed ({status})", sources.display()));
        }
        let program = below.join("bin").join(format!("{short}-{layout}{}", env::consts::EXE_SUFFIX));
        let built = format!("release/tavli{}", env::consts::EXE_SUFFIX);
        fs::copy(target.join(built), &program).map_err(cannot)?;
        Ok(program)
    });
    programs.collect()
}

/// Checks the commit out in a worktree of its own, if there is none yet.
fn check_out(commit: &str, sources: &Path) -> Result<(), String> {
    let place = sources.to_string_lossy();
    if !sources.exists() {
        // A folder that was deleted is still in git's list, hence --force.
        git(&["worktree", "add", "--force", "--detach", &place, commit])?;
    }
    let found = git(&["-C", &place, "rev-parse", "HEAD"])?;
    let changes = git(&["-C", &place, "status", "--porcelain"])?;
    if found != commit || !changes.is_empty() {
        return Err(format!("{place} was changed; delete it"));
    }
    Ok(())
}

/// The output of git, trimmed; its last line on standard error if it fails.
fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(arguments).output();
    let output = output.map_err(|error| format!("cannot run git: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    let errors = text(&output.stderr);
    let said = errors.lines().last().unwrap_or("no message");
    Err(format!("git {}: {said}", arguments.join(" ")))
}
