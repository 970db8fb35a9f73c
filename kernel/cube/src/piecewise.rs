//! Values by straight lines between points.

/// The value at `x` on the straight lines through points, which are in the order of their first numbers. Two points
/// with the same first number are a step, where the later value counts. Beyond the ends, the outermost lines go on.
pub(crate) fn interpolate<const N: usize>(points: [(f64, f64); N], x: f64) -> f64 {
    debug_assert!(N >= 2, "a line has two ends");
    // Points where a cube is as good as won lie at 1, up to rounding.
    debug_assert!(points.is_sorted_by(|a, b| a.0 <= b.0 + 1e-9), "{points:?} are not in order");
    let above = points[1..N - 1].iter().take_while(|point| point.0 <= x).count();
    let [(x0, y0), (x1, y1)] = [points[above], points[above + 1]];
    if x1 > x0 { y0 + (x - x0) / (x1 - x0) * (y1 - y0) } else { y1 }
}
