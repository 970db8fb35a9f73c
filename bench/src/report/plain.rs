//! Texts of records made safe to show: without markup, and without the folders of a machine.

use tavli::text::printable_lines;

/// Escapes a text of a record: neither Markdown and HTML, nor ends of table cells and lines, nor characters that a
/// terminal would obey, remain.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' => {
                plain.push('\\');
                plain.push(character);
            }
            '\n' | '\r' | '\t' => plain.push(' '),
            _ => plain.push(character),
        }
    }
    printable_lines(&plain)
}

/// A command or a list of flags in which each absolute path is cut to the name of its file, so that a posted report
/// names no folder of a machine. Relative paths stay.
#[must_use]
pub fn without_folders(text: &str) -> String {
    let words: Vec<String> = text.split(' ').map(word_without_folders).collect();
    words.join(" ")
}

fn word_without_folders(word: &str) -> String {
    let mut kept = String::new();
    let mut rest = word;
    while let Some(at) = rest.find(['/', '\\']) {
        let (before, path) = rest.split_at(at);
        let option = before.len() == 2 && before.starts_with('-') && kept.is_empty();
        let drive = path.starts_with('\\') && before.ends_with(':');
        let is_absolute = option || drive || !before.ends_with(is_of_name);
        let end = path.find([',', '"', '\'', ';', ':']).unwrap_or(path.len());
        if is_absolute {
            let before = if drive { &before[..before.len().saturating_sub(2)] } else { before };
            kept.push_str(before);
            let name = path[..end].trim_end_matches(['/', '\\']);
            kept.push_str(name.rsplit(['/', '\\']).next().unwrap_or_default());
        } else {
            kept.push_str(before);
            kept.push_str(&path[..end]);
        }
        rest = &path[end..];
    }
    kept + rest
}

/// Whether a character before a slash is part of a relative path.
fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || ['.', '_', '-', '~'].contains(&character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_lose_their_folders() {
        for (written, shown) in [
            ("tavli bench quick", "tavli bench quick"),
            ("tavli bench /home/me/own.toml --save=/tmp/a.json", "tavli bench own.toml --save=a.json"),
            ("bench report profiles/machines ../x", "bench report profiles/machines ../x"),
            ("-Clinker=/opt/secret/ld -L/home/me/lib", "-Clinker=ld -Llib"),
            ("--remap-path-prefix=/home/me/a=/x/b", "--remap-path-prefix=b"),
            (r"bench C:\Users\me\a.toml", "bench a.toml"),
            ("'/home/me/a'", "'a'"),
            ("/", ""),
        ] {
            assert_eq!(without_folders(written), shown, "{written}");
        }
    }
}
