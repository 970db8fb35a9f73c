//! Games with the cube: one course of plays, shared by the cubes of several candidates.
//!
//! Where players pick their plays without the cube, the games of candidates that differ only by the cube are the same
//! plays on the same dice. They are played once. A candidate's game ends where a double is passed or its value is
//! exact; the course ends with the last game. A player that [chooses its plays with the cube](cubeful_evaluator) would
//! choose differently for two cubes, so each candidate then has a course of its own.
//!
//! Tested by `tests/suite/cube.rs`.

use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Probabilities, value_if_over};
use tavli_backgammon::playout::{Dice, Throws};
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, FirstRoll, Outcome, Planes, Playouts, Side, Stopped, Tier};
use tavli_cube::{CubeModel, CubeState, OutcomeProbabilities, Turn};
use tavli_players::{Luck, LuckShares, cubeful_evaluator};

use crate::ask::cube::{CandidateCube, value_of_turn};
use crate::cubeful_plays::make_cubeful_plays;
use crate::game_value::seen_by_first_player;

/// Games that are played side by side: as many as without a cube (`policies/policy_pair.rs` of `tavli-backgammon`,
/// where the number was measured), so that their plays stay in the nearest caches.
const GAMES_SIDE_BY_SIDE: usize = 64;
/// The most candidates on one course of plays: no double, and double, take.
pub(crate) const MAX_CUBES: usize = 2;

/// A position with the cubes of its games, of one or two candidates.
pub(crate) struct CubefulPosition<'a> {
    pub(crate) playouts: Playouts,
    /// The players; the first is on roll first.
    pub(crate) players: PolicyPair,
    /// The values that they decide about the cube by, in the same order.
    pub(crate) deciders: [Arc<dyn Evaluator>; 2],
    /// Values games that are cut off by their plies; `None` if none are.
    pub(crate) evaluator: Option<Arc<dyn Evaluator>>,
    pub(crate) luck: Option<&'a Luck>,
    pub(crate) cubes: Vec<CandidateCube>,
    pub(crate) tier: Tier,
}

/// A game of a candidate that has ended.
pub(crate) struct FinishedCubefulGame {
    /// The index of its cube.
    pub(crate) cube: usize,
    pub(crate) trial: u64,
    pub(crate) plies: u32,
    /// The game's outcome for the first player on roll; `None` if it was cut off, also by a pass.
    pub(crate) outcome: Option<Outcome>,
    /// Where it was cut off, the value without cube of its last position, for the player next on roll.
    pub(crate) value: Option<Probabilities>,
    /// The luck of the first player on roll in games without cube.
    pub(crate) luck: LuckShares,
    /// The luck-adjusted value with the cube for that player.
    pub(crate) cubeful: i64,
}

struct Course<'a> {
    trial: u64,
    throws: Throws<'a>,
    plies: u32,
    position: Planes,
    games: [CubefulGame; MAX_CUBES],
    luck: LuckShares,
}

/// A candidate's game on a course.
#[derive(Clone, Copy)]
struct CubefulGame {
    /// Its cube as the player on roll sees it; `None` once it has ended.
    state: Option<CubeState>,
    /// The luck of the first player on roll, in 1 / [`Luck::PARTS`] of the unit.
    luck: i128,
}

/// Passes the ends of games on.
type TakeEnd<'a> = &'a mut dyn FnMut(&FinishedCubefulGame);

