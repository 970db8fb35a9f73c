//! Rollouts and decisions in games other than backgammon, as the command plays and writes them.

use std::io::{self, Write};
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use tavli::games::{AnyDecision, AnyPreparedDecision, GameRollout, PlayableGame};
use tavli::rollout::{EndReason, ResumableRollout, SaveError, Session};
use tavli::run::Workers;
use tavli_terminal::interrupt::NO_RESULT;
use tavli_terminal::progress::Bar;

use crate::layout::Layout;
use crate::rollout::output::cells::Cells;
use crate::rollout::output::form::{Columns, Form, write_json};
use crate::rollout::output::{game_decision, game_rollout};
use crate::rollout::question::{Question, check_has_trials};

impl<G: PlayableGame> Question for GameRollout<G> {
    fn remark(&self) -> Option<String> {
        self.remark()
    }

    fn play(&mut self, workers: &Workers, session: &Session) -> Result<EndReason, SaveError> {
        let bar = Bar::new();
        session.play(self, workers, |progress| bar.show_rollout(progress))
    }

    fn check_result(&self, reason: EndReason) -> Result<(), &'static str> {
        check_has_trials(self.total_games(), reason)
    }

    fn write(&self, reason: EndReason, form: Form<'_>, output: &mut dyn Write) -> io::Result<()> {
        match form {
            Form::Whole(Layout::Json, header) => write_json(form, &game_rollout::json(self, reason, header), output),
            Form::Line(_) => write_json(form, &game_rollout::json(self, reason, None), output),
            Form::Whole(_, header) => game_rollout::print(self, reason, header, output),
        }
    }

    fn line_key(&self) -> String {
        game_rollout::position_and_roll(self).join(",")
    }

    fn row(&self, columns: Columns) -> Cells {
        game_rollout::table_row(self, columns)
    }
}

/// The decision which play of a roll to make, by a net.
pub(super) struct GameDecision<G> {
    prepared: AnyPreparedDecision,
    /// The decision, and the time that it took; `None` until the net has valued the plays.
    found: Option<(AnyDecision, Duration)>,
    game: PhantomData<G>,
}

impl<G: PlayableGame> GameDecision<G> {
    pub(super) fn new(prepared: AnyPreparedDecision) -> GameDecision<G> {
        GameDecision { prepared, found: None, game: PhantomData }
    }
}

impl<G: PlayableGame> Question for GameDecision<G> {
    fn remark(&self) -> Option<String> {
        self.prepared.remark().map(str::to_owned)
    }

    fn play(&mut self, workers: &Workers, session: &Session) -> Result<EndReason, SaveError> {
        let (start, bar) = (Instant::now(), Bar::new());
        let found = self.prepared.decide(workers, &session.cancel, |progress| bar.show(&progress.games));
        self.found = found.ok().map(|found| (found, start.elapsed()));
        Ok(self.found.as_ref().map_or(EndReason::Cancelled, |(found, _)| found.ended_by))
    }

    fn check_result(&self, reason: EndReason) -> Result<(), &'static str> {
        match &self.found {
            Some((found, _)) if reason != EndReason::Cancelled || found.games() > 0 => Ok(()),
            _ => Err(NO_RESULT),
        }
    }

    fn write(&self, _reason: EndReason, form: Form<'_>, output: &mut dyn Write) -> io::Result<()> {
        let Some((found, elapsed)) = &self.found else {
            return Ok(());
        };
        match form {
            Form::Whole(Layout::Json, header) => {
                write_json(form, &game_decision::json(&self.prepared, found, *elapsed, header), output)
            }
            Form::Line(_) => write_json(form, &game_decision::json(&self.prepared, found, *elapsed, None), output),
            Form::Whole(_, header) => game_decision::print(&self.prepared, found, *elapsed, header, output),
        }
    }

    fn line_key(&self) -> String {
        format!("{},{}", self.prepared.position().state(), self.prepared.roll().unwrap_or_default())
    }

    fn row(&self, columns: Columns) -> Cells {
        let (found, _) = self.found.as_ref().expect("a row has a result");
        game_decision::table_row::<G>(&self.prepared, found, columns)
    }
}
