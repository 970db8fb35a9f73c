//! The page of a training.

use tavli_bench::report::{Curve, CurveChart, curves};
use tavli_terminal::numbers::{decimals, seconds};
use tavli_train::{Opponent, Plan, TrainingReport};

/// Loss and strength in the course of a training, as a page.
pub(super) fn page(plan: &Plan<'_>, reports: &[TrainingReport]) -> String {
    let phases = plan.phases;
    // Each phase goes on where the one before ended.
    let place = |report: &TrainingReport| report.phase as f64 - 1.0 + report.done as f64 / report.of as f64;
    let loss = reports.iter().filter_map(|report| Some([place(report), report.loss?, 0.0]));
    let mut charts: Vec<CurveChart> = Opponent::ALL
        .iter()
        .filter(|&&opponent| {
            let mut strengths = reports.iter().flat_map(|report| &report.strengths);
            strengths.any(|strength| strength.opponent == opponent)
        })
        .map(|&opponent| {
            let points = reports.iter().flat_map(|report| {
                let strengths = report.strengths.iter();
                let of = strengths.filter(move |strength| strength.opponent == opponent);
                of.map(|of| [place(report), of.points.mean, of.points.standard_error])
            });
            CurveChart {
                caption: format!("Points per game against {}", opponent.name()),
                axis: format!("phases, of {phases}"),
                curves: vec![Curve { name: opponent.name().to_owned(), points: points.collect() }],
            }
        })
        .collect();
    charts.push(CurveChart {
        caption: "Mean loss of a position: half the squared errors of the outputs".to_owned(),
        axis: format!("phases, of {phases}"),
        curves: vec![Curve { name: "loss".to_owned(), points: loss.collect() }],
    });
    let elapsed = |phase: usize| {
        let of_phase = reports.iter().filter(|report| report.phase == phase);
        of_phase.map(|report| report.elapsed.as_secs_f64()).next_back()
    };
    let times = (1..=phases).filter_map(elapsed);
    let mut facts = vec![
        ("recipe".to_owned(), plan.description.to_owned()),
        ("seed".to_owned(), plan.seed.to_string()),
        ("time".to_owned(), seconds(times.sum())),
    ];
    if let Some(last) = reports.last() {
        for strength in &last.strengths {
            let name = format!("points per game against {}", strength.opponent.name());
            let points = strength.points;
            facts.push((name, format!("{:+.3} [{}]", points.mean, decimals(points.standard_error, 3))));
        }
    }
    curves("tavli train", &facts, &charts)
}
