//! The cases of a recipe on a machine: their names, and where their workers go.

use core::num::NonZeroUsize;
use std::collections::BTreeSet;

use tavli::run::{CpuList, Cpus, Pinning, Placement, PlacementError};

use crate::recipe::definition::{Case, Recipe, Threads};

/// A case with a number of workers, and where they go.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedCase<'a> {
    /// The case.
    pub case: &'a Case,
    /// Its name, with the number of workers if there are several such cases.
    pub name: String,
    /// Where the workers go. The repetitions take several placements in turn.
    pub placements: Vec<Placement>,
}

impl Recipe {
    /// The cases on a machine: several for a case whose threads are doubled. One worker of such a case works on each
    /// core alone in turn, so the rate of all workers is compared with every core, not only with the first.
    ///
    /// # Errors
    /// [`PlacementError`], with the name of the case, if the workers of a case cannot be placed.
    pub fn placed(&self, cpus: &Cpus) -> Result<Vec<PlacedCase<'_>>, (String, PlacementError)> {
        let mut all = Vec::new();
        for case in &self.cases {
            let failed = |source| (case.name.clone(), source);
            for (name, placement) in case.placements(cpus).map_err(failed)? {
                let alone = case.threads == Threads::Doubling && placement.threads() == 1;
                let placements = match alone {
                    true => case.each_alone(cpus, self.repetitions).map_err(failed)?,
                    false => vec![placement],
                };
                all.push(PlacedCase { case, name, placements });
            }
        }
        Ok(all)
    }

    /// Remarks on cases that do the same work on the same CPUs, as spread workers do on a single socket.
    #[must_use]
    pub fn repeats(placed: &[PlacedCase<'_>], cpus: &Cpus) -> Vec<String> {
        let mut remarks = Vec::new();
        for (at, later) in placed.iter().enumerate() {
            let Some(first) = placed[..at].iter().find(|first| first.does_the_same(later)) else {
                continue;
            };
            let asked = |one: &PlacedCase<'_>| (one.case.placement.clone(), one.case.threads);
            let topology = cpus.topology();
            let mut reasons = Vec::new();
            let unlike = asked(first) != asked(later);
            if unlike && topology.sockets() == Some(1) {
                reasons.push("1 socket");
            }
            if unlike && topology.cpus_per_core() == 1 {
                reasons.push("1 CPU per core");
            }
            let reason = match reasons[..] {
                [] => String::new(),
                _ => format!(", since this machine has {}", reasons.join(" and ")),
            };
            remarks.push(format!(
                "remark: '{}' repeats '{}': the same work on the same CPUs{reason}",
                later.name, first.name
            ));
        }
        remarks
    }
}

impl PlacedCase<'_> {
    fn does_the_same(&self, other: &PlacedCase<'_>) -> bool {
        let work = |one: &PlacedCase<'_>| (one.case.workload.clone(), one.case.rules, one.case.tier);
        let cpus = |one: &PlacedCase<'_>| -> Vec<Vec<Option<usize>>> {
            let of = |placement: &Placement| {
                let mut cpus = placement.cpus().to_vec();
                cpus.sort_unstable();
                cpus
            };
            one.placements.iter().map(of).collect()
        };
        work(self) == work(other) && cpus(self) == cpus(other)
    }
}

impl Case {
    /// Placements of one worker: one for each core, or, with fewer repetitions than cores, on cores from all over the
    /// machine.
    fn each_alone(&self, cpus: &Cpus, repetitions: usize) -> Result<Vec<Placement>, PlacementError> {
        let cores = Placement::new(cpus, self.placement.clone(), Some(cpus.cores()))?;
        let number = cores.threads().min(repetitions);
        (0..number)
            .map(|turn| match cores.cpus()[turn * cores.threads() / number] {
                None => Placement::new(cpus, self.placement.clone(), Some(NonZeroUsize::MIN)),
                Some(cpu) => Placement::new(cpus, Pinning::List(CpuList::from_iter([cpu])), None),
            })
            .collect()
    }

