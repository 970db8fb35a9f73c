//! Many games side by side.

use core::num::NonZeroU32;
use core::ops::Range;

use rand_xoshiro::Xoshiro128PlusPlus;
use rand_xoshiro::rand_core::Rng;
use tavli_base::{NO_STOP, Stopped};
use tavli_simd::Tier;

use crate::board::{Board, Planes, Side, SideCheckers};
use crate::known_values::KnownValues;
use crate::playout::{Dice, GameEnd, PlayoutError, Playouts, Tally, Throw};
use crate::plays::{View, copied_unless};
use crate::rules::RuleSet;
use crate::stepping::roll_batch::{PER_STOP_CALL, PickError, RollBatch};

/// Many games side by side, a ply of each at a time.
///
/// A game that ends is counted in the [`tally`](Games::tally), and the next number begins in its place. When the
/// numbers are used up it is retired: its place closes up, and those behind it move down by one.
///
/// ```
/// use tavli_backgammon::stepping::Games;
/// use tavli_backgammon::playout::Throw;
/// use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};
/// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
/// // Games 0 to 99, twenty at a time.
/// let mut games = Games::new(&playouts, 0..100, 20);
/// let mut picks = Vec::new();
/// while !games.is_empty() {
///     let plays = games.roll();
///     // Each play as likely as any other; any index below the number of plays will do.
///     picks.clear();
///     for (decision, (&roll, &fraction)) in plays.rolls().iter().zip(plays.fractions()).enumerate() {
///         let pick = Throw { roll, fraction }.draw(plays.plays_of(decision));
///         picks.push(pick as u32);
///     }
///     games.make(&picks)?;
/// }
/// assert_eq!(*games.tally(), playouts.run(Tier::best(), 0..100, NO_STOP)?.tally);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Games {
    rules: RuleSet,
    dice: Dice,
    max_plies: u32,
    /// The numbers of games that have not begun.
    waiting: Range<u64>,
    places: Vec<GamePlace>,
    decisions: RollBatch,
    tally: Tally,
    ended: Vec<EndedGame>,
}

/// A game that the last ply finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndedGame {
    /// Its place among the games of that ply.
    pub place: usize,
    /// How it ended.
    pub end: GameEnd,
}

/// A game in progress as it can be kept: with the dice of its number it [goes on](Games::resume).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OngoingGame {
    /// Where it started, and where the next game in its place will start.
    pub start: Board,
    /// Its position, seen by the player on roll.
    pub position: Board,
    /// Its number.
    pub number: u64,
    /// Plies played so far.
    pub plies: u32,
    /// Plays offered in these plies.
    pub plays: u64,
}

/// A game in progress, and where the next one in its place starts.
#[derive(Clone, Debug)]
struct GamePlace {
    start: Planes,
    position: Planes,
    number: u64,
    stream: Xoshiro128PlusPlus,
    plies: u32,
    /// The throw of this ply, once it is thrown.
    throw: Option<Throw>,
    /// Plays offered so far.
    offered: u64,
}

impl GamePlace {
    fn new(start: Planes, dice: &Dice, number: u64) -> GamePlace {
        GamePlace { start, position: start, number, stream: dice.stream(number), plies: 0, throw: None, offered: 0 }
    }

    /// A game that was kept.
    fn resume(game: &OngoingGame, dice: &Dice) -> GamePlace {
        let mut stream = dice.stream(game.number);
        for _ in 0..game.plies {
            stream.next_u32(); // a ply takes one word
        }
        GamePlace {
            start: game.start.into(),
            position: game.position.into(),
            number: game.number,
            stream,
            plies: game.plies,
            throw: None,
            offered: game.plays,
        }
    }

    /// Throws the dice, unless they lie there already.
    #[inline]
    fn throw(&mut self, dice: &Dice) -> Throw {
        *self.throw.get_or_insert_with(|| dice.draw(&mut self.stream, self.number, self.plies))
    }
}

