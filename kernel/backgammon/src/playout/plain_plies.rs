//! Single plies of the portable tier, played as far as one of its stages.

use rand_xoshiro::rand_core::Rng;
use tavli_game::streams::{StreamKey, generator};
use tavli_simd::{Bmi2, Isa, Scalar, ScalarIsa, Vector, Word};

use super::scalar::Ply;
use super::start::StartPosition;
use crate::board::Board;
use crate::dice::Roll;
use crate::playout::playout_error::PlayoutError;
use crate::plays::{CheckerPlanes, CountPlays, Masks, visit_plays};
use crate::rules::{AllHome, BearOff, Goal, RuleSet};

/// A stage of a ply of the portable tier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlainStage {
    /// The dice are thrown.
    Throw,
    /// The plays are counted.
    Count,
    /// One is drawn and made, with its hits.
    Make,
}

tavli_base::named_values!(PlainStage: Throw "throw", Count "count", Make "make");

/// The first plies of games from given positions, which the portable tier plays up to a stage. A stage of one ply is
/// over before a clock can be read twice, but a stage of many plies can be timed. The cost of a stage is the extra time
/// of plies that include it.
///
/// ```
/// use tavli_backgammon::profile::{PlainPlies, PlainStage};
/// use tavli_backgammon::{Board, RuleSet};
/// let plies = PlainPlies::new(&[Board::START; 9], RuleSet::Backgammon, 1)?;
/// // There are 4 to 25 plays of any roll.
/// let plays = plies.play(PlainStage::Count);
/// assert!((9 * 4..=9 * 25).contains(&plays));
/// # Ok::<(), tavli_backgammon::PlayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlainPlies {
    rules: RuleSet,
    games: Vec<Begun>,
}

/// A game that begins: both sides, and the state of its stream.
#[derive(Clone, Copy, Debug)]
struct Begun {
    sides: [[u32; 4]; 2],
    stream: [u32; 4],
}

impl PlainPlies {
    /// Games from these positions, of which the first has number 0 under the seed.
    ///
    /// # Errors
    /// [`PlayoutError`] if no game can be played from one of the positions.
    pub fn new(boards: &[Board], rules: RuleSet, seed: u64) -> Result<PlainPlies, PlayoutError> {
        let key = StreamKey::new(seed);
        let begin = |(number, board): (u64, &Board)| {
            StartPosition::new(board, rules)?;
            Ok(Begun { sides: [board.own().planes(), board.opponent().planes()], stream: key.state(number) })
        };
        let games: Result<_, PlayoutError> = (0..).zip(boards).map(begin).collect();
        Ok(PlainPlies { rules, games: games? })
    }

    /// How many plies there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.games.len()
    }

    /// Plays all plies up to this stage, and returns a sum over them: of the larger dice, of the plays offered, or of
    /// the words of the positions after the plays.
    #[must_use]
    pub fn play(&self, last: PlainStage) -> u64 {
        match Bmi2::detect() {
            Some(isa) => self.play_on(isa, last),
            None => self.play_on(Scalar, last),
        }
    }

    fn play_on<B: ScalarIsa + Isa<Vector = Word<B>>>(&self, isa: B, last: PlainStage) -> u64 {
        isa.with_features(
            #[inline(always)]
            || match self.rules.bears_off() {
                true => self.play_by::<BearOff, B>(isa, last),
                false => self.play_by::<AllHome, B>(isa, last),
            },
        )
    }

    #[inline(always)]
    fn play_by<G: Goal, B: ScalarIsa + Isa<Vector = Word<B>>>(&self, isa: B, last: PlainStage) -> u64 {
        let words = |counts: CheckerPlanes<Word<B>>| -> u64 { counts.iter().map(|word| u64::from(word.get())).sum() };
        match last {
            PlainStage::Throw => self.sum(isa, |_, [high, _, _]| u64::from(high.get())),
            PlainStage::Count => self.sum(isa, |[mover, other], [high, low, _]| {
                let masks = Masks::new(&mover, &other);
                visit_plays::<G, B, _>(&mover, &masks, high, low, CountPlays) as u64
            }),
            PlainStage::Make => self.sum(isa, |[mover, other], [high, low, fraction]| {
                let masks = Masks::new(&mover, &other);
                let ply = Ply { fraction, mover, other };
                let (moved, hit, _) = visit_plays::<G, B, _>(&mover, &masks, high, low, ply);
                words(moved) + words(hit)
            }),
        }
    }

    /// The sum over all plies, each of its sides and its throw: the higher die, the lower one, and a random fraction of
    /// 2^32 that draws the play. The throw is written here as in the playout: when both called one function, a playout
    /// took 4 % more instructions.
    #[inline(always)]
    fn sum<B: ScalarIsa + Isa<Vector = Word<B>>>(
        &self,
        isa: B,
        ply: impl Fn([CheckerPlanes<Word<B>>; 2], [Word<B>; 3]) -> u64,
    ) -> u64 {
        let plies = self.games.iter().map(
            #[inline(always)]
            |game| {
                let sides = game.sides.map(|counts| counts.map(|bits| isa.splat(bits)));
                let word = isa.splat(generator(game.stream).next_u32());
                let (throw, fraction) = word.mul_wide(isa.splat(Roll::THROWS.len() as u32));
                let roll = Roll::THROWS[throw.get() as usize];
                let [high, low] = [roll.high(), roll.low()].map(|die| isa.splat(u32::from(die)));
                ply(sides, [high, low, fraction])
            },
        );
        plies.sum()
    }
}
