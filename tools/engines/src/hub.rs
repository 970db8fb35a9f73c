//! `tavli hub`: English draughts by the Hub protocol of Scan, version 2, on standard input and output.
//!
//! A position is the side to move and 32 squares. The protocol comes from draughts in which White begins, so W is the
//! side that began the game: Black in English draughts, as pydraughts has it. The letters of pieces are their colours.
//! A capture is its first and last square, and the squares of the pieces taken.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tavli::Stopped;
use tavli::draughts::{Draughts, Play, Position, PositionError, Rules, Side, Square, move_sequences, plays};
use tavli::games::SolvedPositions;
use tavli::run::{Cancel, Workers};
use tavli::search::{
    AgentContext, AlphaBeta, Budget, GameHeuristic, GameWithTables, Heuristic, Nets, Search, SearchSettings,
    TablesAndHeavyPlayouts,
};
use tavli::text::Quoted;
use tavli::{NO_STOP, Tier};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;

use super::frontend::{Frontend, LineAction, Stops, say};
use crate::Machine;

/// The answer to `ping`.
const PONG: &str = "pong";
/// The most choices that a search looks ahead.
const MAX_DEPTH: u32 = 64;
/// The default number of moves that share a time.
const DEFAULT_MOVES: f64 = 30.0;
/// The time of a move without a level.
const DEFAULT_SECONDS: f64 = 1.0;
/// The longest time of a move with a limit, and the most moves that share a time.
const MAX_SECONDS: f64 = 1e6;
const MAX_MOVES: u64 = 1_000_000;

/// What a session begins with.
#[derive(Debug)]
pub struct HubSettings<'a> {
    /// The evaluator of level depth, by its place among the game's evaluators.
    pub evaluator: usize,
    /// Solved endgames.
    pub endgames: Option<Arc<dyn SolvedPositions<Position>>>,
    /// The seed of the searches.
    pub seed: u64,
    /// The tier that code runs on.
    pub tier: Tier,
    /// The machine that searches run on.
    pub machine: &'a dyn Machine,
}

/// When the search for a move ends: at the first of these limits, or when the frontend says stop.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Level {
    /// Choices looked ahead, by alpha-beta.
    depth: Option<u32>,
    /// Simulations; with a depth, positions valued.
    nodes: Option<u64>,
    time: Option<Duration>,
}

impl Level {
    /// Until the frontend says stop.
    const INFINITE: Level = Level { depth: None, nodes: None, time: None };
}

/// An evaluator that counts the positions it values.
#[derive(Debug)]
struct CountingEvaluator {
    evaluator: GameHeuristic<Draughts>,
    count: AtomicU64,
}

impl Heuristic<Position> for CountingEvaluator {
    fn most(&self) -> i64 {
        self.evaluator.most()
    }

    fn values(&self, positions: &[Position], values: &mut [i64], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        // Checked at each position: alpha-beta itself checks `stop` every 256.
        if stop() {
            return Err(Stopped);
        }
        self.count.fetch_add(positions.len() as u64, Ordering::Relaxed);
        self.evaluator.values(positions, values, stop)
    }
}

/// The reaction to a line.
enum Reaction {
    /// These lines are written.
    Lines(Vec<String>),
    /// A move is looked for.
    Move(Position, Level),
    /// The session ends.
    Quit,
}

/// The state between lines.
struct Session {
    context: AgentContext<Position>,
    evaluator: usize,
    seed: u64,
    workers: Workers,
    /// `None` after a `pos` that was refused.
    position: Option<Position>,
    /// `None` after a `level` that was refused.
    level: Option<Level>,
}

