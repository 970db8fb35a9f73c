//! No files of a package import each other in a circle: each can be read after those that it imports. Nor do folders,
//! or a folder and a file next to it.
//!
//! So a `mod.rs` or `lib.rs` that re-exports from the files below it defines nothing that these import. Unit tests are
//! left out: they may look at the whole package.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// A module as the names from the root of its package to it.
type Module = Vec<String>;

/// For each file or folder the others that it imports.
type Arrows<'a> = BTreeMap<&'a [String], BTreeSet<&'a [String]>>;

/// The imports of a file: paths from the root of the package, of modules or of items in them.
struct Imports<'a> {
    /// The modules of the package.
    sources: &'a BTreeMap<Module, String>,
    found: BTreeSet<Module>,
}

impl Imports<'_> {
    /// Takes in the imports of code in a module.
    fn read(&mut self, module: &[String], code: TokenStream) {
        let tokens: Vec<TokenTree> = code.into_iter().collect();
        let mut place = 0;
        while place < tokens.len() {
            if let Some(length) = unit_tests(&tokens[place..]) {
                place += length;
                continue;
            }
            match &tokens[place] {
                TokenTree::Ident(word) => {
                    let rest = &tokens[place + 1..];
                    if matches!(tokens[..place].last(), Some(TokenTree::Punct(dollar)) if dollar.as_char() == '$') {
                        // `$crate` of a macro is the path for those who use it.
                    } else if let Some(base) = base(module, &word.to_string()) {
                        self.path(base, rest);
                    } else if begins_path(&tokens[..place], rest) {
                        // `pub use part::Part` in a file above `part.rs`.
                        let part = below(module.to_vec(), word);
                        if self.sources.contains_key(&part) {
                            self.path(part, rest);
                        }
                    }
                }
                // `pub(crate)` and `pub(super)` import nothing.
                TokenTree::Group(_) if is_word(tokens[..place].last(), "pub") => (),
                TokenTree::Group(group) => self.read(module, group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => (),
            }
            place += 1;
        }
    }

    /// Takes in the path that goes on from `base` with `::`, or each path of a tree; `base` itself if none does.
    fn path(&mut self, base: Module, rest: &[TokenTree]) {
        let [TokenTree::Punct(one), TokenTree::Punct(two), next, rest @ ..] = rest else {
            self.found.insert(base);
            return;
        };
        if (one.as_char(), two.as_char()) != (':', ':') {
            self.found.insert(base);
            return;
        }
        match next {
            TokenTree::Ident(word) => self.path(below(base, word), rest),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                for tree in tokens.split(is_comma) {
                    match tree {
                        [TokenTree::Ident(word), rest @ ..] => self.path(below(base.clone(), word), rest),
                        _ => {
                            self.found.insert(base.clone());
                        }
                    }
                }
            }
            _ => {
                self.found.insert(base);
            }
        }
    }
}

/// The module or item of a name in a module.
fn below(mut module: Module, name: &Ident) -> Module {
    match name.to_string() {
        name if name == "super" => {
            module.pop();
        }
        name if name == "self" => (),
        name => module.push(name),
    }
    module
}

fn is_word(token: Option<&TokenTree>, text: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(word)) if word == text)
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')
}

/// The module that a path begins in by its first word; `None` for other words.
fn base(module: &[String], word: &str) -> Option<Module> {
    match (word, module) {
        ("crate", _) => Some(Module::new()),
        ("self", _) => Some(module.to_vec()),
        ("super", [above @ .., _]) => Some(above.to_vec()),
        _ => None,
    }
}

/// Whether a word after these tokens, and before the others, is the first of a path.
fn begins_path(before: &[TokenTree], rest: &[TokenTree]) -> bool {
    let is =
        |token: Option<&TokenTree>, char| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char);
    let follows = is(before.last(), ':') && is(before.iter().nth_back(1), ':') || is(before.last(), '.');
    !follows && is(rest.first(), ':') && is(rest.get(1), ':')
}

