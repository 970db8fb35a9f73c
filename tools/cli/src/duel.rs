//! `tavli duel`: games between two players, in pairs with the same dice.

use std::io::{self, Write};
use std::num::NonZeroU64;

use clap::Args;
use serde::Serialize;
use tavli::duel::{CubeDuel, CubeDuelReport, Duel, DuelReport, GameActions, Prize};
use tavli::named;
use tavli::{Outcome, RuleSet};

use crate::arguments::{self, DEFAULT_SEED, Format, Game, Machine, OF_BACKGAMMON, OF_OTHERS};
use crate::failure::Failure;
use crate::games::arguments::{Endgames, list_of_nets};
use crate::header::Header;
use crate::interrupt;
use crate::numbers::{counted, decimals, grouped, rate, seconds};
use crate::ordered_map::OrderedMap;
use crate::output;
use crate::progress::Bar;
use crate::saved_games::{self, Played, Save, SavedGames};

/// The pairs of games of a duel at backgammon that names no number.
const PAIRS: u64 = 5000;

/// Play games between two players, on the same dice from both sides
///
/// Games come in pairs with the same dice: A moves first in one, B in the other. Both players get the same dice luck,
/// and the standard error is that of the means of the pairs. Games begin at the start, those of backgammon with a roll
/// that is no double. All results are those of A. They depend only on the players, the rules, the seed and the options.
///
/// Players of games other than backgammon:
///
/// * random
///
/// * tavli3d, of plakoto and fevga: the program Tavli3D 0.3
///
/// * uct:N or uct:N:C: a tree of N simulations a choice, exploration C; behind it +proofs (proven wins and losses,
///   without dice) or +own-visits (another bound)
///
/// * flat:N, halving:N: N simulations without a tree
///
/// * any of these with +heavy:EVALUATOR:SHARE: playouts make the best choice by EVALUATOR in SHARE of plies
///
/// * minimax:D, alphabeta:D, or with :EVALUATOR or :NET behind it: D choices ahead
///
/// * NET: a built-in net, or the file of one that tavli train wrote; NET+1ply, NET+2ply: further ahead through move
///   filters
///
/// With --money or --match the players use the doubling cube: they double and answer doubles by their own values. Pairs
/// are then of money games, or of matches with the Crawford rule, each game of which has the same dice in both.
///
/// --save FILE.mat saves the games: each match in a file of its own, FILE-1.mat, FILE-2.mat and so on; without --match
/// as one money session, in which A and B begin in turn. Games of draughts are saved as PDN.
///
/// Ctrl-C ends a duel with the games so far (exit status 0), which are saved, too.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[arg(value_name = "A")]
    #[arg(help = format!(
        "A player: {}, or the file of a player; other games have those above, of them the nets {}",
        named::list_of_policies(),
        list_of_nets()
    ))]
    pub(crate) a: String,
    /// The opponent of A
    #[arg(value_name = "B")]
    pub(crate) b: String,
    /// Play N games, or matches with --match, an even number [default: 10000; 100 of another game]
    #[arg(long = "games", value_name = "N", allow_negative_numbers = true, value_parser = pairs)]
    pub(crate) pairs: Option<u64>,
    /// Seed of the random streams, 0 to 18446744073709551615
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Play money games with the doubling cube
    #[arg(long, help_heading = OF_BACKGAMMON)]
    money: bool,
    /// In money games, gammons count only once the cube has been turned
    #[arg(long, requires = "money", help_heading = OF_BACKGAMMON)]
    jacoby: bool,
    /// Play matches to N points with the doubling cube
    #[arg(
        long = "match",
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with = "money",
        help_heading = OF_BACKGAMMON
    )]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=i64::from(CubeDuel::MOST_LENGTH)))]
    length: Option<u16>,
    /// Save the first N games only, or matches with --match [default: 1000 games; 10 matches, each a file]
    #[arg(long, value_name = "N", requires = "save", allow_negative_numbers = true)]
    #[arg(value_parser = arguments::games)]
    save_first: Option<NonZeroU64>,
    /// Begin each game with N random plies, the same in both games of a pair [default: 3 in a game without dice, else
    /// 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = OF_OTHERS)]
    pub(crate) random_plies: Option<u32>,
    #[command(flatten)]
    pub(crate) endgames: Endgames,
    #[command(flatten)]
    pub(crate) game: Game,
    #[command(flatten)]
    pub(crate) machine: Machine,
    #[command(flatten)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) save: Save,
}

