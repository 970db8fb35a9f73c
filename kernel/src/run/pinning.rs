//! Which CPU each worker is bound to.

use core::fmt;
use core::num::NonZeroUsize;
use core::str::FromStr;

use thiserror::Error;

use super::cpus::{Cpu, CpuList, CpuListError, Cpus};

/// How workers are bound to CPUs. Without a number of threads, `Cores` starts one worker per core and
/// the others one per CPU, within what control groups grant, and a list one per CPU listed. More workers
/// than CPUs share them in turn.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pinning {
    /// The first CPU of each core, socket by socket; then the cores' other CPUs.
    #[default]
    Cores,
    /// All CPUs of a core before the next core, socket by socket.
    Compact,
    /// The sockets in turn, a core of each; the cores' other CPUs last.
    Spread,
    /// Wherever the operating system puts them.
    None,
    /// These CPUs, in this order.
    List(CpuList),
}

/// A text that is no [`Pinning`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PinningError {
    /// A word that is none of the four.
    #[error(
        "'{0}' is no way to pin: choose cores, compact, spread, none, or a list of CPUs such as 0,2-5"
    )]
    Word(String),
    /// A list with a fault.
    #[error("in the list of CPUs '{text}': {source}")]
    List {
        /// The list as written.
        text: String,
        /// The fault.
        source: CpuListError,
    },
}

impl fmt::Display for Pinning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pinning::Cores => f.write_str("cores"),
            Pinning::Compact => f.write_str("compact"),
            Pinning::Spread => f.write_str("spread"),
            Pinning::None => f.write_str("none"),
            Pinning::List(list) => list.fmt(f),
        }
    }
}

impl FromStr for Pinning {
    type Err = PinningError;

    fn from_str(text: &str) -> Result<Pinning, PinningError> {
        match text {
            "cores" => Ok(Pinning::Cores),
            "compact" => Ok(Pinning::Compact),
            "spread" => Ok(Pinning::Spread),
            "none" => Ok(Pinning::None),
            list if list.starts_with(|c: char| c.is_ascii_digit()) => list
                .parse()
                .map(Pinning::List)
                .map_err(|source| PinningError::List {
                    text: list.to_owned(),
                    source,
                }),
            word => Err(PinningError::Word(word.to_owned())),
        }
    }
}

/// Where each worker of a run goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    pub(super) cpus: Vec<Option<usize>>,
    pub(super) pinning: Pinning,
}

/// Why workers cannot be placed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// A listed CPU that this process may not use.
    #[error("CPU {cpu} is not one that this process may use; those are {allowed}")]
    NotAllowed {
        /// The CPU.
        cpu: usize,
        /// The CPUs that it may use.
        allowed: CpuList,
    },
    /// A list of CPUs on a system that does not tell which ones there are.
    #[error("this system does not tell which CPUs there are, so none can be listed")]
    Untold,
    /// Too many workers.
    #[error("{threads} threads are more than a run takes, which is {max}", max = Placement::MOST)]
    TooMany {
        /// The number asked for.
        threads: usize,
    },
}

impl Placement {
    /// The most workers of a run.
    pub const MOST: usize = 4096;

    /// Places `threads` workers, or as many as [`Pinning`] says, on CPUs.
    ///
    /// # Errors
    /// [`PlacementError`] if a listed CPU is not allowed or not known, or `threads` exceeds [`Placement::MOST`].
    pub fn new(
        cpus: &Cpus,
        pinning: Pinning,
        threads: Option<NonZeroUsize>,
    ) -> Result<Placement, PlacementError> {
        if let Some(threads) = threads.map(NonZeroUsize::get)
            && threads > Placement::MOST
        {
            return Err(PlacementError::TooMany { threads });
        }
        let order = match &pinning {
            Pinning::Cores => sorted(cpus, |cpu, _| (cpu.sibling, cpu.package, cpu.core)),
            Pinning::Compact => sorted(cpus, |cpu, _| (cpu.package, cpu.core, cpu.sibling)),
            Pinning::Spread => sorted(cpus, |cpu, nth| (cpu.sibling, nth, cpu.package)),
            Pinning::None => Vec::new(),
            Pinning::List(list) => {
                let allowed = cpus.list();
                if allowed.as_slice().is_empty() {
                    return Err(PlacementError::Untold);
                }
                let foreign = |cpu: &&usize| !allowed.as_slice().contains(cpu);
                if let Some(&cpu) = list.as_slice().iter().find(foreign) {
                    return Err(PlacementError::NotAllowed { cpu, allowed });
                }
                list.as_slice().to_vec()
            }
        };
        let threads = threads.unwrap_or_else(|| match &pinning {
            Pinning::Cores => cpus.within_grant(cpus.cores()),
            Pinning::Compact | Pinning::Spread | Pinning::None => cpus.within_grant(cpus.count()),
            Pinning::List(list) => {
                NonZeroUsize::new(list.as_slice().len()).unwrap_or(NonZeroUsize::MIN)
            }
        });
        let cpus = if order.is_empty() {
            vec![None; threads.get()]
        } else {
            order
                .into_iter()
                .map(Some)
                .cycle()
                .take(threads.get())
                .collect()
        };
        Ok(Placement { cpus, pinning })
    }

