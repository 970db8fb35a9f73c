//! The state between commands, and what each command does.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::mem;
use std::path::Path;

use tavli::cube::CubeValues;
use tavli::engine::Engine;
use tavli::evaluators::Probabilities;
use tavli::file::{Existing, Target};
use tavli::rollout::Rollout;
use tavli::run::Cancel;
use tavli::text::Quoted;
use tavli::transcript::{Action, Analysis, By, Match, Step};
use tavli::{Context, Cube, Player, Position, Roll, Seat, Stage, Stakes};

use crate::cube::{alternatives, may_double};
use crate::engines::rollouts::{self, RolloutSettings};
use crate::engines::{MOST_PLIES, WorkersWhenNeeded, statistics};
use crate::numbers::counted;
use crate::progress::Bar;

/// The plays of a hint, unless another number is asked for.
const PLAYS: usize = 10;
/// The plays of an exported position, unless another number is set.
const PLAYS_EXPORTED: usize = 5;
/// The columns of the board in a drawing, up to the line at its right.
const BOARD: usize = 44;
/// What GNU Backgammon calls the players, by their seats.
const NAMES: [&str; 2] = ["gnubg", "root"];
/// The digits behind the points of probabilities and equities, and the most.
const DIGITS: usize = 3;
const MOST_DIGITS: usize = 6;
/// Files of commands that load files of commands.
const MOST_NESTED: usize = 8;

/// The answer to `help`.
const HELP: &str = "\
Available commands:
set xgid|gnubgid|board|matchid|dice|turn  the position
set cube value|owner|centre, set score    the cube, and the points of both players
set crawford|jacoby|beavers               the rules
set player .. name, set matchlength       names, and the length of new matches
set evaluation|analysis .. plies N        how far plays, cubes and matches are looked ahead
set evaluation .. type, set rollout ..    rollouts in place of evaluations
set output digits N                       digits of probabilities and equities
set export moves number N                 the plays of a roll that an export has
show board|turn|dice|score|cube|version   what is set
show pipcount|jacoby|beavers|crawford     likewise
show matchlength                          likewise
hint [N], eval, rollout                   the best plays, the value, a rollout
new match N|game|session                  a new one
import mat|auto FILE                      a match
load commands FILE                        commands of a file
analyse match|session|game                its errors and luck, shown by show statistics
export match|game|position .. FILE        as mat or text; save match FILE as SGF
quit
";

/// The words of a command, up to a comment.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split('#').next().unwrap_or_default().split_whitespace()
}

/// The state between commands.
pub(super) struct Session {
    pub(super) engine: Engine,
    /// Starts the engine's workers.
    workers: WorkersWhenNeeded,
    pub(super) position: Option<Position>,
    /// What the players are called, by their seats.
    pub(super) names: [String; 2],
    /// The length of new matches.
    pub(super) match_length: u16,
    /// The digits behind the points of probabilities and equities.
    pub(super) digits: usize,
    /// Whether hints of plays are with the cube.
    is_cubeful: bool,
    /// How many files of commands are being read.
    nested: usize,
    /// Whether gammons of money games count only once the cube has been turned, and whether there are beavers.
    pub(super) money: (bool, bool),
    pub(super) rollouts: RolloutSettings,
    /// Whether hints of plays and about the cube are rolled out.
    pub(super) rolls_out: [bool; 2],
    /// The match that was imported, and its analysis.
    pub(super) played: Option<Match>,
    pub(super) analysis: Option<Analysis>,
    /// The game and the step of the match that the position is of.
    pub(super) at: (usize, usize),
    /// The plays that an exported position has.
    pub(super) exported_plays: usize,
    /// What commands have printed.
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
            digits: DIGITS,
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