/// Runs a session.
pub fn run(settings: HubSettings<'_>) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    let workers = settings.machine.start(None)?;
    let mut session = Session {
        context: AgentContext {
            rules: "english".to_owned(),
            tier: settings.tier,
            tables: settings.endgames,
            nets: Nets::new(),
        },
        evaluator: settings.evaluator,
        seed: settings.seed,
        workers,
        position: Some(Position::START),
        level: Some(Level { time: Some(Duration::from_secs_f64(DEFAULT_SECONDS)), ..Level::INFINITE }),
    };
    let mut frontend = Frontend::open(Path::new("-"), &cancel)?;
    while let Some(line) = frontend.next()? {
        let answer = match session.ask(&line.text) {
            Ok(Reaction::Quit) => break,
            Ok(Reaction::Lines(answer)) => answer,
            Ok(Reaction::Move(..)) if line.was_cancelled_by_stop => {
                vec!["error message=\"stop came before this go had begun: send it again\"".to_owned()]
            }
            Ok(Reaction::Move(position, level)) => session.think(&position, level, &mut frontend, &cancel.child())?,
            Err(message) => vec![format!("error message=\"{message}\"")],
        };
        for line in answer {
            say(&line)?;
        }
    }
    Ok(())
}

/// The arguments of a line: `name=value`, with quotes around a value that has blanks, or a name alone.
fn fields(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut fields: Vec<(&str, &str)> = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let name = &rest[..end];
        rest = &rest[end..];
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            (value, rest) = match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').ok_or_else(|| {
                    let value = shown(quoted);
                    format!("{}= has no quote after '{value}': write one", shown(name))
                })?,
                None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
            };
        }
        if fields.iter().any(|field| field.0 == name) {
            return Err(format!("'{}' is given twice: name it once", shown(name)));
        }
        fields.push((name, value));
        rest = rest.trim_start();
    }
    Ok(fields)
}

/// A text as part of a message, without the quotes that would end it.
fn shown(text: &str) -> String {
    unquoted(text, 60)
}

/// A text of at most `most` characters, without the quotes that would end a message.
fn unquoted(text: &str, most: usize) -> String {
    Quoted::new(text).within(most).to_string().replace('"', "'")
}

/// A position as the protocol writes it.
fn read_position(text: &str) -> Result<Position, String> {
    let wrong = || {
        let text = shown(text);
        format!("'{text}' is not a position: write W or B for the side that began or the other, and 32 of b B w W e")
    };
    let mut letters = text.chars();
    let side = match letters.next() {
        Some('W') => Side::Black,
        Some('B') => Side::White,
        _ => return Err(wrong()),
    };
    let (mut black, mut white, mut kings) = (0, 0, 0);
    let mut number = 0;
    for letter in letters {
        number += 1;
        let set = Square::new(number).ok_or_else(wrong)?.set();
        match letter {
            'e' => continue,
            'b' | 'B' => black |= set,
            'w' | 'W' => white |= set,
            _ => return Err(wrong()),
        }
        if letter.is_uppercase() {
            kings |= set;
        }
    }
    match number {
        32 => Position::new(black, white, kings, side, 0).map_err(|error| match error {
            // The error's own remedy is for a FEN.
            PositionError::ManOnLastRow { side, square } => {
                let king = if side == Side::Black { 'B' } else { 'W' };
                format!("{side} has a man on square {square}, where it would be a king: write {king}")
            }
            error => error.to_string(),
        }),
        _ => Err(wrong()),
    }
}

/// The pieces that a play takes, by their squares.
fn taken(position: &Position, play: &Play) -> impl Iterator<Item = Square> + use<> {
    let other = position.side().other();
    Square::all(position.pieces(other) & !play.position.pieces(other))
}

/// A play as the protocol writes it.
fn move_text(position: &Position, play: &Play) -> String {
    let squares = play.moves.squares();
    let (from, to) = (squares[0], squares[squares.len() - 1]);
    let mut text = format!("{from}{}{to}", if play.moves.is_capture() { 'x' } else { '-' });
    for square in taken(position, play) {
        text += &format!("x{square}");
    }
    text
}

/// The play that a text names, by the protocol or by PDN.
fn read_move(position: &Position, text: &str) -> Result<Play, String> {
    let numbers: Option<Vec<u32>> = text.split(['-', 'x']).map(|number| number.parse().ok()).collect();
    if let Some([from, to, over @ ..]) = numbers.as_deref() {
        let mut over = over.to_vec();
        over.sort_unstable();
        // `plays` lists one of several ways that take the same pieces.
        for way in move_sequences(position, Rules::ENGLISH) {
            let squares = way.moves.squares();
            let ends = [squares[0], squares[squares.len() - 1]].map(Square::number);
            let mut taken: Vec<u32> = taken(position, &way).map(Square::number).collect();
            taken.sort_unstable();
            if ends == [*from, *to] && taken == over {
                return Ok(way);
            }
        }
    }
    // The error lists all plays.
    Play::read(text, position, Rules::ENGLISH).map_err(|error| unquoted(&error.to_string(), 1000))
}

