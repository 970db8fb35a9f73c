//! `tavli tune`: the numbers of a player, tuned by games.

mod page;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tavli::file::{self, Existing, Target};
use tavli::games::{PlayableGame, Visitor, visit};
use tavli::run::{Limit, Progress};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::line_reader::is_same;
use tavli_terminal::numbers::{counted, grouped, rate, seconds, without_types};
use tavli_terminal::output;
use tavli_terminal::progress::Bar;
use tavli_tune::{Contender, Recipe, Round, RoundPurpose, SavedError, ScoredPairing, Tuning};

use crate::arguments::{Format, Overwrite, WorkerOptions};
use crate::ordered_map::OrderedMap;
use crate::run_header::RunHeader;
use page::{in_words, page as page_of};

/// The time between two saves: the most that a crash costs.
const SAVE_INTERVAL: Duration = Duration::from_secs(20);

/// The most generations of a method that are printed.
const MAX_LINES: u64 = 20;

/// Tune the numbers of a player by games
///
/// The recipe has the text of a player of tavli duel with names in place of numbers, such as uct:500:{c}. Each of its
/// methods plays the same number of games: ga (a genetic algorithm), spsa and cma-es. At the end the best player of
/// each method meets the player with the start values, and the best players of the other methods, on openings that no
/// method has seen.
///
/// tavli tune profiles/tune/tictactoe.toml
///
/// The file of --save has the scores of all duels. After Ctrl-C or a crash, the same command with --resume continues;
/// after the end it prints the results again. The same recipe gives the same numbers, whatever the number of threads
/// and the interruptions.
#[derive(Args, Debug)]
pub(crate) struct TuneArguments {
    /// Recipe, a TOML file
    #[arg(value_name = "RECIPE")]
    recipe: PathBuf,
    /// Save the scores to this file [default: named like the recipe, with .tuning, in the current folder]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write a page with the generations to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Continue from the file of --save; begin if there is none
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    machine: WorkerOptions,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct TuningJson<'a> {
    #[serde(flatten)]
    header: &'a RunHeader,
    description: &'a str,
    game: &'a str,
    rules: &'a str,
    agent: &'a str,
    opponent: Option<&'a str>,
    seed: u64,
    random_plies: u32,
    generations: Vec<GenerationJson<'a>>,
    matches: Vec<PairingJson<'a>>,
    games: u64,
    of: u64,
    interrupted: bool,
    seconds: f64,
    games_per_second: f64,
}

#[derive(Serialize)]
struct GenerationJson<'a> {
    method: &'a str,
    generation: u64,
    of: u64,
    duels: Vec<PairingJson<'a>>,
    best: OrderedMap<&'a str, f64>,
}

/// The JSON of a duel. The points are for `a`.
#[derive(Serialize)]
struct PairingJson<'a> {
    a: ContenderJson<'a>,
    b: ContenderJson<'a>,
    games: u64,
    points_per_game: f64,
    standard_error: f64,
    /// The 95 % interval of the points.
    low: f64,
    high: f64,
}

/// The JSON of one of the agents of a duel.
#[derive(Serialize)]
struct ContenderJson<'a> {
    name: &'a str,
    agent: String,
    /// Absent for the recipe's opponent.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<OrderedMap<&'a str, f64>>,
}

fn agent_text(recipe: &Recipe, contender: &Contender) -> String {
    match &contender.values {
        Some(values) => recipe.text_of(values),
        None => recipe.opponent.clone().unwrap_or_default(),
    }
}

fn values_json<'a>(recipe: &'a Recipe, values: &[f64]) -> OrderedMap<&'a str, f64> {
    let names = recipe.parameters.keys().map(String::as_str);
    OrderedMap::new(names.zip(values.iter().copied()))
}