impl Games {
    /// Playouts by number, `side_by_side` at a time, or all of them if they are fewer.
    #[must_use]
    pub fn new(playouts: &Playouts, numbers: Range<u64>, side_by_side: usize) -> Games {
        let (dice, mut waiting) = (playouts.dice(), numbers);
        let numbers = waiting.by_ref().take(side_by_side);
        let places = numbers.map(|number| GamePlace::new((*playouts.start()).into(), &dice, number));
        let places = places.collect();
        Games {
            rules: playouts.rules(),
            dice,
            max_plies: playouts.truncation().map_or(u32::MAX, NonZeroU32::get),
            waiting,
            places,
            decisions: RollBatch::new(playouts.rules()),
            tally: Tally::default(),
            ended: Vec::new(),
        }
    }

    /// Games with a start position for each place: all games in that place begin there. The start of `playouts` does
    /// not count.
    ///
    /// # Errors
    /// [`PlayoutError`] if in one of the positions the game is over, or can never end.
    pub fn from_starts(playouts: &Playouts, starts: &[Board], numbers: Range<u64>) -> Result<Games, PlayoutError> {
        let mut games = Games::new(playouts, numbers, 0);
        starts.iter().try_for_each(|start| games.push_start(start))?;
        Ok(games)
    }

    /// Adds a place whose games all start from this position. They have the next numbers that wait, if there
    /// are any. [`roll`](Games::roll) has to be called again.
    ///
    /// ```
    /// use tavli_backgammon::stepping::Games;
    /// use tavli_backgammon::{Board, Playouts, RuleSet};
    /// let mut games = Games::new(&Playouts::new(Board::START, RuleSet::Backgammon, 1)?, 0..100, 20);
    /// games.push_start(&Board::START.swapped())?;
    /// assert_eq!((games.len(), games.numbers().last()), (21, Some(20)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlayoutError`] if the game is over in the position, or can never end; nothing is then added.
    pub fn push_start(&mut self, start: &Board) -> Result<(), PlayoutError> {
        // For its check of the position alone: any seed will do.
        Playouts::new(*start, self.rules, 0)?;
        if let Some(number) = self.waiting.next() {
            self.places.push(GamePlace::new((*start).into(), &self.dice, number));
        }
        Ok(())
    }

    /// Adds a game that was kept, which goes on; [`roll`](Games::roll) has to be called again.
    ///
    /// # Errors
    /// [`PlayoutError`] if no game starts, or goes on, from its positions; nothing is then added.
    pub fn push_ongoing(&mut self, game: &OngoingGame) -> Result<(), PlayoutError> {
        // The start, too: the next game in the place begins there.
        for board in [game.start, game.position] {
            Playouts::new(board, self.rules, 0)?;
        }
        self.places.push(GamePlace::resume(game, &self.dice));
        Ok(())
    }

    /// Games that were kept: those in progress, the numbers of games that have not begun, and the counts of games that
    /// have ended. With the same `playouts` they go on as the original games do. Where dice had been thrown,
    /// [`roll`](Games::roll) throws the same dice again.
    ///
    /// ```
    /// use tavli_backgammon::stepping::{Games, OngoingGame};
    /// use tavli_backgammon::{Board, Playouts, RuleSet};
    /// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
    /// let mut games = Games::new(&playouts, 0..100, 20);
    /// games.roll();
    /// games.make(&[0; 20])?;
    /// let kept: Vec<OngoingGame> = games.ongoing().collect();
    /// let mut again = Games::resume(&playouts, &kept, games.waiting(), *games.tally())?;
    /// assert_eq!(again.roll().rolls(), games.roll().rolls());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlayoutError`] if no game starts, or goes on, from one of the positions.
    pub fn resume(
        playouts: &Playouts,
        ongoing: &[OngoingGame],
        waiting: Range<u64>,
        tally: Tally,
    ) -> Result<Games, PlayoutError> {
        let mut games = Games::new(playouts, waiting, 0);
        ongoing.iter().try_for_each(|game| games.push_ongoing(game))?;
        games.tally = tally;
        Ok(games)
    }

