//! Files of a game's solved positions and of its trained nets.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `tavlitab` for solved positions, `tavlinet` for a net |
//! | 4 | the version, 1, little-endian |
//! | 16 | the name of the game, and zeros |
//! | | the positions or the net, as the game has them |
//! | 4 | the CRC-32 of all bytes before, little-endian |

use std::io::{self, Write};
use std::sync::Arc;

use crc32fast::Hasher;
use tavli_game::{Heuristic, NetError, PlayableGame, SolvedPositions, SolvedPositionsError};

const VERSION: u32 = 1;

/// The kind of a file's contents.
struct Kind {
    /// The first bytes of a file.
    magic: &'static [u8; 8],
    /// How an error names a file of this kind.
    described: &'static str,
    /// The remedy for a file of another version.
    remedy: &'static str,
}

const TABLES: Kind = Kind {
    magic: b"tavlitab",
    described: "solved positions, as tavli solve writes them",
    remedy: "solve the game again",
};

const NET: Kind = Kind {
    magic: b"tavlinet",
    described: "a net, as tavli train writes it for this game",
    remedy: "train the net again",
};

impl Kind {
    fn write<G: PlayableGame>(&self, bytes: &[u8], output: &mut dyn Write) -> io::Result<()> {
        let mut checksum = Hasher::new();
        for bytes in [self.magic, &VERSION.to_le_bytes()[..], &padded_name::<G>(), bytes] {
            checksum.update(bytes);
            output.write_all(bytes)?;
        }
        output.write_all(&checksum.finalize().to_le_bytes())
    }

    /// The bytes in a file, or the fault of the file.
    fn read<'a, G: PlayableGame>(&self, file: &'a [u8]) -> Result<&'a [u8], String> {
        let damaged = || "it is damaged: its checksum or its length is wrong".to_owned();
        let rest = file.strip_prefix(self.magic);
        let rest = rest.ok_or_else(|| format!("it is not a file of {}", self.described))?;
        let (&version, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        // Before the checksum, which another version may have in another place.
        match u32::from_le_bytes(version) {
            VERSION => {}
            version => {
                return Err(format!(
                    "it has version {version}, and this program reads version {VERSION}: {}",
                    self.remedy
                ));
            }
        }
        let (name, rest) = rest.split_first_chunk::<16>().ok_or_else(damaged)?;
        let (bytes, &checksum) = rest.split_last_chunk().ok_or_else(damaged)?;
        if crc32fast::hash(&file[..file.len() - checksum.len()]) != u32::from_le_bytes(checksum) {
            return Err(damaged());
        }
        // After the checksum, so that a damaged name is not taken for another game's.
        match *name == padded_name::<G>() {
            true => Ok(bytes),
            false => Err(format!("it is a file of another game, not of {}", G::NAME)),
        }
    }
}

/// The name of a game, and zeros.
fn padded_name<G: PlayableGame>() -> [u8; 16] {
    let mut padded = [0; 16];
    const { assert!(G::NAME.len() <= 16, "files have 16 bytes for a game's name") }
    padded[..G::NAME.len()].copy_from_slice(G::NAME.as_bytes());
    padded
}

/// Writes solved positions of a game, as the game has them, as a file.
///
/// # Errors
/// The errors of the output.
pub fn write_solved_positions<G: PlayableGame>(positions: &[u8], output: &mut dyn Write) -> io::Result<()> {
    TABLES.write::<G>(positions, output)
}

/// The bytes of the solved positions in a file, as the game has them.
///
/// ```
/// use tavli_draughts::Draughts;
/// use tavli_games::{solved_position_bytes, write_solved_positions};
///
/// let mut file = Vec::new();
/// write_solved_positions::<Draughts>(b"positions", &mut file)?;
/// assert_eq!(solved_position_bytes::<Draughts>(&file)?, b"positions");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SolvedPositionsError`] if it is no such file, of another version or another game, or is damaged.
pub fn solved_position_bytes<G: PlayableGame>(file: &[u8]) -> Result<&[u8], SolvedPositionsError> {
    TABLES.read::<G>(file).map_err(SolvedPositionsError::new)
}

