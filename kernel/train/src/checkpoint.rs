//! Trainings saved before their end, and continued.

use serde::{Deserialize, Serialize};
use tavli_simd::Tier;

use crate::error::CheckpointError;
use crate::training::{TrainableNet, TrainingRun, TrainingState};

/// The beginnings of saved trainings of any version.
const ANY_VERSION: [&[u8]; 2] = [b"tavli training ", b"tavli tables training "];

/// The line of JSON: everything except the weights.
#[derive(Serialize, Deserialize)]
struct Saved<T> {
    recipe: String,
    steps: u64,
    #[serde(flatten)]
    state: TrainingState,
    #[serde(flatten)]
    trainee: T,
}

impl<T: TrainableNet> TrainingRun<T> {
    /// The training as it is, as a file: a line of magic, a line of JSON, the weights, and the CRC-32 of these,
    /// little-endian.
    #[must_use]
    pub fn to_checkpoint(&self) -> Vec<u8> {
        let mut weights = Vec::new();
        let saved = Saved {
            recipe: self.plan().text.to_owned(),
            steps: self.trainee.steps(),
            state: self.state.clone(),
            trainee: self.trainee.save(&mut weights),
        };
        let mut bytes = T::MAGIC.to_vec();
        serde_json::to_writer(&mut bytes, &saved).expect("memory takes it");
        bytes.push(b'\n');
        bytes.extend(weights);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Continues the training in a file. The weights become the same as without the interruption.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file is not whole, or of another recipe, or if a player or net that the recipe names
    /// cannot be used or has changed since the training began.
    pub fn from_checkpoint(recipe: T::Recipe, tier: Tier, bytes: &[u8]) -> Result<TrainingRun<T>, CheckpointError> {
        let (saved, weights) = open::<T>(bytes)?;
        if saved.recipe != T::plan(&recipe).text {
            return Err(CheckpointError::Recipe);
        }
        let mut state = saved.state;
        let trainee = T::restore((recipe, tier), (saved.trainee, saved.steps), weights, &mut state)?;
        Ok(TrainingRun { trainee, state })
    }
}

/// The line of JSON in a file, and the weights between that line and the checksum.
fn open<T: TrainableNet>(bytes: &[u8]) -> Result<(Saved<T::Saved>, &[u8]), CheckpointError> {
    let rest =
        bytes.strip_prefix(T::MAGIC).ok_or_else(|| match ANY_VERSION.iter().any(|magic| bytes.starts_with(magic)) {
            true => CheckpointError::Version,
            false => CheckpointError::Magic,
        })?;
    let (rest, checksum) = rest.split_last_chunk().ok_or(CheckpointError::Magic)?;
    let found = u32::from_le_bytes(*checksum);
    let expected = crc32fast::hash(&bytes[..bytes.len() - checksum.len()]);
    if found != expected {
        return Err(CheckpointError::Checksum { found, expected });
    }
    let form = |reason: &dyn core::fmt::Display| CheckpointError::Form(reason.to_string());
    let end = rest.iter().position(|&byte| byte == b'\n');
    let (line, weights) = rest.split_at(end.ok_or_else(|| form(&"it has no second line"))?);
    let saved = serde_json::from_slice(line).map_err(|error| form(&error))?;
    Ok((saved, &weights[1..]))
}
