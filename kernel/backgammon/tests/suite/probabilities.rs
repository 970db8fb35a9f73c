//! Probabilities in fixed-point numbers, and their sums.

use tavli_backgammon::evaluators::{Probabilities, ValueSum};
use tavli_backgammon::{Outcome, Tally};

#[test]
fn probabilities_are_whole_and_near_what_they_are_made_of() {
    for weights in [[1, 1, 1, 0, 0, 0], [7, 11, 13, 17, 19, 23], [u64::MAX / 2, 1, 2, 3, 4, 5]] {
        let value = Probabilities::from_weights(weights).expect("some weight");
        assert_eq!(value.numbers().iter().sum::<u32>(), Probabilities::ONE);
        let sum: u64 = weights.iter().sum();
        for (&outcome, weight) in Outcome::ALL.iter().zip(weights) {
            let exact = weight as f64 / sum as f64;
            assert!((value.probability(outcome) - exact).abs() < 1e-9, "{outcome} of {weights:?}");
            assert!(weight > 0 || value.probability(outcome) == 0.0);
        }
        assert_eq!(value.reversed().reversed(), value);
    }
    assert_eq!(Probabilities::from_weights([0; Outcome::COUNT]), None);
    let thirds = Probabilities::from_weights([1, 1, 1, 0, 0, 0]).expect("weights");
    assert_eq!(thirds.numbers()[..3], [357_913_942, 357_913_941, 357_913_941]);
    for bad in [[0.5; 6], [-0.5, 1.5, 0.0, 0.0, 0.0, 0.0], [f64::NAN; 6], [0.0; 6]] {
        assert!(Probabilities::new(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn sums_of_certain_outcomes_are_those_of_the_tally() {
    let mut tally = Tally::default();
    let mut one_by_one = ValueSum::default();
    for (number, &outcome) in (1..).zip(Outcome::ALL) {
        tally.games += number;
        tally.outcomes[outcome as usize] = number;
        for _ in 0..number {
            one_by_one.add(&Probabilities::certain(outcome));
        }
    }
    let sum = ValueSum::from_tally(&tally);
    assert_eq!(sum, one_by_one);
    assert_eq!(sum.games(), 21);
    assert_eq!(sum.equity(), tally.equity());
    for &outcome in Outcome::ALL {
        assert!((sum.share(outcome) - tally.share(outcome).mean).abs() < 1e-15);
    }
    let mut twice = sum;
    twice.merge(&one_by_one);
    assert_eq!((twice.games(), twice.equity().mean), (42, sum.equity().mean));
}
