//! `tavli ubgi`: the Universal Backgammon Interface, versions 0.1 and 0.2, on standard input and output.
//!
//! A line in, an answer out. What is not understood is answered by a line that begins with `error`, and the session
//! goes on.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use clap::Args;
use crossbeam_channel::bounded;
use tavli::engine::Engine;
use tavli::run::Cancel;
use tavli::text::Quoted;
use tavli::{Position, Roll, RuleSet};
use tracing::debug;

use super::log::LogOptions;
use super::moves::by_steps;
use super::{EngineOptions, MOST_PLIES};
use crate::failure::Failure;
use crate::input::{Input, Lines, Next};
use crate::interrupt;

/// Serve UBGI, the Universal Backgammon Interface, on standard input and output
///
/// Versions 0.1 and 0.2. A frontend sends position, dice and go, and gets bestmove or bestcube. The depth engine.ply
/// counts from 1, which values positions without looking ahead. The end of the input, quit and Ctrl-C end it.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    log: LogOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

/// An answer that is an error: its code and its text.
struct Refusal(&'static str, String);

/// The variants of the game, by the names of the protocol.
const VARIANTS: [RuleSet; 4] = [
    RuleSet::Backgammon,
    RuleSet::Nackgammon,
    RuleSet::Hypergammon,
    RuleSet::Longgammon,
];

/// What a line asks for.
enum Asked {
    /// These lines, at once.
    Lines(Vec<String>),
    /// A play.
    Play(Roll),
    /// A cube decision.
    Cube,
    /// Another player.
    Player(String),
    /// Nothing more.
    Quit,
}

/// The state between lines.
struct Session {
    engine: Engine,
    /// Lines that came while it was thinking.
    waiting: VecDeque<Vec<u8>>,
    position: Option<Position>,
    dice: Option<Roll>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    arguments.log.start();
    let mut session = Session {
        engine: arguments.engine.start(&cancel)?,
        waiting: VecDeque::new(),
        position: None,
        dice: None,
    };
    let lines = Input::open(Path::new("-"))?.read()?;
    let mut output = io::stdout();
    while !cancel.is_cancelled() {
        let line = match session.waiting.pop_front() {
            Some(line) => line,
            None => match lines.next(|| cancel.is_cancelled())? {
                Next::Line(line) => line,
                Next::End | Next::Idle => break,
            },
        };
        let text = String::from_utf8_lossy(&line);
        debug!("< {}", Quoted::new(text.trim_end()));
        let words: Vec<&str> = text.split_whitespace().collect();
        let answer = match session.ask(&words) {
            Ok(Asked::Quit) => break,
            Ok(Asked::Lines(answer)) => answer,
            Ok(Asked::Player(player)) => session.change_player(&player, &lines, &cancel)?,
            Ok(asked) => match session.think(&asked, &lines, &cancel)? {
                Some(answer) => vec![answer],
                None => break,
            },
            Err(refusal) => vec![refusal.line()],
        };
        for line in answer {
            debug!("> {}", Quoted::new(&line));
            writeln!(output, "{line}")?;
        }
        output.flush()?;
    }
    Ok(())
}

impl Refusal {
    fn line(self) -> String {
        let Refusal(code, text) = self;
        format!("error {code} {text}")
    }
}

/// The refusal of a value.
fn bad_value(text: impl ToString) -> Refusal {
    Refusal("bad_value", text.to_string())
}

impl Session {
    fn ask(&mut self, words: &[&str]) -> Result<Asked, Refusal> {
        let nothing = Ok(Asked::Lines(Vec::new()));
        match words {
            [] | ["debug", ..] | ["newsession", ..] | ["setturn", ..] => nothing,
            ["ubgi"] => Ok(Asked::Lines(self.handshake())),
            ["isready"] => Ok(Asked::Lines(vec!["readyok".to_owned()])),
            ["newgame"] => {
                (self.position, self.dice) = (Some(self.engine.rules().start().into()), None);
                nothing
            }
            ["setoption", "name", rest @ ..] => {
                let value = rest.iter().position(|&word| word == "value");
                let (name, value) = match value {
                    Some(place) => (rest[..place].join(" "), rest[place + 1..].join(" ")),
                    None => (rest.join(" "), String::new()),
                };
                self.set(&name, &value)
            }
            ["set", name, value @ ..] => self.set(name, &value.join(" ")),
            ["position", "start" | "startpos"] => {
                (self.position, self.dice) = (Some(self.engine.rules().start().into()), None);
                nothing
            }
            ["position", kind @ ("gnubgid" | "gnuid" | "xgid" | "fibs"), rest @ ..] => {
                let text = rest.join(" ");
                let position: Result<Position, _> = text.parse();
                let position = position.map_err(|error| bad_value(format_args!("position {kind}: {error}")))?;
                self.dice = position.roll_or(None).expect("no other roll is given");
                self.position = Some(position);
                nothing
            }
            ["dice", rest @ ..] => {
                let text = rest.concat();
                let roll = text.parse().map_err(|error| bad_value(format_args!("dice: {error}")))?;
                self.dice = Some(roll);
                nothing
            }
            ["go", "role", role] | ["go", role] => self.go(role),
            ["go"] => self.go(if self.dice.is_some() { "chequer" } else { "cube" }),
            ["stop"] => nothing,
            ["quit" | "exit"] => Ok(Asked::Quit),
            // Version 0.01: a position by itself.
            [text] if text.parse::<Position>().is_ok() => {
                let position: Position = text.parse().expect("it was read");
                self.dice = position.roll_or(None).expect("no other roll is given");
                self.position = Some(position);
                self.go(if self.dice.is_some() { "chequer" } else { "cube" })
            }
            ["setscore" | "setcube", ..] => Err(Refusal(
                "unsupported",
                "the score and the cube are those of position xgid".to_owned(),
            )),
            words => Err(Refusal(
                "bad_command",
                Quoted::new(&words.join(" ")).within(80).to_string(),
            )),
        }
    }

    fn handshake(&self) -> Vec<String> {
        let variants: Vec<&str> = VARIANTS.iter().map(|rules| rules.name()).collect();
        let (ply, player, variant) = (self.engine.plies() + 1, self.engine.player(), self.engine.rules());
        let most = MOST_PLIES + 1;
        let mut lines = vec![
            format!("id name tavli {}", env!("CARGO_PKG_VERSION")),
            "id author the Tavli developers".to_owned(),
            "proto 0.2".to_owned(),
            format!("key engine.ply int 1..{most} {ply} plies looked at, 1 for none ahead"),
            format!("key engine.player string * {player} the name or the file of a player"),
            "key engine.cubeful bool false|true true values with the cube".to_owned(),
            format!("key game.variant enum {} {variant}", variants.join("|")),
        ];
        let options = variants.iter().map(|name| format!(" var {name}")).collect::<String>();
        lines.push(format!("option name Variant type combo default {variant}{options}"));
        lines.push(format!("option name Ply type spin default {ply} min 1 max {most}"));
        lines.push(format!("option name Player type string default {player}"));
        lines.push("ubgiok".to_owned());
        lines
    }

    fn set(&mut self, name: &str, value: &str) -> Result<Asked, Refusal> {
        match name.to_lowercase().as_str() {
            "engine.ply" | "ply" | "plies" => {
                let plies: Option<u32> = value.parse().ok();
                let plies = plies.filter(|plies| (1..=MOST_PLIES + 1).contains(plies));
                let plies = plies.ok_or_else(|| {
                    bad_value(format_args!(
                        "{name} is 1 to {}: 1 looks at no ply ahead",
                        MOST_PLIES + 1
                    ))
                })?;
                self.engine.set_plies(plies - 1);
            }
            "engine.player" | "player" => return Ok(Asked::Player(value.to_owned())),
            "engine.cubeful" | "cubeful" => {
                let is_cubeful = match value {
                    "true" | "on" => true,
                    "false" | "off" => false,
                    _ => return Err(bad_value(format_args!("{name} is true or false"))),
                };
                self.engine.set_cubeful(is_cubeful);
            }
            // They change no answer.
            "engine.threads" | "threads" | "engine.seed" | "seed" => {}
            "game.variant" | "variant" => {
                let rules = VARIANTS.into_iter().find(|rules| rules.name() == value);
                let rules = rules.ok_or_else(|| {
                    let names: Vec<&str> = VARIANTS.iter().map(|rules| rules.name()).collect();
                    bad_value(format_args!("{name} is one of {}", names.join(", ")))
                })?;
                self.engine.set_rules(rules);
            }
            _ => {
                return Err(Refusal(
                    "unsupported",
                    format!("no option {}", Quoted::new(name).within(40)),
                ));
            }
        }
        Ok(Asked::Lines(Vec::new()))
    }

    fn go(&self, role: &str) -> Result<Asked, Refusal> {
        let no_position = || Refusal("bad_state", "no position yet: send position or newgame".to_owned());
        self.position.ok_or_else(no_position)?;
        match role {
            "chequer" | "checker" | "move" => {
                let no_dice = || Refusal("bad_state", "no dice yet: send dice A B".to_owned());
                self.dice.map(Asked::Play).ok_or_else(no_dice)
            }
            "cube" | "turn" | "double" | "take" => Ok(Asked::Cube),
            _ => Err(Refusal("unsupported", format!("go {}", Quoted::new(role).within(40)))),
        }
    }

    /// Works an answer out while it listens for `stop`, upon which it answers without looking ahead. `None` if the user
    /// ended it by a signal.
    fn think(&mut self, asked: &Asked, lines: &Lines, cancel: &Cancel) -> Result<Option<String>, Failure> {
        let position = self.position.expect("it was checked");
        let found = self.listening(lines, cancel, |engine| answer(engine, &position, asked))?;
        let found = match found {
            Ok(None) if !cancel.is_cancelled() => {
                let plies = self.engine.plies();
                self.engine.set_plies(0);
                let here = answer(&self.engine, &position, asked);
                self.engine.set_plies(plies);
                here
            }
            found => found,
        };
        Ok(found.unwrap_or_else(|refusal| Some(refusal.line())))
    }

    /// Takes another player while it listens for `stop`: its bear-off table may take minutes. The answer is an error,
    /// or nothing.
    fn change_player(&mut self, player: &str, lines: &Lines, cancel: &Cancel) -> Result<Vec<String>, Failure> {
        let changed = self.listening(lines, cancel, |engine| engine.set_player(player))?;
        Ok(changed.err().map(|error| bad_value(error).line()).into_iter().collect())
    }

    /// Has the engine work while it listens: `stop` ends the work, and other lines wait.
    fn listening<T: Send>(
        &mut self,
        lines: &Lines,
        cancel: &Cancel,
        work: impl FnOnce(&mut Engine) -> T + Send,
    ) -> Result<T, Failure> {
        let stop = cancel.part();
        self.engine.set_cancel(&stop);
        let (engine, waiting) = (&mut self.engine, &mut self.waiting);
        let worked = thread::scope(|scope| {
            let (busy, done) = bounded(0);
            let working = scope.spawn(move || {
                let _busy = busy;
                work(engine)
            });
            loop {
                match lines.next_before(&done)? {
                    Next::Line(line) if line.trim_ascii() == b"stop" => stop.cancel(),
                    Next::Line(line) => waiting.push_back(line),
                    Next::End | Next::Idle => break,
                }
            }
            Ok::<_, Failure>(working.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        self.engine.set_cancel(cancel);
        worked
    }
}

/// The answer to a question; `None` if it was stopped before there was one.
fn answer(engine: &Engine, position: &Position, asked: &Asked) -> Result<Option<String>, Refusal> {
    match *asked {
        Asked::Play(roll) => {
            let ranked = engine.plays(position, roll).map_err(bad_value)?;
            Ok(ranked.plays.first().map(|best| {
                let moves = by_steps(&best.play.moves);
                format!("bestmove {}", if moves.is_empty() { "pass" } else { &moves })
            }))
        }
        Asked::Cube => {
            let Some(decision) = engine.decision(position).map_err(bad_value)? else {
                return Ok(None);
            };
            let Some(cube) = decision.cube else {
                return Err(Refusal("unsupported", "go cube: there is no cube".to_owned()));
            };
            let is_asked_to_take = matches!(position.context().stage, tavli::Stage::Doubled);
            let action = match (is_asked_to_take, cube.double_take <= cube.double_pass) {
                (true, true) => "take",
                (true, false) => "drop",
                (false, _) if cube.action.doubles() => "double",
                (false, _) => "nodouble",
            };
            Ok(Some(format!("bestcube {action}")))
        }
        Asked::Lines(_) | Asked::Player(_) | Asked::Quit => unreachable!("they are no questions"),
    }
}
