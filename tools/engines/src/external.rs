//! `tavli external`: GNU Backgammon's protocol for external players: FIBS boards over TCP.
//!
//! A line in, an answer out. GNU Backgammon connects as the client of `set player 0 external ADDRESS`; other programs
//! ask as they ask a GNU Backgammon that runs `external ADDRESS`.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, bounded};
use tavli::cube::{self, CubeState};
use tavli::engine::{Engine, EngineError};
use tavli::evaluation::PositionValue;
use tavli::run::Cancel;
use tavli::text::{Quoted, without_mark};
use tavli::{Position, Stakes, TurnStage};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::output;
use tracing::{debug, info};

use super::answers;
use super::engine_settings::{EngineSettings, MAX_PLIES, cannot_listen};
use super::moves::by_steps;

/// Time between two checks for a connection or a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How long an answer may still take once its client sends no more. Some clients only close their sending side, and
/// wait for the answer.
const TIME_AFTER_END: Duration = Duration::from_secs(5);
/// The longest line: a board has some 200 bytes.
const MAX_LINE_BYTES: usize = 4096;
/// Connections at a time.
const MAX_CONNECTIONS: usize = 32;

/// Serves connections at an address: HOST:PORT, or a port of this machine.
pub fn run(address: &str, settings: &EngineSettings) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    let address = match address.parse::<u16>() {
        Ok(port) => format!("127.0.0.1:{port}"),
        Err(_) => address.to_owned(),
    };
    let listener = TcpListener::bind(&address).map_err(|error| cannot_listen(&address, 1234, &error))?;
    let cannot = |error: io::Error| Failure::run(format_args!("cannot listen at {address}: {error}"));
    listener.set_nonblocking(true).map_err(cannot)?;
    let engine = settings.start(&cancel)?;
    let engine = Mutex::new(engine);
    let mut output = output::stdout();
    writeln!(output, "listening at {}", listener.local_addr().map_err(cannot)?)?;
    output.flush()?;
    thread::scope(|scope| {
        let mut serving: Vec<thread::ScopedJoinHandle<'_, ()>> = Vec::new();
        while !cancel.is_cancelled() {
            serving.retain(|connection| !connection.is_finished());
            match listener.accept() {
                Ok((stream, peer)) if serving.len() < MAX_CONNECTIONS => {
                    let (engine, cancel) = (&engine, &cancel);
                    // A client that goes away ends its own connection only.
                    let serve = move || {
                        info!("{peer} connects");
                        match serve(stream, engine, cancel) {
                            Ok(()) => info!("{peer} is gone"),
                            Err(error) => info!("{peer} is gone: {error}"),
                        }
                    };
                    match thread::Builder::new().spawn_scoped(scope, serve) {
                        Ok(thread) => serving.push(thread),
                        // Dropping `stream` has closed the connection.
                        Err(error) => info!("{peer} gets no thread: {error}"),
                    }
                }
                Ok((mut stream, peer)) => {
                    info!("{peer} is one connection too many");
                    // A client that does not read this is disconnected all the same.
                    let _ = writeln!(stream, "Error: {MAX_CONNECTIONS} connections are open: close one of them");
                }
                Err(_) => thread::sleep(POLL_INTERVAL),
            }
        }
    });
    Ok(())
}

/// Answers the lines of a connection until it closes.
fn serve(stream: TcpStream, engine: &Mutex<Engine>, cancel: &Cancel) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(POLL_INTERVAL))?;
    stream.set_write_timeout(Some(Duration::from_secs(10)))?;
    let mut output = stream.try_clone()?;
    let mut input = BufReader::new(stream);
    let mut session = Session::default();
    let mut line = Vec::new();
    let mut is_first = true;
    loop {
        match next(&mut input, &mut line, cancel)? {
            false => return Ok(()),
            true => {
                // GNU Backgammon ends its lines by a line feed and a zero byte, which it sends together.
                session.is_gnubg |= line.contains(&0) || input.buffer().first() == Some(&0);
                let bytes = if is_first { without_mark(&line) } else { &line };
                is_first = false;
                let text = String::from_utf8_lossy(bytes).replace('\0', " ");
                line.clear();
                debug!("< {}", Quoted::new(text.trim()));
                let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
                let stop = cancel.child();
                engine.set_cancel(&stop);
                let answer = unless_it_leaves(&output, &stop, || session.answer(text.trim(), &mut engine))?;
                drop(engine);
                match answer {
                    Some(answer) => {
                        debug!("> {}", Quoted::new(&answer));
                        output.write_all(format!("{answer}\n").as_bytes())?;
                    }
                    None => return Ok(()),
                }
            }
        }
    }
}

/// Works on the answer to a client. `stop` ends the work when the connection breaks, and some time after the client
/// sends no more: a client that has left looks like one that only ends its side.
fn unless_it_leaves<T>(stream: &TcpStream, stop: &Cancel, work: impl FnOnce() -> T) -> io::Result<T> {
    // Blocking, a look at the stream would delay the answer.
    stream.set_nonblocking(true)?;
    let result = thread::scope(|scope| {
        let (busy, done) = bounded::<()>(0);
        let watch = move || {
            let mut end = None;
            while done.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                match stream.peek(&mut [0]) {
                    Ok(0) if Instant::now() < *end.get_or_insert_with(|| Instant::now() + TIME_AFTER_END) => {}
                    Ok(1..) => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Ok(0) | Err(_) => return stop.cancel(),
                }
            }
        };
        // Without a thread, the client is served to the end.
        let _ = thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        drop(busy);
        result
    });
    stream.set_nonblocking(false)?;
    Ok(result)
}

