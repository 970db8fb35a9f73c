//! The cube of a rollout, and the sums of the values with it, as a saved rollout has them.

use serde::{Deserialize, Serialize};
use tavli_backgammon::Side;
use tavli_cube::{CubeInPlay, CubeState, Score, Stakes};

use crate::estimate::counts::CountedValues;
use crate::estimate::cubeful_sums::CubefulSums;
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
                Side::OnRoll => OWN.to_owned(),
                Side::Opponent => OPPONENT.to_owned(),
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
            Some(OWN) => Some(Side::OnRoll),
            Some(OPPONENT) => Some(Side::Opponent),
            Some(other) => return Err(format!("its owner '{other}' is not {OWN} or {OPPONENT}")),
        };
        let stakes = match self.away {
            None => Stakes::Money { jacoby: self.jacoby, beavers: self.beavers },
            Some([away, opponent_away]) => Stakes::Match(Score { away, opponent_away, crawford: self.crawford }),
        };
        let state = CubeState { log2: log2(self.value)?, max_log2: log2(self.limit)?, owner, stakes };
        state.check().map_err(|error| error.to_string())?;
        if let Some(efficiency) = self.efficiency
            && !(0.0..=1.0).contains(&efficiency)
        {
            return Err(format!("its efficiency {efficiency} is not 0 to 1"));
        }
        Ok(CubeInPlay { state, efficiency: self.efficiency })
    }
}

/// Checks that sums of a file can belong to `candidates` candidates.
///
/// # Errors
/// The reason.
pub(crate) fn check_cubeful(
    sums: &CubefulSums,
    counted_values: CountedValues,
    candidates: usize,
) -> Result<(), String> {
    let strata = counted_values.strata.count();
    let are_as_many = sums.values.len() == candidates
        && sums.values.iter().all(|sums| sums.len() == strata)
        && sums.squares.len() == candidates
        && sums.products.len() == CubefulSums::new(strata, candidates).products.len();
    if !are_as_many {
        return Err("they do not fit the number of candidates".to_owned());
    }
    if sums.squares.iter().flatten().any(|&sum| sum < 0) {
        return Err("a sum of squares is below 0".to_owned());
    }
    let powers = sums.squares.iter().chain(&sums.products).flatten();
    match are_below(VALUE_BITS, sums.values.iter().flatten()) && are_below(POWER_BITS, powers) {
        true => Ok(()),
        false => Err("a sum is too large".to_owned()),
    }
}
