//! Call stacks for flame graphs.

use std::collections::BTreeMap;

/// The mark of perf after the name of an inlined function.
const INLINED: &str = " (inlined)";
/// A frame that perf cannot name; the stack beyond it was not copied.
const UNKNOWN: &str = "[unknown]";

/// A line of a stack.
struct Frame<'a> {
    address: &'a str,
    function: &'a str,
    inlined: bool,
}

/// Folds stacks as `perf script --fields comm,ip,sym` writes them, for flame graphs: a line for each different stack,
/// from the outermost function on, with its number of samples. Inlined functions have frames, since the stages of a
/// batch are inlined. Generic arguments of functions are left out.
#[must_use]
pub fn folded(script: &str) -> String {
    let mut stacks = BTreeMap::new();
    for block in script.split("\n\n") {
        let mut lines = block.lines().filter(|line| !line.is_empty());
        let Some(program) = lines.next() else {
            continue;
        };
        let frames: Vec<Frame<'_>> = lines.filter_map(frame).collect();
        let mut stack = innermost_first(&frames);
        if stack.len() > 1 && stack.last().is_some_and(|last| last == UNKNOWN) {
            stack.pop();
        }
        stack.push(program.trim().to_owned());
        stack.reverse();
        // Semicolons separate the functions.
        let stack: Vec<String> = stack.iter().map(|name| name.replace(';', ":")).collect();
        *stacks.entry(stack.join(";")).or_insert(0_u64) += 1;
    }
    stacks.into_iter().map(|(stack, met)| format!("{stack} {met}\n")).collect()
}

/// Whether stacks of perf name inlined functions.
#[must_use]
pub fn names_inlined(script: &str) -> bool {
    script.lines().any(|line| line.ends_with(INLINED))
}

fn frame(line: &str) -> Option<Frame<'_>> {
    let (address, symbol) = line.trim().split_once(' ')?;
    let symbol = symbol.trim();
    let function = symbol.strip_suffix(INLINED);
    Some(Frame { address, function: function.unwrap_or(symbol), inlined: function.is_some() })
}

/// The functions of a stack, the innermost first. The frames of one address are the functions inlined there, the
/// innermost first, and the symbol at the address. perf puts the symbol before or after the others; it then repeats the
/// last of them under the compiler's name.
fn innermost_first(frames: &[Frame<'_>]) -> Vec<String> {
    let mut stack = Vec::new();
    for group in frames.chunk_by(|a, b| a.address == b.address && (a.inlined || b.inlined)) {
        let mut inlined: Vec<String> =
            group.iter().filter(|frame| frame.inlined).map(|frame| plain(frame.function)).collect();
        if let Some(symbol) = group.iter().find(|frame| !frame.inlined) {
            let symbol = plain(symbol.function);
            let name = |path: &str| path.rsplit("::").next().map(str::to_owned);
            if inlined.last().is_some_and(|last| name(last) == name(&symbol)) {
                inlined.pop();
            }
            inlined.push(symbol);
        }
        stack.extend(inlined);
    }
    stack
}

/// The name of a function without its generic arguments: `choose` for `choose<Avx512, false>`. The type of a method
/// stays: `<Zmm as Vector>::write`.
fn plain(function: &str) -> String {
    let mut plain = String::with_capacity(function.len());
    let mut depth = 0;
    let mut before = ' ';
    for character in function.chars() {
        match character {
            // After a name, or nested.
            '<' if depth > 0 || before.is_alphanumeric() || "_}".contains(before) => depth += 1,
            '>' if depth > 0 && before != '-' => depth -= 1,
            _ if depth == 0 => plain.push(character),
            _ => {}
        }
        before = character;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_folded() {
        let script = "tavli \n\t  55d0 plays::count\n\t  55d1 a;b\n\n\
                      tavli \n\t  55d4 plays::count\n\t  55d1 a;b\n\n\
                      tavli \n\t  7f00 [unknown]\n\n";
        assert_eq!(folded(script), "tavli;[unknown] 1\ntavli;a:b;plays::count 2\n");
        assert_eq!(folded(""), "");
    }

    #[test]
    fn functions_compiled_into_others_have_frames() {
        let inlined = "\t  3b49 store<tavli::simd::Zmm> (inlined)\n\
                       \t  3b49 choose<tavli::simd::Avx512, false> (inlined)\n\
                       \t  3b49 play_ply<Avx512, run::{closure#4}<fn() -> Game>> (inlined)\n\
                       \t  3b49 {closure#4}<tavli::rules::Backgammon> (inlined)\n\
                       \t  3b49 with_avx512<(), run::{closure_env#4}> (inlined)\n";
        let symbol = "\t  3b49 <tavli::simd::Avx512 as tavli::simd::Isa>::with_features::with_avx512\n";
        let rest = "\t  1850 tavli::run\n\t ffff [unknown]\n\n";
        let expected = "worker 0;tavli::run;<tavli::simd::Avx512 as tavli::simd::Isa>::with_features::with_avx512;\
                        {closure#4};play_ply;choose;store 1\n";
        // Versions of perf put the symbol before or after the others.
        for script in [format!("worker 0 \n{symbol}{inlined}{rest}"), format!("worker 0 \n{inlined}{symbol}{rest}")] {
            assert_eq!(folded(&script), expected);
            assert!(names_inlined(&script));
        }
        assert!(!names_inlined(symbol));
    }

    #[test]
    fn calls_of_oneself_stay() {
        let script = "tavli \n\t  55d0 plays::down\n\t  55d4 plays::down\n\t  55d4 plays::down\n\n";
        assert_eq!(folded(script), "tavli;plays::down;plays::down;plays::down 1\n");
    }

    #[test]
    fn names_lose_their_generic_arguments() {
        for (function, name) in [
            ("choose<tavli::simd::Avx512, false>", "choose"),
            ("map<u64, fn(u8) -> Vec<u8>, 3>::next", "map::next"),
            ("<Zmm as Vector>::write", "<Zmm as Vector>::write"),
            ("{closure#0}<A<B>>", "{closure#0}"),
            ("main", "main"),
        ] {
            assert_eq!(plain(function), name);
        }
    }
}
