//! Charts: lines over two axes as SVG, for loss curves and the strength of generations.

use std::fmt::Write;

/// Width of a chart in units of its view box.
const WIDTH: f64 = 640.0;
/// Height of a chart in units of its view box.
const HEIGHT: f64 = 360.0;
/// Room for axes and their labels: left, top, right, bottom.
const MARGINS: [f64; 4] = [60.0, 34.0, 16.0, 44.0];
/// Colours of the lines, in order and over again: those of Okabe and Ito, which colour-blind people tell apart.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// Chart of lines.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Title above the chart.
    pub title: String,
    /// Label of the horizontal axis.
    pub x_label: String,
    /// Label of the vertical axis.
    pub y_label: String,
    /// Lines.
    pub lines: Vec<ChartLine>,
}

/// Line of a chart.
#[derive(Clone, Debug, Default)]
pub struct ChartLine {
    /// Name in the legend.
    pub name: String,
    /// Points from left to right. One that is not finite is left out.
    pub points: Vec<(f64, f64)>,
    /// Whether each point has a dot, for lines of few points.
    pub dotted: bool,
    /// Whether the points are left without a line between them.
    pub scattered: bool,
}

impl Chart {
    /// Text of the chart as an SVG element, which may stand in a file or in a page.
    pub fn svg(&self) -> String {
        let [left, top, right, bottom] = MARGINS;
        let xs = Axis::over(self.finite().map(|(x, _)| x), [left, WIDTH - right]);
        let ys = Axis::over(self.finite().map(|(_, y)| y), [HEIGHT - bottom, top]);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        let mut add = |element: std::fmt::Arguments<'_>| {
            // Writing to a string does not fail.
            let _ = svg.write_fmt(element);
            svg.push('\n');
        };
        let (floor, ceiling, wall) = (HEIGHT - bottom, top, WIDTH - right);
        for (value, x) in xs.ticks() {
            add(format_args!("<path d=\"M{x:.1} {floor}V{ceiling}\" stroke=\"#ddd\"/>"));
            add(format_args!(
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
                floor + 14.0
            ));
        }
        for (value, y) in ys.ticks() {
            add(format_args!("<path d=\"M{left} {y:.1}H{wall}\" stroke=\"#ddd\"/>"));
            let (x, y) = (left - 6.0, y + 4.0);
            add(format_args!("<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{value}</text>"));
        }
        let (middle, height) = (f64::midpoint(left, wall), f64::midpoint(floor, ceiling));
        let [title, x_label, y_label] = [&self.title, &self.x_label, &self.y_label].map(|text| escaped(text));
        add(format_args!(
            "<text x=\"{middle}\" y=\"14\" text-anchor=\"middle\" font-size=\"13\">{title}</text>"
        ));
        add(format_args!(
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{x_label}</text>",
            HEIGHT - 10.0
        ));
        add(format_args!(
            "<text transform=\"translate(14 {height}) rotate(-90)\" text-anchor=\"middle\">{y_label}</text>"
        ));
        for (index, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let places: Vec<String> =
                line.finite().map(|(x, y)| format!("{:.1},{:.1}", xs.at(x), ys.at(y))).collect();
            let all = places.join(" ");
            if !line.scattered {
                add(format_args!(
                    "<polyline points=\"{all}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
                ));
            }
            if line.dotted {
                for (x, y) in line.finite() {
                    let (x, y) = (xs.at(x), ys.at(y));
                    add(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"));
                }
            }
            let (x, name) = (left + 8.0 + 180.0 * index as f64, escaped(&line.name));
            add(format_args!("<text x=\"{x}\" y=\"{}\" fill=\"{colour}\">{name}</text>", top - 6.0));
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn finite(&self) -> impl Iterator<Item = (f64, f64)> {
        self.lines.iter().flat_map(ChartLine::finite)
    }
}

impl ChartLine {
    fn finite(&self) -> impl Iterator<Item = (f64, f64)> {
        self.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite())
    }
}

/// Axis: an interval of values, and where its ends are drawn.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
    places: [f64; 2],
}

