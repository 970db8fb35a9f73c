//! Commands that ask: for the board, the best plays, the values and rollouts.

use std::io::{self, Write};

use tavli::evaluation::PositionValue;
use tavli::rollout::Rollout;
use tavli::run::Cancel;
use tavli::{Position, Roll, Seat, Side, Stakes, TurnStage};
use tavli_terminal::numbers::counted;
use tavli_terminal::progress::Bar;

use super::session::Session;
use super::texts::{cube_analysis, cube_equities, drawing, other_seat, shares};
use crate::rollouts;

impl Session {
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
                TurnStage::Rolled(roll) => {
                    writeln!(self.output, "{own} has rolled {} and {}.", roll.high(), roll.low())
                }
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
                writeln!(self.output, "The score (after 0 games) is: {of_top} {top}, {of_bottom} {bottom} ({stakes})")
            }
            _ => {
                let owner = match context.cube.owner {
                    None => "centred".to_owned(),
                    Some(Side::OnRoll) => format!("owned by {own}"),
                    Some(Side::Opponent) => format!("owned by {other}"),
                };
                writeln!(self.output, "The cube is at {}, and is {owner}.", 1_u32 << context.cube.log2)
            }
        }
    }

    /// Draws the board as GNU Backgammon does.
    pub(super) fn draw(&mut self) -> io::Result<()> {
        match &self.position {
            None => writeln!(self.output, "No game in progress."),
            Some(position) => {
                let names = self.names.each_ref().map(String::as_str);
                writeln!(self.output, "{}", drawing(position, names))
            }
        }
    }

    pub(super) fn hint(&mut self, most: usize, cancel: &Cancel) -> io::Result<()> {
        let Some(position) = self.position else {
            return writeln!(self.output, "You must start a game before asking for a hint.");
        };
        match position.context().stage {
            TurnStage::Rolled(roll) if self.rolls_out[0] => self.hint_rollouts(&position, roll, most, cancel),
            TurnStage::Rolled(roll) => self.hint_plays(&position, roll, most),
            _ if self.rolls_out[1] => self.hint_cube_rollout(&position, cancel),
            _ => self.hint_cube(&position, cancel),
        }
    }

    /// Rolls out the position before its roll.
    pub(super) fn roll_out(&mut self, cancel: &Cancel) -> io::Result<()> {
        let Some(position) = self.position else {
            return writeln!(self.output, "No position specified and no game in progress.");
        };
        match self.rolled_out(&position, None, cancel)? {
            Some(rollout) => writeln!(self.output, "\nCurrent Position:\n{}", rollouts::position_text(&rollout, "")),
            None => Ok(()),
        }
    }

    /// A rollout with at least one trial; `None` after a message was printed.
    fn rolled_out(&mut self, position: &Position, roll: Option<Roll>, cancel: &Cancel) -> io::Result<Option<Rollout>> {
        if !self.start_workers()? {
            return Ok(None);
        }
        let bar = Bar::new();
        let played = self.rollouts.play(position, roll, &self.engine, |progress| bar.show_rollout(progress));
        match played {
            Ok(rollout) if rollout.summary().trials > 0 => Ok(Some(rollout)),
            Ok(_) | Err(_) if cancel.is_cancelled() => Ok(None),
            Ok(_) => writeln!(self.output, "Error: interrupted").map(|()| None),
            Err(error) => writeln!(self.output, "Error: {error}").map(|()| None),
        }
    }

    /// The best plays of a roll, by rollouts of the plays that the player values near the best.
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
            write!(self.output, "\n{}", rollouts::rows(result, result.cubeful.as_ref(), "     "))?;
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
            write!(self.output, "{rank:>5}. {cubeful} {plies}-ply    {moves:<28} Eq.: {equity:+.digits$}")?;
            if rank > 1 {
                write!(self.output, " ({:+.digits$})", equity - best)?;
            }
            writeln!(self.output, "\n       {}", shares(&play.play.value, digits))?;
            writeln!(self.output, "        {plies}-ply {} [{}]", cubeful.to_lowercase(), self.engine.player())?;
        }
        Ok(())
    }

    /// The decision in a position. `None` if a message was printed instead, or the session is at its end.
    fn decision(&mut self, position: &Position, cancel: &Cancel) -> io::Result<Option<PositionValue>> {
        match self.engine.value(position) {
            Ok(None) if cancel.is_cancelled() => Ok(None),
            Ok(None) => writeln!(self.output, "Error: interrupted").map(|()| None),
            Ok(decision) => Ok(decision),
            Err(error) => writeln!(self.output, "Error: {error}").map(|()| None),
        }
    }

    fn hint_cube(&mut self, position: &Position, cancel: &Cancel) -> io::Result<()> {
        let Some(decision) = self.decision(position, cancel)? else {
            return Ok(());
        };
        match decision.cube {
            Some(cube) if cube.action.may_double() => {
                let plies = self.engine.plies();
                let text = cube_analysis(plies, position, (decision.value, cube), Side::OnRoll, self.digits);
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
            Some(decision) if decision.values.action.may_double() => {
                write!(
                    self.output,
                    "\nCube analysis\nRollout cubeless equity {:+.3}\n{}",
                    decision.values.cubeless,
                    rollouts::position_text(&rollout, "")
                )?;
                writeln!(self.output, "{}", cube_equities(&decision.values, 1.0, self.digits))?;
                let trials = rollout.summary().trials;
                writeln!(self.output, "Rollout details:\n{}\n", self.rollouts.describe(trials, &self.engine))
            }
            _ => writeln!(self.output, "You cannot double."),
        }
    }

    pub(super) fn evaluate(&mut self, cancel: &Cancel) -> io::Result<()> {
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
            const FEWER: &str = "it may look fewer plies ahead, or as many again";
            self.engine.set_plies(of).expect(FEWER);
            let decision = self.decision(&position, cancel);
            self.engine.set_plies(plies).expect(FEWER);
            let Some(decision) = decision? else {
                return Ok(());
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
        match last.filter(|(_, cube)| cube.action.may_double()) {
            Some(decision) => {
                let text = cube_analysis(plies, &position, decision, Side::OnRoll, digits);
                writeln!(self.output, "\n{text}")
            }
            None => Ok(()),
        }
    }
}
