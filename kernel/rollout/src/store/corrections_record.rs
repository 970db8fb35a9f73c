//! Corrections to the counted results of a round, as a saved rollout has them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tavli_backgammon::Outcome;

use crate::estimate::corrections::{self, Cubes, Squares, ValueCorrections};
use crate::estimate::counts::CountedValues;
use crate::estimate::strata::DOUBLES_CLASSES;
use crate::game_value::{GameValue, RESULTS, UNFINISHED, UNIT};
use crate::store::{POWER_BITS, VALUE_BITS, are_below};

/// The sums of a [`ValueCorrections`]. `outcomes` holds for each candidate the numbers of each outcome, by its name
/// and then by stratum; `squares` holds for each candidate, and `products` for each pair of them, the sums for each
/// of the seven values and each class of strata. `cubes` holds for each candidate the sums of the cubes of these
/// values; records of versions before 9 lack it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CorrectionsRecord {
    outcomes: Vec<BTreeMap<String, Vec<i128>>>,
    squares: Vec<Squares>,
    products: Vec<Squares>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cubes: Option<Vec<Cubes>>,
}

impl CorrectionsRecord {
    pub(crate) fn new(corrections: &ValueCorrections) -> CorrectionsRecord {
        let by_name = |sums: &Vec<[i128; Outcome::COUNT]>| {
            let outcomes = Outcome::ALL.iter().map(|&outcome| {
                let of_outcome = sums.iter().map(|sums| sums[outcome as usize]);
                (outcome.name().to_owned(), of_outcome.collect())
            });
            outcomes.collect()
        };
        CorrectionsRecord {
            outcomes: corrections.outcomes.iter().map(by_name).collect(),
            squares: corrections.squares.clone(),
            products: corrections.products.clone(),
            cubes: Some(corrections.cubes.clone()),
        }
    }

    /// The sums, if they can belong to candidates with these results.
    ///
    /// # Errors
    /// The reason.
    pub(crate) fn read(
        &self,
        CountedValues { strata, value_kinds }: CountedValues,
        results: &[Vec<[u64; RESULTS]>],
    ) -> Result<ValueCorrections, String> {
        let candidates = results.len();
        let mut corrections = ValueCorrections::new(strata.count(), candidates);
        let are_as_many = self.outcomes.len() == candidates
            && self.squares.len() == candidates
            && self.products.len() == corrections.products.len()
            && self.cubes.as_ref().is_none_or(|cubes| cubes.len() == candidates);
        if !are_as_many {
            return Err("they do not fit the number of candidates".to_owned());
        }
        for (sums, by_name) in corrections.outcomes.iter_mut().zip(&self.outcomes) {
            for (name, of_outcome) in by_name {
                let outcome = Outcome::from_name(name)
                    .ok_or_else(|| format!("this program does not know the outcome '{name}': use a newer one"))?;
                if of_outcome.len() != strata.count() {
                    return Err(format!("'{name}' does not have one sum for each stratum"));
                }
                for (sums, &sum) in sums.iter_mut().zip(of_outcome) {
                    sums[outcome as usize] = sum;
                }
            }
        }
        for (sums, results) in corrections.outcomes.iter().zip(results) {
            for (sums, results) in sums.iter().zip(results) {
                let whole = match value_kinds.cut_off {
                    true => i128::from(results[UNFINISHED]) * i128::from(UNIT),
                    false => 0,
                };
                // Numbers of a file may be any, and their sum may overflow.
                let sum = sums.iter().try_fold(0_i128, |sum, &more| sum.checked_add(more));
                let are_shares = value_kinds.luck || sums.iter().all(|&sum| sum >= 0);
                if !are_shares || sum != Some(whole) {
                    return Err("the probabilities do not add up to the games cut off".to_owned());
                }
            }
        }
        // All candidates have the same number of games in a class.
        let mut games = [0_u64; DOUBLES_CLASSES];
        for (stratum, results) in results.first().into_iter().flatten().enumerate() {
            games[strata.class(stratum)] += results.iter().sum::<u64>();
        }
        let are_sums = |squares: &Squares, least: i128| {
            let mut values = GameValue::ALL.iter().zip(squares);
            values.all(|(value, sums)| {
                // Only a product of equities can be below 0.
                let least = if *value == GameValue::Equity { least } else { 0 };
                let unit = i128::from(UNIT);
                sums.iter().zip(games).all(|(sum, games)| {
                    let most = i128::from(value.most_product()) * unit * unit * i128::from(games);
                    (least * most..=most).contains(sum)
                })
            })
        };
        // With variance reduction a game may have any value.
        let are_bounded = !value_kinds.luck;
        if are_bounded
            && (!self.squares.iter().all(|squares| are_sums(squares, 0))
                || !self.products.iter().all(|products| are_sums(products, -1)))
        {
            return Err("a square or product is larger than this number of trials can give".to_owned());
        }
        let too_large = || Err("a sum is too large".to_owned());
        let values = corrections.outcomes.iter().flatten().flatten();
        let powers = self.squares.iter().chain(&self.products).flatten().flatten();
        if !are_below(VALUE_BITS, values) || !are_below(POWER_BITS, powers) {
            return too_large();
        }
        corrections.squares.clone_from(&self.squares);
        corrections.products.clone_from(&self.products);
        let all_games: u64 = games.iter().sum();
        match &self.cubes {
            Some(cubes) => {
                let are_possible = cubes.iter().flatten().all(|sum| {
                    let most = corrections::cube_units(MAX_CUBE * all_games as f64);
                    (-most..=most).contains(sum)
                });
                if are_bounded && !are_possible {
                    return Err("a cube is larger than this number of trials can give".to_owned());
                }
                corrections.cubes.clone_from(cubes);
            }
            None => {
                for (candidate, results) in results.iter().enumerate() {
                    corrections.cubes[candidate] = symmetric_cubes(&corrections, candidate, results);
                }
            }
        }
        match are_below(POWER_BITS, corrections.cubes.iter().flatten()) {
            true => Ok(corrections),
            false => too_large(),
        }
    }
}

