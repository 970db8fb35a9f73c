//! Playouts in which agents make the choices.

use std::sync::Arc;

use tavli_game::streams::{StreamKey, mixed};
use tavli_game::{Game, GameSource, PlayableGame, pick, play_out_by};
use tavli_run::Cancel;

use crate::agent::{Agent, AgentContext};
use crate::game_with_tables::{GameWithTables, TablesAndHeavyPlayouts};

/// A game with playouts between two agents: one for the player whose turn it is at the start, one for the opponent.
///
/// A ply takes one word of the game's stream, which draws the chance and, for [`Agent::Random`], the choice, as in
/// [`tavli_game::play_out_one_by_one`]. The seed of any other agent's choice follows from the seed of the playouts, the
/// number of the game and the ply. So games of the same number have the same chances, whoever plays. If the agents have
/// tables, games end in solved positions.
#[derive(Debug)]
pub struct AgentPlayouts<G: PlayableGame> {
    game: GameWithTables<G>,
    context: AgentContext<G::Position>,
    agents: [Agent; 2],
    seed: u64,
    cancel: Cancel,
}

impl<G: PlayableGame> AgentPlayouts<G> {
    /// The games of two agents, with the seed `seed`. The game has the rules and the tier of the context.
    #[must_use]
    pub fn new(game: Arc<G>, context: AgentContext<G::Position>, agents: [Agent; 2], seed: u64) -> AgentPlayouts<G> {
        let added = TablesAndHeavyPlayouts { tables: context.tables.clone(), playouts: None };
        AgentPlayouts { game: GameWithTables::new(game, added, seed), context, agents, seed, cancel: Cancel::new() }
    }

    /// Lets this switch end choices that take long.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &Cancel) -> AgentPlayouts<G> {
        self.cancel = cancel.clone();
        self
    }
}

impl<G: PlayableGame> Game for AgentPlayouts<G> {
    type Position = G::Position;

    fn chances(&self) -> &[u32] {
        self.game.chances()
    }

    fn choices(&self, position: &G::Position, chance: usize) -> usize {
        self.game.choices(position, chance)
    }

    fn result(&self, position: &G::Position, chance: usize, choice: usize) -> G::Position {
        self.game.result(position, chance, choice)
    }

    fn results(&self, position: &G::Position, chance: usize) -> Vec<G::Position> {
        self.game.results(position, chance)
    }

    fn points(&self, position: &G::Position) -> Option<i32> {
        self.game.points(position)
    }

    fn play_out(&self, source: &mut dyn GameSource<G::Position>, stop: &dyn Fn() -> bool) {
        let key = StreamKey::new(self.seed);
        play_out_by(&self.game, &key, source, stop, |ply, _| {
            let (number, fraction) = (ply.start.game, ply.fraction);
            let choice = match &self.agents[ply.plies as usize % 2] {
                Agent::Random => pick(fraction, self.game.choices(&ply.position, ply.chance)),
                agent => {
                    let seed = mixed(self.seed ^ mixed(number) ^ u64::from(fraction) << 32 ^ u64::from(ply.plies));
                    agent.choose::<G>(&self.context, &ply.position, ply.chance, seed, &self.cancel)?
                }
            };
            Some(self.game.result(&ply.position, ply.chance, choice))
        });
    }
}
