//! The page of a record with markup in every text. `bench/check` opens the same page in a browser.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use html5gum::Tokenizer;
use html5gum::emitters::default::{DefaultEmitter, StartTag, Token};
use serde_json::Value;
use tavli_bench::Record;
use tavli_bench::report::{self, Entry, MachineRates, Rank, Table, machines_table};

/// The end of each text of the record: markup in which a browser would run a script.
const MARKUP: &str = "<script>";
/// Members whose form is checked.
const FORMED: [&str; 2] = ["started", "checksum"];

fn text() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/hostile.json");
    fs::read_to_string(file).unwrap()
}

fn hostile() -> Record {
    Record::parse(&text()).unwrap()
}

/// Calls `found` with the texts of a document, and the names of their members.
fn texts(name: &str, value: &Value, found: &mut impl FnMut(&str, &str)) {
    match value {
        Value::String(text) => found(name, text),
        Value::Array(values) => values.iter().for_each(|value| texts(name, value, found)),
        Value::Object(members) => {
            for (name, value) in members {
                texts(name, value, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The tags of a page, and its texts joined. With `switching` the titles of a drawing are read as a browser reads
/// titles of a page, else as titles of a drawing.
fn read(page: &str, switching: bool) -> (Vec<StartTag<()>>, String) {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(switching);
    let (mut tags, mut text) = (Vec::new(), String::new());
    for token in Tokenizer::new_with_emitter(page, emitter) {
        match token.unwrap() {
            Token::StartTag(tag) => tags.push(tag),
            Token::String(more) => text.push_str(str::from_utf8(&more).unwrap()),
            Token::Error(error) => panic!("{error:?}"),
            _ => {}
        }
    }
    (tags, text)
}

fn name(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

#[test]
fn every_text_of_the_record_holds_markup() {
    let document: Value = serde_json::from_str(&text()).unwrap();
    let mut number = 0;
    texts("", &document, &mut |name, text| {
        // One case must keep its workload, or its chart is not drawn.
        if !FORMED.contains(&name) && (name, text) != ("workload", "count") {
            assert!(text.contains(MARKUP), "{name}: {text}");
            number += 1;
        }
    });
    assert!(number > 40, "{number}");
}

#[test]
fn a_page_runs_and_loads_nothing() {
    let entry = || Entry { folder: Some(format!("folder {MARKUP}")), record: hostile() };
    let page = report::page("tavli <script>", &[entry(), entry()]);
    for chart in [
        "Machines side by side",
        "Scaling of",
        "Repetitions",
        "of each worker",
        "Cycles to count",
        "by stage of the batch",
        "class=\"headline\"",
        "What went on",
    ] {
        assert!(page.contains(chart), "{chart}");
    }
    for switching in [true, false] {
        let (tags, text) = read(&page, switching);
        let elements: BTreeSet<&str> = tags.iter().map(|tag| name(&tag.name)).collect();
        let known = [
            "body",
            "circle",
            "code",
            "dd",
            "details",
            "div",
            "dl",
            "dt",
            "figcaption",
            "figure",
            "h1",
            "h2",
            "h3",
            "head",
            "html",
            "line",
            "main",
            "meta",
            "p",
            "polyline",
            "rect",
            "section",
            "span",
            "style",
            "summary",
            "svg",
            "table",
            "tbody",
            "td",
            "text",
            "th",
            "thead",
            "title",
            "tr",
        ];
        assert_eq!(elements, BTreeSet::from(known));
        let attributes: BTreeSet<&str> =
            tags.iter().flat_map(|tag| tag.attributes.keys()).map(|key| name(key)).collect();
        let known = [
            "aria-label",
            "charset",
            "class",
            "content",
            "cx",
            "cy",
            "data-label",
            "height",
            "http-equiv",
            "lang",
            "name",
            "points",
            "r",
            "role",
            "rx",
            "scope",
            "text-anchor",
            "viewbox",
            "width",
            "x",
            "x1",
            "x2",
            "y",
            "y1",
            "y2",
        ];
        assert_eq!(attributes, BTreeSet::from(known));
        // The policy comes before everything that it governs.
        assert_eq!(name(&tags[2].name), "meta");
        let policy = &tags[3];
        let value = |key: &str| name(&policy.attributes[key.as_bytes()].value);
        assert_eq!(value("http-equiv"), "Content-Security-Policy");
        assert!(value("content").starts_with("default-src 'none'; style-src 'unsafe-inline';"));
        // The markup is shown instead of run.
        assert!(text.matches(MARKUP).count() > 60, "{switching}");
    }
}

#[test]
fn an_index_of_machines_loads_nothing() {
    let table = Table {
        head: vec![format!("machine {MARKUP}"), "rate".to_owned()],
        rows: vec![vec![format!("one {MARKUP}"), format!("1 {MARKUP}")]],
    };
    let page = report::index("tavli <script>", &table, &["one.html".to_owned()]);
    let (tags, text) = read(&page, true);
    assert!(!tags.iter().any(|tag| ["script", "img", "link"].contains(&name(&tag.name))));
    let links = tags.iter().filter(|tag| name(&tag.name) == "a");
    let links: Vec<&str> = links.map(|tag| name(&tag.attributes[b"href".as_slice()].value)).collect();
    assert_eq!(links, ["one.html"]);
    assert!(text.matches(MARKUP).count() >= 3, "{text}");
}

#[test]
fn tables_hold_no_markup() {
    let entries = [Entry::from(hostile())];
    let machines = MachineRates::from_entries(&entries, Rank::Machine);
    let table = machines_table(&machines, None, Rank::Machine, false);
    let text = report::text("tavli bench report", &table, &entries);
    assert!(!text.contains('<') && text.contains("&lt;script&gt;"), "{text}");
}
