//! Commands that set the position, the dice and the look-ahead.

use std::io::{self, Write};

use tavli::board::MAX_POINTS;
use tavli::text::Quoted;
use tavli::{Context, Cube, Position, Reading, Roll, Side, Stakes, TurnStage};
use tavli_terminal::numbers::counted;
use tavli_terminal::remarks::{reading, reading_without_remark};

use super::session::Session;
use super::texts::name_of;
use crate::MAX_PLIES;

impl Session {
    pub(super) fn set_position(&mut self, text: &str) -> io::Result<()> {
        match reading(text, self.engine.rules()) {
            Ok(Reading { position, .. }) => {
                let cube = position.context().cube.log2;
                if let TurnStage::Rolled(roll) = position.context().stage {
                    self.tell_dice(roll)?;
                }
                if cube > 0 {
                    writeln!(self.output, "The cube has been set to {}.", 1_u32 << cube)?;
                }
                // GNU Backgammon begins a game, and then sets the board.
                let start = self.engine.rules().start();
                self.position = Position::new(start, *position.context()).ok();
                self.draw()?;
                self.position = Some(position);
                self.draw()
            }
            Err(error) => writeln!(self.output, "Error: {error}"),
        }
    }

    /// Sets the checkers, and also cube, score and dice if the text names them.
    pub(super) fn set_board(&mut self, words: &[&str]) -> io::Result<()> {
        let text = match *words {
            // Here the first number is the bar of the player on roll, and the last the opponent's.
            ["simple", own, ref points @ .., other] if points.len() == 24 => {
                [&[other], points, &[own]].concat().join(" ")
            }
            ["simple", ..] => {
                return writeln!(self.output, "Error: set board: write a Position ID, or simple and 26 numbers");
            }
            _ => words.join(" "),
        };
        match (reading_without_remark(&text, self.engine.rules()), self.position) {
            (Ok(read), Some(before)) if !read.has_context => {
                self.position = Position::new(*read.position.board(), *before.context()).ok();
                self.draw()
            }
            _ => self.set_position(&text),
        }
    }

    /// Gives the turn to a player, who has not rolled; the checkers stay where they are.
    pub(super) fn set_turn(&mut self, name: &str) -> io::Result<()> {
        let Some(seat) = self.seat(name) else {
            return writeln!(self.output, "Unknown player `{name}' (see `help set turn').");
        };
        let Some(position) = self.position else {
            return writeln!(self.output, "There must be a game in progress to set a player on roll.");
        };
        let context = *position.context();
        let same = context.seat == seat;
        let board = if same { *position.board() } else { position.board().swapped() };
        let (score, opponent_score) = match same {
            true => (context.score, context.opponent_score),
            false => (context.opponent_score, context.score),
        };
        let owner = context.cube.owner.map(|owner| match (same, owner) {
            (true, owner) => owner,
            (false, Side::OnRoll) => Side::Opponent,
            (false, Side::Opponent) => Side::OnRoll,
        });
        let mut context = Context {
            seat,
            stage: TurnStage::ToRoll,
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
    pub(super) fn new_game(&mut self) -> io::Result<()> {
        let defaults = Context::default();
        let (jacoby, beavers) = self.money;
        let context = match self.position.map(|position| *position.context()) {
            Some(before) if matches!(before.stakes, Stakes::Match { .. }) => Context {
                stakes: before.stakes,
                seat: before.seat,
                score: before.score,
                opponent_score: before.opponent_score,
                ..defaults
            },
            _ => Context { stakes: Stakes::Money { jacoby, beavers }, ..defaults },
        };
        self.position = Position::new(self.engine.rules().start(), context).ok();
        self.draw()
    }

    /// Begins a match.
    pub(super) fn new_match(&mut self, length: &str) -> io::Result<()> {
        let points = length.parse().ok().filter(|points| (1..=MAX_POINTS).contains(points));
        let Some(points) = points else {
            return writeln!(
                self.output,
                "Error: a match is 1 to {MAX_POINTS} points long, and not `{}'",
                Quoted::new(length)
            );
        };
        let context = Context { stakes: Stakes::Match { length: points, crawford: false }, ..Context::default() };
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

    pub(super) fn set_dice(&mut self, text: &str) -> io::Result<()> {
        match (text.parse::<Roll>(), self.position) {
            (_, None) => writeln!(self.output, "There must be a game in progress to set the dice."),
            (Ok(roll), Some(position)) => {
                let context = Context { stage: TurnStage::Rolled(roll), ..*position.context() };
                let position = Position::new(*position.board(), context);
                match position {
                    Ok(position) => self.position = Some(position),
                    Err(error) => return writeln!(self.output, "Error: {error}"),
                }
                self.tell_dice(roll)
            }
            (Err(_), _) => writeln!(self.output, "You must specify two numbers from 1 to 6 for the dice."),
        }
    }

    fn tell_dice(&mut self, roll: Roll) -> io::Result<()> {
        let (high, low) = (roll.high(), roll.low());
        writeln!(self.output, "The dice have been set to {high} and {low}.")
    }

    /// Changes whether gammons count before the cube is turned, and whether there are beavers.
    pub(super) fn set_money(&mut self, change: impl Fn(&mut (bool, bool))) -> io::Result<()> {
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

    pub(super) fn set_plies(&mut self, kind: &str, what: &str, plies: &str) -> io::Result<()> {
        let Some(plies) = plies.parse().ok().filter(|plies| *plies <= MAX_PLIES) else {
            return writeln!(self.output, "Error: plies are 0 to {MAX_PLIES}, and not `{plies}'");
        };
        // Workers share the look-ahead.
        if plies > 0 && !self.start_workers()? {
            return Ok(());
        }
        if let Err(error) = self.engine.set_plies(plies) {
            return writeln!(self.output, "Error: {error}");
        }
        self.analysis = None;
        let whose = match (kind, name_of(what)) {
            ("analysis", "chequerplay") => "Analysis chequerplay".to_owned(),
            ("analysis", _) => "Analysis cubedecision".to_owned(),
            (_, what) => format!("`eval' and `hint' {what}"),
        };
        writeln!(self.output, "{whose} will use {plies} ply evaluation.")
    }
}