/// The JSON of a duel. All members but `b` are of A; gammons count backgammons too.
#[derive(Serialize)]
struct DuelJson<'a> {
    #[serde(flatten)]
    header: &'a Header,
    a: &'a str,
    b: &'a str,
    rules: &'static str,
    seed: u64,
    games: u64,
    points_per_game: f64,
    standard_error: f64,
    wins: u64,
    gammons: u64,
    backgammons: u64,
    losses: u64,
    lost_gammons: u64,
    lost_backgammons: u64,
    outcomes: OrderedMap<&'static str, u64>,
    interrupted: bool,
    seconds: f64,
    games_per_second: f64,
}

/// The JSON of a duel with the cube. All members but `b` are of A.
#[derive(Serialize)]
struct CubeDocument<'a> {
    #[serde(flatten)]
    header: &'a Header,
    a: &'a str,
    b: &'a str,
    rules: &'static str,
    seed: u64,
    /// The length of matches; `None` in money games.
    #[serde(rename = "match")]
    length: Option<u16>,
    jacoby: bool,
    games: u64,
    games_won: u64,
    /// Of money games.
    #[serde(skip_serializing_if = "Option::is_none")]
    points_per_game: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches_won: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    match_share: Option<f64>,
    /// Of the points a game, or of the share of matches.
    standard_error: f64,
    passes: u64,
    takes: u64,
    interrupted: bool,
    seconds: f64,
    games_per_second: f64,
}

/// Reads an even number of games as that of their pairs.
fn pairs(text: &str) -> Result<u64, String> {
    let games: Option<u64> = text.parse().ok();
    games
        .filter(|&games| games > 0 && games % 2 == 0)
        .map(|games| games / 2)
        .ok_or_else(|| {
            format!(
                "games are an even number 2 to {}: two on the same dice, with the sides exchanged",
                u64::MAX - 1
            )
        })
}

impl Arguments {
    /// The games that are to be saved, by units that are money games or matches.
    pub(crate) fn first(&self) -> u64 {
        let usual = match self.length {
            Some(_) => saved_games::FIRST_MATCHES,
            None => saved_games::FIRST_GAMES,
        };
        let first = self.save_first.map_or(usual, NonZeroU64::get);
        first.min(2 * self.pairs.unwrap_or(PAIRS))
    }

    /// Opens the files of what is played for.
    fn saved(&self, played: Played, rules: RuleSet, names: [&str; 2]) -> Result<Option<SavedGames>, Failure> {
        self.save.open(played, rules, names.map(str::to_owned))
    }
}

/// Adds as many money games or matches as are to be saved.
fn save(saved: &mut Option<SavedGames>, left: &mut u64, games: Vec<GameActions>) {
    // Pairs are played whole, and an odd number ends between both of one.
    if let Some(saved) = saved
        && *left > 0
    {
        *left -= 1;
        saved.add(games);
    }
}