/// The number of tokens of a module of unit tests that the tokens begin with: `#[cfg(test)] mod tests { .. }`.
fn unit_tests(tokens: &[TokenTree]) -> Option<usize> {
    let [TokenTree::Punct(hash), TokenTree::Group(attribute), ..] = tokens else {
        return None;
    };
    let condition = attribute.stream().to_string().replace(' ', "");
    let is_test = hash.as_char() == '#' && (condition == "cfg(test)" || condition.starts_with("cfg(all(test,"));
    let is_end = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    let end = tokens.iter().position(is_end)?;
    let is_module = |token: &TokenTree| is_word(Some(token), "mod");
    (is_test && tokens[..end].iter().any(is_module)).then_some(end + 1)
}

/// The source files in a folder, by module; `mod.rs`, `lib.rs` and `main.rs` are their folder's. Files and folders of
/// unit tests, whose name is `tests`, are left out.
fn files(folder: &Path, above: &[String], found: &mut BTreeMap<Module, PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of source") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str());
        let name = name.expect("a name").to_owned();
        let module = match &*name {
            "tests" => continue,
            "mod" | "lib" | "main" => above.to_vec(),
            _ => [above, &[name]].concat(),
        };
        if path.is_dir() {
            files(&path, &module, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.insert(module, path);
        }
    }
}

/// For each file of a package the others that it imports.
fn imports(sources: &BTreeMap<Module, String>) -> Arrows<'_> {
    let read = |(module, text): (_, &String)| {
        let module: &[String] = Module::as_slice(module);
        let mut imports = Imports { sources, found: BTreeSet::new() };
        imports.read(module, text.parse().expect("Rust"));
        let files = imports.found.iter().filter_map(|path| {
            let mut ends = (0..=path.len()).rev();
            ends.find_map(|end| sources.get_key_value(&path[..end]))
        });
        let files = files.map(|(file, _)| file.as_slice());
        (module, files.filter(|&file| file != module).collect())
    };
    sources.iter().map(read).collect()
}

/// The files that one leads to by its imports, and by theirs.
fn reached<'a>(imports: &Arrows<'a>, file: &[String]) -> BTreeSet<&'a [String]> {
    let mut reached = BTreeSet::new();
    let mut left: Vec<&[String]> = imports[file].iter().copied().collect();
    while let Some(file) = left.pop() {
        if reached.insert(file) {
            left.extend(&imports[file]);
        }
    }
    reached
}

/// The circles of a package, each the files that lead to each other, or the folders next to each other that do.
fn circles(sources: &BTreeMap<Module, String>) -> BTreeSet<BTreeSet<String>> {
    let files = imports(sources);
    let above = files.keys().flat_map(|file| (0..file.len()).map(|end| &file[..end]));
    let folders: BTreeSet<&[String]> = above.collect();
    let folders = folders.into_iter().map(|folder| circles_among(&parts(&files, folder)));
    folders.flatten().chain(circles_among(&files)).collect()
}

/// For each file and folder in a folder the others there that its files import.
fn parts<'a>(files: &Arrows<'a>, folder: &[String]) -> Arrows<'a> {
    let part = |file: &'a [String]| (file.starts_with(folder) && file != folder).then(|| &file[..=folder.len()]);
    let mut parts = Arrows::new();
    for (&file, imported) in files {
        if let Some(own) = part(file) {
            let others = imported.iter().filter_map(|&other| part(other));
            parts.entry(own).or_default().extend(others.filter(|&other| other != own));
        }
    }
    parts
}

/// The files or folders that lead to each other.
fn circles_among(imports: &Arrows<'_>) -> BTreeSet<BTreeSet<String>> {
    let reached: BTreeMap<_, _> = imports.keys().map(|&file| (file, reached(imports, file))).collect();
    let mut circles = BTreeSet::new();
    for (&file, leads_to) in &reached {
        if leads_to.contains(file) {
            let circle = leads_to.iter().filter(|other| reached[*other].contains(file));
            circles.insert(circle.map(|other| other.join("::")).collect());
        }
    }
    circles
}