    /// What commands have printed since the last call.
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
            ["set", "crawford", switch] => self.set_crawford(switch == "on")?,
            ["set", "matchlength", number] => self.set_match_length(number)?,
            ["set", "player", seat, "name", _] => self.set_name(seat, words[4])?,
            ["set", "player", seat, "human"] => self.answer_human(seat)?,
            ["set", "matchid", _] => {
                let board = self
                    .position
                    .map_or_else(|| self.engine.rules().start(), |position| *position.board());
                let text = format!("{}:{}", board.position_id(), words[2]);
                self.set_position(&text)?;
            }
            ["set", "dice", ref dice @ ..] => self.set_dice(&dice.concat())?,
            ["set", "turn", _] => self.set_turn(words[2])?,
            ["set", "player", ..] => {}
            ["set", "threads", number] => match number.parse::<u32>() {
                Ok(number) => writeln!(self.output, "The number of threads has been set to {number}.")?,
                Err(_) => writeln!(self.output, "Error: set threads: `{number}' is no number")?,
            },
            ["set", "automatic", what, "off"] => {
                let text = match what {
                    "game" => "Will not automatically start games.",
                    "roll" => "Will not automatically roll the dice.",
                    _ => "Will not do that automatically.",
                };
                writeln!(self.output, "{text}")?;
            }
            [
                "set",
                kind @ ("evaluation" | "analysis"),
                what,
                "evaluation",
                "plies",
                plies,
            ] => {
                self.set_plies(kind, what, plies)?;
            }
            ["set", "evaluation", "plies", plies] => self.set_plies("evaluation", "chequerplay", plies)?,
            ["set", "evaluation", "chequerplay", "evaluation", "cubeful", switch] => {
                self.is_cubeful = switch != "off";
                let kind = if self.is_cubeful { "cubeful" } else { "cubeless" };
                writeln!(self.output, "`eval' and `hint' chequerplay will use {kind} evaluation.")?;
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
                writeln!(
                    self.output,
                    "Match evaluations will be shown as equivalent money equity."
                )?;
            }
            ["set", "output", "digits", number] => match number.parse() {
                Ok(digits @ 1..=MOST_DIGITS) => {
                    self.digits = digits;
                    writeln!(
                        self.output,
                        "Probabilities and equities will be shown with {digits} digits after the decimal separator"
                    )?;
                }
                _ => writeln!(self.output, "You must specify a number between 1 and {MOST_DIGITS}.")?,
            },
            ["set", "display", switch @ ("on" | "off")] => {
                let will = if switch == "on" { "Will" } else { "Will not" };
                writeln!(self.output, "{will} display boards for computer moves.")?;
            }
            ["set", "jacoby", switch @ ("on" | "off")] => {
                let is_on = switch == "on";
                self.set_money(|money| money.0 = is_on)?;
                let will = if is_on { "Will" } else { "Will not" };
                writeln!(self.output, "{will} use the Jacoby rule for money sessions.")?;
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
                Err(_) => writeln!(self.output, "Error: set export moves number: `{number}' is no number")?,
            },
            [
                "set",
                "export" | "lang" | "display" | "output" | "automatic" | "confirm" | "analysis" | "evaluation"
                | "prompt" | "seed" | "rng" | "sound" | "cache",
                ..,
            ]
            | [
                "load",
                "match" | "game" | "session" | "position" | "weights" | "python",
                ..,
            ] => {}
            ["load", "commands", _, ..] => return self.load(&words[2..].join(" "), cancel),
            ["import", "mat" | "auto", _, ..] => self.import(&words[2..].join(" "), cancel)?,
            ["export", "match" | "session", "mat", _, ..] => self.export(&words[3..].join(" "), Match::mat)?,
            ["save", "match" | "session", _, ..] => self.export(&words[2..].join(" "), Match::sgf)?,
            ["export", "match" | "session", "text", _, ..] => self.export_texts(&words[3..].join(" "), true, cancel)?,
            ["export", "game", "text", _, ..] => self.export_texts(&words[3..].join(" "), false, cancel)?,
            ["export", "position", "text", _, ..] => self.export_position(&words[3..].join(" "))?,
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
            ["new", "game", ..] => self.new_game()?,
            ["new", "session", ..] => {
                self.position = None;
                self.new_game()?;
            }
            ["show", "board"] => self.draw()?,
            ["show", what @ ("turn" | "dice" | "score" | "cube")] => self.show(what)?,
            [
                "show",
                what @ ("pipcount" | "jacoby" | "beavers" | "crawford" | "matchlength"),
            ] => self.show_rule(what)?,
            ["show", "version"] => writeln!(self.output, "tavli {}", env!("CARGO_PKG_VERSION"))?,
            ["hint"] => self.hint(PLAYS, cancel)?,
            ["hint", number] => self.hint(number.parse().unwrap_or(PLAYS), cancel)?,
            ["eval" | "evaluate", ..] => self.evaluate(cancel)?,
            ["rollout"] => self.roll_out(cancel)?,
            ["rollout", ..] => writeln!(
                self.output,
                "The rollout command takes no arguments and only rollouts the current position"
            )?,
            ["help"] => write!(self.output, "{HELP}")?,
            ["help", ..] => writeln!(
                self.output,
                "No help available for topic `{}' (try `help' for the list of commands)",
                words[1..].join(" ")
            )?,
            _ => writeln!(
                self.output,
                "Unknown keyword `{}' (try `help').",
                Quoted::new(&words.join(" ")).within(60)
            )?,
        }
        Ok(true)
    }

    /// Reads a match, and shows the position before its last step.
    fn import(&mut self, path: &str, cancel: &Cancel) -> io::Result<()> {
        let path = unquoted(path);
        match crate::analyze::read(Path::new(path), cancel) {
            Ok(None) => Ok(()),
            Ok(Some(played)) => {
                let last = played
                    .games
                    .iter()
                    .enumerate()
                    .rev()
                    .find(|(_, game)| !game.steps.is_empty());
                let last = last.map(|(number, game)| (number, game.steps.len() - 1));
                self.names = played.players.clone();
                (self.played, self.analysis) = (Some(played), None);
                self.go_to(last.unwrap_or_default());
                self.draw()
            }
            Err(error) => writeln!(self.output, "Error: {error}"),
        }
    }

    /// Shows the position before a step of the match.
    pub(super) fn go_to(&mut self, (game, step): (usize, usize)) {
        let played = self
            .played
            .as_ref()
            .and_then(|played| played.games.get(game)?.steps.get(step));
        self.position = played.map(seated);
        self.at = (game, step);
    }

    /// Writes the match in a form, over what has the name.
    fn export(&mut self, path: &str, form: fn(&Match) -> String) -> io::Result<()> {
        let path = unquoted(path);
        let Some(played) = &self.played else {
            return writeln!(self.output, "No match to write: import one.");
        };
        let text = form(played);
        self.write(Path::new(path), &text)
    }

    /// Writes a file, over what has the name.
    pub(super) fn write(&mut self, path: &Path, text: &str) -> io::Result<()> {
        let target = Target::open(path, Existing::Replace);
        match target.and_then(|target| target.replace(text.as_bytes())) {
            Ok(()) => Ok(()),
            Err(error) => writeln!(self.output, "Error: {error}"),
        }
    }

    /// Obeys the commands of a file; `false` if one of them ends the session.
    fn load(&mut self, path: &str, cancel: &Cancel) -> io::Result<bool> {
        let path = unquoted(path);
        if self.nested == MOST_NESTED {
            writeln!(
                self.output,
                "Error: load commands {path}: {MOST_NESTED} files load each other already"
            )?;
            return Ok(true);
        }
        let text = match std::fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
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

    /// Analyses the match, unless it is.
    fn analyse(&mut self, cancel: &Cancel) -> io::Result<()> {
        if !self.start_workers()? {
            return Ok(());
        }
        let Some(played) = &self.played else {
            return writeln!(self.output, "No match to analyse: import one.");
        };
        if self.analysis.is_none() {
            match Analysis::new(played, &self.engine, By::Player, |_, _| ()) {
                // A part would pass for all of it.
                Ok(analysis) if analysis.cancelled && !cancel.is_cancelled() => {
                    writeln!(self.output, "Error: interrupted")?;
                }
                Ok(analysis) if analysis.cancelled => {}
                Ok(analysis) => self.analysis = Some(analysis),
                Err(error) => writeln!(self.output, "Error: {error}")?,
            }
        }
        Ok(())
    }

    /// Shows the statistics of the match, or of its last game, which it analyses first.
    fn show_statistics(&mut self, of_game: bool, cancel: &Cancel) -> io::Result<()> {
        self.analyse(cancel)?;
        let (Some(played), Some(analysis)) = (&self.played, &self.analysis) else {
            return Ok(());
        };
        let game = of_game.then(|| played.games.len() - 1);
        statistics::write(played, analysis, game, &mut self.output)
    }

    fn set_position(&mut self, text: &str) -> io::Result<()> {
        match text.parse::<Position>() {
            Ok(position) => {
                let cube = position.context().cube.log2;
                if let Stage::Rolled(roll) = position.context().stage {
                    writeln!(
                        self.output,
                        "The dice have been set to {} and {}.",
                        roll.high(),
                        roll.low()
                    )?;
                }
                if cube > 0 {
                    writeln!(self.output, "The cube has been set to {}.", 1_u32 << cube)?;
                }
                // It begins a game, and then sets the board.
                let start = self.engine.rules().start();
                self.position = Position::new(start, *position.context()).ok();
                self.draw()?;
                self.position = Some(position);
                self.draw()
            }
            Err(error) => writeln!(self.output, "Error: {error}"),
        }
    }

    /// Sets the checkers, and leaves cube, score and dice as they are unless the text names them.
    fn set_board(&mut self, words: &[&str]) -> io::Result<()> {
        let text = match *words {
            // Here the bar of the player on roll is the first number, and that of the opponent the last.
            ["simple", own, ref points @ .., other] if points.len() == 24 => {
                [&[other], points, &[own]].concat().join(" ")
            }
            ["simple", ..] => {
                return writeln!(
                    self.output,
                    "Error: set board: write a Position ID, or simple and 26 numbers"
                );
            }
            _ => words.join(" "),
        };
        match (Position::read(&text), self.position) {
            (Ok(read), Some(before)) if !read.has_context => {
                self.position = Position::new(*read.position.board(), *before.context()).ok();
                self.draw()
            }
            _ => self.set_position(&text),
        }
    }

    /// Gives the turn to a player, who has not rolled; the checkers stay where they are.
    fn set_turn(&mut self, name: &str) -> io::Result<()> {
        let Some(seat) = self.seat(name) else {
            return writeln!(self.output, "Unknown player `{name}' (see `help set turn').");
        };
        let Some(position) = self.position else {
            return writeln!(self.output, "There must be a game in progress to set a player on roll.");
        };
        let context = *position.context();
        let same = context.seat == seat;
        let board = if same {
            *position.board()
        } else {
            position.board().swapped()
        };
        let (score, opponent_score) = match same {
            true => (context.score, context.opponent_score),
            false => (context.opponent_score, context.score),
        };
        let owner = context.cube.owner.map(|owner| match (same, owner) {
            (true, owner) => owner,
            (false, Player::OnRoll) => Player::Opponent,
            (false, Player::Opponent) => Player::OnRoll,
        });
        let mut context = Context {
            seat,
            stage: Stage::ToRoll,
            resignation: None,
            score,
            opponent_score,
            cube: Cube { owner, ..context.cube },
            ..context
        };
        context.decision = context.awaited();
        self.position = Position::new(board, context).ok();
        writeln!(self.output, "`{}' is now on roll.", self.names[seat as usize])
    }

    /// Begins a game of the match, or for money.
    fn new_game(&mut self) -> io::Result<()> {
        let usual = Context::default();
        let (jacoby, beavers) = self.money;
        let context = match self.position.map(|position| *position.context()) {
            Some(before) if matches!(before.stakes, Stakes::Match { .. }) => Context {
                stakes: before.stakes,
                seat: before.seat,
                score: before.score,
                opponent_score: before.opponent_score,
                ..usual
            },
            _ => Context {
                stakes: Stakes::Money { jacoby, beavers },
                ..usual
            },
        };
        self.position = Position::new(self.engine.rules().start(), context).ok();
        self.draw()
    }

    /// Begins a match.
    fn new_match(&mut self, length: &str) -> io::Result<()> {
        // More points than a match can have are refused as too many, however many they are.
        let points = length
            .parse()
            .map_or(0, |points: u64| points.min(u16::MAX.into()) as u16);
        let context = Context {
            stakes: Stakes::Match {
                length: points,
                crawford: false,
            },
            ..Context::default()
        };
        match Position::new(self.engine.rules().start(), context) {
            Ok(position) => {
                self.position = Some(position);
                writeln!(
                    self.output,
                    "A new {} match has been started.",
                    counted(u64::from(points), "point", "points")
                )?;
                self.draw()
            }
            Err(error) => writeln!(self.output, "Error: new match {length}: {error}"),
        }
    }

    /// Shows a part of the state.
    pub(super) fn show(&mut self, what: &str) -> io::Result<()> {
        let Some(position) = self.position else {
            return writeln!(self.output, "There is no game in progress.");
        };
        let context = position.context();
        let own = &self.names[context.seat as usize];
        let other = &self.names[other_seat(context.seat) as usize];
        let [top, bottom] = match context.seat {
            Seat::Top => [context.score, context.opponent_score],
            Seat::Bottom => [context.opponent_score, context.score],
        };
        match what {
            // As GNU Backgammon 1.07 spells it.
            "turn" => {
                let what = if position.roll().is_some() { "move" } else { "roll" };
                writeln!(self.output, "{own} in on {what}.")
            }
            "dice" => match context.stage {
                Stage::Rolled(roll) => writeln!(self.output, "{own} has rolled {} and {}.", roll.high(), roll.low()),
                _ => writeln!(self.output, "{own} has not yet rolled the dice."),
            },
            "score" => {
                let stakes = match context.stakes {
                    Stakes::Match { length, crawford } => {
                        let is_late = [top, bottom].contains(&length.saturating_sub(1));
                        let play = match (crawford, is_late && length > 1) {
                            (true, _) => ", Crawford game",
                            (false, true) => ", post-Crawford play",
                            (false, false) => "",
                        };
                        format!("match to {}{play}", counted(u64::from(length), "point", "points"))
                    }
                    Stakes::Money { jacoby: true, .. } => "money session, with Jacoby rule".to_owned(),
                    Stakes::Money { .. } => "money session, without Jacoby rule".to_owned(),
                };
                let [of_top, of_bottom] = &self.names;
                writeln!(
                    self.output,
                    "The score (after 0 games) is: {of_top} {top}, {of_bottom} {bottom} ({stakes})"
                )
            }
            _ => {
                let owner = match context.cube.owner {
                    None => "centred".to_owned(),
                    Some(Player::OnRoll) => format!("owned by {own}"),
                    Some(Player::Opponent) => format!("owned by {other}"),
                };
                writeln!(
                    self.output,
                    "The cube is at {}, and is {owner}.",
                    1_u32 << context.cube.log2
                )
            }
        }
    }

    fn set_dice(&mut self, text: &str) -> io::Result<()> {
        match (text.parse::<Roll>(), self.position) {
            (_, None) => writeln!(self.output, "There must be a game in progress to set the dice."),
            (Ok(roll), Some(position)) => {
                let context = Context {
                    stage: Stage::Rolled(roll),
                    ..*position.context()
                };
                let position = Position::new(*position.board(), context);
                match position {
                    Ok(position) => self.position = Some(position),
                    Err(error) => return writeln!(self.output, "Error: {error}"),
                }
                writeln!(
                    self.output,
                    "The dice have been set to {} and {}.",
                    roll.high(),
                    roll.low()
                )
            }
            (Err(_), _) => writeln!(self.output, "You must specify two numbers from 1 to 6 for the dice."),
        }
    }

    /// Changes whether gammons count before the cube is turned, and whether there are beavers.
    fn set_money(&mut self, change: impl Fn(&mut (bool, bool))) -> io::Result<()> {
        change(&mut self.money);
        if let Some(position) = self.position {
            let mut context = *position.context();
            if let Stakes::Money { jacoby, beavers } = &mut context.stakes {
                let mut money = (*jacoby, *beavers);
                change(&mut money);
                (*jacoby, *beavers) = money;
                self.position = Position::new(*position.board(), context).ok();
            }
        }
        Ok(())
    }

    fn set_plies(&mut self, kind: &str, what: &str, plies: &str) -> io::Result<()> {
        let Some(plies) = plies.parse().ok().filter(|plies| *plies <= MOST_PLIES) else {
            return writeln!(self.output, "Error: plies are 0 to {MOST_PLIES}, and not `{plies}'");
        };
        // What looks ahead is shared by workers.
        if plies > 0 && !self.start_workers()? {
            return Ok(());
        }
        self.engine.set_plies(plies);
        self.analysis = None;
        let whose = match (kind, name_of(what)) {
            ("analysis", "chequerplay") => "Analysis chequerplay".to_owned(),
            ("analysis", _) => "Analysis cubedecision".to_owned(),
            (_, what) => format!("`eval' and `hint' {what}"),
        };
        writeln!(self.output, "{whose} will use {plies} ply evaluation.")
    }

    /// Draws the board as GNU Backgammon does.
    fn draw(&mut self) -> io::Result<()> {
        match &self.position {
            None => writeln!(self.output, "No game in progress."),
            Some(position) => {
                let names = self.names.each_ref().map(String::as_str);
                writeln!(self.output, "{}", drawing(position, names))
            }
        }
    }

    fn hint(&mut self, most: usize, cancel: &Cancel) -> io::Result<()> {
        let Some(position) = self.position else {
            return writeln!(self.output, "You must start a game before asking for a hint.");
        };
        match position.context().stage {
            Stage::Rolled(roll) if self.rolls_out[0] => self.hint_rollouts(&position, roll, most, cancel),
            Stage::Rolled(roll) => self.hint_plays(&position, roll, most),
            _ if self.rolls_out[1] => self.hint_cube_rollout(&position, cancel),
            _ => self.hint_cube(&position, cancel),
        }
    }

    /// Rolls out the position before its roll.
    fn roll_out(&mut self, cancel: &Cancel) -> io::Result<()> {
        let Some(position) = self.position else {
            return writeln!(self.output, "No position specified and no game in progress.");
        };
        match self.rolled_out(&position, None, cancel)? {
            Some(rollout) => writeln!(
                self.output,
                "\nCurrent Position:\n{}",
                rollouts::of_position(&rollout, "")
            ),
            None => Ok(()),
        }
    }

    /// A rollout with a trial or more; otherwise a message was printed.
    fn rolled_out(&mut self, position: &Position, roll: Option<Roll>, cancel: &Cancel) -> io::Result<Option<Rollout>> {
        if !self.start_workers()? {
            return Ok(None);
        }
        let bar = Bar::new();
        let played = self
            .rollouts
            .play(position, roll, &self.engine, |progress| bar.show_rollout(progress));
        match played {
            Ok(rollout) if rollout.summary().trials > 0 => Ok(Some(rollout)),
            Ok(_) if cancel.is_cancelled() => Ok(None),
            Ok(_) => writeln!(self.output, "Error: interrupted").map(|()| None),
            Err(error) => writeln!(self.output, "Error: {error}").map(|()| None),
        }
    }

    /// The best plays of a roll by rollouts of those that the player values near the best.
    fn hint_rollouts(&mut self, position: &Position, roll: Roll, most: usize, cancel: &Cancel) -> io::Result<()> {
        let Some(rollout) = self.rolled_out(position, Some(roll), cancel)? else {
            return Ok(());
        };
        let summary = rollout.summary();
        let best = summary.best().value().mean;
        for (rank, result) in (1..).zip(summary.standings.iter().take(most)) {
            let moves = rollout.candidates()[result.candidate].moves.as_ref();
            let (moves, equity) = (moves.map(ToString::to_string).unwrap_or_default(), result.value().mean);
            write!(self.output, "{rank:>5}. {:<17}{moves:<28} Eq.: {equity:+.3}", "Rollout")?;
            if rank > 1 {
                write!(self.output, " ({:+.3})", equity - best)?;
            }
            write!(
                self.output,
                "\n{}",
                rollouts::rows(result, result.cubeful.as_ref(), "     ")
            )?;
            writeln!(self.output, "{}", self.rollouts.describe(result.trials, &self.engine))?;
        }
        Ok(())
    }

    fn hint_plays(&mut self, position: &Position, roll: Roll, most: usize) -> io::Result<()> {
        let mut engine = self.engine.clone();
        engine.set_cubeful(self.is_cubeful);
        let ranked = match engine.plays(position, roll) {
            Ok(ranked) => ranked,
            Err(error) => return writeln!(self.output, "Error: {error}"),
        };
        let digits = self.digits;
        if let [only] = &ranked.plays[..]
            && only.play.moves.steps().is_empty()
        {
            return writeln!(self.output, "There are no legal moves.");
        }
        let best = ranked.plays.first().map_or(0.0, tavli::evaluation::RankedPlay::equity);
        for (rank, play) in (1..).zip(ranked.plays.iter().take(most)) {
            let cubeful = if play.cubeful.is_some() { "Cubeful" } else { "Cubeless" };
            let plies = play.play.plies;
            let (moves, equity) = (play.play.moves.to_string(), play.equity());
            write!(
                self.output,
                "{rank:>5}. {cubeful} {plies}-ply    {moves:<28} Eq.: {equity:+.digits$}"
            )?;
            if rank > 1 {
                write!(self.output, " ({:+.digits$})", equity - best)?;
            }
            writeln!(self.output, "\n       {}", shares(&play.play.value, digits))?;
            writeln!(
                self.output,
                "        {plies}-ply {} [{}]",
                cubeful.to_lowercase(),
                self.engine.player()
            )?;
        }
        Ok(())
    }

    fn hint_cube(&mut self, position: &Position, cancel: &Cancel) -> io::Result<()> {
        let decision = match self.engine.decision(position) {
            Ok(Some(decision)) => decision,
            Ok(None) if cancel.is_cancelled() => return Ok(()),
            Ok(None) => return writeln!(self.output, "Error: interrupted"),
            Err(error) => return writeln!(self.output, "Error: {error}"),
        };
        match decision.cube {
            Some(cube) if may_double(cube.action) => {
                let plies = self.engine.plies();
                let text = cube_analysis(plies, position, (decision.value, cube), Player::OnRoll, self.digits);
                writeln!(self.output, "{text}")
            }
            _ => writeln!(self.output, "You cannot double."),
        }
    }

    fn hint_cube_rollout(&mut self, position: &Position, cancel: &Cancel) -> io::Result<()> {
        let Some(rollout) = self.rolled_out(position, None, cancel)? else {
            return Ok(());
        };
        match rollout.cube_decision() {
            Some(decision) if may_double(decision.values.action) => {
                write!(
                    self.output,
                    "\nCube analysis\nRollout cubeless equity {:+.3}\n{}",
                    decision.values.cubeless,
                    rollouts::of_position(&rollout, "")
                )?;
                writeln!(self.output, "{}", cube_equities(&decision.values, 1.0, self.digits))?;
                let trials = rollout.summary().trials;
                writeln!(
                    self.output,
                    "Rollout details:\n{}\n",
                    self.rollouts.describe(trials, &self.engine)
                )
            }
            _ => writeln!(self.output, "You cannot double."),
        }
    }

    fn evaluate(&mut self, cancel: &Cancel) -> io::Result<()> {
        let Some(position) = self.position else {
            return writeln!(self.output, "No position specified and no game in progress.");
        };
        let (plies, digits) = (self.engine.plies(), self.digits);
        writeln!(
            self.output,
            "\nPosition ID:\t{}\nMatch ID:\t{}\n\nEvaluator: \t{}\n\n\n        Win     W(g)    W(bg)   L(g)    L(bg)   \
             Equity    Cubeful  ",
            position.position_id(),
            position.match_id(),
            self.engine.player()
        )?;
        let mut last = None;
        for of in 0..=plies {
            self.engine.set_plies(of);
            let decision = self.engine.decision(&position);
            self.engine.set_plies(plies);
            let decision = match decision {
                Ok(Some(decision)) => decision,
                Ok(None) if cancel.is_cancelled() => return Ok(()),
                Ok(None) => return writeln!(self.output, "Error: interrupted"),
                Err(error) => return writeln!(self.output, "Error: {error}"),
            };
            match of {
                0 => write!(self.output, "static:")?,
                _ => write!(self.output, "{of:>2} ply:")?,
            }
            for chance in [1, 2, 3, -2, -3].map(|points| decision.value.at_least(points)) {
                write!(self.output, " {:<7}", format!("{chance:.digits$}"))?;
            }
            let money = decision.value.equity();
            let [cubeless, cubeful] = decision.cube.map_or([money; 2], |cube| [cube.cubeless, cube.best()]);
            let [cubeless, cubeful] = [cubeless, cubeful].map(|equity| format!("{equity:+.digits$}"));
            writeln!(self.output, " {cubeless:<9} {cubeful:<10}")?;
            last = decision.cube.map(|cube| (decision.value, cube));
        }
        writeln!(self.output)?;
        match last.filter(|(_, cube)| may_double(cube.action)) {
            Some(decision) => {
                let text = cube_analysis(plies, &position, decision, Player::OnRoll, digits);
                writeln!(self.output, "\n{text}")
            }
            None => Ok(()),
        }
    }
}

