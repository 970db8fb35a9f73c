//! Searches from C equal the library's.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

use crate::support::{Handle, cancel, last_error, ok, opening, workers};
use tavli::rollout::Shard;
use tavli::search::{self, Budget, Method, NamedHeuristic, ProgressiveBias, SearchRequest, SearchResult};
use tavli::{NO_STOP, Position, Tier};
use tavli_capi::*;

fn settings(change: impl FnOnce(&mut SearchSettings)) -> SearchSettings {
    let mut settings = tavli_search_settings_default();
    change(&mut settings);
    settings
}

/// The search of 31 in the opening.
fn search(settings: &SearchSettings) -> Result<Handle<Search>, Status> {
    search_in(&opening(), [3, 1], settings)
}

/// The search of dice in a position.
fn search_in(
    points: &[c_int; 26],
    [die, other]: [c_int; 2],
    settings: &SearchSettings,
) -> Result<Handle<Search>, Status> {
    let workers = workers(2, None);
    let run = |search| {
        // SAFETY: 26 numbers, settings, a handle and a place for one.
        unsafe {
            tavli_search_run(points.as_ptr(), die, other, settings, workers.get(), null(), None, null_mut(), search)
        }
    };
    Handle::new(run, tavli_search_free)
}

fn plays(search: &Handle<Search>) -> Vec<SearchPlay> {
    let mut count = 0;
    let mut plays = Vec::with_capacity(16);
    // SAFETY: a handle, room for 16 plays, which are written, and a number.
    unsafe {
        ok(tavli_search_plays(search.get(), plays.as_mut_ptr(), 16, &raw mut count));
        plays.set_len(count);
    }
    plays
}

fn summary(search: &Handle<Search>) -> SearchSummary {
    let mut summary = std::mem::MaybeUninit::uninit();
    // SAFETY: a handle and room for a summary, which is written.
    unsafe {
        ok(tavli_search_summary(search.get(), summary.as_mut_ptr()));
        summary.assume_init()
    }
}

/// The functions that write a text of a search.
type Write = unsafe extern "C" fn(*const Search, *mut c_char, usize, *mut usize) -> Status;

fn text(search: &Handle<Search>, write: Write) -> String {
    let mut size = 0;
    // SAFETY: a handle, room for as many bytes as are asked for, and a number.
    unsafe {
        assert_eq!(write(search.get(), null_mut(), 0, &raw mut size), Status::Buffer);
        let mut buffer = vec![0; size];
        ok(write(search.get(), buffer.as_mut_ptr(), size, &raw mut size));
        CStr::from_ptr(buffer.as_ptr()).to_str().expect("UTF-8").to_owned()
    }
}

fn request(method: Method, shard: Option<Shard>) -> SearchRequest {
    SearchRequest {
        roll: Some("31".parse().expect("a roll")),
        settings: search::SearchSettings { method, trees: 3, seed: 9, ..search::SearchSettings::default() },
        budget: Budget::simulations(4_001),
        shard,
        ..SearchRequest::default()
    }
}

fn library(method: Method, shard: Option<Shard>) -> SearchResult {
    run(&request(method, shard))
}

fn run(request: &SearchRequest) -> SearchResult {
    let position = Position::from(tavli::Board::START);
    let task = request.prepare(&position, Tier::best()).expect("a search");
    let placement = tavli::run::Placement::new(
        &tavli::run::Cpus::allowed(),
        tavli::run::Pinning::None,
        std::num::NonZeroUsize::new(1),
    );
    let workers = tavli::run::Workers::start(&placement.expect("a place")).expect("workers");
    task.run(&workers, |_| ())
}

#[test]
fn searches_are_those_of_the_library() {
    for (method, name) in [(Method::Uct, c"uct"), (Method::Flat, c"flat"), (Method::Halving, c"halving")] {
        let settings = settings(|settings| {
            settings.method = name.as_ptr();
            settings.trees = 3;
            settings.seed = 9;
            settings.simulations = 4_001;
        });
        let found = search(&settings).expect("a search");
        let expected = library(method, None);
        let expected_plays: Vec<SearchPlay> = expected.plays().iter().map(SearchPlay::from).collect();
        assert_eq!(plays(&found), expected_plays);
        let summary = summary(&found);
        assert_eq!(summary.simulations, 4_001);
        assert_eq!(summary.nodes, expected.nodes());
        assert_eq!(summary.bytes, expected.bytes());
        assert_eq!(summary.playout_plies, expected.plies());
        assert_eq!((summary.first_tree, summary.trees), (0, 3));
        assert_eq!((summary.is_interrupted, summary.is_memory_refused), (0, 0));
        let line = expected.line(expected.best().choice).join(", ");
        assert_eq!(text(&found, tavli_search_line), line);
        assert_eq!(text(&found, tavli_search_svg), expected.svg());
    }
}