impl<'a> PairingJson<'a> {
    fn new<G: PlayableGame>(tuning: &'a Tuning<G>, duel: &'a ScoredPairing) -> PairingJson<'a> {
        let recipe = tuning.recipe();
        let contender = |contender: &'a Contender| ContenderJson {
            name: &contender.name,
            agent: agent_text(recipe, contender),
            values: contender.values.as_ref().map(|values| values_json(recipe, values)),
        };
        let [a, b] = &duel.agents;
        let points = duel.score.per_game();
        let [low, high] = tuning.interval(duel);
        PairingJson {
            a: contender(a),
            b: contender(b),
            games: duel.score.games(),
            points_per_game: points.mean,
            standard_error: points.standard_error,
            low,
            high,
        }
    }
}

/// A command with its recipe.
struct Run<'a> {
    arguments: &'a TuneArguments,
    recipe: Recipe,
}

impl Visitor for Run<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: PlayableGame>(self) -> Result<(), Failure> {
        self.arguments.run::<G>(self.recipe)
    }
}

pub(crate) fn run(arguments: &TuneArguments) -> Result<(), Failure> {
    let path = &arguments.recipe;
    let text = file::read_text(path, file::MAX_TEXT_BYTES).map_err(|error| Failure::unreadable(path, error))?;
    let recipe = Recipe::parse(&text).map_err(|error| arguments.invalid(&error))?;
    visit(&recipe.game.clone(), Run { arguments, recipe }).expect("the game of a recipe")
}

impl TuneArguments {
    fn run<G: PlayableGame>(&self, recipe: Recipe) -> Result<(), Failure> {
        let tier = self.machine.tier()?;
        let path = self.save.clone().unwrap_or_else(|| {
            let name = self.recipe.file_name().unwrap_or_default();
            Path::new(name).with_extension("tuning")
        });
        self.refuse_places(&path)?;
        let saved = path.exists().then_some(&path).filter(|_| self.resume);
        let saved = saved.map(|path| file::read_text(path, file::MAX_RECORD_BYTES)).transpose();
        let cannot = |error: &dyn std::fmt::Display| {
            let path = path.display();
            Failure::usage(format_args!("cannot go on from {path}: {error}; --force without --resume begins anew"))
        };
        let saved = saved.map_err(|error| cannot(&error))?;
        let mut tuning = match saved {
            None => Tuning::new(recipe, tier).map_err(|error| self.invalid(&error))?,
            Some(text) => Tuning::from_saved(recipe, tier, &text).map_err(|error| match error {
                SavedError::Tuning(error) => self.invalid(&error),
                error => cannot(&error),
            })?,
        };
        let target = match self.resume {
            true => Target::open(&path, Existing::Replace).map_err(Failure::unwritable)?,
            false => self.overwrite.open(&path)?,
        };
        let page = self.html.as_deref().map(|page| self.overwrite.open(page)).transpose()?;
        let save = |tuning: &Tuning<G>| target.replace(format!("{}\n", tuning.to_saved()).as_bytes());
        let cancel = interrupt::cancel_on_interrupt()?;
        let (workers, header) = self.machine.start()?;
        // A full disk is better found now than after the first hour.
        save(&tuning).map_err(Failure::unwritten)?;
        let mut output = output::stdout();
        if !self.format.json {
            print_head(&tuning, &header, &mut output)?;
        }
        let (mut printed, mut saved) = (tuning.rounds().len(), Instant::now());
        let mut failure = None;
        let mut bar = Some(Bar::new());
        let ran = tuning.run(&workers, &cancel, &mut |tuning| {
            for round in &tuning.rounds()[printed..] {
                if self.format.json || !is_shown(round) {
                    continue;
                }
                // Lines are printed in the place of the bar.
                bar = None;
                if let Err(error) = print_generation(tuning.recipe(), round, &mut output) {
                    failure = Some(error);
                    cancel.cancel();
                }
            }
            printed = tuning.rounds().len();
            if saved.elapsed() >= SAVE_INTERVAL {
                if let Err(error) = save(tuning) {
                    output::write_message(format_args!("warning: cannot save the tuning: {error}; it goes on"));
                }
                saved = Instant::now();
            }
            bar.get_or_insert_with(Bar::new).show(&progress(tuning));
        });
        drop(bar);
        let has_ended = ran.map_err(Failure::run)?;
        save(&tuning).map_err(Failure::unwritten)?;
        if let Some(page) = &page {
            page.replace(page_of(&tuning).as_bytes()).map_err(Failure::unwritten)?;
        }
        if let Some(error) = failure {
            return Err(error.into());
        }
        remark_on_even_pairs(&tuning);
        match self.format.json {
            true => output::json(&mut output, &document(&tuning, &header, !has_ended))?,
            false => print_results(&tuning, &mut output)?,
        }
        if !has_ended {
            let played = tuning.played();
            output::write_message(format_args!(
                "interrupted after {} of {}; --resume goes on",
                grouped(played.games),
                counted(played.of, "game", "games")
            ));
        }
        Ok(())
    }

