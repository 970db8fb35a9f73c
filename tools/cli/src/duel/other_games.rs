//! `tavli duel` at a game other than backgammon.

use std::io::{self, Write};

use serde::Serialize;
use tavli::NO_STOP;
use tavli::duel::{GameDuel, GameScore};
use tavli::games::{GameTranscript, PlayableGame, Tally, read_agent};
use tavli::search::Nets;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers::{counted, decimals, grouped};
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use super::{DuelArguments, print_rate};
use crate::ordered_map::OrderedMap;
use crate::run_header::RunHeader;
use crate::saved_games::told_apart;

/// The pairs of games of a duel that names no number.
const DEFAULT_PAIRS: u64 = 50;

/// The JSON of a duel. All members except `b` are A's.
#[derive(Serialize)]
struct GameDuelJson<'a> {
    #[serde(flatten)]
    header: &'a RunHeader,
    a: &'a str,
    b: &'a str,
    game: &'static str,
    rules: &'a str,
    seed: u64,
    random_plies: u32,
    games: u64,
    points_per_game: f64,
    standard_error: f64,
    outcomes: OrderedMap<&'static str, u64>,
    mean_plies: f64,
    interrupted: bool,
    seconds: f64,
    games_per_second: f64,
}

pub(crate) fn run<G: PlayableGame>(arguments: &DuelArguments) -> Result<(), Failure> {
    let tier = arguments.machine.tier()?;
    let game: G = arguments.game.with_seed(tier, arguments.seed)?;
    let opening = arguments.random_plies;
    let opening = opening.unwrap_or_else(|| GameDuel::default_opening(&game));
    let rules = arguments.game.rules::<G>();
    let mut nets = Nets::new();
    let mut agent = |text: &str| read_agent(&game, text, &mut nets, NO_STOP).map_err(Failure::usage);
    let (a, b) = (agent(&arguments.a)?, agent(&arguments.b)?);
    let names = [a.to_string(), b.to_string()];
    let tables = arguments.endgames.read(&game)?;
    // Set up after the tables are read, which may take long: until then a signal ends the program at once.
    let cancel = interrupt::cancel_on_interrupt()?;
    let saved = arguments.save.open_of(&game)?;
    let first = if saved.is_some() { arguments.first() } else { 0 };
    let duel = GameDuel::<G>::new(rules, tier, [a, b], arguments.seed, arguments.pairs.unwrap_or(DEFAULT_PAIRS));
    let duel = duel
        .map_err(Failure::usage)?
        .with_opening(opening)
        .with_games(first.div_ceil(2))
        .with_tables(tables)
        .with_nets(nets)
        .cancelled_by(&cancel);
    let ([a, b], name, seed) = (&names, G::NAME, arguments.seed);
    let after = match opening {
        0 => String::new(),
        _ => format!(", after {} at random", counted(opening, "ply", "plies")),
    };
    let line = format_args!("{name}, {rules} rules, {a} against {b}{after}, seed {seed}");
    let (workers, header) = arguments.machine.start_on_task(arguments.format, line)?;
    let bar = Bar::new();
    let score = duel.play(&workers, |progress| bar.show(progress));
    drop(bar);
    // Without the remark the result would look like one between equals.
    if score.tally.games > 0 && score.tally.longest <= opening {
        output::remark(format_args!(
            "remark: no player moved: all games ended within their {} at random; give fewer with --random-plies",
            counted(opening, "ply", "plies")
        ));
    }
    if !arguments.format.json {
        print::<G>(&score, &names, &mut output::stdout())?;
    } else {
        print_json::<G>(arguments, &header, &score, &names, opening)?;
    }
    let Some(mut saved) = saved else {
        return interrupt::check_has_result(score.tally.games);
    };
    let names = told_apart(names);
    for played in score.games.iter().take(first as usize) {
        let players = [&*names[played.first_agent], &*names[1 - played.first_agent]];
        let (start, turns) = (game.start(), &played.turns[..]);
        saved.add(&game, &GameTranscript { players, start, turns });
    }
    saved.finish(score.tally.games)?;
    interrupt::check_has_result(score.tally.games)
}

fn print_json<G: PlayableGame>(
    arguments: &DuelArguments,
    header: &RunHeader,
    score: &GameScore,
    [a, b]: &[String; 2],
    opening: u32,
) -> io::Result<()> {
    let (points, elapsed) = (score.points.per_game(), score.elapsed.as_secs_f64());
    let document = GameDuelJson {
        header,
        a,
        b,
        game: G::NAME,
        rules: arguments.game.rules::<G>(),
        seed: arguments.seed,
        random_plies: opening,
        games: score.tally.games,
        points_per_game: points.mean,
        standard_error: points.standard_error,
        outcomes: outcomes::<G>(&score.tally),
        mean_plies: score.tally.mean_plies().mean,
        interrupted: score.cancelled,
        seconds: elapsed,
        games_per_second: score.tally.games as f64 / elapsed,
    };
    output::json(&mut output::stdout(), &document)
}

/// The games of each outcome.
fn outcomes<G: PlayableGame>(tally: &Tally) -> OrderedMap<&'static str, u64> {
    let counts = G::OUTCOMES.iter();
    OrderedMap::new(counts.map(|outcome| (outcome.name, tally.count(outcome.points))))
}

fn print<G: PlayableGame>(score: &GameScore, names: &[String; 2], output: &mut dyn Write) -> io::Result<()> {
    if score.cancelled {
        writeln!(output, "  interrupted; the games before it\n")?;
    }
    if score.points.pairs == 0 {
        return writeln!(output, "  no games were played");
    }
    let games = score.tally.games;
    writeln!(output, "  {:<16}{:>10}{:>9}", format!("for {}", names[0]), "games", "share")?;
    for outcome in G::OUTCOMES {
        let count = score.tally.count(outcome.points);
        let share = 100.0 * count as f64 / games as f64;
        let name = outcome.name.replace('_', " ");
        writeln!(output, "  {name:<16}{:>10}{share:>8.2}%", grouped(count))?;
    }
    let points = score.points.per_game();
    let (mean, error) = (points.mean, decimals(points.standard_error, 5));
    writeln!(output, "\n  {mean:+.5} ± {error} points a game for {}", names[0])?;
    writeln!(output, "  {:.2} plies a game\n", score.tally.mean_plies().mean)?;
    print_rate(games, score.elapsed.as_secs_f64(), output)
}