/// The largest cube of a game's value.
const MAX_CUBE: f64 = 27.0;

/// The sums of cubes of a candidate with these results if its values lie evenly about their mean.
fn symmetric_cubes(corrections: &ValueCorrections, candidate: usize, results: &[[u64; RESULTS]]) -> Cubes {
    let total: [u64; RESULTS] = core::array::from_fn(|result| results.iter().map(|results| results[result]).sum());
    let games = total.iter().sum::<u64>() as f64;
    let sums: [i128; Outcome::COUNT] =
        core::array::from_fn(|outcome| corrections.outcomes[candidate].iter().map(|sums| sums[outcome]).sum());
    let sums: [f64; Outcome::COUNT] =
        core::array::from_fn(|outcome| total[outcome] as f64 + corrections::units_to_f64(sums[outcome]));
    GameValue::ALL.map(|value| {
        let squares = corrections.squares[candidate][value as usize].iter().sum();
        let squares = value.sum_of_squares(&total) + corrections::square_units_to_f64(squares);
        let mean = value.mean(&sums) / games;
        let cubes = 3.0 * mean * squares - 2.0 * mean.powi(3) * games;
        match games > 0.0 {
            true => corrections::cube_units(cubes - value.sum_of_cubes(&total)),
            false => 0,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::evaluators::ValueKinds;
    use crate::ask::playout_settings::PlayoutSettings;
    use crate::estimate::cubeful_sums::CubefulSums;
    use crate::estimate::strata::Strata;
    use crate::store::cube_record::check_cubeful;
    use tavli_backgammon::FirstRoll;

    /// Stratified games with a cube, less their luck.
    fn counted_values() -> CountedValues {
        CountedValues {
            strata: Strata::new(&PlayoutSettings { first_roll: FirstRoll::Stratified, ..PlayoutSettings::default() }),
            value_kinds: ValueKinds { luck: true, cube: true, ..ValueKinds::default() },
        }
    }

    /// The numbers of a file are added up over rounds and strata, and over files that are merged.
    #[test]
    fn sums_that_would_overflow_are_refused() {
        let strata = counted_values().strata.count();
        let read = |change: fn(&mut ValueCorrections), has_cubes: bool| {
            let mut corrections = ValueCorrections::new(strata, 2);
            change(&mut corrections);
            let mut record = CorrectionsRecord::new(&corrections);
            if !has_cubes {
                record.cubes = None;
            }
            let mut results = vec![vec![[0; RESULTS]; strata]; 2];
            for of_candidate in &mut results {
                of_candidate[0][Outcome::WinSingle as usize] = 1;
            }
            record.read(counted_values(), &results).map(|_| ())
        };
        assert_eq!(read(|_| (), true), Ok(()));
        let changes: [fn(&mut ValueCorrections); 4] = [
            |corrections| {
                let [win, loss, ..] = &mut corrections.outcomes[1][440];
                (*win, *loss) = (1 << 122, -(1 << 122));
            },
            |corrections| corrections.squares[0][2][3] = 1 << 122,
            |corrections| corrections.products[0][6][0] = -(1 << 122),
            |corrections| corrections.cubes[1][5] = i128::MIN,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            assert_eq!(read(change, true), Err("a sum is too large".to_owned()), "{number}");
        }
        // Without its cubes these are computed from the other sums.
        let large: fn(&mut ValueCorrections) = |corrections| {
            let [win, loss, ..] = &mut corrections.outcomes[1][440];
            (*win, *loss) = (1 << 95, -(1 << 95));
        };
        assert_eq!(read(large, true), Ok(()));
        assert_eq!(read(large, false), Err("a sum is too large".to_owned()));

        let read = |change: fn(&mut CubefulSums)| {
            let mut sums = CubefulSums::new(strata, 2);
            change(&mut sums);
            check_cubeful(&sums, counted_values(), 2)
        };
        assert_eq!(read(|_| ()), Ok(()));
        let changes: [fn(&mut CubefulSums); 3] = [
            |sums| sums.values[1].fill(1 << 122),
            |sums| sums.squares[0].fill(1 << 122),
            |sums| sums.products[0][0] = i128::MIN,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            assert_eq!(read(change), Err("a sum is too large".to_owned()), "{number}");
        }
    }
}