/// The position of `pos`, after its moves.
fn position_after(text: &str) -> Result<Position, String> {
    let mut position = Position::START;
    let fields = fields(text)?;
    if fields.is_empty() {
        return Err("pos names no position: write start, pos= or moves=".to_owned());
    }
    for (name, value) in fields {
        match name {
            "start" => position = Position::START,
            "pos" => position = read_position(value)?,
            "moves" => {
                for text in value.split_whitespace() {
                    position = read_move(&position, text)?.position;
                }
            }
            _ => return Err(format!("pos has pos= and moves=, not '{}'", shown(name))),
        }
    }
    Ok(position)
}

impl Session {
    fn ask(&mut self, line: &str) -> Result<Reaction, String> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let nothing = Ok(Reaction::Lines(Vec::new()));
        let one = |line: &str| Ok(Reaction::Lines(vec![line.to_owned()]));
        match command {
            "hub" => Ok(Reaction::Lines(vec![
                format!("id name=tavli version={} author=\"the Tavli developers\"", env!("CARGO_PKG_VERSION")),
                "param name=variant value=english type=enum values=\"english\"".to_owned(),
                "wait".to_owned(),
            ])),
            "init" | "ping" | "quit" | "new-game" | "stop" | "ponder-hit" if !rest.trim().is_empty() => {
                Err(format!("{command} stands alone, without '{}'", shown(rest.trim())))
            }
            "init" => one("ready"),
            "ping" => one(PONG),
            "" | "new-game" | "stop" | "ponder-hit" => nothing,
            "quit" => Ok(Reaction::Quit),
            "set-param" => {
                let fields = fields(rest)?;
                if let Some((name, _)) = fields.iter().find(|field| !["name", "value"].contains(&field.0)) {
                    return Err(format!("set-param has name= and value=, not '{}'", shown(name)));
                }
                let of = |name| fields.iter().find(|field| field.0 == name).map_or("", |field| field.1);
                match (of("name"), of("value")) {
                    ("variant", "english") => nothing,
                    ("variant", other) => Err(format!("the variant is english, not '{}'", shown(other))),
                    (other, _) => Err(format!("set-param has name=variant, not '{}'", shown(other))),
                }
            }
            "pos" => {
                // A move from the position before would answer another question.
                self.position = None;
                self.position = Some(position_after(rest)?);
                nothing
            }
            "level" => {
                self.level = None;
                self.level = Some(level(rest)?);
                nothing
            }
            "go" => {
                let level = match rest.trim() {
                    "" | "think" => self.level,
                    "ponder" | "analyze" => Some(Level::INFINITE),
                    other => return Err(format!("go is think, ponder or analyze, not '{}'", shown(other))),
                };
                let position = self.position.ok_or("the last pos was refused: send another")?;
                if plays(&position, Rules::ENGLISH).is_empty() {
                    return Err("the game is over: send another pos".to_owned());
                }
                let level = level.ok_or("the last level was refused: send another")?;
                Ok(Reaction::Move(position, level))
            }
            _ => Err(format!("unknown command '{}'", shown(command))),
        }
    }

    /// Looks for a move while listening; `stop`, `ponder-hit` and a signal end the search, and the best move is the
    /// answer.
    fn think(
        &self,
        position: &Position,
        level: Level,
        frontend: &mut Frontend,
        stop: &Cancel,
    ) -> Result<Vec<String>, Failure> {
        let stops = Stops {
            // A tree search watches the clock itself.
            after: level.depth.and(level.time),
            at_end: level == Level::INFINITE,
        };
        frontend.listen(stop, stops, action, || self.best(position, level, stop))
    }

    /// The lines of a move.
    fn best(&self, position: &Position, level: Level, stop: &Cancel) -> Vec<String> {
        let game = Arc::new(Draughts::new(Rules::ENGLISH, self.context.tier, self.seed));
        let moves = plays(position, Rules::ENGLISH);
        let done = |choice: usize| format!("done move={}", move_text(position, &moves[choice]));
        if let Some(known) = self.context.best_known(&*game, position, 0) {
            return vec![done(known[0])];
        }
        if moves.len() == 1 && level != Level::INFINITE {
            return vec![done(0)];
        }
        // Near the draw rule the tables may know the value of the root, but of no play: then the search goes without
        // them.
        let tables = self.context.tables.clone().filter(|tables| tables.known(position).is_none());
        let added = TablesAndHeavyPlayouts { tables, playouts: None };
        let aided = Arc::new(GameWithTables::new(Arc::clone(&game), added, self.seed));
        let start = Instant::now();
        let info = |depth: u32, nodes: u64, score: f64, choice: usize| {
            let (time, pv) = (start.elapsed().as_secs_f64(), move_text(position, &moves[choice]));
            format!("info depth={depth} score={score:.3} nodes={nodes} time={time:.2} pv=\"{pv}\"")
        };
        if let Some(depth) = level.depth {
            let evaluator = Arc::new(CountingEvaluator {
                evaluator: GameHeuristic::new(game, self.evaluator),
                count: AtomicU64::new(0),
            });
            let most = level.nodes.unwrap_or(u64::MAX);
            let is_over = || stop.is_cancelled() || evaluator.count.load(Ordering::Relaxed) >= most;
            let search = |depth| {
                let search = AlphaBeta::new(Arc::clone(&aided), Arc::clone(&evaluator), depth);
                search.expect("a depth, and no dice")
            };
            let found = search(depth).run(*position, &is_over);
            // One choice ahead takes no time, and a move is owed whatever the limit.
            let found = found.or_else(|| search(1).run(*position, NO_STOP));
            let found = found.expect("nothing stops it");
            let best = &found.report.choices[0];
            let nodes = found.report.evaluations;
            return vec![info(found.depth, nodes, best.value, best.choice), done(best.choice)];
        }
        let budget = Budget { simulations: level.nodes, time: level.time, gap: None };
        let settings = SearchSettings { seed: self.seed, ..SearchSettings::default() };
        let search = Search::new(aided, *position, 0, settings, budget).and_then(Search::with_proofs);
        let Ok(search) = search else {
            // The draw rule has ended the game, which the protocol, with its own rules, goes on with.
            return vec![done(0)];
        };
        let report = search.cancelled_by(stop).run(&self.workers, |_| ());
        let best = report.ranking(settings.best_by)[0];
        let value = report.root.choices[best].value();
        let score = report.proofs[best].map_or(value, f64::from);
        vec![info(report.depth, report.root.simulations(), score, best), done(best)]
    }
}

