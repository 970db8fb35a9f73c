//! The state between commands, and the dispatch of commands.

use std::io::{self, Write};
use std::mem;
use std::path::PathBuf;

use tavli::engine::Engine;
use tavli::file;
use tavli::run::Cancel;
use tavli::text::Quoted;
use tavli::transcript::{Analysis, Match};
use tavli::{NO_STOP, Position};
use tavli_terminal::line_reader;
use tavli_terminal::numbers::threads;

use super::texts::{name_of, unquoted, words};
use crate::engine_settings::WorkersWhenNeeded;
use crate::gnubg_values::{pass_over, toggle};
use crate::rollouts::RolloutSettings;

/// The default number of plays of a hint.
const DEFAULT_PLAYS: usize = 10;
/// The default number of plays of an exported position.
const PLAYS_EXPORTED: usize = 5;
/// GNU Backgammon's names of the players, by their seats.
const NAMES: [&str; 2] = ["gnubg", "root"];
/// The digits after the points of probabilities and equities, and the most.
const DEFAULT_DIGITS: usize = 3;
const MAX_DIGITS: usize = 6;
/// Files of commands that load files of commands.
const MAX_NESTED: usize = 8;

/// The answer to `help`.
const HELP: &str = "\
Available commands:
set xgid|gnubgid|board|matchid|dice|turn  the position
set cube value|owner|centre, set score    the cube, and the points of both players
set crawford|jacoby|beavers               the rules
set player .. name, set matchlength       names, and the length of new matches
set evaluation|analysis .. plies N        plies of look-ahead for plays, the cube and analysis
set evaluation .. type, set rollout ..    rollouts in place of evaluations
set output digits N                       digits of probabilities and equities
set export moves number N                 the plays of a roll that an export has
show board|turn|dice|score|cube|version   what is set
show pipcount|jacoby|beavers|crawford     the pip counts, the rules
show matchlength, show statistics         the length of new matches; errors and luck
hint [N], eval, rollout                   the best plays, the value, a rollout
new match N|game|session                  start a match, a game, a session for money
import mat|auto FILE                      a match
load commands FILE                        commands of a file
analyse match|session|game                find its errors and luck
export match|session|game|position ..     write as mat or text to a file
save match|session FILE                   write as SGF
quit
";

/// The state between commands.
pub(super) struct Session {
    pub(super) engine: Engine,
    /// Starts the engine's workers.
    workers: WorkersWhenNeeded,
    pub(super) position: Option<Position>,
    /// The names of the players, by their seats.
    pub(super) names: [String; 2],
    /// The length of new matches.
    pub(super) match_length: u16,
    /// The digits after the points of probabilities and equities.
    pub(super) digits: usize,
    /// Whether hints of plays are with the cube.
    pub(super) is_cubeful: bool,
    /// How many files of commands are being read.
    nested: usize,
    /// Whether gammons of money games count only once the cube has been turned, and whether there are beavers.
    pub(super) money: (bool, bool),
    pub(super) rollouts: RolloutSettings,
    /// Whether hints of plays and about the cube are rolled out.
    pub(super) rolls_out: [bool; 2],
    /// The imported match, and its analysis.
    pub(super) played: Option<Match>,
    pub(super) analysis: Option<Analysis>,
    /// The game and the step of the match whose position is shown.
    pub(super) at: (usize, usize),
    /// The plays that an exported position has.
    pub(super) exported_plays: usize,
    /// The text that commands have printed.
    pub(super) output: Vec<u8>,
}

impl Session {
    pub(super) fn new(engine: Engine, workers: WorkersWhenNeeded) -> Session {
        Session {
            engine,
            workers,
            position: None,
            names: NAMES.map(str::to_owned),
            // As GNU Backgammon begins.
            match_length: 7,
            digits: DEFAULT_DIGITS,
            is_cubeful: true,
            nested: 0,
            // As GNU Backgammon begins.
            money: (true, true),
            rollouts: RolloutSettings::default(),
            rolls_out: [false; 2],
            played: None,
            analysis: None,
            at: (0, 0),
            exported_plays: PLAYS_EXPORTED,
            output: Vec::new(),
        }
    }

    /// The text that commands have printed since the last call.
    pub(super) fn take_output(&mut self) -> Vec<u8> {
        mem::take(&mut self.output)
    }

    /// Obeys the command of a line; `false` if the session ends.
    pub(super) fn obey_line(&mut self, line: &str, cancel: &Cancel) -> io::Result<bool> {
        self.obey(&words(line).collect::<Vec<_>>(), cancel)
    }

