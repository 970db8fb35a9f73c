//! Playouts in which agents make the choices.

use std::sync::Arc;

use rand_xoshiro::rand_core::Rng;

use tavli_game::streams::{StreamKey, generator, mixed};
use tavli_game::{Game, GameSource, GameStart, PlayableGame, PlayoutEnd, draw, pick};
use tavli_run::Cancel;

use crate::agent::{Agent, AgentContext};
use crate::aided_game::{AidedGame, SearchAids};

/// A game with playouts between two agents: one for the player whose turn it is at the start, one for the opponent.
///
/// A ply takes one word of the game's stream, which draws the chance and, for [`Agent::Random`], the choice, as in
/// [`tavli_game::play_out_one_by_one`]. The seed of any other agent's choice follows from the seed of the playouts, the
/// number of the game and the ply. So games of the same number have the same chances, whoever plays. If the agents have
/// tables, games end in solved positions.
#[derive(Debug)]
pub struct AgentPlayouts<G: PlayableGame> {
    game: AidedGame<G>,
    setup: AgentContext<G::Position>,
    agents: [Agent; 2],
    seed: u64,
    cancel: Cancel,
}

impl<G: PlayableGame> AgentPlayouts<G> {
    /// The games of two agents, with the seed `seed`. The game has the rules and the tier of the setup.
    #[must_use]
    pub fn new(game: Arc<G>, setup: AgentContext<G::Position>, agents: [Agent; 2], seed: u64) -> AgentPlayouts<G> {
        let aids = SearchAids {
            tables: setup.tables.clone(),
            playouts: None,
        };
        AgentPlayouts {
            game: AidedGame::new(game, aids, seed),
            setup,
            agents,
            seed,
            cancel: Cancel::new(),
        }
    }

    /// Lets this switch end choices that take long.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &Cancel) -> AgentPlayouts<G> {
        self.cancel = cancel.clone();
        self
    }

    /// Plays a game from its start until it is over or has `most_plies` plies; `None` if it was stopped.
    fn play(&self, start: &GameStart<G::Position>, most_plies: u32, stop: &dyn Fn() -> bool) -> Option<PlayoutEnd> {
        let mut words = generator(StreamKey::new(self.seed).state(start.game));
        let (mut position, mut given, mut plies) = (start.position, start.chance, 0_u32);
        loop {
            let points = self.game.points(&position);
            if points.is_some() || plies == most_plies {
                return Some(PlayoutEnd::of_last(points, plies));
            }
            if stop() {
                return None;
            }
            // Drawn even where the chance is given, so that later plies have the same words.
            let (drawn, fraction) = draw(self.game.chances(), words.next_u32());
            let chance = given.take().unwrap_or(drawn);
            let choice = match &self.agents[plies as usize % 2] {
                Agent::Random => pick(fraction, self.game.choices(&position, chance)),
                agent => {
                    let seed = mixed(self.seed ^ mixed(start.game) ^ u64::from(fraction) << 32 ^ u64::from(plies));
                    agent.choose::<G>(&self.setup, &position, chance, seed, &self.cancel)?
                }
            };
            position = self.game.result(&position, chance, choice);
            plies += 1;
        }
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
        let most_plies = source.most_plies();
        while let Some(start) = source.next() {
            let Some(end) = self.play(&start, most_plies, stop) else {
                return;
            };
            source.record_end(start.tag, end);
        }
    }
}