/// What to do with a line that comes during a search.
fn action(line: &str) -> LineAction {
    match line.trim() {
        "stop" | "ponder-hit" => LineAction::Stop,
        "quit" => LineAction::Quit,
        "ping" => LineAction::Answer(PONG.to_owned()),
        other => match other.split_whitespace().next() {
            // An argument of `info` that frontends do not know: `error` would be taken for the answer to the line.
            Some(command) => LineAction::QueueWithNote(format!(
                "info message=\"a search runs: {} waits for the end, and stop ends it\"",
                shown(command).replace('=', " ")
            )),
            None => LineAction::Queue,
        },
    }
}

/// The fields of `level`, as errors list them.
const LEVELS: &str = "level has depth=, nodes=, move-time=, time= with moves= and inc=, or infinite";

/// The end of searches that a line names.
fn level(text: &str) -> Result<Level, String> {
    let (mut depth, mut nodes, mut move_time, mut all, mut inc) = (None, None, None, None, 0.0);
    let (mut moves, mut is_infinite) = (DEFAULT_MOVES, false);
    for (name, value) in fields(text)? {
        let whole = |most: u64| {
            let number = value.parse().ok().filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| format!("{name}={}: write a whole number, 1 to {most}", shown(value)))
        };
        let seconds = || {
            let seconds = value.parse().ok().filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds));
            seconds.ok_or_else(|| format!("{name}={}: write seconds, 0 to {MAX_SECONDS}", shown(value)))
        };
        match name {
            "depth" => depth = Some(whole(MAX_DEPTH.into())? as u32),
            "nodes" => nodes = Some(whole(Budget::max_simulations(&SearchSettings::default()))?),
            "move-time" => move_time = Some(seconds()?),
            "time" => all = Some(seconds()?),
            "inc" => inc = seconds()?,
            "moves" => moves = whole(MAX_MOVES)? as f64,
            "infinite" => is_infinite = true,
            _ => return Err(format!("{LEVELS}, not '{}'", shown(name))),
        }
    }
    // The increment comes before the move, and is there to be spent.
    let share = all.map(|all: f64| (all / moves + 0.8 * inc).min(0.8 * (all + inc)));
    let seconds = move_time.into_iter().chain(share).reduce(f64::min);
    let level = Level {
        depth,
        nodes,
        // A move takes at least a moment: without simulations there would be nothing to choose by.
        time: seconds.map(|seconds| Duration::from_secs_f64(seconds.max(0.01))),
    };
    match level == Level::INFINITE && !is_infinite {
        true => Err(LEVELS.to_owned()),
        false => Ok(level),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_names_values_and_quotes() {
        let found = fields(" pos=Wb  moves=\"1-2 3x4\" infinite x=\"\"");
        let expected = vec![("pos", "Wb"), ("moves", "1-2 3x4"), ("infinite", ""), ("x", "")];
        assert_eq!(found, Ok(expected));
        assert_eq!(fields("=a"), Ok(vec![("", "a")]));
        for text in ["x=\"open", "x=1 y x=2", "= =a"] {
            assert!(fields(text).is_err(), "{text}");
        }
    }

    #[test]
    fn levels_have_their_ranges() {
        let depth = |depth| Level { depth: Some(depth), ..Level::INFINITE };
        let time = |milliseconds| Level { time: Some(Duration::from_millis(milliseconds)), ..Level::INFINITE };
        let nodes = Level { nodes: Some(5000), ..Level::INFINITE };
        for (text, expected) in [
            ("depth=5", depth(5)),
            ("depth=64 infinite", depth(64)),
            ("nodes=5000", nodes),
            ("move-time=0.5", time(500)),
            ("time=60 moves=20", time(3000)),
            ("time=60 moves=20 move-time=5", time(3000)),
            ("time=60 moves=20 move-time=2", time(2000)),
            ("infinite", Level::INFINITE),
        ] {
            assert_eq!(level(text), Ok(expected), "{text}");
        }
        let all = level("depth=5 nodes=5000 move-time=1");
        assert_eq!(all, Ok(Level { time: Some(Duration::from_secs(1)), nodes: Some(5000), ..depth(5) }));
        for text in [
            "",
            "depth=0",
            "depth=x",
            "nodes=0",
            "time=-1",
            "time=nan",
            "move-time=inf",
            "time=1 moves=0",
            "depth=65",
            "nodes=99999999999999999999",
            "move-time=1e300",
            "depth=5 nodes=x",
            "depth=5 speed=3",
        ] {
            assert!(level(text).is_err(), "{text}");
        }
    }

    #[test]
    fn positions_and_moves_are_read_and_written() {
        let start = read_position("Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww");
        assert_eq!(start, Ok(Position::START));
        let position = read_position("WBeeeeebeeeeeeebeeeweeeeeeeeWeeewe").unwrap_err();
        assert!(position.contains("33") || position.contains("32"), "{position}");
        let position = read_position("WBeeeBeeeeeeeeBeeeweeeeeeeweeeeeW").expect("a position");
        for play in plays(&position, Rules::ENGLISH) {
            let text = move_text(&position, &play);
            assert_eq!(read_move(&position, &text), Ok(play), "{text}");
        }
        assert!(read_move(&position, "1-1000").is_err());
        for text in ["", "W", "X", "Wbbb", "Wééééé", &"W".repeat(40)] {
            assert!(read_position(text).is_err(), "{text}");
        }
    }
}
