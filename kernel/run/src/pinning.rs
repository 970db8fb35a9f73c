//! Which CPU each worker is bound to.

use core::fmt;
use core::num::NonZeroUsize;
use core::str::FromStr;
use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::cpu_list::{CpuList, CpuListError};
use super::cpus::{Allowed, Cpus, Unusable};
use super::topology::Cpu;

/// The part of a machine that a worker has for itself: the *places* of OpenMP's `OMP_PLACES`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A CPU; a core with SMT has several.
    Thread,
    /// A core.
    Core,
    /// The cores that share a cache of level 3.
    L3,
    /// The cores near to a memory node.
    Numa,
    /// The cores of a socket.
    Socket,
}

/// The order in which workers take places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FillOrder {
    /// Neighbours first: one socket, in it one memory node, in it one cache after the other.
    #[default]
    Compact,
    /// Far apart: the sockets in turn, in them the memory nodes in turn, in these the caches in turn.
    Spread,
}

/// How workers are bound to CPUs. A worker is bound to one CPU before it allocates memory, so its memory is on the
/// nearest node.
///
/// Written as `PLACE[:compact|:spread][:smt|:no-smt]`, where a place is `threads`, `cores`, `l3`, `numa` or `sockets`;
/// `compact` and `spread` alone are `threads` in that order, `none` binds nothing, `auto` is `cores` or `none`, and a
/// list names the CPUs.
///
/// ```
/// use tavli_run::Pinning;
/// let pinning: Pinning = "numa:spread".parse()?;
/// assert_eq!(pinning.to_string(), "numa:spread");
/// # Ok::<(), tavli_run::PinningError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pinning {
    /// Each place gets a worker on the first CPU of its first core. Further workers go to the places' other cores in
    /// turn, and after these to the other CPUs of the cores.
    Places {
        /// The part of the machine that a worker has for itself. Without a number of threads there is one worker per
        /// place, within the grant of control groups.
        place: Place,
        /// The order of the places.
        order: FillOrder,
        /// Whether the other CPUs of a core are used.
        smt: bool,
    },
    /// Workers run wherever the operating system puts them: one worker per CPU, within the grant of control groups.
    None,
    /// The default: one worker per core, within the grant of control groups, or the number asked for. The workers are
    /// bound as by [`Pinning::CORES`] if every core gets one and no CPU gets two, and otherwise not bound.
    #[default]
    Auto,
    /// These CPUs, in this order. As with `taskset`, the process need not have been started on them, if the system lets
    /// it use them.
    List(CpuList),
}

/// Why a text is not a [`Pinning`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PinningError {
    /// A word that is not a place.
    #[error(
        "'{0}' is not a way to pin: choose cores, compact, spread, none, auto, threads, l3, numa, sockets, or a list \
         of CPUs such as 0,2-5"
    )]
    Word(String),
    /// An unknown word after a colon.
    #[error(
        "'{word}' in '{text}' is not one of compact, spread, smt and no-smt: write, for example, cores:spread:no-smt"
    )]
    Modifier {
        /// The word.
        word: String,
        /// The whole text.
        text: String,
    },
    /// A malformed list.
    #[error("in the list of CPUs '{text}': {source}")]
    List {
        /// The list as written.
        text: String,
        /// The fault.
        source: CpuListError,
    },
}

impl Place {
    /// Every place, from small to large.
    pub const ALL: [Place; 5] = [Place::Thread, Place::Core, Place::L3, Place::Numa, Place::Socket];

