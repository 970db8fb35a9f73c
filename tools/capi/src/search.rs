//! Searches for the best play of a roll.

use std::ffi::{c_char, c_int, c_void};
use std::num::NonZeroU32;
use std::ptr::null;
use std::str::FromStr;
use std::sync::Arc;

use tavli::named::{self, Defaults};
use tavli::policies::{Policy, Uniform};
use tavli::rollout::Shard;
use tavli::run::{self, Limit};
use tavli::search::{self, Budget, FoundPlay, NamedHeuristic, ProgressiveBias, SearchRequest, SearchResult};

use crate::cancel::{self, Cancel};
use crate::failure::Failure;
use crate::guard::guarded;
use crate::play::Play;
use crate::plays::roll;
use crate::pointer::{self, Buffer, OutPointer};
use crate::position;
use crate::progress::{Listener, ProgressCallback};
use crate::remarks::remark;
use crate::settings::{Rules, versioned};
use crate::status::Status;
use crate::text;
use crate::workers::{self, Workers};

/// The result of a search. It does not change, and any number of calls may use it at once.
#[derive(Debug)]
pub struct Search(SearchResult);

/// How a play is searched for. Begin with tavli_search_settings_default and change what you need.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchSettings {
    /// sizeof(TavliSearchSettings), as tavli_search_settings_default sets it.
    pub size: u32,
    /// TAVLI_SEARCH_SETTINGS_VERSION, as tavli_search_settings_default sets it.
    pub version: u32,
    /// The seed of the random numbers; 1 by default.
    pub seed: u64,
    /// The search ends after this many simulations; 0, the default, is 1,000,000, or unlimited if there are seconds.
    pub simulations: u64,
    /// The search ends after about this many seconds; 0, the default, is no rule.
    pub seconds: f64,
    /// The search ends when the value of the best play is gap standard errors ahead of the second; 0, the default, is
    /// no rule.
    pub gap: f64,
    /// The factor of exploration in v + C sqrt(ln n_p / n), 0 to 1000; 1 by default. c, memory, expand and
    /// chance_sampling are for "uct"; other methods accept only their defaults.
    pub c: f64,
    /// Bytes for all trees; a tree that reaches its share stops growing, and the search goes on. 2,000,000,000 by
    /// default.
    pub memory: u64,
    /// A TavliRules; backgammon by default.
    pub rules: u32,
    /// The number of trees, whose visits are added up, 1 to 65,536; 16 by default.
    pub trees: u32,
    /// The playouts of one tree that may be played at the same time, 1 to 65,536; 256 by default.
    pub in_flight: u32,
    /// The plays of a roll are added to the tree once the position was visited more than this many times with that
    /// roll; 1 or more, 1 by default.
    pub expand: u32,
    /// Grow the trees of shard number shard, from 1 on, of shards. 0 of 0, the default, are all trees.
    pub shard: u32,
    /// How many shards there are.
    pub shards: u32,
    /// The name of the policy of the playouts, as in TavliSettings. NULL, the default, is "uniform".
    pub policy: *const c_char,
    /// How simulations are divided among the plays: "uct", by trees, which grow where plays are good; "flat", evenly;
    /// "halving", in rounds, each on the better half of the plays. NULL, the default, is "uct".
    pub method: *const c_char,
    /// What a game counts: "points" or "wins" (1 and -1). NULL, the default, is "points".
    pub reward: *const c_char,
    /// How trees draw throws: "random", or "stratified" (the visits to a position get each of the 36 throws once before
    /// any repeats). NULL, the default, is "random".
    pub chance_sampling: *const c_char,
    /// Which play is the best: "value", of the highest value; "visits", with the most visits; or "visits-then-value",
    /// the highest value of those with the most visits. NULL, the default, is "value".
    pub best_by: *const c_char,
    /// The name of the evaluator that guides the trees of uct by bias and unprune, as in TavliSettings, or "pubeval",
    /// whose value is not an equity. NULL, the default, is "fast" (in mcgammon "sampled") if bias or unprune ask for
    /// one, and otherwise none. An evaluator without bias and unprune would do nothing and is an error.
    pub evaluator: *const c_char,
    /// Progressive bias, by which plays that the evaluator values highly are tried first: bias times the play's equity,
    /// divided by its visits + 1, is added to its bound. From 0, the default, which adds nothing, to 1000.
    pub bias: f64,
    /// 1 for progressive unpruning: only the plays that the evaluator ranks first are selected from, 5 at first, more
    /// with more visits. 0 by default.
    pub unprune: u32,
}

/// The version of TavliSearchSettings in this header.
pub const TAVLI_SEARCH_SETTINGS_VERSION: u32 = 2;

