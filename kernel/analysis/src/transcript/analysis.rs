//! The loss of each decision of a match.

use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::{Board, Position, Roll};
use tavli_rollout::RolloutRequest;
use tavli_run::{Limit, Scheduler};
use tavli_transcript::{Action, Match, MatchGame};

use crate::cube::{Action as CubeAction, CubeValues, PossibleRolls};
use crate::engine::{Engine, EngineError};
use crate::evaluation::RankedPlay;

/// A double counts as a decision if it was made, or if it would be wrong by less than this: GNU Backgammon's bound for
/// close decisions.
const CLOSE: f64 = 0.25;
/// The weight of a step for the scheduler, in games.
const SLOW: u64 = 1296;
/// The performance rating of eXtreme Gammon is the error rate per decision times this.
const RATING: f64 = 500.0;

/// How plays are valued.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ValuedBy {
    /// By the engine's player, with its look-ahead.
    #[default]
    Player,
    /// By rollouts that [decide](RolloutRequest::decision) among the play that was made and the plays that the player
    /// values near the best. If the play made cannot be told from the best, its loss is 0.
    Rollouts,
}

/// The kind of the decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// A play.
    Play,
    /// Whether to double.
    Double,
    /// Whether to take.
    Take,
}

/// A decision with its value.
#[derive(Clone, Debug)]
pub struct Analysed {
    /// The game, from 0.
    pub game: usize,
    /// The index of its step in the game.
    pub step: usize,
    /// The player who decided, 0 or 1.
    pub player: usize,
    /// The kind of the decision.
    pub kind: DecisionKind,
    /// The position, seen by the player on roll.
    pub position: Position,
    /// The roll of a play.
    pub roll: Option<Roll>,
    /// The action: the moves, or a word.
    pub done: String,
    /// The best action.
    pub best: String,
    /// The equity of the action, for the player who decided: in money games in units of the cube, in matches equivalent
    /// to that unit.
    pub equity: f64,
    /// The loss to the best action, 0 or above, in the same units.
    pub loss: f64,
    /// Whether it counts as a decision: a play of several, or a close or mistaken cube decision.
    pub counts: bool,
    /// The luck of the roll by the best plays without looking ahead, in the same units; plays only. The luck of the
    /// opening roll includes the luck of beginning.
    pub luck: f64,
}

/// Sums over decisions of a player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sums {
    /// The decisions that count.
    pub decisions: u64,
    /// Mistakes among them: decisions that lose at least 0.02.
    pub mistakes: u64,
    /// The sum of the losses.
    pub loss: f64,
    /// The luck of the rolls.
    pub luck: f64,
}

/// All decisions of a match, in order.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The decisions.
    pub decisions: Vec<Analysed>,
    /// Whether it was stopped before the end.
    pub cancelled: bool,
}

impl Analysed {
    /// A decision that loses less is not a mistake.
    const MISTAKE: f64 = 0.02;

    /// Whether it is a mistake: a decision that counts and loses at least 0.02.
    #[must_use]
    pub fn is_mistake(&self) -> bool {
        self.counts && self.loss >= Analysed::MISTAKE
    }
}

impl Sums {
    /// The mean loss of a decision; 0 without decisions.
    #[must_use]
    pub fn error_rate(&self) -> f64 {
        self.loss / self.decisions.max(1) as f64
    }

    /// The performance rating of eXtreme Gammon: 500 times the error rate.
    #[must_use]
    pub fn rating(&self) -> f64 {
        RATING * self.error_rate()
    }

    fn add(&mut self, decision: &Analysed) {
        // A forced play is not a decision, but its roll was lucky or not.
        self.luck += decision.luck;
        if decision.counts {
            self.decisions += 1;
            self.mistakes += u64::from(decision.is_mistake());
            self.loss += decision.loss;
        }
    }
}

