//! The policy.

use std::sync::LazyLock;

use super::weights::{CONTACT, RACE, Weights};
use crate::board::{HOME, Planes, SideCheckers};
use crate::plays::View;
use crate::policies::policy::Policy;
use crate::rules::RuleSet;
use crate::stepping::RollBatch;
use tavli_base::Stopped;

/// Pubeval, which Gerald Tesauro of IBM Research published in 1993 as a benchmark of backgammon programs. It values the
/// position after each play by one of two linear functions of 122 inputs and picks the best: one function where the
/// sides have passed each other before the play, the other where they have not. It plays like a beginner who has read a
/// book, and is far better than uniform play.
///
/// For each of the 24 points there are five inputs: whether the opponent has a blot there, whether the mover has one
/// checker, two or more, exactly three, and half of the number of those beyond three. The others are half of the
/// opponent's checkers on the bar and a fifteenth of the mover's borne off. A play that wins the game is the best, by
/// whatever rules. Of plays of equal value the first is picked, in the order of [`Plays`](crate::Plays).
///
/// Values are exact: the published weights have five decimals, so integers hold every sum. The original sums
/// floating-point numbers, whose rounding may separate equal values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pubeval;

impl Pubeval {
    /// `pubeval`.
    pub const NAME: &str = "pubeval";

    /// The [signature](crate::policies::PolicyPair::signature) of its games against itself, which the tests compare.
    pub const RECORDED_SIGNATURE: u64 = 0x1ce4_5f70_cea5_6dc8;

    /// The number that stands for 1 of the published weights, in [`Pubeval::score`].
    pub const SCORE_UNIT: i32 = 100_000 * UNITS;

    /// The value of a position for the player who is not on roll, as if he had just played into it: by the function for
    /// races where the sides have passed each other in it. It ranks positions and is not an equity.
    ///
    /// ```
    /// use tavli_backgammon::policies::Pubeval;
    /// use tavli_backgammon::{Board, Planes, Plays, RuleSet};
    /// let plays = Plays::new(&Board::START, "31".parse()?, RuleSet::Backgammon);
    /// let score = |play: &tavli_backgammon::Play| Pubeval::score(&play.board().into(), RuleSet::Backgammon);
    /// let best = plays.to_vec().into_iter().max_by_key(score).expect("plays");
    /// assert_eq!(plays.moves(&best).to_string(), "8/5 6/5");
    /// # Ok::<(), tavli_backgammon::RollError>(())
    /// ```
    #[must_use]
    pub fn score(position: &Planes, rules: RuleSet) -> i32 {
        Function::for_position(position).value(position, rules)
    }
}

impl Policy for Pubeval {
    fn name(&self) -> &str {
        Pubeval::NAME
    }

    fn view(&self) -> View {
        View::RESULTS
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        self.pick_best(decisions, picks);
        Ok(())
    }
}

impl Pubeval {
    /// [`Policy::pick`], which is too short to be stopped.
    pub(crate) fn pick_best(&self, decisions: &RollBatch, picks: &mut [u32]) {
        for (decision, (pick, position)) in picks.iter_mut().zip(decisions.positions()).enumerate() {
            let function = Function::for_position(position);
            // Without branches, since values come in no order: the larger value first, then the lower index.
            let mut best = i64::MIN;
            for (index, result) in decisions.results_of(decision).iter().enumerate() {
                let value = i64::from(function.value(result, decisions.rules()));
                best = best.max(value << 32 | i64::from(!(index as u32)));
            }
            *pick = !(best as u32);
        }
    }
}

/// Whether the sides have passed each other.
fn is_race(position: &Planes) -> bool {
    // The lowest bit stands for no point, and keeps an empty side from 32 leading zeros.
    let rearmost = |[a, b, c, d]: [u32; 4]| 31 - (a | b | c | d | 1).leading_zeros();
    rearmost(position.own()) + rearmost(position.opponent()) < 25
}

/// Values are integers in units of 1/30 of the weights': of all inputs, halves and fifteenths are then whole.
const UNITS: i32 = 30;

/// The sum of a weight over the points of a mask, by its three bytes from point 1 on.
struct MaskSums([[i32; 256]; 3]);

