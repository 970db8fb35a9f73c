//! Playouts of one position, and of many.

use core::num::NonZeroU32;
use core::ops::Range;

use crate::game::{Game, GameSource, GameStart};
use crate::playout_end::PlayoutEnd;
use crate::tally::Tally;
use tavli_base::Stopped;

/// Where playouts begin, and where they are cut off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutStart<P> {
    /// The position, in which the game goes on.
    pub position: P,
    /// The chance in it; `None` if each game draws it.
    pub chance: Option<usize>,
    /// The plies after which games are cut off.
    pub truncation: Option<NonZeroU32>,
}

impl<P: Copy> PlayoutStart<P> {
    /// Playouts of a position to their ends.
    #[must_use]
    pub fn new(position: P) -> PlayoutStart<P> {
        PlayoutStart { position, chance: None, truncation: None }
    }

    /// Begins each game with this chance.
    #[must_use]
    pub fn after_chance(mut self, chance: usize) -> PlayoutStart<P> {
        self.chance = Some(chance);
        self
    }

    /// Cuts each game off after this many plies.
    #[must_use]
    pub fn truncated_after(mut self, plies: NonZeroU32) -> PlayoutStart<P> {
        self.truncation = Some(plies);
        self
    }

    /// Plays the games of these numbers.
    ///
    /// The tally depends on the game, the start and the numbers alone: tallies of neighbouring ranges add up.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` returned `true`.
    pub fn run<G: Game<Position = P>>(
        &self,
        game: &G,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Tally, Stopped> {
        let mut tally = Tally::default();
        self.play(game, games, stop, |_, end| tally.add_end(end))?;
        Ok(tally)
    }

    /// Plays the games of these numbers. Returns how each ended, in the order of their numbers.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` returned `true`.
    pub fn run_with_ends<G: Game<Position = P>>(
        &self,
        game: &G,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<PlayoutEnd>, Stopped> {
        let none = PlayoutEnd { points: None, plies: 0 };
        let mut ends = vec![none; (games.end - games.start) as usize];
        let first = games.start;
        self.play(game, games, stop, |number, end| ends[(number - first) as usize] = end)?;
        Ok(ends)
    }

    /// Plays the games of these numbers, and passes the number and the end of each to `end`, in any order.
    fn play<G: Game<Position = P>>(
        &self,
        game: &G,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
        end: impl FnMut(u64, PlayoutEnd),
    ) -> Result<(), Stopped> {
        let starts = games.clone().map(|number| self.game_start(number, number));
        play_all(game, starts, games.end - games.start, self.truncation, stop, end)
    }

    fn game_start(&self, game: u64, tag: u64) -> GameStart<P> {
        GameStart { position: self.position, chance: self.chance, game, tag }
    }
}

/// Plays the games of these numbers from each of many positions as one batch, or a part of them: trial `t` is the game
/// of the number `games.start + t % n` from the row `t / n`, where `n` is the number of games. Returns the tallies of
/// the rows that the part meets, from the first on. Row by row they are those of [`PlayoutStart::run`].
///
/// # Errors
/// [`Stopped`] if `stop` returned `true`.
///
/// # Panics
/// If games of different rows are cut off after different numbers of plies, or a trial is of no row.
pub fn playouts_of_rows<G: Game>(
    game: &G,
    rows: &[PlayoutStart<G::Position>],
    games: Range<u64>,
    trials: Range<u64>,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Tally>, Stopped> {
    if trials.is_empty() {
        return Ok(Vec::new());
    }
    let of_row = games.end - games.start;
    let row_of = |trial: u64| (trial / of_row) as usize;
    let first_row = row_of(trials.start);
    // A trial of no row panics here, before any game is played.
    let rows = &rows[..=row_of(trials.end - 1)];
    let truncation = rows[first_row].truncation;
    assert!(
        // `GameSource::max_plies` is one number for a whole batch.
        rows[first_row..].iter().all(|row| row.truncation == truncation),
        "rows of one batch have one truncation"
    );
    let mut tallies = vec![Tally::default(); rows.len() - first_row];
    let starts = trials.clone().map(|trial| {
        let row = row_of(trial);
        rows[row].game_start(games.start + trial % of_row, (row - first_row) as u64)
    });
    let asked = trials.end - trials.start;
    play_all(game, starts, asked, truncation, stop, |row, end| {
        tallies[row as usize].add_end(end);
    })?;
    Ok(tallies)
}

/// Plays the games from `asked` starts, and passes the tag and the end of each to `end`, in any order.
fn play_all<G: Game>(
    game: &G,
    starts: impl Iterator<Item = GameStart<G::Position>>,
    asked: u64,
    truncation: Option<NonZeroU32>,
    stop: &dyn Fn() -> bool,
    end: impl FnMut(u64, PlayoutEnd),
) -> Result<(), Stopped> {
    let mut listed = Listed { starts, max_plies: truncation.map_or(u32::MAX, NonZeroU32::get), left: asked, end };
    game.play_out(&mut listed, stop);
    // `stop` may have returned `true` after the last game: the tallies are complete all the same.
    if listed.left == 0 { Ok(()) } else { Err(Stopped) }
}

/// Starts that wait for no end.
struct Listed<I, E> {
    starts: I,
    max_plies: u32,
    /// How many games have not ended.
    left: u64,
    end: E,
}

impl<P, I: Iterator<Item = GameStart<P>>, E: FnMut(u64, PlayoutEnd)> GameSource<P> for Listed<I, E> {
    fn next(&mut self) -> Option<GameStart<P>> {
        self.starts.next()
    }

    fn end(&mut self, tag: u64, points: i32, plies: u32) {
        self.left -= 1;
        let points = Some(points);
        (self.end)(tag, PlayoutEnd { points, plies });
    }

    fn max_plies(&self) -> u32 {
        self.max_plies
    }

    fn cut_off(&mut self, tag: u64) {
        self.left -= 1;
        let (points, plies) = (None, self.max_plies);
        (self.end)(tag, PlayoutEnd { points, plies });
    }
}
