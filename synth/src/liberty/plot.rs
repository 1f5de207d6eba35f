//! Area against delay as a picture.

use std::ops::Range;

use plotters::prelude::*;

use super::curve::Curve;
use super::flow::Point;

const SIZE: (u32, u32) = (760, 460);
const FONT: &str = "sans-serif";

/// Colors that are distinguishable with any color vision.
const COLORS: [RGBColor; 5] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
];

/// The margin beyond the outermost points.
const MARGIN: f64 = 0.06;

/// The picture as SVG: a point for each requested delay, and a line through those that no other point beats.
///
/// # Panics
/// When there are no curves.
pub fn plot(curves: &[Curve], title: &str) -> String {
    let mut svg = String::new();
    draw(&mut svg, curves, title).expect("drawing into memory does not fail");
    svg
}

fn draw(svg: &mut String, curves: &[Curve], title: &str) -> Result<(), Box<dyn std::error::Error>> {
    let page = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    page.fill(&WHITE)?;
    let caption = format!("{}; {}; without wires", curves[0].tool, curves[0].kit);
    page.draw(&Text::new(caption, (12, SIZE.1 as i32 - 18), (FONT, 12).into_font().color(&BLACK.mix(0.6))))?;
    let page = page.margin(0, 26, 0, 0).titled(title, (FONT, 18))?;
    let mut chart = ChartBuilder::on(&page)
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(range(curves, |point| point.delay_ps), range(curves, |point| point.area_um2))?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc("delay in ps").y_desc("area in µm²").label_style((FONT, 12)).axis_desc_style((FONT, 13));
    mesh.light_line_style(TRANSPARENT).bold_line_style(BLACK.mix(0.12));
    mesh.x_label_formatter(&|delay| format!("{delay:.0}")).y_label_formatter(&|area| format!("{area:.0}"));
    mesh.draw()?;
    for (number, curve) in curves.iter().enumerate() {
        let color = COLORS[number % COLORS.len()];
        let place = |point: &Point| (point.delay_ps, point.area_um2);
        let front = curve.front().into_iter().map(place);
        let line = chart.draw_series(LineSeries::new(front, color.stroke_width(2)))?;
        line.label(name(curve)).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
        chart.draw_series(curve.points.iter().map(|point| Circle::new(place(point), 3, color.filled())))?;
    }
    let mut labels = chart.configure_series_labels();
    labels.position(SeriesLabelPosition::UpperRight).background_style(WHITE.mix(0.8)).label_font((FONT, 13));
    labels.draw()?;
    Ok(page.present()?)
}

fn name(curve: &Curve) -> String {
    match curve.stages {
        0 => "without registers".into(),
        1 => "1 rank of registers".into(),
        stages => format!("{stages} ranks of registers"),
    }
}

/// From a little below the smallest figure to a little above the largest.
fn range(curves: &[Curve], figure: fn(&Point) -> f64) -> Range<f64> {
    let figures = || curves.iter().flat_map(|curve| &curve.points).map(figure);
    let (low, high) = (figures().fold(f64::INFINITY, f64::min), figures().fold(0.0, f64::max));
    let room = (MARGIN * (high - low)).max(1.0);
    (low - room).max(0.0)..high + room
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::liberty::curve::tests::curve;

    #[test]
    fn every_point_is_drawn() {
        let curves = [curve(&[(1000.0, 50.0), (950.0, 60.0), (600.0, 80.0)]), curve(&[(0.0, 0.0)])];
        let svg = plot(&curves, "adder");
        assert_eq!(svg.matches("<circle").count(), 4, "{svg}");
        assert!(svg.contains("area in µm²") && svg.contains("small, inputs driven by INV"), "{svg}");
    }
}
