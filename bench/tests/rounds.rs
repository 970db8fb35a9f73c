//! Comparisons of two equal builds find a difference in at most 5 %, with any number of rounds and any noise; and they
//! find a slowdown of 3 %. By simulation, and with rounds of a busy machine; with fixed seeds.

use tavli_bench::finding::Finding;
use tavli_bench::interleaved::{Looks, Precision};
use tavli_bench::paired::Paired;

const PRECISION: Precision = Precision { confidence: 0.95, width: 0.01, margin: 0.02 };

/// A kind of noise of the logarithms of ratios.
type Noise = fn(&mut fastrand::Rng, usize) -> Vec<f64>;

fn normal(random: &mut fastrand::Rng) -> f64 {
    // Box and Muller.
    let radius = (-2.0 * (1.0 - random.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.f64()).cos()
}

fn independent(random: &mut fastrand::Rng, rounds: usize) -> Vec<f64> {
    (0..rounds).map(|_| 0.02 * normal(random)).collect()
}

fn autocorrelated(random: &mut fastrand::Rng, rounds: usize) -> Vec<f64> {
    let mut value = normal(random);
    let mut next = || {
        value = 0.6 * value + 0.8 * normal(random);
        0.02 * value
    };
    (0..rounds).map(|_| next()).collect()
}

/// Cauchy's distribution, which has no mean.
fn heavy_tailed(random: &mut fastrand::Rng, rounds: usize) -> Vec<f64> {
    let angle = |random: &mut fastrand::Rng| std::f64::consts::PI * (random.f64() - 0.5);
    (0..rounds).map(|_| 0.01 * angle(random).tan().clamp(-500.0, 500.0)).collect()
}

/// A machine that slows down and recovers, and a build that is measured first or second by a coin.
fn drifting(random: &mut fastrand::Rng, rounds: usize) -> Vec<f64> {
    let mut machine = autocorrelated(random, 2 * rounds);
    let mut slow = 0.0;
    for value in &mut machine {
        slow = if random.f64() < 0.05 { 0.3 * random.f64() } else { slow };
        *value -= slow;
    }
    let turn = |pair: &[f64]| match random.bool() {
        true => pair[0] - pair[1],
        false => pair[1] - pair[0],
    };
    machine.chunks(2).map(turn).collect()
}

const NOISES: [(&str, Noise); 4] = [
    ("independent", independent),
    ("autocorrelated", autocorrelated),
    ("heavy-tailed", heavy_tailed),
    ("drifting", drifting),
];

/// The most false differences in `comparisons` comparisons.
fn most(comparisons: usize) -> usize {
    comparisons / 20
}

fn ratios(logarithms: &[f64], ratio: f64) -> Vec<f64> {
    logarithms.iter().map(|value| ratio * value.exp()).collect()
}

#[test]
fn intervals_cover_the_ratio_at_every_number_of_rounds() {
    const COMPARISONS: usize = 400;
    let mut random = fastrand::Rng::with_seed(1);
    for (name, noise) in NOISES {
        for rounds in [1, 2, 5, 8, 12, 13, 16, 20, 25, 32, 48, 80] {
            let misses = (0..COMPARISONS)
                .filter(|_| {
                    let rounds = ratios(&noise(&mut random, rounds), 0.97);
                    let interval = Paired::from_ratios(&rounds, 0.95).unwrap().interval;
                    interval.is_some_and(|one| !(one.low..=one.high).contains(&0.97))
                })
                .count();
            assert!(misses <= most(COMPARISONS), "{name}: {misses} misses with {rounds} rounds");
        }
    }
}

/// The findings of a comparison that looks at its width after some of the rounds, as the command does.
fn compare(cases: &[Vec<f64>]) -> Vec<Finding> {
    let first = |rounds: usize| -> Vec<Vec<f64>> { cases.iter().map(|case| case[..rounds].to_vec()).collect() };
    let most = cases[0].len(); // time is over
    let mut looks = Looks::new();
    let narrow = |rounds: &usize| {
        looks.due(*rounds) && {
            let ratios = PRECISION.ratios(&first(*rounds), 1).unwrap();
            Precision::widest(&ratios).is_some_and(|width| width <= PRECISION.width)
        }
    };
    let rounds = (1..most).find(narrow).unwrap_or(most);
    let ratios = PRECISION.ratios(&first(rounds), 1).unwrap();
    let finding = |paired: &Paired| Finding::from_interval(paired.interval, PRECISION.margin);
    ratios.iter().map(finding).collect()
}

/// A comparison of three cases.
fn compare_simulated(random: &mut fastrand::Rng, noise: Noise, ratio: f64) -> Vec<Finding> {
    let mut case = || ratios(&noise(random, 150), ratio);
    compare(&[case(), case(), case()])
}

fn is_difference(finding: &Finding) -> bool {
    matches!(finding, Finding::Faster | Finding::Slower)
}

#[test]
fn stopping_at_a_width_keeps_the_confidence_of_all_cases_together() {
    const COMPARISONS: usize = 200;
    let mut random = fastrand::Rng::with_seed(2);
    for (name, noise) in NOISES {
        let differences = (0..COMPARISONS)
            .filter(|_| {
                let findings = compare_simulated(&mut random, noise, 1.0);
                findings.iter().any(is_difference)
            })
            .count();
        assert!(differences <= most(COMPARISONS), "{name}: {differences} of {COMPARISONS}");
    }
}

#[test]
fn a_slowdown_of_three_percent_is_found() {
    const COMPARISONS: usize = 100;
    let mut random = fastrand::Rng::with_seed(3);
    for (name, noise) in [("independent", independent as Noise), ("heavy-tailed", heavy_tailed)] {
        let found = (0..COMPARISONS)
            .filter(|_| {
                let findings = compare_simulated(&mut random, noise, 0.97);
                findings.iter().all(|&one| one == Finding::Slower)
            })
            .count();
        assert!(found >= 95, "{name}: {found} of {COMPARISONS}");
    }
}

/// Ratios of rounds of one build and a copy of it, in their order; see the file for the machine.
fn recorded() -> Vec<f64> {
    let lines = include_str!("data/rounds.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.map(|line| (line.parse::<f64>().unwrap() / 1e5).exp()).collect()
}

/// Comparisons over stretches of recorded rounds that begin anywhere, each slowed down to this ratio.
fn stretches(ratio: f64, rounds: usize) -> Vec<Finding> {
    const COMPARISONS: usize = 200;
    let recorded = recorded();
    let mut random = fastrand::Rng::with_seed(5);
    let stretch = |_| {
        let begin = random.usize(..recorded.len() - rounds);
        let stretch = recorded[begin..begin + rounds].iter();
        compare(&[stretch.map(|round| ratio * round).collect()])[0]
    };
    (0..COMPARISONS).map(stretch).collect()
}

#[test]
fn a_build_on_a_busy_machine_is_seldom_called_different_from_itself() {
    for rounds in [20, 30, 60, 120] {
        let findings = stretches(1.0, rounds);
        let differences = findings.iter().filter(|one| is_difference(one)).count();
        assert!(differences <= most(findings.len()), "{differences} with {rounds} rounds");
    }
}

#[test]
fn a_slowdown_of_three_percent_on_a_busy_machine_is_found() {
    let findings = stretches(0.97, 120);
    let found = findings.iter().filter(|&&one| one == Finding::Slower).count();
    assert!(found >= findings.len() * 95 / 100, "{found} of {}", findings.len());
}

#[test]
fn layouts_are_the_sample_where_there_are_several() {
    const COMPARISONS: usize = 400;
    let (layouts, laps) = (8, 4);
    let mut random = fastrand::Rng::with_seed(4);
    let misses = (0..COMPARISONS)
        .filter(|_| {
            // The address of a loop moves a build by 4 %, a round by 1 %.
            let from_layouts: Vec<f64> = (0..layouts).map(|_| 0.04 * normal(&mut random)).collect();
            let rounds: Vec<f64> = (0..layouts * laps)
                .map(|round| (from_layouts[round % layouts] + 0.01 * normal(&mut random)).exp())
                .collect();
            let paired = Paired::from_layouts(&rounds, layouts, 0.95).unwrap();
            let interval = paired.interval.unwrap();
            !(interval.low..=interval.high).contains(&1.0)
        })
        .count();
    assert!(misses <= most(COMPARISONS), "{misses} of {COMPARISONS}");
    assert_eq!(Paired::fewest_layouts(0.95), 6);
    let few = Paired::from_layouts(&[1.0; 20], 5, 0.95).unwrap();
    assert_eq!((few.ratio, few.interval), (1.0, None));
    let missing = Paired::from_layouts(&[1.0; 5], 8, 0.95).unwrap();
    assert_eq!(missing.interval, None);
}