    /// Obeys a command; `false` if the session ends.
    pub(super) fn obey(&mut self, words: &[&str], cancel: &Cancel) -> io::Result<bool> {
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
        match lower[..] {
            [] => {}
            ["quit" | "exit", ..] => return Ok(false),
            ["set", "xgid" | "gnubgid", ..] => self.set_position(&words[2..].join(" "))?,
            ["set", "board", ..] => self.set_board(&words[2..])?,
            ["set", "cube", ..] => self.set_cube(&words[2..])?,
            ["set", "score", own, other] => self.set_score([own, other])?,
            ["set", "crawford", ref switch @ ..] => {
                if let Some(is_crawford) = toggle(switch, "crawford", &mut self.output)? {
                    self.set_crawford(is_crawford)?;
                }
            }
            ["set", "matchlength", number] => self.set_match_length(number)?,
            ["set", "player", seat, "name", _, ..] => self.set_name(seat, &words[4..].join(" "))?,
            ["set", "player", seat, "human"] => self.answer_human(seat)?,
            ["set", "matchid", _] => {
                let board = self.position.map_or_else(|| self.engine.rules().start(), |position| *position.board());
                let text = format!("{}:{}", board.position_id(), words[2]);
                self.set_position(&text)?;
            }
            ["set", "dice", ref dice @ ..] => self.set_dice(&dice.concat())?,
            ["set", "turn", _] => self.set_turn(words[2])?,
            ["set", "player", ref setting @ ..] => self.pass_over_player(setting)?,
            ["set", "threads", number] => match threads(number) {
                Ok(number) => writeln!(self.output, "The number of threads has been set to {number}.")?,
                Err(error) => writeln!(self.output, "Error: set threads: {error}, and not `{number}'")?,
            },
            ["set", "automatic", what, "off"] => {
                let text = match what {
                    "game" => "Will not automatically start games.",
                    "roll" => "Will not automatically roll the dice.",
                    _ => "Will not do that automatically.",
                };
                writeln!(self.output, "{text}")?;
            }
            ["set", kind @ ("evaluation" | "analysis"), what, "evaluation", "plies", plies] => {
                self.set_plies(kind, what, plies)?;
            }
            ["set", "evaluation", "plies", plies] => self.set_plies("evaluation", "chequerplay", plies)?,
            ["set", "evaluation", "chequerplay", "evaluation", "cubeful", ref switch @ ..] => {
                let name = "evaluation chequerplay evaluation cubeful";
                if let Some(is_cubeful) = toggle(switch, name, &mut self.output)? {
                    self.is_cubeful = is_cubeful;
                    let kind = if is_cubeful { "cubeful" } else { "cubeless" };
                    writeln!(self.output, "`eval' and `hint' chequerplay will use {kind} evaluation.")?;
                }
            }
            [
                "set",
                "evaluation",
                what @ ("chequerplay" | "cubedecision"),
                "type",
                kind @ ("rollout" | "evaluation"),
            ] => {
                self.rolls_out[usize::from(what == "cubedecision")] = kind == "rollout";
                let kind = if kind == "rollout" { "rollouts" } else { "evaluation" };
                writeln!(self.output, "`eval' and `hint' {} will use {kind}.", name_of(what))?;
            }
            ["set", "rollout", ref setting @ ..] => self.rollouts.set(setting, &mut self.output)?,
            ["set", "output", "matchpc", "off"] => {
                writeln!(self.output, "Match winning chances will be shown as probabilities.")?;
            }
            ["set", "output", "mwc", "off"] => {
                writeln!(self.output, "Match evaluations will be shown as equivalent money equity.")?;
            }
            ["set", "output", "digits", number] => match number.parse() {
                Ok(digits @ 1..=MAX_DIGITS) => {
                    self.digits = digits;
                    writeln!(
                        self.output,
                        "Probabilities and equities will be shown with {digits} digits after the decimal separator"
                    )?;
                }
                _ => writeln!(self.output, "You must specify a number between 1 and {MAX_DIGITS}.")?,
            },
            ["set", "display", ref switch @ ..] => {
                if let Some(is_on) = toggle(switch, "display", &mut self.output)? {
                    let will = if is_on { "Will" } else { "Will not" };
                    writeln!(self.output, "{will} display boards for computer moves.")?;
                }
            }
            ["set", "jacoby", ref switch @ ..] => {
                if let Some(is_on) = toggle(switch, "jacoby", &mut self.output)? {
                    self.set_money(|money| money.0 = is_on)?;
                    let will = if is_on { "Will" } else { "Will not" };
                    writeln!(self.output, "{will} use the Jacoby rule for money sessions.")?;
                }
            }
            ["set", "beavers", number] => match number.parse::<u32>() {
                Ok(number) => {
                    self.set_money(|money| money.1 = number > 0)?;
                    match number {
                        0 => writeln!(self.output, "No beavers allowed in money sessions.")?,
                        1 => writeln!(self.output, "1 beaver allowed in money sessions.")?,
                        _ => writeln!(self.output, "{number} beavers/raccoons allowed in money sessions.")?,
                    }
                }
                Err(_) => writeln!(self.output, "You must specify the number of beavers to allow.")?,
            },
            ["set", "export", "moves", "number", number] => match number.parse() {
                Ok(number) => self.exported_plays = number,
                Err(_) => writeln!(self.output, "Error: set export moves number: `{number}' is not a number")?,
            },
            ["set", ref setting @ ..] => pass_over(setting, &mut self.output)?,
            ["load", "match" | "game" | "session" | "position" | "weights" | "python", ..] => {}
            ["load", "commands", _, ..] => return self.load(&words[2..].join(" "), cancel),
            ["import", "mat" | "auto", _, ..] => self.import(&words[2..].join(" "), cancel)?,
            ["export", "match" | "session", "mat", _, ..] => self.export(&words[3..].join(" "), Match::mat)?,
            ["save", "match" | "session", _, ..] => self.export(&words[2..].join(" "), Match::sgf)?,
            ["export", "match" | "session", "text", _, ..] => self.export_texts(&words[3..].join(" "), true, cancel)?,
            ["export", "game", "text", _, ..] => self.export_texts(&words[3..].join(" "), false, cancel)?,
            ["export", "position", "text", _, ..] => self.export_position(&words[3..].join(" "))?,
            ["export", "match" | "session", "mat" | "text"]
            | ["export", "game" | "position", "text"]
            | ["save", "match" | "session"] => {
                writeln!(self.output, "You must specify a file: write its name after `{}'", words.join(" "))?
            }
            ["save" | "export", ..] => writeln!(
                self.output,
                "Error: written are `export match mat', `export match text', `export game text', `export position \
                 text' and `save match', and not `{}'",
                Quoted::new(&words.join(" ")).within(60)
            )?,
            ["analyse" | "analyze", "match" | "session" | "game"] => self.analyse(cancel)?,
            ["show", "statistics", what @ ("match" | "session" | "game")] => {
                self.show_statistics(what == "game", cancel)?
            }
            ["new", "match"] => self.new_match(&self.match_length.to_string())?,
            ["new", "match", length] => self.new_match(length)?,
            ["new", what @ ("game" | "session"), after, ..] => {
                writeln!(self.output, "Error: new {what} takes no argument, but got `{}'", Quoted::new(after))?
            }
            ["new", "game"] => self.new_game()?,
            ["new", "session"] => {
                self.position = None;
                self.new_game()?;
            }
            ["show", "board"] => self.draw()?,
            ["show", what @ ("turn" | "dice" | "score" | "cube")] => self.show(what)?,
            ["show", what @ ("pipcount" | "jacoby" | "beavers" | "crawford" | "matchlength")] => {
                self.show_rule(what)?
            }
            ["show", "version"] => writeln!(self.output, "tavli {}", env!("CARGO_PKG_VERSION"))?,
            ["hint"] => self.hint(DEFAULT_PLAYS, cancel)?,
            ["hint", number] => match number.parse() {
                // As GNU Backgammon has it.
                Ok(0) => self.hint(DEFAULT_PLAYS, cancel)?,
                Ok(most) => self.hint(most, cancel)?,
                Err(_) => writeln!(
                    self.output,
                    "Error: hint N shows N plays, a whole number, and not `{}'",
                    Quoted::new(number).within(40)
                )?,
            },
            ["eval" | "evaluate", ..] => self.evaluate(cancel)?,
            ["rollout"] => self.roll_out(cancel)?,
            ["rollout", ..] => {
                writeln!(self.output, "The rollout command takes no arguments and only rollouts the current position")?
            }
            ["help"] => write!(self.output, "{HELP}")?,
            ["help", ..] => writeln!(
                self.output,
                "No help available for topic `{}' (try `help' for the list of commands)",
                words[1..].join(" ")
            )?,
            _ => writeln!(self.output, "Unknown keyword `{}' (try `help').", Quoted::new(&words.join(" ")).within(60))?,
        }
        Ok(true)
    }