/// A play that was searched, with its counts, for the player on roll.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchPlay {
    /// The play.
    pub play: Play,
    /// Simulations that began with it.
    pub visits: u64,
    /// The sum of their values.
    pub sum: i64,
    /// The sum of the squares of their values.
    pub squares: u64,
    /// The mean value; NaN without visits.
    pub value: f64,
    /// Its standard error; NaN below two visits.
    pub standard_error: f64,
}

/// The facts of a search as a whole.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchSummary {
    /// All simulations.
    pub simulations: u64,
    /// Positions stored.
    pub nodes: u64,
    /// Bytes that the trees took.
    pub bytes: u64,
    /// Plies of the playouts.
    pub playout_plies: u64,
    /// The most plays that a simulation has made before its playout.
    pub depth: u64,
    /// Plays of the roll.
    pub plays: u64,
    /// The number of the first of its trees.
    pub first_tree: u64,
    /// The number of its trees.
    pub trees: u64,
    /// 1 if it was cancelled before its end, otherwise 0.
    pub is_interrupted: u64,
    /// Seconds of searching; of merged shards the sum.
    pub seconds: f64,
    /// Simulations a second.
    pub simulations_per_second: f64,
    /// Plies of playouts a second.
    pub playout_plies_per_second: f64,
    /// 1 if the system refused memory to a tree, which stopped growing before it had its share of the settings'
    /// `memory`, otherwise 0.
    pub is_memory_refused: u64,
}

/// A million simulations by UCT with uniform playouts and full rules, seed 1.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_search_settings_default() -> SearchSettings {
    let search::SearchSettings { c, expand, trees, in_flight, seed, memory, .. } = search::SearchSettings::default();
    SearchSettings {
        size: size_of::<SearchSettings>() as u32,
        version: TAVLI_SEARCH_SETTINGS_VERSION,
        seed,
        simulations: 0,
        seconds: 0.0,
        gap: 0.0,
        c,
        memory,
        rules: Rules::Backgammon as u32,
        trees,
        in_flight,
        expand: expand.get(),
        shard: 0,
        shards: 0,
        policy: null(),
        method: null(),
        reward: null(),
        chance_sampling: null(),
        best_by: null(),
        evaluator: null(),
        bias: 0.0,
        unprune: 0,
    }
}

/// A setting that is a word; the default if it is NULL.
///
/// # Safety
/// As for [`text::optional`].
unsafe fn word<T>(name: &str, word: *const c_char, default: T) -> Result<T, Failure>
where
    T: FromStr<Err = search::NameError>,
{
    // SAFETY: the caller guarantees what `text::optional` requires of `word`.
    let word = unsafe { text::optional(name, word) }?;
    let read = word.map(|word| word.parse().map_err(refused));
    read.unwrap_or(Ok(default))
}

/// A bad value of a setting.
fn refused(error: impl core::fmt::Display) -> Failure {
    Failure::new(Status::Settings, error)
}

/// A number above 0; `None` if it is 0.
fn above_0(what: &str, number: f64) -> Result<Option<f64>, Failure> {
    let is_number = number >= 0.0 && number.is_finite();
    is_number
        .then_some((number > 0.0).then_some(number))
        .ok_or_else(|| refused(format_args!("{what} are a finite number above 0, or 0 for no rule, not {number}")))
}

