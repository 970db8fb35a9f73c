//! Searches of backgammon: asked for, saved, read and merged.

use std::num::NonZeroUsize;

use tavli_analysis::search::{
    Budget, Method, RequestError, Reward, SearchRecordError, SearchRequest, SearchResult, SearchSettings,
};
use tavli_backgammon::{Position, Tier};
use tavli_file::record::EnvelopeError;
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli_trials::Shard;

fn workers() -> Workers {
    let two = NonZeroUsize::new(2);
    Workers::start(&Placement::new(&Cpus::allowed(), Pinning::None, two).unwrap()).unwrap()
}

fn position() -> Position {
    "4HPwATDgc/ABMA".parse().unwrap()
}

fn request(method: Method, shard: Option<Shard>) -> SearchRequest {
    SearchRequest {
        roll: Some("42".parse().unwrap()),
        settings: SearchSettings {
            method,
            trees: 5,
            // Only trees read it.
            c: if method == Method::Uct { 0.7 } else { 1.0 },
            ..SearchSettings::default()
        },
        budget: Budget::simulations(5_003),
        shard,
        ..SearchRequest::default()
    }
}

fn found(method: Method, shard: Option<Shard>) -> SearchResult {
    searched(&request(method, shard), &position())
}

fn searched(request: &SearchRequest, position: &Position) -> SearchResult {
    let task = request.prepare(position, Tier::best()).unwrap();
    task.run(&workers(), |_| ())
}

/// The record without the time.
fn values(found: &SearchResult) -> String {
    let text = found.to_json();
    let mut record: serde_json::Value = serde_json::from_str(&text).unwrap();
    record["search"]["seconds"] = serde_json::Value::Null;
    record["checksum"] = serde_json::Value::Null;
    record.to_string()
}

#[test]
fn shards_that_were_saved_merge_to_the_whole() {
    for &method in Method::ALL {
        let whole = found(method, None);
        assert_eq!(whole.root().simulations(), 5_003);
        let mut parts = Vec::new();
        for index in [3, 1, 2] {
            let part = found(method, Some(Shard::new(index, 3).unwrap()));
            assert!(!part.is_whole());
            let read = SearchResult::from_json(&part.to_json()).unwrap();
            assert_eq!(read.root(), part.root());
            assert_eq!(read.to_json(), part.to_json());
            parts.push(part);
        }
        let merged = SearchResult::merge(&parts).unwrap();
        assert_eq!(values(&merged), values(&whole), "{method}");
        // Replies are not saved, and add up all the same.
        for (one, other) in merged.plays().iter().zip(whole.plays()) {
            assert_eq!(one.line_and_replies, other.line_and_replies, "{method}");
        }
        let first = whole.line(whole.best().choice)[0].clone();
        assert_eq!(first, format!("42: {}", whole.best().moves));
    }
}

#[test]
fn parts_that_are_not_a_whole_are_refused() {
    let part = |index| found(Method::Flat, Some(Shard::new(index, 3).unwrap()));
    let [one, two, three] = [1, 2, 3].map(part);
    let refused = |parts: &[&SearchResult]| {
        let parts: Vec<SearchResult> = parts.iter().map(|&part| part.clone()).collect();
        SearchResult::merge(&parts).unwrap_err().to_string()
    };
    assert!(refused(&[]).starts_with("there is nothing to merge: "));
    assert_eq!(refused(&[&one, &two]), "trees 3 to 4 are in no shard: of 5 trees, each must be in one");
    assert_eq!(refused(&[&three, &one, &two, &two]), "both hold trees 1 to 2: leave one of the two out");
    let other = found(Method::Halving, Some(Shard::new(2, 3).unwrap()));
    assert_eq!(
        refused(&[&one, &other, &three]),
        "the shards belong to different searches: the method is flat in one, halving in the other"
    );
    let cancel = Cancel::new();
    cancel.cancel();
    let shard = Some(Shard::new(2, 3).unwrap());
    let task = request(Method::Flat, shard).prepare(&position(), Tier::best()).unwrap();
    let interrupted = task.cancelled_by(&cancel).run(&workers(), |_| ());
    assert_eq!(refused(&[&one, &interrupted, &three]), "it was interrupted: run this shard again");
}