/// Reads a line into `line`; `false` at the end of the connection. The last line may lack its end.
fn next(input: &mut BufReader<TcpStream>, line: &mut Vec<u8>, cancel: &Cancel) -> io::Result<bool> {
    while !cancel.is_cancelled() {
        let buffered = match input.fill_buf() {
            Ok([]) => return Ok(line.iter().any(u8::is_ascii_graphic)),
            Ok(buffered) => buffered,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => continue,
            Err(error) => return Err(error),
        };
        let end = buffered.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(buffered.len(), |end| end + 1);
        // One byte more than the longest line shows that a line is too long.
        let room = MAX_LINE_BYTES + 1 - line.len();
        line.extend_from_slice(&buffered[..end.unwrap_or(taken).min(room)]);
        input.consume(taken);
        if end.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The settings of a connection.
#[derive(Default)]
struct Session {
    debug: bool,
    new_interface: bool,
    /// Whether the client is GNU Backgammon, which has an order of names of its own.
    is_gnubg: bool,
}

/// The options after a board.
struct Options {
    is_cubeful: bool,
    /// How far to look ahead, in place of the engine's own plies.
    plies: Option<u32>,
    resignation: Option<u8>,
}

impl Session {
    /// The answer to a line; `None` if the connection ends.
    fn answer(&mut self, line: &str, engine: &mut Engine) -> Option<String> {
        if line.len() > MAX_LINE_BYTES {
            return Some(format!("Error: the line has more than {MAX_LINE_BYTES} bytes: send one board in a line"));
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let on = |is_on: bool| if is_on { "ON" } else { "OFF" };
        Some(match words[..] {
            [] => String::new(),
            ["exit" | "quit"] => return None,
            ["version"] => format!(
                "Interface: 2\nRFBF: 0\nEngine: {}\nSoftware: tavli {}",
                engine.player(),
                env!("CARGO_PKG_VERSION")
            ),
            ["help"] => {
                "\tA board line, evaluation fibsboard BOARD [OPTIONS], version, set debug|interface, exit".to_owned()
            }
            ["set", "debug", switch @ ("on" | "off")] => {
                self.debug = switch == "on";
                format!("Debug output {}", on(self.debug))
            }
            ["set", "interface", which @ ("new" | "old")] => {
                self.new_interface = which == "new";
                format!("New interface {}", on(self.new_interface))
            }
            ["evaluation", "fibsboard"] => "Error: evaluation fibsboard has no board: send one after it".to_owned(),
            ["evaluation"] => "Error: evaluation has no board: send evaluation fibsboard BOARD".to_owned(),
            ["evaluation", "fibsboard", board, ref options @ ..] => {
                self.answer_to(board, options, engine, Session::evaluate)
            }
            ["evaluation", other, ..] => format!(
                "Error: only a fibsboard is evaluated, not '{}': send evaluation fibsboard BOARD",
                Quoted::new(other).within(60)
            ),
            ["set", "debug", ..] => "Error: debug is on or off: send set debug on, or set debug off".to_owned(),
            ["set", "interface", ..] => {
                "Error: the interface is new or old: send set interface new, or set interface old".to_owned()
            }
            ["set", ..] => {
                "Error: settings are debug and interface: send set debug on|off or set interface new|old".to_owned()
            }
            [board, ref options @ ..] if board.starts_with("board:") => {
                self.answer_to(board, options, engine, Session::decide)
            }
            _ => format!("Error: unknown command '{}': try help", Quoted::new(line).within(60)),
        })
    }

    /// Reads a board and the options after it.
    fn read(&self, board: &str, options: &[&str]) -> Result<(Position, Options), String> {
        let position: Position = board.parse().map_err(|error| format!("Error: {error}"))?;
        let mut context = *position.context();
        // A board does not name the rules of money games; GNU Backgammon plays by both by default.
        if let Stakes::Money { jacoby, beavers } = &mut context.stakes {
            (*jacoby, *beavers) = (true, true);
        }
        // FIBS names "You" first, whose turn is 1. So does GNU Backgammon when it asks about a double. When it asks for
        // a play or whether to double, it names its player 0 first, whose turn is -1.
        if self.is_gnubg && context.stage != TurnStage::Doubled {
            (context.score, context.opponent_score) = (context.opponent_score, context.score);
        }
        let mut read = Options { is_cubeful: true, plies: None, resignation: None };
        let mut options = options.iter().copied();
        let mut names = Vec::new();
        while let Some(option) = options.next() {
            let name = if matches!(option, "cubeful" | "cubeless") { "cube" } else { option };
            if names.contains(&name) {
                let name = Quoted::new(name).within(40);
                return Err(format!("Error: {name} is given twice: send it once"));
            }
            names.push(name);
            let mut switch = || match options.next() {
                Some("on") => Ok(true),
                Some("off") => Ok(false),
                _ => Err(format!("Error: {option} is on or off")),
            };
            match (option, &mut context.stakes) {
                ("cubeful", _) => read.is_cubeful = true,
                ("cubeless", _) => read.is_cubeful = false,
                ("cube", _) => read.is_cubeful = switch()?,
                ("jacobyrule", Stakes::Money { jacoby, .. }) => *jacoby = switch()?,
                ("beavers", Stakes::Money { beavers, .. }) => *beavers = switch()?,
                ("jacobyrule" | "beavers" | "crawfordrule", _) => drop(switch()?),
                ("plies", _) => {
                    let plies = options.next().and_then(|plies| plies.parse().ok());
                    let plies = plies.filter(|plies| *plies <= MAX_PLIES);
                    read.plies = Some(plies.ok_or_else(|| format!("Error: plies are 0 to {MAX_PLIES}"))?);
                }
                ("noise", _) => {
                    let noise = options.next().and_then(|noise| noise.parse().ok());
                    if noise != Some(0.0) {
                        return Err("Error: noise is 0: this engine has none".to_owned());
                    }
                }
                // The user's settings of the engine hold.
                ("reduced", _) => drop(options.next()),
                ("prune" | "deterministic", _) => {
                    let mut rest = options.clone();
                    if matches!(rest.next(), Some("on" | "off")) {
                        options = rest;
                    }
                }
                ("resignation", _) => {
                    let points = options.next().and_then(|points| points.parse().ok());
                    let points = points.filter(|points| (1..=3).contains(points));
                    read.resignation = Some(points.ok_or("Error: a resignation is 1, 2 or 3")?);
                }
                (option, _) => return Err(format!("Error: unknown option '{}'", Quoted::new(option).within(40))),
            }
        }
        let position = Position::new(*position.board(), context);
        Ok((position.map_err(|error| format!("Error: {error}"))?, read))
    }

    /// The answer to a question about a board, worked out with the plies that its options name.
    fn answer_to(
        &self,
        board: &str,
        options: &[&str],
        engine: &mut Engine,
        answer: impl FnOnce(&Engine, &Position, &Options) -> Result<String, EngineError>,
    ) -> String {
        let (position, options) = match self.read(board, options) {
            Ok(read) => read,
            Err(error) => return error,
        };
        let plies = engine.plies();
        let ahead = engine.set_plies(options.plies.unwrap_or(plies));
        let answer = ahead.and_then(|()| answer(engine, &position, &options));
        engine.set_plies(plies).expect("it looks as far ahead as before");
        answer.unwrap_or_else(|error| format!("Error: {error}"))
    }

    /// The play, or the action with the cube.
    fn decide(engine: &Engine, position: &Position, options: &Options) -> Result<String, EngineError> {
        match (options.resignation, position.context().stage) {
            (Some(points), _) => value(engine, position, |decision| match answers::accepts(decision, points) {
                true => "accept".to_owned(),
                false => "reject".to_owned(),
            }),
            (None, TurnStage::Rolled(roll)) => engine.plays(position, roll).map(|ranked| {
                let best = ranked.plays.first();
                best.map_or_else(|| "Error: stopped".to_owned(), |best| by_steps(&best.play.moves))
            }),
            (None, TurnStage::Doubled) => {
                value(engine, position, |decision| answers::to_double(decision, position).to_owned())
            }
            (None, _) => value(engine, position, |decision| {
                let doubles = decision.cube.is_some_and(|cube| cube.action.doubles());
                if doubles { "double" } else { "roll" }.to_owned()
            }),
        }
    }

    /// The chances to win, win a gammon and a backgammon, lose a gammon and a backgammon, and the equity, in matches
    /// the chance to win the match: by default with the cube.
    fn evaluate(engine: &Engine, position: &Position, options: &Options) -> Result<String, EngineError> {
        value(engine, position, |decision| {
            let value = &decision.value;
            let shares = [1, 2, 3, -2, -3].map(|points| format!("{:.6}", value.at_least(points)));
            let equity = match decision.cube {
                Some(cube) if options.is_cubeful => cube.best(),
                Some(cube) => cube.cubeless,
                None => value.equity(),
            };
            let equity = in_match(position, equity).unwrap_or(equity);
            format!("{} {equity:.6}", shares.join(" "))
        })
    }
}

/// An answer that follows from the value of the position.
fn value(
    engine: &Engine,
    position: &Position,
    answer: impl Fn(&PositionValue) -> String,
) -> Result<String, EngineError> {
    let decision = engine.value(position)?;
    Ok(decision.as_ref().map_or_else(|| "Error: stopped".to_owned(), answer))
}

/// The chance to win the match of an equity; `None` in money games.
fn in_match(position: &Position, equity: f64) -> Option<f64> {
    let state = CubeState::from_context(position.context()).ok()?;
    let values = cube::model(position.board()).gammon_values(&state)?;
    Some(values.lose + (equity + 1.0) / 2.0 * (values.win - values.lose))
}
