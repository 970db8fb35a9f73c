//! Searches for the best play of a roll.

use std::path::PathBuf;
use std::time::Duration;

use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyType;
use tavli::file::FileError;
use tavli::named::{self, Defaults};
use tavli::policies::Pubeval;
use tavli::run::{self, Limit, Pinning};
use tavli::search::{self, Budget, FoundPlay, NamedHeuristic, ProgressiveBias, SearchRequest, SearchResult};
use tavli::{NO_STOP, RuleSet, Tier};

use crate::arguments::{self, RollArgument, Seed, Word, whole, word};
use crate::ending;
use crate::errors::{
    MergeError, PlayerWarning, PositionError, RecordError, RollError, SearchWarning, bad_setting, not_loaded,
    not_written, raise, with_result,
};
use crate::evaluator::EvaluatorArgument;
use crate::listener::{Listener, Progress};
use crate::player::{BothPolicies, PolicyArgument};
use crate::position::{AnyPosition, Play, Position, warn_of_cube};
use crate::rows;
use crate::uncertain::{counted, signed};
use crate::warning::warn;
use crate::workers::Workers;

/// The result of a search for the best play of a roll: see `tavli.search`.
///
/// The arrays have the plays of the roll, the best first. Values are for the player on roll. A notebook shows a picture
/// of the first levels of the trees.
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct Search(Box<SearchResult>);

