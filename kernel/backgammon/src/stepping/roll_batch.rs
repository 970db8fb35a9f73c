//! Positions with a roll to play, and all their plays as ragged arrays.

use thiserror::Error;

use crate::board::{Board, Planes};
use crate::dice::Roll;
use crate::playout::Throw;
use crate::plays::{Change, Listing, View, copied_unless, pick_results};
use crate::rules::RuleSet;
use tavli_base::Stopped;
use tavli_simd::Tier;

/// Games and decisions between two calls of `stop`: a call may take a microsecond, and these a millisecond.
pub(crate) const PER_STOP_CALL: usize = 1024;

/// A position in which nothing is to be decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the game is already over by the rules of {0}: name a position in which it goes on")]
pub struct OverError(pub RuleSet);

/// A pick that is not an index of one of the plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("pick {pick} is out of range: decision {decision} has {plays} plays, numbered from 0")]
pub struct PickError {
    /// Which decision.
    pub decision: usize,
    /// The index that was picked.
    pub pick: u32,
    /// How many plays there are.
    pub plays: usize,
}

/// Positions with a roll to play, side by side, and the distinct plays of each in the order of
/// [`Plays`](crate::Plays).
///
/// The plays of all decisions stand one after another in each array: the plays of decision `d` at
/// `offsets()[d]..offsets()[d + 1]`. The [`View`] decides what is listed of each play. The arrays are used again when
/// the decisions are cleared.
///
/// ```
/// use tavli_backgammon::stepping::RollBatch;
/// use tavli_backgammon::playout::Throw;
/// use tavli_backgammon::plays::View;
/// use tavli_backgammon::{Board, RuleSet};
/// let mut decisions = RollBatch::new(RuleSet::Backgammon);
/// for roll in ["31", "65"] {
///     decisions.push(&Board::START, Throw { roll: roll.parse()?, fraction: 0 })?;
/// }
/// decisions.list(View::RESULTS);
/// assert_eq!(decisions.offsets(), [0, 16, 23]);
/// let first_of_65 = decisions.results_of(1)[0];
/// assert_eq!(first_of_65.points()[25 - 3], -1, "8/3 8/2 brings a checker to the 3 point");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RollBatch {
    rules: RuleSet,
    tier: Tier,
    positions: Vec<Planes>,
    rolls: Vec<Roll>,
    fractions: Vec<u32>,
    listing: Listing,
    made: Vec<Planes>,
}

impl RollBatch {
    /// No decisions yet, on the best tier of this CPU.
    #[must_use]
    pub fn new(rules: RuleSet) -> RollBatch {
        RollBatch {
            rules,
            tier: Tier::best(),
            positions: Vec::new(),
            rolls: Vec::new(),
            fractions: Vec::new(),
            listing: Listing::new(),
            made: Vec::new(),
        }
    }

    /// Sets the tier, for policies that have code for each. It changes their speed, never their picks; they
    /// panic if this CPU lacks it.
    ///
    /// ```
    /// use tavli_backgammon::stepping::RollBatch;
    /// use tavli_backgammon::{RuleSet, Tier};
    /// let decisions = RollBatch::new(RuleSet::Backgammon).with_tier(Tier::Portable);
    /// assert_eq!(decisions.tier(), Tier::Portable);
    /// ```
    #[must_use]
    pub fn with_tier(self, tier: Tier) -> RollBatch {
        RollBatch { tier, ..self }
    }

    /// Removes all decisions.
    pub fn clear(&mut self) {
        self.positions.clear();
        self.rolls.clear();
        self.fractions.clear();
    }

    /// Adds a decision. The next [`list`](RollBatch::list) lists its plays.
    ///
    /// # Errors
    /// [`OverError`] if the game is over in this position.
    pub fn push(&mut self, board: &Board, throw: Throw) -> Result<(), OverError> {
        if self.rules.is_over(board) {
            return Err(OverError(self.rules));
        }
        self.push_in_play(Planes::from(*board), throw);
        Ok(())
    }

    /// Adds a decision for each roll, in the order of [`Roll::ALL`], of the plays that are chosen and not drawn: the
    /// fractions are 0.
    ///
    /// # Errors
    /// [`OverError`] if the game is over in this position.
    pub fn push_rolls(&mut self, board: &Board) -> Result<(), OverError> {
        let mut throws = Roll::ALL.into_iter().map(|roll| Throw { roll, fraction: 0 });
        throws.try_for_each(|throw| self.push(board, throw))
    }

    /// Adds a decision of a game that is not over.
    #[inline]
    pub(crate) fn push_in_play(&mut self, position: Planes, throw: Throw) {
        self.positions.push(position);
        self.rolls.push(throw.roll);
        self.fractions.push(throw.fraction);
    }

    /// Lists the plays of all decisions, with the parts of each play that the view asks for.
    pub fn list(&mut self, view: View) {
        self.listing.begin(view);
        self.listing.add(self.rules, &self.positions, &self.rolls);
    }

    /// [`list`](RollBatch::list), unless `stop` returns true, which is called every thousand decisions or so. If it
    /// does, all decisions are removed.
    pub(crate) fn list_unless(&mut self, view: View, stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        self.listing.begin(view);
        let (positions, rolls) = (self.positions.chunks(PER_STOP_CALL), self.rolls.chunks(PER_STOP_CALL));
        for (positions, rolls) in positions.zip(rolls) {
            if stop() {
                self.clear();
                return Err(Stopped);
            }
            self.listing.add(self.rules, positions, rolls);
        }
        Ok(())
    }

