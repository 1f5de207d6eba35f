//! Plots as SVG, for pages without scripts. Text and axes are `currentColor`; the page replaces the colors of series in dark mode.

use crate::{Axis, AxisKind, Datum, Mark, Plot, Series};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

const WIDTH: u32 = 960;
const FONT: &str = "sans-serif";

/// The margin beside the data, as a fraction of their range.
const MARGIN: f64 = 0.03;

/// The colors of series, in order; the page has the same (`--c0` and on), and others for dark mode.
const COLORS: [RGBColor; 8] = [
    RGBColor(0x0b, 0x62, 0xa8),
    RGBColor(0xb8, 0x48, 0x00),
    RGBColor(0x1a, 0x7f, 0x37),
    RGBColor(0x82, 0x50, 0xdf),
    RGBColor(0xbf, 0x39, 0x89),
    RGBColor(0x7d, 0x5a, 0x2b),
    RGBColor(0x0f, 0x7b, 0x83),
    RGBColor(0x57, 0x60, 0x6a),
];

/// The picture, with its description as its accessible name.
pub(crate) fn draw(plot: &Plot) -> String {
    let mut svg = String::new();
    drawn(&mut svg, plot).expect("drawing into memory does not fail");
    let label = escaped(&plot.description);
    svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1).replace("#000000", "currentColor")
}

pub(crate) fn escaped(text: &str) -> String {
    [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]
        .iter()
        .fold(text.to_string(), |text, (character, name)| text.replace(character, name))
}

fn drawn(svg: &mut String, plot: &Plot) -> Drawn {
    let area = SVGBackend::with_string(svg, (WIDTH, plot.height + 70)).into_drawing_area();
    let names = plot.names();
    let (legend, area) = area.split_vertically(if names.len() > 1 { 26 } else { 0 });
    draw_legend(&legend, &names)?;
    let ranges = [range(&plot.x, plot, |datum| [datum.x, datum.x2]), range(&plot.y, plot, |datum| [datum.y, datum.y])];
    let [x, y] = ranges;
    let mut chart = ChartBuilder::on(&area)
        .margin(8)
        .set_label_area_size(LabelAreaPosition::Left, if matches!(plot.y.kind, AxisKind::Names(_)) { 170 } else { 64 })
        .set_label_area_size(LabelAreaPosition::Bottom, 44)
        .build_cartesian_2d(x, y)?;
    let (x_label, y_label) = (|at: &f64| label(&plot.x, *at), |at: &f64| label(&plot.y, *at));
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT).bold_line_style(BLACK.mix(0.15)).axis_style(BLACK.mix(0.5));
    mesh.label_style((FONT, 13)).x_desc(&plot.x.title).x_label_formatter(&x_label).y_label_formatter(&y_label);
    match &plot.y.kind {
        AxisKind::Names(names) => mesh.y_labels(2 * names.len() + 1).disable_y_mesh(),
        AxisKind::Linear | AxisKind::PowersOfTwo => mesh.y_desc(&plot.y.title),
    };
    mesh.draw()?;
    for series in &plot.series {
        let place = names.iter().position(|name| *name == series.name).expect("each series has a name");
        let lift = if matches!(plot.y.kind, AxisKind::Names(_)) { lift(place, names.len()) } else { 0.0 };
        draw_series(&mut chart, plot, series, COLORS[place % COLORS.len()], lift)?;
    }
    area.present()?;
    Ok(())
}

fn draw_legend(area: &DrawingArea<SVGBackend, Shift>, names: &[&str]) -> Drawn {
    if names.len() < 2 {
        return Ok(());
    }
    let mut left = 70;
    for (name, color) in names.iter().zip(COLORS.iter().cycle()) {
        area.draw(&Rectangle::new([(left, 8), (left + 14, 20)], color.filled()))?;
        area.draw(&Text::new(*name, (left + 20, 8), (FONT, 13)))?;
        left += 40 + 8 * name.chars().count() as i32;
    }
    Ok(())
}

/// The range of an axis.
fn range(axis: &Axis, plot: &Plot, places: impl Fn(&Datum) -> [f64; 2]) -> Range<f64> {
    if let AxisKind::Names(names) = &axis.kind {
        // The first name is at the top.
        return names.len() as f64 - 0.5..-0.5;
    }
    if let Some([low, high]) = axis.domain {
        return low..high;
    }
    // The ends of an infinite range have no end between them.
    let all = || plot.series.iter().flat_map(|series| &series.data).flat_map(&places).filter(|place| place.is_finite());
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    if low > high {
        return 0.0..1.0;
    }
    let margin = if low == high { 1.0 } else { MARGIN * (high - low) };
    low - margin..high + margin
}

fn label(axis: &Axis, at: f64) -> String {
    match &axis.kind {
        AxisKind::Linear => format!("{:.3}", at).trim_end_matches('0').trim_end_matches('.').to_string(),
        AxisKind::PowersOfTwo => format!("2^{}", (at * 10.0).round() / 10.0),
        AxisKind::Names(names) if (at - at.round()).abs() < 0.01 => {
            names.get(at.round() as usize).cloned().unwrap_or_default()
        }
        AxisKind::Names(_) => String::new(),
    }
}

/// How far below the middle of a row the points of a series are, so that those of no other series hide them.
fn lift(place: usize, series: usize) -> f64 {
    0.6 * ((place as f64 + 0.5) / series as f64 - 0.5)
}

fn draw_series(chart: &mut Chart, plot: &Plot, series: &Series, color: RGBColor, lift: f64) -> Drawn {
    let data = &series.data;
    match series.mark {
        Mark::Line => {
            let points = data.iter().map(|datum| (datum.x, datum.y));
            chart.draw_series(LineSeries::new(points, color.stroke_width(1)))?;
        }
        Mark::Points => {
            chart.draw_series(data.iter().map(|datum| Circle::new((datum.x, datum.y + lift), 2, color.filled())))?;
        }
        Mark::Labeled => {
            chart.draw_series(data.iter().map(|datum| Circle::new((datum.x, datum.y), 5, color.filled())))?;
            let text = |datum: &Datum| {
                EmptyElement::at((datum.x, datum.y)) + Text::new(datum.note.clone(), (9, -14), (FONT, 13))
            };
            chart.draw_series(data.iter().map(text))?;
        }
        Mark::Ranges => {
            let bar =
                |datum: &Datum| Rectangle::new([(datum.x, datum.y - 0.28), (datum.x2, datum.y + 0.28)], color.filled());
            chart.draw_series(data.iter().map(bar))?;
        }
        Mark::Ticks => {
            let tick = |datum: &Datum| PathElement::new([(datum.x, datum.y - 0.3), (datum.x, datum.y + 0.3)], color);
            chart.draw_series(data.iter().map(tick))?;
        }
        Mark::Columns => {
            let bottom = plot.y.domain.map_or(0.0, |[low, _]| low);
            let column = |datum: &Datum| Rectangle::new([(datum.x, bottom), (datum.x2, datum.y)], color.filled());
            chart.draw_series(data.iter().map(column))?;
        }
    }
    Ok(())
}

/// The colors of series in SVG notation.
pub(crate) fn colors() -> Vec<String> {
    COLORS.iter().map(|RGBColor(red, green, blue)| format!("#{red:02X}{green:02X}{blue:02X}")).collect()
}
