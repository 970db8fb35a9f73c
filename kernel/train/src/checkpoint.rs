//! Trainings saved before their end, and continued.

use core::time::Duration;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tavli_backgammon::{Estimate, Tier};
use tavli_players::net::{Layer, Network};
use thiserror::Error;

use crate::inputs::{BoundInput, InputError, Inputs};
use crate::minibatch_plan::Learned;
use crate::net::{Learner, Moments, PaddedNet};
use crate::recipe::Recipe;
use crate::strength::{Opponent, Strength};
use crate::training::{RecipeCursor, Report, Training, Unit};

/// The first line of a file.
const MAGIC: &[u8] = b"tavli training 2\n";
/// The beginning of a file of any version, of any game.
const ANY_VERSION: &[u8] = b"tavli training ";

/// Why a file is not a training that can go on.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It begins otherwise.
    #[error("it is not a saved training")]
    Magic,
    /// Its checksum is another.
    #[error("it is damaged: its checksum is {found:08x}, and the bytes before have {expected:08x}")]
    Checksum {
        /// What it says.
        found: u32,
        /// What its bytes have.
        expected: u32,
    },
    /// It is that of another recipe.
    #[error("it is the training of another recipe, or of this one before it was changed")]
    Recipe,
    /// Another version wrote it.
    #[error("another version of this program wrote it; begin the training anew")]
    Version,
    /// Its line of JSON or its weights are malformed.
    #[error("its form is another: {0}")]
    Form(String),
    /// Something that the recipe names cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Something that the recipe names is another than it was when the training began.
    #[error(
        "{place} is {found} now, and the training began with {expected}: put that back, or begin the training anew"
    )]
    Replaced {
        /// Where the recipe names it.
        place: String,
        /// What it is: its name, with the checksum of each file.
        found: String,
        /// What it was.
        expected: String,
    },
}

/// The line of JSON: everything but the weights.
#[derive(Serialize, Deserialize)]
struct Saved {
    recipe: String,
    bound: Vec<BoundInput>,
    phases: usize,
    games: u64,
    done: u64,
    all: u64,
    elapsed: Duration,
    positions: u64,
    loss: u64,
    steps: u64,
    has_player: bool,
    reports: Vec<SavedReport>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SavedReport {
    phase: usize,
    done: u64,
    of: u64,
    in_positions: bool,
    elapsed: Duration,
    loss: Option<f64>,
    strengths: Vec<SavedStrength>,
}

#[derive(Serialize, Deserialize)]
struct SavedStrength {
    opponent: String,
    games: u64,
    mean: f64,
    /// `None` after a single pair of games, which has no standard error.
    standard_error: Option<f64>,
}

impl SavedReport {
    pub(crate) fn new(report: &Report) -> SavedReport {
        let strengths = report.strengths.iter().map(|strength| SavedStrength {
            opponent: strength.opponent.name().to_owned(),
            games: strength.games,
            mean: strength.points.mean,
            standard_error: Some(strength.points.standard_error).filter(|error| error.is_finite()),
        });
        SavedReport {
            phase: report.phase,
            done: report.done,
            of: report.of,
            in_positions: report.unit == Unit::Positions,
            elapsed: report.elapsed,
            loss: report.loss,
            strengths: strengths.collect(),
        }
    }

    pub(crate) fn to_report(&self) -> Report {
        let strengths = self.strengths.iter().filter_map(|saved| {
            let opponent = Opponent::ALL.iter().find(|one| one.name() == saved.opponent)?;
            Some(Strength {
                opponent: *opponent,
                games: saved.games,
                points: Estimate {
                    mean: saved.mean,
                    standard_error: saved.standard_error.unwrap_or(f64::NAN),
                },
            })
        });
        Report {
            phase: self.phase,
            done: self.done,
            of: self.of,
            unit: if self.in_positions {
                Unit::Positions
            } else {
                Unit::Games
            },
            elapsed: self.elapsed,
            loss: self.loss,
            strengths: strengths.collect(),
        }
    }
}

impl Training {
    /// The training as it is, as a file: a line of magic, a line of JSON, the weights of the net, what the optimiser
    /// remembers, the weights of the net that plays, and the CRC-32 of all that, little-endian.
    #[must_use]
    pub fn to_checkpoint(&self) -> Vec<u8> {
        let saved = Saved {
            recipe: self.recipe.text().to_owned(),
            bound: self.inputs.bound.clone(),
            phases: self.cursor.phases,
            games: self.cursor.games,
            done: self.cursor.done,
            all: self.cursor.all,
            elapsed: self.cursor.elapsed,
            positions: self.learned.positions,
            loss: self.learned.loss,
            steps: self.learner.steps,
            has_player: self.cursor.player.is_some(),
            reports: self.reports.iter().map(SavedReport::new).collect(),
        };
        let mut bytes = begin(MAGIC, &saved);
        write_net(&mut bytes, self.learner.net());
        for moments in self.learner.moments.iter().flatten().flatten() {
            bytes.extend(moments.mean.to_le_bytes());
            bytes.extend(moments.square.to_le_bytes());
        }
        if let Some(player) = &self.cursor.player {
            write_net(&mut bytes, player);
        }
        end(bytes)
    }