impl MaskSums {
    /// The sums of these weights of points 1 to 24.
    fn new(weights: &[i32; 24]) -> MaskSums {
        let mut sums = [[0; 256]; 3];
        for (byte, sums) in sums.iter_mut().enumerate() {
            for mask in 1..sums.len() {
                // A smaller mask, whose sum is known.
                let rest = mask & (mask - 1);
                let point = 8 * byte + mask.trailing_zeros() as usize;
                sums[mask] = sums[rest] + weights[point];
            }
        }
        MaskSums(sums)
    }

    /// The sum over the points of a mask, of which bit `p` stands for point `p`.
    #[inline(always)]
    fn sum(&self, mask: u32) -> i32 {
        // The bar falls into the fourth byte.
        let [low, middle, high, _] = (mask >> 1).to_le_bytes();
        let [lows, middles, highs] = &self.0;
        lows[usize::from(low)] + middles[usize::from(middle)] + highs[usize::from(high)]
    }
}

/// One of the two linear functions.
struct Function {
    /// The weights of the opponent's blots, on his own points.
    blots: MaskSums,
    one: MaskSums,
    two_or_more: MaskSums,
    three: MaskSums,
    /// The weight of each checker beyond three.
    beyond: MaskSums,
    bar: i32,
    off: i32,
}

// Made at first use: a WebAssembly module would be 30 kB larger with their sums.
static FOR_CONTACT: LazyLock<Function> = LazyLock::new(|| Function::new(&CONTACT));
static FOR_RACE: LazyLock<Function> = LazyLock::new(|| Function::new(&RACE));

impl Function {
    /// The function for plays of this position.
    #[inline(always)]
    fn for_position(position: &Planes) -> &'static Function {
        if is_race(position) { &FOR_RACE } else { &FOR_CONTACT }
    }

    fn new(weights: &Weights) -> Function {
        let mut blots = [0; 24];
        let mut of_mover = [[0; 24]; 4];
        // The first inputs are of the mover's point 24, the opponent's point 1.
        for (index, of_point) in weights.points.into_iter().enumerate() {
            let [blot, one, two_or_more, three, half_beyond] = of_point;
            let point = 23 - index;
            blots[index] = blot * UNITS;
            of_mover[0][point] = one * UNITS;
            of_mover[1][point] = two_or_more * UNITS;
            of_mover[2][point] = three * UNITS;
            of_mover[3][point] = half_beyond * (UNITS / 2);
        }
        Function {
            blots: MaskSums::new(&blots),
            one: MaskSums::new(&of_mover[0]),
            two_or_more: MaskSums::new(&of_mover[1]),
            three: MaskSums::new(&of_mover[2]),
            beyond: MaskSums::new(&of_mover[3]),
            bar: weights.bar * (UNITS / 2),
            off: weights.off * (UNITS / 15),
        }
    }

    /// The value of the position after a play for the player who made it; he is not on roll in it.
    #[inline(always)]
    fn value(&self, result: &Planes, rules: RuleSet) -> i32 {
        let mover = result.opponent();
        let [ones, twos, fours, eights] = mover;
        let four_or_more = fours | eights;
        let two_or_more = twos | four_or_more;
        // By all rules, a side has won only if it has no checker outside its home: the outcome is seldom worked out.
        let few_home = (ones | two_or_more) & !HOME == 0;
        if few_home
            && rules
                .outcome_of_play(&SideCheckers::from_planes(mover), &SideCheckers::from_planes(result.own()))
                .is_some()
        {
            return i32::MAX;
        }
        let mut value = self.one.sum(ones & !two_or_more)
            + self.two_or_more.sum(two_or_more)
            + self.three.sum(ones & twos & !four_or_more);
        // A point with 4 to 7 checkers has 1 beyond three plus the value of its lower bits; one with 8 to 15 has 4 or 8
        // more.
        value += self.beyond.sum(four_or_more)
            + self.beyond.sum(ones & four_or_more)
            + 2 * self.beyond.sum(twos & four_or_more);
        if eights != 0 {
            value += 4 * (self.beyond.sum(eights) + self.beyond.sum(eights & fours));
        }
        let [ones, twos, fours, eights] = result.own();
        let on_bar = ones >> 25 | twos >> 25 << 1 | fours >> 25 << 2 | eights >> 25 << 3;
        value += self.blots.sum(ones & !(twos | fours | eights)) + self.bar * on_bar as i32;
        if few_home {
            value += self.off * i32::from(SideCheckers::from_planes(mover).borne_off(rules.checkers()));
        }
        value
    }
}