/// The board as GNU Backgammon draws it, with the names of the players at the top and at the bottom.
pub(super) fn drawing(position: &Position, [top, bottom]: [&str; 2]) -> String {
    let mut text = String::new();
    let context = position.context();
    let (length, crawford) = match context.stakes {
        Stakes::Money { .. } => (None, false),
        Stakes::Match { length, crawford } => (Some(length), crawford),
    };
    let cube = format!("(Cube: {})", 1_u32 << context.cube.log2);
    let owner = context.cube.owner.map(|owner| match owner {
        Player::OnRoll => context.seat,
        Player::Opponent => other_seat(context.seat),
    });
    let owned = |seat: Seat| {
        if owner == Some(seat) {
            format!(" {cube}")
        } else {
            String::new()
        }
    };
    let mut middle = length.map_or_else(String::new, |length| {
        format!("{} match", counted(length, "point", "points"))
    });
    if crawford {
        middle.push_str(" (Crawford game)");
    } else if owner.is_none() {
        let blank = if middle.is_empty() { "" } else { " " };
        middle.push_str(&format!("{blank}{cube}"));
    }
    let on_roll = match context.stage {
        Stage::Rolled(roll) => format!("Rolled {roll}"),
        Stage::Doubled => format!("Cube offered at {}", 2_u32 << context.cube.log2),
        _ => "On roll".to_owned(),
    };
    let _ = writeln!(text, " GNU Backgammon  Position ID: {}", position.position_id());
    let _ = writeln!(text, "                 Match ID   : {}", position.match_id());
    let drawing = position.diagram().to_string();
    for line in drawing.lines() {
        let (board, right) = line.split_at(line.len().min(BOARD));
        let right = if right.contains("O: ") {
            format!("     O: {top}{}", owned(Seat::Top))
        } else if right.contains("X: ") {
            format!("     X: {bottom}{}", owned(Seat::Bottom))
        } else if board.contains("|BAR|") {
            format!("     {middle}")
        } else if let Some(borne_off) = right.strip_suffix("To roll") {
            format!("{borne_off}{on_roll}")
        } else if let Some((borne_off, _)) = right.split_once("Rolled") {
            format!("{borne_off}{on_roll}")
        } else {
            right.to_owned()
        };
        let _ = writeln!(text, "{board}{right}");
    }
    text
}

