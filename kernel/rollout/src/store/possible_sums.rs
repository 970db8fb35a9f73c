//! Ends and sums of a record that games can have: all that is computed from them is then a number with an error.

use tavli_backgammon::Outcome;
use tavli_trials::power_sums::{are_of_games, are_small, max_luck_adjusted};

use crate::ask::candidate::Candidate;
use crate::ask::checked_request::CheckedRequest;
use crate::estimate::counts::{CountedValues, RolloutCounts};
use crate::estimate::cubeful_sums;
use crate::estimate::pairs::pairs;
use crate::estimate::rounds::{CandidateTotals, RolloutRound, RolloutRounds, products};
use crate::estimate::strata::DOUBLES_CLASSES;
use crate::game_value::{GameValue, UNFINISHED};

/// Sums of a value over the games of a candidate.
struct Sums {
    /// The sum of the values in each stratum.
    values: Vec<f64>,
    /// The sum of the squares in each class.
    squares: [f64; DOUBLES_CLASSES],
    /// The most by which rounding may carry a sum beyond a bound, in each class.
    rounding: [f64; DOUBLES_CLASSES],
}

/// Checks that games of the candidates can have a round's results and sums. Only outcomes that the rules allow have
/// games and values. The mean of squares is at least the square of the mean, among games that begin with the same rolls
/// too; products and cubes are as small as the squares make them; and games without their luck, which are cut off after
/// some plies, stay near what games without luck can be.
///
/// # Errors
/// The member that is wrong, and the reason.
pub(super) fn check(
    round: &RolloutRound,
    checked: &CheckedRequest,
    counted_values: CountedValues,
) -> Result<(), (&'static str, &'static str)> {
    const SQUARES: &str = "games cannot have these sums of values and squares";
    const PRODUCTS: &str = "games cannot have these sums of squares and products";
    let (strata, counts) = (counted_values.strata, &round.counts);
    let truncation = checked.settings.truncation;
    let is_cut_off = truncation.is_some() || counted_values.value_kinds.cut_off;
    let candidates = round.candidates.iter().map(|&at| &checked.candidates[at]);
    let candidates: Vec<&Candidate> = candidates.collect();
    for (index, candidate) in candidates.iter().enumerate() {
        check_results(counts, index, candidate, is_cut_off)?;
    }
    let rounds = RolloutRounds::from_rounds(counted_values, vec![round.clone()]);
    let totals: Vec<CandidateTotals> = round.candidates.iter().map(|&at| rounds.candidate_totals(at)).collect();
    let sizes = totals.first().map(CandidateTotals::sizes).unwrap_or_default();
    let mut games = [0.0; DOUBLES_CLASSES];
    for (stratum, &size) in sizes.iter().enumerate() {
        games[strata.class(stratum)] += size as f64;
    }
    let all_games: f64 = games.iter().sum();
    // The sums of the products of two candidates' deviations from their means of the strata.
    let deviations = |a: &Sums, b: &Sums, products: [f64; DOUBLES_CLASSES]| {
        let mut left = products;
        let sums = sizes.iter().zip(a.values.iter().zip(&b.values));
        for (stratum, (&size, (a, b))) in sums.enumerate() {
            left[strata.class(stratum)] -= if size > 0 { a * b / size as f64 } else { 0.0 };
        }
        left
    };
    let are_squares = |sums: &Sums| {
        let deviations = deviations(sums, sums, sums.squares);
        deviations.iter().zip(sums.rounding).all(|(sum, rounding)| *sum >= -rounding)
    };
    let are_products = |a: &Sums, b: &Sums, products: [f64; DOUBLES_CLASSES]| {
        let own = |sums: &Sums| deviations(sums, sums, sums.squares);
        let (squares_a, squares_b) = (own(a), own(b));
        let products_of_both = deviations(a, b, products);
        (0..DOUBLES_CLASSES).all(|class| {
            let most = (squares_a[class] + a.rounding[class]) * (squares_b[class] + b.rounding[class]);
            products_of_both[class] * products_of_both[class] <= most
        })
    };
    for value in GameValue::ALL {
        let largest = candidates.iter().map(|candidate| candidate.largest(value));
        let largest: Vec<f64> = largest.collect();
        let value_sums: Vec<Sums> = totals
            .iter()
            .zip(&largest)
            .map(|(totals, largest)| {
                let squares = totals.squares(value);
                let most = largest * largest;
                Sums {
                    values: totals.sums(value),
                    squares,
                    rounding: core::array::from_fn(|class| 1e-11 * (squares[class].abs() + most * games[class])),
                }
            })
            .collect();
        for ((sums, totals), largest) in value_sums.iter().zip(&totals).zip(largest) {
            let most = match counted_values.value_kinds.luck {
                true => max_luck_adjusted(largest, truncation),
                false => largest,
            };
            let powers = [sums.values.iter().sum(), sums.squares.iter().sum(), totals.cubes(value)];
            if !are_squares(sums) || !are_of_games(powers, all_games, most) {
                return Err(("corrections", SQUARES));
            }
        }
        // Records of version 4 have products of equities alone.
        if value != GameValue::Equity {
            continue;
        }
        for (index, [low, high]) in pairs(totals.len()).enumerate() {
            let valued = counts.corrections.as_ref().map(|valued| &valued.products[index]);
            let products = products(value, &counts.products[index], valued);
            if !are_products(&value_sums[low], &value_sums[high], products) {
                return Err(("products", PRODUCTS));
            }
        }
    }
    let Some(cubeful) = &counts.cubeful else {
        return Ok(());
    };
    let value_sums: Vec<Sums> = cubeful
        .values
        .iter()
        .zip(&cubeful.squares)
        .map(|(values, squares)| {
            let squares = squares.map(cubeful_sums::square_units_to_f64);
            Sums {
                values: values.iter().map(|&sum| cubeful_sums::units_to_f64(sum)).collect(),
                squares,
                rounding: squares.map(|sum| 1e-11 * sum.abs()),
            }
        })
        .collect();
    for (sums, candidate) in value_sums.iter().zip(&candidates) {
        let largest = candidate.largest_cubeful().unwrap_or(f64::INFINITY);
        let most = match counted_values.value_kinds.luck {
            true => max_luck_adjusted(largest, truncation),
            false => largest,
        };
        if !are_squares(sums) || !are_small(sums.squares.iter().sum(), all_games, most) {
            return Err(("cubeful", SQUARES));
        }
    }
    for (products, [low, high]) in cubeful.products.iter().zip(pairs(value_sums.len())) {
        if !are_products(&value_sums[low], &value_sums[high], products.map(cubeful_sums::square_units_to_f64)) {
            return Err(("cubeful", PRODUCTS));
        }
    }
    Ok(())
}

