//! The program in the README is the one that the check builds and runs.

#[test]
fn the_program_of_the_readme_is_the_consumer() {
    let readme = include_str!("../../../README.md");
    assert!(readme.contains(include_str!("../consumer/opening.c")));
}