    /// A copy, unless `stop` returns true.
    pub(crate) fn clone_unless(&self, stop: &dyn Fn() -> bool) -> Result<RollBatch, Stopped> {
        Ok(RollBatch {
            rules: self.rules,
            tier: self.tier,
            positions: copied_unless(&self.positions, stop)?,
            rolls: copied_unless(&self.rolls, stop)?,
            fractions: copied_unless(&self.fractions, stop)?,
            listing: self.listing.clone_unless(stop)?,
            made: copied_unless(&self.made, stop)?,
        })
    }

    /// [`list`](RollBatch::list) in the code for any CPU, which it runs on CPUs without fast bit instructions.
    pub fn list_on_any_cpu(&mut self, view: View) {
        self.listing.begin(view);
        self.listing.add_on_any_cpu(self.rules, &self.positions, &self.rolls);
    }

    /// How many decisions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether [`len`](Self::len) is 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The tier that policies pick on.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The view by which plays were listed.
    #[must_use]
    pub fn view(&self) -> View {
        self.listing.view()
    }

    /// The position of each decision, seen by the player on roll.
    #[must_use]
    pub fn positions(&self) -> &[Planes] {
        &self.positions
    }

    /// The roll of each decision.
    #[must_use]
    pub fn rolls(&self) -> &[Roll] {
        &self.rolls
    }

    /// The random fraction of each decision, of 2^32: all the randomness that a policy may use.
    #[must_use]
    pub fn fractions(&self) -> &[u32] {
        &self.fractions
    }

    /// Where the plays of each decision begin in the other arrays, and at the end where the last one's end.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.listing.offsets
    }

    /// The number of plays of a decision; a forced pass is one.
    ///
    /// # Panics
    /// If there are fewer decisions, or they have not been listed.
    #[must_use]
    #[inline]
    pub fn plays_of(&self, decision: usize) -> usize {
        self.offsets()[decision + 1] - self.offsets()[decision]
    }

    /// The position after each play, seen by the player next on roll; empty unless listed with the results.
    #[must_use]
    pub fn results(&self) -> &[Planes] {
        self.listing.results.filled()
    }

    /// The change of each play; empty unless listed with the changes.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        self.listing.changes.filled()
    }

    /// The positions after the plays of one decision, seen by the player next on roll.
    ///
    /// # Panics
    /// If there are fewer decisions, or they have not been listed with the results.
    #[must_use]
    #[inline]
    pub fn results_of(&self, decision: usize) -> &[Planes] {
        &self.results()[self.offsets()[decision]..self.offsets()[decision + 1]]
    }

    /// The changes of the plays of one decision.
    ///
    /// # Panics
    /// If there are fewer decisions, or they have not been listed with the changes.
    #[must_use]
    #[inline]
    pub fn changes_of(&self, decision: usize) -> &[Change] {
        &self.changes()[self.offsets()[decision]..self.offsets()[decision + 1]]
    }

    /// The position after a play of a decision, by its index, seen by the player next on roll.
    ///
    /// # Panics
    /// If there are fewer decisions or plays, or they have been listed with neither the results nor the changes.
    #[must_use]
    pub fn result_of(&self, decision: usize, index: u32) -> Planes {
        match self.view().results {
            true => self.results_of(decision)[index as usize],
            false => self.changes_of(decision)[index as usize].made_in(&self.positions[decision]),
        }
    }

    /// The positions after the picked plays, one index for each decision, seen by the player next on roll.
    ///
    /// # Errors
    /// [`PickError`] names the first index that is not below the number of plays.
    ///
    /// # Panics
    /// If there is not one pick for each decision, or the decisions have not been listed.
    pub fn make(&mut self, picks: &[u32]) -> Result<&[Planes], PickError> {
        let number = self.len();
        assert_eq!(picks.len(), number, "one pick for each decision");
        assert_eq!(self.offsets().len(), number + 1, "the decisions are listed");
        let ends = self.offsets().windows(2).zip(picks).enumerate();
        for (decision, (ends, &pick)) in ends {
            let plays = ends[1] - ends[0];
            if pick as usize >= plays {
                return Err(PickError { decision, pick, plays });
            }
        }
        let RollBatch { rules, positions, rolls, listing, made, .. } = self;
        let indices = listing.offsets.iter().zip(picks);
        let indices = indices.map(|(&offset, &pick)| offset + pick as usize);
        let View { results, changes } = listing.view();
        made.clear();
        if results {
            let results = listing.results.filled();
            made.extend(indices.map(|index| results[index]));
        } else if changes {
            let changes = listing.changes.filled();
            let plays = positions.iter().zip(indices);
            made.extend(plays.map(|(position, index)| changes[index].made_in(position)));
        } else {
            // Nothing was listed, as for uniform play: only the plays that are picked are worked out.
            pick_results(*rules, positions, rolls, picks, made);
        }
        Ok(made)
    }

    /// The positions that [`make`](RollBatch::make) made last.
    pub(crate) fn made(&self) -> &[Planes] {
        &self.made
    }
}