    /// Goes on from the file of a training. It comes to the same weights as if it had never been interrupted.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file is not whole, or of another recipe, or if a player or net that the recipe names
    /// cannot be used or is another than when the training began.
    pub fn from_checkpoint(recipe: Recipe, tier: Tier, bytes: &[u8]) -> Result<Training, CheckpointError> {
        let form = |reason: &dyn core::fmt::Display| CheckpointError::Form(reason.to_string());
        let (saved, weights): (Saved, _) = open(MAGIC, bytes)?;
        if saved.recipe != recipe.text() {
            return Err(CheckpointError::Recipe);
        }
        let inputs = Inputs::read(&recipe)?;
        for (found, expected) in inputs.bound.iter().zip(&saved.bound) {
            if found != expected {
                return Err(CheckpointError::Replaced {
                    place: found.place.clone(),
                    found: found.told_from(expected),
                    expected: expected.told_from(found),
                });
            }
        }
        let phase = saved.phases.min(recipe.phases.len() - 1);
        let (method, loss) = recipe.phases[phase].optimiser();
        let shape = &recipe.net;
        let mut net = Network::zero(shape.encoder, shape.activation, shape.outputs, &shape.hidden);
        let mut floats = Floats(weights);
        floats.read_net(&mut net)?;
        let mut learner = Learner::new(tier, method, loss, &net);
        learner.steps = saved.steps;
        for moments in learner.moments.iter_mut().flatten().flatten() {
            *moments = Moments {
                mean: floats.next()?,
                square: floats.next()?,
            };
        }
        let mut player = None;
        if saved.has_player {
            floats.read_net(&mut net)?;
            player = Some(Arc::new(PaddedNet::new(&net)));
        }
        if !floats.0.is_empty() {
            return Err(form(&"it has more weights than the net"));
        }
        Ok(Training {
            recipe,
            inputs,
            learner,
            cursor: RecipeCursor {
                phases: saved.phases,
                games: saved.games,
                done: saved.done,
                all: saved.all,
                player,
                elapsed: saved.elapsed,
            },
            examples: None,
            builder: None,
            learned: Learned {
                positions: saved.positions,
                loss: saved.loss,
            },
            reports: saved.reports.iter().map(SavedReport::to_report).collect(),
        })
    }
}

/// The beginning of a file: its first line, and a line of JSON.
pub(crate) fn begin(magic: &[u8], saved: &impl Serialize) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    serde_json::to_writer(&mut bytes, saved).expect("memory takes it");
    bytes.push(b'\n');
    bytes
}

/// The file of these bytes, with their checksum.
pub(crate) fn end(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// What the line of JSON of a file says, and the bytes between that line and the checksum.
pub(crate) fn open<'a, T: DeserializeOwned>(magic: &[u8], bytes: &'a [u8]) -> Result<(T, &'a [u8]), CheckpointError> {
    let rest = bytes
        .strip_prefix(magic)
        .ok_or_else(|| match bytes.starts_with(ANY_VERSION) {
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

fn write_net(bytes: &mut Vec<u8>, net: &PaddedNet) {
    for Layer { biases, weights } in net.to_network().layers() {
        for weight in biases.iter().chain(weights) {
            bytes.extend(weight.to_le_bytes());
        }
    }
}

/// The floats of a file that are still to be read.
struct Floats<'a>(&'a [u8]);

impl Floats<'_> {
    fn next(&mut self) -> Result<f32, CheckpointError> {
        let few = || CheckpointError::Form("it has fewer weights than the net".to_owned());
        let (first, rest) = self.0.split_first_chunk().ok_or_else(few)?;
        self.0 = rest;
        Ok(f32::from_le_bytes(*first))
    }

    fn read_net(&mut self, net: &mut Network) -> Result<(), CheckpointError> {
        for Layer { biases, weights } in net.layers_mut() {
            for weight in biases.iter_mut().chain(weights) {
                *weight = self.next()?;
            }
        }
        Ok(())
    }
}
