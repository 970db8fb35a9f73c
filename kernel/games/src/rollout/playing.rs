//! Trials on a worker, and what a session needs of a rollout.

use core::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tavli_backgammon::Tier;
use tavli_game::{POINT, PlayableGame, PlayoutStart, playouts_of_rows};
use tavli_trials::{Plan, PlayTrials, RankedCandidate, Ranking, ResumableRollout, Statistic};

use super::game_rollout::{GameCandidate, GameRollout};
use super::player::RolloutPlayer;
use super::sums::CandidateSums;

/// Games that take a worker some milliseconds at random.
const FIRST_RANDOM_GAMES: u64 = 1024;
/// Games in a worker's first range: a player takes milliseconds for a game. Duels of agents in which the first worker
/// had up to 32 pairs at once took 1.8 times as long (profiles/LOG.md, 2026-11-27).
pub(crate) const FIRST_GAMES_OF_A_PLAYER: u64 = 1;

/// Plays games of the candidates.
#[derive(Debug)]
pub struct GameRunner<G: PlayableGame> {
    candidates: Arc<[GameCandidate<G::Position>]>,
    player: RolloutPlayer<G>,
    /// Sums without games.
    empty: CandidateSums,
}

impl<G: PlayableGame> Clone for GameRunner<G> {
    fn clone(&self) -> GameRunner<G> {
        GameRunner { candidates: Arc::clone(&self.candidates), player: self.player.clone(), empty: self.empty.clone() }
    }
}

impl<G: PlayableGame> PlayTrials for GameRunner<G> {
    type Counts = Vec<CandidateSums>;

    fn candidates(&self) -> usize {
        self.candidates.len()
    }

    fn play(&self, trials: Range<u64>, stop: &dyn Fn() -> bool) -> Option<Vec<CandidateSums>> {
        let mut sums = vec![self.empty.clone(); self.candidates.len()];
        let played = self.candidates.iter().zip(&mut sums);
        let mut played: Vec<_> = played.filter(|(candidate, _)| candidate.end.is_none()).collect();
        match &self.player {
            RolloutPlayer::Random(game) => {
                let starts = played.iter().map(|(candidate, _)| PlayoutStart::new(candidate.position));
                let starts: Vec<_> = starts.collect();
                let games = (trials.end - trials.start) * starts.len() as u64;
                let tallies = playouts_of_rows(&**game, &starts, trials, 0..games, stop).ok()?;
                for ((_, sums), tally) in played.iter_mut().zip(tallies) {
                    for outcome in G::OUTCOMES {
                        sums.add_games::<G>(outcome.points, tally.count(outcome.points));
                    }
                }
            }
            RolloutPlayer::Greedy { playouts, .. } => {
                for number in trials {
                    for (candidate, sums) in &mut played {
                        let game = playouts.play(&candidate.position, number, stop).ok()?;
                        sums.add_games::<G>(game.points, 1);
                        if let Some(luck) = game.luck {
                            sums.add_value(i64::from(game.points) * POINT - luck);
                        }
                    }
                }
            }
        }
        Some(sums)
    }

    fn first_trials_a_worker(&self) -> u64 {
        match &self.player {
            RolloutPlayer::Random(_) => FIRST_RANDOM_GAMES,
            RolloutPlayer::Greedy { .. } => FIRST_GAMES_OF_A_PLAYER,
        }
    }

    fn memory(&self) -> usize {
        self.candidates.len() * (size_of::<CandidateSums>() + size_of_val(&*self.empty.outcomes))
    }
}

impl<G: PlayableGame> ResumableRollout for GameRollout<G> {
    type Runner = GameRunner<G>;

    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn trials(&self) -> Range<u64> {
        self.trials.clone()
    }

    fn total_games(&self) -> u64 {
        (self.trials.end - self.trials.start) * self.candidates.len() as u64
    }

    fn elapsed(&self) -> Duration {
        self.elapsed
    }

    fn set_elapsed(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
    }

    fn candidate_count(&self) -> usize {
        self.candidates.len()
    }

    fn candidate_name(&self, candidate: usize) -> Option<String> {
        self.candidates[candidate].moves.clone()
    }

    fn ranking(&self) -> Ranking {
        let ranked = self.standings().into_iter().map(|result| RankedCandidate {
            candidate: result.candidate,
            trials: result.trials,
            is_dropped: false,
            value: result.equity,
            // No rule compares candidates, so nobody asks for the error.
            behind: Statistic::certain(result.behind),
        });
        Ranking(ranked.collect())
    }

    fn runner(&self, _: Tier) -> GameRunner<G> {
        GameRunner {
            candidates: Arc::clone(&self.candidates),
            player: self.player.clone(),
            empty: CandidateSums::new::<G>(self.variance_reduction),
        }
    }

    fn add(&mut self, counts: &Vec<CandidateSums>, until: u64) {
        for (sums, more) in self.sums.iter_mut().zip(counts) {
            sums.merge(more).expect("a record leaves room for games");
        }
        self.trials.end = until;
    }

    fn to_json(&self) -> String {
        GameRollout::to_json(self)
    }
}
