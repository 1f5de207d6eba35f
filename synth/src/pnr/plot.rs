//! A sweep over pipeline depths as a picture: clock and area against ranks of registers.

use std::collections::BTreeSet;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::types::{RangedCoordf64, RangedCoordu32};
use plotters::element::ErrorBar;
use plotters::prelude::*;
use plotters::series::DashedLineSeries;

use super::board::Board;
use super::report::{RoutedReport, tools};
use crate::area::Area;

type Drawing<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Panel<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordu32, RangedCoordf64>>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

const SIZE: (u32, u32) = (1000, 440);
const FONT: &str = "sans-serif";

/// The margin above the highest point.
const HEADROOM: f64 = 1.08;

/// The picture as SVG: the clock of each device on the left (the median, and a bar over all seeds), LUTs and registers on the right.
///
/// # Panics
/// When there are no reports.
pub fn plot(reports: &[RoutedReport], title: &str) -> String {
    let mut svg = String::new();
    draw(&mut svg, reports, title).expect("drawing into memory does not fail");
    svg
}

fn draw(svg: &mut String, reports: &[RoutedReport], title: &str) -> Drawn {
    let page = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    page.fill(&WHITE)?;
    let seeds = reports[0].seeds.len();
    let caption = format!("{}; {seeds} seeds, in the register shell of binade synth --pnr", tools(reports));
    page.draw(&Text::new(caption, (12, SIZE.1 as i32 - 18), (FONT, 12).into_font().color(&BLACK.mix(0.6))))?;
    let page = page.margin(0, 26, 0, 0).titled(title, (FONT, 18))?;
    let panels = page.split_evenly((1, 2));
    clocks(&panels[0], reports)?;
    areas(&panels[1], reports)?;
    Ok(page.present()?)
}

fn clocks(panel: &Drawing, reports: &[RoutedReport]) -> Drawn {
    let top = reports.iter().map(|report| report.fmax_mhz.max).fold(0.0, f64::max);
    let mut chart = chart(panel, reports, "Fmax in MHz: median, and range over the seeds", top)?;
    for (board, color) in boards(reports) {
        let of_board = || reports.iter().filter(move |report| report.target == board);
        let points = of_board().map(|report| (report.stages, report.fmax_mhz.median));
        line(&mut chart, points.collect(), color, board.name())?;
        chart.draw_series(of_board().map(|report| {
            let fmax = report.fmax_mhz;
            ErrorBar::new_vertical(report.stages, fmax.min, fmax.median, fmax.max, color.filled(), 6)
        }))?;
    }
    legend(&mut chart)
}

fn areas(panel: &Drawing, reports: &[RoutedReport]) -> Drawn {
    let top = reports.iter().map(|report| luts(report).max(f64::from(report.flip_flops))).fold(0.0, f64::max);
    let mut chart = chart(panel, reports, "Area: lookup tables, and registers (dashed)", top)?;
    for (board, color) in boards(reports) {
        let of_board = || reports.iter().filter(move |report| report.target == board);
        let points: Vec<_> = of_board().map(|report| (report.stages, luts(report))).collect();
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, color.filled())))?;
        line(&mut chart, points, color, board.name())?;
        let registers = of_board().map(|report| (report.stages, f64::from(report.flip_flops)));
        chart.draw_series(DashedLineSeries::new(registers, 5, 4, color.stroke_width(2)))?;
    }
    legend(&mut chart)
}

/// LUTs, including those inside carry cells.
fn luts(report: &RoutedReport) -> f64 {
    f64::from(match report.area {
        Area::Ecp5(area) => area.luts,
        _ => report.luts_and_carries().0,
    })
}

fn chart<'a, 'b>(
    panel: &'a Drawing<'b>,
    reports: &[RoutedReport],
    caption: &str,
    top: f64,
) -> Result<Panel<'a, 'b>, Box<dyn std::error::Error>> {
    let stages = || reports.iter().map(|report| report.stages);
    let (first, last) = (stages().min().unwrap_or(0), stages().max().unwrap_or(0).max(1));
    let heights: Range<f64> = 0.0..(top * HEADROOM).max(1.0);
    let mut chart = ChartBuilder::on(panel)
        .caption(caption, (FONT, 14))
        .margin(12)
        .x_label_area_size(38)
        .y_label_area_size(48)
        .build_cartesian_2d(first..last, heights)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc("ranks of registers (--stages)").label_style((FONT, 12)).axis_desc_style((FONT, 13));
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .y_label_formatter(&|height| format!("{height:.0}"));
    mesh.draw()?;
    Ok(chart)
}

fn line(chart: &mut Panel, points: Vec<(u32, f64)>, color: RGBColor, name: &str) -> Drawn {
    let drawn = chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?;
    drawn.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    Ok(())
}

fn legend<'a, 'b: 'a>(chart: &mut Panel<'a, 'b>) -> Drawn {
    let mut labels = chart.configure_series_labels();
    labels.position(SeriesLabelPosition::UpperLeft).background_style(WHITE.mix(0.8)).label_font((FONT, 13));
    Ok(labels.draw()?)
}

/// The boards of the reports, each with its color.
fn boards(reports: &[RoutedReport]) -> Vec<(Board, RGBColor)> {
    let boards: BTreeSet<Board> = reports.iter().map(|report| report.target).collect();
    let color = |board| match board {
        Board::Ice40Hx8k => RGBColor(0, 114, 178),
        Board::Icebreaker => RGBColor(0, 158, 115),
        Board::Ulx3s => RGBColor(213, 94, 0),
    };
    boards.into_iter().map(|board| (board, color(board))).collect()
}
