//! The rules of Fevga.

use tavli_game::GameOutcome;
use tavli_simd::Vector;

use crate::end_test::{EndTest, NEVER};
use crate::entry_points::entry_points;
use crate::position::{CHECKERS, HOME_AND_OFF, ON_BOARD, POINTS, Position, START_BIT, SideCheckers, SideVectors};
use crate::tavli3d_position::Tavli3dPosition;
use crate::variant::Variant;
use tavli_algebra::planes::occupied_and_made;

/// The points of a side's own start quadrant, 19 to 24.
const START_QUADRANT: u32 = 0x3f << 19;
/// The points before the start of the other side, 6 to 11.
const BEFORE_START: u32 = 0x3f << 6;
/// The point that is the start of the other side.
const OTHER_START: usize = 12;

/// The rules of Fevga: one checker holds a point, and until the first checker of a side, its runner, has passed the
/// start of the other side, no other checker of that side moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FevgaRules {
    /// Whether all points of a side's own start quadrant may be held: `r1`.
    pub start_quadrant: StartQuadrant,
    /// Whether all six points before the start of the other side may be held: `r2`.
    pub before_start: BeforeStart,
    /// Whether the other side may be left without a move: `r3`.
    pub blocking: Blocking,
    /// The runner has passed when it stands on the emptied start of the other side, not only beyond: `passed=12`.
    pub passes_on_start: bool,
}

/// Whether a side may hold all six points of its own start quadrant, 19 to 24.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StartQuadrant {
    /// Not at the end of its play: `r1=end`.
    #[default]
    NotAtEnd,
    /// No checker may land on the last of the six points: `r1=step`.
    Never,
    /// It may: `r1=off`.
    Allowed,
}

/// Whether a side may hold all six points before the start of the other side, 6 to 11.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BeforeStart {
    /// Not at the end of its play: `r2=always`.
    #[default]
    Forbidden,
    /// Not at the end of its play while the other side has checkers on its start: `r2=occupied`.
    ForbiddenWhileOccupied,
    /// It may: `r2=off`.
    Allowed,
}

/// Whether a side may leave the other one without a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Blocking {
    /// After a play the other side has a die, 1 to 6, that it can play: `r3=legal`.
    #[default]
    Forbidden,
    /// If all checkers of the other side stand on one point, and all six points before them are held, one of the six
    /// must be opened, if the dice allow it: `r3=duty`.
    Duty,
    /// It may: `r3=off`.
    Allowed,
}