    /// How many workers there are.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.cpus.len()
    }
}

/// The CPUs in ascending order of `key`, which takes a CPU and its rank among the CPUs of its socket
/// that have the same sibling number.
fn sorted<K: Ord>(cpus: &Cpus, key: impl Fn(&Cpu, usize) -> K) -> Vec<usize> {
    let mut keyed: Vec<(K, usize)> = cpus
        .iter()
        .map(|cpu| {
            let alike = |other: &Cpu| {
                (other.package, other.sibling) == (cpu.package, cpu.sibling)
                    && other.core < cpu.core
            };
            (key(&cpu, cpus.iter().filter(alike).count()), cpu.id)
        })
        .collect();
    keyed.sort();
    keyed.into_iter().map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::super::cpus::tests::two_sockets;
    use super::*;

    fn place(pinning: &str, threads: Option<usize>, granted: Option<f64>) -> Vec<usize> {
        let cpus = two_sockets(&[0, 1, 2, 3, 4, 5, 6, 7], granted);
        let threads = threads.map(|n| NonZeroUsize::new(n).unwrap());
        Placement::new(&cpus, pinning.parse().unwrap(), threads)
            .unwrap()
            .cpus
            .into_iter()
            .map(|cpu| cpu.expect("pinned"))
            .collect()
    }

    #[test]
    fn orders_on_two_sockets_with_siblings() {
        assert_eq!(place("cores", None, None), [0, 1, 2, 3]);
        assert_eq!(place("cores", Some(6), None), [0, 1, 2, 3, 4, 5]);
        assert_eq!(place("compact", None, None), [0, 4, 1, 5, 2, 6, 3, 7]);
        assert_eq!(place("spread", None, None), [0, 2, 1, 3, 4, 6, 5, 7]);
        assert_eq!(place("7,0-2", None, None), [7, 0, 1, 2]);
        assert_eq!(place("7,0-2", Some(2), None), [7, 0]);
        assert_eq!(place("6-7", Some(5), None), [6, 7, 6, 7, 6]);
    }

    #[test]
    fn a_grant_bounds_only_the_default() {
        assert_eq!(place("spread", None, Some(2.5)), [0, 2]);
        assert_eq!(place("cores", None, Some(0.2)), [0]);
        assert_eq!(place("cores", Some(3), Some(0.2)), [0, 1, 2]);
        assert_eq!(place("4-7", None, Some(3.0)), [4, 5, 6, 7]);
    }

    #[test]
    fn none_pins_nowhere() {
        let cpus = two_sockets(&[0, 1, 5], None);
        let placement = Placement::new(&cpus, Pinning::None, None).unwrap();
        assert_eq!(placement.cpus, [None; 3]);
    }

    #[test]
    fn what_is_not_possible_is_refused() {
        let cpus = two_sockets(&[0, 1, 2], None);
        let error = Placement::new(&cpus, "1,3".parse().unwrap(), None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "CPU 3 is not one that this process may use; those are 0-2"
        );
        let threads = NonZeroUsize::new(Placement::MOST + 1);
        let error = Placement::new(&cpus, Pinning::Cores, threads).unwrap_err();
        assert_eq!(error, PlacementError::TooMany { threads: 4097 });
    }

    #[test]
    fn words_are_read_and_written() {
        for text in ["cores", "compact", "spread", "none", "0", "0,2-5"] {
            assert_eq!(text.parse::<Pinning>().unwrap().to_string(), text);
        }
        for text in ["", "core", "Cores", "all", ",1", "-1"] {
            let error = text.parse::<Pinning>();
            assert!(matches!(error, Err(PinningError::Word(_))), "{text}");
        }
        let error = "3-1".parse::<Pinning>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "in the list of CPUs '3-1': the range 3-1 runs backwards: write 1-3"
        );
    }
}