    /// The placements of this case on a machine, each with its name: several if the threads are doubled.
    ///
    /// # Errors
    /// [`PlacementError`] if the workers cannot be placed.
    pub fn placements(&self, cpus: &Cpus) -> Result<Vec<(String, Placement)>, PlacementError> {
        let place = |threads| Placement::new(cpus, self.placement.clone(), threads);
        let number = NonZeroUsize::new;
        match self.threads {
            Threads::All => Ok(vec![(self.name.clone(), place(None)?)]),
            Threads::Number(threads) => Ok(vec![(self.name.clone(), place(Some(threads))?)]),
            Threads::Socket => {
                let first = cpus.list().as_slice().first().and_then(|&id| cpus.cpu(id));
                let socket = first.and_then(|cpu| cpu.socket);
                let cores: BTreeSet<usize> = cpus
                    .list()
                    .as_slice()
                    .iter()
                    .filter_map(|&id| cpus.cpu(id))
                    .filter(|cpu| cpu.socket == socket)
                    .map(|cpu| cpu.core)
                    .collect();
                Ok(vec![(self.name.clone(), place(number(cores.len()))?)])
            }
            Threads::Doubling => {
                let cores = Placement::new(cpus, Pinning::CORES, None)?.threads();
                let all = Placement::new(cpus, Pinning::COMPACT, None)?.threads();
                let doubled = (0..).map(|power| 1 << power);
                let mut steps: Vec<usize> = doubled.take_while(|&n| n < cores).collect();
                steps.push(cores);
                if all > cores {
                    steps.push(all);
                }
                let named = |threads: usize| {
                    let name = format!("{}/{threads}", self.name);
                    Ok((name, place(number(threads))?))
                };
                steps.into_iter().map(named).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A recipe of one case, which is doubled, and one on the sockets.
    fn recipe() -> Recipe {
        Recipe::parse(
            "test",
            r#"
            description = "a test"
            warm_up_seconds = 0
            repetitions = 3
            seconds = 0.1
            seed = 1
            [[case]]
            name = "plays"
            workload = "count"
            rules = "backgammon"
            placement = "cores"
            threads = "doubling"
            [[case]]
            name = "compact"
            workload = "playouts"
            rules = "backgammon"
            placement = "cores"
            threads = "socket"
            [[case]]
            name = "spread"
            workload = "playouts"
            rules = "backgammon"
            placement = "cores:spread"
            threads = "socket"
            "#,
        )
        .unwrap()
    }

    #[test]
    fn threads_double_up_to_the_cores() {
        let recipe = recipe();
        let cpus = Cpus::allowed();
        let placements = recipe.cases[0].placements(&cpus).unwrap();
        assert_eq!((placements[0].0.as_str(), placements[0].1.threads()), ("plays/1", 1));
        let most = placements.last().unwrap().1.threads();
        assert!(most <= cpus.count().get());
        assert!(placements.windows(2).all(|two| two[0].1.threads() < two[1].1.threads()));
    }

    fn one_socket(cores: usize) -> Cpus {
        let root = std::env::temp_dir().join(format!("tavli-placed-{}-{cores}", std::process::id()));
        let cpu = root.join("sys/devices/system/cpu");
        for id in 0..cores {
            let folder = cpu.join(format!("cpu{id}/topology"));
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("core_cpus_list"), format!("{id}\n")).unwrap();
            std::fs::write(folder.join("physical_package_id"), "0\n").unwrap();
        }
        std::fs::write(cpu.join("online"), format!("0-{}\n", cores - 1)).unwrap();
        let cpus = Cpus::read(&root);
        std::fs::remove_dir_all(&root).unwrap();
        cpus
    }

    #[test]
    fn one_worker_takes_every_core_in_turn() {
        let turns = |cores: usize| -> Vec<Option<usize>> {
            let recipe = recipe();
            let placed = recipe.placed(&one_socket(cores)).unwrap();
            assert_eq!(placed[0].name, "plays/1");
            placed[0].placements.iter().map(|one| one.cpus()[0]).collect()
        };
        assert_eq!(turns(1), [Some(0)]);
        assert_eq!(turns(2), [Some(0), Some(1)]);
        // Three repetitions: cores from all over the machine.
        assert_eq!(turns(12), [Some(0), Some(4), Some(8)]);
    }

    #[test]
    fn cases_that_repeat_others_are_named() {
        let recipe = recipe();
        let cpus = one_socket(4);
        let placed = recipe.placed(&cpus).unwrap();
        assert_eq!(
            Recipe::repeats(&placed, &cpus),
            ["remark: 'spread' repeats 'compact': the same work on the same CPUs, since this machine has 1 socket \
                 and 1 CPU per core"]
        );
        assert!(Recipe::repeats(&placed[..4], &cpus).is_empty());
    }
}
