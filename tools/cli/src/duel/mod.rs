//! `tavli duel`: games between two players, in pairs with the same dice.

pub(crate) mod other_games;

use std::io::{self, Write};
use std::num::NonZeroU64;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tavli::duel::{CubeDuel, CubeDuelReport, Duel, DuelReport, GameActions, Prize};
use tavli::named;
use tavli::run::Workers;
use tavli::{Outcome, RuleSet, Tier};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers::{counted, decimals, grouped, rate, seconds, whole_in};
use tavli_terminal::output;
use tavli_terminal::progress::Bar;
use tavli_terminal::remarks::remark_on_values;

use crate::arguments::{
    self, BACKGAMMON_HEADING, DEFAULT_SEED, Format, GameOptions, OTHER_GAMES_HEADING, WorkerOptions, player_lines,
};
use crate::game_arguments::{Endgames, list_of_nets};
use crate::ordered_map::OrderedMap;
use crate::run_header::RunHeader;
use crate::saved_games::{self, Played, Save, SavedGames};

/// The pairs of games of a duel at backgammon that names no number.
const DEFAULT_PAIRS: u64 = 5000;

/// Play games between two players, on the same dice from both sides
///
/// Games come in pairs with the same dice: A moves first in one, B in the other. All results are for A.
///
/// tavli duel strong fast --games 1000
///
/// Both players get the same luck of the dice, so the standard error is computed from the means of the pairs. Games
/// begin at the start, in backgammon with a roll that is not a double. The results depend only on the players, the
/// rules, the seed and the options.
///
/// Players of games other than backgammon:
///
/// * random: each play is as likely as any other
///
/// * tavli3d, in plakoto and fevga: the player of the program Tavli3D 0.3
///
/// * uct:N, uct:N:C: tree search with N simulations for each choice, and exploration C; may be followed by +proofs
///   (prove wins and losses, without dice) or +own-visits (another bound)
///
/// * flat:N, halving:N: N simulations for each choice, without a tree
///
/// * uct, flat or halving followed by +heavy:EVALUATOR or +heavy:EVALUATOR:SHARE: in SHARE of the plies (0.5), playouts
///   make the play that EVALUATOR values highest
///
/// * minimax:D, alphabeta:D: look D choices ahead; may be followed by :EVALUATOR or :NET
///
/// * NET: a built-in net, or the file of one that tavli train wrote; may be followed by +bearoff:SIZE (a table of
///   bear-offs), and by +1ply or +2ply (look further ahead through move filters)
///
/// With --money or --match the players use the doubling cube: they double and answer doubles by their own values. A
/// pair is then two money games, or two matches with the Crawford rule. Both games, or matches, have the same dice.
///
/// --save FILE.mat saves the games. With --match each match has its own file: FILE-1.mat, FILE-2.mat and so on. Without
/// --match all games are one money session, which A and B begin in turn. Games of draughts are saved as PDN.
///
/// Ctrl-C ends a duel with the games so far (exit status 0; 1 before the first pair). They are saved, too.
#[derive(Args, Debug)]
pub(crate) struct DuelArguments {
    #[arg(value_name = "A")]
    #[arg(help = format!("A player: {} or the file of a player", named::names().collect::<Vec<_>>().join(", ")))]
    #[arg(long_help = format!(
        "A player\n\n{},\n  or the file of a player\n\n\
         Other games have the players above, with the nets {}.",
        player_lines(&named::list_of_policies()),
        list_of_nets()
    ))]
    pub(crate) a: String,
    /// The opponent of A
    #[arg(value_name = "B")]
    pub(crate) b: String,
    /// Play N games, or matches with --match; N is even [default: 10000; 100 in other games]
    #[arg(long = "games", value_name = "N", allow_negative_numbers = true, value_parser = pairs)]
    pub(crate) pairs: Option<u64>,
    /// Seed of the random numbers, 0 to 18446744073709551615
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Play money games with the doubling cube
    #[arg(long, help_heading = BACKGAMMON_HEADING)]
    money: bool,
    /// The Jacoby rule: in money games, gammons count only once the cube has been turned
    #[arg(long, requires = "money", help_heading = BACKGAMMON_HEADING)]
    jacoby: bool,
    /// Play matches to N points with the doubling cube
    #[arg(
        long = "match",
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with_all = ["money", "jacoby"],
        help_heading = BACKGAMMON_HEADING
    )]
    #[arg(value_parser = whole_in::<u16>(1..=CubeDuel::MAX_LENGTH.into()))]
    length: Option<u16>,
    /// Save only the first N games, or matches with --match [default: 1000 games; 10 matches, each in a file]
    #[arg(long, value_name = "N", requires = "save", allow_negative_numbers = true)]
    #[arg(value_parser = arguments::games)]
    save_first: Option<NonZeroU64>,
    /// Begin each game with N random plies, the same in both games of a pair [default: 0; 3 in games without dice]
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = OTHER_GAMES_HEADING)]
    pub(crate) random_plies: Option<u32>,
    #[command(flatten)]
    pub(crate) endgames: Endgames,
    #[command(flatten)]
    pub(crate) game: GameOptions,
    #[command(flatten)]
    pub(crate) machine: WorkerOptions,
    #[command(flatten)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) save: Save,
}

