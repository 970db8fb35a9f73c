//! Playouts of backgammon.

use std::io::{self, Write};
use std::sync::Once;

use tavli::playout::ManyPlayouts;
use tavli::policies::{PolicyPair, Uniform};
use tavli::run::{BackgammonPlayouts, Cancel, Limit, PlayoutReport, Workers, remark_on_cube};
use tavli::text::Quoted;
use tavli::{
    BackgammonGame, FirstRoll, GameEnd, OtherFirstRollError, Outcome, Playouts, Position, PositionError, RuleSet, Tier,
};
use tavli_terminal::failure::Failure;
use tavli_terminal::{output, remarks};

use super::arguments::PlayoutArguments;
use super::description::PlayoutDescription;
use super::per_game;
use super::playing::{PlayoutGame, PreparedRun, play_rows, prepared};
use super::summary::Summary;
use crate::arguments::{self, or_start};
use crate::mcgammon_rate;

/// The playouts of backgammon.
pub(super) struct Backgammon<'a> {
    arguments: &'a PlayoutArguments,
    rules: RuleSet,
    tier: Tier,
    players: PolicyPair,
}

impl<'a> Backgammon<'a> {
    pub(super) fn new(arguments: &'a PlayoutArguments) -> Result<Backgammon<'a>, Failure> {
        Ok(Backgammon {
            arguments,
            rules: arguments.game.rule_set()?,
            tier: arguments.machine.tier()?,
            players: PolicyPair::default(),
        })
    }

    /// These playouts by the players.
    fn played<P>(&self, playouts: P) -> BackgammonPlayouts<P> {
        BackgammonPlayouts::new(playouts, self.players.clone(), self.tier)
    }

    /// How games from a position begin: as given, or with the dice of the position.
    fn first_roll(&self, position: Option<&Position>) -> Result<FirstRoll, Failure> {
        let dice = position.and_then(|position| position.roll());
        FirstRoll::from_position(dice, self.arguments.first_roll).map_err(|OtherFirstRollError { dice, given, .. }| {
            Failure::usage(format_args!(
                "the position has the roll {dice}, and --first-roll is {given}; leave --first-roll out, or write the \
                 position without dice"
            ))
        })
    }

    /// The playouts of a position; without one, of the start of a game.
    fn playouts(&self, position: Option<&Position>) -> Result<Playouts, Failure> {
        let start = or_start(position.copied(), self.rules);
        let playouts = Playouts::new(start, self.rules, self.arguments.seed)
            .map_err(Failure::usage)?
            .with_first_roll(self.first_roll(position)?);
        Ok(match self.arguments.truncate {
            Some(plies) => playouts.truncated_after(plies),
            None => playouts,
        })
    }
}

impl PlayoutGame for Backgammon<'_> {
    type Game = BackgammonGame;
    type Start = Playouts;

    const POSITION: &'static str = "position ID";
    const POSITIONS_PER_BATCH: usize = 1 << 15;

    fn load(&mut self) -> Result<(), Failure> {
        self.players = self.arguments.policies.players(Uniform::NAME)?;
        Ok(())
    }

    fn start(&self, position: Option<&str>) -> Result<Playouts, Failure> {
        let position = position.map(|text| arguments::position_without_cube(text, self.rules));
        self.playouts(position.transpose()?.as_ref())
    }

    fn start_of_line(&self, text: &str) -> Result<Playouts, String> {
        let position = remarks::position(text, self.rules).map_err(|error| match error {
            PositionError::RollBehind { roll, .. } => format!(
                "'{}' is a position and the roll {roll}: lines here are positions alone, and --first-roll names a roll",
                Quoted::new(text)
            ),
            error => error.to_string(),
        })?;
        if remark_on_cube(&position).is_some() {
            // Once: a file may have a million such lines.
            static SAID: Once = Once::new();
            SAID.call_once(|| {
                output::remark(
                    "remark: cubes and scores of positions are ignored: their games count points without them",
                );
            });
        }
        let playouts = self.playouts(Some(&position));
        playouts.map_err(|error| format!("'{}': {error}", Quoted::new(text)))
    }

    fn settings(&self, start: &Playouts) -> PlayoutDescription {
        PlayoutDescription::for_backgammon(start, &self.players)
    }

    fn width(&self) -> usize {
        self.rules.start().position_id().to_string().len()
    }

    fn prepare(&self, start: &Playouts, limit: Limit, cancel: &Cancel) -> Result<PreparedRun, Failure> {
        let occupancy = self.arguments.occupancy;
        let summary = move |results: &_| Summary::from_results(results, occupancy);
        let games = (self.arguments.first_game, limit);
        prepared(self.played(*start), games, cancel, line, summary)
    }

    fn play_each(
        &self,
        starts: Vec<Playouts>,
        games: u64,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<Vec<Summary>, Failure> {
        let playouts = ManyPlayouts::new(starts).map_err(Failure::run)?;
        let games = (self.arguments.first_game, games);
        play_rows(self.played(playouts), games, workers, cancel, Summary::from_tally)
    }

    fn compare(&self, start: &Playouts, report: &PlayoutReport<Summary>, output: &mut dyn Write) -> io::Result<()> {
        if mcgammon_rate::compares(start, &self.players) && report.results.games > 0 {
            writeln!(output)?;
            mcgammon_rate::print(report, output)?;
        }
        Ok(())
    }
}

/// Appends the line of a game.
fn line(record: &GameEnd, lines: &mut Vec<u8>) {
    per_game::line(record.game, record.outcome.map(Outcome::name), record.plies, lines);
}