    /// The word in a pinning: `threads`, `cores`, `l3`, `numa` or `sockets`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Place::Thread => "threads",
            Place::Core => "cores",
            Place::L3 => "l3",
            Place::Numa => "numa",
            Place::Socket => "sockets",
        }
    }

    /// The place that a CPU is part of; `None` if the system does not report it.
    fn number(self, cpu: &Cpu) -> Option<usize> {
        match self {
            Place::Thread => Some(cpu.id),
            Place::Core => Some(cpu.core),
            Place::L3 => cpu.l3,
            Place::Numa => cpu.node,
            Place::Socket => cpu.socket,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Pinning {
    /// One worker per core.
    pub const CORES: Pinning = Pinning::new(Place::Core, FillOrder::Compact);
    /// One worker per CPU, all CPUs of a core before the next core.
    pub const COMPACT: Pinning = Pinning::new(Place::Thread, FillOrder::Compact);
    /// One worker per CPU, far apart.
    pub const SPREAD: Pinning = Pinning::new(Place::Thread, FillOrder::Spread);

    const fn new(place: Place, order: FillOrder) -> Pinning {
        Pinning::Places { place, order, smt: true }
    }
}

impl fmt::Display for Pinning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            &Pinning::COMPACT => f.write_str("compact"),
            &Pinning::SPREAD => f.write_str("spread"),
            Pinning::Places { place, order, smt } => {
                place.fmt(f)?;
                if *order == FillOrder::Spread {
                    f.write_str(":spread")?;
                }
                if !smt {
                    f.write_str(":no-smt")?;
                }
                Ok(())
            }
            Pinning::None => f.write_str("none"),
            Pinning::Auto => f.write_str("auto"),
            Pinning::List(list) => list.fmt(f),
        }
    }
}

impl FromStr for Pinning {
    type Err = PinningError;

    fn from_str(text: &str) -> Result<Pinning, PinningError> {
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            let list = text.parse().map_err(|source| PinningError::List { text: text.to_owned(), source });
            return list.map(Pinning::List);
        }
        match text {
            "compact" => return Ok(Pinning::COMPACT),
            "spread" => return Ok(Pinning::SPREAD),
            "none" => return Ok(Pinning::None),
            "auto" => return Ok(Pinning::Auto),
            _ => {}
        }
        let mut words = text.split(':');
        let first = words.next().unwrap_or_default();
        let place = Place::ALL.into_iter().find(|place| place.name() == first);
        let place = place.ok_or_else(|| PinningError::Word(text.to_owned()))?;
        let (mut order, mut smt) = (FillOrder::default(), true);
        for word in words {
            match word {
                "compact" => order = FillOrder::Compact,
                "spread" => order = FillOrder::Spread,
                "smt" => smt = true,
                "no-smt" => smt = false,
                _ => {
                    return Err(PinningError::Modifier { word: word.to_owned(), text: text.to_owned() });
                }
            }
        }
        Ok(Pinning::Places { place, order, smt })
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
    /// A listed CPU that is switched off.
    #[error("CPU {cpu} is offline: choose from {allowed}")]
    Offline {
        /// The CPU.
        cpu: usize,
        /// The CPUs that the process may use.
        allowed: CpuList,
    },
    /// A listed CPU that this process may not use.
    #[error("this process may not use CPU {cpu}: choose from {allowed}")]
    NotAllowed {
        /// The CPU.
        cpu: usize,
        /// The CPUs that it may use.
        allowed: CpuList,
    },
    /// A list of CPUs on a system that does not report its CPUs.
    #[error("this system does not report its CPUs, so none can be listed: choose cores, threads or none")]
    UnknownCpus,
    /// Places on a system that does not report them.
    #[error("this system does not report which CPUs belong to which {place}: choose cores, threads, none or a list")]
    UnknownPlaces {
        /// The places.
        place: Place,
    },
    /// Too many workers.
    #[error("{threads} threads are too many: a run takes at most {max}", max = Placement::MAX_WORKERS)]
    TooMany {
        /// The number asked for.
        threads: usize,
    },
}

/// Checks that this process can use each CPU of a list.
fn check_usable(cpus: &Cpus, list: &CpuList) -> Result<(), PlacementError> {
    let allowed = cpus.list();
    if allowed.as_slice().is_empty() {
        return Err(PlacementError::UnknownCpus);
    }
    for &cpu in list.as_slice() {
        match cpus.unusable(cpu) {
            None => (),
            Some(Unusable::Offline) => return Err(PlacementError::Offline { cpu, allowed }),
            Some(Unusable::NotAllowed) => return Err(PlacementError::NotAllowed { cpu, allowed }),
        }
    }
    Ok(())
}

impl Placement {
    /// The most workers of a run.
    pub const MAX_WORKERS: usize = 4096;

