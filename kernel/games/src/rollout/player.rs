//! Who plays the games of a rollout.

use std::sync::Arc;

use tavli_backgammon::Tier;
use tavli_backgammon::policies::Uniform;
use tavli_base::NO_STOP;
use tavli_base::text::Quoted;
use tavli_game::streams::mixed;
use tavli_game::{Heuristic, PlayableGame, PlayoutStart};
use tavli_search::{GameLookAhead, GreedyPlayouts};
use thiserror::Error;

use crate::agents::{NamedNet, ReadAgentError, named_net, names_of_nets};

/// The name of the player whose choices are all equally likely.
pub(super) const UNIFORM: &str = Uniform::NAME;

/// How the games of a rollout are played.
#[derive(Debug)]
pub enum RolloutPlayer<G: PlayableGame> {
    /// All choices are equally likely: the game's own playouts.
    Random(Arc<G>),
    /// A player that makes the choices of both sides.
    Greedy {
        /// Its games.
        playouts: Arc<GreedyPlayouts<G>>,
        /// A number that another net of the same name does not have.
        net_signature: u32,
    },
}

impl<G: PlayableGame> Clone for RolloutPlayer<G> {
    fn clone(&self) -> RolloutPlayer<G> {
        match self {
            RolloutPlayer::Random(game) => RolloutPlayer::Random(Arc::clone(game)),
            RolloutPlayer::Greedy { playouts, net_signature } => {
                RolloutPlayer::Greedy { playouts: Arc::clone(playouts), net_signature: *net_signature }
            }
        }
    }
}

/// Why a name is no player of rollouts.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RolloutPlayerError {
    /// A net that cannot be used.
    #[error(transparent)]
    Net(#[from] ReadAgentError),
    /// A name that no player has.
    #[error(
        "'{}' plays no rollouts of {game}: the policy is {UNIFORM}{}",
        Quoted::new(name),
        nets.as_ref().map(|nets| format!(", {nets}")).unwrap_or_default()
    )]
    Name {
        /// The name.
        name: String,
        /// The game.
        game: &'static str,
        /// [`names_of_nets`].
        nets: Option<String>,
    },
    /// Random games whose luck was to be measured.
    #[error(
        "variance reduction needs a net that measures luck, and {}",
        match nets {
            Some(nets) => format!("the policy is {UNIFORM}: name {nets}"),
            None => format!("{game} has none: leave it out"),
        }
    )]
    NoLuck {
        /// The game.
        game: &'static str,
        /// [`names_of_nets`].
        nets: Option<String>,
    },
}

impl<G: PlayableGame> RolloutPlayer<G> {
    /// The player of this name, `uniform` or a [net](named_net), whose games have this seed and measure luck or not.
    ///
    /// # Errors
    /// [`RolloutPlayerError`] if there is no such player, or none that measures luck.
    ///
    /// # Panics
    /// If this CPU lacks the tier of the game.
    pub fn named(
        game: &Arc<G>,
        name: &str,
        seed: u64,
        measures_luck: bool,
    ) -> Result<RolloutPlayer<G>, RolloutPlayerError> {
        if name == UNIFORM {
            return match measures_luck {
                false => Ok(RolloutPlayer::Random(Arc::clone(game))),
                true => Err(RolloutPlayerError::NoLuck { game: G::NAME, nets: names_of_nets::<G>() }),
            };
        }
        // Rollouts are made before signals are handled, so a signal ends the process.
        match named_net(&**game, name, NO_STOP)? {
            Some(NamedNet { net, plies, .. }) => {
                let net_signature = net_signature(&**game, &*net);
                let player = GameLookAhead::new(Arc::clone(game), net, plies);
                let playouts = GreedyPlayouts::new(Arc::clone(game), player, seed);
                Ok(RolloutPlayer::Greedy { playouts: Arc::new(playouts.measuring_luck(measures_luck)), net_signature })
            }
            None => Err(RolloutPlayerError::Name { name: name.to_owned(), game: G::NAME, nets: names_of_nets::<G>() }),
        }
    }

    /// A text that another net of the same name does not have; `None` of random games.
    pub(super) fn net_signature(&self) -> Option<String> {
        match self {
            RolloutPlayer::Random(_) => None,
            RolloutPlayer::Greedy { net_signature, .. } => Some(format!("{net_signature:08x}")),
        }
    }
}

/// The CRC-32 of a net's values of the positions after each choice from the start, and of the positions of random
/// games: near their ends the rules bound the values.
fn net_signature<G: PlayableGame>(game: &G, net: &dyn Heuristic<G::Position>) -> u32 {
    const GAMES: u64 = 16;
    const MAX_PLIES: u64 = 1000;
    let start = game.start();
    let chances = game.chances().len();
    let mut positions: Vec<G::Position> = (0..chances).flat_map(|chance| game.results(&start, chance)).collect();
    for number in 0..GAMES {
        let mut position = start;
        for ply in 0..MAX_PLIES {
            let word = mixed(number << 32 | ply);
            let (chance, choice) = (word as u32 as usize % chances, (word >> 32) as usize);
            position = game.result(&position, chance, choice % game.choices(&position, chance));
            if game.points(&position).is_some() {
                break;
            }
            positions.push(position);
        }
    }
    let mut values = vec![0; positions.len()];
    net.values(&positions, &mut values, NO_STOP).expect("nothing stops it");
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    crc32fast::hash(&bytes)
}

/// The CRC-32 of the ends of 36 random games under rules of this name; `None` if there are no such rules.
pub(super) fn random_signature<G: PlayableGame>(rules: &str) -> Option<u32> {
    let game = G::by_rules(rules, Tier::best(), 1).ok()?;
    let ends = PlayoutStart::new(game.start()).run_with_ends(&game, 0..36, NO_STOP);
    let ends = ends.expect("nothing stops it").into_iter();
    let numbers = ends.flat_map(|end| [end.points.unwrap_or_default().to_le_bytes(), end.plies.to_le_bytes()]);
    Some(crc32fast::hash(&numbers.flatten().collect::<Vec<u8>>()))
}
