//! Two-sided tables of perfect play, with and without a cube.

use super::error::BearOffError;
use super::pairs::{PAIRS_PER_BATCH, PairValue, Pairs};
use super::side_positions::SidePositions;
use tavli_backgammon::Roll;

/// The player who may double.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// Nobody: the game is played without a cube.
    None,
    /// The player on roll.
    OnRoll,
    /// Either.
    Both,
    /// The opponent.
    Opponent,
}

/// Equities for the player on roll, who has decided not to double: -32,768 loses the stake, 32,767 wins it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Equities {
    pub(super) none: i16,
    pub(super) on_roll: i16,
    pub(super) both: i16,
    pub(super) opponent: i16,
}

impl Equities {
    /// Whether each equity is within two steps of the other's, since makebearoff may round differently.
    pub(super) fn is_nearly(self, other: Equities) -> bool {
        let all = |of: Equities| [of.none, of.on_roll, of.both, of.opponent];
        let mut pairs = all(self).into_iter().zip(all(other));
        pairs.all(|(one, other)| one.abs_diff(other) <= 2)
    }
}

const WIN: i16 = i16::MAX;
const LOSS: i16 = i16::MIN;

/// The equity of perfect play, with and without a cube, for each pair of positions of a few checkers on the first
/// points of both sides. Games are for money, without gammons, Jacoby rule and beavers. The player on roll is about to
/// throw, and has not doubled.
///
/// A table of six checkers on six points equals the file `gnubg_ts0.bd` of GNU Backgammon. As there, equities are
/// rounded to steps of 1/32,767.5 position by position; [`ExactWins`](super::ExactWins) has games without a cube in
/// full precision.
///
/// ```
/// use tavli_backgammon::NO_STOP;
/// use tavli_players::bearoff::{Holder, TwoSided};
/// let table = TwoSided::new(6, 2, NO_STOP, &mut |_| ())?;
/// let index = |by_point: &[u8]| table.positions().index(by_point).expect("is in the table");
/// // Two checkers on the six point against one on the ace point: only 66 and 55, 44, 33 bear off both.
/// let (six, ace) = (index(&[0, 0, 0, 0, 0, 2]), index(&[1]));
/// assert!((table.equity(Holder::None, six, ace) - (2.0 * 4.0 / 36.0 - 1.0)).abs() < 1e-4);
/// // The other way round the player on roll bears off his last checker.
/// assert_eq!(table.equity(Holder::Both, ace, six), 1.0);
/// # Ok::<(), tavli_players::bearoff::BearOffError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct TwoSided {
    pub(super) pairs: Pairs<Equities>,
}

impl TwoSided {
    /// Solves the positions of up to `checkers` checkers a side, 1 to 15, on the first `points` points, 1 to 12: on
    /// more points the sides could meet. Every so often it calls `progress` with the number of finished pairs, and then
    /// `stop`.
    ///
    /// # Errors
    /// [`BearOffError::Size`], [`BearOffError::Memory`] or [`BearOffError::Stopped`].
    pub fn new(
        points: u8,
        checkers: u8,
        stop: &dyn Fn() -> bool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<TwoSided, BearOffError> {
        let pairs = Pairs::solve(points, checkers, &mut |done| {
            progress(done);
            stop()
        })?;
        Ok(TwoSided { pairs })
    }

    /// The positions of either side.
    #[must_use]
    pub fn positions(&self) -> SidePositions {
        self.pairs.positions
    }

    /// The equity of the player on roll, whose position has the number `own`, as a share of the stake: -1 to 1.
    ///
    /// # Panics
    /// If the table has no positions numbered `own` and `other`.
    #[must_use]
    pub fn equity(&self, holder: Holder, own: u32, other: u32) -> f64 {
        let equities = self.pairs.row(own)[other as usize];
        let steps = match holder {
            Holder::None => equities.none,
            Holder::OnRoll => equities.on_roll,
            Holder::Both => equities.both,
            Holder::Opponent => equities.opponent,
        };
        (f64::from(steps) + 0.5) / (f64::from(WIN) + 0.5)
    }
}

impl PairValue for Equities {
    /// The equity without a cube, then the equities if the player who has played, either side or the next player may
    /// double.
    type AfterPlay = [i16; 4];
    type Sum = [i32; 4];

    const WON: Equities = Equities { none: WIN, on_roll: WIN, both: WIN, opponent: WIN };
    const LOST: Equities = Equities { none: LOSS, on_roll: LOSS, both: LOSS, opponent: LOSS };
    const WORST: [i16; 4] = [LOSS; 4];

    fn after_play(self) -> [i16; 4] {
        // The opponent, who has access to the cube, may double. The complement negates: -32,768 becomes 32,767, so a
        // loss becomes a win.
        [!self.none, !self.opponent, !with_double(self.both, self.opponent), !with_double(self.on_roll, self.opponent)]
    }

    #[inline(always)]
    fn keep_better(best: &mut [[i16; 4]; PAIRS_PER_BATCH], after: &[[i16; 4]; PAIRS_PER_BATCH]) {
        for (best, after) in best.as_flattened_mut().iter_mut().zip(after.as_flattened()) {
            *best = *after.max(best);
        }
    }

    #[inline(always)]
    fn add(sums: &mut [[i32; 4]; PAIRS_PER_BATCH], roll: Roll, best: &[[i16; 4]; PAIRS_PER_BATCH]) {
        for (sum, &best) in sums.as_flattened_mut().iter_mut().zip(best.as_flattened()) {
            *sum += roll.weight() as i32 * i32::from(best);
        }
    }

    fn mean(sum: [i32; 4]) -> Equities {
        let [none, on_roll, both, opponent] = sum.map(|sum| (sum / Roll::THROWS.len() as i32) as i16);
        Equities { none, on_roll, both, opponent }
    }
}

/// The equity of a player who may double: `no_double` without a double, and `taken` of the doubled stake after a take.
fn with_double(no_double: i16, taken: i16) -> i16 {
    // Halved, since the double of an equity may not fit 16 bits.
    if taken < no_double / 2 {
        no_double
    } else if taken >= WIN / 2 {
        // The opponent passes.
        WIN
    } else {
        2 * taken
    }
}