    fn invalid(&self, error: &dyn std::fmt::Display) -> Failure {
        let error = without_types(&error.to_string());
        Failure::usage(format_args!("invalid recipe {}: {error}", self.recipe.display()))
    }

    /// Refuses to replace the recipe, a tuning that is not to be replaced, or one file by two.
    fn refuse_places(&self, saved: &Path) -> Result<(), Failure> {
        let page = self.html.as_deref();
        for (written, option) in [(Some(saved), "--save"), (page, "--html")] {
            if let Some(written) = written.filter(|written| is_same(written, &self.recipe)) {
                let path = written.display();
                return Err(Failure::usage(format_args!("{path} is the recipe: name another file with {option}")));
            }
        }
        if let Some(page) = page.filter(|page| is_same(page, saved)) {
            let path = page.display();
            return Err(Failure::usage(format_args!(
                "the page would replace the saved tuning, {path}: name another file with --html"
            )));
        }
        if saved.exists() && !self.resume && !self.overwrite.force {
            let path = saved.display();
            return Err(Failure::usage(format_args!(
                "{path} exists; --resume goes on from the tuning that it has, --force begins anew"
            )));
        }
        Ok(())
    }
}

/// Remarks that no game tells agents apart; without this the result would look like one between equals.
fn remark_on_even_pairs<G: PlayableGame>(tuning: &Tuning<G>) {
    let rounds = tuning.rounds().iter().chain(tuning.round());
    let mut scores = rounds.flat_map(|round| &round.duels).map(|duel| duel.score);
    if tuning.played().games == 0 || scores.any(|score| score.squares > 0) {
        return;
    }
    let why = match tuning.opening() {
        0 => String::new(),
        opening => format!(
            "; games that end within their {} at random always are: write fewer as random_plies",
            counted(opening, "ply", "plies")
        ),
    };
    output::remark(format_args!("remark: all pairs of games were even, so no values are better than others{why}"));
}

fn progress<G: PlayableGame>(tuning: &Tuning<G>) -> Progress {
    let played = tuning.played();
    Progress { items: played.games, elapsed: tuning.elapsed(), limit: Limit::Items(played.of) }
}

/// Whether a generation is printed: at most [`MAX_LINES`] of a method, its last among them.
fn is_shown(round: &Round) -> bool {
    let lines = |number: u64| number * MAX_LINES / round.of;
    lines(round.number) > lines(round.number - 1)
}

fn print_head<G: PlayableGame>(tuning: &Tuning<G>, header: &RunHeader, output: &mut dyn Write) -> io::Result<()> {
    let recipe = tuning.recipe();
    let opponent = recipe.opponent.as_ref().map(|opponent| format!(" against {opponent}"));
    let opening = match tuning.opening() {
        0 => String::new(),
        plies => format!(", after {} at random", counted(plies, "ply", "plies")),
    };
    writeln!(
        output,
        "{header}\n\n{}, {} rules, {}{}{opening}, seed {}; {} of each method\n",
        recipe.game,
        tuning.rules(),
        recipe.agent,
        opponent.unwrap_or_default(),
        recipe.seed,
        counted(recipe.games, "game", "games")
    )?;
    output.flush()
}