#[test]
fn an_evaluator_guides_the_trees() {
    let found = |guides: fn(&mut SearchSettings)| {
        let settings = settings(|settings| {
            settings.trees = 3;
            settings.seed = 9;
            settings.simulations = 4_001;
            guides(settings);
        });
        search(&settings)
    };
    let by_td80 = found(|settings| {
        settings.evaluator = c"td80".as_ptr();
        (settings.bias, settings.unprune) = (2.0, 1);
    });
    let by_pubeval = found(|settings| {
        settings.evaluator = c"pubeval".as_ptr();
        (settings.bias, settings.unprune) = (2.0, 1);
    });
    for (biased, name) in [(by_td80, "td80"), (by_pubeval, "pubeval")] {
        let request = SearchRequest {
            progressive_bias: Some(ProgressiveBias {
                heuristic: NamedHeuristic::named(name, NO_STOP).expect("a heuristic"),
                bias: 2.0,
                unprunes: true,
            }),
            ..request(Method::Uct, None)
        };
        let expected = run(&request);
        let expected: Vec<SearchPlay> = expected.plays().iter().map(SearchPlay::from).collect();
        assert_eq!(plays(&biased.expect("a search")), expected);
        assert_ne!(plays(&found(|_| ()).expect("a search")), expected);
    }
    let by_default = found(|settings| settings.bias = 2.0).expect("a search");
    let by_fast = found(|settings| (settings.evaluator, settings.bias) = (c"fast".as_ptr(), 2.0));
    assert_eq!(plays(&by_default), plays(&by_fast.expect("a search")));
    for (guides, message) in [
        (
            (|settings| settings.evaluator = c"td80".as_ptr()) as fn(&mut SearchSettings),
            "the evaluator td80 guides the trees by bias or unprune, and neither is given: set one, or no evaluator",
        ),
        (|settings| (settings.evaluator, settings.unprune) = (c"td80".as_ptr(), 2), "unprune is 0 or 1, not 2"),
        (
            |settings| (settings.evaluator, settings.bias) = (c"td80".as_ptr(), -1.0),
            "invalid bias -1: give a number from 0 to 1000, such as 1",
        ),
    ] {
        assert_eq!(found(guides).err(), Some(Status::Settings));
        assert_eq!(last_error(), message);
    }
}

#[test]
fn parts_that_were_written_and_read_merge_to_the_whole() {
    let parts: Vec<Handle<Search>> = [2, 1]
        .iter()
        .map(|&shard| {
            let settings = settings(|settings| {
                settings.trees = 3;
                settings.seed = 9;
                settings.simulations = 4_001;
                (settings.shard, settings.shards) = (shard, 2);
            });
            let part = search(&settings).expect("a search");
            let json = std::ffi::CString::new(text(&part, tavli_search_to_json)).expect("no zero");
            // SAFETY: a text and a place for a handle.
            let read = |search| unsafe { tavli_search_from_json(json.as_ptr(), search) };
            Handle::new(read, tavli_search_free).expect("a search")
        })
        .collect();
    let handles: Vec<*const Search> = parts.iter().map(Handle::get).collect();
    let merge = |count| {
        let merge = |search| {
            // SAFETY: as many handles as are counted, and a place for one.
            unsafe { tavli_search_merge(handles.as_ptr(), count, search) }
        };
        Handle::new(merge, tavli_search_free)
    };
    let whole = merge(2).expect("a whole");
    let expected = library(Method::Uct, None);
    let expected: Vec<SearchPlay> = expected.plays().iter().map(SearchPlay::from).collect();
    assert_eq!(plays(&whole), expected);
    assert_eq!(merge(1).err(), Some(Status::Merge));
    assert_eq!(last_error(), "trees 0 to 0 are in no shard: of 3 trees, each must be in one");
}

