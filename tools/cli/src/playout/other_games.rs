//! Playouts of a game other than backgammon.

use std::sync::Arc;

use tavli::games::{PlayableGame, PlayoutEnd, PlayoutStart, ReadAgentError, read_agent};
use tavli::policies::Uniform;
use tavli::run::{Cancel, GamePlayouts, Limit, Workers};
use tavli::search::{Agent, AgentContext, AgentPlayouts, GameWithTables, HeavyPlayouts, Nets, TablesAndHeavyPlayouts};
use tavli::{FirstRoll, NO_STOP};
use tavli_terminal::failure::Failure;

use super::arguments::PlayoutArguments;
use super::description::PlayoutDescription;
use super::per_game;
use super::playing::{PlayoutGame, PreparedRun, play_rows, prepared};
use super::summary::Summary;
use crate::arguments::invalid;
use crate::game_arguments::{EndgameTables, check_unsolved};
use crate::game_turn::{chance, check_goes_on, position};
use crate::player_options::{POLICY, POLICY_OPPONENT};

/// Games in a worker's first range, if players look ahead: some take seconds for a game.
const FIRST_GAMES_OF_PLAYERS: u64 = 1;

/// The playouts of a game.
pub(super) struct GameSetup<'a, G: PlayableGame> {
    arguments: &'a PlayoutArguments,
    game: Arc<G>,
    /// The first chance; `None` if it is drawn.
    chance: Option<usize>,
    tables: EndgameTables<G>,
    agents: [Agent; 2],
    nets: Nets<G::Position>,
}

impl<'a, G: PlayableGame> GameSetup<'a, G> {
    pub(super) fn new(arguments: &'a PlayoutArguments) -> Result<GameSetup<'a, G>, Failure> {
        let game: G = arguments.game.with_seed(arguments.machine.tier()?, arguments.seed)?;
        let chance = match arguments.first_roll {
            None | Some(FirstRoll::Any) => None,
            Some(roll) => Some(first_chance(&game, roll)?),
        };
        Ok(GameSetup {
            arguments,
            game: Arc::new(game),
            chance,
            tables: None,
            agents: [Agent::Random, Agent::Random],
            nets: Nets::new(),
        })
    }

    /// The start of a position in which the game goes on, without a value in the tables.
    fn start_at(&self, position: G::Position) -> Result<PlayoutStart<G::Position>, Failure> {
        check_goes_on(&*self.game, &position)?;
        Ok(PlayoutStart { chance: self.chance, truncation: self.arguments.truncate, ..PlayoutStart::new(position) })
    }

    /// The playouts of two players that do not both play at random.
    fn agent_playouts(&self, cancel: &Cancel) -> Option<Arc<AgentPlayouts<G>>> {
        if self.agents == [Agent::Random, Agent::Random] {
            return None;
        }
        let context = AgentContext {
            rules: self.arguments.game.rules::<G>().to_owned(),
            tier: self.arguments.machine.tier().expect("it was read"),
            tables: self.tables.clone(),
            nets: self.nets.clone(),
        };
        let playouts = AgentPlayouts::new(Arc::clone(&self.game), context, self.agents.clone(), self.arguments.seed);
        Some(Arc::new(playouts.cancelled_by(cancel)))
    }

    /// The game's own playouts, which end in the solved positions, if there are any.
    fn at_random<S>(&self, start: S) -> GamePlayouts<GameWithTables<G>, S> {
        let tables = self.tables.clone();
        // The game's own playouts do not use tables. Heavy playouts without greed are the same games, but end in solved
        // positions.
        let playouts = tables.is_some().then_some(HeavyPlayouts { evaluator: 0, share: 0.0 });
        let added = TablesAndHeavyPlayouts { tables, playouts };
        let game = GameWithTables::new(Arc::clone(&self.game), added, self.arguments.seed);
        GamePlayouts::new(Arc::new(game), start)
    }
}

impl<G: PlayableGame> PlayoutGame for GameSetup<'_, G> {
    type Game = G;
    type Start = PlayoutStart<G::Position>;

    const POSITION: &'static str = "position";
    // A tally of any game takes 2 kB.
    const POSITIONS_PER_BATCH: usize = 1 << 12;

