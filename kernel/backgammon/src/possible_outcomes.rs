//! Which outcomes the rules still allow in a position.

use crate::board::{HOME, Planes};
use crate::dice::Roll;
use crate::outcome::{Outcome, Win};
use crate::rules::RuleSet;

/// A set of [outcomes](Outcome).
///
/// ```
/// use tavli_backgammon::evaluators::OutcomeSet;
/// use tavli_backgammon::{Board, Outcome, Planes, RuleSet};
/// // A checker on the ace point against fourteen at home: the player on roll bears off next.
/// let mut points = [0; 26];
/// (points[1], points[19]) = (1, -14);
/// let position = Planes::from(Board::from_points(&points)?);
/// let possible = OutcomeSet::possible(RuleSet::Backgammon, &position);
/// assert_eq!(possible, OutcomeSet::from_outcomes(&[Outcome::WinSingle]));
/// assert_eq!(OutcomeSet::possible(RuleSet::Backgammon, &Board::START.into()), OutcomeSet::ALL);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OutcomeSet(u8);

impl OutcomeSet {
    /// Every outcome.
    pub const ALL: OutcomeSet = OutcomeSet::from_outcomes(Outcome::ALL);

    /// The set of these outcomes.
    #[must_use]
    pub const fn from_outcomes(outcomes: &[Outcome]) -> OutcomeSet {
        let (mut set, mut index) = (0, 0);
        while index < outcomes.len() {
            set |= 1 << outcomes[index] as u8;
            index += 1;
        }
        OutcomeSet(set)
    }

    /// Whether an outcome is in the set.
    #[must_use]
    pub const fn contains(self, outcome: Outcome) -> bool {
        self.0 >> outcome as u8 & 1 != 0
    }