/// The JSON of a duel. All members except `b` are A's.
#[derive(Serialize)]
struct DuelJson<'a, S> {
    #[serde(flatten)]
    header: &'a RunHeader,
    a: &'a str,
    b: &'a str,
    /// Absent in backgammon.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    rules: &'a str,
    seed: u64,
    #[serde(flatten)]
    score: &'a S,
    interrupted: bool,
    seconds: f64,
    games_per_second: f64,
}

/// The score without a cube. Gammons count backgammons too.
#[derive(Serialize)]
struct ScoreJson {
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
}

/// The score with the cube.
#[derive(Serialize)]
struct CubeScoreJson {
    /// The length of matches; `None` in money games.
    #[serde(rename = "match")]
    length: Option<u16>,
    jacoby: bool,
    games: u64,
    games_won: u64,
    /// Absent in matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    points_per_game: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches_won: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    match_share: Option<f64>,
    /// The standard error of the points a game, or of the share of matches.
    standard_error: f64,
    passes: u64,
    takes: u64,
}

/// Reads an even number of games, and returns the number of pairs.
fn pairs(text: &str) -> Result<u64, String> {
    let games: Option<u64> = text.parse().ok();
    games.filter(|&games| games > 0 && games % 2 == 0).map(|games| games / 2).ok_or_else(|| {
        format!("games are an even number 2 to {}: two on the same dice, with the sides exchanged", u64::MAX - 1)
    })
}

impl DuelArguments {
    /// The number of money games or matches to save.
    pub(crate) fn first(&self) -> u64 {
        let usual = match self.length {
            Some(_) => saved_games::FIRST_MATCHES,
            None => saved_games::FIRST_GAMES,
        };
        let first = self.save_first.map_or(usual, NonZeroU64::get);
        first.min(2 * self.pairs.unwrap_or(DEFAULT_PAIRS))
    }
}

/// A duel of two players of backgammon, and its description.
struct Task<'a> {
    names: [&'a str; 2],
    rules: RuleSet,
    played: Played,
    /// The description of a pair of games or matches.
    pairs: String,
}

/// Saves the first games of a duel.
struct Saver {
    games: Option<SavedGames>,
    /// Money games or matches still to be saved.
    left: u64,
}

impl Saver {
    /// The pairs whose games are saved.
    fn pairs(&self) -> u64 {
        self.games.as_ref().map_or(0, |_| self.left.div_ceil(2))
    }

    /// Adds a money game or a match.
    fn add(&mut self, games: Vec<GameActions>) {
        // Pairs are played whole; an odd number of saved games ends within a pair.
        if let Some(saved) = &mut self.games
            && self.left > 0
        {
            self.left -= 1;
            saved.add(games);
        }
    }
}

