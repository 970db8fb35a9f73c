//! A page of curves over the course of something.

use maud::html;

use super::charts::{LEFT, RIGHT, Scale};
use super::html::document;
use super::svg::{Anchor, Figure, Svg, ticks};
use crate::printed_numbers::short;

/// The height of a chart.
const HEIGHT: f64 = 260.0;

/// A chart of curves over the same axis.
#[derive(Clone, PartialEq, Debug)]
pub struct CurveChart {
    /// The text above the chart.
    pub caption: String,
    /// The text below the axis.
    pub axis: String,
    /// The curves, eight at most for their colours to differ.
    pub curves: Vec<Curve>,
}

/// Points of a chart, from left to right.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// The name, shown next to the curve's end.
    pub name: String,
    /// Each point is its place on the axis, its value, and the value's standard error, or 0 without one.
    pub points: Vec<[f64; 3]>,
}

/// A page with facts in words and charts of curves: a single file without scripts, like a benchmark's.
///
/// ```
/// use tavli_bench::report::{Curve, CurveChart, curves};
/// let curve = Curve { name: "uniform".into(), points: vec![[0.0, -1.0, 0.1], [100.0, 2.5, 0.1]] };
/// let chart = CurveChart { caption: "points".into(), axis: "games".into(), curves: vec![curve] };
/// let page = curves("a training", &[("seed".into(), "1".into())], &[chart]);
/// assert!(page.starts_with("<!DOCTYPE html>") && page.contains("uniform"));
/// ```
#[must_use]
pub fn curves(title: &str, facts: &[(String, String)], charts: &[CurveChart]) -> String {
    document(
        title,
        html! {
            h1 { (title) }
            section.headline {
                dl { @for (name, text) in facts { dt { (name) } dd { (text) } "\n" } }
            }
            section { @for chart in charts { (chart.draw()) } }
        },
    )
}

/// The least and the largest value, made unequal if all values are equal.
fn range(values: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.fold(f64::NEG_INFINITY, f64::max);
    if least < most { [least, most] } else { [least - 1.0, least + 1.0] }
}

impl CurveChart {
    fn draw(&self) -> Figure {
        let mut svg = Svg::new(HEIGHT);
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        if points().next().is_none() {
            return svg.figure(&format!("{}: nothing yet", self.caption));
        }
        let right = RIGHT - 60.0; // room for names
        let x = Scale { values: range(points().map(|point| point[0]).chain([0.0])), places: [LEFT, right] };
        let ends = points().flat_map(|&[_, value, error]| [value - error, value + error]);
        let y = Scale { values: range(ends), places: [HEIGHT - 42.0, 16.0] };
        let bottom = y.places[0];
        for tick in ticks(y.values[0], y.values[1], 5) {
            svg.line("grid", [LEFT, y.at(tick)], [right, y.at(tick)]);
            let place = [LEFT - 6.0, y.at(tick) + 4.0];
            svg.text("tick", place, Anchor::End, format_args!("{}", rounded(tick)));
        }
        for tick in ticks(x.values[0], x.values[1], 4) {
            svg.text("tick", [x.at(tick), bottom + 16.0], Anchor::Middle, short(tick));
        }
        let middle = (LEFT + right) / 2.0;
        svg.text("tick", [middle, HEIGHT - 6.0], Anchor::Middle, &self.axis);
        svg.line("axis", [LEFT, bottom], [right, bottom]);
        for (number, curve) in self.curves.iter().enumerate() {
            let class = format!("c{number}");
            let at = |point: &[f64; 3]| [x.at(point[0]), y.at(point[1])];
            let places: Vec<[f64; 2]> = curve.points.iter().map(at).collect();
            svg.path(&format!("{class} curve"), &places);
            for (&[place, value, error], dot) in curve.points.iter().zip(&places) {
                let [low, high] = [value - error, value + error].map(|value| [dot[0], y.at(value)]);
                svg.line(&format!("{class} whisker"), low, high);
                let title = format!("{} at {}: {value:.5}", curve.name, short(place));
                svg.dot(&class, *dot, 2.5, &title);
            }
            if let Some(&[place, height]) = places.last() {
                let beside = [place + 6.0, height + 4.0];
                svg.text("value", beside, Anchor::Start, &curve.name);
            }
        }
        svg.figure(&self.caption)
    }
}

/// A tick without the noise of its last bits.
fn rounded(tick: f64) -> f64 {
    (tick * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<[f64; 3]>) -> CurveChart {
        CurveChart {
            caption: "a<b".to_owned(),
            axis: "games".to_owned(),
            curves: vec![Curve { name: "pubeval".to_owned(), points }],
        }
    }

    #[test]
    fn a_curve_has_a_dot_for_each_point() {
        let chart = chart(vec![[0.0, -1.0, 0.0], [10.0, 0.5, 0.1], [20.0, 0.25, 0.1]]);
        let page = curves("t", &[], &[chart]);
        assert_eq!(page.matches("<circle").count(), 3);
        assert!(page.contains("pubeval at 20.00: 0.25000"), "{page}");
        assert!(page.contains("a&lt;b") && !page.contains("<script"));
        let page = curves("t", &[("recipe".to_owned(), "red \u{1b}[31m".to_owned())], &[]);
        assert!(page.contains(r"red \u{1b}[31m") && !page.contains('\u{1b}'), "{page}");
    }

    #[test]
    fn curves_of_few_points_are_drawn() {
        for points in [vec![], vec![[5.0, 1.0, 0.0]], vec![[0.0, 1.0, 0.0]; 2]] {
            let page = curves("t", &[], &[chart(points)]);
            assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
        }
    }
}
