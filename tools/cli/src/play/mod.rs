//! `tavli play`: games at the terminal, of a person or between players.

mod cube_turn;
mod order;
pub(crate) mod other_games;
mod person;
mod seat;
mod terminal_game;

use std::io::Write;
use std::num::NonZeroU64;

use clap::Args;
use tavli::board::TurnStage;
use tavli::cube::{self, CubeState};
use tavli::duel::{CubeDuel, GameActions};
use tavli::evaluation::Evaluation;
use tavli::named::{self, Defaults};
use tavli::run::GameNumbersError;
use tavli::text::Quoted;
use tavli::{Context, Cube, FirstRoll, Playouts, RuleSet, Stakes};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers::whole_in;
use tavli_terminal::output;
use tavli_terminal::remarks::remark_on_values;

use self::cube_turn::decider;
use self::person::Person;
use self::seat::Seat;
use self::terminal_game::{End, TableCube, TerminalGame};
use crate::arguments::{self, BACKGAMMON_HEADING, DEFAULT_SEED, GameOptions, WorkerOptions, player_lines};
use crate::evaluator_options::{evaluator_of_option, or_default};
use crate::game_arguments::{Endgames, list_of_nets};
use crate::saved_games::{Played, Save, told_apart};

/// The option of the evaluator of hints, as errors name it.
const HINTS_OPTION: &str = "--hints <NAME|FILE>";

/// Play against a player, or watch two of them
///
/// With one player, you play against it. Two players play each other, and each play is shown. The player me is a person
/// at the terminal.
///
/// tavli play strong
///
/// A moves first in even-numbered games, B in odd-numbered ones. The dice depend only on the seed and the number of the
/// game, so a game can be played again. Other games have the players of tavli duel [default: strong in plakoto and
/// fevga, otherwise uct:20000].
///
/// Lines are read from standard input. A play is written in notation, such as 8/5 6/5. The other orders are help,
/// plays, hint, undo, board and quit, and in backgammon resign. The end of the input and Ctrl-C end the game.
///
/// There is a doubling cube with --money or --match, or from a position in a match. Before your roll, write roll or
/// double; when you are doubled, write take or pass. Players decide by their own values, searches by the values of
/// --hints.
///
/// --save FILE.mat saves the match, or the games as a session, even if the last game is unfinished. A game of draughts
/// is saved as PDN.
#[derive(Args, Debug)]
pub(crate) struct PlayArguments {
    #[arg(value_name = "A")]
    #[arg(help = format!(
        "A player: me, search, search:N, {} or the file of a player [default: strong]",
        named::names().collect::<Vec<_>>().join(", ")
    ))]
    #[arg(long_help = format!(
        "A player\n\n  \
         me: a person at the terminal\n  \
         search, search:N: a tree search with 20000 or N simulations a play\n\
         {},\n  or the file of a player\n\n\
         Other games have me and the players of tavli duel, with the nets {}.\n\n\
         [default: strong; sampled in mcgammon, whose goal no net has learned]",
        player_lines(&named::list_of_policies()),
        list_of_nets()
    ))]
    pub(crate) a: Option<String>,
    /// The opponent of A [default: you; you move first in even-numbered games]
    #[arg(value_name = "B")]
    pub(crate) b: Option<String>,
    /// Begin in this position, instead of at the start of a game
    ///
    /// The player on roll in the position begins, with its dice if it has some. The position's cube is used in a match
    /// that the position names, or with --money.
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true, conflicts_with = "save")]
    pub(crate) position: Option<String>,
    /// Number of the first game; further games count on
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    #[arg(help_heading = BACKGAMMON_HEADING)]
    first_game: u64,
    /// Play N games one after the other
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        allow_negative_numbers = true,
        value_parser = arguments::games,
        help_heading = BACKGAMMON_HEADING
    )]
    games: NonZeroU64,
    /// Play money games with the doubling cube
    #[arg(long, help_heading = BACKGAMMON_HEADING)]
    money: bool,
    /// The Jacoby rule: in money games, gammons count only once the cube has been turned
    #[arg(long, requires = "money", help_heading = BACKGAMMON_HEADING)]
    jacoby: bool,
    /// Play a match to N points with the doubling cube
    #[arg(long = "match", value_name = "N", allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["money", "jacoby", "games", "position"])]
    #[arg(value_parser = whole_in::<u16>(1..=CubeDuel::MAX_LENGTH.into()))]
    #[arg(help_heading = BACKGAMMON_HEADING)]
    length: Option<u16>,
    #[arg(long, value_name = "NAME|FILE")]
    #[arg(help = "Evaluator of the plays of a hint [default: strong+bearoff:6+bearoff:6x6; sampled in mcgammon]")]
    #[arg(long_help = format!(
        "Evaluator of the plays of a hint\n\n{},\n  or the file of a player\n\n\
         Other games have the evaluators of tavli evaluate.\n\n\
         Default:\n  \
         in backgammon: strong+bearoff:6+bearoff:6x6; sampled in mcgammon\n  \
         in plakoto and fevga: strong+bearoff:6+bearoff:6x6\n  \
         in draughts and tictactoe: a hint is the play of uct:100000",
        player_lines(&named::list_of_evaluators())
    ))]
    pub(crate) hints: Option<String>,
    /// Let a search resign if its best play wins less than SHARE of the games, and a gammon is impossible [default: 0,
    /// never]
    ///
    /// SHARE is 0 to 1. With this option the search maximises wins instead of points, so that its values are shares of
    /// won games.
    #[arg(long, value_name = "SHARE", default_value = "0", hide_default_value = true, allow_negative_numbers = true, value_parser = arguments::fraction)]
    #[arg(help_heading = BACKGAMMON_HEADING)]
    resign: f64,
    /// Seed of the random numbers, 0 to 18446744073709551615
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) endgames: Endgames,
    #[command(flatten)]
    pub(crate) game: GameOptions,
    #[command(flatten)]
    pub(crate) machine: WorkerOptions,
    #[command(flatten)]
    pub(crate) save: Save,
}