impl CubefulPosition<'_> {
    /// Plays the games of these numbers and passes the end of each candidate's game to `take`, in any order. `None` if
    /// `stop` returns `true` before the end.
    pub(crate) fn play(&self, games: Range<u64>, stop: &dyn Fn() -> bool, take: TakeEnd<'_>) -> Option<()> {
        let dice = Dice::new(self.playouts.seed(), self.playouts.first_roll());
        let mut waiting = games;
        let mut courses: Vec<Course<'_>> = Vec::with_capacity(GAMES_SIDE_BY_SIDE);
        let mut decisions = RollBatch::new(self.playouts.rules()).with_tier(self.tier);
        loop {
            let free = GAMES_SIDE_BY_SIDE - courses.len();
            courses.extend(waiting.by_ref().take(free).map(|trial| self.begin(&dice, trial)));
            if courses.is_empty() {
                return Some(());
            }
            if stop() {
                return None;
            }
            self.decide_cubes(&mut courses, stop, take).ok()?;
            self.play_ply(&mut courses, &mut decisions, stop).ok()?;
            self.end_ply(&mut courses, stop, take).ok()?;
        }
    }

    fn begin<'a>(&self, dice: &'a Dice, trial: u64) -> Course<'a> {
        let game = |cube: usize| CubefulGame { state: self.cubes.get(cube).map(|cube| cube.state), luck: 0 };
        Course {
            trial,
            throws: dice.of_game(trial),
            plies: 0,
            position: Planes::from(*self.playouts.start()),
            games: core::array::from_fn(game),
            luck: LuckShares::default(),
        }
    }

    /// The values of the positions of some courses, for the player on roll in each, who decides.
    fn values_for_cube<'c>(
        &self,
        courses: impl Iterator<Item = (usize, &'c Course<'c>)>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<(usize, Probabilities)>, Stopped> {
        let conditions = EvaluationConditions::new(self.playouts.rules(), self.tier).with_stop(stop);
        let mut indices: [Vec<usize>; 2] = Default::default();
        let mut positions: [Vec<Planes>; 2] = Default::default();
        // One evaluator on both sides values all positions in one call.
        let are_alike = Arc::ptr_eq(&self.deciders[0], &self.deciders[1]);
        for (index, course) in courses {
            let player = if are_alike { 0 } else { course.plies as usize % 2 };
            indices[player].push(index);
            positions[player].push(course.position);
        }
        let mut found = Vec::with_capacity(indices[0].len() + indices[1].len());
        for (decider, (indices, positions)) in self.deciders.iter().zip(indices.into_iter().zip(positions)) {
            let values = decider.evaluated(&conditions, &positions)?;
            found.extend(indices.into_iter().zip(values));
        }
        Ok(found)
    }

    /// Lets the players on roll decide about their cubes, and ends the games that this decides.
    fn decide_cubes(
        &self,
        courses: &mut Vec<Course<'_>>,
        stop: &dyn Fn() -> bool,
        take: TakeEnd<'_>,
    ) -> Result<(), Stopped> {
        // The candidate fixes the first cube action of a position, but not one after a play.
        let decides = |course: &Course<'_>| {
            let is_turn = course.plies > 0 || self.cubes[0].choice.is_none();
            let states = course.games.iter().filter_map(|game| game.state);
            is_turn && states.into_iter().any(|state| state.is_double_allowed())
        };
        let deciding = courses.iter().enumerate().filter(|(_, course)| decides(course));
        for (index, value) in self.values_for_cube(deciding, stop)? {
            let course = &mut courses[index];
            let probabilities = OutcomeProbabilities::from(value);
            // The cubes of a course have one efficiency, so one model serves all of them.
            let model = self.cubes[0].model(&Board::from(course.position));
            for cube in 0..self.cubes.len() {
                let Some(state) = course.games[cube].state else {
                    continue;
                };
                match model.turn(&probabilities, &state) {
                    Turn::Roll => {}
                    Turn::Take(taken) => course.games[cube].state = Some(taken),
                    Turn::Pass => {
                        let cubeful_value = self.cubes[cube].value(&model, model.value_of_pass(&state), course.plies);
                        self.end(course, cube, None, Some(value), cubeful_value, take);
                    }
                }
            }
        }
        courses.retain(Course::is_open);
        Ok(())
    }

    fn play_ply(
        &self,
        courses: &mut [Course<'_>],
        decisions: &mut RollBatch,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Stopped> {
        let alike = Arc::ptr_eq(self.players.policy(Side::OnRoll), self.players.policy(Side::Opponent));
        // Courses begin as others end, so different sides are on roll in a batch. Policies that differ play in turns.
        let turns: &[Option<u32>] = if alike { &[None] } else { &[Some(0), Some(1)] };
        for turn in turns {
            let player = match turn {
                Some(1) => Side::Opponent,
                _ => Side::OnRoll,
            };
            let mut of_turn: Vec<&mut Course<'_>> =
                courses.iter_mut().filter(|course| turn.is_none_or(|turn| course.plies % 2 == turn)).collect();
            decisions.clear();
            for course in &mut of_turn {
                let throw = course.throws.next().expect("throws have no end");
                let pushed = decisions.push(&Board::from(course.position), throw);
                pushed.expect("a game that goes on");
            }
            if let Some(luck) = self.luck {
                self.add_luck(luck, &mut of_turn, decisions, stop)?;
            }
            let policy = self.players.policy(player);
            let made = match cubeful_evaluator(&**policy) {
                None => policy.play(decisions, stop)?,
                Some(evaluator) => {
                    let states = of_turn.iter().map(|course| course.state());
                    let conditions = EvaluationConditions::new(self.playouts.rules(), self.tier).with_stop(stop);
                    make_cubeful_plays(&**evaluator, &conditions, decisions, states, self.cubes[0].efficiency)?
                }
            };
            for (course, &position) in of_turn.into_iter().zip(made) {
                course.position = position;
            }
        }
        for course in courses {
            course.plies += 1;
            for game in &mut course.games {
                game.state = game.state.map(|state| state.reversed());
            }
        }
        Ok(())
    }

    /// Adds the luck of the rolls of a ply, without cube and with each.
    fn add_luck(
        &self,
        luck: &Luck,
        courses: &mut [&mut Course<'_>],
        decisions: &RollBatch,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Stopped> {
        let thrown: Vec<FirstRoll> = courses
            .iter()
            .map(|course| match course.plies {
                0 => self.playouts.first_roll(),
                _ => FirstRoll::Any,
            })
            .collect();
        let rules = self.playouts.rules();
        let mut values = |index: usize, after: &Planes, value: &Probabilities| {
            let course = &*courses[index];
            let over = value_if_over(rules, after).is_some();
            // Luck is measured for the player on roll, and values here are the first player's.
            let sign = if course.plies.is_multiple_of(2) { 1 } else { -1 };
            core::array::from_fn(|cube| {
                let state = course.games[cube].state.map(|state| state.reversed());
                let of_state =
                    |state| sign * self.value_before_turn(cube, after, value, over, &state, course.plies + 1);
                state.map_or(0, of_state)
            })
        };
        let found: Vec<(LuckShares, [i64; MAX_CUBES])> =
            luck.measure_with(decisions, &thrown, self.tier, stop, &mut values)?;
        for (course, (luck, of_cubes)) in courses.iter_mut().zip(found) {
            course.luck += LuckShares(seen_by_first_player(luck.0, course.plies));
            let sign = if course.plies.is_multiple_of(2) { 1 } else { -1 };
            for (game, more) in course.games.iter_mut().zip(of_cubes) {
                game.luck += i128::from(sign * more);
            }
        }
        Ok(())
    }

    /// The value of a game for the first player on roll. In its position the game is over, or the player next on roll
    /// decides about the cube. The value without cube and the state are seen by the player next on roll.
    fn value_before_turn(
        &self,
        cube: usize,
        position: &Planes,
        value: &Probabilities,
        is_over: bool,
        state: &CubeState,
        plies: u32,
    ) -> i64 {
        let of = &self.cubes[cube];
        if is_over {
            // The end is certain, so the points decide the equity. Of the model only the match equity table
            // matters, and the default one has it.
            let model = CubeModel::default();
            return of.value(&model, model.value_of_end(value.equity() as i32, state), plies);
        }
        let model = of.model(&Board::from(*position));
        let cubeful_value = value_of_turn(&model, &OutcomeProbabilities::from(*value), state);
        of.value(&model, cubeful_value, plies)
    }

    /// Ends the games that the last ply has ended, games that are cut off, and games with an exact value.
    fn end_ply(
        &self,
        courses: &mut Vec<Course<'_>>,
        stop: &dyn Fn() -> bool,
        take: TakeEnd<'_>,
    ) -> Result<(), Stopped> {
        let rules = self.playouts.rules();
        let max_plies = self.playouts.truncation().map_or(u32::MAX, |plies| plies.get());
        let mut cut_off = Vec::new();
        for (index, course) in courses.iter_mut().enumerate() {
            let board = Board::from(course.position);
            if let Some(outcome) = rules.outcome(&board) {
                let value = Probabilities::certain(outcome);
                let seen_by_first_player = if course.plies.is_multiple_of(2) { outcome } else { outcome.reversed() };
                for cube in 0..self.cubes.len() {
                    if let Some(state) = course.games[cube].state {
                        let cubeful =
                            self.value_before_turn(cube, &course.position, &value, true, &state, course.plies);
                        self.end(course, cube, Some(seen_by_first_player), None, cubeful, take);
                    }
                }
                continue;
            }
            for cube in 0..self.cubes.len() {
                let Some(state) = course.games[cube].state else {
                    continue;
                };
                // Before the look at the plies: an exact value needs no evaluator, and has no error of one.
                if let Some(exact) = self.cubes[cube].exact_before_turn(&board, &state, course.plies) {
                    self.end(course, cube, None, Some(exact.value), exact.cubeful, take);
                }
            }
            if course.is_open() && course.plies >= max_plies {
                cut_off.push(index);
            }
        }
        for (index, value) in self.cut_off_values(courses, &cut_off, stop)? {
            let course = &mut courses[index];
            for cube in 0..self.cubes.len() {
                if let Some(state) = course.games[cube].state {
                    let cubeful = self.value_before_turn(cube, &course.position, &value, false, &state, course.plies);
                    self.end(course, cube, None, Some(value), cubeful, take);
                }
            }
        }
        courses.retain(Course::is_open);
        Ok(())
    }

    /// The values of the positions of courses that are cut off, for the player next on roll.
    fn cut_off_values(
        &self,
        courses: &[Course<'_>],
        indices: &[usize],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<(usize, Probabilities)>, Stopped> {
        if indices.is_empty() {
            return Ok(Vec::new());
        }
        let evaluator = self.evaluator.as_ref();
        let evaluator = evaluator.expect("games go on to their end, or to an evaluator");
        let positions: Vec<Planes> = indices.iter().map(|&index| courses[index].position).collect();
        let seeds: Vec<u64> = indices.iter().map(|&index| self.playouts.seed_of_game(courses[index].trial)).collect();
        let conditions = EvaluationConditions::new(self.playouts.rules(), self.tier).with_stop(stop);
        let values = evaluator.evaluated(&conditions.seeded(Some(&seeds)), &positions)?;
        Ok(indices.iter().copied().zip(values).collect())
    }

    fn end(
        &self,
        course: &mut Course<'_>,
        cube: usize,
        outcome: Option<Outcome>,
        value: Option<Probabilities>,
        cubeful: i64,
        take: TakeEnd<'_>,
    ) {
        let game = &mut course.games[cube];
        game.state = None;
        let parts = i128::from(Luck::PARTS);
        // Kept in parts up to here: so a game is rounded once, and not once a ply.
        let luck = (game.luck + parts / 2).div_euclid(parts);
        take(&FinishedCubefulGame {
            cube,
            trial: course.trial,
            plies: course.plies,
            outcome,
            value,
            luck: course.luck,
            cubeful: cubeful - luck as i64,
        });
    }
}

impl Course<'_> {
    /// The cube of the first game that goes on, as the player on roll sees it.
    fn state(&self) -> CubeState {
        let mut states = self.games.iter().filter_map(|game| game.state);
        states.next().expect("a course that goes on")
    }

    /// Whether a game of the course goes on.
    fn is_open(&self) -> bool {
        self.games.iter().any(|game| game.state.is_some())
    }
}