/// The analysis of a decision about the cube, as the player on roll sees it, or as his opponent who was doubled does.
pub(super) fn cube_analysis(
    plies: u32,
    position: &Position,
    decision: (Probabilities, CubeValues),
    who: Player,
    digits: usize,
) -> String {
    let (value, cube) = decision;
    let (value, sign) = match who {
        Player::OnRoll => (value, 1.0),
        Player::Opponent => (value.reversed(), -1.0),
    };
    let mut text = format!(
        "\nCube analysis\n{plies}-ply cubeless equity {:+.digits$}",
        sign * cube.cubeless
    );
    if let Stakes::Match { .. } = position.context().stakes {
        let _ = write!(text, " (Money: {:+.digits$})", value.equity());
    }
    text + &format!("\n  {}\n{}", shares(&value, digits), cube_equities(&cube, sign, digits))
}

/// The equities of what may be done with the cube, times `sign`, and what is right.
fn cube_equities(cube: &CubeValues, sign: f64, digits: usize) -> String {
    let mut text = "Cubeful equities:\n".to_owned();
    let best = cube.best();
    for (number, (name, value)) in (1..).zip(alternatives(cube)) {
        let _ = write!(text, "{number}. {name:<20}{:+.digits$}", sign * value);
        if number > 1 {
            let _ = write!(text, "  ({:+.digits$})", sign * (value - best));
        }
        text.push('\n');
    }
    let _ = write!(text, "Proper cube action: {}", cube.action);
    if let Some(share) = cube.wrong_answers() {
        let _ = write!(text, " ({:.1}%)", 100.0 * share);
    }
    text + "\n"
}