/// Runs the command for backgammon.
pub(crate) fn run(arguments: &DuelArguments) -> Result<(), Failure> {
    let (rules, seed, pairs) = (arguments.game.rule_set()?, arguments.seed, arguments.pairs.unwrap_or(DEFAULT_PAIRS));
    let [a, b] = [&arguments.a, &arguments.b].map(|text| named::policy(text).map_err(Failure::usage));
    let players = [a?, b?];
    let prize = match arguments.length {
        Some(length) => Some(Prize::Match(length)),
        None => arguments.money.then_some(Prize::Points { jacoby: arguments.jacoby }),
    };
    let Some(prize) = prize else {
        if players.iter().any(|player| player.name().ends_with("+cube")) {
            output::remark("remark: +cube changes nothing in games without a cube: add --money or --match N");
        }
        let duel = Duel::new(players, rules, seed, pairs).cancelled_by(&interrupt::cancel_on_interrupt()?);
        let task = Task {
            names: duel.names(),
            rules,
            played: Played::Cubeless,
            pairs: "each pair of games on the same dice".to_owned(),
        };
        let play = |tier, workers: &Workers, saver: &mut Saver, bar: &Bar| {
            let (recorded, save) = (saver.pairs(), |game| saver.add(vec![game]));
            duel.play_recorded(tier, workers, recorded, save, |progress| bar.show(progress))
        };
        return arguments.play(&task, play, |report| report.score.points.games(), write_cubeless);
    };
    let mut names = [players[0].name(), players[1].name()].to_vec();
    names.dedup();
    for name in names {
        remark_on_values(name, rules);
    }
    let duel = CubeDuel::new(players, rules, prize, seed, pairs).map_err(Failure::usage)?;
    let duel = duel.cancelled_by(&interrupt::cancel_on_interrupt()?);
    let (played, unit) = match prize {
        Prize::Match(length) => {
            let first = arguments.first();
            (Played::Matches { length, first }, format!("matches to {length}"))
        }
        Prize::Points { jacoby } => {
            let rule = if jacoby { ", Jacoby rule" } else { "" };
            (Played::Money { jacoby }, format!("money games{rule}"))
        }
    };
    let task = Task { names: duel.names(), rules, played, pairs: format!("{unit}, each pair on the same dice") };
    let play = |tier, workers: &Workers, saver: &mut Saver, bar: &Bar| {
        let (recorded, save) = (saver.pairs(), |games| saver.add(games));
        duel.play_recorded(tier, workers, recorded, save, |progress| bar.show(progress))
    };
    arguments.play(&task, play, |report| report.score.won.games(), write_cubeful)
}

