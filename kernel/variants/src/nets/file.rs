//! The bytes of a net.

use tavli_base::UnknownNameError;

use tavli_game::NetError;

use super::encoder::Encoder;
use super::net::Net;

/// A net, and the recipe that trained it, as bytes: a line `net ENCODER UNITS`, a line `recipe BYTES`, the text of the
/// recipe, and the weights as 32-bit floats, little-endian. The weights are a row for each input, with one for each
/// hidden unit; the biases of the hidden units; and for each output the weights of the units and the bias.
///
/// ```
/// use tavli_variants::nets::{Encoder, Net, NetFile};
/// let file = NetFile { net: Net::zero(Encoder::Plakoto1, 8), recipe: "games = 0".to_owned() };
/// assert_eq!(NetFile::read(&file.write())?, file);
/// let error = NetFile::read(b"net chess 8\n").unwrap_err();
/// let names = "fevga-1, fevga-2, fevga-plus, plakoto-1, plakoto-2, plakoto-plus";
/// assert_eq!(error.to_string(), format!("its encoder 'chess' is none of {names}"));
/// # Ok::<(), tavli_game::NetError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct NetFile {
    /// The net.
    pub net: Net,
    /// The recipe that trained it.
    pub recipe: String,
}

impl NetFile {
    /// The bytes.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let (encoder, units) = (self.net.encoder(), self.net.units());
        let text = format!("net {encoder} {units}\nrecipe {}\n{}", self.recipe.len(), self.recipe);
        let mut bytes = text.into_bytes();
        let columns = self.net.columns();
        // Without padding: the width of vectors is no part of the form.
        for (rows, length) in [(self.net.hidden(), units), (self.net.outputs(), units + 1)] {
            for weight in rows.chunks_exact(columns).flat_map(|row| &row[..length]) {
                bytes.extend(weight.to_le_bytes());
            }
        }
        bytes
    }

    /// Reads the bytes.
    ///
    /// # Errors
    /// [`NetError`] says what is wrong.
    pub fn read(bytes: &[u8]) -> Result<NetFile, NetError> {
        let (line, rest) = line(bytes)?;
        let mut words = line.split(' ');
        let (Some("net"), Some(encoder), Some(units), None) = (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(NetError::new("its first line is not 'net', an encoder and a number of units"));
        };
        let encoder: Encoder = encoder.parse().map_err(|error: UnknownNameError| {
            NetError::new(format_args!("its encoder '{encoder}' is none of {}", error.names.join(", ")))
        })?;
        // Bounded before memory is taken for the net.
        let units = units.parse().ok().filter(|units| (1..=Net::MAX_UNITS).contains(units));
        let units = units
            .ok_or_else(|| NetError::new(format_args!("its number of units is none from 1 to {}", Net::MAX_UNITS)))?;
        let (recipe, rest) = self::line(rest)?;
        let length = recipe.strip_prefix("recipe ").and_then(|length| length.parse().ok());
        let length: usize =
            length.ok_or_else(|| NetError::new("its second line is not 'recipe' and a number of bytes"))?;
        let cut = || NetError::new("it ends within its recipe");
        let (recipe, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
        let recipe = str::from_utf8(recipe).map_err(|error| NetError::new(format_args!("its recipe: {error}")))?;
        let expected = 4 * ((encoder.inputs() + 1) * units + 3 * (units + 1));
        if rest.len() != expected {
            let found = rest.len();
            let message = format_args!("it has {found} bytes of weights, and its net needs {expected}");
            return Err(NetError::new(message));
        }
        let mut net = Net::zero(encoder, units);
        let columns = net.columns();
        let mut words = rest.chunks_exact(4);
        for (rows, length) in net.weights_mut().into_iter().zip([units, units + 1]) {
            for weight in rows.chunks_exact_mut(columns).flat_map(|row| &mut row[..length]) {
                let word = words.next().expect("the length is checked");
                *weight = f32::from_le_bytes(word.try_into().expect("four bytes"));
            }
        }
        let recipe = recipe.to_owned();
        match net.is_finite() {
            true => Ok(NetFile { net, recipe }),
            false => Err(NetError::new("a weight is not a finite number")),
        }
    }
}

/// The first line of bytes, and the bytes after it.
fn line(bytes: &[u8]) -> Result<(&str, &[u8]), NetError> {
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let (line, rest) = bytes.split_at(end.ok_or_else(|| NetError::new("it ends within its first lines"))?);
    let line = str::from_utf8(line).map_err(|_| NetError::new("its first lines are not text"))?;
    Ok((line, &rest[1..]))
}