/// The request that settings make; NULL are the default.
///
/// # Safety
/// Unless it is NULL or not aligned, the pointer points to settings of the size that they state, whose names are NULL
/// or texts that end with a zero. Nobody changes any of it meanwhile.
unsafe fn request(settings: *const SearchSettings, cancel: &run::Cancel) -> Result<SearchRequest, Failure> {
    // SAFETY: the caller guarantees, until this returns: `settings` is NULL or a struct of the size that it states.
    let settings = unsafe { versioned("settings", settings, TAVLI_SEARCH_SETTINGS_VERSION) }?;
    let Some(settings) = settings else {
        return Ok(SearchRequest::default());
    };
    let default = search::SearchSettings::default();
    let stop = || cancel.is_cancelled();
    // SAFETY: the caller guarantees, until this returns: `policy`, `method`, `reward`, `chance_sampling`, `best_by` and
    // `evaluator` are NULL or texts that end with a zero.
    let (policy, method, reward, chance_sampling, best_by, evaluator) = unsafe {
        (
            text::optional("policy", settings.policy)?,
            word("method", settings.method, default.method)?,
            word("reward", settings.reward, default.reward)?,
            word("chance_sampling", settings.chance_sampling, default.chance_sampling)?,
            word("best_by", settings.best_by, default.best_by)?,
            text::optional("evaluator", settings.evaluator)?,
        )
    };
    let policy: Arc<dyn Policy> = match policy {
        Some(name) => named::player(name, &stop)?.policy,
        None => Arc::new(Uniform),
    };
    let unprunes = match settings.unprune {
        0 => false,
        1 => true,
        other => return Err(refused(format_args!("unprune is 0 or 1, not {other}"))),
    };
    let rules = Rules::read(settings.rules)?;
    let guides = settings.bias != 0.0 || unprunes;
    let progressive_bias = match (evaluator, guides) {
        (Some(name), false) => {
            return Err(refused(format_args!(
                "the evaluator {name} guides the trees by bias or unprune, and neither is given: set one, or no \
                 evaluator"
            )));
        }
        (None, false) => None,
        (name, true) => Some(ProgressiveBias {
            heuristic: NamedHeuristic::named(name.unwrap_or(Defaults::for_rules(rules).search_heuristic), &stop)?,
            bias: settings.bias,
            unprunes,
        }),
    };
    let time = (settings.seconds != 0.0).then(|| tavli::run::seconds(settings.seconds));
    let time = time.transpose()?;
    let simulations = (settings.simulations > 0).then_some(settings.simulations);
    let expand = NonZeroU32::new(settings.expand);
    Ok(SearchRequest {
        roll: None,
        rules,
        policy,
        settings: search::SearchSettings {
            method,
            c: settings.c,
            reward,
            chance_sampling,
            best_by,
            expand: expand.ok_or_else(|| refused("visits to expand are 1 or more, not 0"))?,
            trees: settings.trees,
            in_flight: settings.in_flight,
            seed: settings.seed,
            memory: settings.memory,
        },
        progressive_bias,
        budget: Budget {
            simulations: simulations.or(time.is_none().then_some(SearchRequest::SIMULATIONS)),
            time,
            gap: above_0("standard errors of the gap", settings.gap)?,
        },
        shard: match (settings.shard, settings.shards) {
            (0, 0) => None,
            (shard, shards) => Some(Shard::new(shard.into(), shards.into())?),
        },
    })
}

/// Searches for the best play of a roll of two dice until an end of the settings holds or it is cancelled, and stores
/// the search. A search that is cancelled succeeds, with the result so far; cancelled while the bear-off table of its
/// player is solved, it has no result, and the status is TAVLI_STATUS_CANCELLED.
///
/// Settings that are NULL are the default. cancel and progress, which counts simulations, may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_search_run(
    points: *const c_int,
    die: c_int,
    other_die: c_int,
    settings: *const SearchSettings,
    workers: *const Workers,
    cancel: *const Cancel,
    progress: ProgressCallback,
    data: *mut c_void,
    search: *mut *mut Search,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `points` are 26 unchanged numbers; `settings` is NULL
        // or an unchanged struct of the size that it states, with the texts that it names; `workers` and `cancel` are
        // handles of their own functions, not freed (`cancel` may be NULL); at `search` is room for one handle;
        // `progress` may be called with `data`.
        let (place, board, request, workers, cancel, listener) = unsafe {
            let cancel = cancel::read(cancel)?;
            (
                OutPointer::new("search", search)?,
                position::read("points", points)?,
                request(settings, &cancel)?,
                workers::read(workers)?,
                cancel,
                Listener::new(progress, data),
            )
        };
        let request = SearchRequest { roll: Some(roll(die, other_die)?), ..request };
        let budget = request.budget;
        let settings = request.settings;
        let task = request.prepare(&board.into(), workers.tier)?;
        let unsearched = task.unsearched();
        let of_budget = budget.remark_on(&settings, unsearched.root().choices.len());
        for found in of_budget.into_iter().chain(unsearched.remark()) {
            remark(found);
        }
        let found = task.cancelled_by(&cancel).run(&workers.workers, |progress| {
            let progress = run::Progress {
                items: progress.root.simulations(),
                elapsed: progress.elapsed,
                limit: match (budget.time, budget.simulations) {
                    (Some(time), _) => Limit::Time(time),
                    (None, all) => Limit::Items(all.unwrap_or(u64::MAX)),
                },
            };
            listener.tell(&(&progress).into());
        });
        place.store_handle(Search(found));
        Ok(())
    })
}

/// Stores the plays of a search, the best first, in a buffer for capacity plays, and their number in count, which may
/// be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_search_plays(
    search: *const Search,
    buffer: *mut SearchPlay,
    capacity: usize,
    count: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `search` is not freed; at `buffer` is room for `capacity`
        // plays, and at `count`, unless it is NULL, for one number.
        let (search, buffer) =
            unsafe { (pointer::reference("search", search)?, Buffer::new(buffer, capacity, "count", count)?) };
        let plays = search.0.plays();
        let plays: Vec<SearchPlay> = plays.iter().map(SearchPlay::from).collect();
        buffer.store(&plays)
    })
}

/// Stores the facts of a search as a whole.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_search_summary(search: *const Search, summary: *mut SearchSummary) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `search` is not freed; at `summary` is room for one
        // summary.
        let (search, place) = unsafe { (pointer::reference("search", search)?, OutPointer::new("summary", summary)?) };
        place.store(SearchSummary::from(&search.0));
        Ok(())
    })
}

