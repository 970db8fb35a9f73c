//! Trainings saved before their end, and continued.

use core::time::Duration;

use serde::{Deserialize, Serialize};
use tavli_simd::Tier;
use tavli_variants::nets::NetFile;

use super::recipe::VariantRecipe;
use super::training::VariantTraining;
use crate::checkpoint::{CheckpointError, SavedReport, begin, end, open};
use crate::minibatch_plan::Learned;

/// The first line of a file.
const MAGIC: &[u8] = b"tavli tables training 1\n";

/// The line of JSON: everything but the net.
#[derive(Serialize, Deserialize)]
struct Saved {
    recipe: String,
    done: u64,
    elapsed: Duration,
    positions: u64,
    loss: u64,
    steps: u64,
    reports: Vec<SavedReport>,
}

impl VariantTraining {
    /// The training as it is, as a file: a line of magic, a line of JSON, the net as in its own file, and the CRC-32 of
    /// all that, little-endian.
    #[must_use]
    pub fn to_checkpoint(&self) -> Vec<u8> {
        let saved = Saved {
            recipe: self.recipe.text().to_owned(),
            done: self.done,
            elapsed: self.elapsed,
            positions: self.learned.positions,
            loss: self.learned.loss,
            steps: self.steps,
            reports: self.reports.iter().map(SavedReport::new).collect(),
        };
        let mut bytes = begin(MAGIC, &saved);
        bytes.extend(self.net_file().write());
        end(bytes)
    }

    /// Goes on from the file of a training. It comes to the same weights as if it had never been interrupted.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file is not whole, or of another recipe.
    pub fn from_checkpoint(
        recipe: VariantRecipe,
        tier: Tier,
        bytes: &[u8],
    ) -> Result<VariantTraining, CheckpointError> {
        let (saved, net): (Saved, _) = open(MAGIC, bytes)?;
        if saved.recipe != recipe.text() {
            return Err(CheckpointError::Recipe);
        }
        let file = NetFile::read(net).map_err(|error| CheckpointError::Form(error.to_string()))?;
        if (file.net.encoder(), file.net.units()) != (recipe.net.encoder, recipe.net.hidden) {
            return Err(CheckpointError::Recipe);
        }
        Ok(VariantTraining {
            recipe,
            tier,
            net: file.net,
            done: saved.done,
            steps: saved.steps,
            elapsed: saved.elapsed,
            learned: Learned {
                positions: saved.positions,
                loss: saved.loss,
            },
            reports: saved.reports.iter().map(SavedReport::to_report).collect(),
        })
    }
}