    /// Places `threads` workers, or the number that [`Pinning`] gives, on CPUs.
    ///
    /// # Errors
    /// [`PlacementError`] if a listed CPU is offline or not allowed, if the system does not report the CPUs or places
    /// asked for, or if `threads` exceeds [`Placement::MAX_WORKERS`].
    pub fn new(cpus: &Cpus, pinning: Pinning, threads: Option<NonZeroUsize>) -> Result<Placement, PlacementError> {
        if let Some(threads) = threads.map(NonZeroUsize::get)
            && threads > Placement::MAX_WORKERS
        {
            return Err(PlacementError::TooMany { threads });
        }
        let (order, places) = match &pinning {
            &Pinning::Places { place, order, smt } => {
                places(cpus, place, order, smt).ok_or(PlacementError::UnknownPlaces { place })?
            }
            Pinning::None => (Vec::new(), cpus.count().get()),
            Pinning::Auto => {
                let (order, cores) = places(cpus, Place::Core, FillOrder::Compact, true).expect("every CPU has a core");
                let workers = threads.unwrap_or_else(|| cpus.within_grant(cpus.cores()));
                // A run that leaves CPUs idle leaves them to other processes. If it were bound, two such processes
                // would meet on the first CPUs, each at half speed; GROMACS (`-pin auto`) decides in the same way. With
                // more workers than CPUs the system shares the CPUs more evenly than a binding does.
                match (cores..=order.len()).contains(&workers.get()) {
                    true => return Placement::new(cpus, Pinning::CORES, Some(workers)),
                    false => return Placement::new(cpus, Pinning::None, Some(workers)),
                }
            }
            Pinning::List(list) => {
                check_usable(cpus, list)?;
                (list.as_slice().to_vec(), list.as_slice().len())
            }
        };
        let threads = threads.unwrap_or_else(|| {
            let places = NonZeroUsize::new(places).unwrap_or(NonZeroUsize::MIN);
            match &pinning {
                // A list asks for a worker on each of its CPUs, whatever the grant.
                Pinning::List(_) => places,
                _ => cpus.within_grant(places),
            }
        });
        let cpus = if order.is_empty() {
            vec![None; threads.get()]
        } else {
            order.into_iter().map(Some).cycle().take(threads.get()).collect()
        };
        Ok(Placement { cpus, pinning })
    }

    /// The number of workers.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.cpus.len()
    }

    /// How the workers are placed: as asked, but [`Pinning::CORES`] or [`Pinning::None`] if [`Pinning::Auto`] was
    /// asked.
    #[must_use]
    pub fn pinning(&self) -> &Pinning {
        &self.pinning
    }

    /// The CPU of each worker; `None` for a worker that is not bound.
    #[must_use]
    pub fn cpus(&self) -> &[Option<usize>] {
        &self.cpus
    }
}

/// The CPUs in the order in which workers take them, and the number of places; `None` if the system does not report the
/// place of every CPU.
fn places(cpus: &Cpus, place: Place, order: FillOrder, smt: bool) -> Option<(Vec<usize>, usize)> {
    let mut cpus: Vec<Allowed> = cpus.iter().filter(|one| smt || one.sibling == 0).collect();
    // Neighbours next to each other, and the fast cores of a hybrid processor first.
    cpus.sort_by_key(|Allowed { cpu, sibling }| (cpu.socket, cpu.node, cpu.kind, cpu.l3, cpu.core, *sibling));
    // Stable: among the first CPUs of cores, as among the second, neighbours stay next to each other.
    if place != Place::Thread || order == FillOrder::Spread {
        cpus.sort_by_key(|one| one.sibling);
    }
    if order == FillOrder::Spread {
        cpus = dealt(&cpus, &[|cpu| cpu.socket, |cpu| cpu.node, |cpu| cpu.l3]);
        // A small group deals its second CPUs before a large one has dealt all of its first.
        cpus.sort_by_key(|one| one.sibling);
    }
    let of: Option<Vec<usize>> = cpus.iter().map(|one| place.number(&one.cpu)).collect();
    let of = of?;
    let mut turns: Vec<usize> = (0..cpus.len()).collect();
    if matches!(place, Place::L3 | Place::Numa | Place::Socket) {
        // All places' first cores come before any second one.
        let rank = |at: usize| of[..at].iter().filter(|&&other| other == of[at]).count();
        turns.sort_by_key(|&at| (cpus[at].sibling, rank(at)));
    }
    let ids = turns.iter().map(|&at| cpus[at].cpu.id).collect();
    let number = of.iter().collect::<BTreeSet<_>>().len();
    Some((ids, number))
}