/// Checks that the games of the candidate at `index` of a round have ended as the rules allow. Games have results
/// without an outcome only if they may be cut off.
fn check_results(
    counts: &RolloutCounts,
    index: usize,
    candidate: &Candidate,
    may_be_cut_off: bool,
) -> Result<(), (&'static str, &'static str)> {
    const IMPOSSIBLE: &str = "a game of the position cannot end so";
    let mut excluded = Outcome::ALL.iter().filter(|&&outcome| !candidate.may_end(outcome));
    let results_by_stratum = counts.results[index].iter();
    let is_unfinished = results_by_stratum.clone().any(|results| results[UNFINISHED] > 0);
    if is_unfinished && (!may_be_cut_off || candidate.playouts().is_none()) {
        return Err(("ends", "a game of the position is not cut off"));
    }
    if excluded.clone().any(|&outcome| results_by_stratum.clone().any(|results| results[outcome as usize] > 0)) {
        return Err(("ends", IMPOSSIBLE));
    }
    // Values keep to the possible outcomes, luck too.
    let values = counts.corrections.iter().flat_map(|corrections| &corrections.outcomes[index]);
    match excluded.any(|&outcome| values.clone().any(|sums| sums[outcome as usize] != 0)) {
        true => Err(("corrections", IMPOSSIBLE)),
        false => Ok(()),
    }
}
