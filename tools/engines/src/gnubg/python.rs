//! `tavli gnubg -p FILE`: scripts that GNU Backgammon runs by its Python module `gnubg`.
//!
//! The interpreter is the one on the PATH, and takes the place of this process. It runs `module.py`, which defines the
//! functions for scripts and then runs the script. Each function asks a separate process, `tavli gnubg -C`: a line of
//! JSON with a name and arguments, answered by a line with the text that was printed, a value, or an error.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{env, mem, thread};

use crossbeam_channel::bounded;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tavli::cube::{self, Action as CubeAction, CubeState, MatchEquityTable};
use tavli::engine::Engine;
use tavli::evaluation::RankedPlay;
use tavli::evaluators::Probabilities;
use tavli::net::MoveFilter;
use tavli::plays::Moves;
use tavli::run::Cancel;
use tavli::transcript::{Action, Analysed, DecisionKind, MatchGame, Step};
use tavli::{Board, Context, Cube, GameState, MoveFilters, Position, Roll, Seat, Side, Stakes, TurnStage};
use tavli_terminal::failure::Failure;
use tavli_terminal::line_reader::{Input, NextLine};
use tavli_terminal::output::{self, Printable};

use super::session::Session;
use super::texts::{other_seat, words};
use crate::MAX_PLIES;
use crate::statistics;

/// The module, which also runs the script.
const MODULE: &str = include_str!("module.py");
/// The names of the interpreter; the first one found is run.
const INTERPRETERS: [&str; 2] = ["python3", "python"];
/// The length of the match equity table for money.
const MONEY_TABLE_LENGTH: u16 = 64;
/// The right actions with the cube, in the order of GNU Backgammon's numbers.
const ACTIONS: [CubeAction; 18] = [
    CubeAction::DoubleTake,
    CubeAction::DoublePass,
    CubeAction::NoDoubleTake,
    CubeAction::TooGoodTake,
    CubeAction::TooGoodPass,
    CubeAction::DoubleBeaver,
    CubeAction::NoDoubleBeaver,
    CubeAction::RedoubleTake,
    CubeAction::RedoublePass,
    CubeAction::NoRedoubleTake,
    CubeAction::TooGoodToRedoubleTake,
    CubeAction::TooGoodToRedoublePass,
    CubeAction::NoRedoubleBeaver,
    CubeAction::DeadCube,
    CubeAction::DeadOwnCube,
    CubeAction::NotAvailable,
    CubeAction::OptionalDouble,
    CubeAction::OptionalRedouble,
];

/// The checkers of the opponent and of the player on roll: on the points 1 to 24 and the bar.
type Counts = [[u8; 25]; 2];

/// The cube and the score as the module has them: players are 0 (top) and 1.
#[derive(Deserialize)]
struct CubeInfo {
    cube: u32,
    cubeowner: i8,
    r#move: u8,
    matchto: u16,
    score: [u16; 2],
    #[serde(default)]
    crawford: u8,
    #[serde(default)]
    jacoby: u8,
    #[serde(default)]
    beavers: u8,
}

/// The position and the settings of a call, in place of the session's.
#[derive(Deserialize)]
struct CallContext {
    board: Option<Counts>,
    cubeinfo: Option<CubeInfo>,
    dice: Option<[u8; 2]>,
    plies: Option<u32>,
    #[serde(default = "yes")]
    cubeful: u8,
}

fn yes() -> u8 {
    1
}

/// Runs a script in the place of this process.
pub(super) fn run(script: &Path, banner: &str) -> Result<(), Failure> {
    let failure = |error: &io::Error| Failure::usage(format_args!("-p {}: {error}", script.display()));
    File::open(script).map_err(|error| failure(&error))?;
    let engine = env::current_exe().map_err(|error| failure(&error))?;
    let mut arguments: Vec<_> = env::args_os().skip(1).collect();
    if arguments.first().is_none_or(|first| first != "gnubg") {
        arguments.insert(0, "gnubg".into());
    }
    let mut output = output::raw_stdout();
    output.write_all(banner.as_bytes())?;
    output.flush()?;
    for interpreter in INTERPRETERS {
        let mut command = Command::new(interpreter);
        command.arg("-c").arg(MODULE).arg(script).arg(&engine).args(&arguments).arg("-C");
        let error = in_place(&mut command);
        if error.kind() != io::ErrorKind::NotFound {
            return Err(Failure::run(format_args!("cannot run {interpreter}: {error}")));
        }
    }
    Err(Failure::run(format_args!(
        "-p {}: there is no Python interpreter, {}, on the PATH: install Python 3, or send commands by -c FILE",
        script.display(),
        INTERPRETERS.join(" or ")
    )))
}

