//! `tavli ubgi`: the Universal Backgammon Interface, versions 0.1 and 0.2, on standard input and output.
//!
//! A line in, an answer out. A line that is not understood is answered by one that begins with `error`, and the session
//! goes on.

mod match_state;
mod options;
mod refusal;
mod thinking;

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::time::Duration;

use tavli::engine::Engine;
use tavli::named::Defaults;
use tavli::run::Cancel;
use tavli::text::Quoted;
use tavli::{Position, Roll};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::remarks::{self, reading};

use self::match_state::MatchState;
use self::options::{Id, METHODS, Method, VARIANTS};
use self::refusal::{Refusal, bad_value};
use self::thinking::{GoCommand, GoDecision, answer};
use super::frontend::{Frontend, LineAction, Stops, say};
use super::rollouts::RolloutSettings;
use crate::EngineSettings;

/// The answer to `isready`.
const READY: &str = "readyok";

/// The reaction to a line.
enum Reaction {
    /// These lines are written.
    Lines(Vec<String>),
    /// A position is thought about.
    Go(GoCommand),
    /// The engine takes another player.
    Player(String),
    /// The session ends.
    Quit,
}

/// The state between lines.
struct Session {
    settings: EngineSettings,
    engine: Engine,
    /// The position, and whether its text named cube and score.
    position: Option<(Position, bool)>,
    dice: Option<Roll>,
    match_state: Option<MatchState>,
    method: Method,
    rollouts: RolloutSettings,
    is_cubeful: bool,
}

/// Runs a session.
pub fn run(settings: &EngineSettings) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    let mut session = Session {
        settings: settings.clone(),
        engine: settings.start(&cancel)?,
        position: None,
        dice: None,
        match_state: None,
        method: Method::Plies,
        rollouts: RolloutSettings::default(),
        is_cubeful: true,
    };
    let mut frontend = Frontend::open(Path::new("-"), &cancel)?;
    while let Some(line) = frontend.next()? {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let answer = match session.ask(&words) {
            Ok(Reaction::Quit) => break,
            Ok(Reaction::Lines(answer)) => answer,
            Ok(Reaction::Go(_)) if line.was_cancelled_by_stop => {
                let text = "stop came before this go had begun: send it again";
                vec![Refusal("bad_state", text.to_owned()).line()]
            }
            Ok(Reaction::Player(player)) => session.change_player(&player, &mut frontend, &cancel)?,
            Ok(Reaction::Go(command)) => match session.think(&command, &mut frontend, &cancel)? {
                Some(answer) => vec![answer],
                None => break,
            },
            Err(refusal) => vec![refusal.line()],
        };
        for line in answer {
            say(&line)?;
        }
    }
    Ok(())
}