#[test]
fn a_record_that_was_changed_is_refused() {
    let text = found(Method::Uct, None).to_json();
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in {text}");
        let changed = text.replacen(from, to, 1);
        SearchResult::from_json(&changed).unwrap_err().to_string()
    };
    assert!(refused("{", "").starts_with("it is not a record of a search: "));
    assert!(refused("tavli search", "tavli rollout").contains("its format is 'tavli rollout'"));
    assert!(refused("\"version\":1", "\"version\":9").contains("version 9; this program reads version 1"));
    assert!(refused("5e4411ba", "5e4411bb").contains("a version whose games have other values"));
    for (from, to) in
        [("\"trees\":5", "\"trees\":6"), ("\"held\":[0,5]", "\"held\":[0,4]"), ("\"depth\":", "\"depth\":1")]
    {
        assert!(refused(from, to).starts_with("it is damaged: its checksum is "), "{from}");
    }
}

/// Changes the counts of the first play; the checksum is right, since it is computed after the change.
fn refusal(text: &str, counts: impl Fn(i64) -> [i64; 3]) -> String {
    let number = |name: &str| -> i64 {
        let rest = text.split(name).nth(1).expect(name);
        rest.split([',', '}']).next().and_then(|number| number.parse().ok()).expect(name)
    };
    let [visits, sum, squares] = ["\"visits\":", "\"sum\":", "\"squares\":"].map(number);
    let play = |[visits, sum, squares]: [i64; 3]| format!("\"visits\":{visits},\"sum\":{sum},\"squares\":{squares},");
    let was = play([visits, sum, squares]);
    assert!(text.contains(&was), "{was}");
    let changed = text.replacen(&was, &play(counts(visits)), 1);
    let Err(SearchRecordError::Envelope(EnvelopeError::Checksum { found, contents })) =
        SearchResult::from_json(&changed)
    else {
        panic!("{was}");
    };
    let signed = changed.replacen(&found, &contents, 1);
    SearchResult::from_json(&signed).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn counts_that_no_simulations_have_are_refused() {
    let text = found(Method::Uct, None).to_json();
    let of_sums = "the counts or the line of";
    let error = refusal(&text, |visits| [visits + 4_294_967_296, 0, visits + 4_294_967_296]);
    assert!(error.contains("simulations"), "{error}");
    for counts in [
        |visits| [visits, 4, 0],
        |visits| [visits, visits, visits - 1],
        |visits| [visits, visits / 2, visits / 2],
        |visits| [visits, 4 * visits, 16 * visits],
    ] {
        let error = refusal(&text, counts);
        assert!(error.contains(of_sums), "{error}");
    }
}

/// The opponent has borne off checkers, and so has the player on roll: no game is worth more than a point.
#[test]
fn values_that_the_position_cannot_give_are_refused() {
    let position = "0 2 2 0 0 0 3 0 0 0 0 0 0 0 0 0 0 0 0 -2 -2 0 0 0 -3 0";
    for reward in [Reward::Points, Reward::Wins] {
        let request = SearchRequest {
            roll: Some("31".parse().expect("a roll")),
            settings: SearchSettings { reward, ..SearchSettings::default() },
            budget: Budget::simulations(2_000),
            ..SearchRequest::default()
        };
        let position: Position = position.parse().expect("a position");
        let text = searched(&request, &position).to_json();
        assert!(SearchResult::from_json(&text).is_ok());
        for counts in [
            |visits| [visits, 3 * visits, 9 * visits],
            |visits| [visits, visits, 2 * visits],
            |visits| [visits, -2 * visits, 4 * visits],
        ] {
            let error = refusal(&text, counts);
            assert!(error.contains("the counts or the line of"), "{error}");
        }
    }
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let refused = |request: SearchRequest, position: &str| {
        let task = request.prepare(&position.parse().unwrap(), Tier::best());
        task.unwrap_err()
    };
    let opening = "4HPwATDgc/ABMA";
    assert_eq!(refused(SearchRequest::default(), opening), RequestError::NoRoll);
    let shard = Shard::new(6, 6).unwrap();
    assert_eq!(
        refused(request(Method::Uct, Some(shard)), opening).to_string(),
        "5 trees are too few for 6 shards: ask for at most 5 shards, or more trees"
    );
    let gap = SearchRequest {
        budget: Budget { gap: Some(3.0), ..Budget::simulations(100) },
        ..request(Method::Uct, Some(Shard::new(1, 2).unwrap()))
    };
    assert_eq!(refused(gap, opening), RequestError::Gap);
    let over = refused(request(Method::Uct, None), "AAAAAAEAAAAAAA");
    assert!(matches!(over, RequestError::Position(_)), "{over}");
}
