//! The recipes of the repository.

use std::fs;
use std::path::{Path, PathBuf};

use tavli_train::{PlayerFile, Recipe, VariantRecipe};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn recipes(folder: &str) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(repository().join("profiles/recipes").join(folder));
    let paths = entries.expect("a folder").map(|entry| entry.expect("a file").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a text");
        (path, text)
    };
    paths.map(read).collect()
}

#[test]
fn recipes_can_be_read() {
    let all = [recipes("."), recipes("strong")].concat();
    assert!(all.len() > 10, "{}", all.len());
    for (path, text) in all {
        let parsed = match VariantRecipe::is_meant(&text) {
            true => VariantRecipe::parse(&text).map(|_| ()),
            false => Recipe::parse(&text).map(|_| ()),
        };
        if let Err(error) = parsed {
            panic!("{}: {error}", path.display());
        }
    }
}

#[test]
fn built_in_players_hold_their_recipes() {
    for (player, recipe) in [("td80", "td80.toml"), ("fast", "strong/28-flat.toml"), ("strong", "strong/26-wide.toml")]
    {
        let file = repository().join(format!("kernel/players/players/{player}.player"));
        let file = PlayerFile::read(&fs::read(file).expect("a file")).expect("a player");
        let text = fs::read_to_string(repository().join("profiles/recipes").join(recipe));
        assert_eq!(file.recipe, text.expect("a text"), "{player}");
    }
}