impl Analysis {
    /// Values every decision of a match by an engine, on all of its workers; `by` says how plays are valued. Calls
    /// `progress` with the number of steps done and of all steps. Stops when the engine is cancelled.
    ///
    /// # Errors
    /// [`EngineError`] if the engine cannot value a position.
    ///
    /// # Panics
    /// If one of the engine's workers calls this.
    pub fn new(
        played: &Match,
        engine: &Engine,
        by: ValuedBy,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Analysis, EngineError> {
        let steps = played.games.iter().enumerate();
        let steps: Vec<(usize, usize)> =
            steps.flat_map(|(number, game)| (0..game.steps.len()).map(move |step| (number, step))).collect();
        let all = steps.len();
        let (workers, alone) = engine.by_question();
        let scheduler = Scheduler::new(workers, 0, Limit::Items(all as u64), engine.cancel())
            .with_sizes(1..=1)
            .with_weight(SLOW)
            .with_first_items(1);
        // The workers' own: a cancelled call does not wait for them.
        let games = Arc::new(played.games.clone());
        let work = move |range: Range<u64>| {
            let mut decisions = Vec::new();
            for &(number, step) in &steps[range.start as usize..range.end as usize] {
                match analyse(number, &games[number], step, &alone, by) {
                    Ok(Some(of_step)) => decisions.extend(of_step),
                    Ok(None) => return None,
                    Err(error) => return Some(Err(error)),
                }
            }
            Some(Ok(decisions))
        };
        let mut analysis = Analysis::default();
        let mut done = 0;
        scheduler.each(
            work,
            |part: Result<Vec<Analysed>, EngineError>| {
                analysis.decisions.extend(part?);
                done += 1;
                progress(done, all);
                Ok::<(), EngineError>(())
            },
            &mut |_| (),
        )?;
        analysis.cancelled = done < all;
        Ok(analysis)
    }

    /// The sums over a player's decisions, of all kinds or of one, in all games or in one.
    #[must_use]
    pub fn sums(&self, player: usize, kind: Option<DecisionKind>, game: Option<usize>) -> Sums {
        let mut sums = Sums::default();
        for decision in &self.decisions {
            let is_asked =
                kind.is_none_or(|kind| kind == decision.kind) && game.is_none_or(|game| game == decision.game);
            if decision.player == player && is_asked {
                sums.add(decision);
            }
        }
        sums
    }
}

/// The decisions of a step; `None` if the engine was stopped.
fn analyse(
    game: usize,
    played: &MatchGame,
    index: usize,
    engine: &Engine,
    by: ValuedBy,
) -> Result<Option<Vec<Analysed>>, EngineError> {
    let mut decisions = Vec::new();
    let step = &played.steps[index];
    let decision = |kind, position, roll| Analysed {
        game,
        step: index,
        player: step.player,
        kind,
        position,
        roll,
        done: String::new(),
        best: String::new(),
        equity: 0.0,
        loss: 0.0,
        counts: false,
        luck: 0.0,
    };
    match step.action {
        Action::Double | Action::Take | Action::Pass => {
            let Some(values) = cube(&step.position, engine)? else {
                return Ok(if engine.cancel().is_cancelled() { None } else { Some(decisions) });
            };
            let added = match step.action {
                Action::Double => doubled(&values, true, decision(DecisionKind::Double, step.position, None)),
                _ => answered(&values, step.action == Action::Take, decision(DecisionKind::Take, step.position, None)),
            };
            decisions.push(added);
        }
        Action::Play { roll, after } => {
            // Each player throws a die of the opening roll, and nobody may double before it.
            let is_opening = index == 0 && step.position.board() == &engine.rules().start() && !roll.is_double();
            // A player who rolls without doubling has decided not to double, unless his double has just been taken.
            let was_double = index > 0 && matches!(played.steps[index - 1].action, Action::Take);
            let before = step.position.before_roll();
            if !was_double && !is_opening {
                match cube(&before, engine)? {
                    Some(values) if may_double(&values) => {
                        let added = doubled(&values, false, decision(DecisionKind::Double, before, None));
                        decisions.push(added);
                    }
                    Some(_) => {}
                    None if engine.cancel().is_cancelled() => return Ok(None),
                    None => {}
                }
            }
            let ranked = engine.plays(&step.position, roll)?;
            if ranked.cancelled {
                return Ok(None);
            }
            let plays = ranked.plays;
            let made = plays.iter().position(|play| play.play.board == after);
            let made = made.expect("it was read as one of the plays");
            let valued = match by {
                ValuedBy::Rollouts if plays.len() > 1 => rolled_out(&step.position, roll, &plays, made, engine)?,
                ValuedBy::Player | ValuedBy::Rollouts => valued(&step.position, &plays, made, engine)?,
            };
            let rolls = if is_opening { PossibleRolls::Opening } else { PossibleRolls::Any };
            let (Some(valued), Some(luck)) = (valued, engine.luck(&before, roll, rolls)?) else {
                return Ok(None);
            };
            decisions.push(Analysed {
                done: plays[made].play.moves.to_string(),
                best: plays[valued.best].play.moves.to_string(),
                equity: valued.equity,
                loss: valued.loss,
                counts: plays.len() > 1,
                luck,
                ..decision(DecisionKind::Play, step.position, Some(roll))
            });
        }
    }
    Ok(Some(decisions))
}

struct Valued {
    /// The best play, by its rank.
    best: usize,
    /// The equity of the play that was made.
    equity: f64,
    loss: f64,
}

/// The value of the play of rank `made` by the player; `None` if the engine was stopped.
fn valued(
    position: &Position,
    plays: &[RankedPlay],
    made: usize,
    engine: &Engine,
) -> Result<Option<Valued>, EngineError> {
    let best = plays[0].equity();
    let equity = match plays[made].play.plies < plays[0].play.plies {
        // The play failed a move filter, so its value is from fewer plies ahead than the best play's.
        true => engine.at_full_depth(position, &plays[made])?.map(|play| play.equity()),
        false => Some(plays[made].equity()),
    };
    Ok(equity.map(|equity| Valued {
        // At full depth, the play may turn out better than the plays that passed the filter.
        best: if equity > best { made } else { 0 },
        equity,
        loss: (best - equity).max(0.0),
    }))
}

/// The value of the play of rank `made` by rollouts; `None` if the engine was stopped.
fn rolled_out(
    position: &Position,
    roll: Roll,
    ranked: &[RankedPlay],
    made: usize,
    engine: &Engine,
) -> Result<Option<Valued>, EngineError> {
    let worst = ranked[0].equity() - RolloutRequest::DECISION_MARGIN;
    // The best two always race, as in other decisions, so that no decision rests on the player's values alone.
    let near = |&rank: &usize| rank < 2 || rank == made || ranked[rank].equity() >= worst;
    let ranks: Vec<usize> = (0..ranked.len()).filter(near).collect();
    let boards: Vec<Board> = ranks.iter().map(|&rank| ranked[rank].play.board).collect();
    let Some(rollout) = engine.decide(position, roll, &boards)? else {
        return Ok(None);
    };
    let decision = rollout.decision().expect("a race of fixed confidence");
    let candidate = ranks.iter().position(|&rank| rank == made);
    let candidate = candidate.expect("it is one of the candidates");
    let results = &rollout.summary().standings;
    let result = results.iter().find(|result| result.candidate == candidate);
    let result = result.expect("every candidate has a result");
    let is_best = candidate == decision.candidate || decision.rivals.contains(&candidate);
    Ok(Some(Valued {
        best: if is_best { made } else { ranks[decision.candidate] },
        equity: result.value().mean,
        // If the plays may be equal, the difference is chance, and always favours the play that happened to come out
        // best. Counting it would charge the other play with an error.
        loss: if is_best { 0.0 } else { result.behind.mean.max(0.0) },
    }))
}

/// The values of the player who may double or has doubled; `None` without a cube, or if the engine was stopped.
fn cube(position: &Position, engine: &Engine) -> Result<Option<CubeValues>, EngineError> {
    let found = engine.value(&position.before_roll())?;
    Ok(found.and_then(|decision| decision.cube))
}

fn may_double(values: &CubeValues) -> bool {
    !matches!(values.action, CubeAction::NotAvailable | CubeAction::DeadCube | CubeAction::DeadOwnCube)
}

/// The decision of the player on roll, who doubled or did not.
fn doubled(values: &CubeValues, did: bool, decision: Analysed) -> Analysed {
    let double = values.double_take.min(values.double_pass);
    let best = values.no_double.max(double);
    let equity = if did { double } else { values.no_double };
    Analysed {
        done: if did { "double" } else { "no double" }.to_owned(),
        best: values.action.text().to_owned(),
        equity,
        loss: (best - equity).max(0.0),
        counts: did || best - double < CLOSE,
        ..decision
    }
}

/// The decision of the player who was doubled; his equities are the opposite of the doubler's.
fn answered(values: &CubeValues, took: bool, decision: Analysed) -> Analysed {
    let (take, pass) = (-values.double_take, -values.double_pass);
    let equity = if took { take } else { pass };
    Analysed {
        done: if took { "take" } else { "pass" }.to_owned(),
        best: if take >= pass { "take" } else { "pass" }.to_owned(),
        equity,
        loss: (take.max(pass) - equity).max(0.0),
        counts: true,
        ..decision
    }
}