/// The CPUs dealt in turn from the groups by the first of `parts`, and within a group in turn by the further parts.
fn dealt(cpus: &[Allowed], parts: &[fn(&Cpu) -> Option<usize>]) -> Vec<Allowed> {
    let Some((part, further)) = parts.split_first() else {
        return cpus.to_vec();
    };
    let mut groups: BTreeMap<Option<usize>, Vec<Allowed>> = BTreeMap::new();
    for one in cpus {
        groups.entry(part(&one.cpu)).or_default().push(*one);
    }
    let groups: Vec<Vec<Allowed>> = groups.into_values().map(|group| dealt(&group, further)).collect();
    let longest = groups.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest).flat_map(|turn| groups.iter().filter_map(move |group| group.get(turn))).copied().collect()
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
    fn the_default_binds_only_a_run_on_every_core() {
        let placed = |threads: Option<usize>, granted| {
            let cpus = two_sockets(&[0, 1, 2, 3, 4, 5, 6, 7], granted);
            let threads = threads.and_then(NonZeroUsize::new);
            let placement = Placement::new(&cpus, Pinning::default(), threads).unwrap();
            (placement.pinning().to_string(), placement.cpus)
        };
        let bound = |cpus: &[usize]| ("cores".to_owned(), cpus.iter().copied().map(Some).collect());
        let unbound = |threads| ("none".to_owned(), vec![None; threads]);
        assert_eq!(placed(None, None), bound(&[0, 1, 2, 3]));
        assert_eq!(placed(Some(4), None), bound(&[0, 1, 2, 3]));
        assert_eq!(placed(Some(6), None), bound(&[0, 1, 2, 3, 4, 5]));
        assert_eq!(placed(Some(8), None), bound(&[0, 1, 2, 3, 4, 5, 6, 7]));
        // Two processes of one worker each must not both be bound to CPU 0.
        assert_eq!(placed(Some(1), None), unbound(1));
        assert_eq!(placed(Some(3), None), unbound(3));
        assert_eq!(placed(Some(9), None), unbound(9));
        // Control groups that grant a part leave the rest to others.
        assert_eq!(placed(None, Some(2.0)), unbound(2));
    }

    #[test]
    fn impossible_placements_are_refused() {
        let cpus = two_sockets(&[0, 1, 2], None);
        let error = Placement::new(&cpus, "1,3".parse().unwrap(), None).unwrap_err();
        assert_eq!(error.to_string(), "this process may not use CPU 3: choose from 0-2");
        let threads = NonZeroUsize::new(Placement::MAX_WORKERS + 1);
        let error = Placement::new(&cpus, Pinning::CORES, threads).unwrap_err();
        assert_eq!(error, PlacementError::TooMany { threads: 4097 });
    }

    #[test]
    fn words_are_read_and_written() {
        for text in [
            "cores",
            "compact",
            "spread",
            "none",
            "auto",
            "0",
            "0,2-5",
            "threads:no-smt",
            "cores:spread",
            "l3",
            "numa:spread:no-smt",
            "sockets",
        ] {
            assert_eq!(text.parse::<Pinning>().unwrap().to_string(), text);
        }
        for (text, same) in [("threads", "compact"), ("threads:spread", "spread"), ("cores:compact:smt", "cores")] {
            assert_eq!(text.parse::<Pinning>().unwrap().to_string(), same);
        }
        for text in ["", "core", "Cores", "all", ",1", "-1", ":spread", "none:smt"] {
            let error = text.parse::<Pinning>();
            assert!(matches!(error, Err(PinningError::Word(_))), "{text}");
        }
        for text in ["cores:", "cores:wide", "l3:spread:", "cores:no smt"] {
            let error = text.parse::<Pinning>();
            assert!(matches!(error, Err(PinningError::Modifier { .. })), "{text}");
        }
        let error = "3-1".parse::<Pinning>().unwrap_err();
        assert_eq!(error.to_string(), "in the list of CPUs '3-1': the range 3-1 runs backwards: write 1-3");
    }
}