    /// Whether each outcome of the set is in another set.
    #[must_use]
    pub const fn is_subset(self, other: OutcomeSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether no outcome of the set is in another set.
    #[must_use]
    pub const fn is_disjoint(self, other: OutcomeSet) -> bool {
        self.0 & other.0 == 0
    }

    /// The outcomes up to a largest win and a largest loss; `None` is no win, or no loss.
    #[inline(always)]
    const fn up_to(win: Option<Win>, loss: Option<Win>) -> OutcomeSet {
        const fn bits(most: Option<Win>, single: Outcome) -> u8 {
            match most {
                // Outcomes of more points follow the outcome of one point.
                Some(most) => ((1 << most as u8) - 1) << single as u8,
                None => 0,
            }
        }
        OutcomeSet(bits(win, Outcome::WinSingle) | bits(loss, Outcome::LoseSingle))
    }

    /// The outcomes of the set that are at least this win, or at least this loss.
    const fn at_least(self, win: Win, loss: Win) -> OutcomeSet {
        const fn below(least: Win, single: Outcome) -> u8 {
            ((1 << (least as u8 - 1)) - 1) << single as u8
        }
        OutcomeSet(self.0 & !(below(win, Outcome::WinSingle) | below(loss, Outcome::LoseSingle)))
    }

    /// The outcomes that a position, in which the game goes on, can still have for the player on roll.
    ///
    /// A side that has borne off a checker loses no gammon. In a race there is a least number of rolls that the winner
    /// needs, and the loser moves at least three pips in each of his rolls until then. If this surely bears a checker
    /// off, he loses no gammon; if he has left the winner's home, or surely leaves it, no backgammon; if it surely
    /// bears off all his checkers, he does not lose. Where the winner is certain, his largest number of rolls, with at
    /// most four checkers moved six points in each, bounds the loser's progress from above: if he surely bears off no
    /// checker in time, he loses at least a gammon. With contact, a player whose checkers every roll bears off has won:
    /// two on the ace point, or one on points 1 to 3 with no blocked point before it.
    ///
    /// The set has every outcome that some dice and plays lead to, good plays or bad: a checker each on points 1 and 2
    /// may fail to come off in one roll, if 21 is played 2/1 1/off. It may have a few that none lead to. An outcome
    /// that is impossible in a position is impossible after every play.
    #[must_use]
    #[inline(always)]
    pub fn possible(rules: RuleSet, position: &Planes) -> OutcomeSet {
        let [own, opponent] = [position.own(), position.opponent()];
        if is_race(own, opponent) && rules.bears_off() {
            OutcomeSet::possible_in_race(Racer::new(rules, own), Racer::new(rules, opponent))
        } else {
            OutcomeSet::possible_in_contact(rules, [own, opponent], [own, opponent].map(|side| most_lost(rules, side)))
        }
    }

    /// The possible outcomes of a race for the player on roll.
    #[inline(always)]
    fn possible_in_race(own: Racer, opponent: Racer) -> OutcomeSet {
        // The player on roll has one roll more than his opponent when he is off.
        let [before_opponent, before_own] = [opponent.least_rolls, own.least_rolls - 1];
        let opponent_lost = opponent.lost_after(MIN_PIPS * before_own);
        let own_lost = own.lost_after(MIN_PIPS * before_opponent);
        let possible = OutcomeSet::up_to(opponent_lost, own_lost);
        if own.is_off_before_first(&opponent, 1) || opponent.is_off_before_first(&own, 0) {
            possible.certain_in_race(&own, &opponent)
        } else {
            possible
        }
    }

    /// The possible outcomes of a race that one side surely wins, without those that are surely exceeded.
    #[cold]
    #[inline(never)]
    fn certain_in_race(self, own: &Racer, opponent: &Racer) -> OutcomeSet {
        if self.is_disjoint(OutcomeSet::up_to(None, Some(Win::Backgammon))) {
            self.at_least(opponent.lost_at_least(own.max_rolls() - 1), Win::Single)
        } else {
            self.at_least(Win::Single, own.lost_at_least(opponent.max_rolls()))
        }
    }

    /// The possible outcomes while the sides have not passed each other, for the player on roll.
    #[inline(always)]
    fn possible_in_contact(
        rules: RuleSet,
        [own, opponent]: [[u32; 4]; 2],
        [own_lost, opponent_lost]: [Win; 2],
    ) -> OutcomeSet {
        // The other side has a checker on the bar or near it, where there is contact with a side on such points.
        if is_off_next(rules, own, opponent) {
            OutcomeSet::up_to(Some(opponent_lost), None).at_least(opponent_lost, Win::Single)
        } else if is_two_on_ace(opponent) && rules.bears_off() {
            // No roll hits two checkers, and none brings a checker from the bar off, nor home and another one off.
            OutcomeSet::up_to(None, Some(own_lost)).at_least(Win::Single, own_lost.min(Win::Gammon))
        } else {
            OutcomeSet::up_to(Some(opponent_lost), Some(own_lost))
        }
    }

    /// The [possible](OutcomeSet::possible) outcomes after the plays of a roll, for the player next on roll, if they
    /// are the same after all plays that do not end the game; `None` if they may differ.
    #[must_use]
    #[inline(always)]
    pub fn possible_after_plays(rules: RuleSet, position: &Planes, roll: Roll) -> Option<OutcomeSet> {
        let [own, opponent] = [position.own(), position.opponent()];
        let dice: i32 = if roll.is_double() { 4 } else { 2 };
        let pips = i32::from(roll.high() + roll.low()) * dice / 2;
        let own_lost = most_lost(rules, own);
        // Pips count as well as checkers: most rolls with enough dice are too small. At least one die bears the checker
        // off.
        let may_bear_off =
            own_lost > Win::Single && checkers(own, !HOME) < dice && pips_to_pass(own, FIRST_OUTSIDE) < pips;
        if is_race(own, opponent) && rules.bears_off() {
            let [own, opponent] = [own, opponent].map(|side| Racer::new(rules, side));
            let [before_opponent, before_own] = [opponent.least_rolls, own.least_rolls - 1];
            // Two bounds each: before the play, and after the play that changes most. The latter gives the opponent one
            // roll more, as if the play brought the mover's end no nearer, and the mover at most `pips`, a checker
            // borne off counting as one pip.
            let opponent_lost = [0, MIN_PIPS].map(|more| opponent.lost_after(MIN_PIPS * before_own + more));
            let own_lost = [0, pips + dice - MIN_PIPS].map(|more| own.lost_after(MIN_PIPS * before_opponent + more));
            let is_same = opponent_lost[0] == opponent_lost[1] && own_lost[0] == own_lost[1];
            let may_change = own_lost[0] > Some(Win::Gammon) || own_lost[0] > Some(Win::Single) && may_bear_off;
            // Certain outcomes depend on the rolls that are left after the play, which brings the mover nearer his end.
            let nearer = Racer { pips: own.pips - pips - dice, ..own };
            let may_be_certain = nearer.is_off_before_first(&opponent, 0) || opponent.is_off_before_first(&own, 1);
            return (is_same && !may_change && !may_be_certain)
                .then_some(OutcomeSet::up_to(own_lost[0], opponent_lost[0]));
        }
        let in_front = 25 - rearmost(opponent);
        let may_pass =
            rules.bears_off() && checkers(own, !0 << in_front) <= dice && pips_to_pass(own, in_front) <= pips;
        // The next player's last checkers may be hit, or blocked. More than two are looked at, too: counting them took
        // 26 instructions more.
        let may_stop_last = is_below(opponent, 4);
        let may_leave_two = checkers(own, !0) <= dice + 2;
        (!may_bear_off && !may_pass && !may_stop_last && !may_leave_two)
            .then(|| OutcomeSet::possible_in_contact(rules, [opponent, own], [most_lost(rules, opponent), own_lost]))
    }
}

/// Finds the [possible](OutcomeSet::possible) outcomes after plays of one position, one play at a time. The bounds that
/// depend on the next player alone are computed once.
#[derive(Clone, Copy, Debug)]
pub struct OutcomesAfterPlay {
    rules: RuleSet,
    next: Racer,
    next_lost: Win,
}

impl OutcomesAfterPlay {
    /// Computes the bounds of the next player. The game goes on in `position`, which is seen by the player who makes
    /// the plays.
    #[must_use]
    #[inline(always)]
    pub fn new(rules: RuleSet, position: &Planes) -> OutcomesAfterPlay {
        OutcomesAfterPlay {
            rules,
            next: Racer::new(rules, position.opponent()),
            next_lost: most_lost(rules, position.opponent()),
        }
    }

