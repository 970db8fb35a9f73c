//! SVG drawings that take their colours from the page, and so follow its colour scheme.
//!
//! Crates for charts do not fit: plotters writes fixed colours, whose text has a contrast of 1.2 to 1 on the dark page
//! instead of 14 to 1, and no titles from which to read values; charming needs a script.

use core::fmt::Display;

use maud::{Markup, Render, html};

/// The width of a drawing in units of about a pixel: a phone's, so the text stays readable there.
pub(super) const WIDTH: f64 = 420.0;

pub(super) struct Svg {
    elements: Vec<Markup>,
    height: f64,
}

#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    pub(super) fn new(height: f64) -> Svg {
        Svg { elements: Vec::new(), height }
    }

    /// A line of a class: `axis`, `grid`, `ideal`, or one of `c0` to `c7` and another.
    pub(super) fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) {
        let ([x1, y1], [x2, y2]) = (from.map(place), to.map(place));
        self.elements.push(html! { line class=(class) x1=(x1) y1=(y1) x2=(x2) y2=(y2) {} });
    }

    pub(super) fn path(&mut self, class: &str, points: &[[f64; 2]]) {
        let points: Vec<String> = points.iter().map(|point| point.map(place).join(",")).collect();
        self.elements.push(html! { polyline class=(class) points=(points.join(" ")) {} });
    }

    /// A dot with a title that appears when the pointer is over it.
    pub(super) fn dot(&mut self, class: &str, at: [f64; 2], radius: f64, title: &str) {
        let [x, y] = at.map(place);
        self.elements.push(html! { circle class=(class) cx=(x) cy=(y) r=(radius) { title { (title) } } });
    }

    pub(super) fn bar(&mut self, class: &str, at: [f64; 2], size: [f64; 2]) {
        let ([x, y], [width, height]) = (at.map(place), size.map(place));
        self.elements.push(html! { rect class=(class) x=(x) y=(y) width=(width) height=(height) rx="2" {} });
    }

    pub(super) fn text(&mut self, class: &str, at: [f64; 2], anchor: Anchor, text: impl Display) {
        let [x, y] = at.map(place);
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.elements.push(html! { text class=(class) x=(x) y=(y) text-anchor=(anchor) { (text.to_string()) } });
    }

    pub(super) fn figure(self, caption: &str) -> Figure {
        Figure { svg: self, caption: caption.to_owned() }
    }
}

/// A drawing with its caption, which screen readers read.
pub(super) struct Figure {
    svg: Svg,
    caption: String,
}

impl Figure {
    /// Adds to the caption why the rates of the record are doubtful.
    pub(super) fn doubted(self, doubts: &[String]) -> Figure {
        if doubts.is_empty() {
            return self;
        }
        Figure { caption: format!("{} ({})", self.caption, doubts.join(", ")), ..self }
    }
}

impl Render for Figure {
    fn render(&self) -> Markup {
        let size = format!("0 0 {WIDTH} {}", self.svg.height);
        html! {
            figure {
                figcaption { (self.caption) }
                svg role="img" aria-label=(self.caption) viewBox=(size) {
                    @for element in &self.svg.elements { "\n" (element) }
                }
            }
            "\n"
        }
    }
}

/// A coordinate to a tenth of a unit.
fn place(place: f64) -> String {
    format!("{place:.1}")
}

/// Round values from `least` to `most`, about `number` of them: multiples of 1, 2 or 5 times a power of
/// ten.
pub(super) fn ticks(least: f64, most: f64, number: usize) -> Vec<f64> {
    let rough = (most - least) / number as f64;
    if !rough.is_finite() || rough <= 0.0 {
        return Vec::new();
    }
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|&step| step >= rough).unwrap_or(10.0 * power);
    let first = (least / step).ceil() as i64;
    let last = (most / step).floor() as i64;
    (first..=last).map(|i| i as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 10.0, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(-1.1, 1.1, 4), [-1.0, 0.0, 1.0]);
        assert_eq!(ticks(0.0, 128.0, 4), [0.0, 50.0, 100.0]);
        assert!(ticks(1.0, 1.0, 4).is_empty() && ticks(0.0, f64::NAN, 4).is_empty());
    }

    #[test]
    fn nothing_is_markup() {
        let mut svg = Svg::new(10.0);
        svg.text("label", [0.0, 0.0], Anchor::End, "a<b & \"c\"");
        let figure = svg.figure("<script>").render().into_string();
        assert!(figure.contains(">a&lt;b &amp; &quot;c&quot;</text>"), "{figure}");
        assert!(!figure.contains("<script>"));
    }
}
