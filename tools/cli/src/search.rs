//! `tavli search`: the best play of a roll, found by random games.

use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args};
use serde::Serialize;
use tavli::named;
use tavli::plays::Plays;
use tavli::policies::{Players, Policy, Uniform};
use tavli::search::{
    Arm, Backgammon, Draw, Ends, Final, Method, Pruning, Report, Search, Settings, Step, Value,
};
use tavli::{Board, Position, Roll, RuleSet};

use crate::arguments::{DEFAULT_SEED, Format, Machine, Rule, games, seconds};
use crate::expectimax::{Ahead, Question, Way};
use crate::failure::Failure;
use crate::guiding::Guiding;
use crate::header::Header;
use crate::interrupt;
use crate::numbers::{counted, decimals, grouped, rate};
use crate::output;
use crate::progress::Bar;

/// The simulations of a search that names no end.
const SIMULATIONS: u64 = 1_000_000;

/// Search for the best play of a roll by random games
///
/// Monte-Carlo tree search with choices and chances, as in the McGammon paper (uct), and what it has to beat: all
/// simulations evenly over the plays (flat), or round by round on the better half of them (halving). A search has
/// numbered trees, whose visits add up. Its result depends on the position, the roll and the options alone: threads,
/// pinning and tier change the speed only. A search by time, and one with --gap, ends when the clock says.
///
/// Without games: each side plays its best by an evaluator, a number of plays ahead (expectimax). Star1 and star2 find the
/// same play and value, and leave out what cannot change them; other plays then have upper bounds. Of a game without dice,
/// they would be minimax and alpha-beta, which are other names of expectimax and star1.
///
/// Ctrl-C ends a search with its result so far (exit status 0).
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("end").multiple(false)))]
pub(crate) struct Arguments {
    /// GNU Position ID, Position ID:Match ID, XGID, FIBS board line or 26 numbers
    #[arg(value_name = "POSITION")]
    position: Position,
    /// Two digits 1 to 6, such as 31 [default: the dice of the position]
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    roll: Option<Roll>,
    /// Simulations in all trees [default: 1000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = games, group = "end")]
    simulations: Option<NonZeroU64>,
    /// Search for about S seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds, group = "end")]
    seconds: Option<Duration>,
    /// End before that when the best play is G standard errors ahead of the second in value
    #[arg(long, value_name = "G", allow_negative_numbers = true, value_parser = gap)]
    gap: Option<f64>,
    /// How the best play is found: by games (uct, flat, halving), or by an evaluator some plays ahead (expectimax, star1,
    /// star2)
    #[arg(long, value_name = "M", default_value_t = Way::Games(Method::Uct))]
    method: Way,
    #[command(flatten)]
    ahead: Ahead,
    #[command(flatten)]
    guiding: Guiding,
    /// Who plays the playouts: uniform, pubeval, td80, fast, or the file of a player [default: uniform]
    #[arg(long, value_name = "NAME|FILE", value_parser = named::policy)]
    policy: Option<Arc<dyn Policy>>,
    #[command(flatten)]
    rule: Rule,
    /// The factor of exploration in v + C sqrt(ln n_p / n), 0 or more
    #[arg(
        long = "c",
        value_name = "C",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    c: f64,
    /// What a game counts: points, or wins (1 and -1)
    #[arg(long, value_name = "V", default_value_t = Value::Points)]
    value: Value,
    /// How trees draw throws: random, or stratified (visits to a position get all throws before any comes again)
    #[arg(long, value_name = "D", default_value_t = Draw::Random)]
    draw: Draw,
    /// Which play is the best: visits, value or visits-then-value
    #[arg(long, value_name = "F", default_value_t = Final::VisitsThenValue)]
    choice: Final,
    /// Visits to a position with its roll after which its plays join the tree
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        allow_negative_numbers = true
    )]
    expand: NonZeroU32,
    /// Trees, whose visits are added up
    #[arg(
        long,
        value_name = "T",
        default_value_t = 16,
        allow_negative_numbers = true
    )]
    trees: u32,
    /// The most playouts of a tree that are in flight
    #[arg(
        long,
        value_name = "N",
        default_value_t = 256,
        allow_negative_numbers = true
    )]
    in_flight: u32,
    /// Bytes that all trees may take; then they go on without growing
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 2_000_000_000,
        allow_negative_numbers = true
    )]
    memory: u64,
    /// Seed of the random streams, 0 to 18446744073709551615
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    format: Format,
}

/// The JSON of a search. All values are those of the player on roll.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    header: &'a Header,
    position_id: String,
    roll: String,
    rules: &'static str,
    method: &'static str,
    policy: &'a str,
    c: f64,
    value: &'static str,
    draw: &'static str,
    choice: &'static str,
    expand: u32,
    trees: u32,
    in_flight: u32,
    seed: u64,
    plays: Vec<PlayJson>,
    /// The expected line: rolls, each with its play.
    line: Vec<String>,
    simulations: u64,
    seconds: f64,
    simulations_per_second: f64,
    playout_plies: u64,
    playout_plies_per_second: f64,
    depth: u32,
    nodes: u64,
    bytes: u64,
    interrupted: bool,
}