    /// The possible outcomes after a play that does not end the game. `result` is the position after it, seen by the
    /// player next on roll.
    #[must_use]
    #[inline(always)]
    pub fn possible(&self, result: &Planes) -> OutcomeSet {
        let [next, mover] = [result.own(), result.opponent()];
        // `next` was computed before the play. A hit moves a checker of the next player, but then there is no race.
        let possible = if is_race(next, mover) && self.rules.bears_off() {
            OutcomeSet::possible_in_race(self.next, Racer::new(self.rules, mover))
        } else {
            OutcomeSet::possible_in_contact(self.rules, [next, mover], [self.next_lost, most_lost(self.rules, mover)])
        };
        debug_assert_eq!(possible, OutcomeSet::possible(self.rules, result), "a play of the position");
        possible
    }
}

/// The pips of the smallest roll, 21. In a race both of its dice can be played.
const MIN_PIPS: i32 = 3;

/// The checkers of a side on the points of a mask.
#[inline(always)]
fn checkers(side: [u32; 4], points: u32) -> i32 {
    let planes = (0..).zip(side);
    planes.map(|(bit, plane)| ((plane & points).count_ones() << bit) as i32).sum()
}

/// The highest point that a side has a checker on; 25 is the bar.
#[inline(always)]
fn rearmost([ones, twos, fours, eights]: [u32; 4]) -> u32 {
    // The lowest bit stands for no point, and keeps an empty side from 32 leading zeros.
    31 - (ones | twos | fours | eights | 1).leading_zeros()
}

/// Whether the sides have passed each other.
#[inline(always)]
fn is_race(own: [u32; 4], opponent: [u32; 4]) -> bool {
    rearmost(own) + rearmost(opponent) < 25
}

#[inline(always)]
fn pips(side: [u32; 4]) -> i32 {
    // For each bit of the numbers of points, the points that have it.
    const POINTS: [u32; 5] = [0xaaaa_aaaa, 0xcccc_cccc, 0xf0f0_f0f0, 0xff00_ff00, 0xffff_0000];
    let bits = (0..).zip(POINTS);
    bits.map(|(bit, points)| checkers(side, points) << bit).sum()
}

/// The first point that is not home.
const FIRST_OUTSIDE: u32 = 7;

/// The pips that bring all checkers of a side below a point.
#[inline(always)]
fn pips_to_pass(side: [u32; 4], point: u32) -> i32 {
    let beyond = side.map(|plane| plane & !0 << point);
    pips(beyond) - (point as i32 - 1) * checkers(beyond, !0)
}

/// Whether a side has two checkers, on the ace point.
#[inline(always)]
fn is_two_on_ace([ones, twos, fours, eights]: [u32; 4]) -> bool {
    const ACE: u32 = 1 << 1;
    twos == ACE && ones | fours | eights == 0
}

/// Whether all checkers of a side are below a point.
#[inline(always)]
fn is_below([ones, twos, fours, eights]: [u32; 4], point: u32) -> bool {
    (ones | twos | fours | eights) >> point == 0
}

/// Whether any roll bears off all checkers of the side on roll, however it is played.
#[inline(always)]
fn is_off_next(rules: RuleSet, side: [u32; 4], other: [u32; 4]) -> bool {
    is_below(side, 4) && rules.bears_off() && is_off_by_any_roll(side, other)
}

/// [`is_off_next`] for checkers on points 1 to 3: two on the ace point, or one that can step on every point before it.
/// A roll of 21 may step on point 1 or 2, whichever die is played first; 11 may step on both.
#[cold]
#[inline(never)]
fn is_off_by_any_roll(side: [u32; 4], [_, twos, fours, eights]: [u32; 4]) -> bool {
    let [one, several @ ..] = side;
    // The other side counts its points from the other end: its point 24 is point 1.
    let blocked = (twos | fours | eights).reverse_bits() >> 6;
    is_two_on_ace(side) || several == [0; 3] && one.is_power_of_two() && blocked & (one - 1) & !1 == 0
}

/// The most that a side can lose by its checkers on the board.
#[inline(always)]
fn most_lost(rules: RuleSet, side: [u32; 4]) -> Win {
    if checkers(side, !0) < i32::from(rules.checkers()) { Win::Single } else { rules.largest_win() }
}

/// The numbers of a side that bound its losses in a race.
#[derive(Clone, Copy, Debug)]
struct Racer {
    pips: i32,
    checkers: i32,
    /// The checkers in the winner's home.
    in_winners_home: i32,
    /// The fewest dice that bring all its checkers home.
    dice_to_home: i32,
    /// The fewest rolls in which it bears off.
    least_rolls: i32,
    /// The most that it loses while it stays where it is.
    most_lost: Win,
}

impl Racer {
    #[inline(always)]
    fn new(rules: RuleSet, side: [u32; 4]) -> Racer {
        // A die moves a checker six points at most, by a quarter of the board.
        let [all, beyond_home @ ..] = [!0_u32, !0 << 7, !0 << 13, !0 << 19].map(|points| checkers(side, points));
        let in_winners_home = beyond_home[2];
        let dice_to_home: i32 = beyond_home.iter().sum();
        let most_lost = most_lost(rules, side);
        Racer {
            pips: pips(side),
            checkers: all,
            in_winners_home,
            dice_to_home,
            least_rolls: (dice_to_home + all + 3) / 4,
            most_lost: if in_winners_home == 0 { most_lost.min(Win::Gammon) } else { most_lost },
        }
    }

