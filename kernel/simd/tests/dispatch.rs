//! Code is chosen by tier in one place, so that a new tier is not forgotten elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

/// The sources below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("a file").path();
        match path.extension() {
            None if path.is_dir() && !path.ends_with("target") => sources(&path, found),
            Some(end) if end == "rs" => found.push(path),
            _ => {}
        }
    }
}

#[test]
fn tiers_are_detected_by_on_tier_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for part in ["bench", "kernel", "tools"] {
        sources(&root.join(part), &mut files);
    }
    let simd = root.join("kernel/simd");
    files.retain(|file| !file.starts_with(&simd));
    assert!(files.len() > 200, "{}", files.len());
    for file in files {
        let source = fs::read_to_string(&file).expect("a source");
        for token in ["Avx512", "X86V4", "Avx2", "Neon", "Simd128"] {
            let call = format!("{token}::detect");
            assert!(!source.contains(&call), "{} calls {call}: write on_tier!, which knows every tier", file.display());
        }
    }
}
