//! The inputs of the commands: records, recipes and the command line.

use std::env;
use std::path::Path;

use tavli::file;
use tavli::text::Quoted;
use tavli_bench::recipe::BUILT_IN;
use tavli_bench::{Recipe, Record};
use tavli_terminal::failure::Failure;
use tavli_terminal::numbers::without_types;

/// The whole command line, as records, pages and texts name it.
pub(super) fn command_line() -> String {
    let arguments: Vec<String> = env::args_os()
        .skip(1)
        .map(|argument| Quoted::new(&argument.to_string_lossy()).within(usize::MAX).to_string())
        .collect();
    format!("tavli {}", arguments.join(" "))
}

/// Reads a record from a file.
pub(super) fn read(path: &Path) -> Result<Record, Failure> {
    let text = file::read_text(path, file::MAX_RECORD_BYTES).map_err(|error| Failure::unreadable(path, error))?;
    Record::parse(&text).map_err(|error| Failure::usage(format_args!("{}: {error}", path.display())))
}

/// The built-in recipe `name`, or the recipe in the file `name`.
pub(super) fn recipe(name: &str) -> Result<Recipe, Failure> {
    if let Some(recipe) = Recipe::built_in(name) {
        return Ok(recipe);
    }
    let names = BUILT_IN.map(|recipe| recipe.0).join(", ");
    let text = file::read_text(Path::new(name), file::MAX_TEXT_BYTES).map_err(|error| {
        Failure::usage(format_args!(
            "'{name}' is not one of the recipes {names}, and cannot be read as a file: {error}"
        ))
    })?;
    let stem = Path::new(name).file_stem().unwrap_or_default();
    Recipe::parse(&stem.to_string_lossy(), &text)
        .map_err(|error| Failure::usage(format_args!("{name}: {}", without_types(&error.to_string()))))
}
