//! Counts the instructions of the benchmark `instructions`, and compares them with the baseline.
//!
//! Without arguments it fails if a count has grown by more than 1 %, or if a benchmark is not in the
//! baseline, or only there. `--record` writes the counts as the new baseline; the change is then seen,
//! and argued for, in the commit that holds it.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The growth tolerated, in percent.
const TOLERANCE: f64 = 1.0;

/// Counts, and what they depend on besides the source.
#[derive(Serialize, Deserialize)]
struct Baseline {
    rustc: String,
    valgrind: String,
    /// Valgrind shows the features of this CPU up to AVX2, and the kernel chooses its tier by them.
    cpu: String,
    /// Instructions by benchmark.
    instructions: BTreeMap<String, u64>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [] => compare(),
        [argument] if argument == "--record" => record(),
        _ => {
            eprintln!("usage: instructions [--record]");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("instructions: {error}");
            ExitCode::FAILURE
        }
    }
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../profiles/baselines/instructions.json")
}

fn record() -> Result<bool, Box<dyn Error>> {
    let text = serde_json::to_string_pretty(&measure()?)?;
    fs::write(path(), text + "\n").map_err(|error| format!("{}: {error}", path().display()))?;
    println!("recorded in {}", path().display());
    Ok(true)
}

/// Whether nothing has grown.
fn compare() -> Result<bool, Box<dyn Error>> {
    let text = fs::read(path()).map_err(|error| format!("{}: {error}", path().display()))?;
    let baseline: Baseline = serde_json::from_slice(&text)?;
    let found = measure()?;
    let mut passed = true;
    for (name, &count) in &found.instructions {
        let Some(&before) = baseline.instructions.get(name) else {
            println!("{name:34} {count:>10}  FAILED: not in the baseline");
            passed = false;
            continue;
        };
        let growth = 100.0 * (count as f64 / before as f64 - 1.0);
        let verdict = if growth > TOLERANCE { "FAILED" } else { "" };
        println!("{name:34} {count:>10}  {growth:+7.2} %  {verdict}");
        passed &= growth <= TOLERANCE;
    }
    for name in baseline.instructions.keys() {
        if !found.instructions.contains_key(name) {
            println!("{name:34}             FAILED: in the baseline, but not measured");
            passed = false;
        }
    }
    for (what, before, now) in [
        ("compiler", &baseline.rustc, &found.rustc),
        ("Valgrind", &baseline.valgrind, &found.valgrind),
        ("CPU", &baseline.cpu, &found.cpu),
    ] {
        if before != now {
            println!("note: the baseline has another {what}: {before}, not {now}");
        }
    }
    if !passed {
        println!(
            "instructions grew by more than {TOLERANCE} %, or the benchmarks changed. If that is meant, record them:\n\
             cargo run --release -p tavli-bench --features instructions --bin instructions -- --record"
        );
    }
    Ok(passed)
}

fn measure() -> Result<Baseline, Box<dyn Error>> {
    let mut bench = Command::new(env!("CARGO"));
    bench
        .args(["bench", "--quiet", "--package", "tavli-bench"])
        .args(["--features", "instructions", "--bench", "instructions"])
        .args(["--", "--output-format=json", "--nosummary"]);
    let mut instructions = BTreeMap::new();
    for line in output(&mut bench)?.lines() {
        let (name, count) = read(line)
            .ok_or_else(|| format!("gungraun wrote a line that is not a summary with an instruction count: {line}"))?;
        instructions.insert(name, count);
    }
    let rustc = output(Command::new("rustc").arg("--version"))?;
    let valgrind = output(Command::new("valgrind").arg("--version"))?;
    Ok(Baseline { rustc: rustc.trim().to_owned(), valgrind: valgrind.trim().to_owned(), cpu: cpu(), instructions })
}

/// The name and the instruction count in one of gungraun's JSON summaries.
fn read(summary: &str) -> Option<(String, u64)> {
    let summary: Value = serde_json::from_str(summary).ok()?;
    let text = |field| summary[field].as_str();
    let name = format!("{}::{}::{}", text("group")?, text("function_name")?, text("id")?);
    let count = &summary["profiles"][0]["data"]["total"]["metrics"]["Ir"]["values"]["new"];
    Some((name, count.as_u64()?))
}

/// The model name of the first CPU, as Linux reports it.
fn cpu() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or("unknown", |(_, name)| name).to_owned()
}

/// The output of a command; its messages go to standard error.
fn output(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("cannot run {program}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program} failed: {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
