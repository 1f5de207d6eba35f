//! The estimated clock of pipelined units compared with that of nextpnr, and the constants that fit best.
//!
//! `cargo bench -p binade-synth` synthesises each unit between registers with Yosys, places and routes it with a few seeds, and
//! prints the median and the estimate of `binade_circuit::pipeline::Speed`. The last lines fit a straight line to the
//! measurements: the delays of a level and of a register, with the estimate's ratio of carry to level.

use binade_circuit::pipeline::{Pipeline, Speed};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_spec::{Selection, Unit};
use binade_synth::pnr::{Board, RouteError, map};
use binade_tools::{Nextpnr, Source, Tools};

const SEEDS: u32 = 3;

const UNITS: [(Unit, &str, &[u32]); 5] = [
    (Unit::Fmac, "e5m2b1", &[1, 2, 4, 8, 16]),
    (Unit::Mul, "binary16", &[2, 6]),
    (Unit::Add, "bfloat16", &[2, 5]),
    (Unit::Fmac, "binary16", &[3, 8]),
    (Unit::Mul, "posit8_2", &[3]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Tools::new(Source::Pinned);
    for (board, speed) in [(Board::Ulx3s, Speed::ECP5), (Board::Ice40Hx8k, Speed::ICE40)] {
        let nextpnr = tools.nextpnr(board.device())?;
        println!("{board}, {}, median of {SEEDS} seeds", nextpnr.title());
        println!("{:<36} {:>8} {:>10} {:>10} {:>7}", "", "levels", "estimate", "measured", "ratio");
        let mut points = vec![];
        for (unit, format, depths) in UNITS {
            let operation = Selection::new(unit, format.parse()?).operation()?;
            for &stages in depths {
                let unit = generate(Design::pipelined(operation, stages));
                let pipeline = unit.pipeline.as_ref().expect("a pipelined unit");
                let (levels, estimate) = (levels(pipeline, speed), speed.mhz(pipeline));
                let measured = measure(&tools, &nextpnr, board, &unit)?;
                let ratio = estimate / measured;
                println!("{:<36} {levels:>8.1} {estimate:>6.0} MHz {measured:>6.0} MHz {ratio:>7.2}", unit.module);
                points.push((levels, 1e6 / measured));
            }
        }
        let (level, register) = line(&points);
        println!("best fit: {level:.0} ps a level, {register:.0} ps for the registers\n");
    }
    Ok(())
}

/// The longest segment in levels, with the device's speed of carry chains.
fn levels(pipeline: &Pipeline, speed: Speed) -> f64 {
    let longest = pipeline.depths(&speed.delays).into_iter().max().unwrap_or(0);
    longest as f64 / speed.delays.level as f64
}

/// The median of the fastest clocks of all seeds, in MHz.
fn measure(tools: &Tools, nextpnr: &Nextpnr, board: Board, unit: &GeneratedUnit) -> Result<f64, RouteError> {
    let mapped = map(tools, unit, board)?;
    let routed = (1..=SEEDS).map(|seed| mapped.route(nextpnr, seed)).collect::<Result<_, _>>()?;
    Ok(mapped.report(nextpnr, routed)?.fmax_mhz.median)
}

/// Slope and intercept of the line that fits the points best.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|point| point.0), mean(&|point| point.1));
    let slope = mean(&|point| (point.0 - x) * (point.1 - y)) / mean(&|point| (point.0 - x).powi(2));
    (slope, y - slope * x)
}
