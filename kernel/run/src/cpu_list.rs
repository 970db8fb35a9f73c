//! Lists of CPU numbers, as people write them.

use core::fmt;
use core::str::FromStr;
use std::collections::HashSet;

use thiserror::Error;

/// CPUs by number, in the order written, each once.
///
/// ```
/// use tavli_run::CpuList;
/// let list: CpuList = "0,2-5".parse()?;
/// assert_eq!(list.as_slice(), [0, 2, 3, 4, 5]);
/// assert_eq!(list.to_string(), "0,2-5");
/// # Ok::<(), tavli_run::CpuListError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CpuList(Vec<usize>);

/// The highest CPU number accepted. Linux is built for at most 8,192 CPUs.
const LAST_CPU: usize = 65_535;

/// Why a text is not a list of CPUs.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CpuListError {
    /// A part that is neither a number nor a range of numbers.
    #[error("'{part}' is neither a CPU number from 0 to {LAST_CPU} nor a range of them: write a list such as 0,2-5")]
    Part {
        /// The part between two commas.
        part: String,
    },
    /// A range whose end comes before its start.
    #[error("the range {first}-{last} runs backwards: write {last}-{first}")]
    Reversed {
        /// The number before the dash.
        first: usize,
        /// The number after it.
        last: usize,
    },
    /// A CPU named twice.
    #[error("CPU {cpu} is named twice: name each CPU once")]
    Duplicate {
        /// The CPU.
        cpu: usize,
    },
}

impl CpuList {
    /// The CPU numbers, in the order written.
    #[must_use]
    pub fn as_slice(&self) -> &[usize] {
        &self.0
    }
}

impl FromIterator<usize> for CpuList {
    /// The CPUs in their order, without repetitions.
    fn from_iter<I: IntoIterator<Item = usize>>(cpus: I) -> CpuList {
        let mut list = Vec::new();
        for cpu in cpus {
            if !list.contains(&cpu) {
                list.push(cpu);
            }
        }
        CpuList(list)
    }
}

impl FromStr for CpuList {
    type Err = CpuListError;

    fn from_str(text: &str) -> Result<CpuList, CpuListError> {
        let number = |part: &str, digits: &str| {
            // `parse` alone would accept a plus sign.
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits
                .parse::<usize>()
                .ok()
                .filter(|&cpu| plain && cpu <= LAST_CPU)
                .ok_or_else(|| CpuListError::Part { part: part.to_owned() })
        };
        // A set besides the list: 65,536 CPUs, each looked for among the CPUs before it, would take 2^31 steps.
        let (mut cpus, mut named) = (Vec::new(), HashSet::new());
        for part in text.split(',') {
            let (first, last) = match part.split_once('-') {
                Some((first, last)) => (number(part, first)?, number(part, last)?),
                None => (number(part, part)?, number(part, part)?),
            };
            if last < first {
                return Err(CpuListError::Reversed { first, last });
            }
            for cpu in first..=last {
                if !named.insert(cpu) {
                    return Err(CpuListError::Duplicate { cpu });
                }
                cpus.push(cpu);
            }
        }
        Ok(CpuList(cpus))
    }
}

impl fmt::Display for CpuList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0.as_slice();
        let mut comma = "";
        while let [first, ..] = *rest {
            let run = rest.iter().zip(first..).take_while(|&(&cpu, next)| cpu == next).count();
            match run {
                1 => write!(f, "{comma}{first}")?,
                _ => write!(f, "{comma}{first}-{}", first + run - 1)?,
            }
            rest = &rest[run..];
            comma = ",";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_written() {
        for text in ["0", "3,1,2", "0-3", "0,2-5", "7,0-1,4"] {
            let list: CpuList = text.parse().unwrap();
            let again: CpuList = list.to_string().parse().unwrap();
            assert_eq!(again, list, "{text}");
        }
        assert_eq!("7,0-1,4".parse::<CpuList>().unwrap().0, [7, 0, 1, 4]);
        assert_eq!(CpuList(vec![3, 4, 1, 0]).to_string(), "3-4,1,0");
    }

    #[test]
    fn bad_lists_are_refused() {
        let error = |text: &str| text.parse::<CpuList>().unwrap_err();
        for text in ["", ",", "0,", "a", "-1", "1-", "1-2-3", "+1", " 1", "65536", "0-99999999999999999999"] {
            assert!(matches!(error(text), CpuListError::Part { .. }), "{text}");
        }
        assert_eq!(error("5-2"), CpuListError::Reversed { first: 5, last: 2 });
        assert_eq!(error("0-3,2"), CpuListError::Duplicate { cpu: 2 });
    }
}