impl Variant for FevgaRules {
    const NAME: &'static str = "fevga";
    const RULES: &'static [&'static str] =
        &["default", "r1=step", "r1=off", "r2=occupied", "r2=off", "r3=duty", "r3=off", "passed=12"];
    const OPTIONS: &'static [&'static str] = &[
        "default",
        "r1=end",
        "r1=step",
        "r1=off",
        "r2=always",
        "r2=occupied",
        "r2=off",
        "r3=legal",
        "r3=duty",
        "r3=off",
        "passed=11",
        "passed=12",
    ];
    const OUTCOMES: &'static [GameOutcome] = &[
        GameOutcome::new("win_gammon", 2),
        GameOutcome::new("win_single", 1),
        GameOutcome::new("lose_single", -1),
        GameOutcome::new("lose_gammon", -2),
    ];
    const POSITION: &'static str = "24 characters, points 1 to 24 of the player on roll: - empty, A to O 1 to 15 own \
        checkers, a to o the opponent's, such as -----------o-----------O";
    const PINS: bool = false;
    const HAS_RUNNER: bool = true;

    fn named(rules: &str) -> Option<FevgaRules> {
        let mut named = FevgaRules::default();
        if rules == Self::RULES[0] {
            return Some(named);
        }
        for option in rules.split(',') {
            match option {
                "r1=end" => named.start_quadrant = StartQuadrant::NotAtEnd,
                "r1=step" => named.start_quadrant = StartQuadrant::Never,
                "r1=off" => named.start_quadrant = StartQuadrant::Allowed,
                "r2=always" => named.before_start = BeforeStart::Forbidden,
                "r2=occupied" => named.before_start = BeforeStart::ForbiddenWhileOccupied,
                "r2=off" => named.before_start = BeforeStart::Allowed,
                "r3=legal" => named.blocking = Blocking::Forbidden,
                "r3=duty" => named.blocking = Blocking::Duty,
                "r3=off" => named.blocking = Blocking::Allowed,
                "passed=11" => named.passes_on_start = false,
                "passed=12" => named.passes_on_start = true,
                _ => return None,
            }
        }
        Some(named)
    }

    #[inline(always)]
    fn across<V: Vector>(points: V) -> V {
        (points.shr_by::<12>() | points.shl_by::<12>()) & ON_BOARD
    }

    fn point_across(point: usize) -> usize {
        (point + OTHER_START - 1) % POINTS + 1
    }

    #[inline(always)]
    fn open<V: Vector>(&self, _: &SideVectors<V>, other: &SideVectors<V>) -> V {
        let (occupied, _) = occupied_and_made(&other.counts);
        !Self::across(occupied) & ON_BOARD
    }

    fn may_stay_pinned(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn runner<V: Vector>(&self, mover: &SideVectors<V>, occupied: V) -> V {
        let waits = (occupied & self.passed()).lanes_zero();
        if V::skips_on_one_lane(waits) {
            return occupied.splat(0);
        }
        // While it has not passed, all others are on the start behind it.
        let lowest = occupied & occupied.splat(0).wrapping_sub(occupied);
        // Checkers that are borne off had passed. Lanes play no position in which this matters, and no game leads to
        // one.
        if !V::ONE_LANE {
            return lowest.zero_unless(waits);
        }
        let [ones, twos, fours, eights] = mover.counts.map(
            #[inline(always)]
            |plane| plane.count_ones(),
        );
        let checkers =
            ones.wrapping_add(twos.shl_by::<1>()).wrapping_add(fours.shl_by::<2>()).wrapping_add(eights.shl_by::<3>());
        lowest.zero_unless(waits & checkers.lanes_equal(occupied.splat(CHECKERS)))
    }

    fn passed(&self) -> u32 {
        let below = OTHER_START + usize::from(self.passes_on_start);
        // Without bit 0, the place off the board.
        (1 << below) - 2
    }

    #[inline(always)]
    fn pin<V: Vector>(_: V, _: &mut SideVectors<V>) {}

    #[inline(always)]
    fn is_over<V: Vector>(&self, last: &SideVectors<V>, _: &SideVectors<V>) -> V::Lanes {
        last.pinned.lanes_of_bits(0)
    }

    fn won_by_last_play(&self, _: &Position) -> Option<i32> {
        None
    }

    #[inline(always)]
    fn end_test<V: Vector>(&self, other: &SideVectors<V>, _: V) -> EndTest<V> {
        let (occupied, _) = occupied_and_made(&other.counts);
        let never = occupied.splat(NEVER);
        let quadrant = match self.start_quadrant {
            StartQuadrant::NotAtEnd => START_QUADRANT,
            StartQuadrant::Never | StartQuadrant::Allowed => NEVER,
        };
        let before_start = match self.before_start {
            BeforeStart::Forbidden => occupied.splat(BEFORE_START),
            BeforeStart::ForbiddenWhileOccupied => {
                let stands = occupied.test_any_bit(occupied.splat(START_BIT));
                occupied.splat(BEFORE_START).blend(stands, never)
            }
            BeforeStart::Allowed => never,
        };
        let mut landings = never;
        if self.blocking == Blocking::Forbidden {
            let runner = self.runner(other, occupied);
            // While the runner waits to pass, no other checker can move.
            let from = occupied.zero_unless(runner.lanes_zero()) | runner;
            let three = from.shr_by::<1>() | from.shr_by::<2>() | from.shr_by::<3>();
            let six = (three | three.shr_by::<3>()) & ON_BOARD;
            // A side with all checkers at home can bear one off.
            let outside = !(occupied & !HOME_AND_OFF).lanes_zero();
            landings = Self::across(six).blend(outside, never);
        }
        EndTest { quadrant: occupied.splat(quadrant), before_start, landings }
    }

    fn has_closed_forms(&self) -> bool {
        self.start_quadrant != StartQuadrant::Never && self.blocking != Blocking::Duty
    }

    #[inline(always)]
    fn goes_step_by_step(&self, _: &Position) -> bool {
        self.start_quadrant == StartQuadrant::Never
    }

    fn forbids_step(&self, occupied: u32, to: usize) -> bool {
        let missing = START_QUADRANT & !occupied;
        self.start_quadrant == StartQuadrant::Never && missing == 1 << to
    }

    #[inline(always)]
    fn duty(&self, position: &Position) -> u32 {
        if self.blocking != Blocking::Duty {
            return 0;
        }
        let stack = position.opponent.occupied();
        // A stack at home can be borne off, and has no six points before it.
        if stack.count_ones() != 1 || stack & HOME_AND_OFF != 0 {
            return 0;
        }
        let stack = stack.ilog2() as usize;
        let before = (1..=6).map(|back| 1 << Self::point_across(stack - back));
        let before = before.fold(0, |points, point| points | point);
        if before & !position.own.occupied() == 0 { before } else { 0 }
    }

    fn fault(&self, side: &SideCheckers) -> Option<String> {
        let runners: Vec<usize> = (1..POINTS).filter(|&point| side.free(point) > 0).collect();
        let away: u32 = runners.iter().map(|&point| side.free(point)).sum();
        let waits = side.occupied() & self.passed() == 0 && side.on_board() == CHECKERS;
        (waits && away > 1).then(|| {
            let points: Vec<String> = runners.iter().map(usize::to_string).collect();
            format!(
                "{away} checkers, on {}, have left the start and none has passed point {OTHER_START}: until \
                 the first has, no other may leave",
                points.join(" and ")
            )
        })
    }

    fn tavli3d(&self, view: &Tavli3dPosition) -> i64 {
        view.fevga()
    }

    entry_points!();
}
