//! The differences between the two games.

use core::fmt;

use tavli_game::streams::StreamKey;
use tavli_game::{GameOutcome, GameSource};
use tavli_simd::{Tier, Vector};

use crate::end_test::EndTest;
use crate::position::{Position, SideCheckers, SideVectors};
use crate::tavli3d_position::Tavli3dPosition;

/// The rules of one of the games: what is open, pinned, forbidden, and when a game is over.
pub trait Variant: Copy + PartialEq + Eq + fmt::Debug + Send + Sync + 'static {
    /// The name of the game.
    const NAME: &'static str;
    /// The names of its rules, the default first, and each that differs from the default by one option.
    const RULES: &'static [&'static str];
    /// All names that rules may have: [`Variant::RULES`], and the options that the default has.
    const OPTIONS: &'static [&'static str];
    /// How a game can end.
    const OUTCOMES: &'static [GameOutcome];
    /// The form of a position's text.
    const POSITION: &'static str;
    /// Whether checkers can be pinned.
    const PINS: bool;
    /// Whether a runner goes before all others, and some positions are forbidden at the end of a play.
    const HAS_RUNNER: bool;

    /// The rules of a name: `default`, or options separated by commas. The last option for a rule counts.
    fn named(rules: &str) -> Option<Self>;

    /// Points in the frame of the other side.
    fn across<V: Vector>(points: V) -> V;

    /// The number that a point, 1 to 24, has for the other side.
    fn point_across(point: usize) -> usize;

    /// The points that the mover's checkers may land on.
    fn open<V: Vector>(&self, mover: &SideVectors<V>, other: &SideVectors<V>) -> V;

    /// Points on which a pinned checker does not forbid to bear off.
    fn may_stay_pinned(&self) -> u32;

    /// The point of the runner; 0 if it has passed, or there is none. `occupied` are the points with checkers.
    fn runner<V: Vector>(&self, mover: &SideVectors<V>, occupied: V) -> V;

    /// The points on which a runner has passed.
    fn passed(&self) -> u32;

    /// Pins checkers of the other side, and frees them, after the mover's play. `occupied` are the mover's points.
    fn pin<V: Vector>(occupied: V, other: &mut SideVectors<V>);

    /// Lanes in which the game is over, if it is not by bearing off.
    fn is_over<V: Vector>(&self, last: &SideVectors<V>, next: &SideVectors<V>) -> V::Lanes;

    /// The points won by the play that led to a position, if the game is over, and not by bearing off.
    fn won_by_last_play(&self, position: &Position) -> Option<i32>;

    /// The positions in which no play may end, given the other side.
    fn end_test<V: Vector>(&self, other: &SideVectors<V>, occupied: V) -> EndTest<V>;

    /// Whether the closed forms know the rules of all positions.
    fn has_closed_forms(&self) -> bool;

    /// Whether the plays of a position are found step by step, since the closed forms do not know its rules.
    fn goes_step_by_step(&self, position: &Position) -> bool;

    /// Whether a checker that lands on `to` makes a position that no step may reach, the others being on `occupied`.
    fn forbids_step(&self, occupied: u32, to: usize) -> bool;

    /// The points of which one must be opened if it can be; 0 if there are none.
    fn duty(&self, position: &Position) -> u32;

    /// The fault of a side of a position, if it has one.
    fn fault(&self, side: &SideCheckers) -> Option<String>;

    /// The rating of Tavli3D for the side that has just played.
    fn tavli3d(&self, view: &Tavli3dPosition) -> i64;

    /// [`roll_plays::count`](crate::roll_plays::count) of this game.
    fn count(&self, position: &Position, roll: usize) -> usize;

    /// [`roll_plays::result`](crate::roll_plays::result) of this game.
    fn result(&self, position: &Position, roll: usize, index: usize) -> Position;

    /// [`roll_plays::results`](crate::roll_plays::results) of this game.
    fn results(&self, position: &Position, roll: usize) -> Vec<Position>;

    /// [`batch::play_out`](crate::batch::play_out) of this game.
    fn play_out(&self, tier: Tier, key: &StreamKey, source: &mut dyn GameSource<Position>, stop: &dyn Fn() -> bool);
}

/// The first rule of which a name has two options: they contradict each other, or one is needless.
pub(crate) fn rule_given_twice(rules: &str) -> Option<&str> {
    let names = || rules.split(',').filter_map(|option| option.split('=').next());
    names().enumerate().find_map(|(at, name)| names().take(at).any(|before| before == name).then_some(name))
}
