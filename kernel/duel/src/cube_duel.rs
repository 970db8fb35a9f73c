//! Two players against each other with the doubling cube: money games, or matches.

use core::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Probabilities};
use tavli_backgammon::playout::{Dice, Throws};
use tavli_backgammon::policies::Policy;
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, FirstRoll, Outcome, Planes, RuleSet, Stopped, Tier};
use tavli_cube::{CubeState, OutcomeProbabilities, Stakes, Turn};
use tavli_game::PairScore;
use tavli_players::cubeful_evaluator;
use tavli_rollout::{cube_model, make_cubeful_plays};
use tavli_run::{Cancel, Progress, Workers};
use tavli_transcript::Action;
use thiserror::Error;

use super::game_actions::GameActions;
use super::pairs::Pairs;

/// Pairs of money games or matches that are played side by side, so that players decide many positions at a time.
const MATCH_PAIRS_PER_BATCH: u64 = 32;
/// Both matches of pair `n` have the dice of games `n * GAMES_OF_MATCH` and on.
// Enough for any match: a game is worth a point or more, so a match to 99 points has at most 197 games.
const GAMES_OF_MATCH: u64 = 1 << 16;

/// The stakes of a duel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prize {
    /// Points, game by game.
    Points {
        /// Whether gammons count only once the cube has been turned.
        jacoby: bool,
    },
    /// Matches to a number of points, with the Crawford rule.
    Match(u16),
}

/// Why two players cannot play with the cube.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CubeDuelError {
    /// A player that cannot decide about the cube.
    #[error(
        "{0} gives no outcome probabilities, which cube decisions need: name players that value positions, such as fast"
    )]
    NoValues(String),
    /// Rules without a known efficiency of the cube.
    #[error("no efficiency of the cube is known for {0}: play without a cube")]
    Rules(RuleSet),
    /// A match of another length.
    #[error("a match is to 1 to {most} points, not {0}", most = CubeDuel::MAX_LENGTH)]
    Length(u16),
}

/// Pairs of money games or matches of two players with the cube. Both games or matches of a pair have the same dice,
/// game by game, with the sides exchanged. Players decide about the cube by their own values and [the
/// model](cube_model).
///
/// ```
/// use tavli_backgammon::{RuleSet, Tier};
/// use tavli_duel::{CubeDuel, Prize};
/// use tavli_players::named;
/// use tavli_run::{Cpus, Pinning, Placement, Workers};
///
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let players = [named::policy("fast")?, named::policy("fast")?];
/// let duel = CubeDuel::new(players, RuleSet::Backgammon, Prize::Match(3), 1, 4)?;
/// let report = duel.play(Tier::best(), &workers, |_| ());
/// // The same player wins one of two matches on the same dice.
/// let won = report.score.won;
/// assert_eq!((won.games(), won.per_game().mean), (8, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CubeDuel {
    players: [Arc<dyn Policy>; 2],
    deciders: [Arc<dyn Evaluator>; 2],
    rules: RuleSet,
    prize: Prize,
    seed: u64,
    pairs: u64,
    cancel: Cancel,
}

/// The results of pairs of money games or matches for the first player, as exact integers that add up in any order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CubeScore {
    /// The points of money games, or the matches, that the first player has won.
    pub won: PairScore,
    /// Games.
    pub games: u64,
    /// Games that the first player has won.
    pub games_won: u64,
    /// Games that ended by a pass.
    pub passes: u64,
    /// Doubles that were taken.
    pub takes: u64,
}

/// The result of a duel with the cube.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeDuelReport {
    /// The results of the pairs that were played, from number 0 on.
    pub score: CubeScore,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Whether the duel was cancelled before its end.
    pub cancelled: bool,
}

