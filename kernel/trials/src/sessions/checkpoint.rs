//! A rollout saved while it is played.

use std::io;
use std::time::Duration;

use tavli_file::{FileError, Target};
use thiserror::Error;

use crate::ask::end_rules::EndReason;
use crate::sessions::resumable_rollout::ResumableRollout;

/// Where a rollout is saved while it is played, and how often.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The file, which is replaced as a whole each time, and at the end of the session.
    pub target: Target,
    /// The time between two saves: the most that is lost when the process is killed.
    pub interval: Duration,
}

/// A rollout that could not be saved at the end of a session. It keeps its trials.
#[derive(Debug, Error)]
#[error("cannot save the rollout: {source}")]
#[non_exhaustive]
pub struct SaveError {
    /// Why the session ended; `None` if the rollout could not be saved at the start, and nothing was played.
    pub reason: Option<EndReason>,
    /// Why it could not be saved.
    pub source: FileError,
}

/// Saves a rollout now and then. A save that fails is tried again the next time.
#[derive(Debug)]
pub struct Saver<'a> {
    checkpoint: Option<&'a Checkpoint>,
    /// The time of the session at which a save was last tried.
    tried: Duration,
    failure: Option<FileError>,
}

impl<'a> Saver<'a> {
    /// Saves the rollout as it is at the start of a session.
    pub fn start(checkpoint: Option<&'a Checkpoint>, rollout: &impl ResumableRollout) -> Saver<'a> {
        let mut saver = Saver { checkpoint, tried: Duration::ZERO, failure: None };
        // Before the first game: a file that cannot be written ends the session while there is nothing to lose.
        saver.save(rollout, Duration::ZERO);
        saver
    }

    /// Whether it is time for a checkpoint, `now` after the start of the session.
    pub fn is_due(&self, now: Duration) -> bool {
        self.checkpoint.is_some_and(|checkpoint| now - self.tried >= checkpoint.interval)
    }

    /// Saves the rollout, if there is a checkpoint.
    pub fn save(&mut self, rollout: &impl ResumableRollout, now: Duration) {
        if let Some(checkpoint) = self.checkpoint {
            self.failure = rollout.save_to(&checkpoint.target).err();
            self.tried = now;
        }
    }

    /// Why the last attempt failed, if it did.
    pub fn failure(&self) -> Option<io::ErrorKind> {
        self.failure.as_ref().map(FileError::kind)
    }

    /// The end of a session.
    ///
    /// # Errors
    /// [`SaveError`] if the last attempt failed.
    pub fn finish<T>(self, reason: Option<EndReason>, done: T) -> Result<T, SaveError> {
        match self.failure {
            Some(source) => Err(SaveError { reason, source }),
            None => Ok(done),
        }
    }
}