/// Search for the best play of a roll by random games.
///
/// Monte-Carlo tree search with choices and chances, as in the McGammon paper. The numbered trees of a search add up,
/// and its result depends on position, roll, rules, seed and settings alone, not on threads, tier or machine, unless a
/// time or a gap ends it. It equals the result of the command `tavli search` with the same settings. Other Python
/// threads run meanwhile. Ctrl-C, or an exception of `progress`, a policy or an evaluator, ends the search within a few
/// tenths of a second and is raised here; the attributes `search` and `result` of the exception are the Search so far.
///
/// Args:
///     position: Position, text in any format, or 26 numbers.
///     roll: The roll, "31" or (3, 1); None is the dice of the position.
///     simulations: End after this many simulations; None is 1,000,000, or unlimited if `seconds` is given.
///     seconds: End after about this many seconds.
///     gap: End when the value of the best play is this many standard errors ahead of the second.
///     method: How simulations are divided among the plays: "uct", by trees, which grow where plays are good; "flat",
///         evenly; "halving", in rounds, each on the better half of the plays.
///     policy: The player of the playouts: a Player, or the argument of one, such as "uniform", "pubeval", "td80",
///         "fast" or "strong".
///     rules: One of `tavli.RULES`.
///     c: The factor of exploration in v + C sqrt(ln n_p / n), 0 to 1000. `c`, `chance_sampling`, `expand` and `memory`
///         are for "uct".
///     reward: What a game counts: "points", or "wins" (1 and -1).
///     chance_sampling: How trees draw throws: "random", or "stratified" (the visits to a position get each of the 36
///         throws once before any repeats).
///     best_by: Which play is the best: "value", of the highest value; "visits", with the most visits; or
///         "visits-then-value", the highest value of those with the most visits.
///     evaluator: The evaluator that guides the trees of "uct" by `bias` and `unprune`: a name, a function as in
///         `rollout`, or "pubeval", whose value is not an equity; None is "fast" ("sampled" in mcgammon) if one of them
///         is given, otherwise none.
///     bias: Progressive bias, 0 to 1000, by which plays that the evaluator values highly are tried first: `bias` times
///         the play's equity, divided by its visits + 1, is added to its bound.
///     unprune: Progressive unpruning: select only from the plays that the evaluator ranks first, 5 at first, more with
///         more visits.
///     expand: Add the plays of a roll to the tree once the position was visited more than this many times with that
///         roll.
///     trees: The number of trees, whose visits are added up, 1 to 65536.
///     in_flight: The playouts of one tree that may be played at the same time, 1 to 65536.
///     memory: Bytes for all trees; a tree that reaches its share stops growing, and the search goes on.
///     seed: Seed of the random numbers, 0 to 2**64 - 1.
///     shard: Grow the trees of one shard of several, such as "2/8", to be merged with the others.
///     progress: Called with a Progress about ten times a second and once at the end; an exception of it ends the
///         search.
///     workers: Workers that play, instead of threads of this call.
///     threads: Worker threads; None is one for each place that `pin` names, within the grant of control groups.
///     pin: The places that workers are bound to, as in `playout`.
///     isa: Instruction-set tier; None is the environment variable TAVLI_ISA, or the fastest.
///
/// Returns:
///     Search: The plays with their visits and values, and the cost of the search.
///
/// Raises:
///     PositionError: It is not a position, or the game is over in it or can never end.
///     RollError: It is not a roll, or another than the dice of the position.
///     SettingsError: A setting is out of range; the message names the range.
///
/// Warns:
///     PositionWarning: The position has a turned cube or the score of a match, which the games ignore.
///     PlayerWarning: The evaluator has not learned the rules.
///     SearchWarning: The simulations are too few for each tree to try all plays.
///
/// Examples:
///     >>> result = tavli.search("4HPwATDgc/ABMA", "31", simulations=20000)
///     >>> len(result.notation), int(result.visits.sum()), result.positions.shape
///     (16, 20000, (16, 26))
#[pyfunction(name = "search")]
#[pyo3(signature = (position, roll=None, *, simulations=None, seconds=None, gap=None, method="uct", policy=None, rules=Word(RuleSet::Backgammon), c=1.0, reward="points", chance_sampling="random", best_by="value", evaluator=None, bias=0.0, unprune=false, expand=None, trees=None, in_flight=None, memory=None, seed=Seed::DEFAULT, shard=None, progress=None, workers=None, threads=None, pin=Word(Pinning::Auto), isa=None))]
#[pyo3(
    text_signature = "(position, roll=None, *, simulations=None, seconds=None, gap=None, method='uct', policy='uniform', rules='backgammon', c=1.0, reward='points', chance_sampling='random', best_by='value', evaluator=None, bias=0.0, unprune=False, expand=1, trees=16, in_flight=256, memory=2000000000, seed=1, shard=None, progress=None, workers=None, threads=None, pin='auto', isa=None)"
)]
#[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
pub(crate) fn find(
    py: Python<'_>,
    position: AnyPosition,
    roll: Option<RollArgument>,
    simulations: Option<&Bound<'_, PyAny>>,
    seconds: Option<f64>,
    gap: Option<f64>,
    method: &str,
    policy: Option<PolicyArgument>,
    rules: Word<RuleSet>,
    c: f64,
    reward: &str,
    chance_sampling: &str,
    best_by: &str,
    evaluator: Option<HeuristicArgument>,
    bias: f64,
    unprune: bool,
    expand: Option<&Bound<'_, PyAny>>,
    trees: Option<&Bound<'_, PyAny>>,
    in_flight: Option<&Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
    seed: Seed,
    shard: Option<&str>,
    progress: Option<Py<PyAny>>,
    workers: Option<&Bound<'_, Workers>>,
    threads: Option<&Bound<'_, PyAny>>,
    pin: Word<Pinning>,
    isa: Option<Word<Tier>>,
) -> PyResult<Search> {
    let policies = BothPolicies::for_playouts(py, policy, None);
    let default = search::SearchSettings::default();
    let number = |value: Option<&Bound<'_, PyAny>>, what, default: u64, most| {
        value.map_or(Ok(default), |value| whole(value, what, 1, most))
    };
    let expand = number(expand, "visits to expand are", 1, u32::MAX.into())?;
    let most = search::SearchSettings::MAX_TREES.into();
    let settings = search::SearchSettings {
        method: word(method)?,
        c,
        reward: word(reward)?,
        chance_sampling: word(chance_sampling)?,
        best_by: word(best_by)?,
        expand: u32::try_from(expand).ok().and_then(std::num::NonZeroU32::new).expect("it is in range"),
        trees: number(trees, "trees are", default.trees.into(), most)? as u32,
        in_flight: number(in_flight, "playouts in flight are", default.in_flight.into(), most)? as u32,
        seed: seed.0,
        memory: number(memory, "memory is, in bytes,", default.memory, u64::MAX)?,
    };
    let time = seconds.map(arguments::seconds).transpose()?;
    let simulations = simulations
        .map(|number| {
            let most = Budget::max_simulations(&settings);
            whole(number, "with this number of trees, simulations are", 1, most)
        })
        .transpose()?;
    if let Some(gap) = gap
        && !(gap > 0.0 && gap.is_finite())
    {
        return Err(bad_setting(format_args!(
            "a gap is a finite number of standard errors above 0, such as 3, not {gap}"
        )));
    }
    let budget =
        Budget { simulations: simulations.or(time.is_none().then_some(SearchRequest::SIMULATIONS)), time, gap };
    let [policy, _] = policies.policies();
    let evaluator = match evaluator {
        None if bias != 0.0 || unprune => {
            let evaluator = named::evaluator(Defaults::for_rules(rules.0).search_heuristic, NO_STOP);
            let evaluator = evaluator.expect("it is built in");
            Some(HeuristicArgument::Evaluator(EvaluatorArgument::Named(evaluator)))
        }
        Some(_) if bias == 0.0 && !unprune => {
            return Err(bad_setting(
                "an evaluator guides the trees by bias or unprune, and neither is given: name one, or no evaluator",
            ));
        }
        evaluator => evaluator.map(|evaluator| evaluator.for_games(py)),
    };
    let request = SearchRequest {
        progressive_bias: evaluator.as_ref().map(|evaluator| ProgressiveBias {
            heuristic: evaluator.heuristic(),
            bias,
            unprunes: unprune,
        }),
        roll: roll.map(|RollArgument(roll)| roll),
        rules: rules.0,
        policy,
        settings,
        budget,
        shard: shard.map(word).transpose()?,
    };
    let machine = Workers::or_own(workers, threads, pin, isa)?;
    let task = request.prepare(&position.0, machine.tier).map_err(refused)?;
    let plays = task.unsearched().root().choices.len();
    warn_of_cube(py, &position.0)?;
    if let Some(remark) = budget.remark_on(&settings, plays) {
        warn::<SearchWarning>(py, remark)?;
    }
    if let Some(remark) = task.unsearched().remark() {
        warn::<PlayerWarning>(py, remark)?;
    }
    let mut listener = Listener::new(progress);
    policies.end_by(listener.cancel());
    if let Some(evaluator) = evaluator.as_ref().and_then(HeuristicArgument::evaluator) {
        evaluator.end_by(listener.cancel());
    }
    let task = task.cancelled_by(listener.cancel());
    let (found, heard) = ending::detach(py, || -> PyResult<_> {
        let workers = machine.start()?;
        let plays = task.unsearched().clone();
        let found = task.run(&workers, |progress| {
            let best = progress.root.ranking(settings.best_by)[0];
            let simulations = progress.root.simulations();
            listener.tell(so_far(&plays, simulations, progress.elapsed, &budget, best));
        });
        let (simulations, elapsed) = (found.root().simulations(), found.elapsed());
        let all = Budget::simulations(simulations);
        listener.tell(so_far(&found, simulations, elapsed, &all, found.best().choice));
        Ok((found, listener.finish()))
    })??;
    let evaluator = evaluator.as_ref().and_then(HeuristicArgument::evaluator);
    let raised = || evaluator.map_or(Ok(()), EvaluatorArgument::raised);
    let found = Search(Box::new(found));
    if let Err(error) = policies.raised().and_then(|()| raised()).and(heard) {
        let found = Bound::new(py, found)?;
        // An exception that takes no attributes is raised as it is.
        let _ = error.value(py).setattr("search", &found);
        return Err(with_result(py, error, found));
    }
    Ok(found)
}

