//! Players as files.

use core::num::NonZeroU32;
use core::str::FromStr;

use tavli_backgammon::text::without_mark;
use thiserror::Error;

use super::move_filter::MoveFilter;
use super::player::NetPlayer;
use crate::crc32::crc32;
use crate::net::activation::Activation;
use crate::net::encoder::Encoder;
use crate::net::integer::{IntegerError, IntegerNetwork};
use crate::net::network::Network;
use crate::net::outputs::Outputs;

/// The first line of a file.
const MAGIC: &str = "tavli player 1\n";

/// The file of a player: one or two nets in 32-bit floats, and the recipe that trained them.
///
/// The file is lines of text, then the weights. The first line is `tavli player 1`. The next describes the net that
/// decides: `net`, its encoder, activation, outputs and numbers of hidden units. If another net ranks the plays first,
/// its line follows: `first PLAYS MARGIN net ..`. Then come `recipe BYTES`, the text of the recipe that trained them,
/// and the weights of each net, as 32-bit floats: for each layer its biases, then a row of weights for each unit before
/// it. The last four bytes are the CRC-32 of all other bytes. Numbers are little-endian.
///
/// ```
/// use tavli_players::net::{Activation, Encoder, Network, Outputs, PlayerFile};
/// let net = Network::zero(Encoder::Raw198, Activation::Logistic, Outputs::Doubles, &[8]);
/// let file = PlayerFile { net, prefilter: None, recipe: "games = 0".to_owned() };
/// assert_eq!(PlayerFile::read(&file.write())?, file);
/// let error = PlayerFile::read(b"GNU Backgammon 1.00").unwrap_err();
/// assert_eq!(error.to_string(), "it is not the file of a player: its first line is not 'tavli player 1'");
/// # Ok::<(), tavli_players::net::PlayerFileError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerFile {
    /// The net that decides.
    pub net: Network,
    /// The move filter, and the net that ranks plays for it.
    pub prefilter: Option<(MoveFilter, Network)>,
    /// The recipe that trained the nets.
    pub recipe: String,
}

/// Why bytes are not the file of a player.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum PlayerFileError {
    /// The first line is another.
    #[error("it is not the file of a player: its first line is not '{}'", MAGIC.trim_end())]
    Magic,
    /// A line is malformed.
    #[error("invalid line {number}: {reason}")]
    Line {
        /// Which line, from 1 on.
        number: usize,
        /// The reason.
        reason: String,
    },
    /// The file has another length than its nets need.
    #[error("it has {found} bytes, but its lines and nets need {expected}: it is cut or damaged")]
    Length {
        /// The bytes of the file.
        found: usize,
        /// The bytes that its lines and nets need.
        expected: usize,
    },
    /// The checksum is another.
    #[error("it is damaged: its last bytes hold the checksum {found:08x}, and the bytes before have {expected:08x}")]
    Checksum {
        /// The checksum in the file.
        found: u32,
        /// The checksum of the file's bytes.
        expected: u32,
    },
}

impl PlayerFile {
    /// The most units of a hidden layer.
    pub const MAX_UNITS: usize = 4096;

    /// The most hidden layers.
    pub const MAX_LAYERS: usize = 16;

    /// Whether bytes begin as a file of a player does.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        without_mark(bytes).starts_with(MAGIC.as_bytes())
    }

    /// The bytes of the file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut text = format!("{MAGIC}{}\n", line_of(&self.net));
        if let Some((filter, net)) = &self.prefilter {
            let line = line_of(net);
            text += &format!("first {} {} {line}\n", filter.plays, filter.margin);
        }
        text += &format!("recipe {}\n{}", self.recipe.len(), self.recipe);
        let mut bytes = text.into_bytes();
        for net in self.nets() {
            for layer in net.layers() {
                for weight in layer.biases.iter().chain(&layer.weights) {
                    bytes.extend(weight.to_le_bytes());
                }
            }
        }
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// [`PlayerFileError`] names the fault and its place.
    pub fn read(bytes: &[u8]) -> Result<PlayerFile, PlayerFileError> {
        let bytes = without_mark(bytes);
        if !PlayerFile::begins(bytes) {
            return Err(PlayerFileError::Magic);
        }
        let mut lines = Lines { rest: &bytes[MAGIC.len()..], number: 1 };
        let text = lines.next()?;
        let net = text.strip_prefix("net ");
        let net = net.ok_or_else(|| lines.error("it does not begin with 'net'".to_owned()))?;
        let net = parse_net(net).map_err(|reason| lines.error(reason))?;
        let mut text = lines.next()?;
        let mut prefilter = None;
        if let Some(line) = text.strip_prefix("first ") {
            prefilter = Some(parse_prefilter(line).map_err(|reason| lines.error(reason))?);
            text = lines.next()?;
        }
        let length = text.strip_prefix("recipe ");
        let length: Option<usize> = length.and_then(|length| length.parse().ok());
        let length = length.ok_or_else(|| lines.error("it is not 'recipe' and a number of bytes".to_owned()))?;
        let weights = net.weights() + prefilter.as_ref().map_or(0, |(_, net)| net.weights());
        let before = bytes.len() - lines.rest.len();
        // The line may be damaged and name any length. The nets are made after this check: a few words may describe
        // nets of a gigabyte.
        let expected = before.saturating_add(length).saturating_add(4 * weights + 4);
        if bytes.len() != expected {
            let found = bytes.len();
            return Err(PlayerFileError::Length { found, expected });
        }
        let (checked, checksum) = bytes.split_at(bytes.len() - 4);
        let found = word(checksum);
        let expected = crc32(checked);
        if found != expected {
            return Err(PlayerFileError::Checksum { found, expected });
        }
        let (recipe, rest) = lines.rest.split_at(length);
        let recipe = core::str::from_utf8(recipe);
        let recipe =
            recipe.map_err(|error| lines.error(format!("the recipe after it is not text: {error}")))?.to_owned();
        let mut words = rest.chunks_exact(4).map(word);
        Ok(PlayerFile {
            net: net.read(&mut words),
            prefilter: prefilter.map(|(filter, net)| (filter, net.read(&mut words))),
            recipe,
        })
    }

    /// The player of the file's nets. The name must identify their weights.
    ///
    /// # Errors
    /// [`IntegerError`] if integers do not hold a net.
    pub fn player(&self, name: &str) -> Result<NetPlayer, IntegerError> {
        let player = NetPlayer::new(name, IntegerNetwork::new(&self.net)?);
        Ok(match &self.prefilter {
            Some((filter, ranking)) => player.after(*filter, IntegerNetwork::new(ranking)?),
            None => player,
        })
    }

    /// [`player`](PlayerFile::player) of a file that is known to be valid. The net of its move filter is made on first
    /// use: the values of positions do not need it.
    pub(crate) fn known_player(self, name: &str) -> Result<NetPlayer, IntegerError> {
        let player = NetPlayer::new(name, IntegerNetwork::new(&self.net)?);
        Ok(match self.prefilter {
            Some((filter, ranking)) => player.with_lazy_move_filter(filter, move || {
                IntegerNetwork::new(&ranking).expect("integers hold a net of a known file")
            }),
            None => player,
        })
    }

    fn nets(&self) -> impl Iterator<Item = &Network> {
        core::iter::once(&self.net).chain(self.prefilter.as_ref().map(|(_, net)| net))
    }
}

