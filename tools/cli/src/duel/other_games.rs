//! `tavli duel` at a game other than backgammon.

use std::io::{self, Write};

use serde::Serialize;
use tavli::NO_STOP;
use tavli::duel::{GameDuel, GameScore};
use tavli::games::{GameTranscript, PlayableGame, read_agent};
use tavli::search::Nets;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers::{counted, decimals, grouped};
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use super::{DuelArguments, PlayedDuel};
use crate::ordered_map::OrderedMap;
use crate::run_header::RunHeader;
use crate::saved_games::told_apart;

/// The pairs of games of a duel that names no number.
const DEFAULT_PAIRS: u64 = 50;

/// The score of A.
#[derive(Serialize)]
struct GameScoreJson {
    random_plies: u32,
    games: u64,
    points_per_game: f64,
    standard_error: f64,
    outcomes: OrderedMap<&'static str, u64>,
    mean_plies: f64,
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
    // Saved before the output, whose reader may be gone.
    let saved = saved.map_or(Ok(()), |mut saved| {
        let names = told_apart([a.clone(), b.clone()]);
        for played in score.games.iter().take(first as usize) {
            let players = [&*names[played.first_agent], &*names[1 - played.first_agent]];
            let (start, turns) = (game.start(), &played.turns[..]);
            saved.add(&game, &GameTranscript { players, start, turns });
        }
        saved.finish(score.tally.games)
    });
    let printed = write::<G>(arguments, &header, &score, [a, b], opening);
    saved.and(printed.map_err(Failure::from))?;
    interrupt::check_has_result(score.tally.games)
}

fn write<G: PlayableGame>(
    arguments: &DuelArguments,
    header: &RunHeader,
    score: &GameScore,
    names: [&str; 2],
    opening: u32,
) -> io::Result<()> {
    let (points, games, rules) = (score.points.per_game(), score.tally.games, arguments.game.rules::<G>());
    let json = GameScoreJson {
        random_plies: opening,
        games,
        points_per_game: points.mean,
        standard_error: points.standard_error,
        outcomes: OrderedMap::by_outcome::<G>(|points| score.tally.count(points)),
        mean_plies: score.tally.mean_plies().mean,
    };
    let &GameScore { elapsed, cancelled, .. } = score;
    let duel = PlayedDuel { header, names, game: Some(G::NAME), rules, games, elapsed, cancelled };
    arguments.write(&duel, &json, |output| json.print(names[0], output), &mut output::stdout())
}

impl GameScoreJson {
    fn print(&self, a: &str, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "  {:<16}{:>10}{:>9}", format!("for {a}"), "games", "share")?;
        for (outcome, count) in self.outcomes.iter() {
            let share = 100.0 * *count as f64 / self.games as f64;
            writeln!(output, "  {:<16}{:>10}{share:>8.2}%", outcome.replace('_', " "), grouped(*count))?;
        }
        let (mean, error) = (self.points_per_game, decimals(self.standard_error, 5));
        writeln!(output, "\n  {mean:+.5} ± {error} points a game for {a}")?;
        writeln!(output, "  {:.2} plies a game\n", self.mean_plies)
    }
}
