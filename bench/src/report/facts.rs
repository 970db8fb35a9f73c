//! The facts of a record: machine, system and program, each with a name and a text.

use super::plain::without_folders;
use crate::machine::{Cache, Machine};
use crate::printed_numbers::{counted, or_unknown};
use crate::record::Record;

/// The facts of a record. What the system does not report is `unknown`, or left out where most systems lack it.
#[must_use]
pub fn facts(record: &Record) -> Vec<(&'static str, String)> {
    let program = &record.program;
    let mut facts = vec![("command", without_folders(&record.command)), ("started", record.started.clone())];
    facts.extend(machine_facts(&record.machine));
    let others = record.others.map(|share| format!("{:.1} % of the CPUs allowed", 100.0 * share));
    let compiler = format!("{}; {}", program.compiler, without_folders(&program.flags));
    facts.extend([
        ("used by others", or_unknown(others)),
        ("program", program.describe()),
        ("compiler", compiler),
        ("tier", program.isa.clone()),
        ("checksum", record.checksum()),
    ]);
    facts
}

fn machine_facts(machine: &Machine) -> Vec<(&'static str, String)> {
    let memory = machine.memory.map(|bytes| format!("{:.1} GiB", bytes as f64 / (1 << 30) as f64));
    let part = |number: Option<usize>, one: &str, many: &str| match number {
        Some(number) => counted(number, one, many),
        None => format!("{many} unknown"),
    };
    let parts = [
        part(machine.sockets, "socket", "sockets"),
        part(machine.nodes, "memory node", "memory nodes"),
        part(machine.l3_caches, "L3 cache", "L3 caches"),
        counted(machine.cores, "core", "cores"),
        counted(machine.cpus, "CPU", "CPUs"),
    ];
    let parts = format!("{}; allowed: {}", parts.join(", "), machine.cpus_allowed);
    let virtual_machine = machine.virtual_machine.map(|is| if is { "yes" } else { "no" });
    let ghz = |clock: f64| format!("{:.3}", clock / 1e9);
    let mut facts = vec![
        ("CPU", machine.name()),
        ("microcode", or_unknown(machine.microcode.as_ref())),
        ("parts", parts),
        ("memory", or_unknown(memory)),
        ("system", machine.system.clone()),
        ("governor", or_unknown(machine.governor.as_ref())),
        ("load at the start", or_unknown(machine.load)),
        ("clock", format!("{} GHz by a chain of additions", ghz(machine.clock))),
        ("timer", format!("steps of {:.0} ns", machine.timer_ns)),
        ("virtual machine", or_unknown(virtual_machine)),
    ];
    if let Some(granted) = machine.cpus_granted {
        facts.push(("granted by control groups", format!("{granted:.2} CPUs' time")));
    }
    if let Some(processor) = &machine.processor {
        if processor.designs.len() > 1 {
            let designs = processor.designs.iter();
            let designs: Vec<String> = designs.map(|one| format!("{}: CPUs {}", one.name, one.cpus)).collect();
            facts.push(("cores", designs.join("\n")));
        }
        let caches: Vec<String> = processor.caches.iter().map(Cache::describe).collect();
        if !caches.is_empty() {
            facts.push(("caches", caches.join("\n")));
        }
    }
    let Some(state) = &machine.state else {
        return facts;
    };
    let mut known = |name, value: Option<String>| facts.extend(value.map(|value| (name, value)));
    known("hypervisor", state.hypervisor.clone());
    known("kernel", state.kernel.clone());
    known("SMT", state.smt.clone());
    known("turbo", state.turbo.map(|on| if on { "on" } else { "off" }.to_owned()));
    known("clock set by", state.clock_driver.clone());
    let range = |[least, most]: [f64; 2]| format!("{} to {} GHz", ghz(least), ghz(most));
    known("clock range", state.clock_range.map(range));
    known("kept free", state.isolated.as_ref().map(|cpus| format!("CPUs {cpus}")));
    let stopped = state.throttled_periods.filter(|&periods| periods > 0);
    known("stopped by quota before", stopped.map(|periods| format!("in {periods} periods")));
    let affected = state.affected();
    let mitigations = match (state.mitigations.is_empty(), affected.is_empty()) {
        (true, _) => None,
        (_, true) => Some("none needed".to_owned()),
        _ => Some(affected.join("\n")),
    };
    known("mitigations", mitigations);
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::State;
    use crate::record::tests::record;

    #[test]
    fn plurals_are_right_and_paths_are_cut() {
        let mut record = record(&[("games", 1, &[100.0])]);
        record.command = "tavli bench quick --save /home/me/a.json".to_owned();
        record.program.flags = "release, RUSTFLAGS=-Clinker=/home/me/ld".to_owned();
        record.machine.cores = 1;
        record.machine.state =
            Some(State { turbo: Some(false), clock_range: Some([1.2e9, 3.4e9]), ..State::default() });
        let facts = facts(&record);
        let fact = |name: &str| facts.iter().find(|fact| fact.0 == name).map(|fact| fact.1.as_str());
        assert_eq!(fact("command"), Some("tavli bench quick --save a.json"));
        assert_eq!(fact("parts"), Some("1 socket, 2 memory nodes, 1 L3 cache, 1 core, 8 CPUs; allowed: 0-7"));
        assert_eq!(fact("compiler"), Some("rustc 1.95.0; release, RUSTFLAGS=-Clinker=ld"));
        assert_eq!(fact("turbo"), Some("off"));
        assert_eq!(fact("clock range"), Some("1.200 to 3.400 GHz"));
        assert_eq!((fact("mitigations"), fact("SMT")), (None, None));
        assert!(facts.iter().all(|fact| !fact.1.contains("/home")));
    }
}
