//! Nets as files of weights.

use std::str::FromStr;

use tavli_players::net::{Activation, Encoder, Layer, Network, Outputs};
use thiserror::Error;

/// What a file begins with.
const MAGIC: &str = "tavli weights 1";

/// Why a file is not one of weights.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// It begins otherwise.
    #[error("it is not a file of weights: its first line is not '{MAGIC}'")]
    Magic,
    /// Its second line does not describe a net.
    #[error("its second line does not describe a net: {0}")]
    Shape(String),
    /// It has another length than its net needs.
    #[error("it has {found} bytes of weights; its net needs {expected}")]
    Length {
        /// What it has.
        found: usize,
        /// What its net needs.
        expected: usize,
    },
    /// Its checksum is another.
    #[error("it is damaged: its checksum is {found:08x}, and the bytes before have {expected:08x}")]
    Checksum {
        /// What it says.
        found: u32,
        /// What its bytes have.
        expected: u32,
    },
}

/// The file of a net: a line of magic; a line with the encoder, the activation, the outputs and the numbers of hidden
/// units; then of each layer the biases and the weights, by the units of the layer before, as 32-bit floats, and at last
/// the CRC-32 of all that, little-endian.
#[must_use]
pub fn to_file(network: &Network) -> Vec<u8> {
    let mut line = format!(
        "{MAGIC}\n{} {} {}",
        network.encoder().name(),
        network.activation().name(),
        network.outputs().name()
    );
    let layers = network.layers();
    for layer in &layers[..layers.len() - 1] {
        line.push_str(&format!(" {}", layer.outputs()));
    }
    line.push('\n');
    let mut bytes = line.into_bytes();
    for layer in layers {
        for weight in layer.biases.iter().chain(&layer.weights) {
            bytes.extend(weight.to_le_bytes());
        }
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Reads the file of a net.
///
/// ```
/// use tavli_players::net::{Activation, Encoder, Network, Outputs};
/// let net = Network::zero(Encoder::Raw196, Activation::Clipped, Outputs::Doubles, &[8, 4]);
/// assert_eq!(tavli_train::from_file(&tavli_train::to_file(&net)), Ok(net));
/// ```
///
/// # Errors
/// [`WeightsError`] says what is wrong.
pub fn from_file(bytes: &[u8]) -> Result<Network, WeightsError> {
    let mut lines = bytes.splitn(3, |&byte| byte == b'\n');
    if lines.next() != Some(MAGIC.as_bytes()) {
        return Err(WeightsError::Magic);
    }
    let line = String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
    let shape = |reason: &dyn std::fmt::Display| WeightsError::Shape(reason.to_string());
    let mut words = line.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let encoder = Encoder::from_str(word()).map_err(|error| shape(&error))?;
    let activation = Activation::from_str(word()).map_err(|error| shape(&error))?;
    let outputs = Outputs::from_str(word()).map_err(|error| shape(&error))?;
    let hidden = words.map(|word| word.parse().ok().filter(|units| (1..=4096).contains(units)));
    let hidden: Option<Vec<usize>> = hidden.collect();
    let hidden = hidden.ok_or_else(|| shape(&"hidden layers have 1 to 4096 units"))?;
    let mut network = Network::zero(encoder, activation, outputs, &hidden);
    let rest = lines.next().unwrap_or_default();
    let weights = |layer: &Layer| layer.biases.len() + layer.weights.len();
    let expected = 4 * network.layers().iter().map(weights).sum::<usize>() + 4;
    let found = rest.len();
    if found != expected {
        return Err(WeightsError::Length { found, expected });
    }
    let (before, checksum) = bytes.split_at(bytes.len() - 4);
    let found = u32::from_le_bytes(checksum.try_into().expect("four bytes"));
    let expected = crc32fast::hash(before);
    if found != expected {
        return Err(WeightsError::Checksum { found, expected });
    }
    let mut words = rest.chunks_exact(4);
    for layer in network.layers_mut() {
        for weight in layer.biases.iter_mut().chain(&mut layer.weights) {
            let word = words.next().expect("the length is checked");
            *weight = f32::from_le_bytes(word.try_into().expect("four bytes"));
        }
    }
    Ok(network)
}