/// Reads a file of solved positions, for the rules of a game.
///
/// # Errors
/// [`SolvedPositionsError`] as by [`solved_position_bytes`], or if the game cannot use the positions.
pub fn read_solved_positions<G: PlayableGame>(
    game: &G,
    file: &[u8],
) -> Result<Arc<dyn SolvedPositions<G::Position>>, SolvedPositionsError> {
    game.solved_positions(solved_position_bytes::<G>(file)?)
}

/// Writes a net of a game, as the game has it, as a file.
///
/// # Errors
/// The errors of the output.
pub fn write_net<G: PlayableGame>(net: &[u8], output: &mut dyn Write) -> io::Result<()> {
    NET.write::<G>(net, output)
}

/// The bytes of the net in a file, as the game has them.
///
/// ```
/// use tavli_games::{net_bytes, write_net};
/// use tavli_variants::Fevga;
///
/// let mut file = Vec::new();
/// write_net::<Fevga>(b"net", &mut file)?;
/// assert_eq!(net_bytes::<Fevga>(&file)?, b"net");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NetError`] if it is no such file, of another version or another game, or is damaged.
pub fn net_bytes<G: PlayableGame>(file: &[u8]) -> Result<&[u8], NetError> {
    NET.read::<G>(file).map_err(NetError::new)
}

/// Reads the net in a file as an evaluator of a game.
///
/// # Errors
/// [`NetError`] as by [`net_bytes`], or if the game cannot use the net.
pub fn read_net<G: PlayableGame>(game: &G, file: &[u8]) -> Result<Arc<dyn Heuristic<G::Position>>, NetError> {
    game.net(net_bytes::<G>(file)?)
}

#[cfg(test)]
mod tests {
    use tavli_base::NO_STOP;
    use tavli_draughts::{Draughts, Endgames};
    use tavli_game::PlayableGame;
    use tavli_tictactoe::TicTacToe;

    use super::*;

    #[test]
    fn a_file_gives_the_positions_back_or_says_why_not() {
        let two = Endgames::solve(2, 1.try_into().expect("a thread"), NO_STOP, &mut |_| ());
        let two = two.expect("nothing stops it").to_bytes();
        let mut file = Vec::new();
        write_solved_positions::<Draughts>(&two, &mut file).expect("a vector takes all");
        assert_eq!(solved_position_bytes::<Draughts>(&file), Ok(&two[..]));
        let game = Draughts::by_rules("english", tavli_backgammon::Tier::Portable, 1).expect("rules");
        assert!(read_solved_positions(&game, &file).is_ok());
        let error = |file: &[u8]| solved_position_bytes::<Draughts>(file).unwrap_err().to_string();
        for foreign in [&b""[..], b"tavli", b"tavlihyp12345678"] {
            assert!(error(foreign).starts_with("it is not a file"), "{}", error(foreign));
        }
        for length in [8, 11, 12, 27, 28, 31, 32, file.len() - 1] {
            assert!(error(&file[..length]).starts_with("it is damaged"), "{length} bytes");
        }
        for at in [12, 28, file.len() / 2, file.len() - 1] {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            assert!(error(&damaged).starts_with("it is damaged"), "byte {at}");
        }
        let mut later = file.clone();
        later[8] = 2;
        assert!(error(&later).starts_with("it has version 2"));
        let other = solved_position_bytes::<TicTacToe>(&file).unwrap_err().to_string();
        assert_eq!(other, "it is a file of another game, not of tictactoe");
    }

    #[test]
    fn a_game_without_solved_positions_says_so() {
        let mut file = Vec::new();
        write_solved_positions::<TicTacToe>(b"", &mut file).expect("a vector takes all");
        let game = TicTacToe::by_rules("standard", tavli_backgammon::Tier::Portable, 1).expect("rules");
        let error = read_solved_positions(&game, &file).unwrap_err().to_string();
        assert_eq!(error, "tictactoe has no files of solved positions");
    }
}