    fn load(&mut self) -> Result<(), Failure> {
        self.tables = self.arguments.endgames.read(&*self.game)?;
        let named = self.arguments.policies.names(Uniform::NAME);
        let agent = |(option, name): (&str, &str)| match name {
            Uniform::NAME => Ok(Agent::Random),
            _ => read_agent(&*self.game, name, &mut self.nets, NO_STOP).map_err(|error| match error {
                ReadAgentError::Agent { .. } => {
                    invalid(option, name, format_args!("{error}; {} is random", Uniform::NAME))
                }
                error => invalid(option, name, error),
            }),
        };
        let [policy, opponent] = [(POLICY, named[0]), (POLICY_OPPONENT, named[1])].map(agent);
        self.agents = [policy?, opponent?];
        Ok(())
    }

    fn start(&self, text: Option<&str>) -> Result<PlayoutStart<G::Position>, Failure> {
        self.start_at(position(&*self.game, text)?)
    }

    fn start_of_line(&self, text: &str) -> Result<PlayoutStart<G::Position>, String> {
        let start = self.start(Some(text));
        let start = start.and_then(|start| check_unsolved(&*self.game, &self.tables, &start.position).map(|()| start));
        start.map_err(|failure| failure.to_string())
    }

    fn settings(&self, start: &PlayoutStart<G::Position>) -> PlayoutDescription {
        let rules = self.arguments.game.rules::<G>();
        let name = |agent: &Agent| match agent {
            Agent::Random => Uniform::NAME.to_owned(),
            agent => agent.to_string(),
        };
        let policies = self.agents.each_ref().map(name);
        PlayoutDescription::for_game(&*self.game, start, (rules, self.arguments.seed), policies)
    }

    fn width(&self) -> usize {
        self.game.text(&self.game.start()).len()
    }

    fn prepare(
        &self,
        start: &PlayoutStart<G::Position>,
        limit: Limit,
        cancel: &Cancel,
    ) -> Result<PreparedRun, Failure> {
        check_unsolved(&*self.game, &self.tables, &start.position)?;
        let (games, summary) = ((self.arguments.first_game, limit), Summary::from_game_tally::<G>);
        match self.agent_playouts(cancel) {
            Some(playouts) => prepared(game_playouts(playouts, *start), games, cancel, line::<G>, summary),
            None => prepared(self.at_random(*start), games, cancel, line::<G>, summary),
        }
    }

    fn play_each(
        &self,
        starts: Vec<PlayoutStart<G::Position>>,
        games: u64,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<Vec<Summary>, Failure> {
        let (games, summary) = ((self.arguments.first_game, games), Summary::from_game_tally::<G>);
        match self.agent_playouts(cancel) {
            Some(playouts) => play_rows(game_playouts(playouts, starts), games, workers, cancel, summary),
            None => play_rows(self.at_random(starts), games, workers, cancel, summary),
        }
    }
}

fn game_playouts<P, S>(playouts: Arc<P>, start: S) -> GamePlayouts<P, S> {
    GamePlayouts { first_games_a_worker: FIRST_GAMES_OF_PLAYERS, ..GamePlayouts::new(playouts, start) }
}

/// Appends the line of a game.
fn line<G: PlayableGame>(&(number, end): &(u64, PlayoutEnd), lines: &mut Vec<u8>) {
    let outcome = end.points.map(|points| {
        let outcome = G::OUTCOMES.iter().find(|outcome| outcome.points == points);
        outcome.expect("a game ends in one of its outcomes").name
    });
    per_game::line(number, outcome, end.plies, lines);
}

/// The chance of a first roll that is named.
fn first_chance<G: PlayableGame>(game: &G, roll: FirstRoll) -> Result<usize, Failure> {
    let has_dice = game.chances().len() > 1;
    if has_dice && matches!(roll, FirstRoll::Open | FirstRoll::Stratified) {
        return Err(Failure::usage(format_args!(
            "--first-roll {roll} is for backgammon: a game of {} begins with any of the 36 throws; leave it out, or \
             give a roll such as 31",
            G::NAME
        )));
    }
    chance(game, &roll.to_string()).map_err(|error| Failure::usage(format_args!("--first-roll: {error}")))
}