    /// An independent copy. Calls `stop` about every 65,536 games or plays.
    ///
    /// ```
    /// use tavli_backgammon::stepping::Games;
    /// use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet};
    /// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
    /// let mut games = Games::new(&playouts, 0..100, 20);
    /// games.roll();
    /// let mut copy = games.clone_unless(NO_STOP)?;
    /// assert_eq!(copy.plays().results(), games.plays().results());
    /// assert_eq!(copy.make(&[0; 20])?, games.make(&[0; 20])?);
    /// assert!(games.clone_unless(&|| true).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stopped`] if it was stopped.
    pub fn clone_unless(&self, stop: &dyn Fn() -> bool) -> Result<Games, Stopped> {
        Ok(Games {
            rules: self.rules,
            dice: self.dice,
            max_plies: self.max_plies,
            waiting: self.waiting.clone(),
            places: copied_unless(&self.places, stop)?,
            decisions: self.decisions.clone_unless(stop)?,
            tally: self.tally,
            ended: copied_unless(&self.ended, stop)?,
        })
    }

    /// Takes its decisions [on a tier](RollBatch::with_tier).
    #[must_use]
    pub fn with_tier(self, tier: Tier) -> Games {
        Games { decisions: self.decisions.with_tier(tier), ..self }
    }

    /// Throws the dice of every game, unless they lie there already, and lists all plays of all games, with the
    /// positions after them.
    pub fn roll(&mut self) -> &RollBatch {
        self.roll_for(View::RESULTS)
    }

    /// [`Games::roll`], with the parts of each play that the view asks for.
    pub fn roll_for(&mut self, view: View) -> &RollBatch {
        self.roll_unless(view, NO_STOP).expect("nothing stops it")
    }

    /// [`Games::roll_for`], unless `stop` returns true, which is called every thousand games or so. The games are then
    /// as before, but their dice may lie there.
    ///
    /// ```
    /// use tavli_backgammon::stepping::Games;
    /// use tavli_backgammon::plays::View;
    /// use tavli_backgammon::{Board, Playouts, RuleSet};
    /// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
    /// let mut games = Games::new(&playouts, 0..100, 20);
    /// assert!(games.roll_unless(View::RESULTS, &|| true).is_err() && games.plays().is_empty());
    /// assert_eq!(games.roll().rolls(), Games::new(&playouts, 0..100, 20).roll().rolls());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stopped`] if it was stopped.
    pub fn roll_unless(&mut self, view: View, stop: &dyn Fn() -> bool) -> Result<&RollBatch, Stopped> {
        self.decisions.clear();
        for places in self.places.chunks_mut(PER_STOP_CALL) {
            if stop() {
                // `plays` then has no decisions, rather than those of some games.
                self.decisions.clear();
                return Err(Stopped);
            }
            for place in places {
                let throw = place.throw(&self.dice);
                self.decisions.push_in_play(place.position, throw);
            }
        }
        self.decisions.list_unless(view, stop)?;
        Ok(&self.decisions)
    }

    /// The plays that [`roll`](Games::roll) listed last.
    #[must_use]
    pub fn plays(&self) -> &RollBatch {
        &self.decisions
    }

    /// Makes in each game the play of an index among its plays, and returns the games that ended. They are counted, and
    /// other games begin in their places, or they are retired.
    ///
    /// # Errors
    /// [`PickError`] names the first pick that is not an index of a play; nothing is then played.
    ///
    /// # Panics
    /// If there is not one pick for each game, or [`roll`](Games::roll) was not called since the last ply.
    pub fn make(&mut self, picks: &[u32]) -> Result<&[EndedGame], PickError> {
        let Games { places, decisions, .. } = self;
        assert_eq!(decisions.len(), places.len(), "roll before the plays are made");
        let results = decisions.make(picks)?.iter();
        for (place, &result) in places.iter_mut().zip(results) {
            place.position = result;
        }
        for (place, ends) in places.iter_mut().zip(decisions.offsets().windows(2)) {
            place.offered += (ends[1] - ends[0]) as u64;
        }
        // The assertion above tells by their number that the dice have been thrown since.
        decisions.clear();
        Ok(self.end_ply(None))
    }