/// The lines of a file, one after another.
struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Result<&'a str, PlayerFileError> {
        self.number += 1;
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(|| self.error("the file ends within it".to_owned()))?;
        let (line, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        core::str::from_utf8(line).map_err(|_| self.error("it is not text".to_owned()))
    }

    /// The error of the line read last.
    fn error(&self, reason: String) -> PlayerFileError {
        let number = self.number;
        PlayerFileError::Line { number, reason }
    }
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("four bytes"))
}

fn line_of(net: &Network) -> String {
    let (encoder, activation) = (net.encoder().name(), net.activation().name());
    let mut line = format!("net {encoder} {activation} {}", net.outputs().name());
    let (_, hidden) = net.layers().split_last().expect("a net has a layer");
    for layer in hidden {
        line += &format!(" {}", layer.outputs());
    }
    line
}

/// A net as its line describes it.
struct NetLine {
    encoder: Encoder,
    activation: Activation,
    outputs: Outputs,
    hidden: Vec<usize>,
}

impl NetLine {
    /// The number of weights and biases.
    fn weights(&self) -> usize {
        let units = self.hidden.iter().copied().chain([self.outputs.count()]);
        let inputs = [self.encoder.inputs()].into_iter().chain(self.hidden.iter().copied());
        inputs.zip(units).map(|(inputs, units)| (inputs + 1) * units).sum()
    }

    /// The net with the weights in these words, of which there are enough.
    fn read(&self, words: &mut impl Iterator<Item = u32>) -> Network {
        let mut net = Network::zero(self.encoder, self.activation, self.outputs, &self.hidden);
        for layer in net.layers_mut() {
            for weight in layer.biases.iter_mut().chain(&mut layer.weights) {
                *weight = f32::from_bits(words.next().expect("the length is checked"));
            }
        }
        net
    }
}

/// The net of a line, without the word `net`.
fn parse_net(line: &str) -> Result<NetLine, String> {
    let mut words = line.split(' ');
    let mut next = || words.next().unwrap_or_default();
    let encoder = Encoder::from_str(next()).map_err(|error| error.to_string())?;
    let activation = Activation::from_str(next()).map_err(|error| error.to_string())?;
    let outputs = Outputs::from_str(next()).map_err(|error| error.to_string())?;
    let hidden: Vec<usize> = words
        .map(|units| {
            let number = units.parse().ok();
            number.filter(|number| (1..=PlayerFile::MAX_UNITS).contains(number)).ok_or_else(|| {
                let most = PlayerFile::MAX_UNITS;
                format!("invalid hidden layer '{units}': units are 1 to {most}")
            })
        })
        .collect::<Result<_, _>>()?;
    if !(1..=PlayerFile::MAX_LAYERS).contains(&hidden.len()) {
        return Err(format!("it has {} hidden layers; a player has 1 to {}", hidden.len(), PlayerFile::MAX_LAYERS));
    }
    Ok(NetLine { encoder, activation, outputs, hidden })
}

/// The move filter and its net of a line, without the word `first`.
fn parse_prefilter(line: &str) -> Result<(MoveFilter, NetLine), String> {
    let mut words = line.splitn(4, ' ');
    let mut next = || words.next().unwrap_or_default();
    let (plays, margin, net, line) = (next(), next(), next(), next());
    let plays: NonZeroU32 = plays.parse().map_err(|_| format!("invalid number of plays '{plays}': write 1 or more"))?;
    let margin: f32 = margin
        .parse()
        .ok()
        // NaN fails the comparison, too.
        .filter(|margin: &f32| *margin >= 0.0)
        .ok_or_else(|| format!("invalid margin '{margin}': write points, 0 or more"))?;
    if net != "net" {
        return Err(format!("'{net}' stands where 'net' should"));
    }
    Ok((MoveFilter { plays, margin }, parse_net(line)?))
}
