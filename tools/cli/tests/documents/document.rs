//! The documents of the repository, and the blocks of code in them.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A text in Markdown.
#[derive(Debug)]
pub(crate) struct Document {
    /// Its path in the repository, such as `tools/cli/README.md`.
    pub(crate) path: String,
    pub(crate) lines: Vec<String>,
}

/// A block between two fences.
#[derive(Debug)]
pub(crate) struct Block {
    /// The language of its first fence: `console`, `sh`, `rust` and so on.
    pub(crate) language: String,
    /// Its lines, without the fences.
    pub(crate) lines: Range<usize>,
}

/// A command of a console block, and the lines that show its output.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) text: String,
    pub(crate) output: Range<usize>,
}

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of the repository by their paths in it, without build outputs and hidden ones.
pub(crate) fn files() -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    find(Path::new(""), &mut found);
    found
}

impl Document {
    /// Every README.md of the repository, and the pages of the command and of the library.
    pub(crate) fn all() -> Vec<Document> {
        let pages = ["tools/cli/docs", "kernel/docs"];
        Document::of(|path| path.ends_with("README.md") || pages.iter().any(|folder| path.starts_with(folder)))
    }

    /// Every text in Markdown of the repository.
    pub(crate) fn guides() -> Vec<Document> {
        Document::of(|path| path.extension().is_some_and(|extension| extension == "md"))
    }

    /// The documents at the paths that are chosen.
    fn of(is_chosen: impl Fn(&Path) -> bool) -> Vec<Document> {
        let files = files();
        let chosen = files.iter().filter(|path| is_chosen(path));
        chosen.map(|path| Document::read(path)).collect()
    }

    /// The document at a path below the repository.
    pub(crate) fn read(path: &Path) -> Document {
        let text = fs::read_to_string(repository().join(path)).unwrap();
        Document { path: path.display().to_string(), lines: text.lines().map(str::to_owned).collect() }
    }

    /// Writes the lines back.
    pub(crate) fn save(&self) {
        let text = self.lines.join("\n") + "\n";
        fs::write(repository().join(&self.path), text).unwrap();
    }

    /// The blocks in order.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<(usize, &str)> = None;
        for (at, line) in self.lines.iter().enumerate() {
            let Some(language) = line.trim_start().strip_prefix("```") else {
                continue;
            };
            match open.take() {
                None => open = Some((at, language)),
                Some((from, language)) => blocks.push(Block { language: language.to_owned(), lines: from + 1..at }),
            }
        }
        assert!(open.is_none(), "{}: a block without an end", self.path);
        blocks
    }

    /// The lines outside the blocks.
    pub(crate) fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let blocks = self.blocks();
        let lines = self.lines.iter().map(String::as_str).enumerate();
        lines.filter(move |(at, _)| !blocks.iter().any(|block| block.lines.contains(at)))
    }

    /// Whether a heading has this anchor: its words in small letters, joined by hyphens.
    pub(crate) fn has(&self, anchor: &str) -> bool {
        self.prose().any(|(_, line)| {
            let heading = line.trim_start_matches('#').trim_start().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            line.starts_with('#') && kept.collect::<String>().replace(' ', "-") == anchor
        })
    }

    /// The text of a block.
    pub(crate) fn text(&self, block: &Block) -> String {
        let lines = &self.lines[block.lines.clone()];
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    /// The file name of a block: its first line, or the one after `#!`, is a comment with the name.
    pub(crate) fn file(&self, block: &Block) -> Option<&str> {
        let mut lines = self.lines[block.lines.clone()].iter();
        let mut first = lines.next()?;
        if first.starts_with("#!") {
            first = lines.next()?;
        }
        let name = first.strip_prefix("# ")?;
        let is_name = name.contains('.') && !name.contains([' ', '/']);
        is_name.then_some(name)
    }

    /// The commands of a console block.
    pub(crate) fn commands(&self, block: &Block) -> Vec<Command> {
        let mut commands: Vec<Command> = Vec::new();
        let mut at = block.lines.start;
        while at < block.lines.end {
            let line = &self.lines[at];
            at += 1;
            if let Some(text) = line.strip_prefix("$ ") {
                let mut text = text.to_owned();
                while text.ends_with('\\') {
                    text = text + "\n" + &self.lines[at];
                    at += 1;
                }
                commands.push(Command { text, output: at..at });
            } else {
                let command = commands.last_mut();
                let command = command.unwrap_or_else(|| panic!("{}:{at}: no command", self.path));
                command.output.end = at;
            }
        }
        commands
    }
}

/// Collects the files below a folder. Folders that programs make, and hidden ones except `.ci`, are left out.
fn find(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(repository().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap_or_default();
        let is_made = ["target", "node_modules", "__pycache__"].contains(&&*name);
        let is_hidden = name.starts_with('.') && name != ".ci";
        if is_made || is_hidden {
            continue;
        }
        let path = folder.join(name);
        match entry.file_type().unwrap().is_dir() {
            true => find(&path, found),
            false => {
                found.insert(path);
            }
        }
    }
}
