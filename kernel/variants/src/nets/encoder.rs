//! How positions become inputs of a net.

use tavli_simd::set_bits;

use super::features::{Primes, has_runs, is_past, mobile_points, visit_pinning_throws};
use crate::fevga::FevgaRules;
use crate::plakoto::PlakotoRules;
use crate::position::{CHECKERS, POINTS, Position, SideCheckers};
use crate::rolls::THROWS;
use crate::variant::Variant;

/// Inputs of a point for one side.
const OF_POINT: usize = 4;
/// Inputs of the points for one side.
const OF_SIDE: usize = POINTS * OF_POINT;
/// The first input of the checkers that are borne off.
const OFF: usize = 2 * OF_SIDE;
/// The inputs that all encoders have, which are the first ones.
const RAW: usize = OFF + 2;

/// The first input of large stacks, in encoders that have them.
const STACKS: usize = RAW;
/// The first input after the inputs of large stacks.
const BEHIND_STACKS: usize = STACKS + 2 * POINTS;
/// The checkers above four that stand for 1.
const STACK: f32 = 4.0;

/// The points from which checkers can move that stand for 1.
const MOBILE: f32 = 8.0;

/// The pips that stand for 1.
const PIPS: f32 = 100.0;

/// The encoders of Papahristou and Refanidis (*Training Neural Networks to Play Backgammon Variants Using Reinforcement
/// Learning*, EvoApplications 2011).
///
/// A position is encoded for the player who has just played, the other one being on roll. Each side's points are in
/// its own numbers. All encoders begin with the same 194 inputs:
///
/// | inputs | |
/// |---|---|
/// | 0 to 95 | for each point, 1 to 24, whether 1, 2, 3 and 4 checkers or more of the player stand there |
/// | 96 to 191 | the same for the other player |
/// | 192, 193 | the checkers that the player and the other have borne off, of 15 |
///
/// A pinned checker counts on its point.
///
/// ```
/// use tavli_game::{Game, PlayableGame};
/// use tavli_simd::Tier;
/// use tavli_variants::{Fevga, nets::Encoder};
///
/// let fevga = Fevga::by_rules("default", Tier::best(), 1)?;
/// let mut inputs = Vec::new();
/// Encoder::Fevga1.encode(&fevga.start(), |input, value| inputs.push((input, value)));
/// // All 15 checkers of both sides are on point 24.
/// let of_start = [188, 189, 190, 191, 92, 93, 94, 95].map(|input| (input, 1.0));
/// assert_eq!(inputs, of_start);
/// # Ok::<(), tavli_game::RulesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Encoder {
    /// The 194 inputs, for Fevga.
    Fevga1,
    /// For Fevga, 201 inputs:
    ///
    /// | inputs | |
    /// |---|---|
    /// | 194, 195 | whether the player has an early and a late prime, a checker of the other behind it ([`Primes`]) |
    /// | 196, 197 | the same for the other player |
    /// | 198 | by how many hundreds of pips the player is ahead |
    /// | 199, 200 | whether the player, and the other, has no checker of the opponent to pass any more |
    Fevga2,
    /// For Plakoto, 242 inputs, by points in the player's numbers:
    ///
    /// | inputs | |
    /// |---|---|
    /// | 194 to 217 | for each point, whether the player pins a checker there |
    /// | 218 to 241 | for each point, whether a checker of the player is pinned there |
    Plakoto1,
    /// As [`Encoder::Plakoto1`], but the last 24 are, for each point, the probability that the next roll has a pin of
    /// the player's checker there: 1 if it is pinned, 0 unless it is alone.
    Plakoto2,
    /// For Fevga, 259 inputs, more than the paper's:
    ///
    /// | inputs | |
    /// |---|---|
    /// | 194 to 217 | for each point, by how many fours of checkers the player has more than 4 there |
    /// | 218 to 241 | the same for the other player |
    /// | 242 to 248 | the last 7 of [`Encoder::Fevga2`] |
    /// | 249, 250 | whether the player has four and five points in a row with a checker of the other behind them |
    /// | 251, 252 | the same for the other player |
    /// | 253 to 258 | for each die, from how many eights of points the player on roll can move |
    FevgaPlus,
    /// For Plakoto, 340 inputs, more than the paper's:
    ///
    /// | inputs | |
    /// |---|---|
    /// | 194 to 241 | the large stacks of [`Encoder::FevgaPlus`] |
    /// | 242 to 289 | the pins of [`Encoder::Plakoto1`] |
    /// | 290 to 313 | for each point, the probability that the next roll has a pin of the player's checker there |
    /// | 314 to 337 | for each point of the other player, that one more roll of the player would pin a checker there |
    /// | 338 | by how many hundreds of pips the player is ahead |
    /// | 339 | the probability that the next roll has a pin |
    ///
    /// A probability of a pin is 0 unless the checker is alone.
    PlakotoPlus,
}

