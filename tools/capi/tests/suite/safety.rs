//! Every unsafe block says what it rests on in words of its own: which pointer, what is there, and who sees to it.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The comment above an unsafe block, and the block.
struct Promise {
    place: String,
    words: String,
    block: String,
}

/// The promises of a source.
fn promises(file: &str, source: &str) -> Vec<Promise> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let starts = lines.iter().enumerate();
    let starts = starts.filter(|(_, line)| line.starts_with("// SAFETY: "));
    starts
        .map(|(at, _)| {
            let rest = &lines[at..];
            let comment = rest.iter().take_while(|line| line.starts_with("//"));
            let words: Vec<&str> = comment.map(|line| line.trim_start_matches(['/', ' '])).collect();
            let code = rest[words.len()..].join("\n");
            let start = code.find("unsafe").expect("an unsafe block or implementation");
            let mut depth = 0;
            let end = code[start..].char_indices().find_map(|(at, char)| {
                depth += i32::from(char == '{') - i32::from(char == '}');
                (depth == 0 && char == '}').then_some(start + at)
            });
            Promise {
                place: format!("{file}:{}", at + 1),
                words: words.join(" "),
                block: code[start..end.expect("its end")].to_owned(),
            }
        })
        .collect()
}

#[test]
fn every_unsafe_block_names_its_own_obligation() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for file in fs::read_dir(folder).expect("the sources") {
        let path = file.expect("a source").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        let source = fs::read_to_string(&path).expect("a source");
        found.extend(promises(&name, &source));
    }
    assert!(found.len() > 30, "{} found", found.len());
    let mut places = HashMap::new();
    for Promise { place, words, block } in found {
        // Between backticks, at every second place.
        let mut named = words.split('`').skip(1).step_by(2);
        assert!(named.any(|name| block.contains(name)), "{place}: names nothing of the block below: {words}");
        if let Some(other) = places.insert(words.clone(), place.clone()) {
            panic!("{place}: says the same as {other}: {words}");
        }
    }
}