/// Runs the command for backgammon.
pub(crate) fn run(arguments: &PlayArguments) -> Result<(), Failure> {
    let rules = arguments.game.rule_set()?;
    let position = arguments
        .position
        .as_deref()
        .map(|text| Ok::<_, Failure>((text, arguments::position_argument(text, rules)?)))
        .transpose()?;
    let (text, position) = position.unzip();
    let named = position.map(|position| *position.context());
    let seat = |text: &str| text.parse::<Seat>().map_err(Failure::usage);
    let a = seat(arguments.a.as_deref().unwrap_or(Defaults::for_rules(rules).player))?;
    let seats = match &arguments.b {
        Some(b) => [a, seat(b)?],
        None => [Seat::Person, a],
    };
    let searches = |seat: &Seat| matches!(seat, Seat::Search(_));
    if arguments.resign > 0.0 && !seats.iter().any(searches) {
        return Err(Failure::usage(
            "--resign is for a search, and nobody here searches: name search or search:N as a player",
        ));
    }
    let is_person = |seat: &Seat| matches!(seat, Seat::Person);
    let hints = evaluator_of_option(HINTS_OPTION, arguments.hints.as_deref())?;
    let valued_by = or_default(hints.as_ref(), rules);
    let deciders = || Ok::<_, Failure>([decider(&seats[0], &valued_by)?, decider(&seats[1], &valued_by)?]);
    let (length, deciders) = match (arguments.length, arguments.money) {
        (None, false) => {
            let length = length_of(named.as_ref(), rules, arguments)?;
            // Players that give no probabilities play on without the cube.
            let with_cube = length.and_then(|length| Some((length, deciders().ok()?)));
            with_cube.unzip()
        }
        _ if rules == RuleSet::Hypergammon => {
            return Err(Failure::usage(
                "no efficiency of the cube is known for hypergammon: leave out --money or --match, and it is played without",
            ));
        }
        (length, _) => (length, Some(deciders()?)),
    };
    let decides = |seat: &Seat| deciders.is_some() && searches(seat);
    if arguments.hints.is_some() && !seats.iter().any(|seat| is_person(seat) || decides(seat)) {
        return Err(Failure::usage(
            "--hints is for a person, or for the cube of a search, and neither plays here: leave it out, or name me as a player",
        ));
    }
    if let (Some(text), Some(context)) = (text, &named) {
        for passed_over in passed_over(context, rules, deciders.is_some(), length.is_some()) {
            output::remark(format_args!("remark: '{}': {passed_over}", Quoted::new(text.trim())));
        }
    }
    let mut valuers: Vec<&str> = deciders.iter().flatten().map(|decider| decider.name()).collect();
    if arguments.a.is_none() || seats.iter().any(is_person) {
        valuers.push(valued_by.name());
    }
    valuers.sort_unstable();
    valuers.dedup();
    for name in valuers {
        remark_on_values(name, rules);
    }
    let start = arguments::or_start(position, rules);
    let first_roll = match named.map(|context| context.stage) {
        Some(TurnStage::Rolled(roll)) => FirstRoll::Given(roll),
        Some(_) => FirstRoll::Any,
        None => FirstRoll::Open,
    };
    let playouts = |start, first_roll| {
        let playouts = Playouts::new(start, rules, arguments.seed).map_err(Failure::usage)?;
        Ok::<Playouts, Failure>(playouts.with_first_roll(first_roll))
    };
    let first = playouts(start, first_roll)?;
    // In a match only the first game begins in the position; all money games do.
    let others = match length {
        Some(_) => playouts(rules.start(), FirstRoll::Open)?,
        None => first,
    };
    let games = match length {
        // The longest match, of single games only, has one game less.
        Some(length) => 2 * u64::from(length),
        None => arguments.games.get(),
    };
    let numbers = GameNumbersError::numbers(arguments.first_game, games).map_err(Failure::usage)?;
    let tier = arguments.machine.tier()?;
    let (workers, _) = arguments.machine.start()?;
    // Before the switch: a signal ends the process while the table of a decider is read.
    let cancel = interrupt::cancel_on_interrupt()?;
    let played = match length {
        Some(length) => Played::Match(length),
        None if arguments.money => Played::Money { jacoby: arguments.jacoby },
        None => Played::Cubeless,
    };
    let names = seats.each_ref().map(Seat::to_string);
    let mut saved = arguments.save.open(played, rules, names.clone())?;
    let names = told_apart(names);
    let hints = Evaluation::new(valued_by, rules);
    let mut output = output::stdout();
    let mut person = Person::default();
    // The difference of all points, and both players' points of a match.
    let (mut score, mut points_of) = (0_i64, [0_u16; 2]);
    let mut had_crawford = false;
    if let Some(context) = named.filter(|_| length.is_some()) {
        let begins = usize::from(!arguments.first_game.is_multiple_of(2));
        (points_of[begins], points_of[1 - begins]) = (context.score, context.opponent_score);
        had_crawford = context.is_one_away() && !context.is_crawford();
    }
    let play_all = || -> Result<(), Failure> {
        for number in numbers {
            let is_first = number == arguments.first_game;
            let of_position = named.filter(|_| is_first || length.is_none());
            let mut game = TerminalGame {
                playouts: if is_first { &first } else { &others },
                seats: &seats,
                names: &names,
                hints: &hints,
                resign: arguments.resign,
                cube: deciders.clone().map(|deciders| TableCube { length, deciders }),
                state: match length {
                    Some(length) => match_cube(length, of_position.as_ref(), number, points_of, &mut had_crawford),
                    None => money_cube(arguments.jacoby, of_position.as_ref()),
                },
                tier,
                workers: &workers,
                cancel: &cancel,
                person: &mut person,
                output: &mut output,
                actions: GameActions::new(),
            };
            let ended = game.play(number);
            if let Some(saved) = &mut saved {
                let result = match ended {
                    Ok(End::Points(points)) => Some((usize::from(points < 0), points_won(points))),
                    _ => None,
                };
                saved.game(&game.actions, result);
            }
            match ended? {
                End::Points(points) => {
                    score += i64::from(points);
                    if let Some(length) = length {
                        let winner = usize::from(points < 0);
                        let won = points_won(points);
                        points_of[winner] = points_of[winner].saturating_add(won);
                        let ([a, b], [of_a, of_b]) = (&names, points_of);
                        writeln!(output, "match to {length}: {a} {of_a}, {b} {of_b}\n")?;
                        if points_of[winner] >= length {
                            writeln!(output, "{} won the match", names[winner])?;
                            break;
                        }
                    }
                }
                End::Left => break,
            }
            if arguments.games.get() > 1 {
                let [a, b] = &names;
                writeln!(output, "score: {a} {score:+}, {b} {:+}\n", -score)?;
            }
        }
        Ok(())
    };
    let ended = play_all();
    // A terminal that is closed ends the games, and loses none.
    saved.map_or(Ok(()), |saved| saved.finish(0)).and(ended)
}

