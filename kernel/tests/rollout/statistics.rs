//! What rollouts come to against exact values and other programs.

use super::{played, position, workers};
use crate::support::effort::of_effort;
use crate::support::golden;
use tavli::rollout::{Rollout, RolloutError, Settings, Standing, Stop};
use tavli::{Board, FirstRoll};

fn number(field: &str) -> f64 {
    field.parse().expect("a number")
}

/// How many of 95 % intervals hold the exact value.
#[derive(Default)]
struct Coverage {
    held: u64,
    all: u64,
}

impl Coverage {
    fn add(&mut self, interval: (f64, f64), exact: f64) {
        self.all += 1;
        self.held += u64::from(interval.0 <= exact && exact <= interval.1);
    }

    fn assert(&self, what: &str) {
        let share = self.held as f64 / self.all as f64;
        println!("{what}: {share:.4} of {}", self.all);
        assert!(
            (0.93..=0.97).contains(&share),
            "{what}: {share:.4} of {}",
            self.all
        );
    }
}

/// Rollouts by seeds of their own.
fn independent(
    first_roll: FirstRoll,
    trials: u64,
    rollouts: u64,
    rollout: impl Fn(Settings) -> Result<Rollout, RolloutError>,
    mut each: impl FnMut(&[Standing]),
) {
    let workers = workers(2);
    for seed in 0..rollouts {
        let settings = Settings {
            seed,
            first_roll,
            ..Settings::default()
        };
        let rollout = rollout(settings)
            .expect("a rollout")
            .until(Stop::after(trials));
        each(
            &played(rollout.expect("trials"), &workers)
                .summary()
                .standings,
        );
    }
}

#[test]
fn intervals_hold_the_exact_value_95_times_in_100() {
    let rollouts = of_effort(1000, 4000);
    let rows = golden::rows(&golden::data("bearoff_random_exact.tsv"));
    for first_roll in [FirstRoll::Stratified, FirstRoll::Any] {
        for trials in [1296, 2592, 3000] {
            let mut coverage = Coverage::default();
            // Short and long bear-offs whose winner is open.
            let open = rows
                .iter()
                .filter(|row| (0.2..0.8).contains(&number(&row[1])));
            let chosen: Vec<_> = open.step_by(17).take(8).collect();
            for row in &chosen {
                let (board, win) = (position(&row[0]), number(&row[1]));
                let of_board = |settings| Rollout::of_position(&board, settings);
                let each = rollouts / chosen.len() as u64;
                independent(first_roll, trials, each, of_board, |standings| {
                    coverage.add(standings[0].win.interval(), win);
                });
            }
            coverage.assert(&format!("{first_roll}, {trials} trials, games won"));
        }
    }
}

#[test]
fn intervals_of_equities_and_differences_hold_their_mean_95_times_in_100() {
    let rollouts = of_effort(600, 2000);
    // The opening, and a race of few plies, in which the first rolls decide much and games run in step.
    for (id, roll) in [("4HPwATDgc/ABMA", "31"), ("FQAAIAoAAAAAAA", "21")] {
        let board = position(id);
        let roll = roll.parse().expect("a roll");
        let two = |settings| {
            let all = Rollout::of_plays(&board, roll, settings)?;
            let boards: Vec<Board> = all.candidates().iter().map(|c| c.board).collect();
            Rollout::of_candidates(&board, roll, &boards[..2], settings)
        };
        let mut equities = Vec::new();
        let mut differences = Vec::new();
        independent(FirstRoll::Stratified, 1296, rollouts, two, |standings| {
            let of = |candidate: usize| standings.iter().find(|s| s.candidate == candidate);
            equities.push(of(0).expect("it stands").equity);
            let mut behind = standings[1].behind;
            if standings[0].candidate == 1 {
                behind.mean = -behind.mean;
            }
            differences.push(behind);
        });
        for (what, statistics) in [("equity", &equities), ("difference", &differences)] {
            // So many rollouts together are far more certain than each.
            let mean = statistics.iter().map(|s| s.mean).sum::<f64>() / statistics.len() as f64;
            let mut coverage = Coverage::default();
            statistics
                .iter()
                .for_each(|s| coverage.add(s.interval(), mean));
            coverage.assert(&format!("{id}, {what}"));
        }
    }
}

#[test]
fn rollouts_are_those_of_other_programs() {
    let workers = workers(2);
    let trials = of_effort(36 * 1296, 1296 * 1296);
    let rows = golden::rows(&golden::data("playout_stats.tsv"));
    let mut compared = 0;
    for row in rows.iter().filter(|row| row[4] == "pooled") {
        let first_roll = match (row[2].as_str(), row[3].as_str()) {
            ("any", "normal") => FirstRoll::Stratified,
            ("open", "normal") => FirstRoll::Open,
            _ => continue,
        };
        let settings = Settings {
            first_roll,
            ..Settings::default()
        };
        let rollout = Rollout::of_position(&position(&row[1]), settings).expect("a rollout");
        let rollout = rollout.until(Stop::after(trials)).expect("trials");
        let summary = played(rollout, &workers).summary();
        let best = summary.best();
        let games = number(&row[5]);
        let count = |outcome: usize| number(&row[20 + outcome]);
        for (statistic, theirs) in [
            (best.win, count(0) + count(1) + count(2)),
            (best.win_gammon, count(1) + count(2)),
            (best.win_backgammon, count(2)),
            (best.lose, count(3) + count(4) + count(5)),
            (best.lose_gammon, count(4) + count(5)),
            (best.lose_backgammon, count(5)),
        ] {
            let share = theirs / games;
            let their_error = (share * (1.0 - share) / games).sqrt();
            // What never happened here has no error here, but theirs tells how often it does.
            let floor = their_error * (games / trials as f64).sqrt();
            let ours = if statistic.mean == 0.0 {
                floor
            } else {
                statistic.standard_error
            };
            let difference = (statistic.mean - share).abs();
            assert!(
                difference <= 4.0 * ours.hypot(their_error) + 1e-12,
                "{} {}: {statistic:?}, golden {share}",
                row[0],
                row[2]
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 4 * 6);
}