    /// Throws for the games in which it is a player's turn, or for all games, and adds their decisions and places.
    pub(crate) fn push_decisions(&mut self, player: Option<Side>, decisions: &mut RollBatch, places: &mut Vec<usize>) {
        for (index, place) in self.places.iter_mut().enumerate() {
            if player.is_none_or(|player| Side::after(place.plies) == player) {
                let throw = place.throw(&self.dice);
                decisions.push_in_play(place.position, throw);
                places.push(index);
            }
        }
    }

    /// Makes a play in the game of a place, picked from a number of plays.
    #[inline]
    pub(crate) fn place_result(&mut self, place: usize, result: Planes, plays: usize) {
        let place = &mut self.places[place];
        place.position = result;
        place.offered += plays as u64;
    }

    /// Ends a ply in which a play was made in every game. A game whose value is known ends, too.
    pub(crate) fn end_ply(&mut self, known: Option<&dyn KnownValues>) -> &[EndedGame] {
        let Games { rules, dice, max_plies, waiting, places, tally, ended, .. } = self;
        ended.clear();
        let mut index = 0;
        places.retain_mut(|place| {
            place.plies += 1;
            place.throw = None;
            index += 1;
            let position = place.position;
            let [mover, other] = [position.opponent(), position.own()].map(SideCheckers::from_planes);
            let outcome = rules.outcome_after(place.plies, &mover, &other);
            // Asked last: `KnownValues::value` takes only positions in which the game goes on.
            let is_known = || known.is_some_and(|known| known.value(*rules, &position).is_some());
            if outcome.is_none() && place.plies < *max_plies && !is_known() {
                return true;
            }
            tally.add(outcome, place.plies);
            tally.plays += u128::from(place.offered);
            let end = GameEnd { game: place.number, outcome, plies: place.plies, board: position.into() };
            ended.push(EndedGame { place: index - 1, end });
            let next = waiting.next();
            if let Some(number) = next {
                *place = GamePlace::new(place.start, dice, number);
            }
            next.is_some()
        });
        ended
    }

    /// The games in progress, as they can be kept.
    pub fn ongoing(&self) -> impl ExactSizeIterator<Item = OngoingGame> {
        self.places.iter().map(|place| OngoingGame {
            start: place.start.into(),
            position: place.position.into(),
            number: place.number,
            plies: place.plies,
            plays: place.offered,
        })
    }

    /// The numbers of the games that have not begun.
    #[must_use]
    pub fn waiting(&self) -> Range<u64> {
        self.waiting.clone()
    }

    /// How many games are played side by side now: those that have begun and not ended.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether all games have ended.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The counts of the games that have ended.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The games that the last ply finished.
    #[must_use]
    pub fn finished(&self) -> &[EndedGame] {
        &self.ended
    }

    /// The number of each game.
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = u64> {
        self.places.iter().map(|place| place.number)
    }

    /// How many plies of each game have been played.
    pub fn plies(&self) -> impl ExactSizeIterator<Item = u32> {
        self.places.iter().map(|place| place.plies)
    }

    /// Whose turn it is in each game: that of the player who was on roll in its first position, or that of his
    /// opponent.
    pub fn turns(&self) -> impl ExactSizeIterator<Item = Side> {
        self.places.iter().map(|place| Side::after(place.plies))
    }

    /// The position of each game, seen by the player on roll.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Planes> {
        self.places.iter().map(|place| place.position)
    }
}