impl DuelArguments {
    /// Plays a duel at backgammon, saves its games and writes its results. `units` are the games or matches played.
    fn play<R>(
        &self,
        task: &Task<'_>,
        play: impl FnOnce(Tier, &Workers, &mut Saver, &Bar) -> R,
        units: impl FnOnce(&R) -> u64,
        print: impl FnOnce(&DuelArguments, &Task<'_>, &R, &RunHeader, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let [a, b] = task.names;
        let mut saver =
            Saver { games: self.save.open(task.played, task.rules, [a, b].map(str::to_owned))?, left: self.first() };
        let line = format_args!("{}, {a} against {b}, {}, seed {}", task.rules, task.pairs, self.seed);
        let (workers, header) = self.machine.start_on_task(self.format, line)?;
        let bar = Bar::new();
        let report = play(self.machine.tier()?, &workers, &mut saver, &bar);
        drop(bar);
        let units = units(&report);
        let finished = saver.games.map_or(Ok(()), |saved| saved.finish(units));
        let printed = print(self, task, &report, &header, &mut output::stdout());
        finished.and(printed.map_err(Failure::from))?;
        interrupt::check_has_result(units)
    }
}

/// A duel that was played, in the words and members that every game has.
struct PlayedDuel<'a> {
    header: &'a RunHeader,
    names: [&'a str; 2],
    /// `None` in backgammon.
    game: Option<&'static str>,
    rules: &'a str,
    games: u64,
    elapsed: Duration,
    cancelled: bool,
}

impl DuelArguments {
    /// Writes a duel with its score as JSON, or prints it with `rows` in between, if games were played.
    fn write(
        &self,
        duel: &PlayedDuel<'_>,
        score: &impl Serialize,
        rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let &PlayedDuel { header, names: [a, b], game, rules, games, elapsed, cancelled: interrupted } = duel;
        let elapsed = elapsed.as_secs_f64();
        let games_per_second = games as f64 / elapsed;
        if self.format.json {
            let (seed, seconds) = (self.seed, elapsed);
            let document = DuelJson { header, a, b, game, rules, seed, score, interrupted, seconds, games_per_second };
            return output::json(output, &document);
        }
        let [units, none] = match self.money || self.length.is_some() {
            true => ["pairs", "nothing was"],
            false => ["games", "no games were"],
        };
        if interrupted {
            writeln!(output, "  interrupted; the {units} before it\n")?;
        }
        if games == 0 {
            return writeln!(output, "  {none} played");
        }
        rows(output)?;
        let (games, rate) = (counted(games, "game", "games"), rate(games_per_second));
        writeln!(output, "  {games} in {}, {rate} games/s", seconds(elapsed))
    }
}

fn write_cubeless(
    arguments: &DuelArguments,
    task: &Task<'_>,
    report: &DuelReport,
    header: &RunHeader,
    output: &mut dyn Write,
) -> io::Result<()> {
    let &Task { names, rules, .. } = task;
    let &DuelReport { ref score, elapsed, cancelled } = report;
    let (points, games) = (score.points.per_game(), score.points.games());
    let outcomes = Outcome::ALL.iter();
    let json = ScoreJson {
        games,
        points_per_game: points.mean,
        standard_error: points.standard_error,
        wins: score.won_by(1),
        gammons: score.won_by(2),
        backgammons: score.won_by(3),
        losses: score.lost_by(1),
        lost_gammons: score.lost_by(2),
        lost_backgammons: score.lost_by(3),
        outcomes: OrderedMap::new(outcomes.map(|&outcome| (outcome.name(), score.outcomes[outcome as usize]))),
    };
    let duel = PlayedDuel { header, names, game: None, rules: rules.name(), games, elapsed, cancelled };
    arguments.write(&duel, &json, |output| json.print(names, output), output)
}

fn write_cubeful(
    arguments: &DuelArguments,
    task: &Task<'_>,
    report: &CubeDuelReport,
    header: &RunHeader,
    output: &mut dyn Write,
) -> io::Result<()> {
    let &Task { names, rules, .. } = task;
    let is_match = arguments.length.is_some();
    let &CubeDuelReport { score, elapsed, cancelled } = report;
    let mean = score.won.per_game();
    let json = CubeScoreJson {
        length: arguments.length,
        jacoby: arguments.jacoby,
        games: score.games,
        games_won: score.games_won,
        points_per_game: (!is_match).then_some(mean.mean),
        matches: is_match.then_some(score.won.games()),
        matches_won: is_match.then_some(score.won.sum),
        match_share: is_match.then_some(mean.mean),
        standard_error: mean.standard_error,
        passes: score.passes,
        takes: score.takes,
    };
    let duel = PlayedDuel { header, names, game: None, rules: rules.name(), games: score.games, elapsed, cancelled };
    arguments.write(&duel, &json, |output| json.print(names[0], output), output)
}

impl CubeScoreJson {
    fn print(&self, a: &str, output: &mut dyn Write) -> io::Result<()> {
        let share = 100.0 * self.games_won as f64 / self.games as f64;
        let [games, won, passes, takes] = [self.games, self.games_won, self.passes, self.takes].map(grouped);
        writeln!(output, "  {a} won {won} of {games} games ({share:.2}%)")?;
        writeln!(output, "  {passes} doubles were passed and {takes} taken\n")?;
        if let (Some(matches), Some(share)) = (self.matches, self.match_share) {
            let (share, error) = (100.0 * share, decimals(100.0 * self.standard_error, 2));
            writeln!(output, "  {share:.2} ± {error} % of {} matches for {a}\n", grouped(matches))?;
        }
        if let Some(points) = self.points_per_game {
            writeln!(output, "  {points:+.5} ± {} points a game for {a}\n", decimals(self.standard_error, 5))?;
        }
        Ok(())
    }
}

impl ScoreJson {
    fn print(&self, names: [&str; 2], output: &mut dyn Write) -> io::Result<()> {
        let width = names.iter().map(|name| name.len()).max().unwrap_or(0).max(6);
        writeln!(output, "  {:<width$}{:>14}{:>14}{:>14}{:>9}", "player", "wins", "gammons", "backgammons", "share")?;
        let won = [self.wins, self.gammons, self.backgammons];
        let lost = [self.losses, self.lost_gammons, self.lost_backgammons];
        for (name, counts) in names.iter().zip([won, lost]) {
            let share = 100.0 * counts[0] as f64 / self.games as f64;
            let [wins, gammons, backgammons] = counts.map(grouped);
            writeln!(output, "  {name:<width$}{wins:>14}{gammons:>14}{backgammons:>14}{share:>8.2}%")?;
        }
        let (mean, error) = (self.points_per_game, decimals(self.standard_error, 5));
        writeln!(output, "\n  {mean:+.5} ± {error} points a game for {}\n", names[0])
    }
}