fn print_generation(recipe: &Recipe, round: &Round, output: &mut dyn Write) -> io::Result<()> {
    let (RoundPurpose::Method(name), Some(best)) = (round.stage, &round.best) else {
        return Ok(());
    };
    let (number, of, best) = (round.number, round.of, in_words(recipe, best));
    writeln!(output, "  {name:<6} {number:>4} of {of:<4} {best}")?;
    output.flush()
}

fn print_results<G: PlayableGame>(tuning: &Tuning<G>, output: &mut dyn Write) -> io::Result<()> {
    let recipe = tuning.recipe();
    writeln!(output, "\n  {:<8}{}", "start", recipe.text_of(&recipe.start()))?;
    for (name, values) in tuning.bests() {
        writeln!(output, "  {:<8}{}", name.to_string(), recipe.text_of(values))?;
    }
    let rounds = tuning.rounds().iter().chain(tuning.round());
    let matches: Vec<&ScoredPairing> = rounds
        .filter(|round| round.stage == RoundPurpose::Verification)
        .flat_map(|round| &round.duels)
        .filter(|duel| duel.score.pairs > 1)
        .collect();
    if !matches.is_empty() {
        writeln!(output, "\n  {:<26}{:>10}{:>12}    95 % interval", "", "games", "points/game")?;
    }
    for duel in matches {
        let [a, b] = &duel.agents;
        let (points, [low, high]) = (duel.score.per_game(), tuning.interval(duel));
        let verdict = match () {
            () if low > 0.0 => "wins",
            () if high < 0.0 => "loses",
            () => "undecided",
        };
        writeln!(
            output,
            "  {:<26}{:>10}{:>+12.4}    {low:+.4} to {high:+.4}, {verdict}",
            format!("{} against {}", a.name, b.name),
            grouped(duel.score.games()),
            points.mean,
        )?;
    }
    let (played, elapsed) = (tuning.played(), tuning.elapsed().as_secs_f64());
    let (games, per_second) = (counted(played.games, "game", "games"), rate(played.games as f64 / elapsed));
    writeln!(output, "\n  {games} in {}, {per_second} games/s", seconds(elapsed))
}

fn document<'a, G: PlayableGame>(tuning: &'a Tuning<G>, header: &'a RunHeader, interrupted: bool) -> TuningJson<'a> {
    let recipe = tuning.recipe();
    let rounds = || tuning.rounds().iter().chain(tuning.round());
    let duels = |round: &'a Round| {
        let played = round.duels.iter().filter(|duel| duel.score.pairs > 0);
        played.map(|duel| PairingJson::new(tuning, duel)).collect::<Vec<_>>()
    };
    let generation = |round: &'a Round| match (round.stage, &round.best) {
        (RoundPurpose::Method(method), Some(best)) => Some(GenerationJson {
            method: method.name(),
            generation: round.number,
            of: round.of,
            duels: duels(round),
            best: values_json(recipe, best),
        }),
        _ => None,
    };
    let (played, elapsed) = (tuning.played(), tuning.elapsed().as_secs_f64());
    TuningJson {
        header,
        description: &recipe.description,
        game: &recipe.game,
        rules: tuning.rules(),
        agent: &recipe.agent,
        opponent: recipe.opponent.as_deref(),
        seed: recipe.seed,
        random_plies: tuning.opening(),
        generations: rounds().filter_map(generation).collect(),
        matches: rounds().filter(|round| round.stage == RoundPurpose::Verification).flat_map(duels).collect(),
        games: played.games,
        of: played.of,
        interrupted,
        seconds: elapsed,
        games_per_second: played.games as f64 / elapsed,
    }
}