tavli_base::parsed_values!(
    Encoder, "encoder":
    Fevga1 "fevga-1",
    Fevga2 "fevga-2",
    FevgaPlus "fevga-plus",
    Plakoto1 "plakoto-1",
    Plakoto2 "plakoto-2",
    PlakotoPlus "plakoto-plus",
);

impl Encoder {
    /// The name of the game whose positions it encodes.
    #[must_use]
    pub const fn game(self) -> &'static str {
        match self {
            Encoder::Fevga1 | Encoder::Fevga2 | Encoder::FevgaPlus => FevgaRules::NAME,
            Encoder::Plakoto1 | Encoder::Plakoto2 | Encoder::PlakotoPlus => PlakotoRules::NAME,
        }
    }

    pub(super) const fn has_pins(self) -> bool {
        match self {
            Encoder::Fevga1 | Encoder::Fevga2 | Encoder::FevgaPlus => FevgaRules::PINS,
            Encoder::Plakoto1 | Encoder::Plakoto2 | Encoder::PlakotoPlus => PlakotoRules::PINS,
        }
    }

    /// The number of inputs.
    #[must_use]
    pub const fn inputs(self) -> usize {
        match self {
            Encoder::Fevga1 => RAW,
            Encoder::Fevga2 => RAW + 7,
            Encoder::Plakoto1 | Encoder::Plakoto2 => RAW + 2 * POINTS,
            Encoder::FevgaPlus => BEHIND_STACKS + 7 + 4 + 6,
            Encoder::PlakotoPlus => BEHIND_STACKS + 4 * POINTS + 2,
        }
    }

    /// Calls `visit` with each input of a position that is not 0, and its value.
    #[inline(always)]
    pub fn encode(self, position: &Position, mut visit: impl FnMut(usize, f32)) {
        self.encode_points(position, &mut visit);
        self.encode_rest(position, visit);
    }

    /// The inputs after the inputs of the points, as for [`Encoder::encode`].
    #[inline(always)]
    pub(super) fn encode_rest(self, position: &Position, mut visit: impl FnMut(usize, f32)) {
        let (player, other) = (&position.opponent, &position.own);
        for (input, side) in (OFF..).zip([player, other]) {
            let off = side.off();
            if off > 0 {
                visit(input, off as f32 / CHECKERS as f32);
            }
        }
        match self {
            Encoder::Fevga1 => {}
            Encoder::Fevga2 => encode_primes_and_race(RAW, player, other, visit),
            Encoder::FevgaPlus => {
                encode_primes_and_race(BEHIND_STACKS, player, other, &mut visit);
                let runs = [has_runs(player, other), has_runs(other, player)];
                for (input, has) in (BEHIND_STACKS + 7..).zip(runs.as_flattened()) {
                    if *has {
                        visit(input, 1.0);
                    }
                }
                for (input, points) in (BEHIND_STACKS + 11..).zip(mobile_points(other, player)) {
                    if points > 0 {
                        visit(input, points as f32 / MOBILE);
                    }
                }
            }
            Encoder::Plakoto1 => {
                encode_pins(RAW, player, other, &mut visit);
            }
            Encoder::Plakoto2 => {
                let chances = encode_pins(RAW, player, other, &mut visit);
                visit_pinning_throws(player, other, |point, throws| {
                    visit(chances + point - 1, throws as f32 / THROWS as f32);
                });
            }
            Encoder::PlakotoPlus => {
                let chances = BEHIND_STACKS + 2 * POINTS;
                encode_pins(BEHIND_STACKS, player, other, &mut visit);
                let any = visit_pinning_throws(player, other, |point, throws| {
                    visit(chances + point - 1, throws as f32 / THROWS as f32);
                });
                visit_pinning_throws(other, player, |point, throws| {
                    visit(chances + POINTS + point - 1, throws as f32 / THROWS as f32);
                });
                let last = chances + 2 * POINTS;
                encode_ahead(last, player, other, &mut visit);
                if any > 0 {
                    visit(last + 1, any as f32 / THROWS as f32);
                }
            }
        }
    }

    /// Whether the encoder has inputs of large stacks, after the inputs of the points.
    const fn has_stacks(self) -> bool {
        matches!(self, Encoder::FevgaPlus | Encoder::PlakotoPlus)
    }

    /// The inputs of the points. Those of the player on roll come first.
    #[inline(always)]
    pub(super) fn encode_points(self, position: &Position, mut visit: impl FnMut(usize, f32)) {
        for (side, of_other) in [(&position.own, 1), (&position.opponent, 0)] {
            for point in set_bits(side.occupied() | side.pinned) {
                let checkers = side.checkers(point);
                for more in 0..checkers.min(OF_POINT as u32) {
                    visit(of_other * OF_SIDE + OF_POINT * (point - 1) + more as usize, 1.0);
                }
                if self.has_stacks() && checkers > OF_POINT as u32 {
                    visit(STACKS + of_other * POINTS + point - 1, stack(checkers));
                }
            }
        }
    }

    /// The inputs that a play has changed among the points of the player who has just played, and by how much. `before`
    /// is that player's side before the play. The inputs of the other player's points stay: a checker counts on its
    /// point, pinned or not.
    #[inline(always)]
    pub(super) fn encode_changes(self, before: &SideCheckers, after: &SideCheckers, mut visit: impl FnMut(usize, f32)) {
        // Pinned checkers of the mover's do not change in the play.
        let planes = before.counts.iter().zip(after.counts);
        let changed = planes.fold(0, |changed, (before, after)| changed | before ^ after);
        for point in set_bits(changed) {
            let [old, new] = [before, after].map(|side| side.checkers(point));
            let change = if new > old { 1.0 } else { -1.0 };
            let [less, more] = [old.min(new), old.max(new)];
            for checkers in less..more.min(OF_POINT as u32) {
                visit(OF_POINT * (point - 1) + checkers as usize, change);
            }
            if self.has_stacks() && more > OF_POINT as u32 {
                visit(STACKS + point - 1, stack(new) - stack(old));
            }
        }
    }
}

