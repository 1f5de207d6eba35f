//! The estimated clock of pipelined units against that of nextpnr, and the constants that fit best.
//!
//! `cargo bench -p binade-synth` synthesises each unit between registers with Yosys, places and routes it with a few seeds, and
//! prints the median beside the estimate of `binade_generator::pipeline::Speed`. The last lines are a straight line through the
//! measurements: what a level and a register take, for the ratio of carry to level that the estimate has.

mod shell;

use binade_generator::pipeline::{Pipeline, Speed};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_golden::{Selection, Unit};
use binade_tools::{Device, Error, Nextpnr, Source, Tools, scratch_dir};
use serde_json::Value;
use shell::{SHELL, shell};
use std::fs;
use std::path::Path;

/// More than any unit reaches, so that the placer goes on.
const GOAL_MHZ: &str = "500";

const SEEDS: [&str; 3] = ["1", "2", "3"];

const UNITS: [(Unit, &str, &[u32]); 5] = [
    (Unit::Fmac, "e5m2b1", &[1, 2, 4, 8, 16]),
    (Unit::Mul, "binary16", &[2, 6]),
    (Unit::Add, "bfloat16", &[2, 5]),
    (Unit::Fmac, "binary16", &[3, 8]),
    (Unit::Mul, "posit8_2", &[3]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Tools::new(Source::Pinned);
    for (device, speed) in [(Device::Ecp5, Speed::ECP5), (Device::Ice40, Speed::ICE40)] {
        let nextpnr = tools.nextpnr(device)?;
        println!("{device:?}, nextpnr {}, median of {} seeds", nextpnr.version, SEEDS.len());
        println!("{:<36} {:>8} {:>10} {:>10} {:>7}", "", "levels", "estimate", "measured", "ratio");
        let mut points = vec![];
        for (unit, format, depths) in UNITS {
            let operation = Selection::new(unit, format.parse()?).operation()?;
            for &stages in depths {
                let unit = generate(Design::pipelined(operation, stages));
                let pipeline = unit.pipeline.as_ref().expect("a pipelined unit");
                let (levels, estimate) = (levels(pipeline, speed), speed.mhz(pipeline));
                let measured = measure(&tools, &nextpnr, device, &unit)?;
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

/// The longest segment in levels, with a carry chain as fast as the device has it.
fn levels(pipeline: &Pipeline, speed: Speed) -> f64 {
    let longest = pipeline.depths(&speed.delays).into_iter().max().unwrap_or(0);
    longest as f64 / speed.delays.level as f64
}

/// The median of the fastest clocks of all seeds, in MHz.
fn measure(tools: &Tools, nextpnr: &Nextpnr, device: Device, unit: &GeneratedUnit) -> Result<f64, Error> {
    let scratch = scratch_dir()?;
    let write = |name: &str, text: &str| fs::write(scratch.path().join(name), text).map_err(Error::io("write Verilog"));
    write("unit.v", &unit.verilog)?;
    write("shell.v", &shell(unit))?;
    let synth = match device {
        Device::Ecp5 => format!("synth_ecp5 -nodsp -top {SHELL} -json shell.json"),
        Device::Ice40 => format!("synth_ice40 -top {SHELL} -json shell.json"),
    };
    tools.yosys()?.run_script(&format!("read_verilog unit.v\nread_verilog shell.v\n{synth}\n"), scratch.path())?;
    let mut clocks = SEEDS
        .map(|seed| place_and_route(nextpnr, device, seed, scratch.path()))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    clocks.sort_by(f64::total_cmp);
    Ok(clocks[SEEDS.len() / 2])
}

fn place_and_route(nextpnr: &Nextpnr, device: Device, seed: &str, folder: &Path) -> Result<f64, Error> {
    let part: &[&str] = match device {
        Device::Ecp5 => &["--25k", "--package", "CABGA381", "--speed", "6", "--lpf-allow-unconstrained"],
        Device::Ice40 => &["--hx8k", "--package", "ct256"],
    };
    let common =
        ["--json", "shell.json", "--report", "report.json", "--freq", GOAL_MHZ, "--timing-allow-fail", "--seed", seed];
    nextpnr.run(&[part, &common, &["--quiet"]].concat(), folder)?;
    let report = fs::read_to_string(folder.join("report.json")).map_err(Error::io("read nextpnr's report"))?;
    let clock = serde_json::from_str::<Value>(&report).ok().and_then(|report| {
        let clocks = report["fmax"].as_object()?;
        clocks.values().next()?["achieved"].as_f64()
    });
    clock.ok_or_else(|| Error::Unparsed {
        tool: format!("nextpnr {}", nextpnr.version),
        expected: "a clock in the report".into(),
        output: report,
    })
}

/// Slope and height at zero of the line nearest to the points.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|point| point.0), mean(&|point| point.1));
    let slope = mean(&|point| (point.0 - x) * (point.1 - y)) / mean(&|point| (point.0 - x).powi(2));
    (slope, y - slope * x)
}