fn so_far(found: &SearchResult, simulations: u64, elapsed: Duration, budget: &Budget, best: usize) -> Progress {
    let progress = run::Progress {
        items: simulations,
        elapsed,
        limit: match (budget.time, budget.simulations) {
            (Some(time), _) => Limit::Time(time),
            (None, all) => Limit::Items(all.unwrap_or(u64::MAX)),
        },
    };
    Progress { best: Some(found.play(best).moves.to_owned()), ..Progress::from(&progress) }
}

/// The exception for a request that is refused.
fn refused(error: search::RequestError) -> PyErr {
    use search::RequestError::{NoRoll, Position, Roll};
    match error {
        Roll(_) | NoRoll => raise(RollError::new_err)(error),
        Position(_) => raise(PositionError::new_err)(error),
        error => bad_setting(error),
    }
}

/// A heuristic for progressive bias.
#[derive(Debug)]
pub(crate) enum HeuristicArgument {
    Evaluator(EvaluatorArgument),
    Pubeval,
}

impl HeuristicArgument {
    fn heuristic(&self) -> NamedHeuristic {
        match self {
            HeuristicArgument::Evaluator(evaluator) => NamedHeuristic::Evaluator(evaluator.evaluator()),
            HeuristicArgument::Pubeval => NamedHeuristic::Pubeval,
        }
    }