/// A money game or a match that is being played.
struct MatchInPlay<'a> {
    /// The number of its pair, and whether it is the second of the two.
    pair: u64,
    second: bool,
    /// The number of the game in the match.
    game: u64,
    /// Points of both players.
    score: [u16; 2],
    /// Whether the Crawford game has begun.
    had_crawford: bool,
    throws: Throws<'a>,
    position: Planes,
    /// Whether the first roll, which decides who begins, has been played.
    has_begun: bool,
    on_roll: usize,
    /// The cube as the player on roll sees it.
    state: CubeState,
    /// The actions of the games so far; `None` if they are not recorded.
    actions: Option<Vec<GameActions>>,
}

/// The results of some pairs, and the actions of the money games or matches that are recorded.
type PairResults = (CubeScore, Vec<Vec<GameActions>>);

impl MatchInPlay<'_> {
    /// Records an action of a player.
    fn keep(&mut self, player: usize, action: Action) {
        if let Some(game) = self.actions.as_mut().and_then(|games| games.last_mut()) {
            game.push((player, action));
        }
    }
}

impl CubeDuel {
    /// The longest match.
    pub const MAX_LENGTH: u16 = 99;

    /// A duel of `pairs` pairs of money games or matches, with the dice of `seed`. The first roll of a game is not a
    /// double. The players begin the games of a match in turn.
    ///
    /// # Errors
    /// [`CubeDuelError`] if a player gives no probabilities, or there is no such match.
    pub fn new(
        players: [Arc<dyn Policy>; 2],
        rules: RuleSet,
        prize: Prize,
        seed: u64,
        pairs: u64,
    ) -> Result<CubeDuel, CubeDuelError> {
        if !rules.has_cube_efficiency() {
            return Err(CubeDuelError::Rules(rules));
        }
        if let Prize::Match(length) = prize
            && !(1..=Self::MAX_LENGTH).contains(&length)
        {
            return Err(CubeDuelError::Length(length));
        }
        let decider = |player: &Arc<dyn Policy>| {
            // The policy's own, not the one that its name finds: a caller's policy may have the name of a built-in one.
            let evaluator = Arc::clone(player).evaluator();
            evaluator.ok_or_else(|| CubeDuelError::NoValues(player.name().to_owned()))
        };
        let deciders = [decider(&players[0])?, decider(&players[1])?];
        Ok(CubeDuel { players, deciders, rules, prize, seed, pairs, cancel: Cancel::new() })
    }

