//! Records the compiler and the commit that the command is built from.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let compiler = output(&rustc, &["--version"]).unwrap_or_else(|| "unknown compiler".to_owned());
    println!("cargo::rustc-env=TAVLI_COMPILER={compiler}");
    let commit = commit();
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets the version");
    let version = match &commit {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=TAVLI_VERSION={version}");
    println!("cargo::rustc-env=TAVLI_COMMIT={}", commit.unwrap_or_default());

    println!("cargo::rustc-env=TAVLI_FLAGS={}", flags());

    // The sources decide whether the commit of a build is unmodified; the last two paths give the commit.
    println!("cargo::rerun-if-changed=../../Cargo.toml");
    for package in packages() {
        // Not the whole package, since the fuzz targets are built below one.
        for part in ["build.rs", "Cargo.toml", "src", "players", "recipes"].map(|part| package.join(part)) {
            if part.exists() {
                println!("cargo::rerun-if-changed={}", part.display());
            }
        }
    }
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = output("git", &["rev-parse", "--git-path", name])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

/// The folders of the packages that the command links; alone, as it is published, it has its own.
fn packages() -> Vec<PathBuf> {
    let kernel = fs::read_dir("../../kernel").into_iter().flatten().flatten().map(|folder| folder.path());
    kernel.chain([".", "../engines", "../terminal", "../../bench"].map(PathBuf::from)).collect()
}

/// The target, the profile and the flags given by hand. The profile sets a level of optimisation for each package.
fn flags() -> String {
    let of = |name: &str| env::var(name).unwrap_or_default();
    let by_hand = of("CARGO_ENCODED_RUSTFLAGS").replace('\x1f', " ");
    let by_hand = match by_hand.as_str() {
        "" => "no RUSTFLAGS".to_owned(),
        flags => format!("RUSTFLAGS {flags}"),
    };
    format!("{}, {}, {by_hand}", of("TARGET"), of("PROFILE"))
}

/// The commit checked out, with `-modified` if the sources differ from it; `None` outside a repository
/// of these sources.
fn commit() -> Option<String> {
    output("git", &["ls-files", "--error-unmatch", "build.rs"])?;
    let commit = output("git", &["rev-parse", "--short=12", "HEAD"])?;
    let changes =
        output("git", &["status", "--porcelain", "--", "../..", ":!../../profiles/machines", ":!../../profiles/*.md"])?;
    let modified = if changes.is_empty() { "" } else { "-modified" };
    Some(commit + modified)
}

/// The output of a program, trimmed; `None` if it fails.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