/// The JSON of a play. The integers of trees of the same root add up.
#[derive(Serialize)]
struct PlayJson {
    moves: String,
    position_id: String,
    visits: u64,
    /// The sum of the values, and of their squares.
    sum: i64,
    squares: u64,
    /// Absent without visits.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    /// Absent below two visits.
    #[serde(skip_serializing_if = "Option::is_none")]
    se_value: Option<f64>,
}

/// Reads a number of standard errors.
fn gap(text: &str) -> Result<f64, String> {
    let gap: Option<f64> = text.parse().ok();
    gap.filter(|gap| *gap > 0.0 && gap.is_finite())
        .ok_or_else(|| "a gap is a number of standard errors above 0, such as 3".to_owned())
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let board = *arguments.position.board();
    let roll = arguments
        .position
        .roll_or(arguments.roll)
        .map_err(Failure::usage)?
        .ok_or_else(|| Failure::usage("the position has no dice: write the ROLL after it"))?;
    let rules = arguments.rule.rules;
    let method = match arguments.method {
        Way::Games(method) => method,
        Way::Ahead(pruning) => {
            return arguments.look_ahead(Question { board, roll, rules }, pruning);
        }
    };
    let guiding = &arguments.guiding;
    if let Some(option) = arguments.ahead.misplaced(guiding.option().is_some()) {
        return Err(Failure::usage(format_args!(
            "{option} is for the methods expectimax, star1 and star2, not for {method} by itself"
        )));
    }
    let policy = arguments.policy.clone();
    let players = Players::alike(policy.unwrap_or_else(|| Arc::new(Uniform)));
    let settings = arguments.settings(method);
    let tier = arguments.machine.tier();
    let game = Backgammon::new(rules, players, tier, settings.seed).map_err(Failure::usage)?;
    let root = game.root(&board).map_err(Failure::usage)?;
    let game = Arc::new(game);
    let chance = Backgammon::chance(roll);
    let ends = arguments.ends();
    let cancel = interrupt::cancel_on_interrupt()?;
    let search = Search::new(Arc::clone(&game), root, chance, settings, ends);
    let mut search = search.map_err(Failure::usage)?.cancelled_by(&cancel);
    if guiding.option().is_some() {
        let guide = guiding.guide(rules, tier, arguments.ahead.evaluator()?);
        search = search.guided(guide).map_err(Failure::usage)?;
    }
    let (workers, header) = arguments.machine.start()?;
    let plays = Plays::under(&board, roll, rules);
    let moves: Vec<String> = plays
        .to_vec()
        .iter()
        .map(|play| plays.moves(play).to_string())
        .collect();
    let names = Names {
        game: &game,
        board: &board,
        moves: &moves,
        settings: &settings,
    };
    let [policy, _] = game.players().names();
    let mut output = io::stdout();
    if !arguments.format.json {
        writeln!(output, "{header}\n")?;
        writeln!(
            output,
            "{roll} from {}, {rules}, {} by {policy} playouts, C {}, {}, {}, seed {}\n",
            board.position_id(),
            settings.method,
            settings.c,
            settings.value,
            counted(settings.trees, "tree", "trees"),
            settings.seed
        )?;
        output.flush()?;
    }
    let bar = Bar::new();
    let report = search.run(&workers, |progress| {
        let best = progress.root.ranking(settings.choice)[0];
        bar.show_search(progress, &ends, &moves[best]);
    });
    drop(bar);
    if arguments.format.json {
        let document = arguments.document(&header, &report, &names, roll, policy);
        return Ok(output::json(&mut output, &document)?);
    }
    Ok(print(&report, &names, settings.choice, &mut output)?)
}

impl Arguments {
    /// Searches by an evaluator, without games.
    fn look_ahead(&self, question: Question, pruning: Pruning) -> Result<(), Failure> {
        let of_games = [
            (self.simulations.is_some(), "--simulations"),
            (self.seconds.is_some(), "--seconds"),
            (self.gap.is_some(), "--gap"),
            (self.policy.is_some(), "--policy"),
        ];
        let mut of_games = of_games.iter().filter(|(is_given, _)| *is_given);
        let of_games = of_games.next().map(|(_, option)| *option);
        if let Some(option) = of_games.or(self.guiding.option()) {
            return Err(Failure::usage(format_args!(
                "{option} is for the methods uct, flat and halving, not for {pruning}, which plays no games: give --depth"
            )));
        }
        self.ahead
            .search(&question, pruning, &self.machine, self.format.json)
    }

