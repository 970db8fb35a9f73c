//! The program and the machine of a run: printed above its result, and part of its JSON.

use std::fmt;
use std::fs;

use serde::Serialize;
use tavli::Tier;
use tavli::run::{CpuList, Cpus, Pinning, Placement, Workers};
use tavli_bench::Binding;
use tavli_bench::binding;
use tavli_terminal::numbers::counted;
use tavli_terminal::output::{self, UntoldRemarks};

/// The program and the machine of a run.
#[derive(Debug, Serialize)]
pub struct RunHeader {
    version: &'static str,
    /// The commit it was built from, if that is known.
    commit: Option<&'static str>,
    compiler: &'static str,
    cpu: String,
    isa: &'static str,
    threads: usize,
    /// How the workers were placed: `cores` or `none` if `auto` was asked.
    pinning: String,
    pinning_asked: String,
    /// `pinning` and `pinning_asked` in words, with the reason.
    #[serde(skip)]
    pinned: String,
    /// The CPUs that workers are bound to; `None` if they are bound to none.
    cpus: Option<String>,
    /// The CPUs of each worker.
    workers: Vec<Binding>,
    /// The number of worker threads of each rank; the other members describe rank 0. Absent if a single process plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<Vec<u64>>,
    /// The number of CPUs that the process may use.
    cpus_allowed: usize,
    /// The CPU time that control groups grant, in CPUs; `None` without a bound.
    cpus_granted: Option<f64>,
    /// The remark on the workers.
    #[serde(skip)]
    remark: Option<String>,
    /// All remarks for the user, one line each.
    remarks: UntoldRemarks,
}

impl RunHeader {
    pub(crate) fn new(tier: Tier, asked: &Pinning, placement: &Placement, cpus: &Cpus, workers: &Workers) -> RunHeader {
        let bound: Option<CpuList> = workers.cpus().iter().copied().collect();
        RunHeader {
            version: env!("CARGO_PKG_VERSION"),
            commit: commit(),
            compiler: env!("TAVLI_COMPILER"),
            cpu: cpu_model(),
            isa: tier.name(),
            threads: workers.count(),
            pinning: placement.pinning().to_string(),
            pinning_asked: asked.to_string(),
            pinned: match bound {
                // The system may refuse to bind.
                None if *placement.pinning() != Pinning::None => "not pinned".to_owned(),
                _ => binding::pinned(asked, placement, cpus),
            },
            cpus: bound.map(|list| list.to_string()),
            workers: Binding::from_workers(workers.cpus(), cpus),
            ranks: None,
            cpus_allowed: cpus.count().get(),
            cpus_granted: cpus.granted(),
            remark: binding::remark(workers.cpus(), cpus),
            remarks: UntoldRemarks,
        }
    }

    /// Adds the numbers of worker threads of the ranks.
    pub fn with_ranks(self, threads: Vec<u64>) -> RunHeader {
        RunHeader { ranks: Some(threads), ..self }
    }

    /// Remarks on the workers, if there is something to say.
    pub fn remark(&self) {
        self.remark.iter().for_each(output::remark);
    }
}

impl fmt::Display for RunHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `rustc 1.95.0 (59807616e 2026-04-14)` is cut after its second word.
        let compiler = self.compiler.match_indices(' ').nth(1);
        let compiler = compiler.map_or(self.compiler, |(end, _)| &self.compiler[..end]);
        let commit = self.commit.unwrap_or("unknown");
        writeln!(f, "tavli {}, commit {commit}, {compiler}", self.version)?;
        writeln!(f, "{}, instruction set tier: {}", self.cpu, self.isa)?;
        if let Some(ranks) = &self.ranks {
            let threads = counted(ranks.iter().sum::<u64>(), "thread", "threads");
            let ranks = counted(ranks.len() as u64, "rank", "ranks");
            writeln!(f, "{ranks} with {threads}; the first has")?;
        }
        write!(f, "{}", counted(self.threads as u64, "thread", "threads"))?;
        if let Some(cpus) = &self.cpus {
            let plural = if cpus.contains([',', '-']) { "s" } else { "" };
            write!(f, " on CPU{plural} {cpus}")?;
        }
        write!(f, ", {}", self.pinned)?;
        write!(f, "; CPUs allowed: {}", self.cpus_allowed)?;
        if let Some(granted) = self.cpus_granted {
            write!(f, ", granted by control group: {granted:.2}")?;
        }
        for line in binding::describe(&self.workers) {
            write!(f, "\n{line}")?;
        }
        Ok(())
    }
}

/// The commit that the program was built from, if that is known.
pub(crate) fn commit() -> Option<&'static str> {
    Some(env!("TAVLI_COMMIT")).filter(|commit| !commit.is_empty())
}

/// The name of the processor, as Linux gives it, or the name of its architecture.
fn cpu_model() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == "model name")
        .map_or(std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}
