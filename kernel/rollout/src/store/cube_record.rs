//! The cube of a rollout, and the sums of the values with it, as a saved rollout has them.

use serde::{Deserialize, Serialize};
use tavli_backgammon::Player;
use tavli_cube::{CubeInPlay, CubeState, Score, Stakes};

use crate::estimate::counts::CounterDimensions;
use crate::estimate::cubeful_sums::CubefulSums;
use crate::estimate::strata::CLASSES;
use crate::store::{POWER_BITS, VALUE_BITS, are_below};

/// The cube and the score, as the player on roll sees them.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CubeRecord {
    value: u32,
    limit: u32,
    /// `own` or `opponent`; `None` in the middle.
    owner: Option<String>,
    /// The points that both need, the player on roll's first; `None` in money games.
    away: Option<[u16; 2]>,
    crawford: bool,
    jacoby: bool,
    beavers: bool,
    efficiency: Option<f64>,
}

/// The name of the model that decides the values with the cube. The name changes when the values do.
pub(crate) const MODEL: &str = "cube1";

const OWN: &str = "own";
const OPPONENT: &str = "opponent";

impl CubeRecord {
    pub(crate) fn new(cube: &CubeInPlay) -> CubeRecord {
        let CubeInPlay { state, efficiency } = *cube;
        let (score, jacoby, beavers) = match state.stakes {
            Stakes::Money { jacoby, beavers } => (None, jacoby, beavers),
            Stakes::Match(score) => (Some(score), false, false),
        };
        CubeRecord {
            value: state.cube(),
            limit: 1 << state.max_log2,
            owner: state.owner.map(|owner| match owner {
                Player::OnRoll => OWN.to_owned(),
                Player::Opponent => OPPONENT.to_owned(),
            }),
            away: score.map(|score| [score.away, score.opponent_away]),
            crawford: score.is_some_and(|score| score.crawford),
            jacoby,
            beavers,
            efficiency,
        }
    }

    /// The cube, if it can be one.
    ///
    /// # Errors
    /// The reason.
    pub(crate) fn read(&self) -> Result<CubeInPlay, String> {
        let log2 = |value: u32| match value.is_power_of_two() {
            true => Ok(value.trailing_zeros() as u8),
            false => Err(format!("{value} is not a power of 2")),
        };
        let owner = match self.owner.as_deref() {
            None => None,
            Some(OWN) => Some(Player::OnRoll),
            Some(OPPONENT) => Some(Player::Opponent),
            Some(other) => return Err(format!("its owner '{other}' is not {OWN} or {OPPONENT}")),
        };
        let stakes = match self.away {
            None => Stakes::Money {
                jacoby: self.jacoby,
                beavers: self.beavers,
            },
            Some([away, opponent_away]) => Stakes::Match(Score {
                away,
                opponent_away,
                crawford: self.crawford,
            }),
        };
        let state = CubeState {
            log2: log2(self.value)?,
            max_log2: log2(self.limit)?,
            owner,
            stakes,
        };
        state.check().map_err(|error| error.to_string())?;
        if let Some(efficiency) = self.efficiency
            && !(0.0..=1.0).contains(&efficiency)
        {
            return Err(format!("its efficiency {efficiency} is not 0 to 1"));
        }
        Ok(CubeInPlay {
            state,
            efficiency: self.efficiency,
        })
    }
}

/// The sums of a [`CubefulSums`]: `values` for each candidate and stratum, in units of 2^-24; `squares` for each
/// candidate and class, and `products` for each pair and class, in units of 2^-48.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CubefulRecord {
    values: Vec<Vec<i128>>,
    squares: Vec<[i128; CLASSES]>,
    products: Vec<[i128; CLASSES]>,
}

impl CubefulRecord {
    pub(crate) fn new(sums: &CubefulSums) -> CubefulRecord {
        CubefulRecord {
            values: sums.values.clone(),
            squares: sums.squares.clone(),
            products: sums.products.clone(),
        }
    }

    /// The sums, if they can belong to `candidates` candidates.
    ///
    /// # Errors
    /// The reason.
    pub(crate) fn read(&self, dimensions: CounterDimensions, candidates: usize) -> Result<CubefulSums, String> {
        let strata = dimensions.strata.count();
        let empty = CubefulSums::new(strata, candidates);
        let are_as_many = self.values.len() == candidates
            && self.values.iter().all(|sums| sums.len() == strata)
            && self.squares.len() == candidates
            && self.products.len() == empty.products.len();
        if !are_as_many {
            return Err("they do not fit the number of candidates".to_owned());
        }
        if self.squares.iter().flatten().any(|&sum| sum < 0) {
            return Err("a sum of squares is below 0".to_owned());
        }
        let powers = self.squares.iter().chain(&self.products).flatten();
        if !are_below(VALUE_BITS, self.values.iter().flatten()) || !are_below(POWER_BITS, powers) {
            return Err("a sum is too large".to_owned());
        }
        Ok(CubefulSums {
            values: self.values.clone(),
            squares: self.squares.clone(),
            products: self.products.clone(),
        })
    }
}
