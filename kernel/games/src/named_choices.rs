//! Choices that texts name.

use tavli_base::text::Quoted;
use tavli_game::PlayableGame;
use thiserror::Error;

/// Why texts name no choices.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NamedChoicesError {
    /// A text that names no choice.
    #[error(
        "'{}' is neither a play{of} nor the position after one: tavli plays lists the plays",
        Quoted::new(text),
        of = of_roll(roll)
    )]
    NoPlay {
        /// The text.
        text: String,
        /// The roll; empty in a game without dice.
        roll: String,
    },
    /// A choice that is named twice.
    #[error("{moves} is given twice: name each play once")]
    Twice {
        /// Its moves.
        moves: String,
    },
}

fn of_roll(roll: &str) -> String {
    match roll {
        "" => String::new(),
        roll => format!(" of {roll}"),
    }
}

/// The indices of the choices after a chance that these texts name, in the order of the texts. A text has the moves of
/// a choice, in any order, or the position after it.
///
/// ```
/// use tavli_backgammon::Tier;
/// use tavli_games::{PlayableGame, named_choices};
/// use tavli_variants::Plakoto;
///
/// let plakoto = Plakoto::by_rules("default", Tier::best(), 1)?;
/// let (start, chance) = (plakoto.start(), plakoto.chance("31").expect("a roll"));
/// assert_eq!(named_choices(&plakoto, &start, chance, &["24/20", "24/21 24/23"])?, [1, 0]);
/// let error = named_choices(&plakoto, &start, chance, &["24/19"]).unwrap_err().to_string();
/// assert_eq!(error, "'24/19' is neither a play of 31 nor the position after one: tavli plays lists the plays");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NamedChoicesError`] has the first text that names no choice, or a choice that an earlier text names.
pub fn named_choices<G: PlayableGame>(
    game: &G,
    position: &G::Position,
    chance: usize,
    texts: &[impl AsRef<str>],
) -> Result<Vec<usize>, NamedChoicesError> {
    let plays = game.plays(position, chance);
    let mut found = Vec::with_capacity(texts.len());
    for text in texts {
        let text = text.as_ref().trim();
        let by_moves = plays.iter().position(|play| are_same_moves(&play.moves, text));
        let by_position = || {
            // By the state, since a position may be written in several ways.
            let after = game.state(&game.read(text).ok()?);
            plays.iter().position(|play| game.state(&play.result) == after)
        };
        let choice = by_moves
            .or_else(by_position)
            .ok_or_else(|| NamedChoicesError::NoPlay { text: text.to_owned(), roll: game.chance_text(chance) })?;
        if found.contains(&choice) {
            let moves = plays[choice].moves.clone();
            return Err(NamedChoicesError::Twice { moves });
        }
        found.push(choice);
    }
    Ok(found)
}

/// Whether two texts have the same moves in any order.
fn are_same_moves(a: &str, b: &str) -> bool {
    let moves = |text| {
        let mut moves: Vec<&str> = str::split_whitespace(text).collect();
        moves.sort_unstable();
        moves
    };
    moves(a) == moves(b)
}