/// Throws the switch that it is given.
unsafe extern "C" fn throw(progress: *const Progress, data: *mut c_void) {
    // SAFETY: a report, and the handle of a switch.
    unsafe {
        if (*progress).trials > 1000 {
            ok(tavli_cancel_throw(data.cast()));
        }
    }
}

#[test]
fn a_switch_ends_a_search_with_its_result_so_far() {
    let (workers, cancel) = (workers(2, None), cancel());
    let settings = settings(|settings| settings.seconds = 600.0);
    let run = |search| {
        // SAFETY: 26 numbers, settings, handles, a function for this data, and a place for a handle.
        unsafe {
            tavli_search_run(
                opening().as_ptr(),
                3,
                1,
                &raw const settings,
                workers.get(),
                cancel.get(),
                Some(throw),
                cancel.get().cast_mut().cast(),
                search,
            )
        }
    };
    let found = Handle::new(run, tavli_search_free).expect("a search");
    let summary = summary(&found);
    assert_eq!(summary.is_interrupted, 1);
    assert!(summary.simulations > 1000);
}

#[test]
fn bad_settings_are_refused() {
    type Change = fn(&mut SearchSettings);
    let cases: [(Change, &str); 14] = [
        (|s| s.size = 8, "begin with the struct that its _default"),
        (|s| s.c = -1.0, "invalid C -1: give a number from 0 to 1000"),
        (|s| s.c = f64::NAN, "invalid C NaN"),
        (
            |s| {
                s.method = c"flat".as_ptr();
                s.c = 2.0;
            },
            "c is for the method uct, not for flat, which grows no trees",
        ),
        (|s| s.seconds = -1.0, "seconds are a number from 1e-9 to 1.8e19, or 0 for no rule, not -1.0"),
        (|s| s.trees = 0, "invalid number of trees 0: give 1 to 65536"),
        (|s| s.expand = 0, "visits to expand are 1 or more, not 0"),
        (|s| s.memory = 100, "100 bytes are too few for the roots of 16 trees"),
        (|s| s.method = c"mcts".as_ptr(), "unknown method 'mcts'; choose one of: uct"),
        (|s| s.policy = c"gnubg".as_ptr(), "choose one of: uniform"),
        (|s| (s.evaluator, s.bias) = (c"nobody".as_ptr(), 1.0), "unknown evaluator 'nobody'; choose one of: td80,"),
        (|s| s.bias = 1001.0, "invalid bias 1001: give a number from 0 to 1000"),
        (
            |s| {
                s.method = c"halving".as_ptr();
                s.seconds = 1.0;
            },
            "halving divides its simulations into rounds: give their number",
        ),
        (|s| s.shards = 2, "there is no shard 0 of 2"),
    ];
    for (change, message) in cases {
        assert_eq!(search(&settings(change)).err(), Some(Status::Settings));
        assert!(last_error().contains(message), "{}", last_error());
    }
}

#[test]
fn a_search_needs_a_roll_and_a_game_that_goes_on() {
    let settings = settings(|_| ());
    for dice in [[0, 0], [3, 0], [7, 1]] {
        assert_eq!(search_in(&opening(), dice, &settings).err(), Some(Status::Roll));
        assert!(last_error().contains("1 to 6"), "{}", last_error());
    }
    // The other player has borne off all checkers.
    let mut over = [0; 26];
    over[1] = 1;
    assert_eq!(search_in(&over, [3, 1], &settings).err(), Some(Status::Game));
    assert!(last_error().contains("the game is already over"), "{}", last_error());
}

#[test]
fn nothing_named_is_the_default() {
    // 0 simulations mean the default: no bound if there are seconds, a million if there are none.
    let unnamed = search(&settings(|s| s.method = c"flat".as_ptr())).expect("a search");
    assert_eq!(summary(&unnamed).simulations, 1_000_000);
    let of = |choice: *const c_char| {
        let found = search(&settings(|s| {
            s.simulations = 3000;
            s.best_by = choice;
        }));
        text(&found.expect("a search"), tavli_search_to_json)
    };
    assert!(of(null()).contains("\"choice\":\"value\""), "{}", of(null()));
    assert!(of(c"visits".as_ptr()).contains("\"choice\":\"visits\""));
}
