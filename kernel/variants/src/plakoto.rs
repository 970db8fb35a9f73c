//! The rules of Plakoto.

use tavli_game::GameOutcome;
use tavli_simd::Vector;

use crate::end_test::EndTest;
use crate::entry_points::entry_points;
use crate::position::{
    HOME_AND_OFF, MAX_STEPS, ON_BOARD, POINTS, Position, START, START_BIT, SideCheckers, SideVectors,
};
use crate::tavli3d_position::Tavli3dPosition;
use crate::variant::Variant;
use tavli_algebra::planes::occupied_and_made;

/// The rules of Plakoto: a checker that lands on a single one of the other side pins it.
///
/// A *mother* is the last checker of a side on its start. If both are pinned the game is a tie. Else the side that pins
/// one wins 2 points, as soon as its own start is empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlakotoRules {
    /// Whoever pins the mother wins at once, even if checkers of that side stand on its own start: `mother=immediate`.
    pub mother_wins_at_once: bool,
    /// Checkers may be borne off while one is pinned in the home board: `pinned_blocks_bearoff=no`.
    pub pinned_may_stay: bool,
}

impl Variant for PlakotoRules {
    const NAME: &'static str = "plakoto";
    const RULES: &'static [&'static str] = &["default", "mother=immediate", "pinned_blocks_bearoff=no"];
    const OPTIONS: &'static [&'static str] =
        &["default", "mother=exception", "mother=immediate", "pinned_blocks_bearoff=yes", "pinned_blocks_bearoff=no"];
    const OUTCOMES: &'static [GameOutcome] = &[
        GameOutcome::new("win_gammon", 2),
        GameOutcome::new("win_single", 1),
        GameOutcome::new("tie", 0),
        GameOutcome::new("lose_single", -1),
        GameOutcome::new("lose_gammon", -2),
    ];
    const POSITION: &'static str = "24 characters, points 1 to 24 of the player on roll: - empty, A to O 1 to 15 own \
        checkers, a to o the opponent's, and * after a letter for a checker of the other side pinned there, such as \
        o----------------------O";
    const PINS: bool = true;
    const HAS_RUNNER: bool = false;

    fn named(rules: &str) -> Option<PlakotoRules> {
        let mut named = PlakotoRules::default();
        if rules == Self::RULES[0] {
            return Some(named);
        }
        for option in rules.split(',') {
            match option {
                "mother=exception" => named.mother_wins_at_once = false,
                "mother=immediate" => named.mother_wins_at_once = true,
                "pinned_blocks_bearoff=yes" => named.pinned_may_stay = false,
                "pinned_blocks_bearoff=no" => named.pinned_may_stay = true,
                _ => return None,
            }
        }
        Some(named)
    }

    #[inline(always)]
    fn across<V: Vector>(points: V) -> V {
        points.reverse::<26>()
    }

    fn point_across(point: usize) -> usize {
        POINTS + 1 - point
    }

    #[inline(always)]
    fn open<V: Vector>(&self, mover: &SideVectors<V>, other: &SideVectors<V>) -> V {
        let (_, made) = occupied_and_made(&other.counts);
        // Where an own checker is pinned the other side holds the point, by a single checker too.
        !(Self::across(made) | mover.pinned) & ON_BOARD
    }

    fn may_stay_pinned(&self) -> u32 {
        if self.pinned_may_stay { HOME_AND_OFF } else { 0 }
    }

    #[inline(always)]
    fn runner<V: Vector>(&self, _: &SideVectors<V>, occupied: V) -> V {
        occupied.splat(0)
    }

    fn passed(&self) -> u32 {
        ON_BOARD
    }

    #[inline(always)]
    fn pin<V: Vector>(occupied: V, other: &mut SideVectors<V>) {
        let (_, made) = occupied_and_made(&other.counts);
        // Single and pinned checkers: they are pinned where the mover stands, and free elsewhere.
        let single = (other.counts[0] & !made) | other.pinned;
        let covered = Self::across(occupied);
        other.pinned = single & covered;
        other.counts[0] = (other.counts[0] & !single) | (single & !covered);
    }

    #[inline(always)]
    fn is_over<V: Vector>(&self, last: &SideVectors<V>, next: &SideVectors<V>) -> V::Lanes {
        let start = next.pinned.splat(START_BIT);
        let is_pinned = next.pinned.test_any_bit(start);
        if self.mother_wins_at_once {
            return is_pinned;
        }
        let (occupied, _) = occupied_and_made(&last.counts);
        is_pinned & (last.pinned.test_any_bit(start) | !occupied.test_any_bit(start))
    }

    fn won_by_last_play(&self, position: &Position) -> Option<i32> {
        let last = &position.opponent;
        if !position.own.is_pinned(START) {
            None
        } else if self.mother_wins_at_once {
            Some(2)
        } else if last.is_pinned(START) {
            Some(0)
        } else {
            (last.free(START) == 0).then_some(2)
        }
    }

    #[inline(always)]
    fn end_test<V: Vector>(&self, _: &SideVectors<V>, occupied: V) -> EndTest<V> {
        EndTest::none(occupied)
    }

    fn has_closed_forms(&self) -> bool {
        !self.pinned_may_stay
    }

    #[inline(always)]
    fn goes_step_by_step(&self, position: &Position) -> bool {
        // The closed forms bear nothing off while a checker is pinned. So they must not be used where the rules allow
        // that during the roll.
        let pinned = position.own.pinned;
        self.pinned_may_stay && pinned != 0 && pinned & !HOME_AND_OFF == 0 && position.own.outside() <= MAX_STEPS
    }

    fn forbids_step(&self, _: u32, _: usize) -> bool {
        false
    }

    #[inline(always)]
    fn duty(&self, _: &Position) -> u32 {
        0
    }

    fn fault(&self, _: &SideCheckers) -> Option<String> {
        None
    }

    fn tavli3d(&self, view: &Tavli3dPosition) -> i64 {
        view.plakoto()
    }

    entry_points!();
}
