//! Flat Monte Carlo and sequential halving: simulations without a tree.

use core::ops::Range;
use std::sync::Arc;

use crate::line_step::LineStep;
use crate::paths::Paths;
use crate::root_counts::RootCounts;
use crate::search_settings::BestChoice;
use crate::simulation_allocator::{SelectionEnd, SimulationAllocator, SimulationResult};
use crate::stage::StageTimer;
use tavli_game::Game;

/// Simulations allocated evenly to the choices at the root. In flat Monte Carlo there is one round, with all choices;
/// in sequential halving each round has the better half of the choices before.
#[derive(Debug)]
pub(crate) struct FlatAllocation<P> {
    chance: usize,
    /// The position after each choice, and the points if the game is over there.
    results: Vec<(P, Option<i32>)>,
    counts: RootCounts,
    /// The choices of the current round.
    left: Vec<usize>,
    /// The first simulation of each round.
    rounds: Vec<u64>,
    /// The round of the next simulation.
    round: usize,
    /// The simulations of earlier trees in the first round. This tree continues their cycle of plays, so that over all
    /// trees together the plays get equal numbers of simulations.
    earlier: u64,
}

impl<P: Copy> FlatAllocation<P> {
    /// Flat Monte Carlo; the trees before this one have `earlier` simulations.
    pub(crate) fn flat<G: Game<Position = P>>(
        game: &Arc<G>,
        root: &P,
        chance: usize,
        earlier: u64,
    ) -> FlatAllocation<P> {
        let choices = game.choices(root, chance);
        let result = |choice| {
            let result = game.result(root, chance, choice);
            (result, game.points(&result))
        };
        FlatAllocation {
            chance,
            results: (0..choices).map(result).collect(),
            counts: RootCounts::new(choices),
            left: (0..choices).collect(),
            rounds: vec![0],
            round: 0,
            earlier,
        }
    }

    /// Sequential halving: rounds of equal length, enough to halve the choices down to one, but at most one for each
    /// simulation.
    pub(crate) fn halving<G: Game<Position = P>>(
        game: &Arc<G>,
        root: &P,
        chance: usize,
        simulations: u64,
        earlier: u64,
    ) -> FlatAllocation<P> {
        let flat = FlatAllocation::flat(game, root, chance, earlier);
        // A round without a simulation would drop choices unseen.
        let rounds = u64::from(flat.left.len().next_power_of_two().ilog2()).clamp(1, simulations.max(1));
        let first = |round| (u128::from(simulations) * u128::from(round) / u128::from(rounds)) as u64;
        FlatAllocation {
            rounds: (0..rounds).map(first).collect(),
            // The share of the first round in the simulations of the trees before.
            earlier: earlier / rounds,
            ..flat
        }
    }
}

impl<P> FlatAllocation<P> {
    /// The choice of a simulation. The first simulation of a round drops the worse half of the choices.
    fn choose(&mut self, simulation: u64) -> usize {
        while let Some(&first) = self.rounds.get(self.round + 1)
            && first <= simulation
        {
            self.round += 1;
            let better = self.left.len().div_ceil(2);
            let ranking = self.counts.ranking(BestChoice::Value).into_iter();
            let left = ranking.filter(|choice| self.left.contains(choice));
            self.left = left.take(better).collect();
        }
        let mut of_round = simulation - self.rounds[self.round];
        if self.round == 0 {
            of_round += self.earlier;
        }
        self.left[(of_round % self.left.len() as u64) as usize]
    }
}

impl<P: Copy + core::fmt::Debug + Send, C: StageTimer> SimulationAllocator<P, C> for FlatAllocation<P> {
    fn may_begin(&self, next: Range<u64>, backed_up: u64) -> u64 {
        // A round begins when the one before it is backed up.
        let later = self.rounds.iter().find(|&&first| first > backed_up);
        let end = later.map_or(next.end, |&first| first.min(next.end));
        end.saturating_sub(next.start)
    }

    fn begin(
        &mut self,
        simulations: Range<u64>,
        first_flight: usize,
        paths: &mut Paths,
        selection_ends: &mut Vec<SelectionEnd<P>>,
        _: &dyn Fn() -> bool,
        _: &mut C,
    ) {
        for (simulation, flight) in simulations.zip(first_flight..) {
            let choice = self.choose(simulation);
            paths.push(flight, choice as u32);
            selection_ends.push(match self.results[choice] {
                (_, Some(points)) => SelectionEnd::Over(points),
                (position, None) => SelectionEnd::Leaf(position, None),
            });
        }
    }

    fn back_up(&mut self, paths: &Paths, results: &[SimulationResult]) {
        for &SimulationResult { flight, value } in results {
            self.counts.choices[paths.entries(flight)[0] as usize].add(-value);
        }
    }

    fn counts(&self) -> &RootCounts {
        &self.counts
    }

    fn nodes(&self) -> u64 {
        self.results.len() as u64
    }

    fn bytes(&self) -> u64 {
        size_of_val(&self.results[..]) as u64
    }

    fn depth(&self) -> u32 {
        1
    }

    fn line(&self, root_choice: usize) -> Vec<LineStep> {
        vec![LineStep { chance: self.chance, choice: root_choice }]
    }
}
