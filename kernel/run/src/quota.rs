//! The share of the processors that a control group grants (Linux): `cpu.max` of version 2, `cpu.cfs_quota_us` and
//! `cpu.cfs_period_us` of version 1, in the process's group and the groups above it. The tightest bound counts. How
//! often the bound stopped the process is in `cpu.stat`.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// How often control groups stopped a process because it had used up its share of the processors' time, since the
/// groups were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Throttled {
    /// The periods in which the groups stopped the process.
    pub periods: u64,
    /// The time that its threads were stopped, added up.
    pub time: Duration,
}

impl Throttled {
    /// The throttling by this process's control groups up to now; `None` without control groups that count it.
    #[must_use]
    pub fn now() -> Option<Throttled> {
        Throttled::read(Path::new("/"))
    }

    /// [`Throttled::now`] of a machine whose `/proc` and `/sys` were copied to `root`.
    #[must_use]
    pub fn read(root: &Path) -> Option<Throttled> {
        let mut known = None;
        each_group(root, |mount, group| {
            if let Some(found) = mount.throttled(group) {
                let sum: &mut Throttled = known.get_or_insert_default();
                sum.periods += found.periods;
                sum.time += found.time;
            }
        })?;
        known
    }
}

/// The processors' worth of time that the control groups of this process granted when it first looked, such as 1.5,
/// or `None` if they set no bound.
pub(super) fn granted() -> Option<f64> {
    // Read once: the files of the machine and of its control groups are dozens.
    static GRANTED: OnceLock<Option<f64>> = OnceLock::new();
    *GRANTED.get_or_init(|| granted_under(Path::new("/")))
}

/// [`granted`], reading below `root` instead of `/`.
pub(super) fn granted_under(root: &Path) -> Option<f64> {
    let mut least: Option<f64> = None;
    each_group(root, |mount, group| {
        least = match (least, mount.quota(group)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    })?;
    least
}

/// Calls `visit` with the folder of each control group that bounds this process, from the top of each mount down;
/// `None` without control groups.
fn each_group(root: &Path, mut visit: impl FnMut(&Mount, &Path)) -> Option<()> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let mounts = fs::read_to_string(root.join("proc/self/mountinfo")).ok()?;
    for mount in mounts.lines().filter_map(Mount::parse) {
        let Some(group) = mount.group(&groups) else {
            continue;
        };
        // In a container the group may lie outside the mounted hierarchy; the top is then its own group.
        let below = group.strip_prefix(&mount.top).unwrap_or(Path::new(""));
        let mut at = root.join(mount.at.strip_prefix("/").unwrap_or(&mount.at));
        visit(&mount, &at);
        for component in below.components() {
            if let Component::Normal(name) = component {
                at.push(name);
                visit(&mount, &at);
            }
        }
    }
    Some(())
}

/// A mounted hierarchy of control groups that can bound processor time.
struct Mount {
    /// The group that is visible as the mount's top.
    top: PathBuf,
    /// Where it is mounted.
    at: PathBuf,
    version_2: bool,
}

impl Mount {
    /// Reads a line of `mountinfo` (see `man 5 proc_pid_mountinfo`):
    /// `ID PARENT DEVICE TOP AT OPTIONS [TAGS...] - TYPE SOURCE SUPER_OPTIONS`.
    fn parse(line: &str) -> Option<Mount> {
        let (mount, file_system) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(3);
        let (top, at) = (mount.next()?, mount.next()?);
        let mut file_system = file_system.split(' ');
        let version_2 = match file_system.next()? {
            "cgroup2" => true,
            "cgroup" if file_system.nth(1)?.split(',').any(|option| option == "cpu") => false,
            _ => return None,
        };
        Some(Mount { top: PathBuf::from(top), at: PathBuf::from(at), version_2 })
    }