    fn evaluator(&self) -> Option<&EvaluatorArgument> {
        match self {
            HeuristicArgument::Evaluator(evaluator) => Some(evaluator),
            HeuristicArgument::Pubeval => None,
        }
    }

    /// This heuristic for a search of its own.
    fn for_games(&self, py: Python<'_>) -> HeuristicArgument {
        match self {
            HeuristicArgument::Evaluator(evaluator) => HeuristicArgument::Evaluator(evaluator.for_games(py)),
            HeuristicArgument::Pubeval => HeuristicArgument::Pubeval,
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for HeuristicArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<HeuristicArgument> {
        match value.extract::<&str>() {
            Ok(Pubeval::NAME) => Ok(HeuristicArgument::Pubeval),
            _ => EvaluatorArgument::extract(value).map(HeuristicArgument::Evaluator),
        }
    }
}

impl Search {
    /// A value of each play.
    fn per_play<T>(&self, value: impl Fn(&FoundPlay<'_>) -> T) -> Vec<T> {
        self.0.plays().iter().map(value).collect()
    }
}

#[pymethods]
impl Search {
    /// Read a search that `to_json` wrote.
    ///
    /// Raises:
    ///     RecordError: It is not such a text, is damaged, or has another version or other values.
    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Search> {
        let found = SearchResult::from_json(text).map_err(raise(RecordError::new_err))?;
        Ok(Search(Box::new(found)))
    }

    /// Read a search that `save`, or the command, saved.
    ///
    /// Raises:
    ///     RecordError: It is not such a file, is damaged, or has another version or other values.
    ///     OSError: The file cannot be read.
    #[classmethod]
    fn load(_class: &Bound<'_, PyType>, path: PathBuf) -> PyResult<Search> {
        let found = SearchResult::load(&path).map_err(|error| not_loaded(&error))?;
        Ok(Search(Box::new(found)))
    }

    /// Put the shards of a search together: exactly the search of one process, except the time, which is the sum.
    ///
    /// Raises:
    ///     MergeError: They are not the shards of one search, which hold each of its trees once.
    #[classmethod]
    fn merge(_class: &Bound<'_, PyType>, parts: Vec<PyRef<'_, Search>>) -> PyResult<Search> {
        let parts: Vec<SearchResult> = parts.iter().map(|part| (*part.0).clone()).collect();
        let whole = SearchResult::merge(&parts).map_err(|error| MergeError::new_err(error.of_list()))?;
        Ok(Search(Box::new(whole)))
    }

    /// The search as JSON on one line, without the levels below the plays.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// Save the search as a file, which is replaced as a whole.
    ///
    /// Raises:
    ///     OSError: The file cannot be written.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        ending::detach(py, || self.0.save(&path))?.map_err(|error: FileError| not_written(&error))
    }

    /// Each play in notation, such as "8/5 6/5".
    #[getter]
    fn notation(&self) -> Vec<String> {
        self.per_play(|play| play.moves.to_owned())
    }

    /// The position after each play, seen by the opponent: a new int8 array of shape (n, 26).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        rows::into_array(py, self.per_play(|play| play.board.points()))
    }

    /// The simulations of each play: a new int64 array of shape (n,).
    #[getter]
    fn visits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.per_play(|play| play.root_choice.visits as i64).into_pyarray(py)
    }