/// Writes the expected line of a search's best play, each roll with its play, such as "31: 8/5 6/5, 62: 24/18". Buffer
/// and size are as in tavli_position_write; with a capacity of 0 the size of the text is stored, and the status is
/// TAVLI_STATUS_BUFFER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_search_line(
    search: *const Search,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    // SAFETY: the caller guarantees, until this returns, what `write` requires of `search`, and of `buffer` and `size`
    // for the line.
    unsafe { write(search, buffer, capacity, size, |found| found.line(found.best().choice).join(", ")) }
}

/// Writes the first levels of a search's trees as an SVG picture. Buffer and size are as in tavli_search_line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_search_svg(
    search: *const Search,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    // SAFETY: the caller guarantees, until this returns, what `write` requires of `search`, and of `buffer` and `size`
    // for the picture.
    unsafe { write(search, buffer, capacity, size, SearchResult::svg) }
}

/// Writes a search as JSON, which tavli_search_from_json and the command read. Buffer and size are as in
/// tavli_search_line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_search_to_json(
    search: *const Search,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    // SAFETY: the caller guarantees, until this returns, what `write` requires of `search`, and of `buffer` and `size`
    // for the JSON.
    unsafe { write(search, buffer, capacity, size, SearchResult::to_json) }
}

/// Writes a text of a search.
///
/// # Safety
/// Each pointer is NULL, not aligned, or what the header asks of it.
unsafe fn write(
    search: *const Search,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
    of: impl FnOnce(&SearchResult) -> String,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `search` is not freed; at `buffer` is room for `capacity`
        // bytes, and at `size`, unless it is NULL, for one number.
        let (search, buffer) =
            unsafe { (pointer::reference("search", search)?, Buffer::new(buffer, capacity, "size", size)?) };
        text::write(&of(&search.0), buffer)
    })
}

/// Reads a search that tavli_search_to_json wrote, or the command saved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_search_from_json(json: *const c_char, search: *mut *mut Search) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `json` is an unchanged text that ends with a zero; at
        // `search` is room for one handle.
        let (place, json) = unsafe { (OutPointer::new("search", search)?, text::read("json", json)?) };
        place.store_handle(Search(SearchResult::from_json(json)?));
        Ok(())
    })
}

/// Puts the shards of a search together, count of them in any order: a new search, equal to the search of one process.
/// The shards must hold each tree once; tavli_last_error names the first conflict, by the indices of parts, from 0 on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_search_merge(
    parts: *const *const Search,
    count: usize,
    search: *mut *mut Search,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `parts` are `count` unchanged handles; at `search` is
        // room for one handle.
        let (place, handles) = unsafe { (OutPointer::new("search", search)?, pointer::array("parts", parts, count)?) };
        let parts = handles.iter().map(|&part| {
            // SAFETY: the caller guarantees, until this returns: each `part` comes from a function that makes a search,
            // and is not freed.
            let part = unsafe { pointer::reference("part", part) }?;
            Ok(part.0.clone())
        });
        let parts = parts.collect::<Result<Vec<SearchResult>, Failure>>()?;
        let whole = SearchResult::merge(&parts)?;
        place.store_handle(Search(whole));
        Ok(())
    })
}

/// Frees a search; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_search_free(search: *mut Search) {
    // SAFETY: the caller guarantees: `search` is NULL or of a function that makes one, freed once, and no call is using
    // it.
    unsafe { pointer::take_back(search) }
}

impl From<&FoundPlay<'_>> for SearchPlay {
    fn from(play: &FoundPlay<'_>) -> SearchPlay {
        let root_choice = play.root_choice;
        SearchPlay {
            play: Play::named(play.board, play.moves),
            visits: root_choice.visits,
            sum: root_choice.sum,
            squares: root_choice.squares,
            value: match root_choice.visits {
                0 => f64::NAN,
                _ => root_choice.value(),
            },
            standard_error: root_choice.standard_error().unwrap_or(f64::NAN),
        }
    }
}

impl From<&SearchResult> for SearchSummary {
    fn from(found: &SearchResult) -> SearchSummary {
        let trees = found.trees();
        SearchSummary {
            simulations: found.root().simulations(),
            nodes: found.nodes(),
            bytes: found.bytes(),
            playout_plies: found.plies(),
            depth: found.depth().into(),
            plays: found.root().choices.len() as u64,
            first_tree: trees.start.into(),
            trees: (trees.end - trees.start).into(),
            is_interrupted: found.interrupted().into(),
            seconds: found.elapsed().as_secs_f64(),
            simulations_per_second: found.simulations_per_second(),
            playout_plies_per_second: found.plies_per_second(),
            is_memory_refused: found.memory_refused().into(),
        }
    }
}