    /// The group of this process in the hierarchy. A line of `/proc/self/cgroup` is `HIERARCHY:CONTROLLERS:GROUP`;
    /// version 2 has no controllers in it.
    fn group<'a>(&self, groups: &'a str) -> Option<&'a Path> {
        groups.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let controllers = fields.next()?;
            let group = fields.next()?;
            let ours = if self.version_2 {
                controllers.is_empty()
            } else {
                controllers.split(',').any(|controller| controller == "cpu")
            };
            ours.then(|| Path::new(group))
        })
    }

    /// The quota that the files in `group` state, in processors.
    fn quota(&self, group: &Path) -> Option<f64> {
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let (quota, period) = if self.version_2 {
            let text = fs::read_to_string(group.join("cpu.max")).ok()?;
            let (quota, period) = text.split_once(' ')?;
            (number(quota)?, number(period)?)
        } else {
            let file = |name| fs::read_to_string(group.join(name)).ok();
            (number(&file("cpu.cfs_quota_us")?)?, number(&file("cpu.cfs_period_us")?)?)
        };
        // Without a bound version 2 has `max`, which is not a number, and version 1 has -1.
        (quota > 0.0 && period > 0.0).then_some(quota / period)
    }

    /// The counts of `cpu.stat` in `group`. The time is `throttled_usec` in version 2, and `throttled_time`, in
    /// nanoseconds, in version 1. The group at the top of all has neither.
    fn throttled(&self, group: &Path) -> Option<Throttled> {
        let text = fs::read_to_string(group.join("cpu.stat")).ok()?;
        let value = |name: &str| -> Option<u64> {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            lines.find(|line| line.0 == name)?.1.trim().parse().ok()
        };
        let time = match self.version_2 {
            true => Duration::from_micros(value("throttled_usec")?),
            false => Duration::from_nanos(value("throttled_time")?),
        };
        Some(Throttled { periods: value("nr_throttled")?, time })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with the given files, removed at the end.
    struct Tree(PathBuf);

    impl Tree {
        fn new(name: &str, files: &[(&str, &str)]) -> Tree {
            let root = std::env::temp_dir().join(format!("tavli-quota-{}-{name}", std::process::id()));
            for (path, text) in files {
                let path = root.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Tree(root)
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const MOUNT_2: &str = "24 22 0:21 / /sys rw - sysfs sysfs rw\n\
        30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
    const MOUNT_1: &str = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n\
        32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n\
        33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n";

    #[test]
    fn version_2_takes_the_tightest_group() {
        let tree = Tree::new(
            "v2",
            &[
                ("proc/self/cgroup", "0::/user.slice/job.scope\n"),
                ("proc/self/mountinfo", MOUNT_2),
                ("sys/fs/cgroup/user.slice/cpu.max", "250000 100000\n"),
                ("sys/fs/cgroup/user.slice/job.scope/cpu.max", "max 100000\n"),
                ("sys/fs/cgroup/cpu.stat", "usage_usec 9\n"),
                (
                    "sys/fs/cgroup/user.slice/cpu.stat",
                    "usage_usec 9\nnr_periods 70\nnr_throttled 12\nthrottled_usec 345678\n",
                ),
                ("sys/fs/cgroup/user.slice/job.scope/cpu.stat", "nr_throttled 1\nthrottled_usec 2\n"),
            ],
        );
        assert_eq!(granted_under(&tree.0), Some(2.5));
        let throttled = Throttled::read(&tree.0).unwrap();
        assert_eq!(throttled.periods, 13);
        assert_eq!(throttled.time, Duration::from_micros(345_680));
    }

    #[test]
    fn version_1_and_its_container_form() {
        let tree = Tree::new(
            "v1",
            &[
                ("proc/self/cgroup", "9:cpuset:/\n4:cpu,cpuacct:/job\n1:name=systemd:/\n0::/\n"),
                ("proc/self/mountinfo", MOUNT_1),
                ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"),
                ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
                ("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "50000\n"),
                ("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n"),
                ("sys/fs/cgroup/cpu,cpuacct/job/cpu.stat", "nr_periods 7\nnr_throttled 3\nthrottled_time 1500000\n"),
            ],
        );
        assert_eq!(granted_under(&tree.0), Some(0.5));
        let throttled = Throttled::read(&tree.0).unwrap();
        assert_eq!(throttled.periods, 3);
        assert_eq!(throttled.time, Duration::from_micros(1500));
        let container = Tree::new(
            "v1-container",
            &[
                ("proc/self/cgroup", "4:cpu,cpuacct:/docker/ab12\n"),
                (
                    "proc/self/mountinfo",
                    "32 31 0:29 /docker/ab12 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n",
                ),
                ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000\n"),
                ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
            ],
        );
        assert_eq!(granted_under(&container.0), Some(3.0));
    }

    #[test]
    fn no_bound_and_no_control_groups() {
        let tree = Tree::new(
            "unbounded",
            &[
                ("proc/self/cgroup", "0::/\n"),
                ("proc/self/mountinfo", MOUNT_2),
                ("sys/fs/cgroup/cpu.max", "max 100000\n"),
            ],
        );
        assert_eq!(granted_under(&tree.0), None);
        assert_eq!(Throttled::read(&tree.0), None);
        assert_eq!(granted_under(Path::new("/nowhere")), None);
        let broken = Tree::new(
            "broken",
            &[("proc/self/cgroup", "0\n0::\nx:y\n"), ("proc/self/mountinfo", "- cgroup2\n1 2 3 - cgroup2 c rw\n")],
        );
        assert_eq!(granted_under(&broken.0), None);
    }
}
