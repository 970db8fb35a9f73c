//! The shard of a rollout or a search that a task of a Slurm job array plays.

use tavli::rollout::Shard;

/// The remedy in errors.
const REMEDY: &str = "write slurm/N, where N is the number of shards, and submit the job array as 1-N";

/// Reads a shard: I/N, or slurm/N for the shard of this task.
pub(crate) fn shard_or_slurm(text: &str) -> Result<Shard, String> {
    match text.strip_prefix("slurm") {
        Some(rest) => shard(rest, |name| std::env::var(name).ok()),
        None => text.parse().map_err(|error| format!("{error}")),
    }
}

/// The shard of this task: shard I of N if SLURM_ARRAY_TASK_ID is I. `rest` is the text after `slurm`; it names N,
/// since the environment cannot: resubmitted tasks are a new, smaller array. `variable` looks up the environment.
fn shard(rest: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let of = rest
        .strip_prefix('/')
        .filter(|of| of.starts_with(|c: char| c.is_ascii_digit()))
        .and_then(|of| of.parse::<u64>().ok())
        .ok_or_else(|| format!("'slurm{rest}' does not name the number of shards; {REMEDY}"))?;
    let text = variable("SLURM_ARRAY_TASK_ID").ok_or_else(|| {
        format!("SLURM_ARRAY_TASK_ID is not set: outside a Slurm job array write the shard, such as 2/{of}")
    })?;
    let task = text.parse().map_err(|_| format!("SLURM_ARRAY_TASK_ID is '{text}', not a whole number"))?;
    Shard::new(task, of)
        .map_err(|_| format!("SLURM_ARRAY_TASK_ID is {task}, but shards are 1 to {of}; submit the job array as 1-{of}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rest: &str, task: Option<&str>) -> Result<String, String> {
        let shard = shard(rest, |name| {
            assert_eq!(name, "SLURM_ARRAY_TASK_ID");
            task.map(str::to_owned)
        });
        shard.map(|shard| shard.to_string())
    }

    #[test]
    fn tasks_are_shards_by_their_number() {
        assert_eq!(of("/8", Some("1")).unwrap(), "1/8");
        assert_eq!(of("/8", Some("8")).unwrap(), "8/8");
        for (rest, task, message) in [
            ("", Some("5"), "'slurm' does not name the number of shards; write slurm/N"),
            ("/", Some("5"), "write slurm/N"),
            ("/+8", Some("5"), "write slurm/N"),
            ("-8", Some("5"), "write slurm/N"),
            ("/8", None, "SLURM_ARRAY_TASK_ID is not set"),
            ("/8", Some("x"), "SLURM_ARRAY_TASK_ID is 'x'"),
            ("/8", Some("0"), "submit the job array as 1-8"),
            ("/8", Some("9"), "submit the job array as 1-8"),
            ("/0", Some("1"), "shards are 1 to 0"),
        ] {
            let error = of(rest, task).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