impl Session {
    fn ask(&mut self, words: &[&str]) -> Result<Reaction, Refusal> {
        let nothing = Ok(Reaction::Lines(Vec::new()));
        match words {
            [] | ["debug", ..] => nothing,
            ["ubgi"] => Ok(Reaction::Lines(self.handshake())),
            ["keys"] => Ok(Reaction::Lines(options::keys(|id| self.value(id)))),
            ["get", name] => Ok(Reaction::Lines(vec![value_line(name, |id| self.value(id))?])),
            ["isready"] => Ok(Reaction::Lines(vec![READY.to_owned()])),
            ["newgame"] | ["position", "start" | "startpos"] => {
                (self.position, self.dice) = (Some((self.engine.rules().start().into(), false)), None);
                nothing
            }
            ["newsession", rest @ ..] => {
                self.match_state = Some(MatchState::session(rest).map_err(bad_value)?);
                nothing
            }
            ["setscore" | "setcube" | "setturn", ..] => {
                let match_state = self.match_state.get_or_insert_default();
                match_state.set(words).map_err(bad_value)?;
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
            ["position", kind @ ("gnubgid" | "gnuid" | "xgid" | "fibs"), rest @ ..] => {
                let read = reading(&rest.join(" "), self.engine.rules());
                let read = read.map_err(|error| bad_value(format_args!("position {kind}: {error}")))?;
                self.dice = read.position.roll();
                self.position = Some((read.position, read.has_context));
                nothing
            }
            ["dice", rest @ ..] => {
                let text = rest.concat();
                let roll = text.parse().map_err(|error| bad_value(format_args!("dice: {error}")))?;
                self.dice = Some(roll);
                nothing
            }
            ["go", "role", rest @ ..] | ["go", rest @ ..] => self.go(rest),
            ["stop"] => nothing,
            ["quit" | "exit"] => Ok(Reaction::Quit),
            // Version 0.01: a position by itself.
            [text] if let Ok(read) = Position::read(text) => {
                (self.position, self.dice) = (Some((read.position, read.has_context)), read.position.roll());
                let mut command = GoCommand::new(self.dice.map_or(GoDecision::Cube, GoDecision::Play));
                command.is_bare = true;
                Ok(Reaction::Go(command))
            }
            [text] if text.starts_with("board:") || text.starts_with("XGID=") => {
                Ok(Reaction::Lines(vec!["sorry".to_owned()]))
            }
            words => Err(Refusal("bad_command", Quoted::new(&words.join(" ")).within(80).to_string())),
        }
    }

    fn handshake(&self) -> Vec<String> {
        let mut lines = vec![
            format!("id name tavli {}", env!("CARGO_PKG_VERSION")),
            "id author the Tavli developers".to_owned(),
            "proto 0.2".to_owned(),
        ];
        lines.extend(options::keys(|id| self.value(id)));
        lines.extend(options::names(|id| self.value(id)));
        lines.push("ubgiok".to_owned());
        lines
    }

    /// The value of an option.
    fn value(&self, id: Id) -> String {
        match id {
            Id::Ply => (self.engine.plies() + 1).to_string(),
            Id::Player => self.engine.player().to_owned(),
            Id::Method => {
                let name = METHODS.iter().find(|(_, method)| *method == self.method);
                name.map_or("", |(name, _)| name).to_owned()
            }
            Id::Trials => self.rollouts.trials.to_string(),
            Id::Truncation => self.rollouts.truncation().map_or(0, NonZeroU32::get).to_string(),
            Id::Cubeful => self.is_cubeful.to_string(),
            Id::Threads => self.engine.workers().count().to_string(),
            Id::Seed => self.rollouts.seed.to_string(),
            Id::Variant => self.engine.rules().to_string(),
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<Reaction, Refusal> {
        let nothing = Ok(Reaction::Lines(Vec::new()));
        // Names that version 0.1 recommends and that are no options here: answers are always deterministic, and
        // `EvalMode` is the option `Cubeful`.
        let (name, value) = match (name, value) {
            ("Deterministic", "true" | "false") => return nothing,
            ("EvalMode", "cubeful") => ("Cubeful", "true"),
            ("EvalMode", "cubeless") => ("Cubeful", "false"),
            other => other,
        };
        let choice = options::find(name).ok_or_else(|| no_option(name))?;
        let number = choice.number(name, value).map_err(bad_value)?;
        // Every number is in its range.
        let small = || u32::try_from(number).unwrap_or(u32::MAX);
        match choice.id {
            Id::Ply => self.engine.set_plies(small() - 1).map_err(bad_value)?,
            Id::Player => return Ok(Reaction::Player(value.to_owned())),
            Id::Method => self.method = METHODS[number as usize].1,
            Id::Trials => self.rollouts.trials = number,
            Id::Truncation => self.rollouts.truncate(NonZeroU32::new(small())),
            Id::Cubeful => {
                self.is_cubeful = number == 1;
                self.engine.set_cubeful(self.is_cubeful);
            }
            Id::Threads => {
                let threads = NonZeroUsize::new(number as usize).unwrap_or(NonZeroUsize::MIN);
                self.engine.set_workers(self.settings.machine.start(Some(threads)).map_err(bad_value)?);
            }
            Id::Seed => self.rollouts.seed = number,
            Id::Variant => {
                let rules = VARIANTS[number as usize];
                self.engine.set_rules(rules);
                remarks::print(self.engine.remark());
            }
        }
        nothing
    }

    fn go(&self, words: &[&str]) -> Result<Reaction, Refusal> {
        let (role, limits) = match *words {
            [role, ref limits @ ..] if !matches!(role, "movetime" | "depth" | "nodes" | "trials") => (role, limits),
            ref limits => (if self.dice.is_some() { "chequer" } else { "cube" }, limits),
        };
        if self.position.is_none() {
            let text = "no position yet: send position or newgame";
            return Err(Refusal("bad_state", text.to_owned()));
        }
        let dice = || {
            let no_dice = || Refusal("bad_state", "no dice yet: send dice A B".to_owned());
            self.dice.ok_or_else(no_dice)
        };
        let mut command = GoCommand::new(match role {
            "chequer" | "checker" | "move" => GoDecision::Play(dice()?),
            "turn" => GoDecision::Turn(dice()?),
            "cube" | "double" | "take" => GoDecision::Cube,
            _ => return Err(Refusal("unsupported", format!("go {}", Quoted::new(role).within(40)))),
        });
        let (pairs, rest) = limits.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(bad_value(format_args!("go: {} without its number", Quoted::new(rest[0]).within(40))));
        }
        for (place, [name, value]) in pairs.iter().enumerate() {
            if pairs[..place].iter().any(|[before, _]| before == name) {
                let name = Quoted::new(name).within(40);
                return Err(bad_value(format_args!("go: {name} is given twice: send it once")));
            }
            // A depth and a number of trials have the range of their options.
            let number = |option| {
                let choice = options::find(option).expect("it is one");
                choice.number(&format!("go {name}"), value).map_err(bad_value)
            };
            match *name {
                "movetime" => {
                    let milliseconds = options::whole_number("go movetime", value, [0, u64::MAX], " of milliseconds");
                    let milliseconds = milliseconds.map_err(bad_value)?;
                    command.time = Some(Duration::from_millis(milliseconds));
                }
                "depth" => command.plies = Some(number("engine.ply")? as u32 - 1),
                "trials" => command.trials = Some(number("engine.trials")?),
                name => return Err(Refusal("unsupported", format!("go {}", Quoted::new(name).within(40)))),
            }
        }
        if command.plies.is_some() && command.trials.is_some() {
            let text = "go: depth is for values, and trials are for rollouts: send one of them";
            return Err(bad_value(text));
        }
        Ok(Reaction::Go(command))
    }

    /// The position with the state that version 0.1 sent apart from it.
    fn placed(&self) -> Result<Position, Refusal> {
        let (position, has_context) = self.position.expect("it was checked");
        match &self.match_state {
            Some(match_state) if !has_context => match_state.position(*position.board()).map_err(bad_value),
            _ => Ok(position),
        }
    }

    /// Works out an answer while listening. After `stop` the answer is the best so far, or one without look-ahead.
    /// `None` if the user ended the work by a signal.
    fn think(
        &mut self,
        command: &GoCommand,
        frontend: &mut Frontend,
        cancel: &Cancel,
    ) -> Result<Option<String>, Failure> {
        let said = |refusal: Refusal| match command.is_bare {
            true => "sorry".to_owned(),
            false => refusal.line(),
        };
        let position = match self.placed() {
            Ok(position) => position,
            Err(refusal) => return Ok(Some(said(refusal))),
        };
        let plies = self.engine.plies();
        if let Err(error) = self.engine.set_plies(command.plies.unwrap_or(plies)) {
            return Ok(Some(said(bad_value(error))));
        }
        const BEFORE: &str = "it may look no plies ahead, or as many as before";
        let mut rollouts = self.rollouts.clone();
        let method = match command.trials {
            Some(trials) => {
                rollouts.trials = trials;
                Method::Rollout
            }
            None if command.plies.is_some() => Method::Plies,
            None => self.method,
        };
        let values = options::values(|id| self.value(id));
        let found = self.listening(frontend, cancel, command.time, Some(&values), |engine| {
            answer(engine, &position, command, method, &rollouts)
        })?;
        let found = match found {
            // Also after a signal: the values take milliseconds.
            Ok(None) => answer(&self.at_once(command)?, &position, command, Method::Plies, &rollouts),
            found => found,
        };
        self.engine.set_plies(plies).expect(BEFORE);
        Ok(found.unwrap_or_else(|refusal| Some(said(refusal))))
    }

    /// The engine without look-ahead, which nothing stops. If the player samples games, or its name looks ahead, the
    /// default player's values are used.
    fn at_once(&self, command: &GoCommand) -> Result<Engine, Failure> {
        let mut engine = self.engine.clone();
        engine.set_cancel(&Cancel::new());
        engine.set_plies(0).expect("it may look no plies ahead");
        if !engine.values_at_once() {
            let default = Defaults::for_rules(engine.rules()).player;
            if !command.is_bare {
                let player = Quoted::new(engine.player()).within(40);
                say(&format!("info string {player} had no values yet: these are of {default}"))?;
            }
            engine.set_player(default).expect("it is built in");
        }
        Ok(engine)
    }

    /// Changes the player while listening for `stop`: its bear-off table may take minutes. The answer is an error, or
    /// nothing.
    fn change_player(
        &mut self,
        player: &str,
        frontend: &mut Frontend,
        cancel: &Cancel,
    ) -> Result<Vec<String>, Failure> {
        let changed = self.listening(frontend, cancel, None, None, |engine| engine.set_player(player))?;
        if changed.is_ok() {
            remarks::print(self.engine.remark());
        }
        Ok(changed.err().map(|error| bad_value(error).line()).into_iter().collect())
    }

    /// Runs the engine while reading lines: `stop`, `quit` and the end of the time end the work. If the `values` of the
    /// options are given, `isready` and `get` are answered meanwhile; other lines wait.
    fn listening<T: Send>(
        &mut self,
        frontend: &mut Frontend,
        cancel: &Cancel,
        time: Option<Duration>,
        values: Option<&[(Id, String)]>,
        work: impl FnOnce(&mut Engine) -> T + Send,
    ) -> Result<T, Failure> {
        let stop = cancel.child();
        self.engine.set_cancel(&stop);
        let stops = Stops { after: time, at_end: false };
        let action = |line: &str| match (&*line.split_whitespace().collect::<Vec<_>>(), values) {
            (["stop"], _) => LineAction::Stop,
            (["quit" | "exit"], _) => LineAction::Quit,
            (["isready"], Some(_)) => LineAction::Answer(READY.to_owned()),
            (["get", name], Some(values)) => {
                let of = |id| values.iter().find(|(of, _)| *of == id);
                let value = |id| of(id).map_or_else(String::new, |(_, value)| value.clone());
                LineAction::Answer(value_line(name, value).unwrap_or_else(Refusal::line))
            }
            ([command, ..], _) => {
                let work = if values.is_some() { "a search runs" } else { "the tables of the player are made" };
                let command = Quoted::new(command).within(40);
                LineAction::QueueWithNote(format!("info string {work}: {command} waits for the end, and stop ends it"))
            }
            ([], _) => LineAction::Queue,
        };
        let worked = frontend.listen(&stop, stops, action, || work(&mut self.engine));
        self.engine.set_cancel(cancel);
        worked
    }
}

/// The answer to `get NAME`.
fn value_line(name: &str, value: impl Fn(Id) -> String) -> Result<String, Refusal> {
    let choice = options::find(name).ok_or_else(|| no_option(name))?;
    Ok(format!("value {name} {}", value(choice.id)))
}

fn no_option(name: &str) -> Refusal {
    Refusal("unsupported", format!("no option {}", Quoted::new(name).within(40)))
}