/// The input of a number of checkers on a point.
#[inline(always)]
fn stack(checkers: u32) -> f32 {
    checkers.saturating_sub(OF_POINT as u32) as f32 / STACK
}

/// By how many hundreds of pips the player is ahead.
#[inline(always)]
fn encode_ahead(input: usize, player: &SideCheckers, other: &SideCheckers, mut visit: impl FnMut(usize, f32)) {
    let ahead = other.pips() as f32 - player.pips() as f32;
    if ahead != 0.0 {
        visit(input, ahead / PIPS);
    }
}

/// The inputs of [`Encoder::Fevga2`] behind those that all encoders have.
#[inline(always)]
fn encode_primes_and_race(
    first: usize,
    player: &SideCheckers,
    other: &SideCheckers,
    mut visit: impl FnMut(usize, f32),
) {
    let primes = [Primes::new(player, other), Primes::new(other, player)];
    for (input, has) in (first..).zip(primes.iter().flat_map(|of| [of.early, of.late])) {
        if has {
            visit(input, 1.0);
        }
    }
    encode_ahead(first + 4, player, other, &mut visit);
    for (input, (side, opponent)) in (first + 5..).zip([(player, other), (other, player)]) {
        if is_past(side, opponent) {
            visit(input, 1.0);
        }
    }
}

/// The points on which the player pins a checker, and then the points on which a checker of the player's is pinned.
/// Returns the first input of the second group.
#[inline(always)]
fn encode_pins(first: usize, player: &SideCheckers, other: &SideCheckers, mut visit: impl FnMut(usize, f32)) -> usize {
    let pinned = first + POINTS;
    for point in set_bits(other.pinned) {
        visit(first + PlakotoRules::point_across(point) - 1, 1.0);
    }
    for point in set_bits(player.pinned) {
        visit(pinned + point - 1, 1.0);
    }
    pinned
}