    /// The most rolls in which the side bears off, as [`lost_after`](Racer::lost_after) counts.
    fn max_rolls(&self) -> i32 {
        (self.pips + self.checkers - 1 + MIN_PIPS - 1) / MIN_PIPS
    }

    /// Whether the side is surely off before a loser bears off his first checker: the loser loses a gammon at least.
    /// `more` is the number of rolls that the side has before the loser's next one: 1 if it is on roll, else 0.
    #[inline(always)]
    fn is_off_before_first(&self, loser: &Racer, more: i32) -> bool {
        let rolls = loser.dice_to_home / 4 + more;
        loser.most_lost > Win::Single && self.pips + self.checkers - 1 <= MIN_PIPS * rolls
    }

    /// The least that the side loses if it has lost after at most this many rolls of its own.
    fn lost_at_least(&self, rolls: i32) -> Win {
        let dice = 4 * rolls;
        if self.in_winners_home > dice {
            self.most_lost
        } else if self.dice_to_home >= dice {
            // One die more bears a checker off.
            self.most_lost.min(Win::Gammon)
        } else {
            Win::Single
        }
    }

    /// The most that the side can lose after its rolls, which move at least `played` pips; `None` if it is off by then.
    #[inline(always)]
    fn lost_after(self, played: i32) -> Option<Win> {
        // A roll takes at least three from the sum of pips and checkers: a die that bears off from a lower point wastes
        // pips, but takes a checker. Where the sum is at most four, any roll bears off all.
        if self.pips + self.checkers - 1 <= played {
            return None;
        }
        // The first checker is borne off, at the latest, when all are on the ace point; and the last one leaves the
        // winner's home, points 19 and above, when all others are there.
        let later = self.pips - self.checkers - played;
        let most = if later < 0 {
            Win::Single
        } else if later < 18 {
            Win::Gammon
        } else {
            Win::Backgammon
        };
        Some(most.min(self.most_lost))
    }
}