impl Axis {
    /// Axis over all values; its ends are multiples of a step of 1, 2 or 5 times a power of ten.
    fn over(values: impl Iterator<Item = f64>, places: [f64; 2]) -> Axis {
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        // Equal values, or ones that differ by rounding only, have room around them.
        let room = if high - low > 1e-9 * low.abs().max(high.abs()) { 0.0 } else { 0.5 + 0.01 * high.abs() };
        let (low, high) = (low - room, high + room);
        let rough = (high - low) / 6.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(10.0 * power);
        Axis { low: (low / step).floor() * step, high: (high / step).ceil() * step, step, places }
    }

    /// Place of a value.
    fn at(&self, value: f64) -> f64 {
        let [first, last] = self.places;
        first + (value - self.low) / (self.high - self.low) * (last - first)
    }

    /// Labels of the ticks and their places.
    fn ticks(&self) -> impl Iterator<Item = (String, f64)> {
        let digits = (-self.step.log10().floor()).clamp(0.0, 12.0) as usize;
        let count = ((self.high - self.low) / self.step).round() as usize;
        (0..=count).map(move |index| {
            let value = self.low + index as f64 * self.step;
            // Adding zero turns a negative zero into a plain one.
            (format!("{:.digits$}", value + 0.0), self.at(value))
        })
    }
}

/// Text of an SVG element that has all charts side by side.
pub fn side_by_side(charts: &[Chart]) -> String {
    let width = WIDTH * charts.len() as f64;
    let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\">\n");
    for (index, chart) in charts.iter().enumerate() {
        let place = format!("<svg x=\"{}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" ", WIDTH * index as f64);
        svg.push_str(&chart.svg().replacen("<svg ", &place, 1));
    }
    svg.push_str("</svg>\n");
    svg
}

/// Text with the signs escaped that mean something in SVG and HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_shows_its_lines_within_its_frame() {
        let points = vec![(0.0, 0.71), (10.0, 0.52), (20.0, f64::NAN), (30.0, 0.48)];
        let line = ChartLine { name: "a < b".to_owned(), points, dotted: true, scattered: false };
        let svg = Chart { title: "loss & co".to_owned(), lines: vec![line], ..Chart::default() }.svg();
        assert!(svg.contains("loss &amp; co") && svg.contains("a &lt; b") && !svg.contains("NaN"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 3);
        let points = svg.split("polyline points=\"").nth(1).unwrap().split('"').next().unwrap();
        let places: Vec<(f64, f64)> = points
            .split(' ')
            .map(|pair| pair.split_once(',').unwrap())
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect();
        assert!(places.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1), "a falling loss goes down: {places:?}");
        assert!(places.iter().all(|&(x, y)| (60.0..=624.0).contains(&x) && (34.0..=316.0).contains(&y)));
        assert!(svg.contains(">0.50<") && svg.contains(">30<"), "{svg}");
    }

    #[test]
    fn charts_stand_side_by_side() {
        let chart = |title: &str| Chart { title: title.to_owned(), ..Chart::default() };
        let svg = side_by_side(&[chart("left"), chart("right")]);
        assert!(
            svg.contains("viewBox=\"0 0 1280 360\"") && svg.contains("<svg x=\"640\" width=\"640\""),
            "{svg}"
        );
        assert_eq!((svg.matches("<svg").count(), svg.matches("</svg>").count()), (3, 3));
        assert!(
            svg.find("left") < svg.find("x=\"640\"") && svg.find("x=\"640\"") < svg.find("right"),
            "{svg}"
        );
    }

    #[test]
    fn no_values_one_value_and_huge_ones_have_axes_too() {
        for points in
            [vec![], vec![(3.0, -0.0)], vec![(1.0, 1e300), (2.0, -1e300)], vec![(1e-9, 5.0), (1e-9, 5.0)]]
        {
            let line = ChartLine { points, ..ChartLine::default() };
            let svg = Chart { lines: vec![line], ..Chart::default() }.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.len() < 20_000, "{svg}");
        }
    }
}
