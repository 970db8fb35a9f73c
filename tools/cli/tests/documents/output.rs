//! Compares the output shown in a document with the output of the command.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Stands for any lines.
const ANY: &str = "...";

/// The first line of the header of a run; an empty line ends the header.
static HEADER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^tavli \d+\.\d+\.\d+, (commit|rustc) ").unwrap());

/// A number with a unit of time or rate, and the rest of its line.
static TIMES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\s*[\d,.]+ (s|ms|ns|games/s|plies/s|cycles|GHz)\b.*").unwrap());

/// A member of an object in JSON that is a time or a rate.
static MEMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"("(?:(?:cpu_)?seconds|(?:games|plies)_per_second|(?:ns|cycles)_per_ply\w*|clock)": )[^,]+"#).unwrap()
});

/// A number, or a word with digits such as a Position ID, and the blanks before it.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[ +-]*[\w/+]*\d[\w/+,.]*").unwrap());

/// Any number in what follows the first time of a line.
static DIGITS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\s*[\d,.]*\d").unwrap());

/// A line without the parts that depend on the machine and the time.
fn masked(line: &str) -> String {
    let line = MEMBER.replace(line, "${1}#");
    TIMES.replace(&line, |found: &regex::Captures<'_>| DIGITS.replace_all(&found[0], " #").into_owned()).into_owned()
}

/// A line as it is compared.
struct Line<'a> {
    /// The line, or all lines of a header.
    text: Vec<&'a str>,
    masked: String,
}

impl<'a> Line<'a> {
    fn all(text: &[&'a str]) -> Vec<Line<'a>> {
        let mut lines: Vec<Line<'a>> = Vec::new();
        let mut in_header = false;
        for line in text {
            let goes_on = in_header && !line.is_empty();
            in_header = goes_on || HEADER.is_match(line);
            match lines.last_mut() {
                Some(header) if goes_on => header.text.push(line),
                _ => lines.push(Line {
                    text: vec![line],
                    masked: if in_header { "tavli #".to_owned() } else { masked(line) },
                }),
            }
        }
        lines
    }

    fn is_any(&self) -> bool {
        self.masked == ANY
    }
}

/// Whether the output agrees with the lines shown, masked; `...` stands for any lines.
pub(crate) fn agrees(shown: &[&str], printed: &[&str]) -> bool {
    let same = |(shown, printed): (&Line<'_>, &Line<'_>)| shown.masked == printed.masked;
    let fits = |shown: &[Line<'_>], printed: &[Line<'_>]| shown.iter().zip(printed).all(same);
    place(&Line::all(shown), &Line::all(printed), fits).is_some()
}

/// The lines to show instead: the output at the places of the lines shown, without the lines that `...` stands for. A
/// place has lines of the same words, or else mostly the same. Headers and lines that differ only in times stay. `None`
/// if `...` makes the places ambiguous.
pub(crate) fn rewritten(shown: &[&str], printed: &[&str]) -> Option<Vec<String>> {
    let (old, new) = (Line::all(shown), Line::all(printed));
    let alike = |(shown, printed): &(&Line<'_>, &Line<'_>)| shape(&shown.masked) == shape(&printed.masked);
    let all = |shown: &[Line<'_>], printed: &[Line<'_>]| shown.iter().zip(printed).all(|lines| alike(&lines));
    let most = |shown: &[Line<'_>], printed: &[Line<'_>]| {
        shown.is_empty() || 2 * shown.iter().zip(printed).filter(alike).count() > shown.len()
    };
    let Some(places) = place(&old, &new, all).or_else(|| place(&old, &new, most)) else {
        let whole = !shown.contains(&ANY);
        return whole.then(|| printed.iter().map(|&line| line.to_owned()).collect());
    };
    let mut lines: Vec<&str> = Vec::new();
    for (at, (part, place)) in old.split(Line::is_any).zip(places).enumerate() {
        if at > 0 {
            lines.push(ANY);
        }
        for (old, new) in part.iter().zip(&new[place]) {
            let line = if old.masked == new.masked { old } else { new };
            lines.extend(&line.text);
        }
    }
    Some(lines.into_iter().map(str::to_owned).collect())
}

/// A line without its numbers.
fn shape(line: &str) -> String {
    NUMBER.replace_all(line, " #").into_owned()
}

/// The places of the parts between `...` in the output: the first at its start, the last at its end, all in order.
fn place(
    shown: &[Line<'_>],
    printed: &[Line<'_>],
    fits: impl Fn(&[Line<'_>], &[Line<'_>]) -> bool,
) -> Option<Vec<Range<usize>>> {
    let parts: Vec<&[Line<'_>]> = shown.split(Line::is_any).collect();
    let mut from = 0;
    let mut found = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let last = number + 1 == parts.len();
        let latest = printed.len().checked_sub(part.len())?;
        let (first, latest) = match (number, last) {
            (0, true) if latest > 0 => return None,
            (0, _) => (0, 0),
            (_, true) => (latest, latest),
            _ => (from, latest),
        };
        let mut places = (first.max(from)..=latest).map(|at| at..at + part.len());
        let place = places.find(|place| fits(part, &printed[place.clone()]))?;
        from = place.end;
        found.push(place);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_and_times_are_not() {
        let shown = ["46,656 games rolled. Duration: 0.12 s, 376,669 games/s"];
        assert!(agrees(&shown, &["46,656 games rolled. Duration: 12.3 s, 9 games/s"]));
        assert!(!agrees(&shown, &["46,655 games rolled. Duration: 0.12 s, 376,669 games/s"]));
        assert!(agrees(&["  \"seconds\": 1.5,"], &["  \"seconds\": 2,"]));
        assert!(!agrees(&["  \"se_win\": 1.5,"], &["  \"se_win\": 2,"]));
        assert!(agrees(&["1 447 0.0000 s  1,053,325"], &["1 447 0.0200 s     53,325"]));
        assert!(!agrees(&["1 447 0.0000 s  1,053,325"], &["1 446 0.0000 s  1,053,325"]));
    }

    #[test]
    fn dots_stand_for_any_lines() {
        let printed = ["a", "b", "c", "d"];
        for shown in [&["..."][..], &["a", "...", "d"], &["...", "b", "c", "..."], &["a", "b", "...", "c", "d"]] {
            assert!(agrees(shown, &printed), "{shown:?}");
        }
        for shown in [&[][..], &["a"], &["...", "c", "...", "b", "..."], &["...", "c"], &["b", "..."]] {
            assert!(!agrees(shown, &printed), "{shown:?}");
        }
        assert!(agrees(&[], &[]));
    }

    #[test]
    fn headers_are_those_of_any_machine() {
        let here = ["tavli 0.1.0, commit 1, rustc 2", "CPU", "", "equity 1"];
        let there = ["tavli 0.1.0, rustc 2", "CPU", "workers", "more", "", "equity 1"];
        assert!(agrees(&here, &there));
        assert!(!agrees(&here, &["tavli 0.1.0, rustc 2", "CPU", "", "equity 2"]));
    }

    #[test]
    fn outputs_are_rewritten_in_place() {
        let shown = ["...", "equity +0.1", "in 1 s", "...", "signature 5e44"];
        let printed = ["x", "equity -0.25", "in 2 s", "y", "z", "signature 77"];
        let lines = rewritten(&shown, &printed).unwrap();
        assert_eq!(lines, ["...", "equity -0.25", "in 1 s", "...", "signature 77"]);
        assert_eq!(rewritten(&shown, &["nothing"]), None);
    }
}