/// The source of a package: its library, or its program if it has none.
fn sources(package: &serde_json::Value) -> BTreeMap<Module, String> {
    let manifest = package["manifest_path"].as_str().expect("a path");
    let folder = Path::new(manifest).with_file_name("src");
    let mut found = BTreeMap::new();
    files(&folder, &[], &mut found);
    let read = |path| fs::read_to_string(path).expect("a source file");
    found.into_iter().map(|(module, path)| (module, read(path))).collect()
}

#[test]
fn files_and_folders_import_each_other_in_no_circle() {
    for package in super::packages() {
        let circles = circles(&sources(&package));
        assert!(circles.is_empty(), "files or folders of {} import each other: {circles:?}", package["name"]);
    }
}

/// The circles of files with the given names and texts.
fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
    let module = |name: &str| match name {
        "" => Module::new(),
        name => name.split("::").map(str::to_owned).collect(),
    };
    let files = files.iter().map(|&(name, text)| (module(name), text.to_owned()));
    let circles = circles(&files.collect());
    let joined = circles.into_iter().map(|circle| Vec::from_iter(circle).join(" "));
    joined.collect()
}

#[test]
fn circles_are_found_however_they_are_written() {
    let back = ("b", "use crate::a::A;");
    for text in [
        "use crate::b::B;",
        "use crate::b;",
        "use super::b::{B, C};",
        "use crate::{c::C, b::{self, B}};",
        "use self::super::b::B;",
        "fn f() -> u8 { g(&crate::b::B[0]) }",
        "mod inner { use super::super::b::B; }",
        "#[cfg(test)] use super::b::B;",
    ] {
        assert_eq!(circles_of(&[("a", text), back]), ["a b"], "{text}");
    }
    let below = ("x::a", "use super::X;");
    for text in ["mod a; pub use a::A;", "pub use self::a::A;", "fn f() { a::g() }", "use a::{A, B};"] {
        assert_eq!(circles_of(&[("x", text), below]), ["x x::a"], "{text}");
    }
    let three = [("x::a", "use super::b::B;"), ("x::b", "use crate::y::C;"), ("y", "use crate::x::a::A;")];
    assert_eq!(circles_of(&three), ["x y", "x::a x::b y"]);
    let four = [("x::a", "use crate::y::c::C;"), ("x::b", ""), ("y::c", ""), ("y::d", "use crate::x::b::B;")];
    assert_eq!(circles_of(&four), ["x y"]);
    let below = four.map(|(file, text)| (format!("z::{file}"), text.replace("crate", "crate::z")));
    assert_eq!(circles_of(&below.each_ref().map(|(file, text)| (&**file, &**text))), ["z::x z::y"]);
}

#[test]
fn what_is_no_circle_is_not_found() {
    let back = ("b", "use crate::a::A;");
    for text in [
        "",
        "// use crate::b::B;",
        "/// See [`crate::b::B`].\nfn f() { g(\"crate::b::B\") }",
        "use crate::bb::B; use other::b::B;",
        "#[cfg(test)] mod tests { use crate::b::B; }",
        "#[cfg(test)]\npub(crate) mod tests { use crate::b::B; }",
        "#[cfg(all(test, unix))]\nmod tests { use crate::b::B; }",
        "#[cfg(test)] #[path = \"b.rs\"] mod b;",
        "macro_rules! m { () => { $crate::b::B }; }",
        "pub(crate) struct A; impl A { pub(super) fn f() {} }",
    ] {
        assert!(circles_of(&[("a", text), back]).is_empty(), "{text}");
    }
    let above_alone = ("x", "mod a; pub use a::A; fn f(b: B) { b.a::<u8>(); y::a::g(); }");
    assert!(circles_of(&[above_alone, ("x::a", "use crate::y::Y;"), ("y", "pub struct Y;")]).is_empty());
    let below_alone = [("x", "mod a; pub struct X;"), ("x::a", "use super::X;")];
    assert!(circles_of(&below_alone).is_empty());
}