    /// Obeys the commands of a file; `false` if one of them ends the session.
    fn load(&mut self, path: &str, cancel: &Cancel) -> io::Result<bool> {
        let path = unquoted(path);
        if self.nested == MAX_NESTED {
            writeln!(self.output, "Error: load commands {path}: {MAX_NESTED} files load each other already")?;
            return Ok(true);
        }
        let named = PathBuf::from(path);
        let read = move || file::read(&named, file::MAX_TEXT_BYTES, NO_STOP);
        let text = match line_reader::unless(read, || cancel.is_cancelled()) {
            Ok(Some(Ok(bytes))) => String::from_utf8_lossy(&bytes).into_owned(),
            Ok(None) => return Ok(false),
            Ok(Some(Err(error))) | Err(error) => {
                writeln!(self.output, "Error: cannot read {path}: {error}")?;
                return Ok(true);
            }
        };
        self.nested += 1;
        let mut goes_on = true;
        for line in text.lines() {
            goes_on = !cancel.is_cancelled() && self.obey_line(line, cancel)?;
            if !goes_on {
                break;
            }
        }
        self.nested -= 1;
        Ok(goes_on)
    }

    /// Starts the engine's workers, which share long work, if they have not started; `false` with a message if they
    /// cannot.
    pub(super) fn start_workers(&mut self) -> io::Result<bool> {
        match self.workers.take().map(|start| start()) {
            None => Ok(true),
            Some(Ok(workers)) => {
                self.engine.set_workers(workers);
                Ok(true)
            }
            Some(Err(error)) => writeln!(self.output, "Error: {error}").map(|()| false),
        }
    }
}