/// The position of a step with the first player of the match at the top, where GNU Backgammon has him.
pub(super) fn seated(step: &Step) -> Position {
    let on_roll = match step.action {
        Action::Double | Action::Play { .. } => step.player,
        Action::Take | Action::Pass => 1 - step.player,
    };
    let context = Context {
        seat: if on_roll == 0 { Seat::Top } else { Seat::Bottom },
        ..*step.position.context()
    };
    Position::new(*step.position.board(), context).expect("the same game from another side")
}

/// What GNU Backgammon calls a kind of decision in a sentence.
fn name_of(what: &str) -> &'static str {
    if what.starts_with("cube") {
        "cube decisions"
    } else {
        "chequerplay"
    }
}

pub(super) fn other_seat(seat: Seat) -> Seat {
    match seat {
        Seat::Top => Seat::Bottom,
        Seat::Bottom => Seat::Top,
    }
}

/// The name of a file, which may stand between quotation marks.
pub(super) fn unquoted(name: &str) -> &str {
    name.strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'))
        .unwrap_or(name)
}

/// The shares of the outcomes in GNU Backgammon's row.
pub(super) fn shares(value: &Probabilities, digits: usize) -> String {
    let of = |points: [i32; 3]| {
        points
            .map(|points| format!("{:.digits$}", value.at_least(points)))
            .join(" ")
    };
    format!("{} - {}", of([1, 2, 3]), of([-1, -2, -3]))
}