/// Runs the command for backgammon.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (rules, seed, pairs) = (
        arguments.game.rule_set()?,
        arguments.seed,
        arguments.pairs.unwrap_or(PAIRS),
    );
    let [a, b] = [&arguments.a, &arguments.b].map(|text| named::policy(text).map_err(Failure::usage));
    let players = [a?, b?];
    let prize = match arguments.length {
        Some(length) => Some(Prize::Match(length)),
        None => arguments.money.then_some(Prize::Points {
            jacoby: arguments.jacoby,
        }),
    };
    if let Some(prize) = prize {
        let duel = CubeDuel::new(players, rules, prize, seed, pairs).map_err(Failure::usage)?;
        return run_with_cube(arguments, rules, duel, prize);
    }
    let cancel = interrupt::cancel_on_interrupt()?;
    let duel = Duel::new(players, rules, seed, pairs).cancelled_by(&cancel);
    let [a, b] = duel.names();
    let (mut saved, mut left) = (arguments.saved(Played::Cubeless, rules, [a, b])?, arguments.first());
    let pairs_saved = if saved.is_some() { left.div_ceil(2) } else { 0 };
    let (workers, header) = arguments.machine.start()?;
    let mut output = output::stdout();
    if !arguments.format.json {
        writeln!(output, "{header}\n")?;
        writeln!(
            output,
            "{rules}, {a} against {b}, each pair of games on the same dice, seed {seed}\n"
        )?;
        output.flush()?;
    }
    let bar = Bar::new();
    let report = duel.play_recorded(
        arguments.machine.tier()?,
        &workers,
        pairs_saved,
        |game| save(&mut saved, &mut left, vec![game]),
        |progress| bar.show(progress),
    );
    drop(bar);
    let finished = saved.map_or(Ok(()), |saved| saved.finish(report.score.games()));
    let printed = print_or_write(arguments, rules, &report, [a, b], &header, &mut output);
    finished.and(printed.map_err(Failure::from))
}

/// Writes the results in their form.
fn print_or_write(
    arguments: &Arguments,
    rules: RuleSet,
    report: &DuelReport,
    [a, b]: [&str; 2],
    header: &Header,
    output: &mut dyn Write,
) -> io::Result<()> {
    if !arguments.format.json {
        return print(report, [a, b], output);
    }
    let DuelReport { score, elapsed, .. } = report;
    let points = score.points_per_game();
    let outcomes = Outcome::ALL.iter();
    let document = DuelJson {
        header,
        a,
        b,
        rules: rules.name(),
        seed: arguments.seed,
        games: score.games(),
        points_per_game: points.mean,
        standard_error: points.standard_error,
        wins: score.won_by(1),
        gammons: score.won_by(2),
        backgammons: score.won_by(3),
        losses: score.lost_by(1),
        lost_gammons: score.lost_by(2),
        lost_backgammons: score.lost_by(3),
        outcomes: OrderedMap::new(outcomes.map(|&outcome| (outcome.name(), score.outcomes[outcome as usize]))),
        interrupted: report.cancelled,
        seconds: elapsed.as_secs_f64(),
        games_per_second: score.games() as f64 / elapsed.as_secs_f64(),
    };
    output::json(output, &document)
}

/// Runs a duel with the cube.
fn run_with_cube(arguments: &Arguments, rules: RuleSet, duel: CubeDuel, prize: Prize) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    let duel = duel.cancelled_by(&cancel);
    let mut left = arguments.first();
    let played = match prize {
        Prize::Match(length) => Played::Matches { length, first: left },
        Prize::Points { jacoby } => Played::Money { jacoby },
    };
    let mut saved = arguments.saved(played, rules, duel.names())?;
    let pairs_saved = if saved.is_some() { left.div_ceil(2) } else { 0 };
    let (workers, header) = arguments.machine.start()?;
    let mut output = output::stdout();
    let ([a, b], seed) = (duel.names(), arguments.seed);
    let (unit, is_match) = match prize {
        Prize::Match(length) => (format!("matches to {length}"), true),
        Prize::Points { jacoby } => (
            format!("money games{}", if jacoby { ", Jacoby rule" } else { "" }),
            false,
        ),
    };
    if !arguments.format.json {
        writeln!(output, "{header}\n")?;
        writeln!(
            output,
            "{rules}, {a} against {b}, {unit}, each pair on the same dice, seed {seed}\n"
        )?;
        output.flush()?;
    }
    let bar = Bar::new();
    let report = duel.play_recorded(
        arguments.machine.tier()?,
        &workers,
        pairs_saved,
        |games| save(&mut saved, &mut left, games),
        |progress| bar.show(progress),
    );
    drop(bar);
    let finished = saved.map_or(Ok(()), |saved| saved.finish(report.score.units()));
    let printed = print_cubeful(arguments, rules, &report, [a, b], is_match, &header, &mut output);
    finished.and(printed.map_err(Failure::from))
}