    /// Lets this switch end the duel.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> CubeDuel {
        CubeDuel { cancel: cancel.clone(), ..self }
    }

    /// The names of both players.
    #[must_use]
    pub fn names(&self) -> [&str; 2] {
        [self.players[0].name(), self.players[1].name()]
    }

    /// Plays the pairs, and calls `progress` about ten times a second with the money games or matches. The report of a
    /// cancelled duel has the pairs before the first unfinished one.
    ///
    /// # Panics
    /// If this CPU lacks the tier, if a policy picks an index that no play has, or if called from one of `workers`.
    #[must_use]
    pub fn play(&self, tier: Tier, workers: &Workers, progress: impl FnMut(&Progress)) -> CubeDuelReport {
        self.play_recorded(tier, workers, 0, |_| (), progress)
    }

    /// [`CubeDuel::play`] that also passes the games of the first `recorded` pairs to `take`, in order, but only games
    /// that the report counts. There is one call for each money game or match; in each pair, the one that the first
    /// player begins comes first.
    ///
    /// # Panics
    /// As [`CubeDuel::play`].
    #[must_use]
    pub fn play_recorded(
        &self,
        tier: Tier,
        workers: &Workers,
        recorded: u64,
        mut take: impl FnMut(Vec<GameActions>),
        progress: impl FnMut(&Progress),
    ) -> CubeDuelReport {
        let (duel, pairs) = (self.clone(), self.pairs);
        let mut score = CubeScore::default();
        let work = move |pairs: Range<u64>| duel.play_pairs(pairs, tier, recorded);
        let most = 2 * MATCH_PAIRS_PER_BATCH;
        let first_games = self.players.iter().fold(most, |games, player| games.min(player.first_games()));
        let all = Pairs { numbers: 0..pairs, first_games, cancel: &self.cancel };
        let merge = |(part, kept): PairResults| {
            score.merge(&part);
            kept.into_iter().for_each(&mut take);
        };
        let stats = all.play(workers, work, merge, progress);
        CubeDuelReport { score, elapsed: stats.elapsed, cancelled: score.won.pairs < pairs }
    }

    /// Plays some pairs; `None` if the switch is thrown before their end.
    fn play_pairs(&self, pairs: Range<u64>, tier: Tier, recorded: u64) -> Option<PairResults> {
        let dice = Dice::new(self.seed, FirstRoll::Open);
        let mut score = CubeScore::default();
        // The first player's winnings in both games or matches of each pair.
        let mut won = vec![0_i64; (pairs.end - pairs.start) as usize];
        // A range after the recorded pairs keeps none.
        let kept = pairs.end.min(recorded).saturating_sub(pairs.start);
        let mut kept: Vec<Vec<GameActions>> = vec![Vec::new(); 2 * kept as usize];
        let mut take = |in_play: &mut MatchInPlay<'_>, value: i64| {
            let index = (in_play.pair - pairs.start) as usize;
            won[index] += value;
            if let Some(actions) = in_play.actions.take() {
                kept[2 * index + usize::from(in_play.second)] = actions;
            }
        };
        let both = pairs.clone().flat_map(|pair| [(pair, false), (pair, true)]);
        let mut waiting = both.map(|(pair, second)| {
            let actions = (pair < recorded).then(Vec::new);
            self.begin_match(&dice, pair, second, actions)
        });
        let mut matches: Vec<MatchInPlay<'_>> = Vec::new();
        loop {
            let free = 2 * MATCH_PAIRS_PER_BATCH as usize - matches.len();
            matches.extend(waiting.by_ref().take(free));
            if matches.is_empty() {
                break;
            }
            if self.cancel.is_cancelled() {
                return None;
            }
            let passed = self.decide_cubes(&mut matches, tier, &mut score).ok()?;
            // The player who doubled has won.
            let ends = passed.into_iter().map(|passed| passed.then_some(1));
            self.end_games(&mut matches, ends, &dice, &mut score, &mut take);
            let matches_of = |player: usize| move |in_play: &&mut MatchInPlay<'_>| in_play.on_roll == player;
            let mut outcomes = Vec::new();
            for player in 0..2 {
                let mut of_player: Vec<&mut MatchInPlay<'_>> = matches.iter_mut().filter(matches_of(player)).collect();
                self.play_ply(player, &mut of_player, tier).ok()?;
            }
            for in_play in &mut matches {
                // Turns change once both players have played: in one round a match must not have a ply of each.
                in_play.on_roll = 1 - in_play.on_roll;
                in_play.has_begun = true;
                in_play.state = in_play.state.reversed();
                outcomes.push(self.rules.outcome(&Board::from(in_play.position)));
            }
            let ends = outcomes.into_iter().map(|outcome| outcome.map(Outcome::points));
            self.end_games(&mut matches, ends, &dice, &mut score, &mut take);
        }
        won.into_iter().for_each(|won| score.won.add(won));
        Some((score, kept))
    }

    fn begin_match<'a>(
        &self,
        dice: &'a Dice,
        pair: u64,
        second: bool,
        actions: Option<Vec<GameActions>>,
    ) -> MatchInPlay<'a> {
        let mut in_play = MatchInPlay {
            pair,
            second,
            game: 0,
            score: [0; 2],
            had_crawford: false,
            throws: dice.of_game(pair * GAMES_OF_MATCH),
            position: Planes::from(self.rules.start()),
            has_begun: false,
            on_roll: 0,
            state: CubeState::default(),
            actions,
        };
        self.begin_game(&mut in_play, dice);
        in_play
    }

    /// Begins the next game of a match.
    fn begin_game<'a>(&self, in_play: &mut MatchInPlay<'a>, dice: &'a Dice) {
        in_play.throws = dice.of_game(in_play.pair * GAMES_OF_MATCH + in_play.game);
        in_play.position = Planes::from(self.rules.start());
        in_play.has_begun = false;
        if let Some(games) = &mut in_play.actions {
            games.push(GameActions::new());
        }
        in_play.on_roll = usize::from(in_play.game.is_multiple_of(2) == in_play.second);
        in_play.state = CubeState {
            stakes: match self.prize {
                Prize::Points { jacoby } => Stakes::Money { jacoby, beavers: false },
                Prize::Match(length) => {
                    // Neither has reached the length, since `end_game` begins no game then.
                    let away = [in_play.on_roll, 1 - in_play.on_roll].map(|player| length - in_play.score[player]);
                    let score = tavli_cube::Score::in_game(away, in_play.had_crawford);
                    in_play.had_crawford |= score.crawford;
                    Stakes::Match(score)
                }
            },
            ..CubeState::default()
        };
    }

    /// Ends the games in which the player on roll has won or lost the points in `ends`. Calls `take` for each match
    /// that this ends, with the winnings of the first player.
    fn end_games<'a>(
        &self,
        matches: &mut Vec<MatchInPlay<'a>>,
        mut ends: impl Iterator<Item = Option<i32>>,
        dice: &'a Dice,
        score: &mut CubeScore,
        take: &mut dyn FnMut(&mut MatchInPlay<'a>, i64),
    ) {
        matches.retain_mut(|in_play| {
            let points = ends.next().expect("one of each match");
            let value = points.and_then(|points| self.end_game(in_play, points, dice, score));
            if let Some(value) = value {
                take(in_play, value);
            }
            value.is_none()
        });
    }

    /// Ends a game that the player on roll has won or lost by `points` points without cube, and begins the next one. If
    /// it was the last game of the match, returns the winnings of the first player.
    fn end_game<'a>(
        &self,
        in_play: &mut MatchInPlay<'a>,
        points: i32,
        dice: &'a Dice,
        score: &mut CubeScore,
    ) -> Option<i64> {
        let winner = if points > 0 { in_play.on_roll } else { 1 - in_play.on_roll };
        score.games += 1;
        score.games_won += u64::from(winner == 0);
        let won = in_play.state.points(points).unsigned_abs();
        match self.prize {
            Prize::Points { .. } => Some(if winner == 0 { i64::from(won) } else { -i64::from(won) }),
            Prize::Match(length) => {
                let left = u32::from(length - in_play.score[winner]);
                if won >= left {
                    return Some(i64::from(winner == 0));
                }
                in_play.score[winner] += won as u16;
                in_play.game += 1;
                self.begin_game(in_play, dice);
                None
            }
        }
    }

    /// Lets the players on roll decide about their cubes. Returns for each match whether a double was passed.
    fn decide_cubes(
        &self,
        matches: &mut [MatchInPlay<'_>],
        tier: Tier,
        score: &mut CubeScore,
    ) -> Result<Vec<bool>, Stopped> {
        let stop = || self.cancel.is_cancelled();
        let conditions = EvaluationConditions::new(self.rules, tier).with_stop(&stop);
        let mut passed = vec![false; matches.len()];
        for (player, decider) in self.deciders.iter().enumerate() {
            let decides = |in_play: &MatchInPlay<'_>| {
                // The first roll decides who begins, so nobody may double before it.
                in_play.has_begun && in_play.on_roll == player && in_play.state.is_double_allowed()
            };
            let indices: Vec<usize> = (0..matches.len()).filter(|&index| decides(&matches[index])).collect();
            let positions: Vec<Planes> = indices.iter().map(|&index| matches[index].position).collect();
            let values = decider.evaluated(&conditions, &positions)?;
            let answers = self.answers(player, &conditions, matches, &indices, &values)?;
            for (index, answer) in indices.into_iter().zip(answers) {
                let in_play = &mut matches[index];
                if answer != Turn::Roll {
                    in_play.keep(player, Action::Double);
                }
                match answer {
                    Turn::Roll => {}
                    Turn::Pass => {
                        in_play.keep(1 - player, Action::Pass);
                        passed[index] = true;
                        score.passes += 1;
                    }
                    Turn::Take(taken) => {
                        in_play.keep(1 - player, Action::Take);
                        in_play.state = taken;
                        score.takes += 1;
                    }
                }
            }
        }
        Ok(passed)
    }

    /// The results of a player's decisions by these values. The opponent answers a double by his own values.
    fn answers(
        &self,
        player: usize,
        conditions: &EvaluationConditions<'_>,
        matches: &[MatchInPlay<'_>],
        indices: &[usize],
        values: &[Probabilities],
    ) -> Result<Vec<Turn>, Stopped> {
        let turn = |index: usize, value: &Probabilities| {
            let MatchInPlay { position, state, .. } = &matches[index];
            cube_model(&Board::from(*position), None).turn(&OutcomeProbabilities::from(*value), state)
        };
        let mut turns: Vec<Turn> = indices.iter().zip(values).map(|(&index, value)| turn(index, value)).collect();
        let doubled: Vec<usize> = (0..turns.len()).filter(|&at| turns[at] != Turn::Roll).collect();
        let positions: Vec<Planes> = doubled.iter().map(|&at| matches[indices[at]].position).collect();
        // The opponent is asked only about doubles, which few positions have.
        let of_opponent = self.deciders[1 - player].evaluated(conditions, &positions)?;
        for (at, value) in doubled.into_iter().zip(of_opponent) {
            let MatchInPlay { position, state, .. } = &matches[indices[at]];
            let model = cube_model(&Board::from(*position), None);
            let taken = state.doubled();
            // Both values are the doubler's: the opponent takes if that leaves the doubler less than a pass.
            let takes = model.cubeful_value(&OutcomeProbabilities::from(value), &taken) < model.value_of_pass(state);
            turns[at] = if takes { Turn::Take(taken) } else { Turn::Pass };
        }
        Ok(turns)
    }

    /// Plays a ply at matches where a player is on roll.
    fn play_ply(&self, player: usize, matches: &mut [&mut MatchInPlay<'_>], tier: Tier) -> Result<(), Stopped> {
        let policy = &self.players[player];
        let mut decisions = RollBatch::new(self.rules).with_tier(tier);
        for in_play in &mut *matches {
            let throw = in_play.throws.next().expect("throws have no end");
            let pushed = decisions.push(&Board::from(in_play.position), throw);
            pushed.expect("a game that goes on");
        }
        let rolls = decisions.rolls().to_vec();
        let stop = || self.cancel.is_cancelled();
        let made = match cubeful_evaluator(&**policy) {
            None => policy.play(&mut decisions, &stop)?,
            Some(evaluator) => {
                let states = matches.iter().map(|in_play| in_play.state);
                let conditions = EvaluationConditions::new(self.rules, tier).with_stop(&stop);
                make_cubeful_plays(&**evaluator, &conditions, &mut decisions, states, None)?
            }
        };
        for ((in_play, &position), roll) in matches.iter_mut().zip(made).zip(rolls) {
            in_play.position = position;
            if in_play.actions.is_some() {
                let after = Board::from(position);
                in_play.keep(player, Action::Play { roll, after });
            }
        }
        Ok(())
    }
}

impl CubeScore {
    /// Adds the results of other pairs.
    pub fn merge(&mut self, other: &CubeScore) {
        // By name: a new count does not compile until it is added here.
        let CubeScore { won, games, games_won, passes, takes } = other;
        self.won.merge(won);
        self.games += games;
        self.games_won += games_won;
        self.passes += passes;
        self.takes += takes;
    }
}
