//! Tables, written as text, Markdown, a part of a page, or CSV.

use maud::{Markup, html};

use super::plain::plain;

/// A table: a head, and rows with as many cells as the head.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows; the first cell of each names it.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with the columns `head` and no row.
    pub(super) fn new(head: &[&str]) -> Table {
        Table { head: head.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }

    /// The table without empty columns; the first column stays.
    pub(super) fn without_empty_columns(&self) -> Table {
        let is_told = |at: &usize| *at == 0 || self.rows.iter().any(|row| !row[*at].is_empty());
        self.columns((0..self.head.len()).filter(is_told))
    }

    /// The table of the columns with these names, in their order.
    pub(super) fn named(&self, names: &[&str]) -> Table {
        let place = |name: &&str| self.head.iter().position(|head| head == name);
        self.columns(names.iter().map(|name| place(name).expect("a name of a column")))
    }

    fn columns(&self, kept: impl Iterator<Item = usize>) -> Table {
        let kept: Vec<usize> = kept.collect();
        let cut = |cells: &Vec<String>| kept.iter().map(|&at| cells[at].clone()).collect();
        Table { head: cut(&self.head), rows: self.rows.iter().map(cut).collect() }
    }

    /// Lines of text: the first column begins at the left, the others end below each other.
    #[must_use]
    pub fn text(&self) -> String {
        let lines: Vec<&Vec<String>> = [&self.head].into_iter().chain(&self.rows).collect();
        let width = |at: usize| {
            let cells = lines.iter().map(|cells| cells[at].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut text = String::new();
        for cells in lines {
            let padded: Vec<String> = cells
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(at, (cell, &width))| match at {
                    0 => format!("{cell:<width$}"),
                    _ => format!("{cell:>width$}"),
                })
                .collect();
            text.push_str(padded.join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    /// A table of Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |cells: &Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text = line(&self.head) + &"|---".repeat(self.head.len()) + "|\n";
        text.extend(self.rows.iter().map(line));
        text
    }

    /// Lines of CSV (RFC 4180).
    #[must_use]
    pub fn csv(&self) -> String {
        let cell = |text: &String| match text.contains([',', '"', '\n']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.clone(),
        };
        let line = |cells: &Vec<String>| cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
        [&self.head].into_iter().chain(&self.rows).map(line).collect()
    }

    /// A part of a page. On a narrow page each row becomes a block, with the names of the columns in its cells. The
    /// first cell of row `i` is linked to `links[i]`, if there is one.
    pub(super) fn html(&self, links: &[String]) -> Markup {
        html! {
            div.wide { table.rows {
                thead { tr { @for name in &self.head { th scope="col" { (name) } } } }
                "\n"
                tbody {
                    @for (number, row) in self.rows.iter().enumerate() {
                        tr {
                            @for (at, cell) in row.iter().enumerate() {
                                @if at == 0 {
                                    th scope="row" {
                                        @if let Some(link) = links.get(number) {
                                            a href=(link) { (cell) }
                                        } @else { (cell) }
                                    }
                                } @else {
                                    td data-label=(self.head[at]) {
                                        @if is_figure(cell) { span.figure { (cell) } } @else { (cell) }
                                    }
                                }
                            }
                        }
                        "\n"
                    }
                }
            } }
        }
    }
}

/// Whether a cell is a figure with its unit, which stays on one line.
fn is_figure(cell: &str) -> bool {
    let first = |first: char| first.is_ascii_digit() || ['+', '-'].contains(&first);
    cell.starts_with(first) && cell.len() < 24
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["case", "rate", "none"]);
        table.rows.push(["a, b", "1", ""].map(str::to_owned).to_vec());
        table.rows.push(["c", "<22>", ""].map(str::to_owned).to_vec());
        table.without_empty_columns()
    }

    #[test]
    fn one_table_is_written_in_four_ways() {
        assert_eq!(table().text(), "case  rate\na, b     1\nc     <22>\n");
        assert_eq!(table().markdown(), "| case | rate |\n|---|---|\n| a, b | 1 |\n| c | &lt;22&gt; |\n");
        assert_eq!(table().csv(), "case,rate\n\"a, b\",1\nc,<22>\n");
        let page = table().html(&["one.html".to_owned()]).into_string();
        assert!(page.contains("<a href=\"one.html\">a, b</a>"), "{page}");
        assert!(page.contains("<td data-label=\"rate\">&lt;22&gt;</td>"), "{page}");
        assert_eq!(page.matches("<a ").count(), 1);
    }
}