    /// The mean value of each play, NaN without visits: a new float64 array of shape (n,).
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let value = |play: &FoundPlay<'_>| match play.root_choice.visits {
            0 => f64::NAN,
            _ => play.root_choice.value(),
        };
        self.per_play(value).into_pyarray(py)
    }

    /// The standard error of each value, NaN below two visits: a new float64 array of shape (n,).
    #[getter]
    fn se<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let error = |play: &FoundPlay<'_>| play.root_choice.standard_error().unwrap_or(f64::NAN);
        self.per_play(error).into_pyarray(py)
    }

    /// The best play.
    #[getter]
    fn best(&self) -> Play {
        let best = self.0.best();
        Play { moves: best.moves.to_owned(), position: Position::from_board(*best.board) }
    }

    /// The expected line of the first tree: each roll with its play, such as "31: 8/5 6/5".
    #[getter]
    fn line(&self) -> Vec<String> {
        self.0.line(self.0.best().choice)
    }

    /// The position of the player on roll.
    #[getter]
    fn position(&self) -> Position {
        Position::from_board(*self.0.board())
    }

    /// The roll, such as "31".
    #[getter]
    fn roll(&self) -> String {
        self.0.roll().to_string()
    }

    /// One of `tavli.RULES`.
    #[getter]
    fn rules(&self) -> &'static str {
        self.0.rules().name()
    }

    /// How simulations were spread.
    #[getter]
    fn method(&self) -> &'static str {
        self.0.settings().method.name()
    }

    /// The name of the policy of the playouts.
    #[getter]
    fn policy(&self) -> &str {
        self.0.policy()
    }

    /// The seed of the random streams.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.settings().seed
    }

    /// The numbers of the search's trees: the first, and the one after the last.
    #[getter]
    fn trees(&self) -> (u32, u32) {
        let trees = self.0.trees();
        (trees.start, trees.end)
    }

    /// All simulations.
    #[getter]
    fn simulations(&self) -> u64 {
        self.0.root().simulations()
    }

    /// Seconds that the search took; of merged shards the sum.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    /// Simulations a second.
    #[getter]
    fn simulations_per_second(&self) -> f64 {
        self.0.simulations_per_second()
    }

    /// Plies of the playouts a second.
    #[getter]
    fn playout_plies_per_second(&self) -> f64 {
        self.0.plies_per_second()
    }

    /// The most plays that a simulation has made before its playout.
    #[getter]
    fn depth(&self) -> u32 {
        self.0.depth()
    }

    /// Positions stored.
    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes()
    }

    /// Bytes that the trees took.
    #[getter]
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// Whether Ctrl-C or a progress function ended it.
    #[getter]
    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }

    /// Whether the system refused memory to a tree, which stopped growing before it had its share of `memory`.
    #[getter]
    fn memory_refused(&self) -> bool {
        self.0.memory_refused()
    }

    /// Draw the first levels of the trees as SVG: the best plays, the rolls visited most, and the reply to each.
    ///
    /// Returns:
    ///     One svg element, which scales. A search that was loaded, and one without trees, has its plays only.
    fn svg(&self) -> String {
        self.0.svg()
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn _repr_html_(&self) -> String {
        self.svg()
    }

    fn __repr__(&self) -> String {
        let (simulations, best) = (self.0.root().simulations(), self.0.best());
        let best = match best.root_choice.visits {
            0 => "best play unknown".to_owned(),
            _ => {
                let error = best.root_choice.standard_error().unwrap_or(f64::NAN);
                format!("{} {}", best.moves, signed(best.root_choice.value(), error, 4))
            }
        };
        format!(
            "<tavli.Search {} from {}: {}, {best}>",
            self.0.roll(),
            self.0.board().position_id(),
            counted(simulations, "simulation"),
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Search>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().to_json(),)))
    }
}
