//! Drawings as SVG that take their colours from the page, and so follow its scheme.

use core::fmt::{Display, Write};

/// Units across a drawing. It is shown at about a pixel each, down to the width of a phone, so that its
/// text stays readable there.
pub(super) const WIDTH: f64 = 420.0;

/// A drawing.
pub(super) struct Svg {
    body: String,
    height: f64,
}

/// Where a text is held.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    pub(super) fn new(height: f64) -> Svg {
        Svg {
            body: String::new(),
            height,
        }
    }

    /// A line of a class: `axis`, `grid`, `ideal`, or `c0` to `c7` with another.
    pub(super) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        self.push(format_args!(
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        ));
    }

    pub(super) fn path(&mut self, class: &str, points: &[[f64; 2]]) {
        let points: Vec<String> = points
            .iter()
            .map(|[x, y]| format!("{x:.1},{y:.1}"))
            .collect();
        let points = points.join(" ");
        self.push(format_args!(
            r#"<polyline class="{class}" points="{points}"/>"#
        ));
    }

    /// A dot with a text that is shown when it is pointed at.
    pub(super) fn dot(&mut self, class: &str, [x, y]: [f64; 2], radius: f64, told: &str) {
        let told = escaped(told);
        self.push(format_args!(
            r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius}"><title>{told}</title></circle>"#
        ));
    }

    pub(super) fn bar(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        self.push(format_args!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="2"/>"#
        ));
    }

    pub(super) fn text(
        &mut self,
        class: &str,
        [x, y]: [f64; 2],
        anchor: Anchor,
        text: impl Display,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(&text.to_string());
        self.push(format_args!(
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
        ));
    }

    /// The drawing as a figure with its caption, which also tells it to those who do not see.
    pub(super) fn figure(self, caption: &str) -> String {
        let (body, height) = (self.body, self.height);
        let caption = escaped(caption);
        format!(
            "<figure><figcaption>{caption}</figcaption>\n<svg role=\"img\" aria-label=\"{caption}\" \
             viewBox=\"0 0 {WIDTH} {height}\">\n{body}</svg></figure>\n"
        )
    }

    fn push(&mut self, element: core::fmt::Arguments<'_>) {
        writeln!(self.body, "{element}").expect("writing to a string succeeds");
    }
}

/// Text in which nothing is markup.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
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
    let step = steps
        .into_iter()
        .find(|&step| step >= rough)
        .unwrap_or(10.0 * power);
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
        let figure = svg.figure("<script>");
        assert!(
            figure.contains(">a&lt;b &amp; &quot;c&quot;</text>"),
            "{figure}"
        );
        assert!(!figure.contains("<script>"));
    }
}