/// Puts a program in the place of this process, so that signals and the exit status are the program's. Returns only if
/// the program cannot be run.
#[cfg(unix)]
fn in_place(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

#[cfg(not(unix))]
fn in_place(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// Answers calls until their end.
pub(super) fn answer(session: &mut Session, cancel: &Cancel) -> Result<(), Failure> {
    let lines = Input::open(Path::new("-"))?.read()?;
    let mut output = output::raw_stdout();
    while !cancel.is_cancelled() {
        let line = match lines.next(|| cancel.is_cancelled())? {
            NextLine::Line(line) => line,
            NextLine::End | NextLine::Idle => break,
        };
        let answered = thread::scope(|scope| {
            let (busy, done) = bounded(0);
            let lines = &lines;
            // If the script is gone, its calls need no answers.
            let watch = thread::Builder::new().spawn_scoped(scope, move || {
                if matches!(lines.next_before(&done, Duration::MAX), Ok(NextLine::End)) {
                    cancel.cancel();
                }
            });
            let watch = watch.map_err(Failure::thread)?;
            let answered = match serde_json::from_slice::<(String, Value)>(&line) {
                Ok((name, arguments)) => session.call(&name, arguments, cancel),
                Err(error) => Err(error.to_string()),
            };
            drop(busy);
            watch.join().expect("watching does not panic");
            Ok::<_, Failure>(answered)
        })?;
        let mut text = Printable::new(Vec::new());
        text.write_all(&mem::take(&mut session.output))?;
        let text = String::from_utf8_lossy(&text.into_inner()).into_owned();
        let (value, error) = match answered {
            Ok(value) => (value, None),
            Err(error) => (Value::Null, Some(error)),
        };
        writeln!(output, "{}", json!({"text": text, "value": value, "error": error}))?;
        output.flush()?;
    }
    Ok(())
}

impl Session {
    fn call(&mut self, name: &str, arguments: Value, cancel: &Cancel) -> Result<Value, String> {
        let text = || arguments["text"].as_str().unwrap_or_default().to_owned();
        match name {
            "command" => {
                let text = text();
                let words: Vec<&str> = words(&text).collect();
                self.obey(&words, cancel).map(Value::from).map_err(|error| error.to_string())
            }
            "plies" => Ok(self.engine.plies().into()),
            "state" => Ok(self.position.as_ref().map_or(Value::Null, state)),
            "identify" => {
                let about: CallContext = read(arguments)?;
                let position = self.position_of_call(&about)?;
                Ok(json!({"position": position.position_id().to_string(), "match": position.match_id().to_string()}))
            }
            "board" => {
                let position: Position = text().parse().map_err(|error: tavli::PositionError| error.to_string())?;
                Ok(json!(counts(position.board())))
            }
            "evaluate" => {
                let about: CallContext = read(arguments)?;
                evaluation(&self.engine_of(&about)?, &self.position_of_call(&about)?)
            }
            "plays" => {
                let about: CallContext = read(arguments)?;
                let position = self.position_of_call(&about)?;
                let roll = match about.dice {
                    Some([high, low]) => Some(Roll::new(high, low).map_err(|error| error.to_string())?),
                    None => position.roll(),
                };
                let roll = roll.ok_or("the dice are not rolled")?;
                let engine = self.engine_of(&about)?;
                let ranked = engine.plays(&position, roll).map_err(|error| error.to_string())?;
                Ok(ranked.plays.iter().map(play).collect())
            }
            "moves" => written(&arguments).ok_or_else(|| "these are the moves of no roll".to_owned()),
            "match" => self.matched(arguments["analysis"] == json!(1), arguments["statistics"] == json!(1)),
            "navigate" => Ok(self.navigate(arguments["game"].as_i64(), arguments["next"].as_i64())),
            "table" => {
                let length =
                    arguments["length"].as_u64().map(|length| length.clamp(1, MONEY_TABLE_LENGTH.into()) as u16);
                let own = match self.position.map(|position| position.context().stakes) {
                    Some(Stakes::Match { length, .. }) => length.min(MONEY_TABLE_LENGTH),
                    _ => MONEY_TABLE_LENGTH,
                };
                Ok(table(length.unwrap_or(own)))
            }
            "prices" => {
                let about: CallContext = read(arguments)?;
                prices(&self.position_of_call(&about)?)
            }
            "filters" => Ok(filters()),
            "rollouts" => Ok(json!([self.rollouts.trials, self.rollouts.seed])),
            "ends" => {
                let about: CallContext = read(arguments)?;
                let position = self.position_of_call(&about)?;
                let state = CubeState::from_context(position.context()).map_err(|error| error.to_string())?;
                let values = cube::model(position.board()).gammon_values(&state);
                Ok(values.map_or(Value::Null, |values| json!([values.lose, values.win])))
            }
            _ => Err(format!("there is no call {name}")),
        }
    }

    /// The engine with the settings of a call.
    fn engine_of(&mut self, about: &CallContext) -> Result<Engine, String> {
        // Workers share the look-ahead. Without them the values are the same and take longer.
        if about.plies.is_some_and(|plies| plies > 0) {
            let _ = self.start_workers();
        }
        let mut engine = self.engine.clone();
        if let Some(plies) = about.plies.filter(|plies| *plies != engine.plies()) {
            engine.set_plies(plies.min(MAX_PLIES)).map_err(|error| error.to_string())?;
        }
        engine.set_cubeful(about.cubeful != 0);
        Ok(engine)
    }

    fn position_of_call(&self, about: &CallContext) -> Result<Position, String> {
        let given = match &about.cubeinfo {
            Some(info) => Some(info.context()?),
            None => None,
        };
        if self.position.is_none() && about.board.is_none() {
            return Err("there is no game in progress".to_owned());
        }
        let current = self.position.unwrap_or_default();
        let board = match &about.board {
            Some(counts) => read_board(counts)?,
            None => *current.board(),
        };
        let mut context = given.unwrap_or(*current.context());
        if let Some([high, low]) = about.dice {
            context.stage = Roll::new(high, low).map_or(TurnStage::ToRoll, TurnStage::Rolled);
        }
        context.decision = context.awaited();
        Position::new(board, context).map_err(|error| error.to_string())
    }

    /// Goes to the beginning, or on by `game` games or `next` steps; returns the part of the way that lies beyond the
    /// ends of the match.
    fn navigate(&mut self, game: Option<i64>, next: Option<i64>) -> Value {
        let Some(played) = &self.played else {
            return Value::Null;
        };
        let (mut to, mut left) = (self.at, (0, 0));
        match (game, next) {
            (None, None) => to = (0, 0),
            _ => {
                let last = played.games.len() as i64 - 1;
                if let Some(games) = game {
                    let wanted = to.0 as i64 + games;
                    to = (wanted.clamp(0, last) as usize, 0);
                    left.1 = wanted - to.0 as i64;
                }
                let lengths: Vec<i64> = played.games.iter().map(|game| game.steps.len() as i64).collect();
                let begun: i64 = lengths[..to.0].iter().sum();
                let all: i64 = lengths.iter().sum();
                let wanted = begun + to.1 as i64 + next.unwrap_or(0);
                let mut at = wanted.clamp(0, (all - 1).max(0));
                left.0 = wanted - at;
                if next.is_some() {
                    to.0 = 0;
                    while at >= lengths[to.0] {
                        at -= lengths[to.0];
                        to.0 += 1;
                    }
                    to.1 = at as usize;
                }
            }
        }
        self.go_to(to);
        if left == (0, 0) { Value::Null } else { json!([left.0, left.1]) }
    }

    /// The match with its games and its analysis.
    fn matched(&self, analysed: bool, with_statistics: bool) -> Result<Value, String> {
        let Some(played) = &self.played else {
            return Ok(Value::Null);
        };
        let analysis = self.analysis.as_ref().filter(|_| analysed);
        let mut games = Vec::new();
        for (number, game) in played.games.iter().enumerate() {
            let mut actions = Vec::new();
            for (index, step) in game.steps.iter().enumerate() {
                let of_step = |kind| {
                    let decisions = analysis.into_iter().flat_map(|analysis| &analysis.decisions);
                    decisions
                        .into_iter()
                        .find(|decision| (decision.game, decision.step, decision.kind) == (number, index, kind))
                };
                let decisions = [DecisionKind::Play, DecisionKind::Double, DecisionKind::Take].map(of_step);
                let mut action = done(step);
                if let Some(analysis) = self.analysed(step, decisions)? {
                    action["analysis"] = analysis;
                }
                actions.push(action);
            }
            if game.is_resigned()
                && let Some((winner, points)) = game.winner
            {
                actions.push(json!({"action": "resign", "player": letter(1 - winner), "points": points}));
            }
            games.push(json!({"info": info(game), "game": actions}));
        }
        let names = &played.players;
        let mut document = json!({
            "match-info": {
                "X": {"name": names[0]},
                "O": {"name": names[1]},
                "match-length": played.length.unwrap_or(0),
                "result": 0,
                "variation": "Standard",
                "rules": if played.length.is_some() { vec!["Crawford"] } else { vec![] },
            },
            "games": games,
        });
        if let (Some(analysis), true) = (analysis, with_statistics) {
            for (number, game) in document["games"].as_array_mut().into_iter().flatten().enumerate() {
                game["stats"] = statistics::numbers(analysis, Some(number));
            }
            document["stats"] = statistics::numbers(analysis, None);
        }
        Ok(document)
    }

    /// The analysis of a step, from the decisions of its play, its double and its take.
    fn analysed(&self, step: &Step, decisions: [Option<&Analysed>; 3]) -> Result<Option<Value>, String> {
        let [of_play, of_double, of_take] = decisions;
        let mut values = Map::new();
        if let Some(decision) = of_double.or(of_take) {
            let value = evaluation(&self.engine, &step.position.before_roll())?;
            values.insert("probs".to_owned(), value["probs"].clone());
            let state = CubeState::from_context(step.position.context()).ok();
            let ends = state.and_then(|state| cube::model(step.position.board()).gammon_values(&state));
            // In matches, equities become chances to win the match.
            let chance = |equity: &Value| match (&ends, equity.as_f64()) {
                (Some(ends), Some(equity)) => {
                    f64::midpoint(ends.lose, ends.win) + equity * (ends.win - ends.lose) / 2.0
                }
                (_, equity) => equity.unwrap_or_default(),
            };
            values.insert("nd-cubeful-eq".to_owned(), chance(&value["no_double"]).into());
            values.insert("dt-cubeful-eq".to_owned(), chance(&value["take"]).into());
            values.insert("type".to_owned(), "eval".into());
            if let Some(mark) = statistics::mark(decision.loss) {
                values.insert("skill".to_owned(), mark.into());
            }
        }
        if let (Some(decision), Action::Play { roll, after }) = (of_play, step.action) {
            let ranked = self.engine.plays(&step.position, roll).map_err(|error| error.to_string())?;
            let made = ranked.plays.iter().position(|play| play.play.board == after);
            let moves: Vec<Value> = ranked.plays.iter().map(play).collect();
            values.insert("moves".to_owned(), moves.into());
            values.insert("imove".to_owned(), made.into());
            values.insert("luck-value".to_owned(), decision.luck.into());
            if let Some(mark) = statistics::mark(decision.loss) {
                values.insert("skill".to_owned(), mark.into());
            }
        }
        Ok((!values.is_empty()).then(|| values.into()))
    }
}

impl CubeInfo {
    fn context(&self) -> Result<Context, String> {
        let seat = seat(self.r#move);
        let log2 = self.cube.checked_ilog2().filter(|_| self.cube.is_power_of_two());
        let log2 = log2.ok_or_else(|| format!("a cube is a power of 2, and not {}", self.cube))? as u8;
        let owner = u8::try_from(self.cubeowner).ok().map(|owner| match self::seat(owner) == seat {
            true => Side::OnRoll,
            false => Side::Opponent,
        });
        let [top, bottom] = self.score;
        let (score, opponent_score) = if seat == Seat::Top { (top, bottom) } else { (bottom, top) };
        Ok(Context {
            seat,
            cube: Cube { log2, owner, max_log2: log2.max(Cube::default().max_log2) },
            stakes: match self.matchto {
                0 => Stakes::Money { jacoby: self.jacoby != 0, beavers: self.beavers != 0 },
                length => Stakes::Match { length, crawford: self.crawford != 0 },
            },
            score,
            opponent_score,
            ..Context::default()
        })
    }
}

fn seat(player: u8) -> Seat {
    if player == 0 { Seat::Top } else { Seat::Bottom }
}

/// The letter of a player of a match: X is the first.
fn letter(player: usize) -> &'static str {
    ["X", "O"][player]
}

fn read<T: for<'a> Deserialize<'a>>(arguments: Value) -> Result<T, String> {
    serde_json::from_value(arguments).map_err(|error| error.to_string())
}

fn counts(board: &Board) -> Counts {
    [board.opponent(), board.own()].map(|side| std::array::from_fn(|index| side.count(index as u8 + 1)))
}

fn read_board(counts: &Counts) -> Result<Board, String> {
    let [other, own] = counts.map(|counts| std::array::from_fn(|point| if point == 0 { 0 } else { counts[point - 1] }));
    Board::new(&own, &other).map_err(|error| error.to_string())
}

/// The position with its cube, score and dice as the module has them.
fn state(position: &Position) -> Value {
    let context = position.context();
    let number = |seat| u8::from(seat == Seat::Bottom);
    let (length, crawford, jacoby, beavers) = match context.stakes {
        Stakes::Money { jacoby, beavers } => (0, false, jacoby, beavers),
        Stakes::Match { length, crawford } => (length, crawford, false, false),
    };
    let score = match context.seat {
        Seat::Top => [context.score, context.opponent_score],
        Seat::Bottom => [context.opponent_score, context.score],
    };
    let owner = context.cube.owner.map(|owner| match owner {
        Side::OnRoll => context.seat,
        Side::Opponent => other_seat(context.seat),
    });
    let dice = position.roll().map_or([0, 0], |roll| [roll.high(), roll.low()]);
    json!({
        "board": counts(position.board()),
        "posinfo": {
            "dice": dice,
            "turn": number(context.seat),
            "resigned": context.resignation.map_or(0, |win| win as u8),
            "doubled": u8::from(matches!(context.stage, TurnStage::Doubled)),
            "gamestate": context.state as u8,
        },
        "cubeinfo": {
            "cube": 1_u32 << context.cube.log2,
            "cubeowner": owner.map_or(-1, |owner| i32::from(number(owner))),
            "move": number(context.seat),
            "matchto": length,
            "score": score,
            "crawford": u8::from(crawford),
            "jacoby": u8::from(jacoby),
            "beavers": u8::from(beavers),
            "bgv": 0,
        },
        "playing": context.state == GameState::Playing,
    })
}

fn probabilities(value: &Probabilities) -> [f64; 5] {
    [1, 2, 3, -2, -3].map(|points| value.at_least(points))
}

/// The value of a position before the roll, with the cube and without it.
fn evaluation(engine: &Engine, position: &Position) -> Result<Value, String> {
    let decision = engine.value(&position.before_roll()).map_err(|error| error.to_string())?;
    let decision = decision.ok_or("interrupted")?;
    let mut value = json!({
        "probs": probabilities(&decision.value),
        "equity": decision.value.equity(),
    });
    if let Some(cube) = decision.cube {
        let available = cube.action.may_double();
        value["best"] = if available { cube.best() } else { cube.no_double }.into();
        value["no_double"] = cube.no_double.into();
        value["take"] = cube.double_take.into();
        value["drop"] = cube.double_pass.into();
        value["number"] = ACTIONS.iter().position(|action| *action == cube.action).into();
        value["text"] = cube.action.text().into();
    }
    Ok(value)
}

/// The steps of moves as pairs of points.
fn pairs(moves: &Moves) -> Vec<[u8; 2]> {
    moves.steps().iter().map(|step| [step.from, step.to]).collect()
}

fn play(play: &RankedPlay) -> Value {
    json!({
        "text": play.play.moves.to_string(),
        "move": pairs(&play.play.moves),
        "probs": probabilities(&play.play.value),
        "score": play.equity(),
        "plies": play.play.plies,
        "type": "eval",
    })
}

/// Steps in words.
fn written(arguments: &Value) -> Option<Value> {
    let steps: Vec<[u8; 2]> = read(arguments["steps"].clone()).ok()?;
    let board = read_board(&read(arguments["board"].clone()).ok()?).ok()?;
    let mut after = board;
    for &[from, to] in &steps {
        after.move_checker(from, to).ok()?;
    }
    let after = after.swapped();
    // The caller does not name the roll, which makes no difference to the words.
    let mut moves = Roll::ALL.iter().filter_map(|roll| Moves::between(&board, *roll, &after));
    let moves = moves.find(|moves| moves.steps().len() == steps.len())?;
    Some(moves.to_string().into())
}

/// The action of a step.
fn done(step: &Step) -> Value {
    let player = letter(step.player);
    let board = step.position.position_id().to_string();
    match step.action {
        Action::Double => json!({"action": "double", "player": player, "board": board}),
        Action::Take => json!({"action": "take", "player": player}),
        Action::Pass => json!({"action": "drop", "player": player}),
        Action::Play { roll, .. } => json!({
            "action": "move",
            "player": player,
            "board": board,
            "dice": [roll.high(), roll.low()],
            "move": pairs(&step.moves().unwrap_or_default()),
        }),
    }
}

/// The score before a game, and its end.
fn info(game: &MatchGame) -> Value {
    let mut info = json!({"score-X": game.score[0], "score-O": game.score[1], "winner": null});
    if let Some((winner, points)) = game.winner {
        info["winner"] = letter(winner).into();
        info["points-won"] = points.into();
        info["resigned"] = game.is_resigned().into();
    }
    info
}

/// The prices of a gammon and of a backgammon for both players: the gain over a single game and over a gammon, in units
/// of half the gain of winning a single game instead of losing it. Scripts ask for them in matches only.
fn prices(position: &Position) -> Result<Value, String> {
    let state = CubeState::from_context(position.context()).map_err(|error| error.to_string())?;
    let model = cube::model(position.board());
    let after = |points: i32| model.value_of_end(points, &state);
    let middle = (after(1) + after(-1)) / 2.0;
    let of = |sign: i32| {
        let [single, gammon, backgammon] = [1, 2, 3].map(|points| after(sign * points) - middle);
        [gammon / single - 1.0, (backgammon - gammon) / single]
    };
    let (own, other) = (of(1), of(-1));
    Ok(match position.context().seat {
        Seat::Top => json!([own, other]),
        Seat::Bottom => json!([other, own]),
    })
}

/// The move filters of each number of plies, as GNU Backgammon's module lists them.
fn filters() -> Value {
    let filters = MoveFilters::default();
    let filter = |(plies, level): (u32, u32)| match filters.filter(level) {
        Some(MoveFilter { plays, margin }) => {
            json!({"ply": plies, "level": level, "acceptmoves": 0, "extramoves": plays, "threshold": margin})
        }
        None => json!({"ply": plies, "level": level, "acceptmoves": -1, "extramoves": 0, "threshold": 0.0}),
    };
    (1..=MAX_PLIES).flat_map(|plies| (0..plies).map(move |level| (plies, level))).map(filter).collect()
}

/// The chances to win a match: before the Crawford game by the points that both need, and after it.
fn table(length: u16) -> Value {
    let table = MatchEquityTable::kazaross_xg2();
    let away = 1..=length;
    let before: Vec<Vec<f64>> =
        away.clone().map(|own| away.clone().map(|other| table.before_crawford(own, other)).collect()).collect();
    let after = [0, 1].map(|player| away.clone().map(|own| table.after_crawford(player, own)).collect::<Vec<f64>>());
    json!([before, after[0], after[1]])
}
