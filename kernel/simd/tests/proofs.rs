//! A safe function of a vector tier calls instructions only with a proof that the CPU has them: its own
//! `self`, or its target features, which the compiler asks of every caller.

use std::path::Path;

/// A function in the source.
struct Function<'a> {
    attributes: &'a str,
    signature: &'a str,
    body: &'a str,
}

/// The functions of a source without comments, including functions within others.
fn functions(source: &str) -> Vec<Function<'_>> {
    let starts = source.match_indices("fn ").map(|(start, _)| start);
    let words = starts.filter(|&start| source[..start].ends_with([' ', '\n', '(']));
    words
        .filter_map(|start| {
            // A semicolon within brackets belongs to an array type.
            let mut depth = 0;
            let signature = source[start..].char_indices().find_map(|(at, char)| {
                depth += i32::from("([".contains(char)) - i32::from(")]".contains(char));
                (depth == 0 && "{;".contains(char)).then_some(at)
            })?;
            let signature_end = start + signature;
            let body = &source[signature_end..];
            let mut depth = 0;
            let body_end = body.char_indices().find_map(|(at, char)| {
                depth += i32::from(char == '{') - i32::from(char == '}');
                (depth == 0).then_some(at)
            })?;
            // Attributes stand after the end of the item before.
            let attributes = source[..start].rfind([';', '{', '}']).map_or(0, |end| end + 1);
            Some(Function {
                attributes: &source[attributes..start],
                signature: &source[start..signature_end],
                body: &body[..body_end],
            })
        })
        .collect()
}

#[test]
fn instructions_are_called_with_a_proof() {
    for (file, least) in [
        ("avx2.rs", 25),
        ("avx512.rs", 6),
        ("bmi2.rs", 1),
        ("i16_vector/avx2.rs", 5),
        ("i16_vector/neon.rs", 5),
        ("i16_vector/zmm.rs", 5),
        ("intrinsics.rs", 3),
        ("neon.rs", 25),
        ("x86_v4.rs", 6),
        ("zmm.rs", 25),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
        let source = std::fs::read_to_string(path).expect("a source of this package");
        let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = code.collect::<Vec<&str>>().join("\n");
        let functions = functions(&code);
        let calling = functions
            .iter()
            .filter(|function| function.body.contains("unsafe {") || function.body.contains("proven!("));
        let calling: Vec<&Function<'_>> = calling.collect();
        assert!(calling.len() >= least, "{file}: {} functions found", calling.len());
        for function in calling {
            let parameters = function.signature.split('(').nth(1).unwrap_or_default();
            assert!(
                parameters.trim_start().trim_start_matches("mut ").starts_with("self")
                    // Vectors of an array prove it, too.
                    || file.starts_with("i16_vector/") && parameters.trim_start().starts_with("four: [")
                    || function.attributes.contains("#[target_feature("),
                "{file}: '{}' calls instructions without a proof that the CPU has them",
                function.signature.trim_end()
            );
        }
    }
}