    fn settings(&self, method: Method) -> Settings {
        Settings {
            method,
            c: self.c,
            value: self.value,
            draw: self.draw,
            choice: self.choice,
            expand: self.expand,
            trees: self.trees,
            in_flight: self.in_flight,
            seed: self.seed,
            memory: self.memory,
        }
    }

    fn ends(&self) -> Ends {
        let simulations = self.simulations.map(NonZeroU64::get);
        Ends {
            simulations: match self.seconds {
                Some(_) => None,
                None => Some(simulations.unwrap_or(SIMULATIONS)),
            },
            time: self.seconds,
            gap: self.gap,
        }
    }

    fn document<'a>(
        &self,
        header: &'a Header,
        report: &Report,
        names: &Names<'_>,
        roll: Roll,
        policy: &'a str,
    ) -> Document<'a> {
        let settings = names.settings;
        let seconds = report.elapsed.as_secs_f64();
        let simulations = report.root.simulations();
        let plays = Plays::under(names.board, roll, names.rules());
        let of_play = |choice: usize| {
            let arm: &Arm = &report.root.arms[choice];
            let play = plays.get(choice).expect("an arm is one of the plays");
            PlayJson {
                moves: names.moves[choice].clone(),
                position_id: play.board().position_id().to_string(),
                visits: arm.visits,
                sum: arm.sum,
                squares: arm.squares,
                value: (arm.visits > 0).then(|| arm.value()),
                se_value: arm.standard_error(),
            }
        };
        let ranking = report.root.ranking(settings.choice);
        Document {
            header,
            position_id: names.board.position_id().to_string(),
            roll: roll.to_string(),
            rules: names.rules().name(),
            method: settings.method.name(),
            policy,
            c: settings.c,
            value: settings.value.name(),
            draw: settings.draw.name(),
            choice: settings.choice.name(),
            expand: settings.expand.get(),
            trees: settings.trees,
            in_flight: settings.in_flight,
            seed: settings.seed,
            plays: ranking.into_iter().map(of_play).collect(),
            line: names.line(&report.line),
            simulations,
            seconds,
            simulations_per_second: simulations as f64 / seconds,
            playout_plies: report.plies,
            playout_plies_per_second: report.plies as f64 / seconds,
            depth: report.depth,
            nodes: report.nodes,
            bytes: report.bytes,
            interrupted: report.interrupted,
        }
    }
}

/// What the plays at the root, and of a line, are called.
struct Names<'a> {
    game: &'a Backgammon,
    board: &'a Board,
    moves: &'a [String],
    settings: &'a Settings,
}

impl Names<'_> {
    fn rules(&self) -> RuleSet {
        self.game.rules()
    }

    /// The steps of a line, each a roll and its play.
    fn line(&self, steps: &[Step]) -> Vec<String> {
        let mut board = *self.board;
        let text = |step: &Step| {
            let roll = Roll::ALL[step.chance];
            let plays = Plays::under(&board, roll, self.rules());
            let play = plays.get(step.choice).expect("a step is one of the plays");
            board = play.board();
            format!("{roll}: {}", plays.moves(&play))
        };
        steps.iter().map(text).collect()
    }
}

/// Prints what was found.
fn print(
    report: &Report,
    names: &Names<'_>,
    choice: Final,
    output: &mut dyn Write,
) -> io::Result<()> {
    let simulations = report.root.simulations();
    if report.interrupted {
        writeln!(output, "interrupted; the result so far:\n")?;
    }
    let width = names
        .moves
        .iter()
        .map(String::len)
        .max()
        .unwrap_or(0)
        .max(4);
    writeln!(
        output,
        "  {:<width$}  {:>14}  {:>7}  {:>8}  {:>7}",
        "play", "visits", "share", "value", "± se"
    )?;
    for choice in report.root.ranking(choice) {
        let arm = &report.root.arms[choice];
        let share = 100.0 * arm.visits as f64 / simulations.max(1) as f64;
        let value = match arm.visits {
            0 => "-".to_owned(),
            _ => format!("{:+.4}", arm.value()),
        };
        writeln!(
            output,
            "  {:<width$}  {:>14}  {share:>6.2}%  {value:>8}  {:>7}",
            names.moves[choice],
            grouped(arm.visits),
            decimals(arm.standard_error().unwrap_or(f64::NAN), 4),
        )?;
    }
    let line = names.line(&report.line).join(", ");
    let seconds = report.elapsed.as_secs_f64();
    writeln!(output, "\n  expected {line}")?;
    writeln!(
        output,
        "  {} of up to {} in {}; {}, {} bytes",
        counted(simulations, "simulation", "simulations"),
        counted(
            report.depth,
            "play before the playout",
            "plays before the playout"
        ),
        crate::numbers::seconds(seconds),
        counted(report.nodes, "position", "positions"),
        grouped(report.bytes),
    )?;
    writeln!(
        output,
        "  {} simulations/s, {} playout plies/s",
        rate(simulations as f64 / seconds),
        rate(report.plies as f64 / seconds),
    )
}