/// Writes the results of a duel with the cube in their form.
fn print_cubeful(
    arguments: &Arguments,
    rules: RuleSet,
    report: &CubeDuelReport,
    [a, b]: [&str; 2],
    is_match: bool,
    header: &Header,
    output: &mut dyn Write,
) -> io::Result<()> {
    let &CubeDuelReport {
        score,
        elapsed,
        cancelled,
    } = report;
    let (mean, elapsed) = (score.mean(), elapsed.as_secs_f64());
    if arguments.format.json {
        let of_matches = |number: u64| is_match.then_some(number);
        let document = CubeDocument {
            header,
            a,
            b,
            rules: rules.name(),
            seed: arguments.seed,
            length: arguments.length,
            jacoby: arguments.jacoby,
            games: score.games,
            games_won: score.games_won,
            points_per_game: (!is_match).then_some(mean.mean),
            matches: of_matches(score.units()),
            matches_won: is_match.then_some(score.won),
            match_share: is_match.then_some(mean.mean),
            standard_error: mean.standard_error,
            passes: score.passes,
            takes: score.takes,
            interrupted: cancelled,
            seconds: elapsed,
            games_per_second: score.games as f64 / elapsed,
        };
        return output::json(output, &document);
    }
    if cancelled {
        writeln!(output, "  interrupted; the pairs before it\n")?;
    }
    if score.pairs == 0 {
        return writeln!(output, "  nothing was played");
    }
    let share = 100.0 * score.games_won as f64 / score.games as f64;
    let [games, won, passes, takes] = [score.games, score.games_won, score.passes, score.takes].map(grouped);
    writeln!(output, "  {a} won {won} of {games} games ({share:.2}%)")?;
    writeln!(output, "  {passes} doubles were passed and {takes} taken\n")?;
    if is_match {
        let matches = grouped(score.units());
        let (share, error) = (100.0 * mean.mean, decimals(100.0 * mean.standard_error, 2));
        writeln!(output, "  {share:.2} ± {error} % of {matches} matches for {a}\n")?;
    } else {
        let error = decimals(mean.standard_error, 5);
        writeln!(output, "  {:+.5} ± {error} points a game for {a}\n", mean.mean)?;
    }
    print_rate(score.games, elapsed, output)
}

/// Prints how fast games were played.
pub(crate) fn print_rate(games: u64, elapsed: f64, output: &mut dyn Write) -> io::Result<()> {
    let (per_second, games) = (rate(games as f64 / elapsed), counted(games, "game", "games"));
    writeln!(output, "  {games} in {}, {per_second} games/s", seconds(elapsed))
}

/// Prints the results.
fn print(report: &DuelReport, names: [&str; 2], output: &mut dyn Write) -> io::Result<()> {
    let DuelReport { score, elapsed, .. } = report;
    if report.cancelled {
        writeln!(output, "  interrupted; the games before it\n")?;
    }
    if score.pairs == 0 {
        return writeln!(output, "  no games were played");
    }
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0).max(6);
    writeln!(
        output,
        "  {:<width$}{:>14}{:>14}{:>14}{:>9}",
        "player", "wins", "gammons", "backgammons", "share"
    )?;
    let won = |points| score.won_by(points);
    let lost = |points| score.lost_by(points);
    for (name, counts) in names.iter().zip([[1, 2, 3].map(won), [1, 2, 3].map(lost)]) {
        let [wins, gammons, backgammons] = counts;
        let share = 100.0 * wins as f64 / score.games() as f64;
        let [wins, gammons, backgammons] = [wins, gammons, backgammons].map(grouped);
        writeln!(
            output,
            "  {name:<width$}{wins:>14}{gammons:>14}{backgammons:>14}{share:>8.2}%"
        )?;
    }
    let points = score.points_per_game();
    let (mean, error) = (points.mean, decimals(points.standard_error, 5));
    writeln!(output, "\n  {mean:+.5} ± {error} points a game for {}\n", names[0])?;
    print_rate(score.games(), elapsed.as_secs_f64(), output)
}
