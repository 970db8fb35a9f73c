//! The games of all candidates in one batch.

use core::ops::Range;

use tavli_backgammon::playout::{Batch, Dice, End, Playouts, Source, Start, StartPosition};
use tavli_backgammon::policies::Players;
use tavli_backgammon::{Outcome, Planes, Tier};

/// Makes the last position of a game, seen by the player next on roll, where it is asked for.
pub(super) type Last<'a> = &'a dyn Fn() -> Planes;

/// Takes the index of a position, the number of a game, and its outcome, or `None` if it was cut off.
pub(super) type Take<'a> = &'a mut dyn FnMut(usize, u64, Option<Outcome>, Last<'_>);

/// A position with the players of its games, the one who is on roll first before the other.
pub(super) struct Played {
    pub(super) playouts: Playouts,
    pub(super) players: Players,
}

/// Plays the games of these numbers from each of several positions, which have the same rules and truncation, and gives
/// them to `take` in any order. Returns `None`, with some of the games played, if `stop` says so before the end.
///
/// Uniform games are one batch, so that its lanes are full until the last games of the last position.
pub(super) fn play_each(
    positions: &[Played],
    tier: Tier,
    games: Range<u64>,
    stop: &dyn Fn() -> bool,
    take: Take<'_>,
) -> Option<()> {
    let is_uniform = |position: &Played| position.players.are_uniform();
    if let Some(first) = positions.first()
        && positions.iter().all(is_uniform)
    {
        let batch = Batch::new(first.playouts.rules());
        let batch = match first.playouts.truncation() {
            Some(plies) => batch.truncated_after(plies),
            None => batch,
        };
        let starts = positions.iter().map(|Played { playouts, .. }| {
            let start = StartPosition::new(playouts.start(), playouts.rules());
            let dice = Dice::new(playouts.seed(), playouts.first_roll());
            (start.expect("playouts have games"), dice)
        });
        let mut source = Games {
            starts: starts.collect(),
            number: games.end - games.start,
            first: games.start,
            next: 0,
            take,
        };
        batch.play_unless(tier, &mut source, stop);
        return (!stop()).then_some(());
    }
    let mut records = Vec::new();
    for (index, Played { playouts, players }) in positions.iter().enumerate() {
        records.clear();
        players.run_recorded_unless(playouts, tier, games.clone(), &mut records, stop)?;
        for record in &records {
            take(index, record.game, record.outcome, &|| record.board.into());
        }
    }
    Some(())
}

/// Games of several positions, position by position. The tag of the `n`-th game of the `p`-th position is `p` times
/// their number, and `n`.
struct Games<'a> {
    starts: Vec<(StartPosition, Dice)>,
    /// How many games each position has.
    number: u64,
    /// The number of the first game.
    first: u64,
    /// The tag of the next one.
    next: u64,
    take: Take<'a>,
}

impl Games<'_> {
    /// The position and the number of the game of a tag.
    fn of_tag(&self, tag: u64) -> (usize, u64) {
        ((tag / self.number) as usize, self.first + tag % self.number)
    }
}

impl Source for Games<'_> {
    fn next(&mut self) -> Option<Start> {
        let (position, game) = self.of_tag(self.next);
        let (start, dice) = self.starts.get(position)?;
        let begun = Start::new(start, dice, game, self.next);
        self.next += 1;
        Some(begun)
    }

    fn end(&mut self, end: &End) {
        let (position, game) = self.of_tag(end.tag());
        (self.take)(position, game, end.outcome(), &|| end.board().into());
    }
}
