//! Which part of a rollout a task of a Slurm job array plays.

use tavli::rollout::Shard;

/// The shard of this task: the tasks of the array in order, the first being shard 1. `variable` looks up the
/// environment that Slurm gives the tasks of a job array (`sbatch --array`, Slurm 16.05 and later).
pub(crate) fn shard(variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let number = |name: &str| -> Result<u64, String> {
        let text = variable(name).ok_or_else(|| {
            format!("{name} is not set: this is no task of a Slurm job array; write the shard, such as 2/8")
        })?;
        text.parse()
            .map_err(|_| format!("{name} is '{text}', not a whole number"))
    };
    let task = number("SLURM_ARRAY_TASK_ID")?;
    let count = number("SLURM_ARRAY_TASK_COUNT")?;
    let first = number("SLURM_ARRAY_TASK_MIN")?;
    let last = number("SLURM_ARRAY_TASK_MAX")?;
    let step = match variable("SLURM_ARRAY_TASK_STEP") {
        Some(_) => number("SLURM_ARRAY_TASK_STEP")?,
        None => 1,
    };
    let evenly = step > 0
        && (first..=last).contains(&task)
        && (task - first).is_multiple_of(step)
        && (last - first) / step + 1 == count;
    if !evenly {
        return Err(format!(
            "task {task} of {count}, {first} to {last}, is not one of evenly numbered tasks; submit the array as \
             1-{count}"
        ));
    }
    Shard::new((task - first) / step + 1, count).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Task, count, first, last and step.
    fn of(values: [&str; 5]) -> Result<String, String> {
        let names = ["ID", "COUNT", "MIN", "MAX", "STEP"];
        let found = shard(|name| {
            let at = names.iter().position(|end| name.ends_with(end)).unwrap();
            Some(values[at].to_owned()).filter(|value| !value.is_empty())
        });
        found.map(|shard| shard.to_string())
    }

    #[test]
    fn tasks_are_shards_in_order() {
        assert_eq!(of(["1", "8", "1", "8", "1"]).unwrap(), "1/8");
        assert_eq!(of(["0", "8", "0", "7", ""]).unwrap(), "1/8");
        assert_eq!(of(["15", "4", "0", "15", "5"]).unwrap(), "4/4");
        for (values, message) in [
            (["", "8", "1", "8", "1"], "SLURM_ARRAY_TASK_ID is not set"),
            (
                ["3", "", "1", "8", "1"],
                "SLURM_ARRAY_TASK_COUNT is not set",
            ),
            (["x", "8", "1", "8", "1"], "SLURM_ARRAY_TASK_ID is 'x'"),
            (["7", "3", "1", "7", "1"], "submit the array as 1-3"),
            (["9", "8", "1", "8", "1"], "submit the array"),
            (["3", "8", "1", "8", "0"], "submit the array"),
        ] {
            let error = of(values).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
