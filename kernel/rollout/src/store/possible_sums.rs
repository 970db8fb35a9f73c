//! Sums of a record that games can have: all that is computed from them is then a number with an error.

use core::num::NonZeroU32;

use crate::estimate::counts::CounterDimensions;
use crate::estimate::cubeful_sums;
use crate::estimate::pairs::pairs;
use crate::estimate::rounds::{CandidateTotals, Round, Rounds, products};
use crate::estimate::strata::CLASSES;
use crate::value::Value;

/// Sums of a value over the games of a candidate.
struct Sums {
    /// The sum of the values in each stratum.
    values: Vec<f64>,
    /// The sum of the squares in each class.
    squares: [f64; CLASSES],
    /// The most by which rounding may carry a sum beyond a bound, in each class.
    rounding: [f64; CLASSES],
}

/// Checks that a round's sums of squares, cubes and products are those of some games: the mean of squares is at least
/// the square of the mean, among games that begin with the same rolls too; products and cubes are as small as the
/// squares make them; and games without their luck, cut off after `truncation` plies, stay near what games without luck
/// can be.
///
/// # Errors
/// The member that is wrong, and the reason.
pub(super) fn check(
    round: &Round,
    dimensions: CounterDimensions,
    truncation: Option<NonZeroU32>,
) -> Result<(), (&'static str, &'static str)> {
    const SQUARES: &str = "games cannot have these sums of values and squares";
    const PRODUCTS: &str = "games cannot have these sums of squares and products";
    let (strata, counts) = (dimensions.strata, &round.counts);
    let rounds = Rounds::from_rounds(dimensions, vec![round.clone()]);
    let totals: Vec<CandidateTotals> = round.candidates.iter().map(|&at| rounds.of_candidate(at)).collect();
    let sizes = totals.first().map(CandidateTotals::sizes).unwrap_or_default();
    let mut games = [0.0; CLASSES];
    for (stratum, &size) in sizes.iter().enumerate() {
        games[strata.class(stratum)] += size as f64;
    }
    let all_games: f64 = games.iter().sum();
    // The sums of the products of two candidates' deviations from their means of the strata.
    let deviations = |a: &Sums, b: &Sums, products: [f64; CLASSES]| {
        let mut left = products;
        let sums = sizes.iter().zip(a.values.iter().zip(&b.values));
        for (stratum, (&size, (a, b))) in sums.enumerate() {
            left[strata.class(stratum)] -= if size > 0 { a * b / size as f64 } else { 0.0 };
        }
        left
    };
    let are_squares = |sums: &Sums| {
        let deviations = deviations(sums, sums, sums.squares);
        deviations
            .iter()
            .zip(sums.rounding)
            .all(|(sum, rounding)| *sum >= -rounding)
    };
    let are_products = |a: &Sums, b: &Sums, products: [f64; CLASSES]| {
        let own = |sums: &Sums| deviations(sums, sums, sums.squares);
        let (of_a, of_b) = (own(a), own(b));
        let of_both = deviations(a, b, products);
        (0..CLASSES).all(|class| {
            let most = (of_a[class] + a.rounding[class]) * (of_b[class] + b.rounding[class]);
            of_both[class] * of_both[class] <= most
        })
    };
    for value in Value::ALL {
        let most = value.most_product() as f64;
        let of_values: Vec<Sums> = totals
            .iter()
            .map(|totals| {
                let squares = totals.squares(value);
                Sums {
                    values: totals.sums(value),
                    squares,
                    rounding: core::array::from_fn(|class| 1e-11 * (squares[class].abs() + most * games[class])),
                }
            })
            .collect();
        // Luck of a ply is a difference of two values.
        let luck = truncation.map(|plies| value.max_difference() * (f64::from(plies.get()) + 1.0));
        let most_square = match (dimensions.value_sources.luck, luck) {
            (false, _) => most,
            (true, Some(luck)) => (most.sqrt() + luck).powi(2),
            (true, None) => f64::INFINITY,
        };
        for (sums, totals) in of_values.iter().zip(&totals) {
            let squares: f64 = sums.squares.iter().sum();
            let are_small = squares <= most_square * all_games * (1.0 + 1e-9);
            // Values are cubed without their last bits.
            let most_cube = (squares.max(0.0).sqrt() + all_games.sqrt() / (1 << 20) as f64).powi(3);
            let rounding = 1e-9 * 27.0 * all_games;
            if !are_squares(sums) || !are_small || totals.cubes(value).abs() > most_cube * (1.0 + 1e-9) + rounding {
                return Err(("corrections", SQUARES));
            }
        }
        // Records of version 4 have products of equities alone.
        if value != Value::Equity {
            continue;
        }
        for (index, [low, high]) in pairs(totals.len()).enumerate() {
            let valued = counts.corrections.as_ref().map(|valued| &valued.products[index]);
            let products = products(value, &counts.products[index], valued);
            if !are_products(&of_values[low], &of_values[high], products) {
                return Err(("products", PRODUCTS));
            }
        }
    }
    let Some(cubeful) = &counts.cubeful else {
        return Ok(());
    };
    let of_values: Vec<Sums> = cubeful
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
    if !of_values.iter().all(are_squares) {
        return Err(("cubeful", SQUARES));
    }
    for (products, [low, high]) in cubeful.products.iter().zip(pairs(of_values.len())) {
        if !are_products(
            &of_values[low],
            &of_values[high],
            products.map(cubeful_sums::square_units_to_f64),
        ) {
            return Err(("cubeful", PRODUCTS));
        }
    }
    Ok(())
}