/// The points of a winner.
fn points_won(points: i32) -> u16 {
    u16::try_from(points.unsigned_abs()).unwrap_or(u16::MAX)
}

/// The length of the match that is played on from a position, if the position is from a match.
fn length_of(named: Option<&Context>, rules: RuleSet, arguments: &PlayArguments) -> Result<Option<u16>, Failure> {
    let Some(Stakes::Match { length, .. }) = named.map(|context| context.stakes) else {
        return Ok(None);
    };
    if arguments.money || rules == RuleSet::Hypergammon {
        return Ok(None);
    }
    if arguments.games.get() > 1 {
        return Err(Failure::usage(
            "--games is for separate games, but the position is from a match: leave one of them out",
        ));
    }
    if length > CubeDuel::MAX_LENGTH {
        return Err(Failure::usage(format_args!(
            "the position is from a match to {length}, and matches to at most {} are played: change its length",
            CubeDuel::MAX_LENGTH
        )));
    }
    Ok(Some(length))
}

/// Remarks on the parts of a position that the game passes over.
fn passed_over(context: &Context, rules: RuleSet, is_cubeful: bool, is_match: bool) -> Vec<&'static str> {
    let is_of_match = matches!(context.stakes, Stakes::Match { .. });
    let mut passed_over = Vec::new();
    if is_of_match && !is_match {
        passed_over.push("its match and score are ignored: a single game is played");
    }
    if !is_cubeful && context.cube.log2 > 0 {
        passed_over.push(match rules {
            RuleSet::Hypergammon => "its cube is ignored, since hypergammon is played without",
            _ => "its cube is ignored: --money plays with it, between players that give probabilities",
        });
    }
    if is_cubeful && matches!(context.stakes, Stakes::Money { beavers: true, .. }) {
        passed_over.push("nobody beavers here");
    }
    if matches!(context.stage, TurnStage::Doubled | TurnStage::Beavered | TurnStage::Raccooned)
        || context.resignation.is_some()
    {
        passed_over.push("what is offered in it is ignored: the player on roll has his turn before it");
    }
    passed_over
}

/// The cube at the beginning of a money game, as the player on roll sees it, taken from the position in which it
/// begins.
fn money_cube(jacoby: bool, named: Option<&Context>) -> CubeState {
    let Cube { log2, owner, max_log2 } = named.map(|context| context.cube).unwrap_or_default();
    let is_named = named.is_some_and(|context| matches!(context.stakes, Stakes::Money { jacoby: true, .. }));
    CubeState { log2, max_log2, owner, stakes: cube::Stakes::Money { jacoby: jacoby || is_named, beavers: false } }
}

/// The cube at the beginning of a game of a match, as the player on roll sees it: A in games of even numbers.
fn match_cube(
    length: u16,
    named: Option<&Context>,
    number: u64,
    points: [u16; 2],
    had_crawford: &mut bool,
) -> CubeState {
    let begins = usize::from(!number.is_multiple_of(2));
    let score = cube::Score::in_game([begins, 1 - begins].map(|player| length - points[player]), *had_crawford);
    *had_crawford |= score.crawford;
    CubeState { stakes: cube::Stakes::Match(score), ..money_cube(false, named) }
}
